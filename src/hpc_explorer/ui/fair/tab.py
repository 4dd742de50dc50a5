"""The tab "FAIR": one assessment, the plan to a target, its history, and all datasets and models."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from hpc_explorer.ui.fair.history import HistoryPage
from hpc_explorer.ui.fair.many import ManyPage
from hpc_explorer.ui.fair.page import FairPage
from hpc_explorer.ui.fair.plan import PlanPage
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, tab_bar
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.resource_list import ResourceList, ResourceRow
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, TITLE

WHAT_FOR = (
    "How FAIR is a dataset or a model?",
    "47 indicators of the RDA and F-UJI are decided from the graph: each with the statements that prove it, or a "
    "sentence why not and how to fix it. Nothing leaves this computer. A person answers what the graph cannot show.",
)


NARROW = 52 * GRID
"""The width in pixels below which the titles of all pages do not fit."""


class FairView(Enum):
    """The pages of the tab, by the title of the sub-tab."""

    ASSESSMENT = "Assessment"
    PLAN = "Plan"
    HISTORY = "History"
    ALL = "All datasets and models"


TIPS = {
    FairView.ASSESSMENT: "The 47 indicators of the chosen dataset or model",
    FairView.PLAN: "The shortest list of steps to a target",
    FairView.HISTORY: "The kept assessments, and the changes between two of them",
    FairView.ALL: "All datasets and models, ranked, and what to fix first",
}
"""The explanation of each page."""


class FairTab(QWidget):
    """The pages, one of them visible.

    Args:
        head: the buttons above an assessment.
        beginning: the buttons if nothing is assessed.
        keeping: the buttons if nothing is kept.
        many: the buttons above all datasets and models.

    Attributes:
        views: the sub-tabs.
        start: the view if nothing is assessed.
        page, plan, history, many: the pages.

    Signals:
        view_wanted(FairView): another page is shown.
    """

    view_wanted = Signal(object)

    def __init__(
        self,
        head: Sequence[QAction],
        beginning: Sequence[QAction],
        keeping: Sequence[QAction],
        many: Sequence[QAction],
    ) -> None:
        super().__init__()
        self.setObjectName("answered")
        self.views = tab_bar("Pages of the tab FAIR")
        for view in FairView:
            self.views.setTabToolTip(self.views.addTab(view.value), TIPS[view])
        bar = QWidget()
        bar.setObjectName("pictureBar")
        row = QVBoxLayout(bar)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.addWidget(self.views, 0, Qt.AlignmentFlag.AlignLeft)
        self.start, self.page = FairStart(beginning), FairPage(head)
        self.plan, self.history, self.many = PlanPage(), HistoryPage(keeping), ManyPage(many)
        self._assessment = PageStack()
        self._assessment.addWidget(self.start)
        self._assessment.add_late(self.page)
        self._stack = PageStack()
        self._stack.addWidget(self._assessment)
        for page in (self.plan, self.history, self.many):
            self._stack.add_late(page)
        column = column_in(self)
        column.addWidget(bar)
        column.addWidget(self._stack, 1)
        self.views.currentChanged.connect(self._show_page)

    @property
    def view(self) -> FairView:
        """The visible page."""
        return list(FairView)[self.views.currentIndex()]

    @property
    def front(self) -> QWidget:
        """The widget that gets the focus."""
        if self.view is FairView.ASSESSMENT:
            return self.page.list if self.has_assessment else self.start
        return {FairView.PLAN: self.plan, FairView.HISTORY: self.history}.get(self.view, self.many)

    @property
    def has_assessment(self) -> bool:
        """Whether an assessment is shown or running."""
        return self._assessment.currentWidget() is self.page

    def show_assessment(self, shown: bool) -> None:
        """Show the assessment, or what there is without one."""
        self._assessment.setCurrentWidget(self.page if shown else self.start)

    def show_view(self, view: FairView) -> None:
        """Show a page."""
        self.views.setCurrentIndex(list(FairView).index(view))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        last = list(FairView).index(FairView.ALL)
        self.views.setTabText(last, FairView.ALL.value if self.width() >= NARROW else "All")

    def _show_page(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.view_wanted.emit(self.view)


class FairStart(QWidget):
    """The explanation of the tab, and the list of what can be assessed.

    Args:
        actions: the buttons.

    Attributes:
        said: a remark on the chosen resource, such as that it is not a dataset.
        anyway: assesses it all the same.
        list: the open datasets and models.
    """

    def __init__(self, actions: Sequence[QAction]) -> None:
        super().__init__()
        self.said = TextBlock("", weight=500)
        self.anyway = QPushButton("Assess it as a dataset")
        bar = QWidget()
        flow = FlowLayout(bar, GRID)
        for action in actions:
            flow.addWidget(action_button(action, TEXT))
        flow.addWidget(self.anyway)
        self._caption = caption("")
        self.list = ResourceList("Datasets and models")
        column = column_in(self, 2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID, spacing=GRID)
        add_parts(
            column,
            TextBlock(WHAT_FOR[0], size=TITLE, weight=600),
            TextBlock(WHAT_FOR[1], muted=True),
            self.said,
            bar,
            self._caption,
            (self.list, 1),
            0,
        )
        self.setFocusProxy(self.list)
        self.show_rows((), "")
        self.say("", can_assess=False)

    def say(self, said: str, *, can_assess: bool) -> None:
        """Explain why nothing is assessed."""
        self.said.say(said)
        self.said.setVisible(bool(said))
        self.anyway.setVisible(can_assess)

    def show_rows(self, rows: tuple[ResourceRow, ...], title: str) -> None:
        """Show what can be assessed."""
        self.list.rows.set_rows(rows)
        self.list.setVisible(bool(rows))
        self._caption.setText(title)
        self._caption.setVisible(bool(title))
