"""Write runs as OpenLineage events, one a line (https://openlineage.io/spec/2-0-2/OpenLineage.json)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from hpc_explorer.interchange.openlineage.reading import DATASET, JOB, RUN
from hpc_explorer.interchange.runs import EVALUATIONS, HYPERPARAMETERS, Run, Runs
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.wording import counted

PRODUCER = "https://github.com/hpc-explorer/hpc-explorer"
_SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
_FACETS = "https://openlineage.io/spec/facets/1-0-0"
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def openlineage_events(quads: Iterable[Quad], now: datetime) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The events of the runs in statements, and sentences about what they cannot express.

    Args:
        now: the time of events of runs without a time.
    """
    runs = Runs(quads)
    events: list[dict[str, Any]] = []
    timeless = values = 0
    for run in runs.runs:
        values += sum(1 for one in (*run.used, *run.generated) if _is_value(runs, one))
        base = {
            "run": {"runId": run_id(run.iri), "facets": _run_facets(runs, run)},
            "job": _job(runs, run),
            "producer": PRODUCER,
            "schemaURL": _SCHEMA,
        }
        inputs = [_dataset(runs, one) for one in run.used if not _is_value(runs, one)]
        outputs = [_dataset(runs, one) for one in run.generated if not _is_value(runs, one)]
        if run.started is None and run.ended is None:
            timeless += 1
        status = run.attributes.get("status")
        failed = status is not None and status.value.upper() in ("FAIL", "FAILED", "ERROR")
        begun = {"eventType": "START", **base, "inputs": inputs, "outputs": []}
        done = {**base, "inputs": inputs, "outputs": outputs}
        if run.started is not None:
            events.append({**begun, "eventTime": _time(run.started)})
        if run.ended is not None:
            events.append({"eventType": "FAIL" if failed else "COMPLETE", "eventTime": _time(run.ended), **done})
        elif run.started is None:
            events.append({"eventType": "OTHER", "eventTime": _time(now), **done})
        elif outputs:
            events.append({"eventType": "RUNNING", "eventTime": _time(run.started), **done})
    told = [f"{counted(len(runs.runs), 'run')} of {counted(runs.statements, 'statement')}, with jobs and datasets"]
    if values:
        told.append(f"{values:,} parameters and metrics left out")
    if timeless:
        told.append(f"{counted(timeless, 'run')} without a time: written with the time of the export")
    return events, tuple(told)


def _is_value(runs: Runs, iri: NamedNode) -> bool:
    return runs.is_a(iri, HYPERPARAMETERS | EVALUATIONS)


def run_id(iri: NamedNode) -> str:
    """The UUID of a run: the one in its IRI, or one made from its IRI."""
    found = _UUID.search(iri.value)
    own = iri.value.rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    if found is not None and (iri.value.startswith(RUN) or own == found[0]):
        return found[0]
    return str(uuid.UUID(own)) if re.fullmatch("[0-9a-f]{32}", own) else str(uuid.uuid5(uuid.NAMESPACE_URL, iri.value))


def _run_facets(runs: Runs, run: Run) -> dict[str, Any]:
    facets: dict[str, Any] = {}
    by = {one.iri: one for one in runs.runs}
    parent = next((by[one] for one in run.informed_by if one in by), None)
    if parent is not None:
        facets["parent"] = _facet("ParentRunFacet", run={"runId": run_id(parent.iri)}, job=_named_job(runs, parent))
    if run.software:
        software = run.software[0]
        version = runs.text(software, HPC.version)
        facets["processing_engine"] = _facet(
            "ProcessingEngineRunFacet", name=runs.name(software), version=version or "unknown"
        )
    return facets


def _job(runs: Runs, run: Run) -> dict[str, Any]:
    return {**_named_job(runs, run), "facets": {}}


def _named_job(runs: Runs, run: Run) -> dict[str, Any]:
    plan = next((one for one in run.plans if one.value.startswith(JOB)), None)
    if plan is not None:
        namespace, _, name = plan.value.removeprefix(JOB).partition("/")
        return {"namespace": unquote(namespace), "name": unquote(name)}
    return {"namespace": "hpc-explorer", "name": runs.name(run.plans[0]) if run.plans else run.name}


def _dataset(runs: Runs, iri: NamedNode) -> dict[str, Any]:
    if iri.value.startswith(DATASET):
        namespace, _, name = iri.value.removeprefix(DATASET).partition("/")
        return {"namespace": unquote(namespace), "name": unquote(name), "facets": {}}
    parts = urlsplit(iri.value)
    if parts.scheme == "file" and not parts.fragment:
        return {"namespace": "file", "name": unquote(parts.path), "facets": {}}
    if parts.netloc and not parts.fragment and not parts.query and parts.scheme not in ("http", "https"):
        return {"namespace": f"{parts.scheme}://{parts.netloc}", "name": unquote(parts.path.lstrip("/")), "facets": {}}
    documentation = _facet("DocumentationDatasetFacet", description=runs.name(iri))
    return {"namespace": "hpc-explorer", "name": iri.value, "facets": {"documentation": documentation}}


def _facet(schema: str, **fields: Any) -> dict[str, Any]:
    return {"_producer": PRODUCER, "_schemaURL": f"{_FACETS}/{schema}.json", **fields}


def _time(moment: datetime) -> str:
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return aware.isoformat().replace("+00:00", "Z")
