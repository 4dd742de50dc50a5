"""Offers what was typed into forms and not saved: on the page without a form, by a command, and at the next start."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal

from hpc_explorer.app.forms.open_form import FormSubject, subject_of
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.forms.page import FormPage
from hpc_explorer.ui.forms.typed import TypedForms
from hpc_explorer.ui.forms.unsaved_dialog import UnsavedDialog
from hpc_explorer.ui.widgets.dialog_parts import open_dialog

MOST_NAMED = 3
"""So many of the forms are named in the offer."""

LONGEST_NAME = 40


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

    def choose(self) -> None:
        """List all that was typed and not saved, to go on with one of them."""
        dialog = UnsavedDialog(self._typed.rows(), self._page.window())
        dialog.chosen.connect(self.go_on_with)
        open_dialog(dialog)

    def _show(self) -> None:
        self._page.show_unsaved(self._typed.rows())
        self.changed.emit()

    def _offer(self, keys: Sequence[str]) -> None:
        """Offer what a program left that ended while somebody typed; it is not forced on anybody."""
        kept = [key for key in keys if self._typed.document(key) is not None]
        titles = [row.label for row in self._typed.rows() if row.key in kept]
        if len(kept) == 1:
            self.offered.emit(
                f"You were describing {names_in_words(titles)}",
                "It was typed and not saved, and is kept until you save or discard it.",
                "Go on",
                lambda: self.go_on_with(kept[0]),
            )
        elif kept:
            self.offered.emit(
                f"You were describing {names_in_words(titles)}",
                f"{len(kept):,} forms were typed and not saved; each is kept until you save or discard it.",
                "Choose…",
                self.choose,
            )


def names_in_words(names: Sequence[str]) -> str:
    """Such as "Lassen, Summit and 3 more"."""
    shown = [brief(name, LONGEST_NAME) for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMED:,} more"
    return " and ".join([part for part in (", ".join(shown[:-1]), shown[-1]) if part])
