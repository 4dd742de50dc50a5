"""Files written whole or not at all, and what went wrong with reading or writing one as a named error."""

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
"""Seconds until a folder is emptied once more."""


@contextmanager
def atomic_output(path: Path, check: Callable[[Path], None] | None = None) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file `path` when the block ends, and is thrown away if it raises.

    Until then the file is as it was. A link is followed; a file that is replaced keeps its permissions. What is no
    regular file, such as `/dev/stdout`, is written directly.

    Args:
        check: looks at what was written before it takes the place of what was there, and raises where it must not. What
            is written directly is not checked.

    Raises:
        OutputNotWritable: there is no such folder, it may not be written, or the disk is full.
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
    """Have the names in a folder outlive a loss of power, where the system can promise that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_file(file: Path) -> None:
    """Have what was written to a file outlive a loss of power."""
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
    """A fault of reading `path` as a named error: `SourceNotFound` where nothing is there, else `SourceUnreadable`.

    Args:
        what: what was to be read, for a person.
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
    """A fault of writing to `path` as a named error. A fault of an engine has no number, and is known by its words."""
    number = error.errno or next((one for one in _REMEDIES if os.strerror(one) in str(error)), 0)
    what, remedy = _REMEDIES.get(number, (f"the file cannot be written ({error.strerror or error})", "write elsewhere"))
    return OutputNotWritable(what, str(path), remedy)


def remove_folder(folder: Path) -> None:
    """Take a folder away with all that is in it, as far as the system lets us; one that is not there is gone already.

    An engine that was just let go may still write a file with threads of its own while its folder is emptied: then it
    is emptied again.
    """
    for _ in range(_EMPTIED_AT_MOST):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_BETWEEN)
