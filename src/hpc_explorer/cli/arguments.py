"""Arguments that several commands share, and how they are read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import TextIO

    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.ontology.rules import RuleSet
    from hpc_explorer.rdf.terms import Resource
    from hpc_explorer.stores.base import Limits

_A_YEAR = 365 * 24 * 3600.0

# The most lines about what could not be read.
_MOST_MISSING = 100


# Arguments


def add_sources(parser: argparse.ArgumentParser, *, needed: bool = True) -> None:
    """Add the sources and their options."""
    parser.add_argument(
        "sources",
        nargs="+" if needed else "*",
        metavar="SOURCE",
        help="file, folder, workspace, sample:NAME, http(s) address or redis://HOST/STREAM",
    )
    add_options(parser, "--allow-remote-contexts", "--skip-damaged", "--timeout")
    parser.add_argument("--refresh", action="store_true", help="ignore cached answers and ask servers again")


def add_options(parser: argparse._ActionsContainer, *names: str) -> None:
    """Add options that several commands share."""
    for name in names:
        parser.add_argument(name, **_OPTIONS[name])


def add_copied_files(parser: argparse.ArgumentParser) -> None:
    """Add the options for copying files into a crate."""
    parser.add_argument("--copy-files", action="store_true", help="put the files on this machine into the crate")
    parser.add_argument(
        "--list-files", action="store_true", help="list the files that --copy-files would copy, and write nothing"
    )
    add_options(parser, "--files-in")


def print_copied(files: Mapping[str, Path], refused: Iterable[str], stream: TextIO | None = None) -> None:
    """List the files copied into a crate, and those that were refused.

    Args:
        files: local paths by their path in the crate.
        stream: None for standard output.
    """
    for place, path in files.items():
        print(f"{path} as {place}", file=stream)
    for place in refused:
        print(
            f"not read: {place}: outside the folders of the sources, or hidden: name its folder with --files-in",
            file=stream,
        )


# Argument types


def positive(text: str) -> int:
    """Parse a positive integer."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def non_negative(text: str) -> int:
    """Parse a non-negative integer."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer")
    return int(text)


def seconds(text: str) -> float:
    """Parse a number of seconds above 0, at most a year."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= _A_YEAR:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def scale(text: str) -> float:
    """Parse a scale of 0.1 to 16 pixels per unit."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.1 <= number <= 16:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.1 to 16")
    return number


_OPTIONS: dict[str, dict[str, Any]] = {
    "--allow-remote-contexts": {"action": "store_true", "help": "fetch JSON-LD contexts that are not known offline"},
    "--allow-service": {
        "action": "append",
        "default": [],
        "dest": "servers",
        "metavar": "HOST|all",
        "help": "allow SERVICE to query this server, such as example.org or localhost:8890 (may be repeated)",
    },
    "--rules": {
        "choices": ("common", "owl-rl"),
        "help": "infer by the common rules of RDFS and OWL 2 RL (default), or by all of OWL 2 RL, "
        "which also finds contradictions",
    },
    "--skip-damaged": {
        "action": "store_true",
        "help": "skip statements with syntax errors, in Turtle, TriG, N-Triples and N-Quads; list them and end with 1",
    },
    "--as-of": {
        "metavar": "TIME",
        "help": "the lineage at this time: 2024-03-01 (the whole day) or 2024-03-01T12:00:00Z",
    },
    "--files-in": {
        "action": "append",
        "default": [],
        "metavar": "FOLDER",
        "help": "also read files in this folder that the graph names; without it, only those in the folders "
        "of the sources (may be repeated)",
    },
    "--infer": {
        "action": "store_true",
        "help": "include what follows by rules, marked as inferred",
    },
    "--json": {"action": "store_true", "help": "machine-readable output"},
    "--match-content": {
        "action": "store_true",
        "help": "also connect things with the same checksum; such steps are marked as matched by value",
    },
    "--own-schema": {
        "action": "store_true",
        "help": "infer by the schema of the sources only, without the shipped ontology",
    },
    "--recorded-by": {
        "metavar": "TIME",
        "help": "use what was recorded at this time: by file times, and the versions and edits of a workspace",
    },
    "--timeout": {
        "type": seconds,
        "metavar": "SECONDS",
        "help": "stop after this time with exit code 3 (default: no limit)",
    },
    "--vocabulary": {
        "metavar": "F.toml",
        "help": "your own lineage terms, in addition to lineage.toml in the settings folder",
    },
}


# Values


def open_session(arguments: argparse.Namespace) -> Session:
    """Open the sources, and infer if requested.

    Sets `arguments.session`, which `main` closes, and `arguments.limits`.

    Raises:
        UsageError: `--own-schema` or `--rules` without `--infer`.
        ExplorerError: as `open_sources` and `infer` raise.
    """
    from hpc_explorer.app.workspace.local_files import named_folders
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session

    infers = getattr(arguments, "infer", False)
    for option, is_given in (("--own-schema", "own_schema"), ("--rules", "rules")):
        if hasattr(arguments, "infer") and getattr(arguments, is_given, None) and not infers:
            raise UsageError(f"{option} requires --infer", "", "add --infer, or leave it out")
    limits = arguments.limits = limits_of(arguments)
    session = arguments.session = Session.new()
    named = getattr(arguments, "vocabulary", None)
    session.vocabulary_file = None if named is None else Path(named)
    session.file_folders = named_folders(getattr(arguments, "files_in", ()))
    open_sources(
        session,
        arguments.sources,
        allow_remote_contexts=arguments.allow_remote_contexts,
        skip_damaged=arguments.skip_damaged,
        refresh=arguments.refresh,
        limits=limits,
    )
    arguments.is_missing = print_missing((source.name, source.missing) for source in session.sources)
    if session.workspace is not None and session.workspace.edited_elsewhere:
        print(
            f"another program is editing this workspace; read as of its edit {session.workspace.revision}",
            file=sys.stderr,
        )
    if infers:
        from hpc_explorer.app.explore.inference import infer

        infer(session, rule_set_of(arguments), own_schema=arguments.own_schema, limits=limits)
    return session


def rule_set_of(arguments: argparse.Namespace) -> RuleSet:
    """The rules of `--rules`."""
    from hpc_explorer.ontology.rules import RuleSet

    return RuleSet(arguments.rules or RuleSet.COMMON)


def print_missing(missing: Iterable[tuple[str, Iterable[str]]], *, state: str = "not read: ") -> bool:
    """Print what could not be read of each source to standard error; returns whether there is anything.

    Args:
        state: what is said before each; nothing where a line says itself what became of it.
    """
    lines = [f"{name}: {state}{line}" for name, lines in missing for line in lines]
    for line in lines[:_MOST_MISSING]:
        print(line, file=sys.stderr)
    if len(lines) > _MOST_MISSING:
        print(f"and {len(lines) - _MOST_MISSING:,} more that were not read", file=sys.stderr)
    return bool(lines)


def limits_of(arguments: argparse.Namespace) -> Limits:
    """The limits of `--timeout` and `--allow-service`; the timeout starts now."""
    from dataclasses import replace

    from hpc_explorer.stores.base import NO_LIMITS, Limits

    limits = NO_LIMITS if arguments.timeout is None else Limits.seconds(arguments.timeout)
    return replace(limits, servers=frozenset(one.lower() for one in getattr(arguments, "servers", ())))


def resource_of(arguments: argparse.Namespace, text: str) -> Resource:
    """The resource of an IRI, a prefixed name or a label.

    Raises:
        ExplorerError: see `finding.resolve`.
    """
    from hpc_explorer.app.explore.finding import resolve
    from hpc_explorer.errors import UnknownResource

    try:
        return resolve(arguments.session, text, limits=arguments.limits)
    except UnknownResource:
        if getattr(arguments, "recorded_by", None) is None:
            raise
        return _recorded_resource(arguments.session, text, arguments.limits)


def _recorded_resource(session: Session, text: str, limits: Limits) -> Resource:
    """A resource that occurs only in the history of the graph.

    Raises:
        UnknownResource: it never occurred.
        InvalidIri, UnknownPrefix: neither an IRI nor a prefixed name.
    """
    from hpc_explorer.errors import UnknownResource

    resource = session.prefixes.resolve(text)
    if resource not in session.recorded_history(limits=limits).gone_by_term:
        raise UnknownResource("the graph never said anything about it", text, "search for a part of its name")
    return resource


def moment_of(arguments: argparse.Namespace) -> datetime | None:
    """The time of `--as-of`, if given."""
    return _moment(arguments.as_of)


def recorded_moment_of(arguments: argparse.Namespace) -> datetime | None:
    """The time of `--recorded-by`, if given."""
    return _moment(arguments.recorded_by)


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    from hpc_explorer.lineage.time.as_of import read_moment

    return read_moment(text)
