"""Write an assessment as a page, a table, a document, statements or a badge."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path

from hpc_explorer.app.fair.assessing import AssessmentView
from hpc_explorer.errors import UsageError
from hpc_explorer.fair.document import document_of
from hpc_explorer.fair.reports.badge import badge
from hpc_explorer.fair.reports.graph import PREFIXES, result_quads
from hpc_explorer.fair.reports.outcome import outcome_document
from hpc_explorer.fair.reports.page import page
from hpc_explorer.fair.reports.report import Report
from hpc_explorer.fair.reports.rows import csv_text
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import JSON_LD, N_QUADS, TURTLE, Format
from hpc_explorer.rdf.syntax.writing import write_quads


class ReportForm(Enum):
    """The formats of a report with their extensions."""

    PAGE = ".html"
    TABLE = ".csv"
    DOCUMENT = ".json"
    TURTLE = ".ttl"
    N_QUADS = ".nq"
    JSON_LD = ".jsonld"
    BADGE = ".svg"

    @property
    def title(self) -> str:
        """The label of the format."""
        return _TITLES[self]


_TITLES: Mapping[ReportForm, str] = {
    ReportForm.PAGE: "Page (HTML)",
    ReportForm.TABLE: "Table (CSV)",
    ReportForm.DOCUMENT: "Document (JSON)",
    ReportForm.TURTLE: "Statements (Turtle)",
    ReportForm.N_QUADS: "Statements (N-Quads)",
    ReportForm.JSON_LD: "Statements (JSON-LD)",
    ReportForm.BADGE: "Badge (SVG)",
}


def form_of(path: Path) -> ReportForm:
    """The format of a file, by its name.

    Raises:
        UsageError: none is called so.
    """
    try:
        return ReportForm(path.suffix.lower())
    except ValueError:
        known = ", ".join(form.value for form in ReportForm)
        raise UsageError("unknown report format", path.name, f"let the name end in {known}") from None


def report_bytes(view: AssessmentView, form: ReportForm) -> bytes:
    """A report as the content of a file."""
    return _WRITERS[form](report_of_view(view))


def report_of_view(view: AssessmentView) -> Report:
    """An assessment as a report."""
    return Report(view.assessment, view.decided, view.score, view.ladder, view.reading, view.doubt)


def write_report(view: AssessmentView, path: Path, form: ReportForm | None = None) -> None:
    """Write a report, completely or not at all.

    Args:
        form: None: as the file's name asks.

    Raises:
        UsageError: no form is called as the file's name ends.
        OutputNotWritable: it cannot be written there.
    """
    content = report_bytes(view, form or form_of(path))
    with atomic_output(path) as file:
        file.write(content)


def _document(report: Report) -> bytes:
    told = outcome_document(report) | {"assessment": document_of(report.assessment)}
    return (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode()


def _statements(form: Format) -> Callable[[Report], bytes]:
    def written(report: Report) -> bytes:
        content = io.BytesIO()
        write_quads(result_quads(report), content, form, PREFIXES)
        return content.getvalue()

    return written


_WRITERS: Mapping[ReportForm, Callable[[Report], bytes]] = {
    ReportForm.PAGE: lambda report: page(report).encode(),
    ReportForm.TABLE: lambda report: csv_text(report).encode(),
    ReportForm.DOCUMENT: _document,
    ReportForm.TURTLE: _statements(TURTLE),
    ReportForm.N_QUADS: _statements(N_QUADS),
    ReportForm.JSON_LD: _statements(JSON_LD),
    ReportForm.BADGE: lambda report: badge(report.score).encode(),
}
