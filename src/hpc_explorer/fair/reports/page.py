"""A report as one self-contained HTML page without scripts, ready for print."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from hpc_explorer.fair.reports.charts import bars, radar
from hpc_explorer.fair.reports.report import Report, evidence_texts, points_words
from hpc_explorer.fair.scoring import Decided
from hpc_explorer.fair.values import Basis, Decider, Level, Principle
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
