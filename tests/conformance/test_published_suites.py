"""The published test suites pass, but for the failures that are known and said in docs/conformance.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.suites.all_suites import SUITES
from tests.helpers.suites.outcomes import KnownFailures, Outcome, Suite, Verdict, known_failures, surprises
from tests.helpers.suites.table import PAGE, failures, row

SLOW = ("SHACL Core", "columns", "workspace")
"""Suites that take more than a second each, by the end of their names."""


@pytest.mark.parametrize(
    "suite",
    [pytest.param(suite, marks=[pytest.mark.slow] if suite.name.endswith(SLOW) else []) for suite in SUITES],
    ids=lambda suite: suite.name,
)
def test_suite_passes_but_for_known_failures(suite: Suite, shared_data: Callable[[str], Path], tmp_path: Path) -> None:
    outcomes = list(suite.run(shared_data(f"suites/{suite.folder}"), tmp_path))
    found = surprises(suite.name, outcomes, known_failures())
    assert found == [], "\n" + "\n".join(found)
    assert row(suite, outcomes) in PAGE.read_text(encoding="utf-8").splitlines(), "make conformance"


def test_the_page_tells_of_each_known_failure() -> None:
    names = {suite.name for suite in SUITES}
    assert {name for group in known_failures() for name in group.suites} <= names
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in failures(known_failures()) if line not in lines] == [], "make conformance"


def test_a_listed_test_has_to_fail_and_another_one_to_pass() -> None:
    known = [KnownFailures(("s",), "ours", "why", frozenset({"a", "b", "gone"}))]
    outcomes = [
        Outcome("a", Verdict.FAILED, "x"),
        Outcome("b"),
        Outcome("c", Verdict.FAILED, "y"),
        Outcome("d"),
        Outcome("e", Verdict.REFUSED),
    ]
    assert [line.split()[0] for line in surprises("s", outcomes, known)] == ["b", "c", "gone"]
    assert [line.split()[0] for line in surprises("another", outcomes, known)] == ["a", "c"]
