"""Write terms and new values in the style of a Turtle text: its prefixes and separators."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hpc_explorer.annotate.pushing.located import NotInPlaces
from hpc_explorer.annotate.pushing.turtle_places import Entry, Node, PropertyList, TurtleReader
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Quad, Resource, Term

_LOCAL = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_\-.]*[A-Za-z0-9_\-])?)?\Z")
_BARE = {
    XSD.integer: re.compile(r"[+-]?\d+\Z"),
    XSD.decimal: re.compile(r"[+-]?\d*\.\d+\Z"),
    XSD.double: re.compile(r"[+-]?(?:\d+\.\d*|\.?\d+)[eE][+-]?\d+\Z"),
    XSD.boolean: re.compile(r"(?:true|false)\Z"),
}

Said = Mapping[NamedNode, Sequence[Term]]
"""The values of a resource by property."""


class Words:
    """Writes terms in the style of a text.

    Args:
        read: the text.
        added: the new statements, which may contain new blank nodes.
    """

    def __init__(self, read: TurtleReader, added: Sequence[Quad]) -> None:
        self._read = read
        self._prefixes = _steady(read)
        self._uses_a = any(token.text == "a" for token in read.tokens) or RDF.type.value not in _spelled_out(read)
        self._quotes_numbers = _quotes_numbers(read)
        self._labels: dict[BlankNode, str] = {}
        self._said: dict[tuple[GraphName, BlankNode], dict[NamedNode, list[Term]]] = defaultdict(dict)
        self.in_brackets = self._new_values(added)
        self.entry_separator, self.object_separator = _usual_separators(read)

    # Terms

    def term(self, term: Term, graph: GraphName, place: int) -> str:
        """A term, or a new value in brackets, for a position.

        Raises:
            NotInPlaces: a blank node has no label there.
        """
        if isinstance(term, NamedNode):
            return self.iri(term, place)
        if isinstance(term, Literal):
            return self._literal(term, place)
        if term in self.in_brackets:
            return self._value(term, graph, place)
        return self._label(term)

    def verb(self, verb: NamedNode, place: int) -> str:
        """A property."""
        return "a" if verb == RDF.type and self._uses_a else self.iri(verb, place)

    def iri(self, iri: NamedNode, place: int) -> str:
        """An IRI, with a prefix declared before this position if one fits."""
        for namespace, prefix, declared in self._prefixes:
            if iri.value.startswith(namespace) and declared <= place and _LOCAL.match(iri.value, len(namespace)):
                return f"{prefix}:{iri.value[len(namespace) :]}"
        return str(iri)

    def _literal(self, literal: Literal, place: int) -> str:
        datatype = literal.datatype
        bare = _BARE.get(datatype)
        if bare is not None and bare.match(literal.value) and not self._quotes_numbers:
            return literal.value
        text = _quoted(literal.value)
        if literal.language is not None:
            return f"{text}@{literal.language}"
        return text if datatype == XSD.string else f"{text}^^{self.iri(datatype, place)}"

    def _label(self, node: BlankNode) -> str:
        if node.value in self._read.labels:
            return f"_:{node.value}"
        if node.value.startswith("place-"):
            raise NotInPlaces("a value in brackets would need a name")
        if node not in self._labels:
            number = len(self._labels) + 1
            while f"b{number}" in self._read.labels or f"b{number}" in self._labels.values():
                number += 1
            self._labels[node] = f"b{number}"
        return f"_:{self._labels[node]}"

    # New values

    def entries(self, said: Said, graph: GraphName, place: int) -> list[str]:
        """Each property with its values, the type first."""
        return [
            f"{self.verb(verb, place)} "
            + self.object_separator.join(self.term(value, graph, place) for value in dict.fromkeys(values))
            for verb, values in sorted(said.items(), key=lambda item: (item[0] != RDF.type, item[0].value))
        ]

    def _value(self, node: BlankNode, graph: GraphName, place: int) -> str:
        items = self._items(node, graph)
        if items is not None:
            return "( " + "".join(f"{self.term(item, graph, place)} " for item in items) + ")"
        inside = " ; ".join(self.entries(self._said[graph, node], graph, place))
        return f"[ {inside} ]" if inside else "[]"

    def _items(self, node: BlankNode, graph: GraphName) -> list[Term] | None:
        """The members of a new list; None if the node is anything else."""
        items: list[Term] = []
        cell: Term = node
        while cell != RDF.nil:
            said = self._said.get((graph, cell)) if isinstance(cell, BlankNode) else None
            if said is None or said.keys() != {RDF.first, RDF.rest} or cell not in self.in_brackets:
                return None
            if len(said[RDF.first]) != 1 or len(said[RDF.rest]) != 1:
                return None
            items.append(said[RDF.first][0])
            cell = said[RDF.rest][0]
        return items

    def _new_values(self, added: Sequence[Quad]) -> frozenset[BlankNode]:
        """The new blank nodes with one reference and no cycle, which are written in place of the reference."""
        graphs: dict[BlankNode, set[GraphName]] = defaultdict(set)
        leads: dict[BlankNode, list[Resource]] = defaultdict(list)
        for quad in added:
            subject, object_ = quad.subject, quad.object
            if isinstance(subject, BlankNode) and self._is_new(subject):
                graphs[subject].add(quad.graph_name)
                values = self._said[quad.graph_name, subject].setdefault(quad.predicate, [])
                values.append(object_)  # type: ignore[arg-type]  # no quoted triples are walked
            if isinstance(object_, BlankNode) and self._is_new(object_):
                graphs[object_].add(quad.graph_name)
                leads[object_].append(subject)  # type: ignore[arg-type]  # no quoted subjects
        once = {node for node, subjects in leads.items() if len(subjects) == 1 and len(graphs[node]) == 1}

        def ends(node: BlankNode) -> bool:
            seen = {node}
            above: Resource = leads[node][0]
            while isinstance(above, BlankNode) and above in once:
                if above in seen:
                    return False
                seen.add(above)
                above = leads[above][0]
            return True

        return frozenset(node for node in once if ends(node))

    def _is_new(self, node: BlankNode) -> bool:
        return node.value not in self._read.labels and not node.value.startswith("place-")


def _quoted(value: str) -> str:
    if "\n" in value and "\r" not in value:
        text = value.replace("\\", "\\\\")
        text = re.sub(r'"(?=""|"?\Z)', r"\"", text)
        return f'"""{_controls(text)}"""'
    return str(Literal(value))


def _controls(text: str) -> str:
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04X}", text)


def _steady(read: TurtleReader) -> list[tuple[str, str, int]]:
    """The prefixes that are declared once: namespace, prefix, position; the longest namespace first."""
    meanings: dict[str, set[str]] = defaultdict(set)
    for prefix in read.prefixes:
        meanings[prefix.name].add(prefix.namespace)
    found = {
        (prefix.namespace, prefix.name): prefix.end
        for prefix in reversed(read.prefixes)
        if len(meanings[prefix.name]) == 1 and prefix.namespace
    }
    return sorted(((*key, end) for key, end in found.items()), key=lambda one: (-len(one[0]), one[2]))


def _spelled_out(read: TurtleReader) -> set[str]:
    """The properties that are written as IRIs or with a prefix."""
    return {
        entry.verb.value
        for said in property_lists(read)
        for entry in said.entries
        if not read.text.startswith("a", entry.start) or read.text[entry.start + 1 : entry.start + 2] not in " \t\r\n<"
    }


def _quotes_numbers(read: TurtleReader) -> bool:
    """Whether the text writes all its numbers as quoted strings with a datatype."""
    quoted = False
    for said in property_lists(read):
        for entry in said.entries:
            for node in entry.objects:
                if isinstance(node.term, Literal) and node.term.datatype in _BARE:
                    if read.text[node.start] not in "\"'":
                        return False
                    quoted = True
    return quoted


def property_lists(read: TurtleReader) -> Iterator[PropertyList]:
    """All descriptions of subjects in a text, the outer ones first."""
    for statement in read.statements:
        yield from _inside(statement.subject)
        yield statement.said
        yield from _within(statement.said.entries)


def _within(entries: Iterable[Entry]) -> Iterator[PropertyList]:
    for entry in entries:
        for node in entry.objects:
            yield from _inside(node)


def _inside(node: Node) -> Iterator[PropertyList]:
    for item in node.items:
        yield from _inside(item)
    if node.inner is not None:
        yield node.inner
        yield from _within(node.inner.entries)


def _usual_separators(read: TurtleReader) -> tuple[str, str]:
    """The most frequent separators between properties and between values."""
    entries: Counter[str] = Counter()
    objects: Counter[str] = Counter()
    for statement in read.statements:
        for one, other in zip(statement.said.entries, statement.said.entries[1:], strict=False):
            entries[read.text[one.end : other.start]] += 1
        for entry in statement.said.entries:
            for first, second in zip(entry.objects, entry.objects[1:], strict=False):
                objects[read.text[first.end : second.start]] += 1
    newline = "\r\n" if "\r\n" in read.text else "\n"
    return (
        next((text for text, _ in entries.most_common() if "#" not in text), f" ;{newline}    "),
        next((text for text, _ in objects.most_common() if "#" not in text), ", "),
    )
