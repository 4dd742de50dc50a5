"""Many plots are made one by one between events, and then show what they would have shown at once."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.app.monitor.run_view import RunView, SeriesRow
from hpc_explorer.monitor.series_graph import StatedSeries
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.series import Extent
from hpc_explorer.ui.monitor.plots import RunPlots


def view_of(number: int) -> RunView:
    """A run with one series of each of some quantities, from 100 s to 200 s."""
    rows = tuple(
        SeriesRow(
            StatedSeries(NamedNode(f"urn:series:{at}"), f"series {at}", f"quantity {at}", "", (), "", ""),
            Extent(100, 200, 10),
            (),
            None,
            (),
        )
        for at in range(number)
    )
    return RunView("urn:run", "run", (), (), rows, (), 1, 100, 200)


def test_many_plots_are_made_in_several_events(qtbot: QtBot) -> None:
    plots = RunPlots()
    qtbot.addWidget(plots)
    asked: list[tuple[float, float]] = []
    plots.interval_wanted.connect(lambda begin, end: asked.append((begin, end)))
    plots.show_view(view_of(5))
    assert plots.is_adding
    assert not asked
    numbers = [0]
    while plots.is_adding:
        assert not plots.ci.isVisible(), "they are painted once"
        QApplication.processEvents()
        numbers.append(len(plots.ci.items))
    assert sorted(set(numbers)) == [0, 1, 2, 3, 4, 5]
    assert plots.ci.isVisible()
    assert numbers[-1] == 5
    assert len(asked) == 1
    begin, end = plots.interval()
    assert 99 <= begin <= 100
    assert 200 <= end <= 201
    assert [series.quantity for series in plots.drawn] == [f"quantity {at}" for at in range(5)]


def test_another_run_takes_the_place_of_one_whose_plots_are_being_made(qtbot: QtBot) -> None:
    plots = RunPlots()
    qtbot.addWidget(plots)
    plots.show_view(view_of(5))
    plots.show_view(view_of(1))
    qtbot.waitUntil(lambda: not plots.is_adding)
    assert len(plots.ci.items) == 1
    plots.show_view(view_of(5))
    plots.show_view(None)
    QApplication.processEvents()
    assert len(plots.ci.items) == 0
