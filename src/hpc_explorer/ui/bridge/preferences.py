"""What a window remembers from one start to the next, as it changes while the window is open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hpc_explorer.app.settings import Settings


class Preferences:
    """The settings of one window, saved when it is closed.

    Attributes:
        settings: as they are now.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def change(self, **values: Any) -> None:
        """Change some of the settings, by their names."""
        self.settings = replace(self.settings, **values)

    def folder(self) -> str:
        """The folder that a file was last opened from or saved in, or the user's own."""
        last = self.settings.last_folder
        return last if Path(last or "/none/").is_dir() else str(Path.home())

    def remember_folder(self, folder: str) -> None:
        """Propose this folder the next time."""
        self.change(last_folder=folder)

    def remember_sources(self, names: tuple[str, ...]) -> None:
        """List these sources as the latest that were open."""
        self.settings = self.settings.with_recent(names)

    def recent(self) -> tuple[str, ...]:
        """The sources that were open before, the latest first."""
        return self.settings.recent_sources

    def matches_content(self) -> bool:
        """Whether a lineage goes on through things with the same content."""
        return self.settings.match_content
