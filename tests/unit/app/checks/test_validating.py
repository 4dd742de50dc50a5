"""Checking an open graph: one resource as it would be, everything as a stream, with the user's shapes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from hpc_explorer.annotate.validation.checking import Checked
from hpc_explorer.annotate.validation.findings import Finding, Severity
from hpc_explorer.app.checks.shapes import add_shapes, kept_shape_files, readable_shapes, shapes_list, shapes_of
from hpc_explorer.app.checks.validating import check_graph, check_resource, fix_findings, located, same_as, write_report
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, DamagedShapes
from hpc_explorer.rdf.namespaces import HPC, RDF, SH
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import CancelToken, CountKind, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.graphs import ex
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of

TURTLE = """@prefix : <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
:a a hpc:Cluster , hpc:SuperComputer ; hpc:name "A" ; hpc:computeNodeCount "1,000" ;
    hpc:power [ a qudt:QuantityValue ; qudt:value 3 ; qudt:unit "kW" ] .
:b a hpc:Cluster ; hpc:name "B" ; hpc:computeNodeCount "2,000" .
:c a hpc:Cluster ; hpc:name "C" ; hpc:computeNodeCount 3 .
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "machines.ttl").write_text(TURTLE)
    opened = session_of(tmp_path / "machines.ttl")
    yield opened
    opened.close()


def told(findings: list[Finding]) -> list[tuple[str, str]]:
    return sorted((one.subject.value, one.message) for one in findings)


NODES = "Compute nodes: “{}” is not a whole number"
UNIT = "Power: the unit is written as a text: link to a unit, such as unit:KiloW"


def test_everything_is_checked_once_and_counted(session: Session) -> None:
    steps: list[Checked] = []
    found = list(check_graph(session, progress=steps.append))
    assert told(found) == [
        ("http://example.org/a", NODES.format("1,000")),
        ("http://example.org/a", UNIT),
        ("http://example.org/b", NODES.format("2,000")),
    ]
    # Three clusters, of which one is of two classes, and a quantity.
    assert steps[0].resources == 0
    assert steps[-1].resources == steps[-1].expected.value == 4
    assert steps[-1].expected.kind is CountKind.EXACT
    assert [one.resources for one in steps] == sorted(one.resources for one in steps)


def test_a_resource_is_checked_with_its_values_as_it_would_be(session: Session) -> None:
    assert told(list(check_resource(session, ex("a")))) == [
        ("http://example.org/a", NODES.format("1,000")),
        ("http://example.org/a", UNIT),
    ]
    (quad,) = session.store.match(ex("b"), HPC.computeNodeCount)
    number = Quad(
        quad.subject,
        quad.predicate,
        Literal("2000", datatype=NamedNode(f"{'http://www.w3.org/2001/XMLSchema#'}integer")),
        quad.graph_name,
    )
    assert check_resource(session, ex("b"), change=ChangeSet((quad,), (number,))) == ()
    untyped = list(session.store.match(ex("b"), RDF.type))
    assert check_resource(session, ex("b"), change=ChangeSet(tuple(untyped))) == ()
    new = (Quad(ex("new"), RDF.type, HPC.Dataset, quad.graph_name),)
    assert {one.severity for one in check_resource(session, ex("new"), change=ChangeSet((), new))} == {Severity.WARNING}


def test_the_check_of_all_can_be_stopped(session: Session) -> None:
    token = CancelToken()
    findings = check_graph(session, limits=Limits(cancel=token))
    next(findings)
    token.cancel()
    with pytest.raises(Cancelled):
        list(findings)


def test_each_resource_says_the_same_alone_and_among_all(tmp_path: Path) -> None:
    session = session_of("sample:xplacer", "sample:seismic", "sample:nsf")
    try:
        among_all = Counter(same_as(one) for one in check_graph(session))
        subjects = {quad.subject for quad in session.store.match(None, RDF.type) if isinstance(quad.subject, NamedNode)}
        alone = Counter(same_as(one) for subject in subjects for one in check_resource(session, subject))
    finally:
        session.close()
    assert among_all == alone
    assert sum(alone.values()) > 20


def test_all_of_a_kind_are_fixed_in_one_change_where_they_still_are(session: Session) -> None:
    found = [one for one in check_graph(session) if one.field == HPC.computeNodeCount]
    kind = found[0].fixes[0].kind
    change = fix_findings(session, found, kind, "Node counts as numbers")
    assert len(change.removed) == len(change.added) == 2
    assert change.words == "Node counts as numbers"
    assert not fix_findings(session, found, "another kind", "")
    assert len(fix_findings(session, found[:1], kind, "").added) == 1


def test_findings_are_named(session: Session) -> None:
    named = located(session, check_graph(session))
    assert {(one.ref.label, one.field, one.shape) for one in named} == {
        ("A", "Compute nodes", "Cluster"), ("B", "Compute nodes", "Cluster"), ("A", "Power", "Quantity"),
    }  # fmt: skip


def test_the_report_is_one_of_shacl(session: Session, tmp_path: Path) -> None:
    write_report(session, shapes_of(session), check_graph(session), tmp_path / "report.ttl")
    quads = list(read_source(tmp_path / "report.ttl").quads())
    assert [quad.object.value for quad in quads if quad.predicate == SH.conforms] == ["false"]  # type: ignore[union-attr]
    # A number as a text is not of its datatype, and not at least 0 either; a unit as a text is no link, nor of a class.
    found = Counter(quad.object for quad in quads if quad.predicate == SH.sourceConstraintComponent)
    assert found == {
        SH.DatatypeConstraintComponent: 2,
        SH.MinInclusiveConstraintComponent: 2,
        SH.NodeKindConstraintComponent: 1,
        SH.ClassConstraintComponent: 1,
    }


AGES = """@prefix : <http://example.org/> .
:a :age -1 , 5 . :b :age -1 . :c :has [ :age -1 ] . :d :age :a .
"""
OF_AGES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:S a sh:NodeShape ; sh:targetObjectsOf :age ; sh:minInclusive 0 .
:T a sh:NodeShape ; sh:targetNode "lost"@en , -1 ; sh:datatype xsd:integer .
"""


def test_a_literal_is_checked_once_and_told_at_each_resource_that_has_it(tmp_path: Path) -> None:
    (tmp_path / "ages.ttl").write_text(AGES)
    (tmp_path / "mine.ttl").write_text(OF_AGES)
    session = Session.new()
    try:
        open_sources(session, [str(tmp_path / "ages.ttl")])
        shapes = shapes_of(session, [tmp_path / "mine.ttl"], shipped=False)
        steps: list[Checked] = []
        found = list(check_graph(session, shapes=shapes, progress=steps.append))
        assert Counter((one.subject, one.field, one.value) for one in found) == {
            (None, None, Literal("lost", language="en")): 1,
            (ex("a"), ex("age"), Literal(-1)): 1,
            (ex("b"), ex("age"), Literal(-1)): 1,
            (ex("c"), ex("has"), Literal(-1)): 1,
            (ex("a"), None, ex("a")): 1,
        }
        # What a literal is a value of is checked with its resource too, and found the same.
        alone = [one for name in "abcd" for one in check_resource(session, ex(name), shapes=shapes)]
        assert Counter(map(same_as, alone)) == Counter(same_as(one) for one in found if one.subject is not None)
        assert (steps[-1].resources, steps[-1].literals) == (1, 3)
        assert [one.fixes for one in found] == [()] * 5
        assert {one.ref.label for one in located(session, found) if one.finding.subject is None} == {"“lost”"}
        write_report(session, shapes, found, tmp_path / "report.ttl")
        quads = list(read_source(tmp_path / "report.ttl").quads())
        assert Counter(quad.object for quad in quads if quad.predicate == SH.focusNode) == {
            Literal("lost", language="en"): 1,
            Literal(-1): 1,
            ex("a"): 1,
        }
    finally:
        session.close()


def test_a_warning_hides_no_violation(session: Session, tmp_path: Path) -> None:
    (tmp_path / "mine.ttl").write_text(
        """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
        @prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        :S a sh:NodeShape ; sh:targetNode :b ;
            sh:property [ sh:path hpc:computeNodeCount ; sh:datatype xsd:integer ; sh:severity sh:Warning ] ,
                [ sh:path hpc:computeNodeCount ; sh:minInclusive 0 ] ."""
    )
    found = list(check_graph(session, shapes=shapes_of(session, [tmp_path / "mine.ttl"], shipped=False)))
    assert [one.severity for one in found] == [Severity.VIOLATION, Severity.WARNING]


MINE = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix hpc: <https://hpc-fair.github.io/ontology#> .
:S a sh:NodeShape ; sh:targetSubjectsOf hpc:name ; sh:property [
    sh:path hpc:country ; sh:minCount 1 ; sh:message "say in which country it stands" ] .
"""


def test_shapes_of_a_file_are_kept_and_forgotten(session: Session, tmp_path: Path) -> None:
    mine = tmp_path / "mine.ttl"
    mine.write_text(MINE)
    extra = [one for one in check_graph(session, shapes=shapes_of(session, [mine])) if one.shape == ex("S")]
    assert [one.message for one in extra] == ["Country: say in which country it stands"] * 3
    assert len(list(check_graph(session))) == 3
    add_shapes(session, mine)
    assert kept_shape_files(None) == (mine,)
    assert len(list(check_graph(session))) == 6
    before = mine.stat().st_mtime_ns
    mine.write_text(MINE.replace("minCount 1", "minCount 'one'"))
    os.utime(mine, ns=(before, before))  # as where the clock of the file system has not gone on
    shapes, problems = readable_shapes(session)
    assert [type(problem) for problem in problems] == [DamagedShapes]
    assert shapes.files == ()
    assert len(list(check_graph(session))) == 3
    shapes_list(None).unlink()
    assert readable_shapes(session)[1] == ()


def test_shapes_that_a_workspace_keeps_count_there_alone(tmp_path: Path) -> None:
    (tmp_path / "machines.ttl").write_text(TURTLE)
    (tmp_path / "mine.ttl").write_text(MINE)
    workspace, session = Session.new(), Session.new()
    try:
        load_into(tmp_path / "space", [str(tmp_path / "machines.ttl")])
        open_sources(workspace, [str(tmp_path / "space")])
        add_shapes(workspace, tmp_path / "mine.ttl")
        assert len(list(check_graph(workspace))) == 6
        assert shapes_of(session).files == ()
    finally:
        workspace.close()
        session.close()


def test_a_file_that_is_no_shapes_is_not_kept(session: Session, tmp_path: Path) -> None:
    (tmp_path / "none.ttl").write_text(TURTLE)
    with pytest.raises(DamagedShapes):
        add_shapes(session, tmp_path / "none.ttl")
    assert kept_shape_files(None) == ()


def test_an_endpoint_is_checked_in_batches_with_the_same_findings(session: Session, tmp_path: Path) -> None:
    with oxigraph_server() as server:
        put(server, TURTLE)
        remote = Session.new()
        try:
            open_sources(remote, [f"{server}/query"])
            steps: list[Checked] = []
            assert told(list(check_graph(remote, progress=steps.append))) == told(list(check_graph(session)))
            assert steps[-1].resources == 4
            assert steps[-1].expected.kind is CountKind.AT_LEAST
            assert told(list(check_resource(remote, ex("b")))) == [("http://example.org/b", NODES.format("2,000"))]
        finally:
            remote.close()


def put(server: str, turtle: str) -> None:
    """Load a document into the default graph of a server."""
    request = Request(
        f"{server}/store?default", data=turtle.encode(), headers={"Content-Type": "text/turtle"}, method="PUT"
    )
    build_opener(ProxyHandler({})).open(request, timeout=60).close()
