"""The page "Check" of the tab Edit: the findings of validation and their fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.annotate.validation.findings import Fix, Severity
from hpc_explorer.app.checks.finding_views import FindingGroup, FindingsBy, Located
from hpc_explorer.ui.checks.finding_tree import SEVERITY_ICON, FindingTree, severity_colour
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, tab_bar
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.page_stack import EmptyPage, PageStack
from hpc_explorer.ui.widgets.plain import Label, plain_tip, without_shortcut
from hpc_explorer.ui.widgets.progress_bar import ProgressLine
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon, on_theme
from hpc_explorer.ui.widgets.timers import single_shot

PAUSE = 200
"""Milliseconds without a key before the filter is applied."""

MOST_FIXES = 6
"""The maximum number of buttons for a finding."""

NOT_CHECKED = (
    "Nothing is checked yet",
    "Shapes define what a description must have and what its values must be. Shapes for the HPC ontology and PROV-ML "
    "are included; add your own from a file. Check everything to see what does not conform. Where a fix is known, the "
    "finding has a button for it.",
)
ALL_RIGHT = ("Nothing found", "Everything that was checked conforms to the shapes.")
NOTHING_FITS = ("Nothing fits the filter", "Type less, or choose more of violations, warnings and information above.")

_TITLES = {Severity.VIOLATION: "Violations", Severity.WARNING: "Warnings", Severity.INFO: "Information"}


class Page(Enum):
    """The part shown below the bar."""

    NOT_CHECKED = 0
    FINDINGS = 1
    ALL_RIGHT = 2
    NOTHING_FITS = 3


class ChecksPage(QWidget):
    """The page; `ChecksController` fills it.

    Args:
        actions: the buttons above.
        starting: what can be done where nothing is checked yet.

    Attributes:
        tree: the findings.
        words: what is looked for in them.

    Signals:
        narrowing_changed(): other severities, other words, or another way to put them together.
        fix_wanted(Fix, bool): a way to fix the chosen finding, or (True) all in sight that are like it.
    """

    narrowing_changed = Signal()
    fix_wanted = Signal(object, bool)

    def __init__(self, actions: Sequence[QAction], starting: Sequence[QAction]) -> None:
        super().__init__()
        self.setObjectName("answered")
        self.summary = TextBlock("", weight=600)
        self.note = TextBlock("", muted=True)
        self.note.hide()
        self.progress = ProgressLine("How much is checked")
        self.progress.setFixedHeight(GRID // 2)
        self.progress.hide()
        bar = QWidget()
        flow = OneLine(bar, GRID // 2)
        for action in actions:
            flow.addWidget(action_button(action, TEXT))
        self.views = tab_bar("How the findings are grouped")
        for by in FindingsBy:
            self.views.addTab(by.value)
        self.severities = {severity: self._severity_button(severity) for severity in Severity}
        self.words = QLineEdit()
        self.words.setClearButtonEnabled(True)
        self.words.setAccessibleName("Filter the findings")
        self.words.setPlaceholderText("Filter by message, resource or shape")
        choosing = QHBoxLayout()
        choosing.setSpacing(GRID)
        choosing.addWidget(self.views)
        choosing.addWidget(self.words, 1)
        kinds = QHBoxLayout()
        kinds.setSpacing(GRID)
        for button in self.severities.values():
            kinds.addWidget(button)
        kinds.addStretch(1)
        head = QWidget()
        head.setObjectName("pictureBar")
        above = column_in(head, 2 * GRID, GRID, 2 * GRID, GRID // 2, spacing=GRID // 2)
        for part in (self.summary, self.progress, self.note, bar):
            above.addWidget(part)
        self._choosing = QWidget()
        rows = column_in(self._choosing, spacing=GRID // 2)
        rows.addLayout(choosing)
        rows.addLayout(kinds)
        above.addWidget(self._choosing)
        self.tree = FindingTree("Findings")
        self.details = _Details()
        self.details.fix_wanted.connect(self.fix_wanted)
        self.remark = Label()
        self.remark.setProperty("role", "small")
        self.remark.setWordWrap(True)
        found = QWidget()
        below = column_in(found, spacing=GRID // 2)
        add_parts(below, (self.tree, 1), self.remark, self.details)
        self._parts = PageStack()
        for part in (EmptyPage(NOT_CHECKED, starting), found, EmptyPage(ALL_RIGHT), EmptyPage(NOTHING_FITS)):
            self._parts.addWidget(part)
        body = QVBoxLayout()
        body.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        body.addWidget(self._parts)
        column = column_in(self)
        column.addWidget(head)
        column.addLayout(body, 1)
        self.setFocusProxy(self.tree)
        self._pause = single_shot(self, PAUSE, self.narrowing_changed.emit)
        self.words.textEdited.connect(lambda _: self._pause.start())
        self.words.textChanged.connect(lambda text: None if text else self._pause.start())
        self.views.currentChanged.connect(lambda _: self.narrowing_changed.emit())
        self.tree.chosen.connect(self._show_details)
        self.show_page(Page.NOT_CHECKED)
        self._dress()
        on_theme(self._dress)

    @property
    def by(self) -> FindingsBy:
        """The grouping of the findings."""
        return list(FindingsBy)[self.views.currentIndex()]

    @property
    def wanted(self) -> tuple[Severity, ...]:
        """The selected severities."""
        return tuple(severity for severity, button in self.severities.items() if button.isChecked())

    @property
    def page(self) -> Page:
        """The part shown below the bar."""
        return Page(self._parts.currentIndex())

    def show_page(self, page: Page) -> None:
        """Show a part."""
        self._parts.setCurrentIndex(page.value)
        self._choosing.setVisible(page in (Page.FINDINGS, Page.NOTHING_FITS))

    def show_summary(self, summary: str, note: str = "") -> None:
        """Show the progress and remarks."""
        self.summary.say(summary)
        self.note.say(note)
        self.note.setVisible(bool(note))

    def show_progress(self, fraction: float | None, *, running: bool) -> None:
        """Show the progress, 0 to 1; None if it is unknown."""
        self.progress.setVisible(running)
        self.progress.show_fraction(fraction)

    def show_counts(self, counts: Mapping[Severity, int]) -> None:
        """Show the number of findings of each severity."""
        for severity, button in self.severities.items():
            text = f"{_TITLES[severity]} {counts[severity]:,}"
            button.setText(text)
            button.setAccessibleName(f"Show {_TITLES[severity].lower()}: {counts[severity]:,}")

    def show_findings(self, groups: Sequence[FindingGroup], remark: str) -> None:
        """Show findings in their groups."""
        self.tree.show_groups(groups)
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))

    def can_fix(self, reason: str | None) -> None:
        """Show why fixes cannot be applied; None if they can."""
        if reason != self.details.reason:
            self.details.reason = reason
            self._show_details()

    def _dress(self) -> None:
        """Take the colours of the theme."""
        for severity, button in self.severities.items():
            button.setIcon(icon(SEVERITY_ICON[severity], severity_colour(severity, current_theme())))

    def _severity_button(self, severity: Severity) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setChecked(True)
        button.setText(_TITLES[severity])
        button.setProperty("labelled", True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.toggled.connect(lambda _: self.narrowing_changed.emit())
        return button

    def _show_details(self) -> None:
        group = self.tree.current_group
        self.details.show_finding(self.tree.current, 0 if group is None else len(group.findings))


class _Details(QWidget):
    """The selected finding in full, with buttons for its fixes."""

    fix_wanted = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self.reason: str | None = None
        self.message = TextBlock("", weight=600)
        self.about = TextBlock("", muted=True)
        self._buttons = QWidget()
        self._flow = FlowLayout(self._buttons, GRID // 2)
        column = column_in(self, 0, GRID // 2, 0, 0, spacing=GRID // 2)
        for part in (self.message, self.about, self._buttons):
            column.addWidget(part)

    def show_finding(self, one: Located | None, alike: int) -> None:
        """Show another finding.

        Args:
            alike: how many there are in its group.
        """
        self.setVisible(one is not None)
        while self._flow.count():
            item = self._flow.takeAt(0)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if one is None:
            return
        finding = one.finding
        self.message.say(finding.message)
        about = [f"{one.ref.label} ({one.ref.kind})" if one.ref.kind else one.ref.label, f"shape {one.shape}"]
        if finding.fixes and self.reason is not None:
            about.append(f"cannot be fixed here: {self.reason}")
        elif not finding.fixes:
            edit = ": edit the resource" if finding.subject is not None else ""
            about.append(f"no known fix{edit}")
        self.about.say(" · ".join(about))
        for fix in finding.fixes[:MOST_FIXES]:
            self._add(fix, fix.words, alike=False)
            if alike > 1 and not fix.kind.startswith("keep "):
                self._add(fix, "…all like it", alike=True)
        if len(finding.fixes) > MOST_FIXES:
            left = len(finding.fixes) - MOST_FIXES
            self._flow.addWidget(TextBlock(f"and {left:,} more: edit the resource to choose among them", muted=True))
        self._buttons.setVisible(bool(finding.fixes))

    def _add(self, fix: Fix, title: str, *, alike: bool) -> None:
        button = QPushButton(without_shortcut(title))
        kind = fix.words.partition(":")[0]  # behind it stands what comes of the one value
        button.setAccessibleName(f"{kind}, for all findings like it" if alike else fix.words)
        button.setToolTip(
            plain_tip(self.reason or ("Apply this fix to all findings of the group" if alike else fix.words))
        )
        button.setEnabled(self.reason is None)
        button.clicked.connect(lambda: self.fix_wanted.emit(fix, alike))
        self._flow.addWidget(button)
