"""Findings as a SHACL validation report (SHACL, section 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hpc_explorer.annotate.validation.findings import Finding, Result
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.rdf.namespaces import RDF, SH, XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term

_STEPS = (SH.inversePath, SH.alternativePath, SH.zeroOrMorePath, SH.oneOrMorePath, SH.zeroOrOnePath)


def report_quads(findings: Iterable[Finding], shapes: Shapes) -> Iterator[Quad]:
    """The report as statements, result by result; `sh:conforms` comes last.

    A graph conforms if there is no result, not even a warning. Each underlying result of a finding is written.

    Args:
        shapes: the shapes; paths, severities and messages are copied from them.
    """
    report = BlankNode()
    writer = _Writer(shapes)
    at_literals: set[tuple[Result, ...]] = set()
    found = False
    yield _said(report, RDF.type, SH.ValidationReport)
    for finding in findings:
        found = True
        if isinstance(finding.focus, Literal):
            # Each resource with the literal has the finding; in SHACL the literal is one focus node.
            if finding.results in at_literals:
                continue
            at_literals.add(finding.results)
        for result in finding.results:
            node = BlankNode()
            yield _said(report, SH.result, node)
            yield from writer.result(node, result, finding)
    yield _said(report, SH.conforms, Literal(str(not found).lower(), datatype=XSD.boolean))


class _Writer:
    """Writes results. Unnamed shapes keep one label in all results."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._named: dict[BlankNode, BlankNode] = {}

    def result(self, node: BlankNode, result: Result, finding: Finding) -> Iterator[Quad]:
        """The statements of a result."""
        yield _said(node, RDF.type, SH.ValidationResult)
        yield _said(node, SH.focusNode, result.focus)
        if result.path is not None:
            yield _said(node, SH.resultPath, result.path)
        else:
            for path in self._shapes.objects(result.source, SH.path):
                if isinstance(path, BlankNode):
                    copy = BlankNode()
                    yield _said(node, SH.resultPath, copy)
                    yield from self._path(path, copy, frozenset((path,)))
        if result.value is not None:
            yield _said(node, SH.value, result.value)
        severities = self._shapes.objects(result.source, SH.severity)
        yield _said(node, SH.resultSeverity, next(iter(severities), SH.Violation))
        yield _said(node, SH.sourceConstraintComponent, result.component)
        yield _said(node, SH.sourceShape, self._of_shapes(result.source))
        if result.constraint is not None:
            yield _said(node, SH.sourceConstraint, self._of_shapes(result.constraint))
        for message in self._messages(result, finding):
            yield _said(node, SH.resultMessage, message)

    def _messages(self, result: Result, finding: Finding) -> list[Literal]:
        """The messages of the shape, its query, or the finding."""
        own = self._shapes.literals(result.source, SH.message)
        if own:
            return own
        if result.constraint is not None:
            return [Literal(text) for text in result.messages]
        return [Literal(finding.message, language="en")] if result == finding.results[0] else []

    def _of_shapes(self, node: Term) -> Term:
        return self._named.setdefault(node, BlankNode()) if isinstance(node, BlankNode) else node

    def _path(self, path: BlankNode, copy: BlankNode, within: frozenset[BlankNode]) -> Iterator[Quad]:
        """The copy of a complex path (section 2.3.1).

        Args:
            within: the enclosing parts, to stop cycles.
        """
        # A node that is also a list counts as the list, as in path evaluation.
        steps = (RDF.first, RDF.rest) if self._shapes.objects(path, RDF.first) else _STEPS
        for predicate in steps:
            for part in self._shapes.objects(path, predicate):
                if not isinstance(part, BlankNode):
                    yield _said(copy, predicate, part)
                elif part not in within:
                    below = BlankNode()
                    yield _said(copy, predicate, below)
                    yield from self._path(part, below, within | {part})


def _said(subject: BlankNode, predicate: NamedNode, value: Term) -> Quad:
    return Quad(subject, predicate, value, DefaultGraph())
