"""A code editor with line numbers, bracket matching, indentation, comments and zoom."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, sparql_tokens
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.theme import BODY, GRID, current_theme, on_theme

INDENT = "  "
SMALLEST, LARGEST = 8, 32
"""The range of font sizes, in pixels at 100 %."""

# Bracket matching is off for longer texts.
_LONGEST_FOR_BRACKETS = 20_000

_PAIRS = {"{": "}", "(": ")", "[": "]"}


class CodeEdit(QPlainTextEdit):
    """The editor."""

    def __init__(self) -> None:
        super().__init__()
        self._letter_size = BODY
        self._fault: tuple[int, int] | None = None
        self._gutter = _Gutter(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(False)
        self.blockCountChanged.connect(self._fit_gutter)
        self.updateRequest.connect(self._move_gutter)
        self.cursorPositionChanged.connect(self.mark)
        self.set_size(BODY)
        on_theme(self._dress)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._gutter.update()
        self.mark()

    # Font size

    @property
    def letter_size(self) -> int:
        """The font size, in pixels at 100 %."""
        return self._letter_size

    def set_size(self, size: int) -> None:
        """Set the font size within its limits."""
        self._letter_size = max(SMALLEST, min(LARGEST, size))
        used = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        used.setStyleHint(QFont.StyleHint.Monospace)
        used.setPixelSize(self._letter_size)
        self.setFont(used)
        # The window's style sheet would override the widget's font.
        self.document().setDefaultFont(used)
        self._gutter.setFont(used)
        self.setTabStopDistance(self.fontMetrics().horizontalAdvance(" ") * len(INDENT))
        self._fit_gutter()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_size(self._letter_size + (1 if event.angleDelta().y() > 0 else -1))
            event.accept()
        else:
            super().wheelEvent(event)

    # Marks

    def set_fault(self, place: tuple[int, int] | None) -> None:
        """Underline a range of characters as an error; None: nothing."""
        self._fault = place
        self.mark()

    def mark(self) -> None:
        """Mark the current line, matching brackets and the error."""
        line = QTextEdit.ExtraSelection()
        line.format.setBackground(QColor(current_theme().raised))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        line.cursor = self.textCursor()
        line.cursor.clearSelection()
        marks = [line]
        bracket = QTextCharFormat()
        bracket.setBackground(QColor(current_theme().accent_soft))
        bracket.setForeground(QColor(current_theme().accent))
        bracket.setFontWeight(QFont.Weight.Bold)
        marks += [self._marked(at, at + 1, bracket) for at in self._brackets()]
        if self._fault is not None:
            wave = QTextCharFormat()
            wave.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wave.setUnderlineColor(QColor(current_theme().error))
            marks.append(self._marked(*self._fault, wave))
        self.setExtraSelections(marks)

    def _marked(self, start: int, end: int, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        made.format = form
        made.cursor = self.cursor_at(start, end)
        return made

    def cursor_at(self, start: int, end: int) -> QTextCursor:
        """A cursor that selects these characters."""
        last = max(0, self.document().characterCount() - 1)
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(utf16(self.toPlainText(), start), last))
        cursor.setPosition(min(utf16(self.toPlainText(), end), last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _brackets(self) -> tuple[int, ...]:
        """The positions of the bracket at the cursor and its partner."""
        if self.document().characterCount() > _LONGEST_FOR_BRACKETS:
            return ()
        text = self.toPlainText()
        at = characters(text, self.textCursor().position())
        return matching_brackets(list(sparql_tokens(text)), at)

    # Keys

    def event(self, event: QEvent) -> bool:
        # Override shortcuts of the window that have a meaning in a text.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.takes(event):
            event.accept()
            return True
        return super().event(event)

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is for the editor and not for the window."""
        return any(event.matches(key) for key in (_KEY.ZoomIn, _KEY.ZoomOut, _KEY.Undo, _KEY.Redo)) or (
            event.modifiers() == Qt.KeyboardModifier.ControlModifier
            and event.key() in (Qt.Key.Key_0, Qt.Key.Key_Slash, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Equal)
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, control = event.key(), event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if event.matches(_KEY.ZoomIn) or (control and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal)):
            self.set_size(self._letter_size + 1)
        elif event.matches(_KEY.ZoomOut) or (control and key == Qt.Key.Key_Minus):
            self.set_size(self._letter_size - 1)
        elif control and key == Qt.Key.Key_0:
            self.set_size(BODY)
        elif control and key == Qt.Key.Key_Slash:
            self.toggle_comment()
        elif key == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.indent()
        elif key == Qt.Key.Key_Backtab or (key == Qt.Key.Key_Tab and event.modifiers() == _SHIFT):
            self.indent(back=True)
        elif key in ENTER and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._begin_line()
        else:
            super().keyPressEvent(event)

    def indent(self, *, back: bool = False) -> None:
        """Indent the selected lines or move them back; without a selection, insert an indent at the cursor."""
        cursor = self.textCursor()
        if not cursor.hasSelection() and not back:
            cursor.insertText(INDENT)
            return
        self._change_lines([_unindented(line) if back else INDENT + line for line in self._chosen_lines()])

    def toggle_comment(self) -> None:
        """Turn the selected or current lines into comments, or back if all are comments."""
        lines = self._chosen_lines()
        if all(line.lstrip().startswith("#") for line in lines if line.strip()) and any(line.strip() for line in lines):
            self._change_lines([_uncommented(line) for line in lines])
        else:
            self._change_lines([f"# {line}" if line.strip() else line for line in lines])

    def _chosen_lines(self) -> list[str]:
        first, last = self._chosen_blocks()
        return [self.document().findBlockByNumber(number).text() for number in range(first, last + 1)]

    def _chosen_blocks(self) -> tuple[int, int]:
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        last = self.document().findBlock(cursor.selectionEnd())
        # A last line with nothing selected is left out.
        ends_before = last.position() == cursor.selectionEnd() and last.blockNumber() > first.blockNumber()
        return first.blockNumber(), last.blockNumber() - ends_before

    def _change_lines(self, lines: Sequence[str]) -> None:
        """Replace the selected lines as one undo step and keep them selected."""
        first, last = self._chosen_blocks()
        chosen = self.textCursor()
        had_choice = chosen.hasSelection()
        line = self.document().findBlockByNumber(first)
        from_end = line.length() - 1 - (chosen.position() - line.position())
        cursor = QTextCursor(self.document())
        cursor.setPosition(line.position())
        end = self.document().findBlockByNumber(last)
        cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText("\n".join(lines))
        start = self.document().findBlockByNumber(first)
        if had_choice:
            end = self.document().findBlockByNumber(last)
            cursor.setPosition(start.position())
            cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.setPosition(start.position() + max(0, start.length() - 1 - from_end))
        self.setTextCursor(cursor)

    def _begin_line(self) -> None:
        """Start a new line with the same indentation, and one level more after an opening bracket."""
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        space = before[: len(before) - len(before.lstrip())]
        deeper = INDENT if before.rstrip().endswith(tuple(_PAIRS)) else ""
        cursor.insertText(f"\n{space}{deeper}")
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    # Line numbers

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def _fit_gutter(self) -> None:
        self.setViewportMargins(self._gutter.sizeHint().width(), 0, 0, 0)
        self._place_gutter()

    def _place_gutter(self) -> None:
        inside = self.contentsRect()
        self._gutter.setGeometry(QRect(inside.left(), inside.top(), self._gutter.sizeHint().width(), inside.height()))

    def _move_gutter(self, rect: QRect, by: int) -> None:
        if by:
            self._gutter.scroll(0, by)
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def paint_gutter(self, event: QPaintEvent) -> None:
        """Draw the visible line numbers."""
        painter = QPainter(self._gutter)
        painter.fillRect(event.rect(), QColor(current_theme().background))
        painter.setFont(self._gutter.font())
        block = self.firstVisibleBlock()
        current = self.textCursor().blockNumber()
        width, height = self._gutter.width() - GRID, self._gutter.fontMetrics().height()
        while block.isValid():
            top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
            if top > event.rect().bottom():
                break
            if block.isVisible():
                own = block.blockNumber() == current
                painter.setPen(QColor(current_theme().text if own else current_theme().muted))
                painter.drawText(
                    0, round(top), width, height, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1)
                )
            block = block.next()


_KEY = QKeySequence.StandardKey
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class _Gutter(QWidget):
    """The line numbers."""

    def __init__(self, edit: CodeEdit) -> None:
        super().__init__(edit)
        self._edit = edit

    def sizeHint(self) -> QSize:
        digits = max(2, len(str(self._edit.blockCount())))
        return QSize(self.fontMetrics().horizontalAdvance("0") * digits + 2 * GRID, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._edit.paint_gutter(event)


def _unindented(line: str) -> str:
    return line[len(INDENT) :] if line.startswith(INDENT) else line[1:] if line[:1] in (" ", "\t") else line


def _uncommented(line: str) -> str:
    space = len(line) - len(line.lstrip())
    rest = line[space + 1 :]
    return line[:space] + rest.removeprefix(" ") if line[space : space + 1] == "#" else line


def matching_brackets(tokens: Sequence[Token], at: int) -> tuple[int, ...]:
    """The positions of the bracket at an offset and its partner; empty if there is none. Strings are ignored."""
    brackets = [token for token in tokens if token.kind is TokenKind.SIGN and token.text in "{}()[]"]
    here = next((token for token in brackets if token.start == at), None) or next(
        (token for token in brackets if token.end == at), None
    )
    if here is None:
        return ()
    opened: list[Token] = []
    for token in brackets:
        if token.text in _PAIRS:
            opened.append(token)
            continue
        partner = opened.pop() if opened and _PAIRS[opened[-1].text] == token.text else None
        if partner is not None and here in (partner, token):
            return partner.start, token.start
    return ()


def utf16(text: str, characters: int) -> int:
    """Convert an offset in characters to UTF-16 units, which Qt uses."""
    before = text[:characters]
    return len(before) if before.isascii() else len(before.encode("utf-16-le")) // 2


def characters(text: str, place: int) -> int:
    """Convert an offset in UTF-16 units to characters."""
    if text.isascii():
        return min(place, len(text))
    return len(text.encode("utf-16-le")[: 2 * place].decode("utf-16-le", "ignore"))
