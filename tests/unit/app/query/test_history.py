"""The queries that were run are kept: newest first, each once, with what came of them."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.query.history import LONGEST, QueryHistory, history_file, read_history, save_history
from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.stores.base import Count, CountKind

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_newest_first_and_each_once() -> None:
    history = QueryHistory()
    for text in ("a", "b", " a ", "  "):
        history = history.with_run(text, NOW)
    assert [one.text for one in history.queries] == ["a", "b"]


def test_the_oldest_are_forgotten() -> None:
    history = QueryHistory()
    for number in range(LONGEST + 5):
        history = history.with_run(str(number), NOW)
    assert len(history.queries) == LONGEST
    assert history.queries[-1].text == "5"


@given(
    st.lists(
        st.tuples(
            st.text(), st.none() | st.tuples(st.integers(0, 10**9), st.sampled_from(CountKind), st.floats(0, 1000))
        ),
        max_size=8,
    )
)
def test_what_is_kept_is_read_again(tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[str, tuple]]) -> None:  # type: ignore[type-arg]
    file = tmp_path_factory.mktemp("kept") / "queries.json"
    history = QueryHistory()
    for text, outcome in runs:
        history = history.with_run(text, NOW)
        if outcome is not None:
            history = history.with_outcome(text, Count(outcome[0], outcome[1]), outcome[2])
    save_history(history, file)
    assert read_history(file) == history


@pytest.mark.parametrize(
    "stored", ["", "{", "{}", "[1, null, {}]", '[{"text": 1, "when": ""}]', '[{"text": " ", "when": "x"}]']
)
def test_what_is_no_history_is_passed_over(tmp_path: Path, stored: str) -> None:
    file = tmp_path / "queries.json"
    file.write_text(stored, encoding="utf-8")
    assert read_history(file) == QueryHistory()


def test_a_damaged_outcome_does_not_lose_the_query(tmp_path: Path) -> None:
    file = tmp_path / "queries.json"
    stored = [{"text": "ASK {}", "when": "2026", "rows": {"value": "many"}, "seconds": None}]
    file.write_text(json.dumps(stored), encoding="utf-8")
    assert [(one.text, one.rows) for one in read_history(file).queries] == [("ASK {}", None)]


def test_it_lies_beside_the_settings_for_its_owner_only() -> None:
    assert history_file().parent == settings_file().parent
    save_history(QueryHistory().with_run("ASK {}", NOW))
    assert stat.S_IMODE(history_file().stat().st_mode) == 0o600
    assert [one.name for one in history_file().parent.iterdir()] == ["queries.json"]


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputNotWritable, match="cannot save the queries"):
        save_history(QueryHistory(), tmp_path / "file" / "queries.json")


def test_search_for_words() -> None:
    history = QueryHistory().with_run("SELECT ?model { }", NOW).with_run("ASK { ?data a ?b }", NOW)
    assert [one.text[:3] for one in history.matching("model select")] == ["SEL"]
    assert len(history.matching("")) == 2
