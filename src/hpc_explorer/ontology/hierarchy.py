"""The class hierarchy with instance counts.

Equivalent classes share one node, and so do the classes of a subclass cycle, which are equivalent by RDFS semantics. A
class with several parents is below each of them. Inferred places are marked.
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
"""Inferred superclasses of a class that follow from no stated ones."""


@dataclass(frozen=True)
class ClassTreeNode:
    """A node of the class tree.

    Args:
        cls: the class; of equivalent ones that with most direct instances, then the first.
        equivalents: the other classes of this node.
        own: the number of direct instances.
        instances: the number of instances including subclasses, each counted once.
        children: the nodes below, by label.
        inferred: children by inference only.
        circle: whether classes were merged because of a subclass cycle.
    """

    cls: NamedNode
    equivalents: tuple[NamedNode, ...]
    own: int
    instances: int
    children: tuple[ClassTreeNode, ...]
    inferred: frozenset[NamedNode] = frozenset()
    circle: bool = False


def inferred_parents(inferred: Iterable[Quad], schema: SchemaIndex) -> InferredParents:
    """The inferred subclass links that add information.

    Inference concludes every superclass. Those above another parent are redundant and left out.

    Args:
        inferred: inferred statements.
    """
    above: dict[NamedNode, set[NamedNode]] = defaultdict(set)
    for quad in inferred:
        cls, parent = quad.subject, quad.object
        if quad.predicate != RDFS.subClassOf or not isinstance(cls, NamedNode) or not isinstance(parent, NamedNode):
            continue
        if {cls, parent} <= schema.classes.keys() and parent not in schema.superclasses(cls):
            above[cls].add(parent)
    # The stated parent already leads to it.
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
    """The stated superclasses of a class, without those that are also its subclasses."""
    return {one for one in schema.superclasses(cls) if one in schema.classes and cls not in schema.superclasses(one)}


def _is_above(schema: SchemaIndex, above: Mapping[NamedNode, set[NamedNode]], one: NamedNode, other: NamedNode) -> bool:
    """Whether `one` is above `other`; within a cycle, by name."""
    if not (one in schema.superclasses(other) or one in above.get(other, ())):
        return False
    both = other in schema.superclasses(one) or other in above.get(one, ())
    return not both or str(other) < str(one)


def class_tree(
    schema: SchemaIndex, usage: Usage, root: NamedNode | None = None, inferred: InferredParents | None = None
) -> tuple[ClassTreeNode, ...]:
    """Build the class tree of the graph.

    Args:
        root: only this class and its subclasses.
        inferred: inferred superclasses to add.

    Returns:
        The top classes, those with subclasses first, then by label; with `root` that class, if the graph has it.
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
    """All nodes at or below `tops`, children first, without recursion."""
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
    """Map each class to a representative of its equivalence class, including subclass cycles."""

    def steps(cls: NamedNode) -> list[NamedNode]:
        info = schema.classes[cls]
        above = (*info.parents, *info.equivalents, *inferred.get(cls, ()))
        return [other for other in above if other in schema.classes]

    return components(schema.classes, steps)


def _merge_stated(schema: SchemaIndex) -> Mapping[NamedNode, NamedNode]:
    """Map each class to a representative of the classes stated to be equivalent."""
    return components(
        schema.classes, lambda cls: [other for other in schema.classes[cls].equivalents if other in schema.classes]
    )
