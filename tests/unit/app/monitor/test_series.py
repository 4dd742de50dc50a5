"""Measurements in a workspace: `monitor import`, and reading what it kept."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import numpy as np
import pytest

from hpc_explorer.app.monitor.detecting import detect_in_series
from hpc_explorer.app.monitor.series import SERIES_FOLDER, SeriesReader, import_series, stated_series
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.monitor.series_files import read_series
from hpc_explorer.stores.series import SeriesStore
from tests.helpers.program import run
from tests.helpers.sessions import session_of

RUN = (
    ",execute_start,execute_end,runtime,stage_in_delay,kickstart_hostname\n"
    "fit_1,1700000000,1700000100,100,1,node03\nfit_2,1700000000,1700000100,100,1,node04\n"
)
RATES = "time,host,rate [MB/s]\n" + "".join(
    f"{1_700_000_000 + 5 * step},{host},{100 + step}\n" for step in range(20) for host in ("node03", "node05")
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "run.csv").write_text(RUN)
    (tmp_path / "rates.csv").write_text(RATES)
    return tmp_path


def _opened(folder: Path) -> Session:
    return session_of(folder / "ws", keep_workspace=True)


def test_import_takes_runs_and_series_and_adds_nothing_twice(folder: Path) -> None:
    first = run("monitor", "import", folder / "ws", folder / "run.csv", folder / "rates.csv")
    assert first.code == 0, first.err
    assert "2 series, 40 points, 40 of them new" in first.out
    (again,) = json.loads(run("monitor", "import", folder / "ws", folder / "rates.csv", "--json").out)["files"]
    assert (again["points"], again["new_points"], again["new_statements"]) == (40, 0, 0)
    session = _opened(folder)
    try:
        found = stated_series(session)
        assert [(one.label, one.quantity, one.unit) for one in found] == [
            ("rate of node03", "rate", "MB/s"),
            ("rate of node05", "rate", "MB/s"),
        ]
        # The run describes node03, nothing describes node05.
        assert found[0].about[0].value.endswith("#machine/node03")
        assert found[1].about[0].value == "urn:hpc-explorer:monitor:host:node05"
        reader = SeriesReader(session)
        assert reader.extents(found)[found[0].iri].points == 20
        assert list(reader.points(found[0], 1_700_000_010, 1_700_000_020).values) == [102, 103, 104]
    finally:
        session.close()


def test_points_without_statements_are_completed(folder: Path) -> None:
    """A program that is killed after it has written the points has not written the journal yet."""
    load_into(folder / "ws", [str(folder / "run.csv")])
    session = _opened(folder)
    try:
        (first,) = import_series(session, [folder / "rates.csv"])
    finally:
        session.close()
    assert first.new_points == 40
    load_into(folder / "other" / "ws", [str(folder / "run.csv")])
    (folder / "ws" / SERIES_FOLDER).rename(folder / "other" / "ws" / SERIES_FOLDER)
    session = _opened(folder / "other")
    try:
        assert stated_series(session) == ()
        (second,) = import_series(session, [folder / "rates.csv"])
        assert second.new_points == 0
        assert second.statements > 0
        assert SeriesReader(session).extents(stated_series(session))
        assert SeriesStore(folder / "other" / "ws" / SERIES_FOLDER).extents([second.series[0][0].value])
    finally:
        session.close()


def test_a_series_in_another_unit_is_left_out(folder: Path) -> None:
    assert run("monitor", "import", folder / "ws", folder / "run.csv", folder / "rates.csv").code == 0
    (folder / "rates.csv").write_text(RATES.replace("MB/s", "GB/s"))
    again = run("monitor", "import", folder / "ws", folder / "rates.csv")
    assert again.code == 1
    assert "rate (host=node03) is in GB/s here and in MB/s before" in again.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{0}/ws"], "name a workspace and files"),
        (["{0}/ws", "{0}/rates.csv"], "there is no workspace in this folder"),
        (["{0}/ws", "{0}/run.csv", "{0}/none.csv"], "none.csv"),
    ],
)
def test_wrong_words(words: list[str], message: str, folder: Path) -> None:
    found = run("monitor", "import", *(word.format(folder) for word in words))
    assert found.code == 2
    assert message in found.err


def test_sar_and_sadf_and_parquet(tmp_path: Path) -> None:
    (tmp_path / "sar.txt").write_text(
        "Linux 6.1.0 (node03) \t11/26/26 \t_x86_64_\t(2 CPU)\n\n"
        "11:59:55 PM     CPU     %user   %iowait\n"
        "11:59:58 PM     all      1.00      40.0\n"
        "12:00:03 AM     all      1.50      45.0\n"
        "12:00:08 AM     all      1.50\n"
        "Average:        all      1.00      45.0\n\n"
        "12:00:08 AM  kbmemfree\n12:00:13 AM  100\n"
    )
    series, lost = read_series(tmp_path / "sar.txt")
    assert [(str(one), one.unit, list(one.series.values)) for one in series] == [
        ("%user (cpu=all, host=node03)", "%", [1, 1.5]),
        ("%iowait (cpu=all, host=node03)", "%", [40, 45]),
        ("kbmemfree (host=node03)", "", [100]),
    ]
    assert series[0].series.interval == 5
    assert lost == (f"a row of 2 fields instead of 3: {tmp_path / 'sar.txt'}:6",)

    (tmp_path / "sadf.txt").write_text(
        "# hostname;interval;timestamp;CPU;%user;%iowait\n"
        "node03;5;2026-11-26 10:00:00 UTC;-1;1.0;40.0\nnode03;5;2026-11-26 10:00:05 UTC;-1;2.0;41.0\n"
        "node03;5;never;-1;2.0;41.0\n"
    )
    series, lost = read_series(tmp_path / "sadf.txt")
    assert [(str(one), list(one.series.values)) for one in series] == [
        ("%user (cpu=-1, host=node03)", [1, 2]),
        ("%iowait (cpu=-1, host=node03)", [40, 41]),
    ]
    assert lost == (f"not a time: 'never': {tmp_path / 'sadf.txt'}:4",)

    with duckdb.connect() as engine:
        engine.execute(
            "COPY (SELECT TIMESTAMP '2026-11-26 10:00:00' + INTERVAL (i) SECOND AS time,"
            " CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS host, 'x' AS device,"
            ' CASE WHEN i = 3 THEN NULL ELSE i END AS "load [W]" FROM range(6) r(i))'
            f" TO '{tmp_path / 'load.parquet'}'"
        )
    series, lost = read_series(tmp_path / "load.parquet")
    assert [(str(one), one.unit, list(one.series.values)) for one in series] == [
        ("load (device=x, host=a)", "W", [0, 2, 4]),
        ("load (device=x, host=b)", "W", [1, 5]),
    ]
    assert series[0].series.times[0] == np.datetime64("2026-11-26T10:00:00").astype("datetime64[s]").astype(float)
    assert len(lost) == 1
    assert "without a number" in lost[0]


def test_two_units_of_one_name_are_two_series(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text("time,rate [MB/s],rate [kB/s],rate\n0,1,2000,\n1,3,,7\n2,5,,\n", encoding="utf-8")
    found, lost = read_series(file)
    assert {(one.name, one.unit): list(one.series.values) for one in found} == {
        ("rate", "MB/s"): [1, 3, 5],
        ("rate [kB/s]", "kB/s"): [2000],
        ("rate (no unit)", ""): [7],
    }
    assert not lost


def test_a_clock_that_jumps_once_hides_no_anomaly(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    values = random.normal(100, 5, 1000)
    values[500:600] *= 3
    values[800:900] *= 3
    times = [*range(0, 4995, 5), 1_300_000_000]
    file = tmp_path / "rates.csv"
    rows = "".join(f"{time},{value}\n" for time, value in zip(times, values, strict=True))
    file.write_text(f"time,rate\n{rows}", encoding="utf-8")
    ((found,), _) = detect_in_series(None, file)
    assert [(one.begin, one.end) for one, _ in found.events] == [(2500, 2995), (4000, 4495)]


def test_what_was_out_of_order_is_told_and_not_called_unread(folder: Path) -> None:
    (folder / "back.csv").write_text("time,host,rate\n10,n1,1\n20,n1,2\n15,n1,3\n25,n1,4\n25,n1,5\n")
    done = run("monitor", "import", folder / "ws", folder / "run.csv", folder / "back.csv")
    assert done.code == 1
    assert "back.csv: the clock went back 1 time; the points were sorted by time" in done.err
    assert "1 point at the same time as another; the last was kept" in done.err
    assert "not read" not in done.err
