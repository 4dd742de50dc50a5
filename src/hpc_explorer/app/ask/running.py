"""Run a workflow: find its files, show the commands of its scripts, evaluate it, and save and record the result."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.ask.asking import files_beside, reader_of
from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import OutputNotWritable, WrongParameter
from hpc_explorer.language.expressions import Call, texts_of
from hpc_explorer.language.program import cwl_tool, python_program
from hpc_explorer.language.script_running import RunLimits, ScriptCommand, run_script, script_command
from hpc_explorer.language.step_telling import workflow_steps
from hpc_explorer.language.tables import Evaluator, Result, SavedTable
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

PROVENANCE = "provenance"
"""The folder beside the outputs where runs are recorded, for `hpc-explorer collect`."""

_LEAVES = frozenset(("datasetName", "csvFile", "jsonFile", "logFile", "file"))
_PREVIEW = 5


@dataclass(frozen=True)
class WorkflowPlan:
    """A workflow ready to be shown and run.

    Args:
        steps: in English.
        files: the file of each dataset name.
        commands: of its scripts, by operation.
        saved: the names of the files that it writes.
    """

    expression: Call
    steps: tuple[str, ...]
    files: Mapping[str, Path]
    commands: Mapping[str, ScriptCommand]
    saved: tuple[str, ...]

    def program(self) -> str:
        """The workflow as a Python program."""
        files = {name: str(path) for name, path in self.files.items()}
        scripts = {name: (str(command.file), command.ending) for name, command in self.commands.items()}
        return python_program(self.expression, self.steps, files, scripts)

    def cwl(self) -> str:
        """The workflow as a CWL tool; it names its files, which must lie beside it."""
        files = {name: path.name for name, path in self.files.items()}
        scripts = {name: (command.file.name, command.ending) for name, command in self.commands.items()}
        program = python_program(self.expression, self.steps, files, scripts)
        return cwl_tool(program, self.saved, files, [path for path, _ in scripts.values()])


@dataclass(frozen=True)
class StepResult:
    """A step with the first rows of its table."""

    operation: str
    preview: str


@dataclass(frozen=True)
class WorkflowResult:
    """What a workflow made.

    Args:
        text: a number, names, or the first rows of a table.
        written: the files that were written.
    """

    value: Result
    text: str
    steps: tuple[StepResult, ...]
    written: tuple[Path, ...]


class Approvals:
    """The scripts that the user approved, with the checksum of their content.

    Args:
        path: the file of the approvals; None for the user's.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or settings_file().with_name("approved-scripts.json")

    def is_approved(self, command: ScriptCommand) -> bool:
        """Whether the script was approved with this command and content."""
        return self._read().get(str(command.file)) == _mark(command)

    def approve(self, command: ScriptCommand) -> None:
        """Remember a script; another content or command needs a new approval.

        Raises:
            OutputNotWritable: the settings cannot be written.
        """
        kept = {**self._read(), str(command.file): _mark(command)}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_output(self._path) as stream:
            stream.write(json.dumps(kept, indent=1).encode())

    def _read(self) -> dict[str, str]:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(key): str(value) for key, value in kept.items()} if isinstance(kept, dict) else {}


def _mark(command: ScriptCommand) -> str:
    return f"{command.sha256} {command.shown}"


def plan_workflow(
    session: Session, expression: Call, *, scripts_in: Path | None = None, limits: Limits = NO_LIMITS
) -> WorkflowPlan:
    """Find the files and scripts of a workflow; nothing is run.

    Args:
        scripts_in: the folder where its scripts lie.

    Raises:
        WrongParameter: a file or script is missing or not allowed, or the output has no plain file name.
    """
    reader = reader_of(session, limits=limits)
    beside = files_beside(session)
    described = {reader.lookups.name_of(one): file for one, file in reader.grammar.terms.files.items()}
    files: dict[str, Path] = {}
    commands: dict[str, ScriptCommand] = {}
    saved: list[str] = []
    by_name = {one.operation.name: one for one in reader.scripts}
    for call in expression.calls():
        if call.name in _LEAVES:
            for name in texts_of(call):
                files[name] = _data_file(described.get(name, name), beside)
        elif call.name in by_name:
            if scripts_in is None:
                raise WrongParameter("the workflow runs a script", call.name, "name its folder with --scripts-in")
            commands[call.name] = script_command(by_name[call.name], scripts_in)
        elif call.name == "SaveDataset":
            saved.append(_plain_name(next(texts_of(call.arguments[1]))))
    steps = workflow_steps(expression, reader.operations)
    return WorkflowPlan(expression, steps, files, commands, tuple(saved))


def _data_file(name: str, beside: Mapping[str, Path]) -> Path:
    found = next((beside[one] for one in (name, f"{name}.csv", f"{name}.json", f"{name}.log") if one in beside), None)
    if found is None:
        raise WrongParameter("there is no such file in the folder of the graph", name[:120], "put it there")
    if not found.resolve().is_relative_to(found.parent.resolve()):
        raise WrongParameter("the file lies outside the folder of the graph", name[:120], "copy it there")
    return found


def _plain_name(name: str) -> str:
    if name != Path(name).name or name.startswith(".") or "\\" in name or not name.isprintable() or len(name) > 200:
        raise WrongParameter("not a plain file name", name[:120], "give a name without folders")
    return name if name.lower().endswith((".csv", ".json")) else f"{name}.csv"


def run_workflow(
    plan: WorkflowPlan,
    folder: Path,
    is_approved: Callable[[ScriptCommand], bool],
    *,
    replace_files: bool = False,
    script_limits: RunLimits | None = None,
    limits: Limits = NO_LIMITS,
) -> WorkflowResult:
    """Run a workflow, and record the run if it saves files.

    Args:
        folder: where files are saved.
        is_approved: whether a command may run; asked before anything starts.
        replace_files: whether existing files are overwritten.

    Raises:
        WrongParameter: a script was not approved, or a step does not fit its table.
        OutputNotWritable: a file exists already or cannot be written.
        ExplorerError: a script failed.
    """
    for command in plan.commands.values():
        if not is_approved(command):
            raise WrongParameter("the script was not approved", command.shown, f"approve {command.sha256[:12]} first")
    targets = [folder / name for name in plan.saved]
    for target in targets:
        if target.exists() and not replace_files:
            raise OutputNotWritable("the file exists already", str(target), "save under another name, or replace it")
    steps: list[StepResult] = []
    with tempfile.TemporaryDirectory(prefix="hpc-explorer-") as temporary:
        room = Path(temporary)

        def run(name: str, given: Path) -> Path:
            limits.check("the workflow")
            return run_script(plan.commands[name], given, Path(tempfile.mkdtemp(dir=room)), script_limits)

        def look(call: Call, result: Result) -> None:
            limits.check("the workflow")
            if call.name not in _LEAVES:
                steps.append(StepResult(call.name, shown(result)))

        value = Evaluator(lambda name: plan.files[name], run, room, look).value(plan.expression)
        text = shown(value)
        written = _written(value, targets, plan)
    return WorkflowResult(value, text, tuple(steps), written)


def shown(result: Result, rows: int = _PREVIEW) -> str:
    """The first rows of a table, or the value."""
    from hpc_explorer.language.tables import DataFile, read_table, table_of

    if isinstance(result, DataFile):
        if result.path.suffix.lower() not in (".csv", ".json", ".tsv"):
            return result.path.name
        result = read_table(result.path)
    if isinstance(result, (int, float)):
        return f"{result:,}"
    if isinstance(result, list):
        return "\n".join(result)
    table = table_of(result)
    more = len(table) - rows
    return table.head(rows).to_string(index=False) + (f"\n… and {more:,} more rows" if more > 0 else "")


def _written(value: Result, targets: list[Path], plan: WorkflowPlan) -> tuple[Path, ...]:
    if not targets or not isinstance(value, SavedTable):
        return ()
    target = targets[-1]
    text = (
        value.table.to_json(orient="records", indent=1) if target.suffix == ".json" else value.table.to_csv(index=False)
    )
    with atomic_output(target) as stream:
        stream.write(text.encode())
    _record(plan, target)
    return (target,)


def _record(plan: WorkflowPlan, target: Path) -> None:
    """Record the run with the capture library, in the folder `provenance` beside the output."""
    from hpc_explorer import capture

    capture.configure(folder=target.parent / PROVENANCE)
    try:
        with capture.workflow("Workflow in English", description=". ".join(plan.steps)), capture.task(plan.steps[-1]):
            for path in plan.files.values():
                capture.log_input(str(path.resolve()))
            for command in plan.commands.values():
                capture.log_parameter(command.name, f"{command.shown} (SHA-256 {command.sha256})")
            capture.log_output(str(target.resolve()))
        capture.flush()
    finally:
        capture.stop()


def on_other_data(plan: Call, old: str, new: str) -> Call:
    """A workflow with another dataset in place of one."""
    arguments = tuple(
        on_other_data(one, old, new) if isinstance(one, Call) else new if one == old else one for one in plan.arguments
    )
    return replace(plan, arguments=arguments)
