"""The numbers of a check against shapes are those of plain queries: what was checked, and findings by severity."""

from __future__ import annotations

import itertools
from collections import Counter
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.validation.checking import Checked
from hpc_explorer.annotate.validation.findings import Severity
from hpc_explorer.app.checks.shapes import shapes_of
from hpc_explorer.app.checks.validating import check_graph
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.terms import DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, text_of
from tests.helpers.plain_engine import PlainEngine

OF_CLASSES = """@prefix ex: <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:ofA a sh:NodeShape ; sh:targetClass ex:A ; sh:property
    [ sh:path ex:p ; sh:minCount 1 ; sh:severity sh:Warning ] , [ sh:path ex:p ; sh:maxCount 2 ] .
ex:ofB a sh:NodeShape ; sh:targetClass ex:B ; sh:property [ sh:path ex:p ; sh:class ex:C ; sh:severity sh:Info ] .
"""
OF_OTHERS = """ex:ofQ a sh:NodeShape ; sh:targetSubjectsOf ex:q ; sh:property [ sh:path ex:q ; sh:datatype xsd:integer ] .
ex:toQ a sh:NodeShape ; sh:targetObjectsOf ex:q ; sh:nodeKind sh:Literal ; sh:severity sh:Warning .
ex:one a sh:NodeShape ; sh:targetNode ex:u ; sh:class ex:C .
"""
SUB = "rdf:type/rdfs:subClassOf*"
FOUND_BY_CLASSES = {
    Severity.WARNING: [f"SELECT DISTINCT ?s {{ ?s {SUB} ex:A FILTER NOT EXISTS {{ ?s ex:p ?o }} }}"],
    Severity.VIOLATION: [
        f"SELECT ?s {{ {{ SELECT DISTINCT ?s {{ ?s {SUB} ex:A }} }} ?s ex:p ?o }} GROUP BY ?s HAVING(COUNT(?o) > 2)"
    ],
    Severity.INFO: [f"SELECT DISTINCT ?s ?o {{ ?s {SUB} ex:B ; ex:p ?o FILTER NOT EXISTS {{ ?o {SUB} ex:C }} }}"],
}
FOUND_BY_OTHERS = {
    Severity.WARNING: ["SELECT DISTINCT ?o { ?s ex:q ?o FILTER(!isLiteral(?o)) }"],
    Severity.VIOLATION: [
        "SELECT DISTINCT ?s ?o { ?s ex:q ?o FILTER(!isLiteral(?o) || DATATYPE(?o) != xsd:integer) }",
        f"SELECT ?s {{ BIND(ex:u AS ?s) FILTER NOT EXISTS {{ ?s {SUB} ex:C }} }}",
    ],
    Severity.INFO: [],
}
CHECKED_BY_CLASSES = f"SELECT DISTINCT ?s {{ VALUES ?c {{ ex:A ex:B }} ?s {SUB} ?c }}"
CHECKED = f"SELECT DISTINCT ?s {{ {{ {CHECKED_BY_CLASSES} }} UNION {{ ?s ex:q ?o }} UNION {{ ?o ex:q ?s }} UNION {{ BIND(ex:u AS ?s) }} }}"  # fmt: skip

_things, _classes = st.sampled_from([ex(name) for name in "uvwxyz"]), st.sampled_from([ex(name) for name in "ABCD"])
_values = st.sampled_from([Literal("1", datatype=XSD.integer), Literal("1"), Literal("2.5", datatype=XSD.decimal)])
_triples = st.one_of(
    st.tuples(_things, st.just(RDF.type), _classes),
    st.tuples(_things, st.just(ex("p")), _things | _values),
    st.tuples(_things, st.just(ex("q")), _things | _values),
    st.tuples(_classes, st.just(RDFS.subClassOf), _classes),
)
ALWAYS = (ex("u"), ex("p"), ex("u"))
_CASE = itertools.count()


def check(session: Session, plain: PlainEngine, shapes: list[Path]) -> None:
    told: list[Checked] = []
    found = Counter(one.severity for one in check_graph(session, shapes=shapes_of(session, shapes, shipped=False), progress=told.append))  # fmt: skip
    by_classes = len(shapes) == 1
    for severity in Severity:
        queries = FOUND_BY_CLASSES[severity] + ([] if by_classes else FOUND_BY_OTHERS[severity])
        assert found[severity] == sum(len(plain.rows(query)) for query in queries)
    checked = {node for (node,) in plain.rows(CHECKED_BY_CLASSES if by_classes else CHECKED)}
    literals = {node for node in checked if isinstance(node, Literal)}
    assert (told[-1].resources, told[-1].literals) == (len(checked - literals), len(literals))
    number = len(plain.rows(CHECKED_BY_CLASSES))
    assert told[-1].expected == Count(number, CountKind.EXACT if by_classes else CountKind.AT_LEAST)


@examples(12)
@given(st.lists(_triples, min_size=8, max_size=24, unique=True), st.lists(_triples, max_size=6), st.booleans())
def test_a_check_before_and_after_an_edit(
    tmp_path: Path,
    triples: list[tuple[NamedNode, NamedNode, NamedNode | Literal]],
    added: list[tuple[NamedNode, NamedNode, NamedNode | Literal]],
    by_classes: bool,
) -> None:
    folder = tmp_path / str(next(_CASE))
    folder.mkdir()
    (folder / "classes.ttl").write_text(OF_CLASSES)
    (folder / "others.ttl").write_text(OF_CLASSES.partition("ex:ofA")[0] + OF_OTHERS)
    shapes = [folder / name for name in ("classes.ttl", "others.ttl")[: 1 if by_classes else 2]]
    stated = {*triples, ALWAYS}
    (folder / "graph.nt").write_text(text_of([Quad(*one, DefaultGraph()) for one in stated], N_TRIPLES))
    load_into(folder / "workspace", [str(folder / "graph.nt")])
    with closing(Session.new()) as session:
        open_sources(session, [str(folder / "workspace")], keep_workspace=True)
        check(session, PlainEngine(Quad(*one, DefaultGraph()) for one in stated), shapes)
        graph = session.sources[0].graph
        removed = triples[::3]
        new = set(added) - stated
        session.edit(
            ChangeSet(tuple(Quad(*one, graph) for one in removed), tuple(Quad(*one, graph) for one in new), "edit")
        )
        check(session, PlainEngine(Quad(*one, DefaultGraph()) for one in (stated - {*removed}) | new), shapes)
