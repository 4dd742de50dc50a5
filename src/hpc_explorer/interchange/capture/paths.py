"""What the path of an activity says: its run, stage and section, and their plans."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import unquote

from hpc_explorer.interchange.capture.terms import as_iri, lake, ml

RUN = "urn:hpc-explorer:run:"
PLAN = "urn:hpc-explorer:workflow:"

STAGE_NAMES = {"training": "Training", "validation": "Validation", "evaluation": "Evaluation"}


class Above:
    """What an activity is, by its path.

    Attributes:
        activity: its path without ranks and processes at the end, as values and sections refer to it.
        kind: `run`, `task`, `stage`, `epoch` or `batch`.
        learns: whether it belongs to learning.
        section: the class of its sections.
        plan: the IRI of its plan.
    """

    def __init__(self, path: str) -> None:
        self.activity = without_process(path)
        parts = self.activity.split("/")
        self.kind = parts[-1].partition(":")[0] if len(parts) > 1 else "run"
        stage = next((part for part in reversed(parts) if part.startswith("stage:")), "")
        self.learns = self.kind != "task" and not any(part.startswith("task:") for part in parts[1:])
        workflow = f"{PLAN}{workflow_of(path)}"
        if stage:
            name = stage[6:].partition(".")[0]
            self.section = ml(f"{STAGE_NAMES[name]}SectionExecution")
            self.plan = f"{workflow}/stage:{name}"
        else:
            self.section = ml("LearningStageSectionExecution") if self.learns else lake("DataTransformationExecution")
            task = next((part for part in reversed(parts) if part.startswith("task:")), "")
            self.plan = f"{workflow}/{task.rpartition('.')[0]}" if task else workflow
        if self.kind == "epoch":
            self.plan += "/epoch"


@lru_cache(maxsize=4096)
def above_of(path: str) -> Above:
    """What the activity at a path is."""
    return Above(as_iri(path))


def without_process(path: str) -> str:
    """A path without the ranks and processes at its end, which are not activities."""
    while (cut := path.rpartition("/"))[2].startswith(("process:", "rank:")):
        path = cut[0]
    return path


@lru_cache(maxsize=4096)
def workflow_of(path: str) -> str:
    """The name of the workflow in a path."""
    return path.partition("/")[0].rpartition(".")[0]


def rank_of(path: str) -> str:
    """The rank in a path, in words; empty without one."""
    return next((f"rank {part[5:]}" for part in path.split("/") if part.startswith("rank:")), "")


def name_of(path: str) -> str:
    """The kind and number of the last step, in words."""
    kind, _, number = path.rpartition("/")[2].partition(":")
    return f"{kind} {unquote(number)}"
