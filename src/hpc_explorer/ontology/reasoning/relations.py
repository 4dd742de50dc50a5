"""Terms as numbers, and the relations of a graph as sorted arrays of numbers.

A relation holds the statements of one predicate, or the members of one class. A statement is one number: subject times
2**32 plus object; a member of a class is its own number. So a statement takes 8 bytes, and set operations and joins are
those of sorted arrays (numpy).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hpc_explorer.rdf.terms import Quad, Term, Triple
from hpc_explorer.stores.base import Limits

Rows: TypeAlias = npt.NDArray[np.int64]
"""Statements or members as numbers; sorted and distinct where not said otherwise."""

Flags: TypeAlias = npt.NDArray[np.bool_]

LITERALS = 1 << 30
"""The number of the first literal; resources have lower numbers."""

_BITS = 32
_MASK = (1 << _BITS) - 1
_CHECK_EVERY = 4096

NO_ROWS: Rows = np.empty(0, dtype=np.int64)


class Terms:
    """The terms of a graph, numbered in the order in which they are met.

    A term is known by its N-Triples text, a literal by that of the engine's form.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._resources: list[str] = []
        self._literals: list[str] = []
        self._respelled: dict[int, str] = {}

    def number(self, text: str) -> int:
        """The number of a term; a new one if it was never met."""
        known = self._numbers.get(text)
        if known is not None:
            return known
        # A quoted triple is no resource either: it is never a subject.
        is_resource = text[0] != '"' and not text.startswith("<<")
        texts, first = (self._resources, 0) if is_resource else (self._literals, LITERALS)
        number = self._numbers[text] = first + len(texts)
        texts.append(text)
        return number

    def text(self, number: int) -> str:
        """The N-Triples text of a term, a literal in the engine's form."""
        return self._resources[number] if number < LITERALS else self._literals[number - LITERALS]

    def spelled(self, number: int) -> str:
        """The N-Triples text of a term as the graph spells it."""
        return self._respelled.get(number) or self.text(number)

    @property
    def resources(self) -> int:
        """How many resources were met."""
        return len(self._resources)

    def is_respelled(self, number: int) -> bool:
        """Whether the graph spells a literal in another way than the engine."""
        return number in self._respelled

    def rows(
        self, quads: Iterable[Quad], spelling: Callable[[Quad], Term | Triple] | None, limits: Limits
    ) -> tuple[Rows, Rows]:
        """The subjects and objects of quads in the engine's form, in the order given.

        Args:
            spelling: the object of a quad as the graph spells it; None if it spells all as the engine does.
        """
        subjects, objects = array("q"), array("q")
        numbers, number = self._numbers, self.number
        for count, quad in enumerate(quads):
            if count % _CHECK_EVERY == 0:
                limits.check("inferring")
            text = str(quad.subject)
            known = numbers.get(text)
            subjects.append(number(text) if known is None else known)
            text = str(quad.object)
            known = numbers.get(text)
            if known is None:
                known = number(text)
                if spelling is not None and known >= LITERALS and (spelled := str(spelling(quad))) != text:
                    self._respelled[known] = spelled
            objects.append(known)
        return np.frombuffer(subjects, dtype=np.int64), np.frombuffer(objects, dtype=np.int64)


def paired(subjects: Rows, objects: Rows) -> Rows:
    """Statements of subjects and objects, in the order given."""
    return (subjects << _BITS) | objects


def subjects_of(rows: Rows) -> Rows:
    """The subject of each statement."""
    return rows >> _BITS


def objects_of(rows: Rows) -> Rows:
    """The object of each statement."""
    return rows & _MASK


def swapped(rows: Rows) -> Rows:
    """The statements with subject and object exchanged, sorted."""
    return np.sort(paired(objects_of(rows), subjects_of(rows)))


def distinct(rows: Rows) -> Rows:
    """Sorted, each once."""
    if rows.size < 2:
        return rows
    differences = np.diff(rows)
    if (differences > 0).all():
        return rows
    if not (differences >= 0).all():
        rows = np.sort(rows)
        differences = np.diff(rows)
    return rows[np.concatenate(([True], differences > 0))]


def among(values: Rows, rows: Rows) -> Flags:
    """For each value whether it is one of the sorted rows."""
    if not rows.size:
        return np.zeros(values.size, dtype=np.bool_)
    places = np.searchsorted(rows, values)
    places[places == rows.size] = 0
    found: Flags = rows[places] == values
    return found


def without(rows: Rows, others: Rows) -> Rows:
    """The rows that are not among the sorted others."""
    return rows[~among(rows, others)] if others.size and rows.size else rows


def merged(rows: Rows, others: Rows) -> Rows:
    """The union of two disjoint sorted arrays."""
    if not rows.size or not others.size:
        return others if not rows.size else rows
    # Two sorted runs, which a stable sort merges in linear time.
    return np.sort(np.concatenate((rows, others)), kind="stable")


@dataclass
class Relation:
    """The statements of a predicate or the members of a class.

    Attributes:
        rows: all known ones.
        given: those that are stated, or in the background.
        concluded: the new ones by rule, each once.
        pending: what was concluded and not looked at yet, by rule; may repeat.
    """

    rows: Rows = field(default_factory=lambda: NO_ROWS)
    given: Rows = field(default_factory=lambda: NO_ROWS)
    concluded: list[tuple[str, Rows]] = field(default_factory=list)
    pending: list[tuple[str, Rows]] = field(default_factory=list)
    _swapped: Rows | None = None

    def take(self) -> Rows:
        """Move what is pending to the known rows; returns those that are new."""
        new: list[Rows] = []
        for rule, rows in self.pending:
            rows = without(distinct(rows), self.rows)
            for earlier in new:
                rows = without(rows, earlier)
            if rows.size:
                new.append(rows)
                if rule:
                    self.concluded.append((rule, rows))
        self.pending = []
        if not new:
            return NO_ROWS
        rows = new[0] if len(new) == 1 else np.sort(np.concatenate(new), kind="stable")
        self.replace(merged(self.rows, rows))
        return rows

    def replace(self, rows: Rows) -> None:
        """Set the known rows."""
        self.rows = rows
        self._swapped = None

    @property
    def by_object(self) -> Rows:
        """The known rows with subject and object exchanged, sorted."""
        if self._swapped is None:
            self._swapped = swapped(self.rows)
        return self._swapped


def matches(rows: Rows, values: Rows, first_only: bool = False) -> tuple[Rows, Rows]:
    """For each value the statements that begin with it: places in `values`, and the other ends.

    Args:
        rows: sorted statements.
        first_only: only the first statement of each value.
    """
    starts = np.searchsorted(rows, values << _BITS)
    ends = np.searchsorted(rows, (values + 1) << _BITS)
    numbers = ends - starts
    if first_only:
        numbers = np.minimum(numbers, 1)
    places = np.repeat(np.arange(values.size, dtype=np.int64), numbers)
    offsets = np.arange(places.size, dtype=np.int64) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    return places, objects_of(rows[starts[places] + offsets])
