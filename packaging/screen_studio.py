"""A window over the whole of a screen with a window manager, of which pictures are taken."""

from __future__ import annotations

from pathlib import Path

from picture_studio import Studio
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog

from hpc_explorer.ui.bridge.navigator import View


class ScreenStudio(Studio):
    """A window over the whole of a screen, of which pictures are taken."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        super().__init__(application, folder)
        self.window.showMaximized()
        self.until(self.window.isActiveWindow)
        self.rest()

    def __exit__(self, *problem: object) -> None:
        self.window.quit_now()

    def take(self, name: str, *, coarse: bool = False, busy: bool = False) -> None:
        """Write the whole screen, light and dark; busy: while the window waits for something."""
        for colours in ("light", "dark"):
            self.window.run(f"theme.{colours}")
            if busy:
                self.pass_time(1_000)
            else:
                self.rest()
            self.pass_time(200)  # the window manager has painted its frames
            self._folder.mkdir(parents=True, exist_ok=True)
            QGuiApplication.primaryScreen().grabWindow(0).save(str(self._folder / f"{name}-{colours}.png"))
        self.window.run("theme.light")

    def show_view(self, view: View) -> None:
        """Show a view of what is open."""
        self.window.navigator.show_view(view)
        self.rest()

    def dialog(self) -> QDialog:
        """The dialog that is open."""
        found: list[QDialog] = []

        def look() -> bool:
            found[:] = [one for one in self.window.findChildren(QDialog) if one.isVisible()]
            return bool(found)

        self.until(look)
        self.rest()
        return found[-1]
