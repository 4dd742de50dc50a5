"""Make edits from files: statements to add or remove in any RDF syntax, or RDF Patches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from hpc_explorer.app.journal.edit_steps import EditStep, is_stated, journal_steps
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import SourceUnreadable, UsageError
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.syntax.rdf_patch import blank_nodes_of, read_patch
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import DefaultGraph, NamedNode, Quad, Resource, Term
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet, net_change

_CHECK_EVERY = 4096


def change_of_files(
    session: Session,
    *,
    add: Sequence[Path] = (),
    remove: Sequence[Path] = (),
    patches: Sequence[Path] = (),
    graph: NamedNode | None = None,
    words: str = "",
    why: str = "",
    allow_remote_contexts: bool = False,
    limits: Limits = NO_LIMITS,
) -> ChangeSet:
    """Read files as one change.

    Args:
        add: statements to add; their blank nodes are new.
        remove: statements to remove.
        patches: RDF Patches, in order; their blank node labels are those of the store.
        graph: for statements without a graph; None for that of the only source.
        words, why: the description and reason.

    Raises:
        SourceNotFound, SourceUnreadable: a file is missing or cannot be read.
        SourceSyntaxError, UnknownFormat: a file is invalid.
        UsageError: the graph is ambiguous; or a statement to remove has a blank node or does not exist.
    """
    home = graph or _only_graph(session)

    def placed(quads: Iterable[Quad]) -> Iterator[Quad]:
        for number, quad in enumerate(quads):
            if number % _CHECK_EVERY == 0:
                limits.check("reading the changes")
            if not isinstance(quad.graph_name, DefaultGraph):
                yield quad
                continue
            if home is None:
                known = ", ".join(source.summary.graph.value for source in session.opened)
                raise UsageError("which graph is edited is not clear", words, f"name one with --graph: {known}")
            yield Quad(quad.subject, quad.predicate, quad.object, home)

    def read(files: Sequence[Path]) -> tuple[Quad, ...]:
        found = (read_source(file, allow_remote_contexts=allow_remote_contexts).quads() for file in files)
        return tuple(placed(chain.from_iterable(found)))

    removed, added = read(remove), read(add)
    if blank_nodes_of(removed):
        raise UsageError(
            "a statement about a blank node cannot be removed by file",
            ", ".join(map(str, remove)),
            "a patch can name it, as `journal export` does",
        )
    for quad in removed:
        if not is_stated(session.store, quad):
            raise UsageError("this statement is not there to be removed", str(quad), "check its spelling and graph")
    changes = [ChangeSet(removed, added)]
    for patch in patches:
        for transaction in read_patch(_lines(patch), str(patch)):
            changes.append(ChangeSet(tuple(placed(transaction.removed)), tuple(placed(transaction.added))))
    net = net_change(changes) if patches else changes[0]
    files = ", ".join(file.name for file in (*remove, *add, *patches))
    return ChangeSet(net.removed, net.added, words or f"Edit by {files}", why)


def matching(
    session: Session, subject: Resource, predicate: NamedNode, value: Term | None, *, limits: Limits = NO_LIMITS
) -> tuple[Quad, ...]:
    """The stated values of a property, in all graphs, to be removed by an edit.

    Args:
        value: only this one; None for all.
    """
    found = session.store.match(subject, predicate, value, limits=limits)
    return tuple(quad for quad in found if quad.graph_name != INFERRED and value in (None, quad.object))


def undo_last(session: Session, number: int = 1) -> tuple[EditStep, ...]:
    """Undo the last edits, one after the other, and return them.

    Raises:
        UsageError: a later edit conflicts with one; those before it stay undone.
        Unsupported, OutputNotWritable, StoreError: see `Session.edit`.
    """
    done, _ = journal_steps(session, most=number)
    turned = done[::-1]
    for step in turned:
        step.undo()
    return turned


def redo_last(session: Session, number: int = 1) -> tuple[EditStep, ...]:
    """Redo the last undone edits, unless there was another edit, and return them.

    Raises:
        UsageError, Unsupported, OutputNotWritable, StoreError: see `undo_last`.
    """
    _, undone = journal_steps(session, most=number)
    turned = undone[::-1]
    for step in turned:
        step.redo()
    return turned


def _only_graph(session: Session) -> NamedNode | None:
    graphs = [source.summary.graph for source in session.opened]
    return graphs[0] if len(graphs) == 1 else None


def _lines(file: Path) -> Iterator[str]:
    try:
        with open(file, encoding="utf-8") as stream:
            yield from stream
    except OSError as error:
        raise input_error(error, file) from None
    except UnicodeDecodeError:
        raise SourceUnreadable("the file is no text in UTF-8", str(file), "a patch is text") from None
