"""A file of any syntax gets what is pushed to it, keeps the rest, and is left alone where it cannot."""

from __future__ import annotations

import gzip
import re
import tempfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.pushing.files import changed_data, file_now, is_still, replace_file, same_statements, why_not
from hpc_explorer.annotate.pushing.located import NotInPlaces
from hpc_explorer.errors import OutputNotWritable, SourceUnreadable, StoreError, StoreLocked
from hpc_explorer.rdf.syntax.formats import JSON_LD, N_QUADS, N_TRIPLES, RDF_XML, TRIG, TURTLE, Format
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.stores.local.folder_lock import FolderLock
from tests.helpers.datasets import GRAPHS, PREDICATES, XML_LITERALS, quads, same
from tests.helpers.graphs import ex

DATASETS = quads(predicates=PREDICATES, literals=XML_LITERALS)
WITH_GRAPHS = quads(predicates=PREDICATES, literals=XML_LITERALS, graphs=GRAPHS)
PLACES = {TURTLE: "ttl", TRIG: "trig", N_TRIPLES: "nt", N_QUADS: "nq"}
"""Syntaxes that are edited in place, with their file extensions."""

SPELLED = b"""@prefix old: <https://example.org/HPC-Ontology#> .
@prefix ex: <http://example.org/> .
ex:m a old:AIModel ; # mine
    old:modelName "m" .
"""


def written(statements: Iterable[Quad], format: Format) -> bytes:
    stream = BytesIO()
    write_quads(statements, stream, format)
    return stream.getvalue()


def read(data: bytes, path: Path) -> list[Quad]:
    """What bytes say; nothing, where there are none."""
    return list(read_bytes(data, name=str(path), base=path.as_uri()).quads()) if data.strip() else []


@given(st.sampled_from([*PLACES, RDF_XML, JSON_LD]), st.booleans(), st.data())
def test_what_is_pushed_is_said_afterwards_and_nothing_else(format: Format, mark: bool, data: st.DataObject) -> None:
    datasets = WITH_GRAPHS if format in (TRIG, N_QUADS, JSON_LD) else DATASETS
    before, more = data.draw(datasets.filter(bool)), data.draw(datasets)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / f"a.{PLACES.get(format) or {RDF_XML: 'rdf', JSON_LD: 'jsonld'}[format]}"
        content = written(before, format)
        path.write_bytes(b"\xef\xbb\xbf" * mark + content if format in PLACES else content)
        now = file_now(path)
        assert (now.path, now.data, now.format) == (path, path.read_bytes(), format)
        assert same(now.quads, read(now.data, path))
        assert (now.located is not None, now.rewritten is None) == (format in PLACES, format in PLACES)
        removed = data.draw(st.lists(st.sampled_from(list(dict.fromkeys(now.quads))), unique=True))
        added = [quad for quad in dict.fromkeys(more) if quad not in now.quads]
        wanted = [*(quad for quad in dict.fromkeys(now.quads) if quad not in removed), *added]
        if format not in PLACES:
            with pytest.raises(NotInPlaces, match="cannot be edited in place"):
                changed_data(now, removed, added, rewrite=False)
        if wanted:
            result = changed_data(now, removed, added, rewrite=True)
            assert same(read(result, path), wanted)
            assert format not in PLACES or result.startswith(b"\xef\xbb\xbf") == mark or now.located is None


@pytest.mark.parametrize("rewrite", [False, True])
def test_a_term_is_written_as_the_file_spells_it(tmp_path: Path, rewrite: bool) -> None:
    path = tmp_path / "a.ttl"
    path.write_bytes(SPELLED)
    now = file_now(path)
    (kind,) = [quad for quad in now.quads if isinstance(quad.object, NamedNode)]
    assert "https://example.org/HPC-Ontology#" not in str(kind.object)
    other = Quad(ex("n"), kind.predicate, kind.object, DefaultGraph())
    result = changed_data(now, [], [other], rewrite=rewrite)
    assert result.startswith(SPELLED)
    assert b"ex:n a old:AIModel ." in result
    assert b"ex:m" not in changed_data(now, list(now.quads), [other], rewrite=rewrite)


def test_a_file_that_is_no_utf_8_is_written_anew_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_bytes('<urn:a> <urn:p> "é" .\n'.encode("utf-16"))
    now = file_now(path)
    assert now.rewritten == "it is not in UTF-8"
    added = [Quad(NamedNode("urn:a"), NamedNode("urn:p"), Literal("ü"))]
    with pytest.raises(NotInPlaces, match="not in UTF-8"):
        changed_data(now, [], added, rewrite=False)
    assert same(read(changed_data(now, [], added, rewrite=True), path), [*now.quads, *added])


def test_a_file_is_replaced_only_while_it_is_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path, link = tmp_path / "a.nt", tmp_path / "link.nt"
    path.write_text("<urn:a> <urn:b> <urn:c> .\n")
    path.chmod(0o640)
    link.symlink_to(path)
    now = file_now(link)
    replace_file(now, b"<urn:a> <urn:b> <urn:d> .\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"<urn:a> <urn:b> <urn:d> .\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert not is_still(now)
    with pytest.raises(StoreError, match="changed during"):
        replace_file(now, b"")
    assert path.read_bytes() == b"<urn:a> <urn:b> <urn:d> .\n"
    now = file_now(path)
    tempfile.tempdir = str(path)
    with pytest.raises(OutputNotWritable, match="no lock"):
        replace_file(now, b"")
    tempfile.tempdir = str(tmp_path)
    replace_file(file_now(link), b"<urn:a> <urn:b> <urn:e> .\n")
    (locks,) = (one for one in tmp_path.iterdir() if one.is_dir())
    assert locks.stat().st_mode & 0o777 == 0o700
    (held,) = (FolderLock.exclusive(one) for one in locks.iterdir())
    assert held is not None
    for name in (path, link):
        with pytest.raises(StoreLocked, match=re.escape(str(name))):
            replace_file(file_now(name), b"")
    held.release()
    assert path.read_bytes() == b"<urn:a> <urn:b> <urn:e> .\n"
    now = file_now(path)
    path.unlink()
    assert not is_still(now)
    with pytest.raises(SourceUnreadable, match="cannot be read"):
        file_now(path)


def test_what_cannot_be_pushed_to_says_why(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    assert "not in a file" in (why_not(None) or "")
    assert "no longer exists" in (why_not(path) or "")
    path.write_bytes(gzip.compress(b"<urn:a> <urn:b> <urn:c> .\n"))
    assert "compressed" in (why_not(path) or "")
    path.write_bytes(b"<urn:a> <urn:b> <urn:c> .\n")
    assert why_not(path) is None


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("<a:a> <a:p> <a:b> .", "<a:a> <a:p> <a:b> . <a:a> <a:p> <a:b> .", True),
        ("<a:a> <a:p> _:x . _:x <a:p> 1 .", "<a:a> <a:p> _:y . _:y <a:p> 1 .", True),
        ("_:x <a:p> _:x .", "_:y <a:p> _:y .", True),
        ("<a:a> <a:p> <a:b> .", "<a:a> <a:p> <a:c> .", False),
        ("<a:a> <a:p> <a:b> .", "<a:a> <a:p> <a:b> , <a:c> .", False),
        ("<a:a> <a:p> _:x .", "<a:a> <a:p> _:x , <a:c> .", False),
        ("<a:a> <a:p> _:x , 1 .", "<a:a> <a:p> _:x , 2 .", False),
        ("<a:a> <a:p> _:x . _:x <a:p> 1 .", "<a:a> <a:p> _:x . _:y <a:p> 1 .", False),
        ("_:x <a:p> _:x .", "_:x <a:p> _:y .", False),
        ("<a:a> <a:p> _:x .", "<a:a> <a:p> <a:x> .", False),
    ],
)
def test_two_readings_are_compared(one: str, other: str, is_same: bool) -> None:
    first, second = (read(text.encode(), Path("/a.ttl")) for text in (one, other))
    assert same_statements(first, second) == same_statements(second, first) == is_same
