"""Offers what was typed into forms and not saved: on the page without a form, and after a program that ended early."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal

from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.form_page import FormPage
from hpc_explorer.ui.form_subject import FormSubject, subject_of
from hpc_explorer.ui.typed_forms import TypedForms


class UnsavedForms(QObject):
    """The offer to go on with what was typed.

    Args:
        open_form: shows the form of what was typed.

    Signals:
        changed(): there is one more to offer, or one less.
        offered(str, str, str, object): a title, a sentence, the name of a step and what takes it.
    """

    changed = Signal()
    offered = Signal(str, str, str, object)

    def __init__(
        self, typed: TypedForms, page: FormPage, open_form: Callable[[FormSubject], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._typed, self._page, self._open_form = typed, page, open_form
        page.unsaved.chosen.connect(lambda row: self.go_on_with(str(row.key)))
        typed.changed.connect(self._show)
        # Once everybody has heard that another graph is open.
        typed.recovered.connect(self._offer, Qt.ConnectionType.QueuedConnection)

    def go_on_with(self, key: str) -> None:
        """Show what was typed before and not saved."""
        document = self._typed.document(key)
        if document is not None:
            self._open_form(subject_of(document))

    def _show(self) -> None:
        self._page.show_unsaved(self._typed.rows())
        self.changed.emit()

    def _offer(self, keys: Sequence[str]) -> None:
        """Offer what a program left that ended while somebody typed; it is not forced on anybody."""
        documents = [document for key in keys if (document := self._typed.document(key)) is not None]
        if documents:
            names = ", ".join(brief(str(document["title"]), 40) for document in documents[:3])
            self.offered.emit(
                f"You were describing {names}",
                "It was typed and not saved, and is kept until you save or discard it.",
                "Go on",
                lambda: self.go_on_with(keys[0]),
            )
