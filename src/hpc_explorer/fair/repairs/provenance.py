"""Repair provenance and links: MT-provenance of section III-B."""

from __future__ import annotations

from collections.abc import Mapping

from hpc_explorer.errors import WrongEntry
from hpc_explorer.fair.provenance import community_of
from hpc_explorer.fair.repairs.asking import Ask, AskKind
from hpc_explorer.fair.repairs.case import Case, Given, Repair, Style
from hpc_explorer.fair.repairs.description import kinds
from hpc_explorer.fair.terms import FAIR4ML, FairFact, terms_of
from hpc_explorer.fair.values import Action
from hpc_explorer.ontology.common_terms import Fact
from hpc_explorer.rdf.identifiers import recognise
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, RDF, SCHEMA, SCHEMAS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, is_resource

_LINKS = ("RDA-I3-01M", "RDA-I3-02M", "RDA-I3-03M", "RDA-I3-04M")
_LINKS_OF_DATA = ("RDA-I3-01D", "RDA-I3-02D")
_PROVENANCE = ("RDA-R1.2-01M", "RDA-R1.2-02M", "FsF-R1.2-01M")

_IN_PROV: Mapping[NamedNode, NamedNode] = {
    HPC.wasDerivedFrom: PROV.wasDerivedFrom,
    HPC.wasDerivedFromDataset: PROV.wasDerivedFrom,
    HPC.wasDFD: PROV.wasDerivedFrom,
    HPC.wasGeneratedBy: PROV.wasGeneratedBy,
    HPC.contributor: PROV.wasAttributedTo,
    DCTERMS.source: PROV.wasDerivedFrom,
    DCTERMS.creator: PROV.wasAttributedTo,
    **{namespace.isBasedOn: PROV.wasDerivedFrom for namespace in (SCHEMA, SCHEMAS)},
    **{namespace.creator: PROV.wasAttributedTo for namespace in (SCHEMA, SCHEMAS)},
    **{namespace.author: PROV.wasAttributedTo for namespace in (SCHEMA, SCHEMAS)},
    FAIR4ML.trainedOn: PROV.wasDerivedFrom,
}
"""The PROV-O equivalents of links. Sources: the shipped alignments, and PROV-DC, section 3.1, for Dublin Core."""


def in_prov(case: Case) -> Repair | None:
    """Repeat existing provenance links in PROV-O."""
    wanted = case.failing("RDA-R1.2-02M", "FsF-R1.2-01M")
    new = [
        case.quad(case.resource, _IN_PROV[quad.predicate], quad.object)
        for quad in case.subject.quads
        if quad.predicate in _IN_PROV and is_resource(quad.object)
    ]
    if not wanted or not new:
        return None
    return case.repair(
        "prov", wanted, Action.PROVENANCE, "Say it in PROV-O as well",
        "What it was made from, by what and by whom is stated; PROV-O says the same to programs of every community.",
        lambda given: ((), new),
    )  # fmt: skip


def derivation(case: Case) -> Repair | None:
    """Add the sources of the resource with their classes."""
    model = case.subject.is_model
    predicate = _derived(case)
    # PROV-O is no community standard; those describe the activity.
    provenance = _PROVENANCE if community_of(predicate) is not None else _PROVENANCE[1:]
    wanted = case.failing(*_LINKS, *(_LINKS_OF_DATA if model else ()), *provenance)
    if not wanted:
        return None
    source = Ask(
        "source",
        "Which dataset was the model trained on?" if model else "Which dataset was it made from?",
        AskKind.IRI, predicate, case.resource, ("https://doi.org/10.5281/zenodo.6342012",),
    )  # fmt: skip
    what = Ask("source-type", "What is that?", AskKind.CHOICE, RDF.type, case.resource, ("Dataset",), kinds(case))

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        added = []
        for node in given.get("source", ()):
            assert isinstance(node, NamedNode)
            added.append(case.quad(case.resource, predicate, node))
            added.append(case.quad(case.resource, PROV.wasDerivedFrom, node))
            if not case.subject.targets.get(node):
                added += [case.quad(node, RDF.type, each) for each in given.get("source-type", ())]
        return [], added

    return case.repair(
        "source", wanted, Action.PROVENANCE, "Say what it was trained on" if model else "Say what it was made from",
        f"A link to the dataset or model it comes from, in words of provenance: it says where"
        f" {case.data} {case.data.do('come', 'comes')} from, and leads people to related data.",
        build, asks=[source, what],
    )  # fmt: skip


def _derived(case: Case) -> NamedNode:
    if not case.subject.is_model:
        return case.term(HPC.wasDerivedFrom, PROV.wasDerivedFrom, "isBasedOn")
    return HPC.wasDerivedFromDataset if case.style is Style.HPC else FAIR4ML.trainedOn


def activity(case: Case) -> Repair | None:
    """Add the activity that made it; if there is one in PROV-O only, ask for its class in the community's standard."""
    stated = case.subject.stated(FairFact.GENERATED_BY)
    wanted = case.failing(*(_PROVENANCE[:1] if stated else _PROVENANCE))
    if not wanted:
        return None
    known = [quad.object.value for quad in stated if isinstance(quad.object, NamedNode)]
    in_runs = case.style is Style.SCHEMA_ORG
    predicate = PROV.wasGeneratedBy if in_runs else HPC.wasGeneratedBy
    ask = Ask(
        "activity", "Which experiment, job or run made it?", AskKind.IRI, predicate, case.resource,
        (*known[:1], "https://github.com/hpc-fair/xplacer/runs/1")[:1],
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        added = []
        for run in given.get("activity", ()):
            assert isinstance(run, NamedNode)
            added += [case.quad(case.resource, each, run) for each in dict.fromkeys((predicate, PROV.wasGeneratedBy))]
            if in_runs:
                added.append(case.quad(run, RDF.type, case.schema.term("CreateAction")))
                added.append(case.quad(run, case.schema.term("result"), case.resource))
        return [], added

    words = "in the words of Workflow Run RO-Crate" if in_runs else "in the words of the HPC ontology"
    return case.repair(
        "activity", wanted, Action.PROVENANCE, "Say what made it",
        f"A link to the experiment, job or workflow run, {words} and of PROV-O.", build,
        asks=[ask],
    )  # fmt: skip


def creation(case: Case) -> Repair | None:
    """Add the dates of creation and modification, and the version: FsF-R1.2-01M."""
    wanted = case.failing("FsF-R1.2-01M")
    rows: tuple[tuple[Fact | FairFact, str, str, AskKind, NamedNode, str], ...] = (
        (FairFact.CREATOR, "creator", "Who made it?", AskKind.AGENT, case.term(None, DCTERMS.creator, "creator"),
         "0000-0002-1825-0097"),
        (Fact.CREATED, "created", "When was it made?", AskKind.DATE, case.term(None, DCTERMS.created, "dateCreated"),
         "2020-08-12"),
        (Fact.MODIFIED, "modified", "When was it changed last?", AskKind.DATE,
         case.term(None, DCTERMS.modified, "dateModified"), "2022-08-24"),
        (FairFact.VERSION, "version", "Which version is it?", AskKind.TEXT,
         case.term(HPC.version, terms_of(Fact.VERSION)[1], "version"), "1.0"),
    )  # fmt: skip
    asks = [
        Ask(name, question, kind, predicate, case.resource, (example,))
        for fact, name, question, kind, predicate, example in rows
        if not case.subject.stated(fact)
    ]
    if not wanted or not asks:
        return None

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        return [], [case.quad(case.resource, ask.predicate, term) for ask in asks for term in given.get(ask.name, ())]

    return case.repair(
        "creation", wanted, Action.PROVENANCE, "Say when and by whom it was made",
        "Who made it, when, when it was changed, and its version.", build, asks=asks,
    )  # fmt: skip


# Links


def publication(case: Case) -> Repair | None:
    """Add the article about it."""
    wanted = case.failing("RDA-I3-01M", "RDA-I3-03M")
    if not wanted:
        return None
    predicate = case.term(None, DCTERMS.isReferencedBy, "citation")
    ask = Ask(
        "publication", "Which publication is about it, or uses it?", AskKind.IRI, predicate, case.resource,
        ("https://doi.org/10.1109/MCHPC49590.2019.00016",),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        return [], [case.quad(case.resource, predicate, node) for node in given.get("publication", ())]

    return case.repair(
        "publication", wanted, Action.FINE_METADATA, "Name a publication about it",
        f"The DOI of an article that describes or uses {case.data}.", build, asks=[ask],
    )  # fmt: skip


def links_in_texts(case: Case) -> Repair | None:
    """Convert links that are texts to IRIs."""
    wanted = case.failing("RDA-I3-01M", "RDA-I3-03M")
    linking = {
        term
        for fact in (FairFact.PUBLICATION, FairFact.RELATED, Fact.MADE_FROM, Fact.PART_OF, Fact.CITATION)
        for term in terms_of(fact)
    }
    meant = [
        (quad, node)
        for quad in case.subject.quads
        if quad.predicate in linking and (node := _address_in(quad)) is not None
    ]
    if not wanted or not meant:
        return None
    removed, added = [], []
    for quad, node in meant:
        # The HPC ontology defines its publication as a text, so the text is kept next to the link.
        own = quad.predicate.value.startswith(HPC)
        added.append(case.quad(case.resource, DCTERMS.isReferencedBy if own else quad.predicate, node))
        removed += [] if own else [quad]
    return case.repair(
        "links", wanted, Action.FINE_METADATA, "Make links of the addresses that are texts",
        f"“{meant[0][0].object.value}” is an address, and stands there as a text.",  # type: ignore[union-attr]  # a literal
        lambda given: (removed, added),
    )  # fmt: skip


def _address_in(quad: Quad) -> NamedNode | None:
    """The address in a text that has exactly one."""
    if not isinstance(quad.object, Literal):
        return None
    text = quad.object.value.strip()
    try:
        found = recognise(text)
        if found is not None:
            return found.iri
        return NamedNode(text) if text.startswith(("http://", "https://")) else None
    except (WrongEntry, ValueError):
        return None


def agents(case: Case) -> Repair | None:
    """Convert creators that are texts to identifiable persons."""
    wanted = case.failing("RDA-I3-03M", "RDA-R1.2-02M", "FsF-R1.2-01M")
    named = [
        quad
        for quad in case.subject.stated(FairFact.CREATOR)
        if isinstance(quad.object, Literal) and quad.predicate in _PERSON_LINKS
    ]
    if not wanted or not named:
        return None
    asks = [
        Ask(
            "orcid" if number == 1 else f"orcid-{number}", f"Which ORCID does {_name(quad)} have?", AskKind.AGENT,
            quad.predicate, case.resource, ("0000-0002-1825-0097",),
        )
        for number, quad in enumerate(named, 1)
    ]  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        removed, added = [], []
        for ask, quad in zip(asks, named, strict=True):
            for node in given.get(ask.name, ()):
                if isinstance(node, NamedNode):
                    removed.append(quad)
                    added.append(case.quad(case.resource, quad.predicate, node))
                    added.append(case.quad(node, case.term(HPC.name, _FOAF_NAME, "name"), quad.object))  # type: ignore[arg-type]  # a literal
                    added.append(case.quad(case.resource, PROV.wasAttributedTo, node))
        return removed, added

    return case.repair(
        "agents", wanted, Action.FINE_METADATA, "Name its makers by their ORCID",
        "A name can be anybody's; an ORCID is one person, and a link that programs follow.", build, asks=asks,
    )  # fmt: skip


_FOAF_NAME = NamedNode("http://xmlns.com/foaf/0.1/name")
_PERSON_LINKS = frozenset(
    {DCTERMS.creator, *(namespace.term(name) for namespace in (SCHEMA, SCHEMAS) for name in ("creator", "author"))}
)


def _name(quad: Quad) -> str:
    return quad.object.value if isinstance(quad.object, Literal) else "?"
