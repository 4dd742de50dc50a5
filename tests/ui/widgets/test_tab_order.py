"""Tab goes through the window as it stands there, whenever a part of it was made, and Shift+Tab goes back."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from hpc_explorer.annotate.forms.kinds import Widget
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.explore import inspector
from hpc_explorer.ui.forms import fields as form_fields
from hpc_explorer.ui.forms.entry_row import EntryRow
from hpc_explorer.ui.forms.field import FieldRow
from hpc_explorer.ui.forms.field_box import FieldBox
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

MACHINE = NamedNode("http://example.org/Machine")

CLASSES = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Machine a rdfs:Class ; rdfs:subClassOf ex:Thing .
ex:frontier a ex:Machine ; ex:maker "HPE" .
"""
"""What is said of a class, what its instances have, and one of them."""

LASSEN = NamedNode("http://example.org/cluster/lassen")


@pytest.fixture
def editor(window: MainWindow, user: User) -> User:
    """Somebody who edits a resource of the sample."""
    user.open_sample()
    start_editing(user, LASSEN)
    return user


def start_editing(user: User, resource: NamedNode) -> None:
    user.window.navigator.edit(resource)
    user.rest()
    user.click(user.window.features.form.page.head.start)
    user.until(lambda: user.window.features.form.can_type)
    user.rest()


def ring(user: User, key: str, begin: QWidget | None = None) -> list[QWidget]:
    """Where the keyboard comes to, from the line that finds a field until it is there again."""
    start = begin or user.window.features.form.page.head.finder
    start.setFocus(Qt.FocusReason.OtherFocusReason)
    come_to: list[QWidget] = [start]
    while True:
        user.press(key)
        now = QApplication.focusWidget()
        assert now is not None, "the keyboard is nowhere"
        if now is start:
            return come_to
        assert now not in come_to, (
            f"{now.accessibleName()!r} comes a second time, {start.accessibleName()!r} not at all"
        )
        come_to.append(now)


def all_stops(window: MainWindow) -> set[QWidget]:
    """What takes the keyboard from Tab, in sight or scrolled out of it."""
    return {
        one
        for one in window.findChildren(QWidget)
        if one.window() is window
        and one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and one.isVisible()
        and one.isEnabled()
        and one.focusProxy() is None
    }


def place(one: QWidget, within: QWidget) -> QRect:
    return QRect(one.mapTo(within, QPoint(0, 0)), one.size())


def assert_whole(user: User) -> list[QWidget]:
    """Nothing is left out; back is the way forth; through the form and the inspector it goes as one reads."""
    window = user.window
    forth = ring(user, "Tab")
    assert set(forth) == all_stops(window)
    back = ring(user, "Shift+Tab")
    assert back == [forth[0], *reversed(forth[1:])]
    fields, pane, search = window.features.form.page.fields, window.inspector, window.search
    parts = [
        "field" if fields.isAncestorOf(one) else "inspector" if pane.isAncestorOf(one) else "other" for one in forth
    ]
    first, last = parts.index("field"), len(parts) - parts[::-1].index("field")
    assert set(parts[first:last]) == {"field"}
    assert forth[first - 1 : first + 1] == [window.features.form.page.head.why, fields]
    at = forth.index(pane)
    assert first < last <= at < forth.index(search)
    assert set(parts[at : at + parts.count("inspector")]) == {"inspector"}
    QApplication.processEvents()  # what changed with the keyboard has its place
    for area in (fields, pane):
        within = area.widget()
        for one, after in pairwise(one for one in forth if within.isAncestorOf(one)):
            before, now = place(one, within), place(after, within)
            assert now.top() >= before.bottom() or now.left() >= before.right(), (
                f"{after.accessibleName()!r} stands before {one.accessibleName()!r}"
            )
    return forth


def row(window: MainWindow, name: str) -> FieldRow:
    return next(one for iri, one in window.features.form.page.fields.rows.items() if iri.value.endswith(name))


def test_tab_goes_through_the_form_the_inspector_and_the_rest_and_back(window: MainWindow, editor: User) -> None:
    forth = assert_whole(editor)
    in_fields = [one for one in forth if window.features.form.page.fields.isAncestorOf(one)]
    assert len(in_fields) > 40
    assert any(isinstance(one, QToolButton) for one in in_fields)


@pytest.mark.slow
def test_while_fields_are_being_made_the_ones_that_are_there_are_in_order(
    window: MainWindow, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form_fields, "SLICE", form_fields.SLICE / 4)  # in several turns on a quick machine too
    form = window.features.form
    assert form.filling is not None
    form.page.fields.show_filling(form.filling, read_only=False, anew=True)
    made = set()
    while form.page.fields.is_making:
        made.add(sum(form.page.fields.isAncestorOf(one) for one in ring(editor, "Tab")))
        assert set(ring(editor, "Shift+Tab")) == all_stops(window)
        QApplication.processEvents()
    assert len(made) > 1, "all was made at once"
    assert_whole(editor)


def test_a_field_that_is_gone_to_before_its_turn_stands_in_its_place(window: MainWindow, editor: User) -> None:
    form = window.features.form
    assert form.filling is not None
    form.page.fields.show_filling(form.filling, read_only=False, anew=True)
    form.page.fields.go_to(NamedNode("http://example.org/terms/illustrative"))
    editor.rest()
    assert_whole(editor)


def test_after_the_inspector_was_made_anew(window: MainWindow, editor: User) -> None:
    before = len(assert_whole(editor))
    editor.click(editor.button("Show all 17 of illustrative property", window.inspector))
    editor.rest()
    assert len(assert_whole(editor)) > before


def test_while_the_inspector_is_being_made_and_after(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspector, "AT_ONCE", 0.0001)
    path = tmp_path / "classes.ttl"
    path.write_text(CLASSES, encoding="utf-8")
    user.open_files([path])
    window.navigator.open(MACHINE)
    user.catch(lambda: window.inspector.is_filling)
    assert set(ring(user, "Tab", window.search)) == set(ring(user, "Shift+Tab", window.search)) == all_stops(window)
    user.rest()
    start_editing(user, MACHINE)
    named = [one.accessibleName() for one in assert_whole(user) if window.inspector.isAncestorOf(one)]
    assert named[-3:] == ["Thing", "maker", "frontier"]


def test_after_another_resource_was_chosen(window: MainWindow, editor: User) -> None:
    assert_whole(editor)
    window.navigator.edit(NamedNode("http://example.org/AIModel/MO000001"))
    editor.rest()
    assert_whole(editor)


def test_after_values_were_added_turned_and_removed_and_more_fields_asked_for(window: MainWindow, editor: User) -> None:
    name = row(window, "name")
    name.take_keyboard()
    editor.press("Ctrl+Right")
    editor.press("Return")
    editor.type("Another name")
    assert [one.lines[0].text() for one in name.entries_shown][1] == "Another name"
    assert_whole(editor)
    turned = name.field.kinds[-1]
    assert turned.widget is not Widget.LANGUAGE_TEXT or len(name.field.kinds) > 1
    name.findChildren(EntryRow)[0].kind_wanted.emit(turned)
    assert_whole(editor)
    fields = window.features.form.page.fields
    link = next(group.more for group in fields.findChildren(FieldBox) if group.more.isVisible())
    link.setFocus()
    editor.press("Return")
    editor.rest()
    assert_whole(editor)
