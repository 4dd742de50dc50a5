"""The drawn pattern of a query: what is clicked becomes the focus, what is deleted is removed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from hpc_explorer.app.query.pattern_picture import EMPTY_TEXT
from hpc_explorer.canvas.palette import DARK
from hpc_explorer.ontology.labels import term_label
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.query.pattern_view import PatternView
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.widgets.theme import use_theme

QUERY = """PREFIX e: <http://e.org/> SELECT * { ?model a e:AIModel ; e:trainedWith ?data . ?data e:size ?size
 FILTER(?size > 3) OPTIONAL { ?data e:license ?license } FILTER NOT EXISTS { ?model e:retractedBy ?who } }"""
MODEL = Variable("model")


class Painter:
    """Somebody before the pattern."""

    def __init__(self, qtbot: QtBot, view: PatternView) -> None:
        self.qtbot, self.view = qtbot, view
        self.focused: list[Variable] = []
        self.removed: list[tuple[int, ...]] = []
        view.focus_wanted.connect(self.focused.append)
        view.remove_wanted.connect(self.removed.append)

    def show(self, text: str) -> None:
        self.view.show_query(query_model(text), MODEL, term_label)
        self.rest()

    def rest(self) -> None:
        canvas = self.view.canvas
        self.qtbot.waitUntil(lambda: not (canvas.is_laying_out() or canvas.viewpoint.is_moving))

    def middle(self, key: str) -> QPoint:
        rect = self.view.canvas.view_rect(key)
        assert rect is not None, f"{key} is not drawn"
        return QPoint(round(rect.centre.x), round(rect.centre.y))

    def on_line(self, label: str) -> QPoint:
        ready = self.view.canvas.ready()
        assert ready is not None
        (box,) = (one.box for one in ready.layout.labels if one.text == label)
        centre = self.view.canvas.camera().rect_to_view(box).centre
        return QPoint(round(centre.x), round(centre.y))

    def menu_at(self, place: QPoint) -> list[str]:
        canvas = self.view.canvas
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(canvas, QContextMenuEvent(reason, place, canvas.mapToGlobal(place)))
        return [action.text() for action in self.menu().actions()]

    def menu(self) -> QMenu:
        self.qtbot.waitUntil(lambda: any(one.isVisible() for one in self.view.findChildren(QMenu)))
        return next(one for one in self.view.findChildren(QMenu) if one.isVisible())

    def choose(self, number: int) -> None:
        for _ in range(number + 1):
            self.qtbot.keyClick(self.menu(), Qt.Key.Key_Down)
        self.qtbot.keyClick(self.menu(), Qt.Key.Key_Return)


@pytest.fixture
def painter(qapp: QApplication, qtbot: QtBot) -> Painter:
    if qapp.font().family() != theme.FAMILY:
        theme.prepare(qapp)
    view = PatternView()
    qtbot.addWidget(view)
    view.resize(1000, 600)
    with qtbot.waitExposed(view):
        view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.setFocus()
    return Painter(qtbot, view)


def test_before_a_query_it_says_what_it_is_for(painter: Painter) -> None:
    painter.view.show_query(QueryModel(), None, term_label)
    painter.rest()
    assert painter.view.canvas.accessibleDescription() == EMPTY_TEXT


def test_a_click_on_what_is_sought_wants_it_as_focus(painter: Painter) -> None:
    painter.show(QUERY)
    painter.qtbot.mouseClick(painter.view.canvas, Qt.MouseButton.LeftButton, pos=painter.middle("?data"))
    assert painter.focused == [Variable("data")]


def test_the_keyboard_walks_from_node_to_node(painter: Painter) -> None:
    painter.show(QUERY)
    canvas = painter.view.canvas
    painter.qtbot.keyClick(canvas, Qt.Key.Key_Right)
    painter.qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert painter.focused[0] == MODEL
    assert painter.focused[-1] in (Variable("data"), Variable("who"))


def test_the_right_button_on_a_line_removes_what_it_says(painter: Painter) -> None:
    painter.show(QUERY)
    assert painter.menu_at(painter.on_line("optional: license")) == ["Remove: data? optional: license license?"]
    painter.choose(0)
    assert painter.removed == [(4,)]


def test_the_right_button_on_a_node_offers_its_conditions_and_lines(painter: Painter) -> None:
    painter.show(QUERY)
    offered = painter.menu_at(painter.middle("?size"))
    assert offered == ["Remove: size?: is more than 3", "Remove: data? size size?"]
    painter.choose(0)
    assert painter.removed == [(3,)]


def test_delete_removes_the_one_piece_of_a_node_and_asks_where_there_are_several(painter: Painter) -> None:
    painter.show(QUERY)
    canvas = painter.view.canvas
    painter.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=painter.middle("?who"))
    painter.qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    assert painter.removed == [(5,)]
    painter.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=painter.middle("?data"))
    painter.qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    assert len(painter.menu().actions()) == 3
    painter.qtbot.keyClick(painter.menu(), Qt.Key.Key_Escape)
    assert painter.removed == [(5,)]


def test_it_is_read_to_a_screen_reader_and_takes_the_colours(painter: Painter) -> None:
    painter.show(QUERY)
    said = painter.view.canvas.accessibleDescription()
    assert "model? trained with data?" in said
    assert "model? not: retracted by who?" in said
    use_theme(DARK)
    painter.rest()
    painter.qtbot.waitUntil(lambda: painter.view.grab().toImage().pixelColor(30, 30).lightness() < 60)


def test_a_menu_of_many_parts_counts_the_rest(painter: Painter) -> None:
    many = " ".join(f"?model e:p{number} {number} ." for number in range(15))
    painter.show(f"PREFIX e: <http://e.org/> SELECT * {{ ?model a e:AIModel . {many} }}")
    offered = painter.menu_at(painter.middle("?model"))
    total = len(offered) - 1 + int(offered[-1].split()[0])
    assert (len(offered), offered[-1]) == (13, f"{total - 12} more: remove them in the sentence")
    assert total >= 15
    painter.menu().close()
