"""Edit Turtle and TriG in place: values, properties and statements are removed and added, the rest is unchanged.

A new value overwrites a removed value of the same property. Otherwise a removed part loses its comma, semicolon or dot,
and its line if that becomes empty. A new value follows the other values of its property, or the last property of its
subject, or is appended. Comments are kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from hpc_explorer.annotate.pushing.lines import with_edits
from hpc_explorer.annotate.pushing.located import NotInPlaces, newline_of
from hpc_explorer.annotate.pushing.turtle_places import Entry, Node, PropertyList, Statement, TurtleReader
from hpc_explorer.annotate.pushing.turtle_words import Words, property_lists
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Quad, Resource, Term

_Said = dict[NamedNode, list[Term]]
_DEFAULT = DefaultGraph()


class TurtleText:
    """The statements of a text in Turtle or TriG.

    Args:
        base: the base IRI at the start.

    Attributes:
        quads: see `LocatedStatements`.

    Raises:
        NotInPlaces: the text has unsupported syntax.
    """

    def __init__(self, text: str, base: str, *, has_graphs: bool) -> None:
        self._read = TurtleReader(text, base, has_graphs=has_graphs)
        self.quads: list[Quad] = [quad for statement in self._read.statements for quad in statement.quads()]

    def changed(self, removed: Collection[Quad], added: Sequence[Quad]) -> str:
        """See `LocatedStatements`."""
        return _Edits(self._read, set(removed), list(dict.fromkeys(added))).text()


class _Edits:
    """The edits of one change."""

    def __init__(self, read: TurtleReader, going: set[Quad], added: list[Quad]) -> None:
        self._read, self._going = read, going
        self._words = Words(read, added)
        self._gone: list[tuple[int, int]] = []
        self._new: list[tuple[int, int, str]] = []
        self._coming: dict[tuple[GraphName, Resource], _Said] = defaultdict(dict)
        for quad in added:
            if quad.subject not in self._words.in_brackets:
                said = self._coming[quad.graph_name, quad.subject]  # type: ignore[index]  # no quoted subjects
                said.setdefault(quad.predicate, []).append(quad.object)  # type: ignore[arg-type]  # no quoted triples
        self._places: dict[tuple[GraphName, Resource], list[PropertyList]] = defaultdict(list)
        for said_there in property_lists(read):
            self._places[said_there.graph, said_there.subject].append(said_there)

    def text(self) -> str:
        """The edited text.

        Raises:
            NotInPlaces: the edits cannot be made reliably.
        """
        plans = self._plans()
        for statement in self._read.statements:
            self._statement(statement, plans)
        self._begin_statements()
        return with_edits(self._read.text, [*self._new, *((*span, "") for span in self._tidy())])

    # Assignment of additions to positions

    def _plans(self) -> dict[int, _Said]:
        """The additions for each description of a subject; the rest becomes new statements."""
        plans: dict[int, _Said] = {}
        unlinked = {quad.object for quad in self._going}
        for key, said in self._coming.items():
            # Nothing is added inside a value that is removed with its statement.
            places = [one for one in self._places.get(key, ()) if one.bracket is None or one.subject not in unlinked]
            if not places:
                continue
            for verb in list(said):
                place = self._place_for(verb, places)
                if place is not None:
                    plans.setdefault(id(place), {})[verb] = said.pop(verb)
        return plans

    def _place_for(self, verb: NamedNode, places: list[PropertyList]) -> PropertyList | None:
        having = [one for one in places if any(entry.verb == verb for entry in one.entries)]
        losing = [
            one for one in having if any(self._is_going(one, entry) for entry in one.entries if entry.verb == verb)
        ]
        staying = [one for one in places if self._kept(one)]
        for choice in (losing, having, staying, places):
            if choice:
                return choice[-1]
        return None

    def _is_going(self, said: PropertyList, entry: Entry) -> bool:
        return any(said.quad(entry, node) in self._going for node in entry.objects)

    def _kept(self, said: PropertyList) -> list[Entry]:
        return [
            entry for entry in said.entries if any(said.quad(entry, node) not in self._going for node in entry.objects)
        ]

    # A statement

    def _statement(self, statement: Statement, plans: dict[int, _Said]) -> None:
        said = statement.said
        inner = list(statement.subject.quads())
        stays_without = statement.subject.inner is not None and any(quad not in self._going for quad in inner)
        is_empty = not self._kept(said) and id(said) not in plans
        inner_plan = statement.subject.inner is not None and id(statement.subject.inner) in plans
        if is_empty:
            for entry in said.entries:
                for node in entry.objects:
                    self._whole_value_goes(node)
        if is_empty and not stays_without and not inner_plan:
            if any(quad not in self._going for quad in inner):
                raise NotInPlaces("a list would remain on its own")
            if said.entries or inner:
                self._remove(statement.start, statement.end)
            return
        self._node(statement.subject, plans)
        if is_empty and said.entries:
            # The brackets remain as a statement of their own.
            last = said.separators[-1]
            self._remove(said.start, last[1] if last else said.entries[-1].end)
        else:
            self._property_list(said, plans)

    def _node(self, node: Node, plans: dict[int, _Said]) -> None:
        """A node that stays."""
        if any(quad in self._going for quad in node.cells):
            raise NotInPlaces("a list would be changed within")
        for item in node.items:
            self._node(item, plans)
        if node.inner is not None:
            self._property_list(node.inner, plans)

    def _property_list(self, said: PropertyList, plans: dict[int, _Said]) -> None:
        coming = plans.get(id(said), {})
        stays: list[bool] = []
        for entry in said.entries:
            values = coming.pop(entry.verb, [])
            stays.append(bool(self._objects(said, entry, values, plans)))
        text, graph = self._read.text, said.graph
        if not any(stays):
            self._all_entries(said, coming)
            return
        self._remove_some(
            [(entry.start, entry.end) for entry in said.entries], stays, [one and one[1] for one in said.separators]
        )
        if coming:
            last = max(number for number, one in enumerate(stays) if one)
            separator = self._words.entry_separator if said.bracket is None else " ; "
            for one, other in zip(said.entries, said.entries[1:], strict=False):
                between = text[one.end : other.start]
                if "#" not in between:
                    separator = between
            place = said.entries[last].end
            new = "".join(separator + entry for entry in self._words.entries(coming, graph, place))
            self._new.append((place, place, new))

    def _all_entries(self, said: PropertyList, coming: _Said) -> None:
        """Replace a whole description."""
        place = said.entries[0].start if said.entries else said.start
        separator = self._words.entry_separator if said.bracket is None else " ; "
        new = separator.join(self._words.entries(coming, said.graph, place))
        if not said.entries:
            if new and said.bracket is not None:
                self._new.append((*said.bracket, f"[ {new} ]"))
            elif new:
                self._new.append((place, place, f" {new}"))
            return
        last_separator = said.separators[-1]
        self._remove(said.entries[0].start, last_separator[1] if last_separator else said.entries[-1].end)
        if new:
            self._new.append((place, place, new))

    def _objects(self, said: PropertyList, entry: Entry, coming: list[Term], plans: dict[int, _Said]) -> list[bool]:
        """The values of a property; empty if none remains."""
        stays = []
        waiting = list(dict.fromkeys(coming))
        for node in entry.objects:
            if said.quad(entry, node) not in self._going:
                self._node(node, plans)
                stays.append(True)
                continue
            self._whole_value_goes(node)
            stays.append(bool(waiting))
            if waiting:
                self._new.append((node.start, node.end, self._words.term(waiting.pop(0), said.graph, node.start)))
        if not any(stays):
            return []
        self._remove_some([(node.start, node.end) for node in entry.objects], stays, [None] * len(stays))
        if waiting:
            last = max(number for number, one in enumerate(stays) if one)
            place = entry.objects[last].end
            separator = self._words.object_separator
            if len(entry.objects) > 1:
                between = self._read.text[entry.objects[-2].end : entry.objects[-1].start]
                separator = separator if "#" in between else between
            new = "".join(separator + self._words.term(value, said.graph, place) for value in waiting)
            self._new.append((place, place, new))
        return stays

    def _whole_value_goes(self, node: Node) -> None:
        """Check that a removed value in brackets loses all its statements."""
        if any(quad not in self._going for quad in node.quads()):
            raise NotInPlaces("statements inside brackets would remain without their value")

    def _remove_some(
        self, spans: Sequence[tuple[int, int]], stays: Sequence[bool], separator_ends: Sequence[int | None]
    ) -> None:
        """Remove items of a list with their separators.

        Args:
            separator_ends: the end of a possible separator after each item, such as the semicolons of a property.
        """
        number = 0
        while number < len(spans):
            if stays[number]:
                number += 1
                continue
            first = number
            while number < len(spans) and not stays[number]:
                number += 1
            if number < len(spans):
                self._remove(spans[first][0], spans[number][0])
                continue
            end = separator_ends[-1]
            before = separator_ends[first - 1]
            if end is not None and before is not None:
                self._remove(before, end)
            elif before is not None and self._has_comment(before, spans[first][0]):
                self._remove(before, spans[-1][1])
            else:
                self._remove(spans[first - 1][1], spans[-1][1])

    # New statements

    def _begin_statements(self) -> None:
        blocks: dict[GraphName, list[str]] = defaultdict(list)
        for (graph, subject), said in self._coming.items():
            if not said:
                continue
            place = self._place_of(graph)
            name = self._words.term(subject, graph, place)
            entries = self._words.entries(said, graph, place)
            blocks[graph].append(f"{name} {self._words.entry_separator.join(entries)} .")
        newline = newline_of(self._read.text)
        for graph, statements in blocks.items():
            self._write(graph, statements, newline)

    def _place_of(self, graph: GraphName) -> int:
        return next((block.end for block in reversed(self._read.blocks) if block.graph == graph), len(self._read.text))

    def _write(self, graph: GraphName, statements: list[str], newline: str) -> None:
        text = self._read.text
        for block in reversed(self._read.blocks):
            if block.graph == graph:
                last = block.statements[-1] if block.statements else None
                if last is not None and not last.has_dot:
                    self._new.append((last.end, last.end, " ."))
                indent = _indent(text, block.statements[-1].start) if block.statements else "    "
                begin = text.rfind("\n", 0, block.end) + 1
                if last is None or not text[begin : block.end].strip():
                    lines = "".join(f"{indent}{statement}{newline}" for statement in statements)
                    place = block.end if last is None else begin
                    self._new.append((place, place, lines if last is not None else newline + lines))
                else:
                    lines = "".join(f"{newline}{indent}{statement}" for statement in statements)
                    self._new.append((last.end, last.end, lines))
                return
        gap = newline if self._has_gaps() else ""
        block_text = "".join(f"{gap}{statement}{newline}" for statement in statements)
        if graph != _DEFAULT:
            name = self._words.term(graph, graph, len(text))  # type: ignore[arg-type]  # not the default graph
            inside = "".join(f"    {statement}{newline}" for statement in statements)
            block_text = f"{gap}{name} {{{newline}{inside}}}{newline}"
        if text and not text.endswith("\n"):
            block_text = newline + block_text.removesuffix(newline)
        self._new.append((len(text), len(text), block_text))

    def _has_gaps(self) -> bool:
        """Whether an empty line stands between statements."""
        starts = [statement.start for statement in self._read.statements[1:]]
        gaps = sum(self._read.text[:start].rstrip(" \t").endswith(("\n\n", "\n\r\n")) for start in starts[-20:])
        return gaps * 2 >= len(starts[-20:])

    # Removing

    def _remove(self, start: int, end: int) -> None:
        """Remove a range; if it has comments, only the tokens."""
        if not self._has_comment(start, end):
            self._gone.append((start, end))
            return
        self._gone += [
            (token.start, token.end) for token in self._read.tokens if start <= token.start and token.end <= end
        ]

    def _has_comment(self, start: int, end: int) -> bool:
        return any(start <= comment[0] < end for comment in self._read.comments)

    def _tidy(self) -> Iterator[tuple[int, int]]:
        """The removed range, extended by trailing spaces and by lines that become empty."""
        text = self._read.text
        new = {place for start, end, _ in self._new for place in (start, end)}
        joined: list[list[int]] = []
        for start, end in sorted(self._gone):
            if joined and not text[joined[-1][1] : start].strip(" \t") and not _between(new, joined[-1][1], start):
                joined[-1][1] = max(end, joined[-1][1])
            else:
                joined.append([start, end])
        for start, end in joined:
            first, last = start, end
            while first > 0 and text[first - 1] in " \t":
                first -= 1
            while last < len(text) and text[last] in " \t":
                last += 1
            ends_line = last == len(text) or text[last] in "\r\n"
            begins_line = first == 0 or text[first - 1] == "\n"
            if not ends_line or _between(new, first, last):
                yield start, end
            elif not begins_line:
                yield first, end
            else:
                yield first, self._next_line(first, last)

    def _next_line(self, first: int, last: int) -> int:
        """The position after the line end, and after an empty line that would follow another."""
        text = self._read.text
        for number in range(2):
            if number and first and not text[max(0, first - 3) : first].endswith(("\n\n", "\n\r\n")):
                break
            if text.startswith("\r\n", last):
                last += 2
            elif text.startswith("\n", last):
                last += 1
        return last


def _between(places: Collection[int], start: int, end: int) -> bool:
    return any(start <= place <= end for place in places)


def _indent(text: str, place: int) -> str:
    begin = text.rfind("\n", 0, place) + 1
    found = text[begin:place]
    return found if not found.strip() else "    "
