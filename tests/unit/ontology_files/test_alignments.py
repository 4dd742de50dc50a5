"""Links to the published HPC ontology and to other vocabularies lead to terms that are there."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import parse

from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, FOAF, HPC, MLS, OWL, PROV, PROVLAKE, PROVML, RDF, RDFS, SCHEMA
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.ontology_files import ALL, BY_FILE, CLASSES, PROPERTIES, PROV_ML_CLASSES, PROV_ML_PROPERTIES, name_of


def spellings_of(name: str) -> set[str]:
    """The local names of all hpc: properties that are equivalent to this one, itself included."""
    terms = ALL.reachable(HPC.term(name), both_ways=[OWL.equivalentProperty])
    return {
        term.value.removeprefix(HPC) for term in terms if isinstance(term, NamedNode) and term.value.startswith(HPC)
    }


def aligned_terms(*namespaces: str) -> set[str]:
    return {
        term.value
        for triple in BY_FILE["alignments"].triples
        for term in (triple.subject, triple.object)
        if isinstance(term, NamedNode) and term.value.startswith(namespaces)
    }


@pytest.fixture(scope="module")
def published(shared_data: Callable[[str], Path]) -> set[str]:
    """The local names that the published ontology describes, also those that strayed into other namespaces."""
    folder = shared_data("ontologies/hpc-public")
    subjects = {quad.subject for file in folder.glob("*.ttl") for quad in parse(path=str(file))}
    return {s.value.rpartition("#")[2] for s in subjects if isinstance(s, NamedNode) and "#" in s.value}


# --- the published HPC ontology -------------------------------------------------------------------------------------


def test_terms_taken_from_it_are_there_and_our_own_are_not(published: set[str]) -> None:
    sources = {t.value.removeprefix(HPC): ALL.texts(t, DCTERMS.source) for t in (*CLASSES, *PROPERTIES)}
    assert {name for name, named in sources.items() if "HPC ontology 1.1.0" in named} - published == set()
    assert {name for name, named in sources.items() if named == ["HPC Explorer"]} & published == set()


RENAMED = {
    "usedWorkflow": "usesWorkflow",
    "wasPrecededBy": "wasPreceededBy",
    "framework": "machineLearningFramework",
    "cpuCoresPerNode": "cpuCorePerNode",
    "threadsPerNode": "threadCountPerNode",
    "coprocessorCoresPerNode": "coprocessorCores",
    "totalPeakPerformance": "totalPeakPerformancePerNode",
    "processorCorePerSocket": "cpuCorePerSocket",
    "input": "hasInput",
    "output": "hasOutput",
    "l1CacheUtilizationRate": "l1CacheUitlizationRate",
}


@pytest.mark.parametrize("name", RENAMED)
def test_renamed_term_is_linked(name: str, published: set[str]) -> None:
    assert name not in published
    assert RENAMED[name] in published
    assert RENAMED[name] in spellings_of(name)


def test_every_printed_term_that_it_has_is_linked(published: set[str]) -> None:
    with (Path(__file__).parent / "terms_of_seed000.csv").open(encoding="utf-8", newline="") as file:
        names = {row["term"] for row in csv.DictReader(file)}
    assert {name for name in names if not spellings_of(name) & published} == {
        "hyperParameter",
        "inputDatasetFormat",
        "inputShape",
        "learningAlgorithm",
        "learningType",
        "modelFormat",
        "modelProperty",
        "modelType",
    }


# --- the alignments -------------------------------------------------------------------------------------------------


def test_hpc_terms_exist_here_or_there(published: set[str]) -> None:
    here = {t.subject.value for t in ALL.triples if t.predicate == RDF.type}
    assert aligned_terms(HPC) - here - {HPC + name for name in published} == set()


def test_prov_ml_terms_exist() -> None:
    assert aligned_terms(PROVML, PROVLAKE) - {term.value for term in (*PROV_ML_CLASSES, *PROV_ML_PROPERTIES)} == set()


@pytest.mark.parametrize(
    ("namespace", "file"),
    [
        (PROV, "prov.nq"),
        (DCTERMS, "dcterms.nq"),
        (FOAF, "foaf.nq"),
        (DCAT, "dcat.nq"),
        (SCHEMA, "schema.nq"),
        (MLS, "mls_MLSchema.ttl"),
    ],
    ids=lambda value: value.rpartition("/")[2] or value,
)
def test_terms_of_others_exist(namespace: str, file: str, shared_data: Callable[[str], Path]) -> None:
    described = {
        # schema.org's own copy spells its terms with https.
        quad.subject.value.replace("https://schema.org/", SCHEMA)
        for quad in parse(path=str(shared_data(f"ontologies/vocabularies/{file}")))
        if isinstance(quad.subject, NamedNode)
    }
    terms = aligned_terms(namespace)
    assert terms
    assert terms - described == set()


def test_classes_are_set_against_classes_and_properties_against_properties() -> None:
    classes, properties = {*CLASSES, *PROV_ML_CLASSES}, {*PROPERTIES, *PROV_ML_PROPERTIES}
    between_properties = {OWL.equivalentProperty, OWL.inverseOf, RDFS.subPropertyOf}
    between_classes = {OWL.equivalentClass, RDFS.subClassOf}
    for triple in BY_FILE["alignments"].triples:
        ends = {triple.subject, triple.object}
        wrong = " ".join(map(name_of, (triple.subject, triple.predicate, triple.object)))
        assert not (ends & classes and ends & properties), wrong
        assert not (ends & classes and triple.predicate in between_properties), wrong
        assert not (ends & properties and triple.predicate in between_classes), wrong


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("used", "used"),
        ("generated", "generated"),
        ("wasGeneratedBy", "wasGeneratedBy"),
        ("wasDerivedFrom", "wasDerivedFrom"),
        ("wasConductedBy", "wasAssociatedWith"),
        ("wasAssociatedWithSoftware", "wasAssociatedWith"),
        ("wasAssociatedWithHardware", "wasAssociatedWith"),
    ],
)
def test_provenance_can_be_asked_in_the_words_of_prov(ours: str, theirs: str) -> None:
    wider = ALL.reachable(HPC.term(ours), RDFS.subPropertyOf, both_ways=[OWL.equivalentProperty])
    assert PROV.term(theirs) in wider
