"""A large plain file goes through the engine's bulk loader, and comes out as if it had been read quad by quad."""

from __future__ import annotations

import gzip
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.app.workspace import loading
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, NamedNode, Quad
from hpc_explorer.stores.columns.bulk import bulk_load
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.survey import Survey
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import count_profile
from tests.helpers.datasets import BLANKS, IRIS, LITERALS, same
from tests.helpers.examples import examples
from tests.helpers.kept_names import current_state, kept_names, names_made
from tests.helpers.sessions import session_of

numbers = st.from_regex(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", fullmatch=True)
P = NamedNode("http://example.org/p")

LINES = [
    *(
        f'<http://example.org/r{n}> <http://example.org/p> "{n / 8:.6f}"^^<{XSD.double.value}> .\n'
        f"<http://example.org/r{n}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/C{n % 3}> .\n"
        f'<http://example.org/r{n}> <http://example.org/at> "2021-03-01T08:00:{n % 60:02}.000Z"^^<{XSD.dateTime.value}> .\n'
        for n in range(300)
    ),
    f'<http://example.org/r1> <http://example.org/p> "0.5"^^<{XSD.double.value}> .\n',
    f'<http://example.org/r1> <http://example.org/n> "007"^^<{XSD.integer.value}> .\n',
    '<http://example.org/r1> <http://www.w3.org/2000/01/rdf-schema#label> "The first" .\n',
    "<http://example.org/r0> <http://example.org/late> _:b .\n",
    f'_:b <http://example.org/p> "2.000000"^^<{XSD.double.value}> .\n',
]


@pytest.mark.parametrize(
    ("more", "bulk"),
    [
        ([], True),
        ([LINES[0]], True),
        ([f'<http://example.org/r4> <http://example.org/p> "0.5"^^<{XSD.double.value}> .\n'], True),
        ([f'_:b <http://example.org/p> "7.5"^^<{XSD.double.value}> .\n'], False),
        ([f"<{'https://example.org/HPC-Ontology#'}a> <urn:p> <urn:o> .\n"], False),
    ],
    ids=["plain", "a line twice", "a value in two spellings", "a blank node's own spelling", "an alias"],
)
def test_bulk_loading_gives_what_reading_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], bulk: bool
) -> None:
    path = tmp_path / "large.nt"
    path.write_text("".join(LINES + more), encoding="utf-8")
    monkeypatch.setattr(loading, "BULK_FROM", 1)
    load_into(tmp_path / "w", [str(path)])
    in_memory, on_disk = Session.new(), Session.new()
    open_sources(in_memory, [str(path)])
    open_sources(on_disk, [str(tmp_path / "w")])
    assert on_disk.workspace is not None
    assert (on_disk.workspace.folder / "states/1/store/styles.json").exists() == bulk
    assert same(on_disk.store.match(), in_memory.store.match())
    assert on_disk.store.size() == in_memory.store.size()
    assert on_disk.workspace.profile == count_profile(on_disk.store) == count_profile(in_memory.store)
    for text in ("first", "r29", "r4"):
        found = [set(session.label_index().search(text, 50)[0]) for session in (in_memory, on_disk)]
        assert found[0] == found[1]
    on_disk.close()
    in_memory.close()
    # A graph that is spelled by rule stays right when another source adds to it.
    (tmp_path / "more.nq").write_text(
        f'<urn:x> <http://example.org/p> "0.5"^^<{XSD.double.value}> <{path.as_uri()}> .\n', encoding="utf-8"
    )
    load_into(tmp_path / "w", [str(tmp_path / "more.nq")])
    again = session_of(tmp_path / "w")
    spelled = {q.object.value for q in again.store.match(None, P, None)}  # type: ignore[union-attr]
    assert {"0.5", "0.000000", "0.125000"} <= spelled
    again.close()


def loaded_both_ways(folder: Path, content: bytes, name: str, *, beside: str = "") -> tuple[Session, Session, bool]:
    """A file in two workspaces, read quad by quad and in bulk; and whether the second was bulk-loaded indeed."""
    path = folder / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    (folder / "beside.ttl").write_text(beside, encoding="utf-8")
    sessions = []
    taken: list[Survey | None] = []

    def watched(*arguments: Any, **options: Any) -> Survey | None:
        taken.append(bulk_load(*arguments, **options))
        return taken[-1]

    for size in (10**9, 1):
        workspace = folder / f"w{size}"
        with pytest.MonkeyPatch.context() as patched:
            if beside:
                load_into(workspace, [str(folder / "beside.ttl")])
            patched.setattr(loading, "BULK_FROM", size)
            patched.setattr(loading, "bulk_load", watched)
            patched.setattr(loading, "WORTH_FROM", 1)
            load_into(workspace, [str(path)])
        session = session_of(workspace)
        sessions.append(session)
    return sessions[0], sessions[1], taken[-1] is not None


def known_to_columns(session: Session) -> dict[str, tuple[object, ...]]:
    """What the columns of a workspace say of each predicate."""
    assert session.workspace is not None
    columns = session.workspace.columns
    assert columns is not None
    return {
        one.iri: (one.links, one.values, one.subjects, one.objects, one.kinds, one.exact, one.clock, one.scale)
        for one in columns.predicates
    }


def check_same(slow: Session, fast: Session) -> None:
    assert slow.workspace is not None
    assert fast.workspace is not None
    assert same(fast.store.match(), slow.store.match())
    assert fast.store.size() == slow.store.size()
    assert isinstance(fast.store, LocalStore)
    assert isinstance(slow.store, LocalStore)
    assert fast.store.keeps_merge == slow.store.keeps_merge
    assert fast.workspace.profile == count_profile(fast.store)
    if not any(isinstance(graph, BlankNode) for graph in slow.store.graphs()):
        assert fast.workspace.profile == slow.workspace.profile
        # Each was loaded at a moment of its own.
        told, also_told = (
            [
                (replace(source, graphs=(), since=None, earlier=()), len(source.earlier))
                for source in session.workspace.sources
            ]
            for session in (fast, slow)
        )
        assert told == also_told
        for one, other in zip(fast.workspace.sources, slow.workspace.sources, strict=True):
            assert set(one.graphs) == set(other.graphs)
    assert known_to_columns(fast) == known_to_columns(slow)
    for session in (slow, fast):
        assert session.workspace is not None
        assert session.columns is not None
        for predicate in session.usage().predicates:
            query = f"SELECT ?s ?o {{ ?s {predicate} ?o }}"
            stated = Counter((row["s"], row["o"]) for row in session.store.select(query))
            with suppress(NotByColumns):  # a predicate of resources and literals
                assert Counter((row["s"], row["o"]) for row in session.columns.select(query)) == stated
        assert kept_names(current_state(session.workspace.folder)) == names_made(session.store, session.schema())


PREFIX = "http://example.org/"
IN_TWO_GRAPHS = NamedNode(f"{PREFIX}twice")
MANY = st.lists(
    st.builds(
        Quad,
        st.one_of(IRIS, BLANKS),
        st.sampled_from([RDF.type, RDFS.label, NamedNode(f"{PREFIX}p"), NamedNode(f"{PREFIX}q")]),
        st.one_of(IRIS, BLANKS, LITERALS),
        st.sampled_from([DefaultGraph(), DefaultGraph(), NamedNode(f"{PREFIX}g"), NamedNode("urn:g"), BlankNode("g")]),
    ),
    min_size=1,
    max_size=25,
)


@examples(12)
@example(
    [Quad(IN_TWO_GRAPHS, RDF.type, IN_TWO_GRAPHS, graph) for graph in (NamedNode("urn:g"), NamedNode(f"{PREFIX}g"))],
    RdfFormat.N_QUADS,
)
@example([Quad(BlankNode("x"), P, BlankNode("y"), DefaultGraph())], RdfFormat.TURTLE)
@given(MANY, st.sampled_from([RdfFormat.N_QUADS, RdfFormat.TRIG, RdfFormat.N_TRIPLES, RdfFormat.TURTLE]))
def test_bulk_loading_quads_gives_what_reading_them_gives(quads: list[Quad], format: RdfFormat) -> None:
    with tempfile.TemporaryDirectory() as name:
        triples = [quad.triple for quad in quads]
        content = serialize(quads if format.supports_datasets else triples, format=format)
        assert content is not None
        slow, fast, _ = loaded_both_ways(Path(name), content, f"large.{format.file_extension}")
        check_same(slow, fast)
        slow.close()
        fast.close()


QUAD_LINES = [
    line.replace(" .\n", f" <urn:g{number % 3}> .\n") if number % 4 else line for number, line in enumerate(LINES)
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["large.nq", "large.nq.gz", "large.trig"])
@pytest.mark.parametrize(
    ("more", "beside", "bulk"),
    [
        ([], "", True),
        ([], "<urn:x> <urn:p> 1 .", True),
        ([QUAD_LINES[1], QUAD_LINES[1]], "", True),
        ([LINES[1]], "", True),
        ([f'_:b <http://example.org/p> "7.5"^^<{XSD.double.value}> <urn:g1> .\n'], "", False),
        (["<urn:a> <urn:p> <urn:o> _:g .\n"], "", False),
        (["<urn:a> <urn:p> <urn:o> _:g .\n"], "<urn:x> <urn:p> 1 .", False),
    ],
    ids=["plain", "beside another", "lines again", "in two graphs", "own spelling", "a blank graph", "both"],
)
def test_large_files_with_graphs(tmp_path: Path, name: str, more: list[str], beside: str, bulk: bool) -> None:
    text = "".join(QUAD_LINES + more).encode()
    if name.endswith(".trig"):
        written = serialize(parse(text, RdfFormat.N_QUADS), format=RdfFormat.TRIG)
        assert written is not None
        text = written
    slow, fast, taken = loaded_both_ways(tmp_path, text, name, beside=beside)
    assert taken == bulk
    check_same(slow, fast)
    assert {"0.125000", "0.500000"} & {q.object.value for q in fast.store.match(None, P)}  # type: ignore[union-attr]
    slow.close()
    fast.close()


def test_a_graph_that_another_source_has_is_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "first.nq").write_text("<urn:a> <urn:p> <urn:o> <urn:g1> .\n")
    slow, fast, taken = loaded_both_ways(tmp_path, "".join(QUAD_LINES).encode(), "large.nq")
    assert taken
    monkeypatch.setattr(loading, "WORTH_FROM", 1)
    for session in (slow, fast):
        assert session.workspace is not None
        folder = session.workspace.folder
        session.close()
        load_into(folder, [str(tmp_path / "first.nq")])
    # Loaded anew, it would take out what the other one says: so it is read quad by quad into what there is.
    monkeypatch.setattr(loading, "BULK_FROM", 1)
    load_into(tmp_path / "w1", [str(tmp_path / "large.nq")])
    monkeypatch.setattr(loading, "BULK_FROM", 10**9)
    load_into(tmp_path / "w1000000000", [str(tmp_path / "large.nq")])
    one, other = Session.new(), Session.new()
    open_sources(one, [str(tmp_path / "w1000000000")])
    open_sources(other, [str(tmp_path / "w1")])
    check_same(one, other)
    assert list(other.store.match(NamedNode("urn:a")))
    one.close()
    other.close()


def test_a_broken_large_file_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.nt"
    path.write_text("".join([*LINES, "oops\n"]), encoding="utf-8")
    monkeypatch.setattr(loading, "BULK_FROM", 1)
    with pytest.raises(SourceSyntaxError) as wrong:
        load_into(tmp_path / "w", [str(path)])
    assert f"large.nt:{len(''.join(LINES).splitlines()) + 1}" in wrong.value.where
    assert not (tmp_path / "w").exists()
