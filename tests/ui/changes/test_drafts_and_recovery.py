"""Drafts: offered where their files are opened, listed, deleted; what a program that died left is offered too."""

from __future__ import annotations

import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QAbstractButton

from hpc_explorer.app.journal.editing import all_drafts
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import Literal, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.changes.drafts_dialog import DraftsDialog, when_words
from hpc_explorer.ui.changes.saving import LeaveDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import User

GRAPH = '@prefix ex: <http://example.org/> .\nex:model a ex:Model ; ex:name "Model 7" .\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    return path


def start_and_edit(window: MainWindow, user: User, file: Path, number: int = 2) -> None:
    """Open the file in a draft, and edit it."""
    user.open_files([file])
    user.press("F4")
    user.rest()
    user.click(user.button("Start editing", window.features.changes.page))
    user.rest()
    graph = window.bridge.sources[0].graph

    def work(session: Session) -> None:
        for at in range(number):
            quad = Quad(ex("model"), ex("note"), Literal(f"note {at}"), graph)
            session.edit(ChangeSet(added=(quad,), words=f"Note {at}"))

    window.bridge.run(work, title="Edit", writes=True)
    user.rest()


def close_all(window: MainWindow, user: User) -> None:
    window.run("file.close_all")
    user.click(user.button("Keep as draft", user.dialog(LeaveDialog)))
    user.rest()
    user.until(window.start_page.isVisible)


def test_a_draft_is_offered_and_gone_on_with(window: MainWindow, user: User, file: Path) -> None:
    start_and_edit(window, user, file)
    close_all(window, user)
    user.open_files([file])
    user.until(lambda: window.banner.isVisible())
    assert window.banner.title == "There is a draft of models.ttl"
    # The day may have ended meanwhile.
    assert re.match("2 statements not saved, edited (today|yesterday) at ", window.banner.text)
    assert window.bridge.workspace is None, "the file is open as it is until somebody chooses"
    user.click(user.button("Go on with the draft", window.banner))
    user.rest()
    assert not window.banner.isVisible()
    assert window.bridge.workspace is not None
    user.press("F4")
    user.rest()
    said = window.features.changes.page.summary.text()
    assert said.startswith("Not saved yet to models.ttl: 1 resource changed, +2 statements, 2 edits")
    user.press("Ctrl+Z", window.features.changes.page.tree)
    user.until(lambda: window.features.changes.unpushed.view.added == 1)


def test_the_start_page_has_drafts_and_recent_files(window: MainWindow, user: User, file: Path) -> None:
    start_and_edit(window, user, file)
    close_all(window, user)
    page = window.start_page
    user.until(lambda: any(one.accessibleName().startswith("Go on with") for one in page.findChildren(QAbstractButton)))
    assert user.button("Open models.ttl", page).isVisible()
    user.click(user.button("Go on with the draft of models.ttl", page))
    user.rest()
    assert window.bridge.workspace is not None
    assert window.features.saving.line.text == "2 changes not saved to models.ttl:"


def test_a_draft_is_left(window: MainWindow, user: User, file: Path) -> None:
    start_and_edit(window, user, file)
    close_all(window, user)
    user.open_files([file])
    user.until(lambda: window.banner.isVisible())
    user.click(user.button("Leave it", window.banner))
    assert not window.banner.isVisible()
    assert window.bridge.workspace is None
    assert len(all_drafts()) == 1


def test_drafts_are_listed_and_deleted(window: MainWindow, user: User, file: Path) -> None:
    start_and_edit(window, user, file)
    close_all(window, user)
    window.run("file.drafts")
    dialog = user.dialog(DraftsDialog)
    item = dialog.list.topLevelItem(0)
    assert item is not None
    assert (item.text(0), item.text(1)) == ("models.ttl", str(file.parent))
    assert item.text(2) == "2 statements not saved"
    assert dialog.list.columnWidth(2) >= dialog.list.sizeHintForColumn(2), "nothing of it is cut"
    assert not dialog.list.horizontalScrollBar().maximum()
    user.click(user.button("Delete the draft", dialog))
    question = next(one for one in dialog.findChildren(type(dialog).__base__) if one.windowTitle() == "Delete draft")
    user.click(user.button("Cancel", question))
    assert len(all_drafts()) == 1, "not confirmed"
    user.click(user.button("Delete the draft", dialog))
    question = [one for one in dialog.findChildren(type(dialog).__base__) if one.windowTitle() == "Delete draft"][-1]
    user.click(user.button("Delete", question))
    user.rest()
    assert dialog.list.topLevelItemCount() == 0
    assert dialog.about.text().startswith("There are no drafts")
    assert not all_drafts()
    user.close(dialog)
    assert file.read_text(encoding="utf-8") == GRAPH


def test_the_list_may_be_closed_while_a_draft_is_deleted(window: MainWindow, user: User, file: Path) -> None:
    start_and_edit(window, user, file)
    close_all(window, user)
    window.run("file.drafts")
    dialog = user.dialog(DraftsDialog)
    user.click(user.button("Delete the draft", dialog))
    question = next(one for one in dialog.findChildren(type(dialog).__base__) if one.windowTitle() == "Delete draft")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    user.click(user.button("Delete", question))
    dialog.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    user.rest()
    assert not all_drafts()
    assert "Deleted the draft" in user.told


def test_what_a_program_left_that_died_is_offered(window: MainWindow, user: User, file: Path, tmp_path: Path) -> None:
    start_and_edit(window, user, file, 3)
    folder = window.bridge.workspace
    assert folder is not None
    # As it lies on the disk now it would lie there if the program were killed at this moment.
    shutil.copytree(folder, tmp_path / "left")
    window.features.opener.open_workspace(tmp_path / "left")
    user.rest()
    user.until(lambda: window.banner.isVisible() and window.banner.title == "3 edits recovered")
    user.press("F4", window)
    user.until(lambda: window.features.changes.unpushed.recorded)
    assert window.features.changes.unpushed.view.added == 3, "nothing is undone by itself"
    user.click(user.button("Undo them", window.banner))
    user.rest()
    user.until(lambda: not window.features.changes.unpushed.sources)
    user.press("Ctrl+Z", window.features.changes.page)
    user.until(lambda: window.features.changes.unpushed.view.added == 3)


def test_moments_are_told_as_people_do() -> None:
    now = datetime(2026, 3, 2, 12, 0).astimezone()  # noon wherever this runs
    assert when_words(None) == "never"
    assert when_words(now, now) == f"today at {now:%H:%M}"
    assert when_words(now - timedelta(days=1), now) == f"yesterday at {now:%H:%M}"
    assert when_words(now - timedelta(days=30), now).startswith("on 2026-01-31 at ")
