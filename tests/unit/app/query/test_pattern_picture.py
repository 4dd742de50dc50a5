"""A query as a picture: what is sought, what is known, and what stands between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.query.pattern_picture import PatternPicture, pattern_picture
from hpc_explorer.ontology.labels import term_label
from hpc_explorer.query.model.patterns import Element
from hpc_explorer.query.model.places import element_at, places
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.terms import NamedNode, Variable

PREFIX = "PREFIX e: <http://e.org/> "

PARTS = (
    "?model a e:AIModel .",
    "?model e:trainedWith ?data .",
    "?model ^e:produced e:Run1 .",
    "?data e:part/e:size 16 .",
    "?data e:derivedFrom+ ?raw .",
    "OPTIONAL { ?data e:license ?license }",
    "FILTER NOT EXISTS { ?model e:retractedBy ?who }",
    "FILTER EXISTS { ?model e:used ?it . ?it a e:Tool }",
    "{ ?model e:usedBy ?project } UNION { ?model a e:Old }",
    "GRAPH e:g { ?model e:note ?note }",
    "VALUES ?data { e:a e:b e:c e:d e:f }",
    "VALUES (?model ?data) { (e:a e:b) (UNDEF e:c) }",
    'FILTER(CONTAINS(LCASE(STR(?note)), "tree"))',
    "FILTER(?size >= 1 && ?size <= 9)",
    "FILTER(?data IN (e:a, e:b))",
    "FILTER(1 = 2)",
    "BIND(?size * 2 AS ?twice)",
    "?model ?any ?value .",
)


def name(term: NamedNode) -> str:
    return term_label(term)


def drawn(text: str, focus: str | None = None) -> PatternPicture:
    return pattern_picture(query_model(PREFIX + text), Variable(focus) if focus else None, name)


def lines(picture: PatternPicture) -> list[tuple[str, str, str, str]]:
    """Each line: from where, what, to where, and how it is meant."""
    return [(edge.source, edge.label, edge.target, edge.origin) for edge in picture.scene.edges]


def test_what_is_sought_is_round_and_what_is_known_a_card() -> None:
    picture = drawn('SELECT * { ?m a e:AIModel ; e:trainedWith ?d ; e:name "tree" ; ^e:produced e:Run1 }', "m")
    nodes = {node.key: node for node in picture.scene.nodes}
    assert nodes["?m"].label == "AI model?"
    assert (nodes["?m"].caption, nodes["?m"].focus, nodes["?m"].round) == ("?m", True, True)
    assert nodes["?d"].label == "d?"
    assert not nodes["<http://e.org/Run1>"].round
    assert picture.variables == {"?m": Variable("m"), "?d": Variable("d")}
    assert lines(picture) == [
        ("?m", "trained with", "?d", "required"),
        ("?m", "name", '"tree"', "required"),
        ("<http://e.org/Run1>", "produced", "?m", "required"),
    ]


@pytest.mark.parametrize(
    ("pattern", "label", "origin"),
    [
        ("OPTIONAL { ?m e:license ?l }", "optional: license", "optional"),
        ("FILTER NOT EXISTS { ?m e:license ?l }", "not: license", "absent"),
        ("FILTER EXISTS { ?m e:license ?l }", "there is: license", "required"),
        ("GRAPH e:g { ?m e:license ?l }", "in g: license", "required"),
        ("FILTER NOT EXISTS { ?m a e:A OPTIONAL { ?m e:license ?l } }", "not optional: license", "absent"),
        ("?m e:a/e:b ?l", "a / b", "required"),
        ("?m e:a|e:b ?l", "a or b", "required"),
        ("?m e:a+ ?l", "a (once or more)", "required"),
        ("?m !(e:a|^e:b) ?l", "anything but a, is b of", "required"),
        ("?m ?p ?l", "?p", "required"),
    ],
)
def test_a_line_says_how_it_is_meant(pattern: str, label: str, origin: str) -> None:
    picture = drawn(f"SELECT * {{ {pattern} }}")
    assert [(edge.label, edge.origin) for edge in picture.scene.edges] == [(label, origin)]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("FILTER(?v > 3)", "is more than 3"),
        ("FILTER(?v >= 1 && ?v <= 2)", "is 1 to 2"),
        ("FILTER(?v IN (e:a, e:b))", "is a or b"),
        ("VALUES ?v { e:a e:b e:c e:d }", "is a, b, c or d"),
        ('FILTER(CONTAINS(LCASE(STR(?v)), "tree"))', "contains “tree”"),
        ("FILTER NOT EXISTS { ?v a e:Old }", "not: old"),
    ],
)
def test_a_condition_stands_below_its_node(condition: str, said: str) -> None:
    picture = drawn(f"SELECT * {{ ?s e:has ?v . {condition} }}")
    (node,) = (one for one in picture.scene.nodes if one.key == "?v")
    assert node.stop == said
    (piece,) = picture.conditions["?v"]
    assert piece.place == (1,)


def test_alternatives_are_told_as_such_and_text_is_kept() -> None:
    picture = drawn("SELECT * { { ?a e:x ?b } UNION { ?a e:y ?b } BIND(1 AS ?b2) }")
    assert lines(picture)[:2] == [("?a", "either: x", "?b", "required"), ("?a", "or: y", "?b", "required")]
    assert [piece.place for piece in picture.edges] == [(0, 0, 0), (0, 1, 0), (1,)]
    (chip,) = (node for node in picture.scene.nodes if node.kind == "kept as text")
    assert chip.label.startswith("BIND")


def test_nothing_is_an_empty_picture() -> None:
    picture = pattern_picture(QueryModel(), None, name)
    assert picture.scene.nodes == ()
    assert picture.scene.empty_text


@given(st.lists(st.sampled_from(PARTS), unique=True, max_size=8))
def test_every_variable_is_drawn_and_every_piece_has_its_place(parts: list[str]) -> None:
    query = query_model(PREFIX + "SELECT * { " + " ".join(parts) + " }")
    picture = pattern_picture(query, None, name)
    there = dict(places(query))
    pieces = [*picture.edges, *(piece for found in picture.conditions.values() for piece in found)]
    for piece in pieces:
        found: Element = element_at(query, piece.place)
        assert there[piece.place] is found
    # What is the whole of the query is drawn: nothing in it has no piece of the picture.
    covered = {piece.place[0] for piece in pieces}
    assert covered == set(range(len(query.where.elements)))
    # A variable in the place of a property is the word on its line.
    assert set(query.variables) - {Variable("any")} <= set(picture.variables.values())
