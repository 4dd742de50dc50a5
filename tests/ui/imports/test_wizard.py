"""A table is converted by hand: opened, looked at, its columns told what they are, and written."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QTreeWidget

from hpc_explorer.annotate.tables.mapping_file import read_mapping
from hpc_explorer.rdf.namespaces import HPC, UNIT, XSD
from hpc_explorer.ui.imports.wizard import TableWizard
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

TABLE = """Run ID,Kernel,Duration [ns],Page Faults,Vendor,Label
r1,Kernel(Node*),"442,010.00",3,AMD,2
r2,Kernel2(bool*),None,many,NVIDIA,3
r3,cuda_time_step,"=2+3",some,AMD,1
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "runs.csv").write_text(TABLE)
    return tmp_path / "runs.csv"


@pytest.fixture
def wizard(user: User, window: MainWindow, table: Path) -> TableWizard:
    """The wizard on the table, which was dropped on the window."""
    user.open_files([table])
    found = user.dialog(TableWizard)
    settle(user, found)
    return found


def settle(user: User, wizard: TableWizard) -> None:
    """Wait until what is shown goes with what was chosen."""
    user.until(lambda: not wizard.is_waiting and not user.window.is_busy)


def texts(tree: QTreeWidget, column: int) -> list[str]:
    items = [tree.topLevelItem(place) for place in range(tree.topLevelItemCount())]
    return [item.text(column) for item in items if item is not None]


def choose_column(user: User, wizard: TableWizard, name: str) -> None:
    item = wizard.columns.findItems(name, Qt.MatchFlag.MatchExactly)[0]
    at = wizard.columns.visualItemRect(item).center()
    user.qtbot.mouseClick(wizard.columns.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert wizard.columns.column == name


def choose_kind(user: User, wizard: TableWizard, words: str) -> None:
    """With the keyboard: the list of kinds is walked until the one of these words."""
    kind = wizard.editor.kind
    kind.setFocus(Qt.FocusReason.TabFocusReason)
    place = kind.findText(words)
    user.press("Home", kind)
    for _ in range(place):
        user.press("Down", kind)
    assert kind.currentText() == words
    settle(user, wizard)


def test_a_dropped_table_is_shown_with_a_mapping_to_begin_with(user: User, wizard: TableWizard) -> None:
    assert wizard.format.delimiter.currentText() == "comma"
    assert wizard.format.encoding.currentText() == "utf-8"
    assert wizard.row.subject.text() == "https://example.org/tables/runs/{Run ID}"
    assert texts(wizard.columns, 0) == ["Run ID", "Kernel", "Duration [ns]", "Page Faults", "Vendor", "Label"]
    assert "3 rows make" in wizard.conversion.status
    assert "Kernel(Node*)" in wizard.preview.turtle.toPlainText()
    assert [item.text(0) for item in [wizard.preview.statements.topLevelItem(0)] if item is not None] == ["r1"]


def test_columns_are_told_what_they_are_and_the_preview_follows(
    user: User, wizard: TableWizard, tmp_path: Path
) -> None:
    choose_column(user, wizard, "Vendor")
    assert wizard.editor.remark.text() == ""
    choose_column(user, wizard, "Label")
    assert wizard.editor.remark.text() == "No property is called so; it gets a property of the table's own."
    choose_column(user, wizard, "Duration [ns]")
    assert wizard.editor.kind.currentText() == "Text"
    choose_kind(user, wizard, "Quantity with a unit")
    line = wizard.editor.unit
    line.setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Ctrl+A", line)
    user.type("ns · nanosecond", line)
    user.press("Return", line)
    settle(user, wizard)
    samples = wizard.editor.samples
    assert texts(samples, 1) == ["442010.00 ns", "no value", "not a number"]
    assert "Rejected (1)" in wizard.preview.tabText(3)
    choose_column(user, wizard, "Page Faults")
    choose_kind(user, wizard, "Whole number")
    wizard.editor.absent.setFocus(Qt.FocusReason.TabFocusReason)
    user.type("many, some", wizard.editor.absent)
    settle(user, wizard)
    assert texts(samples, 1) == ["3", "no value", "no value"]
    choose_column(user, wizard, "Vendor")
    choose_kind(user, wizard, "Link made of its text")
    assert "<https://example.org/things/AMD>" in wizard.preview.turtle.toPlainText()
    choose_column(user, wizard, "Label")
    choose_kind(user, wizard, "Left out")
    assert "t:label" not in wizard.preview.turtle.toPlainText()
    wizard.save_mapping(tmp_path / "m.yaml")
    settle(user, wizard)
    mapping = read_mapping(tmp_path / "m.yaml")
    (duration,) = mapping.columns["Duration [ns]"]
    assert (duration.unit, duration.datatype) == (UNIT.NanoSEC, XSD.decimal)
    assert mapping.columns["Page Faults"][0].absent == frozenset({"", "many", "some"})
    assert mapping.ignored == ("Label",)


def test_a_property_is_found_by_a_part_of_its_name_or_made(user: User, wizard: TableWizard) -> None:
    choose_column(user, wizard, "Label")
    line = wizard.editor.term
    for typed, term in (
        ("code variant", HPC.codeVariant.value),
        ("schema:name", "http://schema.org/name"),
        ("best of all", "https://example.org/tables/runs#bestOfAll"),
    ):
        line.setFocus(Qt.FocusReason.TabFocusReason)
        user.press("Ctrl+A", line)
        user.type(typed, line)
        user.press("Return", line)
        settle(user, wizard)
        assert wizard.mapping is not None
        assert wizard.mapping.columns["Label"][0].property.value == term
    assert wizard.isVisible(), "Enter in a line converts nothing"


def test_a_table_is_written_and_what_was_rejected_is_saved(user: User, wizard: TableWizard, tmp_path: Path) -> None:
    choose_column(user, wizard, "Duration [ns]")
    choose_kind(user, wizard, "Quantity with a unit")
    wizard.conversion.output.setText(str(tmp_path / "out.nt"))
    user.click(wizard.conversion.convert)
    settle(user, wizard)
    assert wizard.conversion.status.startswith("3 of 3 rows made ")
    assert "1 rejected" in wizard.conversion.status
    assert (tmp_path / "out.nt").read_text().count("QuantityValue") == 1
    assert texts(wizard.preview.rejects, 2) == ["=2+3"]
    wizard.save_rejects(tmp_path / "rejected.csv")
    settle(user, wizard)
    assert (tmp_path / "rejected.csv").read_text().splitlines()[1] == "3,Duration [ns],'=2+3,not a number,cell"
    choose_kind(user, wizard, "Text")
    assert wizard.conversion.status.startswith("The first 3 rows make "), (
        "what was converted is told of the mapping it was made by"
    )
    user.click(wizard.conversion.close_button)
    user.until(lambda: not user.window.findChildren(TableWizard))


def test_what_is_rejected_fits_into_its_columns(user: User, wizard: TableWizard, tmp_path: Path) -> None:
    choose_column(user, wizard, "Vendor")
    choose_kind(user, wizard, "Whole number")
    settle(user, wizard)
    rejects = wizard.preview.rejects
    wizard.preview.setCurrentIndex(3)
    settle(user, wizard)
    for width in (1184, 900):
        wizard.resize(width, wizard.height())
        user.rest()
        widths = [rejects.columnWidth(place) for place in range(4)]
        assert sum(widths) == rejects.viewport().width(), "all columns are in sight, and none is wider than needed"
        assert widths[0] >= rejects.sizeHintForColumn(0)
        assert widths[3] == max(widths), "the reason has most of the room"
    assert (
        rejects.visualItemRect(rejects.topLevelItem(0)).height()
        == wizard.columns.visualItemRect(wizard.columns.topLevelItem(0)).height()
    )


def test_a_number_looks_as_the_other_fields(wizard: TableWizard) -> None:
    assert wizard.format.heading.height() == wizard.format.delimiter.height()
    buttons = wizard.conversion.convert.parent()
    assert isinstance(buttons, QDialogButtonBox), "in the platform's order"
    assert buttons.buttonRole(wizard.conversion.convert) is QDialogButtonBox.ButtonRole.AcceptRole


def test_how_the_table_lies_can_be_changed(user: User, wizard: TableWizard, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("made by a tool;\nName;Größe\nx;1\n", encoding="latin-1")
    line = wizard.file
    line.setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Ctrl+A", line)
    user.type(str(tmp_path / "odd.csv"), line)
    user.press("Return", line)
    settle(user, wizard)
    assert wizard.format.delimiter.currentText() == "semicolon"
    assert "Windows-1252" in wizard.format.note.text()
    wizard.format.heading.setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Up", wizard.format.heading)
    settle(user, wizard)
    assert texts(wizard.columns, 0) == ["Name", "Größe"]
    assert wizard.mapping is not None
    assert wizard.mapping.table.heading == 2


def test_a_mapping_for_another_table_is_told(user: User, wizard: TableWizard) -> None:
    ready = next(
        action for action in wizard.mapping_button.menu().actions() if action.text() == "Shipped mappings"
    ).menu()
    next(action for action in ready.actions() if action.text() == "top500").trigger()
    settle(user, wizard)
    assert wizard.conversion.status.startswith("This mapping is for another table: ")
    assert not wizard.conversion.convert.isEnabled()
    next(action for action in wizard.mapping_button.menu().actions() if action.text() == "Suggest again").trigger()
    settle(user, wizard)
    assert wizard.conversion.convert.isEnabled()


def test_a_table_that_cannot_be_read_is_told(user: User, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "bad.xlsx").write_bytes(b"PK nothing")
    window.run("file.convert_table")
    wizard = user.dialog(TableWizard)
    user.type(str(tmp_path / "bad.xlsx"), wizard.file)
    user.press("Return", wizard.file)
    settle(user, wizard)
    assert "not a sound Excel workbook" in wizard.conversion.status
    assert not wizard.conversion.convert.isEnabled()
    user.close(wizard)


def test_a_table_is_added_to_what_is_open_and_taken_back(user: User, window: MainWindow, table: Path) -> None:
    user.open_sample("xplacer")
    before = window.features.overview.size_label.text()
    user.open_files([table])
    wizard = user.dialog(TableWizard)
    settle(user, wizard)
    user.click(wizard.conversion.into_graph)
    user.click(wizard.conversion.convert)
    settle(user, wizard)
    assert wizard.conversion.status.startswith("3 of 3 rows made ")
    user.click(wizard.conversion.close_button)
    user.rest()
    assert window.features.overview.size_label.text() != before
    user.search("Kernel(Node*)")
    window.run("edit.undo")
    user.rest()
    user.until(lambda: window.features.overview.size_label.text() == before)


def test_all_of_it_is_in_sight_on_a_small_screen(wizard: TableWizard) -> None:
    """One of 1920 by 1080 pixels at twice the size has 960 by 540, less the bar of the window."""
    assert wizard.minimumSizeHint().height() <= 440
    assert wizard.minimumSizeHint().width() <= 900


def test_a_conversion_is_stopped(user: User, wizard: TableWizard, tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("Run ID,Name\n" + "".join(f"r{n},x\n" for n in range(200_000)))
    wizard.open_table(tmp_path / "long.csv")
    settle(user, wizard)
    user.click(wizard.conversion.convert)
    user.catch(lambda: "rows" in wizard.conversion.status)
    user.click(user.button("Stop", wizard))
    settle(user, wizard)
    assert wizard.conversion.status.startswith("Stopped. Nothing was written")
    assert not (tmp_path / "long.ttl").exists()
    user.click(wizard.conversion.convert)
    user.catch(lambda: "rows" in wizard.conversion.status)
    user.click(wizard.conversion.close_button)
    assert wizard.isVisible(), "closing stops the work first"
    settle(user, wizard)
    user.click(wizard.conversion.close_button)
    user.until(lambda: not user.window.findChildren(TableWizard))
    assert not (tmp_path / "long.ttl").exists()


def test_a_tarql_file_is_taken_over_and_what_is_left_out_is_told(
    user: User, wizard: TableWizard, tmp_path: Path
) -> None:
    (tmp_path / "runs.sparql").write_text("""
    CONSTRUCT { ?run a hpc:TableRow ; hpc:kernelName ?Kernel ; hpc:vendor ?v }
    WHERE { BIND (IRI(CONCAT('https://example.org/run/', ?Run_ID)) AS ?run) BIND (UCASE(?Vendor) AS ?v) }
    """)
    wizard.use_mapping(str(tmp_path / "runs.sparql"))
    settle(user, wizard)
    assert wizard.row.subject.text() == "https://example.org/run/{Run ID}"
    assert wizard.conversion.status == "In the Tarql file, line 3: UCASE(…) is left out."
    assert "Kernel2(bool*)" in wizard.preview.turtle.toPlainText()
    (tmp_path / "broken.sparql").write_text("CONSTRUCT {")
    wizard.use_mapping(str(tmp_path / "broken.sparql"))
    settle(user, wizard)
    assert "syntax error" in wizard.conversion.status


def test_a_graph_in_json_is_opened_and_a_table_in_json_converted(
    user: User, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "graph.json").write_text('{"@id": "urn:x:a", "https://schema.org/name": "a"}')
    (tmp_path / "records.json").write_text('[{"ID": "a", "Deep": {"Size": 2}}]')
    user.open_files([tmp_path / "graph.json"])
    assert not window.findChildren(TableWizard)
    user.open_files([tmp_path / "records.json"])
    wizard = user.dialog(TableWizard)
    settle(user, wizard)
    assert texts(wizard.columns, 0) == ["ID", "Deep.Size"]
    assert not wizard.format.delimiter.isVisible()


def test_sheets_are_chosen(user: User, window: MainWindow, tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["Remark"])
    book.create_sheet("Runs").append(["ID", "Size_GB"])
    book["Runs"].append(["a", 2.5])
    book.save(tmp_path / "t.xlsx")
    user.open_files([tmp_path / "t.xlsx"])
    wizard = user.dialog(TableWizard)
    settle(user, wizard)
    assert texts(wizard.columns, 0) == ["Remark"]
    wizard.format.sheet.setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Down", wizard.format.sheet)
    settle(user, wizard)
    assert texts(wizard.columns, 0) == ["ID", "Size_GB"]
    assert "unit:GigaBYTE" in wizard.preview.turtle.toPlainText()


def test_of_several_tables_the_first_is_converted_and_the_others_are_named(
    user: User, window: MainWindow, table: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.csv").write_text("ID\na\n")
    user.open_files([table, tmp_path / "other.csv"])
    wizard = user.dialog(TableWizard)
    settle(user, wizard)
    assert wizard.file.text() == str(table)
    assert user.told == "Only one table and one model at a time: other.csv left out"


def test_a_property_of_another_meaning_is_asked_for_and_taken_when_it_is_said(
    user: User, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "runs.csv").write_text("Run ID,Duration\nr1,12448\nr2,10720\n")
    user.open_files([tmp_path / "runs.csv"])
    wizard = user.dialog(TableWizard)
    settle(user, wizard)
    assert texts(wizard.columns, 1) == ["t:runID", "hpc:executionTime? t:duration"]
    choose_column(user, wizard, "Duration")
    assert "Does it mean hpc:executionTime? It is a quantity" in wizard.editor.remark.text()
    assert "hpc:executionTime" not in wizard.preview.turtle.toPlainText()
    user.click(wizard.editor.offer)
    settle(user, wizard)
    assert not wizard.editor.offer.isVisible()
    assert wizard.editor.kind.currentText() == "Quantity with a unit"
    assert texts(wizard.columns, 1) == ["t:runID", "hpc:executionTime"]
    assert "hpc:executionTime" in wizard.preview.turtle.toPlainText()


def test_a_row_of_units_can_be_said(user: User, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("Run ID,Length\n,ticks\nr1,5\n")
    user.open_files([tmp_path / "runs.csv"])
    wizard = user.dialog(TableWizard)
    settle(user, wizard)
    assert "first 2 rows" in wizard.conversion.status
    user.click(wizard.format.units)
    settle(user, wizard)
    assert "first 1 rows" in wizard.conversion.status
    assert wizard.mapping is not None
    assert wizard.mapping.table.units


def test_rows_that_are_merged_are_told(user: User, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("Run,Age\na,1\na,2\nb,3\n")
    user.open_files([tmp_path / "runs.csv"])
    wizard = user.dialog(TableWizard)
    settle(user, wizard)
    wizard.row.subject.selectAll()
    user.type("https://example.org/{Run}", wizard.row.subject)
    settle(user, wizard)
    assert "1 row has the IRI of an earlier one" in wizard.conversion.status
    user.click(wizard.conversion.convert)
    settle(user, wizard)
    assert "1 row has the IRI of an earlier row, and other values" in wizard.conversion.status
