"""Tarql files as mappings: what is taken over, and what is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.mapping import ColumnRule, Constant, TableFormat
from hpc_explorer.annotate.tables.mapping_file import mapping_text, parse_mapping
from hpc_explorer.annotate.tables.tarql import parse_tarql
from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.errors import DamagedMapping, ExplorerError, QuerySyntaxError
from hpc_explorer.rdf.namespaces import HPC, UNIT, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode

FILE = """
PREFIX ex: <https://example.org/>
# The rows are machines.
CONSTRUCT {
  ?URI a hpc:SuperComputer, ex:Machine ;
    ex:name ?Name ; ex:rank ?RankInt ; ex:title ?Title ;
    ex:rmax [ a qudt:QuantityValue ; qudt:value ?RmaxDec ; qudt:unit unit:TeraFLOPS ] ;
    ex:vendor ?Vendor ; ex:page ?Page ; ex:list "56" ; ex:typed ?Typed .
  ?Vendor ex:name ?Maker .
}
FROM <file:machines.csv#delimiter=tab;encoding=latin-1>
WHERE {
  BIND (URI(CONCAT('https://example.org/machine/', STR(?System_ID), '/', STR(?ROWNUM))) AS ?URI)
  BIND (xsd:integer(?Rank) AS ?RankInt)
  BIND (xsd:decimal(?Rmax__TFlop_s_) AS ?RmaxDec)
  BIND (STRLANG(?Motto, "en") AS ?Title)
  BIND (IRI(CONCAT("https://example.org/vendor/", ENCODE_FOR_URI(?Maker))) AS ?Vendor)
  BIND (IRI(?Homepage) AS ?Page)
  BIND (STRDT(?Built, xsd:date) AS ?Typed)
  FILTER (?Status != "gone" && BOUND(?Name))
}
"""
COLUMNS = ("System ID", "Name", "Rank", "Rmax [TFlop/s]", "Motto", "Maker", "Homepage", "Built", "Status")
EX = "https://example.org/"


def ex(name: str) -> NamedNode:
    return NamedNode(EX + name)


def test_what_a_mapping_has_a_form_for_is_taken_over() -> None:
    found = parse_tarql(FILE, COLUMNS)
    mapping = found.mapping
    assert mapping.subject == parse_template("https://example.org/machine/{System ID}/{#}")
    assert mapping.classes == (HPC.SuperComputer, ex("Machine"))
    assert mapping.constants == (Constant(ex("list"), Literal("56")),)
    assert mapping.columns == {
        "Name": (ColumnRule(ex("name"), required=True),),
        "Rank": (ColumnRule(ex("rank"), XSD.integer),),
        "Motto": (ColumnRule(ex("title"), language="en"),),
        "Rmax [TFlop/s]": (ColumnRule(ex("rmax"), XSD.decimal, UNIT.TeraFLOPS),),
        "Maker": (ColumnRule(ex("vendor"), link=parse_template("https://example.org/vendor/{Maker}")),),
        "Homepage": (ColumnRule(ex("page"), iri=True),),
        "Built": (ColumnRule(ex("typed"), XSD.date),),
    }
    assert mapping.skip == {"Status": frozenset({"gone"})}
    assert mapping.table == TableFormat(delimiter="\t", encoding="latin-1")
    assert found.left == ("line 9: a statement about ?Vendor, which is not the thing of a row is left out",)
    assert parse_mapping(mapping_text(mapping)) == mapping


@pytest.mark.parametrize(
    ("part", "left"),
    [
        ("BIND (tarql:expandPrefix(?a) AS ?x)", "line 5: tarql:expandPrefix(…) is left out"),
        ("BIND (REPLACE(?a, 'x', 'y') AS ?x)", "line 5: REPLACE(…) is left out"),
        ("BIND (?a + 1 AS ?x)", "line 5: a computation with '+' is left out"),
        (
            "BIND (xsd:duration(?a) AS ?x)",
            "line 5: the datatype <http://www.w3.org/2001/XMLSchema#duration> is left out",
        ),
        ("BIND (?a AS ?x) FILTER (?a > 3)", "line 5: a FILTER with a comparison with '>' is left out"),
        ("BIND (?a AS ?x) OPTIONAL { ?s ?p ?o }", "line 5: OPTIONAL in the pattern is left out"),
        ("BIND (?a AS ?x) } LIMIT 5 #", "line 5: LIMIT after the pattern is left out"),
        ("FILTER BOUND()", "line 5: a FILTER with BOUND(…) is left out"),
        ("BIND (IRI() AS ?x)", "line 5: IRI(…) is left out"),
        ("BIND (IRI(?a, ?a) AS ?x)", "line 5: IRI(…) is left out"),
        ("BIND (?missing AS ?x)", "line 2: ?missing, which is not a column of the table is left out"),
    ],
)
def test_what_it_has_none_for_is_named_with_its_line(part: str, left: str) -> None:
    text = f"""PREFIX ex: <https://example.org/>
CONSTRUCT {{ ?row ex:p ?x }}
WHERE {{
  BIND (IRI(CONCAT('https://example.org/', ?id)) AS ?row)
  {part}
}}"""
    assert left in parse_tarql(text, ("id", "a")).left


def test_the_iri_of_a_prefix_begins_the_iri_of_a_row() -> None:
    text = "PREFIX ex: <https://example.org/> CONSTRUCT { ?s ex:n ?a } { BIND (IRI(CONCAT(STR(ex:), ?id)) AS ?s) }"
    assert parse_tarql(text, ("id", "a")).mapping.subject == parse_template("https://example.org/{id}")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?s ?p ?o }",
        "CONSTRUCT { ?row <urn:p> ?x } WHERE {",
        "CONSTRUCT { ?row <urn:p> ?x } WHERE { BIND (IRI(CONCAT('https://example.org/', ?id) AS ?row) }",
        "CONSTRUCT { ?row nowhere:p ?x } WHERE { }",
    ],
)
def test_what_is_no_tarql_is_told_with_its_place(text: str) -> None:
    with pytest.raises(QuerySyntaxError, match="line 1"):
        parse_tarql(text, where="f.sparql")


@pytest.mark.parametrize(
    "text",
    [
        "CONSTRUCT { <urn:a> <urn:p> ?x } WHERE { }",
        "CONSTRUCT { ?row <urn:p> ?x } WHERE { BIND (IRI(?row2) AS ?row) }",
        "CONSTRUCT { ?row <urn:p> ?x } WHERE { }",
        "CONSTRUCT { ?row <urn:p> ?x } WHERE { BIND (?row AS ?row) }",
    ],
)
def test_without_an_iri_for_rows_there_is_no_mapping(text: str) -> None:
    with pytest.raises(DamagedMapping):
        parse_tarql(text, ("x", "row2"))


def test_a_table_without_a_heading_has_letters_for_columns() -> None:
    text = """CONSTRUCT { ?row <urn:p> ?b } FROM <file:t.csv#header=absent>
    WHERE { BIND (IRI(CONCAT('urn:x:', ?a)) AS ?row) }"""
    mapping = parse_tarql(text).mapping
    assert mapping.table.heading == 0
    assert mapping.subject.text == "urn:x:{(column 1)}"
    assert list(mapping.columns) == ["(column 2)"]


PIECES = st.sampled_from([*FILE.split(), "(", ")", "{", "}", "[", "]", ";", ",", ".", "?", "BIND", "FILTER", "'", "<"])


@given(st.lists(PIECES, max_size=30))
def test_any_text_is_read_or_refused(pieces: list[str]) -> None:
    for text in (" ".join(pieces), f"CONSTRUCT {{ {' '.join(pieces)}", FILE.replace("FILTER", " ".join(pieces))):
        try:
            parse_tarql(text, COLUMNS)
        except ExplorerError as error:
            assert error.what
