"""The controller of reports: saves an assessment in a format for others, and reads reports of F-UJI."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.app.export.choices import file_stem
from hpc_explorer.app.fair.assessing import AssessmentView
from hpc_explorer.app.fair.reporting import ReportForm, write_report
from hpc_explorer.fair.fuji_report import FujiReport, doubt_about, read_fuji_report
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.fair.controller import FairController
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.file_dialog import FileDialog
from hpc_explorer.wording import plural

USES = {
    ReportForm.PAGE: "To read and print: the score, each indicator with its statements, and all overrides.",
    ReportForm.TABLE: "A row for each indicator, for a spreadsheet.",
    ReportForm.DOCUMENT: "All of it for other programs; it can be read back.",
    ReportForm.TURTLE: "Statements of the W3C's DQV and of FAIR Test Results.",
    ReportForm.N_QUADS: "The same in a separate graph that can be opened and queried.",
    ReportForm.JSON_LD: "The same statements as JSON-LD.",
    ReportForm.BADGE: "A small picture with the score, for a page or a readme.",
}
"""The use of each format."""

_OPENED = (ReportForm.TURTLE, ReportForm.N_QUADS, ReportForm.JSON_LD)


class ReportDialog(FileDialog):
    """The dialog for saving an assessment.

    Args:
        view: the assessment.
        folder: the folder that the file dialog proposes.

    Attributes:
        forms: the buttons to choose from, in the order of `ReportForm`.
        save: the button that confirms.
    """

    def __init__(self, view: AssessmentView, folder: Path, parent: QWidget) -> None:
        super().__init__("Save a report", folder, parent)
        forms = list(ReportForm)
        self.forms = self._add_choices("Form", [one.title for one in forms], [USES[one] for one in forms], in_row=2)
        self._remark = self._add_remark()
        self._add_file()
        self.save = self._add_answers("Save")
        self.forms.idToggled.connect(lambda *_: self._follow())
        self.file.setText(str(folder / f"{file_stem(view.ref.label)}-fair{self.form.value}"))
        self._follow()
        self.file.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def form(self) -> ReportForm:
        """The form that is chosen."""
        return list(ReportForm)[self.forms.checkedId()]

    def _follow(self) -> None:
        """Show the use of the format, and set the file's extension."""
        self._remark.setText(USES[self.form])
        name = self.path
        if name.suffix.lower() in {one.value for one in ReportForm}:
            self.file.setText(str(name.with_suffix(self.form.value)))

    def _read_name(self, text: str) -> None:
        suffix = Path(text).suffix.lower()
        for number, form in enumerate(ReportForm):
            if form.value == suffix:
                self.forms.button(number).setChecked(True)


class FairReporter(QObject):
    """Saves reports, and reads F-UJI's.

    Args:
        folder: the folder that file dialogs propose.
        open_source: opens a file in addition to the open sources.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        controller: FairController,
        banner: Banner,
        folder: Callable[[], str],
        open_source: Callable[[str], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge, self._controller, self._banner = bridge, controller, banner
        self._folder, self._open_source, self._window = folder, open_source, window

    @staticmethod
    def commands(reporter: Late[FairReporter], assessment: Need) -> tuple[Command, ...]:
        """The commands for reports.

        Args:
            assessment: an assessment is in sight.
        """
        return (
            Command("fair.report", "Save a FAIR report…", "FAIR", 2, "", "export", short="Report…")
            .runs(reporter.does(FairReporter.ask), assessment)
            .about("Save the assessment as a page, a table, a document, statements or a badge."),
            Command("fair.import_fuji", "Read a report of F-UJI…", "FAIR", 2)
            .runs(reporter.does(FairReporter.choose_fuji), assessment)
            .about("Use the JSON report of F-UJI for the shared metrics of the assessed resource."),
        )

    def ask(self) -> None:
        """Show the dialog, and save the assessment."""
        view = self._controller.view
        if view is None:
            return
        dialog = ReportDialog(view, Path(self._folder()), self._window)
        dialog.accepted.connect(lambda: self.write(view, dialog.path, dialog.form))
        open_dialog(dialog)

    def write(self, view: AssessmentView, path: Path, form: ReportForm) -> None:
        """Write a report."""
        title = f"Save {path.name}"

        def work() -> Path:
            write_report(view, path, form)
            return path.absolute()

        def done(written: Path) -> None:
            folder = QUrl.fromLocalFile(str(written.parent))
            step, act = "Show in folder", lambda: _show(folder)
            if form in _OPENED:
                step, act = "Open beside the graph", lambda: self._open_source(str(written))
            self._banner.show_done("Saved the report", str(written), step, act)
            self._bridge.wrote_to.emit(str(written.parent))

        self._bridge.jobs.run(work, title=title, on_result=done)

    def choose_fuji(self) -> None:
        """Ask for the JSON file of F-UJI, and use its results for the shared metrics."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, "Read a report of F-UJI", self._folder(), "Reports of F-UJI (*.json);;All files (*)"
        )
        if chosen:
            self.read_fuji(Path(chosen))

    def read_fuji(self, path: Path) -> None:
        """Use the results of an F-UJI report for the shown assessment."""

        def done(report: FujiReport) -> None:
            view = self._controller.view
            self._controller.take_fuji(report)
            number = len(report.results)
            said = f"F-UJI decides {number} {'indicator' if number == 1 else plural('indicator')} now"
            unknown = f"; not known here: {', '.join(report.unknown)}" if report.unknown else ""
            self._bridge.said.emit(said + unknown)
            if view is not None and (doubt := doubt_about(report, view.subject)):
                self._banner.show_notice("Is the report about this?", doubt)

        title = f"Read {path.name}"
        self._bridge.jobs.run(
            read_fuji_report,
            path,
            title=title,
            on_result=done,
            replaces="report of F-UJI",
        )


def _show(folder: QUrl) -> None:
    QDesktopServices.openUrl(folder)
