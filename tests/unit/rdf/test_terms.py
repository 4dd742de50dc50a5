"""Resources as texts: as people and programs name them, and as N-Triples does."""

from __future__ import annotations

import pytest

from hpc_explorer.rdf.terms import BlankNode, NamedNode, Resource, iri_text, resource_of, resource_of_n_triples


@pytest.mark.parametrize("resource", [NamedNode("http://example.org/a_:b"), NamedNode("urn:ü"), BlankNode("b0")])
def test_what_is_written_is_read(resource: Resource) -> None:
    assert resource_of(iri_text(resource)) == resource
    assert resource_of_n_triples(str(resource)) == resource


@pytest.mark.parametrize("text", ["", "no IRI", "<no IRI>", "_:", '"text"'])
def test_what_is_no_resource_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"IRI|[Bb]lank"):
        resource_of_n_triples(text)
