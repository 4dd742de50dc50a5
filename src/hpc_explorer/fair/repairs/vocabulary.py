"""Repair the vocabulary of a description: standards and undefined terms (MT-fine-metadata)."""

from __future__ import annotations

from collections.abc import Mapping

from hpc_explorer.fair.checks.words import listed
from hpc_explorer.fair.checks.words import term as named
from hpc_explorer.fair.content import with_values
from hpc_explorer.fair.known_terms import is_no_term, meant_by, standing
from hpc_explorer.fair.repairs.asking import Ask, AskKind, Choice
from hpc_explorer.fair.repairs.case import Case, Given, Repair
from hpc_explorer.fair.terms import FAIR_TERMS, MODEL_CLASSES
from hpc_explorer.fair.values import Action
from hpc_explorer.ontology.common_terms import TERMS
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, RDF, PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Quad


def standard(case: Case) -> Repair | None:
    """State the profile that the description conforms to."""
    known = case.surroundings.conforms(case.subject)
    # Naming a standard does not help without shapes for it.
    wanted = case.failing("RDA-R1.3-01M", *(() if known is None else ("RDA-R1.3-02M",)))
    if not wanted:
        return None
    if known is not None and not known.conforms:
        faults = "; ".join(message for message, _ in known.violations[:3])
        return case.repair(
            "conform", case.failing("RDA-R1.3-02M"), Action.FINE_METADATA, f"Fix what {known.profile} finds wrong",
            f"{faults}. The page Check has all of it, with what to do about each.", lambda given: ((), ()),
        )  # fmt: skip
    ask = Ask(
        "standard", "Which standard does the description follow?", AskKind.IRI, DCTERMS.conformsTo, case.resource,
        ("https://hpc-fair.github.io/ontology", "https://w3id.org/ro/crate/1.1"),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        nodes = given.get("standard", () if known is None else (known.shapes,))
        return [], [case.quad(case.resource, DCTERMS.conformsTo, node) for node in nodes]

    return case.repair(
        "standard", wanted, Action.FINE_METADATA, "Say which standard it follows",
        f"It conforms to the shapes of {known.profile}; say so." if known is not None
        else "Name the standard or profile of your community, so that others can check against it.",
        build, asks=[] if known is not None else [ask],
    )  # fmt: skip


def domain_class(case: Case) -> Repair | None:
    """Add the HPC ontology's class: a term of a domain vocabulary."""
    wanted = case.failing("FsF-I1-02M", "RDA-R1.3-01M")
    if not wanted:
        return None
    classes = case.subject.classes
    cls = HPC.AIModel if any(each in MODEL_CLASSES for each in classes) else HPC.Dataset
    ask = Ask(
        "hpc-class", "What is it?", AskKind.CHOICE, RDF.type, case.resource, ("Dataset",),
        (Choice(HPC.Dataset, "Dataset"), Choice(HPC.AIModel, "Model")),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        known = (cls,) if classes else ()
        return [], [case.quad(case.resource, RDF.type, each) for each in given.get("hpc-class", known)]

    repair = case.repair(
        "class", wanted, Action.FINE_METADATA, "Say what it is in the HPC ontology",
        "The words of its description are those that every catalogue has. What it is in the words of a field is what"
        " programs of that field look for.",
        build, asks=[] if classes else [ask],
    )  # fmt: skip
    return repair if repair.asks or repair.change else None


def misspelt_terms(case: Case) -> Repair | None:
    """Rename misspelt terms to the similar term of their vocabulary.

    Applies to indicators that fail because of the typo, or because the intended term is missing.
    """
    slips = {term: meant for term, meant in _slips(case).items() if meant is not None}
    said = {like for meant in slips.values() for like in _like(meant)}
    lacking = [each.indicator for each in case.findings.values() if not said.isdisjoint(each.missing)]
    wanted = case.failing(*dict.fromkeys((*_BY_TERMS, *lacking)))
    if not slips or not wanted:
        return None
    pairs = [f"{named(term)} as {named(meant)}" for term, meant in slips.items()]
    words = f"Fix {len(slips)} terms"
    reason = "There are no such terms in their vocabularies, and these are spelled most like them."
    if len(slips) == 1:
        words = f"Fix the term {named(next(iter(slips)))}"
        reason = "Its vocabulary has no such term; this one has the most similar spelling."

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        wrong = [quad for quad in _said(case) if _used(quad) & slips.keys()]
        return wrong, [_renamed(quad, slips) for quad in wrong]

    return case.repair(
        "misspelt-terms", wanted, Action.FINE_METADATA, words,
        f"Write {listed(pairs)}. {reason}",
        build,
    )  # fmt: skip


_BY_TERMS = ("RDA-I1-02M", "FsF-I1-02M", "RDA-I2-01M", "RDA-R1.3-01M", "RDA-R1.2-02M", "FsF-R1.2-01M")
"""The indicators that check the vocabulary of properties and classes."""


def _like(term: NamedNode) -> set[NamedNode]:
    """Equivalent terms in other vocabularies."""
    groups = (terms for terms in (*TERMS.values(), *FAIR_TERMS.values()) if term in terms)
    return {term, *(each for terms in groups for each in terms)}


def _said(case: Case) -> list[Quad]:
    """The statements about the resource and its blank-node values."""
    return [quad for node in with_values(case.subject) for quad in node.quads]


def _used(quad: Quad) -> set[NamedNode]:
    """The property of a statement, and the class that it names."""
    is_class = quad.predicate == RDF.type and isinstance(quad.object, NamedNode)
    return {quad.predicate, quad.object} if is_class else {quad.predicate}  # type: ignore[arg-type]


def _slips(case: Case) -> dict[NamedNode, NamedNode | None]:
    """The unknown terms of fully known vocabularies, each with its correction if that is unambiguous."""
    slips: dict[NamedNode, NamedNode | None] = {}
    for quad in _said(case):
        for term in sorted(_used(quad) - slips.keys(), key=str):
            if is_no_term(term, case.surroundings):
                meant = meant_by(term, is_class=term != quad.predicate)
                slips[term] = meant[0] if len(meant) == 1 else None
    return slips


def _renamed(quad: Quad, slips: Mapping[NamedNode, NamedNode]) -> Quad:
    predicate = slips.get(quad.predicate, quad.predicate)
    value = quad.object
    if quad.predicate == RDF.type and isinstance(value, NamedNode):
        value = slips.get(value, value)
    return Quad(quad.subject, predicate, value, quad.graph_name)


def unknown_terms(case: Case) -> Repair | None:
    """Replace properties that no known ontology defines."""
    wanted = case.failing("RDA-I1-02M", "RDA-I2-01M")
    own = [quad for quad in case.subject.quads if quad.predicate != RDF.type]
    slips = _slips(case)
    unknown = [
        term
        for term in dict.fromkeys(quad.predicate for quad in own)
        if not standing(term, case.surroundings).counts and slips.get(term) is None
    ]
    if not wanted or not unknown:
        return None
    prefixes = PrefixMap()
    asks = [
        Ask(
            f"term-{number}", f"Which known property means the same as {prefixes.short(term.value)}?", AskKind.IRI,
            term, case.resource,
            (*(prefixes.short(near.value) for near in meant_by(term, is_class=False)), "dcterms:relation"),
        )
        for number, term in enumerate(unknown, 1)
    ]  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        removed, added = [], []
        for ask in asks:
            for term in given.get(ask.name, ()):
                assert isinstance(term, NamedNode)
                for quad in own:
                    if quad.predicate == ask.predicate:
                        removed.append(quad)
                        added.append(Quad(quad.subject, term, quad.object, quad.graph_name))
        return removed, added

    return case.repair(
        "terms", wanted, Action.FINE_METADATA, "Use properties that an ontology defines",
        f"Nothing that is loaded or ships defines {prefixes.short(unknown[0].value)}. Load the ontology that does, or"
        " write the same with a known property.",
        build, asks=asks,
    )  # fmt: skip
