"""Write what is said of things as graph patterns of the query model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Protocol

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.indirect import Duration, Keyed
from hpc_explorer.language.meaning import (
    Amount,
    Choice,
    Compared,
    Constraint,
    Derived,
    Either,
    Extreme,
    Grouping,
    Has,
    Numbered,
    Other,
    Part,
    Step,
    Steps,
    Thing,
)
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.query.building import new_variable
from hpc_explorer.query.model.conditions import (
    AnyOf,
    Between,
    Comparison,
    Condition,
    LockedExpression,
    OneOf,
    Operator,
    TextMatch,
)
from hpc_explorer.query.model.paths import AlternativePath, InversePath, Path
from hpc_explorer.query.model.patterns import (
    INSTANCE_PATH,
    AbsentGroup,
    Alternatives,
    Element,
    Filter,
    Group,
    Locked,
    QuantityRange,
    Statement,
    Values,
)
from hpc_explorer.query.model.query import (
    Aggregate,
    AggregateFunction,
    QueryModel,
)
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, VALUE_PREDICATES, known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

_LETTERS = {"year": 4, "month": 7, "day": 10}
"""How much of a time in ISO 8601 tells its year, month or day."""


_SECONDS = (
    "86400 * (367 * YEAR(?{0}) - FLOOR(7 * (YEAR(?{0}) + FLOOR((MONTH(?{0}) + 9) / 12)) / 4)"
    " - FLOOR(3 * (FLOOR((YEAR(?{0}) + FLOOR((MONTH(?{0}) + 9) / 12) - 1) / 100) + 1) / 4)"
    " + FLOOR(275 * MONTH(?{0}) / 9) + DAY(?{0})) + 3600 * HOURS(?{0}) + 60 * MINUTES(?{0}) + SECONDS(?{0})"
)
"""The seconds from a fixed day to a time of the Gregorian calendar, as an expression."""


class Lookups(Protocol):
    """What is asked of the graph while a query is made."""

    def resources(self, query: QueryModel) -> tuple[NamedNode, ...]:
        """The resources in the first column of a query."""
        ...

    def lineage(self, resources: Sequence[NamedNode], *, downstream: bool) -> tuple[NamedNode, ...]:
        """What was made from any of the resources (downstream), or what they were made from."""
        ...

    def with_ties(self, query: QueryModel, number: int) -> int:
        """How many rows share the first `number` places of a sorted query, the last column being the sort key."""
        ...


class PatternWriter(ABC):
    """Writes patterns with variables of their own."""

    def __init__(self, terms: GraphTerms, lookups: Lookups) -> None:
        self.terms = terms
        self.lookups = lookups
        self._taken: list[Variable] = []

    def _variable(self, name: str) -> Variable:
        found = new_variable(QueryModel(), name, also_used=tuple(self._taken))
        self._taken.append(found)
        return found

    def _named(self, thing: Thing, otherwise: str = "thing") -> Variable:
        return self._variable(self.terms.schema.class_label(thing.classes[0]) if thing.classes else otherwise)

    def _settled(self, thing: Thing) -> Thing:
        """A thing whose superlatives were looked up."""
        if any(isinstance(one, Extreme) for one in thing.constraints):
            found = self.lookups.resources(self._query_of(thing))
            return Thing(thing.classes, found or (NamedNode("urn:nothing"),))
        return thing

    def _thing(self, thing: Thing, variable: Variable) -> Iterable[Element]:
        thing = self._settled(thing)
        yield from self._classes(thing.classes, variable)
        if thing.resources:
            yield Values((variable,), tuple((one,) for one in thing.resources))
        for constraint in thing.constraints:
            yield from self._constraint(variable, constraint)

    def _classes(self, classes: Sequence[NamedNode], variable: Variable) -> Iterable[Element]:
        """The classes of a thing. Subclasses that only the shipped ontology knows are listed."""
        if not classes:
            return
        below = self.terms.at_or_below(classes) & self.terms.used_classes
        known = self.terms.schema.classes
        if len(classes) == 1 and all(cls == classes[0] or known[cls].defined for cls in below):
            yield Statement(variable, INSTANCE_PATH if below - {classes[0]} else RDF.type, classes[0])
        elif len(below) == 1:
            yield Statement(variable, RDF.type, next(iter(below)))
        else:
            kind = self._variable("class")
            yield Statement(variable, RDF.type, kind)
            yield Values((kind,), tuple((cls,) for cls in sorted(below or classes, key=str)))

    def _constraint(self, variable: Variable, constraint: Constraint) -> Iterable[Element]:
        match constraint:
            case Has(negated=True):
                yield AbsentGroup(Group(tuple(self._has(variable, constraint))))
            case Has():
                yield from self._has(variable, constraint)
                if constraint.only and isinstance(constraint.target, Thing):
                    other = self._variable("other")
                    rest = (*self._statements(variable, constraint.steps, other),
                            *self._constraint(other, Other(constraint.target)))  # fmt: skip
                    yield AbsentGroup(Group(rest))
            case Derived():
                yield from self._derived(variable, constraint)
            case Other(target):
                if target.constraints or not target.resources:
                    yield AbsentGroup(Group(tuple(self._thing(target, variable))))
                else:
                    yield Filter(OneOf(variable, target.resources, is_negated=True))
            case Either(options) if any(isinstance(one, Has) and one.negated for one in options):
                yield self._unless(variable, options)
            case Either(options) if any(isinstance(one, Numbered) and one.holds_for_none for one in options):
                # Each option is a group of its own, from which nothing can be taken away.
                raise WrongParameter("no such choice", "at most a number", "ask for each on its own")
            case Either(options):
                yield Alternatives(tuple(Group(tuple(self._constraint(variable, one))) for one in options))
            case Numbered():
                yield self._numbered(variable, constraint)
            case Compared():
                yield from self._compared(variable, constraint)

    def _unless(self, variable: Variable, options: Sequence[Constraint]) -> AbsentGroup:
        """Not A, or B: unless there is A without B. A group of its own would not know the variable."""
        elements: list[Element] = []
        for one in options:
            if isinstance(one, Has) and one.negated:
                elements += self._has(variable, one)
            else:
                elements.append(AbsentGroup(Group(tuple(self._constraint(variable, one)))))
        return AbsentGroup(Group(tuple(sorted(elements, key=lambda one: isinstance(one, AbsentGroup)))))

    def _compared(self, variable: Variable, compared: Compared) -> Iterable[Element]:
        """A comparison with the value of another thing."""
        target = self._settled(compared.target)
        other = self._named(target, "other")
        value = self._variable(self._step_name(compared.steps))
        if compared.operator is Operator.EQUAL:
            yield from self._statements(variable, compared.steps, value)
            yield from self._thing(target, other)
            yield from self._statements(other, compared.steps, value)
            yield Filter(Comparison(variable, Operator.UNEQUAL, other))
            return
        its = self._variable(f"{value.value} of the other")
        yield from self._thing(target, other)
        yield from self._statements(other, compared.steps, its)
        yield from self._statements(variable, compared.steps, value)
        if any(step.predicate in self.terms.quantities for step in compared.steps):
            mine, more = self._amount_of(value)
            of_other, others = self._amount_of(its)
            yield from (*more, *others)
            text = f"{mine.text} {compared.operator.value} {of_other.text}"
            yield Filter(LockedExpression(text, (*mine.variables, *of_other.variables)))
        else:
            yield Filter(Comparison(value, compared.operator, its))

    def _has(self, variable: Variable, has: Has) -> Iterable[Element]:
        target = has.target
        if isinstance(target, Thing):
            target = self._settled(target)
            if target.is_all:
                for one in target.resources:
                    yield from self._statements(variable, has.steps, one)
                return
            if len(target.resources) == 1 and not target.constraints:
                yield from self._statements(variable, has.steps, target.resources[0])
                return
            other = self._named(target, self._step_name(has.steps))
            yield from self._statements(variable, has.steps, other)
            yield from self._thing(target, other)
            return
        if isinstance(target, Choice) and len(target.values) == 1:
            yield from self._statements(variable, has.steps, target.values[0])
            return
        value = self._variable(self._step_name(has.steps))
        yield from self._statements(variable, has.steps, value)
        if isinstance(target, Choice):
            yield Values((value,), tuple((one,) for one in target.values))
        elif isinstance(target, Part):
            yield Filter(TextMatch(value, target.test, target.text))
        elif isinstance(target, Amount):
            yield from self._measured(value, has.steps, target)

    def _measured(self, value: Variable, steps: Steps, amount: Amount) -> Iterable[Element]:
        if amount.is_time:
            kinds = sorted({kind for step in steps for kind in self.terms.times.get(step.predicate, ())}, key=str)
            options = tuple(_time_condition(value, amount, kind) for kind in kinds)
            yield Filter(options[0] if len(options) == 1 else AnyOf(options))
            return
        if amount.unit is not None:
            if any(step.predicate in self.terms.quantities for step in steps):
                yield from self._quantity(value, amount)
            else:
                yield from self._plain_quantity(value, steps, amount)
            return
        if all(step.predicate in self.terms.quantities for step in steps):
            number = self._variable(f"{value.value}_number")
            yield Statement(value, AlternativePath(VALUE_PREDICATES), number)
            value = number
        if amount.upper:
            yield Filter(Between(value, _number(amount.value), _number(amount.upper)))
        else:
            yield Filter(Comparison(value, amount.operator, _number(amount.value)))

    def _plain_quantity(self, value: Variable, steps: Steps, amount: Amount) -> Iterable[Element]:
        """A comparison with a number in base units, such as bytes, or with a duration."""
        assert amount.unit is not None
        factor = known_units()[amount.unit].factor or Decimal(1)
        own = self.terms.indirect.get(steps[0].predicate)
        if isinstance(own, Keyed) and own.unit is not None:
            factor /= known_units()[own.unit].factor or Decimal(1)
        is_time = any(step.predicate in self.terms.durations for step in steps)

        def based(number: str) -> Literal:
            amount_of = format((Decimal(number) * factor).normalize(), "f")
            return Literal(f"PT{amount_of}S", datatype=XSD.dayTimeDuration) if is_time else _number(amount_of)

        if amount.upper:
            yield Filter(Between(value, based(amount.value), based(amount.upper)))
        else:
            yield Filter(Comparison(value, amount.operator, based(amount.value)))

    @staticmethod
    def _quantity(value: Variable, amount: Amount) -> Iterable[Element]:
        assert amount.unit is not None
        number = amount.number
        least = QuantityRange(value, amount.unit, least=number)
        most = QuantityRange(value, amount.unit, most=number)
        match amount.operator:
            case Operator.AT_LEAST:
                yield least
            case Operator.AT_MOST:
                yield most
            case Operator.MORE:
                yield least
                yield AbsentGroup(Group((most,)))
            case Operator.LESS:
                yield most
                yield AbsentGroup(Group((least,)))
            case Operator.EQUAL:
                yield QuantityRange(value, amount.unit, number, Decimal(amount.upper) if amount.upper else number)
            case Operator.UNEQUAL:
                yield AbsentGroup(Group((QuantityRange(value, amount.unit, number, number),)))

    def _derived(self, variable: Variable, derived: Derived) -> Iterable[Element]:
        starts: Sequence[NamedNode] = derived.target.resources
        if derived.target.constraints or not starts:
            starts = self.lookups.resources(self._query_of(derived.target))
        found = self.lookups.lineage(starts, downstream=derived.from_target)
        if derived.negated:
            if found:
                yield Filter(OneOf(variable, found, is_negated=True))
        else:
            yield Values((variable,), tuple((one,) for one in found))

    def _numbered(self, variable: Variable, numbered: Numbered) -> Locked:
        inner = type(self)(self.terms, self.lookups)
        inner._taken = [*self._taken, variable]
        other = inner._variable(self._step_name(numbered.steps))
        elements: list[Element] = inner._statements(variable, numbered.steps, other)
        if numbered.target is not None:
            elements += inner._thing(numbered.target, other)
        count = Aggregate(AggregateFunction.COUNT, other, True)
        text = sparql_text(QueryModel(Group(tuple(elements)), (variable,), group_by=(variable,)))
        counted = f"COUNT(DISTINCT ?{count.variable.value if count.variable else ''})"
        condition = f"{counted} {numbered.operator.value} {numbered.number}"
        if not numbered.holds_for_none:
            return Locked(f"{' '.join(text.split())} HAVING ({condition})", (variable,))
        # Things without any have no group.
        return Locked(f"MINUS {{ {{ {' '.join(text.split())} HAVING (!({condition})) }} }}", (variable,))

    def _group(self, host: Variable, grouping: Grouping, elements: list[Element]) -> Variable:
        """The variable of the groups, with the statements that lead to it; without steps, each host is a group."""
        if not grouping.steps:
            return host
        group = self._variable(self._step_name(grouping.steps))
        elements += self._statements(host, grouping.steps, group)
        elements += self._classes(grouping.classes, group)
        if not grouping.part:
            return group
        part = self._variable(grouping.part)
        text = f"BIND(SUBSTR(STR(?{group.value}), 1, {_LETTERS[grouping.part]}) AS ?{part.value})"
        elements.append(Locked(text, (group, part)))
        return part

    def _statements(self, subject: Variable, steps: Steps, target: Variable | NamedNode | Literal) -> list[Element]:
        """What says that the steps lead from a variable to a target."""
        if len(steps) > 1:
            return [Statement(subject, AlternativePath(tuple(map(_path, steps))), target)]
        step = steps[0]
        match self.terms.indirect.get(step.predicate):
            case Keyed(label, properties, key, keys, value, _):
                node = self._variable(f"{label} node")
                one_of = properties[0] if len(properties) == 1 else AlternativePath(properties)
                if len(keys) == 1:
                    named: list[Element] = [Statement(node, key, keys[0])]
                else:
                    name = self._variable("key")
                    named = [Statement(node, key, name), Values((name,), tuple((one,) for one in keys))]
                return [Statement(subject, one_of, node), *named, Statement(node, value, target)]
            case Duration(start, end) if isinstance(target, Variable):
                first, last = self._variable("start"), self._variable("end")
                text = f"BIND(?{last.value} - ?{first.value} AS ?{target.value})"
                return [
                    Statement(subject, start, first),
                    Statement(subject, end, last),
                    Locked(text, (last, first, target)),
                ]
        if step.forward or isinstance(target, Literal):
            return [Statement(subject, step.predicate, target)]
        return [Statement(target, step.predicate, subject)]

    def _amount_of(self, node: Variable) -> tuple[LockedExpression, list[Element]]:
        """A quantity in base units, to be sorted by."""
        number, unit, factor = (self._variable(f"{node.value}_{part}") for part in ("number", "unit", "factor"))
        rows = tuple(
            (iri, Literal(f"{one.factor:f}" if "." in f"{one.factor:f}" else f"{one.factor:f}.0", datatype=XSD.decimal))
            for iri, one in known_units().items()
            if one.factor is not None
        )
        elements: list[Element] = [
            Statement(node, AlternativePath(VALUE_PREDICATES), number),
            Statement(node, AlternativePath(UNIT_PREDICATES), unit),
            Values((unit, factor), rows),
        ]
        text = f"<{XSD.double.value}>(STR(?{number.value})) * ?{factor.value}"
        return LockedExpression(text, (number, factor)), elements

    def _seconds_of(self, host: Variable, duration: Duration) -> tuple[LockedExpression, list[Element]]:
        """A duration in seconds, by functions that every SPARQL engine has."""
        first, last = self._variable("start"), self._variable("end")
        elements: list[Element] = [Statement(host, duration.start, first), Statement(host, duration.end, last)]
        text = f"{_SECONDS.format(last.value)} - ({_SECONDS.format(first.value)})"
        return LockedExpression(text, (last, first)), elements

    def _step_name(self, steps: Steps) -> str:
        if not steps:
            return "value"
        indirect = self.terms.indirect.get(steps[0].predicate)
        if isinstance(indirect, Keyed) and indirect.unit is not None:
            return f"{indirect.label} {known_units()[indirect.unit].symbol}"
        return local_name(steps[0].predicate.value)

    @abstractmethod
    def _query_of(self, thing: Thing) -> QueryModel:
        """The query that finds things."""


def _path(step: Step) -> Path:
    return step.predicate if step.forward else InversePath(step.predicate)


def _number(text: str) -> Literal:
    number = Decimal(text)
    return Literal(
        format(number, "f"), datatype=XSD.integer if number == number.to_integral() and "." not in text else XSD.decimal
    )


def _time_condition(variable: Variable, amount: Amount, kind: NamedNode) -> Condition:
    first, after = _moment(amount.value, kind), _moment(amount.upper, kind)
    match amount.operator:
        case Operator.LESS:
            return Comparison(variable, Operator.LESS, first)
        case Operator.AT_MOST:
            return Comparison(variable, Operator.LESS, after)
        case Operator.MORE:
            return Comparison(variable, Operator.AT_LEAST, after)
        case Operator.AT_LEAST:
            return Comparison(variable, Operator.AT_LEAST, first)
        case _:
            return Between(variable, first, after, True, False)


def _moment(text: str, kind: NamedNode) -> Literal:
    if kind == XSD.gYear:
        return Literal(text[:4], datatype=kind)
    if kind == XSD.gYearMonth:
        return Literal(text[:7], datatype=kind)
    if kind == XSD.date:
        return Literal(text[:10], datatype=kind)
    if kind == XSD.string:
        return Literal(text.replace("+00:00", ""))
    return Literal(text if "T" in text else f"{text}T00:00:00Z", datatype=XSD.dateTime)
