"""Where the statements of a table go, and the work that brings them there, which can be stopped."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QProgressBar, QRadioButton, QVBoxLayout, QWidget

from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.app.imports.converting import ConversionReport, convert_table, repeats_told
from hpc_explorer.app.imports.table_adding import TableAdded, add_table, why_not_to_add
from hpc_explorer.app.jobs import Job
from hpc_explorer.errors import Cancelled, ExplorerError
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import Answers, call_button, widget_row
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.ui.widgets.timers import single_shot

_TELLS_EVERY = 100
"""Milliseconds between two words on how far a conversion is."""

# So many rows that have the IRI of an earlier one are listed.
_MOST_TOLD = 20


MOST_REJECTS = 100_000
"""How many rejects of one conversion can be saved from the window."""


class ConversionBar(QWidget):
    """The last row of the window for tables: where to, what is said, and the button that converts or stops.

    Args:
        questions: what converts.

    Attributes:
        into_graph, into_file, output: where the statements go.
        convert, close_button: the buttons.

    Signals:
        target_changed(): they are to go elsewhere.
        wanted(): the table is to be converted; `begin` does it.
        wrote(Path): it was written into a file.
        added(TableAdded): it was added to what is open.
        ended(ConversionReport): so it went, in either case.
    """

    target_changed = Signal()
    wanted = Signal()
    wrote = Signal(object)
    added = Signal(object)
    ended = Signal(object)

    def __init__(self, bridge: SessionBridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._job: Job[Any] | None = None
        self._tick = single_shot(self, _TELLS_EVERY, self._say_progress)
        reason = why_not_to_add(bridge.session)
        self.into_graph = QRadioButton("Add to what is open")
        self.into_graph.setAccessibleName("Add the statements to what is open, as an edit that can be undone")
        self.into_graph.setToolTip(
            plain_tip(reason or "One edit, which can be undone; the statements get a graph of their own.")
        )
        self.into_graph.setEnabled(reason is None)
        self.into_file = QRadioButton("Write a file")
        self.into_file.setAccessibleName("Write the statements into a file")
        self.into_file.setChecked(True)
        self.into_file.toggled.connect(lambda _: self.target_changed.emit())
        self.output = QLineEdit()
        self.output.setAccessibleName("File to write")
        self.output.setMinimumWidth(20 * GRID)
        self.output.textChanged.connect(lambda _: self.target_changed.emit())
        self._status = TextBlock("", size=SMALL, muted=True)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(8 * GRID)
        self._bar.hide()
        answers = Answers("Convert", QDialogButtonBox.StandardButton.Close)
        answers.accepted.connect(self._convert_or_stop)
        self.convert, self.close_button = answers.go, answers.leave
        row = widget_row(self.into_graph, self.into_file, self.output, self._status, stretch=3)
        row.setStretch(2, 1)
        row.setAlignment(self._status, Qt.AlignmentFlag.AlignVCenter)
        for widget in (self._bar, answers):
            row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)

    @property
    def status(self) -> str:
        """What is said."""
        return self._status.text()

    def say(self, text: str, tip: str = "") -> None:
        """Say something in the row.

        Args:
            tip: more of it, for those who point there.
        """
        self._status.say(text)
        self._status.setToolTip(plain_tip(tip))

    def say_error(self, error: BaseException) -> None:
        """Say why something did not work; that it was cancelled is no news."""
        if not isinstance(error, Cancelled):
            self.say(str(error) if isinstance(error, ExplorerError) else f"a defect: {error!r}")

    def problem(self) -> str:
        """Why the statements cannot go there; "" where they can."""
        return "Name the file to write." if self.into_file.isChecked() and not self._file_name else ""

    @property
    def _file_name(self) -> str:
        return self.output.text().strip()

    # The work

    @property
    def is_running(self) -> bool:
        """Whether a table is being converted."""
        return self._job is not None

    def begin(self, path: Path, mapping: TableMapping) -> None:
        """Convert a table, to where it is said to go."""
        if self.into_graph.isChecked():
            self._job = self._bridge.run(
                partial(add_table, kept=MOST_REJECTS),
                path,
                mapping,
                title=f"Add {path.name}",
                on_result=self._take_added,
                on_error=self._fail,
                writes=True,
            )
        else:
            output = Path(self._file_name).expanduser()
            self._job = self._bridge.jobs.run(
                partial(convert_table, kept=MOST_REJECTS),
                path,
                mapping,
                output,
                title=f"Convert {path.name}",
                on_result=self._take_written,
                on_error=self._fail,
            )
        call_button(self.convert, "Stop")
        self._bar.show()
        self._say_progress()

    def stop(self) -> None:
        """Have the conversion end early; nothing of it is kept."""
        if self._job is not None:
            self._job.cancel()

    def _convert_or_stop(self) -> None:
        if self._job is not None:
            self.stop()
        else:
            self.wanted.emit()

    def _say_progress(self) -> None:
        if self._job is not None:
            self.say(f"Converting … {self._job.progress.text}")
            self._tick.start()

    def _end(self) -> None:
        self._job = None
        call_button(self.convert, "Convert")
        self._bar.hide()

    def _take_written(self, report: ConversionReport) -> None:
        self.wrote.emit(report.path)
        self._end()
        self.ended.emit(report)

    def _take_added(self, added: TableAdded) -> None:
        self.added.emit(added)
        self._end()
        self.ended.emit(added.report)

    def _fail(self, error: BaseException) -> None:
        self._end()
        if isinstance(error, Cancelled):
            self.say("Stopped: nothing was written, and nothing was changed.")
        else:
            self.say_error(error)


def summary(report: ConversionReport) -> str:
    """What became of a table, in a line."""
    said = [f"{report.converted:,} of {report.rows:,} rows made {report.statements_told} statements"]
    if report.skipped:
        said.append(f"{report.skipped:,} left out by the mapping")
    if report.reject_count:
        said.append(f"{report.reject_count:,} rejected")
    told = ", ".join(said) + "."
    repeated = repeats_told(report)
    return f"{told} {repeated}." if repeated else told


def repeats_tip(report: ConversionReport) -> str:
    """The first rows that have the IRI of an earlier one, a line for each."""
    return "\n".join(
        f"row {one.row:,} and row {one.earlier:,}{', with other values' if one.differs else ''}: {one.iri}"
        for one in report.repeats[:_MOST_TOLD]
    )
