"""The 47 indicators as a table with one row each."""

from __future__ import annotations

import io

from hpc_explorer.fair.reports.report import Report, evidence_texts, points_words
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter

COLUMNS = (
    "indicator",
    "rda",
    "fuji",
    "principle",
    "subprinciple",
    "priority",
    "text",
    "test",
    "points_low",
    "points_high",
    "outcome",
    "basis",
    "override",
    "level",
    "sentence",
    "action",
    "evidence",
)
"""The columns. `test` is the test's verdict, `level` the RDA level of a person's answer."""


def csv_text(report: Report) -> str:
    """The table as CSV, see `rdf.csv_writing`."""
    written = io.StringIO()
    writer = CsvWriter(written)
    writer.writerow(COLUMNS)
    for one in report.decided:
        indicator, finding = one.indicator, one.finding
        row = (
            indicator.id,
            indicator.rda_id,
            indicator.fuji_id,
            indicator.principle.value,
            indicator.subprinciple,
            indicator.priority.value,
            indicator.text,
            finding.verdict.value,
            one.points.low,
            one.points.high,
            points_words(one),
            one.basis.value,
            "yes" if one.is_override else "no",
            "" if one.answer is None else int(one.answer.level),
            one.sentence,
            indicator.action.value,
            "\n".join(evidence_texts(one)),
        )
        writer.writerow(row)
    return written.getvalue()
