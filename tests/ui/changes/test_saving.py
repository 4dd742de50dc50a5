"""Unsaved changes are in sight; saving writes the file; nothing is closed without a question, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit

from hpc_explorer.app.journal.editing import all_drafts
from hpc_explorer.app.journal.saving import Unwritten
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.changes.push_dialog import PushDialog
from hpc_explorer.ui.changes.saving import LeaveDialog
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.window.add_or_replace import AddOrReplaceDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import User

GRAPH = '@prefix ex: <http://example.org/> .\n# kept\nex:model a ex:Model ; ex:name "Model 7" .\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    return path


def start(window: MainWindow, user: User, file: Path) -> None:
    user.open_files([file])
    window.run("edit.start")
    user.rest()


def edit(window: MainWindow, user: User, note: str = "a note") -> None:
    graph = window.bridge.sources[0].graph
    quad = Quad(ex("model"), ex("note"), Literal(note), graph)

    def work(session: Session) -> None:
        session.edit(ChangeSet(added=(quad,), words="A note"))

    window.bridge.run(work, title="Edit", writes=True)
    user.rest()


def statements(path: Path) -> set[str]:
    return {f"{quad.subject} {quad.predicate} {quad.object}" for quad in read_source(path).quads()}


def leave_dialog(user: User) -> LeaveDialog:
    return user.dialog(LeaveDialog)


def test_changes_are_in_sight_until_they_are_saved(window: MainWindow, user: User, file: Path) -> None:
    start(window, user, file)
    assert not window.features.saving.line.isVisible()
    edit(window, user)
    assert window.features.saving.line.isVisible()
    assert window.features.saving.line.text == "1 change not saved to models.ttl:"
    assert window.isWindowModified()
    assert "[*]" in window.windowTitle()
    assert window.browser.sources.topLevelItem(0).text(0) == "models.ttl *"
    user.press("Ctrl+S", window)
    user.rest()
    assert user.told == "Saved models.ttl"
    text = file.read_text(encoding="utf-8")
    assert "# kept" in text
    assert '"a note"' in text
    assert not window.features.saving.line.isVisible()
    assert not window.isWindowModified()
    assert window.browser.sources.topLevelItem(0).text(0) == "models.ttl"


def test_the_line_leads_to_review_and_discard(window: MainWindow, user: User, file: Path) -> None:
    start(window, user, file)
    edit(window, user)
    user.click(user.button("Review: 1 change not saved to models.ttl"))
    user.rest()
    assert window.features.changes.is_in_sight
    user.click(user.button("Discard: 1 change not saved to models.ttl"))
    user.rest()
    assert not window.features.saving.line.isVisible()
    assert file.read_text(encoding="utf-8") == GRAPH
    user.press("Ctrl+Z", window)
    user.rest()
    assert window.features.saving.line.text == "1 change not saved to models.ttl:", "discarding can be undone"


def test_a_change_by_others_is_asked_about(window: MainWindow, user: User, file: Path) -> None:
    file.write_text(GRAPH.replace('"Model 7"', '"Model 7" ; ex:note "old"'), encoding="utf-8")
    start(window, user, file)
    graph = window.bridge.sources[0].graph

    def work(session: Session) -> None:
        old, new = (Quad(ex("model"), ex("note"), Literal(text), graph) for text in ("old", "mine"))
        session.edit(ChangeSet((old,), (new,), "Another note"))

    window.bridge.run(work, title="Edit", writes=True)
    user.rest()
    assert window.features.saving.line.text == "1 change not saved to models.ttl:", "a replaced value is one change"
    file.write_text(file.read_text(encoding="utf-8").replace('"old"', '"theirs"'), encoding="utf-8")
    user.press("Ctrl+S", window)
    dialog = user.dialog(PushDialog)
    user.until(lambda: dialog.cards)
    assert '"theirs"' in file.read_text(encoding="utf-8"), "nothing is written before the conflict is resolved"
    user.close(dialog)


def test_quitting_asks_once(window: MainWindow, user: User, file: Path) -> None:
    start(window, user, file)
    edit(window, user)
    user.press("Ctrl+Q", window)
    dialog = leave_dialog(user)
    user.click(user.button("Cancel", dialog))
    assert window.isVisible()
    user.press("Ctrl+Q", window)
    user.click(user.button("Save", leave_dialog(user)))
    user.until(lambda: not window.isVisible())
    assert '"a note"' in file.read_text(encoding="utf-8")


def test_what_is_typed_into_forms_is_said_in_plain_words(window: MainWindow) -> None:
    def words(found: Unwritten, forms: int) -> list[str]:
        dialog = LeaveDialog(found, forms, True, window)
        return [one.text() for one in dialog.findChildren(TextBlock)]

    graph = NamedNode("http://example.org/graph")
    draft, changed = Unwritten({}, in_draft=True), Unwritten({graph: 3}, names=("my.ttl",), in_draft=True)
    here = "on this computer. You can go on with"
    assert words(draft, 1) == [
        "You typed into 1 form and did not apply it",
        f"A draft keeps what you typed {here} it when you open the graph again.",
    ]
    assert words(draft, 2)[0] == "You typed into 2 forms and did not apply them"
    assert words(changed, 1) == [
        "3 changes not saved to my.ttl",
        f"A draft keeps them {here} them when you open the graph again.",
        "You also typed into 1 form. What you typed there is kept too.",
    ]
    assert words(Unwritten({graph: 1}, names=("my.ttl",)), 0)[1].startswith("The workspace keeps it")


def test_a_draft_is_kept_on_quitting(window: MainWindow, user: User, file: Path) -> None:
    start(window, user, file)
    edit(window, user)
    user.press("Ctrl+Q", window)
    user.click(user.button("Keep as draft", leave_dialog(user)))
    user.until(lambda: not window.isVisible())
    assert file.read_text(encoding="utf-8") == GRAPH
    (draft,) = all_drafts()
    assert draft.statements == 1


def test_changes_are_discarded_on_closing(window: MainWindow, user: User, file: Path) -> None:
    start(window, user, file)
    edit(window, user)
    user.press("Ctrl+W", window)
    user.click(user.button("Discard", leave_dialog(user)))
    user.until(lambda: window.start_page.isVisible())
    user.rest()
    assert file.read_text(encoding="utf-8") == GRAPH
    assert all(not draft.statements for draft in all_drafts())


def test_nothing_is_asked_where_nothing_changed(window: MainWindow, user: User, file: Path) -> None:
    start(window, user, file)
    user.press("Ctrl+Q", window)
    user.until(lambda: not window.isVisible())


def test_a_new_graph_is_saved_as_a_file(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.press("Ctrl+N", window)
    user.rest()
    assert window.windowTitle().startswith("New graph")
    user.button("Describe something new…", window.features.home.page)
    edit(window, user)
    assert window.features.saving.line.text == "1 change not saved in a file:"
    user.press("Ctrl+S", window)
    dialog = user.dialog(QFileDialog)
    path = tmp_path / "new.trig"
    line = dialog.findChild(QLineEdit)
    assert line is not None
    line.setText(str(path))
    dialog.accept()
    user.rest()
    assert statements(path) == {f'{ex("model")} {ex("note")} "a note"'}
    assert window.windowTitle().startswith("new.trig"), "the file is open now"
    assert not window.features.saving.line.isVisible()
    assert not all_drafts()


def test_a_sample_is_saved_as_a_file_with_all_its_statements(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.open_sample("nsf")
    window.run("edit.start")
    user.rest()
    edit(window, user)
    before = {str(quad) for quad in window.bridge.session.store.match()}
    path = tmp_path / "mine.ttl"
    window.features.saving.write_to(path)
    user.rest()
    assert len(statements(path)) == len(before)
    window.features.saving.write_to(path)
    user.until(window.banner.isVisible)
    assert window.banner.title == "This file is open already."


def test_opening_asks_whether_to_add_or_replace(window: MainWindow, user: User, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ttl"
    other.write_text(GRAPH.replace("model", "other"), encoding="utf-8")
    user.open_files([file])
    window.features.opener.open([str(other)])
    user.click(user.dialog(AddOrReplaceDialog).add)
    user.rest()
    assert len(window.bridge.sources) == 2
    window.features.opener.open([str(file)])
    assert window.banner.title == "models.ttl is open already"
    window.features.opener.open(["sample:nsf"])
    user.click(user.dialog(AddOrReplaceDialog).replace)
    user.rest()
    assert window.bridge.source_names == ("sample:nsf",)


def test_a_file_that_cannot_be_read_replaces_nothing(
    window: MainWindow, user: User, file: Path, tmp_path: Path
) -> None:
    start(window, user, file)
    edit(window, user)
    broken = tmp_path / "broken.ttl"
    broken.write_text("ex:model a ex:Model .", encoding="utf-8")
    window.features.opener.open([str(broken)])
    user.click(user.dialog(AddOrReplaceDialog).replace)
    user.click(user.button("Keep as draft", leave_dialog(user)))
    user.rest()
    user.until(window.banner.isVisible)
    assert window.features.saving.line.text == "1 change not saved to models.ttl:"


KILLED = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from hpc_explorer.app.journal.editing import start_editing
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.window.main_window import MainWindow

application = QApplication([])
session = Session.new()
open_sources(session, [sys.argv[1]])
start_editing(session)
window = MainWindow(session, Settings.load())
window.show()
model, note = NamedNode("http://example.org/model"), NamedNode("http://example.org/note")
session.edit(ChangeSet(added=(Quad(model, note, Literal("a note"), session.sources[0].graph),), words="A note"))
window.features.saving.counted.connect(lambda found: found.total and os.kill(os.getpid(), signal.SIGKILL))
application.exec()
"""


@pytest.mark.slow
def test_a_killed_window_loses_nothing(window: MainWindow, user: User, file: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(file)], env=dict(os.environ), check=False)
    assert killed.returncode == -signal.SIGKILL
    assert file.read_text(encoding="utf-8") == GRAPH
    user.open_files([file])
    user.until(window.banner.isVisible)
    assert window.banner.title == "There is a draft of models.ttl"
    user.click(user.button("Go on with the draft", window.banner))
    user.rest()
    assert window.features.saving.line.text == "1 change not saved to models.ttl:"
    user.press("Ctrl+S", window)
    user.rest()
    added = f'{ex("model")} {ex("note")} "a note"'
    text = file.read_text(encoding="utf-8")
    assert added in statements(file)
    file.write_text(GRAPH, encoding="utf-8")
    before = statements(file)
    file.write_text(text, encoding="utf-8")
    assert statements(file) == before | {added}, "everything else is as it was"
