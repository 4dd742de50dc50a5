"""What was inferred is counted by itself, and with what is stated that is what counting all of it gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.ontology.inference import background_of, infer, withdraw
from hpc_explorer.ontology.rules import RuleSet
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import count_profile
from tests.helpers.datasets import XML_LITERALS
from tests.helpers.examples import examples
from tests.helpers.graphs import GRAPH, ex, store_of
from tests.unit.ontology.reasoning.test_closure import ONTOLOGIES

OTHER = NamedNode("urn:test:other")
VALUES = st.lists(
    st.builds(Triple, st.sampled_from([ex("x"), ex("y")]), st.sampled_from([ex("p"), ex("q")]), XML_LITERALS),
    max_size=4,
)


@examples(20)
@given(ONTOLOGIES, VALUES, st.integers(0, 8), st.sampled_from(RuleSet))
def test_the_profile_grows_to_what_counting_gives(
    triples: list[Triple], values: list[Triple], twice: int, rule_set: RuleSet
) -> None:
    store = LocalStore.in_memory()
    store.add_quads(Quad(one.subject, one.predicate, one.object, GRAPH) for one in (*triples, *values))
    store.add_quads(Quad(one.subject, one.predicate, one.object, OTHER) for one in (*triples[:twice], *values[:twice]))
    store.settle([GRAPH, OTHER])
    ontology = LocalStore.in_memory()
    ontology.add_quads([Quad(ex("A"), RDFS.subClassOf, ex("Top"), GRAPH), Quad(ex("p"), RDFS.domain, ex("B"), GRAPH)])
    background = background_of(store, ontology, rule_set)
    stated = count_profile(store)
    report = infer(store, background, rule_set, profile=stated)
    assert report.profile == count_profile(store)
    withdraw(store)
    assert count_profile(store) == stated


@pytest.mark.parametrize("rule_set", RuleSet)
def test_classes_predicates_and_datatypes_of_conclusions_are_counted(rule_set: RuleSet) -> None:
    store = store_of(
        "ex:p rdfs:subPropertyOf ex:q . ex:C rdfs:subClassOf ex:D . ex:x a ex:C ; ex:p 1 , 2 . ex:y a ex:D ; ex:p 1.5 ."
    )
    profile = infer(store, profile=count_profile(store), rule_set=rule_set).profile
    assert profile is not None
    assert profile.type_sets == {frozenset({ex("C"), ex("D")}): 1, frozenset({ex("D")}): 1}
    assert profile.class_predicates[ex("D")] == {RDF.type: 3, ex("p"): 3, ex("q"): 3}
    integer, decimal = (Literal(value).datatype for value in (1, 1.5))
    assert profile.datatypes[ex("q")][integer] == 2
    assert decimal not in profile.datatypes[ex("q")]
