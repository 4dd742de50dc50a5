"""Inference: it agrees with owlrl, it is kept apart, it can be taken out, and each conclusion can be explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse

from hpc_explorer.errors import Cancelled, DeadlineExceeded, UnknownStatement, Unsupported
from hpc_explorer.ontology.explanation import Proof, why
from hpc_explorer.ontology.inference import background_of, infer, withdraw
from hpc_explorer.ontology.rules import INFERRED, RuleSet, says_nothing
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.datasets import XML_LITERALS
from tests.helpers.examples import examples
from tests.helpers.graphs import GRAPH, ex, store_of
from tests.helpers.owlrl_closure import owlrl_conclusions, skolemised


def triple(subject: NamedNode, predicate: NamedNode, value: NamedNode | Literal) -> Triple:
    return Triple(subject, predicate, value)


def inferred(store: LocalStore) -> set[Triple]:
    return {quad.triple for quad in store.match(graph=INFERRED)}


# The reference


_SAID_OF_EVERYTHING = (OWL.Thing, OWL.Nothing, RDFS.Resource, RDFS.Literal, RDFS.Datatype, OWL.AnnotationProperty)


def of_the_covered_rules(conclusions: set[Triple]) -> set[Triple]:
    """Those that are more than what eq-ref, scm-cls, prp-ap and dt-type1 say of each thing, class or datatype."""
    return {
        one
        for one in map(skolemised, conclusions)
        if one.predicate != OWL.sameAs
        and not says_nothing(one)
        and one.subject not in _SAID_OF_EVERYTHING
        and one.object not in _SAID_OF_EVERYTHING
    }


def stated_and_inferred(triples: Iterable[Triple]) -> tuple[LocalStore, set[Triple]]:
    store = LocalStore.in_memory()
    store.add_quads(Quad(*one, GRAPH) for one in triples)
    store.settle([GRAPH])
    infer(store)
    return store, inferred(store)


@pytest.mark.slow
def test_agrees_with_owlrl_on_prov_o(shared_data: Callable[[str], Path]) -> None:
    file = shared_data("ontologies/vocabularies/w3c_prov-o-20130430.ttl")
    whole = [quad.triple for quad in parse(path=str(file), format=RdfFormat.TURTLE)]
    _, ours = stated_and_inferred(whole)
    assert len(ours) > 200
    assert set(map(skolemised, ours)) <= owlrl_conclusions(whole)
    # Without unions, restrictions and lists, of which our rules say nothing, the two agree in everything.
    plain = [one for one in whole if not isinstance(one.subject, BlankNode) and not isinstance(one.object, BlankNode)]
    _, ours = stated_and_inferred(plain)
    assert of_the_covered_rules(ours) == of_the_covered_rules(owlrl_conclusions(plain))


_CLASSES = [ex(name) for name in ("A", "B", "C", "D")]
_PROPERTIES = [ex(name) for name in ("p", "q", "r")]
_THINGS = [*(ex(name) for name in ("x", "y", "z")), BlankNode("n")]
_cls, _property, _thing = st.sampled_from(_CLASSES), st.sampled_from(_PROPERTIES), st.sampled_from(_THINGS)

SCHEMAS = st.one_of(
    st.builds(Triple, _cls, st.sampled_from([RDFS.subClassOf, OWL.equivalentClass]), _cls),
    st.builds(
        Triple, _property, st.sampled_from([RDFS.subPropertyOf, OWL.equivalentProperty, OWL.inverseOf]), _property
    ),
    st.builds(Triple, _property, st.sampled_from([RDFS.domain, RDFS.range]), _cls),
    st.builds(Triple, _property, st.just(RDF.type), st.sampled_from([OWL.TransitiveProperty, OWL.SymmetricProperty])),
)
DATA = st.one_of(st.builds(Triple, _thing, _property, _thing), st.builds(Triple, _thing, st.just(RDF.type), _cls))
GRAPHS = st.tuples(st.lists(SCHEMAS, max_size=7), st.lists(DATA, max_size=6)).map(lambda both: [*both[0], *both[1]])


@examples(40)
@given(GRAPHS)
def test_agrees_with_owlrl_on_any_schema(triples: list[Triple]) -> None:
    _, ours = stated_and_inferred(triples)
    reference = owlrl_conclusions(triples)
    assert set(map(skolemised, ours)) <= reference
    assert of_the_covered_rules(ours) == of_the_covered_rules(reference)


@examples(25)
@given(GRAPHS)
def test_every_conclusion_rests_on_what_is_stated(triples: list[Triple]) -> None:
    store, ours = stated_and_inferred(triples)
    stated = set(triples)
    for conclusion in ours:
        proof = why(store, conclusion)
        assert proof.triple == conclusion
        assert leaves(proof) <= stated
        check(proof)


def leaves(proof: Proof) -> set[Triple]:
    return {proof.triple} if proof.rule is None else {leaf for one in proof.premises for leaf in leaves(one)}


def check(proof: Proof, above: frozenset[Triple] = frozenset()) -> None:
    """Nothing rests on itself, what is stated says where, and each step is one that its rule makes."""
    assert proof.triple not in above
    if proof.rule is None:
        assert proof.premises == ()
        assert proof.graphs
        return
    assert proof.graphs == ()
    (rule,) = [rule for rule in RuleSet.COMMON.rules if rule.name == proof.rule]
    follows_by(proof, rule.transitive)
    for premise in proof.premises:
        check(premise, above | {proof.triple})


def follows_by(proof: Proof, transitive: bool) -> None:
    """From the premises alone the conclusion follows; the steps of a transitive one make a chain."""
    premises = [one.triple for one in proof.premises]
    _, conclusions = stated_and_inferred(premises)
    assert proof.triple in conclusions
    if transitive:
        steps = [one for one in premises if one.predicate == proof.triple.predicate]
        assert all(before.object == after.subject for before, after in pairwise(steps))


# Rules by hand

BY_HAND = [
    ("rdfs2", "ex:p rdfs:domain ex:C . ex:x ex:p 1", (ex("x"), RDF.type, ex("C"))),
    ("rdfs3", "ex:p rdfs:range ex:C . ex:x ex:p ex:y", (ex("y"), RDF.type, ex("C"))),
    ("rdfs5", "ex:p rdfs:subPropertyOf ex:q . ex:q rdfs:subPropertyOf ex:r", (ex("p"), RDFS.subPropertyOf, ex("r"))),
    ("rdfs7", 'ex:p rdfs:subPropertyOf ex:q . ex:x ex:p "a"@en', (ex("x"), ex("q"), Literal("a", language="en"))),
    ("rdfs9", "ex:C rdfs:subClassOf ex:D . ex:x a ex:C", (ex("x"), RDF.type, ex("D"))),
    ("rdfs11", "ex:C rdfs:subClassOf ex:D . ex:D rdfs:subClassOf ex:E", (ex("C"), RDFS.subClassOf, ex("E"))),
    ("cax-eqc1", "ex:C owl:equivalentClass ex:D . ex:x a ex:C", (ex("x"), RDF.type, ex("D"))),
    ("cax-eqc2", "ex:C owl:equivalentClass ex:D . ex:x a ex:D", (ex("x"), RDF.type, ex("C"))),
    ("prp-eqp1", "ex:p owl:equivalentProperty ex:q . ex:x ex:p 1.50", (ex("x"), ex("q"), Literal("1.50", datatype=XSD.decimal))),
    ("prp-eqp2", "ex:p owl:equivalentProperty ex:q . ex:x ex:q ex:y", (ex("x"), ex("p"), ex("y"))),
    ("prp-inv1", "ex:p owl:inverseOf ex:q . ex:x ex:p ex:y", (ex("y"), ex("q"), ex("x"))),
    ("prp-inv2", "ex:p owl:inverseOf ex:q . ex:x ex:q ex:y", (ex("y"), ex("p"), ex("x"))),
    ("prp-symp", "ex:p a owl:SymmetricProperty . ex:x ex:p ex:y", (ex("y"), ex("p"), ex("x"))),
    ("prp-trp", "ex:p a owl:TransitiveProperty . ex:x ex:p ex:y . ex:y ex:p ex:z", (ex("x"), ex("p"), ex("z"))),
    ("scm-eqc1", "ex:C owl:equivalentClass ex:D", (ex("D"), RDFS.subClassOf, ex("C"))),
    ("scm-eqc2", "ex:C rdfs:subClassOf ex:D . ex:D rdfs:subClassOf ex:C", (ex("C"), OWL.equivalentClass, ex("D"))),
    ("scm-eqp1", "ex:p owl:equivalentProperty ex:q", (ex("q"), RDFS.subPropertyOf, ex("p"))),
    ("scm-eqp2", "ex:p rdfs:subPropertyOf ex:q . ex:q rdfs:subPropertyOf ex:p", (ex("p"), OWL.equivalentProperty, ex("q"))),
    ("scm-dom1", "ex:p rdfs:domain ex:C . ex:C rdfs:subClassOf ex:D", (ex("p"), RDFS.domain, ex("D"))),
    ("scm-dom2", "ex:q rdfs:domain ex:C . ex:p rdfs:subPropertyOf ex:q", (ex("p"), RDFS.domain, ex("C"))),
    ("scm-rng1", "ex:p rdfs:range ex:C . ex:C rdfs:subClassOf ex:D", (ex("p"), RDFS.range, ex("D"))),
    ("scm-rng2", "ex:q rdfs:range ex:C . ex:p rdfs:subPropertyOf ex:q", (ex("p"), RDFS.range, ex("C"))),
]  # fmt: skip


def test_each_rule_has_an_example() -> None:
    assert {name for name, _, _ in BY_HAND} == {rule.name for rule in RuleSet.COMMON.rules}


@pytest.mark.parametrize(("name", "turtle", "conclusion"), BY_HAND, ids=[name for name, _, _ in BY_HAND])
def test_rule_concludes_and_explains(
    name: str, turtle: str, conclusion: tuple[NamedNode, NamedNode, NamedNode]
) -> None:
    store = store_of(turtle + " .")
    report = infer(store)
    assert triple(*conclusion) in inferred(store)
    assert sum(report.by_rule.values()) == report.triples == len(inferred(store))
    assert name in report.by_rule
    proof = why(store, triple(*conclusion))
    assert proof.rule == name
    assert leaves(proof) <= {quad.triple for quad in store.match(graph=GRAPH)}


def test_a_schema_that_is_itself_inferred_is_obeyed() -> None:
    store = store_of(
        """ex:isA rdfs:subPropertyOf rdfs:subClassOf . ex:C ex:isA ex:D . ex:x a ex:C .
        ex:Chained rdfs:subClassOf owl:TransitiveProperty . ex:p a ex:Chained . ex:x ex:p ex:y . ex:y ex:p ex:z ."""
    )
    infer(store)
    assert {triple(ex("x"), RDF.type, ex("D")), triple(ex("x"), ex("p"), ex("z"))} <= inferred(store)
    assert leaves(why(store, triple(ex("x"), RDF.type, ex("D")))) <= {q.triple for q in store.match(graph=GRAPH)}


def test_literals_are_no_subjects_and_nothing_is_said_of_equality() -> None:
    store = store_of(
        'ex:p rdfs:range ex:C ; owl:inverseOf ex:q ; a owl:SymmetricProperty . ex:x ex:p "a" . ex:x owl:sameAs ex:y .'
    )
    infer(store)
    assert all(not isinstance(one.subject, Literal) and one.predicate != OWL.sameAs for one in inferred(store))


@pytest.mark.slow
def test_a_long_chain_is_closed_and_its_explanation_is_the_whole_row() -> None:
    store = store_of("ex:p a owl:TransitiveProperty ." + "".join(f"ex:n{n} ex:p ex:n{n + 1} ." for n in range(60)))
    report = infer(store)
    assert report.triples == 60 * 59 // 2
    proof = why(store, triple(ex("n0"), ex("p"), ex("n60")))
    assert len(proof.premises) == 61
    assert all(one.rule is None for one in proof.premises)


def test_a_circle_of_everything_is_explained_without_turning_in_it() -> None:
    store = store_of(
        """ex:p a owl:TransitiveProperty , owl:SymmetricProperty ; owl:inverseOf ex:q ; rdfs:subPropertyOf ex:q .
        ex:q rdfs:subPropertyOf ex:p . ex:a ex:p ex:b . ex:b ex:q ex:c . ex:c ex:q ex:a ."""
    )
    infer(store)
    for conclusion in inferred(store):
        check(why(store, conclusion))


# Apart, and out again


def test_what_is_stated_is_not_inferred_again_and_answers_stay_a_set() -> None:
    store = store_of("ex:C rdfs:subClassOf ex:D . ex:x a ex:C , ex:D . ex:y a ex:C .", "ex:x a ex:C .")
    infer(store)
    assert inferred(store) == {triple(ex("y"), RDF.type, ex("D"))}
    assert len(list(store.select("SELECT ?x WHERE { ?x a <http://example.org/D> }"))) == 2
    assert store.size().value == 6


@examples(25)
@given(GRAPHS, st.lists(st.tuples(_thing, _property, XML_LITERALS), max_size=4), st.booleans())
def test_withdrawing_leaves_the_store_as_it_was(
    triples: list[Triple], values: list[tuple[NamedNode, NamedNode, Literal]], overlapping: bool
) -> None:
    store = LocalStore.in_memory()
    store.add_quads(Quad(*one, GRAPH) for one in [*triples, *(Triple(*value) for value in values)])
    other = NamedNode("urn:test:other")
    store.add_quads(Quad(*one, other) for one in triples[: 2 if overlapping else 0])
    store.settle([GRAPH, other])
    count = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"

    def state() -> tuple[object, ...]:
        (answer,) = store.select(count)
        return set(store.match()), store.size(), set(store.graphs()), answer["n"]

    before = state()
    infer(store)
    again = (infer(store).triples, inferred(store))
    assert again == (infer(store).triples, inferred(store))
    assert not {quad.triple for quad in store.match() if quad.graph_name != INFERRED} & inferred(store)
    withdraw(store)
    assert state() == before


@pytest.mark.parametrize("after", [0, 1, 2])
def test_cancelling_leaves_nothing_behind(after: int) -> None:
    store = store_of("ex:p a owl:TransitiveProperty ." + "".join(f"ex:n{n} ex:p ex:n{n + 1} ." for n in range(80)))
    before = set(store.match())
    token = CancelToken()
    told: list[str] = []

    def progress(text: str, fraction: float | None) -> None:
        told.append(text)
        if len(told) > after:
            token.cancel()

    with pytest.raises(Cancelled):
        infer(store, progress=progress, limits=Limits(cancel=token))
    assert len(told) > after
    assert set(store.match()) == before
    assert INFERRED not in store.graphs()


def test_a_deadline_is_kept() -> None:
    store = store_of("ex:p a owl:TransitiveProperty ." + "".join(f"ex:n{n} ex:p ex:n{n + 1} ." for n in range(60)))
    with pytest.raises(DeadlineExceeded):
        infer(store, limits=Limits.seconds(-1))
    assert INFERRED not in store.graphs()


def test_a_store_that_is_open_read_only_refuses(tmp_path: Path) -> None:
    store = LocalStore.on_disk(tmp_path / "store")
    store.add_quads([Quad(ex("C"), RDFS.subClassOf, ex("D"), GRAPH), Quad(ex("x"), RDF.type, ex("C"), GRAPH)])
    store.close()
    reader = LocalStore.read_only(tmp_path / "store")
    with pytest.raises(Unsupported):
        infer(reader)


# With an ontology in the background


def test_a_background_gives_premises_and_says_so() -> None:
    store = store_of("ex:x a ex:C . ex:C rdfs:subClassOf ex:D . ex:x ex:p ex:y .")
    ontology = store_of("ex:D rdfs:subClassOf ex:E . ex:E rdfs:subClassOf ex:F . ex:p rdfs:range ex:R .")
    background = background_of(store, ontology)
    infer(store, background)
    assert inferred(store) == {
        triple(ex("x"), RDF.type, ex("D")),
        triple(ex("x"), RDF.type, ex("E")),
        triple(ex("x"), RDF.type, ex("F")),
        triple(ex("C"), RDFS.subClassOf, ex("E")),
        triple(ex("C"), RDFS.subClassOf, ex("F")),
        triple(ex("y"), RDF.type, ex("R")),
    }, "what follows from the background alone is not put into the graph"
    proof = why(store, triple(ex("y"), RDF.type, ex("R")), background)
    assert [(one.triple.predicate, one.in_background) for one in proof.premises] == [
        (ex("p"), False),
        (RDFS.range, True),
    ]
    far = why(store, triple(ex("x"), RDF.type, ex("F")), background)
    assert leaves(far) <= {quad.triple for one in (store, ontology) for quad in one.match(graph=GRAPH)}


def test_what_a_graph_says_of_its_own_terms_stands_before_the_background() -> None:
    store = store_of("ex:C rdfs:subClassOf ex:Own . ex:x a ex:C .")
    ontology = store_of("ex:C rdfs:subClassOf ex:Other . ex:Other owl:equivalentClass ex:C .")
    infer(store, background_of(store, ontology))
    assert inferred(store) == {triple(ex("x"), RDF.type, ex("Own"))}


def test_the_shipped_ontology_explains_a_graph_that_uses_it() -> None:
    store = store_of("ex:m a hpc:AIModel .")
    background = background_of(store, shipped_ontology())
    infer(store, background)
    classes = {one.object for one in inferred(store) if one.subject == ex("m")}
    assert NamedNode("http://www.w3.org/ns/prov#Entity") in classes
    assert all(one.subject == ex("m") for one in inferred(store))
    for conclusion in inferred(store):
        proof = why(store, conclusion, background)
        check_leaves_are_somewhere(proof)


def check_leaves_are_somewhere(proof: Proof) -> None:
    if proof.rule is None:
        assert proof.graphs
        assert proof.in_background == (proof.triple.subject != ex("m"))
    for premise in proof.premises:
        check_leaves_are_somewhere(premise)


# Questions that have no proof


def test_why_of_what_does_not_hold_is_a_named_error() -> None:
    store = store_of("ex:C rdfs:subClassOf ex:D . ex:x a ex:C .")
    infer(store)
    assert why(store, triple(ex("x"), RDF.type, ex("C"))) == Proof(
        triple(ex("x"), RDF.type, ex("C")), None, (), (GRAPH,), False
    )
    with pytest.raises(UnknownStatement, match="neither states"):
        why(store, triple(ex("x"), RDF.type, ex("Z")))


def test_why_of_a_conclusion_whose_premises_are_gone_is_a_named_error() -> None:
    store = store_of("ex:C rdfs:subClassOf ex:D . ex:D rdfs:subClassOf ex:C . ex:x a ex:C .")
    infer(store)
    store.update("DELETE WHERE { GRAPH <urn:test:graph> { ?x a ?c } }")
    with pytest.raises(UnknownStatement, match="any more"):
        why(store, triple(ex("x"), RDF.type, ex("D")))
