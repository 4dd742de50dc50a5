"""A theme is applied part by part, first to what is in sight, or to a part when it is shown."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialog, QLineEdit, QMainWindow, QPushButton, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.palette import DARK, LIGHT, Theme
from hpc_explorer.ui.window.appearance import ThemedParts


class Styled(QObject):
    """Notes each time that Qt styles a widget."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.order: list[QObject] = []
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange:
            self.order.append(watched)
        return False


def default_button() -> QPushButton:
    """A button whose face has the accent of the theme."""
    button = QPushButton("Go")
    button.setDefault(True)
    return button


@dataclass(frozen=True)
class Shown:
    """A window with two pages."""

    stack: QStackedWidget
    parts: ThemedParts

    @property
    def window(self) -> QWidget:
        return self.stack.window()

    @property
    def buttons(self) -> tuple[QPushButton, QPushButton]:
        """One on each page."""
        return self.stack.widget(0).findChild(QPushButton), self.stack.widget(1).findChild(QPushButton)


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    """Two pages with a button each, in a window; the first one is in sight."""
    window, stack = QMainWindow(), QStackedWidget()
    for _ in range(2):
        page = QWidget()
        QVBoxLayout(page).addWidget(default_button())
        stack.addWidget(page)
    window.setCentralWidget(stack)
    parts = ThemedParts(window)
    parts.add(stack.widget(0), stack.widget(1))
    parts.apply(LIGHT)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return Shown(stack, parts)


def background(button: QWidget) -> str:
    """The colour of a button's face."""
    return button.grab().toImage().pixelColor(6, button.height() // 2).name()


def apply(shown: Shown, theme: Theme, qtbot: QtBot) -> None:
    """Apply a theme, and wait until all parts have it."""
    shown.parts.apply(theme)
    qtbot.waitUntil(lambda: not shown.parts.is_applying)


def test_the_parts_take_on_a_theme_one_after_the_other_and_are_painted_once(shown: Shown, qtbot: QtBot) -> None:
    first, second = shown.buttons
    styled = Styled(first, second)
    shown.parts.apply(DARK)
    assert not styled.order
    assert not first.updatesEnabled()
    qtbot.waitUntil(lambda: not shown.parts.is_applying)
    assert styled.order[0] is first, "what is in sight comes first"
    assert styled.order[-1] is second
    assert first.updatesEnabled()
    assert background(first) == DARK.accent
    before = len(styled.order)
    shown.stack.setCurrentIndex(1)
    assert background(second) == DARK.accent
    assert len(styled.order) == before


def test_a_page_that_is_shown_meanwhile_takes_on_the_theme_at_once(shown: Shown, qtbot: QtBot) -> None:
    first, second = shown.buttons
    shown.parts.apply(DARK)
    shown.stack.setCurrentIndex(1)
    assert background(second) == DARK.accent
    qtbot.waitUntil(lambda: not shown.parts.is_applying)
    assert second.updatesEnabled()
    apply(shown, LIGHT, qtbot)
    assert background(second) == LIGHT.accent
    shown.stack.setCurrentIndex(0)
    assert background(first) == LIGHT.accent


def test_the_same_theme_is_painted_again(shown: Shown) -> None:
    shown.parts.apply(LIGHT)
    assert not shown.parts.is_applying
    assert shown.buttons[0].updatesEnabled()


def test_what_contains_the_parts_takes_on_the_palette(shown: Shown, qtbot: QtBot) -> None:
    apply(shown, DARK, qtbot)
    for widget in (shown.stack, shown.window, shown.buttons[0]):
        assert widget.palette().color(QPalette.ColorRole.Window).name() == DARK.surface


def test_dialogs_that_open_later_have_the_theme(shown: Shown, qtbot: QtBot) -> None:
    apply(shown, DARK, qtbot)
    dialog = QDialog(shown.window)
    column = QVBoxLayout(dialog)
    column.addWidget(QLineEdit())
    button = default_button()
    column.addWidget(button)
    dialog.open()
    assert background(button) == DARK.accent
    assert dialog.grab().toImage().pixelColor(2, 2).name() == DARK.surface
    dialog.hide()
    shown.parts.apply(LIGHT)
    dialog.open()
    assert background(button) == LIGHT.accent


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.times += 1
        return False


def test_what_waits_to_be_painted_when_the_theme_changes_is_painted_and_all_after_it(
    shown: Shown, qtbot: QtBot
) -> None:
    first, _ = shown.buttons
    painted = Painted(first)
    for theme in (DARK, LIGHT):
        first.update()  # Qt has it in its list when painting is held, and would ask for nothing more
        before = painted.times
        shown.parts.apply(theme)
        qtbot.waitUntil(lambda: not shown.parts.is_applying)
        qtbot.waitUntil(lambda before=before: painted.times > before, timeout=5_000)
