"""Follow growing files of measurements: what is new goes into the workspace while it is written."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.monitor.series import SeriesReader, import_series, stated_series
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError
from hpc_explorer.stores.base import NO_LIMITS, Limits

_LOOK = 0.1
"""The longest wait in seconds between two checks of the limits."""


@dataclass(frozen=True)
class Growth:
    """What a look at a file brought.

    Args:
        new_points: the number of points that were added to the workspace; they are on the disk.
        newest: the time of the newest point of the file's series, in seconds since 1970; None if there is none.
        lost: one line for each thing that could not be read.
        problem: why the file cannot be read now; it is tried again. Empty if it can.
    """

    path: Path
    new_points: int
    newest: float | None
    lost: tuple[str, ...] = ()
    problem: str = ""


def watch_files(
    session: Session, paths: Sequence[Path], *, every: float = 5.0, limits: Limits = NO_LIMITS
) -> Iterator[Growth]:
    """Import files again whenever they have changed, until `limits` end it.

    A last line without its end is left for later. A file is read from its begin each time; a point that the workspace
    has is not added twice. So nothing is lost or doubled if the program is killed and started again.

    Args:
        every: seconds between two looks.

    Raises:
        Unsupported, StoreLocked, OutputNotWritable: see `import_series`.
        Cancelled, DeadlineExceeded: by `limits`.
    """
    seen: dict[Path, tuple[int, int]] = {}
    problems: dict[Path, str] = {}
    while True:
        for path in paths:
            limits.check("watching files")
            try:
                state = path.stat()
                if seen.get(path) == (state.st_size, state.st_mtime_ns):
                    continue
                (found,) = import_series(session, [path], whole_lines=True, limits=limits)
            except (OSError, InputError) as error:
                problem = getattr(error, "strerror", None) or str(error)
                if problems.get(path) != problem:
                    yield Growth(path, 0, None, (), problem)
                problems[path] = problem
                seen.pop(path, None)
                continue
            seen[path] = state.st_size, state.st_mtime_ns
            problems.pop(path, None)
            own = {iri for iri, _ in found.series}
            extents = SeriesReader(session).extents([one for one in stated_series(session) if one.iri in own])
            newest = max((extent.end for extent in extents.values()), default=None)
            yield Growth(path, found.new_points, newest, found.lost)
        ends = time.monotonic() + every
        while (left := ends - time.monotonic()) > 0:
            limits.check("watching files")
            time.sleep(min(left, _LOOK))
