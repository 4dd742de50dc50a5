"""The spellings of the HPC namespace: read as one, undone exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.aliases import (
    ALIASES,
    CANONICAL,
    NO_ALIASES,
    AliasRecord,
    Canonicaliser,
    canonical_iri,
    canonical_prefixes,
    undo_aliases,
    undo_prefixes,
)
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

EX = "http://example.org/"
PAPER, TTL = ALIASES[0], ALIASES[1]
MODEL = NamedNode(f"{EX}model")

SPELLED = st.builds(
    lambda namespace, name: NamedNode(namespace + name),
    st.sampled_from([CANONICAL, *ALIASES]),
    st.sampled_from(["AIModel", "name", "project", ""]),
)
NODES = st.one_of(SPELLED, st.sampled_from([MODEL, NamedNode("http://www.co-ode.org/ontologies/ont.owl#Decoder")]))
LITERALS = st.one_of(
    st.sampled_from([Literal("x"), Literal("x", language="en")]), SPELLED.map(lambda type: Literal("1", datatype=type))
)
TRIPLES = st.builds(Triple, NODES, SPELLED, st.one_of(NODES, LITERALS))
DATASETS = st.lists(
    st.builds(
        Quad,
        st.one_of(NODES, st.just(BlankNode("b"))),
        st.one_of(SPELLED, st.just(RDF.type)),
        st.one_of(NODES, LITERALS, TRIPLES),
        st.one_of(st.just(DefaultGraph()), NODES),
    ),
    max_size=12,
)


def read_aliases(quads: list[Quad]) -> tuple[list[Quad], AliasRecord]:
    """The quads in the one spelling, and how the source spells them."""
    canonicaliser = Canonicaliser()
    canonicaliser.survey(quads)
    canonical = list(canonicaliser.quads(quads))
    return canonical, canonicaliser.record()


@given(DATASETS)
def test_undoing_gives_back_each_quad_as_it_was_spelled(quads: list[Quad]) -> None:
    canonical, record = read_aliases(quads)
    assert set(undo_aliases(set(canonical), record)) == set(quads)


@given(DATASETS)
def test_what_is_read_has_no_alias_left(quads: list[Quad]) -> None:
    canonical, _ = read_aliases(quads)
    assert not any(alias in str(quad) for alias in ALIASES for quad in canonical)


@given(DATASETS)
def test_exceptions_are_recorded_only_where_they_are_needed(quads: list[Quad]) -> None:
    canonical, record = read_aliases(quads)
    plain = AliasRecord(record.terms)
    for quad, originals in record.exceptions.items():
        assert quad in canonical
        assert tuple(undo_aliases([quad], plain)) != originals


def test_a_source_in_one_spelling_needs_no_exceptions() -> None:
    quads = [Quad(MODEL, RDF.type, NamedNode(f"{PAPER}AIModel")), Quad(MODEL, NamedNode(f"{PAPER}name"), Literal("x"))]
    canonical, record = read_aliases(quads)
    assert canonical == [Quad(MODEL, RDF.type, HPC.AIModel), Quad(MODEL, HPC.term("name"), Literal("x"))]
    assert record.exceptions == {}
    assert record.namespaces == ((PAPER, CANONICAL),)


def test_two_spellings_of_one_term_are_told_apart() -> None:
    quads = [Quad(MODEL, RDF.type, NamedNode(f"{namespace}AIModel")) for namespace in (PAPER, TTL, CANONICAL)]
    canonical, record = read_aliases(quads)
    assert set(canonical) == {Quad(MODEL, RDF.type, HPC.AIModel)}
    assert record.exceptions == {canonical[0]: tuple(quads)}
    assert record.namespaces == ((PAPER, CANONICAL), (TTL, CANONICAL))


def test_what_is_added_later_is_spelled_like_the_rest() -> None:
    _, record = read_aliases([Quad(MODEL, RDF.type, NamedNode(f"{PAPER}AIModel"))])
    added = Quad(MODEL, HPC.version, Literal("1"))
    assert list(undo_aliases([added], record)) == [Quad(MODEL, NamedNode(f"{PAPER}version"), Literal("1"))]


def test_what_is_added_to_a_mixed_source_is_spelled_canonically() -> None:
    _, record = read_aliases(
        [Quad(MODEL, RDF.type, NamedNode(f"{PAPER}AIModel")), Quad(MODEL, NamedNode(f"{TTL}name"), Literal("x"))]
    )
    added = Quad(MODEL, HPC.version, Literal("1"))
    assert list(undo_aliases([added], record)) == [added]


def test_a_source_without_aliases_has_no_record() -> None:
    quads = [Quad(MODEL, RDF.type, HPC.AIModel), Quad(MODEL, RDF.value, Literal("x"))]
    assert read_aliases(quads) == (quads, NO_ALIASES)
    assert NO_ALIASES.namespaces == ()


def test_the_editors_namespace_is_no_alias() -> None:
    iri = "http://www.co-ode.org/ontologies/ont.owl#Decoder"
    assert canonical_iri(iri) == iri


def test_prefixes_follow() -> None:
    assert canonical_prefixes({"hpc": PAPER, "ex": EX}) == {"hpc": CANONICAL, "ex": EX}
    _, record = read_aliases([Quad(MODEL, RDF.type, NamedNode(f"{PAPER}AIModel"))])
    assert undo_prefixes({"hpc": CANONICAL, "ex": EX}, record) == {"hpc": PAPER, "ex": EX}
    assert undo_prefixes({"hpc": CANONICAL}, NO_ALIASES) == {"hpc": CANONICAL}
