"""The tree of findings in groups, with their resources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QBrush, QColor, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from hpc_explorer.annotate.validation.findings import Severity
from hpc_explorer.app.checks.finding_views import FindingGroup, Located, difference_of, problem_of
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import GRID, class_mark, current_theme, font, icon
from hpc_explorer.ui.widgets.two_level_tree import Index, TwoLevelModel, TwoLevelTree
from hpc_explorer.wording import counted

LONGEST = 300
"""The maximum length of a message."""

LONGEST_NAME = 80
"""The maximum length of a resource's name before a message."""

UNFOLDED = 12
"""Groups up to this size are unfolded at first, up to this number of groups."""

_NARROWEST, _WIDEST = 13 * GRID, 22 * GRID
"""The smallest and largest width of the second column, in pixels; between them, a quarter of the tree."""

SEVERITY_ICON = {Severity.VIOLATION: "error", Severity.WARNING: "warning", Severity.INFO: "info"}

_ROLE = Qt.ItemDataRole


def severity_colour(severity: Severity, theme: Theme) -> str:
    """The colour of a severity's mark."""
    return {Severity.VIOLATION: theme.error, Severity.WARNING: theme.warning}.get(severity, theme.muted)


class FindingModel(TwoLevelModel):
    """Groups of findings, each with its findings below it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__()
        self._groups: Sequence[FindingGroup] = ()
        self._bold = font(weight=600)

    @property
    def groups(self) -> Sequence[FindingGroup]:
        """What is shown."""
        return self._groups

    def show(self, groups: Sequence[FindingGroup]) -> None:
        """Show other findings."""
        self.beginResetModel()
        self._groups = groups
        self.endResetModel()

    def group(self, index: Index) -> FindingGroup | None:
        """The group of a row."""
        number = self.top(index)
        return None if number is None else self._groups[number]

    def finding(self, index: Index) -> Located | None:
        """The finding of a row; None for a group."""
        group = self.group(index)
        return group.findings[index.row()] if group is not None and self.is_below(index) else None

    def count(self) -> int:
        """The number of groups."""
        return len(self._groups)

    def count_below(self, number: int) -> int:
        """The number of findings in a group."""
        return len(self._groups[number].findings)

    # As Qt asks

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        if role == _ROLE.DisplayRole and orientation is Qt.Orientation.Horizontal:
            by_resource = any(group.ref is not None for group in self._groups)
            return ("Finding", "Shape" if by_resource else "Kind")[section]
        return None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        one, group = self.finding(index), self.group(index)
        if group is None:
            return None
        if one is None:
            return self._of_group(group, index.column(), role)
        return self._in_resource(one, index.column(), role) if group.ref else self._of_problem(one, group, index, role)

    def _of_group(self, group: FindingGroup, column: int, role: int) -> Any:
        number = counted(len(group.findings), "finding")
        if role == _ROLE.DisplayRole:
            return brief(group.title, LONGEST) if column == 0 else number
        if role == _ROLE.AccessibleTextRole:
            return f"{group.title}, {number}, {group.severity.value}" if column == 0 else number
        if role == _ROLE.FontRole and column == 0:
            return self._bold
        if role == _ROLE.DecorationRole and column == 0:
            return icon(SEVERITY_ICON[group.severity], severity_colour(group.severity, current_theme()))
        if role == _ROLE.ForegroundRole and column == 1:
            return QBrush(QColor(current_theme().muted))
        if role == _ROLE.ToolTipRole and group.ref is not None:
            return plain_tip(group.ref.iri)
        return None

    def _in_resource(self, one: Located, column: int, role: int) -> Any:
        """A finding below its resource: its message and shape."""
        severity = one.finding.severity
        if role == _ROLE.DisplayRole:
            return brief(" ".join(one.finding.message.split()), LONGEST) if column == 0 else one.shape
        if role == _ROLE.AccessibleTextRole:
            return f"{severity.value}: {one.finding.message}" if column == 0 else one.shape
        if role == _ROLE.DecorationRole and column == 0:
            return icon(SEVERITY_ICON[severity], severity_colour(severity, current_theme()))
        if role == _ROLE.ForegroundRole and column == 1:
            return QBrush(QColor(current_theme().muted))
        if role == _ROLE.ToolTipRole:
            return plain_tip(one.finding.message if column == 0 else one.ref.iri)
        return None

    def _of_problem(self, one: Located, group: FindingGroup, at: Index, role: int) -> Any:
        """A finding below its problem: the resource, and what its message adds to the title."""
        if role == _ROLE.DisplayRole:
            if at.column() == 1:
                return one.ref.kind
            said = difference_of(one, group)
            return brief(f"{brief(one.ref.label, LONGEST_NAME)}  ·  {said}" if said else one.ref.label, LONGEST)
        if role == _ROLE.AccessibleTextRole:
            return f"{one.ref.label}, {one.finding.severity.value}: {one.finding.message}"
        if role == _ROLE.DecorationRole and at.column() == 0:
            return class_mark(one.ref.colour_key, current_theme())
        if role == _ROLE.ForegroundRole and at.column() == 1:
            return QBrush(QColor(current_theme().muted))
        if role == _ROLE.ToolTipRole:
            return plain_tip(f"{one.finding.message}\n{one.ref.iri}")
        return None


class FindingTree(TwoLevelTree):
    """The rows.

    Signals:
        opened(Located): a row was opened: show the field of the finding.
        resource_wanted(Located): go to the resource of the finding.
        chosen(): the current row is another one.
    """

    opened = Signal(object)
    resource_wanted = Signal(object)
    chosen = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.findings = FindingModel()
        super().__init__(self.findings, name, parent)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        self.header().setStretchLastSection(False)
        self.selectionModel().currentChanged.connect(lambda now, before: self.chosen.emit())

    @property
    def current(self) -> Located | None:
        """The selected finding, or the first of the selected group."""
        index = self.currentIndex()
        group = self.findings.group(index)
        return self.findings.finding(index) or (group.findings[0] if group is not None else None)

    @property
    def current_group(self) -> FindingGroup | None:
        """The selected group, or that of the selected finding."""
        return self.findings.group(self.currentIndex())

    def show_groups(self, groups: Sequence[FindingGroup]) -> None:
        """Show other findings; selected and unfolded rows stay so if they still exist."""
        chosen, chosen_group = self.findings.finding(self.currentIndex()), self.current_group
        known = {
            _key(group): self.isExpanded(self.findings.index(n, 0)) for n, group in enumerate(self.findings.groups)
        }
        model = self.selectionModel()
        model.blockSignals(True)
        self.findings.show(groups)
        for number, group in enumerate(groups):
            few = len(groups) <= UNFOLDED and len(group.findings) <= UNFOLDED
            if known.get(_key(group), few):
                self.expand(self.findings.index(number, 0))
        self.setCurrentIndex(self._found_again(groups, chosen, chosen_group))
        model.blockSignals(False)
        self.chosen.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.header().resizeSection(1, max(_NARROWEST, min(_WIDEST, event.size().width() // 4)))

    def _found_again(
        self, groups: Sequence[FindingGroup], chosen: Located | None, chosen_group: FindingGroup | None
    ) -> QModelIndex:
        at = next((n for n, one in enumerate(groups) if chosen_group and _key(one) == _key(chosen_group)), 0)
        above = self.findings.index(at, 0)
        if chosen is not None and at < len(groups) and chosen in groups[at].findings:
            return self.findings.index(groups[at].findings.index(chosen), 0, above)
        return above

    def open_row(self, index: QModelIndex) -> None:
        """Go to the field of a finding; fold or unfold a group without a resource."""
        one = self.findings.finding(index)
        group = self.findings.group(index)
        if one is None and group is not None and group.ref is None:
            self.setExpanded(index, not self.isExpanded(index))
        elif self.current is not None:
            self.opened.emit(self.current)

    def open_menu(self, at: QPoint) -> None:
        """Show the menu of the row at a place."""
        index = self.indexAt(at)
        if index.isValid():
            self.setCurrentIndex(index)
            menu = self.menu()
            menu.exec(self.viewport().mapToGlobal(at))
            menu.deleteLater()

    def menu(self) -> QMenu:
        """The menu of the selected row."""
        menu = QMenu(self)
        one = self.current
        for title, signal in (("Edit in the form", self.opened), ("Go to resource", self.resource_wanted)):
            action = QAction(title, menu)
            action.setEnabled(one is not None and one.finding.subject is not None)
            action.triggered.connect(lambda _=False, signal=signal: signal.emit(one))
            menu.addAction(action)
        copy = QAction("Copy the finding", menu)
        copy.triggered.connect(
            lambda: (
                None if one is None else QGuiApplication.clipboard().setText(f"{one.ref.iri}\t{one.finding.message}")
            )
        )
        menu.addAction(copy)
        return menu


def _key(group: FindingGroup) -> object:
    first = group.findings[0].finding
    return first.place if group.ref is not None else (first.severity, first.shape, problem_of(group.findings[0]))
