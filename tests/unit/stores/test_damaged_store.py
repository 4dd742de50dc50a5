"""A store whose files were damaged says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from hpc_explorer.errors import StoreError
from hpc_explorer.stores.local.local import LocalStore

GRAPH = NamedNode("http://e/g")
P = NamedNode("http://e/p")
QUADS = [
    Quad(NamedNode(f"http://e/s{one}"), P, Literal(f"value {one}, longer than the key of an index"), GRAPH)
    for one in range(5_000)
]


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    store = LocalStore.on_disk(folder)
    store.add_quads(QUADS)
    store.optimize()
    store.close()
    for file in folder.glob("*.sst"):
        data = bytearray(file.read_bytes())
        if len(data) > 20_000:
            # All blocks of data, and not what tells where they are: with that gone the store does not open.
            for place in range(100, len(data) * 9 // 10, 200):
                data[place] ^= 0xFF
            file.write_bytes(data)
    return folder


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.graphs(),
        lambda store: store.holds(QUADS[2_500].triple),
        lambda store: store.stored_triples_of(QUADS[2_500].subject),
    ],
    ids=["graphs", "holds", "stored triples"],
)
def test_it_is_named(damaged: Path, ask: Callable[[LocalStore], object]) -> None:
    store = LocalStore.read_only(damaged, size=len(QUADS), merged=False)
    with pytest.raises(StoreError, match="damaged"):
        ask(store)
    store.close()
