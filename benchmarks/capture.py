"""Measures what recording costs a training, and compares with other recorders.

    python benchmarks/capture.py [--rounds N] [--epochs N] [--kills N] [--python PYTHON]

The peers need an environment of their own, which is made in `.capture-peers` at the first run, unless `--python` names
the interpreter of one. A training of 35 epochs with 300 batches each runs bare and with each recorder, in turn. Each
batch records its times and a loss, each epoch an accuracy and a checkpoint's name. Times are processor time of the
whole process, since the clock on a shared machine says little; the clock's times are given too. Two runs of the same
training differ by more than a good recorder costs, so its cost is also measured by itself: the processor time of its
calls in the training's thread, and of all other threads of the process, which a bare training does not use.

The processes are killed with SIGKILL at random moments; what they had acknowledged must be in the spool.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PEERS = ("torch==2.13.0", "scikit-learn", "redis>=6,<8", "mlflow>=3", "flowcept==1.0.3", "yprov4ml==3.2.8")
EPOCHS, BATCHES = 35, 300
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Then a training uses its own thread alone."""
TRAININGS = ("scikit-learn", "PyTorch")
RECORDERS = (
    "bare",
    "capture to disk",
    "capture online",
    "blocking client",
    "MLflow, synchronous",
    "MLflow, asynchronous",
    "Flowcept, offline",
    "yProv4ML",
)


class Recorder:
    """Records nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self) -> None:
        """Begin the run."""

    def begin_epoch(self, number: int) -> None:
        """Begin an epoch."""

    def batch(self, epoch: int, number: int) -> Any:
        """A context manager around a batch."""
        return _NOTHING

    def loss(self, value: float, step: int) -> None:
        """Record a batch's loss."""

    def end_epoch(self, number: int, accuracy: float) -> None:
        """Record an epoch's accuracy, and end it."""

    def end(self) -> None:
        """End the run."""


class _Nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...


_NOTHING = _Nothing()


class Capture(Recorder):
    """`hpc_explorer.capture`."""

    def __init__(self, folder: Path, online: str | None = None) -> None:
        super().__init__(folder)
        sys.path.insert(0, str(ROOT / "src"))
        from hpc_explorer import capture

        self._capture = capture
        capture.configure(folder=folder / "spool", online=online, disk=online is None)
        self._stack = ExitStack()
        self._epoch: Any = None
        self.batch = lambda epoch, number: capture.batch(number)  # type: ignore[method-assign]
        self.loss = lambda value, step: capture.log_metric("loss", value)  # type: ignore[method-assign]

    def begin(self) -> None:
        self._stack.enter_context(self._capture.workflow("training"))
        self._stack.enter_context(self._capture.stage("training"))
        self._capture.log_parameter("learning_rate", 0.01)

    def begin_epoch(self, number: int) -> None:
        self._epoch = self._capture.epoch(number)
        self._epoch.__enter__()

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._capture.log_metric("accuracy", accuracy)
        self._capture.log_model(name=f"model {number}")
        self._epoch.__exit__(None, None, None)

    def end(self) -> None:
        self._stack.close()


class Blocking(Recorder):
    """A client that posts each event and waits for the answer, as ProvLake's does by default."""

    def begin(self) -> None:
        import http.client

        self._connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["BLOCKING_PORT"]))

    def _post(self, **event: Any) -> None:
        body = json.dumps({"time": time.time(), **event})
        self._connection.request("POST", "/", body, {"Content-Type": "application/json"})
        self._connection.getresponse().read()

    @contextmanager
    def batch(self, epoch: int, number: int) -> Iterator[None]:
        self._post(epoch=epoch, batch=number, status="begun")
        yield
        self._post(epoch=epoch, batch=number, status="ended")

    def loss(self, value: float, step: int) -> None:
        self._post(loss=value, step=step)

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._post(epoch=number, accuracy=accuracy)

    def end(self) -> None:
        self._connection.close()


class MLflow(Recorder):
    """MLflow's functions, with a tracking database of SQLite. It records no times of batches."""

    def __init__(self, folder: Path, *, synchronous: bool) -> None:
        super().__init__(folder)
        import mlflow

        mlflow.set_tracking_uri(f"sqlite:///{folder / 'mlflow.db'}")
        self._mlflow, self._synchronous = mlflow, synchronous

    def begin(self) -> None:
        self._mlflow.start_run()
        self._mlflow.log_param("learning_rate", 0.01)

    def loss(self, value: float, step: int) -> None:
        self._mlflow.log_metric("loss", value, step=step, synchronous=self._synchronous)

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._mlflow.log_metric("accuracy", accuracy, step=number, synchronous=self._synchronous)

    def end(self) -> None:
        if not self._synchronous:
            self._mlflow.flush_async_logging()
        self._mlflow.end_run()


class FlowceptTasks(Recorder):
    """Flowcept, with a task for each batch, in its default setting: to a file at the end."""

    def begin(self) -> None:
        from flowcept import Flowcept, FlowceptTask

        self._task = FlowceptTask
        self._flowcept = Flowcept(start_persistence=False, check_safe_stops=False, workflow_name="training")
        self._flowcept.start()

    @contextmanager
    def batch(self, epoch: int, number: int) -> Iterator[None]:
        with self._task(activity_id="batch", used={"epoch": epoch, "batch": number}) as self._current:
            yield

    def loss(self, value: float, step: int) -> None:
        self._current.end({"loss": value})

    def end_epoch(self, number: int, accuracy: float) -> None:
        with self._task(activity_id="epoch", used={"epoch": number}) as task:
            task.end({"accuracy": accuracy})

    def end(self) -> None:
        self._flowcept.stop()


class YProv4ML(Recorder):
    """yProv4ML, without its measurements of the system."""

    def begin(self) -> None:
        import yprov4ml

        self._yprov = yprov4ml
        yprov4ml.start_run(
            prov_user_namespace="https://example.org/",
            experiment_name="training",
            provenance_save_dir=str(self.folder / "yprov"),
            disable_codecarbon=True,
        )
        yprov4ml.log_param("learning_rate", 0.01)

    def loss(self, value: float, step: int) -> None:
        self._yprov.log_metric("loss", value, context=self._yprov.Context.TRAINING, step=step)

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._yprov.log_metric("accuracy", accuracy, context=self._yprov.Context.VALIDATION, step=number)

    def end(self) -> None:
        self._yprov.end_run(create_graph=False, create_svg=False)


MAKE: dict[str, Callable[[Path], Recorder]] = {
    "bare": Recorder,
    "capture to disk": Capture,
    "capture online": lambda folder: Capture(folder, os.environ["REDIS"]),
    "blocking client": Blocking,
    "MLflow, synchronous": lambda folder: MLflow(folder, synchronous=True),
    "MLflow, asynchronous": lambda folder: MLflow(folder, synchronous=False),
    "Flowcept, offline": FlowceptTasks,
    "yProv4ML": YProv4ML,
}


# The trainings; each makes a step that trains one batch and returns its loss.


def _scikit_learn() -> Callable[[int], float]:
    import numpy as np
    from sklearn.neural_network import MLPClassifier

    draw = np.random.default_rng(1)
    x = draw.normal(size=(BATCHES * 64, 32))
    y = (x.sum(axis=1) > 0).astype(int)
    model = MLPClassifier((64,), random_state=1)

    def step(number: int) -> float:
        part = slice(number * 64, number * 64 + 64)
        model.partial_fit(x[part], y[part], classes=[0, 1])
        return float(model.loss_)

    return step


def _pytorch() -> Callable[[int], float]:
    import torch

    torch.manual_seed(1)
    torch.set_num_threads(1)
    x = torch.randn(BATCHES * 64, 32)
    y = (x.sum(dim=1) > 0).long()
    model = torch.nn.Sequential(torch.nn.Linear(32, 128), torch.nn.ReLU(), torch.nn.Linear(128, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

    def step(number: int) -> float:
        part = slice(number * 64, number * 64 + 64)
        loss = torch.nn.functional.cross_entropy(model(x[part]), y[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return float(loss)

    return step


def train(training: str, name: str, epochs: int) -> None:
    """Train with a recorder, and print what it took, as JSON."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        os.chdir(place)
        step = {"scikit-learn": _scikit_learn, "PyTorch": _pytorch}[training]()
        step(0)
        recorder = MAKE[name](Path(place))
        clock = time.perf_counter_ns
        costs: list[int] = []
        trained = 0
        cpu, wall = time.process_time(), time.perf_counter()
        recorder.begin()
        for epoch in range(epochs):
            recorder.begin_epoch(epoch)
            for number in range(BATCHES):
                start = clock()
                context = recorder.batch(epoch, number)
                context.__enter__()
                cost = clock() - start
                begun = time.thread_time_ns()
                loss = step(number)
                trained += time.thread_time_ns() - begun
                start = clock()
                recorder.loss(loss, epoch * BATCHES + number)
                context.__exit__(None, None, None)
                costs.append(cost + clock() - start)
            recorder.end_epoch(epoch, 0.5)
        recorder.end()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    batches = epochs * BATCHES
    found = {"cpu": cpu, "wall": wall, "step": trained / 1000 / batches, "rest": (cpu * 1e6 - trained / 1000) / batches}
    print(json.dumps({**found, "p50": _share(costs, 0.5), "p99": _share(costs, 0.99)}))


def _share(values: list[int] | list[float], share: float) -> float:
    """A percentile in microseconds."""
    return sorted(values)[int(len(values) * share)] / 1000


def call_costs() -> None:
    """Print what single calls of capture cost, and how many records a second reach the disk, as JSON."""
    sys.path.insert(0, str(ROOT / "src"))
    from hpc_explorer import capture

    with tempfile.TemporaryDirectory() as place:
        capture.configure(folder=Path(place) / "spool")
        clock = time.perf_counter_ns
        found: dict[str, Any] = {}
        with capture.workflow("calls"), capture.stage("training"), capture.epoch():
            for name, call in {
                "log_metric": lambda number: capture.log_metric("loss", 0.5),
                "log_parameter": lambda number: capture.log_parameter("rate", 0.1),
            }.items():
                costs = []
                for number in range(10_500):
                    start = clock()
                    call(number)
                    costs.append(clock() - start)
                    sum(range(5000))  # a training does something in between
                found[name] = (_share(costs, 0.5), _share(costs, 0.99))
            begins, ends = [], []
            for number in range(10_500):
                start = clock()
                step = capture.batch(number)
                step.__enter__()
                begins.append(clock() - start)
                sum(range(5000))
                start = clock()
                step.__exit__(None, None, None)
                ends.append(clock() - start)
            found["batch, begin"] = (_share(begins, 0.5), _share(begins, 0.99))
            found["batch, end"] = (_share(ends, 0.5), _share(ends, 0.99))
            capture.flush()
            number = 1_000_000
            cpu, wall = time.process_time(), time.perf_counter()
            for _ in range(number):
                capture.log_metric("loss", 0.5)
                if not _ % 100_000:
                    capture.flush()
            capture.flush()
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        found["records a second"] = number / wall
        found["records a second of processor time"] = number / cpu
    print(json.dumps(found))


PAPER = """
import sys
sys.path.insert(0, sys.argv[1])
from hpc_explorer import capture
capture.configure(folder=sys.argv[2])
for workflow in range(8):
    with capture.workflow("salt"):
        for kind in ("training", "validation", "evaluation"):
            with capture.stage(kind):
                for number in capture.epochs(range(int(sys.argv[3]))):
                    for _ in capture.batches(range(200)):
                        capture.log_metric("loss", 0.5)
                        capture.log_metric("accuracy", 0.5)
                    capture.log_metric("accuracy", 0.5)
"""
"""A run of the paper's shape: 8 workflows, 3 stages, epochs, and 200 batches."""


def collecting(epochs: int) -> list[str]:
    """Record a run of the paper's shape; compare collecting it with loading the same triples, in lines of a table."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}

    def took(*words: object) -> float:
        before = os.times()
        subprocess.run([sys.executable, *map(str, words)], check=True, env=environment, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    with tempfile.TemporaryDirectory() as place:
        spool, folder = Path(place) / "spool", Path(place)
        recorded = took("-c", PAPER, ROOT / "src", spool, epochs)
        collected = took("-m", "hpc_explorer", "collect", spool, "--into", folder / "collected")
        (statements,) = (folder / "collected" / "collected").glob("*.nt")
        with open(statements, "rb") as lines:
            number = sum(1 for _ in lines)
        loaded = took("-m", "hpc_explorer", "load", statements, "--into", folder / "loaded")
    return [
        f"| {epochs} | {number:,} | {recorded:.1f} | {collected:.1f} | {loaded:.1f} | {collected / loaded:.2f} |",
    ]


CALLS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from hpc_explorer import capture
capture.configure(folder=sys.argv[2])
with capture.workflow("live"), capture.stage("training"):
    for number in range(200):
        capture.log_metric("called", time.time())
        if not number:
            capture.flush()
            print("begun", flush=True)
        time.sleep(0.1 + number % 7 / 100)
"""


def live() -> list[str]:
    """How long after a call its statements are in the store and its value in the window; in lines."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    sys.path.insert(0, str(ROOT / "src"))
    from PySide6.QtWidgets import QApplication

    from hpc_explorer.app.settings import Settings
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.ui.window.main_window import MainWindow

    application = QApplication.instance() or QApplication([])
    session = Session.new()
    stored: dict[int, float] = {}
    shown: dict[float, float] = {}
    with tempfile.TemporaryDirectory() as place:
        spool = Path(place) / "spool"
        words = [sys.executable, "-c", CALLS, str(ROOT / "src"), str(spool)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        window = MainWindow(session, Settings())
        window.show()
        window.open_sources([str(spool)])
        session.subscribe(lambda change: stored.setdefault(session.sources[0].triples.value, time.time()))
        ended = 0.0
        while not ended or time.monotonic() < ended:
            application.processEvents()
            time.sleep(0.001)
            plot = window.runs.page.view.plot
            for called in () if plot is None else plot.series[0].ys:
                shown.setdefault(called, time.time())
            if not ended and process.poll() is not None:
                ended = time.monotonic() + 1.0
        window.close()
    moments = sorted(stored.values())
    opened = next(iter(shown.values()))
    calls = [called for called in list(shown)[:-3] if called > opened]
    in_store = [next((at for at in moments if at > called), math.inf) - called for called in calls]
    in_window = [shown[called] - called for called in calls]
    return [
        "From a call in a training to its statements in the store, and to its value in the plot of the window, both in",
        "other processes, through the spool:",
        "",
        f"| {len(calls)} calls | p50 ms | p90 ms | p99 ms | within 250 ms |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {' | '.join(f'{_share(values, share) * 1e6:.0f}' for share in (0.5, 0.9, 0.99))} "
            f"| {sum(value <= 0.25 for value in values) / len(values):.1%} |"
            for name, values in (("in the store", in_store), ("in the window", in_window))
        ),
    ]


ENDLESS = """
import sys
sys.path.insert(0, sys.argv[1])
from hpc_explorer import capture
capture.configure(folder=sys.argv[2])
with capture.workflow("w", run="1"), capture.stage("training"), capture.epoch():
    number = 0
    while True:
        for _ in range(int(sys.argv[3])):
            capture.log_metric("loss", number + 0.5)
            number += 1
        if capture.flush():
            print(number, flush=True)
"""


def kills(number: int) -> dict[str, int]:
    """Kill recording processes at random moments; what was lost, and what was torn."""
    sys.path.insert(0, str(ROOT / "src"))
    from hpc_explorer.capture.spool import NotASpool, read_spool, spool_files

    draw = random.Random(1)
    found = {
        "kills": number,
        "acknowledged": 0,
        "in the spool": 0,
        "acknowledged and lost": 0,
        "torn": 0,
        "most torn": 0,
    }
    for _ in range(number):
        with tempfile.TemporaryDirectory() as place:
            spool = Path(place) / "spool"
            words = [
                sys.executable,
                "-S",
                "-c",
                ENDLESS,
                str(ROOT / "src"),
                str(spool),
                str(draw.choice((1, 50, 5000))),
            ]
            process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            first = process.stdout.readline()
            time.sleep(draw.random() * 0.05)
            process.kill()
            told = first + process.communicate()[0]
            acknowledged = int(told[: told.rfind("\n")].splitlines()[-1])
            numbers, torn = [], 0
            for file in spool_files(spool):
                try:
                    part = read_spool(file)
                except NotASpool:
                    torn += 1
                    continue
                numbers += [record[4] for record in part.records if record[0] == "metric"]
                torn += len(part.damages)
            assert numbers == list(range(len(numbers)))
            found["acknowledged"] += acknowledged
            found["in the spool"] += len(numbers)
            found["acknowledged and lost"] += max(0, acknowledged - len(numbers))
            found["torn"] += torn
            found["most torn"] = max(found["most torn"], torn)
    return found


# The servers of the peers


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words: object) -> None: ...


@contextmanager
def _servers() -> Iterator[dict[str, str]]:
    """What answers the blocking client, and a Redis where the tests find one; as environment variables."""
    with ExitStack() as stack:
        code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import capture; capture.serve()"
        server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        stack.callback(server.kill)
        assert server.stdout is not None
        found = {"BLOCKING_PORT": server.stdout.readline().strip()}
        sys.path.insert(0, str(ROOT))
        from tests.helpers.redis_server import redis_server

        try:
            redis = stack.enter_context(redis_server())
        except BaseException as skipped:  # noqa: BLE001  # a skip of pytest is no Exception
            print(skipped, file=sys.stderr)
        else:
            found["REDIS"] = redis.address
        yield found


def serve() -> None:
    """Answer the blocking client."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answer)
    print(server.server_address[1], flush=True)
    server.serve_forever()


def _environment() -> str:
    """The interpreter of the environment of the peers, which is made if missing."""
    folder = ROOT / ".capture-peers"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PEERS], check=True)
    return str(python)


def main() -> None:
    """Measure all of it, and write the section of the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--collect", type=int, nargs="*", default=[3, 30, 300], help="epochs of the paper's runs")
    parser.add_argument("--python", help="interpreter of an environment with the peers")
    parser.add_argument("--training", choices=TRAININGS, help=argparse.SUPPRESS)
    parser.add_argument("--recorder", choices=RECORDERS, help=argparse.SUPPRESS)
    parser.add_argument("--calls", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.training:
        train(given.training, given.recorder, given.epochs)
        return
    if given.calls:
        call_costs()
        return
    sys.path.insert(0, str(Path(__file__).parent))
    from results import busy, write_section

    before = busy()
    python = given.python or _environment()
    calls = json.loads(subprocess.run([python, __file__, "--calls"], check=True, capture_output=True).stdout)
    lines = [
        f"Training: {given.epochs} epochs of {BATCHES} batches; medians of {given.rounds} runs in turn. Processor time",
        "is that of the whole process, with the recorder's threads. What recording costs is the processor time outside",
        "of the training's steps, less that of the bare training: calls, threads, begin and end of the run. Its share",
        "is of the time of the steps. p50 and p99 are all calls for a batch (begin, a metric, end) in the training's",
        "thread, by the clock.",
        "",
        "| training | recorder | processor s | step µs | recording µs a batch | share | clock s | p50 µs | p99 µs |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    with _servers() as variables:
        for training in TRAININGS:
            runs = _rounds(python, training, given.rounds, given.epochs, variables)
            bare = statistics.median(run["rest"] for run in runs["bare"])
            for name, found in runs.items():
                if not found:
                    lines.append(f"| {training} | {name} | did not run | | | | | | |")
                    continue
                cpu, wall, step, rest, p50, p99 = (
                    statistics.median(run[key] for run in found)
                    for key in ("cpu", "wall", "step", "rest", "p50", "p99")
                )
                own = "" if name == "bare" else f"{rest - bare:,.1f}"
                share = "" if name == "bare" else f"{(rest - bare) / step * 100:.2f} %"
                lines.append(
                    f"| {training} | {name} | {cpu:.2f} | {step:,.0f} | {own} | {share} | {wall:.2f} "
                    f"| {p50:,.1f} | {p99:,.1f} |"
                )
    lines += ["", "| call of capture | p50 µs | p99 µs |", "|---|---|---|"]
    lines += [f"| {name} | {cost[0]:.1f} | {cost[1]:.1f} |" for name, cost in calls.items() if isinstance(cost, list)]
    lines += [
        "",
        f"One process wrote {calls['records a second']:,.0f} records a second to disk by the clock, "
        f"{calls['records a second of processor time']:,.0f} a second of processor time.",
    ]
    if given.kills:
        found_kills = kills(given.kills)
        lines += [
            "",
            "Killed at random moments: " + ", ".join(f"{name} {value:,}" for name, value in found_kills.items()) + ".",
        ]
    lines += ["", *live()]
    lines += [
        "",
        "A run of the paper's shape (8 workflows, 3 stages, 200 batches) is recorded and collected into a workspace.",
        "Its statements are loaded into another from N-Triples. Processor time in seconds of all processes:",
        "",
        "| epochs | statements | record | collect | load | collect / load |",
        "|---|---|---|---|---|---|",
        *(line for epochs in given.collect for line in collecting(epochs)),
    ]
    write_section("What recording costs", lines, before)


def _rounds(
    python: str, training: str, rounds: int, epochs: int, variables: dict[str, str]
) -> dict[str, list[dict[str, float]]]:
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in RECORDERS}
    for _ in range(rounds):
        for name in RECORDERS:
            words = [python, __file__, "--training", training, "--recorder", name, "--epochs", str(epochs)]
            try:
                done = subprocess.run(
                    words,
                    env={**os.environ, **ONE_THREAD, **variables},
                    capture_output=True,
                    text=True,
                    timeout=900,
                    check=True,
                )
                runs[name].append(json.loads(done.stdout.strip().splitlines()[-1]))
            except (subprocess.SubprocessError, ValueError, IndexError) as error:
                print(f"{name}: {error}: {getattr(error, 'stderr', '') or ''}"[-600:], file=sys.stderr)
    return runs


if __name__ == "__main__":
    main()
