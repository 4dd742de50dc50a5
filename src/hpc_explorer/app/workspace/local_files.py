"""Decide which local files named by a graph may be read.

A graph may name any file. Only files below the folders of the open sources, and below folders given by the user, are
read, after symbolic links are resolved. Hidden files and folders (`.ssh`) are excluded, unless the user gives that
folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import state_of
from hpc_explorer.errors import InputError, SourceNotFound
from hpc_explorer.stores.changes.manifest import LoadedSource


@dataclass(frozen=True)
class LocalFolders:
    """The folders whose files may be read.

    Args:
        folders: with every symbolic link resolved.
    """

    folders: tuple[Path, ...] = ()

    def file(self, place: str) -> Path | None:
        """The allowed regular file for an address or path, with symbolic links resolved; None if there is none.

        Args:
            place: a `file:` address, an absolute path, or a path from one of the folders.
        """
        named = local_path(place)
        if named is not None:
            return self._allowed(named)
        if _has_scheme(place) or not place.strip() or "\0" in place:
            return None
        inside = (self._allowed(folder / unquote(place)) for folder in self.folders)
        return next((path for path in inside if path is not None), None)

    def refuses(self, place: str) -> bool:
        """Whether this names a local place outside the folders."""
        named = local_path(place)
        return named is not None and self._resolved(named) is None

    def _allowed(self, path: Path) -> Path | None:
        found = self._resolved(path)
        try:
            return found if found is not None and found.is_file() else None
        except (OSError, ValueError):
            return None

    def _resolved(self, path: Path) -> Path | None:
        """The path without symbolic links; None if it is outside."""
        # On Windows, resolving a path on another host would log in there.
        if path.drive.casefold() not in {folder.drive.casefold() for folder in self.folders}:
            return None
        try:
            real = path.resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        for folder in self.folders:
            if real.is_relative_to(folder) and not any(part.startswith(".") for part in real.relative_to(folder).parts):
                return real
        return None


def folders_of(session: Session) -> LocalFolders:
    """The folders of a session: those of its sources, and those in `Session.file_folders`.

    A workspace may come from someone else, so its sources only count if their files are unchanged since the load.
    """
    if session.workspace is None:
        files = [source.path.absolute() for source in session.opened if source.path is not None]
    else:
        files = [one.path for one in session.workspace.sources if one.path is not None and _is_as_loaded(one)]
    folders = (*(file if file.is_dir() else file.parent for file in files), *session.file_folders)
    return LocalFolders(tuple(dict.fromkeys(folder.resolve() for folder in folders)))


def _is_as_loaded(source: LoadedSource) -> bool:
    try:
        there = state_of(source.path) if source.path is not None else None
    except (InputError, ValueError):
        return False
    return there is not None and (there.size, there.mtime_ns) == (source.size, source.mtime_ns)


def named_folders(names: Iterable[str]) -> tuple[Path, ...]:
    """Folders given by the user.

    Raises:
        SourceNotFound: one does not exist or is not a folder.
    """
    folders = tuple(Path(name).expanduser() for name in names)
    for folder in folders:
        if not folder.is_dir():
            raise SourceNotFound("no such folder", str(folder), "check the path")
    return folders


def local_path(place: str) -> Path | None:
    """The local path of a `file:` address or an absolute path; None for others.

    An address with a fragment identifies a part or the subject of a file, so it is not a path.
    """
    if place[:5].casefold() == "file:":
        try:
            parts = urlsplit(place)
        except ValueError:
            return None
        path = url2pathname(parts.path)
        is_file = parts.netloc in ("", "localhost") and not parts.fragment
        return Path(path) if is_file and path and "\0" not in path else None
    return Path(place) if Path(place).is_absolute() and "\0" not in place else None


def _has_scheme(place: str) -> bool:
    try:
        return bool(urlsplit(place).scheme)
    except ValueError:
        return True
