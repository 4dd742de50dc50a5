"""Read and write tables as Parquet files with the column engine."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.errors import OutputNotWritable, SourceSyntaxError, SourceUnreadable
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from duckdb.sqltypes import DuckDBPyType

# Rows between two checks of the limits.
_CHECK_EVERY = 10_000

# Rows per fetch.
_BATCH = 1_000

# Rows that the engine reads at a time, and the most megabytes of text in them: a value stored once can be in every row.
_VECTOR, _MOST_MB = 2_048, 1_000

# The engine's names of nested types.
_NESTED = frozenset({"struct", "list", "array", "map", "union"})


class ParquetType(Enum):
    """The type of a column, by the engine's name."""

    TEXT = "VARCHAR"
    WHOLE_NUMBER = "BIGINT"
    NUMBER = "DOUBLE"
    TRUTH = "BOOLEAN"
    DATE = "DATE"
    MOMENT = "TIMESTAMP"
    MOMENT_WITH_ZONE = "TIMESTAMP WITH TIME ZONE"


@dataclass(frozen=True)
class ParquetColumn:
    """A column of a file."""

    name: str
    type: ParquetType


Value = str | int | float | bool | None
"""A value as written to a file; dates and moments in ISO 8601, None if empty."""


def write_parquet(
    columns: Sequence[ParquetColumn], rows: Iterable[Sequence[Value]], path: Path, *, limits: Limits = NO_LIMITS
) -> None:
    """Write a Parquet file atomically.

    Args:
        columns: their names must differ ignoring case.
        rows: one value per column each.

    Raises:
        OutputNotWritable: the file cannot be written, or the disk is full.
    """
    import duckdb

    with tempfile.TemporaryDirectory(prefix="hpc-explorer-parquet-") as folder:
        lines, made = Path(folder) / "rows.json", Path(folder) / "table.parquet"
        try:
            with open(lines, "w", encoding="utf-8") as stream:
                for number, row in enumerate(rows):
                    if number % _CHECK_EVERY == 0:
                        limits.check("writing the rows")
                    named = {f"c{place}": value for place, value in enumerate(row) if value is not None}
                    stream.write(json.dumps(named, ensure_ascii=False) + "\n")
            types = ", ".join(f"c{place}: '{column.type.value}'" for place, column in enumerate(columns))
            shown = ", ".join(f"c{place} AS {_quoted(column.name)}" for place, column in enumerate(columns))
            with duckdb.connect(":memory:", config={"threads": 1}) as engine:
                engine.execute(
                    f"COPY (SELECT {shown} FROM read_json($1, format = 'newline_delimited', columns = {{{types}}},"
                    f" maximum_object_size = 1073741824)) TO '{str(made).replace(chr(39), chr(39) * 2)}'"
                    " (FORMAT parquet)",
                    [str(lines)],
                )
            limits.check("writing the rows")
            with open(made, "rb") as source, atomic_output(path) as target:
                shutil.copyfileobj(source, target)
        except (duckdb.IOException, duckdb.OutOfMemoryException, OSError) as error:
            raise OutputNotWritable("the table cannot be written", f"{path} ({error})", "free some space") from None


Cell = str | Sequence[str | None] | None
"""A cell as text: a value, the values of a list, or empty."""


@contextmanager
def open_parquet(path: Path) -> Iterator[tuple[tuple[str, ...], Iterator[tuple[Cell, ...]]]]:
    """The column names of a file, and its rows as texts, read in batches.

    Nested fields become columns such as `machine.name`. Lists of plain values are joined; other lists and maps become
    JSON.

    Raises:
        SourceSyntaxError: it is not a Parquet file or is damaged; also raised while rows are read.
        SourceUnreadable: its rows would fill the memory.
    """
    import duckdb

    def rows() -> Iterator[tuple[Cell, ...]]:
        try:
            while batch := engine.fetchmany(_BATCH):
                yield from batch
        except duckdb.Error as error:
            raise _damaged(path, error) from None

    with duckdb.connect(":memory:", config={"threads": 1}) as engine:
        try:
            found = engine.execute("SELECT * FROM read_parquet($1) LIMIT 0", [_no_pattern(path)]).description or ()
            columns = [one for name, type, *_ in found for one in _columns(name, _quoted(name), type)]
            shown = ", ".join(text for _, text in columns)
            _check_size(engine, path, [_quoted(name) for name, type, *_ in found if type.id == "varchar"])
            engine.execute(f"SELECT {shown} FROM read_parquet($1)", [_no_pattern(path)])
        except duckdb.Error as error:
            raise _damaged(path, error) from None
        yield tuple(name for name, _ in columns), rows()


def _columns(name: str, value: str, type: DuckDBPyType) -> Iterator[tuple[str, str]]:
    """The columns that a column is read as, each with its SQL; a struct gives one for each part."""
    # The children of structs and lists are types; the stubs allow other children too.
    parts: list[tuple[str, DuckDBPyType]] = type.children if type.id in ("struct", "list") else []  # type: ignore[assignment]
    if type.id == "struct":
        for part, inner in parts:
            quoted = "'" + part.replace("'", "''") + "'"
            yield from _columns(f"{name}.{part}", f"struct_extract({value}, {quoted})", inner)
    elif type.id == "list" and parts[0][1].id not in _NESTED:
        yield name, f"CAST({value} AS VARCHAR[])"
    elif type.id in _NESTED:
        yield name, f"CAST(to_json({value}) AS VARCHAR)"
    else:
        yield name, f"CAST({value} AS VARCHAR)"


def _no_pattern(path: Path) -> str:
    """Escape a path, so that none of its characters are wildcards."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def _check_size(engine: DuckDBPyConnection, path: Path, texts: Sequence[str]) -> None:
    """Reject a file whose rows would fill the memory; `texts` are its text columns, as SQL."""
    file = [_no_pattern(path)]
    chunks = "SELECT max(total_uncompressed_size) AS size FROM parquet_metadata($1) GROUP BY column_id"
    largest = engine.execute(f"SELECT sum(size) FROM ({chunks})", file).fetchall()[0][0]
    if not texts or (largest or 0) * _VECTOR < _MOST_MB * 10**6:
        return
    size = " + ".join(f"coalesce(strlen({text}), 0)" for text in texts)
    rows = "read_parquet($1, file_row_number = true)"
    sizes = f"SELECT sum({size}) AS size FROM {rows} GROUP BY file_row_number // {_VECTOR}"
    if (engine.execute(f"SELECT max(size) FROM ({sizes})", file).fetchall()[0][0] or 0) > _MOST_MB * 10**6:
        raise SourceUnreadable(
            f"{_VECTOR:,} of its rows unpack to more than {_MOST_MB:,} MB",
            str(path),
            "if you trust the file, save the table as CSV",
        )


def _damaged(path: Path, error: Exception) -> SourceSyntaxError:
    return SourceSyntaxError(f"not a valid Parquet file ({str(error).splitlines()[0]})", str(path), "write it anew")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
