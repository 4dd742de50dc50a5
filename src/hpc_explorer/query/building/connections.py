"""Connections between the elements of a query through shared variables.

Statements, locked pieces and lists of values bind variables; conditions only test them, and absent or present groups
bind nothing outside. An element whose variables are no longer bound changes its meaning: a condition on an unbound
variable is false for every row, and an unconnected statement multiplies the rows. So a removal also removes what was
connected only through the removed element (`left_without`), and a condition is added to the group that binds its
variable (`home_of`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.model.patterns import (
    AbsentGroup,
    Alternatives,
    Element,
    Group,
    InGraph,
    Locked,
    OptionalGroup,
    PresentGroup,
    Statement,
    Values,
    element_variables,
    groups_of,
    with_groups,
)
from hpc_explorer.query.model.places import Place
from hpc_explorer.query.model.query import Aggregate, Column, NamedColumn, Order, QueryModel, column_name
from hpc_explorer.query.sparql.blanks import variables as text_variables
from hpc_explorer.rdf.terms import Variable


@dataclass(frozen=True)
class Leaf:
    """An element without nested groups.

    Args:
        variables: its own, and the variable of its graph.
        sight: the place of the group whose variables it can use: its own, or the surrounding one for an optional,
            absent or present group. Alternatives and named graphs see nothing outside.
        tests: the number of optional, absent and present groups around it.
        sight_tests: the number of those around the group that it sees.
        scope: the place of the innermost absent or present group around it; () if there is none.
    """

    place: Place
    element: Element
    variables: frozenset[Variable]
    sight: Place
    tests: int
    sight_tests: int
    scope: Place

    @property
    def binds(self) -> bool:
        """Whether it binds its variables."""
        return isinstance(self.element, (Statement, Locked, Values))

    @property
    def stands(self) -> bool:
        """Whether it can be a whole query: it binds variables outside of optional, absent and present groups."""
        return self.binds and not self.tests

    @property
    def is_tested(self) -> bool:
        """Whether it is in an optional, absent or present group within the group that it sees."""
        return self.tests > self.sight_tests


_AROUND = Leaf((), Values((), ()), frozenset(), (), 0, 0, ())


def leaves(query: QueryModel) -> tuple[Leaf, ...]:
    """All leaves of a query, in their order."""
    return tuple(_leaves(query.where, (), _AROUND))


def _leaves(group: Group, above: Place, around: Leaf) -> Iterator[Leaf]:
    """The leaves of a group.

    Args:
        around: the values common to them.
    """
    for number, element in enumerate(group.elements):
        place = (*above, number)
        inner = groups_of(element)
        if not inner:
            names = around.variables | frozenset(element_variables(element))
            yield replace(around, place=place, element=element, variables=names)
        for index, one in enumerate(inner):
            at = (*place, index)
            if isinstance(element, (OptionalGroup, AbsentGroup, PresentGroup)):
                scope = around.scope if isinstance(element, OptionalGroup) else place
                within = replace(around, tests=around.tests + 1, scope=scope)
            else:
                within = replace(around, sight=at, sight_tests=around.tests)
            if isinstance(element, InGraph) and isinstance(element.name, Variable):
                within = replace(within, variables=frozenset({element.name}))
            yield from _leaves(one, at, within)


def bound_variables(query: QueryModel) -> frozenset[Variable]:
    """The variables that can have a value in a row: those bound outside of absent and present groups."""
    found: set[Variable] = set()
    for leaf in leaves(query):
        if leaf.binds and not leaf.scope:
            found |= leaf.variables
    return frozenset(found)


def main_variable(query: QueryModel) -> Variable | None:
    """The main variable: the first one that is bound in every row; None if there is no variable."""
    certain = certain_variables(query.where)
    every = frozenset(query.variables)
    for known in (certain, bound_variables(query), every):
        for leaf in leaves(query):
            for variable in element_variables(leaf.element):
                if variable in known and (leaf.binds or known is every):
                    return variable
    return None


def certain_variables(group: Group) -> frozenset[Variable]:
    """The variables that have a value in each solution of a group."""
    found: set[Variable] = set()
    for element in group.elements:
        match element:
            case Statement() | Locked():
                found.update(element_variables(element))
            case Values():
                found.update(
                    one for number, one in enumerate(element.variables) if all(row[number] for row in element.rows)
                )
            case InGraph():
                found |= certain_variables(element.group)
                if isinstance(element.name, Variable):
                    found.add(element.name)
            case Alternatives() if element.groups:
                found |= frozenset.intersection(*map(certain_variables, element.groups))
    return frozenset(found)


def home_of(query: QueryModel, variable: Variable) -> Place | None:
    """The place of the group for a further condition on a variable; None if it is ambiguous.

    This is the outermost group that always binds the variable. A condition on a variable of an optional group belongs
    in that group: outside it would fail for rows without a value. A variable bound by some alternatives only has no
    such group.
    """
    found = tuple(_homes(query.where, (), variable, through_tests=False))
    found = found or tuple(_homes(query.where, (), variable, through_tests=True))
    return found[0] if len(found) == 1 else None


def _homes(group: Group, place: Place, variable: Variable, *, through_tests: bool) -> Iterator[Place]:
    if variable in certain_variables(group):
        yield place
        return
    for number, element in enumerate(group.elements):
        if through_tests or not isinstance(element, (AbsentGroup, PresentGroup)):
            for index, inner in enumerate(groups_of(element)):
                yield from _homes(inner, (*place, number, index), variable, through_tests=through_tests)


def removed(query: QueryModel, place: Place) -> QueryModel:
    """Remove an element and what depends on it alone."""
    return without_unbound(replace(query, where=_pruned(query.where, left_without(query, place), place)), query)


def left_without(query: QueryModel, place: Place) -> frozenset[Place]:
    """The places of the leaves that remain when an element is removed.

    Of the parts connected through it, the one with the main variable remains, or else the first that binds something.
    Parts that were not connected with it are unchanged.
    """
    found = leaves(query)
    removed = [leaf for leaf in found if leaf.place[: len(place)] == place]
    lost = frozenset(one for leaf in removed if leaf.binds for one in leaf.variables)
    around = [leaf for part in _parts(found) if any(leaf in part for leaf in removed) for leaf in part]
    main = main_variable(query)
    kept = sorted((leaf for leaf in around if leaf not in removed), key=lambda leaf: leaf.place)
    while True:
        standing = _standing(kept, main)
        steady = [leaf for leaf in standing if not _dangles(leaf, lost, standing, main)]
        if steady == kept:
            return frozenset(leaf.place for leaf in found if leaf in kept or leaf not in around)
        kept = steady


def _standing(kept: list[Leaf], main: Variable | None) -> list[Leaf]:
    """The part to keep when the leaves are no longer connected."""
    parts = [part for part in _parts(kept) if any(leaf.stands for leaf in part)]
    of_main = [part for part in parts if any(leaf.stands and main in leaf.variables for leaf in part)]
    of_statements = [part for part in parts if any(leaf.stands and not _is_values(leaf) for leaf in part)]
    stays = next(iter((*of_main, *of_statements, *parts)), [])
    return [leaf for leaf in kept if leaf in stays]


def _dangles(leaf: Leaf, lost: frozenset[Variable], kept: Iterable[Leaf], main: Variable | None) -> bool:
    """Whether a leaf depends on what was removed.

    It does if it tests a variable that nothing visible to it binds any more (for the main variable only values count as
    binding), or if it is optional, absent or present without a surrounding statement.
    """
    seen = [
        other
        for other in kept
        if _says(other, main)
        and other.place[: len(leaf.sight)] == leaf.sight
        and leaf.scope[: len(other.scope)] == other.scope
    ]
    if leaf.is_tested and not any(other.tests == leaf.sight_tests for other in seen):
        return True
    said = {variable for other in seen for variable in other.variables}
    return not _says(leaf, main) and not leaf.variables.isdisjoint(lost - said)


def _says(leaf: Leaf, main: Variable | None) -> bool:
    return leaf.binds and (main in leaf.variables or not _is_values(leaf))


def _is_values(leaf: Leaf) -> bool:
    return isinstance(leaf.element, Values)


def _parts(found: Iterable[Leaf]) -> list[list[Leaf]]:
    """Group the leaves into parts that share no variables."""
    parts: list[tuple[set[Variable], list[Leaf]]] = []
    for leaf in found:
        names, together = set(leaf.variables), [leaf]
        apart = []
        for part in parts:
            if names.isdisjoint(part[0]):
                apart.append(part)
            else:
                names |= part[0]
                together = part[1] + together
        parts = [*apart, (names, together)]
    return [together for _, together in parts]


def _pruned(group: Group, kept: frozenset[Place], gone: Place, above: Place = ()) -> Group:
    """A group with only some of its leaves; empty elements are removed.

    Args:
        kept: the places of the leaves that stay.
        gone: the place of an element that is removed completely.
    """
    elements: list[Element] = []
    for number, element in enumerate(group.elements):
        place = (*above, number)
        inner = groups_of(element)
        if place == gone or (not inner and place not in kept):
            continue
        left = tuple(_pruned(one, kept, gone, (*place, index)) for index, one in enumerate(inner))
        if left == inner:
            elements.append(element)
        elif isinstance(element, Alternatives):
            branches = tuple(
                one for one, before in zip(left, inner, strict=True) if one.elements or not before.elements
            )
            if len(branches) == 1 < len(inner):
                elements.extend(branches[0].elements)
            elif branches:
                elements.append(Alternatives(branches))
        elif any(one.elements for one in left):
            elements.append(with_groups(element, left))
    return with_optional_last(Group(tuple(elements)))


def with_optional_last(group: Group) -> Group:
    """Move optional parts behind the parts they depend on.

    SPARQL joins in order, so a leading optional part would be required.
    """
    bound: set[Variable] = set()
    for number, element in enumerate(group.elements):
        if isinstance(element, OptionalGroup):
            later = certain_variables(Group(group.elements[number + 1 :]))
            if (later - bound) & set(element_variables(element)):
                break
        bound |= certain_variables(Group((element,)))
    else:
        return group
    first = tuple(one for one in group.elements if not isinstance(one, OptionalGroup))
    return Group((*first, *(one for one in group.elements if isinstance(one, OptionalGroup))))


def without_unbound(query: QueryModel, before: QueryModel) -> QueryModel:
    """Remove columns, groupings and orders of variables that are no longer bound."""
    lost = bound_variables(before) - bound_variables(query)
    if not lost:
        return query
    columns = tuple(one for one in query.columns if lost.isdisjoint(_column_variables(one)))
    group_by = tuple(one for one in query.group_by if lost.isdisjoint(_column_variables(one)))
    if not columns:
        group_by = ()
    lost |= {column_name(one) for one in query.columns} - {column_name(one) for one in columns}
    having = tuple(one for one in query.having if lost.isdisjoint(_key_variables(getattr(one, "aggregate", one))))
    order_by = tuple(one for one in query.order_by if lost.isdisjoint(_key_variables(one.key)))
    tidy = replace(query, columns=columns, group_by=group_by, having=having, order_by=order_by)
    if tidy.is_grouped:
        return tidy
    return replace(tidy, having=(), order_by=tuple(one for one in order_by if not isinstance(one.key, Aggregate)))


def _column_variables(column: Column | object) -> tuple[Variable, ...]:
    return _key_variables(column.value if isinstance(column, NamedColumn) else column)


def _key_variables(key: object) -> tuple[Variable, ...]:
    match key:
        case Variable():
            return (key,)
        case Aggregate():
            return () if key.variable is None else (key.variable,)
        case Order():
            return _key_variables(key.key)
        case _:
            return tuple(getattr(key, "variables", ()))


def new_variable(query: QueryModel, hint: str, *, also_used: Iterable[Variable] = ()) -> Variable:
    """A new variable with the given name, followed by a number if it is taken.

    Args:
        hint: any text; characters not allowed in variable names are removed.
    """
    used = {one.value for one in _used_variables(query)} | {one.value for one in also_used}
    name = re.sub(r"[^A-Za-z0-9]+", "_", hint).strip("_")[:60] or "thing"
    if name not in used:
        return Variable(name)
    number = 2
    while f"{name}{number}" in used:
        number += 1
    return Variable(f"{name}{number}")


def _used_variables(query: QueryModel) -> Iterable[Variable]:
    yield from query.variables
    yield from query.parameters
    for column in (*query.columns, *query.group_by):
        if isinstance(column, (Variable, NamedColumn)):
            yield column_name(column)
    if query.after is not None:
        yield from query.after.variables
    yield from map(Variable, text_variables(query.head))


def home(query: QueryModel, variable: Variable) -> Place:
    """The place of the group that a condition on a variable belongs in.

    Raises:
        WrongParameter: the query does not use it, or only some alternatives do.
    """
    place = home_of(query, variable)
    if place is None and variable in query.variables:
        raise WrongParameter("it is only in some of several alternatives", str(variable), "change one of these first")
    if place is None and query.where.elements:
        raise WrongParameter("the query has no such variable", str(variable), "choose one of its variables")
    return place or ()


def check_known(variable: Variable | None, known: Iterable[Variable]) -> None:
    """Raise WrongParameter for a variable that is not known; None is allowed."""
    if variable is not None and variable not in known:
        raise WrongParameter("the query has no such column", str(variable), "choose one of its variables")


def check_not_empty(query: QueryModel) -> None:
    """Raise WrongParameter if the query is empty."""
    if not query.where.elements:
        raise WrongParameter("the query is not about anything yet", "", "choose a class or a property first")
