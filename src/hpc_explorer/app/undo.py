"""The undo stack, for changes of views and of data alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Step(Protocol):
    """Something that can be undone and redone."""

    @property
    def words(self) -> str:
        """Its description, shown in a menu after "Undo"."""
        ...

    def undo(self) -> None:
        """Undo it."""
        ...

    def redo(self) -> None:
        """Redo it after it was undone."""
        ...


@dataclass
class StateStep(Generic[T]):
    """A change from one state to another.

    Args:
        words: its description, shown in a menu after "Undo".
        show: sets a state.
    """

    words: str
    before: T
    after: T
    show: Callable[[T], None]

    def undo(self) -> None:
        """Undo it."""
        self.show(self.before)

    def redo(self) -> None:
        """Redo it after it was undone."""
        self.show(self.after)


class UndoStack:
    """The done and the undone steps. A step that raises in `undo` or `redo` stays where it is."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self.turned: Step | None = None
        """The step that was last undone or redone."""
        self._subscribers: list[Callable[[], None]] = []

    @property
    def undo_words(self) -> str | None:
        """The description of the next step to undo; None if there is none."""
        return self._done[-1].words if self._done else None

    @property
    def redo_words(self) -> str | None:
        """The description of the next step to redo; None if there is none."""
        return self._undone[-1].words if self._undone else None

    @property
    def last(self) -> Step | None:
        """The next step to undo."""
        return self._done[-1] if self._done else None

    @property
    def done(self) -> tuple[Step, ...]:
        """The steps that can be undone, the next one first."""
        return tuple(reversed(self._done))

    @property
    def undone(self) -> tuple[Step, ...]:
        """The steps that can be redone, the next one first."""
        return tuple(reversed(self._undone))

    def push(self, step: Step) -> None:
        """Add a step that was just done; undone steps are dropped."""
        self._done.append(step)
        self._undone.clear()
        self._notify()

    def resume(self, done: Iterable[Step], undone: Iterable[Step] = ()) -> None:
        """Insert steps of an earlier session below the current ones.

        Args:
            done: steps that can be undone, oldest first.
            undone: steps that can be redone, the next one last; ignored if there are current steps.
        """
        if not self._done and not self._undone:
            self._undone = list(undone)
        self._done[:0] = done
        self._notify()

    def take(self, step: Step | None, resumed: tuple[Iterable[Step], Iterable[Step]] | None) -> None:
        """Add the steps of an edit.

        Args:
            step: its step; None if it changed nothing.
            resumed: if a draft was begun for it, the done and undone steps of the draft, including this one.
        """
        if resumed is not None:
            self.resume(*resumed)
        elif step is not None:
            self.push(step)

    def undo(self) -> bool:
        """Undo the last step; False if there is none."""
        if not self._done:
            return False
        step = self._done[-1]
        step.undo()
        self.mark_undone(step)
        return True

    def redo(self) -> bool:
        """Redo the step undone last; False if there is none."""
        if not self._undone:
            return False
        step = self._undone[-1]
        step.redo()
        self.mark_redone(step)
        return True

    def mark_undone(self, step: Step) -> None:
        """Record that a step was undone, for example in another thread."""
        if _taken_out(self._done, step):
            self._undone.append(step)
            self.turned = step
            self._notify()

    def mark_redone(self, step: Step) -> None:
        """Record that a step was redone."""
        if _taken_out(self._undone, step):
            self._done.append(step)
            self.turned = step
            self._notify()

    def forget(self, gone: Callable[[Step], bool]) -> None:
        """Drop steps that can no longer be undone or redone."""
        self._done = [step for step in self._done if not gone(step)]
        self._undone = [step for step in self._undone if not gone(step)]
        self._notify()

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Call back after each change of the stack."""
        self._subscribers.append(callback)

    def _notify(self) -> None:
        for callback in self._subscribers:
            callback()


def _taken_out(steps: list[Step], step: Step) -> bool:
    """Remove a step by identity; returns whether it was there."""
    place = next((place for place in reversed(range(len(steps))) if steps[place] is step), None)
    if place is not None:
        del steps[place]
    return place is not None
