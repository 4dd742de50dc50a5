"""The window as a whole: opening, failing, closing, its commands, its look, and how it is reached by keyboard and ear."""

from __future__ import annotations

import gzip
import threading
from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QAccessible, QDropEvent, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import Settings, settings_file
from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.canvas.palette import DARK, LIGHT
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.ui.bridge.commands import NOTHING
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.export.dialog import ExportDialog
from hpc_explorer.ui.widgets.theme import icon
from hpc_explorer.ui.window.command_palette import CommandPalette
from hpc_explorer.ui.window.dialogs import AboutDialog, KeyboardDialog
from hpc_explorer.ui.window.layout import screen_name
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User, open_window

BROKEN = "@prefix : <http://example.org/> .\n:a :b :c .\n:a :b\n"


def triples(window: MainWindow) -> str:
    return window.features.overview.size_label.text()


# Opening and closing


def test_a_broken_file_is_named_and_what_was_open_stays(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    before = triples(window), window.browser.classes.model().rowCount(), window.navigator.place
    broken = tmp_path / "broken.ttl"
    broken.write_text(BROKEN, encoding="utf-8")
    user.open_files([broken])
    assert window.banner.isVisible()
    assert f"{broken}:" in window.banner.text
    assert (triples(window), window.browser.classes.model().rowCount(), window.navigator.place) == before
    assert user.reads == "decisionTree.onnx"
    details = window.banner.findChild(QPlainTextEdit)
    assert not details.isVisible()
    user.click(user.button("Details", window.banner))
    assert details.isVisible()
    assert "SourceSyntaxError" in details.toPlainText()
    user.click(user.button("Close the message"))
    assert not window.banner.isVisible()


def test_of_a_broken_file_the_rest_can_be_opened(window: MainWindow, user: User, tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttl"
    broken.write_text("<x:a> a <x:C> .\n<x:a> <x:b> <x:c>\n<x:d> a <x:C> .\n", encoding="utf-8")
    user.open_files([broken])
    assert window.banner.text.splitlines()[1:] == ["▸<x:d> a <x:C> .", "End the statement on line 2 with a dot."]
    user.click(user.button("Open the rest", window.banner))
    user.until(lambda: triples(window) == "3 triples")
    assert window.banner.title == "Not all of broken.ttl was read"


def test_json_ld_thousands_of_levels_deep_is_named(window: MainWindow, user: User, tmp_path: Path) -> None:
    deep = tmp_path / "deep.jsonld"
    deep.write_text('{"http://example.org/p":' * 5_000 + "1" + "}" * 5_000, encoding="utf-8")
    user.open_files([deep])
    assert "5,000 levels deep" in window.banner.title
    user.open_sample("xplacer")
    assert not window.start_page.isVisible()


def test_a_file_that_cannot_be_opened_leaves_the_start_page(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.open_files([tmp_path / "missing.ttl"])
    assert window.banner.isVisible()
    assert window.start_page.isVisible()
    assert not window.browser.isVisible()


def test_a_second_source_joins_the_first_and_each_can_be_closed(window: MainWindow, user: User, tmp_path: Path) -> None:
    extra = tmp_path / "extra.nt.gz"
    extra.write_bytes(gzip.compress(b'<http://example.org/x> <http://schema.org/name> "An extra thing" .\n'))
    user.open_sample("xplacer")
    alone = triples(window)
    user.open_files([extra])
    assert window.browser.sources.topLevelItemCount() == 2
    assert triples(window) != alone
    user.search("extra thing")
    assert user.reads == "An extra thing"
    item = window.browser.sources.topLevelItem(1)
    assert item is not None
    assert item.text(0) == "extra.nt.gz"
    window.browser.sources.setCurrentItem(item)
    user.press("Delete", window.browser.sources)
    user.until(lambda: window.browser.sources.topLevelItemCount() == 1)
    user.rest()
    assert triples(window) == alone
    assert user.reads == ""
    assert not window.banner.isVisible()
    user.press("Ctrl+W", window)
    user.until(window.start_page.isVisible)
    assert window.windowTitle() == "HPC Explorer[*]"


def test_opened_sources_are_listed_as_recent(window: MainWindow, user: User) -> None:
    user.open_sample("fugaku")
    user.window.run("file.close_all")
    user.until(window.start_page.isVisible)
    assert "recent.open:sample:fugaku" in {command.id for command in window.commands.commands}
    user.click(user.button("Open sample:fugaku", window.start_page))
    user.until(window.browser.isVisible)
    user.rest()
    assert triples(window).endswith("triples")


def test_every_sample_opens(window: MainWindow, user: User) -> None:
    for number, (name, _) in enumerate(sample_names(), start=1):
        window.run(f"sample.open:{name}")
        user.add_to_open()
        user.rest()
        assert not window.banner.isVisible(), window.banner.title
        assert window.browser.sources.topLevelItemCount() == number


def test_something_that_is_no_file_is_not_taken_when_dropped(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("words")
    drop = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(drop)
    assert not window.is_busy


def test_work_that_takes_long_is_shown_and_can_be_stopped(window: MainWindow, user: User) -> None:
    begun, stopped = threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def work(*, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> None:
        progress("reading a large file", 0.4)
        begun.set()
        try:
            while True:
                limits.check("reading")
                stopped.wait(0.005)
        finally:
            stopped.set()

    window.bridge.jobs.run(work, title="Open a large file", on_error=errors.append)
    user.until(begun.is_set)
    user.until(lambda: "Open a large file: reading a large file" in window.jobs.text)
    user.click(user.button("Stop this work"))
    user.until(stopped.is_set)
    user.rest()
    assert [type(error).__name__ for error in errors] == ["Cancelled"]
    assert window.jobs.text == ""


def test_a_fault_of_the_program_is_a_message_with_details(window: MainWindow, user: User) -> None:
    def work() -> None:
        raise ZeroDivisionError("it happens")

    window.bridge.jobs.run(work, title="Count")
    user.until(window.banner.isVisible)
    assert window.banner.title == "Count failed: ZeroDivisionError"
    assert "it happens" in window.banner.findChild(QPlainTextEdit).toPlainText()


def test_closing_the_window_stops_everything_and_leaves_no_thread(qapp: QApplication, qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    window = open_window(qapp, qtbot, Settings())
    user = User(qtbot, window)
    user.open_sample("xplacer")

    def work(limits: Limits = NO_LIMITS) -> None:
        while True:
            limits.check("waiting")
            threading.Event().wait(0.005)

    window.bridge.jobs.run(work, title="Wait")
    window.quit_now()
    user.until(lambda: set(threading.enumerate()) <= before)


# What is remembered


def test_the_next_window_looks_like_the_last(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, window: MainWindow
) -> None:
    user = User(qtbot, window)
    user.open_sample("nsf")
    window.run("theme.dark")
    window.run("view.inspector")
    window.resize(1111, 777)
    window.quit_now()
    again = open_window(qapp, qtbot)
    assert again.palette().color(QPalette.ColorRole.Window).name() == DARK.surface
    assert not again.commands.by_id["view.inspector"].isChecked()
    assert again.commands.by_id["theme.dark"].isChecked()
    assert "recent.open:sample:nsf" in again.commands.by_id
    assert again.start_page.isVisible()
    again.quit_now()


def test_settings_that_make_no_sense_do_no_harm(qapp: QApplication, qtbot: QtBot, window: MainWindow) -> None:
    screen = screen_name(window.screen())
    layouts = {screen: (-9_000, 90_000, 99_999, -5, 0, 0, -3, 1)}
    odd = Settings(layouts=layouts, open_panes=("nowhere",), closed_drawers=("none",), last_folder="/gone")
    again = open_window(qapp, qtbot, odd)
    assert again.isVisible()
    again.quit_now()


def test_damaged_settings_are_named_and_the_window_opens(qapp: QApplication, qtbot: QtBot, window: MainWindow) -> None:
    window.quit_now()
    settings_file().write_text("{", encoding="utf-8")
    again = open_window(qapp, qtbot)
    assert again.banner.isVisible()
    assert "damaged" in again.banner.title
    again.quit_now()


# Commands


def test_every_command_with_a_menu_stands_in_it(window: MainWindow) -> None:
    listed: set[str] = set()

    def collect(menu: QMenu) -> None:
        for action in menu.actions():
            listed.add(action.objectName())
            if action.menu() is not None:
                collect(action.menu())

    for action in window.menuBar().actions():
        collect(action.menu())
    assert listed - {""} <= {command.id for command in window.commands.commands}
    assert {"file.save", "edit.undo", "go.upstream", "help.palette"} <= listed


def test_what_cannot_be_done_is_greyed_out(window: MainWindow, user: User) -> None:
    actions = window.commands.by_id
    for command in window.commands.commands:
        assert actions[command.id].isEnabled() == (command.needs is NOTHING), command.id
    user.open_sample("xplacer")
    assert actions["file.export"].isEnabled()
    assert not actions["view.fit"].isEnabled()
    assert not actions["go.upstream"].isEnabled()
    user.search("decisionTree")
    assert actions["view.fit"].isEnabled()
    assert actions["go.upstream"].isEnabled()
    assert actions["go.back"].isEnabled()
    assert not actions["go.forward"].isEnabled()


def test_the_palette_runs_a_command(window: MainWindow, user: User) -> None:
    user.press("Ctrl+Shift+P", window)
    palette = user.dialog(CommandPalette)
    user.type("dark", palette.box)
    user.press("Return", palette.box)
    assert window.palette().color(QPalette.ColorRole.Window).name() == DARK.surface
    user.press("Ctrl+Shift+P", window)
    palette = user.dialog(CommandPalette)
    user.type("light theme", palette.box)
    item = palette.list.topLevelItem(0)
    assert item is not None
    user.qtbot.mouseClick(
        palette.list.viewport(), Qt.MouseButton.LeftButton, pos=palette.list.visualItemRect(item).center()
    )
    assert window.palette().color(QPalette.ColorRole.Window).name() == LIGHT.surface


def test_the_palette_says_why_a_command_cannot_be_run(window: MainWindow, user: User) -> None:
    user.press("Ctrl+Shift+P", window)
    palette = user.dialog(CommandPalette)
    user.type("lineage upstream", palette.box)
    assert palette.remark.text().startswith("Not now: it needs a chosen resource.")
    user.press("Return", palette.box)
    assert palette.isVisible()
    palette.box.selectAll()
    user.type("zebra", palette.box)
    assert palette.remark.text() == "No command is called “zebra”. These are all commands."
    user.close(palette)


def test_palette_arrows_walk_through_the_commands(window: MainWindow, user: User) -> None:
    user.press("Ctrl+Shift+P", window)
    palette = user.dialog(CommandPalette)
    user.type("theme", palette.box)
    first = palette.list.currentItem().text(0)
    user.press("Down", palette.box)
    assert palette.list.currentItem().text(0) != first
    user.press("Up", palette.box)
    assert palette.list.currentItem().text(0) == first
    user.close(palette)


def test_help_opens_and_closes(window: MainWindow, user: User) -> None:
    window.run("help.keyboard")
    user.close(user.dialog(KeyboardDialog))
    window.run("help.about")
    user.close(user.dialog(AboutDialog))


def test_panes_can_be_put_away_and_brought_back(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    for command_id, pane in (("view.browser", window.browser), ("view.inspector", window.inspector)):
        window.run(command_id)
        assert not pane.isVisible()
        assert not window.commands.by_id[command_id].isChecked()
        window.run(command_id)
        assert pane.isVisible()


def test_the_views_of_a_page_are_tabs(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    tabs = window.pictures.tabs
    user.qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    user.rest()
    assert window.navigator.place.view is View.LINEAGE
    user.press("Ctrl+1", window)
    user.rest()
    assert tabs.currentIndex() == 0
    assert window.commands.by_id["view.explore"].isChecked()
    user.press("Alt+Left", window)
    user.rest()
    assert tabs.currentIndex() == 1


def test_the_tabs_of_a_resource_keep_their_place(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    tabs = window.pictures.tabs
    places = set()
    for number in range(tabs.count()):
        user.qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(number).center())
        user.rest()
        assert tabs.currentIndex() == number
        places.add(tabs.mapTo(window, tabs.tabRect(0).topLeft()).x())
        drawn = window.pictures.pages[window.navigator.place.view].canvas is not None
        assert drawn or not window.commands.by_id["view.zoom_in"].isEnabled()
    assert len(places) == 1


def test_zooming_and_fitting(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    canvas = window.pictures.canvas
    start = canvas.camera().scale
    window.run("view.zoom_in")
    user.until(lambda: canvas.camera().scale > start)
    window.run("view.fit")
    user.until(lambda: canvas.camera().scale <= start)


# Look


def test_every_icon_that_a_command_names_is_there_and_draws_something(window: MainWindow) -> None:
    for command in window.commands.commands:
        if command.icon:
            drawn = icon(command.icon, "#102030").pixmap(16, 16).toImage()
            assert any(drawn.pixelColor(x, y).alpha() for x in range(16) for y in range(16)), command.icon


def test_both_themes_colour_everything(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree.onnx")
    user.until(lambda: window.pictures.canvas.isVisible())
    for name, theme in (("dark", DARK), ("light", LIGHT)):
        window.run(f"theme.{name}")
        user.rest()
        assert QGuiApplication.palette().color(QPalette.ColorRole.WindowText).name() == theme.text
        image = window.pictures.canvas.grab().toImage()
        assert image.pixelColor(image.width() // 2, 2).name() == theme.background
        user.until(lambda theme=theme: theme.muted in icon_colours(window, "file.export"))  # icons follow in parts


def icon_colours(window: MainWindow, command: str) -> set[str]:
    """The colours of a command's icon."""
    shown = window.commands.by_id[command].icon().pixmap(16, 16).toImage()
    return {
        shown.pixelColor(x, y).name()
        for x in range(shown.width())
        for y in range(shown.height())
        if shown.pixelColor(x, y).alpha() == 255
    }


def test_the_system_theme_is_followed(window: MainWindow) -> None:
    window.run("theme.dark")
    window.run("theme.system")
    assert window.commands.by_id["theme.system"].isChecked()
    assert window.palette().color(QPalette.ColorRole.Window).name() == LIGHT.surface


# For every hand and ear


def interactive(window: QWidget) -> list[QWidget]:
    kinds = (QAbstractButton, QLineEdit, QAbstractItemView, QTabBar, CanvasView, QPlainTextEdit)
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, kinds)
        and widget.isVisible()
        and not widget.objectName().startswith("qt_")
        # Parts of Qt's own widgets, which speak for them.
        and not isinstance(widget.parent(), (QLineEdit, QTabBar, QAbstractScrollArea))
    ]


def spoken_name(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def test_every_widget_has_a_name_to_be_read_out(window: MainWindow, user: User) -> None:
    def nameless(root: QWidget) -> list[str]:
        return [repr(widget) for widget in interactive(root) if not spoken_name(widget)]

    assert nameless(window) == []
    user.open_sample("xplacer")
    user.search("decisionTree")
    window.browser.classes.setCurrentIndex(window.browser.classes.model().index(0, 0))
    user.rest()
    assert len(interactive(window)) > 30
    assert nameless(window) == []
    window.run("view.lineage")
    user.rest()
    assert nameless(window) == []
    for command_id, kind in (
        ("file.export", ExportDialog),
        ("help.palette", CommandPalette),
        ("help.keyboard", KeyboardDialog),
        ("help.about", AboutDialog),
    ):
        window.run(command_id)
        dialog = user.dialog(kind)
        assert nameless(dialog) == []
        user.close(dialog)


def test_f6_visits_every_pane_and_comes_round(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    visited: list[QWidget | None] = []
    for _ in range(6):
        user.press("F6")
        visited.append(QApplication.focusWidget())
    assert visited == [
        window.inspector,
        window.search,
        window.browser.classes,
        window.browser.questions,
        window.browser.sources,
        window.pictures.canvas,
    ]
    user.press("Shift+F6")
    assert QApplication.focusWidget() is window.browser.sources


def test_tab_leads_out_of_every_widget(window: MainWindow, user: User) -> None:
    user.open_sample("fugaku")
    window.search.setFocus()
    seen: list[QWidget | None] = []
    while QApplication.focusWidget() not in seen and len(seen) < 400:
        seen.append(QApplication.focusWidget())
        user.press("Tab")
    assert QApplication.focusWidget() is window.search
    for widget in (window.browser.filter, window.browser.classes, window.pictures.front, window.pictures.home.table):
        assert widget in seen


def test_a_node_has_a_menu(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    canvas = window.pictures.canvas
    canvas.node_context_menu.emit(MODEL, canvas.mapToGlobal(canvas.rect().center()))
    menu = next(menu for menu in window.findChildren(QMenu) if menu.isVisible() and menu.parent() is window)
    assert [action.objectName() for action in menu.actions() if not action.isSeparator()][:2] == [
        "go.neighbours",
        "go.upstream",
    ]
    menu.close()
