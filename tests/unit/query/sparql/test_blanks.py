"""Terms put into the blanks of a SPARQL text stay terms, whatever they hold."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.sparql.blanks import filled, sparql_term, variables
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode
from hpc_explorer.stores.local.local import LocalStore

# Characters that a literal can hold in RDF: all but surrogates.
TEXTS = st.text(st.characters(exclude_categories=("Cs",))) | st.lists(
    st.sampled_from(
        ["\\", "u0022", "U0001F600", '"', "'", '"""', "'''", "\n", "\r", "}", "?x", "$x", "#", "<", ">", "."]
    )
).map("".join)
LITERALS = (
    TEXTS.map(Literal)
    | TEXTS.map(lambda text: Literal(text, language="en"))
    | st.integers().map(lambda number: Literal(str(number), datatype=XSD.integer))
)
IRIS = (
    st.from_regex(r"urn:[a-z]{1,8}:[\w\-./?#$&'()*+,;=%é漢]*", fullmatch=True)
    .filter(lambda iri: "%" not in iri and iri.count("#") < 2)  # one fragment at most
    .map(NamedNode)
)


STORE = LocalStore.in_memory()


def answer(text: str) -> list[object]:
    return [row["x"] for row in STORE.select(text)]


@given(LITERALS)
def test_a_literal_comes_out_as_it_went_in(value: Literal) -> None:
    assert answer(filled("SELECT ?x WHERE { BIND($blank AS ?x) }", {"blank": value})) == [value]


@given(IRIS)
def test_an_iri_comes_out_as_it_went_in(value: NamedNode) -> None:
    assert answer(filled("SELECT ?x WHERE { BIND($blank AS ?x) }", {"blank": value})) == [value]


@given(LITERALS | IRIS)
def test_a_value_is_one_term_on_one_line_and_has_no_blank(value: Literal | NamedNode) -> None:
    written = sparql_term(value)
    assert "\n" not in written
    assert "\r" not in written
    assert variables(written) == ()
    assert filled(written, {"x": Literal("other")}) == written


@given(TEXTS)
def test_it_means_the_same_to_an_engine_that_decodes_before_it_reads(text: str) -> None:
    r"""Such an engine takes `\uXXXX` first, everywhere (SPARQL 1.1, section 19.2)."""
    written = sparql_term(Literal(text))
    decoded = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda code: chr(int(code[1], 16)), written)
    control = {chr(code) for code in (*range(0x20), 0x7F, 0xFFFE, 0xFFFF)}
    if not control & set(text):
        assert answer(f"SELECT ?x WHERE {{ BIND({decoded} AS ?x) }}") == [Literal(text)]


@pytest.mark.parametrize(
    "text",
    [
        'SELECT ?x { ?x ?p "$blank" }',
        "SELECT ?x { ?x ?p '$blank' }",
        'SELECT ?x { ?x ?p """a "quoted" $blank\n""" }',
        "SELECT ?x { ?x ?p '''it's $blank''' }",
        "SELECT ?x { ?x <urn:$blank> ?o }",
        "SELECT ?x { ?x ?p ?o } # $blank",
        "PREFIX e: <urn:> SELECT ?x { ?x e:\\$blank ?o }",
        'SELECT ?x { ?x ?p "\\"$blank" }',
        "SELECT ?x { ?x ?p $blanks }",
    ],
)
def test_what_only_looks_like_the_blank_stays(text: str) -> None:
    assert filled(text, {"blank": NamedNode("urn:x")}) == text


def test_both_spellings_are_one_variable() -> None:
    text = "PREFIX e: <urn:> SELECT ?s { ?s e:\\#1 $blank . $blank ?p ?o FILTER(?blank<?o) # ?blank\n ?s ?q ?blank }"
    assert filled(text, {"blank": NamedNode("urn:x")}) == (
        "PREFIX e: <urn:> SELECT ?s { ?s e:\\#1 <urn:x> . <urn:x> ?p ?o FILTER(<urn:x><?o) # ?blank\n ?s ?q <urn:x> }"
    )
    assert variables(text) == ("s", "blank", "p", "o", "q")


def test_a_blank_node_would_be_a_variable() -> None:
    with pytest.raises(WrongParameter, match="blank node"):
        sparql_term(BlankNode("b"))
