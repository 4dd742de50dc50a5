"""Save graph views: named ones, and the last state of a workspace's view.

A workspace keeps them in its folder `views`. For opened files and endpoints they are beside the user's settings, in a
folder for each set of sources.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, unquote

from hpc_explorer.app.settings import settings_file, write_private
from hpc_explorer.canvas.view.saved import from_json, to_json
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.errors import StoreError, UsageError

FOLDER = "views"
LONGEST = 80
"""Maximum length of a view's name."""

_ENDING, _LAST = ".view.json", "last.json"


def views_folder(workspace: Path | None, sources: Iterable[str]) -> Path:
    """The folder of the views of what is open.

    Args:
        workspace: the folder of the open workspace.
        sources: the names of the sources otherwise, in any order.
    """
    if workspace is not None:
        return workspace / FOLDER
    together = hashlib.sha256("\n".join(sorted(sources)).encode()).hexdigest()
    return settings_file().parent / FOLDER / together[:16]


def view_names(folder: Path) -> tuple[str, ...]:
    """The names of the views in a folder, in alphabetical order."""
    try:
        files = [file.name for file in folder.iterdir() if file.name.endswith(_ENDING)]
    except OSError:
        return ()
    return tuple(sorted((unquote(name.removesuffix(_ENDING)) for name in files), key=lambda name: name.casefold()))


def save_view(folder: Path, name: str, view: GraphView) -> None:
    """Save a view under a name, replacing an earlier one.

    Raises:
        UsageError: the name is empty or too long.
        OutputNotWritable: the folder is not writable.
    """
    name = name.strip()
    if not name or len(name) > LONGEST:
        raise UsageError("a view needs a name", name, f"give it one of at most {LONGEST} characters")
    _write(_file(folder, name), view)


def load_view(folder: Path, name: str) -> GraphView:
    """Load a view by name.

    Raises:
        StoreError: there is none, or it is damaged.
    """
    return _read(_file(folder, name))


def save_last(folder: Path, view: GraphView) -> None:
    """Save the last state of a view.

    Raises:
        OutputNotWritable: the folder is not writable.
    """
    if view.nodes:
        _write(folder / _LAST, view)
    else:
        (folder / _LAST).unlink(missing_ok=True)


def load_last(folder: Path) -> GraphView | None:
    """Load the last state of a view; None if none was saved.

    Raises:
        StoreError: it is damaged.
    """
    file = folder / _LAST
    return _read(file) if file.is_file() else None


def _file(folder: Path, name: str) -> Path:
    return folder / (quote(name, safe=" ") + _ENDING)


def _read(file: Path) -> GraphView:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise StoreError(f"this view cannot be read ({error})", str(file), "open another one") from None
    return from_json(text, str(file))


def _write(file: Path, view: GraphView) -> None:
    write_private(file, to_json(view), "the view", "make the folder writable")
