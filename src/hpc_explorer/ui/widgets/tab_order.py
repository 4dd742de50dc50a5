"""Sets the tab order of widgets that are created later: by their place, not by their creation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget

from hpc_explorer.ui.widgets.one_line import OneLine


def follow(before: QWidget, part: QWidget) -> None:
    """Insert all widgets of a part into the tab order after a widget.

    Qt appends new widgets to the end. Widgets inside must not have a focus proxy, except Qt's own, because Qt keeps
    those as separate stops.

    Args:
        before: the stop before the part.
    """
    for one, after in pairwise((before, *stops(part))):
        QWidget.setTabOrder(one, after)


def to_end(part: QWidget) -> None:
    """Move a widget to the end of its window's tab order."""
    last = part.window().previousInFocusChain()
    while last is not None and not last.focusPolicy() & Qt.FocusPolicy.TabFocus:
        last = last.previousInFocusChain()
    if last is not None:
        QWidget.setTabOrder(last, part)


def stops(part: QWidget) -> Iterator[QWidget]:
    """The tab stops in a part of the window from top to bottom, including hidden and disabled ones."""
    if part.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield part
    layout = part.layout()
    if layout is not None:
        yield from _stops_of(layout)


def _stops_of(layout: QLayout) -> Iterator[QWidget]:
    for number in range(layout.count()):
        item = layout.itemAt(number)
        if item is None:
            continue
        if (widget := item.widget()) is not None:
            yield from stops(widget)
        elif (inner := item.layout()) is not None:
            yield from _stops_of(inner)
    if isinstance(layout, OneLine):
        yield layout.more
