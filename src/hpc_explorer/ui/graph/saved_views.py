"""Save graph views: by name on request, and the last state of a workspace's view automatically."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QWidget,
)

from hpc_explorer.app.graph.saved_views import load_last, load_view, save_last, save_view, view_names, views_folder
from hpc_explorer.app.jobs import Job
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.graph.controller import GraphController
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, open_dialog
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot

PAUSE = 1_500
"""Milliseconds after the last change before the state is written."""

PATIENCE = 5.0
"""Maximum seconds to wait for the write at exit."""


class SavedViewsController(QObject):
    """Saves and loads the views of the open graph."""

    def __init__(self, bridge: SessionBridge, controller: GraphController, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._controller = controller
        self._window = window
        self._workspace: Path | None = None
        self._alone = False
        self._kept: GraphView | None = None
        self._pause = single_shot(self, PAUSE, self._keep)
        self._keeping: Job[None] | None = None
        controller.document.subscribe(lambda view: self._pause.start() if self._workspace is not None else None)

    @property
    def folder(self) -> Path:
        """The folder of the views."""
        return views_folder(self._bridge.workspace, self._bridge.source_names)

    def follow(self) -> None:
        """Another graph is open, or the graph changed: show its own view, or the same one as the graph is now."""
        workspace = self._bridge.workspace
        if workspace != self._workspace:
            self.flush()
            self._workspace, self._alone = workspace, not self._bridge.is_shared
            self._kept = None
            self._controller.begin(GraphView())
            if workspace is not None:
                folder = self.folder
                self._controller.open_view(lambda: load_last(folder), "", begin=True)
        elif self._bridge.is_empty:
            self._controller.begin(GraphView())
        else:
            self._controller.refresh()

    def flush(self) -> None:
        """Have the state of the workspace's view written before this returns."""
        self._pause.stop()
        if self._keeping is not None:
            with suppress(TimeoutError, ExplorerError):
                self._keeping.result(PATIENCE)
        if self._workspace is not None and self._is_to_be_kept:
            try:
                save_last(views_folder(self._workspace, ()), self._controller.view)
            except ExplorerError as error:
                self._bridge.failed.emit("Keep the graph view", error)
            self._kept = self._controller.view

    @property
    def _is_to_be_kept(self) -> bool:
        """Whether the workspace's view is another one than was written last, and this program may write it."""
        return (
            self._alone
            and self._controller.view is not self._kept
            and bool(self._workspace and self._workspace.is_dir())
        )

    def _keep(self) -> None:
        """Write the state of the workspace's view, meanwhile."""
        if self._workspace is not None and self._is_to_be_kept:
            folder, view = views_folder(self._workspace, ()), self._controller.view
            self._kept = view
            self._keeping = self._bridge.jobs.run(
                save_last,
                folder,
                view,
                title="Keep the graph view",
                writes=True,
            )

    def ask_name(self) -> None:
        """Ask for a name and keep the view under it."""
        dialog = NameDialog("Save view", view_names(self.folder), self._window, new=True)
        dialog.chosen.connect(self.save)
        open_dialog(dialog)

    def ask_view(self) -> None:
        """Ask which view is to be opened."""
        dialog = NameDialog("Open view", view_names(self.folder), self._window, new=False)
        dialog.chosen.connect(self.open)
        open_dialog(dialog)

    def save(self, name: str) -> None:
        """Keep the view under a name."""
        self._bridge.jobs.run(
            save_view,
            self.folder,
            name,
            self._controller.view,
            title="Save the view",
            on_result=lambda _: self._bridge.said.emit(f"Saved the view “{name}”"),
            writes=True,
        )

    def open(self, name: str) -> None:
        """Show the view that has this name."""
        folder = self.folder
        self._controller.open_view(lambda: load_view(folder, name), f"open view “{name}”")


class NameDialog(QDialog):
    """A list of names, and optionally a field for a new one.

    Args:
        names: the existing names.
        new: whether a new name can be entered.

    Signals:
        chosen(str): the name.
    """

    chosen = Signal(str)

    def __init__(self, title: str, names: Sequence[str], parent: QWidget, *, new: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.box = QLineEdit()
        self.box.setAccessibleName("Name of the view")
        self.box.setPlaceholderText("Name of the view")
        self.box.setMaxLength(80)
        self.list = QListWidget()
        self.list.setAccessibleName("Saved views")
        self.list.addItems(list(names))
        column = dialog_column(self)
        if new:
            column.addWidget(self.box)
        if names:
            column.addWidget(caption("Saved views; one of the same name is replaced" if new else "Saved views"))
            column.addWidget(self.list, 1)
        elif not new:
            column.addWidget(TextBlock("No view was saved yet. Graph, Save view keeps the one you have.", muted=True))
        self._go = add_answers(self, column, "Save" if new else "Open", self._choose)
        self.box.textChanged.connect(self._check)
        self.list.currentTextChanged.connect(self.box.setText)
        self.list.itemActivated.connect(lambda item: self._choose())
        if not new and names:
            self.list.setCurrentRow(0)
        self._check()
        self.resize(44 * GRID, 40 * GRID if names else self.sizeHint().height())
        (self.box if new else self.list).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self._choose()
        else:
            super().keyPressEvent(event)

    def _check(self) -> None:
        self._go.setEnabled(bool(self.box.text().strip()))

    def _choose(self) -> None:
        name = self.box.text().strip()
        if name and self.isVisible():
            self.accept()
            self.chosen.emit(name)
