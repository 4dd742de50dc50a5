"""Provenance terms: those of communities, those of PROV-O and PAV, and the entailments between them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hpc_explorer.fair.known_terms import is_no_term
from hpc_explorer.fair.terms import PAV, fair4ml
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, OWL, PROV, PROVLAKE, PROVML, RDFS, WFPROV, Namespace
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

OPENLINEAGE = "https://openlineage.io/spec/"
PROVONE = ("http://purl.dataone.org/provone/2015/01/15/ontology#", "http://purl.org/provone#")
PPLAN = Namespace("http://purl.org/net/p-plan#")

COMMUNITY_TERMS: Mapping[NamedNode, str] = {
    **dict.fromkeys(
        (
            HPC.wasGeneratedBy, HPC.wasDerivedFrom, HPC.wasDerivedFromDataset, HPC.wasDFD,
            HPC.wasDerivedFromSoftware, HPC.generated, HPC.hadOutput,
        ),
        "HPC Ontology",
    ),
    **dict.fromkeys((PROVML.wasGeneratedBy, PROVML.wasDerivedFrom, PROVLAKE.wasGeneratedBy), "PROV-ML"),
    **dict.fromkeys((WFPROV.wasOutputFrom, WFPROV.outputFromParameter), "Wf4Ever"),
    **dict.fromkeys((PPLAN.isOutputVarOf, PPLAN.correspondsToVariable), "P-PLAN"),
    **dict.fromkeys(fair4ml("trainedOn", "fineTunedFrom"), "FAIR4ML"),
}  # fmt: skip
"""Terms for how a thing was made, each with its community standard."""


def community_of(predicate: NamedNode) -> str | None:
    """The community standard that a provenance predicate belongs to."""
    if (found := COMMUNITY_TERMS.get(predicate)) is not None:
        return found
    if predicate.value.startswith(OPENLINEAGE):
        return "OpenLineage"
    return "ProvONE" if predicate.value.startswith(PROVONE) else None


def community_of_class(cls: NamedNode) -> str | None:
    """The community standard that adds a class to PROV-O."""
    if is_no_term(cls):
        return None
    return next((name for namespace, name in _PROV_WITH_CLASSES if cls.value.startswith(namespace)), None)


_PROV_WITH_CLASSES = (
    (PROVML, "PROV-ML"),
    (PROVLAKE, "PROV-ML"),
    (WFPROV, "Wf4Ever"),
    (PPLAN, "P-PLAN"),
    *((each, "ProvONE") for each in PROVONE),
)


def is_common(quad: Quad) -> bool:
    """Whether a statement gives provenance in PROV-O or PAV."""
    if quad.predicate in _NOT_OF_ORIGIN or is_no_term(quad.predicate):
        return False
    return quad.predicate.value.startswith((PROV, PAV)) and says_how(quad, quad.predicate)


def says_how(quad: Quad, term: NamedNode) -> bool:
    """Whether the value fits a term of PROV-O or PAV: a time may be a text, an activity may not; no self-reference."""
    if not isinstance(quad.object, Literal):
        return quad.object != quad.subject
    return bool(quad.object.value.strip()) and (term.value.startswith(PAV) or term in _OF_TEXTS)


_OF_TEXTS = frozenset({PROV.generatedAtTime, PROV.invalidatedAtTime, PROV.startedAtTime, PROV.endedAtTime, PROV.atTime})
# GeoDCAT-AP's conformance tests use the dataset: later activities and contained things are not its origin.
_NOT_OF_ORIGIN = frozenset(
    {
        PROV.value, PROV.atLocation, PROV.wasUsedBy, PROV.influenced, PROV.hadMember,
        PROV.invalidatedAtTime, PROV.wasInvalidatedBy, PROV.qualifiedInvalidation,
    }
)  # fmt: skip


@cache
def entailed_terms() -> Mapping[NamedNode, tuple[NamedNode, ...]]:
    """The PROV-O terms that each HPC ontology term entails by the shipped alignment, sorted.

    Uses rdfs:subPropertyOf and owl:equivalentProperty within hpc: and from there to prov: (RDFS rule rdfs5, OWL 2 RL
    prp-eqp).
    """
    above: dict[NamedNode, set[NamedNode]] = {}
    for relation in (RDFS.subPropertyOf, OWL.equivalentProperty):
        for quad in shipped_ontology().match(predicate=relation):
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                above.setdefault(quad.subject, set()).add(quad.object)
                if relation == OWL.equivalentProperty:
                    above.setdefault(quad.object, set()).add(quad.subject)
    return {
        term: tuple(sorted(entailed, key=str))
        for term in sorted(above, key=str)
        if term.value.startswith(HPC) and (entailed := _reached(term, above))
    }


def _reached(term: NamedNode, above: Mapping[NamedNode, set[NamedNode]]) -> set[NamedNode]:
    seen = {term}
    waiting = [term]
    while waiting:
        for wide in above.get(waiting.pop(), set()) - seen:
            seen.add(wide)
            if wide.value.startswith(HPC):
                waiting.append(wide)
    return {each for each in seen if each.value.startswith(PROV)}
