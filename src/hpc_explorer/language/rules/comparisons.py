"""Rules for comparisons with another thing or an amount: "faster than Summit", "the same licence as X"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import Compared, Extreme, Has, Thing, turned
from hpc_explorer.language.periods import Period
from hpc_explorer.language.rules.amounts import measured, plain_amount
from hpc_explorer.language.rules.superlatives import is_better_small, sortable, with_extreme
from hpc_explorer.language.rules.times import time_amount
from hpc_explorer.language.words import word_set
from hpc_explorer.query.model.conditions import Operator

RULES = RuleTable()

_AMONG = word_set("is are was , : of which what one ones has have had the ?")
_OPERATORS = {">": Operator.MORE, "<": Operator.LESS, ">=": Operator.AT_LEAST, "<=": Operator.AT_MOST}
_BEING = frozenset(("is", "are", "was", "were"))


@RULES.add("than", "thing")
def than_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.resources or right.meaning.constraints:
        yield "thanthing", right.meaning, 0.0


@RULES.add("than", "number")
@RULES.add("than", "quantity")
@RULES.add("than", "period")
def than_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "thanamount", right.meaning, 0.0


@RULES.add("comparative", "thanthing")
@RULES.add("betterby", "thanthing")
def comparative_than(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Faster than Summit."""
    steps, is_greatest = left.meaning
    fitting = tuple(step for step in steps if grammar.terms.step_fits(grammar.classes(right.meaning), step))
    operator = Operator.MORE if is_greatest else Operator.LESS
    if fitting and not gap:
        yield "con", (Compared(fitting, operator, right.meaning),), 0.0
    elif not gap:
        classes = grammar.classes(right.meaning)
        for cls, ways, price in grammar.owners(steps, classes):
            if any(step.predicate in grammar.terms.times for step in steps):
                # Things are as old as what made them.
                made = {step.turned for one in grammar.made_in(classes, cls) for step in one}
                if made.isdisjoint(ways) or cls not in grammar.terms.activities:
                    continue
            # "Datasets larger than X": their files are.
            its = Thing((cls,), (), (Has(ways, right.meaning),))
            owner = grammar.with_constraints(Thing((cls,)), (Compared(steps, operator, its),))
            if owner is not None:
                yield "con", (Has(turned(ways), owner),), 0.3 + price


@RULES.add("compare", "thing")
def compare_with_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    operator = _OPERATORS.get(left.meaning)
    if (
        operator is not None
        and (right.meaning.resources or right.meaning.constraints)
        and not set(gap) - {"that", "of"}
    ):
        yield "comparedthing", (operator, right.meaning), 0.0


@RULES.add("noun", "comparedthing")
def noun_compared(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """With a correlation higher than X."""
    operator, target = right.meaning
    fitting = tuple(
        step for step in sortable(grammar, left.meaning) if grammar.terms.step_fits(grammar.classes(target), step)
    )
    if fitting and not set(gap) - {*_BEING, "that"}:
        yield "con", (Compared(fitting, operator, target),), 0.0


@RULES.add("comparative", "thanamount")
def comparative_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Faster than 10 PF."""
    (steps, is_greatest), value = left.meaning, right.meaning
    operator = Operator.MORE if is_greatest else Operator.LESS
    amount = time_amount(operator, value) if isinstance(value, Period) else plain_amount(operator, value)
    fitting = measured(grammar, steps, amount)
    if fitting and not gap:
        yield "con", (Has(fitting, amount),), 0.0


@RULES.add("betterby", "thing")
@RULES.add("thing", "betterby", swapped=True)
@RULES.add("comparative", "thing")
@RULES.add("thing", "comparative", swapped=True)
def comparative_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Which is faster, Summit or Sierra."""
    thing, (steps, is_greatest) = right.meaning, left.meaning
    if len(thing.resources) > 1 and not thing.is_all and not set(gap) - _AMONG:
        held = grammar.with_constraints(thing, (Extreme(steps, is_greatest),))
        if held is not None:
            yield "thing", held, 0.0


@RULES.add("rel", "morething")
def more_by(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Who conducted more experiments, X or Y."""
    target, is_more = right.meaning
    steps = grammar.to_target(left.meaning, target)
    if steps:
        yield "moreby", Extreme(steps, is_more, by_count=True, counted=target), 0.0


@RULES.add("more", "thing")
@RULES.add("fewer", "thing")
def more_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.classes and not right.meaning.resources and not gap:
        yield "morething", (right.meaning, left.kind == "more"), 0.0


@RULES.add("moreby", "thing")
@RULES.add("thing", "moreby", swapped=True)
def more_of_two(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing = right.meaning
    if len(thing.resources) > 1 and not thing.is_all and not set(gap) - _AMONG:
        held = grammar.with_constraints(thing, (left.meaning,))
        if held is not None:
            yield "thing", held, 0.0


@RULES.add("better", "noun")
def better_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """A better RMSE than X."""
    steps = sortable(grammar, right.meaning)
    if steps and not gap:
        yield "comparative", (steps, left.meaning != is_better_small(grammar, steps)), 0.0


@RULES.add("thing", "comparative")
@RULES.add("nthing", "comparative")
def comparative_of_class(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Which GPU has the higher clock rate, which of the two GPUs: the highest."""
    thing = left.meaning[0] if left.kind == "nthing" else left.meaning
    if thing.classes and not thing.resources and set(gap) & {*_BEING, "has", "have"}:
        for kind, meaning, price in with_extreme(grammar, thing, right.meaning, gap):
            yield kind, meaning, price + 0.5


@RULES.add("same", "noun")
def same_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "samenoun", right.meaning, 0.0


@RULES.add("samenoun", "thing")
def same_as(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The same licence as X."""
    fitting = tuple(step for step in left.meaning if grammar.terms.step_fits(grammar.classes(right.meaning), step))
    if fitting and "as" in gap and (right.meaning.resources or right.meaning.constraints):
        yield "con", (Compared(fitting, Operator.EQUAL, right.meaning),), 0.0


@RULES.add("same", "thing")
def same_class(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap and right.meaning.is_bare and right.meaning.classes:
        yield "sameclass", right.meaning, 0.0


@RULES.add("sameclass", "thing")
def same_class_as(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if "as" in gap and (right.meaning.resources or right.meaning.constraints):
        yield "sameclassas", (left.meaning, right.meaning), 0.0


@RULES.add("rel", "sameclassas")
def rel_same_as(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Run on the same machine as X."""
    thing, other = right.meaning
    classes = grammar.classes(other)
    steps = tuple(step for step in grammar.to_target(left.meaning, thing) if grammar.terms.step_fits(classes, step))
    if steps:
        yield "con", (Compared(steps, Operator.EQUAL, other),), 0.0


@RULES.add("comparative", "noun")
@RULES.add("more", "noun")
@RULES.add("fewer", "noun")
def more_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """More cores than X, a higher accuracy than X."""
    steps = sortable(grammar, right.meaning)
    if steps and not gap:
        is_more = left.meaning[1] if left.kind == "comparative" else left.kind == "more"
        yield "comparative", (steps, is_more), 0.0
