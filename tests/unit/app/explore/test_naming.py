"""The best human name there is: another name, a file name, what it is, or its class and place."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.naming import is_opaque
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

HASH = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
UUID = "0b9a9b0c-3d0e-4c5b-9a55-9d3b2f4a6c11"
GRAPH = f"""
@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix schema: <http://schema.org/> .
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:Run a owl:Class . ex:hasPart a owl:ObjectProperty ; rdfs:label "has part" .
ex:Folder a owl:Class ; rdfs:subClassOf
  [ a owl:Restriction ; owl:onProperty ex:hasPart ;
    owl:someValuesFrom [ a owl:Class ; owl:unionOf ( ex:File ex:Folder ) ] ] ,
  [ a owl:Restriction ; owl:onProperty ex:owner ; owl:maxCardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty ex:hasPart ; owl:allValuesFrom [ a owl:Class ; owl:complementOf ex:Run ] ] .
ex:run rdfs:label "run 3" ; ex:used <http://example.org/data/{HASH}> , <http://example.org/data/{HASH[::-1]}> ,
  <urn:uuid:{UUID}> , <http://example.org/data/{HASH[1:]}0> ;
  ex:size [ a qudt:QuantityValue ; qudt:numericValue 4.5 ; qudt:unit unit:SEC ] ;
  ex:at [ a ex:Place ] ; ex:steps ( 1 2 ) .
<http://example.org/data/{HASH}> schema:alternateName "inputs.csv" .
<http://example.org/data/{HASH[::-1]}> schema:contentUrl "https://example.org/x/weights%20v2.bin" .
<urn:uuid:{UUID}> a ex:Run .
<http://example.org/data/{HASH[1:]}0> schema:name "{HASH}" .
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "graph.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    return session_of(path)


def values(session: Session, iri: str, label: str) -> dict[str, bool]:
    """The values of a property, and whether each has parts below it."""
    view = describe_resource(session, NamedNode(iri))
    (one,) = (one for one in view.outgoing if one.label == label)
    return {value.text: bool(value.parts) for value in one.values}


def test_a_hash_or_uuid_is_named_by_what_people_read(session: Session) -> None:
    assert set(values(session, "http://example.org/run", "used")) == {
        "inputs.csv",
        "weights v2.bin",
        "Run of run 3",
        "used of run 3",
    }


def test_a_blank_node_is_named_by_what_it_is(session: Session) -> None:
    assert set(values(session, "http://example.org/run", "size")) == {"4.5 s"}
    assert set(values(session, "http://example.org/run", "at")) == {"Place of run 3"}
    assert set(values(session, "http://example.org/run", "steps")) == {"(list)"}


def test_a_class_expression_is_one_line(session: Session) -> None:
    found = values(session, "http://example.org/Folder", "sub class of")
    assert found == {
        "has part some (File or Folder)": False,
        "owner max 1": False,
        "has part only (not Run)": False,
    }


@pytest.mark.parametrize(
    ("name", "opaque"),
    [
        (HASH, True),
        (UUID, True),
        (f"urn:uuid:{UUID}", True),
        (f"{HASH}.txt", True),
        ("decisionTree.onnx", False),
        ("MO000001", False),
        ("deadbeef", False),
        ("20260101", False),
    ],
)
def test_only_hashes_and_uuids_are_opaque(name: str, opaque: bool) -> None:
    assert is_opaque(name) is opaque
