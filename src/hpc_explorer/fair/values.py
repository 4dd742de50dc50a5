"""The values of an assessment: indicators, findings of tests and answers of people.

Source: Lin et al. 2022, "Making Machine Learning Datasets and Models FAIR for HPC", Table II and section III; RDA FAIR
Data Maturity Model (doi:10.15497/rda00050) for priorities and levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, IntEnum

from hpc_explorer.rdf.terms import NamedNode, Quad


class Principle(Enum):
    """The four principles."""

    FINDABLE = "F"
    ACCESSIBLE = "A"
    INTEROPERABLE = "I"
    REUSABLE = "R"

    @property
    def title(self) -> str:
        """Such as "Findable"."""
        return self.name.capitalize()


PRINCIPLE_TITLES = {principle.value: principle.title for principle in Principle}
"""The titles of the principles by letter."""


class Priority(Enum):
    """The RDA's priority of an indicator; empty for the six of F-UJI only."""

    ESSENTIAL = "Essential"
    IMPORTANT = "Important"
    USEFUL = "Useful"
    NONE = ""


class Target(Enum):
    """The target of an indicator."""

    METADATA = "M"
    DATA = "D"
    BOTH = "MD"


class Decider(Enum):
    """What decides an indicator."""

    GRAPH = "the graph"
    LIST = "the graph and a list that ships"
    FILE = "the graph and a local file"
    CONFIRMED = "filled in by the graph, confirmed by a person"
    ASKED = "a person"

    @property
    def is_automatic(self) -> bool:
        """Whether no person has to answer."""
        return self not in (Decider.CONFIRMED, Decider.ASKED)


class Action(Enum):
    """The action that improves an indicator (section III-B)."""

    PID = "MT-PID"
    COARSE_METADATA = "MT-coarse-metadata"
    FINE_METADATA = "MT-fine-metadata"
    AUTO_ANNOTATING = "MT-auto-annotating"
    PROVENANCE = "MT-provenance"
    LICENCE = "MT-license"


@dataclass(frozen=True)
class Indicator:
    """One of the 47 indicators.

    Args:
        rda_id, fuji_id: its names there, if any.
        text: a short description.
        test: the name of its test in `checks`.
    """

    id: str
    rda_id: str
    fuji_id: str
    principle: Principle
    subprinciple: str
    target: Target
    priority: Priority
    text: str
    decider: Decider
    action: Action
    test: str

    @property
    def is_shared(self) -> bool:
        """Whether both have it: the eleven with a star in Table II."""
        return bool(self.rda_id and self.fuji_id)


class Verdict(Enum):
    """The result of a test. Only a pass earns the point."""

    PASS = "pass"
    PARTIAL = "partial"
    FAIL = "fail"
    UNKNOWN = "unknown"


class Basis(Enum):
    """How a verdict was reached."""

    VERIFIED = "verified"
    """Checked against a list, a file, a syntax, shapes, or online."""
    DECLARED = "declared"
    """Stated in the graph, and not checked further."""
    HUMAN = "human"
    """A person answered."""
    UNKNOWN = "unknown"
    """Undecided."""


@dataclass(frozen=True)
class Finding:
    """The result of one indicator's test on one resource.

    Args:
        verdict: a suggestion if a person decides the indicator.
        sentence: one sentence that explains the result.
        evidence: the supporting statements, sorted.
        missing: properties any one of which would fix it; empty if more is needed.
        online: the time of an online check; None without one.
    """

    indicator: str
    verdict: Verdict
    basis: Basis
    sentence: str
    evidence: tuple[Quad, ...] = ()
    missing: tuple[NamedNode, ...] = ()
    online: datetime | None = None


class Level(IntEnum):
    """The RDA's answers to an indicator."""

    NOT_APPLICABLE = 0
    NOT_CONSIDERED = 1
    PLANNED = 2
    IN_IMPLEMENTATION = 3
    IMPLEMENTED = 4


@dataclass(frozen=True)
class Answer:
    """A person's answer to one indicator.

    Args:
        note: a remark; the reason if the answer contradicts the test.
        when: with time zone.
    """

    indicator: str
    level: Level
    note: str
    who: str
    when: datetime
