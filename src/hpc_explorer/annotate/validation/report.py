"""Findings as a SHACL validation report (SHACL, section 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hpc_explorer.annotate.validation.findings import TERM_OF_SEVERITY, Finding
from hpc_explorer.rdf.namespaces import RDF, SH, XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term

REPORT = BlankNode("report")


def report_quads(findings: Iterable[Finding]) -> Iterator[Quad]:
    """The report as statements, one result after the other; whether the graph conforms comes last.

    As SHACL has it, a graph conforms if there is no result at all, a warning being one.
    """
    found = False
    yield _said(REPORT, RDF.type, SH.ValidationReport)
    for number, finding in enumerate(findings, 1):
        found = True
        result = BlankNode(f"result{number}")
        yield _said(REPORT, SH.result, result)
        yield _said(result, RDF.type, SH.ValidationResult)
        yield _said(result, SH.focusNode, finding.focus)
        if finding.path is not None:
            yield _said(result, SH.resultPath, finding.path)
        if finding.value is not None:
            yield _said(result, SH.value, finding.value)
        yield _said(result, SH.resultSeverity, TERM_OF_SEVERITY[finding.severity])
        yield _said(result, SH.sourceConstraintComponent, finding.constraint)
        yield _said(result, SH.sourceShape, finding.shape)
        yield _said(result, SH.resultMessage, Literal(finding.message, language="en"))
    yield _said(REPORT, SH.conforms, Literal(str(not found).lower(), datatype=XSD.boolean))


def _said(subject: BlankNode, predicate: NamedNode, value: Term) -> Quad:
    return Quad(subject, predicate, value, DefaultGraph())
