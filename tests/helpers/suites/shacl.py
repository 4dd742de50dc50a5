"""The W3C's suite of SHACL Core: data, shapes and the validation report that is expected.

As the suite wants it, reports are compared as graphs: by what SHACL requires of a result (section 3.6.2), and by its
messages where the expected report has some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from hpc_explorer.app.checks.shapes import shapes_of
from hpc_explorer.app.checks.validating import check_graph, write_report
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF, SH, Namespace
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, NamedNode, Quad, Term
from tests.helpers.suites.manifests import MF, Manifest
from tests.helpers.suites.outcomes import Outcome, Suite
from tests.helpers.suites.rdf_syntaxes import difference, judged

SHT = Namespace("http://www.w3.org/ns/shacl-test#")

_OF_A_RESULT = (
    *(RDF.type, SH.focusNode, SH.resultPath, SH.value, SH.resultSeverity),
    *(SH.sourceConstraintComponent, SH.sourceShape),
)
_OF_A_PATH = (
    *(RDF.first, RDF.rest, SH.inversePath, SH.alternativePath),
    *(SH.zeroOrMorePath, SH.oneOrMorePath, SH.zeroOrOnePath),
)


def _outcomes(folder: Path, made: Path) -> Iterator[Outcome]:
    for manifest in _manifests(folder / "manifest.ttl"):
        for test in manifest.tests():
            name = f"{manifest.folder.name}/{test.value.rpartition('/')[2]}"
            yield judged(name, partial(_seen, manifest, test, made))


def _manifests(file: Path) -> Iterator[Manifest]:
    manifest = Manifest(file)
    yield manifest
    for included in manifest.included():
        yield from _manifests(included)


def _seen(manifest: Manifest, test: Term, made: Path) -> str:
    action, result = manifest.value(test, MF.action), manifest.value(test, MF.result)
    assert action is not None
    assert result is not None
    data, shapes = (manifest.value(action, predicate) for predicate in (SHT.dataGraph, SHT.shapesGraph))
    assert data is not None
    assert shapes is not None
    with_messages = any(manifest.values(one, SH.resultMessage) for one in manifest.values(result, SH.result))
    found = Manifest(_report(manifest.path(data), manifest.path(shapes), made / "report.ttl"), SH.ValidationReport)
    return difference(
        _compared(found, found.subject, messages=with_messages), _compared(manifest, result, messages=with_messages)
    )


def _report(data: Path, shapes: Path, file: Path) -> Path:
    session = Session.new()
    try:
        open_sources(session, [str(data)])
        these = shapes_of(session, [shapes], shipped=False)
        write_report(session, these, check_graph(session, shapes=these), file)
    finally:
        session.close()
    return file


def _compared(graph: Manifest, report: Term, *, messages: bool) -> list[Quad]:
    """The statements of a report that have to be as expected."""
    quads: list[Quad] = []

    def said(subject: Term, predicates: Iterable[NamedNode]) -> None:
        for predicate in predicates:
            for value in graph.values(subject, predicate):
                quads.append(Quad(subject, predicate, value, DefaultGraph()))  # type: ignore[arg-type]  # a resource

    said(report, (RDF.type, SH.conforms, SH.result))
    for result in graph.values(report, SH.result):
        said(result, (*_OF_A_RESULT, SH.resultMessage) if messages else _OF_A_RESULT)
        waiting = [path for path in graph.values(result, SH.resultPath) if isinstance(path, BlankNode)]
        while waiting:
            part = waiting.pop()
            said(part, _OF_A_PATH)
            waiting += [one for of in _OF_A_PATH for one in graph.values(part, of) if isinstance(one, BlankNode)]
    return quads


SHACL_SUITES: tuple[Suite, ...] = (
    Suite("SHACL Core", "shacl/core", _outcomes, "https://w3c.github.io/data-shapes/data-shapes-test-suite/"),
)
