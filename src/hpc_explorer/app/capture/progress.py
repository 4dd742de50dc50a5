"""How far recorded runs have come: their stages, values, and which process has stopped recording.

`Progress` takes records in the order of their spool files. Its views are values.
"""

from __future__ import annotations

import re
import time
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from statistics import fmean
from urllib.parse import unquote

from hpc_explorer.app.lineage.phase_drawing import rough_duration
from hpc_explorer.app.results.answer import AnswerPlot, Axis, Series
from hpc_explorer.app.results.plotted import MOST_SERIES
from hpc_explorer.app.results.plotting import thinned
from hpc_explorer.capture.spool import Record
from hpc_explorer.interchange.capture.paths import RUN
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.wording import counted

STALLED_AFTER = 10
"""A process is stalled if it is silent for this many times its average interval between records, ..."""

LONGEST_TIMES = 2
"""... this many times its longest interval, ..."""

LEAST_SILENCE = 2.0
"""... and this many seconds, which the recorder and a network file system may need."""

FEWEST_INTERVALS = 5
"""With fewer intervals, nothing is judged."""

MOST_INTERVALS = 1_000
"""The latest intervals of a process that are kept."""

MOST_COLUMNS = 1_000
"""A drawn line has at most this many columns, each with its least and greatest value."""

_NUMBER = re.compile(r"(?:(\d+)-)?(\d+)\Z")


class State(Enum):
    """The state of a run, process or step."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STALLED = "stalled"


@dataclass(frozen=True)
class ProgressRow:
    """A run, one of its processes, or one of its steps.

    Args:
        resource: the activity in the graph.
        depth: 0 for a run, 1 for its processes and steps, 2 for the steps of a process.
        epochs, batches: how many of it have ended, without those of the rows below.
        latest: the latest values, such as "loss 0.42, accuracy 0.9".
        last: seconds since the last record.
        why: the evidence for the state, in a sentence; empty if there is none.
    """

    resource: NamedNode
    label: str
    depth: int
    state: State
    epochs: int
    batches: int
    latest: str
    last: float
    why: str


@dataclass(frozen=True)
class RunsView:
    """How far the runs have come.

    Args:
        metrics: what can be plotted, the likeliest first.
        plot: the values of the chosen metric; None if there are none.
        records: the number of records read.
        problems: what could not be read or was not written, one line each.
    """

    rows: tuple[ProgressRow, ...] = ()
    metrics: tuple[str, ...] = ()
    plot: AnswerPlot | None = None
    records: int = 0
    problems: tuple[str, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether a run has not ended."""
        return any(row.state in (State.RUNNING, State.STALLED) for row in self.rows if row.depth == 0)


@dataclass
class _Step:
    """A run, process, task or stage."""

    path: str
    label: str
    epochs: int = 0
    batches: int = 0
    latest: dict[str, str] = field(default_factory=dict)
    seen: int = 0
    error: str | None = None
    is_over: bool = False

    def __post_init__(self) -> None:
        self.resource = NamedNode(RUN + self.path)


@dataclass
class _Process(_Step):
    """A process of a run, with the intervals in seconds between its records."""

    last: int = 0
    intervals: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_INTERVALS))
    steps: dict[str, _Step] = field(default_factory=dict)

    def silence(self, now: int) -> tuple[bool, str]:
        """Whether it is stalled, and the evidence."""
        if self.is_over or len(self.intervals) < FEWEST_INTERVALS:
            return False, ""
        quiet = (now - self.seen) / 1e9
        average, longest = fmean(self.intervals), max(self.intervals)
        if quiet <= max(STALLED_AFTER * average, LONGEST_TIMES * longest, LEAST_SILENCE):
            return False, ""
        return True, (
            f"no record for {duration_text(quiet)}; on average one every {duration_text(average)}, "
            f"at the longest after {duration_text(longest)} (its last {counted(len(self.intervals), 'interval')})"
        )


class Progress:
    """The progress of the runs in one or more spool files.

    Attributes:
        records: the number of records taken.
    """

    def __init__(self) -> None:
        self.records = 0
        self._runs: dict[str, dict[str, _Process]] = {}
        self._values: dict[str, dict[str, tuple[array[float], array[float]]]] = {}

    def add(self, records: Iterable[Record], seen: int | None = None) -> None:
        """Take records. Those of a form that this program does not know are left out.

        Args:
            seen: when they were read, in nanoseconds since 1970, if they were written just before: the clock of the
                recording host may differ. None: their own times count.
        """
        for record in records:
            self.records += 1
            try:
                self._take(record, seen)
            except (TypeError, ValueError, IndexError, AttributeError):
                continue

    def _take(self, record: Record, seen: int | None) -> None:
        kind = record[0]
        if kind not in ("run", "begin", "end", "batch", "metric"):
            return
        path: str = record[1]
        time_of = {"batch": 3, "metric": 5}.get(kind, 2)
        at = int(record[time_of])
        process, step, rest = self._place(path)
        if kind == "run":
            process.label = _process_label(process.path) or str(record[3]["name"])
        for one in (process, step):
            one.seen = max(one.seen, at if seen is None else seen)
        if process.last:
            process.intervals.append(max(0, at - process.last) / 1e9)
        process.last = max(process.last, at)
        if kind == "batch":
            step.batches += 1
        elif kind == "metric":
            self._take_metric(step, rest, record)
        elif kind == "begin" and not rest:
            step.label = str(record[3].get("name") or step.label)
        elif kind == "end" and rest.startswith("epoch:"):
            step.epochs += 1
        elif kind == "end" and not rest:
            step.is_over, step.error = True, record[3]

    def _place(self, path: str) -> tuple[_Process, _Step, str]:
        """The process and step of an activity, and the rest of the path: its epoch and batch."""
        parts = path.split("/")
        run = parts[0]
        at = 1
        while at < len(parts) and parts[at].startswith(("rank:", "process:")):
            at += 1
        own = "/".join(parts[:at])
        processes = self._runs.setdefault(run, {})
        if own not in processes:
            name = unquote(run.rpartition(".")[0])
            processes[own] = _Process(own, _process_label(own) or name)
        process = processes[own]
        last = max((at for at, part in enumerate(parts) if part.startswith(("stage:", "task:"))), default=-1)
        if last < 0:
            return process, process, "/".join(parts[at:])
        # A forked process may be below a stage: what is recorded there is that stage's.
        whole = "/".join(parts[: last + 1])
        if whole not in process.steps:
            kind, _, name = parts[last].partition(":")
            label = unquote(name.rpartition(".")[0] or name)
            process.steps[whole] = _Step(whole, f"task {label}" if kind == "task" else label)
        return process, process.steps[whole], "/".join(parts[last + 1 :])

    # Values

    def _take_metric(self, step: _Step, rest: str, record: Record) -> None:
        name, value, number, _, given = record[2:]
        if isinstance(value, bool) or not isinstance(value, int | float):
            step.latest[name] = str(value)[:40]
            return
        step.latest[name] = f"{value:.4g}"
        within = rest.rpartition("/")[2].partition(":")
        metric = f"{name} of each {within[0]}" if within[0] in ("epoch", "batch") else str(name)
        found = _NUMBER.match(within[2])
        loop = f", loop {found[1]}" if found is not None and found[1] else ""
        values = self._values.setdefault(metric, {})
        xs, ys = values.setdefault(f"{step.path}{loop}", (array("d"), array("d")))
        if given is not None:
            xs.append(float(given))
        elif within[0] == "epoch" and found is not None:
            xs.append(float(found[2]))
        else:
            xs.append(float(len(xs)) if within[0] == "batch" else float(number))
        ys.append(float(value))

    def _metrics(self) -> tuple[str, ...]:
        """Losses first, and of these the ones of epochs: what a training is watched by."""

        def order(name: str) -> tuple[bool, bool]:
            return "loss" not in name.lower(), not name.endswith(" of each epoch")

        return tuple(sorted(self._values, key=order))

    def _plot(self, metric: str) -> AnswerPlot | None:
        import numpy as np

        values = self._values.get(metric)
        if values is None:
            return None
        series = []
        for number, (key, (xs, ys)) in enumerate(values.items()):
            if number < MOST_SERIES:
                across, up = np.array(xs), np.array(ys)
                order = np.argsort(across, kind="stable")
                drawn = thinned(across[order], up[order], -np.inf, np.inf, MOST_COLUMNS)
            else:  # it is counted, not drawn
                drawn = np.empty(0), np.empty(0)
            series.append(Series(self._series_name(key), *(part.tolist() for part in drawn)))
        name, each, of = metric.partition(" of each ")
        return AnswerPlot(metric, Axis(of if each else "number"), Axis(name), tuple(series))

    def _series_name(self, key: str) -> str:
        path, comma, loop = key.partition(", ")
        process, step, _ = self._place(path)
        names = [step.label] if step is not process else []
        if len(self._runs) > 1 or not names:
            run = path.partition("/")[0]
            names.insert(0, f"{unquote(run.rpartition('.')[0])} {run.rpartition('.')[2][:6]}")
        if rank := _process_label(process.path):
            names.append(rank)
        return " · ".join(names) + comma + loop

    # The view

    def view(self, metric: str = "", *, now: int | None = None) -> RunsView:
        """The state of all runs.

        Args:
            metric: the one to plot; the likeliest unless it is among those recorded.
            now: the time in nanoseconds since 1970.
        """
        at = time.time_ns() if now is None else now
        metrics = self._metrics()
        chosen = metric if metric in metrics else metrics[0] if metrics else ""
        rows = [row for run in self._runs.items() for row in _rows(*run, at)]
        return RunsView(tuple(rows), metrics, self._plot(chosen) if chosen else None, self.records)


def _rows(run: str, processes: dict[str, _Process], now: int) -> Iterator[ProgressRow]:
    """The rows of a run: itself, its processes if there are several, and their steps."""
    inside: list[ProgressRow] = []
    depth = 1 if len(processes) == 1 else 2
    whole_is_over = run in processes and processes[run].is_over
    of_processes: list[ProgressRow] = []
    for process in processes.values():
        stalled, why = (False, "") if whole_is_over else process.silence(now)
        steps = [
            _row(step, depth, _state(step, stalled, process.is_over or whole_is_over), now, why)
            for step in process.steps.values()
        ]
        state = _state(process, stalled, whole_is_over)
        own = _row(process, 1, state, now, why or process.error or "")
        of_processes.append(own)
        inside += [own, *steps] if depth == 2 else steps
    states = [row.state for row in of_processes]
    state = next((one for one in (State.FAILED, State.STALLED, State.RUNNING) if one in states), State.DONE)
    named = next((process for process in processes.values() if process.path == run), None)
    name = unquote(run.rpartition(".")[0])
    label = f"{named.label if named is not None else name}, run {run.rpartition('.')[2][:12]}"
    worst = next((row for row in of_processes if row.state is state), of_processes[0])
    of_one = processes[next(iter(processes))]
    yield ProgressRow(
        NamedNode(RUN + run),
        label,
        0,
        state,
        of_one.epochs if len(processes) == 1 else 0,
        of_one.batches if len(processes) == 1 else 0,
        _values_text(of_one) if len(processes) == 1 else "",
        min(row.last for row in of_processes),
        f"{worst.label}: {worst.why}" if depth == 2 and worst.why else worst.why,
    )
    yield from inside


def _state(step: _Step, stalled: bool, above_is_over: bool) -> State:
    if step.error:
        return State.FAILED
    if step.is_over or above_is_over:
        return State.DONE
    return State.STALLED if stalled else State.RUNNING


def _row(step: _Step, depth: int, state: State, now: int, why: str) -> ProgressRow:
    said = step.error or "" if state is State.FAILED else why if state is State.STALLED else ""
    return ProgressRow(
        step.resource,
        step.label,
        depth,
        state,
        step.epochs,
        step.batches,
        _values_text(step),
        max(0.0, (now - step.seen) / 1e9),
        said,
    )


def _values_text(step: _Step) -> str:
    return ", ".join(f"{name} {value}" for name, value in list(step.latest.items())[:4])


def _process_label(path: str) -> str:
    """ "rank 3" or "process 9f3a"; empty for the process of a whole run."""
    return ", ".join(part.replace(":", " ") for part in path.split("/")[1:])


def duration_text(seconds: float) -> str:
    """A duration, such as "12.4 s" or "2 h 14 min"."""
    return rough_duration(timedelta(seconds=seconds))
