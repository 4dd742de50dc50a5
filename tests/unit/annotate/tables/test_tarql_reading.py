"""What a Tarql text says, as a value."""

from __future__ import annotations

import pytest

from hpc_explorer.annotate.tables.mapping import TableFormat
from hpc_explorer.annotate.tables.tarql_reading import BlankNodePropertyList, Call, TemplateStatement, tarql_query
from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.rdf.namespaces import QUDT, RDF, UNIT
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

ROW = Variable("row")
P = NamedNode("urn:p")


def test_the_template_is_statements_with_the_lines_of_their_objects() -> None:
    query = tarql_query("""CONSTRUCT {
  ?row a <urn:C> ;
    <urn:p> [ qudt:value ?x ;
      qudt:unit unit:SEC ] ,
      "text" .
} WHERE { }""")
    quantity = BlankNodePropertyList(((QUDT.value, Variable("x")), (QUDT.unit, UNIT.SEC)), 3)
    assert query.template == (
        TemplateStatement(ROW, RDF.type, NamedNode("urn:C"), 2),
        TemplateStatement(ROW, P, quantity, 3),
        TemplateStatement(ROW, P, Literal("text"), 5),
    )
    assert query.left == ()


def test_binds_and_filters_are_expressions() -> None:
    query = tarql_query("""CONSTRUCT { } WHERE {
  BIND (IRI(CONCAT("urn:", STR(?a))) AS ?row)
  FILTER (!BOUND(?b) || ?c = 1 && ?d != "x")
}""")
    text = Call("STR", (Variable("a"),), 2)
    assert query.bound == {"row": Call("IRI", (Call("CONCAT", (Literal("urn:"), text), 2),), 2)}
    ((condition, line),) = query.filters
    assert line == 3
    assert isinstance(condition, Call)
    assert condition.name == "||", "&& binds closer than ||"
    absent, both = condition.arguments
    assert absent == Call("!", (Call("BOUND", (Variable("b"),), 3),), 3)
    assert isinstance(both, Call)
    assert [one.name for one in both.arguments if isinstance(one, Call)] == ["=", "!="]


def test_prefixes_are_those_that_the_text_declares() -> None:
    query = tarql_query("BASE <https://example.org/> PREFIX ex: <x/> CONSTRUCT { ?row ex:p <y> } WHERE { }")
    assert query.prefixes == {"ex": "https://example.org/x/"}
    assert query.template[0].predicate == NamedNode("https://example.org/x/p")
    assert query.template[0].object == NamedNode("https://example.org/y")


@pytest.mark.parametrize(
    ("options", "table"),
    [
        ("delimiter=semicolon", TableFormat(delimiter=";")),
        ("delimiter=%7C;header=absent", TableFormat(delimiter="|", heading=0)),
        ("encoding=latin-1&header=present", TableFormat(encoding="latin-1")),
        ("delimiter=nothing", TableFormat()),
    ],
)
def test_the_options_of_from_say_how_the_table_is_written(options: str, table: TableFormat) -> None:
    query = tarql_query(f"CONSTRUCT {{ }} FROM <file:t.csv#{options}> WHERE {{ }}")
    assert query.table == table
    assert query.left == ()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("CONSTRUCT { [ ] <urn:p> ?x . ?row <urn:p> ?x } WHERE { }", "a blank node as the thing of a row"),
        ("CONSTRUCT { _:b <urn:p> ?x . ?row <urn:p> ?x } WHERE { }", "a blank node as the thing of a row"),
        ("CONSTRUCT { ?row ?p 1 ; <urn:p> ?x } WHERE { }", "a property that is a variable"),
        ("CONSTRUCT { ?row <urn:q> _:b ; <urn:p> ?x } WHERE { }", "a blank node with a name"),
        ("CONSTRUCT { ?row <urn:p> ?x } FROM <file:t#quotechar=x> WHERE { }", "the option 'quotechar' of the table"),
        ("CONSTRUCT { ?row <urn:p> ?x } WHERE { ?s ?p ?o }", "a triple pattern in the pattern"),
        ("CONSTRUCT { ?row <urn:p> ?x } WHERE { { ?s ?p 1 } UNION { } }", "a triple pattern in the pattern"),
        ("CONSTRUCT { ?row <urn:p> ?x } WHERE { BIND (?a * 2 AS ?x) }", "a computation with '*'"),
        ("CONSTRUCT { ?row <urn:p> ?x } WHERE { FILTER (?a IN (1, 2)) }", "a computation with 'IN'"),
        ("CONSTRUCT { ?row <urn:p> ?x } WHERE { } OFFSET 5", "OFFSET after the pattern"),
    ],
)
def test_a_part_without_a_form_is_named_and_the_rest_is_read(text: str, left: str) -> None:
    query = tarql_query(text)
    assert (1, left) in query.left
    assert TemplateStatement(ROW, P, Variable("x"), 1) in query.template


def test_reading_goes_on_behind_what_is_passed_over() -> None:
    query = tarql_query("""CONSTRUCT { } WHERE {
  OPTIONAL { ?s ?p (1 2) }
  BIND (?a + 1 AS ?x)
  BIND (?b AS ?y)
}""")
    assert query.left == ((2, "OPTIONAL in the pattern"), (3, "a computation with '+'"))
    assert query.bound == {"y": Variable("b")}


@pytest.mark.parametrize("text", ["SELECT * { }", "CONSTRUCT { ?row", "CONSTRUCT { } WHERE { BIND (", "PREFIX"])
def test_what_is_no_tarql_is_refused(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        tarql_query(text)
