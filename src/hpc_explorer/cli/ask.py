"""The commands `ask` and `teach`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hpc_explorer.cli.arguments import add_options, add_sources, open_session, positive
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.language.reading import Interpretation, Reading


def describe_ask(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `ask`."""
    add_sources(parser)
    parser.add_argument("question", metavar="QUESTION", help="the question or workflow in English, in quotes")
    parser.add_argument("--choose", type=positive, metavar="N", help="take the reading of this number")
    add_options(parser, "--json")


def run_ask(arguments: argparse.Namespace) -> int:
    """Run `ask`: print the reading and the answer, or the readings to choose from, or what is not understood."""
    from hpc_explorer.app.ask.asking import interpret
    from hpc_explorer.language.reading import Status

    session = open_session(arguments)
    found = interpret(session, arguments.question, limits=arguments.limits)
    if arguments.choose is not None and arguments.choose > len(found.readings):
        raise UsageError("no reading has this number", str(arguments.choose),
                         f"the question has {counted(len(found.readings), 'reading')}")  # fmt: skip
    if arguments.json:
        from hpc_explorer.cli import as_json

        print(as_json.dump(_described(session, found, arguments.choose)))
    elif found.status is Status.REFUSED:
        print("\n".join(_refusal(found)))
    elif found.status is Status.AMBIGUOUS and arguments.choose is None:
        print("\n".join(_choices(found)))
    else:
        _print_reading(session, found, found.readings[(arguments.choose or 1) - 1], arguments)
        return DONE
    return DONE if found.status is Status.UNDERSTOOD or arguments.choose is not None else FOUND_WRONG


def _refusal(found: Interpretation) -> list[str]:
    lines = [found.problem]
    for word in found.unknown:
        if word.near:
            lines.append(f"Did you mean {' or '.join(word.near)} instead of “{word.text}”?")
    return lines


def _choices(found: Interpretation) -> list[str]:
    lines = ["This can be read in several ways. Choose one with --choose N:"]
    for number, reading in enumerate(found.readings, 1):
        rows = "" if reading.rows is None else f"  ({counted(reading.rows, 'row')})"
        lines.append(f"  {number}  {reading.sentence}{rows}")
    return lines


def _print_reading(session: Session, found: Interpretation, reading: Reading, arguments: argparse.Namespace) -> None:
    from hpc_explorer.app.ask.asking import steps_of
    from hpc_explorer.app.query.run_query import run_query
    from hpc_explorer.cli.answers import print_answer
    from hpc_explorer.query.sparql.writing import sparql_text

    for one in found.corrected:
        print(f"“{one.written}” was read as “{one.read}”.")
    if reading.query is None:
        print(reading.sentence)
        steps = steps_of(session, reading)
        print("\n".join(f"  {number}. {step}" for number, step in enumerate(steps, 1)))
        return
    print(f"{reading.sentence}\n")
    answer = run_query(session, sparql_text(reading.query), limits=arguments.limits)
    print_answer(session, answer, "table", None, arguments.limits)


def _described(session: Session, found: Interpretation, chosen: int | None) -> dict[str, Any]:
    """The JSON of `ask`. `expression`, `default_tags`, `chosen_tags` and `candidates` are those of INPOWS's scorer."""
    from hpc_explorer.language.reading import Status

    default = found.readings[0] if found.readings else None
    taken = found.readings[chosen - 1] if chosen is not None else default
    is_open = found.status is Status.AMBIGUOUS and chosen is None
    return {
        "question": found.text,
        "status": found.status.value if chosen is None else Status.UNDERSTOOD.value,
        "problem": found.problem or None,
        "sentence": taken.sentence if taken else None,
        "expression": str(taken.expression) if taken and taken.expression else None,
        "default_tags": list(default.tags) if default else [],
        **({} if taken is None or is_open else {"chosen_tags": list(taken.tags)}),
        "candidates": [str(one.expression) for one in found.readings if one.expression],
        "readings": [_reading(session, one) for one in found.readings],
        "unknown": [{"word": one.text, "near": list(one.near)} for one in found.unknown],
        "corrected": [{"written": one.written, "read": one.read} for one in found.corrected],
    }


def _reading(session: Session, reading: Reading) -> dict[str, Any]:
    from hpc_explorer.app.ask.asking import steps_of
    from hpc_explorer.query.sparql.writing import sparql_text

    return {
        "sentence": reading.sentence,
        "rows": reading.rows,
        "expression": str(reading.expression) if reading.expression else None,
        "steps": list(steps_of(session, reading)) if reading.query is None else [],
        "tags": list(reading.tags),
        "sparql": None if reading.query is None else sparql_text(reading.query),
    }
