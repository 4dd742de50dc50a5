"""Makes the pictures of the README and the guide from the real program, drawn without a screen at twice the size.

python packaging/make_pictures.py [FOLDER [NAME...]]     default: docs/guide/pictures, all of them

Pictures of published ontologies need the shared data beside the project, and that of the page to share, `page`, needs
chromium; without these they stay as they are, which is said.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

# Dialogs fit into their screen, which would have 400 by 400 pixels at twice the size.
os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={Path(__file__).with_name('large_screen.json')}"
os.environ["QT_SCALE_FACTOR"] = "2"

from picture_of_page import take_page
from picture_studio import ROOT, SIZE, Studio
from pictures_of_answers import answers, ask, english, questions, recipe, sparql
from pictures_of_edits import changes, forms, tables
from pictures_of_fair import fair
from pictures_of_graphs import at_200_percent, classes, fifty_thousand, large_hub, lay_open, monitored_run, phases, walk
from PySide6.QtWidgets import QApplication

from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.ui.widgets import theme

FOLDER = ROOT / "docs" / "guide" / "pictures"
SCREEN_AT_200 = (960, 540)
"""A screen of 1920 by 1080 pixels at twice the size."""

SHOOTS: dict[str, tuple[Callable[[Studio], None], tuple[int, int]]] = {
    "walk": (walk, SIZE),
    "phases": (phases, SIZE),
    "answers": (answers, SIZE),
    "recipe": (recipe, SIZE),
    "graph": (lay_open, SIZE),
    "classes": (classes, SIZE),
    "questions": (questions, SIZE),
    "english": (english, SIZE),
    "sparql": (sparql, SIZE),
    "ask": (ask, SIZE),
    "changes": (changes, SIZE),
    "tables": (tables, SIZE),
    "scale": (at_200_percent, SCREEN_AT_200),
    "hub": (large_hub, SIZE),
    "fifty-thousand": (fifty_thousand, SIZE),
    "forms": (forms, SIZE),
    "fair": (fair, SIZE),
    "monitor": (monitored_run, SIZE),
}


def main(folder: Path, wanted: Collection[str]) -> None:
    """Take the pictures that are wanted."""
    application = QApplication(sys.argv[:1])
    theme.prepare(application)
    for name, (shoot, size) in SHOOTS.items():
        if not wanted or name in wanted:
            with Studio(application, folder, size) as studio:
                shoot(studio)
    if not wanted or "page" in wanted:
        take_page(folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as settings:
        os.environ[CONFIG_VARIABLE] = settings
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, sys.argv[2:])
