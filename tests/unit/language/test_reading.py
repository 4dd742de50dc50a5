"""What the reader does with words it knows, and with words it does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.language.interpretation import Status
from hpc_explorer.language.words import near_spellings
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text


@pytest.fixture(scope="module")
def campaign() -> Iterator[Session]:
    session = Session.new()
    open_sources(session, ["sample:campaign"])
    yield session
    session.close()


def test_an_unknown_word_is_named_with_similar_ones(campaign: Session) -> None:
    found = interpret(campaign, "models with a frobnicate")
    assert found.status is Status.REFUSED
    assert [one.text for one in found.unknown] == ["frobnicate"]
    assert not found.readings


def test_a_word_in_several_names_means_any_of_them() -> None:
    session = Session.new()
    open_sources(session, ["sample:xplacer"])
    read = [reading.sentence for reading in interpret(session, "hotspot").readings]
    assert "Parse the hotspot logs or Merge the hotspot tables or Label the hotspot table" in read
    refused = interpret(session, "who made the kernel")  # too many names have this word
    assert "only part of names" in refused.problem
    assert [word.text not in word.near for word in refused.unknown] == [True]
    session.close()


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("what data was randomForest.onnx made from", "“randomForest.onnx” is not known in this graph."),
        ("which datasets have a benchmark", "The vocabulary has “benchmark”, but nothing in this graph uses it."),
        (
            "Which files belong to the dataset with the most files?",
            "“files” and “dataset with the most files” are understood, but not “belong” beside them.",
        ),
        (
            "experiments about gauges",
            "“experiments” and “gauges” are understood, but not how they belong together. Ask for one of them first.",
        ),
    ],
)
def test_a_refusal_says_what_is_understood(campaign: Session, question: str, problem: str) -> None:
    found = interpret(campaign, question)
    assert found.status is Status.REFUSED
    assert found.problem == problem


def test_a_typing_error_is_corrected_and_told(campaign: Session) -> None:
    found = interpret(campaign, "AI mdels licensed under Apache-2.0")
    assert found.status is Status.UNDERSTOOD
    assert [(one.written, one.read) for one in found.corrected] == [("mdels", "models")]
    assert found.readings[0].rows == 2


def test_a_typing_error_in_a_condition_is_not_read_as_a_word_without_meaning(campaign: Session) -> None:
    found = interpret(campaign, "experiments of the first weke of April 2023")
    assert [(one.written, one.read) for one in found.corrected] == [("weke", "week")]
    assert found.readings[0].rows == 2


def test_a_question_is_a_query_of_the_query_model(campaign: Session) -> None:
    query = interpret(campaign, "datasets without a licence").readings[0].query
    assert query is not None
    assert query_model(sparql_text(query)).where == query.where


def test_a_question_without_an_answer_is_not_answered(campaign: Session) -> None:
    found = interpret(campaign, "experiments that started after 2030")
    assert found.status is Status.REFUSED
    assert "Nothing in this graph matches" in found.problem


def test_superlatives_keep_ties(campaign: Session) -> None:
    found = interpret(campaign, "the four largest files")
    assert found.readings[0].rows == 5  # two files of 310 GB share the fourth place


def test_lineage_words_follow_any_number_of_steps(campaign: Session) -> None:
    found = interpret(campaign, "AI models affected by Radar scans")
    assert found.readings[0].rows == 4


@pytest.mark.parametrize("text", ["", "  ", "?", ".;,", "the of", "and or not", "\0", "'" * 500, "((((" * 100])
def test_empty_sentences_are_refused(campaign: Session, text: str) -> None:
    assert interpret(campaign, text).status is Status.REFUSED


def test_similar_words_are_offered_only_if_they_give_a_reading(campaign: Session) -> None:
    assert interpret(campaign, "kernels").unknown[0].near == ()
    for text in (
        "kernels",
        "modlse trained on frobnicate",
        "datasets with lisence",
        "experimets that startde after 2030",
    ):
        for word in interpret(campaign, text).unknown:
            for near in word.near:
                asked = interpret(campaign, f"{text[: word.start]}{near}{text[word.end :]}")
                assert near not in {one.text for one in asked.unknown}, (text, near)


def test_the_word_that_is_used_more_is_offered_first() -> None:
    assert near_spellings("nods", ["nods of", "node", "nodd"], uses={"nodd": 9})[:2] == ["nodd", "node"]


def test_the_meaning_of_a_word_can_be_chosen(campaign: Session) -> None:
    found = interpret(campaign, "projects")
    (meaning,) = [one for one in found.meanings if one.lexeme.role == "class"]
    assert [term.value.rpartition("#")[2] for term in meaning.terms] == ["Project"]
    assert interpret(campaign, "projects", (meaning.lexeme,)).readings == found.readings
    others = [one for one in found.meanings if one.lexeme.role == "property"]
    assert others
    chosen = interpret(campaign, "projects", (others[0].lexeme,))
    assert chosen.readings != found.readings
    assert chosen.meanings == found.meanings


@pytest.mark.parametrize(
    "text",
    [
        "experiments that used every dataset",
        "experiments that used all datasets",
        "datasets used by all experiments of Tomas Lindqvist",
        "models trained without Rain pairs 2.0",
        "experiments at the end of April 2023",
        "Is any model of all projects without a licence?",
    ],
)
def test_what_no_query_says_is_not_read_as_something_else(campaign: Session, text: str) -> None:
    assert interpret(campaign, text).status is Status.REFUSED


def test_only_excludes_everything_else(campaign: Session) -> None:
    assert interpret(campaign, "experiments that used only Rain pairs 1.0").readings[0].rows == 1
    # Each experiment that used these also used other data.
    assert interpret(campaign, "experiments that used only Coarse rain fields").status is Status.REFUSED
    assert interpret(campaign, "experiments that only used Coarse rain fields").status is Status.REFUSED


def test_a_negated_choice_holds_where_one_of_both_is_missing(campaign: Session) -> None:
    both, either = (one.rows for one in interpret(campaign, "datasets without a licence or a version").readings[:2])
    assert (both, either) == (1, 4)
    assert interpret(campaign, "datasets that lack a licence or a version").readings[0].rows == 4


def test_a_reading_that_takes_too_long_has_no_number_of_rows(campaign: Session) -> None:
    best = interpret(campaign, "datasets without a licence").readings[0]
    assert best.size == "1 row"
    assert replace(best, rows=None).size == "number of rows unknown"
    assert replace(best, rows=10_000, at_least=True).size == "at least 10,000 rows"


def test_words_that_are_left_out_are_told(campaign: Session) -> None:
    found = interpret(campaign, "models without a licence for my thesis")
    assert found.readings[0].left_out == ("for my thesis",)
    assert found.notes == ("“for my thesis” was left out.",)
    assert interpret(campaign, "my experiments").readings[0].left_out == ("my",)
    assert interpret(campaign, "models without a licence for my customers").status is Status.REFUSED
    assert interpret(campaign, "models without a licence that I like").status is Status.REFUSED
    assert interpret(campaign, "I would like to see models without a licence").notes == ()


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("I'm writing a report: which models have no licence?", "I'm writing a report"),
        ("which models have no licence, because I want to reuse one", "because I want to reuse one"),
    ],
)
def test_what_the_speaker_tells_beside_a_question_is_left_out_and_told(
    campaign: Session, text: str, left_out: str
) -> None:
    found = interpret(campaign, text)
    assert found.status is Status.UNDERSTOOD
    assert found.readings[0].sentence == "AI models without a license"
    assert found.notes == (f"“{left_out}” was left out.",)


def test_what_is_named_beside_a_question_may_restrict_it_and_is_asked_back(campaign: Session) -> None:
    assert interpret(campaign, "I work for Storm Surge: which models have no licence?").status is Status.AMBIGUOUS
