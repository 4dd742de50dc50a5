"""The guide, the tour, "What's this?" and the settings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QPushButton, QWhatsThis
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import SETTINGS, Settings, settings_page
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.ui.window.guide import GuideDialog, tell_sizes_of_pictures
from hpc_explorer.ui.window.main_window import MainWindow
from hpc_explorer.ui.window.own_commands import SettingsDialog
from tests.helpers.windows import User

ROOT = Path(__file__).parents[3]


def test_the_page_about_settings_is_made_from_the_list() -> None:
    page = (ROOT / "docs" / "guide" / "settings.md").read_text(encoding="utf-8")
    assert page == settings_page(), "write it again: settings_page() in app/settings.py"


def test_each_setting_of_the_dialog_has_effect_and_is_kept(window: MainWindow, user: User) -> None:
    user.open_sample("nsf")
    user.press("Ctrl+,", window)
    dialog = user.dialog(SettingsDialog)
    assert set(dialog.fields) == {setting.name for setting in SETTINGS}
    theme, name, only_used = (dialog.fields[name] for name in ("theme", "user_name", "only_used_classes"))
    assert isinstance(theme, QComboBox)
    assert isinstance(name, QLineEdit)
    assert isinstance(only_used, QCheckBox)
    theme.setCurrentIndex(theme.findData("dark"))
    assert window.commands.action("theme.dark").isChecked()
    only_used.click()
    assert not window.commands.action("view.only_used").isChecked()
    name.setFocus()
    user.type("Ana", name)
    user.press("Tab", name)
    user.close(dialog)
    kept = Settings.load()
    assert (kept.theme, kept.only_used_classes, kept.user_name) == ("dark", False, "Ana")


def test_the_guide_opens_and_its_links_lead_from_page_to_page(window: MainWindow, user: User) -> None:
    user.press("F1", window)
    guide = user.dialog(GuideDialog)
    assert guide.pages.count() == len(list(shipped_folder("docs/guide").glob("*.md")))
    assert "The window" in guide.page.toPlainText()
    guide.page.anchorClicked.emit(QUrl("settings.md"))
    assert guide.page.toPlainText().startswith("Settings")
    user.close(guide)


def test_the_tour_leads_from_the_sample_to_a_question_and_can_be_left(window: MainWindow, user: User) -> None:
    window.run("help.tour")
    user.rest()
    titles = [window.banner.title]
    while True:
        user.until(window.banner.isVisible)
        offers = [one for one in ("Next", "Finish") if _is_offered(user, one)]
        if offers != ["Next"]:
            break
        user.click(user.button("Next", window.banner))
        user.rest()
        titles.append(window.banner.title)
    assert [title[:11] for title in titles] == [f"Step {number} of 5" for number in range(1, 6)]
    user.click(user.button("Finish", window.banner))
    assert not window.banner.isVisible()
    window.run("help.tour")
    user.rest()
    user.click(user.button("Leave the tour", window.banner))
    assert not window.banner.isVisible()


def _is_offered(user: User, name: str) -> bool:
    return any(button.isVisible() and button.text() == name for button in user.window.banner.findChildren(QPushButton))


def test_whats_this_explains_commands(window: MainWindow, user: User) -> None:
    assert all(window.commands.action(one.id).whatsThis() == one.description for one in window.commands.commands)
    user.press("Shift+F1", window)
    assert QWhatsThis.inWhatsThisMode()
    QWhatsThis.leaveWhatsThisMode()
    QApplication.processEvents()


def test_pictures_of_the_guide_have_their_sizes_before_they_are_read(qtbot: QtBot, tmp_path: Path) -> None:
    picture = QImage(30, 20, QImage.Format.Format_RGB32)
    assert picture.save(str(tmp_path / "one.png"))
    page = QTextDocument()
    page.setMarkdown("Above\n\n![One](one.png)\n\nBetween ![One](one.png) words\n")
    tell_sizes_of_pictures(page, tmp_path)
    cursor, found = QTextCursor(page), []
    for place in (index for index, letter in enumerate(page.toRawText()) if letter == "\ufffc"):
        cursor.setPosition(place + 1)
        picture_there = cursor.charFormat().toImageFormat()
        found.append((picture_there.name(), picture_there.width(), picture_there.height()))
    assert found == [("one.png", 30.0, 20.0)] * 2
