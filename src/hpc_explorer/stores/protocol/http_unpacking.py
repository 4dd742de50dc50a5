"""Decompress the body of a response incrementally by its Content-Encoding (RFC 9110, section 8.4)."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from hpc_explorer.errors import AnswerDamaged

ACCEPTED = "gzip, deflate"
"""The value of the Accept-Encoding header."""

_PIECE = 1 << 20
_GZIP, _ZLIB, _RAW = 31, 15, -15


async def unpacked(pieces: AsyncIterator[bytes], coding: str, address: str) -> AsyncIterator[bytes]:
    """The decompressed body in pieces of at most 1 MiB.

    Args:
        pieces: the received pieces.
        coding: the Content-Encoding; a single one, because each can multiply the size by 1,000.
        address: the server, for errors.

    Raises:
        AnswerDamaged: the coding is another, or the body is damaged or cut off.
    """
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        async for piece in pieces:
            yield piece
        return
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise AnswerDamaged(f"the answer is packed as {coding!r}", address, "ask the server's maintainers for gzip")
    is_gzip = coding != "deflate"
    reader = zlib.decompressobj(_GZIP) if is_gzip else None
    try:
        async for piece in pieces:
            if reader is None:
                # Some servers omit the two bytes of the zlib header.
                reader = zlib.decompressobj(_ZLIB if piece[0] & 0x0F == 8 else _RAW)
            left = piece
            while left:
                if reader.eof:
                    if not is_gzip:
                        break
                    # Another member follows (RFC 1952, section 2.2).
                    reader = zlib.decompressobj(_GZIP)
                yield reader.decompress(left, _PIECE)
                left = reader.unused_data if reader.eof else reader.unconsumed_tail
    except zlib.error:
        raise AnswerDamaged("the answer cannot be unpacked", address, "try again later") from None
    if reader is not None and not reader.eof:
        raise AnswerDamaged("the answer is incomplete", address, "try again later")
