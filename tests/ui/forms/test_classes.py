"""The classes of a resource in the head of its form: added, removed, kept after all, saved, taken back, found again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from hpc_explorer.app.forms.typed import TypedFormsFile
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.forms.class_controller import NO_CLASS, AddClassDialog
from hpc_explorer.ui.forms.describe_dialog import DescribeDialog
from hpc_explorer.ui.widgets.chip import Chip
from hpc_explorer.ui.widgets.text import LinkBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

DATA = """
@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
ex:c a hpc:Cluster ; hpc:name "Lassen" ; hpc:computeNodeCount "684" .
ex:d a hpc:Dataset ; hpc:name "Times" ; hpc:project ex:p .
ex:p hpc:name "XPlacer" .
"""
C, D, P = (NamedNode(f"http://example.org/{name}") for name in "cdp")


@pytest.fixture
def editor(window: MainWindow, user: User, tmp_path: Path) -> User:
    """Somebody who has the form of a cluster before them, to be edited."""
    file = tmp_path / "data.ttl"
    file.write_text(DATA, encoding="utf-8")
    user.open_files([file])
    window.navigator.edit(C)
    user.rest()
    window.run("edit.start")
    user.until(lambda: window.features.form.can_type)
    user.rest()
    return user


def chips(window: MainWindow) -> list[str]:
    """The chips in the head, as a screen reader reads them."""
    return [
        chip.accessibleName() for chip in window.features.form.page.head.classes.findChildren(Chip) if chip.isVisible()
    ]


def classes(window: MainWindow, subject: NamedNode = C) -> set[NamedNode]:
    stated = window.features.form.session.store.match(subject, RDF.type)
    return {quad.object for quad in stated if isinstance(quad.object, NamedNode)}


def add_class(user: User, text: str) -> None:
    """Add a class by its key and its name."""
    user.window.run("edit.add_class")
    dialog = user.dialog(AddClassDialog)
    user.until(lambda: QApplication.focusWidget() is dialog.chooser.filter)
    user.type(text)
    user.press("Return")
    user.until(lambda: not dialog.isVisible())
    user.rest()


def type_name(user: User, text: str) -> None:
    row = user.window.features.form.page.fields.bring(HPC.name)
    assert row is not None
    row.entries_shown[0].lines[0].setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Ctrl+A")
    user.type(text)


def test_a_class_is_added_by_the_mouse_and_its_fields_come_with_it(window: MainWindow, editor: User) -> None:
    fields = window.features.form.page.fields
    type_name(editor, "Sierra")
    assert window.features.form.filling is not None
    assert window.features.form.filling.field(HPC.license) is None
    editor.click(editor.button("Add class…", window.features.form.page.head))
    dialog = editor.dialog(AddClassDialog)
    labels = [dialog.chooser.classes.rows.index(at).data() for at in range(dialog.chooser.classes.rows.rowCount())]
    assert not any(label == "Cluster" for label in labels), "it is one already"
    editor.type("dataset", dialog.chooser.filter)
    editor.click(dialog.add)
    editor.rest()
    assert chips(window) == ["Class Cluster", "Class Dataset, added"]
    assert window.features.form.page.head.words == "2 changes: class Dataset added · Name: Lassen → Sierra"
    assert fields.bring(HPC.license) is not None
    assert fields.bring(HPC.name).entries[0].text == "Sierra"
    editor.window.run("edit.save")
    editor.until(lambda: classes(window) == {HPC.Cluster, HPC.Dataset})
    editor.rest()
    assert chips(window) == ["Class Cluster", "Class Dataset"]
    editor.press("Ctrl+Z")
    editor.until(lambda: classes(window) == {HPC.Cluster})
    editor.rest()
    assert chips(window) == ["Class Cluster"]
    assert fields.bring(HPC.name).entries[0].text == "Lassen", "it was one step"
    assert fields.bring(HPC.license) is None


def test_a_class_is_removed_by_keys_and_what_it_knew_stays_among_the_other_properties(
    window: MainWindow, editor: User
) -> None:
    head = window.features.form.page.head
    assert window.features.form.findings.found, "a number of nodes that is a text"
    chip = head.classes.findChildren(Chip)[0]
    chip.setFocus(Qt.FocusReason.TabFocusReason)
    editor.press("Delete")
    editor.rest()
    assert chips(window) == ["Class Cluster, removed"]
    assert head.classes.remark == NO_CLASS
    assert head.words == "1 change: class Cluster removed"
    assert not window.features.form.findings.found, "they are as of the classes that it is to have"
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus.accessibleName() == "Keep class Cluster"
    filling = window.features.form.filling
    assert filling is not None
    assert [group.label for group in filling.groups] == ["Other properties"]
    row = window.features.form.page.fields.bring(HPC.computeNodeCount)
    assert row is not None
    assert row.entries[0].text == "684"
    editor.press("Space")
    editor.rest()
    assert chips(window) == ["Class Cluster"]
    assert not window.features.form.is_typed
    assert window.features.form.findings.found
    editor.click(editor.button("Remove class Cluster"))
    editor.rest()
    editor.window.run("edit.save")
    editor.until(lambda: not classes(window))
    editor.rest()
    assert chips(window) == []
    assert editor.button("Add class…", head)
    editor.press("Ctrl+Z", window)
    editor.until(lambda: classes(window) == {HPC.Cluster})
    editor.rest()


def test_tab_goes_from_the_buttons_through_the_classes_to_the_menu(window: MainWindow, editor: User) -> None:
    add_class(editor, "dataset")
    window.features.form.page.head.save.setFocus(Qt.FocusReason.TabFocusReason)
    names = []
    for _ in range(6):
        editor.press("Tab")
        focus = QApplication.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName())
    assert names[:5] == [
        "Class Cluster",
        "Remove class Cluster",
        "Class Dataset, added",
        "Remove class Dataset",
        "Add class…",
    ]


def test_what_is_discarded_is_as_the_graph_has_it(window: MainWindow, editor: User) -> None:
    add_class(editor, "dataset")
    editor.click(editor.button("Remove class Cluster"))
    editor.rest()
    assert window.features.form.page.head.words == "2 changes: class Dataset added · class Cluster removed"
    editor.window.run("edit.discard")
    editor.rest()
    assert chips(window) == ["Class Cluster"]
    assert not window.features.form.is_typed
    assert window.features.form.filling is not None
    assert window.features.form.filling.field(HPC.license) is None


def test_something_new_keeps_one_class_and_can_change_it(window: MainWindow, editor: User) -> None:
    editor.window.run("edit.describe")
    dialog = editor.dialog(DescribeDialog)
    editor.until(lambda: QApplication.focusWidget() is dialog.filter)
    editor.type("dataset")
    editor.press("Return")
    editor.type("More times")
    editor.rest()
    editor.press("Return")
    editor.until(lambda: window.features.form.filling is not None and window.features.form.filling.is_new)
    editor.rest()
    assert chips(window) == ["Class Dataset"]
    with pytest.raises(AssertionError, match="no button"):
        editor.button("Remove class Dataset")
    add_class(editor, "cluster")
    editor.click(editor.button("Remove class Dataset"))
    editor.rest()
    assert chips(window) == ["Class Cluster"]
    row = window.features.form.page.fields.bring(HPC.name)
    assert row is not None
    assert row.entries[0].text == "More times"
    new = NamedNode(window.features.form.page.head.iri.text())
    editor.window.run("edit.save")
    editor.until(lambda: classes(window, new) == {HPC.Cluster})
    editor.rest()
    editor.press("Ctrl+Z", window)
    editor.until(lambda: not classes(window, new))
    editor.rest()


def test_classes_are_found_again_after_the_program_was_killed(window: MainWindow, editor: User, tmp_path: Path) -> None:
    add_class(editor, "dataset")
    editor.click(editor.button("Remove class Cluster"))
    editor.rest()
    folder = window.features.form.session.workspace.folder
    # On a busy machine it is written between the two changes too.
    editor.until(
        lambda: (
            [(one.document["classes_added"], one.document["classes_removed"]) for one in TypedFormsFile(folder).kept()]
            == [([HPC.Dataset.value], [HPC.Cluster.value])]
        )
    )
    # As it lies on the disk now it would lie there if the program were killed at this moment.
    shutil.copytree(folder, tmp_path / "left")
    window.features.opener.open_workspace(tmp_path / "left")
    editor.rest()
    editor.until(lambda: window.banner.isVisible() and window.banner.title == "You were describing Lassen")
    editor.click(editor.button("Go on", window.banner))
    editor.until(lambda: window.features.form.is_typed)
    editor.rest()
    assert chips(window) == ["Class Cluster, removed", "Class Dataset, added"]
    assert window.features.form.filling is not None
    assert window.features.form.filling.field(HPC.license) is not None
    editor.window.run("edit.save")
    editor.until(lambda: classes(window) == {HPC.Dataset})
    editor.rest()


def test_what_is_linked_to_is_given_its_class_with_the_form_or_left_as_it_is(window: MainWindow, editor: User) -> None:
    window.navigator.edit(D)
    editor.rest()
    editor.until(lambda: window.features.form.findings.found)

    def links() -> dict[str, LinkBlock]:
        row = window.features.form.page.fields.bring(HPC.project)
        assert row is not None
        return {one.text(): one for one in row.findChildren(LinkBlock) if one.isVisible()}

    words = "Say that p is a Project"
    editor.until(lambda: words in links())
    editor.click(links()[words])
    editor.until(lambda: "Leave it as it is" in links())
    editor.rest()
    assert words not in links(), "it is fixed"
    assert window.features.form.page.head.words == f"1 change: {words}"
    assert not classes(window, P), "not before it is saved"
    editor.click(links()["Leave it as it is"])
    editor.until(lambda: words in links())
    editor.rest()
    assert not window.features.form.is_typed
    editor.click(links()[words])
    editor.until(lambda: "Leave it as it is" in links())
    editor.rest()
    editor.window.run("edit.save")
    editor.until(lambda: classes(window, P) == {HPC.Project})
    editor.rest()
    editor.press("Ctrl+Z", window)
    editor.until(lambda: not classes(window, P))
    editor.rest()


def test_inferred_classes_are_shown_as_such_and_cannot_be_removed(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    window.run("view.inferred")
    user.rest()
    window.navigator.edit(NamedNode("http://example.org/AIModel/MO000001"))
    user.rest()
    assert "Class AI model" in chips(window)
    assert any(name.endswith(", inferred") for name in chips(window))
    with pytest.raises(AssertionError, match="no button"):
        user.button("Remove class AI model")


def test_files_that_are_read_become_editable_before_a_class_is_added(window: MainWindow, user: User) -> None:
    model = NamedNode("http://example.org/AIModel/MO000001")
    user.open_sample("xplacer")
    window.navigator.edit(model)
    user.rest()
    add_class(user, "dataset")
    assert chips(window) == ["Class AI model", "Class Dataset, added"]
    user.window.run("edit.save")
    user.until(lambda: classes(window, model) == {HPC.AIModel, HPC.Dataset})
    user.rest()


def test_while_inferred_statements_are_shown_it_is_said_why_no_class_is_added(window: MainWindow, editor: User) -> None:
    window.run("view.inferred")
    editor.rest()
    said: list[str] = []
    window.bridge.said.connect(said.append)
    editor.window.run("edit.add_class")
    assert said == ["Statements that were inferred are shown: take them out before you edit."]
    assert not window.findChildren(AddClassDialog)
