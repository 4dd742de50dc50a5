"""Keeps dialogs within the screen: on a small one, they are smaller, and what does not fit is scrolled."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

FRAME = QSize(16, 48)
"""Pixels that the frame and the title bar of a window may take."""


def keep_on_screen(dialog: QDialog) -> None:
    """Make a dialog fit its screen each time that it is shown."""
    dialog.installEventFilter(_Fitting(dialog))


class _Fitting(QObject):
    """Fits the dialog that owns it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QDialog) and not event.spontaneous():
            space = watched.screen().availableGeometry()
            fit_into(watched, space.size() - FRAME)
            if watched.testAttribute(Qt.WidgetAttribute.WA_Moved):  # Qt places all others, on the screen
                end = space.bottomRight() - QPoint(watched.width(), watched.height())
                place = QPoint(min(watched.x(), end.x()), min(watched.y(), end.y()))
                watched.move(max(place.x(), space.x()), max(place.y(), space.y()))
        return False


def fit_into(dialog: QDialog, room: QSize) -> None:
    """Make a dialog no larger than the room that there is.

    If its parts need more, all but the buttons at its end are scrolled.
    """
    layout = dialog.layout()
    if layout is None:
        return
    width = min(dialog.width(), room.width())
    least = layout.totalMinimumSize().expandedTo(dialog.minimumSize())
    if layout.hasHeightForWidth():
        least.setHeight(layout.totalMinimumHeightForWidth(max(width, least.width())))
    if isinstance(layout, QBoxLayout) and (least.width() > room.width() or least.height() > room.height()):
        _scroll(dialog, layout)
        dialog.setMinimumSize(0, 0)
    if dialog.minimumWidth() == dialog.maximumWidth() > room.width():
        dialog.setFixedWidth(room.width())
    dialog.resize(dialog.size().boundedTo(room))


def _scroll(dialog: QDialog, column: QBoxLayout) -> None:
    """Put what is in a dialog, but for the buttons at its end, into an area that scrolls."""
    margins = column.contentsMargins()
    buttons = _buttons(column)
    page, area, outer = QWidget(), QScrollArea(), QVBoxLayout()
    page.setLayout(column)  # it takes the widgets along
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setWidget(page)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.setSpacing(0)
    dialog.setLayout(outer)
    outer.addWidget(area, 1)
    if buttons is not None:
        column.setContentsMargins(margins.left(), margins.top(), margins.right(), 0)
        below = QVBoxLayout()
        below.setContentsMargins(margins.left(), column.spacing(), margins.right(), margins.bottom())
        outer.addLayout(below)
        if isinstance(buttons, QLayout):
            below.addLayout(buttons)
        elif (widget := buttons.widget()) is not None:
            below.addWidget(widget)


def _buttons(column: QBoxLayout) -> QLayoutItem | None:
    """Take the buttons at the end of a column out of it; None if something else is there."""
    last = column.itemAt(column.count() - 1)
    if last is None or column.direction() is not QBoxLayout.Direction.TopToBottom:
        return None
    inner, widget = last.layout(), last.widget()
    found = isinstance(widget, QDialogButtonBox) or (
        widget is not None and widget.findChild(QDialogButtonBox) is not None
    )
    if inner is not None:
        items = filter(None, map(inner.itemAt, range(inner.count())))
        found = any(isinstance(item.widget(), QPushButton) for item in items)
    return column.takeAt(column.count() - 1) if found else None
