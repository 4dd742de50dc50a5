"""What is suggested exists, is all that exists, and is counted as a count of its own says."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.query.building import (
    Direction,
    FocusedQuery,
    Mode,
    main_variable,
    new_query,
    with_class,
    with_property,
    with_range,
    with_values,
)
from hpc_explorer.query.building.connections import certain_variables
from hpc_explorer.query.facets.bins import Histogram, ScaleKind
from hpc_explorer.query.facets.by_columns import in_focus
from hpc_explorer.query.facets.click_plan import Facet, FacetResult
from hpc_explorer.query.facets.histogram import histogram
from hpc_explorer.query.facets.options import Effort, Page, ValueOption
from hpc_explorer.query.facets.places import place_of
from hpc_explorer.query.facets.suggestions import (
    class_options,
    focus_count,
    pairs_of,
    property_options,
    solution_count,
    value_options,
)
from hpc_explorer.query.model.query import Duplicates, Form, QueryModel
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Variable
from hpc_explorer.stores.base import UNKNOWN_COUNT, Count, CountKind, Store
from hpc_explorer.stores.changes.changes import ChangeSet, apply_effect, effect_of
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.store import ColumnStore
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.facets import clicked, with_columns
from tests.helpers.graphs import store_of
from tests.helpers.mixed_values import values_of_a_predicate
from tests.helpers.plain_engine import PlainEngine
from tests.helpers.query_walks import Plain as WalkedPlainly
from tests.helpers.query_walks import Walk

EX = "http://example.org/"
GRAPH, OTHER = NamedNode(f"{EX}graph"), NamedNode(f"{EX}other")
CLASSES = [NamedNode(f"{EX}{name}") for name in ("Run", "Fast", "Model", "Thing")]
HIGH = NamedNode(f"{EX}High")
THINGS = [NamedNode(f"{EX}t{number}") for number in range(7)] + [BlankNode("b1")]
LINKS = [NamedNode(f"{EX}{name}") for name in ("used", "made")]
LOSS, BEGAN, LABEL, MIXED = (NamedNode(f"{EX}{name}") for name in ("loss", "began", "label", "mixed"))

_things = st.sampled_from(THINGS)


@st.composite
def _graphs(draw: st.DrawFn) -> tuple[list[Quad], list[Quad]]:
    """Quads over a few things, in which each predicate has values of its own kinds; and others to be added."""
    loss, began, mixed = (st.sampled_from(draw(values_of_a_predicate)) for _ in range(3))
    triples = st.one_of(
        st.tuples(_things, st.just(RDF.type), st.sampled_from(CLASSES)),
        st.tuples(_things, st.sampled_from(LINKS), _things),
        st.tuples(_things, st.just(LOSS), loss),
        st.tuples(_things, st.just(BEGAN), began),
        st.tuples(_things, st.just(MIXED), _things | mixed),
        st.tuples(st.sampled_from(CLASSES), st.just(RDFS.subClassOf), st.sampled_from(CLASSES)),
    )
    quads = st.builds(lambda triple, graph: Quad(*triple, graph), triples, st.sampled_from([GRAPH, OTHER]))
    return draw(st.lists(quads, min_size=25, max_size=40)), draw(st.lists(quads, max_size=6))


def _stored(quads: list[Quad]) -> LocalStore:
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    return store


@st.composite
def _steps(draw: st.DrawFn) -> list[int]:
    return draw(st.lists(st.integers(0, 1000), min_size=1, max_size=6))


def _walked(store: Store, steps: list[int]) -> list[FocusedQuery]:
    """A way through what is suggested; each step leads on from the one before."""
    focused = new_query(None)
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


class Plain(PlainEngine):
    """What the bindings of a query say, as a plain engine has them."""

    def bindings(self, query: QueryModel, *names: Variable) -> set[tuple[object, ...]]:
        """The different bindings of some variables that have a value for the last one."""
        plain = replace(query, group_by=(), having=(), order_by=(), limit=None, offset=None)
        asked = replace(plain, columns=tuple(dict.fromkeys(names)), duplicates=Duplicates.DISTINCT)
        return {row for row in self.rows(sparql_text(asked)) if row[-1] is not None}

    def number_of_rows(self, query: QueryModel) -> int:
        return len(self.rows(sparql_text(query)))

    def about(self, pattern: str, things: set[object]) -> dict[object, Count]:
        """By `?k` how many of the things a pattern over `?x` has."""
        of: dict[object, set[object]] = {}
        for thing, key in self.rows(f"SELECT DISTINCT ?x ?k {{ {pattern} }}"):
            if thing in things and isinstance(key, NamedNode):
                of.setdefault(key, set()).add(thing)
        return {key: Count(len(its)) for key, its in of.items()}


def _check(plain: Plain, store: Store, focused: FocusedQuery, *, has_rows: bool = True, by_click: bool = False) -> None:
    query, focus = focused.query, focused.focus
    main = main_variable(query)
    assert main is not None
    rows = plain.number_of_rows(query)
    assert rows or not has_rows, "what was suggested leads to rows"
    assert solution_count(store, query) == Count(rows)
    assert solution_count(store, query, most=2) == (Count(rows) if rows <= 2 else Count(2, CountKind.AT_LEAST))
    things = {thing for (thing,) in plain.bindings(query, focus)}
    assert focus_count(store, query, focus) == Count(len(things))

    page = class_options(store, query, focus)
    classes = plain.about("?x rdf:type/rdfs:subClassOf* ?k", things)
    assert ([(one.class_, one.count) for one in page.options], page.effort) == (_most_first(classes), Effort.EXACT)
    assert page.total == Count(len(classes))
    # Where the classes above are given, only they count: `HIGH` is in no store.
    known_above = class_options(store, query, focus, above=dict.fromkeys(CLASSES, (HIGH,)))
    direct = plain.about("?x rdf:type ?k", things) | plain.about(f"?x rdf:type ?own BIND({HIGH} AS ?k)", things)
    assert [(one.class_, one.count) for one in known_above.options] == _most_first(direct)
    resources = {thing for thing in things if not isinstance(thing, Literal)}
    leading = set(plain.about("?s ?k ?x", resources))
    for direction, pattern in ((Direction.FORWARD, "?x ?k ?o"), (Direction.BACKWARD, "?s ?k ?x")):
        # What leads to things is counted with the texts that it leads to; what leads to texts alone is not offered.
        known = plain.about(pattern, things)
        offered = known if direction is Direction.FORWARD else {term: known[term] for term in leading}
        found = property_options(store, query, focus, direction)
        assert [(one.property, one.count) for one in found.options] == _most_first(offered)
        assert found.total == Count(len(offered))

    wide = with_values(focused, ()).query
    if set(wide.variables) >= {focus, main}:
        mains = Counter(pair[-1] for pair in plain.bindings(wide, main, focus))
        counts = {value: Count(number) for value, number in mains.items() if not isinstance(value, BlankNode)}
        listed = [ValueOption(*one) for one in _most_first(counts)]
        values = value_options(store, query, focus, limit=1000)
        assert list(values.options) == listed
        assert (values.total, values.has_more) == (Count(len(listed)), False)
        few = value_options(store, query, focus, offset=1, limit=2)
        assert list(few.options) == listed[1:3]
        assert (few.total, few.has_more) == (Count(len(listed)), len(listed) > 3)
        for text in ("1", "a", "ix"):
            containing = [one for one in listed if isinstance(one.value, Literal) and text in one.value.value.lower()]
            searched = value_options(store, query, focus, search=text, limit=1000)
            assert list(searched.options) == containing
            assert searched.total == Count(len(containing))
    bins = histogram(store, query, focus)
    _check_bins(plain, focused, bins, main)

    if not by_click:
        return
    # Where the first rows are not in sight, the rows are counted.
    told = clicked(store, query, focus, visible={*Facet} - {Facet.ROWS})
    ways = {Facet.PROPERTIES: Direction.FORWARD, Facet.INCOMING: Direction.BACKWARD}
    lists = {facet: property_options(store, query, focus, way) for facet, way in ways.items()}
    values = value_options(store, query, focus)
    parts = {Facet.COUNT: Count(rows), Facet.CLASSES: page, **lists, Facet.VALUES: values, Facet.HISTOGRAM: bins}
    assert told == {facet: FacetResult(facet, value) for facet, value in parts.items()}
    others = (
        replace(query, limit=2),
        replace(query, offset=1),
        replace(query, duplicates=Duplicates.KEPT),
        replace(query, columns=(focus,)),
        replace(query, columns=(focus,), group_by=(focus,)),
        replace(query, columns=(focus,), duplicates=Duplicates.KEPT),
    )
    one = others[len(str(query)) % len(others)]
    told = clicked(store, one, focus, visible={Facet.COUNT})
    assert told == {Facet.COUNT: FacetResult(Facet.COUNT, Count(plain.number_of_rows(one)))}


def _most_first(counts: dict[Any, Count]) -> list[tuple[Any, Count]]:
    """Terms as a list shows them: of those that come equally often, texts decide, then datatypes and languages."""

    def place(one: tuple[Any, Count]) -> tuple[int, str, str, str]:
        term, count = one
        said = (term.datatype.value, term.language or "") if isinstance(term, Literal) else ("", "")
        return -count.value, term.value, *said

    return sorted(counts.items(), key=place)


def _check_bins(plain: Plain, focused: FocusedQuery, found: Histogram | None, main: Variable) -> None:
    focus = focused.focus
    wide = with_range(focused, None, None).query
    if focus not in wide.variables:
        return
    pairs = {pair for pair in plain.bindings(wide, main, focus) if isinstance(pair[-1], Literal)}
    axes: dict[object, str] = {}
    if pairs:
        values = " ".join(str(pair[-1]) for pair in pairs)
        axes = {value: axis.value for value, axis in plain.rows(_AXES % values)}
    of_axis = Counter(axes[pair[-1]] for pair in pairs if pair[-1] in axes)
    if found is None:
        assert not of_axis
        return
    assert found.total.kind is found.others.kind is CountKind.EXACT
    assert found.total.value == max(of_axis.values())
    assert found.total.value + found.others.value == len(pairs)
    assert sum(one.count for one in found.bins) == found.total.value
    assert found.kind is (
        ScaleKind.MOMENTS if "Time" in str(found.bins) or "#date" in str(found.bins) else ScaleKind.NUMBERS
    )
    for earlier, later in itertools.pairwise(found.bins):
        assert earlier.high == later.low
    axis = next(axes[one.least] for one in found.bins if one.count)
    shown = {pair for pair in pairs if axes.get(pair[-1]) == axis}
    assert len(shown) == found.total.value
    for one in found.bins:
        if not one.count:
            assert one.least is one.most is None
            continue
        assert isinstance(one.least, Literal)
        assert isinstance(one.most, Literal)
        assert {axes[one.least], axes[one.most]} == {axis}
        within = plain.bindings(with_range(focused, one.least, one.most).query, main, focus)
        assert len(within & shown) == one.count
        # Beyond these a range finds only moments that the engine compares though one of the two tells no time zone.
        assert all(axes[pair[-1]][:8] == axis[:8] for pair in within)
        low, high = place_of(one.least), place_of(one.most)
        assert low is not None
        assert high is not None
        assert one.low <= low <= high < one.high


_AXES = """SELECT ?v ?k { VALUES ?v { %s } BIND(IF(isNumeric(?v), IF(?v - ?v = 0, "number", ""),
  IF(DATATYPE(?v) IN (xsd:dateTime, xsd:date) && YEAR(?v) > 0,
    CONCAT(STRAFTER(STR(DATATYPE(?v)), "#"), IF(TZ(?v) = "", "", " with a zone")), "")) AS ?k) FILTER(?k != "") }"""
"""What a value is compared with, in the plain engine's words."""


@given(_graphs(), _steps())
@examples(25)
def test_by_sparql_all_that_is_suggested_is_so(graph: tuple[list[Quad], list[Quad]], steps: list[int]) -> None:
    store = _stored(graph[0])
    plain = Plain(graph[0])
    for focused in _walked(store, steps):
        _check(plain, store, focused, by_click=True)


@pytest.mark.slow
def test_by_columns_all_that_is_suggested_is_so() -> None:
    answered: Counter[bool] = Counter()

    @given(_graphs(), _steps())
    @examples(10)
    def walks(graph: tuple[list[Quad], list[Quad]], steps: list[int]) -> None:
        quads, added = graph
        store = _stored(quads)
        with with_columns(store) as there:
            for focused in _walked(there, steps):
                _check(Plain(quads), there, focused, by_click=True)
                answered[_is_by_columns(there, focused)] += 1
            effect = effect_of(store, ChangeSet(tuple(quads[::5]), tuple(added)), restating=True)
            apply_effect(store, effect)
            store.settle(set(store.graphs()))
            there.columns.change(store, (*effect.left, *effect.entered))
            after = Plain((set(quads) - set(quads[::5])) | set(added))
            for focused in _walked(there, steps):
                _check(after, there, focused)

    walks()
    assert answered[True] > answered[False]


def _is_by_columns(store: ColumnStore, focused: FocusedQuery) -> bool:
    """Whether the columns answer of what is in focus, or refuse."""
    try:
        with in_focus(store.columns, pairs_of(focused.query, main_variable(focused.query), focused.focus)):
            return True
    except NotByColumns:
        return False


@given(_graphs(), _steps(), st.integers(1, 4))
@examples(25)
def test_capped_counts_are_never_above_the_truth(
    graph: tuple[list[Quad], list[Quad]], steps: list[int], most: int
) -> None:
    store, plain = _stored(graph[0]), Plain(graph[0])
    for focused in _walked(store, steps):
        query, focus = focused.query, focused.focus
        things = {thing for (thing,) in plain.bindings(query, focus)}

        is_certain = focus in certain_variables(query.where)

        def check(found: Page[Any], exact: dict[Any, Count], looked_at: int, is_certain: bool = is_certain) -> None:
            """Whether all was looked at, and the counts are exact, or they are true as lower bounds."""
            told = {
                getattr(one, "class_", None) or getattr(one, "property", None) or one.value: one.count
                for one in found.options
            }
            if found.looked_at is None:
                assert looked_at < most
                assert (told, found.total) == (exact, Count(len(exact)))
                return
            # Where nothing is found nobody knows whether all was looked at; what has no value is looked at too.
            assert looked_at >= most or not told or not is_certain
            assert (found.looked_at, found.effort, found.total.kind) == (most, Effort.CAPPED, CountKind.AT_LEAST)
            for key, count in told.items():
                assert count.kind is CountKind.AT_LEAST
                assert 0 < count.value <= exact[key].value
            assert found.total.value <= len(exact)

        check(
            class_options(store, query, focus, most=most),
            plain.about("?x rdf:type/rdfs:subClassOf* ?k", things),
            len(things),
        )
        check(
            property_options(store, query, focus, Direction.FORWARD, most=most),
            plain.about("?x ?k ?o", things),
            len(things),
        )
        main = main_variable(query)
        wide = with_values(focused, ()).query
        if main is not None and set(wide.variables) >= {focus, main}:
            pairs = plain.bindings(wide, main, focus)
            mains = Counter(pair[-1] for pair in pairs if not isinstance(pair[-1], BlankNode))
            exact = {value: Count(number) for value, number in mains.items()}
            check(value_options(store, query, focus, limit=1000, most=most), exact, len(pairs))
        counted = focus_count(store, query, focus, most=most)
        assert counted == (Count(len(things)) if len(things) <= most else Count(most, CountKind.AT_LEAST))


@pytest.fixture
def story() -> LocalStore:
    """Machines with a label."""
    machines = [NamedNode(f"{EX}m{number}") for number in range(4)]
    labels = [Quad(machine, LABEL, Literal(f"Machine {at}"), GRAPH) for at, machine in enumerate(machines)]
    return _stored([*labels, *(Quad(machine, RDF.type, CLASSES[0], GRAPH) for machine in machines)])


def test_a_chosen_value_leaves_the_others_in_sight(story: LocalStore) -> None:
    named = with_property(new_query(CLASSES[0]), LABEL, Direction.FORWARD, name="label")
    chosen = with_values(named, (Literal("Machine 1"),))
    assert value_options(story, chosen.query, chosen.focus) == value_options(story, named.query, named.focus)
    assert len(list(story.select(sparql_text(chosen.query)))) == 1


def test_values_are_searched(story: LocalStore) -> None:
    machines = new_query(CLASSES[0])
    named = with_property(machines, LABEL, Direction.FORWARD, name="label")
    with with_columns(story) as columns:
        for store in (columns, story):
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


def test_of_a_page_of_a_search_it_is_known_what_was_seen(story: LocalStore) -> None:
    asked = with_property(new_query(CLASSES[0]), LABEL, Direction.FORWARD, name="label")

    def page(**how: Any) -> tuple[int, Count, bool]:
        found = value_options(story, asked.query, asked.focus, **how)
        return len(found.options), found.total, found.has_more

    assert page(search="machine", limit=2) == (2, Count(2, CountKind.AT_LEAST), True)
    assert page(search="machine", limit=2, offset=2) == (2, Count(4), False)
    assert page(search="machine", limit=2, offset=7) == (0, UNKNOWN_COUNT, False)
    assert page(search="nothing") == (0, Count(0), False)
    assert page(limit=2) == (2, Count(4), True)
    assert page(limit=2, offset=7) == (0, Count(4), False)
    assert page(limit=2, most=3)[1] == Count(2, CountKind.AT_LEAST)
    assert page(limit=2, most=3, offset=7)[1] == UNKNOWN_COUNT


def test_rows_are_counted_as_the_query_says(story: LocalStore) -> None:
    query = new_query(CLASSES[0]).query
    assert solution_count(story, replace(query, limit=3)) == Count(3)
    assert solution_count(story, replace(query, duplicates=Duplicates.KEPT), most=2) == Count(2, CountKind.AT_LEAST)


@given(_graphs(), st.integers(0, 10_000))
@examples(10)
def test_each_count_of_each_list_on_any_walk(graph: tuple[list[Quad], list[Quad]], seed: int) -> None:
    """Also where a step led that no list suggests: alternatives, absent parts, other focuses, nothing at all."""
    store, plain = _stored(graph[0]), Plain(graph[0])
    walk = Walk(store, WalkedPlainly(graph[0]), seed)
    for _ in range(8):
        walk.go(2)
        state = walk.state
        if state.query.where.elements and main_variable(state.query) is not None:
            _check(plain, store, state, has_rows=False)


def test_a_pair_counts_once_however_many_rows_have_it() -> None:
    run, loss = THINGS[0], Literal("2.5", datatype=XSD.double)
    used = [Quad(run, LINKS[0], other, GRAPH) for other in THINGS[1:4]]
    store = _stored([Quad(run, RDF.type, CLASSES[0], GRAPH), Quad(run, LOSS, loss, GRAPH), *used])
    runs = new_query(CLASSES[0])
    linked = with_property(runs, LINKS[0], Direction.FORWARD, name="used")
    values = with_property(FocusedQuery(linked.query, runs.focus), LOSS, Direction.FORWARD, name="loss")
    with with_columns(store) as columns:
        for asked in (store, columns):
            assert solution_count(asked, values.query) == Count(3)
            assert [one.count for one in value_options(asked, values.query, values.focus).options] == [Count(1)]
            found = histogram(asked, values.query, values.focus)
            assert found is not None
            assert found.total == Count(1)


def test_values_of_one_text_have_one_order() -> None:
    texts = [
        Literal("a", datatype=NamedNode("http://example.org/unit")),
        Literal("a", language="de"),
        Literal("a", language="en"),
        Literal("a"),
        Literal("a", datatype=NamedNode("urn:unit")),
    ]
    store = _stored([Quad(THINGS[0], LABEL, text, GRAPH) for text in reversed(texts)])
    label = with_property(new_query(None), LABEL, Direction.FORWARD, name="label")
    with with_columns(store) as columns:
        for asked in (columns, store):
            assert [one.value for one in value_options(asked, label.query, label.focus).options] == texts


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM <urn:test:graph> WHERE { ?x a ex:C }",
        "SELECT * FROM NAMED <urn:test:graph> WHERE { GRAPH ?g { ?x a ex:C } }",
        "BASE <http://example.org/> SELECT * WHERE { ?x a ex:C FILTER(?x IN (<t0>, ex:t1, <t2>)) FILTER(?x != <t2>) }",
        "SELECT ?x (COUNT(*) AS ?rows) WHERE { ?x a ex:C . ?x ex:n ?n } GROUP BY ?x HAVING(?rows > 1) ORDER BY ?x",
        "SELECT ?class ?property ?other ?number WHERE { ?x a ex:C FILTER(?x != ex:t2) VALUES ?number { 1 } }",
        "CONSTRUCT { ?x a ex:D } WHERE { ?x a ex:C . ?x ex:n ?n }",
        "ASK { ?x a ex:C . ?x ex:n 2 }",
    ],
)
def test_a_query_is_asked_about_in_its_own_graphs_and_names(text: str) -> None:
    store = store_of("ex:t0 a ex:C ; ex:n 1, 2 . ex:t1 a ex:C ; ex:n 2 .", "ex:t2 a ex:C ; ex:m ex:t0 .")
    query = query_model(text, {"ex": EX})
    focus = Variable("x")
    patterns = text[text.index("{", text.index("WHERE") if "WHERE" in text else 0) :].split(" GROUP BY")[0]
    dataset = text[text.index("FROM") : text.index("WHERE")] if "FROM" in text else ""
    base = text[: text.index("SELECT")] if "BASE" in text else ""
    plain = Plain(store.match())
    things = {thing for (thing,) in plain.rows(f"{base}SELECT ?x {dataset}WHERE {patterns}")}
    assert things
    with with_columns(store) as columns:
        for asked in (columns, store):
            assert focus_count(asked, query, focus) == Count(len(things))
            assert [one.value for one in value_options(asked, query, focus).options] == sorted(things, key=str)
            # Outside of the named graphs there are no classes then.
            classes = [] if query.named_graphs else [Count(len(things))]
            assert [one.count for one in class_options(asked, query, focus).options] == classes
            if query.form is Form.SELECT:
                assert solution_count(asked, query) == Count(len(plain.rows(text)))
