"""The classes of what a form is about: shown in its head, asked for, and changed while what is typed stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt

from hpc_explorer.app.forms.annotating import classes_to_describe
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.loading import LoadedForm
from hpc_explorer.app.forms.views import ClassChoice
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.add_class_dialog import AddClassDialog
from hpc_explorer.ui.forms.classes import class_remark, shown_classes
from hpc_explorer.ui.forms.page import FormPage
from hpc_explorer.ui.forms.tools import SessionTools


class FormClassController:
    """Shows the classes, and takes the clicks on them.

    Args:
        filling: the form in sight, with what is typed into it; None while there is none.
        loaded: what it was made of.
        title: what is said above it.
        take: takes over the form with other classes.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        tools: SessionTools,
        page: FormPage,
        filling: Callable[[], Filling | None],
        loaded: Callable[[], LoadedForm | None],
        title: Callable[[], str],
        take: Callable[[Filling], None],
    ) -> None:
        self._bridge, self._tools, self._page = bridge, tools, page
        self._filling, self._loaded, self._title, self._take = filling, loaded, title, take
        chips = page.head.classes
        chips.removed.connect(lambda ref: self._change(ref, Filling.without_class))
        chips.kept.connect(lambda ref: self._change(ref, Filling.with_class))

    def show(self) -> None:
        """Show which there are."""
        loaded, filling = self._loaded(), self._filling()
        if loaded is not None and filling is not None:
            self._page.head.show_classes(
                shown_classes(loaded.view, filling, self._tools.ref_of),
                can_add=loaded.view.read_only is None,
                remark=class_remark(loaded.view, filling),
            )

    def ask(self) -> None:
        """Ask what else the resource is."""
        self._bridge.run(classes_to_describe, title="List the classes", on_result=self._open, replaces="new resource")

    def label(self, cls: NamedNode) -> str:
        """What a class is called."""
        ref = self._tools.ref_of(cls)
        return local_name(cls.value) if ref is None else ref.label

    def _open(self, classes: Sequence[ClassChoice]) -> None:
        filling = self._filling()
        if filling is None:
            return
        there = filling.classes
        dialog = AddClassDialog(
            brief(self._title(), 60),
            [one for one in classes if one.ref.resource not in there],
            self._tools.theme,
            self._page.window(),
        )
        dialog.chosen.connect(lambda one: self._change(one.ref, Filling.with_class))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _change(self, ref: ResourceRef, change: Callable[[Filling, NamedNode], Filling]) -> None:
        """Have a class come or go: the form follows, and what is typed stays in it."""
        filling, loaded = self._filling(), self._loaded()
        can_type = loaded is not None and loaded.view.read_only is None
        if filling is not None and can_type and isinstance(ref.resource, NamedNode):
            self._tools.know({ref.resource: ref})
            self._take(change(filling, ref.resource))
