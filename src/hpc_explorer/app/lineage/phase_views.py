"""Values of the view of a lineage in phases: folds, visible rows, and the numbers of sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.lineage.phases.divergence import Divergence, should_fall
from hpc_explorer.lineage.phases.phases import Phase, PhaseAssignment
from hpc_explorer.lineage.phases.section_facts import SectionFacts, SectionKind, Sections, ValueFacts
from hpc_explorer.lineage.phases.sections import Fold, Level
from hpc_explorer.lineage.time.as_of import Times
from hpc_explorer.lineage.trace.trace import Lineage, LineageEdge
from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.rdf.namespaces import MLS, PROVML
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text

_SECTIONS, MEMBER = "sections ", "section "


@dataclass(frozen=True)
class FoldedLineage:
    """A lineage with what is needed to fold and open it.

    Args:
        placed: the phase of each resource, and why.
        refs: the names of resources.
        times: when they began and ended, if recorded.
        landmarks: what is always visible.
        find_facts: creates the source of facts about sections.
        workflows: the activities that consist of stages.
        stages: for each phase the activities whose sections its card counts.
        as_of: the moment shown; None: now.
        counted: the known sections below activities, by depth.
    """

    lineage: Lineage
    placed: Mapping[Resource, PhaseAssignment]
    folds: tuple[Fold, ...]
    refs: Mapping[Resource, ResourceRef]
    times: Mapping[Resource, Times]
    landmarks: frozenset[Resource]
    edges: tuple[LineageEdge, ...]
    find_facts: Callable[[], SectionFacts]
    workflows: frozenset[Resource]
    stages: Mapping[Phase, tuple[NamedNode, ...]]
    as_of: datetime | None = None
    counted: dict[tuple[NamedNode, int], tuple[Sections, ...]] = field(default_factory=dict)
    summed: dict[Sections, tuple[NamedValue, ...]] = field(default_factory=dict)
    in_order: dict[Sections, tuple[NamedNode, ...]] = field(default_factory=dict)
    names: dict[NamedNode, str] = field(default_factory=dict)

    @cached_property
    def facts(self) -> SectionFacts:
        """The source of facts about sections, created on first use, because the first picture does not need the
        columns.
        """
        return self.find_facts()


@dataclass(frozen=True)
class NamedValue:
    """The numbers of one kind, with the kind's name.

    Args:
        divergence: where they diverge; None if they do not.
        looked: whether this was checked; too many numbers are not.
    """

    name: str
    facts: ValueFacts
    divergence: Divergence | None = None
    looked: bool = False

    @property
    def is_measure(self) -> bool:
        """Whether it was measured, not set."""
        return self.facts.kind.cls in (PROVML.ModelEvaluation, MLS.ModelEvaluation)

    @property
    def falls(self) -> bool:
        """Whether it should fall, like a loss."""
        return should_fall(self.name)


@dataclass(frozen=True)
class PhaseRow:
    """A visible part of a folded lineage.

    Args:
        title: its name: "Learning", "300 epochs", "curated.h5".
        counts: its content, such as ("1 workflow", "300 epochs").
        began, ended: None if not recorded.
        values: the numbers that its sections generated; None if not queried yet.
        opens: whether it can be opened.
        ref: its resource; None for a group.
        sections: the sections of a group of sections.
        look: the key of its colour and icon, see `canvas.palette`.
        why: why it is in its phase.
    """

    key: str
    level: Level
    indent: int
    title: str
    counts: tuple[str, ...] = ()
    began: datetime | None = None
    ended: datetime | None = None
    values: tuple[NamedValue, ...] | None = ()
    opens: bool = False
    plots: bool = False
    is_open: bool = False
    ref: ResourceRef | None = None
    sections: Sections | None = None
    why: str = ""
    look: str = ""
    phase: Phase = Phase.OTHER


@dataclass(frozen=True)
class PhaseLink:
    """The links between two visible parts."""

    effect: str
    cause: str
    relations: tuple[Relation, ...]
    origin: Origin
    count: int


@dataclass(frozen=True)
class PhaseView:
    """The visible part of a folded lineage.

    Args:
        columns: the rows of each phase, from top to bottom.
        links: between them.
        guessed: the number of activities placed by name.
    """

    folded: FoldedLineage
    columns: tuple[tuple[PhaseRow, ...], ...]
    links: tuple[PhaseLink, ...]
    is_open: frozenset[str]
    guessed: int

    @property
    def rows(self) -> tuple[PhaseRow, ...]:
        """All visible rows."""
        return tuple(row for column in self.columns for row in column)

    def row(self, key: str) -> PhaseRow | None:
        """The visible row with this key, or None."""
        return next((row for row in self.rows if row.key == key), None)


@dataclass(frozen=True)
class SectionSeries:
    """The numbers of one kind over the sections of an activity, for a plot.

    Args:
        title: "batch_loss over 60,000 batches of training".
        of: the name of a section: "batch".
        sections: the IRIs of the sections, in order.
        numbers: one for each.
        complete: False if the store cut the answer off.
        others: the other kinds of numbers of these sections.
    """

    title: str
    name: str
    of: str
    kind: SectionKind
    sections: Sequence[str]
    numbers: Sequence[float]
    divergence: Divergence | None
    complete: bool
    others: tuple[tuple[str, SectionKind], ...]

    @property
    def falls(self) -> bool:
        """Whether it should fall, like a loss."""
        return should_fall(self.name)


def sections_key(sections: Sections) -> str:
    """The key of a group of sections."""
    kind = (iri_text(term) if term is not None else "-" for term in (sections.kind.plan, sections.kind.cls))
    return f"{_SECTIONS}{sections.depth} {' '.join(kind)} {sections.parent.value}"


def member_of_key(key: str) -> NamedNode | None:
    """The section of the card with this key; None for other cards."""
    return NamedNode(key.removeprefix(MEMBER)) if key.startswith(MEMBER) else None
