"""Create and connect the controllers of the tab "FAIR", one for each page or use of an assessment."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.undo import UndoStack
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.fair.controller import FairController
from hpc_explorer.ui.fair.history_controller import FairHistoryController
from hpc_explorer.ui.fair.many_controller import FairManyController
from hpc_explorer.ui.fair.repair_controller import FairRepairController
from hpc_explorer.ui.fair.report import FairReporter
from hpc_explorer.ui.fair.results import FairResults
from hpc_explorer.ui.fair.tab import FairTab
from hpc_explorer.ui.widgets.banner import Banner

ASSESSMENT_BAR = ("fair.assess", "fair.plan", "fair.keep", "fair.report", "fair.results")
"""The buttons above an assessment."""


class FairControllers(QObject):
    """Makes the tab, and connects its controllers with the window.

    Args:
        actions: of the buttons.
        undo: the undo stack for fixes.
        folder: the folder that file dialogs propose.
        open_source: opens a file in addition to the open sources.
        ask_about_results: shows the ready questions about results.

    Attributes:
        tab: the tab.
        controller: the assessment of the chosen resource.
        history: the assessments that were kept.
        many: all datasets and models.
        fix: the plan and the fixes.
        reporter: saves reports.
        results: opens results in a separate graph.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        actions: Actions,
        banner: Banner,
        undo: UndoStack,
        folder: Callable[[], str],
        open_source: Callable[[str], None],
        ask_about_results: Callable[[], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.tab = FairTab(
            actions.actions(*ASSESSMENT_BAR),
            actions.actions("fair.all", "go.search"),
            actions.actions("fair.keep"),
            actions.actions("fair.all", "fair.stop", "fair.all_results"),
        )
        self.controller = FairController(bridge, navigator, self.tab, undo, window)
        self.history = FairHistoryController(bridge, self.controller)
        self.fix = FairRepairController(bridge, self.controller, undo, window)
        self.reporter = FairReporter(bridge, self.controller, banner, folder, open_source, window)
        self.many = FairManyController(bridge, navigator, self.controller)
        self.results = FairResults(bridge, self.controller, banner, ask_about_results, window)
        self.controller.look()

    @staticmethod
    def commands(fair: Late[FairControllers], bridge: SessionBridge, navigator: Navigator) -> tuple[Command, ...]:
        """The commands for assessments."""
        controller = fair.part(lambda one: one.controller)
        assessment = FairController.assessment(controller, bridge)
        report, import_fuji = FairReporter.commands(fair.part(lambda one: one.reporter), assessment)
        return (
            *FairController.commands(controller, bridge, navigator),
            *FairManyController.commands(fair.part(lambda one: one.many), bridge),
            *FairController.choices(controller, bridge),
            *FairRepairController.commands(fair.part(lambda one: one.fix), assessment),
            *FairHistoryController.commands(fair.part(lambda one: one.history), assessment),
            report,
            *FairResults.commands(fair.part(lambda one: one.results), bridge, assessment),
            import_fuji,
        )
