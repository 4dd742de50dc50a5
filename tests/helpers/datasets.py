"""Random RDF datasets for hypothesis, and whether two of them are the same but for the names of blank nodes."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st
from pyoxigraph import CanonicalizationAlgorithm, Dataset

from hpc_explorer.rdf.namespaces import HPC, RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad

EX = "http://example.org/"

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)

IRIS = st.sampled_from(
    [
        NamedNode(iri)
        for iri in (
            f"{EX}a", f"{EX}b", f"{EX}AIModel/MO000001", f"{EX}1", f"{EX}", f"{EX}x.", f"{EX}a/b#c", f"{EX}a%20b",
            f"{EX}é", f"{EX}a(b)c", f"{EX}q?x=1&y=2", f"{EX}-dash", f"{EX}a:b", f"{HPC}AIModel", f"{HPC}name",
            "urn:x:y", "urn:hpc", "hpc:not-a-prefix", "mailto:a@b.org", "doi:10.1/x", "file:///tmp/a.txt",
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil",
        )
    ]
)  # fmt: skip

PREDICATES = st.sampled_from(
    [
        NamedNode(iri)
        for iri in (
            f"{EX}p", f"{EX}q", f"{EX}p.q", f"{EX}p-1", f"{HPC}name", f"{HPC}top500Rank", f"{EX}ns#has", "urn:p:q",
            "http://www.w3.org/2000/01/rdf-schema#label",
        )
    ]
    + [RDF.type, RDF.value, RDF.term("_1")]
)  # fmt: skip

ODD_PREDICATES = st.sampled_from(
    [NamedNode(iri) for iri in (f"{EX}", f"{EX}1", f"{EX}a(b)", "urn:1", "hpc:odd", f"{EX}p/")]
)
"""Predicates that cannot be prefixed, some of which are no XML names either."""

BLANKS = st.sampled_from([BlankNode(name) for name in ("b0", "b1", "b2", "b3", "b4")])

_SPELLINGS = {
    XSD.integer: ["1", "01", "-0", "+5", "0", "-12", "7630848", "9007199254740991", "9007199254740993", "x", ""],
    XSD.decimal: ["1", "1.0", "192.0", "0.9600", "-.5", "1."],
    XSD.double: [
        "1", "1.0E0", "2.5E0", "2.5e0", "25E-1", "NaN", "INF", "-INF", "1.0E400", "-0.0E0", "1.0E-7", "0.1", "1.0E-1",
        "3.0000000000000004E-1", "1.23456789125E8", "-5.0E-1", "1.0E21", "1.5E21", "5.0E-324",
    ],
    XSD.float: ["1.5", "NaN"],
    XSD.boolean: ["true", "false", "1", "0", "True"],
    XSD.dateTime: ["2021-06-28T10:00:00Z", "2021-06-28T10:00:00.50+02:00"],
    RDF.JSON: ['{"a":[1,2.50]}', "[]", "null"],
    RDF.HTML: ["<b>x</b>"],
    NamedNode(f"{EX}type"): ["x", ""],
    NamedNode(f"{HPC}Text"): ["y"],
}  # fmt: skip

LITERALS = st.one_of(
    TEXTS.map(Literal),
    st.builds(lambda text, language: Literal(text, language=language), TEXTS, st.sampled_from(["en", "de-ch", "zh-hant"])),
    st.sampled_from([Literal(text, datatype=kind) for kind, spellings in _SPELLINGS.items() for text in spellings]),
    st.integers().map(lambda number: Literal(str(number), datatype=XSD.integer)),
    st.floats().map(lambda number: Literal(repr(number), datatype=XSD.double)),
)  # fmt: skip

XML_LITERALS = LITERALS.filter(
    lambda literal: (
        all(char in "\t\n\r" or ord(char) >= 0x20 for char in literal.value)
        and not {"\ufffe", "\uffff"} & set(literal.value)
    )
)
"""Literals that XML has all characters of."""


def quads(
    *,
    subjects: st.SearchStrategy[NamedNode | BlankNode] = st.one_of(IRIS, BLANKS),
    predicates: st.SearchStrategy[NamedNode] = PREDICATES,
    literals: st.SearchStrategy[Literal] = LITERALS,
    graphs: st.SearchStrategy[NamedNode | BlankNode | DefaultGraph] = st.just(DefaultGraph()),
) -> st.SearchStrategy[list[Quad]]:
    """Datasets with shared blank nodes, circles of them, and literals of all spellings."""
    objects = st.one_of(IRIS, BLANKS, literals)
    return st.lists(st.builds(Quad, subjects, predicates, objects, graphs), max_size=14)


GRAPHS = st.one_of(st.just(DefaultGraph()), st.sampled_from([NamedNode(f"{EX}g"), NamedNode("urn:g"), BlankNode("g")]))


@st.composite
def lists(draw: st.DrawFn, graphs: st.SearchStrategy[NamedNode | DefaultGraph] = st.just(DefaultGraph())) -> list[Quad]:
    """RDF lists, nested and shared, now and then spoiled by one statement too many."""
    graph = draw(graphs)
    found: list[Quad] = []
    heads: list[NamedNode | BlankNode] = []
    for number in range(draw(st.integers(1, 3))):
        items = draw(st.lists(st.one_of(IRIS, LITERALS, BLANKS, st.sampled_from([*heads, RDF.nil])), max_size=4))
        cells = [BlankNode(f"l{number}x{index}") for index in range(len(items))]
        for index, (cell, item) in enumerate(zip(cells, items, strict=True)):
            rest = cells[index + 1] if index + 1 < len(cells) else RDF.nil
            found += [Quad(cell, RDF.first, item, graph), Quad(cell, RDF.rest, rest, graph)]
        head = cells[0] if cells else RDF.nil
        heads.append(head)
        for _ in range(draw(st.integers(0, 2))):
            found.append(Quad(draw(IRIS), draw(PREDICATES), head, graph))
        if cells and draw(st.booleans()):
            extra = draw(st.sampled_from([RDF.first, RDF.rest, RDF.type, NamedNode(f"{EX}p")]))
            found.append(Quad(draw(st.sampled_from(cells)), extra, draw(st.one_of(IRIS, LITERALS)), graph))
    return found


def same(one: Iterable[Quad], other: Iterable[Quad]) -> bool:
    """Whether two datasets are isomorphic (RDF 1.1 Concepts, section 4.1): RDFC-1.0 gives them the same names."""
    return canonical(one) == canonical(other)


def canonical(quads: Iterable[Quad]) -> list[str]:
    """A dataset with canonical blank nodes, as sorted N-Quads."""
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return sorted(str(quad) for quad in dataset)
