"""A form for display: its fields with names, the graph that edits go to, and whether it can be edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hpc_explorer.annotate.forms.form import Form
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.changes.changes import ChangeSet


@dataclass(frozen=True)
class FormView:
    """A form, ready to be shown.

    Args:
        form: its fields and their values.
        title: what the resource is called; empty for one that is to be made.
        refs: how every resource in the form is named: its subject and classes, inferred ones too, the choices and the
            classes of its fields' kinds, linked resources, units.
        graph: the graph that new statements go to.
        graphs: the graphs that they may go to, by the name of their source.
        read_only: why nothing can be changed here, as a sentence for a person; None where it can.
        inferred: classes that the resource is not stated to be of, and was inferred to be of.
    """

    form: Form
    title: str
    refs: Mapping[Resource, ResourceRef]
    graph: NamedNode
    graphs: Mapping[NamedNode, str]
    read_only: str | None = None
    inferred: tuple[NamedNode, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the resource is new."""
        return self.form.subject is None


@dataclass(frozen=True)
class ClassChoice:
    """A class for a new resource.

    Args:
        description: what its ontology says it is; may be empty.
        instances: how many resources of the graph are said to be of it.
    """

    ref: ResourceRef
    description: str
    instances: Count

    @property
    def in_use(self) -> bool:
        """Whether the graph has instances of it."""
        return self.instances.value > 0


@dataclass(frozen=True)
class Alike:
    """A resource that may be the one described.

    Args:
        why: what they have in common, in words: "the same name".
        certain: whether it is an identifier or a checksum, which two things do not share.
    """

    ref: ResourceRef
    why: str
    certain: bool


@dataclass(frozen=True)
class UnitChoice:
    """A unit for a quantity.

    Args:
        label: its name in words.
        symbol: how it is written behind a number.
        ucum: its code in the Unified Code for Units of Measure; empty where that has none.
    """

    iri: NamedNode
    label: str
    symbol: str
    ucum: str


@dataclass(frozen=True)
class Removal:
    """What is removed with a resource.

    Args:
        own: its statements, with the nodes that stand for its values.
        links: the statements of others that lead to it.
        linking: those others.
        in_lists: how many places of lists it stands in. These stay: a list is not cut.
    """

    own: ChangeSet
    links: tuple[Quad, ...]
    linking: tuple[ResourceRef, ...]
    in_lists: int

    @property
    def with_links(self) -> ChangeSet:
        """The change that also removes the links."""
        return ChangeSet(tuple(dict.fromkeys((*self.own.removed, *self.links))), (), self.own.words, self.own.why)
