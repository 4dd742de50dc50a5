"""Several nodes chosen, and cards dragged, by the mouse, in the graph tab."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt

from tests.helpers.canvases import middle_of
from tests.helpers.windows import MODEL, User
from tests.ui.graph.test_tab import canvas_of, expand, model, picture, view_of  # noqa: F401  (model is a fixture)


def test_a_card_is_dragged_and_back(model: User) -> None:  # noqa: F811
    expand(model, "was derived from dataset")
    canvas, before = canvas_of(model), view_of(model)
    canvas.fit()
    model.until(lambda: not canvas.viewpoint.is_moving)
    start = middle_of(canvas, MODEL)
    model.qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in (20, 60, 90):
        model.qtbot.mouseMove(canvas, start + QPoint(0, step))
    model.qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(0, 90))
    model.rest()
    place = view_of(model).places[MODEL]
    assert place.pinned
    assert place.y > before.places[MODEL].y
    assert model.window.features.graph.controller.undo.undo_words == "move “decisionTree.onnx”"
    model.press("Ctrl+Z", canvas)
    model.rest()
    assert view_of(model).places == before.places
    assert picture(view_of(model)) == picture(before)


def test_two_are_chosen_and_hidden(model: User) -> None:  # noqa: F811
    expand(model, "was derived from dataset")
    canvas = canvas_of(model)
    canvas.fit()
    model.until(lambda: not canvas.viewpoint.is_moving)
    keys = sorted(view_of(model).nodes.keys() - {MODEL})[:2]
    model.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle_of(canvas, keys[0]))
    model.rest()
    model.qtbot.mouseClick(
        canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, pos=middle_of(canvas, keys[1])
    )
    model.rest()
    assert view_of(model).selected == frozenset(keys)
    assert model.window.commands.by_id["graph.path"].isEnabled()
    model.window.run("graph.hide")
    model.rest()
    assert view_of(model).hidden == frozenset(keys)
    assert model.window.features.graph.controller.undo.undo_words == "hide 2 nodes"
