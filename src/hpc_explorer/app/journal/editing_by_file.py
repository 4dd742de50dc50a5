"""Edit by file: statements to remove and to add as files of any RDF syntax, or both in one RDF Patch; for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from hpc_explorer.app.journal.edit_steps import EditStep, is_stated, journal_steps
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import SourceUnreadable, UsageError
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.syntax.rdf_patch import blank_nodes_of, read_patch
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import DefaultGraph, NamedNode, Quad
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
    """The change that files mean, to be made as one edit.

    Args:
        add: files with statements to add; their blank nodes are new ones.
        remove: files with statements to remove.
        patches: RDF Patches, one after the other; a blank node in them is the one of that label.
        graph: where statements go, and are removed from, that name no graph; None: the only source there is.
        words, why: what the change is, and its reason.

    Raises:
        SourceNotFound, SourceUnreadable: a file is not there, or cannot be read.
        SourceSyntaxError, UnknownFormat: a file holds something else.
        UsageError: no graph is named and it is not clear which; or a statement to remove has a blank node, which no
            file but a patch can name, or is not there.
        Cancelled, DeadlineExceeded: by `limits`.
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


def undo_last(session: Session, number: int = 1) -> tuple[EditStep, ...]:
    """Take back the last edits that hold, one after the other; those that were taken back.

    Raises:
        UsageError: something touched what one of them did; those before it stay taken back.
        Unsupported, OutputNotWritable, StoreError: as `Session.edit`.
    """
    done, _ = journal_steps(session, most=number)
    turned = done[::-1]
    for step in turned:
        step.undo()
    return turned


def redo_last(session: Session, number: int = 1) -> tuple[EditStep, ...]:
    """Make again what was taken back last, as long as nothing else was edited since; those that were made again.

    Raises:
        UsageError, Unsupported, OutputNotWritable, StoreError: as `undo_last`.
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
