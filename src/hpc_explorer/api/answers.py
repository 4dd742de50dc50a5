"""Answers of operations: impact, comparison, recipe, FAIR assessment, validation, description, questions in English."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.api.tables import Resources, Rows, rows_of
from hpc_explorer.api.values import Resource, Value, file_path
from hpc_explorer.app.results.answer import Answer as AppAnswer
from hpc_explorer.app.results.answer import AnswerText
from hpc_explorer.errors import UsageError
from hpc_explorer.query.table import CellKind, Table

if TYPE_CHECKING:
    import pandas

    from hpc_explorer.annotate.validation.findings import Finding
    from hpc_explorer.api.graph import Graph
    from hpc_explorer.api.statements import Statements
    from hpc_explorer.app.fair.assessing import AssessmentView
    from hpc_explorer.app.lineage.comparing import Comparison as FoundComparison
    from hpc_explorer.app.lineage.impact import Impact as FoundImpact
    from hpc_explorer.app.lineage.reproducing import Reproduction
    from hpc_explorer.app.views import ResourceRef, ResourceView


class Answer:
    """An answer: a title, sentences, and tables. A notebook shows them with the picture, if there is one."""

    def __init__(self, answer: AppAnswer, graph: Graph) -> None:
        self._answer = answer
        self._graph = graph

    @property
    def title(self) -> str:
        """The question and its subject."""
        return self._answer.title

    @property
    def summary(self) -> tuple[str, ...]:
        """The answer in sentences."""
        return self._answer.summary

    @property
    def notes(self) -> tuple[str, ...]:
        """How reliable it is, one sentence each."""
        return self._answer.notes

    @property
    def tables(self) -> dict[str, Rows]:
        """The tables by their titles."""
        return {table.title: Rows(table, self._graph) for table in self._answer.tables}

    def to_pandas(self) -> pandas.DataFrame:
        """The first table as a DataFrame. Needs pandas.

        Raises:
            UsageError: the answer has no table.
        """
        for rows in self.tables.values():
            return rows.to_pandas()
        raise UsageError("this answer has no table", self.title, "see its summary")

    def save(self, path: str | Path) -> Path:
        """Write the answer to a .csv (its first table), .json or .md file; a recipe also to .jsonld, or .zip (a crate).

        Raises:
            UnknownFormat: the file name ends otherwise.
            OutputNotWritable: the file cannot be written; an existing file is unchanged.
        """
        from hpc_explorer.app.results.answer_files import write_answer

        return write_answer(self._answer, file_path(path))

    def __repr__(self) -> str:
        parts = [self.title, *self.summary]
        parts += ["", *_section_texts(self._answer)]
        parts += [f"({note})" for note in self.notes]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        parts = [f"<h3>{escape(self.title)}</h3>", *(f"<p>{escape(one)}</p>" for one in self.summary)]
        for section in self._answer.sections:
            parts.append(f"<h4>{escape(section.title)}</h4>" if section.title else "")
            if isinstance(section, Table):
                parts.append(Rows(section, self._graph)._repr_html_())
            elif isinstance(section, AnswerText):
                parts.append(f"<ul>{''.join(f'<li>{escape(line.text)}</li>' for line in section.lines)}</ul>")
        parts.append(self._repr_svg_() or "")
        parts += [f"<p><small>{escape(note)}</small></p>" for note in self.notes]
        return "".join(parts)

    def _repr_svg_(self) -> str | None:
        from hpc_explorer.canvas.export.drawing import svg_of

        return None if self._answer.picture is None else svg_of(self._answer.picture)


def _section_texts(answer: AppAnswer) -> Iterator[str]:
    for section in answer.sections:
        if isinstance(section, AnswerText):
            yield from ([section.title] if section.title else [])
            yield from (f"  {'  ' * line.indent}{line.text}" for line in section.lines)
        elif isinstance(section, Table):
            yield from ([section.title] if section.title else [])
            yield repr(Rows(section)) if section.rows else section.empty_text
        yield ""


class Impact(Answer):
    """What a resource reached: the models that rest on it, by project. Iteration gives them, nearest first.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     impact = g.impact("hotspot.nvprof.log")
    ...     impact.summary[0], [model.label for model in impact]
    ('If this is retracted, 2 of 3 models are affected.', ['decisionTree.onnx', 'randomForest.onnx'])
    """

    def __init__(self, answer: AppAnswer, found: FoundImpact, graph: Graph) -> None:
        super().__init__(answer, graph)
        self._found = found

    @property
    def models(self) -> Resources:
        """The models that were reached, or the instances of the classes that were asked for."""
        return Resources._of((one.ref for one in self._found.models), self._graph, self._found.total)

    @property
    def candidates(self) -> str:
        """The number of models that could have been reached."""
        return str(self._found.candidates)

    def __len__(self) -> int:
        return len(self._found.models)

    def __iter__(self) -> Iterator[Resource]:
        return iter(self.models)

    def to_jsonld(self) -> dict[str, Any]:
        """The statements behind each way, and about its ends, as JSON-LD."""
        from hpc_explorer.app.lineage.impact import impact_document

        document: dict[str, Any] = json.loads(
            impact_document(self._graph._session, self._found, limits=self._graph._limits())
        )
        return document


class Comparison(Answer):
    """How two runs or models differ, the earliest difference first. Its length is the number of differences.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     g.compare("decisionTree.onnx", "randomForest.onnx").summary[0]
    'The first parameter that differs is criterion: gini in A, (absent) in B.'
    """

    def __init__(self, answer: AppAnswer, found: FoundComparison, graph: Graph) -> None:
        super().__init__(answer, graph)
        self._found = found

    @property
    def first_parameter(self) -> tuple[str, str | None, str | None] | None:
        """The first parameter that differs: its name and both values; None if none does."""
        first = self._found.first_parameter
        return None if first is None else (first.name, first.first, first.second)

    def __len__(self) -> int:
        return len(self._found.differences)

    def __bool__(self) -> bool:
        return True


class Recipe(Answer):
    """How to make a model, artefact or run again: data, steps, programs, machines, and what is missing."""

    def __init__(self, answer: AppAnswer, found: Reproduction, graph: Graph) -> None:
        super().__init__(answer, graph)
        self._found = found

    @property
    def complete(self) -> bool:
        """Whether nothing that is required is missing."""
        return self._found.is_complete

    @property
    def missing(self) -> tuple[str, ...]:
        """What is required and missing, one sentence each."""
        return tuple(gap.sentence for gap in self._found.gaps if gap.is_needed)

    @property
    def commands(self) -> tuple[str, ...]:
        """The recorded commands, in order."""
        return tuple(command for step in self._found.recipe.steps for command in step.commands)

    def to_jsonld(self) -> dict[str, Any]:
        """The statements behind it as JSON-LD."""
        from hpc_explorer.app.lineage.reproducing import reproduction_document

        document: dict[str, Any] = json.loads(
            reproduction_document(self._graph._session, self._found, limits=self._graph._limits())
        )
        return document


class Assessment:
    """How FAIR a dataset or model is, by 47 indicators.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer-after") as g:
    ...     g.fair("https://doi.org/10.5072/xplacer.ibm").points
    (39, 39)
    """

    def __init__(self, view: AssessmentView, graph: Graph) -> None:
        self._view = view
        self._graph = graph

    @property
    def points(self) -> tuple[int, int]:
        """The certain and the possible points; they differ while indicators are open."""
        return self._view.score.low, self._view.score.high

    @property
    def of(self) -> int:
        """The number of indicators."""
        return self._view.score.of

    @property
    def rows(self) -> Rows:
        """The indicators: id, text, certain and possible points, and why."""
        columns = [("indicator", CellKind.TEXT), ("text", CellKind.TEXT), ("points", CellKind.NUMBER),
                   ("possible", CellKind.NUMBER), ("because", CellKind.TEXT)]  # fmt: skip
        cells = [
            (one.indicator.id, one.indicator.text, one.points.low, one.points.high, one.sentence)
            for one in self._view.decided
        ]
        return rows_of(columns, cells, self._graph)

    def to_pandas(self) -> pandas.DataFrame:
        """The indicators as a DataFrame. Needs pandas."""
        return self.rows.to_pandas()

    def to_jsonld(self) -> dict[str, Any]:
        """The results as JSON-LD (DQV, FAIR Test Results)."""
        from hpc_explorer.app.fair.reporting import ReportForm, report_bytes

        document: dict[str, Any] = json.loads(report_bytes(self._view, ReportForm.JSON_LD))
        return document

    def save(self, path: str | Path) -> Path:
        """Write a report: .html, .csv, .json, .ttl, .nq, .jsonld, or a badge as .svg.

        Raises:
            UsageError: the file name ends otherwise.
            OutputNotWritable: the file cannot be written; an existing file is unchanged.
        """
        from hpc_explorer.app.fair.reporting import write_report

        write_report(self._view, file_path(path))
        return file_path(path)

    def __repr__(self) -> str:
        score = self._view.score
        parts = ", ".join(
            f"{letter} {part.points}/{part.of}" for letter, part in zip("FAIR", score.by_principle, strict=True)
        )
        return f"{self._view.ref.label}: {score} points, {score.percent} ({parts})"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(repr(self))}</b></p>{self.rows._repr_html_()}"


class Findings(Rows):
    """What is wrong by the shapes, the worst first: a row each with resource, severity, property, message and fixes.

    Attributes:
        conforms: whether there is no violation; warnings are none.
    """

    def __init__(self, found: tuple[Finding, ...], refs: dict[Any, ResourceRef], graph: Graph) -> None:
        from hpc_explorer.annotate.validation.findings import Severity

        names = ("resource", "severity", "property", "message", "fixes")
        columns = [(one, CellKind.RESOURCE if one == "resource" else CellKind.TEXT) for one in names]
        short, worst_first = graph._session.prefixes.short, tuple(Severity)
        cells = [
            (
                refs[one.place], one.severity.value, "" if one.path is None else short(one.path.value), one.message,
                "; ".join(fix.words for fix in one.fixes),
            )
            for one in sorted(found, key=lambda one: worst_first.index(one.severity))
        ]  # fmt: skip
        super().__init__(rows_of(columns, cells, graph)._table, graph)
        self.conforms = all(one.severity is not Severity.VIOLATION for one in found)


class Description:
    """What the graph says about a resource.

    Attributes:
        resource: the resource.
        kinds: its classes, the most specific first.
        text: its description; may be empty.
    """

    def __init__(self, view: ResourceView, graph: Graph) -> None:
        self._view = view
        self._graph = graph
        self.resource = Resource._of(view.ref.resource, graph, view.ref)
        self.kinds = Resources._of(view.types, graph)
        self.text = view.description

    @cached_property
    def properties(self) -> dict[str, list[Value]]:
        """Its properties by name, with their values; at most 50 values of each."""
        return {view.label: [self._value(value) for value in view.values] for view in self._view.outgoing}

    @cached_property
    def links_here(self) -> dict[str, list[Value]]:
        """The resources that link to it, by the name of the property."""
        return {view.label: [self._value(value) for value in view.values] for view in self._view.incoming}

    def __getitem__(self, name: str) -> list[Value]:
        """The values of a property by its name.

        Raises:
            UsageError: there is no such property.
        """
        if name not in self.properties:
            raise UsageError("there is no such property here", name, f"there are: {', '.join(self.properties)}")
        return self.properties[name]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.properties)

    def statements(self) -> Statements:
        """The statements about it."""
        return self._graph.statements(self.resource)

    def to_jsonld(self) -> dict[str, Any]:
        """The statements about it as JSON-LD."""
        return self.statements().to_jsonld()

    def _value(self, value: Any) -> Value:
        if value.target is not None:
            return Resource._of(value.target.resource, self._graph, value.target)
        return value.text if value.parts or not hasattr(value.term, "datatype") else self._graph._value(value.term)

    def _lines(self) -> Iterator[tuple[str, str]]:
        for mark, views in (("", self._view.outgoing), ("← ", self._view.incoming)):
            for view in views:
                texts = [value.text for value in view.values[:5]]
                more = view.total.value - len(texts)
                yield f"{mark}{view.label}", ", ".join(texts) + (f" and {more:,} more" if more > 0 else "")

    def __repr__(self) -> str:
        kinds = ", ".join(one.label for one in self.kinds)
        head = f"{self.resource.label} ({self.resource.curie}){f': {kinds}' if kinds else ''}"
        return "\n".join([head, *(f"  {name}: {text}" for name, text in self._lines())])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self._lines())
        kinds = ", ".join(one.label for one in self.kinds)
        return f"<h3>{escape(self.resource.label)}</h3><p>{escape(kinds)}</p><table>{rows}</table>"
