"""The inspector: everything the graph states about one resource, with links."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.explore.described import describing, sections
from hpc_explorer.app.views import PropertyView, ResourceView, TermCount, ValueView
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import GraphName, Quad, Triple
from hpc_explorer.ui.explore.instance_fields import InstanceFields
from hpc_explorer.ui.explore.value_lines import MOST_INLINE, ValueContext, ValueLines, stated_in
from hpc_explorer.ui.widgets.action_button import BOTH, action_button
from hpc_explorer.ui.widgets.chip import Chip
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.tab_order import follow, to_end
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption, shortened
from hpc_explorer.ui.widgets.theme import GRID, SMALL, TITLE
from hpc_explorer.ui.widgets.turns import Turn

FIRST_VALUES = 6
"""The values of a property that are shown before "Show all"."""

LONGEST_TITLE = 140
"""Characters of the title; the properties have the whole name."""

AT_ONCE = 0.006
"""Seconds of creating lines before the event loop runs again; layout and painting take as long again."""

MOST_CHANGED = 6
"""The most changed properties that are replaced one by one; more rebuild the pane."""

FIRST_REASONS = 2
"""The most inferred classes with a visible "Why?"; more are behind one link."""

WHERE_FROM = "Where from…"
"""The menu entry of a value."""

_FIELDS, _REASONS = ("", False), ("", True)
_INFERRED_OUT, _INFERRED_IN = ("inferred", False), ("inferred", True)

LABEL_WIDTH = 13 * GRID
"""Pixels."""


class Inspector(QScrollArea):
    """Shows a `ResourceView`.

    Args:
        actions: the buttons below the name.
        copy: copies the IRI.

    Signals:
        opened(Resource): a link was followed.
        why_wanted(Triple): explain an inferred statement.
        where_from_wanted(Quad): show the origin of a stated value.
        all_wanted(PropertyView, bool): list all values of a property; True for incoming links.
    """

    opened = Signal(object)
    why_wanted = Signal(object)
    where_from_wanted = Signal(object)
    all_wanted = Signal(object, bool)

    def __init__(self, actions: Sequence[QAction], copy: QAction) -> None:
        super().__init__()
        self.setAccessibleName("Inspector")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._actions = tuple(actions)
        self._copy = copy
        self._view: ResourceView | None = None
        self._graphs: Mapping[GraphName, str] = {}
        self._fields: tuple[tuple[TermCount, DomainReason], ...] = ()
        self._unfolded: set[tuple[str, bool]] = set()
        self._to_fill: deque[Callable[[], None]] = deque()
        self._back_to = 0
        self._places: dict[tuple[str, bool], tuple[QGridLayout, int]] = {}
        self._filling = Turn(self, self._fill_some)
        frame = QWidget()
        self._content = QWidget()
        self._frame = QVBoxLayout(frame)
        self._frame.setContentsMargins(0, 0, 0, 0)
        self._frame.addWidget(self._content)
        self.setWidget(frame)
        self._rebuild()

    @property
    def is_filling(self) -> bool:
        """Whether lines are still being added."""
        return self._filling.is_waiting

    @property
    def view(self) -> ResourceView | None:
        """The shown resource, if any."""
        return self._view

    def show_resource(
        self,
        view: ResourceView | None,
        graphs: Mapping[GraphName, str],
        fields: Sequence[tuple[TermCount, DomainReason]] = (),
    ) -> None:
        """Show a resource; None shows a hint.

        Args:
            graphs: the title of the source of each graph.
            fields: of a class: the properties of its instances, and why each is one.
        """
        if view is not None and (view, graphs, tuple(fields)) == (self._view, self._graphs, self._fields):
            return
        before, same_around = self._view, (graphs, tuple(fields)) == (self._graphs, self._fields)
        same = view is not None and before is not None and view.ref.resource == before.ref.resource
        self._view, self._graphs, self._fields = view, dict(graphs), tuple(fields)
        if view is not None and before is not None and same_around and self._show_changed(before, view):
            return
        if not same:
            self._unfolded = set()
        self._rebuild()
        if not same:
            self.verticalScrollBar().setValue(0)

    def come_last(self) -> None:
        """Move to the end of the window's tab order."""
        to_end(self)
        follow(self, self._content)

    def _rebuild(self) -> None:
        self._to_fill.clear()
        self._places = {}
        self._back_to = 0
        self._enough = time.perf_counter() + AT_ONCE
        content = QWidget()
        column = column_in(content, 2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID, spacing=GRID)
        if self._view is None:
            hint = "Click a node in the picture or an instance of a class, or search for a resource."
            column.addWidget(TextBlock("Nothing chosen", weight=600))
            column.addWidget(TextBlock(hint, muted=True))
        else:
            self._add_head(column, self._view)
            self._add_description(column, self._view)
            stated, inferred, links, inferred_links = sections(self._view)
            self._add_section(column, "Properties", stated, incoming=False)
            self._add_inferred(column, "Inferred properties", inferred, incoming=False)
            self._add_fields(column, self._fields)
            self._add_section(column, "Links to this", links, incoming=True)
            self._add_inferred(column, "Inferred links to this", inferred_links, incoming=True)
        column.addStretch(1)
        self._take_out(self._frame, self._content)
        self._frame.addWidget(content)
        self._content = content
        content.show()
        follow(self, content)
        self._filling.start()

    def _show_changed(self, before: ResourceView, view: ResourceView) -> bool:
        """Replace only properties with other values, as after an edit; returns False if a rebuild is necessary."""
        bare, bare_before = (replace(one, outgoing=(), incoming=()) for one in (view, before))
        if self._to_fill or bare != bare_before or describing(view) != describing(before):
            return False
        changed: list[tuple[PropertyView, bool]] = []
        for number, (old, new) in enumerate(zip(sections(before), sections(view), strict=True)):
            if [one.predicate for one in old] != [one.predicate for one in new]:
                return False
            changed += [(one, number >= 2) for one, was in zip(new, old, strict=True) if one != was]
        if len(changed) > MOST_CHANGED:
            return False
        for one, incoming in changed:
            if (place := self._places.get((one.predicate.value, incoming))) is not None:  # it may be collapsed
                grid, row = place
                for column in range(2):
                    item = grid.itemAtPosition(row, column)
                    if item is not None and (part := item.widget()) is not None:
                        self._take_out(grid, part)
                self._add_property(grid, row, one, incoming=incoming)
        self._filling.start()
        return True

    def _take_out(self, layout: QLayout, part: QWidget) -> None:
        """Remove a widget; the focus, if it was inside, stays in the pane.

        It is deleted later, because that takes as long as creating it.
        """
        line = QApplication.focusWidget()
        if line is not None and part.isAncestorOf(line):
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        layout.removeWidget(part)
        part.hide()
        part.deleteLater()

    def _fill_some(self) -> None:
        """Add more lines for `AT_ONCE` seconds; when all are added, set the tab order."""
        if not self._to_fill:
            follow(self, self._content)
            self._frame.activate()
            if self.verticalScrollBar().value() < self._back_to:
                self.verticalScrollBar().setValue(self._back_to)
            self._back_to = 0
            return
        until = time.perf_counter() + AT_ONCE
        while self._to_fill:
            self._to_fill.popleft()()
            if time.perf_counter() > until:
                break
        self._filling.start()  # continue, or finish after the layout

    def _add_head(self, column: QVBoxLayout, view: ResourceView) -> None:
        title = TextBlock(brief(view.ref.label, LONGEST_TITLE), size=TITLE, weight=600)
        title.setToolTip(plain_tip(shortened(view.ref.label)))
        column.addWidget(title)
        if view.types:
            chips = QWidget()
            flow = FlowLayout(chips)
            labels = [cls.label for cls in view.types]
            for cls in view.types:
                name = cls.curie if labels.count(cls.label) > 1 else ""
                chip = Chip(cls, name=name, inferred=cls in view.inferred_types)
                chip.clicked.connect(lambda _=False, ref=cls: self.opened.emit(ref.resource))
                flow.addWidget(chip)
            column.addWidget(chips)
        if view.inferred_types:
            column.addWidget(self._why_classes(view))
        row = QHBoxLayout()
        row.setSpacing(GRID // 2)
        row.addWidget(TextBlock(view.ref.iri, size=SMALL, muted=True), 1)
        row.addWidget(action_button(self._copy))
        column.addLayout(row)
        buttons = QWidget()
        line = OneLine(buttons)
        for action in self._actions:
            line.addWidget(action_button(action, BOTH))
        column.addWidget(buttons)

    def _add_description(self, column: QVBoxLayout, view: ResourceView) -> None:
        if not view.description:
            return
        stated = describing(view)
        block = TextBlock(view.description)
        if stated is not None:
            block.setToolTip(plain_tip(stated_in(stated, self._graphs)))
        column.addSpacing(GRID // 2)
        column.addWidget(block)

    def _add_section(
        self, column: QVBoxLayout, title: str, properties: Sequence[PropertyView], *, incoming: bool
    ) -> None:
        if not properties:
            return
        column.addSpacing(GRID)
        column.addWidget(caption(title))
        column.addLayout(self._grid(properties, incoming=incoming))

    def _add_inferred(
        self, column: QVBoxLayout, title: str, properties: Sequence[PropertyView], *, incoming: bool
    ) -> None:
        """Add inferred properties, collapsed because they mostly repeat what is stated."""
        fold = _INFERRED_IN if incoming else _INFERRED_OUT
        if fold in self._unfolded:
            self._add_section(column, title, properties, incoming=incoming)
        elif properties:
            column.addSpacing(GRID)
            names = ", ".join(dict.fromkeys(one.label for one in properties))
            link = LinkBlock(f"{title}: show {len(properties):,}")
            link.setToolTip(plain_tip(names))
            link.clicked.connect(lambda: self._unfold(fold))
            column.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_fields(self, column: QVBoxLayout, fields: Sequence[tuple[TermCount, DomainReason]]) -> None:
        if not fields:
            return
        listed = InstanceFields(fields, whole=_FIELDS in self._unfolded)
        listed.opened.connect(self.opened)
        listed.all_wanted.connect(lambda: self._unfold(_FIELDS))
        column.addSpacing(GRID)
        column.addWidget(listed)

    def _grid(self, properties: Iterable[PropertyView], *, incoming: bool) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2 + 2)
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        for row, one in enumerate(properties):
            if time.perf_counter() < self._enough:
                self._add_property(grid, row, one, incoming=incoming)
            else:
                self._to_fill.append(partial(self._add_property, grid, row, one, incoming=incoming))
        return grid

    def _add_property(self, grid: QGridLayout, row: int, one: PropertyView, *, incoming: bool) -> None:
        self._places[one.predicate.value, incoming] = grid, row
        name = TextBlock(one.label, f"{one.total}" if incoming else "", muted=True)
        name.setFixedWidth(LABEL_WIDTH)
        name.setToolTip(plain_tip("\n".join(part for part in (one.predicate.value, one.comment) if part)))
        grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._values(one, incoming=incoming), row, 1)

    def _values(self, one: PropertyView, *, incoming: bool) -> QWidget:
        unfolded = (one.predicate.value, incoming) in self._unfolded
        shown = one.values if unfolded else one.values[:FIRST_VALUES]
        about = self._view.ref.label if self._view is not None else ""
        lines = ValueLines(shown, ValueContext(about, self._graphs, lambda ref: self.opened.emit(ref.resource)))
        for number, (value, block) in enumerate(zip(shown, lines.blocks, strict=True)):
            stating = [graph for graph in value.graphs if graph != INFERRED]
            if stating and not incoming:
                block.offers = ((WHERE_FROM, partial(self._ask_where_from, one, value, stating[0])),)
            if value.origin is Origin.INFERRED:
                lines.add_below(number, self._why(one, value, incoming=incoming))
        if one.total.value > len(shown):
            more = LinkBlock(f"Show all {one.total}")
            more.setAccessibleName(f"Show all {one.total} of {one.label}")
            more.clicked.connect(lambda: self._show_all(one, incoming=incoming))
            lines.add_last(more)
        return lines

    def _why(self, one: PropertyView, value: ValueView, *, incoming: bool) -> QWidget:
        """The line below an inferred value, with a link to the reason."""
        row = QWidget()
        flow = FlowLayout(row, GRID)
        flow.addWidget(TextBlock("inferred", size=SMALL, muted=True))
        link = LinkBlock("Why?", size=SMALL)
        link.setAccessibleName(f"Why {one.label} {value.text}?")
        link.setToolTip("Show the rule and the premises")
        link.clicked.connect(lambda: self._ask_why(one, value, incoming=incoming))
        flow.addWidget(link)
        return row

    def _why_classes(self, view: ResourceView) -> QWidget:
        """The line below the classes, with links to the reasons of inferred ones."""
        row = QWidget()
        flow = FlowLayout(row, GRID)
        if len(view.inferred_types) > FIRST_REASONS and _REASONS not in self._unfolded:
            fold = LinkBlock(f"{len(view.inferred_types)} classes are inferred: why?", size=SMALL)
            fold.clicked.connect(lambda: self._unfold(_REASONS))
            flow.addWidget(fold)
            return row
        flow.addWidget(TextBlock("inferred", size=SMALL, muted=True))
        for cls in view.inferred_types:
            link = LinkBlock(f"Why {cls.label}?", size=SMALL)
            link.setToolTip("Show the rule and the premises")
            triple = Triple(view.ref.resource, RDF.type, cls.resource)
            link.clicked.connect(lambda _=False, triple=triple: self.why_wanted.emit(triple))
            flow.addWidget(link)
        return row

    def _ask_why(self, one: PropertyView, value: ValueView, *, incoming: bool) -> None:
        if self._view is None:
            return
        here = self._view.ref.resource
        subject, target = (value.term, here) if incoming else (here, value.term)
        self.why_wanted.emit(Triple(subject, one.predicate, target))  # type: ignore[arg-type]  # links have subjects

    def _ask_where_from(self, one: PropertyView, value: ValueView, graph: GraphName) -> None:
        if self._view is not None:
            self.where_from_wanted.emit(Quad(self._view.ref.resource, one.predicate, value.term, graph))

    def _show_all(self, one: PropertyView, *, incoming: bool) -> None:
        if len(one.values) >= one.total.value and one.total.value <= MOST_INLINE:
            self._unfold((one.predicate.value, incoming))
        else:
            self.all_wanted.emit(one, incoming)

    def _unfold(self, what: tuple[str, bool]) -> None:
        self._unfolded.add(what)
        at = self.verticalScrollBar().value()
        self._rebuild()
        self.verticalScrollBar().setValue(at)
        self._back_to = at
