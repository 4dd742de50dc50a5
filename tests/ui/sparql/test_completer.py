"""What is written is completed by what exists, with real keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from hpc_explorer.query.completion import candidates
from tests.helpers.sparql_writer import Writer

HPC = "PREFIX hpc: <https://hpc-fair.github.io/ontology#>\n"


def test_what_is_typed_is_completed_with_its_prefix(writer: Writer) -> None:
    writer.type("SELECT * WHERE { ?m a hpc:AIModel ; target mach")
    writer.until(lambda: writer.offered == ["hpc:targetMachine"])
    assert writer.editor.edit.hasFocus()
    writer.press("Return")
    assert writer.editor.text() == f"{HPC}SELECT * WHERE {{ ?m a hpc:AIModel ; hpc:targetMachine"
    assert writer.offered == []
    writer.type(" ?x }")
    assert writer.editor.text().endswith("hpc:targetMachine ?x }")
    writer.until(lambda: writer.told[-1:] == [writer.editor.text()])


def test_a_completion_is_one_step_that_can_be_taken_back(writer: Writer) -> None:
    writer.write("SELECT * { ?m a model| }")
    before = writer.editor.text()
    writer.press("Ctrl+Space")
    writer.until(lambda: "hpc:AIModel" in writer.offered)
    writer.press("Tab")
    assert writer.editor.text() == f"{HPC}SELECT * {{ ?m a hpc:AIModel }}"
    writer.press("Ctrl+Z")
    assert writer.editor.text() == before
    writer.press("Ctrl+Shift+Z")
    assert writer.editor.text() == f"{HPC}SELECT * {{ ?m a hpc:AIModel }}"


def test_values_are_looked_for_on_demand_and_walked_through(writer: Writer) -> None:
    writer.write(f"{HPC}SELECT * {{ ?m a hpc:AIModel ; hpc:targetMachine | }}")
    writer.press("Ctrl+Space")
    writer.until(lambda: "cluster:lassen" in writer.offered)
    assert writer.editor.edit.popup is not None
    writer.press("Down")
    assert writer.editor.edit.popup.current is not None
    assert writer.editor.edit.popup.current.text == writer.offered[1]
    writer.press("Up")
    assert writer.editor.edit.popup.current is not None
    assert writer.editor.edit.popup.current.text == "cluster:lassen"
    assert str(writer.editor.edit.popup.current.count) == "2"
    writer.press("Return")
    assert "hpc:targetMachine cluster:lassen }" in writer.editor.text()
    assert "PREFIX cluster: <http://example.org/cluster/>\n" in writer.editor.text()


def test_escape_closes_the_list_and_a_click_chooses(writer: Writer) -> None:
    writer.write("SELECT * { ?m a | }")
    writer.press("Ctrl+Space")
    writer.until(lambda: writer.offered)
    writer.press("Escape")
    assert writer.offered == []
    writer.press("Ctrl+Space")
    writer.until(lambda: writer.offered)
    popup = writer.editor.edit.popup
    assert popup is not None
    place = popup.list.visualRect(popup.list.model().index(1, 0)).center()
    chosen = popup.completions[1].text
    writer.qtbot.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert f"?m a {chosen} }}" in writer.editor.text()


def test_completion_behind_letters_beyond_sixteen_bits(writer: Writer) -> None:
    writer.editor.set_text("# 😀\nSELECT * { ?m a model }")
    cursor = writer.editor.edit.textCursor()
    cursor.setPosition(len("# 😀\nSELECT * { ?m a model") + 1)
    writer.editor.edit.setTextCursor(cursor)
    writer.press("Ctrl+Space")
    writer.until(lambda: "hpc:AIModel" in writer.offered)
    writer.press("Return")
    assert writer.editor.text() == f"# 😀\n{HPC}SELECT * {{ ?m a hpc:AIModel }}"


def test_a_list_that_is_cut_says_of_how_many(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = "SELECT * { ?m a | }"
    writer.write(everything)
    writer.press("Ctrl+Space")
    writer.until(lambda: writer.offered)
    total = len(writer.offered)
    writer.press("Escape")
    monkeypatch.setattr(candidates, "MOST", 5)
    writer.write(everything)
    writer.press("Ctrl+Space")
    writer.until(lambda: len(writer.offered) == 5)
    popup = writer.editor.edit.popup
    assert popup is not None
    assert popup.remark.text() == f"5 of {total}: type more letters"
