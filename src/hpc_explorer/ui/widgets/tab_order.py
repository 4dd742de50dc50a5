"""The way of Tab through what is made while the window is in use: as it stands there, not as it was made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget


def follow(before: QWidget, part: QWidget) -> None:
    """Have Tab go from a widget through all of a part of the window, and then on to where it went from that widget.

    Qt puts what is made later at the end of the way. A part inside must not hand the keyboard on to another one
    (`QWidget.setFocusProxy`), but for what Qt itself makes so: Qt takes such a part for a stop of its own, which stays
    where it was.

    Args:
        before: where Tab stops before the part.
    """
    for one, after in pairwise((before, *stops(part))):
        QWidget.setTabOrder(one, after)


def to_end(part: QWidget) -> None:
    """Have Tab come to a stop after all others there are in its window."""
    last = part.window().previousInFocusChain()
    while last is not None and not last.focusPolicy() & Qt.FocusPolicy.TabFocus:
        last = last.previousInFocusChain()
    if last is not None:
        QWidget.setTabOrder(last, part)


def stops(part: QWidget) -> Iterator[QWidget]:
    """Where Tab stops in a part of the window, from top to bottom; what is hidden or greyed out counts too."""
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
