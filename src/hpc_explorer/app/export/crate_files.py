"""Writing an RO-Crate: a folder or a zip file, whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.rdf.syntax.files import atomic_output, output_error


def write_crate_files(
    target: Path, texts: Mapping[str, str], files: Mapping[str, Path], check: Callable[[], None] = lambda: None
) -> None:
    """Write texts, and copies of files, by their places in the crate; as one file where the name ends in `.zip`.

    Args:
        check: called before each file; raises where there is no time left.

    Raises:
        OutputNotWritable: it cannot be written there, or the folder is there already and not empty.
    """
    if target.suffix.lower() == ".zip":
        with (
            atomic_output(target) as stream,
            zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed,
        ):
            for name, text in texts.items():
                # One time for all, so that equal graphs give equal files.
                packed.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
            for place, path in files.items():
                check()
                packed.write(path, place)
        return
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputNotWritable("there is something already", str(target), "name a new folder, or a .zip file")
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
