"""Commands: what a user can do. Each feature declares its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
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
        return self._with(run=run, needs=needs)

    def about(self, description: str) -> Command:
        """The same command with a description of one sentence."""
        return self._with(description=description)

    def marked(self, checked: Callable[[], bool], *, choice: bool = False) -> Command:
        """The same command as an option that is on or off.

        Args:
            choice: whether only one option of its section is on at a time.
        """
        return self._with(checked=checked, choice=choice)

    def _with(self, **changes: object) -> Command:
        """A copy with changes. A window makes 500, and `dataclasses.replace` would check all fields of each."""
        made = object.__new__(Command)
        made.__dict__.update(self.__dict__, **changes)
        return made


def open_graph(bridge: SessionBridge) -> Need:
    """A graph is open."""
    return Need("an open graph", lambda: not bridge.is_empty)


def chosen_resource(bridge: SessionBridge, navigator: Navigator) -> Need:
    """The inspector shows a resource."""
    return Need("a chosen resource", lambda: not bridge.is_empty and navigator.place.selected is not None)


def edited_workspace(bridge: SessionBridge) -> Need:
    """A workspace is open, which stores edits."""
    return Need("an open workspace", lambda: bridge.workspace is not None)


ALSO_CALLED = {
    "go.reproduce": "reproduce recipe rebuild repeat rerun",
    "view.reproduce": "reproduce recipe rebuild repeat rerun how to make it again",
    "go.impact": "impact affected retracted downstream depends blast radius",
    "go.upstream": "provenance origin ancestors where from sources derivation",
    "go.downstream": "impact descendants derived",
    "go.compare": "diff difference versus",
    "view.match_content": "hash checksum sha256 duplicate same file",
    "edit.find_field": "hash checksum licence license creator author property",
    "edit.settings": "preferences options configure configuration theme name",
    "edit.describe": "new create add resource dataset model record",
    "edit.remove": "delete",
    "edit.save": "ok form",
    "file.new": "create empty blank",
    "file.save": "write push store upload commit",
    "file.push": "write upload commit conflicts merge",
    "file.save_as": "export copy rename format",
    "file.discard": "revert reset throw away",
    "file.export": "download json-ld turtle convert ro-crate croissant",
    "file.open_address": "endpoint sparql server url web",
    "file.load": "import large big",
    "file.drafts": "unsaved recover restore",
    "file.samples": "example demo",
    "changes.show": "diff unsaved journal log history",
    "changes.time": "journal log history",
    "check.show": "validate shacl errors problems shapes",
    "check.all": "validate shacl errors problems shapes",
    "check.fix": "repair quick fix",
    "view.ask": "query search filter builder sparql",
    "go.questions": "saved queries templates competency",
    "ask.draw": "graph picture show",
    "sparql.run": "query execute",
    "view.inferred": "reasoning reasoner owl rdfs entailment",
    "view.inferred_owl_rl": "reasoning reasoner owl rl profile sameas",
    "view.contradictions": "inconsistency inconsistencies inconsistent disjoint",
    "view.only_used": "empty classes hide filter",
    "view.looks": "colours colors icons style appearance",
    "theme.dark": "night mode appearance",
    "theme.light": "day mode appearance",
    "resource.share": "html publish page link",
    "resource.history": "blame versions log",
    "view.as_of": "time travel date past version",
    "fair.assess": "score evaluate quality",
    "fair.plan": "improve raise score",
    "graph.expand": "neighbours neighbors links",
    "help.guide": "manual documentation docs",
    "help.tour": "tutorial introduction start learn",
    "help.keyboard": "keys shortcuts hotkeys",
}
"""Other words that people use for commands; the command palette finds them."""


def matching(commands: Iterable[Command], words: str) -> list[Command]:
    """The commands that contain all the words: in their titles first, then in other words for them, then anywhere."""
    wanted = words.casefold().split()
    found: tuple[list[Command], list[Command], list[Command]] = ([], [], [])
    for command in commands:
        title = command.title.casefold()
        called = f"{title} {ALSO_CALLED.get(command.id, '')}"
        for texts, text in zip(found, (title, called, f"{called} {command.description.casefold()}"), strict=True):
            if all(word in text for word in wanted):
                texts.append(command)
                break
    return [command for part in found for command in part]


def nearest(commands: Iterable[Command], words: str) -> list[Command]:
    """The commands that contain one of the words, or a word spelled like one; all of them if there are none."""
    known = list(commands)
    texts = {
        command.id: f"{command.title} {ALSO_CALLED.get(command.id, '')}".casefold().replace("…", "").split()
        for command in known
    }
    wanted = words.casefold().split()
    near = [
        command
        for command in known
        if any(get_close_matches(word, texts[command.id], n=1, cutoff=0.75) for word in wanted)
    ]
    return near or known
