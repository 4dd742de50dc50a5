"""Things read from a store: what counts as a size, a checksum, a media type, a column, a detail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpc_explorer.interchange.thing_reading import read_things
from hpc_explorer.interchange.things import Column, DataFile, Detail, LocalCopy, Thing
from hpc_explorer.ontology.common_terms import Fact, ThingKind
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, XSD
from tests.helpers.graphs import ex, store_of

SHA = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def thing(turtle: str) -> Thing:
    store = store_of(turtle)
    (found,) = read_things(
        store, build_schema(store, shipped_ontology(), used_classes={HPC.Dataset}, used_properties=()), [ex("d")]
    )
    return found


def file(said: str) -> DataFile:
    (found,) = thing(f"ex:d hpc:file ex:f . ex:f {said} .").files
    return found


@pytest.mark.parametrize(
    ("said", "size", "text"),
    [
        ("dcat:byteSize 1234", 1234, "1234"),
        ("schema:contentSize '1234 B'", 1234, "1234 B"),
        ("schema:contentSize '12 bytes'", 12, "12 bytes"),
        ("schema:contentSize '41.7 kB'", None, "41.7 kB"),
        ("hpc:size [ qudt:value 7 ; qudt:unit unit:BYTE ]", 7, "7 B"),
        ("hpc:size [ qudt:value 7.5 ; qudt:unit unit:BYTE ]", None, "7.5 B"),
        ("hpc:size [ qudt:value 7 ; qudt:unit unit:KiloBYTE ]", None, "7 kB"),
        ("hpc:name 'f'", None, ""),
    ],
)
def test_only_whole_bytes_are_a_size(said: str, size: int | None, text: str) -> None:
    found = file(said)
    assert (found.size, found.size_text) == (size, text)


@pytest.mark.parametrize(
    ("said", "sha256", "md5"),
    [
        (f"schema:sha256 '{SHA.upper()}'", SHA, ""),
        (f"schema:sha256 '{SHA[:-1]}'", "", ""),
        (f"schema:sha256 '{SHA[:-1]}z'", "", ""),
        (
            f"<http://spdx.org/rdf/terms#checksum> [ "
            f"<http://spdx.org/rdf/terms#algorithm> <http://spdx.org/rdf/terms#checksumAlgorithm_md5> ; "
            f"<http://spdx.org/rdf/terms#checksumValue> '{SHA[:32]}' ]",
            "",
            SHA[:32],
        ),
    ],
)
def test_a_checksum_is_one_by_its_length_and_digits(said: str, sha256: str, md5: str) -> None:
    found = file(said)
    assert (found.sha256, found.md5) == (sha256, md5)


@pytest.mark.parametrize(
    ("said", "media_type"),
    [
        ("dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv>", "text/csv"),
        ("schema:encodingFormat 'application/x-thing'", "application/x-thing"),
        ("schema:encodingFormat 'CSV'", "text/csv"),
        ("hpc:name 'data.tsv'", "text/tab-separated-values"),
        ("hpc:name 'data.nobody-knows'", ""),
    ],
)
def test_a_media_type_is_stated_or_told_by_the_name(said: str, media_type: str) -> None:
    assert file(said).media_type == media_type


def test_a_file_has_the_last_part_of_its_name_and_never_a_folder() -> None:
    assert file("hpc:name '../../etc/passwd'").name == "passwd"
    assert file("hpc:name 'C:%5Ctemp%5Cdata.csv'").name == "data.csv"
    assert file("hpc:name '..'").name == ".."


def test_a_thing_with_an_address_of_its_content_is_its_own_file() -> None:
    found = thing("ex:d a hpc:Dataset ; hpc:name 'd.csv' ; schema:contentUrl 'https://example.org/d.csv' .")
    assert found.kind is ThingKind.DATASET
    assert [(one.resource, one.urls) for one in found.files] == [(ex("d"), ("https://example.org/d.csv",))]
    assert thing("ex:d a hpc:Dataset ; hpc:name 'd.csv' .").files == ()


def test_a_file_on_this_machine_is_as_it_was_found_there() -> None:
    store = store_of("ex:d hpc:file ex:f . ex:f hpc:name 'f.csv' ; dcat:byteSize 3 .")
    (found,) = read_things(
        store,
        build_schema(store, shipped_ontology(), used_classes={HPC.Dataset}, used_properties=()),
        [ex("d")],
        local=lambda one: LocalCopy(5, SHA),
    )
    (one,) = found.files
    assert one == replace(one, size=5, sha256=SHA, local=LocalCopy(5, SHA))


def test_english_texts_come_alone_where_there_are_some() -> None:
    found = thing("ex:d hpc:name 'Daten'@de, 'data'@en ; hpc:description 'nur'@de .")
    assert (found.name, found.facts[Fact.NAME]) == ("data", ("data",))
    assert found.facts[Fact.DESCRIPTION] == ("nur",)
    assert thing("ex:d a hpc:Dataset .").is_named is False


def test_columns_are_those_of_the_table_schema_in_their_order() -> None:
    csvw = "http://www.w3.org/ns/csvw#"
    found = thing(f"""
        ex:d <{csvw}tableSchema> ex:s .
        ex:s <{csvw}column> ( ex:c1 ex:c2 ) .
        ex:c1 <{csvw}name> "loss" ; <{csvw}datatype> "double" ; <{csvw}propertyUrl> "http://example.org/loss" .
        ex:c2 <{csvw}title> "Note" .
    """)
    assert found.columns == (Column("loss", XSD.double, ex("loss")), Column("Note"))


def test_all_other_literals_are_details_in_numbers_where_json_has_them() -> None:
    found = thing("""
        ex:d hpc:name "d" ; hpc:learningRate 0.5 ; hpc:isTunable true ;
            hpc:memorySize [ qudt:value 16 ; qudt:unit unit:GigaBYTE ] ;
            hpc:setting [ hpc:key "seed" ; hpc:value 90071992547409930 ] .
    """)
    assert set(found.details) == {
        Detail(HPC.learningRate, "learning rate", 0.5),
        Detail(HPC.isTunable, "is tunable", True),
        Detail(HPC.memorySize, "memory size", 16, "GB"),
        Detail(HPC.setting, "setting: seed", "90071992547409930"),
    }
