"""Compares what recording costs a training, for each recorder: trainings in processes of their own, in turn.

A training has 35 epochs of 300 batches, or as many as are done in a given time. Each batch records its times and a
loss, each epoch an accuracy and a model's name. Two runs of the same training differ by more than a good recorder
costs, so its cost is measured by itself: the clock around its calls, and the processor time of the process outside of
the training's steps. What begin and end of a run cost is measured by a training of one batch.

The peers need an environment of their own. `peers_python` makes it in the folder for temporary files at the first run:
a few gigabytes, since one of them is PyTorch.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).resolve().parent))

from capture_recorders import MAKE  # noqa: E402

PEERS = (
    "torch==2.13.0",
    "scikit-learn",
    "redis>=6,<8",
    "mlflow>=3",
    "flowcept==1.0.3",
)
ENVIRONMENT = Path(tempfile.gettempdir()) / "hpc-explorer-capture-peers"
YPROV4ML = "yprov4ml==3.2.8" if sys.version_info >= (3, 12) else "yprov4ml==2.0.10"
"""The newest version that runs with this Python; in an environment of its own, as it does not go with the others."""
EPOCHS, BATCHES = 35, 300
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Then a training uses its own thread alone."""
LONG = "PyTorch, convolutions"
TRAININGS = ("scikit-learn", "PyTorch", LONG)
OF_LONG = ("bare", "capture to disk", "capture online", "Flowcept, offline")
"""The recorders of the training whose batches take long, where the others would take much longer."""
PAPER_BATCH = 21.3 * 60 / (EPOCHS * BATCHES)
"""Seconds for a batch if the run of the paper (seed 004), of 21.3 minutes, had as many batches."""


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
        return loss.item()

    return step


def _convolutions() -> Callable[[int], float]:
    import torch

    torch.manual_seed(1)
    torch.set_num_threads(1)
    x = torch.randn(640, 1, 28, 28)
    y = (x.mean(dim=(1, 2, 3)) > 0).long()
    model = torch.nn.Sequential(
        *(torch.nn.Conv2d(1, 8, 3), torch.nn.ReLU(), torch.nn.Conv2d(8, 16, 3), torch.nn.ReLU()),
        *(torch.nn.MaxPool2d(2), torch.nn.Flatten(), torch.nn.Linear(2304, 64), torch.nn.ReLU()),
        torch.nn.Linear(64, 2),
    )
    optimizer = torch.optim.Adam(model.parameters())

    def step(number: int) -> float:
        part = slice(number % 10 * 64, number % 10 * 64 + 64)
        loss = torch.nn.functional.cross_entropy(model(x[part]), y[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def train(training: str, name: str, seconds: float, batches: int) -> None:
    """Train with a recorder, and print what it took, as JSON; times in microseconds.

    Args:
        seconds: the training ends with the first epoch that ends later than this.
        batches: the number of batches in an epoch.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        os.chdir(place)
        step = {"scikit-learn": _scikit_learn, "PyTorch": _pytorch, LONG: _convolutions}[training]()
        step(0)
        recorder = MAKE[name](Path(place))
        clock = time.perf_counter_ns
        costs: list[int] = []
        trained = epochs = 0
        cpu, own, wall = time.process_time(), time.thread_time(), time.perf_counter()
        recorder.begin()
        batch, loop, loss = recorder.batch, recorder.loop, recorder.loss
        while not epochs or (epochs < EPOCHS and time.perf_counter() < wall + seconds):
            recorder.begin_epoch(epochs)
            turns = iter(()) if loop is None else loop(batches)
            for number in range(batches):
                start = clock()
                if batch is not None:
                    context = batch(number)
                    context.__enter__()
                elif loop is not None:
                    next(turns)
                cost = clock() - start
                begun = time.thread_time_ns()
                value = step(number)
                trained += time.thread_time_ns() - begun
                start = clock()
                if loss is not None:
                    loss(value, epochs * batches + number)
                if batch is not None:
                    context.__exit__(None, None, None)
                costs.append(cost + clock() - start)
            next(turns, None)
            recorder.end_epoch(epochs, 0.5)
            epochs += 1
        recorder.end()
        cpu, own = time.process_time() - cpu, time.thread_time() - own
        wall = time.perf_counter() - wall
    found = {
        "batches": epochs * batches,
        "trained": trained / 1000,
        "rest": own * 1e6 - trained / 1000,
        "threads": (cpu - own) * 1e6,
        "clock": wall * 1e6,
        "calls": recorder.calls,
    }
    print(json.dumps({**found, "p50": share(costs, 0.5), "p99": share(costs, 0.99)}))


def share(values: list[int] | list[float], part: float) -> float:
    """A percentile of nanoseconds, in microseconds."""
    return sorted(values)[int(len(values) * part)] / 1000


@contextmanager
def _servers() -> Iterator[dict[str, str]]:
    """What answers the blocking client, and a Redis where the tests find one; as environment variables."""
    with ExitStack() as stack:
        words = [sys.executable, str(Path(__file__).with_name("capture_recorders.py"))]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
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


def peers_python() -> str:
    """The interpreter of the environment of the peers, which is made if missing."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PEERS], check=True)
    return str(python)


def _python_of(name: str, peers: str) -> str:
    """The interpreter for a recorder: that of the peers, but for yProv4ML, whose environment also has theirs."""
    if name != "yProv4ML":
        return peers
    folder = ENVIRONMENT.with_name("hpc-explorer-capture-yprov4ml")
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([peers, "-m", "venv", str(folder)], check=True)
        ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
        theirs, own = (
            subprocess.run([one, "-c", ask], check=True, capture_output=True, text=True).stdout.strip()
            for one in (peers, str(python))
        )
        Path(own, "peers.pth").write_text(f"{theirs}\n")
        subprocess.run([str(python), "-m", "pip", "install", "-q", YPROV4ML], check=True)
    return str(python)


def comparison(python: str, rounds: int, seconds: float, only: Collection[str] = MAKE) -> list[str]:
    """Run all trainings with all recorders in turn; the lines of a table.

    Args:
        python: the interpreter of an environment with the peers.
        rounds: how often each is run; the table has the medians.
        seconds: the longest training; begin and end of the processes are added.
        only: the names of the recorders; with fewer than all of them, in the first training.
    """
    lines = [
        f"A training of {EPOCHS} epochs with {BATCHES} batches, or as many epochs as begin within {seconds:g} seconds,",
        f"with each recorder in turn; medians of {rounds} runs. *Step* is the processor time of a batch's training.",
        "*Calls* are all calls for a batch in the training's thread, by the clock; *a batch* is their p50 less the",
        "clock's own cost, *a call* that by their number. *Recording* is processor time for a batch: that of the",
        "training's thread outside of the steps, less that of the bare training, and that of all other threads; it is",
        "without *begin and end* of a run, which a training of one batch shows. *Share* is what both are of the steps,",
        f"*of {PAPER_BATCH * 1000:.0f} ms* what they were in the run of the paper (seed 004, figure 9), computed and",
        "not measured. The last column compares the clock; for the bare training it is the spread of its runs.",
        f"yProv4ML is {YPROV4ML}. *nothing, loop* is an empty loop and an empty function, which no library undercuts.",
        "",
        "| training | recorder | epochs | step µs | calls p50 µs | calls p99 µs | a batch µs | a call µs "
        f"| recording µs | begin and end ms | share | of {PAPER_BATCH * 1000:.0f} ms | clock |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    calls: dict[str, dict[str, tuple[float, int]]] = {}
    with _servers() as variables:
        for training in TRAININGS if len(only) == len(MAKE) else TRAININGS[:1]:
            names = [name for name in MAKE if name in only and (training != LONG or name in OF_LONG)]
            once = _rounds(python, training, names, 1, 0.0, 1, variables)
            runs = _rounds(python, training, names, rounds, seconds, BATCHES, variables)
            if not runs["bare"] or not once["bare"]:
                lines.append(f"| {training} | bare | did not run {'| ' * 11}")
                continue
            bare = _medians(runs["bare"])
            for name in names:
                if not runs[name] or not once[name]:
                    lines.append(f"| {training} | {name} | did not run: it failed {'| ' * 11}")
                    continue
                run = _medians(runs[name])
                begin = (
                    f"| {training} | {name} | {run['batches'] / BATCHES:g} | {_step(run):,.0f} "
                    f"| {run['p50']:,.1f} | {run['p99']:,.1f} |"
                )
                clock = [one["clock"] / one["batches"] / (bare["clock"] / bare["batches"]) for one in runs[name]]
                if name == "bare":
                    lines.append(f"{begin} | | | | | | {min(clock):.2f}–{max(clock):.2f} |")
                    continue
                call = run["p50"] - bare["p50"]
                calls.setdefault(training, {})[name] = (call, int(run["calls"]))
                fixed = max(0.0, _recording(once[name][0], once["bare"][0]))
                each = (_recording(run, bare) - fixed) / run["batches"]
                paper = (each + fixed / (EPOCHS * BATCHES)) / (PAPER_BATCH * 1e6)
                lines.append(
                    f"{begin} {call:,.1f} | {call / run['calls']:,.1f} | {each:,.1f} | {fixed / 1000:,.0f} "
                    f"| {_recording(run, bare) / run['trained']:.2%} | {paper:.4%} | {statistics.median(clock):.2f} |"
                )
    lines.append("")
    for training, found in calls.items():
        lines += _compared(training, found)
    return lines


def _step(run: dict[str, float]) -> float:
    return run["trained"] / run["batches"]


def _recording(run: dict[str, float], bare: dict[str, float]) -> float:
    """The processor time of recording in microseconds; the bare training's rest is that of its batches."""
    return run["rest"] - bare["rest"] / bare["batches"] * run["batches"] + run["threads"] - bare["threads"]


def _compared(training: str, found: dict[str, tuple[float, int]]) -> Iterator[str]:
    """How many times more than with capture a batch and a call cost with the cheapest peer of the same form.

    A recorder with one call for a batch records its loss alone, so it counts among the calls.
    """
    for form in ("", ", loop"):
        own = found.get(f"capture to disk{form}")
        peers = {
            name: cost
            for name, cost in found.items()
            if not name.startswith(("capture", "nothing")) and name.endswith(", loop") == bool(form)
        }
        timed = [name for name, (_, number) in peers.items() if number > 1]
        if own is None or not timed:
            continue
        by_batch = min(timed, key=lambda name: peers[name][0])
        by_call = min(peers, key=lambda name: peers[name][0] / peers[name][1])
        yield (
            f"{training}{form}: the cheapest batch with times of a peer is that of {by_batch}, "
            f"{peers[by_batch][0] / own[0]:.1f} times that of capture to disk{form}; the cheapest call that of "
            f"{by_call}, {peers[by_call][0] / peers[by_call][1] / (own[0] / own[1]):.1f} times."
        )


def _medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def _rounds(
    python: str,
    training: str,
    names: list[str],
    rounds: int,
    seconds: float,
    batches: int,
    variables: dict[str, str],
) -> dict[str, list[dict[str, float]]]:
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            words = [_python_of(name, python), __file__, training, name, str(seconds), str(batches)]
            try:
                done = subprocess.run(
                    words,
                    env={**os.environ, **ONE_THREAD, **variables},
                    capture_output=True,
                    text=True,
                    timeout=4 * seconds + 120,
                    check=True,
                )
                runs[name].append(json.loads(done.stdout.strip().splitlines()[-1]))
            except (subprocess.SubprocessError, ValueError, IndexError) as error:
                print(f"{name}: {error}: {getattr(error, 'stderr', '') or ''}"[-600:], file=sys.stderr)
    return runs


def main() -> None:
    """One training, for `comparison`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("training", choices=TRAININGS)
    parser.add_argument("recorder", choices=tuple(MAKE))
    parser.add_argument("seconds", type=float)
    parser.add_argument("batches", type=int)
    given = parser.parse_args()
    train(given.training, given.recorder, given.seconds, given.batches)


if __name__ == "__main__":
    main()
