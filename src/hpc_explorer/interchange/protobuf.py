"""Protocol Buffers without their schema: the fields of a message by number (https://protobuf.dev/programming-guides/encoding)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

Value = int | bytes


class Damaged(ValueError):
    """The bytes are not a message."""


def fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """The fields of a message in order: numbers as integers without a sign, everything else as bytes.

    Raises:
        Damaged: the bytes are not a message.
    """
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield number, value
            continue
        if wire == 2:
            size, at = _varint(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise Damaged(f"wire type {wire}")
        if at + size > end:
            raise Damaged("a field that ends too early")
        yield number, data[at : at + size]
        at += size


def message(data: bytes) -> dict[int, list[Value]]:
    """The fields of a message, by number."""
    found: dict[int, list[Value]] = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Damaged("a number that does not end")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if not byte & 0x80:
            return value, at
        shift += 7


def text(found: dict[int, list[Value]], number: int) -> str:
    """The last text of a field; empty if there is none."""
    value = found.get(number, [b""])[-1]
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)


def inner(found: dict[int, list[Value]], number: int) -> list[dict[int, list[Value]]]:
    """The messages of a field."""
    return [message(value) for value in found.get(number, ()) if isinstance(value, bytes)]


def integer(found: dict[int, list[Value]], number: int) -> int:
    """The last signed integer of a field; 0 if there is none."""
    value = found.get(number, [0])[-1]
    if isinstance(value, bytes):
        return 0
    return value - (1 << 64) if value >= 1 << 63 else value


def double(value: Value) -> float:
    """A number of 8 or 4 bytes.

    Raises:
        Damaged: it has another size.
    """
    if isinstance(value, bytes) and len(value) in (4, 8):
        return float(struct.unpack("<d" if len(value) == 8 else "<f", value)[0])
    raise Damaged("not a floating-point number")
