"""Write a workflow as a Python program, and as a CWL tool that runs it.

The program needs pandas only. Texts of the workflow become Python literals, so none of them is run as code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from hpc_explorer.language.expressions import GETTERS, Argument, Call, texts_of

PROGRAM = "workflow_in_english.py"
"""The file name of the program in a CWL tool."""

_HEAD = '''"""{title}"""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd


def read(path):
    if path.endswith(".json"):
        return pd.DataFrame(json.loads(Path(path).read_text(encoding="utf-8")))
    return pd.read_csv(path, sep="\\t" if path.endswith(".tsv") else ",")


def write(table, path):
    if path.endswith(".json"):
        table.to_json(path, orient="records", indent=1)
    else:
        table.to_csv(path, index=False)


def merge(first, *others):
    for other in others:
        shared = [column for column in first.columns if column in other.columns]
        if set(first.columns) == set(other.columns):
            first = pd.concat([first, other], ignore_index=True)
        elif shared:
            first = first.merge(other, on=shared, how="inner")
        else:
            first = pd.concat([first.reset_index(drop=True), other.reset_index(drop=True)], axis=1)
    return first


'''


@dataclass
class _Program:
    """The lines of a program while it is written.

    Args:
        files: the file of each dataset name.
        scripts: the path of the script of each operation, and the ending of its output.
    """

    files: Mapping[str, str]
    scripts: Mapping[str, tuple[str, str]]
    lines: list[str] = field(default_factory=list)
    number: int = 0

    def table(self, argument: Argument) -> str:
        """The expression of a table; steps that are more than one go to lines of their own."""
        assert isinstance(argument, Call)
        if argument.name in _LEAVES:
            names = [self.files[name] for name in texts_of(argument)]
            return f"read({names[0]!r})"
        return self.assigned(self.value(argument))

    def assigned(self, text: str) -> str:
        self.number += 1
        self.lines.append(f"table{self.number} = {text}")
        return f"table{self.number}"

    def file(self, argument: Argument) -> str:
        assert isinstance(argument, Call)
        if argument.name in _LEAVES:
            return repr(self.files[next(texts_of(argument))])
        self.lines.append(f"write({self.table(argument)}, {f'step{self.number}.csv'!r})")
        return repr(f"step{self.number}.csv")

    def value(self, call: Call) -> str:
        """The Python expression of an operation."""
        name, arguments = call.name, call.arguments
        match name:
            case "MergeDataset":
                parts: list[str] = []
                for one in arguments:
                    if isinstance(one, Call) and one.name == "datasetName":
                        parts += [f"read({self.files[each]!r})" for each in texts_of(one)]
                    else:
                        parts.append(self.table(one))
                return f"merge({', '.join(parts)})"
            case "GetColumn":
                return f"{self.table(arguments[1])}[{_names(arguments[0])}]"
            case "RemoveColumn":
                return f"{self.table(arguments[1])}.drop(columns={_names(arguments[0])})"
            case "GetAllColumns" | "json2csv" | "csv2json":
                return self.table(arguments[0])
            case "GetColumnNames":
                return f"sorted({self.table(arguments[0])}.columns)"
            case "RenameColumn":
                old, new = next(texts_of(arguments[0])), next(texts_of(arguments[1]))
                return f"{self.table(arguments[2])}.rename(columns={{{old!r}: {new!r}}})"
            case "MergeColumns":
                joined = f"{self.table(arguments[1])}[{_names(arguments[0])}].astype(str).agg(' '.join, axis=1)"
                return f"pd.DataFrame({{{'+'.join(texts_of(arguments[0]))!r}: {joined}}})"
            case "DotProduct":
                return f"float(({self.table(arguments[0])}.iloc[:, 0] * {self.table(arguments[1])}.iloc[:, 0]).sum())"
            case "Multiply":
                return f"({self.table(arguments[0])}.iloc[:, 0] * {self.table(arguments[1])}.iloc[:, 0]).to_frame()"
            case "Normalize":
                picked = self.assigned(f"{self.table(arguments[1])}[{_names(arguments[0])}].astype(float)")
                return f"({picked} - {picked}.min()) / ({picked}.max() - {picked}.min())"
            case "EncodeData":
                picked = f"{self.table(arguments[1])}[{_names(arguments[0])}]"
                if len(arguments) == 3 and next(texts_of(arguments[2])) == "one-hot":
                    return f"pd.get_dummies({picked}.astype(str)).astype(int)"
                return f"{picked}.apply(lambda column: column.astype('category').cat.codes)"
            case "CountInstances":
                column = next(texts_of(arguments[0]))
                if len(arguments) == 3:
                    grouped = f"{self.table(arguments[1])}.groupby({_names(arguments[2])})[{column!r}]"
                    return f"{grouped}.count().rename('count').reset_index()"
                return f"int({self.table(arguments[1])}[{column!r}].count())"
            case "Aggregate":
                function, table = next(texts_of(arguments[0])), self.table(arguments[2])
                if len(arguments) == 4:
                    grouped = f"{table}.groupby({_names(arguments[3])})[{_names(arguments[1])}]"
                    return f"{grouped}.agg({function!r}).reset_index()"
                return f"{table}[{_names(arguments[1])}].agg([{function!r}]).reset_index(drop=True)"
            case "FilterRows":
                table = self.assigned(self.table(arguments[-1]))
                tests = " & ".join(f"({_test(table, one)})" for one in arguments[:-1])
                return f"{table}[{tests}]"
            case "SortRows":
                is_ascending = next(texts_of(arguments[1])) != "desc"
                by = _names(arguments[0])
                return f"{self.table(arguments[2])}.sort_values({by}, ascending={is_ascending}, kind='stable')"
            case "Limit":
                return f"{self.table(arguments[1])}.head({_literal(arguments[0])})"
            case "SaveDataset":
                name = saved_name(next(texts_of(arguments[1])))
                table = self.assigned(self.table(arguments[0]))
                self.lines.append(f"write({table}, {name!r})")
                return table
            case "CountResults":
                return str(len(set(texts_of(arguments[0]))))
        if name in GETTERS:
            return repr(sorted(set(texts_of(call))))
        if name in _LEAVES:
            return self.table(call)
        script, ending = self.scripts[name]
        given = self.file(arguments[0])
        self.number += 1
        output = f"output{self.number}{ending}"
        self.lines.append(f"subprocess.run([sys.executable, {script!r}, {given}, {output!r}], check=True)")
        return f"read({output!r})"


_LEAVES = frozenset(("datasetName", "csvFile", "jsonFile", "logFile", "file"))


def python_program(
    expression: Call, steps: Sequence[str], files: Mapping[str, str], scripts: Mapping[str, tuple[str, str]]
) -> str:
    """A workflow as a Python program that prints its result.

    Args:
        steps: in English; they become comments.
        files: the file of each dataset name.
        scripts: the path of the script of each operation, and the ending of its output, such as `.csv`.
    """
    program = _Program(files, scripts)
    result = program.value(expression)
    told = "".join(f"# {number}. {_comment(step)}\n" for number, step in enumerate(steps, 1))
    body = "\n".join([*program.lines, f"result = {result}", "print(result)"])
    return f"{_HEAD.format(title='A workflow that was asked for in English.')}{told}{body}\n"


def cwl_tool(program: str, saved: Sequence[str], files: Mapping[str, str], scripts: Sequence[str]) -> str:
    """A CWL tool (v1.2) that runs a program of `python_program`, as JSON.

    Args:
        saved: the names of the files that it saves.
        files: the file of each dataset name; they become inputs, and so do `scripts`.
    """
    names = list(dict.fromkeys((*files.values(), *scripts)))
    inputs = {f"file{number}": {"class": "File", "location": quote(name)} for number, name in enumerate(names)}
    # As the content of an input, the program is never read as a CWL expression.
    inputs["program"] = {"class": "File", "basename": PROGRAM, "contents": program}
    outputs = {f"saved{number}": {"type": "File", "outputBinding": {"glob": name}} for number, name in enumerate(saved)}
    tool = {
        "cwlVersion": "v1.2",
        "class": "CommandLineTool",
        "requirements": {"InitialWorkDirRequirement": {"listing": [f"$(inputs.{key})" for key in inputs]}},
        "baseCommand": ["python3", PROGRAM],
        "inputs": {key: {"type": "File", "default": default} for key, default in inputs.items()},
        "outputs": {**outputs, "printed": {"type": "stdout"}},
        "stdout": "result.txt",
    }
    return json.dumps(tool, indent=2, ensure_ascii=False) + "\n"


def saved_name(name: str) -> str:
    """The name of the file under which a table is saved; without an ending, it is a CSV file."""
    return name if name.lower().endswith((".csv", ".json")) else f"{name}.csv"


def _comment(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in " ".join(text.split()))


def _names(argument: Argument) -> str:
    return repr(list(dict.fromkeys(texts_of(argument))))


def _literal(argument: Argument) -> str:
    if isinstance(argument, Call):
        return _literal(argument.arguments[0])
    return repr(argument)


def _test(table: str, condition: Argument) -> str:
    assert isinstance(condition, Call)
    column, sign, value = condition.arguments
    operator = {"=": "=="}.get(next(texts_of(sign)), next(texts_of(sign)))
    return f"{table}[{next(texts_of(column))!r}] {operator} {_literal(value)}"
