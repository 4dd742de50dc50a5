"""The SPARQL editor, with real keys: faults at their place, running, history."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QApplication

from hpc_explorer.app.query.history import read_history
from hpc_explorer.canvas.palette import DARK, LIGHT, Theme
from hpc_explorer.rdf.sparql_tokens import sparql_tokens
from hpc_explorer.stores.base import Count
from hpc_explorer.ui.results.answer_table import AnswerTableView
from hpc_explorer.ui.sparql.code_edit import characters, matching_brackets, utf16
from hpc_explorer.ui.sparql.highlighting import COLOURS
from hpc_explorer.ui.sparql.history_dialog import QueryHistoryDialog
from hpc_explorer.ui.sparql.plan_dialog import HowAnsweredDialog
from hpc_explorer.ui.widgets.theme import use_theme
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.sparql_writer import Writer
from tests.helpers.windows import User

HPC = "PREFIX hpc: <https://hpc-fair.github.io/ontology#>\n"


def test_what_cannot_be_read_is_underlined_and_said(writer: Writer) -> None:
    writer.type("SELECT * { ?m hpcx:name ?n }")
    writer.until(lambda: writer.said)
    assert writer.said == "Line 1, column 15: the prefix hpcx: is not declared."
    marked = writer.editor.edit.extraSelections()[-1]
    assert (marked.cursor.selectionStart(), marked.cursor.selectionEnd()) == (14, 19)
    writer.write("SELECT * { ?m hpc:name ?n }")
    writer.until(lambda: not writer.said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT * {\n  ?s ?p (1 }", "Line 2, column 12: there is nothing open that } would close."),
        ("SELECT * {\n  ?s ?p 'a }", "Line 2, column 9: the string is not closed: ' is missing."),
        ("SELECT * { ?s ?p ?o", "Line 1, column 10: { is not closed: } is missing."),
        ("SELECT * { ?s ?p }", "Line 1, column 18: expected a variable, an IRI or a value, found"),
        (
            "INSERT DATA { <a:a> <a:b> <a:c> }",
            "Line 1, column 1: INSERT would change the graph; only queries are allowed",
        ),
    ],
)
def test_faults_at_their_place(writer: Writer, text: str, said: str) -> None:
    writer.write(text)
    writer.until(lambda: writer.said)
    assert writer.said.startswith(said)


def test_the_whole_query_or_what_is_selected_is_run(writer: Writer) -> None:
    text = "PREFIX x: <http://x/>\nSELECT * { ?m a x:A }\nSELECT * { ?n a x:B }"
    writer.write(text)
    writer.press("Ctrl+Return")
    assert writer.ran == [text]
    writer.press("Shift+Home")
    writer.press("Ctrl+Return")
    assert writer.ran[1:] == ["PREFIX x: <http://x/> SELECT * { ?n a x:B }"]


def test_other_forms_are_answered_in_the_editor(writer: Writer) -> None:
    writer.write("ASK { ?m a hpc:AIModel }")
    writer.press("Ctrl+Return")
    writer.until(lambda: writer.said == "Yes.")
    writer.write("ASK { ?m a hpc:Nothing }")
    writer.press("Ctrl+Return")
    writer.until(lambda: writer.said == "No.")
    writer.write("CONSTRUCT { ?m hpc:targetMachine ?x } { ?m a hpc:AIModel ; hpc:targetMachine ?x }")
    writer.press("Ctrl+Return")
    writer.until(lambda: writer.said == "3 triples.")
    (table,) = writer.editor.findChildren(AnswerTableView)
    assert table.model().rowCount() == 3
    assert writer.ran == []
    assert [str(one.rows) for one in read_history().queries] == ["3", "1", "1"]


def test_updates_are_refused(writer: Writer) -> None:
    writer.write("PREFIX x: <http://x/> DELETE WHERE { ?s ?p ?o }")
    writer.press("Ctrl+Return")
    assert writer.said == "DELETE would change the graph; only queries are allowed here."
    assert writer.ran == []
    assert read_history().queries == ()


def test_escape_stops_the_query(writer: Writer) -> None:
    stopped: list[bool] = []
    writer.editor.cancel_wanted.connect(lambda: stopped.append(True))
    writer.write("ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a = ?l && ?l = 5 && ?c < ?f) }")
    writer.press("Ctrl+Return")
    writer.press("Escape")
    assert writer.said == "Stopped."
    assert stopped
    writer.until(lambda: not writer.bridge.is_busy)


def test_history_is_kept_stepped_through_and_picked_from(writer: Writer) -> None:
    for number in (1, 2):
        writer.write(f"SELECT * {{ ?m a hpc:AIModel }} LIMIT {number}")
        writer.press("Ctrl+Return")
        writer.editor.note_count(Count(number))
    writer.write("SELECT ?unfinished")
    writer.press("Alt+Up")
    assert writer.editor.text().endswith("LIMIT 2")
    writer.press("Alt+Up")
    writer.press("Alt+Up")
    assert writer.editor.text().endswith("LIMIT 1")
    writer.press("Alt+Down")
    writer.press("Alt+Down")
    assert writer.editor.text() == "SELECT ?unfinished"
    kept = read_history().queries
    assert [(one.text[-1], one.rows) for one in kept] == [("2", Count(2)), ("1", Count(1))]
    assert all(one.seconds is not None for one in kept)
    writer.editor.actions_by_name["History"].trigger()
    (dialog,) = writer.editor.window().findChildren(QueryHistoryDialog)
    assert dialog.list.count() == 2
    writer.qtbot.keyClicks(dialog.box, "limit 1")
    assert dialog.list.count() == 1
    assert "1 row in" in dialog.remark.text()
    writer.qtbot.keyClick(dialog.box, Qt.Key.Key_Return)
    assert writer.editor.text().endswith("LIMIT 1")


def test_a_query_that_is_run_again_stands_once(writer: Writer) -> None:
    for text in ("SELECT * { ?a ?b ?c }", "SELECT * { ?d ?e ?f }", "SELECT * { ?a ?b ?c }"):
        writer.write(text)
        writer.press("Ctrl+Return")
    assert [one.text[11:13] for one in read_history().queries] == ["?a", "?d"]


def test_what_answers_a_query(writer: Writer) -> None:
    writer.write("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    writer.editor.actions_by_name["Explain"].trigger()
    writer.until(lambda: writer.editor.window().findChildren(HowAnsweredDialog))
    (dialog,) = writer.editor.window().findChildren(HowAnsweredDialog)
    assert dialog.words == "Answered by the triples"
    dialog.reject()


def test_comments_and_indenting(writer: Writer) -> None:
    writer.write("SELECT * {\n?s ?p ?o|\n}")
    writer.press("Tab")
    assert writer.editor.text() == "SELECT * {\n?s ?p ?o  \n}"
    writer.press("Backtab")
    writer.press("Ctrl+Z")
    writer.write("SELECT * {\n?s ?p ?o|\n}")
    writer.press("Ctrl+/")
    assert writer.editor.text() == "SELECT * {\n# ?s ?p ?o\n}"
    writer.type(" x")
    assert writer.editor.text() == "SELECT * {\n# ?s ?p ?o x\n}"
    writer.press("Ctrl+/")
    assert writer.editor.text() == "SELECT * {\n?s ?p ?o x\n}"
    writer.press("Ctrl+A")
    writer.press("Tab")
    assert writer.editor.text() == "  SELECT * {\n  ?s ?p ?o x\n  }"
    writer.press("Shift+Tab")
    assert writer.editor.text() == "SELECT * {\n?s ?p ?o x\n}"
    writer.press("Ctrl+/")
    assert writer.editor.text() == "# SELECT * {\n# ?s ?p ?o x\n# }"
    writer.press("Ctrl+Z")
    assert writer.editor.text() == "SELECT * {\n?s ?p ?o x\n}"


def test_the_text_is_laid_out_anew_as_one_step(writer: Writer) -> None:
    text = "SELECT * WHERE { ?s hpc:name| ?n. ?s a hpc:AIModel }"
    writer.write(text)
    writer.editor.format()
    laid_out = writer.editor.text()
    assert laid_out.count("\n") >= 3
    assert laid_out.split() != text.replace("|", "")
    assert laid_out[: writer.editor.edit.textCursor().position()].endswith("hpc:name")
    writer.press("Ctrl+Z")
    assert writer.editor.text() == text.replace("|", "")


def test_a_new_line_is_indented(writer: Writer) -> None:
    writer.type("ASK {")
    writer.press("Return")
    writer.type("?s ?p ?o .")
    writer.press("Return")
    assert writer.editor.text() == "ASK {\n  ?s ?p ?o .\n  "


def test_zoom_by_keys_and_wheel(writer: Writer) -> None:
    edit = writer.editor.edit
    before = edit.letter_size
    writer.press("Ctrl++")
    writer.press("Ctrl+=")
    assert edit.letter_size == before + 2
    assert edit.fontInfo().pixelSize() == before + 2
    writer.press("Ctrl+-")
    assert edit.letter_size == before + 1
    place = QPointF(50, 50)
    turned = QWheelEvent(
        place,
        edit.viewport().mapToGlobal(place),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(edit.viewport(), turned)
    assert edit.letter_size == before + 2
    writer.press("Ctrl+0")
    assert edit.letter_size == before


def test_text_from_elsewhere_is_not_told_of(writer: Writer) -> None:
    writer.editor.set_text("SELECT * { ?s ?p ?o }")
    writer.until(lambda: not writer.bridge.is_busy)
    writer.qtbot.waitUntil(lambda: writer.editor.edit.document().isUndoAvailable())
    assert writer.told == []
    writer.press("Ctrl+Z")
    assert writer.editor.text() == ""
    writer.until(lambda: writer.told == [""])


def test_brackets_and_places_beyond_sixteen_bits() -> None:
    text = "ASK { ?s ?p '}' } # }"
    assert matching_brackets(list(sparql_tokens(text)), 4) == (4, 16)
    assert matching_brackets(list(sparql_tokens(text)), 17) == (4, 16)
    assert matching_brackets(list(sparql_tokens("}{")), 1) == ()
    odd = "a😀b"
    assert [utf16(odd, at) for at in range(4)] == [0, 1, 3, 4]
    assert [characters(odd, utf16(odd, at)) for at in range(4)] == [0, 1, 2, 3]


def luminance(colour: str) -> float:
    parts = [one / 255 for one in QColor(colour).getRgb()[:3]]  # type: ignore[index]
    linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_can_be_read(look: Theme) -> None:
    for colour in COLOURS[look.name].values():
        for ground in (look.surface, look.raised, look.accent_soft):
            lighter, darker = sorted((luminance(colour), luminance(ground)), reverse=True)
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (colour, ground)


def test_from_an_empty_window_to_rows_by_keys(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.press("Ctrl+5", window)
    user.rest()
    tab = window.features.ask.tab
    user.click(tab.write)
    assert tab.editor.edit.hasFocus()
    user.rest()
    user.type("SELECT * WHERE { ?m a ai mod")
    user.until(lambda: tab.editor.edit.popup is not None and tab.editor.edit.popup.isVisible())
    user.press("Return")
    user.type(" }")
    assert tab.editor.text() == f"{HPC}SELECT * WHERE {{ ?m a hpc:AIModel }}"
    assert "sparql.run" in window.commands.usable
    user.press("Ctrl+Return")
    user.rest()
    user.until(lambda: [str(one.rows) for one in read_history().queries] == ["3"])
    user.window.run("ask.sparql")
    user.rest()
    assert tab.editor.text() == f"{HPC}SELECT * WHERE {{ ?m a hpc:AIModel }}"
    user.press("Ctrl+Z", tab.editor.edit)
    assert tab.editor.text() != f"{HPC}SELECT * WHERE {{ ?m a hpc:AIModel }}"


def test_commands_of_the_editor_need_it_in_sight(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    assert not [name for name in window.commands.usable if name.startswith("sparql.")]
    user.press("Ctrl+5", window)
    user.rest()
    user.click(window.features.ask.tab.write)
    user.type("ASK { ?s ?p ?o }")
    user.rest()
    assert len([name for name in window.commands.usable if name.startswith("sparql.")]) == 6
    window.run("sparql.run")
    user.until(lambda: window.features.ask.tab.editor.message.text() == "Yes.")


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_every_part_takes_over_the_theme(writer: Writer, look: Theme) -> None:
    writer.write("SELECT * { ?m a | }")
    writer.press("Ctrl+Space")
    writer.until(lambda: writer.offered)
    use_theme(look)
    assert writer.editor.edit.extraSelections()[0].format.background().color().name() == look.raised
