"""A resource as the inspector shows it, and the graph as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.explore.described import all_values, described
from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.explore.overview import overview
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode

EX = "http://example.org/"
CATS = 30


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    cats = "".join(
        f"ex:cat{number} a ex:Cat ; ex:age {number} . ex:tom ex:knows ex:cat{number} .\n" for number in range(CATS)
    )
    (tmp_path / "cats.ttl").write_text(
        "@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        f"ex:Cat rdfs:subClassOf ex:Animal . ex:age rdfs:domain ex:Cat .\n{cats}",
        encoding="utf-8",
    )
    with closing(Session.new()) as made:
        open_sources(made, [str(tmp_path / "cats.ttl")])
        yield made


@pytest.mark.parametrize(("name", "fields"), [("Cat", {EX + "age"}), ("tom", set()), ("age", set())])
def test_a_class_comes_with_the_properties_of_its_instances(session: Session, name: str, fields: set[str]) -> None:
    found = described(session, NamedNode(EX + name))
    assert found.view == describe_resource(session, NamedNode(EX + name))
    assert {field.term.value for field, _ in found.fields} == fields


@pytest.mark.parametrize(("name", "incoming"), [("tom", False), ("Cat", True)])
def test_all_values_of_a_property_are_listed(session: Session, name: str, incoming: bool) -> None:
    resource = NamedNode(EX + name)
    view = describe_resource(session, resource, values_per_property=3)
    (shown,) = (one for one in (view.incoming if incoming else view.outgoing) if one.total.value == CATS)
    assert len(shown.values) == 3
    whole = all_values(session, resource, shown, incoming)
    assert (whole.predicate, len(whole.values)) == (shown.predicate, CATS)


def test_the_size_of_the_graph_does_not_count_what_was_inferred(session: Session) -> None:
    before = overview(session)
    assert (before.triples, before.inferred) == (session.store.size(), 0)
    report = infer(session)
    after = overview(session)
    assert report.triples >= CATS
    assert (after.triples, after.inferred) == (before.triples, report.triples)
    assert {node.ref.iri for node in after.classes} >= {EX + "Animal"}
