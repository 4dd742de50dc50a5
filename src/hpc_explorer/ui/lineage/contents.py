"""The content of a lineage as buttons: its ends, and the resources on the way by class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from hpc_explorer.app.lineage.by_class import by_class
from hpc_explorer.app.lineage.traced import Traced
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.action_button import MenuButton, labelled_button
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.plain import Label, without_shortcut
from hpc_explorer.ui.widgets.theme import GRID

NAMED_ENDS = 3
"""The most ends with a button each; more share a button for each class."""

NAMED_LENGTH = 32
"""The most characters of a name on a button."""

MOST_LISTED = 200
"""The most things of a menu; an entry counts the others."""


class LineageContents(QWidget):
    """The buttons. A click on one thing leads to it; a class opens a menu of its things.

    Signals:
        wanted(Resource): show this resource in the lineage.
    """

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._line = OneLine(self, GRID // 2)
        self.buttons: list[QToolButton] = []
        self.hide()

    def show_lineage(self, traced: Traced | None, *, downstream: bool) -> None:
        """Show the content of a lineage; None for an empty bar."""
        while self._line.count():
            item = self._line.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.buttons = []
        self.setVisible(traced is not None and len(traced.lineage.nodes) > 1)
        if traced is None or len(traced.lineage.nodes) == 1:
            return
        refs = traced.refs
        ends = [refs[node.resource] for node in traced.lineage.ends()]
        passed = set(traced.lineage.nodes) - {ref.resource for ref in ends} - {traced.lineage.start}
        if ends:
            self._line.addWidget(Label("Leads to" if downstream else "Comes from"))
            if len(ends) <= NAMED_ENDS:
                for _, members in by_class(ends):
                    for ref in members:
                        self._add_thing(ref)
            else:
                self._add_kinds(ends)
        if passed:
            self._line.addWidget(Label("by way of" if ends else "Through"))
            self._add_kinds([refs[one] for one in passed])

    def _add_thing(self, ref: ResourceRef) -> None:
        tip = f"{ref.kind}: {ref.iri}" if ref.kind else ref.iri
        button = labelled_button(brief(ref.label, NAMED_LENGTH), tip, f"Go to {ref.label}")
        button.clicked.connect(partial(self._want, ref))
        self._add(button)

    def _add_kinds(self, refs: Iterable[ResourceRef]) -> None:
        """A button for each class, raw data first, then the most frequent class."""
        for kind, members in by_class(refs):
            if len(members) == 1:
                self._add_thing(members[0])
                continue
            button = MenuButton()
            button.setText(without_shortcut(f"{len(members):,} × {kind}"))
            button.setAccessibleName(f"{len(members):,} × {kind}: list them")
            menu = QMenu(button)
            menu.aboutToShow.connect(partial(self._fill, menu, members))
            button.setMenu(menu)
            self._add(button)

    def _add(self, button: QToolButton) -> None:
        self._line.addWidget(button)
        self.buttons.append(button)

    def _fill(self, menu: QMenu, members: Sequence[ResourceRef]) -> None:
        menu.clear()
        for ref in members[:MOST_LISTED]:
            act: Callable[..., None] = partial(self._want, ref)
            menu.addAction(without_shortcut(brief(ref.label, 2 * NAMED_LENGTH))).triggered.connect(act)
        if len(members) > MOST_LISTED:
            menu.addAction(f"{len(members) - MOST_LISTED:,} more: use the search").setEnabled(False)

    def _want(self, ref: ResourceRef, checked: bool = False) -> None:
        self.wanted.emit(ref.resource)
