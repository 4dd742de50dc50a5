"""Fills the home page: the classes, the table of the chosen one, recent resources, questions and unsaved forms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject

from hpc_explorer.app.explore.class_filter import listed_classes
from hpc_explorer.app.explore.finding import known_resources
from hpc_explorer.app.home.class_table import MOST_COLUMNS, MOST_ROWS, ClassTable, class_table
from hpc_explorer.app.home.property_groups import (
    ResourceGroup,
    group_without_class,
    property_groups,
    property_table,
    without_class,
    without_class_table,
)
from hpc_explorer.app.views import ClassNode, FacetRow, ResourceRef
from hpc_explorer.errors import Cancelled
from hpc_explorer.query.questions.question import Question
from hpc_explorer.rdf.terms import NamedNode, iri_text
from hpc_explorer.stores.base import UNKNOWN_COUNT, CountKind
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.home.page import MOST_LINKS, HomePage
from hpc_explorer.ui.results.row_arranger import RowArranger

TABLE, RECENT, GROUPS, REST = "home table", "recent resources", "groups by property", "resources without a class"
"""The names of the requests."""


class HomeController(QObject):
    """Shows what is in the graph.

    Args:
        ask: opens the form of a ready question.
        continue_form: opens a form that was typed and not saved, by its key.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        page: HomePage,
        preferences: Preferences,
        ask: Callable[[Question], object],
        continue_form: Callable[[str], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self.page, self._preferences = bridge, navigator, page, preferences
        self._ask, self._continue_form = ask, continue_form
        self._classes: tuple[ClassNode, ...] = ()
        self._groups: tuple[ResourceGroup, ...] = ()
        self._rest: ResourceGroup | None = None
        self._chosen: NamedNode | None = None
        self._most_rows, self._all_columns = MOST_ROWS, False
        self._table: ClassTable | None = None
        self.arranger = RowArranger(self)
        self.arranger.set_bridge(bridge)
        self.arranger.arranged.connect(self._arranged)
        page.table.rows.sorter = lambda column, order: self.arranger.sort(column, descending=order.value == 1)
        page.class_wanted.connect(self._choose)
        page.opened.connect(navigator.open)
        page.filtered.connect(lambda text: self.arranger.filter(text.strip(), None))
        page.more_wanted.connect(self._load_more)
        page.columns_wanted.connect(self._show_columns)
        navigator.moved.connect(self._remember)

    def show_classes(self, roots: Sequence[ClassNode]) -> None:
        """List the classes of another state of the graph, and load the table again.

        A graph without classes lists the resources by their properties.
        """
        self._classes = listed_classes(roots)
        if self._classes or self._bridge.is_empty:
            self._bridge.drop(GROUPS)
            self._show_groups(())
            self._count_rest()
        else:
            self._bridge.drop(REST)
            self._rest = None
            self._bridge.run(
                property_groups,
                title="Count resources by property",
                on_result=self._show_groups,
                on_error=self._not_grouped,
                replaces=GROUPS,
            )
        self.show_recent()

    def _count_rest(self) -> None:
        """Count the resources without a class, unless that took too long before."""
        if self._bridge.is_empty:
            self._bridge.drop(REST)
            self._rest = None
        elif self._rest is None or self._rest.resources.kind is not CountKind.UNKNOWN:
            self._bridge.run(
                without_class,
                title="Count resources without a class",
                on_result=self._take_rest,
                on_error=lambda error: self._take_rest(group_without_class(UNKNOWN_COUNT)),
                replaces=REST,
            )

    def _take_rest(self, group: ResourceGroup) -> None:
        before, self._rest = (self._rest, self._chosen), group
        if before[0] != group:
            self._list()
            if self._chosen in (group.ref.resource, None) or self._chosen != before[1]:
                self._load()

    def _show_groups(self, groups: Sequence[ResourceGroup]) -> None:
        self._groups = tuple(groups)
        self._list()
        self._load()

    def _list(self) -> None:
        listed = [(node.ref, node.instances, node.comment) for node in self._classes]
        listed += [(group.ref, group.resources, "") for group in self._groups]
        rest = self._rest
        if rest is not None and (rest.resources.value or rest.resources.kind is CountKind.UNKNOWN):
            listed.append((rest.ref, rest.resources, "The resources that state no class"))
        resources = [ref.resource for ref, _, _ in listed]
        if self._chosen not in resources:
            first = resources[0] if resources else None
            self._chosen = first if isinstance(first, NamedNode) else None
            self._most_rows, self._all_columns = MOST_ROWS, False
        self.page.show_groups(listed, self._chosen, by_property=bool(self._groups))

    def _not_grouped(self, error: BaseException) -> None:
        self._show_groups(())
        reason = "counting was stopped" if isinstance(error, Cancelled) else str(error)
        self.page.say(f"No resource of this graph has a class. Its resources are not listed by property: {reason}.")

    def show_questions(self, questions: Sequence[Question]) -> None:
        """Offer the ready questions that fit the graph."""
        self._list_questions(questions, MOST_LINKS)

    def _list_questions(self, questions: Sequence[Question], most: int) -> None:
        offers = [(one.title, "", one.text, partial(self._ask, one)) for one in questions[:most]]
        left = len(questions) - len(offers)
        show_all = partial(self._list_questions, questions, len(questions))
        self.page.questions.show_links(offers, f"{left:,} more" if left else "", show_all)

    def show_unsaved(self, rows: Sequence[FacetRow]) -> None:
        """Offer the forms that were typed and not saved."""
        self.page.unsaved.show_links(
            [(row.label, row.detail, row.tip, partial(self._continue_form, str(row.key))) for row in rows]
        )

    def show_recent(self) -> None:
        """Offer the resources that were opened last and that this graph describes."""
        if self._bridge.is_empty:
            self.page.recent.show_links(())
        else:
            self._bridge.run(
                known_resources,
                self._preferences.settings.recent_resources,
                title="Look up recent resources",
                on_result=self._take_recent,
                on_error=lambda error: self._take_recent(()),
                replaces=RECENT,
            )

    def _take_recent(self, refs: Sequence[ResourceRef]) -> None:
        self.page.recent.show_links(
            [(ref.label, ref.kind, ref.iri, partial(self._navigator.open, ref.resource)) for ref in refs[:MOST_LINKS]]
        )

    def _remember(self, place: Place, before: Place) -> None:
        focus = place.focus
        if isinstance(focus, NamedNode) and focus != before.focus:
            self._preferences.remember_resource(iri_text(focus))
        if place.view is View.HOME and before.view is not View.HOME:
            self.show_recent()

    # The table

    def _choose(self, ref: ResourceRef) -> None:
        if isinstance(ref.resource, NamedNode) and ref.resource != self._chosen:
            self._chosen, self._most_rows, self._all_columns = ref.resource, MOST_ROWS, False
            self.page.filter.clear()
            self._load()

    def _name(self) -> str:
        named = (node.ref.label for node in self._classes if node.ref.resource == self._chosen)
        group = self._group()
        if group is None:
            return next(named, "")
        return group.ref.label if group is self._rest else f"Resources with “{group.ref.label}”"

    def _group(self) -> ResourceGroup | None:
        groups = self._groups if self._rest is None else (*self._groups, self._rest)
        return next((group for group in groups if group.ref.resource == self._chosen), None)

    def _show_columns(self, all_wanted: bool) -> None:
        self._all_columns = all_wanted
        self._load()

    def _load_more(self) -> None:
        self._most_rows *= 10
        self._load()

    def _load(self) -> None:
        self.arranger.drop()
        if self._chosen is None:
            self._bridge.drop(TABLE)
            empty = "" if self._bridge.is_empty else "This graph is empty."
            self.page.show_table(None, "", empty)
            if empty and not self._bridge.is_remote:
                self.page.offer_to_describe()
            return
        sizes = {
            "most_rows": self._most_rows,
            "most_columns": sys.maxsize if self._all_columns else MOST_COLUMNS,
        }
        if not self.page.has_table or self._table is None or self._table.of != self._chosen:
            self.page.say(f"Loading the table: {self._name()} …")
        group = self._group()
        if group is None:
            operation = partial(class_table, cls=self._chosen)
        else:
            operation = partial(without_class_table if group is self._rest else property_table, group=group)
        self._bridge.run(
            partial(operation, **sizes),
            title=f"List {self._name()}",
            on_result=self._take,
            on_error=self._not_listed,
            replaces=TABLE,
        )

    def _take(self, table: ClassTable) -> None:
        before, self._table = self._table, table
        alike = (
            self.page.has_table
            and before is not None
            and (before.of, before.rows.columns) == (table.of, table.rows.columns)
        )
        self.arranger.begin(table.rows, alike=alike)
        if alike:
            self.page.table.begin_alike(table.rows)
            self.page.table.rows.show_rows(range(len(table.rows)))
        else:
            self.page.show_table(table, self._name())
        self.arranger.take_more()
        self._tell(len(table.rows))

    def _not_listed(self, error: BaseException) -> None:
        self._table = None
        if isinstance(error, Cancelled):
            message = "Stopped. Choose it again to list it."
        else:
            message = f"The table could not be loaded: {error}"
        self.page.show_table(None, self._name(), message)
        self._chosen = None

    def _arranged(self, shown: Sequence[int]) -> None:
        self.page.table.rows.show_rows(shown)
        self._tell(len(shown))

    def _tell(self, shown: int) -> None:
        table = self._table
        if table is None:
            return
        found = f"{shown:,} found in " if self.arranger.shown.sought else ""
        left_out = [f"{label}: {number:,} of the rows" for label, number in table.left_out]
        self.page.say(found + table.words, "No column:\n" + "\n".join(left_out) if left_out else "")
        all_there = len(table.rows) >= table.total.value
        self.page.offer_more(None if all_there else 10 * self._most_rows)
        columns = len(table.rows.columns) - 1 + len(table.left_out)
        self.page.offer_columns(columns if columns > MOST_COLUMNS else None, all_shown=self._all_columns)
