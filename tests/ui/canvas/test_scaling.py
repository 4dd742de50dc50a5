"""The canvas on a desktop at 100, 200 and 300 %: as sharp as its pixels allow, everything in its place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication
from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.palette import LIGHT, class_colour
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.canvas.view import CanvasView
from tests.helpers.scenes import field

application = QApplication([])
theme.prepare(application)
view = CanvasView()
view.resize(600, 400)
view.show()
scene, layout = field(6_000)


def settle():
    loop, timer = QEventLoop(), QTimer()
    timer.timeout.connect(lambda: None if view.is_laying_out() or (view.painting.backing.pending or view.painting.names.pending) else loop.quit())
    timer.start(5)
    loop.exec()


view.set_scene(scene, layout)
settle()
ratio = view.devicePixelRatioF()
card = layout.places["n40"]
for scale in (0.2, 1.0):
    view.viewpoint.look(Camera(scale, card.centre.x - 300 / scale, card.centre.y - 200 / scale))
    view.grab()
    settle()
    image = view.grab().toImage()
    # Where does the colour of the card begin? A name of another node may cover a part of it.
    rect = view.view_rect("n40")
    colour = class_colour(LIGHT, "Activity")
    first = min(
        x
        for x in range(round((rect.x - 2) * ratio), round(rect.right * ratio))
        for y in range(round(rect.y * ratio) + 1, round(rect.bottom * ratio) - 1)
        if image.pixelColor(x, y).name() == colour
    )
    print(scale, image.width(), first / ratio - rect.x)
"""


@pytest.mark.parametrize(
    "factor", [pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(3, marks=pytest.mark.slow)]
)
def test_the_canvas_is_as_sharp_as_the_screen(factor: int) -> None:
    environment = os.environ | {
        "QT_SCALE_FACTOR": str(factor),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    far, near = (line.split() for line in done.stdout.splitlines())
    assert int(far[1]) == int(near[1]) == 600 * factor
    assert -1.5 / factor <= float(far[2]) <= 1.5 / factor, "the area of a card begins within a pixel of the screen"
    assert 5.0 <= float(near[2]) <= 8.0, "the bar of its class stands six units inside a card"
