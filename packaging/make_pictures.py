"""Makes the pictures of the README and the guide from the real program, drawn without a screen at twice the size.

python packaging/make_pictures.py [FOLDER]     default: docs/guide/pictures
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = "2"

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from hpc_explorer.app.session import Session
from hpc_explorer.app.settings import CONFIG_VARIABLE, Settings
from hpc_explorer.canvas.kinds import SHAPES
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui import theme
from hpc_explorer.ui.export_dialog import ExportDialog
from hpc_explorer.ui.main_window import MainWindow
from hpc_explorer.ui.navigator import View

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "guide" / "pictures"
SIZE = (1360, 850)
MODEL = NamedNode("http://example.org/AIModel/MO000001")
SMALLEST = 0
"""For Qt a PNG of low quality is one that is packed as small as it can be."""
PATIENCE = 60.0
"""Seconds that something may take."""


class Studio:
    """A window that is posed and taken a picture of."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        self._application = application
        self._folder = folder
        self.window = MainWindow(Session.new(), Settings(theme="light"))
        self.window.resize(*SIZE)
        self.window.show()
        self.rest()

    def rest(self) -> None:
        """Wait until nothing changes any more."""
        self.until(lambda: not self.window.is_busy)
        QTest.qWait(250)  # the view's one short motion

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to be so."""
        ends = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > ends:
                raise TimeoutError("the window does not come to rest")
            self._application.processEvents()

    def take(self, name: str) -> None:
        """Write what is in sight."""
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
        path = self._folder / f"{name}.png"
        if not image.toImage().convertToFormat(QImage.Format.Format_RGB888).save(str(path), quality=SMALLEST):
            raise OSError(f"cannot write {path}")
        print(path)


def main(folder: Path) -> None:
    """Take every picture."""
    application = QApplication(sys.argv[:1])
    theme.prepare(application)
    studio = Studio(application, folder)
    window = studio.window
    studio.take("start")
    window.open_sources(["sample:xplacer"])
    studio.rest()
    window.navigator.open(MODEL)
    studio.rest()
    window.pictures.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
    studio.take("explore")
    window.run("go.upstream")
    studio.rest()
    window.pictures.canvases[View.LINEAGE].clearFocus()
    for _ in range(2):
        window.run("view.zoom_out")
        studio.rest()
    studio.take("lineage-light")
    window.run("theme.dark")
    studio.take("lineage-dark")
    window.pictures.canvas.fit()
    studio.take("lineage-whole")
    window.run("theme.light")
    window.run("file.export")
    dialog = window.findChild(ExportDialog)
    dialog.file.setText("~/results/decisionTree-lineage.jsonld")
    studio.take("export")
    dialog.close()
    studio.rest()
    looks = window.looks.dialog(window.looks.themed(LIGHT), "https://hpc-fair.github.io/ontology#AIModel")
    looks.open()
    looks.shapes.button(len(SHAPES)).click()
    studio.take("looks")
    looks.close()
    window.navigator.explore(None)
    studio.rest()
    window.activateWindow()
    studio.until(window.isActiveWindow)
    window.search.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClicks(window.search, "decision")
    studio.until(window.search.results.isVisible)
    studio.take("search")
    window.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as settings:
        os.environ[CONFIG_VARIABLE] = settings
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
