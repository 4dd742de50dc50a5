"""Rules for counts, sums and groups."""

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
    Several,
    Spread,
    Step,
    Steps,
    Summary,
    Thing,
    turned,
)
from hpc_explorer.query.model.query import AggregateFunction
from hpc_explorer.rdf.terms import NamedNode

RULES = RuleTable()

_FUNCTIONS: dict[str, AggregateFunction | Spread] = {
    "mean": AggregateFunction.AVERAGE, "sum": AggregateFunction.SUM, "min": AggregateFunction.LEAST,
    "max": AggregateFunction.MOST, "range": Spread.RANGE,
}  # fmt: skip


@RULES.add("count", "thing")
@RULES.add("count", "asked")
def count_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    meaning = right.meaning
    if isinstance(meaning, Asked):
        # "How many nodes" of a number of nodes asks for that number.
        is_number = any(step.predicate in grammar.terms.numeric for step in meaning.steps)
        yield "counted", Counted(meaning), 1.0 if is_number else 0.0
    elif meaning.classes or meaning.constraints:
        yield "counted", Counted(meaning), 0.0


@RULES.add("thing", "count")
@RULES.add("nthing", "count")
def of_things_count(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Of the log files, how many are …"""
    thing = left.meaning[0] if left.kind == "nthing" else left.meaning
    if any(isinstance(one, Extreme) and one.by_count for one in thing.constraints):
        # "Who has most, and how many": the number is shown beside.
        if "and" in gap:
            yield "thing", thing, 0.1
    elif thing.classes and not set(gap) - {",", "and", ":"} and gap:
        yield "counted", Counted(thing), 0.2


@RULES.add("counted", "weak")
def counted_found(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How many anomalies were found: the verb adds nothing."""
    if gap and not set(gap) - {"were", "was", "are", "is", "there"}:
        yield "counted", left.meaning, 0.2


@RULES.add("counted", "con")
def counted_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if isinstance(left.meaning.what, Thing):
        thing = grammar.with_constraints(left.meaning.what, right.meaning)
        last = left.meaning.what.constraints[-1:]
        over = any(isinstance(one, Has) and isinstance(one.target, Thing) for one in last)
        if thing is not None:
            yield "counted", replace(left.meaning, what=thing), 0.15 if over else 0.0


@RULES.add("counted", "counted")
@RULES.add("several", "counted")
@RULES.add("summary", "summary")
@RULES.add("counted", "summary")
def several_numbers(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How many datasets and how many models does X have: what is said last holds for all of them."""
    before = left.meaning.questions if left.kind == "several" else (left.meaning,)
    last = right.meaning
    if not set(gap) & {"and", ","} or last in before or any(one.per is not None for one in (*before, last)):
        return
    if "there" not in gap and isinstance(last, Counted) and isinstance(last.what, Thing) and last.what.constraints:
        shared = [_sharing(grammar, one, last.what) for one in before]
        if all(shared):
            yield "several", Several((*(one for one in shared if one is not None), last)), 0.1
            return
    yield "several", Several((*before, last)), 0.3


def _sharing(grammar: Grammar, one: Counted | Summary, other: Thing) -> Counted | None:
    """A count of which the same is said as of another thing."""
    if not isinstance(one, Counted) or not isinstance(one.what, Thing) or not one.what.is_bare:
        return None
    thing: Thing | None = one.what
    for constraint in other.constraints:
        held = None if thing is None else grammar.with_constraints(thing, (constraint,))
        if held is None and thing is not None and isinstance(constraint, Has) and isinstance(constraint.target, Thing):
            for steps, _ in grammar.between(thing.classes, grammar.classes(constraint.target)):
                held = held or grammar.with_constraints(thing, (replace(constraint, steps=steps),))
        thing = held
    return None if thing is None else replace(one, what=thing)


@RULES.add("each", "noun")
def each_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "per", right.meaning, 0.0


@RULES.add("each", "thing")
def each_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.is_bare and right.meaning.classes:
        yield "per", right.meaning, 0.1


@RULES.add("each", "thing")
def each_such_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Per training run on X."""
    if right.meaning.classes and right.meaning.constraints and not set(gap) - {"of", "the"}:
        yield "perthing", right.meaning, 0.1


@RULES.add("noun", "perthing")
@RULES.add("perthing", "noun", swapped=True)
def amount_of_each(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The energy of each run on X."""
    fitting = tuple(step for step in left.meaning if grammar.terms.step_fits(right.meaning.classes, step))
    if fitting:
        yield "askedper", Asked(right.meaning, fitting), 0.1


@RULES.add("each", "thing")
def every_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Each model is every model where nothing is grouped."""
    if right.meaning.classes and not gap:
        yield "thing", right.meaning, 0.9


@RULES.add("each", "timepart")
def each_timepart(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Per month."""
    if not gap:
        yield "per", right.meaning, 0.0


def groupings(grammar: Grammar, what: Thing, per: Any) -> Iterator[tuple[Grouping, float]]:
    if isinstance(per, str):
        for term in sorted(grammar.terms.times, key=str):
            if grammar.terms.step_fits(grammar.classes(what), Step(term)):
                yield Grouping((Step(term),), per), 0.0 if "start" in term.value.lower() else 0.4
    elif isinstance(per, Thing):
        below = grammar.terms.at_or_below(per.classes)
        for steps, price in grammar.between(grammar.classes(what), per.classes):
            is_mixed = any(not grammar.terms.leads_to(step) <= below for step in steps)
            yield Grouping(steps, classes=per.classes if is_mixed else ()), price
    else:
        steps = tuple(step for step in per if grammar.terms.step_fits(grammar.classes(what), step))
        if steps:
            yield Grouping(steps), 0.0


@RULES.add("per", "counted", swapped=True)
@RULES.add("counted", "per")
def counted_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    what = left.meaning.what
    if isinstance(what, Thing) and left.meaning.per is None:
        for grouping, price in groupings(grammar, what, right.meaning):
            yield "counted", replace(left.meaning, per=grouping), price


@RULES.add("thing", "per")
def thing_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    # The largest of each group is not their number.
    is_first = any(isinstance(one, Extreme) for one in left.meaning.constraints)
    if left.meaning.classes and not left.meaning.resources and not is_first:
        for grouping, price in groupings(grammar, left.meaning, right.meaning):
            yield "counted", Counted(left.meaning, grouping), price + 0.8


def summed(grammar: Grammar, steps: Steps) -> Steps:
    """The steps whose values are numbers or quantities."""
    terms = grammar.terms
    return tuple(
        step
        for step in steps
        if step.predicate in terms.numeric or step.predicate in terms.quantities or step.predicate in terms.durations
    )


@RULES.add("asked", "aggregate")
def asked_aggregate(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How much energy the experiments used in total."""
    if set(gap) <= {"in", "on"}:
        yield from aggregate_asked(grammar, right, left, gap)


@RULES.add("aggregate", "noun")
def aggregate_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = summed(grammar, right.meaning)
    if left.meaning in _FUNCTIONS and steps:
        yield "total", (_FUNCTIONS[left.meaning], steps), 0.0


@RULES.add("aggregate", "asked")
def aggregate_asked(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = summed(grammar, right.meaning.steps)
    if left.meaning in _FUNCTIONS and steps:
        yield "summary", Summary(_FUNCTIONS[left.meaning], replace(right.meaning, steps=steps)), 0.0


@RULES.add("total", "thing")
def total_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    function, steps = left.meaning
    fitting = tuple(step for step in steps if grammar.terms.step_fits(grammar.classes(right.meaning), step))
    if fitting and (right.meaning.classes or right.meaning.constraints):
        yield "summary", Summary(function, Asked(right.meaning, fitting)), 0.0


@RULES.add("total", "con")
def total_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The total number of nodes in Norway: of everything of which this holds."""
    host = grammar.with_constraints(Thing(), right.meaning)
    if host is not None and grammar.classes(host):
        for kind, meaning, price in total_thing(grammar, left, replace(right, meaning=host), gap):
            yield kind, meaning, price + 0.3


@RULES.add("total", "per")
def total_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "totalper", (*left.meaning, right.meaning), 0.0


@RULES.add("totalper", "thing")
def totalper_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    function, steps, per = left.meaning
    for kind, meaning, price in total_thing(grammar, replace(left, meaning=(function, steps)), right, gap):
        for grouping, more in groupings(grammar, meaning.what.host, per):
            yield kind, replace(meaning, per=grouping), price + more


@RULES.add("summary", "per")
def summary_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    for grouping, price in groupings(grammar, left.meaning.what.host, right.meaning):
        yield "summary", replace(left.meaning, per=grouping), price


@RULES.add("summary", "con")
def summary_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    host = grammar.with_constraints(left.meaning.what.host, right.meaning)
    if host is not None:
        yield "summary", replace(left.meaning, what=replace(left.meaning.what, host=host)), 0.0


@RULES.add("asked", "con")
@RULES.add("askedper", "con")
def asked_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    host = grammar.with_constraints(left.meaning.host, right.meaning)
    if host is not None:
        yield left.kind, replace(left.meaning, host=host), 0.0


@RULES.add("count", "noun")
def count_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "countnoun", right.meaning, 0.0
    numeric = tuple(step for step in right.meaning if step.predicate in grammar.terms.numeric)
    if numeric:
        yield "noun", numeric, 0.0


@RULES.add("countnoun", "per")
@RULES.add("per", "countnoun", swapped=True)
def countnoun_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How many subjects each dataset has."""
    if isinstance(right.meaning, Thing):
        steps = tuple(step for step in left.meaning if grammar.terms.step_fits(right.meaning.classes, step))
        if steps:
            numeric = tuple(step for step in steps if step.predicate in grammar.terms.numeric)
            yield "counted", Counted(Asked(right.meaning, steps), Grouping(())), 0.1 if not numeric else 0.8


@RULES.add("countnoun", "each")
@RULES.add("counted", "each")
def number_of_each(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap and (left.kind == "countnoun" or left.meaning.per is None):
        yield "eachnumber", left.meaning, 0.0


@RULES.add("counted", "rel")
def number_they_have(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The number of experiments they conducted."""
    what = left.meaning.what
    if left.meaning.per is None and isinstance(what, Thing) and set(gap) & {"they", "it"}:
        steps = grammar.to_target(right.meaning, what)
        if steps:
            yield "theirnumber", (left.meaning, turned(steps)), 0.0


@RULES.add("thing", "theirnumber")
def things_and_their_number(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """People with the number of experiments they conducted."""
    counted, steps = right.meaning
    if left.meaning.is_bare and left.meaning.classes and set(gap) & {"and", "with"}:
        fitting = grammar.to_target(steps, left.meaning)
        if fitting:
            yield "counted", replace(counted, per=Grouping(fitting)), 0.1


@RULES.add("count", "con")
def count_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """And how many did Y conduct."""
    yield "countcon", right.meaning, 0.0


@RULES.add("counted", "countcon")
def counted_of_two(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How many experiments did X conduct, and how many did Y."""
    what = left.meaning.what
    if not isinstance(what, Thing) or not set(gap) & {"and", ","} or not what.classes or left.meaning.per is not None:
        return
    thing = grammar.with_constraints(Thing(what.classes), right.meaning)
    if thing is not None and thing != what:
        yield "several", Several((left.meaning, Counted(thing))), 0.1


@RULES.add("thing", "eachnumber")
@RULES.add("thing", "countnoun")
def things_and_number(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Models and the number of contributors of each; models and their number of contributors."""
    host, number = left.meaning, right.meaning
    if not host.classes or not set(gap) & {"and", "with"}:
        return
    if right.kind == "countnoun" and not set(gap) & {"their", "its"}:
        return
    if isinstance(number, Counted):
        if isinstance(number.what, Thing) and host.is_bare:
            for grouping, price in groupings(grammar, number.what, host):
                yield "counted", replace(number, per=grouping), price
        return
    steps = tuple(step for step in number if grammar.terms.step_fits(host.classes, step))
    if steps:
        yield "counted", Counted(Asked(host, steps), Grouping(())), 0.1


@RULES.add("noun", "per")
@RULES.add("per", "noun", swapped=True)
def amount_per(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The licence of each dataset; energy per project: what adds up is added up, unless each of them has one."""
    terms = grammar.terms
    if isinstance(right.meaning, Thing):
        fitting = tuple(step for step in left.meaning if terms.step_fits(right.meaning.classes, step))
        steps = tuple(step for step in left.meaning if terms.adds_up(step.predicate))
        if fitting and all(terms.leads_to_literal(step) or step.predicate in terms.quantities for step in fitting):
            yield "askedper", Asked(right.meaning, fitting), 0.1
        elif steps and not fitting:
            yield from total_of_all(grammar, replace(left, meaning=(AggregateFunction.SUM, steps)), right, gap)


@RULES.add("much", "thing")
def much_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How much models: how many."""
    if right.meaning.is_bare and right.meaning.classes and not gap:
        yield "counted", Counted(right.meaning), 0.3


@RULES.add("asked", "inunit")
@RULES.add("askedper", "inunit")
def asked_in_unit(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The size in GB."""
    if left.meaning.is_descending is None and all(_takes(grammar, step, right.meaning) for step in left.meaning.steps):
        yield left.kind, replace(left.meaning, unit=right.meaning), 0.0


@RULES.add("summary", "inunit")
def summary_in_unit(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    for _, what, price in asked_in_unit(grammar, replace(left, meaning=left.meaning.what), right, gap):
        yield "summary", replace(left.meaning, what=what), price


@RULES.add("noun", "inunit")
def noun_in_unit(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The size in GB of X."""
    steps = tuple(step for step in left.meaning if _takes(grammar, step, right.meaning))
    if steps:
        yield "nounin", (steps, right.meaning), 0.0


@RULES.add("count", "nounin")
def count_in_unit(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How many hours."""
    if not gap:
        yield "nounin", right.meaning, 0.0


@RULES.add("nounin", "thing")
@RULES.add("nounin", "per")
def noun_in_unit_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps, unit = left.meaning
    host = right.meaning
    if isinstance(host, Thing) and (host.classes or not host.is_bare):
        fitting = tuple(step for step in steps if grammar.terms.step_fits(grammar.classes(host), step))
        if fitting:
            # A sum over all of them is no answer for each.
            yield "asked" if right.kind == "thing" else "askedper", Asked(host, fitting, unit=unit), 0.1


def _takes(grammar: Grammar, step: Step, unit: NamedNode) -> bool:
    return step.forward and grammar.terms.takes_unit(step.predicate, unit)


@RULES.add("much", "noun")
def much_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """How much memory."""
    steps = tuple(step for step in right.meaning if step.forward and grammar.terms.is_sortable(step.predicate))
    if steps:
        yield "noun", steps, 0.0


@RULES.add("per", "rel")
@RULES.add("rel", "per", swapped=True)
def per_rel(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Did each person conduct; conducted by each person."""
    if isinstance(left.meaning, Thing):
        steps = right.meaning if right.start < left.start else turned(right.meaning)
        fitting = tuple(step for step in steps if grammar.terms.step_fits(left.meaning.classes, step.turned))
        if fitting:
            yield "per", fitting, 0.0


@RULES.add("total", "per")
def total_of_all(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The average number of nodes by vendor: of everything that has nodes."""
    function, steps = left.meaning
    if isinstance(right.meaning, Thing):
        fitting = tuple(step for step in steps if grammar.terms.step_fits(right.meaning.classes, step))
        if fitting:
            wholes = [one for one in groupings(grammar, right.meaning, right.meaning) if one[0].steps[0].forward]
            for grouping, price in wholes:
                yield "summary", Summary(function, Asked(right.meaning, fitting), grouping), price
            # The sum of one value says nothing.
            yield "summary", Summary(function, Asked(right.meaning, fitting), Grouping(())), 0.8 if wholes else 0.1
            return
        for cls, ways, price in grammar.owners(steps, right.meaning.classes):
            # "Total energy per person" is that of what they did.
            yield "summary", Summary(function, Asked(Thing((cls,)), steps), Grouping(ways)), 0.3 + price
    elif isinstance(right.meaning, str):
        for cls in sorted({one for step in steps for one in grammar.terms.leads_to(step.turned)}, key=str):
            for grouping, price in groupings(grammar, Thing((cls,)), right.meaning):
                yield "summary", Summary(function, Asked(Thing((cls,)), steps), grouping), 0.2 + price
    else:
        yield "summary", Summary(function, Asked(Thing(), steps), Grouping(right.meaning)), 0.6
