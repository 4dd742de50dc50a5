"""Rules for negation, and for two constraints at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import (
    TRUE,
    Amount,
    Choice,
    Derived,
    Either,
    Has,
    Other,
    Step,
    Thing,
    turned,
)
from hpc_explorer.language.rules.amounts import measured
from hpc_explorer.query.model.conditions import Operator

RULES = RuleTable()

_HAVING = frozenset(("has", "have", "had"))


@RULES.add("con", "con", joins=True)
def con_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if "or" in gap:
        if len(left.meaning) == len(right.meaning) == 1:
            yield "con", (Either((*left.meaning, *right.meaning)),), 0.05
    else:
        yield "con", (*left.meaning, *right.meaning), 0.05 if "and" in gap or "," in gap else 0.1


@RULES.add("con", "value", joins=True)
def con_or_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Took more than 10 h or failed."""
    if list(gap) == ["or"] and len(left.meaning) == 1:
        for term, values in right.meaning.by_property:
            yield "con", (Either((*left.meaning, Has((Step(term),), Choice(values)))),), 0.3


@RULES.add("lack", "noun")
def lack_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    for kind, meaning, price in not_noun(grammar, left, right, gap):
        yield kind, meaning, price
        yield "lacking", meaning, price


@RULES.add("lacking", "noun", joins=True)
def lack_either(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Lack a checksum or a size: either of them; lack a checksum and a size: both."""
    for _, more, price in not_noun(grammar, left, right, gap):
        if "or" in gap:
            yield "con", (Either((*left.meaning, *more)),), price
        elif "and" in gap:
            yield "con", (*left.meaning, *more), price


@RULES.add("not", "noun")
def without_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    for _, meaning, price in not_noun(grammar, left, right, gap):
        yield "without", meaning, price


@RULES.add("without", "noun", joins=True)
def without_either(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Without a licence or a version: without both, or without one of them; people say both so."""
    for _, more, price in not_noun(grammar, left, right, gap):
        if set(gap) & {"or", "and"}:
            yield "con", (*left.meaning, *more), price
            yield "con", (Either((*left.meaning, *more)),), price + 0.2


@RULES.add("not", "con")
@RULES.add("lack", "con")
@RULES.add("except", "con")
def not_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if len(right.meaning) == 1 and isinstance(right.meaning[0], (Has, Derived)) and not right.meaning[0].negated:
        yield "con", (replace(right.meaning[0], negated=True),), 0.0


@RULES.add("not", "noun")
@RULES.add("not", "rel")
@RULES.add("not", "done")
@RULES.add("except", "noun")
@RULES.add("except", "rel")
@RULES.add("except", "done")
def not_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = right.meaning
    target: Choice | Amount | None = None
    if all(step.predicate in grammar.terms.booleans for step in steps):
        target = TRUE
    elif all(step.predicate in grammar.terms.numeric for step in steps):
        # "Without GPU nodes": none are stated, or the number is 0.
        target = Amount(Operator.MORE, "0")
    yield "con", (Has(steps, target, negated=True),), 0.0 if right.kind != "rel" else 0.3


@RULES.add("not", "thing")
def not_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.classes or right.meaning.resources:
        yield "notthing", right.meaning, 0.0


@RULES.add("except", "thing")
def except_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.resources or right.meaning.constraints:
        yield "con", (Other(right.meaning),), 0.0
    yield "notthing", right.meaning, 0.3


@RULES.add("except", "value")
@RULES.add("not", "value")
def except_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "notvalue", right.meaning, 0.0


@RULES.add("noun", "notvalue")
def noun_notvalue(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    has = grammar.chosen(left.meaning, right.meaning)
    if has is not None:
        yield "con", (replace(has, negated=True),), 0.0


@RULES.add("noun", "notthing")
@RULES.add("rel", "notthing")
def noun_notthing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = grammar.to_target(left.meaning, right.meaning)
    # "Used not X": of things that are only described, the verb rather says something else.
    if steps and (right.meaning.resources if left.kind == "rel" else not right.meaning.is_bare):
        yield "con", (Has(steps, right.meaning, negated=True),), 0.0


@RULES.add("con", "notthing")
def con_notthing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Used X but not Y; used neither X nor Y."""
    last = left.meaning[-1]
    if isinstance(last, Has) and isinstance(last.target, Thing):
        steps = grammar.to_target(last.steps, right.meaning)
        joins = {"but", "and", ","} if not last.negated else {"or", ","}
        if steps and not right.meaning.is_bare and set(gap) <= joins:
            yield "con", (*left.meaning, Has(steps, right.meaning, negated=True)), 0.0


@RULES.add("notthing", "rel")
def notthing_rel(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """That no experiment used."""
    steps = tuple(step for step in right.meaning if grammar.terms.step_fits(grammar.classes(left.meaning), step))
    if steps and not set(gap) - _HAVING:
        target = left.meaning if left.meaning != Thing() else None
        yield "con", (Has(turned(steps), target, negated=True),), 0.0


@RULES.add("amount", "amount")
def amount_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if set(gap) & {"and", "but", ","} and left.meaning.is_time == right.meaning.is_time:
        yield "amounts", (left.meaning, right.meaning), 0.0


@RULES.add("noun", "amounts", swapped=True)
@RULES.add("amounts", "noun")
def amounts_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    both = [measured(grammar, right.meaning, one) for one in left.meaning]
    if all(both):
        yield "con", tuple(Has(steps, one) for steps, one in zip(both, left.meaning, strict=True)), 0.0


@RULES.add("thing", "notvalue")
def thing_notvalue(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if grammar.classes(left.meaning):
        for term, values in right.meaning.by_property:
            thing = grammar.with_constraints(left.meaning, (Has((Step(term),), Choice(values), negated=True),))
            if thing is not None:
                yield "thing", thing, 0.6


@RULES.add("thing", "notthing")
def thing_notthing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    last = left.meaning.constraints[-1:]
    if last and isinstance(last[0], Has) and last[0].target is None:
        # "Trained without X" says how they were trained.
        return
    if left.meaning.classes:
        for steps, price in grammar.between(left.meaning.classes, grammar.classes(right.meaning)):
            thing = grammar.with_constraints(left.meaning, (Has(steps, right.meaning, negated=True),))
            if thing is not None:
                yield "thing", thing, 0.6 + price


@RULES.add("other", "thing")
def other_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.is_bare and right.meaning.classes and not gap:
        yield "otherthing", right.meaning, 0.0


@RULES.add("otherthing", "thanthing")
def other_than(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Other machines than X."""
    thing = grammar.with_constraints(left.meaning, (Other(right.meaning),))
    if thing is not None and not gap:
        yield "thing", thing, 0.0
