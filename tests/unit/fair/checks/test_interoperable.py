"""The tests of I: how they count terms and links, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from hpc_explorer.fair.checks import checks
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, NoSurroundings, Seen, Surroundings
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.fair_mutations import PREFIXES
from tests.helpers.graphs import ex, store_of


@dataclass(frozen=True)
class Around(NoSurroundings):
    """Surroundings that know what is in the namespace `ex:`, and have looked online."""

    answer: str | None = None

    def knows(self, term: NamedNode) -> str | None:
        return "an open ontology" if term.value.startswith("http://example.org/") else None

    def online(self, url: str) -> Seen | None:
        return Seen(200, url, self.answer, datetime(2026, 1, 1, tzinfo=UTC)) if self.answer else None


def finding(name: str, turtle: str, surroundings: Surroundings = NO_SURROUNDINGS) -> Finding:
    subject = subject_of(store_of(PREFIXES + turtle), ex("d"))
    return checks()[indicator(name).test](subject, surroundings)


def test_it_says_how_many_of_how_many_terms_and_which_not() -> None:
    nine = "a dcat:Dataset ; dcterms:title 1 ; dcterms:issued 1 ; dcterms:type 1 ; dcterms:date 1 ; dcterms:extent 1"
    enough = finding("RDA-I1-02M", f"ex:d {nine} ; dcterms:format 1 ; dcterms:rights 1 ; ex:mine 1 .")
    few = finding("RDA-I1-02M", f"ex:d {nine} ; ex:mine 1 ; ex:own 1 .")
    none = finding("RDA-I1-02M", "ex:d ex:mine 1 .")

    assert (enough.verdict, enough.basis) == (Verdict.PASS, Basis.VERIFIED)
    assert enough.sentence == (
        "9 of 10 properties and classes are defined in ontologies that are loaded or listed; unknown is "
        "<http://example.org/mine>."
    )
    assert few.verdict is Verdict.PARTIAL
    assert few.sentence.endswith("unknown are <http://example.org/mine>, <http://example.org/own>.")
    assert [quad.predicate for quad in few.evidence] == [ex("mine"), ex("own")]
    assert none.verdict is Verdict.FAIL
    assert finding("RDA-I1-02M", "ex:d ex:mine 1 .", Around()).verdict is Verdict.PASS


def test_a_term_that_its_vocabulary_does_not_have_counts_for_none_and_what_was_meant_is_asked() -> None:
    one = finding("RDA-I1-02M", "ex:d dcterms:titel 'x' ; dcterms:issued 1 ; dcat:Keyword 'y' .")
    assert one.verdict is Verdict.FAIL
    assert one.sentence == (
        "1 of 3 properties and classes is defined in ontologies that are loaded or listed; dcterms:titel is not a term of "
        "DCMI Metadata Terms (did you mean dcterms:title?); dcat:Keyword is not a term of DCAT (did you mean dcat:keyword?)."
    )
    assert {quad.predicate for quad in one.evidence} == {DCTERMS.titel, DCAT.Keyword}
    several = finding(
        "RDA-I1-02M", "ex:d a dcat:Catalogue ; prov:influence ex:o ; prov:mixed 1 ; foaf:agr 1 ; foaf:q 1 ."
    )
    assert "dcat:Catalogue is not a term of DCAT (did you mean dcat:Catalog?)" in several.sentence
    assert several.sentence.endswith("; prov:mixed is not a term of PROV-O; 2 more are unknown too.")


def test_of_some_vocabularies_only_the_namespace_is_known_and_that_is_said() -> None:
    unchecked = finding("RDA-I1-02M", "ex:d a dcat:Dataset ; fair4ml:trainedOnn ex:o ; adms:whatever 1 .")
    assert unchecked.verdict is Verdict.PASS
    assert unchecked.sentence.endswith("listed; of ADMS and FAIR4ML only the namespace is known, not each term.")
    # What is loaded may define what no list has.
    assert finding("RDA-I1-02M", "ex:d ex:mine 1 .", Around()).sentence == (
        "1 of one property or class is defined in ontologies that are loaded or listed."
    )


@pytest.mark.parametrize(
    ("indicator", "right", "wrong"),
    [
        ("FsF-I1-02M", "prov:wasDerivedFrom ex:o", "prov:wasDerivedFrm ex:o"),
        ("FsF-I1-02M", "a hpc:Dataset", "a hpc:Datset"),
        ("RDA-I2-01M", "prov:wasDerivedFrom ex:o", "prov:wasDerivedFrm ex:o"),
        ("RDA-R1.3-01M", "dcterms:title 'x'", "dcterms:titel 'x'"),
        ("RDA-R1.2-02M", "prov:wasDerivedFrom ex:o", "prov:wasDerivedFrm ex:o"),
        ("FsF-R1.2-01M", "dcterms:creator ex:p ; prov:wasDerivedFrom ex:o", "dcterms:creator ex:p ; prov:wasDerivedFrm ex:o"),
    ],
)  # fmt: skip
def test_a_slip_is_no_use_of_the_vocabulary(indicator: str, right: str, wrong: str) -> None:
    assert finding(indicator, f"ex:d {right} .").verdict is Verdict.PASS
    assert finding(indicator, f"ex:d {wrong} .").verdict in (Verdict.FAIL, Verdict.PARTIAL)


def test_slips_and_namespaces_that_nobody_listed_are_told_together() -> None:
    found = finding("FsF-I1-02M", "ex:d prov:wasDerivedFrm ex:o ; ex:mine 1 .")

    assert found.sentence == (
        "The namespace beyond those of every record is not listed as vocabularies: http://example.org/; "
        "prov:wasDerivedFrm is not a term of PROV-O (did you mean prov:wasDerivedFrom?)."
    )


def test_data_elements_in_terms_that_are_none_are_told_so() -> None:
    row = "ex:row dcterms:isPartOf ex:d ; hpc:numberOfCalls 3 ."

    assert finding("RDA-I1-02D", f"ex:d a dcat:Dataset . {row}").verdict is Verdict.PASS
    slip = finding("RDA-I1-02D", f"ex:d a dcat:Dataset . {row.replace('Calls', 'Cals')}")
    assert (slip.verdict, slip.sentence) == (
        Verdict.PARTIAL,
        "Data elements are in the graph, but no ontology that is loaded or listed defines their properties; "
        "hpc:numberOfCals is not a term of HPC Ontology (did you mean hpc:numberOfCalls?).",
    )


def test_a_licence_that_we_do_not_know_is_none_that_is_missing() -> None:
    unsure = finding("RDA-I2-01M", "ex:d <http://purl.org/ontology/bibo/cites> ex:o .")
    assert (unsure.verdict, unsure.basis) == (Verdict.UNKNOWN, Basis.UNKNOWN)
    assert unsure.sentence == "Whether Bibliographic ontology has a licence is unknown."
    mixed = finding("RDA-I2-01M", "ex:d <http://purl.org/ontology/bibo/cites> ex:o ; prov:wasDerivedFrom ex:o .")
    assert (mixed.verdict, mixed.sentence) == (
        Verdict.UNKNOWN,
        "1 of 2 vocabularies of the description is FAIR; whether Bibliographic ontology has a licence is unknown.",
    )
    lacking = finding("RDA-I2-01M", "ex:d <http://purl.org/ontology/bibo/cites> ex:o ; ex:mine 1 .")
    assert lacking.verdict is Verdict.PARTIAL
    assert lacking.sentence.endswith("definition at hand; whether Bibliographic ontology has a licence is unknown.")
    assert finding("RDA-I2-01M", "ex:d a mls:Model .").verdict is Verdict.PASS


def test_values_of_its_files_are_not_its_own_words() -> None:
    checksum = "spdx:checksum [ spdx:algorithm spdx:checksumAlgorithm_md5 ]"

    on_file = finding("FsF-I1-02M", f"ex:d a dcat:Dataset ; dcat:distribution ex:f . ex:f {checksum} .")
    assert (on_file.verdict, on_file.sentence) == (
        Verdict.FAIL, "Only general namespaces are used, of the 26 that do not count."
    )  # fmt: skip
    value = finding(
        "FsF-I1-02M", "ex:d a dcat:Dataset ; dcterms:extent [ qudt:numericValue 3 ; qudt:unit unit:BYTE ] ."
    )
    assert (value.verdict, value.sentence) == (Verdict.PASS, "The description uses terms of QUDT.")
    own = finding("FsF-I1-02M", "ex:d a dcat:Dataset ; ex:mine 1 .")
    assert (
        own.sentence == "The namespace beyond those of every record is not listed as vocabularies: http://example.org/."
    )


def test_an_address_that_answers_with_rdf_is_seen() -> None:
    found = finding("FsF-I1-01M", "ex:d a dcat:Dataset .", Around("text/turtle"))

    assert (found.basis, found.online is not None) == (Basis.VERIFIED, True)
    assert finding("FsF-I1-01M", "ex:d a dcat:Dataset .", Around("text/html")).online is None


def test_vocabularies_are_fair_or_it_is_said_what_they_lack() -> None:
    assert finding("RDA-I2-01M", "ex:d prov:wasDerivedFrom ex:o .").sentence == (
        "PROV-O: persistent IRIs, a licence, and an available definition."
    )
    mixed = finding("RDA-I2-01M", "ex:d prov:wasDerivedFrom ex:o ; ex:mine 1 .")
    assert mixed.verdict is Verdict.PARTIAL
    assert mixed.sentence == (
        "1 of 2 vocabularies of the description is FAIR; http://example.org/ lacks persistent IRIs, a known "
        "licence and a definition at hand."
    )
    general = finding("RDA-I2-01M", "ex:d a dcat:Dataset ; dcterms:title 'x' .")
    assert general.verdict is Verdict.PASS
    assert finding("RDA-I2-01D", "ex:d a dcat:Dataset .").sentence == "No vocabulary is used in the data."


def test_the_best_of_several_formats_is_told() -> None:
    turtle = "ex:d dcat:distribution [ dcat:mediaType 'text/markdown' ] , [ dcat:mediaType 'text/csv' ] ."

    assert finding("RDA-I1-01D", turtle).sentence == (
        "The format text/csv is listed: CSV, open, kept for long and used in science."
    )


@pytest.mark.parametrize(
    ("inside", "verdict"),
    [
        ("ex:row hpc:benchmark <http://example.org/bench/bfs>", Verdict.PASS),
        ("ex:row hpc:numberOfCalls 3", Verdict.FAIL),
        ("ex:row hpc:executionTime [ qudt:unit unit:SEC ; qudt:value 1 ]", Verdict.FAIL),
        ("ex:row hpc:benchmark ex:row2", Verdict.FAIL),
        ("ex:row hpc:benchmark <http://example.org/d/bfs>", Verdict.FAIL),
        ("ex:row a hpc:TableRow ; hpc:isPartOf <http://example.org/other/d>", Verdict.FAIL),
        ("ex:row hpc:benchmark [ hpc:vendor <http://dbpedia.org/resource/NVIDIA> ]", Verdict.PASS),
    ],
)
def test_what_is_a_link_of_data(inside: str, verdict: Verdict) -> None:
    turtle = f"ex:row hpc:isPartOf ex:d . {inside} ."

    assert finding("RDA-I3-01D", turtle).verdict is verdict
    assert finding("RDA-I3-02D", turtle).verdict is verdict


def test_links_of_data_that_do_not_say_how() -> None:
    turtle = "ex:row hpc:isPartOf ex:d ; rdfs:seeAlso <https://lab.eu/bfs> ."

    assert finding("RDA-I3-01D", turtle).verdict is Verdict.PASS
    assert finding("RDA-I3-02D", turtle).sentence == (
        "rdfs:seeAlso says only that there is a relation to https://lab.eu/bfs, not which."
    )


@pytest.mark.parametrize(
    ("turtle", "datasets"),
    [
        ("ex:d dcterms:relation ex:o", 0),
        ("ex:d dcterms:relation ex:o . ex:o a dcat:Dataset", 1),
        ("ex:d dcterms:relation ex:o . ex:o a hpc:CSVDataset", 1),
        ("ex:d dcterms:relation ex:o . ex:o a hpc:DecisionTree", 1),
        ("ex:d dcterms:relation ex:o . ex:o a hpc:Workflow", 0),
        ("ex:d dcterms:relation ex:d . ex:d a dcat:Dataset", 0),
        ("ex:d dcterms:hasPart <http://example.org/d/folder> . <http://example.org/d/folder> a schema:Dataset", 0),
        ("ex:d dcterms:relation ex:o . ex:o dcterms:relation ex:p . ex:p a dcat:Dataset", 0),
        ("ex:d hpc:wasGeneratedBy ex:run . ex:run hpc:used ex:o . ex:o a hpc:Dataset", 1),
        ("ex:run hpc:generated ex:e ; hpc:used ex:o . ex:o a hpc:Dataset", 0),
    ],
)
def test_what_is_a_link_to_a_dataset(turtle: str, datasets: int) -> None:
    found = finding("RDA-I3-02M", f"{turtle} .")

    assert found.verdict is (Verdict.PASS if datasets else Verdict.FAIL)
