"""Constraints in which pySHACL by itself departs from SHACL: what each of them finds, and how often."""

from __future__ import annotations

import pytest

from hpc_explorer.annotate.validation.checking import results_of
from hpc_explorer.annotate.validation.components import install
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Term
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

PREFIXES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


@pytest.fixture(autouse=True)
def installed() -> None:
    """As when pySHACL is imported, which may have been long before."""
    install()


def found(constraint: str, data: str) -> list[str]:
    """The values that break a constraint on `:p` of `:a`, and `-` for a result without one, sorted."""
    shape = f":S a sh:PropertyShape ; sh:targetNode :a ; sh:path :p ; {constraint} ."
    view = GraphView(
        store_of(PREFIXES + data), background=LocalStore.in_memory(), superclasses=lambda cls: frozenset((cls,))
    )

    def told(value: Term | None) -> str:
        return (
            "-"
            if value is None
            else "_"
            if isinstance(value, BlankNode)
            else value.value.removeprefix(str(ex("").value))
        )

    results = results_of(view, Shapes(store_of(PREFIXES + shape)), ex("a"))
    assert {result.path for result in results} <= {NamedNode("http://example.org/p")}
    return sorted(told(result.value) for result in results)


@pytest.mark.parametrize(
    ("constraint", "data", "values"),
    [
        ("sh:lessThan :q", ":a :p 1 , 3 ; :q 2 .", ["3"]),
        ("sh:lessThan :q", ":a :p 1 , 2 , 3 ; :q 2 , 3 .", ["2", "3", "3"]),
        ("sh:lessThan :q , :r", ":a :p 5 ; :q 2 ; :r 2 .", ["5", "5"]),
        ("sh:lessThan :q", ':a :p 1 , "a" , :b , _:x , "2021-01-01"^^xsd:date ; :q 2 .', ["2021-01-01", "_", "a", "b"]),
        ("sh:lessThan :q", ":a :p :b ; :q :c , _:x .", ["b", "b"]),
        ("sh:lessThan :q", ":a :p 1 .", []),
        ("sh:lessThanOrEquals :q", ":a :p 1 , 2.0 , 3 ; :q 2 .", ["3"]),
        ("sh:minInclusive 0", ':a :p 0 , -0.0 , -1 , "a" , :b , _:x , "many"^^xsd:integer .', ["-1", "_", "a", "b", "many"]),
        ('sh:minInclusive "2021-03-01"^^xsd:date', ':a :p "2021-02-28"^^xsd:date , "2021-03-01"^^xsd:date .', ["2021-02-28"]),
        ("sh:lessThanOrEquals :q", ':a :p "2021-02-28"^^xsd:date , "2021-03-02"^^xsd:date ; :q "2021-03-01"^^xsd:date .', ["2021-03-02"]),
        ("sh:minExclusive 0", ":a :p 0 , 0.0 , 0.1 .", ["0", "0.0"]),
        ("sh:maxInclusive 2.5", ":a :p 2.50 , 3 , 2.6e0 .", ["2.6e0", "3"]),
        ("sh:maxExclusive 2.5", ":a :p 2.50 , 2 .", ["2.50"]),
        ("sh:maxInclusive 2.5", ':a :p -3 , "a" , :b , _:x , "many"^^xsd:integer .', ["_", "a", "b", "many"]),
        ("sh:maxExclusive 2.5", ':a :p -3 , 2.4 , "a" , :b , _:x .', ["_", "a", "b"]),
        ("sh:minExclusive 0", ':a :p 3 , "a" , :b , _:x .', ["_", "a", "b"]),
        ("sh:lessThanOrEquals :q", ':a :p 1 , "a" , :b ; :q 2 , 1 .', ["a", "a", "b", "b"]),
        ('sh:maxInclusive "2021-03-01"^^xsd:date', ':a :p "2021-02-28"^^xsd:date , "2021-03-02"^^xsd:date , 7 .', ["2021-03-02", "7"]),
        ('sh:languageIn ( "de-CH" "en" )', ':a :p "a"@de , "b"@de-ch , "c"@de-CH-1996 , "d"@en-GB , "e" , "f"@enm , :b .', ["a", "b", "e", "f"]),
        ('sh:languageIn ( "*" )', ':a :p "a"@de , "b"@en-GB , "c" , 1 , :b .', ["1", "b", "c"]),
        ('sh:languageIn ( "EN" )', ':a :p "a"@en , "b"@de .', ["b"]),
        ('sh:pattern "^b"', ':a :p "ba" , "Ba" , "ab" , "a\\nb" , _:x .', ["Ba", "_", "a\nb", "ab"]),
        ('sh:pattern "a"', ':a :p "ba" , "b" .', ["b"]),
        ('sh:pattern "^b" ; sh:flags "i"', ':a :p "ba" , "Ba" , "ab" .', ["ab"]),
        ('sh:pattern "^b" ; sh:flags "im"', ':a :p "a\\nB" , "ab" .', ["ab"]),
        ('sh:pattern "a.b" ; sh:flags "s"', ':a :p "a\\nb" , "ab" .', ["ab"]),
        ('sh:pattern "a b" ; sh:flags "x"', ':a :p "ab" , "a b" .', ["a b"]),
        ("sh:datatype xsd:integer", ':a :p 1 , 1.0 , "1_000"^^xsd:integer , "1" , :b .', ["1", "1.0", "1_000", "b"]),
        ("sh:datatype xsd:date", ':a :p "12021-01-01"^^xsd:date , "2021-W01-1"^^xsd:date .', ["2021-W01-1"]),
        ("sh:uniqueLang true", ':a :p "a"@en , "b"@en , "c"@de , "d"@de , "e" , "f" .', ["-", "-"]),
        ('sh:uniqueLang "1"^^xsd:boolean', ':a :p "a"@en , "b"@en .', []),
        ('sh:maxCount 0 ; sh:deactivated "1"^^xsd:boolean', ":a :p 1 .", ["-"]),
        ("sh:maxCount 0 ; sh:deactivated true", ":a :p 1 .", []),
    ],
)  # fmt: skip
def test_a_constraint_finds_what_shacl_says(constraint: str, data: str, values: list[str]) -> None:
    assert found(constraint, data) == values


def test_a_switch_that_is_not_on_leaves_the_rest_of_the_shape() -> None:
    constraint = 'sh:minCount 1 ; sh:node [ sh:closed "1"^^xsd:boolean ; sh:ignoredProperties ( :q ) ]'
    assert found(constraint, ":a :p :b . :b :r 1 .") == []
    assert found(constraint.replace('"1"^^xsd:boolean', "true"), ":a :p :b . :b :r 1 .") == ["b"]
