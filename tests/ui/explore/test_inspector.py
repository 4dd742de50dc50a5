"""The inspector: what it says of a resource, and the links in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.widgets.chip import Chip
from hpc_explorer.ui.widgets.text import LONGEST, LinkBlock, TextBlock, shortened
from hpc_explorer.ui.window.dialogs import ValuesDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

RUN = "http://example.org/run"

GRAPH = f"""
@prefix : <http://example.org/> . @prefix schema: <http://schema.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:run a :Run ; schema:name "A run", "Ein Lauf"@de ; rdfs:comment "It ran." ; schema:size 1234567 ;
    :settings [ :threads 16 ; :deeper [ :flag true ; :deepest [ :end "here" ] ] ] ;
    :input {", ".join(f":in{number}" for number in range(8))} ; :text "{"long " * 2000}" .
{"".join(f":part{number:03} :partOf :run ." for number in range(120))}
"""


@pytest.fixture
def run(window: MainWindow, user: User, tmp_path: Path) -> User:
    """Somebody who looks at a run."""
    path = tmp_path / "run.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    user.open_files([path])
    window.navigator.open(NamedNode(RUN))
    user.rest()
    return user


def texts(window: MainWindow) -> list[str]:
    return [block.text() for block in window.inspector.findChildren(TextBlock) if block.isVisible()]


def links(window: MainWindow) -> dict[str, LinkBlock]:
    return {link.text(): link for link in window.inspector.findChildren(LinkBlock) if link.isVisible()}


def test_names_numbers_languages_and_nested_values_are_shown(run: User) -> None:
    shown = texts(run.window)
    assert shown[0] == "A run"
    assert "1,234,567" in shown
    assert any(text.startswith("Ein Lauf") and "de" in text for text in shown)
    assert {"16", "true", "here"} <= set(shown)
    assert [chip.text() for chip in run.window.inspector.findChildren(Chip)] == ["Run"]
    assert shown.count("It ran.") == 1


def test_a_long_text_is_cut_off_and_says_how_long_it_is(run: User) -> None:
    (text,) = (text for text in texts(run.window) if text.startswith("long long"))
    assert len(text) < LONGEST + 50
    assert text.endswith("(10,000 characters)")


def test_every_value_says_where_it_is_stated(run: User) -> None:
    (value,) = (block for block in run.window.inspector.findChildren(TextBlock) if block.text() == "1,234,567")
    assert value.toolTip() == "Stated in run.ttl"
    assert links(run.window)["in0"].toolTip() == "http://example.org/in0\nStated in run.ttl"


def test_a_link_is_followed_by_mouse_and_keyboard_and_back(run: User) -> None:
    run.click(links(run.window)["in0"])
    run.rest()
    assert run.reads == "in0"
    run.press("Alt+Left", run.window)
    run.rest()
    assert run.reads == "A run"
    link = links(run.window)["in1"]
    link.setFocus(Qt.FocusReason.TabFocusReason)
    run.press("Return", link)
    run.rest()
    assert run.reads == "in1"


def test_a_class_is_opened_by_its_chip(run: User) -> None:
    (chip,) = run.window.inspector.findChildren(Chip)
    chip.setFocus(Qt.FocusReason.TabFocusReason)
    run.press("Space", chip)
    run.rest()
    assert run.reads == "Run"


def test_some_more_values_unfold_in_place(run: User) -> None:
    assert "in7" not in links(run.window)
    run.click(run.button("Show all 8 of input"))
    run.rest()
    assert "in7" in links(run.window)
    assert "Show all 8" not in links(run.window)


def test_many_links_open_in_a_list_with_a_filter(run: User) -> None:
    button = links(run.window)["Show all 120"]
    run.window.inspector.ensureWidgetVisible(button)
    run.click(button)
    dialog = run.dialog(ValuesDialog)
    assert dialog.list.rows.rowCount() == 120
    run.type("part 119", dialog.filter)
    assert [dialog.list.rows.index(row).data() for row in range(dialog.list.rows.rowCount())] == ["part119"]
    run.press("Down", dialog.filter)
    assert QApplication.focusWidget() is dialog.list
    run.press("Return", dialog.list)
    run.rest()
    assert run.reads == "part119"


def test_a_stack_in_the_picture_opens_the_same_list(run: User) -> None:
    canvas = run.window.pictures.canvas
    stack = next(node for node in canvas.scene().nodes if node.group)
    assert "more" in stack.label
    canvas.node_activated.emit(stack.key)
    dialog = run.dialog(ValuesDialog)
    assert dialog.list.rows.rowCount() == 120
    run.close(dialog)


def test_a_narrow_inspector_cuts_nothing_off(run: User) -> None:
    inspector = run.window.inspector
    assert inspector.widget().width() <= inspector.viewport().width()


def test_with_nothing_chosen_it_says_what_it_is_for(window: MainWindow, user: User) -> None:
    user.open_sample("nsf")
    assert texts(window)[0] == "Nothing chosen"


def test_words_are_shortened_only_where_they_are_too_long() -> None:
    assert shortened("short") == "short"
    assert brief("abcdef", 6) == "abcdef"
    assert brief("abcdefg", 6) == "abcde…"
