"""Write an RO-Crate as a folder or a zip file, atomically."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.interchange.mlflow.store import is_file_store
from hpc_explorer.interchange.mlflow.writing import STORE
from hpc_explorer.rdf.syntax.files import atomic_output, output_error


def write_crate_files(
    target: Path, texts: Mapping[str, str], files: Mapping[str, Path], check: Callable[[], None] = lambda: None
) -> None:
    """Write texts and copies of files by their paths in the crate, to a zip file if the name ends in `.zip`.

    Args:
        check: called before each file; raises at the deadline.

    Raises:
        OutputNotWritable: it cannot be written, or the folder exists and is not empty.
    """
    if target.suffix.lower() == ".zip":
        with (
            atomic_output(target) as stream,
            zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed,
        ):
            for name, text in texts.items():
                # A fixed time, so that equal graphs give equal files.
                packed.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
            for place, path in files.items():
                check()
                packed.write(path, place)
        return
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputNotWritable("the target exists", str(target), "name a new folder, or a .zip file")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{target.name[:40]}.", dir=target.absolute().parent) as made:
            folder = Path(made) / "crate"
            folder.mkdir()
            for name, text in texts.items():
                (folder / name).write_text(text, encoding="utf-8")
            for place, path in files.items():
                check()
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, folder / place)
            folder.replace(target)
    except OSError as error:
        raise output_error(error, target) from None


def add_to_store(target: Path, texts: Mapping[str, str], check: Callable[[], None] = lambda: None) -> tuple[int, int]:
    """Add runs to an MLflow file store, which is created if missing. Existing runs are kept.

    Args:
        texts: by `experiment/run/…`, and `experiment/meta.yaml`.
        check: called before each run; raises at the deadline.

    Returns:
        The numbers of added and of existing runs.

    Raises:
        OutputNotWritable: it cannot be written, or the target is something else.
    """
    if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not is_file_store(target))):
        raise OutputNotWritable(
            "the target is not an MLflow store", str(target), "name a new folder, or an MLflow store"
        )
    parts: dict[str, dict[str, str]] = {}
    for place, text in texts.items():
        experiment, _, inner = place.partition("/")
        own, _, rest = inner.partition("/")
        if own == "datasets":
            digest, _, name = rest.partition("/")
            parts.setdefault(f"{experiment}/datasets/{digest}", {})[name] = text
        else:
            parts.setdefault(f"{experiment}/{own}" if rest else experiment, {})[rest or own] = text
    added = known = 0
    try:
        target.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".import.", dir=target) as made:
            # An experiment comes before its runs.
            for number, place in enumerate(sorted(parts)):
                check()
                is_run = place.count("/") == 1
                if (target / place / "meta.yaml").exists():
                    known += is_run
                    continue
                folder = Path(made) / str(number)
                for name in ("artifacts", "metrics", "params", "tags") if is_run else ():
                    (folder / name).mkdir(parents=True)
                for name, text in parts[place].items():
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    own = text.replace(STORE, target.absolute().as_uri()) if name == "meta.yaml" else text
                    (folder / name).write_text(own, encoding="utf-8")
                (target / place).parent.mkdir(parents=True, exist_ok=True)
                folder.rename(target / place)
                added += is_run
    except OSError as error:
        raise output_error(error, target) from None
    return added, known
