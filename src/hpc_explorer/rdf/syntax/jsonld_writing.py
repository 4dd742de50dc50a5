"""Writing readable JSON-LD: prefixed names, plain numbers, blank nodes and lists embedded where they are used.

The form follows the HPC Ontology paper, Listings 2 to 5. Readers get the same dataset with the same spelling of
literals: a number is written as a JSON number only if JSON-LD converts it to the same literal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.rdf.namespaces import DC, DCTERMS, FOAF, HPC, RDF, RDFS, SCHEMA, SCHEMAS, SKOS, WELL_KNOWN, XSD
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, arranged
from hpc_explorer.rdf.syntax.prefixes_in_use import Shortener
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term, Triple

Node = dict[str, Any]
"""A JSON object that describes one resource (JSON-LD 1.1, section 9.2)."""

_DEEPEST_NESTING = 20
"""Limit of nested blank nodes; deeper ones are written separately."""

_NAMES_FIRST = (
    HPC.term("name"), RDFS.label, SKOS.prefLabel, SCHEMA.term("name"), SCHEMAS.term("name"), DCTERMS.term("title"),
    DC.term("title"), FOAF.term("name"),
)  # fmt: skip


def to_jsonld(
    quads: Iterable[Quad], prefixes: Mapping[str, str] = WELL_KNOWN, *, arrangement: Arrangement | None = None
) -> str:
    """The quads as a JSON-LD document.

    Args:
        quads: subjects keep their first order; values are sorted.
        prefixes: available prefixes; the used ones are written to `@context`.
        arrangement: the layout; None for compacted with the prefixes in use. A frame may leave statements out.

    Raises:
        OutputNotWritable: a quad holds a quoted triple, which JSON-LD cannot express.
        InputError: the frame or the context is not valid.
    """
    document: Any = jsonld_document(quads, prefixes)
    if arrangement is not None:
        document = arranged(document, arrangement)
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def jsonld_document(quads: Iterable[Quad], prefixes: Mapping[str, str] = WELL_KNOWN) -> Node:
    """The quads as a JSON-LD document before serialisation; see `to_jsonld`."""
    dataset = _Dataset(quads)
    shortener = Shortener(prefixes, without=dataset.schemes)
    graphs = {graph: _GraphWriter(graph, dataset, shortener).nodes() for graph in dataset.graphs}
    nodes = graphs.pop(DefaultGraph(), [])
    for name, content in graphs.items():
        nodes.append({"@id": _identifier(name), "@graph": content})  # type: ignore[arg-type]  # no default graph
    context = {"@context": shortener.used}
    if len(nodes) == 1:
        return {**context, **nodes[0]}
    return {**context, "@graph": nodes}


# --- the dataset, and its embedded blank nodes


_Properties = dict[NamedNode, dict[Term, None]]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):(?!//)")


class _Dataset:
    """Quads by graph, subject and predicate, with facts about blank nodes.

    Attributes:
        graphs: the properties of each subject of each graph.
        schemes: IRI schemes, which must not be used as prefixes (`urn:`).
    """

    def __init__(self, quads: Iterable[Quad]) -> None:
        self.graphs: dict[GraphName, dict[Resource, _Properties]] = {}
        self.schemes: set[str] = set()
        self._parents: dict[BlankNode, tuple[GraphName, Resource] | None] = {}
        self._homes: dict[BlankNode, GraphName | None] = {}
        iris: set[str] = set()
        for quad in quads:
            subject, predicate, object_, graph = quad
            if isinstance(subject, Triple) or isinstance(object_, Triple):
                raise OutputNotWritable("JSON-LD has no quoted triples", "", "write Turtle or N-Quads")
            values = self.graphs.setdefault(graph, {}).setdefault(subject, {}).setdefault(predicate, {})
            if object_ in values:
                continue
            values[object_] = None
            for term in (subject, predicate, object_, graph):
                if isinstance(term, NamedNode):
                    iris.add(term.value)
                elif isinstance(term, Literal):
                    iris.add(term.datatype.value)
            if isinstance(subject, BlankNode) and self._homes.setdefault(subject, graph) != graph:
                self._homes[subject] = None
            if isinstance(object_, BlankNode):
                # A type cannot be embedded in its instance.
                once = object_ not in self._parents and predicate != RDF.type
                self._parents[object_] = (graph, subject) if once else None
            if isinstance(graph, BlankNode):
                self._parents[graph] = None
        for iri in iris:
            if found := _SCHEME.match(iri):
                self.schemes.add(found[1])
        self._break_cycles()

    def is_inside(self, node: BlankNode, graph: GraphName) -> bool:
        """Whether a blank node is embedded in the one node that refers to it.

        True if its statements and the reference are in the same graph, and it is not part of a cycle.
        """
        parent = self._parents.get(node)
        return parent is not None and parent[0] == graph and self._homes.get(node) == graph

    def _break_cycles(self) -> None:
        """In each cycle of blank nodes with one reference each, write one node separately."""
        settled: set[BlankNode] = set()
        for start in list(self._parents):
            path: set[BlankNode] = set()
            node: Resource = start
            while isinstance(node, BlankNode) and node not in settled:
                if node in path:
                    self._parents[node] = None
                    break
                path.add(node)
                parent = self._parents.get(node)
                if parent is None:
                    break
                node = parent[1]
            settled |= path


class _GraphWriter:
    """The nodes of one graph as JSON objects."""

    def __init__(self, graph: GraphName, dataset: _Dataset, shortener: Shortener) -> None:
        self._graph = graph
        self._dataset = dataset
        self._shortener = shortener
        self._subjects = dataset.graphs[graph]
        self._no_list: set[BlankNode] = set()
        self._waiting: list[BlankNode] = []

    def nodes(self) -> list[Node]:
        """One object for each subject that is not embedded."""
        nodes = []
        for subject in self._subjects:
            if isinstance(subject, BlankNode) and self._dataset.is_inside(subject, self._graph):
                continue
            nodes.append(self._node(subject, 0))
            while self._waiting:
                nodes.append(self._node(self._waiting.pop(), 0))
        return nodes

    def _node(self, subject: Resource, depth: int) -> Node:
        node: Node = {}
        if depth == 0:
            node["@id"] = _identifier(subject)
        properties = self._subjects[subject]
        types = [type for type in properties.get(RDF.type, ()) if not isinstance(type, Literal)]
        if types:
            node["@type"] = _one_or_list(sorted(self._type(type) for type in types))
        written = (
            predicate for predicate in properties if predicate != RDF.type or len(types) < len(properties[RDF.type])
        )
        for predicate in sorted(written, key=self._reading_order):
            values = [
                self._value(value, depth)
                for value in properties[predicate]
                if predicate != RDF.type or isinstance(value, Literal)
            ]
            node[self._shortener.short(predicate.value)] = _one_or_list(sorted(values, key=_sort_key))
        return node

    def _type(self, cls: Term) -> str:
        return self._shortener.short(cls.value) if isinstance(cls, NamedNode) else _identifier(cls)

    def _reading_order(self, predicate: NamedNode) -> tuple[int, str]:
        rank = _NAMES_FIRST.index(predicate) if predicate in _NAMES_FIRST else len(_NAMES_FIRST)
        return rank, self._shortener.short(predicate.value)

    def _value(self, value: Term, depth: int) -> Any:
        if isinstance(value, Literal):
            return _literal(value, self._shortener)
        if isinstance(value, BlankNode) and self._dataset.is_inside(value, self._graph):
            if depth < _DEEPEST_NESTING:
                items = self._list_items(value)
                if items is not None:
                    return {"@list": [self._value(item, depth + 1) for item in items]}
                return self._node(value, depth + 1)
            self._waiting.append(value)
        if value == RDF.nil:
            return {"@list": []}
        return {"@id": _identifier(value)}

    def _list_items(self, head: BlankNode) -> list[Term] | None:
        """The items of a well-formed RDF list; None for other nodes (RDF Schema 1.1, section 5.2)."""
        items: list[Term] = []
        walked: list[BlankNode] = []
        node: Term = head
        while node != RDF.nil:
            cell = None
            if isinstance(node, BlankNode) and node not in self._no_list and self._dataset.is_inside(node, self._graph):
                cell = self._subjects[node]
                walked.append(node)
            if cell is None or cell.keys() != {RDF.first, RDF.rest}:
                break
            firsts, rests = cell[RDF.first], cell[RDF.rest]
            if len(firsts) != 1 or len(rests) != 1:
                break
            items.append(next(iter(firsts)))
            node = next(iter(rests))
        else:
            return items
        self._no_list.update(walked)
        return None


# --- terms


def _identifier(term: Term) -> str:
    """The identifier of a node. As in the paper's listings, only properties and classes are prefixed."""
    return f"_:{term.value}" if isinstance(term, BlankNode) else term.value


_LARGEST_SAFE_INTEGER = 2**53 - 1
_INTEGER = re.compile(r"0|-?[1-9]\d{0,15}\Z")


def _literal(literal: Literal, shortener: Shortener) -> Any:
    datatype, text = literal.datatype, literal.value
    if datatype == XSD.string:
        return text
    if literal.language is not None:
        value = {"@language": literal.language, "@value": text}
        if literal.direction is not None:
            value["@direction"] = str(literal.direction)
        return value
    if datatype == XSD.boolean and text in ("true", "false"):
        return text == "true"
    if datatype == XSD.integer and _INTEGER.fullmatch(text) and abs(int(text)) <= _LARGEST_SAFE_INTEGER:
        return int(text)
    if datatype == XSD.double and (number := _native_double(text)) is not None:
        return number
    return {"@type": shortener.short(datatype.value), "@value": text}


def _native_double(text: str) -> float | None:
    """The JSON number that JSON-LD converts to this xsd:double, or None.

    JSON-LD converts whole numbers to integers and others to canonical form (JSON-LD 1.1 API, section 8.6). Readers
    differ in the number of digits, so numbers with more than 15 digits give None.
    """
    try:
        number = float(text)
    except ValueError:
        return None
    if number != number or number in (float("inf"), float("-inf")) or number.is_integer():
        return None
    _, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    significant = "".join(map(str, digits))
    canonical = (
        f"{'-' if number < 0 else ''}{significant[0]}.{significant[1:] or '0'}E{int(exponent) + len(significant) - 1}"
    )
    return number if text == canonical and len(significant) <= 15 else None


def _one_or_list(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _sort_key(value: Any) -> tuple[int, float, str]:
    """Numbers by size, then other values by text."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return 0, float(value), ""
    return 1, 0.0, json.dumps(value, sort_keys=True, ensure_ascii=False)
