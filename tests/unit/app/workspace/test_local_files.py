"""Which files of this machine are read because a graph names them."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.export.exporting import Extent
from hpc_explorer.app.export.packages import Target, prepare, write
from hpc_explorer.app.fair.surroundings import SessionSurroundings
from hpc_explorer.app.lineage.recipe_crate import write_crate
from hpc_explorer.app.lineage.reproducing import reproduce
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.local_files import folders_of, local_path, named_folders
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import SourceNotFound
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

DATASET = NamedNode("http://example.org/d")
SECRET = "the secret of somebody else"


@pytest.fixture
def naming(tmp_path: Path) -> Iterator[Callable[..., Session]]:
    """Opens a graph, in the folder `here`, whose dataset names these places as its files."""
    sessions: list[Session] = []

    def open_graph(*places: str) -> Session:
        (tmp_path / "here").mkdir(exist_ok=True)
        files = "".join(
            f"<http://example.org/d> hpc:file <http://example.org/f{at}> . <http://example.org/f{at}> a hpc:File ;"
            f' hpc:url "{place}" . '
            for at, place in enumerate(places)
        )
        graph = tmp_path / "here" / "graph.ttl"
        graph.write_text(
            "@prefix hpc: <https://hpc-fair.github.io/ontology#> . <http://example.org/d> a hpc:Dataset ;"
            f" hpc:wasGeneratedBy <http://example.org/run> . <http://example.org/run> hpc:used <http://example.org/f0> ."
            f" {files}",
            encoding="utf-8",
        )
        session = Session.new()
        sessions.append(session)
        open_sources(session, [str(graph)])
        return session

    yield open_graph
    for session in sessions:
        session.close()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside the folder of the graph."""
    path = tmp_path / "elsewhere" / "secret.csv"
    path.parent.mkdir()
    path.write_text(SECRET, encoding="utf-8")
    return path


def places_of(secret: Path) -> list[str]:
    """Every way to name a file outside, from within the folder `here` beside its own."""
    here = secret.parent.parent / "here"
    here.mkdir()
    (here / "link.csv").symlink_to(secret)
    (here / "folder").symlink_to(secret.parent)
    (here / ".hidden").mkdir()
    (here / ".hidden" / "key").write_text(SECRET, encoding="utf-8")
    return [
        str(secret),
        secret.as_uri(),
        secret.as_uri().replace("file:///", "FILE://localhost/"),
        f"{here}/../elsewhere/secret.csv",
        f"{here.as_uri()}/%2E%2E/elsewhere/secret.csv",
        str(here / "link.csv"),
        str(here / "folder" / "secret.csv"),
        str(here / ".hidden" / "key"),
        "../elsewhere/secret.csv",
        "link.csv",
    ]


def test_a_file_outside_is_neither_packed_nor_looked_at(
    naming: Callable[..., Session], secret: Path, tmp_path: Path
) -> None:
    places = places_of(secret)
    session = naming(*places)
    surroundings = SessionSurroundings(session)
    assert [place for place in places if surroundings.local_file(place) is not None] == []
    prepared = prepare(session, Target.RO_CRATE, Extent((DATASET,)), copy_files=True)
    assert prepared.files == {}
    on_this_machine = {place for place in places if local_path(place) is not None}
    assert set(prepared.refused) == on_this_machine
    write(prepared, tmp_path / "one.zip")
    found = reproduce(session, DATASET, check_files=True)
    assert (found.files, set(found.refused)) == ({}, on_this_machine)
    write_crate(found, tmp_path / "two.zip", copy_files=True)
    for name in ("one.zip", "two.zip"):
        with zipfile.ZipFile(tmp_path / name) as packed:
            assert all(SECRET.encode() not in packed.read(entry) for entry in packed.namelist())


def test_a_folder_that_the_user_names_is_read(naming: Callable[..., Session], secret: Path, tmp_path: Path) -> None:
    session = naming(str(secret))
    session.file_folders = named_folders([str(secret.parent)])
    prepared = prepare(session, Target.RO_CRATE, Extent((DATASET,)), copy_files=True)
    assert (list((prepared.files or {}).values()), prepared.refused) == ([secret], ())
    assert [file.path for file in reproduce(session, DATASET).files.values()] == [secret]
    with pytest.raises(SourceNotFound, match="no such folder"):
        named_folders([str(tmp_path / "nowhere")])


def test_a_workspace_names_the_folders_of_files_that_are_as_they_were_loaded(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    graph, table = here / "graph.ttl", here / "table.csv"
    graph.write_text("<http://example.org/a> <http://example.org/p> 1 .", encoding="utf-8")
    table.write_text("a", encoding="utf-8")
    load_into(tmp_path / "workspace", [str(graph)])
    session = session_of(tmp_path / "workspace")
    assert folders_of(session).file(str(table)) == table
    graph.write_text("<http://example.org/a> <http://example.org/p> 12 .", encoding="utf-8")
    assert folders_of(session).file(str(table)) is None
    session.close()


def test_only_the_files_that_were_confirmed_are_packed(naming: Callable[..., Session], tmp_path: Path) -> None:
    session = naming(str(tmp_path / "here" / "a.csv"), str(tmp_path / "here" / "b.csv"))
    first, second = tmp_path / "here" / "a.csv", tmp_path / "here" / "b.csv"
    first.write_text("a", encoding="utf-8")
    second.write_text("b", encoding="utf-8")
    prepared = prepare(session, Target.RO_CRATE, Extent((DATASET,)), copy_files=frozenset({second}))
    assert prepared.here == (first, second)
    assert list((prepared.files or {}).values()) == [second]


def test_files_of_a_linked_folder_are_found_from_both_of_its_names(
    naming: Callable[..., Session], tmp_path: Path
) -> None:
    session = naming()
    table = tmp_path / "here" / "table one.csv"
    table.write_text("a", encoding="utf-8")
    (tmp_path / "other name").symlink_to(tmp_path / "here")
    folders = folders_of(session)
    for place in (str(table), table.as_uri(), str(tmp_path / "other name" / table.name), "table%20one.csv"):
        assert folders.file(place) == table.resolve()
        assert not folders.refuses(place)


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("file:///data/a%20b.csv", "/data/a b.csv"),
        ("FILE://localhost/data/a.csv", "/data/a.csv"),
        ("/data/a.csv", "/data/a.csv"),
        ("file://elsewhere/data/a.csv", None),
        ("file:///data/a.ttl#run", None),
        ("file://[/data/a.csv", None),
        ("file:///data/a%00.csv", None),
        ("gpfs:/data/a.csv", None),
        ("https://data.example/a.csv", None),
        ("a.csv", None),
        ("", None),
    ],
)
def test_which_places_are_on_this_machine(place: str, path: str | None) -> None:
    assert local_path(place) == (None if path is None else Path(path))
