"""The frame that every test stands in (tests/conftest.py): each of its rules fails a test that breaks it."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CONFTEST = Path(__file__).parents[1] / "conftest.py"

BROKEN_RULES = """
import logging, threading
import pytest

end = threading.Event()

def test_warns():
    logging.getLogger("x").warning("disk full")

@pytest.mark.expected_logs("WARNING x: disk")
def test_announces_by_mark():
    logging.getLogger("x").warning("disk full")

def test_announces_in_the_test(expected_logs):
    expected_logs("disk full")
    logging.getLogger("x").warning("disk full")

@pytest.mark.expected_logs("disk full")
def test_announces_what_does_not_come():
    pass

def test_leaks_a_thread():
    threading.Thread(target=end.wait, name="forgotten").start()

def test_ends_the_leaked_thread():
    end.set()

def test_reads_shared_data(shared_data):
    shared_data("no/such/file.ttl")

def test_is_silent():
    logging.getLogger("x").info("as usual")
"""


def test_each_rule_fails_the_test_that_breaks_it(tmp_path: Path) -> None:
    tests = tmp_path / "project" / "tests"
    tests.mkdir(parents=True)
    frame = CONFTEST.read_text(encoding="utf-8")
    assert "\nGRACE = 60.0\n" in frame
    (tests / "conftest.py").write_text(frame.replace("GRACE = 60.0", "GRACE = 0.5"), encoding="utf-8")
    (tests / "test_broken_rules.py").write_text(BROKEN_RULES, encoding="utf-8")
    (tmp_path / "project" / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {**os.environ, "COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "--color=no", str(tests)],
        cwd=tmp_path / "project",
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert set(re.findall(r"^ERROR \S+::(\w+) - (.+)", run.stdout, re.MULTILINE)) == {
        ("test_warns", "Failed: unexpected log records:"),
        ("test_announces_what_does_not_come", "Failed: expected log records that did not come: disk full"),
        ("test_leaks_a_thread", "Failed: threads still running after the test: forgotten"),
    }, run.stdout
    assert "shared data missing: no/such/file.ttl" in run.stdout
    assert "7 passed, 1 skipped, 3 errors" in run.stdout


@pytest.mark.skipif(not settings.default.derandomize, reason="the examples are to be new ones")
def test_the_examples_of_a_property_are_the_same_whatever_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def examples() -> list[tuple[str, int]]:
        drawn: list[tuple[str, int]] = []

        @given(st.text(), st.integers())
        def property_(text: str, number: int) -> None:
            drawn.append((text, number))

        property_()
        return drawn

    before = examples()
    constants = [value for number in range(300) for value in (f"constant {number}", 10**6 + number)]
    (tmp_path / "full_of_constants.py").write_text(f"ALL = {constants}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("full_of_constants")
    assert examples() == before
