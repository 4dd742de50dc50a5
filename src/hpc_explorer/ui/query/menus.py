"""The menus of a query: aggregates, sort order, and limit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from hpc_explorer.app.query.builder import Builder
from hpc_explorer.canvas.text import brief
from hpc_explorer.query import building
from hpc_explorer.query.model.query import AggregateFunction, QueryModel, column_name
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.plain import without_shortcut

LIMITS = (1, 10, 100, 1_000)
"""The limits in the menu; any other can be typed."""

_COUNTED = (
    (AggregateFunction.COUNT, "Count {} for each"),
    (AggregateFunction.SUM, "Sum of {} for each"),
    (AggregateFunction.AVERAGE, "Mean of {} for each"),
    (AggregateFunction.LEAST, "Least {} for each"),
    (AggregateFunction.MOST, "Most {} for each"),
)


class AskMenus(QObject):
    """Makes the menus for the current query.

    Args:
        change: applies a step, given as a function, with its name for the undo menu.
        window: the parent of menus and dialogs.
    """

    def __init__(
        self, builder: Builder, change: Callable[[Callable[[], QueryModel], str], None], window: QWidget
    ) -> None:
        super().__init__(window)
        self._builder = builder
        self._change = change
        self._window = window

    def counting(self) -> QMenu:
        """The menu of aggregates for the focus, and of grouping variables."""
        query, focus = self._builder.state.query, self._builder.state.focus
        menu = self._made("Count per")
        if focus is None:
            return menu
        if query.is_grouped:
            menu.addAction("Show all rows again", self._show_all_rows)
            menu.addSeparator()
        others = [variable for variable in query.variables if variable != focus]
        menu.addAction(
            _escaped(f"Count all {variable_name(focus)}"), lambda: self._aggregate(AggregateFunction.COUNT, focus, ())
        )
        for function, title in _COUNTED:
            if others:
                below = menu.addMenu(_escaped(title.format(variable_name(focus))))
                for other in others:
                    below.addAction(_escaped(variable_name(other)), partial(self._aggregate, function, focus, (other,)))
        return menu

    def _aggregate(self, function: AggregateFunction, variable: Variable, per: tuple[Variable, ...]) -> None:
        query = self._builder.state.query
        of = f" for each {variable_name(per[0])}" if per else ""
        words = f"{function.name.lower()} {variable_name(variable)}{of}"
        self._change(lambda: building.with_aggregate(query, function, variable, per), words)

    def _show_all_rows(self) -> None:
        query = self._builder.state.query
        self._change(lambda: building.without_aggregates(query), "show all rows again")

    def sorting(self) -> QMenu:
        """The menu of sort orders."""
        query = self._builder.state.query
        menu = self._made("Sort")
        columns = [column_name(one) for one in query.columns] or list(query.variables)
        for column in columns:
            for descending, how in ((False, "ascending"), (True, "descending")):
                action = menu.addAction(
                    _escaped(f"{variable_name(column)}, {how}"), partial(self._sort, column, descending)
                )
                action.setCheckable(True)
                action.setChecked(any(one.key == column and one.is_descending is descending for one in query.order_by))
        menu.addSeparator()
        menu.addAction("Unsorted", lambda: self._sort(None, False)).setEnabled(bool(query.order_by))
        return menu

    def _sort(self, column: Variable | None, descending: bool) -> None:
        query = self._builder.state.query
        words = f"sort by {variable_name(column)}" if column is not None else "remove the sort order"
        self._change(lambda: building.with_order(query, column, descending), words)

    def limiting(self) -> QMenu:
        """The menu of limits."""
        query = self._builder.state.query
        menu = self._made("Limit")
        for number in (None, *LIMITS):
            title = (
                "All rows" if number is None else "Only the first row" if number == 1 else f"The first {number:,} rows"
            )
            action = menu.addAction(title, partial(self._limit, number))
            action.setCheckable(True)
            action.setChecked(query.limit == number)
        menu.addSeparator()
        menu.addAction("Another number…", self._ask_limit)
        return menu

    def _limit(self, number: int | None) -> None:
        query = self._builder.state.query
        words = "show all rows" if number is None else f"show the first {number:,}"
        self._change(lambda: building.with_limit(query, number, query.offset), words)

    def _ask_limit(self) -> None:
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle("Limit")
        dialog.setLabelText("Maximum number of rows:")
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(1, 2**31 - 1)
        dialog.setIntValue(self._builder.state.query.limit or 100)
        dialog.intValueSelected.connect(self._limit)
        open_dialog(dialog)

    def _made(self, title: str) -> QMenu:
        return opened_menu(title, self._window)


def opened_menu(title: str, parent: QWidget) -> QMenu:
    """A menu that is deleted when it closes."""
    menu = QMenu(title, parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    return menu


def variable_name(variable: Variable) -> str:
    """The name of a variable for people."""
    return variable.value.replace("_", " ")


def _escaped(text: str) -> str:
    return without_shortcut(brief(text, 60))
