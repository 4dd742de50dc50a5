"""A reproduction as an answer in the window, to be saved as a page, as statements or as a crate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.export.exporting import without_source_graphs
from hpc_explorer.app.lineage.recipe_crate import write_crate
from hpc_explorer.app.lineage.recipe_text import counted_text, recipe_page, repeats_text, span_text
from hpc_explorer.app.lineage.reproducing import Reproduction, reproduce, reproduction_quads
from hpc_explorer.app.results.answer import (
    Answer,
    AnswerDocument,
    AnswerLine,
    AnswerTable,
    AnswerText,
    Cell,
    Section,
)
from hpc_explorer.lineage.recipe.gaps import checksums_of
from hpc_explorer.lineage.recipe.particulars import Particulars
from hpc_explorer.lineage.recipe.recipe import Step, Use
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import JSON_LD
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

_MOST_FACTS = 8
_MOST_NAMED = 6


def recipe_answer(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> Answer:
    """How to make a model, another artefact or a run again; see `reproducing.reproduce`."""
    return answer_of_recipe(session, reproduce(session, resource, limits=limits), limits=limits)


def answer_of_recipe(session: Session, found: Reproduction, *, limits: Limits = NO_LIMITS) -> Answer:
    """A reproduction as an answer."""
    return Answer(
        f"How to make {found.start.label} again",
        tuple(_summary(found)),
        tuple(_notes(found)),
        tuple(section for section in _sections(found) if not _is_empty(section)),
        documents=_documents(session, found, limits),
    )


def _documents(session: Session, found: Reproduction, limits: Limits) -> tuple[AnswerDocument, ...]:
    quads = tuple(without_source_graphs(session, reproduction_quads(session, found, limits=limits)))
    prefixes = dict(session.prefixes)

    def page(path: Path) -> None:
        with atomic_output(path) as stream:
            stream.write(recipe_page(found).encode())

    def statements(path: Path) -> None:
        write_quads(quads, path, JSON_LD, prefixes)

    def crate(path: Path) -> None:
        write_crate(found, path)

    return (
        AnswerDocument(".md", page),
        AnswerDocument(".jsonld", statements),
        AnswerDocument(".zip", crate),
    )


def _summary(found: Reproduction) -> Iterator[str]:
    counted = counted_text(found.recipe)
    if counted:
        yield f"Recorded: {counted}."
    needed = sum(gap.is_needed for gap in found.gaps)
    if needed:
        yield "Some required information is missing; see below."
    elif found.gaps:
        yield "All required information is recorded; more would help."
    else:
        yield "Nothing is missing."


def _notes(found: Reproduction) -> Iterator[str]:
    origins = Counter(edge.origin for edge in found.recipe.edges)
    if origins:
        told = ", ".join(f"{number:,} {origin.value}" for origin, number in origins.most_common())
        yield f"This rests on {origins.total():,} links ({told}), from {', '.join(found.sources)}."


def _sections(found: Reproduction) -> Iterator[Section]:
    recipe = found.recipe
    for title, needed in (("Missing", True), ("Would help", False)):
        yield AnswerText(
            title,
            tuple(
                AnswerLine(gap.sentence, found.refs.get(gap.resources[0]) if len(gap.resources) == 1 else None)
                for gap in found.gaps
                if gap.is_needed is needed
            ),
            listed=True,
        )
    yield _table(
        "Data to begin with",
        (
            Column("Data", CellKind.RESOURCE),
            Column("At"),
            Column("Checksum"),
            Column("Size"),
            Column("Version"),
            Column("More"),
        ),
        [_data_row(found, use) for use in recipe.data],
    )
    yield _table(
        "Programs",
        (Column("Program", CellKind.RESOURCE), Column("Version"), Column("At"), Column("More")),
        [
            (_ref(found, use.resource), about.version, ", ".join(about.locations) or None, _more(found, about))
            for use in recipe.software
            for about in (recipe.about[use.resource],)
        ],
    )
    yield _table(
        "Machines",
        (Column("Machine", CellKind.RESOURCE), Column("Property"), Column("Value")),
        [
            (_ref(found, use.resource), name, value)
            for use in recipe.machines
            for name, value in _facts(found, recipe.about[use.resource]) or [("", "")]
        ],
    )
    for title, column, uses in (("Plans", "Plan", recipe.plans), ("People", "Person", recipe.people)):
        yield _table(
            title,
            (Column(column, CellKind.RESOURCE), Column("Description")),
            [(_ref(found, use.resource), _more(found, recipe.about[use.resource])) for use in uses],
        )
    yield AnswerText("Steps, in order", tuple(line for step in recipe.steps for line in _step(found, step)))
    yield Table(
        (Column("Measure"), Column("Value"), Column("Of", CellKind.RESOURCE)),
        tuple(
            (one.name, one.value, None if one.stated_of is None else _ref(found, one.stated_of))
            for one in recipe.expected
        ),
        "What should come out",
    )


def _table(title: str, columns: tuple[Column, ...], rows: Sequence[tuple[Cell, ...]]) -> AnswerTable:
    """A table without empty columns."""
    kept = [at for at in range(len(columns)) if at == 0 or any(row[at] is not None for row in rows)]
    return Table(tuple(columns[at] for at in kept), tuple(tuple(row[at] for at in kept) for row in rows), title)


def _is_empty(section: Section) -> bool:
    return (isinstance(section, AnswerText) and not section.lines) or (isinstance(section, Table) and not section.rows)


def _ref(found: Reproduction, resource: Resource) -> Cell:
    ref = found.refs.get(resource)
    return found.recipe.about[resource].name if ref is None else ref


def _data_row(found: Reproduction, use: Use) -> tuple[Cell, ...]:
    about = found.recipe.about[use.resource]
    held = [about, *(found.recipe.about[file] for file in about.files if file in found.recipe.about)]
    places = [*(place for one in held for place in one.locations), *([about.value] if about.value else [])]
    sizes = [one.size for one in held if one.size]
    return (
        _ref(found, use.resource),
        ", ".join(dict.fromkeys(places)) or None,
        ", ".join(checksums_of(found.recipe, use.resource)) or None,
        ", ".join(sizes) or None,
        about.version,
        _more(found, about),
    )


def _more(found: Reproduction, about: Particulars) -> str | None:
    """Other facts about a thing, in brief."""
    told = [about.description] if about.description else []
    facts = _facts(found, about)
    told += [f"{name}: {value}" for name, value in facts[:_MOST_FACTS]]
    if len(facts) > _MOST_FACTS:
        told.append(f"and {len(facts) - _MOST_FACTS:,} more")
    return "; ".join(told) or None


def _facts(found: Reproduction, about: Particulars) -> list[tuple[str, str]]:
    names = found.property_names
    told = (
        (names.get(one.term, one.name) if one.term is not None else one.name, one.value)
        for one in (*about.facts, *about.qualities)
    )
    return list(dict.fromkeys(told))  # two properties may share label and value


def _step(found: Reproduction, step: Step) -> Iterator[AnswerLine]:
    about = found.recipe.about
    if step.activity is None:
        yield AnswerLine(f"{step.number}. What was done is not recorded")
    else:
        known = about[step.activity]
        yield AnswerLine(f"{step.number}. {known.name}", found.refs.get(step.activity))
        if known.description:
            yield AnswerLine(known.description, indent=1)
    where = [span_text(step.started, step.ended)] if step.started or step.ended else []
    where += [f"within {about[step.within].name}"] if step.within is not None else []
    setting = [
        f"{word} {_names(found, uses, versions=word == 'with')}"
        for word, uses in (
            ("with", step.software),
            ("on", step.machines),
            ("by", step.agents),
            ("following", step.plans),
        )
        if uses
    ]
    flow = [f"{word} {_names(found, uses)}" for word, uses in (("Uses", step.inputs), ("Makes", step.outputs)) if uses]
    parameters = [f"{one.name} = {one.value}" for one in step.parameters]
    lines = [
        ", ".join((*where, *setting)),
        ". ".join(flow),
        f"Set: {', '.join(parameters)}" if parameters else "",
        *(f"Command: {command}" for command in step.commands),
    ]
    if step.repeats is not None:
        lines.append(f"Done {repeats_text(step.repeats, about[step.repeats.whole].name)}")
        ranges = [f"{one.name} from {one.first} to {one.last}" for one in step.repeats.values if one.first != one.last]
        lines += [", ".join(ranges)] if ranges else []
    for line in lines:
        if line:
            yield AnswerLine(line[:1].upper() + line[1:], indent=1)


def _names(found: Reproduction, uses: tuple[Use, ...], *, versions: bool = False) -> str:
    names = []
    for use in uses[:_MOST_NAMED]:
        about = found.recipe.about[use.resource]
        names.append(
            f"{about.name} {about.version}"
            if versions and about.version and about.version not in about.name
            else about.name
        )
    more = f" and {len(uses) - _MOST_NAMED:,} more" if len(uses) > _MOST_NAMED else ""
    return ", ".join(names) + more
