"""Fit performance models to the jobs of a graph, or to a table of runs, and predict from them."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DamagedSeries, UnusableModel
from hpc_explorer.monitor.aspen.evaluation import Target
from hpc_explorer.monitor.aspen.model import Model
from hpc_explorer.monitor.aspen.reading import parse_machine, parse_model, read_machine, read_model
from hpc_explorer.monitor.fit_problem import Run
from hpc_explorer.monitor.fitting import Fit, Prediction, fit
from hpc_explorer.monitor.graph import INPUT_BYTES, digest, jobs_in, model_statements
from hpc_explorer.monitor.jobs import Job
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet

PLAIN_MODEL = f"""model task {{
  param {INPUT_BYTES} = 1
  param fixed = 1 in 1e-3 .. 1e7
  param each_byte = 1e-8 in 1e-15 .. 1e3
  kernel main {{
    execute {{ seconds [fixed] }}
    execute {{ seconds [each_byte * {INPUT_BYTES}] }}
  }}
}}
"""
"""The model of a task that nobody wrote one for: a fixed time, and a time for each byte of input."""

PLAIN_MACHINE = "machine any { node [1] host } node host { socket [1] cpu } socket cpu { resource seconds(n) [n] }"


@dataclass(frozen=True)
class TaskFit:
    """The model of a kind of job.

    Args:
        fit: None if there are too few jobs, or no job has the model's parameters.
        reason: why there is no usable model; empty if there is one.
        iris: the jobs that it was fitted to.
    """

    task: str
    jobs: int
    fit: Fit | None
    reason: str
    iris: tuple[str, ...] = ()


def fit_tasks(
    session: Session, *, task: str | None = None, template: Path | None = None, limits: Limits = NO_LIMITS
) -> tuple[TaskFit, ...]:
    """Fit a model to each kind of job of the graph that ended without error.

    Args:
        task: only this kind.
        template: an Aspen model for a machine with the resource `seconds`; its parameters are measures of jobs. By
            default `PLAIN_MODEL`.

    Raises:
        UnusableModel: no job of this kind.
        InputError: the template cannot be read.
    """
    model = parse_model(PLAIN_MODEL) if template is None else read_model(template)
    kinds: dict[str, list[Job]] = defaultdict(list)
    for job in jobs_in(session.store, limits=limits):
        if job.exit_code in (None, 0) and job.seconds:
            kinds[job.task].append(job)
    if task is not None and task not in kinds:
        raise UnusableModel("no finished job of this kind", task, f"there are {', '.join(sorted(kinds)) or 'none'}")
    return tuple(_fitted(name, kinds[name], model) for name in ([task] if task else sorted(kinds)))


def _fitted(task: str, jobs: Sequence[Job], model: Model) -> TaskFit:
    target = _any_machine()
    names = [param.name for param in model.params if not param.is_free]
    chosen = [job for job in jobs if all(name in (job.measures or {}) for name in names)]
    if not chosen:
        return TaskFit(task, len(jobs), None, f"no job has a measure {', '.join(names)}")
    runs = [
        Run({name: (job.measures or {})[name] for name in names}, target, float(job.seconds or 1), job.iri)
        for job in chosen
    ]
    try:
        found = fit(model, runs)
    except UnusableModel as error:
        return TaskFit(task, len(jobs), None, str(error))
    return TaskFit(task, len(jobs), found, found.declined, tuple(job.iri for job in chosen))


_LEAST_JOBS, _MOST_JOBS = 8, 300
"""The fewest jobs that a model of run times is fitted to, and the most."""

_LEAST_RANGE = 1.2
"""Where the greatest input is less than this times the least one, no model is tried."""


class InputModel:
    """The time of a job without staging by its input, as `PLAIN_MODEL` has it.

    Args:
        fit: a usable fit to the seconds without staging.
    """

    def __init__(self, fit: Fit) -> None:
        self.fit = fit
        self._known: dict[float, tuple[float, float]] = {}

    def predict(self, job: Job) -> Prediction | None:
        """The predicted seconds with their interval; None if the input of the job is not known."""
        size = (job.measures or {}).get(INPUT_BYTES)
        return None if size is None else self.fit.predict({INPUT_BYTES: size}, _any_machine())

    def usual(self, job: Job) -> tuple[float, float] | None:
        """See `TimeModel`."""
        size = (job.measures or {}).get(INPUT_BYTES)
        if size is None:
            return None
        if size not in self._known:
            found = self.fit.predict({INPUT_BYTES: size}, _any_machine())
            # The interval has 95 % of the runs: two standard deviations to each side.
            self._known[size] = math.log(found.value), max(math.log(found.high / found.low) / 4, 1e-3)
        return self._known[size]


def input_models(jobs: Iterable[Job], *, limits: Limits = NO_LIMITS) -> dict[str, InputModel]:
    """The usable models of the times of jobs by task; most kinds of jobs have none."""
    kinds: dict[str, list[Job]] = defaultdict(list)
    for job in jobs:
        if job.exit_code in (None, 0) and job.working is not None and (job.measures or {}).get(INPUT_BYTES):
            kinds[job.task].append(job)
    found = {}
    for task, ones in sorted(kinds.items()):
        limits.check("fitting performance models")
        sizes = [(job.measures or {})[INPUT_BYTES] for job in ones]
        if len(ones) < _LEAST_JOBS or max(sizes) < _LEAST_RANGE * min(sizes):
            continue
        chosen = sorted(ones, key=lambda job: digest(job.iri))[:_MOST_JOBS]
        runs = [
            Run({INPUT_BYTES: (job.measures or {})[INPUT_BYTES]}, _any_machine(), float(job.working or 1), job.iri)
            for job in chosen
        ]
        made = fit(parse_model(PLAIN_MODEL), runs)
        if made.usable:
            found[task] = InputModel(made)
    return found


def values_of(models: Mapping[str, InputModel]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """The fitted parameters of models, which determine what is found with them."""
    return tuple((task, tuple(model.fit.values.values())) for task, model in sorted(models.items()))


@cache
def _any_machine() -> Target:
    return Target(parse_machine(PLAIN_MACHINE), "cpu")


@dataclass(frozen=True)
class ModelBand:
    """The jobs of a kind beside what its model predicts for them.

    Args:
        task: the kind.
        begins: when each job began, in seconds since 1970, in order.
        measured: its seconds without staging.
        predicted, low, high: the prediction for it, with the interval that 95 % of the jobs are in.
        fitted_to: the number of jobs of other runs that the model was fitted to.
    """

    task: str
    begins: tuple[float, ...]
    measured: tuple[float, ...]
    predicted: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    fitted_to: int


def model_bands(session: Session, jobs: Sequence[Job], *, limits: Limits = NO_LIMITS) -> tuple[ModelBand, ...]:
    """What models predict for jobs, by kind. They are fitted to the jobs of other runs of the graph."""
    runs, tasks = {job.run for job in jobs}, {job.task for job in jobs}
    others = [job for job in jobs_in(session.store, limits=limits) if job.run not in runs and job.task in tasks]
    bands = []
    for task, model in input_models(others, limits=limits).items():
        own = sorted(
            (job for job in jobs if job.task == task and job.started is not None), key=lambda job: job.started or 0
        )
        pairs = [(job, predicted) for job in own if job.working and (predicted := model.predict(job)) is not None]
        if pairs:
            bands.append(
                ModelBand(
                    task,
                    tuple(job.started or 0.0 for job, _ in pairs),
                    tuple(job.working or 0.0 for job, _ in pairs),
                    tuple(one.value for _, one in pairs),
                    tuple(one.low for _, one in pairs),
                    tuple(one.high for _, one in pairs),
                    model.fit.runs,
                )
            )
    return tuple(bands)


def keep_models(session: Session, fits: Sequence[TaskFit]) -> int:
    """Add usable models to the workspace, as one edit. Returns the number of new statements.

    Raises:
        Unsupported: no workspace is open.
    """
    quads = [
        quad
        for one in fits
        if one.fit is not None and one.fit.usable
        for quad in model_statements(one.fit, one.task, one.iris)[1]
    ]
    return len(session.edit(ChangeSet(added=tuple(quads), words="Performance models")).change.added)


def read_runs(path: Path) -> tuple[list[Run], str]:
    """Read a table of runs as Aspen's black-box tool has it.

    Its columns are `machine` (a machine file beside the table), `socket`, either `runtime` or `measurement` and
    `type`, and a column for each parameter.

    Returns:
        The runs, and the resource that was measured; empty for the run time.

    Raises:
        InputError: the table or a machine file cannot be read.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream, skipinitialspace=True))
    except OSError as error:
        raise input_error(error, path) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DamagedSeries(f"not a table ({error})", str(path), "give a CSV file") from None
    targets: dict[tuple[str, str], Target] = {}
    runs, kinds = [], set()
    for number, row in enumerate(rows, 2):
        where = f"{path}:{number}"
        given = {key.strip(): (value or "").strip() for key, value in row.items() if key and isinstance(value, str)}
        for column in ("machine", "socket"):
            if not given.get(column):
                raise DamagedSeries(f"no {column} in this row", where, f"add the column {column}")
        key = (given.pop("machine"), given.pop("socket"))
        if key not in targets:
            targets[key] = Target(read_machine(path.parent / key[0]), key[1])
        measured = given.pop("runtime", "") or given.pop("measurement", "")
        given.pop("measurement", None)
        kinds.add(given.pop("type", "runtime") or "runtime")
        try:
            runs.append(Run({name: float(text) for name, text in given.items()}, targets[key], float(measured), where))
        except ValueError as error:
            raise DamagedSeries(f"not a number ({error})", where, "correct the row") from None
    if len(kinds) > 1:
        raise DamagedSeries(
            f"several kinds of measurements: {', '.join(sorted(kinds))}", str(path), "fit one at a time"
        )
    kind = next(iter(kinds), "runtime")
    return runs, "" if kind == "runtime" else kind


def fit_table(runs: Path, template: Path) -> Fit:
    """Fit a template to a table of runs.

    Raises:
        InputError: a file cannot be read, or the template cannot be fitted.
    """
    table, resource = read_runs(runs)
    return fit(read_model(template), table, resource=resource)


def predict_run(found: Fit, values: Mapping[str, float], machine: Path, socket: str) -> Prediction:
    """Predict a run on a machine.

    Raises:
        InputError: the machine file cannot be read, or the model is not usable.
    """
    known = {param.name for param in found.template.params if not param.is_free}
    unknown = sorted(set(values) - known)
    if unknown:
        raise UnusableModel(f"no parameter {unknown[0]}", found.template.name, f"there are {', '.join(sorted(known))}")
    return found.predict(values, Target(read_machine(machine), socket))
