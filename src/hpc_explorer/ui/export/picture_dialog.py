"""The dialog for exporting a picture: format, colours, size and file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from hpc_explorer.canvas.export.drawing import PICTURE_ENDINGS, Drawing
from hpc_explorer.canvas.export.png import LONGEST, image_size, scale_for_width
from hpc_explorer.canvas.palette import THEMES
from hpc_explorer.errors import UsageError
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, fit_height
from hpc_explorer.ui.widgets.file_dialog import FileDialog
from hpc_explorer.ui.widgets.number_box import DecimalBox, WholeNumberBox
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import caption
from hpc_explorer.ui.widgets.theme import GRID

FORMATS: tuple[tuple[str, str, str], ...] = (
    (".svg", "SVG", "Sharp at any size; for web pages and drawing programs."),
    (".png", "PNG", "Pixels; for slides and programs that read nothing else."),
    (".pdf", "PDF", "Sharp at any size, with searchable text; for papers and print."),
    (".graphml", "GraphML", "Not a picture: the nodes and links with their places, for Gephi, yEd or networkx."),
)
"""Formats: extension, name, description."""

STYLES: tuple[tuple[str, str], ...] = (
    ("", "As seen"),
    ("light", "Light"),
    ("dark", "Dark"),
    ("print", "Paper: black on white"),
)
"""Themes: name and label; "" for the current one."""

MOST_SCALE = 8.0


class PictureDialog(FileDialog):
    """The dialog.

    Args:
        folder: the initial folder.
        stem: the initial file name without extension.

    Attributes:
        formats, styles: button groups, in the order of `FORMATS` and `STYLES`.
        times, pixels: the size of a PNG, as factor or width.
        export: the button that accepts.
    """

    def __init__(self, drawing: Drawing, folder: Path, stem: str, parent: QWidget) -> None:
        super().__init__("Export picture", folder, parent)
        self._drawing = drawing
        self._page = drawing.empty_page()
        self._stem = stem
        self.formats = self._add_choices("Format", [name for _, name, _ in FORMATS], [use for *_, use in FORMATS])
        self._use = self._add_remark()
        self._column.addSpacing(GRID)
        self.styles = self._add_choices("Colours", [name for _, name in STYLES])
        self._column.addSpacing(GRID)
        self._sizes = self._size_part()
        self._column.addWidget(self._sizes)
        self._add_file()
        self.export = self._add_answers("Export")

        self.formats.idClicked.connect(self._rename)
        self.times.valueChanged.connect(self._follow_times)
        self.pixels.valueChanged.connect(self._follow_pixels)
        self._follow_times(self.times.value())
        self._rename()
        self.formats.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def drawing(self) -> Drawing:
        """The drawing in the chosen colours."""
        name = STYLES[self.styles.checkedId()][0]
        return self._drawing.themed(THEMES[name]) if name else self._drawing

    @property
    def scale(self) -> float:
        """Pixels per scene unit of a PNG."""
        if self._by_width:
            return scale_for_width(self._page, self.pixels.value())
        return self.times.value()

    def _size_part(self) -> QWidget:
        self._by_width = False
        self.times = DecimalBox()
        self.times.setRange(1.0, MOST_SCALE)
        self.times.setSingleStep(0.5)
        self.times.setDecimals(1)
        self.times.setValue(2.0)
        self.times.setSuffix(" ×")
        self.times.setAccessibleName("Size, times that on the screen")
        self.pixels = WholeNumberBox()
        self.pixels.setRange(64, int(LONGEST))
        self.pixels.setGroupSeparatorShown(True)
        self.pixels.setSuffix(" pixels wide")
        self.pixels.setAccessibleName("Width in pixels")
        self.times.setMinimumWidth(10 * GRID)
        self.pixels.setMinimumWidth(20 * GRID)
        self._size = Label()
        self._size.setProperty("role", "small")
        row = QHBoxLayout()
        row.setSpacing(GRID)
        add_parts(row, self.times, Label("or"), self.pixels, (self._size, 1))
        part = QWidget()
        column = column_in(part, 0, 0, 0, GRID, spacing=GRID)
        column.addWidget(caption("Size of the image"))
        column.addLayout(row)
        return part

    # Updating the fields

    def _ending(self) -> str:
        return FORMATS[self.formats.checkedId()][0]

    def _rename(self) -> None:
        """Set the file extension; the user's name is kept."""
        folder, name = self._place()
        stem = Path(name).stem if Path(name).suffix.lower() in PICTURE_ENDINGS else name
        self.file.setText(str(folder / f"{stem or self._stem}{self._ending()}"))
        self._show_format()

    def _read_name(self, text: str) -> None:
        ending = Path(text).suffix.lower()
        at = next((at for at, (known, *_) in enumerate(FORMATS) if known == ending), None)
        if at is not None:
            self.formats.button(at).setChecked(True)
        self._show_format()

    def _show_format(self) -> None:
        self._use.setText(FORMATS[self.formats.checkedId()][2])
        self._sizes.setVisible(self._ending() == ".png")
        self._look()
        fit_height(self, self._column)

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

    def _problem(self) -> str:
        if self.path.suffix.lower() not in PICTURE_ENDINGS:
            return f"End the name in {', '.join(PICTURE_ENDINGS)}."
        if self._ending() == ".png":
            try:
                width, height = image_size(self._page, self.scale)
            except UsageError as error:
                self._size.setText("")
                return f"{error.what[0].upper()}{error.what[1:]}: {error.remedy}."
            self._size.setText(f"{width:,} × {height:,} pixels")
        return ""
