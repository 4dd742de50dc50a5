"""Which classes stand at the head of a form, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable

from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.forms.class_chips import ChipState, ShownClass

NO_CLASS = (
    "No class. RDF allows that: the form then has the properties that are stated here, and those you add with Ctrl+F."
)


def shown_classes(
    view: FormView, filling: Filling, ref_of: Callable[[Resource], ResourceRef | None]
) -> tuple[ShownClass, ...]:
    """The classes that are stated, those that come and go with what is typed, and those that were inferred.

    Only what is stated can be removed. The last class of something new cannot: without one nothing would say what it
    is, and it has no statement that could keep it in the graph.

    Args:
        ref_of: how a class is named to a person; one that has no name yet is left out.
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
    """What is to be said of the classes as a whole; empty: nothing."""
    return "" if filling.classes or view.inferred or view.read_only is not None else NO_CLASS
