"""The visible part of a lineage in phases: rows in columns, their facts, and the links between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.lineage.phase_views import (
    MEMBER,
    FoldedLineage,
    NamedValue,
    PhaseLink,
    PhaseRow,
    PhaseView,
    sections_key,
)
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.lineage.phases.divergence import first_divergence, should_fall
from hpc_explorer.lineage.phases.phases import Phase
from hpc_explorer.lineage.phases.section_facts import SectionKind, Sections, ValueFacts
from hpc_explorer.lineage.phases.sections import Fold, FoldRow, Level, activities_in, paged, shown, visible_keys, walk
from hpc_explorer.lineage.trace.trace import LineageEdge
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.wording import counted, plural

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

OPENED_UP_TO = 400
"""Maximum sections that open as cards, a page at a time; more are plotted."""
LARGEST_SERIES = 20_000
"""Maximum numbers checked for divergence on a card; the plot checks more."""
DEPTHS = (1, 2)


def phase_view(
    session: Session,
    lineage: FoldedLineage,
    is_open: AbstractSet[str] = frozenset(),
    *,
    with_facts: bool = True,
    limits: Limits = NO_LIMITS,
) -> PhaseView:
    """The visible part of a folded lineage.

    Args:
        is_open: the keys of open parts.
        with_facts: query the number and values of sections; otherwise only known facts are used.
    """
    viewing = _Viewing(session, lineage, frozenset(is_open), with_facts, limits)
    columns = tuple(viewing.column(phase) for phase in lineage.folds)
    rows = [row for column in viewing.shown for row in column]
    guessed = sum(1 for placed in lineage.placed.values() if placed.guessed)
    return PhaseView(lineage, columns, _links(lineage, rows), frozenset(is_open), guessed)


def _links(lineage: FoldedLineage, rows: Iterable[FoldRow]) -> tuple[PhaseLink, ...]:
    keys = visible_keys(rows)
    # Links matched by value are kept apart from stated ones.
    found: dict[tuple[str, str, bool], list[LineageEdge]] = defaultdict(list)
    for edge in lineage.edges:
        effect, cause = keys.get(edge.effect), keys.get(edge.cause)
        if effect is not None and cause is not None and effect != cause:
            found[effect, cause, edge.origin is Origin.MATCHED].append(edge)
    return tuple(
        PhaseLink(
            effect,
            cause,
            tuple(dict.fromkeys(edge.relation for edge in edges)),
            Origin.ASSERTED if any(edge.origin is Origin.ASSERTED for edge in edges) else edges[0].origin,
            len(edges),
        )
        for (effect, cause, _), edges in found.items()
    )


class _Viewing:
    """One view of a folded lineage."""

    def __init__(
        self, session: Session, lineage: FoldedLineage, is_open: frozenset[str], with_facts: bool, limits: Limits
    ) -> None:
        self._session, self._of, self._open, self._limits = session, lineage, is_open, limits
        self._with_facts = with_facts
        self.shown = [shown((phase,), is_open, lineage.landmarks) for phase in lineage.folds]
        every = [row for column in self.shown for row in column]
        activities = {
            row.fold.resource for row in every if row.fold.level is Level.ACTIVITY and _is_named(row.fold.resource)
        }
        stages = {stage for some in lineage.stages.values() for stage in some}
        if with_facts:
            named = {one for one in activities | stages if isinstance(one, NamedNode)}
            self._count(named)
            # One query for all cards.
            self._values([one for activity in named for one in self._below(activity)])

    def _count(self, activities: Collection[NamedNode]) -> None:
        """Query the unknown sections of activities, one depth at a time."""
        for depth in DEPTHS:
            new = [one for one in activities if (one, depth) not in self._of.counted]
            found = self._of.facts.sections(new, depth, limits=self._limits) if new else {}
            for one in new:
                self._of.counted[one, depth] = found.get(one, ())
            # The stages of a workflow count their own sections.
            activities = [one for one in activities if self._of.counted[one, depth] and one not in self._of.workflows]
        kinds = [one.kind for (_, _), some in self._of.counted.items() for one in some]
        self._name(kinds)

    def _name(self, kinds: Iterable[SectionKind]) -> None:
        new = {term for kind in kinds for term in (kind.plan, kind.cls) if term is not None} - self._of.names.keys()
        if new:
            refs = references(self._session, list(new), limits=self._limits)
            schema = self._session.schema(limits=self._limits)
            for term in new:
                is_class = term in schema.classes
                self._of.names[term] = schema.class_label(term) if is_class else refs[term].label

    def column(self, phase: Fold) -> tuple[PhaseRow, ...]:
        at = self._of.folds.index(phase)
        rows: list[PhaseRow] = []
        waiting: list[tuple[int, NamedNode]] = []
        for row in self.shown[at]:
            # The sections of an open activity follow its other content.
            while waiting and row.indent <= waiting[-1][0]:
                rows += self._sections_in(*waiting.pop())
            rows.append(self._row(row))
            fold = row.fold
            if fold.level is Level.ACTIVITY and fold.key in self._open and isinstance(fold.resource, NamedNode):
                waiting.append((row.indent, fold.resource))
        while waiting:
            rows += self._sections_in(*waiting.pop())
        return tuple(rows)

    def _row(self, row: FoldRow) -> PhaseRow:
        fold = row.fold
        ref = self._of.refs[fold.resource] if fold.resource is not None else None
        placed = self._of.placed.get(fold.resource) if fold.resource is not None else None
        began, ended = self._span(fold)
        base = PhaseRow(
            fold.key,
            fold.level,
            row.indent,
            _title(fold, ref),
            opens=bool(fold.inside),
            is_open=row.is_open,
            began=began,
            ended=ended,
            ref=ref,
            look=self._look(fold),
            why=placed.why if placed is not None else "",
            phase=fold.phase,
        )
        if fold.level is Level.PHASE:
            below = [one for stage in self._of.stages[fold.phase] for one in self._below(stage)]
            activities = sum(1 for one in walk(fold.inside) if one.level is Level.ACTIVITY)
            counts = self._counts(below) or (counted(activities, "activity"),)
            unknown = any((stage, 1) not in self._of.counted for stage in self._of.stages[fold.phase])
            learns = fold.phase is Phase.LEARNING  # usually has sections
            return replace(base, counts=counts, values=None if unknown and learns else self._values(below))
        if fold.level is Level.ACTIVITY and isinstance(fold.resource, NamedNode):
            below = self._below(fold.resource)
            opens = base.opens or bool(below)
            is_open = opens and fold.key in self._open
            return replace(base, counts=self._counts(below), values=self._values(below), opens=opens, is_open=is_open)
        return base

    def _look(self, fold: Fold) -> str:
        if fold.level is Level.SETTING:
            return "agent"
        one = fold.resource or next(
            (resource for resource in self._of.lineage.nodes if resource in fold.resources), None
        )
        return self._of.refs[one].colour_key if one is not None else ""

    def _below(self, activity: NamedNode) -> list[Sections]:
        """The sections of an activity; for a workflow only its stages, which count their own sections."""
        depths = DEPTHS[:1] if activity in self._of.workflows else DEPTHS
        return [one for depth in depths for one in self._of.counted.get((activity, depth), ())]

    def _counts(self, sections: Iterable[Sections]) -> tuple[str, ...]:
        totals: dict[str, int] = defaultdict(int)
        for one in sections:
            totals[self.name(one.kind)] += one.count
        return tuple(counted(number, name) for name, number in totals.items())

    def name(self, kind: SectionKind) -> str:
        """The name of a kind of sections: "epoch", "validation section"."""
        term = kind.plan or kind.cls
        words = self._of.names.get(term, "section") if term is not None else "section"
        words = words.removesuffix(" execution").removesuffix(" Execution")
        return words if words[:2].isupper() else words[:1].lower() + words[1:]

    def _span(self, fold: Fold) -> tuple[datetime | None, datetime | None]:
        """The start and end of a part: of an activity as recorded, of a phase from its activities.

        Sections count only where cards count them, so the times do not depend on what else is open.
        """
        if fold.level not in (Level.ACTIVITY, Level.PHASE):
            return None, None
        own = self._of.times.get(fold.resource) if fold.resource is not None else None
        if own is not None and own.born is not None:
            return own.born, own.ended
        known = [
            self._of.times[one.resource]
            for one in walk((fold,))
            if one.level is Level.ACTIVITY and one.resource is not None and one.resource in self._of.times
        ]
        activities = {*self._of.stages[fold.phase], fold.resource} & fold.resources
        below = [one for activity in activities if isinstance(activity, NamedNode) for one in self._below(activity)]
        begins = [*(one.born for one in known), *(one.started for one in below)]
        ends = [*(one.ended for one in known), *(one.ended for one in below)]
        return (
            min((one for one in begins if one is not None), default=None),
            max((one for one in ends if one is not None), default=None),
        )

    def _values(self, sections: Iterable[Sections]) -> tuple[NamedValue, ...] | None:
        """The numbers of sections, deepest level first; None if not queried."""
        wanted = sorted(sections, key=lambda one: -one.depth)
        new = [one for one in wanted if one not in self._of.summed]
        if new and not self._with_facts:
            return None
        if new:
            found = self._of.facts.values(new, limits=self._limits)
            self._name([value.kind for some in found.values() for value in some])
            for one in new:
                self._of.summed[one] = tuple(self._named(one, value) for value in found.get(one, ()))
        return tuple(value for one in wanted for value in self._of.summed[one])

    def _named(self, sections: Sections, value: ValueFacts) -> NamedValue:
        name = self.name(value.kind)
        may_fail = value.not_finite or should_fall(name)
        if not may_fail or value.count > LARGEST_SERIES:
            return NamedValue(name, value, looked=not may_fail)
        series = self._of.facts.series(sections, value.kind, limits=self._limits)
        found = first_divergence(series.numbers, should_fall=should_fall(name))
        return NamedValue(name, value, found, looked=series.complete)

    def _sections_in(self, indent: int, activity: NamedNode) -> list[PhaseRow]:
        """The groups of sections of an open activity, with their open content."""
        rows: list[PhaseRow] = []
        known = [one.resource for one in self._lineage_sections(activity)]
        for one in self._below(activity):
            if one.depth == 1 and one.count <= len(known) and all(m in known for m in self._members(one)):
                continue  # all are in the lineage and visible
            rows += self._group(one, indent + 1)
        return rows

    def _lineage_sections(self, activity: NamedNode) -> list[Fold]:
        fold = next(one for one in walk(self._of.folds) if one.resource == activity)
        return [*activities_in(fold.inside)]

    def _group(self, sections: Sections, indent: int) -> list[PhaseRow]:
        key = sections_key(sections)
        values = self._values([sections])
        plots = sections.count > OPENED_UP_TO
        row = PhaseRow(
            key,
            Level.GROUP,
            indent,
            counted(sections.count, self.name(sections.kind)),
            began=sections.started,
            ended=sections.ended,
            values=values,
            opens=not plots,
            plots=plots,
            is_open=not plots and key in self._open,
            sections=sections,
            look="experiment",
        )
        return [row, *self._members_in(sections, indent + 1)] if row.is_open else [row]

    def _members(self, sections: Sections) -> tuple[NamedNode, ...]:
        if sections not in self._of.in_order:
            self._of.in_order[sections] = self._of.facts.members(sections, limits=self._limits)
        return self._of.in_order[sections]

    def _members_in(self, sections: Sections, indent: int) -> list[PhaseRow]:
        members = self._members(sections)
        name = self.name(sections.kind)
        folds = paged(
            [Fold(f"{MEMBER}{one.value}", Level.ACTIVITY, one, kind=name) for one in members], sections_key(sections)
        )
        rows: list[PhaseRow] = []
        visible = shown(folds, self._open, frozenset())
        single = [row.fold.resource for row in visible if isinstance(row.fold.resource, NamedNode)]
        refs = references(self._session, single, limits=self._limits)
        if self._with_facts:
            self._count(single)
        for row in visible:
            resource = row.fold.resource
            if not isinstance(resource, NamedNode):
                rows.append(
                    PhaseRow(
                        row.fold.key,
                        Level.GROUP,
                        indent + row.indent,
                        _title(row.fold, None),
                        opens=True,
                        is_open=row.is_open,
                        look="experiment",
                    )
                )
                continue
            below = self._below(resource)
            is_open = bool(below) and row.fold.key in self._open
            rows.append(
                PhaseRow(
                    row.fold.key,
                    Level.ACTIVITY,
                    indent + row.indent,
                    refs[resource].label,
                    counts=self._counts(below),
                    opens=bool(below),
                    is_open=is_open,
                    ref=refs[resource],
                    look=refs[resource].colour_key,
                )
            )
            if is_open:
                for one in below:
                    rows += self._group(one, indent + row.indent + 1)
        return rows


def _is_named(resource: Resource | None) -> bool:
    return isinstance(resource, NamedNode)


def _title(fold: Fold, ref: ResourceRef | None) -> str:
    if ref is not None:
        return ref.label
    if fold.level is Level.PHASE:
        return fold.phase.value
    number = len(fold.resources)
    if fold.level is Level.SETTING:
        return f"{number:,} people, programs and plans" if number != 1 else "1 person, program or plan"
    kind = fold.kind or "thing"
    kind = kind if kind[:2].isupper() else kind[:1].lower() + kind[1:]
    return f"{plural(kind).capitalize()} {fold.span[0]:,} to {fold.span[1]:,}" if fold.span else counted(number, kind)
