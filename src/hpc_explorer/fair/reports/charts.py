"""The charts of a report as SVG: a radar chart of subprinciples and bars of principles.

Colours come from the page's style by class, for light and dark themes and paper. Presentation attributes repeat those
of paper for programs that drop the style, such as mail clients.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from hpc_explorer.fair.ladder import Rung
from hpc_explorer.fair.scoring import Part
from hpc_explorer.fair.values import PRINCIPLE_TITLES

_RADIUS = 96.0
_RINGS = (0.25, 0.5, 0.75, 1.0)

_PLAIN = {
    "ring": 'fill="none" stroke="#d7dce2"',
    "certain": 'fill="#1f5fa8" fill-opacity="0.25" stroke="#1f5fa8" stroke-width="2"',
    "open": 'fill="none" stroke="#1f5fa8" stroke-dasharray="4 3"',
    "rail": 'fill="#eceff3"',
    "bar": 'fill="#1f5fa8"',
    "hatch": 'stroke="#1f5fa8" stroke-width="3"',
    "name": 'font-size="13"',
    "number": 'font-size="13"',
    "quiet": 'font-size="13" fill="#5b6572"',
}
"""Presentation attributes by class; the style sheet overrides them."""


def radar(parts: Sequence[Part]) -> str:
    """A radar chart with one spoke per part, from none (centre) to all points (rim).

    The filled area is certain, the dashed line possible.
    """
    centre_x, centre_y = _RADIUS + 44, _RADIUS + 26
    width, height = 2 * centre_x, 2 * centre_y

    def spot(position: int, share: float) -> tuple[float, float]:
        turn = 2 * math.pi * position / len(parts) - math.pi / 2
        return centre_x + share * _RADIUS * math.cos(turn), centre_y + share * _RADIUS * math.sin(turn)

    def outline(shares: Sequence[float]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (spot(n, share) for n, share in enumerate(shares)))

    drawn = [f'<polygon class="ring" points="{outline([ring] * len(parts))}"/>' for ring in _RINGS]
    for position, part in enumerate(parts):
        x, y = spot(position, 1.0)
        drawn.append(f'<line class="ring" x1="{centre_x}" y1="{centre_y}" x2="{x:.1f}" y2="{y:.1f}"/>')
        x, y = spot(position, 1.1)
        aside = (x - centre_x) / _RADIUS
        anchor = "middle" if abs(aside) < 0.3 else "start" if aside > 0 else "end"
        drawn.append(
            f'<text class="name" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{escape(part.name)}</text>'
        )
    if any(part.points.is_open for part in parts):
        drawn.append(f'<polygon class="open" points="{outline([part.points.high / part.of for part in parts])}"/>')
    drawn.append(f'<polygon class="certain" points="{outline([part.points.low / part.of for part in parts])}"/>')
    told = ", ".join(str(part) for part in parts)
    return _svg(width, height, f"Points by subprinciple: {told}", drawn)


def bars(parts: Sequence[Part], rungs: Sequence[Rung]) -> str:
    """A bar per principle with its level: filled if certain, hatched if open."""
    row, left, length = 34, 118, 300
    levels = {rung.principle.value: rung.level for rung in rungs}
    drawn = [
        '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>'
    ]
    for position, part in enumerate(parts):
        y = position * row + 8
        sure, most = (length * points / part.of for points in (part.points.low, part.points.high))
        drawn.append(
            f'<text class="name" x="0" y="{y + 15}">{escape(PRINCIPLE_TITLES.get(part.name, part.name))}</text>'
        )
        drawn.append(f'<rect class="rail" x="{left}" y="{y}" width="{length}" height="20" rx="2"/>')
        if most > sure:
            drawn.append(
                f'<rect fill="url(#hatch)" x="{left + sure:.1f}" y="{y}" width="{most - sure:.1f}" height="20"/>'
            )
        drawn.append(f'<rect class="bar" x="{left}" y="{y}" width="{sure:.1f}" height="20" rx="2"/>')
        drawn.append(f'<text class="number" x="{left + length + 12}" y="{y + 15}">{part.points} of {part.of}</text>')
        if part.name in levels:
            drawn.append(
                f'<text class="quiet" x="{left + length + 116}" y="{y + 15}">RDA level {levels[part.name]}</text>'
            )
    told = ", ".join(str(part) for part in parts)
    return _svg(left + length + 240, len(parts) * row + 4, f"Points by principle: {told}", drawn)


def _svg(width: float, height: float, told: str, drawn: Sequence[str]) -> str:
    shapes = "".join(drawn)
    for name, look in _PLAIN.items():
        shapes = shapes.replace(f'class="{name}"', f'class="{name}" {look}')
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f"aria-label={quoteattr(told)}>{shapes}</svg>"
    )
