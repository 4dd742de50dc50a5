"""What is long is listed a piece at a time, and is all there in the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.app.forms.offers import Proposal
from hpc_explorer.app.forms.views import Alike, ClassChoice
from hpc_explorer.app.imports.table_preview import preview_table
from hpc_explorer.app.results.answer import Answer, AnswerLine, AnswerText
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import Count
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.changes import history_dialog
from hpc_explorer.ui.changes.history_dialog import HistoryDialog
from hpc_explorer.ui.explore.browser import explained
from hpc_explorer.ui.forms.describe_dialog import DescribeDialog
from hpc_explorer.ui.forms.remove_dialog import RemoveDialog
from hpc_explorer.ui.imports import column_list
from hpc_explorer.ui.imports import preview as table_preview
from hpc_explorer.ui.imports.wizard import TableWizard
from hpc_explorer.ui.results.answer_tab import AnswerTab
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import User


def turtle_of(wizard: TableWizard, file: Path) -> list[str]:
    """The lines of all that the preview says in Turtle."""
    assert wizard.mapping is not None
    return preview_table(file, wizard.mapping, {}).turtle.splitlines()


def test_columns_of_a_wide_table(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(column_list, "LISTED_AT_ONCE", 40)
    monkeypatch.setattr(table_preview, "CHARACTERS_SHOWN", 1_000)
    names = [f"c{number}" for number in range(300)]
    file = tmp_path / "wide.csv"
    file.write_text(",".join(names) + "\n" + ",".join(str(number) for number in range(300)) + "\n")
    user.open_files([file])
    wizard = user.dialog(TableWizard)
    user.until(lambda: not wizard.is_waiting and not window.is_busy)
    listed = wizard.columns
    assert [listed.topLevelItem(place).text(0) for place in range(listed.topLevelItemCount())] == names  # type: ignore[union-attr]
    row = wizard.preview.statements.topLevelItem(0)
    assert row is not None
    said = [row.child(place).text(1) for place in range(row.childCount())]  # type: ignore[union-attr]
    assert len(said) == 201
    assert said[-1] == "and 101 more statements"  # its class, and 300 values
    turtle = wizard.preview.turtle.toPlainText().splitlines()
    whole = turtle_of(wizard, file)
    assert turtle[-1] == f"# … and {len(whole) - len(turtle) + 1:,} more lines, not shown here"
    assert turtle[:-1] == whole[: len(turtle) - 1]
    assert wizard.mapping is not None
    listed.show_columns(names, wizard.mapping)
    assert listed.is_listing
    assert listed.topLevelItemCount() == 40
    listed.choose(290)
    assert listed.column == "c290"
    listed.mark_faults(frozenset({"c1", "c299"}), wizard.mapping)
    user.until(lambda: not listed.is_listing)
    colours = [listed.topLevelItem(place).foreground(2).color().name() for place in (1, 2, 299)]  # type: ignore[union-attr]
    assert colours[0] == colours[2] != colours[1]
    listed.mark_faults(frozenset(), wizard.mapping)
    assert listed.topLevelItem(1).foreground(2).color().name() == colours[1]  # type: ignore[union-attr]
    listed.show_columns([], wizard.mapping)
    assert not listed.is_listing


def test_what_is_stated_of_a_resource(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_dialog, "LISTED_AT_ONCE", 10)
    file = tmp_path / "notes.ttl"
    notes = "".join(f'<{ex("a").value}> <{ex("note").value}> "note {number:02}" .\n' for number in range(45))
    file.write_text(notes)
    user.open_files([file])
    window.navigator.open(ex("a"))
    user.rest()
    window.run("resource.where_from")
    dialog = user.dialog(HistoryDialog)
    QCoreApplication.processEvents()
    user.until(lambda: dialog.values.topLevelItemCount() == 45)
    texts = [dialog.values.topLevelItem(place).text(1) for place in range(45)]  # type: ignore[union-attr]
    assert sorted(texts) == [f"note {number:02}" for number in range(45)]
    user.close(dialog)


def test_the_search_and_the_overview_say_how_many_there_are(window: MainWindow, user: User, tmp_path: Path) -> None:
    file = tmp_path / "many.ttl"
    part, name = "<http://example.org/part>", "<http://www.w3.org/2000/01/rdf-schema#label>"
    things = [f"<http://example.org/thing{n}>" for n in range(450)]
    file.write_text("\n".join(f'<{ex("hub").value}> {part} {one} . {one} {name} "thing" .' for one in things))
    user.open_files([file])
    user.press("Ctrl+K")
    user.type("thing")
    user.until(lambda: window.search.is_suggesting)
    assert window.search.popup.remark.text() == "50 of 450"
    user.press("Escape")
    window.navigator.open(ex("hub"))
    user.rest()
    scene = window.pictures.canvas.scene()
    (rest,) = (node for node in scene.nodes if node.group)
    drawn = len(scene.nodes) - 2  # without the hub and the rest
    assert rest.label == f"… and {450 - drawn:,} more"


def words_in(widget: QWidget) -> list[str]:
    return [block.text() for block in widget.findChildren(TextBlock) if not block.isHidden()]


def test_the_menu_of_a_lineage_and_what_links_to_a_removed_resource_count_the_rest(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    file = tmp_path / "raw.ttl"
    files = "\n".join(
        f"ex:f{n} a ex:Raw . ex:model prov:wasDerivedFrom ex:f{n} . ex:f{n} ex:of ex:set ." for n in range(230)
    )
    file.write_text(f"@prefix ex: <http://example.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .\n{files}")
    user.open_files([file])
    window.navigator.trace(ex("model"), downstream=False)
    user.rest()
    (button,) = (one for one in window.pictures.lineage.contents.buttons if one.text().endswith("× Raw"))
    menu = button.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    entries = menu.actions()
    assert (len(entries), entries[-1].text()) == (201, "30 more: use the search")
    window.run("edit.start")
    user.rest()
    window.navigator.open(ex("set"))
    user.rest()
    window.run("edit.remove")
    dialog = user.dialog(RemoveDialog)
    assert "and 222 more" in words_in(dialog)
    user.close(dialog)


def test_answers_and_similar_resources_count_what_is_not_shown(qtbot: QtBot) -> None:
    tab = AnswerTab(CanvasView(), ())
    qtbot.addWidget(tab)
    tab.show_answer(Answer("Long", sections=(AnswerText("Lines", tuple(AnswerLine(f"line {n}") for n in range(540))),)))
    assert "… and 40 more; a saved file has all." in words_in(tab)
    ref = ResourceRef(ex("Model"), "Model", ex("Model").value, "ex:Model", "", "")
    alike = tuple(Alike(ref, "the same name", certain=False) for _ in range(7))
    dialog = DescribeDialog(
        (ClassChoice(ref, "", Count(1)),),
        lambda cls, name, done: done(Proposal(ex("new"), alike)),
        lambda iri, done: done(False),
        tab,
    )
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.iri.text() == ex("new").value)
    assert "and 4 more like it: search for the name" in words_in(dialog)


def test_what_was_not_read_of_a_source_is_counted() -> None:
    session = Session.new()
    (source,) = open_sources(session, ["sample:xplacer"])
    lines = explained(replace(source, missing=tuple(f"line {n}" for n in range(14))))
    assert lines[-2:] == ["Not read: line 9", "and 4 more that were not read"]


def test_what_is_cut_says_so(window: MainWindow, user: User, tmp_path: Path) -> None:
    file = tmp_path / "long.ttl"
    values = ", ".join(f'"value {number:02}"' for number in range(60))
    file.write_text(
        f'@prefix ex: <http://example.org/> . ex:a a ex:Thing ; ex:text "{"long " * 200}" ; ex:part [ ex:value {values} ] .'
    )
    user.open_files([file])
    table = window.pictures.home.table
    texts = [table.rows.data(table.rows.index(0, column)) for column in range(table.rows.columnCount())]
    assert any(text.startswith("long long") and text.endswith("…") for text in texts)
    window.navigator.open(ex("a"))
    user.rest()
    said = [block.text() for block in window.inspector.findChildren(TextBlock)]
    assert "and 10 more: open the node, its page has all" in said
