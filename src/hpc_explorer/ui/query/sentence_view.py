"""The query as a sentence whose parts can be clicked: a variable becomes the focus, a condition opens its menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from hpc_explorer.canvas.text import brief
from hpc_explorer.query.model.places import Place
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import GRID, font

LONGEST = 44 * GRID
"""The maximum width of a part in pixels; its tooltip has the whole text."""

_PADDING = 4

_LONGEST_WORDS = 120
"""The maximum number of characters of a part."""


@dataclass(frozen=True)
class Piece:
    """A part of the sentence.

    text: its words, without space around them.
    variable: the variable that it names, if any.
    place: the condition that it describes, if any.
    is_locked: whether it is SPARQL kept as written.
    """

    text: str
    variable: Variable | None = None
    place: Place | None = None
    is_locked: bool = False

    @property
    def can_be_clicked(self) -> bool:
        """Whether a click has an effect."""
        return self.variable is not None or self.place is not None


class SentenceView(QWidget):
    """The sentence, with line breaks as needed.

    Signals:
        focus_wanted(Piece): a variable was clicked.
        condition_wanted(tuple, QPoint): a condition was clicked: its place, and the position for its menu.
        menu_wanted(Piece, QPoint): a part was right-clicked.
    """

    focus_wanted = Signal(object)
    condition_wanted = Signal(object, QPoint)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ask-sentence")
        self.setAccessibleName("The question")
        self._flow = FlowLayout(self, 0)
        self._pieces: tuple[Piece, ...] = ()
        self._shown: list[QWidget] = []
        self.buttons: list[PieceButton] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def text(self) -> str:
        """The whole sentence."""
        return " ".join(piece.text for piece in self._pieces)

    def show_pieces(self, pieces: Sequence[Piece], focus: Variable | None, chosen: Place | None = None) -> None:
        """Show another sentence.

        Args:
            focus: the variable that suggestions are about.
            chosen: the selected condition.
        """
        kept = self._with_keyboard()
        self._pieces = tuple(pieces)
        self._flow.setEnabled(False)  # otherwise each part that is shown places all parts before it again
        while (item := self._flow.takeAt(0)) is not None:
            if (shown := item.widget()) is not None:
                shown.hide()
                shown.deleteLater()
        self.buttons = []
        for piece in pieces:
            if piece.can_be_clicked or piece.is_locked:
                self._add_button(piece, focus, chosen)
            else:
                self._add_words(piece.text)
        self._flow.setEnabled(True)
        self._flow.activate()
        self.setAccessibleDescription(shortened(self.text))
        if kept is not None and kept < len(self.buttons):
            self.buttons[kept].setFocus(Qt.FocusReason.OtherFocusReason)
        self.updateGeometry()

    def mark_chosen(self, chosen: Place | None) -> None:
        """Mark the selected condition."""
        for button in self.buttons:
            button.mark(chosen=chosen is not None and button.piece.place == chosen)

    def _with_keyboard(self) -> int | None:
        return next((number for number, button in enumerate(self.buttons) if button.hasFocus()), None)

    def _add_words(self, text: str) -> None:
        """Add plain words one by one, so that lines can break after each."""
        for word in text.split():
            label = Label(brief(word, _LONGEST_WORDS))
            label.setFont(font())
            label.setFixedHeight(3 * GRID)
            label.setContentsMargins(2, 0, 2, 0)
            self._put(label)

    def _add_button(self, piece: Piece, focus: Variable | None, chosen: Place | None) -> None:
        button = PieceButton(piece)
        button.mark(
            focused=piece.variable is not None and piece.variable == focus,
            chosen=chosen is not None and piece.place == chosen,
        )
        button.clicked.connect(lambda: self._click(button))
        button.menu_wanted.connect(lambda at: self.menu_wanted.emit(piece, at))
        self.buttons.append(button)
        self._put(button)

    def _put(self, widget: QWidget) -> None:
        self._flow.addWidget(widget)
        widget.show()

    def _click(self, button: PieceButton) -> None:
        if button.piece.variable is not None:
            self.focus_wanted.emit(button.piece)
        elif button.piece.place is not None:
            self.condition_wanted.emit(button.piece.place, button.mapToGlobal(QPoint(0, button.height())))


class PieceButton(QAbstractButton):
    """A part that can be clicked: blue for a variable, filled for the focus; underlined for a condition.

    Signals:
        menu_wanted(QPoint): it was right-clicked, or the menu key was pressed.
    """

    menu_wanted = Signal(QPoint)

    def __init__(self, piece: Piece) -> None:
        super().__init__()
        self.piece = piece
        self._focused = self._chosen = False
        text = brief(piece.text.strip().replace("\n", " "), _LONGEST_WORDS)
        self.setText(text)
        self.setShortcut("")  # Qt makes one of an "&" in the text
        self.setToolTip(plain_tip(shortened(piece.text.strip()) if piece.is_locked or self._is_cut() else ""))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.mark()

    def mark(self, *, focused: bool | None = None, chosen: bool = False) -> None:
        """Mark it as the focus, or as the selected condition."""
        self._focused = self._focused if focused is None else focused
        self._chosen = chosen
        kind = "in focus" if self._focused else "variable" if self.piece.variable is not None else "condition"
        kind = "kept as written" if self.piece.is_locked else kind
        self.setAccessibleName(f"{self.text()}, {kind}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = min(QFontMetrics(self._font()).horizontalAdvance(self.text()), LONGEST)
        return QSize(wide + 2 * _PADDING + 2, 3 * GRID)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 6 * GRID), 3 * GRID)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(self.mapToGlobal(QPoint(0, self.height())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.click()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def _font(self) -> QFont:
        return font(weight=600 if self._focused else 500 if self.piece.variable is not None else 400)

    def _is_cut(self) -> bool:
        whole = self.piece.text.strip()
        return len(whole) > _LONGEST_WORDS or QFontMetrics(font()).horizontalAdvance(self.text()) > LONGEST

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, role = self.palette(), QPalette.ColorRole
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRect(0, 1, self.width(), self.height() - 2)
        if self._focused or self._chosen:
            painter.setBrush(palette.color(role.Midlight))
        elif self.underMouse() or self.piece.is_locked:
            painter.setBrush(palette.color(role.Light))
        edged = self.hasFocus() or self._chosen
        painter.setPen(QPen(palette.color(role.Accent if edged else role.Mid), 1))
        if not edged and not self.piece.is_locked:
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(frame.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        used = self._font()
        painter.setFont(used)
        inner = frame.adjusted(_PADDING, 0, -_PADDING, 0)
        text = QFontMetrics(used).elidedText(self.text(), Qt.TextElideMode.ElideRight, inner.width())
        is_variable = self.piece.variable is not None
        painter.setPen(palette.color(role.Link if is_variable else role.WindowText))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        if not is_variable and not self.piece.is_locked:
            painter.setPen(QPen(palette.color(role.Dark), 1, Qt.PenStyle.DotLine))
            below = frame.center().y() + QFontMetrics(used).ascent() // 2 + 3
            painter.drawLine(inner.left(), below, min(inner.right(), inner.left() + self.width()), below)
