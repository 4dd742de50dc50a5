"""The nouns for the variables of a query, and the thing that its sentence begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hpc_explorer.query.model.patterns import Group, Statement, Values, element_variables
from hpc_explorer.query.model.places import places
from hpc_explorer.query.model.query import QueryModel, column_name
from hpc_explorer.query.sentence.wording import Names, property_words, variable_words, words
from hpc_explorer.rdf.terms import NamedNode, Variable


def things_of(statement: Statement) -> list[Variable]:
    """The variables at the ends of a statement."""
    return [one for one in (statement.subject, statement.object) if isinstance(one, Variable)]


def stated_in(group: Group) -> frozenset[Variable]:
    """The variables of a group's own statements and values, without those of groups within it."""
    return frozenset(
        variable
        for element in group.elements
        if isinstance(element, (Statement, Values))
        for variable in element_variables(element)
    )


def main_thing(query: QueryModel) -> Variable | None:
    """The first of: a column with a class, any variable with a class, a column, a subject."""
    statements = [one for one in query.where.elements if isinstance(one, Statement)]
    subjects = [one.subject for one in statements if isinstance(one.subject, Variable)]
    ends = [variable for one in statements for variable in things_of(one)]
    classed = [one.subject for one in statements if one.class_of_subject and isinstance(one.subject, Variable)]
    shown = [column_name(one) for one in query.columns]
    shown_classed = [one for one in shown if one in classed]
    for variable in (*shown_classed, *classed, *(one for one in shown if one in ends), *subjects):
        if variable not in query.parameters:
            return variable
    return ends[0] if ends else None


def nouns(query: QueryModel, names: Names) -> Mapping[Variable, str]:
    """The nouns of variables, from their classes or from the properties that lead to them.

    Variables with the same noun are distinguished by their names. A variable with neither is left out.
    """
    by_class: dict[Variable, str] = {}
    by_property: dict[Variable, str] = {}
    outer = stated_in(query.where)
    for place, element in places(query):
        if not isinstance(element, Statement):
            continue
        is_inner = len(place) > 1 and element.subject in outer
        if element.class_of_subject is not None and isinstance(element.subject, Variable) and not is_inner:
            by_class.setdefault(element.subject, words(names(element.class_of_subject)))
        elif isinstance(element.object, Variable) and isinstance(element.predicate, NamedNode):
            property_ = property_words(element.predicate, names)
            if not property_.is_verb:
                by_property.setdefault(element.object, property_.text)
    shared = Counter((by_property | by_class).values())
    for variable, noun in (by_property | by_class).items():
        own = variable_words(variable)
        if shared[noun] > 1 and own not in (noun, "thing"):
            by_property[variable] = f"{noun} ({own})" if variable in by_class else own
            by_class.pop(variable, None)
    return by_property | by_class
