"""Run commands and report errors with their exit codes.

Exit codes: 0 done; 1 done, and something is missing; 2 bad usage or bad input; 3 a store or server failed, or the
command was cancelled. Errors are one line on standard error: `hpc-explorer: what: where: what to do`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from hpc_explorer import __version__
from hpc_explorer.cli.commands import COMMANDS
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import ExplorerError, SourceNotFound, StoreError, UsageError

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session
import io
from typing import Any

PROGRAM = "hpc-explorer"

INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError`."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, "", f"see `{self.prog} --help`")


def run_command(words: Sequence[str]) -> int:
    """Run a command and return its exit code; never raises."""
    escape_output()
    try:
        try:
            code = _dispatch(list(words))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else DONE
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of the pipe has closed it.
        _discard_output()
        return DONE
    except KeyboardInterrupt:
        print(f"{PROGRAM}: stopped", file=sys.stderr)
        return INTERRUPTED
    except OutputFailed as error:
        from hpc_explorer.rdf.syntax.files import output_error

        _discard_output()
        return report(output_error(error, Path("standard output")))
    except Exception as error:
        return report(error)


def _discard_output() -> None:
    """Discard buffered output, which Python would otherwise try to write at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report(error: Exception) -> int:
    """Print an error in one line to standard error; returns its exit code."""
    if not isinstance(error, ExplorerError):
        error = _named(error)
    print(f"{PROGRAM}: {error}", file=sys.stderr)
    return error.exit_code


def _named(error: Exception) -> ExplorerError:
    """Convert any exception to an `ExplorerError`."""
    if isinstance(error, ImportError) and "PySide6" in str(error):
        return UsageError(
            "the window needs Qt, which is not installed or lacks a system library",
            str(error),
            "install it with: pip install 'hpc-explorer[gui]', or use the commands, see `hpc-explorer --help`",
        )
    if isinstance(error, OSError):
        where = "" if error.filename is None else os.fsdecode(error.filename)
        return StoreError(
            f"the system refuses to read or write ({error.strerror or error})", where, "check the disk and permissions"
        )
    if isinstance(error, MemoryError):
        return ExplorerError("out of memory", "", "open a smaller source, or free memory")
    if os.environ.get("HPC_EXPLORER_DEBUG"):
        raise error
    return ExplorerError(
        f"internal error ({type(error).__name__}: {error})",
        "",
        "please report it with the command you typed; HPC_EXPLORER_DEBUG=1 shows the details",
    )


def _dispatch(words: list[str]) -> int:
    if words[0] in ("-h", "--help"):
        print(_overview())
        return DONE
    if words[0] == "--version":
        print(f"{PROGRAM} {__version__}")
        return DONE
    if words[0].startswith("-"):
        raise UsageError("unknown option", words[0], f"see `{PROGRAM} --help`")
    name = words[0]
    command = COMMANDS[name]
    parser = _Parser(prog=f"{PROGRAM} {name}", description=command.help, formatter_class=_HelpFormatter)
    command.describe(parser)
    arguments = parser.parse_intermixed_args(words[1:])
    arguments.session = None
    try:
        code = command.run(arguments)
        if arguments.session is not None:
            _print_age(arguments.session)
        if code == DONE and getattr(arguments, "is_missing", False):
            code = FOUND_WRONG
    finally:
        if arguments.session is not None:
            arguments.session.close()
    return code


def _print_age(session: Session) -> None:
    """Print a line to standard error if cached answers of an endpoint were used."""
    age = session.answers_age()
    if age is None:
        return
    from hpc_explorer.cli.as_text import duration

    address = session.sources[0].name
    if session.is_offline:
        print(
            f"{PROGRAM}: the server cannot be reached: {address}: cached answers up to {duration(age)} old",
            file=sys.stderr,
        )
    else:
        print(f"{PROGRAM}: answers up to {duration(age)} old: {address}: use --refresh to ask again", file=sys.stderr)


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


def _overview() -> str:
    lines = [
        f"usage: {PROGRAM} [SOURCE ...]            open the window",
        f"       {PROGRAM} COMMAND SOURCE ... [options]",
        "",
        "Trace a model back to its raw data, explore any RDF graph, and export it.",
        "",
        "SOURCE is a file (Turtle, TriG, N-Triples, N-Quads, N3, RDF/XML, JSON-LD; also gzipped), several",
        "files, a folder, a workspace (see `load`), sample:NAME (xplacer, seismic, npb, nsf, campaign, sns,",
        "fugaku, xplacer-before, xplacer-after, campaign-fair), or the http(s) address of a document or a SPARQL",
        "endpoint. IRI is an IRI, a prefixed name such as hpc:AIModel, or a name that only one resource has.",
        "",
        "commands:",
        *(f"  {name:<10} {command.help}" for name, command in COMMANDS.items()),
        "",
        f"`{PROGRAM} COMMAND --help` lists a command's options. Exit codes: 0 done; 1 done, and something is",
        "missing; 2 bad usage or input; 3 a store or server failed.",
        "",
        "examples:",
        f"  {PROGRAM} sample:xplacer",
        f"  {PROGRAM} lineage sample:xplacer decisionTree.onnx",
        f"  {PROGRAM} export sample:xplacer --resource decisionTree.onnx -o model.jsonld",
    ]
    return "\n".join(lines)


def sources_of_window(words: Sequence[str]) -> list[str]:
    """The sources to open in the window.

    Raises:
        UsageError: neither a command nor a source.
        SourceNotFound: the file does not exist.
    """
    for word in words:
        if word.startswith("-"):
            raise UsageError("options require a command", word, f"see `{PROGRAM} --help`")
        if not word.startswith("sample:") and "://" not in word and not Path(word).exists():
            if "." in word or "/" in word or (len(words) > 1 and word != words[0]):
                raise SourceNotFound("no such file or folder", word, "check the path")
            raise UsageError("neither a command nor a file", word, f"see `{PROGRAM} --help`")
    return list(words)


# C0 and C1 controls except tab and line ends, and bidirectional controls.
_CONTROLS = (*range(9), 11, 12, *range(14, 32), *range(127, 160))
_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SHOWN = {code: f"\\x{code:02x}" for code in _CONTROLS} | {code: f"\\u{code:04x}" for code in _TURNS}


class _Shown(io.TextIOWrapper):
    """A terminal stream that escapes control characters.

    Names in a graph and messages about files may contain characters that clear the screen, rename the window, or
    reverse the text direction (Unicode Technical Report 36, section 3.1.1).
    """

    def write(self, text: str, /) -> int:
        return super().write(text.translate(_SHOWN))


class OutputFailed(OSError):
    """Writing to standard output failed, such as a full disk."""


class _Output(io.FileIO):
    """Standard output that raises `OutputFailed`."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputFailed(error.errno, error.strerror) from None


def escape_output() -> None:
    """Make standard output and error accept any text, and raise `OutputFailed` if writing fails.

    Unencodable characters are escaped, and on a terminal control characters too. Files and pipes get the text
    unchanged.
    """
    _wrap_output()
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(io.FileIO(os.devnull, "w")), "utf-8")
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper):
            continue
        stream.reconfigure(errors="backslashreplace")
        if stream.isatty():
            encoding = stream.encoding
            stream.flush()
            setattr(sys, name, _Shown(stream.detach(), encoding, "backslashreplace", line_buffering=True))


def _wrap_output() -> None:
    if sys.stdout is None:
        # Standard output is closed. The next opened file would get its number and the output: this stream refuses it.
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Output(os.open(os.devnull, os.O_RDONLY), "wb")), "utf-8")
    stream = sys.stdout
    if not isinstance(stream, io.TextIOWrapper):
        return
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if not isinstance(raw, io.FileIO) or isinstance(raw, _Output):
        return
    stream.flush()
    own: Any = _Output(raw.fileno(), "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(
        own if stream.buffer is raw else io.BufferedWriter(own),
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
