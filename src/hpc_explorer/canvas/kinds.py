"""The kinds of things in an HPC knowledge graph that are drawn alike everywhere: by colour, sign and shape.

A class is of a kind by its name or the end of it ("TrainingDataset" is a dataset). The shapes follow the drawing
convention of PROV (https://www.w3.org/2011/prov/wiki/Diagrams): things are round, activities square, agents, that is
people, programs and machines, have corners.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args
from zlib import crc32

Icon = Literal[
    "dataset",
    "file",
    "model",
    "experiment",
    "workflow",
    "software",
    "machine",
    "person",
    "project",
    "measurement",
    "place",
    "concept",
    "other",
]
"""The signs that `icons` draws."""

ICONS: tuple[Icon, ...] = get_args(Icon)

Shape = Literal["circle", "square", "hexagon", "diamond"]
"""The outlines of the plate that bears a sign."""

SHAPES: tuple[Shape, ...] = get_args(Shape)


@dataclass(frozen=True, slots=True)
class Kind:
    """How things of a kind look where nobody chose otherwise.

    Args:
        title: what the legend calls them where their classes have no common name; "" if nothing fits all.
        role: of their colour in `Theme.classes`.
    """

    title: str
    role: str
    icon: Icon
    shape: Shape


@dataclass(frozen=True, slots=True)
class Style:
    """How the things of a class look, where a person chose it; what is "" stays as its kind has it.

    Args:
        colour: a role of `Theme.classes`, which follows the theme, or "#rrggbb", which is the same in all.
        shape: one of `SHAPES`.
        icon: one of `ICONS`.
    """

    colour: str = ""
    shape: str = ""
    icon: str = ""


def style_fault(style: Style) -> str:
    """What is wrong with a style that was read from a file, in words; "" if nothing is."""
    if style.shape and style.shape not in SHAPES:
        return f"it has a shape {style.shape!r}, which is none of {', '.join(SHAPES)}"
    if style.icon and style.icon not in ICONS:
        return f"it has a sign {style.icon!r}, which is none of {', '.join(ICONS)}"
    known = {kind.role for kind in KINDS.values()}
    if style.colour and style.colour not in known and not re.fullmatch("#[0-9a-f]{6}", style.colour):
        return f"it has a colour {style.colour!r}, which is neither #rrggbb nor one of {', '.join(sorted(known))}"
    return ""


SPARES = ("spare-1", "spare-2", "spare-3", "spare-4")
"""The kinds that all classes of no well-known kind are shared out among."""

KINDS: dict[str, Kind] = {
    "data": Kind("Data", "data", "dataset", "circle"),
    "file": Kind("Files", "file", "file", "circle"),
    "model": Kind("Models", "model", "model", "circle"),
    "activity": Kind("Activities", "activity", "workflow", "square"),
    "experiment": Kind("Experiments and runs", "activity", "experiment", "square"),
    "software": Kind("Software", "software", "software", "hexagon"),
    "machine": Kind("Machines", "machine", "machine", "hexagon"),
    "agent": Kind("People", "agent", "person", "hexagon"),
    "project": Kind("Projects", "project", "project", "diamond"),
    "measurement": Kind("Measurements", "spare-2", "measurement", "circle"),
    "place": Kind("Places", "spare-4", "place", "circle"),
    "concept": Kind("Concepts", "spare-1", "concept", "diamond"),
    "other": Kind("Other", "other", "other", "circle"),
    "spare-1": Kind("", "spare-1", "other", "diamond"),
    "spare-2": Kind("", "spare-2", "other", "circle"),
    "spare-3": Kind("", "spare-3", "other", "hexagon"),
    "spare-4": Kind("", "spare-4", "other", "square"),
}

UNKNOWN = frozenset({"other", *SPARES})
"""The kinds that say nothing of what a thing is."""

# Local names of classes in lower case, by kind.
_NAMES = {
    "data": "data dataset collection entity artifact table",
    "file": "file log logs rawdata rawlog profile document distribution",
    "model": "aimodel model network classifier",
    "activity": "activity action process step workflow plan",
    "experiment": "experiment execution run job evaluation trial simulation",
    "software": "software softwareagent softwareapplication softwaresourcecode application program script code library"
    " compiler tool",
    "machine": "hardware machine cluster computer supercomputer node device processor coprocessor cpu gpu memory",
    "agent": "agent person organization organisation team",
    "project": "project study campaign",
    "measurement": "measurement observation metric quantity quantityvalue score",
    "place": "place location facility",
    "concept": "concept category topic",
    "other": "other thing resource",
}
_KIND_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()} | {"": "other"}


@lru_cache(maxsize=4096)
def kind_of(colour_key: str) -> str:
    """The kind in `KINDS` of a class, given by IRI, prefixed name, label or the kind itself.

    A class of no well-known kind is of one of the spare kinds, always the same one.
    """
    if colour_key in KINDS:
        return colour_key
    name = re.sub(r"[\W_]", "", re.split(r"[#/:]", colour_key)[-1]).lower()
    if name in _KIND_OF_NAME:
        return _KIND_OF_NAME[name]
    # Names shorter than four letters end too many words ("run" in "prerun" is one, "log" in "catalog" is not).
    endings = (ending for ending in _KIND_OF_NAME if len(ending) > 3 and name.endswith(ending))
    ending = max(endings, key=len, default=None)
    return SPARES[crc32(name.encode()) % len(SPARES)] if ending is None else _KIND_OF_NAME[ending]


def whole_style(style: Style, kind: str) -> Style:
    """The style with what it leaves open as a kind has it."""
    own = KINDS[kind]
    return Style(style.colour or own.role, style.shape or own.shape, style.icon or own.icon)


def look_key_of(cls: str, parents: Callable[[str], Iterable[str]], styled: Collection[str] = ()) -> str:
    """What decides the look of a class, as `SceneNode.colour_key` says it.

    That is the nearest class at or above it whose look a person chose; where nobody did, the well-known kind of the
    nearest class that is of one; else the class itself.

    Args:
        cls: its IRI.
        parents: the IRIs of the classes above a class.
        styled: the IRIs of the classes whose look a person chose.
    """
    kind = ""
    seen = {cls}
    level = [cls]
    while level:
        for candidate in level:
            if candidate in styled:
                return candidate
            if not kind and kind_of(candidate) not in UNKNOWN:
                kind = kind_of(candidate)
        if kind and not styled:
            return kind
        # An ordered set, so that of several parents the first counts.
        above = dict.fromkeys(parent for candidate in level for parent in parents(candidate) if parent not in seen)
        seen.update(above)
        level = list(above)
    return kind or cls
