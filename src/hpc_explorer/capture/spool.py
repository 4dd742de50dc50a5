"""The spool: how recorded provenance lies on disk.

A spool is a folder. Each process that records appends to a file of its own there, `PROCESS.spool`, so processes need no
lock and no communication. The first line is the header:

    hpc-explorer-spool 1 PROCESS

Each further line is a frame: the payload's length in bytes and its CRC-32, both as 8 hexadecimal digits, and the
payload, which is a JSON array without line breaks. Its first item is the record's kind; see
`hpc_explorer.capture.records`.

    00000055 5f237159 ["metric","fit.7c1e/stage:training.1/epoch:0","loss",0.71,0,1790000000000000000,null]

A record's identity is the process and the line number, so a record that is read twice is the same record. A process
that is killed leaves at most one torn frame, at the end of its file.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from json import encoder
from pathlib import Path
from typing import Any

VERSION = 1
SUFFIX = ".spool"
MAGIC = b"hpc-explorer-spool "
"""The first bytes of a spool file, of any version."""

_HEADER = re.compile(rb"hpc-explorer-spool (\d{1,9}) ([0-9A-Za-z_.-]{1,120})\n")
_PREFIX = 18  # two numbers of 8 digits, each with a space
_READ = 1 << 20

Record = list[Any]


class NotASpool(Exception):
    """A file is not a spool file, or of a later version. The message says which."""


@dataclass(frozen=True)
class Damage:
    """A place in a spool file that cannot be read.

    Args:
        offset: where it begins, in bytes.
        size: its length in bytes.
        is_last: whether nothing follows: the process was killed while it wrote, or is still writing.
    """

    offset: int
    size: int
    is_last: bool


@dataclass
class SpoolPart:
    """The records of a part of a spool file.

    Args:
        process: the process that wrote them.
        records: the records in order.
        end: the offset of the next frame, in bytes.
        damages: the places that cannot be read; the other records are there.
    """

    process: str
    records: list[Record] = field(default_factory=list)
    end: int = 0
    damages: list[Damage] = field(default_factory=list)


def header(process: str) -> bytes:
    """The first line of a spool file."""
    return f"hpc-explorer-spool {VERSION} {process}\n".encode("ascii")


def _encoder() -> Callable[[Any], str]:
    """A function from a value to JSON in ASCII; what JSON cannot express becomes its `repr`."""
    make = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(separators=(",", ":"), check_circular=False, default=repr).encode
    # `JSONEncoder.encode` makes this object at each call, which costs half of its time.
    encode = make(None, repr, encoder.encode_basestring_ascii, None, ":", ",", False, True, True)
    return lambda value: "".join(encode(value, 0))


_encode = _encoder()
_quoted: dict[str, str] = {}


def frames(records: Iterable[Any], crc32: Callable[[bytes], int] = zlib.crc32) -> list[bytes]:
    """The frames of records; nothing for None. A record that cannot be encoded becomes a record of that failure.

    Metrics and batches, which are most records, are formatted here, in half of the time.
    """
    made: list[bytes] = []
    quoted = _quoted
    if len(quoted) > 10_000:
        quoted.clear()
    for record in records:
        if record is None:
            made.append(b"")
            continue
        kind = record[0]
        if kind == "metric" and record[6] is None and type(record[3]) is float and -1e300 < record[3] < 1e300:
            _, identity, name, value, number, time, _ = record
            word = quoted.get(name)
            if word is None:
                word = quoted[name] = _encode(str(name))
            text = f'["metric","{identity}",{word},{value!r},{number},{time},null]'
        elif kind == "batch" and record[4] is None:
            _, identity, begun, ended, _ = record
            text = f'["batch","{identity}",{begun},{ended},null]'
        else:
            try:
                text = _encode(record)
            except Exception as error:  # noqa: BLE001  # whatever a value does, the other records are written
                text = _encode(["lost", 1, f"a {kind} cannot be written: {type(error).__name__}"])
        payload = text.encode("ascii")
        made.append(b"%08x %08x %b\n" % (len(payload), crc32(payload), payload))
    return made


def _process(line: bytes) -> tuple[str, int]:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise NotASpool("not a spool file")
    version = int(found[1])
    if version != VERSION:
        raise NotASpool(f"version {version} of the spool's format, and this program reads version {VERSION}")
    return found[2].decode("ascii"), len(line)


def spool_files(folder: Path) -> list[Path]:
    """The spool files in a folder."""
    return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())


def read_spool(path: Path, start: int = 0, most: int = 1 << 62) -> SpoolPart:
    """The records of a spool file from an offset on.

    Args:
        start: where to begin in bytes, such as the `end` of the part before; 0 for the beginning.
        most: the maximum number of bytes to read; a frame is always read to its end.

    Raises:
        NotASpool: it is another kind of file, or of a later version.
        OSError: it cannot be read.
    """
    with open(path, "rb") as stream:
        process, length = _process(stream.readline(256))
        start = max(start, length)
        stream.seek(start)
        lines = _lines(stream.read, most)
        return parse_frames(process, start, lines)


def _lines(read: Callable[[int], bytes], most: int) -> Iterator[bytes]:
    """The lines in the first `most` bytes of a stream, at least one, each with its line break; the last may lack it."""
    rest, taken, is_first = b"", 0, True
    while (taken < most or is_first) and (block := read(_READ)):
        taken += len(block)
        *whole, rest = (rest + block).split(b"\n")
        is_first = is_first and not whole
        yield from (line + b"\n" for line in whole)
    if rest and not read(1):
        yield rest


def parse_frames(process: str, start: int, lines: Iterable[bytes]) -> SpoolPart:
    """The records of lines that begin at an offset. `end` is before a last line without a line break."""
    part = SpoolPart(process, end=start)
    offset = start
    torn: Damage | None = None
    for line in lines:
        if torn is not None:
            part.damages.append(torn)
            torn = None
        record = _record(line)
        if record is not None:
            part.records.append(record)
            part.end = offset + len(line)
        else:
            torn = Damage(offset, len(line), is_last=False)
        offset += len(line)
    if torn is not None:
        part.damages.append(Damage(torn.offset, torn.size, is_last=True))
    elif part.damages:
        part.end = offset
    return part


def _record(line: bytes) -> Record | None:
    """The record in a frame; None if its length, checksum or content is wrong."""
    payload = line[_PREFIX:-1]
    if line[_PREFIX - 1 : _PREFIX] != b" " or line[-1:] != b"\n":
        return None
    try:
        if int(line[:8], 16) != len(payload) or int(line[9:17], 16) != zlib.crc32(payload):
            return None
        record = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, list) and record and isinstance(record[0], str) else None


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data` to an open file.

    Raises:
        OSError: only a part was written; the caller cuts the file to its length before.
    """
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
