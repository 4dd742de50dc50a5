"""A report as one self-contained HTML page without scripts, ready for print."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from xml.sax.saxutils import quoteattr

from hpc_explorer.fair.ladder import Rung
from hpc_explorer.fair.reports.report import Report, evidence_texts, points_words
from hpc_explorer.fair.scoring import Decided, Part
from hpc_explorer.fair.values import PRINCIPLE_TITLES, Basis, Decider, Level, Principle
from hpc_explorer.wording import counted

_SIGNS = {"reached": "✓", "not reached": "✕", "open": "?"}

_BASES = {
    Basis.VERIFIED: "verified",
    Basis.DECLARED: "declared in the graph",
    Basis.HUMAN: "answered by a person",
    Basis.UNKNOWN: "not decided",
}


def page(report: Report) -> str:
    """The page. All text from the graph or a person is escaped."""
    title = escape(f"How FAIR is {report.assessment.label}?")
    style = files("hpc_explorer.fair.reports").joinpath("page.css").read_text(encoding="utf-8")
    body = "\n".join((*_head(report), *page_body(report)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def page_body(report: Report) -> Iterator[str]:
    """The score, the indicators and the notes as HTML, without the name of what was assessed."""
    for section in (_summary, _overrides, _indicators, _notes):
        yield from section(report)


def _head(report: Report) -> Iterator[str]:
    assessment = report.assessment
    yield f"<h1>{escape(assessment.label)}</h1>"
    yield f'<p class="iri">{escape(assessment.subject)}</p>'
    yield (
        f'<p class="quiet">Assessed as a {assessment.assessed.value} on {assessment.when:%Y-%m-%d at %H:%M %Z} '
        f"by HPC Explorer {escape(assessment.program)}</p>"
    )


def _summary(report: Report) -> Iterator[str]:
    score = report.score
    yield f'<p class="score">{score} <small>{escape(score.percent)}</small></p>'
    if score.open:
        questions = "1 indicator is" if len(score.open) == 1 else f"{len(score.open)} indicators are"
        yield f'<p class="quiet">{questions} open: the score stays an interval until a person answers.</p>'
    if report.doubt:
        yield f'<p class="doubt">{escape(report.doubt)}</p>'
    yield f'<div class="charts">{radar(score.by_subprinciple)}{bars(score.by_principle, report.rungs)}</div>'


def _overrides(report: Report) -> Iterator[str]:
    if not report.overrides:
        return
    yield "<h2>Answers that win over a test</h2>"
    yield '<table class="overrides">'
    yield "<thead><tr><th>Indicator</th><th>Test</th><th>Answer and reason</th></tr></thead><tbody>"
    for one in report.overrides:
        yield (
            f'<tr><td class="name">{escape(one.indicator.id)}</td><td>{escape(one.finding.sentence)}</td>'
            f"<td>{escape(one.sentence)}</td></tr>"
        )
    yield "</tbody></table>"


def _indicators(report: Report) -> Iterator[str]:
    for principle in Principle:
        part = next(part for part in report.score.by_principle if part.name == principle.value)
        yield f"<h2>{principle.title}: {part.points} of {part.of}</h2>"
        yield ("<table><thead><tr><th>Outcome</th><th>Indicator</th><th>What was found</th></tr></thead><tbody>")
        for one in report.decided:
            if one.indicator.principle is principle:
                yield _row(one)
        yield "</tbody></table>"


def _row(one: Decided) -> str:
    words = points_words(one)
    sign = f'<span class="{words.replace(" ", "-")}">{_SIGNS[words]} {words}</span>'
    basis = f'<br><span class="quiet">{_basis_words(one)}</span>'
    name = "<br>".join(escape(part) for part in (one.indicator.rda_id, one.indicator.fuji_id) if part)
    told = [f"<strong>{escape(one.indicator.text)}</strong>", f"<p>{escape(one.sentence)}</p>"]
    if one.answer is not None and one.basis is not Basis.HUMAN:
        level = Level(one.answer.level).name.replace("_", " ").lower()
        told.append(f'<p class="quiet">A person answered “{level}”; the test decides here.</p>')
    if not one.points.low:
        told.append(f'<p class="quiet">Raised by {one.indicator.action.value}</p>')
    if one.finding.evidence:
        count = len(one.finding.evidence)
        statements = "".join(f"<li><code>{escape(text)}</code></li>" for text in evidence_texts(one))
        told.append(
            f"<details><summary>Evidence: {counted(count, 'statement')}</summary>"
            f'<ul class="evidence">{statements}</ul></details>'
        )
    return f'<tr><td>{sign}{basis}</td><td class="name">{name}</td><td>{"".join(told)}</td></tr>'


def _basis_words(one: Decided) -> str:
    if one.points.is_open and one.indicator.decider is Decider.CONFIRMED:
        return "a person is to confirm it"
    if one.points.is_open and one.indicator.decider is Decider.ASKED:
        return "a person is asked"
    return _BASES[one.basis]


def _notes(report: Report) -> Iterator[str]:
    yield "<h2>How this was done</h2>"
    yield (
        "<p>The hybrid assessment of Lin et al. 2022, “Making Machine Learning Datasets and Models FAIR for HPC”: 47 "
        "indicators, one point for each that is fully reached. The RDA’s level of an area runs from 0 to 5.</p>"
    )
    yield f"<p>Reading “{escape(report.reading.title)}”: {escape(report.reading.note)}</p>"
    yield f'<p class="quiet">Statements looked at: SHA-256 <code>{escape(report.assessment.fingerprint)}</code></p>'


# Charts: a radar chart of subprinciples and bars of principles
#
# Colours come from the page's style by class, for light and dark themes and paper. Presentation attributes repeat those
# of paper for programs that drop the style, such as mail clients.

_RADIUS = 96.0
_RINGS = (0.25, 0.5, 0.75, 1.0)

_PLAIN = {
    "ring": 'fill="none" stroke="#d7dce2"',
    "certain": 'fill="#1f5fa8" fill-opacity="0.25" stroke="#1f5fa8" stroke-width="2"',
    "open": 'fill="none" stroke="#1f5fa8" stroke-dasharray="4 3"',
    "rail": 'fill="#eceff3"',
    "bar": 'fill="#1f5fa8"',
    "hatch": 'stroke="#1f5fa8" stroke-width="3"',
    "name": 'font-size="13"',
    "number": 'font-size="13"',
    "quiet": 'font-size="13" fill="#5b6572"',
}
"""Presentation attributes by class; the style sheet overrides them."""


def radar(parts: Sequence[Part]) -> str:
    """A radar chart with one spoke per part, from none (centre) to all points (rim).

    The filled area is certain, the dashed line possible.
    """
    centre_x, centre_y = _RADIUS + 44, _RADIUS + 26
    width, height = 2 * centre_x, 2 * centre_y

    def spot(position: int, share: float) -> tuple[float, float]:
        turn = 2 * math.pi * position / len(parts) - math.pi / 2
        return centre_x + share * _RADIUS * math.cos(turn), centre_y + share * _RADIUS * math.sin(turn)

    def outline(shares: Sequence[float]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (spot(n, share) for n, share in enumerate(shares)))

    drawn = [f'<polygon class="ring" points="{outline([ring] * len(parts))}"/>' for ring in _RINGS]
    for position, part in enumerate(parts):
        x, y = spot(position, 1.0)
        drawn.append(f'<line class="ring" x1="{centre_x}" y1="{centre_y}" x2="{x:.1f}" y2="{y:.1f}"/>')
        x, y = spot(position, 1.1)
        aside = (x - centre_x) / _RADIUS
        anchor = "middle" if abs(aside) < 0.3 else "start" if aside > 0 else "end"
        drawn.append(
            f'<text class="name" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{escape(part.name)}</text>'
        )
    if any(part.points.is_open for part in parts):
        drawn.append(f'<polygon class="open" points="{outline([part.points.high / part.of for part in parts])}"/>')
    drawn.append(f'<polygon class="certain" points="{outline([part.points.low / part.of for part in parts])}"/>')
    told = ", ".join(str(part) for part in parts)
    return _svg(width, height, f"Points by subprinciple: {told}", drawn)


def bars(parts: Sequence[Part], rungs: Sequence[Rung]) -> str:
    """A bar per principle with its level: filled if certain, hatched if open."""
    row, left, length = 34, 118, 300
    levels = {rung.principle.value: rung.level for rung in rungs}
    drawn = [
        '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>'
    ]
    for position, part in enumerate(parts):
        y = position * row + 8
        sure, most = (length * points / part.of for points in (part.points.low, part.points.high))
        drawn.append(
            f'<text class="name" x="0" y="{y + 15}">{escape(PRINCIPLE_TITLES.get(part.name, part.name))}</text>'
        )
        drawn.append(f'<rect class="rail" x="{left}" y="{y}" width="{length}" height="20" rx="2"/>')
        if most > sure:
            drawn.append(
                f'<rect fill="url(#hatch)" x="{left + sure:.1f}" y="{y}" width="{most - sure:.1f}" height="20"/>'
            )
        drawn.append(f'<rect class="bar" x="{left}" y="{y}" width="{sure:.1f}" height="20" rx="2"/>')
        drawn.append(f'<text class="number" x="{left + length + 12}" y="{y + 15}">{part.points} of {part.of}</text>')
        if part.name in levels:
            drawn.append(
                f'<text class="quiet" x="{left + length + 116}" y="{y + 15}">RDA level {levels[part.name]}</text>'
            )
    told = ", ".join(str(part) for part in parts)
    return _svg(left + length + 240, len(parts) * row + 4, f"Points by principle: {told}", drawn)


def _svg(width: float, height: float, told: str, drawn: Sequence[str]) -> str:
    shapes = "".join(drawn)
    for name, look in _PLAIN.items():
        shapes = shapes.replace(f'class="{name}"', f'class="{name}" {look}')
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f"aria-label={quoteattr(told)}>{shapes}</svg>"
    )
