"""OpenLineage: events of a file, of lines and of a folder meet in the same runs and datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.interchange.openlineage.reading import dataset_iri
from hpc_explorer.rdf.namespaces import HPC, PROV
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.foreign_sources import DATA, labelled, labels, statements
from tests.helpers.sessions import session_of

PRODUCER = {"producer": "https://example.org/test", "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json"}


def event(kind: str, run: str, name: str, time: str | None = "2024-01-01T10:00:00Z", **more: Any) -> dict[str, Any]:
    made = {"eventType": kind, "run": {"runId": run}, "job": {"namespace": "n", "name": name}, **PRODUCER, **more}
    return made if time is None else {**made, "eventTime": time}


CHAIN = [
    event("START", "r1", "clean", inputs=[{"namespace": "s3://b", "name": "raw.csv"}]),
    event("COMPLETE", "r1", "clean", "2024-01-01T11:00:00Z", outputs=[{"namespace": "s3://b", "name": "clean.csv"}]),
    event("START", "r2", "train", inputs=[{"namespace": "s3://b", "name": "clean.csv"}]),
    event("FAIL", "r2", "train", "2024-01-01T12:00:00Z", outputs=[{"namespace": "file", "name": "/models/a b.onnx"}]),
]


def test_a_model_leads_back_through_two_runs_to_the_raw_data(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_text("\n".join(map(json.dumps, CHAIN)) + "\n")
    session = session_of(path)
    lineage = trace_lineage(session, NamedNode("file:///models/a%20b.onnx"))
    assert {"train", "clean", "clean.csv", "raw.csv"} <= labels(session, lineage.nodes)
    (state,) = session.store.match(NamedNode("urn:openlineage:run:r2/status"), PROV.value)
    assert state.object == Literal("FAIL")


def test_a_file_lines_and_a_folder_say_the_same(tmp_path: Path) -> None:
    lines, array, folder = tmp_path / "e.jsonl", tmp_path / "e.json", tmp_path / "events"
    lines.write_text("\n".join(map(json.dumps, CHAIN)))
    array.write_text(json.dumps(CHAIN))
    folder.mkdir()
    for number, one in enumerate(reversed(CHAIN)):
        (folder / f"{number}.json").write_text(json.dumps(one))
    found = [{quad.triple for quad in statements(path)} for path in (lines, array, folder)]
    assert found[0] == found[1] == found[2]
    assert len(session_of(folder).sources) == 1


def test_events_of_the_real_client_open() -> None:
    session = session_of(DATA / "openlineage.ndjson")
    assert session.sources[0].missing == ()
    lineage = trace_lineage(session, dataset_iri("s3://bucket", "model.onnx"))
    assert {"train", "tiles.npz"} <= labels(session, lineage.nodes)


def test_parents_in_a_circle_end(tmp_path: Path) -> None:
    def with_parent(run: str, parent: str) -> dict[str, Any]:
        facets = {"parent": {"run": {"runId": parent}, "job": {"namespace": "n", "name": f"job {parent}"}}}
        return event("COMPLETE", run, f"job {run}") | {"run": {"runId": run, "facets": facets}}

    path = tmp_path / "events.json"
    path.write_text(json.dumps([with_parent("a", "b"), with_parent("b", "a"), with_parent("c", "c")]))
    session = session_of(path)
    nodes = trace_lineage(session, NamedNode("urn:openlineage:run:a")).nodes
    assert NamedNode("urn:openlineage:run:b") in nodes
    assert session.sources[0].notes == (
        f"parents in a circle: a → b → a ({path}, event 1)",
        f"the run c is its own parent ({path}, event 3)",
    )


def test_what_is_torn_or_has_no_time_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    lines = [
        json.dumps(CHAIN[0]),
        '{"eventType": "START", "run": {"runI',
        json.dumps(event("START", "r3", "late", None)),
        "7",
    ]
    path.write_text("\n".join(lines))
    session = session_of(path)
    assert session.sources[0].missing == (
        f"a half-written line: {path}:2",
        f"an event without time: {path}, event 2",
        f"not an event: {path}, event 3",
    )
    assert labelled(session, "raw.csv")
    assert next(session.store.match(NamedNode("urn:openlineage:run:r3")), None) is not None


def test_an_unknown_facet_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "events.json"
    path.write_text(json.dumps(event("START", "r", "x") | {"run": {"runId": "r", "facets": {"mine": {"a": 1}}}}))
    (kept,) = session_of(path).store.match(None, HPC.notUnderstood)
    assert json.loads(kept.object.value) == {"mine": {"a": 1}}  # type: ignore[union-attr]
