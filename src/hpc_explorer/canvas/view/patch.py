"""The difference between two views, which can be applied and undone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from hpc_explorer.canvas.view.state import GraphView, with_place


@dataclass(frozen=True)
class Patch:
    """The changes of a step.

    Args:
        words: the step as shown after "Undo" in a menu: "expand used by".
        entries: by name of a mapping of the view: the old and new value of each key; None if absent.
        values: the old and new values of other fields.
    """

    words: str
    entries: Mapping[str, Mapping[Hashable, tuple[Any, Any]]]
    values: Mapping[str, tuple[Any, Any]]

    @property
    def empty(self) -> bool:
        """Whether nothing changes."""
        return not self.entries and not self.values

    def inverse(self) -> Patch:
        """The inverse patch."""
        return Patch(
            self.words,
            {name: {key: (new, old) for key, (old, new) in changed.items()} for name, changed in self.entries.items()},
            {name: (new, old) for name, (old, new) in self.values.items()},
        )

    def then(self, after: Patch) -> Patch:
        """Both patches combined, with the words of this one."""
        entries: dict[str, Mapping[Hashable, tuple[Any, Any]]] = dict(self.entries)
        for name, changed in after.entries.items():
            joined = dict(self.entries.get(name, {}))
            for key, (old, new) in changed.items():
                joined[key] = (joined.get(key, (old, None))[0], new)
            entries[name] = {key: (old, new) for key, (old, new) in joined.items() if old != new}
            if not entries[name]:
                del entries[name]
        values = dict(self.values)
        for name, (old, new) in after.values.items():
            values[name] = (values.get(name, (old, None))[0], new)
            if values[name][0] == values[name][1]:
                del values[name]
        return Patch(self.words, entries, values)


def difference(before: GraphView, after: GraphView, words: str) -> Patch:
    """The patch from one view to another."""
    entries: dict[str, Mapping[Hashable, tuple[Any, Any]]] = {}
    values: dict[str, tuple[Any, Any]] = {}
    for part in fields(GraphView):
        old, new = getattr(before, part.name), getattr(after, part.name)
        if old is new:
            continue
        if isinstance(old, Mapping):
            changed = {key: (value, new.get(key)) for key, value in old.items() if new.get(key) != value}
            changed.update((key, (None, value)) for key, value in new.items() if key not in old)
            if changed:
                entries[part.name] = changed
        elif old != new:
            values[part.name] = (old, new)
    return Patch(words, entries, values)


_SETTLED = frozenset({"places", "arranged", "selected"})
"""Fields that layouts and clicks also change, so a patch may find other values in them."""


def patched(view: GraphView, patch: Patch) -> GraphView:
    """The view after the patch.

    Raises:
        ValueError: the patch was made for another view.
    """
    new: dict[str, Any] = {}
    for name, changed in patch.entries.items():
        mapping = dict(getattr(view, name))
        for key, (before, after) in changed.items():
            if name not in _SETTLED and mapping.get(key) != before:
                raise ValueError(f"the view has something else at {key!r} of its {name} than the patch was made for")
            if after is None:
                mapping.pop(key, None)
            else:
                mapping[key] = after
        new[name] = mapping
    for name, (before, after) in patch.values.items():
        if name not in _SETTLED and getattr(view, name) != before:
            raise ValueError(f"the view has another value of {name} than the patch was made for")
        new[name] = after
    result = replace(view, **new)
    strays = result.places.keys() - with_place(result)
    if strays or result.selected - result.nodes.keys():
        places = {key: place for key, place in result.places.items() if key not in strays}
        result = replace(result, places=places, selected=result.selected & result.nodes.keys())
    return result


@dataclass(frozen=True)
class History:
    """The undo history of a view. None replaces a step that can no longer be applied.

    Args:
        done: the steps that led to the view, the latest first.
        undone: undone steps, the next one to redo first.
    """

    done: tuple[Patch | None, ...] = ()
    undone: tuple[Patch | None, ...] = ()

    @property
    def lost(self) -> int:
        """The number of steps that can no longer be applied."""
        return (*self.done, *self.undone).count(None)


MOST_CARRIED = 200_000
"""The most nodes, over all views, for which a history is followed."""


def earlier_and_later(view: GraphView, history: History) -> Iterator[GraphView]:
    """The views that a history leads to, up to `MOST_CARRIED`."""
    for patches, back in ((history.done, True), (history.undone, False)):
        for _, state in _followed(view, patches, back=back):
            yield state


def with_changed_views(view: GraphView, history: History, change: Callable[[GraphView], GraphView]) -> History:
    """The history between the same views after a change of each, such as by another graph.

    Steps that then change nothing, or only places and selection, are lost, and so are the oldest ones
    (`MOST_CARRIED`).

    Args:
        view: the view at the current point of the history, before the change.
    """

    def side(patches: tuple[Patch | None, ...], *, back: bool) -> tuple[Patch | None, ...]:
        made: list[Patch | None] = []
        here = change(view)
        for patch, state in _followed(view, patches, back=back):
            there = change(state)
            new = difference(there, here, patch.words) if back else difference(here, there, patch.words)
            made.append(new if _says_something(new, patch) else None)
            here = there
        return (*made, *(None,) * (len(patches) - len(made)))

    return History(side(history.done, back=True), side(history.undone, back=False))


def _followed(view: GraphView, patches: tuple[Patch | None, ...], *, back: bool) -> Iterator[tuple[Patch, GraphView]]:
    """Each step with the view that it leads to, up to the limit."""
    nodes = 0
    for patch in patches:
        if patch is None:
            return
        view = patched(view, patch.inverse() if back else patch)
        nodes += len(view.nodes)
        if nodes > MOST_CARRIED:
            return
        yield patch, view


def _says_something(new: Patch, old: Patch) -> bool:
    """Whether a step still changes more than places and selection."""
    touched = (new.entries.keys() | new.values.keys()) - _SETTLED
    return bool(touched) or (not new.empty and old.entries.keys() | old.values.keys() <= _SETTLED)
