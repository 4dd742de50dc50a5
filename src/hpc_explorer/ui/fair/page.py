"""The page of one assessment: the score above, the 47 indicators at the left, the chosen one at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from hpc_explorer.fair.ladder import Rung
from hpc_explorer.fair.readings import READINGS, Reading
from hpc_explorer.fair.scoring import Decided, Score
from hpc_explorer.ui.fair.card import IndicatorCard
from hpc_explorer.ui.fair.charts import Bars, Ladder, Radar
from hpc_explorer.ui.fair.list import IndicatorList, Narrowed, fits
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, tab_bar
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, TITLE
from hpc_explorer.wording import plural

NARROW = 76 * GRID
"""The width in pixels below which the details are below the list, not beside it."""

SHORT = 60 * GRID
"""The height in pixels below which the head shows the score only, and the menu the rest."""


class FairPage(QWidget):
    """The page.

    Args:
        actions: the buttons above.

    Attributes:
        list: the indicators.
        overview, card: the details, one of them visible.
        online: whether the tests may ask online.
        narrowing: which indicators are listed.

    Signals:
        chosen(): another row was chosen.
    """

    chosen = Signal()

    def __init__(self, actions: Sequence[QAction]) -> None:
        super().__init__()
        self.setObjectName("answered")
        self._iri = ""
        self._decided: Sequence[Decided] = ()
        self.score = TextBlock("", size=TITLE, weight=600)
        self.summary = TextBlock("", weight=500)
        self.remark = TextBlock("", size=SMALL, muted=True)
        bar = QWidget()
        flow = OneLine(bar, GRID // 2)
        buttons = [action_button(action, TEXT) for action in actions]
        for button in buttons:
            flow.addWidget(button)
        self.online = QCheckBox("Check online too")
        self.online.setAccessibleName("Check online too")
        self.online.setToolTip(
            "Off: nothing leaves this computer. On: addresses of the resource are requested, and the answers are kept"
        )
        self.online.setFixedHeight(4 * GRID - 2)  # the height of the buttons beside it
        flow.addWidget(self.online)
        self._left_out = (self.summary, self.remark, self.online, *buttons[2:])
        head = QWidget()
        head.setObjectName("pictureBar")
        above = column_in(head, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID // 2)
        for part in (self.score, self.summary, self.remark, bar):
            above.addWidget(part)
        self.narrowing = tab_bar("Which indicators are listed")
        self.narrowing.setUsesScrollButtons(True)
        self.narrowing.setStyleSheet("QTabBar::tab { padding: 8px 6px 6px 6px; }")  # five in a row
        for one in Narrowed:
            self.narrowing.addTab(one.value)
        self.list = IndicatorList()
        self._none = TextBlock("", muted=True)
        self._none.hide()
        listed = QWidget()
        left = column_in(listed, 2 * GRID, 0, GRID, GRID, spacing=GRID // 2)
        add_parts(left, self.narrowing, self._none, (self.list, 1))
        self.overview, self.card = ScoreOverview(), IndicatorCard()
        self._details = PageStack()
        self._details.addWidget(self.overview)
        self._details.addWidget(self.card)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(listed)
        self.splitter.addWidget(self._details)
        for part in (listed, self._details):
            part.setMinimumWidth(24 * GRID)
            part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.splitter.setSizes([1120, 880])
        column = column_in(self)
        column.addWidget(head)
        column.addWidget(self.splitter, 1)
        self.setFocusProxy(self.list)
        self.narrowing.currentChanged.connect(self._narrow)
        self.list.chosen.connect(self._show_details)
        self.list.entered.connect(lambda _: self.card.take_keyboard())
        self.overview.wanted.connect(self.list.choose)
        self.overview.next_open_wanted.connect(self._show_first_open)

    @property
    def narrowed(self) -> Narrowed:
        """Which indicators are listed."""
        return list(Narrowed)[self.narrowing.currentIndex()]

    def show_subject(self, iri: str) -> None:
        """Show the assessment of this resource from now on."""
        if iri != self._iri:
            self.list.forget()
        self._iri = iri
        self._leave_out()

    def show_progress(self, words: str) -> None:
        """Show that the assessment is running."""
        self.score.say(words)
        self.summary.say("")
        self.remark.say("")
        self.remark.hide()

    def show_score(
        self, decided: Sequence[Decided], score: Score, rungs: Sequence[Rung], reading: Reading, remark: str
    ) -> None:
        """Show another assessment.

        Args:
            remark: a further sentence; may be empty.
        """
        self._decided = decided
        asked = sum(1 for one in decided if one.points.is_open and not one.indicator.decider.is_automatic)
        self.score.say(f"{score}", score.percent)
        self.summary.say(open_words(score, asked))
        self.remark.say(remark)
        self._leave_out()
        for number, narrowed in enumerate(Narrowed):
            count = sum(fits(one, narrowed) for one in decided)
            # The first row of the list has the total, and five tabs have little room.
            counted = count and narrowed is not Narrowed.ALL
            self.narrowing.setTabText(number, f"{narrowed.value} {count}" if counted else narrowed.value)
            unused = narrowed is Narrowed.OVERRIDDEN and not count and self.narrowed is not narrowed
            self.narrowing.setTabVisible(number, not unused)
        self.overview.show_score(score, rungs, reading)
        self.list.show_decided(decided, score)
        self._say_whether_none()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if wanted is not self.splitter.orientation():
            self.splitter.setOrientation(wanted)
            self.splitter.setSizes([1120, 880])
        if event.size().height() != event.oldSize().height():
            self._leave_out()

    def _leave_out(self) -> None:
        """Shrink the head in a low window."""
        is_short = self.height() < SHORT
        for part in self._left_out:
            part.setVisible(not is_short)
        self.remark.setVisible(bool(self.remark.text()) and not is_short)
        self.score.setToolTip(
            plain_tip("\n".join(filter(None, (self.summary.text(), self.remark.text()))) if is_short else "")
        )

    def _narrow(self, number: int) -> None:
        self.list.narrow(self.narrowed)
        self._say_whether_none()

    def _say_whether_none(self) -> None:
        none = bool(self._decided) and not self.list.shown
        self._none.setVisible(none)
        self._none.say(f"None of the {len(self._decided)} is {self.narrowed.value.lower()}.")

    def _show_details(self, key: str) -> None:
        self._details.setCurrentWidget(self.overview if self.list.current is None else self.card)
        self.chosen.emit()

    def choose(self, indicator_id: str) -> None:
        """Choose an indicator, even if it is filtered out."""
        if indicator_id not in self.list.shown:
            self.narrowing.setCurrentIndex(0)
        self.list.choose(indicator_id)

    def _show_first_open(self) -> None:
        first = next((one for one in self._decided if fits(one, Narrowed.OPEN)), None)
        if first is not None:
            self.choose(first.indicator.id)
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)


LADDER_NOTE = (
    "Level 0: not all essential indicators. From 1 on all of them, from 3 on all important ones too, 5: all. "
    "The RDA's own scale, without the six indicators that only F-UJI has."
)


class ScoreOverview(QScrollArea):
    """The view while no single indicator is chosen.

    Attributes:
        radar, bars, ladder: the charts.
        axes: four principles or all subprinciples in the radar.
        readings: the choice of the reading.

    Signals:
        wanted(str): a principle was clicked.
        next_open_wanted(): show the first open question.
        reading_wanted(Reading): another reading was chosen.
    """

    wanted = Signal(str)
    next_open_wanted = Signal()
    reading_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._score: Score | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("The score as a whole")
        self.questions = LinkBlock("Show the first open indicator")
        self.questions.clicked.connect(self.next_open_wanted)
        self.axes = tab_bar("Axes of the radar")
        self.axes.addTab("Principles")
        self.axes.addTab("Subprinciples")
        self.axes.currentChanged.connect(lambda _: self._draw_radar())
        self.radar, self.bars, self.ladder = Radar(), Bars(), Ladder()
        self.bars.wanted.connect(self.wanted)
        self.readings = QComboBox()
        self.readings.setAccessibleName("How the paper is read")
        # Otherwise it is as wide as its longest title, and cut off in a narrow window.
        self.readings.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for one in READINGS:
            self.readings.addItem(one.title, one)
        self.readings.activated.connect(lambda number: self.reading_wanted.emit(READINGS[number]))
        self.note = TextBlock("", size=SMALL, muted=True)
        content = QWidget()
        content.setObjectName("answered")
        column = column_in(content, 2 * GRID, GRID, 2 * GRID, 2 * GRID, spacing=GRID)
        column.addWidget(self.questions)
        column.addWidget(self.axes, 0, Qt.AlignmentFlag.AlignLeft)
        add_parts(
            column,
            self.radar,
            caption("Points by principle"),
            self.bars,
            caption("RDA maturity level by area"),
            self.ladder,
            TextBlock(LADDER_NOTE, size=SMALL, muted=True),
        )
        column.addSpacing(GRID // 2)
        add_parts(column, caption("Where the paper contradicts itself"), self.readings, self.note, 1)
        self.setWidget(content)

    def show_score(self, score: Score, rungs: Sequence[Rung], reading: Reading) -> None:
        """Show another score."""
        self._score = score
        self.questions.setVisible(bool(score.open))
        self.bars.show_parts(score.by_principle)
        self.ladder.show_rungs(rungs)
        self.readings.setCurrentIndex(READINGS.index(reading))
        self.note.say(reading.note)
        self._draw_radar()

    def _draw_radar(self) -> None:
        if self._score is not None:
            whole = self.axes.currentIndex() == 0
            self.radar.show_parts(self._score.by_principle if whole else self._score.by_subprinciple)


def open_words(score: Score, asked: int) -> str:
    """The open and overridden indicators, such as "5 open: 3 wait for your answer, 2 cannot be told from here"."""
    parts = []
    left = len(score.open) - asked
    if asked:
        parts.append(f"{asked} wait{'s' if asked == 1 else ''} for your answer")
    if left:
        parts.append(f"{left} cannot be told from here")
    words = f"{len(score.open)} open: {', '.join(parts)}" if score.open else "No indicator is open"
    if score.overrides:
        number = len(score.overrides)
        words += f" · {number} {'override' if number == 1 else plural('override')} with a reason"
    return words
