"""Writes edits to a file for other programs: as RDF Patch, SPARQL Update, or a record of where things come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.journal.journal import JournalEntry, entries_in_order
from hpc_explorer.app.journal.texts import JournalFormat, journal_lines
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.commands import Command, edited_workspace
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.file_dialog import FileDialog
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

FORMATS: tuple[tuple[JournalFormat, str, str, str], ...] = (
    ("rdf-patch", "RDF Patch", ".rdfp", "A line for each statement removed or added; for tools that replay changes."),
    ("sparql", "SPARQL Update", ".ru", "Runs on any endpoint."),
    ("prov", "PROV", ".ttl", "Each edit as an activity, with who, when and why, as Turtle."),
)
"""Each format with its name, the ending of its files, and what it is good for."""


@dataclass(frozen=True)
class Written:
    """What was written: the file, how many edits, and how many statements SPARQL could not say."""

    path: Path
    edits: int
    unsaid: int


class JournalExportDialog(FileDialog):
    """Asks which edits are written, how and where.

    Args:
        entry: the edit that is chosen; None: only all can be written.
        folder: where the file is proposed to be.

    Attributes:
        what, format: the buttons to choose from.
        export: the button that has it done.
    """

    def __init__(self, entry: JournalEntry | None, folder: Path, parent: QWidget) -> None:
        super().__init__("Export edits", folder, parent)
        self._entry = entry
        names = [*([f"The chosen edit: {brief(entry.words or 'edit', 50)}"] if entry else []), "All edits, in order"]
        self.what = self._add_choices("What", names, in_row=1)
        self._column.addSpacing(GRID)
        self.format = self._add_choices("Format", [one[1] for one in FORMATS], [one[3] for one in FORMATS])
        self._use = self._add_remark()
        self._column.addSpacing(GRID)
        self._add_file()
        self.export = self._add_answers("Export")
        self.format.idToggled.connect(self._respell)
        self._respell()
        self.what.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def entry(self) -> JournalEntry | None:
        """The edit that is to be written; None: all of them."""
        return self._entry if self.what.checkedId() == 0 else None

    @property
    def chosen_format(self) -> JournalFormat:
        """How it is to be written."""
        return FORMATS[self.format.checkedId()][0]

    def _respell(self) -> None:
        # While one button goes out and the next comes on, none is checked.
        _, _, suffix, use = FORMATS[max(self.format.checkedId(), 0)]
        self._use.setText(use)
        folder, name = self._place()
        stem = Path(name).stem if Path(name).suffix in {one[2] for one in FORMATS} else name
        self.file.setText(str(folder / f"{stem or 'edits'}{suffix}"))


class JournalExporter(QObject):
    """Asks, and writes in another thread.

    Args:
        folder: where files are proposed to be.

    Signals:
        wrote_to(str): the folder that was written to.
    """

    wrote_to = Signal(str)

    def __init__(self, bridge: SessionBridge, banner: Banner, folder: Callable[[], str], window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._folder = folder
        self._window = window

    def commands(self, entry: Callable[[], JournalEntry | None]) -> tuple[Command, ...]:
        """What exports edits.

        Args:
            entry: the edit that is chosen.
        """
        return (
            Command("changes.export", "Export edits…", "Edit", 3, "Shift+F9", "export", short="Export edits")
            .runs(lambda: self.ask(entry()), edited_workspace(self._bridge))
            .about("Write the chosen edit, or all of them, as RDF Patch, SPARQL Update or PROV."),
        )

    def ask(self, entry: JournalEntry | None) -> None:
        """Ask which edits are to be written, and write them."""
        dialog = JournalExportDialog(entry, Path(self._folder()), self._window)
        dialog.accepted.connect(lambda: self._write(dialog.path.absolute(), dialog.chosen_format, dialog.entry))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _write(self, path: Path, format: JournalFormat, entry: JournalEntry | None) -> None:
        def done(written: Written) -> None:
            text = str(written.path)
            if written.unsaid:
                text += (
                    f"\n{counted(written.unsaid, 'statement')} about nodes without names cannot be said in SPARQL; "
                    "they stand there as comments."
                )
            self._banner.show_done(f"Exported {counted(written.edits, 'edit')}", text)
            self.wrote_to.emit(str(path.parent))

        title = f"Export to {path.name}"
        self._bridge.run(
            write_journal,
            path,
            format,
            entry,
            title=title,
            on_result=done,
            on_error=lambda error: self._banner.show_error(title, error),
            writes=True,
        )


def write_journal(
    session: Session, path: Path, format: JournalFormat, entry: JournalEntry | None, *, limits: Limits = NO_LIMITS
) -> Written:
    """Write one edit, or all of them.

    Raises:
        StoreError: the journal cannot be read.
        OutputNotWritable: the file cannot be written.
    """
    unsaid: list[Quad] = []
    edits = 0

    def counting() -> Iterator[JournalEntry]:
        nonlocal edits
        for one in [entry] if entry is not None else entries_in_order(session, limits=limits):
            edits += 1
            yield one

    lines = journal_lines(
        counting(),
        format,
        prefixes={prefix: space for source in session.opened for prefix, space in source.prefixes.items()},
        leading_to=lambda node: session.store.match(None, None, node, limits=limits),
        unsaid=unsaid,
    )
    with atomic_output(path) as stream:
        for line in lines:
            stream.write(f"{line}\n".encode())
    return Written(path, edits, len(unsaid))
