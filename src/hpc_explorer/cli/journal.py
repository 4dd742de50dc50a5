"""The command `journal`: list, undo, push and export the edits of a workspace."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import add_options, limits_of, positive, resource_of
from hpc_explorer.cli.edit import open_workspace
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.cli.push import add_push, run_push, statement_json
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hpc_explorer.app.journal.journal import Blame, JournalEntry
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.terms import Quad

_SHOWN = 20
_STATEMENTS = 8
"""The most statements listed per edit; the JSON output has all."""


def describe_journal(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `journal`."""
    parser.add_argument(
        "action",
        choices=tuple(_ACTIONS),
        help="log: the last edits; diff: unpushed edits; push: write them back; blame: where a triple comes from;"
        " undo, redo: the last edits; take-back: undo any edit; export: for other programs; drafts: list drafts",
    )
    parser.add_argument("workspace", nargs="?", metavar="WORKSPACE", help="its folder, or that of a draft")
    parser.add_argument("terms", nargs="*", metavar="TERM", help="blame: S P O, as `why` takes them; take-back: N")
    parser.add_argument("--about", metavar="IRI", help="log, export: only edits that touch this resource")
    parser.add_argument(
        "-n", type=positive, metavar="N", help=f"log: the most (default {_SHOWN}); undo, redo: how many"
    )
    parser.add_argument(
        "--format", choices=("rdf-patch", "sparql", "prov"), default="rdf-patch", help="export (default rdf-patch)"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="export: into this file (default: here)")
    add_push(parser)
    add_options(parser, "--json", "--timeout")


def run_journal(arguments: argparse.Namespace) -> int:
    """Run `journal`."""
    needs = arguments.action != "drafts"
    if needs and arguments.workspace is None:
        raise UsageError("no workspace is named", f"journal {arguments.action}", "name its folder")
    if arguments.terms and arguments.action not in ("blame", "take-back"):
        raise UsageError("one workspace at a time", arguments.terms[0], "leave it out")
    return _ACTIONS[arguments.action](arguments)


def _log(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.journal.journal import changes

    session = open_workspace(arguments, to_edit=False)
    about = resource_of(arguments, arguments.about) if arguments.about else None
    found = changes(session, about=about, limit=arguments.n or _SHOWN, limits=arguments.limits)
    if arguments.json:
        _dump({"entries": [entry_json(entry) for entry in found]})
        return DONE
    for entry in found:
        print("\n".join(entry_lines(session, entry)))
    if not found:
        print("nothing was edited" + (" about it" if about else ""))
    return DONE


def _diff(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.journal.journal import working_diff

    session = open_workspace(arguments, to_edit=False)
    found = working_diff(session)
    if arguments.json:
        _dump(
            {
                "sources": [
                    {
                        "source": diff.source or None,
                        "graph": str(getattr(diff.graph, "value", "")),
                        "removed": [statement_json(quad) for quad in diff.removed],
                        "added": [statement_json(quad) for quad in diff.added],
                    }
                    for diff in found
                ]
            }
        )
        return FOUND_WRONG if found else DONE
    for diff in found:
        print(f"{diff.source or 'in no source'}: {len(diff.removed):,} removed, {len(diff.added):,} added")
        print("\n".join(_statements(session, diff.removed, diff.added, None)))
    if not found:
        print("all edits are pushed")
    return FOUND_WRONG if found else DONE


def _blame(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.explore.inference import read_triple
    from hpc_explorer.app.journal.journal import blame

    if len(arguments.terms) != 3:
        raise UsageError("a triple has three terms", " ".join(arguments.terms), "journal blame WORKSPACE S P O")
    session = open_workspace(arguments, to_edit=False)
    found = blame(session, read_triple(session, *arguments.terms), limits=arguments.limits)
    if arguments.json:
        _dump(
            {
                "statement": statement_json(found.quad),
                "entry": None if found.entry is None else entry_json(found.entry),
                "source": found.source or None,
                "version": found.version,
                "recorded": None if found.recorded is None else found.recorded.isoformat(),
                "file": None if found.path is None else str(found.path),
                "line": found.line,
            }
        )
    else:
        print("\n".join(_blame_lines(session, found)))
    return DONE


def _undo(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.journal.editing_by_file import undo_last

    return _print_undone(
        arguments, [step.words for step in undo_last(open_workspace(arguments), arguments.n or 1)], "undone"
    )


def _redo(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.journal.editing_by_file import redo_last

    return _print_undone(
        arguments, [step.words for step in redo_last(open_workspace(arguments), arguments.n or 1)], "redone"
    )


def _print_undone(arguments: argparse.Namespace, words: list[str], what: str) -> int:
    session: Session = arguments.session
    assert session.workspace is not None
    if arguments.json:
        _dump({"revision": session.workspace.revision, what: words})
    elif words:
        print("\n".join(f"{what}: {one or 'an edit'}" for one in words))
    else:
        print(f"nothing can be {what}")
    return DONE if words else FOUND_WRONG


def _take_back(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.journal.journal import take_back

    if len(arguments.terms) != 1 or not arguments.terms[0].isdecimal():
        raise UsageError("which edit is not clear", " ".join(arguments.terms), "journal take-back WORKSPACE NUMBER")
    session = open_workspace(arguments)
    done = session.edit(take_back(session, int(arguments.terms[0])))
    return _print_undone(arguments, [done.change.words.removeprefix("Undo: ")], "undone")


def _export(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.journal.export import export_journal

    session = open_workspace(arguments, to_edit=False)
    about = resource_of(arguments, arguments.about) if arguments.about else None
    output = arguments.output
    done = export_journal(session, output or sys.stdout, arguments.format, about=about, limits=arguments.limits)
    if output is not None:
        print(f"wrote the journal to {output}")
    if done.unsaid:
        print(
            f"hpc-explorer: {done.unsaid:,} statements about blank nodes have no SPARQL form; written as comments",
            file=sys.stderr,
        )
    return FOUND_WRONG if done.unsaid else DONE


def _drafts(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.journal.editing import all_drafts
    from hpc_explorer.app.results.text_tables import table

    if arguments.workspace is not None:
        raise UsageError("drafts are listed without a workspace", arguments.workspace, "leave it out")
    limits_of(arguments)
    found = all_drafts()
    if arguments.json:
        _dump(
            {
                "drafts": [
                    {
                        "folder": str(draft.folder),
                        "sources": list(draft.sources),
                        "statements": draft.statements,
                        "edited": None if draft.edited is None else draft.edited.isoformat(),
                        "changed": list(draft.changed),
                        "missing": list(draft.missing),
                        "in_use": draft.in_use,
                    }
                    for draft in found
                ]
            }
        )
        return DONE
    rows = [
        (
            f"{draft.statements:,} not pushed",
            "never edited" if draft.edited is None else f"{draft.edited:%Y-%m-%d %H:%M} UTC",
            ", ".join(draft.sources),
            str(draft.folder),
        )
        for draft in found
    ]
    print("\n".join(table(rows, right=frozenset({0}))) if rows else "there are no drafts")
    return DONE


_ACTIONS = {
    "log": _log,
    "diff": _diff,
    "push": run_push,
    "blame": _blame,
    "undo": _undo,
    "redo": _redo,
    "take-back": _take_back,
    "export": _export,
    "drafts": _drafts,
}


# Output


def entry_lines(session: Session, entry: JournalEntry) -> list[str]:
    """An edit as text."""
    from hpc_explorer.wording import time_text

    undone = f"  (undone by edit {entry.undone_by})" if entry.undone_by is not None else ""
    lines = [f"edit {entry.revision}  {time_text(entry.when)} UTC  {entry.who or '-'}  {entry.words}{undone}"]
    if entry.why:
        lines.append(f"  why: {entry.why}")
    return [*lines, *_statements(session, entry.removed, entry.added, _STATEMENTS)]


def _blame_lines(session: Session, found: Blame) -> list[str]:
    from hpc_explorer.wording import time_text

    if found.entry is not None:
        return entry_lines(session, found.entry)
    if not found.source:
        return ["unknown: its graph belongs to no source, and no edit added it"]
    place = "" if found.path is None else f"{found.path}" + ("" if found.line is None else f", line {found.line:,}")
    version = "a version whose changes were too large to store" if found.version is None else f"version {found.version}"
    recorded = "" if found.recorded is None else f", recorded {time_text(found.recorded)} UTC"
    return [f"{found.source}: {version}{recorded}", *((f"  {place}",) if place else ())]


def _statements(session: Session, removed: tuple[Quad, ...], added: tuple[Quad, ...], most: int | None) -> list[str]:
    lines = [f"  - {text}" for text in _texts(session, removed)] + [f"  + {text}" for text in _texts(session, added)]
    if most is None or len(lines) <= most:
        return lines
    return [*lines[:most], f"  … and {len(lines) - most:,} more"]


def _texts(session: Session, quads: tuple[Quad, ...]) -> Iterator[str]:
    from hpc_explorer.rdf.terms import Literal, NamedNode

    def said(term: object) -> str:
        if isinstance(term, NamedNode):
            return session.prefixes.short(term.value)
        text = str(term)
        written = f"^^{term.datatype}" if isinstance(term, Literal) else ""
        if isinstance(term, Literal) and text.endswith(written):
            return f"{text.removesuffix(written)}^^{said(term.datatype)}"
        return text

    return (f"{said(quad.subject)} {said(quad.predicate)} {said(quad.object)}" for quad in quads)


def entry_json(entry: JournalEntry) -> dict[str, object]:
    """An edit as JSON."""
    return {
        "revision": entry.revision,
        "when": entry.when.isoformat(),
        "who": entry.who,
        "words": entry.words,
        "why": entry.why,
        "removed": [statement_json(quad) for quad in entry.removed],
        "added": [statement_json(quad) for quad in entry.added],
        "takes_back": list(entry.takes_back),
        "undone_by": entry.undone_by,
    }


def _dump(value: object) -> None:
    from hpc_explorer.cli.as_json import dump

    print(dump(value))
