"""The score as a whole: figures, radar, bars, the RDA's levels, and how the paper is read."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QScrollArea, QWidget

from hpc_explorer.fair.ladder import Rung
from hpc_explorer.fair.readings import READINGS, Reading
from hpc_explorer.fair.scoring import Score
from hpc_explorer.ui.fair.charts import Bars, Ladder, Radar
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, tab_bar
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.wording import plural

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
    words = f"{len(score.open)} open: {', '.join(parts)}" if score.open else "Nothing is open"
    if score.overrides:
        number = len(score.overrides)
        words += f" · {number} {'override' if number == 1 else plural('override')} with a reason"
    return words
