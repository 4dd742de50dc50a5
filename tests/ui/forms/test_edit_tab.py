"""The tab Edit: its pages come as they are mounted, in one order."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.widgets.edit_tab import EditTab, EditView
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User


def test_the_tab_opens_by_its_key(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.press("Ctrl+7")
    assert window.navigator.place.view is View.EDIT
    assert window.pictures.edit.isVisible()
    assert window.pictures.edit.view is EditView.FORM


def test_pages_stand_in_one_order_whenever_they_are_mounted(qtbot: QtBot) -> None:
    tab = EditTab()
    qtbot.addWidget(tab)
    check, form = QLabel("check"), QLabel("form")
    tab.mount(EditView.CHECK, lambda: check)
    tab.mount(EditView.FORM, lambda: form)
    assert [tab.views.tabText(number) for number in range(tab.views.count())] == ["Form", "Check"]
    assert tab.view is EditView.CHECK
    assert tab.front is check
    tab.show_view(EditView.FORM)
    assert tab.front is form


def test_a_page_is_told_of_when_it_comes_into_sight(qtbot: QtBot) -> None:
    tab = EditTab()
    qtbot.addWidget(tab)
    seen: list[EditView] = []
    tab.view_wanted.connect(seen.append)
    tab.mount(EditView.FORM, QLabel)
    tab.mount(EditView.CHANGES, QLabel)
    tab.title(EditView.CHANGES, "Changes · 3")
    assert seen == []
    tab.show_view(EditView.CHANGES)
    assert seen == [EditView.CHANGES]
    assert tab.views.tabText(1) == "Changes · 3"
