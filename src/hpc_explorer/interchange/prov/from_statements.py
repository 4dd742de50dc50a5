"""Convert a graph to the records of a PROV document, for PROV-JSON and PROV-N.

PROV documents express less than RDF: every resource they describe is an entity, an activity or an agent, and a value is
a literal or a name. Other statements are left out and counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from hpc_explorer.interchange.prov.records import ATTRIBUTES, ELEMENTS, RELATIONS, SUBTYPES, TIMES, Record, Relation
from hpc_explorer.rdf.namespaces import PROV, RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Quad, Resource, Term, is_resource


@dataclass
class Recorded:
    """The records of a graph.

    Args:
        records: those of the document first, then those of each bundle.
        left_out: the number of left out statements by predicate.
        typed: the number of resources whose PROV class was inferred.
        implied: the number of direct relations added for qualified ones (PROV-O, section 3.3).
    """

    records: list[Record] = field(default_factory=list)
    left_out: Counter[NamedNode] = field(default_factory=Counter)
    typed: int = 0
    implied: int = 0


_AGENTS = frozenset({PROV.Person, PROV.Organization, PROV.SoftwareAgent})
_NAME_OF = {term: name for name, term in ATTRIBUTES.items() if name not in (PROV.startTime, PROV.endTime)}
_TIMES_OF = {PROV.startedAtTime: "startTime", PROV.endedAtTime: "endTime"}
_KIND_OF = {cls: kind for kind, cls in ELEMENTS.items()}

_QUALIFIED: dict[NamedNode, tuple[str, Relation, NamedNode | None]] = {
    **{one.qualified: (kind, one, None) for kind, one in RELATIONS.items() if one.qualified is not None},
    **{
        qualified: ("wasDerivedFrom", Relation((*RELATIONS["wasDerivedFrom"].arguments,), direct, qualified, cls,
                                               PROV.entity, RELATIONS["wasDerivedFrom"].others), subtype)
        for subtype, (direct, qualified, cls) in SUBTYPES.items()
    },
}  # fmt: skip
_DIRECT: dict[NamedNode, tuple[str, NamedNode | None]] = {
    **{one.direct: (kind, None) for kind, one in RELATIONS.items()},
    **{direct: ("wasDerivedFrom", subtype) for subtype, (direct, _, _) in SUBTYPES.items()},
}


def records_of(quads: Iterable[Quad]) -> Recorded:
    """The records of the statements."""
    found = Recorded()
    graphs: dict[GraphName, dict[Resource, dict[NamedNode, list[Term]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for quad in dict.fromkeys(quads):
        if is_resource(quad.subject) and not hasattr(quad.object, "predicate"):
            graphs[quad.graph_name][quad.subject][quad.predicate].append(quad.object)
        else:
            found.left_out[quad.predicate] += 1
    for graph in sorted(graphs, key=lambda name: (isinstance(name, (NamedNode, BlankNode)), str(name))):
        _Graph(graph, graphs[graph], found).write()
    return found


class _Graph:
    def __init__(self, name: GraphName, about: dict[Resource, dict[NamedNode, list[Term]]], found: Recorded) -> None:
        self._name = name
        self._about = about
        self._found = found
        self._elements: list[Record] = []
        self._relations: list[Record] = []
        self._said: set[tuple[Resource, NamedNode, Term]] = set()

    def write(self) -> None:
        for subject in list(self._about):
            for predicate in list(self._about[subject]):
                if predicate in _QUALIFIED:
                    for node in list(self._about[subject][predicate]):
                        self._qualified(subject, predicate, node)
        for subject, properties in self._about.items():
            self._direct(subject, properties)
        for subject, properties in self._about.items():
            if any(properties.values()):
                self._element(subject, properties)
        self._found.records += [*self._elements, *self._relations]

    def _qualified(self, effect: Resource, predicate: NamedNode, node: Term) -> None:
        kind, relation, subtype = _QUALIFIED[predicate]
        own = self._about.get(node) if is_resource(node) else None
        if own is None or relation.cls not in own.get(RDF.type, ()) or not self._is_free(node, own, relation):
            return
        assert is_resource(node)
        assert relation.inner is not None
        assert relation.cls is not None
        record = Record(kind, node, {relation.arguments[0]: effect}, bundle=self._name)
        causes = own.pop(relation.inner, [])
        if causes:
            record.arguments[relation.arguments[1]] = causes[0]
            self._said.add((effect, relation.direct, causes[0]))
            if causes[0] not in self._about[effect].get(relation.direct, ()):
                self._found.implied += 1
        for name, property in relation.others.items():
            if own.get(property):
                record.arguments[name] = own.pop(property)[0]
        own[RDF.type].remove(relation.cls)
        if subtype is not None:
            record.attributes.append((PROV.type, subtype))
        record.attributes += self._attributes(own)
        self._about[effect][predicate].remove(node)
        if any(own.values()):
            self._leave_out(own)
        self._relations.append(record)

    def _is_free(self, node: Term, own: dict[NamedNode, list[Term]], relation: Relation) -> bool:
        """Whether a qualified node represents one relation that a record can express."""
        assert relation.inner is not None
        users = sum(
            terms.count(node) for about in self._about.values() for word, terms in about.items() if word in _QUALIFIED
        ) if isinstance(node, NamedNode) else 1  # fmt: skip
        causes = own.get(relation.inner, [])
        one_each = all(len(own.get(property, ())) <= 1 for property in relation.others.values())
        names = all(isinstance(cause, NamedNode) for cause in causes)
        times = all(_is_time(own, property) for name, property in relation.others.items() if name in TIMES)
        return users == 1 and len(causes) <= 1 and one_each and names and times

    def _direct(self, subject: Resource, properties: dict[NamedNode, list[Term]]) -> None:
        if not isinstance(subject, NamedNode):
            return
        for predicate in [one for one in properties if one in _DIRECT]:
            kind, subtype = _DIRECT[predicate]
            effect, cause = RELATIONS[kind].arguments[:2]
            kept: list[Term] = []
            for term in properties[predicate]:
                if (subject, predicate, term) in self._said:
                    continue
                if not isinstance(term, NamedNode):
                    kept.append(term)
                    continue
                record = Record(kind, None, {effect: subject, cause: term}, bundle=self._name)
                if subtype is not None:
                    # A kind of derivation is written as a type, which makes its reader add a qualified node.
                    kept.append(term)
                    continue
                self._relations.append(record)
            properties[predicate] = kept

    def _element(self, subject: Resource, properties: dict[NamedNode, list[Term]]) -> None:
        if not isinstance(subject, NamedNode):
            self._leave_out(properties)
            return
        types = properties.get(RDF.type, [])
        kinds = [_KIND_OF[cls] for cls in types if isinstance(cls, NamedNode) and cls in _KIND_OF]
        properties[RDF.type] = [cls for cls in types if cls not in _KIND_OF]
        if not kinds:
            self._found.typed += 1
            is_timed = any(word in properties for word in _TIMES_OF)
            kinds = ["agent" if not _AGENTS.isdisjoint(types) else "activity" if is_timed else "entity"]
        for kind in kinds[1:]:
            self._elements.append(Record(kind, subject, bundle=self._name))
        record = Record(kinds[0], subject, bundle=self._name)
        activity = next(
            (one for one in (record, *self._elements) if one.id == subject and one.kind == "activity"), None
        )
        for property, name in _TIMES_OF.items():
            terms = properties.get(property, [])
            if activity is not None and len(terms) == 1 and _is_time(properties, property):
                activity.arguments[name] = properties.pop(property)[0]
        record.attributes = self._attributes(properties)
        self._leave_out(properties)
        self._elements.append(record)

    def _attributes(self, properties: dict[NamedNode, list[Term]]) -> list[tuple[NamedNode, Term]]:
        """Remove the properties that a record can express as attributes."""
        found: list[tuple[NamedNode, Term]] = []
        for property, terms in list(properties.items()):
            if property in _TIMES_OF or property in _RESERVED or property.value.endswith(("/", "#", ":")):
                continue
            name = PROV.type if property == RDF.type else _NAME_OF.get(property, property)
            kept: list[Term] = []
            for term in terms:
                is_said = isinstance(term, Literal) if property == PROV.type else not isinstance(term, BlankNode)
                is_said = is_said and not (property == RDF.type and (isinstance(term, Literal) or term in SUBTYPES))
                if is_said and _can_be_written(term):
                    found.append((name, term))
                else:
                    kept.append(term)
            properties[property] = kept
        return found

    def _leave_out(self, properties: dict[NamedNode, list[Term]]) -> None:
        for property, terms in properties.items():
            self._found.left_out[property] += len(terms)
            if not self._found.left_out[property]:
                del self._found.left_out[property]
        properties.clear()


_RESERVED = frozenset({PROV.label, PROV.location, PROV.role, PROV.startTime, PROV.endTime}) | frozenset(
    PROV.term(name) for name in (*TIMES, *(word for one in RELATIONS.values() for word in one.arguments))
)
"""Properties whose names are arguments or attributes of PROV-DM, and would be read as those."""


def _can_be_written(term: Term) -> bool:
    if isinstance(term, NamedNode):
        return not term.value.endswith(("/", "#", ":"))
    if isinstance(term, Literal):
        return term.direction is None if hasattr(term, "direction") else True
    return False


def _is_time(properties: dict[NamedNode, list[Term]], property: NamedNode) -> bool:
    return all(isinstance(term, Literal) and term.datatype == XSD.dateTime for term in properties.get(property, ()))
