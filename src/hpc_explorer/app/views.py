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
    """An opened source.

    Args:
        name: as the user gave it, or a file's name inside a given folder.
        graph: the named graph of its default graph's triples.
        triples: the number of quads.
        format: the name of its RDF syntax.
        aliases: replaced namespaces, as (original, replacement).
        notes: remarks for the user about the reading, one sentence each.
        missing: what could not be read, one line each: what and where.
    """

    name: str
    graph: NamedNode
    triples: Count
    format: str
    aliases: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def source_title(name: str) -> str:
    """A source's name for display: without the path of a file, or the scheme and login of an address."""
    if "://" in name:
        host, slash, path = name.partition("://")[2].partition("/")
        return host.rpartition("@")[2] + slash + path
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
    """Remarks about an endpoint's answers.

    Args:
        counts: the origin of the counts of classes and predicates.
        counts_note: the source of stated counts, or the reason for incomplete ones; may be empty.
        search: how names are searched, and the cost.
        default_graph: which data queries without GRAPH read; empty if all.
    """

    counts: CountOrigin
    counts_note: str
    search: str
    default_graph: str = ""


@dataclass(frozen=True)
class GraphSummary:
    """A summary of the open graph.

    Args:
        triples: the number of quads in the sources.
        graphs: each named graph with its number of triples.
        classes: classes with their number of direct instances, stated or inferred, most used first.
        predicates: predicates with their number of triples, stated or inferred, most used first.
        defined_classes: the number of classes that the sources define.
        defined_properties: the number of properties that the sources define.
        inference: the number of inferred triples by rule; None if nothing was inferred.
        answers_age: the age of the oldest cached answer used; None if none was.
        offline: whether the endpoint could not be reached.
        endpoint: remarks about an endpoint; None for a local graph.
    """

    triples: Count
    sources: tuple[SourceSummary, ...]
    graphs: tuple[tuple[GraphName, Count], ...]
    classes: tuple[TermCount, ...]
    predicates: tuple[TermCount, ...]
    defined_classes: int
    defined_properties: int
    inference: InferenceReport | None = None
    answers_age: timedelta | None = None
    offline: bool = False
    endpoint: EndpointNotes | None = None


@dataclass(frozen=True)
class ResourceRef:
    """A resource with its names for display.

    Args:
        resource: the node itself.
        label: its label, or a readable form of its IRI.
        iri: its IRI, or `_:label` for a blank node.
        curie: its prefixed name, or its IRI in angle brackets.
        kind: the label of its most specific class; may be empty.
        colour_key: the key of its class's look in `canvas.palette`.
    """

    resource: Resource
    label: str
    iri: str
    curie: str
    kind: str
    colour_key: str


@dataclass(frozen=True)
class ValueView:
    """One value of a property.

    Args:
        term: the value itself.
        text: for display: a grouped number, a quantity with its unit, a resource's label.
        detail: its datatype, language or class; empty if obvious.
        target: the resource to open on a click; None for a literal or a quantity.
        graphs: the graphs that state it.
        parts: the properties of a blank node; empty for a quantity, which is one value.
    """

    term: Term
    text: str
    detail: str
    target: ResourceRef | None
    graphs: tuple[GraphName, ...]
    parts: tuple[PropertyView, ...] = ()

    @property
    def origin(self) -> Origin:
        """Whether it is asserted by a source, or only inferred."""
        return Origin.INFERRED if set(self.graphs) == {INFERRED} else Origin.ASSERTED


@dataclass(frozen=True)
class PropertyView:
    """A property of a resource with its values, or a predicate of incoming links.

    Args:
        total: the number of values; `values` may contain only the first of them.
    """

    predicate: NamedNode
    curie: str
    label: str
    comment: str
    values: tuple[ValueView, ...]
    total: Count


@dataclass(frozen=True)
class ResourceView:
    """All statements about a resource.

    Args:
        types: its classes, the most specific first.
        description: its description in the graph; may be empty.
        outgoing: its properties: names and description first, then by label.
        incoming: the links to it, by predicate.
        inferred_types: its classes that are only inferred.
    """

    ref: ResourceRef
    types: tuple[ResourceRef, ...]
    description: str
    outgoing: tuple[PropertyView, ...]
    incoming: tuple[PropertyView, ...]
    inferred_types: tuple[ResourceRef, ...] = ()


@dataclass(frozen=True)
class ProofStep:
    """A statement of a proof for display.

    Args:
        depth: the number of steps below the conclusion.
        predicate: the label of its property.
        text: its value.
        target: the resource that is its value; None for a literal.
        reason: the rule that infers it, or the graph that states it.
        repeated: whether its premises are listed above already.
    """

    depth: int
    subject: ResourceRef
    predicate: str
    text: str
    target: ResourceRef | None
    reason: str
    origin: Origin
    repeated: bool = False


@dataclass(frozen=True)
class ContradictionView:
    """Statements that cannot all be true, for display.

    Args:
        rule: the name of the rule that says so.
        sentence: what contradicts what.
        steps: the proof of each statement, one after another; those at depth 0 contradict each other.
    """

    rule: str
    sentence: str
    steps: tuple[ProofStep, ...]


@dataclass(frozen=True)
class ResourcePage:
    """A part of a list of resources, from `offset` on.

    Args:
        total: the length of the whole list.
        by_label: whether it is sorted by label; otherwise it is in the order of the store.
    """

    items: tuple[ResourceRef, ...]
    offset: int
    total: Count
    by_label: bool = True


@dataclass(frozen=True)
class NeighbourCount:
    """A set of neighbours by which a node can be expanded, with its label and size."""

    of: NeighbourSet
    label: str
    count: Count


@dataclass(frozen=True)
class FilterChoice:
    """Something that can be hidden in a graph view.

    Args:
        key: the IRI of a class or predicate, a graph, or an origin.
        number: the number of nodes or links affected.
    """

    key: str
    label: str
    number: int


@dataclass(frozen=True)
class FilterChoices:
    """What can be hidden in a graph view, by kind; each kind is sorted by label."""

    classes: tuple[FilterChoice, ...] = ()
    predicates: tuple[FilterChoice, ...] = ()
    graphs: tuple[FilterChoice, ...] = ()
    origins: tuple[FilterChoice, ...] = ()


@dataclass(frozen=True)
class ClassNode:
    """A class in the tree of classes.

    Args:
        ref: the class; of merged equivalents the most used one.
        comment: its description in the ontology.
        instances: the number of instances of it, its subclasses and equivalents.
        own_instances: the number of direct instances of it and its equivalents.
        equivalents: the classes merged into this node.
        origin: whether its relation to its parent is asserted or inferred.
        circle: whether some of them were merged because they are stated to be subclasses of each other.
    """

    ref: ResourceRef
    comment: str
    instances: Count
    own_instances: Count
    equivalents: tuple[ResourceRef, ...]
    children: tuple[ClassNode, ...]
    origin: Origin = Origin.ASSERTED
    circle: bool = False


@dataclass(frozen=True)
class SearchHit:
    """A resource found.

    Args:
        matched: the name that matched.
        span: the matching part of that name (start, end).
        similar: whether the name only has a similar spelling.
    """

    ref: ResourceRef
    matched: str
    span: tuple[int, int]
    similar: bool = False


@dataclass(frozen=True)
class SearchResult:
    """The hits, best first, and their total number."""

    hits: tuple[SearchHit, ...]
    total: Count


@dataclass(frozen=True)
class ExportReport:
    """A written file.

    Args:
        read_back: the result of reading it again, in a sentence.
        taken: which part of the graph was written, in a sentence; empty for all of it or exactly the chosen part.
    """

    path: str
    format: str
    triples: int
    read_back: str = ""
    taken: str = ""


@dataclass(frozen=True)
class FacetRow:
    """A suggestion for display.

    Args:
        key: its value, returned when it is chosen.
        count: the formatted count.
        detail: a muted remark after the label.
        tip: the tooltip.
        way: → for a property from the focus, ← for one to it.
        colour_key: the class whose icon is shown; may be empty.
        is_ticked: whether the query contains it; None: it cannot be ticked.
    """

    key: object
    label: str
    count: str = ""
    detail: str = ""
    tip: str = ""
    way: str = ""
    colour_key: str = ""
    is_ticked: bool | None = None

    @property
    def spoken(self) -> str:
        """The text for screen readers."""
        way = {"→": "to", "←": "from"}.get(self.way, "")
        count = {"": "", "?": "not counted"}.get(self.count, self.count)
        ticked = "chosen" if self.is_ticked else ""
        return ", ".join(part for part in (way, self.label, self.detail, count, ticked) if part)
