"""The score as a self-contained SVG badge."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from hpc_explorer.fair.scoring import Score

_LABEL = "FAIR"
_HEIGHT = 20
_PADDING = 7

# Widths of Verdana at 11 pixels, in pixels, for the characters of a badge.
_WIDTHS = {
    " ": 3.9,
    "F": 6.3,
    "A": 7.5,
    "I": 4.6,
    "R": 7.6,
    "%": 11.8,
    ".": 4.0,
    "o": 6.7,
    "f": 3.9,
    "t": 4.3,
    "·": 4.0,
}
_DIGIT = 7.0


def badge(score: Score) -> str:
    """The badge of a score: `FAIR | 39 of 47 · 83.0 %`, or an interval while indicators are open.

    Its colour depends on the certain points, in four steps that also differ in lightness.
    """
    words = f"{score} · {score.percent}"
    left = _width(_LABEL) + 2 * _PADDING
    right = _width(words) + 2 * _PADDING
    title = f"FAIR score by the 47 indicators of the hybrid assessment: {words}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img" '
        f"aria-label={quoteattr(title)}>"
        f"<title>{escape(title)}</title>"
        f'<rect width="{left}" height="{_HEIGHT}" fill="#333b46"/>'
        f'<rect x="{left}" width="{right}" height="{_HEIGHT}" fill="{_colour(score)}"/>'
        '<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2:g}" y="14">{escape(_LABEL)}</text>'
        f'<text x="{left + right / 2:g}" y="14">{escape(words)}</text>'
        "</g></svg>\n"
    )


def _width(words: str) -> int:
    return round(sum(_WIDTHS.get(sign, _DIGIT) for sign in words))


def _colour(score: Score) -> str:
    """A colour with a contrast of 4.5 or more to white text."""
    share = score.percent_low
    for least, colour in ((85, "#0b5394"), (60, "#2a6ebb"), (35, "#5f6b7a")):
        if share >= least:
            return colour
    return "#8a4b08"
