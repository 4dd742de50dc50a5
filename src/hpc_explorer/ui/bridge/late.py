"""Parts of the window that are made when they are first needed, and the commands of such parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
P = TypeVar("P")


class Late(Generic[T]):
    """A part of the window, such as a page with its controller, that is made when it is first needed.

    Commands are declared before: `does` makes the part, `has` does not.

    Args:
        make: makes the part; called once.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: T | None = None

    @property
    def made(self) -> T | None:
        """The part; None before it is needed."""
        return self._made

    def get(self) -> T:
        """The part, which is made if necessary."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def does(self, step: Callable[[T], object]) -> Callable[[], object]:
        """A function that takes a step with the part, which is made if necessary."""
        return lambda: step(self.get())

    def has(self, condition: Callable[[T], bool], *, before: bool = False) -> Callable[[], bool]:
        """A function that returns whether a condition holds for the part.

        Args:
            before: what it returns before the part is made.
        """

        def holds() -> bool:
            made = self.made
            return before if made is None else condition(made)

        return holds

    def part(self, of: Callable[[T], P]) -> Late[P]:
        """Something that belongs to the part and is made with it."""
        return _PartOf(self, of)


class _PartOf(Late[P], Generic[T, P]):
    def __init__(self, whole: Late[T], of: Callable[[T], P]) -> None:
        super().__init__(lambda: of(whole.get()))
        self._whole, self._of = whole, of

    @property
    def made(self) -> P | None:
        whole = self._whole.made
        return None if whole is None else self._of(whole)
