"""A Turtle and TriG parser that keeps the position of each term, for editing in place.

It supports the whole grammar (Turtle 1.1 section 6.5, TriG 1.1 section 4.3) but not RDF 1.2 (triple terms, annotations,
base directions); such files are not edited in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from hpc_explorer.annotate.pushing.located import NotInPlaces, unescaped
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.sparql_tokens import unescaped_local
from hpc_explorer.rdf.syntax.relative_iris import resolved
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term

_LETTER = r"\w\u00B7\u203F\u2040\-"
_LOCAL_FIRST = r"(?:[\w:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])"
_LOCAL_INNER = rf"(?:[{_LETTER}.:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%])"
_LOCAL_LAST = rf"(?:[{_LETTER}:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%])"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r\n]+)
  | (?P<comment>\#[^\r\n]*)
  | (?P<iri><[^<>"{{}}|^`\x00-\x20]*>)
  | (?P<string>\"{{3}}[^"\\]*+(?:(?:\\.|\"{{1,2}}(?!\"))[^"\\]*+)*\"{{3}}
        | '{{3}}[^'\\]*+(?:(?:\\.|'{{1,2}}(?!'))[^'\\]*+)*'{{3}}
        | "[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*" | '[^'\\\r\n]*+(?:\\.[^'\\\r\n]*+)*')
  | (?P<label>_:\w(?:[{_LETTER}.]*[{_LETTER}])?)
  | (?P<at>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<number>[+-]?(?:\d+\.\d*[eE][+-]?\d+|\.?\d+[eE][+-]?\d+|\d*\.\d+|\d+))
  | (?P<name>(?:[^\W\d_](?:[{_LETTER}.]*[{_LETTER}])?)?:(?:{_LOCAL_FIRST}(?:{_LOCAL_INNER}*{_LOCAL_LAST})?)?)
  | (?P<word>[A-Za-z]+)
  | (?P<sign>\^\^|[{{}}()\[\].,;])
    """,
    re.VERBOSE | re.DOTALL,
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_DEFAULT = DefaultGraph()


class Token(NamedTuple):
    """A token."""

    kind: str
    text: str
    start: int
    end: int


@dataclass
class Node:
    """A subject or object with its position.

    Args:
        inner: the description inside the brackets of a blank node.
        items: the members of a collection.
        cells: the statements of a collection's list nodes.
    """

    term: Term
    start: int
    end: int
    inner: PropertyList | None = None
    items: list[Node] = field(default_factory=list)
    cells: list[Quad] = field(default_factory=list)

    def quads(self) -> Iterator[Quad]:
        """All statements inside it."""
        yield from self.cells
        for item in self.items:
            yield from item.quads()
        if self.inner is not None:
            yield from self.inner.quads()


@dataclass
class Entry:
    """A predicate with its objects."""

    verb: NamedNode
    start: int
    objects: list[Node] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The position after the last object."""
        return self.objects[-1].end


@dataclass
class PropertyList:
    """The predicates and objects of a subject at one position.

    Args:
        separators: the range of semicolons after each entry, or None.
        start: the position for a first entry.
        bracket: the range of the brackets of a blank node; None for a statement.
    """

    subject: Resource
    graph: GraphName
    start: int
    entries: list[Entry] = field(default_factory=list)
    separators: list[tuple[int, int] | None] = field(default_factory=list)
    bracket: tuple[int, int] | None = None

    def quad(self, entry: Entry, node: Node) -> Quad:
        """The statement with an object."""
        return Quad(self.subject, entry.verb, node.term, self.graph)

    def quads(self) -> Iterator[Quad]:
        """All statements at this position."""
        for entry in self.entries:
            for node in entry.objects:
                yield self.quad(entry, node)
                yield from node.quads()


@dataclass
class Statement:
    """A subject with its description and the dot.

    Args:
        end: the position after the dot, or after the last token if TriG allows no dot.
    """

    subject: Node
    said: PropertyList
    start: int
    end: int = 0
    has_dot: bool = True

    def quads(self) -> Iterator[Quad]:
        """All that it states."""
        yield from self.subject.quads()
        yield from self.said.quads()


@dataclass(frozen=True)
class GraphBlock:
    """The braces of a graph in TriG."""

    graph: GraphName
    end: int
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Prefix:
    """A declared prefix, and the end of its declaration."""

    name: str
    namespace: str
    end: int


class TurtleReader:
    """The statements of a text.

    Args:
        base: the base IRI at the start.

    Attributes:
        statements: the statements in order.
        blocks: the graphs in braces.
        prefixes: the declared prefixes.
        comments: the ranges of comments.
        labels: the labels of blank nodes.
        tokens: all tokens, to determine the style of the text.

    Raises:
        NotInPlaces: the text has unsupported syntax.
    """

    def __init__(self, text: str, base: str, *, has_graphs: bool) -> None:
        self.text = text
        self.statements: list[Statement] = []
        self.blocks: list[GraphBlock] = []
        self.prefixes: list[Prefix] = []
        self.comments: list[tuple[int, int]] = []
        self.labels: set[str] = set()
        self.tokens: list[Token] = list(self._cut())
        self._base = base
        self._namespaces: dict[str, str] = {}
        self._has_graphs = has_graphs
        self._graph: GraphName = _DEFAULT
        self._next = 0
        self._number = 0
        try:
            while self._next < len(self.tokens):
                self._item()
        except RecursionError:
            raise NotInPlaces("it is nested too deep") from None
        except ValueError as error:
            raise NotInPlaces(str(error)) from None

    # Tokens

    def _cut(self) -> Iterator[Token]:
        place = 0
        while place < len(self.text):
            found = _TOKEN.match(self.text, place)
            if found is None:
                raise self._strange(place)
            place = found.end()
            kind = found.lastgroup or ""
            if kind == "comment":
                self.comments.append(found.span())
            elif kind != "space":
                yield Token(kind, found[0], *found.span())

    def _strange(self, place: int) -> NotInPlaces:
        return NotInPlaces(f"line {self.text.count(chr(10), 0, place) + 1:,} is not understood")

    def _look(self) -> Token:
        if self._next >= len(self.tokens):
            raise self._strange(len(self.text))
        return self.tokens[self._next]

    def _take(self, *texts: str) -> Token:
        token = self._look()
        if texts and token.text not in texts:
            raise self._strange(token.start)
        self._next += 1
        return token

    def _is(self, *texts: str) -> bool:
        return self._next < len(self.tokens) and self.tokens[self._next].text in texts

    # Directives, statements, graphs

    def _item(self) -> None:
        token = self._look()
        keyword = token.text.upper()
        if token.kind == "at" and token.text in ("@prefix", "@base"):
            self._directive(token.text[1:], dotted=True)
        elif token.kind == "word" and keyword in ("PREFIX", "BASE"):
            self._directive(keyword.lower(), dotted=False)
        elif self._has_graphs and token.text == "{":
            self._block(_DEFAULT)
        elif self._has_graphs and token.kind == "word" and keyword == "GRAPH":
            self._take()
            self._block(self._label())
        else:
            start = self._next
            if self._has_graphs and token.kind in ("iri", "name", "label"):
                label = self._label()
                if self._is("{"):
                    self._block(label)
                    return
                self._next = start
            self._statement(in_block=False)

    def _directive(self, kind: str, *, dotted: bool) -> None:
        self._take()
        if kind == "prefix":
            name = self._take()
            if name.kind != "name" or not name.text.endswith(":"):
                raise self._strange(name.start)
        iri = self._take()
        if iri.kind != "iri":
            raise self._strange(iri.start)
        value = self._resolved(iri.text)
        end = self._take(".").end if dotted else iri.end
        if kind == "base":
            self._base = value
        else:
            self._namespaces[name.text[:-1]] = value
            self.prefixes.append(Prefix(name.text[:-1], value, end))

    def _label(self) -> GraphName:
        token = self._take()
        if token.text == "[":
            self._take("]")
            return self._new()
        return self._resource(token)

    def _block(self, graph: GraphName) -> None:
        self._take("{")
        self._graph = graph
        first = len(self.statements)
        while not self._is("}"):
            self._statement(in_block=True)
        end = self._take("}").start
        self.blocks.append(GraphBlock(graph, end, tuple(self.statements[first:])))
        self._graph = _DEFAULT

    def _statement(self, *, in_block: bool) -> None:
        start = self._look().start
        subject = self._node(is_object=False)
        said = PropertyList(subject.term, self._graph, subject.end)  # type: ignore[arg-type]  # no literal
        statement = Statement(subject, said, start)
        # A blank node in brackets may be a statement by itself.
        if not (subject.inner is not None and subject.inner.entries and self._is(".", "}")):
            self._entries(said)
        statement.has_dot = not in_block or self._is(".")
        statement.end = self._take(".").end if statement.has_dot else self.tokens[self._next - 1].end
        self.statements.append(statement)

    def _entries(self, said: PropertyList) -> None:
        while True:
            token = self._take()
            verb = RDF.type if token.text == "a" else self._resource(token)
            if not isinstance(verb, NamedNode):
                raise self._strange(token.start)
            entry = Entry(verb, token.start)
            said.entries.append(entry)
            entry.objects.append(self._node(is_object=True))
            while self._is(","):
                self._take()
                entry.objects.append(self._node(is_object=True))
            if not self._is(";"):
                said.separators.append(None)
                return
            begin = self._look().start
            while self._is(";"):
                end = self._take().end
            said.separators.append((begin, end))
            if self._is(".", "]", "}"):
                return

    # Terms

    def _node(self, *, is_object: bool) -> Node:
        token = self._take()
        if token.text == "[" and token.kind == "sign":
            return self._bracketed(token)
        if token.text == "(" and token.kind == "sign":
            return self._collection(token)
        if is_object and token.kind in ("string", "number", "word"):
            literal = self._literal(token)
            return Node(literal, token.start, self.tokens[self._next - 1].end)
        return Node(self._resource(token), token.start, token.end)

    def _bracketed(self, token: Token) -> Node:
        node = self._new()
        inner = PropertyList(node, self._graph, token.end)
        if not self._is("]"):
            self._entries(inner)
        end = self._take("]").end
        inner.bracket = (token.start, end)
        return Node(node, token.start, end, inner)

    def _collection(self, token: Token) -> Node:
        items = []
        while not self._is(")"):
            items.append(self._node(is_object=True))
        end = self._take(")").end
        cells: list[Resource] = [*(self._new() for _ in items), RDF.nil]
        quads = []
        for item, cell, rest in zip(items, cells, cells[1:], strict=False):
            quads.append(Quad(cell, RDF.first, item.term, self._graph))
            quads.append(Quad(cell, RDF.rest, rest, self._graph))
        return Node(cells[0], token.start, end, None, items, quads)

    def _new(self) -> BlankNode:
        # No label in a text has this form.
        self._number += 1
        return BlankNode(f"place-{self._number}-{len(self.text)}")

    def _resource(self, token: Token) -> Resource:
        if token.kind == "iri":
            return NamedNode(self._resolved(token.text))
        if token.kind == "label":
            self.labels.add(token.text[2:])
            return BlankNode(token.text[2:])
        if token.kind == "name":
            prefix, _, local = token.text.partition(":")
            if prefix in self._namespaces:
                return NamedNode(self._namespaces[prefix] + unescaped_local(local))
        raise self._strange(token.start)

    def _resolved(self, text: str) -> str:
        reference = unescaped(text[1:-1])
        if _SCHEME.match(reference) and "/." not in reference:
            return reference
        return _whole(reference, self._base)

    def _literal(self, token: Token) -> Literal:
        if token.kind == "number":
            if "e" in token.text.lower():
                return Literal(token.text, datatype=XSD.double)
            return Literal(token.text, datatype=XSD.decimal if "." in token.text else XSD.integer)
        if token.kind == "word":
            if token.text not in ("true", "false"):
                raise self._strange(token.start)
            return Literal(token.text, datatype=XSD.boolean)
        width = 3 if token.text[:3] in ('"""', "'''") else 1
        value = unescaped(token.text[width:-width])
        if self._is("^^"):
            self._take()
            datatype = self._resource(self._take())
            assert isinstance(datatype, NamedNode)
            return Literal(value, datatype=datatype)
        if self._next < len(self.tokens) and self.tokens[self._next].kind == "at":
            return Literal(value, language=self._take().text[1:].lower())
        return Literal(value)


@lru_cache(maxsize=4096)
def _whole(reference: str, base: str) -> str:
    return resolved(reference, base).value
