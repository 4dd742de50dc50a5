"""What is offered at the cursor of a query: whatever the text, nothing fails, and what is offered exists in the graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.query.completion import class_facts, known_terms, values_of
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.completion.candidates import Completion, CompletionKind, completions, offered
from hpc_explorer.query.completion.edits import edits_of
from hpc_explorer.query.completion.known_terms import KnownTerm, KnownTerms, ValuesOf
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.rdf.sparql_tokens import meaning_tokens
from hpc_explorer.stores.base import Count
from tests.helpers.sessions import session_of
from tests.helpers.speed import ROOM, slowness

SharedData = Callable[[str], Path]

QUERIES = (
    'SELECT ?m WHERE { ?m a hpc:AIModel ; hpc:targetMachine ?x . ?x hpc:coprocessor/hpc:name "V100" }',
    "PREFIX hpc: <https://hpc-fair.github.io/ontology#>\nSELECT (COUNT(DISTINCT ?d) AS ?n) ?m { ?m a hpc:AIModel .\n"
    "  OPTIONAL { ?m hpc:wasDerivedFromDataset ?d FILTER(CONTAINS(LCASE(STR(?d)), 'csv') && ?n < 5.5e3) }\n"
    "} GROUP BY ?m HAVING (COUNT(?d) > 1) ORDER BY DESC(?n) ?m LIMIT 10 OFFSET 2 # the most",
    "ASK { [ a hpc:Dataset ; hpc:subject [ hpc:name 'x'@en, \"y\"^^xsd:string ] ] MINUS { ?a ^hpc:b|!(hpc:c|^a)+ (1 _:b) } }",
    "CONSTRUCT { ?a rdfs:label ?b } WHERE { GRAPH ?g { ?a rdfs:label ?b } VALUES (?a ?b) { (<http://a/b> UNDEF) } }",
    "DESCRIBE <http://example.org/AIModel/MO000001> FROM NAMED <http://g> { SERVICE SILENT <http://e> { ?s ?p ?o } }",
    "SELECT * { { SELECT ?s { ?s a/rdfs:subClassOf* hpc:Data } LIMIT 3 } UNION { BIND(IF(?a < ?b, 1, 2) AS ?c) } }",
    "SELECT * { ?s hpc:name '''two\nlines''' . FILTER NOT EXISTS { ?s a ?c } FILTER(?c IN (hpc:A, hpc:B)) }",
)


def applied(text: str, completion: Completion) -> tuple[str, int]:
    """Apply a completion; returns the text and the new cursor position."""
    edits = edits_of(text, completion)
    cursor = completion.start + len(completion.text)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
        if (start, end) != (completion.start, completion.end):
            cursor += len(new)
    return text, cursor


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = session_of("sample:xplacer")
    yield session
    session.close()


@pytest.fixture(scope="module")
def known(session: Session) -> KnownTerms:
    return known_terms(session)


def texts(found: tuple[Completion, ...]) -> list[str]:
    return [one.text for one in found]


def only(found: tuple[Completion, ...], kind: CompletionKind) -> tuple[Completion, ...]:
    return tuple(one for one in found if one.kind is kind)


def at(text: str, known: KnownTerms) -> tuple[Completion, ...]:
    """What is offered where `|` stands."""
    return completions(text.replace("|", "", 1), text.index("|"), known)


def meaning(text: str) -> list[str]:
    return [token.text for token in meaning_tokens(text)]


@st.composite
def broken_queries(draw: st.DrawFn) -> tuple[str, int]:
    """A query with a piece cut out of it, or put in, and a cursor somewhere."""
    text = draw(st.sampled_from(QUERIES))
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.integers(0, 30)))
    put_in = draw(
        st.sampled_from(["", " ", "\n", "?", "h", "hpc:", "<", '"', "{", "}", "(", ")", "^", "."]) | st.text(max_size=3)
    )
    text = text[:start] + put_in + text[end:]
    return text, draw(st.sampled_from([start, start + len(put_in)]) | st.integers(0, len(text)))


@given(broken_queries())
def test_nothing_fails_and_what_stands_around_stays(known: KnownTerms, query: tuple[str, int]) -> None:
    text, cursor = query
    for one in completions(text, cursor, known)[:40]:
        assert 0 <= one.start <= one.end <= len(text)
        assert one.start <= cursor
        before, after = meaning(text[: one.start]), meaning(text[one.end :])
        edited, place = applied(text, one)
        lines = [edit[2] for edit in edits_of(text, one)]
        around = meaning(edited)
        declared = [part for line in lines for part in meaning(line)]
        assert sorted(around) == sorted([*before, *declared, *after]), one
        assert around[len(around) - len(after) :] == after
        assert edited[:place].endswith(one.text)
        if not one.prefixes:
            assert around == [*before, *meaning(one.text), *after]


@given(st.text(max_size=40), st.integers(-3, 50))
def test_any_text_at_any_cursor(known: KnownTerms, text: str, cursor: int) -> None:
    completions(text, cursor, known)


@given(broken_queries())
def test_properties_and_classes_exist(session: Session, known: KnownTerms, query: tuple[str, int]) -> None:
    for one in completions(*query, known):
        if one.kind in (CompletionKind.PROPERTY, CompletionKind.INVERSE):
            name = one.text.strip().lstrip("^")
            predicate = session.prefixes.extended(dict(one.prefixes)).resolve(name) if name[0] != "<" else name[1:-1]
            assert next(session.store.match(None, session.prefixes.resolve(str(predicate).strip("<>"))), None)


@pytest.mark.parametrize("text", ["", "SEL", "PREFIX hpc: <https://hpc-fair.github.io/ontology#>\n"])
def test_forms_at_the_start(known: KnownTerms, text: str) -> None:
    assert texts(completions(text, len(text), known))[0] == "SELECT"


def test_more_completions_than_are_listed_are_counted() -> None:
    terms = {f"urn:many{n}": KnownTerm(f"urn:many{n}", f"many {n}", f"many {n}", Count(1)) for n in range(250)}
    text = "SELECT * { ?m many }"
    found = offered(text, text.index(" }"), KnownTerms(properties=terms, is_counted=True))
    assert (len(found.completions), found.left) == (200, 50)
    assert offered(text, text.index(" }"), KnownTerms(properties=dict(list(terms.items())[:9]))).left == 0


def test_a_property_by_the_words_of_its_label(known: KnownTerms) -> None:
    text = "SELECT * { ?m a hpc:AIModel ; target mach| }"
    (only,) = at(text, known)
    assert (only.label, only.count) == ("target machine", Count(3))
    assert applied(text.replace("|", ""), only)[0] == (
        "PREFIX hpc: <https://hpc-fair.github.io/ontology#>\nSELECT * { ?m a hpc:AIModel ; hpc:targetMachine }"
    )


def test_only_what_instances_of_the_class_have_with_counts(session: Session, known: KnownTerms) -> None:
    found = at("SELECT * { ?m a hpc:AIModel ; | }", known)
    outgoing = {one.text: one.count for one in found if one.kind is CompletionKind.PROPERTY}
    rows = session.store.select(
        "SELECT ?p (COUNT(*) AS ?n) { ?s a <https://hpc-fair.github.io/ontology#AIModel> ; ?p ?o "
        "FILTER(?p != <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>) } GROUP BY ?p"
    )
    expected = {session.prefixes.short(row["p"].value): Count(int(row["n"].value)) for row in rows}  # type: ignore[union-attr]
    assert outgoing == expected
    counts = [one.count.value for one in found if one.kind is CompletionKind.PROPERTY and one.count]
    assert counts == sorted(counts, reverse=True)


def test_backward_properties_lead_to_instances_of_the_class(known: KnownTerms) -> None:
    backward = [one for one in at("SELECT * { ?m a hpc:Cluster ; | }", known) if one.kind is CompletionKind.INVERSE]
    assert "^hpc:targetMachine" in texts(tuple(backward))
    assert "hpc:targetMachine" in texts(at("SELECT * { ?m a hpc:Cluster ; ^| }", known))


def test_classes_that_what_is_said_leaves(known: KnownTerms) -> None:
    every = texts(only(at("SELECT * { ?m a | }", known), CompletionKind.CLASS))
    those = texts(only(at("SELECT * { ?m hpc:targetMachine ?x . ?m a | }", known), CompletionKind.CLASS))
    assert "hpc:AIModel" in those
    assert set(those) < set(every)


def test_a_class_that_what_is_said_leaves_narrows_properties(known: KnownTerms) -> None:
    narrowed = set(texts(at("SELECT * { ?m hpc:learningAlgorithm ?a . ?m | }", known)))
    assert "hpc:targetMachine" in narrowed
    assert len(narrowed) < len(known.properties)


def test_variables_keywords_and_functions_by_place(known: KnownTerms) -> None:
    assert texts(at("SELECT | { ?m a ?c }", known))[:2] == ["?m", "?c"]
    assert texts(at("SELECT * { ?m ?p ?o FILTER(cont|) }", known))[0] == "CONTAINS("
    assert texts(at("SELECT * { ?m ?p ?o } ord|", known)) == ["ORDER BY"]
    assert texts(at("SELECT * { ?m ?p ?o } ORDER |", known)) == ["BY"]
    assert "UNION" in texts(at("SELECT * { { ?m ?p ?o } un| }", known))
    assert texts(at("SELECT * { ?long ?p ?lo| }", known)) == ["?long"]
    assert "^^" not in "".join(texts(at('SELECT * { ?s ?p "1"^^| }', known)))
    assert "xsd:integer" in texts(at('SELECT * { ?s ?p "1"^^int| }', known))


@pytest.mark.parametrize(
    "text", ["SELECT * { # ?m a |", "SELECT * { ?m ?p 'x|y' }", "SELECT * { ?m ?p 12| }", "SELECT * { ?m ?p 'x'@e| }"]
)
def test_nothing_in_comments_strings_numbers_and_languages(known: KnownTerms, text: str) -> None:
    assert at(text, known) == ()


def test_prefixes_are_declared_once_and_behind_the_others(known: KnownTerms) -> None:
    text = "# all models\nPREFIX x: <http://x/>\nSELECT * { ?m a model }"
    cursor = text.index(" }")
    completed, place = applied(text, completions(text, cursor, known)[0])
    assert completed == (
        "# all models\nPREFIX x: <http://x/>\nPREFIX hpc: <https://hpc-fair.github.io/ontology#>\n"
        "SELECT * { ?m a hpc:AIModel }"
    )
    assert completed[place:] == " }"
    assert completions(completed, place, known)[0].prefixes == ()


def test_a_prefix_that_means_something_else_is_not_used(known: KnownTerms) -> None:
    found = at(
        "PREFIX hpc: <http://other/> PREFIX h: <https://hpc-fair.github.io/ontology#> SELECT * { ?m a model| }", known
    )
    assert texts(found)[0] == "h:AIModel"
    found = at("PREFIX hpc: <http://other/> SELECT * { ?m a model| }", known)
    assert texts(found)[0] == "<https://hpc-fair.github.io/ontology#AIModel>"


def test_iris_are_completed_as_iris(known: KnownTerms) -> None:
    found = at("SELECT * { ?m a <https://hpc-fair.github.io/ontology#AIM| }", known)
    assert texts(found) == ["<https://hpc-fair.github.io/ontology#AIModel>"]
    assert at("SELECT * { ?m ?p ?o FILTER(?o <|", known)[0].kind is not CompletionKind.CLASS


def test_declarations(known: KnownTerms) -> None:
    assert texts(at("PREFIX hp|", known)) == ["hpc: <https://hpc-fair.github.io/ontology#>"]
    assert texts(at("PREFIX hpc: |", known)) == ["<https://hpc-fair.github.io/ontology#>"]


def test_values_are_asked_for_and_then_offered(session: Session, known: KnownTerms) -> None:
    text = "SELECT * { ?m a hpc:AIModel ; hpc:targetMachine  }"
    cursor = len(text) - 2
    wanted = offered(text, cursor, known).values
    assert wanted == ValuesOf(
        "https://hpc-fair.github.io/ontology#targetMachine", "https://hpc-fair.github.io/ontology#AIModel"
    )
    assert wanted is not None
    more = values_of(session, known, wanted)
    found = offered(text, cursor, more)
    assert found.values is None
    values = [one for one in found.completions if one.kind is CompletionKind.VALUE]
    assert sum(one.count.value for one in values if one.count) == 3
    typed = text.replace("Machine  }", 'Machine "X }')
    assert completions(typed, len(typed) - 2, more) == ()


@pytest.mark.parametrize(
    "end",
    ["FILTER(?x = |) }", "FILTER(?x NOT IN (|)) }", "FILTER(?x IN (hpc:a, |)) }", "VALUES ?x { | } }",
     "VALUES (?m ?x) { (hpc:a hpc:b) (hpc:c |) } }"],
)  # fmt: skip
def test_values_of_a_variable_where_it_is_compared(session: Session, known: KnownTerms, end: str) -> None:
    text = f"SELECT * {{ ?m a hpc:AIModel ; hpc:targetMachine ?x {end}"
    wanted = offered(text.replace("|", ""), text.index("|"), known).values
    assert wanted is not None
    more = values_of(session, known, wanted)
    assert "cluster:lassen" in texts(at(text, more))


def test_the_use_of_a_class_is_counted_on_demand(session: Session, known: KnownTerms) -> None:
    bare = KnownTerms(known.prefixes, known.classes, known.properties, known.defined, below=known.below)
    text = "SELECT * { ?m a hpc:AIModel ;  }"
    first = offered(text, len(text) - 2, bare)
    assert first.unknown_classes == ("https://hpc-fair.github.io/ontology#AIModel",)
    then = offered(text, len(text) - 2, class_facts(session, bare, first.unknown_classes))
    assert then.unknown_classes == ()
    assert then.completions == offered(text, len(text) - 2, known).completions


@pytest.mark.slow
def test_every_question_that_ships_can_be_written_by_completion(known: KnownTerms) -> None:
    for question in shipped_questions():
        for variant in question.variants:
            for cursor in range(0, len(variant.select.text), 7):
                completions(variant.select.text, cursor, known)


def test_twenty_milliseconds_a_key_for_the_published_ontology(shared_data: SharedData) -> None:
    session = Session.new()
    try:
        open_sources(session, [str(shared_data("ontologies/hpc-public"))])
        known = known_terms(session)
        assert len(known.defined) > 373
        text = QUERIES[1]
        times = []
        for cursor in range(len(text)):
            start = time.thread_time()
            completions(text, cursor, known)
            times.append(time.thread_time() - start)
        assert sorted(times)[len(times) * 9 // 10] < ROOM * 0.02 * slowness()
    finally:
        session.close()
