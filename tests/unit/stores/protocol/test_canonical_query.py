"""One canonical text for spellings of one query, and never one for two queries."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store

from hpc_explorer.stores.protocol.sparql_client import always_the_same, canonical_query

SAME = [
    (
        "PREFIX ex: <http://e/#>\nSELECT ?s # all\nWHERE { ?s ex:a.b ex:c . }",
        "PREFIX other: <http://e/#> PREFIX unused: <http://x/> SELECT ?s WHERE {?s <http://e/#a.b> other:c.}",
    ),
    ("PREFIX : <http://e/> ASK{:a\\-b :p+ 'x'@en}", "ASK { <http://e/a-b> <http://e/p> + 'x' @en }"),
    ("SELECT * {?a ?b ?c FILTER(?a<?b&&?c>=3)}", "SELECT * { ?a ?b ?c FILTER ( ?a<?b&&?c>=3 ) }"),
]

DIFFERENT = [
    ("ASK { ?s ?p 'a  b' }", "ASK { ?s ?p 'a b' }"),
    ("ASK { ?s ?p 'a#b' }", "ASK { ?s ?p 'a' }"),
    ("ASK { ?s ?p '''a\nb''' }", "ASK { ?s ?p '''a b''' }"),
    ("ASK { ?s ?p <http://e/#a> }", "ASK { ?s ?p <http://e/ > }"),
    ("PREFIX e: <http://e/> ASK { ?s ?p e:a }", "PREFIX e: <http://f/> ASK { ?s ?p e:a }"),
    ("PREFIX e: <http://e/> ASK { ?s ?p 'e:a' }", "PREFIX e: <http://e/> ASK { ?s ?p '<http://e/a>' }"),
    ("BASE <http://e/> ASK { ?s ?p <a> }", "BASE <http://f/> ASK { ?s ?p <a> }"),
    ("PREFIX e: <a#> BASE <http://f/> ASK { e:a ?p 1 }", "PREFIX e: <b#> BASE <http://f/> ASK { e:a ?p 1 }"),
    ("PREFIX e: <http://e/> PREFIX e: <http://f/> ASK { e:a ?p 1 }", "PREFIX e: <http://e/> ASK { e:a ?p 1 }"),
    ("ASK { ?s ?p '\\u0061' }", "ASK { ?s ?p '\\u0062' }"),
    ("SELECT ?a ?b {}", "SELECT ?ab {}"),
    ("ASK { ?s ?p 1.5 }", "ASK { ?s ?p 1 . 5 }"),
    ("ASK { ?s <p>/<q> ?o }", "ASK { ?s <p>|<q> ?o }"),
    ("SELECT ?s {?s ?p 'unclosed }", "SELECT ?s {?s ?p 'unclosed  }"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same(one: str, other: str) -> None:
    assert canonical_query(one) == canonical_query(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different(one: str, other: str) -> None:
    assert canonical_query(one) != canonical_query(other)


@given(st.text(alphabet="PREFIXask ex:<>/#?$ab'\"\\\n {}()._-+1@^|&!=,;~%20"))
def test_any_text_keeps_its_canonical_form(text: str) -> None:
    once = canonical_query(text)
    assert canonical_query(once) == once
    assert re.sub(r"\s|#.*", "", text) == "" or once


WORDS = st.lists(
    st.sampled_from(
        [
            "ex:a",
            "<http://e/a>",
            "ex:b",
            ":a",
            "?x",
            "'ex:a'",
            '"a b"',
            "'#'",
            "1",
            "1.5",
            "true",
            "'a'@en",
            "# note\n",
            "\n",
            " ",
        ]
    ),
    max_size=3,
)
DATA = Store()
DATA.extend(
    Quad(NamedNode(f"http://e/{s}"), NamedNode(f"http://e/{p}"), o)
    for s in "ab"
    for p in "ab"
    for o in (
        NamedNode("http://e/a"),
        Literal("ex:a"),
        Literal("a b"),
        Literal("#"),
        Literal(1),
        Literal("a", language="en"),
    )
)


@given(st.tuples(*[st.sampled_from(["ex:a", "<http://e/a>", ":b", "?x", "?y"])] * 2), WORDS)
def test_the_canonical_query_has_the_same_answer(ends: tuple[str, str], words: list[str]) -> None:
    query = f"PREFIX ex: <http://e/>\nPREFIX : <http://e/>\nSELECT * WHERE {{ {' '.join(ends)} {' '.join(words)} }}"
    try:
        expected = sorted(str(row) for row in DATA.query(query))  # type: ignore[union-attr]
    except SyntaxError:
        with pytest.raises(SyntaxError):
            DATA.query(canonical_query(query))
    else:
        assert sorted(str(row) for row in DATA.query(canonical_query(query))) == expected  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "query", ["SELECT (now() AS ?t) {}", "ASK { FILTER(RAND() > 0.5) }", "SELECT (STRUUID() AS ?u) { '\\u0061' }"]
)
def test_what_changes_by_itself(query: str) -> None:
    assert not always_the_same(query)
    assert always_the_same("SELECT ?now { ?s <http://e/rand> 'uuid NOW()' }")
