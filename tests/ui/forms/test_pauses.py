"""A large form never holds up the window's thread while it is made, saved and taken back: it is made a little at a
time, and of what is there only what changed. How long each turn takes is measured in benchmarks/forms.py."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from hpc_explorer.ui.explore import inspector
from hpc_explorer.ui.forms import fields as form_fields
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.forms import LARGE_THING, large_form, term
from tests.helpers.watchdog import longest_here, watched
from tests.helpers.windows import User

FIELDS, VALUES = 60, 100


@pytest.fixture
def reader(window: MainWindow, user: User, tmp_path: Path) -> User:
    """Somebody who has chosen a resource with as many values of as many properties."""
    user.open_files([large_form(tmp_path / "large.ttl", FIELDS, VALUES)])
    window.navigator.open(LARGE_THING)
    user.rest()
    return user


def start_editing(user: User) -> None:
    """Open the form of what is chosen, to be edited."""
    user.press("Ctrl+E")
    user.rest()
    user.press("Space")
    user.until(lambda: user.window.features.form.can_type)
    user.rest()


def described(window: MainWindow) -> set[TextBlock]:
    """The texts in sight in the inspector."""
    return {block for block in window.inspector.findChildren(TextBlock) if block.isVisible()}


def made_in_turns(window: MainWindow) -> list[int]:
    """How many fields are made in each turn of the event loop, until all are."""
    fields = window.features.form.page.fields
    made = [len(fields.rows)]
    while fields.is_making:
        QApplication.processEvents()
        made.append(len(fields.rows))
    return [after - before for before, after in pairwise(made)]


def test_fields_are_made_one_by_one_where_each_takes_long(
    window: MainWindow, reader: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_editing(reader)
    fields, filling = window.features.form.page.fields, window.features.form.filling
    assert filling is not None
    monkeypatch.setattr(form_fields, "SLICE", 0.0)
    fields.show_filling(filling, read_only=False, anew=True)
    assert len(fields.rows) == 1
    turns = made_in_turns(window)
    assert len(fields.rows) > FIELDS
    assert sum(len(row.entries) for row in fields.rows.values()) > VALUES
    assert max(turns) == 1


def test_lines_of_the_inspector_are_made_one_by_one_where_each_takes_long(
    window: MainWindow, reader: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {block.text() for block in described(window)}
    monkeypatch.setattr(inspector, "AT_ONCE", 0.0)
    window.navigator.open(term("Thing"))
    reader.rest()
    window.navigator.open(LARGE_THING)
    reader.catch(lambda: window.inspector.is_filling)
    seen = [len(described(window))]
    while window.inspector.is_filling:
        QApplication.processEvents()
        seen.append(len(described(window)))
    assert {block.text() for block in described(window)} == before
    assert max(after - one for one, after in pairwise(seen)) <= 4  # a name and its values


def test_saving_and_undoing_make_only_what_changed_anew(window: MainWindow, reader: User) -> None:
    start_editing(reader)
    fields = window.features.form.page.fields
    rows, blocks = dict(fields.rows), described(window)
    fields.go_to(term("property41"))
    reader.press("Ctrl+A")
    reader.type("421")
    reader.window.run("edit.save")
    reader.rest()
    assert fields.keyboard == (term("property41"), 0, 0)
    assert {one for one, row in fields.rows.items() if row is not rows[one]} == {term("property41")}
    assert {block.text() for block in described(window) - blocks} == {"property41", "421"}
    rows, blocks = dict(fields.rows), described(window)
    reader.press("Ctrl+Z")
    reader.rest()
    assert {one for one, row in fields.rows.items() if row is not rows[one]} == {term("property41")}
    assert fields.entries(term("property41"))[0].text == "41"
    assert {block.text() for block in described(window) - blocks} == {"property41", "41"}


def test_a_field_that_is_gone_to_is_made_at_once(window: MainWindow, reader: User) -> None:
    start_editing(reader)
    fields = window.features.form.page.fields
    assert window.features.form.filling is not None
    fields.show_filling(window.features.form.filling, read_only=False, anew=True)
    assert term("property57") not in fields.rows
    fields.go_to(term("property57"))
    assert fields.keyboard == (term("property57"), 0, 0)
    reader.rest()
    assert fields.keyboard == (term("property57"), 0, 0)


def test_going_to_another_form_and_back_leaves_the_window_free(window: MainWindow, reader: User) -> None:
    """The processor time of its thread alone, between two beats of a timer."""
    start_editing(reader)
    for wanted in (term("Thing"), LARGE_THING):
        with watched(window.bridge.jobs) as watchdog:
            window.navigator.edit(wanted)
            reader.rest()
        assert sorted(watchdog.work)[-2] < longest_here(), sorted(watchdog.work)[-5:]
    assert len(window.features.form.page.fields.rows) > FIELDS
