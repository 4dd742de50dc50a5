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
    """The kind of a resource; the order decides between differences at the same time."""

    INPUT = "input"
    PARAMETER = "parameter"
    SOFTWARE = "software"
    MACHINE = "machine"
    PLAN = "plan"
    PERSON = "person"
    FACT = "fact"
    RESULT = "result"
    STRUCTURE = "structure"


# Properties of a model in the HPC ontology: how it was made, and its results.
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
# Agents that are programs (PROV-O 3.1).
_ACTING_PROGRAMS = frozenset({"softwareagent", "workflowengine"})
# Plans that are programs, such as scripts.
_PROGRAMS = frozenset({"implementation", "software", "softwareapplication", "softwaresourcecode", "script"})

# Classes with these words refer to data; their value is a location, not a parameter.
_DATA = ("dataset", "reference", "file", "model", "featureset")


def kind_words(classes: Iterable[NamedNode]) -> frozenset[str]:
    """The local names of classes, case-folded."""
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
