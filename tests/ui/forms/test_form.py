"""Forms in the tab Edit: what is typed, saved, taken back, discarded and found again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.forms.describe_dialog import DescribeDialog
from hpc_explorer.ui.forms.entries import LinkEntry, QuantityEntry
from hpc_explorer.ui.forms.field import FieldRow
from hpc_explorer.ui.forms.field_finder import fitting
from hpc_explorer.ui.forms.unsaved_dialog import UnsavedDialog
from hpc_explorer.ui.widgets.suggest_line import SuggestLine
from hpc_explorer.ui.widgets.text import LinkBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User, open_window

MODEL_NODE = NamedNode(MODEL)
LASSEN = NamedNode("http://example.org/cluster/lassen")

LONG = "measured " * 34


@pytest.fixture
def editor(window: MainWindow, user: User) -> User:
    """Somebody who has the form of a model before them, to be edited."""
    user.open_sample("xplacer")
    window.navigator.open(MODEL_NODE)
    user.rest()
    user.press("Ctrl+E")
    user.rest()
    user.press("Space")  # the button that starts editing has the keyboard
    user.until(lambda: window.features.form.can_type)
    user.rest()
    return user


def row(window: MainWindow, name: str) -> FieldRow:
    found = window.features.form.page.fields.bring(HPC.term(name))
    assert found is not None
    return found


def at_field(user: User, name: str, number: int = 0) -> None:
    row(user.window, name).entries_shown[number].lines[0].setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Ctrl+A")


def stated(window: MainWindow, predicate: NamedNode, subject: NamedNode = MODEL_NODE) -> set[str]:
    store = window.features.form.session.store
    return {quad.object.value for quad in store.match(subject, predicate) if isinstance(quad.object, Literal)}


def test_files_that_are_read_become_editable_in_one_step(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    window.navigator.open(MODEL_NODE)
    user.rest()
    user.press("Ctrl+E")
    user.rest()
    assert window.navigator.place.view is View.EDIT
    assert row(window, "name").entries_shown[0].lines[0].isEnabled() is False
    start = QApplication.focusWidget()
    assert start is not None
    assert start.accessibleName() == "Start editing"
    user.press("Space")
    user.until(lambda: window.features.form.can_type)
    user.rest()
    assert row(window, "name").entries_shown[0].lines[0].isEnabled()


def test_the_name_is_above_once(window: MainWindow, editor: User) -> None:
    assert window.pictures.title.text == "decisionTree.onnx · AI model"
    labels = [label for label in window.features.form.page.findChildren(QLabel) if label.isVisible()]
    assert labels
    assert not [label.text() for label in labels if "decisionTree.onnx" in label.text()]
    classes = window.features.form.page.head.classes
    assert classes.isVisible()
    assert classes.y() < window.features.form.page.head.save.geometry().bottom(), "the classes are in its place"


def test_a_value_is_saved_as_one_step_and_taken_back_and_done_again(window: MainWindow, editor: User) -> None:
    at_field(editor, "modelFormat")
    editor.type("PMML")
    assert window.features.form.page.head.words == "1 change: Model format: ONNX → PMML"
    assert row(window, "modelFormat").is_changed
    editor.window.run("edit.save")
    editor.until(lambda: stated(window, HPC.modelFormat) == {"PMML"})
    editor.rest()
    assert not window.features.form.is_typed
    assert not row(window, "modelFormat").is_changed
    assert window.commands.by_id["edit.undo"].text() == "Undo Model format of decisionTree.onnx"
    editor.press("Ctrl+Z")
    editor.until(lambda: stated(window, HPC.modelFormat) == {"ONNX"})
    editor.rest()
    assert row(window, "modelFormat").entries[0].text == "ONNX"
    editor.press("Ctrl+Shift+Z")
    editor.until(lambda: stated(window, HPC.modelFormat) == {"PMML"})
    editor.rest()
    assert row(window, "modelFormat").entries[0].text == "PMML"


def test_what_cannot_be_read_is_said_at_its_value_and_not_saved(window: MainWindow, editor: User) -> None:
    at_field(editor, "accuracy")
    editor.type("very good")
    editor.rest()
    line = row(window, "accuracy").entries_shown[0].lines[0]
    assert line.property("wrong") is True
    assert line.accessibleDescription().startswith("Not a number")
    at_field(editor, "name")
    editor.window.run("edit.save")
    assert QApplication.focusWidget() is line
    assert stated(window, HPC.accuracy) == {"0.934"}
    editor.window.run("edit.discard")
    editor.rest()
    assert row(window, "accuracy").entries[0].text == "0.934"
    assert not window.features.form.is_typed


def test_enter_adds_a_value_and_an_empty_one_leads_on(window: MainWindow, editor: User) -> None:
    field = row(window, "subject")
    before = len(field.entries_shown)
    field.entries_shown[-1].lines[0].setFocus(Qt.FocusReason.TabFocusReason)
    editor.press("Return")
    editor.type("HPC")
    editor.press("Return")
    assert len(field.entries_shown) == before + 2
    editor.press("Return")
    assert len(field.entries_shown) == before + 1
    assert not field.isAncestorOf(QApplication.focusWidget())
    editor.window.run("edit.save")
    editor.until(lambda: "HPC" in stated(window, HPC.subject))
    editor.rest()
    assert len(stated(window, HPC.subject)) == before + 1


def test_a_quantity_keeps_its_node_and_gets_its_unit_by_completion(window: MainWindow, editor: User) -> None:
    window.navigator.edit(LASSEN)
    editor.rest()
    entry = row(window, "totalClusterMemorySize").entries_shown[0]
    assert isinstance(entry, QuantityEntry)
    (node,) = (quad.object for quad in window.features.form.session.store.match(LASSEN, HPC.totalClusterMemorySize))
    at_field(editor, "totalClusterMemorySize")
    editor.type("210.5")
    editor.press("Tab")
    editor.press("Ctrl+A")
    editor.type("tebib")
    editor.until(lambda: entry.unit.is_suggesting)
    editor.press("Return")
    assert entry.unit.text() == "TiB"
    editor.window.run("edit.save")
    editor.until(lambda: stated(window, QUDT.value, node) == {"210.5"})
    editor.rest()
    (after,) = (quad.object for quad in window.features.form.session.store.match(LASSEN, HPC.totalClusterMemorySize))
    assert after == node


def test_a_link_is_found_by_its_name_or_made_with_the_form(window: MainWindow, editor: User) -> None:
    field = row(window, "contributor")
    field.take_keyboard()
    editor.press("Return")
    editor.type("Okafor")
    entry = field.entries_shown[-1]
    assert isinstance(entry, LinkEntry)
    editor.until(lambda: entry.line.is_suggesting)
    editor.press("Return")
    assert entry.line.text() == "Daniel Okafor"
    editor.press("Return")
    editor.type("Ada New")
    made = field.entries_shown[-1]
    assert isinstance(made, LinkEntry)
    editor.until(lambda: made.line.is_suggesting)
    assert [(one.label, one.second) for one in made.line.popup.offered] == [
        ("Create “Ada New”", "new Person"),
        ("Create “Ada New”", "new Agent"),
    ]
    editor.press("Return")
    editor.until(lambda: ":" in made.entry.text)
    new = NamedNode(made.entry.text)
    editor.window.run("edit.save")
    editor.until(lambda: stated(window, HPC.name, new) == {"Ada New"})
    editor.rest()
    store = window.features.form.session.store
    assert len(list(store.match(MODEL_NODE, HPC.contributor))) == 3
    assert [quad.object for quad in store.match(new, RDF.type)] == [HPC.Person]
    editor.press("Ctrl+Z")
    editor.until(lambda: not list(store.match(new)))
    editor.rest()


def test_a_person_is_described_by_an_orcid_and_found_by_it_afterwards(window: MainWindow, editor: User) -> None:
    orcid = "0000-0002-1825-0097"
    field = row(window, "contributor")
    field.take_keyboard()
    editor.press("Return")
    editor.type(f"Josiah Carberry https://orcid.org/{orcid}")
    made = field.entries_shown[-1]
    assert isinstance(made, LinkEntry)
    editor.until(lambda: made.line.is_suggesting)
    assert [one.second for one in made.line.popup.offered] == ["new Person"]
    editor.press("Return")
    person = NamedNode(f"https://orcid.org/{orcid}")
    editor.until(lambda: made.entry.text == person.value)
    assert made.line.text() == "Josiah Carberry"
    editor.window.run("edit.save")
    editor.until(lambda: stated(window, HPC.name, person) == {"Josiah Carberry"})
    editor.rest()
    assert [quad.object for quad in window.features.form.session.store.match(person, RDF.type)] == [HPC.Person]
    window.navigator.edit(NamedNode("http://example.org/AIModel/MO000002"))
    editor.rest()
    field = row(window, "contributor")
    field.take_keyboard()
    editor.press("Return")
    editor.type(orcid)
    again = field.entries_shown[-1]
    assert isinstance(again, LinkEntry)
    editor.until(lambda: again.line.is_suggesting)
    assert [one.label for one in again.line.popup.offered] == ["Josiah Carberry"]
    editor.press("Return")
    assert again.entry.text == person.value
    editor.window.run("edit.save")
    editor.until(lambda: len(list(window.features.form.session.store.match(None, HPC.contributor, person))) == 2)
    editor.rest()


def test_a_licence_is_chosen_from_the_spdx_list_and_another_text_is_kept(window: MainWindow, editor: User) -> None:
    line = row(window, "license").entries_shown[0].lines[0]
    assert isinstance(line, SuggestLine)
    line.setFocus(Qt.FocusReason.TabFocusReason)
    editor.press("Ctrl+A")
    editor.type("attribution 4.0")
    editor.until(lambda: line.is_suggesting)
    assert line.popup.offered[0].label == "CC-BY-4.0"
    assert line.popup.offered[0].second == "Creative Commons Attribution 4.0 International"
    editor.press("Return")
    assert line.text() == "CC-BY-4.0"
    editor.window.run("edit.save")
    editor.until(lambda: stated(window, HPC.license, MODEL_NODE) == {"CC-BY-4.0"})
    editor.rest()


def test_a_property_is_found_by_what_people_call_it(window: MainWindow, editor: User) -> None:
    finder = window.features.form.page.head.finder
    for typed, label in (
        ("licence", "license"), ("author", "contributor"), ("creator", "contributor"),
        ("hash", "MD5 checksum"), ("checksum", "MD5 checksum"), ("keyword", "subject"), ("homepage", "Web address"),
    ):  # fmt: skip
        editor.press("Ctrl+F")
        editor.press("Ctrl+A", finder)
        editor.type(typed)
        editor.until(lambda: finder.is_suggesting)
        assert label.casefold() in [one.label.casefold() for one in finder.popup.offered[:2]], typed
        editor.press("Escape", finder)
        editor.until(lambda: not finder.is_suggesting)


def test_a_name_is_not_called_wrong_while_it_is_looked_up(window: MainWindow, editor: User) -> None:
    field = row(window, "contributor")
    field.take_keyboard()
    editor.press("Return")
    entry = field.entries_shown[-1]
    assert isinstance(entry, LinkEntry)
    editor.type("Oka")
    assert not entry.line.property("wrong")
    editor.until(lambda: entry.line.is_suggesting)
    assert not entry.line.property("wrong")
    editor.rest()
    assert not entry.line.property("wrong"), "suggestions are in sight"
    editor.press("Escape")
    editor.until(lambda: entry.line.property("wrong"))
    editor.type("f")
    editor.until(lambda: entry.line.is_suggesting)
    editor.rest()
    assert not entry.line.property("wrong")
    editor.press("Tab")
    editor.until(lambda: entry.line.property("wrong"))


def test_any_property_can_be_added(window: MainWindow, editor: User) -> None:
    editor.press("Ctrl+F")
    editor.type("memory size")
    finder = window.features.form.page.head.finder
    editor.until(lambda: finder.is_suggesting)
    assert finder.popup.offered[0].second.startswith("add")
    editor.press("Return")
    editor.until(lambda: HPC.memorySize in window.features.form.page.fields.rows)
    assert QApplication.focusWidget() is row(window, "memorySize").entries_shown[0].lines[0]
    editor.type("4 GB")
    editor.window.run("edit.save")
    editor.until(lambda: list(window.features.form.session.store.match(MODEL_NODE, HPC.memorySize)))
    editor.rest()


def test_a_new_record_gets_licence_creator_and_size_by_keys_alone_and_each_field_is_in_sight(
    window: MainWindow, editor: User
) -> None:
    window.resize(1280, 720)
    editor.window.run("edit.describe")
    dialog = editor.dialog(DescribeDialog)
    editor.type("dataset", dialog.filter)
    editor.press("Return", dialog.filter)
    editor.type("Timings", dialog.name)
    editor.rest()
    editor.press("Return", dialog.name)
    editor.until(lambda: window.features.form.filling is not None and window.features.form.filling.is_new)
    editor.rest()
    assert window.pictures.title.text == "Timings"
    finder = window.features.form.page.head.finder
    for typed, text, takes in (("licence", "cc-by", True), ("creator", "Ada New", True), ("size", "12 MB", False)):
        editor.press("Ctrl+F")
        editor.type(typed)
        editor.until(lambda: finder.is_suggesting)
        editor.press("Return")
        editor.until(lambda: window.features.form.page.fields.isAncestorOf(QApplication.focusWidget()))
        editor.rest()
        line = QApplication.focusWidget()
        editor.type(text)
        if takes:
            assert isinstance(line, SuggestLine)
            editor.until(lambda line=line: line.is_suggesting)  # type: ignore[misc]  # a line
            editor.press("Return")
        editor.rest()
        assert line is not None
        assert line.visibleRegion().boundingRect().height() == line.height(), f"{typed} is not in sight"
    assert window.features.form.page.head.words.startswith(
        "4 changes: Name: Timings · Contributor: Ada New · License: CC-BY-4.0"
    )
    editor.window.run("edit.save")
    editor.until(lambda: any(window.features.form.session.store.match(None, HPC.license, Literal("CC-BY-4.0"))))
    editor.rest()


def test_something_new_with_the_name_of_another_is_said_to_be_there(window: MainWindow, editor: User) -> None:
    editor.window.run("edit.describe")
    dialog = editor.dialog(DescribeDialog)
    editor.type("AI model", dialog.filter)
    editor.press("Return", dialog.filter)
    editor.type("decisionTree.onnx", dialog.name)
    editor.until(lambda: dialog.findChildren(LinkBlock))
    assert "decisionTree.onnx" in dialog.findChildren(LinkBlock)[0].text()
    dialog.iri.selectAll()
    editor.type(MODEL, dialog.iri)
    editor.until(lambda: "already" in dialog.iri.accessibleDescription())
    assert not dialog.begin_button.isEnabled()
    editor.close(dialog)


def test_of_several_forms_not_saved_any_is_gone_on_with(
    qapp: QApplication, qtbot: QtBot, window: MainWindow, editor: User
) -> None:
    at_field(editor, "modelFormat")
    editor.type("PMML")
    editor.rest()
    window.navigator.edit(LASSEN)
    editor.until(lambda: window.features.form.can_type)
    editor.rest()
    at_field(editor, "name")
    editor.type("Lassen at LLNL")
    editor.rest()
    folder = window.features.form.session.workspace.folder
    window.quit_now()
    again = open_window(qapp, qtbot, Settings.load(), Session.new())
    user = User(qtbot, again)
    again.open_sources([str(folder)])
    user.until(again.banner.isVisible)
    user.rest()
    assert again.banner.title == "You were describing lassen and decisionTree.onnx"
    assert again.banner.text.startswith("2 forms were typed and not saved")
    user.click(user.button("Choose…", again.banner))
    dialog = user.dialog(UnsavedDialog)
    assert dialog.list.topLevelItemCount() == 2
    user.press("Down", dialog.list)
    user.press("Return", dialog.list)
    user.until(lambda: again.features.form.is_typed)
    user.rest()
    assert row(again, "modelFormat").entries[0].text == "PMML"
    again.run("edit.unsaved")
    dialog = user.dialog(UnsavedDialog)
    user.press("Return", dialog.list)
    user.until(lambda: again.navigator.place.focus == LASSEN and again.features.form.is_typed)
    user.rest()
    assert row(again, "name").entries[0].text == "Lassen at LLNL"
    for _ in range(2):
        user.window.run("edit.discard")
        user.rest()
        again.navigator.edit(MODEL_NODE)
        user.rest()
    assert not again.commands.by_id["edit.unsaved"].isEnabled(), "there is none left"
    again.quit_now()


def test_what_is_typed_and_not_saved_is_offered_at_the_next_start(
    qapp: QApplication, qtbot: QtBot, window: MainWindow, editor: User
) -> None:
    at_field(editor, "modelFormat")
    editor.type("PMML")
    editor.rest()
    folder = window.features.form.session.workspace.folder
    window.quit_now()
    session = Session.new()
    again = open_window(qapp, qtbot, Settings.load(), session)
    user = User(qtbot, again)
    again.open_sources([str(folder)])
    user.until(again.banner.isVisible)
    user.rest()
    assert again.banner.title == "You were describing decisionTree.onnx"
    assert again.navigator.place.view is not View.EDIT
    user.click(user.button("Go on", again.banner))
    user.until(lambda: again.features.form.is_typed)
    user.rest()
    assert row(again, "modelFormat").entries[0].text == "PMML"
    assert stated(again, HPC.modelFormat) == {"ONNX"}
    user.window.run("edit.discard")
    user.rest()
    assert not again.features.form.is_typed
    assert not list((Path(folder) / "typed").glob("*"))
    again.quit_now()


def test_a_form_of_sixty_fields_with_a_long_label_is_folded_and_reached_by_keys(
    window: MainWindow, editor: User, tmp_path: Path
) -> None:
    ontology = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <http://example.org/many#> .\n"
    ontology += "@prefix owl: <http://www.w3.org/2002/07/owl#> . ex:Many a owl:Class ; rdfs:label 'Many' .\n"
    ontology += "\n".join(
        f"ex:p{number} a owl:DatatypeProperty ; rdfs:domain ex:Many ; rdfs:label '{LONG if number == 7 else 'part'} {number}' ."
        for number in range(60)
    )
    ontology += "\nex:one a ex:Many ; ex:p7 'x' ."
    file = tmp_path / "many.ttl"
    file.write_text(ontology, encoding="utf-8")
    editor.window.run("file.close_all")
    editor.rest()
    editor.open_files([file])
    window.navigator.edit(NamedNode("http://example.org/many#one"))
    editor.rest()
    window.run("edit.start")
    editor.until(lambda: window.features.form.can_type)
    editor.rest()
    window.resize(960, 700)
    shown = len(window.features.form.page.fields.rows)
    assert shown < 20
    fields = window.features.form.page.fields
    editor.until(lambda: fields.widget().width() <= fields.viewport().width())
    found = fitting("part", window.features.form.filling, ())
    assert (len(found.offered), found.remark) == (40, "40 of 59: type more of the name")
    editor.press("Ctrl+F")
    editor.type("part 51")
    editor.press("Return")
    editor.until(lambda: NamedNode("http://example.org/many#p51") in fields.rows)
    assert QApplication.focusWidget().accessibleName() == "part 51"
    assert len(fields.rows) == shown + 1


def test_what_the_shapes_say_stands_at_the_field_with_the_step_that_fixes_it(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    file = tmp_path / "summit.ttl"
    file.write_text(
        "@prefix hpc: <https://hpc-fair.github.io/ontology#> . <http://example.org/summit> a hpc:Cluster ; "
        'hpc:name "Summit" ; hpc:computeNodeCount "4608" .',
        encoding="utf-8",
    )
    user.open_files([file])
    summit = NamedNode("http://example.org/summit")
    window.navigator.edit(summit)
    user.rest()
    window.run("edit.start")
    user.until(lambda: window.features.form.findings.found)
    user.rest()
    links: list[LinkBlock] = []

    def look() -> bool:
        found = row(window, "computeNodeCount").findChildren(LinkBlock)
        links[:] = [one for one in found if one.isVisible()]
        return bool(links)

    user.until(look)
    assert [one.text() for one in links] == ["Write it as a whole number: “4608”"]
    links[0].setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Return")
    user.until(lambda: not window.features.form.findings.found)
    user.rest()
    assert window.features.form.is_typed
    assert row(window, "computeNodeCount").entries_shown[0].lines[0] is QApplication.focusWidget()
    user.window.run("edit.save")
    whole = Literal("4608", datatype=XSD.integer)
    user.until(
        lambda: [q.object for q in window.features.form.session.store.match(summit, HPC.computeNodeCount)] == [whole]
    )
    user.rest()
