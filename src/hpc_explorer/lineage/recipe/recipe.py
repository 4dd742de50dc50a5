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
    """A participant of a step, with its role."""

    resource: Resource
    role: str  # its role in the plan; empty if it has none
    origin: Origin  # whether the link is stated or inferred


@dataclass(frozen=True)
class Parameter:
    """A parameter or a result value of a step."""

    name: str
    value: str
    origin: Origin
    resource: Resource | None = None  # the value as a resource; None if it is a property of another
    # the resource it is stated of, if not the step: a hyperparameter is often stated of the model. For a measure, the
    # activity that measured it, or the resource with the statement.
    stated_of: Resource | None = None


@dataclass(frozen=True)
class Step:
    """One step."""

    activity: Resource | None  # None if only the result and its origins are recorded
    number: int  # its position, from 1
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
    repeats: Repeats | None = None  # the repetitions that this step represents


@dataclass(frozen=True)
class Recipe:
    """The recorded making of a thing."""

    start: Resource  # the result: a model, another artefact, or a run
    about: Mapping[Resource, Particulars]  # the recorded details of each resource named here
    steps: tuple[Step, ...]  # ordered by their dependencies
    data: tuple[Use, ...]  # the input data, which has no recorded origin
    software: tuple[Use, ...]
    machines: tuple[Use, ...]
    people: tuple[Use, ...]
    plans: tuple[Use, ...]
    expected: tuple[Parameter, ...]  # the measures recorded with the result, for comparison
    edges: tuple[LineageEdge, ...]  # the links it is based on, each with its origin
    # the activities with too many parts to open, with the number of parts
    unopened: tuple[tuple[Resource, int], ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether anything about the making is recorded."""
        return bool(self.steps)
