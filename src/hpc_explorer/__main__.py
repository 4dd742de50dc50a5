"""Where the program starts: a command goes to the command line, sources open the window."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hpc_explorer.app.query.interruptible import leave
from hpc_explorer.cli.commands import COMMANDS
from hpc_explorer.cli.main import report, run_command, sources_of_window


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with these arguments (those of the process if None); returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and (words[0] in COMMANDS or words[0].startswith("-")):
        return leave(run_command(words))
    try:
        sources = sources_of_window(words)
        from hpc_explorer.ui.window.application import run_window

        return run_window(sources)
    except Exception as error:  # whatever it is, a person is told in one line and never sees a traceback
        return report(error)


if __name__ == "__main__":
    sys.exit(main())
