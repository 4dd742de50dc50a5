"""Rules for percentages of things and of amounts, and for differences and multiples of two amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import Difference, Ratio, Share, Spread, Steps, Thing
from hpc_explorer.language.rules.counts import groupings, summed

RULES = RuleTable()


@RULES.add("share", "thing")
def share_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Of the experiments of X that failed, the last is what is asked, and the others say among which."""
    thing = right.meaning
    if not thing.classes or thing.resources or not thing.constraints:
        return
    *among, last = thing.constraints
    yield "shared", Share(replace(thing, constraints=tuple(among)), (last,)), 0.0
    if among:
        yield "shared", Share(replace(thing, constraints=()), thing.constraints), 0.4


@RULES.add("shared", "percent")
def shared_in_percent(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The share of X, in percent."""
    yield "shared", left.meaning, 0.0


@RULES.add("shared", "per")
@RULES.add("per", "shared", swapped=True)
def shared_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning.per is None:
        for grouping, price in groupings(grammar, left.meaning.of, right.meaning):
            yield "shared", replace(left.meaning, per=grouping), price


@RULES.add("noun", "ratio")
def noun_ratio(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = summed(grammar, left.meaning)
    if steps:
        yield "ratioof", steps, 0.0


@RULES.add("ratioof", "noun")
def ratio_of_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = summed(grammar, right.meaning)
    if steps and not set(gap) - {"the", "its", "their"}:
        yield "ratios", (left.meaning, steps), 0.0


@RULES.add("ratios", "thing")
@RULES.add("ratios", "per")
@RULES.add("per", "ratios", swapped=True)
def ratios_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Rmax as a percentage of Rpeak for each cluster."""
    host = right.meaning
    if not isinstance(host, Thing) or not (host.classes or host.resources):
        return
    classes = grammar.classes(host)

    def fitting(steps: Steps) -> Steps:
        return tuple(step for step in steps if grammar.terms.step_fits(classes, step))

    one, other = map(fitting, left.meaning)
    if one and other and one != other:
        yield "shared", Ratio(host, one, other), 0.0


@RULES.add("much", "comparative")
@RULES.add("times", "comparative")
def much_more(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How much more accurate; how many times faster."""
    if not gap:
        yield "muchmore", (*right.meaning, left.kind == "times"), 0.0


@RULES.add("muchmore", "thing")
def much_more_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.resources and not set(gap) - {"is", "does", "are", "has", "the", "was", "did"}:
        yield "muchmoreof", (*left.meaning, right.meaning), 0.0


@RULES.add("muchmoreof", "consuming")
def much_more_used(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How much more power does X draw: the verb adds nothing."""
    if not gap:
        yield "muchmoreof", left.meaning, 0.0


@RULES.add("muchmoreof", "thanthing")
def much_more_than(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How much more accurate is X than Y."""
    steps, is_more, is_ratio, one = left.meaning
    more, less = (one, right.meaning) if is_more or is_ratio else (right.meaning, one)
    yield from _difference(grammar, steps, more, less, is_ratio=is_ratio)


@RULES.add("difference", "noun")
@RULES.add("noun", "difference", swapped=True)
def difference_in(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not set(gap) - {"in", "of", "the"}:
        yield "differencein", right.meaning, 0.0


@RULES.add("differencein", "low")
def difference_between(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The difference in accuracy between X and Y."""
    yield from _between_two(grammar, left.meaning, right.meaning)


@RULES.add("difference", "low")
def difference_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "differenceof", right.meaning, 0.0


@RULES.add("differenceof", "noun")
def difference_of_two_in(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The difference between X and Y in accuracy."""
    if "in" in gap:
        yield from _between_two(grammar, right.meaning, left.meaning)


@RULES.add("compare", "thing")
def between_things(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning == "between" and len(right.meaning.resources) == 2 and right.meaning.is_all:
        yield "low", right.meaning, 0.0


def _between_two(grammar: Grammar, steps: Steps, both: object) -> Iterator[Result]:
    if isinstance(both, Thing):
        one, other = (replace(both, resources=(each,), is_all=False) for each in both.resources)
        yield from _difference(grammar, steps, one, other, is_signed=False)


def _difference(
    grammar: Grammar, steps: Steps, one: Thing, other: Thing, *, is_ratio: bool = False, is_signed: bool = True
) -> Iterator[Result]:
    fitting = tuple(
        step for step in steps if step.forward and grammar.terms.is_sortable(step.predicate)
        and all(grammar.terms.step_fits(grammar.classes(each), step) for each in (one, other))
    )  # fmt: skip
    if fitting:
        yield "shared", Difference(fitting, one, other, is_ratio, is_signed), 0.0


@RULES.add("most", "most")
@RULES.add("best", "best")
def both_ends(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The highest and the lowest."""
    if left.meaning != right.meaning and "and" in gap and not set(gap) - {"and", "the"}:
        yield "ends", (), 0.0


@RULES.add("extreme", "extreme")
@RULES.add("extreme", "most")
def both_ends_by(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The fastest and the slowest; the highest accuracy and the lowest."""
    is_greatest = right.meaning if right.kind == "most" else right.meaning[1]
    steps = left.meaning[0]
    if right.kind == "extreme":
        steps = tuple(step for step in steps if step in right.meaning[0])
    if steps and left.meaning[1] != is_greatest and "and" in gap and not set(gap) - {"and", "the"}:
        yield "ends", steps, 0.0


@RULES.add("compare", "ends")
def between_ends(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning == "between":
        yield "lowends", right.meaning, 0.0


@RULES.add("difference", "lowends")
def difference_of_ends(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The difference between the highest and the lowest."""
    steps = summed(grammar, right.meaning)
    if steps:
        yield "total", (Spread.RANGE, steps), 0.0
    elif not right.meaning:
        yield "aggregate", "range", 0.0


@RULES.add("differencein", "lowends")
def difference_in_ends(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The difference in accuracy between the best and the worst."""
    steps = summed(grammar, left.meaning)
    if steps and (not right.meaning or not set(steps).isdisjoint(right.meaning)):
        yield "total", (Spread.RANGE, steps), 0.0
