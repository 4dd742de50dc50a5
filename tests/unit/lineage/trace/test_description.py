"""A lineage as a graph: its evidence and what is said of its resources, each quad once."""

from hpc_explorer.lineage.trace.description import lineage_quads
from hpc_explorer.lineage.trace.trace import trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.stores.description import descriptions
from tests.helpers.graphs import ex, store_of

STORY = (
    "ex:model a hpc:AIModel ; hpc:name 'm' ; prov:wasGeneratedBy ex:run ; hpc:memorySize [ qudt:value 1 ; qudt:unit unit:BYTE ] ."
    "ex:run prov:used ex:data . ex:unrelated hpc:name 'no' ; hpc:about ex:model ."
)


def test_a_lineage_carries_the_descriptions_of_its_resources() -> None:
    store = store_of(STORY)
    quads = list(lineage_quads(store, trace(store, ex("model"), LINEAGE_VOCABULARY)))
    assert len(quads) == len(set(quads))
    assert set(quads) == {quad for quad in store.match() if quad.subject != ex("unrelated")}


def test_blank_nodes_that_hang_on_each_other_end() -> None:
    store = store_of("ex:a ex:p _:x . _:x ex:p _:y . _:y ex:p _:x .")
    assert set(descriptions(store, [ex("a")])) == set(store.match())
