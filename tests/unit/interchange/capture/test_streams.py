"""The address of a stream names its server, database and stream, and never shows a password."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import UsageError
from hpc_explorer.interchange.capture.streams import StreamAddress, is_stream_address, number_of, stream_address
from hpc_explorer.rdf.terms import NamedNode


@pytest.mark.parametrize(
    ("name", "server", "stream"),
    [
        ("redis://host", "redis://host/0", "hpc-explorer"),
        ("redis://host:6379/3", "redis://host:6379/3", "hpc-explorer"),
        ("redis://host:6379/runs", "redis://host:6379/0", "runs"),
        ("redis://host:6379/3/runs", "redis://host:6379/3", "runs"),
        ("REDISS://user:secret@host/runs%2Fa", "rediss://user:secret@host/0", "runs/a"),
    ],
)
def test_an_address_names_server_and_stream(name: str, server: str, stream: str) -> None:
    assert is_stream_address(name)
    assert stream_address(name) == StreamAddress(server, stream)


@given(st.text(min_size=1) | st.integers(0, 99).map(str), st.integers(0, 15))
def test_the_iri_of_a_stream_is_its_address(stream: str, database: int) -> None:
    try:
        stream.encode()
    except UnicodeEncodeError:
        return
    address = StreamAddress(f"redis://host:6379/{database}", stream)
    assert stream_address(address.iri) == address
    assert NamedNode(address.iri)


@pytest.mark.parametrize("name", ["redis://host:6379/runs", "redis://host:6379/3/runs", "rediss://host/0/7"])
def test_messages_name_the_address_as_it_was_typed(name: str) -> None:
    assert stream_address(name).iri == name


def test_a_password_is_not_shown() -> None:
    address = stream_address("redis://user:secret@host:1/runs")
    assert "secret" in address.server
    assert "secret" not in address.iri


@pytest.mark.parametrize("name", ["redis://", "redis://host:x/a", "redis://host:99999/a", "redis://host/0/a/b"])
def test_another_address_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(UsageError):
        stream_address(name)


def test_later_entries_have_greater_numbers() -> None:
    numbers = [number_of(identity) for identity in (b"0-1", b"5-0", b"5-18446744073709551615", b"6-0", b"6")]
    assert numbers == sorted(numbers)
    assert numbers[-1] == numbers[-2]
