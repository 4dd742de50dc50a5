"""An open graph view: its state, changed by undoable steps."""

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
    """A view and its changes.

    Args:
        undo: the shared undo stack.
    """

    def __init__(self, undo: UndoStack, view: GraphView | None = None) -> None:
        self._undo = undo
        self._view = view or GraphView()
        self._subscribers: list[Callable[[GraphView], None]] = []

    @property
    def view(self) -> GraphView:
        """The current view."""
        return self._view

    def change(self, after: GraphView, words: str) -> None:
        """Set the view as an undoable step with this name; does nothing if it is unchanged."""
        patch = difference(self._view, after, words)
        if not patch.empty:
            self._take(after)
            self._undo.push(_ViewStep(self, patch))

    def settle(self, after: GraphView) -> None:
        """Set the view as part of the last step, such as a layout or selection, to be undone with it.

        If the last step belongs to another document, this change is not undoable by itself.
        """
        last = self._undo.last
        if isinstance(last, _ViewStep) and last.document is self:
            last.patch = last.patch.then(difference(self._view, after, last.words))
        self._take(after)

    @property
    def history(self) -> History:
        """The steps of this view that can be undone and redone."""
        return History(
            tuple(step.patch for step in self._undo.done if self.has(step)),
            tuple(step.patch for step in self._undo.undone if self.has(step)),
        )

    def carry(self, view: GraphView, history: History) -> None:
        """Show the same view of another graph with its undo history.

        Args:
            history: for each step of `self.history` its change there; None removes the step.
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
        """Show another view and drop the steps of the previous one."""
        self._take(view)
        self._undo.forget(self.has)

    def subscribe(self, callback: Callable[[GraphView], None]) -> None:
        """Call a function with each new state."""
        self._subscribers.append(callback)

    def has(self, step: Step) -> TypeGuard[_ViewStep]:
        """Whether a step belongs to this view."""
        return isinstance(step, _ViewStep) and step.document is self

    def _take(self, view: GraphView) -> None:
        self._view = view
        for callback in self._subscribers:
            callback(view)
