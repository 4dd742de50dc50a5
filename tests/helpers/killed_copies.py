"""What a program that is killed leaves of a workspace."""

from __future__ import annotations

import shutil
from pathlib import Path


def as_if_killed(workspace: Path, copy: Path) -> None:
    """Copy a workspace as it is on disk at this moment, though a program has it open."""
    while True:
        try:
            shutil.copytree(workspace, copy)
        except shutil.Error:
            # The engine puts files together meanwhile; then some of those that were listed are gone.
            shutil.rmtree(copy)
        else:
            return
