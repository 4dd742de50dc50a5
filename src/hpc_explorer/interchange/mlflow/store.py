"""The content of an MLflow tracking store: a folder of files (`mlruns`), or a SQLite database.

Both become the same values. A value that is too long, a file that is half-written and a database that is locked are
reported in `Findings`; the rest is read. Layouts from MLflow 0.9 to 3.x.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hpc_explorer.errors import SourceUnreadable
from hpc_explorer.interchange.metrics import Point
from hpc_explorer.interchange.statements import LONGEST_VALUE, Findings, too_long

SQLITE = b"SQLite format 3\x00"
_STATUSES = {1: "RUNNING", 2: "SCHEDULED", 3: "FINISHED", 4: "FAILED", 5: "KILLED"}
_LARGEST_META = 16 * 1024 * 1024
_WAIT = 1.0
"""Seconds to wait for a database that is being written."""
_MOST_COPIES = 5


@dataclass
class Run:
    """A run, with the values logged in it."""

    id: str
    info: dict[str, Any]
    params: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, list[Point]] = field(default_factory=dict)
    inputs: list[tuple[dict[str, Any], dict[str, str]]] = field(default_factory=list)
    """Datasets, each with the tags of its use."""
    model_inputs: list[str] = field(default_factory=list)
    model_outputs: list[str] = field(default_factory=list)
    artifacts: Path | None = None


@dataclass
class LoggedModel:
    """A model of MLflow 3, which has an identity of its own."""

    id: str
    info: dict[str, Any]
    params: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, list[Point]] = field(default_factory=dict)
    artifacts: Path | None = None


@dataclass
class RegisteredModel:
    """A name in the registry, with its versions."""

    info: dict[str, Any]
    versions: list[dict[str, Any]] = field(default_factory=list)


Item = dict[str, Any] | Run | LoggedModel | RegisteredModel
"""An experiment is a plain object of its fields."""


# --- the file store


def is_file_store(folder: Path) -> bool:
    """Whether a folder is a file store, or one experiment or run of one."""
    if _kind_of(folder) is not None:
        return True
    try:
        return any(_kind_of(below) == "experiment" for below in folder.iterdir() if below.is_dir())
    except OSError:
        return False


def _kind_of(folder: Path) -> str | None:
    try:
        with open(folder / "meta.yaml", "rb") as stream:
            head = stream.read(4096)
    except OSError:
        return None
    if re.search(rb"^run_(?:id|uuid):", head, re.MULTILINE) and b"artifact_uri:" in head:
        return "run"
    if re.search(rb"^experiment_id:", head, re.MULTILINE) and b"model_id:" not in head:
        return "experiment"
    return None


def read_file_store(folder: Path, findings: Findings) -> Iterator[Item]:
    """The experiments, runs and models of a file store."""
    kind = _kind_of(folder)
    if kind == "run":
        yield _run_in(folder, folder.parent, findings)
    elif kind == "experiment":
        yield from _experiment_in(folder, findings)
    else:
        for below in _folders(folder):
            if below.name == "models":
                yield from _registered_in(below, findings)
            elif (below / "meta.yaml").is_file():
                yield from _experiment_in(below, findings)
        trash = folder / ".trash"
        if trash.is_dir() and (deleted := len(_folders(trash))):
            findings.notes.append(f"{deleted:,} deleted experiments in .trash are not read")


def _folders(folder: Path) -> list[Path]:
    return sorted(below for below in folder.iterdir() if below.is_dir() and not below.name.startswith("."))


def _experiment_in(folder: Path, findings: Findings) -> Iterator[Item]:
    info = _meta(folder, findings)
    yield {"experiment_id": folder.name, **info, "tags": _texts(folder / "tags", findings)}
    for below in _folders(folder):
        if below.name == "models":
            for model in _folders(below):
                yield _model_in(model, findings)
        elif below.name not in ("tags", "datasets", "traces"):
            yield _run_in(below, folder, findings)


def _run_in(folder: Path, experiment: Path, findings: Findings) -> Run:
    info = _meta(folder, findings)
    status = info.get("status")
    info["status"] = _STATUSES.get(status, status) if isinstance(status, int) else status
    run = Run(str(info.get("run_id") or info.get("run_uuid") or folder.name), info)
    run.params = _texts(folder / "params", findings)
    run.tags = _texts(folder / "tags", findings)
    run.metrics = _metrics(folder / "metrics", findings)
    for below in _folders(folder / "inputs") if (folder / "inputs").is_dir() else ():
        link = _meta(below, findings)
        tags = link.get("tags") if isinstance(link.get("tags"), dict) else {}
        source = str(link.get("source_id", ""))
        if link.get("source_type") == "DATASET":
            described = _meta(experiment / "datasets" / source, findings)
            if described:
                run.inputs.append((described, {str(key): str(value) for key, value in (tags or {}).items()}))
        elif source or link.get("destination_id"):
            run.model_inputs.append(str(source or link.get("destination_id")))
    for below in _folders(folder / "outputs") if (folder / "outputs").is_dir() else ():
        link = _meta(below, findings)
        run.model_outputs.append(str(link.get("destination_id") or below.name))
    artifacts = folder / "artifacts"
    run.artifacts = artifacts if artifacts.is_dir() else None
    return run


def _model_in(folder: Path, findings: Findings) -> LoggedModel:
    model = LoggedModel(folder.name, _meta(folder, findings))
    model.params = _texts(folder / "params", findings)
    model.tags = _texts(folder / "tags", findings)
    model.metrics = _metrics(folder / "metrics", findings)
    model.artifacts = folder / "artifacts" if (folder / "artifacts").is_dir() else None
    return model


def _registered_in(folder: Path, findings: Findings) -> Iterator[RegisteredModel]:
    for below in _folders(folder):
        model = RegisteredModel(_meta(below, findings))
        for version in _folders(below):
            if version.name.startswith("version-"):
                model.versions.append(_meta(version, findings))
        yield model


def _meta(folder: Path, findings: Findings) -> dict[str, Any]:
    """The fields of `meta.yaml`; empty and reported if it cannot be read."""
    import yaml

    file = folder / "meta.yaml"
    try:
        if file.stat().st_size > _LARGEST_META:
            findings.lost(f"more than {_LARGEST_META:,} bytes of YAML", file)
            return {}
        content = yaml.load(file.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        findings.lost(f"the file cannot be read ({error.strerror})", file)
        return {}
    except (yaml.YAMLError, ValueError, RecursionError):
        findings.lost("half-written or damaged YAML", file)
        return {}
    if not isinstance(content, dict):
        findings.lost("half-written or damaged YAML", file)
        return {}
    return {str(key): value for key, value in content.items()}


def _texts(folder: Path, findings: Findings) -> dict[str, str]:
    """The values of a folder with one file each; a `/` in a name makes a subfolder."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if not file.is_file():
            continue
        try:
            if (size := file.stat().st_size) > LONGEST_VALUE:
                findings.lost(too_long(file.name, size), file)
                continue
            found[file.relative_to(folder).as_posix()] = file.read_bytes().decode("utf-8", errors="replace")
        except OSError as error:
            findings.lost(f"the file cannot be read ({error.strerror})", file)
    return found


def _metrics(folder: Path, findings: Findings) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if not file.is_file():
            continue
        points: dict[Point, None] = {}
        try:
            with open(file, "rb") as stream:
                for number, line in enumerate(stream, start=1):
                    words = line.split()
                    try:
                        step = int(words[2]) if len(words) > 2 else 0
                        points[Point(float(words[1]), int(words[0]), step)] = None
                    except (ValueError, IndexError):
                        findings.lost("a half-written value of a metric", f"{file}:{number}")
        except OSError as error:
            findings.lost(f"the file cannot be read ({error.strerror})", file)
        found[file.relative_to(folder).as_posix()] = list(points)
    return found


# --- the database


def is_database(path: Path, head: bytes) -> bool:
    """Whether a file is a SQLite database with the tables of a tracking store."""
    if not head.startswith(SQLITE):
        return False
    for mode in ("mode=ro", "immutable=1"):
        try:
            with closing(_connected(path, mode)) as connection:
                return {"experiments", "runs", "metrics", "params", "tags"} <= _tables(connection)
        except sqlite3.Error:
            continue
    return False


def read_database(path: Path, findings: Findings) -> Iterator[Item]:
    """The experiments, runs and models of a tracking database, which is never written.

    Raises:
        SourceUnreadable: it is damaged.
    """
    try:
        with ExitStack() as stack:
            connection = _opened(path, findings, stack)
            stack.callback(connection.close)
            yield from _Database(connection, path, findings).items()
    except sqlite3.Error as error:
        raise SourceUnreadable(f"the database cannot be read ({error})", str(path), "try again, or copy it") from None


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=_WAIT)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda data: data.decode("utf-8", errors="replace")
    return connection


def _opened(path: Path, findings: Findings, stack: ExitStack) -> sqlite3.Connection:
    """A connection to the database, or to a copy that lasts as long as `stack`."""
    connection = _connected(path, "mode=ro")
    try:
        _tables(connection)
        # One transaction, so that all tables are of one moment.
        connection.execute("BEGIN")
        connection.execute("SELECT COUNT(*) FROM runs").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        findings.lost(f"{error}; read as it is on disk, without changes that are being written", path)
        try:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="mlflow-", ignore_cleanup_errors=True)))
            return _connected(_copied(path, folder), "mode=rw")
        except OSError as problem:
            findings.lost(f"some may be missing, as there is no room for a copy ({problem.strerror})", path)
            return _connected(path, "immutable=1")
    return connection


def _copied(path: Path, folder: Path) -> Path:
    """A copy of a locked database. A large change is in the file before it is complete; the journal, which is copied
    after it, has what was there before, and SQLite puts that back in the copy."""
    copy = folder / "copy.db"
    for _ in range(_MOST_COPIES):
        before = _change_of(path)
        shutil.copyfile(path, copy)
        for ending in ("-journal", "-wal"):
            Path(f"{copy}{ending}").unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{ending}", f"{copy}{ending}")
        if _change_of(path) == before:
            break
    return copy


def _change_of(path: Path) -> bytes | int:
    """What identifies the change that is being written: the random number in the journal, or the file's time."""
    with suppress(FileNotFoundError), open(f"{path}-journal", "rb") as journal:
        return journal.read(16)[12:]
    return path.stat().st_mtime_ns


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


class _Database:
    def __init__(self, connection: sqlite3.Connection, path: Path, findings: Findings) -> None:
        self._connection = connection
        self._path = path
        self._findings = findings
        self._known = _tables(connection)

    def items(self) -> Iterator[Item]:
        for row in self._rows("experiments"):
            yield {**row, "tags": self._texts("experiment_tags", "experiment_id", row["experiment_id"])}
        for row in self._rows("runs"):
            yield self._run(row)
        for row in self._rows("logged_models"):
            yield self._model(row)
        for row in self._rows("registered_models"):
            versions = list(self._rows("model_versions", "name", row["name"]))
            yield RegisteredModel(row, versions)

    def _run(self, row: dict[str, Any]) -> Run:
        own = row["run_uuid"]
        run = Run(own, row)
        run.params = self._texts("params", "run_uuid", own)
        run.tags = self._texts("tags", "run_uuid", own)
        for metric in self._rows("metrics", "run_uuid", own):
            value = float("nan") if metric.get("is_nan") else float(metric["value"])
            point = Point(value, metric.get("timestamp"), int(metric.get("step") or 0))
            run.metrics.setdefault(metric["key"], []).append(point)
        for link in self._rows("inputs", "destination_id", own):
            if link["source_type"] == "DATASET":
                tags = {tag["name"]: tag["value"] for tag in self._rows("input_tags", "input_uuid", link["input_uuid"])}
                for dataset in self._rows("datasets", "dataset_uuid", link["source_id"]):
                    dataset["source_type"] = dataset.pop("dataset_source_type", None)
                    for word in ("source", "schema", "profile"):
                        dataset[word] = dataset.pop(f"dataset_{word}", None)
                    run.inputs.append((dataset, tags))
        for link in self._rows("inputs", "source_id", own):
            if link["destination_type"] == "MODEL_OUTPUT":
                run.model_outputs.append(link["destination_id"])
            elif link["destination_type"] == "MODEL_INPUT":
                run.model_inputs.append(link["destination_id"])
        run.artifacts = self._artifacts(row.get("artifact_uri"))
        return run

    def _artifacts(self, address: Any) -> Path | None:
        """The folder of artifacts, if it is below the database's folder: others are not looked at."""
        text = str(address or "").removeprefix("file://")
        folder = self._path.parent.resolve()
        try:
            place = (folder / text).resolve()
            return place if text and place != folder and place.is_relative_to(folder) and place.is_dir() else None
        except (OSError, ValueError):
            return None

    def _model(self, row: dict[str, Any]) -> LoggedModel:
        own = row["model_id"]
        model = LoggedModel(own, row)
        model.tags = self._texts("logged_model_tags", "model_id", own, "tag_")
        model.params = self._texts("logged_model_params", "model_id", own, "param_")
        for metric in self._rows("logged_model_metrics", "model_id", own):
            value = metric["metric_value"]
            point = Point(
                float("nan") if value is None else float(value),
                metric["metric_timestamp_ms"],
                int(metric["metric_step"] or 0),
            )
            model.metrics.setdefault(metric["metric_name"], []).append(point)
        model.artifacts = self._artifacts(row.get("artifact_location"))
        return model

    def _rows(self, table: str, column: str | None = None, value: Any = None) -> Iterator[dict[str, Any]]:
        if table not in self._known:
            return
        where, values = (f' WHERE "{column}" = ?', (value,)) if column else ("", ())
        try:
            for row in self._connection.execute(f'SELECT * FROM "{table}"{where}', values):
                yield dict(row)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "no such column" in str(error):
                return
            self._findings.lost(f"the table {table} cannot be read to its end ({error})", self._path)

    def _texts(self, table: str, column: str, value: Any, prefix: str = "") -> dict[str, str]:
        """Keys and values; a value that is too long is not fetched.

        Args:
            prefix: how the names of the columns `key` and `value` begin.
        """
        if table not in self._known:
            return {}
        query = (
            f"SELECT {prefix}key, CASE WHEN length({prefix}value) > {LONGEST_VALUE} THEN NULL ELSE {prefix}value END, "
            f'length({prefix}value) FROM "{table}" WHERE "{column}" = ?'
        )
        found: dict[str, str] = {}
        for key, text, size in self._connection.execute(query, (value,)):
            if size is not None and size > LONGEST_VALUE:
                self._findings.lost(too_long(str(key), size), f"{self._path}: {table} of {value}")
            else:
                found[str(key)] = str(text or "")
        return found


def json_of(text: Any) -> Any:
    """The value of a field that holds JSON; the text itself if it does not."""
    if isinstance(text, (Mapping, list)):
        return text
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return text
