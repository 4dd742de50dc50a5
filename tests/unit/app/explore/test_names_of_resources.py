"""Resources are found by the names that an open file gives them, relative to itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import resolve, search
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InvalidIri, UnknownResource
from tests.helpers.sessions import session_of

CRATE = {
    "@context": {"name": "http://schema.org/name", "hasPart": "http://schema.org/hasPart"},
    "@graph": [
        {
            "@id": "./",
            "name": "A crate",
            "hasPart": [{"@id": name} for name in ("meta/dag.png", "b.png", "data/my%20table.csv", "#run:1")],
        },
        {"@id": "meta/dag.png", "name": "The picture"},
        {"@id": "data/my%20table.csv", "name": "b.png"},
    ],
}


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    folder = tmp_path / "crate"
    folder.mkdir()
    (folder / "ro-crate-metadata.json").write_text(json.dumps(CRATE), encoding="utf-8")
    return folder


@pytest.fixture
def session(crate: Path) -> Iterator[Session]:
    opened = session_of(crate / "ro-crate-metadata.json")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("meta/dag.png", "/meta/dag.png"),
        ("./meta/dag.png", "/meta/dag.png"),
        ("The picture", "/meta/dag.png"),
        ("data/my table.csv", "/data/my%20table.csv"),
        ("data/my%20table.csv", "/data/my%20table.csv"),
        ("#run:1", "/ro-crate-metadata.json#run:1"),
        ("./", "/"),
    ],
)
def test_a_resource_by_the_name_that_its_crate_gives_it(session: Session, crate: Path, name: str, end: str) -> None:
    found = resolve(session, name)
    assert found.value == f"{crate.as_uri()}{end}"
    assert search(session, name).hits[0].ref.resource == found


def test_a_name_of_two_things_is_refused(session: Session) -> None:
    with pytest.raises(UnknownResource, match="2 resources have this name"):
        resolve(session, "b.png")


def test_a_name_that_two_crates_give_is_refused(session: Session, crate: Path, tmp_path: Path) -> None:
    crate.rename(tmp_path / "other")
    open_sources(session, [str(tmp_path / "other" / "ro-crate-metadata.json")])
    with pytest.raises(UnknownResource, match="2 resources have this name"):
        resolve(session, "meta/dag.png")
    assert len(search(session, "meta/dag.png").hits) == 2


@pytest.mark.parametrize("name", ["nothing/here.png", "../meta/dag.png", "#", "http://[x", "meta/dag.png#no"])
def test_other_names_find_nothing(session: Session, name: str) -> None:
    with pytest.raises((UnknownResource, InvalidIri)):
        resolve(session, name)
    assert all(hit.ref.label != name for hit in search(session, name).hits)


def test_a_file_has_the_same_resources_however_its_path_is_written(
    crate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(crate)
    opened = session_of(os.path.join("..", "crate", "ro-crate-metadata.json"))
    assert resolve(opened, "meta/dag.png").value == f"{crate.as_uri()}/meta/dag.png"
    opened.close()
