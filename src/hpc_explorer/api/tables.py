"""Tables and lists of resources as results."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from html import escape
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from hpc_explorer.api.values import Resource, Value, file_path, library, value_of
from hpc_explorer.app.results.cells import cell_text, decimals_of
from hpc_explorer.app.results.table_files import RIGHT, write_rows
from hpc_explorer.app.results.text_tables import ruled_table
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.errors import UnknownFormat, UsageError
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.rdf.terms import is_resource
from hpc_explorer.stores.base import Count

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from hpc_explorer.api.opened import OpenGraph

SHOWN = 20
"""The rows that `repr` and notebooks show."""

_LONGEST = 60


class Rows(Sequence[tuple[Value, ...]]):
    """The rows of an answer, with named columns.

    A row is a named tuple of Python values: numbers, times, texts, and `Resource` for resources; None where there is
    no value. A name that cannot be an attribute is changed: `row.class_` for `class`.
    `terms` has the same rows as RDF terms.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     rows = g.query("SELECT ?name ?accuracy { ?m hpc:name ?name ; hpc:accuracy ?accuracy } ORDER BY ?name")
    ...     rows
    ...     [row.accuracy for row in rows], rows["name"][0]
    name               accuracy
    ─────────────────  ────────
    decisionTree.onnx     0.934
    randomForest.onnx     0.957
    2 rows.
    ([0.934, 0.957], 'decisionTree.onnx')
    """

    def __init__(self, table: Table[Any], graph: OpenGraph | None = None, note: str = "") -> None:
        self._table = table
        self._graph = graph
        self._note = note
        self._row = namedtuple("Row", map(_field, table.columns), rename=True)  # type: ignore[misc]  # found here

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns: the variables of a query, or the headings."""
        return tuple(map(_name, self._table.columns))

    @property
    def terms(self) -> Sequence[tuple[Any, ...]]:
        """The rows as RDF terms."""
        return self._table.rows

    @property
    def complete(self) -> bool:
        """Whether these are all rows; a server may have cut some off."""
        return self._table.complete

    def __len__(self) -> int:
        return len(self._table.rows)

    @overload
    def __getitem__(self, place: int) -> tuple[Value, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[Value, ...]]: ...
    @overload
    def __getitem__(self, place: str) -> list[Value]: ...
    def __getitem__(self, place: int | slice | str) -> Any:
        """A row by its number, or the values of a column by its name.

        Raises:
            UsageError: there is no such column.
        """
        if isinstance(place, str):
            if place not in self.columns:
                raise UsageError("there is no such column", place, f"there are: {', '.join(self.columns)}")
            at = self.columns.index(place)
            return [self._value(row[at]) for row in self._table.rows]
        if isinstance(place, slice):
            return [self._made(row) for row in self._table.rows[place]]
        return self._made(self._table.rows[place])

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        return map(self._made, self._table.rows)

    def _made(self, row: tuple[Any, ...]) -> tuple[Value, ...]:
        cells: list[Any] = [self._value(cell) for cell in row]
        return self._row(*cells)

    def _value(self, cell: Any) -> Value:
        if isinstance(cell, ResourceRef):
            return Resource._of(cell.resource, self._graph, cell)
        return (
            cell
            if cell is None or isinstance(cell, (str, int, float, Decimal, date, timedelta))
            else value_of(cell, self._graph)
        )

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a DataFrame. Needs pandas.

        A column has a type if all its values do: int64 (Int64 where some are missing), float64, boolean,
        datetime64 or timedelta64; decimals, alone or with whole numbers, are objects of class Decimal, and with float64
        they are float64. Otherwise its values are texts. Resources are their IRIs; where their names belong to the
        answer, the column has the names, and a second one, "… IRI", the IRIs.
        """
        pandas = library("pandas")
        series = {}
        for name, values in self._columns().items():
            match _type_of(values):
                case "whole number":
                    kind = "Int64" if None in values else "int64"
                case "number":
                    kind = "float64"
                case "truth":
                    kind = "boolean" if None in values else "bool"
                case "moment" | "moment with zone" as moment:
                    series[name] = objects = pandas.Series(values, dtype="object")
                    # Years before 1678 and after 2261 stay objects.
                    with suppress(ValueError, OverflowError):
                        series[name] = pandas.to_datetime(objects, utc=moment != "moment")
                    continue
                case "duration":
                    series[name] = pandas.to_timedelta(pandas.Series(values, dtype="object"))
                    continue
                case _:
                    kind = "object"
            series[name] = pandas.Series(values, dtype=kind)
        return pandas.DataFrame(series)  # type: ignore[no-any-return]

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of Arrow, with the types of `to_pandas`. Needs pyarrow."""
        return library("pyarrow").table({name: list(values) for name, values in self._columns().items()})

    def save(self, path: str | Path) -> Path:
        """Write the rows to a .csv, .tsv, .json, .md or .parquet file.

        Raises:
            UnknownFormat: the file name ends otherwise.
            OutputNotWritable: the file cannot be written; an existing file is unchanged.
        """
        if any(isinstance(cell, ResourceRef) for row in self._table.rows[:1] for cell in row):
            raise UnknownFormat("this table is part of an answer", str(path), "use to_pandas(), or save the answer")
        return write_rows(self._table, file_path(path))

    def _columns(self) -> dict[str, list[Any]]:
        """The values of the columns by unique names; a column of mixed types has texts."""
        found: dict[str, list[Any]] = {}
        for place, name in enumerate(self.columns):
            cells = [row[place] for row in self._table.rows]
            if any(isinstance(cell, ResourceRef) for cell in cells):
                found[name] = [cell.label if isinstance(cell, ResourceRef) else cell for cell in cells]
                found[f"{name} IRI"] = [cell.iri if isinstance(cell, ResourceRef) else None for cell in cells]
                continue
            values = [self._value(cell) for cell in cells]
            made = _MADE.get(_type_of(values))
            found[name] = values if made is None else [None if one is None else made(one) for one in values]
        return found

    @cached_property
    def _first(self) -> list[list[str]]:
        """The first rows as texts, with the names of resources."""
        rows = self._table.rows[:SHOWN]
        nodes = {cell for row in rows for cell in row if is_resource(cell)}
        refs = self._graph._references(nodes) if self._graph is not None and not self._graph.closed else {}
        shown = [[refs.get(cell, cell) if is_resource(cell) else cell for cell in row] for row in rows]
        decimals = [decimals_of(row[place] for row in shown) for place in range(len(self._table.columns))]
        return [
            [
                " ".join(cell_text(column, cell, digits).split())
                for column, cell, digits in zip(self._table.columns, row, decimals, strict=True)
            ]
            for row in shown
        ]

    @property
    def _foot(self) -> str:
        total = Count(len(self), self._table.total.kind)
        rows = f"{total} {'row' if len(self) == 1 else 'rows'}"
        more = f", the first {SHOWN} shown" if len(self) > SHOWN else ""
        return " ".join(filter(None, (f"{rows}{more}.", self._note)))

    def __repr__(self) -> str:
        right = frozenset(at for at, one in enumerate(self._table.columns) if one.kind in RIGHT)
        heads = [one.name or one.heading for one in self._table.columns]
        rows = [[text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…" for text in row] for row in self._first]
        return "\n".join([*ruled_table(heads, rows, right=right), self._foot])

    def _ipython_key_completions_(self) -> tuple[str, ...]:
        return self.columns

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{escape(one.name or one.heading)}</th>" for one in self._table.columns)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in self._first)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table><p>{escape(self._foot)}</p>"


def _name(column: Column) -> str:
    return column.name or column.heading


def _field(column: Column) -> str:
    """The name of a column as an attribute of a row: `class_`, `By_way_of`."""
    name = re.sub(r"\W+", "_", _name(column)).strip("_")
    return f"{name}_" if iskeyword(name) else name


def _type_of(values: Sequence[Any]) -> str:
    kinds = {_kind(one) for one in values if one is not None}
    if len(kinds) > 1 and kinds <= {"whole number", "decimal", "number"}:
        return "number" if "number" in kinds else "decimal"
    return kinds.pop() if len(kinds) == 1 else "text"


_MADE: Mapping[str, Callable[[Any], Value]] = {"text": str, "number": float, "decimal": Decimal}
"""How the values of a column of several types become values of one."""


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "whole number" if -(2**63) <= value < 2**63 else "text"
    if isinstance(value, float):
        return "number"
    if isinstance(value, Decimal):
        return "decimal"
    if isinstance(value, datetime):
        return "moment" if value.tzinfo is None else "moment with zone"
    if isinstance(value, date):
        return "date"
    return "duration" if isinstance(value, timedelta) else "text"


class Resources(tuple[Resource, ...]):
    """Resources, with the number that there are in all.

    Attributes:
        total: how many there are: `1,204`, or `1,204+` where counting stopped.
    """

    total: str
    _refs: tuple[ResourceRef, ...]

    @classmethod
    def _of(cls, refs: Iterable[ResourceRef], graph: OpenGraph, total: Count | None = None) -> Resources:
        its = tuple(refs)
        made = cls(Resource._of(ref.resource, graph, ref) for ref in its)
        made._refs, made.total = its, str(total or Count(len(its)))
        return made

    def to_pandas(self) -> pandas.DataFrame:
        """The resources with name, class and IRI."""
        return self._rows().to_pandas()

    def _rows(self) -> Rows:
        columns = (Column("label", name="label"), Column("class", name="class"), Column("iri", name="iri"))
        note = "" if self.total == f"{len(self):,}" else f"There are {self.total}."
        return Rows(Table(columns, tuple((ref.label, ref.kind, ref.iri) for ref in self._refs)), note=note)

    def __repr__(self) -> str:
        return repr(self._rows()) if self._refs else "no resources"

    def _repr_html_(self) -> str:
        return self._rows()._repr_html_()


def rows_of(columns: Sequence[tuple[str, CellKind]], rows: Sequence[tuple[Any, ...]], graph: OpenGraph) -> Rows:
    """Rows under columns of these names and kinds; resources are given as `ResourceRef`."""
    return Rows(Table(tuple(Column(name, kind) for name, kind in columns), tuple(rows)), graph)
