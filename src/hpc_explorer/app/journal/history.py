"""The history of a resource: its edits, and the origin of each of its statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.finding import reference
from hpc_explorer.app.journal.journal import Blame, JournalEntry, changes
from hpc_explorer.app.views import PropertyView, ResourceRef, source_title
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.terms import Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

MOST_EDITS = 1_000
"""The most edits listed."""


@dataclass(frozen=True)
class StatedValue:
    """A value of a resource with its origin.

    Args:
        label: the label of the property.
        text, detail: the value for people.
        entry: the edit that added it; None if it comes from a source.
        source: the name of the graph's source; empty if it has none.
    """

    quad: Quad
    label: str
    text: str
    detail: str
    entry: JournalEntry | None
    source: str

    @property
    def origin(self) -> str:
        """A short text for the origin."""
        if self.entry is not None:
            by = f" by {self.entry.who}" if self.entry.who else ""
            return f"edit {self.entry.revision}{by}, {moment(self.entry.when)}"
        return self.source or "unknown"


@dataclass(frozen=True)
class ResourceHistory:
    """The history of a resource.

    Args:
        edits: newest first.
        more: whether there are more edits.
        values: empty for a deleted resource.
    """

    ref: ResourceRef
    edits: tuple[JournalEntry, ...]
    more: bool
    values: tuple[StatedValue, ...]


def resource_history(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> ResourceHistory:
    """The history of a resource, which may be deleted.

    Raises:
        StoreError: the journal cannot be read.
    """
    edits = changes(session, limit=MOST_EDITS + 1, about=resource, limits=limits)
    put_in: dict[Quad, JournalEntry] = {}
    for entry in edits:
        for quad in entry.added:
            put_in.setdefault(quad, entry)
    try:
        outgoing = describe_resource(session, resource, limits=limits).outgoing
    except UnknownResource:
        outgoing = ()
    names = {graph: source_title(source.summary.name) for source in session.opened for graph in source.graphs}
    values = tuple(
        StatedValue(quad, label, text, detail, put_in.get(quad), names.get(quad.graph_name, ""))
        for quad, label, text, detail in _stated(resource, outgoing)
    )
    return ResourceHistory(reference(session, resource), edits[:MOST_EDITS], len(edits) > MOST_EDITS, values)


def _stated(resource: Resource, outgoing: tuple[PropertyView, ...]) -> Iterator[tuple[Quad, str, str, str]]:
    for one in outgoing:
        for value in one.values:
            for graph in value.graphs:
                if graph != INFERRED:
                    yield Quad(resource, one.predicate, value.term, graph), one.label, value.text, value.detail


def blame_lines(blame: Blame) -> tuple[str, ...]:
    """The origin of a statement, as sentences."""
    lines: list[str] = []
    entry = blame.entry
    if entry is not None:
        lines.append(f"Put in by edit {entry.revision}: {entry.words or 'an edit'}.")
        lines.append(f"{moment(entry.when)}{f', {entry.who}' if entry.who else ''}.")
        if entry.why:
            lines.append(f"Why: {entry.why}")
    elif blame.source:
        at = f", line {blame.line:,}" if blame.line is not None else ""
        lines.append(f"{source_title(blame.source)} says it{at}.")
        if blame.path is not None:
            lines.append(str(blame.path))
        if blame.version is not None and blame.version > 1:
            lines.append(f"Since version {blame.version} of this source.")
        if blame.recorded is not None:
            lines.append(f"Recorded since {moment(blame.recorded)}.")
    else:
        lines.append("Its origin is unknown: its graph belongs to no source, and no edit added it.")
    if blame.also:
        graphs = "graph says" if len(blame.also) == 1 else "graphs say"
        lines.append(f"{len(blame.also)} more {graphs} the same.")
    return tuple(lines)


def moment(when: datetime) -> str:
    """A time in the local timezone."""
    return when.astimezone().strftime("%Y-%m-%d %H:%M")
