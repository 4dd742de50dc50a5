"""Answers as files: a table as CSV (RFC 4180), the whole answer as JSON or Markdown; and cells as text."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hpc_explorer.app.results.answer import Answer, AnswerColumn, AnswerPlot, AnswerTable, Axis, Cell, CellKind, Section
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.errors import UnknownFormat, UsageError
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.wording import counted, time_text

_MOST_DIGITS = 6


# Cells as text


def cell_texts(column: AnswerColumn, cells: Sequence[Cell]) -> list[str]:
    """The cells of a column as a person reads them: grouped numbers, all with as many decimals."""
    decimals = _decimals(cells)
    return [_shown(column, cell, decimals) for cell in cells]


def cell_value(cell: Cell) -> str | int | float | None:
    """A cell as a program reads it: an ISO 8601 time, a duration in seconds, the IRI of a resource."""
    if isinstance(cell, ResourceRef):
        return cell.iri
    if isinstance(cell, datetime):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return cell.total_seconds()
    return cell


def duration_text(span: timedelta) -> str:
    """A duration as hours, minutes and seconds, with days before them where it has them."""
    seconds = abs(span.total_seconds())
    whole = int(seconds)
    part = f"{seconds - whole:.3f}"[1:] if seconds != whole else ""
    days, rest = divmod(whole, 86_400)
    sign = "-" if span < timedelta() else ""
    return f"{sign}{f'{days:,} d ' if days else ''}{rest // 3600}:{rest % 3600 // 60:02}:{rest % 60:02}{part}"


def _shown(column: AnswerColumn, cell: Cell, decimals: int | None) -> str:
    if cell is None:
        return ""
    if isinstance(cell, ResourceRef):
        return cell.label
    if isinstance(cell, datetime):
        return time_text(cell)
    if isinstance(cell, timedelta):
        return duration_text(cell)
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        # A year or a number of something is not grouped where the column says that it is a name.
        return f"{cell:,}" if column.kind is CellKind.NUMBER else str(cell)
    if not math.isfinite(cell):
        return "not a number" if math.isnan(cell) else ("∞" if cell > 0 else "-∞")
    return f"{cell:.{_MOST_DIGITS}g}" if decimals is None else f"{cell:,.{decimals}f}"


def _decimals(cells: Iterable[Cell]) -> int | None:
    """How many decimals the numbers of a column take to keep six digits; None: too far apart, each by itself."""
    sizes = [abs(cell) for cell in cells if isinstance(cell, float) and math.isfinite(cell) and cell]
    if not sizes or max(sizes) >= 1e12 or min(sizes) < 1e-6:
        return None if sizes else 0
    written = (f"{size:.{_MOST_DIGITS}g}" for size in sizes)
    needed = max(len(text.partition(".")[2]) if "e" not in text else 0 for text in written)
    largest, smallest = (math.floor(math.log10(size)) for size in (max(sizes), min(sizes)))
    # The largest keeps six digits, and the smallest three.
    return min(needed, max(_MOST_DIGITS - 1 - largest, 2 - smallest, 0))


# CSV


def table_csv(table: AnswerTable) -> str:
    """A table as CSV. A column of resources is two: the labels, and the IRIs beside them."""
    text = io.StringIO()
    writer = CsvWriter(text)
    writer.writerow([name for column in table.columns for name in _csv_names(column)])
    for row in table.rows:
        writer.writerow([cell for column, cell in zip(table.columns, row, strict=True) for cell in _csv(column, cell)])
    return text.getvalue()


def _csv_names(column: AnswerColumn) -> tuple[str, ...]:
    if column.kind is CellKind.RESOURCE:
        return (column.name, f"{column.name} IRI")
    if column.kind is CellKind.DURATION:
        return (f"{column.name} (s)",)
    return (column.heading,)


def _csv(column: AnswerColumn, cell: Cell) -> tuple[str | int | float, ...]:
    value = cell_value(cell)
    plain = "" if value is None else value
    if column.kind is not CellKind.RESOURCE:
        return (plain,)
    return (cell.label, cell.iri) if isinstance(cell, ResourceRef) else (plain, "")


def plot_csv(plot: AnswerPlot) -> str:
    """The values of a plot as CSV, a row each."""
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
    """The whole answer as JSON; its form is in docs/guide/window.md."""
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
    if isinstance(section, AnswerTable):
        return {
            "kind": "table",
            "title": section.title,
            "columns": [_axis_json(one) for one in section.columns],
            "rows": [[_json(cell) for cell in row] for row in section.rows],
        }
    if isinstance(section, AnswerPlot):
        return {
            "kind": "plot",
            "title": section.title,
            "x": _axis_json(section.x),
            "y": _axis_json(section.y),
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


def _axis_json(axis: Axis | AnswerColumn) -> dict[str, Any]:
    return {"name": axis.name, "unit": axis.unit or None, "kind": axis.kind.value}


def _json(cell: Cell) -> Any:
    if isinstance(cell, ResourceRef):
        return {"iri": cell.iri, "curie": cell.curie, "label": cell.label, "class": cell.kind or None}
    if isinstance(cell, float) and not math.isfinite(cell):
        return None  # JSON has no such numbers
    return cell_value(cell)


# Markdown


def answer_markdown(answer: Answer) -> str:
    """The whole answer as Markdown (CommonMark, with GitHub's tables); of a plot the numbers that sum it up."""
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
    if isinstance(section, AnswerTable):
        if not section.rows:
            yield markdown_text(section.empty_text)
            return
        yield markdown_row(markdown_text(column.heading) for column in section.columns)
        right = (CellKind.NUMBER, CellKind.DURATION)
        yield markdown_row("---:" if column.kind in right else "---" for column in section.columns)
        texts = [
            cell_texts(column, [row[number] for row in section.rows]) for number, column in enumerate(section.columns)
        ]
        for number, row in enumerate(section.rows):
            yield markdown_row(_linked(text[number], cell) for text, cell in zip(texts, row, strict=True))
    elif isinstance(section, AnswerPlot):
        yield from (f"- {markdown_text(sentence)}" for sentence in plot_sentences(section))
    else:
        for line in section.lines:
            text = _linked(line.text, line.target)
            if section.listed:
                yield f"{'  ' * line.indent}- {text}"
            else:
                yield from (text, "")


def markdown_row(cells: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def _linked(text: str, cell: Cell) -> str:
    return markdown_link(text, cell.iri) if isinstance(cell, ResourceRef) else markdown_text(text)


_NOT_FOLLOWED = frozenset({"javascript", "vbscript", "data", "file"})


def markdown_link(text: str, iri: str) -> str:
    """A text that leads to an IRI, where one can go there; never to a script or a file of the reader's machine."""
    scheme = iri.partition(":")[0].casefold()
    if ":" not in iri or scheme == "_":
        return markdown_text(text)
    if scheme in _NOT_FOLLOWED:
        return markdown_text(text if text == iri else f"{text} ({iri})")
    return f"[{markdown_text(text)}](<{iri}>)"


def markdown_text(text: str) -> str:
    """A text that Markdown takes as it is, in one line."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())


def plot_sentences(plot: AnswerPlot) -> list[str]:
    """What a plot shows, a sentence for each series: how many values, from where to where, the least and the most."""
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
        return table_csv(tables[0])
    if plots:
        return plot_csv(plots[0])
    raise UsageError("this answer has no table", "CSV", "save it as JSON or Markdown")


WRITERS: dict[str, Callable[[Answer], str]] = {
    ".csv": _answer_csv,
    ".json": answer_json,
    ".md": answer_markdown,
}
"""How an answer is written, by the end of the file's name."""


DOCUMENT_SUFFIXES = (".jsonld", ".zip")
"""The ends of files that only answers with a document of this kind can be written to."""


def write_answer(answer: Answer, path: Path) -> Path:
    """Write an answer to a file, by the end of its name: .csv (the first table), .json, .md, or one of its documents.

    Raises:
        UnknownFormat: the name ends in none of them.
        UsageError: it ends in .csv, and the answer has neither a table nor a plot.
        OutputNotWritable: the file cannot be written; what was there before stays.
    """
    suffix = path.suffix.lower()
    document = next((one for one in answer.documents if one.suffix == suffix), None)
    if document is not None:
        document.write(path)
        return path
    writer = WRITERS.get(suffix)
    if writer is None:
        raise UnknownFormat("an answer is not written like this", str(path), f"end the name in {', '.join(WRITERS)}")
    with atomic_output(path) as stream:
        stream.write(writer(answer).encode())
    return path
