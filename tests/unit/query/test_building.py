"""Building a query step by step: each step stays connected, can be taken back, and refuses what makes no sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building import (
    Direction,
    FocusedQuery,
    Mode,
    conditions_on,
    main_variable,
    new_query,
    new_variable,
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
from hpc_explorer.query.building.connections import bound_variables, home_of, leaves
from hpc_explorer.query.model.conditions import AnyOf, Between, Comparison, Operator, TextMatch, TextTest
from hpc_explorer.query.model.paths import RepeatedPath
from hpc_explorer.query.model.patterns import (
    INSTANCE_PATH,
    AbsentGroup,
    Alternatives,
    Element,
    Filter,
    Group,
    Locked,
    OptionalGroup,
    QuantityRange,
    Statement,
    Values,
    groups_of,
)
from hpc_explorer.query.model.places import places, with_added
from hpc_explorer.query.model.query import (
    Aggregate,
    AggregateFunction,
    Duplicates,
    Having,
    NamedColumn,
    Order,
    QueryModel,
    column_name,
)
from hpc_explorer.rdf.namespaces import HPC, RDF, UNIT, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

FORWARD, BACKWARD = Direction.FORWARD, Direction.BACKWARD
V100 = Literal("Nvidia V100")


def number(value: int) -> Literal:
    return Literal(str(value), datatype=XSD.integer)


def gpu_with_name() -> FocusedQuery:
    return with_property(new_query(HPC.GPU, name="GPU"), HPC.name, FORWARD, name="name")


# The paper's questions
# ---------------------


def test_the_papers_third_question_is_built_from_the_gpu_on() -> None:
    named = with_values(gpu_with_name(), (V100,))
    machine = with_property(FocusedQuery(named.query, Variable("GPU")), HPC.coprocessorModel, BACKWARD, name="machine")
    model = with_property(machine, HPC.targetMachine, BACKWARD, name="model")
    done = with_property(with_class(model, HPC.AIModel), HPC.name, FORWARD, name="name")
    gpu, name, at, one, other = map(Variable, ("GPU", "name", "machine", "model", "name2"))
    assert done.query.where == Group(
        (
            Statement(gpu, INSTANCE_PATH, HPC.GPU),
            Statement(gpu, HPC.name, name),
            Values((name,), ((V100,),)),
            Statement(at, HPC.coprocessorModel, gpu),
            Statement(one, HPC.targetMachine, at),
            Statement(one, INSTANCE_PATH, HPC.AIModel),
            Statement(one, HPC.name, other),
        )
    )
    assert done.focus == other
    assert done.query.duplicates is Duplicates.DISTINCT


def test_a_property_with_its_value_leaves_the_focus() -> None:
    done = with_property_value(new_query(HPC.GPU), HPC.vendor, FORWARD, Literal("AMD"), name="vendor")
    assert done.focus == Variable("thing")
    assert done.query.where.elements[1:] == (
        Statement(done.focus, HPC.vendor, Variable("vendor")),
        Values((Variable("vendor"),), ((Literal("AMD"),),)),
    )


# Conditions
# ----------


def test_a_condition_replaces_the_earlier_one_of_its_kind() -> None:
    named = gpu_with_name()
    ranged = with_range(with_values(named, (V100,)), number(1), None)
    twice = with_values(ranged, (Literal("a"), Literal("a")))
    assert [element for _, element in conditions_on(twice.query, Variable("name"))] == [
        Values((Variable("name"),), ((Literal("a"),),)),
        Filter(Comparison(Variable("name"), Operator.AT_LEAST, number(1))),
    ]
    assert with_range(with_values(twice, ()), None, None) == named


def test_ranges_of_one_and_two_bounds() -> None:
    at = with_property(new_query(HPC.Cluster), HPC.computeNodeCount, FORWARD, name="nodes")
    nodes = at.focus
    between = with_range(at, number(1), number(9))
    assert between.query.where.elements[-1] == Filter(Between(nodes, number(1), number(9)))
    assert with_range(between, number(2), None).query.where.elements[-1] == Filter(
        Comparison(nodes, Operator.AT_LEAST, number(2))
    )
    assert with_range(between, None, number(2)).query.where.elements[-1] == Filter(
        Comparison(nodes, Operator.AT_MOST, number(2))
    )
    assert with_range(between, None, None) == at


def test_a_quantity_has_a_unit_that_is_known() -> None:
    at = with_property(new_query(HPC.GPU), HPC.memorySize, FORWARD, name="memory")
    done = with_quantity(at, UNIT.GigaBYTE, Decimal(8), None)
    assert done.query.where.elements[-1] == QuantityRange(at.focus, UNIT.GigaBYTE, Decimal(8))
    assert with_quantity(done, UNIT.GigaBYTE, None, None) == at
    with pytest.raises(WrongParameter):
        with_quantity(at, UNIT.Furlong, Decimal(8), None)


def test_ranges_that_hold_nothing_are_refused() -> None:
    at = gpu_with_name()
    with pytest.raises(WrongParameter):
        with_range(at, number(9), number(1))
    with pytest.raises(WrongParameter):
        with_quantity(at, UNIT.GigaBYTE, Decimal(9), Decimal(1))


def test_a_class_is_not_said_twice() -> None:
    assert with_class(new_query(HPC.GPU), HPC.GPU) == new_query(HPC.GPU)
    assert with_class(new_query(HPC.GPU), HPC.GPU, with_subclasses=False).query.where.elements[-1] == Statement(
        Variable("thing"), RDF.type, HPC.GPU
    )


def test_a_condition_on_an_optional_variable_stands_in_the_optional_group() -> None:
    """Outside it, rows without the variable would be joined with everything that meets it."""
    at = with_property(new_query(HPC.Cluster), HPC.coprocessor, FORWARD, mode=Mode.OPTIONAL, name="gpu")
    done = with_property(with_class(at, HPC.GPU), HPC.name, FORWARD, name="name")
    assert len(done.query.where.elements) == 2
    assert isinstance(optional := done.query.where.elements[1], OptionalGroup)
    assert len(optional.group.elements) == 3


def test_what_has_to_be_absent_does_not_become_the_focus() -> None:
    done = with_property(new_query(HPC.Cluster), HPC.coprocessor, FORWARD, mode=Mode.ABSENT, name="gpu")
    assert done.focus == Variable("thing")
    assert isinstance(done.query.where.elements[1], AbsentGroup)
    assert bound_variables(done.query) == {Variable("thing")}


# Changing parts
# --------------


def test_what_hangs_on_an_optional_part_comes_along_and_back() -> None:
    named = with_values(gpu_with_name(), (V100,)).query
    optional = with_mode(named, (1,), Mode.OPTIONAL)
    assert optional.where.elements == (named.where.elements[0], OptionalGroup(Group(named.where.elements[1:])))
    assert with_mode(optional, (1,), Mode.ABSENT).where.elements[1] == AbsentGroup(Group(named.where.elements[1:]))
    assert with_mode(with_mode(optional, (1,), Mode.ABSENT), (1,), Mode.REQUIRED) == named


def test_an_optional_part_stands_behind_what_it_is_optional_to() -> None:
    """SPARQL joins in the written order: in front it would be required."""
    query = gpu_with_name().query
    optional = with_mode(query, (0,), Mode.OPTIONAL)
    assert optional.where.elements == (query.where.elements[1], OptionalGroup(Group(query.where.elements[:1])))
    both = with_property(new_query(HPC.GPU), HPC.name, FORWARD, mode=Mode.OPTIONAL, name="name", moves=False)
    more = with_property(both, HPC.vendor, FORWARD, name="vendor").query
    assert [type(one) for one in without(more, (0,)).where.elements] == [Statement, OptionalGroup]


def test_the_only_part_cannot_be_optional() -> None:
    with pytest.raises(WrongParameter):
        with_mode(new_query(HPC.GPU).query, (0,), Mode.OPTIONAL)


def test_a_condition_is_neither_optional_nor_absent() -> None:
    with pytest.raises(WrongParameter):
        with_mode(with_values(gpu_with_name(), (V100,)).query, (2,), Mode.OPTIONAL)


def test_a_property_is_repeated_and_turned() -> None:
    query = with_property(new_query(HPC.Experiment), HPC.wasPrecededBy, FORWARD, name="earlier").query
    repeated = with_repeated(query, (1,), True)
    assert isinstance(statement := repeated.where.elements[1], Statement)
    assert statement.predicate == RepeatedPath(HPC.wasPrecededBy, 1, None)
    assert with_repeated(repeated, (1,), False) == query
    assert turned(turned(query, (1,)), (1,)) == query
    assert turned(query, (1,)).where.elements[1] == Statement(Variable("earlier"), HPC.wasPrecededBy, Variable("thing"))
    with pytest.raises(WrongParameter):
        turned(query, (0,))


def test_either_of_two_classes_and_back() -> None:
    query = gpu_with_name().query
    either = with_alternative(query, (0,), Statement(Variable("GPU"), INSTANCE_PATH, HPC.CPU))
    assert isinstance(choice := either.where.elements[0], Alternatives)
    assert len(choice.groups) == 2
    assert without(either, (0, 1, 0)) == query
    third = with_alternative(either, (0,), Statement(Variable("GPU"), INSTANCE_PATH, HPC.Cluster))
    assert isinstance(choice := third.where.elements[0], Alternatives)
    assert len(choice.groups) == 3


def test_what_hangs_on_a_way_that_the_other_does_not_give_goes_into_it() -> None:
    query = with_values(gpu_with_name(), (V100,)).query
    other = Statement(Variable("GPU"), HPC.vendor, Variable("vendor"))
    either = with_alternative(query, (1,), other)
    assert either.where.elements[1] == Alternatives((Group(query.where.elements[1:]), Group((other,))))


def test_values_and_conditions_have_their_own_or() -> None:
    query = with_values(gpu_with_name(), (V100,)).query
    name = Variable("name")
    assert with_alternative(query, (2,), Values((name,), ((Literal("a"),),))).where.elements[2] == Values(
        (name,), ((V100,), (Literal("a"),))
    )
    first, second = (Filter(TextMatch(name, TextTest.CONTAINS, text)) for text in "ab")
    filtered = with_added(gpu_with_name().query, first)
    assert with_alternative(filtered, (2,), second).where.elements[2] == Filter(
        AnyOf((first.condition, second.condition))
    )
    with pytest.raises(WrongParameter):
        with_alternative(filtered, (2,), Statement(name, HPC.name, name))


def test_an_alternative_that_has_nothing_to_do_with_the_query_is_refused() -> None:
    with pytest.raises(WrongParameter):
        with_alternative(gpu_with_name().query, (1,), Statement(Variable("a"), HPC.name, Variable("b")))


# Taking away
# -----------


def test_a_removal_takes_along_what_hung_on_the_removed_alone() -> None:
    named = with_values(gpu_with_name(), (V100,))
    at = with_property(FocusedQuery(named.query, Variable("GPU")), HPC.coprocessor, BACKWARD, name="machine")
    query = with_property(at, HPC.site, FORWARD, name="site").query
    assert without(query, (3,)) == named.query
    assert without(query, (1,)).where.elements == (query.where.elements[0], *query.where.elements[3:])
    assert without(query, (0,)).where.elements == query.where.elements[1:]


def test_a_condition_between_two_variables_goes_with_either() -> None:
    at = with_property(new_query(HPC.Experiment), HPC.startDate, FORWARD, name="start", moves=False)
    two = with_property(at, HPC.endDate, FORWARD, name="end").query
    compared = Filter(Comparison(Variable("start"), Operator.LESS, Variable("end")))
    query = QueryModel(where=Group((*two.where.elements, compared)))
    assert without(query, (1,)).where.elements == (two.where.elements[0], two.where.elements[2])


def test_what_was_apart_before_is_left_alone() -> None:
    a, b = Variable("a"), Variable("b")
    apart = QueryModel(where=Group((Statement(a, RDF.type, HPC.GPU), Statement(b, RDF.type, HPC.CPU))))
    assert without(apart, (0,)).where.elements == apart.where.elements[1:]


def test_values_alone_are_a_query() -> None:
    x = Variable("x")
    query = QueryModel(where=Group((Values((x,), ((V100,),)), Filter(TextMatch(x, TextTest.CONTAINS, "a")))))
    assert without(query, (1,)).where.elements == query.where.elements[:1]


def test_columns_of_what_went_go_too() -> None:
    built = gpu_with_name().query
    gpu, name = map(Variable, ("GPU", "name"))
    shown = with_order(replace(built, columns=(gpu, name)), name)
    assert without(shown, (1,)) == replace(without(built, (1,)), columns=(gpu,))
    more_than_one = Having(Aggregate(AggregateFunction.COUNT, gpu, is_distinct=True), Operator.MORE, number(1))
    counted = replace(with_aggregate(built, AggregateFunction.COUNT, gpu, (name,)), having=(more_than_one,))
    assert [column_name(one) for one in without(counted, (1,)).columns] == [Variable("count_GPU")]
    assert without(counted, (1,)).group_by == ()


def test_a_new_variable_is_a_column_where_columns_are_named() -> None:
    built = gpu_with_name()
    shown = replace(built.query, columns=(Variable("GPU"),))
    more = with_property(FocusedQuery(shown, Variable("GPU")), HPC.vendor, FORWARD, name="vendor")
    assert more.query.columns == (Variable("GPU"), Variable("vendor"))
    assert without(more.query, (2,)) == shown


# Rows
# ----


def test_counting_per_group_and_back() -> None:
    query = with_property(new_query(HPC.Dataset, name="dataset"), HPC.license, FORWARD, name="license").query
    dataset, license = map(Variable, ("dataset", "license"))
    count = Aggregate(AggregateFunction.COUNT, dataset, is_distinct=True)
    counted = with_aggregate(query, AggregateFunction.COUNT, dataset, (license,))
    assert counted.columns == (license, NamedColumn(count, Variable("count_dataset")))
    assert counted.group_by == (license,)
    assert with_aggregate(counted, AggregateFunction.COUNT, dataset, (license,)) == counted
    both = with_aggregate(counted, AggregateFunction.SAMPLE, dataset, (license,))
    assert [column_name(one).value for one in both.columns] == ["license", "count_dataset", "sample_dataset"]
    last = with_limit(with_order(both, Variable("count_dataset"), is_descending=True), 1)
    assert last.order_by == (Order(Variable("count_dataset"), is_descending=True),)
    assert without_aggregates(with_limit(last, None)) == query


def test_rows_are_sorted_by_what_is_there() -> None:
    query = gpu_with_name().query
    assert with_order(with_order(query, Variable("name")), Variable("GPU"), then=True).order_by == (
        Order(Variable("name")),
        Order(Variable("GPU")),
    )
    for key in (Variable("other"), Aggregate(AggregateFunction.COUNT)):
        with pytest.raises(WrongParameter):
            with_order(query, key)


@pytest.mark.parametrize(
    "step",
    [
        lambda query: with_aggregate(query, AggregateFunction.SUM, None),
        lambda query: with_aggregate(query, AggregateFunction.COUNT, Variable("nothing")),
        lambda query: with_limit(query, -1),
        lambda query: without(query, (7,)),
        lambda query: without(query, ()),
        lambda query: without(query, (-1,)),
        lambda query: without(query, (0, 0)),
        lambda query: with_repeated(query, (0,), True),
    ],
)
def test_a_step_that_makes_no_sense_is_refused(step: Callable[[QueryModel], object]) -> None:
    with pytest.raises(WrongParameter) as raised:
        step(gpu_with_name().query)
    assert raised.value.what
    assert raised.value.remedy


def test_new_variables_are_legal_and_unused() -> None:
    query = QueryModel(
        where=Group((Locked("BIND(1 AS ?name)", (Variable("name"),)),)), parameters=(Variable("name2"),), head="?name3"
    )
    assert new_variable(query, "name") == Variable("name4")
    assert new_variable(query, "Größe (GB)") == Variable("Gr_e_GB")
    assert new_variable(query, "?") == Variable("thing")


# Any steps
# ---------

PROPERTIES = tuple(HPC.term(name) for name in ("name", "project", "used", "site"))
CLASSES = (HPC.GPU, HPC.Dataset)
VALUES = (V100, number(3), NamedNode("urn:x"))
Step = Callable[[FocusedQuery, st.DrawFn], FocusedQuery]


def property_step(focused: FocusedQuery, draw: st.DrawFn) -> FocusedQuery:
    return with_property(
        focused,
        draw(st.sampled_from(PROPERTIES)),
        draw(st.sampled_from(Direction)),
        mode=draw(st.sampled_from(Mode)),
        name=draw(st.sampled_from(["name", "a b", "", "thing"])),
        repeated=draw(st.booleans()),
        moves=draw(st.booleans()),
    )


def alternative_step(focused: FocusedQuery, draw: st.DrawFn) -> FocusedQuery:
    place, _ = draw(st.sampled_from(list(places(focused.query)) or [((0,), None)]))
    other = Statement(focused.focus, draw(st.sampled_from(PROPERTIES)), draw(st.sampled_from(VALUES)))
    return still_focused(with_alternative(focused.query, place, other), focused)


def place_step(change: Callable[[QueryModel, tuple[int, ...], st.DrawFn], QueryModel]) -> Step:
    def step(focused: FocusedQuery, draw: st.DrawFn) -> FocusedQuery:
        place, _ = draw(st.sampled_from(list(places(focused.query)) or [((0,), None)]))
        return still_focused(change(focused.query, place, draw), focused)

    return step


def still_focused(query: QueryModel, before: FocusedQuery) -> FocusedQuery:
    bound = bound_variables(query)
    return FocusedQuery(query, before.focus if before.focus in bound else main_variable(query) or Variable("thing"))


def focus_step(focused: FocusedQuery, draw: st.DrawFn) -> FocusedQuery:
    return FocusedQuery(focused.query, draw(st.sampled_from(sorted(bound_variables(focused.query), key=str) or [V])))


V = Variable("nothing")
STEPS: tuple[Step, ...] = (
    property_step,
    property_step,
    property_step,
    focus_step,
    alternative_step,
    lambda focused, draw: with_class(focused, draw(st.sampled_from(CLASSES))),
    lambda focused, draw: with_values(focused, draw(st.lists(st.sampled_from(VALUES), max_size=2))),
    lambda focused, draw: with_range(focused, *draw(st.tuples(*[st.sampled_from((None, number(1), number(9)))] * 2))),
    lambda focused, draw: with_quantity(focused, UNIT.GigaBYTE, draw(st.sampled_from((None, Decimal(1)))), None),
    place_step(lambda query, place, draw: without(query, place)),
    place_step(lambda query, place, draw: with_mode(query, place, draw(st.sampled_from(Mode)))),
    place_step(lambda query, place, draw: with_repeated(query, place, draw(st.booleans()))),
    place_step(lambda query, place, draw: turned(query, place)),
)


@st.composite
def walks(draw: st.DrawFn) -> list[FocusedQuery]:
    """The states of a query on a random way of steps; those that are refused are left out."""
    states = [new_query(draw(st.sampled_from((None, *CLASSES))))]
    for _ in range(draw(st.integers(0, 14))):
        try:
            states.append(draw(st.sampled_from(STEPS))(states[-1], draw))
        except WrongParameter as error:
            assert error.what
            assert error.remedy
    return states


def assert_well_formed(query: QueryModel) -> None:
    found = leaves(query)
    names = [set(leaf.variables) for leaf in found]
    while len(names) > 1:
        first = names.pop(0)
        near = next((one for one in names if one & first), None)
        assert near is not None, f"{first} hangs on nothing: {query.where}"
        near |= first
    for leaf in found:
        if isinstance(leaf.element, (Filter, QuantityRange)):
            said = {one for other in found if other.binds for one in other.variables}
            assert leaf.variables <= said
    for _, element in places(query):
        assert all(group.elements for group in groups_of(element))
        assert not isinstance(element, Alternatives) or len(element.groups) > 1
    bound: set[Variable] = set()
    for element in query.where.elements:
        if isinstance(element, OptionalGroup):
            assert bound & set(QueryModel(where=element.group).variables), "an optional part in front is required"
        bound |= bound_variables(QueryModel(where=Group((element,))))


@given(walks())
def test_any_steps_keep_the_query_connected(states: list[FocusedQuery]) -> None:
    for state in states:
        assert_well_formed(state.query)
        assert not state.query.where.elements or home_of(state.query, state.focus) is not None


@given(walks(), st.data())
def test_without_takes_back_what_a_step_added(states: list[FocusedQuery], data: st.DataObject) -> None:
    state = states[-1]
    if not state.query.where.elements:
        return
    added = data.draw(
        st.sampled_from(
            [
                with_property(state, HPC.newProperty, data.draw(st.sampled_from(Direction)), mode=mode, name="n")
                for mode in Mode
            ]
            + [with_class(state, HPC.NewClass)]
            + [with_property_value(state, HPC.newProperty, FORWARD, V100, name="n")]
        )
    ).query
    new = [place for place, element in places(added) if is_new(element)]
    assert without(added, new[0]) == state.query


def is_new(element: Element) -> bool:
    own = element.group.elements[0] if isinstance(element, (OptionalGroup, AbsentGroup)) else element
    if isinstance(element, (OptionalGroup, AbsentGroup)) and len(element.group.elements) > 1:
        return False
    return isinstance(own, Statement) and (own.predicate == HPC.newProperty or own.object == HPC.NewClass)
