"""The guide in a window of its own; it ships with the program and needs no network."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImageReader, QTextCursor, QTextDocument, QTextImageFormat
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QSplitter, QTextBrowser, QWidget

from hpc_explorer.shipped import shipped_folder
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.dialog_size import keep_on_screen
from hpc_explorer.ui.widgets.theme import GRID

FIRST_PAGE = "window"
_IMAGE = re.compile(r"^!\[[^\]]*\]\((?P<file>[^)]*)\)\s*$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


class GuideDialog(QDialog):
    """The pages of the guide, with a list of them.

    Attributes:
        pages: the list; page: the text of the chosen one.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Guide")
        self.resize(120 * GRID, 88 * GRID)
        self._folder = shipped_folder("docs/guide")
        self.pages = QListWidget()
        self.pages.setAccessibleName("Pages of the guide")
        self.page = QTextBrowser()
        self.page.setAccessibleName("Page of the guide")
        self.page.setOpenLinks(False)
        self.page.anchorClicked.connect(self._follow)
        for file in sorted(self._folder.glob("*.md"), key=lambda file: (file.stem != FIRST_PAGE, file.stem)):
            item = QListWidgetItem(title_of(file.read_text(encoding="utf-8")))
            item.setData(Qt.ItemDataRole.UserRole, file.stem)
            self.pages.addItem(item)
        self.pages.currentItemChanged.connect(self._show)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.pages)
        split.addWidget(self.page)
        split.setSizes([28 * GRID, 92 * GRID])
        column_in(self).addWidget(split)
        keep_on_screen(self)
        self.show_page(FIRST_PAGE)

    def show_page(self, name: str) -> None:
        """Show the page of this name, such as "settings"; nothing if there is none."""
        for number in range(self.pages.count()):
            if self.pages.item(number).data(Qt.ItemDataRole.UserRole) == name:
                self.pages.setCurrentRow(number)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            file = self._folder / f"{item.data(Qt.ItemDataRole.UserRole)}.md"
            text = without_missing_pictures(file.read_text(encoding="utf-8"), self._folder)
            page = QTextDocument(self.page)
            page.setDefaultFont(self.page.font())
            page.setBaseUrl(QUrl.fromLocalFile(f"{self._folder}/"))
            page.setMarkdown(text)
            tell_sizes_of_pictures(page, self._folder)
            self.page.setDocument(page)

    def _follow(self, address: QUrl) -> None:
        name = Path(address.path())
        if not address.scheme() and name.suffix == ".md" and len(name.parts) == 1:
            self.show_page(name.stem)
        elif not address.path():
            self.page.scrollToAnchor(address.fragment())
        elif address.scheme().startswith("http"):
            QDesktopServices.openUrl(address)


def title_of(text: str) -> str:
    """The heading of a page."""
    found = _TITLE.search(text)
    return found[1] if found else ""


def without_missing_pictures(text: str, folder: Path) -> str:
    """A page without the pictures that are not there; the wheel has the texts only."""
    return _IMAGE.sub(lambda match: match[0] if (folder / match["file"]).exists() else "", text)


def tell_sizes_of_pictures(page: QTextDocument, folder: Path) -> None:
    """Give the pictures of a page the sizes that their files name.

    Qt then reads a picture when it comes into sight; to lay out the page, it would read all of them at once.
    """
    pictures: list[tuple[int, QTextImageFormat]] = []
    block = page.begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            if parts.fragment().charFormat().isImageFormat():
                pictures.append((parts.fragment().position(), parts.fragment().charFormat().toImageFormat()))
            parts += 1
        block = block.next()
    cursor = QTextCursor(page)
    for position, picture in pictures:
        size = QImageReader(str(folder / picture.name())).size()
        picture.setWidth(size.width())
        picture.setHeight(size.height())
        cursor.setPosition(position)
        cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(picture)
