"""Turn what a question means into a query of the query model.

What one query cannot say is looked up first, through `Lookups`: lineage over any number of steps, and superlatives
within other things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.meaning import (
    Asked,
    Counted,
    Every,
    Extreme,
    Meaning,
    Picked,
    Ratio,
    Share,
    Summary,
    Thing,
    Whether,
)
from hpc_explorer.language.patterns import Lookups, PatternWriter
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.query.model.conditions import (
    LockedExpression,
)
from hpc_explorer.query.model.paths import AlternativePath
from hpc_explorer.query.model.patterns import (
    AbsentGroup,
    Element,
    Group,
    Locked,
    OptionalGroup,
    Statement,
    element_variables,
)
from hpc_explorer.query.model.query import (
    Aggregate,
    AggregateFunction,
    Column,
    Duplicates,
    Form,
    Having,
    NamedColumn,
    Order,
    QueryModel,
)
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, Unit, known_units
from hpc_explorer.rdf.terms import Literal, Variable


@dataclass(frozen=True)
class QuestionQuery:
    """A query, and the variable that holds the answer."""

    query: QueryModel
    answer: Variable


def question_query(meaning: Meaning, terms: GraphTerms, lookups: Lookups) -> QuestionQuery:
    """The query of a question."""
    return _QuestionWriter(terms, lookups).written(meaning)


class _QuestionWriter(PatternWriter):
    def _query_of(self, thing: Thing) -> QueryModel:
        return _QuestionWriter(self.terms, self.lookups).written(thing).query

    def written(self, meaning: Meaning) -> QuestionQuery:
        match meaning:
            case Thing():
                return self._things(meaning)
            case Asked():
                return self._asked(meaning)
            case Counted():
                return self._counted(meaning)
            case Summary():
                return self._summary(meaning)
            case Share():
                return self._share(meaning)
            case Ratio():
                return self._ratio(meaning)
            case Every(what, held):
                answer = self._named(what)
                others = AbsentGroup(Group(tuple(self._constraint(answer, held))))
                without = AbsentGroup(Group((*self._thing(self._settled(what), answer), others)))
                return QuestionQuery(QueryModel(Group((without,)), form=Form.ASK), answer)
            case Whether():
                answer = self._named(meaning.what)
                elements = tuple(self._thing(meaning.what, answer))
                return QuestionQuery(QueryModel(Group(elements), form=Form.ASK), answer)

    def _things(self, thing: Thing) -> QuestionQuery:
        extremes = [one for one in thing.constraints if isinstance(one, Extreme)]
        if extremes:
            return self._first(thing, extremes[0])
        answer = self._named(thing)
        elements = tuple(self._thing(thing, answer))
        return QuestionQuery(QueryModel(Group(elements), (answer,), Duplicates.DISTINCT), answer)

    def _first(self, thing: Thing, extreme: Extreme) -> QuestionQuery:
        """The first things by a property; those that share the last place are all there."""
        answer = self._named(thing)
        others = tuple(one for one in thing.constraints if one != extreme)
        elements = list(self._thing(replace(thing, constraints=others), answer))
        value = self._variable(self._step_name(extreme.steps))
        elements += self._statements(answer, extreme.steps, value)
        if extreme.counted is not None:
            elements += self._thing(extreme.counted, value)
        if extreme.by_count:
            count = Aggregate(AggregateFunction.COUNT, value, True)
            number = self._variable("number")
            query = QueryModel(
                Group(tuple(elements)), (answer, NamedColumn(count, number)), group_by=(answer,),
                order_by=(Order(number, extreme.is_greatest),),
            )  # fmt: skip
        elif any(step.predicate in self.terms.quantities for step in extreme.steps):
            amount, more = self._amount_of(value)
            shown = self._variable("amount")
            query = QueryModel(
                Group((*elements, *more)),
                (answer, NamedColumn(amount, shown)),
                Duplicates.DISTINCT,
                order_by=(Order(shown, extreme.is_greatest),),
            )
        else:
            query = QueryModel(
                Group(tuple(elements)), (answer, value), Duplicates.DISTINCT,
                order_by=(Order(value, extreme.is_greatest),),
            )  # fmt: skip
        before = 0 if extreme.place == 1 else self.lookups.with_ties(query, extreme.place - 1)
        if before >= extreme.place:
            raise WrongParameter("nothing has this place", "several share the place before", "ask for the first ones")
        limit = self.lookups.with_ties(query, extreme.place + extreme.number - 1) - before
        return QuestionQuery(replace(query, limit=limit, offset=before or None), answer)

    def _asked(self, asked: Asked) -> QuestionQuery:
        host = self._named(asked.host)
        value = self._variable(self._step_name(asked.steps))
        elements = [*self._thing(self._settled(asked.host), host), *self._statements(host, asked.steps, value)]
        shown = [host, value]
        for steps in asked.also:
            shown.append(self._variable(self._step_name(steps)))
            elements.append(OptionalGroup(Group(tuple(self._statements(host, steps, shown[-1])))))
        order = () if asked.is_descending is None else (Order(value, asked.is_descending), Order(host))
        if order and any(step.predicate in self.terms.quantities for step in asked.steps):
            amount, more = self._amount_of(value)
            name = self._variable("amount")
            columns: tuple[Column, ...] = (*shown, NamedColumn(amount, name))
            order = (Order(name, bool(asked.is_descending)), Order(host))
            return QuestionQuery(
                QueryModel(Group((*elements, *more)), columns, Duplicates.DISTINCT, order_by=order), host
            )
        query = QueryModel(Group(tuple(elements)), tuple(shown), Duplicates.DISTINCT, order_by=order)
        return QuestionQuery(query, host if order else value)

    def _counted(self, counted: Counted) -> QuestionQuery:
        if isinstance(counted.what, Asked):
            host = self._named(counted.what.host)
            what = self._variable(self._step_name(counted.what.steps))
            elements = [
                *self._thing(self._settled(counted.what.host), host),
                *self._statements(host, counted.what.steps, what),
            ]
        else:
            what = host = self._named(counted.what)
            elements = list(self._thing(self._settled(counted.what), what))
        number = self._variable("number")
        columns: tuple[Column, ...] = (NamedColumn(Aggregate(AggregateFunction.COUNT, what, True), number),)
        group: tuple[Variable, ...] = ()
        order: tuple[Order, ...] = ()
        if counted.per is not None:
            group = (self._group(host, counted.per, elements),)
            columns, order = (*group, *columns), (Order(number, True), Order(group[0]))
        query = QueryModel(Group(tuple(elements)), columns, group_by=group, order_by=order)
        if counted.picked is None or not group:
            return QuestionQuery(query, number)
        return self._picked(query, counted.picked, number)

    def _picked(self, query: QueryModel, picked: Picked, value: Variable) -> QuestionQuery:
        """The groups of a query that are asked for, by their value in the last column."""
        group = query.columns[0]
        assert isinstance(group, Variable)
        if picked.operator is not None:
            aggregate = next(one.value for one in query.columns if isinstance(one, NamedColumn))
            assert isinstance(aggregate, Aggregate)
            having = Having(aggregate, picked.operator, Literal(str(picked.number), datatype=XSD.integer))
            return QuestionQuery(replace(query, having=(having,)), group)
        query = replace(query, order_by=(Order(value, picked.is_greatest),))
        return QuestionQuery(replace(query, limit=self.lookups.with_ties(query, picked.number)), group)

    def _share(self, share: Share) -> QuestionQuery:
        """The things that hold the constraints are a second variable, which the others leave unbound."""
        thing = self._named(share.of)
        elements = list(self._thing(self._settled(share.of), thing))
        group = () if share.per is None else (self._group(thing, share.per, elements),)
        part = self._variable("part")
        held = self._settled(replace(share.of, constraints=(*share.of.constraints, *share.held)))
        such = [*self._thing(held, thing), Locked(f"BIND(?{thing.value} AS ?{part.value})", (thing, part))]
        text = f"100.0 * COUNT(DISTINCT ?{part.value}) / COUNT(DISTINCT ?{thing.value})"
        name = self._variable("percentage")
        columns: tuple[Column, ...] = (*group, NamedColumn(LockedExpression(text, (part, thing)), name))
        where = Group((*elements, OptionalGroup(Group(tuple(such)))))
        return QuestionQuery(QueryModel(where, columns, group_by=group, order_by=tuple(map(Order, group))), name)

    def _ratio(self, ratio: Ratio) -> QuestionQuery:
        """One amount of each thing in percent of another.

        Raises:
            WrongParameter: their units are of different kinds.
        """
        host = self._named(ratio.host)
        elements = list(self._thing(self._settled(ratio.host), host))
        texts: list[str] = []
        kinds: list[object] = []
        shown: list[Variable] = []
        for steps in (ratio.steps, ratio.of):
            value = self._variable(self._step_name(steps))
            its = self._statements(host, steps, value)
            if any(step.predicate in self.terms.quantities for step in steps):
                kinds.append(self._common_unit([*elements, *its], value).kind)
                amount, more = self._amount_of(value)
                texts.append(amount.text)
                shown += amount.variables
                its += more
            else:
                kinds.append("")
                texts.append(f"?{value.value}")
                shown.append(value)
            elements += its
        if len(set(kinds)) > 1:
            raise WrongParameter("these amounts cannot be divided", "their units differ", "ask for the values")
        name = self._variable("percentage")
        column = NamedColumn(LockedExpression(f"100.0 * {texts[0]} / ({texts[1]})", tuple(shown)), name)
        return QuestionQuery(QueryModel(Group(tuple(elements)), (host, column), Duplicates.DISTINCT), name)

    def _summary(self, summary: Summary) -> QuestionQuery:
        host = self._named(summary.what.host)
        value = self._variable(self._step_name(summary.what.steps))
        of_host = list(self._thing(self._settled(summary.what.host), host))
        of_value = self._statements(host, summary.what.steps, value)
        word = {"AVG": "average", "SUM": "total", "MIN": "least", "MAX": "greatest"}[summary.function.value]
        column: Aggregate | LockedExpression = Aggregate(summary.function, value)
        if any(step.predicate in self.terms.quantities for step in summary.what.steps):
            unit = self._common_unit([*of_host, *of_value], value)
            amount, more = self._amount_of(value)
            of_value += more
            text = f"{summary.function.value}({amount.text}) / {unit.factor:f}"
            column, word = LockedExpression(text, amount.variables), f"{word} {unit.symbol}"
        name = self._variable(word)
        group: tuple[Variable, ...] = ()
        if summary.per is not None:
            group = (self._group(host, summary.per, of_value),)
        elements = (*of_host, *of_value)
        if not _has_each_once(of_host):
            shown = dict.fromkeys((host, *(one for element in of_value for one in element_variables(element))))
            inner = sparql_text(QueryModel(Group(elements), tuple(shown), Duplicates.DISTINCT))
            elements = (Locked(" ".join(inner.split()), tuple(shown)),)
        columns: tuple[Column, ...] = (*group, NamedColumn(column, name))
        query = QueryModel(Group(elements), columns, group_by=group, order_by=tuple(map(Order, group)))
        if summary.picked is None or not group:
            return QuestionQuery(query, name)
        return self._picked(query, summary.picked, name)

    def _common_unit(self, elements: Sequence[Element], node: Variable) -> Unit:
        """The unit in which quantities are summed up: the greatest of those in use.

        Raises:
            WrongParameter: they have no known unit, or units of several kinds.
        """
        unit = self._variable("unit")
        where = Group((*elements, Statement(node, AlternativePath(UNIT_PREDICATES), unit)))
        found = self.lookups.resources(QueryModel(where, (unit,), Duplicates.DISTINCT))
        units = [one for iri in found if (one := known_units().get(iri)) is not None and one.factor]
        if len(units) != len(found) or len({one.kind for one in units}) != 1:
            raise WrongParameter("these quantities cannot be summed up", "their units differ", "ask for the values")
        return max(units, key=lambda one: one.factor or 0)


def _has_each_once(elements: Sequence[Element]) -> bool:
    """Whether a pattern surely has one match for each thing; otherwise a sum would count values twice."""
    return all(isinstance(one, Statement) and one.predicate == RDF.type for one in elements) and len(elements) < 2
