"""Research objects: zipped crates, CWLProv folders, and files that a crate lists and does not have."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.interchange.crates import METADATA
from hpc_explorer.rdf.namespaces import PROV, RDF, SCHEMA
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

CRATE = {
    "@context": "https://w3id.org/ro/crate/1.1/context",
    "@graph": [
        {"@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"}},
        {"@id": "./", "@type": "Dataset", "name": "A crate", "hasPart": [{"@id": "a b.txt"}, {"@id": "gone.txt"}]},
        {"@id": "a%20b.txt", "@type": "File", "name": "a b"},
        {"@id": "gone.txt", "@type": "File"},
        {"@id": "https://example.org/web.txt", "@type": "File"},
        {"@id": "#act", "@type": "CreateAction", "result": {"@id": "a%20b.txt"}, "object": {"@id": "gone.txt"}},
    ],
}
PROVN = """document
  prefix data <urn:hash::sha1:>
  prefix id <urn:uuid:>
  activity(id:run)
  entity(data:0b2b5f414b65f0315615670701c2951670995ae1)
  entity(data:06d5def8140f8e14b729a584f78289bc25e7f5ec)
  wasGeneratedBy(data:06d5def8140f8e14b729a584f78289bc25e7f5ec, id:run, -)
endDocument
"""


def test_files_that_a_crate_does_not_have_are_reported_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "crate"
    folder.mkdir()
    (folder / METADATA).write_text(json.dumps(CRATE))
    (folder / "a b.txt").write_text("here")
    session = session_of(folder)
    assert session.sources[0].missing == (f"1 of 2 files of the crate are missing, such as gone.txt: {folder}",)
    action = NamedNode(f"{folder.resolve().as_uri()}/{METADATA}#act")
    assert next(session.store.match(action, SCHEMA.result, NamedNode(f"{folder.resolve().as_uri()}/a%20b.txt")), None)


def test_half_written_metadata_is_read_up_to_its_last_whole_entity(tmp_path: Path) -> None:
    file = tmp_path / METADATA
    text = json.dumps(CRATE, indent=1)
    file.write_text(text[: text.index('"gone.txt"', text.index("CreateAction"))])
    session = session_of(tmp_path)
    cut, gone = session.sources[0].missing
    assert cut.startswith(f"cut short, read up to the last whole record: {file}:")
    assert gone.startswith("2 of 2 files of the crate are missing")
    assert next(session.store.match(None, RDF.type, SCHEMA.MediaObject), None) is not None
    assert next(session.store.match(None, RDF.type, SCHEMA.CreateAction), None) is None
    file.write_text(text[: text.index('"@context"')])
    with pytest.raises(SourceSyntaxError, match="cut short"):
        session_of(tmp_path)


def test_a_zipped_crate_opens_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "crate.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"inside/{METADATA}", json.dumps(CRATE))
        archive.writestr("inside/a b.txt", "here")
    session = session_of(path)
    assert session.sources[0].format == "RO-Crate"
    assert session.sources[0].missing == (f"1 of 2 files of the crate are missing, such as gone.txt: {path}",)
    assert next(session.store.match(None, RDF.type, SCHEMA.CreateAction), None) is not None


def test_other_crates_that_a_crate_refers_to_are_named_and_not_fetched(tmp_path: Path) -> None:
    profile = {"@id": "https://w3id.org/ro/crate"}
    described = "https://example.org/described/ro-crate-metadata.json"
    referenced = [
        {"@id": "https://example.org/plain/", "@type": "Dataset", "conformsTo": profile},
        {
            "@id": "https://example.org/described/",
            "@type": "Dataset",
            "conformsTo": profile,
            "subjectOf": {"@id": described},
        },
        {"@id": described, "@type": "CreativeWork", "conformsTo": {"@id": "https://w3id.org/ro/crate/1.2"}},
        {
            "@id": "https://example.org/no-crate/",
            "@type": "Dataset",
            "conformsTo": {"@id": "https://w3id.org/ro/other"},
        },
    ]
    own = [{"@id": METADATA, "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}}]
    crate = json.dumps({**CRATE, "@graph": [*CRATE["@graph"], *own, *referenced]})
    folder = tmp_path / "crate"
    folder.mkdir()
    (folder / METADATA).write_text(crate)
    zipped = tmp_path / "crate.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr(METADATA, crate)
    for place in (folder, zipped):
        (source,) = session_of(place).sources
        plain, other = source.notes[1:]  # the first is about a space in an IRI
        assert "https://example.org/plain/," in plain
        assert plain.endswith(" https://example.org/plain/")
        assert "https://example.org/described/," in other
        assert other.endswith(f" {described}")


def test_cwlprov_is_read_once_and_its_missing_data_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "ro"
    provenance = folder / "metadata" / "provenance"
    provenance.mkdir(parents=True)
    (provenance / "primary.cwlprov.provn").write_text(PROVN)
    (provenance / "primary.cwlprov.ttl").write_text("this is no Turtle")
    (folder / "data" / "0b").mkdir(parents=True)
    (folder / "data/0b/0b2b5f414b65f0315615670701c2951670995ae1").write_text("here")
    session = session_of(folder)
    (source,) = session.sources
    assert source.format == "CWLProv"
    gone = "06d5def8140f8e14b729a584f78289bc25e7f5ec"
    assert source.missing == (f"1 of 2 files of data are missing, such as {gone}: {folder}",)
    assert next(session.store.match(NamedNode(f"urn:hash::sha1:{gone}"), PROV.wasGeneratedBy), None) is not None
