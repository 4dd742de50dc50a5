"""The inspector: all that the graph says about one resource, with links to follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from hpc_explorer.app.views import PropertyView, ResourceView, TermCount, ValueView
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import BlankNode, GraphName, Triple
from hpc_explorer.ui.action_button import BOTH, action_button
from hpc_explorer.ui.chip import Chip
from hpc_explorer.ui.flow import FlowLayout
from hpc_explorer.ui.text import LinkBlock, TextBlock, caption, shortened
from hpc_explorer.ui.theme import GRID, SMALL, TITLE, font

FIRST_VALUES = 6
"""How many values of a property are shown before "show all" is asked for."""

MOST_INLINE = 50
"""Up to this many values unfold in place; more open in a list of their own."""

LONGEST_TITLE = 140
"""Characters of a name that stand at the top; all of them stand among the properties."""

FIRST_FIELDS = 12
"""How many properties of a class's instances are shown before "show all" is asked for."""

FIRST_REASONS = 2
"""How many inferred classes have their "Why?" in sight; of more, all have it behind one link."""

_FIELDS, _REASONS = ("", False), ("", True)
_INFERRED_OUT, _INFERRED_IN = ("inferred", False), ("inferred", True)

_EXPLAINED = {
    DomainReason.DOMAIN: "Whatever has this property is an instance of this class or one above it (rdfs:domain)",
    DomainReason.DOMAIN_INCLUDES: "Meant for instances of this class or one above it (schema:domainIncludes)",
    DomainReason.USE: "Instances of this class use it",
}

LABEL_WIDTH = 13 * GRID
NESTED_WIDTH = 8 * GRID
"""Pixels for the names of properties, and for those of a blank node's."""


class Inspector(QScrollArea):
    """Shows a `ResourceView`.

    Args:
        actions: what can be done with the resource, as buttons below its name.
        copy: puts its IRI on the clipboard.

    Signals:
        opened(Resource): a link was followed.
        why_wanted(Triple): the reason of an inferred statement is wanted.
        all_wanted(PropertyView, bool): all values of a property are wanted, or with True all links of one kind
            that come in.
    """

    opened = Signal(object)
    why_wanted = Signal(object)
    all_wanted = Signal(object, bool)

    def __init__(self, actions: Sequence[QAction], copy: QAction, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Inspector")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._actions = tuple(actions)
        self._copy = copy
        self._theme = theme
        self._view: ResourceView | None = None
        self._graphs: Mapping[GraphName, str] = {}
        self._fields: tuple[tuple[TermCount, DomainReason], ...] = ()
        self._unfolded: set[tuple[str, bool]] = set()
        self._rebuild()

    @property
    def view(self) -> ResourceView | None:
        """What is shown."""
        return self._view

    def show_resource(
        self,
        view: ResourceView | None,
        graphs: Mapping[GraphName, str],
        fields: Sequence[tuple[TermCount, DomainReason]] = (),
    ) -> None:
        """Show a resource; None: say what this pane is for.

        Args:
            graphs: the name of the source that each graph came from.
            fields: of a class, the properties that its instances have or may have, and why each is one.
        """
        same = view is not None and self._view is not None and view.ref.resource == self._view.ref.resource
        self._view, self._graphs, self._fields = view, graphs, tuple(fields)
        if not same:
            self._unfolded = set()
        self._rebuild()
        if not same:
            self.verticalScrollBar().setValue(0)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._theme = theme
        for chip in self.findChildren(Chip):
            chip.set_theme(theme)

    def _rebuild(self) -> None:
        content = QWidget()
        content.setObjectName("inspected")
        column = QVBoxLayout(content)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        if self._view is None:
            hint = "Choose a resource: click a node of the picture, a class's instance, or search for it."
            column.addWidget(TextBlock("Nothing chosen", weight=600))
            column.addWidget(TextBlock(hint, muted=True))
        else:
            self._add_head(column, self._view)
            described = self._add_description(column, self._view)
            stated, inferred = parted(without(self._view.outgoing, described))
            self._add_section(column, "Properties", stated, incoming=False)
            self._add_inferred(column, "Inferred properties", inferred, incoming=False)
            self._add_fields(column, self._fields)
            stated, inferred = parted(self._view.incoming)
            self._add_section(column, "Links to this", stated, incoming=True)
            self._add_inferred(column, "Inferred links to this", inferred, incoming=True)
        column.addStretch(1)
        self.setWidget(content)

    def _add_head(self, column: QVBoxLayout, view: ResourceView) -> None:
        title = TextBlock(brief(view.ref.label, LONGEST_TITLE), size=TITLE, weight=600)
        title.setToolTip(shortened(view.ref.label))
        column.addWidget(title)
        if view.types:
            chips = QWidget()
            flow = FlowLayout(chips)
            for cls in view.types:
                chip = Chip(cls, self._theme, inferred=cls in view.inferred_types)
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
        flow = FlowLayout(buttons)
        for action in self._actions:
            flow.addWidget(action_button(action, BOTH))
        column.addWidget(buttons)

    def _add_description(self, column: QVBoxLayout, view: ResourceView) -> ValueView | None:
        """The description above everything else; returns the value that says it, if one does."""
        if not view.description:
            return None
        stated = next((value for one in view.outgoing for value in one.values if value.text == view.description), None)
        block = TextBlock(view.description)
        if stated is not None:
            block.setToolTip(self._stated_in(stated))
        column.addSpacing(GRID // 2)
        column.addWidget(block)
        return stated

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
        """What only follows from the rest, folded: it mostly says again, in other words, what is stated."""
        fold = _INFERRED_IN if incoming else _INFERRED_OUT
        if fold in self._unfolded:
            self._add_section(column, title, properties, incoming=incoming)
        elif properties:
            column.addSpacing(GRID)
            names = ", ".join(dict.fromkeys(one.label for one in properties))
            link = LinkBlock(f"{title}: show {len(properties):,}")
            link.setToolTip(names)
            link.clicked.connect(lambda: self._unfold(fold))
            column.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_fields(self, column: QVBoxLayout, fields: Sequence[tuple[TermCount, DomainReason]]) -> None:
        """The properties of a class's instances, the most used first: those nobody uses yet are still possible."""
        if not fields:
            return
        column.addSpacing(GRID)
        column.addWidget(caption("Properties of its instances"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(0, 1)
        used = sorted(fields, key=lambda field: -field[0].count.value)
        labels = Counter(item.label for item, _ in used)
        shown = used if _FIELDS in self._unfolded else used[:FIRST_FIELDS]
        for row, (item, reason) in enumerate(shown):
            link = LinkBlock(item.label, item.curie if labels[item.label] > 1 else "")
            link.setToolTip(f"{item.term.value}\n{_EXPLAINED[reason]}")
            link.clicked.connect(lambda _=False, term=item.term: self.opened.emit(term))
            grid.addWidget(link, row, 0, Qt.AlignmentFlag.AlignLeft)
            number = QLabel(str(item.count))
            number.setFont(font(figures=True))
            number.setProperty("role", "muted")
            number.setToolTip("How many statements of the whole graph use it")
            grid.addWidget(number, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        column.addLayout(grid)
        if len(shown) < len(used):
            more = LinkBlock(f"Show all {len(used):,}")
            more.setAccessibleName(f"Show all {len(used):,} properties of its instances")
            more.clicked.connect(lambda: self._unfold(_FIELDS))
            column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _grid(self, properties: Iterable[PropertyView], *, incoming: bool) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2 + 2)
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        for row, one in enumerate(properties):
            name = TextBlock(one.label, f"{one.total}" if incoming else "", muted=True)
            name.setFixedWidth(LABEL_WIDTH)
            name.setToolTip("\n".join(part for part in (one.predicate.value, one.comment) if part))
            grid.addWidget(name, row, 0, top)
            grid.addWidget(self._values(one, incoming=incoming), row, 1)
        return grid

    def _values(self, one: PropertyView, *, incoming: bool) -> QWidget:
        unfolded = (one.predicate.value, incoming) in self._unfolded
        shown = one.values if unfolded else one.values[:FIRST_VALUES]
        box = self._value_lines(shown)
        lines = box.layout()
        for number, value in reversed(list(enumerate(shown))):
            if value.origin is Origin.INFERRED and isinstance(lines, QVBoxLayout):
                lines.insertWidget(number + 1, self._why(one, value, incoming=incoming))
        if one.total.value > len(shown) and lines is not None:
            more = LinkBlock(f"Show all {one.total}")
            more.setAccessibleName(f"Show all {one.total} of {one.label}")
            more.clicked.connect(lambda: self._show_all(one, incoming=incoming))
            lines.addWidget(more)
        return box

    def _why(self, one: PropertyView, value: ValueView, *, incoming: bool) -> QWidget:
        """The line below an inferred value: that it is one, and the way to the reason."""
        row = QWidget()
        flow = FlowLayout(row, GRID)
        flow.addWidget(TextBlock("inferred", size=SMALL, muted=True))
        link = LinkBlock("Why?", size=SMALL)
        link.setAccessibleName(f"Why {one.label} {value.text}?")
        link.setToolTip("Show the rule and the statements that this follows from")
        link.clicked.connect(lambda: self._ask_why(one, value, incoming=incoming))
        flow.addWidget(link)
        return row

    def _why_classes(self, view: ResourceView) -> QWidget:
        """The line below the classes: which of them are inferred, each with the way to the reason."""
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
            link.setToolTip("Show the rule and the statements that this follows from")
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

    def _add_value(self, lines: QVBoxLayout, value: ValueView, depth: int) -> None:
        block: TextBlock | LinkBlock
        if value.target is None:
            block = TextBlock(value.text, value.detail)
        else:
            target = value.target
            # A blank node has no name: what is inside it says more, and its class is the link to it.
            unnamed = isinstance(value.term, BlankNode) and value.parts and value.detail
            said = "" if self._view is not None and value.detail == self._view.ref.label else value.detail
            block = LinkBlock(value.detail) if unnamed else LinkBlock(value.text, said)
            block.clicked.connect(lambda: self.opened.emit(target.resource))
        tip = [value.target.iri] if value.target is not None else []
        block.setToolTip("\n".join([*tip, self._stated_in(value)]))
        lines.addWidget(block)
        if value.parts:
            lines.addWidget(self._parts(value.parts, depth + 1))

    def _parts(self, parts: Sequence[PropertyView], depth: int) -> QWidget:
        """A blank node's own properties, behind a line that says they belong to it; deep ones name above value."""
        box = _Nested()
        grid = QGridLayout(box)
        grid.setContentsMargins(GRID + 4, 1, 0, 1)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(2)
        beside = depth == 1
        grid.setColumnStretch(int(beside), 1)
        for row, one in enumerate(parts):
            name = TextBlock(one.label, muted=True)
            name.setToolTip(one.predicate.value)
            values = self._value_lines(one.values[:MOST_INLINE], depth)
            if beside:
                name.setFixedWidth(NESTED_WIDTH)
                grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(values, row, 1)
            else:
                grid.addWidget(name, 2 * row, 0)
                grid.addWidget(values, 2 * row + 1, 0)
        return box

    def _value_lines(self, values: Sequence[ValueView], depth: int = 0) -> QWidget:
        box = QWidget()
        lines = QVBoxLayout(box)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(2)
        for value in values:
            self._add_value(lines, value, depth)
        return box

    def _stated_in(self, value: ValueView) -> str:
        if value.origin is Origin.INFERRED:
            return "Inferred from what the sources state"
        names = [self._graphs.get(graph) or str(graph) for graph in value.graphs if graph != INFERRED]
        return "Stated in " + ", ".join(dict.fromkeys(names))

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


class _Nested(QWidget):
    """A group of lines with a thin rule on their left."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(3, 0, 1, self.height()), self.palette().color(QPalette.ColorRole.Mid))


def without(properties: Sequence[PropertyView], shown: ValueView | None) -> tuple[PropertyView, ...]:
    """The properties without a value that already stands elsewhere, where it is the only one of its property."""
    return tuple(one for one in properties if shown is None or one.values != (shown,))


def parted(properties: Sequence[PropertyView]) -> tuple[tuple[PropertyView, ...], tuple[PropertyView, ...]]:
    """The properties of which a source states a value, and those whose values are all inferred."""
    inferred = [one for one in properties if all(value.origin is Origin.INFERRED for value in one.values)]
    return tuple(one for one in properties if one not in inferred), tuple(inferred)
