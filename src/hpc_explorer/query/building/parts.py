"""Steps about one element: required or absent, repeated, alternative, and removed."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building.connections import (
    bound_variables,
    certain_variables,
    leaves,
    left_without,
    removed,
    with_optional_last,
    without_unbound,
)
from hpc_explorer.query.building.focus import Mode
from hpc_explorer.query.model.conditions import AnyOf, Condition, condition_variables
from hpc_explorer.query.model.paths import RepeatedPath
from hpc_explorer.query.model.patterns import (
    AbsentGroup,
    Alternatives,
    Element,
    Filter,
    Group,
    InGraph,
    OptionalGroup,
    QuantityRange,
    Statement,
    Values,
    element_variables,
    groups_of,
)
from hpc_explorer.query.model.places import Place, element_at, group_at, with_element, with_group, without_element
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable


def mode_of(element: Element) -> Mode:
    """The mode of an element."""
    if isinstance(element, OptionalGroup):
        return Mode.OPTIONAL
    return Mode.ABSENT if isinstance(element, AbsentGroup) else Mode.REQUIRED


def with_mode(query: QueryModel, place: Place, mode: Mode) -> QueryModel:
    """Make a part required, optional or absent, together with what depends on it alone.

    Raises:
        WrongParameter: it is a condition, or nothing required would remain.
    """
    element = _element(query, place)
    if isinstance(element, (Filter, Values, QuantityRange)):
        raise WrongParameter(
            "a condition on a value is neither optional nor absent", "", "change the property it is on"
        )
    if mode_of(element) is mode:
        return query
    if isinstance(element, (OptionalGroup, AbsentGroup)):
        inside: tuple[Element, ...] = element.group.elements
        left, at = without_element(query, place), place[-1]
    else:
        inside, left = _taken_out(query, place)
        at = len(group_at(left, place[:-1]).elements)
    group = group_at(left, place[:-1]).elements
    if mode is Mode.REQUIRED:
        changed = with_group(left, place[:-1], Group((*group[:at], *inside, *group[at:])))
    else:
        names = {one for each in inside for one in element_variables(each)}
        if names.isdisjoint(certain_variables(group_at(left, place[:-1]))):
            raise WrongParameter(
                "nothing else says what the query is about", "", "add something that has to be there first"
            )
        part = OptionalGroup(Group(inside)) if mode is Mode.OPTIONAL else AbsentGroup(Group(inside))
        changed = _with_ordered(left, place[:-1], Group((*group, part)))
    return without_unbound(changed, query)


def _with_ordered(query: QueryModel, place: Place, group: Group) -> QueryModel:
    """Replace a group, and move optional parts last in it and the groups around it."""
    changed = with_group(query, place, group)
    for length in range(len(place), -1, -2):
        around = place[:length]
        changed = with_group(changed, around, with_optional_last(group_at(changed, around)))
    return changed


def _standing_variables(query: QueryModel, place: Place) -> frozenset[Variable]:
    """The variables bound in the group of a place or a surrounding one."""
    around = [group_at(query, place[:length]) for length in range(0, len(place), 2)]
    return frozenset(one for group in around for one in certain_variables(group))


def _taken_out(query: QueryModel, place: Place) -> tuple[tuple[Element, ...], QueryModel]:
    """Take out an element with what depends on it alone."""
    group = group_at(query, place[:-1])
    kept = left_without(query, place)
    gone = [leaf.place for leaf in leaves(query) if leaf.place not in kept]
    depth = len(place)
    taken: list[int] = []
    for number in range(len(group.elements)):
        own = (*place[:-1], number)
        inner = [leaf.place for leaf in leaves(query) if leaf.place[:depth] == own]
        if own == place or (inner and all(one in gone for one in inner)):
            taken.append(number)
            gone = [one for one in gone if one[:depth] != own]
    if gone:
        raise WrongParameter("parts of another group hang on this one", "", "remove these first")
    left = Group(tuple(one for number, one in enumerate(group.elements) if number not in taken))
    return tuple(group.elements[number] for number in taken), with_group(query, place[:-1], left)


def with_repeated(query: QueryModel, place: Place, is_repeated: bool) -> QueryModel:
    """Allow a property several times in a row (`+`), or exactly once.

    Raises:
        WrongParameter: there is no such property.
    """
    at, statement = _statement(query, place)
    path = statement.predicate
    if isinstance(path, RepeatedPath) and path.least == 1 and path.most is None:
        return query if is_repeated else with_element(query, at, replace(statement, predicate=path.path))
    if not isinstance(path, NamedNode) or statement.class_of_subject is not None:
        raise WrongParameter("only a single property can be repeated", "", "choose a property")
    changed = replace(statement, predicate=RepeatedPath(path, 1, None))
    return with_element(query, at, changed) if is_repeated else query


def turned(query: QueryModel, place: Place) -> QueryModel:
    """Reverse the direction of a property.

    Raises:
        WrongParameter: there is no such property, or its object cannot be a subject.
    """
    at, statement = _statement(query, place)
    if isinstance(statement.object, Literal) or statement.class_of_subject is not None:
        raise WrongParameter("this cannot be read the other way round", "", "choose a property between two things")
    return with_element(query, at, replace(statement, subject=statement.object, object=statement.subject))


def _statement(query: QueryModel, place: Place) -> tuple[Place, Statement]:
    """The statement at a place, or the first in the group there."""
    element = _element(query, place)
    while not isinstance(element, Statement):
        groups = groups_of(element)
        if isinstance(element, Alternatives) or not groups or not groups[0].elements:
            raise WrongParameter("there is no property at this place", "", "choose a property")
        place, element = (*place, 0, 0), groups[0].elements[0]
    return place, element


def with_alternative(query: QueryModel, place: Place, other: Element | Group) -> QueryModel:
    """Add an alternative to a part ("or").

    Two value lists of one variable are merged, two conditions are joined with `||`, and other parts become a UNION.

    Raises:
        WrongParameter: the two cannot be alternatives, or the second has no variable of the query.
    """
    element = _element(query, place)
    group = other if isinstance(other, Group) else Group((other,))
    match element, other:
        case Values(), Values() if element.variables == other.variables:
            return with_element(query, place, replace(element, rows=tuple(dict.fromkeys(element.rows + other.rows))))
        case Filter(), Filter() if set(condition_variables(other.condition)) <= set(query.variables):
            choices = (*_choices(element.condition), *_choices(other.condition))
            return with_element(query, place, Filter(AnyOf(tuple(dict.fromkeys(choices)))))
        case ((Statement() | Alternatives() | InGraph()), _):
            pass
        case _:
            raise WrongParameter("these two cannot stand for each other", "", "choose a property or a class")
    if not certain_variables(group):
        raise WrongParameter("a condition alone is no other way", "", "give a property or a class")
    given = certain_variables(Group((element,)))
    if given - certain_variables(group):
        inside, left = _taken_out(query, place)
    else:
        inside, left = (element,), without_element(query, place)
    rest = bound_variables(left)
    named = frozenset(one for each in group.elements for one in element_variables(each))
    if named.isdisjoint(rest | given):
        raise WrongParameter("the other way has nothing in common with the query", "", "use one of its variables")
    if (named & rest) - given - _standing_variables(left, place):
        raise WrongParameter("the other way is about a part that need not be there", "", "use another variable")
    before = element.groups if isinstance(element, Alternatives) and len(inside) == 1 else (Group(inside),)
    at = sum(one not in inside for one in group_at(query, place[:-1]).elements[: place[-1]])
    elements = group_at(left, place[:-1]).elements
    changed = Group((*elements[:at], Alternatives((*before, group)), *elements[at:]))
    return _with_ordered(left, place[:-1], changed)


def _choices(condition: Condition) -> tuple[Condition, ...]:
    return condition.conditions if isinstance(condition, AnyOf) else (condition,)


def without(query: QueryModel, place: Place) -> QueryModel:
    """Remove an element, what depends on it alone, and their columns.

    Raises:
        WrongParameter: there is nothing at this place.
    """
    _element(query, place)
    return removed(query, place)


def _element(query: QueryModel, place: Place) -> Element:
    try:
        if not place or min(place) < 0:
            raise IndexError
        return element_at(query, place)
    except (IndexError, ValueError):
        raise WrongParameter("the query has nothing at this place", str(place), "choose one of its parts") from None
