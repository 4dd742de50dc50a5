"""The ready questions: those that ship, the user's own in the settings folder, and named files.

A later question replaces an earlier one with the same name. Each saved question has its own file, so that saving one
never changes another. A file that the user wrote, with comments or several questions, is read but never rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import InputError, OutputNotWritable, UnknownQuestion, WrongParameter
from hpc_explorer.query.questions.library import named_question, shipped_questions
from hpc_explorer.query.questions.question import Question
from hpc_explorer.query.questions.question_file import questions_of_text, questions_text, read_questions
from hpc_explorer.rdf.syntax.files import atomic_output, output_error


def own_questions_folder() -> Path:
    """The folder of the user's own questions (Turtle files); it may not exist."""
    return settings_file().with_name("questions")


def known_questions(named: Iterable[Path] = ()) -> tuple[Question, ...]:
    """All ready questions, shipped ones first.

    Raises:
        DamagedQuestions, SourceNotFound, SourceUnreadable, SourceSyntaxError, UnknownFormat: a file cannot be read.
    """
    questions, problems = readable_questions(named)
    if problems:
        raise problems[0]
    return questions


def readable_questions(named: Iterable[Path] = ()) -> tuple[tuple[Question, ...], tuple[InputError, ...]]:
    """All ready questions that can be read, shipped ones first, and the errors of other files."""
    known = {question.name: question for question in shipped_questions()}
    problems: list[InputError] = []
    for file in (*sorted(own_questions_folder().glob("*.ttl")), *named):
        try:
            known.update({question.name: question for question in read_questions(file)})
        except InputError as problem:
            problems.append(problem)
    return tuple(known.values()), tuple(problems)


def own_questions() -> dict[str, Path]:
    """The names and files of the user's own questions. Files that cannot be read are skipped."""
    found: dict[str, Path] = {}
    for file in sorted(own_questions_folder().glob("*.ttl")):
        try:
            found.update({question.name: file for question in read_questions(file)})
        except InputError:
            continue
    return found


def save_question(question: Question, *, replace: bool = False) -> Path:
    """Write one of the user's own questions in one step, and return its file.

    Args:
        replace: whether to replace a saved question with the same name.

    Raises:
        WrongParameter: the name is taken, or the question would not read back unchanged.
        OutputNotWritable: the settings folder cannot be written, or the name is in a file that the user wrote.
        DamagedQuestions: it cannot be asked.
    """
    if question.name in {one.name for one in shipped_questions()}:
        raise WrongParameter("a question that ships has this name", question.name, "choose another name")
    text = questions_text([question])
    if questions_of_text(text, question.name) != (question,):
        raise WrongParameter("this question cannot be saved in a file", question.name, "remove what is not text")
    there = own_questions().get(question.name)
    if there is not None and not replace:
        raise WrongParameter("there is a question of this name", question.name, "choose another name, or replace it")
    file = _only(question.name, there) if there is not None else _new_file(question.name)
    _write(file, text)
    return file


def delete_question(name: str) -> Question:
    """Delete one of the user's own questions, and return it, so that it can be restored.

    Raises:
        UnknownQuestion: there is none with this name.
        OutputNotWritable: it is in a file that the user wrote, or the file cannot be deleted.
    """
    own = own_questions()
    if name not in own:
        there = ", ".join(sorted(own)) or "none"
        raise UnknownQuestion("none of your own questions has this name", name, f"there are: {there}")
    file = _only(name, own[name])
    (question,) = read_questions(file)
    try:
        file.unlink()
    except OSError as error:
        raise output_error(error, file) from None
    return question


def import_questions(source: Path, *, replace: bool = False) -> tuple[Question, ...]:
    """Add the questions of a file to the user's own: all of them, or none.

    Raises:
        As `read_questions` and `save_question`; then nothing is added.
    """
    questions = read_questions(source)
    own = own_questions()
    for question in questions:
        if question.name in {one.name for one in shipped_questions()}:
            raise WrongParameter("a question that ships has this name", question.name, "rename it in the file")
        if question.name in own:
            if not replace:
                raise WrongParameter("there is a question of this name", question.name, "rename it, or replace yours")
            _only(question.name, own[question.name])
    for question in questions:
        save_question(question, replace=True)
    return questions


def export_question(name: str, file: Path, named: Iterable[Path] = ()) -> Question:
    """Write one ready question to a file.

    Raises:
        UnknownQuestion: there is none with this name.
        OutputNotWritable: the file cannot be written.
        As `known_questions`.
    """
    question = named_question(known_questions(named), name)
    with atomic_output(file) as stream:
        stream.write(questions_text([question]).encode())
    return question


def _new_file(name: str) -> Path:
    """The path for a new question."""
    from urllib.parse import quote

    folder, plain = own_questions_folder(), quote(name, safe="")[:80]
    file, number = folder / f"{plain}.ttl", 2
    while file.exists():
        file, number = folder / f"{plain}-{number}.ttl", number + 1
    return file


def _only(name: str, file: Path) -> Path:
    """The file of a question, if it has no other content.

    Raises:
        OutputNotWritable: it has comments, other questions, or other statements.
    """
    questions = read_questions(file)
    if len(questions) == 1 and file.read_text(encoding="utf-8") == questions_text(questions):
        return file
    raise OutputNotWritable("this question is in a file that was written by hand", str(file), f"change {name} there")


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise output_error(error, file.parent) from None
    with atomic_output(file) as stream:
        stream.write(text.encode())
