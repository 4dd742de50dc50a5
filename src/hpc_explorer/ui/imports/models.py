"""From a model's file to its description in the graph: the dialog, the jobs, the step that can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.imports.models import ModelAdded, ModelLook, add_model, look_at_model
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.imports.model_dialog import ModelChoice, ModelDialog


class ModelDescriber(QObject):
    """Describes models by their files.

    Signals:
        failed(str, BaseException): what was tried, and what went wrong.
        said(str): something for the status bar.
    """

    failed = Signal(str, object)
    said = Signal(str)

    def __init__(self, bridge: SessionBridge, navigator: Navigator, undo: UndoStack, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._navigator, self._undo, self._window = bridge, navigator, undo, window

    def dialog(self, folder: Path, theme: Theme) -> ModelDialog:
        """The dialog that asks; what is chosen there is added to the graph."""
        dialog = ModelDialog(self._look, folder, theme, self._window)
        dialog.chosen.connect(self._add)
        dialog.finished.connect(lambda _: self._bridge.drop("model"))
        return dialog

    def _look(self, path: Path, done: Callable[[ModelLook], None], failed: Failed) -> None:
        self._bridge.run(look_at_model, path, title="Read the model", on_result=done, on_error=failed, replaces="model")

    def _add(self, choice: ModelChoice) -> None:
        self._bridge.run(
            partial(add_model, trees=choice.trees),
            choice.path,
            choice.iri,
            title=f"Describe {choice.path.name}",
            on_result=lambda added: self._added(choice, added),
            on_error=lambda error: self.failed.emit("Describe the model", error),
            writes=True,
        )

    def _added(self, choice: ModelChoice, added: ModelAdded) -> None:
        self._undo.take(added.step, added.resumed)
        self.said.emit(f"Described {choice.path.name}")
        self._navigator.edit(added.model)
