"""What values of a field are typed into: a widget for each way that they are entered, chosen by their kind."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QPushButton,
    QWidget,
)

from hpc_explorer.annotate.forms.entries import entry_text
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import Widget
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.ui.forms.entry_lines import EntryChoice, EntryLine, EntryText
from hpc_explorer.ui.forms.link_entry import LinkEntry
from hpc_explorer.ui.forms.quantity_entry import QuantityEntry
from hpc_explorer.ui.forms.value_entry import HINTS, FormTools, ValueEntry
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.theme import GRID, font


def made_entry(of: Field, entry: Entry, tools: FormTools) -> ValueEntry:
    """The widget for a value, by what it is to be."""
    widget = entry.kind.widget
    if widget in (Widget.CHOICE, Widget.BOOLEAN):
        return ChoiceEntry(of, entry, tools)
    if widget is Widget.LINK:
        return LinkEntry(of, entry, tools)
    if widget is Widget.QUANTITY:
        return QuantityEntry(of, entry, tools)
    if widget is Widget.KEY_VALUE:
        return KeyEntry(of, entry)
    if widget is Widget.LANGUAGE_TEXT:
        return LanguageEntry(of, entry)
    if widget in (Widget.MULTI_LINE, Widget.LIST) or "\n" in entry.text:
        return LinesEntry(of, entry)
    if widget is Widget.FILE:
        return FileEntry(of, entry, tools)
    return LineEntry(of, entry)


class LineEntry(ValueEntry):
    """One line: texts, numbers, dates, addresses."""

    def __init__(self, of: Field, entry: Entry) -> None:
        super().__init__(of, entry)
        self.line = EntryLine(entry.text, HINTS.get(entry.kind.widget, ""))
        self.line.textEdited.connect(self._touch)
        self.line.entered.connect(self.entered)
        if entry.kind.widget in (Widget.INTEGER, Widget.NUMBER):
            self.line.setFont(font(figures=True))
        self._row.addWidget(self.line, 1)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=self.line.text())


class FileEntry(LineEntry):
    """The address of a file, and a button that looks for one."""

    def __init__(self, of: Field, entry: Entry, tools: FormTools) -> None:
        super().__init__(of, entry)
        self.button = QPushButton("Choose…")
        self.button.setAccessibleName(f"Choose a file for {of.label}")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(lambda: tools.choose_file(of, self._take))
        self._row.addWidget(self.button)

    def _take(self, iri: str) -> None:
        self.line.setText(iri)
        self._touch()


class LinesEntry(ValueEntry):
    """Several lines: descriptions, and lists with one item on each."""

    def __init__(self, of: Field, entry: Entry) -> None:
        super().__init__(of, entry)
        self.text = EntryText(entry.text, HINTS.get(entry.kind.widget, ""))
        self.text.textChanged.connect(self._touch)
        self._row.addWidget(self.text, 1)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.text,)

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=self.text.toPlainText())


class LanguageEntry(LineEntry):
    """A text, and the language that it is in."""

    def __init__(self, of: Field, entry: Entry) -> None:
        super().__init__(of, entry)
        self.language = EntryLine(entry.language, "language", "language")
        self.language.setFixedWidth(9 * GRID)
        self.language.setToolTip("The language of the text, as a tag: en, de, pt-BR; empty: none")
        self.language.textEdited.connect(self._touch)
        self.language.entered.connect(self.entered)
        self._row.addWidget(self.language)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.line, self.language)

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=self.line.text(), language=self.language.text().strip())


class ChoiceEntry(ValueEntry):
    """One of a controlled list; yes or no."""

    def __init__(self, of: Field, entry: Entry, tools: FormTools) -> None:
        super().__init__(of, entry)
        self.box = EntryChoice()
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.box.setMinimumWidth(12 * GRID)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.addItem("–", "")
        if entry.kind.widget is Widget.BOOLEAN:
            for word in ("yes", "no"):
                self.box.addItem(word, word)
        for choice in entry.kind.choices:
            ref = tools.ref_of(choice)
            text = entry_text(choice)
            self.box.addItem(ref.label if ref is not None else text, text)
        if entry.text and self.box.findData(entry.text) < 0:
            self.box.addItem(entry.text, entry.text)
        self.box.setCurrentIndex(max(self.box.findData(entry.text), 0))
        self.box.currentIndexChanged.connect(self._touch)
        self._row.addWidget(self.box)
        self._row.addStretch(1)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.box,)

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=str(self.box.currentData()))


class KeyEntry(ValueEntry):
    """A key and its value, as of a hyperparameter."""

    def __init__(self, of: Field, entry: Entry) -> None:
        super().__init__(of, entry)
        key, _, value = (part.strip() for part in entry.text.partition("="))
        self.key = EntryLine(key, "key", "key")
        self.value = EntryLine(value, "value", "value")
        for line in (self.key, self.value):
            line.textEdited.connect(self._touch)
        self.key.entered.connect(self._go_on)
        self.value.entered.connect(self.entered)
        equals = Label("=")
        equals.setProperty("role", "muted")
        self._row.addWidget(self.key, 2)
        self._row.addWidget(equals)
        self._row.addWidget(self.value, 3)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.key, self.value)

    def _go_on(self) -> None:
        if self.key.text().strip():
            self.value.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.entered.emit()

    def _typed(self, before: Entry) -> Entry:
        key, value = self.key.text().strip(), self.value.text().strip()
        return replace(before, text=f"{key} = {value}" if key or value else "")
