"""Frame times of the canvas on large graphs, beside pyqtgraph's GraphItem and a plain QGraphicsScene in the same run.

QT_QPA_PLATFORM=offscreen python benchmarks/canvas.py [NODES...]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QApplication, QGraphicsScene, QGraphicsView, QWidget

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import busy, write_section

from hpc_explorer.canvas.geometry import Point
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets import theme
from tests.helpers.scenes import field

WIDTH, HEIGHT, FRAMES = 1200, 800, 60
MIDDLE = Point(WIDTH / 2, HEIGHT / 2)


def settled(view: CanvasView) -> None:
    """Wait until nothing is laid out or drawn any more."""
    loop, timer = QEventLoop(), QTimer()
    timer.setInterval(2)
    timer.timeout.connect(lambda: None if view.is_laying_out() or view.is_sharpening() else loop.quit())
    timer.start()
    loop.exec()
    timer.stop()


def frames(widget: QWidget, step: Callable[[int], object]) -> str:
    """The median and the 95th percentile of painting after each step, in ms."""
    taken = []
    for number in range(FRAMES):
        began = time.perf_counter()
        step(number)
        widget.repaint()
        QApplication.processEvents()
        taken.append(1000 * (time.perf_counter() - began))
    taken.sort()
    return f"{statistics.median(taken):.1f} / {taken[int(0.95 * len(taken))]:.1f}"


def ours(scene: Scene, layout: Layout) -> tuple[str, ...]:
    """First paint, moving and zooming of the whole, moving where cards are read."""
    view = CanvasView()
    view.resize(WIDTH, HEIGHT)
    view.show()
    QApplication.processEvents()
    began = time.perf_counter()
    view.set_scene(scene, layout)
    settled(view)
    view.repaint()
    settled(view)
    view.repaint()
    first = time.perf_counter() - began
    view.fit()
    while view.viewpoint.is_moving:
        QApplication.processEvents()
    view.repaint()
    settled(view)
    whole = view.camera()
    pan = frames(view, lambda number: view.viewpoint.look(view.camera().moved(9 if number % 20 < 10 else -9, 4)))
    view.viewpoint.look(whole)
    zoom = frames(
        view, lambda number: view.viewpoint.look(view.camera().zoomed(1.08 if number % 30 < 15 else 1 / 1.08, MIDDLE))
    )
    settled(view)
    view.viewpoint.look(type(whole)(1.0, layout.bounds.width / 2, layout.bounds.height / 2))
    near = frames(view, lambda _: view.viewpoint.look(view.camera().moved(9, 4)))
    settled(view)
    view.close()
    return f"{first:.2f}", pan, zoom, near


def graphics_scene(scene: Scene, layout: Layout) -> tuple[str, ...]:
    """An item for each card and each line."""
    began = time.perf_counter()
    shown = QGraphicsScene()
    for rect in layout.places.values():
        shown.addRect(*rect, QPen(), QColor("#336699"))
    for route in layout.routes:
        shown.addLine(*route.path.start, *route.path.end, QPen(QColor("#808890")))
    view = QGraphicsView(shown)
    view.resize(WIDTH, HEIGHT)
    view.fitInView(shown.sceneRect())
    view.show()
    view.viewport().repaint()
    first = time.perf_counter() - began
    pan = frames(view.viewport(), lambda number: view.translate(40 if number % 20 < 10 else -40, 0))
    zoom = frames(view.viewport(), lambda number: view.scale(*((1.08, 1.08) if number % 30 < 15 else (0.926, 0.926))))
    view.close()
    return f"{first:.2f}", pan, zoom, ""


def graph_item(scene: Scene, layout: Layout) -> tuple[str, ...]:
    """pyqtgraph's own item for graphs."""
    import numpy as np
    import pyqtgraph

    positions = np.array([rect.centre for rect in layout.places.values()])
    links = np.array([(route.bundle.source, route.bundle.target) for route in layout.routes])
    began = time.perf_counter()
    widget = pyqtgraph.GraphicsLayoutWidget()
    widget.resize(WIDTH, HEIGHT)
    box = widget.addViewBox()
    box.addItem(pyqtgraph.GraphItem(pos=positions, adj=links, size=4, pen=(128, 136, 144), symbolPen=None))
    box.autoRange()
    widget.show()
    QApplication.processEvents()
    widget.repaint()
    first = time.perf_counter() - began
    viewport = widget.viewport()
    pan = frames(viewport, lambda number: box.translateBy(x=400 if number % 20 < 10 else -400))
    zoom = frames(viewport, lambda number: box.scaleBy((0.926, 0.926) if number % 30 < 15 else (1.08, 1.08)))
    widget.close()
    return f"{first:.2f}", pan, zoom, ""


def table(sizes: list[int]) -> list[str]:
    """The figures as Markdown."""
    application = QApplication(sys.argv[:1])
    theme.prepare(application)
    ways = {"hpc-explorer": ours, "pyqtgraph GraphItem": graph_item, "QGraphicsScene": graphics_scene}
    lines = [
        "Twice as many edges as nodes, 1200 by 800 pixels; a frame is one step of moving or zooming until it is",
        "painted, in milliseconds: median / 95th percentile. The peers draw no labels and no arrowheads.",
        "",
        "| nodes | who | first paint s | move, whole graph | zoom | move, near by |",
        "|---|---|---|---|---|---|",
    ]
    for count in sizes:
        scene, layout = field(count)
        for who, way in ways.items():
            lines.append(f"| {count:,} | {who} | {' | '.join(way(scene, layout))} |")
    return lines


if __name__ == "__main__":
    before = busy()
    sizes = [int(argument) for argument in sys.argv[1:]] or [1_000, 10_000, 50_000, 100_000]
    write_section("Frames of the canvas", table(sizes), before)
