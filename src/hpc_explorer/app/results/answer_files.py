"""Writes answers as CSV (RFC 4180), JSON and Markdown."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hpc_explorer.app.results.answer import Answer, AnswerPlot, Axis, Cell, Section
from hpc_explorer.app.results.cells import cell_value
from hpc_explorer.app.results.table_files import markdown_link, markdown_text, table_csv, table_markdown
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.errors import UnknownFormat, UsageError
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.wording import counted

# CSV


def plot_csv(plot: AnswerPlot) -> str:
    """The values of a plot as CSV, one row each."""
    text = io.StringIO()
    writer = CsvWriter(text)
    writer.writerow(("series", plot.x.heading, plot.y.heading))
    for one in plot.series:
        writer.writerows((one.name, _at(plot.x, x), y) for x, y in zip(one.xs, one.ys, strict=True))
    return text.getvalue()


def _at(axis: Axis, x: float) -> str | float:
    return datetime.fromtimestamp(x, UTC).isoformat() if axis.kind is CellKind.TIME else x


# JSON


def answer_json(answer: Answer) -> str:
    """The answer as JSON, as described in docs/guide/window.md."""
    return json.dumps(
        {
            "title": answer.title,
            "summary": list(answer.summary),
            "notes": list(answer.notes),
            "sections": [_section_json(section) for section in answer.sections],
        },
        indent=2,
        ensure_ascii=False,
    )


def _section_json(section: Section) -> dict[str, Any]:
    if isinstance(section, Table):
        return {
            "kind": "table",
            "title": section.title,
            "columns": [_axis_json(one.title, one) for one in section.columns],
            "rows": [[_json(cell) for cell in row] for row in section.rows],
        }
    if isinstance(section, AnswerPlot):
        return {
            "kind": "plot",
            "title": section.title,
            "x": _axis_json(section.x.name, section.x),
            "y": _axis_json(section.y.name, section.y),
            "series": [
                {"name": one.name, "x": [_json(float(x)) for x in one.xs], "y": [_json(float(y)) for y in one.ys]}
                for one in section.series
            ],
        }
    return {
        "kind": "text",
        "title": section.title,
        "lines": [
            {"text": line.text, **({"resource": _json(line.target)} if line.target is not None else {})}
            for line in section.lines
        ],
    }


def _axis_json(name: str, axis: Axis | Column) -> dict[str, Any]:
    return {"name": name, "unit": axis.unit or None, "kind": axis.kind.value}


def _json(cell: Cell) -> Any:
    if isinstance(cell, ResourceRef):
        return {"iri": cell.iri, "curie": cell.curie, "label": cell.label, "class": cell.kind or None}
    if isinstance(cell, float) and not math.isfinite(cell):
        return None  # not representable in JSON
    return cell_value(cell)


# Markdown


def answer_markdown(answer: Answer) -> str:
    """The answer as Markdown (CommonMark with GitHub's tables); plots are summarized."""
    lines = [f"# {markdown_text(answer.title)}", ""]
    for sentence in answer.summary:
        lines += [markdown_text(sentence), ""]
    if answer.notes:
        lines += [*(f"- {markdown_text(note)}" for note in answer.notes), ""]
    for section in answer.sections:
        if section.title:
            lines += [f"## {markdown_text(section.title)}", ""]
        lines += [*_section_markdown(section), ""]
    return "\n".join(lines).rstrip() + "\n"


def _section_markdown(section: Section) -> Iterator[str]:
    if isinstance(section, Table):
        if not section.rows:
            yield markdown_text(section.empty_text)
            return
        yield table_markdown(section).rstrip("\n")
    elif isinstance(section, AnswerPlot):
        yield from (f"- {markdown_text(sentence)}" for sentence in plot_sentences(section))
    else:
        for line in section.lines:
            text = markdown_link(line.text, line.target.iri) if line.target is not None else markdown_text(line.text)
            if section.listed:
                yield f"{'  ' * line.indent}- {text}"
            else:
                yield from (text, "")


def plot_sentences(plot: AnswerPlot) -> list[str]:
    """One sentence for each series: number of values, first, last, least and greatest."""
    said = []
    for one in plot.series:
        known = [float(y) for y in one.ys if math.isfinite(y)]
        name = f"{one.name}: " if one.name else ""
        if not known:
            said.append(f"{name}no values.")
            continue
        unit = f" {plot.y.unit}" if plot.y.unit else ""
        number = counted(len(known), "value")
        gaps = f", {len(one.ys) - len(known):,} missing" if len(known) < len(one.ys) else ""
        said.append(
            f"{name}{number} of {plot.y.name} over {plot.x.name}{gaps}; the first {known[0]:.6g}{unit}, "
            f"the last {known[-1]:.6g}{unit}, the least {min(known):.6g}{unit}, the most {max(known):.6g}{unit}."
        )
    return said


# Files


def _answer_csv(answer: Answer) -> str:
    tables, plots = answer.tables, answer.plots
    if tables:
        return table_csv(tables[0], {})
    if plots:
        return plot_csv(plots[0])
    raise UsageError("this answer has no table", "CSV", "save it as JSON or Markdown")


WRITERS: dict[str, Callable[[Answer], str]] = {
    ".csv": _answer_csv,
    ".json": answer_json,
    ".md": answer_markdown,
}
"""The formats of all answers, by suffix."""


DOCUMENT_SUFFIXES = (".jsonld", ".zip")
"""The suffixes of documents, which not all answers have."""


def write_answer(answer: Answer, path: Path) -> Path:
    """Write an answer in the format of the file's suffix: .csv (the first table), .json, .md, or one of its documents.

    Raises:
        UnknownFormat: the suffix is none of these.
        UsageError: the suffix is .csv, and the answer has neither a table nor a plot.
        OutputNotWritable: the file cannot be written; an existing file is unchanged.
    """
    suffix = path.suffix.lower()
    document = next((one for one in answer.documents if one.suffix == suffix), None)
    if document is not None:
        document.write(path)
        return path
    writer = WRITERS.get(suffix)
    if writer is None:
        raise UnknownFormat(
            "an answer cannot be written in this format", str(path), f"end the name in {', '.join(WRITERS)}"
        )
    with atomic_output(path) as stream:
        stream.write(writer(answer).encode())
    return path
