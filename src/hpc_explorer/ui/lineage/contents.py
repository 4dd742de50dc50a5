"""The content of a lineage as buttons or as a menu: its ends, and the resources on the way by class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from hpc_explorer.app.lineage.by_class import by_class
from hpc_explorer.app.lineage.traced import Traced
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.action_button import MenuButton, labelled_button
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.plain import Label, plain_tip, without_shortcut
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

NAMED_ENDS = 3
"""The most ends with a button each; more share a button for each class."""

NAMED_LENGTH = 32
"""The most characters of a name on a button."""

MOST_LISTED = 200
"""The most things of a menu; an entry counts the others."""

_Kinds = Sequence[tuple[str, Sequence[ResourceRef]]]
"""Names of classes with their things."""


class LineageContents(QWidget):
    """The buttons. A click on one thing leads to it; a class opens a menu of its things.

    Attributes:
        as_menu: a button with the same as a menu, for a toolbar where there is no room for a line more.

    Signals:
        wanted(Resource): show this resource in the lineage.
    """

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._line = OneLine(self, GRID // 2)
        self.buttons: list[QToolButton] = []
        self.as_menu = MenuButton()
        self.as_menu.setMenu(QMenu(self.as_menu))
        self.as_menu.hide()
        self._groups: list[tuple[str, _Kinds]] = []
        self._is_folded = False
        self.hide()

    def fold(self, folded: bool) -> None:
        """Show the menu instead of the buttons."""
        self._is_folded = folded
        self.setVisible(bool(self._groups) and not folded)
        self.as_menu.setVisible(bool(self._groups) and folded)

    def show_lineage(self, traced: Traced | None, *, downstream: bool) -> None:
        """Show the content of a lineage; None for an empty bar."""
        while self._line.count():
            item = self._line.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.buttons = []
        self._groups = [] if traced is None else _groups(traced, downstream=downstream)
        for title, kinds in self._groups:
            self._line.addWidget(Label(title))
            self._add_kinds(kinds)
        if traced is not None:
            self._fill_menu(counted(len(traced.lineage.nodes) - 1, "thing"))
        self.fold(self._is_folded)

    def _fill_menu(self, title: str) -> None:
        menu = self.as_menu.menu()
        menu.clear()
        self.as_menu.setText(title)
        self.as_menu.setAccessibleName(f"{title} in this lineage: list them")
        for heading, kinds in self._groups:
            menu.addSection(heading)
            for kind, members in kinds:
                if len(members) <= NAMED_ENDS:
                    self._fill(menu, members)
                    continue
                inner = menu.addMenu(without_shortcut(f"{len(members):,} × {kind}"))
                inner.aboutToShow.connect(partial(self._refill, inner, members))

    def _add_thing(self, ref: ResourceRef) -> None:
        tip = f"{ref.kind}: {ref.iri}" if ref.kind else ref.iri
        button = labelled_button(brief(ref.label, NAMED_LENGTH), tip, f"Go to {ref.label}")
        button.clicked.connect(partial(self._want, ref))
        self._add(button)

    def _add_kinds(self, kinds: _Kinds) -> None:
        """A button for each class, or for each thing if there are few."""
        for kind, members in kinds:
            if not kind or len(members) == 1:
                for ref in members:
                    self._add_thing(ref)
                continue
            button = MenuButton()
            button.setText(without_shortcut(f"{len(members):,} × {kind}"))
            button.setAccessibleName(f"{len(members):,} × {kind}: list them")
            menu = QMenu(button)
            menu.aboutToShow.connect(partial(self._refill, menu, members))
            button.setMenu(menu)
            self._add(button)

    def _add(self, button: QToolButton) -> None:
        self._line.addWidget(button)
        self.buttons.append(button)

    def _refill(self, menu: QMenu, members: Sequence[ResourceRef]) -> None:
        menu.clear()
        self._fill(menu, members)

    def _fill(self, menu: QMenu, members: Sequence[ResourceRef]) -> None:
        for ref in members[:MOST_LISTED]:
            act: Callable[..., None] = partial(self._want, ref)
            action = menu.addAction(without_shortcut(brief(ref.label, 2 * NAMED_LENGTH)))
            action.setToolTip(plain_tip(ref.label))
            action.triggered.connect(act)
        if len(members) > MOST_LISTED:
            menu.addAction(f"{len(members) - MOST_LISTED:,} more: use the search").setEnabled(False)

    def _want(self, ref: ResourceRef, checked: bool = False) -> None:
        self.wanted.emit(ref.resource)


def _groups(traced: Traced, *, downstream: bool) -> list[tuple[str, _Kinds]]:
    """The ends and what is on the way, each by class: raw data first, then the most frequent class.

    A few ends are named one by one, which an empty name of their class says.
    """
    refs = traced.refs
    ends = [refs[node.resource] for node in traced.lineage.ends()]
    passed = set(traced.lineage.nodes) - {ref.resource for ref in ends} - {traced.lineage.start}
    if len(traced.lineage.nodes) == 1:
        return []
    groups: list[tuple[str, _Kinds]] = []
    if ends:
        kinds = by_class(ends)
        if len(ends) <= NAMED_ENDS:
            kinds = [("", members) for _, members in kinds]
        groups.append(("Leads to" if downstream else "Comes from", kinds))
    if passed:
        groups.append(("by way of" if ends else "Through", by_class([refs[one] for one in passed])))
    return groups
