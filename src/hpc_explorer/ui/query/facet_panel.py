"""The panel of suggestions: the existing classes, properties and values, given the rest of the query."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from hpc_explorer.app.query.facet_lists import Facet
from hpc_explorer.app.views import FacetRow
from hpc_explorer.canvas.text import brief
from hpc_explorer.query.building import Mode
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.query.range_facet import RangeFacet
from hpc_explorer.ui.widgets.action_button import Choice, ChoiceButton, MenuButton
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, tab_bar
from hpc_explorer.ui.widgets.facet_list import FacetList
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.plain import Label, plain_tip, without_shortcut
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot

PAUSE = 250
"""Milliseconds after the last key until the lists are searched."""

NAMED_LENGTH = 32


_NOTHING = {
    Facet.MATCHES: "No value matches.",
    Facet.CLASSES: "They have no classes.",
    Facet.PROPERTIES: "They have no properties, and nothing links to them.",
    Facet.VALUES: "There are no values.",
}
_NAMES = {
    Facet.MATCHES: "match-options",
    Facet.CLASSES: "class-options",
    Facet.PROPERTIES: "property-options",
    Facet.VALUES: "value-options",
}
_MODES = (
    (Mode.REQUIRED, "required", "Has it", "Only things with the property"),
    (Mode.OPTIONAL, "optional", "May have it", "Things without the property stay, with an empty cell"),
    (Mode.ABSENT, "absent", "Does not have it", "Only things without the property"),
)


class _SearchLine(FilterLine):
    """The box that searches all lists; Enter takes the first result.

    Signals:
        entered(): Enter was pressed.
    """

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class FacetPanel(QWidget):
    """The lists, a search box for all of them, and a menu of the variables that they can be about.

    Attributes:
        range: replaces the values if these are numbers or dates.
        modes: how the next property is added, a `Mode`.
        exclusion: whether ticked values are excluded.
        subclasses: whether a question begins with the instances of subclasses too.
        beginning: the only list shown while the query is empty; None: all lists.

    Signals:
        focus_wanted(Variable): the lists should be about this variable.
        searched(str): the search text changed.
        class_wanted(FacetRow), value_wanted(FacetRow), match_wanted(FacetRow): a row was chosen.
        only_wanted(FacetRow): a value to use alone.
        excluded(FacetRow): a value to exclude.
        subclasses_changed(): the user chose with or without subclasses.
        excludes_changed(bool): the ticked values should be excluded, or asked for.
        described(FacetRow): a value to show in the inspector.
        property_wanted(FacetRow, Mode, bool): a property was chosen; True: any number of steps.
        more_wanted(Facet, int): a list needs more rows, from this one on.
        again_wanted(Facet): a failed list should be requested again.
    """

    focus_wanted = Signal(object)
    searched = Signal(str)
    class_wanted = Signal(object)
    value_wanted = Signal(object)
    only_wanted = Signal(object)
    excluded = Signal(object)
    excludes_changed = Signal(bool)
    subclasses_changed = Signal()
    described = Signal(object)
    match_wanted = Signal(object)
    property_wanted = Signal(object, object, bool)
    more_wanted = Signal(object, int)
    again_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ask-facets")
        self.setMinimumWidth(29 * GRID)
        self._about = Label("About")
        self._about.setProperty("role", "muted")
        self.focus = MenuButton()
        self._variables = QMenu(self.focus)
        self.focus.setMenu(self._variables)
        self.focus.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.focus.setToolTip("The variable that the suggestions are about")
        self.search = _SearchLine("Search classes, properties and values")
        self.search.setObjectName("facet-search")
        self.lists = {facet: FacetList(facet.value, _NOTHING[facet], _NAMES[facet]) for facet in Facet}
        self.range = RangeFacet()
        modes = [Choice(mode, name, name, tip) for mode, name, _, tip in _MODES]
        self.modes = ChoiceButton(
            "The next property", modes, "How the next property is added; right-click a property for another way"
        )
        self.lists[Facet.PROPERTIES].add_tool(self.modes)
        self.subclasses = ChoiceButton(
            "Instances",
            (Choice(True, "with subclasses"), Choice(False, "direct only", "direct instances only")),
            "Whether the instances of subclasses count, as in the class tree",
        )
        self.lists[Facet.CLASSES].add_tool(self.subclasses)
        self.exclusion = ChoiceButton(
            "The value",
            (
                Choice(False, "is", "is one of the ticked values"),
                Choice(True, "is not", "is not one of the ticked values"),
            ),
            "Ask for the ticked values, or for all others",
        )
        self.lists[Facet.VALUES].add_tool(self.exclusion)
        self._values = PageStack()
        self._values.addWidget(self.lists[Facet.VALUES])
        self._values.addWidget(self.range)
        self._tabs = tab_bar("Suggestions")
        self._tabs.setUsesScrollButtons(False)
        self._parts = (Facet.CLASSES, Facet.PROPERTIES, Facet.VALUES)
        for facet in self._parts:
            self._tabs.addTab(facet.value)
        self._tabs.setCurrentIndex(1)
        self._tabs.hide()
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        for widget in self._widgets().values():
            widget.setMinimumHeight(12 * GRID)
            self._splitter.addWidget(widget)
        self.lists[Facet.MATCHES].setMinimumHeight(7 * GRID)
        self._splitter.setSizes([130, 100, 280, 200])
        for number, stretch in enumerate((0, 2, 4, 4)):
            self._splitter.setStretchFactor(number, stretch)
        above = QHBoxLayout()
        above.setSpacing(GRID)
        above.addWidget(self._about)
        above.addWidget(self.focus, 1)
        head = QVBoxLayout()
        head.setContentsMargins(GRID, GRID, GRID, 0)
        head.setSpacing(GRID)
        head.addLayout(above)
        head.addWidget(self.search)
        column = column_in(self, spacing=GRID // 2)
        add_parts(column, head, self._tabs, (self._splitter, 1))
        self._narrow = False
        self.beginning: Facet | None = Facet.CLASSES
        self._pause = single_shot(self, PAUSE, self._search)
        self._connect()
        self._show_parts()

    @property
    def words(self) -> str:
        """The search text."""
        return self.search.text().strip()

    @property
    def is_waiting_to_search(self) -> bool:
        """Whether the user is typing."""
        return self._pause.isActive()

    @property
    def shows_range(self) -> bool:
        """Whether a range is shown instead of the values."""
        return self._values.currentWidget() is self.range

    def show_focus(self, variable: Variable | None, name: str, variables: Sequence[tuple[Variable, str]]) -> None:
        """Show the focus.

        Args:
            name: the name of the variable.
            variables: all possible focuses with their names.
        """
        self.focus.setText(without_shortcut(brief(name, NAMED_LENGTH)))
        self.focus.setAccessibleName(f"Suggestions are about: {name}")
        self.focus.setEnabled(variable is not None)
        self._variables.clear()
        for other, called in variables:
            action = self._variables.addAction(without_shortcut(brief(called, 60)))
            action.setCheckable(True)
            action.setChecked(other == variable)
            action.triggered.connect(lambda _=False, other=other: self.focus_wanted.emit(other))

    def show_rows(
        self, facet: Facet, rows: Sequence[FacetRow], total: str, *, has_more: bool, begins: bool = True
    ) -> None:
        """Show the rows of a list."""
        self.lists[facet].words = self.words
        self.lists[facet].show_rows(rows, total, has_more=has_more, begins=begins)
        if facet is Facet.PROPERTIES and begins and self._narrow and not self.words:
            # Without properties, values are the next choice.
            self._tabs.setCurrentIndex(self._parts.index(Facet.PROPERTIES if rows else Facet.VALUES))
        if facet is Facet.MATCHES and begins:
            self._show_parts()
            self.lists[facet].setMaximumHeight((5 + 3 * max(len(rows), 1)) * GRID)

    def show_range(self, shown: bool) -> None:
        """Show a range instead of the values, or the values."""
        self._values.setCurrentWidget(self.range if shown else self.lists[Facet.VALUES])
        self._values.setMinimumHeight(self.range.minimumSizeHint().height() if shown else 12 * GRID)

    def show_whole(self) -> None:
        """Show all lists."""
        self._show_only(None)

    def show_beginning(self, facet: Facet) -> None:
        """Show one list, for the start of a query."""
        self._show_only(facet)

    def _show_only(self, facet: Facet | None) -> None:
        if facet is not self.beginning:
            self.beginning = facet
            self._show_parts()

    def clear_search(self) -> None:
        """Clear the search without searching again, and remove its results."""
        self.search.clear()
        self._pause.stop()
        self.lists[Facet.MATCHES].show_rows((), "", has_more=False)
        self._show_parts()

    def set_narrow(self, narrow: bool) -> None:
        """Show one list at a time, or all of them."""
        if narrow is not self._narrow:
            self._narrow = narrow
            self._show_parts()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.words:
            self.search.clear()
        else:
            super().keyPressEvent(event)

    # Its parts

    def _widgets(self) -> dict[Facet, QWidget]:
        return {**self.lists, Facet.VALUES: self._values}

    def _connect(self) -> None:
        matches, classes, properties, values = (self.lists[facet] for facet in Facet)
        matches.chosen.connect(self.match_wanted)
        classes.chosen.connect(self.class_wanted)
        values.chosen.connect(self.value_wanted)
        properties.chosen.connect(lambda row: self.property_wanted.emit(row, self.modes.value, False))
        properties.menu_wanted.connect(self._offer_modes)
        values.menu_wanted.connect(self._offer_value)
        for facet, one in self.lists.items():
            one.more_wanted.connect(lambda at, facet=facet: self.more_wanted.emit(facet, at))
            one.again_wanted.connect(lambda facet=facet: self.again_wanted.emit(facet))
            one.left_upwards.connect(lambda: self.search.setFocus(Qt.FocusReason.BacktabFocusReason))
            one.emptied.connect(self._go_to_values)
        self.subclasses.chosen.connect(lambda _: self.subclasses_changed.emit())
        self.exclusion.chosen.connect(lambda excludes: self.excludes_changed.emit(excludes))
        self.search.textChanged.connect(lambda: self._pause.start())
        self.search.left_downwards.connect(self._enter)
        self.search.entered.connect(self._take_first)
        self._tabs.currentChanged.connect(self._show_parts)

    def _offer_modes(self, row: FacetRow, at: QPoint) -> None:
        menu = self._menu()
        for mode, _, title, tip in _MODES:
            action = menu.addAction(title, partial(self.property_wanted.emit, row, mode, False))
            action.setToolTip(plain_tip(tip))
        menu.addSeparator()
        menu.addAction("Over any number of steps", lambda: self.property_wanted.emit(row, Mode.REQUIRED, True))
        menu.popup(at)

    def _offer_value(self, row: FacetRow, at: QPoint) -> None:
        menu = self._menu()
        menu.addAction("Only this", lambda: self.only_wanted.emit(row))
        menu.addAction("Not this", lambda: self.excluded.emit(row))
        menu.addAction("Add or remove this", lambda: self.value_wanted.emit(row))
        menu.addSeparator()
        menu.addAction("Show in the inspector", lambda: self.described.emit(row))
        menu.popup(at)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        return menu

    def _search(self) -> None:
        if not self.words:
            self.lists[Facet.MATCHES].show_rows((), "", has_more=False)
            self._show_parts()
        self.searched.emit(self.words)

    def _enter(self) -> None:
        """Go to the first list with rows."""
        self._search_now()
        one = self._first()
        if one is not None:
            one.rows.setFocus(Qt.FocusReason.TabFocusReason)
            one.rows.setCurrentIndex(one.rows.rows.index(0))

    def _take_first(self) -> None:
        """Choose the first result when it is there; without a search text, go to the lists."""
        one = self._first()
        if self._search_now() or one is None or not self.words:
            self._enter()
        elif one.words == self.words:
            one.chosen.emit(one.rows.rows.rows[0])

    def _go_to_values(self) -> None:
        """Move the keyboard to the values when the current list became empty."""
        if self._values.isVisible():
            shown = self.range if self.shows_range else self.lists[Facet.VALUES]
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def _search_now(self) -> bool:
        """Search at once; return whether a search was pending."""
        waiting = self._pause.isActive()
        if waiting:
            self._pause.stop()
            self._search()
        return waiting

    def _first(self) -> FacetList | None:
        """The first visible list with rows."""
        seen = (one for facet, one in self.lists.items() if self._widgets()[facet].isVisible() and one.isVisible())
        return next((one for one in seen if one.labels()), None)

    def _show_parts(self) -> None:
        """Show the matches during a search, and one list at a time if there is little room."""
        whole = self.beginning is None
        shown = self.beginning or self._parts[self._tabs.currentIndex()]
        self._tabs.setVisible(self._narrow and whole)
        self.subclasses.setVisible(not whole)
        self._about.setVisible(whole)
        self.focus.setVisible(whole)
        for facet, widget in self._widgets().items():
            if facet is Facet.MATCHES:
                widget.setVisible(bool(self.words) and whole)
            else:
                widget.setVisible(facet is shown or (whole and not self._narrow))
