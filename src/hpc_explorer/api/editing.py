"""Edit a graph from Python, as one edit of its journal."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from hpc_explorer.api.values import Resource, term_of
from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.errors import UnknownResource, UsageError
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad, Term
from hpc_explorer.rdf.terms import Resource as Node
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    from hpc_explorer.api.opened import OpenGraph


class Edit:
    """Statements to remove and to add, made together when the block ends; nothing is changed if it raises.

    The files of the graph do not change: the edit is kept in a draft, with its journal, until it is pushed with
    `hpc-explorer journal push` or in the window. `Graph.undo` takes it back.

    Attributes:
        revision: the number of the edit in the journal; None before the end, or where nothing changed.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     with g.edit("Licence of a model", why="It was missing") as edit:
    ...         edit.set("randomForest.onnx", "hpc:license", "MIT")
    ...     g.describe("randomForest.onnx")["license"]
    ...     g.undo()
    ['MIT']
    'Licence of a model'
    """

    def __init__(self, graph: OpenGraph, words: str, why: str) -> None:
        self._graph = graph
        self._words = words
        self._why = why
        self._removed: dict[Quad, None] = {}
        self._added: dict[Quad, None] = {}
        self.revision: int | None = None

    def add(self, subject: str, predicate: str, value: object) -> None:
        """Add a statement.

        Args:
            subject: a resource of the graph by its name, prefixed name or IRI; or a new one by its IRI.
            predicate: a property by its prefixed name or IRI; `a` is rdf:type.
            value: a number, time or text, which is a literal; or a resource: `g["name"]` or `edit.resource("ex:new")`.

        Raises:
            UsageError: there is no statement about a value of this type.
            UnknownPrefix, InvalidIri: a name cannot be read.
            UnknownResource: several resources have the name.
        """
        from hpc_explorer.app.forms.annotating import graph_for

        node = self._subject(subject)
        home = next((quad.graph_name for quad in self._added if quad.subject == node), None)
        graph = graph_for(self._graph._session, node, limits=self._graph._limits()) if home is None else home
        self._added[Quad(node, self._predicate(predicate), term_of(value), graph)] = None

    def remove(self, subject: str, predicate: str, value: object = None) -> None:
        """Remove a statement, or all values of a property; the arguments are those of `add`.

        Args:
            value: None for every value.

        Raises:
            UsageError: there is no such statement.
        """
        node, term = self._subject(subject), self._predicate(predicate)
        wanted = None if value is None else term_of(value)
        found = self._stated(node, term, wanted)
        if not found:
            text = f"{subject} {predicate} {'' if value is None else value}".strip()
            raise UsageError("this statement is not there to be removed", text, "check its value and its datatype")
        self._removed.update(dict.fromkeys(found))

    def set(self, subject: str, predicate: str, value: object) -> None:
        """Replace all values of a property by one; the arguments are those of `add`."""
        node, term = self._subject(subject), self._predicate(predicate)
        self._removed.update(dict.fromkeys(self._stated(node, term, None)))
        self.add(subject, predicate, value)

    def resource(self, iri: str) -> Resource:
        """A resource by its IRI or prefixed name, whether the graph has it or not.

        Raises:
            UnknownPrefix, InvalidIri: it cannot be read.
        """
        return Resource._of(self._graph._session.prefixes.resolve(iri), self._graph)

    def __enter__(self) -> Edit:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        from hpc_explorer.app.journal.edit_steps import EditStep
        from hpc_explorer.app.journal.editing import start_editing_for

        if kind is not None or not (self._removed or self._added):
            return
        session, limits = self._graph._session, self._graph._limits()
        change = ChangeSet(tuple(self._removed), tuple(self._added), self._words, self._why)
        step = EditStep.made(session, start_editing_for(session, change, limits=limits))
        if step is not None:
            self.revision = step.revision

    def __repr__(self) -> str:
        parts = f"{counted(len(self._removed), 'statement')} to remove, {len(self._added):,} to add"
        return f"Edit {self._words!r}: {parts}" if self.revision is None else f"Edit {self.revision}: {self._words}"

    def _subject(self, text: str) -> Node:
        if isinstance(text, Resource):
            return text.node
        session = self._graph._session
        try:
            return resolve(session, text, limits=self._graph._limits())
        except UnknownResource:
            if ":" not in text:
                raise
            return session.prefixes.resolve(text)

    def _stated(self, node: Node, predicate: NamedNode, value: Term | None) -> tuple[Quad, ...]:
        from hpc_explorer.app.journal.editing_by_file import matching

        return matching(self._graph._session, node, predicate, value, limits=self._graph._limits())

    def _predicate(self, text: str) -> NamedNode:
        return RDF.type if text == "a" else self._graph._session.prefixes.resolve(str(text))
