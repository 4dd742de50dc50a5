"""What the tab Ask asks of the session: each list by itself, and only the latest answer of its kind counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeVar

from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.query.facets import names_of, prepare_facets, values_as_bins, what_empties
from hpc_explorer.app.query.questions import questions_for
from hpc_explorer.app.query.ranges import asked_values, range_ends
from hpc_explorer.app.query.suggestions import (
    Named,
    class_count,
    may_be_range,
    suggested_classes,
    suggested_matches,
    suggested_properties,
    suggested_values,
)
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.building import Direction, Focused
from hpc_explorer.query.facets.bins import Histogram, ScaleKind
from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
from hpc_explorer.query.facets.value_search import ValueMatch
from hpc_explorer.query.model.places import Place
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.questions.question import Question
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import Count
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge
from hpc_explorer.ui.query.facet_panel import Facet
from hpc_explorer.ui.query.range_facet import RangeChoice
from hpc_explorer.ui.query.relax_panel import Relief
from hpc_explorer.ui.widgets.facet_rows import FacetRow

T = TypeVar("T")


@dataclass(frozen=True)
class Suggested:
    """Some rows of a list, and how many there are in all."""

    rows: tuple[FacetRow, ...]
    total: str
    has_more: bool


@dataclass(frozen=True)
class SuggestedValues(Suggested):
    """Values, and how they are spread where they are numbers, dates or amounts."""

    spread: Histogram | None = None
    choice: RangeChoice | None = None


class AskQuestions:
    """Asks `app.suggesting` for the tab.

    Args:
        jobs: runs the questions.
    """

    def __init__(self, session: Session, jobs: JobsBridge) -> None:
        self._session = session
        self._lists = {facet: Channel(jobs) for facet in Facet}
        self._ready, self._reliefs, self._names, self._prefixes, self._read, self._question = (
            Channel(jobs) for _ in range(6)
        )

    def drop(self) -> None:
        """Wait for no answer any more."""
        self.drop_suggestions()
        for channel in (self._ready, self._reliefs, self._names, self._prefixes, self._read, self._question):
            channel.drop()

    def drop_suggestions(self) -> None:
        """Wait for no suggestions any more."""
        for channel in self._lists.values():
            channel.drop()

    def drop_reliefs(self) -> None:
        """Wait no more for what would help."""
        self._reliefs.drop()

    def prepare(self) -> None:
        """Have ready what the first suggestions would have to wait for."""
        self._ready.ask(
            "Get ready to ask", lambda context: prepare_facets(self._session, limits=context.limits), lambda _: None
        )

    def ask_suggestions(
        self,
        facet: Facet,
        focused: Focused,
        words: str,
        offset: int,
        unit: NamedNode | None,
        done: Callable[[Suggested], None],
        failed: Failed,
    ) -> None:
        """Some rows of a list.

        Args:
            unit: what amounts are to be in; None: what most of them are in.
        """
        session = self._session

        def work(context: JobContext) -> Suggested:
            limits = context.limits
            match facet:
                case Facet.CLASSES:
                    return _rows(suggested_classes(session, focused, words, offset, limits=limits), focused)
                case Facet.PROPERTIES:
                    return _rows(suggested_properties(session, focused, words, offset, limits=limits), focused)
                case Facet.MATCHES:
                    return _rows(suggested_matches(session, focused, words, limits=limits), focused)
            named = suggested_values(session, focused, words, offset, limits=limits)
            values = _rows(named, focused)
            if offset or words or not may_be_range(named):
                return SuggestedValues(values.rows, values.total, values.has_more)
            spread = values_as_bins(session, focused.query, focused.focus, unit=unit, seen=_shown(named), limits=limits)
            choice = range_choice(spread, focused) if spread is not None else None
            return SuggestedValues(values.rows, values.total, values.has_more, spread, choice)

        self._lists[facet].ask(f"Look for {facet.value.lower()}", work, done, failed)

    def ask_reliefs(
        self,
        query: QueryModel,
        words_of: Callable[[Place], str],
        done: Callable[[tuple[Relief, ...]], None],
        failed: Failed,
    ) -> None:
        """What an empty query would give without each of its conditions.

        Args:
            words_of: the condition at a place, as a person reads it.
        """

        def work(context: JobContext) -> tuple[Relief, ...]:
            return tuple(
                Relief(" and ".join(map(words_of, one.places)) or "the condition on the groups", one.count, one.query)
                for one in what_empties(self._session, query, limits=context.limits)
            )

        self._reliefs.ask("Count the rows without each condition", work, done, failed)

    def ask_class_count(self, class_: NamedNode, done: Callable[[Count], None]) -> None:
        """How many things the graph itself says to be of a class or of one below it."""
        self._question.ask(
            "Count the instances", lambda context: class_count(self._session, class_, limits=context.limits), done
        )

    def ask_names(self, terms: Collection[NamedNode], done: Callable[[dict[NamedNode, str]], None]) -> None:
        """What terms are called."""

        def work(context: JobContext) -> dict[NamedNode, str]:
            refs = names_of(self._session, terms, limits=context.limits)
            return {term: ref.label for term, ref in refs.items() if isinstance(term, NamedNode)}

        self._names.ask("Look up names", work, done)

    def ask_prefixes(self, done: Callable[[PrefixMap], None]) -> None:
        """The prefixes of what is open."""
        self._prefixes.ask("Look up prefixes", lambda _: self._session.prefixes, done)

    def ask_read(self, read: Callable[[], T], done: Callable[[T], None]) -> None:
        """What a long text says."""
        self._read.ask("Read the query", lambda _: read(), done)

    def ask_question_text(self, question: Question, done: Callable[[str], None]) -> None:
        """The query of a ready question, in the terms of what is open, with its blanks left open."""

        def work(context: JobContext) -> str:
            (found,) = questions_for(self._session, [question], limits=context.limits)
            variant = found.variants[0] if found.variants else question.variants[0]
            return variant.select.whole

        self._question.ask(f"Read {question.title}", work, done)


def range_choice(spread: Histogram, focused: Focused) -> RangeChoice:
    """What a range can be chosen from, with the one that the query asks for."""
    bins = spread.bins
    least, most = range_ends(focused, spread)
    note = []
    if spread.looked_at is not None:
        note.append(f"Of {spread.looked_at:,} different values; there are more.")
    if spread.others.value:
        note.append(f"{spread.others} more are no such values.")
    return RangeChoice(
        tuple([one.low for one in bins] + [bins[-1].high]),
        tuple(one.count for one in bins),
        is_time=spread.kind is ScaleKind.MOMENTS,
        unit=spread.unit.symbol if spread.unit is not None else "",
        units=tuple(unit.symbol for unit in spread.units),
        least=least,
        most=most,
        note=" ".join(note),
        ends=tuple((_written(one.least), _written(one.most)) for one in bins),
    )


def _written(value: Literal | Decimal | None) -> str:
    if value is None:
        return ""
    return value.value if isinstance(value, Literal) else format(value.normalize(), "f")


def _shown(found: Named) -> list[NamedNode | Literal]:
    return [option.value for option in found.options if isinstance(option, ValueOption)]


def _rows(found: Named, focused: Focused) -> Suggested:
    asked = set(asked_values(focused))
    rows = tuple(_row(option, found.refs, asked) for option in found.options)
    alike = Counter((row.way, row.label) for row in rows)
    rows = tuple(
        replace(row, detail=row.tip.partition("\n")[0]) if alike[row.way, row.label] > 1 and not row.detail else row
        for row in rows
    )
    return Suggested(rows, str(found.total), found.has_more)


def _row(
    option: ClassOption | PropertyOption | ValueOption | ValueMatch,
    refs: Mapping[Resource, ResourceRef],
    asked: Collection[object],
) -> FacetRow:
    count = str(option.count)
    match option:
        case ClassOption():
            ref = refs[option.class_]
            return FacetRow(option, ref.label, count, tip=ref.curie, colour_key=ref.iri)
        case PropertyOption():
            ref = refs[option.property]
            forward = option.direction is Direction.FORWARD
            way = "→" if forward else "←"
            tip = (
                f"{ref.curie}\n{'Has' if forward else 'Is'} “{ref.label}”{'' if forward else ' of something'}: {count}"
            )
            return FacetRow(option, ref.label, count, tip=tip, way=way)
        case ValueMatch():
            way = "→" if option.direction is Direction.FORWARD else "←"
            value = option.value
            told = refs[value].label if isinstance(value, NamedNode) else literal_text(value)
            tip = value.value
            return FacetRow(option, f"{refs[option.property].label}: {told}", count, tip=tip, way=way)
        case ValueOption():
            value = option.value
            if not isinstance(value, Literal):
                ref = refs[value]
                return FacetRow(
                    option, ref.label, count, ref.kind, ref.iri, colour_key=ref.colour_key, is_ticked=value in asked
                )
            language = value.language or ""
            return FacetRow(option, literal_text(value), count, language, value.value, is_ticked=value in asked)
