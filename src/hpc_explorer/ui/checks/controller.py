"""Runs the check of the page "Check", shows findings as they arrive, and applies fixes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.annotate.validation.checking import Checked
from hpc_explorer.annotate.validation.findings import Finding, Fix, Severity
from hpc_explorer.annotate.validation.fixes import reaches_beyond
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.app.checks.finding_views import Located, grouped, narrowed, report_text
from hpc_explorer.app.checks.shapes import add_shapes, readable_shapes
from hpc_explorer.app.checks.validating import check_graph, check_resource, fix_findings, located, write_report
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import why_not_to_start
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, CountKind, Limits, Progress, no_progress
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.checks.page import ChecksPage, Page
from hpc_explorer.ui.widgets.edit_tab import EditTab, EditView
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.wording import counted

MOST_KEPT = 10_000
"""The maximum number of findings listed; the others are counted."""

TOLD_AFTER = 0.15
"""Interval in seconds between parts of the findings."""

SHOWN_AFTER = 250
"""Interval in milliseconds between updates of the list."""

CHECK = "Check everything"


class ChecksController(QObject):
    """Runs the check and keeps its findings.

    Args:
        make_page: makes the page.
        undo: what is fixed becomes a step of it.
        folder: where files are proposed to be.

    Signals:
        field_wanted(Resource, object): the form should show the field of this property, in a tuple.
    """

    field_wanted = Signal(object, object)
    _came = Signal(int, object, object, object)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        tab: EditTab,
        make_page: Callable[[], ChecksPage],
        undo: UndoStack,
        folder: Callable[[], str],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge, self._navigator, self._tab, self._undo = bridge, navigator, tab, undo
        self._folder, self._window = folder, window
        self._page = Late(lambda: self._connected(make_page()))
        self._number = 0
        self._is_running = self._is_stopped = self._is_stale = False
        self._fixed: set[Resource] = set()
        self._sources: tuple[object, ...] = ()
        self.findings: list[Located] = []
        self._counts: Counter[Severity] = Counter()
        self._shapes: Shapes | None = None
        self._checked: Checked | None = None
        self._problems: tuple[str, ...] = ()
        tab.mount(EditView.CHECK, self._page.get)
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._showing = single_shot(self, SHOWN_AFTER, self._show)
        bridge.graph_changed.connect(self._graph_changed)

    @property
    def page(self) -> ChecksPage:
        """The page, made when it is first needed."""
        return self._page.get()

    def _connected(self, page: ChecksPage) -> ChecksPage:
        page.narrowing_changed.connect(self._show)
        page.tree.opened.connect(self._edit)
        page.tree.resource_wanted.connect(self._open)
        page.tree.chosen.connect(self._bridge.updated)
        page.fix_wanted.connect(self._fix)
        self._sources = tuple(source.graph for source in self._bridge.sources)
        page.can_fix(self._reason)
        page.show_summary("Check")
        page.show_progress(None, running=False)
        return page

    def commands(self) -> tuple[Command, ...]:
        """The commands of checks."""
        graph = open_graph(self._bridge)
        checking = Need("a check under way", lambda: self._is_running)
        findings = Need("findings of a check", lambda: bool(self.findings))
        fix = Need("a chosen finding that is known to be fixed, in a graph that can be edited", lambda: self._can_fix)
        return (
            Command("check.show", "Check", "Edit", 4, "F7", "done")
            .runs(self.show, graph)
            .about("Show what does not conform to the shapes."),
            Command("check.all", "Check everything", "Edit", 4)
            .runs(self.check, graph)
            .about("Check all open graphs against the shapes."),
            Command("check.stop", "Stop checking", "Edit", 4, "", "stop", short="Stop")
            .runs(self.stop, checking)
            .about("Stop the check. The findings so far stay."),
            Command("check.fix", "Fix this finding", "Edit", 4, "", short="Fix")
            .runs(lambda: self._fix_first(alike=False), fix)
            .about("Apply the likeliest fix of the chosen finding. It can be undone in one step."),
            Command("check.fix_all", "Fix all findings like it", "Edit", 4, "", short="Fix all like it")
            .runs(lambda: self._fix_first(alike=True), fix)
            .about("Apply the same fix to all findings of the chosen group. It can be undone in one step."),
            Command("check.add_shapes", "Add shapes…", "Edit", 4, "", "add")
            .runs(self.choose_shapes, graph)
            .about("Also check against the shapes (SHACL) in a file, now and later."),
            Command("check.copy", "Copy the findings", "Edit", 4, "", "copy", short="Copy")
            .runs(self.copy, findings)
            .about("Copy the findings in sight as lines of text."),
            Command("check.save", "Save the report…", "Edit", 4, "", "export")
            .runs(self.choose_report, findings)
            .about("Write the findings in sight as a validation report of SHACL."),
        )

    @property
    def _can_fix(self) -> bool:
        if self._navigator.place.view is not View.EDIT or self._tab.view is not EditView.CHECK:
            return False
        one = self.page.tree.current
        return one is not None and bool(one.finding.fixes) and self._bridge.read_only_reason is None

    @property
    def is_waiting(self) -> bool:
        """Whether an update is pending."""
        return self._is_running or self._showing.isActive()

    # What commands do

    def show(self) -> None:
        """Show the page."""
        self._tab.show_view(EditView.CHECK)
        self._navigator.show_view(View.EDIT)
        self.page.setFocus()

    def check(self) -> None:
        """Check everything, and replace the earlier findings."""
        self.show()
        self._forget()
        self._number += 1
        number = self._number
        self._is_running = True

        def done(problems: tuple[str, ...]) -> None:
            self._is_running = False
            self._problems = problems
            self._showing.start()
            self._say()

        def failed(error: BaseException) -> None:
            self._is_running = False
            self._is_stopped = True
            self._say()
            if not isinstance(error, Cancelled):
                self._bridge.failed.emit(CHECK, error)

        self._bridge.run(
            _check, partial(self._came.emit, number), title=CHECK, on_result=done, on_error=failed, replaces="check"
        )
        self.page.show_page(Page.FINDINGS)
        self._say()

    def stop(self) -> None:
        """Stop the check; the findings stay."""
        if self._is_running:
            self._bridge.drop("check")
            self._is_running, self._is_stopped = False, True
            self._showing.start()
            self._say()

    def choose_shapes(self) -> None:
        """Ask for a file of shapes to use from now on."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, "Add shapes", self._folder(), "Shapes (*.ttl *.nt *.nq *.trig *.rdf *.jsonld);;All files (*)"
        )
        if chosen:
            self.take_shapes(Path(chosen))

    def take_shapes(self, file: Path) -> None:
        """Use a file of shapes from now on, and check."""

        def done(classes: int) -> None:
            self._bridge.said.emit(f"Shapes added from {file.name}" + (f", for {classes:,} classes" if classes else ""))
            self.check()

        self._bridge.run(
            add_shapes,
            file,
            title="Add shapes",
            on_result=done,
            writes=True,
        )

    def copy(self) -> None:
        """Copy the visible findings as lines of text."""
        some = self._in_sight()
        QGuiApplication.clipboard().setText(report_text(some, self.page.summary.text()))
        self._bridge.said.emit(f"Copied {counted(len(some), 'finding')}")

    def choose_report(self) -> None:
        """Ask for a file, and write the findings as a SHACL validation report."""
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, "Save the report", str(Path(self._folder()) / "report.ttl"), "Turtle (*.ttl)"
        )
        if chosen:
            self.save_report(Path(chosen))

    def save_report(self, file: Path) -> None:
        """Write the visible findings to a file."""
        some, shapes = [one.finding for one in self._in_sight()], self._shapes
        if not some or shapes is None:
            self._bridge.said.emit("No finding is in sight: nothing was written")
            return

        self._bridge.run(
            write_report,
            shapes,
            some,
            file,
            title="Save the report",
            on_result=lambda _: self._bridge.said.emit(f"Wrote {counted(len(some), 'finding')} to {file}"),
            replaces="report of findings",
        )

    @property
    def _reason(self) -> str | None:
        """Why fixes cannot be applied here; None if they can."""
        reason = self._bridge.read_only_reason
        if reason is None or why_not_to_start(self._bridge.session) is not None:
            return reason
        return "start editing first; the files stay as they are until you save"

    def _open(self, one: Located) -> None:
        if one.finding.subject is not None:
            self._navigator.explore(one.finding.subject)

    def _edit(self, one: Located) -> None:
        """Show the form of the resource, with the keyboard in the field of the finding."""
        subject, field = one.finding.subject, one.finding.field
        if subject is not None and field is not None:
            self.field_wanted.emit(subject, (field,))
        elif subject is not None:
            self._tab.show_view(EditView.FORM)
            self._navigator.edit(subject)

    # Mending

    def _fix_first(self, *, alike: bool) -> None:
        one = self.page.tree.current
        if one is not None and one.finding.fixes:
            self._fix(one.finding.fixes[0], alike)

    def _fix(self, fix: Fix, alike: bool) -> None:
        """Apply a fix, or all fixes of its kind in the group of the selected finding, as one step."""
        one, group = self.page.tree.current, self.page.tree.current_group
        if one is None or group is None or self._bridge.read_only_reason is not None:
            return
        chosen = [each.finding for each in group.findings] if alike else [one.finding]
        some = [each for each in chosen if any(one.kind == fix.kind for one in each.fixes)]
        shapes = self._shapes
        title = group.title if alike else one.ref.label
        words = f"{fix.words} ({title}, {len(some):,} times)" if alike and len(some) > 1 else f"{title}: {fix.words}"

        subjects = {each.subject for each in some if each.subject is not None}
        # What shapes of the user's compare is not known, and of findings that are not listed only the number is.
        is_more = bool(shapes and shapes.files) or sum(self._counts.values()) > len(self.findings)

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> EditStep | None:
            change = fix_findings(session, some, fix.kind, words, shapes=shapes, limits=limits)
            return EditStep.made(session, change)

        def done(step: EditStep | None) -> None:
            if step is None:
                self._bridge.said.emit("Nothing was left to be fixed")
            else:
                self._undo.push(step)
                self._bridge.said.emit(f"Fixed: {words}")
                self._is_stale |= is_more or reaches_beyond(step.change, subjects)
                self._say()

        self._fixed |= subjects
        self._bridge.run(work, title="Fix", on_result=done, writes=True)

    def _graph_changed(self) -> None:
        """Check the fixed resources again; mark the other findings as earlier ones."""
        if self._page.made is None:
            return  # nothing was checked
        sources = tuple(source.graph for source in self._bridge.sources)
        fixed, self._fixed = self._fixed, set()
        if not sources or (sources != self._sources and self._sources):
            self._sources = sources
            self._bridge.drop("check")
            self._is_running = False
            self._forget()
            self.page.show_page(Page.NOT_CHECKED)
            self._say()
            return
        self._sources = sources
        if self._checked is None:
            return
        if fixed:
            self._check_again(fixed)
        else:
            self._is_stale = True
        self._say()

    def _check_again(self, subjects: set[Resource]) -> None:
        shapes = self._shapes

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[Located, ...]:
            found: list[Finding] = []
            for subject in subjects:
                found.extend(check_resource(session, subject, shapes=shapes, limits=limits))
            return located(session, found, limits=limits)

        def done(found: Sequence[Located]) -> None:
            gone = [one for one in self.findings if one.finding.subject in subjects]
            self.findings = [one for one in self.findings if one.finding.subject not in subjects] + list(found)
            self._counts.subtract(one.finding.severity for one in gone)
            self._counts.update(one.finding.severity for one in found)
            self._show()

        self._bridge.run(work, title="Check again what was fixed", on_result=done, replaces="check of what was fixed")

    # Showing

    @Slot(int, object, object, object)
    def _take(self, number: int, shapes: Shapes, checked: Checked, found: Sequence[Located]) -> None:
        if number != self._number or self._is_stopped:
            return
        self._shapes, self._checked = shapes, checked
        self._counts.update(one.finding.severity for one in found)
        self.findings.extend(found[: max(0, MOST_KEPT - len(self.findings))])
        if not self._showing.isActive():
            self._showing.start()
        self._say()

    def _forget(self) -> None:
        self._bridge.drop("check", "check of what was fixed")
        self.findings = []
        self._counts = Counter()
        self._shapes = self._checked = None
        self._problems = ()
        self._is_stopped = self._is_stale = False
        self.page.show_findings((), "")

    def _in_sight(self) -> list[Located]:
        return narrowed(self.findings, self.page.wanted, self.page.words.text())

    def _show(self) -> None:
        if self._checked is None:
            return
        some = self._in_sight()
        total = sum(self._counts.values())
        remark = ""
        if total > len(self.findings):
            remark = f"The first {len(self.findings):,} of {total:,} findings are listed; all are counted."
        elif len(some) < total:
            remark = f"{len(some):,} of {counted(total, 'finding')} fit."
        self.page.show_counts(self._counts)
        self.page.show_findings(grouped(some, self.page.by), remark)
        if some or self._is_running:
            self.page.show_page(Page.FINDINGS)
        else:
            self.page.show_page(Page.NOTHING_FITS if total else Page.ALL_RIGHT)
        self._say()

    def _say(self) -> None:
        """Show the progress and the number of findings."""
        self.page.can_fix(self._reason)
        checked = self._checked
        if checked is None:
            self.page.show_summary("Checking…" if self._is_running else "Check")
            self.page.show_progress(None, running=self._is_running)
            self._bridge.updated.emit()
            return
        is_whole = not self._is_running and not self._is_stopped
        of = "" if is_whole else f" (of {checked.expected})"
        verb = "Checking: " if self._is_running else "Stopped: " if self._is_stopped else "Checked: "
        total = sum(self._counts.values())
        parts = [f"{self._counts[one]:,} {one.value}{'s' if self._counts[one] != 1 else ''}" for one in Severity]
        found = ", ".join(part for part, one in zip(parts, Severity, strict=True) if self._counts[one])
        self.page.show_summary(
            f"{verb}{checked.words}{of} · {found or (checked.nothing if is_whole else 'nothing found')}",
            "\n".join((*(("The graph has changed since: check again.",) if self._is_stale else ()), *self._problems)),
        )
        exact = checked.expected.kind is CountKind.EXACT and checked.expected.value > 0
        self.page.show_progress(checked.resources / checked.expected.value if exact else None, running=self._is_running)
        title = EditView.CHECK.value
        self._tab.title(EditView.CHECK, f"{title} ({total:,})" if total else title)
        self._bridge.updated.emit()


def _check(
    session: Session,
    tell: Callable[[Shapes, Checked, Sequence[Located]], None],
    *,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> tuple[str, ...]:
    """Check everything, report findings in parts, and return remarks about the user's shapes."""
    shapes, problems = readable_shapes(session)
    waiting: list[Finding] = []
    newest: list[Checked] = []
    last = time.monotonic()

    def send() -> None:
        if newest:
            tell(shapes, newest[-1], located(session, waiting, limits=limits))
            waiting.clear()
            del newest[:-1]

    def took(checked: Checked) -> None:
        nonlocal last
        newest.append(checked)
        fraction = checked.resources / checked.expected.value if checked.expected.value else None
        progress("resources", fraction)
        if time.monotonic() - last > TOLD_AFTER:
            send()
            last = time.monotonic()

    for finding in check_graph(session, shapes=shapes, progress=took, limits=limits):
        waiting.append(finding)
    send()
    return tuple(f"Left out: {problem}" for problem in problems)
