"""What is typed is on disk within its interval, and gone when it is saved."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from hpc_explorer.app.forms.typed import INTERVAL, TypedFormsFile
from hpc_explorer.errors import ExplorerError, OutputNotWritable

PATIENCE = 60.0

KEY = "http://example.org/dataset/a?b=c/" + "long" * 100


def test_what_is_typed_is_there_for_the_next_program_within_a_second(tmp_path: Path) -> None:
    first, second = TypedFormsFile(tmp_path), TypedFormsFile(tmp_path)
    began = time.monotonic()
    for text in ("N", "Na", "Näme"):
        first.keep(KEY, {"label": text})
    assert INTERVAL <= 1
    # On a busy machine it may be written between two keys already.
    while [(typed.key, typed.document) for typed in second.kept()] != [(KEY, {"label": "Näme"})]:
        assert time.monotonic() - began < PATIENCE
    first.drop(KEY)
    assert second.kept() == ()
    first.close()


def test_the_last_typed_is_first_and_what_is_damaged_is_left_out(tmp_path: Path) -> None:
    keeper = TypedFormsFile(tmp_path, interval=3600)
    keeper.keep("one", {"n": 1})
    keeper.keep("two", {"n": 2})
    keeper.keep("one", {"n": 3})
    assert [typed.document["n"] for typed in keeper.kept()] == [3, 2]
    (tmp_path / "typed" / "other.json").write_text('{"key": "half a')
    assert [typed.key for typed in keeper.kept()] == ["one", "two"]
    keeper.keep("three", {})
    keeper.drop("three")
    keeper.keep("one", {"n": 4})
    keeper.close()
    assert [typed.document for typed in TypedFormsFile(tmp_path).kept()] == [{"n": 4}, {"n": 2}]


def test_what_cannot_be_kept_is_told_and_tried_again(tmp_path: Path) -> None:
    told: list[ExplorerError] = []
    heard = threading.Event()

    def failed(error: ExplorerError) -> None:
        told.append(error)
        heard.set()

    (tmp_path / "typed").write_text("in the way")
    keeper = TypedFormsFile(tmp_path, interval=0.01, failed=failed)
    keeper.keep("one", {"n": 1})
    assert heard.wait(PATIENCE)
    assert isinstance(told[0], OutputNotWritable)
    with pytest.raises(OutputNotWritable):
        keeper.close()
    (tmp_path / "typed").unlink()
    keeper.close()
    assert [typed.document for typed in keeper.kept()] == [{"n": 1}]
