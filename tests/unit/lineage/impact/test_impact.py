"""Impact: every model downstream, counted exactly, by the shortest way, and nothing that is only credited."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.impact.impact import Reached, impact
from hpc_explorer.lineage.impact.projects import projects_of
from hpc_explorer.lineage.trace.trace import Direction, trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import GRAPH, ex, store_of

LIFE = """
ex:curation prov:used ex:raw . ex:clean prov:wasGeneratedBy ex:curation .
ex:run prov:used ex:clean ; prov:wasAssociatedWith ex:ada ; hpc:wasAssociatedWithHardware ex:lassen ;
    prov:wasInfluencedBy ex:plan . ex:plan a prov:Plan .
ex:model a provml:Model ; prov:wasGeneratedBy ex:run ; prov:wasDerivedFrom ex:raw .
ex:tuned a provml:Model ; prov:wasDerivedFrom ex:model .
ex:other a provml:Model ; prov:wasDerivedFrom ex:elsewhere .
"""
MODELS = [ex("model"), ex("tuned"), ex("other")]


def reached(store: LocalStore, start: NamedNode) -> dict[str, int]:
    return {one.resource.value.rsplit("/", 1)[1]: one.distance for one in found(store, start)}


def found(store: LocalStore, start: NamedNode) -> tuple[Reached, ...]:
    return impact(store, start, LINEAGE_VOCABULARY, MODELS)


def test_data_activities_machines_people_and_plans_reach_the_models_after_them() -> None:
    store = store_of(LIFE)
    assert reached(store, ex("raw")) == {"model": 1, "tuned": 2}
    assert reached(store, ex("clean")) == {"model": 2, "tuned": 3}
    for setting in ("lassen", "ada", "plan", "run"):
        assert set(reached(store, ex(setting))) == {"model", "tuned"}, setting
    assert reached(store, ex("elsewhere")) == {"other": 1}
    assert reached(store, ex("nothing")) == {}


def test_the_way_is_the_shortest_and_each_step_has_its_statement() -> None:
    (model, tuned) = found(store_of(LIFE), ex("raw"))
    assert [(edge.cause, edge.effect) for edge in model.path] == [(ex("raw"), ex("model"))]
    assert [(edge.cause, edge.effect) for edge in tuned.path] == [
        (ex("raw"), ex("model")),
        (ex("model"), ex("tuned")),
    ]
    assert all(edge.evidence for edge in tuned.path)


def test_credit_carries_no_fault_on_but_a_question_may_begin_there() -> None:
    store = store_of("ex:ada prov:wasDerivedFrom ex:raw . ex:model prov:wasAttributedTo ex:ada .")
    assert reached(store, ex("ada")) == {"model": 1}
    assert reached(store, ex("raw")) == {}


def test_projects_by_their_own_word_else_by_that_of_what_made_them() -> None:
    store = store_of(
        LIFE + "ex:plan provlake:isPartOf ex:study . ex:study a provml:Study ."
        "ex:p a hpc:Project ; hpc:aiModel ex:other . ex:tuned hpc:project ex:p ."
    )
    assert projects_of(store, [*MODELS, ex("raw")], LINEAGE_VOCABULARY) == {
        ex("model"): {ex("study")},
        ex("tuned"): {ex("p")},
        ex("other"): {ex("p")},
    }


# Credit is left out: a trace follows it, an impact does not.
STEPS = [
    PROV.wasDerivedFrom, PROV.used, PROV.wasGeneratedBy, PROV.generated, PROV.wasInformedBy,
    PROV.wasInfluencedBy, PROV.specializationOf, PROV.hadMember, DCTERMS.hasPart, DCTERMS.isPartOf,
    PROV.wasAssociatedWith, HPC.wasAssociatedWithHardware,
]  # fmt: skip
THINGS = st.sampled_from([*map(ex, "abcdefgh"), BlankNode("x")])
GRAPHS = st.sampled_from([GRAPH, ex("other")])
_LINKS = st.builds(Quad, THINGS, st.sampled_from(STEPS), THINGS, GRAPHS)
_OTHERS = (
    st.builds(
        Quad, THINGS, st.sampled_from([PROV.qualifiedUsage, PROV.qualifiedDerivation, PROV.entity]), THINGS, GRAPHS
    )
    | st.builds(Quad, THINGS, st.just(RDF.type), st.just(PROV.Plan), GRAPHS)
    | st.builds(Quad, THINGS, st.just(PROV.wasDerivedFrom), st.just(Literal("x")), GRAPHS)
)
STATEMENTS = st.tuples(
    st.lists(_LINKS, min_size=5, max_size=14, unique=True), st.lists(_OTHERS, min_size=3, max_size=12, unique=True)
).map(lambda both: [*both[0], *both[1]])


@examples(200)
@given(STATEMENTS)
def test_what_is_reached_is_what_can_be_traced_back(quads: list[Quad]) -> None:
    """An impact, a trace down from the start, and a trace up from each of the others say the same of each pair."""
    store = LocalStore.in_memory()
    store.add_quads(quads)
    things = sorted(
        {end for quad in quads for end in (quad.subject, quad.object) if not isinstance(end, Literal)}, key=str
    )
    up = {one: trace(store, one, LINEAGE_VOCABULARY).nodes for one in things}
    for start in things:
        down = trace(store, start, LINEAGE_VOCABULARY, direction=Direction.DOWNSTREAM).nodes
        traced = {one: node.depth for one, node in down.items() if one != start}
        assert traced == {one: up[one][start].depth for one in things if one != start and start in up[one]}
        for targets, fan_out in itertools.product((things, things[::3]), (0, 1, 32)):
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr("hpc_explorer.lineage.impact.impact.FAN_OUT", fan_out)
                reached = {one.resource: one.distance for one in impact(store, start, LINEAGE_VOCABULARY, targets)}
            assert reached == {one: depth for one, depth in traced.items() if one in targets}
