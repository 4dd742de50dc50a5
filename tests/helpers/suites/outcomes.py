"""Published test suites: what came of each test, and which failures are known.

A suite is a function that takes the folder of its files and gives one `Outcome` for each test. The suites that there
are stand in `tests.helpers.suites.all_suites`; the failures that are known stand in `known_failures.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

KNOWN_FAILURES = Path(__file__).parents[2] / "conformance" / "known_failures.toml"


class Verdict(Enum):
    """What was made from a test."""

    PASSED = "passed"
    FAILED = "failed"
    REFUSED = "refused"
    """It was not answered, and something else answers in its place: no failure, and no pass."""


@dataclass(frozen=True)
class Outcome:
    """What was made from one test.

    Args:
        test: its name in its suite.
        verdict: whether it passed.
        seen: what was seen instead of what the suite expects, in one line; empty where it passed.
    """

    test: str
    verdict: Verdict = Verdict.PASSED
    seen: str = ""


@dataclass(frozen=True)
class Suite:
    """A published test suite, and how it is run here.

    Args:
        name: as it stands in the table, with what answers it.
        folder: where its files are, below the folder of all suites.
        run: gives the outcome of each test, from the folder of its files and a folder for files that are made.
        source: where it is published.
    """

    name: str
    folder: str
    run: Callable[[Path, Path], Iterable[Outcome]]
    source: str


@dataclass(frozen=True)
class KnownFailures:
    """Tests of one suite that fail for one reason.

    Args:
        suites: the names of the suites.
        owner: who has to fix it: "ours", "the engine's", a library's, or "the suite's".
        reason: why they fail, in one sentence.
        tests: their names.
    """

    suites: tuple[str, ...]
    owner: str
    reason: str
    tests: frozenset[str]


def known_failures(file: Path = KNOWN_FAILURES) -> tuple[KnownFailures, ...]:
    """The failures that are known, as `known_failures.toml` lists them."""
    groups = tomllib.loads(file.read_text(encoding="utf-8"))["failures"]
    return tuple(
        KnownFailures(tuple(group["suites"]), group["owner"], group["reason"], frozenset(group["tests"]))
        for group in groups
    )


def surprises(suite: str, outcomes: Iterable[Outcome], known: Sequence[KnownFailures]) -> list[str]:
    """One line for each test that fails and is not known to, each that is known to fail and passes, and each unknown.

    Args:
        suite: the name of the suite.
    """
    expected = {test for group in known if suite in group.suites for test in group.tests}
    found = {outcome.test: outcome for outcome in outcomes}
    lines = []
    for test, outcome in found.items():
        if outcome.verdict is Verdict.FAILED and test not in expected:
            lines.append(f"{test} fails: {outcome.seen}")
        elif outcome.verdict is not Verdict.FAILED and test in expected:
            lines.append(f"{test} is known to fail, and {outcome.verdict.value}")
    return lines + [f"{test} is known to fail, and there is no such test" for test in sorted(expected - found.keys())]
