"""What the things of a query are called, and which of them a sentence begins with."""

from __future__ import annotations

import pytest

from hpc_explorer.query.sentence.nouns import main_thing, nouns, stated_in
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import Variable

PREFIXES = PrefixMap()


def called(text: str) -> dict[str, str]:
    found = nouns(query_model(text, PREFIXES), lambda resource: PREFIXES.short(resource.value))
    return {variable.value: noun for variable, noun in found.items()}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("?d a hpc:Dataset", {"d": "dataset"}),
        ("?d hpc:targetMachine ?m", {"m": "target machine"}),
        ("?d hpc:targetMachine ?m . ?m a hpc:Cluster", {"m": "cluster"}),
        ("?a prov:used ?d", {}),
        ("?one a hpc:Dataset . ?d a hpc:Dataset", {"one": "dataset (one)", "d": "dataset"}),
        ("?d hpc:loss ?begin . ?e hpc:loss ?end", {"begin": "begin", "end": "end"}),
        ("?d hpc:loss ?l { ?d a hpc:Dataset } UNION { ?x a hpc:Model }", {"l": "loss", "x": "model"}),
    ],
)
def test_a_thing_is_called_by_its_class_else_by_the_property_that_leads_to_it(
    pattern: str, expected: dict[str, str]
) -> None:
    assert called(f"SELECT * {{ {pattern} }}") == expected


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("SELECT ?n ?d { ?d a hpc:Dataset ; hpc:name ?n . ?m a hpc:Model }", "d"),
        ("SELECT ?n { ?m a hpc:Model . ?d a hpc:Dataset ; hpc:name ?n }", "m"),
        ("SELECT ?n { ?d hpc:name ?n }", "n"),
        ("SELECT ?other { ?d hpc:name ?n }", "d"),
        ("SELECT * { hpc:x hpc:name ?n }", "n"),
        ("SELECT * { hpc:x hpc:name 'n' }", None),
    ],
)
def test_a_sentence_begins_with_a_shown_thing_that_has_a_class(text: str, main: str | None) -> None:
    found = main_thing(query_model(text, PREFIXES))
    assert (found.value if found else None) == main


def test_what_is_stated_within_an_inner_group_is_not_stated_in_the_outer() -> None:
    group = query_model("SELECT * { ?a ?b 1 VALUES ?c { 2 } OPTIONAL { ?d ?e 3 } FILTER(?f = 4) }").where
    assert stated_in(group) == {Variable("a"), Variable("b"), Variable("c")}
