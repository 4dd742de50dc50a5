"""What can be chosen next, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from hpc_explorer.query.building import Direction
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Count, CountKind

T = TypeVar("T")


class Effort(Enum):
    """How a page was made; each but the first is shown with the page."""

    EXACT = "all were counted"
    CAPPED = "only the first were looked at"
    SCHEMA = "the counts are not known"


@dataclass(frozen=True)
class ClassOption:
    """A class that things in focus are of.

    Args:
        count: how many different things in focus are of it or of a class that the graph puts below it.
    """

    class_: NamedNode
    count: Count


@dataclass(frozen=True)
class PropertyOption:
    """A property that things in focus have, or that leads to them.

    Args:
        count: how many different things in focus do.
    """

    property: NamedNode
    direction: Direction
    count: Count


@dataclass(frozen=True)
class ValueOption:
    """A value that the focus has.

    Args:
        count: how many different values the main variable has with this one; 1 where the focus is that variable.
    """

    value: NamedNode | Literal
    count: Count


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some of the options, those with the most first.

    Args:
        total: how many there are in all.
        has_more: whether there are others behind these, or may be.
        effort: what the counts rest on.
        looked_at: of how many things in focus the options are, where not all were looked at.
    """

    options: tuple[T, ...]
    total: Count
    has_more: bool = False
    effort: Effort = Effort.EXACT
    looked_at: int | None = None


def page_of(
    options: Sequence[T], offset: int, limit: int, *, effort: Effort = Effort.EXACT, looked_at: int | None = None
) -> Page[T]:
    """Some of the options that are known."""
    shown = tuple(options[offset : offset + limit])
    kind = CountKind.EXACT if effort is Effort.EXACT else CountKind.AT_LEAST
    more = offset + len(shown) < len(options)
    return Page(shown, Count(len(options), kind), more, effort, looked_at)
