"""Sizes: the window fits its screen, the main view keeps half of the window, and toolbars stay in one line."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QDialogButtonBox, QToolButton
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ui.bridge.navigator import VIEWS, View
from hpc_explorer.ui.explore.browser import DRAWERS
from hpc_explorer.ui.widgets.dialog_size import fit_into
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window import layout
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User, open_window

SIZES = [(640, 330), (1000, 650), (1280, 720), (1440, 900), (1920, 1080)]
"""Widths and heights in pixels; the first is a screen of 1280 by 720 at 200 %, less its title bar."""


@pytest.mark.parametrize("size", [*SIZES[:2], *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[2:])])
def test_the_main_view_keeps_half_of_the_window(window: MainWindow, user: User, size: tuple[int, int]) -> None:
    user.open_sample()
    user.search("decisionTree")
    window.resize(*size)
    QApplication.processEvents()
    window.resize(*size)  # panes that were closed for lack of width had needed more height
    for view in VIEWS:
        window.navigator.show_view(view)
        user.rest()
        assert (window.width(), window.height()) == size, f"{view} needs more room"
        assert window.pictures.width() * 2 >= window.width(), view
        page = window.pictures.stack
        assert page.height() * 2 >= window.height() - 30, view
        lines = {
            button.y() + button.height() // 2
            for button in window.pictures.lineage.toolbar.children()
            if isinstance(button, QAbstractButton) and button.isVisible() and button.x() < window.width()
        }
        assert view is not View.LINEAGE or len(lines) == 1


def test_no_text_is_cut_or_squeezed_in_the_smallest_window(window: MainWindow, user: User) -> None:
    window.resize(*SIZES[0])
    user.rest()
    for text in window.start_page.findChildren(TextBlock):
        assert not text.isVisible() or text.width() >= 20 * GRID or text.height() < 6 * GRID, text.text()
    user.open_sample()
    user.search("decisionTree")
    window.navigator.show_view(View.EDIT)
    user.rest()
    head = window.features.form.page.head
    for text in head.findChildren(TextBlock):
        assert not text.isVisible() or text.height() >= text.heightForWidth(text.width()), text.text()


def test_what_does_not_fit_into_a_toolbar_is_in_its_menu(window: MainWindow, user: User) -> None:
    user.open_sample()
    user.search("decisionTree")
    window.resize(640, 400)
    user.trace()
    toolbar = window.pictures.lineage.toolbar
    more = next(one for one in toolbar.findChildren(QToolButton) if one.accessibleName() == "More")
    assert more.isVisible()
    more.menu().aboutToShow.emit()
    next(one for one in more.menu().actions() if one.iconText() == "As of…").trigger()
    user.rest()
    assert window.pictures.lineage.time_bar.isVisible()
    window.resize(1900, 900)
    user.rest()
    assert not more.isVisible()


def test_a_drawer_that_was_asked_for_is_shown_in_a_narrow_window(
    qapp: QApplication, qtbot: QtBot, window: MainWindow
) -> None:
    narrow = open_window(qapp, qtbot, Settings())
    user = User(qtbot, narrow)
    user.open_sample()
    user.search("decisionTree")
    narrow.resize(640, 400)
    assert not narrow.inspector.isVisible()
    shown = narrow.commands.action("view.inspector")
    user.until(lambda: not shown.isChecked())
    user.click(user.button("Inspector", narrow))
    assert narrow.inspector.isVisible()
    user.until(shown.isChecked)
    assert narrow.pictures.width() * 2 >= narrow.width()
    narrow.close()


def test_the_left_drawers_open_again_after_each_was_closed(window: MainWindow, user: User) -> None:
    user.open_sample()
    if not window.browser.isVisible():
        window.run("view.browser")
    for name in DRAWERS:
        window.run(f"view.drawer:{name}")
    assert not window.browser.isVisible()
    window.run("view.browser")
    assert window.browser.isVisible()
    window.run("view.browser")
    assert not window.browser.isVisible()


def test_the_window_opens_within_its_screen_and_where_it_was(
    qapp: QApplication, qtbot: QtBot, window: MainWindow
) -> None:
    screen = window.screen()
    room = screen.availableGeometry()
    name = layout.screen_name(screen)
    for kept in ({}, {name: (-500, -500, 9_000, 9_000, 0, 200, 400, 200)}, {"1x1": (0, 0, 300, 200, 0, 1, 1, 1)}):
        preferences = Settings(layouts=kept)
        again = MainWindow(Session.new(), preferences)
        assert room.contains(again.frameGeometry().topLeft() + QPoint(1, 1))
        assert again.width() <= room.width()
        assert again.height() <= room.height()
        again.close()
        again.deleteLater()


def test_each_size_of_screen_keeps_its_own_layout(qapp: QApplication, qtbot: QtBot, window: MainWindow) -> None:
    name = layout.screen_name(window.screen())
    window.resize(700, 500)
    window.close()
    kept = Settings.load().layouts
    assert kept[name][2:4] == (700, 500)
    other = open_window(qapp, qtbot, Settings(layouts={"1x1": (0, 0, 300, 200, 0, 1, 1, 1)}))
    other.close()
    assert set(Settings.load().layouts) == {"1x1", name}


DIALOGS = (
    *("file.open_address", "file.load", "file.convert_table", "file.describe_model", "file.drafts", "file.samples"),
    *("file.push", "file.export", "file.export_picture", "resource.share", "resource.history", "resource.where_from"),
    *("edit.describe", "edit.add_class", "edit.remove", "edit.settings", "changes.export", "view.looks"),
    *("go.compare", "graph.save_view", "ask.english", "ask.workflows"),
    *("help.guide", "help.palette", "help.keyboard", "help.about"),
)
"""Commands that open a dialog."""

SMALL = QSize(624, 312)
"""What a screen of 1280 by 720 at 200 % leaves of its pixels within the frame of a window."""


@pytest.mark.parametrize(
    "commands",
    [
        ("edit.settings", "file.convert_table", "file.export", "edit.describe"),
        pytest.param(DIALOGS, marks=pytest.mark.slow),
    ],
    ids=["some", "all"],
)
def test_dialogs_fit_a_small_screen(window: MainWindow, user: User, commands: tuple[str, ...]) -> None:
    user.open_sample()
    window.run("edit.start")
    user.rest()
    user.search("decisionTree")
    window.run("graph.add")
    user.rest()
    screen = window.screen().availableGeometry()
    for command in commands:
        view = {"edit": View.EDIT, "graph": View.GRAPH, "ask": View.ASK, "sparql": View.ASK}.get(
            command.partition(".")[0]
        )
        window.navigator.show_view(view or View.EXPLORE)
        user.rest()
        window.run(command)
        user.rest()
        found = [one for one in window.findChildren(QDialog) if one.isVisible()]
        assert found, command
        dialog = found[-1]
        assert screen.contains(dialog.geometry()), f"{command}: {dialog.geometry()} is outside of {screen}"
        fit_into(dialog, SMALL)
        QApplication.processEvents()
        assert (dialog.size().boundedTo(SMALL), dialog.size()) == (dialog.size(), dialog.size()), command
        for button in dialog.findChildren(QDialogButtonBox):
            shown = QRect(button.mapTo(dialog, QPoint()), button.size())
            assert not button.isVisible() or dialog.rect().contains(shown), f"{command}: the buttons are out of sight"
        dialog.reject()
        user.rest()


def test_an_overview_is_whole_and_a_query_has_the_width_in_a_small_window(
    qapp: QApplication, qtbot: QtBot, window: MainWindow
) -> None:
    fresh = open_window(qapp, qtbot, Settings())
    user = User(qtbot, fresh)
    fresh.resize(1000, 650)
    user.open_sample()
    user.search("decisionTree")
    canvas = fresh.pictures.canvas
    assert fresh.inspector.isVisible()
    for node in canvas.scene().nodes:
        card = canvas.view_rect(node.key)
        assert card is not None
        area = QRect(round(card.x), round(card.y), round(card.width), round(card.height))
        assert canvas.rect().contains(area), f"{node.label} is cut"
    fresh.navigator.show_view(View.ASK)
    user.rest()
    assert not fresh.inspector.isVisible()
    fresh.run("view.inspector")
    assert fresh.inspector.isVisible()
    fresh.close()
