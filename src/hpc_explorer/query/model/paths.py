"""Property paths (SPARQL 1.1 Query, section 9.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from hpc_explorer.rdf.terms import NamedNode


@dataclass(frozen=True)
class InversePath:
    """`^path`: from the object to the subject."""

    path: Path


@dataclass(frozen=True)
class SequencePath:
    """`a / b / c`: two or more steps; none is a sequence."""

    steps: tuple[Path, ...]


@dataclass(frozen=True)
class AlternativePath:
    """`a | b | c`: two or more choices; none is an alternative."""

    choices: tuple[Path, ...]


@dataclass(frozen=True)
class RepeatedPath:
    """`path*`, `path+` or `path?`.

    Args:
        least: 0 or 1.
        most: 1, or None for any number. Not both 1.
    """

    path: Path
    least: int
    most: int | None

    @property
    def sign(self) -> str:
        """`*`, `+` or `?`."""
        if self.most == 1:
            return "?"
        return "+" if self.least else "*"


@dataclass(frozen=True)
class NegatedPath:
    """`!(a | ^b)`: any property except these, forward and inverse."""

    forward: tuple[NamedNode, ...]
    inverse: tuple[NamedNode, ...] = ()


Path: TypeAlias = NamedNode | InversePath | SequencePath | AlternativePath | RepeatedPath | NegatedPath


def properties_of(path: Path) -> Iterator[NamedNode]:
    """The properties in a path, from left to right."""
    match path:
        case NamedNode():
            yield path
        case InversePath() | RepeatedPath():
            yield from properties_of(path.path)
        case SequencePath():
            for step in path.steps:
                yield from properties_of(step)
        case AlternativePath():
            for choice in path.choices:
                yield from properties_of(choice)
        case NegatedPath():
            yield from path.forward
            yield from path.inverse
