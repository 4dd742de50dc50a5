"""The rows of the lists of suggestions, ranges, and what would help an empty query, as they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from hpc_explorer.app.explore.class_filter import listed_classes
from hpc_explorer.app.explore.class_picture import every_class
from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.query.completion import class_facts, known_terms, more_terms, values_of
from hpc_explorer.app.query.facet_lists import Facet, SuggestedValues, suggested, suggested_values
from hpc_explorer.app.query.facets import reliefs, what_empties
from hpc_explorer.app.query.questions import open_text
from hpc_explorer.app.query.run_query import run_query
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query import building
from hpc_explorer.query.building import Direction, FocusedQuery
from hpc_explorer.query.completion.candidates import offered
from hpc_explorer.query.facets.options import ClassOption
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.query.table import Table
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode

MODELS = building.new_query(HPC.AIModel, name="model")
MACHINES = building.with_property(MODELS, HPC.targetMachine, Direction.FORWARD, name="machine")
ACCURACIES = building.with_property(MODELS, HPC.accuracy, Direction.FORWARD, name="accuracy")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with closing(Session.new()) as made:
        open_sources(made, ["sample:xplacer"])
        yield made


@pytest.mark.parametrize(
    ("facet", "focused", "words", "label", "count", "way"),
    [
        (Facet.CLASSES, building.new_query(None), "", "AI model", "3", ""),
        (Facet.PROPERTIES, MODELS, "", "target machine", "3", "→"),
        (Facet.VALUES, MACHINES, "", "lassen", "2", ""),
        (Facet.MATCHES, MODELS, "lassen", "target machine: lassen", "2", "→"),
    ],
)
def test_each_list_has_rows_with_labels_and_counts(
    session: Session, facet: Facet, focused: FocusedQuery, words: str, label: str, count: str, way: str
) -> None:
    found = suggested(session, facet, focused, words, 0, None)
    (row,) = (row for row in found.rows if row.label == label and row.way == way)
    assert row.count == count


def test_a_class_has_the_same_look_in_the_lists_the_tree_and_at_home(session: Session) -> None:
    tree = class_tree(session)
    nodes = every_class(tree).values()
    looks = {node.ref.label: node.ref.colour_key for node in nodes}
    home = {node.ref.label: node.ref.colour_key for node in listed_classes(tree)}
    beginning = suggested(session, Facet.CLASSES, building.new_query(None), "", 0, None)
    assert {row.label: row.colour_key for row in beginning.rows} == {
        row.label: looks[row.label] for row in beginning.rows
    }
    assert home == {label: looks[label] for label in home}
    (node,) = (node for node in nodes if node.ref.label == "Workstation")
    assert isinstance(node.ref.resource, NamedNode)
    later = suggested(session, Facet.CLASSES, building.new_query(node.ref.resource), "", 0, None)
    assert {row.label: row.colour_key for row in later.rows}["Workstation"] == looks["Workstation"] != node.ref.iri


def test_found_values_of_the_same_name_are_told_apart_by_their_properties(session: Session) -> None:
    found = suggested(session, Facet.MATCHES, MACHINES, "v100", 0, None)
    assert {(row.label, row.detail) for row in found.rows} == {
        ("coprocessor: Nvidia V100", "hpc:coprocessor"),
        ("coprocessor: Nvidia V100", "hpc:coprocessorModel"),
    }


def test_the_values_that_a_query_asks_for_are_ticked(session: Session) -> None:
    (lassen,) = (row for row in suggested(session, Facet.VALUES, MACHINES, "lassen", 0, None).rows)
    chosen = suggested_values(session, MACHINES, "lassen", 0).options[0]
    asked = building.with_values(MACHINES, [chosen.value])  # type: ignore[union-attr]  # a value
    rows = suggested(session, Facet.VALUES, asked, "", 0, None).rows
    assert lassen.is_ticked is False
    assert {row.label: row.is_ticked for row in rows}["lassen"] is True


@pytest.mark.parametrize(
    ("focused", "words", "offset", "has_range"),
    [(ACCURACIES, "", 0, True), (ACCURACIES, "0.9", 0, False), (ACCURACIES, "", 1, False), (MACHINES, "", 0, False)],
)
def test_numbers_can_be_chosen_as_a_range_at_the_beginning_of_their_list(
    session: Session, focused: FocusedQuery, words: str, offset: int, has_range: bool
) -> None:
    found = suggested(session, Facet.VALUES, focused, words, offset, None)
    assert isinstance(found, SuggestedValues)
    assert (found.choice is not None) is (found.spread is not None) is has_range
    if found.choice is not None:
        assert len(found.choice.edges) == len(found.choice.counts) + 1
        assert sum(found.choice.counts) == 2
        ends = [end for pair in found.choice.ends for end in pair if end]
        assert (ends[0], ends[-1]) == ("0.934", "0.957")


def test_what_would_help_is_said_in_the_words_of_the_query(session: Session) -> None:
    query = query_model("SELECT * WHERE { ?m a hpc:AIModel . ?m hpc:colour ?colour }", session.prefixes)
    found = reliefs(session, query, lambda place: f"condition {place}")
    told = what_empties(session, query)
    assert [one.words for one in found] == [" and ".join(f"condition {place}" for place in one.places) for one in told]
    assert [(one.count, one.query) for one in found] == [(one.count, one.query) for one in told]


def test_the_text_of_a_question_is_in_the_terms_of_what_is_open(session: Session) -> None:
    (question,) = (one for one in shipped_questions() if one.name == "hpc-q3")
    text = open_text(session, question)
    assert text in {variant.select.whole for variant in question.variants}
    run_query(session, text)


def test_a_place_in_a_text_adds_what_it_needs_to_what_is_known(session: Session) -> None:
    text = "SELECT * { ?m a hpc:AIModel ; hpc:targetMachine "
    known = known_terms(session)
    place = offered(text, len(text), known)
    assert place.values is not None
    facts = class_facts(session, known, place.unknown_classes)
    assert more_terms(session, known, place, False) == facts
    assert more_terms(session, known, place, True) == values_of(session, facts, place.values)


@pytest.mark.parametrize(("with_subclasses", "data"), [(True, "28"), (False, None)])
def test_the_classes_in_a_query_already_begun_count_what_their_choice_finds(
    session: Session, with_subclasses: bool, data: str | None
) -> None:
    run = building.new_query(HPC.Experiment, name="run")
    used = building.with_property(run, HPC.used, Direction.FORWARD, name="input")
    found = suggested(session, Facet.CLASSES, used, "", 0, None, with_subclasses)
    for row in found.rows:
        option = row.key
        assert isinstance(option, ClassOption)
        chosen = building.with_class(used, option.class_, below=option.below, with_subclasses=with_subclasses)
        assert set(chosen.query.columns or used.query.variables) == set(used.query.variables), "no column was added"
        answer = run_query(session, sparql_text(replace(chosen.query, columns=(chosen.focus,))))
        assert isinstance(answer, Table)
        assert row.count == str(len(answer.rows)), row.label
    counts = {row.label: row.count for row in found.rows}
    # The sample itself does not say that a dataset is an artifact; the shipped ontology does.
    assert counts.get("Artifact") == data
