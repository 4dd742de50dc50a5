"""Options: the possible next choices."""

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
    """How the options of a page were counted."""

    EXACT = "all were counted"
    CAPPED = "only the first were counted"
    SCHEMA = "the counts are not known"


@dataclass(frozen=True)
class ClassOption:
    """A class of things in focus.

    Args:
        count: the number of different things in focus that are instances of it or of a subclass.
        below: the classes in use to list by name for as many, if the store does not know all subclasses.
    """

    class_: NamedNode
    count: Count
    below: tuple[NamedNode, ...] = ()


@dataclass(frozen=True)
class PropertyOption:
    """A property of things in focus, or one that leads to them.

    Args:
        count: the number of different things in focus that have it.
    """

    property: NamedNode
    direction: Direction
    count: Count


@dataclass(frozen=True)
class ValueOption:
    """A value of the focus.

    Args:
        count: the number of different values of the main variable with it; 1 if the focus is the main variable.
    """

    value: NamedNode | Literal
    count: Count


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of options, most frequent first.

    Args:
        total: the number of all options.
        has_more: whether more options follow, or may follow.
        looked_at: the number of things counted, if not all were.
    """

    options: tuple[T, ...]
    total: Count
    has_more: bool = False
    effort: Effort = Effort.EXACT
    looked_at: int | None = None


def page_of(
    options: Sequence[T], offset: int, limit: int, *, effort: Effort = Effort.EXACT, looked_at: int | None = None
) -> Page[T]:
    """A page of known options."""
    shown = tuple(options[offset : offset + limit])
    kind = CountKind.EXACT if effort is Effort.EXACT else CountKind.AT_LEAST
    more = offset + len(shown) < len(options)
    return Page(shown, Count(len(options), kind), more, effort, looked_at)
