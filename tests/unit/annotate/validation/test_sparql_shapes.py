"""Shapes with queries: their prefixes count as SHACL says, nobody else is asked, and what is not possible is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.annotate.validation.checking import results_of
from hpc_explorer.annotate.validation.findings import ShapeFault
from hpc_explorer.annotate.validation.shapes import Shapes, shapes_with
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.errors import DamagedShapes
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.bad_server import bad_server
from tests.helpers.graphs import ex, store_of

PREFIXES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
SELECT = ':S a sh:NodeShape ; sh:targetNode :a ; sh:sparql [ sh:select """{}""" ] .'
COMPONENT = (
    ":K a sh:ConstraintComponent ; sh:parameter [ sh:path :known ] ; "
    'sh:validator [ a sh:SPARQLAskValidator ; sh:ask """{}""" ] . '
    ":S a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path :p ; :known true ] ."
)
DATA = ":a :p 1 , 2 ; :q :b ."


def view_of(turtle: str) -> GraphView:
    return GraphView(store_of(PREFIXES + turtle), background=LocalStore.in_memory(), superclasses=lambda cls: {cls})  # type: ignore[arg-type, return-value]


def shapes_of(turtle: str) -> Shapes:
    return Shapes(store_of(PREFIXES + turtle))


ASKING_OTHERS = [
    "SELECT $this WHERE { SERVICE <%s> { ?s ?p ?o } }",
    "SELECT $this WHERE { SERVICE SILENT <%s> { ?s ?p ?o } }",
    "SELECT $this WHERE { service# no space\n<%s> { ?s ?p ?o } }",
    "SELECT $this WHERE { OPTIONAL { FILTER EXISTS { BIND(<%s> AS ?g) SERVICE ?g { ?s ?p ?o } } } }",
    "SELECT $this WHERE { { SELECT $this WHERE { SERVICE <%s> { ?s ?p ?o } } } }",
    "SELECT $this FROM <%s> WHERE { ?s ?p ?o }",
    "SELECT $this FROM NAMED <%s> WHERE { GRAPH ?g { ?s ?p ?o } }",
]


@pytest.mark.parametrize("query", ASKING_OTHERS)
def test_a_shape_that_asks_another_server_is_refused_and_nothing_is_sent(tmp_path: Path, query: str) -> None:
    with bad_server() as server:
        address = f"http://127.0.0.1:{server.server_address[1]}/good"
        file = tmp_path / "mine.ttl"
        file.write_text(PREFIXES + SELECT.format(query % address))
        with pytest.raises(DamagedShapes) as refused:
            shapes_with([file], shipped=False)
        with pytest.raises(ShapeFault):
            results_of(view_of(DATA), shapes_of(SELECT.format(query % address)), ex("a"))
        # What is asked of each value is not run before there are values.
        asking = COMPONENT.format(query.replace("SELECT $this", "ASK", 1) % address)
        with pytest.raises(ShapeFault):
            results_of(view_of(DATA), shapes_of(asking), ex("a"))
        assert server.requests == []
    assert refused.value.remedy
    assert "SERVICE" in str(refused.value) or "FROM" in str(refused.value)
    assert f"{file}:" in refused.value.where


def test_words_in_texts_and_names_are_no_service() -> None:
    text = SELECT.format(
        "SELECT $this ?value WHERE { $this <http://example.org/SERVICE> ?value FILTER(?value != 'FROM <x>') }"
    )
    (found,) = results_of(view_of(":a :SERVICE 1 ."), shapes_of(text), ex("a"))
    assert found.value == Literal(1)


def test_prefixes_are_those_declared_and_imported_and_no_others() -> None:
    declared = (
        ':mine owl:imports :more ; sh:declare [ sh:prefix "m" ; sh:namespace "http://example.org/"^^xsd:anyURI ] . '
        ':more owl:imports :mine , :most ; sh:declare [ sh:prefix "n" ; sh:namespace "http://more.example/"^^xsd:anyURI ] . '
        ':most sh:declare [ sh:prefix "o" ; sh:namespace "http://most.example/"^^xsd:anyURI ] . '
        ':other sh:declare [ sh:prefix "m" ; sh:namespace "http://wrong.example/"^^xsd:anyURI ] , '
        '[ sh:prefix "x" ; sh:namespace "http://example.org/"^^xsd:anyURI ] . '
    )
    shape = ":S a sh:NodeShape ; sh:targetNode :a ; sh:sparql [ sh:prefixes :mine ; sh:select '''{}''' ] ."
    data = ":a :p <http://more.example/v> ; <http://most.example/q> 7 ."
    query = "SELECT $this ?value WHERE { $this m:p n:v ; o:q ?value }"
    (found,) = results_of(view_of(data), shapes_of(declared + shape.format(query)), ex("a"))
    assert (found.value, found.path) == (Literal(7), None)
    with pytest.raises(ShapeFault) as refused:
        results_of(view_of(data), shapes_of(declared + shape.format("SELECT $this WHERE { $this x:p ?v }")), ex("a"))
    assert "x" in refused.value.what


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SELECT.format("SELECT $this WHERE { GRAPH $shapesGraph { ?s ?p ?o } }"), "shapesGraph"),
        (SELECT.format("SELECT $this WHERE { $this a }"), ""),
        (SELECT.format("SELECT $this WHERE { $this none:a ?b }"), "none"),
        (SELECT.format("SELECT $this WHERE { VALUES ?x { 1 } }"), "VALUES"),
        (":S sh:targetClass :C ; sh:target [ a sh:SPARQLTarget ; sh:select 'SELECT ?this { ?this ?p 1 }' ] .", "sh:target"),
        (":S a sh:NodeShape ; sh:targetClass :C ; sh:expression :e .", "sh:expression"),
        (":S a sh:NodeShape ; sh:targetClass :C . <> sh:entailment <http://www.w3.org/ns/entailment/RDFS> .", "entailment"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mine.ttl").write_text(PREFIXES + text)
    with pytest.raises(DamagedShapes) as refused:
        shapes_with([tmp_path / "mine.ttl"], shipped=False)
    assert said in refused.value.what
    assert refused.value.remedy
