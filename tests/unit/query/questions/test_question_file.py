"""Files of questions: read back as they were written, and refused by name where they cannot be asked."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import DamagedQuestions, SourceSyntaxError, UnknownQuestion
from hpc_explorer.query.questions.library import named_question, shipped_questions
from hpc_explorer.query.questions.question import (
    Column,
    Example,
    Parameter,
    ParameterKind,
    Plot,
    PlotMark,
    Query,
    Question,
    Variant,
)
from hpc_explorer.query.questions.question_file import questions_of_text, questions_text
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.examples import examples

WORDS = st.lists(st.text(string.ascii_letters + "äß'\"\\$?#<>", min_size=1, max_size=6), min_size=1, max_size=4).map(
    " ".join
)
NAMES = st.from_regex(r"[a-z][a-zA-Z0-9_]{1,8}", fullmatch=True)
SPACE = st.sampled_from([" ", "\n", '  # it\'s "quoted" \\\n', '\n """'.replace('"""', "")])


@st.composite
def questions(draw: st.DrawFn) -> Question:
    names = draw(st.lists(NAMES, unique=True, max_size=3))
    prefixes = draw(
        st.sampled_from([(), (("e", "urn:e:"),), (("e", "urn:e:"), ("prov", "http://www.w3.org/ns/prov#"))])
    )

    def select() -> Query:
        uses = " ".join(f"?s ?p ${name} ." for name in names)
        return Query(f"SELECT ?s{draw(SPACE)}WHERE {{ {uses}{draw(SPACE)}?s ?p ?o }}", prefixes)

    def parameter(name: str) -> Parameter:
        datatype = draw(st.sampled_from([None, XSD.string, XSD.integer]))
        values = (
            st.sampled_from([NamedNode("urn:a"), NamedNode("urn:b")])
            if datatype is None
            else st.integers(0, 99).map(lambda number: Literal(str(number), datatype=datatype))
        )
        return Parameter(
            name,
            draw(WORDS),
            draw(WORDS | st.just("")),
            draw(st.sampled_from([None, NamedNode("urn:C")])),
            datatype,
            tuple(draw(st.lists(values, unique=True, max_size=2))),
            draw(st.none() | st.just(Query(f"SELECT DISTINCT ${name} WHERE {{ ?s ?p ${name} }}", prefixes))),
            draw(st.none() | values),
            draw(st.booleans()),
            draw(st.booleans()),
        )

    def example() -> Example:
        cells = st.sampled_from([None, NamedNode("urn:a"), Literal('"\\\n\'", it said', language="en"), Literal(7)])
        columns = draw(st.sampled_from([("s",), ("s", "o")]))
        rows = draw(st.lists(st.tuples(*(cells for _ in columns)), max_size=3))
        values = [(name, draw(st.sampled_from([NamedNode("urn:v"), Literal("7")]))) for name in sorted(names)]
        return Example(draw(WORDS), tuple(values), columns, tuple(rows))

    test = st.none() | st.just(Query("ASK { ?s ?p ?o }", prefixes))
    return Question(
        draw(NAMES),
        draw(WORDS),
        draw(WORDS | st.just("")),
        tuple(Variant(label, select(), draw(test)) for label in draw(st.sampled_from([("",), ("one", "other")]))),
        tuple(parameter(name) for name in names),
        draw(WORDS | st.just("")),
        draw(st.sampled_from([(), (Column("thing", name="s"),), (Column("thing", unit="s", name="s"),)])),
        draw(st.sampled_from([(), (Plot("all", "s", ("s",)), Plot("some", "s", ("s",), ("s",), PlotMark.POINTS))])),
        tuple(example() for _ in range(draw(st.integers(0, 2)))),
    )


@examples(60)
@given(st.lists(questions(), min_size=1, max_size=3, unique_by=lambda one: one.name))
def test_what_is_written_is_read_back(written: list[Question]) -> None:
    assert questions_of_text(questions_text(written), "test.ttl") == tuple(sorted(written, key=lambda one: one.name))


def test_those_that_ship_are_read_back_too() -> None:
    shipped = shipped_questions()
    assert len(shipped) == 47
    assert questions_of_text(questions_text(shipped), "test.ttl") == tuple(sorted(shipped, key=lambda one: one.name))


def test_kinds_of_parameters() -> None:
    q5, q1 = named_question(shipped_questions(), "prov-ml-q5"), named_question(shipped_questions(), "prov-ml-q1")
    assert [one.kind for one in (*q5.parameters, *q1.parameters)] == [
        ParameterKind.LITERAL,
        ParameterKind.LITERAL,
        ParameterKind.RESOURCE,
    ]
    with pytest.raises(UnknownQuestion, match="there are: affected-jobs"):
        named_question(shipped_questions(), "q8")


HEAD = """
@prefix dcterms: <http://purl.org/dc/terms/> . @prefix q: <urn:hpc-explorer:question#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:q> a sh:SPARQLSelectExecutable ; dcterms:identifier "mine" ;
"""
PARAMETER = 'sh:parameter [ sh:path <urn:p:x> ; sh:nodeKind sh:IRI ] ; rdfs:label "Mine" ; '


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (HEAD.replace("dcterms:identifier", "rdfs:comment") + 'rdfs:label "Mine" .', "no questions"),
        (HEAD + 'sh:select "SELECT * { ?s ?p ?o }" .', "label is missing"),
        (HEAD + 'rdfs:label "Mine" .', "select is missing"),
        (HEAD + 'rdfs:label "Mine" , "Yours" ; sh:select "SELECT * { ?s ?p ?o }" .', "label is given 2 times"),
        (HEAD + 'rdfs:label "Mine" ; sh:select "SELECT * { ?s ?p }" .', "syntax error.*urn:q.*line 1"),
        (HEAD + 'rdfs:label "Mine" ; sh:select "ASK { ?s ?p ?o }" .', "not a SELECT"),
        (HEAD + 'rdfs:label "Mine" ; sh:select "SELECT * { ?s <urn:p> e:o }" .', "undeclared prefix"),
        (HEAD + PARAMETER + 'sh:select "SELECT * { ?s ?p ?o }" .', r"no variable \$x"),
        (HEAD + PARAMETER + 'sh:select "SELECT $x { $x ?p ?o }" .', "syntax error"),
        (HEAD + PARAMETER.replace("sh:path <urn:p:x> ;", "") + 'sh:select "SELECT * { $x ?p ?o }" .', "path is missing"),
        (
            HEAD + PARAMETER.replace("sh:path", "q:choices [ sh:select 'SELECT ?y { ?y ?p ?o }' ] ; sh:path")
            + 'sh:select "SELECT ?p { $x ?p ?o }" .',
            r"choices have no column \?x",
        ),
        (
            HEAD + 'rdfs:label "Mine" ; q:plots ( [ rdfs:label "P" ; q:x "s" ; q:y ( "z" ) ] ) ; '
            'sh:select "SELECT * { ?s ?p ?o }" .',
            r"column \?z",
        ),
        (
            HEAD + 'rdfs:label "Mine" ; q:plots ( [ rdfs:label "P" ; q:x "s" ; q:y ( "p" ) ; q:mark "pie" ] ) ; '
            'sh:select "SELECT * { ?s ?p ?o }" .',
            "not as 'pie'",
        ),
        (
            HEAD + 'rdfs:label "Mine" ; q:examples ( [ q:graph "g" ; q:columns ( "s" ) ; q:rows ( ( 1 2 ) ) ] ) ; '
            'sh:select "SELECT ?s { ?s ?p ?o }" .',
            "other columns than the example",
        ),
        (
            HEAD + 'rdfs:label "Mine" ; q:examples ( [ q:graph "g" ; q:setting [ sh:path <urn:p:y> ; sh:hasValue 1 ] ; '
            'q:columns ( "s" ) ; q:rows ( ) ] ) ; sh:select "SELECT ?s { ?s ?p ?o }" .',
            r"a parameter \$y that there is not",
        ),
        (HEAD.replace("mine", "my own") + 'rdfs:label "Mine" ; sh:select "SELECT * { ?s ?p ?o }" .', "one word"),
    ],
)  # fmt: skip
def test_what_is_no_question(text: str, what: str) -> None:
    with pytest.raises(DamagedQuestions, match=f"(?s){what}"):
        questions_of_text(text, "mine.ttl")


def test_no_turtle() -> None:
    with pytest.raises(SourceSyntaxError, match=r"mine\.ttl"):
        questions_of_text("@prefix sh: <http://www.w3.org/ns/shacl#> .\nsh:a sh:b", "mine.ttl")
