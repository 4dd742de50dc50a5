"""Which words for provenance entail PROV-O, by the alignment that ships."""

from __future__ import annotations

from hpc_explorer.fair.provenance import community_of, entailed_terms, says_how
from hpc_explorer.rdf.namespaces import HPC, PROV
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from tests.helpers.graphs import ex


def test_the_alignment_entails_prov() -> None:
    entailed = entailed_terms()

    assert entailed[HPC.wasGeneratedBy] == (PROV.wasGeneratedBy,)
    assert entailed[HPC.wasDerivedFrom] == (PROV.wasDerivedFrom,)
    assert entailed[HPC.wasDerivedFromDataset] == (PROV.wasDerivedFrom,)
    assert entailed[HPC.wasDFD] == (PROV.wasDerivedFrom,)
    assert entailed[HPC.wasConductedBy] == (PROV.wasAssociatedWith,)
    assert entailed[HPC.wasDerivedFromSoftware] == (PROV.wasDerivedFrom,)
    assert HPC.wasPrecededBy not in entailed  # a match of SKOS is no entailment
    assert HPC.name not in entailed
    assert all(term.value.startswith(HPC) for term in entailed)


def test_words_of_communities() -> None:
    assert community_of(HPC.wasGeneratedBy) == "HPC Ontology"
    assert community_of(NamedNode("https://w3id.org/fair4ml/trainedOn")) == "FAIR4ML"
    assert community_of(NamedNode("http://purl.org/provone#hadPlan")) == "ProvONE"
    assert community_of(NamedNode("https://openlineage.io/spec/x")) == "OpenLineage"
    assert community_of(PROV.wasGeneratedBy) is None


def test_a_text_is_a_time_but_no_activity() -> None:
    text = Literal("2022")

    assert says_how(Quad(ex("d"), PROV.generatedAtTime, text), PROV.generatedAtTime)
    assert not says_how(Quad(ex("d"), PROV.wasGeneratedBy, text), PROV.wasGeneratedBy)
    assert says_how(Quad(ex("d"), PROV.wasGeneratedBy, ex("run")), PROV.wasGeneratedBy)
    assert not says_how(Quad(ex("d"), PROV.generatedAtTime, Literal(" ")), PROV.generatedAtTime)
