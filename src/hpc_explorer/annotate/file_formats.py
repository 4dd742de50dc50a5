"""Detect the format of a file by its content, or by its name if the content is ambiguous.

Only the first bytes and the list of names in a ZIP archive are read; nothing is executed or decompressed. Sources:
the specifications of the formats for signatures, and IANA for media types.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO

from hpc_explorer.rdf.syntax.formats import format_of_name

HEAD = 4096
"""Number of bytes that are inspected."""

# Longer lists of names in an archive are not read.
_LONGEST_DIRECTORY = 8 * 2**20


@dataclass(frozen=True)
class FileFormat:
    """A format.

    Args:
        name: for example "HDF5".
        media_type: its media type, or the generic one for bytes.
    """

    name: str
    media_type: str


BYTES = "application/octet-stream"
"""The generic media type."""

# Format, media type, signature, and its position.
_SIGNATURES: tuple[tuple[str, str, bytes, tuple[int, ...]], ...] = (
    ("HDF5", "application/x-hdf5", b"\x89HDF\r\n\x1a\n", (0, 512, 1024, 2048)),
    ("NetCDF", "application/x-netcdf", b"CDF\x01", (0,)),
    ("NetCDF", "application/x-netcdf", b"CDF\x02", (0,)),
    ("NetCDF", "application/x-netcdf", b"CDF\x05", (0,)),
    ("NPY", "application/x-npy", b"\x93NUMPY", (0,)),
    ("Parquet", "application/vnd.apache.parquet", b"PAR1", (0,)),
    ("Arrow", "application/vnd.apache.arrow.file", b"ARROW1", (0,)),
    ("Avro", "application/avro", b"Obj\x01", (0,)),
    ("SQLite", "application/vnd.sqlite3", b"SQLite format 3\x00", (0,)),
    ("GGUF", BYTES, b"GGUF", (0,)),
    ("TensorFlow Lite", BYTES, b"TFL3", (4,)),
    ("ROOT", "application/x-root", b"root\x00", (0,)),
    ("FITS", "application/fits", b"SIMPLE  =", (0,)),
    ("gzip", "application/gzip", b"\x1f\x8b", (0,)),
    ("bzip2", "application/x-bzip2", b"BZh", (0,)),
    ("xz", "application/x-xz", b"\xfd7zXZ\x00", (0,)),
    ("Zstandard", "application/zstd", b"\x28\xb5\x2f\xfd", (0,)),
    ("tar", "application/x-tar", b"ustar", (257,)),
    ("ELF", "application/x-elf", b"\x7fELF", (0,)),
    ("PDF", "application/pdf", b"%PDF-", (0,)),
    ("PNG", "image/png", b"\x89PNG\r\n\x1a\n", (0,)),
    ("JPEG", "image/jpeg", b"\xff\xd8\xff", (0,)),
    ("GIF", "image/gif", b"GIF8", (0,)),
    ("TIFF", "image/tiff", b"II*\x00", (0,)),
    ("TIFF", "image/tiff", b"MM\x00*", (0,)),
)

_SHORTENED = frozenset({"gzip", "bzip2", "xz", "Zstandard"})

# Text formats by extension.
_TEXTS = {
    "csv": ("CSV", "text/csv"),
    "tsv": ("TSV", "text/tab-separated-values"),
    "json": ("JSON", "application/json"),
    "geojson": ("GeoJSON", "application/geo+json"),
    "jsonl": ("JSON Lines", "application/jsonl"),
    "ndjson": ("JSON Lines", "application/jsonl"),
    "ipynb": ("Jupyter notebook", "application/x-ipynb+json"),
    "yaml": ("YAML", "application/yaml"),
    "yml": ("YAML", "application/yaml"),
    "toml": ("TOML", "application/toml"),
    "xml": ("XML", "application/xml"),
    "html": ("HTML", "text/html"),
    "md": ("Markdown", "text/markdown"),
    "log": ("Log", "text/plain"),
    "py": ("Python", "text/x-python"),
    "sh": ("Shell script", "text/x-shellscript"),
    "c": ("C", "text/x-c"),
    "h": ("C", "text/x-c"),
    "cpp": ("C++", "text/x-c++"),
    "cu": ("CUDA", "text/x-cuda"),
    "f90": ("Fortran", "text/x-fortran"),
    "f": ("Fortran", "text/x-fortran"),
    "rq": ("SPARQL", "application/sparql-query"),
    "shex": ("ShEx", "text/shex"),
    "provn": ("PROV-N", "text/provenance-notation"),
}

# Names in a ZIP archive that identify a more specific format.
_IN_ARCHIVES: tuple[tuple[str, str, Callable[[frozenset[str]], bool]], ...] = (
    ("NPZ", "application/zip", lambda names: bool(names) and all(name.endswith(".npy") for name in names)),
    ("PyTorch", "application/zip", lambda names: any(re.fullmatch(r"[^/]+/data\.pkl", name) for name in names)),
    ("Keras", "application/zip", lambda names: {"config.json", "metadata.json"} <= names),
    (
        "Excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        lambda names: "xl/workbook.xml" in names,
    ),
    ("RO-Crate", "application/zip", lambda names: any(name.endswith("ro-crate-metadata.json") for name in names)),
)


def format_of_content(file: BinaryIO, name: str) -> FileFormat:
    """The format of an open file.

    Args:
        file: the file; it is read from the start, and its position changes.
        name: its name; the extension decides between formats with the same signature.
    """
    file.seek(0)
    head = file.read(HEAD)
    ending = PurePath(name).suffix.lower().removeprefix(".")
    for title, media_type, signature, places in _SIGNATURES:
        if any(head.startswith(signature, at) for at in places):
            return _told_by_name(FileFormat(title, media_type), name, ending)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _of_archive(file)
    if head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05" and len(head) > 1:
        return FileFormat("Python pickle", BYTES)
    if ending == "onnx" and head[:1] == b"\x08":  # the first field of an ONNX model: its version
        return FileFormat("ONNX", BYTES)
    if ending == "safetensors" and head[8:9] == b"{":
        return FileFormat("safetensors", BYTES)
    if not head:
        return FileFormat("empty", "application/x-empty")
    return _of_text(name, ending, head) if _is_text(head) else FileFormat("binary", BYTES)


def _told_by_name(found: FileFormat, name: str, ending: str) -> FileFormat:
    """The format built on a container format, by the file name."""
    if found.name == "HDF5" and ending in ("nc", "nc4", "cdf"):
        return FileFormat("NetCDF-4", "application/x-netcdf")
    if found.name == "HDF5" and ending in ("keras", "h5") and "weights" in name:
        return FileFormat("Keras", found.media_type)
    if found.name in _SHORTENED:
        inner = PurePath(PurePath(name).stem).suffix.lower().removeprefix(".")
        format = format_of_name(PurePath(name).stem)
        inside = format.name if format is not None and inner in format.extensions[:1] else _TEXTS.get(inner, ("",))[0]
        inside = "tar" if inner == "tar" or ending == "tgz" else inside
        return FileFormat(f"{inside}, {found.name}" if inside else found.name, found.media_type)
    return found


def _of_archive(file: BinaryIO) -> FileFormat:
    """The format of a ZIP archive by the names in it."""
    names = _names_in_archive(file)
    for title, media_type, fits in _IN_ARCHIVES:
        if fits(names):
            return FileFormat(title, media_type)
    return FileFormat("ZIP", "application/zip")


def _names_in_archive(file: BinaryIO) -> frozenset[str]:
    """The names in an archive; empty if the list is damaged or too long."""
    import zipfile

    size = file.seek(0, 2)
    file.seek(max(0, size - 66_000))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or int.from_bytes(tail[end + 12 : end + 16], "little") > _LONGEST_DIRECTORY:
        return frozenset()
    try:
        with zipfile.ZipFile(file) as archive:
            return frozenset(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return frozenset()  # It begins like an archive, and that is all that is told of a damaged one.


def _is_text(head: bytes) -> bool:
    if b"\x00" in head:
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return len(head) == HEAD and error.start >= HEAD - 4  # cut inside a character
    return True


def _of_text(name: str, ending: str, head: bytes) -> FileFormat:
    format = format_of_name(name)
    if format is not None and ending == format.extension:
        return FileFormat(format.name, format.media_types[0])
    if ending in _TEXTS:
        return FileFormat(*_TEXTS[ending])
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<?xml"):
        return FileFormat("XML", "application/xml")
    if re.match(rb'(?:\{\s*(?:"|\})|\[\s*[\[{"\]0-9])', start):
        return FileFormat("JSON", "application/json")
    return FileFormat("text", "text/plain")
