"""The page Changes: what is not pushed yet, the journal, taking back, history, and a push with conflicts to a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from hpc_explorer.annotate.pushing.values import Choice
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDFS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.changes.history_dialog import HistoryDialog
from hpc_explorer.ui.changes.page import ChangesBy
from hpc_explorer.ui.changes.push_dialog import PushDialog
from hpc_explorer.ui.explore.value_lines import ValueLines
from hpc_explorer.ui.export.controller import JournalExportDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import User

GRAPH = """\
@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:model a ex:Model ; rdfs:label "Model 7" ; ex:accuracy 0.95 ; ex:note "of ana" . # stays
ex:data a ex:Dataset ; rdfs:label "Data 1" .
"""


class Editor:
    """Edits what the window has open, as the forms do: in a job, as a step to be undone."""

    def __init__(self, user: User) -> None:
        self._user = user
        self.window = user.window

    @property
    def graph(self) -> NamedNode:
        return self.window.bridge.sources[0].graph

    def make(self, removed: list[tuple], added: list[tuple], words: str, why: str = "") -> None:  # type: ignore[type-arg]
        graph = self.graph
        change = ChangeSet(
            tuple(Quad(*one, graph) for one in removed), tuple(Quad(*one, graph) for one in added), words, why
        )
        undo = self.window.features.graph.controller.undo

        def done(step: EditStep | None) -> None:
            assert step is not None
            undo.push(step)

        self.window.bridge.run(EditStep.made, change, title="Edit", on_result=done, writes=True)
        self._user.rest()

    def set_accuracy(self, before: str, after: str, why: str = "") -> None:
        old, new = Literal(before, datatype=XSD.decimal), Literal(after, datatype=XSD.decimal)
        model, accuracy = ex("model"), ex("accuracy")
        self.make([(model, accuracy, old)], [(model, accuracy, new)], "Accuracy of Model 7", why)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    return path


@pytest.fixture
def editor(window: MainWindow, user: User, file: Path) -> Editor:
    """The file, open in a draft."""
    user.open_files([file])
    user.press("F4")
    user.rest()
    user.click(user.button("Start editing", window.features.changes.page))
    user.rest()
    return Editor(user)


def rows(window: MainWindow) -> list[tuple[str, str]]:
    """What the tree shows, row by row, as those hear it who do not see it."""
    model = window.features.changes.page.tree.model()
    role = Qt.ItemDataRole.AccessibleTextRole
    found: list[tuple[str, str]] = []

    def walk(parent: QModelIndex) -> None:
        for row in range(model.rowCount(parent)):
            cells = [model.index(row, column, parent) for column in (0, 1)]
            found.append((cells[0].data(role), cells[1].data(role)))
            walk(cells[0])

    walk(QModelIndex())
    return found


def test_nothing_is_edited_until_one_starts(window: MainWindow, user: User, editor: Editor) -> None:
    page = window.features.changes.page
    assert page.is_edited
    assert page.summary.text() == "Everything is written"
    assert not page.tree.isVisible()


def test_what_changed_by_resource(window: MainWindow, user: User, editor: Editor, file: Path) -> None:
    editor.set_accuracy("0.95", "0.96", "measured anew")
    editor.make([], [(ex("new"), RDFS.label, Literal("Model 8", language="en"))], "Describe Model 8")
    assert rows(window) == [
        ("Model 7, Model · +1 \u22121 statements", "Model · +1 \u22121 statements"),
        ("accuracy", "removed: 0.95"),
        ("accuracy", "added: 0.96"),
        ("Model 8, new · +1 statement", "new · +1 statement"),
        ("label", "added: Model 8  (en)"),
    ]
    page = window.features.changes.page
    assert page.summary.text().startswith(
        "Not saved yet to models.ttl: 2 resources changed, +2 \u22121 statements, 2 edits"
    )
    tab = window.pictures.edit.views
    assert tab.tabText(tab.currentIndex()) == "Changes (2)"
    user.click(page.exact)
    assert ("accuracy", "added: 0.96  (xsd:decimal)") in rows(window)
    user.type("model 8", page.words)
    user.until(lambda: len(rows(window)) == 2)
    assert page.remark.text() == "1 with “model 8”, of 2 changed resources."
    user.type(" no", page.words)
    user.until(lambda: not rows(window))
    assert page.remark.text() == "No change contains “model 8 no”."
    assert file.read_text(encoding="utf-8") == GRAPH


def test_undo_and_redo_are_followed(window: MainWindow, user: User, editor: Editor) -> None:
    editor.set_accuracy("0.95", "0.96")
    user.press("Ctrl+Z", window.features.changes.page.tree)
    user.until(lambda: window.features.changes.page.summary.text() == "Everything is written")
    user.press("Ctrl+Shift+Z", window.features.changes.page)
    user.until(lambda: ("accuracy", "added: 0.96") in rows(window))


def test_enter_goes_to_the_resource(window: MainWindow, user: User, editor: Editor) -> None:
    editor.set_accuracy("0.95", "0.96")
    window.features.changes.page.tree.setFocus()
    user.press("Return", window.features.changes.page.tree)
    user.rest()
    assert user.reads == "Model 7"
    menu = window.features.changes.page.tree.menu_of(window.features.changes.page.tree.model().index(0, 0))
    assert menu is not None
    next(one for one in menu.actions() if one.text() == "Copy as N-Quads").trigger()
    copied = QApplication.clipboard().text()
    assert copied.count(" .\n") == 2
    assert "0.96" in copied


def test_an_edit_is_taken_back_from_the_journal(window: MainWindow, user: User, editor: Editor) -> None:
    editor.set_accuracy("0.95", "0.96", "measured anew")
    editor.make([], [(ex("data"), ex("note"), Literal("checked"))], "Note of Data 1")
    user.window.run("changes.time")
    user.rest()
    page = window.features.changes.page
    assert page.by is ChangesBy.TIME
    listed = [entry.words for entry in page.entries.edits.entries]
    assert listed == ["Note of Data 1", "Accuracy of Model 7"]
    user.press("Down", page.entries)
    user.until(lambda: ("accuracy", "removed: 0.95") in rows(window))
    assert "Why: measured anew" in page.entries.currentIndex().data(Qt.ItemDataRole.ToolTipRole)
    user.click(user.button("Take back this edit", page))
    user.rest()
    entries = page.entries.edits.entries
    assert [entry.words for entry in entries] == ["Undo: Accuracy of Model 7", *listed]
    assert [entry.undone_by for entry in entries] == [None, None, 3]
    assert not window.commands.by_id["changes.take_back"].isEnabled(), "what is taken back is not taken back again"
    user.press("Ctrl+Z", page.entries)
    user.until(lambda: len(page.entries.edits.entries) == 4)
    user.type("note", page.words)
    user.until(lambda: [entry.words for entry in page.entries.edits.entries] == ["Note of Data 1"])


def test_what_was_touched_later_is_not_taken_back(window: MainWindow, user: User, editor: Editor) -> None:
    editor.set_accuracy("0.95", "0.96")
    editor.set_accuracy("0.96", "0.97")
    window.run("changes.time")
    user.rest()
    user.press("Down", window.features.changes.page.entries)
    user.rest()
    window.run("changes.take_back")
    user.rest()
    assert window.banner.isVisible()
    assert window.banner.title == "A later change touched what this edit did."


@pytest.mark.slow
def test_a_long_journal_is_read_as_it_is_looked_at(window: MainWindow, user: User, editor: Editor) -> None:
    def many(session: Session) -> None:
        for number in range(230):
            added = (Quad(ex("data"), ex("part"), Literal(f"part {number}"), editor.graph),)
            session.edit(ChangeSet(added=added, words=f"Part {number}"))

    window.bridge.run(many, title="Edit", writes=True)
    user.rest()
    window.run("changes.time")
    user.rest()
    page = window.features.changes.page
    assert len(page.entries.edits.entries) == 200
    page.entries.setFocus()
    user.press("End", page.entries)
    user.until(lambda: len(page.entries.edits.entries) == 230)


def test_history_and_where_each_statement_comes_from(window: MainWindow, user: User, editor: Editor) -> None:
    editor.set_accuracy("0.95", "0.96", "measured anew")
    window.navigator.explore(ex("model"))
    user.rest()
    user.window.run("resource.history")
    dialog = user.dialog(HistoryDialog)
    user.rest()
    assert [entry.words for entry in dialog.entries.edits.entries] == ["Accuracy of Model 7"]
    assert [one.ref.label for one in dialog.changes.changes.resources] == ["Model 7"]
    user.close(dialog)
    user.window.run("resource.where_from")
    dialog = user.dialog(HistoryDialog)
    user.rest()
    items = [dialog.values.topLevelItem(row) for row in range(dialog.values.topLevelItemCount())]
    by_name = {item.text(0): item for item in items if item is not None}
    assert by_name["note"].text(2) == "models.ttl"
    assert by_name["accuracy"].text(2).startswith("edit 1")
    dialog.values.setCurrentItem(by_name["accuracy"])
    user.until(lambda: "Why: measured anew" in dialog.blame.text())
    dialog.values.setCurrentItem(by_name["note"])
    user.until(lambda: dialog.blame.text().startswith("models.ttl says it"))
    user.close(dialog)


def test_a_value_in_the_inspector_tells_where_it_comes_from(window: MainWindow, user: User, editor: Editor) -> None:
    window.navigator.explore(ex("model"))
    user.rest()
    values = [block for lines in window.inspector.findChildren(ValueLines) for block in lines.blocks]
    block = next(one for one in values if one.text() == "of ana")
    title, act = block.offers[0]
    assert title == "Where from…"
    act()
    dialog = user.dialog(HistoryDialog)
    user.rest()
    assert dialog.values.currentItem().text(1) == "of ana"
    user.close(dialog)


def test_push_leaves_the_rest_of_the_file(window: MainWindow, user: User, editor: Editor, file: Path) -> None:
    editor.set_accuracy("0.95", "0.96")
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert dialog.go.isEnabled()
    assert dialog.go.hasFocus()
    user.press("Return", dialog.go)
    user.rest()
    assert dialog.said.text() == "Saved: +1 \u22121 statements"
    user.press("Return", dialog.cancel)
    user.until(lambda: not window.findChildren(PushDialog))
    assert file.read_text(encoding="utf-8") == GRAPH.replace("0.95", "0.96")
    user.until(lambda: window.features.changes.page.summary.text() == "Everything is written")
    assert window.features.changes.unpushed.recorded == 1


def test_one_conflict_is_spoken_of_as_one(window: MainWindow, user: User, editor: Editor, file: Path) -> None:
    editor.set_accuracy("0.95", "0.96")
    file.write_text(GRAPH.replace("0.95", "0.94"), encoding="utf-8")
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert dialog.state.text() == "Resolve the conflict: choose a side"
    buttons = dialog.go.parent()
    assert isinstance(buttons, QDialogButtonBox), "in the platform's order"
    assert buttons.buttonRole(dialog.go) is QDialogButtonBox.ButtonRole.AcceptRole
    assert buttons.buttonRole(dialog.cancel) is QDialogButtonBox.ButtonRole.RejectRole
    high = dialog.height()
    user.click(dialog.cards[0].sides[Choice.THEIRS].button)
    user.click(dialog.go)
    user.rest()
    assert dialog.cancel.text() == dialog.cancel.accessibleName() == "Close"
    assert dialog.height() < high, "no higher than what is said"
    user.close(dialog)


def test_where_nothing_is_to_be_pushed_nothing_is_offered(window: MainWindow, user: User, editor: Editor) -> None:
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert dialog.said.text().startswith("There is nothing to save")
    assert not dialog.go.isVisible()
    assert dialog.cancel.text() == "Close"
    user.close(dialog)


def test_a_long_reason_is_read_whole(window: MainWindow, user: User, editor: Editor) -> None:
    page = window.features.changes.page
    user.press("F4", window)
    user.rest()
    page.show_by(ChangesBy.TIME)
    user.rest()
    assert not page.entries.isVisible(), "an empty journal says what it is for"
    assert not page.told.isVisible()
    why = "The reviewers asked which kernels were measured, on which machine and by whom. " * 4
    editor.set_accuracy("0.95", "0.96", why.strip())
    user.until(lambda: page.told.isVisible())
    assert page.entries.isVisible()
    assert page.told.what.text() == "Accuracy of Model 7"
    assert page.told.why.text() == f"Why: {why.strip()}"
    assert page.told.what.height() + page.told.why.height() <= page.told.widget().height()  # type: ignore[union-attr]
    editor.set_accuracy("0.96", "0.97")
    user.until(lambda: page.entries.edits.rowCount() == 2)
    assert page.told.why.isVisible(), "the chosen edit stays so"
    page.entries.setCurrentIndex(page.entries.edits.index(0, 0))
    user.until(lambda: not page.told.why.isVisible())
    page.show_by(ChangesBy.RESOURCE)
    user.rest()
    assert not page.told.isVisible()
    window.navigator.explore(ex("model"))
    user.rest()
    window.run("resource.history")
    dialog = user.dialog(HistoryDialog)
    user.rest()
    dialog.entries.setCurrentIndex(dialog.entries.edits.index(1, 0))
    assert dialog.told.why.text() == f"Why: {why.strip()}"
    user.close(dialog)


def test_conflicts_are_decided_by_keyboard(window: MainWindow, user: User, editor: Editor, file: Path) -> None:
    editor.set_accuracy("0.95", "0.96")
    editor.make(
        [(ex("data"), RDFS.label, Literal("Data 1"))], [(ex("data"), RDFS.label, Literal("Data A"))], "Label of Data 1"
    )
    file.write_text(
        GRAPH.replace("0.95", "0.94").replace("Data 1", "Data B").replace("of ana", "of ben"), encoding="utf-8"
    )
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert [(card.view.ref.label, card.view.label) for card in dialog.cards] == [
        ("Data A", "label"),
        ("Model 7", "accuracy"),
    ]
    first, second = dialog.cards
    assert (second.view.base, second.view.mine, second.view.theirs) == (("0.95",), ("0.96",), ("0.94",))
    assert second.view.both == ("0.96", "0.94")
    assert not dialog.go.isEnabled()
    assert dialog.state.text() == "2 of 2 conflicts are open: choose a side for each"
    assert first.sides[Choice.MINE].button.hasFocus()
    user.press("Space")
    assert first.choice is Choice.MINE
    user.press("Right")
    assert first.choice is Choice.THEIRS
    assert not dialog.go.isEnabled()
    assert dialog.state.text() == "1 of 2 conflicts is open: choose a side"
    user.press("Tab")
    assert second.sides[Choice.MINE].button.hasFocus()
    user.press("Space")
    assert second.choice is Choice.MINE
    assert dialog.go.isEnabled()
    user.click(dialog.go)
    user.rest()
    assert dialog.said.text() == "Saved: +1 \u22121 statements"
    expected = GRAPH.replace("0.95", "0.96").replace("Data 1", "Data B").replace("of ana", "of ben")
    assert file.read_text(encoding="utf-8") == expected
    user.close(dialog)
    window.navigator.explore(ex("data"))
    user.rest()
    assert user.reads == "Data B"


def test_a_file_that_changes_while_one_decides(window: MainWindow, user: User, editor: Editor, file: Path) -> None:
    editor.set_accuracy("0.95", "0.96")
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    changed = GRAPH.replace("0.95", "0.90")
    file.write_text(changed, encoding="utf-8")
    user.click(dialog.go)
    user.rest()
    assert dialog.trouble.text().startswith("Not saved.\nSomething changed")
    assert file.read_text(encoding="utf-8") == changed, "it is as it was"
    assert len(dialog.cards) == 1, "it was looked at anew"
    user.close(dialog)
    assert ("accuracy", "added: 0.96") in rows(window), "what was edited is there still"


def test_nothing_to_push(window: MainWindow, user: User, editor: Editor) -> None:
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert dialog.said.text().startswith("There is nothing to save")
    assert not dialog.go.isEnabled()
    user.close(dialog)


def test_edits_are_exported(window: MainWindow, user: User, editor: Editor, tmp_path: Path) -> None:
    editor.set_accuracy("0.95", "0.96", "measured anew")
    editor.make([], [(ex("data"), ex("note"), Literal("checked"))], "Note of Data 1")
    window.run("changes.time")
    user.rest()
    for number, (name, edits) in enumerate((("one.rdfp", 1), ("all.ru", 2), ("all.ttl", 2))):
        user.window.run("changes.export")
        dialog = user.dialog(JournalExportDialog)
        user.click(dialog.what.button(0 if edits == 1 else 1))
        user.click(dialog.format.button(number))
        assert dialog.file.text().endswith(Path(name).suffix)
        dialog.file.setText(str(tmp_path / name))
        user.click(dialog.export)
        user.until(lambda edits=edits: window.banner.title == f"Exported {edits} edit{'s' * (edits > 1)}")
        user.until(lambda: not window.findChildren(JournalExportDialog))
        window.banner.title = ""
    patch = (tmp_path / "one.rdfp").read_text(encoding="utf-8")
    assert "checked" in patch
    assert "0.96" not in patch
    assert "DELETE DATA" in (tmp_path / "all.ru").read_text(encoding="utf-8")
    assert "measured anew" in (tmp_path / "all.ttl").read_text(encoding="utf-8")


def test_a_file_that_is_written_anew_has_to_be_allowed(window: MainWindow, user: User, tmp_path: Path) -> None:
    file = tmp_path / "models.jsonld"
    file.write_text(
        '{"@id": "http://example.org/model", "http://example.org/accuracy": [{"@value": "0.95",'
        ' "@type": "http://www.w3.org/2001/XMLSchema#decimal"}]}',
        encoding="utf-8",
    )
    user.open_files([file])
    user.press("F4")
    user.rest()
    user.click(user.button("Start editing", window.features.changes.page))
    user.rest()
    Editor(user).set_accuracy("0.95", "0.96")
    before = file.read_bytes()
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert dialog.rewrite is not None
    assert not dialog.go.isEnabled()
    assert dialog.state.text() == "Allow rewriting the file, or cancel"
    assert file.read_bytes() == before
    user.click(dialog.rewrite)
    user.click(dialog.go)
    user.rest()
    assert dialog.said.text() == "Saved: +1 \u22121 statements"
    assert '"0.96"' in file.read_text(encoding="utf-8")
    user.close(dialog)


def test_all_conflicts_are_decided_alike(window: MainWindow, user: User, editor: Editor, file: Path) -> None:
    editor.set_accuracy("0.95", "0.96")
    label = RDFS.label
    editor.make([(ex("data"), label, Literal("Data 1"))], [(ex("data"), label, Literal("Data A"))], "Label of Data 1")
    theirs = GRAPH.replace("0.95", "0.94").replace("Data 1", "Data B")
    file.write_text(theirs, encoding="utf-8")
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    user.click(user.button("Decide all conflicts: theirs", dialog))
    assert [card.choice for card in dialog.cards] == [Choice.THEIRS, Choice.THEIRS]
    assert dialog.state.text() == "All conflicts are resolved"
    user.click(dialog.go)
    user.rest()
    assert file.read_text(encoding="utf-8") == theirs
    user.close(dialog)
    user.until(lambda: window.features.changes.page.summary.text() == "Everything is written")


def test_what_is_of_no_source_is_given_to_one_and_pushed(
    window: MainWindow, user: User, editor: Editor, file: Path
) -> None:
    table = Quad(ex("model"), ex("took"), Literal("7 s"), NamedNode("file:///table.csv"))
    window.bridge.run(Session.edit, ChangeSet((), (table,), "Table"), title="Edit", writes=True)
    user.rest()
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert dialog.said.text() == "Nothing can be saved yet: the added statements belong to no source."
    assert not dialog.go.isEnabled()
    assert dialog.takers is not None
    assert dialog.give is not None
    assert [dialog.takers.itemText(at) for at in range(dialog.takers.count())] == ["models.ttl"]
    dialog.give.setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Space", dialog.give)
    user.until(dialog.go.isEnabled)
    assert dialog.give is None
    assert dialog.said.text() == "What will be saved to 1 source"
    user.press("Return", dialog.go)
    user.rest()
    assert dialog.said.text() == "Saved: +1 statement"
    user.press("Return", dialog.cancel)
    user.until(lambda: not window.findChildren(PushDialog))
    assert "7 s" in file.read_text(encoding="utf-8")
    user.until(lambda: window.features.changes.page.summary.text() == "Everything is written")
