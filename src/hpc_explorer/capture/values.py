"""What happens in an activity: parameters, metrics, files that are read and written, and models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from hpc_explorer.capture import recorder as recording
from hpc_explorer.capture.files import FileRecord, file_state
from hpc_explorer.capture.running import current, outside
from hpc_explorer.capture.waiting import now

PLAIN = frozenset({float, int, str, bool, type(None)})
"""The types whose values are recorded as they are."""

Path = str | os.PathLike[str]


def log_parameter(name: str, value: Any) -> None:
    """Record a setting of the innermost activity: a hyperparameter in learning, an input value in a task.

    Args:
        value: a number or text; anything else is recorded as its `repr`.
    """
    activity = current()
    if activity is None:
        outside("a parameter")
        return
    if type(value) not in PLAIN:
        value = plain(value)
    kind = "value" if activity.plain else "hyperparameter"
    number = activity.count(f"parameter {name}")
    recording.recorder().append(("parameter", activity.identity, name, value, number, kind))


def log_parameters(values: Mapping[str, Any]) -> None:
    """Record several settings; see `log_parameter`."""
    for name, value in values.items():
        log_parameter(name, value)


def log_input(path: Path, name: str = "", *, kind: str = "", refers_to: str = "") -> None:
    """Record a file or folder that the innermost activity reads. Its checksum is computed in another thread.

    Args:
        path: a path, or an address such as `s3://bucket/key`, which has no checksum.
        name: the name of the attribute in the plan.
        kind: `raw`, `curated`, `dataset`, `features`, `model` or `file`; else `dataset` in a stage, `file` in a task.
        refers_to: the IRI of what the data is about, in a graph of the domain.
    """
    _log_file("input", path, {"name": name, "kind": kind, "refers to": refers_to})


def log_output(path: Path, name: str = "", *, kind: str = "", refers_to: str = "") -> None:
    """Record a file or folder that the innermost activity has written; see `log_input`. Call it when it is complete."""
    _log_file("output", path, {"name": name, "kind": kind, "refers to": refers_to})


def log_model(
    path: Path | None = None, name: str = "", *, derived_from: Path | None = None, algorithm: str = ""
) -> None:
    """Record a model that the innermost activity has made: its file's checksum, size and format.

    Args:
        path: the file, complete; None for a model in memory.
        name: the model's name in the plan, such as "unet".
        derived_from: the file of the model that it was made from.
        algorithm: the name of the learning algorithm.
    """
    source = None
    if derived_from is not None:
        log_input(derived_from, kind="model")
        source = _absolute(derived_from)
    _log_file("model", path, {"name": name, "kind": "model", "algorithm": algorithm}, source)


def log_model_in_memory(name: str, algorithm: str) -> str:
    """Record a model that no file holds. Returns its identity, for `log_use_of_model`; empty without a workflow."""
    activity = current()
    if activity is None:
        outside("a model")
        return ""
    place = f"{activity.identity}/model:{activity.count('model')}"
    _log_file("model", None, {"name": name, "kind": "model", "algorithm": algorithm, "memory": place})
    return place


def log_use_of_model(identity: str, name: str) -> None:
    """Record that the innermost activity used a model of `log_model_in_memory`."""
    _log_file("input", None, {"name": name, "kind": "model", "memory": identity})


def log_data_in_memory(name: str) -> str:
    """Record data that the innermost activity has made and no file holds.

    Returns its identity, for `log_use_of_data`; empty without a workflow.
    """
    activity = current()
    if activity is None:
        outside("data in memory")
        return ""
    place = f"{activity.identity}/data:{activity.count('data')}"
    _log_file("output", None, {"name": name, "memory": place})
    return place


def log_use_of_data(identity: str, name: str) -> None:
    """Record that the innermost activity used data of `log_data_in_memory`."""
    _log_file("input", None, {"name": name, "memory": identity})


def log_dataset_characteristic(path: Path, name: str, value: Any) -> None:
    """Record a fact about a dataset, such as its number of instances."""
    _log_file("characteristic", path, {"name": name, "value": plain(value)})


def _log_file(role: str, path: Path | None, details: dict[str, Any], source: str | None = None) -> None:
    activity = current()
    if activity is None:
        outside("a file")
        return
    details = {key: value for key, value in details.items() if value not in ("", None)}
    if activity.plain:
        details["plain"] = True
    details["time"] = now()
    own = recording.recorder()
    if path is None or "://" in os.fspath(path):
        if path is None and "memory" not in details:
            details["memory"] = f"{activity.identity}/{role}:{activity.count(role)}"
        elif path is not None:
            details["address"] = os.fspath(path)
        own.append(("file", activity.identity, role, details))
        return
    whole = _absolute(path)
    own.append_later(FileRecord(activity.identity, role, whole, details, file_state(whole), source))


def _absolute(path: Path) -> str:
    return os.path.abspath(os.fspath(path))


def plain(value: Any) -> Any:
    """A number or text for any value; an array or tensor with one number is that number."""
    if isinstance(value, bool | int | float | str):
        return value
    item = getattr(value, "item", None)
    if callable(item):
        try:
            found = item()
            if type(found) in PLAIN:
                return found
        except Exception:  # noqa: BLE001  # a value of the user's own must not stop the training
            pass
    try:
        return repr(value)[:10_000]
    except Exception:  # noqa: BLE001  # as above
        return f"a {type(value).__name__}"
