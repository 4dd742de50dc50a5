"""The home page of a graph, by clicks and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.app.query.facet_lists import Facet
from hpc_explorer.app.settings import Settings
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.forms.remove_dialog import RemoveDialog
from hpc_explorer.ui.home.page import HomePage
from hpc_explorer.ui.questions.dialog import QuestionDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User, open_window


@pytest.fixture
def home(user: User) -> HomePage:
    user.open_sample()
    return user.window.pictures.home


def listed(home: HomePage) -> dict[str, str]:
    """The classes with their counts."""
    rows = home.classes.rows
    found = [rows.row_at(rows.index(number)) for number in range(rows.rowCount())]
    return {row.label: row.second for row in found if row is not None}


def choose_class(user: User, home: HomePage, name: str) -> None:
    index = home.classes.rows.index(list(listed(home)).index(name))
    home.classes.scrollTo(index)
    place = home.classes.visualRect(index).center()
    user.qtbot.mouseClick(home.classes.viewport(), Qt.MouseButton.LeftButton, pos=place)
    user.rest()


def names(home: HomePage) -> list[str]:
    return [home.table.rows.text(row, 0) for row in range(home.table.rows.rowCount())]


def click_row(user: User, home: HomePage, row: int, column: int = 0) -> None:
    place = home.table.visualRect(home.table.rows.index(row, column)).center()
    user.qtbot.mouseClick(home.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    user.rest()


def test_what_is_open_begins_at_home_with_counted_classes(home: HomePage, window: MainWindow) -> None:
    assert window.navigator.place.view is View.HOME
    assert home.isVisible()
    assert listed(home)["Dataset"] == "17"
    tree = {node.ref.label: str(node.instances) for node in window.browser.classes.shown.found.values()}
    assert {name: tree[name] for name in listed(home)} == listed(home)
    assert (home.title, names(home)[:2]) == ("AI model", ["decisionTree-p100.onnx", "decisionTree.onnx"])


def test_a_class_is_a_table_that_is_sorted_filtered_and_leads_to_a_page(
    home: HomePage, window: MainWindow, user: User
) -> None:
    choose_class(user, home, "Dataset")
    assert (home.title, home.table.rows.rowCount()) == ("Dataset", 17)
    assert home.status.startswith("17 rows  ·  8 of ")
    header = home.table.horizontalHeader()
    for _ in range(2):  # from Z to A
        at = QPoint(header.sectionViewportPosition(0) + 40, header.height() // 2)
        user.qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        user.rest()
    assert names(home) == sorted(names(home), key=str.casefold, reverse=True)
    user.press("Ctrl+F", home.table)
    user.type("hotspot")
    user.until(lambda: " found in 17 rows" in home.status)
    columns = range(home.table.rows.columnCount())
    found = [[home.table.rows.text(row, column) for column in columns] for row in range(home.table.rows.rowCount())]
    assert 0 < len(found) < 17
    assert all(any("hotspot" in text.casefold() for text in row) for row in found)
    wanted = names(home)[0]
    click_row(user, home, 0, 1)
    assert (window.navigator.place.view, user.reads) == (View.EXPLORE, wanted)
    assert window.pictures.title.text == f"{wanted} · {window.inspector.view.types[0].label}"  # type: ignore[union-attr]  # it is shown
    user.click(user.button("Home"))
    user.rest()
    assert home.isVisible()
    assert home.recent.links[0].text() == wanted
    user.click(home.recent.links[0])
    user.rest()
    assert user.reads == wanted


def test_the_table_that_is_being_loaded_is_named(home: HomePage, user: User) -> None:
    index = home.classes.rows.index(list(listed(home)).index("Dataset"))
    home.classes.scrollTo(index)
    place = home.classes.visualRect(index).center()
    user.qtbot.mouseClick(home.classes.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert home.status == "Loading the table: Dataset …"
    user.rest()
    assert (home.title, home.status.partition("  ·  ")[0]) == ("Dataset", "17 rows")


def test_the_keyboard_alone_leads_from_the_classes_to_a_page(home: HomePage, window: MainWindow, user: User) -> None:
    home.front.setFocus()
    user.press("Down", home.classes)
    user.press("Return", home.classes)
    user.rest()
    assert home.title == list(listed(home))[1]
    user.press("F6", home.classes)
    assert home.table.hasFocus()
    user.press("Down", home.table)
    user.press("Return", home.table)
    user.rest()
    assert window.navigator.place.view is View.EXPLORE


def test_questions_are_offered(home: HomePage, user: User) -> None:
    user.click(home.questions.links[0])
    user.rest()
    user.close(user.dialog(QuestionDialog))
    assert not home.unsaved.isVisible()


def test_a_form_that_is_not_saved_is_offered_and_where_its_resource_is_opened(
    home: HomePage, window: MainWindow, user: User
) -> None:
    window.navigator.open(NamedNode(MODEL))
    user.rest()
    user.press("Ctrl+E")
    user.rest()
    user.press("Space")
    user.until(lambda: window.features.form.can_type)
    user.rest()
    row = window.features.form.page.fields.bring(HPC.modelFormat)
    assert row is not None
    row.entries_shown[0].lines[0].setFocus()
    user.press("Ctrl+A")
    user.type("PMML")
    user.rest()
    user.click(user.button("Home"))
    user.rest()
    assert [link.text() for link in home.unsaved.links] == ["decisionTree.onnx"]
    user.click(home.unsaved.links[0])
    user.until(lambda: window.features.form.is_typed)
    user.rest()
    assert window.navigator.place.view is View.EDIT
    user.click(user.button("Home"))
    user.rest()
    window.navigator.open(NamedNode(MODEL))
    window.navigator.show_view(View.EDIT)
    user.rest()
    row = window.features.form.page.fields.bring(HPC.modelFormat)
    assert row is not None
    assert row.entries[0].text == "PMML"


def test_an_unknown_graph_lists_its_largest_classes_first(window: MainWindow, user: User, tmp_path: Path) -> None:
    path = tmp_path / "unknown.nt"
    sizes = {"Sparrow": 2, "Oak": 9, "Hill": 5}
    lines = [
        f"<urn:x:{name}{n}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/{name}> ."
        for name, number in sizes.items()
        for n in range(number)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    user.open_files([path])
    home = window.pictures.home
    assert list(listed(home).items()) == [("Oak", "9"), ("Hill", "5"), ("Sparrow", "2")]
    assert (home.title, home.table.rows.rowCount()) == ("Oak", 9)


def test_five_hundred_computers_are_as_many_rows_with_their_columns(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    path = tmp_path / "computers.ttl"
    lines = ["@prefix hpc: <https://hpc-fair.github.io/ontology#> .", "@prefix ex: <http://example.org/> ."]
    lines += [
        f'ex:c{n} a hpc:Cluster ; hpc:name "node {n:03}" ; ex:cores {n} ; ex:memory "{n} GB" .' for n in range(500)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    user.open_files([path])
    home = window.pictures.home
    rows = home.table.rows
    assert (listed(home), home.status) == ({"Cluster": "500"}, "500 rows")
    heads = [rows.headerData(column, Qt.Orientation.Horizontal) for column in range(rows.columnCount())]
    assert [str(head) for head in heads[1:]] == ["cores", "memory"]
    assert rows.rowCount() == 500


def test_an_empty_file_is_an_empty_graph(window: MainWindow, user: User, tmp_path: Path) -> None:
    path = tmp_path / "empty.ttl"
    path.touch()
    user.open_files([path])
    assert not window.banner.isVisible()
    assert window.features.overview.size_label.text() == "0 triples"
    home = window.pictures.home
    assert home.status == "This graph is empty."
    assert not home.classes.isVisible()
    home.unsaved.show_links([("a form", "", "", lambda: None)])
    assert home.unsaved.isVisible()


def test_all_columns_and_all_questions_are_one_click_away(home: HomePage, user: User) -> None:
    user.click(user.button("All 25 columns"))
    user.rest()
    assert (home.status, home.table.rows.columnCount()) == ("3 rows", 26)
    user.click(user.button("All 25 columns"))
    user.rest()
    assert home.status == "3 rows  ·  8 of 25 properties as columns"
    rest = home.questions.links[-1]
    assert rest.text().endswith(" more")
    number = len(home.questions.links) - 1 + int(rest.text().split()[0])
    user.qtbot.mouseClick(rest, Qt.MouseButton.LeftButton)
    assert len(home.questions.links) == number


def test_all_counts_in_sight_are_of_the_same_state_after_a_change_and_its_undo(
    home: HomePage, window: MainWindow, user: User
) -> None:
    model = NamedNode(MODEL)

    def counts() -> tuple[str, ...]:
        user.press("Ctrl+5")
        user.rest()
        user.until(window.features.ask.is_settled)
        asked = {row.label: row.count for row in window.features.ask.tab.facets.lists[Facet.CLASSES].rows.rows.rows}
        window.navigator.show_view(View.HOME)
        user.rest()
        tree = {node.ref.label: str(node.instances) for node in window.browser.classes.shown.found.values()}
        return listed(home)["AI model"], tree["AI model"], asked["AI model"], str(home.table.rows.rowCount())

    size = window.features.overview.size_label
    before, triples = counts(), size.text()
    assert before == ("3",) * 4
    window.navigator.open(model)
    window.navigator.edit(model)
    user.rest()
    window.run("edit.remove")
    user.click(user.dialog(RemoveDialog).remove)
    user.until(lambda: size.text() != triples)
    user.rest()
    assert counts() == ("2",) * 4
    user.press("Ctrl+Z", window)
    user.until(lambda: size.text() == triples)
    user.rest()
    assert counts() == before


def test_counts_follow_an_edit_and_the_table_too(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.open_sample()
    more = tmp_path / "more.ttl"
    more.write_text("<http://example.org/x> a <https://hpc-fair.github.io/ontology#AIModel> .", encoding="utf-8")
    user.open_files([more])
    home = window.pictures.home
    assert (listed(home)["AI model"], home.table.rows.rowCount()) == ("4", 4)


def test_more_rows_than_at_first_are_offered(window: MainWindow, user: User, tmp_path: Path) -> None:
    path = tmp_path / "many.ttl"
    lines = (f"<http://example.org/{n}> a <http://example.org/Node> ." for n in range(1_200))
    path.write_text("\n".join(lines), encoding="utf-8")
    user.open_files([path])
    home = window.pictures.home
    assert home.status == "the first 1,000 of 1,200 rows"
    user.click(user.button("Load up to 10,000"))
    user.rest()
    assert (home.status, home.table.rows.rowCount()) == ("1,200 rows", 1_200)


def test_the_drawers_are_closed_at_home_until_they_are_opened(
    qapp: QApplication, qtbot: QtBot, window: MainWindow
) -> None:
    fresh = open_window(qapp, qtbot, Settings())
    user = User(qtbot, fresh)
    user.open_sample()
    assert not fresh.browser.isVisible()
    assert not fresh.inspector.isVisible()
    user.search("decisionTree")
    assert fresh.inspector.isVisible()
    assert not fresh.browser.isVisible()
    user.click(user.button("Graph"))
    user.rest()
    assert fresh.browser.isVisible()
    user.click(user.button("Close the drawer Questions"))
    assert not fresh.browser.questions.isVisible()
    fresh.run("view.reset_layout")
    assert fresh.browser.questions.isVisible()
    user.click(user.button("Home"))
    assert not fresh.browser.isVisible()
    fresh.close()


def test_a_graph_without_classes_lists_its_resources_by_property(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    path = tmp_path / "triples.nt"
    knows = [f"<http://example.org/p{n}> <http://example.org/knows> <http://example.org/p{n + 1}> ." for n in range(3)]
    path.write_text("\n".join([*knows, '<http://example.org/p9> <http://example.org/age> "7" .']), encoding="utf-8")
    user.open_files([path])
    home = window.pictures.home
    assert listed(home) == {"knows": "3", "age": "1"}
    assert (home.title, names(home), home.status) == ("Resources with “knows”", ["p0", "p1", "p2"], "3 rows")
    choose_class(user, home, "age")
    assert names(home) == ["p9"]
    click_row(user, home, 0)
    assert (window.navigator.place.view, user.reads) == (View.EXPLORE, "p9")
    user.click(user.button("Home"))
    user.rest()
    assert home.recent.links[0].text() == "p9"


def test_resources_without_a_class_are_counted_and_listed_beside_the_classes(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    path = tmp_path / "partly.ttl"
    lines = ["@prefix ex: <http://example.org/> .", "ex:oak a ex:Tree ; ex:tags ( 1 2 3 ) ."]
    lines += [f'ex:n{n} ex:text "Note {n}" ; ex:about ex:oak .' for n in range(3)]
    path.write_text("\n".join([*lines, "ex:odd a [] ."]), encoding="utf-8")
    user.open_files([path])
    home = window.pictures.home
    user.until(lambda: len(listed(home)) == 2)
    # The cells of the list are no resources; a class without a name is not among the classes.
    assert listed(home) == {"Tree": "1", "Without a class": "4"}
    choose_class(user, home, "Without a class")
    assert (home.title, home.status) == ("Without a class", "4 rows")
    assert names(home) == ["n0", "n1", "n2", "odd"]
    click_row(user, home, 0)
    assert user.reads == "n0"
    user.click(user.button("Home"))
    user.rest()
    more = tmp_path / "more.nt"
    types = [f"<http://example.org/{name}> a <http://example.org/Note> ." for name in ("n0", "n1", "n2", "odd")]
    more.write_text("\n".join(types).replace(" a ", " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "))
    user.open_files([more])
    user.until(lambda: listed(home) == {"Note": "4", "Tree": "1"})
    assert home.title == "Note"


def test_the_table_is_shown_again_for_another_graph_of_the_same_class_and_columns(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        path = tmp_path / f"{name}.ttl"
        path.write_text(f"@prefix ex: <http://example.org/> . ex:{name} a ex:Tree ; ex:height 7 .", encoding="utf-8")
        window.run("file.close_all")
        user.rest()
        user.open_files([path])
        assert window.pictures.home.table.isVisible()
        assert names(window.pictures.home) == [name]
