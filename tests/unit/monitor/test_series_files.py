"""Files of measurements: dates of `sar`, exemplars, precisions of times, and labels."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.errors import DamagedSeries
from hpc_explorer.monitor import series_points
from hpc_explorer.monitor.series_files import read_series
from hpc_explorer.monitor.series_points import NamedSeries

HEAD = "Linux 6.1.0 (node03) \t{} \t_x86_64_\t(2 CPU)\n\n"


def read(tmp_path: Path, text: str) -> tuple[dict[str, NamedSeries], tuple[str, ...]]:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    found, lost = read_series(path)
    return {str(one): one for one in found}, lost


def moments(series: NamedSeries) -> list[str]:
    return [f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M:%S}" for time in series.series.times]


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("11/26/26", "2026-11-26"),
        ("26/11/26", "2026-11-26"),
        ("26/11/2026", "2026-11-26"),
        ("2026-11-26", "2026-11-26"),
        ("26.11.2026", "2026-11-26"),
        ("26.11.2026.", "2026-11-26"),
        ("2026年11月26日", "2026-11-26"),
    ],
)
def test_the_date_of_sar_in_each_form(tmp_path: Path, date: str, day: str) -> None:
    series, lost = read(tmp_path, HEAD.format(date) + "10:00:00  runq-sz\n10:00:05  3\n")
    assert (moments(series["runq-sz (host=node03)"]), lost) == ([f"{day} 10:00:05"], ())


def test_a_date_of_sar_with_two_meanings_is_reported(tmp_path: Path) -> None:
    series, (lost,) = read(tmp_path, HEAD.format("05/11/26") + "10:00:00  runq-sz\n10:00:05  3\n")
    assert moments(series["runq-sz (host=node03)"]) == ["2026-05-11 10:00:05"]
    assert lost == f"05/11/26 is taken as 2026-05-11; set S_TIME_FORMAT=ISO if that is wrong: {tmp_path / 'file'}:1"


def test_a_date_of_sar_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamagedSeries, match="no measurement in this file") as caught:
        read(tmp_path, HEAD.format("45.11.2026") + "10:00:00  runq-sz\n10:00:05  3\n")
    assert "not a date: '45.11.2026'" in str(caught.value)


def test_each_table_of_a_day_of_sar_is_of_that_day(tmp_path: Path) -> None:
    tables = "".join(
        f"12:00:01 AM  {name}\n12:10:01 AM  1\n11:50:01 PM  2\nAverage:  1.5\n\n" for name in ("runq-sz", "tps", "free")
    )
    series, lost = read(tmp_path, HEAD.format("2026-11-26") + tables)
    assert len(series) == 3
    assert all(moments(one) == ["2026-11-26 00:10:01", "2026-11-26 23:50:01"] for one in series.values())
    assert lost == ()


def test_each_table_of_sar_over_midnight_begins_on_the_first_day(tmp_path: Path) -> None:
    tables = "".join(f"23:59:55  {name}\n23:59:58  1\n00:00:03  2\nMoyenne:  1,5\n\n" for name in ("runq-sz", "tps"))
    series, lost = read(tmp_path, HEAD.format("2026-11-26") + tables)
    assert len(series) == 2
    assert all(moments(one) == ["2026-11-26 23:59:58", "2026-11-27 00:00:03"] for one in series.values())
    assert lost == ()


def test_tables_of_sar_that_take_turns_go_past_midnight_once(tmp_path: Path) -> None:
    text = "23:59:55  runq-sz\n00:00:00  1\n\n23:59:55  tps\n00:00:00  2\n\n00:00:00  runq-sz\n00:00:05  3\n"
    series, _ = read(tmp_path, HEAD.format("2026-11-26") + text)
    assert moments(series["runq-sz (host=node03)"]) == ["2026-11-27 00:00:00", "2026-11-27 00:00:05"]
    assert moments(series["tps (host=node03)"]) == ["2026-11-27 00:00:00"]


def test_days_and_hosts_of_sar_in_one_file(tmp_path: Path) -> None:
    table = "10:00:00  runq-sz\n10:00:05  3\n\n10:00:07  LINUX RESTART (2 CPU)\n\n"
    text = HEAD.format("2026-11-26") + table + HEAD.format("2026-11-28").replace("node03", "node04") + table
    series, lost = read(tmp_path, text)
    assert moments(series["runq-sz (host=node03)"]) == ["2026-11-26 10:00:05"]
    assert moments(series["runq-sz (host=node04)"]) == ["2026-11-28 10:00:05"]
    assert lost == ()


def test_numbers_of_sar_with_a_comma(tmp_path: Path) -> None:
    text = HEAD.format("2026-11-26") + "10:00:00  CPU  %user  %idle\n10:00:05  all  1,50  98,50\n"
    series, lost = read(tmp_path, text)
    assert {name: (list(one.series.values), one.unit) for name, one in series.items()} == {
        "%user (cpu=all, host=node03)": ([1.5], "%"),
        "%idle (cpu=all, host=node03)": ([98.5], "%"),
    }
    assert lost == ()


def test_an_exemplar_is_no_sample(tmp_path: Path) -> None:
    series, lost = read(
        tmp_path,
        "# TYPE io_seconds histogram\n# UNIT io_seconds seconds\n"
        'io_seconds_bucket{le="0.1",path="/a}b"} 8 1600000000 # {trace_id="x"} 0.05 1600000001\n'
        'io_seconds_sum 9.5 1600000000 # {trace_id="y"} 1\nio_seconds_count 10 1600000000\n# EOF\n',
    )
    assert {name: (one.unit, list(one.series.values), list(one.series.times)) for name, one in series.items()} == {
        "io_seconds_bucket (le=0.1, path=/a}b)": ("", [8], [1.6e9]),
        "io_seconds_sum": ("seconds", [9.5], [1.6e9]),
        "io_seconds_count": ("", [10], [1.6e9]),
    }
    assert lost == ()


def test_a_sample_without_a_time_takes_none_from_its_exemplar(tmp_path: Path) -> None:
    series, (lost,) = read(tmp_path, 'io_total 8 # {trace_id="x"} 0.05 1600000001\nio_total 9 1600000002\n')
    assert (list(series["io_total"].series.values), list(series["io_total"].series.times)) == ([9], [1600000002])
    assert lost.startswith("a sample without a time")


@pytest.mark.parametrize("zeros", [0, 3, 6, 9])
def test_line_protocol_in_each_precision(tmp_path: Path, zeros: int) -> None:
    series, _ = read(
        tmp_path, f"io,host=n1 rate=1 1600000000{'0' * zeros}\nio,host=n1 rate=2 1600000005{'0' * zeros}\n"
    )
    assert list(series["io.rate (host=n1)"].series.times) == [1600000000, 1600000005]


@pytest.mark.parametrize(
    ("label", "host"),
    [("instance=node03:9100", "node03"), ("host=node03", "node03"), ("instance=[::1]:9100", "[::1]"), ("a=b", "")],
)
def test_the_host_of_an_exporter_has_no_port(tmp_path: Path, label: str, host: str) -> None:
    series, _ = read(tmp_path, f"io,{label} rate=1 1600000000\n")
    assert [one.host for one in series.values()] == [host]


def test_series_too_many_are_told_once_and_the_rest_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_points, "MOST_SERIES", 3)
    lines = "".join(f"io,request=r{number} rate=1 160000000{number}\n" for number in range(9))
    series, lost = read(tmp_path, lines + "io,request=r0 rate=2 1600000010\n")
    assert {name: len(one.series) for name, one in series.items()} == {
        "io.rate (request=r0)": 2,
        "io.rate (request=r1)": 1,
        "io.rate (request=r2)": 1,
    }
    assert lost == (
        f"more than 3 series, as a tag differs on too many lines; 6 points left out from {tmp_path / 'file'}:4 on",
    )
