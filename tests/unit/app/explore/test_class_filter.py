"""What filters leave of the classes: the same at each place of a class."""

from __future__ import annotations

from hpc_explorer.app.explore.class_filter import shown_classes
from hpc_explorer.app.explore.class_picture import ALONE
from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.workspace.session import Session
from tests.helpers.graphs import ex, store_of

# "Sensor" fits, and all below it stays. Below "Other", "Both" would be left for "Sensor two" alone.
GRAPH = (
    "ex:Both rdfs:subClassOf ex:Sensor , ex:Other . ex:Plain rdfs:subClassOf ex:Both ."
    "ex:SensorTwo rdfs:subClassOf ex:Both . ex:Far rdfs:subClassOf ex:Other . ex:x a ex:Plain ."
)


def test_a_class_that_is_left_has_the_same_below_it_at_each_place() -> None:
    session = Session(store_of(GRAPH))
    shown = shown_classes(class_tree(session), "sensor", only_used=False)
    assert {top.ref.label: [child.ref.label for child in top.children] for top in shown.tree} == {
        "Other": ["Both"],
        "Sensor": ["Both"],
    }
    places = [child for top in shown.tree for child in top.children]
    assert places[0] is places[1]
    assert [child.ref.label for child in places[0].children] == ["Plain", "Sensor two"]
    assert ex("Far").value not in shown.found
    assert shown.first == {ALONE, *(ex(name).value for name in ("Other", "Sensor", "Both"))}
    session.close()


def test_only_used_classes_and_their_way_up() -> None:
    session = Session(store_of(GRAPH))
    shown = shown_classes(class_tree(session), "", only_used=True)
    assert set(shown.found) == {ex(name).value for name in ("Plain", "Both", "Sensor", "Other")}
    assert {parent.ref.label for parent in shown.above[ex("Both").value]} == {"Other", "Sensor"}
    session.close()


def test_a_merged_class_is_found_under_the_name_it_has_in_the_tree() -> None:
    session = Session(store_of("ex:A a owl:Class ; owl:equivalentClass ex:B . ex:B a owl:Class . ex:x a ex:B ."))
    shown = shown_classes(class_tree(session), "", only_used=False)
    assert shown.places == {ex("A").value: ex("B").value, ex("B").value: ex("B").value}
    session.close()
