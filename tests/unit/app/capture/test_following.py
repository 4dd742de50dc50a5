"""Following a run gives the statements that opening it at the end gives; stalls are judged by the average interval."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from hpc_explorer.app.capture.following import FollowedRuns
from hpc_explorer.app.capture.progress import Progress, State
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.capture.spool import spool_files
from tests.helpers.recorded import run_program
from tests.unit.interchange.capture.test_statements import TRAINING

SECOND = 1_000_000_000


def test_following_in_parts_gives_the_statements_of_the_whole(tmp_path: Path) -> None:
    run_program(TRAINING, tmp_path / "spool", {"WORK": str(tmp_path / "work")})
    (file,) = spool_files(tmp_path / "spool")
    data = file.read_bytes()
    growing = tmp_path / "growing"
    growing.mkdir()
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / file.name).write_bytes(data)
    part = growing / file.name
    ends = [len(data) * number // 7 for number in range(2, 8)]  # most are within a record
    part.write_bytes(data[: ends[0]])
    runs = FollowedRuns()
    with closing(Session.new()) as session, closing(Session.new()) as whole:
        # The other source states the same: the merge of both has each statement once.
        open_sources(session, [str(growing), str(tmp_path / "beside")])
        for end in ends:
            part.write_bytes(data[:end])
            view = runs.follow(session)
        open_sources(whole, [str(tmp_path / "spool")])
        source, beside = session.opened
        grown = {quad.triple for quad in session.store.match(graph=source.graphs[0])}
        assert grown == {quad.triple for quad in whole.store.match()}
        assert source.summary.triples == beside.summary.triples == whole.opened[0].summary.triples
        count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
        assert [str(row["n"]) for row in session.store.select(count)] == [
            str(row["n"]) for row in whole.store.select(count)
        ]
        assert view.problems == ()
        assert {row.state for row in view.rows} == {State.DONE}


def training(progress: Progress, rank: int, batches: int) -> None:
    path = f"fit.1/rank:{rank}"
    records: list[list[object]] = [["run", path, 0, {"name": "fit"}]]
    records.append(["begin", f"{path}/stage:training.1", 0, {"name": "training"}])
    for number in range(batches):
        records.append(
            ["batch", f"{path}/stage:training.1/epoch:0/batch:{number}", number * SECOND, (number + 1) * SECOND, None]
        )
    progress.add(records)


def test_a_rank_is_stalled_after_ten_of_its_average_intervals() -> None:
    progress = Progress()
    training(progress, 0, 30)
    training(progress, 1, 20)
    assert [row.state for row in progress.view(now=30 * SECOND).rows if row.depth == 1] == [State.RUNNING] * 2
    view = progress.view(now=31 * SECOND)
    states = {row.label: row.state for row in view.rows}
    assert states["rank 0"] is State.RUNNING
    assert states["rank 1"] is State.STALLED
    assert states["fit, run 1"] is State.STALLED
    (why,) = {row.why for row in view.rows if row.label == "rank 1"}
    assert why == "no record for 11 s; on average one every 1 s, at the longest after 1 s (its last 19 intervals)"
    progress.add([["end", "fit.1/rank:1", 31 * SECOND, None]])
    states = {row.label: row.state for row in progress.view(now=35 * SECOND).rows}
    assert (states["rank 1"], states["fit, run 1"]) == (State.DONE, State.RUNNING)


def test_with_few_records_nothing_is_judged() -> None:
    progress = Progress()
    training(progress, 0, 2)
    assert {row.state for row in progress.view(now=10**6 * SECOND).rows} == {State.RUNNING}
