"""`monitor watch`: a file that grows, is cut in a line, disappears, and a program that is killed meanwhile."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hpc_explorer.app.monitor.series import SeriesReader, stated_series
from hpc_explorer.app.monitor.watching import Watch, watch
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from tests.helpers.program import installed_command, run

HEAD = "time,host,rate\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "run.csv").write_text(
        ",execute_start,execute_end,runtime,stage_in_delay,kickstart_hostname\nfit_1,1,9,8,1,n1\n"
    )
    load_into(tmp_path / "ws", [str(tmp_path / "run.csv")])
    return tmp_path / "ws"


def _lines(first: int, last: int) -> str:
    return "".join(f"{1_700_000_000 + step},n1,{step}\n" for step in range(first, last))


def _opened(workspace: Path) -> Session:
    session = Session.new()
    open_sources(session, [str(workspace)], keep_workspace=True)
    return session


def _values(session: Session) -> list[float]:
    (series,) = stated_series(session)
    return list(SeriesReader(session).points(series).values)


def test_what_is_written_is_added_once_and_a_cut_line_waits(workspace: Path, tmp_path: Path) -> None:
    file, session = tmp_path / "rates.csv", _opened(workspace)
    try:
        looks = watch(session, [str(file)], every=0.01)
        assert next(looks).problem == "No such file or directory"
        file.write_text(HEAD + _lines(0, 3) + "170000000")
        grown = next(looks)
        assert (grown.new_points, grown.newest, grown.lost) == (3, 1_700_000_002, ())
        file.write_text(HEAD + _lines(0, 5))
        assert next(looks).new_points == 2
        file.write_bytes(b"\xff\xfe\xff")
        assert "not text in UTF-8" in next(looks).problem
        file.write_text(HEAD + _lines(4, 7))
        assert next(looks).new_points == 2
        assert _values(session) == [0, 1, 2, 3, 4, 5, 6]
    finally:
        session.close()


def test_what_cannot_be_read_is_told_once(workspace: Path, tmp_path: Path) -> None:
    file, session = tmp_path / "rates.csv", _opened(workspace)
    watching = Watch(session, [str(file)])
    try:
        file.write_text(HEAD + _lines(0, 3) + "never,n1,1\n")
        (first,) = watching.look()
        assert first.lost == (f"not a time: 'never': {file}:5",)
        assert list(watching.look()) == []
        file.write_text(HEAD + _lines(0, 3) + "never,n1,1\n" + _lines(3, 5) + "again,n1,1\n")
        (second,) = watching.look()
        assert (second.new_points, second.lost) == (2, (f"not a time: 'again': {file}:8",))
    finally:
        watching.close()
        session.close()


@pytest.mark.slow
def test_a_kill_while_following_loses_and_doubles_nothing(workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text(HEAD + _lines(0, 10))
    words = [installed_command(), "monitor", "watch", str(workspace), str(file), "--every", "0.05"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        assert "10 new points, the newest is" in watching.stdout.readline()
        with file.open("a") as stream:
            stream.write(_lines(10, 20))
        watching.kill()
    again = run("monitor", "watch", workspace, file, "--timeout", "5", "--every", "0.05", "--json")
    assert again.code == 0, again.err
    session = _opened(workspace)
    try:
        assert _values(session) == list(range(20))
    finally:
        session.close()
