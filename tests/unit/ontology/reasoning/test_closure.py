"""All of OWL 2 RL: rule by rule and on random ontologies as owlrl, with proofs, and with contradictions explained."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import Cancelled
from hpc_explorer.ontology.explanation import Proof, why
from hpc_explorer.ontology.inference import InferenceReport, background_of, infer
from hpc_explorer.ontology.rules import INFERRED, RuleSet, says_nothing
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import GRAPH, ex, store_of
from tests.helpers.owl_rl_examples import CONTRADICTIONS, RULES_BY_HAND
from tests.helpers.owlrl_closure import owlrl_conclusions, skolemised


def whole(store: LocalStore) -> InferenceReport:
    return infer(store, None, RuleSet.OWL_RL)


def inferred(store: LocalStore) -> set[Triple]:
    return {quad.triple for quad in store.match(graph=INFERRED)}


def compared(triples: Iterable[Triple]) -> set[Triple]:
    """What says something, and is not axiomatic: owlrl declares datatypes, annotation properties and two classes."""
    return {
        one
        for one in map(skolemised, triples)
        if not says_nothing(one)
        and not one.predicate.value.startswith("urn:blank:")
        and not (one.predicate == RDF.type and one.object in (RDFS.Datatype, OWL.AnnotationProperty))
        and not (one.subject in (OWL.Thing, OWL.Nothing) and one.object == OWL.Class)
    }


def leaves(proof: Proof) -> set[Triple]:
    return {proof.triple} if proof.rule is None else {leaf for one in proof.premises for leaf in leaves(one)}


# Rule by rule


@pytest.mark.parametrize(
    ("name", "turtle", "conclusion"),
    RULES_BY_HAND,
    ids=[f"{name}-{number}" for number, (name, _, _) in enumerate(RULES_BY_HAND)],
)
def test_rule_concludes_what_owlrl_does_and_explains_it(name: str, turtle: str, conclusion: str) -> None:
    store = store_of(turtle + " .")
    stated = {quad.triple for quad in store.match()}
    report = whole(store)
    (expected,) = (quad.triple for quad in store_of(conclusion + " .").match())
    assert expected in inferred(store)
    assert report.triples == len(inferred(store))
    proof = why(store, expected, None, RuleSet.OWL_RL)
    # Equal terms are replaced in what is trivial, which is not told.
    assert proof.rule == (name if not name.startswith(("scm-cls", "scm-op", "scm-dp")) else proof.rule)
    assert leaves(proof) <= stated
    # owlrl compares all properties of a key but the last, and does not look into literals.
    reference = compared(owlrl_conclusions(stated))
    if name == "prp-key":
        assert compared(inferred(store)) <= reference
    else:
        assert compared(inferred(store)) == reference


def test_every_rule_has_an_example() -> None:
    tested = {name for name, _, _ in RULES_BY_HAND} | {name for name, _, _ in CONTRADICTIONS}
    common = {rule.name for rule in RuleSet.COMMON.rules}
    assert tested - {"dt-not-type"} == {rule.name for rule in RuleSet.OWL_RL.rules} - common


# Random ontologies

_CLASSES, _PROPERTIES = [ex(name) for name in ("A", "B", "C")], [ex(name) for name in ("p", "q")]
_THINGS, _RESTRICTIONS = [ex(name) for name in ("x", "y", "z")], [ex("R1"), ex("R2")]
_cls, _property, _thing = st.sampled_from(_CLASSES), st.sampled_from(_PROPERTIES), st.sampled_from(_THINGS)
_restriction = st.sampled_from(_RESTRICTIONS)
_class_or_restriction = st.sampled_from(_CLASSES + _RESTRICTIONS)
_LIST_AXIOMS = (
    (_property, OWL.propertyChainAxiom, _property),
    (_cls, OWL.intersectionOf, _cls),
    (_cls, OWL.unionOf, _cls),
    (_cls, OWL.oneOf, _thing),
)


def listed(subject: NamedNode, predicate: NamedNode, members: list[NamedNode]) -> list[Triple]:
    """A statement about a list, with the list."""
    cells = [BlankNode() for _ in members]
    made = [Triple(subject, predicate, cells[0])]
    for number, (cell, member) in enumerate(zip(cells, members, strict=True)):
        following = cells[number + 1] if number + 1 < len(cells) else RDF.nil
        made += [Triple(cell, RDF.first, member), Triple(cell, RDF.rest, following)]
    return made


def _one(*parts: st.SearchStrategy[NamedNode]) -> st.SearchStrategy[list[Triple]]:
    return st.builds(Triple, *parts).map(lambda made: [made])


def _restricting(predicate: NamedNode, value: st.SearchStrategy[object]) -> st.SearchStrategy[list[Triple]]:
    return st.builds(
        lambda made, on, what: [Triple(made, OWL.onProperty, on), Triple(made, predicate, what)],
        _restriction,
        _property,
        value,
    )


ONE = Literal("1", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#nonNegativeInteger"))
AXIOMS = st.one_of(
    _one(_class_or_restriction, st.sampled_from([RDFS.subClassOf, OWL.equivalentClass]), _class_or_restriction),
    _one(_property, st.sampled_from([RDFS.subPropertyOf, OWL.equivalentProperty, OWL.inverseOf]), _property),
    _one(_property, st.sampled_from([RDFS.domain, RDFS.range]), _class_or_restriction),
    _one(
        _property,
        st.just(RDF.type),
        st.sampled_from(
            [
                OWL.TransitiveProperty,
                OWL.SymmetricProperty,
                OWL.FunctionalProperty,
                OWL.InverseFunctionalProperty,
            ]
        ),
    ),
    st.one_of(
        *(
            st.builds(listed, subject, st.just(predicate), st.lists(member, min_size=1, max_size=3))
            for subject, predicate, member in _LIST_AXIOMS
        )
    ),
    _restricting(OWL.someValuesFrom, st.one_of(_cls, st.just(OWL.Thing))),
    _restricting(OWL.allValuesFrom, _cls),
    _restricting(OWL.hasValue, _thing),
    _restricting(OWL.maxCardinality, st.just(ONE)),
    st.one_of(
        _one(_thing, st.just(OWL.sameAs), _thing),
        _one(_property, st.just(OWL.sameAs), _property),
        _one(_cls, st.just(OWL.sameAs), _cls),
        _one(_property, st.just(RDFS.subPropertyOf), st.sampled_from([OWL.sameAs, RDFS.subClassOf, RDF.type])),
    ),
)
DATA = st.one_of(_one(_thing, _property, _thing), _one(_thing, st.just(RDF.type), _class_or_restriction))
# owlrl leaves reflexive statements out that follow by transitivity. Where all terms are declared it has them.
DECLARED = [
    *(Triple(one, RDF.type, OWL.Class) for one in _CLASSES + _RESTRICTIONS),
    *(Triple(one, RDF.type, OWL.ObjectProperty) for one in _PROPERTIES),
]
# Dense enough that most rules have something to conclude in most of them.
ONTOLOGIES = st.tuples(st.lists(AXIOMS, min_size=5, max_size=9), st.lists(DATA, min_size=4, max_size=7)).map(
    lambda both: [one for part in (*both[0], *both[1]) for one in part]
)


def stored(triples: Iterable[Triple]) -> LocalStore:
    store = LocalStore.in_memory()
    store.add_quads(Quad(*one, GRAPH) for one in triples)
    store.settle([GRAPH])
    return store


@examples(40)
@given(ONTOLOGIES)
def test_agrees_with_owlrl_on_any_ontology(triples: list[Triple]) -> None:
    store = stored([*triples, *DECLARED])
    report = whole(store)
    ours = inferred(store)
    assert report.triples == len(ours)
    assert compared(ours) == compared(owlrl_conclusions([*triples, *DECLARED]))


@examples(20)
@given(ONTOLOGIES)
def test_every_conclusion_rests_on_what_is_stated(triples: list[Triple]) -> None:
    store = stored(triples)
    whole(store)
    for conclusion in inferred(store):
        proof = why(store, conclusion, None, RuleSet.OWL_RL)
        assert proof.rule is not None
        assert leaves(proof) <= set(triples)


@examples(20)
@given(ONTOLOGIES)
def test_the_common_rules_conclude_nothing_else(triples: list[Triple]) -> None:
    store = stored(triples)
    infer(store)
    common = inferred(store)
    whole(store)
    assert common <= inferred(store)


# Contradictions


@pytest.mark.parametrize(("rule", "turtle", "statements"), CONTRADICTIONS, ids=[one for one, _, _ in CONTRADICTIONS])
def test_contradiction_is_found_with_its_statements(rule: str, turtle: str, statements: int) -> None:
    store = store_of(turtle + " .")
    report = whole(store)
    (found,) = report.contradictions
    assert (found.rule, len(found.premises)) == (rule, statements)
    for premise in found.premises:
        why(store, premise, None, RuleSet.OWL_RL)


@pytest.mark.parametrize(("rule", "turtle", "_"), CONTRADICTIONS, ids=[one for one, _, _ in CONTRADICTIONS])
def test_without_one_of_its_statements_there_is_no_contradiction(rule: str, turtle: str, _: int) -> None:
    whole_graph = store_of(turtle + " .")
    (found,) = whole(whole_graph).contradictions
    triples = [quad.triple for quad in whole_graph.match() if quad.graph_name != INFERRED]
    for premise in set(found.premises) & set(triples):
        assert not whole(stored(one for one in triples if one != premise)).contradictions


def test_contradictions_of_what_follows_are_found_and_more_than_are_kept_are_counted_so() -> None:
    members = "".join(f"ex:x{number} a ex:E . " for number in range(1_001))
    store = store_of(f"ex:E rdfs:subClassOf ex:C , ex:D . ex:C owl:disjointWith ex:D . {members}")
    report = whole(store)
    assert len(report.contradictions) == 1_000
    assert report.more_contradictions == {"cax-dw"}


def test_a_symmetric_contradiction_is_told_once() -> None:
    store = store_of("ex:p a owl:AsymmetricProperty , owl:SymmetricProperty . ex:x ex:p ex:y .")
    assert [one.rule for one in whole(store).contradictions] == ["prp-asyp"]


def test_a_large_group_of_equals_is_one_class_and_written_for_each() -> None:
    values = " , ".join(f"ex:v{number}" for number in range(40))
    store = store_of(f"ex:p a owl:FunctionalProperty . ex:x ex:p {values} . ex:v3 ex:q 1 .")
    report = whole(store)
    same = [one for one in inferred(store) if one.predicate == OWL.sameAs]
    assert len(same) == 40 * 39
    assert len([one for one in inferred(store) if one.predicate == ex("q")]) == 39
    assert report.triples == 40 * 39 + 39


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_values_that_come_later_equal_those_before(order: tuple[str, str]) -> None:
    first, second = order
    store = store_of(
        f"""ex:a ex:named ex:b . ex:p a owl:FunctionalProperty . ex:q rdfs:subPropertyOf ex:p .
        ex:x ex:p ex:{first} ; ex:q ex:{second} ."""
    )
    whole(store)
    assert Triple(ex("a"), OWL.sameAs, ex("b")) in inferred(store)


def test_an_anonymous_inverse_leads_on_and_is_never_written() -> None:
    store = store_of("ex:R owl:onProperty [ owl:inverseOf ex:p ] ; owl:someValuesFrom ex:C . ex:x a ex:C ; ex:p ex:y .")
    whole(store)
    expected = Triple(ex("y"), RDF.type, ex("R"))
    assert inferred(store) == {expected}
    proof = why(store, expected, None, RuleSet.OWL_RL)
    assert leaves(proof) <= {quad.triple for quad in store.match(graph=GRAPH)}


def test_a_background_with_restrictions_gives_premises() -> None:
    store = store_of("ex:x ex:p ex:y .")
    ontology = store_of("ex:C owl:equivalentClass [ owl:onProperty ex:p ; owl:someValuesFrom owl:Thing ] .")
    background = background_of(store, ontology, RuleSet.OWL_RL)
    infer(store, background, RuleSet.OWL_RL)
    expected = Triple(ex("x"), RDF.type, ex("C"))
    assert expected in inferred(store)
    assert all(one.subject == ex("x") for one in inferred(store))
    assert why(store, expected, background, RuleSet.OWL_RL).premises


def test_cancelling_leaves_nothing_behind() -> None:
    store = store_of("ex:p a owl:FunctionalProperty ." + "".join(f"ex:x ex:p ex:n{n} . " for n in range(50)))
    before = set(store.match())
    token = CancelToken()

    def progress(text: str, fraction: float | None) -> None:
        token.cancel()

    with pytest.raises(Cancelled):
        infer(store, None, RuleSet.OWL_RL, progress=progress, limits=Limits(cancel=token))
    assert set(store.match()) == before
