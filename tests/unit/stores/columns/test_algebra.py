"""What can be seen at once in the algebra of a query."""

from __future__ import annotations

import pytest

from hpc_explorer.stores.columns.algebra import joined_variables, operands_of, parsed
from hpc_explorer.stores.columns.relation import NotByColumns


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("ASK { ?s ?p ?o }", "no SELECT"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "no SELECT"),
        ("SELECT * FROM <urn:g> { ?s ?p ?o }", "no SELECT over the merge"),
        ("SELECT * { ?s ?p }", "the parser fails"),
    ],
)
def test_only_a_select_over_all_graphs_is_read(query: str, reason: str) -> None:
    with pytest.raises(NotByColumns, match=reason):
        parsed(query)


@pytest.mark.parametrize("text", ["'PT590S'^^xsd:dayTimeDuration", '"""P1Y"""^^xsd:duration', "'aP'^^<urn:t>"])
def test_a_literal_is_read_where_the_parser_keeps_its_text(text: str) -> None:
    query = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT * {{ ?s <urn:p> {} }}"
    parsed(query.format(text))
    with pytest.raises(NotByColumns, match="that the parser changes"):
        parsed(query.format(text.replace("P", r"\u0050", 1)))


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("SELECT ?a { ?a <urn:p> ?b . ?b <urn:q> ?c }", {"a"}),
        ("SELECT ?a { ?a <urn:p> ?b . ?b <urn:q> ?c FILTER(?c > 1) }", {"a", "c"}),
        ("SELECT ?a { ?a <urn:p> ?b OPTIONAL { ?b <urn:q> ?c } }", {"a", "b"}),
        ("SELECT ?a { ?a <urn:p> ?b { ?b <urn:q> ?c } }", {"a"}),
        ("SELECT ?a { ?a <urn:p>/<urn:r>* ?b }", {"a", "b"}),
        ("SELECT (COUNT(?b) AS ?n) { ?a <urn:p> ?b } GROUP BY ?a", {"n", "a", "b"}),
    ],
)
def test_what_is_asked_for_stands_elsewhere_than_in_one_group(query: str, variables: set[str]) -> None:
    found = {name for name in joined_variables(parsed(query)) if not name.startswith("__")}
    assert found == variables


def test_a_join_of_joins_has_all_their_operands() -> None:
    joined = parsed("SELECT * { { ?a <urn:p> 1 } { ?b <urn:p> 2 } { ?c <urn:p> 3 } }").p.p
    assert [one.name for one in operands_of(joined)] == ["BGP", "BGP", "BGP"]
    assert operands_of(joined.p2) == [joined.p2]
