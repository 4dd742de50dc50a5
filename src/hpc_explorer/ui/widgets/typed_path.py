"""Paths as they are typed, at every moment of which something must be said: half of a name, or a far too long one."""

from __future__ import annotations

import os
from pathlib import Path


def typed_path(text: str) -> Path:
    """The path that was typed; `~` is the user's home folder. That of somebody unknown stays as it is."""
    return Path(os.path.expanduser(text.strip()))


def is_folder(path: Path) -> bool:
    """Whether there is a folder; what the system refuses to look at is none."""
    return os.path.isdir(path)


def is_file(path: Path) -> bool:
    """Whether there is a file; what the system refuses to look at is none."""
    return os.path.isfile(path)
