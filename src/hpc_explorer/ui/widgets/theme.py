"""The look of the window: colours of `canvas.palette`, one typeface in three sizes, an 8-pixel grid.

A complete QPalette makes light and dark themes the same on all platforms, and the window match its canvas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyleFactory

from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.icons import mark
from hpc_explorer.canvas.palette import DARK, LIGHT, THEMES, Look, Theme, class_look
from hpc_explorer.canvas.text import FAMILY, FONT_FILES
from hpc_explorer.ui.widgets.drawing import play

GRID = 8
"""The unit of distances in pixels."""

SMALL, BODY, TITLE = 11, 13, 18
"""The sizes of text in pixels at 100 %."""

_ICONS = Path(__file__).parent / "icons"


class _Used(QObject):
    """The theme in use.

    Signals:
        changed(): another theme is used, or classes look different.
    """

    changed = Signal()
    theme = LIGHT


_used = _Used()


def current_theme() -> Theme:
    """The theme in use: what is painted takes its colours from it while it is painted."""
    return _used.theme


def use_theme(theme: Theme) -> None:
    """Paint in a theme from now on; `ThemedParts` also styles a window."""
    _used.theme = theme
    _used.changed.emit()


def on_theme(dress: Callable[[], object]) -> None:
    """Call a method of a widget whenever the theme has changed, for what is not made anew when it is painted.

    Args:
        dress: sets icons, pixmaps and brushes of items.
    """
    _used.changed.connect(dress)


def system_theme() -> Theme:
    """The light or dark theme of the desktop; light by default."""
    dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def prepare(application: QApplication) -> None:
    """Set the style and the typeface. Call this before creating widgets."""
    for file in FONT_FILES.values():
        QFontDatabase.addApplicationFont(str(file))
    application.setStyle(QStyleFactory.create("fusion"))
    application.setFont(font())


def font(size: int = BODY, weight: int = 400, *, figures: bool = False) -> QFont:
    """The typeface at one of the three sizes.

    Args:
        size: pixels.
        weight: 400, 500 or 600.
        figures: use digits of equal width.
    """
    made = QFont(FAMILY)
    made.setPixelSize(size)
    made.setWeight(QFont.Weight(weight))
    if figures:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def qt_palette(theme: Theme) -> QPalette:
    """A theme as a Qt palette."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.surface,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.background,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.surface,
        role.ButtonText: theme.text,
        role.BrightText: theme.error,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Light: theme.raised,
        role.Midlight: theme.accent_soft,
        role.Mid: theme.line,
        role.Dark: theme.edge,
        role.Shadow: theme.edge,
    }
    palette = QPalette()
    for name, colour in colours.items():
        palette.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.edge))
    return palette


def paint_icon(made: QIcon, side: int, draw: Callable[[QPainter, int], None], *modes: QIcon.Mode) -> QIcon:
    """Paint an icon for screens at 100, 200 and 300 %; returns it.

    Args:
        side: the size in pixels at 100 %.
        draw: draws the icon in these pixels; receives a scaled painter and the scale.
        modes: the modes of the icon; normal if omitted.
    """
    for scale in (1, 2, 3):
        image = QPixmap(QSize(side, side) * scale)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        draw(painter, scale)
        painter.end()
        image.setDevicePixelRatio(scale)
        for mode in modes or (QIcon.Mode.Normal,):
            made.addPixmap(image, mode)
    return made


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """A shipped icon in a colour, and optionally in another for `disabled`."""
    shape = (_ICONS / f"{name}.svg").read_text(encoding="ascii")
    made = QIcon()

    def drawn(tint: str) -> Callable[[QPainter, int], None]:
        renderer = QSvgRenderer(QByteArray(shape.replace("currentColor", tint).encode("ascii")))
        return lambda painter, scale: renderer.render(painter, QRectF(0, 0, 16, 16))

    paint_icon(made, 16, drawn(colour), QIcon.Mode.Normal)
    return paint_icon(made, 16, drawn(disabled or colour), QIcon.Mode.Disabled)


def class_mark(colour_key: str, theme: Theme) -> QIcon:
    """The mark of a class, as on the canvas."""
    return _mark(class_look(theme, colour_key), theme.name)


def look_mark(look: Look, theme: Theme) -> QIcon:
    """The mark of a look."""
    return _mark(look, theme.name)


@lru_cache(maxsize=512)
def _mark(look: Look, theme_name: str) -> QIcon:
    drawn = mark(look, Rect(1.0, 1.0, 14.0, 14.0), THEMES[theme_name])
    # A chosen row must not tint it.
    modes = (QIcon.Mode.Normal, QIcon.Mode.Selected)
    return paint_icon(QIcon(), 16, lambda painter, scale: play(painter, drawn, scale), *modes)


def style_sheet(theme: Theme) -> str:
    """The style sheet for what a palette cannot set: borders, distances and focus marks."""
    down = (_ICONS / f"chevron-down-{theme.name}.svg").as_posix()
    up = (_ICONS / f"chevron-up-{theme.name}.svg").as_posix()
    check = (_ICONS / f"check-{theme.name}.svg").as_posix()
    return f"""
QDialog {{ background: {theme.surface}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QToolTip {{ background: {theme.raised}; color: {theme.text}; border: 1px solid {theme.line}; padding: 4px 8px; }}
QSplitter::handle {{ background: {theme.line}; }}
QSplitter::handle:horizontal {{ width: 1px; }}
QSplitter::handle:vertical {{ height: 1px; }}

QMenuBar {{ background: {theme.surface}; padding: 2px 4px; }}
QMenuBar::item {{ padding: 4px 8px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {theme.raised}; }}
QMenu {{ background: {theme.surface}; border: 1px solid {theme.line}; padding: 4px; }}
QMenu::item {{ padding: 5px 24px 5px 8px; border-radius: 4px; }}
QMenu::item:selected {{ background: {theme.accent_soft}; color: {theme.text}; }}
QMenu::item:disabled {{ color: {theme.edge}; }}
QMenu::separator {{ height: 1px; background: {theme.line}; margin: 4px 8px; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::icon:checked {{ background: {theme.accent_soft}; border-radius: 4px; }}
QStatusBar {{ background: {theme.surface}; border-top: 1px solid {theme.line}; }}
QStatusBar::item {{ border: none; }}

QLineEdit {{
    background: {theme.surface}; border: 1px solid {theme.line}; border-radius: 4px; padding: 4px 7px;
    selection-background-color: {theme.accent}; selection-color: {theme.on_accent};
}}
QLineEdit:focus {{ border: 1px solid {theme.accent}; }}

QLineEdit[wrong="true"], QLineEdit[wrong="true"]:focus {{ border: 1px solid {theme.error}; }}
QLineEdit:disabled, QPlainTextEdit[entry="true"]:disabled {{ color: {theme.text}; background: {theme.background}; }}
QPlainTextEdit[entry="true"] {{
    background: {theme.surface}; border: 1px solid {theme.line}; border-radius: 4px; padding: 0 3px;
    selection-background-color: {theme.accent}; selection-color: {theme.on_accent};
}}
QPlainTextEdit[entry="true"]:focus {{ border: 1px solid {theme.accent}; }}
QPlainTextEdit[entry="true"][wrong="true"] {{ border: 1px solid {theme.error}; }}
QComboBox {{
    background: {theme.surface}; border: 1px solid {theme.line}; border-radius: 4px; padding: 4px 7px;
    selection-background-color: {theme.accent_soft}; selection-color: {theme.text};
}}
QComboBox:focus {{ border: 1px solid {theme.accent}; }}
QComboBox:disabled {{ color: {theme.text}; background: {theme.background}; }}
QComboBox[wrong="true"] {{ border: 1px solid {theme.error}; }}
QComboBox::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow {{ image: url({down}); width: 12px; height: 12px; }}
QAbstractSpinBox {{
    background: {theme.surface}; border: 1px solid {theme.line}; border-radius: 4px; padding: 2px 22px 3px 0;
    selection-background-color: {theme.accent}; selection-color: {theme.on_accent};
}}
QAbstractSpinBox:focus {{ border: 1px solid {theme.accent}; }}
QAbstractSpinBox:disabled {{ color: {theme.text}; background: {theme.background}; }}
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus {{ border: none; padding: 0; background: transparent; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{
    subcontrol-origin: border; border: none; background: transparent; width: 20px; height: 13px;
}}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; margin: 1px 1px 0 0; border-top-right-radius: 3px; }}
QAbstractSpinBox::down-button {{
    subcontrol-position: bottom right; margin: 0 1px 1px 0; border-bottom-right-radius: 3px;
}}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {theme.raised}; }}
QAbstractSpinBox::up-arrow {{ image: url({up}); width: 10px; height: 10px; }}
QAbstractSpinBox::down-arrow {{ image: url({down}); width: 10px; height: 10px; }}
QComboBox QAbstractItemView {{ border: 1px solid {theme.line}; outline: none; }}
QPlainTextEdit[framed="true"] {{
    background: {theme.surface}; border: 1px solid {theme.line}; border-radius: 4px;
    selection-background-color: {theme.accent}; selection-color: {theme.on_accent};
}}
QPlainTextEdit[framed="true"]:focus {{ border: 1px solid {theme.accent}; }}
#notice {{ background: {theme.accent_soft}; border-radius: 4px; }}
#finding {{ border: none; border-left: 3px solid {theme.accent}; }}
#finding[severity="error"] {{ border-left-color: {theme.error}; }}
#finding[severity="warning"] {{ border-left-color: {theme.accent}; }}

QPushButton {{
    background: {theme.surface}; border: 1px solid {theme.line}; border-radius: 4px; padding: 5px 12px;
}}
QPushButton:hover {{ background: {theme.raised}; }}
QPushButton:pressed {{ background: {theme.accent_soft}; }}
QPushButton:focus {{ border: 1px solid {theme.accent}; }}
QPushButton:disabled {{ color: {theme.edge}; }}
QPushButton:default {{ background: {theme.accent}; color: {theme.on_accent}; border: 1px solid {theme.accent}; }}
QPushButton:default:disabled {{ background: {theme.raised}; color: {theme.edge}; border: 1px solid {theme.line}; }}
QToolButton {{ border: 1px solid transparent; border-radius: 4px; padding: 5px; background: transparent; }}
QToolButton[labelled="true"] {{ padding: 4px 8px; border: 1px solid {theme.line}; }}
QToolButton[opens="menu"] {{ padding-right: 24px; }}
QToolButton:hover {{ background: {theme.raised}; }}
QToolButton:checked {{ background: {theme.accent_soft}; color: {theme.accent}; }}
QToolButton:focus {{ border: 1px solid {theme.accent}; }}
QToolButton:disabled {{ color: {theme.edge}; }}
QToolButton::menu-indicator {{ image: none; }}

QTreeView, QListView, QTreeWidget, QTableView {{
    background: {theme.surface}; border: none; outline: none; show-decoration-selected: 1;
}}
QListView[framed="true"], QTreeView[framed="true"] {{
    border: 1px solid {theme.line}; border-radius: 4px; padding: 2px;
}}
QListView[framed="true"]:focus, QTreeView[framed="true"]:focus {{ border: 1px solid {theme.accent}; }}
QTableView {{ border: 1px solid {theme.line}; selection-background-color: {theme.accent_soft};
    selection-color: {theme.text}; alternate-background-color: {theme.background}; }}
QTableView::item {{ padding: 0 8px; border: 1px solid transparent; }}
QTableView::item:selected {{ background: {theme.accent_soft}; color: {theme.text}; }}
QTableView QTableCornerButton::section, QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QTableView::item:focus {{ border: 1px solid {theme.accent}; }}
QHeaderView {{ background: {theme.surface}; border: none; }}
QTableView QHeaderView::section, QTreeView[framed="true"] QHeaderView::section {{
    background: {theme.surface}; color: {theme.muted}; border: none; border-bottom: 1px solid {theme.line};
    padding: 4px 8px 4px 12px;
}}
QTreeView[framed="true"] QHeaderView::section {{ padding-left: 3px; }}
QTableView QHeaderView::section:vertical {{ border-bottom: none; padding-left: 8px; }}
QTableView QHeaderView::section:hover {{ background: {theme.raised}; color: {theme.text}; }}
#answered {{ background: {theme.surface}; }}
QTreeView::item {{ min-height: 18px; padding: 3px 8px 3px 0; }}
QListView::item {{ min-height: 18px; padding: 3px 0; }}
QTreeView::item:hover, QListView::item:hover {{ background: {theme.raised}; }}
QTreeView::item:selected, QListView::item:selected {{ background: {theme.accent_soft}; color: {theme.text}; }}

QTabBar {{ background: transparent; }}
QTabBar::tab {{
    color: {theme.muted}; background: transparent; padding: 8px 12px 6px 12px; border: none;
    border-bottom: 2px solid transparent;
}}
QTabBar::tab:selected {{ color: {theme.text}; border-bottom: 2px solid {theme.accent}; }}
QTabBar::tab:hover {{ color: {theme.text}; }}
QTabBar::tear {{ width: 0; border: none; }}
QTabBar:focus {{ outline: none; }}
QTabBar::tab:focus {{ background: {theme.accent_soft}; }}

QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {theme.line}; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }}
QScrollBar::handle:hover {{ background: {theme.edge}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: none; border: none; width: 0; height: 0;
}}
QProgressBar {{ background: {theme.raised}; border: none; border-radius: 2px; height: 4px; }}
QProgressBar::chunk {{ background: {theme.accent}; border-radius: 2px; }}

QRadioButton, QCheckBox {{ spacing: 8px; }}
QRadioButton::indicator, QCheckBox::indicator,
QTreeView[framed="true"]::indicator, QListView[framed="true"]::indicator {{
    width: 14px; height: 14px; border: 1px solid {theme.edge}; background: {theme.surface};
}}
QRadioButton::indicator {{ border-radius: 8px; }}
QCheckBox::indicator, QTreeView[framed="true"]::indicator, QListView[framed="true"]::indicator {{ border-radius: 4px; }}
QRadioButton::indicator:hover, QCheckBox::indicator:hover {{ border-color: {theme.accent}; }}
QRadioButton::indicator:checked {{
    width: 6px; height: 6px; border: 5px solid {theme.accent}; background: {theme.on_accent};
}}
QCheckBox::indicator:checked,
QTreeView[framed="true"]::indicator:checked, QListView[framed="true"]::indicator:checked {{
    border: 1px solid {theme.accent}; background: {theme.accent}; image: url({check});
}}
QRadioButton:focus, QCheckBox:focus {{ color: {theme.accent}; }}

*[role="caption"] {{ color: {theme.muted}; font-size: {SMALL}px; font-weight: 500; }}
*[role="muted"] {{ color: {theme.muted}; }}
*[role="small"] {{ color: {theme.muted}; font-size: {SMALL}px; }}
*[role="title"] {{ font-size: {TITLE}px; font-weight: 600; }}
#topBar, #pictureBar {{ background: {theme.surface}; border-bottom: 1px solid {theme.line}; }}
#startPage, #startPage QWidget#startColumn {{ background: {theme.background}; }}
#banner {{ background: {theme.surface}; border: 1px solid {theme.line}; border-left: 3px solid {theme.error}; }}
#banner[severity="done"] {{ border-left: 3px solid {theme.success}; }}
#banner[severity="info"] {{ border-left: 3px solid {theme.accent}; }}
#problem {{ border: 1px solid {theme.line}; border-left: 3px solid {theme.error}; }}
#conflict {{ border: 1px solid {theme.line}; border-left: 3px solid {theme.warning}; border-radius: 4px; }}
#conflict[decided="true"] {{ border-left: 3px solid {theme.success}; }}
#side {{ border: 1px solid {theme.line}; border-radius: 4px; background: {theme.surface}; }}
#side[chosen="true"] {{ border: 1px solid {theme.accent}; background: {theme.accent_soft}; }}
#popup {{ background: {theme.surface}; border: 1px solid {theme.edge}; border-radius: 4px; }}
"""
