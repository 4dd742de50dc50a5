"""Commands: what a user can do. Each feature declares its own."""

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
    """A condition for a command; the command is disabled until it is met.

    Args:
        what: completes the sentence "it needs …".
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
        id: `area.verb`, with an argument after a colon if commands differ only by it.
        title: an imperative; it ends in … if the command opens a dialog.
        menu: such as `File`, or `File/Open sample` for a submenu.
        section: the section of the top-level menu; sections are separated by lines.
        shortcut: a portable key sequence of Qt, or empty.
        icon: the name of a file in `ui/icons` without `.svg`, or empty.
        short: a shorter title for buttons.
        in_menu: a shorter title for the menu.
        run: runs the command; set by `runs`.
        needs: when the command can run.
        description: one sentence for tooltips and the command palette; set by `about`.
        checked: whether the option is on; None if the command is not an option; set by `marked`.
        choice: whether only one option of its section is on at a time.
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
        """The same command with its function and the condition for it."""
        return replace(self, run=run, needs=needs)

    def about(self, description: str) -> Command:
        """The same command with a description of one sentence."""
        return replace(self, description=description)

    def marked(self, checked: Callable[[], bool], *, choice: bool = False) -> Command:
        """The same command as an option that is on or off.

        Args:
            choice: whether only one option of its section is on at a time.
        """
        return replace(self, checked=checked, choice=choice)


def open_graph(bridge: SessionBridge) -> Need:
    """A graph is open."""
    return Need("an open graph", lambda: not bridge.is_empty)


def chosen_resource(bridge: SessionBridge, navigator: Navigator) -> Need:
    """The inspector shows a resource."""
    return Need("a chosen resource", lambda: not bridge.is_empty and navigator.place.selected is not None)


def edited_workspace(bridge: SessionBridge) -> Need:
    """A workspace is open, which stores edits."""
    return Need("an open workspace", lambda: bridge.workspace is not None)


def matching(commands: Iterable[Command], words: str) -> list[Command]:
    """The commands whose title, or else whose description, contains all the words; titles first."""
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
