"""What holds for every test of the window: no screen is needed, and Qt has nothing to complain about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A warning of Qt fails the test that caused it (`qt_log_ignore` announces one)."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"), append=False)
