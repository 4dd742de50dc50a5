"""Read query rows about sections: kinds, moments, numbers, and the order of sections."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime

from hpc_explorer.lineage.phases.section_facts import SectionKind, section_order
from hpc_explorer.lineage.time.as_of import moment_of
from hpc_explorer.rdf.terms import Literal, NamedNode, Term, Triple
from hpc_explorer.stores.base import Row

Place = tuple[bool, float, int, str]
"""The place of a section among its siblings."""


def kind_of(row: Row, prefix: str = "") -> SectionKind:
    """The kind in a row, from columns with this prefix."""
    plan, cls = (text_of(row, f"{prefix}{name}") for name in ("plan", "class"))
    return SectionKind(NamedNode(plan) if plan else None, NamedNode(cls) if cls else None)


def iri_of(row: Row, name: str) -> str:
    """The IRI in a row, or the label of a blank node."""
    term = row[name]
    return term.value if isinstance(term, NamedNode) else str(term)


def text_of(row: Row, name: str) -> str:
    """The text of a literal in a row, or ""."""
    term = row.get(name)
    return term.value if isinstance(term, Literal) else ""


def moment_in(row: Row, name: str) -> datetime | None:
    """The moment in a row, or None."""
    term = row.get(name)
    return moment_of(term) if isinstance(term, Literal) else None


def kind_values(kind: SectionKind | None) -> dict[str, Term | Triple]:
    """A kind as values of a row."""
    terms = {"plan": kind.plan, "class": kind.cls} if kind is not None else {}
    return {name: Literal(term.value) for name, term in terms.items() if term is not None}


def renamed(row: Row) -> dict[str, Term | Triple]:
    """A row of the simple query with the column names of the exact one; only IRIs define a kind."""
    names = {"s_plan": "plan", "s_class": "class", "v_plan": "of_plan", "v_class": "of_class"}
    kinds = {
        names[name]: Literal(term.value) for name, term in row.items() if name in names and isinstance(term, NamedNode)
    }
    return {**kinds, **{name: term for name, term in row.items() if name not in names}}


class SeriesNumber:
    """A number of a series, merged from several rows: the first plan and class by IRI, the earliest start, and all
    activities just above its section.
    """

    __slots__ = ("_least", "began", "parents")

    def __init__(self) -> None:
        self.parents: set[str] = set()
        self.began: datetime | None = None
        self._least: dict[str, str] = {}

    def see(self, row: Row, parent: str) -> None:
        """Merge a row."""
        self.parents.add(parent)
        began = moment_in(row, "s_begin")
        if began is not None and (self.began is None or began < self.began):
            self.began = began
        for name in ("s_plan", "s_class", "v_plan", "v_class"):
            term = row.get(name)
            if isinstance(term, NamedNode):
                self._least[name] = min(self._least.get(name, term.value), term.value)

    def kind(self, name: str) -> SectionKind:
        """The kind of the value or its section.

        Args:
            name: `s` for the section, `v` for the value.
        """
        plan, cls = self._least.get(f"{name}_plan"), self._least.get(f"{name}_class")
        return SectionKind(NamedNode(plan) if plan else None, NamedNode(cls) if cls else None)


def number_of(term: object) -> float | None:
    """A literal as a number, read as xsd:double; None if it is not a number."""
    if not isinstance(term, Literal):
        return None
    text = term.value.strip()
    if text.lstrip("+-").casefold() in ("infinity", "nan", "inf") and text not in ("NaN", "INF", "-INF", "+INF"):
        return None
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None


def finite_first(number: float) -> tuple[bool, float]:
    """Sort key that puts NaN last."""
    return math.isnan(number), number


def place_of(row: Row, chain: Iterable[str]) -> tuple[Place, ...]:
    """The sort key of a section: the order of each activity above it, and its own."""
    return tuple(section_order(iri_of(row, one[1:]), moment_in(row, f"{one[1:]}_began")) for one in chain)
