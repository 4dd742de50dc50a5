"""Repair basic metadata: title, creators, description, access (MT-coarse-metadata)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hpc_explorer.fair.access import access_of
from hpc_explorer.fair.repairs.asking import Ask, AskKind, Choice
from hpc_explorer.fair.repairs.case import Case, Given, Repair, Style
from hpc_explorer.fair.terms import FAIR4ML, FairFact, terms_of
from hpc_explorer.fair.values import Action
from hpc_explorer.ontology.common_terms import Fact
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, RDF, Namespace
from hpc_explorer.rdf.terms import NamedNode, Term

COAR = Namespace("http://purl.org/coar/access_right/")
ACCESS = (
    Choice(COAR.c_abf2, "open"),
    Choice(COAR.c_16ec, "restricted"),
    Choice(COAR.c_f1cf, "embargoed"),
    Choice(COAR.c_14cb, "metadata only"),
)
"""Levels of access: COAR Controlled Vocabulary for Access Rights."""


def core(case: Case) -> Repair | None:
    """Add the core elements of FsF-F2-01M except the identifier."""
    wanted = case.failing("FsF-F2-01M", "RDA-F2-01M")
    asks = list(_core_asks(case))
    if not wanted or not asks:
        return None
    missing = _and(ask.name for ask in asks)
    return case.repair(
        "core", wanted, Action.COARSE_METADATA, "Say what it is and whose",
        f"Missing: {missing}. Repositories ask for the same when something is uploaded.",
        lambda given: ((), [case.quad(case.resource, ask.predicate, term) for ask, term in _answered(asks, given)]),
        asks=asks,
    )  # fmt: skip


def _core_asks(case: Case) -> Iterable[Ask]:
    """A question for each missing core element."""
    if not case.subject.classes:
        yield Ask(
            "type", "What is it?", AskKind.CHOICE, RDF.type, case.resource, ("Dataset",), kinds(case)
        )  # fmt: skip
    rows: tuple[tuple[Fact | FairFact, str, str, AskKind, NamedNode, str], ...] = (
        (Fact.NAME, "title", "What is it called?", AskKind.TEXT, case.term(HPC.name, DCTERMS.term("title"), "name"),
         "Placement of arrays in unified memory, BFS"),
        (Fact.DESCRIPTION, "description", "What is it, in a few sentences?", AskKind.LONG_TEXT,
         case.term(HPC.description, DCTERMS.description, "description"),
         "200 labelled launches of BFS: kernel metrics, array metrics and the variant that ran fastest."),
        (FairFact.CREATOR, "creator", "Who made it?", AskKind.AGENT, case.term(None, DCTERMS.creator, "creator"),
         "0000-0002-1825-0097"),
        (FairFact.PUBLISHER, "publisher", "Who publishes it?", AskKind.AGENT,
         case.term(None, DCTERMS.publisher, "publisher"), "Zenodo"),
        (FairFact.PUBLISHED, "issued", "When was it published?", AskKind.DATE,
         case.term(None, DCTERMS.issued, "datePublished"), "2022-08-24"),
        (FairFact.KEYWORDS, "keywords", "What is it about?", AskKind.TEXTS,
         case.term(HPC.subject, DCAT.keyword, "keywords"), "GPU, unified memory, data placement"),
    )  # fmt: skip
    for fact, name, question, kind, predicate, example in rows:
        if not case.subject.stated(fact):
            yield Ask(name, question, kind, predicate, case.resource, (example,))


def kinds(case: Case) -> tuple[Choice, ...]:
    """The assessable classes in the vocabulary of the description."""
    return (
        Choice(case.term(HPC.Dataset, DCAT.Dataset, "Dataset"), "Dataset"),
        Choice(HPC.AIModel if case.style is Style.HPC else FAIR4ML.MLModel, "Model"),
    )


def discovery(case: Case) -> Repair | None:
    """Add metadata for discovery: RDA-F2-01M."""
    wanted = case.failing("RDA-F2-01M", "RDA-R1-01M")
    rows: tuple[tuple[Fact | FairFact, str, str, AskKind, NamedNode, str], ...] = (
        (Fact.LANGUAGE, "language", "In which language is it?", AskKind.LANGUAGE,
         case.term(None, DCTERMS.language, "inLanguage"), "en"),
        (FairFact.VERSION, "version", "Which version is it?", AskKind.TEXT,
         case.term(HPC.version, DCAT.version, "version"), "1.0"),
        (FairFact.CONTACT, "contact", "Who can be asked about it?", AskKind.IRI,
         case.term(None, DCAT.contactPoint, "maintainer"), "https://orcid.org/0000-0002-1825-0097"),
        (FairFact.THEME, "theme", "Which field is it of?", AskKind.IRI, case.term(None, DCAT.theme, "about"),
         "http://www.wikidata.org/entity/Q628523"),
        (FairFact.PROJECT, "project", "Which project is it of?", AskKind.IRI,
         case.term(HPC.project, DCTERMS.relation, "funding"), "https://hpc-fair.github.io/"),
        (FairFact.SPATIAL, "place", "Which place is it about, or from?", AskKind.TEXT,
         case.term(None, DCTERMS.spatial, "spatialCoverage"), "Livermore, California"),
    )  # fmt: skip
    asks = [
        Ask(name, question, kind, predicate, case.resource, (example,))
        for fact, name, question, kind, predicate, example in rows
        if not case.subject.stated(fact) and predicate in terms_of(fact)
    ]
    if not wanted or not asks:
        return None
    return case.repair(
        "discovery", wanted, Action.COARSE_METADATA, "Say more that people look for",
        f"Not said yet: {_and(ask.name for ask in asks)}. Four of these make a description rich; a person confirms it.",
        lambda given: ((), [case.quad(case.resource, ask.predicate, term) for ask, term in _answered(asks, given)]),
        asks=asks,
    )  # fmt: skip


def access(case: Case) -> Repair | None:
    """State who may access the data: a term of COAR's list, and a contact if access is restricted.

    If the level is already stated by a term, only the contact is asked, to avoid a contradiction.
    """
    wanted = case.failing("RDA-A1-01M", "FsF-A1-01M")
    if not wanted:
        return None
    contact = case.term(None, DCAT.contactPoint, "maintainer")
    known = (stated := access_of(case.subject)) is not None and bool(stated.source)
    asks = []
    if not known:
        question = f"Who may have {case.data}?"
        asks.append(
            Ask("access", question, AskKind.CHOICE, DCTERMS.accessRights, case.resource, ("open",), ACCESS)
        )  # fmt: skip
    if not case.subject.stated(FairFact.CONTACT, FairFact.ACCESS_CONDITIONS):
        question = f"Who can be asked for {case.data.do('them', 'it')}{'' if known else ', where not everybody may'}?"
        example = "https://orcid.org/0000-0002-1825-0097"
        asks.append(Ask("contact", question, AskKind.IRI, contact, case.resource, (example,)))
    if not asks:
        return None
    words, explanation = (
        (f"Say whom to ask for {case.data}", "Not everybody may have them, so say who decides: a person or an office.")
        if known
        else (
            f"Say who may have {case.data}",
            "One of the four levels of access that catalogues know. Where access is not open, say whom to ask.",
        )
    )
    return case.repair(
        "access", wanted, Action.COARSE_METADATA, words, explanation,
        lambda given: ((), [case.quad(case.resource, ask.predicate, term) for ask, term in _answered(asks, given)]),
        asks=asks,
    )  # fmt: skip


def _answered(asks: Sequence[Ask], given: Given) -> Iterable[tuple[Ask, Term]]:
    return ((ask, term) for ask in asks for term in given.get(ask.name, ()))


def _and(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
