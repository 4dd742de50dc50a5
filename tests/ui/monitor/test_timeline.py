"""The timeline draws thousands of low bars as one image, with the colours that single bars have."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPixmap
from pytestqt.qtbot import QtBot

from hpc_explorer.app.monitor.run_view import JobRow, RunView
from hpc_explorer.monitor.jobs import Job
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.monitor.plots import RunPlots
from hpc_explorer.ui.widgets.theme import SMALL, current_theme, font


def shown(qtbot: QtBot, lanes: int) -> RunPlots:
    """One job for each lane, from 10 s to 20 s; that of the third lane failed."""
    rows = tuple(
        JobRow(
            NamedNode(f"urn:{lane}"), Job(f"urn:{lane}", "j", "t", "r", 10, 20, 10, 0, "n", int(lane == 2)), lane, ()
        )
        for lane in range(lanes)
    )
    plots = RunPlots()
    qtbot.addWidget(plots)
    plots.resize(800, 500)
    plots.show_view(RunView("r", "r", rows, tuple(f"n{lane}" for lane in range(lanes)), (), (), 1, 0, 30))
    plots.show()
    qtbot.waitUntil(lambda: not plots.is_adding)
    return plots


def colour_at(plots: RunPlots, time: float, lane: float) -> str:
    image = plots.grab().toImage()
    place = plots.mapFromScene(plots.ci.getItem(0, 0).getViewBox().mapViewToScene(QPointF(time, lane)))
    return image.pixelColor(place).name()


def test_low_bars_have_their_place_and_colour(qtbot: QtBot) -> None:
    plots = shown(qtbot, 120)
    theme = current_theme()
    bar = plots.timeline.boundingRect()
    assert bar.width() > 0
    assert colour_at(plots, 15, 2.5) == theme.error
    assert colour_at(plots, 15, 60.5) == theme.edge
    assert colour_at(plots, 15, 119.5) == theme.edge
    for outside in ((5, 2.5), (25, 60.5)):
        assert colour_at(plots, *outside) == theme.surface
    # After zooming in, the same bars are single ones.
    plots.ci.getItem(0, 0).setYRange(0, 6, padding=0)
    assert colour_at(plots, 15, 2.7) == theme.error
    assert colour_at(plots, 15, 4.7) == theme.accent_soft


def test_the_names_of_hosts_are_apart_however_low_the_window_is(qtbot: QtBot) -> None:
    plots = shown(qtbot, 4)
    plots.resize(600, 10)
    plots.grab()
    top, below = (plots.ci.getItem(0, 0).getViewBox().mapViewToScene(QPointF(15, lane)).y() for lane in (0, 1))
    assert below - top >= font(SMALL).pixelSize()


def drawn_names(qtbot: QtBot, plots: RunPlots) -> list[tuple[float, float, str]]:
    """Top, bottom and text of each name of a host."""
    axis = plots.ci.getItem(0, 0).getAxis("left")
    qtbot.waitUntil(lambda: axis.geometry().width() > 0)
    picture = QPixmap(10, 10)
    painter = QPainter(picture)
    painter.setFont(font(SMALL))
    _, _, names = axis.generateDrawSpecs(painter)
    painter.end()
    return sorted((rect.top(), rect.bottom(), text) for rect, _, text in names)


@pytest.mark.parametrize("lanes", [1, 2, 3, 4, 9])
def test_the_names_of_few_hosts_are_all_drawn(qtbot: QtBot, lanes: int) -> None:
    names = drawn_names(qtbot, shown(qtbot, lanes))
    assert [name for _, _, name in names] == [f"n{lane}" for lane in range(lanes)]


def test_of_many_hosts_as_many_names_are_drawn_as_have_room(qtbot: QtBot) -> None:
    places = drawn_names(qtbot, shown(qtbot, 60))
    assert len(places) > 10
    assert all(bottom <= top for (_, bottom, _), (top, _, _) in itertools.pairwise(places))
