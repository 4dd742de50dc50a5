"""Any text may stand in a line for a path, also for a moment only."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from hpc_explorer.ui.widgets.typed_path import is_file, is_folder, typed_path
from hpc_explorer.ui.window.load_dialog import LoadDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

LONG = "a" * 300
TEXTS = ("~", "~nobody-is-called-so/x", f"/tmp/{LONG}", f"{LONG}/{LONG}", "/proc/1/root/x", "a\0b")


@pytest.mark.parametrize("text", TEXTS)
def test_a_path_is_asked_for_by_any_text(text: str) -> None:
    path = typed_path(text)
    assert not is_file(path)
    assert is_folder(path) is (text == "~")
    assert typed_path(" ~/x ") == Path.home() / "x"


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_may_be_typed_as_the_file_to_write(window: MainWindow, user: User, text: str, tmp_path: Path) -> None:
    dialog = SaveDialog("Save the rows", tmp_path / "rows.csv", window)
    dialog.open()
    dialog.file.setText(text)
    assert dialog.warning == ("This is a folder: add a name for the file." if text == "~" else "")
    assert dialog.save.isEnabled() is (text != "~")
    user.close(dialog)


def test_any_text_may_be_typed_as_the_folder_of_a_workspace(window: MainWindow, user: User, tmp_path: Path) -> None:
    dialog = LoadDialog([], None, str(tmp_path), window)
    dialog.add([str(tmp_path)])
    dialog.open()
    dialog.workspace.setText(f"/tmp/{LONG}")
    assert dialog.remark == "The system refuses to look at this folder: File name too long."
    assert not dialog.load_button.isEnabled()
    dialog.workspace.setText("~nobody-is-called-so/x")
    assert dialog.remark == "A new workspace will be created in this folder."
    user.close(dialog)
