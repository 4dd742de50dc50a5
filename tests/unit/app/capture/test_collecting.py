"""Collecting: complete, repeatable, restartable at any point, and honest about what is missing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.capture import collecting
from hpc_explorer.app.capture.collecting import Collector
from hpc_explorer.app.checks.validating import check_graph
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.capture import spool as reading
from hpc_explorer.capture.spool import frames, header
from hpc_explorer.errors import SourceNotFound, StoreLocked
from tests.helpers.recorded import records_in, run_program, statements_of
from tests.helpers.sessions import session_of
from tests.unit.interchange.capture.test_statements import TRAINING


@pytest.fixture(scope="module")
def spool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The spool of a small training."""
    folder = tmp_path_factory.mktemp("recorded")
    run_program(TRAINING, folder / "spool", {"WORK": str(folder / "work")})
    return folder / "spool"


def collect(folder: Path, *spools: Path) -> list[str]:
    with Collector(folder, spools) as collector:
        collector.gather()
        collector.load()
        return collector.missing()


def opened(folder: Path) -> Session:
    return session_of(folder)


def triples_of(folder: Path) -> set[str]:
    with closing(opened(folder)) as session:
        return {f"{quad.triple} ." for quad in session.store.match()}


def test_a_workspace_has_the_statements_of_all_records(tmp_path: Path, spool: Path) -> None:
    assert collect(tmp_path / "ws", spool) == []
    wanted = statements_of(records_in(spool))
    assert len(triples_of(tmp_path / "ws")) == len(wanted)
    before = triples_of(tmp_path / "ws")
    assert collect(tmp_path / "ws", spool) == []
    assert triples_of(tmp_path / "ws") == before
    collect(tmp_path / "other", spool)
    assert triples_of(tmp_path / "other") == before


def test_what_was_collected_is_valid_prov_ml(tmp_path: Path, spool: Path) -> None:
    collect(tmp_path / "ws", spool)
    with closing(opened(tmp_path / "ws")) as session:
        assert list(check_graph(session)) == []


def test_it_goes_on_wherever_it_was_stopped(tmp_path: Path, spool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is killed leaves statements without the note of how far they go."""
    collect(tmp_path / "whole", spool)
    wanted = triples_of(tmp_path / "whole")
    monkeypatch.setattr(collecting, "_PART", 500)
    monkeypatch.setattr(reading, "_READ", 700)
    saved = collecting._State.save

    for stop in (1, 2, 4):
        calls = 0

        def save(state: collecting._State, stop: int = stop) -> None:
            nonlocal calls
            calls += 1
            if calls == stop:
                raise KeyboardInterrupt
            saved(state)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(collecting._State, "save", save)
            with pytest.raises(KeyboardInterrupt):
                collect(tmp_path / f"ws-{stop}", spool)
        assert collect(tmp_path / f"ws-{stop}", spool) == []
        assert triples_of(tmp_path / f"ws-{stop}") == wanted


def test_a_spool_that_grows_is_read_on(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    made = frames(
        [
            ("begin", "w.1/task:a.1", 1, {"name": "a"}),
            *(("metric", "w.1/task:a.1", "m", 0.5, number, 1, None) for number in range(50)),
        ]
    )
    data = header("p") + b"".join(made)
    with Collector(tmp_path / "ws", [spool], patient=True) as collector:
        counted = 0
        for end in range(len(header("p")), len(data), 97):
            (spool / "p.spool").write_bytes(data[:end])
            counted += collector.gather()
        (spool / "p.spool").write_bytes(data)
        assert counted + collector.gather() == 51
        assert collector.missing() == []


def test_what_cannot_be_read_is_one_line_and_the_rest_is_there(tmp_path: Path, spool: Path) -> None:
    folder = tmp_path / "spool"
    folder.mkdir()
    (file,) = spool.iterdir()
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    (folder / "a.spool").write_bytes(whole[:-5])
    (folder / "b.spool").write_bytes(whole.replace(b"spool 1", b"spool 9", 1))
    (folder / "c.spool").write_text("a,b\n1,2\n")
    (folder / "d.spool").write_bytes(b"".join([*lines[:3], b"00000005 00000000 [1,2]\n", *lines[3:]]))
    (folder / "e.spool").write_bytes(header("e") + b"".join(frames([("planet", 1), ("lost", 3, "the disk is full")])))
    missing = collect(tmp_path / "ws", folder)
    for file_name, said in (
        ("a", "incomplete"),
        ("b", "version 9"),
        ("c", "not a spool"),
        ("d", "damaged"),
        ("e", "planet"),
    ):
        assert sum(f"{file_name}.spool" in line and said in line for line in missing) == 1, missing
    assert sum("3 records not written by the recorder: the disk is full" in line for line in missing) == 1
    assert len(missing) == 6
    assert len(triples_of(tmp_path / "ws")) == len(statements_of(records_in(spool)))
    assert collect(tmp_path / "ws", folder) == missing


def test_a_missing_spool_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="no such spool"):
        Collector(tmp_path / "ws", [tmp_path / "none"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceNotFound, match="no spool file"):
        Collector(tmp_path / "ws", [tmp_path / "empty"])


def test_two_collectors_do_not_collect_the_same_spool(tmp_path: Path, spool: Path) -> None:
    with Collector(tmp_path / "ws", [spool]), pytest.raises(StoreLocked, match="another program"):
        Collector(tmp_path / "ws", [spool])
