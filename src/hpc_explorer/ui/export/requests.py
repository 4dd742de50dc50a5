"""What the window asks of exports: how one would begin, and to have it or a picture written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hpc_explorer.app.export.requests import ExportDone, ExportOrder, ExportPreview, carry_out, preview_export
from hpc_explorer.app.graph.render import Drawing, write_drawing
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge


class ExportQuestions:
    """Asks `app` for files.

    Args:
        jobs: runs the questions.
    """

    def __init__(self, session: Session, jobs: JobsBridge) -> None:
        self._session = session
        self._jobs = jobs
        self._preview = Channel(jobs)

    def ask_preview(
        self, order: ExportOrder, done: Callable[[ExportPreview], None], failed: Callable[[BaseException], None]
    ) -> None:
        """How an export would begin; only the last that was asked for comes."""
        self._preview.ask(
            "Preview the export",
            lambda context: preview_export(self._session, order, limits=context.limits),
            done,
            failed,
        )

    def drop(self) -> None:
        """Wait for no preview any more."""
        self._preview.drop()

    def write(self, order: ExportOrder, path: Path, done: Callable[[ExportDone], None], failed: Failed) -> None:
        """Write what an order says."""

        def work(context: JobContext) -> ExportDone:
            return carry_out(self._session, order, path, limits=context.limits)

        self._jobs.submit(f"Export to {path.name}", work, done, failed)

    def write_picture(
        self, path: Path, drawing: Drawing, scale: float, done: Callable[[Path], None], failed: Failed
    ) -> None:
        """Write a picture, by the end of the file's name; the scale is that of a PNG."""

        def work(context: JobContext) -> Path:
            return write_drawing(drawing, path, scale=scale, limits=context.limits).absolute()

        self._jobs.submit(f"Export to {path.name}", work, done, failed)
