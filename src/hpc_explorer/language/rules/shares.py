"""Rules for percentages: of the things that hold something, and of one amount in another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import Ratio, Share, Steps, Thing
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
