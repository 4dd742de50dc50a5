"""The options of `questions` that check examples, and save, share and delete questions."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import open_session
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import SourceNotFound, UsageError
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    from hpc_explorer.app.query.question_checks import CheckedExample
    from hpc_explorer.app.query.question_saving import NamedBlank
    from hpc_explorer.query.questions.make_question import Blank
    from hpc_explorer.query.questions.question import Question

_EVERY = "every graph"


def read_query(name: str) -> str:
    """Read a query file; `-` is standard input.

    Raises:
        SourceNotFound, UsageError: it cannot be read, or is not UTF-8.
    """
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise SourceNotFound("the query file cannot be read", f"{name} ({error.strerror})", "check the path") from None
    except UnicodeDecodeError:
        raise UsageError("the query file is not UTF-8 text", name, "save it as UTF-8") from None


def add_saving(parser: argparse.ArgumentParser) -> None:
    """Add the options that check and save questions."""
    doing = parser.add_argument_group("check, save and share").add_mutually_exclusive_group()
    doing.add_argument(
        "--check",
        nargs="?",
        const=_EVERY,
        metavar="GRAPH",
        help="run the examples of GRAPH, or all, again and report differences; with SOURCE, those of GRAPH run there",
    )
    doing.add_argument("--save", metavar="NAME", help="save the query of --file as a question of your own")
    doing.add_argument("--import", dest="take", type=Path, metavar="F.ttl", help="import questions from a file")
    doing.add_argument("--export", metavar="NAME", help="write a question to a file, see -o")
    doing.add_argument("--delete", metavar="NAME", help="delete a question of your own")
    saving = parser.add_argument_group("with --save")
    saving.add_argument("--file", metavar="F.rq", help="the query; - reads standard input")
    saving.add_argument("--title", help="what the question is called in lists (default: its name)")
    saving.add_argument("--text", metavar="WORDS", help="the question in words")
    saving.add_argument(
        "--blank",
        action="append",
        default=[],
        metavar="WHAT[=LABEL]",
        help="a constant or variable of the query that becomes a parameter, as written there or by its proposed name",
    )
    saving.add_argument("--keep-rows", action="store_true", help="keep the rows that SOURCE answers now, for --check")
    parser.add_argument(
        "--replace", action="store_true", help="with --save and --import: replace a question of the same name"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="F.ttl", help="with --export: the file to write")


def run_saving(arguments: argparse.Namespace) -> int | None:
    """Run the option of `add_saving` that was given, if any."""
    _check_options(arguments)
    if arguments.check is not None:
        return _check(arguments)
    if arguments.save is not None:
        return _save(arguments)
    if arguments.take is not None:
        return _import(arguments)
    if arguments.export is not None:
        return _export(arguments)
    return _delete(arguments) if arguments.delete is not None else None


def _check_options(arguments: argparse.Namespace) -> None:
    with_save = {
        "--file": arguments.file, "--title": arguments.title, "--text": arguments.text, "--blank": arguments.blank,
        "--keep-rows": arguments.keep_rows,
    }  # fmt: skip
    for name, given in with_save.items():
        if given and arguments.save is None:
            raise UsageError(f"{name} requires --save", "", "leave it out, or name a question to save")
    if arguments.replace and arguments.save is None and arguments.take is None:
        raise UsageError("--replace requires --save or --import", "", "leave it out")
    if arguments.output is not None and arguments.export is None:
        raise UsageError("-o requires --export", str(arguments.output), "leave it out, or name a question")
    if arguments.sources and (arguments.take or arguments.export or arguments.delete):
        raise UsageError("no SOURCE is needed for this", arguments.sources[0], "leave it out")


# Examples


def _check(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.query.question_checks import graphs_of_examples
    from hpc_explorer.app.query.question_files import known_questions
    from hpc_explorer.query.questions.library import named_question

    questions = known_questions(arguments.questions)
    if arguments.question is not None:
        questions = (named_question(questions, arguments.question),)
    graphs = graphs_of_examples(questions) if arguments.check is _EVERY else (arguments.check,)
    if arguments.sources and arguments.check is _EVERY:
        raise UsageError(
            "--check with a SOURCE needs the graph of the examples", "--check", "such as --check sample:xplacer"
        )
    if arguments.check is not _EVERY and arguments.check not in graphs_of_examples(questions):
        there = ", ".join(graphs_of_examples(questions)) or "none"
        raise UsageError("no example was kept of this graph", arguments.check, f"there are examples of: {there}")
    checked = [one for graph in graphs for one in _checked(arguments, questions, graph)]
    if arguments.json:
        print(_as_json(checked))
    else:
        print("\n".join(_lines(checked)))
    return FOUND_WRONG if any(one.difference for one in checked) else DONE


def _checked(arguments: argparse.Namespace, questions: tuple[Question, ...], graph: str) -> list[CheckedExample]:
    from hpc_explorer.app.query.question_checks import check_examples

    own = arguments.sources
    arguments.sources = own or [graph]
    session = open_session(arguments)
    try:
        return list(check_examples(session, questions, graph, limits=arguments.limits))
    finally:
        session.close()
        arguments.session, arguments.sources = None, own


def _lines(checked: list[CheckedExample]) -> list[str]:
    lines = []
    for one in checked:
        rows = counted(len(one.example.rows), "row")
        lines.append(f"{'differs' if one.difference else 'same   '}  {one.question.name}  {one.example.graph}  {rows}")
        lines += [f"         ${name} = {value}" for name, value in one.example.values if one.difference]
        lines += [f"         {one.difference}"] * bool(one.difference)
    wrong = sum(bool(one.difference) for one in checked)
    number = counted(len(checked), "example")
    return [
        *lines,
        "",
        f"{number}; {wrong:,} {'differs' if wrong == 1 else 'differ'}" if wrong else f"{number}; none differs",
    ]


def _as_json(checked: list[CheckedExample]) -> str:
    from hpc_explorer.cli import as_json

    return as_json.dump(
        {
            "examples": [
                {
                    "question": one.question.name,
                    "graph": one.example.graph,
                    "values": {name: as_json.term(value) for name, value in one.example.values},
                    "rows": len(one.example.rows),
                    "same": not one.difference,
                    "difference": one.difference,
                }
                for one in checked
            ]
        }
    )


# Saved questions


def _save(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.query.question_files import save_question
    from hpc_explorer.app.query.question_saving import blanks_of_text, question_of_text

    if arguments.file is None:
        raise UsageError("no query to save", arguments.save, "name its file with --file")
    if arguments.keep_rows and len(arguments.sources) != 1:
        raise UsageError("--keep-rows requires one SOURCE", "", "name the graph whose rows are kept")
    text = read_query(arguments.file)
    session = open_session(arguments)
    there = blanks_of_text(session, text, limits=arguments.limits)
    question = question_of_text(
        session,
        text,
        [_blank(given, there) for given in arguments.blank],
        name=arguments.save,
        title=arguments.title or arguments.save,
        words=arguments.text or "",
        rows_of=arguments.sources[0] if arguments.keep_rows else "",
        limits=arguments.limits,
    )
    file = save_question(question, replace=arguments.replace)
    print(f"saved {question.name} in {file}")
    for parameter in question.parameters:
        print(f"  --set {parameter.name}=<{parameter.label}>")
    for example in question.examples:
        print(f"  {counted(len(example.rows), 'row')} of {example.graph} kept")
    return DONE


def _blank(given: str, there: tuple[NamedBlank, ...]) -> Blank:
    """The blank for `WHAT[=LABEL]`: a term of the query, with or without its delimiters, or a proposed name."""
    from hpc_explorer.query.questions.make_question import Blank

    for what, label in ((given, ""), tuple(given.rpartition("=")[::2])):
        for one in there:
            if what and what in (one.place.written, one.place.written.strip("<>\"'?$"), one.place.name, one.stands):
                return Blank(one.place, one.place.name, label or one.place.label)
    known = ", ".join(f"{one.place.name} ({one.place.written})" for one in there) or "none"
    raise UsageError("the query has no such place for a blank", given, f"there are: {known}")


def _import(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.query.question_files import import_questions

    for question in import_questions(arguments.take, replace=arguments.replace):
        print(f"{question.name}  {question.title}")
    return DONE


def _export(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.query.question_files import export_question, known_questions
    from hpc_explorer.query.questions.library import named_question
    from hpc_explorer.query.questions.question_file import questions_text

    if arguments.output is None:
        question = named_question(known_questions(arguments.questions), arguments.export)
        print(questions_text([question]), end="")
    else:
        export_question(arguments.export, arguments.output, arguments.questions)
    return DONE


def _delete(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.query.question_files import delete_question

    question = delete_question(arguments.delete)
    print(f"deleted {question.name}  {question.title}")
    return DONE
