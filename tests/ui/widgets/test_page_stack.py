"""Stacks of pages: a late page becomes a part of the window when it is first shown, in its place."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.ui.widgets.page_stack import PageStack


def page_of(*widgets: QWidget) -> QWidget:
    """A page with these widgets."""
    page = QWidget()
    column = QVBoxLayout(page)
    for widget in widgets:
        column.addWidget(widget)
    return page


def test_a_late_page_is_added_in_its_place_when_it_is_first_shown(qtbot: QtBot) -> None:
    window, stack, after = QWidget(), PageStack(), QPushButton("after")
    qtbot.addWidget(window)
    first, second, third = QLineEdit(), QLineEdit(), QLineEdit()
    pages = page_of(first), page_of(second), page_of(third)
    stack.addWidget(pages[0])
    stack.add_late(pages[1])
    stack.add_late(pages[2])
    row = QHBoxLayout(window)
    row.addWidget(stack)
    row.addWidget(after)
    with qtbot.waitExposed(window):
        window.show()
    assert (second.window() is window, third.window() is window) == (False, False)
    stack.setCurrentWidget(pages[2])
    assert third.isVisible()
    assert stack.currentIndex() == 2
    assert second.window() is not window
    stack.setCurrentIndex(1)
    assert second.isVisible()
    assert stack.count() == 3
    # The tab order is that of the pages, however late they came.
    order = [first]
    while len(order) < 4:
        following = order[-1].nextInFocusChain()
        while following not in (first, second, third, after):
            following = following.nextInFocusChain()
        order.append(following)
    assert order == [first, second, third, after]
    stack.setCurrentIndex(2)
    assert stack.currentWidget() is pages[2]
