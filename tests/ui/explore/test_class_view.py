"""The picture of the classes and their tree: what is done in one is seen in the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from hpc_explorer.app.explore.class_picture import ALONE, MOST_LINKS, every_class
from hpc_explorer.app.settings import Settings
from hpc_explorer.canvas.card import badge_places
from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.class_tree_model import IRI_ROLE
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.watchdog import longest_here, usual, watched
from tests.helpers.windows import User, open_window

HPC = "https://hpc-fair.github.io/ontology#"
LADDER = """
@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:B rdfs:subClassOf ex:A . ex:C rdfs:subClassOf ex:B . ex:D rdfs:subClassOf ex:B , ex:E . ex:E a owl:Class .
ex:Same a owl:Class ; rdfs:label "Twin" ; owl:equivalentClass ex:C . ex:c1 a ex:C .
ex:near a owl:ObjectProperty ; rdfs:domain ex:B ; rdfs:range ex:D . ex:b ex:near ex:d .
"""


def canvas(window: MainWindow) -> CanvasView:
    return window.pictures.canvases[View.CLASSES]


def card_labels(window: MainWindow) -> list[str]:
    return sorted(node.label for node in canvas(window).scene().nodes)


def rows(window: MainWindow) -> dict[str, list[QModelIndex]]:
    """The rows of the tree that are in sight, by label."""
    tree = window.browser.classes
    model = tree.model()
    found: dict[str, list[QModelIndex]] = {}
    work = [QModelIndex()]
    while work:
        parent = work.pop()
        for number in range(model.rowCount(parent)):
            index = model.index(number, 0, parent)
            found.setdefault(index.data(), []).append(index)
            if tree.isExpanded(index):
                work.append(index)
    return found


def click_row(user: User, label: str) -> None:
    tree = user.window.browser.classes
    place = tree.visualRect(rows(user.window)[label][0]).center()
    user.qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    user.rest()


def click_card(user: User, iri: str) -> None:
    view = canvas(user.window)
    rect = view.view_rect(iri)
    assert rect is not None
    user.qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(rect.x) + 24, round(rect.y) + 12))
    user.rest()


def mark_place(view: CanvasView, key: str, mark: str) -> QPoint:
    """Where the mark of a card is, in pixels."""
    node, rect = view.scene().node(key), view.view_rect(key)
    assert node is not None
    assert rect is not None
    scale = view.camera().scale
    corner = view.camera().to_scene(Point(rect.x, rect.y))
    card = Rect(corner.x, corner.y, rect.width / scale, rect.height / scale)
    place = view.camera().to_view(dict(badge_places(node, card))[mark].centre)
    return QPoint(round(place.x), round(place.y))


def click_mark(user: User, key: str, mark: str) -> None:
    view = canvas(user.window)
    user.qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=mark_place(view, key, mark))
    user.rest()


@pytest.fixture
def user(user: User) -> User:
    """At the class view."""
    user.press("Ctrl+4")
    return user


@pytest.fixture
def ladder(user: User, tmp_path: Path) -> User:
    """Four classes, one with two parents, all open."""
    path = tmp_path / "ladder.ttl"
    path.write_text(LADDER, encoding="utf-8")
    user.open_files([path])
    return user


def test_the_class_view_draws_what_the_tree_lists(user: User, window: MainWindow) -> None:
    user.open_sample()
    assert window.navigator.place.view is View.CLASSES
    assert window.pictures.tabs.tabText(window.pictures.tabs.currentIndex()) == "Classes"
    listed = {label for label, at in rows(window).items() if at}
    assert set(card_labels(window)) == listed
    counts = {node.ref.label: str(node.instances) for node in window.browser.classes.shown.found.values()}
    for node in canvas(window).scene().nodes:
        assert (node.caption or "").partition(" ")[0] == counts[node.label]


def test_a_class_chosen_in_the_tree_is_chosen_and_in_sight_in_the_picture(user: User, window: MainWindow) -> None:
    user.open_sample()
    click_row(user, "Dataset")
    assert canvas(window).selection.current == f"{HPC}Dataset"
    assert user.reads == "Dataset"
    rect = canvas(window).view_rect(f"{HPC}Dataset")
    assert rect is not None
    assert Rect(0, 0, canvas(window).width(), canvas(window).height()).contains(rect.centre)


def test_a_card_that_is_clicked_is_chosen_in_the_tree(user: User, window: MainWindow) -> None:
    user.open_sample()
    click_card(user, f"{HPC}Agent")
    current = window.browser.classes.current_class()
    assert current is not None
    assert current.ref.label == "Agent"
    assert window.browser.instances.isVisible()
    assert "Agent" in window.browser.instances.accessibleName()
    user.press("Right", canvas(window))
    user.rest()
    current = window.browser.classes.current_class()
    assert current is not None
    assert current.ref.iri == canvas(window).selection.current != f"{HPC}Agent"


def test_a_branch_closed_in_the_tree_is_closed_in_the_picture(ladder: User) -> None:
    window, tree = ladder.window, ladder.window.browser.classes
    assert card_labels(window) == ["A", "B", "C", "D", "E"]
    tree.setCurrentIndex(rows(window)["B"][0])
    ladder.rest()
    ladder.press("Left", tree)
    ladder.rest()
    assert card_labels(window) == ["A", "B", "D", "E"]
    node = canvas(window).scene().node("http://example.org/B")
    assert node is not None
    assert node.badges == ("+1",)
    ladder.press("Right", tree)
    ladder.rest()
    assert card_labels(window) == ["A", "B", "C", "D", "E"]


def test_a_click_on_the_mark_opens_the_branch_in_both_and_the_card_stays_where_it_is(ladder: User) -> None:
    window, view = ladder.window, canvas(ladder.window)
    click_mark(ladder, "http://example.org/A", "−")
    assert set(rows(window)) == {"A", "E", "D"}
    assert card_labels(window) == ["A", "D", "E"]
    assert view.selection.current is None  # a click on the mark is none on the card
    before = view.view_rect("http://example.org/A")
    click_mark(ladder, "http://example.org/A", "+2")
    assert card_labels(window) == ["A", "B", "C", "D", "E"]
    assert set(rows(window)) == {"A", "B", "C", "D", "E"}
    after = view.view_rect("http://example.org/A")
    assert before is not None
    assert after is not None
    assert (round(after.x), round(after.y)) == (round(before.x), round(before.y))


def test_a_class_with_two_parents_opens_at_both_places_and_is_marked_at_one(ladder: User) -> None:
    window = ladder.window
    places = rows(window)["D"]
    assert [index.parent().data() for index in places] in (["B", "E"], ["E", "B"])
    told = {index.parent().data(): index.data(Qt.ItemDataRole.AccessibleTextRole) for index in places}
    assert told == {"B": "D, 0 instances", "E": "D, 0 instances, drawn below B in the class view"}
    assert "Subclass of B, E" in places[0].data(Qt.ItemDataRole.ToolTipRole)
    assert card_labels(window).count("D") == 1


def test_the_filter_and_the_funnel_narrow_both(ladder: User) -> None:
    window = ladder.window
    ladder.qtbot.keyClicks(window.browser.filter, "c")
    ladder.until(lambda: card_labels(window) == ["A", "B", "C"])
    ladder.rest()
    assert set(rows(window)) == {"A", "B", "C"}
    ladder.press("Escape", window.browser.filter)
    ladder.until(lambda: len(card_labels(window)) == 5)
    ladder.window.run("view.only_used")
    ladder.rest()
    assert set(card_labels(window)) == set(rows(window)) == {"A", "B", "C"}
    window.browser.filter.setText("zebra")
    ladder.rest()
    assert canvas(window).scene().nodes == ()
    assert "Clear it" in canvas(window).scene().empty_text


def test_merged_classes_are_one_card_with_both_names(ladder: User) -> None:
    window = ladder.window
    node = canvas(window).scene().node("http://example.org/C")
    assert node is not None
    assert "=" in node.badges
    assert "Twin" in node.tooltip
    assert "Twin" in rows(window)["C"][0].data(Qt.ItemDataRole.ToolTipRole)
    click_card(ladder, "http://example.org/C")
    view = window.inspector.view
    assert view is not None
    said = {value.text for one in (*view.outgoing, *view.incoming) for value in one.values}
    assert (ladder.reads, "Twin" in said) == ("C", True)
    ladder.search("Twin")  # the other name leads to the same card
    assert window.navigator.place.view is View.CLASSES
    assert (canvas(window).selection.current, ladder.reads) == ("http://example.org/C", "Twin")


def test_branches_are_opened_and_closed_by_keys_and_all_at_once(ladder: User) -> None:
    window = ladder.window
    click_card(ladder, "http://example.org/A")
    ladder.window.run("classes.branch")
    ladder.rest()
    assert card_labels(window) == ["A", "D", "E"]
    ladder.click(ladder.button("Close all branches"))
    ladder.rest()
    assert card_labels(window) == ["A", "E"]
    assert window.pictures.summary == "2 of 5 classes"
    ladder.click(ladder.button("Open all branches"))
    ladder.rest()
    assert window.pictures.summary == "5 classes"
    assert set(rows(window)) == {"A", "B", "C", "D", "E"}


def test_properties_and_instances_are_switched_on_and_off(ladder: User) -> None:
    window = ladder.window

    def said() -> set[str]:
        return {edge.label for edge in canvas(window).scene().edges}

    assert not window.commands.by_id["classes.instances"].isEnabled()
    ladder.click(ladder.button("Properties between classes"))
    ladder.rest()
    assert said() == {"", "near · 1"}
    assert window.pictures.summary == "5 classes  ·  1 link by properties"
    click_card(ladder, "http://example.org/C")
    ladder.click(ladder.button("Instances beside the class"))
    ladder.rest()
    assert "instance of" in said()
    assert window.commands.by_id["classes.instances"].isChecked()
    click_card(ladder, "http://example.org/c1")
    assert ladder.reads == "c1"
    click_card(ladder, "http://example.org/C")
    ladder.window.run("classes.instances")
    ladder.window.run("classes.properties")
    ladder.rest()
    assert said() == {""}


def test_what_is_switched_on_and_off_is_kept_for_the_next_start(
    ladder: User, qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    window = ladder.window
    click_card(ladder, "http://example.org/C")
    window.run("classes.instances")
    window.run("classes.properties")
    window.run("classes.inferred")
    ladder.rest()
    # A filter that leaves the class out is no wish to have it without its instances.
    ladder.qtbot.keyClicks(window.browser.filter, "E")
    ladder.rest()
    window.quit_now()
    again = open_window(qapp, qtbot, Settings.load())
    user = User(qtbot, again)
    user.press("Ctrl+4", again)
    user.open_files([tmp_path / "ladder.ttl"])
    user.rest()
    click_card(user, "http://example.org/C")
    for command, is_on in (("classes.instances", True), ("classes.properties", True), ("classes.inferred", False)):
        assert again.commands.by_id[command].isChecked() is is_on, command
    assert {edge.label for edge in canvas(again).scene().edges} == {"", "near · 1", "instance of"}


def test_a_place_by_inference_is_dashed_and_can_be_left_out(user: User, tmp_path: Path) -> None:
    window = user.window
    path = tmp_path / "inferred.nq"
    sub = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    path.write_text(
        f"<http://example.org/B> {sub} <http://example.org/A> .\n<http://example.org/D> {sub} <http://example.org/E> .\n"
        f"<http://example.org/B> {sub} <http://example.org/E> <urn:hpc-explorer:inferred> .\n",
        encoding="utf-8",
    )
    user.open_files([path])
    assert {edge.origin for edge in canvas(window).scene().edges} == {"asserted", "inferred"}
    assert "1 place by inference, dashed" in window.pictures.summary
    assert {index.parent().data() for index in rows(window)["B"]} == {"A", "E"}
    user.click(user.button("Inferred places of classes"))
    user.rest()
    assert {edge.origin for edge in canvas(window).scene().edges} == {"asserted"}
    assert [index.parent().data() for index in rows(window)["B"]] == ["A"]
    assert not window.commands.by_id["classes.inferred"].isChecked()


def test_the_mark_says_what_it_does(ladder: User) -> None:
    view = canvas(ladder.window)
    click_mark(ladder, "http://example.org/A", "−")
    place = mark_place(view, "http://example.org/A", "+2")
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    assert QToolTip.text() == "Open 2 classes below A"
    QToolTip.hideText()


def test_many_classes_by_themselves_are_opened_from_the_picture_and_from_the_tree(user: User, tmp_path: Path) -> None:
    window = user.window
    path = tmp_path / "alone.ttl"
    classes = " ".join(f"<urn:z{number:02}> a <http://www.w3.org/2002/07/owl#Class> ." for number in range(30))
    path.write_text(classes, encoding="utf-8")
    user.open_files([path])
    assert [node.key for node in canvas(window).scene().nodes] == [ALONE]
    click_mark(user, ALONE, "+30")
    assert len(canvas(window).scene().nodes) == 31
    click_mark(user, ALONE, "−")
    assert len(canvas(window).scene().nodes) == 1
    label, (row,) = list(rows(window).items())[3]
    click_row(user, label)
    assert canvas(window).selection.current == row.data(IRI_ROLE)


def test_back_and_forth_between_the_pictures_keeps_the_view(user: User, window: MainWindow) -> None:
    user.open_sample()
    click_card(user, f"{HPC}Agent")
    camera = canvas(window).camera()
    user.press("Ctrl+1")
    user.rest()
    assert window.navigator.place.view is View.EXPLORE
    assert user.reads == "Agent"
    user.press("Ctrl+4")
    user.rest()
    assert canvas(window).camera() == camera


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Brick-1.4.ttl", "EDAM_1.25.owl"])
def test_a_large_ontology_opens_at_once_and_leaves_the_window_free(
    user: User, window: MainWindow, shared_data: Callable[[str], Path], name: str
) -> None:
    user.open_files([shared_data(f"ontologies/large/{name}")])
    if window.commands.by_id["view.only_used"].isChecked():
        user.window.run("view.only_used")
    user.rest()
    nodes = canvas(window).scene().nodes
    assert 20 <= len(nodes) <= 60
    with watched(window.bridge.jobs) as opening:
        window.run("classes.open_all")
        user.rest()
    assert len(canvas(window).scene().nodes) > 1600
    assert sum(map(len, rows(window).values())) > 4000
    assert usual(opening.work) < longest_here(), sorted(opening.work)[-5:]
    with watched(window.bridge.jobs) as filtering:
        user.qtbot.keyClicks(window.browser.filter, "sen")
        user.rest()
    assert 0 < len(canvas(window).scene().nodes) < 1600
    assert {node.key for node in canvas(window).scene().nodes} - {ALONE} == set(window.browser.classes.shown.found)
    assert usual(filtering.work) < longest_here(), sorted(filtering.work)[-5:]


def test_of_too_many_properties_those_of_the_chosen_class_are_drawn(user: User, tmp_path: Path) -> None:
    window = user.window
    path = tmp_path / "many.ttl"
    owl, rdfs = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#"
    path.write_text(
        f"@prefix ex: <http://example.org/> . @prefix owl: <{owl}> . @prefix rdfs: <{rdfs}> ."
        "ex:A a owl:Class . ex:B a owl:Class ."
        + " ".join(
            f"ex:p{number} a owl:ObjectProperty ; rdfs:domain ex:A ; rdfs:range ex:{'AB'[number < 3]} ."
            for number in range(MOST_LINKS + 1)
        ),
        encoding="utf-8",
    )
    user.open_files([path])
    user.window.run("classes.properties")
    user.rest()
    assert "61 more are too many to draw" in window.pictures.summary
    before = canvas(window).view_rect("http://example.org/B")
    click_card(user, "http://example.org/B")
    assert "3 links by properties of the chosen class; 58 more" in window.pictures.summary
    assert len(canvas(window).scene().edges) == 3
    assert canvas(window).view_rect("http://example.org/B") == before


def test_hidden_classes_are_counted_and_shown_by_a_click(ladder: User) -> None:
    browser = ladder.window.browser
    assert not browser.hidden.isVisible()
    ladder.window.run("view.only_used")
    ladder.rest()
    assert "E" not in rows(ladder.window)
    hidden = browser.hidden.text()
    every = {node.ref.iri for node in every_class(browser.classes.all_classes).values()}
    shown = set(browser.classes.shown.found)
    assert hidden == f"{len(every - shown)} without instances are hidden: show"
    ladder.click(browser.hidden)
    ladder.rest()
    assert "E" in rows(ladder.window)
    assert not browser.hidden.isVisible()


def test_the_filter_counts_hidden_classes_that_match_and_shows_them_by_a_click(ladder: User) -> None:
    browser = ladder.window.browser
    ladder.window.run("view.only_used")
    ladder.rest()
    ladder.click(browser.filter)
    ladder.type("e", browser.filter)
    ladder.rest()
    assert "E" not in rows(ladder.window)
    assert browser.hidden.text().endswith(" without instances match and are hidden: show")
    ladder.click(browser.hidden)
    ladder.rest()
    assert "E" in rows(ladder.window)


def test_the_search_reveals_a_hidden_class(ladder: User) -> None:
    window = ladder.window
    window.run("view.only_used")
    ladder.rest()
    assert "E" not in rows(window)
    ladder.search("http://example.org/E")
    assert window.navigator.place.view is View.CLASSES
    assert ladder.reads == "E"
    assert "E" in rows(window)
    assert not window.commands.by_id["view.only_used"].isChecked()
