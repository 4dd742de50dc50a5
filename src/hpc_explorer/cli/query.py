"""The commands `query` and `questions`."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import add_options, add_sources, open_session
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.cli.saved_questions import add_saving, read_query, run_saving
from hpc_explorer.errors import UsageError
from hpc_explorer.wording import counted, noun_for

if TYPE_CHECKING:
    from hpc_explorer.app.query.questions import Choices, FittingQuestion, QuestionAnswer
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.query.questions.question import Question

# The most choices of a parameter in the text output; `--json` has all.
_MOST_CHOICES = 20


def describe_query(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `query`."""
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema", "--allow-service")
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("--file", metavar="F.rq", help="a file with the SPARQL text; - reads standard input")
    text.add_argument("--text", metavar="S", help="the SPARQL text itself")
    text.add_argument("--question", metavar="NAME", help="a ready question, see `questions`")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="values",
        metavar="NAME=VALUE",
        help="the value of a parameter of the question: an IRI, a prefixed name, a label or a literal",
    )
    parser.add_argument(
        "--variant", metavar="LABEL", help="use this variant of the question, even if it does not fit the graph"
    )
    _add_questions(parser)
    parser.add_argument("--format", choices=("table", "csv", "tsv", "json", "parquet"), default="table")
    parser.add_argument("-o", "--output", metavar="F", type=Path, help="write the answer to this file")


def describe_questions(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `questions`."""
    add_sources(parser, needed=False)
    add_options(parser, "--infer", "--rules", "--own-schema", "--allow-service")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--question", metavar="NAME", help="one question, with the choices of its parameters")
    which.add_argument("--all", action="store_true", help="include questions that do not apply to the graph")
    _add_questions(parser)
    add_options(parser, "--json")
    add_saving(parser)


def _add_questions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--questions",
        action="append",
        default=[],
        type=Path,
        metavar="F.ttl",
        help="your own questions, in addition to those in the settings folder",
    )


def run_query(arguments: argparse.Namespace) -> int:
    """Run `query`."""
    from hpc_explorer.app.query.interruptible import answer
    from hpc_explorer.app.query.run_query import run_query
    from hpc_explorer.cli.answers import print_answer
    from hpc_explorer.cli.facets import explain_no_rows
    from hpc_explorer.query.table import Table

    if arguments.question is not None:
        return _run_question(arguments)
    for name, given in (("--set", arguments.values), ("--variant", arguments.variant)):
        if given:
            raise UsageError(f"{name} requires --question", "", "leave it out, or name a question")
    text = arguments.text if arguments.text is not None else read_query(arguments.file)
    session = open_session(arguments)
    found = answer(session, lambda limits: run_query(session, text, limits=limits), limits=arguments.limits, text=text)
    print_answer(session, found, arguments.format, arguments.output, arguments.limits)
    if isinstance(found, Table) and not found.rows:
        explain_no_rows(session, text, arguments.limits)
    return DONE


def _run_question(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.query.interruptible import answer
    from hpc_explorer.app.query.question_files import known_questions
    from hpc_explorer.app.query.questions import ask_question, filled_in, variant_for
    from hpc_explorer.cli.answers import print_answer
    from hpc_explorer.query.questions.library import named_question

    texts: dict[str, str] = {}
    for given in arguments.values:
        name, sign, text = given.partition("=")
        if not sign or not name:
            raise UsageError("--set requires NAME=VALUE", given, "such as --set firstSlice=100")
        if name in texts:
            raise UsageError("a parameter is set twice", name, "set it once")
        texts[name] = text
    question = named_question(known_questions(arguments.questions), arguments.question)
    session = open_session(arguments)
    variant = variant_for(session, question, arguments.variant, limits=arguments.limits)
    values = filled_in(session, question, texts, limits=arguments.limits)
    found = answer(
        session,
        lambda limits: ask_question(session, question, values, variant=variant, limits=limits),
        limits=arguments.limits,
        text=variant.select.whole,
    )
    if arguments.format == "table" and arguments.output is None:
        print("\n".join(_answer_lines(session, found)))
    else:
        print_answer(session, found.table, arguments.format, arguments.output, arguments.limits)
    return DONE


def _answer_lines(session: Session, found: QuestionAnswer) -> list[str]:
    from hpc_explorer.app.query.questions import asked_about, named_resources
    from hpc_explorer.app.results.cells import term_text
    from hpc_explorer.app.results.text_tables import ruled_table
    from hpc_explorer.query.table import CellKind

    refs = named_resources(session, found.table)
    lines = [found.question.title + (f", {found.variant.label}" if found.variant.label else "")]
    lines += [f"  {line}" for line in asked_about(session, found)]
    rows = [[term_text(value, refs) for value in row] for row in found.table.rows]
    heads = [column.heading for column in found.table.columns]
    numbers = frozenset(at for at, column in enumerate(found.table.columns) if column.kind is CellKind.NUMBER)
    lines += ["", *ruled_table(heads, rows, right=numbers), ""]
    return [*lines, f"{found.table.total} {noun_for(found.table.total.value, 'row')}"]


def run_questions(arguments: argparse.Namespace) -> int:
    """Run `questions`."""
    from hpc_explorer.app.query.question_files import known_questions
    from hpc_explorer.app.query.questions import questions_for
    from hpc_explorer.cli import as_json
    from hpc_explorer.query.questions.library import named_question

    kept = run_saving(arguments)
    if kept is not None:
        return kept
    if not arguments.sources:
        raise UsageError("no graph is named", "", "name a file, a folder, a server or sample:NAME")
    known = known_questions(arguments.questions)
    if arguments.question is not None:
        known = (named_question(known, arguments.question),)
    session = open_session(arguments)
    found = questions_for(session, known, limits=arguments.limits)
    if arguments.question is not None:
        choices = _choices(arguments, session, found[0].question)
        if arguments.json:
            print(as_json.dump({"questions": [_described(found[0], choices)]}))
        else:
            print("\n".join(_one_lines(found[0], choices)))
        return DONE
    shown = found if arguments.all else tuple(one for one in found if one.variants)
    if arguments.json:
        print(as_json.dump({"questions": [_described(one) for one in shown]}))
    else:
        print("\n".join(_list_lines(shown, len(found))))
    return DONE if shown else FOUND_WRONG


def _choices(arguments: argparse.Namespace, session: Session, question: Question) -> list[Choices]:
    from hpc_explorer.app.query.questions import parameter_choices

    return [parameter_choices(session, one, {}, limits=arguments.limits) for one in question.parameters]


def _list_lines(shown: Sequence[FittingQuestion], number: int) -> list[str]:
    lines: list[str] = []
    for one in shown:
        question = one.question
        lines += [f"{question.name}  {question.title}", *_wrapped(question.text, "  ")]
        lines += [f"  --set {parameter.name}={_meaning(parameter.label, parameter.is_optional)}"
                  for parameter in question.parameters]  # fmt: skip
        if not one.variants:
            lines.append("  does not apply to this graph")
        elif any(variant.label for variant in one.variants):
            lines.append(f"  asked {' or '.join(variant.label for variant in one.variants)}")
        lines.append("")
    hidden = number - len(shown)
    lines.append(counted(len(shown), "question") + (f"; {hidden} more with --all" if hidden else ""))
    return lines


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent)


def _meaning(label: str, is_optional: bool) -> str:
    return f"<{label}>" + (" (may be left open)" if is_optional else "")


def _one_lines(one: FittingQuestion, choices: Sequence[Choices]) -> list[str]:
    question = one.question
    lines = [f"{question.name}  {question.title}", "", *_wrapped(question.text, "")]
    if question.source:
        lines.append(f"({question.source})")
    for parameter, there in zip(question.parameters, choices, strict=True):
        lines += ["", f"--set {parameter.name}={_meaning(parameter.label, parameter.is_optional)}"]
        if parameter.description:
            lines.append(f"  {parameter.description}")
        for choice in there.items[:_MOST_CHOICES]:
            lines.append(f"    {choice.label}" + (f"  [{choice.detail}]" if choice.detail else ""))
        more = len(there.items) - _MOST_CHOICES
        if more > 0:
            lines.append(f"    and {more:,} more, see --json")
        if not there.items:
            lines.append("    (this graph has nothing to choose from)")
    lines += ["", *(_variant_line(one, place) for place in range(len(question.variants)))]
    return lines


def _variant_line(one: FittingQuestion, place: int) -> str:
    variant = one.question.variants[place]
    fits = "applies to this graph" if variant in one.variants else "does not apply to this graph"
    return f"{variant.label}: {fits}" if variant.label else fits


def _described(one: FittingQuestion, choices: Sequence[Choices] | None = None) -> dict[str, object]:
    from hpc_explorer.cli import as_json

    question = one.question
    return {
        "name": question.name,
        "title": question.title,
        "text": question.text,
        "source": question.source,
        "variants": [
            {"label": variant.label, "fits": variant in one.variants, "select": variant.select.whole}
            for variant in question.variants
        ],
        "parameters": [
            {
                "name": parameter.name,
                "label": parameter.label,
                "description": parameter.description,
                "kind": parameter.kind.value,
                "optional": parameter.is_optional,
                "default": None if parameter.default is None else as_json.term(parameter.default),
                **(
                    {}
                    if choices is None
                    else {
                        "total": as_json.count(choices[place].total),
                        "choices": [
                            {"value": as_json.term(choice.value), "label": choice.label}
                            for choice in choices[place].items
                        ],
                    }
                ),
            }
            for place, parameter in enumerate(question.parameters)
        ],
    }
