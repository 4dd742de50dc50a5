"""The command `monitor` and what it stands on: models, slow hosts and series, from files to statements."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hpc_explorer.errors import DamagedSeries
from hpc_explorer.monitor.series_files import lines_of, read_series
from tests.helpers.injection import inject, normal_series
from tests.helpers.program import Finished, run

COLUMNS = (
    ",anomaly_type,execute_start,execute_end,runtime,stage_in_delay,stage_in_bytes,kickstart_hostname,"
    "kickstart_transformations,kickstart_executables_exitcode"
)


def _run(folder: Path, number: int, slow: float = 1.0) -> None:
    """A run of six jobs on three hosts; the time grows with the input."""
    random = np.random.default_rng(number)
    rows = [COLUMNS]
    for job in range(6):
        size = 1e9 * (job + 1)
        staging = float(random.uniform(1, 300))
        seconds = (20 + 30 * (job + 1)) * float(np.exp(random.normal(0, 0.05))) * (slow if job % 3 == 1 else 1)
        begin = 1.7e9 + 1e5 * number
        rows.append(
            f"fit_{job},None,{begin},{begin + seconds + staging},{seconds + staging},{staging},{size},"
            f"host{job % 3},fit,0"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"run{number}.csv").write_text("\n".join(rows) + "\n")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for number in range(12):
        _run(tmp_path / "normal", number)
    _run(tmp_path / "check", 20)
    _run(tmp_path / "check", 21, slow=5)
    return tmp_path


def _monitor(*words: str | Path) -> Finished:
    return run("monitor", *words)


def test_a_slow_host_is_found_kept_once_and_taken_back(runs: Path) -> None:
    workspace = runs / "workspace"
    assert run("load", runs / "check", "--into", workspace).code == 0
    words = ("detect", workspace, "--normal", runs / "normal", "--keep", "--json")
    first = _monitor(*words)
    assert first.code == 1, first.err
    found = json.loads(first.out)
    (cause,) = found["causes"]
    assert cause["host"] == "host1"
    assert cause["run"].endswith("run21.csv#run")
    assert [job["name"] for job in cause["jobs"]] == ["fit_1", "fit_4"]
    assert found["added"] > 20
    assert json.loads(_monitor(*words).out)["added"] == 0
    (anomaly,) = json.loads(_monitor("events", workspace, "--json").out)
    assert anomaly["host"] == "host1"
    assert anomaly["jobs"] == 2
    assert "slow host host1" in _monitor("events", workspace).out
    downstream = run("lineage", workspace, anomaly["iri"], "--downstream").out
    assert "fit_1" in downstream
    assert "fit_2" not in downstream
    assert run("journal", "undo", workspace).code == 0
    assert json.loads(_monitor("events", workspace, "--json").out) == []


def test_normal_runs_give_no_alarm_and_unknown_jobs_are_counted(runs: Path) -> None:
    (runs / "check" / "run21.csv").write_text(f"{COLUMNS}\nother_1,None,1,900,899,0,1,host1,other,0\n")
    found = _monitor("detect", runs / "check", "--normal", runs / "normal")
    assert found.code == 0
    assert "comparable: 1 job\n" in found.out
    assert "no slow job" in found.out


def test_a_model_is_fitted_to_the_jobs_of_a_graph(runs: Path) -> None:
    workspace = runs / "workspace"
    assert run("load", runs / "normal", "--into", workspace).code == 0
    found = _monitor("fit", workspace, "--keep", "--json")
    (fit,) = json.loads(found.out)
    assert fit["task"] == "fit"
    assert fit["jobs"] == 72
    shown = run("query", workspace, "--text", "SELECT ?text WHERE { ?m a hpc:PerformanceModel ; hpc:modelText ?text }")
    assert ("kernel main" in shown.out) == fit["usable"]
    assert _monitor("fit", workspace, "--task", "missing").code == 2


def test_a_table_of_runs_predicts_a_run_on_another_machine(tmp_path: Path) -> None:
    (tmp_path / "slow.aspen").write_text(
        "machine m { node [1] n } node n { socket [1] cpu } socket cpu { resource flops(n) [n / giga] }"
    )
    (tmp_path / "fast.aspen").write_text((tmp_path / "slow.aspen").read_text().replace("n / giga", "n / (4 * giga)"))
    (tmp_path / "model.aspen").write_text(
        "model t { param n = 1 param c = 1 in 1 .. 1e18 kernel main { execute { flops [c * n] } } }"
    )
    rows = [
        f"slow.aspen,cpu,{3e6 * n / 1e9 * f},{n}" for n, f in ((10, 1.01), (50, 0.99), (200, 1), (900, 1.01), (40, 1))
    ]
    (tmp_path / "runs.csv").write_text("machine,socket,runtime,n\n" + "\n".join(rows) + "\n")
    words = ("--runs", tmp_path / "runs.csv", "--template", tmp_path / "model.aspen")
    out = tmp_path / "fitted.aspen"
    assert "c = 3" in _monitor("fit", *words, "-o", out).out
    assert "param c = 3" in out.read_text()
    found = _monitor(
        "predict", *words, "--machine", tmp_path / "fast.aspen", "--socket", "cpu", "--set", "n=1000", "--json"
    )
    prediction = json.loads(found.out)
    assert prediction["value"] == pytest.approx(0.75, rel=0.02)
    assert prediction["low"] < 0.75 < prediction["high"]
    wrong = _monitor("predict", *words, "--machine", tmp_path / "fast.aspen", "--socket", "cpu", "--set", "m=1")
    assert (wrong.code, "no parameter m" in wrong.err) == (2, True)
    (tmp_path / "runs.csv").write_text("machine,socket,runtime,n\nslow.aspen,cpu,fast,1\n")
    broken = _monitor("fit", *words)
    assert broken.code == 2
    assert "runs.csv:2" in broken.err


@pytest.mark.slow
def test_events_of_a_series_name_the_jobs_that_ran_meanwhile(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    training, (series, injected) = normal_series(random), inject(normal_series(random), random)
    for name, one in (("training.lp", training), ("rate.lp", series)):
        points = zip(one.times.tolist(), one.values.tolist(), strict=True)
        (tmp_path / name).write_text("\n".join(lines_of(points, "rate", {"host": "node7"})) + "\n")
    begin = injected[0].begin
    rows = [
        COLUMNS,
        f"fit_1,None,{begin},{begin + 60},60,0,1,node7,fit,0",
        f"fit_2,None,{begin},{begin + 60},60,0,1,node8,fit,0",
    ]
    (tmp_path / "run.csv").write_text("\n".join(rows) + "\n")
    words = ("--series", tmp_path / "rate.lp", "--training", tmp_path / "training.lp")
    found = _monitor("detect", tmp_path / "run.csv", *words, "--json")
    assert found.code == 1
    (one,) = json.loads(found.out)["series"]
    assert len(one["events"]) == len(injected)
    (job,) = one["events"][0]["jobs"]
    assert job.endswith("#job/fit_1")
    assert "5 events" in _monitor("detect", *words).out
    workspace = tmp_path / "workspace"
    assert run("load", tmp_path / "run.csv", "--into", workspace).code == 0
    assert "added" in _monitor("detect", workspace, *words, "--keep").out
    assert "nothing new" in _monitor("detect", workspace, *words, "--keep").out
    assert len(json.loads(_monitor("events", workspace, "--json").out)) == 5


def test_series_in_each_format(tmp_path: Path) -> None:
    file = tmp_path / "series"

    def read(text: str) -> tuple[dict[str, tuple[list[float], list[float], str]], tuple[str, ...]]:
        file.write_text(text)
        found, lost = read_series(file)
        return {str(o): (o.series.times.tolist(), o.series.values.tolist(), o.unit) for o in found}, lost

    found, lost = read(
        "timestamp,rate [MB/s],host\n2020-01-01 00:00:00,1.5,a\n2020-01-01T00:00:05Z,x,a\nlater,1,a\n7\n"
    )
    assert found == {"rate (host=a)": ([1577836800.0], [1.5], "MB/s")}
    assert lost == (
        f"not a number: 'x': {file}:3",
        f"not a time: 'later': {file}:4",
        f"a row of 1 fields instead of 3: {file}:5",
    )
    found, lost = read(
        'cpu,host=a\\ b idle=1i,note="x, y" 1600000001000000000\ncpu idle=2\n# comment\ncpu,host=c idle=0.5 1600000002\n'
    )
    assert found == {"cpu.idle (host=a b)": ([1600000001], [1.0], ""), "cpu.idle (host=c)": ([1600000002], [0.5], "")}
    assert lost == (f"not a line of the line protocol with a time: {file}:2",)
    found, lost = read('# TYPE up gauge\n# UNIT up seconds\nup{host="a"} 1 1577836800\nup{host="a"} 2\nup{ 3\n# EOF\n')
    assert found == {"up (host=a)": ([1577836800.0], [1.0], "seconds")}
    assert len(lost) == 2
    assert read("up 1 1577836800000\nup 2 1577836805000\n")[0] == {"up": ([1577836800.0, 1577836805.0], [1.0, 2.0], "")}
    for text in ("", "a,b\n1,2\n", "time,x\n"):
        file.write_text(text)
        with pytest.raises(DamagedSeries):
            read_series(file)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("detect", "sample:xplacer"), "no normal runs are named"),
        (("fit",), "no source is named"),
        (("predict",), "--runs is missing"),
        (("detect", "sample:xplacer", "--normal", "sample:xplacer"), "no job with a duration"),
        (("fit", "--runs", "missing.csv"), "--runs needs a model"),
    ],
)
def test_wrong_words(words: tuple[str, ...], message: str) -> None:
    found = _monitor(*words)
    assert found.code == 2
    assert message in found.err


def test_jobs_of_wfformat_are_grouped_by_their_program(shared_data: Callable[[str], Path]) -> None:
    found = _monitor("fit", shared_data("monitoring/wfinstances/1000genome-chameleon-2ch-100k-001.json"), "--json")
    kinds = {fit["task"]: fit["jobs"] for fit in json.loads(found.out)}
    assert kinds == {"individuals": 20, "individuals_merge": 2, "sifting": 2, "frequency": 14, "mutation_overlap": 14}


def test_an_anomaly_reaches_the_model_behind_a_slow_job(runs: Path) -> None:
    workspace, job = runs / "workspace", f"{(runs / 'check/run21.csv').resolve().as_uri()}#job/fit_4"
    (runs / "model.ttl").write_text(
        "@prefix prov: <http://www.w3.org/ns/prov#> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .\n"
        f"<urn:model> a hpc:AIModel ; hpc:name 'wave model' ; prov:wasGeneratedBy <{job}> .\n"
    )
    assert run("load", runs / "check", runs / "model.ttl", "--into", workspace).code == 0
    assert _monitor("detect", workspace, "--normal", runs / "normal", "--keep").code == 1
    (anomaly,) = json.loads(_monitor("events", workspace, "--json").out)
    assert "wave model" in run("impact", workspace, anomaly["iri"]).out
    assert "slow host host1" in run("lineage", workspace, "urn:model").out
    assert run("validate", workspace).code == 0
