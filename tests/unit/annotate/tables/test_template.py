"""IRI templates: what stands in a cell stays in its place."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.errors import InvalidIri

TEMPLATE = parse_template("https://example.org/machine/{Name}/of/{#}")


@given(st.text(min_size=1))
def test_no_text_leaves_its_place_in_the_iri(text: str) -> None:
    try:
        iri = TEMPLATE.fill(7, lambda _: text).value
    except InvalidIri:
        assert text in (".", "..") or "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text)
        return
    parts = urlsplit(iri)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("https", "example.org", "", "")
    _, machine, name, of, number = parts.path.split("/")
    assert (machine, of, number) == ("machine", "of", "7")
    assert unquote(name) == text


@pytest.mark.parametrize("text", ["", ".", "..", "\ud800", "a\0b"])
def test_what_cannot_stand_in_an_iri_is_refused(text: str) -> None:
    with pytest.raises(InvalidIri):
        TEMPLATE.fill(1, lambda _: text)


@pytest.mark.parametrize(
    "text",
    ["{Name}", "https://{Host}/x", "{Scheme}://example.org/", "https://example.org/{", "https://example.org/{}", "x"],
)
def test_a_template_keeps_the_beginning_of_its_iri(text: str) -> None:
    with pytest.raises(InvalidIri):
        parse_template(text)


def test_the_columns_are_those_that_it_takes() -> None:
    assert parse_template("urn:x:{#}:{a b}:{c}").columns == ("a b", "c")
