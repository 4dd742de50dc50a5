"""The command `load`: load sources into a workspace and report progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from hpc_explorer.app.workspace.load_progress import LoadProgress, progress_text
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.cli.arguments import print_missing
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.namespaces import merged_prefixes
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.manifest import LoadedSource
from hpc_explorer.stores.remote.mirror_record import MirrorPart

# Seconds between progress updates on a terminal, and in a file or pipe.
_TERMINAL = 0.2
_ELSEWHERE = 5.0


class ProgressLine:
    """A progress line with bytes, triples per second and remaining time.

    Args:
        stream: on a terminal the line is overwritten; elsewhere lines are added.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._over = stream.isatty()
        self._began = time.monotonic()
        self._written = float("-inf")
        self._step = ""

    def __call__(self, progress: LoadProgress) -> None:
        """Write the progress, at most once per interval."""
        now = time.monotonic()
        if progress.step == self._step and now - self._written < (_TERMINAL if self._over else _ELSEWHERE):
            return
        self._written, self._step = now, progress.step
        text = progress_text(progress, now - self._began)
        self._stream.write(f"\r\x1b[K{text}" if self._over else f"{text}\n")
        self._stream.flush()

    def end(self) -> None:
        """Clear the terminal's line."""
        if self._over:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def load(
    folder: Path,
    names: Sequence[str],
    remove: Sequence[str],
    *,
    part: MirrorPart | None = None,
    at_most: int | None = None,
    update_address: str = "",
    allow_remote_contexts: bool = False,
    limits: Limits = NO_LIMITS,
) -> bool:
    """Load sources into a workspace and print a summary; returns whether all of each source was read."""
    line = ProgressLine(sys.stderr)
    try:
        done = load_into(
            folder,
            names,
            remove=remove,
            part=part,
            at_most=at_most,
            update_address=update_address,
            allow_remote_contexts=allow_remote_contexts,
            report=line,
            limits=limits,
        )
    finally:
        line.end()
    for name in done.removed:
        print(f"removed {name}")
    if done.edits_gone:
        print(f"  and with it {done.edits_gone:,} statements that edits had added to its graph")
    for source in done.loaded:
        print(f"loaded {source.triples:,} triples from {source.name}{_how_copied(source)}")
        for note in done.notes.get(source.name, ()):
            print(f"  {note}")
    if done.edits_kept:
        print(f"  {done.edits_kept:,} statements of edits in its graph were removed or added again")
    if done.edits_moot:
        print(f"  {done.edits_moot:,} statements of edits in its graph were not: the source has changed there")
    print(f"{folder} has {done.triples:,} triples")
    return not print_missing(done.missing.items())


def mirror_part(
    graph: str | None, cls: str | None, query: str | None, resources: Sequence[str] = ()
) -> MirrorPart | None:
    """The part of an endpoint that the options select, if any.

    Raises:
        UsageError: incompatible options.
        InvalidIri, UnknownPrefix: not an IRI.
    """
    if query and (graph or cls or resources):
        raise UsageError(
            "--query excludes --graph, --class and --resource", query, "leave out --graph, --class and --resource"
        )
    if cls and resources:
        raise UsageError("--class and --resource exclude each other", cls, "leave out --class")
    if not (graph or cls or query or resources):
        return None
    known = merged_prefixes([])
    return MirrorPart(
        known.resolve(graph) if graph else None,
        known.resolve(cls) if cls else None,
        query or "",
        tuple(map(known.resolve, resources)),
    )


def _how_copied(source: LoadedSource) -> str:
    """The copied part of an endpoint, and how its size compares with the endpoint's count."""
    record = source.mirror
    if record is None:
        return ""
    parts = [str(record.part), f"copy: {record.check.value}", record.note]
    return f" ({'; '.join(part for part in parts if part)})"
