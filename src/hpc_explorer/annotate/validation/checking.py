"""Validate a resource or a whole graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from hpc_explorer.annotate.validation.findings import Finding, Result, Severity
from hpc_explorer.annotate.validation.fixes import fixes_of
from hpc_explorer.annotate.validation.messages import Names, message_of
from hpc_explorer.annotate.validation.plain import check_plain
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF, SH
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits, Store
from hpc_explorer.wording import counted

# Depth of blank nodes that are validated with their resource.
_DEEPEST = 8

# Number of resources per batch when the whole graph is validated.
_BATCH = 500

_SEVERITIES = tuple(Severity)

_Batch = tuple[NamedNode | None, list[Term]]


@dataclass(frozen=True)
class Checked:
    """The progress of a validation.

    Args:
        resources: the number of resources validated.
        expected: the number of resources in total.
        literals: the number of literals validated as targets.
    """

    resources: int
    expected: Count
    literals: int = 0

    @property
    def words(self) -> str:
        """For example `3 resources and 1 value`."""
        values = f" and {counted(self.literals, 'value')}" if self.literals else ""
        return f"{counted(self.resources, 'resource')}{values}"

    @property
    def nothing(self) -> str:
        """The sentence for an empty result."""
        return "nothing found" if self.resources or self.literals else "no shape applies to it"


def results_of(view: GraphView, shapes: Shapes, node: Term) -> list[Result]:
    """All validation results for a node, including repeated ones (SHACL, section 3.6).

    Raises:
        ShapeFault: pySHACL cannot use a shape.
    """
    return _results(view, shapes, node, shapes.for_node(view, node))


def _results(view: GraphView, shapes: Shapes, node: Term, those: Iterable[Resource]) -> list[Result]:
    found: list[Result] = []
    for shape in those:
        plain = shapes.plain(shape)
        if plain is not None:
            found += check_plain(plain, view, node)
        else:
            found += shapes.prepared.check(view, node, (shape,))
    return found


def check_node(view: GraphView, shapes: Shapes, names: Names, subject: Resource) -> tuple[Finding, ...]:
    """The findings for a resource and its own blank nodes, such as quantities.

    Args:
        view: the graph with the assumed change.
        names: labels of classes and properties.
    """
    found: list[Finding] = []
    literals: dict[tuple[NamedNode, Literal], None] = {}
    for node, field in _with_values(view, subject):
        found += _findings(results_of(view, shapes, node), view, shapes, names, subject, field)
        for predicate in shapes.target_object_predicates:
            values = view.objects(node, predicate)
            literals.update(((field or predicate, one), None) for one in values if isinstance(one, Literal))
    for of, literal in literals:
        found += _findings(results_of(view, shapes, literal), view, shapes, names, subject, of)
    return in_order(found)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort key: severity, then field, then message."""
    return tuple(
        sorted(
            findings,
            key=lambda one: (
                _SEVERITIES.index(one.severity),
                "" if one.field is None else one.field.value,
                one.message,
                str(one.focus),
            ),
        )
    )


def check_members(
    store: Store,
    shapes: Shapes,
    names: Names,
    new_view: Callable[[], GraphView],
    classes: Iterable[NamedNode],
    expected: Count,
    *,
    progress: Callable[[Checked], None],
    limits: Limits = NO_LIMITS,
) -> Iterator[Finding]:
    """The findings in a graph, class by class, with one batch of resources in memory.

    Args:
        new_view: makes an empty view of the graph.
        classes: the classes whose instances are validated.
        expected: the number of resources in total.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
        ShapeFault: pySHACL cannot use a shape.
    """
    ordered = sorted(classes, key=str)
    checked = Checked(0, expected)
    progress(checked)
    of_classes: Iterator[_Batch] = ((cls, batch) for cls in ordered for batch in _batches(_members(store, cls, limits)))
    of_others: Iterator[_Batch] = ((None, batch) for batch in _batches(_others(store, shapes, limits)))
    for cls, batch in chain(of_classes, of_others):
        limits.check("the check")
        view = new_view()
        view.fetch([node for node in batch if is_resource(node)])
        for node in batch:
            if isinstance(node, Literal):
                checked = replace(checked, literals=checked.literals + 1)
                yield from _at_owners(node, view, shapes, names)
            # A resource of several classes is validated with the first.
            elif _first(ordered, view.types(node)) == cls:
                checked = replace(checked, resources=checked.resources + 1)
                results = results_of(view, shapes, node)
                if results:
                    yield from in_order(_findings(results, view, shapes, names, *_owner(view, node)))
        progress(checked)


def _first(classes: list[NamedNode], types: tuple[NamedNode, ...]) -> NamedNode | None:
    if len(types) == 1:
        return types[0] if types[0] in classes else None
    return next((cls for cls in classes if cls in types), None)


def _members(store: Store, cls: NamedNode, limits: Limits) -> Iterator[Term]:
    """The instances of a class without duplicates."""
    graphs_differ = len([name for name in store.graphs(limits=limits) if name != INFERRED]) > 1
    seen: set[Resource] = set()
    for quad in store.match(None, RDF.type, cls, limits=limits):
        if quad.graph_name == INFERRED or not is_resource(quad.subject):
            continue
        # Several graphs may contain the same statement.
        if graphs_differ:
            if quad.subject in seen:
                continue
            seen.add(quad.subject)
        yield quad.subject


def _others(store: Store, shapes: Shapes, limits: Limits) -> Iterator[Term]:
    """The targets of shapes by node, subject or object, without duplicates."""
    seen: set[Term] = set(shapes.target_nodes)
    yield from shapes.target_nodes
    for predicate, subjects in shapes.target_predicates:
        for quad in store.match(None, predicate, limits=limits):
            node = quad.subject if subjects else quad.object
            if quad.graph_name != INFERRED and node not in seen and (is_resource(node) or isinstance(node, Literal)):
                seen.add(node)
                yield node


def _batches(nodes: Iterator[Term]) -> Iterator[list[Term]]:
    while batch := list(islice(nodes, _BATCH)):
        yield batch


def _at_owners(literal: Literal, view: GraphView, shapes: Shapes, names: Names) -> Iterator[Finding]:
    """The findings for a literal, at each resource that has it as a target."""
    results = results_of(view, shapes, literal)
    if not results:
        return
    owners: dict[tuple[Resource | None, NamedNode | None], None] = {}
    for predicate in shapes.target_object_predicates:
        for node, _ in view.linking(predicate, literal):
            owner, field = _owner(view, node)
            owners[owner, field or predicate] = None
    for subject, field in sorted(owners, key=str) if owners else [(None, None)]:
        yield from in_order(_findings(results, view, shapes, names, subject, field))


# Results that follow from a wrong kind of value.
_OF_NUMBERS = (
    SH.MinInclusiveConstraintComponent,
    SH.MaxInclusiveConstraintComponent,
    SH.MinExclusiveConstraintComponent,
    SH.MaxExclusiveConstraintComponent,
)
_OF_NODES = (SH.ClassConstraintComponent, SH.OrConstraintComponent, SH.NodeConstraintComponent)
_FOLLOWING = {
    SH.DatatypeConstraintComponent: frozenset(_OF_NUMBERS),
    SH.NodeKindConstraintComponent: frozenset(_OF_NUMBERS + _OF_NODES),
}


def _told_as_one(results: Iterable[Result], shapes: Shapes) -> Iterable[list[Result]]:
    """The results in groups, each led by the main result: equal results and consequences follow it.

    If a text is not a number, "less than 0" adds nothing unless its severity is higher.
    """

    def about(one: Result) -> object:
        return one.path or shapes.properties(one.source) or one.source

    groups: dict[Result, list[Result]] = {}
    for one in results:
        groups.setdefault(one, []).append(one)
    leading: dict[tuple[object, ...], Result] = {}
    for one in groups:
        for component in _FOLLOWING.get(one.component, ()):
            leading.setdefault((about(one), one.value, component), one)
    for one in list(groups):
        leader = leading.get((about(one), one.value, one.component))
        if leader is not None and _SEVERITIES.index(leader.severity) <= _SEVERITIES.index(one.severity):
            groups[leader] += groups.pop(one)
    return groups.values()


def _with_values(view: GraphView, subject: Resource) -> Iterator[tuple[Resource, NamedNode | None]]:
    """The resource and its own blank nodes, each with the property that leads to it."""
    yield subject, None
    seen: set[Term] = {subject}
    level: list[tuple[Resource, NamedNode | None]] = [(subject, None)]
    for _ in range(_DEEPEST):
        below: list[tuple[Resource, NamedNode | None]] = []
        for node, field in level:
            for predicate, values in view.said(node).items():
                for value in values:
                    if isinstance(value, BlankNode) and value not in seen:
                        seen.add(value)
                        below.append((value, field or predicate))
        view.fetch([node for node, _ in below])
        yield from below
        level = below


def _owner(view: GraphView, node: Resource) -> tuple[Resource, NamedNode | None]:
    """The named resource of a value, and the property that leads to the value."""
    field: NamedNode | None = None
    at = node
    for _ in range(_DEEPEST):
        if not isinstance(at, BlankNode):
            return at, field
        above = next(view.linking(None, at), None)
        if above is None:
            break
        at, field = above
    return (at, field) if isinstance(at, NamedNode) else (node, None)


def _findings(
    results: Iterable[Result],
    view: GraphView,
    shapes: Shapes,
    names: Names,
    subject: Resource | None,
    field: NamedNode | None,
) -> Iterator[Finding]:
    for group in _told_as_one(results, shapes):
        yield _finding(tuple(group), view, shapes, names, subject, field)


def _finding(
    results: tuple[Result, ...],
    view: GraphView,
    shapes: Shapes,
    names: Names,
    subject: Resource | None,
    field: NamedNode | None,
) -> Finding:
    result = results[0]
    within = field if subject != result.focus else None
    if within is None:
        # Of alternatives, such as names of several vocabularies, the first is shown.
        field = result.path or next(iter(shapes.properties(result.source)), None)
    return Finding(
        result.focus,
        result.path,
        result.value,
        message_of(result, shapes, names, within, _details(result, view, shapes, names)),
        result.severity,
        result.component,
        shapes.named(result.source),
        subject,
        field,
        fixes_of(result, view, shapes, names),
        results,
    )


def _details(result: Result, view: GraphView, shapes: Shapes, names: Names) -> list[str]:
    """The findings of a nested shape for a value."""
    if result.component != SH.NodeConstraintComponent or not is_resource(result.value):
        return []
    wanted = [one for one in shapes.terms(result.source, SH.node) if is_resource(one)]
    within = _results(view, shapes, result.value, wanted)
    return sorted({message_of(one, shapes, names) for one in within})
