"""What is wrong with a query is named where it is, and what answers a query is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.query.checking import how_answered, query_fault, update_fault
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.rdf.namespaces import PrefixMap

PREFIXES = PrefixMap()


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("SELECT * { ?s ?p 'x }", "the string is not closed: ' is missing", "'x }"),
        ("SELECT * { ?s ?p (1 }", "there is nothing open that } would close", "}"),
        ("SELECT * { ?s ?p ?o } }", "there is nothing open that } would close", "}"),
        ("SELECT * { ?s ?p ?o", "{ is not closed: } is missing", "{"),
        ("SELECT * { ?s x:y ?o }", "the prefix x: is not declared", "x:"),
        ("PREFIX a: <b:>\nLOAD <c:>", "LOAD would change the graph; only queries are allowed here", "LOAD"),
        ("SELECT ?x WHERE {\n ?s hpc:a ?x\n} LIMIT ten", "expected a whole number, found 'ten'", "ten"),
        ("SELECT * { ?s hpc:a ?o ?z }", "expected '.' or '}', found '?z'", "?z"),
        ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p } }", "expected a variable, an IRI or a value", "}"),
        ("SELECT (COUNT(?x) AS ?n) ?y { ?x ?y ?z }", "a column is neither grouped nor aggregated", "}"),
        ("SELECT * { ?s ?p ?o BIND(1 AS ?o) }", "a variable is assigned twice", "}"),
        ("SELEC ?x", "not a query: begin it with SELECT", "SELEC"),
    ],
)
def test_faults_are_named_where_they_are(text: str, what: str, where: str) -> None:
    fault = query_fault(text, PREFIXES)
    assert fault is not None
    assert fault.what.startswith(what)
    assert text[fault.start : fault.end] == where


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing yet",
        "SELECT * { ?s hpc:name 'x'@en }",
        "ASK { ?s ?p ?o }",
        "DESCRIBE <http://a/b>",
        "CONSTRUCT WHERE { ?s ?p ?o }",
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "PREFIX x: <http://x/> SELECT * { ?s x:y [ x:z '}' ] }",
    ],
)
def test_what_can_be_asked_has_no_fault(text: str) -> None:
    assert query_fault(text, PREFIXES) is None


def test_no_shipped_question_has_a_fault() -> None:
    for question in shipped_questions():
        for variant in question.variants:
            prefixes = PREFIXES.extended(dict(variant.select.prefixes))
            assert query_fault(variant.select.text, prefixes) is None, question.name


@given(st.text(alphabet="SELECT*WHERE{}()[]?spo:<>'\"\\.;,^a \n#", max_size=60))
def test_any_text_has_a_fault_within_it_or_none(text: str) -> None:
    fault = query_fault(text, PREFIXES)
    if fault is not None:
        assert 0 <= fault.start <= fault.end <= len(text)
    update_fault(text)


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session.new()
    yield session
    session.close()


def test_what_answers_in_memory(session: Session) -> None:
    open_sources(session, ["sample:xplacer"])
    assert how_answered(session, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").by == "the triples"
    with pytest.raises(QuerySyntaxError):
        how_answered(session, "SELECT * { ?s ?p }")
