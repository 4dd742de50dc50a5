"""The theme of the window, changed part by part, and how classes look."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from weakref import WeakSet

from PySide6.QtCore import QChildEvent, QCoreApplication, QEvent, QObject
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
from hpc_explorer.ui.widgets.turns import Turn

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
    keeps the style sheet that it had first. When the theme changes, each part gets a style sheet of its own, which
    takes precedence: one in each pass of the event loop, those in sight first, and one that is shown meanwhile at once.
    The window is painted again when all in sight have it. No theme changes a distance, so that what was measured under
    another one is right.

    The style sheet is not the program's: under one of the program, Qt styles a widget anew each time one of its parents
    gets a parent, which makes building a page three times as slow.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._sheet = ""
        self._parts: WeakSet[QWidget] = WeakSet()
        self._unstyled: list[QWidget] = []
        self._held: list[QWidget] = []
        self._styling = Turn(self, self._style_next)
        window.installEventFilter(self)

    @property
    def is_applying(self) -> bool:
        """Whether some parts have the theme before still."""
        return self._styling.is_waiting

    def add(self, *parts: QWidget) -> None:
        """Add parts; none of them contains another one."""
        for part in parts:
            if part not in self._parts:
                self._parts.add(part)
                part.installEventFilter(self)

    def apply(self, theme: Theme) -> None:
        """Apply a theme to the program's palette and to the window, whose parts take it on one after the other."""
        palette, self._sheet = qt_palette(theme), style_sheet(theme)
        parts = [part for part in self._parts if isValid(part)]
        self._hold(parts)
        # All widgets take on a palette that is set, also the one that they have.
        if QApplication.palette() != palette:
            QApplication.setPalette(palette)
        if not self._window.styleSheet():
            self._window.setStyleSheet(self._sheet)
        for part in parts:
            self._colour_around(part, palette)
        use_theme(theme)
        self._unstyled = sorted(filter(self._is_other, parts), key=lambda part: not part.isVisible())
        self._release_if_styled()
        if self._unstyled:
            self._styling.start()

    def _style_next(self) -> None:
        """Style a part, if there is one that was not shown meanwhile."""
        self._unstyled = [part for part in self._unstyled if isValid(part) and self._is_other(part)]
        if self._unstyled:
            self._style(self._unstyled.pop(0))
        self._release_if_styled()
        if self._unstyled:
            self._styling.start()

    def _hold(self, parts: list[QWidget]) -> None:
        """Paint nothing until all in sight has the theme."""
        for window in {part.window() for part in parts if part.isVisible()}:
            window.setUpdatesEnabled(False)
            self._held.append(window)

    def _release_if_styled(self) -> None:
        """Paint everything, also what has the style sheet already: classes may look different in the same palette."""
        if any(isValid(part) and part.isVisible() for part in self._unstyled):
            return
        held, self._held = self._held, []
        for window in filter(isValid, held):
            window.setUpdatesEnabled(True)
            # Qt asks for no painting while its list of what is to be painted has something: here, what it had when
            # painting was held. Without this, nothing of the window would be painted any more.
            QCoreApplication.postEvent(window, QEvent(QEvent.Type.UpdateRequest))

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

    def _is_other(self, part: QWidget) -> bool:
        """Whether a part has the style sheet of another theme."""
        return (part.styleSheet() or self._window.styleSheet()) != self._sheet

    def _style(self, part: QObject) -> None:
        if isinstance(part, QWidget) and self._is_other(part):
            part.setStyleSheet(self._sheet)
