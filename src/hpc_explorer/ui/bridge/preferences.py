"""The settings of a window while it is open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hpc_explorer.app.settings import RECENT_RESOURCES, Settings


class Preferences:
    """The settings of one window; the window saves them when it closes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def change(self, **values: Any) -> None:
        """Change settings by name."""
        self.settings = replace(self.settings, **values)

    def folder(self) -> str:
        """The folder last used in a file dialog, or the home folder."""
        last = self.settings.last_folder
        return last if Path(last or "/none/").is_dir() else str(Path.home())

    def remember_folder(self, folder: str) -> None:
        """Start the next file dialog in this folder."""
        self.change(last_folder=folder)

    def remember_sources(self, names: tuple[str, ...]) -> None:
        """Put sources at the top of the recent ones."""
        self.settings = self.settings.with_recent(names)

    def remember_resource(self, iri: str) -> None:
        """Put a resource at the top of the recent ones."""
        recent = dict.fromkeys((iri, *self.settings.recent_resources))
        self.change(recent_resources=tuple(recent)[:RECENT_RESOURCES])

    def recent(self) -> tuple[str, ...]:
        """The recent sources, latest first."""
        return self.settings.recent_sources

    def matches_content(self) -> bool:
        """Whether a lineage continues through things with the same content."""
        return self.settings.match_content
