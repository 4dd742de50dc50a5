"""The dialog for a new resource: its class, its name and its IRI."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from hpc_explorer.app.forms.offers import Proposal
from hpc_explorer.app.forms.views import ClassChoice
from hpc_explorer.rdf.terms import NamedNode, typed_iri
from hpc_explorer.ui.forms.class_chooser import ClassChooser
from hpc_explorer.ui.widgets.dialog_parts import add_answers, column_in, dialog_column
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme
from hpc_explorer.ui.widgets.timers import single_shot

WIDTH = 64 * GRID

MOST_ALIKE = 3
"""The most similar resources with a link each; more are counted."""

PAUSE = 150
"""Milliseconds without a key before an IRI and similar resources are requested."""


@dataclass(frozen=True)
class Beginning:
    """What is to be described.

    Args:
        cls: its class.
        name: what people call it; may be empty.
        iri: what programs call it.
    """

    cls: NamedNode
    name: str
    iri: NamedNode


Propose = Callable[[NamedNode, str, Callable[[Proposal], None]], None]
"""Requests the proposal for a name of a new member of a class; a later request replaces it."""

IsTaken = Callable[[NamedNode, Callable[[bool], None]], None]
"""Asks whether the graph has an IRI."""


class DescribeDialog(QDialog):
    """Class, name and IRI of something new.

    Args:
        classes: what it can be, the usual ones first.
        propose: where the IRI comes from.
        is_taken: whether one that is typed is another thing's.

    Attributes:
        filter, classes, name, iri: where the keyboard goes, one after the other.

    Signals:
        begun(Beginning): that is to be described.
        opened(ResourceRef): it is there already, and to be shown.
    """

    begun = Signal(object)
    opened = Signal(object)

    def __init__(self, classes: Sequence[ClassChoice], propose: Propose, is_taken: IsTaken, parent: QWidget) -> None:
        super().__init__(parent)
        self._propose, self._is_taken = propose, is_taken
        self._proposed: NamedNode | None = None
        self._taken = False
        self._wants_to_begin = False
        self.setWindowTitle("Describe something new")
        self.setFixedWidth(WIDTH)
        self._chooser = ClassChooser(classes)
        self.filter, self.classes = self._chooser.filter, self._chooser.classes
        self.name = QLineEdit()
        self.name.setAccessibleName("Name")
        self.name.setPlaceholderText("What people call it")
        self.iri = QLineEdit()
        self.iri.setAccessibleName("IRI")
        self.iri.setPlaceholderText("Made from the class and the name")
        self._remark = TextBlock("", size=SMALL)
        palette = self._remark.palette()
        palette.setColor(QPalette.ColorRole.WindowText, current_theme().error)
        self._remark.setPalette(palette)
        self._alike = QWidget()
        self._alike_column = column_in(self._alike, spacing=2)
        column = dialog_column(self)
        for title, parts in (
            ("Class", (self._chooser,)),
            ("Name", (self.name, self._alike)),
            ("IRI", (self.iri, self._remark)),
        ):
            column.addWidget(caption(title))
            for part in parts:
                column.addWidget(part)
        self.begin_button = add_answers(self, column, "Describe", self._begin)
        self._remark.hide()
        self._alike.hide()
        self._pause = single_shot(self, PAUSE, self._ask)
        self._chooser.entered.connect(lambda: self.name.setFocus(Qt.FocusReason.TabFocusReason))
        self._chooser.chosen_changed.connect(self._choose)
        self.name.textEdited.connect(lambda _: self._pause.start())
        self.iri.textEdited.connect(lambda _: self._type_iri())
        self._choose()
        self.filter.setFocus()

    @property
    def cls(self) -> ClassChoice | None:
        """The chosen class."""
        return self._chooser.cls

    def _choose(self) -> None:
        self._pause.start()
        self._say_usable()

    def _ask(self) -> None:
        self._pause.stop()
        cls = self.cls
        if cls is not None and isinstance(cls.ref.resource, NamedNode):
            self._propose(cls.ref.resource, self.name.text().strip(), self._show)
        self._say_usable()

    def _show(self, proposal: Proposal) -> None:
        if not self.iri.isModified():
            self._proposed = proposal.iri
            self.iri.setText(proposal.iri.value)
            self._taken = False
            self._say("")
        while self._alike_column.count():
            item = self._alike_column.takeAt(0)
            if item is not None and (before := item.widget()) is not None:
                before.deleteLater()
        for one in proposal.alike[:MOST_ALIKE]:
            link = LinkBlock(f"There is one like it: {one.ref.label}", f"{one.ref.kind} · {one.why}", size=SMALL)
            link.clicked.connect(lambda _=False, ref=one.ref: self._open(ref))
            self._alike_column.addWidget(link)
        if len(proposal.alike) > MOST_ALIKE:
            left = f"and {len(proposal.alike) - MOST_ALIKE:,} more like it: search for the name"
            self._alike_column.addWidget(TextBlock(left, size=SMALL, muted=True))
        self._alike.setVisible(bool(proposal.alike))
        self._say_usable()
        if self._wants_to_begin:
            self._begin()

    def _type_iri(self) -> None:
        self.iri.setModified(True)
        self._taken = False
        self._say("")
        iri = typed_iri(self.iri.text())
        if iri is not None:
            self._is_taken(iri, partial(self._take_answer, iri))
        elif self.iri.text().strip():
            self._say("Not an IRI: write a whole address such as https://example.org/thing")
        self._say_usable()

    def _take_answer(self, iri: NamedNode, taken: bool) -> None:
        if iri == typed_iri(self.iri.text()):
            self._taken = taken
            self._say("The graph speaks of this IRI already: choose another one" if taken else "")
            self._say_usable()

    def _say(self, text: str) -> None:
        if text:
            self._remark.say(text)
        self.iri.setAccessibleDescription(text)
        self._remark.setVisible(bool(text))

    def _say_usable(self) -> None:
        waits = self._pause.isActive() or (typed_iri(self.iri.text()) is None and not self.iri.isModified())
        self.begin_button.setEnabled(
            self.cls is not None and not self._taken and (waits or typed_iri(self.iri.text()) is not None)
        )

    def _open(self, ref: object) -> None:
        self.opened.emit(ref)
        self.reject()

    def _begin(self) -> None:
        """Begin the form, after the IRI for the typed name has arrived."""
        cls, iri = self.cls, typed_iri(self.iri.text())
        if cls is None or self._taken or not isinstance(cls.ref.resource, NamedNode):
            return
        if self._pause.isActive() or (iri is None and not self.iri.isModified()):
            self._wants_to_begin = True
            if self._pause.isActive():
                self._ask()
            return
        self._wants_to_begin = False
        if iri is not None:
            self.accept()
            self.begun.emit(Beginning(cls.ref.resource, self.name.text().strip(), iri))
