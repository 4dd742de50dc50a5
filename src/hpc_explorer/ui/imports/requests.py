"""What the window asks about a table that is to be converted; each in a thread, and only the latest answer counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.annotate.tables.conversion import Reject
from hpc_explorer.annotate.tables.mapping import TableFormat, TableMapping
from hpc_explorer.annotate.tables.mapping_file import write_mapping
from hpc_explorer.annotate.tables.tarql import TarqlImport
from hpc_explorer.app.imports.converting import ConversionReport, convert_table, mapping_for, write_rejects
from hpc_explorer.app.imports.table_adding import TableAdded, add_table, why_not_to_add
from hpc_explorer.app.imports.table_preview import (
    TableLook,
    TablePreview,
    TermChoice,
    class_choices,
    look_at_table,
    preview_table,
    property_choices,
    unit_choices,
)
from hpc_explorer.app.jobs import Job, JobContext
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge

MOST_REJECTS = 100_000
"""How many rejects of one conversion can be saved from the window."""


@dataclass(frozen=True)
class TermChoices:
    """What can be chosen for properties, classes and units."""

    properties: tuple[TermChoice, ...]
    classes: tuple[TermChoice, ...]
    units: tuple[TermChoice, ...]


class TableQuestions:
    """Asks `app` about tables.

    Args:
        jobs: runs the questions.
    """

    def __init__(self, session: Session, jobs: JobsBridge) -> None:
        self._session = session
        self._jobs = jobs
        self._looking, self._previewing, self._choosing = Channel(jobs), Channel(jobs), Channel(jobs)
        self._saving = Channel(jobs)

    def choices(self, done: Callable[[TermChoices], None], failed: Failed) -> None:
        """What can be chosen."""

        def work(context: JobContext) -> TermChoices:
            return TermChoices(
                property_choices(self._session, limits=context.limits),
                class_choices(self._session, limits=context.limits),
                unit_choices(),
            )

        self._choosing.ask("List the terms", work, done, failed)

    def look(self, path: Path, format: TableFormat, done: Callable[[TableLook], None], failed: Failed) -> None:
        """How a table lies in its file, and what it begins with."""
        self._previewing.drop()
        self._looking.ask(
            f"Look at {path.name}",
            lambda context: look_at_table(self._session, path, format, limits=context.limits),
            done,
            failed,
        )

    def preview(
        self,
        path: Path,
        mapping: TableMapping,
        labels: Mapping[NamedNode, str],
        done: Callable[[TablePreview], None],
        failed: Failed,
    ) -> None:
        """What a mapping makes of the first rows."""
        self._previewing.ask(
            f"Preview {path.name}",
            lambda context: preview_table(path, mapping, labels, limits=context.limits),
            done,
            failed,
        )

    def mapping(self, name: str, table: Path, done: Callable[[TarqlImport], None], failed: Failed) -> None:
        """The mapping of a file, or a shipped one; of a Tarql file what could be taken over."""
        self._looking.ask("Read the mapping", lambda context: mapping_for(name, table), done, failed)

    def save_mapping(self, mapping: TableMapping, path: Path, done: Callable[[Path], None], failed: Failed) -> None:
        """Write a mapping into a file."""

        def work(context: JobContext) -> Path:
            write_mapping(mapping, path)
            return path

        self._saving.ask(f"Save {path.name}", work, done, failed)

    def save_rejects(self, rejects: Sequence[Reject], path: Path, done: Callable[[Path], None], failed: Failed) -> None:
        """List what could not be converted in a file."""

        def work(context: JobContext) -> Path:
            write_rejects(rejects, path)
            return path

        self._saving.ask(f"Save {path.name}", work, done, failed)

    def write(
        self, path: Path, mapping: TableMapping, output: Path, done: Callable[[ConversionReport], None], failed: Failed
    ) -> Job[ConversionReport]:
        """Convert a table into a file."""

        def work(context: JobContext) -> ConversionReport:
            return convert_table(
                path, mapping, output, kept=MOST_REJECTS, progress=context.progress, limits=context.limits
            )

        return self._jobs.submit(f"Convert {path.name}", work, done, failed)

    @property
    def why_not_to_add(self) -> str | None:
        """Why no table can be added to what is open; None where one can."""
        return why_not_to_add(self._session)

    def add(
        self, path: Path, mapping: TableMapping, done: Callable[[TableAdded], None], failed: Failed
    ) -> Job[TableAdded]:
        """Add what a table says to what is open, as one edit."""

        def work(context: JobContext) -> TableAdded:
            return add_table(
                self._session, path, mapping, kept=MOST_REJECTS, progress=context.progress, limits=context.limits
            )

        return self._jobs.submit(f"Add {path.name}", work, done, failed, writes=True)

    def drop(self) -> None:
        """Wait for no answer any more."""
        for channel in (self._looking, self._previewing, self._choosing, self._saving):
            channel.drop()
