"""The actions `import` and `watch` of the command `monitor`."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import limits_of
from hpc_explorer.cli.edit import open_workspace
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    from hpc_explorer.app.monitor.watching import Growth


def run_import(arguments: argparse.Namespace) -> int:
    """Run `monitor import`: load the runs among the files, then import the series."""
    from hpc_explorer.app.monitor.series import import_series, is_series
    from hpc_explorer.cli.arguments import print_missing
    from hpc_explorer.cli.load import load
    from hpc_explorer.monitor.live import is_live_address

    if len(arguments.sources) < 2:
        raise UsageError("name a workspace and files", "monitor import", "hpc-explorer monitor import WORKSPACE FILE …")
    workspace, *names = arguments.sources
    for name in names:
        if is_live_address(name):
            raise UsageError("a server is watched, not imported", "monitor import", "hpc-explorer monitor watch")
    others = [Path(name) for name in names if is_series(name)]
    runs = [name for name in names if Path(name) not in others]
    complete = True
    if runs:
        with contextlib.redirect_stdout(sys.stderr if arguments.json else sys.stdout):
            complete = load(Path(workspace), runs, (), limits=arguments.limits)
    arguments.workspace = workspace
    found = import_series(open_workspace(arguments), others, limits=arguments.limits) if others else ()
    if print_missing(((one.source, one.lost) for one in found), state=""):
        complete = False
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        files = [
            {
                "file": one.source,
                "series": [{"iri": iri.value, "name": name} for iri, name in one.series],
                "points": one.points,
                "new_points": one.new_points,
                "new_statements": one.statements,
                "lost": list(one.lost),
            }
            for one in found
        ]
        print(dump({"runs": runs, "files": files}))
    else:
        for one in found:
            number = len(one.series)
            print(
                f"{one.source}: {number:,} series, {one.points:,} points, {one.new_points:,} of them new"
                f" ({one.statements:,} new statements)"
            )
    return DONE if complete else FOUND_WRONG


def run_watch(arguments: argparse.Namespace) -> int:
    """Run `monitor watch`: follow files and servers until the user or --timeout ends it."""
    from hpc_explorer.app.monitor.watching import watch
    from hpc_explorer.errors import DeadlineExceeded

    if len(arguments.sources) < 2:
        raise UsageError(
            "name a workspace and what to watch", "monitor watch", "hpc-explorer monitor watch WORKSPACE FILE|ADDRESS …"
        )
    arguments.workspace, *names = arguments.sources
    timeout, arguments.timeout = arguments.timeout, None  # the time of watching, not of opening
    session = open_workspace(arguments)
    arguments.timeout = timeout
    arguments.limits = limits_of(arguments)
    detects = arguments.detect or arguments.notify
    try:
        for grown in watch(session, names, every=arguments.every, detects=detects, limits=arguments.limits):
            _print_growth(grown, arguments.json)
            if arguments.notify:
                _notify(grown)
    except DeadlineExceeded:
        pass
    return DONE


def _print_growth(grown: Growth, as_json: bool) -> None:
    import time

    from hpc_explorer.app.monitor.watched_events import words_of
    from hpc_explorer.cli.arguments import print_missing

    age = None if grown.newest is None else max(0.0, time.time() - grown.newest)
    if as_json:
        line = {
            "source": grown.source,
            "new_points": grown.new_points,
            "newest": time_text(grown.newest),
            "age": age,
            "lost": list(grown.lost),
            "problem": grown.problem,
            "remedy": grown.remedy,
            "events": [{**one.as_json(), "begins": one.begins} for one in grown.news],
        }
        print(json.dumps(line, ensure_ascii=False), flush=True)
        return
    print_missing([(grown.source, grown.lost)], state="")
    old = "" if age is None else f", the newest is {age:,.0f} s old"
    if grown.problem:
        what_to_do = f"; {grown.remedy}" if grown.remedy else ""
        print(f"{grown.source}: cannot be read now: {grown.problem}{old}{what_to_do}", file=sys.stderr, flush=True)
    else:
        print(f"{grown.source}: {counted(grown.new_points, 'new point')}{old}", flush=True)
    for one in grown.news:
        print(words_of(one), flush=True)


def _notify(grown: Growth) -> None:
    from hpc_explorer.app.monitor.watched_events import tell
    from hpc_explorer.app.settings import Settings

    settings = Settings.load()
    for one in grown.news:
        for problem in tell(one, settings) if one.begins else ():
            print(f"hpc-explorer: {problem}", file=sys.stderr, flush=True)


def time_text(moment: float | None) -> str | None:
    """A time in UTC as ISO 8601 has it."""
    if moment is None:
        return None
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
