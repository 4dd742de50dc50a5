"""The colours of the program, by role, light and dark; and which colour a class has.

Text roles have a contrast of at least 4.5:1 on every surface they are used on, marks and lines that
carry meaning at least 3:1 (WCAG 2.1, 1.4.3 and 1.4.11). The class colours start from Okabe and Ito's
set (https://jfly.uni-koeln.de/color/) and were moved until the nine well-known ones stay at least 12 units
of CIEDE2000 apart for normal, protanopic and deuteranopic sight (simulated after Machado et al. 2009).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

ClassRole = Literal["data", "file", "model", "activity", "software", "machine", "agent", "project", "other"]
"""The top-level kinds of things in an HPC knowledge graph that always have the same colour."""

SPARES = ("spare-1", "spare-2", "spare-3", "spare-4")
"""The colours shared out among all classes that are of none of the well-known kinds."""


@dataclass(frozen=True)
class Theme:
    """Every colour by its role, as "#rrggbb".

    Args:
        name: "light" or "dark".
        background: behind everything; the canvas.
        surface: cards, panels, inputs.
        raised: what lies on a surface: hovered rows, badges, menus.
        text: what is read.
        muted: what is read second: class names, captions, edge labels.
        line: borders that only separate.
        edge: lines that mean something: links, arrows.
        accent: the one accent: selection, focus, the main button.
        on_accent: text on the accent.
        accent_soft: a fill that marks the focus without taking the eye.
        error, warning, success: severity, as text or mark on a surface.
        classes: colour by class role, the well-known ones and the spares.
    """

    name: Literal["light", "dark"]
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
        "data": "#0c71e4",
        "file": "#409bc9",
        "model": "#ad3e07",
        "activity": "#0ea37b",
        "software": "#895a91",
        "machine": "#b8860b",
        "agent": "#6e6d4e",
        "project": "#74228b",
        "other": "#6a6c6d",
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
        "data": "#68b8fc",
        "file": "#abdbe9",
        "model": "#cb6a34",
        "activity": "#4fad76",
        "software": "#b98ab8",
        "machine": "#dda527",
        "agent": "#e9d592",
        "project": "#8f73e2",
        "other": "#acacaa",
        "spare-1": "#f19591",
        "spare-2": "#83d4c8",
        "spare-3": "#e0dc51",
        "spare-4": "#a67557",
    },
)

THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK}

# Local names of classes in lower case; a class that ends with one of them ("TrainingDataset") counts as that kind.
_ROLE_OF_NAME: dict[str, ClassRole] = {
    "data": "data",
    "dataset": "data",
    "collection": "data",
    "entity": "data",
    "artifact": "data",
    "table": "data",
    "file": "file",
    "log": "file",
    "logs": "file",
    "rawdata": "file",
    "rawlog": "file",
    "profile": "file",
    "document": "file",
    "distribution": "file",
    "aimodel": "model",
    "model": "model",
    "network": "model",
    "classifier": "model",
    "activity": "activity",
    "action": "activity",
    "experiment": "activity",
    "execution": "activity",
    "process": "activity",
    "run": "activity",
    "step": "activity",
    "job": "activity",
    "workflow": "activity",
    "evaluation": "activity",
    "software": "software",
    "softwareagent": "software",
    "softwareapplication": "software",
    "softwaresourcecode": "software",
    "application": "software",
    "program": "software",
    "script": "software",
    "code": "software",
    "library": "software",
    "compiler": "software",
    "tool": "software",
    "hardware": "machine",
    "machine": "machine",
    "cluster": "machine",
    "computer": "machine",
    "supercomputer": "machine",
    "node": "machine",
    "device": "machine",
    "processor": "machine",
    "coprocessor": "machine",
    "cpu": "machine",
    "gpu": "machine",
    "memory": "machine",
    "agent": "agent",
    "person": "agent",
    "organization": "agent",
    "organisation": "agent",
    "team": "agent",
    "project": "project",
    "study": "project",
    "campaign": "project",
    "": "other",
    "other": "other",
    "thing": "other",
    "resource": "other",
}


def class_role(colour_key: str) -> str:
    """The role in `Theme.classes` of a class, given by IRI, prefixed name, label or role name.

    Well-known kinds keep their own colour, by name or by the end of it; any other class gets one of
    the spare colours, always the same one.
    """
    if colour_key in LIGHT.classes:
        return colour_key
    name = re.sub(r"[\W_]", "", re.split(r"[#/:]", colour_key)[-1]).lower()
    if name in _ROLE_OF_NAME:
        return _ROLE_OF_NAME[name]
    # Names shorter than four letters end too many words ("run" in "prerun" is one, "log" in "catalog" is not).
    endings = (ending for ending in _ROLE_OF_NAME if len(ending) > 3 and name.endswith(ending))
    ending = max(endings, key=len, default=None)
    return SPARES[crc32(name.encode()) % len(SPARES)] if ending is None else _ROLE_OF_NAME[ending]


def class_colour(theme: Theme, colour_key: str) -> str:
    """The colour of a class in a theme; see `class_role`."""
    return theme.classes[class_role(colour_key)]


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours "#rrggbb", 1 to 21 (WCAG 2.1, relative luminance)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
