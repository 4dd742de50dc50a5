"""The hierarchy of classes with the number of instances below each.

Equivalent classes are merged into one place. A class with several parents stands below each of them. A cycle of
subclasses means that its classes are equivalent (RDFS semantics), and they are merged like any. Places that only follow
by inference come besides, and say so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from hpc_explorer.ontology.components import components
from hpc_explorer.ontology.instances import Usage
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import NamedNode, Quad

InferredParents = Mapping[NamedNode, Collection[NamedNode]]
"""Of a class those above it that no source states, neither directly nor by way of others."""


@dataclass(frozen=True)
class ClassTreeNode:
    """One place in the tree of classes.

    Args:
        cls: the class; of several equivalent ones the one with most direct instances, then the one defined first.
        equivalents: the other classes merged into this place.
        own: how many resources name this class or an equivalent as their type.
        instances: how many resources are instances of it or of a class below; each counts once.
        children: the places below, by label.
        inferred: those of the children that are below this class by inference only.
        circle: whether classes were merged because they are subclasses of each other, not stated to be equivalent.
    """

    cls: NamedNode
    equivalents: tuple[NamedNode, ...]
    own: int
    instances: int
    children: tuple[ClassTreeNode, ...]
    inferred: frozenset[NamedNode] = frozenset()
    circle: bool = False


def inferred_parents(inferred: Iterable[Quad], schema: SchemaIndex) -> InferredParents:
    """The subclass links that say something new.

    Inference concludes every class above a class. One that is above a stated or another inferred parent is where it is
    by way of that parent, and is left out.

    Args:
        inferred: statements that follow; those count that say of a class of the graph that it is below another.
    """
    above: dict[NamedNode, set[NamedNode]] = defaultdict(set)
    for quad in inferred:
        cls, parent = quad.subject, quad.object
        if quad.predicate != RDFS.subClassOf or not isinstance(cls, NamedNode) or not isinstance(parent, NamedNode):
            continue
        if {cls, parent} <= schema.classes.keys() and parent not in schema.superclasses(cls):
            above[cls].add(parent)
    # What a class inherits from a stated parent is told there.
    new = {
        cls: found.difference(*(above.get(one, ()) for one in _stated_above(schema, cls)))
        for cls, found in above.items()
    }
    return {
        cls: tuple(
            sorted(
                (one for one in found if not any(_is_above(schema, above, one, other) for other in found - {one})),
                key=str,
            )
        )
        for cls, found in new.items()
        if found
    }


def _stated_above(schema: SchemaIndex, cls: NamedNode) -> set[NamedNode]:
    """The classes that `cls` is stated to be below, and that are not stated to be below it."""
    return {one for one in schema.superclasses(cls) if one in schema.classes and cls not in schema.superclasses(one)}


def _is_above(schema: SchemaIndex, above: Mapping[NamedNode, set[NamedNode]], one: NamedNode, other: NamedNode) -> bool:
    """Whether `one` is above `other`; of two that are above each other the first by name is."""
    if not (one in schema.superclasses(other) or one in above.get(other, ())):
        return False
    both = other in schema.superclasses(one) or other in above.get(one, ())
    return not both or str(other) < str(one)


def class_tree(
    schema: SchemaIndex, usage: Usage, root: NamedNode | None = None, inferred: InferredParents | None = None
) -> tuple[ClassTreeNode, ...]:
    """The tree of the graph's classes.

    Args:
        root: give only the place of this class and what is below it.
        inferred: places besides those that are stated.

    Returns:
        The topmost classes, those with classes below them first, then by label; with `root` that class alone, or
        nothing where the graph has no such class.
    """
    inferred = inferred or {}
    merged = _merge_equivalents(schema, inferred)
    by_statement = _merge_stated(schema)
    direct = usage.stated_classes()
    members: dict[NamedNode, list[NamedNode]] = defaultdict(list)
    for cls in schema.classes:
        members[merged[cls]].append(cls)
    children: dict[NamedNode, set[NamedNode]] = defaultdict(set)
    stated: set[tuple[NamedNode, NamedNode]] = set()
    has_parent: set[NamedNode] = set()
    for cls, info in schema.classes.items():
        for parent in (*info.parents, *inferred.get(cls, ())):
            if parent in schema.classes and merged[parent] != merged[cls]:
                children[merged[parent]].add(merged[cls])
                has_parent.add(merged[cls])
                if parent in info.parents:
                    stated.add((merged[parent], merged[cls]))

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
            inferred=frozenset(places[child].cls for child in under if (representative, child) not in stated),
            circle=len({by_statement[cls] for cls in group}) > 1,
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


def _merge_equivalents(schema: SchemaIndex, inferred: InferredParents) -> Mapping[NamedNode, NamedNode]:
    """For each class one representative of those that are below each other or equivalent."""

    def steps(cls: NamedNode) -> list[NamedNode]:
        info = schema.classes[cls]
        above = (*info.parents, *info.equivalents, *inferred.get(cls, ()))
        return [other for other in above if other in schema.classes]

    return components(schema.classes, steps)


def _merge_stated(schema: SchemaIndex) -> Mapping[NamedNode, NamedNode]:
    """For each class one representative of those that are stated to be equivalent."""
    return components(
        schema.classes, lambda cls: [other for other in schema.classes[cls].equivalents if other in schema.classes]
    )
