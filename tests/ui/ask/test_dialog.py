"""Ask in English by keys: typed, completed, corrected, and shown as a query."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from hpc_explorer.app.settings import CONFIG_VARIABLE, Settings
from hpc_explorer.ui.ask.dialog import AskDialog
from hpc_explorer.ui.ask.word_colours import UNDERSTOOD
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.questions.save_dialog import SaveQuestionDialog
from hpc_explorer.ui.widgets.theme import current_theme
from tests.helpers.model_server import model_server, says
from tests.helpers.windows import User


@pytest.fixture
def asking(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AskDialog:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    user.open_sample("campaign")
    user.window.run("ask.english")
    dialog = user.dialog(AskDialog)
    user.rest()
    return dialog


def rows_of(user: User) -> int:
    return len(user.window.features.ask.tab.rows.table.rows.shown)


def typed(user: User, dialog: AskDialog, text: str) -> None:
    dialog.line.clear()
    user.type(text, dialog.line)
    popup = dialog.completer_of_line.popup()
    assert popup is not None
    popup.hide()
    user.until(
        lambda: dialog.readings.count() or "not known" in dialog.reading.text() or "matches" in dialog.reading.text()
    )


def test_a_question_becomes_a_query_with_rows(user: User, asking: AskDialog) -> None:
    typed(user, asking, "AI models licensed under Apache-2.0")
    assert asking.reading.text() == UNDERSTOOD
    assert asking.readings.item(0).text() == "AI models whose license is “Apache-2.0”\n2 rows"
    user.press("Return", asking.line)
    user.rest()
    assert user.window.navigator.place.view is View.ASK
    assert rows_of(user) == 2
    user.press("Ctrl+Z")
    user.rest()
    assert user.window.features.ask.builder.state.is_empty


def test_an_unknown_word_is_marked_and_can_be_replaced(user: User, asking: AskDialog) -> None:
    typed(user, asking, "datasets with a frobnicate")
    assert asking.reading.text() == "“frobnicate” is not known in this graph."
    assert not asking.show_button.isEnabled()
    before = asking.words.text()
    asking.words.linkActivated.emit("0 8 files")
    assert asking.line.text() == "files with a frobnicate"
    user.until(lambda: asking.words.text() != before)  # it was read: nothing is asked once the window is closed


def test_several_readings_are_offered(user: User, asking: AskDialog) -> None:
    typed(user, asking, "What was finer-rain-2.0.pt derived from?")
    assert "several ways" in asking.reading.text()
    assert asking.readings.count() >= 2
    user.press("Return", asking.line)
    assert asking.isVisible()
    assert asking.readings.hasFocus()
    asking.readings.setCurrentRow(1)
    user.click(asking.show_button)
    user.rest()
    assert user.window.navigator.place.view is View.ASK


def test_a_click_on_a_word_tells_and_changes_its_meaning(user: User, asking: AskDialog) -> None:
    typed(user, asking, "AI models licensed under Apache-2.0")
    asking.words.linkActivated.emit("word:0")
    assert asking.meaning.text().startswith("“AI models” is read as the class AI model.")
    other = asking.meaning.text().partition('href="mean:')[2].partition('"')[0]
    asking.meaning.linkActivated.emit(f"mean:{other}")
    user.rest()
    assert asking.meaning.text().startswith("“AI models” is read as the property AI model.")
    assert "You chose this meaning." in asking.meaning.text()
    asking.meaning.linkActivated.emit("any:0")
    user.rest()
    assert asking.reading.text() == UNDERSTOOD
    asking.words.linkActivated.emit("word:0")
    place = asking.meaning.text().partition('href="open:')[2].partition('"')[0]
    asking.meaning.linkActivated.emit(f"open:{place}")
    user.rest()
    assert user.reads == "AI model"


def test_what_a_question_matches_is_drawn_in_the_graph(user: User, asking: AskDialog) -> None:
    typed(user, asking, "AI models licensed under Apache-2.0")
    user.click(asking.draw_button)
    user.rest()
    assert user.window.navigator.place.view is View.GRAPH
    assert len(user.window.pictures.graph.canvas.scene().nodes) >= 2


def test_a_question_is_saved_as_a_ready_question(user: User, asking: AskDialog) -> None:
    typed(user, asking, "AI models licensed under Apache-2.0")
    user.click(asking.save_button)
    dialog = user.dialog(SaveQuestionDialog)
    user.type("Models under Apache", dialog.title)
    user.rest()
    user.click(dialog.save)
    user.rest()
    assert user.told == "Saved the question “Models under Apache”"


def test_the_last_word_is_completed_from_the_graph(user: User, asking: AskDialog) -> None:
    user.type("datasets of Storm", asking.line)
    completer = asking.completer_of_line
    completer.setCompletionPrefix("datasets of Storm")
    offered = [completer.completionModel().index(row, 0).data() for row in range(completer.completionCount())]
    assert offered == ["Storm Surge"]
    assert completer.pathFromIndex(completer.completionModel().index(0, 0)) == "datasets of Storm Surge"


def test_a_line_of_sparql_is_a_query(user: User, asking: AskDialog) -> None:
    asking.line.setText("SELECT ?p WHERE { ?p a hpc:Project }")
    assert asking.show_button.isEnabled()
    user.click(asking.show_button)
    user.rest()
    assert rows_of(user) == 2


def test_earlier_questions_come_back_by_the_arrow_keys(user: User, asking: AskDialog) -> None:
    typed(user, asking, "projects")
    user.press("Return", asking.line)
    user.rest()
    user.window.run("ask.english")
    again = user.dialog(AskDialog)
    user.qtbot.keyClick(again.line, Qt.Key.Key_Up)
    assert again.line.text() == "projects"
    user.close(again)


def test_a_model_is_asked_only_by_a_click_and_its_readings_are_marked(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    user.open_sample("campaign")
    with model_server(says('["projects", "frobnicate them"]')) as (address, asked):
        Settings(model_endpoint=address, model_name="tiny").save()
        user.window.run("ask.english")
        dialog = user.dialog(AskDialog)
        user.rest()
        typed(user, dialog, "projects")
        assert not dialog.suggest_button.isVisible()
        typed(user, dialog, "all frobnicate undertakings")
        assert asked == []
        user.click(dialog.suggest_button)
        user.until(dialog.readings.count)
        assert len(asked) == 1
        assert dialog.readings.item(0).text().endswith("Suggested by a model: projects")
        assert "suggestions of a model" in dialog.reading.text()
        assert dialog.isVisible()
        user.click(dialog.show_button)
        user.rest()
        assert rows_of(user) == 2


def test_the_dialog_loads_no_large_module_after_the_rules_of_the_language() -> None:
    code = (
        "import sys, hpc_explorer.ui.window.main_window, hpc_explorer.app.ask.workflows as rules\n"
        "before = set(sys.modules)\n"
        "import hpc_explorer.app.ask.suggesting, hpc_explorer.ui.ask.dialog\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('hpc_explorer.ui.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    # The rules take 0.2 s and are read in a thread; what is left is for the window's thread.
    assert set(loaded) <= {"hpc_explorer.app.ask.suggesting", "hpc_explorer.app.ask.taught"}


def test_the_words_take_on_the_colours_of_a_new_theme(user: User, asking: AskDialog) -> None:
    typed(user, asking, "AI models licensed under Apache-2.0")
    user.window.run("theme.dark")
    assert current_theme().accent in asking.words.text()
    user.window.run("theme.light")
    assert current_theme().accent in asking.words.text()
