"""What is asked about the sections of an activity: the epochs of a stage, the batches of its epochs.

The contract has two sides. `store_sections.StoreSections` answers by SPARQL over any store, also an endpoint; where a
workspace keeps its facts by column, those answer. Both give the same.

*Sections* of an activity at depth 1 are the activities that were informed by it (in wfprov: that were part of it), at
depth 2 the sections of those, and so on (seed 004, section 4: batch -> epoch -> stage -> process).
Sections are of one kind if they followed the same plan, or none, and are of the same class.

They have an order, which both sides keep: siblings stand in the order of `section_order`, and below each sibling its
own sections, before those of the next one. So batch 199 of epoch 3 comes just before batch 0 of epoch 4.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from hpc_explorer.rdf.namespaces import PROV, WFPROV
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits

SECTION_TO_WHOLE: frozenset[NamedNode] = frozenset({PROV.wasInformedBy, WFPROV.wasPartOfWorkflowRun})
"""Predicates from a section to what it is a section of, and"""
WHOLE_TO_SECTION: frozenset[NamedNode] = frozenset({PROV.informed})
"""the other way round."""

VALUE_TO_SECTION: frozenset[NamedNode] = frozenset({PROV.wasGeneratedBy, WFPROV.wasOutputFrom})
"""Predicates from a value to the section that made it, and"""
SECTION_TO_VALUE: frozenset[NamedNode] = frozenset({PROV.generated})
"""the other way round."""

SECTION_TO_PLAN: frozenset[NamedNode] = frozenset({PROV.wasInfluencedBy, WFPROV.describedByProcess})
"""Predicates from a section to what it followed."""
VALUE_TO_PLAN: frozenset[NamedNode] = frozenset({PROV.wasDerivedFrom, WFPROV.describedByParameter})
"""Predicates from a value to the attribute that it fills in."""


@dataclass(frozen=True)
class SectionKind:
    """What sections, or values, of one kind have in common.

    Args:
        plan: what they followed; of values the attribute that they fill in; where there are several, the one whose IRI
            comes first. None if they say none.
        cls: their class; where they have several, the one whose IRI comes first. None if they say none.
    """

    plan: NamedNode | None
    cls: NamedNode | None


@dataclass(frozen=True)
class Sections:
    """The sections of one kind, all at the same depth below one activity.

    Args:
        parent: the activity.
        depth: how many levels below it they lie, from 1.
        count: how many there are.
        started, ended: when the first one began and the last one ended; None where none says so.
    """

    parent: NamedNode
    depth: int
    kind: SectionKind
    count: int
    started: datetime | None = None
    ended: datetime | None = None


@dataclass(frozen=True)
class ValueFacts:
    """The numbers of one kind that some sections made.

    Args:
        kind: the attribute and class of the values.
        count: how many numbers there are, those that are not finite (NaN, INF) among them.
        lowest, mean, highest: of the finite ones; None if there are none.
        first, last: the numbers of the first and of the last section, in their order; None where these have none.
        not_finite: how many are not finite.
    """

    kind: SectionKind
    count: int
    lowest: float | None
    mean: float | None
    highest: float | None
    first: float | None
    last: float | None
    not_finite: int = 0


@dataclass(frozen=True)
class Series:
    """The numbers of one kind, section by section in their order; a section with several numbers comes several times.

    Args:
        sections: the IRI of each number's section.
        numbers: as long as `sections`; NaN and infinities as they are.
        complete: False where the store cut the answer off.
    """

    sections: Sequence[str]
    numbers: Sequence[float]
    complete: bool = True


class SectionFacts(Protocol):
    """Who answers about sections. Each call is a handful of queries at most, however many activities it names."""

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        """The sections of each activity at a depth, by kind, the most first; activities without any are left out."""
        ...

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        """What is to be said of the numbers that sections made, by kind, the most first."""
        ...

    def series(self, sections: Sections, value: SectionKind, *, limits: Limits = NO_LIMITS) -> Series:
        """The numbers of one kind, in the order of the sections."""
        ...

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        """The sections themselves, in their order."""
        ...


_LAST_NUMBER = re.compile(r"(\d+)\D*\Z")


def section_order(iri: str, started: datetime | None) -> tuple[bool, float, int, str]:
    """The place of a section among its siblings: by its start (those without one last), else by its number.

    The number is the last one in its IRI, so that e9 comes before e10.
    """
    found = _LAST_NUMBER.search(iri)
    return started is None, started.timestamp() if started else 0.0, int(found[1]) if found else -1, iri
