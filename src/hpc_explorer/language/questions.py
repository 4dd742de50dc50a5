"""Turn what a question means into a query of the query model.

What one query cannot say is looked up first, through `Lookups`: lineage over any number of steps, and superlatives
within other things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.indirect import Duration, Keyed
from hpc_explorer.language.meaning import (
    Asked,
    Counted,
    Difference,
    Every,
    Extreme,
    Grouping,
    Meaning,
    Picked,
    Ratio,
    Several,
    Share,
    Spread,
    Steps,
    Summary,
    Thing,
    Whether,
)
from hpc_explorer.language.patterns import Lookups, PatternWriter
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.query.model.conditions import LockedExpression, Operator
from hpc_explorer.query.model.paths import AlternativePath
from hpc_explorer.query.model.patterns import (
    AbsentGroup,
    Element,
    Filter,
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
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, Unit, known_units, unit_of
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
            case Several():
                return self._several(meaning)
            case Share():
                return self._share(meaning)
            case Ratio():
                return self._ratio(meaning)
            case Difference():
                return self._difference(meaning)
            case Every(what, held):
                answer = self._named(what)
                others = AbsentGroup(Group(tuple(self._constraint(answer, held))))
                without = AbsentGroup(Group((*self._thing(self._settled(what), answer), others)))
                return QuestionQuery(QueryModel(Group((without,)), form=Form.ASK), answer)
            case Whether():
                answer = self._named(meaning.what)
                elements = tuple(self._thing(meaning.what, answer))
                return QuestionQuery(QueryModel(Group(elements), form=Form.ASK), answer)

    def _difference(self, difference: Difference) -> QuestionQuery:
        """How much more, in the unit of the values, or how many times as much.

        Raises:
            WrongParameter: the units of the two are of different kinds.
        """
        elements: list[Element] = []
        values: list[LockedExpression] = []
        units: list[Unit] = []
        for thing in (difference.one, difference.other):
            host = self._named(thing)
            value = self._variable(self._step_name(difference.steps))
            its = [*self._thing(self._settled(thing), host), *self._statements(host, difference.steps, value)]
            elements += its
            if any(step.predicate in self.terms.quantities for step in difference.steps):
                units.append(self._common_unit(its, value))
                amount, more = self._amount_of(value)
                elements += more
            else:
                amount = LockedExpression(f"?{value.value}", (value,))
            values.append(amount)
        if len({unit.kind for unit in units}) > 1:
            raise WrongParameter("these amounts cannot be compared", "their units differ", "ask for the values")
        one, other = values
        is_time = any(step.predicate in self.terms.times or step.predicate in self.terms.durations
                      for step in difference.steps)  # fmt: skip
        word = self._step_name(difference.steps)
        if difference.is_ratio:
            if is_time:
                raise WrongParameter("times cannot be divided", "they have no zero", "ask for the difference")
            text, word = f"1.0 * {one.text} / ({other.text})", "times"
        else:
            text = f"{one.text} - {other.text}"
            if units:
                unit = max(units, key=lambda each: each.factor or 0)
                text, word = f"({text}) / {unit.factor:f}", f"{word} {unit.symbol}"
            if not difference.is_signed and not is_time:
                text = f"ABS({text})"
            word = f"difference {word}"
        name = self._variable(word)
        column = NamedColumn(LockedExpression(text, (*one.variables, *other.variables)), name)
        return QuestionQuery(QueryModel(Group(tuple(elements)), (column,), Duplicates.DISTINCT), name)

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
        if extreme.per is not None:
            return self._first_of_each(replace(thing, constraints=others), extreme, extreme.per, answer)
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

    def _first_of_each(self, thing: Thing, extreme: Extreme, per: Grouping, answer: Variable) -> QuestionQuery:
        """The first things of each group: those whose value is the greatest, or the least, of the group."""
        group, amount, elements = self._ranked(thing, extreme, per, answer)
        if extreme.number > 1:
            return self._several_of_each(thing, extreme, per, answer, group, amount, elements)
        inner = _QuestionWriter(self.terms, self.lookups)
        inner._taken = [*self._taken]
        its_group, its_amount, others = inner._ranked(thing, extreme, per, inner._named(thing))
        best = self._variable("best")
        function = "MAX" if extreme.is_greatest else "MIN"
        columns = (
            NamedColumn(LockedExpression(f"?{its_group.value}", (its_group,)), group),
            NamedColumn(LockedExpression(f"{function}({its_amount.text})", its_amount.variables), best),
        )
        text = sparql_text(QueryModel(Group(tuple(others)), columns, group_by=(its_group,)))
        is_best = Filter(LockedExpression(f"{amount.text} = ?{best.value}", (*amount.variables, best)))
        where = Group((Locked(" ".join(text.split()), (group, best)), *elements, is_best))
        shown = NamedColumn(amount, self._variable(f"its {self._step_name(extreme.steps)}"))
        query = QueryModel(where, (answer, group, shown), Duplicates.DISTINCT, order_by=(Order(group), Order(answer)))
        return QuestionQuery(query, answer)

    def _several_of_each(
        self,
        thing: Thing,
        extreme: Extreme,
        per: Grouping,
        answer: Variable,
        group: Variable,
        amount: LockedExpression,
        elements: Sequence[Element],
    ) -> QuestionQuery:
        """The first few things of each group: those with fewer others of the group before them."""
        other = self._variable(f"other {answer.value}")
        its_group, its_amount, others = self._ranked(thing, extreme, per, other)
        sign = ">" if extreme.is_greatest else "<"
        is_before = LockedExpression(
            f"?{its_group.value} = ?{group.value} && {its_amount.text} {sign} {amount.text}",
            (its_group, group, *its_amount.variables, *amount.variables),
        )
        where = Group((*elements, OptionalGroup(Group((*others, Filter(is_before))))))
        few = Having(
            Aggregate(AggregateFunction.COUNT, other, True),
            Operator.LESS,
            Literal(str(extreme.number), datatype=XSD.integer),
        )
        query = QueryModel(
            where, (answer, group), group_by=(answer, group), having=(few,), order_by=(Order(group), Order(answer))
        )
        return QuestionQuery(query, answer)

    def _ranked(
        self, thing: Thing, extreme: Extreme, per: Grouping, answer: Variable
    ) -> tuple[Variable, LockedExpression, list[Element]]:
        """The groups of some things and what they are sorted by, with the pattern that binds both."""
        elements = list(self._thing(thing, answer))
        value = self._variable(self._step_name(extreme.steps))
        elements += self._statements(answer, extreme.steps, value)
        amount = LockedExpression(f"?{value.value}", (value,))
        if any(step.predicate in self.terms.quantities for step in extreme.steps):
            amount, more = self._amount_of(value)
            elements += more
        return self._group(answer, per, elements), amount, elements

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
        if asked.unit is not None:
            amount, more = self._in_base_units(host, value, asked.steps, elements)
            text, word = self._in_unit(amount, asked, [*elements, *more], value)
            name = self._variable(f"{value.value} {word}")
            columns = (host, NamedColumn(LockedExpression(text, amount.variables), name), *shown[2:])
            return QuestionQuery(QueryModel(Group((*elements, *more)), columns, Duplicates.DISTINCT), name)
        query = QueryModel(Group(tuple(elements)), tuple(shown), Duplicates.DISTINCT, order_by=order)
        return QuestionQuery(query, host if order else value)

    def _in_base_units(
        self, host: Variable, value: Variable, steps: Steps, elements: Sequence[Element]
    ) -> tuple[LockedExpression, list[Element]]:
        """An amount in base units, with what is needed beside the pattern that binds the value."""
        own = self.terms.indirect.get(steps[0].predicate)
        if isinstance(own, Duration):
            return self._seconds_of(host, own)
        if any(step.predicate in self.terms.quantities for step in steps):
            return self._amount_of(value)
        factor = known_units()[own.unit].factor if isinstance(own, Keyed) and own.unit is not None else None
        return LockedExpression(f"?{value.value} * {factor or 1:f}", (value,)), []

    def _in_unit(
        self, amount: LockedExpression, asked: Asked, elements: Sequence[Element], value: Variable
    ) -> tuple[str, str]:
        """An amount in base units in the unit that is asked for, and its symbol.

        Raises:
            WrongParameter: the values have no such unit.
        """
        assert asked.unit is not None
        unit = unit_of(asked.unit)
        is_quantity = any(step.predicate in self.terms.quantities for step in asked.steps)
        if unit.factor is None or (is_quantity and self._common_unit(elements, value).kind != unit.kind):
            raise WrongParameter("these values have no such unit", unit.label, "ask for them without a unit")
        return f"({amount.text}) / {unit.factor:f}", unit.symbol

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

    def _several(self, several: Several) -> QuestionQuery:
        """The numbers side by side in one row."""
        parts: list[Locked] = []
        for one in several.questions:
            found = self.written(one)
            text = " ".join(sparql_text(found.query).split())
            name = self._variable(f"{found.answer.value} {len(parts) + 1}")
            outer = f"SELECT (?{found.answer.value} AS ?{name.value}) {{ {{ {text} }} }}"
            parts.append(Locked(outer, (name,)))
        columns = tuple(one.variables[0] for one in parts)
        return QuestionQuery(QueryModel(Group(tuple(parts)), columns), columns[0])

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
        words = {"AVG": "average", "SUM": "total", "MIN": "least", "MAX": "greatest", "RANGE": "difference"}
        word = words[summary.function.value]
        column: Aggregate | LockedExpression
        if isinstance(summary.function, Spread):
            column = LockedExpression(f"MAX(?{value.value}) - MIN(?{value.value})", (value,))
        else:
            column = Aggregate(summary.function, value)
        is_time = all(step.predicate in self.terms.durations for step in summary.what.steps)
        is_quantity = any(step.predicate in self.terms.quantities for step in summary.what.steps)
        if is_time or is_quantity or summary.what.unit is not None:
            amount, more = self._in_base_units(host, value, summary.what.steps, of_value)
            if isinstance(summary.function, Spread):
                text = f"(MAX({amount.text}) - MIN({amount.text}))"
            else:
                text = f"{summary.function.value}({amount.text})"
            whole = LockedExpression(text, amount.variables)
            text = f'STRDT(CONCAT("PT", STR({whole.text}), "S"), <{XSD.dayTimeDuration.value}>)'
            if summary.what.unit is not None:
                text, symbol = self._in_unit(whole, summary.what, [*of_host, *of_value], value)
                word = f"{word} {symbol}"
            elif is_quantity:
                unit = self._common_unit([*of_host, *of_value], value)
                text, word = f"{whole.text} / {unit.factor:f}", f"{word} {unit.symbol}"
            column = LockedExpression(text, amount.variables)
            of_value = more if is_time else [*of_value, *more]
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
