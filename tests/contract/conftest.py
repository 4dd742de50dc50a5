"""The stores that the contract is tried on, each filled in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import DefaultGraph, Literal, Quad
from hpc_explorer.stores.base import Store
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.stoppable import StoppableStore
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.virtuoso_server import MOST_ROWS, kill_spare_servers, virtuoso_server
from tests.helpers.virtuoso_server import load as load_into_virtuoso


def pytest_sessionfinish() -> None:
    kill_spare_servers()


BACKENDS = (
    "memory",
    "disk",
    "memory, reader process",
    "disk, reader process",
    "oxigraph server",
    "oxigraph server, union",
    "virtuoso",
)


@dataclass(frozen=True)
class Backend:
    """A store to be tried, empty at first.

    Args:
        fill: puts quads into it.
        merges_graphs: whether queries see a triple that two graphs state once, as SPARQL 1.1 wants it.
        spelled: the literals that come back in another spelling of the same value.
        lost: the literals that it cannot keep, with the reason.
        walks_in_circles: whether a property path `p+` from a resource leads back to it.
        most_rows: it cuts longer answers off; None: it does not.
    """

    name: str
    store: Store
    fill: Callable[[Iterable[Quad]], None]
    merges_graphs: bool = True
    spelled: Mapping[Literal, Literal] = field(default_factory=dict)
    lost: Mapping[Literal, str] = field(default_factory=dict)
    walks_in_circles: bool = True
    most_rows: int | None = None


BIG_INTEGER = Literal("123456789012345678901234567890", datatype=XSD.integer)
SPELLED_BY_VIRTUOSO = {
    Literal("2021-03-09T12:30:00.25+02:00", datatype=XSD.dateTime): Literal(
        "2021-03-09T12:30:00.250+02:00", datatype=XSD.dateTime
    ),
}


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A server whose default graph is one beside the named ones."""
    with oxigraph_server() as address:
        yield address


@pytest.fixture(scope="session")
def union_server() -> Iterator[str]:
    """A server whose default graph is the union of all."""
    with oxigraph_server("--union-default-graph") as address:
        yield address


@pytest.fixture(scope="session")
def virtuoso() -> Iterator[str]:
    """A Virtuoso, whose default graph is the union of all."""
    with virtuoso_server() as address:
        yield address


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """Each of the stores."""
    name: str = request.param
    place, _, answered_by = name.partition(", ")
    if place in ("memory", "disk"):
        local = LocalStore.in_memory() if place == "memory" else LocalStore.on_disk(tmp_path / "store")

        def load(quads: Iterable[Quad]) -> None:
            quads = list(quads)
            local.add_quads(quads)
            local.settle({quad.graph_name for quad in quads})

        store = StoppableStore(local) if answered_by == "reader process" else local
        yield Backend(name, store, load)
        store.close()
        return
    if name == "virtuoso":
        address = request.getfixturevalue("virtuoso")
        cleaner = RemoteStore(address, update_address=address)
        for graph in cleaner.graphs():
            cleaner.update(f"CLEAR GRAPH {graph}")
        cleaner.close()
        remote = RemoteStore(address, update_address=address)
        yield Backend(
            name,
            remote,
            lambda quads: load_into_virtuoso(address, quads),
            merges_graphs=False,
            spelled=SPELLED_BY_VIRTUOSO,
            lost={
                BIG_INTEGER: "an integer of more than 32 bits becomes a decimal when loaded, and none of more than 64 is found"
            },
            walks_in_circles=False,
            most_rows=MOST_ROWS,
        )
        remote.close()
        return
    address = request.getfixturevalue("union_server" if "union" in name else "server")
    remote = RemoteStore(f"{address}/query", update_address=f"{address}/update")
    remote.update("DROP ALL")
    yield Backend(name, remote, lambda quads: remote.update(insertion(quads)), merges_graphs=False)
    remote.close()


def insertion(quads: Iterable[Quad]) -> str:
    """The update that adds these quads."""
    lines = []
    for quad in quads:
        triple = f"{quad.subject} {quad.predicate} {quad.object} ."
        lines.append(triple if isinstance(quad.graph_name, DefaultGraph) else f"GRAPH {quad.graph_name} {{ {triple} }}")
    return "INSERT DATA { " + "\n".join(lines) + " }"


@pytest.fixture
def store(backend: Backend) -> Store:
    """The store alone."""
    return backend.store
