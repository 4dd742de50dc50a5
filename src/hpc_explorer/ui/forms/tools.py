"""What the entries of a form need of the session: what can be linked to, units, names, and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import Kind, Widget
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term
from hpc_explorer.ui.forms.requests import ChosenFile, FormQuestions, NewMember
from hpc_explorer.ui.widgets.suggest_line import Suggestions


class SessionTools(QObject):
    """The tools of entries (`FormTools`) that ask the session.

    Args:
        view: the form in sight as it was loaded; None while there is none.
        filling: the same with what is typed into it.
        window: what a dialog stands above.

    Signals:
        linked(NewLink): a resource is to be made once the form is saved.
        said(str): something for the status bar.
        failed(str, BaseException): what was tried, and what went wrong.
    """

    linked = Signal(object)
    said = Signal(str)
    failed = Signal(str, object)

    def __init__(
        self,
        asks: FormQuestions,
        view: Callable[[], FormView | None],
        filling: Callable[[], Filling | None],
        window: Callable[[], QWidget],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._asks, self._view, self._filling, self._window = asks, view, filling, window
        self._new_refs: dict[Resource, ResourceRef] = {}
        self._theme = LIGHT

    @property
    def theme(self) -> Theme:
        """The colours."""
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._theme = theme

    def know(self, refs: Mapping[Resource, ResourceRef]) -> None:
        """Keep how resources are named that came after the form was loaded."""
        self._new_refs.update(refs)

    def find_links(self, of: Field, kind: Kind, text: str, answer: Callable[[Suggestions], None]) -> None:
        """What a text may mean where a resource is linked to."""

        def took(found: Suggestions) -> None:
            self.know({one.ref.resource: one.ref for one in found.offered if one.ref is not None})
            answer(found)

        self._asks.ask_links(kind, text, took)

    def find_units(self, of: Field, text: str, answer: Callable[[Suggestions], None]) -> None:
        """The units that a text may mean."""
        self._asks.ask_units(of, text, answer)

    def ref_of(self, term: Term) -> ResourceRef | None:
        """How a resource is named to a person, if that is known."""
        view = self._view()
        if isinstance(term, Literal) or view is None:
            return None
        return view.refs.get(term) or self._new_refs.get(term)

    def make_link(self, key: object, answer: Callable[[ResourceRef], None]) -> None:
        """Have the resource made, once the form is saved, that was suggested as a new one."""
        if not isinstance(key, NewMember):
            return

        def took(ref: ResourceRef) -> None:
            if self._filling() is not None and isinstance(ref.resource, NamedNode):
                self.know({ref.resource: ref})
                self.linked.emit(NewLink(ref.resource, key.cls, key.name))
                answer(ref)

        self._asks.ask_new_ref(key, took)

    def choose_file(self, of: Field, answer: Callable[[str], None]) -> None:
        """Have a file chosen and read for what can be known of it; the answer is its IRI."""
        cls = next((kind.cls for kind in of.kinds if kind.widget is Widget.FILE and kind.cls is not None), HPC.File)

        def took(chosen: ChosenFile) -> None:
            iri, facts = chosen.ref.resource, chosen.facts
            if self._filling() is None or not isinstance(iri, NamedNode):
                return
            self.know({iri: chosen.ref})
            if chosen.is_known:
                self.said.emit(f"{facts.name} is here already: {chosen.ref.label}, with the same checksum")
            else:
                self.linked.emit(NewLink(iri, cls, facts.name, facts))
                self.said.emit(
                    f"{facts.name}: {facts.size:,} bytes, {facts.format.name}; described when the form is saved"
                )
            answer(iri.value)

        def read(name: str) -> None:
            self._asks.ask_file(Path(name), cls, took, lambda error: self.failed.emit(f"Read {Path(name).name}", error))

        dialog = QFileDialog(self._window(), f"Choose a file for {of.label}")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(read)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
