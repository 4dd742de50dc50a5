"""Read a question in English, and where it is asked back, say what each workflow would make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.ask.planning import WorkflowPlan, plan_workflow
from hpc_explorer.app.ask.running import preview_workflow
from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.chart import Lexeme
from hpc_explorer.language.interpretation import Interpretation, Reading, Status
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

# Larger tables are not read before a reading is chosen.
_MOST_BYTES = 5_000_000
_AFTER_SCRIPT = "known after the run"


def interpret_with_tables(
    session: Session, text: str, chosen: Sequence[Lexeme] = (), *, limits: Limits = NO_LIMITS
) -> Interpretation:
    """The readings of a sentence; workflows to choose from say how large their tables are. No script is run."""
    found = interpret(session, text, chosen, limits=limits)
    if found.status is not Status.AMBIGUOUS:
        return found
    return replace(found, readings=tuple(_with_table(session, one, limits) for one in found.readings))


def _with_table(session: Session, reading: Reading, limits: Limits) -> Reading:
    if reading.query is not None or reading.expression is None:
        return reading
    try:
        plan = plan_workflow(session, reading.expression, limits=limits)
        return replace(reading, made=_made(plan, limits))
    except WrongParameter as error:
        return replace(reading, made=f"cannot be run: {error}")


def _made(plan: WorkflowPlan, limits: Limits) -> str:
    """The size of what a workflow makes; "" if its tables are large."""
    if plan.scripts:
        return _AFTER_SCRIPT
    if sum(Path(one).stat().st_size for one in plan.files.values()) > _MOST_BYTES:
        return ""
    previews = preview_workflow(plan, limits=limits)
    last = previews.get(plan.flow[-1].call) if plan.flow else None
    return "" if last is None else last.size.replace("\n", ", ")
