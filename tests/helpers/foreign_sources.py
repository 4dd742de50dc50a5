"""Open a foreign source in a test, and look into it."""

from __future__ import annotations

from pathlib import Path

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource
from tests.helpers.sessions import session_of

DATA = Path(__file__).resolve().parents[1] / "unit/interchange/data"


def statements(path: Path) -> set[Quad]:
    """All statements of a source."""
    session = session_of(path)
    try:
        return set(session.store.match())
    finally:
        session.close()


def labels(session: Session, resources: object) -> set[str]:
    """The labels of resources."""
    return {
        quad.object.value
        for resource in resources  # type: ignore[attr-defined]
        for quad in session.store.match(resource, RDFS.label)
        if isinstance(quad.object, Literal)
    }


def labelled(session: Session, label: str) -> Resource:
    """The one resource with this label."""
    (found,) = {quad.subject for quad in session.store.match(None, RDFS.label, Literal(label))}
    assert isinstance(found, NamedNode)
    return found
