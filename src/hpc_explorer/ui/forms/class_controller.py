"""The classes of the resource in a form: shown above the fields, added and removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from hpc_explorer.app.forms.annotating import classes_to_describe
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.open_form import OpenForm
from hpc_explorer.app.forms.views import ClassChoice, FormView
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.class_chips import ChipState, ShownClass
from hpc_explorer.ui.forms.class_chooser import ClassChooser
from hpc_explorer.ui.forms.page import FormPage
from hpc_explorer.ui.forms.tools import SessionTools
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, open_dialog
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID

WIDTH = 64 * GRID


class AddClassDialog(QDialog):
    """The dialog that adds a class.

    Args:
        title: the name of the resource.
        classes: the classes that it does not have, the usual ones first.

    Attributes:
        chooser: the filter and the list; Enter in the filter takes the selected class.

    Signals:
        chosen(ClassChoice): the class to add.
    """

    chosen = Signal(object)

    def __init__(self, title: str, classes: Sequence[ClassChoice], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Add a class")
        self.setFixedWidth(WIDTH)
        self.chooser = ClassChooser(classes, self)
        column = dialog_column(self)
        column.addWidget(TextBlock(f"What else is {title}?" if title else "What else is it?", weight=600))
        column.addWidget(self.chooser)
        self.add = add_answers(self, column, "Add class", self._take)
        self.chooser.entered.connect(self._take)
        self.chooser.classes.doubleClicked.connect(lambda _: self._take())
        self.chooser.chosen_changed.connect(self._say_usable)
        self._say_usable()
        self.chooser.filter.setFocus()

    def _say_usable(self) -> None:
        self.add.setEnabled(self.chooser.cls is not None)

    def _take(self) -> None:
        cls = self.chooser.cls
        if cls is not None:
            self.accept()
            self.chosen.emit(cls)


NO_CLASS = (
    "No class. RDF allows that: the form then has the properties that are stated here, and those you add with Ctrl+F."
)


def shown_classes(
    view: FormView, filling: Filling, ref_of: Callable[[Resource], ResourceRef | None]
) -> tuple[ShownClass, ...]:
    """The stated, typed and inferred classes.

    Only stated classes can be removed, and not the last one of a new resource, which would then have no statement.

    Args:
        ref_of: returns the name of a class; a class without one is left out.
    """
    can_type = view.read_only is None
    can_go = can_type and not (filling.is_new and len(filling.classes) == 1)
    standings: dict[NamedNode, ChipState] = {}
    for cls in filling.form.stated:
        standings[cls] = ChipState.REMOVED if cls in filling.classes_removed else ChipState.STATED
    for cls in filling.classes_added:
        standings[cls] = ChipState.STATED if filling.is_new else ChipState.ADDED
    for cls in view.inferred:
        standings.setdefault(cls, ChipState.INFERRED)
    return tuple(
        ShownClass(ref, standing, can_go and standing is not ChipState.INFERRED)
        for cls, standing in standings.items()
        if (ref := ref_of(cls)) is not None
    )


def class_remark(view: FormView, filling: Filling) -> str:
    """A remark about the classes; empty if there is none."""
    return "" if filling.classes or view.inferred or view.read_only is not None else NO_CLASS


class FormClassController:
    """Shows the classes, and takes the clicks on them.

    Args:
        form: the open form.
        take: takes over the form with other classes.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        tools: SessionTools,
        page: FormPage,
        form: OpenForm,
        take: Callable[[Filling], None],
    ) -> None:
        self._bridge, self._tools, self._page, self._form, self._take = bridge, tools, page, form, take
        chips = page.head.classes
        chips.removed.connect(lambda ref: self._change(ref, Filling.without_class))
        chips.kept.connect(lambda ref: self._change(ref, Filling.with_class))

    def show(self) -> None:
        """Show the classes."""
        loaded, filling = self._form.loaded, self._form.filling
        if loaded is not None and filling is not None:
            self._page.head.show_classes(
                shown_classes(loaded.view, filling, self._tools.ref_of),
                can_add=loaded.view.read_only is None,
                remark=class_remark(loaded.view, filling),
            )

    def ask(self) -> None:
        """Ask for another class."""
        self._bridge.run(classes_to_describe, title="List the classes", on_result=self._open, replaces="new resource")

    def label(self, cls: NamedNode) -> str:
        """The name of a class."""
        ref = self._tools.ref_of(cls)
        return local_name(cls.value) if ref is None else ref.label

    def _open(self, classes: Sequence[ClassChoice]) -> None:
        filling = self._form.filling
        if filling is None:
            return
        there = filling.classes
        dialog = AddClassDialog(
            brief(self._form.title, 60),
            [one for one in classes if one.ref.resource not in there],
            self._page.window(),
        )
        dialog.chosen.connect(lambda one: self._change(one.ref, Filling.with_class))
        open_dialog(dialog)

    def _change(self, ref: ResourceRef, change: Callable[[Filling, NamedNode], Filling]) -> None:
        """Add or remove a class, and keep what is typed."""
        if self._form.filling is not None and self._form.can_type and isinstance(ref.resource, NamedNode):
            self._tools.know({ref.resource: ref})
            self._take(change(self._form.filling, ref.resource))
