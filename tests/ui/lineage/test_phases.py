"""A lineage in phases: three on one screen, opened and closed in place by clicks and keys, undone, and plotted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton

from hpc_explorer.app.lineage.phase_views import PhaseRow
from hpc_explorer.app.lineage.traced import FEW
from hpc_explorer.canvas.card import badge_places
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.results.plot import PlotPane
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

SEISMIC = NamedNode("http://example.org/seismic/run1-training-epoch2-model")


def trained(folder: Path, epochs: int, batches: int) -> tuple[Path, NamedNode]:
    """A file about a training with so many epochs and batches, and its last model."""
    prov, ml, ex = "http://www.w3.org/ns/prov#", "https://example.org/provml#", "http://example.org/"
    a = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    lines = [f"<{ex}training> <{a}> <{ml}TrainingExecution> ."]
    for epoch in range(epochs):
        one = f"{ex}e{epoch}"
        lines += [
            f"<{one}> <{a}> <{ml}TrainingSectionExecution> .",
            f"<{one}> <{prov}wasInformedBy> <{ex}training> .",
            f"<{one}> <{prov}wasInfluencedBy> <{ex}epoch> .",
            f"<{one}/model> <{a}> <{ml}Model> .",
            f"<{one}/model> <{prov}wasGeneratedBy> <{one}> .",
        ]
        for batch in range(batches):
            part = f"{one}/b{batch}"
            lines += [
                f"<{part}> <{a}> <{ml}TrainingSectionExecution> .",
                f"<{part}> <{prov}wasInformedBy> <{one}> .",
                f"<{part}> <{prov}wasInfluencedBy> <{ex}batch> .",
                f"<{part}/l> <{prov}wasGeneratedBy> <{part}> .",
                f"<{part}/l> <{prov}wasDerivedFrom> <{ex}batch_loss> .",
                f'<{part}/l> <{prov}value> "{1 / (1 + epoch * batches + batch):.6f}"'
                "^^<http://www.w3.org/2001/XMLSchema#double> .",
            ]
    path = folder / "training.nt"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path, NamedNode(f"{ex}e{epochs - 1}/model")


class Phases:
    """Somebody who looks at a lineage in phases."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.window = user.window
        self.canvas = user.window.pictures.canvases[View.LINEAGE]

    def trace(self, resource: NamedNode) -> None:
        self.window.navigator.open(resource)
        self.user.rest()
        self.user.press("Ctrl+L")
        self.settled()

    def settled(self) -> None:
        self.user.rest()

    @property
    def rows(self) -> list[PhaseRow]:
        view = self.window.features.presenter.phases.view
        assert view is not None, "the lineage is not in phases"
        return list(view.rows)

    @property
    def titles(self) -> list[str]:
        return [row.title for row in self.rows]

    def row(self, title: str) -> PhaseRow:
        return next(row for row in self.rows if row.title == title)

    def place(self, title: str) -> QPoint:
        rect = self.canvas.view_rect(self.row(title).key)
        assert rect is not None
        return QPoint(round(rect.centre.x), round(rect.centre.y))

    def double_click(self, title: str) -> None:
        self.user.qtbot.mouseClick(self.canvas, Qt.MouseButton.LeftButton, pos=self.place(title))
        self.user.qtbot.mouseDClick(self.canvas, Qt.MouseButton.LeftButton, pos=self.place(title))
        self.settled()

    def enter(self, title: str) -> None:
        self.user.qtbot.mouseClick(self.canvas, Qt.MouseButton.LeftButton, pos=self.place(title))
        self.user.press("Return", self.canvas)
        self.settled()


@pytest.fixture
def phases(window: MainWindow, user: User) -> Phases:
    user.open_sample("seismic")
    phases = Phases(user)
    phases.trace(SEISMIC)
    return phases


def test_three_phases_fit_on_one_screen_with_what_they_handed_on(phases: Phases) -> None:
    closed = [row.title for row in phases.rows if row.indent == 0]
    assert closed == ["Data curation", "Learning data preparation", "Learning"]
    assert {"f3.segy", "Curated F3 survey", "Training set 1", "Model after epoch 2, run 1"} <= set(phases.titles)
    for row in phases.rows:
        rect = phases.canvas.view_rect(row.key)
        assert rect is not None
        assert 0 <= rect.x <= rect.right <= phases.canvas.width()
    left = [phases.place(title).x() for title in closed]
    assert left == sorted(left)
    learning = phases.canvas.scene().node(phases.row("Learning").key)
    assert learning is not None
    assert learning.caption == "3 epochs · 9 batches"
    assert learning.stop == "batch_loss 0.913 → 0.352 · 10 min"
    assert phases.user.button("Phases: group the lineage by phase of its lifecycle").isChecked()
    assert "Data curation → Learning data preparation → Learning" in phases.window.pictures.summary


def test_phases_open_level_by_level_and_close_and_what_stands_above_stays(phases: Phases) -> None:
    before = {title: phases.canvas.ready().layout.places[phases.row(title).key] for title in phases.titles}
    phases.double_click("Learning")
    assert "Learning run 1" in phases.titles
    assert "Training, run 1" not in phases.titles
    now = {title: phases.canvas.ready().layout.places[phases.row(title).key] for title in phases.titles}
    stay = ("Data curation", "f3.segy", "Curated F3 survey", "Learning data preparation", "Training set 1", "Learning")
    assert {title: now[title] for title in stay} == {title: before[title] for title in stay}
    phases.enter("Learning run 1")
    phases.enter("Training, run 1")
    assert {"3 epochs", "9 batches", "3 learning hyperparameter values"} <= set(phases.titles)
    assert len(phases.rows) <= 60
    phases.enter("Learning")
    assert set(phases.titles) == set(before)


def test_the_mark_of_a_card_opens_and_closes_it_with_one_click(phases: Phases) -> None:
    closed = phases.titles

    def click_mark() -> None:
        node = phases.canvas.scene().node(phases.row("Learning").key)
        card = phases.canvas.view_rect(phases.row("Learning").key)
        assert node is not None
        assert card is not None
        scale = phases.canvas.camera().scale
        ((_, area),) = badge_places(node, Rect(0.0, 0.0, card.width / scale, card.height / scale))
        at = QPoint(round(card.x + area.centre.x * scale), round(card.y + area.centre.y * scale))
        phases.user.qtbot.mouseClick(phases.canvas, Qt.MouseButton.LeftButton, pos=at)
        phases.settled()

    click_mark()
    assert "Learning run 1" in phases.titles
    click_mark()
    assert phases.titles == closed


def test_each_step_is_undone_with_its_words_and_done_again(phases: Phases) -> None:
    closed = phases.titles
    phases.double_click("Learning")
    phases.double_click("Learning run 1")
    opened = phases.titles
    undo = phases.window.commands.by_id["edit.undo"]
    assert undo.text() == "Undo open Learning run 1"
    phases.user.press("Ctrl+Z")
    phases.settled()
    assert phases.window.navigator.place.view is View.LINEAGE
    phases.user.press("Ctrl+Z")
    phases.settled()
    assert phases.titles == closed
    phases.user.press("Ctrl+Shift+Z")
    phases.user.rest()
    phases.user.press("Ctrl+Shift+Z")
    phases.settled()
    assert phases.titles == opened
    # From another picture undoing comes back to the lineage it is about.
    phases.window.run("view.explore")
    phases.user.rest()
    phases.user.press("Ctrl+Z")
    phases.settled()
    assert phases.window.navigator.place.view is View.LINEAGE
    assert "Learning run 1" in phases.titles
    assert "Training, run 1" not in phases.titles


def test_a_card_that_is_a_resource_is_described_and_a_group_is_not_looked_up(phases: Phases) -> None:
    phases.user.qtbot.mouseClick(phases.canvas, Qt.MouseButton.LeftButton, pos=phases.place("f3.segy"))
    phases.user.rest()
    assert phases.user.reads == "f3.segy"
    phases.user.qtbot.mouseClick(phases.canvas, Qt.MouseButton.LeftButton, pos=phases.place("Learning"))
    phases.user.rest()
    assert phases.user.reads == "f3.segy"
    assert phases.canvas.selection.current == phases.row("Learning").key


def test_the_main_line_is_a_click_away_and_small_lineages_begin_with_it(
    phases: Phases, window: MainWindow, user: User
) -> None:
    user.click(user.button("Phases: group the lineage by phase of its lifecycle"))
    user.rest()
    assert window.features.presenter.phases.view is None
    assert any(node.label == "Training, run 1" for node in phases.canvas.scene().nodes)
    user.window.run("view.phases")
    user.rest()
    assert window.features.presenter.phases.view is not None
    window.run("file.close_all")
    user.rest()
    user.open_sample("xplacer")
    user.search("bfs.nsight-compute.log")
    user.press("Ctrl+L")
    user.rest()
    assert window.features.presenter.phases.view is None
    assert 1 < len(phases.canvas.scene().nodes) <= FEW


def test_hundreds_of_batches_open_as_a_plot(window: MainWindow, user: User, tmp_path: Path) -> None:
    path, model = trained(tmp_path, epochs=3, batches=200)
    user.open_files([path])
    phases = Phases(user)
    phases.trace(model)
    plot = next(one for one in window.pictures.lineage.toolbar.findChildren(QToolButton) if one.text() == "Plot values")
    assert not plot.isEnabled()
    phases.enter("Learning")
    phases.enter("training")
    assert phases.row("600 batches").plots
    user.qtbot.mouseClick(phases.canvas, Qt.MouseButton.LeftButton, pos=phases.place("600 batches"))
    assert plot.isEnabled()
    user.press("Return", phases.canvas)
    user.rest()
    assert window.navigator.place.view is View.ANSWER
    answer = window.features.answers.tab.answer
    assert answer is not None
    assert answer.title == "batch_loss over 600 batches of training"
    assert len(answer.plots[0].series[0].ys) == 600
    assert answer.summary == ("batch_loss does not rise, and has finite numbers only.",)
    user.until(lambda: any(pane.isVisible() for pane in window.findChildren(PlotPane)))
    # Back in the lineage all is open as it was; the batches of one epoch are cards, a page at a time.
    user.press("Alt+Left")
    phases.settled()
    phases.enter("e2")
    phases.enter("200 batches")
    pages = [row.title for row in phases.rows if row.title.startswith("Batches ")]
    assert pages[0] == "Batches 1 to 24"
    assert len(pages) == 9
    phases.enter("Batches 1 to 24")
    assert len([row for row in phases.rows if row.key.startswith("section ")]) == 24
    assert len(phases.rows) <= 60
