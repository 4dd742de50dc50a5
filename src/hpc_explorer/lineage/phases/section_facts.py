"""The interface for queries about the sections of an activity: the epochs of a stage, the batches of its epochs.

`store_sections.StoreSections` answers by SPARQL from any store, `columns.sections.ColumnSections` from the columns of a
workspace. Both give the same answers.

The *sections* of an activity at depth 1 are the activities it informed (in wfprov: that were part of it), at depth 2
their sections, and so on (seed 004, section 4: batch -> epoch -> stage -> process). Sections are of one kind if they
have the same plan, or none, and the same class.

Siblings are ordered by `section_order`, and the sections of each sibling come before those of the next: batch 199 of
epoch 3 comes just before batch 0 of epoch 4.
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
"""Predicates from a section to its whole."""
WHOLE_TO_SECTION: frozenset[NamedNode] = frozenset({PROV.informed})
"""Predicates from a whole to its section."""

VALUE_TO_SECTION: frozenset[NamedNode] = frozenset({PROV.wasGeneratedBy, WFPROV.wasOutputFrom})
"""Predicates from a value to the section that generated it."""
SECTION_TO_VALUE: frozenset[NamedNode] = frozenset({PROV.generated})
"""Predicates from a section to a value it generated."""

SECTION_TO_PLAN: frozenset[NamedNode] = frozenset({PROV.wasInfluencedBy, WFPROV.describedByProcess})
"""Predicates from a section to its plan."""
VALUE_TO_PLAN: frozenset[NamedNode] = frozenset({PROV.wasDerivedFrom, WFPROV.describedByParameter})
"""Predicates from a value to its attribute."""


@dataclass(frozen=True)
class SectionKind:
    """The plan and class that sections or values share.

    Args:
        plan: the plan of sections, or the attribute of values; the first IRI if there are several, None if there is
            none.
        cls: their class; the first IRI if there are several, None if there is none.
    """

    plan: NamedNode | None
    cls: NamedNode | None


@dataclass(frozen=True)
class Sections:
    """The sections of one kind at the same depth below one activity.

    Args:
        parent: the activity.
        depth: the number of levels below it, from 1.
        started, ended: when the first one began and the last one ended; None if unknown.
    """

    parent: NamedNode
    depth: int
    kind: SectionKind
    count: int
    started: datetime | None = None
    ended: datetime | None = None


@dataclass(frozen=True)
class ValueFacts:
    """Statistics of the numbers of one kind that some sections generated.

    Args:
        kind: the attribute and class of the values.
        count: the number of values, including NaN and INF.
        lowest, mean, highest: of the finite values; None if there are none.
        first, last: the numbers of the first and last section in order; None if they have none.
        not_finite: the number of values that are not finite.
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
    """The numbers of one kind in the order of their sections.

    Args:
        sections: the IRI of each number's section; repeated if a section has several numbers.
        numbers: as long as `sections`; may contain NaN and infinities.
        complete: False if the store cut the answer off.
    """

    sections: Sequence[str]
    numbers: Sequence[float]
    complete: bool = True


class SectionFacts(Protocol):
    """Answers about sections. Each call makes a handful of queries, whatever the number of activities."""

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        """The sections of each activity at a depth, by kind, largest group first; activities without sections are left
        out.
        """
        ...

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        """Statistics of the numbers that sections generated, by kind, largest group first."""
        ...

    def series(self, sections: Sections, value: SectionKind, *, limits: Limits = NO_LIMITS) -> Series:
        """The numbers of one kind, in the order of the sections."""
        ...

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        """The sections themselves, in order."""
        ...


_LAST_NUMBER = re.compile(r"(\d+)\D*\Z")


def section_order(iri: str, started: datetime | None) -> tuple[bool, float, int, str]:
    """The sort key of a section among its siblings: by start (None last), else by the last number in its IRI (e9 before
    e10).
    """
    found = _LAST_NUMBER.search(iri)
    return started is None, started.timestamp() if started else 0.0, int(found[1]) if found else -1, iri
