"""The frame that every test stands in (tests/conftest.py): each of its rules fails a test that breaks it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

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
    shutil.copy(CONFTEST, tests)
    (tests / "test_broken_rules.py").write_text(BROKEN_RULES, encoding="utf-8")
    (tmp_path / "project" / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {**os.environ, "COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "--color=no", str(tests)],
        cwd=tmp_path / "project",
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert set(re.findall(r"^ERROR \S+::(\w+) - (.+)", run.stdout, re.MULTILINE)) == {
        ("test_warns", "Failed: unexpected log records:"),
        ("test_announces_what_does_not_come", "Failed: expected log records that did not come: disk full"),
        ("test_leaks_a_thread", "Failed: threads still running after the test: forgotten"),
    }, run.stdout
    assert "shared data missing: no/such/file.ttl" in run.stdout
    assert "7 passed, 1 skipped, 3 errors" in run.stdout
