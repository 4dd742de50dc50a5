"""The tests of R1, R1.2 and R1.3: what files, shapes and tables decide, and models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hpc_explorer.fair.checks import checks
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import (
    NO_SURROUNDINGS,
    Conformance,
    LocalFile,
    NoSurroundings,
    Surroundings,
    TableCheck,
)
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.rdf.namespaces import DCAT, HPC
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.fair_mutations import PREFIXES
from tests.helpers.graphs import ex, store_of


@dataclass(frozen=True)
class Around(NoSurroundings):
    """Surroundings that have what they are given."""

    file: LocalFile | None = None
    conformance: Conformance | None = None
    table: TableCheck | None = None
    only: NamedNode | None = None

    def local_file(self, address: str) -> LocalFile | None:
        return self.file

    def conforms(self, subject: Subject) -> Conformance | None:
        return self.conformance if self.only in (None, subject.resource) else None

    def table_faults(self, subject: Subject) -> TableCheck | None:
        return self.table


def finding(name: str, turtle: str, surroundings: Surroundings = NO_SURROUNDINGS) -> Finding:
    subject = subject_of(store_of(PREFIXES + turtle), ex("d"))
    return checks()[indicator(name).test](subject, surroundings)


DESCRIBED = """
ex:d a dcat:Dataset ; dcat:distribution ex:f ; schema:variableMeasured "t" .
ex:f dcat:downloadURL <https://lab.eu/runs.csv> ; dcat:byteSize 12 ; dcat:mediaType "text/csv" .
"""
FILE = LocalFile(Path("/tmp/runs.csv"), "runs.csv", 12, "text/csv", {}, ("t", "n"))
SHAPES = NamedNode("https://example.org/shapes")


def test_a_file_that_is_as_described_is_verified() -> None:
    found = finding("FsF-R1-01MD", DESCRIBED, Around(FILE))

    assert (found.verdict, found.basis) == (Verdict.PASS, Basis.VERIFIED)
    assert found.sentence == (
        "Its class, the size of a file, its format and the variables are stated, and runs.csv on this machine "
        "matches its description."
    )
    assert len(found.evidence) == 4


def test_without_a_file_nobody_can_tell() -> None:
    found = finding("FsF-R1-01MD", DESCRIBED)

    assert (found.verdict, found.basis) == (Verdict.UNKNOWN, Basis.UNKNOWN)
    assert found.sentence.endswith("there is no local file to compare with.")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (replace(FILE, size=13), "it has 13 bytes and not 12 bytes"),
        (replace(FILE, media_type="application/x-hdf5"), "it is HDF5 and not text/csv"),
        (replace(FILE, columns=("x",)), "its header lacks t"),
    ],
)
def test_a_file_that_is_another_fails(file: LocalFile, words: str) -> None:
    found = finding("FsF-R1-01MD", DESCRIBED, Around(file))

    assert (found.verdict, found.basis) == (Verdict.FAIL, Basis.VERIFIED)
    assert found.sentence == f"The file runs.csv differs from its description: {words}."
    assert found.evidence


def test_what_is_missing_is_named() -> None:
    found = finding("FsF-R1-01MD", DESCRIBED.replace(" ; dcat:byteSize 12", ""))

    assert found.verdict is Verdict.PARTIAL
    assert found.sentence == "The description of the content lacks the size of a file."
    assert found.missing == (DCAT.byteSize,)


def test_a_file_at_hand_without_a_description_is_not_described() -> None:
    assert finding("FsF-R1-01MD", DESCRIBED.replace(' ; dcat:mediaType "text/csv"', ""), Around(FILE)).verdict is (
        Verdict.PARTIAL
    )


def test_a_local_file_shows_its_format() -> None:
    turtle = "ex:d a dcat:Dataset ; dcat:distribution [ dcat:downloadURL <https://lab.eu/runs> ] ."

    assert finding("RDA-R1.3-01D", turtle).verdict is Verdict.FAIL
    found = finding("RDA-R1.3-01D", turtle, Around(FILE))
    assert (found.verdict, found.basis) == (Verdict.PASS, Basis.VERIFIED)
    assert found.sentence == "The file runs.csv on this machine is CSV, which is listed."


def test_shapes_decide_whether_metadata_conform() -> None:
    subject = subject_of(store_of("ex:d a hpc:Dataset ; hpc:name 'x' ."), ex("d"))
    fault = ("has no licence", None), ("a name is a text", subject.quads[0])
    test = checks()[indicator("RDA-R1.3-02M").test]

    assert test(subject, NO_SURROUNDINGS).verdict is Verdict.UNKNOWN
    good = test(subject, Around(conformance=Conformance("the HPC ontology", SHAPES, True)))
    bad = test(subject, Around(conformance=Conformance("the HPC ontology", SHAPES, False, fault)))
    assert (good.verdict, good.sentence) == (Verdict.PASS, "The shapes of the HPC ontology find no faults.")
    assert (bad.verdict, bad.evidence) == (Verdict.FAIL, subject.quads[:1])
    assert bad.sentence == "The shapes of the HPC ontology find 2 faults: has no licence; a name is a text."


def test_a_profile_that_is_met_is_a_standard() -> None:
    turtle = "ex:d rdfs:label 'x' ."

    assert finding("RDA-R1.3-01M", turtle).verdict is Verdict.FAIL
    met = Around(conformance=Conformance("our own shapes", SHAPES, True))
    broken = Around(conformance=Conformance("our own shapes", SHAPES, False))
    assert finding("RDA-R1.3-01M", turtle, met).sentence == "It meets the profile our own shapes."
    assert finding("RDA-R1.3-01M", turtle, broken).verdict is Verdict.FAIL


def test_a_table_decides_whether_data_conform() -> None:
    turtle = "ex:d dcat:distribution [ csvw:tableSchema [ csvw:column [ csvw:name 't' ] ] ] ."

    assert finding("RDA-R1.3-02D", turtle).verdict is Verdict.UNKNOWN
    assert finding("RDA-R1.3-02D", turtle, Around(table=TableCheck("runs.csv"))).verdict is Verdict.PASS
    bad = finding("RDA-R1.3-02D", turtle, Around(table=TableCheck("runs.csv", ("row 3: t is no number",))))
    assert (bad.verdict, bad.sentence) == (
        Verdict.FAIL, "The table runs.csv does not match its schema: row 3: t is no number."
    )  # fmt: skip


def test_shapes_decide_over_data_elements_where_there_is_no_table() -> None:
    turtle = "ex:row hpc:isPartOf ex:d ; hpc:numberOfCalls 3 ."
    conformance = Conformance("the HPC ontology", SHAPES, True)

    assert finding("RDA-R1.3-02D", turtle, Around(conformance=conformance, only=ex("d"))).verdict is Verdict.UNKNOWN
    good = finding("RDA-R1.3-02D", turtle, Around(conformance=conformance, only=ex("row")))
    assert good.verdict is Verdict.PASS
    wrong = replace(conformance, conforms=False, violations=(("no name", None),))
    bad = finding("RDA-R1.3-02D", turtle, Around(conformance=wrong, only=ex("row")))
    assert bad.sentence == "The shapes of the HPC ontology find faults in 1 of 1 data elements: no name."


def test_many_attributes_of_all_groups_are_filled_in() -> None:
    turtle = """ex:d a dcat:Dataset ; dcterms:description "Runs" ; dcat:keyword "GPU" ; dcterms:creator ex:ann ;
    dcterms:publisher ex:lab ; dcterms:issued "2022" ; dcat:version "1" ; prov:wasGeneratedBy ex:run ;
    dcterms:license <https://spdx.org/licenses/MIT> ; dcat:distribution [ dcat:byteSize 1 ; dcat:mediaType "text/csv" ]"""

    assert finding("RDA-R1-01M", f"{turtle} .").sentence == "10 attributes for reuse are stated: no variables."
    found = finding("RDA-R1-01M", f"{turtle} ; schema:variableMeasured 't' .")
    assert found.verdict is Verdict.PASS
    assert len(found.evidence) == 11


MODEL = """ex:d a {0} ; {1} ex:data ; hpc:accuracy 0.9 ; hpc:framework ex:torch ; hpc:modelFormat "ONNX" .
ex:data a dcat:Dataset ."""


@pytest.mark.parametrize("cls", ["hpc:AIModel", "fair4ml:MLModel", "<https://w3id.org/fair4ml/MLModel>"])
@pytest.mark.parametrize("trained_on", ["hpc:wasDerivedFromDataset", "fair4ml:trainedOn"])
def test_a_model_is_judged_by_what_models_have(cls: str, trained_on: str) -> None:
    turtle = MODEL.format(cls, trained_on)

    for name in ("RDA-I1-01D", "RDA-I3-01D", "RDA-I3-02D", "RDA-I3-02M", "RDA-I3-04M", "RDA-R1.2-01M", "RDA-R1.3-01D"):
        assert finding(name, turtle).verdict is Verdict.PASS, name
    content = finding("FsF-R1-01MD", turtle)
    assert content.sentence == "The description of the content lacks the size of a file."
    bare = finding("FsF-R1-01MD", f"ex:d a {cls} .")
    assert HPC.wasDerivedFromDataset in bare.missing


def test_a_dataset_is_not_judged_by_what_models_have() -> None:
    turtle = MODEL.format("dcat:Dataset", "fair4ml:trainedOn")

    assert finding("RDA-I3-01D", turtle).verdict is Verdict.FAIL
    assert "the variables" in finding("FsF-R1-01MD", turtle).sentence


def test_entailed_provenance_says_by_what() -> None:
    found = finding("RDA-R1.2-02M", "ex:d hpc:wasGeneratedBy ex:run .")

    assert (found.verdict, found.basis) == (Verdict.PASS, Basis.VERIFIED)
    assert found.sentence == "By the alignment that ships, hpc:wasGeneratedBy entails prov:wasGeneratedBy."


def test_provenance_of_files_alone_is_not_that_of_the_dataset() -> None:
    turtle = "ex:d dcat:distribution ex:f . ex:f prov:wasDerivedFrom ex:log ; hpc:wasGeneratedBy ex:run ."
    found = finding("RDA-R1.2-02M", turtle)

    assert found.verdict is Verdict.FAIL
    assert "stand on its files or data" in found.sentence
    assert finding("RDA-R1.2-01M", turtle).verdict is Verdict.PASS


def test_classes_of_prov_ml_make_prov_a_communitys() -> None:
    plain = "ex:d a dcat:Dataset ; prov:wasGeneratedBy ex:run ."

    assert finding("RDA-R1.2-01M", plain).verdict is Verdict.PARTIAL
    found = finding("RDA-R1.2-01M", f"{plain} ex:d a provml:LearningDataset .")
    assert found.verdict is Verdict.PASS
    assert found.sentence == "prov:wasGeneratedBy says how it was made, between the classes of PROV-ML."


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("dcterms:created '2022'", Verdict.PARTIAL),
        ("prov:wasGeneratedBy ex:run", Verdict.PARTIAL),
        ("prov:wasGeneratedBy ex:run ; dcterms:created '2022'", Verdict.PASS),
        ("prov:wasDerivedFrom ex:o", Verdict.PASS),
        ("prov:value 3 ; dcterms:created '2022'", Verdict.PARTIAL),
        ("prov:wasGeneratedBy 'a run'", Verdict.FAIL),
    ],
)
def test_creation_is_told_in_both_ways(stated: str, verdict: Verdict) -> None:
    assert finding("FsF-R1.2-01M", f"ex:d a dcat:Dataset ; {stated} .").verdict is verdict


def test_who_made_a_data_element_is_no_data() -> None:
    turtle = (
        "ex:row hpc:isPartOf ex:d ; hpc:numberOfCalls 1 ; dcterms:creator <https://orcid.org/0000-0002-1825-0097> ."
    )

    assert finding("RDA-I3-01D", turtle).verdict is Verdict.FAIL
