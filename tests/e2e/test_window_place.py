"""The window opens where it was closed, on a screen whose window manager adds a frame."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.real_window import RealWindow, real_window
from tests.helpers.virtual_screen import missing_programs, virtual_screen

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason=f"missing programs: {', '.join(missing_programs())}"),
]


def _corner(window: RealWindow) -> tuple[int, int]:
    (home,) = window.find("Home", "CheckBox")
    return home.x, home.y


def test_the_window_opens_where_it_was_closed(tmp_path: Path) -> None:
    places = []
    with virtual_screen(1280, 720) as screen:
        for _ in range(3):
            with real_window(screen, tmp_path, "sample:fugaku") as window:
                places.append(_corner(window))
                window.press("ctrl+q")
                assert window.waits_for_end() == 0
    assert places[1] == places[2]
    assert abs(places[1][0] - places[0][0]) <= 16
    assert abs(places[1][1] - places[0][1]) <= 48
