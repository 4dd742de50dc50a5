"""Steps about one variable, the focus: its class, properties and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import Enum

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building.connections import check_not_empty, home, new_variable, removed
from hpc_explorer.query.model.conditions import Between, Comparison, Condition, Not, OneOf, Operator
from hpc_explorer.query.model.paths import RepeatedPath
from hpc_explorer.query.model.patterns import (
    INSTANCE_PATH,
    AbsentGroup,
    Element,
    Filter,
    Group,
    OptionalGroup,
    QuantityRange,
    Statement,
    Values,
    element_variables,
)
from hpc_explorer.query.model.places import Place, group_at, places, with_added, with_element
from hpc_explorer.query.model.query import Column, Duplicates, QueryModel
from hpc_explorer.rdf.literals import is_number
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable


class Direction(Enum):
    """Whether the focus is the subject or the object of a property."""

    FORWARD = "forward"
    BACKWARD = "backward"


class Mode(Enum):
    """Whether a part is required, optional or absent."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    ABSENT = "absent"


@dataclass(frozen=True)
class FocusedQuery:
    """A query with the variable that the next step changes.

    Args:
        focus: must occur in the query unless the query is empty.
    """

    query: QueryModel
    focus: Variable


def new_query(class_: NamedNode | None, *, with_subclasses: bool = True, name: str = "thing") -> FocusedQuery:
    """Start a query about the instances of a class, or about anything, without duplicate rows.

    Args:
        with_subclasses: whether to include instances of subclasses.
        name: what the variable is called, made a legal name.
    """
    focused = FocusedQuery(QueryModel(duplicates=Duplicates.DISTINCT), new_variable(QueryModel(), name))
    return focused if class_ is None else with_class(focused, class_, with_subclasses=with_subclasses)


# What the focus is
# -----------------


def with_class(
    focused: FocusedQuery, class_: NamedNode, *, below: Sequence[NamedNode] = (), with_subclasses: bool = True
) -> FocusedQuery:
    """Add a class of the focus, unless it is already there.

    Args:
        below: the classes to list by name in place of it, if the store does not know all its subclasses.
    """
    if below:
        listed = with_property_value(focused, RDF.type, Direction.FORWARD, *below, name="class")
        # An instance of several of them is in one row.
        return replace(focused, query=replace(listed.query, columns=_columns_of(focused)))
    statement = Statement(focused.focus, INSTANCE_PATH if with_subclasses else RDF.type, class_)
    group = home(focused.query, focused.focus)
    if statement in group_at(focused.query, group).elements:
        return focused
    return replace(focused, query=with_added(focused.query, statement, group=group))


def _columns_of(focused: FocusedQuery) -> tuple[Column, ...]:
    """The columns as listed; all variables where none are."""
    return focused.query.columns or tuple(dict.fromkeys((*focused.query.variables, focused.focus)))


def with_property(
    focused: FocusedQuery,
    property: NamedNode,
    direction: Direction,
    *,
    mode: Mode = Mode.REQUIRED,
    name: str,
    repeated: bool = False,
    moves: bool = True,
) -> FocusedQuery:
    """Add a property of the focus with a new variable, which becomes the focus.

    Args:
        name: what the variable is called, made a legal name that is not used yet.
        repeated: the property any number of times in a row, at least once (`+`).
        moves: whether the new variable becomes the focus. It never does for an absent property.
    """
    group = home(focused.query, focused.focus)
    if mode is not Mode.REQUIRED:
        check_not_empty(focused.query)
    other = new_variable(focused.query, name, also_used=(focused.focus,))
    path = RepeatedPath(property, 1, None) if repeated else property
    ends = (focused.focus, other) if direction is Direction.FORWARD else (other, focused.focus)
    statement = Statement(ends[0], path, ends[1])
    query = with_added(focused.query, _in_mode(Group((statement,)), mode), group=group)
    if mode is not Mode.ABSENT:
        query = _with_column_of(query, focused.focus, other)
    return FocusedQuery(query, other if moves and mode is not Mode.ABSENT else focused.focus)


def with_property_value(
    focused: FocusedQuery, property: NamedNode, direction: Direction, *values: NamedNode | Literal, name: str
) -> FocusedQuery:
    """Add a property of the focus with one of some values; the focus stays."""
    moved = with_property(focused, property, direction, name=name)
    return FocusedQuery(with_values(moved, values).query, focused.focus)


def _in_mode(group: Group, mode: Mode) -> Element:
    if mode is Mode.OPTIONAL:
        return OptionalGroup(group)
    return AbsentGroup(group) if mode is Mode.ABSENT else group.elements[0]


def _with_column_of(query: QueryModel, beside: Variable, variable: Variable) -> QueryModel:
    """Add a new variable to the columns, if these are listed and rows are not grouped."""
    if not query.columns or query.is_grouped or beside not in query.columns:
        return query
    return replace(query, columns=(*query.columns, variable))


# Conditions on the focus
# -----------------------


def with_values(
    focused: FocusedQuery, values: Sequence[NamedNode | Literal], *, excluded: bool = False
) -> FocusedQuery:
    """Restrict the focus to these values, or to all others, replacing earlier ones; none removes the condition."""
    for value in values:
        if not isinstance(value, (NamedNode, Literal)):
            raise WrongParameter("only an IRI or a literal can be asked for", str(value), "choose another value")
    different = tuple(dict.fromkeys(values))
    element: Element | None = None
    if different and excluded:
        element = Filter(OneOf(focused.focus, different, is_negated=True))
    elif different:
        element = Values((focused.focus,), tuple((value,) for value in different))
    return _with_own(focused, element, _is_values)


def with_range(focused: FocusedQuery, least: Literal | None, most: Literal | None) -> FocusedQuery:
    """Restrict the focus to a range, including both ends; None: no bound on that side. See `with_comparison`.

    Raises:
        WrongParameter: the range is empty.
    """
    condition: Condition | None = None
    if least is not None and most is not None:
        if is_number(least) and is_number(most):
            _check_order(_number(least), _number(most))
        condition = Between(focused.focus, least, most)
    elif least is not None:
        condition = Comparison(focused.focus, Operator.AT_LEAST, least)
    elif most is not None:
        condition = Comparison(focused.focus, Operator.AT_MOST, most)
    return with_comparison(focused, condition)


def with_comparison(focused: FocusedQuery, condition: Condition | None) -> FocusedQuery:
    """Restrict the focus by a comparison with numbers or dates, replacing an earlier one; None removes it."""
    return _with_own(focused, None if condition is None else Filter(condition), _is_range)


def with_quantity(
    focused: FocusedQuery,
    unit: NamedNode,
    least: Decimal | None,
    most: Decimal | None,
    *,
    included: bool = True,
    excluded: bool = False,
) -> FocusedQuery:
    """Restrict the focus to a quantity between two amounts in any unit; None twice removes the condition.

    Args:
        included: whether the bounds belong to the range.
        excluded: everything outside the range instead.

    Raises:
        WrongParameter: the range is empty, or the unit cannot be converted.
    """
    if least is None and most is None:
        return _with_own(focused, None, _is_quantity)
    if unit not in known_units():
        raise WrongParameter("this unit cannot be compared with others", unit.value, "choose another unit")
    if least is not None and most is not None:
        _check_order(least, most)
    quantity = QuantityRange(focused.focus, unit, least, most, included or least is None, included or most is None)
    return _with_own(focused, AbsentGroup(Group((quantity,))) if excluded else quantity, _is_quantity)


def conditions_on(query: QueryModel, focus: Variable) -> tuple[tuple[Place, Element], ...]:
    """The conditions on one variable alone: its classes, values, ranges and texts, with their places."""
    return tuple((place, element) for place, element in places(query) if _is_own(element, focus))


def _is_own(element: Element, focus: Variable) -> bool:
    match element:
        case Statement():
            return element.subject == focus and element.class_of_subject is not None
        case Values() | Filter() | QuantityRange() | AbsentGroup(group=Group(elements=(QuantityRange(),))):
            return set(element_variables(element)) == {focus}
        case _:
            return False


def _is_values(element: Element) -> bool:
    match element:
        case Values() | Filter(condition=OneOf(is_negated=True)):
            return True
        case _:
            return False


def _is_range(element: Element) -> bool:
    match element:
        case Filter(condition=Between() | Not(condition=Between()) | Comparison(value=Literal())):
            return True
        case _:
            return False


def _is_quantity(element: Element) -> bool:
    return isinstance(element, (QuantityRange, AbsentGroup))


def _with_own(focused: FocusedQuery, element: Element | None, is_kind: Callable[[Element], bool]) -> FocusedQuery:
    """Replace the first condition of a kind on the focus, or append it to its group."""
    query = focused.query
    group = home(query, focused.focus)
    earlier = [place for place, one in conditions_on(query, focused.focus) if is_kind(one) and place[:-1] == group]
    for place in reversed(earlier if element is None else earlier[1:]):
        query = removed(query, place)
    if element is not None:
        if not isinstance(element, Values):
            check_not_empty(query)
        query = with_element(query, earlier[0], element) if earlier else with_added(query, element, group=group)
    return replace(focused, query=query)


def _number(literal: Literal) -> Decimal | None:
    try:
        return Decimal(literal.value)
    except InvalidOperation:
        return None


def _check_order(least: Decimal | None, most: Decimal | None) -> None:
    if least is None or most is None or least.is_nan() or most.is_nan():
        raise WrongParameter("a bound of a range is no number", f"{least} to {most}", "give two numbers")
    if least > most:
        raise WrongParameter("a range ends before it begins", f"{least} to {most}", "give the smaller number first")
