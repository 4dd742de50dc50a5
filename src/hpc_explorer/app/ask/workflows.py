"""Saved workflows: kept in the settings folder, and run again on other tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.app.ask.asking import files_beside
from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import OutputNotWritable, WrongParameter
from hpc_explorer.language.expressions import Argument, Call, texts_of
from hpc_explorer.language.step_telling import LEAVES
from hpc_explorer.language.tables import TABLE_ENDINGS
from hpc_explorer.rdf.syntax.files import atomic_output

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

_LONGEST_NAME = 80
_DEEPEST = 100
_MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class SavedWorkflow:
    """A workflow that was saved.

    Args:
        sentence: as it was asked for.
    """

    name: str
    sentence: str
    expression: Call


def workflows_folder() -> Path:
    """The folder of the saved workflows; it may not exist."""
    return settings_file().with_name("workflows")


def save_workflow(workflow: SavedWorkflow, *, replace: bool = False) -> Path:
    """Save a workflow; returns its file.

    Raises:
        WrongParameter: it has no name, or the name is taken.
        OutputNotWritable: the settings folder cannot be written.
    """
    file = _file(workflow.name)
    if file.exists() and not replace:
        raise WrongParameter("there is a workflow of this name", workflow.name, "choose another name")
    kept = {"name": workflow.name, "sentence": workflow.sentence, "expression": _as_json(workflow.expression)}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputNotWritable("cannot save the workflow", str(file), str(error)) from None
    with atomic_output(file) as stream:
        stream.write(json.dumps(kept, indent=1, ensure_ascii=False).encode())
    return file


def saved_workflows() -> tuple[SavedWorkflow, ...]:
    """The saved workflows by name; files that are none are left out."""
    found = []
    for file in sorted(workflows_folder().glob("*.json")):
        try:
            if file.stat().st_size > _MOST_BYTES:
                continue
            kept = json.loads(file.read_text(encoding="utf-8"))
            expression = _from_json(kept["expression"])
            if isinstance(expression, Call):
                found.append(SavedWorkflow(str(kept["name"]), str(kept["sentence"]), expression))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return tuple(sorted(found, key=lambda one: one.name.casefold()))


def delete_workflow(name: str) -> None:
    """Delete a saved workflow."""
    _file(name).unlink(missing_ok=True)


def tables_of(expression: Call) -> tuple[str, ...]:
    """The names of the tables and files that a workflow reads, in order."""
    leaves = (call for call in expression.calls() if call.name in LEAVES)
    return tuple(dict.fromkeys(name for leaf in leaves for name in texts_of(leaf)))


def other_tables(session: Session) -> tuple[str, ...]:
    """The names of the tables in the folder of the graph."""
    return tuple(sorted(name for name, path in files_beside(session).items() if _is_table(path)))


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in TABLE_ENDINGS


def _file(name: str) -> Path:
    plain = re.sub(r"[^\w-]+", "-", name.casefold()).strip("-_")
    if not plain or len(name) > _LONGEST_NAME:
        raise WrongParameter("not a name for a workflow", name[:_LONGEST_NAME], "give a short name with letters")
    return workflows_folder() / f"{plain}.json"


def _as_json(argument: Argument) -> Any:
    if isinstance(argument, Call):
        return [argument.name, *map(_as_json, argument.arguments)]
    return argument


def _from_json(value: Any, depth: int = 0) -> Argument:
    """The expression of `_as_json`; whether its types fit is checked when it is planned."""
    if depth > _DEEPEST:
        raise ValueError("too deep")
    if isinstance(value, list) and value and isinstance(value[0], str):
        rest: Iterable[Any] = value[1:]
        return Call(value[0], tuple(_from_json(one, depth + 1) for one in rest))
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return value
    raise ValueError("not an expression")
