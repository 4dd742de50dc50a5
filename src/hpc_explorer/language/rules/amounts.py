"""Rules for numbers, quantities and times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import (
    Amount,
    Has,
    Numbered,
    Step,
    Steps,
    Thing,
)
from hpc_explorer.language.measures import Period, Quantity
from hpc_explorer.query.model.conditions import Operator

RULES = RuleTable()

_OPERATORS = {
    ">": Operator.MORE, ">=": Operator.AT_LEAST, "<": Operator.LESS, "<=": Operator.AT_MOST, "=": Operator.EQUAL,
    "!=": Operator.UNEQUAL, "since": Operator.AT_LEAST, "after": Operator.MORE, "before": Operator.LESS,
    "until": Operator.AT_MOST,
}  # fmt: skip


@RULES.add("compare", "number")
@RULES.add("compare", "quantity")
@RULES.add("compare", "period")
def compare(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    word = left.meaning
    if word == "between":
        yield "low", right.meaning, 0.0
        return
    is_time = isinstance(right.meaning, Period)
    if is_time and word in (">", ">=", "<", "<=", "since", "after", "before", "until", "="):
        yield "amount", time_amount(_OPERATORS[word], right.meaning), 0.0
    elif not is_time and word in (">", ">=", "<", "<=", "=", "!="):
        yield "amount", plain_amount(_OPERATORS[word], right.meaning), 0.0


@RULES.add("number", "compare")
@RULES.add("quantity", "compare")
def compare_after(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap and right.meaning in (">=", "<="):
        yield "amount", plain_amount(_OPERATORS[right.meaning], left.meaning), 0.0


@RULES.add("low", "number")
@RULES.add("low", "quantity")
@RULES.add("low", "period")
def low_high(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not set(gap) & {"and", "to"}:
        return
    low, high = left.meaning, right.meaning
    if isinstance(low, Decimal) and isinstance(high, Period) and 1 <= low <= 31 and low == int(low):
        # "Between 10 and 25 October 2020".
        low = Period(f"{high.first[:8]}{int(low):02}", high.after)
    if isinstance(low, Period) and isinstance(high, Period):
        yield "amount", Amount(Operator.EQUAL, low.first, high.after, is_time=True), 0.0
    elif isinstance(high, Quantity) and isinstance(low, (Quantity, Decimal)):
        amount = low.number if isinstance(low, Quantity) else low
        if not isinstance(low, Quantity) or low.unit == high.unit:
            yield "amount", Amount(Operator.EQUAL, str(amount), str(high.number), high.unit.iri), 0.0
    elif isinstance(low, Decimal) and isinstance(high, Decimal):
        yield "amount", Amount(Operator.EQUAL, str(low), str(high)), 0.0


def measured(grammar: Grammar, steps: Steps, amount: Amount) -> Steps:
    terms = grammar.terms
    if amount.is_time:
        return tuple(step for step in steps if step.forward and step.predicate in terms.times)
    if amount.unit is not None:
        return tuple(step for step in steps if step.forward and terms.takes_unit(step.predicate, amount.unit))
    return tuple(
        step
        for step in steps
        if step.forward and (step.predicate in terms.numeric or step.predicate in terms.quantities)
    )


@RULES.add("noun", "amount")
@RULES.add("rel", "amount")
def noun_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = measured(grammar, left.meaning, right.meaning)
    if steps:
        yield "con", (Has(steps, right.meaning),), 0.0


@RULES.add("noun", "number")
@RULES.add("rel", "number")
@RULES.add("noun", "quantity")
@RULES.add("rel", "quantity")
@RULES.add("quantity", "noun", swapped=True)
def noun_number(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    for kind, meaning, price in noun_amount(
        grammar, left, replace(right, meaning=plain_amount(Operator.EQUAL, right.meaning)), gap
    ):
        yield kind, meaning, price + 0.1


@RULES.add("noun", "period")
@RULES.add("rel", "period")
def noun_period(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield from noun_amount(grammar, left, replace(right, meaning=time_amount(Operator.EQUAL, right.meaning)), gap)


@RULES.add("amount", "noun")
def amount_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    found = list(noun_amount(grammar, right, left, gap))
    yield from found
    amount = left.meaning
    if not found and amount.unit is None and not amount.is_time and not amount.upper:
        steps = tuple(step for step in right.meaning if step.predicate not in grammar.terms.numeric)
        if steps and amount.number == int(amount.number):
            yield "con", (Numbered(steps, None, amount.operator, int(amount.number)),), 0.1


@RULES.add("number", "noun")
def number_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap:
        yield from (
            (kind, meaning, price + 0.2)
            for kind, meaning, price in amount_noun(
                grammar, replace(left, meaning=plain_amount(Operator.EQUAL, left.meaning)), right, gap
            )
        )


@RULES.add("amount", "thing")
def amount_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    amount, target = left.meaning, right.meaning
    is_plain = amount.unit is None and not amount.is_time and not amount.upper
    if is_plain and target.is_bare and target.classes and amount.number == int(amount.number):
        yield "numbered", (target, amount.operator, int(amount.number)), 0.1


@RULES.add("number", "thing")
def number_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.is_bare and right.meaning.classes and left.meaning == int(left.meaning) and not gap:
        yield "nthing", (right.meaning, int(left.meaning)), 0.0


@RULES.add("thing", "amount")
def thing_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    amount = right.meaning
    if amount.is_time:
        yield from thing_time(grammar, left.meaning, amount)
    elif amount.unit is not None and left.meaning.classes:
        for term in sorted(one for one in grammar.terms.subjects if grammar.terms.takes_unit(one, amount.unit)):
            thing = grammar.with_constraints(left.meaning, (Has((Step(term),), amount),))
            if thing is not None:
                yield "thing", thing, 1.2


@RULES.add("thing", "period")
def thing_period(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if set(gap) & {"in", "on", "from", "during", "of"}:
        yield from thing_time(grammar, left.meaning, time_amount(Operator.EQUAL, right.meaning))


def thing_time(grammar: Grammar, thing: Thing, amount: Amount) -> Iterator[Result]:
    if not thing.classes:
        return
    is_timed = False
    for term in sorted(grammar.terms.times, key=str):
        held = grammar.with_constraints(thing, (Has((Step(term),), amount),))
        if held is not None:
            is_timed = True
            yield "thing", held, 0.6 if "start" in term.value.lower() else 1.0
    for activity in () if is_timed else sorted(grammar.terms.activities, key=str):
        # A model of March 2023 is one that was made then.
        for term in sorted(one for one in grammar.terms.times if "start" in one.value.lower()):
            then = grammar.with_constraints(Thing((activity,)), (Has((Step(term),), amount),))
            for steps in grammar.made_in(thing.classes, activity) if then is not None else ():
                held = grammar.with_constraints(thing, (Has(steps, then),))
                if held is not None:
                    yield "thing", held, 1.0


def plain_amount(operator: Operator, value: object) -> Amount:
    if isinstance(value, Quantity):
        return Amount(operator, str(value.number), unit=value.unit.iri)
    return Amount(operator, str(value))


def time_amount(operator: Operator, period: Period) -> Amount:
    return Amount(operator, period.first, period.after, is_time=True)
