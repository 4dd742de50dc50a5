"""What is suggested exists, is all that exists, and is counted as a count of its own says."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hpc_explorer.query.building import (
    Direction,
    Focused,
    Mode,
    begun,
    main_variable,
    with_class,
    with_property,
    with_quantity,
    with_range,
    with_values,
)
from hpc_explorer.query.facets.bins import Histogram, ScaleKind
from hpc_explorer.query.facets.histogram import histogram, place_of
from hpc_explorer.query.facets.options import Effort
from hpc_explorer.query.facets.suggestions import (
    class_options,
    focus_count,
    property_options,
    solution_count,
    value_options,
)
from hpc_explorer.query.model.query import Duplicates, QueryModel
from hpc_explorer.query.sparql_writing import sparql_text
from hpc_explorer.rdf.namespaces import QUDT, RDF, RDFS, XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Variable
from hpc_explorer.stores.base import Count, CountKind, Store
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.drawing import draw_columns
from hpc_explorer.stores.columns.store import ColumnStore
from hpc_explorer.stores.local import LocalStore

EX = "http://example.org/"
GRAPH, OTHER = NamedNode(f"{EX}graph"), NamedNode(f"{EX}other")
CLASSES = [NamedNode(f"{EX}{name}") for name in ("Run", "Fast", "Model", "Thing")]
THINGS = [NamedNode(f"{EX}t{number}") for number in range(7)] + [BlankNode("b1")]
LINKS = [NamedNode(f"{EX}{name}") for name in ("used", "made")]
LOSS, BEGAN, LABEL, MIXED = (NamedNode(f"{EX}{name}") for name in ("loss", "began", "label", "mixed"))
BYTES, GIGABYTES = (next(iri for iri, unit in known_units().items() if unit.symbol == symbol) for symbol in ("B", "GB"))

_things = st.sampled_from(THINGS)
_numbers = st.one_of(
    st.integers(-30, 30).map(lambda number: Literal(str(number), datatype=XSD.integer)),
    st.sampled_from(["0.5", "-1.25", "2.0E0", "1.0E2"]).map(lambda text: Literal(text, datatype=XSD.double)),
)
_moments = st.integers(1, 28).map(lambda day: Literal(f"2021-0{1 + day % 3}-{day:02}T00:00:00Z", datatype=XSD.dateTime))
_mixed = st.one_of(_things, _numbers, st.sampled_from(["a", "B"]).map(Literal), st.just(Literal("a", language="en")))
_triples = st.one_of(
    st.tuples(_things, st.just(RDF.type), st.sampled_from(CLASSES)),
    st.tuples(_things, st.sampled_from(LINKS), _things),
    st.tuples(_things, st.just(LOSS), _numbers),
    st.tuples(_things, st.just(BEGAN), _moments),
    st.tuples(_things, st.just(LABEL), st.sampled_from(["one", "two", "Three"]).map(Literal)),
    st.tuples(_things, st.just(MIXED), _mixed),
    st.tuples(st.sampled_from(CLASSES), st.just(RDFS.subClassOf), st.sampled_from(CLASSES)),
)
_graphs = st.lists(
    st.builds(lambda triple, graph: Quad(*triple, graph), _triples, st.sampled_from([GRAPH, OTHER])), max_size=40
)


def _stored(quads: list[Quad]) -> LocalStore:
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    return store


@contextmanager
def _with_columns(store: LocalStore) -> Iterator[ColumnStore]:
    with tempfile.TemporaryDirectory() as folder:
        draw_columns(store, Path(folder) / "columns.db")
        columns = Columns(Path(folder) / "columns.db")
        try:
            yield ColumnStore(store, columns)
        finally:
            columns.close()


@st.composite
def _steps(draw: st.DrawFn) -> list[int]:
    return draw(st.lists(st.integers(0, 1000), min_size=1, max_size=6))


def _walked(store: Store, steps: list[int]) -> list[Focused]:
    """A way through what is suggested; each step leads on from the one before."""
    focused = begun(None)
    way = []
    for step in steps:
        kind, which = step % 5, step // 5
        query, focus = focused.query, focused.focus
        if kind == 0 and (classes := class_options(store, query, focus).options):
            focused = with_class(focused, classes[which % len(classes)].class_)
        elif kind in (1, 2):
            direction = Direction.FORWARD if kind == 1 else Direction.BACKWARD
            if not (properties := property_options(store, query, focus, direction).options):
                continue
            chosen = properties[which % len(properties)]
            mode = (Mode.REQUIRED, Mode.REQUIRED, Mode.OPTIONAL)[which % 3] if query.where.elements else Mode.REQUIRED
            focused = with_property(focused, chosen.property, direction, mode=mode, name="other")
        elif kind == 3 and (values := value_options(store, query, focus).options):
            focused = with_values(focused, (values[which % len(values)].value,))
        elif (
            kind == 4
            and (found := histogram(store, query, focus)) is not None
            and found.kind is not ScaleKind.QUANTITIES
        ):
            filled = [one for one in found.bins if one.count]
            one = filled[which % len(filled)]
            assert isinstance(one.least, Literal)
            assert isinstance(one.most, Literal)
            focused = with_range(focused, one.least, one.most)
        if focused.query.where.elements:
            way.append(focused)
    return way


def _rows(store: Store, query: QueryModel) -> list[dict[str, object]]:
    return [dict(row) for row in store.select(sparql_text(query))]


def _above(store: LocalStore, cls: object) -> set[object]:
    found, left = {cls}, [cls]
    while left:
        for quad in store.match(left.pop(), RDFS.subClassOf, None):  # type: ignore[arg-type]  # a class
            if quad.object not in found:
                found.add(quad.object)
                left.append(quad.object)
    return found


def _check(plain: LocalStore, store: Store, focused: Focused) -> None:
    query, focus = focused.query, focused.focus
    main = main_variable(query)
    assert main is not None
    rows = _rows(plain, query)
    assert solution_count(store, query) == Count(len(rows))
    assert rows, "what was suggested leads to rows"
    things = {row[focus.value] for row in rows if focus.value in row}
    assert focus_count(store, query, focus) == Count(len(things))

    resources = {thing for thing in things if not isinstance(thing, Literal)}
    of_class: dict[object, set[object]] = {}
    for thing in resources:
        for quad in plain.match(thing, RDF.type, None):  # type: ignore[arg-type]  # a resource
            for cls in _above(plain, quad.object):
                of_class.setdefault(cls, set()).add(thing)
    page = class_options(store, query, focus)
    assert page.effort is Effort.EXACT
    assert {one.class_: one.count for one in page.options} == {
        cls: Count(len(its)) for cls, its in of_class.items() if isinstance(cls, NamedNode)
    }
    assert page.total == Count(len(page.options))
    for option in page.options:
        assert _rows(plain, with_class(focused, option.class_).query)

    for direction in Direction:
        having: dict[object, set[object]] = {}
        for thing in things if direction is Direction.BACKWARD else resources:
            ends = (thing, None, None) if direction is Direction.FORWARD else (None, None, thing)
            for quad in plain.match(*ends):  # type: ignore[arg-type]  # a term of the graph
                having.setdefault(quad.predicate, set()).add(thing)
        # What leads to things is counted with the texts that it leads to; what leads to texts alone is not offered.
        having = {term: its for term, its in having.items() if not its.isdisjoint(resources)}
        found = property_options(store, query, focus, direction)
        assert {one.property: one.count for one in found.options} == {
            term: Count(len(its)) for term, its in having.items()
        }
        for one in found.options:
            assert _rows(plain, with_property(focused, one.property, direction, name="next").query)

    wide = with_values(focused, ()).query
    if set(wide.variables) >= {focus, main}:
        mains: dict[object, set[object]] = {}
        for row in _rows(plain, wide):
            if focus.value in row and not isinstance(row[focus.value], BlankNode):
                mains.setdefault(row[focus.value], set()).add(row[main.value])
        values = value_options(store, query, focus, limit=1000)
        assert {one.value: one.count for one in values.options} == {
            value: Count(len(its)) for value, its in mains.items()
        }
        assert values.total == Count(len(mains))
        assert not values.has_more
        for each in values.options:
            assert _rows(plain, with_values(focused, (each.value,)).query)
        few = value_options(store, query, focus, offset=1, limit=2)
        assert few.options == values.options[1:3] or isinstance(store, LocalStore)
        assert few.has_more == (len(mains) > 3)

    _check_bins(plain, focused, histogram(store, query, focus), main)


def _check_bins(plain: LocalStore, focused: Focused, found: Histogram | None, main: Variable) -> None:
    focus = focused.focus
    wide = with_range(focused, None, None).query
    if focus not in wide.variables:
        return
    pairs = {
        (row.get(main.value), row[focus.value])
        for row in _rows(plain, wide)
        if isinstance(row.get(focus.value), Literal)
    }
    placed = [value for _, value in pairs if isinstance(value, Literal) and place_of(value) is not None]
    if found is None:
        assert not placed
        return
    assert found.total.value + found.others.value == len(pairs)
    assert sum(one.count for one in found.bins) == found.total.value > 0
    assert found.total.kind is CountKind.EXACT
    for earlier, later in zip(found.bins, found.bins[1:], strict=False):
        assert earlier.high == later.low
    for one in found.bins:
        if not one.count:
            assert one.least is None
            continue
        assert isinstance(one.least, Literal)
        assert isinstance(one.most, Literal)
        within = with_range(focused, one.least, one.most).query
        again = {(row.get(main.value), row[focus.value]) for row in _rows(plain, within)}
        assert len(again) == one.count


_SLOW = settings(max_examples=40, deadline=None)


@_SLOW
@given(_graphs, _steps())
def test_by_sparql_all_that_is_suggested_is_so(quads: list[Quad], steps: list[int]) -> None:
    store = _stored(quads)
    for focused in _walked(store, steps):
        _check(store, store, focused)


@_SLOW
@given(_graphs, _steps())
def test_by_columns_all_that_is_suggested_is_so(quads: list[Quad], steps: list[int]) -> None:
    store = _stored(quads)
    with _with_columns(store) as columns:
        for focused in _walked(columns, steps):
            _check(store, columns, focused)


@_SLOW
@given(_graphs, _steps(), st.integers(1, 4))
def test_capped_counts_are_never_above_the_truth(quads: list[Quad], steps: list[int], most: int) -> None:
    store = _stored(quads)
    for focused in _walked(store, steps):
        query, focus = focused.query, focused.focus
        all_of = focus_count(store, query, focus).value
        exact = {one.class_: one.count.value for one in class_options(store, query, focus).options}
        page = class_options(store, query, focus, most=most)
        if page.looked_at is None:
            assert all_of < most
            assert page == class_options(store, query, focus)
        else:
            assert page.effort is Effort.CAPPED
            assert page.total.kind is CountKind.AT_LEAST
        for one in page.options:
            assert (one.count.kind is CountKind.AT_LEAST) == (all_of >= most)
            assert 0 < one.count.value <= exact[one.class_]
        for direction in Direction:
            known = {one.property: one.count.value for one in property_options(store, query, focus, direction).options}
            for each in property_options(store, query, focus, direction, most=most).options:
                assert (each.count.kind is CountKind.AT_LEAST) == (all_of >= most)
                assert 0 < each.count.value <= known[each.property]
        whole = {one.value: one.count.value for one in value_options(store, query, focus, limit=1000).options}
        for value in value_options(store, query, focus, limit=1000, most=most).options:
            assert 0 < value.count.value <= whole[value.value]
            assert value.count.kind is CountKind.AT_LEAST or value.count.value == whole[value.value]
        rows = solution_count(store, query)
        few = solution_count(store, query, most=most)
        assert few == (rows if rows.value <= most else Count(most, CountKind.AT_LEAST))


@pytest.fixture
def story() -> LocalStore:
    """Machines with memory in several units, and runs on them."""
    quads = []
    amounts = [("16", GIGABYTES), ("16000000000", BYTES), ("32", GIGABYTES), ("1.5", GIGABYTES)]
    for number, (amount, unit) in enumerate(amounts):
        machine, memory = NamedNode(f"{EX}m{number}"), BlankNode(f"memory{number}")
        quads += [
            Quad(machine, RDF.type, CLASSES[0], GRAPH),
            Quad(machine, LABEL, Literal(f"Machine {number}"), GRAPH),
            Quad(machine, LINKS[0], memory, GRAPH),
            Quad(memory, QUDT.numericValue, Literal(amount, datatype=XSD.decimal), GRAPH),
            Quad(memory, QUDT.unit, unit, GRAPH),
        ]
    return _stored(quads)


def test_quantities_are_compared_across_units(story: LocalStore) -> None:
    machines = begun(CLASSES[0], name="machine")
    memory = with_property(machines, LINKS[0], Direction.FORWARD, name="memory")
    found = histogram(story, memory.query, memory.focus)
    assert found is not None
    assert found.kind is ScaleKind.QUANTITIES
    assert found.unit is not None
    assert found.unit.iri == GIGABYTES
    assert BYTES in [unit.iri for unit in found.units]
    (both,) = [one for one in found.bins if one.count == 2]
    assert both.low <= 16 < both.high
    for one in found.bins:
        if one.count:
            assert not isinstance(one.least, Literal)
            assert not isinstance(one.most, Literal)
            within = with_quantity(memory, GIGABYTES, one.least, one.most).query
            assert len(_rows(story, within)) == one.count
            widened = histogram(story, within, memory.focus)
            assert widened == found
    in_bytes = histogram(story, memory.query, memory.focus, unit=BYTES)
    assert in_bytes is not None
    assert in_bytes.bins[-1].most == 32_000_000_000


def test_a_chosen_value_leaves_the_others_in_sight(story: LocalStore) -> None:
    named = with_property(begun(CLASSES[0]), LABEL, Direction.FORWARD, name="label")
    chosen = with_values(named, (Literal("Machine 1"),))
    assert value_options(story, chosen.query, chosen.focus) == value_options(story, named.query, named.focus)
    assert len(_rows(story, chosen.query)) == 1


@pytest.mark.parametrize("by_columns", [False, True])
def test_values_are_searched(story: LocalStore, by_columns: bool) -> None:
    machines = begun(CLASSES[0])
    named = with_property(machines, LABEL, Direction.FORWARD, name="label")
    with _with_columns(story) as columns:
        store: Store = columns if by_columns else story
        found = value_options(store, named.query, named.focus, search="mACHINE 2")
        assert [one.value for one in found.options] == [Literal("Machine 2")]
        assert found.total == Count(1)
        by_label = [NamedNode(f"{EX}m3"), NamedNode(f"{EX}elsewhere")]
        things = value_options(store, machines.query, machines.focus, search="three", named=by_label)
        assert [one.value for one in things.options] == by_label[:1]
        only = property_options(
            store, machines.query, machines.focus, Direction.FORWARD, fits=lambda term: term == LABEL
        )
        assert [one.property for one in only.options] == [LABEL]
        page = value_options(store, named.query, named.focus, limit=3)
        assert page.has_more
        assert page.total == Count(4)


def test_rows_are_counted_as_the_query_says(story: LocalStore) -> None:
    from dataclasses import replace

    query = begun(CLASSES[0]).query
    assert solution_count(story, replace(query, limit=3)) == Count(3)
    assert solution_count(story, replace(query, duplicates=Duplicates.KEPT), most=2) == Count(2, CountKind.AT_LEAST)
