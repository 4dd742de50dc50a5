"""Which classes are listed: filtered by words and by use, for the tree, the picture and the lists."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hpc_explorer.app.explore.class_picture import ALONE, every_class, first_opened, parents_of
from hpc_explorer.app.views import ClassNode
from hpc_explorer.canvas.kinds import kind_of
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS
from hpc_explorer.stores.base import CountKind

FOUND_WHOLE = 1000
"""The most rows of a filtered tree that are shown expanded."""


_FIRST = ("model", "data", "experiment", "machine", "agent")
"""The kinds listed first: models, datasets, runs, machines, people."""

_SCHEMA = (OWL, RDF, RDFS)
"""Classes of these vocabularies describe the schema and come last."""


@dataclass(frozen=True)
class ShownClasses:
    """The classes that pass the filters.

    Args:
        tree: the classes as a tree; a class with several parents is below each.
        found: each class once, by IRI.
        above: the superclasses by IRI; the picture places a class below the first.
        places: the IRI in `found` for each class, which may be merged into another.
        first: the IRIs of the branches that are open at first.
        unused: the number of classes that pass all filters but that of use.
    """

    tree: tuple[ClassNode, ...] = ()
    found: Mapping[str, ClassNode] = field(default_factory=dict)
    above: Mapping[str, tuple[ClassNode, ...]] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    first: frozenset[str] = frozenset()
    unused: int = 0


def shown_classes(nodes: tuple[ClassNode, ...], words: str, *, only_used: bool) -> ShownClasses:
    """Filter a tree of classes."""
    tree = pruned(nodes, words, only_used=only_used)
    found = every_class(tree)
    return ShownClasses(
        tree,
        found,
        parents_of(tree),
        {one.iri: iri for iri, node in found.items() for one in (node.ref, *node.equivalents)},
        _found_open(tree, found) if words.strip() else first_opened(tree),
        _unused(nodes, words.casefold().split()) if only_used else 0,
    )


def _unused(nodes: Iterable[ClassNode], wanted: list[str]) -> int:
    """The number of classes without instances whose names contain all words."""
    return sum(not used(node) and _fits(node, wanted) for node in every_class(nodes).values())


def _found_open(tree: Sequence[ClassNode], found: Mapping[str, ClassNode]) -> frozenset[str]:
    """The open branches of a filtered tree: all, or only the topmost of a large one."""
    nodes = found.values() if rows_in(tree, FOUND_WHOLE) <= FOUND_WHOLE else tree
    return frozenset({ALONE, *(node.ref.iri for node in nodes if node.children)})


def used(node: ClassNode) -> bool:
    """Whether a class has instances, or an unknown number."""
    return node.instances.value > 0 or node.instances.kind is CountKind.UNKNOWN


def pruned(nodes: Iterable[ClassNode], words: str, *, only_used: bool) -> tuple[ClassNode, ...]:
    """The classes whose names contain all words, and the classes above and below them.

    A class that passes does so at each of its places, with the same subclasses.
    """
    wanted = words.casefold().split()
    if not wanted and not only_used:
        return tuple(nodes)
    tops = [node for node in nodes if used(node) or not only_used]
    every, below = _reachable(tops, only_used=only_used)
    kept = _kept(every, below, wanted) if wanted else frozenset(every)
    left: dict[int, ClassNode] = {}
    # Children before parents, without recursion: a chain of subclasses may be thousands long.
    work = [(node, False) for node in tops if node.ref.iri in kept]
    while work:
        node, children_done = work.pop()
        if id(node) in left:
            continue
        children = [child for child in below[id(node)] if child.ref.iri in kept]
        if not children_done:
            work.append((node, True))
            work.extend((child, False) for child in children)
            continue
        shown = tuple(left[id(child)] for child in children)
        unchanged = len(shown) == len(node.children) and all(map(operator.is_, shown, node.children))
        left[id(node)] = node if unchanged else replace(node, children=shown)
    return tuple(left[id(node)] for node in tops if node.ref.iri in kept)


def _reachable(
    tops: Iterable[ClassNode], *, only_used: bool
) -> tuple[dict[str, list[ClassNode]], dict[int, list[ClassNode]]]:
    """The nodes by IRI, and the children of each node by its `id`."""
    every: dict[str, list[ClassNode]] = defaultdict(list)
    below: dict[int, list[ClassNode]] = {}
    work = list(tops)
    while work:
        node = work.pop()
        if id(node) not in below:
            every[node.ref.iri].append(node)
            below[id(node)] = [child for child in node.children if used(child) or not only_used]
            work.extend(below[id(node)])
    return every, below


def _kept(
    every: Mapping[str, list[ClassNode]], below: Mapping[int, list[ClassNode]], wanted: list[str]
) -> frozenset[str]:
    """The IRIs of the matching classes and those above and below them."""
    under: dict[str, set[str]] = {
        iri: {child.ref.iri for node in nodes for child in below[id(node)]} for iri, nodes in every.items()
    }
    over: dict[str, set[str]] = defaultdict(set)
    for iri, children in under.items():
        for child in children:
            over[child].add(iri)
    fitting = {iri for iri, nodes in every.items() if any(_fits(node, wanted) for node in nodes)}
    return _all_along(fitting, under) | _all_along(fitting, over)


def _all_along(starts: Iterable[str], steps: Mapping[str, set[str]]) -> frozenset[str]:
    reached = set(starts)
    work = list(reached)
    while work:
        new = steps.get(work.pop(), set()) - reached
        reached |= new
        work.extend(new)
    return frozenset(reached)


def _fits(node: ClassNode, wanted: list[str]) -> bool:
    name = f"{node.ref.label} {node.ref.curie}".casefold()
    return all(word in name for word in wanted)


def is_mostly_schema(nodes: Iterable[ClassNode]) -> bool:
    """Whether there are more classes than instances, as in an ontology."""
    tops = list(nodes)
    return sum(node.instances.value for node in tops) < len(every_class(tops))


def rows_in(nodes: Iterable[ClassNode], most: int) -> int:
    """The number of rows of an expanded tree, counted up to just above `most`."""
    counted = 0
    work = list(nodes)
    while work and counted <= most:
        counted += 1
        work.extend(work.pop().children)
    return counted


def listed_classes(roots: Iterable[ClassNode]) -> tuple[ClassNode, ...]:
    """The classes with direct instances: models, datasets, runs, machines and people, then others, the largest first.

    Args:
        roots: the class tree.
    """
    found: dict[str, ClassNode] = {}
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node.ref.iri not in found:
            found[node.ref.iri] = node
            waiting += node.children
    used = (
        node for node in found.values() if node.own_instances.value or node.own_instances.kind is not CountKind.EXACT
    )
    return tuple(sorted(used, key=_order))


def _order(node: ClassNode) -> tuple[int, int, str]:
    if any(node.ref.iri.startswith(vocabulary) for vocabulary in _SCHEMA):
        rank = len(_FIRST) + 1
    else:
        kind = kind_of(node.ref.colour_key)
        rank = _FIRST.index(kind) if kind in _FIRST else len(_FIRST)
    return rank, -node.instances.value, node.ref.label.casefold()
