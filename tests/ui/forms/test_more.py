"""What else can be done with a resource that has a form: remove it, say why, describe one like it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from hpc_explorer.app.journal.journal import changes
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Store
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.forms.remove_dialog import RemoveDialog
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User
from tests.ui.forms.test_form import row

MODEL_NODE = NamedNode(MODEL)
LASSEN = NamedNode("http://example.org/cluster/lassen")


@pytest.fixture
def editor(window: MainWindow, user: User) -> User:
    """Somebody who has the form of a model before them, to be edited."""
    user.open_sample("xplacer")
    window.navigator.open(MODEL_NODE)
    user.rest()
    window.run("edit.resource")
    user.rest()
    window.run("edit.start")
    user.until(lambda: window.features.form.can_type)
    user.rest()
    return user


def store(window: MainWindow) -> Store:
    """What the window shows now; an edit makes another one."""
    return window.features.form.session.store


def type_format(user: User, text: str) -> None:
    row(user.window, "modelFormat").entries_shown[0].lines[0].setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Ctrl+A")
    user.type(text)


def test_a_resource_is_removed_with_its_links_and_comes_back_by_undo(window: MainWindow, editor: User) -> None:
    window.navigator.open(LASSEN)
    window.navigator.edit(LASSEN)
    editor.rest()
    own, links = len(list(store(window).match(LASSEN))), len(list(store(window).match(None, None, LASSEN)))
    before = len(list(store(window).match()))
    editor.window.run("edit.remove")
    dialog = editor.dialog(RemoveDialog)
    assert "node" in dialog.told
    assert dialog.linking
    assert dialog.links_too.isChecked()
    editor.type("not ours", dialog.why)
    editor.click(dialog.remove)
    editor.until(lambda: not list(store(window).match(LASSEN)))
    editor.rest()
    assert own
    assert links
    assert not list(store(window).match(None, None, LASSEN))
    assert window.navigator.place.focus == MODEL_NODE
    (entry, *_) = changes(window.features.form.session)
    assert entry.words == "Removed lassen"
    assert entry.why == "not ours"
    editor.press("Ctrl+Z", window)
    editor.until(lambda: len(list(store(window).match())) == before)
    editor.rest()


def test_the_links_to_a_resource_can_be_left_and_the_menu_of_the_form_removes_too(
    window: MainWindow, editor: User
) -> None:
    window.navigator.edit(LASSEN)
    editor.rest()
    links = len(list(store(window).match(None, None, LASSEN)))
    button = window.features.form.page.head.menu
    menu = button.menu()
    assert isinstance(menu, QMenu)
    action = next(one for one in menu.actions() if one.text().startswith("Remove"))
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    editor.until(menu.isVisible)
    editor.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    dialog = editor.dialog(RemoveDialog)
    editor.press("Down", dialog.links_too)
    assert dialog.links_stay.isChecked()
    editor.press("Return", dialog.links_stay)
    editor.until(lambda: not list(store(window).match(LASSEN)))
    editor.rest()
    assert len(list(store(window).match(None, None, LASSEN))) == links


def test_a_removal_that_is_not_wanted_changes_nothing(window: MainWindow, editor: User) -> None:
    before = len(list(store(window).match()))
    editor.window.run("edit.remove")
    editor.close(editor.dialog(RemoveDialog))
    editor.rest()
    assert len(list(store(window).match())) == before
    assert window.navigator.place.focus == MODEL_NODE


def test_why_is_kept_with_what_is_typed_and_stands_in_the_journal(window: MainWindow, editor: User) -> None:
    type_format(editor, "PMML")
    why = window.features.form.page.head.why
    editor.press("Ctrl+F")
    editor.press("Tab")
    assert QApplication.focusWidget() is why
    editor.type("the file says so")
    window.navigator.edit(LASSEN)
    editor.rest()
    assert why.text() == ""
    window.navigator.edit(MODEL_NODE)
    editor.rest()
    assert why.text() == "the file says so"
    editor.press("Return", why)
    editor.until(lambda: not window.features.form.is_typed)
    editor.rest()
    (entry, *_) = changes(window.features.form.session)
    assert entry.words == "Model format of decisionTree.onnx"
    assert entry.why == "the file says so"
    assert why.text() == ""


def test_one_like_it_has_the_values_and_no_name(window: MainWindow, editor: User) -> None:
    editor.window.run("edit.like_it")
    editor.until(lambda: window.features.form.filling is not None and window.features.form.filling.is_new)
    editor.rest()
    assert window.navigator.place.view is View.EDIT
    assert row(window, "modelFormat").entries[0].text == "ONNX"
    assert row(window, "name").entries[0].text == ""
    new = NamedNode(window.features.form.page.head.iri.text())
    assert new != MODEL_NODE
    row(window, "name").entries_shown[0].lines[0].setFocus(Qt.FocusReason.TabFocusReason)
    editor.type("the next one")
    editor.window.run("edit.save")
    editor.until(lambda: list(store(window).match(new)))
    editor.rest()

    def said(of: NamedNode) -> set[NamedNode]:
        return {quad.predicate for quad in store(window).match(of)}

    assert said(new) <= said(MODEL_NODE)
    assert {quad.object for quad in store(window).match(new, RDF.type)} == {
        quad.object for quad in store(window).match(MODEL_NODE, RDF.type)
    }
    assert {quad.object for quad in store(window).match(new, HPC.contributor)} == {
        quad.object for quad in store(window).match(MODEL_NODE, HPC.contributor)
    }
    assert not list(store(window).match(new, HPC.id))


def test_the_menu_of_a_field_that_is_made_anew_is_closed_and_changes_nothing(window: MainWindow, editor: User) -> None:
    fields = window.features.form.page.fields
    row = next(one for one in fields.rows.values() if one.entries_shown and one.findChildren(QMenu))
    menu = row.findChildren(QMenu)[0]
    menu.popup(row.mapToGlobal(row.rect().center()))
    editor.until(menu.isVisible)
    filling = window.features.form.filling
    assert filling is not None
    fields.show_filling(filling, read_only=False, anew=True)
    assert not menu.isVisible()
    row.changed.emit()
    row.left.emit()
    editor.rest()
    assert not window.features.form.is_typed


def test_what_a_shape_recommends_is_marked_as_what_it_requires_is(window: MainWindow, editor: User) -> None:
    filling = window.features.form.filling
    assert filling is not None
    recommended = [one for one in filling.fields if one.recommended and not one.required]
    assert recommended
    shown = window.features.form.page.fields.bring(recommended[0].predicate)
    assert shown is not None
    assert shown.findChildren(TextBlock)[0].text().endswith("recommended")
