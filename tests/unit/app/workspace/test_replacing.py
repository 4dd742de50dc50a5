"""Closing what is open, and workspaces in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.replacing import close_all, close_sources, load_workspace, open_workspace
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError, SourceNotFound


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    for name in ("one", "two"):
        (tmp_path / f"{name}.ttl").write_text(f"<urn:x:{name}> a <urn:x:Thing> .", encoding="utf-8")
    with closing(Session.new()) as made:
        yield made


def names(session: Session) -> list[str]:
    return [Path(source.name).name for source in session.sources]


def test_sources_are_closed_some_or_all(session: Session, tmp_path: Path) -> None:
    open_sources(session, [str(tmp_path / "one.ttl"), str(tmp_path / "two.ttl")])
    close_sources(session, [session.sources[0].graph])
    assert names(session) == ["two.ttl"]
    close_all(session)
    assert names(session) == []


def test_a_workspace_takes_the_place_of_what_is_open(session: Session, tmp_path: Path) -> None:
    open_sources(session, [str(tmp_path / "two.ttl")])
    load_into(tmp_path / "workspace", [str(tmp_path / "one.ttl")])
    opened = open_workspace(session, tmp_path / "workspace")
    assert [Path(source.name).name for source in opened] == names(session) == ["one.ttl"]
    assert session.workspace is not None
    close_all(session)
    assert (session.workspace, names(session)) == (None, [])


def test_what_is_open_stays_where_a_folder_holds_no_workspace(session: Session, tmp_path: Path) -> None:
    open_sources(session, [str(tmp_path / "two.ttl")])
    with pytest.raises(SourceNotFound):
        open_workspace(session, tmp_path)
    assert names(session) == ["two.ttl"]


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize(("loaded", "there"), [("two.ttl", ["one.ttl", "two.ttl"]), ("broken.ttl", ["one.ttl"])])
def test_a_workspace_that_is_open_is_open_again_after_a_load(
    session: Session, tmp_path: Path, is_open: bool, loaded: str, there: list[str]
) -> None:
    (tmp_path / "broken.ttl").write_text("no Turtle", encoding="utf-8")
    folder = tmp_path / "workspace"
    load_into(folder, [str(tmp_path / "one.ttl")])
    if is_open:
        open_workspace(session, folder)
    told: list[str] = []
    try:
        load_workspace(session, folder, [str(tmp_path / loaded)], progress=lambda text, fraction: told.append(text))
        assert told
        assert loaded != "broken.ttl"
    except InputError:
        assert loaded == "broken.ttl"
    assert names(session) == (there if is_open else [])
    if not is_open:
        open_workspace(session, folder)
        assert names(session) == there
