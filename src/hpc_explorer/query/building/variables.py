"""Variables of a query being built."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building.connections import home_of
from hpc_explorer.query.model.places import Place
from hpc_explorer.query.model.query import NamedColumn, QueryModel, column_name
from hpc_explorer.query.sparql.blanks import variables as text_variables
from hpc_explorer.rdf.terms import Variable


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
