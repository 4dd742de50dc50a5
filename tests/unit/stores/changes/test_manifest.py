"""The manifest: what is written is read back, in the oldest format that can say it, and what is damaged is named."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import StoreError
from hpc_explorer.rdf.aliases import AliasRecord
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad
from hpc_explorer.stores.changes.manifest import LoadedSource, Manifest, is_workspace, read_manifest, write_manifest
from hpc_explorer.stores.changes.source_versions import SourceVersion
from hpc_explorer.stores.remote.mirror_record import MirrorCheck, MirrorPart, MirrorRecord
from tests.helpers.graphs import ex

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COUNTS = st.integers(0, 2**63)
IRIS = st.sampled_from([ex("a"), ex("b"), ex("é")])
GRAPHS = IRIS | st.just(BlankNode("h"))
MOMENTS = st.datetimes(timezones=st.just(UTC))
QUADS = st.builds(Quad, IRIS | st.just(BlankNode("b")), IRIS, IRIS | TEXTS.map(Literal), IRIS)
MIRRORS = st.builds(
    MirrorRecord,
    TEXTS,
    st.builds(MirrorPart, st.none() | IRIS, st.none() | IRIS, TEXTS, st.lists(IRIS, max_size=2).map(tuple)),
    TEXTS,
    COUNTS,
    st.sampled_from(MirrorCheck),
    TEXTS,
    TEXTS,
)
VERSIONS = st.builds(
    SourceVersion, MOMENTS, TEXTS, COUNTS, COUNTS, COUNTS, st.none() | COUNTS, st.none() | COUNTS, st.none() | TEXTS
)
ALIASES = st.builds(
    AliasRecord,
    st.dictionaries(TEXTS, TEXTS, max_size=2),
    st.dictionaries(QUADS, st.lists(QUADS, max_size=2).map(tuple), max_size=2),
)
SOURCES = st.builds(
    LoadedSource,
    name=TEXTS,
    path=st.none() | st.sampled_from([Path("/x/ä.ttl"), Path("/y")]),
    graph=IRIS,
    graphs=st.lists(GRAPHS, max_size=3).map(tuple),
    sha256=TEXTS,
    size=COUNTS,
    mtime_ns=COUNTS,
    format=TEXTS,
    triples=COUNTS,
    prefixes=st.dictionaries(TEXTS, TEXTS, max_size=2),
    aliases=ALIASES,
    mirror=st.none() | MIRRORS,
    revision=COUNTS,
    since=st.none() | MOMENTS,
    earlier=st.lists(VERSIONS, max_size=2).map(tuple),
    pushed=st.just(0) | COUNTS,
    carried=st.none() | TEXTS,
    sending=st.just(0) | COUNTS,
)
MANIFESTS = st.builds(
    Manifest, COUNTS, st.lists(SOURCES, max_size=3).map(tuple), COUNTS, st.dictionaries(GRAPHS, COUNTS, max_size=2)
)
PLAIN = LoadedSource("a", None, ex("g"), (ex("g"),), "0", 1, 2, "Turtle", 3, {}, AliasRecord())


def members(folder: Path) -> dict[str, Any]:
    """What stands in the manifest."""
    content: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return content


@given(MANIFESTS)
def test_what_is_written_is_read_back(manifest: Manifest) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_manifest(Manifest(), folder)
        write_manifest(manifest, folder)
        assert read_manifest(folder) == manifest
        for source in manifest.sources:
            assert source.recorded == (
                source.since or datetime.fromtimestamp(0, UTC) + timedelta(microseconds=source.mtime_ns // 1000)
            )
        assert [file.name for file in folder.iterdir()] == ["manifest.json"]


@pytest.mark.parametrize(
    ("source", "number"),
    [
        (PLAIN, 2),
        (replace(PLAIN, since=datetime(2026, 1, 2, tzinfo=UTC)), 3),
        (replace(PLAIN, earlier=(SourceVersion(datetime(2026, 1, 2, tzinfo=UTC), "0", 1, 2, 3, 4, 5, "c"),)), 3),
        (replace(PLAIN, pushed=1), 4),
        (replace(PLAIN, sending=1), 4),
    ],
)
def test_an_older_program_can_read_what_has_nothing_new_in_it(
    tmp_path: Path, source: LoadedSource, number: int
) -> None:
    write_manifest(Manifest(1, (PLAIN, source)), tmp_path)
    content = members(tmp_path)
    assert content["format"] == number
    first = content["sources"][0]
    assert not {"mirror", "since", "earlier", "pushed", "carried", "sending"} & first.keys()
    assert "forgotten" not in content
    # What the first programs that made workspaces did not write is read as none of it.
    del content["revision"]
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    assert read_manifest(tmp_path) == Manifest(1, (PLAIN, source))


def test_a_copy_made_before_there_were_parts_of_it_is_read(tmp_path: Path) -> None:
    record = MirrorRecord("http://x.y", MirrorPart(ex("g")), "2026-01-02T00:00:00", 4, MirrorCheck.EXACT)
    manifest = Manifest(1, (replace(PLAIN, mirror=record),))
    write_manifest(manifest, tmp_path)
    content = members(tmp_path)
    for name in ("resources", "update_address"):
        del content["sources"][0]["mirror"][name]
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    assert read_manifest(tmp_path) == manifest


@pytest.mark.parametrize(
    ("files", "is_one", "said"),
    [
        ([], False, "no workspace"),
        (["states/1/store"], False, "no workspace"),
        (["states/view-1/in-use"], False, "no workspace"),
        (["states/1/in-use"], True, "lost its manifest"),
        (["states/1/in-use", "manifest.json.new"], False, "no workspace"),
        (["states/1/in-use", "manifest.json"], True, None),
        (["manifest.json", "manifest.json.new"], True, None),
    ],
)
def test_a_folder_is_a_workspace_by_its_manifest(
    tmp_path: Path, files: list[str], is_one: bool, said: str | None
) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    if said is None:
        write_manifest(Manifest(), tmp_path)
        assert read_manifest(tmp_path) == Manifest()
    else:
        with pytest.raises(StoreError, match=said) as caught:
            read_manifest(tmp_path)
        assert str(tmp_path) in str(caught.value)
    assert is_workspace(tmp_path) == is_one


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 2}', '{"format": 2, "state": 1, "sources": [{}]}'])
def test_one_that_is_damaged_is_said_to_be(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(StoreError, match="cannot be read") as caught:
        read_manifest(tmp_path)
    assert str(tmp_path / "manifest.json") in str(caught.value)


def test_one_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    write_manifest(Manifest(1, (replace(PLAIN, pushed=1),)), tmp_path)
    content = members(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps(content | {"format": content["format"] + 1}))
    with pytest.raises(StoreError, match="newer version"):
        read_manifest(tmp_path)


def test_one_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    write_manifest(Manifest(1), tmp_path)
    (tmp_path / "manifest.json.new").mkdir()
    with pytest.raises(OSError, match=r"manifest\.json\.new"):
        write_manifest(Manifest(2), tmp_path)
    assert read_manifest(tmp_path) == Manifest(1)
