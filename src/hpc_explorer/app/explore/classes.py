"""The class tree with its counts, and pages of the instances of a class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.explore.links import most_listed
from hpc_explorer.app.views import (
    ClassNode,
    ResourcePage,
)
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.ontology import hierarchy
from hpc_explorer.ontology.instances import Usage
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits
from hpc_explorer.stores.remote.patterns import values


def class_tree(
    session: Session, root: NamedNode | None = None, *, with_inferred: bool = True, limits: Limits = NO_LIMITS
) -> tuple[ClassNode, ...]:
    """The class tree with numbers of instances, including those of subclasses and equivalent classes.

    Args:
        with_inferred: include inferred superclasses.

    Raises:
        UnknownResource: `root` is not a class.
    """
    schema = session.schema(limits=limits)
    usage = session.usage(limits=limits)
    inferred = _inferred_parents(session, schema, limits) if with_inferred else {}
    tree = hierarchy.class_tree(schema, usage, root, inferred)
    if root is not None and not tree:
        raise UnknownResource("the graph has no such class", session.prefixes.short(root.value), "see `classes`")
    refs = references(session, list(schema.classes), limits=limits)
    views: dict[tuple[int, Origin], ClassNode] = {}
    # Children before parents, without recursion: a chain of subclasses may be thousands long.
    work = [(node, Origin.ASSERTED, False) for node in tree]
    while work:
        node, origin, children_done = work.pop()
        if (id(node), origin) in views:
            continue
        below = [(child, Origin.INFERRED if child.cls in node.inferred else Origin.ASSERTED) for child in node.children]
        if not children_done:
            work.append((node, origin, True))
            work.extend((child, how, False) for child, how in below)
            continue
        views[id(node), origin] = ClassNode(
            ref=refs[node.cls],
            comment=schema.classes[node.cls].comment,
            instances=_instances(node, node.instances, usage, several=bool(node.children or node.equivalents)),
            own_instances=_instances(node, node.own, usage, several=bool(node.equivalents)),
            equivalents=tuple(refs[other] for other in node.equivalents),
            children=tuple(views[id(child), how] for child, how in below),
            origin=origin,
            circle=node.circle,
        )
    return tuple(views[id(node), Origin.ASSERTED] for node in tree)


def _inferred_parents(session: Session, schema: SchemaIndex, limits: Limits) -> hierarchy.InferredParents:
    if session.store.capabilities.remote or INFERRED not in session.store.graphs():
        return {}
    found = session.store.match(None, RDFS.subClassOf, None, INFERRED, limits=limits)
    if session.inference is not None and session.inference.with_background:
        # The shipped ontology's own statements are not in the inferred graph.
        background = session.background(limits=limits)
        known = (store.match(None, RDFS.subClassOf) for store in (background.stated, background.concluded))
        found = chain(found, chain.from_iterable(known))
    return hierarchy.inferred_parents(found, schema)


def _instances(node: hierarchy.ClassTreeNode, number: int, usage: Usage, *, several: bool) -> Count:
    """The count of one class or of several."""
    return usage.count_of_several(number) if several else usage.class_count(node.cls, number)


def instances_of(
    session: Session, cls: NamedNode, *, offset: int = 0, limit: int = 200, limits: Limits = NO_LIMITS
) -> ResourcePage:
    """A page of the instances of a class, its subclasses and equivalent classes.

    They are sorted by label, unless there are more than `links.MANY`, or at an endpoint `links.MANY_THERE`.
    """
    below = session.schema(limits=limits).at_or_below(cls)

    def total() -> Count:
        usage = session.usage(limits=limits)
        number = usage.instances_of_any(below)
        return usage.count_of_several(number) if len(below) > 1 else usage.class_count(cls, number)

    pattern = f"{values('?c', below)} ?s {RDF.type} ?c"

    def subjects() -> Iterable[object]:
        typings = session.store.match_many(objects=below, predicates=(RDF.type,), limits=limits)
        return (quad.subject for quad in typings)

    return page_of(session, pattern, subjects, total, offset=offset, limit=limit, limits=limits)


def page_of(
    session: Session,
    pattern: str,
    subjects: Callable[[], Iterable[object]],
    total: Callable[[], Count],
    *,
    offset: int = 0,
    limit: int = 200,
    limits: Limits = NO_LIMITS,
) -> ResourcePage:
    """A page of resources.

    They are sorted by label, unless there are more than `links.MANY`, or at an endpoint `links.MANY_THERE`: it sends
    no more than the page then.

    Args:
        pattern: the SPARQL pattern of the resources, as ?s.
        subjects: gives them, perhaps repeated.
        total: tells the number of different ones if there are more.
    """
    many = most_listed(session)
    there = session.store.capabilities.remote
    found = _subjects_there(session, pattern, 0, many + 1, limits) if there else None
    rest: Iterator[Resource] = iter(())
    if found is None:
        there, rest = False, _each_once(subjects())
        found = list(islice(rest, many + 1))
    if len(found) <= many:
        refs = references(session, found, limits=limits)
        ordered = sorted(refs.values(), key=lambda ref: (label_order(ref.label), ref.iri))
        return ResourcePage(tuple(ordered[offset : offset + limit]), offset, Count(len(ordered)))
    if there and offset + limit > len(found):
        page = _subjects_there(session, pattern, offset, limit, limits) or []
    else:
        page = list(islice(chain(found, rest), offset, offset + limit))
    refs = references(session, page, limits=limits)
    number = total()
    if number.value <= many:  # the count is a sample, outdated or unknown
        number = Count(many + 1, CountKind.AT_LEAST)
    return ResourcePage(tuple(refs[one] for one in page), offset, number, by_label=False)


def _subjects_there(session: Session, pattern: str, offset: int, number: int, limits: Limits) -> list[Resource] | None:
    """Different subjects ?s of a pattern at an endpoint; None if one has no IRI, and comes with its statements only."""
    query = f"SELECT DISTINCT ?s WHERE {{ {pattern} }} LIMIT {number} OFFSET {offset}"
    found: list[Resource] = []
    for row in session.store.select(query, limits=limits):
        if not isinstance(row["s"], NamedNode):
            return None
        found.append(row["s"])
    return found


def _each_once(subjects: Iterable[object]) -> Iterator[Resource]:
    seen: set[object] = set()
    for subject in subjects:
        if subject not in seen:
            seen.add(subject)
            yield subject  # type: ignore[misc]  # subjects are resources
