"""A recipe as text, readable in a terminal and as Markdown."""

from __future__ import annotations

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby

from hpc_explorer.app.lineage.reproducing import Reproduction
from hpc_explorer.lineage.recipe.gaps import checksums_of
from hpc_explorer.lineage.recipe.particulars import Particulars
from hpc_explorer.lineage.recipe.recipe import Parameter, Recipe, Step, Use
from hpc_explorer.lineage.recipe.repeats import Repeats
from hpc_explorer.lineage.trace.trace import LineageEdge
from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.wording import counted

_WIDTH = 100

# Maximum items of one kind in a step; other formats list all.
_MOST_LISTED = 12

# Maximum consecutive steps that differ only in data.
_MOST_ALIKE = 24

# Maximum data, programs or people in the text.
_MOST_THINGS = 200

# Maximum values of one thing; a program's environment may be long.
_MOST_VALUES = 60

_INDENT = "    "


def recipe_text(found: Reproduction) -> str:
    """A reproduction as text with Markdown headings and lists, wrapped at 100 characters."""
    return "\n".join(_Page(found).lines())


def recipe_page(found: Reproduction) -> str:
    """The same as a Markdown file, with text from the graph escaped."""
    return re.sub(r"[\\<\[]", r"\\\g<0>", recipe_text(found)) + "\n"


def time_text(moment: datetime) -> str:
    """A moment in UTC, to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def span_text(started: datetime | None, ended: datetime | None) -> str:
    """A start and end in UTC, with the date once if it is the same; "" if unknown."""
    if started is None or ended is None:
        known = started or ended
        return "" if known is None else f"{'from' if started else 'until'} {time_text(known)} UTC"
    same_day = started.astimezone(UTC).date() == ended.astimezone(UTC).date()
    end = f"{ended.astimezone(UTC):%H:%M:%S}" if same_day else time_text(ended)
    return f"{time_text(started)} to {end} UTC"


def repeats_text(repeats: Repeats, whole: str) -> str:
    """A sentence about repeated activities."""
    order = "in the order of their times" if repeats.by_time else "in the order of their names, as they are undated"
    inner = f", with {repeats.inner:,} activities within" if repeats.inner else ""
    rest = repeats.total - repeats.number
    after = f"; {rest:,} more came after" if rest else ""
    return f"{repeats.number:,} times within {whole}, from {repeats.first} to {repeats.last} ({order}){inner}{after}"


def counted_text(recipe: Recipe) -> str:
    """The number of steps, inputs, programs, machines and people; "" if there are none."""
    found = (
        (len(recipe.steps), "step"),
        (len(recipe.data), "input to begin with"),
        (len(recipe.software), "program"),
        (len(recipe.machines), "machine"),
        (len(recipe.people), "person"),
    )
    return ", ".join(counted(number, noun) for number, noun in found if number)


class _Page:
    def __init__(self, found: Reproduction) -> None:
        self._found, self._recipe = found, found.recipe
        self._data = {use.resource for use in found.recipe.data}
        self._context = _context_of(found.recipe.edges)
        self._number = {step.activity: step.number for step in found.recipe.steps if step.activity is not None}
        self._made_by = {use.resource: step.number for step in reversed(found.recipe.steps) for use in step.outputs}

    def lines(self) -> Iterator[str]:
        start = self._found.start
        yield f"# How to make {start.label} again"
        yield ""
        yield f"{start.kind + '  ' if start.kind else ''}{start.curie}"
        yield from self._summary()
        yield from self._missing()
        for heading, uses in (
            ("Data to begin with", self._recipe.data),
            ("Programs", self._recipe.software),
            ("Machines", self._recipe.machines),
            ("Plans", self._recipe.plans),
            ("People", self._recipe.people),
        ):
            if uses:
                yield from ("", f"## {heading}", "")
                for use in uses[:_MOST_THINGS]:
                    yield from self._thing(use)
                if len(uses) > _MOST_THINGS:
                    yield f"- and {len(uses) - _MOST_THINGS:,} more"
        if self._recipe.steps:
            yield from ("", "## Steps, in order")
            for _, group in groupby(self._recipe.steps, key=self._manner):
                alike = list(group)
                listed = alike if len(alike) <= _MOST_ALIKE else [*alike[: _MOST_ALIKE // 2], alike[-1]]
                for step in listed:
                    if step is alike[-1] and len(listed) < len(alike):
                        yield from ("", f"… {len(alike) - len(listed):,} more like it")
                    yield ""
                    yield from self._step(step)
        yield from self._result()
        yield from self._origins()

    def _summary(self) -> Iterator[str]:
        told = counted_text(self._recipe)
        if told:
            yield told
        if not self._found.gaps:
            yield "Nothing is missing."

    def _missing(self) -> Iterator[str]:
        for heading, needed in (("Missing", True), ("Would help", False)):
            gaps = [gap for gap in self._found.gaps if gap.is_needed is needed]
            if gaps:
                yield from ("", f"## {heading}", "")
                for gap in gaps:
                    yield from _wrapped(f"- {gap.sentence}", "  ")

    def _thing(self, use: Use) -> Iterator[str]:
        about = self._recipe.about[use.resource]
        yield f"- {self._named(use.resource)}{_mark(use.origin)}"
        if about.description:
            yield from _wrapped(f"  {about.description}", "  ")
        yield from self._particulars(about, "  ")
        files = [self._recipe.about[file] for file in about.files if file in self._recipe.about]
        for file in files[:_MOST_LISTED]:
            yield f"  file: {file.name}"
            yield from self._particulars(file, "    ")
        if len(files) > _MOST_LISTED:
            yield f"  and {len(files) - _MOST_LISTED:,} more files"

    def _particulars(self, about: Particulars, indent: str) -> Iterator[str]:
        lines: list[tuple[str, str]] = []
        if about.value is not None:
            lines.append(("at" if about.resource in self._data else "value", about.value))
        if about.version:
            lines.append(("version", about.version))
        lines += [("at", location) for location in about.locations]
        lines += [("checksum", str(checksum)) for checksum in about.checksums]
        if about.size:
            lines.append(("size", about.size))
        local = self._found.files.get(about.resource)
        if local is not None:
            same = {None: "", True: ", its checksum agrees", False: ", its checksum differs"}[local.agrees]
            digest = f", sha256 {local.sha256}" if local.sha256 else ""
            lines.append(("here", f"{local.path}, {local.size:,} bytes{digest}{same}"))
        names = self._found.property_names
        lines += [(names.get(fact.term, fact.name) if fact.term else fact.name, fact.value) for fact in about.facts]
        lines += [(setting.name, setting.value) for setting in about.qualities]
        if about.resource not in self._number and about.resource not in self._data:
            lines += [
                (_CONTEXT.get(relation, relation.value), self._recipe.about[cause].name)
                for relation, cause in self._context.get(about.resource, ())
            ]
        for name, value in lines[:_MOST_VALUES]:
            yield from _wrapped(f"{indent}{name}: {value}", indent + _INDENT)
        if len(lines) > _MOST_VALUES:
            yield f"{indent}and {len(lines) - _MOST_VALUES:,} more values"

    def _manner(self, step: Step) -> tuple[object, ...]:
        """What consecutive steps must share to be summarised by one of them."""
        if step.activity is None:
            return (None,)
        ways = (step.software, step.machines, step.agents, step.plans)
        classes = self._recipe.about[step.activity].classes
        numbers = (len(step.inputs), len(step.outputs))
        return (classes, step.within, numbers, *(frozenset(use.resource for use in uses) for uses in ways))

    def _step(self, step: Step) -> Iterator[str]:
        recipe = self._recipe
        if step.activity is None:
            yield f"{step.number}. (not recorded what was done)"
        else:
            yield f"{step.number}. {self._named(step.activity)}"
            description = recipe.about[step.activity].description
            if description:
                yield from _wrapped(f"{_INDENT}{description}", _INDENT)
        rows: list[tuple[str, str]] = []
        span = span_text(step.started, step.ended)
        if span:
            rows.append(("when", span))
        if step.within is not None:
            rows.append(("within", self._step_name(step.within)))
        rows += self._listed("followed", step.plans)
        rows += self._listed("with", step.software, version=True)
        rows += self._listed("on", step.machines)
        rows += self._listed("by", step.agents)
        rows += self._listed("uses", step.inputs, steps=True)
        rows += [("set", _parameter(parameter)) for parameter in step.parameters[: 3 * _MOST_LISTED]]
        rows += [("environment", f"{one.name} = {one.value}") for one in step.environment]
        rows += [("command", command) for command in step.commands]
        rows += self._listed("makes", step.outputs)
        if step.repeats is not None:
            rows.append(("done", repeats_text(step.repeats, recipe.about[step.repeats.whole].name)))
            rows += [
                ("", f"{one.name}: {one.first} at first, {one.last} at last")
                for one in step.repeats.values
                if one.first != one.last
            ]
        yield from _rows(rows)

    def _listed(
        self, name: str, uses: tuple[Use, ...], *, version: bool = False, steps: bool = False
    ) -> list[tuple[str, str]]:
        rows = []
        for use in uses[:_MOST_LISTED]:
            about = self._recipe.about[use.resource]
            text = about.name
            if version and about.version and about.version not in about.name:
                text += f" {about.version}"
            if steps and use.resource in self._made_by:
                text += f" (step {self._made_by[use.resource]})"
            if use.role and use.role != about.name and name in ("uses", "makes"):
                text += f", as {use.role}"
            if name == "makes" and use.resource != self._recipe.start:
                text = "  ".join((text, *checksums_of(self._recipe, use.resource)))
            rows.append((name, text + _mark(use.origin)))
        if len(uses) > _MOST_LISTED:
            rows.append((name, f"and {len(uses) - _MOST_LISTED:,} more"))
        return rows

    def _step_name(self, activity: Resource) -> str:
        name = self._recipe.about[activity].name
        return f"{name} (step {self._number[activity]})" if activity in self._number else name

    def _result(self) -> Iterator[str]:
        recipe = self._recipe
        about = recipe.about[recipe.start]
        files = [recipe.about[file] for file in about.files if file in recipe.about]
        if not (recipe.expected or files or about.checksums or about.locations):
            return
        yield from ("", "## What should come out", "")
        several = len({parameter.stated_of for parameter in recipe.expected}) > 1
        for parameter in recipe.expected[: 2 * _MOST_LISTED]:
            of = parameter.stated_of
            place = f" ({self._step_name(of)})" if of is not None and of != recipe.start and several else ""
            yield f"- {parameter.name}: {parameter.value}{place}{_mark(parameter.origin)}"
        if len(recipe.expected) > 2 * _MOST_LISTED:
            yield f"- and {len(recipe.expected) - 2 * _MOST_LISTED:,} more measures"
        for known in (about, *files):
            told = [*map(str, known.checksums), *([known.size] if known.size else []), *known.locations]
            if told:
                yield from _wrapped(f"- {known.name}: {', '.join(told)}", "  ")

    def _origins(self) -> Iterator[str]:
        origins = Counter(edge.origin for edge in self._recipe.edges)
        if not origins:
            return
        told = ", ".join(f"{number:,} {origin.value}" for origin, number in origins.most_common())
        yield from ("", "## Where this comes from", "")
        yield from _wrapped(f"{counted(origins.total(), 'link')} ({told}), from {', '.join(self._found.sources)}.", "")

    def _named(self, resource: Resource) -> str:
        ref = self._found.refs.get(resource)
        if ref is None:
            return self._recipe.about[resource].name
        return f"{ref.label}{f' ({ref.kind})' if ref.kind else ''}  {ref.curie}"


_CONTEXT = {Relation.PLANNED: "after", Relation.ASSOCIATED: "for"}


def _context_of(edges: Iterable[LineageEdge]) -> dict[Resource, list[tuple[Relation, Resource]]]:
    """What a program implements, and whom a person acts for."""
    found: dict[Resource, list[tuple[Relation, Resource]]] = defaultdict(list)
    for edge in edges:
        if edge.relation in _CONTEXT:
            found[edge.effect].append((edge.relation, edge.cause))
    return found


def _parameter(parameter: Parameter) -> str:
    return f"{parameter.name} = {parameter.value}{_mark(parameter.origin)}"


def _mark(origin: Origin) -> str:
    """The origin in brackets, except for asserted links."""
    return "" if origin is Origin.ASSERTED else f" ({origin.value})"


def _rows(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Names and values side by side; repeated names are left out."""
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0) + 2
    before = None
    for name, value in rows:
        shown = "" if name == before else name
        before = name
        yield from _wrapped(f"{_INDENT}{shown:<{width}}{value}", _INDENT + " " * width)


def _wrapped(text: str, indent: str) -> list[str]:
    start = text[: len(text) - len(text.lstrip())]
    if len(text.split()) <= 2:
        return [text]
    return textwrap.wrap(
        text.lstrip(),
        _WIDTH,
        initial_indent=start,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [text]
