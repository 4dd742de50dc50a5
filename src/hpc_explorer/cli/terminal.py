"""What a terminal is shown: text that is no command to it, whoever wrote it.

A name in a graph, or a message about a file, may hold characters that clear the screen, rename the window, or show the
rest of a line from right to left (Unicode Technical Report 36, section 3.1.1).
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any

# The controls of C0 and C1 but for the tab and the ends of lines, and those that turn the direction of writing.
_CONTROLS = (*range(9), 11, 12, *range(14, 32), *range(127, 160))
_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SHOWN = {code: f"\\x{code:02x}" for code in _CONTROLS} | {code: f"\\u{code:04x}" for code in _TURNS}


class _Shown(io.TextIOWrapper):
    """A stream to a terminal that shows controls as their escapes."""

    def write(self, text: str, /) -> int:
        return super().write(text.translate(_SHOWN))


class OutputFailed(OSError):
    """Standard output takes no more, such as a file on a full disk: no fault of any other file."""


class _Output(io.FileIO):
    """Standard output whose faults are known as its own."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputFailed(error.errno, error.strerror) from None


def show_any_text() -> None:
    """Have standard output and errors take any text, and a fault of standard output be an `OutputFailed`.

    What they cannot show becomes an escape in place of an error; on a terminal, so do controls. Into a file or pipe all
    goes as it is.
    """
    _know_output()
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


def _know_output() -> None:
    if sys.stdout is None:
        # It is closed. Whatever is opened next would take its number and get what is printed: this one refuses it.
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
