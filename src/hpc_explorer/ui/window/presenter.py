"""Shows the navigator's place in the picture and the inspector, and sends clicks on nodes to the navigator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal

from hpc_explorer.app.explore.described import Described, described
from hpc_explorer.app.explore.drawing import MORE_PREFIX, neighbourhood_scene
from hpc_explorer.app.explore.finding import key_of, reference, resource_of_key
from hpc_explorer.app.lineage.traced import Traced, traced
from hpc_explorer.app.navigation import LONGEST
from hpc_explorer.app.views import PropertyView
from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.view.state import REST_PREFIX
from hpc_explorer.errors import UnknownResource
from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.rdf.terms import Resource, iri_text
from hpc_explorer.ui.bridge.navigator import VIEWS, Level, Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.lineage.phases import PICTURE, PhasesController
from hpc_explorer.ui.lineage.summaries import lineage_summary, neighbours_summary
from hpc_explorer.ui.window.views import ViewTabs

_OWN = frozenset(View) - {View.EXPLORE, View.LINEAGE, View.CLASSES}
"""The views that load their own content."""


TITLE = "title"
"""The name of the request for the name of a page's resource."""

NO_RESOURCE = "No resource chosen"


class Presenter(QObject):
    """Loads what the navigator's place shows.

    Args:
        match_content: whether a lineage continues through things with the same content.

    Attributes:
        lineage: the lineage on the canvas, if any.
        phases: the phases of a folded lineage.

    Signals:
        values_wanted(PropertyView, bool): list all values of a property; True for incoming links.
        menu_wanted(QPoint): the chosen node was right-clicked.
        classes_wanted(): draw the class view.
        class_group_wanted(str): a card for several classes was opened.
        traced(Traced): a lineage was drawn; None when the lineage is cleared.
    """

    values_wanted = Signal(object, bool)
    menu_wanted = Signal(QPoint)
    classes_wanted = Signal()
    class_group_wanted = Signal(str)
    traced = Signal(object)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        pictures: ViewTabs,
        inspector: Inspector,
        match_content: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._navigator = navigator
        self._pictures = pictures
        self._inspector = inspector
        self._match_content = match_content
        self.lineage: Lineage | None = None
        self._cameras: dict[Place, Camera] = {}
        self._restoring: Camera | None = None
        self._sought: Resource | None = None
        self._held: tuple[str, Rect] | None = None
        self._new = ""
        self.phases = PhasesController(bridge, navigator, pictures.lineage, match_content, self)
        navigator.moved.connect(self._follow)
        inspector.opened.connect(navigator.open)
        inspector.all_wanted.connect(self.values_wanted)
        pictures.view_wanted.connect(self._show_view)
        toolbar = pictures.lineage.toolbar
        toolbar.direction_wanted.connect(lambda downstream: navigator.turn(downstream=downstream))
        toolbar.depth_wanted.connect(navigator.limit)
        toolbar.whole_wanted.connect(navigator.draw_whole)
        toolbar.phases_wanted.connect(navigator.draw_phases)
        toolbar.plot_wanted.connect(self.phases.plot)
        self.phases.updated.connect(self._phases_updated)
        for page in (pictures.explore, pictures.lineage, pictures.classes):
            page.canvas.scene_shown.connect(partial(self._look_as_before, page.canvas))
        pictures.lineage.contents.wanted.connect(self._lead_to)
        pictures.selected.connect(self._select)
        pictures.unselected.connect(lambda: navigator.select(None))
        pictures.activated.connect(self._activate)
        pictures.menu_wanted.connect(self._open_menu)

    def _show_view(self, view: View) -> None:
        self._navigator.show_view(view)
        self._pictures.show_view(self._navigator.place)  # the navigator may have chosen another view

    def show_all(self) -> None:
        """Reload everything that the place shows."""
        self._show(self._navigator.place, redraw=True, describe=True)
        self._show_title(self._navigator.place)

    def _follow(self, place: Place, before: Place) -> None:
        self._keep_camera(before)
        # These views do not depend on the focus.
        own = place.view in _OWN
        redraw = place.view != before.view or (place.focus != before.focus and not own)
        if place.view is View.LINEAGE and _lineage_options(place) != _lineage_options(before):
            redraw = True
            self._hold_focus(place, before)
        self._show(place, redraw=redraw, describe=place.selected != before.selected)
        same_level = VIEWS[place.view].level is VIEWS[before.view].level
        if place.focus is None or place.focus != before.focus or not same_level:
            self._show_title(place)

    def _show(self, place: Place, *, redraw: bool, describe: bool) -> None:
        self._pictures.show_view(place)
        if redraw:
            self._restoring = self._cameras.get(_picture_of(place)) if self._navigator.is_returning else None
            self._draw(place)
        else:
            self._mark_selected()
        if describe:
            self._describe(place.selected)
        self._bridge.updated.emit()

    # The camera

    def _keep_camera(self, place: Place) -> None:
        """Remember where the user looked, for a return to this place."""
        page = self._pictures.canvas_pages.get(place.view)
        if page is not None and place.view not in _OWN and page.canvas.scene().nodes:
            self._cameras.pop(_picture_of(place), None)
            self._cameras[_picture_of(place)] = page.canvas.camera()
            if len(self._cameras) > LONGEST:
                del self._cameras[next(iter(self._cameras))]

    def _look_as_before(self, canvas: CanvasView) -> None:
        """Once a picture is laid out: look where the user looked, where the focus was, or at what was sought."""
        camera, self._restoring = self._restoring, None
        held, self._held = self._held, None
        sought, self._sought = self._sought, None
        if canvas is not self._pictures.canvas:
            return
        if held is not None:
            self._hold(canvas, *held)
        if camera is not None:
            canvas.viewpoint.look(camera)
        if sought is not None:
            canvas.select(self.phases.key_of(sought) or key_of(sought), into_sight=True)

    def _hold(self, canvas: CanvasView, key: str, was: Rect) -> None:
        """Put a card where it was in the view, at the same scale."""
        now, camera = canvas.view_rect(key), canvas.camera()
        if now is not None:
            canvas.viewpoint.look(camera.moved(was.x - now.x, was.y - now.y))

    def _lead_to(self, resource: Resource) -> None:
        """Show a resource of the lineage; the lineage is unfolded if its phases hide it."""
        canvas = self._pictures.lineage.canvas
        self._navigator.select(resource)
        key = self.phases.key_of(resource) if self.phases.view is not None else key_of(resource)
        if key is not None and canvas.scene().node(key) is not None:
            canvas.select(key, into_sight=True)
        elif self.phases.view is not None:
            self._sought = resource
            self._navigator.draw_phases(False)
        # The button that led here is made anew with the lineage, and the keyboard would go anywhere.
        canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hold_focus(self, place: Place, before: Place) -> None:
        """Another drawing of the same lineage keeps the scale, and the card in focus its place."""
        same = (place.view, place.focus, place.downstream) == (before.view, before.focus, before.downstream)
        canvas = self._pictures.lineage.canvas
        if same and place.focus is not None and self.phases.view is None and not place.phases:
            rect = canvas.view_rect(key_of(place.focus))
            if rect is not None and self._sought is None:
                self._held = key_of(place.focus), rect

    # The title of a page

    def name_new(self, title: str) -> None:
        """Say how something new is called that is described in the view Edit; empty if nothing is."""
        self._new = title
        if self._navigator.place.view is View.EDIT and self._navigator.place.focus is None:
            self._show_title(self._navigator.place)

    def _show_title(self, place: Place) -> None:
        if VIEWS[place.view].level is not Level.PAGE or place.focus is None or self._bridge.is_empty:
            self._bridge.drop(TITLE)
            words = NO_RESOURCE if VIEWS[place.view].level is Level.PAGE else VIEWS[place.view].level.value
            self._pictures.title.say(None, (place.view is View.EDIT and self._new) or words)
        else:
            self._bridge.run(
                reference,
                place.focus,
                title="Look up the name",
                on_result=self._pictures.title.say,
                on_error=lambda error: self._pictures.title.say(None, iri_text(place.focus) if place.focus else ""),
                replaces=TITLE,
            )

    # The picture

    def _draw(self, place: Place) -> None:
        self.lineage = None
        if place.view is View.LINEAGE and self._held is None:
            self._pictures.lineage.contents.show_lineage(None, downstream=place.downstream)
        self.traced.emit(None)
        self.phases.leave()
        self._show_phasing()
        if place.view in _OWN:
            self._bridge.drop(PICTURE)  # they load their own content
        elif self._bridge.is_empty or (place.view is View.LINEAGE and place.focus is None):
            self._bridge.drop(PICTURE)
            self._pictures.canvas_pages[place.view].show_nothing()
        elif place.view is View.LINEAGE and place.focus is not None:
            self._bridge.run(
                partial(
                    traced,
                    downstream=place.downstream,
                    depth=place.depth,
                    match_content=self._match_content(),
                    whole=place.whole,
                    phases=place.phases,
                    view=self._pictures.lineage.canvas.viewpoint.size,
                ),
                place.focus,
                self.phases.opened(place),
                title="Trace the lineage",
                on_result=self._take_lineage,
                on_error=self._not_drawn,
                replaces=PICTURE,
            )
        elif place.view is View.CLASSES:
            self._bridge.drop(PICTURE)
            self.classes_wanted.emit()
        elif place.focus is not None:
            self._bridge.run(
                neighbourhood_scene,
                place.focus,
                title="Draw the neighbours",
                on_result=self._take_neighbours,
                on_error=self._not_drawn,
                replaces=PICTURE,
            )

    def _take_lineage(self, found: Traced) -> None:
        self.lineage = found.lineage
        self._pictures.lineage.contents.show_lineage(found, downstream=self._navigator.place.downstream)
        if found.phases is not None:
            self.phases.begin(found.phases)
            self._mark_selected()
            self._bridge.updated.emit()
        else:
            summary = lineage_summary(found, downstream=self._navigator.place.downstream)
            self._take(View.LINEAGE, found.scene, summary, keep=self._held is not None)
        self.traced.emit(found)

    def _phases_updated(self) -> None:
        self._show_phasing()
        self._bridge.updated.emit()

    def _show_phasing(self) -> None:
        self._pictures.lineage.toolbar.show_phases(
            are_shown=self.phases.view is not None, can_plot=self.phases.can_plot
        )

    def _take_neighbours(self, scene: Scene) -> None:
        self._take(View.EXPLORE, scene, neighbours_summary(scene))

    def _take(self, view: View, scene: Scene, summary: str, *, keep: bool = False) -> None:
        self._pictures.canvas_pages[view].show_scene(scene, summary, keep=keep)
        self._mark_selected()
        self._bridge.updated.emit()

    def _not_drawn(self, error: BaseException) -> None:
        page = self._pictures.canvas_pages.get(self._navigator.place.view)
        if page is not None:
            page.show_nothing()
        self._bridge.failed.emit("Draw the picture", error)

    def _mark_selected(self) -> None:
        if self._navigator.place.view is View.GRAPH:
            return  # several nodes may be selected there
        selected = self._navigator.place.selected
        self._pictures.canvas.select(key_of(selected) if selected is not None else None)

    # The inspector

    def _describe(self, resource: Resource | None) -> None:
        if resource is None or self._bridge.is_empty:
            self._bridge.drop("description")
            self._inspector.show_resource(None, {})
        else:
            self._bridge.run(
                described,
                resource,
                title="Describe the resource",
                on_result=self._take_description,
                on_error=lambda error: self._not_described(resource, error),
                replaces="description",
            )

    def _take_description(self, described: Described) -> None:
        self._inspector.show_resource(described.view, self._bridge.graph_names, described.fields)
        self._bridge.updated.emit()

    def _not_described(self, resource: Resource, error: BaseException) -> None:
        self._inspector.show_resource(None, {})
        if isinstance(error, UnknownResource):
            self._navigator.forget(lambda other: other == resource)
            self._bridge.said.emit(f"The open graphs no longer mention {iri_text(resource)}")
        else:
            self._bridge.failed.emit("Describe the resource", error)

    # Nodes

    def _select(self, key: str) -> None:
        if self.phases.view is not None and self._navigator.place.view is View.LINEAGE:
            resource = self.phases.resource_of(key)
            if resource is not None:
                self._navigator.select(resource)
            self._phases_updated()
        elif not key.startswith((MORE_PREFIX, REST_PREFIX)):
            self._navigator.select(resource_of_key(key))

    def _activate(self, key: str) -> None:
        if self._navigator.place.view is View.LINEAGE and self.phases.activate(key):
            return
        if key.startswith(MORE_PREFIX) and self._navigator.place.view is View.CLASSES:
            self.class_group_wanted.emit(key)
        elif key.startswith(MORE_PREFIX):
            self._open_more(key)
        else:
            self._navigator.open(self.phases.resource_of(key) or resource_of_key(key))

    def _open_more(self, key: str) -> None:
        """Open an "and N more" node: list all values of a property, or go to where the picture was cut off."""
        what, _, rest = key.removeprefix(MORE_PREFIX).partition(":")
        view = self._inspector.view
        if what in ("in", "out") and view is not None:
            predicate = rest.removesuffix(f":{view.ref.iri}")
            listed = view.incoming if what == "in" else view.outgoing
            one: PropertyView | None = next((one for one in listed if one.predicate.value == predicate), None)
            if one is not None:
                self.values_wanted.emit(one, what == "in")
        elif rest:
            self._navigator.open(resource_of_key(rest))

    def _open_menu(self, key: str, at: QPoint) -> None:
        in_phases = self.phases.view is not None and self._navigator.place.view is View.LINEAGE
        resource = self.phases.resource_of(key) if in_phases else None
        if resource is None and not in_phases and not key.startswith((MORE_PREFIX, REST_PREFIX)):
            resource = resource_of_key(key)
        if resource is not None:
            self._navigator.select(resource)
            self.menu_wanted.emit(at)


def _picture_of(place: Place) -> Place:
    """A place without what is selected: what decides the picture."""
    return replace(place, selected=None)


def _lineage_options(place: Place) -> tuple[bool, int | None, bool, bool | None]:
    """The parts of a place on which the lineage depends."""
    return place.downstream, place.depth, place.whole, place.phases
