"""Write runs as an MLflow file store, which MLflow opens with `--backend-store-uri`."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from hpc_explorer.interchange.runs import DATASETS, EVALUATIONS, HYPERPARAMETERS, MODELS, Run, Runs
from hpc_explorer.rdf.namespaces import DCTERMS, PROV, PROVML
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.wording import counted

_NAME = re.compile(r"[^\w.\-/ :]")
_PARENTS = "mlflow.parentRunId"
_LONGEST_PARAM = 6000

STORE = "urn:hpc-explorer:this-store"
"""The placeholder for the address of the store in the written files."""


def mlflow_files(quads: Iterable[Quad]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The files of a store by their paths, and sentences about what MLflow cannot hold.

    Every run is in the experiment that influenced it, or in one for the rest. A run keeps its id, or gets one that is
    made from its IRI, so that a second import finds it again; its IRI is the tag `hpc_explorer.iri`.
    """
    runs = Runs(quads)
    files: dict[str, str] = {}
    left = 0
    experiments: dict[str, str] = {}
    for run in runs.runs:
        title = _experiment(runs, run)
        own = experiments.setdefault(title, _experiment_id(title))
        left += _write_run(files, runs, run, own)
    for title, own in experiments.items():
        inside = (run for run in runs.runs if _experiment(runs, run) == title)
        times = [_milliseconds(run.started) or 0 for run in inside]
        created, changed = max(0, min(times, default=0)), max(0, max(times, default=0))
        files[f"{own}/meta.yaml"] = _yaml(
            {
                "artifact_location": f"{STORE}/{own}", "creation_time": created, "experiment_id": own,
                "last_update_time": changed, "lifecycle_stage": "active", "name": title,
            }
        )  # fmt: skip
    told = [f"{counted(len(runs.runs), 'run')} of {counted(runs.statements, 'statement')}"]
    if left:
        told.append(f"{left:,} other inputs and outputs written as tags")
    return files, tuple(told)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _experiment(runs: Runs, run: Run) -> str:
    kinds = frozenset({PROVML.LearningExperiment, PROVML.Study})
    found = next((one for one in runs.links(run.iri, PROV.wasInfluencedBy) if runs.is_a(one, kinds)), None)
    return "Imported by HPC Explorer" if found is None else runs.name(found)


def _experiment_id(title: str) -> str:
    """An id as MLflow makes them, of 18 digits, from the experiment's name."""
    return str(10**17 + int(hashlib.sha256(title.encode()).hexdigest(), 16) % (9 * 10**17))


def mlflow_run_id(iri: NamedNode) -> str:
    """The id of a run: the one in its IRI, or one made from it."""
    own = iri.value.rsplit(":", 1)[-1]
    return own if re.fullmatch(r"[0-9a-f]{32}", own) else _md5(iri.value)


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def _write_run(files: dict[str, str], runs: Runs, run: Run, experiment: str) -> int:
    own = mlflow_run_id(run.iri)
    folder = f"{experiment}/{own}"
    status = run.attributes.get("status")
    files[f"{folder}/meta.yaml"] = _yaml(
        {
            "artifact_uri": f"{STORE}/{folder}/artifacts", "end_time": _milliseconds(run.ended), "entry_point_name": "",
            "experiment_id": experiment, "lifecycle_stage": "active", "run_id": own, "run_name": run.name,
            "run_uuid": own, "source_name": "", "source_type": 4, "source_version": "",
            "start_time": _milliseconds(run.started) or 0,
            "status": _STATUSES.get(status.value.upper() if status is not None else "", 3), "tags": [],
            "user_id": runs.name(run.agents[0]) if run.agents else "unknown",
        }
    )  # fmt: skip
    tags = {
        "mlflow.runName": run.name,
        "mlflow.user": runs.name(run.agents[0]) if run.agents else "",
        "mlflow.source.name": runs.name(run.software[0]) if run.software else "",
        "mlflow.note.content": runs.text(run.iri, DCTERMS.description),
        "hpc_explorer.iri": run.iri.value,
        _PARENTS: mlflow_run_id(run.informed_by[0]) if run.informed_by else "",
    }
    tags |= {key: value.value for key, value in run.attributes.items() if key not in ("status",)}
    left = 0
    models: list[str] = []
    for iri in run.used:
        value = runs.value(iri)
        if runs.is_a(iri, HYPERPARAMETERS) and value is not None and len(value.value) <= _LONGEST_PARAM:
            files[f"{folder}/params/{_key(runs.name(iri))}"] = value.value
        elif runs.is_a(iri, DATASETS):
            _write_dataset(files, runs, iri, experiment, folder)
        else:
            left += 1
            tags[f"used.{left}"] = iri.value
    metrics: dict[str, list[tuple[int, int, str]]] = {}
    for iri in run.generated:
        value = runs.value(iri)
        number = _number(value.value) if value is not None else None
        if runs.is_a(iri, EVALUATIONS) and number is not None:
            when = runs.moment(iri) or run.ended or run.started or _EPOCH
            metrics.setdefault(_key(runs.name(iri)), []).append((runs.step(iri), _milliseconds(when) or 0, number))
        elif runs.is_a(iri, MODELS):
            models.append(iri.value)
        else:
            left += 1
            tags[f"generated.{left}"] = iri.value
    if models:
        tags["models"] = "\n".join(models)
    for key, points in metrics.items():
        rows = sorted(set(points))
        files[f"{folder}/metrics/{key}"] = "".join(f"{when} {number} {step}\n" for step, when, number in rows)
    for key, text in tags.items():
        if text:
            files[f"{folder}/tags/{_key(key)}"] = text
    return left


def _write_dataset(files: dict[str, str], runs: Runs, iri: NamedNode, experiment: str, folder: str) -> None:
    sums = runs.checksums(iri)
    digest = runs.text(iri, DCTERMS.identifier) or next(iter(sums.values()), "")
    digest = digest or hashlib.sha256(iri.value.encode()).hexdigest()
    name, own = runs.name(iri), _md5(iri.value)
    files[f"{experiment}/datasets/{own}/meta.yaml"] = _yaml(
        {"digest": digest[:36], "name": name, "profile": None, "schema": None,
         "source": '{"uri": ' + _quoted(iri.value) + "}", "source_type": "http"}
    )  # fmt: skip
    files[f"{folder}/inputs/{own}/meta.yaml"] = _yaml(
        {"destination_id": folder.rpartition("/")[2], "destination_type": "RUN", "source_id": own,
         "source_type": "DATASET", "tags": {}}
    )  # fmt: skip


_STATUSES = {"RUNNING": 1, "START": 1, "SCHEDULED": 2, "FAILED": 4, "FAIL": 4, "ERROR": 4, "KILLED": 5, "ABORT": 5}


def _number(text: str) -> str | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return repr(number) if math.isfinite(number) else str(number)


def _milliseconds(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return round(aware.timestamp() * 1000)


def _key(name: str) -> str:
    """A name that MLflow accepts for a parameter, metric or tag, and that stays in its folder."""
    parts = (part for part in _NAME.sub("_", name).split("/") if part not in ("", ".", ".."))
    return "/".join(parts)[:250] or "_"


def _yaml(fields: dict[str, Any]) -> str:
    import yaml

    return str(yaml.safe_dump(fields, allow_unicode=True, sort_keys=True))


def _quoted(text: str) -> str:
    return json.dumps(text)
