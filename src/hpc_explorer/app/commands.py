"""What a command is: an action of the window as data, which menus, keys, buttons and the command palette read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath


class Needs(Enum):
    """What must be there before a command makes sense; without it the command is greyed out."""

    NOTHING = "nothing"
    GRAPH = "an open graph"
    RESOURCE = "a chosen resource"
    PICTURE = "a picture on the canvas"
    LINEAGE = "a lineage on the canvas"
    SECTIONS = "chosen sections of a lineage with values"
    CLASSES = "the classes on the canvas"
    CLASS = "a chosen class among those on the canvas"
    ENDPOINT = "an open endpoint"
    RESOURCE_THERE = "a chosen resource of an endpoint"
    BACK = "a place to go back to"
    FORWARD = "a place to go forward to"
    WORK = "work under way"
    DONE = "a step that can be taken back"
    UNDONE = "a step that was taken back"
    NODE = "a chosen node of the graph view"
    TWO_NODES = "two chosen nodes of the graph view"
    GRAPH_VIEW = "something in the graph view"
    HIDDEN = "hidden nodes"
    NARROWED = "a graph view narrowed to a node"
    FILTERED = "a filter that leaves something out"
    COMPARABLE = "a chosen resource, and another that was to be compared before"
    TREE_CLASS = "a chosen class in the tree on the left"
    QUESTION = "a chosen ready question"
    QUERY = "a question in the tab Ask"
    QUERY_VARIABLE = "something that the question in the tab Ask is about"
    CONDITION = "a chosen condition of that question"
    EDITOR = "the SPARQL editor in sight"
    EDITED = "a workspace that edits are kept in"
    EDIT = "a chosen edit of the journal that holds"
    FORM = "a form in the tab Edit"
    TYPED = "something typed into the form that is not saved"
    UNSAVED = "forms that are not saved"
    STARTABLE = "a form of files that are open to be read"
    CHECKING = "a check under way"
    FINDINGS = "findings of a check"
    FIX = "a chosen finding that is known to be mended, in a graph that can be edited"
    ASSESSMENT = "an assessment in sight"
    INDICATOR = "a chosen indicator of an assessment"
    FIELD = "a chosen indicator that a field of the form says"
    REPAIR = "a chosen indicator that is known to be mended"
    ASSESSING = "an assessment of all under way"
    ANSWER = "an answer"
    ANSWER_ROWS = "an answer with a table or a plot"
    ANSWER_DOCUMENTS = "an answer that can be saved as statements and as a crate"


class Kind(Enum):
    """How a command looks in a menu: a plain one, one that is on or off, or one choice of several."""

    PLAIN = "plain"
    TOGGLE = "toggle"
    CHOICE = "choice"


@dataclass(frozen=True)
class Command:
    """One thing a user can do.

    Args:
        id: its name in the program, `area.verb`; a part after a colon is its argument.
        title: its name for people, in the imperative; ends in … if it asks for more.
        menu: where it stands, such as `File` or `File/Open sample`; empty: in the palette only.
        shortcut: its key, as Qt writes portable key names; empty: none.
        icon: the name of a file in `ui/icons`, without `.svg`; empty: none.
        description: one sentence: what it does and what for.
        needs: what must be there.
        section: commands of one menu with different sections are kept apart by a line.
        short: its title on a button, where that is shorter.
        kind: how it looks.
    """

    id: str
    title: str
    menu: str
    shortcut: str = ""
    icon: str = ""
    description: str = ""
    needs: Needs = Needs.NOTHING
    section: int = 0
    short: str = ""
    kind: Kind = Kind.PLAIN

    @property
    def argument(self) -> str:
        """The part of the id after the first colon: the sample or file that it is about."""
        return self.id.partition(":")[2]

    @property
    def verb(self) -> str:
        """The part of the id that says what is done, without its argument."""
        return self.id.partition(":")[0]


MENUS = ("File", "Edit", "View", "Go", "Graph", "Ask", "FAIR", "Help")

SAMPLES_MENU = "File/Open sample"
RECENT_MENU = "File/Open recent"


def sample_commands(samples: Iterable[tuple[str, str]]) -> tuple[Command, ...]:
    """A command for each shipped sample graph, given as (name, its story in one line)."""
    return tuple(
        Command(f"sample.open:{name}", f"Open sample {name}", SAMPLES_MENU, icon="sample", description=story)
        for name, story in samples
    )


def recent_commands(names: Sequence[str]) -> tuple[Command, ...]:
    """A command for each source that was open before, the latest first."""
    return tuple(
        Command(f"recent.open:{name}", f"Open {source_title(name)}", RECENT_MENU, icon="recent", description=name)
        for name in names
    )


def source_title(name: str) -> str:
    """A source's name as a person reads it: a file or folder without the way to it, an address without its scheme."""
    if "://" in name:
        return name.partition("://")[2]
    return name if name.startswith("sample:") else PurePath(name).name or name


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
