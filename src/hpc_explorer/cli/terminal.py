"""Escape control characters in terminal output.

Names in a graph and messages about files may contain characters that clear the screen, rename the window, or reverse
the text direction (Unicode Technical Report 36, section 3.1.1).
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any

# C0 and C1 controls except tab and line ends, and bidirectional controls.
_CONTROLS = (*range(9), 11, 12, *range(14, 32), *range(127, 160))
_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SHOWN = {code: f"\\x{code:02x}" for code in _CONTROLS} | {code: f"\\u{code:04x}" for code in _TURNS}


class _Shown(io.TextIOWrapper):
    """A terminal stream that escapes control characters."""

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
