"""The theme of the window, changed part by part, and how classes look."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from weakref import WeakSet

from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from hpc_explorer.app.settings import ThemeChoice
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.palette import DARK, LIGHT, Theme
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.explore.looks import Looks, LooksController
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.theme import qt_palette, style_sheet, system_theme, use_theme

_THEMES: dict[ThemeChoice, Callable[[], Theme]] = {
    "light": lambda: LIGHT,
    "dark": lambda: DARK,
    "system": system_theme,
}


class Appearance(QObject):
    """Applies the chosen theme.

    Args:
        of_view: returns the looks of the current view, if it can have its own.

    Attributes:
        looks: the user's choices for classes.
        parts: the parts of the window that are styled by themselves.
    """

    def __init__(
        self, session: Session, preferences: Preferences, of_view: Callable[[], Looks | None], window: QWidget
    ) -> None:
        super().__init__(window)
        self._preferences, self._of_view = preferences, of_view
        self.looks = LooksController(session, preferences.settings.looks, window)
        self._theme = LIGHT
        self.parts = ThemedParts(window)
        self.looks.changed.connect(self._remember_looks)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.use)

    def commands(self) -> tuple[Command, ...]:
        """The commands that choose the theme."""
        return (
            Command("theme.system", "System theme", "View/Theme", 3, "", "screen")
            .runs(partial(self._choose, "system"))
            .marked(partial(self._is, "system"), choice=True)
            .about("Follow the light or dark setting of the desktop."),
            Command("theme.light", "Light theme", "View/Theme", 3, "", "sun")
            .runs(partial(self._choose, "light"))
            .marked(partial(self._is, "light"), choice=True)
            .about("Dark text on a light background."),
            Command("theme.dark", "Dark theme", "View/Theme", 3, "", "moon")
            .runs(partial(self._choose, "dark"))
            .marked(partial(self._is, "dark"), choice=True)
            .about("Light text on a dark background."),
        )

    def use(self) -> None:
        """Apply the chosen theme."""
        self._theme = self.looks.themed(_THEMES[self._preferences.settings.theme]())
        self.parts.apply(self._theme)

    def show_looks(self, cls: str | None) -> None:
        """Show the dialog for looks.

        Args:
            cls: the class to start with; None for the first.
        """
        dialog = self.looks.dialog(self._theme, cls, self._of_view())
        open_dialog(dialog)

    def show_look(self, key: str) -> None:
        """Show the dialog for looks at the first class of a legend entry, by its key."""
        self.show_looks(self.looks.class_of_look(self._theme, key))

    def _choose(self, choice: ThemeChoice) -> None:
        self._preferences.change(theme=choice)
        self.use()

    def _is(self, choice: ThemeChoice) -> bool:
        return self._preferences.settings.theme == choice

    def _remember_looks(self) -> None:
        self._preferences.change(looks=self.looks.looks)
        self.use()


class ThemedParts(QObject):
    """The parts of a window, and the dialogs and menus that it opens.

    Qt styles 10,000 widgets in a second, and a new style sheet of the window styles all of them at once. So the window
    keeps the style sheet that it had first. When the theme changes, the parts in sight get a style sheet of their own,
    which takes precedence, and each of the others gets it when it is shown. No theme changes a distance, so that what
    was measured under another one is right.

    The style sheet is not the program's: under one of the program, Qt styles a widget anew each time one of its parents
    gets a parent, which makes building a page three times as slow.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._sheet = ""
        self._parts: WeakSet[QWidget] = WeakSet()
        window.installEventFilter(self)

    def add(self, *parts: QWidget) -> None:
        """Add parts; none of them contains another one."""
        for part in parts:
            if part not in self._parts:
                self._parts.add(part)
                part.installEventFilter(self)

    def apply(self, theme: Theme) -> None:
        """Apply a theme to the program's palette and to the window."""
        palette, self._sheet = qt_palette(theme), style_sheet(theme)
        # All widgets take on a palette that is set, also the one that they have.
        if QApplication.palette() != palette:
            QApplication.setPalette(palette)
        if not self._window.styleSheet():
            self._window.setStyleSheet(self._sheet)
        for part in filter(isValid, self._parts):
            self._colour_around(part, palette)
            if part.isVisible():
                self._style(part)
        use_theme(theme)
        for widget in self._window.findChildren(QWidget):
            if widget.isVisible():
                widget.update()  # classes may look different in the same palette

    def _colour_around(self, part: QWidget, palette: QPalette) -> None:
        """Give a palette to what contains a part; below a widget with a style sheet, Qt does not."""
        around: QWidget | None = part
        while around is not None and around is not self._window:
            around = around.parentWidget()
            if around is not None and around.palette() != palette:
                around.setPalette(palette)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Style a part that is shown; dialogs and menus of the window are parts as soon as Qt has styled them."""
        kind = event.type()
        if kind == QEvent.Type.Show and watched in self._parts:
            self._style(watched)
        elif kind == QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            child = event.child()
            if isinstance(child, QWidget) and child.isWindow() and watched is self._window:
                self.add(child)
        return False

    def _style(self, part: QObject) -> None:
        if isinstance(part, QWidget) and (part.styleSheet() or self._window.styleSheet()) != self._sheet:
            part.setStyleSheet(self._sheet)
