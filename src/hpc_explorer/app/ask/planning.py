"""Plan a workflow: find its files and scripts, and write it as a Python program and as a CWL tool. Nothing is run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.ask.asking import files_beside, reader_of
from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.expressions import Argument, Call, texts_of, type_of
from hpc_explorer.language.program import cwl_tool, python_program, saved_name
from hpc_explorer.language.script_running import ScriptCommand, script_command
from hpc_explorer.language.step_telling import LEAVES, FlowStep, workflow_flow, workflow_steps
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

# They mean something else in CWL or on another system.
_SPECIAL = frozenset('*?[]{}$`<>|:"\\')


@dataclass(frozen=True)
class WorkflowPlan:
    """A workflow ready to be shown and run.

    Args:
        steps: in English.
        flow: the tables and steps between them.
        files: the file of each dataset name.
        scripts: the operations that run a script of the graph.
        commands: of these scripts, by operation; empty until their folder is named.
        saved: the names of the files that it writes.
    """

    expression: Call
    steps: tuple[str, ...]
    flow: tuple[FlowStep, ...]
    files: Mapping[str, Path]
    scripts: tuple[str, ...]
    commands: Mapping[str, ScriptCommand]
    saved: tuple[str, ...]

    def check_scripts(self) -> None:
        """Check that the folder of the scripts was named.

        Raises:
            WrongParameter: it was not.
        """
        for name in self.scripts:
            if name not in self.commands:
                raise WrongParameter("the workflow runs a script", name, "name its folder with --scripts-in")

    def program(self) -> str:
        """The workflow as a Python program.

        Raises:
            WrongParameter: the folder of its scripts was not named.
        """
        self.check_scripts()
        files = {name: str(path) for name, path in self.files.items()}
        scripts = {name: (str(command.file), command.ending) for name, command in self.commands.items()}
        return python_program(self.expression, self.steps, files, scripts)

    def cwl(self) -> str:
        """The workflow as a CWL tool; it names its files, which must lie beside it.

        Raises:
            WrongParameter: the folder of its scripts was not named.
        """
        self.check_scripts()
        files = {name: path.name for name, path in self.files.items()}
        scripts = {name: (command.file.name, command.ending) for name, command in self.commands.items()}
        program = python_program(self.expression, self.steps, files, scripts)
        return cwl_tool(program, self.saved, files, [path for path, _ in scripts.values()])


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
        scripts_in: the folder where its scripts lie; without it, a workflow with scripts can be shown but not run.

    Raises:
        WrongParameter: a file or script is missing or not allowed, the output has no plain file name, or the expression
            is not one of the operations with arguments of their types.
    """
    reader = reader_of(session, limits=limits)
    type_of(expression, reader.operations)
    beside = files_beside(session)
    described = {reader.lookups.name_of(one): file for one, file in reader.grammar.terms.files.items()}
    files: dict[str, Path] = {}
    scripts: dict[str, None] = {}
    commands: dict[str, ScriptCommand] = {}
    saved: list[str] = []
    by_name = {one.operation.name: one for one in reader.scripts}
    for call in expression.calls():
        if call.name in LEAVES:
            for name in texts_of(call):
                files[name] = _data_file(described.get(name, name), beside)
        elif call.name in by_name:
            scripts[call.name] = None
            if scripts_in is not None:
                commands[call.name] = script_command(by_name[call.name], scripts_in)
        elif call.name == "SaveDataset":
            saved.append(_plain_name(next(texts_of(call.arguments[1]))))
    steps = workflow_steps(expression, reader.operations)
    flow = workflow_flow(expression, reader.operations)
    return WorkflowPlan(expression, steps, flow, files, tuple(scripts), commands, tuple(saved))


def _data_file(name: str, beside: Mapping[str, Path]) -> Path:
    found = next((beside[one] for one in (name, f"{name}.csv", f"{name}.json", f"{name}.log") if one in beside), None)
    if found is None:
        raise WrongParameter("there is no such file in the folder of the graph", name[:120], "put it there")
    if not found.resolve().is_relative_to(found.parent.resolve()):
        raise WrongParameter("the file lies outside the folder of the graph", name[:120], "copy it there")
    return found


def _plain_name(name: str) -> str:
    if (
        name != Path(name).name
        or not _SPECIAL.isdisjoint(name)
        or name.startswith(".")
        or not name.isprintable()
        or len(name) > 200
    ):
        raise WrongParameter("not a plain file name", name[:120], "give a name without folders")
    return saved_name(name)


def on_other_data(expression: Call, old: str, new: str) -> Call:
    """A workflow with another dataset in place of one."""
    is_read = expression.name in LEAVES

    def changed(one: Argument) -> Argument:
        if isinstance(one, Call):
            if not is_read:
                return on_other_data(one, old, new)
            return replace(one, arguments=tuple(new if text == old else text for text in one.arguments))
        return new if is_read and one == old else one

    return replace(expression, arguments=tuple(map(changed, expression.arguments)))
