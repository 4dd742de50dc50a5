"""Match the blank nodes of one reading of a graph with those of another, since each reading labels them differently.

A change refers to blank nodes by the labels of one reading. Before it is applied to a draft, which reads the file
again, they are located there: two nodes match if the statements reachable through blank nodes have the same canonical
form (RDF Dataset Canonicalization 1.0).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hpc_explorer.errors import Unsupported
from hpc_explorer.rdf.terms import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    is_resource,
    renamed,
)
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet

_MARK = NamedNode("urn:hpc-explorer:this")
_MOST_QUADS = 20_000


@dataclass(frozen=True)
class KnownNode:
    """A blank node with what identifies it in another reading.

    Args:
        node: its label in the first reading.
        form: the canonical form of its surroundings.
        hint: one of its statements, used to find candidates.
    """

    node: BlankNode
    form: str
    hint: Quad


def nodes_of(store: Store, change: ChangeSet, *, limits: Limits = NO_LIMITS) -> tuple[KnownNode, ...]:
    """The blank nodes of a store that a change refers to, without those that it creates.

    Raises:
        Unsupported: too many blank nodes are connected to be compared.
    """
    known = []
    for node in dict.fromkeys(
        term
        for quad in (*change.removed, *change.added)
        for term in (quad.subject, quad.object)
        if isinstance(term, BlankNode)
    ):
        around = _around(store, node, limits)
        if around:
            # Statements with few blank nodes are quickest to search for.
            hint = min(
                (quad for quad in around if node in (quad.subject, quad.object)), key=lambda quad: len(_blanks(quad))
            )
            known.append(KnownNode(node, _form(node, around), hint))
    return tuple(known)


def match_blank_nodes(
    change: ChangeSet, known: Iterable[KnownNode], store: Store, *, limits: Limits = NO_LIMITS
) -> ChangeSet:
    """Relabel a change with the blank nodes of another store.

    Raises:
        Unsupported: one of them no longer exists, or too many are connected to be compared.
    """
    names: dict[BlankNode, BlankNode] = {}
    for each in known:
        for candidate in _like(store, each, limits):
            if candidate not in names.values() and _form(candidate, _around(store, candidate, limits)) == each.form:
                names[each.node] = candidate
                break
        else:
            raise Unsupported(
                "a node without a name that the change speaks of is not in the file any more",
                each.hint.predicate.value,
                "open the file again",
            )
    return replace(
        change,
        removed=tuple(renamed(quad, names) for quad in change.removed),
        added=tuple(renamed(quad, names) for quad in change.added),
    )


def _around(store: Store, node: BlankNode, limits: Limits) -> tuple[Quad, ...]:
    """The statements about a blank node and those connected with it."""
    reached, waiting = {node}, [node]
    quads: dict[Quad, None] = {}
    while waiting:
        found = [
            *store.match_many(subjects=tuple(waiting), limits=limits),
            *store.match_many(objects=tuple(waiting), limits=limits),
        ]
        quads.update(dict.fromkeys(found))
        if len(quads) > _MOST_QUADS:
            raise Unsupported(
                "so much hangs together by nodes without a name that they cannot be told apart",
                found[0].predicate.value,
                "begin a draft first, and change it there",
            )
        waiting = list(dict.fromkeys(other for quad in found for other in _blanks(quad) if other not in reached))
        reached.update(waiting)
    return tuple(quads)


def _form(node: BlankNode, around: Iterable[Quad]) -> str:
    dataset = Dataset(Quad(quad.subject, quad.predicate, quad.object, DefaultGraph()) for quad in around)
    dataset.add(Quad(node, _MARK, Literal("")))
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return "\n".join(sorted(str(quad) for quad in dataset))


def _like(store: Store, known: KnownNode, limits: Limits) -> Iterator[BlankNode]:
    """The blank nodes in statements that resemble the hint."""
    hint = known.hint
    as_subject = hint.subject == known.node
    other = hint.object if as_subject else hint.subject
    value = other if isinstance(other, (NamedNode, Literal)) else None
    if as_subject:
        quads = store.match(None, hint.predicate, value, limits=limits)
    else:
        quads = store.match(value if is_resource(value) else None, hint.predicate, None, limits=limits)
    ends = (quad.subject if as_subject else quad.object for quad in quads)
    yield from dict.fromkeys(end for end in ends if isinstance(end, BlankNode))


def _blanks(quad: Quad) -> tuple[BlankNode, ...]:
    return tuple(end for end in (quad.subject, quad.object) if isinstance(end, BlankNode))
