"""Keys, durations and sizes in bytes are asked for like properties; sums count each value once."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.language.interpretation import Status
from hpc_explorer.language.tables import column_names
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.terms import Literal
from tests.helpers.sessions import session_of

GRAPH = """@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix : <http://example.org/> .
@prefix schema: <http://schema.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix usage: <https://w3id.org/ro/terms/workflow-run#> .
:short a hpc:Experiment ; hpc:name "Short" ; hpc:used :alpha , :beta ;
  hpc:startDate "2024-01-01T10:00:00Z"^^xsd:dateTime ; hpc:endDate "2024-01-01T11:30:00Z"^^xsd:dateTime ;
  usage:resourceUsage [ a schema:PropertyValue ; schema:propertyID "energy" ; schema:value 5 ; schema:unitCode "KWH" ] .
:long a hpc:Experiment ; hpc:name "Long" ; hpc:used :alpha ;
  hpc:startDate "2024-01-02T10:00:00Z"^^xsd:dateTime ; hpc:endDate "2024-01-03T10:00:00Z"^^xsd:dateTime ;
  usage:resourceUsage [ a schema:PropertyValue ; schema:propertyID "energy" ; schema:value 5 ; schema:unitCode "KWH" ] .
:alpha a hpc:File ; hpc:name "alpha" ; dcat:byteSize 1500000 .
:beta a hpc:File ; hpc:name "beta" ; dcat:byteSize 2500000 .
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    file = tmp_path / "graph.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    return session_of(file)


def asked(session: Session, text: str) -> set[str]:
    """The answers of a question that has one reading."""
    found = interpret(session, text)
    assert found.status is Status.UNDERSTOOD, (found.problem, [one.sentence for one in found.readings])
    query, variable = found.readings[0].query, found.readings[0].variable
    assert query is not None
    assert variable is not None
    values = [row[variable.value] for row in session.store.select(sparql_text(query))]
    return {one.value if isinstance(one, Literal) else str(one).rpartition("/")[2].rstrip(">") for one in values}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Which experiment took the longest?", {"long"}),
        ("experiments that took less than 2 hours", {"short"}),
        ("experiments with an energy of 5", {"short", "long"}),
        ("Which experiments used more than 4 kWh of energy?", {"short", "long"}),
        ("files larger than 2 MB", {"beta"}),
        ("How much energy did Short use?", {"5"}),
        # "Short" used both files, and is still counted once.
        ("total energy of experiments that used alpha or beta", {"10"}),
        ("total energy of the experiments", {"10"}),
    ],
)
def test_an_indirect_property(session: Session, text: str, answer: set[str]) -> None:
    assert asked(session, text) == answer


def test_an_energy_is_not_compared_with_a_size(session: Session) -> None:
    assert interpret(session, "experiments with an energy above 4 GB").status is Status.REFUSED


def test_the_columns_of_a_file(tmp_path: Path) -> None:
    for name, text in (("a.csv", 'x,"y, z"\n1,2\n'), ("b.tsv", "x\ty\n"), ("c.json", '[{"x": 1}, {"y": 2}]')):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert column_names(tmp_path / "a.csv") == ("x", "y, z")
    assert column_names(tmp_path / "b.tsv") == column_names(tmp_path / "c.json") == ("x", "y")
    (tmp_path / "d.json").write_text("{", encoding="utf-8")
    assert column_names(tmp_path / "d.json") == column_names(tmp_path / "none.csv") == ()
