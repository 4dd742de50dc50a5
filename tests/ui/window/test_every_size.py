"""At each size of the window, light and dark: what says where one is, what is unsaved and what is left out is in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QToolButton, QWidget

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.bridge.navigator import Level, View, views_of
from hpc_explorer.ui.widgets.theme import current_theme
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import MODEL, User

SIZES = [(640, 330), (1000, 650), (1280, 720), (1440, 900), (1920, 1080)]
"""Widths and heights in pixels; the first is a screen of 1280 by 720 at 200 %, less its title bar."""

LEAST_CONTRAST = 4.5
"""Of text and what is behind it: WCAG 2.2, success criterion 1.4.3."""

EACH = [
    pytest.param(size, theme, marks=() if (number + (theme == "dark")) % 4 == 0 else pytest.mark.slow)
    for number, size in enumerate(SIZES)
    for theme in ("light", "dark")
]


def is_in_sight(window: MainWindow, widget: QWidget) -> bool:
    """Whether a widget is shown as a whole, and nothing lies over its middle."""
    place = QRect(widget.mapTo(window, QPoint()), widget.size())
    over = window.childAt(place.center())
    return (
        widget.isVisible()
        and window.rect().contains(place)
        and over is not None
        and widget in (over, *parents_of(over))
    )


def parents_of(widget: QWidget) -> list[QWidget]:
    found = []
    while (parent := widget.parentWidget()) is not None:
        found.append(parent)
        widget = parent
    return found


def is_whole(button: QAbstractButton) -> bool:
    """Whether the words of a button have their room."""
    return button.width() >= button.minimumSizeHint().width()


def contrast(one: str, other: str) -> float:
    """The contrast of two colours such as "#1a2b3c", as WCAG defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("size", "theme"), EACH)
def test_what_must_be_seen_is_seen(
    window: MainWindow, user: User, tmp_path: Path, size: tuple[int, int], theme: str
) -> None:
    window.run(f"theme.{theme}")
    colours = current_theme()
    assert contrast(colours.text, colours.surface) >= LEAST_CONTRAST
    assert contrast(colours.muted, colours.surface) >= LEAST_CONTRAST
    window.resize(*size)
    file = tmp_path / "models.ttl"
    file.write_text(f'<{MODEL}> a <{ex("Model").value}> ; <{ex("name").value}> "Model 7" .', encoding="utf-8")
    user.open_files([file])
    assert (window.width(), window.height()) == size

    # Home: the table, and how much of it there is.
    home = window.pictures.home
    status = next(one for one in home.findChildren(QLabel) if one.text() == home.status)
    assert is_in_sight(window, home.table)
    assert is_in_sight(window, status)

    # The page of a resource: its tabs are all there, and the way home.
    window.navigator.open(NamedNode(MODEL))
    user.rest()
    tabs = window.pictures.tabs
    assert is_in_sight(window, tabs)
    last = tabs.tabRect(tabs.count() - 1)
    assert tabs.rect().contains(last), "not all tabs are in sight"
    assert tabs.count() == len([view for view in views_of(Level.PAGE) if view is not View.MONITOR])
    assert is_in_sight(window, user.button("Home"))

    # What is not saved is said with what can be done, in every view.
    window.run("edit.start")
    user.rest()

    def work(session: Session) -> None:
        quad = Quad(NamedNode(MODEL), ex("note"), Literal("a note"), session.sources[0].graph)
        session.edit(ChangeSet(added=(quad,), words="A note"))

    window.bridge.run(work, title="Edit", writes=True)
    user.rest()
    for view in (View.HOME, View.EDIT, View.CLASSES, View.ASK):
        window.navigator.show_view(view)
        user.rest()
        QApplication.processEvents()
        for name in ("Review", "Save", "Discard"):
            link = user.button(f"{name}: 1 change not saved to models.ttl")
            assert is_in_sight(window, link), f"{name} is out of sight in {view}"
            assert is_whole(link)
        assert window.features.saving.line.text == "1 change not saved to models.ttl:"

    # A toolbar shows what fits as a whole, and the rest in its menu.
    window.features.ask.open_text(f"SELECT ?m {{ ?m a <{ex('Model').value}> }}", "Models")
    user.until(window.features.ask.is_settled)
    user.rest()
    buttons = [
        one for one in window.features.ask.tab.findChildren(QToolButton) if one.text() in ("Save", "Draw", "Limit…")
    ]
    more = [one for one in window.features.ask.tab.findChildren(QToolButton) if one.accessibleName() == "More"]
    for button in buttons:
        assert is_in_sight(window, button) or any(is_in_sight(window, one) for one in more), button.text()

    # The inspector can be opened at any size, and the main view keeps half of the window.
    if not window.inspector.isVisible():
        window.run("view.inspector")
        if not window.inspector.isVisible():
            window.run("view.inspector")
    assert is_in_sight(window, window.inspector)
    assert 2 * window.pictures.width() >= window.width()
