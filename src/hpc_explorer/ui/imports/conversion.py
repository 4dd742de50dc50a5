"""The target of a table's statements, and the conversion."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QProgressBar, QRadioButton, QWidget

from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.app.imports.converting import ConversionReport, convert_table, repeats_text
from hpc_explorer.app.imports.table_adding import TableAdded, add_table, why_not_to_add
from hpc_explorer.app.jobs import Job
from hpc_explorer.errors import Cancelled, ExplorerError
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import Answers, call_button, column_in, widget_row
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.ui.widgets.typed_path import typed_path

_PROGRESS_EVERY = 100
"""Milliseconds between two progress messages."""

# The most repeated rows in the tooltip.
_MOST_REPEATS = 20


MOST_REJECTS = 100_000
"""The most rejects kept, to be saved from the window."""


class ConversionBar(QWidget):
    """The last rows of the window: target, status, and the button that converts or stops.

    Attributes:
        into_graph, into_file, output: the target.
        convert, close_button: the buttons.

    Signals:
        target_changed(): the user changed the target.
        wanted(): the user wants to convert; `begin` does it.
        wrote(Path): the table was written to a file.
        added(TableAdded): the table was added to the open graph.
        ended(ConversionReport): the conversion succeeded.
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
        self._tick = single_shot(self, _PROGRESS_EVERY, self._say_progress)
        reason = why_not_to_add(bridge.session)
        self.into_graph = QRadioButton("Add to the open graph")
        self.into_graph.setAccessibleName("Add the statements to the open graph, as an edit that can be undone")
        self.into_graph.setToolTip(
            plain_tip(reason or "The statements are added as one edit, in a separate graph. You can undo it.")
        )
        self.into_graph.setEnabled(reason is None)
        self.into_file = QRadioButton("Write a file")
        self.into_file.setAccessibleName("Write the statements to a file")
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
        below = widget_row(self._status, self._bar, answers, stretch=0)
        below.setAlignment(self._status, Qt.AlignmentFlag.AlignVCenter)
        column = column_in(self, spacing=GRID)
        column.addLayout(widget_row(self.into_graph, self.into_file, self.output, stretch=2))
        column.addLayout(below)

    @property
    def status(self) -> str:
        """The status text."""
        return self._status.text()

    def say(self, text: str, tip: str = "") -> None:
        """Show a status text, with a tooltip."""
        self._status.say(text)
        self._status.setToolTip(plain_tip(tip))

    def say_error(self, error: BaseException) -> None:
        """Show an error, except a cancellation."""
        if not isinstance(error, Cancelled):
            self.say(str(error) if isinstance(error, ExplorerError) else f"a defect: {error!r}")

    def problem(self) -> str:
        """Why the target is invalid; empty if it is valid."""
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
        """Start converting a table."""
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
            output = typed_path(self._file_name)
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
        """Cancel the conversion; nothing is kept."""
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
            self.say("Stopped. Nothing was written or changed.")
        else:
            self.say_error(error)


def summary(report: ConversionReport) -> str:
    """A one-line summary of a report."""
    said = [f"{report.converted:,} of {report.rows:,} rows made {report.statement_text} statements"]
    if report.skipped:
        said.append(f"{report.skipped:,} left out by the mapping")
    if report.reject_count:
        said.append(f"{report.reject_count:,} rejected")
    text = ", ".join(said) + "."
    repeated = repeats_text(report)
    return f"{text} {repeated}." if repeated else text


def repeats_tip(report: ConversionReport) -> str:
    """The first rows with the IRI of an earlier row, one per line."""
    return "\n".join(
        f"row {one.row:,} and row {one.earlier:,}{', with other values' if one.differs else ''}: {one.iri}"
        for one in report.repeats[:_MOST_REPEATS]
    )
