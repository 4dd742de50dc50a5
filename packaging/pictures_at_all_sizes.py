"""Takes pictures of every view at five sizes, light and dark, to look at before a release.

PYTHONPATH=. python packaging/pictures_at_all_sizes.py FOLDER [NAME...]

Each picture is of the whole screen, with a window manager (Xvfb and openbox). FOLDER gets a folder for each size, with
`PICTURE-light.png` and `PICTURE-dark.png`. Names such as `model` or `dialogs` take only those (`SHOOTS`), and names of
sizes only these (`SIZES`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

from picture_scenes import stated, training_runs
from picture_studio import MODEL
from pictures_of_answers import show_workflow
from pictures_of_rare_sights import RARE
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from screen_studio import ScreenStudio

from hpc_explorer.app.graph.expanding import PAGE, neighbour_sets
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.ask.dialog import AskDialog
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.query.facet_panel import Facet
from hpc_explorer.ui.widgets import theme
from tests.helpers.virtual_screen import virtual_screen

SIZES = {
    "1000x650": (1000, 650, 1),
    "1280x720": (1280, 720, 1),
    "1440x900": (1440, 900, 1),
    "1920x1080": (1920, 1080, 1),
    "1280x720-200": (1280, 720, 2),
}
"""Width and height of the screen in pixels, and how many pixels a unit of length has."""
LONG = "Checkpoint of the surrogate for turbulent combustion " * 6
"""A label of more than 300 characters, of which the first 300 are used."""


def start(studio: ScreenStudio) -> None:
    """The page of the start."""
    studio.take("start")


def model(studio: ScreenStudio) -> None:
    """Home, and the page of a model in each view."""
    studio.open("sample:xplacer")
    studio.take("home")
    studio.window.navigator.open(MODEL)
    studio.rest()
    studio.take("overview")
    studio.window.run("go.upstream")
    studio.rest()
    studio.take("lineage")
    studio.show_view(View.EDIT)
    studio.take("edit")
    studio.show_view(View.REPRODUCE)
    studio.take("reproduce")
    studio.window.run("go.impact")
    studio.rest()
    studio.take("impact")


def fair(studio: ScreenStudio) -> None:
    """How FAIR a dataset is."""
    studio.open("sample:xplacer-after")
    studio.window.navigator.open(NamedNode("https://doi.org/10.5072/xplacer.ibm"))
    studio.rest()
    studio.show_view(View.FAIR)
    studio.take("fair")


def queries(studio: ScreenStudio) -> None:
    """A query built by pointing, and one that is written."""
    studio.open("sample:xplacer")
    studio.show_view(View.ASK)
    studio.take("query-empty")
    facets = studio.window.features.ask.tab.facets
    for facet, label in (
        (Facet.CLASSES, "AI model"),
        (Facet.PROPERTIES, "accuracy"),
    ):
        rows = facets.lists[facet].rows
        at = next(at for at, row in enumerate(rows.rows.rows) if row.label == label)
        rows.setCurrentIndex(rows.rows.index(at))
        QTest.keyClick(rows, Qt.Key.Key_Return)
        studio.rest()
    studio.take("query")
    studio.window.run("ask.sparql")
    studio.rest()
    studio.take("sparql")


def graphs(studio: ScreenStudio) -> None:
    """The graph that a person lays out, and the classes."""
    studio.open("sample:xplacer")
    studio.show_view(View.GRAPH)
    studio.take("graph-empty")
    studio.window.navigator.open(MODEL)
    studio.rest()
    studio.window.run("graph.add")
    studio.rest()
    studio.window.run("graph.expand")
    studio.pass_time(500)
    studio.take("graph-expand")
    popup = studio.window.features.graph.commands.popup
    if popup is not None:
        popup.close()
    desk = studio.window.features.graph.controller
    for one in neighbour_sets(studio.session, MODEL):
        desk.expand(one.of, one.label, PAGE)
        studio.rest()
    studio.take("graph")
    studio.show_view(View.CLASSES)
    studio.take("classes")


def monitor(studio: ScreenStudio) -> None:
    """A run with jobs, measurements and anomalies."""
    studio.open("sample:sns")
    window = studio.window
    window.navigator.open(NamedNode("http://example.org/sns/r4"))
    studio.until(lambda: window.commands.action("view.monitor").isEnabled())
    window.run("view.monitor")
    studio.rest()
    studio.take("monitor")


def runs(studio: ScreenStudio) -> None:
    """Recorded runs."""
    with tempfile.TemporaryDirectory() as name:
        script = (
            "from hpc_explorer import capture\n"
            "for run in '123':\n"
            "    with capture.workflow('fit', run=run), capture.stage('training'):\n"
            "        for number in capture.epochs(range(20)):\n"
            "            capture.log_metric('loss', (1.0 + int(run) / 10) / (number + 1))\n"
        )
        environment = {**os.environ, "HPC_EXPLORER_PROVENANCE": str(Path(name) / "provenance")}
        subprocess.run([sys.executable, "-c", script], cwd=name, env=environment, check=True)
        studio.open(str(Path(name) / "provenance"))
        studio.show_view(View.RUNS)
        studio.take("runs")
        studio.window.run("file.close_all")
        studio.rest()


def dialogs(studio: ScreenStudio) -> None:
    """Settings, a workflow, and the question before unsaved changes are left."""
    studio.open("sample:xplacer")
    window = studio.window
    window.run("edit.settings")
    dialog = studio.dialog()
    studio.take("settings")
    dialog.reject()
    window.run("file.export")
    dialog = studio.dialog()
    studio.take("export")
    dialog.reject()
    window.run("ask.english")
    asking = studio.dialog()
    assert isinstance(asking, AskDialog)
    asking.line.setText("AI models with accuracy above 0.9")
    studio.until(lambda: asking.readings.count() > 0)
    studio.take("english")
    asking.reject()


def workflow(studio: ScreenStudio) -> None:
    """A workflow over tables."""
    with tempfile.TemporaryDirectory() as name:
        show_workflow(studio, Path(name))


def unsaved(studio: ScreenStudio) -> None:
    """A graph made from nothing, with a resource of a very long name, and the question on quitting."""
    window = studio.window
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "my.ttl"
        label = LONG[:300]
        file.write_text(
            "@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix ex: <http://example.org/> .\n"
            f'ex:a a hpc:AIModel ; hpc:name "{label}" ; hpc:wasDerivedFromDataset ex:b .\n'
            f'ex:b a hpc:Dataset ; hpc:name "Data of {label[:250]}" .\n',
            encoding="utf-8",
        )
        studio.open(str(file))
        studio.take("long-home")
        window.navigator.open(NamedNode("http://example.org/a"))
        studio.rest()
        studio.take("long-overview")
        window.run("go.upstream")
        studio.rest()
        studio.take("long-lineage")
        studio.show_view(View.EDIT)
        studio.take("long-edit")
        window.run("edit.start")
        studio.rest()
        added = Quad(
            NamedNode("http://example.org/a"), HPC.description, Literal("new"), studio.session.sources[0].graph
        )
        studio.session.edit(ChangeSet((), (added,), "Description of a model", ""))
        window.navigator.explore(NamedNode("http://example.org/a"))
        studio.rest()
        studio.take("unwritten")
        window.close()
        dialog = studio.dialog()
        studio.take("quit")
        dialog.reject()
        studio.rest()
        window.run("file.discard")
        studio.rest()
        window.run("file.close_all")
        studio.rest()
    window.run("file.new")
    studio.rest()
    studio.take("empty-graph")


def fifty_thousand(studio: ScreenStudio) -> None:
    """A very large picture."""
    scene = training_runs()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training-runs.nt"
        path.write_text("".join(stated(scene)), encoding="utf-8")
        studio.open(str(path))
        studio.take("fifty-thousand-home")
    pane = studio.window.pictures
    studio.window.navigator.open(NamedNode("http://example.org/p9r7"))
    studio.rest()
    pane.explore.show_scene(scene, f"{len(scene.nodes):,} nodes and {len(scene.edges):,} links")
    studio.rest()
    pane.canvas.select(None)
    pane.canvas.fit()
    studio.take("fifty-thousand")


SHOOTS: dict[str, Callable[[ScreenStudio], None]] = {
    one.__name__: one
    for one in (start, model, fair, queries, graphs, monitor, runs, dialogs, workflow, unsaved, fifty_thousand, *RARE)
}


def shoot(folder: Path, wanted: Collection[str]) -> None:
    """Take the pictures of this screen."""
    application = QApplication(sys.argv[:1])
    theme.prepare(application)
    for name, take in SHOOTS.items():
        if not wanted or name in wanted:
            with ScreenStudio(application, folder) as studio:
                take(studio)
            print(f"{folder.name}: {name}", flush=True)


def main(folder: Path, wanted: Collection[str]) -> None:
    """Take the pictures of all sizes, one screen after another."""
    sizes = [name for name in wanted if name in SIZES] or SIZES
    wanted = [name for name in wanted if name not in SIZES]
    for name in sizes:
        width, height, scale = SIZES[name]
        with virtual_screen(width, height) as display, tempfile.TemporaryDirectory() as settings:
            environment = {
                **os.environ,
                "DISPLAY": display,
                "QT_QPA_PLATFORM": "xcb",
                "QT_SCALE_FACTOR": str(scale),
                CONFIG_VARIABLE: settings,
            }
            command = [sys.executable, __file__, "--here", str(folder / name), *wanted]
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        shoot(Path(sys.argv[2]), sys.argv[3:])
    else:
        main(Path(sys.argv[1]), sys.argv[2:])
