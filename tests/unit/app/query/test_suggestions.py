"""The lists of the tab Ask, with the names that a person reads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hpc_explorer.app.query.facet_lists import (
    Named,
    class_count,
    may_be_range,
    subclasses_to_ask,
    suggested_classes,
    suggested_matches,
    suggested_properties,
    suggested_values,
)
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query import building
from hpc_explorer.query.building import Direction, FocusedQuery
from hpc_explorer.query.facets.value_search import ValueMatch
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Count
from tests.helpers.sessions import session_of


@pytest.fixture
def session() -> Iterator[Session]:
    session = session_of("sample:xplacer")
    yield session
    session.close()


def models() -> FocusedQuery:
    return building.new_query(HPC.AIModel, name="model")


def test_the_beginning_offers_the_classes_that_things_are_of(session: Session) -> None:
    found = suggested_classes(session, building.new_query(None), "", 0)
    counts = {found.refs[one.class_].label: one.count.value for one in found.options}  # type: ignore[union-attr]  # classes
    assert counts["AI model"] == 3
    assert counts["Cluster"] == 1


def test_properties_of_both_directions_stand_in_one_list_those_that_most_have_first(session: Session) -> None:
    gpus = building.new_query(HPC.GPU)
    found = suggested_properties(session, gpus, "", 0)
    ways = {one.direction for one in found.options}  # type: ignore[union-attr]  # properties
    assert ways == set(Direction)
    counts = [one.count.value for one in found.options]
    assert counts == sorted(counts, reverse=True)
    assert RDF.type not in {one.property for one in found.options}  # type: ignore[union-attr]  # properties
    assert found.total.value == len(found.options)
    assert not found.has_more


def test_a_page_goes_on_where_the_one_before_ended(session: Session) -> None:
    whole = suggested_properties(session, models(), "", 0)
    rest = suggested_properties(session, models(), "", 10)
    assert rest.options == whole.options[10:]
    assert rest.total == whole.total


def test_lists_are_searched_by_name(session: Session) -> None:
    found = suggested_properties(session, models(), "target mach", 0)
    assert [found.refs[one.property].label for one in found.options] == ["target machine"]  # type: ignore[union-attr]
    assert suggested_classes(session, building.new_query(None), "clus", 0).total.value == 1


def test_values_are_called_by_their_labels(session: Session) -> None:
    machines = building.with_property(models(), HPC.targetMachine, Direction.FORWARD, name="machine")
    found = suggested_values(session, machines, "", 0)
    assert {found.refs[one.value].label for one in found.options} == {"lassen", "pascal-workstation"}  # type: ignore[union-attr,index]


def test_a_word_finds_values_around_the_focus(session: Session) -> None:
    found = suggested_matches(session, models(), "lassen")
    (match,) = found.options
    assert isinstance(match, ValueMatch)
    assert match.property == HPC.targetMachine
    assert match.count.value == 2
    assert found.refs[match.property].label == "target machine"


def test_a_word_finds_texts_too(session: Session) -> None:
    found = suggested_matches(session, building.new_query(HPC.Project), "xplac")
    assert Literal("Xplacer") in [one.value for one in found.options]  # type: ignore[union-attr]  # matches


def test_only_what_may_be_a_range_is_asked_for_one(session: Session) -> None:
    def values(cls: NamedNode, name: str) -> Named:
        of = building.with_property(building.new_query(cls), HPC.term(name), Direction.FORWARD, name=name)
        return suggested_values(session, of, "", 0)

    assert may_be_range(values(HPC.Experiment, "startDate"))
    assert may_be_range(values(HPC.Cluster, "totalClusterMemorySize"))
    assert not may_be_range(values(HPC.AIModel, "name"))
    assert not may_be_range(values(HPC.AIModel, "targetMachine"))


def test_what_the_graph_itself_says_of_a_class(session: Session) -> None:
    assert class_count(session, HPC.AIModel).value == 3
    assert class_count(session, HPC.Artifact).value == 0  # only the shipped ontology knows what is below


def test_subclasses_are_listed_where_the_graph_does_not_know_them(session: Session) -> None:
    def node(cls: NamedNode, own: int, *below: ClassNode, total: int) -> ClassNode:
        ref = ResourceRef(cls, cls.value, cls.value, "", "", "")
        return ClassNode(ref, "", Count(total), Count(own), (), below)

    known = class_count(session, HPC.AIModel).value
    model = node(HPC.AIModel, known, total=known)
    assert subclasses_to_ask(session, model) == {}
    assert subclasses_to_ask(session, node(HPC.Other, 0, model, total=known)) == {HPC.AIModel: HPC.AIModel.value}
