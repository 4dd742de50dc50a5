"""Handing over as RO-Crate, Croissant and schema.org: what is written, what is missing, and what must not happen."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from hpc_explorer.annotate.tables.mapping_file import find_mapping
from hpc_explorer.app.export.exporting import Extent
from hpc_explorer.app.export.packages import Prepared, Target, prepare, write
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable, UnknownResource, UsageError
from hpc_explorer.interchange.crate import safe_place
from hpc_explorer.rdf.namespaces import HPC, RDF, SCHEMA
from hpc_explorer.rdf.syntax.reading import read_bytes, read_source
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.handing_over import COMPLETE, DATASET
from tests.helpers.sessions import session_of

TODAY = date(2026, 11, 22)
PREFIXES = "@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix schema: <http://schema.org/> ."


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Session]]:
    sessions: list[Session] = []

    def open_text(text: str) -> Session:
        path = tmp_path / "source.ttl"
        path.write_text(text if text is COMPLETE else PREFIXES + text, encoding="utf-8")
        session = Session.new()
        sessions.append(session)
        open_sources(session, [str(path)])
        return session

    yield open_text
    for session in sessions:
        session.close()


def of(*iris: str) -> Extent:
    return Extent(tuple(map(NamedNode, iris)))


def required(prepared: Prepared) -> list[str]:
    return [lack.what for lack in prepared.lacks if lack.is_required]


# What is written


def test_of_a_complete_dataset_nothing_required_is_missing(opened: Callable[[str], Session]) -> None:
    session = opened(COMPLETE)
    for target in (one for one in Target if not one.is_provenance):
        prepared = prepare(session, target, of(DATASET), now=TODAY)
        assert required(prepared) == []
        assert prepared.is_valid


def test_schema_org_is_read_as_schema_org(opened: Callable[[str], Session]) -> None:
    text = prepare(opened(COMPLETE), Target.SCHEMA_ORG, of(DATASET)).text
    quads = list(read_bytes(text.encode(), name="x.jsonld", base="http://example.org/").quads())
    own = {
        (quad.predicate.value.rpartition("/")[2], quad.object) for quad in quads if quad.subject == NamedNode(DATASET)
    }
    assert {("name", Literal("Labelled arrays")), ("version", Literal("1.0.0"))} <= own
    assert ("license", NamedNode("https://spdx.org/licenses/CC-BY-4.0.html")) in own
    assert ("creator", NamedNode("https://orcid.org/0000-0002-1825-0097")) in own
    document = json.loads(text)
    assert document["isAccessibleForFree"] is True
    assert document["distribution"][0] == {
        "@type": "DataDownload",
        "name": "arrays.csv",
        "contentUrl": "https://example.org/arrays.csv",
        "encodingFormat": "text/csv",
        "contentSize": "1234 B",
        "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    }
    assert document["additionalProperty"] == [
        {
            "@type": "PropertyValue",
            "name": "memory size",
            "propertyID": str(HPC) + "memorySize",
            "value": 16,
            "unitText": "GB",
        }
    ]


def test_the_columns_of_a_mapping_become_fields_with_types_and_units() -> None:
    session = session_of("sample:xplacer")
    prepared = prepare(
        session,
        Target.CROISSANT,
        of("http://example.org/dataset/DA000001"),
        mapping=find_mapping("mapping:xplacer"),
    )
    session.close()
    (records,) = prepared.document["recordSet"]
    fields = {field["name"]: field for field in records["field"]}
    assert {field["dataType"] for field in fields.values()} >= {"sc:Text", "sc:Integer", "sc:Float"}
    assert any(field.get("description", "").startswith("in ") for field in fields.values())
    assert fields["Benchmark"]["source"] == {
        "fileObject": {"@id": "bfs-labelled.csv"},
        "extract": {"column": "Benchmark"},
    }
    assert sorted(required(prepared)) == ["contentUrl", "creator", "datePublished", "license"]
    assert "license" not in prepared.document, "what is missing is told, and not made up"


def test_a_model_is_a_work_with_its_particulars(opened: Callable[[str], Session]) -> None:
    session = opened(
        "<http://example.org/m> a hpc:AIModel ; hpc:name 'm' ; hpc:description 'd' ; hpc:accuracy 0.5 ;"
        " hpc:hyperParameter [ hpc:key 'depth' ; hpc:value 12 ] ; hpc:wasDerivedFromDataset <http://example.org/d> ."
        "<http://example.org/d> a hpc:Dataset ; hpc:name 'data' ."
        "<http://example.org/s> a hpc:Script ; hpc:name 's.py' ; hpc:description 'd' ; hpc:programLanguage 'Python' ."
    )
    model = prepare(session, Target.SCHEMA_ORG, of("http://example.org/m")).document
    assert model["@type"] == "CreativeWork"
    assert model["isBasedOn"] == {"@type": "Dataset", "@id": "http://example.org/d", "name": "data"}
    told = {one["name"]: one["value"] for one in model["additionalProperty"]}
    assert told == {"accuracy": 0.5, "hyperparameter: depth": 12}
    script = prepare(session, Target.SCHEMA_ORG, of("http://example.org/s")).document
    assert (script["@type"], script["programmingLanguage"]) == ("SoftwareSourceCode", "Python")
    both = prepare(session, Target.SCHEMA_ORG, of("http://example.org/m", "http://example.org/s"))
    assert [node["name"] for node in both.document["@graph"]] == ["m", "s.py"]
    assert "@type" in required(prepare(session, Target.CROISSANT, of("http://example.org/m")))


def test_a_page_element_cannot_be_left(opened: Callable[[str], Session], tmp_path: Path) -> None:
    session = opened("<http://example.org/d> a hpc:Dataset ; hpc:name '</script><script>alert(1)</script><!--' .")
    write(prepare(session, Target.SCHEMA_ORG, of("http://example.org/d")), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count("</script>") == 1
    assert "<!--" not in text
    inside = text.removeprefix('<script type="application/ld+json">').removesuffix("</script>\n")
    assert json.loads(inside)["name"] == "</script><script>alert(1)</script><!--"


# Crates


def test_a_crate_has_its_metadata_its_page_and_the_statements(opened: Callable[[str], Session], tmp_path: Path) -> None:
    prepared = prepare(opened(COMPLETE), Target.RO_CRATE, of(DATASET), now=TODAY)
    write(prepared, tmp_path / "crate")
    write(prepared, tmp_path / "crate.zip")
    names = {path.name for path in (tmp_path / "crate").iterdir()}
    assert names == {"ro-crate-metadata.json", "ro-crate-preview.html", "graph.ttl"}
    assert set(zipfile.ZipFile(tmp_path / "crate.zip").namelist()) == names
    statements = set(read_source(tmp_path / "crate" / "graph.ttl").quads())
    assert any(quad.object == Literal("Felder", language="de") for quad in statements)
    metadata = list(read_source(tmp_path / "crate" / "ro-crate-metadata.json").quads())
    assert any(quad.predicate == RDF.type and quad.object == SCHEMA.Dataset for quad in metadata)
    page = (tmp_path / "crate" / "ro-crate-preview.html").read_text(encoding="utf-8")
    assert "Labelled arrays" in page
    assert '<a href="https://example.org/arrays.csv">' in page
    assert write(prepared, tmp_path / "crate.zip"), "a file is replaced"
    with pytest.raises(OutputNotWritable, match="the target exists"):
        write(prepared, tmp_path / "crate")


def test_files_of_this_machine_are_put_in_only_if_wanted(opened: Callable[[str], Session], tmp_path: Path) -> None:
    table = tmp_path / "täble one.csv"
    table.write_bytes(b"a,b\n1,2\n")
    session = opened(
        "<http://example.org/d> a hpc:Dataset ; hpc:name 'd' ; hpc:description 'x' ; hpc:license 'MIT' ;"
        f" hpc:file <http://example.org/f> . <http://example.org/f> a hpc:File ; hpc:name 't' ; hpc:url '{table}' ."
    )
    sha256 = hashlib.sha256(b"a,b\n1,2\n").hexdigest()
    without = prepare(session, Target.RO_CRATE, of("http://example.org/d"), now=TODAY)
    assert without.files == {}
    assert f"on this computer, and not included: {table}" in without.told
    prepared = prepare(session, Target.RO_CRATE, of("http://example.org/d"), copy_files=True, now=TODAY)
    assert prepared.files == {"data/täble one.csv": table}
    write(prepared, tmp_path / "crate")
    assert (tmp_path / "crate" / "data" / "täble one.csv").read_bytes() == b"a,b\n1,2\n"
    entities = {entity["@id"]: entity for entity in prepared.document["@graph"]}
    file = entities["data/t%C3%A4ble%20one.csv"]
    assert (file["sha256"], file["contentSize"]) == (sha256, "8")
    croissant = prepare(session, Target.CROISSANT, of("http://example.org/d")).document
    assert croissant["distribution"][0]["sha256"] == sha256


def test_a_file_that_is_another_than_the_records_is_not_described_as_it(
    opened: Callable[[str], Session], tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_bytes(b"other")
    session = opened(
        "<http://example.org/d> a hpc:Dataset ; hpc:name 'd' ; hpc:file <http://example.org/f> ."
        f"<http://example.org/f> hpc:name 'f.csv' ; hpc:url '{other}' ; hpc:md5 'd41d8cd98f00b204e9800998ecf8427e' ."
    )
    prepared = prepare(session, Target.RO_CRATE, of("http://example.org/d"), copy_files=True, now=TODAY)
    assert prepared.files == {}
    assert any("the checksums do not match" in lack.sentence for lack in prepared.lacks)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("../../etc/passwd", "data/-..-etc-passwd"),
        ("..\\..\\x.csv", "data/-..-x.csv"),
        ("/etc/passwd", "data/-etc-passwd"),
        ("C:\\x", "data/C--x"),
        ("..", "data/file"),
        ("", "data/file"),
        ("a\0b\n", "data/a-b-"),
        ("x" * 300 + ".csv", "data/" + "x" * 116 + ".csv"),
    ],
)
def test_no_name_leads_out_of_a_crate(name: str, place: str) -> None:
    taken: set[str] = set()
    assert safe_place(name, taken) == place
    assert safe_place(name, taken) == place.replace("data/", "data/2-")
    assert safe_place(name.upper(), taken) not in (place, place.replace("data/", "data/2-"))


def test_a_page_has_no_link_that_does_something(opened: Callable[[str], Session]) -> None:
    session = opened(
        "<http://example.org/d> a hpc:Dataset ; hpc:name '<b onclick=x>' ; hpc:contributor <javascript:alert(1)> ;"
        " hpc:description '<img src=x onerror=alert(1)>' ."
    )
    page = (prepare(session, Target.RO_CRATE, of("http://example.org/d"), now=TODAY).texts or {})[
        "ro-crate-preview.html"
    ]
    assert 'href="javascript' not in page
    assert "<img" not in page
    assert "<b onclick" not in page


def test_a_huge_literal_and_a_circle_are_no_trouble(opened: Callable[[str], Session], tmp_path: Path) -> None:
    session = opened(
        f"<http://example.org/d> a hpc:Dataset ; hpc:name 'd' ; hpc:description '{'x' * 2_000_000}' ;"
        " hpc:isPartOf <http://example.org/d> ; schema:hasPart <http://example.org/d> ; hpc:file <http://example.org/d> ."
    )
    for target in (one for one in Target if not one.is_provenance):
        prepared = prepare(session, target, of("http://example.org/d"), now=TODAY)
        write(prepared, tmp_path / f"{target.value}{'.zip' if target is Target.RO_CRATE else '.json'}")
    lacks = prepare(session, Target.SCHEMA_ORG, of("http://example.org/d")).lacks
    assert "description has 2,000,000 characters: search engines take 5,000" in [lack.sentence for lack in lacks]


# What cannot be


def test_what_cannot_be_handed_over_is_said(opened: Callable[[str], Session], tmp_path: Path) -> None:
    session = opened("<http://example.org/a> a hpc:Dataset . <http://example.org/b> a hpc:Dataset .")
    with pytest.raises(UsageError, match="describes chosen resources"):
        prepare(session, Target.RO_CRATE, Extent())
    with pytest.raises(UsageError, match="one dataset"):
        prepare(session, Target.CROISSANT, Extent(classes=(HPC.Dataset,)))
    with pytest.raises(UnknownResource, match="no instances"):
        prepare(session, Target.RO_CRATE, Extent(classes=(HPC.AIModel,)))
    with pytest.raises(UsageError, match="is JSON"):
        write(prepare(session, Target.CROISSANT, of("http://example.org/a")), tmp_path / "x.html")
