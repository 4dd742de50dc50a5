"""The 47 as a table: one row for each, for a spreadsheet."""

from __future__ import annotations

import csv
import io

from hpc_explorer.fair.reports.report import Report, evidence_texts, points_words

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
"""What each row has. `test` is what the test found, `level` the RDA level that a person answered."""

# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(report: Report) -> str:
    """The table as CSV (RFC 4180). A cell that a spreadsheet would run as a formula begins with an apostrophe."""
    written = io.StringIO()
    writer = csv.writer(written)
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
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return written.getvalue()


def safe_cell(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
