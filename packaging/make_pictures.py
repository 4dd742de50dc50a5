"""Makes the pictures of the README and the guide from the real program, drawn without a screen at twice the size.

python packaging/make_pictures.py [FOLDER [NAME...]]     default: docs/guide/pictures, all of them

Pictures of published ontologies need the shared data beside the project; without it they stay as they are, which is
said.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = "2"

from picture_scenes import diverging_training, hub, stated, training_runs
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from hpc_explorer.app import operations
from hpc_explorer.app.operations.expanding import PAGE
from hpc_explorer.app.session import Session
from hpc_explorer.app.settings import CONFIG_VARIABLE, Settings
from hpc_explorer.canvas.geometry import Point
from hpc_explorer.canvas.kinds import SHAPES
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui import theme
from hpc_explorer.ui.export_dialog import ExportDialog
from hpc_explorer.ui.facet_panel import Facet
from hpc_explorer.ui.main_window import MainWindow
from hpc_explorer.ui.navigator import View
from hpc_explorer.ui.question_dialog import QuestionDialog
from hpc_explorer.ui.save_question_dialog import ASKED, STANDS, SaveQuestionDialog

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "guide" / "pictures"
ONTOLOGIES = ROOT.parent / "shared" / "data" / "ontologies"
SIZE = (1360, 850)
SCREEN_AT_200 = (960, 540)
"""A screen of 1920 by 1080 pixels at twice the size."""
MODEL = NamedNode("http://example.org/AIModel/MO000001")
SMALLEST = 0
"""For Qt a PNG of low quality is one that is packed as small as it can be."""
PATIENCE = 180.0
"""Seconds that something may take."""
NEIGHBOURS = 100_000


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
        self.until(lambda: not self.window.pictures.canvas.is_sharpening())

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
        """Open these sources in place of what is open."""
        self.window.run("file.close_all")
        self.rest()
        self.window.open_sources(names)
        self.rest()

    def zoom(self, scale: float, at: str) -> None:
        """Look at the surroundings of a node."""
        canvas = self.window.pictures.canvas
        rect = canvas.view_rect(at)
        assert rect is not None
        canvas.look(canvas.camera().zoomed(scale / canvas.camera().scale, Point(rect.centre.x, rect.centre.y)))
        rect = canvas.view_rect(at)
        assert rect is not None
        dx, dy = canvas.width() / 2 - rect.centre.x, canvas.height() / 2 - rect.centre.y
        canvas.look(canvas.camera().moved(dx, dy))
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
        popup = self.window.graph.commands.popup
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


def walk(studio: Studio) -> None:
    """The sample: what is linked, where it comes from, what is written."""
    window = studio.window
    studio.take("start")
    window.open_sources(["sample:xplacer"])
    studio.rest()
    window.navigator.open(MODEL)
    studio.rest()
    window.pictures.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
    studio.take("explore")
    window.run("view.browser")
    window.run("go.upstream")
    studio.rest()
    window.pictures.canvases[View.LINEAGE].clearFocus()
    window.run("view.zoom_out")
    studio.take("lineage-light")
    window.run("theme.dark")
    studio.take("lineage-dark")
    window.pictures.canvas.fit()
    studio.take("lineage-whole")
    window.run("theme.light")
    window.navigator.trace(MODEL, downstream=False)
    studio.rest()
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
    window.run("view.browser")
    window.navigator.explore(None)
    studio.rest()
    window.run("classes.properties")
    studio.rest()
    window.navigator.select(NamedNode("https://hpc-fair.github.io/ontology#Dataset"))
    studio.take("classes-properties")
    window.run("classes.properties")
    window.run("classes.instances")
    studio.take("classes-instances")
    window.run("classes.instances")
    window.activateWindow()
    studio.until(window.isActiveWindow)
    window.search.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClicks(window.search, "decision")
    studio.until(window.search.results.isVisible)
    studio.take("search")


def lay_open(studio: Studio) -> None:
    """Pictures of the graph tab: what a model can be expanded by, and a graph with its filters."""
    studio.open("sample:xplacer")
    window, desk = studio.window, studio.window.graph.desk
    window.navigator.open(MODEL)
    studio.rest()
    window.run("graph.add")
    studio.rest()

    def expand(key: str, *labels: str) -> None:
        for one in operations.neighbour_sets(studio.session, operations.resource_of_key(key)):
            if one.label in labels:
                desk.expand(one.of, one.label, PAGE)
        studio.rest()

    expand(MODEL.value, "was generated by", "was derived from dataset")
    run = next(key for key, node in desk.view.nodes.items() if node.kind == "Experiment")
    expand(run, "used")
    window.run("graph.arrange_layered")
    studio.rest()
    window.run("graph.expand")
    studio.until(lambda: window.graph.commands.popup is not None and window.graph.commands.popup.sets.isVisible())
    studio.take("graph-expand")
    window.graph.commands.popup.close()
    window.run("graph.filters")
    window.pictures.canvas.fit()
    studio.take("graph-filters")
    window.run("graph.filters")


def classes(studio: Studio) -> None:
    """Two published ontologies."""
    published = {"classes-hpc": ONTOLOGIES / "hpc-public", "classes-brick": ONTOLOGIES / "large" / "Brick-1.4.ttl"}
    for name, path in published.items():
        if not path.exists():
            print(f"{name} stays as it is: {path} is missing")
            continue
        studio.open(str(path))
        if studio.window.commands.by_id["view.only_used"].isChecked():
            studio.window.run("view.only_used")
        studio.take(name)
        studio.window.run("theme.dark")
        studio.take(f"{name}-dark")
        studio.window.run("theme.light")


def at_200_percent(studio: Studio) -> None:
    """A small screen where everything is twice as large."""
    studio.open("sample:xplacer")
    studio.window.run("view.browser")
    studio.window.navigator.open(MODEL)
    studio.rest()
    studio.window.run("view.fit")
    studio.take("scale-200")
    studio.window.run("view.browser")


def large_hub(studio: Studio) -> None:
    """A resource with very many neighbours."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.nt"
        path.write_text("".join(hub(NEIGHBOURS)), encoding="ascii")
        studio.open(str(path))
        studio.window.navigator.open(NamedNode("http://example.org/dataset/ImageNet-1k"))
        studio.take("hub")


def fifty_thousand(studio: Studio) -> None:
    """A large graph from afar, nearer, and near."""
    scene = training_runs()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training-runs.nt"
        path.write_text("".join(stated(scene)), encoding="utf-8")
        studio.open(str(path))
    pane = studio.window.pictures
    studio.window.navigator.open(NamedNode("http://example.org/p9r7"))
    studio.rest()
    pane.show_scene(View.EXPLORE, scene, f"{len(scene.nodes):,} nodes and {len(scene.edges):,} links")
    for name in ("view.browser", "view.inspector"):
        studio.window.run(name)
    studio.rest()
    pane.canvas.select(None)
    pane.canvas.fit()
    studio.take("fifty-thousand-far", coarse=True)
    pane.canvas.select("p9r7")
    studio.zoom(0.12, "p9r7")
    studio.take("fifty-thousand-middle", coarse=True)
    studio.zoom(0.75, "p9r7")
    studio.take("fifty-thousand-near", coarse=True)
    for name in ("view.browser", "view.inspector"):
        studio.window.run(name)


def phases(studio: Studio) -> None:
    """A trained model in three phases, opened down to its epochs, and the loss of its batches."""
    studio.open("sample:seismic")
    window = studio.window
    window.run("view.inspector")
    window.navigator.trace(NamedNode("http://example.org/seismic/run1-training-epoch2-model"), downstream=False)
    studio.rest()
    studio.take("phases")
    desk = window.presenter.phases

    def card(title: str) -> str:
        studio.rest()
        view = desk.view
        assert view is not None
        return next(row.key for row in view.rows if row.title == title)

    for title in ("Learning", "Learning run 1", "Training, run 1", "3 epochs"):
        window.pictures.canvas.select(card(title))
        desk.activate(card(title))
    window.navigator.select(NamedNode("http://example.org/seismic/run1-training"))
    studio.take("phases-open")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.nt"
        path.write_text("".join(diverging_training()), encoding="utf-8")
        studio.open(str(path))
    window.navigator.trace(NamedNode("http://example.org/model"), downstream=False)
    desk.activate(card("Learning"))
    desk.activate(card("Training of the U-Net"))
    desk.activate(card("6,000 batches"))
    studio.take("phases-plot")
    window.run("view.inspector")


def answers(studio: Studio) -> None:
    """What a machine reached, two runs compared, and a lineage as of a moment."""
    studio.open("sample:xplacer", "sample:seismic")
    window = studio.window

    def resource(text: str) -> Resource:
        return operations.resolve(studio.session, text)

    window.navigator.explore(resource("cluster:lassen"))
    studio.rest()
    window.run("go.impact")
    studio.take("impact")
    window.run("view.browser")
    window.navigator.select(resource("seis:run1"))
    window.questions.compare(resource("seis:run1"), resource("seis:run2"))
    studio.take("compare")
    window.navigator.select(MODEL)
    window.questions.compare(MODEL, resource("randomForest.onnx"))
    studio.rest()
    page = window.pictures.answer.verticalScrollBar()
    page.setValue(page.maximum())
    window.pictures.canvas.fit()
    studio.take("compare-picture")
    window.run("view.browser")
    window.navigator.trace(MODEL, downstream=False)
    studio.rest()
    window.navigator.draw_phases(False)
    studio.rest()
    window.run("view.as_of")
    studio.rest()
    slider = window.time.bar.slider
    slider.setValue(slider.maximum() // 2)
    studio.rest()
    window.pictures.canvas.fit()
    studio.take("as-of")
    window.run("view.as_of")


def questions(studio: Studio) -> None:
    """A ready question: the form of its blanks, and its answer."""
    studio.open("sample:seismic")
    window = studio.window
    listed = window.browser.questions
    studio.until(lambda: listed.count() > 0)

    def form(title: str) -> QuestionDialog:
        row = next(at for at in range(listed.count()) if listed.item(at).text() == title)
        listed.setCurrentRow(row)
        QTest.keyClick(listed, Qt.Key.Key_Return)
        studio.rest()
        return next(one for one in window.findChildren(QuestionDialog) if one.isVisible())

    dialog = form("The seismic behind a model")
    QTest.keyClicks(dialog.fields[0].line, "epo 2")
    studio.take("question-form")
    dialog.reject()
    dialog = form("Batch times of a training, epoch by epoch")
    dialog.fields[0].line.setFocus()
    QTest.keyClick(dialog.fields[0].line, Qt.Key.Key_Down)
    QTest.keyClick(dialog.fields[0].list, Qt.Key.Key_Return)
    studio.until(lambda: window.pictures.answer.answer is not None)
    window.pictures.setFocus()
    studio.take("question-answer")
    studio.open("sample:xplacer")
    query = """SELECT ?model ?accuracy WHERE {
      ?model a hpc:AIModel ; hpc:targetMachine <http://example.org/cluster/lassen> ; hpc:accuracy ?accuracy ;
             hpc:project/hpc:name "Xplacer" .
      FILTER(?accuracy > 0.9)
    }"""
    saving = SaveQuestionDialog(window._bridge, query, window)
    saving.open()
    studio.rest()
    saving.title.setText("Accurate models of a machine")
    saving.words.setText("Which models for a given machine are more accurate than a given number?")
    for row in (1, 3):
        saving.blanks.topLevelItem(row).setCheckState(STANDS, Qt.CheckState.Checked)
    saving.blanks.topLevelItem(3).setText(ASKED, "least accuracy")
    studio.take("question-save")
    saving.reject()


def recipe(studio: Studio) -> None:
    """How to make a model again."""
    studio.open("sample:xplacer")
    studio.window.navigator.select(MODEL)
    studio.rest()
    studio.window.run("go.reproduce")
    studio.rest()
    studio.window.activateWindow()
    studio.take("recipe")


def sparql(studio: Studio) -> None:
    """The SPARQL editor, completing what exists."""
    studio.open("sample:xplacer")
    window = studio.window
    window.run("view.ask")
    studio.rest()
    window.pictures.ask.write.click()
    editor = window.pictures.ask.editor
    studio.rest()
    window.run("view.inspector")
    for line in ("SELECT ?model ?machine WHERE {", "?model a hpc:AIModel ;", "  hpc:name ?name ;"):
        QTest.keyClicks(editor.edit, line)
        QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    QTest.keyClicks(editor.edit, "mode")
    studio.until(lambda: editor.popup is not None and editor.popup.isVisible())
    studio.take("sparql-editor")


def ask(studio: Studio) -> None:
    """A question built step by step, an amount with its unit, and a question that finds nothing."""
    studio.open("sample:xplacer")
    window = studio.window
    window.run("view.inspector")
    window.run("view.ask")
    studio.rest()
    facets = window.pictures.ask.facets

    def choose(facet: Facet, label: str, detail: str = "") -> None:
        rows = facets.lists[facet].rows
        found = (at for at, row in enumerate(rows.rows.rows) if row.label == label and detail in row.detail)
        rows.setCurrentIndex(rows.rows.index(next(found)))
        QTest.keyClick(rows, Qt.Key.Key_Return)
        studio.rest()

    def bound(text: str) -> None:
        facets.range.least.clear()
        QTest.keyClicks(facets.range.least, text)
        QTest.keyClick(facets.range.least, Qt.Key.Key_Return)
        studio.rest()

    choose(Facet.CLASSES, "AI model")
    studio.take("ask-1")
    choose(Facet.PROPERTIES, "target machine")
    studio.take("ask-2")
    choose(Facet.PROPERTIES, "coprocessor", "coprocessorModel")
    choose(Facet.PROPERTIES, "name")
    choose(Facet.VALUES, "Nvidia V100")
    studio.take("ask-3")
    window.run("theme.dark")
    window.run("ask.pattern")
    studio.take("ask-dark")
    window.run("theme.light")
    window.run("ask.rows")
    window.run("ask.new")
    studio.rest()
    choose(Facet.CLASSES, "Experiment")
    choose(Facet.PROPERTIES, "start date")
    bars = facets.range.bars
    for _ in range(len(facets.range.choice.counts) // 3):
        QTest.keyClick(bars, Qt.Key.Key_Right)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    studio.take("ask-range")
    window.run("ask.new")
    studio.rest()
    choose(Facet.CLASSES, "Cluster")
    choose(Facet.PROPERTIES, "memory in the cluster")
    bound("900000")
    studio.take("ask-relax")
    window.run("view.inspector")


SHOOTS: dict[str, tuple[Callable[[Studio], None], tuple[int, int]]] = {
    "walk": (walk, SIZE),
    "phases": (phases, SIZE),
    "answers": (answers, SIZE),
    "recipe": (recipe, SIZE),
    "graph": (lay_open, SIZE),
    "classes": (classes, SIZE),
    "questions": (questions, SIZE),
    "sparql": (sparql, SIZE),
    "ask": (ask, SIZE),
    "scale": (at_200_percent, SCREEN_AT_200),
    "hub": (large_hub, SIZE),
    "fifty-thousand": (fifty_thousand, SIZE),
}


def main(folder: Path, wanted: Collection[str]) -> None:
    """Take the pictures that are wanted."""
    application = QApplication(sys.argv[:1])
    theme.prepare(application)
    for name, (shoot, size) in SHOOTS.items():
        if not wanted or name in wanted:
            with Studio(application, folder, size) as studio:
                shoot(studio)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as settings:
        os.environ[CONFIG_VARIABLE] = settings
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, sys.argv[2:])
