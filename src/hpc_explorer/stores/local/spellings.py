"""The original spellings of literals, where the engine keeps only their value.

The engine stores numbers, booleans, dates and durations by value: "442010.00" becomes "442010", "01" becomes "1". That
suits queries but not files, so quads with such literals are recorded here and returned in their original spelling,
except in SPARQL results.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from pyoxigraph import RdfFormat, Store, parse, serialize

from hpc_explorer.rdf.datatypes import DERIVED_INTEGERS
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode, Quad

KEPT_AS_THEY_ARE = frozenset({XSD.string, RDF.langString, XSD.anyURI})

KEPT_AS_ANOTHER = DERIVED_INTEGERS | {XSD.dateTimeStamp}
"""The datatypes whose values the engine keeps with another: `xsd:integer`, or `xsd:dateTime` for stamps."""

_PLAIN_INTEGER = re.compile(r"(?:0|-?[1-9]\d{0,17})\Z")

STYLES = "styles.json"
"""The file beside the engine's own that keeps rules of spelling."""

_PLACE = NamedNode("urn:place")


@lru_cache(maxsize=65_536)
def _stored_form(literal: Literal) -> Literal:
    """The literal in the engine's form."""
    scratch = Store()
    scratch.add(Quad(_PLACE, _PLACE, literal))
    (quad,) = scratch
    stored = quad.object
    assert isinstance(stored, Literal)
    return stored


def stored_form(literal: Literal) -> Literal:
    """The literal in the engine's form; most literals are unchanged."""
    datatype = literal.datatype
    if datatype in KEPT_AS_THEY_ARE or (datatype == XSD.integer and _PLAIN_INTEGER.match(literal.value)):
        return literal
    return _stored_form(literal)


def stored_quad(quad: Quad) -> Quad:
    """The quad in the engine's form."""
    literal = quad.object
    if not isinstance(literal, Literal):
        return quad
    stored = stored_form(literal)
    return quad if stored == literal else Quad(quad.subject, quad.predicate, stored, quad.graph_name)


_PADDABLE = re.compile(r"(-?\d+|[-\d]+T\d\d:\d\d:\d\d)(?:\.(\d+))?(Z?)\Z")


def can_be_padded(value: str) -> bool:
    """Whether padding a literal with zeros would preserve its value, judged by its form."""
    return _PADDABLE.match(value) is not None


def padded(value: str, style: int) -> str:
    """The engine's form of a literal in a style.

    >>> padded("0.7", 3), padded("2021-03-01T08:00:00Z", 3), padded("INF", 3)
    ('0.700', '2021-03-01T08:00:00.000Z', 'INF')
    """
    match = _PADDABLE.match(value)
    if match is None or style == 0 or len(match[2] or "") >= style:
        return value
    return f"{match[1]}.{(match[2] or '').ljust(style, '0')}{match[3]}"


class Spellings:
    """The quads of a store whose literals differ from the engine's form.

    Args:
        file: an N-Quads file to keep them in; None for a store in memory.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._styles_file = None if file is None else file.with_name(STYLES)
        self._styles: dict[tuple[GraphName, NamedNode, NamedNode], int] = {}
        if self._styles_file is not None and self._styles_file.exists():
            for graph, predicate, datatype, style in json.loads(self._styles_file.read_text(encoding="utf-8")):
                self._styles[NamedNode(graph), NamedNode(predicate), NamedNode(datatype)] = style
        self._spelled: dict[Quad, dict[Quad, None]] = {}
        self._unsaved = False
        if file is not None and file.exists():
            for quad in parse(path=str(file), format=RdfFormat.N_QUADS):
                literal = quad.object
                stored = stored_form(literal) if isinstance(literal, Literal) else literal
                canonical = Quad(quad.subject, quad.predicate, stored, quad.graph_name)
                self._spelled.setdefault(canonical, {})[quad] = None

    def note(self, quads: Iterable[Quad], is_stored: Callable[[Quad], bool]) -> None:
        """Record the quads that the engine would return differently.

        Args:
            is_stored: whether the engine already had a quad.
        """
        plain: set[Quad] = set()
        noted: list[Quad] = []
        for quad in quads:
            literal = quad.object
            if not isinstance(literal, Literal) or literal.datatype in KEPT_AS_THEY_ARE:
                continue
            stored = stored_form(literal)
            canonical = quad if stored == literal else Quad(quad.subject, quad.predicate, stored, quad.graph_name)
            known = self._spelled.get(canonical)
            if known is None:
                if canonical is quad:
                    plain.add(quad)
                    continue
                # If the engine's own spelling was also stated, both are kept.
                known = self._spelled[canonical] = {}
                if canonical in plain or is_stored(canonical):
                    known[canonical] = None
                    noted.append(canonical)
            if quad not in known:
                known[quad] = None
                noted.append(quad)
        self._append(noted)

    def spelled(self, quad: Quad) -> Iterable[Quad]:
        """The original spellings of a quad: usually itself, rarely several."""
        known = self._spelled.get(quad)
        if known is None and self._styles:
            return (self._in_style(quad),)
        return known or (quad,)

    def _in_style(self, quad: Quad) -> Quad:
        literal = quad.object
        if not isinstance(literal, Literal):
            return quad
        style = self._styles.get((quad.graph_name, quad.predicate, literal.datatype))
        if style is None:
            return quad
        spelled = Literal(padded(literal.value, style), datatype=literal.datatype)
        return Quad(quad.subject, quad.predicate, spelled, quad.graph_name)

    def has_styles(self, graph: GraphName) -> bool:
        """Whether this graph has spelling rules."""
        return any(styled == graph for styled, _, _ in self._styles)

    def set_styles(self, styles: dict[tuple[GraphName, NamedNode, NamedNode], int]) -> None:
        """Set spelling rules by graph, predicate and datatype.

        Record exceptions with `note_all`.
        """
        self._styles |= styles
        self._write_styles()

    def note_all(self, quads: Iterable[Quad]) -> None:
        """Record exceptions to the rules of a graph, including quads in the engine's own form."""
        noted = list(quads)
        for quad in noted:
            literal = quad.object
            assert isinstance(literal, Literal)
            stored = Quad(quad.subject, quad.predicate, stored_form(literal), quad.graph_name)
            self._spelled.setdefault(stored, {})[quad] = None
        self._append(noted)

    def spell_each(self, graph: GraphName, quads: Iterable[Quad]) -> None:
        """Replace the rules of a graph by the spelling of each of its quads, because new literals follow no rule."""
        spelled = [quad for quad in quads if isinstance(quad.object, Literal)]
        self.drop_styles(graph)
        self.note(spelled, lambda quad: False)

    def drop_styles(self, graph: GraphName) -> None:
        """Remove the rules of a graph."""
        self._styles = {key: style for key, style in self._styles.items() if key[0] != graph}
        self._write_styles()

    def _write_styles(self) -> None:
        if self._styles_file is not None:
            rows = [[str(graph)[1:-1], p.value, d.value, style] for (graph, p, d), style in self._styles.items()]
            self._styles_file.write_text(json.dumps(rows), encoding="utf-8")

    def extra(self, graph: GraphName | None = None) -> int:
        """The number of quads beyond the engine's count, in one graph or in all: it counts "1" and "01" as one."""
        return sum(
            len(spelled) - 1 for quad, spelled in self._spelled.items() if graph is None or quad.graph_name == graph
        )

    def __bool__(self) -> bool:
        return bool(self._spelled) or bool(self._styles)

    def replace(self, spelled: Mapping[Quad, Collection[Quad]]) -> None:
        """Replace the spellings of quads; the next `save` writes them.

        Args:
            spelled: all spellings of each stored quad; empty if it is gone.
        """
        for stored, spellings in spelled.items():
            if not spellings or tuple(spellings) == (self._in_style(stored),):
                self._unsaved |= self._spelled.pop(stored, None) is not None
            else:
                self._spelled[stored] = dict.fromkeys(spellings)
                self._unsaved = True

    def save(self) -> None:
        """Write changed spellings to the file."""
        if self._unsaved:
            self._rewrite()
            self._unsaved = False

    def keep_only(self, is_stored: Callable[[Quad], bool]) -> None:
        """Remove the spellings of quads that the engine no longer has."""
        kept = {stored: spelled for stored, spelled in self._spelled.items() if is_stored(stored)}
        if len(kept) < len(self._spelled):
            self._spelled = kept
            self._rewrite()

    def _append(self, quads: list[Quad]) -> None:
        if self._file is None or not quads:
            return
        with open(self._file, "ab") as stream:
            serialize(quads, stream, RdfFormat.N_QUADS)
            stream.flush()
            os.fsync(stream.fileno())

    def _rewrite(self) -> None:
        if self._file is None:
            return
        whole = self._file.with_suffix(".new")
        with open(whole, "wb") as stream:
            serialize((quad for known in self._spelled.values() for quad in known), stream, RdfFormat.N_QUADS)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(whole, self._file)
