"""What a link is typed into: the name of a resource, which is found while one types, or its IRI."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLineEdit, QWidget

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import Widget
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.rdf.terms import NamedNode, Term
from hpc_explorer.ui.forms.entry_lines import EntrySuggest
from hpc_explorer.ui.forms.value_entry import HINTS, FormTools, ValueEntry
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.suggest_line import Suggestion
from hpc_explorer.ui.widgets.theme import class_mark


class LinkEntry(ValueEntry):
    """A resource, found by its name while one types, or by its IRI."""

    def __init__(self, of: Field, entry: Entry, tools: FormTools) -> None:
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

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.line,)

    @property
    def is_unsettled(self) -> bool:
        return self.line.is_looking

    def set_theme(self, theme: Theme) -> None:
        self.line.set_theme(theme)
        if self._ref is not None:
            self._mark.setIcon(class_mark(self._ref.colour_key, theme))

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
        self.set_theme(self._tools.theme)

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
    return "://" in text or text.startswith(("urn:", "mailto:", "_:"))
