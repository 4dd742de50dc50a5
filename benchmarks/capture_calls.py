"""Measures the calls of `hpc_explorer.capture`: what they cost, how many records reach the disk, and what a kill loses.

On a busy machine the first call after another process had the processor costs ten times as much as others, because the
caches hold the other's data. Such calls are therefore also given apart.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

CALLS = 10_500
BURST = 300_000
BURSTS = 5


class _Costs:
    """The costs of a call in nanoseconds, and whether another process ran since the call before."""

    def __init__(self) -> None:
        self._all: list[int] = []
        self._alone: list[int] = []
        self._switches = self._count()

    @staticmethod
    def _count() -> int:
        used = resource.getrusage(resource.RUSAGE_THREAD)
        return used.ru_nivcsw + used.ru_nvcsw

    def of(self, call: Callable[[], object]) -> None:
        """Call, after the work of a training and before it."""
        sum(range(5000))
        switches = self._count()
        start = time.perf_counter_ns()
        call()
        cost = time.perf_counter_ns() - start
        self._all.append(cost)
        if switches == self._switches:
            self._alone.append(cost)
        self._switches = self._count()

    def shares(self) -> tuple[float, float, float, float]:
        """p50 and p99 in microseconds of all calls, and of those without another process before."""
        return (*_shares(self._all), *_shares(self._alone))


def _shares(values: list[int]) -> tuple[float, float]:
    values = sorted(values) or [0]
    return values[len(values) // 2] / 1000, values[int(len(values) * 0.99)] / 1000


def call_costs() -> dict[str, Any]:
    """What single calls cost, and how many records a second reach the disk."""
    from hpc_explorer import capture

    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place:
        capture.configure(folder=Path(place) / "spool")
        with capture.workflow("calls"), capture.stage("training"), capture.epoch():
            for name, call in {
                "log_metric": lambda: capture.log_metric("loss", 0.5),
                "log_parameter": lambda: capture.log_parameter("rate", 0.1),
            }.items():
                costs = _Costs()
                for _ in range(CALLS):
                    costs.of(call)
                found[name] = costs.shares()
            begins, ends = _Costs(), _Costs()
            for number in range(CALLS):
                step = capture.batch(number)
                begins.of(step.__enter__)
                ends.of(lambda step=step: step.__exit__(None, None, None))
            found["batch, begin"], found["batch, end"] = begins.shares(), ends.shares()
            capture.flush()
            clock, processor = [], []
            for _ in range(BURSTS):
                cpu, wall = time.process_time(), time.perf_counter()
                for _ in range(BURST):
                    capture.log_metric("loss", 0.5)
                capture.flush()
                clock.append(BURST / (time.perf_counter() - wall))
                processor.append(BURST / (time.process_time() - cpu))
    return {**found, "clock": sorted(clock), "processor": sorted(processor)}


def call_lines() -> list[str]:
    """The results of `call_costs` in a process of its own, as lines."""
    done = subprocess.run([sys.executable, __file__], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    clock, processor = found["clock"], found["processor"]
    return [
        "A call of capture in the caller, by the clock. *Alone* are the calls before which no other process had the",
        "processor since the last call.",
        "",
        "| call of capture | p50 µs | p99 µs | alone: p50 µs | alone: p99 µs |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {' | '.join(f'{value:.1f}' for value in cost)} |"
            for name, cost in found.items()
            if name not in ("clock", "processor")
        ),
        "",
        f"One process wrote {BURST:,} records {BURSTS} times: {clock[0]:,.0f} to {clock[-1]:,.0f} records a second",
        f"to disk by the clock (median {clock[len(clock) // 2]:,.0f}), {processor[0]:,.0f} to {processor[-1]:,.0f} of",
        "processor time.",
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


def kill_lines(number: int) -> list[str]:
    """The results of `kills`, as a line."""
    return [
        "Killed at random moments: " + ", ".join(f"{name} {value:,}" for name, value in kills(number).items()) + "."
    ]


if __name__ == "__main__":
    print(json.dumps(call_costs()))
