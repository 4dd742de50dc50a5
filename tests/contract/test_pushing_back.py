"""Push to an endpoint: the very statements that were changed, in one request, and no update of anybody's lost."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from hpc_explorer.annotate.pushing.endpoint import push_request, same_value, send
from hpc_explorer.annotate.pushing.three_way import Changes
from hpc_explorer.annotate.pushing.values import Choice, TargetKind
from hpc_explorer.app.journal.push import push, push_plan, take_offline
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ServerError, StoreError
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.remote.descriptions import described
from hpc_explorer.stores.remote.mirror_record import MirrorPart
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.graphs import ex
from tests.helpers.killed_copies import as_if_killed
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of
from tests.helpers.virtuoso_server import load as load_into_virtuoso

G = ex("graph")
M, NAME, SIZE, TOOK = ex("m"), RDFS.label, ex("size"), ex("took")
VALUE, UNIT = ex("value"), ex("unit")
QUADS = [
    Quad(M, RDF.type, ex("Model"), G),
    Quad(M, NAME, Literal("old", language="en"), G),
    Quad(M, NAME, Literal("alt"), G),
    Quad(M, SIZE, Literal("7", datatype=XSD.integer), G),
    Quad(M, ex("of"), ex("n"), G),
    Quad(M, TOOK, BlankNode("t"), G),
    Quad(BlankNode("t"), VALUE, Literal("12", datatype=XSD.integer), G),
    Quad(BlankNode("t"), UNIT, ex("s"), G),
    Quad(ex("n"), NAME, Literal("the other one"), G),
    Quad(ex("n"), RDF.type, ex("Model"), G),
    Quad(ex("k"), NAME, Literal("not taken"), G),
]


@contextmanager
def losing_proxy(target: str, arrives: bool, then: Callable[[], None] | None = None) -> Iterator[str]:
    """A server before another one that breaks the connection at each update, after or before it was sent on.

    With `then`, it answers, but does that before.
    """
    opener = build_opener(ProxyHandler({}))

    class Forwarder(BaseHTTPRequestHandler):
        def log_message(self, format: str, *words: object) -> None:
            """Nobody reads it."""

        def do_GET(self) -> None:
            self._forward(None)

        def do_POST(self) -> None:
            self._forward(self.rfile.read(int(self.headers["Content-Length"])))

        def _forward(self, body: bytes | None) -> None:
            kept = {name: self.headers[name] for name in ("Accept", "Content-Type") if self.headers[name]}
            is_update = self.path.startswith("/update")
            if is_update and not arrives:
                self.connection.close()
                return
            with opener.open(Request(target + self.path, body, kept)) as answer:
                data = answer.read()
            if is_update and then is None:
                self.connection.close()
                return
            if is_update and then is not None:
                then()
            self.send_response(200)
            self.send_header("Content-Type", answer.headers["Content-Type"] or "text/plain")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Forwarder) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
            thread.join()


class Server:
    """A server with the statements, and what it states now."""

    def __init__(self, address: str, update_address: str) -> None:
        self.address, self.update_address = address, update_address
        self.store = RemoteStore(address, update_address=update_address)

    def stated(self) -> set[str]:
        """All of it, blank nodes by what hangs on them."""
        self.store.always_ask()
        where = "GRAPH ?g { ?s ?p ?o }"
        return {
            " ".join("_:" if isinstance(term, BlankNode) else str(term) for term in quad)
            for quad in self.store.quads(f"{where} FILTER(?g = {G})")
        }


@pytest.fixture(params=["oxigraph", "virtuoso"])
def running(request: pytest.FixtureRequest) -> Iterator[Server]:
    if request.param == "oxigraph":
        address = request.getfixturevalue("server")
        found = Server(f"{address}/query", f"{address}/update")
    else:
        address = request.getfixturevalue("virtuoso")
        found = Server(address, address)
    yield found
    found.store.close()


@pytest.fixture
def endpoint(running: Server) -> Server:
    fill(running, QUADS)
    return running


def fill(endpoint: Server, quads: list[Quad]) -> None:
    endpoint.store.update(f"CLEAR SILENT GRAPH {G}")
    if endpoint.address.endswith("/sparql"):
        load_into_virtuoso(endpoint.address, quads)
    else:
        endpoint.store.update(f"INSERT DATA {{ GRAPH {G} {{ {' '.join(f'{quad.triple} .' for quad in quads)} }} }}")


def offline(endpoint: Server, folder: Path, *resources: NamedNode) -> Session:
    session = session_of(endpoint.address)
    take_offline(session, resources or (M,), folder)
    return session


def edit(session: Session, removed: list[tuple[object, ...]], added: list[tuple[object, ...]]) -> None:
    graph = session.opened[0].summary.graph
    change = ChangeSet(
        tuple(Quad(*triple, graph) for triple in removed),  # type: ignore[arg-type, misc]  # three terms
        tuple(Quad(*triple, graph) for triple in added),  # type: ignore[arg-type, misc]  # three terms
    )
    assert session.edit(change).change == change


OLD, NEW = (M, NAME, Literal("old", language="en")), (M, NAME, Literal("new", language="en"))


def line(*terms: object) -> str:
    return " ".join(map(str, (*terms, G)))


def test_what_is_taken_offline_can_be_read_there(endpoint: Server, tmp_path: Path) -> None:
    session = offline(endpoint, tmp_path / "w")
    stated = {(str(quad.subject), str(quad.predicate)) for quad in session.store.match()}
    assert (str(ex("n")), str(NAME)) in stated, "what it links to has its name"
    assert str(ex("k")) not in {subject for subject, _ in stated}
    assert len(list(session.store.match(predicate=VALUE))) == 1, "values come with what hangs on them"
    assert session.read_only_reason is None
    (source,) = session.workspace.sources if session.workspace else ()
    assert source.mirror is not None
    assert (source.mirror.endpoint, source.mirror.part.graph) == (endpoint.address, G)
    session.close()


def test_one_edited_literal_is_two_triples(endpoint: Server, tmp_path: Path) -> None:
    session = offline(endpoint, tmp_path / "w")
    before = endpoint.stated()
    edit(session, [OLD], [NEW])
    plan = push_plan(session)
    (target,) = plan.targets
    assert target.kind is TargetKind.ENDPOINT
    assert str(G) in target.where
    report = push(session, plan)
    assert (report.removed, report.added) == (1, 1)
    assert before ^ endpoint.stated() == {line(*OLD), line(*NEW)}
    assert push_plan(session).targets == ()
    session.close()


def test_values_in_brackets_are_found_by_what_is_said_of_them(endpoint: Server, tmp_path: Path) -> None:
    session = offline(endpoint, tmp_path / "w")
    before = endpoint.stated()
    (value,) = session.store.match(predicate=VALUE)
    edit(session, [(value.subject, VALUE, value.object)], [(value.subject, VALUE, Literal("13", datatype=XSD.integer))])
    push(session, push_plan(session))
    assert len(before ^ endpoint.stated()) == 2
    node = BlankNode()
    edit(session, [], [(M, ex("cost"), node), (node, VALUE, Literal("5", datatype=XSD.integer))])
    push(session, push_plan(session))
    assert push_plan(session).targets == ()
    (value,) = session.store.match(node)
    edit(session, [(M, ex("cost"), node), (node, VALUE, value.object)], [])
    push(session, push_plan(session))
    assert len(before ^ endpoint.stated()) == 2
    session.close()


def test_of_two_values_alike_none_is_taken(endpoint: Server, tmp_path: Path) -> None:
    twins = [
        Quad(BlankNode("u"), VALUE, Literal("12", datatype=XSD.integer), G),
        Quad(BlankNode("u"), UNIT, ex("s"), G),
        Quad(M, TOOK, BlankNode("u"), G),
    ]
    fill(endpoint, [*QUADS, *twins])
    session = offline(endpoint, tmp_path / "w")
    before = endpoint.stated()
    value = next(iter(session.store.match(predicate=VALUE)))
    edit(session, [(value.subject, VALUE, value.object)], [(value.subject, VALUE, Literal("13", datatype=XSD.integer))])
    with pytest.raises(StoreError, match="nothing was pushed"):
        push(session, push_plan(session))
    assert endpoint.stated() == before
    session.close()


def test_numbers_that_the_endpoint_spells_otherwise_come_here_so(endpoint: Server, tmp_path: Path) -> None:
    session = offline(endpoint, tmp_path / "w")
    edit(session, [(M, SIZE, Literal("7", datatype=XSD.integer))], [(M, SIZE, Literal("1.50", datatype=XSD.decimal))])
    push(session, push_plan(session))
    assert [quad.object for quad in session.store.match(M, SIZE)] == [Literal("1.5", datatype=XSD.decimal)]
    assert push_plan(session).targets == ()
    session.close()


@pytest.mark.parametrize("choice", list(Choice))
def test_a_conflict_is_chosen_about(endpoint: Server, tmp_path: Path, choice: Choice) -> None:
    session = offline(endpoint, tmp_path / "w")
    edit(session, [OLD], [NEW])
    endpoint.store.update(
        f'DELETE DATA {{ GRAPH {G} {{ {M} {NAME} "old"@en }} }} ; '
        f'INSERT DATA {{ GRAPH {G} {{ {M} {NAME} "theirs"@en . {M} {SIZE} 8 }} }}'
    )
    plan = push_plan(session)
    (conflict,) = plan.conflicts
    assert [term.value for term in conflict.theirs] == ["alt", "theirs"]  # type: ignore[union-attr]  # literals
    assert [str(quad.predicate) for quad in plan.targets[0].theirs_added] == [str(SIZE)]
    push(session, plan, {conflict: choice})
    wanted = {Choice.MINE: {"alt", "new"}, Choice.THEIRS: {"alt", "theirs"}, Choice.BOTH: {"alt", "new", "theirs"}}
    assert {quad.object.value for quad in session.store.match(M, NAME)} == wanted[choice]  # type: ignore[union-attr]  # literals
    values = {text.split(" ", 2)[2].split('"')[1] for text in endpoint.stated() if text.startswith(f"{M} {NAME} ")}
    assert values == wanted[choice]
    assert len(list(session.store.match(M, SIZE))) == 2, "what they added beside is here"
    assert push_plan(session).targets == ()
    session.close()


def test_what_comes_between_look_and_push_stops_it(endpoint: Server, tmp_path: Path) -> None:
    session = offline(endpoint, tmp_path / "w")
    edit(session, [OLD], [NEW, (M, ex("kind"), ex("Tree"))])
    plan = push_plan(session)
    endpoint.store.update(f"INSERT DATA {{ GRAPH {G} {{ {M} {ex('kind')} {ex('Forest')} }} }}")
    before = endpoint.stated()
    with pytest.raises(StoreError, match="somebody changed the same"):
        push(session, plan)
    assert endpoint.stated() == before
    assert push_plan(session).conflicts, "seen at the next look"
    session.close()


def test_without_a_connection_nothing_is_lost(tmp_path: Path) -> None:
    with oxigraph_server() as address:
        endpoint = Server(f"{address}/query", f"{address}/update")
        fill(endpoint, QUADS)
        endpoint.store.close()
        session = offline(endpoint, tmp_path / "w")
    edit(session, [OLD], [NEW])
    plan = push_plan(session)
    (target,) = plan.refused
    assert "connection" in (target.refused or "")
    assert push(session, plan).pushed == ()
    session.close()


def test_a_whole_copy_is_pushed_back_too(endpoint: Server, tmp_path: Path) -> None:
    load_into(tmp_path / "w", [endpoint.address], part=MirrorPart(graph=G))
    session = session_of(tmp_path / "w", keep_workspace=True)
    before = endpoint.stated()
    # A form knows the graph of the source alone.
    own = session.opened[0].summary.graph
    session.edit(ChangeSet((Quad(*OLD, G),), (Quad(*NEW, own),)))
    push(session, push_plan(session))
    assert before ^ endpoint.stated() == {line(*OLD), line(*NEW)}
    assert [quad.graph_name for quad in session.store.match(*NEW)] == [G]
    assert push_plan(session).targets == ()
    session.close()


def test_resources_of_the_default_graph_go_back_there(tmp_path: Path) -> None:
    with oxigraph_server() as address:
        endpoint = Server(f"{address}/query", f"{address}/update")
        endpoint.store.update(f'INSERT DATA {{ {M} {NAME} "old"@en }}')
        session = offline(endpoint, tmp_path / "w")
        edit(session, [OLD], [NEW])
        push(session, push_plan(session))
        assert list(endpoint.store.match(graph=DefaultGraph())) == [Quad(*NEW)]
        session.close()
        endpoint.store.close()


@pytest.mark.parametrize("arrives", [True, False])
def test_an_answer_that_is_lost_is_asked_for(tmp_path: Path, arrives: bool) -> None:
    """The connection breaks before the answer of an update: done or not, both sides agree afterwards."""
    with oxigraph_server() as address, losing_proxy(address, arrives) as proxy:
        straight = Server(f"{address}/query", f"{address}/update")
        fill(straight, QUADS)
        session = offline(Server(f"{proxy}/query", f"{proxy}/update"), tmp_path / "w")
        edit(session, [OLD], [NEW])
        before = straight.stated()
        if arrives:
            assert push(session, push_plan(session)).added == 1
            assert before ^ straight.stated() == {line(*OLD), line(*NEW)}
            assert push_plan(session).targets == ()
        else:
            with pytest.raises(ServerError, match="nothing was pushed"):
                push(session, push_plan(session))
            assert straight.stated() == before
            assert len(push_plan(session).targets) == 1
        session.close()
        straight.store.close()


@pytest.mark.parametrize("since", ["changed again", "taken back"])
def test_a_push_that_was_cut_off_is_gone_on_with(endpoint: Server, tmp_path: Path, since: str) -> None:
    """The program is killed after the update was sent: what goes on from there is no conflict with oneself."""
    session = offline(endpoint, tmp_path / "w")
    before = endpoint.stated()
    edit(session, [OLD], [NEW, (M, TOOK, BlankNode("mine")), (BlankNode("mine"), VALUE, Literal("more"))])
    (mine,) = session.store.match(predicate=VALUE, object=Literal("more"))
    push(session, push_plan(session), progress=lambda step: as_if_killed(tmp_path / "w", tmp_path / "killed"))
    session.close()
    session = session_of(tmp_path / "killed", keep_workspace=True)
    if since == "changed again":
        edit(session, [NEW], [(M, NAME, Literal("newest", language="en"))])
    else:
        edit(session, [NEW, (M, TOOK, mine.subject), (mine.subject, VALUE, Literal("more"))], [OLD])
    plan = push_plan(session)
    assert plan.conflicts == plan.refused == ()
    push(session, plan)
    assert push_plan(session).targets == ()
    session.close()
    now = endpoint.stated()
    if since == "taken back":
        assert now == before
    else:
        assert {line(M, NAME, Literal("newest", language="en"))} <= now
        assert not {line(*OLD), line(*NEW)} & now


MOMENTS = int(os.environ.get("HPC_EXPLORER_TEST_MOMENTS", "12"))


def test_of_two_at_the_same_moment_one_is_done(endpoint: Server) -> None:
    """Both saw the same and change the same: one is done, the other told that it was not."""
    stores = [RemoteStore(endpoint.address, update_address=endpoint.update_address) for _ in range(2)]
    both_go = threading.Barrier(len(stores))
    seen = [*described(endpoint.store, [M])]
    (size,) = (quad for quad in seen if quad.predicate == SIZE)

    def change_it(who: int, number: int, size: Quad, seen: list[Quad]) -> Quad | None:
        store = stores[who]
        store.always_ask()
        more = Quad(M, SIZE, Literal(f"{number}0{who}", datatype=XSD.integer), G)
        change = Changes(frozenset([size]), frozenset([more]))
        text = push_request(change, seen, lambda graph: graph, is_virtuoso=endpoint.store.is_virtuoso)
        both_go.wait()
        try:
            send(store, text, change, seen, lambda: described(store, [M]))
        except StoreError as error:
            assert "was not carried out" in error.what
            return None
        return more

    with ThreadPoolExecutor(len(stores)) as editors:
        for number in range(1, MOMENTS + 1):
            tries = [editors.submit(change_it, who, number, size, seen) for who in range(len(stores))]
            (done,) = [one for one in (each.result() for each in tries) if one is not None]
            endpoint.store.always_ask()
            seen = [*described(endpoint.store, [M])]
            (size,) = (quad for quad in seen if quad.predicate == SIZE)
            assert size == done
            assert len(endpoint.stated()) == len(QUADS), "nothing else is there"
    for store in stores:
        store.close()


def test_what_came_at_the_same_moment_stands_beside_and_is_chosen_about(tmp_path: Path) -> None:
    """A server that does not keep two updates apart: both were carried out, and the one who sees it is told."""
    with oxigraph_server() as address:
        straight = Server(f"{address}/query", f"{address}/update")
        fill(straight, QUADS)

        def theirs() -> None:
            straight.store.update(f'INSERT DATA {{ GRAPH {G} {{ {M} {NAME} "theirs" }} }}')

        with losing_proxy(address, True, theirs) as proxy:
            session = offline(Server(f"{proxy}/query", f"{proxy}/update"), tmp_path / "w")
            edit(session, [OLD], [NEW])
            with pytest.raises(StoreError, match="at the same moment, and the endpoint has both"):
                push(session, push_plan(session))
            assert {line(*NEW), line(M, NAME, Literal("theirs"))} < straight.stated()
            plan = push_plan(session)
            (conflict,) = plan.conflicts
            assert [term.value for term in conflict.theirs] == ["alt", "new", "theirs"]  # type: ignore[union-attr]  # literals
            push(session, plan, {conflict: Choice.BOTH})
        assert {line(*NEW), line(M, NAME, Literal("theirs"))} < straight.stated()
        assert len(list(session.store.match(M, NAME))) == 3
        assert push_plan(session).targets == ()
        session.close()
        straight.store.close()


SPELLED_TWICE = [
    (Literal("7", datatype=XSD.integer), Literal("07", datatype=XSD.integer)),
    (Literal("1.5", datatype=XSD.decimal), Literal("1.50", datatype=XSD.decimal)),
    (Literal("8", datatype=XSD.integer), Literal("8.0", datatype=XSD.decimal)),
    (Literal("true", datatype=XSD.boolean), Literal("1", datatype=XSD.boolean)),
    (
        Literal("2021-03-09T12:30:00Z", datatype=XSD.dateTime),
        Literal("2021-03-09T12:30:00.0Z", datatype=XSD.dateTime),
    ),
]


def test_a_value_that_is_only_spelled_otherwise_is_not_lost(endpoint: Server, tmp_path: Path) -> None:
    """Virtuoso has one form for both, and an update that takes the one for the other leaves neither."""
    kinds = [ex(f"kind{number}") for number in range(len(SPELLED_TWICE))]
    fill(endpoint, [*QUADS, *(Quad(M, kind, old, G) for kind, (old, _) in zip(kinds, SPELLED_TWICE, strict=True))])
    session = offline(endpoint, tmp_path / "w")
    now = [(M, kind, quad.object) for kind in kinds for quad in session.store.match(M, kind)]
    edit(session, now, [(M, kind, new) for kind, (_, new) in zip(kinds, SPELLED_TWICE, strict=True)])
    push(session, push_plan(session))
    edit(session, [], [(M, ex("mark"), Literal("mine"))])
    push(session, push_plan(session))
    assert line(M, ex("mark"), Literal("mine")) in endpoint.stated()
    for kind, (old, new) in zip(kinds, SPELLED_TWICE, strict=True):
        (there,) = endpoint.store.match(M, kind, graph=G)
        assert there.object == old or same_value(there.object, new)  # type: ignore[arg-type]  # a literal
        assert [quad.object for quad in session.store.match(M, kind)] == [there.object]
    assert push_plan(session).targets == ()
    session.close()


INTERLEAVINGS = int(os.environ.get("HPC_EXPLORER_TEST_INTERLEAVINGS", "15"))


@pytest.mark.slow
def test_of_two_editors_no_update_is_lost(endpoint: Server, tmp_path: Path) -> None:
    """Each adds marks of its own and rewrites one shared name; every mark and the last accepted name must be there."""
    chance = random.Random(4)
    editors = [offline(endpoint, tmp_path / name) for name in ("a", "b")]
    plans: list[object] = [None, None]
    marks: list[set[str]] = [set(), set()]
    written: set[str] = set()
    outdated = conflicts = pushes = number = 0
    while pushes < INTERLEAVINGS:
        number += 1
        who = chance.randrange(2)
        session, plan = editors[who], plans[who]
        action = chance.choice(["name", "mark", "plan", "push", "push"])
        if action == "name":
            (now,) = session.store.match(M, SIZE)
            edit(session, [(M, SIZE, now.object)], [(M, SIZE, Literal(str(number), datatype=XSD.integer))])
        elif action == "mark":
            mark = f"{who}-{number}"
            marks[who].add(mark)
            edit(session, [], [(M, ex(f"mark{chance.randrange(3)}"), Literal(mark))])
        elif action == "plan":
            plans[who] = push_plan(session)
        elif plan is not None:
            plans[who] = None
            choices = {}
            for conflict in plan.conflicts:  # type: ignore[attr-defined]  # a plan
                conflicts += 1
                single = conflict.predicate == SIZE
                choices[conflict] = chance.choice([Choice.MINE, Choice.THEIRS]) if single else Choice.BOTH
            try:
                push(session, plan, choices)  # type: ignore[arg-type]  # a plan
            except (StoreError, ServerError):
                outdated += 1
                continue
            pushes += 1
            written |= marks[who]
            marks[who] = set()
            stated = endpoint.stated()
            there = {text.split('"')[1] for text in stated if ex("mark").value in text}
            assert written <= there, "a mark was lost"
            assert sum(str(SIZE) in text for text in stated) == 1, "two sizes at once"
    for session in editors:
        session.close()
    assert (conflicts, outdated) > (0, 0), "the editors came into each other's way"
