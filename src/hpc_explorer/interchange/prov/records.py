"""The records of a PROV document (PROV-DM), and their statements in PROV-O.

PROV-JSON, PROV-N and PROV-XML have the same records. A relation becomes its direct property (`prov:used`) and, where it
has an identifier, a time or attributes, a qualified node as well (PROV-O, section 3.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hpc_explorer.interchange.statements import Findings, part
from hpc_explorer.rdf.namespaces import PROV, RDF, RDFS, WELL_KNOWN, XSD
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


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:\S")


class Names:
    """Resolves the qualified names of a document or bundle.

    Args:
        base: the namespace of names with an unknown prefix.
        where: its name in errors.
    """

    def __init__(self, base: str, where: str, findings: Findings, outer: Names | None = None) -> None:
        self._base = base
        self._where = where
        self._findings = findings
        self._prefixes: dict[str, str] = dict(outer._prefixes) if outer else {"prov": PROV, "xsd": XSD}
        self._unknown: set[str] = set() if outer is None else outer._unknown
        self._blank: dict[str, BlankNode] = {} if outer is None else outer._blank

    def declare(self, prefix: str, namespace: object) -> None:
        """Add a prefix; `default` is that of names without one."""
        if isinstance(namespace, str):
            if not _SCHEME.match(namespace):
                namespace = f"{self._base}#{namespace}/"  # yProv4ML has such
            self._prefixes["" if prefix == "default" else prefix] = namespace
            if prefix not in ("default", "prov", "xsd"):
                self._findings.prefixes.setdefault(prefix, namespace)

    def iri(self, name: str) -> NamedNode:
        """The IRI of a qualified name."""
        prefix, colon, local = name.partition(":")
        if not colon:
            prefix, local = "", name
        namespace = self._prefixes.get(prefix)
        if namespace is None and _ABSOLUTE.match(name) and (local.startswith("//") or prefix in ("urn", "file", "doi")):
            return self._checked(name)
        if namespace is None:
            namespace = WELL_KNOWN.get(prefix)
        if namespace is None:
            if colon and prefix not in self._unknown:
                self._unknown.add(prefix)
                self._findings.lost(f"the prefix {prefix} is not declared", self._where)
            return part(f"{self._base}#", name)
        return self._checked(namespace + local)

    def resource(self, name: str) -> Resource:
        """The node of an identifier, which may be a blank node (`_:x`)."""
        if name.startswith("_:"):
            return self._blank.setdefault(name, BlankNode())
        return self.iri(name)

    def literal(self, text: str, datatype: str | None, language: str | None) -> Literal | NamedNode:
        """A typed value; a qualified name becomes the IRI that it names."""
        if language:
            try:
                return Literal(text, language=language)
            except ValueError:
                return Literal(text)
        if datatype in (None, "", "xsd:string", "prov:InternationalizedString"):
            return Literal(text)
        if datatype in ("prov:QUALIFIED_NAME", "xsd:QName", "prov:QualifiedName"):
            return self.iri(text)
        return Literal(text, datatype=self.iri(str(datatype)))

    def _checked(self, text: str) -> NamedNode:
        try:
            return NamedNode(text)
        except ValueError:
            return NamedNode("".join(f"%{ord(sign):02X}" if sign in ' <>"{}|\\^`' else sign for sign in text))


class Shortener:
    """Makes qualified names, and the prefixes that they need.

    Args:
        known: prefixes to use where they fit.
    """

    def __init__(self, known: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        given = {prefix: namespace for prefix, namespace in dict(known).items() if _PREFIX.fullmatch(prefix)}
        self._known = {namespace: prefix for prefix, namespace in {**WELL_KNOWN, **given}.items() if namespace}
        self._known |= {PROV: "prov", XSD: "xsd"}
        taken = set(self._known.values())
        self._free = (name for number in range(1_000_000_000) if (name := f"ns{number}") not in taken)
        self.prefixes: dict[str, str] = {}

    def name(self, iri: str) -> str:
        """The qualified name of an IRI."""
        cut = max(iri.rfind("/"), iri.rfind("#"), iri.rfind(":")) + 1
        namespace, local = iri[:cut], iri[cut:]
        prefix = self._known.get(namespace)
        if prefix is None:
            prefix = self._known[namespace] = next(self._free)
        if prefix not in ("prov", "xsd"):
            self.prefixes[prefix] = str(namespace)
        return f"{prefix}:{local}"


_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
