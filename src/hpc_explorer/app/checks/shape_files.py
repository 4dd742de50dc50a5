"""The list of the user's shape files, in a workspace or beside the settings.

The list holds paths; each check reads the files again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import DamagedSettings
from hpc_explorer.rdf.syntax.files import atomic_output, output_error

_NAME = "shapes.json"


def shapes_list(workspace: Path | None) -> Path:
    """The list of a workspace, or the list beside the settings; the file may not exist."""
    return settings_file().with_name(_NAME) if workspace is None else workspace / _NAME


def kept_shape_files(workspace: Path | None) -> tuple[Path, ...]:
    """The shape files of the settings, then those of a workspace.

    Raises:
        DamagedSettings: a list is not a JSON array of texts.
    """
    places = [shapes_list(None)] if workspace is None else [shapes_list(None), shapes_list(workspace)]
    return tuple(dict.fromkeys(file for place in places for file in _read(place)))


def keep_shape_file(file: Path, workspace: Path | None) -> None:
    """Add a shape file to the list of a workspace, or to the one beside the settings.

    Raises:
        DamagedSettings: the list is not a JSON array of texts.
        OutputNotWritable: the list cannot be written.
    """
    place = shapes_list(workspace)
    _write(place, dict.fromkeys((*_read(place), file.absolute())))


def _read(place: Path) -> list[Path]:
    try:
        files = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedSettings(
            f"the list of files of shapes cannot be read ({error})", str(place), "remove it"
        ) from None
    if not isinstance(files, list) or not all(isinstance(one, str) for one in files):
        raise DamagedSettings("no list of files of shapes", str(place), "remove it")
    return [Path(one) for one in files]


def _write(place: Path, files: Iterable[Path]) -> None:
    text = json.dumps([str(one) for one in files], indent=2) + "\n"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with atomic_output(place) as output:
            output.write(text.encode("utf-8"))
    except OSError as error:
        raise output_error(error, place) from None
