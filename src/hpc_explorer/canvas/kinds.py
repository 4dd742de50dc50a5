"""Kinds of things in HPC knowledge graphs, with the colour, sign and shape they are drawn with.

The kind of a class follows from its superclasses, and from its name or the last word of it where that fits: a training
dataset is a dataset, but a node of a decision tree is not a machine. Shapes follow the drawing convention of PROV
(https://www.w3.org/2011/prov/wiki/Diagrams): things are round, activities square, agents (people, programs and
machines) have corners.
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
    "parameter",
    "place",
    "concept",
    "other",
]
"""The icons of `icons`."""

ICONS: tuple[Icon, ...] = get_args(Icon)

Shape = Literal["circle", "square", "hexagon", "diamond"]
"""The outlines of the plate behind an icon."""

SHAPES: tuple[Shape, ...] = get_args(Shape)


@dataclass(frozen=True, slots=True)
class ClassKind:
    """The default look of a kind.

    Args:
        title: its name in the legend if its classes have no common name, or "".
        role: of its colour in `Theme.classes`.
    """

    title: str
    role: str
    icon: Icon
    shape: Shape


@dataclass(frozen=True, slots=True)
class Style:
    """A look of a class that a user chose; "" means the kind's default.

    Args:
        colour: a role of `Theme.classes`, which follows the theme, or a fixed "#rrggbb".
        shape: one of `SHAPES`.
        icon: one of `ICONS`.
    """

    colour: str = ""
    shape: str = ""
    icon: str = ""


def style_fault(style: Style) -> str:
    """What is wrong with a style read from a file, or ""."""
    if style.shape and style.shape not in SHAPES:
        return f"it has a shape {style.shape!r}, which is none of {', '.join(SHAPES)}"
    if style.icon and style.icon not in ICONS:
        return f"it has a sign {style.icon!r}, which is none of {', '.join(ICONS)}"
    known = {kind.role for kind in KINDS.values()}
    if style.colour and style.colour not in known and not re.fullmatch("#[0-9a-f]{6}", style.colour):
        return f"it has a colour {style.colour!r}, which is neither #rrggbb nor one of {', '.join(sorted(known))}"
    return ""


SPARES = ("spare-1", "spare-2", "spare-3", "spare-4")
"""The kinds for classes of no known kind."""

KINDS: dict[str, ClassKind] = {
    "data": ClassKind("Data", "data", "dataset", "circle"),
    "file": ClassKind("Files", "file", "file", "circle"),
    "model": ClassKind("Models", "model", "model", "circle"),
    "activity": ClassKind("Activities", "activity", "workflow", "square"),
    "experiment": ClassKind("Experiments and runs", "activity", "experiment", "square"),
    "software": ClassKind("Software", "software", "software", "hexagon"),
    "machine": ClassKind("Machines", "machine", "machine", "hexagon"),
    "agent": ClassKind("People", "agent", "person", "hexagon"),
    "project": ClassKind("Projects", "project", "project", "diamond"),
    "measurement": ClassKind("Measurements", "spare-2", "measurement", "circle"),
    "parameter": ClassKind("Parameters", "spare-3", "parameter", "circle"),
    "place": ClassKind("Places", "spare-4", "place", "circle"),
    "concept": ClassKind("Concepts", "spare-1", "concept", "diamond"),
    "other": ClassKind("Other", "other", "other", "circle"),
    "spare-1": ClassKind("", "spare-1", "other", "diamond"),
    "spare-2": ClassKind("", "spare-2", "other", "circle"),
    "spare-3": ClassKind("", "spare-3", "other", "hexagon"),
    "spare-4": ClassKind("", "spare-4", "other", "square"),
}

UNKNOWN = frozenset({"other", *SPARES})
"""The kinds without meaning."""

# Class names by kind, in lower case without spaces.
_NAMES = {
    "data": "data dataset datareference datasetreference featureset collection entity artifact table",
    "file": "file log logs rawdata rawlog profile document distribution",
    "model": "aimodel model network neuralnetwork classifier",
    "activity": "activity action process step workflow plan evaluation",
    "experiment": "experiment execution run job trial simulation",
    "software": "software softwareagent softwareapplication softwaresourcecode application program script code"
    " sourcecode library compiler tool",
    "machine": "hardware machine virtualmachine cluster computer supercomputer node computenode loginnode device"
    " processor coprocessor cpu gpu memory",
    "agent": "agent person organization organisation team",
    "project": "project study campaign",
    "measurement": "measurement measure modelevaluation observation metric quantity quantityvalue score",
    "parameter": "parameter parametervalue hyperparameter hyperparametervalue hyperparametersetting attribute"
    " attributevalue characteristic characteristicvalue keyvalue keyandvalue propertyvalue",
    "place": "place location facility",
    "concept": "concept category topic language programminglanguage programmingmodel",
    "other": "other thing resource",
}
_KIND_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()} | {"": "other"}

_MANY_MEANINGS = frozenset({"node", "memory", "machine", "network", "code", "device", "profile", "table"})
"""Words with other meanings in many names (a support vector machine, a node of a tree). They do not count as the last
word, and as the whole name only if the superclasses allow it.
"""

_WITHIN: dict[str, frozenset[str]] = {
    "data": frozenset({"file", "model", "measurement", "parameter", "software", "project", "concept"}),
    # PROV-ML has data, models and measurements among the values of attributes.
    "parameter": frozenset({"data", "file", "model", "measurement", "software"}),
    "activity": frozenset({"experiment"}),
    "agent": frozenset({"software", "machine"}),
}
"""The kinds that the last word of a name may assign below one of these kinds. Elsewhere the superclass decides:
building a dataset is an action.
"""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+")


@lru_cache(maxsize=4096)
def kind_of(colour_key: str) -> str:
    """The kind in `KINDS` of a class by its name alone: an IRI, prefixed name, label or kind.

    A class of no known kind always gets the same spare kind.
    """
    if colour_key in KINDS:
        return colour_key
    name = _name(colour_key)
    return _KIND_OF_NAME.get(_squeezed(name)) or _of_last_word(name) or SPARES[crc32(_squeezed(name).encode()) % 4]


def _name(cls: str) -> str:
    return re.split(r"[#/:]", cls)[-1]


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _of_last_word(name: str) -> str:
    """The kind of the last words of a name, longest match first: "decision tree model", "CodeLibrary"."""
    words = [word.lower() for word in _WORD.findall(name)]
    for number in (3, 2, 1):
        last = "".join(words[-number:])
        if number < len(words) and last in _KIND_OF_NAME and last not in _MANY_MEANINGS:
            kind = _KIND_OF_NAME[last]
            return kind if kind not in UNKNOWN else ""
    return ""


def _kind_below(cls: str, above: Iterable[str]) -> str:
    """The kind of a class by its name and its superclasses' kinds, or ""."""
    if cls in KINDS:
        return "" if cls in UNKNOWN else cls
    known = [kind for kind in above if kind]
    # "Data" applies to anything made or used; other kinds are more specific.
    over = next((kind for kind in known if kind != "data"), known[0] if known else "")
    name = _name(cls)
    whole = _KIND_OF_NAME.get(_squeezed(name), "")
    if whole and whole not in UNKNOWN:
        broad = over in _WITHIN and (over == "data" or whole in _WITHIN[over])
        if not over or (broad and _squeezed(name) not in _MANY_MEANINGS):
            return whole
        return over
    last = _of_last_word(name)
    return last if last and (not over or last in _WITHIN.get(over, ())) else over


def whole_style(style: Style, kind: str) -> Style:
    """The style completed with the defaults of a kind."""
    own = KINDS[kind]
    return Style(style.colour or own.role, style.shape or own.shape, style.icon or own.icon)


def look_key_of(cls: str, parents: Callable[[str], Iterable[str]], styled: Collection[str] = ()) -> str:
    """The key of a class's look, see `SceneNode.colour_key`.

    This is the nearest class at or above it with a custom style, else the known kind of its name if the superclasses
    allow it, else their kind, else the class itself.

    Args:
        cls: its IRI.
        parents: returns the IRIs of the superclasses of a class.
        styled: the IRIs of the classes with custom styles.
    """
    return (_nearest(cls, parents, styled) if styled else "") or _kind_in_tree(cls, parents) or cls


def _nearest(cls: str, parents: Callable[[str], Iterable[str]], styled: Collection[str]) -> str:
    """The nearest of some classes at or above a class, or ""."""
    seen = {cls}
    level = [cls]
    while level:
        for candidate in level:
            if candidate in styled:
                return candidate
        # An ordered set: the first of several parents counts.
        above = dict.fromkeys(parent for candidate in level for parent in parents(candidate) if parent not in seen)
        seen.update(above)
        level = list(above)
    return ""


def _kind_in_tree(cls: str, parents: Callable[[str], Iterable[str]]) -> str:
    """The known kind of a class, found from the top down, or ""."""
    kinds: dict[str, str] = {}
    opened: dict[str, tuple[str, ...]] = {}
    waiting = [cls]
    while waiting:
        here = waiting[-1]
        if here not in opened:
            opened[here] = tuple(parents(here))
            waiting += (parent for parent in opened[here] if parent not in opened)
        else:
            waiting.pop()
            if here not in kinds:
                kinds[here] = _kind_below(here, (kinds.get(parent, "") for parent in opened[here]))
    return kinds[cls]
