"""How to make a thing again: its input data, and every step in order.

`building.py` makes a recipe from a trace; `gaps.py` finds missing information.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hpc_explorer.lineage.recipe.particulars import Particulars, Setting
from hpc_explorer.lineage.recipe.repeats import Repeats
from hpc_explorer.lineage.trace.trace import LineageEdge
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import Resource


@dataclass(frozen=True)
class Use:
    """A participant of a step, with its role.

    Args:
        role: its role in the plan; empty if it has none.
        origin: whether the link is stated or inferred.
    """

    resource: Resource
    role: str
    origin: Origin


@dataclass(frozen=True)
class Parameter:
    """A parameter or a result value of a step.

    Args:
        resource: the value as a resource; None if it is a property of another.
        stated_of: the resource it is stated of, if not the step: a hyperparameter is often stated of the model. For a
            measure, the activity that measured it, or the resource with the statement.
    """

    name: str
    value: str
    origin: Origin
    resource: Resource | None = None
    stated_of: Resource | None = None


@dataclass(frozen=True)
class Step:
    """One step.

    Args:
        activity: None if only the result and its origins are recorded.
        number: its position, from 1.
        within: the step that contains this one.
        repeats: the repetitions that this step represents.
    """

    activity: Resource | None
    number: int
    inputs: tuple[Use, ...] = ()
    outputs: tuple[Use, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    software: tuple[Use, ...] = ()
    machines: tuple[Use, ...] = ()
    agents: tuple[Use, ...] = ()
    plans: tuple[Use, ...] = ()
    commands: tuple[str, ...] = ()
    environment: tuple[Setting, ...] = ()
    started: datetime | None = None
    ended: datetime | None = None
    within: Resource | None = None
    repeats: Repeats | None = None


@dataclass(frozen=True)
class Recipe:
    """The recorded making of a thing.

    Args:
        start: the result: a model, another artefact, or a run.
        about: the recorded details of each resource named here.
        steps: ordered by their dependencies.
        data: the input data, which has no recorded origin.
        expected: the measures recorded with the result, for comparison.
        edges: the links it is based on, each with its origin.
        unopened: the activities with too many parts to open, with the number of parts.
    """

    start: Resource
    about: Mapping[Resource, Particulars]
    steps: tuple[Step, ...]
    data: tuple[Use, ...]
    software: tuple[Use, ...]
    machines: tuple[Use, ...]
    people: tuple[Use, ...]
    plans: tuple[Use, ...]
    expected: tuple[Parameter, ...]
    edges: tuple[LineageEdge, ...]
    unopened: tuple[tuple[Resource, int], ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether anything about the making is recorded."""
        return bool(self.steps)
