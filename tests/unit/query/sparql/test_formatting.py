"""Formatting changes the white space of a SPARQL text and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.query.sparql.formatting import formatted
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from tests.helpers.queries import query_texts

PIECES = [
    *(
        "SELECT",
        "WHERE",
        "VALUES",
        "FILTER",
        "BIND",
        "NOT EXISTS",
        "OPTIONAL",
        "UNION",
        "GROUP BY",
        "PREFIX",
        "a",
        "AS",
    ),
    *("{", "}", "(", ")", "[", "]", ".", ";", ",", "<", ">", "=", "^^", "&&", "/", "|", "*", "+", "-", "!", "?", "<<"),
    *(
        "?x",
        "$y",
        "ex:p",
        "ex:",
        "<urn:x:y>",
        "'it'",
        '"',
        "'''",
        '"""a\nb"""',
        "@en",
        "_:b",
        "5",
        "5.",
        ".5e3",
        "COUNT",
    ),
    *(" ", "  ", "\n", "\n\n", "# said {\n", "#\r", "\t", "\\", "\\u0041", "é", "🙂"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def kept(text: str) -> list[str]:
    """What may not change: tokens and comments, the blanks at whose end mean nothing."""
    return [token.text.rstrip() for token in sparql_tokens(text) if token.kind is not TokenKind.SPACE]


@given(TEXTS | query_texts() | st.text())
def test_tokens_and_comments_stay_as_they_are(text: str) -> None:
    assert kept(formatted(text)) == kept(text)


@given(TEXTS | query_texts() | st.text())
def test_what_is_formatted_stays_so(text: str) -> None:
    once = formatted(text)
    assert formatted(once) == once


def test_a_text_is_laid_out_with_a_line_for_each_pattern() -> None:
    text = """prefix hpc: <https://hpc-fair.github.io/ontology#>   # the ontology
select distinct ?model (count( ?gpu ) as ?n) where{?model a hpc:AIModel;hpc:targetMachine ?machine,$other.

      # only named ones
      optional { ?machine rdfs:label|^hpc:name ?label filter (str(?label) != "x" ) ?label ?p [ a hpc:X; hpc:y 3 ] }
      { ?machine hpc:coprocessor/hpc:x+ ?gpu } union { }
      filter(?n>=1&&(bound(?label)||!bound(?gpu))) values ?machine { hpc:Lassen <urn:x:y> } bind( 1 as ?one )
      FILTER NOT EXISTS{?a ?b "x"^^hpc:z,'y'@en} values(?a ?b){(1 2)(3 UNDEF)} FILTER regex(?x,"a") ?s ?p (1 2) .
    } group by ?model having (count(*)>1) order by desc(?n) ?model limit 10"""
    assert (
        formatted(text)
        == """\
prefix hpc: <https://hpc-fair.github.io/ontology#>  # the ontology

select distinct ?model (count(?gpu) as ?n)
where {
  ?model a hpc:AIModel ;
    hpc:targetMachine ?machine, $other .

  # only named ones
  optional {
    ?machine rdfs:label|^hpc:name ?label
    filter (str(?label) != "x")
    ?label ?p [ a hpc:X ; hpc:y 3 ]
  }
  {
    ?machine hpc:coprocessor/hpc:x+ ?gpu
  } union { }
  filter (?n >= 1 && (bound(?label) || !bound(?gpu)))
  values ?machine { hpc:Lassen <urn:x:y> }
  bind(1 as ?one)
  FILTER NOT EXISTS {
    ?a ?b "x"^^hpc:z, 'y'@en
  }
  values (?a ?b) {
    (1 2)
    (3 UNDEF)
  }
  FILTER regex(?x, "a")
  ?s ?p (1 2) .
}
group by ?model
having (count(*) > 1)
order by desc(?n) ?model
limit 10"""
    )
