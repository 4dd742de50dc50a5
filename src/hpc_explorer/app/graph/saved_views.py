"""Where graph views are kept: named ones, and the last state of the view of a workspace.

A workspace has them in its folder `views`, so that they move with it. Opened files and endpoints have no folder of
their own: their views are kept beside the user's settings, one folder for each set of sources.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, unquote

from hpc_explorer.app.settings import settings_file
from hpc_explorer.canvas.view.saved import from_json, to_json
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.errors import OutputNotWritable, StoreError, UsageError

FOLDER = "views"
LONGEST = 80
"""Characters that a view's name may have."""

_ENDING, _LAST = ".view.json", "last.json"


def views_folder(workspace: Path | None, sources: Iterable[str]) -> Path:
    """Where the views are that belong to what is open.

    Args:
        workspace: its folder, if one is open.
        sources: the names of what is open otherwise, in any order.
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
    """Keep a view under a name, in place of one that had it.

    Raises:
        UsageError: the name is empty or too long.
        OutputNotWritable: the folder cannot be written to.
    """
    name = name.strip()
    if not name or len(name) > LONGEST:
        raise UsageError("a view needs a name", name, f"give it one of at most {LONGEST} characters")
    _write(_file(folder, name), view)


def load_view(folder: Path, name: str) -> GraphView:
    """The view that was kept under a name.

    Raises:
        StoreError: there is none, or it is damaged.
    """
    return _read(_file(folder, name))


def save_last(folder: Path, view: GraphView) -> None:
    """Keep the state in which a view was left.

    Raises:
        OutputNotWritable: the folder cannot be written to.
    """
    if view.nodes:
        _write(folder / _LAST, view)
    else:
        (folder / _LAST).unlink(missing_ok=True)


def load_last(folder: Path) -> GraphView | None:
    """The state in which a view was left; None if none was kept.

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
    temporary = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(to_json(view))
        os.replace(temporary, file)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise OutputNotWritable(
            f"cannot save the view ({error.strerror})", str(file.parent), "make the folder writable"
        ) from None
