"""Repair identifiers and the locations of the description: MT-PID of section III-B."""

from __future__ import annotations

from hpc_explorer.errors import WrongEntry
from hpc_explorer.fair.repairs.asking import Ask, AskKind
from hpc_explorer.fair.repairs.case import Case, Given, Repair, Style
from hpc_explorer.fair.terms import FairFact
from hpc_explorer.fair.values import Action
from hpc_explorer.rdf.identifiers import IdentifierKind, recognise
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource, Term

DOI_EXAMPLE = "10.5281/zenodo.7019193"


def _where_from(case: Case) -> str:
    return (
        f"A repository such as Zenodo gives a DOI when {case.data} {case.data.are} uploaded, and can reserve one"
        " before."
        f" It then keeps the metadata for as long as it stands, whatever happens to {case.data}."
    )


def doi(case: Case) -> Repair | None:
    """Add a DOI for the data."""
    if known_doi(case) is not None:
        return None
    for_record = () if case.subject.records else case.failing("RDA-F1-01M", "RDA-F1-02M")
    core = () if case.subject.stated(FairFact.IDENTIFIER) else case.failing("FsF-F2-01M")
    wanted = (*for_record, *case.failing("RDA-F1-01D", "RDA-F1-02D", "RDA-A2-01M"), *core)
    if not wanted:
        return None
    ask = Ask(
        "doi", f"Which DOI {case.data.do('do', 'does')} {case.data} have?", AskKind.DOI, _identifier(case),
        case.resource, (DOI_EXAMPLE, f"https://doi.org/{DOI_EXAMPLE}"),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        return [], [_identified(case, case.resource, iri) for iri in given.get("doi", ())]

    return case.repair("doi", wanted, Action.PID, "Give it a DOI", _where_from(case), build, asks=[ask])


def record_identifier(case: Case) -> Repair | None:
    """Add a persistent identifier for a catalogue record without one."""
    wanted = case.failing("RDA-F1-01M", "RDA-F1-02M")
    if not wanted or not case.subject.records:
        return None
    record = case.subject.records[0].resource
    ask = Ask(
        "record", "Which DOI does the catalogue record have?", AskKind.DOI, _identifier(case), record,
        ("10.5281/zenodo.7019192",),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        return [], [_identified(case, record, iri) for iri in given.get("record", ())]

    words = "Give the catalogue record a persistent identifier"
    return case.repair("record", wanted, Action.PID, words, _where_from(case), build, asks=[ask])


def landing_page(case: Case) -> Repair | None:
    """Add a landing page on the web."""
    wanted = case.failing("RDA-A1-02M", "RDA-A1-04M", "RDA-A1.1-01M")
    if not wanted:
        return None
    predicate = case.term(HPC.url, DCAT.landingPage, "url")
    found = known_doi(case)
    ask = Ask(
        "page", "On which web page is it described?", AskKind.WEB_ADDRESS, predicate, case.resource,
        ("https://zenodo.org/records/7019193",),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        pages = given.get("page", () if found is None else (found,))
        return [], [case.quad(case.resource, predicate, address_term(case, page)) for page in pages]

    return case.repair(
        "page", wanted, Action.COARSE_METADATA, "Say where its page is",
        f"The page where a person reads about {case.data}. A DOI leads to one, so it can stand for it.", build,
        asks=[ask],
    )  # fmt: skip


def catalogue(case: Case) -> Repair | None:
    """Add the catalogue that lists the resource."""
    wanted = case.failing("RDA-F4-01M")
    if not wanted:
        return None
    predicate = case.schema.term("includedInDataCatalog") if case.style is Style.SCHEMA_ORG else DCAT.dataset
    ask = Ask(
        "catalogue", "Which catalogue lists it?", AskKind.WEB_ADDRESS, predicate, case.resource,
        ("https://zenodo.org/communities/hpc-fair",),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        added = []
        for catalogue in given.get("catalogue", ()):
            assert isinstance(catalogue, NamedNode)
            if case.style is Style.SCHEMA_ORG:
                added.append(case.quad(case.resource, predicate, catalogue))
                added.append(case.quad(catalogue, RDF.type, case.schema.term("DataCatalog")))
            else:
                added.append(case.quad(catalogue, DCAT.dataset, case.resource))
                added.append(case.quad(catalogue, RDF.type, DCAT.Catalog))
        return [], added

    return case.repair(
        "catalogue", wanted, Action.PID, "Say which catalogue lists it",
        "Name the catalogue that harvesters read, such as the repository's. A name and a description are needed too.",
        build, asks=[ask],
    )  # fmt: skip


def preservation(case: Case) -> Repair | None:
    """State that the metadata are preserved, for an identifier other than a DOI."""
    wanted = case.failing("RDA-A2-01M")
    if not wanted or known_doi(case) is not None:
        return None
    predicate = case.schema.term("publishingPrinciples")
    ask = Ask(
        "policy", "Where does it say that the metadata are kept?", AskKind.WEB_ADDRESS, predicate, case.resource,
        ("https://about.zenodo.org/policies/",),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        return [], [case.quad(case.resource, predicate, policy) for policy in given.get("policy", ())]

    return case.repair(
        "policy", wanted, Action.PID, "Say who keeps the metadata",
        "The policy of the repository that promises to keep metadata when data and models go. A DOI promises the same.",
        build, asks=[ask],
    )  # fmt: skip


def known_doi(case: Case) -> NamedNode | None:
    """The DOI of the data as a node."""
    values: list[Term | Resource] = [case.resource]
    values += [quad.object for quad in case.subject.stated(FairFact.IDENTIFIER)]  # type: ignore[misc]  # no quoted triples
    for value in values:
        try:
            found = recognise(value.value)
        except WrongEntry:
            continue
        if found is not None and found.kind is IdentifierKind.DOI:
            return found.iri
    return None


def address_term(case: Case, address: Term) -> Term:
    """An address as a term in the vocabulary of the description: the HPC ontology uses literals."""
    return Literal(address.value, datatype=XSD.anyURI) if case.style is Style.HPC else address


def _identifier(case: Case) -> NamedNode:
    return case.term(HPC.id, DCTERMS.identifier, "identifier")


def _identified(case: Case, resource: Resource, iri: Term) -> Quad:
    """A statement of an identifier: a node in schema.org, an xsd:anyURI in the HPC ontology, else a text."""
    if case.style is Style.DCAT:
        return case.quad(resource, DCTERMS.identifier, Literal(iri.value))
    return case.quad(resource, _identifier(case), address_term(case, iri))
