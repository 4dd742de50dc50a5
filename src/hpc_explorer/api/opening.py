"""Open sources as one graph."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.api.graph import Graph
from hpc_explorer.api.statements import Statements, statements_of_rdflib
from hpc_explorer.api.values import several
from hpc_explorer.app.workspace.opening import open_sources, open_statements
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    import rdflib


def open(
    *sources: str | Path | Statements | rdflib.Graph,
    write: bool = False,
    infer: bool = False,
    timeout: float | None = None,
    skip_damaged: bool = False,
    allow_remote_contexts: bool = False,
    servers: str | Iterable[str] = (),
) -> Graph:
    """Open sources as one graph. Close it with `close()`, or use it in a `with` block.

    Args:
        sources: files, folders, `sample:NAME`, http(s) addresses of documents, graphs of rdflib, or `Statements`; or
            one workspace or one SPARQL endpoint alone.
        write: keep other programs from changing the workspace, so that it can be edited here. Files need no such
            thing: their edits are kept in a draft.
        infer: include what follows by RDFS and OWL 2 RL rules.
        timeout: the seconds that opening, and each later call, may take; None for no limit.
        skip_damaged: skip statements with syntax errors; `Graph.missing` lists them.
        allow_remote_contexts: fetch JSON-LD contexts that are not known offline.
        servers: the hosts that queries may ask with SERVICE.

    Raises:
        InputError: a source cannot be opened.
        ServerError: a server does not answer as it should.
        DeadlineExceeded: it took too long.

    >>> import hpc_explorer as hx
    >>> g = hx.open("sample:xplacer")
    >>> g
    Graph of sample:xplacer: 1,058 triples
    >>> g.close()
    """
    if not sources:
        raise UsageError("no graph is named", "hx.open()", "name a file, a folder, a server or sample:NAME")
    graph = Graph(Session.new(), timeout, frozenset(several(servers)), write=write)
    try:
        names = [str(one) for one in sources if isinstance(one, (str, Path))]
        limits = graph._limits()
        if names:
            open_sources(
                graph._session,
                names,
                allow_remote_contexts=allow_remote_contexts,
                skip_damaged=skip_damaged,
                keep_workspace=write,
                limits=limits,
            )
            graph._session.lift_deadline()
        for number, one in enumerate((one for one in sources if not isinstance(one, (str, Path))), 1):
            made = one if isinstance(one, Statements) else statements_of_rdflib(_checked(one))
            open_statements(graph._session, made.quads, f"statements {number}", made._prefixes, limits=limits)
        if infer:
            graph.infer()
    except BaseException:
        graph.close()
        raise
    return graph


def _checked(source: Any) -> rdflib.Graph:
    if type(source).__module__.startswith("rdflib") or hasattr(source, "triples"):
        return source  # type: ignore[no-any-return]  # a subclass of another module has `triples` too
    raise UsageError(
        "such a thing cannot be opened",
        type(source).__name__,
        "give a file, a folder, an address, sample:NAME, a graph of rdflib, or Statements",
    )
