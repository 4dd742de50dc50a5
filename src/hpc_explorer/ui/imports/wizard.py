"""The window that converts a table: its layout, its columns, a preview, and where the statements go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.annotate.tables.column_kinds import first_rule, with_rule
from hpc_explorer.annotate.tables.mapping import LIKELY_ROW, ColumnRule, TableFormat, TableMapping
from hpc_explorer.annotate.tables.mapping_file import write_mapping
from hpc_explorer.annotate.tables.reading import RECORD_ENDINGS
from hpc_explorer.annotate.tables.tarql import TarqlImport
from hpc_explorer.app.imports.converting import ConversionReport, mapping_for, write_rejects
from hpc_explorer.app.imports.table_preview import (
    Sample,
    TableLook,
    TablePreview,
    TermChoices,
    look_at_table,
    own_term,
    preview_table,
    remark_on,
    term_choices,
)
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.imports.column_form import ColumnEditor
from hpc_explorer.ui.imports.column_list import ColumnList
from hpc_explorer.ui.imports.conversion import ConversionBar, repeats_tip, summary
from hpc_explorer.ui.imports.format_bar import TableFileLine, TableFormatBar
from hpc_explorer.ui.imports.mapping_button import MappingButton
from hpc_explorer.ui.imports.preview import TablePreviewTabs
from hpc_explorer.ui.imports.row_form import RowForm
from hpc_explorer.ui.widgets.dialog_parts import dialog_column, widget_row
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot

_SIZE = (148 * GRID, 92 * GRID)
# Milliseconds from the last change to a new preview.
_PAUSE = 150
# The most skipped parts of a Tarql file that are listed.
_MOST_LEFT = 30

T = TypeVar("T")

_TERMS, _TABLE, _PREVIEW, _SAVING = "terms of tables", "table", "preview of a table", "saving of a table's parts"


class TableWizard(QDialog):
    """Edits the mapping of a table and converts the table.

    Args:
        folder: the initial folder of file dialogs.

    Attributes:
        file, format: the table and its layout.
        row: the form for every row.
        columns, editor: the list of columns, and the form of the selected one.
        preview: the preview tabs.
        conversion: the target of the statements, and the status line.
        look, mapping: of the table; None before it is read.
        report: the result of the conversion; None before it, or after a change.

    Signals:
        added(TableAdded): the table was added to the open graph.
        wrote(Path): the table was written to a file.
    """

    added = Signal(object)
    wrote = Signal(object)

    def __init__(self, bridge: SessionBridge, folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Convert a table")
        self._bridge = bridge
        self._folder = folder
        self.look: TableLook | None = None
        self.mapping: TableMapping | None = None
        self.report: ConversionReport | None = None
        self._choices: TermChoices | None = None
        self._kept_mapping: TableMapping | None = None
        self._samples: Mapping[str, tuple[Sample, ...]] = {}
        self._previewed: TablePreview | None = None
        self._left: tuple[str, ...] = ()
        self._preview_soon = single_shot(self, _PAUSE, self._ask_preview)
        self._build()
        self.resize(*_SIZE)
        bridge.run(
            term_choices,
            title="List the terms",
            on_result=self._take_choices,
            on_error=self.conversion.say_error,
            replaces=_TERMS,
        )
        self._say_state()

    # Building

    def _build(self) -> None:
        column = dialog_column(self)
        column.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        column.addLayout(self._top())
        self.format = TableFormatBar()
        self.format.changed.connect(self._relook)
        column.addWidget(self.format)
        self.row = RowForm(lambda: self.mapping, lambda name: self._make_term(name, capital=True))
        self.row.changed.connect(self._change)
        column.addWidget(self.row)
        self.columns = ColumnList()
        self.columns.currentItemChanged.connect(lambda *_: self._show_column())
        self.editor = ColumnEditor(self._make_term)
        self.editor.changed.connect(self._change_column)
        self.preview = TablePreviewTabs()
        self.preview.column_chosen.connect(self.columns.choose)
        self.preview.save_wanted.connect(self.save_rejects)
        column.addWidget(_split(self.columns, self.editor, self.preview), 1)
        self.conversion = ConversionBar(self._bridge)
        self.row.failed.connect(self.conversion.say)
        self.conversion.target_changed.connect(self._say_state)
        self.conversion.wanted.connect(self._convert)
        self.conversion.wrote.connect(self.wrote)
        self.conversion.added.connect(self.added)
        self.conversion.ended.connect(self._take_report)
        self.conversion.close_button.clicked.connect(self.reject)
        column.addWidget(self.conversion)

    def _top(self) -> QHBoxLayout:
        self.file = TableFileLine(lambda: self._folder)
        self.file.chosen.connect(self.open_table)
        self.mapping_button = MappingButton(lambda: self._folder)
        self.mapping_button.suggestion_wanted.connect(self._suggest)
        self.mapping_button.wanted.connect(self.use_mapping)
        self.mapping_button.save_wanted.connect(self.save_mapping)
        return widget_row(self.file, self.file.browse, self.mapping_button, stretch=0)

    @property
    def is_waiting(self) -> bool:
        """Whether the preview is out of date, or the table is being converted."""
        return self._preview_soon.isActive() or self.conversion.is_running or self.columns.is_listing

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Enter in a field ends its editing; it does not convert.
        if event.key() in ENTER and not self.conversion.convert.hasFocus():
            event.accept()
            return
        super().keyPressEvent(event)

    def done(self, result: int) -> None:
        if self.conversion.is_running:
            # The window stays open to show the result.
            self.conversion.stop()
            return
        self._bridge.drop(_TERMS, _TABLE, _PREVIEW, _SAVING)
        super().done(result)

    # The table

    def open_table(self, path: Path) -> None:
        """Read another table."""
        self._folder = path.parent
        self.file.setText(str(path))
        self._kept_mapping = None
        self._left = ()
        self._ask_look(TableFormat(heading=LIKELY_ROW))
        self.conversion.output.setText(str(path.with_suffix(".ttl")))

    def _ask_look(self, format: TableFormat) -> None:
        self.report = None
        self.conversion.say("Reading the table …")
        self._bridge.drop(_PREVIEW)
        path = Path(self.file.text())
        self._bridge.run(
            look_at_table,
            path,
            format,
            title=f"Read {path.name}",
            on_result=self._take_look,
            on_error=self._fail_to_look,
            replaces=_TABLE,
        )

    def _relook(self) -> None:
        """Read the table again in the layout that the user set."""
        if self.look is not None:
            self._kept_mapping = None
            self._ask_look(self.format.format_for(self.look))

    def _take_look(self, look: TableLook) -> None:
        self.look = look
        given = _for_table(self._kept_mapping, look) if self._kept_mapping is not None else None
        self.mapping = given if given is not None else replace(look.mapping, table=look.format)
        self.mapping_button.set_table(look.path)
        self.format.show_look(look)
        self.preview.show_look(look)
        self._show_mapping()

    def _fail_to_look(self, error: BaseException) -> None:
        self.look = None
        self.mapping = None
        self.mapping_button.set_table(None)
        self.columns.clear()
        self.conversion.say_error(error)
        self._say_state()

    # The mapping

    def _take_choices(self, choices: TermChoices) -> None:
        self._choices = choices
        self._show_columns()

    def _show_mapping(self) -> None:
        """Show another mapping."""
        assert self.mapping is not None
        self.row.show_mapping(self.mapping)
        self._show_columns()
        self._ask_preview()
        self._say_state()

    def _suggest(self) -> None:
        self._left = ()
        if self.look is not None:
            self.mapping = replace(self.look.mapping, table=self.look.format)
            self._show_mapping()

    def use_mapping(self, name: str) -> None:
        """Use a shipped mapping or that of a file."""
        if self.look is not None:
            self._bridge.jobs.run(
                mapping_for,
                name,
                self.look.path,
                title="Read the mapping",
                on_result=self._take_mapping,
                on_error=self.conversion.say_error,
                replaces=_TABLE,
            )

    def _take_mapping(self, found: TarqlImport) -> None:
        if self.look is None:
            return
        self._left = found.left
        if found.mapping.table != TableFormat():
            self._kept_mapping = found.mapping
            self._ask_look(found.mapping.table)
        else:
            self.mapping = replace(_for_table(found.mapping, self.look), table=self.look.format)
            self._show_mapping()

    def save_mapping(self, path: Path) -> None:
        """Write the mapping to a file."""
        if self.mapping is not None:
            self._save(write_mapping, self.mapping, path)

    def _save(self, write: Callable[[T, Path], None], what: T, path: Path) -> None:
        self._bridge.jobs.run(
            write,
            what,
            path,
            title=f"Save {path.name}",
            on_result=lambda _: self.conversion.say(f"Saved: {path}"),
            on_error=self.conversion.say_error,
            replaces=_SAVING,
        )

    def _make_term(self, name: str, *, capital: bool = False) -> NamedNode:
        return own_term(Path(self.file.text()), self.mapping, name, capital=capital)

    def _change(self, mapping: TableMapping) -> None:
        self.mapping = mapping
        self._preview_soon.start()

    # Columns

    def _show_columns(self) -> None:
        if self.look is not None and self.mapping is not None:
            if self._choices is not None:
                self.editor.show_choices(self._choices, self.mapping)
                self.row.cls.offer(self._choices.classes, self.mapping.prefixes)
            self.columns.show_columns(self.look.columns, self.mapping, self.look.offers)
            self._show_column()

    def _show_column(self) -> None:
        if self.mapping is None or not self.columns.column:
            return
        name = self.columns.column
        rules = len(self.mapping.columns.get(name, ()))
        offered = self.look.offers.get(name) if self.look is not None else None
        self.editor.show_column(name, first_rule(self.mapping, name), rules, offered)
        if self.look is not None and (remark := remark_on(name, self.look, self.mapping)):
            self.editor.remark.say(remark)
        self.editor.show_samples(self._samples.get(self.columns.column, ()))
        if self.look is not None:
            self.preview.show_column(self.look.columns.index(name))

    def _change_column(self, rule: ColumnRule | None) -> None:
        if self.mapping is None or self.look is None:
            return
        self._change(with_rule(self.mapping, self.look.columns, self.columns.column, rule))
        self.columns.show_rule(self.mapping)

    # The preview

    def _ask_preview(self) -> None:
        if self.look is None or self.mapping is None:
            return
        # The report is of the mapping before the change.
        self.report = None
        labels = {} if self._choices is None else {c.term: c.text.partition(" · ")[0] for c in self._choices.properties}
        self._bridge.jobs.run(
            preview_table,
            self.look.path,
            self.mapping,
            labels,
            title=f"Preview {self.look.path.name}",
            on_result=self._take_preview,
            on_error=self.conversion.say_error,
            replaces=_PREVIEW,
        )

    def _take_preview(self, preview: TablePreview) -> None:
        self._previewed = preview
        self._samples = preview.samples
        self.preview.show_preview(preview)
        self.editor.show_samples(self._samples.get(self.columns.column, ()))
        if self.mapping is not None:
            self.columns.mark_faults(frozenset(reject.column for reject in preview.rejects), self.mapping)
        self._say_state()

    # Converting

    def _problem(self) -> str:
        """Why the table cannot be converted; empty if it can."""
        if self.look is None:
            return "Choose a table." if not self.file.text() else self.conversion.status
        if self._previewed is not None and (missing := self._previewed.missing):
            shown = ", ".join(missing[:4]) + (" …" if len(missing) > 4 else "")
            return f"This mapping is for another table: {shown} is missing."
        return self.conversion.problem()

    def _say_state(self) -> None:
        """Show the problem, the result or the summary of the preview."""
        if self.conversion.is_running:
            return
        problem = self._problem()
        self.conversion.convert.setEnabled(not problem)
        for widget in (self.columns, self.editor, self.row):
            widget.setEnabled(self.look is not None)
        if problem:
            self.conversion.say(problem)
        elif self.report is not None:
            self.conversion.say(summary(self.report), repeats_tip(self.report))
        elif self._left:
            more = f" (and {len(self._left) - 1} more)" if len(self._left) > 1 else ""
            self.conversion.say(f"In the Tarql file, {self._left[0]}{more}.", "\n".join(self._left[:_MOST_LEFT]))
        elif self._previewed is not None:
            self.conversion.say(str(self._previewed))

    def _convert(self) -> None:
        if self.look is not None and self.mapping is not None and not self._problem():
            self.conversion.begin(self.look.path, self.mapping)

    def _take_report(self, report: ConversionReport) -> None:
        self.report = report
        self.preview.show_rejects(report.rejects, report.reject_count, converted=True)
        if report.reject_count:
            self.preview.setCurrentIndex(3)
        self._say_state()

    def save_rejects(self, path: Path) -> None:
        """Write the rejects to a CSV file."""
        if self.report is not None:
            self._save(write_rejects, self.report.rejects, path)


def _for_table(mapping: TableMapping, look: TableLook) -> TableMapping:
    """A mapping with the column names of a table; records may have more columns than the first ones show."""
    is_records = look.path.suffix.lower() in RECORD_ENDINGS
    return mapping if is_records else mapping.for_columns(look.columns)


def _split(columns: QWidget, editor: QWidget, preview: QWidget) -> QSplitter:
    left = QSplitter(Qt.Orientation.Vertical)
    middle = QSplitter(Qt.Orientation.Horizontal)
    for splitter in (left, middle):
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
    left.addWidget(_padded(columns, bottom=GRID))
    # On a small screen the form scrolls and the buttons stay visible.
    scrolled = QScrollArea()
    scrolled.setFrameShape(QFrame.Shape.NoFrame)
    scrolled.setWidgetResizable(True)
    scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scrolled.setMinimumSize(editor.minimumSizeHint().width(), 16 * GRID)
    scrolled.setWidget(editor)
    left.addWidget(_padded(scrolled, top=GRID))
    left.setSizes([200, 400])
    middle.addWidget(_padded(left, right=GRID))
    middle.addWidget(_padded(preview, left=GRID))
    middle.setSizes([480, 620])
    middle.setStretchFactor(0, 2)
    middle.setStretchFactor(1, 3)
    return middle


def _padded(widget: QWidget, *, left: int = 0, top: int = 0, right: int = 0, bottom: int = 0) -> QWidget:
    """A widget with margins."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(left, top, right, bottom)
    column.addWidget(widget)
    return page
