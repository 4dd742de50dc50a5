"""A workspace: loaded once, opened at once, the same answers as in memory; changed whole or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.explore.describing import describe_graph, describe_resource, properties_for
from hpc_explorer.app.explore.finding import resolve, search
from hpc_explorer.app.export.exporting import export_graph
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.query.run_query import run_query
from hpc_explorer.app.workspace.change import changed_workspace
from hpc_explorer.app.workspace.load_progress import LoadProgress
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import close_source, close_workspace, open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import (
    Cancelled,
    InputError,
    OutputNotWritable,
    SourceNotFound,
    StoreError,
    StoreLocked,
    Unsupported,
    UsageError,
)
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.local.profile import count_profile
from tests.helpers.datasets import same
from tests.helpers.sessions import session_of

PREFIXES = "@prefix ex: <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
MODEL = "http://example.org/AIModel/MO000001"


def file(folder: Path, name: str, content: str) -> str:
    (folder / name).write_text(PREFIXES + content, encoding="utf-8")
    return str(folder / name)


def names_of(workspace: Path) -> list[str]:
    session = session_of(workspace)
    names = [Path(source.name).name for source in session.sources]
    session.close()
    return names


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded") / "workspace"
    load_into(folder, ["sample:xplacer", "sample:fugaku"])
    return folder


@pytest.fixture
def workspace(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "workspace")


ANSWERS: list[Callable[[Session], object]] = [
    describe_graph,
    class_tree,
    lambda session: sorted(map(str, properties_for(session, HPC.AIModel))),
    lambda session: set(trace_lineage(session, resolve(session, MODEL)).edges),
    lambda session: [hit.ref for hit in search(session, "decision tree").hits],
    lambda session: run_query(session, "SELECT ?c (COUNT(*) AS ?n) { ?s a ?c } GROUP BY ?c ORDER BY ?n ?c"),
    lambda session: describe_resource(session, resolve(session, MODEL)).types,
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_workspace_answers_as_its_sources_do_in_memory(loaded: Path, answer: Callable[[Session], object]) -> None:
    in_memory, on_disk = session_of("sample:xplacer", "sample:fugaku"), session_of(loaded)
    assert str(answer(on_disk)) == str(answer(in_memory)) or answer(on_disk) == answer(in_memory)
    in_memory.close()
    on_disk.close()


def test_a_workspace_is_exported_as_its_sources_are(workspace: Path, tmp_path: Path) -> None:
    written = []
    for number, session in enumerate((session_of("sample:xplacer", "sample:fugaku"), session_of(workspace))):
        export_graph(session, tmp_path / f"{number}.nq")
        written.append(list(read_source(tmp_path / f"{number}.nq").quads()))
        session.close()
    assert same(*written)


def test_a_source_is_written_back_in_its_own_spelling(tmp_path: Path) -> None:
    alias = "https://github.com/HPC-FAIR/HPC-Ontology#"
    path = file(tmp_path, "a.ttl", f'ex:m a <{alias}AIModel> ; <{alias}a> "01"^^xsd:integer, "1"^^xsd:integer, 1.50 .')
    before = list(read_source(Path(path)).quads())
    text = Path(path).read_text()
    load_into(tmp_path / "w", [path])
    session = session_of(tmp_path / "w")
    export_graph(session, Path(path))
    session.close()
    assert alias in Path(path).read_text()
    assert text != Path(path).read_text(), "it was written anew"
    assert same(before, read_source(Path(path)).quads())


def test_the_profile_is_what_counting_gives_after_each_change(tmp_path: Path) -> None:
    one = file(tmp_path, "one.ttl", 'ex:a a ex:C ; ex:p 1, 1.5, "x"@en ; ex:q ex:b .')
    two = file(tmp_path, "two.ttl", "ex:a a ex:D ; ex:q ex:b . ex:b a ex:C ; ex:p 1 .")
    folder = tmp_path / "w"

    def check() -> None:
        session = session_of(folder)
        assert session.workspace is not None
        assert session.workspace.profile == count_profile(session.store)
        assert session.workspace.profile.quads == sum(1 for _ in session.store.match()) == session.store.size().value
        session.close()

    load_into(folder, [one])
    check()
    load_into(folder, [two])
    check()
    file(tmp_path, "one.ttl", "ex:c a ex:C .")
    load_into(folder, [one])
    check()
    load_into(folder, [], remove=[two])
    check()


def test_reload_reads_anew_and_remove_takes_out(tmp_path: Path) -> None:
    one, two = file(tmp_path, "one.ttl", "ex:a ex:p 1 ."), file(tmp_path, "two.ttl", "ex:a ex:p 1 .")
    folder = tmp_path / "w"
    assert load_into(folder, [one, two]).triples == 2
    file(tmp_path, "one.ttl", "ex:a ex:p 2, 3 .")
    done = load_into(folder, [one])
    assert ([source.triples for source in done.loaded], done.triples) == ([2], 3)
    assert sorted(names_of(folder)) == ["one.ttl", "two.ttl"]
    assert load_into(folder, [], remove=[two]).removed == (two,)
    assert names_of(folder) == ["one.ttl"]
    with pytest.raises(SourceNotFound, match=r"one\.ttl"):
        load_into(folder, [], remove=[two])
    load_into(folder, [two], remove=[str(tmp_path / "one.ttl")])
    assert names_of(folder) == ["two.ttl"]
    load_into(folder, [], remove=[str(tmp_path)])
    assert names_of(folder) == []
    assert [state.name for state in (folder / "states").iterdir()] == ["5"], "what does not hold is gone"


def test_the_manifest_says_what_was_loaded(tmp_path: Path) -> None:
    path = file(tmp_path, "a.ttl", "ex:a ex:p 1 .")
    load_into(tmp_path / "w", [path])
    (source,) = json.loads((tmp_path / "w" / "manifest.json").read_text())["sources"]
    assert source["path"] == path
    assert source["size"] == Path(path).stat().st_size
    assert source["triples"] == 1
    assert source["format"] == "Turtle"
    assert source["prefixes"]["ex"] == "http://example.org/"
    assert len(source["sha256"]) == 64


def test_a_failed_load_leaves_the_workspace_as_it_was(workspace: Path, tmp_path: Path) -> None:
    before = (workspace / "manifest.json").read_bytes()
    good, bad = file(tmp_path, "good.ttl", "ex:a ex:p 1 ."), file(tmp_path, "bad.ttl", "ex:a ex:p 1 . oops")
    with pytest.raises(InputError):
        load_into(workspace, [good, bad])
    token = CancelToken()

    def stop_while_indexing(progress: LoadProgress) -> None:
        if progress.step == "indexing names":
            token.cancel()

    with pytest.raises(Cancelled):
        load_into(workspace, [good], report=stop_while_indexing, limits=Limits(cancel=token))
    assert (workspace / "manifest.json").read_bytes() == before
    assert [state.name for state in (workspace / "states").iterdir()] == ["1"]
    with pytest.raises(InputError):
        load_into(tmp_path / "new", [bad])
    assert not (tmp_path / "new").exists()


def test_what_a_killed_load_left_is_never_seen(workspace: Path) -> None:
    left = workspace / "states" / "2"
    left.mkdir()
    (left / "labels.db").write_text("half")
    session = session_of(workspace)
    assert len(session.sources) == 2
    session.close()
    OpenWorkspace.open(workspace, alone=True).close()
    assert not left.exists()


def test_the_second_to_open_it_can_only_read(workspace: Path) -> None:
    first = OpenWorkspace.open(workspace, alone=True)
    second = OpenWorkspace.open(workspace, alone=True)
    assert (first.alone, second.alone) == (True, False)
    assert first.read_only_reason is None
    assert second.read_only_reason == (
        "another program has this workspace open and may change it; here it can only be read"
    )
    assert second.store.size() == first.store.size()
    with pytest.raises(StoreLocked):
        load_into(workspace, ["sample:npb"])
    first.close()
    second.close()
    load_into(workspace, ["sample:npb"])


def test_a_session_says_why_it_cannot_be_edited(workspace: Path) -> None:
    writing = session_of(workspace, keep_workspace=True)
    assert writing.read_only_reason is None
    second = session_of(workspace, keep_workspace=True)
    assert "another program" in (second.read_only_reason or "")
    reading, in_memory = session_of(workspace), session_of("sample:npb")
    assert reading.read_only_reason == "the workspace was opened for reading only"
    assert "load the sources" in (in_memory.read_only_reason or "")
    for session in (writing, second, reading, in_memory):
        session.close()


def test_a_reader_keeps_its_state_while_the_workspace_changes(workspace: Path) -> None:
    session = session_of(workspace)
    size = session.store.size()
    load_into(workspace, ["sample:npb"])
    assert sum(1 for _ in session.store.match()) == size.value
    assert search(session, "decision tree").hits
    assert (workspace / "states" / "1").exists()
    session.close()
    load_into(workspace, ["sample:nsf"])
    assert [state.name for state in (workspace / "states").iterdir()] == ["3"]


def test_what_is_no_workspace_is_refused(workspace: Path, tmp_path: Path) -> None:
    path = file(tmp_path, "a.ttl", "ex:a ex:p 1 .")
    with pytest.raises(OutputNotWritable, match="not a workspace"):
        load_into(tmp_path, [path])
    with pytest.raises(UsageError, match="another"):
        load_into(tmp_path / "w", [str(workspace)])
    with pytest.raises(UsageError, match="nothing to load"):
        load_into(tmp_path / "w", [])
    with pytest.raises(SourceNotFound, match="no workspace"):
        load_into(tmp_path / "w", [], remove=[path])
    with pytest.raises(StoreError, match="no workspace"):
        OpenWorkspace.open(tmp_path)
    (workspace / "manifest.json").write_text("{}")
    with pytest.raises(StoreError, match="manifest cannot be read"):
        session_of(workspace)
    (workspace / "manifest.json").write_text('{"format": 99}')
    with pytest.raises(StoreError, match="newer version"):
        session_of(workspace)


def test_a_workspace_is_opened_alone_and_not_changed_by_closing(workspace: Path) -> None:
    with pytest.raises(UsageError, match="alone"):
        session_of("sample:npb", workspace)
    session = session_of(workspace)
    with pytest.raises(UsageError, match="combined"):
        open_sources(session, ["sample:npb"])
    with pytest.raises(Unsupported, match="removed"):
        close_source(session, session.sources[0].graph)
    assert len(session.sources) == 2
    session.close()


def test_an_error_in_a_change_undoes_it(workspace: Path) -> None:
    def change_halfway() -> None:
        with changed_workspace(workspace) as change:
            change.sources.clear()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change_halfway()
    assert len(names_of(workspace)) == 2


def test_a_closed_workspace_is_free_for_others_and_the_session_goes_on_empty(tmp_path: Path) -> None:
    load_into(tmp_path / "kept", ["sample:fugaku"])
    session = session_of(tmp_path / "kept", keep_workspace=True)
    with pytest.raises(StoreLocked), changed_workspace(tmp_path / "kept"):
        pass
    close_workspace(session)
    assert session.sources == ()
    assert session.workspace is None
    load_into(tmp_path / "kept", ["sample:fugaku"])
    open_sources(session, ["sample:fugaku"])
    assert describe_graph(session).triples.value > 0
    session.close()
