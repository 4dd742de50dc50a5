"""Workspaces in the window: loading into one, opening it, sharing it, and stopping half-way."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from benchmarks.provml_graph import write_graph
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.manifest import read_manifest
from hpc_explorer.ui.changes.saving import LeaveDialog
from hpc_explorer.ui.window.load_dialog import LoadDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

THING = '<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "A thing" .\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    file = tmp_path / "thing.nt"
    file.write_text(THING, encoding="utf-8")
    load_into(tmp_path / "kept", [str(file)])
    return tmp_path / "kept"


def choose(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the desktop's own dialog answer with this folder."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args, **kwargs: str(folder))


def test_files_are_loaded_and_the_workspace_opens(window: MainWindow, user: User, tmp_path: Path) -> None:
    file = tmp_path / "thing.nt"
    file.write_text(THING, encoding="utf-8")
    window.run("file.load")
    dialog = user.dialog(LoadDialog)
    assert not dialog.load_button.isEnabled()
    dialog.add([str(file), str(file)])
    assert dialog.names == (str(file),)
    user.type(str(tmp_path), dialog.workspace)
    assert "other files" in dialog.remark
    assert not dialog.load_button.isEnabled()
    user.type("/kept", dialog.workspace)
    assert "new workspace" in dialog.remark
    user.click(dialog.load_button)
    user.until(window.browser.isVisible)
    user.rest()
    assert [source.name for source in read_manifest(tmp_path / "kept").sources] == [str(file)]
    user.search("A thing")
    assert user.reads == "A thing"
    user.press("Ctrl+W", window)
    user.until(window.start_page.isVisible)
    user.rest()
    assert not window.banner.isVisible()
    OpenWorkspace.open(tmp_path / "kept", alone=True).close()


def test_a_workspace_is_opened_in_place_of_what_is_open(
    window: MainWindow, user: User, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open_sample("fugaku")
    choose(monkeypatch, workspace)
    window.run("file.open_workspace")
    user.until(lambda: "thing.nt" in window.windowTitle())
    user.rest()
    assert window.features.overview.size_label.text() == "1 triples"
    assert not window.banner.isVisible()


def test_a_folder_that_is_none_leaves_everything_open(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open_sample("fugaku")
    before = window.features.overview.size_label.text()
    choose(monkeypatch, tmp_path)
    window.run("file.open_workspace")
    user.until(window.banner.isVisible)
    user.rest()
    assert "no workspace" in window.banner.title
    assert window.features.overview.size_label.text() == before


def test_the_second_program_is_told_that_it_can_only_read(window: MainWindow, user: User, workspace: Path) -> None:
    other = OpenWorkspace.open(workspace, alone=True)
    try:
        user.open_files([workspace])
        user.until(window.banner.isVisible)
        assert "reading only" in window.banner.title
        assert "Another program" in window.banner.text
        user.search("A thing")
        assert user.reads == "A thing"
    finally:
        other.close()


@pytest.mark.slow
def test_more_is_loaded_into_the_workspace_that_is_open(
    window: MainWindow, user: User, workspace: Path, tmp_path: Path
) -> None:
    more = tmp_path / "more.nt"
    more.write_text(THING.replace("urn:a", "urn:b").replace("A thing", "Another one"), encoding="utf-8")
    user.open_files([workspace])
    window.run("file.load")
    dialog = user.dialog(LoadDialog)
    assert dialog.target == workspace
    dialog.add([str(more)])
    user.click(dialog.load_button)
    user.until(lambda: window.features.overview.size_label.text() == "2 triples")
    user.rest()
    assert "Loaded 1 triples" in window.banner.title
    user.search("Another one")
    assert user.reads == "Another one"


def test_a_stopped_load_leaves_the_workspace_as_it_was(
    window: MainWindow, user: User, workspace: Path, tmp_path: Path
) -> None:
    large = tmp_path / "large.ttl"
    large.write_text("".join(f"<urn:s{n}> <urn:p> <urn:o{n}> .\n" for n in range(600_000)), encoding="utf-8")
    before = read_manifest(workspace)
    window.features.opener.load(workspace, [str(large)])
    user.catch(lambda: "reading" in window.jobs.text)
    user.press("Escape", window)
    user.rest()
    assert "Stopped" in user.told
    assert read_manifest(workspace) == before
    assert window.start_page.isVisible()


@pytest.mark.slow
def test_a_large_workspace_gets_the_facts_by_column_that_it_lacks(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_graph(tmp_path / "graph.nt", "1/100")
    load_into(tmp_path / "large", [str(tmp_path / "graph.nt")])
    (columns,) = (tmp_path / "large").glob("states/*/columns.db")
    columns.unlink()
    choose(monkeypatch, tmp_path / "large")
    user.window.run("file.open_folder")
    user.until(window.browser.isVisible)
    user.until(columns.exists)
    user.rest()
    assert not window.banner.isVisible()


@pytest.mark.slow
def test_what_the_window_loads_is_used_while_its_sums_are_prepared(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    write_graph(tmp_path / "graph.nt", "1/100")
    window.features.opener.load(tmp_path / "large", [str(tmp_path / "graph.nt")])
    user.catch(lambda: "Sums are being prepared" in window.jobs.text)
    assert window.browser.isVisible()
    assert list((tmp_path / "large").glob("states/*/columns.db")) == []
    user.until(lambda: bool(list((tmp_path / "large").glob("states/*/columns.db"))))
    user.rest()


def test_edits_of_a_session_that_died_are_offered_to_be_taken_back(
    window: MainWindow, user: User, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = OpenWorkspace.open(workspace, alone=True)
    thing, graph = NamedNode("urn:a"), opened.sources[0].graph
    for number in range(2):
        label = Quad(thing, RDFS.label, Literal(f"Edited {number}"), graph)
        opened.edit(ChangeSet((), (label,), f"Label {number}"))
    left = tmp_path / "left"
    # The state in which edits are made is lost with the program.
    shutil.copytree(workspace, left, ignore=shutil.ignore_patterns("2"))
    opened.close()
    choose(monkeypatch, left)
    window.run("file.open_workspace")
    user.until(window.banner.isVisible)
    user.rest()
    assert window.banner.title == "2 edits recovered"
    assert window.features.overview.size_label.text() == "3 triples", "they are there, whatever one chooses"
    user.click(user.button("Undo them", window.banner))
    user.until(lambda: window.features.overview.size_label.text() == "1 triples")
    user.until(lambda: not window.banner.isVisible())
    user.press("Ctrl+Z", window)
    user.until(lambda: window.features.overview.size_label.text() == "3 triples")
    user.rest()
    user.press("Ctrl+W", window)
    user.click(user.button("Keep in the workspace", user.dialog(LeaveDialog)))
    user.until(window.start_page.isVisible)
    user.rest()
    choose(monkeypatch, left)
    window.run("file.open_workspace")
    user.until(window.browser.isVisible)
    user.rest()
    assert not window.banner.isVisible(), "it was closed this time"
