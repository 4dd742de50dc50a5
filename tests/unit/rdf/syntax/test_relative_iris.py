"""Relative IRIs: the examples of RFC 3986, and the engine's answers where both have one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.syntax.relative_iris import joined, resolved

BASE = "http://a/b/c/d;p?q"

# RFC 3986, sections 5.4.1 and 5.4.2
EXAMPLES = {
    "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
    "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x",
    "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/", "..": "http://a/b/", "../": "http://a/b/",
    "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g", "../../../g": "http://a/g", "/./g": "http://a/g",
    "/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g", "g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/../h": "http://a/b/c/h", "g;x=1/../y": "http://a/b/c/y",
    "g?y/../x": "http://a/b/c/g?y/../x", "g#s/../x": "http://a/b/c/g#s/../x", "http:g": "http:g",
    "my file#a:b": "http://a/b/c/my file#a:b", ".tests/a:b/": "http://a/b/c/.tests/a:b/",
}  # fmt: skip


@pytest.mark.parametrize(("reference", "whole"), EXAMPLES.items())
def test_examples_of_the_specification(reference: str, whole: str) -> None:
    assert joined(reference, BASE) == whole


BASES = st.sampled_from([BASE, "http://a", "http://a/", "file:///a/b", "urn:x:y", "http://a/b?c/d#e"])


@given(st.text(st.sampled_from("./?#:ag"), max_size=8), BASES)
def test_the_engine_resolves_alike(reference: str, base: str) -> None:
    try:
        expected = resolved(reference, base).value
    except ValueError:
        return
    assert joined(reference, base) == expected
