"""Versions of sources: kept when a source is read anew, and the graph as it was recorded by any moment."""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.explore.describing import describe_graph
from hpc_explorer.app.lineage.tracing import recorded_lineage, recorded_store, trace_lineage
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import StoreError, Unsupported
from hpc_explorer.lineage.time.recorded import RecordedState
from hpc_explorer.lineage.trace.trace import Direction, Stop
from hpc_explorer.rdf.namespaces import PROV
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.changes import source_versions
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.manifest import read_manifest
from tests.helpers.examples import examples
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

PREFIXES = "@prefix ex: <http://example.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .\n"
MARCH = datetime(2026, 3, 1, 12, tzinfo=UTC)


def day(number: int) -> datetime:
    return MARCH + timedelta(days=number)


def write(file: Path, content: str, when: datetime | None = None) -> str:
    file.write_text(PREFIXES + content, encoding="utf-8")
    if when is not None:
        os.utime(file, (when.timestamp(), when.timestamp()))
    return str(file)


def opened(workspace: Path) -> Session:
    return session_of(workspace)


def quads_at(session: Session, at: datetime | None) -> set[Quad]:
    return set(recorded_store(session, at).match())


ONE = "ex:model prov:wasDerivedFrom ex:curated . ex:curated prov:wasDerivedFrom ex:raw1 ."
TWO = "ex:model prov:wasDerivedFrom ex:curated . ex:curated prov:wasDerivedFrom ex:raw2 ."


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace whose one source is in its second version."""
    folder = tmp_path / "w"
    load_into(folder, [write(tmp_path / "a.ttl", ONE, day(0))])
    load_into(folder, [write(tmp_path / "a.ttl", TWO, day(9))])
    return folder


def test_a_changed_source_keeps_what_it_was(workspace: Path) -> None:
    (source,) = read_manifest(workspace).sources
    (earlier,) = source.earlier
    assert (earlier.recorded, source.recorded) == (day(0), day(9))
    assert (earlier.triples, earlier.removed, earlier.added) == (2, 1, 1)
    assert earlier.sha256 != source.sha256
    session = opened(workspace)
    notes = describe_graph(session).sources[0].notes
    assert notes[0].startswith(
        "version 1, recorded 2026-03-01 12:00:00 UTC, 2 triples: the next one removed 1 statement and added 1"
    )
    marks = session.recorded_history().versions
    assert [(mark.number, mark.recorded, mark.added) for mark in marks] == [(1, day(0), None), (2, day(9), 1)]
    session.close()


def test_the_lineage_as_it_was_recorded(workspace: Path) -> None:
    session = opened(workspace)

    def reached(at: datetime | None) -> set[object]:
        return set(trace_lineage(session, ex("model"), recorded_by=at).nodes)

    assert reached(day(-1)) == {ex("model")}
    assert reached(day(0)) == reached(day(8)) == {ex("model"), ex("curated"), ex("raw1")}
    assert reached(day(9)) == set(trace_lineage(session, ex("model")).nodes)
    found = recorded_lineage(session, trace_lineage(session, ex("model")))
    assert found.moments == (day(0), day(9))
    assert found.states(day(-1))[ex("model")] is RecordedState.NOT_YET
    assert found.states(day(3))[ex("raw2")] is RecordedState.NOT_YET
    assert found.states(None)[ex("raw1")] is RecordedState.NO_LONGER
    assert found.states(None)[ex("raw2")] is RecordedState.RECORDED
    session.close()


def test_what_says_the_same_is_no_new_version(workspace: Path, tmp_path: Path) -> None:
    load_into(workspace, [write(tmp_path / "a.ttl", TWO + "\n# looked through\n", day(12))])
    (source,) = read_manifest(workspace).sources
    assert (len(source.earlier), source.recorded) == (1, day(9))


def test_a_file_older_than_what_it_replaces_counts_from_its_loading(workspace: Path, tmp_path: Path) -> None:
    begin = datetime.now(UTC)
    load_into(workspace, [write(tmp_path / "a.ttl", ONE, day(0))])
    (source,) = read_manifest(workspace).sources
    assert [version.recorded for version in source.earlier] == [day(0), day(9)]
    assert begin <= source.recorded <= datetime.now(UTC)
    session = opened(workspace)
    now = set(session.store.match())
    assert quads_at(session, day(1)) == quads_at(session, source.recorded) == now != quads_at(session, day(9))
    session.close()


def test_a_removed_source_takes_its_versions_along(workspace: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "b.ttl", "ex:b prov:used ex:c .", day(1))
    load_into(workspace, [other])
    load_into(workspace, [], remove=[str(tmp_path / "a.ttl")])
    assert not list((workspace / source_versions.VERSIONS).glob("*"))
    session = opened(workspace)
    assert {quad.subject for quad in quads_at(session, None)} == {ex("b")}
    assert {quad.subject for quad in quads_at(session, day(5))} == {ex("b")}
    session.close()


def test_versions_that_are_damaged_are_said_to_be(workspace: Path) -> None:
    (file,) = (workspace / source_versions.VERSIONS).glob("*")
    file.write_bytes(file.read_bytes()[:-9])
    session = opened(workspace)
    with pytest.raises(StoreError, match="damaged"):
        trace_lineage(session, ex("model"), recorded_by=day(1))
    session.close()


def test_a_change_too_large_to_keep_leaves_undated_what_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_versions.difference, "__kwdefaults__", {"most": 1, "limits": source_versions.NO_LIMITS})
    folder = tmp_path / "w"
    load_into(folder, [write(tmp_path / "a.ttl", ONE, day(0))])
    load_into(folder, [write(tmp_path / "a.ttl", TWO, day(9))])
    (source,) = read_manifest(folder).sources
    assert (source.earlier[0].removed, source.earlier[0].changes) == (None, None)
    session = opened(folder)
    found = recorded_lineage(session, trace_lineage(session, ex("model")))
    assert set(found.states(day(3)).values()) == {RecordedState.UNDATED}
    assert set(found.states(day(9)).values()) == {RecordedState.RECORDED}
    session.close()


def test_samples_and_what_is_inferred_have_no_time() -> None:
    session = session_of("sample:xplacer")
    assert session.recorded_history().versions == ()
    assert quads_at(session, day(0)) == quads_at(session, None) == set(session.store.match())
    from hpc_explorer.app.explore.inference import infer

    infer(session)
    with pytest.raises(Unsupported, match="inferred"):
        recorded_store(session, day(0))
    session.close()


def test_files_in_memory_are_as_old_as_they_are(tmp_path: Path) -> None:
    session = session_of(write(tmp_path / "a.ttl", ONE, day(0)), write(tmp_path / "b.ttl", TWO, day(5)))
    assert len(quads_at(session, day(-1))) == 0
    assert len(quads_at(session, day(1))) == 2
    assert quads_at(session, day(5)) == set(session.store.match())
    session.close()


NAMES = [f"n{number}" for number in range(4)]
LINKS = ("wasDerivedFrom", "used", "wasGeneratedBy")
triple = st.tuples(st.sampled_from(NAMES), st.sampled_from(LINKS), st.sampled_from(NAMES)).filter(
    lambda t: t[0] != t[2]
)
document = st.sets(triple, min_size=1, max_size=5)
edit = st.tuples(st.sets(triple, max_size=2), st.sets(triple, max_size=2), st.sampled_from(("a", "b", "own")))
step = st.one_of(
    st.tuples(st.just("load"), st.sampled_from(("a", "b")), document, st.booleans()),
    st.tuples(st.just("edit"), edit),
)


@examples(12)
@given(document, st.lists(step, min_size=1, max_size=5))
def test_each_moment_has_what_the_workspace_had_then(first: set[tuple[str, str, str]], steps: list[tuple]) -> None:  # type: ignore[type-arg]  # of two shapes
    """Whatever is loaded anew and edited: the graph as recorded by a moment is what the workspace was at that moment."""
    folder = Path(tempfile.mkdtemp())
    try:
        workspace = folder / "w"

        def load(name: str, content: set[tuple[str, str, str]], when: datetime) -> None:
            """A file of that time, which is told here: what a file system notes is coarser than the times of edits."""
            text = "".join(f"ex:{s} prov:{p} ex:{o} .\n" for s, p, o in content)
            load_into(workspace, [write(folder / f"{name}.ttl", text, when)])

        def quad(one: tuple[str, str, str], graph: str) -> Quad:
            name = NamedNode("urn:test:own" if graph == "own" else (folder / f"{graph}.ttl").resolve().as_uri())
            return Quad(ex(one[0]), PROV.term(one[1]), ex(one[2]), name)

        known: list[tuple[datetime, set[Quad]]] = []

        def note() -> None:
            now = datetime.now(UTC)
            shown = OpenWorkspace.open(workspace)
            known.append((now, set(shown.store.match())))
            shown.close()

        load("a", first, datetime.now(UTC))
        note()
        for what, *rest in steps:
            if what == "load":
                name, content, is_older = rest
                older = is_older and (folder / f"{name}.ttl").exists()
                load(name, content, day(0) if older else datetime.now(UTC))
            else:
                ((removed, added, graph),) = rest
                changed = OpenWorkspace.open(workspace, alone=True)
                changed.edit(
                    ChangeSet(
                        tuple(quad(one, graph) for one in removed - added), tuple(quad(one, graph) for one in added)
                    )
                )
                changed.close()
            note()
        session = opened(workspace)
        for at, quads in known:
            assert quads_at(session, at) == quads, at
        ever = recorded_store(session, None)
        for start in {quad.subject for quad in ever.match()}:
            for downstream in (False, True):
                now = trace_lineage(session, start, downstream=downstream)
                found = recorded_lineage(session, now)
                for at, _ in known:
                    then = trace_lineage(session, start, downstream=downstream, recorded_by=at)
                    states = found.states(at)
                    there = {one for one, state in states.items() if state is RecordedState.RECORDED}
                    assert there == (set() if then.nodes[start].stop is Stop.NOT_RECORDED else set(then.nodes))
                assert found.lineage.direction is (Direction.DOWNSTREAM if downstream else Direction.UPSTREAM)
        session.close()
    finally:
        shutil.rmtree(folder)
