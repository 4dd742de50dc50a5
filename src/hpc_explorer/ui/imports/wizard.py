"""The window in which a table becomes statements: how it lies, what each column is, what the rows say, and where to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.annotate.tables.column_kinds import first_rule, with_rule
from hpc_explorer.annotate.tables.mapping import LIKELY_ROW, ColumnRule, TableFormat, TableMapping
from hpc_explorer.annotate.tables.mapping_file import write_mapping
from hpc_explorer.annotate.tables.reading import RECORD_ENDINGS, TABLE_ENDINGS
from hpc_explorer.annotate.tables.suggestion import own_namespace, term_name
from hpc_explorer.annotate.tables.tarql import TarqlImport
from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.app.imports.converting import ConversionReport, mapping_for, write_rejects
from hpc_explorer.app.imports.table_preview import (
    Sample,
    TableLook,
    TablePreview,
    TermChoices,
    look_at_table,
    preview_table,
    term_choices,
)
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.imports.column_form import ColumnEditor, listed, unlisted
from hpc_explorer.ui.imports.column_list import ColumnList
from hpc_explorer.ui.imports.conversion import ConversionBar, repeats_tip, summary
from hpc_explorer.ui.imports.format_bar import TableFormatBar
from hpc_explorer.ui.imports.mapping_button import MappingButton
from hpc_explorer.ui.imports.preview import TablePreviewTabs
from hpc_explorer.ui.imports.term_line import TermLine
from hpc_explorer.ui.widgets.dialog_parts import dialog_column, field_label, widget_row
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot

_SIZE = (148 * GRID, 92 * GRID)
# So long after the last key the preview is made anew.
_PAUSE = 150
# So many parts of a Tarql file that were left out are told.
_MOST_LEFT = 30


T = TypeVar("T")

_TERMS, _TABLE, _PREVIEW, _SAVING = "terms of tables", "table", "preview of a table", "saving of a table's parts"


class TableWizard(QDialog):
    """Asks what a table says, and has it converted.

    Args:
        questions: where the answers come from.
        folder: where files are proposed to be.

    Attributes:
        file: where the table is; format: how it lies there.
        subject, cls, absent: what holds of every row.
        columns: the list of columns; editor: the form of the chosen one.
        preview: the looks at the table.
        conversion: where the statements go, and what is said below.
        look, mapping: what is shown now; None before a table was looked at.
        report: what became of the table, once it was converted.

    Signals:
        added(TableAdded): the table was added to what is open.
        wrote(Path): it was written into a file.
    """

    added = Signal(object)
    wrote = Signal(object)

    def __init__(self, bridge: SessionBridge, folder: Path, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Convert a table")
        self._bridge = bridge
        self._folder = folder
        self._theme = theme
        self.look: TableLook | None = None
        self.mapping: TableMapping | None = None
        self.report: ConversionReport | None = None
        self._choices: TermChoices | None = None
        self._kept_mapping: TableMapping | None = None
        self._missing: tuple[str, ...] = ()
        self._previewed: TablePreview | None = None
        self._left: tuple[str, ...] = ()
        self._preview_soon = single_shot(self, _PAUSE, self._ask_preview)
        self._build()
        self._fit()
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
        column.addLayout(self._of_every_row())
        column.addWidget(self._middle(), 1)
        self.conversion = ConversionBar(self._bridge)
        self.conversion.target_changed.connect(self._say_state)
        self.conversion.wanted.connect(self._convert)
        self.conversion.wrote.connect(self.wrote)
        self.conversion.added.connect(self.added)
        self.conversion.ended.connect(self._take_report)
        self.conversion.close_button.clicked.connect(self.reject)
        column.addWidget(self.conversion)

    def _top(self) -> QHBoxLayout:
        self.file = QLineEdit()
        self.file.setAccessibleName("Table")
        self.file.setPlaceholderText("A table: CSV, TSV, Excel, JSON records or Parquet")
        self.file.returnPressed.connect(self._open_typed)
        browse = QPushButton("Browse…")
        browse.setAccessibleName("Choose the table")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        self.mapping_button = MappingButton(lambda: self._folder, self._theme)
        self.mapping_button.suggestion_wanted.connect(self._suggest)
        self.mapping_button.wanted.connect(self.use_mapping)
        self.mapping_button.save_wanted.connect(self.save_mapping)
        return widget_row(self.file, browse, self.mapping_button, stretch=0)

    def _of_every_row(self) -> QHBoxLayout:
        self.subject = QLineEdit()
        self.subject.setAccessibleName("IRI of a row")
        self.subject.setToolTip("{Column} takes the text of a column, {#} the number of the row.")
        self.subject.textEdited.connect(self._read_subject)
        self.cls = TermLine("Class of a row", lambda words: self._own(words, capital=True))
        self.cls.setPlaceholderText("Search the ontology")
        self.cls.chosen.connect(self._choose_class)
        self.absent = QLineEdit()
        self.absent.setAccessibleName("No value where it says")
        self.absent.setPlaceholderText("None, n/a")
        self.absent.setMaximumWidth(22 * GRID)
        self.absent.textEdited.connect(lambda text: self._change(absent=unlisted(text)))
        row = widget_row(
            field_label("A row is", self.subject),
            self.subject,
            field_label("of class", self.cls),
            self.cls,
            field_label("no value", self.absent),
            self.absent,
            stretch=1,
        )
        row.setStretch(1, 3)
        row.setStretch(3, 2)
        return row

    def _middle(self) -> QSplitter:
        self.columns = ColumnList(self._theme)
        self.columns.currentItemChanged.connect(lambda *_: self._show_column())
        self.editor = ColumnEditor(self._own, self._theme)
        self.editor.changed.connect(self._change_column)
        self.preview = TablePreviewTabs()
        self.preview.column_chosen.connect(self.columns.choose)
        self.preview.save_wanted.connect(self._save_rejects)
        left = QSplitter(Qt.Orientation.Vertical)
        middle = QSplitter(Qt.Orientation.Horizontal)
        for splitter in (left, middle):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        left.addWidget(_padded(self.columns, bottom=GRID))
        # On a small screen the form of a column scrolls, and the buttons below stay in sight.
        scrolled = QScrollArea()
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setWidgetResizable(True)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setMinimumSize(self.editor.minimumSizeHint().width(), 16 * GRID)
        scrolled.setWidget(self.editor)
        left.addWidget(_padded(scrolled, top=GRID))
        left.setSizes([200, 400])
        middle.addWidget(_padded(left, right=GRID))
        middle.addWidget(_padded(self.preview, left=GRID))
        middle.setSizes([480, 620])
        middle.setStretchFactor(0, 2)
        middle.setStretchFactor(1, 3)
        return middle

    def _fit(self) -> None:
        """As large as is good to work in, and no larger than the screen."""
        space = self.screen().availableGeometry()
        self.resize(min(_SIZE[0], space.width() - 2 * GRID), min(_SIZE[1], space.height() - 4 * GRID))

    @property
    def is_waiting(self) -> bool:
        """Whether what is shown does not yet go with what was chosen, or the table is being converted."""
        return self._preview_soon.isActive() or self.conversion.is_running or self.columns.is_listing

    @property
    def status(self) -> str:
        """What is said below: what is wrong, what will be converted, or what was."""
        return self.conversion.status

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Enter in a line takes over what is typed there; it converts nothing.
        if event.key() in ENTER and not self.conversion.convert.hasFocus():
            event.accept()
            return
        super().keyPressEvent(event)

    def done(self, result: int) -> None:
        if self.conversion.is_running:
            # What it has done by then is told here, and an edit can be undone.
            self.conversion.stop()
            return
        self._bridge.drop(_TERMS, _TABLE, _PREVIEW, _SAVING)
        super().done(result)

    # The table

    def open_table(self, path: Path) -> None:
        """Look at a table, in place of the one before."""
        self._folder = path.parent
        self.file.setText(str(path))
        self._kept_mapping = None
        self._left = ()
        self._ask_look(TableFormat(heading=LIKELY_ROW))
        self.conversion.output.setText(str(path.with_suffix(".ttl")))

    def _open_typed(self) -> None:
        text = self.file.text().strip()
        if text:
            self.open_table(Path(text).expanduser())

    def _browse(self) -> None:
        endings = " ".join(f"*{ending}" for ending in TABLE_ENDINGS)
        chosen, _ = QFileDialog.getOpenFileName(self, "Table to convert", str(self._folder), f"Tables ({endings})")
        if chosen:
            self.open_table(Path(chosen))

    def _ask_look(self, format: TableFormat) -> None:
        self.report = None
        self.conversion.say("Looking at the table …")
        self._bridge.drop(_PREVIEW)
        path = Path(self.file.text())
        self._bridge.run(
            look_at_table,
            path,
            format,
            title=f"Look at {path.name}",
            on_result=self._take_look,
            on_error=self._fail_to_look,
            replaces=_TABLE,
        )

    def _relook(self) -> None:
        """Read the table as it is said now that it lies."""
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
        self._offer()
        self._show_columns()

    def _offer(self) -> None:
        if self._choices is not None and self.mapping is not None:
            self.editor.show_choices(self._choices, self.mapping)
            self.cls.offer(self._choices.classes, self.mapping.prefixes)

    def _show_mapping(self) -> None:
        """Show the mapping as it is now, of which nothing was shown before."""
        assert self.mapping is not None
        self.subject.setText(self.mapping.subject.text)
        self.subject.setCursorPosition(0)
        self.absent.setText(listed(self.mapping.absent))
        self.cls.show_term(self.mapping.classes[0] if self.mapping.classes else None)
        self._offer()
        self._show_columns()
        self._ask_preview()
        self._say_state()

    def _suggest(self) -> None:
        self._left = ()
        if self.look is not None:
            self.mapping = replace(self.look.mapping, table=self.look.format)
            self._show_mapping()

    def use_mapping(self, name: str) -> None:
        """Take over a mapping that ships, or that of a file."""
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
        """Write the mapping as it is now into a file."""
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

    def _own(self, words: str, *, capital: bool = False) -> NamedNode:
        """A term of the table's own, called after words."""
        namespace = f"{own_namespace(Path(self.file.text()))}#"
        if self.mapping is not None and "t" in self.mapping.prefixes:
            namespace = self.mapping.prefixes["t"]
        name = term_name(words)
        return NamedNode(namespace + (name[:1].upper() + name[1:] if capital else name))

    def _change(self, **changes: object) -> None:
        if self.mapping is not None:
            self.mapping = replace(self.mapping, **changes)  # type: ignore[arg-type]  # each field has its own type
            self._preview_soon.start()

    def _read_subject(self, text: str) -> None:
        try:
            template = parse_template(text.strip())
        except ExplorerError as error:
            self.conversion.say(f"{error.what}: {error.remedy}")
            return
        self._change(subject=template)

    def _choose_class(self, term: NamedNode | None) -> None:
        self._change(classes=() if term is None else (term,))

    # Columns

    def _show_columns(self) -> None:
        if self.look is not None and self.mapping is not None:
            self.columns.show_columns(self.look.columns, self.mapping, self.look.offers)
            self._show_column()

    def _show_column(self) -> None:
        if self.mapping is None or not self.columns.column:
            return
        name = self.columns.column
        rules = len(self.mapping.columns.get(name, ()))
        offered = self.look.offers.get(name) if self.look is not None else None
        self.editor.show_column(name, first_rule(self.mapping, name), rules, offered)
        self._show_remark(name)
        self.editor.show_samples(self._samples_of(name))
        if self.look is not None:
            self.preview.show_column(self.look.columns.index(name))

    def _show_remark(self, name: str) -> None:
        """Say what should be looked at in a column, as long as it is what was suggested."""
        if self.look is None or self.mapping is None:
            return
        mark = f"{name!r}: "
        found = [text.removeprefix(mark) for text in self.look.remarks if text.startswith(mark)]
        if found and self.mapping.columns.get(name) == self.look.mapping.columns.get(name):
            self.editor.remark.say(" ".join(text[:1].upper() + text[1:] for text in found))

    def _samples_of(self, name: str) -> tuple[Sample, ...]:
        return self._previewed.samples.get(name, ()) if self._previewed is not None else ()

    def _change_column(self, rule: ColumnRule | None) -> None:
        if self.mapping is None or self.look is None:
            return
        self.mapping = with_rule(self.mapping, self.look.columns, self.columns.column, rule)
        self.columns.show_rule(self.mapping)
        self._preview_soon.start()

    # The preview

    def _ask_preview(self) -> None:
        if self.look is None or self.mapping is None:
            return
        # What became of the table is told as long as the mapping is the one that it was converted by.
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
        self._missing = preview.missing
        self.preview.show_preview(preview)
        self.editor.show_samples(self._samples_of(self.columns.column))
        if self.mapping is not None:
            self.columns.mark_faults(frozenset(reject.column for reject in preview.rejects), self.mapping)
        self._say_state()

    # Converting

    def _problem(self) -> str:
        """Why nothing can be converted now; "" where it can."""
        if self.look is None:
            return "Choose a table." if not self.file.text() else self.status
        if self._missing:
            shown = ", ".join(self._missing[:4]) + (" …" if len(self._missing) > 4 else "")
            return f"This mapping is for another table: {shown} is missing."
        return self.conversion.problem()

    def _say_state(self) -> None:
        """Say what is wrong, or what the first rows make."""
        if self.conversion.is_running:
            return
        problem = self._problem()
        self.conversion.convert.setEnabled(not problem)
        for widget in (self.columns, self.editor, self.subject, self.cls, self.absent):
            widget.setEnabled(self.look is not None)
        if problem:
            self.conversion.say(problem)
        elif self.report is not None:
            self.conversion.say(summary(self.report), repeats_tip(self.report))
        elif self._left:
            more = f" (and {len(self._left) - 1} more)" if len(self._left) > 1 else ""
            self.conversion.say(f"Of the Tarql file, {self._left[0]}{more}.", "\n".join(self._left[:_MOST_LEFT]))
        elif self._previewed is not None:
            preview = self._previewed
            rejected = f", {preview.reject_count:,} rejected" if preview.reject_count else ""
            rows = "row has" if preview.repeats == 1 else "rows have"
            repeated = f"; {preview.repeats:,} {rows} the IRI of an earlier one" if preview.repeats else ""
            made = f"The first {preview.read:,} rows make {preview.statements:,} statements"
            self.conversion.say(f"{made}{rejected}{repeated}.")

    def _convert(self) -> None:
        if self.look is not None and self.mapping is not None and not self._problem():
            self.conversion.begin(self.look.path, self.mapping)

    def _take_report(self, report: ConversionReport) -> None:
        self.report = report
        self.preview.show_rejects(report.rejects, report.reject_count, converted=True)
        if report.reject_count:
            self.preview.setCurrentIndex(3)
        self._say_state()

    def _save_rejects(self) -> None:
        if self.report is None or self.look is None:
            return
        proposed = self.look.path.with_name(f"{self.look.path.stem}-rejected.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, "Save what could not be converted", str(proposed), "CSV (*.csv)")
        if chosen:
            self.save_rejects(Path(chosen))

    def save_rejects(self, path: Path) -> None:
        """List what could not be converted in a file."""
        if self.report is not None:
            self._save(write_rejects, self.report.rejects, path)


def _for_table(mapping: TableMapping, look: TableLook) -> TableMapping:
    """A mapping with the names that the columns of a table have; records may have more than those that were seen."""
    is_records = look.path.suffix.lower() in RECORD_ENDINGS
    return mapping if is_records else mapping.for_columns(look.columns)


def _padded(widget: QWidget, *, left: int = 0, top: int = 0, right: int = 0, bottom: int = 0) -> QWidget:
    """A widget with room at the side where the splitter's handle is."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(left, top, right, bottom)
    column.addWidget(widget)
    return page
