"""Texts that wrap at any character and are as high as necessary.

Qt's label breaks lines only at spaces, so one long IRI would widen its pane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QFont,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QSizePolicy, QWidget

from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.theme import BODY, SMALL, font

LONGEST = 1200
"""The most characters shown of a text; copying copies all."""


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text, shortened with its length if it is too long."""
    if len(text) <= longest:
        return text
    return f"{text[:longest].rstrip()}… ({len(text):,} characters)"


UNWRAPPED = 16_000
"""A width in pixels at which only line breaks break a text."""


class _Paragraph:
    """A text followed by a muted remark."""

    def __init__(self, text: str, detail: str, used: QFont) -> None:
        self._whole = shortened(text) + (f"  {detail}" if detail else "")
        self._detail_at = len(self._whole) - len(detail)
        self._layout = QTextLayout(self._whole.replace("\n", "\u2028"), used)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._width = -1
        self._height = 0.0
        self._widest = 0.0
        self._measured: dict[int, tuple[int, int]] = {}
        self._look: tuple[int, int, bool] | None = None

    def height(self, width: int) -> int:
        """The height at a width, in pixels."""
        return self._measure(width)[1]

    def natural_width(self) -> int:
        """The width without wrapping."""
        return self._measure(UNWRAPPED)[0]

    def _measure(self, width: int) -> tuple[int, int]:
        """The width and height; cached, because layouts ask repeatedly for a few widths."""
        if width < UNWRAPPED and width >= (whole := self._measure(UNWRAPPED))[0]:
            return whole
        if width not in self._measured:
            self._lay_out(width)
            self._measured[width] = int(self._widest + 0.999), int(self._height + 0.999)
        return self._measured[width]

    def draw(self, painter: QPainter, rect: QRect, colour: QColor, muted: QColor, *, underlined: bool = False) -> None:
        """Draw the text at the top left of `rect`."""
        look = (colour.rgba(), muted.rgba(), underlined)
        if look != self._look:
            self._look = look
            self._dress(colour, muted, underlined)
        self._lay_out(rect.width())
        self._layout.draw(painter, QPointF(rect.topLeft()))

    def _dress(self, colour: QColor, muted: QColor, underlined: bool) -> None:
        """Set the colours for the next layout."""
        body, remark = QTextCharFormat(), QTextCharFormat()
        body.setForeground(colour)
        body.setFontUnderline(underlined)
        remark.setForeground(muted)
        ranges = []
        for start, end, form in ((0, self._detail_at, body), (self._detail_at, len(self._whole), remark)):
            part = QTextLayout.FormatRange()
            part.start, part.length, part.format = start, end - start, form
            ranges.append(part)
        self._layout.setFormats(ranges)
        self._width = -1

    def _lay_out(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        self._widest = 0.0
        y = 0.0
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(width, 8))
            line.setPosition(QPointF(0, y))
            y += line.height() + 1
            self._widest = max(self._widest, line.naturalTextWidth())
        self._layout.endLayout()
        self._height = y


class _Wrapping:
    """A widget that shows a paragraph at its full height.

    Attributes:
        offers: menu entries besides copying: title and function.
    """

    _paragraph: _Paragraph
    offers: tuple[tuple[str, Callable[[], None]], ...] = ()

    def heightForWidth(self, width: int) -> int:
        return self._paragraph.height(width)

    def sizeHint(self) -> QSize:
        width = min(self._paragraph.natural_width(), 240)
        return QSize(width, self._paragraph.height(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self._paragraph.height(10_000))


def _wrapping_policy() -> QSizePolicy:
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    return policy


class TextBlock(_Wrapping, QLabel):
    """A text that wraps and can be copied from its menu.

    Args:
        detail: a muted remark after the text.
        size: one of the three sizes.
        weight: 400, 500 or 600.
        muted: whether the text is muted.
    """

    def __init__(
        self,
        text: str,
        detail: str = "",
        *,
        size: int = BODY,
        weight: int = 400,
        muted: bool = False,
    ) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)  # else a label takes it out of the policy again that the height depends on the width
        self._font = font(size, weight)
        self._muted = muted
        self.setSizePolicy(_wrapping_policy())
        self.say(text, detail)

    def say(self, text: str, detail: str = "") -> None:
        """Set the text."""
        self.setText(shortened(f"{text}  {detail}" if detail else text))
        self._copied = text
        self._paragraph = _Paragraph(text, detail, self._font)
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.palette()
        muted = palette.color(QPalette.ColorRole.PlaceholderText)
        colour = muted if self._muted else palette.color(QPalette.ColorRole.WindowText)
        self._paragraph.draw(QPainter(self), self.rect(), colour, muted)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copy = QAction("Copy", menu)
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(self._copied))
        menu.addAction(copy)
        _open_menu(menu, self.offers, event)


class LinkBlock(_Wrapping, QAbstractButton):
    """A link that wraps; a click, Enter or Space follows it.

    Args:
        text: the text and accessible name.
        detail: a muted remark after it.
    """

    def __init__(self, text: str, detail: str = "", *, size: int = BODY) -> None:
        super().__init__()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._font = font(size)
        self._hovered = False
        self.setSizePolicy(_wrapping_policy())
        self.say(text, detail)

    def say(self, text: str, detail: str = "") -> None:
        """Set the text."""
        self.setText(shortened(text))
        self.setShortcut("")  # Qt creates one for an "&" in the text
        self.setAccessibleName(shortened(f"{text}, {detail}" if detail else text))
        self._paragraph = _Paragraph(text, detail, self._font)
        self.updateGeometry()
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()

    def leaveEvent(self, event: object) -> None:
        self._hovered = False
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.click()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.offers:
            _open_menu(QMenu(self), self.offers, event)
        else:
            super().contextMenuEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.palette()
        link = palette.color(QPalette.ColorRole.Link)
        painter = QPainter(self)
        focused = self.hasFocus()
        if focused:
            painter.fillRect(self.rect(), palette.color(QPalette.ColorRole.Midlight))
        muted = palette.color(QPalette.ColorRole.PlaceholderText)
        self._paragraph.draw(painter, self.rect(), link, muted, underlined=self._hovered or focused)


def _open_menu(menu: QMenu, offers: Sequence[tuple[str, Callable[[], None]]], event: QContextMenuEvent) -> None:
    for title, act in offers:
        action = QAction(title, menu)
        action.triggered.connect(lambda _=False, act=act: act())
        menu.addAction(action)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(event.globalPos())


def caption(text: str, parent: QWidget | None = None) -> QLabel:
    """A heading of a part of the window."""
    label = Label(text, parent)
    label.setProperty("role", "caption")
    label.setFont(font(SMALL, 500))
    return label
