"""Changes for people: by resource and property, with old and new values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.terms import NamedNode, Quad, Term
from hpc_explorer.wording import counted

MINUS = "\u2212"


class Happened(Enum):
    """The effect of a change on a resource."""

    NEW = "new"
    GONE = "removed"
    CHANGED = "changed"


@dataclass(frozen=True)
class ChangedValue:
    """A removed or added value.

    Args:
        text: for people: a quantity with its unit, the items of a list, the label of a resource.
        detail: the language, an unusual datatype, or the class of a resource.
        datatype: the datatype or language, or the short IRI of a resource.
        target: the resource to open on a click; None for literals and blank nodes.
        quads: the statements of the change that make up the value.
    """

    term: Term
    text: str
    detail: str
    datatype: str
    target: ResourceRef | None
    added: bool
    quads: tuple[Quad, ...]


@dataclass(frozen=True)
class ChangedProperty:
    """The changed values of a property.

    Args:
        path: the property, or the path of properties through blank nodes.
        label: the labels of the path.
    """

    path: tuple[NamedNode, ...]
    label: str
    removed: tuple[ChangedValue, ...]
    added: tuple[ChangedValue, ...]

    @property
    def values(self) -> tuple[ChangedValue, ...]:
        """The removed values, then the added ones."""
        return (*self.removed, *self.added)


@dataclass(frozen=True)
class ChangedResource:
    """The changes of a resource.

    Args:
        removed, added: the number of statements, including those of blank nodes.
    """

    ref: ResourceRef
    happened: Happened
    properties: tuple[ChangedProperty, ...]
    removed: int
    added: int

    @property
    def quads(self) -> tuple[Quad, ...]:
        """The statements that are removed or added."""
        return tuple(quad for one in self.properties for value in one.values for quad in value.quads)

    def holds(self, words: Iterable[str]) -> bool:
        """Whether all words, in lower case, occur in the labels or values."""
        parts = [self.ref.label, self.ref.iri, self.ref.kind]
        for one in self.properties:
            parts += [one.label, *(value.text for value in one.values)]
        text = "\n".join(parts).casefold()
        return all(word in text for word in words)


@dataclass(frozen=True)
class ChangeView:
    """The visible part of a change.

    Args:
        matching: the number of resources that match the filter; None if there are too many to count.
        total: the number of changed resources.
        removed, added: the number of statements.
    """

    resources: tuple[ChangedResource, ...] = ()
    matching: int | None = 0
    total: int = 0
    removed: int = 0
    added: int = 0


@dataclass(frozen=True)
class UnpushedSource:
    """The unpushed changes of a source, as numbers.

    Args:
        name: of the source; empty for graphs without a source.
    """

    name: str
    resources: int
    removed: int
    added: int


@dataclass(frozen=True)
class Unpushed:
    """All unpushed changes.

    Args:
        sources: those with changes.
        view: the changes by resource.
        edits: the number of edits since the last push that are in effect.
        more_edits: whether there are more than were counted.
        who: the authors of the edits.
        recorded: the number of all edits in the journal.
    """

    sources: tuple[UnpushedSource, ...] = ()
    view: ChangeView = ChangeView()
    edits: int = 0
    more_edits: bool = False
    who: tuple[str, ...] = ()
    recorded: int = 0

    @property
    def figures(self) -> str:
        """Such as "3 resources changed, +5 −2 statements, 4 edits by ana"."""
        said = change_figures(self.view.total, self.view.removed, self.view.added)
        if not self.edits:
            return said
        at_least = "at least " if self.more_edits else ""
        return f"{said}, {at_least}{counted(self.edits, 'edit')}{by_whom(self.who)}"


def by_whom(who: Sequence[str]) -> str:
    """Such as " by ana and ben"; nothing where nobody is named."""
    if len(who) > 3:
        return f" by {who[0]} and {len(who) - 1} others"
    return f" by {' and '.join(filter(None, (', '.join(who[:-1]), who[-1])))}" if who else ""


def change_figures(resources: int, removed: int, added: int) -> str:
    """Such as "3 resources changed, +5 −2 statements"."""
    return f"{counted(resources, 'resource')} changed, {statement_figures(removed, added)}"


def statement_figures(removed: int, added: int) -> str:
    """Such as "+5 −2 statements"; a part that is nothing is left out, unless both are."""
    parts = [f"+{added:,}"] if added or not removed else []
    parts += [f"{MINUS}{removed:,}"] if removed else []
    return f"{' '.join(parts)} {'statement' if added + removed == 1 else 'statements'}"
