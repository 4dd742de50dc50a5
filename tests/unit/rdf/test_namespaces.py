"""Prefixed names."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.namespaces import PrefixMap


@given(st.text("ab/#:._-", max_size=8), st.lists(st.text("ab/#:", max_size=4), max_size=4))
def test_a_prefixed_name_is_by_the_longest_namespace_that_leaves_a_readable_name(end: str, ends: list[str]) -> None:
    base = "urn:ab:"
    iri = base + end
    own = {f"p{number}": base + one for number, one in enumerate(ends)}
    found = PrefixMap(own).curie(iri)
    readable = [
        one
        for one in own.values()
        if iri.startswith(one) and re.fullmatch(r"[A-Za-z0-9_]([\w.\-]*[\w\-])?", iri[len(one) :])
    ]
    assert (found is None) == (not readable)
    if found is not None:
        prefix, _, local = found.partition(":")
        assert own[prefix] == max(readable, key=len)
        assert own[prefix] + local == iri
