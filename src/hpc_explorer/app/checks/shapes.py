"""The shapes a graph is checked against: the shipped ones, and the files that the user keeps."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from hpc_explorer.annotate.forms.form import schema_for_forms
from hpc_explorer.annotate.validation.shapes import Shapes, shapes_with
from hpc_explorer.app.settings import settings_file
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DamagedSettings, ExplorerError
from hpc_explorer.ontology.instances import Usage
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.syntax.files import atomic_output, output_error
from hpc_explorer.stores.local.local import LocalStore


def shapes_of(session: Session, extra: Iterable[Path] = (), *, shipped: bool = True) -> Shapes:
    """The shapes for a graph: the shipped ones, the user's, and those of further files.

    They are read once, and again when a file has changed.

    Raises:
        DamagedShapes: a file holds no shapes, or some that cannot be used.
        DamagedSettings: the list of the user's files holds something else.
        InputError: a file cannot be read.
    """
    workspace = None if session.workspace is None else session.workspace.folder
    kept = kept_shape_files(workspace) if shipped else ()
    return _shapes(tuple((file, _written(file)) for file in dict.fromkeys((*kept, *extra))), shipped)


def readable_shapes(session: Session) -> tuple[Shapes, tuple[ExplorerError, ...]]:
    """The shapes as in `shapes_of` without unusable files, and why each of those is unusable."""
    workspace = None if session.workspace is None else session.workspace.folder
    problems: list[ExplorerError] = []
    good: list[tuple[Path, tuple[int, ...]]] = []
    try:
        files = kept_shape_files(workspace)
    except ExplorerError as problem:
        return _shapes((), True), (problem,)
    for file in files:
        one = (file, _written(file))
        try:
            _shapes((one,), True)
        except ExplorerError as problem:
            problems.append(problem)
        else:
            good.append(one)
    return _shapes(tuple(good), True), tuple(problems)


def add_shapes(session: Session, file: Path) -> int:
    """Use a file of shapes from now on, in the workspace or else everywhere, and return its number of classes.

    Raises:
        DamagedShapes, InputError: as `shapes_of`; the file is not kept then.
        OutputNotWritable: the list of files cannot be written.
    """
    shapes = shapes_with((file,), shipped=False)
    workspace = None if session.workspace is None else session.workspace.folder
    keep_shape_file(file, workspace)
    return len(shapes.target_classes)


@cache
def shipped_schema() -> SchemaIndex:
    return schema_for_forms(LocalStore.in_memory(), shipped_ontology(), Usage({}, {}, {}))


@lru_cache(maxsize=16)
def _shapes(files: tuple[tuple[Path, tuple[int, ...]], ...], shipped: bool) -> Shapes:
    return shapes_with((file for file, _ in files), shipped=shipped)


def _written(file: Path) -> tuple[int, ...]:
    """Values that change when a file is written: inode, size and time; empty without a file.

    The time alone is not enough: it goes on in steps, and two writings may come within one.
    """
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


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
