"""The view Monitor draws the times of jobs beside what a performance model predicts for them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.model_runs import table
from tests.helpers.windows import User


def test_the_band_of_a_model_and_the_ratio_are_drawn(window: MainWindow, user: User, tmp_path: Path) -> None:
    for run in range(4):
        (tmp_path / f"run-{run}.csv").write_text(table(run, slow=5 if run == 3 else -1))
    user.open_files([tmp_path])
    job = next(job for job in jobs_in(window.bridge.session.store) if job.name == "map_3_5")
    window.navigator.open(NamedNode(job.iri))
    user.until(lambda: "Monitor" in [window.pictures.tabs.tabText(n) for n in range(window.pictures.tabs.count())])
    window.navigator.show_view(View.MONITOR)
    user.until(lambda: window.features.monitor.page is not None and len(window.features.monitor.page.plots.models) == 2)
    user.rest()
    page = window.features.monitor.page
    assert page is not None
    (times, _, measured), (ratios, interval, divided) = page.plots.models
    assert times.titleLabel.text == "Seconds of map · the model of 36 other jobs in green"
    assert ratios.titleLabel.text == "map: measured / predicted"
    xs, ys = divided.getData()
    assert len(xs) == len(measured.getData()[0]) == 12
    assert [round(y) for y in ys] == [1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1]
    # The interval is wider than the points and no longer than it is; no room is left between timeline and plot.
    assert interval.opts["pen"].widthF() > divided.opts["size"]
    assert interval.opts["pen"].capStyle() is Qt.PenCapStyle.FlatCap
    assert [page.plots.ci.rows[number] for number in (1, 2)] == [{0: times}, {0: ratios}]
    assert ratios.getAxis("bottom").style["showValues"]
    assert not times.getAxis("bottom").style["showValues"]
    # The plots that came later left the interval as it was: the first and the last job are whole.
    assert page.view is not None
    begin, end = page.plots.interval()
    assert begin < page.view.begin
    assert end > page.view.end
