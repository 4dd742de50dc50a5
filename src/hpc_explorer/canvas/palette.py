"""The colours of the program by role, for light, dark and print themes, and the looks of classes.

Text roles have a contrast of at least 4.5:1 on every surface they are used on, meaningful marks and lines at least 3:1
(WCAG 2.1, 1.4.3 and 1.4.11). The class colours start from Okabe and Ito's set (https://jfly.uni-koeln.de/color/),
adjusted until the nine known kinds are at least 12 units of CIEDE2000 apart for normal, protanopic and deuteranopic
sight, 10 for tritanopic sight, and all thirteen at least 8 for each (simulated after Machado et al. 2009).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from hpc_explorer.canvas.kinds import KINDS, Icon, Shape, Style, kind_of


@dataclass(frozen=True)
class Theme:
    """Every colour by its role, as "#rrggbb".

    Args:
        name: "light", "dark" or "print".
        background: behind everything; the canvas.
        surface: cards, panels, inputs.
        raised: elements on a surface: hovered rows, badges, menus.
        text: primary text.
        muted: secondary text: class names, captions, edge labels.
        line: borders.
        edge: meaningful lines: links, arrows.
        accent: the one accent: selection, focus, the main button.
        on_accent: text on the accent.
        accent_soft: a subtle fill for the focus.
        error, warning, success: severity, as text or mark on a surface.
        classes: colour by class role, the well-known ones and the spares.
        edge_width: of a normal line, in scene units.
        outlined: show classes by icon and outline, not by colour.
        styles: custom styles by look key.
        faded: keys of the faded looks.
    """

    name: Literal["light", "dark", "print"]
    background: str
    surface: str
    raised: str
    text: str
    muted: str
    line: str
    edge: str
    accent: str
    on_accent: str
    accent_soft: str
    error: str
    warning: str
    success: str
    classes: dict[str, str]
    edge_width: float = 1.25
    outlined: bool = False
    styles: Mapping[str, Style] = field(default_factory=dict)
    faded: frozenset[str] = frozenset()


LIGHT = Theme(
    name="light",
    background="#f5f6f8",
    surface="#ffffff",
    raised="#eceff3",
    text="#1a1e24",
    muted="#545d68",
    line="#d3d8df",
    edge="#7b848f",
    accent="#1f56c4",
    on_accent="#ffffff",
    accent_soft="#e7eefb",
    error="#b3261e",
    warning="#8a5300",
    success="#1a7037",
    classes={
        "data": "#0f6edc",
        "file": "#2199f0",
        "model": "#ad3e07",
        "activity": "#199d74",
        "software": "#895a91",
        "machine": "#b8860b",
        "agent": "#6f6b4a",
        "project": "#74228b",
        "other": "#646868",
        "spare-1": "#a8728f",
        "spare-2": "#005054",
        "spare-3": "#85844e",
        "spare-4": "#5e402c",
    },
)

DARK = Theme(
    name="dark",
    background="#14171b",
    surface="#1d2126",
    raised="#2a3037",
    text="#e7eaee",
    muted="#a3acb7",
    line="#39414a",
    edge="#78828e",
    accent="#82aaff",
    on_accent="#0d1b33",
    accent_soft="#1d2c47",
    error="#ff9a90",
    warning="#e5b45a",
    success="#74c98c",
    classes={
        "data": "#66b3fb",
        "file": "#b9e3f0",
        "model": "#cb6931",
        "activity": "#4dac76",
        "software": "#b88ab7",
        "machine": "#daa830",
        "agent": "#d7d596",
        "project": "#8b71e1",
        "other": "#aaaaa8",
        "spare-1": "#f58b8b",
        "spare-2": "#85d7c9",
        "spare-3": "#ebdd4f",
        "spare-4": "#a67455",
    },
)

PRINT = Theme(
    name="print",
    background="#ffffff",
    surface="#ffffff",
    raised="#ffffff",
    text="#000000",
    muted="#333333",
    line="#8c8c8c",
    edge="#404040",
    accent="#000000",
    on_accent="#ffffff",
    accent_soft="#f2f2f2",
    error="#000000",
    warning="#000000",
    success="#000000",
    classes=dict.fromkeys(LIGHT.classes, "#000000"),
    edge_width=0.75,
    outlined=True,
)

THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK, "print": PRINT}


class Look(NamedTuple):
    """The look of a class in a theme: colours of plate and icon, icon and shape."""

    colour: str
    ink: str
    icon: Icon
    shape: Shape


def with_styles(theme: Theme, styles: Mapping[str, Style]) -> Theme:
    """The theme with more custom styles, which override its own."""
    return replace(theme, styles={**theme.styles, **styles}) if styles else theme


def look_key(theme: Theme, colour_key: str) -> str:
    """The key shared by all things with the same look: the class with a custom style, or the kind."""
    return colour_key if colour_key in theme.styles else kind_of(colour_key)


def class_look(theme: Theme, colour_key: str) -> Look:
    """The look of a class, given by IRI, prefixed name, label or kind."""
    kind = KINDS[kind_of(colour_key)]
    style = theme.styles.get(colour_key, Style())
    colour = style.colour if style.colour.startswith("#") else theme.classes[style.colour or kind.role]
    if theme.outlined:
        colour = theme.text
    ink = theme.surface
    if contrast(ink, colour) < LEAST_CONTRAST:
        ink = max((theme.surface, theme.text), key=lambda one: contrast(one, colour))
    if is_faded(theme, colour_key):
        colour = mixed(colour, theme.background, FADE)
    return Look(colour, ink, style.icon or kind.icon, style.shape or kind.shape)  # type: ignore[arg-type]  # checked when read


def class_colour(theme: Theme, colour_key: str) -> str:
    """The colour of a class, see `class_look`."""
    return class_look(theme, colour_key).colour


def is_faded(theme: Theme, colour_key: str) -> bool:
    """Whether the look of a class is faded."""
    return bool(theme.faded) and look_key(theme, colour_key) in theme.faded


FADE = 0.8
"""Blend of faded colours towards the background; 1 is the background."""
LEAST_CONTRAST = 3.0
"""Minimum contrast of a meaningful mark (WCAG 2.1, 1.4.11)."""


def mixed(colour: str, other: str, share: float) -> str:
    """A blend of two colours "#rrggbb": 0 is the first, 1 the second."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


@lru_cache(maxsize=1024)
def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours "#rrggbb", 1 to 21 (WCAG 2.1, relative luminance)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
