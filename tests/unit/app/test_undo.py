"""The stack of steps, where another thread turns them, and where steps equal each other."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.undo import UndoStack


@dataclass(frozen=True)
class Pin:
    """A step that equals another one of the same words."""

    words: str

    def undo(self) -> None:
        """Nothing is there to be changed."""

    def redo(self) -> None:
        """Nothing is there to be changed."""


def test_of_equal_steps_the_one_that_is_meant_is_turned() -> None:
    first, between, last = Pin("pin"), Pin("move"), Pin("pin")
    stack = UndoStack()
    for step in (first, between, last):
        stack.push(step)
    assert stack.undo()
    assert [id(step) for step in stack.done] == [id(between), id(first)]
    stack.mark_undone(first)
    assert [id(step) for step in stack.done] == [id(between)]
    stack.mark_redone(last)
    assert [id(step) for step in stack.done] == [id(last), id(between)]
    assert [id(step) for step in stack.undone] == [id(first)]


def test_a_step_that_is_not_there_turns_nothing() -> None:
    stack = UndoStack()
    stack.push(Pin("pin"))
    told: list[None] = []
    stack.subscribe(lambda: told.append(None))
    stack.mark_undone(Pin("pin"))
    assert stack.undo_words == "pin"
    assert not stack.undone
    assert not told


def test_steps_of_before_lie_under_those_of_now() -> None:
    stack = UndoStack()
    stack.push(Pin("now"))
    stack.resume([Pin("first"), Pin("second")], [Pin("forgotten")])
    assert [step.words for step in stack.done] == ["now", "second", "first"]
    assert not stack.undone


def test_an_edit_is_a_step_or_lies_with_the_draft_that_was_begun_for_it() -> None:
    stack = UndoStack()
    stack.take(Pin("one"), None)
    stack.take(None, None)
    stack.take(Pin("two"), ([Pin("draft"), Pin("two")], []))
    assert [step.words for step in stack.done] == ["one", "two", "draft"]
