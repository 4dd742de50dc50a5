"""Rules for times: ranges and lists of days and months, times of a day, and groups by month."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import Amount, Asked, Constraint, Either, Has, Step, Steps, Thing
from hpc_explorer.language.periods import Clock, PartPeriod, Period
from hpc_explorer.query.model.conditions import Operator

RULES = RuleTable()

OPERATORS = {
    ">": Operator.MORE, ">=": Operator.AT_LEAST, "<": Operator.LESS, "<=": Operator.AT_MOST, "=": Operator.EQUAL,
    "since": Operator.AT_LEAST, "after": Operator.MORE, "before": Operator.LESS, "until": Operator.AT_MOST,
}  # fmt: skip
_IN = frozenset(("in", "on", "from", "during", "of", "at", "within"))
_LISTING = frozenset(("and", "or", ","))
_MOST_YEARS = 5
_SECOND, _MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def time_amount(operator: Operator, period: Period) -> Amount:
    """A comparison with a period."""
    return Amount(operator, period.first, period.after, is_time=True)


def completed(low: Period | PartPeriod, high: Period | PartPeriod) -> tuple[Period, Period] | None:
    """Two times of which one may lack what the other says; None if they do not follow each other."""
    first = low.within(high) if isinstance(low, PartPeriod) and isinstance(high, Period) else low
    last = high.within(low) if isinstance(high, PartPeriod) and isinstance(low, Period) else high
    if isinstance(first, Period) and isinstance(last, Period) and first.first < last.after:
        return first, last
    return None


@RULES.add("compare", "period")
def compare_period(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning == "between":
        yield "low", right.meaning, 0.0
    elif left.meaning in OPERATORS:
        yield "amount", time_amount(OPERATORS[left.meaning], right.meaning), 0.0


@RULES.add("period", "compare")
def period_compare(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """In 2021 or later."""
    if not gap and right.meaning in (">=", "<="):
        yield "amount", time_amount(OPERATORS[right.meaning], left.meaning), 0.0


@RULES.add("compare", "partperiod")
@RULES.add("compare", "clock")
def compare_part(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning == "between":
        yield "low", right.meaning, 0.0
    elif right.kind == "clock" and left.meaning in OPERATORS:
        yield "clockamount", (OPERATORS[left.meaning], right.meaning, None), 0.0


@RULES.add("low", "period")
@RULES.add("low", "partperiod")
@RULES.add("low", "clock")
def low_high_time(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Between the 1st and the 3rd of March 2021; from 08:10 to 08:12."""
    low, high = left.meaning, right.meaning
    if not set(gap) & {"and", "to"}:
        return
    if isinstance(low, Clock) and isinstance(high, Clock):
        yield "clockamount", (Operator.EQUAL, low, high), 0.0
    elif not isinstance(low, Clock) and not isinstance(high, Clock):
        if isinstance(low, Decimal):
            # "Between 10 and 25 October 2020".
            low = PartPeriod(None, int(low)) if low in range(1, 32) else None
        both = completed(low, high) if isinstance(low, (Period, PartPeriod)) else None
        if both is not None:
            yield "amount", Amount(Operator.EQUAL, both[0].first, both[1].after, is_time=True), 0.0


@RULES.add("number", "period", joins=True)
@RULES.add("number", "periods", joins=True)
def day_and_day(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """10 or 11 August 2020."""
    first = right.meaning[0] if right.kind == "periods" else right.meaning
    if left.meaning in range(1, 32) and first.is_day and set(gap) & _LISTING:
        yield from period_period(grammar, replace(left, meaning=PartPeriod(None, int(left.meaning))), right, gap)


@RULES.add("period", "period", joins=True)
@RULES.add("partperiod", "period", joins=True)
@RULES.add("period", "partperiod", joins=True)
@RULES.add("partperiod", "periods", joins=True)
@RULES.add("period", "periods", joins=True)
def period_period(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The 4th and 5th of August 2020; March to May 2023."""
    several = right.meaning if right.kind == "periods" else (right.meaning,)
    both = completed(left.meaning, several[0])
    if both is None:
        return
    first, last = both
    if set(gap) - {"the"} == {"to"} and len(several) == 1:
        yield "amount", Amount(Operator.EQUAL, first.first, last.after, is_time=True), 0.1
    elif gap and not set(gap) - {*_LISTING, "the", "in", "on"}:
        yield "periods", (first, last, *several[1:]), 0.05


@RULES.add("period", "clockamount")
@RULES.add("clockamount", "period", swapped=True)
@RULES.add("period", "clock")
@RULES.add("clock", "period", swapped=True)
def clock_of_day(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """On 23 May 2016 after 08:10."""
    day = left.meaning
    if not day.is_day or set(gap) - {"on", "at", ",", "the", "between", "from"}:
        return
    if right.kind == "clock":
        clock = right.meaning.text
        yield "amount", Amount(Operator.EQUAL, day.at(clock), day.at(clock, _MINUTE), is_time=True), 0.1
        return
    operator, low, high = right.meaning
    first, after = day.first, day.after
    if high is not None:
        first, after = day.at(low.text), day.at(high.text, _SECOND)
    elif operator in (Operator.MORE, Operator.AT_LEAST):
        first = day.at(low.text, _SECOND if operator is Operator.MORE else timedelta())
    elif operator in (Operator.LESS, Operator.AT_MOST):
        after = day.at(low.text, _SECOND if operator is Operator.AT_MOST else timedelta())
    else:
        first, after = day.at(low.text), day.at(low.text, _MINUTE)
    if first < after:
        yield "amount", Amount(Operator.EQUAL, first, after, is_time=True), 0.0


def timed(steps: Steps, amounts: Sequence[Amount]) -> Constraint:
    """One of the times holds for a property."""
    each = tuple(Has(steps, amount) for amount in amounts)
    return each[0] if len(each) == 1 else Either(each)


@RULES.add("noun", "period")
@RULES.add("rel", "period")
@RULES.add("noun", "periods")
@RULES.add("rel", "periods")
def noun_period(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = tuple(step for step in left.meaning if step.forward and step.predicate in grammar.terms.times)
    amounts = _equal(right)
    # The end of August is no end date in August.
    if steps and amounts and "of" not in gap:
        yield "con", (timed(steps, amounts),), 0.0


@RULES.add("noun", "partperiod")
@RULES.add("rel", "partperiod")
@RULES.add("thing", "partperiod")
def in_any_year(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """In April, where the graph tells of few years: in any of them."""
    years = sorted(grammar.terms.years)
    within = (right.meaning.within(Period(f"{year}-01-01", f"{year + 1}-01-01")) for year in years)
    found = tuple(period for period in within if period is not None)
    if right.meaning.month is None or not found or len(years) > _MOST_YEARS or not set(gap) & _IN:
        return
    rule = thing_period if left.kind == "thing" else noun_period
    for kind, meaning, price in rule(grammar, left, replace(right, kind="periods", meaning=found), gap):
        yield kind, meaning, price + 0.1


def _equal(edge: Edge) -> list[Amount]:
    """The amounts of one or several periods; none where a period is only a moment between two others."""
    periods = edge.meaning if edge.kind == "periods" else (edge.meaning,)
    if any(one.first == one.after for one in periods):
        return []
    return [time_amount(Operator.EQUAL, one) for one in periods]


@RULES.add("thing", "period")
@RULES.add("thing", "periods")
def thing_period(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    amounts = _equal(right)
    if amounts and (set(gap) & _IN or not gap):
        # "Experiments February 2023", as in a search.
        more = 0.0 if gap else 0.3
        for kind, meaning, price in thing_time(grammar, left.meaning, amounts):
            yield kind, meaning, price + more


@RULES.add("thing", "amount")
def thing_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.is_time:
        yield from thing_time(grammar, left.meaning, (right.meaning,))


@RULES.add("counted", "period")
@RULES.add("counted", "periods")
@RULES.add("counted", "amount")
@RULES.add("summary", "period")
@RULES.add("summary", "periods")
@RULES.add("summary", "amount")
def late_time(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The number of experiments per day in August 2020: the time of what is counted."""
    what = left.meaning.what
    host = what.host if isinstance(what, Asked) else what
    rule = thing_amount if right.kind == "amount" else thing_period
    for _, held, price in rule(grammar, replace(left, meaning=host), right, gap):
        yield left.kind, replace(left.meaning, what=replace(what, host=held) if host is not what else held), price


def thing_time(grammar: Grammar, thing: Thing, amounts: Sequence[Amount]) -> Iterator[Result]:
    """Things of a time: by any of their times; without one, by the times of what made them."""
    if not thing.classes and (thing.resources or not thing.constraints):
        return
    is_timed = False
    for term in sorted(grammar.terms.times, key=str):
        held = grammar.with_constraints(thing, (timed((Step(term),), amounts),))
        if held is not None:
            is_timed = True
            yield "thing", held, 0.6 if "start" in term.value.lower() else 1.0
    for activity in () if is_timed else sorted(grammar.terms.activities, key=str):
        # A model of March 2023 is one that was made then.
        for term in sorted(one for one in grammar.terms.times if "start" in one.value.lower()):
            then = grammar.with_constraints(Thing((activity,)), (timed((Step(term),), amounts),))
            for steps in grammar.made_in(grammar.classes(thing), activity) if then is not None else ():
                held = grammar.with_constraints(thing, (Has(steps, then),))
                if held is not None:
                    yield "thing", held, 1.0
