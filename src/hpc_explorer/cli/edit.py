"""The command `edit`: add and remove the statements of files, as one edit of a workspace."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import add_options, limits_of
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import SourceNotFound, StoreLocked, UsageError

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session


def describe_edit(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `edit`."""
    parser.add_argument("workspace", metavar="WORKSPACE", help="the folder of a workspace, or of a draft")
    parser.add_argument(
        "--add", action="append", default=[], type=Path, metavar="F", help="add what this file states (may be repeated)"
    )
    parser.add_argument(
        "--remove",
        action="append",
        default=[],
        type=Path,
        metavar="F",
        help="remove what this file states (may be repeated)",
    )
    parser.add_argument(
        "--patch",
        action="append",
        default=[],
        type=Path,
        metavar="F.rdfp",
        help="apply this RDF Patch (may be repeated)",
    )
    parser.add_argument(
        "--graph", metavar="IRI", help="the graph of statements that name none (default: that of the only source)"
    )
    parser.add_argument("--words", default="", metavar="TEXT", help='a title of the edit: "Label of model 7"')
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, for the journal")
    add_options(parser, "--json", "--allow-remote-contexts", "--timeout")


def run_edit(arguments: argparse.Namespace) -> int:
    """Run `edit`."""
    from hpc_explorer.app.journal.editing_by_file import change_of_files

    if not (arguments.add or arguments.remove or arguments.patch):
        raise UsageError("nothing to edit", arguments.workspace, "give --add, --remove or --patch")
    session = open_workspace(arguments)
    graph = session.prefixes.resolve(arguments.graph) if arguments.graph else None
    change = change_of_files(
        session,
        add=arguments.add,
        remove=arguments.remove,
        patches=arguments.patch,
        graph=graph,
        words=arguments.words,
        why=arguments.why,
        allow_remote_contexts=arguments.allow_remote_contexts,
        limits=arguments.limits,
    )
    done = session.edit(change)
    removed, added = len(done.change.removed), len(done.change.added)
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        print(
            dump(
                {
                    "revision": done.revision,
                    "removed": removed,
                    "added": added,
                    "stated_elsewhere": len(done.already_stated),
                }
            )
        )
        return DONE
    if not done.change:
        print(f"nothing to change; the workspace is at edit {done.revision}")
    else:
        print(f"edit {done.revision}: removed {removed:,} and added {added:,} statements")
    if done.already_stated:
        print(f"not added, because another graph states them already: {len(done.already_stated):,}")
    return DONE if done.change else FOUND_WRONG


def open_workspace(arguments: argparse.Namespace, *, to_edit: bool = True) -> Session:
    """Open the workspace of the arguments; `main` closes it.

    Raises:
        SourceNotFound: not a workspace.
        StoreLocked: another program is editing it.
    """
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.stores.changes.manifest import is_workspace

    arguments.limits = limits_of(arguments)
    if not is_workspace(Path(arguments.workspace)):
        raise SourceNotFound(
            "there is no workspace in this folder",
            arguments.workspace,
            f"make one: hpc-explorer load FILE --into {arguments.workspace}",
        )
    session: Session = Session.new()
    arguments.session = session
    open_sources(session, [arguments.workspace], keep_workspace=to_edit, limits=arguments.limits)
    if to_edit and session.workspace is not None and session.workspace.lock_error is not None:
        raise session.workspace.lock_error
    if to_edit and session.read_only_reason is not None:
        raise StoreLocked(session.read_only_reason, arguments.workspace, "close it there first")
    return session
