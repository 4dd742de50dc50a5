"""The folder of a store on disk: the engine's files and the spellings of literals."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from pyoxigraph import Store

from hpc_explorer.errors import StoreDamaged, StoreError, StoreLocked
from hpc_explorer.rdf.syntax.files import output_error
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local.spellings import STYLES, Spellings

_SPELLINGS = "spellings.nq"

# The engine's messages about a lock of this process or another.
_LOCKED = ("lock hold by current process", "While lock file")

# Attempts to open a store that another process writes to, and the seconds between them.
_TRIES, _PAUSE = 20, 0.05


def engine_to_write(folder: Path) -> Store:
    """Open the engine on a folder for writing; the folder is created if missing.

    Raises:
        StoreLocked: a program has it open for writing.
        OutputNotWritable: the folder cannot be created or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return Store(str(folder))
    except OSError as error:
        if any(words in str(error) for words in _LOCKED):
            raise StoreLocked(
                "another program has this store open", str(folder), "close it there, or open it read-only"
            ) from None
        raise output_error(error, folder) from error


def engine_to_read(folder: Path) -> Store:
    """Open the engine on a folder read-only, next to a process that may be writing to it.

    Raises:
        StoreError: there is no store in that folder, or it is damaged.
    """
    for _ in range(_TRIES):
        try:
            return Store.read_only(str(folder))
        except OSError as error:
            raise StoreError("there is no store in this folder", str(folder), "load a file into it first") from error
        except RuntimeError as error:
            # The writing process may have removed files listed by the engine.
            failure = error
            time.sleep(_PAUSE)
    raise _damaged(folder, failure) from failure


def damage_in(folder: Path, seconds: float) -> StoreError | None:
    """Check the files of a store that can be opened; None if no damage is found within this time.

    Aggregate queries on a damaged block read it again and again and use ever more memory (Oxigraph 0.5.13).
    """
    until = time.monotonic() + seconds
    predicates: dict[NamedNode, None] = {}
    try:
        engine = engine_to_read(folder)
        for quad in engine.quads_for_pattern(None, None, None, None):
            predicates[quad.predicate] = None
            if time.monotonic() > until:
                return None
        for predicate in predicates:
            for _ in engine.quads_for_pattern(None, predicate, None, None):
                if time.monotonic() > until:
                    return None
    except (OSError, RuntimeError) as error:
        return _damaged(folder, error)
    except StoreError as error:
        return error
    return None


def _damaged(folder: Path, error: Exception) -> StoreDamaged:
    return StoreDamaged("the store is damaged", f"{folder} ({error})", "load its sources into another folder")


def spellings_in(folder: Path) -> Spellings:
    """The spellings of the literals in a folder; later calls of `save` write to it.

    Raises:
        StoreError: the file cannot be read.
    """
    try:
        return Spellings(folder / _SPELLINGS)
    except (OSError, ValueError, TypeError, SyntaxError) as error:
        raise _damaged(folder, error) from error


def checkpoint(folder: Path, copy: Path) -> None:
    """Copy the store in `folder`; files are shared where possible.

    Raises:
        StoreError: there is no store in `folder`, or it is damaged.
        OutputNotWritable: `copy` cannot be created.
    """
    copy_store(engine_to_read(folder), folder, copy)


def copy_store(engine: Store, folder: Path, copy: Path) -> None:
    """Copy a store to a new folder; the engine's files are shared where possible.

    Args:
        engine: the one on `folder`.

    Raises:
        OutputNotWritable: `copy` cannot be created.
    """
    try:
        engine.backup(str(copy))
        for name in (_SPELLINGS, STYLES):
            if (folder / name).exists():
                shutil.copyfile(folder / name, copy / name)
    except OSError as error:
        raise output_error(error, copy) from error
