"""A window of the program that is posed, and taken pictures of, as small files."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QDialog

from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.geometry import Point
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[1]
SIZE = (1360, 850)
MODEL = NamedNode("http://example.org/AIModel/MO000001")
SMALLEST = 0
"""For Qt a PNG of low quality is one that is packed as small as it can be."""
PATIENCE = 180.0
"""Seconds that something may take."""


class Studio:
    """A window that is posed and taken a picture of."""

    def __init__(self, application: QApplication, folder: Path, size: tuple[int, int] = SIZE) -> None:
        self._application = application
        self._folder = folder
        self.session = Session.new()
        self.window = MainWindow(self.session, Settings(theme="light", only_used_classes=False))
        self.window.resize(*size)
        self.window.show()
        self.rest()

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *problem: object) -> None:
        self.window.close()

    def rest(self) -> None:
        """Wait until nothing changes any more."""
        self.until(lambda: not self.window.is_busy)
        self.pass_time(300)  # the view's one short motion
        self.until(lambda: not self.window.pictures.canvas.painting.backing.pending)

    def pass_time(self, milliseconds: int) -> None:
        """Let the program go on for a while."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to be so."""
        ends = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > ends:
                raise TimeoutError("the window does not come to rest")
            self.pass_time(20)

    def open(self, *names: str) -> None:
        """Open these sources in place of what is open, without the question about unsaved changes."""
        if self.window.commands.action("file.discard").isEnabled():
            self.window.run("file.discard")
            self.rest()
        self.window.run("file.close_all")
        self.rest()
        self.window.open_sources(names)
        self.rest()

    def zoom(self, scale: float, at: str) -> None:
        """Look at the surroundings of a node."""
        canvas = self.window.pictures.canvas
        rect = canvas.view_rect(at)
        assert rect is not None
        camera = canvas.camera()
        canvas.viewpoint.look(camera.zoomed(scale / camera.scale, Point(rect.centre.x, rect.centre.y)))
        rect = canvas.view_rect(at)
        assert rect is not None
        dx, dy = canvas.width() / 2 - rect.centre.x, canvas.height() / 2 - rect.centre.y
        canvas.viewpoint.look(canvas.camera().moved(dx, dy))
        self.rest()

    def take(self, name: str, *, coarse: bool = False) -> None:
        """Write what is in sight; coarse: a pixel for each unit, where there is so much that it would be too large."""
        self.rest()
        self.window.grab()  # only what was drawn once is made sharp
        self.rest()
        self._folder.mkdir(parents=True, exist_ok=True)
        image = self.window.grab()
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                place = dialog.rect().translated(self.window.rect().center() - dialog.rect().center())
                dialog.render(image, place.topLeft())
                painter = QPainter(image)
                painter.setPen(self.window.palette().dark().color())
                painter.drawRect(place)
                painter.end()
        popup = self.window.features.graph.commands.popup
        if popup is not None and popup.isVisible():
            # There is no screen, so that it does not know where it could stand: just below its node.
            canvas = self.window.pictures.canvas
            rect = canvas.view_rect(MODEL.value)
            popup.render(image, canvas.mapTo(self.window, QPoint(round(rect.x), round(rect.bottom) + 4)))
        path = self._folder / f"{name}.png"
        shot = image.toImage()
        if coarse:
            shot = shot.scaled(self.window.size(), mode=Qt.TransformationMode.SmoothTransformation)
        if not small(shot).save(str(path), quality=SMALLEST):
            raise OSError(f"cannot write {path}")
        print(f"{path}  {path.stat().st_size // 1024} kB")


def small(image: QImage) -> QImage:
    """The picture in its 256 most frequent colours: a third of the bytes, and nobody sees it."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    coarse = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    return plain.convertToFormat(QImage.Format.Format_Indexed8, frequent_colours(plain), coarse)


def frequent_colours(image: QImage, most: int = 256) -> list[int]:
    """The colours that most pixels have, as Qt writes a colour table."""
    import numpy as np

    height, width, line = image.height(), image.width(), image.bytesPerLine()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(height, line)[:, : 3 * width].reshape(-1, 3)
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    colours, counts = np.unique(packed, return_counts=True)
    # Of shades that are nearly alike one is enough, so that none is lost to the many of one letter's edge.
    chosen: dict[int, int] = {}
    for colour in colours[np.argsort(-counts, kind="stable")]:
        chosen.setdefault(int(colour) & 0xF8F8F8, int(colour))
    return [0xFF000000 | colour for colour in list(chosen.values())[:most]]
