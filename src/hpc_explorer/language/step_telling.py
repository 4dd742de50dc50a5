"""Say a workflow expression as steps in English, in words that the reader reads back to the same expression."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hpc_explorer.language.expressions import ENTITY_NAMES, GETTERS, Argument, Call, Scripts, texts_of

_SIGNS = {
    ">": "is more than", ">=": "is at least", "<": "is less than", "<=": "is at most", "=": "is equal to",
    "!=": "is not equal to",
}  # fmt: skip
_AGGREGATES = {
    "mean": "average", "sum": "sum", "min": "minimum", "max": "maximum", "median": "median",
    "std": "standard deviation",
}  # fmt: skip
LEAVES = frozenset(("datasetName", "csvFile", "jsonFile", "logFile", "file"))
"""The calls that name the files a workflow reads."""

_PARTS = (
    frozenset(
        ("string", "number", "columnName", "condition", "groupBy", "type", "fileName", "propertyName", *ENTITY_NAMES)
    )
    - LEAVES
)
_KINDS = {
    "GetDataset": "datasets", "GetAIModel": "AI models", "GetProject": "projects", "GetPerson": "people",
    "GetSoftware": "software", "GetHardware": "hardware", "GetMachine": "machines", "GetExperiment": "experiments",
    "GetWorkflow": "workflows",
}  # fmt: skip


_THE_RESULTS = {2: "the two", 3: "the three"}


def workflow_steps(expression: Call, scripts: Scripts) -> tuple[str, ...]:
    """The steps of a workflow in order, each a sentence without a full stop."""
    steps: list[str] = []
    _Steps(scripts, steps).told(expression)
    return tuple(one[:1].upper() + one[1:] for one in steps)


def workflow_sentence(expression: Call, scripts: Scripts) -> str:
    """The steps as one sentence."""
    first, *rest = workflow_steps(expression, scripts)
    return "".join([first, *(f", then {one[:1].lower()}{one[1:]}" for one in rest)])


@dataclass(frozen=True)
class FlowStep:
    """A table of a workflow: one that it reads, or the result of a step.

    Args:
        call: the expression whose result it is.
        text: the name of the table, or the step in English.
        inputs: the steps before it, by their places in the flow.
    """

    call: Call
    text: str
    inputs: tuple[int, ...] = ()

    @property
    def is_read(self) -> bool:
        """Whether it is a table that the workflow reads."""
        return self.call.name in LEAVES


def workflow_flow(expression: Call, scripts: Scripts) -> tuple[FlowStep, ...]:
    """The tables and steps of a workflow in order; each comes after its inputs."""
    flow: list[FlowStep] = []

    def place(call: Call) -> tuple[int, ...]:
        if call.name in LEAVES:
            return tuple(added(FlowStep(Call(call.name, (Call("string", (name,)),)), name)) for name in texts_of(call))
        inputs = [at for one in call.arguments if isinstance(one, Call) and one.name not in _PARTS for at in place(one)]
        return (added(FlowStep(call, workflow_steps(call, scripts)[-1], tuple(dict.fromkeys(inputs)))),)

    def added(step: FlowStep) -> int:
        if step not in flow:
            flow.append(step)
        return flow.index(step)

    place(expression)
    return tuple(flow)


class _Steps:
    def __init__(self, scripts: Scripts, steps: list[str]) -> None:
        self._scripts = scripts
        self._steps = steps

    def told(self, call: Argument) -> str:
        """Add the steps of an expression; returns how later steps refer to its result."""
        assert isinstance(call, Call)
        words = self._step(call)
        if words:
            self._steps.append(words)
        return "it"

    def _table(self, argument: Argument) -> str:
        """A table as a phrase: a dataset, its columns, or the result of the steps before."""
        assert isinstance(argument, Call)
        if argument.name in LEAVES:
            return _dataset(argument)
        if argument.name == "GetColumn" and _is_leaf(argument.arguments[1]):
            return f"{_columns(argument.arguments[0])} of {self._table(argument.arguments[1])}"
        return self.told(argument)

    def _source(self, argument: Argument) -> str:
        """A table without columns of its own; columns that were picked are a step."""
        assert isinstance(argument, Call)
        return _dataset(argument) if argument.name in LEAVES else self.told(argument)

    def _step(self, call: Call) -> str:
        name, arguments = call.name, call.arguments
        match name:
            case "MergeDataset":
                if len(arguments) == 1:
                    return f"merge {_dataset(arguments[0])}"
                tables = [self._table(one) for one in arguments]
                are_results = set(tables) == {"it"} and len(tables) in _THE_RESULTS
                return f"merge {_THE_RESULTS[len(tables)] if are_results else _listed(tables)}"
            case "GetColumn":
                return f"take {_columns(arguments[0])} of {self._source(arguments[1])}"
            case "GetAllColumns":
                return f"show all columns of {self._source(arguments[0])}"
            case "GetColumnNames":
                return f"list the column names of {self._source(arguments[0])}"
            case "RemoveColumn":
                return f"remove {_columns(arguments[0])} from {self._source(arguments[1])}"
            case "Normalize":
                return f"normalize {_columns(arguments[0])} of {self._source(arguments[1])}"
            case "EncodeData":
                kind = next(texts_of(arguments[2])) if len(arguments) == 3 else "label"
                return f"apply {kind} encoding to {_columns(arguments[0])} of {self._source(arguments[1])}"
            case "MergeColumns":
                return f"merge {_columns(arguments[0])} of {self._source(arguments[1])} into one column"
            case "CountInstances":
                return f"count {_columns(arguments[0])} in {self._source(arguments[1])}{_group(arguments[2:])}"
            case "Aggregate":
                function = _AGGREGATES[next(texts_of(arguments[0]))]
                source = self._source(arguments[2])
                return f"compute the {function} of {_columns(arguments[1])} in {source}{_group(arguments[3:])}"
            case "FilterRows":
                source = self._source(arguments[-1])
                return f"keep the rows of {source} where {_listed(map(_condition, arguments[:-1]))}"
            case "SortRows":
                order = "descending" if next(texts_of(arguments[1])) == "desc" else "ascending"
                return f"sort {self._source(arguments[2])} by {_columns(arguments[0])} in {order} order"
            case "Limit":
                return f"keep the first {_value(arguments[0])} rows of {self._source(arguments[1])}"
            case "RenameColumn":
                new = next(texts_of(arguments[1]))
                return f"rename {_columns(arguments[0])} of {self._source(arguments[2])} to “{new}”"
            case "DotProduct" | "Multiply":
                return self._product(call)
            case "json2csv" | "csv2json":
                return f"convert {self._table(arguments[0])} to {'CSV' if name == 'json2csv' else 'JSON'}"
            case "SaveDataset":
                return f"save {self._table(arguments[0])} as “{next(texts_of(arguments[1]))}”"
            case "CountResults":
                return f"count the {_things(arguments[0])}"
            case "GetProperty":
                return f"look up the {next(texts_of(arguments[0]))} of {_quoted(texts_of(arguments[1]))}"
        if name in GETTERS:
            return f"list the {_things(call)}"
        if name in self._scripts:
            return f"run {name.replace('_', ' of ')} on {self._table(arguments[0])}"
        return str(call)

    def _product(self, call: Call) -> str:
        first, second = call.arguments
        word = "multiply" if call.name == "DotProduct" else "multiply row by row"
        assert isinstance(first, Call)
        assert isinstance(second, Call)
        if first.name == second.name == "GetColumn" and first.arguments[1] == second.arguments[1]:
            source = self._source(first.arguments[1])
            return f"{word} {_columns(first.arguments[0])} by {_columns(second.arguments[0])} of {source}"
        return f"{word} {self._table(first)} by {self._table(second)}"


def _is_leaf(argument: Argument) -> bool:
    return isinstance(argument, Call) and argument.name in LEAVES


def _dataset(argument: Argument) -> str:
    names = list(texts_of(argument))
    return f"{'datasets' if len(names) > 1 else 'dataset'} {_quoted(names)}"


def _columns(argument: Argument) -> str:
    names = list(texts_of(argument))
    return f"the {'columns' if len(names) > 1 else 'column'} {_quoted(names)}"


def _quoted(names: Iterable[str]) -> str:
    return _listed(f"“{name}”" for name in names)


def _listed(parts: Iterable[str]) -> str:
    *before, last = parts
    return f"{', '.join(before)} and {last}" if before else last


def _group(arguments: tuple[Argument, ...]) -> str:
    return f" for each {_quoted(texts_of(arguments[0]))}" if arguments else ""


def _condition(argument: Argument) -> str:
    assert isinstance(argument, Call)
    column, sign, value = argument.arguments
    return f"“{next(texts_of(column))}” {_SIGNS[next(texts_of(sign))]} {_value(value)}"


def _value(argument: Argument) -> str:
    if isinstance(argument, Call):
        if argument.name == "number":
            return _value(argument.arguments[0])
        return f"“{next(texts_of(argument))}”"
    return str(argument)


def _things(argument: Argument) -> str:
    assert isinstance(argument, Call)
    return f"{_KINDS.get(argument.name, 'things')} {_quoted(texts_of(argument))}"
