"""A change as a person reads it: resource by resource, property by property, what was there and what is there now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.terms import NamedNode, Quad, Term
from hpc_explorer.wording import counted

MINUS = "\u2212"


class Happened(Enum):
    """What a change does to a resource as a whole."""

    NEW = "new"
    GONE = "removed"
    CHANGED = "changed"


@dataclass(frozen=True)
class ChangedValue:
    """A value that a change takes out or puts in.

    Args:
        term: the value itself.
        text: as shown to a person: a quantity with its unit, a list by its items, a resource's name.
        detail: its language, or its datatype where that does not go without saying, or the class of a resource.
        datatype: its datatype or language whatever it is, or the IRI of a resource.
        target: the resource to go to on a click; None for a literal or a value that is a node.
        added: whether it is put in.
        quads: the statements that it is made of, as far as the change speaks of them.
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
    """What a change does to one property of a resource.

    Args:
        path: the property; below a node that has no name of its own, the way there.
        label: its name; the parts of a way one after the other.
    """

    path: tuple[NamedNode, ...]
    label: str
    removed: tuple[ChangedValue, ...]
    added: tuple[ChangedValue, ...]

    @property
    def values(self) -> tuple[ChangedValue, ...]:
        """What goes, and then what comes."""
        return (*self.removed, *self.added)


@dataclass(frozen=True)
class ChangedResource:
    """What a change does to one resource.

    Args:
        removed, added: how many statements, those of values that are nodes of their own among them.
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
        """Whether all words, given in small letters, stand in the resource's name, a property's or a value."""
        parts = [self.ref.label, self.ref.iri, self.ref.kind]
        for one in self.properties:
            parts += [one.label, *(value.text for value in one.values)]
        text = "\n".join(parts).casefold()
        return all(word in text for word in words)


@dataclass(frozen=True)
class ChangeView:
    """A change, as far as it is shown.

    Args:
        resources: those that are shown.
        matching: how many hold the words that were looked for; None where there were too many to name them all.
        total: how many resources it concerns.
        removed, added: how many statements it removes and adds.
    """

    resources: tuple[ChangedResource, ...] = ()
    matching: int | None = 0
    total: int = 0
    removed: int = 0
    added: int = 0


@dataclass(frozen=True)
class UnpushedSource:
    """What is not pushed yet of one source.

    Args:
        name: the source's; empty for graphs that belong to none.
        resources: how many are changed.
        removed, added: how many statements, net.
    """

    name: str
    resources: int
    removed: int
    added: int


@dataclass(frozen=True)
class Unpushed:
    """What is not pushed yet, as it is shown.

    Args:
        sources: source by source; those with nothing are left out.
        view: all of it, resource by resource.
        edits: how many edits still hold that were made since; those that were taken back are not counted.
        more_edits: whether there are more of them than were looked through.
        who: who made them.
        recorded: how many edits the journal has in all, pushed and taken back ones too.
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
