"""The commands `ask` and `teach`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.cli.arguments import add_options, add_sources, open_session, positive
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError
from hpc_explorer.wording import counted

_LEAST_DIGITS = 12

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.language.expressions import Call
    from hpc_explorer.language.interpretation import Interpretation, Reading
    from hpc_explorer.language.script_running import ScriptCommand


def describe_ask(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `ask`."""
    add_sources(parser)
    parser.add_argument("question", metavar="QUESTION", help="the question or workflow in English, in quotes")
    parser.add_argument("--run", action="store_true", help="run the workflow, after showing its steps and commands")
    parser.add_argument(
        "--scripts-in", metavar="FOLDER", type=Path, help="the folder of the scripts that a workflow runs"
    )
    parser.add_argument(
        "--approve",
        action="append",
        default=[],
        metavar="SHA256",
        help="approve a script by the beginning of its checksum, which is shown with its command (may be repeated)",
    )
    parser.add_argument("--save-in", metavar="FOLDER", type=Path, default=Path(), help="where a workflow saves files")
    parser.add_argument("--replace", action="store_true", help="let a workflow overwrite files")
    parser.add_argument("--python", metavar="F.py", type=Path, help="write the workflow as a Python program")
    parser.add_argument("--keep", metavar="NAME", help="save the workflow under a name")
    parser.add_argument("--saved", action="store_true", help="QUESTION is the name of a saved workflow")
    parser.add_argument(
        "--on",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="read another table in place of one of the workflow (may be repeated)",
    )
    parser.add_argument("--cwl", metavar="F.cwl", type=Path, help="write the workflow as a CWL tool")
    parser.add_argument(
        "--suggest",
        action="store_true",
        help="if the question is not understood, ask the language model of the settings for other words",
    )
    parser.add_argument("--choose", type=positive, metavar="N", help="take the reading of this number")
    add_options(parser, "--json")


def describe_teach(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `teach`."""
    parser.add_argument(
        "word", nargs="?", metavar="WORD", help="a name of one to six words; without it, list the taught names"
    )
    parser.add_argument("term", nargs="?", metavar="TERM", help="the class or property: an IRI or a prefixed name")
    parser.add_argument("--forget", metavar="WORD", help="forget a name")
    parser.add_argument("--forget-choices", action="store_true", help="forget the readings chosen with ask --choose")
    parser.add_argument("--export", metavar="F.ttl", type=Path, help="write the names as SKOS, for others")
    parser.add_argument("--import", metavar="F.ttl", type=Path, dest="imported", help="add the names of a file")


def run_teach(arguments: argparse.Namespace) -> int:
    """Run `teach`."""
    from hpc_explorer.app.ask.taught import forget, forget_choices, read_taught, teach, write_taught
    from hpc_explorer.errors import SourceNotFound
    from hpc_explorer.rdf.namespaces import merged_prefixes

    prefixes = merged_prefixes([])
    if (arguments.word is None) != (arguments.term is None):
        raise UsageError("teach needs a word and its meaning", arguments.word, 'such as: teach "run" hpc:Experiment')
    if arguments.word is not None:
        term = prefixes.resolve(arguments.term)
        teach(arguments.word, term)
        print(f"“{arguments.word}” means {prefixes.short(term.value)}")
    if arguments.forget is not None:
        number = forget(arguments.forget)
        print(f"forgot {counted(number, 'meaning')} of “{arguments.forget}”")
        if not number:
            return FOUND_WRONG
    if arguments.forget_choices:
        print(f"forgot {counted(forget_choices(), 'choice')}")
    if arguments.imported is not None:
        if not arguments.imported.is_file():
            raise SourceNotFound("no such file", str(arguments.imported), "check the path")
        new = read_taught(arguments.imported)
        write_taught((*read_taught(), *new))
        print(f"added {counted(len(new), 'name')}")
    if arguments.export is not None:
        write_taught(read_taught(), arguments.export)
        print(f"written: {arguments.export}")
    if not any((arguments.word, arguments.forget, arguments.forget_choices, arguments.imported, arguments.export)):
        for term, name in read_taught():
            print(f"“{name}” means {prefixes.short(term.value)}")
        if not read_taught():
            print("nothing was taught yet")
    return DONE


def run_ask(arguments: argparse.Namespace) -> int:
    """Run `ask`: print the reading and the answer, or the readings to choose from, or what is not understood."""
    from hpc_explorer.app.ask.choosing import interpret_with_tables
    from hpc_explorer.language.interpretation import Status

    session = open_session(arguments)
    if arguments.saved:
        return _run_saved(session, arguments)
    found = interpret_with_tables(session, arguments.question, limits=arguments.limits)
    if arguments.suggest and found.status is Status.REFUSED:
        from hpc_explorer.app.ask.suggesting import suggest

        found = suggest(session, arguments.question, limits=arguments.limits)
    if arguments.choose is not None and arguments.choose > len(found.readings):
        raise UsageError("no reading has this number", str(arguments.choose),
                         f"the question has {counted(len(found.readings), 'reading')}")  # fmt: skip
    if arguments.choose is not None:
        from hpc_explorer.app.ask.taught import remember_choice

        remember_choice(arguments.question, found.readings[arguments.choose - 1].sentence)
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
    lines = [*found.notes, "This can be read in several ways. Choose one with --choose N:"]
    for number, reading in enumerate(found.readings, 1):
        rows = f"  ({reading.size})" if reading.size else ""
        lines.append(f"  {number}  {reading.sentence}{rows}")
        if reading.suggestion:
            lines.append(f"     suggested by a model: {reading.suggestion}")
    return lines


def _print_reading(session: Session, found: Interpretation, reading: Reading, arguments: argparse.Namespace) -> None:
    from hpc_explorer.app.ask.asking import steps_of
    from hpc_explorer.app.query.run_query import run_query
    from hpc_explorer.cli.answers import print_named
    from hpc_explorer.query.sparql.writing import sparql_text
    from hpc_explorer.query.table import Table

    for note in found.notes_on(reading):
        print(note)
    if reading.query is None:
        print(reading.sentence)
        steps = steps_of(session, reading)
        print("\n".join(f"  {number}. {step}" for number, step in enumerate(steps, 1)))
        if reading.expression is not None:
            expression = _on_others(reading.expression, arguments.on)
            if arguments.keep is not None:
                from hpc_explorer.app.ask.workflows import SavedWorkflow, save_workflow

                save_workflow(SavedWorkflow(arguments.keep, found.text, expression), replace=arguments.replace)
                print(f'saved as “{arguments.keep}”; run it with: ask SOURCE "{arguments.keep}" --saved --run')
            _run_workflow(session, expression, arguments)
        return
    print(f"{reading.sentence}\n")
    answer = run_query(session, sparql_text(reading.query), limits=arguments.limits)
    assert isinstance(answer, Table)
    print_named(session, answer, arguments.limits)


def _run_saved(session: Session, arguments: argparse.Namespace) -> int:
    """Tell a saved workflow, and run it if that was asked for."""
    from hpc_explorer.app.ask.planning import plan_workflow
    from hpc_explorer.app.ask.workflows import saved_workflows

    known = {one.name: one for one in saved_workflows()}
    if arguments.question not in known:
        names = ", ".join(f"“{name}”" for name in known) or "none"
        raise UsageError("no saved workflow has this name", arguments.question, f"the saved ones: {names}")
    expression = _on_others(known[arguments.question].expression, arguments.on)
    plan = plan_workflow(session, expression, scripts_in=arguments.scripts_in, limits=arguments.limits)
    print("\n".join(f"  {number}. {step}" for number, step in enumerate(plan.steps, 1)))
    _run_workflow(session, expression, arguments)
    return DONE


def _on_others(expression: Call, pairs: Sequence[str]) -> Call:
    """The workflow with other tables in place of some of its own."""
    from hpc_explorer.app.ask.planning import on_other_data
    from hpc_explorer.app.ask.workflows import tables_of

    for pair in pairs:
        old, sign, new = pair.partition("=")
        if not sign or old not in tables_of(expression):
            raise UsageError("not a table of the workflow", pair, f"its tables: {', '.join(tables_of(expression))}")
        expression = on_other_data(expression, old, new)
    return expression


def _run_workflow(session: Session, expression: Call, arguments: argparse.Namespace) -> None:
    """Write the workflow as a program, and run it if that was asked for."""
    from hpc_explorer.app.ask.planning import Approvals, plan_workflow
    from hpc_explorer.app.ask.running import run_workflow
    from hpc_explorer.rdf.syntax.files import atomic_output

    if not (arguments.run or arguments.python or arguments.cwl):
        return
    plan = plan_workflow(session, expression, scripts_in=arguments.scripts_in, limits=arguments.limits)
    for path, text in ((arguments.python, plan.program), (arguments.cwl, plan.cwl)):
        if path is not None:
            with atomic_output(path) as stream:
                stream.write(text().encode())
            print(f"written: {path}")
    if not arguments.run:
        return
    approvals = Approvals()
    for command in plan.commands.values():
        print(f"\nruns: {command.shown}\nscript: {command.file}\nSHA-256: {command.sha256}")
        if not approvals.is_approved(command):
            if not _is_allowed(command, arguments.approve):
                raise UsageError("the script is not approved", command.shown,
                                 f"read it, then add --approve {command.sha256[:12]}")  # fmt: skip
            approvals.approve(command)
    result = run_workflow(
        plan, arguments.save_in, approvals.is_approved, replace_files=arguments.replace, limits=arguments.limits
    )
    print(f"\n{result.text}")
    for path in result.written:
        print(f"saved: {path}; the run is recorded in {path.parent / 'provenance'}")


def _is_allowed(command: ScriptCommand, approved: Sequence[str]) -> bool:
    """Whether the user approves a command, by option or when asked at a terminal."""
    if any(len(one) >= _LEAST_DIGITS and command.sha256.startswith(one.lower()) for one in approved):
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return input("Run this command? [y/N] ").strip().lower() in ("y", "yes")


def _described(session: Session, found: Interpretation, chosen: int | None) -> dict[str, Any]:
    """The JSON of `ask`. `expression`, `default_tags`, `chosen_tags` and `candidates` are those of INPOWS's scorer."""
    from hpc_explorer.language.interpretation import Status

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
        **({"rows_are_at_least": True} if reading.at_least else {}),
        **({"makes": reading.made} if reading.made else {}),
        **({"left_out": list(reading.left_out)} if reading.left_out else {}),
        **({"suggested_by_a_model": reading.suggestion} if reading.suggestion else {}),
        "expression": str(reading.expression) if reading.expression else None,
        "steps": list(steps_of(session, reading)) if reading.query is None else [],
        "tags": list(reading.tags),
        "sparql": None if reading.query is None else sparql_text(reading.query),
    }
