"""Classify resources of a lineage as input, parameter, program, machine, plan or person, by link and class.

Used for comparing two histories and for recipes.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode


class Aspect(Enum):
    """The kind; in the order of differences at equal times."""

    INPUT = "input"
    PARAMETER = "parameter"
    SOFTWARE = "software"
    MACHINE = "machine"
    PLAN = "plan"
    PERSON = "person"
    FACT = "fact"
    RESULT = "result"
    STRUCTURE = "structure"


# What the HPC ontology says of a model itself: how it was made, and what it came to.
SETTINGS = frozenset(
    HPC.term(name)
    for name in ("learningAlgorithm", "learningType", "inputShape", "inputDatasetFormat", "modelType", "params")
)
MEASURES = frozenset({HPC.accuracy, HPC.overhead})
PROGRAMS = frozenset({HPC.framework, HPC.machineLearningFramework})

_PERSONS = frozenset({"person", "persona", "organization", "agent"})
_MACHINES = frozenset(
    {"hardware", "computer", "cluster", "supercomputer", "server", "workstation", "cpu", "gpu", "processor"}
)
# Agents that are nobody: PROV-O 3.1 has programs among the agents.
_ACTING_PROGRAMS = frozenset({"softwareagent", "workflowengine"})
# Followed, and programs all the same: a script is a plan that a machine carries out.
_PROGRAMS = frozenset({"implementation", "software", "softwareapplication", "softwaresourcecode", "script"})

# Classes of these words hold data by its place, so that their value is no parameter.
_DATA = ("dataset", "reference", "file", "model", "featureset")


def kind_words(classes: Iterable[NamedNode]) -> frozenset[str]:
    """The local names of classes, to be compared whatever their case."""
    return frozenset(fallback_label(cls).replace(" ", "").casefold() for cls in classes)


def aspect_of(relation: Relation, classes: Iterable[NamedNode], *, has_value: bool) -> Aspect:
    """Classify the cause of a step.

    Args:
        relation: how effect and cause are connected.
        classes: the classes of the cause.
        has_value: whether the cause is a value, such as a number.
    """
    kinds = kind_words(classes)
    if kinds & _ACTING_PROGRAMS:
        return Aspect.SOFTWARE
    if relation is Relation.ATTRIBUTED or kinds & _PERSONS:
        return Aspect.PERSON
    if relation is Relation.ASSOCIATED:
        return Aspect.MACHINE if kinds & _MACHINES else Aspect.SOFTWARE
    if relation is Relation.PLANNED:
        return Aspect.SOFTWARE if kinds & _PROGRAMS else Aspect.PLAN
    if relation in (Relation.GENERATED, Relation.INFORMED, Relation.INFLUENCED):
        return Aspect.STRUCTURE
    is_data = any(word in kind for kind in kinds for word in _DATA)
    return Aspect.PARAMETER if has_value and not is_data else Aspect.INPUT


def is_agent(classes: Iterable[NamedNode]) -> bool:
    """Whether the classes mean a person or software agent and no activity."""
    return bool(kind_words(classes) & (_ACTING_PROGRAMS | _PERSONS))


def aspect_of_property(predicate: NamedNode) -> Aspect | None:
    """Classify a property of a model; None if it does not describe its making."""
    if predicate in SETTINGS:
        return Aspect.PARAMETER
    if predicate in PROGRAMS:
        return Aspect.SOFTWARE
    return Aspect.RESULT if predicate in MEASURES else None
