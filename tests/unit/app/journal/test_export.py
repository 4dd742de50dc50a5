"""The journal for other programs: RDF Patch that makes the same graph, SPARQL that an engine runs, PROV that tells the tale."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Store

from hpc_explorer.app.journal.export import JournalFormat, journal_lines
from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.syntax.rdf_patch import read_patch
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.terms import BlankNode, CanonicalizationAlgorithm, Dataset, Literal, NamedNode, Quad
from tests.helpers.examples import examples
from tests.helpers.graphs import ex

GRAPH = NamedNode("urn:test:graph")
PROV = "http://www.w3.org/ns/prov#"
BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def entry(revision: int, removed: tuple[Quad, ...], added: tuple[Quad, ...], **more: object) -> JournalEntry:
    said = {"who": "Ada", "words": f"Label {revision}", "why": "", **more}
    return JournalEntry(revision, BEGAN + timedelta(minutes=revision), removed=removed, added=added, **said)  # type: ignore[arg-type]


def label(text: str) -> Quad:
    return Quad(ex("a"), RDFS.label, Literal(text), GRAPH)


def size(node: BlankNode, value: int) -> tuple[Quad, Quad]:
    number = Literal(str(value), datatype=XSD.integer)
    return Quad(ex("a"), ex("size"), node, GRAPH), Quad(node, RDF.value, number, GRAPH)


NODE, OTHER = BlankNode("n1"), BlankNode("n2")
ENTRIES = (
    entry(1, (label("old"),), (label("new"),), why="it was\nwrong"),
    entry(2, (), size(NODE, 1), who="Grace"),
    entry(3, (), size(BlankNode("with-a-dash"), 7)),
    entry(4, size(NODE, 1), size(OTHER, 2)),
    entry(5, (label("new"),), (label("old"),), takes_back=(1,)),
    entry(6, size(OTHER, 2), ()),
)


def text_of(entries: Iterable[JournalEntry], format: JournalFormat, prefixes: Mapping[str, str] | None = None) -> str:
    return "".join(f"{line}\n" for line in journal_lines(entries, format, prefixes=prefixes))


def result(start: set[Quad], entries: tuple[JournalEntry, ...]) -> set[Quad]:
    for one in entries:
        start = (start - set(one.removed)) | set(one.added)
    return start


def canonical(quads: set[Quad]) -> Counter[str]:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return Counter(map(str, dataset))


def test_a_patch_has_the_edits_in_their_order() -> None:
    text = text_of(ENTRIES, "rdf-patch", prefixes={"ex": "http://example.org/"})
    read = list(read_patch(text.splitlines(), "patch"))
    assert [(one.removed, one.added) for one in read] == [(one.removed, one.added) for one in ENTRIES]
    assert read[0].note == "edit 1 · 2026-03-01T12:01:00+00:00 · Ada · Label 1 · it was wrong"
    assert 'PA "ex" "http://example.org/" .' in text
    assert text_of(ENTRIES, "rdf-patch").splitlines()[0] == text.splitlines()[0], "the same journal, the same name"


def test_sparql_makes_the_same_graph_in_an_engine() -> None:
    store, unsaid = Store(), list[Quad]()
    store.add(label("old"))
    store.update("\n".join(journal_lines(ENTRIES, "sparql", unsaid=unsaid)))
    assert unsaid == []
    assert canonical(set(store)) == canonical(result({label("old")}, ENTRIES))


def test_sparql_finds_a_value_node_by_what_leads_there() -> None:
    link, one = size(NODE, 1)
    _, two = size(NODE, 2)
    edits = (entry(1, (), (link, one)), entry(2, (), size(OTHER, 7)), entry(3, (one,), (two,)))
    there = result(set(), edits)
    store, unsaid = Store(), list[Quad]()
    lines = journal_lines(
        edits, "sparql", leading_to=lambda node: [q for q in there if q.object == node], unsaid=unsaid
    )
    store.update("\n".join(lines))
    assert unsaid == []
    assert canonical(set(store)) == canonical(there)


def test_what_sparql_cannot_say_is_listed_and_not_run() -> None:
    lone = Quad(NODE, RDF.value, Literal("3"), GRAPH)
    unsaid: list[Quad] = []
    text = "\n".join(journal_lines([entry(1, (), (lone, label("x")))], "sparql", unsaid=unsaid))
    store = Store()
    store.update(text)
    assert (unsaid, set(store)) == ([lone], {label("x")})
    assert "# added, but SPARQL has no name for the blank node: _:n1" in text


QUADS = st.builds(
    Quad,
    st.sampled_from([ex("a"), ex("b")]),
    st.sampled_from([RDFS.label, ex("p")]),
    st.sampled_from([ex("b"), Literal('"}} ; DROP ALL'), Literal("ünï\n\\"), Literal("1", datatype=XSD.integer)]),
    st.sampled_from([GRAPH, ex("g")]),
)


@examples(50)
@given(st.lists(st.tuples(st.frozensets(QUADS, max_size=4), st.frozensets(QUADS, max_size=4)), max_size=5))
def test_of_named_things_patch_and_sparql_say_all(changes: list[tuple[frozenset[Quad], frozenset[Quad]]]) -> None:
    there: set[Quad] = set()
    made = []
    for number, (removed, added) in enumerate(changes, 1):
        indeed = entry(number, tuple(removed & there - added), tuple(added - there))
        there = result(there, (indeed,))
        made.append(indeed)
    store = Store()
    store.update(text_of(made, "sparql"))
    assert set(store) == there
    replayed: set[Quad] = set()
    for one in read_patch(text_of(made, "rdf-patch").splitlines(), "patch"):
        replayed = (replayed - set(one.removed)) | set(one.added)
    assert replayed == there


def test_the_provenance_of_the_edits_is_a_graph() -> None:
    text = text_of(ENTRIES, "prov")
    graph = {
        quad.triple
        for quad in read_bytes(text.encode(), name="prov.ttl", base="urn:x", media_type="text/turtle").quads()
    }

    def objects(predicate: str) -> list[str]:
        return sorted(str(t.object) for t in graph if t.predicate.value == predicate)

    def subjects(cls: str) -> int:
        return sum(t.predicate == RDF.type and t.object == NamedNode(PROV + cls) for t in graph)

    assert (subjects("Activity"), subjects("Person")) == (6, 2)
    assert objects(PROV + "specializationOf") == [str(ex("a"))] * 6
    assert len(objects(PROV + "wasRevisionOf")) == len(objects(PROV + "wasInvalidatedBy")) == 5
    assert len(objects(PROV + "wasInformedBy")) == 1
    assert objects(PROV + "endedAtTime")[0] == f'"2026-03-01T12:01:00+00:00"^^{XSD.dateTime}'
    patches = [t.object.value for t in graph if t.predicate.value == PROV + "value"]  # type: ignore[union-attr]
    read = [next(iter(read_patch(patch.splitlines(), "patch"))) for patch in patches]
    assert {(one.removed, one.added) for one in read} == {(one.removed, one.added) for one in ENTRIES}


def test_an_empty_journal_has_no_lines() -> None:
    formats: tuple[JournalFormat, ...] = ("rdf-patch", "sparql", "prov")
    assert [list(journal_lines((), format)) for format in formats] == [[], [], []]


def test_lines_come_as_the_entries_do() -> None:
    taken: list[int] = []

    def endless():  # type: ignore[no-untyped-def]
        number = 0
        while True:
            number += 1
            taken.append(number)
            yield entry(number, (), (label(str(random.Random(number).random())),))

    for format in ("rdf-patch", "sparql", "prov"):
        taken.clear()
        lines = journal_lines(endless(), format)  # type: ignore[arg-type]
        for _ in range(40):
            next(lines)
        assert len(taken) < 40
