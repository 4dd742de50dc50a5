"""The competency questions of the HPC paper, and everyday ones, built by pointing: each click is counted.

A click is a press of a mouse button, on the tab or in a menu, or one of Enter; letters typed into the search box are none. No
IRI is typed. The tab is open, and nothing is asked yet. What is found is compared with what the paper prints and the
examples of the ready questions hold; columns that these do not ask for are left out.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QListView, QMenu

from hpc_explorer.app.query.facet_lists import Facet
from hpc_explorer.app.views import FacetRow
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

FORWARD, BACKWARD = "→", "←"


class Pointing:
    """Somebody who builds a question by pointing, and whose clicks are counted."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.controller = user.window.features.ask
        self.tab = user.window.features.ask.tab
        user.press("Ctrl+5")
        self.rest()
        self.clicks = 0

    def rest(self) -> None:
        """Wait until all that a click asked for is there."""
        for _ in range(2):
            # An answer that came in may have the next thing asked, and lists take over each other's room.
            self.user.until(lambda: self.controller.is_settled() and not self.user.window.is_busy)
            QApplication.processEvents()

    def words(self, text: str) -> None:
        """Type into the search box, to which the keyboard has a key of its own."""
        assert "://" not in text, "no IRI is typed"
        self.tab.facets.search.setFocus()
        self.user.qtbot.keyClicks(self.tab.facets.search, text)
        self.rest()

    def pick(self, facet: Facet, label: str, *, way: str = "", detail: str = "") -> None:
        """Click a row of a list."""
        view, at = self._in_sight(facet, label, way, detail)
        self._press(lambda: self.user.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at))

    def _in_sight(self, facet: Facet, label: str, way: str, detail: str) -> tuple[QListView, QPoint]:
        """A list that is scrolled to a row, and where in it that is."""
        view = self.tab.facets.lists[facet].rows
        fitting = [number for number, row in enumerate(view.rows.rows) if fits(row, label, way, detail)]
        assert len(fitting) == 1, [(row.label, row.way, row.detail) for row in view.rows.rows]
        index = view.rows.index(fitting[0])
        view.scrollTo(index)
        QApplication.processEvents()
        self.user.until(lambda: view.indexAt(view.visualRect(index).center()) == index)
        return view, view.visualRect(index).center()

    def enter(self, text: str, label: str) -> None:
        """Type, and take with Enter what was found first."""
        self.words(text)
        first = next(one.labels() for one in self.tab.facets.lists.values() if one.isVisible() and one.labels())
        assert first[0] == label
        self._press(lambda: self.user.press("Return", self.tab.facets.search))

    def otherwise(self, entry: str, label: str, way: str = FORWARD) -> None:
        """Choose how a property is asked for in the menu of a right click on it."""
        view, at = self._in_sight(Facet.PROPERTIES, label, way, "")
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.viewport().mapToGlobal(at))
        self._press(lambda: QApplication.sendEvent(view.viewport(), event))
        self._choose(entry)

    def menu(self, button: str, *entries: str) -> None:
        """Click a button above the question, and entries of its menu and of those that open from it."""
        self._press(lambda: self.user.click(self.user.button(button, self.tab)))
        for entry in entries:
            self._choose(entry)

    def _choose(self, entry: str) -> None:
        """Click an entry of the menus that are open."""
        found: list[tuple[QMenu, QAction]] = []

        def look() -> bool:
            menus = [menu for menu in self.user.window.findChildren(QMenu) if menu.isVisible()]
            found[:] = [(menu, action) for menu in menus for action in menu.actions() if action.text() == entry]
            return bool(found)

        self.user.until(look)
        menu, action = found[-1]
        place = menu.actionGeometry(action).center()
        self._press(lambda: self.user.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place))

    def a(self, label: str) -> None:
        """Things of a class."""
        self.pick(Facet.CLASSES, label)

    def has(self, label: str, detail: str = "") -> None:
        """What they have."""
        self.pick(Facet.PROPERTIES, label, way=FORWARD, detail=detail)

    def of(self, label: str, detail: str = "") -> None:
        """What they are to something else."""
        self.pick(Facet.PROPERTIES, label, way=BACKWARD, detail=detail)

    def is_(self, label: str) -> None:
        """What they are themselves."""
        self.pick(Facet.VALUES, label)

    def find(self, text: str, label: str) -> None:
        """A property with its value, found by a word."""
        self.words(text)
        self.pick(Facet.MATCHES, label)

    def at(self, variable: str) -> None:
        """A click on a variable in the sentence."""
        button = next(one for one in self.tab.sentence.buttons if str(one.piece.variable) == f"?{variable}")
        self._press(lambda: self.user.qtbot.mouseClick(button, Qt.MouseButton.LeftButton))

    def _press(self, press: Callable[[], None]) -> None:
        self.clicks += 1
        press()
        self.rest()

    def rows(self, *columns: str) -> list[tuple[object, ...]]:
        """The different rows of some columns, in the order of their texts."""
        return sorted(set(self.rows_in_order(*columns)), key=str)

    def rows_in_order(self, *columns: str) -> list[tuple[object, ...]]:
        """The rows of some columns as they stand in the table."""
        held = self.tab.rows.rows
        places = [[one.name for one in held.columns].index(name) for name in columns]
        return [tuple(held.term(row, place) for place in places) for row in self.tab.rows.table.rows.shown]


def fits(row: FacetRow, label: str, way: str, detail: str) -> bool:
    return row.label == label and way in row.way and detail in f"{row.detail} {row.tip}"


def expected(name: str, *columns: str) -> list[tuple[object, ...]]:
    """The different rows that a question has on its sample, as far as these columns of it show them."""
    return sorted(set(expected_in_order(name, *columns)), key=str)


def expected_in_order(name: str, *columns: str) -> list[tuple[object, ...]]:
    """The rows that a question has on its sample, in their order."""
    (question,) = (one for one in shipped_questions() if one.name == name)
    example = question.examples[0]
    places = [example.columns.index(column) for column in columns]
    return [tuple(row[place] for place in places) for row in example.rows]


@pytest.fixture
def pointing(window: MainWindow, user: User) -> Callable[[str], Pointing]:
    def opened(sample: str) -> Pointing:
        user.open_sample(sample)
        return Pointing(user)

    return opened


# The questions of the paper
# --------------------------


def test_q1_datasets_of_a_project(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("xplacer")
    one.a("Project")
    one.has("name")
    one.is_("Xplacer")
    one.at("Project")
    one.has("dataset")
    assert one.rows("dataset") == expected("hpc-q1", "ds")
    assert one.clicks == 5


def test_q2_models_for_a_machine(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("xplacer")
    one.a("AI model")
    one.has("target machine")
    one.is_("lassen")
    one.at("AI_model")
    one.has("name")
    assert one.rows("name") == expected("hpc-q2", "model_name")
    assert one.clicks == 5


def test_q3_models_for_machines_with_a_gpu(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("xplacer")
    one.a("GPU")
    one.find("V100", "name: Nvidia V100")
    one.of("coprocessor", "hpc:coprocessorModel")
    one.of("target machine")
    one.a("AI model")
    one.has("name")
    assert one.rows("coprocessor_of", "target_machine_of") == expected("hpc-q3", "machine", "model_id")
    assert one.clicks == 6


def test_q4_datasets_of_funded_projects_on_a_subject(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("nsf")
    one.a("Project")
    one.find("National Science", "funded by: the National Science Foundation")
    one.of("project")
    one.a("Dataset")
    one.find("Performance Prediction", "subject: Performance Prediction")
    assert one.rows("Project", "project_of") == expected("hpc-q4", "project_id", "ds_id")
    assert one.clicks == 5


def test_q5_workflows_for_an_application_on_gpus(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("npb")
    one.a("GPU")
    one.find("AMD", "vendor: AMD")
    one.of("coprocessor", "hpc:coProcessor")
    one.of("target machine")
    one.a("Workflow")
    one.find("Heterogeneous", "subject: Heterogeneous Mapping")
    one.find("NPB", "target application: NPB")
    one.has("name")
    assert one.rows("target_machine_of", "name") == expected("hpc-q5", "pid", "pname")
    assert one.clicks == 8


# Everyday questions
# ------------------


def test_models_that_may_be_reused(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("campaign")
    one.a("AI model")
    one.find("Apache-2.0", "license: Apache-2.0")
    assert one.rows("AI_model") == expected("reusable-models", "model")
    assert one.clicks == 2


def test_models_with_their_version_where_they_have_one(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("campaign")
    one.a("AI model")
    models = one.rows("AI_model")
    one.otherwise("May have it", "version")
    assert [row[:1] for row in one.rows("AI_model", "version")] == models
    assert [row for row in one.rows("AI_model", "version") if row[1] is None] == expected(
        "models-without-record", "model", "version"
    )
    assert one.clicks == 3


def test_models_of_unknown_origin(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("campaign")
    one.a("AI model")
    one.otherwise("Does not have it", "was derived from dataset")
    assert one.rows("AI_model") == expected("models-without-record", "model")
    assert one.clicks == 3


def test_runs_counted_per_project(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("campaign")
    one.a("Experiment")
    one.has("project")
    one.at("Experiment")
    one.menu("Count per…", "Count Experiment for each", "project")
    assert one.rows("project", "count_Experiment") == expected("runs-by-project", "project", "runs")
    assert one.clicks == 6


def failed_runs(one: Pointing, order: str) -> list[tuple[object, ...]]:
    """The runs with an error, by when they began."""
    one.a("Experiment")
    one.has("error")
    one.at("Experiment")
    one.has("start date")
    one.menu("Sort…", f"start date, {order}")
    return one.rows_in_order("Experiment", "start_date", "error")


def test_failed_runs_in_the_order_they_began(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("campaign")
    assert failed_runs(one, "ascending") == expected_in_order("failed-runs", "run", "start", "message")
    assert one.clicks == 6


def test_the_last_run_that_failed_alone(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("campaign")
    failed_runs(one, "descending")
    one.menu("Limit…", "Only the first row")
    assert one.rows_in_order("Experiment", "start_date") == expected_in_order("failed-runs", "run", "start")[-1:]
    assert one.clicks == 8


def test_models_for_a_machine_by_the_keyboard_alone(pointing: Callable[[str], Pointing]) -> None:
    one = pointing("xplacer")
    one.enter("AI model", "AI model")
    one.enter("lassen", "target machine: lassen")
    one.enter("name", "name")
    assert one.rows("name") == expected("hpc-q2", "model_name")
    assert one.clicks == 3
