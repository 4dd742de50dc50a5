"""Ready questions over an open graph: which go with it, what may be chosen, what a person typed, and the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.query.question_files import known_questions, own_questions_folder
from hpc_explorer.app.query.questions import (
    ask_question,
    asked_about,
    default_value,
    filled_in,
    named_resources,
    parameter_choices,
    questions_for,
    value_of_text,
    variant_for,
)
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, UnknownQuestion, WrongParameter
from hpc_explorer.query.questions.library import named_question, shipped_questions
from hpc_explorer.query.questions.question import Question
from hpc_explorer.query.questions.question_file import questions_text
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import CancelToken, Limits
from tests.helpers.sessions import session_of

SEISMIC = "http://example.org/seismic/"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = session_of("sample:seismic")
    yield session
    session.close()


def question(name: str) -> Question:
    return named_question(shipped_questions(), name)


def integer(number: int) -> Literal:
    return Literal(str(number), datatype=XSD.integer)


def test_questions_that_go_with_the_graph(session: Session) -> None:
    found = questions_for(session, shipped_questions())
    assert [one.question.name for one in found if one.variants] == [
        *(f"prov-ml-q{number}" for number in range(1, 8)),
        "learning-curve",
    ]


def test_choices_are_labels_in_reading_order_and_can_be_sought(session: Session) -> None:
    (model,) = question("prov-ml-q1").parameters
    choices = parameter_choices(session, model, {})
    assert [choice.label for choice in choices.items] == [
        "Model after epoch 1, run 1",
        "Model after epoch 1, run 2",
        "Model after epoch 2, run 1",
        "Model after epoch 2, run 2",
        "Model after epoch 3, run 1",
    ]
    assert {choice.detail for choice in choices.items} == {"Model"}
    assert [choice.label for choice in parameter_choices(session, model, {}, "epo 2").items] == [
        "Model after epoch 1, run 2",
        "Model after epoch 2, run 1",
        "Model after epoch 2, run 2",
    ]
    assert len(parameter_choices(session, model, {}, at_most=2).items) == 2
    assert parameter_choices(session, model, {}, "no such").items == ()


def test_names_that_several_share_are_told_apart() -> None:
    session = Session.new()
    session.store.update(
        """PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX ml: <https://example.org/provml#>
        INSERT DATA { GRAPH <urn:g> {
        <http://x/w0/t> a ml:TrainingExecution . <http://x/w0/t/e0> prov:wasInformedBy <http://x/w0/t> .
        <http://x/w0/t/e1> prov:wasInformedBy <http://x/w0/t> .
        <http://x/w0/t/e0/model> a ml:Model ; prov:wasGeneratedBy <http://x/w0/t/e0> .
        <http://x/w0/t/e1/model> a ml:Model ; prov:wasGeneratedBy <http://x/w0/t/e1> . } }"""
    )
    (model,) = question("prov-ml-q1").parameters
    assert [choice.label for choice in parameter_choices(session, model, {}).items] == ["e0/model", "e1/model"]
    assert value_of_text(session, model, "e1/model", {}) == NamedNode("http://x/w0/t/e1/model")
    session.close()


@pytest.mark.parametrize(
    "text",
    [
        "Training set 1",
        "training SET 1",
        "seis:dataset1-training",
        f"<{SEISMIC}dataset1-training>",
        f" {SEISMIC}dataset1-training ",
    ],
)
def test_a_value_by_label_prefixed_name_or_iri(session: Session, text: str) -> None:
    (dataset,) = question("prov-ml-q4").parameters
    assert value_of_text(session, dataset, text, {}) == NamedNode(f"{SEISMIC}dataset1-training")


@pytest.mark.parametrize(
    ("name", "texts", "message"),
    [
        (
            "prov-ml-q4",
            {"dataset": "Training set 9"},
            "no such training dataset.*there are: Training set 1, Training set 2",
        ),
        ("prov-ml-q4", {"dataset": "http://x/y"}, "no such training dataset"),
        ("prov-ml-q4", {"dataset": '"}'}, "no such training dataset"),
        ("prov-ml-q4", {}, "needs a training dataset: dataset: there are: Training set 1"),
        ("prov-ml-q5", {"firstSlice": "101"}, "no such first slice: firstSlice=101: there are: 100, 400"),
        ("prov-ml-q5", {"firstSlice": "100", "lastSlice": "599"}, "no such last slice: lastSlice=599: there are: 299"),
        ("prov-ml-q5", {"slice": "1"}, "no parameter of this name: slice: its parameters: firstSlice, lastSlice"),
    ],
)
def test_errors_name_the_choices(session: Session, name: str, texts: dict[str, str], message: str) -> None:
    with pytest.raises(WrongParameter, match=message):
        filled_in(session, question(name), texts)


def test_a_graph_in_other_terms(session: Session) -> None:
    with pytest.raises(UnknownQuestion, match="does not use the vocabulary"):
        ask_question(session, question("hpc-q1"), {"projectName": Literal("Xplacer")})
    assert variant_for(session, question("prov-ml-q1"), "WITHOUT prov-ml terms").label == "without PROV-ML terms"
    with pytest.raises(UnknownQuestion, match="there are: with PROV-ML terms, without PROV-ML terms"):
        variant_for(session, question("prov-ml-q1"), "in other words")


def test_a_default_is_taken_where_the_graph_has_it(session: Session) -> None:
    (project,) = question("hpc-q1").parameters
    assert default_value(session, project, {}) is None
    other = session_of("sample:xplacer")
    assert default_value(other, project, {}) == Literal("Xplacer")
    assert filled_in(other, question("hpc-q3"), {}) == {"gpuName": Literal("Nvidia V100")}
    other.close()


def test_an_answer_says_what_was_asked_and_how_things_are_called(session: Session) -> None:
    values = {"firstSlice": integer(100)}
    found = ask_question(session, question("prov-ml-q5"), values)
    assert found.variant.label == "with PROV-ML terms"
    assert asked_about(session, found) == ("first slice: 100", "last slice: any")
    refs = named_resources(session, found.table)
    assert refs[found.table.rows[0][found.table.index("epoch")]].label == "Training epoch 1, run 1"  # type: ignore[index]  # an epoch is a resource
    assert len(ask_question(session, question("prov-ml-q5"), values, at_most=2).table.rows) == 2
    assert ask_question(session, question("prov-ml-q5"), values, limits=Limits.seconds(60)).table == found.table


def test_asking_can_be_stopped(session: Session) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        ask_question(session, question("prov-ml-q7"), {}, limits=Limits(cancel=token))


def test_own_questions_stand_beside_those_that_ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path))
    mine, theirs = question("hpc-q1"), question("hpc-q2")
    own = own_questions_folder()
    own.mkdir(parents=True)
    (own / "mine.ttl").write_text(questions_text([mine]).replace('"hpc-q1"', '"mine"'), encoding="utf-8")
    named = tmp_path / "theirs.ttl"
    named.write_text(questions_text([theirs]).replace("AI models for a machine", "Models"), encoding="utf-8")
    known = {one.name: one for one in known_questions([named])}
    assert len(known) == len(shipped_questions()) + 1
    assert known["mine"].parameters == mine.parameters
    assert known["hpc-q2"].title == "Models"
