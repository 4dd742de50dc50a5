"""Walks at random through the steps of building a query, as a person would click who reads nothing.

Each step takes something that the facets offer, or changes or removes a part. What the facets said before the step is
compared with what another engine's plain query says after it: this knows nothing of how facets are asked.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyoxigraph

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building import (
    Direction,
    FocusedQuery,
    Mode,
    main_variable,
    new_query,
    turned,
    with_aggregate,
    with_alternative,
    with_class,
    with_limit,
    with_mode,
    with_order,
    with_property,
    with_property_value,
    with_quantity,
    with_range,
    with_repeated,
    with_values,
    without,
    without_aggregates,
)
from hpc_explorer.query.building.connections import bound_variables
from hpc_explorer.query.facets.bins import Histogram, ScaleKind
from hpc_explorer.query.facets.histogram import histogram
from hpc_explorer.query.facets.options import Page
from hpc_explorer.query.facets.relaxing import relaxations
from hpc_explorer.query.facets.suggestions import (
    class_options,
    focus_count,
    property_options,
    solution_count,
    value_options,
)
from hpc_explorer.query.facets.value_search import value_matches
from hpc_explorer.query.model.patterns import Statement
from hpc_explorer.query.model.places import Place, places
from hpc_explorer.query.model.query import AggregateFunction, Duplicates, QueryModel
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.terms import Literal, Quad, Variable
from hpc_explorer.stores.base import Count, CountKind, Store

LONGEST = 14
"""After so many steps a walk begins anew, as a person's query ends."""

_MOST_ROWS = 3_000
"""A query with more rows than this is left: the next step goes back."""

Bound = Mapping[str, Any]


class Plain:
    """Answers queries by the engine alone, over the union of the graphs."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._store = pyoxigraph.Store()
        self._store.extend(quads)

    def rows(self, query: QueryModel, columns: tuple[Variable, ...], most: int | None = None) -> list[tuple[Any, ...]]:
        """The different bindings of some variables, without those that have none for the last one."""
        asked = replace(
            query,
            columns=tuple(dict.fromkeys(columns)),
            duplicates=Duplicates.DISTINCT,
            group_by=(),
            having=(),
            order_by=(),
            limit=most,
            offset=None,
        )
        found = self._store.query(sparql_text(asked), use_default_graph_as_union=True)
        return [row for row in (tuple(one) for one in found) if row[-1] is not None]

    def number_of_rows(self, query: QueryModel, most: int) -> int:
        """How many rows a query has, counted no further than one more than `most`."""
        number = 0
        for _ in self._store.query(sparql_text(query), use_default_graph_as_union=True):
            number += 1
            if number > most:
                break
        return number


@dataclass
class Walk:
    """One seeded walk over one graph.

    Args:
        store: what the facets are asked of.
        plain: the same quads.
        check: called with each query that was reached.

    Attributes:
        taken: how often each kind of step was made.
        counts: how many exact counts were compared.
        empty: how many empty answers were announced.
    """

    store: Store
    plain: Plain
    seed: int
    check: Callable[[QueryModel], None] = lambda query: None
    taken: Counter[str] = field(default_factory=Counter)
    counts: int = 0
    empty: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._way: list[FocusedQuery] = [new_query(None)]
        self._words: list[str] = []

    @property
    def state(self) -> FocusedQuery:
        """Where the walk is."""
        return self._way[-1]

    def go(self, steps: int) -> None:
        """Make so many steps."""
        kinds, weights = zip(*_KINDS.items(), strict=True)
        made = 0
        while made < steps:
            if len(self._way) > LONGEST:
                self._way, self._words = [new_query(None)], []
            (kind,) = self._random.choices(kinds, weights)
            if not self.state.query.where.elements:
                kind = self._random.choice(("begin", "begin", "begin", "property"))
            self._words.append(kind)
            before = self.state
            try:
                getattr(self, f"_{kind}")()
            except WrongParameter as error:
                assert error.what
                self._words[-1] = f"{kind} refused"
            except Exception as error:
                raise AssertionError(self._told(kind)) from error
            if self.state is not before:
                made += 1
                self.taken[kind] += 1
            else:
                self._words.pop()

    def _told(self, why: str) -> str:
        return f"seed {self.seed}, {why}, after {', '.join(self._words)}\n{sparql_text(self.state.query)}"

    # Options

    def _begin(self) -> None:
        page = class_options(self.store, QueryModel(), Variable("thing"))
        option = self._one_of(page)
        if option is not None:
            self._to(new_query(option.class_, name="thing"), option.count, (Variable("thing"),))

    def _class(self) -> None:
        query, focus = self._now()
        option = self._one_of(class_options(self.store, query, focus))
        if option is not None:
            self._to(with_class(self.state, option.class_), option.count, (focus,))

    def _property(self) -> None:
        query, focus = self._now()
        direction = self._random.choice(list(Direction))
        option = self._one_of(property_options(self.store, query, focus, direction))
        if option is None:
            return
        mode = self._random.choice((Mode.REQUIRED, Mode.REQUIRED, Mode.REQUIRED, Mode.OPTIONAL, Mode.ABSENT))
        after = with_property(
            self.state, option.property, direction, mode=mode, name=re.split("[/#:]", option.property.value)[-1],
            moves=self._random.random() < 0.6,
        )  # fmt: skip
        if mode is Mode.REQUIRED:
            self._to(after, option.count, (focus,))
        elif mode is Mode.OPTIONAL:
            self._to(after, focus_count(self.store, query, focus), (focus,))
        else:
            whole = focus_count(self.store, query, focus)
            if whole.kind is CountKind.EXACT is option.count.kind:
                self._to(after, Count(whole.value - option.count.value), (focus,))

    def _value(self) -> None:
        query, focus = self._now()
        option = self._one_of(value_options(self.store, query, focus))
        if option is None:
            return
        main = main_variable(query)
        pair = (focus,) if main is None else (main, focus)
        after = with_values(self.state, (option.value,))
        self._to(after, option.count, pair, only=option.value)

    def _bin(self) -> None:
        query, focus = self._now()
        found = histogram(self.store, query, focus)
        if found is None:
            return
        bins = [one for one in found.bins if one.count]
        one = self._random.choice(bins)
        self._check_sum(found)
        main = main_variable(query)
        pair = (focus,) if main is None else (main, focus)
        if found.kind is ScaleKind.QUANTITIES:
            assert found.unit is not None
            assert found.unit.iri is not None
            self._to(with_quantity(self.state, found.unit.iri, one.least, one.most), Count(1, CountKind.AT_LEAST), pair)  # type: ignore[arg-type]
        else:
            exact = CountKind.EXACT if found.looked_at is None else CountKind.AT_LEAST
            self._to(with_range(self.state, one.least, one.most), Count(one.count, exact), pair)  # type: ignore[arg-type]

    def _check_sum(self, found: Histogram) -> None:
        if found.total.kind is CountKind.EXACT:
            assert sum(one.count for one in found.bins) == found.total.value

    def _match(self) -> None:
        query, focus = self._now()
        text = self._some_text(focus)
        found = value_matches(self.store, query, focus, text)
        if found:
            one = self._random.choice(found)
            after = with_property_value(self.state, one.property, one.direction, one.value, name="match")
            self._to(after, one.count, (focus,))

    def _some_text(self, focus: Variable) -> str:
        direction = Direction.FORWARD
        option = self._one_of(property_options(self.store, self.state.query, focus, direction))
        if option is None:
            return "a"
        moved = with_property(self.state, option.property, direction, name="other")
        value = self._one_of(value_options(self.store, moved.query, moved.focus, limit=10))
        return value.value.value[:6] if value is not None and isinstance(value.value, Literal) else "a"

    # Changes that can leave nothing

    def _focus(self) -> None:
        others = sorted(bound_variables(self.state.query) - {self.state.focus}, key=str)
        if others:
            self._to(FocusedQuery(self.state.query, self._random.choice(others)))

    def _remove(self) -> None:
        self._change(lambda query, place: without(query, place))

    def _mode(self) -> None:
        self._change(lambda query, place: with_mode(query, place, self._random.choice(list(Mode))))

    def _repeat(self) -> None:
        self._change(lambda query, place: with_repeated(query, place, self._random.random() < 0.7))

    def _turn(self) -> None:
        self._change(lambda query, place: turned(query, place))

    def _or(self) -> None:
        query, focus = self._now()
        place, element = self._random.choice(list(places(query)))
        option = self._one_of(property_options(self.store, query, focus, Direction.FORWARD))
        if option is None:
            return
        other = Variable("either")
        if isinstance(element, Statement) and isinstance(element.object, Variable) and element.object != focus:
            other = element.object
        self._keep(with_alternative(query, place, Statement(focus, option.property, other)))

    def _several(self) -> None:
        query, focus = self._now()
        page = value_options(self.store, query, focus)
        if page.options:
            chosen = self._random.sample(page.options, min(len(page.options), 3))
            main = main_variable(query)
            self._to(
                with_values(self.state, [one.value for one in chosen]),
                Count(1, CountKind.AT_LEAST),
                (focus,) if main is None else (main, focus),
            )

    def _widen(self) -> None:
        change = self._random.choice((lambda one: with_values(one, ()), lambda one: with_range(one, None, None)))
        self._to(change(self.state))

    def _count(self) -> None:
        query = self.state.query
        known = sorted(bound_variables(query), key=str)
        of, per = self._random.choice(known), self._random.sample(known, min(len(known), self._random.randrange(3)))
        function = self._random.choice((AggregateFunction.COUNT, AggregateFunction.MOST, AggregateFunction.SAMPLE))
        counted = with_aggregate(query, function, of, tuple(per))
        (key,) = {getattr(counted.columns[-1], "name", counted.columns[-1])}
        self._keep(with_limit(with_order(counted, key, is_descending=True), 1))

    def _rows_again(self) -> None:
        self._keep(with_limit(without_aggregates(self.state.query), None))

    def _back(self) -> None:
        if len(self._way) > 1:
            self._way.pop()

    # How a step is made and checked

    def _now(self) -> tuple[QueryModel, Variable]:
        return self.state.query, self.state.focus

    def _one_of(self, page: Page[Any]) -> Any:
        return self._random.choice(page.options) if page.options else None

    def _change(self, change: Callable[[QueryModel, Place], QueryModel]) -> None:
        place, _ = self._random.choice(list(places(self.state.query)))
        self._keep(change(self.state.query, place))

    def _keep(self, query: QueryModel) -> None:
        """A step that leaves the focus where it is, as far as it is still there."""
        bound = bound_variables(query)
        focus = self.state.focus if self.state.focus in bound else main_variable(query)
        self._to(FocusedQuery(query, focus or Variable("thing")))

    def _to(
        self, after: FocusedQuery, said: Count | None = None, counted: tuple[Variable, ...] = (), *, only: object = None
    ) -> None:
        """Make a step.

        Args:
            said: how many bindings it was said to leave; None: nothing was said.
            counted: of which variables.
            only: those alone whose last variable has this value.
        """
        if after == self.state:
            return
        query = after.query
        if query.where.elements:
            self.check(query)
            if said is not None and said.kind is not CountKind.UNKNOWN:
                found = self.plain.rows(query, counted)
                left = len([row for row in found if only is None or row[-1] == only])
                if said.kind is CountKind.EXACT:
                    self.counts += 1
                    assert left == said.value, f"{said} said, {left} there\n{sparql_text(query)}"
                else:
                    assert left >= said.value, f"{said} said, {left} there\n{sparql_text(query)}"
            number = self.plain.number_of_rows(query, _MOST_ROWS)
            if number > _MOST_ROWS:
                return
            if self._random.random() < 0.2:
                self.counts += 1
                assert solution_count(self.store, query) == Count(number)
            if number == 0:
                assert said is None or said == Count(0), f"{said} said, nothing there\n{sparql_text(query)}"
                self._check_told(query)
                return
        self._way.append(after)

    def _check_told(self, query: QueryModel) -> None:
        """An empty answer is told what emptied it, with what is there without each condition."""
        self.empty += 1
        told = relaxations(self.store, query, seconds=3600.0)  # however slow the machine is
        # Of a single condition that nothing meets, nothing is left to tell.
        assert told or len(list(places(query))) < 3, f"nothing told\n{sparql_text(query)}"
        for one in told:
            assert one.count.kind is not CountKind.UNKNOWN
            assert self.plain.number_of_rows(one.query, 1000) == one.count.value or one.count.value >= 1000
            if one.count.kind is CountKind.EXACT:
                self.counts += 1
        assert not told or any(one.helps for one in told), f"nothing helps\n{sparql_text(query)}"


_KINDS = {
    "begin": 1,
    "property": 14,
    "class": 5,
    "value": 7,
    "several": 2,
    "bin": 4,
    "match": 3,
    "focus": 8,
    "remove": 3,
    "mode": 3,
    "repeat": 1,
    "turn": 1,
    "or": 2,
    "widen": 2,
    "count": 2,
    "rows_again": 2,
    "back": 3,
}


def check_round_trip(query: QueryModel) -> None:
    """The text of a query is read back as the same query."""
    text = sparql_text(query)
    assert query_model(text) == query, text
