"""The tables of vocabularies, formats and standards: what they know, and how much of F-UJI's lists that is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from hpc_explorer.fair.checks.reuse import standard_of, standards
from hpc_explorer.fair.formats import format_of, format_of_file, formats, media_type_of
from hpc_explorer.fair.vocabularies import DEFAULT_NAMESPACES, is_persistent, namespace_of, vocabularies, vocabulary_of
from hpc_explorer.ontology.licences import licence_of
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVLAKE, PROVML, WELL_KNOWN
from hpc_explorer.rdf.terms import NamedNode

Shared = Callable[[str], Path]


def test_the_longest_namespace_wins() -> None:
    go = vocabulary_of("http://purl.obolibrary.org/obo/GO_0008150")
    other = vocabulary_of("http://purl.obolibrary.org/obo/XYZ_1")

    assert go is not None
    assert go.name == "Gene Ontology"
    assert other is not None
    assert other.name == "OBO Foundry"
    assert vocabulary_of("http://example.org/terms#x") is None
    assert namespace_of(NamedNode("http://example.org/terms#x")) == "http://example.org/terms#"
    assert namespace_of(PROV.used) == str(PROV)


def test_the_table_of_vocabularies_is_sound() -> None:
    table = vocabularies()

    assert len(table) >= 250
    assert all(each.namespace[-1] in "#/_" and each.name and each.prefix and each.scope for each in table.values())
    assert len({each.prefix for each in table.values()}) == len(table)
    assert len([each for each in table.values() if each.scope != "general"]) >= 100
    assert {each.licence for each in table.values() if each.licence and licence_of(each.licence) is None} == set()
    # No namespace of these two was ever published (docs/decisions/0002-namespaces.md).
    assert {each for each in WELL_KNOWN.values() if each not in table} == {str(PROVML), str(PROVLAKE)}


def test_which_iris_stay() -> None:
    assert is_persistent("https://w3id.org/fair4ml#trainedOn")
    assert is_persistent("http://www.w3.org/ns/prov#used")
    assert not is_persistent(HPC.name.value)
    assert not is_persistent("http://w3id.org.example.net/x")


@pytest.mark.parametrize(
    "text",
    [
        "text/csv", "TEXT/CSV; charset=utf-8", "CSV", ".csv", "https://www.iana.org/assignments/media-types/text/csv",
        "http://publications.europa.eu/resource/authority/file-type/CSV", "http://edamontology.org/format_3752",
        "https://www.nationalarchives.gov.uk/PRONOM/x-fmt/18",
    ],
)  # fmt: skip
def test_a_format_is_told_by_whatever_is_written(text: str) -> None:
    known = format_of(text)

    assert known is not None
    assert (known.name, known.media_types[0]) == ("CSV", "text/csv")


def test_other_formats() -> None:
    assert format_of("text/x-of-our-own") is not None
    assert format_of("application/zip") is None
    assert format_of("") is None
    assert format_of("a table") is None
    assert format_of_file("https://lab.eu/a%20b/runs.nc4?download=1#x") == format_of("NetCDF")
    assert format_of_file("runs.csv.gz") == format_of("CSV")
    assert format_of_file("csv") is None
    # What ends so is data of any kind, more often in bytes than in letters.
    assert format_of_file("Data0012.dat") is None
    assert format_of("https://iana.org/assignments/media-types/text/csv") == format_of("CSV")
    assert format_of("ONNX") == format_of("model/../x.onnx".rpartition(".")[2])
    assert media_type_of("Text/CSV; header=present") == "text/csv"
    assert media_type_of("CSV") is None


def test_a_standard_is_told_by_its_terms_profiles_and_versions() -> None:
    for iri, name in [
        ("http://purl.org/dc/terms/title", "Dublin Core"),
        ("https://w3id.org/ro/crate/1.2-DRAFT", "RO-Crate"),
        ("https://w3id.org/ro/wfrun/process/0.5", "Workflow Run RO-Crate"),
        ("https://hpc-fair.github.io/ontology#Dataset", "HPC Ontology"),
        ("http://mlcommons.org/croissant/1.0", "Croissant"),
        ("http://hl7.org/fhir/Patient", "FHIR"),
        ("https://schema.org", "schema.org"),
    ]:
        found = standard_of(iri)
        assert found is not None
        assert found.name == name
    assert standard_of("http://hl7.org/fhirpath") is None
    assert standard_of("http://www.w3.org/2000/01/rdf-schema#label") is None


@pytest.mark.slow
def test_how_much_of_fuji_is_known(shared_data: Shared) -> None:
    folder = shared_data("fair/fuji")
    their_formats = yaml.safe_load((folder / "file_formats.yaml").read_text("utf-8")).values()
    their_standards = yaml.safe_load((folder / "metadata_standards.yaml").read_text("utf-8")).values()
    namespaces = [
        [each["value"] for each in standard["identifier"] if each["type"] == "namespace"]
        for standard in their_standards
    ]
    linked = {each["namespace"] for each in yaml.safe_load((folder / "linked_vocab.yaml").read_text("utf-8"))}
    lov = yaml.safe_load((folder / "lov_ontologies.yaml").read_text("utf-8")).values()
    registered = linked | {each["uri_format"].removesuffix("$1") for each in lov}

    known = [each for each in their_formats if any(format_of(mime) for mime in each.get("mime") or ())]
    assert len(known) >= 113  # of 132; the others are of programs that are sold no more, or of one vendor
    told = [each for each in namespaces if any(standard_of(namespace) for namespace in each)]
    assert len(told) >= 67  # of 97 with a namespace; the others are XML of libraries and archives
    assert len([each for each in vocabularies() if each in registered]) >= 125  # the others are younger, or of a field
    defaults = (folder / "default_namespaces.txt").read_text("utf-8").split()
    assert {each.rstrip("#/") for each in defaults} == DEFAULT_NAMESPACES
    assert len(formats()) >= 200
    assert len(standards()) >= 110
