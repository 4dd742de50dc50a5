"""Watching measurements in the window: a file that grows, an anomaly that begins, and addresses."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hpc_explorer.app.monitor.detecting import list_anomalies
from hpc_explorer.app.monitor.series import stated_series
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.monitor.watching import WatchDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.injection import normal_series
from tests.helpers.live_servers import free_port
from tests.helpers.windows import User


def test_a_file_that_grows_is_watched_and_an_anomaly_that_begins_is_told(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    series = normal_series(np.random.default_rng(0), 0.2)
    series.values[2000:2100] += 60
    rows = [f"{at},n1,{value}\n" for at, value in zip(series.times.tolist(), series.values.tolist(), strict=True)]
    file = tmp_path / "rates.csv"
    file.write_text("time,host,rate\n" + "".join(rows[:2000]))
    user.open_sample("sns")
    window.run("monitor.watch")
    dialog = user.dialog(WatchDialog)
    assert not dialog.watch_button.isEnabled()
    dialog.line.setText("influx://nowhere")
    assert "influx://HOST:8086/DATABASE" in dialog.problem.text()
    assert not dialog.watch_button.isEnabled()
    dialog.line.setText(str(file))
    user.click(dialog.watch_button)
    user.until(lambda: "the newest point is" in window.features.watching.state)
    user.until(lambda: not window.is_busy)
    (series,) = [one for one in stated_series(window.bridge.session) if one.label == "rate of n1"]
    window.navigator.open(series.iri)
    user.until(lambda: "Monitor" in [window.pictures.tabs.tabText(n) for n in range(window.pictures.tabs.count())])
    window.navigator.show_view(View.MONITOR)
    user.rest()
    page = window.features.monitor.page
    assert page is not None
    assert page.watched.text() == window.features.watching.state
    shown = page.plots.interval()
    with file.open("a") as stream:
        stream.write("".join(rows[2000:2010]))
    window.features.watching.look_now()
    user.until(lambda: "major anomaly of rate of n1 began 2020-09-13T15:13:20Z" in user.told)
    # The plot shows the end of the series, and moves along.
    user.until(lambda: page.plots.interval()[1] > shown[1])
    with file.open("a") as stream:
        stream.write("".join(rows[2010:2400]))
    window.features.watching.look_now()
    user.until(lambda: "major anomaly of rate of n1 ended 2020-09-13T15:21:35Z" in user.told)
    user.rest()
    session = window.bridge.session
    (kept,) = [one for one in list_anomalies(session) if "rate of n1" in one.label]
    window.run("edit.undo")
    user.rest()
    assert [one for one in list_anomalies(session) if one.iri == kept.iri] == []
    window.run("monitor.unwatch")
    assert window.features.watching.state == ""
    assert not page.watched.isVisible()
    assert not window.commands.action("monitor.unwatch").isEnabled()


def test_an_address_is_watched_also_from_the_dialog_of_addresses_and_told_when_it_is_silent(
    window: MainWindow, user: User
) -> None:
    port = free_port()
    user.open_sample("sns")
    window.features.opener.open([f"influx://me:secret@127.0.0.1:{port}/m"])
    user.until(lambda: "cannot be read now" in window.features.watching.state)
    assert f"influx://127.0.0.1:{port}/m" in window.features.watching.state
    assert "secret" not in window.features.watching.state
    user.until(lambda: not window.is_busy)
    window.run("monitor.unwatch")
    user.until(lambda: not window.is_busy)
