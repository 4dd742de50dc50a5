"""The change of a filled form is exactly what differs, and applied it gives exactly what was filled in."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.changing import change_of
from hpc_explorer.annotate.forms.entries import read_quantity_entry
from hpc_explorer.annotate.forms.values import Items, Node, Value, quantity_node, values_of
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import QUDT, UNIT, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Term
from hpc_explorer.stores.changes.changes import apply_effect, effect_of
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import GRAPH, ex, store_of


def number(text: str) -> Literal:
    return Literal(text, datatype=XSD.decimal)


def fill(store: LocalStore, filled: dict[NamedNode, Sequence[Value]]) -> tuple[int, int]:
    """Carry the change out; how many quads it removed and added."""
    change = change_of(store, ex("d"), filled, graph=GRAPH)
    effect = effect_of(store, change)
    assert (set(effect.change.removed), set(effect.change.added)) == (set(change.removed), set(change.added))
    apply_effect(store, effect)
    return len(change.removed), len(change.added)


def test_what_stays_is_not_touched() -> None:
    store = store_of("ex:d ex:p 1 , 2 ; ex:q 'kept' .")
    values = values_of(store, ex("d"))
    assert not change_of(store, ex("d"), values, graph=GRAPH)
    assert fill(store, {ex("p"): [values[ex("p")][0], Literal("3", datatype=XSD.integer)]}) == (1, 1)
    assert values_of(store, ex("d"))[ex("q")] == (Literal("kept"),)


def test_a_spelling_is_a_difference() -> None:
    store = store_of("ex:d ex:p 0.96 .")
    assert fill(store, {ex("p"): [number("0.9600")]}) == (1, 1)
    assert values_of(store, ex("d"))[ex("p")] == (number("0.9600"),)


def test_a_new_number_in_a_quantity_is_one_triple() -> None:
    store = store_of(
        "ex:d ex:size [ a qudt:QuantityValue ; qudt:value 16 ; qudt:unit unit:GigaBYTE ; rdfs:comment 'about' ] ."
    )
    (old,) = values_of(store, ex("d"))[ex("size")]
    assert isinstance(old, Node)
    assert fill(store, {ex("size"): [read_quantity_entry("32 GB", old)]}) == (1, 1)
    assert fill(store, {ex("size"): []}) == (5, 0)
    assert store.size().value == 0


def test_a_new_quantity_is_a_node_with_its_facts() -> None:
    store = store_of("")
    assert fill(store, {ex("size"): [quantity_node(number("16"), UNIT.GigaBYTE)]}) == (0, 4)
    (node,) = values_of(store, ex("d"))[ex("size")]
    assert isinstance(node, Node)
    assert str(node.quantity) == "16 GB"


def test_a_value_that_others_refer_to_stays() -> None:
    store = store_of("ex:d ex:size _:q . ex:e ex:size _:q . _:q qudt:value 16 ; qudt:unit unit:GigaBYTE .")
    assert fill(store, {ex("size"): []}) == (1, 0)
    assert len(list(store.match(None, QUDT.value))) == 1


def test_blank_nodes_go_with_all_that_hangs_on_them_alone() -> None:
    store = store_of("ex:d ex:part [ ex:in [ ex:is 1 ] ; ex:on _:shared ] . ex:e ex:has _:shared . _:shared ex:is 2 .")
    assert fill(store, {ex("part"): []}) == (4, 0)
    assert store.size().value == 2


def test_a_blank_node_that_refers_to_itself_is_not_its_own_orphan() -> None:
    store = store_of("_:d ex:self _:d ; ex:name 'kept' .")
    (subject,) = {quad.subject for quad in store.match(None, ex("self"))}
    change = change_of(store, subject, {ex("self"): []}, graph=GRAPH)  # type: ignore[arg-type]  # no quoted subject
    assert len(change.removed) == 1


def test_a_value_that_refers_to_itself_goes_with_what_is_said_of_it() -> None:
    store = store_of("ex:d ex:part _:p . _:p ex:is 1 ; ex:self _:p .")
    assert fill(store, {ex("part"): []}) == (3, 0)
    assert store.size().value == 0


def test_what_is_only_inferred_keeps_no_value() -> None:
    store = store_of("ex:d ex:part _:p . _:p ex:is 1 .")
    (node,) = (quad.object for quad in store.match(ex("d")))
    store.add_quads([Quad(ex("e"), ex("has"), node, INFERRED)])
    assert fill(store, {ex("part"): []}) == (2, 0)


def test_a_triple_leaves_all_graphs_and_is_not_stated_twice() -> None:
    store = store_of("ex:d ex:p 1 , 2 .", "ex:d ex:p 1 , 2 .")
    one = Literal("1", datatype=XSD.integer)
    assert fill(store, {ex("p"): [one]}) == (2, 0)
    assert set(store.match()) == {
        Quad(ex("d"), ex("p"), one, graph) for graph in (GRAPH, NamedNode(f"{GRAPH.value}:1"))
    }


_ITEMS = st.lists(st.integers(0, 4).map(lambda n: Literal(str(n), datatype=XSD.integer)), max_size=6)


@given(_ITEMS, _ITEMS)
def test_a_list_changes_in_place(before: list[Term], after: list[Term]) -> None:
    store = store_of("")
    fill(store, {ex("p"): [Items(tuple(before))]})
    (old,) = values_of(store, ex("d"))[ex("p")]
    assert isinstance(old, Items)
    assert old.items == tuple(before)
    removed, added = fill(store, {ex("p"): [Items(tuple(after), old.cells)]})
    (new,) = values_of(store, ex("d"))[ex("p")]
    assert isinstance(new, Items)
    assert new.items == tuple(after)
    assert store.size().value == 1 + 2 * len(after)
    assert added - removed == 2 * (len(after) - len(before))


_VALUES = st.sets(st.sampled_from([ex("a"), ex("b"), Literal("x"), Literal("x", language="en"), number("1.0")]))


@given(
    st.dictionaries(st.sampled_from([ex("p"), ex("q")]), _VALUES),
    st.dictionaries(st.sampled_from([ex("p"), ex("q")]), _VALUES),
)
def test_the_change_is_the_difference_and_undone_nothing(
    before: dict[NamedNode, set[Value]], after: dict[NamedNode, set[Value]]
) -> None:
    store = store_of("")
    fill(store, {predicate: list(values) for predicate, values in before.items()})
    stated = set(store.match())
    wanted: dict[NamedNode, Sequence[Value]] = {
        ex("p"): [],
        ex("q"): [],
        **{one: list(values) for one, values in after.items()},
    }
    change = change_of(store, ex("d"), wanted, graph=GRAPH)
    apply_effect(store, effect_of(store, change))
    now = set(store.match())
    assert now == {Quad(ex("d"), one, value, GRAPH) for one, values in after.items() for value in values}  # type: ignore[arg-type]  # terms
    assert (set(change.removed), set(change.added)) == (stated - now, now - stated)
    apply_effect(store, effect_of(store, change.inverse("")))
    assert set(store.match()) == stated
