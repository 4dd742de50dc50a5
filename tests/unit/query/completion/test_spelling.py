"""By which name a term is written in a text, and with what space around it."""

from __future__ import annotations

import pytest

from hpc_explorer.query.completion.cursor_context import cursor_context_at
from hpc_explorer.query.completion.matching import TermNames, is_iri, is_prefix, padding
from hpc_explorer.rdf.namespaces import PrefixMap

KNOWN = PrefixMap({"hpc": "http://example.org/hpc#", "ex": "http://example.org/"})


@pytest.mark.parametrize(
    ("declared", "iri", "name", "prefixes"),
    [
        ({"h": "http://example.org/hpc#"}, "http://example.org/hpc#name", "h:name", ()),
        ({}, "http://example.org/hpc#name", "hpc:name", (("hpc", "http://example.org/hpc#"),)),
        ({"hpc": "urn:else:"}, "http://example.org/hpc#name", "<http://example.org/hpc#name>", ()),
        ({}, "urn:nobody:knows", "<urn:nobody:knows>", ()),
    ],
)
def test_a_name_is_that_of_the_text_else_one_that_can_be_declared(
    declared: dict[str, str], iri: str, name: str, prefixes: tuple[tuple[str, str], ...]
) -> None:
    assert TermNames(declared, KNOWN).of(iri) == (name, prefixes)


def test_what_can_be_written_as_a_prefix_or_an_iri() -> None:
    assert [is_prefix(one) for one in ("hpc", "", "a.b", "1a", "a-", "a-b")] == [True, True, False, False, False, True]
    assert [is_iri(one) for one in ("urn:a", "", "a b", "a>b", "a\\b")] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * { ?a | }", ("", "")),
        ("SELECT * { ?a |?b }", ("", "")),
        ("SELECT * { ?a |<urn:b> }", ("", " ")),
        ("SELECT * { ?a |'b' }", ("", " ")),
        ("SELECT * { \\|", (" ", "")),
        ("SELECT * { ?a |( 1 )", ("", "")),
    ],
)
def test_space_keeps_the_tokens_beside_it_what_they_are(text: str, expected: tuple[str, str]) -> None:
    before, _, behind = text.partition("|")
    whole = before + behind
    assert padding(whole, cursor_context_at(whole, len(before))) == expected
