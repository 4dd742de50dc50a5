"""An open graph: its sources, its resources by name, and the limits of its calls."""

from __future__ import annotations

from collections.abc import Collection
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hpc_explorer.api.values import Resource, Value, limits_of, value_of
from hpc_explorer.app.explore.finding import references, resolve
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Limits

if TYPE_CHECKING:
    from hpc_explorer.app.views import ResourceRef
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.terms import Resource as Node
    from hpc_explorer.rdf.terms import Term


class OpenGraph:
    """A graph with its sources, until it is closed; `Graph` asks it."""

    def __init__(
        self, session: Session, timeout: float | None = None, servers: Collection[str] = (), *, write: bool = False
    ) -> None:
        self._open: Session | None = session
        self._servers = servers
        self._write = write
        self.timeout = timeout
        """The seconds that each call may take; None for no limit."""

    def close(self) -> None:
        """Close the graph; closing it again does nothing."""
        if self._open is not None:
            self._open.close()
        self._open = None

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._open is None

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources."""
        return tuple(source.name for source in self._session.sources)

    @property
    def missing(self) -> tuple[str, ...]:
        """What could not be read of the sources, one line each."""
        return tuple(f"{source.name}: {line}" for source in self._session.sources for line in source.missing)

    @property
    def prefixes(self) -> dict[str, str]:
        """The prefixes that names and queries may use."""
        return dict(self._session.prefixes)

    def __getitem__(self, name: str) -> Resource:
        """The resource with a name, a prefixed name or an IRI.

        Raises:
            UnknownResource: there is none, or there are several.
        """
        return Resource._of(self._node(name), self)

    def __contains__(self, name: object) -> bool:
        from hpc_explorer.errors import InputError

        try:
            self._node(str(name))
        except InputError:
            return False
        return True

    def __len__(self) -> int:
        from hpc_explorer.app.explore.describing import stated_triples

        return stated_triples(self._session, self._limits()).value

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._open is None:
            return "Graph, closed"
        from hpc_explorer.app.explore.describing import stated_triples

        return f"Graph of {', '.join(self.sources)}: {stated_triples(self._open, self._limits())} triples"

    @property
    def _session(self) -> Session:
        if self._open is None:
            raise UsageError("the graph is closed", "", "open it again with hx.open")
        return self._open

    def _limits(self) -> Limits:
        return limits_of(self.timeout, self._servers)

    def _node(self, resource: object) -> Node:
        if not isinstance(resource, str):  # whatever a caller gives
            remedy = "give a text or a Resource; of several, take one: found[0]"
            raise UsageError("a resource is given by its name or IRI", f"not a {type(resource).__name__}", remedy)
        return (
            resource.node if isinstance(resource, Resource) else resolve(self._session, resource, limits=self._limits())
        )

    def _class(self, text: str) -> NamedNode:
        node = self._node(text)
        if not isinstance(node, NamedNode):
            raise UsageError("not the IRI of a class", text, "give an IRI or prefixed name")
        return node

    def _value(self, term: Term) -> Value:
        return value_of(term, self)

    def _references(self, nodes: Collection[Node]) -> dict[Node, ResourceRef]:
        return references(self._session, nodes, limits=self._limits())

    def _reference(self, node: Node) -> ResourceRef:
        return self._references([node])[node]
