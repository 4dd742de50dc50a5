"""Validates one resource at once, or the graph as a stream, and offers fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from hpc_explorer.annotate.validation.checking import Checked, check_members, check_node
from hpc_explorer.annotate.validation.findings import Finding, ShapeFault
from hpc_explorer.annotate.validation.fixes import first_of_kind
from hpc_explorer.annotate.validation.messages import Names, shown
from hpc_explorer.annotate.validation.report import report_quads
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView, Superclasses
from hpc_explorer.app.checks.finding_views import Located
from hpc_explorer.app.checks.shapes import readable_shapes, shipped_schema
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DamagedShapes
from hpc_explorer.ontology.schema import closure
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import TURTLE
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet, net_change


def check_resource(
    session: Session,
    subject: Resource,
    *,
    change: ChangeSet | None = None,
    shapes: Shapes | None = None,
    store: Store | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[Finding, ...]:
    """The findings about a resource and its own values, literals included, worst first.

    Args:
        change: counts as made: the resource is checked as it would be. Fixes come on top of it.
        shapes: what it has to conform to; None: those that ship and the user's.
        store: reads the session's graph, such as a cache; None: its own store.

    Raises:
        DamagedShapes: a shape cannot be used.
        StoreError: as the store says.
    """
    shapes = shapes or readable_shapes(session)[0]
    known = _Known(session, limits)
    view = GraphView(
        store or session.store,
        background=shipped_ontology(),
        superclasses=known.superclasses,
        change=change,
        limits=limits,
    )
    with _faults_named(shapes):
        return check_node(view, shapes, known, subject)


def check_graph(
    session: Session,
    *,
    shapes: Shapes | None = None,
    progress: Callable[[Checked], None] = lambda checked: None,
    limits: Limits = NO_LIMITS,
) -> Iterator[Finding]:
    """The findings about the whole graph, class by class, as an iterator.

    An endpoint is asked for a few hundred resources at a time.

    Args:
        shapes: as for `check_resource`.
        progress: told how many resources were checked, of how many.

    Raises:
        DamagedShapes: a shape cannot be used.
        Cancelled, DeadlineExceeded: as the limits say.
        StoreError: as the store says.
    """
    shapes = shapes or readable_shapes(session)[0]
    known = _Known(session, limits)
    usage = session.usage(limits=limits)
    targets = shapes.target_classes
    classes = [cls for cls in usage.stated_classes() if not targets.isdisjoint(known.superclasses(cls))]
    number = usage.instances_of_any(classes, stated=True)
    exact = usage.sets_known and not session.store.capabilities.remote
    whole = not shapes.target_nodes and not any(one in usage.predicates for one, _ in shapes.target_predicates)
    expected = Count(number, CountKind.EXACT if exact and whole else CountKind.AT_LEAST)

    def new_view() -> GraphView:
        return GraphView(session.store, background=shipped_ontology(), superclasses=known.superclasses, limits=limits)

    with _faults_named(shapes):
        yield from check_members(
            session.store, shapes, known, new_view, classes, expected, progress=progress, limits=limits
        )


def fix_findings(
    session: Session,
    findings: Iterable[Finding],
    kind: str,
    words: str,
    *,
    shapes: Shapes | None = None,
    limits: Limits = NO_LIMITS,
) -> ChangeSet:
    """One change for the fixes of one kind of several findings.

    Each resource is checked again, and only what is still found is fixed: the graph may have changed since.

    Args:
        kind: that of the fixes.
        words: what the change is, for a person.

    Raises:
        DamagedShapes, StoreError, Cancelled, DeadlineExceeded: as `check_resource`.
    """
    wanted: dict[Resource, set[tuple[object, ...]]] = {}
    for finding in findings:
        if finding.subject is not None:
            wanted.setdefault(finding.subject, set()).add(same_as(finding))
    changes: list[ChangeSet] = []
    for subject, alike in wanted.items():
        limits.check("fixing")
        for finding in check_resource(session, subject, shapes=shapes, limits=limits):
            fix = first_of_kind(finding.fixes, kind) if same_as(finding) in alike else None
            if fix is not None:
                changes.append(fix.change)
    change = net_change(changes)
    return replace(change, words=words)


def same_as(finding: Finding) -> tuple[object, ...]:
    """The identity of a finding, without the names of blank nodes."""
    value = None if isinstance(finding.value, BlankNode) else finding.value
    return (finding.place, finding.field, finding.path, value, finding.constraint, finding.shape)


def located(session: Session, findings: Iterable[Finding], *, limits: Limits = NO_LIMITS) -> tuple[Located, ...]:
    """Findings with the names of their resources and properties."""
    some = tuple(findings)
    refs = places(session, some, limits=limits)
    known = _Known(session, limits)
    return tuple(
        Located(one, refs[one.place], "" if one.field is None else _sentence(known.property_label(one.field)))
        for one in some
    )


def places(session: Session, findings: Iterable[Finding], *, limits: Limits = NO_LIMITS) -> dict[Term, ResourceRef]:
    """The names of the focus nodes of findings; a literal has its N-Triples form as IRI."""
    some = {finding.place for finding in findings}
    resources = {one for one in some if is_resource(one)}
    named = references(session, resources, limits=limits) if resources else {}
    return {
        one: named[one] if is_resource(one) else ResourceRef(BlankNode(), shown(one), str(one), shown(one), "", "")
        for one in some
    }


def write_report(session: Session, shapes: Shapes, findings: Iterable[Finding], file: Path) -> None:
    """Write findings as a SHACL validation report in Turtle, completely or not at all.

    Args:
        shapes: those that were checked.

    Raises:
        OutputNotWritable: it cannot be written there.
    """
    with atomic_output(file) as output:
        write_quads(report_quads(findings, shapes), output, TURTLE, session.prefixes)


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]


class _Known(Names):
    """The names and hierarchy of classes and properties in the graph and the shipped ontologies."""

    def __init__(self, session: Session, limits: Limits) -> None:
        self._schema = session.schema(limits=limits)
        self._shipped = shipped_schema()
        self.superclasses: Superclasses = cache(lambda cls: closure(cls, self._above))

    def class_label(self, cls: NamedNode) -> str:
        """The name of a class."""
        return (self._schema if cls in self._schema.classes else self._shipped).class_label(cls)

    def property_label(self, predicate: NamedNode) -> str:
        """The name of a property."""
        return (self._schema if predicate in self._schema.properties else self._shipped).property_label(predicate)

    def _above(self, cls: NamedNode) -> frozenset[NamedNode]:
        return self._schema.superclasses(cls) | self._shipped.superclasses(cls)


@contextmanager
def _faults_named(shapes: Shapes) -> Iterator[None]:
    try:
        yield
    except ShapeFault as fault:
        where = ", ".join(str(file) for file in shapes.files)
        raise DamagedShapes(
            f"a shape cannot be used ({fault.what})", where, "correct the shape, or leave it out"
        ) from None
