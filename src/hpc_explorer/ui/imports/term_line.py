"""A field with completion for choosing or creating a term."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QLineEdit

from hpc_explorer.app.imports.table_preview import TermChoice
from hpc_explorer.errors import InputError
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.widgets.plain import plain_tip


class TermLine(QLineEdit):
    """The field. It accepts a name from the list, a prefixed name, an IRI, or a name for a new term.

    Args:
        name: the accessible name.
        make: makes a new term from a name; None if new terms are not allowed.

    Signals:
        chosen(NamedNode | None): another term; None for an empty field.
    """

    chosen = Signal(object)

    def __init__(self, name: str, make: Callable[[str], NamedNode] | None = None) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._make = make
        self._terms: dict[str, NamedNode] = {}
        self._texts: dict[NamedNode, str] = {}
        self._prefixes = PrefixMap()
        self._term: NamedNode | None = None
        self._list = QStringListModel(self)
        found = QCompleter(self._list, self)
        found.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        found.setFilterMode(Qt.MatchFlag.MatchContains)
        found.setMaxVisibleItems(10)
        found.activated.connect(self._take)
        self.setCompleter(found)
        self.editingFinished.connect(lambda: self._take(self.text()))

    def offer(self, choices: Sequence[TermChoice], prefixes: Mapping[str, str]) -> None:
        """Set the terms to choose from, and the prefixes."""
        self._terms = {choice.text: choice.term for choice in choices}
        self._texts = {choice.term: choice.text for choice in choices}
        self._prefixes = PrefixMap(prefixes)
        self._list.setStringList(list(self._terms))
        self.show_term(self._term)

    @property
    def term(self) -> NamedNode | None:
        """The chosen term."""
        return self._term

    def show_term(self, term: NamedNode | None) -> None:
        """Show a term by its name, else its IRI."""
        self._term = term
        self.setText("" if term is None else self._texts.get(term) or self._prefixes.short(term.value))
        self.setCursorPosition(0)
        self.setToolTip(plain_tip("" if term is None else term.value))

    def _take(self, text: str) -> None:
        term = self._read(text.strip())
        if term is None and text.strip():
            self.show_term(self._term)
            return
        if term != self._term:
            self.show_term(term)
            self.chosen.emit(term)

    def _read(self, text: str) -> NamedNode | None:
        if not text:
            return None
        if self._term is not None and text == self._prefixes.short(self._term.value):
            return self._term
        if text in self._terms:
            return self._terms[text]
        if ":" in text:
            try:
                return self._prefixes.resolve(text)
            except InputError:
                return None
        alike = [term for known, term in self._terms.items() if known.partition(" · ")[0].casefold() == text.casefold()]
        return alike[0] if len(alike) == 1 else self._make(text) if self._make is not None else None
