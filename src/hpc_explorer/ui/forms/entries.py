"""The widgets for the values of a field, one for each kind of value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QPushButton,
    QWidget,
)

from hpc_explorer.annotate.forms.entries import entry_text, quantity_parts
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import Widget
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ontology.common_terms import TERMS, Fact
from hpc_explorer.ontology.licences import is_spdx_identifier, licences_called, spdx_address
from hpc_explorer.rdf.identifiers import orcid_in
from hpc_explorer.rdf.terms import NamedNode, Term
from hpc_explorer.ui.forms.entry_lines import EntryChoice, EntryLine, EntrySuggest, EntryText
from hpc_explorer.ui.forms.value_entry import HINTS, ValueEntry
from hpc_explorer.ui.widgets.dialog_parts import add_parts
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.suggest_line import Suggestion, Suggestions
from hpc_explorer.ui.widgets.theme import GRID, class_mark, current_theme, font, on_theme

if TYPE_CHECKING:
    from hpc_explorer.ui.forms.tools import SessionTools


class QuantityEntry(ValueEntry):
    """A number and its unit, with completion; both may be typed into the first line."""

    def __init__(self, of: Field, entry: Entry, tools: SessionTools) -> None:
        super().__init__(of, entry)
        number, unit = _parts(entry.text)
        self.number = EntryLine(number, "number", "number")
        self.number.setFont(font(figures=True))
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setMinimumWidth(8 * GRID)
        self.number.setMaximumWidth(18 * GRID)
        self.unit = EntrySuggest(
            lambda text, answer: tools.find_units(of, text, answer), lambda text: text == self._known, "unit"
        )
        self.unit.setPlaceholderText("unit")
        self.unit.setText(unit)
        self.unit.setMinimumWidth(7 * GRID)
        self.unit.setMaximumWidth(16 * GRID)
        self._known = unit
        self.number.textEdited.connect(self._touch)
        self.number.entered.connect(self._go_on)
        self.unit.textEdited.connect(self._touch)
        self.unit.chosen.connect(self._choose)
        self.unit.entered.connect(self.entered)
        add_parts(self._row, (self.number, 18), (self.unit, 16), 1)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.number, self.unit)

    def _go_on(self) -> None:
        """After Enter in the number, go to the unit, unless it is filled in or nothing is typed."""
        number, unit = _parts(self.number.text())
        if number and unit and not self.unit.text().strip():
            self.number.setText(number)
            self.unit.setText(unit)
            self._touch()
        if self.number.text().strip() and not self.unit.text().strip():
            self.unit.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.entered.emit()

    def _choose(self, one: Suggestion) -> None:
        self._known = str(one.key)
        self.unit.setText(self._known)
        self._touch()

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=f"{self.number.text().strip()} {self.unit.text().strip()}".strip())


def _parts(text: str) -> tuple[str, str]:
    """The number and the unit as typed; text that is no number is shown with the number."""
    return quantity_parts(text) or (text.strip(), "")


class LinkEntry(ValueEntry):
    """A resource, found by its name or its IRI."""

    def __init__(self, of: Field, entry: Entry, tools: SessionTools) -> None:
        super().__init__(of, entry)
        self._tools = tools
        self._iri = entry.text
        self.line = EntrySuggest(lambda text, answer: tools.find_links(of, entry.kind, text, answer), _looks_like_iri)
        self.line.setPlaceholderText(HINTS[Widget.LINK])
        self._mark = self.line.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self._mark.setVisible(False)
        self.line.textEdited.connect(self._type)
        self.line.chosen.connect(self._choose)
        self.line.entered.connect(self.entered)
        self.line.looked.connect(self.settled)
        self._row.addWidget(self.line, 1)
        self._show(self._ref_of(entry.before) if entry.is_as_before else self._ref_of_text(entry.text))
        on_theme(self._dress)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.line,)

    @property
    def is_unsettled(self) -> bool:
        return self.line.is_looking

    def _dress(self) -> None:
        """Take the colours of the theme."""
        if self._ref is not None:
            self._mark.setIcon(class_mark(self._ref.colour_key, current_theme()))

    def _ref_of_text(self, text: str) -> ResourceRef | None:
        try:
            return self._tools.ref_of(NamedNode(text))
        except ValueError:
            return None

    def _ref_of(self, value: object) -> ResourceRef | None:
        return self._tools.ref_of(value) if isinstance(value, Term) else None

    def _show(self, ref: ResourceRef | None) -> None:
        self._ref = ref
        self.line.setText(ref.label if ref is not None else self._iri)
        self.line.setCursorPosition(0)
        self.line.setToolTip(plain_tip(f"{ref.iri}\n{ref.kind}" if ref is not None else self._iri))
        self._mark.setVisible(ref is not None)
        self._dress()

    def _type(self, text: str) -> None:
        self._iri = text
        self._ref = None
        self._mark.setVisible(False)
        self._touch()

    def _choose(self, one: Suggestion) -> None:
        if one.ref is not None:
            self._take(one.ref)
        else:
            self._tools.make_link(one.key, self._take)

    def _take(self, ref: ResourceRef) -> None:
        self._iri = ref.iri
        self._show(ref)
        self._touch()

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=self._iri.strip())


def _looks_like_iri(text: str) -> bool:
    if orcid_in(text) is not None:
        return False  # a person, who is looked up or described
    return "://" in text or text.startswith(("urn:", "mailto:", "_:"))


def made_entry(of: Field, entry: Entry, tools: SessionTools) -> ValueEntry:
    """The widget for a value of a kind."""
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
    if of.predicate in TERMS[Fact.LICENCE] and widget in (Widget.TEXT, Widget.IRI):
        return LicenceEntry(of, entry)
    return LineEntry(of, entry)


class LineEntry(ValueEntry):
    """One line for texts, numbers, dates and addresses."""

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


class LicenceEntry(ValueEntry):
    """A licence of the SPDX list, found by its identifier or its name; Enter takes the first one.

    Other texts are kept as typed.
    """

    def __init__(self, of: Field, entry: Entry) -> None:
        super().__init__(of, entry)
        self._is_address = entry.kind.widget is Widget.IRI
        self.line = EntrySuggest(
            lambda text, answer: answer(_licences(text)), lambda text: is_spdx_identifier(text) or "://" in text
        )
        self.line.setPlaceholderText("CC-BY-4.0, MIT, or another name")
        self.line.setText(entry.text)
        self.line.setCursorPosition(0)
        self.line.textEdited.connect(self._touch)
        self.line.chosen.connect(self._choose)
        self.line.entered.connect(self.entered)
        self._row.addWidget(self.line, 1)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def _choose(self, one: Suggestion) -> None:
        identifier = str(one.key)
        self.line.setText(spdx_address(identifier) if self._is_address else identifier)
        self._touch()

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=self.line.text().strip())


def _licences(text: str) -> Suggestions:
    found = licences_called(text)
    remark = "" if found else f"The SPDX list has no licence called “{text}”; it is kept as you type it"
    return Suggestions(tuple(Suggestion(identifier, identifier, name) for identifier, name in found), remark)


class FileEntry(LineEntry):
    """The address of a file, and a button to choose one."""

    def __init__(self, of: Field, entry: Entry, tools: SessionTools) -> None:
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
    """A text and its language."""

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
    """A choice from a controlled list, or yes and no."""

    def __init__(self, of: Field, entry: Entry, tools: SessionTools) -> None:
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
        add_parts(self._row, (self.key, 2), equals, (self.value, 3))

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
