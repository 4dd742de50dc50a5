"""The shapes: the shipped ones and those of the user's files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.annotate.forms.shapes import NodeShape, read_shapes
from hpc_explorer.annotate.validation.plain import PlainShape, plain_shape
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.errors import DamagedShapes
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.rdf.datatypes import TRUE
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS, SH
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, is_resource
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore

if TYPE_CHECKING:
    from hpc_explorer.annotate.validation.by_pyshacl import PreparedShapes

# Links from a shape to its parts, directly or by a list.
_WHOLE_OF_PART = (SH.property, SH.node, SH.term("not"), SH.qualifiedValueShape)
_TARGETS = (SH.targetClass, SH.targetNode, SH.targetSubjectsOf, SH.targetObjectsOf)

# Unsupported features are refused; otherwise the graph would seem to conform.
_REFUSED = {
    SH.js: ("a shape in JavaScript, which is not run", "write it in SPARQL, or leave it out"),
    SH.target: (
        "a target of SHACL Advanced Features (sh:target), which is not followed",
        "give the shape sh:targetClass, or another target of SHACL itself",
    ),
    SH.expression: (
        "a node expression of SHACL Advanced Features (sh:expression), which is not evaluated",
        "write it in SPARQL, or leave it out",
    ),
    SH.entailment: (
        "shapes for a graph with entailment (sh:entailment), which is not done here",
        "leave the statement out to check what the graph itself says",
    ),
}

# Limit of steps to a named shape.
_DEEPEST = 20


class Shapes:
    """A shapes graph with its targets and plain shapes.

    Args:
        store: the shapes.
        files: the user's files.
    """

    def __init__(self, store: LocalStore, files: Sequence[Path] = ()) -> None:
        self.store = store
        self.files = tuple(files)
        self._of_class: dict[NamedNode, list[Resource]] = {}
        self._of_node: dict[Term, list[Resource]] = {}
        self._of_subjects: dict[NamedNode, list[Resource]] = {}
        self._of_objects: dict[NamedNode, list[Resource]] = {}
        self._plain: dict[Resource, PlainShape | None] = {}
        self._find_targets()

    @cached_property
    def for_forms(self) -> tuple[NodeShape, ...]:
        """The shapes for forms."""
        return read_shapes(self.store)

    @cached_property
    def prepared(self) -> PreparedShapes:
        """The shapes for pySHACL."""
        from hpc_explorer.annotate.validation.by_pyshacl import PreparedShapes

        return PreparedShapes(self.store)

    @property
    def target_classes(self) -> frozenset[NamedNode]:
        """The target classes."""
        return frozenset(self._of_class)

    @property
    def target_nodes(self) -> tuple[Term, ...]:
        """The target nodes, including literals."""
        return tuple(self._of_node)

    @property
    def target_predicates(self) -> tuple[tuple[NamedNode, bool], ...]:
        """The target predicates, with True for subjects and False for objects."""
        return (*((one, True) for one in self._of_subjects), *((one, False) for one in self.target_object_predicates))

    @property
    def target_object_predicates(self) -> tuple[NamedNode, ...]:
        """The target predicates for objects."""
        return tuple(self._of_objects)

    def for_node(self, view: GraphView, node: Term) -> tuple[Resource, ...]:
        """The shapes that target a node (SHACL, section 2.1.3)."""
        found: dict[Resource, None] = {}
        found.update(dict.fromkeys(self._of_node.get(node, ())))
        if is_resource(node):
            for cls in view.classes(node):
                found.update(dict.fromkeys(self._of_class.get(cls, ())))
        if is_resource(node) and self._of_subjects:
            for predicate in view.said(node):
                found.update(dict.fromkeys(self._of_subjects.get(predicate, ())))
        for predicate, shapes in self._of_objects.items():
            if any(True for _ in view.linking(predicate, node)):
                found.update(dict.fromkeys(shapes))
        return tuple(sorted(found, key=str))

    def plain(self, shape: Resource) -> PlainShape | None:
        """The plain form of a shape; None if pySHACL is needed."""
        if shape not in self._plain:
            self._plain[shape] = plain_shape(self.store, shape)
        return self._plain[shape]

    def literals(self, shape: Resource, predicate: NamedNode) -> list[Literal]:
        """The literal values of a parameter in a shape."""
        return [one for one in self.objects(shape, predicate) if isinstance(one, Literal)]

    def objects(self, node: Resource, predicate: NamedNode) -> list[Term]:
        """The values of a predicate in the shapes graph."""
        return [quad.object for quad in self.store.match(node, predicate)]  # type: ignore[misc]  # no quoted triples

    def terms(self, shape: Resource, predicate: NamedNode) -> list[Term]:
        """The values of a parameter in a shape, with lists expanded."""
        found: list[Term] = []
        for head in self.objects(shape, predicate):
            members = list(self._members(head)) if is_resource(head) else []
            found.extend(members or ([] if head == RDF.nil else [head]))
        return found

    def named(self, shape: Resource) -> Resource:
        """The shape if it is named, otherwise the nearest named shape that contains it."""
        level: list[Resource] = [shape]
        for _ in range(_DEEPEST):
            for one in level:
                if isinstance(one, NamedNode):
                    return one
            level = [whole for one in level for whole in self._wholes(one)]
            if not level:
                break
        return shape

    def properties(self, shape: Resource) -> tuple[NamedNode, ...]:
        """The property of a shape or its alternatives; empty for other paths."""
        for quad in self.store.match(shape, SH.path):
            if isinstance(quad.object, NamedNode):
                return (quad.object,)
            if is_resource(quad.object):
                found = self.terms(quad.object, SH.alternativePath)
                return tuple(one for one in found if isinstance(one, NamedNode))
        return ()

    def siblings(self, shape: Resource) -> Iterator[Resource]:
        """The property shapes of the same property in the enclosing shapes, including this one."""
        paths = [quad.object for quad in self.store.match(shape, SH.path)]
        for whole in self._wholes(shape):
            for quad in self.store.match(whole, SH.property):
                same = [other.object for other in self.store.match(quad.object, SH.path)]  # type: ignore[arg-type]  # likewise
                if same == paths and is_resource(quad.object):
                    yield quad.object

    def _find_targets(self) -> None:
        for predicate, index in (
            (SH.targetClass, self._of_class),
            (SH.targetNode, self._of_node),
            (SH.targetSubjectsOf, self._of_subjects),
            (SH.targetObjectsOf, self._of_objects),
        ):
            for quad in self.store.match(None, predicate):
                if is_resource(quad.subject) and not self._is_off(quad.subject):
                    index.setdefault(quad.object, []).append(quad.subject)  # type: ignore[arg-type]  # targets are terms
        for shape in self._shapes_that_are_classes():
            if not self._is_off(shape):
                self._of_class.setdefault(shape, []).append(shape)

    def _shapes_that_are_classes(self) -> Iterator[NamedNode]:
        """Implicit class targets (SHACL, section 2.1.3.3); owl:Class counts as a class."""
        kinds = {RDFS.Class, OWL.Class}
        waiting = list(kinds)
        while waiting:
            for quad in self.store.match(None, RDFS.subClassOf, waiting.pop()):
                if isinstance(quad.subject, NamedNode) and quad.subject not in kinds:
                    kinds.add(quad.subject)
                    waiting.append(quad.subject)
        classes = {quad.subject for kind in kinds for quad in self.store.match(None, RDF.type, kind)}
        for one in sorted(classes, key=str):
            is_shape = any(
                quad.predicate in (SH.property, SH.node)
                or (quad.predicate == RDF.type and quad.object in (SH.NodeShape, SH.PropertyShape))
                for quad in self.store.match(one)  # type: ignore[arg-type]  # no quoted subjects
            )
            if is_shape and isinstance(one, NamedNode):
                yield one

    def _is_off(self, shape: Resource) -> bool:
        return TRUE in self.literals(shape, SH.deactivated)

    def _wholes(self, part: Resource) -> Iterator[Resource]:
        for quad in self.store.match(None, None, part):
            if not is_resource(quad.subject):
                continue
            if quad.predicate in _WHOLE_OF_PART:
                yield quad.subject
            elif quad.predicate == RDF.first:
                yield from self._owners(quad.subject)

    def _owners(self, cell: Resource) -> Iterator[Resource]:
        """The owner of the list with a cell."""
        for quad in self.store.match(None, None, cell):
            if is_resource(quad.subject):
                if quad.predicate == RDF.rest:
                    yield from self._owners(quad.subject)
                else:
                    yield quad.subject

    def _members(self, head: Resource) -> Iterator[Term]:
        seen: set[Resource] = set()
        place: Term = head
        while is_resource(place) and place not in seen:
            seen.add(place)
            for quad in self.store.match(place, RDF.first):
                yield quad.object  # type: ignore[misc]  # likewise
            place = next((quad.object for quad in self.store.match(place, RDF.rest)), RDF.nil)  # type: ignore[assignment]  # likewise


@cache
def shipped_shapes() -> Shapes:
    """The shipped shapes for the HPC ontology and PROV-ML. Cached."""
    return Shapes(_store_of(()))


def shapes_with(files: Iterable[Path], *, shipped: bool = True) -> Shapes:
    """The shapes of some files, optionally with the shipped ones.

    Raises:
        DamagedShapes: a file has no shapes, or unusable ones.
        SourceNotFound, SourceUnreadable, UnknownFormat, UnsupportedSyntax, SourceSyntaxError, RemoteContextRefused: a
            file cannot be read.
    """
    distinct = tuple(dict.fromkeys(files))
    if shipped and not distinct:
        return shipped_shapes()
    for file in distinct:
        _check_file(file)
    return Shapes(_store_of(distinct, shipped=shipped), distinct)


def _store_of(files: Sequence[Path], *, shipped: bool = True) -> LocalStore:
    store = LocalStore.in_memory()
    own = sorted((shipped_folder("ontology") / "shapes").glob("*.ttl")) if shipped else []
    for number, file in enumerate((*own, *files)):
        load_content(store, read_source(file), NamedNode(f"urn:hpc-explorer:shapes:{number}"))
    return store


def _check_file(file: Path) -> None:
    """Refuse a file with unusable shapes, with the line of the shape if possible."""
    store = LocalStore.in_memory()
    load_content(store, read_source(file), NamedNode("urn:hpc-explorer:shapes"))
    targeted = any(True for predicate in _TARGETS for _ in store.match(None, predicate))
    if not targeted and not Shapes(store).target_classes:
        raise DamagedShapes(
            "no shape in it has a target", str(file), "give the shapes sh:targetClass, or another target"
        )
    for predicate, (what, remedy) in _REFUSED.items():
        for quad in store.match(None, predicate):
            named = Shapes(store).named(quad.subject) if is_resource(quad.subject) else None
            raise DamagedShapes(what, str(file) if named is None else _place(file, named), remedy)
    from hpc_explorer.annotate.validation.by_pyshacl import PreparedShapes

    fault = PreparedShapes(store).fault()
    if fault is not None:
        where, named = str(file), None
        if fault.shape is not None:
            named = Shapes(store).named(fault.shape)
            where = _place(file, named)
        raise DamagedShapes(f"not a usable shape ({fault.what})", where, "correct the shape, or leave it out")


def _place(file: Path, shape: Resource) -> str:
    """The file, line and name of a shape."""
    if isinstance(shape, BlankNode):
        return str(file)
    name = local_name(shape.value)
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"{file} (shape {name})"
    mentioned = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    for number, line in enumerate(lines, 1):
        if mentioned.search(line):
            return f"{file}:{number} (shape {name})"
    return f"{file} (shape {name})"
