"""Copy the descriptions of resources from an endpoint, for offline editing and for comparison.

A description is a concise bounded description. For offline use it includes the names and classes of linked resources
and of the classes and properties it uses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pyoxigraph import RdfFormat, serialize

from hpc_explorer.errors import SourceNotFound, Unsupported
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.remote.mirror_record import MirrorCheck, MirrorPart, MirrorRecord
from hpc_explorer.stores.remote.patterns import BLANK_STEPS

if TYPE_CHECKING:
    from hpc_explorer.stores.remote.remote import RemoteStore

_DEFAULT = DefaultGraph()
_OF_TERMS = (RDF.type, RDFS.label, RDFS.comment, RDFS.subClassOf, RDFS.domain, RDFS.range, OWL.inverseOf)
_LABELS = (RDF.type, RDFS.label)


def described(store: RemoteStore, subjects: Iterable[Resource], limits: Limits = NO_LIMITS) -> list[Quad]:
    """The descriptions of the named resources at an endpoint, with nested blank nodes.

    Raises:
        ServerError: the endpoint returns no complete answer.
    """
    found: dict[Quad, None] = {}
    named = [one for one in dict.fromkeys(subjects) if isinstance(one, NamedNode)]
    waiting = list(store.match_many(subjects=named, limits=limits))
    while waiting:
        quad = waiting.pop()
        if quad not in found:
            found[quad] = None
            if isinstance(quad.object, BlankNode):
                # Its nested statements came with the same response.
                waiting += [one for one in store.match(quad.object, limits=limits) if one.subject == quad.object]
    return list(found)


def nested_too_deep(quads: Iterable[Quad]) -> bool:
    """Whether blank nodes are nested deeper than an endpoint is queried for."""
    below: dict[object, set[object]] = defaultdict(set)
    level: set[object] = set()
    for quad in quads:
        if isinstance(quad.object, BlankNode):
            below[quad.subject].add(quad.object)
            if isinstance(quad.subject, NamedNode):
                level.add(quad.subject)
    for _ in range(BLANK_STEPS):
        level = {node for one in level for node in below[one]}
    return bool(level)


def home_graph(store: RemoteStore, about: Iterable[Quad], limits: Limits = NO_LIMITS) -> GraphName | None:
    """The one graph of an endpoint with statements about some resources; None if there are several."""
    graphs = {quad.graph_name for quad in about}
    if len(graphs) == 1:
        return graphs.pop()
    if _DEFAULT in graphs or not store.layout(limits=limits).has_named:
        return _DEFAULT
    return None


def copy_descriptions(
    store: RemoteStore,
    part: MirrorPart,
    folder: Path,
    *,
    label_predicates: Collection[NamedNode] = _LABELS,
    progress: Callable[[int, int | None], None] = lambda copied, total: None,
    limits: Limits = NO_LIMITS,
) -> tuple[Path, MirrorRecord]:
    """Copy the descriptions of `part.resources` into a new N-Quads file in `folder`.

    Statements of `part.graph`, or else of the graph of the descriptions, have no graph in the file.

    Raises:
        SourceNotFound: the endpoint has no statements about one of them.
        Unsupported: the graph for new statements is ambiguous, or a description is nested too deep.
        ServerError: the endpoint returns no complete answer.
    """
    store.always_ask()
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    about = described(store, part.resources, limits)
    if nested_too_deep(about):
        raise Unsupported(
            "the description has a longer chain of blank nodes than is read from an endpoint", store.address,
            "copy its graph: load ADDRESS --graph IRI",
        )  # fmt: skip
    missing = set(part.resources) - {quad.subject for quad in about}
    if missing:
        raise SourceNotFound(
            "the endpoint has no statements about this resource", min(one.value for one in missing), "check its IRI"
        )
    home = part.graph if part.graph is not None else home_graph(store, about, limits)
    if home is None:
        graphs = ", ".join(sorted({str(quad.graph_name) for quad in about}))
        raise Unsupported(f"the descriptions are in several graphs ({graphs})", store.address, "say which: --graph IRI")
    progress(len(about), None)
    linked = {quad.object for quad in about if isinstance(quad.object, NamedNode)} - set(part.resources)
    terms = {quad.predicate for quad in about}
    classes = {quad.object for quad in about if quad.predicate == RDF.type and isinstance(quad.object, NamedNode)}
    more = list(store.match_many(subjects=linked - classes, predicates=[RDF.type, *label_predicates], limits=limits))
    classes |= {quad.object for quad in more if quad.predicate == RDF.type and isinstance(quad.object, NamedNode)}
    more += store.match_many(
        subjects=[*terms, *classes], predicates=[*dict.fromkeys((*_OF_TERMS, *label_predicates))], limits=limits
    )
    quads = dict.fromkeys((*about, *(quad for quad in more if not isinstance(quad.object, BlankNode))))
    file = folder / "descriptions.nq"
    with open(file, "wb") as stream:
        serialize((_at_home(quad, home) for quad in quads), stream, RdfFormat.N_QUADS)
    progress(len(quads), len(quads))
    record = MirrorRecord(
        store.address,
        MirrorPart(graph=home if isinstance(home, NamedNode) else None, resources=part.resources),
        begun,
        len(quads),
        MirrorCheck.EXACT,
        "with the names and classes of what they link to",
    )
    return file, record


def _at_home(quad: Quad, home: GraphName) -> Quad:
    return Quad(quad.subject, quad.predicate, quad.object, _DEFAULT) if quad.graph_name == home else quad
