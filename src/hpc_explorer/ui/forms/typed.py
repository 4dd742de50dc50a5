"""What is typed into forms and not saved: at hand while the window is open, and on disk for when it ends early."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.forms.typed import TypedFormsFile
from hpc_explorer.app.views import FacetRow
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ui.bridge.session import SessionBridge


class TypedForms(QObject):
    """The forms that are being filled in, by their keys; those of the workspace that is open.

    Signals:
        changed(): there is one more of them, or one less.
        recovered(tuple): a workspace was opened that has some, typed before; their keys, the last one typed first.
        failed(ExplorerError): something cannot be kept on disk.
    """

    changed = Signal()
    recovered = Signal(object)
    failed = Signal(object)

    def __init__(self, bridge: SessionBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._folder: Path | None = None
        self._keeper: TypedFormsFile | None = None
        self._documents: dict[str, Mapping[str, Any]] = {}
        self.follow()

    def follow(self) -> None:
        """Turn to the workspace that is open now."""
        folder = self._bridge.workspace if self._bridge.read_only_reason is None else None
        if folder == self._folder:
            return
        self.close()
        self._folder, self._documents = folder, {}
        if folder is not None:
            self._keeper = TypedFormsFile(folder, failed=self.failed.emit)
            self._documents = {typed.key: typed.document for typed in self._keeper.kept()}
        self.changed.emit()
        if self._documents:
            self.recovered.emit(tuple(self._documents))

    def document(self, key: str) -> Mapping[str, Any] | None:
        """What is typed into a form; None where nothing is."""
        return self._documents.get(key)

    def keep(self, key: str, document: Mapping[str, Any]) -> None:
        """Keep what is typed into a form."""
        is_new = key not in self._documents
        self._documents = {key: document, **{one: kept for one, kept in self._documents.items() if one != key}}
        if self._keeper is not None:
            self._keeper.keep(key, document)
        if is_new:
            self.changed.emit()

    def drop(self, key: str) -> None:
        """Forget what was typed into a form."""
        if key not in self._documents:
            return
        del self._documents[key]
        if self._keeper is not None:
            try:
                self._keeper.drop(key)
            except ExplorerError as error:
                self.failed.emit(error)
        self.changed.emit()

    def drop_all(self) -> None:
        """Forget what was typed into all forms."""
        for key in tuple(self._documents):
            self.drop(key)

    def rows(self) -> tuple[FacetRow, ...]:
        """The forms as they are offered, the last one typed first."""
        return tuple(
            FacetRow(key, str(document.get("title", "")), detail="new" if document.get("classes") else "", tip=key)
            for key, document in self._documents.items()
        )

    def close(self) -> None:
        """Write what waits to be written."""
        if self._keeper is not None:
            try:
                self._keeper.close()
            except ExplorerError as error:
                self.failed.emit(error)
            self._keeper = None
