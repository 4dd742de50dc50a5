"""Class expressions are one line in the manner of the Manchester syntax."""

from __future__ import annotations

import pytest

from hpc_explorer.ontology.expressions import DEEPEST, MOST_MEMBERS, expressions_of
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import BlankNode, NamedNode
from tests.helpers.graphs import ex, store_of


def local_name(term: NamedNode) -> str:
    return term.value.rpartition("/")[2]


def written(expression: str) -> str:
    """How the superclass of a class is written."""
    store = store_of(f"ex:Car rdfs:subClassOf {expression} .")
    nodes = [quad.object for quad in store.match(ex("Car"), RDFS.subClassOf)]
    (node,) = (one for one in nodes if isinstance(one, (NamedNode, BlankNode)))
    return expressions_of(store, [node], local_name).get(node, "")


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        ("[ owl:onProperty ex:part ; owl:someValuesFrom ex:Wheel ]", "part some Wheel"),
        ("[ owl:onProperty ex:part ; owl:allValuesFrom ex:Wheel ]", "part only Wheel"),
        ("[ owl:onProperty ex:colour ; owl:hasValue 'red' ]", "colour value red"),
        ("[ owl:onProperty ex:part ; owl:minCardinality 3 ]", "part min 3"),
        ("[ owl:onProperty ex:part ; owl:qualifiedCardinality 4 ; owl:onClass ex:Wheel ]", "part exactly 4 Wheel"),
        ("[ owl:onProperty ex:likes ; owl:hasSelf true ]", "likes Self"),
        ("[ owl:onProperty [ owl:inverseOf ex:part ] ; owl:someValuesFrom ex:Fleet ]", "inverse part some Fleet"),
        ("[ owl:unionOf ( ex:Van ex:Bus ) ]", "Van or Bus"),
        ("[ owl:oneOf ( ex:Monday ex:Friday ) ]", "{Monday, Friday}"),
        ("[ owl:complementOf [ owl:unionOf ( ex:Van ex:Bus ) ] ]", "not (Van or Bus)"),
        (
            "[ owl:intersectionOf ( ex:Vehicle [ owl:onProperty ex:part ; owl:someValuesFrom ex:Wheel ] ) ]",
            "Vehicle and (part some Wheel)",
        ),
        ("ex:Vehicle", ""),
        ("[ ex:colour 'red' ]", ""),
    ],
)
def test_an_expression_is_one_line(expression: str, line: str) -> None:
    assert written(expression) == line


def test_what_is_too_deep_or_too_long_is_cut_with_a_sign() -> None:
    deep = "ex:End"
    for _ in range(DEEPEST + 2):
        deep = f"[ owl:complementOf {deep} ]"
    assert written(deep).count("not") == DEEPEST
    assert "…" in written(deep)
    members = " ".join(f"ex:C{number}" for number in range(MOST_MEMBERS + 5))
    assert written(f"[ owl:unionOf ( {members} ) ]").endswith(f"C{MOST_MEMBERS - 1}…")
