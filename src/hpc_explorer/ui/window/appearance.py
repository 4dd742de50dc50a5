"""The theme of the window, and how classes look."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.settings import ThemeChoice
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.palette import DARK, LIGHT, Theme
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.explore.looks import Looks, LooksController
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.theme import system_theme
from hpc_explorer.ui.widgets.themed_parts import ThemedParts

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
