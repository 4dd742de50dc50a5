"""Atomic file writing, and file system errors as named errors."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from hpc_explorer.errors import InputError, OutputNotWritable, SourceNotFound, SourceUnreadable

_EMPTIED_AT_MOST = 50
_BETWEEN = 0.02
"""Delay in seconds before a folder is removed again."""


@contextmanager
def atomic_output(path: Path, check: Callable[[Path], None] | None = None) -> Iterator[BinaryIO]:
    """A stream that replaces the file `path` when the block ends, and is discarded if the block raises.

    Links are followed, and permissions are kept. A path that is not a regular file, such as `/dev/stdout`, is written
    directly.

    Args:
        check: inspects the written file before it replaces the old one, and raises to reject it. Not called for files
            that are written directly.

    Raises:
        OutputNotWritable: the folder does not exist, permission is denied, or the disk is full.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            with open(target, "wb") as stream:
                yield cast("BinaryIO", stream)
            return
        with _replacing(target, check) as stream:
            yield stream
    except OSError as error:
        raise output_error(error, path) from None


@contextmanager
def _replacing(target: Path, check: Callable[[Path], None] | None) -> Iterator[BinaryIO]:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.with_name(f".{target.name[:40]}.{os.urandom(6).hex()}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield cast("BinaryIO", stream)
            stream.flush()
            os.fsync(stream.fileno())
        if check is not None:
            check(part)
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, where the system supports it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_file(file: Path) -> None:
    """Flush a file to disk."""
    with open(file, "rb+") as stream:
        os.fsync(stream.fileno())


_REMEDIES = {
    errno.ENOENT: ("there is no such folder", "make the folder first, or write elsewhere"),
    errno.ENOTDIR: ("there is no such folder", "make the folder first, or write elsewhere"),
    errno.EACCES: ("the file may not be written there", "write elsewhere, or change the permissions"),
    errno.EPERM: ("the file may not be written there", "write elsewhere, or change the permissions"),
    errno.EROFS: ("that place is read-only", "write elsewhere"),
    errno.EISDIR: ("that is a folder", "name a file in it"),
    errno.ENOSPC: ("the disk is full", "make room, or write elsewhere"),
    errno.EDQUOT: ("your share of the disk is full", "make room, or write elsewhere"),
    errno.ENAMETOOLONG: ("the file name is too long", "choose a shorter one"),
}


def input_error(error: OSError, path: Path, what: str = "file") -> InputError:
    """An error of reading `path` as a named error: `SourceNotFound` or `SourceUnreadable`.

    Args:
        what: the kind of file, for the message.
    """
    if isinstance(error, FileNotFoundError):
        return SourceNotFound(f"no such {what}", str(path), "check the path")
    remedy = (
        "name a file in it"
        if isinstance(error, IsADirectoryError)
        else "check its permissions"
        if isinstance(error, PermissionError)
        else "try again, or read a copy of it"
    )
    return SourceUnreadable(f"the {what} cannot be read ({error.strerror or error})", str(path), remedy)


def output_error(error: OSError, path: Path) -> OutputNotWritable:
    """An error of writing to `path` as a named error. Errors of an engine have no number and are recognised by their
    text."""
    number = error.errno or next((one for one in _REMEDIES if os.strerror(one) in str(error)), 0)
    what, remedy = _REMEDIES.get(number, (f"the file cannot be written ({error.strerror or error})", "write elsewhere"))
    return OutputNotWritable(what, str(path), remedy)


def remove_folder(folder: Path) -> None:
    """Remove a folder and its content as far as possible; a missing folder is ignored.

    A store that was just closed may still write from its own threads, so removal is tried twice.
    """
    for _ in range(_EMPTIED_AT_MOST):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_BETWEEN)
