"""The records of a PROV document (PROV-DM), and their statements in PROV-O.

PROV-JSON, PROV-N and PROV-XML have the same records. A relation becomes its direct property (`prov:used`) and, where it
has an identifier, a time or attributes, a qualified node as well (PROV-O, section 3.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hpc_explorer.rdf.namespaces import PROV, RDF, RDFS
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term

_DEFAULT = DefaultGraph()


@dataclass(frozen=True)
class Relation:
    """How a relation is written in PROV-DM and in PROV-O.

    Args:
        arguments: the names of its arguments in order; the first is the effect, the second its cause.
        direct: the property from the effect to the cause.
        qualified: the property from the effect to the qualified node; empty if the relation has none.
        cls: the class of the qualified node.
        inner: the property from the qualified node to the cause.
        others: the properties of the other arguments.
    """

    arguments: tuple[str, ...]
    direct: NamedNode
    qualified: NamedNode | None = None
    cls: NamedNode | None = None
    inner: NamedNode | None = None
    others: Mapping[str, NamedNode] = field(default_factory=dict)


_TIME = {"time": PROV.atTime}

ELEMENTS: Mapping[str, NamedNode] = {"entity": PROV.Entity, "activity": PROV.Activity, "agent": PROV.Agent}
"""The kinds of elements, with their classes."""

RELATIONS: Mapping[str, Relation] = {
    "wasGeneratedBy": Relation(
        ("entity", "activity", "time"), PROV.wasGeneratedBy, PROV.qualifiedGeneration, PROV.Generation, PROV.activity,
        _TIME,
    ),
    "used": Relation(
        ("activity", "entity", "time"), PROV.used, PROV.qualifiedUsage, PROV.Usage, PROV.entity, _TIME
    ),
    "wasInformedBy": Relation(
        ("informed", "informant"), PROV.wasInformedBy, PROV.qualifiedCommunication, PROV.Communication, PROV.activity
    ),
    "wasStartedBy": Relation(
        ("activity", "trigger", "starter", "time"), PROV.wasStartedBy, PROV.qualifiedStart, PROV.Start, PROV.entity,
        {**_TIME, "starter": PROV.hadActivity},
    ),
    "wasEndedBy": Relation(
        ("activity", "trigger", "ender", "time"), PROV.wasEndedBy, PROV.qualifiedEnd, PROV.End, PROV.entity,
        {**_TIME, "ender": PROV.hadActivity},
    ),
    "wasInvalidatedBy": Relation(
        ("entity", "activity", "time"), PROV.wasInvalidatedBy, PROV.qualifiedInvalidation, PROV.Invalidation,
        PROV.activity, _TIME,
    ),
    "wasDerivedFrom": Relation(
        ("generatedEntity", "usedEntity", "activity", "generation", "usage"), PROV.wasDerivedFrom,
        PROV.qualifiedDerivation, PROV.Derivation, PROV.entity,
        {"activity": PROV.hadActivity, "generation": PROV.hadGeneration, "usage": PROV.hadUsage},
    ),
    "wasAttributedTo": Relation(
        ("entity", "agent"), PROV.wasAttributedTo, PROV.qualifiedAttribution, PROV.Attribution, PROV.agent
    ),
    "wasAssociatedWith": Relation(
        ("activity", "agent", "plan"), PROV.wasAssociatedWith, PROV.qualifiedAssociation, PROV.Association, PROV.agent,
        {"plan": PROV.hadPlan},
    ),
    "actedOnBehalfOf": Relation(
        ("delegate", "responsible", "activity"), PROV.actedOnBehalfOf, PROV.qualifiedDelegation, PROV.Delegation,
        PROV.agent, {"activity": PROV.hadActivity},
    ),
    "wasInfluencedBy": Relation(
        ("influencee", "influencer"), PROV.wasInfluencedBy, PROV.qualifiedInfluence, PROV.Influence, PROV.influencer
    ),
    "alternateOf": Relation(("alternate1", "alternate2"), PROV.alternateOf),
    "specializationOf": Relation(("specificEntity", "generalEntity"), PROV.specializationOf),
    "hadMember": Relation(("collection", "entity"), PROV.hadMember),
    "mentionOf": Relation(
        ("specificEntity", "generalEntity", "bundle"), PROV.mentionOf, others={"bundle": PROV.asInBundle}
    ),
}  # fmt: skip
"""The relations of PROV-DM, section 5, and PROV-Links."""

TIMES = frozenset({"time", "startTime", "endTime"})

ATTRIBUTES: Mapping[NamedNode, NamedNode] = {
    PROV.label: RDFS.label,
    PROV.location: PROV.atLocation,
    PROV.role: PROV.hadRole,
    PROV.startTime: PROV.startedAtTime,
    PROV.endTime: PROV.endedAtTime,
}
"""The attributes of PROV-DM that have another name in PROV-O. `prov:type` is rdf:type where its value is a name."""

SUBTYPES: Mapping[NamedNode, tuple[NamedNode, NamedNode, NamedNode]] = {
    PROV.Revision: (PROV.wasRevisionOf, PROV.qualifiedRevision, PROV.Revision),
    PROV.Quotation: (PROV.wasQuotedFrom, PROV.qualifiedQuotation, PROV.Quotation),
    PROV.PrimarySource: (PROV.hadPrimarySource, PROV.qualifiedPrimarySource, PROV.PrimarySource),
}
"""The kinds of derivation: property, qualified property and class."""


@dataclass
class Record:
    """A record of a PROV document.

    Args:
        kind: as PROV-N calls it.
        id: its identifier; a blank node where the document gives it none that means anything outside.
        arguments: by name.
        attributes: other attributes, in PROV-DM's names.
        bundle: the bundle that it is in; the default graph for the document itself.
    """

    kind: str
    id: Resource | None = None
    arguments: dict[str, Term] = field(default_factory=dict)
    attributes: list[tuple[NamedNode, Term]] = field(default_factory=list)
    bundle: GraphName = _DEFAULT


def statements_of(record: Record) -> Iterator[Quad]:
    """The statements of a record."""
    graph = record.bundle
    if record.kind in ELEMENTS:
        assert record.id is not None
        yield Quad(record.id, RDF.type, ELEMENTS[record.kind], graph)
        for name in ("startTime", "endTime"):
            if name in record.arguments:
                yield Quad(record.id, ATTRIBUTES[PROV.term(name)], record.arguments[name], graph)
        yield from _attributes(record.id, record, frozenset())
        return
    relation = RELATIONS[record.kind]
    effect, cause = (record.arguments.get(name) for name in relation.arguments[:2])
    others = {name: term for name, term in record.arguments.items() if name in relation.others}
    direct, qualified, cls, used_up = relation.direct, relation.qualified, relation.cls, frozenset[NamedNode]()
    if record.kind == "wasDerivedFrom":
        for attribute, value in record.attributes:
            if attribute == PROV.type and isinstance(value, NamedNode) and value in SUBTYPES:
                direct, qualified, cls = SUBTYPES[value]
                used_up = frozenset({value})
                break
    if effect is not None and cause is not None:
        yield Quad(effect, direct, cause, graph)  # type: ignore[arg-type]  # arguments of relations are resources
    rest = [pair for pair in record.attributes if pair[1] not in used_up]
    if qualified is None or cls is None or relation.inner is None:
        for name, term in others.items():
            if effect is not None:
                yield Quad(effect, relation.others[name], term, graph)  # type: ignore[arg-type]
        return
    is_plain = not isinstance(record.id, NamedNode) and not others and not rest
    if is_plain and effect is not None and cause is not None:
        return
    node = record.id if record.id is not None else BlankNode()
    yield Quad(node, RDF.type, cls, graph)
    if effect is not None:
        yield Quad(effect, qualified, node, graph)  # type: ignore[arg-type]
    if cause is not None:
        yield Quad(node, relation.inner, cause, graph)
    for name, term in others.items():
        yield Quad(node, relation.others[name], term, graph)
    yield from _attributes(node, record, used_up)


def _attributes(node: Resource, record: Record, used_up: frozenset[NamedNode]) -> Iterator[Quad]:
    for name, term in record.attributes:
        if term in used_up and name == PROV.type:
            continue
        if name == PROV.type:
            # A type that is text has no place as a class.
            yield Quad(node, PROV.type if isinstance(term, Literal) else RDF.type, term, record.bundle)
        else:
            yield Quad(node, ATTRIBUTES.get(name, name), term, record.bundle)
