"""Names over a picture seen from far away: carried along while the view moves, chosen anew where it rests."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.primitives import Box, Primitive
from hpc_explorer.ui.canvas.painting import CanvasNames

PLACE = Point(40.0, 30.0)
"""Of the only name, in the scene."""


class Choice:
    """Names one place of the scene, with a box of eight pixels in the view, and counts how often it is asked."""

    def __init__(self) -> None:
        self.camera = Camera()
        self.asked = 0

    def __call__(self) -> list[Primitive]:
        self.asked += 1
        middle = self.camera.to_view(PLACE)
        return [Box(Rect(middle.x - 4.0, middle.y - 4.0, 8.0, 8.0), fill="#ff0000")]


def painted(names: CanvasNames, camera: Camera, choice: Choice, of: str = "picture") -> QImage:
    choice.camera = camera
    image = QImage(200, 160, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    names.paint(painter, camera, of, choice)
    painter.end()
    return image


def is_named(image: QImage, camera: Camera) -> bool:
    middle = camera.to_view(PLACE)
    return image.pixelColor(round(middle.x), round(middle.y)).name() == "#ff0000"


def test_a_name_stays_with_its_place_while_the_view_moves_and_zooms(qtbot: QtBot) -> None:
    owner = QObject()
    names, choice = CanvasNames(owner), Choice()
    for camera in (Camera(), Camera(1.0, -20.0, 10.0), Camera(1.5, 5.0, 5.0), Camera(0.5, -60.0, -40.0)):
        assert is_named(painted(names, camera, choice), camera)
    assert choice.asked == 1
    assert names.pending


def test_names_are_chosen_anew_where_the_view_rests(qtbot: QtBot) -> None:
    owner = QObject()
    names, choice = CanvasNames(owner), Choice()
    painted(names, Camera(), choice)
    assert not names.pending
    there = Camera(1.0, -20.0, 10.0)
    with qtbot.waitSignal(names.settled):
        painted(names, there, choice)
    painted(names, there, choice)
    assert choice.asked == 2
    painted(names, there, choice)
    assert choice.asked == 2


def test_names_of_another_picture_are_chosen_at_once(qtbot: QtBot) -> None:
    owner = QObject()
    names, choice = CanvasNames(owner), Choice()
    painted(names, Camera(), choice)
    moved = Camera(1.0, -20.0, 10.0)
    assert is_named(painted(names, moved, choice, of="another"), moved)
    assert choice.asked == 2
    names.forget()
    painted(names, moved, choice, of="another")
    assert choice.asked == 3
