"""A user's own questions: saved whole, replaced and deleted by name, handed on, and never at the cost of what was there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.query.question_files import (
    delete_question,
    export_question,
    import_questions,
    known_questions,
    own_questions,
    own_questions_folder,
    save_question,
)
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.errors import DamagedQuestions, InputError, OutputNotWritable, UnknownQuestion, WrongParameter
from hpc_explorer.query.questions.library import named_question, shipped_questions
from hpc_explorer.query.questions.question import Parameter, Query, Question, Variant
from hpc_explorer.query.questions.question_file import questions_text, read_questions


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    return tmp_path / "settings"


def question(name: str, title: str = "Mine", text: str = "SELECT ?s { ?s ?p ?o }") -> Question:
    return Question(name, title, "What is there?", (Variant("", Query(text)),))


def by_hand(*questions: Question) -> Path:
    """A file that somebody wrote."""
    file = own_questions_folder() / "notes.ttl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# what I ask on Mondays\n" + questions_text(questions), encoding="utf-8")
    return file


def test_saved_questions_are_known_as_they_were() -> None:
    first, second = question("mine"), question("über/uns", "Ours")
    files = {save_question(first), save_question(second)}
    assert len(files) == 2
    assert set(own_questions()) == {"mine", "über/uns"}
    known = {one.name: one for one in known_questions()}
    assert (known["mine"], known["über/uns"]) == (first, second)
    assert len(known) == len(shipped_questions()) + 2


def test_what_is_there_is_replaced_only_when_asked_for() -> None:
    save_question(question("mine", "Old"))
    save_question(question("other"))
    with pytest.raises(WrongParameter, match="there is a question of this name: mine"):
        save_question(question("mine", "New"))
    assert save_question(question("mine", "New"), replace=True) == own_questions()["mine"]
    assert named_question(known_questions(), "mine").title == "New"
    assert set(own_questions()) == {"mine", "other"}


def test_a_deleted_question_can_be_saved_again() -> None:
    file = save_question(question("mine"))
    save_question(question("other"))
    gone = delete_question("mine")
    assert (gone, file.exists(), set(own_questions())) == (question("mine"), False, {"other"})
    save_question(gone)
    assert named_question(known_questions(), "mine") == gone
    with pytest.raises(UnknownQuestion, match="there are: mine, other"):
        delete_question("hpc-q1")


def test_what_was_written_by_hand_is_never_rewritten() -> None:
    file = by_hand(question("monday"), question("tuesday"))
    before = file.read_bytes()
    for change in (
        lambda: save_question(question("monday", "New"), replace=True),
        lambda: delete_question("monday"),
    ):
        with pytest.raises(OutputNotWritable, match="written by hand"):
            change()
    assert file.read_bytes() == before
    save_question(question("mine"))
    assert set(own_questions()) == {"monday", "tuesday", "mine"}


def test_a_file_that_cannot_be_read_hides_no_other() -> None:
    by_hand(question("monday")).with_name("broken.ttl").write_text("nonsense", encoding="utf-8")
    assert set(own_questions()) == {"monday"}


def test_shipped_names_and_questions_that_cannot_be_asked_are_refused() -> None:
    with pytest.raises(WrongParameter, match="ships"):
        save_question(question("hpc-q1"))
    with pytest.raises(DamagedQuestions):
        save_question(question("mine", text="SELECT ?s { ?s"))
    with pytest.raises(WrongParameter, match="cannot be saved"):
        save_question(question("mine", "two  blanks between"))
    assert own_questions() == {}


def test_a_question_is_handed_on(tmp_path: Path) -> None:
    mine = Question(
        "mine", "Mine", "", (Variant("", Query("SELECT ?s { ?s ?p $what }")),), (Parameter("what", "what"),)
    )
    save_question(mine)
    handed = tmp_path / "handed.ttl"
    assert export_question("mine", handed) == mine
    delete_question("mine")
    assert import_questions(handed) == (mine,)
    assert named_question(known_questions(), "mine") == mine
    export_question("run-cost", handed)
    assert read_questions(handed) == (named_question(shipped_questions(), "run-cost"),)


def test_all_questions_of_a_file_are_taken_or_none(tmp_path: Path) -> None:
    save_question(question("mine", "Old"))
    handed = tmp_path / "handed.ttl"
    handed.write_text(questions_text([question("alpha"), question("mine", "New")]), encoding="utf-8")
    with pytest.raises(WrongParameter, match="there is a question of this name: mine"):
        import_questions(handed)
    assert set(own_questions()) == {"mine"}
    assert [one.name for one in import_questions(handed, replace=True)] == ["alpha", "mine"]
    assert named_question(known_questions(), "mine").title == "New"
    for text in (questions_text([question("hpc-q1")]), "no turtle"):
        handed.write_text(text, encoding="utf-8")
        with pytest.raises(InputError):
            import_questions(handed, replace=True)
    by_hand(question("alpha"))
    assert len(list(own_questions_folder().glob("*.ttl"))) == 3


def test_a_file_in_place_of_the_folder(settings: Path) -> None:
    settings.mkdir()
    (settings / "questions").write_text("", encoding="utf-8")
    with pytest.raises(OutputNotWritable):
        save_question(question("mine"))
