"""Ready questions by clicks and keys: chosen in the list, filled in, asked, answered by a plot and rows that lead on."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from hpc_explorer.app.results.answer import AnswerPlot
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.query.table import Table
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.questions.dialog import ChoiceField, QuestionDialog
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

SEISMIC = "http://example.org/seismic/"


def titles(window: MainWindow) -> list[str]:
    questions = window.browser.questions
    return [questions.item(row).text() for row in range(questions.count())]


def labels(field: ChoiceField) -> list[str]:
    return [str(field.list.rows.index(row).data()) for row in range(field.list.rows.rowCount())]


def click_row(user: User, widget: object, row: int) -> None:
    """Click in the middle of a row of a list."""
    view = widget
    index = view.model().index(row, 0)  # type: ignore[attr-defined]  # a list
    view.scrollTo(index)  # type: ignore[attr-defined]  # a list
    user.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())  # type: ignore[attr-defined]  # a list


@pytest.fixture
def seismic(user: User) -> User:
    user.open_sample("seismic")
    user.until(lambda: user.window.browser.questions.count() == 8)
    return user


def opened(user: User, title: str) -> QuestionDialog:
    """The form of a question, after a click on its title; all its choices are there."""
    click_row(user, user.window.browser.questions, titles(user.window).index(title))
    dialog = user.dialog(QuestionDialog)
    user.rest()
    return dialog


def test_the_list_follows_what_is_open(window: MainWindow, user: User, tmp_path: Path) -> None:
    assert not window.browser.questions.isVisible()
    plain = tmp_path / "plain.ttl"
    plain.write_text("<urn:example:a> <urn:example:b> 1 .", encoding="utf-8")
    window.open_sources([str(plain)])
    user.rest()
    assert not window.browser.questions.isVisible()
    user.window.run("go.questions")
    assert user.told == "No ready question fits the open graph"
    window.open_sources(["sample:xplacer"])
    user.until(window.browser.questions.isVisible)
    assert "Datasets of a research project" in titles(window)
    window.run("file.close_all")
    user.until(lambda: window.browser.questions.count() == 0)


def test_a_slice_range_by_the_mouse(seismic: User) -> None:
    window = seismic.window
    dialog = opened(seismic, "Batch times and measures by slice range")
    first, last = dialog.fields
    assert labels(first) == ["Any", "100", "400"]
    assert labels(last) == ["Any", "299", "599"]
    click_row(seismic, first.list, 2)
    seismic.rest()
    # What goes with the first slice is left.
    assert labels(last) == ["Any", "599"]
    seismic.click(dialog.ask_button)
    seismic.until(lambda: window.pictures.answer.answer is not None)
    seismic.rest()
    assert window.navigator.place.view is View.ANSWER
    answer = window.pictures.answer.answer
    assert answer is not None
    assert answer.summary == ("2 rows.",)
    assert "First slice: 400. Last slice: any. Asked with PROV-ML terms." in answer.notes
    measures, times = answer.plots
    assert (measures.title, [list(one.ys) for one in measures.series]) == ("Measures over epochs", [[0.741, 0.798]])
    assert [list(one.ys) for one in times.series] == [[0.22, 0.218]]
    # A row leads on: a click describes the epoch, a double click goes there.
    table = window.pictures.answer.tables[0]
    at = table.visualRect(table.model().index(0, 1)).center()
    seismic.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    seismic.rest()
    assert window.inspector.view is not None
    assert window.inspector.view.ref.label == "Training epoch 1, run 2"
    # Asked before: what was chosen still is.
    again = opened(seismic, "Batch times and measures by slice range")
    assert {name: value.value for name, value in again.values.items()} == {"firstSlice": "400"}
    again.reject()


def test_a_model_by_the_keys(seismic: User) -> None:
    window = seismic.window
    seismic.window.run("go.questions")
    assert window.browser.questions.hasFocus()
    seismic.press("Return")
    dialog = seismic.dialog(QuestionDialog)
    seismic.rest()
    (field,) = dialog.fields
    assert not dialog.ask_button.isEnabled()
    seismic.until(field.line.hasFocus)
    seismic.type("epo 2", field.line)
    assert labels(field) == ["Model after epoch 1, run 2", "Model after epoch 2, run 1", "Model after epoch 2, run 2"]
    seismic.press("Down", field.line)
    seismic.press("Down", field.list)
    assert field.value == NamedNode(f"{SEISMIC}run1-training-epoch2-model")
    assert dialog.ask_button.isEnabled()
    seismic.press("Return", field.list)
    seismic.until(lambda: window.pictures.answer.answer is not None)
    answer = window.pictures.answer.answer
    assert answer is not None
    (table,) = answer.tables
    assert [str(cell.label if hasattr(cell, "label") else cell) for cell in table.rows[0]][2:] == [
        "North Sea Basin",
        "F3 block",
        "651",
    ]
    assert answer.plots == ()


def test_what_is_typed_and_is_not_there(seismic: User) -> None:
    dialog = opened(seismic, "Batch times of a training, epoch by epoch")
    (field,) = dialog.fields
    assert labels(field) == ["Training set 1", "Training set 2"]
    seismic.type("zebra", field.line)
    assert labels(field) == []
    assert any("No choice matches “zebra”." in str(one.text()) for one in field.findChildren(TextBlock))
    seismic.press("Return", field.line)
    assert dialog.isVisible()
    seismic.press("Escape", field.line)
    assert len(labels(field)) == 2
    click_row(seismic, field.list, 1)
    seismic.click(dialog.ask_button)
    seismic.until(lambda: seismic.window.pictures.answer.answer is not None)
    answer = seismic.window.pictures.answer.answer
    assert answer is not None
    plot, table = answer.sections
    assert isinstance(plot, AnswerPlot)
    assert isinstance(table, Table)
    assert [one.name for one in plot.series] == ["shortest batch", "mean batch time", "longest batch"]
    assert [column.heading for column in table.columns][2:] == [
        "mean batch time (s)",
        "shortest batch (s)",
        "longest batch (s)",
    ]


def own_question(folder: Path, title: str, select: str) -> None:
    """A question without blanks in the folder of the settings."""
    own = folder / "questions"
    own.mkdir(parents=True)
    (own / "own.ttl").write_text(
        f"""@prefix dcterms: <http://purl.org/dc/terms/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix sh: <http://www.w3.org/ns/shacl#> .
        <urn:n> a sh:SPARQLSelectExecutable ; dcterms:identifier "n" ; rdfs:label "{title}" ; sh:select "{select}" .""",
        encoding="utf-8",
    )


def test_escape_stops_a_question_that_takes_long(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "own"))
    own_question(tmp_path / "own", "Everything", "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } ORDER BY ?f ?d ?b")
    user.open_sample("fugaku")
    user.until(lambda: "Everything" in titles(window))
    click_row(user, window.browser.questions, titles(window).index("Everything"))
    user.until(lambda: "Everything" in window.jobs.text)
    assert window.pictures.answer.answer is None
    user.press("Escape", window.pictures.answer)
    user.until(lambda: not window.is_busy)
    assert window.pictures.answer.answer is None


def test_a_question_without_blanks_is_asked_at_once(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "own"))
    own_question(tmp_path / "own", "How many triples", "SELECT (COUNT(*) AS ?number) { ?s ?p ?o }")
    user.open_sample("fugaku")
    user.until(lambda: "How many triples" in titles(window))
    click_row(user, window.browser.questions, titles(window).index("How many triples"))
    user.until(lambda: window.pictures.answer.answer is not None)
    answer = window.pictures.answer.answer
    assert answer is not None
    assert answer.tables[0].rows == ((window.bridge.sources[0].triples.value,),)


def test_a_damaged_file_takes_no_other_question_away(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "own"))
    own_question(tmp_path / "own", "Wrong", "SELECT { }")
    user.open_sample("seismic")
    user.until(lambda: window.browser.questions.count() == 8)
    assert window.browser.unread.isVisible()
    assert "own.ttl" in window.browser.unread.text()
    user.rest()
    assert not window.banner.isVisible()
