"""Which terms are known one by one, and which term was meant by one that is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.fair.known_terms import TermStatus, is_known_whole, meant_by, standing, vocabulary_name
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, shipped_terms
from hpc_explorer.fair.terms import FAIR_TERMS
from hpc_explorer.fair.vocabularies import namespace_of
from hpc_explorer.ontology.common_terms import TERMS
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, FOAF, HPC, PROV, RDF, SCHEMA, SCHEMAS, PrefixMap
from hpc_explorer.rdf.terms import NamedNode

PREFIXES = PrefixMap()


def told(curie: str) -> TermStatus:
    return standing(PREFIXES.resolve(curie), NO_SURROUNDINGS)


@pytest.mark.parametrize(
    "curie",
    [
        "dcterms:title", "dcat:inSeries", "dcat:seriesMember", "prov:wasDerivedFrom", "prov:asInBundle", "foaf:primaryTopic",
        "schema:funding", "schemas:funding", "skos:notation", "void:inDataset", "rdf:type", "rdf:_12", "mls:Model",
        "hpc:gpuThreadBlockSize", "hpc:AIModel", "provml:wasGeneratedBy", "sh:sparql", "dc:title", "owl:sameAs",
    ],
)  # fmt: skip
def test_terms_that_there_are(curie: str) -> None:
    assert told(curie) is TermStatus.DEFINED


@pytest.mark.parametrize(
    ("curie", "known"),
    [
        ("dcterms:titel", TermStatus.NO_TERM),
        ("dcat:title", TermStatus.NO_TERM),
        ("rdf:_0", TermStatus.NO_TERM),
        ("hpc:gpuThreadBlcokSize", TermStatus.NO_TERM),
        ("provml:wasGeneratedBi", TermStatus.NO_TERM),
        ("provml:LerningStage", TermStatus.NO_TERM),
        ("qudt:standardUncertainty", TermStatus.UNCHECKED),
        ("https://w3id.org/fair4ml#trainedOn", TermStatus.UNCHECKED),
        ("http://example.org/own#mine", TermStatus.UNKNOWN),
    ],
)
def test_what_is_known_of_others(curie: str, known: TermStatus) -> None:
    assert told(curie) is known
    assert known.counts is (known is TermStatus.UNCHECKED)


def test_every_term_that_the_assessment_itself_looks_for_is_one() -> None:
    asked = {term for terms in (*FAIR_TERMS.values(), *TERMS.values()) for term in terms}

    # The HPC ontology has no such properties; people who miss them write them all the same, and they are read.
    written_all_the_same = {HPC.publisher, HPC.sha256}
    assert {term for term in asked if standing(term, NO_SURROUNDINGS) is TermStatus.NO_TERM} == written_all_the_same


def test_every_term_that_ships_is_known() -> None:
    assert {term for term in shipped_terms() if standing(term, NO_SURROUNDINGS) is not TermStatus.DEFINED} == set()


@pytest.mark.parametrize(
    ("curie", "meant"),
    [
        ("dcterms:titel", [DCTERMS.term("title")]),
        ("dcterms:Title", [DCTERMS.term("title")]),
        ("dcterms:licence", [DCTERMS.license]),
        ("dcat:keywords", [DCAT.keyword]),
        ("dcat:downloadUrl", [DCAT.downloadURL]),
        ("dcat:title", [DCTERMS.term("title")]),
        ("dcterms:keyword", [DCAT.keyword]),
        ("dc:license", [DCTERMS.license]),
        ("prov:wasDerivedFrm", [PROV.wasDerivedFrom]),
        ("schema:datePublishd", [SCHEMA.datePublished]),
        ("schemas:date_published", [SCHEMAS.datePublished]),
        ("hpc:gpuThreadBlcokSize", [HPC.gpuThreadBlockSize]),
        ("foaf:nmae", [FOAF.name]),
        ("dcterms:foo", []),
        ("prov:mixed", []),
        ("https://w3id.org/fair4ml#trainedO", []),
    ],
)
def test_which_term_was_meant(curie: str, meant: list[NamedNode]) -> None:
    assert list(meant_by(PREFIXES.resolve(curie), is_class=False)) == meant


def test_a_class_is_meant_by_a_class() -> None:
    assert meant_by(DCAT.DataSet, is_class=True) == (DCAT.Dataset,)
    assert meant_by(DCAT.DataSet, is_class=False) == (DCAT.dataset,)


def test_several_that_are_equally_near_are_all_told() -> None:
    assert meant_by(PROV.influence, is_class=False) == (PROV.influenced, PROV.influencer)


@given(place=st.integers(0, 30), letter=st.sampled_from("aeqx"))
def test_a_letter_too_much_is_found_again(place: int, letter: str) -> None:
    name = "accrualPeriodicity"
    place %= len(name)

    assert meant_by(DCTERMS.term(name[:place] + letter + name[place:]), is_class=False) == (DCTERMS.accrualPeriodicity,)


def test_names_of_vocabularies() -> None:
    assert vocabulary_name(DCTERMS.titel) == "DCMI Metadata Terms"
    assert vocabulary_name(PREFIXES.resolve("provml:x")) == "PROV-ML"
    assert vocabulary_name(NamedNode("http://example.org/own#x")) == "http://example.org/own#"
    assert is_known_whole(str(RDF))
    assert not is_known_whole(namespace_of(PREFIXES.resolve("qudt:unit")))
