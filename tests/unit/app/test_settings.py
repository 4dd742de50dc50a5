from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.settings import CONFIG_VARIABLE, RECENT_SOURCES, THEMES, Settings, settings_file
from hpc_explorer.canvas.kinds import Style
from hpc_explorer.errors import DamagedSettings, OutputNotWritable


def test_no_file_gives_the_defaults(tmp_path: Path) -> None:
    settings = Settings.load(tmp_path / "settings.json")
    assert settings == Settings()
    assert settings.problem is None


def test_settings_come_back_as_they_were_saved(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    settings = Settings(
        inferred_places=False,
        match_content=True,
        class_properties=True,
        instances_of=("http://example.org/A", "http://example.org/B"),
        theme="dark",
        recent_sources=("sample:xplacer", "/data/größe.ttl"),
        last_folder="/data",
        layouts={"1920x1080": (0, 0, 1440, 900, 0, 260, 800, 340)},
        open_panes=("page:inspector",),
        closed_drawers=("sources",),
        only_used_classes=False,
        looks={"http://x/Batch": Style("spare-2", "diamond", "place"), "http://x/Run": Style("#aa00ff")},
    )
    settings.save(path)
    assert Settings.load(path) == settings
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]


@given(
    st.builds(
        Settings,
        theme=st.sampled_from(THEMES),
        recent_sources=st.lists(st.text()).map(tuple),
        last_folder=st.text(),
        layouts=st.dictionaries(st.text(), st.tuples(*[st.integers()] * 8)),
        open_panes=st.lists(st.text()).map(tuple),
        closed_drawers=st.lists(st.text()).map(tuple),
        only_used_classes=st.booleans(),
    )
)
def test_any_settings_come_back(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> None:
    path = tmp_path_factory.getbasetemp() / "any" / "settings.json"
    settings.save(path)
    assert Settings.load(path) == settings


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"dark"',
        b"\xff\xfe\x00",
        b'{"theme": "pink"}',
        b'{"theme": 3}',
        b'{"recent_sources": "a.ttl"}',
        b'{"recent_sources": [1]}',
        b'{"layouts": {"800x600": [1, 2]}}',
        b'{"only_used_classes": 1}',
        b'{"looks": []}',
        b'{"looks": {"urn:c": "red"}}',
        b'{"looks": {"urn:c": {"colour": "red"}}}',
        b'{"looks": {"urn:c": {"shape": 3}}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_gives_the_defaults_a_named_problem_and_is_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    settings = Settings.load(path)
    assert settings == Settings()
    assert isinstance(settings.problem, DamagedSettings)
    assert "settings.json" in settings.problem.where
    assert (tmp_path / "settings.json.damaged").read_bytes() == content
    assert Settings.load(path).problem is None


def test_settings_of_a_later_version_are_read_as_far_as_they_are_known(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"theme": "light", "minimap": True}), encoding="utf-8")
    assert Settings.load(path) == Settings(theme="light")


def test_a_folder_in_the_files_place_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.mkdir()
    settings = Settings.load(path)
    assert settings == Settings()
    assert settings.problem is not None
    assert path.is_dir()
    with pytest.raises(OutputNotWritable, match=CONFIG_VARIABLE):
        settings.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["settings.json"]


def test_recent_sources_are_listed_once_latest_first_and_not_without_end() -> None:
    settings = Settings().with_recent(("a", "b")).with_recent(("b", "c"))
    assert settings.recent_sources == ("b", "c", "a")
    many = settings.with_recent(tuple(str(number) for number in range(40)))
    assert len(many.recent_sources) == RECENT_SOURCES
    assert many.recent_sources[0] == "0"


def test_the_environment_can_name_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path))
    assert settings_file() == tmp_path / "settings.json"
    monkeypatch.delenv(CONFIG_VARIABLE)
    assert settings_file().parent.name == "hpc-explorer"


def test_a_password_in_an_address_is_not_remembered() -> None:
    settings = Settings().with_recent(("https://ada:secret@host.example:8080/sparql?x=1", "/data/a@b.ttl"))
    assert settings.recent_sources == ("https://host.example:8080/sparql?x=1", "/data/a@b.ttl")
