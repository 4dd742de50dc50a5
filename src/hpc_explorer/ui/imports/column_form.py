"""The form for a column: its property, the kind of its values, and sample values."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.annotate.tables.column_kinds import ColumnKind, kind_of, kinds_for, with_kind
from hpc_explorer.annotate.tables.mapping import ColumnRule, TableMapping
from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.app.imports.table_preview import Sample, TermChoices
from hpc_explorer.errors import InputError
from hpc_explorer.rdf.namespaces import WELL_KNOWN, PrefixMap
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.ui.imports.term_line import TermLine
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, field_label
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, shortened
from hpc_explorer.ui.widgets.theme import BODY, GRID, SMALL, current_theme

_LONGEST = 120


class ColumnEditor(QWidget):
    """The form.

    Args:
        make: makes a property from a name.

    Attributes:
        offer: the button that uses the property suggested by the heading.
        kind, term, unit, language, link, date_format, separator, absent, required: the fields.
        samples: the first different texts with their values.

    Signals:
        changed(ColumnRule | None): the new rule; None leaves the column out.
    """

    changed = Signal(object)

    def __init__(self, make: Callable[[str], NamedNode]) -> None:
        super().__init__()
        self._column = ""
        self._rule: ColumnRule | None = None
        self._before: ColumnRule | None = None
        self._prefixes = PrefixMap(WELL_KNOWN)
        self._make = make
        self.title = TextBlock("", size=BODY, weight=500)
        self.remark = TextBlock("", size=SMALL, muted=True)
        self.kind = QComboBox()
        self.kind.setAccessibleName("Kind of values")
        self.kind.activated.connect(self._choose_kind)
        self.term = TermLine("Property", make)
        self.term.setPlaceholderText("Search the ontology, or name a new property")
        self.term.chosen.connect(self._choose_property)
        self.unit = TermLine("Unit")
        self.unit.setPlaceholderText("Symbol or name, such as TFLOP/s")
        self.unit.chosen.connect(self._choose_unit)
        self.language = self._line("Language", "en", self._read_language)
        self.link = self._line("IRI of the link", "https://example.org/vendor/{Vendor}", self._read_link)
        self.date_format = self._line(
            "Date format", "2021-12-31; %d.%m.%Y for 31.12.2021", lambda text: {"date_format": text.strip()}
        )
        self.separator = self._line("Separator of values", "one value per cell", lambda text: {"separator": text})
        self.absent = self._line("Texts for missing values", "same as for the table", self._read_absent)
        self.required = QCheckBox("Leave out rows without a value")
        self.required.setAccessibleName(self.required.text())
        self.required.toggled.connect(lambda on: self._replace(required=on))
        self._form = QFormLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(2 * GRID)
        self._form.setVerticalSpacing(GRID // 2)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        for name, field in (
            ("Kind", self.kind),
            ("Property", self.term),
            ("Unit", self.unit),
            ("Language", self.language),
            ("IRI", self.link),
            ("Date format", self.date_format),
            ("Separator", self.separator),
            ("No value", self.absent),
            ("", self.required),
        ):
            self._form.addRow(field_label(name, field), field)
        self._offered: ColumnRule | None = None
        self.offer = QPushButton()
        self.offer.setAutoDefault(False)
        self.offer.clicked.connect(self._take_offer)
        self.samples = QTreeWidget()
        self.samples.setAccessibleName("Values of the column")
        self.samples.setProperty("framed", True)
        self.samples.setRootIsDecorated(False)
        self.samples.setHeaderLabels(["In the table", "Value"])
        self.samples.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.samples.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.samples.setMinimumHeight(8 * GRID)
        column = column_in(self, spacing=GRID // 2)
        add_parts(column, self.title, self._form, self.remark)
        column.addWidget(self.offer, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.samples, 1)

    def _line(self, name: str, hint: str, read: Callable[[str], dict[str, object]]) -> QLineEdit:
        """A field that is parsed as the user types; an invalid text shows an error."""
        line = QLineEdit()
        line.setAccessibleName(name)
        line.setPlaceholderText(hint)

        def take(text: str) -> None:
            try:
                changes = read(text)
            except (InputError, ValueError) as error:
                self.remark.say(error.what if isinstance(error, InputError) else str(error))
                return
            self.remark.say("")
            self._replace(**changes)

        line.textEdited.connect(take)
        return line

    def show_choices(self, choices: TermChoices, mapping: TableMapping) -> None:
        """Set the terms to choose from."""
        self._prefixes = PrefixMap({**WELL_KNOWN, **mapping.prefixes})
        self.term.offer(choices.properties, mapping.prefixes)
        self.unit.offer(choices.units, mapping.prefixes)

    def show_column(self, column: str, rule: ColumnRule | None, rules: int, offered: ColumnRule | None = None) -> None:
        """Show the rule of a column.

        Args:
            rules: the number of the column's rules; only the first is editable here.
            offered: a rule with the property suggested by the heading.
        """
        self._offered = offered
        other = column != self._column
        self._column, self._rule = column, rule
        if other or rule is not None:
            self._before = rule
        self.title.say(shortened(column, _LONGEST))
        more = f"{rules - 1} more rules for this column are in the mapping file." if rules > 1 else ""
        self.remark.say(more)
        kinds = kinds_for(rule)
        self.kind.clear()
        self.kind.addItems([kind.value.capitalize() for kind in kinds])
        for number, kind in enumerate(kinds):
            self.kind.setItemData(number, kind)
        self.kind.setCurrentIndex(kinds.index(kind_of(rule) if rule is not None else ColumnKind.LEFT_OUT))
        self._show_rule()

    def _show_rule(self) -> None:
        rule = self._rule
        offered = self._offered
        is_offered = offered is not None and (rule is None or rule.property != offered.property)
        self.offer.setVisible(is_offered)
        if is_offered and offered is not None:
            self.offer.setText(f"Use {self._prefixes.short(offered.property.value)}")
        kind = ColumnKind.LEFT_OUT if rule is None else kind_of(rule)
        for field, kinds in (
            (self.unit, {ColumnKind.QUANTITY}),
            (self.language, {ColumnKind.LANGUAGE}),
            (self.link, {ColumnKind.LINK}),
            (self.date_format, {ColumnKind.DATE, ColumnKind.MOMENT}),
        ):
            self._form.setRowVisible(field, kind in kinds)
        for each in (self.term, self.separator, self.absent, self.required):
            self._form.setRowVisible(each, rule is not None)
        if rule is None:
            return
        self.term.show_term(rule.property)
        self.unit.show_term(rule.unit)
        for line, text in (
            (self.language, rule.language),
            (self.link, rule.link.text if rule.link is not None else ""),
            (self.date_format, rule.date_format),
            (self.separator, rule.separator),
            (self.absent, "" if rule.absent is None else listed(rule.absent)),
        ):
            if line.text() != text and not line.hasFocus():
                line.setText(text)
                line.setCursorPosition(0)
        self.required.blockSignals(True)
        self.required.setChecked(rule.required)
        self.required.blockSignals(False)

    def show_samples(self, samples: Sequence[Sample]) -> None:
        """Show sample texts with their values."""
        self.samples.clear()
        for sample in samples:
            item = QTreeWidgetItem([shortened(sample.text, _LONGEST), shortened(sample.fault or sample.made, _LONGEST)])
            item.setToolTip(0, plain_tip(shortened(sample.text)))
            item.setToolTip(1, plain_tip(shortened(sample.fault or sample.made)))
            if sample.fault:
                item.setForeground(1, QColor(current_theme().error))
            elif sample.made == "no value":
                item.setForeground(1, QColor(current_theme().muted))
            self.samples.addTopLevelItem(item)

    # What is chosen

    def _take_offer(self) -> None:
        if self._offered is not None:
            self.show_column(self._column, self._offered, 1, self._offered)
            self.changed.emit(self._rule)

    def _choose_kind(self, number: int) -> None:
        kind = self.kind.itemData(number)
        if kind is ColumnKind.LEFT_OUT:
            self._before = self._rule or self._before
            self._rule = None
        else:
            base = self._rule or self._before or ColumnRule(self._make(self._column))
            self._rule = with_kind(base, kind, self._column)
        self._show_rule()
        self.changed.emit(self._rule)

    def _choose_property(self, term: NamedNode | None) -> None:
        if term is not None:
            self._replace(property=term)
        elif self._rule is not None:
            self.term.show_term(self._rule.property)

    def _choose_unit(self, term: NamedNode | None) -> None:
        if term is not None:
            self._replace(unit=term)
        elif self._rule is not None:
            self.unit.show_term(self._rule.unit)

    def _replace(self, **changes: object) -> None:
        if self._rule is None:
            return
        made = replace(self._rule, **changes)  # type: ignore[arg-type]  # each field has the type of its own
        if made != self._rule:
            self._rule = made
            self.changed.emit(made)

    def _read_language(self, text: str) -> dict[str, object]:
        try:
            return {"language": Literal("", language=text.strip()).language or ""}
        except ValueError:
            raise ValueError(f"{text!r} is not a language tag, such as en or de") from None

    def _read_link(self, text: str) -> dict[str, object]:
        return {"link": parse_template(text.strip())}

    def _read_absent(self, text: str) -> dict[str, object]:
        return {"absent": unlisted(text) if text.strip() else None}


def listed(texts: frozenset[str]) -> str:
    """Texts for missing values, separated by commas."""
    return ", ".join(f'"{text}"' if "," in text else text for text in sorted(texts - {""}))


def unlisted(text: str) -> frozenset[str]:
    """Parse texts separated by commas."""
    row = next(csv.reader([text], skipinitialspace=True), [])
    return frozenset(one.strip() for one in row) | {""}
