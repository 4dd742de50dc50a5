"""Literals come back as they were spelled: what is remembered, one by one or by rule, and what is forgotten."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, Store, parse

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.local.spellings import Spellings, padded, stored_form, stored_quad
from hpc_explorer.stores.local.styles import StyleCount, fits, style_range
from tests.helpers.datasets import LITERALS
from tests.helpers.examples import examples
from tests.helpers.graphs import ex

numbers = st.from_regex(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", fullmatch=True)
times = st.from_regex(
    r"20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|\+01:00)?", fullmatch=True
)
odd = st.sampled_from(["INF", "NaN", "1E6", "-0", "-0.00", "+1.5", "01", "no number", "1.", ".5", "true", "1"])
literals = st.one_of(
    st.builds(
        lambda value, datatype: Literal(value, datatype=datatype),
        st.one_of(numbers, odd),
        st.sampled_from([XSD.double, XSD.float, XSD.decimal, XSD.integer, XSD.boolean]),
    ),
    times.map(lambda value: Literal(value, datatype=XSD.dateTime)),
)


@given(literals | LITERALS)
def test_the_stored_form_is_what_the_engine_gives_back(literal: Literal) -> None:
    quad = Quad(ex("a"), ex("p"), literal, ex("g"))
    engine = Store()
    engine.add(quad)
    (given_back,) = engine
    assert stored_form(literal) == given_back.object
    assert stored_quad(quad) == given_back
    plain = Quad(ex("a"), ex("p"), ex("b"), ex("g"))
    assert stored_quad(plain) is plain


@examples(300)
@given(literals, st.integers(0, 9))
def test_what_fits_a_style_comes_back_from_it(literal: Literal, style: int) -> None:
    if literal.datatype in (XSD.integer, XSD.boolean):
        style = 0
    if fits(style_range(literal), style):
        assert padded(stored_form(literal).value, style) == literal.value


SHORT = st.decimals(-99, 99, places=2).map(str) | st.integers(-99, 99).map(str)


@examples(300)
@given(SHORT, st.integers(0, 3), st.sampled_from([XSD.double, XSD.float, XSD.decimal]), st.integers(0, 3))
def test_a_short_number_fits_just_the_styles_that_give_it_back(
    value: str, zeros: int, datatype: NamedNode, style: int
) -> None:
    value = value + "0" * zeros if "." in value else value
    literal = Literal(value, datatype=datatype)
    comes_back = padded(stored_form(literal).value, style) == value
    if Decimal(value) != 0:
        assert fits(style_range(literal), style) == comes_back


@pytest.mark.parametrize(
    ("text", "style", "shown"),
    [
        ("0.7", 3, "0.700"),
        ("0.7", 1, "0.7"),
        ("0.7", 0, "0.7"),
        ("-12", 2, "-12.00"),
        ("2021-03-01T08:00:00Z", 3, "2021-03-01T08:00:00.000Z"),
        ("2021-03-01T08:00:00.5", 3, "2021-03-01T08:00:00.500"),
        ("INF", 3, "INF"),
        ("1.5E0", 3, "1.5E0"),
    ],
)
def test_zeros_are_put_behind_the_decimals(text: str, style: int, shown: str) -> None:
    assert padded(text, style) == shown


def test_what_the_engine_keeps_as_it_is_fits_every_style_and_what_it_changes_none() -> None:
    assert all(fits(style_range(Literal("INF", datatype=XSD.double)), style) for style in range(4))
    assert not any(fits(style_range(Literal("1.", datatype=XSD.decimal)), style) for style in range(4))
    for own, datatype in (("7", XSD.integer), ("-12", XSD.integer), ("true", XSD.boolean), ("7", XSD.anyURI)):
        assert fits(style_range(Literal(own, datatype=datatype)), 0)
    for changed, datatype in (("07", XSD.integer), ("+7", XSD.integer), ("1", XSD.boolean)):
        assert not fits(style_range(Literal(changed, datatype=datatype)), 0)
    # More digits than a double, a float or a decimal gives back (IEEE 754).
    for digits, datatype in ((15, XSD.double), (6, XSD.float), (18, XSD.decimal)):
        assert fits(style_range(Literal("1" * (digits - 1) + ".1", datatype=datatype)), 1)
        assert not fits(style_range(Literal("1" * digits + ".1", datatype=datatype)), 1)
    assert fits(style_range(Literal("2021-03-01T23:59:59.123456789Z", datatype=XSD.dateTime)), 9)
    assert not fits(style_range(Literal("2021-03-01T24:00:00.0Z", datatype=XSD.dateTime)), 1)
    assert not fits(style_range(Literal("-0.0", datatype=XSD.decimal)), 1)


KEYS = st.sampled_from([(ex("p"), XSD.double), (ex("q"), XSD.double)])


@given(st.lists(st.tuples(KEYS, SHORT)))
def test_the_style_is_one_from_which_the_fewest_depart(seen: list[tuple[tuple[NamedNode, NamedNode], str]]) -> None:
    count = StyleCount()
    for key, value in seen:
        count.see(key, style_range(Literal(value, datatype=XSD.double)))
    chosen = count.chosen()
    assert chosen.keys() == {key for key, _ in seen}

    def departing(key: tuple[NamedNode, NamedNode], style: int) -> int:
        return sum(
            not fits(style_range(Literal(value, datatype=XSD.double)), style) for one, value in seen if one == key
        )

    assert sum(sum(found.values()) for found in count.departing(chosen).values()) == sum(
        departing(key, style) for key, style in chosen.items()
    )
    for key, style in chosen.items():
        fewest = min(departing(key, other) for other in range(4))
        assert style == min(other for other in range(4) if departing(key, other) == fewest)


GRAPHS = [ex("g"), ex("h")]
VALUES = [Literal(text, datatype=XSD.decimal) for text in ("1", "1.0", "01", "1.00", "2.5", "2.50", "2.500")]
QUADS = st.builds(
    Quad,
    st.sampled_from([ex("a"), ex("b")]),
    st.sampled_from([ex("p"), ex("q")]),
    st.sampled_from([*VALUES, Literal("1"), ex("c")]),
    st.sampled_from(GRAPHS),
)
STEPS = st.lists(
    st.tuples(st.just("note"), st.lists(QUADS, max_size=4))
    | st.tuples(st.sampled_from(["forget", "replace"]), st.lists(QUADS, min_size=1, max_size=3))
    | st.just(("open again", [])),
    max_size=8,
)


@examples(150)
@given(st.booleans(), STEPS)
def test_each_quad_comes_back_in_the_spellings_it_was_given(on_disk: bool, steps: list[tuple[str, list[Quad]]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "spelled" if on_disk else None
        spellings = Spellings(file)
        stated: dict[Quad, set[Quad]] = {}
        for step, quads in steps:
            if step == "note":
                spellings.note(quads, set(stated).__contains__)
                for quad in quads:
                    stated.setdefault(stored_quad(quad), set()).add(quad)
            elif step == "forget":
                gone = {stored_quad(quad) for quad in quads}
                spellings.keep_only(lambda stored, gone=gone: stored not in gone)
                stated = {quad: spelled for quad, spelled in stated.items() if quad not in gone}
            elif step == "replace":
                anew: dict[Quad, Collection[Quad]] = {}
                for quad in quads:
                    anew[stored_quad(quad)] = [*anew.get(stored_quad(quad), ()), quad]
                spellings.replace(anew)
                spellings.save()
                stated |= {stored: set(spelled) for stored, spelled in anew.items()}
            elif on_disk:
                spellings = Spellings(file)
        for stored, spelled in stated.items():
            assert set(spellings.spelled(stored)) == spelled
            assert len(list(spellings.spelled(stored))) == len(spelled)
        for graph in GRAPHS:
            more = sum(len(spelled) - 1 for stored, spelled in stated.items() if stored.graph_name == graph)
            assert spellings.extra(graph) == more
        assert spellings.extra() == sum(map(len, stated.values())) - len(stated)
        departing = {stored for stored, spelled in stated.items() if spelled != {stored}}
        assert bool(spellings) or not departing


def test_a_graph_is_spelled_by_rule_until_it_is_dropped(tmp_path: Path) -> None:
    def said(text: str, graph: NamedNode = GRAPHS[0], predicate: str = "p") -> Quad:
        return Quad(ex("a"), ex(predicate), Literal(text, datatype=XSD.decimal), graph)

    spellings = Spellings(tmp_path / "spelled.nq")
    assert not spellings
    spellings.set_styles({(GRAPHS[0], ex("p"), XSD.decimal): 3})
    assert spellings
    spellings.set_styles({(GRAPHS[1], ex("p"), XSD.decimal): 1})
    spellings.note_all([said("2.5"), said("07")])
    for one in (spellings, Spellings(tmp_path / "spelled.nq")):
        assert one
        assert list(one.spelled(said("1.25"))) == [said("1.250")]
        assert list(one.spelled(said("1.25", predicate="q"))) == [said("1.25", predicate="q")]
        assert list(one.spelled(said("1", GRAPHS[1]))) == [said("1.0", GRAPHS[1])]
        # What departs from the rule, in the engine's own form or not.
        assert list(one.spelled(said("2.5"))) == [said("2.5")]
        assert list(one.spelled(said("7"))) == [said("07")]
        assert [one.has_styles(graph) for graph in (*GRAPHS, ex("other"))] == [True, True, False]
    # By the rule again, nothing need be remembered.
    spellings.replace({said("2.5"): [said("2.500")]})
    spellings.save()
    assert list(parse(path=tmp_path / "spelled.nq", format=RdfFormat.N_QUADS)) == [said("07")]
    spellings.drop_styles(GRAPHS[0])
    for one in (spellings, Spellings(tmp_path / "spelled.nq")):
        assert list(one.spelled(said("1.25"))) == [said("1.25")]
        assert [one.has_styles(graph) for graph in GRAPHS] == [False, True]
