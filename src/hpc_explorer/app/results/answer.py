"""An answer as a value, for windows and files.

Numbers stay numbers and resources stay resources, for sorting and links.
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
"""The value of a cell; None is empty."""


@dataclass(frozen=True)
class Axis:
    """An axis of a plot.

    Args:
        kind: `CellKind.TIME` for seconds since 1970 in UTC, shown as dates; `CellKind.TEXT` for names.
        names: with `CellKind.TEXT`, the names at 0, 1, 2 and so on.
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
    """One line of a plot; NaN is a gap.

    Raises:
        ValueError: `xs` and `ys` differ in length.
    """

    name: str
    xs: Sequence[float]
    ys: Sequence[float]

    def __post_init__(self) -> None:
        if len(self.xs) != len(self.ys):
            raise ValueError(f"{len(self.xs)} places of {len(self.ys)} values")


class Mark(Enum):
    """How a plot draws its values."""

    LINE = "line"
    POINTS = "points"
    BARS = "bars"


@dataclass(frozen=True)
class AnswerPlot:
    """One value over another, such as loss over batches."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    mark: Mark = Mark.LINE


@dataclass(frozen=True)
class AnswerLine:
    """A line of a text, with the resource that it links to.

    Args:
        indent: levels of indentation.
    """

    text: str
    target: ResourceRef | None = None
    indent: int = 0


@dataclass(frozen=True)
class AnswerText:
    """Lines of text: a bulleted list if `listed`, otherwise paragraphs."""

    title: str
    lines: tuple[AnswerLine, ...]
    listed: bool = False


AnswerTable = Table[Cell]

Section = AnswerTable | AnswerPlot | AnswerText


@dataclass(frozen=True)
class AnswerDocument:
    """Another format in which an answer can be saved.

    Args:
        suffix: the suffix of the file.
        write: writes the file atomically, in any thread.
    """

    suffix: str
    write: Callable[[Path], None]


@dataclass(frozen=True)
class Answer:
    """The answer to a question.

    Args:
        title: the question and its subject.
        summary: the answer in sentences, most important first.
        notes: its reliability, one sentence each: exactness, what was left out, what is undated.
        picture: drawn below the sections.
        documents: further formats for saving.
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
        """The tables among the sections."""
        return tuple(one for one in self.sections if isinstance(one, Table))

    @property
    def plots(self) -> tuple[AnswerPlot, ...]:
        """The plots among the sections."""
        return tuple(one for one in self.sections if isinstance(one, AnswerPlot))
