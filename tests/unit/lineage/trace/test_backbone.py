"""The main line of a lineage: the setting aside, no shortcut beside a longer way, nothing cut in two."""

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.trace.backbone import backbone, main_line
from hpc_explorer.lineage.trace.trace import Direction, trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY, Relation
from hpc_explorer.rdf.namespaces import PROV
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import GRAPH, ex, store_of

STORY = """
ex:model prov:wasGeneratedBy ex:train ; prov:wasDerivedFrom ex:data .
ex:train prov:used ex:data ; prov:wasAssociatedWith ex:ada ; hpc:wasAWH ex:lassen ; prov:wasInformedBy ex:parse .
ex:data prov:wasGeneratedBy ex:parse . ex:parse prov:used ex:log ; hpc:wasAWH ex:lassen .
"""


def test_shortcuts_and_setting_are_set_aside_and_told() -> None:
    store = store_of(STORY)
    line = backbone(trace(store, ex("model"), LINEAGE_VOCABULARY))
    assert set(line.nodes) == {ex(name) for name in ("model", "train", "data", "parse", "log")}
    assert {edge.relation for edge in line.edges} == {Relation.GENERATED, Relation.USED}
    assert {(edge.effect, edge.relation) for edge in line.shortcuts} == {
        (ex("model"), Relation.DERIVED),
        (ex("train"), Relation.INFORMED),
    }
    assert set(line.setting[ex("train")]) == {ex("ada"), ex("lassen")}


def test_everything_can_be_kept() -> None:
    lineage = trace(store_of(STORY), ex("model"), LINEAGE_VOCABULARY)
    line = backbone(lineage, with_setting=True, with_shortcuts=True)
    assert line.edges == lineage.edges
    assert line.nodes == tuple(lineage.nodes)
    assert line.setting == {}
    assert line.shortcuts == ()


def test_a_summary_without_a_longer_way_stays() -> None:
    line = backbone(trace(store_of("ex:b prov:wasDerivedFrom ex:a ."), ex("b"), LINEAGE_VOCABULARY))
    assert [edge.relation for edge in line.edges] == [Relation.DERIVED]


def test_downstream_of_a_machine_the_machine_is_the_line() -> None:
    lineage = trace(store_of(STORY), ex("lassen"), LINEAGE_VOCABULARY, direction=Direction.DOWNSTREAM)
    assert set(backbone(lineage).nodes) == {ex(name) for name in ("lassen", "train", "parse", "data", "model")}


names = st.sampled_from("abcdefg")
predicates = st.sampled_from([PROV.wasDerivedFrom, PROV.wasInformedBy, PROV.used, PROV.wasGeneratedBy])


@given(st.lists(st.tuples(names, predicates, names), max_size=20))
def test_leaving_shortcuts_out_never_changes_what_can_be_reached(facts) -> None:  # type: ignore[no-untyped-def]
    store = LocalStore.in_memory()
    store.add_quads(Quad(ex(effect), predicate, ex(cause), GRAPH) for effect, predicate, cause in facts)
    lineage = trace(store, ex("a"), LINEAGE_VOCABULARY)
    line = backbone(lineage)
    reached = {ex("a")}
    while True:
        more = {edge.cause for edge in line.edges if edge.effect in reached} - reached
        if not more:
            break
        reached |= more
    assert reached == set(lineage.nodes)
    assert len(line.edges) + len(line.shortcuts) == len(lineage.edges)


def test_the_main_line_is_a_lineage_of_its_own() -> None:
    lineage = trace(store_of(STORY), ex("model"), LINEAGE_VOCABULARY)
    line = main_line(lineage)
    assert [node.resource for node in line.ends()] == [ex("log")]
    assert len(line.edges) == 4
    assert line.complete
