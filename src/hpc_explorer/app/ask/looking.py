"""Look at a workflow before it runs: its plan, what its steps make, and its picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.ask.planning import WorkflowPlan, plan_workflow
from hpc_explorer.app.ask.running import Previews, preview_workflow
from hpc_explorer.app.ask.workflows import other_tables, tables_of
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.expressions import Call
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

_COLUMNS_NAMED = 6


@dataclass(frozen=True)
class WorkflowLook:
    """A workflow as it is shown before it runs.

    Args:
        previews: what the steps before the first script make.
        problem: why a step does not fit its table; empty if all do.
        tables: the names of the tables that it reads.
        others: the names of tables that may stand in their place.
    """

    plan: WorkflowPlan
    previews: Previews
    problem: str
    tables: tuple[str, ...]
    others: tuple[str, ...]


def look_at_workflow(
    session: Session, expression: Call, scripts_in: Path | None = None, *, limits: Limits = NO_LIMITS
) -> WorkflowLook:
    """Plan a workflow and preview its steps. No script is run, and nothing is saved.

    Raises:
        WrongParameter: a file or script is missing or not allowed.
    """
    plan = plan_workflow(session, expression, scripts_in=scripts_in, limits=limits)
    previews: Previews = {}
    problem = ""
    try:
        previews = preview_workflow(plan, limits=limits)
    except WrongParameter as error:
        problem = str(error)
    return WorkflowLook(plan, previews, problem, tables_of(expression), other_tables(session))


def flow_scene(plan: WorkflowPlan, previews: Previews) -> Scene:
    """The picture of a workflow: its tables and steps from left to right, each with the size of its table.

    The key of a node is the place of its step in the flow.
    """
    nodes, edges = [], []
    for at, step in enumerate(plan.flow):
        preview = previews.get(step.call)
        kind, look = ("Table", "data") if step.is_read else ("Step", "activity")
        if step.call.name in plan.scripts:
            kind, look = "Script", "software"
        columns = "" if preview is None else ", ".join(preview.columns[:_COLUMNS_NAMED])
        more = "" if preview is None or preview.total_columns <= _COLUMNS_NAMED else " …"
        nodes.append(
            SceneNode(
                str(at),
                step.text,
                kind,
                look,
                caption=preview.size.splitlines()[0] if preview is not None else "known after the run",
                tooltip=f"{columns}{more}",
                focus=at == len(plan.flow) - 1,
            )
        )
        edges += [SceneEdge(str(before), str(at)) for before in step.inputs]
    return Scene(tuple(nodes), tuple(edges), title="Workflow")
