"""The dialog for the colour, sign and shape of classes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QColorDialog,
    QDialog,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.card import footprint
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.icons import TITLES
from hpc_explorer.canvas.kinds import ICONS, SHAPES, Style, kind_of, look_key_of, whole_style
from hpc_explorer.canvas.palette import LEAST_CONTRAST, Theme, class_look, contrast
from hpc_explorer.canvas.picture import card_primitives
from hpc_explorer.canvas.scene import SceneNode
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column
from hpc_explorer.ui.widgets.drawing import play, qt_colour
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import caption
from hpc_explorer.ui.widgets.theme import GRID, class_mark, look_mark, paint_icon

SWATCH = 20
"""Pixels."""

COLOUR_TITLES = {
    "data": "Blue",
    "file": "Light blue",
    "model": "Rust",
    "activity": "Green",
    "software": "Violet",
    "machine": "Ochre",
    "agent": "Olive",
    "project": "Purple",
    "other": "Grey",
    "spare-1": "Rose",
    "spare-2": "Teal",
    "spare-3": "Lime",
    "spare-4": "Brown",
}
"""The colours of the palette by role, in light and dark themes."""

_TRIED = "urn:hpc-explorer:look-being-chosen"
_IRI = Qt.ItemDataRole.UserRole


class LooksDialog(QDialog):
    """A list of classes beside the look of the selected one.

    Args:
        classes: the classes to choose from.
        parents: the IRIs of the superclasses of each class.
        looks: the current looks by IRI.
        cls: the class to start with; None for the first.
        of_view: the looks of the current view by IRI, if it can have its own.

    Attributes:
        looks: the chosen looks for all views.
        of_view: the chosen looks for the view, which take precedence.
        everywhere, view_only: choose which of them to change.
        colours, icons, shapes: the choices; 0 is the default.
        code: any other colour.
    """

    def __init__(
        self,
        classes: Sequence[ResourceRef],
        parents: Mapping[str, Sequence[str]],
        looks: Mapping[str, Style],
        theme: Theme,
        cls: str | None,
        parent: QWidget,
        of_view: Mapping[str, Style] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Looks")
        self.resize(96 * GRID, 66 * GRID)
        self._theme = theme
        self._refs = {ref.iri: ref for ref in classes}
        self._parents = parents
        self._before = dict(looks)
        self.looks = dict(looks)
        self._before_in_view = dict(of_view or {})
        self.of_view = dict(of_view or {})
        self._scope_row(with_view=of_view is not None)
        self._list_side()
        column = QVBoxLayout()
        column.setSpacing(GRID)
        self.preview = _Preview(theme)
        column.addWidget(self.preview)
        column.addSpacing(GRID // 2)
        self._roles = ["", *COLOUR_TITLES]
        self.colours = self._choices(column, "Colour", [(role, COLOUR_TITLES.get(role, "")) for role in self._roles])
        self._code_row(column)
        self.icons = self._choices(column, "Sign", [("", ""), *((icon, TITLES[icon]) for icon in ICONS)])
        self.shapes = self._choices(column, "Shape", [("", ""), *((shape, shape.capitalize()) for shape in SHAPES)])
        self._kin = Label()
        self._kin.setProperty("role", "small")
        self._kin.setWordWrap(True)
        column.addWidget(self._kin)
        self.reset = QPushButton("Reset this class")
        self.reset_all = QPushButton("Reset all")
        column.addStretch(1)
        resets = QHBoxLayout()
        for button in (self.reset, self.reset_all):
            button.setAutoDefault(False)
            resets.addWidget(button)
        resets.addStretch(1)
        column.addLayout(resets)

        sides = QHBoxLayout()
        sides.setSpacing(3 * GRID)
        left = QVBoxLayout()
        left.setSpacing(GRID)
        left.addWidget(self.filter)
        left.addWidget(self.classes, 1)
        left.addWidget(self._scope)
        sides.addLayout(left, 2)
        sides.addLayout(column, 3)
        whole = dialog_column(self)
        whole.addLayout(sides, 1)
        whole.addSpacing(GRID)
        add_answers(self, whole, "OK")

        self.colours.idClicked.connect(lambda at: self._choose(colour=self._roles[at]))
        self.icons.idClicked.connect(lambda at: self._choose(icon=("", *ICONS)[at]))
        self.shapes.idClicked.connect(lambda at: self._choose(shape=("", *SHAPES)[at]))
        self.reset.clicked.connect(lambda: self._take(Style()))
        self.reset_all.clicked.connect(self._reset_all)
        self.classes.currentItemChanged.connect(lambda *_: self._show())
        self.view_only.toggled.connect(self._show_all)
        self.filter.textChanged.connect(self._filter)
        self.filter.left_downwards.connect(self.classes.setFocus)
        self._begin(cls)

    @property
    def changed_labels(self) -> tuple[str, ...]:
        """The names of the classes whose looks changed for all views."""
        return self._changed(self._before, self.looks)

    @property
    def changed_in_view(self) -> tuple[str, ...]:
        """The names of the classes whose looks changed for this view."""
        return self._changed(self._before_in_view, self.of_view)

    def _changed(self, before: Mapping[str, Style], after: Mapping[str, Style]) -> tuple[str, ...]:
        changed = [iri for iri in before.keys() | after.keys() if before.get(iri) != after.get(iri)]
        return tuple(sorted(self._refs[iri].label if iri in self._refs else iri for iri in changed))

    @property
    def warning(self) -> str:
        """A warning about the colour, or empty."""
        return self._warning.text()

    # Building

    def _scope_row(self, *, with_view: bool) -> None:
        self._scope = QGroupBox("Apply")
        self.everywhere = QRadioButton("everywhere")
        self.view_only = QRadioButton("in this view of the graph only")
        self.view_only.setToolTip("Saved with the view; takes precedence over the looks for all views")
        self.everywhere.setChecked(True)
        column = QVBoxLayout(self._scope)
        column.addWidget(self.everywhere)
        column.addWidget(self.view_only)
        self._scope.setVisible(with_view)

    def _list_side(self) -> None:
        self.filter = FilterLine("Filter classes")
        self.classes = QListWidget()
        self.classes.setAccessibleName("Classes")
        self.classes.setUniformItemSizes(True)
        for ref in self._refs.values():
            item = QListWidgetItem(ref.label)
            item.setData(_IRI, ref.iri)
            item.setToolTip(plain_tip(ref.iri))
            # The list is laid out before the style sheet sets the height of rows.
            item.setSizeHint(QSize(0, 3 * GRID))
            self.classes.addItem(item)
            self._mark_item(item)

    def _choices(self, column: QVBoxLayout, title: str, values: Sequence[tuple[str, str]]) -> QButtonGroup:
        column.addWidget(caption(title))
        group = QButtonGroup(self)
        grid = QGridLayout()
        grid.setSpacing(GRID // 2)
        for at, (_, name) in enumerate(values):
            button = QToolButton()
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setIconSize(QSize(SWATCH, SWATCH))
            if at == 0:
                button.setText("Default")
                button.setProperty("labelled", True)
            button.setToolTip(plain_tip(name or "Default of the kind"))
            button.setAccessibleName(f"{title}: {name or 'default of the kind'}")
            group.addButton(button, at)
            grid.addWidget(button, (at - 1) // 7 if at else 0, (at - 1) % 7 + 1 if at else 0)
        grid.setColumnStretch(8, 1)
        column.addLayout(grid)
        return group

    def _code_row(self, column: QVBoxLayout) -> None:
        self.code = QLineEdit()
        self.code.setPlaceholderText("#rrggbb")
        self.code.setAccessibleName("Any other colour, as #rrggbb")
        self.code.setMaximumWidth(12 * GRID)
        self.code.setMaxLength(7)
        self.pick = QPushButton("Other colour…")
        self.pick.setAutoDefault(False)
        self.pick.clicked.connect(self._pick)
        self._warning = Label()
        self._warning.setProperty("role", "small")
        keeps_room = self._warning.sizePolicy()
        keeps_room.setRetainSizeWhenHidden(True)
        self._warning.setSizePolicy(keeps_room)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.code)
        row.addWidget(self.pick)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self._warning)
        self.code.textEdited.connect(self._read_code)

    def _begin(self, cls: str | None) -> None:
        rows = range(self.classes.count())
        row = next((row for row in rows if self.classes.item(row).data(_IRI) == cls), 0)
        self.classes.setCurrentRow(row)
        self.view_only.setChecked(cls in self.of_view)
        self.classes.scrollToItem(self.classes.item(row))
        self.classes.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()

    # What is chosen

    def _ref(self) -> ResourceRef | None:
        return self._refs[self.classes.currentItem().data(_IRI)] if self.classes.count() else None

    @property
    def _chosen(self) -> dict[str, Style]:
        """The looks that are being edited."""
        return self.of_view if self.view_only.isChecked() else self.looks

    @property
    def _in_force(self) -> dict[str, Style]:
        """The looks that apply where the edited ones do."""
        return {**self.looks, **self.of_view} if self.view_only.isChecked() else self.looks

    def _style(self) -> Style:
        ref = self._ref()
        return self._chosen.get(ref.iri, Style()) if ref is not None else Style()

    def _choose(self, *, colour: str | None = None, icon: str | None = None, shape: str | None = None) -> None:
        style = self._style()
        self._take(
            Style(
                style.colour if colour is None else colour,
                style.shape if shape is None else shape,
                style.icon if icon is None else icon,
            )
        )

    def _take(self, style: Style) -> None:
        ref = self._ref()
        if ref is None:
            return
        if style == Style():
            self._chosen.pop(ref.iri, None)
        else:
            self._chosen[ref.iri] = style
        self._show_all()

    def _reset_all(self) -> None:
        self._chosen.clear()
        self._show_all()

    def _read_code(self, text: str) -> None:
        if re.fullmatch("#[0-9a-fA-F]{6}", text):
            self._choose(colour=text.lower())
        elif not text:
            self._choose(colour="")

    def _pick(self) -> None:
        ref = self._ref()
        now = class_look(self._themed(ref.iri if ref is not None else None), _TRIED).colour
        chosen = QColorDialog.getColor(QColor(now), self, "Colour", QColorDialog.ColorDialogOption.DontUseNativeDialog)
        if chosen.isValid():
            self._choose(colour=chosen.name())

    def _filter(self, words: str) -> None:
        wanted = words.casefold().split()
        for row in range(self.classes.count()):
            item = self.classes.item(row)
            name = f"{item.text()} {item.data(_IRI)}".casefold()
            item.setHidden(not all(word in name for word in wanted))

    # What is shown

    def _themed(self, iri: str | None) -> Theme:
        """A theme in which `_TRIED` has the look of a class."""

        def parents(cls: str) -> Sequence[str]:
            return self._parents.get(cls, ())

        looks = self._in_force
        key = look_key_of(iri, parents, looks.keys()) if iri is not None else "other"
        # The kind of the class with the look completes it.
        style = whole_style(looks.get(key, Style()), kind_of(look_key_of(key, parents)))
        return replace(self._theme, styles={_TRIED: style}, faded=frozenset())

    def _mark_item(self, item: QListWidgetItem) -> None:
        item.setIcon(class_mark(_TRIED, self._themed(item.data(_IRI))))

    def _show_all(self) -> None:
        for row in range(self.classes.count()):
            self._mark_item(self.classes.item(row))
        self._show()

    def _show(self) -> None:
        ref, style = self._ref(), self._style()
        themed = self._themed(ref.iri if ref is not None else None)
        look = class_look(themed, _TRIED)
        for at, role in enumerate(self._roles):
            if role:
                self.colours.button(at).setIcon(_swatch(self._theme.classes[role]))
        for at, icon in enumerate(ICONS, 1):
            self.icons.button(at).setIcon(look_mark(look._replace(icon=icon), self._theme))
        for at, shape in enumerate(SHAPES, 1):
            self.shapes.button(at).setIcon(look_mark(look._replace(shape=shape), self._theme))
        chosen: tuple[tuple[QButtonGroup, Sequence[str], str], ...] = (
            (self.colours, self._roles, style.colour),
            (self.icons, ("", *ICONS), style.icon),
            (self.shapes, ("", *SHAPES), style.shape),
        )
        for group, values, value in chosen:
            group.setExclusive(False)
            for button in group.buttons():
                button.setChecked(values[group.id(button)] == value)
            group.setExclusive(value in values)
            for button in group.buttons():
                button.setEnabled(ref is not None)
        if not self.code.hasFocus() or style.colour.startswith("#"):
            self.code.setText(style.colour if style.colour.startswith("#") else "")
        self.code.setEnabled(ref is not None)
        self.pick.setEnabled(ref is not None)
        self._warning.setText(_contrast_warning(style.colour, self._theme))
        self._warning.setVisible(bool(self._warning.text()))
        self.reset.setEnabled(ref is not None and ref.iri in self._chosen)
        self.reset_all.setEnabled(bool(self._chosen))
        said = "Subclasses share this look unless they have their own." if ref else ""
        if ref is not None and self.everywhere.isChecked() and ref.iri in self.of_view:
            said += " In this view of the graph, it has a look of its own."
        self._kin.setText(said)
        self.preview.show_node(ref.label if ref is not None else "", themed)


def _contrast_warning(colour: str, theme: Theme) -> str:
    if not colour.startswith("#"):
        return ""
    found = contrast(colour, theme.surface)
    if found < LEAST_CONTRAST:
        return f"Hard to see: its contrast with a card is {found:.1f} to 1, and should be {LEAST_CONTRAST:g} to 1."
    return "Not in the palette: some people may not distinguish it from other colours."


def _swatch(colour: str) -> QIcon:
    def draw(painter: QPainter, scale: int) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(2, 2, SWATCH - 4, SWATCH - 4, 3, 3)

    return paint_icon(QIcon(), SWATCH, draw)


class _Preview(QWidget):
    """A sample card."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._label = ""
        self.setFixedHeight(10 * GRID)

    def show_node(self, label: str, theme: Theme) -> None:
        """Show a sample of a class."""
        self._label, self._theme = label, theme
        self.setAccessibleName(f"An instance of {label}" if label else "No class is selected")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), qt_colour(self._theme.background))
        if self._label:
            node = SceneNode("preview", "An instance of this class", self._label, colour_key=_TRIED)
            size = footprint(node)
            x, y = 2.0 * GRID, round((self.height() - size.height) / 2)
            play(painter, card_primitives(node, Rect(x, y, size.width, size.height), self._theme))
        painter.end()
