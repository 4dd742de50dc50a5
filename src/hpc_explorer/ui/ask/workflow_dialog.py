"""A workflow before and after it runs: its steps with their tables, its programs, scripts and result."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.ask.looking import WorkflowLook, flow_scene, look_at_workflow
from hpc_explorer.app.ask.planning import Approvals, on_other_data
from hpc_explorer.app.ask.running import Previews, WorkflowResult, run_planned
from hpc_explorer.app.ask.workflows import SavedWorkflow, save_workflow
from hpc_explorer.app.jobs import Job
from hpc_explorer.errors import Cancelled, ExplorerError
from hpc_explorer.language.expressions import Call
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.ui.ask.script_panel import ScriptPanel
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets.dialog_parts import (
    ButtonBox,
    add_parts,
    browse_row,
    column_in,
    dialog_column,
    field_label,
    widget_row,
)
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.progress_bar import ProgressLine
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.typed_path import is_folder, typed_path

WIDTH, HEIGHT = 124 * GRID, 92 * GRID
LEAST = 30 * GRID
"""The least height of the steps with their graph and table, and of the programs."""

LOOK, RUN = "workflow", "run of a workflow"
"""The names of the requests."""

READY = "Nothing was run yet. The tables are previews."
UNAPPROVED = "Approve the command of each script to run the workflow."
NO_FOLDER = "This workflow runs a script of the graph. Name the folder where it lies."


class WorkflowDialog(QDialog):
    """Shows a workflow, and runs it when the user says so.

    Args:
        sentence: as it was asked for.
        folder: where files are saved at first.
        scripts_in: the folder of the scripts that the user named last, if any.

    Attributes:
        steps, canvas, table: the steps in English, as a graph, and the table of the chosen step.
        python, cwl: the programs.
        scripts: the scripts; hidden if the workflow runs none.
        choices: the table to be read in place of each, by name.
        status: what was done, or what is missing.
        run, stop, trace, save: the buttons.

    Signals:
        lineage_wanted(Path): show the lineage of this file.
        scripts_named(Path): the user named this folder of scripts.
    """

    lineage_wanted = Signal(Path)
    scripts_named = Signal(Path)

    def __init__(
        self,
        bridge: SessionBridge,
        sentence: str,
        expression: Call,
        folder: Path,
        scripts_in: Path | None,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._sentence = sentence
        self._expression = self._original = expression
        self._look: WorkflowLook | None = None
        self._previews: Previews = {}
        self._written: Path | None = None
        self._job: Job[WorkflowResult] | None = None
        self._approvals = Approvals()
        self.choices: dict[str, QComboBox] = {}
        self.setWindowTitle("Workflow")
        self.resize(WIDTH, HEIGHT)
        column = dialog_column(self)
        column.addWidget(TextBlock(sentence, weight=500))
        self._tables = QHBoxLayout()
        column.addLayout(self._tables)
        tabs = QTabWidget()
        tabs.addTab(self._steps_page(), "Steps")
        self.python, self.cwl = _program("Python program"), _program("CWL tool")
        tabs.addTab(self._program_page(self.python, "Save Python program…", ".py"), "Python")
        tabs.addTab(self._program_page(self.cwl, "Save CWL tool…", ".cwl"), "CWL")
        # On a small screen the dialog scrolls: a canvas of the height that it likes would have its middle out of sight.
        tabs.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        tabs.setMinimumHeight(LEAST)
        column.addWidget(tabs, 3)
        self.scripts = ScriptPanel(scripts_in, self)
        self.scripts.folder_chosen.connect(self._name_scripts)
        self.scripts.changed.connect(self._update)
        self._scripts_area = QScrollArea()
        self._scripts_area.setWidgetResizable(True)
        self._scripts_area.setWidget(self.scripts)
        self._scripts_area.hide()
        column.addWidget(self._scripts_area, 2)
        self.folder = QLineEdit(str(folder))
        self.folder.setAccessibleName("Save in")
        self.folder.textChanged.connect(self._update)
        self.replace = QCheckBox("Replace a file of the same name")
        self._saving = QWidget()
        saving = column_in(self._saving, spacing=GRID // 2)
        saving.addWidget(field_label("Save in", self.folder))
        saving.addLayout(browse_row(self.folder, "Choose where to save", self._browse))
        saving.addWidget(self.replace)
        self._saving.hide()
        column.addWidget(self._saving)
        self.status = TextBlock("Reading the tables …", muted=True)
        column.addWidget(self.status)
        self.progress = ProgressLine("Progress of the workflow")
        self.progress.hide()
        column.addWidget(self.progress)
        self._add_buttons(column)
        bridge.jobs.changed.connect(self._follow)
        self.finished.connect(lambda _: bridge.drop(LOOK, RUN))
        self._plan()

    # Building

    def _steps_page(self) -> QWidget:
        page = QSplitter(Qt.Orientation.Vertical)
        above = QSplitter(Qt.Orientation.Horizontal)
        self.steps = QListWidget()
        self.steps.setAccessibleName("Steps")
        self.steps.setWordWrap(True)
        self.steps.currentRowChanged.connect(self._show_table)
        self.canvas = CanvasView()
        self.canvas.setAccessibleName("Graph of the steps")
        self.canvas.scene_shown.connect(lambda *_: self.canvas.fit())
        self.canvas.node_selected.connect(lambda key: self.steps.setCurrentRow(int(key)))
        above.addWidget(self.steps)
        above.addWidget(self.canvas)
        above.setSizes([WIDTH // 3, WIDTH * 2 // 3])
        below = QWidget()
        column = column_in(below, 0, GRID // 2, 0, 0, spacing=GRID // 2)
        self._size = TextBlock("", muted=True)
        self.table = QTableWidget()
        self.table.setAccessibleName("Table of the step")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        add_parts(column, self._size, (self.table, 1))
        page.addWidget(above)
        page.addWidget(below)
        page.setSizes([HEIGHT // 2, HEIGHT // 4])
        return page

    def _program_page(self, text: QPlainTextEdit, title: str, suffix: str) -> QWidget:
        page = QWidget()
        column = column_in(page, spacing=GRID)
        save = QPushButton(title)
        save.setAutoDefault(False)
        save.clicked.connect(lambda: self._export(text, title, suffix))
        row = widget_row(save, stretch=-1)
        row.addStretch(1)
        add_parts(column, (text, 1), row)
        return page

    def _add_buttons(self, column: QVBoxLayout) -> None:
        box = ButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        box.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.run = box.addButton("Run", QDialogButtonBox.ButtonRole.ActionRole)
        self.stop = box.addButton("Stop", QDialogButtonBox.ButtonRole.ActionRole)
        self.trace = box.addButton("Show its lineage", QDialogButtonBox.ButtonRole.ActionRole)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the workflow")
        self.name.setPlaceholderText("Name, to run it again later")
        self.save = QPushButton("Save workflow")
        self.name.textChanged.connect(lambda text: self.save.setEnabled(bool(text.strip())))
        self.save.setEnabled(False)
        for button, action in (
            (self.run, self._run), (self.stop, self._stop), (self.trace, self._trace), (self.save, self._save)
        ):  # fmt: skip
            button.setAccessibleName(button.text())
            button.setAutoDefault(False)
            button.clicked.connect(action)
        self.run.setDefault(True)
        self.run.setEnabled(False)
        self.stop.hide()
        self.trace.hide()
        add_parts(column, widget_row(self.name, self.save, stretch=0), box)

    # The plan

    def _plan(self) -> None:
        self._bridge.run(
            look_at_workflow,
            self._expression,
            self.scripts.path,
            title="Look at the workflow",
            on_result=self._show,
            on_error=self._tell,
            replaces=LOOK,
        )

    def _show(self, look: WorkflowLook) -> None:
        self._look = look
        self._written = None
        if not self.choices:
            self._offer_tables(look)
        self.steps.clear()
        for number, step in enumerate(look.plan.flow, 1):
            self.steps.addItem(f"{number}. {'Read ' if step.is_read else ''}{step.text}")
        self._show_previews(look.previews)
        scripts = bool(look.plan.scripts)
        self._scripts_area.setVisible(scripts)
        known = frozenset(name for name, one in look.plan.commands.items() if self._approvals.is_approved(one))
        self.scripts.show_commands(look.plan.commands, known)
        self._saving.setVisible(bool(look.plan.saved))
        is_ready = not scripts or bool(look.plan.commands)
        for text, write in ((self.python, look.plan.program), (self.cwl, look.plan.cwl)):
            text.setPlainText(write() if is_ready else NO_FOLDER)
        self._update()

    def _offer_tables(self, look: WorkflowLook) -> None:
        for name in look.tables:
            box = QComboBox()
            box.addItems(list(dict.fromkeys((name, *look.others))))
            box.setAccessibleName(f"Table in place of {name}")
            box.currentTextChanged.connect(self._change_tables)
            self.choices[name] = box
            self._tables.addWidget(field_label(f"{name}:", box))
            self._tables.addWidget(box)
        self._tables.addStretch(1)

    def _change_tables(self) -> None:
        changed = self._original
        # Through names that no table has, so that two tables can be exchanged.
        for at, name in enumerate(self.choices):
            changed = on_other_data(changed, name, f"\0{at}")
        for at, box in enumerate(self.choices.values()):
            changed = on_other_data(changed, f"\0{at}", box.currentText())
        self._expression = changed
        self._plan()

    def _show_previews(self, previews: Previews) -> None:
        assert self._look is not None
        self._previews = previews
        self.canvas.set_scene(flow_scene(self._look.plan, previews))
        self.steps.setCurrentRow(self.steps.count() - 1)
        self._show_table(self.steps.currentRow())

    def _show_table(self, row: int) -> None:
        self.table.clear()
        self.table.setRowCount(0)
        self.table.setColumnCount(0)
        if self._look is None or not 0 <= row < len(self._look.plan.flow):
            return
        self.canvas.select(str(row))
        preview = self._previews.get(self._look.plan.flow[row].call)
        if preview is None:
            self._size.say("The table is known after the run.")
            return
        more = preview.total - len(preview.rows)
        self._size.say(f"{preview.size}{f', of which the first {len(preview.rows)} are shown' if more > 0 else ''}")
        self.table.setColumnCount(len(preview.columns))
        self.table.setRowCount(len(preview.rows))
        for place, name in enumerate(preview.columns):
            cells = [row[place] for row in preview.rows]
            side = Qt.AlignmentFlag.AlignRight if all(map(_is_number, cells)) else Qt.AlignmentFlag.AlignLeft
            heading = QTableWidgetItem(name)
            heading.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self.table.setHorizontalHeaderItem(place, heading)
            for at, cell in enumerate(cells):
                item = QTableWidgetItem(cell)
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                item.setToolTip(plain_tip(cell))
                self.table.setItem(at, place, item)

    def _update(self) -> None:
        """What can be done now, and what is missing."""
        look = self._look
        if look is None or self._job is not None:
            return
        problem = look.problem
        if not problem and look.plan.scripts and not look.plan.commands:
            problem = NO_FOLDER
        elif not problem and look.plan.scripts and not self.scripts.is_complete:
            problem = UNAPPROVED
        elif not problem and look.plan.saved and not is_folder(self._place):
            problem = "The folder to save in does not exist."
        self.run.setEnabled(not problem)
        if self._written is None:
            self.status.say(problem or READY)

    @property
    def _place(self) -> Path:
        return typed_path(self.folder.text())

    # Running

    def _run(self) -> None:
        if self._look is None or self._job is not None:
            return
        plan, approved = self._look.plan, self.scripts.approved
        try:
            for command in approved:
                self._approvals.approve(command)
        except ExplorerError as error:
            self._tell(error)
            return
        self.trace.hide()
        self.run.setEnabled(False)
        self.stop.show()
        self.progress.show()
        self.progress.show_fraction(None)
        self.status.say("Running …")
        self._job = self._bridge.run(
            run_planned,
            plan,
            self._place,
            approved,
            self.replace.isChecked(),
            self.scripts.limits,
            title="Run the workflow",
            on_result=self._ran,
            on_error=self._failed,
            replaces=RUN,
        )

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _follow(self, job: Job[object]) -> None:
        if self._job is not None and job.number == self._job.number and job.progress.text:
            self.status.say(f"Running: {job.progress.text}")
            self.progress.show_fraction(job.progress.fraction)

    def _end(self) -> None:
        self._job = None
        self.stop.hide()
        self.progress.hide()
        self._update()

    def _ran(self, result: WorkflowResult) -> None:
        self._written = result.written[-1] if result.written else None
        self._show_previews(result.previews)
        self._end()
        if self._written is not None:
            self.status.say(f"Saved: {self._written}. The run is recorded beside it, in the folder provenance.")
            self.trace.show()
            self.trace.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.status.say("Done. The table of the last step is the result.")

    def _failed(self, error: BaseException) -> None:
        self._end()
        self._tell(error)

    def _tell(self, error: BaseException) -> None:
        self.status.say("Stopped. Nothing was saved." if isinstance(error, Cancelled) else str(error))

    def _trace(self) -> None:
        if self._written is not None:
            self.accept()
            self.lineage_wanted.emit(self._written)

    # Keeping

    def _save(self) -> None:
        name = self.name.text().strip()
        try:
            save_workflow(SavedWorkflow(name, self._sentence, self._expression))
        except ExplorerError as error:
            self._tell(error)
            return
        self.status.say(f"Saved as “{name}”. Query → Saved workflows… runs it again.")

    def _export(self, text: QPlainTextEdit, title: str, suffix: str) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self, title.rstrip("…"), str(self._place / f"workflow{suffix}"))
        if chosen:
            self.write(text, Path(chosen))

    def write(self, text: QPlainTextEdit, path: Path) -> None:
        """Write one of the programs to a file."""
        try:
            with atomic_output(path) as stream:
                stream.write(text.toPlainText().encode())
        except ExplorerError as error:
            self._tell(error)
            return
        self.status.say(f"Written: {path}")

    def _name_scripts(self) -> None:
        if self.scripts.path is not None:
            self.scripts_named.emit(self.scripts.path)
        self._plan()

    def _browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Save in", self.folder.text())
        if chosen:
            self.folder.setText(chosen)


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _program(name: str) -> QPlainTextEdit:
    text = QPlainTextEdit()
    text.setReadOnly(True)
    text.setAccessibleName(name)
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setTabChangesFocus(True)
    return text
