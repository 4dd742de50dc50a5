"""The view Monitor: from a run with a slow disk to the models behind it, and a verdict that can be undone."""

from __future__ import annotations

import gc
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.badges import ANOMALOUS
from hpc_explorer.monitor.triage import verdicts_in
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.monitor.page import MonitorPage
from hpc_explorer.ui.widgets.theme import current_theme
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

RUN = NamedNode("http://example.org/sns/r4")
SLOW = NamedNode("http://example.org/sns/r4-namd_prod_270K")
MODEL = NamedNode("http://example.org/AIModel/sns-surrogate-r4")


def tabs(window: MainWindow) -> list[str]:
    return [window.pictures.tabs.tabText(number) for number in range(window.pictures.tabs.count())]


def place_of(page: MonitorPage, time: float, value: float, plot: int) -> QPoint:
    """A place in a plot, in pixels of the pictures."""
    shown = page.plots.ci.getItem(plot, 0)
    return page.plots.mapFromScene(shown.getViewBox().mapViewToScene(QPointF(time, value)))


def test_the_theme_changes_after_the_run_was_closed(window: MainWindow, user: User) -> None:
    user.open_sample("sns")
    window.navigator.open(RUN)
    user.until(lambda: "Monitor" in tabs(window))
    user.press("Ctrl+B")
    user.rest()
    page = window.features.monitor.page
    assert page is not None
    assert page.plots.timeline.rows
    window.run("file.close_all")
    user.rest()
    page.show_view(None, "")
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    window.run("theme.dark")
    assert page.plots.timeline.rows == ()
    assert page.plots.backgroundBrush().color().name() == current_theme().surface


def test_a_slow_disk_leads_to_the_models_behind_it(window: MainWindow, user: User, qtbot: QtBot) -> None:
    user.open_sample("sns")
    window.navigator.open(MODEL)
    user.rest()
    assert "Monitor" not in tabs(window)
    assert not window.commands.action("view.monitor").isEnabled()
    window.navigator.open(RUN)
    user.until(lambda: "Monitor" in tabs(window))
    user.press("Ctrl+B")
    user.rest()
    page = window.features.monitor.page
    assert page is not None
    assert (
        "27 jobs on 4 hosts, 2 affected by anomalies, 8 series of measurements with 2,888 points" in page.summary.text()
    )
    assert (page.tabs.tabText(0), page.tabs.tabText(1)) == ("Anomalies (3)", "Jobs (27)")

    # A click on the interval of an anomaly in the plot of I/O wait chooses it.
    anomaly = page.view.anomalies[0] if page.view is not None else None
    assert anomaly is not None
    assert anomaly.begin is not None
    qtbot.mouseClick(
        page.plots.viewport(),
        Qt.MouseButton.LeftButton,
        pos=place_of(page, anomaly.begin + 600, 20, 1),
    )
    user.rest()
    assert page.current is anomaly
    assert window.navigator.place.selected == anomaly.resource
    assert "mean 37.97 % over 5,070 s" in page.evidence.text()

    # A click on a bar chooses its job.
    qtbot.mouseClick(page.plots.viewport(), Qt.MouseButton.LeftButton, pos=place_of(page, anomaly.begin + 600, 2.5, 0))
    user.rest()
    assert window.navigator.place.selected == SLOW
    assert page.tabs.currentIndex() == 1

    # One step from the event: what was made while the disk was slow.
    page.tabs.setCurrentIndex(0)
    page.anomalies.choose(1)
    page.anomalies.choose(0)
    user.rest()
    user.click(user.button("Lineage downstream", page))
    user.rest()
    assert window.navigator.place.view is View.LINEAGE
    lineage = window.features.presenter.lineage
    assert lineage is not None
    assert MODEL in lineage.nodes
    window.navigator.draw_phases(False)
    user.rest()
    nodes = {node.key: node for node in window.pictures.lineage.canvas.scene().nodes}
    assert nodes[SLOW.value].badges == (ANOMALOUS,)
    assert nodes[MODEL.value].badges == ()


def test_a_verdict_is_an_edit_with_undo(window: MainWindow, user: User) -> None:
    user.open_sample("sns")
    window.navigator.open(RUN)
    user.until(lambda: "Monitor" in tabs(window))
    user.press("Ctrl+B")
    user.rest()
    page = window.features.monitor.page
    assert page is not None
    page.anomalies.choose(0)
    user.rest()
    chosen = page.current
    assert chosen is not None
    page.why.setText("the disk was tested")
    user.click(user.button("False alarm", page))
    user.rest()
    assert verdicts_in(window.bridge.session.store) == {chosen.resource.value: ("false alarm", "the disk was tested")}
    assert page.current is not None
    assert page.current.verdict == "false alarm"
    assert page.why.text() == "the disk was tested"
    window.run("edit.undo")
    user.rest()
    assert verdicts_in(window.bridge.session.store) == {}
    assert page.current.verdict == ""

    # What the sample states is found again, and nothing is added.
    window.run("monitor.find")
    user.until(lambda: "3 anomalies in SNS run 4, known already" in user.told)


def test_measurements_are_imported_beside_the_graph(window: MainWindow, user: User, tmp_path: Path) -> None:
    rates = "".join(f"{1_464_000_000 + 5 * step},compute02,{100 + step % 7}\n" for step in range(200))
    (tmp_path / "rates.csv").write_text(f"time,host,rate [MB/s]\n{rates}never,compute02,1\n")
    user.open_sample("sns")
    window.run("monitor.import")
    dialog = user.dialog(QFileDialog)
    dialog.findChild(QLineEdit).setText(str(tmp_path / "rates.csv"))
    dialog.accept()
    user.until(lambda: "1 series with 200 points imported, 200 points are new" in user.told)
    user.rest()
    assert window.navigator.place.view is View.MONITOR
    page = window.features.monitor.page
    assert page is not None
    assert page.view is not None
    assert [row.series.label for row in page.view.series] == ["rate of compute02"]
    assert "not a time: 'never'" in window.banner.title
    window.run("edit.undo")
    user.rest()
    assert page.view is None
    assert "has no jobs and no measurements" in page.summary.text()


def test_all_plots_of_a_run_are_in_sight_in_a_small_window(window: MainWindow, user: User) -> None:
    window.resize(1000, 650)
    user.open_sample("sns")
    window.navigator.open(RUN)
    user.until(lambda: "Monitor" in tabs(window))
    window.navigator.show_view(View.MONITOR)
    user.until(lambda: window.features.monitor.page is not None and bool(window.features.monitor.page.plots.drawn))
    page = window.features.monitor.page
    assert page is not None
    user.until(lambda: not page.plots.is_adding)
    user.rest()
    assert page.plots.viewport().visibleRegion().boundingRect() == page.plots.viewport().rect()
    assert page.anomalies.isVisible()

    # An anomaly that is chosen there does not move them.
    before = page.plots.height()
    page.anomalies.choose(0)
    user.rest()
    assert page.why.isVisible()
    assert page.plots.height() == before
    assert page.plots.viewport().visibleRegion().boundingRect() == page.plots.viewport().rect()
    assert user.button("Lineage downstream", page).isVisible()


def test_in_a_low_window_the_wheel_scrolls_over_plots_and_zooms_with_ctrl(window: MainWindow, user: User) -> None:
    user.open_sample("sns")
    window.navigator.open(RUN)
    user.until(lambda: "Monitor" in tabs(window))
    window.navigator.show_view(View.MONITOR)
    user.until(lambda: window.features.monitor.page is not None and bool(window.features.monitor.page.plots.drawn))
    page = window.features.monitor.page
    assert page is not None
    user.until(lambda: not page.plots.is_adding)
    user.rest()
    plots = page.plots

    def turn(modifier: Qt.KeyboardModifier) -> bool:
        """Turn the wheel; returns whether the plots took it, or left it to the page."""
        place = QPointF(plots.viewport().rect().center())
        turned = QWheelEvent(
            place, QPointF(plots.mapToGlobal(place)), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, modifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(plots.viewport(), turned)
        user.rest()
        return turned.isAccepted()

    def width() -> float:
        begin, end = plots.interval()
        return end - begin

    window.resize(1000, 900)
    user.rest()
    before = width()
    assert turn(Qt.KeyboardModifier.NoModifier)
    assert width() > before
    window.resize(640, 360)
    user.rest()
    before = width()
    assert not turn(Qt.KeyboardModifier.NoModifier)
    assert width() == before
    assert turn(Qt.KeyboardModifier.ControlModifier)
    assert width() > before
