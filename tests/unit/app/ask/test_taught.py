"""A taught name is understood, kept as SKOS, and can be forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.ask.taught import (
    chosen_readings,
    forget,
    forget_choices,
    read_taught,
    remember_choice,
    taught_file,
    teach,
)
from hpc_explorer.errors import DamagedSettings, UsageError
from hpc_explorer.language.interpretation import Status
from hpc_explorer.rdf.namespaces import HPC
from tests.helpers.sessions import session_of


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path / "settings"))


def asked(text: str) -> Status:
    session = session_of("sample:campaign")
    found = interpret(session, text)
    session.close()
    return found.status


def test_a_taught_name_is_understood_until_it_is_forgotten() -> None:
    question = "sorties by Ingrid Halvorsen"
    assert asked(question) is Status.REFUSED
    teach("sortie", HPC.Experiment)
    assert asked(question) is Status.UNDERSTOOD
    assert "skos:altLabel" in taught_file().read_text()
    assert forget("Sortie") == 1
    assert asked(question) is Status.REFUSED


def test_names_survive_odd_characters() -> None:
    teach('a "quoted" name', HPC.Dataset)
    assert read_taught() == ((HPC.Dataset, 'a "quoted" name'),)


@pytest.mark.parametrize("word", ["", "   ", "one two three four five six seven"])
def test_what_is_no_name_is_refused(word: str) -> None:
    with pytest.raises(UsageError):
        teach(word, HPC.Dataset)


def test_a_damaged_file_is_named() -> None:
    teach("run", HPC.Experiment)
    taught_file().write_text("@prefix broken")
    with pytest.raises(DamagedSettings, match="taught words"):
        read_taught()


def test_a_choice_is_remembered_and_forgotten() -> None:
    remember_choice("which runs", "Experiments")
    assert chosen_readings() == {"which runs": "Experiments"}
    assert forget_choices() == 1
    assert not chosen_readings()
