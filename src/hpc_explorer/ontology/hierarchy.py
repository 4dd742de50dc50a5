"""The tree of classes with the number of instances below each.

Equivalent classes are merged into one place of the tree. A class with several parents stands below
each of them. A cycle of subclasses means that its classes are equivalent (RDFS semantics), and they
are merged like any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hpc_explorer.ontology.components import components
from hpc_explorer.ontology.instances import Usage
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.terms import NamedNode


@dataclass(frozen=True)
class ClassTreeNode:
    """One place in the tree of classes.

    Args:
        cls: the class; of several equivalent ones the one with most direct instances, then the one defined first.
        equivalents: the other classes merged into this place.
        own: how many resources name this class or an equivalent as their type.
        instances: how many resources are instances of it or of a class below; each counts once.
        children: the places below, by label.
    """

    cls: NamedNode
    equivalents: tuple[NamedNode, ...]
    own: int
    instances: int
    children: tuple[ClassTreeNode, ...]


def class_tree(schema: SchemaIndex, usage: Usage, root: NamedNode | None = None) -> tuple[ClassTreeNode, ...]:
    """The tree of the graph's classes.

    Args:
        root: give only the place of this class and what is below it.

    Returns:
        The topmost classes, those with classes below them first, then by label; with `root` that class alone, or
        nothing where the graph has no such class.
    """
    merged = _merge_equivalents(schema)
    direct = usage.stated_classes()
    members: dict[NamedNode, list[NamedNode]] = defaultdict(list)
    for cls in schema.classes:
        members[merged[cls]].append(cls)
    children: dict[NamedNode, set[NamedNode]] = defaultdict(set)
    has_parent: set[NamedNode] = set()
    for cls, info in schema.classes.items():
        for parent in info.parents:
            if parent in schema.classes and merged[parent] != merged[cls]:
                children[merged[parent]].add(merged[cls])
                has_parent.add(merged[cls])

    below: dict[NamedNode, frozenset[NamedNode]] = {}
    places: dict[NamedNode, ClassTreeNode] = {}
    tops = [top for top in members if top not in has_parent] if root is None else _root(schema, merged, root)
    for representative in _children_first(tops, children):
        group = members[representative]
        under = children.get(representative, set())
        below[representative] = frozenset(group).union(*(below[child] for child in under))
        shown = min(group, key=lambda cls: (-direct[cls], not schema.classes[cls].defined, cls.value))
        places[representative] = ClassTreeNode(
            cls=shown,
            equivalents=tuple(sorted((cls for cls in group if cls != shown), key=str)),
            own=usage.instances_of_any(group, stated=True),
            instances=usage.instances_of_any(below[representative]),
            children=_by_label(schema, (places[child] for child in under)),
        )
    listed = _by_label(schema, (places[top] for top in tops))
    return tuple(sorted(listed, key=lambda node: not node.children))


def _root(schema: SchemaIndex, merged: Mapping[NamedNode, NamedNode], root: NamedNode) -> list[NamedNode]:
    return [merged[root]] if root in schema.classes else []


def _children_first(tops: Iterable[NamedNode], children: Mapping[NamedNode, set[NamedNode]]) -> Iterator[NamedNode]:
    """Every place at or below `tops`, each after all places below it; no recursion, however deep."""
    done: set[NamedNode] = set()
    for top in tops:
        work = [(top, iter(children.get(top, ())))]
        while work:
            place, following = work[-1]
            child = next((child for child in following if child not in done), None)
            if child is not None:
                work.append((child, iter(children.get(child, ()))))
                continue
            work.pop()
            if place not in done:
                done.add(place)
                yield place


def _by_label(schema: SchemaIndex, nodes: Iterable[ClassTreeNode]) -> tuple[ClassTreeNode, ...]:
    return tuple(sorted(nodes, key=lambda node: (schema.class_label(node.cls).casefold(), node.cls.value)))


def _merge_equivalents(schema: SchemaIndex) -> Mapping[NamedNode, NamedNode]:
    """For each class one representative of those that are below each other or equivalent."""

    def steps(cls: NamedNode) -> list[NamedNode]:
        info = schema.classes[cls]
        return [other for other in (*info.parents, *info.equivalents) if other in schema.classes]

    return components(schema.classes, steps)
