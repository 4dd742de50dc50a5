"""Results of operations as plain values, for display in a window or as text or JSON."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePath

from hpc_explorer.canvas.view.state import NeighbourSet
from hpc_explorer.ontology.inference import InferenceReport
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import GraphName, NamedNode, Resource, Term
from hpc_explorer.stores.base import Count, CountOrigin


@dataclass(frozen=True)
class SourceSummary:
    """An opened source."""

    name: str  # as the user gave it, or a file's name inside a given folder
    graph: NamedNode  # the named graph of its default graph's triples
    triples: Count  # the number of quads
    format: str  # the name of its RDF syntax
    aliases: tuple[tuple[str, str], ...] = ()  # replaced namespaces, as (original, replacement)
    notes: tuple[str, ...] = ()  # remarks for the user about the reading, one sentence each
    missing: tuple[str, ...] = ()  # what could not be read, one line each: what and where


def source_title(name: str) -> str:
    """A source's name for display: without the path of a file, or the scheme of an address."""
    if "://" in name:
        return name.partition("://")[2]
    return name if name.startswith("sample:") else PurePath(name).name or name


@dataclass(frozen=True)
class TermCount:
    """A class or predicate with its label and usage count."""

    term: NamedNode
    curie: str
    label: str
    count: Count


@dataclass(frozen=True)
class EndpointNotes:
    """Remarks about an endpoint's answers."""

    counts: CountOrigin  # the origin of the counts of classes and predicates
    counts_note: str  # the source of stated counts, or the reason for incomplete ones; may be empty
    search: str  # how names are searched, and the cost
    default_graph: str = ""  # which data queries without GRAPH read; empty if all


@dataclass(frozen=True)
class GraphSummary:
    """A summary of the open graph."""

    triples: Count  # the number of quads in the sources
    sources: tuple[SourceSummary, ...]
    graphs: tuple[tuple[GraphName, Count], ...]  # each named graph with its number of triples
    classes: tuple[TermCount, ...]  # classes with their number of direct instances, stated or inferred, most used first
    predicates: tuple[TermCount, ...]  # predicates with their number of triples, stated or inferred, most used first
    defined_classes: int  # the number of classes that the sources define
    defined_properties: int  # the number of properties that the sources define
    inference: InferenceReport | None = None  # the number of inferred triples by rule; None if nothing was inferred
    answers_age: timedelta | None = None  # the age of the oldest cached answer used; None if none was
    offline: bool = False  # whether the endpoint could not be reached
    endpoint: EndpointNotes | None = None  # remarks about an endpoint; None for a local graph


@dataclass(frozen=True)
class ResourceRef:
    """A resource with its names for display."""

    resource: Resource  # the node itself
    label: str  # its label, or a readable form of its IRI
    iri: str  # its IRI, or `_:label` for a blank node
    curie: str  # its prefixed name, or its IRI in angle brackets
    kind: str  # the label of its most specific class; may be empty
    colour_key: str  # the key of its class's look in `canvas.palette`


@dataclass(frozen=True)
class ValueView:
    """One value of a property."""

    term: Term
    text: str  # for display: a grouped number, a quantity with its unit, a resource's label
    detail: str  # its datatype, language or class; empty if obvious
    target: ResourceRef | None  # the resource to open on a click; None for a literal or a quantity
    graphs: tuple[GraphName, ...]
    parts: tuple[PropertyView, ...] = ()  # the properties of a blank node; empty for a quantity, which is one value

    @property
    def origin(self) -> Origin:
        """Whether it is asserted by a source, or only inferred."""
        return Origin.INFERRED if set(self.graphs) == {INFERRED} else Origin.ASSERTED


@dataclass(frozen=True)
class PropertyView:
    """A property of a resource with its values, or a predicate of incoming links."""

    predicate: NamedNode
    curie: str
    label: str
    comment: str
    values: tuple[ValueView, ...]
    total: Count  # the number of values; `values` may contain only the first of them


@dataclass(frozen=True)
class ResourceView:
    """All statements about a resource."""

    ref: ResourceRef
    types: tuple[ResourceRef, ...]  # its classes, the most specific first
    description: str  # its description in the graph; may be empty
    outgoing: tuple[PropertyView, ...]  # its properties: names and description first, then by label
    incoming: tuple[PropertyView, ...]  # the links to it, by predicate
    inferred_types: tuple[ResourceRef, ...] = ()  # its classes that are only inferred


@dataclass(frozen=True)
class ProofStep:
    """A statement of a proof for display."""

    depth: int  # the number of steps below the conclusion
    subject: ResourceRef
    predicate: str  # the label of its property
    text: str
    target: ResourceRef | None  # the resource that is its value; None for a literal
    reason: str  # the rule that infers it, or the graph that states it
    origin: Origin
    repeated: bool = False  # whether its premises are listed above already


@dataclass(frozen=True)
class ResourcePage:
    """A part of a list of resources, from `offset` on."""

    items: tuple[ResourceRef, ...]
    offset: int
    total: Count  # the length of the whole list
    by_label: bool = True  # whether it is sorted by label; otherwise it is in the order of the store


@dataclass(frozen=True)
class NeighbourCount:
    """A set of neighbours by which a node can be expanded, with its label and size."""

    of: NeighbourSet
    label: str
    count: Count


@dataclass(frozen=True)
class FilterChoice:
    """Something that can be hidden in a graph view."""

    key: str  # the IRI of a class or predicate, a graph, or an origin
    label: str
    number: int  # the number of nodes or links affected


@dataclass(frozen=True)
class FilterChoices:
    """What can be hidden in a graph view, by kind; each kind is sorted by label."""

    classes: tuple[FilterChoice, ...] = ()
    predicates: tuple[FilterChoice, ...] = ()
    graphs: tuple[FilterChoice, ...] = ()
    origins: tuple[FilterChoice, ...] = ()


@dataclass(frozen=True)
class ClassNode:
    """A class in the tree of classes."""

    ref: ResourceRef  # the class; of merged equivalents the most used one
    comment: str  # its description in the ontology
    instances: Count  # the number of instances of it, its subclasses and equivalents
    own_instances: Count  # the number of direct instances of it and its equivalents
    equivalents: tuple[ResourceRef, ...]  # the classes merged into this node
    children: tuple[ClassNode, ...]
    origin: Origin = Origin.ASSERTED  # whether its relation to its parent is asserted or inferred
    circle: bool = False  # whether some of them were merged because they are stated to be subclasses of each other


@dataclass(frozen=True)
class SearchHit:
    """A resource found."""

    ref: ResourceRef
    matched: str
    span: tuple[int, int]  # the matching part of that name (start, end)
    similar: bool = False  # whether the name only has a similar spelling


@dataclass(frozen=True)
class SearchResult:
    """The hits, best first, and their total number."""

    hits: tuple[SearchHit, ...]
    total: Count


@dataclass(frozen=True)
class ExportReport:
    """A written file."""

    path: str
    format: str
    triples: int
    read_back: str = ""  # the result of reading it again, in a sentence
    # which part of the graph was written, in a sentence; empty for all of it or exactly the chosen part
    taken: str = ""


@dataclass(frozen=True)
class FacetRow:
    """A suggestion for display."""

    key: object  # its value, returned when it is chosen
    label: str
    count: str = ""
    detail: str = ""  # a muted remark after the label
    tip: str = ""
    way: str = ""  # → for a property from the focus, ← for one to it
    colour_key: str = ""  # the class whose icon is shown; may be empty
    is_ticked: bool | None = None  # whether the query contains it; None: it cannot be ticked

    @property
    def spoken(self) -> str:
        """The text for screen readers."""
        way = {"→": "to", "←": "from"}.get(self.way, "")
        count = {"": "", "?": "not counted"}.get(self.count, self.count)
        ticked = "chosen" if self.is_ticked else ""
        return ", ".join(part for part in (way, self.label, self.detail, count, ticked) if part)
