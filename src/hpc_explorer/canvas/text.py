"""Measure, wrap and shorten text without a window system.

Widths come from `fonts/metrics.json`, the advance widths of the shipped typeface. Kerning is ignored: in Inter it makes
most pairs narrower, so drawn text fits. Characters missing in the typeface are drawn in a fallback font, for which a
generous width is assumed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

FONT_FOLDER = Path(__file__).parent / "fonts"
FONT_FILES = {
    weight: FONT_FOLDER / f"Inter-{name}.otf" for weight, name in ((400, "Regular"), (500, "Medium"), (600, "SemiBold"))
}
FAMILY = "Inter"
ELLIPSIS = "…"

LEGIBLE = 6.0
"""Minimum pixels per em of a text on the screen."""

LONGEST = 480
"""Maximum characters that are processed; cards and titles cannot show more."""


class Font(NamedTuple):
    """The shipped typeface at a size (scene units per em) and a weight (400, 500 or 600)."""

    size: float
    weight: int = 400


class _Advances(dict[str, float]):
    """Advance widths of the typeface's characters, and default widths for others."""

    def __init__(self, widths: Mapping[str, float], units_per_em: int) -> None:
        super().__init__(widths)
        self._units_per_em = units_per_em

    def __missing__(self, character: str) -> float:
        return _fallback_em(character) * self._units_per_em


class _Metrics(NamedTuple):
    units_per_em: int
    cap_height: int
    advances: dict[int, _Advances]


@cache
def _metrics() -> _Metrics:
    table = json.loads((FONT_FOLDER / "metrics.json").read_text(encoding="ascii"))
    units_per_em = table["units_per_em"]
    advances = {
        int(weight): _Advances(
            {chr(run[0] + index): width for run in runs for index, width in enumerate(run[1:])}, units_per_em
        )
        for weight, runs in table["advances"].items()
    }
    return _Metrics(units_per_em, table["cap_height"], advances)


def cap_height(font: Font) -> float:
    """Height of a capital letter, to centre a line of text."""
    metrics = _metrics()
    return metrics.cap_height * font.size / metrics.units_per_em


def covered(text: str) -> bool:
    """Whether the shipped typeface has every character of the text."""
    advances = _metrics().advances[400]
    return all(character in advances for character in text)


@lru_cache(maxsize=16384)
def width(text: str, font: Font) -> float:
    """The maximum width of a line of text."""
    metrics = _metrics()
    return sum(map(metrics.advances[font.weight].__getitem__, text)) * font.size / metrics.units_per_em


def _fallback_em(character: str) -> float:
    """The expected width, in em, of a character in a fallback font."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if "\U0001f000" <= character <= "\U0001faff":
        return 1.4
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.8


_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ufeff\ufffe\uffff\ud800-\udfff]"
)


def clean(text: str) -> str:
    """The text as one line that can be drawn and written to XML.

    Collapses white space; removes control characters, lone surrogates and marks that change the text direction; keeps
    only head and tail beyond `LONGEST` characters.
    """
    if len(text) > LONGEST:
        text = text[: LONGEST * 3 // 4] + ELLIPSIS + text[-LONGEST // 4 :]
    if text.isprintable():  # Most texts: printable, with spaces only.
        return " ".join(text.split())
    return _INVISIBLE.sub("", " ".join(text.split()))


def clusters(text: str) -> list[str]:
    """The text in indivisible pieces: letters with their marks, joined emoji, flags."""
    if text.isascii():
        return list(text)
    pieces: list[str] = []
    for character in text:
        if pieces and _belongs_to(pieces[-1], character):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _belongs_to(piece: str, character: str) -> bool:
    if unicodedata.category(character) in ("Mn", "Mc", "Me") or "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    if character == "\u200d" or piece.endswith("\u200d"):
        return True
    return len(piece) == 1 and all("\U0001f1e6" <= flag <= "\U0001f1ff" for flag in piece + character)


@lru_cache(maxsize=8192)
def brief(text: str, longest: int) -> str:
    """A name shortened for use within a line."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + ELLIPSIS


def elide(text: str, font: Font, available: float, where: Literal["middle", "end"] = "middle") -> str:
    """The text, shortened with an ellipsis if it is wider than `available` units.

    In the middle it keeps a little less of the tail than of the head, because the ends of names (".onnx", "000127")
    distinguish them. If even the ellipsis does not fit, the result is empty.
    """
    if width(text, font) <= available:
        return text
    room = available - width(ELLIPSIS, font)
    if room < 0:
        return ""
    pieces = clusters(text)
    tail = _fitting(reversed(pieces), font, room * 0.4) if where == "middle" else 0
    tail_text = "".join(pieces[len(pieces) - tail :])
    head = _fitting(iter(pieces), font, room - width(tail_text, font))
    return "".join(pieces[:head]).rstrip() + ELLIPSIS + tail_text.lstrip()


def _fitting(pieces: Iterator[str], font: Font, room: float) -> int:
    """The number of leading pieces that fit."""
    used, count = 0.0, 0
    for piece in pieces:
        used += width(piece, font)
        if used > room:
            break
        count += 1
    return count


_BREAK = re.compile(r"(?<=\s)|(?<=[-_/.,:;#@&=+)])(?=\w)|(?<=[a-z])(?=[A-Z])|(?<=[\u3000-\u9fff\uac00-\ud7ff])(?=\S)")


def wrap(text: str, font: Font, available: float, lines: int = 2) -> tuple[str, ...]:
    """The text in at most `lines` lines, none wider than `available` units.

    Lines break at spaces, after punctuation in names, between CamelCase words and between ideographs; wider pieces
    break anywhere. The last line is shortened in its middle.
    """
    wrapped: list[str] = []
    rest = text
    while rest and len(wrapped) < lines - 1 and width(rest, font) > available:
        line = _first_line(rest, font, available)
        if not line:
            break
        wrapped.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    if rest:
        wrapped.append(elide(rest, font, available))
    return tuple(line for line in wrapped if line)


def _first_line(text: str, font: Font, available: float) -> str:
    line = ""
    for piece in _BREAK.split(text):
        if width((line + piece).rstrip(), font) > available:
            break
        line += piece
    if line.strip():
        return line
    pieces = clusters(text)
    return "".join(pieces[: _fitting(iter(pieces), font, available)])
