"""What the window changes of the session: sources in and out, what is inferred, logins; one job after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hpc_explorer.app.commands import source_title
from hpc_explorer.app.explore import inference
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.app.workspace import build_columns, opening
from hpc_explorer.app.workspace.load_progress import LoadProgress, progress_text
from hpc_explorer.app.workspace.loading import LoadReport, load_into
from hpc_explorer.app.workspace.logins import remember_credentials
from hpc_explorer.app.workspace.opening import close_source, close_workspace
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import SourceNotFound
from hpc_explorer.ontology.inference import InferenceReport
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.changes.manifest import is_workspace
from hpc_explorer.stores.columns.building import WORTH_FROM
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.ui.bridge.jobs import Failed, JobsBridge


class SessionChanges:
    """Has `app` change one session.

    Args:
        jobs: runs the changes, in the lane where one follows the other.
        drop_questions: called before the graph that is open is closed: no answer about it counts any more.
    """

    def __init__(self, session: Session, jobs: JobsBridge, drop_questions: Callable[[], None]) -> None:
        self._session = session
        self._jobs = jobs
        self._drop_questions = drop_questions

    def open_sources(
        self,
        names: Sequence[str],
        done: Callable[[tuple[SourceSummary, ...]], None],
        failed: Failed,
        *,
        credentials: Credentials | None = None,
    ) -> None:
        """Open files, folders, samples and documents beside what is open, or a workspace or endpoint alone."""
        title = f"Open {source_title(names[0])}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")

        def work(context: JobContext) -> tuple[SourceSummary, ...]:
            return opening.open_sources(
                self._session,
                names,
                keep_workspace=True,
                credentials=credentials,
                progress=context.progress,
                limits=context.limits,
            )

        self._jobs.submit(title, work, done, failed, writes=True)

    def open_workspace(self, folder: Path, done: Callable[[tuple[SourceSummary, ...]], None], failed: Failed) -> None:
        """Open a workspace in place of what is open; that stays open where the folder holds none."""

        def work(context: JobContext) -> tuple[SourceSummary, ...]:
            if not is_workspace(folder):
                raise SourceNotFound(
                    "there is no workspace in this folder",
                    str(folder),
                    "load files into one: File, Load into workspace",
                )
            self._close_all()
            return opening.open_sources(
                self._session, [str(folder)], keep_workspace=True, progress=context.progress, limits=context.limits
            )

        self._drop_questions()
        self._jobs.submit(f"Open {folder.name}", work, done, failed, writes=True)

    def load(self, folder: Path, names: Sequence[str], done: Callable[[LoadReport], None], failed: Failed) -> None:
        """Load files into a workspace, whole or not at all. If it is the one that is open, it is open again after."""

        def work(context: JobContext) -> LoadReport:
            began = time.monotonic()

            def told(progress: LoadProgress) -> None:
                fraction = progress.bytes_done / progress.bytes_total if progress.bytes_total else None
                reading = fraction is not None and 0 < fraction < 1
                context.progress(progress_text(progress, time.monotonic() - began), fraction if reading else None)

            workspace = self._session.workspace
            shown = workspace is not None and workspace.folder.absolute() == folder.absolute()
            if shown:
                self._close_all()
            try:
                return load_into(folder, names, report=told, limits=context.limits)
            finally:
                if shown:
                    opening.open_sources(self._session, [str(folder)], keep_workspace=True)

        self._drop_questions()
        self._jobs.submit(f"Load into {folder.name}", work, done, failed, writes=True)

    def build_columns(self) -> None:
        """Have a large workspace that lacks its facts by column build them, while it is used."""
        workspace = self._session.workspace
        if workspace is None or workspace.profile.quads < WORTH_FROM:
            return

        def work(context: JobContext) -> bool:
            return build_columns.build_columns(self._session, progress=context.progress, limits=context.limits)

        self._jobs.submit("Build the facts by column", work, lambda _: None)

    def remember(self, address: str, credentials: Credentials, failed: Failed) -> None:
        """Keep what a server knows the user by in the system's keyring."""

        def work(context: JobContext) -> None:
            remember_credentials(address, user=credentials.user, password=credentials.password, token=credentials.token)

        self._jobs.submit("Remember the login", work, lambda _: None, failed)

    def infer(self, done: Callable[[InferenceReport], None], failed: Failed) -> None:
        """Infer what follows from the graph."""

        def work(context: JobContext) -> InferenceReport:
            return inference.infer(self._session, progress=context.progress, limits=context.limits)

        self._jobs.submit("Infer", work, done, failed, writes=True)

    def withdraw(self) -> None:
        """Take out what was inferred."""
        self._jobs.submit(
            "Take out the inferred", lambda _: inference.withdraw(self._session), lambda _: None, writes=True
        )

    def refresh(self) -> None:
        """Ask the endpoint for everything anew."""
        self._drop_questions()
        self._jobs.submit(
            "Refresh", lambda context: self._session.refresh(limits=context.limits), lambda _: None, writes=True
        )

    def close_sources(self, graphs: Sequence[NamedNode]) -> None:
        """Take sources out."""

        def work(context: JobContext) -> None:
            for graph in graphs:
                close_source(self._session, graph)

        self._jobs.submit("Close", work, lambda _: None, writes=True)

    def close_all(self) -> None:
        """Take everything out; a workspace stays as it is in its folder."""
        self._drop_questions()
        self._jobs.submit("Close", lambda context: self._close_all(), lambda _: None, writes=True)

    def _close_all(self) -> None:
        if self._session.workspace is not None:
            close_workspace(self._session)
        else:
            for source in self._session.sources:
                close_source(self._session, source.graph)
