"""The guide in a window of its own; it ships with the program and needs no network."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
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
            self.page.document().setBaseUrl(QUrl.fromLocalFile(f"{self._folder}/"))
            self.page.setMarkdown(without_missing_pictures(file.read_text(encoding="utf-8"), self._folder))

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
