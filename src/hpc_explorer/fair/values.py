"""What an assessment is made of, as values: indicators, what a test found, what a person answered.

Source: Lin et al. 2022, "Making Machine Learning Datasets and Models FAIR for HPC", Table II and section III; RDA FAIR
Data Maturity Model (doi:10.15497/rda00050) for priorities and levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, IntEnum

from hpc_explorer.rdf.terms import NamedNode, Quad


class Principle(Enum):
    """The four letters."""

    FINDABLE = "F"
    ACCESSIBLE = "A"
    INTEROPERABLE = "I"
    REUSABLE = "R"


class Priority(Enum):
    """How much an indicator matters to the RDA; the six that only F-UJI has are given none."""

    ESSENTIAL = "Essential"
    IMPORTANT = "Important"
    USEFUL = "Useful"
    NONE = ""


class Target(Enum):
    """What an indicator is about."""

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
        """Whether nobody has to be asked."""
        return self not in (Decider.CONFIRMED, Decider.ASKED)


class Action(Enum):
    """What raises an indicator (section III-B)."""

    PID = "MT-PID"
    COARSE_METADATA = "MT-coarse-metadata"
    FINE_METADATA = "MT-fine-metadata"
    AUTO_ANNOTATING = "MT-auto-annotating"
    PROVENANCE = "MT-provenance"
    LICENCE = "MT-license"


@dataclass(frozen=True)
class Indicator:
    """One of the 47.

    Args:
        id: its name: the RDA's, or F-UJI's where only F-UJI has it.
        rda_id, fuji_id: its names there; empty where it has none.
        subprinciple: "F1", "A1.1".
        text: what it asks, in a few words.
        decider: what decides it.
        action: what raises it.
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
    """What a test says. Only a pass earns the point."""

    PASS = "pass"
    PARTIAL = "partial"
    FAIL = "fail"
    UNKNOWN = "unknown"


class Basis(Enum):
    """How a verdict came about."""

    VERIFIED = "verified"
    """Checked: against a list, a file, a syntax, shapes, or online."""
    DECLARED = "declared"
    """The graph says so; nothing more was looked at."""
    HUMAN = "human"
    """A person answered."""
    UNKNOWN = "unknown"
    """Nothing decided it."""


@dataclass(frozen=True)
class Finding:
    """What the test of one indicator found of one resource.

    Args:
        indicator: the `id` of the indicator.
        verdict: of the graph; for one that a person decides, what is filled in for him.
        basis: how.
        sentence: one sentence for a person: what was found, or why not, and with what.
        evidence: the statements that say so, sorted; empty where none do.
        missing: the properties of which any one would mend it; empty where it is not so simple.
        online: when this was seen online; None where nothing online was asked.
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
    """What a person said of one indicator.

    Args:
        indicator: the `id` of the indicator.
        level: how far it is.
        note: what they add; the reason, where the answer goes against what the graph decides.
        who: who answered; may be empty.
        when: with time zone.
    """

    indicator: str
    level: Level
    note: str
    who: str
    when: datetime
