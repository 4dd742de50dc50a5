"""The text output of `fair`: the score, open and missing indicators, and repairs."""

from __future__ import annotations

import io
import shutil
import textwrap
from collections.abc import Iterable, Sequence

from hpc_explorer.app.fair.assessing import AssessmentView
from hpc_explorer.app.fair.assessing_many import FirstToFix
from hpc_explorer.app.results.text_tables import table
from hpc_explorer.fair.planning import Plan, Step
from hpc_explorer.fair.repairing import Repair, repairs_of
from hpc_explorer.fair.scoring import Decided, Part
from hpc_explorer.fair.values import Principle
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter

_BAR = 28

# The most indicators that are listed as worth fixing across many resources.
_MOST_FIXES = 10

# The most repairs listed per indicator.
_MOST_REPAIRS = 2


def assessment(view: AssessmentView, repairs: Sequence[Repair], plan: Plan | None) -> str:
    """One assessment with its repairs and optionally a plan for a target."""
    score = view.score
    lines = [
        _name(view),
        "",
        f"{score} points, {score.percent}, assessed as a {view.assessment.assessed.value}",
        "",
    ]
    if view.doubt:
        lines += [*_wrapped(view.doubt, "", ""), ""]
    rows = []
    for principle, part, rung in zip(Principle, score.by_principle, view.ladder, strict=True):
        rows.append([principle.title, _bar(part), f"{part.points}/{part.of}", f"level {rung.level} of the RDA's 5"])
    lines += table(rows, indent="  ")
    if plan is not None:
        lines += _plan_lines(plan)
    missing = [one for one in view.decided if not one.points.high and not one.is_override]
    opened = [one for one in view.decided if one.points.is_open]
    lines += _listed("Not reached", missing, repairs)
    lines += _listed("Open until answered", opened, repairs)
    overrides = [one for one in view.decided if one.is_override]
    lines += _listed("Answered against the test", overrides, ())
    if view.reading.name != "hybrid" or overrides:
        lines += ["", *_wrapped(f"Reading: {view.reading.title}. {view.reading.note}", "", "")]
    if opened:
        lines += ["", *_wrapped(_HOW_TO_ANSWER, "", "")]
    return "\n".join(lines)


_HOW_TO_ANSWER = (
    "Answers are stored in a TOML file next to the graph, or given with --answers: see docs/guide/fair.md. The window"
    " asks for them on the tab FAIR."
)


def many(rows: Sequence[AssessmentView], fixes: Sequence[FirstToFix]) -> str:
    """Many assessments."""
    if not rows:
        return "nothing here is a dataset or a model"
    cells = [["points", "%", *(principle.value for principle in Principle), "resource"]]
    for view in rows:
        parts = [str(part.points) for part in view.score.by_principle]
        cells.append([str(view.score.points), view.score.percent.removesuffix(" %"), *parts, _name(view)])
    lines = [f"{len(rows):,} assessed, of {rows[0].score.of} points each", ""]
    lines += table(cells, right=frozenset(range(6)), indent="  ")
    worth = [one for one in fixes if one.missing][:_MOST_FIXES]
    if worth:
        lines += ["", "Most useful fixes"]
        lines += table(
            [
                [f"{len(one.missing):,} lack it", one.indicator.id, one.indicator.text, one.action.value]
                for one in worth
            ],
            right=frozenset({0}),
            indent="  ",
        )
    return "\n".join(lines)


def many_as_csv(rows: Sequence[AssessmentView], fixes: Sequence[FirstToFix]) -> str:
    """Many assessments as CSV, the best first."""
    names = [principle.value for principle in Principle]
    head = ["resource", "label", "points_low", "points_high", "of"]
    head += [f"{name}_{end}" for name in names for end in ("low", "high")]
    text = io.StringIO()
    writer = CsvWriter(text, "\n")
    writer.writerow(head)
    for view in rows:
        score = view.score
        parts = [end for part in score.by_principle for end in (part.points.low, part.points.high)]
        writer.writerow([view.ref.iri, view.ref.label, score.low, score.high, score.of, *parts])
    return text.getvalue().removesuffix("\n")


def _name(view: AssessmentView) -> str:
    return f"{view.ref.label} ({view.ref.curie})" if view.ref.label != view.ref.curie else view.ref.curie


def _bar(part: Part) -> str:
    """A bar: certain points filled, possible ones shaded."""
    certain, possible = (round(_BAR * points / part.of) for points in (part.points.low, part.points.high))
    return "█" * certain + "▒" * (possible - certain) + "·" * (_BAR - possible)


def _listed(title: str, some: Iterable[Decided], repairs: Sequence[Repair]) -> list[str]:
    lines: list[str] = []
    for one in some:
        if not lines:
            lines += ["", title]
        indicator = one.indicator
        priority = f", {indicator.priority.value.lower()}" if indicator.priority.value else ""
        lines.append(f"  {indicator.id}  {indicator.text} ({indicator.subprinciple}{priority})")
        lines += _wrapped(one.sentence, "      ", "      ")
        for repair in repairs_of(repairs, indicator.id)[:_MOST_REPAIRS] if one.answer is None else ():
            lines += _wrapped(f"→ {repair.words} ({repair.action.value}). {repair.explanation}", "      ", "        ")
    return lines


def _plan_lines(plan: Plan) -> list[str]:
    if plan.start.low >= plan.target:
        return ["", f"The target of {plan.target} points is reached."]
    how = (
        "the smallest plan"
        if plan.exact
        else f"a plan that may not be the smallest: at least {plan.fewest} steps are needed"
    )
    head = (
        f"To reach {plan.target} points, {how}"
        if plan.is_reached
        else f"{plan.target} points are out of reach; all that helps"
    )
    lines = ["", f"{head}:"]
    for number, step in enumerate(plan.steps, start=1):
        lines += _wrapped(f"{number}. {step.words}: then {step.points}", "  ", "     ")
        lines += _wrapped(_gains(step), "     ", "     ") if step.repair is not None else []
        if step.repair is not None and step.repair.asks:
            questions = " ".join(ask.question for ask in step.repair.asks)
            lines += _wrapped(f"to be answered: {questions}", "     ", "     ")
    return lines


def _gains(step: Step) -> str:
    """What a repair gains, and what a person must confirm afterwards."""
    parts = [f"gains {', '.join(step.earned)}"] if step.earned else []
    if step.to_confirm:
        parts.append(f"then to look at: {', '.join(step.to_confirm)}")
    return "; ".join(parts)


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
