"""The finder of fields: what it needs is read in the background."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest
from pytestqt.qtbot import QtBot

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.language import lexicon
from hpc_explorer.language.lexicon import Lexicon, english, read_lexicon
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.field_finder import FieldFinder
from hpc_explorer.ui.widgets.suggest_line import Suggestions


def test_other_words_for_fields_are_read_in_the_background(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    readers: list[threading.Thread] = []

    def read(document: Mapping[str, Mapping[str, str]]) -> Lexicon:
        readers.append(threading.current_thread())
        return read_lexicon(document)

    monkeypatch.setattr(lexicon, "read_lexicon", read)
    english.cache_clear()
    bridge = SessionBridge(Session.new())
    found: list[Suggestions] = []
    FieldFinder(bridge, lambda: None, lambda: False).find("hash", found.append)
    qtbot.waitUntil(lambda: bool(found))
    bridge.close()
    assert len(readers) == 1
    assert readers[0] is not threading.main_thread()
