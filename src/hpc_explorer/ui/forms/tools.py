"""What the entries of a form need of the session: what can be linked to, units, names, and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.app.forms.linking import unit_candidates
from hpc_explorer.app.forms.offers import ChosenFile, LinkOffers, chosen_file, is_spoken_of, link_offers, new_member
from hpc_explorer.app.forms.views import FormView, UnitChoice
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.suggest_line import Suggestion, Suggestions, as_suggestions
from hpc_explorer.ui.widgets.theme import current_theme

NEW_IRI = "new IRI"
"""The name under which the IRI of something new is asked for."""


@dataclass(frozen=True)
class NewMember:
    """The class and the name of something that a field may link to once it is made."""

    cls: NamedNode
    name: str


def ask_is_taken(bridge: SessionBridge, iri: NamedNode, done: Callable[[bool], None]) -> None:
    """Ask whether the graph speaks of an IRI, in place of the question before about the IRI of something new."""
    bridge.run(is_spoken_of, iri, title="Look whether the IRI is taken", on_result=done, replaces=NEW_IRI)


class SessionTools(QObject):
    """What entries need of the session: suggestions, names, and files.

    Args:
        view: the form in sight as it was loaded; None while there is none.
        filling: the same with what is typed into it.
        window: what a dialog stands above.

    Signals:
        linked(NewLink): a resource is to be made once the form is saved.
    """

    linked = Signal(object)

    def __init__(
        self,
        bridge: SessionBridge,
        view: Callable[[], FormView | None],
        filling: Callable[[], Filling | None],
        window: Callable[[], QWidget],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._view, self._filling, self._window = bridge, view, filling, window
        self._new_refs: dict[Resource, ResourceRef] = {}

    @property
    def theme(self) -> Theme:
        """The colours."""
        return current_theme()

    def know(self, refs: Mapping[Resource, ResourceRef]) -> None:
        """Keep how resources are named that came after the form was loaded."""
        self._new_refs.update(refs)

    def find_links(self, of: Field, kind: ValueKind, text: str, answer: Callable[[Suggestions], None]) -> None:
        """The suggestions for a link."""

        def took(found: LinkOffers) -> None:
            self.know({ref.resource: ref for ref in (*found.found, *(one.ref for one in found.alike))})
            answer(_links(found, text))

        self._bridge.run(
            link_offers,
            kind,
            text,
            title="Look up links",
            on_result=took,
            on_error=lambda error: None,
            replaces="form links",
        )

    def find_units(self, of: Field, text: str, answer: Callable[[Suggestions], None]) -> None:
        """The units that a text may mean."""

        def took(found: tuple[UnitChoice, ...]) -> None:
            rows = (Suggestion(unit.symbol, unit.symbol, unit.label) for unit in found)
            answer(Suggestions(tuple(rows), "" if found else f"No unit is called “{text}”"))

        self._bridge.run(
            partial(unit_candidates, predicate=of.predicate),
            text,
            title="Look up units",
            on_result=took,
            on_error=lambda error: None,
            replaces="form units",
        )

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
                self.linked.emit(NewLink(ref.resource, key.cls, ref.label))
                answer(ref)

        self._bridge.run(new_member, key.cls, key.name, title="Find a free IRI", on_result=took, replaces=NEW_IRI)

    def choose_file(self, of: Field, answer: Callable[[str], None]) -> None:
        """Have a file chosen and read for what can be known of it; the answer is its IRI."""
        cls = next((kind.cls for kind in of.kinds if kind.widget is Widget.FILE and kind.cls is not None), HPC.File)

        def took(chosen: ChosenFile) -> None:
            iri, facts = chosen.ref.resource, chosen.facts
            if self._filling() is None or not isinstance(iri, NamedNode):
                return
            self.know({iri: chosen.ref})
            if chosen.is_known:
                self._bridge.said.emit(f"{facts.name} is here already: {chosen.ref.label}, with the same checksum")
            else:
                self.linked.emit(NewLink(iri, cls, facts.name, facts))
                self._bridge.said.emit(
                    f"{facts.name}: {facts.size:,} bytes, {facts.format.name}; described when the form is saved"
                )
            answer(iri.value)

        def read(name: str) -> None:
            title = f"Read {Path(name).name}"
            self._bridge.run(
                chosen_file,
                Path(name),
                cls,
                title=title,
                on_result=took,
                replaces="form file",
            )

        dialog = QFileDialog(self._window(), f"Choose a file for {of.label}")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(read)
        open_dialog(dialog)


def _links(found: LinkOffers, text: str) -> Suggestions:
    """What is offered for a link: what is there, what is like it, and to make a new one."""
    offered = list(as_suggestions(found.found))
    remark = f"The first {len(found.found):,}: type more of the name" if found.are_more else ""
    if not found.classes:
        return Suggestions(tuple(offered), remark if offered else "Type a name, or an IRI")
    for one in found.alike:
        offered.append(Suggestion(one.ref.resource, one.ref.label, f"{one.ref.kind} · {one.why}", one.ref))
    for cls in found.classes:
        if isinstance(cls.resource, NamedNode):
            offered.append(Suggestion(NewMember(cls.resource, text), f"Create “{text}”", f"new {cls.label}"))
    return Suggestions(tuple(offered), remark)
