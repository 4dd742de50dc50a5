"""Record what is logged with MLflow: `capture.mlflow.mirror()`.

MLflow works as before; its runs, parameters, metrics and artifacts are recorded too. Calls go through `MlflowClient`,
which MLflow's own functions and its autologging use.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import mlflow

from hpc_explorer.capture.activities import workflow
from hpc_explorer.capture.callbacks import script_name
from hpc_explorer.capture.calls import log_metric
from hpc_explorer.capture.running import current
from hpc_explorer.capture.values import log_output, log_parameter

_open: dict[str, Any] = {}
"""The workflows that were begun for runs, by the runs' ids."""


def mirror() -> None:
    """Record the calls of MLflow's clients from now on. A run outside a workflow is a workflow."""
    client = mlflow.MlflowClient
    if getattr(client, "_hpc_explorer_capture", False):
        return
    client._hpc_explorer_capture = True
    _after(client, "create_run", lambda run, *args, **kwargs: _begin(run))
    _before(client, "set_terminated", lambda run_id, *args, **kwargs: _end(run_id))
    _before(client, "log_param", lambda run_id, key, value, *args, **kwargs: log_parameter(key, value))
    _before(client, "log_metric", _metric)
    _before(client, "log_batch", _batch)
    _before(client, "log_artifact", lambda run_id, local_path, *args, **kwargs: log_output(local_path))
    _before(client, "log_artifacts", lambda run_id, local_dir, *args, **kwargs: log_output(local_dir))


def _before(client: Any, name: str, record: Callable[..., None]) -> None:
    call = getattr(client, name)

    @functools.wraps(call)
    def mirrored(self: Any, *args: Any, **kwargs: Any) -> Any:
        record(*args, **kwargs)
        return call(self, *args, **kwargs)

    setattr(client, name, mirrored)


def _after(client: Any, name: str, record: Callable[..., None]) -> None:
    call = getattr(client, name)

    @functools.wraps(call)
    def mirrored(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = call(self, *args, **kwargs)
        record(result, *args, **kwargs)
        return result

    setattr(client, name, mirrored)


def _begin(run: Any) -> None:
    if current() is None:
        step = workflow(run.info.run_name or script_name(), run=run.info.run_id)
        step.__enter__()
        _open[run.info.run_id] = step
    log_parameter("MLflow run", run.info.run_id)


def _end(run_id: str) -> None:
    step = _open.pop(run_id, None)
    if step is not None:
        step.__exit__(None, None, None)


def _metric(run_id: str, key: str, value: float, timestamp: Any = None, step: int | None = None, **more: Any) -> None:
    log_metric(key, value, step)


def _batch(run_id: str, metrics: Iterable[Any] = (), params: Iterable[Any] = (), *args: Any, **kwargs: Any) -> None:
    for metric in metrics:
        log_metric(metric.key, metric.value, metric.step)
    for parameter in params:
        log_parameter(parameter.key, parameter.value)
