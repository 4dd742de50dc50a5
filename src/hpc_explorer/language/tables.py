"""Evaluate workflow expressions over tables with pandas. Scripts are run by the caller."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.expressions import GETTERS, Argument, Call, texts_of

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_CELLS = 50_000_000
"""A table has at most this many cells."""


TABLE_ENDINGS = (".csv", ".json", ".tsv")
"""The endings of files that are read as tables."""


@dataclass(frozen=True)
class SavedTable:
    """A table with the file name it is saved under."""

    name: str
    table: DataFrame


@dataclass(frozen=True)
class DataFile:
    """A file that is read when it is needed."""

    path: Path


Result: TypeAlias = "DataFrame | DataFile | SavedTable | list[str] | int | float"

Find = Callable[[str], Path]
"""The file of a dataset or file name; raises WrongParameter."""

RunScript = Callable[[str, Path], Path]
"""Runs the script of an operation on a file; returns the output file."""

Look = Callable[[Call, "Result"], None]
"""Told each step with its result."""


def read_table(path: Path) -> DataFrame:
    """Read a CSV, TSV or JSON table.

    Raises:
        WrongParameter: the file is no table.
    """
    import pandas

    try:
        if path.suffix.lower() == ".json":
            with path.open(encoding="utf-8") as file:
                table = pandas.DataFrame(json.load(file))
        else:
            table = pandas.read_csv(path, sep="\t" if path.suffix.lower() == ".tsv" else ",")
    except (ValueError, OSError, RecursionError, MemoryError, AttributeError, TypeError) as error:
        raise WrongParameter("the file is no table", path.name, f"give a CSV or JSON table ({error})"[:200]) from None
    return _bounded(table)


_LONGEST_HEADER = 1 << 16
_LARGEST_JSON = 1 << 20


def column_names(path: Path) -> tuple[str, ...]:
    """The columns of a table: of a CSV or TSV file those of its first line, of a JSON file up to a megabyte its keys.

    A file that cannot be read as a table has none.
    """
    ending = path.suffix.lower()
    try:
        if ending in (".csv", ".tsv"):
            with path.open(encoding="utf-8-sig", newline="") as file:
                lines = [file.readline(_LONGEST_HEADER)]
            return tuple(next(csv.reader(lines, delimiter="\t" if ending == ".tsv" else ","), ()))
        if ending == ".json" and path.stat().st_size <= _LARGEST_JSON:
            found = json.loads(path.read_text(encoding="utf-8"))
            rows = found if isinstance(found, list) else [found]
            return tuple(dict.fromkeys(key for row in rows if isinstance(row, dict) for key in row))
    except (OSError, ValueError, RecursionError, csv.Error):
        pass
    return ()


def table_of(result: object) -> DataFrame:
    """The table of a result.

    Raises:
        WrongParameter: it is none.
    """
    import pandas

    if isinstance(result, DataFile):
        return read_table(result.path)
    if isinstance(result, SavedTable):
        return result.table
    if not isinstance(result, pandas.DataFrame):
        raise WrongParameter("not a table", str(result)[:60], "name a table")
    return result


class Evaluator:
    """Evaluates expressions.

    Args:
        find: the files of datasets.
        run_script: runs the scripts of the graph.
        look: told each step, the innermost first.
        folder: a temporary folder for intermediate files.
    """

    def __init__(self, find: Find, run_script: RunScript, folder: Path, look: Look = lambda call, result: None) -> None:
        self._find = find
        self._run_script = run_script
        self._folder = folder
        self._look = look
        self._number = 0
        self._known: dict[Call, Result] = {}

    def value(self, call: Call) -> Result:
        """The result of an expression.

        Raises:
            WrongParameter: a file or column does not exist, or a value does not fit.
        """
        if call in self._known:
            return self._known[call]
        try:
            result = self._value(call)
        except (KeyError, IndexError) as error:
            raise WrongParameter("the table has no such column", str(error)[:80], "choose another column") from None
        except (ValueError, TypeError) as error:
            raise WrongParameter("the step does not fit this table", call.name, str(error)[:120]) from None
        self._look(call, result)
        return result

    def step(self, call: Call) -> Result:
        """The result of an expression, kept for the steps after it.

        Raises:
            WrongParameter: as of `value`.
        """
        result = self._known[call] = self.value(call)
        return result

    def forget(self, call: Call) -> None:
        """Drop the result of a step that no later one needs."""
        self._known.pop(call, None)

    def _table(self, argument: Argument) -> DataFrame:
        assert isinstance(argument, Call)
        return table_of(self.value(argument))

    def _value(self, call: Call) -> Result:
        import pandas

        name, arguments = call.name, call.arguments
        match name:
            case "datasetName" | "csvFile" | "jsonFile" | "logFile" | "file":
                names = list(texts_of(call))
                if len(names) != 1:
                    raise WrongParameter("more than one dataset", ", ".join(names), "name one")
                return DataFile(self._find(names[0]))
            case "MergeDataset":
                return self._merged(arguments)
            case "GetColumn":
                return self._table(arguments[1])[_names(arguments[0])]
            case "RemoveColumn":
                return self._table(arguments[1]).drop(columns=_names(arguments[0]))
            case "GetAllColumns" | "json2csv" | "csv2json":
                return self._table(arguments[0])
            case "GetColumnNames":
                return sorted(map(str, self._table(arguments[0]).columns))
            case "RenameColumn":
                columns = {_names(arguments[0])[0]: next(texts_of(arguments[1]))}
                return self._table(arguments[2]).rename(columns=columns, errors="raise")
            case "MergeColumns":
                names = _names(arguments[0])
                joined = self._table(arguments[1])[names].astype(str).agg(" ".join, axis=1)
                return pandas.DataFrame({"+".join(names): joined})
            case "DotProduct":
                return float((self._column(arguments[0]) * self._column(arguments[1])).sum())
            case "Multiply":
                first, second = self._column(arguments[0]), self._column(arguments[1])
                return pandas.DataFrame({f"{first.name}*{second.name}": first * second})
            case "Normalize":
                table = self._table(arguments[1])[_names(arguments[0])].astype(float)
                return (table - table.min()) / (table.max() - table.min())
            case "EncodeData":
                table = self._table(arguments[1])[_names(arguments[0])]
                if len(arguments) == 3 and next(texts_of(arguments[2])) == "one-hot":
                    return pandas.get_dummies(table.astype(str)).astype(int)
                codes: DataFrame = table.apply(lambda column: column.astype("category").cat.codes)
                return codes
            case "CountInstances":
                return self._counted(arguments)
            case "Aggregate":
                function, names = next(texts_of(arguments[0])), _names(arguments[1])
                table = self._table(arguments[2])
                if len(arguments) == 4:
                    return table.groupby(list(texts_of(arguments[3])))[names].agg(function).reset_index()
                return table[names].agg([function]).reset_index(drop=True)
            case "FilterRows":
                table = self._table(arguments[-1])
                for one in arguments[:-1]:
                    table = _filtered(table, one)
                return table
            case "SortRows":
                is_ascending = next(texts_of(arguments[1])) != "desc"
                return self._table(arguments[2]).sort_values(
                    _names(arguments[0]), ascending=is_ascending, kind="stable"
                )
            case "Limit":
                return self._table(arguments[1]).head(int(_number(arguments[0])))
            case "SaveDataset":
                return SavedTable(next(texts_of(arguments[1])), self._table(arguments[0]))
            case "CountResults":
                assert isinstance(arguments[0], Call)
                return len(set(texts_of(arguments[0])))
        if name in GETTERS:
            return sorted(set(texts_of(call)))
        assert isinstance(arguments[0], Call)
        return DataFile(self._run_script(name, self._file(arguments[0])))

    def _file(self, call: Call) -> Path:
        """The file of a table, written if it is not one yet."""
        value = self.value(call)
        if isinstance(value, DataFile):
            return value.path
        self._number += 1
        path = self._folder / f"step{self._number}.csv"
        table_of(value).to_csv(path, index=False)
        return path

    def _column(self, argument: Argument) -> Any:
        table = self._table(argument)
        if table.shape[1] != 1:
            raise WrongParameter("one column is needed", ", ".join(map(str, table.columns))[:80], "choose one column")
        return table.iloc[:, 0]

    def _merged(self, arguments: Sequence[Argument]) -> DataFrame:
        """Tables with the same columns are appended, others joined on what they share, else put side by side."""
        import pandas

        parts: list[DataFrame] = []
        for one in arguments:
            assert isinstance(one, Call)
            if one.name == "datasetName":
                parts += [read_table(self._find(name)) for name in texts_of(one)]
            else:
                parts.append(self._table(one))
        merged = parts[0]
        for part in parts[1:]:
            shared = [column for column in merged.columns if column in part.columns]
            if set(merged.columns) == set(part.columns):
                merged = pandas.concat([merged, part], ignore_index=True)
            elif shared:
                if len(merged) * len(part) > MOST_CELLS:
                    _bounded(merged, rows=_joined_rows(merged, part, shared))
                merged = merged.merge(part, on=shared, how="inner")
            else:
                merged = pandas.concat([merged.reset_index(drop=True), part.reset_index(drop=True)], axis=1)
        return _bounded(merged)

    def _counted(self, arguments: Sequence[Argument]) -> Result:
        table, name = self._table(arguments[1]), _names(arguments[0])[0]
        if len(arguments) == 3:
            grouped = table.groupby(list(texts_of(arguments[2])))[name]
            return grouped.count().rename("count").reset_index()
        return int(table[name].count())


def _names(argument: Argument) -> list[str]:
    return list(dict.fromkeys(texts_of(argument)))


def _number(argument: Argument) -> float:
    value = argument.arguments[0] if isinstance(argument, Call) else argument
    if not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise WrongParameter("not a number of rows", str(value), "give a number of 0 or more")
    return value


def _filtered(table: DataFrame, condition: Argument) -> DataFrame:
    assert isinstance(condition, Call)
    column, sign, value = condition.arguments
    wanted = next(texts_of(value)) if isinstance(value, Call) and value.name == "string" else value
    if isinstance(wanted, Call):
        wanted = wanted.arguments[0]
    cells = table[_names(column)[0]]
    match next(texts_of(sign)):
        case ">":
            return table[cells > wanted]
        case ">=":
            return table[cells >= wanted]
        case "<":
            return table[cells < wanted]
        case "<=":
            return table[cells <= wanted]
        case "!=":
            return table[cells != wanted]
    return table[cells == wanted]


def _joined_rows(first: DataFrame, second: DataFrame, shared: list[Any]) -> int:
    counts = first.groupby(shared).size().to_frame("a").join(second.groupby(shared).size().to_frame("b"), how="inner")
    return int((counts["a"] * counts["b"]).sum())


def _bounded(table: DataFrame, rows: int | None = None) -> DataFrame:
    number = len(table) if rows is None else rows
    if number * max(len(table.columns), 1) > MOST_CELLS:
        raise WrongParameter("the table is too large", f"{number:,} rows", "take fewer columns or rows first")
    return table
