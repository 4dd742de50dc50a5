"""The dialog that asks how a picture is written to a file: as what, in which colours, how large, and where."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.operations.picturing import PICTURE_ENDINGS, Drawing
from hpc_explorer.canvas.palette import THEMES
from hpc_explorer.canvas.png import LONGEST, image_size, scale_for_width
from hpc_explorer.errors import UsageError
from hpc_explorer.ui.text import caption
from hpc_explorer.ui.theme import GRID

FORMATS: tuple[tuple[str, str, str], ...] = (
    (".svg", "SVG", "Sharp at any size; for web pages, and to be worked on in a drawing program."),
    (".png", "PNG", "Pixels, for slides and for where nothing else is taken."),
    (".pdf", "PDF", "Sharp at any size, its text can be searched; for papers and print."),
    (".graphml", "GraphML", "Not a picture: the nodes and links with their places, for Gephi, yEd or networkx."),
)
"""The endings, names and uses of what can be written."""

STYLES: tuple[tuple[str, str], ...] = (
    ("", "As seen"),
    ("light", "Light"),
    ("dark", "Dark"),
    ("print", "Paper: black on white"),
)
"""The themes that can be chosen; "" is the one in sight."""

MOST_SCALE = 8.0


class PictureDialog(QDialog):
    """Asks how a picture is written, and where.

    Args:
        drawing: what is to be written, as it is seen.
        folder: where the file is proposed to be, and `stem` its name without an ending.

    Attributes:
        formats, styles: the buttons to choose from, in the order of `FORMATS` and `STYLES`.
        times, pixels: the size of a PNG, told as times or as its width.
        file: the line with the file's name.
        export: the button that has it done.
    """

    def __init__(self, drawing: Drawing, folder: Path, stem: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export picture")
        self.setMinimumWidth(64 * GRID)
        self._drawing = drawing
        self._page = drawing.empty_page()
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(GRID)

        self.formats = self._choices(column, "Format", [name for _, name, _ in FORMATS], [use for *_, use in FORMATS])
        self._use = QLabel()
        self._use.setProperty("role", "small")
        column.addWidget(self._use)
        column.addSpacing(GRID)
        self.styles = self._choices(column, "Colours", [name for _, name in STYLES], [])
        column.addSpacing(GRID)
        column.addWidget(caption("Size of the image"))
        self._size_row(column)
        column.addSpacing(GRID)

        column.addWidget(caption("File"))
        self.file = QLineEdit(str(folder / f"{stem}{FORMATS[0][0]}"))
        self.file.setAccessibleName("File to write")
        browse = QPushButton("Browse…")
        browse.setAccessibleName("Choose the file to write")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        place = QHBoxLayout()
        place.setSpacing(GRID)
        place.addWidget(self.file, 1)
        place.addWidget(browse)
        column.addLayout(place)
        self._warning = QLabel()
        self._warning.setProperty("role", "small")
        self._warning.setWordWrap(True)
        column.addWidget(self._warning)
        column.addSpacing(GRID)

        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export = buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        self.export.setDefault(True)
        for one in buttons.buttons():
            one.setAccessibleName(one.text().replace("&", ""))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)

        self.formats.idClicked.connect(self._rename)
        self.times.valueChanged.connect(self._follow_times)
        self.pixels.valueChanged.connect(self._follow_pixels)
        self.file.textEdited.connect(self._read_name)
        self.file.textChanged.connect(self._look)
        self._follow_times(self.times.value())
        self._show_format()
        self.formats.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def path(self) -> Path:
        """The file to write."""
        return Path(self.file.text()).expanduser()

    @property
    def drawing(self) -> Drawing:
        """What is to be written, in the chosen colours."""
        name = STYLES[self.styles.checkedId()][0]
        return self._drawing.themed(THEMES[name]) if name else self._drawing

    @property
    def scale(self) -> float:
        """Pixels per scene unit of a PNG."""
        if self._by_width:
            return scale_for_width(self._page, self.pixels.value())
        return self.times.value()

    @property
    def warning(self) -> str:
        """What is wrong with the choice, or what will happen to the file."""
        return self._warning.text()

    # Building

    def _choices(self, column: QVBoxLayout, title: str, names: list[str], uses: list[str]) -> QButtonGroup:
        column.addWidget(caption(title))
        group = QButtonGroup(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * GRID)
        for at, name in enumerate(names):
            button = QRadioButton(name)
            button.setChecked(at == 0)
            button.setAccessibleName(f"{name}. {uses[at]}" if uses else f"{title}: {name}")
            button.setToolTip(uses[at] if uses else "")
            group.addButton(button, at)
            grid.addWidget(button, 0, at)
        grid.setColumnStretch(len(names), 1)
        column.addLayout(grid)
        return group

    def _size_row(self, column: QVBoxLayout) -> None:
        self._by_width = False
        self.times = QDoubleSpinBox()
        self.times.setRange(1.0, MOST_SCALE)
        self.times.setSingleStep(0.5)
        self.times.setDecimals(1)
        self.times.setValue(2.0)
        self.times.setSuffix(" ×")
        self.times.setAccessibleName("Size, times that on the screen")
        self.pixels = QSpinBox()
        self.pixels.setRange(64, int(LONGEST))
        self.pixels.setGroupSeparatorShown(True)
        self.pixels.setSuffix(" pixels wide")
        self.pixels.setAccessibleName("Width in pixels")
        for box in (self.times, self.pixels):
            box.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
            box.setMinimumSize(10 * GRID if box is self.times else 20 * GRID, 4 * GRID)
        self._size = QLabel()
        self._size.setProperty("role", "small")
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.times)
        row.addWidget(QLabel("or"))
        row.addWidget(self.pixels)
        row.addWidget(self._size, 1)
        column.addLayout(row)

    # What was chosen follows from what else was

    def _ending(self) -> str:
        return FORMATS[self.formats.checkedId()][0]

    def _rename(self) -> None:
        """Give the file the ending of the chosen format; its name stays as the user made it."""
        path = Path(self.file.text())
        stem = path.stem if path.suffix.lower() in PICTURE_ENDINGS else path.name
        self.file.setText(str(path.with_name((stem or "picture") + self._ending())))
        self._show_format()

    def _read_name(self, text: str) -> None:
        """Follow the ending that the user types."""
        ending = Path(text).suffix.lower()
        at = next((at for at, (known, *_) in enumerate(FORMATS) if known == ending), None)
        if at is not None:
            self.formats.button(at).setChecked(True)
        self._show_format()

    def _show_format(self) -> None:
        ending = self._ending()
        self._use.setText(FORMATS[self.formats.checkedId()][2])
        for widget in (self.times, self.pixels):
            widget.setEnabled(ending == ".png")
        self._size.setVisible(ending == ".png")
        self._look()

    def _follow_times(self, times: float) -> None:
        self._by_width = False
        self.pixels.blockSignals(True)
        self.pixels.setValue(round(self._page.bounds.width * times))
        self.pixels.blockSignals(False)
        self._look()

    def _follow_pixels(self, width: int) -> None:
        self._by_width = True
        self.times.blockSignals(True)
        self.times.setValue(width / self._page.bounds.width)
        self.times.blockSignals(False)
        self._look()

    def _look(self) -> None:
        """Say how large the image will be, what is wrong, or what will happen to the file."""
        problem = ""
        if self.path.suffix.lower() not in PICTURE_ENDINGS:
            problem = f"End the name in {', '.join(PICTURE_ENDINGS)}."
        elif self.path.is_dir():
            problem = "This is a folder: add a name for the file."
        if self._ending() == ".png":
            try:
                width, height = image_size(self._page, self.scale)
                self._size.setText(f"{width:,} × {height:,} pixels")
            except UsageError as error:
                self._size.setText("")
                problem = problem or f"{error.what[0].upper()}{error.what[1:]}: {error.remedy}."
        self.export.setEnabled(not problem)
        self._warning.setText(problem or ("This file will be replaced." if self.path.is_file() else ""))

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Export picture to", self.file.text(), options=QFileDialog.Option.DontConfirmOverwrite
        )
        if chosen:
            self.file.setText(chosen)
            self._read_name(chosen)
