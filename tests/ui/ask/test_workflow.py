"""A workflow by keys and clicks: asked for, looked at, run, saved, run on another table, and traced."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt

from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.ui.ask.dialog import AskDialog
from hpc_explorer.ui.ask.saved_dialog import SavedWorkflowsDialog
from hpc_explorer.ui.ask.word_colours import WORKFLOW
from hpc_explorer.ui.ask.workflow_dialog import NO_FOLDER, READY, UNAPPROVED, WorkflowDialog
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.widgets.dialog_size import fit_into
from tests.helpers.windows import User
from tests.helpers.workflow_graph import workflow_graph


@pytest.fixture
def asker(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    user.open_files([workflow_graph(tmp_path / "graph")])
    return user


def asked(user: User, text: str) -> WorkflowDialog:
    """The workflow that a sentence asks for, as a user comes to it."""
    user.window.run("ask.english")
    asking = user.dialog(AskDialog)
    asking.line.setText(text)
    user.until(asking.readings.count)
    user.click(asking.show_button)
    user.rest()
    return user.dialog(WorkflowDialog)


def cells(dialog: WorkflowDialog) -> list[list[str]]:
    table = dialog.table
    return [
        [item.text() if (item := table.item(row, column)) is not None else "" for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]


def test_words_that_a_workflow_leaves_out_are_seen_before_it_is_shown(asker: User) -> None:
    asker.window.run("ask.english")
    asking = asker.dialog(AskDialog)
    asking.line.setText("For my thesis: the average seconds per state in runs.csv")
    asker.press("Return", asking.line)  # before it is read
    asker.until(asking.readings.count)
    assert asking.isVisible()
    assert asking.reading.text() == f"“For my thesis” was left out. {WORKFLOW}"
    asker.press("Return", asking.readings)
    asker.rest()
    asker.close(asker.dialog(WorkflowDialog))


def test_a_workflow_is_shown_run_saved_and_traced(asker: User, tmp_path: Path) -> None:
    dialog = asked(asker, "Sort runs.csv by seconds in descending order and save it as sorted.csv")
    assert dialog.status.text() == READY
    assert [dialog.steps.item(at).text() for at in range(dialog.steps.count())] == [
        "1. Read runs.csv",
        "2. Sort dataset “runs.csv” by the column “seconds” in descending order",
        "3. Save it as “sorted.csv”",
    ]
    assert cells(dialog)[0] == ["1", "DONE", "60", "9"]
    dialog.steps.setCurrentRow(0)
    assert cells(dialog)[0] == ["1", "DONE", "30", "5"]
    assert [node.caption for node in dialog.canvas.scene().nodes] == ["3 rows, 4 columns"] * 3
    assert "sort_values" in dialog.python.toPlainText()
    assert '"cwlVersion": "v1.2"' in dialog.cwl.toPlainText()
    dialog.write(dialog.cwl, tmp_path / "sorted.cwl")
    assert (tmp_path / "sorted.cwl").read_text() == dialog.cwl.toPlainText()
    dialog.folder.setText(str(tmp_path / "nowhere"))
    assert not dialog.run.isEnabled()
    dialog.folder.setText(str(tmp_path))
    asker.click(dialog.run)
    asker.until(dialog.trace.isVisible)
    assert (tmp_path / "sorted.csv").read_text().splitlines()[1] == "1,DONE,60,9"
    asker.type("sorted runs", dialog.name)
    asker.click(dialog.save)
    assert "Saved as “sorted runs”" in dialog.status.text()
    asker.click(dialog.run)
    asker.until(lambda: "exists already" in dialog.status.text())
    dialog.replace.setChecked(True)
    asker.click(dialog.run)
    asker.until(dialog.trace.isVisible)
    asker.click(dialog.trace)
    asker.rest()
    assert asker.window.navigator.place.view is View.LINEAGE
    assert asker.reads == "sorted.csv"
    labels = {node.label for node in asker.window.pictures.lineage.canvas.scene().nodes}
    assert {"sorted.csv", "runs.csv"} <= labels

    asker.window.run("ask.workflows")
    saved = asker.dialog(SavedWorkflowsDialog)
    assert saved.list.item(0).text().startswith("sorted runs\n")
    asker.click(saved.open_button)
    asker.rest()
    again = asker.dialog(WorkflowDialog)
    again.choices["runs.csv"].setCurrentText("nodes.csv")
    asker.rest()
    assert "no such column" in again.status.text()
    assert not again.run.isEnabled()
    asker.close(again)


def test_a_script_is_approved_before_it_runs(asker: User, tmp_path: Path) -> None:
    dialog = asked(asker, "Run double_up of Tidal on runs.csv")
    assert dialog.status.text() == NO_FOLDER
    assert not dialog.run.isEnabled()
    assert NO_FOLDER in dialog.python.toPlainText()
    dialog.scripts.folder.setText(str(tmp_path / "graph"))
    dialog.scripts.folder.editingFinished.emit()
    asker.rest()
    assert dialog.status.text() == UNAPPROVED
    (tick,) = dialog.scripts.ticks.values()
    assert tick.text() == "Run: python3 scripts/double_up.py '{input}' '{output}'"
    (text,) = dialog.scripts.texts.values()
    assert "sys.argv[1]" in text.toPlainText()
    assert dialog.steps.count() == 2
    assert "known after the run" in str(dialog.canvas.scene().nodes[1].caption)
    tick.setChecked(True)
    asker.click(dialog.run)
    asker.until(lambda: dialog.status.text().startswith("Done"))
    assert len(cells(dialog)) == 5
    asker.close(dialog)

    again = asked(asker, "Run double_up of Tidal on runs.csv")
    assert [one.isChecked() for one in again.scripts.ticks.values()] == [True]
    asker.close(again)
    (tmp_path / "graph" / "scripts" / "double_up.py").write_text("import time\nwhile True: pass\n")
    changed = asked(asker, "Run double_up of Tidal on runs.csv")
    assert [one.isChecked() for one in changed.scripts.ticks.values()] == [False]
    for one in changed.scripts.ticks.values():
        one.setChecked(True)
    asker.click(changed.run)
    asker.until(changed.stop.isVisible)
    asker.click(changed.stop)
    asker.until(lambda: changed.status.text() == "Stopped. Nothing was saved.")
    asker.close(changed)


def test_on_a_small_screen_the_steps_and_their_graph_are_in_sight(asker: User) -> None:
    dialog = asked(asker, "Merge runs.csv with nodes.csv, sort them by seconds and save it as all.csv")
    fit_into(dialog, QSize(624, 312))
    asker.rest()
    asker.until(lambda: dialog.canvas.view_rect("0") is not None)
    dialog.canvas.fit()
    shown = dialog.canvas.visibleRegion().boundingRect()
    for key in map(str, range(dialog.steps.count())):
        card = dialog.canvas.view_rect(key)
        assert card is not None
        assert shown.contains(round(card.centre.x), round(card.centre.y)), f"step {key} is out of sight"
    numbers = [dialog.table.item(0, column).textAlignment() for column in range(dialog.table.columnCount())]
    right = Qt.AlignmentFlag.AlignRight
    assert [bool(right & one) for one in numbers] == [True, False, True, True, True]
