"""Views that are kept: under names, and the last state of a workspace's view."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.graph.saved_views import load_last, load_view, save_last, save_view, view_names, views_folder
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.canvas.scene import SceneNode
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.errors import OutputNotWritable, StoreError, UsageError


def view() -> GraphView:
    opened = steps.opened(GraphView(), [SceneNode("urn:a", "A"), SceneNode("urn:b", "B")])
    return steps.dragged(opened, {"urn:a": (12.5, -3.0)})


def test_a_workspace_has_its_views_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "config"))
    assert views_folder(tmp_path / "work", ["a.ttl"]) == tmp_path / "work" / "views"
    alone, turned = views_folder(None, ["a.ttl", "b.ttl"]), views_folder(None, ["b.ttl", "a.ttl"])
    assert alone == turned
    assert alone.is_relative_to(tmp_path / "config")
    assert views_folder(None, ["a.ttl"]) != alone


@pytest.mark.parametrize("name", ["Four datasets", "../../up", "a/b:c?", "Übersicht 100 %", "last", "."])
def test_any_name_can_be_given_and_is_read_back(tmp_path: Path, name: str) -> None:
    save_view(tmp_path / "views", name, view())
    assert view_names(tmp_path / "views") == (name,)
    assert load_view(tmp_path / "views", name) == view()
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / "views"]


def test_a_view_of_the_same_name_is_replaced(tmp_path: Path) -> None:
    save_view(tmp_path, "one", view())
    save_view(tmp_path, " one ", GraphView())
    assert view_names(tmp_path) == ("one",)
    assert load_view(tmp_path, "one") == GraphView()


@pytest.mark.parametrize("name", ["", "  ", "x" * 81])
def test_a_name_is_asked_for(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        save_view(tmp_path, name, view())


def test_the_last_state_is_kept_apart_from_the_named_ones(tmp_path: Path) -> None:
    assert load_last(tmp_path) is None
    save_last(tmp_path, view())
    assert load_last(tmp_path) == view()
    assert view_names(tmp_path) == ()
    save_last(tmp_path, GraphView())
    assert load_last(tmp_path) is None


def test_what_cannot_be_read_or_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        load_view(tmp_path, "none")
    (tmp_path / "bad.view.json").write_text("{}", encoding="utf-8")
    with pytest.raises(StoreError):
        load_view(tmp_path, "bad")
    file = tmp_path / "a file"
    file.write_text("", encoding="utf-8")
    with pytest.raises(OutputNotWritable):
        save_view(file, "one", view())
    assert view_names(tmp_path / "nowhere") == ()
