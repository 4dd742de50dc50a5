"""The tab "FAIR": one assessment, the plan to a target, what was kept of it, and all datasets and models at once."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from hpc_explorer.canvas.palette import Theme
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
    "47 indicators, those of the RDA and of F-UJI, are decided by what the graph says of it: each with the statements "
    "that prove it, or one sentence why not and what mends it. Nothing leaves this computer. What only a person knows "
    "is asked.",
)


NARROW = 52 * GRID
"""Below so many pixels the titles of all pages do not fit beside each other."""


class FairView(Enum):
    """The pages of the tab, by the title of the sub-tab."""

    ASSESSMENT = "Assessment"
    PLAN = "Plan"
    HISTORY = "History"
    ALL = "All datasets and models"


TIPS = {
    FairView.ASSESSMENT: "The 47 indicators of the chosen dataset or model",
    FairView.PLAN: "The shortest list of things to do for a target",
    FairView.HISTORY: "The assessments that were kept, and what changed between two",
    FairView.ALL: "All datasets and models, ranked, and what to fix first",
}
"""What each page is for."""


class FairTab(QWidget):
    """The pages, one in sight.

    Args:
        head: the buttons above an assessment.
        beginning: the buttons where nothing is assessed.
        keeping: the buttons where nothing is kept.
        many: the buttons above all datasets and models.

    Attributes:
        views: the sub-tabs.
        start: what there is where nothing is assessed.
        page, plan, history, many: the pages.

    Signals:
        view_wanted(FairView): another page came into sight.
    """

    view_wanted = Signal(object)

    def __init__(
        self,
        head: Sequence[QAction],
        beginning: Sequence[QAction],
        keeping: Sequence[QAction],
        many: Sequence[QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
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
        self._assessment.addWidget(self.page)
        self._stack = PageStack()
        for page in (self._assessment, self.plan, self.history, self.many):
            self._stack.addWidget(page)
        column = column_in(self)
        column.addWidget(bar)
        column.addWidget(self._stack, 1)
        self.views.currentChanged.connect(self._show_page)

    @property
    def view(self) -> FairView:
        """The page in sight."""
        return list(FairView)[self.views.currentIndex()]

    @property
    def front(self) -> QWidget:
        """What takes the keyboard."""
        if self.view is FairView.ASSESSMENT:
            return self.page.list if self.has_assessment else self.start
        return {FairView.PLAN: self.plan, FairView.HISTORY: self.history}.get(self.view, self.many)

    @property
    def has_assessment(self) -> bool:
        """Whether an assessment is shown, or on its way."""
        return self._assessment.currentWidget() is self.page

    def show_assessment(self, shown: bool) -> None:
        """Show the assessment, or what there is without one."""
        self._assessment.setCurrentWidget(self.page if shown else self.start)

    def show_view(self, view: FairView) -> None:
        """Bring a page into sight."""
        self.views.setCurrentIndex(list(FairView).index(view))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        for part in (self.start, self.page, self.plan, self.history, self.many):
            part.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        last = list(FairView).index(FairView.ALL)
        self.views.setTabText(last, FairView.ALL.value if self.width() >= NARROW else "All")

    def _show_page(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.view_wanted.emit(self.view)


class FairStart(QWidget):
    """What the tab is for, and what can be assessed.

    Args:
        actions: the buttons that begin something.

    Attributes:
        said: what is said of the chosen resource, such as that it is no dataset.
        anyway: assesses it all the same.
        list: the datasets and models of what is open.
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
        """Say why nothing is assessed."""
        self.said.say(said)
        self.said.setVisible(bool(said))
        self.anyway.setVisible(can_assess)

    def show_rows(self, rows: tuple[ResourceRow, ...], title: str) -> None:
        """Show what can be assessed."""
        self.list.rows.set_rows(rows)
        self.list.setVisible(bool(rows))
        self._caption.setText(title)
        self._caption.setVisible(bool(title))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.list.rows.set_theme(theme)
