"""Rules for things in an order: sorted by a property, in the order of time, the largest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import Amount, Asked, Compared, Extreme, Has, Step
from hpc_explorer.language.rules.superlatives import is_better_small, sortable

RULES = RuleTable()

_BY = frozenset(("by", "the", "their", "of", "to"))


@RULES.add("do sort", "noun")
def sort_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = sortable(grammar, right.meaning)
    if steps and set(gap) <= _BY:
        yield "sorting", (steps, False), 0.0


@RULES.add("sorting", "do descending")
@RULES.add("sorting", "do ascending")
def sorting_order(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "sorting", (left.meaning[0], right.kind == "do descending"), 0.0


@RULES.add("most", "comingfirst")
def most_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Highest first."""
    if not gap:
        yield "direction", left.meaning == right.meaning, -0.2


@RULES.add("sorting", "direction")
def sorting_direction(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "sorting", (left.meaning[0], right.meaning), 0.0


@RULES.add("per", "direction")
@RULES.add("per", "do descending")
@RULES.add("per", "do ascending")
def per_direction(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """By RMSE, lowest first."""
    steps = sortable(grammar, left.meaning) if isinstance(left.meaning, tuple) else ()
    if steps:
        is_descending = right.meaning if right.kind == "direction" else right.kind == "do descending"
        yield "sorting", (steps, is_descending), 0.0


@RULES.add("thing", "per")
def thing_by_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Models by accuracy: in its order, rather than their number for each."""
    if isinstance(right.meaning, tuple) and left.meaning.classes and not left.meaning.resources:
        steps = tuple(
            step for step in sortable(grammar, right.meaning)
            if grammar.terms.step_fits(grammar.classes(left.meaning), step)
        )  # fmt: skip
        if steps:
            yield "asked", Asked(left.meaning, steps, (), False), 0.5


@RULES.add("sorting", "sorting")
def sorting_again(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Sorted by size, largest first."""
    steps = tuple(step for step in left.meaning[0] if step in right.meaning[0])
    if steps:
        yield "sorting", (steps, right.meaning[1]), 0.0


@RULES.add("extreme", "comingfirst")
def extreme_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Largest first."""
    if not gap:
        yield "sorting", (left.meaning[0], left.meaning[1] == right.meaning), -0.3


@RULES.add("thing", "comingfirst")
def thing_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The largest files first."""
    *others, last = left.meaning.constraints or (None,)
    if isinstance(last, Extreme) and not last.by_count and last.number == 1 and not gap:
        thing = replace(left.meaning, constraints=tuple(others))
        yield "asked", Asked(thing, last.steps, (), last.is_greatest == right.meaning), -0.3


@RULES.add("extreme", "extreme")
def extreme_to_extreme(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """From oldest to newest."""
    steps = tuple(step for step in left.meaning[0] if step in right.meaning[0])
    if steps and list(gap) == ["to"] and left.meaning[1] != right.meaning[1]:
        yield "sorting", (steps, left.meaning[1]), 0.0


@RULES.add("thing", "sorting")
@RULES.add("sorting", "thing", swapped=True)
def thing_sorting(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Clusters sorted by power."""
    steps, is_descending = right.meaning
    fitting = tuple(step for step in steps if grammar.terms.step_fits(grammar.classes(left.meaning), step))
    if fitting and left.meaning.classes:
        yield "asked", Asked(left.meaning, fitting, (), is_descending), 0.0


@RULES.add("thing", "chronological")
def thing_chronological(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """In chronological order: by the start, or else by another time."""
    if not left.meaning.classes:
        return
    for term in sorted(grammar.terms.times, key=str):
        if grammar.terms.step_fits(grammar.classes(left.meaning), Step(term)):
            price = 0.0 if "start" in term.value.lower() else 0.4
            yield "asked", Asked(left.meaning, (Step(term),), (), right.meaning), price


@RULES.add("best", "comingfirst")
def best_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap:
        yield "bestfirst", left.meaning == right.meaning, 0.0


@RULES.add("asked", "bestfirst")
def asked_best_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The accuracy of the models, best first."""
    steps = sortable(grammar, left.meaning.steps)
    if steps and left.meaning.is_descending is None:
        is_descending = right.meaning != is_better_small(grammar, steps)
        yield "asked", replace(left.meaning, steps=steps, is_descending=is_descending), 0.0


@RULES.add("do sort", "asked")
def sort_asked(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Rank the clusters by power."""
    if right.meaning.is_descending is not None:
        yield "asked", right.meaning, -0.3


@RULES.add("asked", "do descending")
@RULES.add("asked", "do ascending")
def asked_in_order(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Clusters by power, from large to small."""
    if left.meaning.is_descending is False:
        yield "asked", replace(left.meaning, is_descending=right.kind == "do descending"), 0.0


@RULES.add("asked", "direction")
@RULES.add("askedper", "direction")
def asked_direction(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The energy of the runs, highest first."""
    steps = sortable(grammar, left.meaning.steps)
    if steps and left.meaning.is_descending is None and left.meaning.unit is None:
        yield left.kind, replace(left.meaning, steps=steps, is_descending=right.meaning), 0.0


@RULES.add("thing", "bestfirst")
def thing_best_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """With an accuracy above 0.9, best first: by what was compared."""
    for one in left.meaning.constraints:
        is_compared = isinstance(one, Compared) or (isinstance(one, Has) and isinstance(one.target, Amount))
        steps = sortable(grammar, one.steps) if is_compared else ()
        if steps and left.meaning.classes:
            is_descending = right.meaning != is_better_small(grammar, steps)
            yield "asked", Asked(left.meaning, steps, (), is_descending), 0.0
