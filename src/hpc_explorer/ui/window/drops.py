"""Files dropped on the window are opened, converted or described, depending on their kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from hpc_explorer.annotate.models.reading import is_model_name
from hpc_explorer.annotate.tables.reading import is_table
from hpc_explorer.ui.imports.controller import ImportsController


class Drops(QObject):
    """Handles drops on a window.

    Args:
        open_sources: opens graphs.
        from_files: handles tables and model files.
    """

    def __init__(
        self, open_sources: Callable[[Sequence[str]], None], from_files: ImportsController, window: QWidget
    ) -> None:
        super().__init__(window)
        self._open_sources, self._from_files = open_sources, from_files
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # QDragEnterEvent is a subclass of QDropEvent.
        if not isinstance(event, QDropEvent) or event.type() not in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            return False
        names = dropped_names(event.mimeData())
        if names:
            event.acceptProposedAction()
            if event.type() == QEvent.Type.Drop:
                self._take(sorted_names(names))
        return bool(names)

    def _take(self, wanted: SortedNames) -> None:
        if wanted.sources:
            self._open_sources(wanted.sources)
        self._from_files.take(wanted.tables, wanted.models)


def dropped_names(data: QMimeData) -> list[str]:
    """The local files and folders of a drop."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


@dataclass(frozen=True)
class SortedNames:
    """File names by kind: tables to convert, models to describe, and sources to open."""

    tables: tuple[Path, ...]
    models: tuple[Path, ...]
    sources: tuple[str, ...]


def sorted_names(names: Sequence[str]) -> SortedNames:
    """Sort files and folders by kind."""
    tables = tuple(Path(name) for name in names if is_table(Path(name)))
    models = tuple(path for name in names if is_model_name(path := Path(name)) and path not in tables)
    return SortedNames(tables, models, tuple(name for name in names if Path(name) not in (*tables, *models)))
