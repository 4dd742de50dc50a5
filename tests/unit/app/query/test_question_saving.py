"""A SPARQL text becomes a question of one's own over the open graph, with today's rows as its example."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hpc_explorer.app.query.question_checks import check_examples, graphs_of_examples
from hpc_explorer.app.query.question_files import own_questions
from hpc_explorer.app.query.question_saving import blanks_of_text, blanks_to_save, question_of_text, save_text
from hpc_explorer.app.query.questions import (
    ask_question,
    filled_in,
    fitting_questions,
    parameter_choices,
    value_of_text,
)
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.questions.make_question import Blank
from hpc_explorer.query.questions.question import Question
from hpc_explorer.query.questions.question_file import read_questions
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.sessions import session_of

MODELS = """SELECT ?model ?accuracy WHERE {
  ?model a hpc:AIModel ; hpc:targetMachine <http://example.org/cluster/lassen> ; hpc:accuracy ?accuracy .
  FILTER(?accuracy > 0.94)
}"""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = session_of("sample:xplacer")
    yield session
    session.close()


def made(session: Session, text: str, *names: str, rows_of: str = "") -> Question:
    places = {one.place.name: one.place for one in blanks_of_text(session, text)}
    blanks = [Blank(places[name], name, places[name].label) for name in names]
    return question_of_text(session, text, blanks, name="mine", title="Mine", rows_of=rows_of)


def test_blanks_are_read_by_their_labels(session: Session) -> None:
    assert [(one.place.label, one.stands) for one in blanks_of_text(session, MODELS)] == [
        ("class", "AI model"),
        ("target machine", "lassen"),
        ("accuracy", "0.94"),
    ]


def test_a_threshold_may_be_any_number(session: Session) -> None:
    mine = made(session, MODELS, "targetMachine", "accuracy2")
    threshold = mine.parameters[1]
    assert [one.label for one in parameter_choices(session, threshold, {}).items] == ["0.934", "0.957"]
    assert filled_in(session, mine, {})["accuracy2"] == Literal("0.94", datatype=XSD.decimal)
    values = filled_in(session, mine, {"accuracy2": "0.5"})
    assert values["accuracy2"] == Literal("0.5", datatype=XSD.decimal)
    assert len(ask_question(session, mine, values).table.rows) == 2
    for text in ("much", "", "1e", "0x1"):
        with pytest.raises(WrongParameter):
            value_of_text(session, threshold, text, {})


def test_words_of_a_filter_are_typed(session: Session) -> None:
    text = 'SELECT ?x { ?x hpc:name ?name FILTER(CONTAINS(?name, "Forest")) }'
    mine = made(session, text, "value")
    assert mine.parameters[0].choices is None
    assert len(ask_question(session, mine, filled_in(session, mine, {})).table.rows) == 2
    values = filled_in(session, mine, {"value": "decisionTree"})
    assert len(ask_question(session, mine, values).table.rows) == 3


def test_choices_that_the_graph_does_not_have_are_left_out(session: Session) -> None:
    mine = made(session, 'SELECT ?x { { SELECT ?x { ?x hpc:name "decisionTree.onnx" } } }', "name")
    assert mine.parameters[0].choices is None
    assert filled_in(session, mine, {}) == {"name": Literal("decisionTree.onnx")}


def test_todays_rows_are_tomorrows_test(session: Session) -> None:
    mine = made(session, MODELS, "targetMachine", rows_of="sample:xplacer")
    (example,) = mine.examples
    assert example.values == (("targetMachine", NamedNode("http://example.org/cluster/lassen")),)
    assert [row[0] for row in example.rows] == [NamedNode("http://example.org/AIModel/MO000002")]
    assert graphs_of_examples([mine]) == ("sample:xplacer",)
    assert [one.difference for one in check_examples(session, [mine], "sample:xplacer")] == [""]
    assert list(check_examples(session, [mine], "sample:nsf")) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": ()}, "1 row and not 0"),
        ({"columns": ("model", "other")}, "columns model, accuracy and not model, other"),
        (
            {"rows": ((NamedNode("urn:a"), None),)},
            "row 1, model: <http://example.org/AIModel/MO000002> and not <urn:a>",
        ),
        ({"values": (("targetMachine", NamedNode("urn:a")),)}, "0 rows and not 1"),
        ({"values": (("stray", NamedNode("urn:a")),)}, "no parameter of this name"),
    ],
)
def test_what_differs_is_said(session: Session, change: dict[str, object], said: str) -> None:
    mine = made(session, MODELS, "targetMachine", rows_of="sample:xplacer")
    changed = replace(mine, examples=(replace(mine.examples[0], **change),))  # type: ignore[arg-type]  # fields by name
    (checked,) = check_examples(session, [changed], "sample:xplacer")
    assert said in checked.difference


def test_numbers_and_moments_are_compared_by_value(session: Session) -> None:
    mine = made(session, 'SELECT (1.50 AS ?n) ("2021-01-01T01:00:00+01:00"^^xsd:dateTime AS ?t) {}', rows_of="here")
    moment = Literal("2021-01-01T00:00:00.000Z", datatype=XSD.dateTime)
    changed = replace(mine.examples[0], rows=((Literal("1.5", datatype=XSD.double), moment),))
    (checked,) = check_examples(session, [replace(mine, examples=(changed,))], "here")
    assert checked.difference == ""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("SELECT ?size { ?file hpc:size ?size }", "blank nodes"),
        ("SELECT * { ?a ?b ?c . ?d a hpc:AIModel }", "too many rows"),
    ],
)
def test_what_cannot_be_expected_is_refused(session: Session, text: str, what: str) -> None:
    with pytest.raises(WrongParameter, match=what):
        made(session, text, rows_of="sample:xplacer")


def test_a_query_is_saved_in_place_of_one_of_the_same_name(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path))
    before = blanks_to_save(session, MODELS)
    assert [one.place.name for one in before.blanks] == [one.place.name for one in blanks_of_text(session, MODELS)]
    assert "run-cost" in before.shipped
    assert "mine" not in before.own
    for title in ("Mine", "Mine, too"):
        save_text(session, MODELS, [], name="mine", title=title)
    assert blanks_to_save(session, MODELS).own == before.own | {"mine"}
    (saved,) = read_questions(own_questions()["mine"])
    assert (saved.title, saved.parameters) == ("Mine, too", ())


def test_questions_that_fit_are_listed_with_ones_own_and_what_cannot_be_read(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path))
    save_text(session, MODELS, [], name="mine", title="Mine")
    (own_questions()["mine"].parent / "broken.ttl").write_text("this is no Turtle", encoding="utf-8")
    found = fitting_questions(session)
    names = {question.name for question in found.questions}
    assert names >= {"mine", "hpc-q3"}
    assert "prov-ml-q5" not in names
    assert found.own == {"mine"}
    assert len(found.problems) == 1
