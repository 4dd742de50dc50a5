"""Queries into questions: what can be a blank, what else could stand there, and nothing that an engine would refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import QuerySyntaxError, WrongParameter
from hpc_explorer.query.questions.asking import choices_of, complete_text
from hpc_explorer.query.questions.make_question import (
    Blank,
    PossibleBlank,
    one_word,
    possible_blanks,
    question_of_query,
)
from hpc_explorer.query.questions.question import Question
from hpc_explorer.query.questions.question_file import questions_of_text, questions_text
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import store_of

PREFIXES = {"ex": "http://example.org/", "xsd": str(XSD), "unused": "urn:unused:"}
GRAPH = """ex:a a ex:Run ; ex:in ex:north ; ex:size 3 ; ex:called "first"@en .
ex:b a ex:Run ; ex:in ex:south ; ex:size 20 ; ex:called "second"@en .
ex:c a ex:Log ; ex:in ex:south ; ex:size 7 ; ex:called "third"@en ."""
QUERY = """PREFIX e: <http://example.org/>
# the runs of "ex:north"
SELECT ?run (?size * 2 AS ?twice) WHERE {
  ?run a e:Run ; e:in|e:within ex:north ; e:size ?size ; e:called "first"@en .
  FILTER(?size >= 3)
  FILTER(CONTAINS(STR(?run), "a"))
  VALUES ?one { 1 }
} ORDER BY ?run LIMIT 10"""


def named(text: str) -> dict[str, PossibleBlank]:
    return {one.name: one for one in possible_blanks(text, PREFIXES)}


def question(text: str, *names: str) -> Question:
    places = named(text)
    return question_of_query(
        text, [Blank(places[name], name, name) for name in names], name="mine", title="Mine", prefixes=PREFIXES
    )


@pytest.fixture
def store() -> LocalStore:
    return store_of(GRAPH)


def test_constants_of_conditions_and_no_others() -> None:
    found = named(QUERY)
    assert {name: one.written for name, one in found.items() if one.value is not None} == {
        "value": "2", "class": "e:Run", "within": "ex:north", "called": '"first"@en', "size2": "3", "value2": '"a"',
    }  # fmt: skip
    assert found["class"].value == NamedNode("http://example.org/Run")
    assert found["called"].value == Literal("first", language="en")
    assert [one.written for one in found.values() if one.value is None] == ["?size"]


def test_a_question_asks_what_the_query_asked(store: LocalStore) -> None:
    mine = question(QUERY, "class", "within", "called", "size2")
    values = {one.name: one.default for one in mine.parameters if one.default is not None}
    asked = store.select(complete_text(mine, mine.variants[0], values))
    assert [row["run"] for row in asked] == [NamedNode("http://example.org/a")]
    others = {name: value for name, value in values.items() if name == "class"}
    assert mine.variants[0].select.prefixes == (("e", "http://example.org/"), ("ex", "http://example.org/"))
    by_name = {one.name: one for one in mine.parameters}
    places, _ = choices_of(store, by_name["within"], others)
    assert {choice.value.value[-5:] for choice in places} == {"north", "south"}
    places, _ = choices_of(store, by_name["within"], values)
    assert {choice.value.value[-5:] for choice in places} == {"north"}
    words, _ = choices_of(store, by_name["called"], {})
    assert {choice.value.value for choice in words} == {"first", "second", "third"}


def test_what_a_filter_compares_is_chosen_among_what_is_there(store: LocalStore) -> None:
    mine = question("SELECT ?x { ?x ex:size ?size FILTER(?size > 5) }", "size2")
    (parameter,) = mine.parameters
    assert (parameter.datatype, parameter.default) == (XSD.integer, Literal("5", datatype=XSD.integer))
    found, _ = choices_of(store, parameter, {})
    assert sorted(choice.value.value for choice in found) == ["20", "3", "7"]


def test_a_value_of_a_list_can_be_a_blank_and_the_others_stay(store: LocalStore) -> None:
    text = "SELECT ?x { ?x ex:size ?size . VALUES ?size { 3 7 } OPTIONAL { ?x ex:in ?in VALUES ?in { ex:north } } }"
    (parameter,) = (mine := question(text, "size2")).parameters
    assert mine.variants[0].select.text == (
        "SELECT ?x { ?x ex:size ?size . FILTER (?size IN ($size2, 7)) "
        "OPTIONAL { ?x ex:in ?in VALUES ?in { ex:north } } }"
    )
    found, _ = choices_of(store, parameter, {})
    assert sorted(choice.value.value for choice in found) == ["20", "3", "7"]
    asked = store.select(complete_text(mine, mine.variants[0], {"size2": Literal(20)}))
    assert {row["x"].value[-1] for row in asked} == {"b", "c"}  # type: ignore[union-attr]  # IRIs
    assert "in2" in named(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x { VALUES ?x { ex:a } OPTIONAL { ?x ex:in ?in } }",
        "SELECT ?x { ?x ex:size ?size } VALUES ?size { 3 }",
        "SELECT ?x { ?x ex:size ?size VALUES (?size) { (3) } }",
    ],
)
def test_a_list_that_alone_binds_its_variable_offers_no_blank(text: str) -> None:
    assert [one for one in named(text).values() if one.value is not None] == []


def test_what_conditions_give_no_values_for_is_typed() -> None:
    (parameter,) = question('SELECT ?x { ?x ex:called ?c FILTER(STRSTARTS(?c, "f")) }', "value").parameters
    assert (parameter.choices, parameter.default) == (None, Literal("f"))


def test_a_variable_can_be_a_blank_too(store: LocalStore) -> None:
    mine = question("SELECT ?x { ?x ex:in ?place }", "place")
    found, _ = choices_of(store, mine.parameters[0], {})
    assert len(found) == 2
    assert mine.parameters[0].default is None
    assert mine.variants[0].select.text == "SELECT ?x { ?x ex:in $place }"


def test_relative_names_keep_their_base(store: LocalStore) -> None:
    mine = question("BASE <http://example.org/> SELECT ?x { ?x <in> <north> }", "in")
    values = {mine.parameters[0].name: NamedNode("http://example.org/south")}
    assert len(list(store.select(complete_text(mine, mine.variants[0], values)))) == 2


@pytest.mark.parametrize("text", ["ASK { ?s ?p ?o }", "SELECT ?s {", "", "nonsense", "INSERT DATA { <a:a> <a:b> 1 }"])
def test_what_is_no_query_is_refused(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        possible_blanks(text)


def test_names_are_those_of_variables_that_are_free() -> None:
    place = named("SELECT ?x { ?x ex:in ex:north }")["in"]
    for name in ("x", "two words", "", "a-b", "1st"):
        with pytest.raises(WrongParameter):
            question_of_query(
                "SELECT ?x { ?x ex:in ex:north }", [Blank(place, name, "")], name="m", title="M", prefixes=PREFIXES
            )
    with pytest.raises(WrongParameter, match="one word"):
        question_of_query("SELECT ?x { ?x ex:in 1 }", [], name="my own", title="M", prefixes=PREFIXES)
    assert one_word("Which runs failed?", ["which-runs-failed"]) == "which-runs-failed-2"
    assert one_word("?!") == "question"


TERMS = st.sampled_from(
    ["ex:north", "<http://example.org/x#y>", '"a b"', '"""long\n"text" """', "'it\\'s'@de-AT", "-4", "2.5e3", "true",
     '"7"^^xsd:byte', "ex:a.b", "ex:a\\~b", "?o"]
)  # fmt: skip


@examples(60)
@given(
    st.lists(st.tuples(st.sampled_from(["ex:p", "a", "^ex:p", "ex:p*", "?p"]), TERMS), min_size=1, max_size=4),
    st.sampled_from(["", " # a 'comment\n", " FILTER(?s != ex:b) ", " OPTIONAL { ?s ex:q 7 } "]),
    st.data(),
)
def test_any_choice_of_blanks_is_a_question_that_reads_back(
    pairs: list[tuple[str, str]], more: str, data: st.DataObject
) -> None:
    text = "SELECT ?s WHERE { " + " . ".join(f"?s {verb} {term}" for verb, term in pairs) + " ." + more + "}"
    places = possible_blanks(text, PREFIXES)
    chosen = data.draw(st.lists(st.sampled_from(places), unique=True, max_size=4)) if places else []
    mine = question_of_query(
        text, [Blank(one, one.name, one.label) for one in chosen], name="mine", title=" Two  words", prefixes=PREFIXES
    )
    assert questions_of_text(questions_text([mine]), "mine.ttl") == (mine,)
    assert [one.name for one in mine.parameters] == [one.name for one in chosen]
