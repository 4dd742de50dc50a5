"""What operations return: plain values, ready to be shown in a window or printed as text or JSON."""

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
    """One opened source: the name it was opened by, its graph, its size in triples.

    Args:
        name: as the user gave it, or a file's name inside a given folder.
        graph: the named graph that its default graph's triples were loaded into.
        triples: how many quads it holds.
        format: the name of its RDF syntax.
        aliases: namespaces in it that were read as others, as (spelled, read as).
        notes: what a person should know about how it was read, a sentence each.
    """

    name: str
    graph: NamedNode
    triples: Count
    format: str
    aliases: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def source_title(name: str) -> str:
    """A source's name as a person reads it: a file or folder without the way to it, an address without its scheme."""
    if "://" in name:
        return name.partition("://")[2]
    return name if name.startswith("sample:") else PurePath(name).name or name


@dataclass(frozen=True)
class TermCount:
    """A class or predicate, its label, and how often it is used."""

    term: NamedNode
    curie: str
    label: str
    count: Count


@dataclass(frozen=True)
class EndpointNotes:
    """What is to be known of an endpoint's answers.

    Args:
        counts: where the counts of classes and predicates come from.
        counts_note: the place that states them, or what kept them from being better; empty if nothing.
        search: how names are searched, and what that costs.
        default_graph: how far queries without GRAPH see; empty where they see all.
    """

    counts: CountOrigin
    counts_note: str
    search: str
    default_graph: str = ""


@dataclass(frozen=True)
class GraphSummary:
    """What is in the open graph.

    Args:
        triples: how many quads the sources state.
        graphs: each named graph with its number of triples.
        classes: classes with their number of direct instances, stated or inferred, most used first.
        predicates: predicates with their number of triples, stated or inferred, most used first.
        defined_classes: how many classes the sources themselves define.
        defined_properties: how many properties the sources themselves define.
        inference: how many triples were inferred besides, and by which rules; None where nothing was.
        answers_age: how old the oldest kept answer of an endpoint is that was used; None if all was asked for now.
        offline: whether the endpoint could not be reached.
        endpoint: what is to be known of an endpoint that answers; None for a graph on this machine.
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
    """A resource as it is named to a person.

    Args:
        resource: the node itself.
        label: its label, or a readable form of its IRI.
        iri: its IRI, or `_:label` for a blank node.
        curie: its prefixed name where there is one, else its IRI in angle brackets.
        kind: the label of its most specific class; empty where it has none.
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
        text: as shown to a person: a number grouped, a quantity with its unit, a resource's label.
        detail: datatype, language or class, in a few words; empty where it goes without saying.
        target: the resource to go to on a click; None for a literal or a quantity.
        graphs: the graphs that state it.
        parts: a blank node's own properties, shown beneath it; empty for a quantity, which is one value.
    """

    term: Term
    text: str
    detail: str
    target: ResourceRef | None
    graphs: tuple[GraphName, ...]
    parts: tuple[PropertyView, ...] = ()

    @property
    def origin(self) -> Origin:
        """Whether a source states it, or it is inferred only."""
        return Origin.INFERRED if set(self.graphs) == {INFERRED} else Origin.ASSERTED


@dataclass(frozen=True)
class PropertyView:
    """One property of a resource with its values, or one kind of link that comes in.

    Args:
        total: how many values there are; `values` may hold only the first of them.
    """

    predicate: NamedNode
    curie: str
    label: str
    comment: str
    values: tuple[ValueView, ...]
    total: Count


@dataclass(frozen=True)
class ResourceView:
    """All that the graph says about one resource.

    Args:
        types: its classes, the most specific first.
        description: what it says of itself in words; empty where it doesn't.
        outgoing: its properties, in reading order: names, description, then by label.
        incoming: what links to it, by predicate.
        inferred_types: those of its classes that are inferred only.
    """

    ref: ResourceRef
    types: tuple[ResourceRef, ...]
    description: str
    outgoing: tuple[PropertyView, ...]
    incoming: tuple[PropertyView, ...]
    inferred_types: tuple[ResourceRef, ...] = ()


@dataclass(frozen=True)
class ProofStep:
    """One statement of a proof, as a person reads it.

    Args:
        depth: how many steps it stands below what is proven.
        subject: what it is about.
        predicate: the label of its property.
        text: its value, as shown.
        target: the resource that is its value; None for a literal.
        reason: the rule it follows by, or where it is stated.
        origin: whether it is stated or inferred.
        repeated: whether its own premises stand further up already.
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
class ResourcePage:
    """Some of a list of resources.

    Args:
        items: those from `offset` on.
        total: how many there are in all.
        by_label: whether the whole list is sorted by label; if not, it is in the store's own order.
    """

    items: tuple[ResourceRef, ...]
    offset: int
    total: Count
    by_label: bool = True


@dataclass(frozen=True)
class NeighbourCount:
    """What a node can be expanded by: a set of neighbours, its name to a person, and how many they are."""

    of: NeighbourSet
    label: str
    count: Count


@dataclass(frozen=True)
class FilterChoice:
    """One thing that can be left out of a graph view.

    Args:
        key: the IRI of a class or predicate, a graph, or an origin.
        label: its name to a person.
        number: how many nodes or links of the view it concerns.
    """

    key: str
    label: str
    number: int


@dataclass(frozen=True)
class FilterChoices:
    """What can be left out of a graph view, by kind; each kind by label."""

    classes: tuple[FilterChoice, ...] = ()
    predicates: tuple[FilterChoice, ...] = ()
    graphs: tuple[FilterChoice, ...] = ()
    origins: tuple[FilterChoice, ...] = ()


@dataclass(frozen=True)
class ClassNode:
    """A class in the tree of classes.

    Args:
        ref: the class; where equivalents were merged, the one most used.
        comment: what the ontology says it is.
        instances: how many resources are instances of it, of a class below it, or of an equivalent.
        own_instances: how many name this class (or an equivalent) as a type themselves.
        equivalents: the classes merged into this node.
        origin: whether its place below its parent is asserted or inferred.
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
        matched: the name that it was found by.
        span: where what was typed stands in that name (start, end).
        similar: whether the name is only spelled like what was typed.
    """

    ref: ResourceRef
    matched: str
    span: tuple[int, int]
    similar: bool = False


@dataclass(frozen=True)
class SearchResult:
    """What was found, best first, and how many there were in all."""

    hits: tuple[SearchHit, ...]
    total: Count


@dataclass(frozen=True)
class ExportReport:
    """What was written: the file, its format, how many triples.

    Args:
        read_back: what was found when it was read again, in a sentence.
        taken: what was taken out of the graph, in a sentence; empty where it is all, or just what was chosen.
    """

    path: str
    format: str
    triples: int
    read_back: str = ""
    taken: str = ""


@dataclass(frozen=True)
class FacetRow:
    """A suggestion as it is read.

    Args:
        key: what it stands for; given back when it is chosen.
        label: its name.
        count: how often, as a person reads it.
        detail: a muted remark after the name.
        tip: shown on hover.
        way: → or ← before a property: from the focus, or to it.
        colour_key: the class whose mark stands before it; empty: none.
        is_ticked: whether the query asks for it; None: it cannot be ticked.
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
        """What a screen reader says."""
        way = {"→": "to", "←": "from"}.get(self.way, "")
        count = {"": "", "?": "not counted"}.get(self.count, self.count)
        ticked = "chosen" if self.is_ticked else ""
        return ", ".join(part for part in (way, self.label, self.detail, count, ticked) if part)
