"""Where Virtuoso departs from the protocol: the parts that need no server."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import EndpointTooSlow
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.protocol.virtuoso import (
    PlainLabels,
    as_requested,
    check_complete,
    is_virtuoso,
    respelled,
    with_plain_descriptions,
)

TRUE = Literal("true", datatype=XSD.boolean)
ONE = Literal("1", datatype=XSD.integer)
# As it writes an object of its JSON rows.
LABEL = b'{ "type": "bnode", "value": "nodeID://%d" }'


@given(
    st.lists(st.integers(0, 10**6) | st.text(max_size=8)), st.lists(st.integers(1, 60), min_size=1), st.integers(1, 99)
)
def test_labels_become_labels_wherever_the_pieces_end(values: list[int | str], pieces: list[int], wanted: int) -> None:
    told = b"".join(
        LABEL % value if isinstance(value, int) else json.dumps(value.replace("nodeID", "")).encode()
        for value in values
    )
    rest = memoryview(told)
    turn = 0

    def read(size: int) -> bytes:
        nonlocal rest, turn
        turn += 1
        length = min(size, pieces[turn % len(pieces)])
        piece, rest = bytes(rest[:length]), rest[length:]
        return piece

    labels = PlainLabels(read)
    got = b""
    while piece := labels.read(wanted):
        assert len(piece) <= wanted
        got += piece
    assert got == told.replace(b'"nodeID://', b'"')


def test_a_text_about_labels_is_left_alone() -> None:
    text = json.dumps('"bnode", "value": "nodeID://b1"').encode()
    pieces = iter([text, b"", b""])
    labels = PlainLabels(lambda size: next(pieces))
    assert labels.read(1_000) + labels.read(1_000) == text


def test_truth_values() -> None:
    assert respelled(Literal("1", datatype=XSD.boolean)) == TRUE
    assert respelled(ONE) == ONE
    assert respelled(NamedNode("http://example.org/1")) == NamedNode("http://example.org/1")
    assert as_requested(ONE, {TRUE}) == TRUE
    assert as_requested(ONE, {TRUE, ONE}) == ONE
    assert as_requested(ONE, {Literal("false", datatype=XSD.boolean)}) == ONE


def test_what_its_headers_say() -> None:
    assert is_virtuoso({"server": "Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu"})
    assert not is_virtuoso({"server": "Oxigraph/0.5"})
    assert not is_virtuoso({})
    check_complete({"x-sql-state": "00000"}, "http://example.org/sparql")
    with pytest.raises(EndpointTooSlow, match="a part of the results"):
        check_complete({"x-sql-state": "S1TAT"}, "http://example.org/sparql")


def test_only_a_description_gets_a_mode() -> None:
    assert with_plain_descriptions("describe <a:b>").startswith("define sql:describe-mode")
    assert with_plain_descriptions("ASK {}") == "ASK {}"
