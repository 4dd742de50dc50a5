"""The class view: a picture of the class tree.

The tree decides which classes are shown and which branches are open. A click in the picture changes the tree, and each
change of the tree redraws the picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.explore.class_picture import (
    ALONE,
    CLOSED_MARK,
    MERGED_MARK,
    OPEN_MARK,
    ClassChoice,
    ClassPicture,
    class_picture,
)
from hpc_explorer.app.explore.drawing import MORE_PREFIX
from hpc_explorer.app.explore.finding import key_of
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.views import ClassNode
from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Point, Rect, Size, union
from hpc_explorer.canvas.scene import Scene, SceneNode
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.card_marks import CardMarks
from hpc_explorer.ui.canvas.page import CanvasPage
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.browser import Browser
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

NOTHING_LEFT = "No class passes the filter. Clear it on the left, or show classes without instances too."

MOST_REMEMBERED = 50
"""The most classes with visible instances in the settings."""

INSTANCES = f"{MORE_PREFIX}instances:"
"""The prefix of the key of a card for further instances."""


class ClassView(QObject):
    """Keeps the class view and the class tree the same.

    Attributes:
        with_properties: whether properties between classes are drawn.
        with_inferred: whether inferred places of classes are shown.
        instances_of: the IRIs of classes that are drawn with instances, also of other graphs, latest last.

    Signals:
        tree_wanted(): reload the class tree.
    """

    tree_wanted = Signal()

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        page: CanvasPage,
        browser: Browser,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.with_properties = settings.class_properties
        self.with_inferred = settings.inferred_places
        self.instances_of = settings.instances_of
        self._bridge = bridge
        self._navigator = navigator
        self._page = page
        self._browser = browser
        self._tree = browser.classes
        self._canvas: CanvasView = page.canvas
        self._is_drawn = False
        self._depends_on_choice = False
        self._held: tuple[str, Rect, frozenset[str]] | None = None
        self._tree.arranged.connect(self._draw_anew)
        self._tree.chosen.connect(self._chosen_in_tree)
        self._canvas.scene_shown.connect(self._keep_the_place)
        self._marks = CardMarks(self._canvas, lambda mark: mark != MERGED_MARK, _explained, self)
        self._marks.pressed.connect(self._toggle)
        navigator.moved.connect(self._follow)

    # What is drawn

    def draw(self) -> None:
        """Draw the classes if they have changed."""
        if self._bridge.is_empty or not self._tree.shown.tree:
            self._is_drawn = False
            self._bridge.drop("class picture")
            self._page.show_nothing()
            if self._tree.has_classes and not self._bridge.is_empty:
                self._page.show_scene(Scene(empty_text=NOTHING_LEFT), "")
        elif not self._is_drawn:
            self._is_drawn = True
            node = self.chosen()
            chosen = node.ref.iri if node is not None else ""
            instances = frozenset(self.instances_of) & self._tree.shown.found.keys()
            choice = ClassChoice(self._tree.open_branches, self.with_properties, instances, chosen=chosen)
            self._bridge.run(
                class_picture,
                self._tree.shown.tree,
                choice,
                title="Draw the classes",
                on_result=self._take,
                on_error=self._not_drawn,
                replaces="class picture",
            )

    def forget(self) -> None:
        """Draw the classes again next time; the graph has changed."""
        self._is_drawn = False

    def choose(self, resource: Resource) -> bool:
        """Select a class if it is shown; returns whether it is."""
        known = iri_text(resource) in self._tree.shown.places
        if known:
            self._navigator.select(resource)
        return known

    def _draw_anew(self) -> None:
        self._is_drawn = False
        if self._navigator.place.view is View.CLASSES:
            self.draw()

    def _take(self, picture: ClassPicture) -> None:
        self._hold(self._canvas.selection.current)
        self._depends_on_choice = picture.links_left_out > 0
        self._page.show_scene(picture.scene, classes_summary(picture, self.with_properties))
        self._mark(self._navigator.place)
        self._bridge.updated.emit()

    def _not_drawn(self, error: BaseException) -> None:
        self._page.show_nothing()
        self._bridge.failed.emit("Draw the classes", error)

    # What is chosen

    def chosen(self) -> ClassNode | None:
        """The class that is selected in the picture."""
        place = self._navigator.place
        if place.view is not View.CLASSES or place.selected is None:
            return None
        shown = self._tree.shown
        return shown.found.get(shown.places.get(iri_text(place.selected), ""))

    def _chosen_in_tree(self, node: ClassNode) -> None:
        if self._navigator.place.view is View.CLASSES:
            self._navigator.select(node.ref.resource)

    def _follow(self, place: Place, before: Place) -> None:
        if place.view is View.CLASSES and place.selected is not None:
            iri = self._tree.shown.places.get(iri_text(place.selected))
            already = self._tree.current_class()
            if iri is not None and (already is None or already.ref.iri != iri):
                node = self._tree.choose(iri)
                if node is not None:
                    self._browser.show_instances(node)
            if iri is not None and self._tree.stands_alone(iri):
                self._tree.open_branch(ALONE, True)
            self._mark(place)
            if self._depends_on_choice and place.selected != before.selected:
                self._draw_anew()

    def _mark(self, place: Place) -> None:
        if place.selected is not None:
            key = key_of(place.selected)
            self._canvas.select(self._tree.shown.places.get(key, key))

    # Commands

    def commands(self) -> tuple[Command, ...]:
        """The commands of the class view."""
        graph = open_graph(self._bridge)
        classes = Need(
            "the classes on the canvas",
            lambda: not self._bridge.is_empty and self._navigator.place.view is View.CLASSES,
        )
        cls = Need(
            "a chosen class among those on the canvas",
            lambda: not self._bridge.is_empty and self.chosen() is not None,
        )
        return (
            Command("classes.branch", "Open or close branch", "View/Class view", 3, "", short="Branch")
            .runs(self.toggle_branch, cls)
            .about("Show or hide the classes below the chosen one."),
            Command("classes.open_all", "Open all branches", "View/Class view", 3, short="Open all")
            .runs(self._tree.open_all, classes)
            .about("Show all classes."),
            Command("classes.close_all", "Close all branches", "View/Class view", 3, short="Close all")
            .runs(self._tree.close_all, classes)
            .about("Show only the topmost classes."),
            Command("classes.inferred", "Inferred places of classes", "View/Class view", 3, "", short="Inferred")
            .runs(self.toggle_inferred, graph)
            .marked(lambda: self.with_inferred)
            .about("Show classes also below superclasses that follow by inference, in the tree and in the picture."),
            Command(
                "classes.properties",
                "Properties between classes",
                "View/Class view",
                3,
                "",
                short="Properties",
            )
            .runs(self.toggle_properties, classes)
            .marked(lambda: self.with_properties)
            .about("Draw properties as links from domain to range, with the number of their uses."),
            Command("classes.instances", "Instances beside the class", "View/Class view", 3, "", short="Instances")
            .runs(self.toggle_instances, cls)
            .marked(lambda: self.has_instances)
            .about("Draw the first instances of the chosen class beside it, and the number of further ones."),
        )

    def toggle_branch(self) -> None:
        """Open or close the branch of the chosen class."""
        node = self.chosen()
        if node is not None and node.children:
            self._toggle(node.ref.iri)

    def toggle_properties(self) -> None:
        """Show or hide properties between classes."""
        self.with_properties = not self.with_properties
        self._draw_anew()

    def toggle_inferred(self) -> None:
        """Show or hide inferred places of classes."""
        self.with_inferred = not self.with_inferred
        self.tree_wanted.emit()

    def toggle_instances(self) -> None:
        """Show or hide instances beside the chosen class."""
        node = self.chosen()
        if node is not None:
            others = tuple(iri for iri in self.instances_of if iri != node.ref.iri)
            self.instances_of = others if self.has_instances else (*others, node.ref.iri)[-MOST_REMEMBERED:]
            self._draw_anew()

    def remembered(self, settings: Settings) -> Settings:
        """The settings with the options of the class view."""
        return replace(
            settings,
            inferred_places=self.with_inferred,
            class_properties=self.with_properties,
            instances_of=self.instances_of,
        )

    @property
    def has_instances(self) -> bool:
        """Whether the chosen class is drawn with instances."""
        node = self.chosen()
        return node is not None and node.ref.iri in self.instances_of

    def open_more(self, key: str) -> None:
        """Open a card for several things: classes on their own, or further instances."""
        if key == ALONE:
            self._toggle(ALONE)
        elif key.startswith(INSTANCES):
            self._navigator.select(NamedNode(key.removeprefix(INSTANCES)))
            self._browser.instances.setFocus(Qt.FocusReason.OtherFocusReason)

    def _toggle(self, key: str) -> None:
        self._hold(key)
        self._tree.open_branch(key, key not in self._tree.open_branches)

    # Keeping a card in place

    def _hold(self, key: str | None) -> None:
        """Remember the position of a card for the next picture."""
        rect = self._canvas.view_rect(key) if key is not None else None
        if self._held is None and key is not None and rect is not None:
            self._held = key, rect, frozenset(node.key for node in self._canvas.scene().nodes)

    def _keep_the_place(self) -> None:
        """Restore the position of the card, and show new cards beside it if there is room."""
        held, self._held = self._held, None
        if held is None:
            return
        key, was, before = held
        now = self._canvas.view_rect(key)
        if now is None:
            return
        camera = self._canvas.camera()
        scale = camera.scale * was.width / now.width if now.width else camera.scale
        corner = camera.to_scene(Point(now.x, now.y))
        camera = Camera(scale, corner.x - was.x / scale, corner.y - was.y / scale)
        self._canvas.viewpoint.look(self._with_the_new(camera, key, before))

    def _with_the_new(self, camera: Camera, key: str, before: frozenset[str]) -> Camera:
        scene, shown = self._canvas.scene(), self._canvas.camera()
        beside = {edge.source for edge in scene.edges if edge.target == key} - before
        rects = [rect for rect in map(self._canvas.view_rect, sorted(beside | {key})) if rect is not None]
        around = union(rects)
        corner = shown.to_scene(Point(around.x, around.y))
        wanted = Rect(corner.x, corner.y, around.width / shown.scale, around.height / shown.scale)
        view = Size(float(self._canvas.width()), float(self._canvas.height()))
        return camera.showing(wanted, view) if beside else camera


def _explained(node: SceneNode, mark: str) -> str:
    if mark == MERGED_MARK:
        return "Several classes that are the same"
    if mark == OPEN_MARK:
        return f"Close what is below {node.label}"
    number = mark.removeprefix(CLOSED_MARK)
    return f"Open {number} class{'es' * (number != '1')} below {node.label}" if node.key != ALONE else "Show them"


def classes_summary(picture: ClassPicture, with_properties: bool) -> str:
    """A line about the class view."""
    parts = [
        counted(picture.classes, "class")
        if picture.drawn == picture.classes
        else f"{picture.drawn:,} of {counted(picture.classes, 'class')}"
    ]
    if picture.inferred:
        parts.append(f"{counted(picture.inferred, 'place')} by inference, dashed")
    if picture.circles:
        parts.append(f"{counted(picture.circles, 'circle')} of subclasses, each drawn as one class")
    if with_properties:
        parts.append(_properties_summary(picture))
    return "  ·  ".join(parts)


def _properties_summary(picture: ClassPicture) -> str:
    said = f"{counted(picture.links, 'link')} by properties"
    if picture.links_left_out:
        said += " of the chosen class" if picture.links else ""
        said += f"; {picture.links_left_out:,} more are too many to draw: choose a class to see its properties"
    if picture.links_out_of_sight:
        said += f"; {picture.links_out_of_sight:,} lead to classes that are not shown"
    return said


class ClassToolbar(QWidget):
    """A button for each command of the class view."""

    def __init__(self, actions: Iterable[QAction]) -> None:
        super().__init__()
        row = OneLine(self, GRID)
        for action in actions:
            row.addWidget(action_button(action, TEXT))
