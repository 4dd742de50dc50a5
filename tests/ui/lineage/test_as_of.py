"""The lineage as of a moment, by slider, keys, play and typing."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDateTimeEdit, QLineEdit

from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.lineage.time import UNDATED_BADGE
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User


@pytest.fixture
def opened(window: MainWindow, user: User) -> User:
    """Before the lineage of a model, as of now."""
    user.open_sample("xplacer")
    user.search("decisionTree.onnx")
    user.trace()
    user.rest()
    window.navigator.draw_phases(False)
    user.rest()
    user.press("Ctrl+T", window)
    user.until(lambda: window.features.time.bar.slider.maximum() > 0)
    user.rest()
    return user


def put_back(window: MainWindow) -> set[str]:
    """The labels of what was not there yet."""
    return {node.label for node in window.pictures.canvas.scene().nodes if node.back}


def test_now_is_everything_and_before_the_first_moment_nothing_dated(window: MainWindow, opened: User) -> None:
    bar = window.features.time.bar
    assert bar.isVisible()
    assert put_back(window) == set()
    assert bar.words.startswith("Now: ")
    bar.slider.setFocus()
    opened.press("Home", bar.slider)
    opened.rest()
    assert "decisionTree.onnx" in put_back(window)
    assert "not there yet" in bar.words
    opened.press("End", bar.slider)
    opened.rest()
    assert put_back(window) == set()
    assert bar.at is None


def test_what_is_there_only_grows_step_by_step_and_nothing_moves(window: MainWindow, opened: User) -> None:
    bar, canvas = window.features.time.bar, window.pictures.canvas
    ready = canvas.ready()
    assert ready is not None
    places = ready.layout.places
    camera = canvas.camera()
    bar.slider.setFocus()
    opened.press("Home", bar.slider)
    before = put_back(window)
    for _ in range(bar.slider.maximum()):
        opened.press("Right", bar.slider)
        after = put_back(window)
        assert after <= before
        before = after
    opened.rest()
    ready = canvas.ready()
    assert ready is not None
    assert ready.scene is canvas.scene()
    assert ready.layout.places == places
    assert canvas.camera() == camera
    assert before == set()


def test_a_moment_is_typed(window: MainWindow, opened: User) -> None:
    bar = window.features.time.bar
    opened.click(opened.button("Earlier: the previous moment"))
    shown = bar.field.dateTime()
    opened.click(opened.button("Now: all that is recorded"))
    year = shown.date().year()
    bar.field.setFocus()
    bar.field.setSelectedSection(QDateTimeEdit.Section.YearSection)
    opened.type(str(year - 3), bar.field)
    opened.press("Return", bar.field)
    assert bar.at is not None
    assert bar.at.year == year - 3
    assert bar.slider.value() == 0
    assert "decisionTree.onnx" in put_back(window)


def test_it_plays_to_the_end_and_stops(window: MainWindow, opened: User) -> None:
    bar = window.features.time.bar
    bar.slider.setValue(bar.slider.maximum() - 2)
    opened.click(opened.button("Play: step through the moments automatically"))
    assert bar.is_playing
    assert bar.play.text() == "Pause"
    opened.until(lambda: not bar.is_playing)
    assert bar.at is None
    assert bar.play.text() == "Play"


def test_turned_off_the_lineage_is_as_it_was(window: MainWindow, opened: User) -> None:
    bar = window.features.time.bar
    bar.slider.setValue(0)
    opened.rest()
    assert put_back(window)
    opened.press("Ctrl+T", window)
    opened.rest()
    assert not bar.isVisible()
    assert put_back(window) == set()
    assert not any(UNDATED_BADGE in node.badges for node in window.pictures.canvas.scene().nodes)


def test_it_follows_to_another_lineage_and_leaves_with_the_tab(window: MainWindow, opened: User) -> None:
    opened.search("randomForest.onnx")
    opened.until(lambda: window.features.time.bar.words.startswith("Now: "))
    window.features.time.bar.slider.setValue(0)
    opened.rest()
    assert "randomForest.onnx" in put_back(window)
    window.navigator.show_view(View.EXPLORE)
    opened.rest()
    assert not window.features.time.bar.isVisible()
    window.run("file.close_all")
    opened.rest()
    window.run("view.lineage")
    assert not window.features.time.bar.slider.isEnabled()


def test_phases_are_told_as_of_the_moment(window: MainWindow, user: User) -> None:
    user.open_sample("seismic")
    stage = NamedNode("http://example.org/seismic/run1-training")
    window.navigator.trace(stage, downstream=True)
    user.rest()
    window.navigator.draw_phases(True)
    user.rest()
    controller, bar = window.features.presenter.phases, window.features.time.bar

    def counts() -> set[str]:
        assert controller.view is not None
        return {count for row in controller.view.rows for count in row.counts}

    assert "9 batches" in counts()
    user.press("Ctrl+T", window)
    user.until(lambda: bar.slider.maximum() > 0)
    user.rest()
    bar.slider.setFocus()
    user.press("Home", bar.slider)
    user.rest()
    assert window.pictures.canvas.scene().nodes == ()
    user.press("Right", bar.slider)
    user.until(lambda: controller.view is not None and controller.view.folded.as_of == bar.at)
    user.rest()
    assert "9 batches" not in counts()
    user.press("End", bar.slider)
    user.until(lambda: controller.view is not None and controller.view.folded.as_of is None)
    user.rest()
    assert "9 batches" in counts()
    user.click(user.button("By the record: show what the sources said by then, instead of what existed"))
    user.until(lambda: bar.words == "It is not known when this lineage was recorded.")
    user.rest()
    assert controller.view is None
    user.click(user.button("Phases: group the lineage by phase of its lifecycle"))
    user.until(lambda: bar.words.startswith("Now: "))
    user.rest()
    assert controller.view is not None
    assert not bar.record.isChecked()
    assert QApplication.focusWidget() is not None


@pytest.fixture
def versions(window: MainWindow, user: User, tmp_path: Path) -> User:
    """Before the lineage of a model, by the record, in a workspace whose source is in its second version."""
    terms = "@prefix ex: <http://example.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .\n"
    file, workspace = tmp_path / "runs.ttl", tmp_path / "w"
    for number, raw in ((1, "raw"), (8, "cleaned")):
        file.write_text(
            f"{terms}ex:model prov:wasDerivedFrom ex:curated . ex:curated prov:wasDerivedFrom ex:{raw} .\n",
            encoding="utf-8",
        )
        then = datetime(2026, 3, number, 12, tzinfo=UTC).timestamp()
        os.utime(file, (then, then))
        load_into(workspace, [str(file)])
    window.open_sources([str(workspace)])
    user.rest()
    window.navigator.trace(NamedNode("http://example.org/model"), downstream=False)
    user.rest()
    user.press("Ctrl+T", window)
    user.until(lambda: "no recorded times" in window.features.time.bar.words)
    user.click(user.button("By the record: show what the sources said by then, instead of what existed"))
    user.until(lambda: window.features.time.bar.slider.maximum() == 2)
    user.rest()
    return user


def test_by_the_record_each_version_shows_what_it_said(window: MainWindow, versions: User) -> None:
    bar, canvas = window.features.time.bar, window.pictures.canvas
    assert bar.words == "Now: 3 of 4 there, 1 no longer recorded. By runs.ttl version 2"
    assert put_back(window) == {"raw"}
    assert [mark.number for _, mark in bar.marks.places()] == [1, 2]
    assert bar.marks.isVisible()
    ready = canvas.ready()
    assert ready is not None
    places = ready.layout.places
    bar.slider.setFocus()
    versions.press("Left", bar.slider)
    versions.rest()
    assert put_back(window) == {"cleaned"}
    assert bar.words.endswith("3 of 4 there, 1 not recorded yet. By runs.ttl version 1")
    ready = canvas.ready()
    assert ready is not None
    assert ready.layout.places == places
    versions.press("Left", bar.slider)
    versions.rest()
    assert put_back(window) == {"model", "curated", "raw", "cleaned"}
    versions.press("End", bar.slider)
    versions.click(bar.record)
    versions.rest()
    assert {node.label for node in canvas.scene().nodes} == {"model", "curated", "cleaned"}
    assert not bar.marks.isVisible()


def test_by_the_record_of_a_sample_nobody_says_when(window: MainWindow, opened: User) -> None:
    opened.click(window.features.time.bar.record)
    opened.until(lambda: window.features.time.bar.words == "It is not known when this lineage was recorded.")
    opened.rest()
    assert put_back(window) == set()
    assert not window.features.time.bar.slider.isEnabled()


def test_the_field_shows_its_whole_date(opened: User) -> None:
    field = opened.window.features.time.bar.field
    line = field.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    assert line.text() == field.text() != ""
    assert line.width() >= line.fontMetrics().horizontalAdvance(line.text())
