"""A graph view that is open: its present state, changed by steps that can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeGuard

from hpc_explorer.app.undo import Step, UndoStack
from hpc_explorer.canvas.view.patch import History, Patch, difference, patched
from hpc_explorer.canvas.view.state import GraphView


@dataclass
class _ViewStep:
    document: ViewDocument
    patch: Patch

    @property
    def words(self) -> str:
        return self.patch.words

    def undo(self) -> None:
        self.document._take(patched(self.document.view, self.patch.inverse()))

    def redo(self) -> None:
        self.document._take(patched(self.document.view, self.patch))


class ViewDocument:
    """A view, and the way to change it.

    Args:
        undo: where its steps go, shared with everything else that can be undone.
    """

    def __init__(self, undo: UndoStack, view: GraphView | None = None) -> None:
        self._undo = undo
        self._view = view or GraphView()
        self._subscribers: list[Callable[[GraphView], None]] = []

    @property
    def view(self) -> GraphView:
        """The view as it is now."""
        return self._view

    def change(self, after: GraphView, words: str) -> None:
        """Make `after` the view, as a step to be undone under these words; nothing if it is as before."""
        patch = difference(self._view, after, words)
        if not patch.empty:
            self._take(after)
            self._undo.push(_ViewStep(self, patch))

    def settle(self, after: GraphView) -> None:
        """Make `after` the view as a part of the last step: where a layout put things, what is selected.

        Undo then goes back behind both. Where the last step was another's, this one is not undone by itself.
        """
        last = self._undo.last
        if isinstance(last, _ViewStep) and last.document is self:
            last.patch = last.patch.then(difference(self._view, after, last.words))
        self._take(after)

    @property
    def history(self) -> History:
        """The steps of this view that can be taken back and done again."""
        return History(
            tuple(step.patch for step in self._undo.done if self.has(step)),
            tuple(step.patch for step in self._undo.undone if self.has(step)),
        )

    def carry(self, view: GraphView, history: History) -> None:
        """Show the same view of another graph, with the steps to and fro as they are there.

        Args:
            history: for each step of `self.history` what it does there; one that it lost is forgotten.
        """
        if view != self._view:
            self._take(view)
        lost = []
        for steps, patches in ((self._undo.done, history.done), (self._undo.undone, history.undone)):
            own = [step for step in steps if self.has(step)]
            for step, patch in zip(own, patches, strict=True):
                if patch is None:
                    lost.append(step)
                else:
                    step.patch = patch
        self._undo.forget(lambda step: any(step is one for one in lost))

    def begin(self, view: GraphView) -> None:
        """Show another view: one that was read, or the same of another graph. What was done before is forgotten."""
        self._take(view)
        self._undo.forget(self.has)

    def subscribe(self, callback: Callable[[GraphView], None]) -> None:
        """Be told of each new state."""
        self._subscribers.append(callback)

    def has(self, step: Step) -> TypeGuard[_ViewStep]:
        """Whether a step is one of this view."""
        return isinstance(step, _ViewStep) and step.document is self

    def _take(self, view: GraphView) -> None:
        self._view = view
        for callback in self._subscribers:
            callback(view)
