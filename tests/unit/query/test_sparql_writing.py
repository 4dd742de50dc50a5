"""The text of a query is laid out for reading."""

from hpc_explorer.query.sparql_reading import query_model
from hpc_explorer.query.sparql_writing import sparql_text


def test_a_query_is_laid_out_for_reading() -> None:
    text = """
    prefix hpc: <https://hpc-fair.github.io/ontology#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    select distinct ?model (count(?gpu) as ?n) from <urn:g:1> where { ?model a hpc:AIModel; hpc:targetMachine ?machine, $other.
      optional { ?machine rdfs:label|^hpc:name ?label filter (str(?label) != "x\\n" ) }
      { ?machine hpc:coprocessor ?gpu } union { }
      filter(?n>=1&&?n<=2&&(bound(?label)||!bound(?gpu))) values ?machine { hpc:Lassen <urn:x:y> } bind( 1 as ?one )
    } group by ?model having (count(*)>1) order by desc(?n) ?model limit 10
    """
    assert (
        sparql_text(query_model(text))
        == """\
PREFIX hpc: <https://hpc-fair.github.io/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>

SELECT DISTINCT ?model (COUNT(?gpu) AS ?n)
FROM <urn:g:1>
WHERE {
  ?model a hpc:AIModel ;
    hpc:targetMachine ?machine, $other .
  OPTIONAL {
    ?machine rdfs:label|^hpc:name ?label .
    FILTER (str(?label) != "x\\n")
  }
  {
    ?machine hpc:coprocessor ?gpu .
  } UNION { }
  FILTER (?n >= 1 && ?n <= 2 && (BOUND(?label) || !BOUND(?gpu)))
  VALUES ?machine { hpc:Lassen <urn:x:y> }
  bind( 1 as ?one )
}
GROUP BY ?model
HAVING (COUNT(*) > 1)
ORDER BY DESC(?n) ?model
LIMIT 10"""
    )
