"""A spool folder or file opens as a source, with the statements that collecting gives."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from hpc_explorer.capture.spool import frames, header
from tests.helpers.program import run
from tests.helpers.recorded import records_in, run_program, statements_of
from tests.helpers.sessions import session_of
from tests.unit.interchange.capture.test_statements import TRAINING


def test_a_spool_opens_as_it_is_collected(tmp_path: Path) -> None:
    run_program(TRAINING, tmp_path / "spool", {"WORK": str(tmp_path / "work")})
    (file,) = (tmp_path / "spool").iterdir()
    for source in (tmp_path / "spool", file):
        session = session_of(source)
        with closing(session):
            found = {f"{quad.triple} ." for quad in session.store.match()}
        assert len(found) == len(statements_of(records_in(tmp_path / "spool")))


def test_what_cannot_be_read_is_one_line_each(tmp_path: Path) -> None:
    good = frames([("begin", "w.1/task:a.1", 1, {"name": "a"})])[0]
    (tmp_path / "a.spool").write_bytes(header("a") + good + b"torn" + b"\n" + good + b"0000")
    (tmp_path / "b.spool").write_bytes(b"hpc-explorer-spool 2 b\n")
    (tmp_path / "c.spool").write_bytes(header("c") + frames([("planet", 1)])[0] + frames([("lost", 2, "disk full")])[0])
    done = run("info", tmp_path)
    assert done.code == 1
    lines = done.err.splitlines()
    for said in ("a damaged record", "the last record is incomplete", "version 2", "planet", "2 records not written"):
        assert sum(said in line for line in lines) == 1, lines
    assert len(lines) == 5
    assert "capture spool" in done.out


def test_a_spool_without_a_record_that_is_understood_says_why(tmp_path: Path) -> None:
    later = tmp_path / "later" / "a.spool"
    later.parent.mkdir()
    later.write_bytes(b"hpc-explorer-spool 2 a\n[]\n")
    unknown = tmp_path / "unknown" / "b.spool"
    unknown.parent.mkdir()
    unknown.write_bytes(header("b") + b"".join(frames([("planet", 1), ("planet", 2)])))
    for file, said in ((later, "version 2 of the spool's format"), (unknown, "2 records not understood")):
        for done in (run("info", file.parent), run("load", file.parent, "--into", tmp_path / "loaded")):
            assert done.code == 2
            assert said in done.err, done.err
    done = run("collect", unknown.parent, "--into", tmp_path / "collected")
    assert done.code == 1
    assert done.out.startswith("0 records of ")
    assert "2 records not understood: unknown record 'planet'" in done.err
