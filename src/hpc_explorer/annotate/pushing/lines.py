"""Edit N-Triples and N-Quads, where each statement is a line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from hpc_explorer.annotate.pushing.located import NotInPlaces, newline_of, unescaped
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad

_IRI = r"<([^\x00-\x20<>\"{}|^`]*)>"
_LABEL = r"_:([\w](?:[\w.\-\u00B7\u203F\u2040:]*[\w\-\u00B7\u203F\u2040:])?)"
_LITERAL = rf'"((?:[^"\\\n\r]|\\.)*)"(?:\^\^{_IRI}|@([A-Za-z]+(?:-[A-Za-z0-9]+)*))?'
_LINE = re.compile(
    rf"[ \t]*(?:(?P<statement>(?:{_IRI}|{_LABEL})[ \t]*{_IRI}[ \t]*(?:{_IRI}|{_LABEL}|{_LITERAL})"
    rf"[ \t]*(?:(?:{_IRI}|{_LABEL})[ \t]*)?\.)[ \t]*)?(?:\#[^\n\r]*)?(?P<end>\r?\n|\Z)"
)
_DEFAULT = DefaultGraph()


class Lines:
    """The statements of a text in N-Triples or N-Quads.

    Attributes:
        quads: see `LocatedStatements`.

    Raises:
        NotInPlaces: a line is neither a statement nor a comment.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.quads: list[Quad] = []
        self._spans: list[tuple[int, int]] = []
        for quad, span in _statements(text):
            self.quads.append(quad)
            self._spans.append(span)

    def changed(self, removed: Collection[Quad], added: Sequence[Quad]) -> str:
        """See `LocatedStatements`. An added statement replaces a removed one with the same subject and predicate.

        Others follow the last line about their subject, or are appended.
        """
        text, newline = self._text, newline_of(self._text)
        waiting: dict[object, list[Quad]] = defaultdict(list)
        for quad in dict.fromkeys(added):
            waiting[quad.subject, quad.predicate, quad.graph_name].append(quad)
        going = set(removed)
        replaced: set[Quad] = set()
        edits: list[tuple[int, int, str]] = []
        last_line: dict[object, int] = {}
        for quad, (start, end) in zip(self.quads, self._spans, strict=True):
            last_line[quad.subject, quad.graph_name] = _after_line(text, end)
            if quad not in going:
                continue
            instead = waiting[quad.subject, quad.predicate, quad.graph_name]
            if instead and quad not in replaced:
                replaced.add(quad)
                edits.append((start, end, self._line(instead.pop(0))))
            else:
                edits.append((*_whole_line(text, start, end), ""))
        coming: dict[int, list[str]] = defaultdict(list)
        for quads in waiting.values():
            for quad in quads:
                place = last_line.get((quad.subject, quad.graph_name), len(text))
                coming[place].append(self._line(quad))
        for place, lines in coming.items():
            begun = place > 0 and text[place - 1] != "\n"
            block = newline.join(lines)
            edits.append((place, place, f"{newline}{block}" if begun else f"{block}{newline}"))
        return with_edits(text, edits)

    def _line(self, quad: Quad) -> str:
        graph = "" if quad.graph_name == _DEFAULT else f" {quad.graph_name}"
        return f"{quad.subject} {quad.predicate} {quad.object}{graph} ."


def with_edits(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """A text with non-overlapping parts replaced; insertions at one position keep their order."""
    parts: list[str] = []
    end = 0
    for start, stop, new in sorted(edits, key=lambda edit: edit[:2]):
        parts += (text[end:start], new)
        end = stop
    return "".join((*parts, text[end:]))


def _statements(text: str) -> Iterator[tuple[Quad, tuple[int, int]]]:
    place, number = 0, 0
    while place < len(text):
        number += 1
        line = _LINE.match(text, place)
        if line is None or line.end() == place:
            raise NotInPlaces(f"line {number:,} is not understood")
        place = line.end()
        if line["statement"] is not None:
            yield _quad(line.groups()), line.span("statement")


def _quad(groups: Sequence[str | None]) -> Quad:
    _, s_iri, s_label, predicate, o_iri, o_label, text, datatype, language, g_iri, g_label, _ = groups
    object_: NamedNode | BlankNode | Literal
    if text is not None:
        value = unescaped(text)
        if language is not None:
            object_ = Literal(value, language=language.lower())
        else:
            object_ = Literal(value) if datatype is None else Literal(value, datatype=NamedNode(unescaped(datatype)))
    else:
        object_ = _node(o_iri, o_label)
    graph = _DEFAULT if g_iri is None and g_label is None else _node(g_iri, g_label)
    return Quad(_node(s_iri, s_label), NamedNode(unescaped(predicate or "")), object_, graph)


def _node(iri: str | None, label: str | None) -> NamedNode | BlankNode:
    return BlankNode(label or "") if iri is None else NamedNode(unescaped(iri))


def _after_line(text: str, place: int) -> int:
    """The beginning of the next line."""
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1


def _whole_line(text: str, start: int, end: int) -> tuple[int, int]:
    """The line of a statement, without a trailing comment."""
    after = _after_line(text, end)
    if text[end:after].strip():
        return start, end
    begin = text.rfind("\n", 0, start) + 1
    if after == len(text) and not text.endswith("\n") and begin:
        # The last line had no line end, so the new last line has none either.
        return begin - (2 if text[begin - 2 : begin] == "\r\n" else 1), len(text)
    return begin, after
