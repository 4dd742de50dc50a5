"""What is typed at a cursor, and which names fit it how well."""

from __future__ import annotations

import pytest

from hpc_explorer.query.completion.matching import NO_FIT, TypedToken, typed_token

DECLARED = {"ex": "urn:ex:", "": "urn:own:"}
KNOWN = {"ex": "http://example.org/", "hpc": "http://example.org/hpc#"}


def typed(token: str) -> TypedToken:
    return typed_token(token, DECLARED, KNOWN)


@pytest.mark.parametrize(
    ("token", "what", "prefix", "text"),
    [
        ("", "name", None, ""),
        ("Target Mach", "name", None, "target mach"),
        ("ex:Mach", "name", "ex", "mach"),
        (":Mach", "name", "", "mach"),
        ("<http://Ex", "iri", None, "<http://ex"),
        ("'a:B", "string", None, "a:b"),
        ('"', "string", None, ""),
        ("?Ma", "variable", None, "?ma"),
        ("$", "variable", None, "$"),
    ],
)
def test_what_a_token_begins_to_be(token: str, what: str, prefix: str | None, text: str) -> None:
    found = typed(token)
    kinds = {"iri": found.is_iri, "string": found.is_string, "variable": found.is_variable}
    assert [kind for kind, holds in kinds.items() if holds] == ([] if what == "name" else [what])
    assert (found.prefix, found.text) == (prefix, text)


@pytest.mark.parametrize(
    ("token", "fit"),
    [
        ("", 0),
        ("target", 0),
        ("mach tar", 1),
        ("achine", 2),
        ("machine learning", NO_FIT),
        ("hpc:targetM", 0),
        ("hpc:mach", 1),
        ("hpc:x", NO_FIT),
        ("ex:target", NO_FIT),  # what the text declares goes before what is known
        ("none:target", NO_FIT),
        ("<http://example.org/HPC#tar", 0),
        ("<http://example.org/hpc#targetMachine>", 0),
        ("<targetMachine", NO_FIT),
    ],
)
def test_a_name_fits_by_its_words_its_prefix_or_its_iri(token: str, fit: int) -> None:
    assert typed(token).fits("target machine targetmachine", "http://example.org/hpc#targetMachine") == fit
