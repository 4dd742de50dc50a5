"""The files that ship with the program: ontologies, sample graphs, fonts, icons, JSON-LD contexts.

In a wheel they lie in `hpc_explorer/_shipped/`; in a checkout `ontology/` and `sample_graphs/` lie at the project's
root, where their readers look for them.
"""

from __future__ import annotations

from pathlib import Path

SAMPLE = "sample:"
"""What the name of a shipped sample graph begins with."""

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parents[1]


def shipped_folder(name: str) -> Path:
    """The folder of shipped files called `name`, such as `ontology` or `sample_graphs`.

    Raises:
        FileNotFoundError: the installation is damaged: the folder is in neither place.
    """
    for root in (_PACKAGE / "_shipped", _CHECKOUT):
        folder = root / name
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation lacks its folder {name!r}: reinstall hpc-explorer")
