"""Workflow expressions: nested calls with positional arguments, such as `GetColumn(columnName(string("a")), …)`.

An expression is a tree of `Call`s, checked by types. The operations are those of INPOWS (table I).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hpc_explorer.errors import WrongParameter

Argument: TypeAlias = "Call | str | int | float"


@dataclass(frozen=True)
class Call:
    """An operation with its arguments."""

    name: str
    arguments: tuple[Argument, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(_written, self.arguments))})"

    def calls(self) -> Iterator[Call]:
        """This call and all within it, the innermost first."""
        for one in self.arguments:
            if isinstance(one, Call):
                yield from one.calls()
        yield self


def _written(argument: Argument) -> str:
    if isinstance(argument, Call):
        return str(argument)
    if isinstance(argument, str):
        escaped = (
            argument.replace("\\", "\\\\")
            .replace('"', '\\"')
            .replace("\n", "\\n")
            .replace("\r", "\\r")
            .replace("\0", "\\0")
        )
        return f'"{escaped}"'
    return repr(argument)


# Types
# -----

STRING, NUMBER, COLUMN, TABLE, STRINGS, SAVED = "String", "Number", "Column", "Table", "Strings", "Saved"
CSV, JSON, LOG, CONDITION, MODIFIER = "CsvFile", "JsonFile", "LogFile", "Condition", "Modifier"
DATASET, PROPERTY = "DatasetName", "PropertyName"

ENTITY_NAMES: Mapping[str, str] = {
    "datasetName": DATASET, "modelName": "ModelName", "projectName": "ProjectName", "personName": "PersonName",
    "softwareName": "SoftwareName", "hardwareName": "HardwareName", "machineName": "MachineName",
    "experimentName": "ExperimentName", "workflowName": "WorkflowName",
}  # fmt: skip
"""The leaves that name things, with their types."""

GETTERS: Mapping[str, str] = {
    "GetDataset": "datasetName", "GetAIModel": "modelName", "GetProject": "projectName", "GetPerson": "personName",
    "GetSoftware": "softwareName", "GetHardware": "hardwareName", "GetMachine": "machineName",
    "GetExperiment": "experimentName", "GetWorkflow": "workflowName",
}  # fmt: skip
"""The operations that list things, with the leaf that each takes."""

_FILES = {"csvFile": CSV, "jsonFile": JSON, "logFile": LOG}
_TABLES = frozenset((TABLE, CSV, JSON, DATASET))
"""What is accepted as a table."""

AGGREGATES = ("mean", "sum", "min", "max", "median", "std")
SIGNS = (">", ">=", "<", "<=", "=", "!=")
ORDERS = ("asc", "desc")
ENCODINGS = ("label", "one-hot")


@dataclass(frozen=True)
class ScriptOperation:
    """An operation made from a script of the graph.

    Args:
        name: such as `labelVariants_XPlacer`.
        script: the IRI of the script.
        input, output: its file types.
    """

    name: str
    script: str
    input: str
    output: str


Scripts = Mapping[str, ScriptOperation]


def type_of(argument: Argument, scripts: Scripts) -> str:
    """The type of an expression.

    Raises:
        WrongParameter: it is none.
    """
    if isinstance(argument, str):
        return STRING
    if not isinstance(argument, Call):
        return NUMBER
    types = [type_of(one, scripts) for one in argument.arguments]
    found = _result(argument, types, scripts)
    if found is None:
        raise WrongParameter(f"{argument.name} does not take these arguments", ", ".join(types) or "none",
                             "see the list of operations in the guide")  # fmt: skip
    return found


def _result(call: Call, types: Sequence[str], scripts: Scripts) -> str | None:
    name, size = call.name, len(types)

    def tables(several: Iterable[str]) -> bool:
        return all(one in _TABLES for one in several)

    match name:
        case "string":
            return STRING if size and set(types) <= {STRING} else None
        case "number":
            return NUMBER if types == [NUMBER] else None
        case "csvFile" | "jsonFile" | "logFile" | "file":
            if types != [STRING]:
                return None
            return _FILES.get(name) or _by_ending(call)
        case "columnName":
            return COLUMN if size and set(types) <= {STRING} else None
        case "fileName" | "type":
            return (STRING if name == "fileName" else MODIFIER) if types == [STRING] else None
        case "propertyName":
            return PROPERTY if types == [STRING] else None
        case "groupBy":
            return MODIFIER if types == [COLUMN] else None
        case "condition":
            fits = size == 3 and types[:2] == [COLUMN, STRING] and types[2] in (STRING, NUMBER)
            return CONDITION if fits and _is_one_of(call.arguments[1], SIGNS) else None
        case "MergeDataset":
            return TABLE if size and tables(types) and (size > 1 or types == [DATASET]) else None
        case "json2csv":
            return CSV if size == 1 and types[0] in (JSON, DATASET) else None
        case "csv2json":
            return JSON if size == 1 and types[0] in (CSV, TABLE, DATASET) else None
        case "GetColumn" | "RemoveColumn" | "MergeColumns" | "Normalize":
            return TABLE if size == 2 and types[0] == COLUMN and tables(types[1:]) else None
        case "EncodeData":
            return (
                TABLE
                if types[:1] == [COLUMN]
                and tables(types[1:2])
                and types[2:] in ([], [MODIFIER])
                and size > 1
                and (size == 2 or _is_one_of(call.arguments[2], ENCODINGS))
                else None
            )
        case "CountInstances":
            if types[:1] != [COLUMN] or size < 2 or not tables(types[1:2]):
                return None
            return NUMBER if size == 2 else TABLE if types[2:] == [MODIFIER] else None
        case "Aggregate":
            ok = types[:2] == [STRING, COLUMN] and size > 2 and tables(types[2:3]) and types[3:] in ([], [MODIFIER])
            return TABLE if ok and _is_one_of(call.arguments[0], AGGREGATES) else None
        case "GetAllColumns":
            return TABLE if size == 1 and tables(types) else None
        case "GetColumnNames":
            return STRINGS if size == 1 and tables(types) else None
        case "DotProduct" | "Multiply":
            return (NUMBER if name == "DotProduct" else TABLE) if size == 2 and tables(types) else None
        case "FilterRows":
            return TABLE if size > 1 and set(types[:-1]) == {CONDITION} and tables(types[-1:]) else None
        case "SortRows" | "RenameColumn":
            fits = size == 3 and types[:2] == [COLUMN, STRING] and tables(types[2:])
            return TABLE if fits and (name != "SortRows" or _is_one_of(call.arguments[1], ORDERS)) else None
        case "Limit":
            return TABLE if size == 2 and types[0] == NUMBER and tables(types[1:]) else None
        case "SaveDataset":
            return SAVED if size == 2 and types[1] == STRING and tables(types[:1]) else None
        case "CountResults":
            return NUMBER if types == [STRINGS] else None
        case "GetProperty":
            return STRINGS if size == 2 and types[0] == PROPERTY and types[1] in ENTITY_NAMES.values() else None
    if name in ENTITY_NAMES:
        return ENTITY_NAMES[name] if size and set(types) <= {STRING} else None
    if name in GETTERS:
        return STRINGS if types == [ENTITY_NAMES[GETTERS[name]]] else None
    if name in scripts:
        script = scripts[name]
        accepted = {script.input, DATASET} | ({TABLE} if script.input == CSV else set())
        return script.output if size == 1 and types[0] in accepted else None
    return None


def _is_one_of(argument: Argument, allowed: Sequence[str]) -> bool:
    """Whether an argument is one of a few words; they become part of a program, so others are refused."""
    texts = list(texts_of(argument))
    return len(texts) == 1 and texts[0] in allowed


def _by_ending(call: Call) -> str | None:
    texts = list(texts_of(call.arguments[0]))
    ending = texts[0].rpartition(".")[2].lower() if texts else ""
    return {"csv": CSV, "tsv": CSV, "json": JSON}.get(ending, LOG)


def texts_of(argument: Argument) -> Iterator[str]:
    """The texts of a leaf in order."""
    if isinstance(argument, str):
        yield argument
    elif isinstance(argument, Call):
        for one in argument.arguments:
            yield from texts_of(one)


# Writing
# -------


def strings(*texts: str) -> Call:
    """`string("a", "b")`."""
    return Call("string", texts)


def leaf(name: str, *texts: str) -> Call:
    """`columnName(string("a", "b"))` and the like."""
    return Call(name, (strings(*texts),))
