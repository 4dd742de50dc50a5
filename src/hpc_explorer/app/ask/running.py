"""Run a workflow: evaluate it, preview its steps, and save and record the result."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.ask.planning import WorkflowPlan
from hpc_explorer.app.workspace.replacing import add_sources
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import OutputNotWritable, WrongParameter
from hpc_explorer.language.expressions import Call
from hpc_explorer.language.script_running import RunLimits, ScriptCommand, run_script
from hpc_explorer.language.step_telling import LEAVES
from hpc_explorer.language.tables import TABLE_ENDINGS, DataFile, Evaluator, Result, read_table, table_of
from hpc_explorer.rdf.namespaces import PROV, SCHEMA
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

PROVENANCE = "provenance"
"""The folder beside the outputs where runs are recorded, for `hpc-explorer collect`."""

PREVIEW_ROWS = 5
"""The rows of a table that are shown of each step."""

_WORKFLOW = "Workflow in English"
_LONGEST_NAME = 120
_MOST_COLUMNS = 40
_MOST_CHARACTERS = 200


@dataclass(frozen=True)
class TablePreview:
    """The first rows of a table, as texts.

    Args:
        rows: at most `PREVIEW_ROWS`.
        total: the number of rows of the table.
        total_columns: the number of its columns.
        text: the value, if it is no table.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    total: int = 0
    total_columns: int = 0
    text: str = ""

    @property
    def size(self) -> str:
        """Its size in words, or the value."""
        if self.text or not self.columns:
            return self.text or "no columns"
        return f"{counted(self.total, 'row')}, {counted(self.total_columns, 'column')}"


Previews = Mapping[Call, TablePreview]
"""What each step made, by its expression."""


@dataclass(frozen=True)
class WorkflowResult:
    """What a workflow made.

    Args:
        text: a number, names, or the first rows of a table.
        previews: what each step made.
        written: the files that were written.
    """

    value: Result
    text: str
    previews: Previews
    written: tuple[Path, ...]


class _NotRun(Exception):
    """A script was reached that is not run for a preview."""


def preview_workflow(plan: WorkflowPlan, *, limits: Limits = NO_LIMITS) -> Previews:
    """What the steps before the first script make; nothing is saved, and no script is run.

    Raises:
        WrongParameter: a step does not fit its table.
    """

    def run(name: str, given: Path) -> Path:
        raise _NotRun

    with tempfile.TemporaryDirectory(prefix="hpc-explorer-") as temporary:
        followed = _Followed(plan, limits, no_progress)
        with suppress(_NotRun):
            Evaluator(lambda name: plan.files[name], run, Path(temporary), followed.look).value(plan.expression)
    return followed.previews


class _Followed:
    """Keeps what each step made, and reports progress."""

    def __init__(self, plan: WorkflowPlan, limits: Limits, progress: Progress) -> None:
        self._plan = plan
        self._limits = limits
        self._progress = progress
        self._texts = {one.call: one.text for one in plan.flow}
        self.previews: dict[Call, TablePreview] = {}
        for step in plan.flow:
            if step.is_read:
                limits.check("the workflow")
                self.previews[step.call] = table_preview(DataFile(plan.files[step.text]))

    def look(self, call: Call, result: Result) -> None:
        """Take the result of a step."""
        self._limits.check("the workflow")
        if call.name not in LEAVES and call in self._texts:
            self.previews[call] = table_preview(result)
            self._progress(self._texts[call], len(self.previews) / max(len(self._plan.flow), 1))


def table_preview(result: Result) -> TablePreview:
    """The first rows of a result."""
    if isinstance(result, (int, float)):
        return TablePreview(text=f"{result:,}")
    if isinstance(result, list):
        return TablePreview(text="\n".join(result))
    if isinstance(result, DataFile) and result.path.suffix.lower() not in TABLE_ENDINGS:
        return TablePreview(text=result.path.name)
    table = table_of(result)
    head = table.iloc[:PREVIEW_ROWS, :_MOST_COLUMNS]
    rows = tuple(tuple(str(cell)[:_MOST_CHARACTERS] for cell in row) for row in head.itertuples(index=False, name=None))
    return TablePreview(tuple(map(str, head.columns)), rows, len(table), len(table.columns))


def run_workflow(
    plan: WorkflowPlan,
    folder: Path,
    is_approved: Callable[[ScriptCommand], bool],
    *,
    replace_files: bool = False,
    script_limits: RunLimits | None = None,
    limits: Limits = NO_LIMITS,
    progress: Progress = no_progress,
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
        Cancelled: the run was cancelled; nothing was saved.
    """
    plan.check_scripts()
    for command in plan.commands.values():
        if not is_approved(command):
            raise WrongParameter("the script was not approved", command.shown, f"approve {command.sha256[:12]} first")
    targets = [folder / name for name in plan.saved]
    for target in targets:
        if target.exists() and not replace_files:
            raise OutputNotWritable("the file exists already", str(target), "save under another name, or replace it")
    with tempfile.TemporaryDirectory(prefix="hpc-explorer-") as temporary:
        room = Path(temporary)

        def run(name: str, given: Path) -> Path:
            limits.check("the workflow")
            progress(plan.commands[name].shown, None)
            own = Path(tempfile.mkdtemp(dir=room))
            return run_script(plan.commands[name], given, own, script_limits, limits=limits)

        followed = _Followed(plan, limits, progress)
        evaluator = Evaluator(lambda name: plan.files[name], run, room, followed.look)
        if not targets:
            value = evaluator.value(plan.expression)
            return WorkflowResult(value, shown(value), followed.previews, ())
        with _recorded(plan, folder):
            value, written = _run_steps(plan, evaluator, targets[-1], limits)
        return WorkflowResult(value, shown(value), followed.previews, (written,))


def shown(result: Result, rows: int = PREVIEW_ROWS) -> str:
    """The first rows of a table, or the value."""
    if isinstance(result, DataFile):
        if result.path.suffix.lower() not in TABLE_ENDINGS:
            return result.path.name
        result = read_table(result.path)
    if isinstance(result, (int, float)):
        return f"{result:,}"
    if isinstance(result, list):
        return "\n".join(result)
    table = table_of(result)
    more = len(table) - rows
    return table.head(rows).to_string(index=False) + (f"\n… and {more:,} more rows" if more > 0 else "")


def _run_steps(plan: WorkflowPlan, evaluator: Evaluator, target: Path, limits: Limits) -> tuple[Result, Path]:
    """Evaluate the steps one after another, each recorded as an activity with what it read and made."""
    from hpc_explorer.capture import task
    from hpc_explorer.capture.values import log_data_in_memory, log_input, log_output, log_parameter, log_use_of_data

    made: dict[int, str] = {}
    last = len(plan.flow) - 1
    value: Result = 0
    for number, step in enumerate(plan.flow):
        if step.is_read:
            continue
        name = brief(step.text, _LONGEST_NAME)
        with task(name):
            for at in step.inputs:
                if at in made:
                    log_use_of_data(made[at], brief(plan.flow[at].text, _LONGEST_NAME))
                else:
                    log_input(plan.files[plan.flow[at].text].resolve())
            command = plan.commands.get(step.call.name)
            if command is not None:
                log_input(command.file.resolve())
                log_parameter(command.name, f"{command.shown} (SHA-256 {command.sha256})")
            value = evaluator.step(step.call)
            for at in step.inputs:
                if not any(at in later.inputs for later in plan.flow[number + 1 :]):
                    evaluator.forget(plan.flow[at].call)
            if number < last:
                made[number] = log_data_in_memory(name)
                continue
            limits.check("the workflow")
            table = table_of(value)
            is_json = target.suffix == ".json"
            text = table.to_json(orient="records", indent=1) if is_json else table.to_csv(index=False)
            with atomic_output(target) as stream:
                stream.write(text.encode())
            log_output(target.resolve())
    return value, target


# The capture library records one program at a time.
_RECORDING = threading.Lock()


@contextmanager
def _recorded(plan: WorkflowPlan, folder: Path) -> Iterator[None]:
    """Record the run with the capture library, in the folder `provenance` beside the output."""
    from hpc_explorer import capture

    with _RECORDING:
        capture.configure(folder=folder / PROVENANCE)
        # The code of a run is its script, if it has one, wherever the program was started.
        code = next((command.file.resolve().parent for command in plan.commands.values()), None)
        try:
            with capture.workflow(_WORKFLOW, description="; ".join(plan.steps), folder=code):
                yield
            capture.flush()
        finally:
            capture.stop()


def open_record(
    session: Session, path: Path, *, limits: Limits = NO_LIMITS, progress: Progress = no_progress
) -> NamedNode | None:
    """Open the record of the run that saved a file, or read it again; returns the resource of the file.

    Raises:
        InputError: the record cannot be read.
    """
    add_sources(session, [str(path.parent / PROVENANCE)], limits=limits, progress=progress)
    return recorded_output(session, path, limits=limits)


def recorded_output(session: Session, path: Path, *, limits: Limits = NO_LIMITS) -> NamedNode | None:
    """The resource of a saved file with its present content in an open record of its run; None if there is none."""
    content = Literal(hashlib.sha256(path.read_bytes()).hexdigest())
    for quad in session.store.match(None, PROV.value, Literal(str(path.resolve())), limits=limits):
        if isinstance(quad.subject, NamedNode) and any(
            True for _ in session.store.match(quad.subject, SCHEMA.sha256, content, limits=limits)
        ):
            return quad.subject
    return None


def run_planned(
    session: Session,
    plan: WorkflowPlan,
    folder: Path,
    approved: Sequence[ScriptCommand],
    replace_files: bool,
    script_limits: RunLimits,
    *,
    limits: Limits = NO_LIMITS,
    progress: Progress = no_progress,
) -> WorkflowResult:
    """`run_workflow` with the commands that were approved, as a job of the window."""
    return run_workflow(
        plan,
        folder,
        lambda command: command in approved,
        replace_files=replace_files,
        script_limits=script_limits,
        limits=limits,
        progress=progress,
    )
