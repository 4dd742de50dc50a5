"""An answer as a plain value: what a question of lineage gives, whether a window shows it or a file keeps it.

Numbers stay numbers and resources stay resources, so that a table sorts by value and a click leads on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.query.table import CellKind, Table

Cell = ResourceRef | str | int | float | datetime | timedelta | None
"""What stands in a table; None is drawn as nothing."""


@dataclass(frozen=True)
class Axis:
    """What an axis shows; `CellKind.TIME`: seconds since 1970 in UTC, as dates; `CellKind.TEXT`: names side by side.

    Args:
        names: of `CellKind.TEXT`, those at 0, 1, 2 and so on.
    """

    name: str
    unit: str = ""
    kind: CellKind = CellKind.NUMBER
    names: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The name with the unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


@dataclass(frozen=True)
class Series:
    """One line of a plot; `xs` and `ys` are as long as each other. A value of NaN is a gap.

    Raises:
        ValueError: they are not.
    """

    name: str
    xs: Sequence[float]
    ys: Sequence[float]

    def __post_init__(self) -> None:
        if len(self.xs) != len(self.ys):
            raise ValueError(f"{len(self.xs)} places of {len(self.ys)} values")


class Mark(Enum):
    """How the values of a plot are drawn."""

    LINE = "line"
    POINTS = "points"
    BARS = "bars"


@dataclass(frozen=True)
class AnswerPlot:
    """Values over something, such as loss over batches."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    mark: Mark = Mark.LINE


@dataclass(frozen=True)
class AnswerLine:
    """A line of a text, and the resource it leads to, if it leads to one.

    Args:
        indent: how many steps it is set in.
    """

    text: str
    target: ResourceRef | None = None
    indent: int = 0


@dataclass(frozen=True)
class AnswerText:
    """Lines of text; in a list each has its bullet, else each is a paragraph."""

    title: str
    lines: tuple[AnswerLine, ...]
    listed: bool = False


AnswerTable = Table[Cell]

Section = AnswerTable | AnswerPlot | AnswerText


@dataclass(frozen=True)
class AnswerDocument:
    """Another form that an answer can be saved in, or a fuller one.

    Args:
        suffix: the end of the file's name.
        write: writes it to a file, whole or not at all; works in any thread.
    """

    suffix: str
    write: Callable[[Path], None]


@dataclass(frozen=True)
class Answer:
    """What was found.

    Args:
        title: the question, with what it was asked of.
        summary: the answer in sentences, the one that matters first.
        notes: how far it can be trusted, a sentence each: exact or not, what was not opened, what is undated.
        picture: what is drawn below the sections; None for nothing.
        picture_title: what the picture shows.
        documents: forms of its own that it can be saved in.
    """

    title: str
    summary: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    picture: Scene | None = None
    picture_title: str = ""
    documents: tuple[AnswerDocument, ...] = ()

    @property
    def tables(self) -> tuple[AnswerTable, ...]:
        """Its tables."""
        return tuple(one for one in self.sections if isinstance(one, Table))

    @property
    def plots(self) -> tuple[AnswerPlot, ...]:
        """Its plots."""
        return tuple(one for one in self.sections if isinstance(one, AnswerPlot))
