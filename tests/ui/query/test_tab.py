"""A question built by pointing: with real clicks and keys, from the class to the rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QMenu, QToolButton

from hpc_explorer.app.query.facet_lists import Facet
from hpc_explorer.app.views import FacetRow
from hpc_explorer.query.model.query import Duplicates
from hpc_explorer.rdf.terms import NamedNode, Variable
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.query.controller import QueryController
from hpc_explorer.ui.query.sentence_view import PieceButton
from hpc_explorer.ui.query.tab import AskTab, AskView
from hpc_explorer.ui.questions.save_dialog import SaveQuestionDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.watchdog import longest_here, watched
from tests.helpers.windows import User

HPC = "https://hpc-fair.github.io/ontology#"


class Asker:
    """Somebody at the tab Ask, who clicks rows and reads what is shown."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.window = user.window
        self.clicks = 0

    @property
    def controller(self) -> QueryController:
        return self.window.features.ask

    @property
    def tab(self) -> AskTab:
        return self.window.features.ask.tab

    def rest(self) -> None:
        self.user.until(lambda: self.controller.is_settled() and not self.window.is_busy)

    def rows(self, facet: Facet) -> list[FacetRow]:
        return [row for row in self.tab.facets.lists[facet].rows.rows.rows if row.key is not None]

    def labels(self, facet: Facet) -> list[str]:
        return [row.label for row in self.rows(facet)]

    def click(self, facet: Facet, label: str, way: str = "", detail: str = "") -> None:
        """Click a row of a list, and wait for what comes of it."""
        view = self.tab.facets.lists[facet].rows
        number = next(
            number
            for number, row in enumerate(view.rows.rows)
            if row.label == label and way in row.way and detail in row.detail
        )
        index = view.rows.index(number)
        view.scrollTo(index)
        self.user.until(lambda: view.indexAt(view.visualRect(index).center()) == index)
        self.clicks += 1
        self.user.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
        self.rest()

    def cells(self, column: str) -> list[str]:
        """Vertical axis in a column, in the order of the rows."""
        held = self.tab.rows.rows
        at = [one.name for one in held.columns].index(column)
        return [held.text(row, at) for row in range(len(held))]


@pytest.fixture
def asker(window: MainWindow, user: User) -> Asker:
    user.open_sample("xplacer")
    user.press("Ctrl+5")
    asker = Asker(user)
    asker.rest()
    return asker


def popped_up(asker: Asker) -> QMenu:
    """The menu that is open."""
    found: list[QMenu] = []

    def look() -> bool:
        found[:] = [one for one in asker.window.findChildren(QMenu) if one.isVisible()]
        return bool(found)

    asker.user.until(look)
    return found[-1]


def choose(asker: Asker, menu: QMenu, *titles: str) -> None:
    """Click an entry, through the menus above it."""
    for title in titles:
        action = next(one for one in menu.actions() if one.text() == title)
        asker.user.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        below = action.menu()
        if isinstance(below, QMenu):
            asker.user.until(below.isVisible)
            menu = below
    asker.rest()


def run(asker: Asker, command: str) -> None:
    asker.window.run(command)
    asker.rest()


def test_where_nothing_is_of_a_class_a_question_begins_with_a_property(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    graph = tmp_path / "plain.ttl"
    graph.write_text('<urn:a> <urn:x#name> "one" ; <urn:x#next> <urn:b> . <urn:b> <urn:x#name> "two" .')
    user.open_files([graph])
    user.press("Ctrl+5")
    asker = Asker(user)
    asker.rest()
    assert asker.labels(Facet.PROPERTIES) == ["name", "next", "next"]  # from here, and to here
    asker.click(Facet.PROPERTIES, "next", "→")
    assert len(asker.tab.rows.rows) == 1
    user.press("Ctrl+Z")
    asker.rest()
    assert asker.tab.facets.beginning is Facet.PROPERTIES
    asker.click(Facet.PROPERTIES, "name")
    assert sorted(asker.cells("name")) == ["one", "two"]


def test_the_empty_tab_says_what_it_is_for_and_offers_classes_and_questions(asker: Asker) -> None:
    assert asker.window.navigator.place.view is View.ASK
    assert asker.labels(Facet.CLASSES)[0] == "AI model"
    model = next(row for row in asker.rows(Facet.CLASSES) if row.label == "AI model")
    assert model.count == "3"
    assert not asker.tab.facets.lists[Facet.PROPERTIES].isVisible()
    assert asker.tab.questions.isVisible()
    assert "AI models for a machine" in asker.tab.questions.labels()


def test_a_class_counts_its_subclasses_as_the_tree_does_or_only_direct_instances(asker: Asker) -> None:
    counts = {row.label: row.count for row in asker.rows(Facet.CLASSES)}
    tree = {node.ref.label: str(node.instances) for node in asker.window.browser.classes.shown.found.values()}
    assert counts == {label: tree[label] for label in counts}
    assert counts["Dataset"] == "17"
    for label in ("Dataset", "Data"):
        asker.click(Facet.CLASSES, label)
        assert str(len(asker.tab.rows.rows)) == counts[label]
        asker.user.press("Ctrl+Z")
        asker.rest()
    picked(asker, asker.tab.facets.subclasses, "direct instances only")
    asker.user.until(lambda: {row.label: row.count for row in asker.rows(Facet.CLASSES)}["Dataset"] == "5")
    asker.click(Facet.CLASSES, "Dataset")
    assert len(asker.tab.rows.rows) == 5


def test_classes_of_the_beginning_are_searched_and_chosen_by_the_keyboard(asker: Asker) -> None:
    asker.user.click(asker.tab.facets.search)
    asker.user.type("clus")
    asker.user.until(lambda: asker.labels(Facet.CLASSES) == ["Cluster"])
    asker.user.press("Down")
    asker.user.press("Return")
    asker.rest()
    assert asker.cells("Cluster") == ["lassen"]


def test_models_whose_target_machine_has_a_coprocessor_of_a_name(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    assert sorted(asker.cells("AI_model")) == ["decisionTree-p100.onnx", "decisionTree.onnx", "randomForest.onnx"]
    asker.click(Facet.PROPERTIES, "target machine")
    assert asker.tab.focus() == Variable("target_machine")
    asker.click(Facet.PROPERTIES, "coprocessor", detail="coprocessorModel")
    asker.click(Facet.PROPERTIES, "name", way="→")
    asker.click(Facet.VALUES, "Nvidia V100")
    assert asker.clicks == 5
    assert sorted(asker.cells("AI_model")) == ["decisionTree.onnx", "randomForest.onnx"]
    assert asker.tab.rows.rows.columns[0].name == "AI_model"


def test_a_list_shows_counts_and_both_directions(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "GPU")
    ways = {(row.way, row.label) for row in asker.rows(Facet.PROPERTIES)}
    assert ("→", "name") in ways
    assert ("←", "coprocessor") in ways
    assert all(row.count.replace(",", "").isdigit() for row in asker.rows(Facet.PROPERTIES))


def test_values_are_ticked_and_unticked_and_the_list_can_be_widened(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "GPU")
    asker.click(Facet.PROPERTIES, "name", way="→")
    everything = asker.labels(Facet.VALUES)
    asker.click(Facet.VALUES, "Nvidia V100")
    assert asker.labels(Facet.VALUES) == everything
    assert [row.label for row in asker.rows(Facet.VALUES) if row.is_ticked] == ["Nvidia V100"]
    other = next(label for label in everything if label != "Nvidia V100")
    asker.click(Facet.VALUES, other)
    assert len(asker.cells("name")) == 2
    asker.click(Facet.VALUES, "Nvidia V100")
    assert asker.cells("name") == [other]
    asker.click(Facet.VALUES, other)
    assert not any(row.is_ticked for row in asker.rows(Facet.VALUES))


def test_a_value_is_found_by_its_word_and_the_focus_stays(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.user.click(asker.tab.facets.search)
    asker.user.type("lassen")
    asker.user.until(lambda: asker.labels(Facet.MATCHES) == ["target machine: lassen"])
    asker.rest()
    asker.click(Facet.MATCHES, "target machine: lassen")
    assert asker.tab.focus() == Variable("AI_model")
    assert sorted(asker.cells("AI_model")) == ["decisionTree.onnx", "randomForest.onnx"]
    assert asker.tab.facets.words == ""
    assert not asker.tab.facets.lists[Facet.MATCHES].isVisible()


def test_enter_in_the_search_takes_what_was_found_first(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.user.click(asker.tab.facets.search)
    asker.user.type("lassen")
    asker.user.until(lambda: bool(asker.labels(Facet.MATCHES)))
    asker.rest()
    asker.user.press("Return")
    asker.rest()
    assert len(asker.cells("AI_model")) == 2


def test_arrow_keys_and_enter_build_too(asker: Asker) -> None:
    classes = asker.tab.facets.lists[Facet.CLASSES].rows
    classes.setFocus()
    while classes.rows.row_at(classes.currentIndex()).label != "AI model":  # type: ignore[union-attr]  # one is current
        asker.user.press("Down", classes)
    asker.user.press("Return", classes)
    asker.rest()
    asker.user.press("Up", classes)
    assert asker.tab.query().where.elements


def test_every_step_can_be_undone_with_its_words_in_the_menu(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.click(Facet.PROPERTIES, "target machine")
    undo = asker.window.commands.by_id["edit.undo"]
    assert undo.text() == "Undo add “target machine”"
    asker.user.press("Ctrl+Z", asker.tab.facets)
    asker.rest()
    assert undo.text() == "Undo ask about “AI model”"
    assert asker.tab.focus() == Variable("AI_model")
    asker.user.press("Ctrl+Shift+Z", asker.tab.facets)
    asker.rest()
    assert asker.tab.focus() == Variable("target_machine")


def test_undo_brings_the_tab_into_sight(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.user.press("Ctrl+4")
    asker.user.rest()
    run(asker, "edit.undo")
    assert asker.window.navigator.place.view is View.ASK
    assert asker.tab.query().where.elements == ()


def test_a_property_can_be_optional_or_absent(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "Project")
    everything = len(asker.cells("Project"))
    modes = asker.tab.facets.modes.menu()
    modes.popup(asker.tab.mapToGlobal(QPoint(40, 40)))
    choose(asker, modes, "absent")
    asker.click(Facet.PROPERTIES, "funded by", way="→")
    without = len(asker.cells("Project"))
    assert 0 < without < everything
    run(asker, "edit.undo")
    menu = asker.tab.facets.lists[Facet.PROPERTIES]
    row = next(row for row in asker.rows(Facet.PROPERTIES) if row.label == "funded by")
    menu.menu_wanted.emit(row, asker.tab.mapToGlobal(QPoint(40, 40)))
    choose(asker, popped_up(asker), "May have it")
    assert len(asker.cells("Project")) == everything
    assert "" in asker.cells("funded_by")


def test_counting_sorting_and_the_first_rows(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.click(Facet.PROPERTIES, "target machine")
    asker.user.window.run("ask.count")
    menu = popped_up(asker)
    choose(asker, menu, "Count target machine for each", "AI model")
    assert sorted(asker.cells("count_target_machine")) == ["1", "1", "1"]
    asker.window.run("ask.count")
    choose(asker, popped_up(asker), "Show all rows again")
    asker.window.run("ask.sort")
    choose(asker, popped_up(asker), "AI model, descending")
    assert asker.tab.query().order_by[0].is_descending
    asker.window.run("ask.limit")
    choose(asker, popped_up(asker), "Only the first row")
    assert len(asker.cells("AI_model")) == 1
    run(asker, "ask.distinct")
    assert asker.tab.query().duplicates is Duplicates.KEPT


def test_an_amount_is_asked_for_in_any_unit(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "Cluster")
    asker.click(Facet.PROPERTIES, "memory in the cluster")
    facet = asker.tab.facets.range
    assert asker.tab.facets.shows_range
    assert facet.choice.unit == "TB"
    units = facet.unit.menu()
    units.popup(asker.tab.mapToGlobal(QPoint(40, 40)))
    choose(asker, units, "GB")
    assert facet.choice.unit == "GB"
    facet.least.setFocus()
    asker.user.type("200000", facet.least)
    asker.user.press("Return", facet.least)
    asker.rest()
    assert asker.cells("Cluster") == ["lassen"]
    assert facet.least.text() == "200000"
    asker.user.click(facet.clear)
    asker.rest()
    assert facet.choice.asked.least == ""


def picked(asker: Asker, button: QAbstractButton, title: str) -> None:
    """Open the menu of a button by a click, and choose an entry by keys."""
    menu = button.menu()  # type: ignore[attr-defined]  # a menu button
    titles = [one.text() for one in menu.actions()]

    def choose_by_keys() -> None:
        for _ in range(titles.index(title) + 1):
            asker.user.qtbot.keyClick(menu, Qt.Key.Key_Down)
        asker.user.qtbot.keyClick(menu, Qt.Key.Key_Return)

    QTimer.singleShot(0, choose_by_keys)  # the click returns when the menu closes
    asker.user.click(button)
    asker.rest()


def test_numbers_are_compared_by_pointing_and_a_range_can_be_typed_bound_by_bound(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.click(Facet.PROPERTIES, "accuracy")
    facet = asker.tab.facets.range

    def compared(title: str, text: str) -> list[str]:
        picked(asker, facet.how, title)
        line = facet.least if facet.least.isVisible() else facet.most
        line.selectAll()
        asker.user.type(text, line)
        asker.user.press("Return", line)
        asker.rest()
        return asker.cells("accuracy")

    assert compared("above", "0.934") == ["0.957"]
    assert "is more than 0.934" in asker.tab.sentence.text
    assert compared("at least", "0.934") == ["0.934", "0.957"]
    assert compared("below", "0.957") == ["0.934"]
    assert compared("equal to", "0.957") == ["0.957"]
    assert compared("not", "0.957") == ["0.934"]
    assert facet.how.text() == "not"
    asker.user.click(facet.clear)
    asker.rest()
    assert len(asker.cells("accuracy")) == 2
    asker.user.type("0.9", facet.least)
    asker.user.press("Tab", facet.least)
    asker.rest()
    asker.user.type("0.94", facet.most)
    asker.user.press("Return", facet.most)
    asker.rest()
    assert asker.cells("accuracy") == ["0.934"]
    assert (facet.how.text(), facet.least.text(), facet.most.text()) == ("between", "0.9", "0.94")


def test_ticked_values_are_excluded_and_asked_for_again(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.click(Facet.PROPERTIES, "target machine")
    asker.click(Facet.VALUES, "lassen")
    assert asker.cells("target_machine") == ["lassen", "lassen"]
    picked(asker, asker.tab.facets.exclusion, "is not one of the ticked values")
    assert asker.cells("target_machine") == ["pascal-workstation"]
    assert [row.label for row in asker.rows(Facet.VALUES) if row.is_ticked] == ["lassen"]
    assert "is none of lassen" in asker.tab.sentence.text
    picked(asker, asker.tab.facets.exclusion, "is one of the ticked values")
    assert asker.cells("target_machine") == ["lassen", "lassen"]
    asker.user.press("Ctrl+Z")
    asker.rest()
    assert asker.tab.facets.exclusion.text() == "is not"


@pytest.mark.parametrize("width", [1280, 1000])
def test_a_menu_opens_below_its_button_and_there_is_one_save_and_one_draw(asker: Asker, width: int) -> None:
    asker.window.resize(width, 650)
    asker.click(Facet.CLASSES, "AI model")
    for name in ("Count per…", "Sort…", "Limit…"):
        button = next(one for one in asker.tab.findChildren(QToolButton) if one.accessibleName() == name)
        asker.user.click(button)
        menu = popped_up(asker)
        assert menu.pos() == button.mapToGlobal(QPoint(0, button.height()))
        menu.close()
    texts = [one.text() for one in asker.tab.findChildren(QToolButton)]
    assert len([text for text in texts if text.startswith("Save")]) == 1
    assert texts.count("Draw") == 1


def test_a_wrong_number_is_said_and_asked_for_nothing(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "Cluster")
    asker.click(Facet.PROPERTIES, "compute nodes")
    facet = asker.tab.facets.range
    before = asker.tab.query()
    asker.user.type("many", facet.least)
    asker.user.press("Return", facet.least)
    assert facet.fault == "“many” is not a number."
    assert asker.tab.query() == before


def test_a_handle_of_the_histogram_is_dragged(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "Experiment")
    asker.click(Facet.PROPERTIES, "start date")
    bars = asker.tab.facets.range.bars
    rows, qtbot = len(asker.cells("Experiment")), asker.user.qtbot
    count = len(asker.tab.facets.range.choice.counts)
    assert count > 2
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(bars, left, pos=bars.edge_at(0).toPoint())
    qtbot.mouseMove(bars, bars.edge_at(1).toPoint())
    qtbot.mouseRelease(bars, left, pos=bars.edge_at(1).toPoint())
    asker.rest()
    assert 0 < len(asker.cells("Experiment")) < rows
    assert asker.tab.facets.range.choice.asked.least
    assert len(asker.tab.facets.range.choice.counts) == count  # its own condition does not narrow it


def emptied(asker: Asker) -> None:
    """A question that finds nothing."""
    asker.click(Facet.CLASSES, "Cluster")
    asker.click(Facet.PROPERTIES, "memory in the cluster")
    facet = asker.tab.facets.range
    asker.user.type("900000", facet.least)
    asker.user.press("Return", facet.least)
    asker.rest()


def test_an_empty_answer_says_which_condition_emptied_it_and_one_click_helps(asker: Asker) -> None:
    emptied(asker)
    assert asker.tab.is_relaxing
    relax = asker.tab.relax
    helpful = relax.reliefs[0]
    assert helpful.count.value == 1
    assert any("900,000 TB" in relief.words for relief in relax.reliefs)
    asker.user.until(lambda: relax.buttons[0].isVisible())
    asker.user.click(relax.buttons[0])
    asker.rest()
    assert not asker.tab.is_relaxing
    assert asker.cells("Cluster") == ["lassen"]
    asker.user.press("Ctrl+Z", asker.tab.facets)
    asker.rest()
    assert asker.tab.is_relaxing


def test_sparql_that_is_typed_is_read_back(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    run(asker, "ask.sparql")
    assert asker.tab.view is AskView.SPARQL
    editor = asker.tab.editor
    assert "hpc:AIModel" in editor.text()
    editor.edit.selectAll()
    asker.user.type("SELECT ?x WHERE { ?x a hpc:Project }", editor.edit)
    asker.user.until(lambda: asker.tab.focus() == Variable("x"))
    asker.rest()
    assert asker.window.commands.by_id["edit.undo"].text() == "Undo edit the SPARQL text"
    run(asker, "ask.rows")
    assert sorted(asker.cells("x")) == ["DataRaceBench", "Xplacer"]


def test_a_text_that_cannot_be_read_is_told_and_the_last_query_stays(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    before = asker.tab.query()
    run(asker, "ask.sparql")
    editor = asker.tab.editor
    editor.edit.selectAll()
    asker.user.type("SELECT ?x WHERE { ?x a ", editor.edit)
    asker.user.until(lambda: asker.controller.builder.fault is not None)
    run(asker, "ask.rows")  # the editor tells of it where it is
    asker.user.until(lambda: asker.tab.fault.isVisible())
    assert "has an error at line 1" in asker.tab.fault.text()
    assert asker.tab.query() == before
    assert editor.text() == "SELECT ?x WHERE { ?x a "


def test_sparql_can_be_the_beginning(asker: Asker) -> None:
    asker.user.click(asker.tab.write)
    assert asker.tab.view is AskView.SPARQL
    asker.user.type("SELECT * WHERE { ?p a hpc:Person }", asker.tab.editor.edit)
    asker.user.until(lambda: asker.tab.focus() == Variable("p"))
    asker.rest()


def test_a_class_of_the_tree_is_asked_about(asker: Asker) -> None:
    window = asker.window
    window.navigator.show_view(View.CLASSES)
    tree = window.browser.classes
    node = tree.all_classes[0]
    place = tree.visualRect(tree.model().index(0, 0)).center()
    asker.user.qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    asker.user.window.run("ask.class")
    asker.rest()
    assert window.navigator.place.view is View.ASK
    assert asker.tab.focus() == Variable(node.ref.label)
    # Only the shipped ontology knows what is below this class; all its things are found all the same.
    assert len(set(asker.cells(node.ref.label))) > 1
    assert not asker.tab.is_relaxing


def test_a_ready_question_is_built_on(asker: Asker) -> None:
    questions = asker.tab.questions
    number = questions.labels().index("AI models for a machine")
    view = questions.rows
    view.scrollTo(view.rows.index(number))
    asker.user.qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.rows.index(number)).center()
    )
    asker.rest()
    assert asker.tab.query().where.elements
    assert len(asker.tab.rows.rows) == 3


def test_a_row_is_described_and_followed(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "Cluster")
    table = asker.tab.rows.table
    index = table.model().index(0, 0)
    asker.user.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    asker.user.until(lambda: asker.user.reads == "lassen")
    assert asker.window.navigator.place.view is View.ASK


def test_the_question_stays_while_one_looks_elsewhere(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    generation = asker.controller.builder.generation
    asker.user.press("Ctrl+4")
    asker.user.rest()
    asker.user.press("Ctrl+5")
    asker.rest()
    assert asker.controller.builder.generation == generation
    assert len(asker.cells("AI_model")) == 3


def test_what_is_opened_besides_is_asked_too(asker: Asker, tmp_path: Path) -> None:
    asker.click(Facet.CLASSES, "AI model")
    more = tmp_path / "more.ttl"
    more.write_text(f"<http://example.org/new> a <{HPC}AIModel> .", encoding="utf-8")
    asker.window.open_sources([str(more)])
    asker.user.until(lambda: len(asker.tab.rows.rows) == 4)
    asker.rest()


def test_a_narrow_window_shows_one_list_at_a_time(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    asker.window.resize(800, 600)
    asker.window.run("view.inspector")
    asker.user.until(lambda: asker.tab.width() < 560)
    lists = asker.tab.facets.lists
    assert lists[Facet.PROPERTIES].isVisible()
    assert not lists[Facet.CLASSES].isVisible()
    asker.click(Facet.PROPERTIES, "target machine")
    assert len(asker.cells("target_machine")) == 3


def test_names_of_300_characters_are_cut_and_read_whole_on_hover(asker: Asker, tmp_path: Path) -> None:
    long = "A model of " + "very " * 60 + "long name"
    more = tmp_path / "long.ttl"
    more.write_text(
        f"<{HPC}LongModel> a <http://www.w3.org/2002/07/owl#Class> ; "
        f'<http://www.w3.org/2000/01/rdf-schema#label> "{long}" . <http://example.org/one> a <{HPC}LongModel> .',
        encoding="utf-8",
    )
    asker.window.open_sources([str(more)])
    asker.user.until(lambda: long in asker.labels(Facet.CLASSES))
    asker.rest()
    asker.click(Facet.CLASSES, long)
    assert asker.window.width() <= 1280
    assert len(asker.tab.rows.rows) == 1


def test_the_lists_have_the_names_that_scripts_look_for(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    for name in ("class-options", "property-options", "value-options", "match-options"):
        assert asker.tab.findChild(QAbstractItemView, name) is not None
    assert asker.tab.findChild(QToolButton, "ask-nothing") is None


def test_building_never_holds_up_the_window(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")  # what is made once is made
    run(asker, "edit.undo")
    with watched(asker.window.bridge.jobs) as watchdog:
        asker.click(Facet.CLASSES, "AI model")
        asker.click(Facet.PROPERTIES, "target machine")
        asker.click(Facet.PROPERTIES, "memory in the cluster")
    assert sorted(watchdog.work)[-2] < longest_here(), watchdog.work


def test_closing_everything_leaves_a_tab_to_begin_with(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    run(asker, "file.close_all")
    asker.user.until(lambda: asker.window.start_page.isVisible())
    asker.user.open_sample("xplacer")
    asker.user.press("Ctrl+5")
    asker.rest()
    assert len(asker.cells("AI_model")) == 3


def test_each_clicked_term_keeps_its_name(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    assert asker.controller.builder.name_of(NamedNode(f"{HPC}AIModel")) == "AI model"


def v100(asker: Asker) -> None:
    """GPUs of a name."""
    asker.click(Facet.CLASSES, "GPU")
    asker.click(Facet.PROPERTIES, "name", way="→")
    asker.click(Facet.VALUES, "Nvidia V100")


def piece(asker: Asker, words: str) -> PieceButton:
    """The first piece of the sentence with these words."""
    return next(button for button in asker.tab.sentence.buttons if words in button.piece.text)


def test_a_variable_of_the_sentence_becomes_the_focus(asker: Asker) -> None:
    v100(asker)
    assert "GPU" in asker.tab.sentence.text
    asker.user.click(piece(asker, "GPU"))
    asker.rest()
    assert asker.tab.focus() == Variable("GPU")
    assert ("←", "coprocessor") in {(row.way, row.label) for row in asker.rows(Facet.PROPERTIES)}


def test_a_condition_of_the_sentence_is_removed_by_its_menu(asker: Asker) -> None:
    v100(asker)
    asker.user.click(piece(asker, "Nvidia V100"))
    menu = popped_up(asker)
    assert asker.window.commands.by_id["ask.remove"].isEnabled()
    choose(asker, menu, "Remove condition")
    assert len(asker.cells("name")) == 2
    assert asker.window.commands.by_id["edit.undo"].text() == "Undo remove a condition"


def test_a_property_is_made_optional_afterwards_by_key_and_command(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "Project")
    asker.click(Facet.PROPERTIES, "funded by", way="→")
    rows = len(asker.cells("Project"))
    button = piece(asker, "funded by")
    button.setFocus()
    asker.user.press("Return", button)
    asker.rest()
    run(asker, "ask.optional")
    assert len(asker.cells("Project")) > rows
    assert asker.tab.query().where.elements


def test_another_property_may_stand_in_place_of_one(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "Project")
    asker.click(Facet.PROPERTIES, "funded by", way="→")
    rows = len(asker.cells("Project"))
    asker.user.click(piece(asker, "funded by"))
    asker.rest()
    run(asker, "ask.or")
    asker.click(Facet.PROPERTIES, "name", way="→")
    assert len(asker.cells("Project")) > rows
    assert asker.window.commands.by_id["edit.undo"].text() == "Undo or “name”"


def test_the_three_views_are_reached_by_click_and_key(asker: Asker) -> None:
    v100(asker)
    views = asker.tab.views
    asker.user.qtbot.mouseClick(views, Qt.MouseButton.LeftButton, pos=views.tabRect(1).center())
    assert asker.tab.view is AskView.PATTERN
    asker.rest()
    assert asker.tab.pattern.picture is not None
    asker.user.window.run("ask.sparql")
    assert asker.tab.view is AskView.SPARQL
    asker.user.window.run("ask.rows")
    assert asker.tab.view is AskView.ROWS


def test_of_many_found_things_the_first_are_drawn_and_the_others_are_offered(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    path = tmp_path / "many.ttl"
    path.write_text("\n".join(f"<urn:n:{number}> a <urn:x:Node> ." for number in range(205)))
    user.open_files([path])
    user.press("Ctrl+5")
    asker = Asker(user)
    asker.rest()
    asker.click(Facet.CLASSES, "Node")
    run(asker, "ask.draw")
    user.rest()
    assert len(window.features.graph.controller.view.nodes) == 200
    user.press("Ctrl+5")
    asker.rest()
    assert "200 of 205 drawn; Draw has the others." in asker.tab.rows.status
    draw = next(one for one in asker.tab.findChildren(QToolButton) if one.text() == "Draw")
    draw.menu().aboutToShow.emit()
    (column,) = draw.menu().actions()
    column.menu().actions()[1].trigger()
    user.rest()
    assert len(window.features.graph.controller.view.nodes) == 205


def test_what_was_found_is_drawn(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    run(asker, "ask.draw")
    asker.user.rest()
    assert asker.window.navigator.place.view is View.GRAPH
    assert len(asker.window.features.graph.controller.view.nodes) == 3


def test_a_question_is_saved_with_a_parameter_and_offered_where_it_fits(asker: Asker, tmp_path: Path) -> None:
    v100(asker)
    asker.user.window.run("ask.save")
    dialog = asker.user.dialog(SaveQuestionDialog)
    asker.user.until(lambda: not asker.window.is_busy)
    asker.user.type("GPUs of a name", dialog.title)
    # The value that was ticked in the list can be a parameter.
    row = [one.text(0) for one in map(dialog.blanks.topLevelItem, range(dialog.blanks.topLevelItemCount()))].index(
        "Nvidia V100"
    )
    box = dialog.blanks.visualRect(dialog.blanks.model().index(row, 0))
    box.setWidth(20)
    asker.user.qtbot.mouseClick(dialog.blanks.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    assert dialog.remark == "It will ask for: name."
    asker.user.click(dialog.save)
    asker.user.until(lambda: "GPUs of a name" in asker.tab.questions.labels())
    asker.rest()
    # It is offered only where its class and properties occur.
    other = tmp_path / "people.ttl"
    other.write_text("<urn:a> a <http://xmlns.com/foaf/0.1/Person> .")
    asker.window.run("file.close_all")
    asker.rest()
    asker.user.open_files([other])
    asker.rest()
    assert "GPUs of a name" not in asker.tab.questions.labels()


def test_a_double_click_is_one_step(asker: Asker) -> None:
    asker.click(Facet.CLASSES, "AI model")
    view = asker.tab.facets.lists[Facet.PROPERTIES].rows
    number = next(number for number, row in enumerate(view.rows.rows) if row.label == "target machine")
    place = view.visualRect(view.rows.index(number)).center()
    asker.user.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    query = asker.tab.query()
    asker.rest()  # other rows stand there by now
    asker.user.qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    asker.user.qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    asker.rest()
    assert view.indexAt(place).isValid()
    assert asker.tab.query() == query
    assert asker.tab.focus() == Variable("target_machine")
