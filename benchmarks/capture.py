"""Measures what recording costs, and writes it into the results.

    python benchmarks/capture.py [--rounds N] [--seconds N] [--kills N] [--collect EPOCHS...] [--python PYTHON]
    python benchmarks/capture.py --loops [--rounds N] [--seconds N] [--python PYTHON]

Its parts are `capture_training.py` (trainings with this and other recorders), `capture_calls.py` (single calls, kills)
and `capture_following.py` (the window, collecting). The peers need an environment of their own, which is made in the
folder for temporary files at the first run unless `--python` names the interpreter of one. A part is left out with
`--rounds 0`, `--kills 0` or `--collect` without a number. `--loops` compares with the cheapest peer alone, Flowcept,
and with an empty loop, in a section of its own.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from capture_calls import call_lines, kill_lines
from capture_following import collecting_lines, live_lines
from capture_training import comparison, peers_python
from results import busy, write_section

LOOPS = (
    "bare",
    "nothing, loop",
    "capture to disk",
    "capture to disk, loop",
    "Flowcept, offline",
    "Flowcept, offline, loop",
)


def main() -> None:
    """Measure all of it, and write the section of the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2, help="how often each training runs (default 2)")
    parser.add_argument("--seconds", type=float, default=5.0, help="the longest training (default 5)")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--collect", type=int, nargs="*", default=[3], help="epochs of the paper's runs (default 3)")
    parser.add_argument("--python", help="interpreter of an environment with the peers")
    parser.add_argument("--loops", action="store_true", help="the cheapest peer and an empty loop alone")
    given = parser.parse_args()
    before = busy()
    if given.loops:
        python = given.python or peers_python()
        write_section("What a batch costs", comparison(python, given.rounds, given.seconds, LOOPS), before)
        return
    lines = [*call_lines(), ""]
    if given.rounds:
        lines += [*comparison(given.python or peers_python(), given.rounds, given.seconds), ""]
    if given.kills:
        lines += [*kill_lines(given.kills), ""]
    lines += live_lines()
    if given.collect:
        lines += ["", *collecting_lines(given.collect)]
    write_section("What recording costs", lines, before)


if __name__ == "__main__":
    main()
