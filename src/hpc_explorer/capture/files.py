"""What is recorded of a file: path, size, checksum and format."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FORMATS = {
    **dict.fromkeys((".pt", ".pth"), "PyTorch"),
    **dict.fromkeys((".h5", ".hdf5"), "HDF5"),
    **dict.fromkeys((".pkl", ".pickle"), "pickle"),
    **{f".{name}": name.upper() for name in ("csv", "tsv", "json", "xml", "npy", "npz", "segy", "onnx")},
    **{f".{name}": name for name in ("joblib", "safetensors", "keras", "parquet", "feather", "arrow", "zarr")},
    **dict.fromkeys((".nc", ".nc4"), "NetCDF"),
    **dict.fromkeys((".sgy",), "SEGY"),
    **dict.fromkeys((".tif", ".tiff"), "TIFF"),
    ".zip": "ZIP",
    ".tar": "tar",
    ".gz": "gzip",
    ".txt": "text",
    ".ckpt": "checkpoint",
    ".gguf": "GGUF",
}
_BEGINNINGS = (
    (b"\x89HDF\r\n\x1a\n", "HDF5"),
    (b"PK\x03\x04", "ZIP"),
    (b"PAR1", "parquet"),
    (b"\x93NUMPY", "NPY"),
    (b"CDF", "NetCDF"),
    (b"GGUF", "GGUF"),
    (b"\x1f\x8b", "gzip"),
    (b"\x80\x04", "pickle"),
    (b"\x80\x05", "pickle"),
)

_SETTLED = 2_000_000_000
"""Nanoseconds after which a change of a file is certain to show in its time."""

_checksums: dict[tuple[str, int, int, int], str] = {}
"""The checksums that were computed, by path, size, time and inode: a file is read once."""


@dataclass(frozen=True)
class FileRecord:
    """A record about a file; it is completed in another thread.

    Args:
        activity: the activity that used or generated the file.
        role: `input`, `output` or `model`.
        path: the absolute path.
        details: more of the record.
        before: size in bytes, time in nanoseconds and inode at the call; None if the file could not be read.
        source: the path of the file that it was derived from.
    """

    activity: str
    role: str
    path: str
    details: dict[str, Any]
    before: tuple[int, int, int] | None
    source: str | None = None

    def with_checksum(self) -> tuple[Any, ...]:
        """The record with the file's checksum, unless the file has changed since the call."""
        found = _described(self.path, self.before)
        if self.source is not None:
            found["source"] = {"path": self.source, **_described(self.source, file_state(self.source))}
        return self._record(found)

    def without_checksum(self) -> tuple[Any, ...]:
        """The record without a checksum."""
        return self._record({"note": "the process ended before its checksum was computed", **_state(self.before)})

    def _record(self, found: dict[str, Any]) -> tuple[Any, ...]:
        return ("file", self.activity, self.role, {"path": self.path, **self.details, **found})


def _state(before: tuple[int, int, int] | None) -> dict[str, Any]:
    return {} if before is None else {"size": before[0], "modified": before[1]}


def _described(path: str, before: tuple[int, int, int] | None) -> dict[str, Any]:
    """Size, time, checksum and format of a file; a note if it has changed, or cannot be read."""
    found = _state(before)
    if before is None:
        return {"note": "no such file, or it cannot be read"}
    try:
        if os.path.isdir(path):
            checksum, size = _of_folder(path)
            return found | {"sha256": checksum, "size": size, "format": "folder"}
        checksum = _checksums.get((path, *before)) or _of_file(path)
        if before != file_state(path):
            return found | {"note": "changed before its checksum was computed"}
        if time.time_ns() - before[1] > _SETTLED:
            _checksums[(path, *before)] = checksum
        return found | {"sha256": checksum, "format": _format(path)}
    except (OSError, ValueError) as error:
        return found | {"note": f"cannot be read: {error}"}


def file_state(path: str) -> tuple[int, int, int] | None:
    """Size in bytes, time in nanoseconds, and inode; None if the file cannot be read."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


def _of_file(path: str) -> str:
    with open(path, "rb", buffering=0) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _of_folder(folder: str) -> tuple[str, int]:
    """The checksum of a folder, from the paths and checksums of its files, and the sum of their sizes."""
    whole, size = hashlib.sha256(), 0
    for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        size += path.stat().st_size
        whole.update(f"{path.relative_to(folder).as_posix()}\0{_of_file(str(path))}\n".encode())
    return whole.hexdigest(), size


def _format(path: str) -> str:
    """The format by the name's ending, else by the first bytes; empty if unknown."""
    known = _FORMATS.get(os.path.splitext(path)[1].lower())
    if known is not None:
        return known
    with open(path, "rb") as stream:
        beginning = stream.read(16)
    return next((name for start, name in _BEGINNINGS if beginning.startswith(start)), "")
