"""Every action of the window as data: menus, keys, buttons and the command palette all read this one list.

The window binds each `id` to what does it; a test proves that none is left unbound.
"""

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
    CLASSES = "the classes on the canvas"
    CLASS = "a chosen class among those on the canvas"
    ENDPOINT = "an open endpoint"
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


MENUS = ("File", "Edit", "View", "Go", "Graph", "Help")

SAMPLES_MENU = "File/Open sample"
RECENT_MENU = "File/Open recent"

COMMANDS: tuple[Command, ...] = (
    Command(
        "file.open",
        "Open files…",
        "File",
        "Ctrl+O",
        "file",
        "Add RDF files to what is open: Turtle, N-Triples, N-Quads, TriG, RDF/XML, JSON-LD, also gzipped.",
    ),
    Command(
        "file.open_folder",
        "Open folder…",
        "File",
        "Ctrl+Shift+O",
        "folder",
        "Add every RDF file in a folder and the folders in it.",
    ),
    Command(
        "file.open_address",
        "Open address…",
        "File",
        "Ctrl+U",
        "address",
        "Open a SPARQL endpoint, which answers where it is, or an RDF document on the web.",
    ),
    Command(
        "file.open_workspace",
        "Open workspace…",
        "File",
        "",
        "workspace",
        "Open a folder that sources were loaded into: it is there at once, however large.",
    ),
    Command(
        "file.load",
        "Load into workspace…",
        "File",
        "Ctrl+Shift+S",
        "load",
        "Load large files into a folder once, where they can be opened again at once.",
    ),
    Command(
        "source.close",
        "Close source",
        "File",
        "Ctrl+W",
        "close",
        "Take the chosen source out of the window, or the only one; its file stays as it is.",
        Needs.GRAPH,
        1,
    ),
    Command(
        "source.refresh",
        "Refresh",
        "File",
        "F5",
        "refresh",
        "Ask the endpoint for everything anew; answers that were kept from before are shown no more.",
        Needs.ENDPOINT,
        1,
    ),
    Command(
        "file.close_all",
        "Close all sources",
        "File",
        "Ctrl+Shift+W",
        "",
        "Empty the window and go back to the start page.",
        Needs.GRAPH,
        1,
    ),
    Command(
        "file.export",
        "Export…",
        "File",
        "Ctrl+E",
        "export",
        "Save the whole graph, one resource or a lineage as JSON-LD or another RDF syntax.",
        Needs.GRAPH,
        2,
    ),
    Command(
        "file.export_picture",
        "Export picture…",
        "File",
        "Ctrl+Shift+E",
        "picture",
        "Save the picture on the canvas as SVG, PNG, PDF or GraphML, as you see it or for paper.",
        Needs.PICTURE,
        2,
    ),
    Command(
        "edit.copy_picture",
        "Copy picture",
        "File",
        "Ctrl+Shift+C",
        "copy",
        "Put the picture on the canvas on the clipboard, to be pasted into a text or a slide.",
        Needs.PICTURE,
        2,
    ),
    Command(
        "job.stop",
        "Stop work",
        "File",
        "Ctrl+.",
        "stop",
        "Stop what is being done; what was open stays as it was.",
        Needs.WORK,
        3,
    ),
    Command("file.quit", "Quit", "File", "Ctrl+Q", "", "Close the window and end the program.", section=4),
    Command("edit.undo", "Undo", "Edit", "Ctrl+Z", "undo", "Take the last step back.", Needs.DONE),
    Command("edit.redo", "Redo", "Edit", "Ctrl+Shift+Z", "redo", "Do again what was taken back.", Needs.UNDONE),
    Command(
        "view.explore",
        "Explore",
        "View",
        "Ctrl+1",
        "neighbours",
        "Show the chosen resource and everything it is linked with.",
        kind=Kind.CHOICE,
    ),
    Command(
        "view.lineage",
        "Lineage",
        "View",
        "Ctrl+2",
        "lineage",
        "Show where the chosen resource comes from, or what came of it.",
        kind=Kind.CHOICE,
    ),
    Command(
        "view.graph",
        "Graph",
        "View",
        "Ctrl+3",
        "graph",
        "Show the part of the graph that you lay open yourself, step by step.",
        kind=Kind.CHOICE,
    ),
    Command(
        "view.classes",
        "Classes",
        "View",
        "Ctrl+4",
        "classes",
        "Show how the classes of what is open hang together, as the tree on the left has them.",
        kind=Kind.CHOICE,
    ),
    Command("view.zoom_in", "Zoom in", "View", "Ctrl++", "zoom-in", "Draw the picture larger.", Needs.PICTURE, 1),
    Command("view.zoom_out", "Zoom out", "View", "Ctrl+-", "zoom-out", "Draw the picture smaller.", Needs.PICTURE, 1),
    Command("view.fit", "Fit picture", "View", "Ctrl+0", "fit", "Show the whole picture at once.", Needs.PICTURE, 1),
    Command(
        "view.zoom_selection",
        "Zoom to selection",
        "View",
        "Ctrl+Shift+0",
        "",
        "Show the selected nodes as large as they fit, or the whole picture if none is selected; Z does it, too.",
        Needs.PICTURE,
        1,
    ),
    Command(
        "view.browser",
        "Classes and sources",
        "View",
        "Ctrl+Shift+B",
        "panel-left",
        "Show or put away the pane on the left.",
        section=2,
        kind=Kind.TOGGLE,
    ),
    Command(
        "view.inspector",
        "Inspector",
        "View",
        "Ctrl+Shift+I",
        "panel-right",
        "Show or put away the pane on the right.",
        section=2,
        kind=Kind.TOGGLE,
    ),
    Command(
        "view.only_used",
        "Only classes with instances",
        "View",
        "Ctrl+Shift+U",
        "filter",
        "Leave classes out of the tree that nothing in the open graph is an instance of.",
        section=3,
        kind=Kind.TOGGLE,
    ),
    Command(
        "view.whole_lineage",
        "Everything in a lineage",
        "View",
        "Ctrl+Shift+G",
        "",
        "Draw people, programs, machines and plans too, and the links that a longer way says as well.",
        section=3,
        kind=Kind.TOGGLE,
    ),
    Command(
        "view.inferred",
        "Inferred statements",
        "View",
        "Ctrl+Shift+F",
        "infer",
        "Infer what follows from what the sources state, or take it out again.",
        Needs.GRAPH,
        section=3,
        kind=Kind.TOGGLE,
    ),
    Command(
        "view.looks",
        "Looks…",
        "View",
        "Ctrl+Shift+J",
        "look",
        "Choose colour, sign and shape of the things of a class.",
        Needs.GRAPH,
        section=3,
    ),
    Command(
        "classes.branch",
        "Open or close branch",
        "View/Class view",
        "Ctrl+Alt+B",
        "",
        "Draw the classes below the chosen one, or put them away.",
        Needs.CLASS,
        short="Branch",
    ),
    Command(
        "classes.open_all",
        "Open all branches",
        "View/Class view",
        "",
        "",
        "Draw every class.",
        Needs.CLASSES,
        short="Open all",
    ),
    Command(
        "classes.close_all",
        "Close all branches",
        "View/Class view",
        "",
        "",
        "Draw the topmost classes only.",
        Needs.CLASSES,
        short="Close all",
    ),
    Command(
        "classes.inferred",
        "Inferred places of classes",
        "View/Class view",
        "Ctrl+Alt+N",
        "",
        "Show classes also below those that they only follow to be below, in the tree and in the picture.",
        Needs.GRAPH,
        short="Inferred",
        kind=Kind.TOGGLE,
    ),
    Command(
        "classes.properties",
        "Properties between classes",
        "View/Class view",
        "Ctrl+Alt+P",
        "",
        "Draw properties as links from their domain to their range, with how often each is used.",
        Needs.CLASSES,
        short="Properties",
        kind=Kind.TOGGLE,
    ),
    Command(
        "classes.instances",
        "Instances beside the class",
        "View/Class view",
        "Ctrl+Alt+I",
        "",
        "Draw the first instances of the chosen class beside it, with how many more there are.",
        Needs.CLASS,
        short="Instances",
        kind=Kind.TOGGLE,
    ),
    Command(
        "theme.system",
        "System theme",
        "View/Theme",
        "",
        "screen",
        "Follow the light or dark setting of the desktop.",
        kind=Kind.CHOICE,
    ),
    Command("theme.light", "Light theme", "View/Theme", "", "sun", "Dark text on a light ground.", kind=Kind.CHOICE),
    Command("theme.dark", "Dark theme", "View/Theme", "", "moon", "Light text on a dark ground.", kind=Kind.CHOICE),
    Command(
        "view.full_screen", "Full screen", "View", "F11", "expand", "Use the whole screen.", section=4, kind=Kind.TOGGLE
    ),
    Command("go.back", "Back", "Go", "Alt+Left", "back", "Return to the resource you looked at before.", Needs.BACK),
    Command("go.forward", "Forward", "Go", "Alt+Right", "forward", "Go again where you came back from.", Needs.FORWARD),
    Command(
        "go.search",
        "Search",
        "Go",
        "Ctrl+K",
        "search",
        "Find a resource by its name, words of it, a prefixed name or an IRI.",
        Needs.GRAPH,
        1,
    ),
    Command(
        "go.neighbours",
        "Explore neighbours",
        "Go",
        "Ctrl+J",
        "neighbours",
        "Draw what the chosen resource is linked with, in both directions.",
        Needs.RESOURCE,
        2,
        "Explore",
    ),
    Command(
        "go.upstream",
        "Lineage upstream",
        "Go",
        "Ctrl+L",
        "lineage",
        "Trace where the chosen resource comes from, back to raw data.",
        Needs.RESOURCE,
        2,
        "Lineage",
    ),
    Command(
        "go.downstream",
        "Lineage downstream",
        "Go",
        "Ctrl+Shift+L",
        "downstream",
        "Trace everything that came of the chosen resource.",
        Needs.RESOURCE,
        2,
    ),
    Command(
        "resource.copy_iri",
        "Copy IRI",
        "Go",
        "Ctrl+Alt+C",
        "copy",
        "Put the IRI of the chosen resource on the clipboard.",
        Needs.RESOURCE,
        3,
    ),
    Command(
        "resource.export",
        "Export this resource…",
        "Go",
        "",
        "export",
        "Save the chosen resource with what belongs to it.",
        Needs.RESOURCE,
        3,
        "Export…",
    ),
    Command(
        "go.next_pane", "Next pane", "Go", "F6", "", "Move the keyboard to the next part of the window.", section=4
    ),
    Command(
        "go.previous_pane",
        "Previous pane",
        "Go",
        "Shift+F6",
        "",
        "Move the keyboard to the part of the window before.",
        section=4,
    ),
    Command(
        "graph.add",
        "Add to graph",
        "Graph",
        "Ctrl+G",
        "add",
        "Put the chosen resource into the graph view, with its links to what is there.",
        Needs.RESOURCE,
        short="To graph",
    ),
    Command(
        "graph.expand",
        "Expand…",
        "Graph",
        "Ctrl+M",
        "expand-node",
        "List what the chosen node is linked with and how much that is, and show some of it.",
        Needs.NODE,
        1,
    ),
    Command(
        "graph.collapse",
        "Collapse",
        "Graph",
        "Ctrl+Shift+M",
        "collapse",
        "Take away what was opened at the chosen nodes, as far as nothing else leads to it.",
        Needs.NODE,
        1,
    ),
    Command(
        "graph.path",
        "Path between two",
        "Graph",
        "Ctrl+Shift+K",
        "path",
        "Show the shortest chain of derivations between two chosen nodes.",
        Needs.TWO_NODES,
        1,
    ),
    Command("graph.hide", "Hide", "Graph", "Ctrl+H", "", "Put the chosen nodes away; they stay opened.", Needs.NODE, 2),
    Command(
        "graph.show_hidden",
        "Show hidden nodes",
        "Graph",
        "Ctrl+Shift+H",
        "",
        "Show the nodes again that were put away.",
        Needs.HIDDEN,
        2,
    ),
    Command(
        "graph.remove",
        "Remove from graph",
        "Graph",
        "Ctrl+Delete",
        "",
        "Take the chosen nodes out of the graph view, and what only they lead to. Your sources stay as they are.",
        Needs.NODE,
        2,
    ),
    *(
        Command(
            f"graph.focus:{steps}",
            f"Only this and what is {steps} link{'s' * (steps > 1)} away",
            "Graph/Focus",
            f"Ctrl+Alt+{steps}",
            "",
            f"Leave out of the picture what is more than {steps} link{'s' * (steps > 1)} away from the chosen node.",
            Needs.NODE,
        )
        for steps in range(1, 5)
    ),
    Command(
        "graph.whole",
        "Whole graph again",
        "Graph",
        "Ctrl+Alt+0",
        "",
        "Show again what is further away from the node that the picture was narrowed to.",
        Needs.NARROWED,
        2,
    ),
    Command(
        "graph.filters",
        "Filters",
        "Graph",
        "Ctrl+Alt+F",
        "filter",
        "Choose by class, predicate, source, origin and name what is left out of the picture.",
        section=3,
        kind=Kind.TOGGLE,
    ),
    Command(
        "graph.clear_filters",
        "Clear filters",
        "Graph",
        "",
        "",
        "Show again what the filters leave out.",
        Needs.FILTERED,
        3,
    ),
    Command("graph.pin", "Pin", "Graph", "Ctrl+P", "", "Fix the chosen nodes where they stand.", Needs.NODE, 4),
    Command(
        "graph.unpin",
        "Unpin",
        "Graph",
        "Ctrl+Shift+Y",
        "",
        "Let the layout have the chosen nodes again.",
        Needs.NODE,
        4,
    ),
    Command(
        "graph.arrange_layered",
        "Arrange in layers",
        "Graph/Arrange",
        "Ctrl+Alt+L",
        "",
        "Lay everything out anew from left to right along the links. Pinned nodes stay.",
        Needs.GRAPH_VIEW,
    ),
    Command(
        "graph.arrange_force",
        "Arrange by forces",
        "Graph/Arrange",
        "Ctrl+Alt+S",
        "",
        "Lay everything out anew with what is linked close together. Pinned nodes stay.",
        Needs.GRAPH_VIEW,
    ),
    Command(
        "graph.arrange_tree",
        "Arrange as a tree",
        "Graph/Arrange",
        "Ctrl+Alt+H",
        "",
        "Lay everything out anew as a hierarchy. Pinned nodes stay.",
        Needs.GRAPH_VIEW,
    ),
    Command(
        "graph.save_view",
        "Save view…",
        "Graph",
        "Ctrl+S",
        "",
        "Keep the graph view under a name: its nodes, their places, filters and all.",
        Needs.GRAPH_VIEW,
        5,
    ),
    Command(
        "graph.open_view",
        "Open view…",
        "Graph",
        "Ctrl+Alt+O",
        "",
        "Show a graph view that was kept under a name.",
        Needs.GRAPH,
        5,
    ),
    Command("graph.clear", "Clear graph", "Graph", "", "", "Empty the graph view.", Needs.GRAPH_VIEW, 6),
    Command(
        "help.palette",
        "All commands…",
        "Help",
        "Ctrl+Shift+P",
        "palette",
        "Find and run any command by its name.",
    ),
    Command("help.keyboard", "Keyboard", "Help", "F1", "keyboard", "List every key."),
    Command("help.about", "About HPC Explorer", "Help", "", "", "Version, licence and what it is made of.", section=1),
)


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
