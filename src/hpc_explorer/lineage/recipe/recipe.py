"""How to make a thing again, as a value: the data to begin with, and every step in order.

`recipe_building.py` makes it from a trace; `gaps.py` names what is missing in it.
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
    """Something that takes part in a step, and what as.

    Args:
        role: what it was planned as; empty where no plan names it.
        origin: whether a source says so, or a rule concluded it.
    """

    resource: Resource
    role: str
    origin: Origin


@dataclass(frozen=True)
class Parameter:
    """A value that a step was carried out with, or that came of it.

    Args:
        resource: the value as a resource; None where it is said of another.
        stated_of: what it is said of, where that is not the step: a hyperparameter is often said of the model. Of a
            measure, the activity that measured it, or the thing that says so.
    """

    name: str
    value: str
    origin: Origin
    resource: Resource | None = None
    stated_of: Resource | None = None


@dataclass(frozen=True)
class Step:
    """One thing to do.

    Args:
        activity: what was done; None where only the result is recorded, and what it was derived from.
        number: its place in the order, from 1.
        within: the step that this one is a part of.
        repeats: what was done many times where this step stands.
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
    """All that is recorded of how a thing was made.

    Args:
        start: what is to be made again: a model, another artefact, or a run.
        about: what the record says of each resource named here.
        steps: in an order in which each comes after what it needs.
        data: what the record begins with: data that nothing is recorded before.
        expected: the measures that were recorded with the result, to compare with.
        edges: the links it all rests on, each with its origin.
        unopened: the activities that have too many parts to be looked at, with how many.
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
        """Whether anything is recorded of how it was made."""
        return bool(self.steps)
