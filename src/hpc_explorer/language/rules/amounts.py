"""Rules for numbers, quantities and times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import (
    Amount,
    Either,
    Has,
    Numbered,
    Step,
    Steps,
)
from hpc_explorer.language.measures import FRACTION, PERCENT, Quantity
from hpc_explorer.language.words import stem_key
from hpc_explorer.query.model.conditions import Operator

RULES = RuleTable()

_OPERATORS = {
    ">": Operator.MORE, ">=": Operator.AT_LEAST, "<": Operator.LESS, "<=": Operator.AT_MOST, "=": Operator.EQUAL,
    "!=": Operator.UNEQUAL,
}  # fmt: skip


@RULES.add("compare", "number")
@RULES.add("compare", "quantity")
def compare(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    word = left.meaning
    if word == "between":
        yield "low", right.meaning, 0.0
        return
    if word in _OPERATORS:
        yield "amount", plain_amount(_OPERATORS[word], right.meaning), 0.0


@RULES.add("number", "compare")
@RULES.add("quantity", "compare")
def compare_after(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap and right.meaning in (">=", "<="):
        yield "amount", plain_amount(_OPERATORS[right.meaning], left.meaning), 0.0


@RULES.add("con", "compare")
@RULES.add("nthing", "compare")
def compare_last(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """4,400 nodes or more."""
    if gap or right.meaning not in (">=", "<="):
        return
    operator = _OPERATORS[right.meaning]
    if left.kind == "nthing":
        yield "numbered", (left.meaning[0], operator, left.meaning[1]), 0.1
        return
    *before, last = left.meaning
    if isinstance(last, Numbered) and last.operator is Operator.EQUAL:
        yield "con", (*before, replace(last, operator=operator)), 0.0
    elif isinstance(last, Has) and isinstance(last.target, Amount) and not last.negated:
        amount = last.target
        if amount.operator is Operator.EQUAL and not amount.upper:
            yield "con", (*before, replace(last, target=replace(amount, operator=operator))), 0.0


@RULES.add("low", "number")
@RULES.add("low", "quantity")
def low_high(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if set(gap) & {"and", "to"}:
        yield from _range(left, right)


@RULES.add("number", "number")
@RULES.add("number", "quantity")
@RULES.add("quantity", "quantity")
def low_to_high(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """10 to 20 GB."""
    if list(gap) == ["to"]:
        yield from _range(left, right)


def _scale(edge: Edge) -> str:
    return next((one.meaning for one in edge.lexemes if one.meaning in (FRACTION, PERCENT)), "")


def _range(left: Edge, right: Edge) -> Iterator[Result]:
    """From one number or quantity to another; the unit may be said once."""
    low, high = left.meaning, right.meaning
    if _scale(left) != _scale(right):
        if _scale(left) or not isinstance(low, Decimal):
            return
        low = low / 100 if _scale(right) == FRACTION else low
    if isinstance(high, Quantity) and isinstance(low, (Quantity, Decimal)):
        if isinstance(low, Decimal):
            least = low
        elif low.unit == high.unit:
            least = low.number
        elif low.unit.kind == high.unit.kind and low.unit.factor and high.unit.factor:
            least = low.number * low.unit.factor / high.unit.factor
        else:
            return
        if least <= high.number:
            yield "amount", Amount(Operator.EQUAL, format(least, "f"), str(high.number), high.unit.iri), 0.0
    elif isinstance(low, Decimal) and isinstance(high, Decimal) and low <= high:
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
    scale = _scale(right)
    if scale:
        # 0.8 and not 80, where no value is above 1.
        largest = grammar.terms.largest
        steps = tuple(
            step for step in steps
            if step.predicate not in largest or (largest[step.predicate] <= 1) == (scale == FRACTION)
        )  # fmt: skip
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


@RULES.add("number", "number", joins=True)
@RULES.add("ordinal", "ordinal", joins=True)
def number_or_number(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if list(gap) in (["or"], ["and"]):
        yield "numbers", (left.meaning, right.meaning), 0.0


@RULES.add("noun", "ordinal")
@RULES.add("noun", "numbers")
def noun_numbers(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Ranked 2nd or 3rd."""
    numbers = right.meaning if right.kind == "numbers" else (right.meaning,)
    steps = measured(grammar, left.meaning, plain_amount(Operator.EQUAL, numbers[0]))
    if steps:
        each = tuple(Has(steps, plain_amount(Operator.EQUAL, one)) for one in numbers)
        yield "con", (each[0] if len(each) == 1 else Either(each),), 0.1


@RULES.add("amount", "noun")
def amount_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    found = list(noun_amount(grammar, right, left, gap))
    yield from found
    amount = left.meaning
    if not found and amount.unit is None and not amount.is_time and not amount.upper:
        steps = tuple(step for step in right.meaning if step.predicate not in grammar.terms.numeric)
        if steps and amount.number == int(amount.number):
            yield "con", (Numbered(steps, None, amount.operator, int(amount.number)),), 0.1


@RULES.add("amount", "adjective")
def amount_adjective(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """More than 80 % accurate."""
    steps = measured(grammar, right.meaning[0], left.meaning)
    if steps and not gap:
        yield "con", (Has(steps, left.meaning),), 0.0


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
    if is_plain and target.classes and not target.resources and amount.number == int(amount.number):
        yield "numbered", (target, amount.operator, int(amount.number)), 0.1


@RULES.add("number", "thing")
def number_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.is_bare and right.meaning.classes and left.meaning == int(left.meaning) and not gap:
        yield "nthing", (right.meaning, int(left.meaning)), 0.0


@RULES.add("thing", "amount")
def thing_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    amount = right.meaning
    if left.meaning.is_bare and left.meaning.classes and not amount.is_time:
        # The value of a "hyperparameter value" is what is compared.
        noun = stem_key(grammar.terms.schema.class_label(left.meaning.classes[0])).split()[-1]
        for steps, price in grammar.terms.nouns.get(noun, ()):
            thing = grammar.with_constraints(left.meaning, (Has(measured(grammar, steps, amount), amount),))
            if thing is not None:
                yield "thing", thing, 0.2 + price
    if amount.unit is not None and left.meaning.classes:
        for term in sorted(one for one in grammar.terms.subjects if grammar.terms.takes_unit(one, amount.unit)):
            thing = grammar.with_constraints(left.meaning, (Has((Step(term),), amount),))
            if thing is not None:
                yield "thing", thing, 1.2


@RULES.add("measuring", "amount")
def measuring_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Sensors that measure more than 100: their value."""
    for steps, price in grammar.terms.nouns.get(stem_key("value"), ()) if right.meaning.unit is None else ():
        fitting = measured(grammar, steps, right.meaning)
        if fitting and not right.meaning.is_time:
            yield "con", (Has(fitting, right.meaning),), 0.2 + price


def plain_amount(operator: Operator, value: object) -> Amount:
    if isinstance(value, Quantity):
        return Amount(operator, str(value.number), unit=value.unit.iri)
    return Amount(operator, str(value))
