"""Where answers and histories are kept: beside a file, in a workspace, in the user's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.fair.places import fair_places, file_stem
from hpc_explorer.app.journal.editing import start_editing
from hpc_explorer.app.settings import data_folder
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sample_places import opened
from tests.helpers.sessions import session_of

A = NamedNode("http://example.org/a")
B = NamedNode("http://example.org/b")


@pytest.mark.parametrize(
    ("name", "stem"),
    [("run.ttl", "run"), ("run.v2.ttl.gz", "run.v2"), ("metadata.jsonld", "metadata"), ("noending", "noending")],
)
def test_the_stem_of_a_file(name: str, stem: str) -> None:
    assert file_stem(Path(name)) == stem


def test_beside_a_file_and_in_its_draft_too(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("<http://example.org/a> a <http://example.org/C> .")
    with opened(str(tmp_path / "a.ttl")) as session:
        places = fair_places(session)
        assert places.answers == tmp_path / "a.fair.toml"
        assert places.history == tmp_path / "a.fair-history.jsonl"
        start_editing(session)
        assert fair_places(session, A) == places


def test_of_several_files_that_which_speaks_of_the_resource(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.ttl").write_text(f"<http://example.org/{name}> a <http://example.org/C> .")
    session = session_of(tmp_path / "a.ttl", tmp_path / "b.ttl")
    assert fair_places(session, B).answers == tmp_path / "b.fair.toml"
    assert fair_places(session, A).answers == tmp_path / "a.fair.toml"
    assert fair_places(session, NamedNode("http://example.org/c")).answers == tmp_path / "a.fair.toml"
    session.close()


def test_in_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("<http://example.org/a> a <http://example.org/C> .")
    load_into(tmp_path / "workspace", [str(tmp_path / "a.ttl")])
    with opened(str(tmp_path / "workspace")) as session:
        assert fair_places(session, A).answers == tmp_path / "workspace" / "fair.toml"
        assert fair_places(session, A).history == tmp_path / "workspace" / "fair-history.jsonl"


def test_of_a_sample_in_the_users_folder_and_what_ships() -> None:
    with opened("sample:xplacer-after") as session:
        places = fair_places(session)
        assert places.answers == data_folder() / "fair" / "sample-xplacer-after.fair.toml"
        assert places.shipped is not None
        assert places.shipped.is_file()
    with opened("sample:xplacer") as session:
        shipped = fair_places(session).shipped
        assert shipped is not None
        assert not shipped.exists()
