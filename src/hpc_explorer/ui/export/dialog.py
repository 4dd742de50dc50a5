"""The export dialog: what, in which form and to which file, with a preview and the missing data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.export.choices import DEPTHS, FORMS, SYNTAXES, ExportChoice, Extent, Offer, Syntax, is_for_all
from hpc_explorer.app.export.packages import Target
from hpc_explorer.app.export.requests import ExportOrder, ExportPreview
from hpc_explorer.canvas.text import brief
from hpc_explorer.interchange.crate import VERSIONS
from hpc_explorer.rdf.syntax.formats import GZIP_SUFFIX, JSON_LD, format_of_name, is_gzip_name
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, Form
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.file_dialog import FileDialog
from hpc_explorer.ui.widgets.plain import Label, plain_tip, without_shortcut
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID

Previewer = Callable[[ExportOrder, Callable[[ExportPreview], None], Callable[[BaseException], None]], None]
"""Requests a preview and calls one of the two functions, or neither if there is a newer request."""

_PAUSE = 150
"""Milliseconds from a choice to the request for a preview."""

_MOST_TOLD, _MOST_IN_TIP = 4, 30
"""The most notes below the preview, and in its tooltip."""


class ExportDialog(FileDialog):
    """The dialog.

    Args:
        offers: the choices for "What"; the first is selected.
        folder: the initial folder.
        preview: requests previews; None for a dialog without.

    Attributes:
        what, syntax: button groups, in the order of the offers and of `SYNTAXES`.
        belonging, form, version: further fields, visible if they apply.
        copy_files, files: the check box for local files, and their list; checked files are copied.
        compressed: the check box for gzip.
        preview: the text of the preview.
        export: the button that accepts.
    """

    def __init__(
        self, offers: Sequence[Offer], folder: Path, parent: QWidget, preview: Previewer | None = None
    ) -> None:
        super().__init__("Export", folder, parent)
        self._offers = tuple(offers)
        self._ask_preview = preview
        whole = self._column
        sides = QHBoxLayout()
        sides.setSpacing(3 * GRID)
        choices = QWidget()
        choices.setMinimumWidth(44 * GRID)
        choices.setMaximumWidth(54 * GRID)
        self._column = column_in(choices, spacing=GRID)
        sides.addWidget(choices, 1)
        whole.addLayout(sides)
        self._add_what()
        self._add_how()
        self._column.addStretch(1)
        if preview is not None:
            sides.addLayout(self._preview_side(), 1)
            self.resize(120 * GRID, 70 * GRID)
        self._column = whole
        self._add_file()
        self.export = self._add_answers("Export")
        self._previewed: ExportOrder | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE)
        self._timer.timeout.connect(self._look_ahead)

        self.what.idToggled.connect(self._change_extent)
        self.syntax.idToggled.connect(self._respell)
        self.compressed.toggled.connect(self._respell)
        self.copy_files.toggled.connect(self._show_questions)
        self.files.itemChanged.connect(self._offer_preview)
        for box in (self.belonging, self.form, self.version):
            box.currentIndexChanged.connect(self._offer_preview)
        self._change_extent()
        self._respell()
        self.what.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    # Building

    def _add_what(self) -> None:
        self._column.addWidget(caption("What"))
        self.what = QButtonGroup(self)
        for number, offer in enumerate(self._offers):
            button = QRadioButton(without_shortcut(brief(offer.text, 56)))
            button.setAccessibleName(offer.text)
            button.setToolTip(plain_tip(offer.text))
            button.setChecked(number == 0)
            self.what.addButton(button, number)
            self._column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.belonging = self._add_box("Depth", [words for _, words in DEPTHS])
        self._column.addSpacing(GRID)

    def _add_how(self) -> None:
        names, uses = [syntax.name for syntax in SYNTAXES], [syntax.use for syntax in SYNTAXES]
        self.syntax = self._add_choices("Form", names, uses, in_row=3)
        self._use = self._add_remark()
        self._use.setWordWrap(True)
        self.form = self._add_box("Form of the JSON-LD", [words for _, words in FORMS])
        self.version = self._add_box("Version of RO-Crate", [f"RO-Crate {version}" for version in VERSIONS])
        self.copy_files = QCheckBox("Include files on this computer")
        self.copy_files.setAccessibleName(self.copy_files.text())
        self._column.addWidget(self.copy_files, 0, Qt.AlignmentFlag.AlignLeft)
        self.files = QListWidget()
        self.files.setAccessibleName("Files to copy into the crate")
        self.files.setMaximumHeight(12 * GRID)
        self.files.setProperty("framed", True)
        self.files.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._files_are_listed = False
        self._column.addWidget(self.files)
        self._no_files = self._add_remark()
        self._no_files.setWordWrap(True)
        self._no_files.setText("No file in the folders of the sources is mentioned.")
        self.compressed = QCheckBox("Compress (.gz)")
        self.compressed.setAccessibleName("Compress the file with gzip")
        self._column.addWidget(self.compressed, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_box(self, name: str, choices: Sequence[str]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(plain_tip(name))
        box.addItems(list(choices))
        self._column.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        return box

    def _preview_side(self) -> QVBoxLayout:
        side = QVBoxLayout()
        side.setSpacing(GRID)
        self._heading = caption("Preview")
        side.addWidget(self._heading)
        self.preview = QPlainTextEdit()
        self.preview.setReadOnly(True)
        self.preview.setTabChangesFocus(True)
        self.preview.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.preview.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.preview.setAccessibleName("Preview of the file")
        self.preview.setProperty("framed", True)
        self.preview.setMinimumSize(36 * GRID, 12 * GRID)
        side.addWidget(self.preview, 1)
        self._told = TextBlock("", muted=True)
        self._missing_heading = Label("Missing")
        self._missing_heading.setProperty("role", "caption")
        self._missing = QPlainTextEdit()
        self._missing.setReadOnly(True)
        self._missing.setTabChangesFocus(True)
        self._missing.setAccessibleName("What is missing")
        self._missing.setProperty("framed", True)
        self._missing.setFixedHeight(12 * GRID)
        add_parts(side, self._missing_heading, self._missing, self._told)
        return side

    # The choice

    @property
    def choice(self) -> ExportChoice:
        """The user's choice."""
        return ExportChoice(self._offer.extent, self.path, self._order())

    @property
    def missing(self) -> str:
        """The visible list of missing data."""
        return self._missing.toPlainText() if self._ask_preview is not None and self._missing.isVisible() else ""

    @property
    def told(self) -> str:
        """The visible notes."""
        return self._told.text() if self._ask_preview is not None else ""

    @property
    def _offer(self) -> Offer:
        # No button is checked while the choice changes.
        return self._offers[max(self.what.checkedId(), 0)]

    @property
    def _syntax(self) -> Syntax:
        return SYNTAXES[max(self.syntax.checkedId(), 0)]

    def _order(self) -> ExportOrder:
        offered, syntax = self._offer.order, self._syntax
        depth, form = DEPTHS[self.belonging.currentIndex()][0], FORMS[self.form.currentIndex()][0]
        arranged = syntax.format is JSON_LD and self._has_form and form is not Form.COMPACTED
        return replace(
            offered,
            extent=replace(offered.extent, depth=depth if self._has_depth else None),
            format=syntax.format,
            target=syntax.target,
            arrangement=Arrangement(form) if arranged else None,
            crate_version=VERSIONS[self.version.currentIndex()],
            copy_files=self._confirmed_files() if syntax.target is Target.RO_CRATE else frozenset(),
            as_page=syntax.target is Target.SCHEMA_ORG and self.path.suffix.lower() == ".html",
        )

    def _confirmed_files(self) -> frozenset[Path]:
        """The checked files."""
        if not self.copy_files.isChecked():
            return frozenset()
        items = (self.files.item(row) for row in range(self.files.count()))
        return frozenset(Path(item.text()) for item in items if item.checkState() is Qt.CheckState.Checked)

    @property
    def _has_depth(self) -> bool:
        """Whether the depth applies."""
        by_itself = self._offer.extent in (Extent.RESOURCE, Extent.SELECTION, Extent.CLASS)
        return by_itself and self._syntax.target in (None, Target.RO_CRATE)

    @property
    def _has_form(self) -> bool:
        return self._syntax.format is JSON_LD and self._offer.extent is not Extent.LINEAGE

    # Updating the fields

    def _ending(self) -> str:
        packed = self.compressed.isChecked() and self._syntax.format is not None
        return self._syntax.endings[0] + (GZIP_SUFFIX if packed else "")

    def _proposed_stem(self) -> str:
        return self._offer.file_stem

    def _change_extent(self) -> None:
        """Enable the forms for the chosen extent and propose a file name."""
        whole = self._offer.extent in (Extent.GRAPH, Extent.LINEAGE)
        for number, syntax in enumerate(SYNTAXES):
            self.syntax.button(number).setEnabled(not whole or is_for_all(syntax))
        if whole and not is_for_all(self._syntax):
            self.syntax.button(0).setChecked(True)
        # There is no frame for the whole graph.
        framed = next(number for number, (form, _) in enumerate(FORMS) if form is Form.FRAMED)
        _offer_item(self.form, framed, not whole, instead=0)
        folder, _ = self._place()
        self.file.setText(str(folder / f"{self._proposed_stem()}{self._ending()}"))
        self.files.clear()
        self._files_are_listed = False
        self._show_questions()

    def _respell(self) -> None:
        """Set the file extension; the user's name is kept."""
        folder, name = self._place()
        plain = Path(name).stem if is_gzip_name(name) else name
        endings = {ending for syntax in SYNTAXES for ending in syntax.endings}
        stem = Path(plain).stem if Path(plain).suffix.lower() in endings else plain
        self.file.setText(str(folder / f"{stem or self._proposed_stem()}{self._ending()}"))
        self._show_questions()

    def _show_questions(self) -> None:
        """Show the fields for the chosen form."""
        is_crate = self._syntax.target is Target.RO_CRATE
        # A crate always includes the names of linked resources.
        _offer_item(self.belonging, 0, not is_crate, instead=1)
        self._use.setText(self._syntax.use)
        self.belonging.setVisible(self._has_depth)
        self.form.setVisible(self._has_form)
        self.version.setVisible(is_crate)
        self.copy_files.setVisible(is_crate and self._ask_preview is not None)
        self._show_files()
        self.compressed.setVisible(self._syntax.format is not None)
        self._look()
        self._offer_preview()

    def _read_name(self, text: str) -> None:
        plain = Path(text).stem if is_gzip_name(text) else Path(text).name
        ending = Path(plain).suffix.lower()
        number = self.syntax.checkedId()
        if ending not in SYNTAXES[number].endings:
            fitting = [at for at, syntax in enumerate(SYNTAXES) if ending in syntax.endings]
            number = next((at for at in fitting if self.syntax.button(at).isEnabled()), number)
        for widget in (self.syntax, self.compressed):
            widget.blockSignals(True)
        self.syntax.button(number).setChecked(True)
        self.compressed.setChecked(is_gzip_name(text))
        for widget in (self.syntax, self.compressed):
            widget.blockSignals(False)
        self._show_questions()

    def _problem(self) -> str:
        syntax = self._syntax
        if syntax.target is Target.RO_CRATE and self.copy_files.isChecked() and not self._files_are_listed:
            return "The files to copy are being listed."
        if syntax.target is not None:
            if syntax.target.is_folder and not self.path.suffix:
                return ""  # a folder
            if self.path.suffix.lower() in syntax.endings:
                return ""
            if syntax.target is Target.MLFLOW:
                return "Name a folder, without an ending."
            return f"End the name in {' or '.join(syntax.endings)}."
        formats = [one.format for one in SYNTAXES if one.format is not None]
        if format_of_name(self.path) in formats:
            return ""
        return f"End the name in {', '.join(f'.{format.extension}' for format in formats)}."

    # The preview

    def _offer_preview(self) -> None:
        if self._ask_preview is not None:
            self._timer.start()

    def _look_ahead(self) -> None:
        if self._ask_preview is not None:
            self._previewed = self._order()
            self._ask_preview(self._previewed, self._show_preview, self._show_fault)

    def _show_preview(self, preview: ExportPreview) -> None:
        self._heading.setText(preview.heading)
        self.preview.setPlainText(preview.text)
        more = len(preview.told) - _MOST_TOLD
        self._told.say(" · ".join([*preview.told[:_MOST_TOLD], *([f"and {more:,} more"] if more > 0 else [])]))
        self._told.setToolTip(plain_tip("\n".join(preview.told[:_MOST_IN_TIP])) if more > 0 else "")
        self._told.setVisible(bool(preview.told))
        # The choice may have changed meanwhile.
        of = self._previewed
        if of is not None and of.target is Target.RO_CRATE and of.extent == self._order().extent:
            self._list_files(preview.here)
        lines = [f"{'Required' if lack.is_required else 'Wanted'}: {lack.sentence}" for lack in preview.lacks]
        required, form = sum(lack.is_required for lack in preview.lacks), self._syntax.name
        self._missing_heading.setText(
            f"Missing for {form}: {required} required, {len(lines) - required} wanted"
            if lines
            else f"Nothing that {form} wants is missing"
        )
        self._missing.setPlainText("\n".join(lines))
        is_checked = self._syntax.target is not None and not self._syntax.target.is_provenance
        self._missing_heading.setVisible(is_checked)
        self._missing.setVisible(bool(lines))

    def _list_files(self, paths: Sequence[Path]) -> None:
        """List the files that can be copied; the check marks are kept."""
        listed = [self.files.item(row).text() for row in range(self.files.count())]
        if listed != [str(path) for path in paths]:
            self.files.clear()
            for path in paths:
                item = QListWidgetItem(str(path))
                item.setToolTip(plain_tip(str(path)))
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked)
                self.files.addItem(item)
        self._files_are_listed = True
        self._show_files()
        self._look()

    def _show_files(self) -> None:
        """Show the list of files, or that there are none."""
        wanted = self._syntax.target is Target.RO_CRATE and self.copy_files.isChecked()
        self.files.setVisible(wanted and self.files.count() > 0)
        self._no_files.setVisible(wanted and self._files_are_listed and not self.files.count())

    def _show_fault(self, fault: BaseException) -> None:
        self._heading.setText("No preview")
        self.preview.setPlainText(str(fault))
        self._told.setVisible(False)
        self._missing_heading.setVisible(False)
        self._missing.setVisible(False)


def _offer_item(box: QComboBox, at: int, offered: bool, *, instead: int) -> None:
    """Enable or disable an item; select another one if a disabled item was selected."""
    item = box.model().item(at)  # type: ignore[attr-defined]  # a combo box's own model has items
    item.setEnabled(offered)
    if not offered and box.currentIndex() == at:
        box.setCurrentIndex(instead)
