"""SERVICE in the window: the servers are named in a question before anything is sent to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from hpc_explorer.app.query.facet_lists import Facet
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.query.questions.question import Parameter, Query, Question, Variant
from hpc_explorer.query.questions.question_file import questions_text
from hpc_explorer.ui.query.tab import AskView
from hpc_explorer.ui.questions.dialog import QuestionDialog
from hpc_explorer.ui.results.server_dialog import ServerDialog
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.bad_server import BadServer, bad_server
from tests.helpers.windows import User


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as server:
        yield server


def host(server: BadServer) -> str:
    return f"127.0.0.1:{server.server_address[1]}"


def asking(server: BadServer, form: str = "SELECT *") -> str:
    return f"{form} {{ SERVICE <http://{host(server)}/good> {{ SELECT ?n {{ ?s ?p ?n }} }} }}"


@pytest.fixture
def opened(user: User, window: MainWindow) -> User:
    user.open_sample()
    user.rest()
    window.run("ask.new")
    window.run("ask.sparql")
    return user


def servers_named(dialog: ServerDialog) -> str:
    return " ".join(block.text() for block in dialog.findChildren(TextBlock))


def test_the_editor_asks_before_it_sends(opened: User, window: MainWindow, server: BadServer) -> None:
    editor = window.features.ask.tab.editor
    editor.set_text(asking(server, "ASK"))
    editor.edit.setFocus()
    editor.run()
    dialog = opened.dialog(ServerDialog)
    assert host(server) in servers_named(dialog)
    opened.close(dialog)
    opened.rest()
    assert server.requests == []
    editor.run()
    opened.click(opened.dialog(ServerDialog).allow)
    opened.until(lambda: editor.message.text() == "Yes.")
    assert len(server.requests) == 1
    # What was allowed once is not asked for again.
    editor.set_text(asking(server, "ASK") + " # once more")
    editor.run()
    opened.until(lambda: len(server.requests) == 2)


def test_rows_that_another_server_has_come_when_it_is_allowed(
    opened: User, window: MainWindow, server: BadServer
) -> None:
    editor, rows, facets = window.features.ask.tab.editor, window.features.ask.tab.rows, window.features.ask.tab.facets
    facets.show_range(True)  # as it stands there for a question before
    QApplication.clipboard().setText(asking(server))
    editor.edit.setFocus()
    editor.edit.paste()
    opened.until(lambda: window.features.ask.builder.state.text == asking(server))
    opened.rest()
    window.run("ask.rows")
    opened.until(lambda: "not allowed" in rows.message)
    assert host(server) in rows.message
    opened.until(lambda: host(server) in facets.lists[Facet.VALUES].said)
    assert not facets.shows_range
    assert server.requests == []
    opened.click(opened.button("Allow…", rows))
    opened.click(opened.dialog(ServerDialog).allow)
    opened.until(lambda: len(rows.rows) == 1)
    assert window.features.ask.tab.view is AskView.ROWS


def test_the_choices_of_a_question_wait_for_the_answer(
    user: User, window: MainWindow, server: BadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "own"))
    choices = Query(asking(server, "SELECT ?n").replace("SERVICE", "SERVICE SILENT"))
    parameter = Parameter("n", "number", choices=choices)
    question = Question(
        "stranger",
        "A stranger's",
        "",
        parameters=(parameter,),
        variants=(Variant("", Query("SELECT ?s { ?s ?p $n }")),),
    )
    file = tmp_path / "stranger.ttl"
    file.write_text(questions_text([question]), encoding="utf-8")
    user.open_sample()
    window.features.ready_questions.take(file)
    user.rest()
    window.features.ready_questions.open(question)
    dialog = user.dialog(ServerDialog)
    assert host(server) in servers_named(dialog)
    user.rest()
    user.press("Return", dialog)
    user.until(lambda: not window.findChildren(ServerDialog))
    user.rest()
    assert server.requests == []
    window.features.ready_questions.open(question)
    user.click(user.dialog(ServerDialog).allow)
    user.dialog(QuestionDialog)
    user.until(lambda: server.requests)


def test_an_empty_editor_opens_by_its_command(user: User, window: MainWindow) -> None:
    user.open_sample()
    user.rest()
    window.run("ask.sparql")
    user.until(window.features.ask.tab.editor.isVisible)
    assert window.features.ask.tab.view is AskView.SPARQL
