"""Resources as texts: as people and programs name them, and as N-Triples does."""

from __future__ import annotations

import pytest

from hpc_explorer.rdf.terms import (
    BlankNode,
    NamedNode,
    Resource,
    iri_text,
    resource_of,
    resource_of_n_triples,
    typed_iri,
)


@pytest.mark.parametrize("resource", [NamedNode("http://example.org/a_:b"), NamedNode("urn:ü"), BlankNode("b0")])
def test_what_is_written_is_read(resource: Resource) -> None:
    assert resource_of(iri_text(resource)) == resource
    assert resource_of_n_triples(str(resource)) == resource


@pytest.mark.parametrize("text", ["", "no IRI", "<no IRI>", "_:", '"text"'])
def test_what_is_no_resource_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"IRI|[Bb]lank"):
        resource_of_n_triples(text)


@pytest.mark.parametrize(
    ("typed", "iri"),
    [
        (" https://example.org/a ", NamedNode("https://example.org/a")),
        ("urn:a", NamedNode("urn:a")),
        ("a", None),
        ("", None),
        ("https://example.org/a b", None),
    ],
)
def test_what_is_typed_is_an_iri_or_none(typed: str, iri: NamedNode | None) -> None:
    assert typed_iri(typed) == iri
