"""What was done can be taken back, and done again: one line of steps over pictures and data alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Step(Protocol):
    """Something that was done."""

    @property
    def words(self) -> str:
        """What it is, as a menu says it after "Undo"."""
        ...

    def undo(self) -> None:
        """Take it back."""
        ...

    def redo(self) -> None:
        """Do it again after it was taken back."""
        ...


@dataclass
class StateStep(Generic[T]):
    """A state that became another one.

    Args:
        words: what was done, as a menu says it after "Undo".
        show: makes a state the one there is.
    """

    words: str
    before: T
    after: T
    show: Callable[[T], None]

    def undo(self) -> None:
        """Take it back."""
        self.show(self.before)

    def redo(self) -> None:
        """Do it again after it was taken back."""
        self.show(self.after)


class UndoStack:
    """The steps that were done, in their order, and those that were taken back.

    A step that raises when it is taken back or done again stays where it is.
    """

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self.turned: Step | None = None
        """The step that was taken back or done again last."""
        self._subscribers: list[Callable[[], None]] = []

    @property
    def undo_words(self) -> str | None:
        """What the next undo takes back; None: nothing was done."""
        return self._done[-1].words if self._done else None

    @property
    def redo_words(self) -> str | None:
        """What the next redo does again; None: nothing was taken back."""
        return self._undone[-1].words if self._undone else None

    @property
    def last(self) -> Step | None:
        """The step that the next undo takes back."""
        return self._done[-1] if self._done else None

    @property
    def done(self) -> tuple[Step, ...]:
        """The steps that can be taken back, the next one first."""
        return tuple(reversed(self._done))

    @property
    def undone(self) -> tuple[Step, ...]:
        """The steps that can be done again, the next one first."""
        return tuple(reversed(self._undone))

    def push(self, step: Step) -> None:
        """Remember a step that was just done; what was taken back before is then forgotten."""
        self._done.append(step)
        self._undone.clear()
        self._tell()

    def resume(self, done: Iterable[Step], undone: Iterable[Step] = ()) -> None:
        """Remember what was done before the program was started, under all that was done since.

        Args:
            done: those that can be taken back, the first of them first.
            undone: those that can be done again, the next one last; forgotten where something was done since.
        """
        if not self._done and not self._undone:
            self._undone = list(undone)
        self._done[:0] = done
        self._tell()

    def take(self, step: Step | None, resumed: tuple[Iterable[Step], Iterable[Step]] | None) -> None:
        """Remember what an edit did.

        Args:
            step: takes it back; None where nothing was new.
            resumed: the steps of the draft that was begun for it, done and undone, its own among them; None: none was.
        """
        if resumed is not None:
            self.resume(*resumed)
        elif step is not None:
            self.push(step)

    def undo(self) -> bool:
        """Take back the last step; False if there is none."""
        if not self._done:
            return False
        step = self._done[-1]
        step.undo()
        self.mark_undone(step)
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; False if there is nothing."""
        if not self._undone:
            return False
        step = self._undone[-1]
        step.redo()
        self.mark_redone(step)
        return True

    def mark_undone(self, step: Step) -> None:
        """Remember that a step was taken back, as by somebody who does that in another thread."""
        if _taken_out(self._done, step):
            self._undone.append(step)
            self.turned = step
            self._tell()

    def mark_redone(self, step: Step) -> None:
        """Remember that a step was done again; likewise."""
        if _taken_out(self._undone, step):
            self._done.append(step)
            self.turned = step
            self._tell()

    def forget(self, gone: Callable[[Step], bool]) -> None:
        """Leave out steps that can neither be taken back nor done again any more."""
        self._done = [step for step in self._done if not gone(step)]
        self._undone = [step for step in self._undone if not gone(step)]
        self._tell()

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Be told whenever what can be undone or redone changes."""
        self._subscribers.append(callback)

    def _tell(self) -> None:
        for callback in self._subscribers:
            callback()


def _taken_out(steps: list[Step], step: Step) -> bool:
    """Take the step itself out, not one that equals it; whether it was there."""
    place = next((place for place in reversed(range(len(steps))) if steps[place] is step), None)
    if place is not None:
        del steps[place]
    return place is not None
