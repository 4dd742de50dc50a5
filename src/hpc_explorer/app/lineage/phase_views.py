"""A lineage in phases as plain values: folded up, what is in sight of it, and what its sections measured."""

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
    """A lineage with all that is needed to fold and open it.

    Args:
        placed: the phase of each resource, and why.
        refs: how each resource is named.
        times: when it began and ended, where that is recorded.
        landmarks: what stays in sight whatever is folded.
        find_facts: finds who answers about sections.
        workflows: the activities that consist of stages.
        stages: of each phase the activities whose sections are told on its card.
        as_of: the moment as of which all this is told; None: now.
        counted: the sections below activities that were asked about before, by depth.
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
        """Who answers about sections; found when first asked, as the first picture needs nobody to open the columns."""
        return self.find_facts()


@dataclass(frozen=True)
class NamedValue:
    """The facts of the numbers of one kind, with the kind's name.

    Args:
        divergence: where they go wrong first; None where they do not, or
        looked: where nobody looked, because there are too many.
    """

    name: str
    facts: ValueFacts
    divergence: Divergence | None = None
    looked: bool = False

    @property
    def is_measure(self) -> bool:
        """Whether it was measured, and not set."""
        return self.facts.kind.cls in (PROVML.ModelEvaluation, MLS.ModelEvaluation)

    @property
    def falls(self) -> bool:
        """Whether it is meant to fall, as a loss is."""
        return should_fall(self.name)


@dataclass(frozen=True)
class PhaseRow:
    """A part of a folded lineage in sight.

    Args:
        title: what it is called: "Learning", "300 epochs", "curated.h5".
        counts: what is in it, such as ("1 workflow", "300 epochs").
        began, ended: when it did; None where that is not recorded.
        values: the numbers that its sections made; None while they have not been asked for.
        opens: what opening it does.
        ref: the resource that it is; None for a group.
        sections: of a group of sections which ones.
        look: the key of its colour and sign, see `canvas.palette`.
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
    """Links between two parts in sight, taken together."""

    effect: str
    cause: str
    relations: tuple[Relation, ...]
    origin: Origin
    count: int


@dataclass(frozen=True)
class PhaseView:
    """What is in sight of a folded lineage.

    Args:
        columns: the parts of each phase, from top to bottom.
        links: between them.
        guessed: how many activities were placed by their names.
    """

    folded: FoldedLineage
    columns: tuple[tuple[PhaseRow, ...], ...]
    links: tuple[PhaseLink, ...]
    is_open: frozenset[str]
    guessed: int

    @property
    def rows(self) -> tuple[PhaseRow, ...]:
        """All parts in sight."""
        return tuple(row for column in self.columns for row in column)

    def row(self, key: str) -> PhaseRow | None:
        """The part with this key, if it is in sight."""
        return next((row for row in self.rows if row.key == key), None)


@dataclass(frozen=True)
class SectionSeries:
    """The numbers of one kind over the sections of an activity, to be plotted.

    Args:
        title: "batch_loss over 60,000 batches of training".
        of: what a section is called: "batch".
        sections: the IRIs of the sections, in their order.
        numbers: one for each.
        complete: False where the store cut the answer off.
        others: the other kinds of numbers that these sections have.
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
        """Whether it is meant to fall, as a loss is."""
        return should_fall(self.name)


def sections_key(sections: Sections) -> str:
    """The key of a group of sections."""
    kind = (iri_text(term) if term is not None else "-" for term in (sections.kind.plan, sections.kind.cls))
    return f"{_SECTIONS}{sections.depth} {' '.join(kind)} {sections.parent.value}"


def member_of_key(key: str) -> NamedNode | None:
    """The section that the card with this key stands for; None if it is another card."""
    return NamedNode(key.removeprefix(MEMBER)) if key.startswith(MEMBER) else None
