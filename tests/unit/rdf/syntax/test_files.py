"""What went wrong with reading or writing a file, as a named error with what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hpc_explorer.errors import SourceNotFound, SourceUnreadable
from hpc_explorer.rdf.syntax.files import atomic_output, input_error, output_error, remove_folder


@pytest.mark.parametrize(
    ("error", "kind", "what", "remedy"),
    [
        (FileNotFoundError(2, "No such file"), SourceNotFound, "no such mapping", "check the path"),
        (PermissionError(13, "Denied"), SourceUnreadable, "the mapping cannot be read (Denied)", "permissions"),
        (IsADirectoryError(21, "A folder"), SourceUnreadable, "the mapping cannot be read (A folder)", "file in it"),
        (OSError("odd"), SourceUnreadable, "the mapping cannot be read (odd)", "try again"),
    ],
)
def test_a_fault_of_reading_says_what_to_do(error: OSError, kind: type, what: str, remedy: str) -> None:
    found = input_error(error, Path("m.yaml"), "mapping")
    assert type(found) is kind
    assert (found.what, found.where) == (what, "m.yaml")
    assert remedy in found.remedy


def test_what_raises_while_it_is_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "f.txt"
    file.write_text("before")

    def write_halfway() -> None:
        with atomic_output(file) as stream:
            stream.write(b"after")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_halfway()
    assert file.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["f.txt"]


def test_a_fault_of_writing_says_what_to_do() -> None:
    full = output_error(OSError(errno.ENOSPC, "No space left"), Path("f"))
    assert (full.what, full.where, full.remedy) == ("the disk is full", "f", "make room, or write elsewhere")
    other = output_error(OSError("odd"), Path("f"))
    assert (other.what, other.remedy) == ("the file cannot be written (odd)", "write elsewhere")


def test_a_folder_goes_though_something_is_still_written_into_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    (folder / "store").mkdir(parents=True)
    late = ["3.sst", "2.sst", "1.sst"]
    rmdir = os.rmdir

    def rmdir_a_moment_later(path: str, *, dir_fd: int | None = None) -> None:
        if late:
            (folder / late.pop()).touch()
        rmdir(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "rmdir", rmdir_a_moment_later)
    remove_folder(folder)
    assert not late
    assert not folder.exists()
    remove_folder(folder)
