"""A layout in one line; what does not fit is in a menu at its end."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QMenu, QToolButton, QWidget

from hpc_explorer.ui.widgets.flow import ItemLayout
from hpc_explorer.ui.widgets.plain import without_shortcut
from hpc_explorer.ui.widgets.theme import GRID

_FAR = 20_000
"""The place of widgets that do not fit: out of sight, but not hidden, because toolbars hide buttons themselves."""


class OneLine(ItemLayout):
    """Places widgets in one line, never in two.

    Buttons that do not fit are entries of the menu of the button ⋯. Other widgets must come first.
    """

    def __init__(self, parent: QWidget, spacing: int = GRID // 2) -> None:
        super().__init__(parent, spacing)
        self._front: QWidget | None = None
        self.more = QToolButton(parent)
        self.more.setText("⋯")
        self.more.setAccessibleName("More")
        self.more.setToolTip("More commands")
        self.more.setProperty("labelled", True)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._menu = QMenu(self.more)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self._menu)
        self.more.hide()

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() + self._gap for size in sizes) - self._gap * bool(sizes)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """The menu alone: the line may become as short as that."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), self.more.sizeHint().width()), hint.height())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        shown = [item for item in self._items if not item.isEmpty()]
        fits = self.sizeHint().width() <= rect.width()
        end = rect.right() + 1 if fits else rect.right() + 1 - self.more.sizeHint().width() - self._gap
        x, is_full = rect.x(), False
        front: QWidget | None = None
        for item in shown:
            size = item.sizeHint()
            is_full = is_full or x + size.width() > end
            at = QPoint(_FAR if is_full else x, rect.y() + (rect.height() - size.height()) // 2)
            item.setGeometry(QRect(at, size))
            x += size.width() + self._gap
            widget = item.widget()
            if isinstance(widget, QAbstractButton):  # the Tab key skips what is out of sight
                widget.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_full else Qt.FocusPolicy.StrongFocus)
            if widget is not None and not is_full and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                front = widget
        if not fits and front is not None and front is not self._front:
            self._front = front
            QWidget.setTabOrder(front, self.more)
        self.more.setVisible(not fits)
        size = self.more.sizeHint()
        self.more.setGeometry(rect.right() + 1 - size.width(), rect.y(), size.width(), rect.height())

    def _fill(self) -> None:
        """List the buttons that do not fit."""
        self._menu.clear()
        for item in self._items:
            button = item.widget()
            if item.isEmpty() or not isinstance(button, QAbstractButton) or button.x() < _FAR:
                continue
            if isinstance(button, QToolButton) and button.defaultAction() is not None:
                self._menu.addAction(button.defaultAction())
                continue
            action = self._menu.addAction(without_shortcut(button.text()))
            action.setToolTip(button.toolTip())
            action.setEnabled(button.isEnabled())
            if isinstance(button, QToolButton) and button.menu() is not None:
                action.setMenu(button.menu())
            else:
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
                action.triggered.connect(button.click)
