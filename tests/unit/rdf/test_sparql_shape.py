"""What is told of a SPARQL text before an engine sees it: its size, its dataset, its calls of servers, its columns."""

from __future__ import annotations

import pytest

from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.rdf.sparql_shape import (
    MOST_NESTED,
    MOST_PARTS,
    check_size,
    dataset_clause,
    in_order_of_query,
    service_calls,
    without_calls,
)

MANY = 5 * MOST_PARTS
DEEP = {
    "groups": "SELECT * " + "{" * MANY,
    "parentheses": "ASK { FILTER(" + "(" * MANY + "1" + ")" * MANY + ") }",
    "negations": "ASK { FILTER(" + "!" * MANY + "true) }",
    "blank nodes": "ASK { ?s ?p " + "[ ?p " * MANY + "1" + "]" * MANY + " }",
    "lists in lists": "ASK { ?s ?p " + "( " * MANY + "1" + ")" * MANY + " }",
    "quoted triples": "ASK { " + "<< " * MANY + "?s ?p ?o" + " >> ?p ?o " * MANY + "}",
    "functions": "ASK { FILTER(" + "ABS(" * MANY + "1" + ")" * MANY + ") }",
}
LONG = {
    "sum": "ASK { FILTER(1" + "+1" * MANY + ") }",
    "or": "ASK { FILTER(true" + "||?a" * MANY + ") }",
    "sequence": "ASK { ?s <a:a>" + "/<a:a>" * MANY + " ?o }",
    "alternatives": "ASK { ?s <a:a>" + "|<a:a>" * MANY + " ?o }",
    "union": "ASK { {}" + " UNION {}" * MANY + " }",
    "optional": "ASK { {}" + " OPTIONAL {}" * MANY + " }",
    "triples": "ASK { " + "<a:a> <a:a> <a:a> . " * MANY + "}",
    "predicates": "ASK { ?s <a:a> ?o" + " ; <a:a> ?o" * MANY + " }",
    "objects": "ASK { ?s <a:a> ?o" + " , ?o" * MANY + " }",
    "list": "ASK { ?s <a:a> (" + " <a:a>" * MANY + ") }",
    "bind": "ASK { " + "BIND(1 AS ?x) " * MANY + "}",
    "columns": "SELECT " + "(1 AS ?x) " * MANY + "{}",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_what_is_nested_too_deeply_is_refused_where_it_becomes_so(text: str) -> None:
    with pytest.raises(QuerySyntaxError, match="nested") as refused:
        check_size(text)
    assert refused.value.where.startswith("line 1, column ")


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_what_has_too_many_parts_is_refused(text: str) -> None:
    with pytest.raises(QuerySyntaxError, match="patterns, operators and steps"):
        check_size(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { VALUES (?a ?b) { " + "(<http://a.b/c> -1) " * MANY + "} }",
        "SELECT * { FILTER(?a IN (1" + ", <http://a.b/c>" * MANY + ")) }",
        "SELECT * { FILTER(?a = '" + "{" * MANY + "+ . ; " * MANY + "') } # " + "(" * MANY,
        "DESCRIBE " + "<http://a.b/c> " * MANY,
        "ASK " + "{" * MOST_NESTED + "}" * MOST_NESTED,
        "ASK { FILTER(0" + "+1" * (MOST_PARTS - 10) + ") }",
    ],
    ids=["values", "in", "string and comment", "describe", "nested", "sum"],
)
def test_long_data_and_what_is_within_the_limits_pass(text: str) -> None:
    check_size(text)


def test_the_place_is_that_of_the_bracket_too_many() -> None:
    with pytest.raises(QuerySyntaxError) as refused:
        check_size("ASK {\n" + "{" * 200)
    assert refused.value.where == f"line 2, column {MOST_NESTED}"


def test_the_dataset_is_what_stands_behind_from() -> None:
    clause = dataset_clause("prefix g: <g:> select * from<a:a> FROM NAMED g:b from g:c { ?s ?p 'FROM' } # FROM <a:d>")
    assert clause is not None
    assert (clause.default, clause.named) == (("<a:a>", "g:c"), ("g:b",))
    assert dataset_clause("SELECT ?from { ?from <a:from> 'FROM <a:a>' } # FROM <a:a>") is None


def test_calls_of_servers_are_found_but_not_in_strings_and_comments() -> None:
    text = (
        "ASK { service silent <a:a> { ?s ?p { } } SERVICE ?x { SERVICE <a:b> { } } ?s <a:SERVICE> 'SERVICE' } # SERVICE"
    )
    first, second, inner = service_calls(text)
    assert (first.address, first.group, first.is_silent, first.is_outer) == ("<a:a>", "{ ?s ?p { } }", True, True)
    assert (second.address, second.has_variable, second.is_outer) == ("?x", True, True)
    assert (inner.address, inner.is_outer) == ("<a:b>", False)
    read = without_calls(text)
    assert len(read) == len(text)
    assert "SERVICE <" not in read
    assert "service" not in read


@pytest.mark.parametrize(
    "text",
    [
        "ASK { ?s ?p trueSERVICE <a:a> {} }",
        "ASK { SERVICE }",
        "ASK { SERVICE UNDEF { } }",
        "ASK { SERVICE 'a' { } }",
        "ASK { SERVICE <a:a> {",
    ],
)
def test_a_call_that_cannot_be_told_for_certain_is_refused(text: str) -> None:
    with pytest.raises(QuerySyntaxError, match="SERVICE"):
        service_calls(text)


@pytest.mark.parametrize(
    ("text", "variables", "shown"),
    [
        ("SELECT * { ?z ?b ?a }", ("a", "b", "z"), ("z", "b", "a")),
        ("SELECT DISTINCT * { $z ?b ?a } ORDER BY ?a", ("a", "b", "z"), ("z", "b", "a")),
        ("SELECT ?b ?a { ?a ?b ?c }", ("b", "a"), ("b", "a")),
        ("SELECT (COUNT(*) AS ?n) ?a { ?a ?b ?n } GROUP BY ?a", ("n", "a"), ("n", "a")),
        ("SELECT ?b { { SELECT * { ?b ?a ?c } } }", ("b",), ("b",)),
    ],
)
def test_only_select_everything_is_put_in_the_order_of_the_text(
    text: str, variables: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    assert in_order_of_query(text, variables) == shown
