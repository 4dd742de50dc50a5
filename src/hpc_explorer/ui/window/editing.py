"""The features that change the graph: the tab Edit, drafts, pushing and offline copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.undo import UndoStack
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.controller import ChangesController
from hpc_explorer.ui.changes.drafts import DraftsController
from hpc_explorer.ui.changes.offline import OfflineController
from hpc_explorer.ui.changes.page import ChangesPage
from hpc_explorer.ui.changes.saving import SaveController, TypedForms
from hpc_explorer.ui.changes.undo import EditUndo
from hpc_explorer.ui.checks.controller import ChecksController
from hpc_explorer.ui.checks.page import ChecksPage
from hpc_explorer.ui.forms.controller import FormController
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.edit_tab import EditTab

CHECKS_BAR = (
    "check.all",
    "check.stop",
    "check.add_shapes",
    "check.copy",
    "check.save",
    "edit.start",
)
"""The buttons above the validation results."""

CHANGES_BAR = ("file.save", "edit.undo", "edit.redo", "changes.take_back", "changes.export")
"""The buttons above the list of changes."""


class EditControllers(QObject):
    """Creates the controllers that change the graph, and joins their signals.

    Args:
        undo: the undo stack of the window.
        folder: returns the folder that file dialogs start in.
        chosen: returns the chosen resources.

    Attributes:
        changes: the list of changes.
        checks: validation.
        undo: undo and redo of edits.
        saving, offline, drafts: save changes, copy from endpoints, list drafts.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        tab: EditTab,
        actions: Actions,
        banner: Banner,
        undo: UndoStack,
        folder: Callable[[], str],
        chosen: Callable[[], Sequence[Resource]],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self.form = FormController(bridge, navigator, tab, actions, undo, window)
        self.undo = EditUndo(undo, bridge, window)

        def changes_page() -> ChangesPage:
            return ChangesPage(actions.actions(*CHANGES_BAR), actions.actions("edit.start"))

        def checks_page() -> ChecksPage:
            return ChecksPage(actions.actions(*CHECKS_BAR), actions.actions("check.all", "check.add_shapes"))

        self.changes = ChangesController(bridge, navigator, tab, changes_page, undo, window)
        self.checks = ChecksController(bridge, navigator, tab, checks_page, undo, folder, window)
        typed = TypedForms(
            lambda: self.form.is_in_sight and self.form.is_typed,
            self.form.editor.save,
            lambda: len(self.form.typed.rows()),
            self.form.typed.drop_all,
        )
        self.saving = SaveController(bridge, undo, typed, folder, self.changes.show, window)
        self.offline = OfflineController(bridge, banner, chosen, window)
        self.drafts = DraftsController(
            bridge, banner, undo, lambda: actions.run("changes.time"), self.saving.leave, window
        )
        self.form.offered.connect(banner.show_done)
        self.saving.written.connect(self.changes.refresh)
        self.saving.counted.connect(lambda _: self._bridge.updated.emit())

    def commands(self, take_back: Callable[[], None], do_again: Callable[[], None]) -> tuple[Command, ...]:
        """The commands that change the graph and list changes.

        Args:
            take_back, do_again: undo and redo of steps that are not edits.
        """
        return (
            *self.saving.commands(),
            *self.drafts.commands(),
            *self.offline.commands(),
            *self.undo.commands(take_back, do_again),
            *self.form.commands(),
            *self.changes.commands(),
            *self.checks.commands(),
        )

    @property
    def is_waiting(self) -> bool:
        """Whether something is loading."""
        return self.form.is_waiting or self.checks.is_waiting
