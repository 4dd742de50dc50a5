"""A sample graph in memory, in a workspace or on a server of its own, opened as a session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of
from tests.helpers.virtuoso_server import load, virtuoso_server


@contextmanager
def opened(name: str) -> Iterator[Session]:
    """A session with one source."""
    session = session_of(name)
    try:
        yield session
    finally:
        session.close()


@contextmanager
def sample_at(place: str, name: str) -> Iterator[Session]:
    """A sample graph somewhere.

    Args:
        place: memory, workspace, oxigraph server or virtuoso.
        name: such as `sample:xplacer`.
    """
    if place == "memory":
        with opened(name) as session:
            yield session
    elif place == "workspace":
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            workspace = Path(folder) / "workspace"
            load_into(workspace, [name])
            with opened(str(workspace)) as session:
                yield session
    elif place == "virtuoso":
        with opened(name) as session:
            quads = list(session.store.match())
        with virtuoso_server() as address:
            load(address, quads)
            with opened(address) as session:
                yield session
    else:
        with opened(name) as session:
            triples = "\n".join(f"{quad.triple} ." for quad in session.store.match())
        with oxigraph_server() as address:
            store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
            store.update(f"INSERT DATA {{\n{triples}\n}}")
            store.close()
            with opened(f"{address}/query") as session:
                yield session
