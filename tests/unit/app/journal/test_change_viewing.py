"""Changes as a person reads them: by resource and property, with names, values that are nodes as one value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.journal.change_viewing import view_change, view_unpushed
from hpc_explorer.app.journal.change_views import (
    ChangedProperty,
    ChangeView,
    Happened,
    by_whom,
    change_figures,
    statement_figures,
)
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import QUDT, RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet, net_change
from tests.helpers.examples import examples
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

GRAPH = """
@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
ex:model a ex:Model ; rdfs:label "Model 7" ; ex:accuracy 0.95 ; ex:trainedOn ex:data ;
  ex:time [ a qudt:Quantity ; qudt:numericValue 12.5 ; qudt:unit unit:HR ] ;
  ex:layers ( 64 32 16 ) ; ex:author [ a ex:Person ; ex:mail "a@example.org" ] .
ex:data a ex:Dataset ; rdfs:label "Data 1" .
ex:other a ex:Model ; rdfs:label "Model 8" .
ex:accuracy a rdfs:Property ; rdfs:label "accuracy" .
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "g.ttl").write_text(GRAPH, encoding="utf-8")
    load_into(tmp_path / "w", [str(tmp_path / "g.ttl")])
    session = session_of(tmp_path / "w", keep_workspace=True)
    yield session
    session.close()


def graph_of(session: Session) -> NamedNode:
    return session.sources[0].graph


def edited(session: Session, removed: list[tuple], added: list[tuple]) -> ChangeSet:  # type: ignore[type-arg]
    """Make a change of triples, and return what it did."""
    graph = graph_of(session)
    change = ChangeSet(tuple(Quad(*one, graph) for one in removed), tuple(Quad(*one, graph) for one in added))
    return session.edit(change).change


def told(view: ChangeView) -> list[tuple[str, list[tuple[str, list[str], list[str]]]]]:
    """What is shown, as plain texts."""

    def one(made: ChangedProperty) -> tuple[str, list[str], list[str]]:
        return made.label, [value.text for value in made.removed], [value.text for value in made.added]

    return [(shown.ref.label, [one(made) for made in shown.properties]) for shown in view.resources]


def value_of(session: Session, subject: NamedNode, predicate: NamedNode) -> object:
    return next(iter(session.store.match(subject, predicate))).object


def test_names_before_and_after(session: Session) -> None:
    old, new = Literal("0.95", datatype=XSD.decimal), Literal("0.96", datatype=XSD.decimal)
    change = edited(session, [(ex("model"), ex("accuracy"), old)], [(ex("model"), ex("accuracy"), new)])
    view = view_change(session, change)
    assert told(view) == [("Model 7", [("accuracy", ["0.95"], ["0.96"])])]
    shown = view.resources[0]
    assert shown.happened is Happened.CHANGED
    assert (shown.removed, shown.added) == (1, 1)
    assert [value.datatype for value in shown.properties[0].values] == ["xsd:decimal", "xsd:decimal"]
    assert set(shown.quads) == {*change.removed, *change.added}
    assert (view.removed, view.added, view.total, view.matching) == (1, 1, 1, 1)


def test_a_quantity_is_one_value_before_and_after(session: Session) -> None:
    node = value_of(session, ex("model"), ex("time"))
    old, new = Literal("12.5", datatype=XSD.decimal), Literal("13", datatype=XSD.decimal)
    change = edited(session, [(node, QUDT.numericValue, old)], [(node, QUDT.numericValue, new)])
    assert told(view_change(session, change)) == [("Model 7", [("time", ["12.5 h"], ["13 h"])])]


def test_a_quantity_that_goes_with_its_node(session: Session) -> None:
    node = value_of(session, ex("model"), ex("time"))
    gone = [(quad.subject, quad.predicate, quad.object) for quad in session.store.match(node)]
    change = edited(session, [(ex("model"), ex("time"), node), *gone], [])
    view = view_change(session, change)
    assert told(view) == [("Model 7", [("time", ["12.5 h"], [])])]
    assert (view.resources[0].removed, view.resources[0].added) == (4, 0)
    new = BlankNode()
    added = [
        (ex("model"), ex("time"), new),
        (new, QUDT.numericValue, Literal("3", datatype=XSD.integer)),
        (new, QUDT.unit, NamedNode("http://qudt.org/vocab/unit/MIN")),
    ]
    change = net_change([change, edited(session, [], added)])
    assert told(view_change(session, change)) == [("Model 7", [("time", ["12.5 h"], ["3 min"])])]


def test_an_item_far_in_a_list(session: Session) -> None:
    cell = value_of(session, ex("model"), ex("layers"))
    rest = next(iter(session.store.match(cell, RDF.rest))).object  # type: ignore[arg-type]
    last = next(iter(session.store.match(rest, RDF.rest))).object  # type: ignore[arg-type]
    old, new = Literal("16", datatype=XSD.integer), Literal("8", datatype=XSD.integer)
    change = edited(session, [(last, RDF.first, old)], [(last, RDF.first, new)])
    assert told(view_change(session, change)) == [("Model 7", [("layers", ["64, 32, 16"], ["64, 32, 8"])])]


def test_what_is_said_of_a_node_belongs_to_its_resource(session: Session) -> None:
    node = value_of(session, ex("model"), ex("author"))
    change = edited(
        session, [(node, ex("mail"), Literal("a@example.org"))], [(node, ex("mail"), Literal("b@example.org"))]
    )
    shown = told(view_change(session, change))
    assert shown == [("Model 7", [("author › mail", ["a@example.org"], ["b@example.org"])])]


def test_new_and_removed_resources_have_their_names(session: Session) -> None:
    old = [(ex("other"), RDF.type, ex("Model")), (ex("other"), RDFS.label, Literal("Model 8"))]
    new = [
        (ex("fresh"), RDF.type, ex("Model")),
        (ex("fresh"), RDFS.label, Literal("Model 9")),
        (ex("fresh"), ex("near"), ex("data")),
    ]
    view = view_change(session, edited(session, old, new))
    assert [(one.ref.label, one.happened, one.ref.kind) for one in view.resources] == [
        ("Model 8", Happened.GONE, "Model"),
        ("Model 9", Happened.NEW, "Model"),
    ]
    assert told(view)[1][1][-1] == ("near", [], ["Data 1"])


def test_words_choose_resources(session: Session) -> None:
    change = edited(
        session, [], [(ex("model"), ex("note"), Literal("checked")), (ex("data"), ex("note"), Literal("Checked twice"))]
    )
    assert [one.ref.label for one in view_change(session, change).resources] == ["Data 1", "Model 7"]
    assert [one.ref.label for one in view_change(session, change, words="TWICE note").resources] == ["Data 1"]
    view = view_change(session, change, words="model", most=0)
    assert (len(view.resources), view.matching, view.total) == (0, 1, 2)


@pytest.mark.slow
def test_a_large_change_is_shown_in_part(session: Session) -> None:
    change = edited(session, [], [(ex(f"r{n}"), RDFS.label, Literal(f"Run {n}")) for n in range(1, 3001)])
    view = view_change(session, change, most=10)
    assert [one.ref.label for one in view.resources][8:] == ["Run 9", "Run 10"]
    assert (view.matching, view.total, view.added) == (3000, 3000, 3000)
    assert view_change(session, change, words="run 77", most=5).matching == 57


STATEMENTS = st.lists(
    st.tuples(
        st.sampled_from([ex("model"), ex("data"), ex("fresh"), *(BlankNode(f"n{n}") for n in range(3))]),
        st.sampled_from([ex("p"), RDF.first, RDF.rest, QUDT.numericValue, QUDT.unit]),
        st.sampled_from([*(BlankNode(f"n{n}") for n in range(3)), RDF.nil, ex("data"), Literal("1"), Literal("2")]),
        st.booleans(),
    ),
    max_size=12,
    unique=True,
)


@given(STATEMENTS)
@examples(60)
def test_no_statement_is_lost_or_counted_twice(session: Session, statements: list[tuple]) -> None:  # type: ignore[type-arg]
    graph = graph_of(session)
    quads = {(Quad(*one[:3], graph), one[3]) for one in statements}
    quads = {(quad, added) for quad, added in quads if added or (quad, True) not in quads}
    change = ChangeSet(tuple(q for q, added in quads if not added), tuple(q for q, added in quads if added))
    view = view_change(session, change, now=False)
    assert sum(one.added for one in view.resources) == len(change.added)
    assert sum(one.removed for one in view.resources) == len(change.removed)
    assert len({one.ref.resource for one in view.resources}) == view.total == len(view.resources)


def test_what_is_not_pushed_yet(session: Session) -> None:
    assert view_unpushed(session).figures == "0 resources changed, +0 statements"
    step = EditStep.made(session, ChangeSet(added=(Quad(ex("model"), ex("note"), Literal("a"), graph_of(session)),)))
    edited(session, [], [(ex("data"), ex("note"), Literal("b"))])
    seen = view_unpushed(session)
    assert [(one.resources, one.removed, one.added) for one in seen.sources] == [(2, 0, 2)]
    assert (seen.edits, seen.recorded, seen.view.total) == (2, 2, 2)
    assert seen.figures.startswith("2 resources changed, +2 statements, 2 edits")
    assert step is not None
    step.undo()
    seen = view_unpushed(session)
    assert (seen.edits, seen.recorded, seen.view.total) == (1, 3, 1)


def test_figures() -> None:
    assert change_figures(3, 2, 5) == "3 resources changed, +5 \u22122 statements"
    assert change_figures(1, 1, 0) == "1 resource changed, \u22121 statement"
    assert statement_figures(0, 0) == "+0 statements"
    assert by_whom(()) == ""
    assert [by_whom(("ana", "ben", "cleo")[:n]) for n in (1, 2, 3)] == [
        " by ana",
        " by ana and ben",
        " by ana, ben and cleo",
    ]
    assert by_whom(("ana", "ben", "cleo", "dan")) == " by ana and 3 others"
