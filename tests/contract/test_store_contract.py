"""What every store promises (stores/base.py), and where backends are known to differ."""

from __future__ import annotations

from itertools import product

import pytest

from hpc_explorer.errors import AnswerLimited, Cancelled, DeadlineExceeded, QuerySyntaxError
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term
from hpc_explorer.stores.base import CancelToken, Count, CountKind, Limits, Store
from tests.contract.conftest import BIG_INTEGER, Backend
from tests.helpers.graphs import ex


def quad(subject: NamedNode | BlankNode | str, value: Term | str, graph: str = "g1", predicate: str = "p") -> Quad:
    return Quad(
        ex(subject) if isinstance(subject, str) else subject,
        ex(predicate),
        ex(value) if isinstance(value, str) else value,
        ex(graph),
    )


ALL = "SELECT ?s ?o WHERE { ?s ?p ?o }"


def test_an_empty_store(store: Store) -> None:
    assert store.size() == Count(0)
    assert store.graphs() == ()
    assert list(store.match()) == []
    assert list(store.select(ALL)) == []
    assert not store.ask("ASK { ?s ?p ?o }")


def test_size_and_graphs_follow_changes(backend: Backend) -> None:
    backend.fill([quad("a", "b"), quad("a", "c", "g2")])
    assert backend.store.size() == Count(2, CountKind.EXACT)
    assert set(backend.store.graphs()) == {ex("g1"), ex("g2")}
    backend.store.update(f"CLEAR GRAPH {ex('g2')}")
    assert backend.store.size() == Count(1)
    assert set(backend.store.graphs()) == {ex("g1")}


LITERALS = (
    Literal("text"),
    Literal('a "quoted" line\nand a \\ backslash\tand a tab'),
    Literal(""),
    Literal("数据 данные 🜁"),
    Literal("model", language="en"),
    Literal("Modell", language="de-at"),
    Literal("2147483647", datatype=XSD.integer),
    BIG_INTEGER,
    Literal("-7", datatype=XSD.integer),
    Literal("0.1", datatype=XSD.decimal),
    Literal("2021-03-09", datatype=XSD.date),
    Literal("2021-03-09T12:30:00Z", datatype=XSD.dateTime),
    Literal("2021-03-09T12:30:00.25+02:00", datatype=XSD.dateTime),
    Literal("true", datatype=XSD.boolean),
    Literal("1 GB", datatype=NamedNode("http://example.org/size")),
)


def test_literals_come_back_and_are_found(backend: Backend) -> None:
    """All but those that the backend is known to lose."""
    kept = {f"a{at}": literal for at, literal in enumerate(LITERALS) if literal not in backend.lost}
    backend.fill([quad(name, value) for name, literal in kept.items() for value in (literal, "other")])
    store = backend.store
    values = [row["o"] for row in store.select(ALL)]
    for name, literal in kept.items():
        spelled = backend.spelled.get(literal, literal)
        assert quad(name, spelled) in set(store.match(ex(name)))
        assert list(store.match(None, None, literal)) == [quad(name, spelled)]
        assert [row["s"] for row in store.select(f"SELECT ?s WHERE {{ ?s ?p {literal} }}")] == [ex(name)]
        assert spelled in values


def test_language_tags_are_part_of_the_literal(backend: Backend) -> None:
    backend.fill(
        [quad("a", Literal("x", language="en")), quad("b", Literal("x")), quad("c", Literal("x", language="de"))]
    )
    assert [q.subject for q in backend.store.match(None, None, Literal("x"))] == [ex("b")]
    rows = backend.store.select('SELECT ?s WHERE { ?s ?p ?o FILTER(LANGMATCHES(LANG(?o), "de")) }')
    assert [row["s"] for row in rows] == [ex("c")]


def test_match_by_every_combination(backend: Backend) -> None:
    quads = [quad(s, o, g, p) for s in ("a", "x") for p in ("p", "q") for o in ("b", "y") for g in ("g1", "g2")]
    backend.fill(quads)
    for subject, predicate, value, graph in product(
        (None, ex("a")), (None, ex("p")), (None, ex("b")), (None, ex("g1"))
    ):
        found = list(backend.store.match(subject, predicate, value, graph))
        fitting = [
            q
            for q in quads
            if subject in (None, q.subject)
            and predicate in (None, q.predicate)
            and value in (None, q.object)
            and graph in (None, q.graph_name)
        ]
        assert sorted(map(str, found)) == sorted(map(str, fitting)), (subject, predicate, value, graph)


def test_a_literal_that_looks_like_a_query_stays_a_literal(backend: Backend) -> None:
    nasty = Literal('x" . } } ; DROP ALL # \\')
    backend.fill([quad("a", nasty)])
    assert list(backend.store.match(None, None, nasty)) == [quad("a", nasty)]
    assert list(backend.store.match_many(objects=[nasty])) == [quad("a", nasty)]


def test_match_many(backend: Backend) -> None:
    backend.fill([quad("a", "b"), quad("b", "c"), quad("c", "d"), quad("c", "e", predicate="q")])
    store = backend.store
    assert {q.object for q in store.match_many(subjects=[ex("a"), ex("c")])} == {ex("b"), ex("d"), ex("e")}
    assert {q.object for q in store.match_many(subjects=[ex("c")], predicates=[ex("p")])} == {ex("d")}
    assert {q.subject for q in store.match_many(objects=[ex("c")], predicates=[ex("p")])} == {ex("b")}
    assert list(store.match_many(subjects=[ex("a")], predicates=[ex("nothing")])) == []
    assert list(store.match_many(subjects=[ex("a")], predicates=[])) == []
    assert list(store.match_many(subjects=[])) == []
    with pytest.raises(ValueError, match="either subjects or objects"):
        list(store.match_many(predicates=[ex("p")]))


def test_match_many_of_very_many(backend: Backend) -> None:
    backend.fill([quad(f"s{number}", f"o{number}") for number in range(1_000)])
    store = backend.store
    subjects = [ex(f"s{number}") for number in range(1_000)]
    assert {q.subject for q in store.match_many(subjects=subjects)} == set(subjects)
    objects = [ex(f"o{number}") for number in range(0, 1_000, 2)]
    predicates = [ex(name) for name in ("p", "q", "r", "t", "u", "v")]
    assert {q.object for q in store.match_many(objects=objects, predicates=predicates)} == set(objects)


def test_what_hangs_on_a_blank_node_is_found_from_the_answer_that_names_it(backend: Backend) -> None:
    outer, inner = BlankNode(), BlankNode()
    backend.fill([quad("a", "b"), quad("a", outer), quad(outer, inner, predicate="q"), quad(inner, Literal("deep"))])
    store = backend.store
    (found,) = (q.object for q in store.match(ex("a")) if isinstance(q.object, BlankNode))
    (nested,) = (q.object for q in store.match_many(subjects=[found]))
    assert isinstance(nested, BlankNode)
    assert [q.object for q in store.match(nested)] == [Literal("deep")]
    assert [q.subject for q in store.match(None, None, found)] == [ex("a")]
    assert [q.subject for q in store.match_many(objects=[nested], predicates=[ex("q")])] == [found]


def test_what_leads_to_a_blank_node_that_links_here_is_found(backend: Backend) -> None:
    between = BlankNode()
    backend.fill(
        [quad("a", between, predicate="qualified"), quad(between, "b"), quad(between, Literal("role"), predicate="r")]
    )
    store = backend.store
    (found,) = (q.subject for q in store.match_many(objects=[ex("b")], predicates=[ex("p")]))
    assert [q.subject for q in store.match_many(objects=[found])] == [ex("a")]
    assert {q.object for q in store.match(found)} == {ex("b"), Literal("role")}


def test_the_blank_nodes_of_one_answer_hang_together(backend: Backend) -> None:
    blank = BlankNode()
    backend.fill([quad("a", blank), quad(blank, "b")])
    first, second = sorted(backend.store.match(), key=lambda q: isinstance(q.subject, BlankNode))
    assert first.object == second.subject
    (row,) = backend.store.select(f"SELECT ?x ?y WHERE {{ {ex('a')} ?p ?x . ?y ?p {ex('b')} }}")
    assert row["x"] == row["y"]


def test_named_graphs_and_their_union(backend: Backend) -> None:
    backend.fill([quad("a", "b", "g1"), quad("a", "b", "g2"), quad("b", "c", "g2")])
    store = backend.store
    assert {(q.object, q.graph_name) for q in store.match(ex("a"))} == {
        (ex("b"), ex("g1")),
        (ex("b"), ex("g2")),
    }
    assert store.size() == Count(3), "a statement in two graphs is two quads"
    across = f"ASK {{ {ex('a')} {ex('p')} ?x . ?x {ex('p')} {ex('c')} }}"
    assert store.ask(across), "a query without GRAPH sees the union"
    named = f"SELECT ?s ?o WHERE {{ GRAPH {ex('g2')} {{ ?s ?p ?o }} }}"
    assert {(row["s"], row["o"]) for row in store.select(named)} == {(ex("a"), ex("b")), (ex("b"), ex("c"))}
    (row,) = store.select("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }")
    assert row["n"] == Literal(2 if backend.merges_graphs else 3)


def test_property_paths(backend: Backend) -> None:
    backend.fill([quad("a", "b"), quad("b", "c", "g2"), quad("c", "a", "g2"), quad("x", "y", predicate="q")])
    rows = backend.store.select(f"SELECT DISTINCT ?o WHERE {{ {ex('a')} {ex('p')}+ ?o }}")
    assert {row["o"] for row in rows} == {ex("b"), ex("c")} | ({ex("a")} if backend.walks_in_circles else set())
    rows = backend.store.select(f"SELECT ?o WHERE {{ {ex('y')} ^{ex('q')}/({ex('p')}|^{ex('q')})? ?o }}")
    assert [row["o"] for row in rows] == [ex("x")]


def test_order_limits_and_offsets(backend: Backend) -> None:
    backend.fill([quad(f"s{number:03}", Literal(number)) for number in range(50)])
    rows = backend.store.select("SELECT ?o WHERE { ?s ?p ?o } ORDER BY DESC(?o) LIMIT 3 OFFSET 1")
    assert [row["o"] for row in rows] == [Literal(48), Literal(47), Literal(46)]


def test_an_unbound_variable_is_absent_from_its_row(backend: Backend) -> None:
    backend.fill([quad("a", "b")])
    rows = backend.store.select("SELECT ?s ?nothing WHERE { ?s ?p ?o OPTIONAL { ?o ?p ?nothing } }")
    assert rows.variables == ("s", "nothing")
    assert [dict(row) for row in rows] == [{"s": ex("a")}]


def test_construct_and_describe(backend: Backend) -> None:
    backend.fill([quad("a", "b"), quad("a", Literal("é", language="fr"))])
    triples = backend.store.construct(f"CONSTRUCT {{ ?o {RDF.value} ?s }} WHERE {{ ?s ?p ?o FILTER(isIRI(?o)) }}")
    assert [(t.subject, t.predicate, t.object) for t in triples] == [(ex("b"), RDF.value, ex("a"))]
    assert {t.object for t in backend.store.construct(f"DESCRIBE {ex('a')}")} == {
        ex("b"),
        Literal("é", language="fr"),
    }


def test_a_long_query(backend: Backend) -> None:
    backend.fill([quad("a", "b")])
    names = " ".join(str(ex(f"some-quite-long-name-of-a-resource-{number}")) for number in range(2_000))
    assert [
        r["s"] for r in backend.store.select(f"SELECT ?s WHERE {{ VALUES ?s {{ {names} {ex('a')} }} ?s ?p ?o }}")
    ] == [ex("a")]


def test_wrong_queries_are_named(store: Store) -> None:
    with pytest.raises(QuerySyntaxError) as wrong:
        store.select("SELECT * WHERE {\n ?s ?p ")
    assert "line 2" in wrong.value.where
    with pytest.raises(QuerySyntaxError, match="undeclared prefix"):
        store.select("SELECT * WHERE { ?s nope:p ?o }")
    with pytest.raises(QuerySyntaxError, match="not a SELECT"):
        store.select("ASK { ?s ?p ?o }")
    with pytest.raises(QuerySyntaxError, match="not an ASK"):
        store.ask("SELECT * { ?s ?p ?o }")
    with pytest.raises(QuerySyntaxError, match="not a CONSTRUCT"):
        store.construct("ASK { ?s ?p ?o }")
    with pytest.raises(QuerySyntaxError):
        store.update("DELETE EVERYTHING")


def test_updates_are_seen_at_once(backend: Backend) -> None:
    backend.fill([quad("a", "b")])
    store = backend.store
    assert store.capabilities.writable
    store.update(
        f"DELETE {{ GRAPH ?g {{ ?s ?p ?o }} }} INSERT {{ GRAPH ?g {{ ?s ?p {ex('c')} }} }} "
        f"WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}"
    )
    assert list(store.match()) == [quad("a", "c")]


def test_limits_end_a_call(backend: Backend) -> None:
    backend.fill([quad("a", f"{number}") for number in range(3000)])
    store = backend.store
    token = CancelToken()
    rows = iter(store.select(ALL, limits=Limits(cancel=token)))
    next(rows)
    token.cancel()
    with pytest.raises(Cancelled):
        list(rows)
    with pytest.raises(DeadlineExceeded):
        list(store.match(limits=Limits(deadline=0.0)))
    with pytest.raises(Cancelled):
        store.ask("ASK { ?s ?p ?o }", limits=Limits(cancel=token))
    assert len(list(store.match())) == 3000, "the store is as usable as before"


def test_rows_that_nobody_reads_to_the_end_keep_nothing_busy(backend: Backend) -> None:
    backend.fill([quad("a", f"{number}") for number in range(3000)])
    for _ in range(12):
        assert next(iter(backend.store.match())).subject == ex("a")
    begun = [backend.store.select(ALL) for _ in range(3)]
    assert len(list(backend.store.match())) == 3000
    assert sum(1 for rows in begun for _ in rows) == 9000


def test_a_limit_for_answers_is_told(backend: Backend) -> None:
    if backend.most_rows is None:
        pytest.skip(f"{backend.name} has no such limit")
    backend.fill([quad(f"s{number % 100}", f"o{number}") for number in range(backend.most_rows + 1)])
    store = backend.store
    assert store.size() == Count(backend.most_rows + 1), "a count is no long answer"
    rows = store.select(ALL)
    assert sum(1 for _ in rows) == backend.most_rows
    assert rows.limited
    few = store.select(f"{ALL} LIMIT 10")
    assert (sum(1 for _ in few), few.limited) == (10, False)
    with pytest.raises(AnswerLimited):
        list(store.match())
    with pytest.raises(AnswerLimited, match="at most"):
        list(store.construct("CONSTRUCT WHERE { ?s ?p ?o }"))
    assert len(list(store.construct("CONSTRUCT WHERE { ?s ?p ?o } LIMIT 5000"))) == 5_000
    assert len(list(store.match(ex("s7")))) == backend.most_rows // 100
