"""The values of a resource as lines: links, texts, and blank nodes with their properties below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QGridLayout, QWidget

from hpc_explorer.app.views import PropertyView, ResourceRef, ValueView
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import BlankNode, GraphName
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.widgets.theme import GRID

MOST_INLINE = 50
"""The most values of a property as lines; more are listed in a dialog."""

NESTED_WIDTH = 8 * GRID
"""Pixels of the property names of blank nodes."""


@dataclass(frozen=True)
class ValueContext:
    """What the lines of values need.

    Args:
        about: the label of the resource.
        graphs: the title of the source of each graph.
        open: follows a link.
    """

    about: str
    graphs: Mapping[GraphName, str]
    open: Callable[[ResourceRef], None]


class ValueLines(QWidget):
    """Values, one below the other.

    Args:
        depth: the number of enclosing blank nodes.

    Attributes:
        blocks: the text of each value.
    """

    def __init__(self, values: Sequence[ValueView], context: ValueContext, depth: int = 0) -> None:
        super().__init__()
        self._lines = column_in(self, spacing=2)
        self.blocks: list[TextBlock | LinkBlock] = []
        for value in values:
            block = _block(value, context)
            self.blocks.append(block)
            self._lines.addWidget(block)
            if value.parts:
                self._lines.addWidget(_parts(value.parts, context, depth + 1))

    def add_below(self, number: int, remark: QWidget) -> None:
        """Add a remark below a value."""
        self._lines.insertWidget(self._lines.indexOf(self.blocks[number]) + 1, remark)

    def add_last(self, remark: QWidget) -> None:
        """Add a remark below all values."""
        self._lines.addWidget(remark)


def stated_in(value: ValueView, graphs: Mapping[GraphName, str]) -> str:
    """The titles of the sources that state a value.

    Args:
        graphs: the title of the source of each graph.
    """
    if value.origin is Origin.INFERRED:
        return "Inferred from the sources"
    names = [graphs.get(graph) or str(graph) for graph in value.graphs if graph != INFERRED]
    return "Stated in " + ", ".join(dict.fromkeys(names))


def _block(value: ValueView, context: ValueContext) -> TextBlock | LinkBlock:
    tip = stated_in(value, context.graphs)
    if value.target is None:
        text = TextBlock(value.text, value.detail)
        text.setToolTip(plain_tip(tip))
        return text
    target = value.target
    # A blank node has no name; its class is the link to it.
    unnamed = isinstance(value.term, BlankNode) and value.parts and value.detail
    said = "" if value.detail == context.about else value.detail
    link = LinkBlock(value.detail) if unnamed else LinkBlock(value.text, said)
    link.clicked.connect(lambda: context.open(target))
    link.setToolTip(plain_tip(f"{target.iri}\n{tip}"))
    return link


def _parts(parts: Sequence[PropertyView], context: ValueContext, depth: int) -> QWidget:
    """The properties of a blank node beside a rule; on deeper levels, values are below the names."""
    box = _Nested()
    grid = QGridLayout(box)
    grid.setContentsMargins(GRID + 4, 1, 0, 1)
    grid.setHorizontalSpacing(GRID)
    grid.setVerticalSpacing(2)
    beside = depth == 1
    grid.setColumnStretch(int(beside), 1)
    for row, one in enumerate(parts):
        name = TextBlock(one.label, muted=True)
        name.setToolTip(plain_tip(one.predicate.value))
        values = ValueLines(one.values[:MOST_INLINE], context, depth)
        left = one.total.value - min(len(one.values), MOST_INLINE)
        if left > 0:
            remark = f"and {left:,} more: open the node, its page has all"
            values.add_last(TextBlock(remark, muted=True))
        if beside:
            name.setFixedWidth(NESTED_WIDTH)
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(values, row, 1)
        else:
            grid.addWidget(name, 2 * row, 0)
            grid.addWidget(values, 2 * row + 1, 0)
    return box


class _Nested(QWidget):
    """Lines with a thin rule at their left."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(3, 0, 1, self.height()), self.palette().color(QPalette.ColorRole.Mid))
