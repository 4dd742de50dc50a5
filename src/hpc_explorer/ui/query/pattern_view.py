"""The picture of a query: a click on a variable makes it the focus, and each part can be removed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from hpc_explorer.app.query.pattern_picture import EMPTY_TEXT, PatternPicture, Removable, pattern_picture
from hpc_explorer.canvas.geometry import Point
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.text import brief
from hpc_explorer.canvas.walk import HIT
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sentence.wording import Names
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets.plain import without_shortcut

MOST_OFFERED = 12
"""The maximum number of parts in a node's menu."""

LONGEST_PIECE = 80


class PatternView(QWidget):
    """Shows a query as a picture.

    A click on a round node, or Enter, makes it the focus. Delete and the right button remove parts of a line or node.

    Signals:
        focus_wanted(Variable): a round node was chosen.
        remove_wanted(tuple): the place of an element to remove.
    """

    focus_wanted = Signal(object)
    remove_wanted = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Drawn pattern")
        self.picture: PatternPicture | None = None
        self.canvas = _PatternCanvas()
        self.canvas.set_scene(Scene(empty_text=EMPTY_TEXT))
        self.canvas.node_selected.connect(self._choose)
        self.canvas.node_activated.connect(self._choose)
        self.canvas.node_context_menu.connect(self._offer_at)
        self.canvas.line_context_menu.connect(self._offer_line)
        self.canvas.delete_wanted.connect(self._delete)
        self.setFocusProxy(self.canvas)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.canvas)

    def show_query(self, query: QueryModel, focus: Variable | None, names: Names) -> None:
        """Draw a query.

        Args:
            focus: the variable to mark.
            names: returns the names of terms.
        """
        before = self.picture
        self.picture = pattern_picture(query, focus, names)
        if before is not None and before.scene == self.picture.scene:
            return
        self.canvas.set_scene(self.picture.scene)
        # For screen readers.
        parts = [piece.text for piece in self.picture.edges]
        parts += [piece.text for pieces in self.picture.conditions.values() for piece in pieces]
        self.canvas.setAccessibleDescription("; ".join(parts) or EMPTY_TEXT)

    def _choose(self, key: str) -> None:
        variable = self.picture.variables.get(key) if self.picture is not None else None
        if variable is not None:
            self.focus_wanted.emit(variable)

    def _delete(self) -> None:
        """Remove the only part at the selected node, or open a menu of its parts."""
        key = self.canvas.selection.current
        if self.picture is None or key is None:
            return
        pieces = self.picture.removable_at(key)
        if len({piece.place for piece in pieces}) == 1:
            self.remove_wanted.emit(pieces[0].place)
            return
        rect = self.canvas.view_rect(key)
        if rect is not None:
            self._offer_at(key, self.canvas.mapToGlobal(QPoint(round(rect.centre.x), round(rect.bottom))))

    def _offer_at(self, key: str, place: QPoint) -> None:
        if self.picture is not None:
            self._offer(self.picture.removable_at(key), place)

    def _offer_line(self, edges: tuple[int, ...], place: QPoint) -> None:
        if self.picture is not None:
            self._offer([self.picture.edges[edge] for edge in edges], place)

    def _offer(self, pieces: Sequence[Removable], place: QPoint) -> None:
        if not pieces:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        different = list({piece.place: piece for piece in pieces}.values())
        for piece in different[:MOST_OFFERED]:
            action = menu.addAction(without_shortcut(f"Remove: {brief(piece.text, LONGEST_PIECE)}"))
            action.triggered.connect(lambda _=False, place=piece.place: self.remove_wanted.emit(place))
        if len(different) > MOST_OFFERED:
            menu.addAction(f"{len(different) - MOST_OFFERED:,} more: remove them in the sentence").setEnabled(False)
        menu.popup(place)


class _PatternCanvas(CanvasView):
    """A canvas with menus for lines.

    Signals:
        line_context_menu(tuple, QPoint): the menu of a line was requested; the indexes of its edges.
        delete_wanted(): Delete was pressed.
    """

    line_context_menu = Signal(tuple, QPoint)
    delete_wanted = Signal()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is not QContextMenuEvent.Reason.Keyboard
        at = QPointF(event.pos())
        edges = self._edges_at(at) if by_mouse and self.node_at(at) is None else ()
        if edges:
            self.line_context_menu.emit(edges, event.globalPos())
            event.accept()
        else:
            super().contextMenuEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _edges_at(self, place: QPointF) -> tuple[int, ...]:
        """The edges of the line or label at a position."""
        ready = self.ready()
        if ready is None:
            return ()
        point = self.camera().to_scene(Point(place.x(), place.y()))
        for label in ready.layout.labels:
            if label.box.contains(point):
                return label.edges
        route = ready.finder.route_at(point, HIT / min(self.camera().scale, 1.0))
        return route.bundle.edges if route is not None else ()
