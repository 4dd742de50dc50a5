"""The points of series as they are read, and what of them could not be read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from hpc_explorer.errors import DamagedSeries
from hpc_explorer.monitor.series import Series, ordered
from hpc_explorer.wording import counted

MOST_SERIES = 100_000
"""The most series of one file; a tag with a new value on each line would make one for each point."""

_MOST_REPORTED = 20


@dataclass(frozen=True)
class NamedSeries:
    """A series from a file.

    Args:
        name: of the measurement.
        labels: tags, such as the host.
        unit: empty if the file does not tell it.
    """

    name: str
    labels: Mapping[str, str]
    unit: str
    series: Series

    @property
    def host(self) -> str:
        """The machine that was measured, without the port of its exporter, if a label names it."""
        name = next((self.labels[key] for key in ("host", "hostname", "instance", "node") if key in self.labels), "")
        return re.sub(r"(?<=[^:]):\d+\Z", "", name)

    def __str__(self) -> str:
        tags = ", ".join(f"{key}={value}" for key, value in sorted(self.labels.items()))
        return f"{self.name} ({tags})" if tags else self.name


@dataclass
class PointsRead:
    """Points by series, and what could not be read.

    Args:
        beyond, number_beyond: the first line of a series too many, and the number of such points.
    """

    where: str
    points: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[list[float], list[float]]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    number_lost: int = 0
    beyond: int = 0
    number_beyond: int = 0

    def add(self, name: str, labels: Mapping[str, str], time: float, value: float, line: int) -> None:
        key = (name, tuple(sorted(labels.items())))
        if key not in self.points:
            if len(self.points) >= MOST_SERIES:
                self.beyond = self.beyond or line
                self.number_beyond += 1
                return
            self.points[key] = ([], [])
        times, values = self.points[key]
        times.append(time)
        values.append(value)

    def named(self, column: str) -> str:
        """The name of a column; a unit may follow in brackets, as in `rate [MB/s]`.

        Another unit is another series, which keeps its whole heading as its name.
        """
        found = re.fullmatch(r"(.*?)\s*[\[(]([^\])]*)[\])]", column)
        name, unit = (found[1], found[2]) if found else (column, "")
        if self.units.setdefault(name, unit) == unit:
            return name
        other = column if found else f"{column} (no unit)"
        self.units[other] = unit
        return other

    def lose(self, what: str, line: int) -> None:
        self.number_lost += 1
        if self.number_lost <= _MOST_REPORTED:
            self.lost.append(f"{what}: {self.where}:{line}")

    def result(self, *, may_be_empty: bool = False) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
        if self.number_lost > _MOST_REPORTED:
            self.lost.append(f"{self.number_lost - _MOST_REPORTED:,} more lines that cannot be read: {self.where}")
        if self.number_beyond:
            what = f"more than {MOST_SERIES:,} series, as a tag differs on too many lines;"
            self.lost.append(
                f"{what} {counted(self.number_beyond, 'point')} left out from {self.where}:{self.beyond} on"
            )
        found = []
        for (name, labels), (times, values) in self.points.items():
            series = ordered(times, values)
            found.append(NamedSeries(name, dict(labels), self.units.get(name, ""), series))
            self.lost += [f"{note}: {self.where}: {name}" for note in series.notes]
        if not found and not may_be_empty:
            raise DamagedSeries("no measurement in this file", self.where, self.lost[0] if self.lost else "")
        return tuple(found), tuple(self.lost)


def number_in(text: str) -> float | None:
    """A number; also NaN and infinity, which are left out when the series is put in order."""
    try:
        return float(text)
    except ValueError:
        return None


def seconds_in(time: float) -> float:
    """A time in seconds, milliseconds, microseconds or nanoseconds since 1970, in seconds.

    Seconds reach 10^11 in the year 5138, milliseconds had it in 1973, microseconds 10^14 and nanoseconds 10^17 as well.
    """
    size = abs(time)
    return time / (1e9 if size > 1e17 else 1e6 if size > 1e14 else 1e3 if size > 1e11 else 1)


def moment_in(text: str) -> float | None:
    """A time in ISO 8601 or as in `seconds_in`; UTC unless a zone is given."""
    text = text.strip()
    number = number_in(text)
    if number is not None:
        return seconds_in(number) if math.isfinite(number) else None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
