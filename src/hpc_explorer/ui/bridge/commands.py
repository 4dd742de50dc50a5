"""Commands: what a user can do, with its words, its place, its key, and what it runs. Each feature declares its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hpc_explorer.ui.bridge.navigator import Navigator
    from hpc_explorer.ui.bridge.session import SessionBridge

MENUS = ("File", "Edit", "View", "Go", "Graph", "Ask", "FAIR", "Help")
"""The menus, from left to right."""


@dataclass(frozen=True)
class Need:
    """What must be there before a command makes sense; without it the command is greyed out.

    Args:
        what: in words, as in "it needs an open graph".
        is_met: whether it is there now.
    """

    what: str
    is_met: Callable[[], bool]


NOTHING = Need("nothing", lambda: True)


def _nothing() -> None:
    raise NotImplementedError("the command has nothing to run")


@dataclass(frozen=True)
class Command:
    """One thing a user can do.

    Args:
        id: its name in the program, `area.verb`; commands that differ by an argument have it after a colon.
        title: its name for people, in the imperative; ends in … if it asks for more.
        menu: where it stands, such as `File`; `File/Open sample` is a menu below that.
        section: its part of the menu; a line keeps it apart from the part before. Of a menu below another one, it is
            the part of the upper menu in which the lower one stands.
        shortcut: its key, as Qt writes portable key names; empty: none.
        icon: the name of a file in `ui/icons`, without `.svg`; empty: none.
        short: its title on a button, where that is shorter.
        in_menu: its title in its menu, where that menu says the rest.
        run: does it; `runs` sets it.
        needs: what must be there.
        description: one sentence: what it does and what for; `about` sets it.
        checked: whether it is on, for one that is on or off; None: for all others; `marked` sets it.
        choice: whether it is one of several in its menu and section, of which one is on.
    """

    id: str
    title: str
    menu: str
    section: int = 0
    shortcut: str = ""
    icon: str = ""
    short: str = ""
    in_menu: str = ""
    run: Callable[[], object] = _nothing
    needs: Need = NOTHING
    description: str = ""
    checked: Callable[[], bool] | None = None
    choice: bool = False

    def runs(self, run: Callable[[], object], needs: Need = NOTHING) -> Command:
        """The same command with what does it, and what must be there for that."""
        return replace(self, run=run, needs=needs)

    def about(self, description: str) -> Command:
        """The same command with one sentence on what it does and what for."""
        return replace(self, description=description)

    def marked(self, checked: Callable[[], bool], *, choice: bool = False) -> Command:
        """The same command as one that is on or off.

        Args:
            choice: whether it is one of several in its menu and section, of which one is on.
        """
        return replace(self, checked=checked, choice=choice)


def open_graph(bridge: SessionBridge) -> Need:
    """The need of a graph that is open."""
    return Need("an open graph", lambda: not bridge.is_empty)


def chosen_resource(bridge: SessionBridge, navigator: Navigator) -> Need:
    """The need of a resource that the inspector describes."""
    return Need("a chosen resource", lambda: not bridge.is_empty and navigator.place.selected is not None)


def edited_workspace(bridge: SessionBridge) -> Need:
    """The need of a workspace that keeps edits."""
    return Need("a workspace that edits are kept in", lambda: bridge.workspace is not None)


def matching(commands: Iterable[Command], words: str) -> list[Command]:
    """The commands whose title holds all the words, or whose description does; titles first, in the given order."""
    wanted = words.casefold().split()
    in_title: list[Command] = []
    in_description: list[Command] = []
    for command in commands:
        title = command.title.casefold()
        if all(word in title for word in wanted):
            in_title.append(command)
        elif all(word in f"{title} {command.description.casefold()}" for word in wanted):
            in_description.append(command)
    return in_title + in_description
