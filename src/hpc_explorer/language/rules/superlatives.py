"""Rules for superlatives and the first of an order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import (
    Asked,
    Counted,
    Extreme,
    Grouping,
    Has,
    Numbered,
    Picked,
    Step,
    Steps,
    Summary,
    Thing,
    turned,
)
from hpc_explorer.language.rules.counts import groupings
from hpc_explorer.language.rules.things import questions_about
from hpc_explorer.language.words import stem, stem_key
from hpc_explorer.query.model.query import AggregateFunction

RULES = RuleTable()

_HAVING = frozenset(("has", "have", "had", "with", "having", "did", "do", "were", "was"))
_LATE = frozenset(("last", "latest", "newest", "first", "earliest", "oldest"))
_COUNTING = frozenset(("most", "fewest", "least"))
_BY = frozenset(("by", "in", "with", "to", "on"))
_BEING = frozenset(("is", "are", "was", "were"))


def sortable(grammar: Grammar, steps: Steps) -> Steps:
    return tuple(step for step in steps if step.forward and grammar.terms.is_sortable(step.predicate))


def is_better_small(grammar: Grammar, steps: Steps, *, only: str = "") -> bool:
    labels = {stem_key(grammar.terms.property_label(step.predicate)).split()[-1] for step in steps}
    small = grammar.terms.lexicon.groups["superlatives"]
    return any("smaller_is_better" in small.get(label, ()) and only in (label, "") for label in labels)


@RULES.add("ordinal", "best")
@RULES.add("number", "best")
@RULES.add("best", "number", swapped=True)
def number_best(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The second best, the three best."""
    if not gap and left.meaning == int(left.meaning) and left.meaning > 0:
        places = (1, int(left.meaning)) if left.kind == "ordinal" else (int(left.meaning), 1)
        yield "bests", (right.meaning, *places), 0.0


@RULES.add("best", "thing")
@RULES.add("bests", "thing")
def best_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The best model: by a measure of quality, if no other is said."""
    thing = right.meaning
    if gap or not thing.classes or thing.resources:
        return
    is_best, *places = left.meaning if left.kind == "bests" else (left.meaning, 1, 1)
    yield "bestthing", (thing, is_best, *places), 0.0
    for number, (steps, is_greatest) in enumerate(grammar.terms.adjectives.get(stem("good"), ())):
        for kind, meaning, price in with_extreme(grammar, thing, (steps, is_greatest == is_best, *places), gap):
            yield kind, meaning, price + 0.3 + 0.1 * number


@RULES.add("bestthing", "noun")
@RULES.add("bestthing", "per")
def best_thing_by(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The best model by RMSE."""
    thing, is_best, *places = left.meaning
    steps = sortable(grammar, right.meaning) if isinstance(right.meaning, tuple) else ()
    if steps and (right.kind == "per" or set(gap) & _BY):
        yield from with_extreme(grammar, thing, (steps, is_best != is_better_small(grammar, steps), *places), gap)


@RULES.add("thing", "per")
def each_of_things(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning.classes and not left.meaning.resources:
        yield "eachthing", (left.meaning, right.meaning), 0.0


@RULES.add("eachthing", "extreme")
def first_of_each(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The model of each project with the best accuracy."""
    thing, per = left.meaning
    for _, held, price in with_extreme(grammar, thing, right.meaning, gap):
        yield from _of_each(grammar, held, per, price)


@RULES.add("thing", "per")
@RULES.add("per", "thing", swapped=True)
def first_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The latest experiment of each person; for each person, the latest experiment."""
    yield from _of_each(grammar, left.meaning, right.meaning, 0.0)


def _of_each(grammar: Grammar, thing: Thing, per: Any, price: float) -> Iterator[Result]:
    """Only the first one of a group is asked for; an amount makes no groups."""
    first = next((one for one in thing.constraints if isinstance(one, Extreme)), None)
    is_plain = first is not None and (first.place, first.by_count, first.per) == (1, False, None)
    if first is None or not is_plain or (isinstance(per, tuple) and sortable(grammar, per)):
        return
    others = tuple(one for one in thing.constraints if one != first)
    for grouping, more in groupings(grammar, replace(thing, constraints=others), per):
        yield "thing", replace(thing, constraints=(*others, replace(first, per=grouping))), price + more


@RULES.add("thing", "best")
@RULES.add("nthing", "best")
def thing_is_best(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Which of the six models performs best."""
    thing = left.meaning[0] if left.kind == "nthing" else left.meaning
    if not set(gap) - {*_BEING, "the"}:
        yield from best_thing(grammar, right, replace(left, meaning=thing), ())


@RULES.add("noun", "needto")
def noun_needed(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The energy that was needed to."""
    if any(grammar.terms.adds_up(step.predicate) or step.predicate in grammar.terms.numeric for step in left.meaning):
        yield "noun", left.meaning, 0.1


@RULES.add("best", "noun")
def best_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = sortable(grammar, right.meaning)
    if steps:
        yield "extreme", (steps, left.meaning != is_better_small(grammar, steps)), 0.0


@RULES.add("noun", "con")
def noun_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The verb says the noun again: "which vendor made X"; or a time or place of what made X: "when was X trained"."""
    if len(right.meaning) == 1 and isinstance(right.meaning[0], Has) and isinstance(right.meaning[0].target, Thing):
        has, target = right.meaning[0], right.meaning[0].target
        if not target.is_bare and not has.negated:
            for activity in sorted(grammar.terms.activities, key=str):
                host = grammar.with_constraints(Thing((activity,)), right.meaning)
                if host is not None and all(grammar.terms.step_fits((activity,), step) for step in left.meaning):
                    yield from questions_about(grammar, host, left.meaning, 0.1)
        steps = tuple(step for step in left.meaning if step.turned in has.steps and step.forward)
        if steps and not has.negated:
            yield from questions_about(grammar, right.meaning[0].target, steps, 0.1)
        elif not has.negated:
            # "What operating system runs on X", "which framework was used to build X".
            inner = target.constraints[0] if len(target.constraints) == 1 and not target.resources else has
            named = inner.target if isinstance(inner, Has) else None
            fitting = tuple(
                step for step in left.meaning if step.predicate not in grammar.terms.times
                and isinstance(named, Thing) and grammar.terms.step_fits(grammar.classes(named), step)
            )  # fmt: skip
            if isinstance(named, Thing) and named.resources and fitting:
                yield from questions_about(grammar, named, fitting, 0.8)


@RULES.add("most", "noun")
def most_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = sortable(grammar, right.meaning)
    if is_better_small(grammar, steps, only="rank"):
        # The highest rank is the first.
        yield "extreme", (steps, not left.meaning), 0.0
        return
    if steps:
        yield "extreme", (steps, left.meaning), 0.0
        counted = tuple(step for step in steps if step.predicate not in grammar.terms.times)
        if counted:
            yield "total", (AggregateFunction.MOST if left.meaning else AggregateFunction.LEAST, counted), 0.5
    else:
        yield "extremecount", (right.meaning, left.meaning), 0.2


@RULES.add("most", "adjective")
@RULES.add("most", "extreme")
def most_extreme(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The most recent, the least accurate."""
    if not gap:
        steps, is_greatest = right.meaning
        yield "extreme", (steps, is_greatest == left.meaning), 0.0


@RULES.add("noun", "mostthing")
def value_of_most(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Which vendor has the most clusters."""
    target, is_greatest = right.meaning
    if set(gap) & _HAVING:
        yield from _values_of(grammar, left.meaning, target, Picked(is_greatest=is_greatest))


@RULES.add("nounof", "mostthing")
@RULES.add("nounof", "numbered")
def value_of_numbered(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The licences used by more than one model."""
    target, *numbered = right.meaning
    picked = Picked(is_greatest=numbered[0]) if right.kind == "mostthing" else Picked(numbered[1], numbered[0])
    yield from _values_of(grammar, left.meaning, target, picked)


@RULES.add("timepart", "mostthing")
def time_of_most(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The day with the most experiments."""
    target, is_greatest = right.meaning
    if set(gap) & _HAVING:
        for grouping, price in groupings(grammar, target, left.meaning):
            yield "counted", Counted(target, grouping, Picked(is_greatest=is_greatest)), price


@RULES.add("counted", "rel")
def counted_then(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """In which month did most experiments take place: the verb says the time again."""
    per = left.meaning.per
    times = {step.predicate for step in right.meaning} & grammar.terms.times.keys()
    if per is not None and per.part and times and not gap:
        yield "counted", left.meaning, 0.0


@RULES.add("noun", "numbered")
def value_numbered(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Which vendors have more than one cluster."""
    target, operator, number = right.meaning
    if set(gap) & _HAVING:
        yield from _values_of(grammar, left.meaning, target, Picked(number, operator))


def _values_of(grammar: Grammar, steps: Steps, target: Thing, picked: Picked) -> Iterator[Result]:
    """The values of a property, by how many things have them."""
    classes = grammar.classes(target)
    fitting = tuple(
        step for step in steps if grammar.terms.step_fits(classes, step) and grammar.terms.leads_to_literal(step)
    )
    if fitting and not any(step.predicate in grammar.terms.numeric for step in fitting):
        yield "counted", Counted(target, Grouping(fitting), picked), 0.2


@RULES.add("rel", "mostthing")
@RULES.add("noun", "mostthing")
def rel_mostthing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Who contributed the most models."""
    target, is_greatest = right.meaning
    steps = grammar.to_target(left.meaning, target)
    if steps:
        yield "con", (Extreme(steps, is_greatest, by_count=True, counted=target),), 0.0


@RULES.add("most", "thing")
def most_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.classes and not right.meaning.resources:
        if left.lexemes[0].meaning.split()[-1] in _COUNTING or left.lexemes[0].meaning.endswith("number of"):
            yield "mostthing", (right.meaning, left.meaning), 0.0
        yield "topthing", (right.meaning, left.meaning, 1), 0.1


@RULES.add("ordinal", "extreme")
def place_extreme(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The second largest."""
    if not gap and left.meaning > 1:
        yield "extremen", (*right.meaning, 1, int(left.meaning)), 0.0


@RULES.add("ordinal", "most")
def place_most(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap and left.meaning > 1:
        yield "placed", (right.meaning, int(left.meaning)), 0.0


@RULES.add("placed", "noun")
def placed_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The second most compute nodes."""
    is_greatest, place = left.meaning
    for kind, meaning, price in most_noun(grammar, replace(left, meaning=is_greatest), right, gap):
        if kind == "extreme":
            yield "extremen", (*meaning, 1, place), price


@RULES.add("number", "most")
def number_most(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "top", (right.meaning, int(left.meaning)), 0.0


@RULES.add("most", "number")
def most_number(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning == int(right.meaning) and right.meaning > 0 and not gap:
        yield "top", (left.meaning, int(right.meaning)), 0.0


@RULES.add("thing", "numbered")
def thing_numbered(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    target, operator, number = right.meaning
    for steps, price in grammar.between(grammar.classes(left.meaning), target.classes):
        thing = grammar.with_constraints(left.meaning, (Numbered(steps, target, operator, number),))
        if thing is not None:
            yield "thing", thing, 0.3 + price


@RULES.add("thing", "mostthing")
def thing_mostthing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    target, is_greatest = right.meaning
    for steps, price in grammar.between(grammar.classes(left.meaning), target.classes):
        counted = None if target.is_bare else target
        thing = grammar.with_constraints(left.meaning, (Extreme(steps, is_greatest, by_count=True, counted=counted),))
        if thing is not None:
            yield "thing", thing, 0.3 + price


@RULES.add("noun", "commonest")
@RULES.add("noun", "rarest")
@RULES.add("commonest", "noun", swapped=True)
@RULES.add("rarest", "noun", swapped=True)
@RULES.add("thing", "commonest")
@RULES.add("thing", "rarest")
@RULES.add("commonest", "thing", swapped=True)
@RULES.add("rarest", "thing", swapped=True)
def commonest(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The most common licence."""
    is_most = right.kind == "commonest"
    if set(gap) - {*_BEING, "the"}:
        return
    if left.kind == "noun":
        yield "commonnoun", (left.meaning, is_most), 0.0
    elif left.meaning.is_bare and left.meaning.classes:
        yield "commonthing", (left.meaning, is_most), 0.0


@RULES.add("commonnoun", "thing")
@RULES.add("thing", "commonnoun", swapped=True)
def commonest_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The most common licence of the datasets."""
    steps, is_most = left.meaning
    if right.meaning.classes:
        yield from _values_of(grammar, steps, right.meaning, Picked(is_greatest=is_most))


@RULES.add("commonthing", "thing")
def commonest_thing_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The most common GPU among the machines."""
    thing, is_most = left.meaning
    if right.meaning.classes:
        for steps, price in grammar.between(thing.classes, right.meaning.classes):
            first = Extreme(steps, is_most, by_count=True, counted=right.meaning)
            held = grammar.with_constraints(thing, (first,))
            if held is not None:
                yield "thing", held, price


@RULES.add("most", "done")
@RULES.add("done", "most", swapped=True)
@RULES.add("rel", "most", swapped=True)
def most_done(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Used most often, the most cited."""
    steps = tuple(step for step in right.meaning if step.predicate not in grammar.terms.times)
    # "Created last" asks for the latest, not for what was created most often.
    is_time = left.lexemes[0].meaning.split()[-1] in _LATE
    if steps and not is_time and not set(gap) - {"the"}:
        yield "extremecount", (steps, left.meaning), 0.2


@RULES.add("done", "extreme")
@RULES.add("extreme", "done", swapped=True)
def done_last(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Created last, first used."""
    steps, is_greatest = right.meaning
    if not gap and all(step.predicate in grammar.terms.times for step in steps):
        yield "donelast", (left.meaning, is_greatest), 0.0


@RULES.add("thing", "donelast")
@RULES.add("donelast", "thing", swapped=True)
def thing_done_last(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The dataset created last: in the last of the activities that made one."""
    thing, (done, is_greatest) = left.meaning, right.meaning
    if not thing.classes or thing.resources:
        return
    for activity in sorted(grammar.terms.activities, key=str):
        ways = tuple(step for one, _ in grammar.between(thing.classes, (activity,)) for step in one if step in done)
        times = tuple(Step(one) for one in sorted(grammar.terms.times) if "start" in one.value.lower())
        its = grammar.with_constraints(Thing((activity,)), (Has(turned(ways), thing),)) if ways else None
        last = None if its is None else grammar.with_constraints(its, (Extreme(times, is_greatest),))
        held = None if last is None else grammar.with_constraints(thing, (Has(ways, last),))
        if held is not None:
            yield "thing", held, 0.1


@RULES.add("thing", "extremecount")
@RULES.add("extremecount", "thing", swapped=True)
def thing_extremecount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps, is_greatest = right.meaning
    steps = tuple(step for step in steps if grammar.terms.may_have_several(grammar.classes(left.meaning), step))
    thing = grammar.with_constraints(left.meaning, (Extreme(steps, is_greatest, by_count=True),)) if steps else None
    if thing is not None and left.meaning.classes:
        yield "thing", thing, 0.1


@RULES.add("top", "thing")
def top_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.classes:
        yield "topthing", (right.meaning, *left.meaning), 0.0


@RULES.add("top", "noun")
def top_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = sortable(grammar, right.meaning)
    if steps:
        yield "extremen", (steps, *left.meaning), 0.0


@RULES.add("topthing", "con")
def topthing_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing = grammar.with_constraints(left.meaning[0], right.meaning)
    if thing is not None:
        yield "topthing", (thing, *left.meaning[1:]), 0.0


@RULES.add("topthing", "noun")
def topthing_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if set(gap) & _BY:
        yield from with_top(grammar, left, sortable(grammar, right.meaning))


@RULES.add("topthing", "per")
def topthing_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if isinstance(right.meaning, tuple):
        yield from with_top(grammar, left, sortable(grammar, right.meaning))


def with_top(grammar: Grammar, left: Edge, steps: Steps) -> Iterator[Result]:
    thing, is_greatest, number = left.meaning
    if steps:
        held = grammar.with_constraints(thing, (Extreme(steps, is_greatest, number),))
        if held is not None:
            yield "thing", held, 0.0


@RULES.add("extreme", "number", swapped=True)
@RULES.add("number", "extreme")
def number_extreme(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    is_adjective = all(lexeme.role == "comparison" for lexeme in right.lexemes)
    if left.meaning == int(left.meaning) and left.meaning > 0 and is_adjective:
        steps, is_greatest = right.meaning
        yield "extremen", (steps, is_greatest, int(left.meaning)), 0.0


@RULES.add("thing", "extreme")
@RULES.add("thing", "extremen")
def extreme_after(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    for kind, meaning, price in thing_extreme(grammar, left, right, gap):
        # It rather belongs to the nearest noun, unless it is said of the thing: "was the slowest".
        yield kind, meaning, price + (0.8 if left.meaning.constraints and not set(gap) & _BEING else 0.0)


@RULES.add("extreme", "thing", swapped=True)
@RULES.add("extremen", "thing", swapped=True)
def thing_extreme(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning.classes and not left.meaning.resources:
        found = list(with_extreme(grammar, left.meaning, right.meaning, gap))
        yield from found or _through_others(grammar, left.meaning, right.meaning)


def _through_others(grammar: Grammar, thing: Thing, meaning: Any) -> Iterator[Result]:
    """Who used the most energy: a sum over what they did, or the most at once."""
    steps, is_greatest, *number = meaning
    counted = tuple(step for step in steps if step.predicate not in grammar.terms.times)
    if not thing.is_bare or not counted or len(number) > 1:
        return
    picked = Picked(number[0] if number else 1, None, is_greatest)
    at_once = AggregateFunction.MOST if is_greatest else AggregateFunction.LEAST
    for cls, ways, price in grammar.owners(counted, thing.classes):
        for function in (AggregateFunction.SUM, at_once):
            yield "summary", Summary(function, Asked(Thing((cls,)), counted), Grouping(ways), picked), 0.3 + price


@RULES.add("summary", "aggregate")
def first_on_average(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Which host was the slowest on average."""
    if left.meaning.picked is not None and right.meaning == "mean":
        yield "summary", replace(left.meaning, function=AggregateFunction.AVERAGE), 0.0


def with_extreme(grammar: Grammar, thing: Thing, meaning: Any, gap: Sequence[str]) -> Iterator[Result]:
    if any(isinstance(one, Extreme) for one in thing.constraints):
        return
    steps, is_greatest, *rest = meaning
    number, place = (*rest, 1, 1)[:2] if len(rest) != 1 else (rest[0], 1)
    held = grammar.with_constraints(thing, (Extreme(steps, is_greatest, number, place=place),))
    if held is not None:
        yield "thing", held, 0.0


@RULES.add("nthing", "extreme")
def nthing_extreme(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing, number = left.meaning
    yield from with_extreme(grammar, thing, (*right.meaning[:2], number), gap)


@RULES.add("nthing", "con")
def nthing_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing = grammar.with_constraints(left.meaning[0], right.meaning)
    if thing is not None:
        yield "nthing", (thing, left.meaning[1]), 0.0


@RULES.add("asked", "extreme")
def asked_extreme(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    for _, host, price in with_extreme(grammar, left.meaning.host, right.meaning, gap):
        yield "asked", replace(left.meaning, host=host), price


@RULES.add("rel", "most")
@RULES.add("rel", "extreme")
def rel_last(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Finished last."""
    steps = tuple(step for step in sortable(grammar, left.meaning) if step.predicate in grammar.terms.times)
    if steps and not gap:
        yield "extreme", (steps, right.meaning if right.kind == "most" else right.meaning[1]), 0.0


@RULES.add("rel", "numbered")
def rel_numbered(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Used by more than two experiments."""
    target, operator, number = right.meaning
    steps = grammar.to_target(left.meaning, target)
    if steps:
        yield "con", (Numbered(steps, target, operator, number),), 0.0
