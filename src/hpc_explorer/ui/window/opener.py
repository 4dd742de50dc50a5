"""Opens files, addresses and workspaces, and reports errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.app.views import SourceSummary, source_title
from hpc_explorer.app.workspace.build_columns import build_columns
from hpc_explorer.app.workspace.loading import LoadReport
from hpc_explorer.app.workspace.replacing import add_sources, load_workspace, open_workspace, replace_sources
from hpc_explorer.app.workspace.source_files import is_address, sample_names
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import Cancelled, ExplorerError, LoginRequired, SourceSyntaxError
from hpc_explorer.interchange.capture.streams import is_stream_address, stream_address
from hpc_explorer.monitor.live import is_live_address
from hpc_explorer.stores.changes.manifest import is_workspace
from hpc_explorer.stores.columns.building import WORTH_FROM
from hpc_explorer.stores.protocol.credentials import Credentials, split_credentials
from hpc_explorer.stores.protocol.logins import remember_login
from hpc_explorer.stores.remote.web import is_web_address
from hpc_explorer.ui.bridge.actions import RECENT_MENU, SAMPLES_MENU
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.window.add_or_replace import AddOrReplaceDialog
from hpc_explorer.ui.window.address_dialogs import AddressDialog, LoginDialog
from hpc_explorer.ui.window.load_dialog import LoadDialog

OpenOperation = Callable[..., tuple[SourceSummary, ...]]
"""`add_sources` or `replace_sources`."""


class Opener(QObject):
    """Opens and loads sources; shows errors on the banner.

    Args:
        leave: asks about unsaved changes, then calls its argument.

    Attributes:
        opening: the titles of what is being opened.

    Signals:
        changed(): opening something began or ended.
        opened(tuple): the names of the opened sources, as the recent ones list them.
        watch_wanted(str): the address of a server of measurements was given.
    """

    changed = Signal()
    opened = Signal(tuple)
    watch_wanted = Signal(str)

    def __init__(
        self,
        bridge: SessionBridge,
        banner: Banner,
        preferences: Preferences,
        leave: Callable[[Callable[[], None]], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._preferences = preferences
        self._folder = preferences.folder
        self._leave = leave
        self._window = window
        self.opening: list[str] = []

    def commands(self) -> tuple[Command, ...]:
        """The commands that open something."""
        return (
            Command("file.open", "Open files…", "File", 0, "Ctrl+O", "file")
            .runs(self.choose_files)
            .about("Open more RDF files (Turtle, JSON-LD and others), or runs that other programs recorded."),
            Command("file.open_folder", "Open folder…", "File", 0, "", "folder")
            .runs(self.choose_folder)
            .about("Open all RDF files and recorded runs, such as mlruns, in a folder and its subfolders."),
            Command("file.open_address", "Open address…", "File", 0, "", "address")
            .runs(self.choose_address)
            .about("Query a SPARQL endpoint without copying it, or open an RDF document on the web."),
            Command("file.open_workspace", "Open workspace…", "File", 0, "", "workspace")
            .runs(self.choose_workspace)
            .about("Open a folder with loaded sources; it opens at once, whatever its size."),
            Command("file.load", "Load into workspace…", "File", 0, "", "load")
            .runs(self.choose_load)
            .about("Load large files into a folder once, to open them at once later."),
            *self.sample_commands(),
        )

    def sample_commands(self) -> tuple[Command, ...]:
        """One command for each sample graph."""
        return tuple(
            Command(f"sample.open:{name}", f"Open sample {name}", SAMPLES_MENU, icon="sample", in_menu=name)
            .runs(partial(self.open, [f"sample:{name}"]))
            .about(story)
            for name, story in sample_names()
        )

    def recent_commands(self) -> tuple[Command, ...]:
        """One command for each recent source, latest first."""
        return tuple(
            Command(
                f"recent.open:{name}",
                f"Open {source_title(name)}",
                RECENT_MENU,
                icon="recent",
                in_menu=source_title(name),
            )
            .runs(partial(self.open, [name]))
            .about(name)
            for name in self._preferences.recent()
        )

    def open(self, names: Sequence[str]) -> None:
        """Open files, folders, samples and addresses. If something is open, ask whether to add to it or replace it."""
        watched = [name for name in names if is_live_address(name)]
        for name in watched:
            self.watch_wanted.emit(name)
        if watched and len(watched) == len(names):
            return
        names = [name for name in names if name not in watched]
        if self._bridge.is_empty or not names:
            self.add(names)
            return
        shown = ", ".join(source_title(name) for name in self._bridge.source_names)
        known = {_remembered(name) for name in self._bridge.source_names}
        if all(_remembered(name) in known for name in names):
            again = None if self._bridge.workspace is not None else [("Read it again", lambda: self.add(names))]
            title = ", ".join(source_title(name) for name in names)
            self._banner.show_offer(f"{title} is open already", "Nothing was changed.", again or [])
            return
        title = ", ".join(source_title(name) for name in names)
        dialog = AddOrReplaceDialog(title, brief(shown, 80), self._why_not_added(names), self._window)
        dialog.chosen.connect(lambda add: self.add(names) if add else self._leave(lambda: self.replace(names)))
        open_dialog(dialog)

    def _why_not_added(self, names: Sequence[str]) -> str | None:
        """Why sources cannot be added to what is open; None if they can."""
        if self._bridge.is_remote:
            return "An endpoint is open, and nothing can be added to it."
        if self._bridge.workspace is not None and any(map(is_web_address, names)):
            return "A document on the web cannot be added to a draft or workspace: download it first."
        if any(is_workspace(Path(name)) for name in names if not is_web_address(name)):
            return "A workspace is opened alone."
        if self._bridge.workspace is not None and self._bridge.read_only_reason is not None:
            return "This workspace is open for reading only."
        return None

    def add(self, names: Sequence[str]) -> None:
        """Open files, folders, samples and addresses in addition to the open ones."""
        self._open_with(add_sources, names)

    def replace(self, names: Sequence[str]) -> None:
        """Open files, folders, samples and addresses in place of the open ones."""
        self._open_with(replace_sources, names)

    def _open_with(self, operation: OpenOperation, names: Sequence[str], *, skip_damaged: bool = False) -> None:
        if len(names) == 1 and is_web_address(names[0]):
            self.open_address(*split_credentials(names[0]), operation=operation)
            return
        title = ", ".join(source_title(name) for name in names)
        done, failed = self._watch(title, names)

        def say(error: BaseException) -> None:
            failed(error)
            if self._bridge.workspace is None and isinstance(error, SourceSyntaxError) and error.can_skip:
                skip = partial(self._open_with, operation, names, skip_damaged=True)
                self._banner.show_error(f"Open {title}", error, "Open the rest", skip)
            else:
                self._banner.show_error(f"Open {title}", error)

        self._open(partial(operation, skip_damaged=skip_damaged), names, done, say, closes=operation is replace_sources)

    def _open(
        self,
        operation: OpenOperation,
        names: Sequence[str],
        done: Callable[[tuple[SourceSummary, ...]], None],
        failed: Failed,
        credentials: Credentials | None = None,
        *,
        closes: bool = False,
    ) -> None:
        self._bridge.run(
            partial(operation, credentials=credentials),
            names,
            title=f"Open {source_title(names[0])}" + (f" and {len(names) - 1} more" if len(names) > 1 else ""),
            on_result=done,
            on_error=failed,
            writes=True,
            closes=closes,
        )

    def open_address(
        self,
        address: str,
        credentials: Credentials | None = None,
        *,
        remember: bool = False,
        operation: OpenOperation = add_sources,
    ) -> None:
        """Open an endpoint or a document on the web; errors are shown in the dialog that can correct them.

        Args:
            remember: store the credentials in the system's keyring after a successful login.
            operation: adds to what is open, or replaces it.
        """
        done, failed = self._watch(source_title(address), [address])

        def opened(found: tuple[SourceSummary, ...]) -> None:
            done(found)
            if remember and credentials is not None:
                self._remember(address, credentials)

        def say(error: BaseException) -> None:
            failed(error)
            if isinstance(error, LoginRequired):
                self._ask_login(address, error, operation)
            elif isinstance(error, ExplorerError) and not isinstance(error, Cancelled):
                self.choose_address(address, error)
            else:
                self._banner.show_error(f"Open {source_title(address)}", error)

        self._open(operation, [address], opened, say, credentials, closes=operation is replace_sources)

    def _remember(self, address: str, credentials: Credentials) -> None:
        title = "Remember the login"
        self._bridge.jobs.run(
            partial(remember_login, credentials=credentials),
            address,
            title=title,
        )

    def _watch(
        self, title: str, names: Sequence[str]
    ) -> tuple[Callable[[tuple[SourceSummary, ...]], None], Callable[[BaseException], None]]:
        """Announce an opening; returns the callbacks for its success and failure."""
        self.opening.append(title)
        self.changed.emit()
        # Hide it now: what is opened may show a notice before `done` runs.
        self._banner.hide()

        def done(found: tuple[SourceSummary, ...]) -> None:
            self.opening.remove(title)
            self.changed.emit()
            remembered = tuple(_remembered(name) for name in names)
            self._preferences.remember_sources(remembered)
            self.opened.emit(remembered)
            self._build_columns()
            self._say_missing(found)
            if self._bridge.is_shared:
                self._banner.show_notice(
                    "This workspace is open for reading only",
                    "Another program has it open. To edit it or load into it here, close it there first.",
                )

        def failed(error: BaseException) -> None:
            self.opening.remove(title)
            self.changed.emit()

        return done, failed

    def _say_missing(self, found: tuple[SourceSummary, ...]) -> None:
        """Say what could not be read of the opened sources; the list of sources has the details."""
        lines = [(source_title(source.name), line) for source in found for line in source.missing]
        if lines:
            more = (
                f" And {len(lines) - 1:,} more: point at the source in the list of sources." if len(lines) > 1 else ""
            )
            self._banner.show_notice(f"Not all of {lines[0][0]} was read", f"{lines[0][1]}.{more}")

    def _build_columns(self) -> None:
        """Build the missing columns of a large workspace in the background."""
        workspace = self._bridge.session.workspace
        if workspace is not None and workspace.profile.quads >= WORTH_FROM:
            self._bridge.run(build_columns, title="Sums are being prepared")

    def choose_address(self, address: str = "", error: ExplorerError | None = None) -> None:
        """Show the dialog for an address.

        Args:
            error: why `address` could not be opened.
        """
        recent = [name for name in self._preferences.recent() if is_address(name)]
        dialog = AddressDialog(recent, self._window, address, error)
        dialog.accepted.connect(lambda: self.open([dialog.address]))
        open_dialog(dialog)

    def _ask_login(self, address: str, error: LoginRequired, operation: OpenOperation) -> None:
        dialog = LoginDialog(address, error, self._window)
        dialog.accepted.connect(
            lambda: self.open_address(
                address, dialog.credentials, remember=dialog.remember.isChecked(), operation=operation
            )
        )
        open_dialog(dialog)

    # Workspaces

    def choose_workspace(self) -> None:
        """Show the dialog for a workspace, and open it in place of what is open."""
        folder = QFileDialog.getExistingDirectory(self._window, "Open workspace", self._folder())
        if folder:
            self._preferences.remember_folder(folder)
            self._leave(lambda: self.open_workspace(Path(folder)))

    def open_workspace(self, folder: Path) -> None:
        """Open a workspace in place of what is open."""
        done, failed = self._watch(folder.name, [str(folder)])

        def say(error: BaseException) -> None:
            failed(error)
            self._banner.show_error(f"Open {folder.name}", error)

        self._bridge.run(open_workspace, folder, title=f"Open {folder.name}", on_result=done, on_error=say, closes=True)

    def choose_load(self) -> None:
        """Show the dialog for loading; it proposes the open files."""
        workspace = self._bridge.workspace
        names = [] if workspace is not None else [name for name in self._bridge.source_names if _is_loadable(name)]
        dialog = LoadDialog(names, workspace, self._folder(), self._window)
        dialog.accepted.connect(lambda: self.load(dialog.target, dialog.names))
        open_dialog(dialog)

    def load(self, folder: Path, names: Sequence[str]) -> None:
        """Load files into a workspace; it is opened if nothing is open."""

        def done(report: LoadReport) -> None:
            if self._bridge.is_empty:
                self.open_workspace(folder)
                return
            number = sum(source.triples for source in report.loaded)
            shown = self._bridge.workspace == folder
            if shown:
                self._build_columns()
            self._banner.show_done(
                f"Loaded {number:,} triples into {folder.name}",
                f"{folder} has {report.triples:,} triples.",
                "" if shown else "Open it",
                None if shown else lambda: self.open_workspace(folder),
            )

        title = f"Load into {folder.name}"
        self._bridge.run(
            load_workspace,
            folder,
            names,
            title=title,
            on_result=done,
            closes=True,
        )

    def choose_files(self) -> None:
        """Show the dialog for files."""
        files, _ = QFileDialog.getOpenFileNames(self._window, "Open files", self._folder())
        if files:
            self._preferences.remember_folder(str(Path(files[0]).parent))
            self.open(files)

    def choose_folder(self) -> None:
        """Show the dialog for a folder, and open all graphs in it."""
        folder = QFileDialog.getExistingDirectory(self._window, "Open folder", self._folder())
        if folder:
            self._preferences.remember_folder(folder)
            self.open([folder])


def _remembered(name: str) -> str:
    """The name by which a source can be opened from any folder."""
    if is_stream_address(name):
        return stream_address(name).iri
    return name if name.startswith("sample:") or is_web_address(name) else str(Path(name).absolute())


def _is_loadable(name: str) -> bool:
    return name.startswith("sample:") or (not is_address(name) and Path(name).exists())
