"""The command `collect`: recorded provenance becomes statements in a workspace."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import seconds
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from hpc_explorer.app.capture.collecting import Collector

# A load may take this share of the time while spools are followed; the rest is waiting.
_LOADING_SHARE = 0.25


def describe_collect(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `collect`."""
    parser.add_argument("spools", nargs="*", metavar="SPOOL", help="folder that hpc_explorer.capture records into")
    parser.add_argument("--into", required=True, metavar="WORKSPACE", help="workspace folder; created if missing")
    parser.add_argument("--follow", action="store_true", help="keep collecting until Ctrl+C")
    parser.add_argument(
        "--interval",
        type=seconds,
        default=2.0,
        metavar="SECONDS",
        help="with --follow: time between two looks (default 2)",
    )
    parser.add_argument(
        "--idle", type=seconds, metavar="SECONDS", help="with --follow: end after this time without a new record"
    )
    parser.add_argument("--broker", metavar="ADDRESS", help="Redis server, such as redis://host:6379/0")
    parser.add_argument(
        "--stream", default="hpc-explorer", metavar="NAME", help="the server's stream (default hpc-explorer)"
    )
    parser.add_argument(
        "--group", default="hpc-explorer", metavar="NAME", help="consumer group: its collectors share the stream"
    )
    parser.add_argument("--delete", action="store_true", help="delete collected entries from the stream")


def run_collect(arguments: argparse.Namespace) -> int:
    """Collect spools and a stream, once or until stopped."""
    from hpc_explorer.app.capture.collecting import Collector
    from hpc_explorer.interchange.capture.streams import StreamAddress

    if not arguments.spools and not arguments.broker:
        raise UsageError("nothing to collect", "", "name a spool folder or --broker")
    if arguments.idle and not arguments.follow:
        raise UsageError("--idle ends following", "--idle", "add --follow")
    stream = None
    if arguments.broker:
        stream = StreamAddress(arguments.broker, arguments.stream, arguments.group, arguments.delete)
    folder = Path(arguments.into)
    spools = [Path(name) for name in arguments.spools]
    with Collector(folder, spools, stream, patient=arguments.follow) as collector:
        if arguments.follow:
            _follow(collector, arguments.interval, arguments.idle)
        else:
            collector.gather()
            _load(collector)
        for name, records in collector.records.items():
            print(f"{records:,} records of {name} are in {folder}")
        missing = collector.missing()
    for line in missing:
        print(f"hpc-explorer: {line}", file=sys.stderr)
    return FOUND_WRONG if missing else DONE


def _follow(collector: Collector, interval: float, idle: float | None) -> None:
    """Collect until Ctrl+C, or until no record came for a while."""
    from hpc_explorer.errors import ServerError, StoreLocked

    last_record = time.monotonic()
    load_from = 0.0
    problem = ""
    try:
        while True:
            said = ""
            try:
                if collector.gather():
                    last_record = time.monotonic()
                if time.monotonic() >= load_from:
                    began = time.monotonic()
                    _load(collector)
                    load_from = time.monotonic() + (time.monotonic() - began) * (1 / _LOADING_SHARE - 1)
            except (StoreLocked, ServerError) as error:
                said = f"hpc-explorer: {error}: trying again"
            if said and said != problem:
                print(said, file=sys.stderr)
            problem = said
            if idle is not None and time.monotonic() - last_record > idle:
                break
            time.sleep(interval)
    except KeyboardInterrupt:
        print("hpc-explorer: stopped following", file=sys.stderr)
    collector.gather()
    _load(collector)


def _load(collector: Collector) -> None:
    from hpc_explorer.cli.load import ProgressLine

    line = ProgressLine(sys.stderr)
    try:
        done = collector.load(report=line)
    finally:
        line.end()
    if done is not None:
        for source in done.loaded:
            print(f"loaded {source.triples:,} triples from {source.name}")
        sys.stdout.flush()
