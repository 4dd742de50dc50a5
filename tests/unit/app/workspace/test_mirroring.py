"""A copy of an endpoint in a workspace: the same graph, and the truth about how good the copy is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.workspace.load_progress import LoadProgress
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.cli.main import run_command
from hpc_explorer.errors import AnswerLimited, Cancelled, SourceNotFound, UsageError
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, DefaultGraph, NamedNode, Quad
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache
from hpc_explorer.stores.remote.mirror import copy_endpoint
from hpc_explorer.stores.remote.mirror_record import MirrorCheck, MirrorPart
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.limiting_proxy import limiting_proxy
from tests.helpers.oxigraph_server import oxigraph_server

EX = "http://example.org/"
DATA = f"""PREFIX : <{EX}>
INSERT DATA {{
  :own :p 1 .
  GRAPH :g {{
    :run a :Run ; :used :set ; :took [ :value 12.50 ; :unit [ :name "s" ] ] .
    :other a :Run ; :took _:shared . :third :took _:shared . _:shared :value 3 .
    [] a :Note ; :about :run .
  }}
  GRAPH :h {{ :set a :Dataset ; :name "text with \\"quotes\\""@en . }}
}}"""
MANY = f"PREFIX : <{EX}> INSERT DATA {{ {' '.join(f':n{number} :p {number} .' for number in range(3000))} }}"


@pytest.fixture
def server() -> Iterator[str]:
    with oxigraph_server() as address:
        change(address, DATA)
        yield address


def change(address: str, text: str) -> None:
    store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
    store.update(text)
    store.close()


def canonical(quads: Iterator[Quad], default: NamedNode | None = None) -> Dataset:
    found = Dataset(
        Quad(q.subject, q.predicate, q.object, DefaultGraph() if q.graph_name == default else q.graph_name)
        for q in quads
    )
    found.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return found


def copied(folder: Path, address: str) -> Dataset:
    workspace = OpenWorkspace.open(folder)
    found = canonical(workspace.store.match(), NamedNode(address))
    workspace.close()
    return found


def there(address: str) -> Dataset:
    store = RemoteStore(address)
    found = canonical(store.match())
    store.close()
    return found


def test_all_of_it_is_the_same_graph(server: str, tmp_path: Path) -> None:
    address = f"{server}/query"
    told: list[LoadProgress] = []
    (source,) = load_into(tmp_path / "w", [address], report=told.append).loaded
    assert source.mirror is not None
    assert (source.mirror.check, source.mirror.triples, source.triples) == (MirrorCheck.EXACT, 15, 15)
    assert any(step.triples_total == 15 for step in told)
    assert copied(tmp_path / "w", address) == there(address)
    assert not list((tmp_path / "w").rglob("mirror*")), "nothing is left of the copying"


def test_a_workspace_with_a_copy_answers_without_the_endpoint(tmp_path: Path) -> None:
    with oxigraph_server() as address:
        change(address, DATA)
        load_into(tmp_path / "w", [f"{address}/query"])
    session = Session.new()
    (summary,) = open_sources(session, [str(tmp_path / "w")])
    assert summary.format == "copy of an endpoint"
    assert summary.notes == (f"copied {session.workspace.sources[0].mirror.copied}: exact",)  # type: ignore[union-attr]
    assert session.store.ask(f"ASK {{ <{EX}run> <{EX}took> [ <{EX}value> 12.5 ] }}")
    session.close()


@pytest.mark.parametrize("told", [True, False], ids=["the limit is told", "the limit is not told"])
def test_page_by_page_it_is_the_same_graph(server: str, tmp_path: Path, told: bool) -> None:
    with limiting_proxy(f"{server}/query", 14, told=told) as address:
        (source,) = load_into(tmp_path / "w", [address]).loaded
        assert source.mirror is not None
        assert source.mirror.check is MirrorCheck.EXACT, source.mirror
        assert copied(tmp_path / "w", address) == there(f"{server}/query")


@pytest.mark.slow
def test_many_pages(server: str, tmp_path: Path) -> None:
    change(server, MANY)
    with limiting_proxy(f"{server}/query", 170) as address:
        (source,) = load_into(tmp_path / "w", [address]).loaded
        assert source.mirror is not None
        assert (source.mirror.check, source.mirror.note) == (MirrorCheck.EXACT, "")
        assert source.triples == 3015
        assert copied(tmp_path / "w", address) == there(f"{server}/query")


def test_where_blank_nodes_do_not_fit_the_copy_says_what_is_lost(server: str, tmp_path: Path) -> None:
    blanks = " ".join(f"[] :p {number} ." for number in range(30))
    change(server, f"PREFIX : <{EX}> INSERT DATA {{ {blanks} }}")
    with limiting_proxy(f"{server}/query", 25) as address:
        (source,) = load_into(tmp_path / "w", [address]).loaded
        assert source.mirror is not None
        assert source.mirror.check is MirrorCheck.DIFFERS
        assert "13 triples copied, 45 counted there. copied in pages: a blank node" in source.mirror.note
        workspace = OpenWorkspace.open(tmp_path / "w")
        assert workspace.store.ask(f'ASK {{ <{EX}run> <{EX}took>/<{EX}unit>/<{EX}name> "s" }}'), (
            "blank nodes hang together"
        )
        workspace.close()


def test_a_class_comes_with_its_blank_nodes(server: str, tmp_path: Path) -> None:
    part = MirrorPart(cls=NamedNode(f"{EX}Run"))
    (source,) = load_into(tmp_path / "w", [f"{server}/query"], part=part).loaded
    assert source.mirror is not None
    assert (source.mirror.check, source.triples) == (MirrorCheck.EXACT, 9)
    workspace = OpenWorkspace.open(tmp_path / "w")
    assert workspace.store.ask(f'ASK {{ <{EX}run> <{EX}took>/<{EX}unit>/<{EX}name> "s" }}')
    assert workspace.store.ask(f"ASK {{ <{EX}other> <{EX}took>/<{EX}value> 3 }}")
    assert not workspace.store.ask(f"ASK {{ <{EX}set> ?p ?o }}")
    workspace.close()


def test_a_graph_or_the_answer_of_a_query(server: str, tmp_path: Path) -> None:
    address = f"{server}/query"
    (source,) = load_into(tmp_path / "w", [address], part=MirrorPart(graph=NamedNode(f"{EX}h"))).loaded
    assert (source.triples, str(source.mirror.part)) == (2, f"graph {EX}h")  # type: ignore[union-attr]
    part = MirrorPart(query=f"CONSTRUCT {{ ?s <{EX}was> ?o }} WHERE {{ ?s <{EX}took>/<{EX}value> ?o }}")
    (source,) = load_into(tmp_path / "w", [address], part=part).loaded
    assert source.mirror is not None
    assert (source.triples, source.mirror.check) == (3, MirrorCheck.UNCHECKED)
    assert source.graphs == (NamedNode(address),), "the earlier copy is gone"


def test_loaded_again_it_copies_the_same_part_anew(server: str, tmp_path: Path) -> None:
    address = f"{server}/query"
    load_into(tmp_path / "w", [address], part=MirrorPart(graph=NamedNode(f"{EX}h")))
    change(server, f"INSERT DATA {{ GRAPH <{EX}h> {{ <{EX}new> <{EX}p> 1 }} GRAPH <{EX}g> {{ <{EX}no> <{EX}p> 1 }} }}")
    (source,) = load_into(tmp_path / "w", [address]).loaded
    assert source.triples == 3
    manifest = json.loads((tmp_path / "w" / "manifest.json").read_text())
    assert manifest["sources"][0]["mirror"]["graph"] == f"{EX}h"
    assert manifest["sources"][0]["path"] is None


def test_what_changes_meanwhile_is_told(server: str, tmp_path: Path) -> None:
    def meddle(number: int) -> None:
        if number > 6:
            change(server, f"INSERT DATA {{ <{EX}late{number}> <{EX}p> {number} }}")

    with limiting_proxy(f"{server}/query", 10_000, at_query=meddle) as address:
        (source,) = load_into(tmp_path / "w", [address]).loaded
        assert source.mirror is not None
        assert source.mirror.check is MirrorCheck.CHANGED
        assert "triples before" in source.mirror.note


def test_a_copy_is_of_what_is_there_now_also_where_answers_are_kept(server: str, tmp_path: Path) -> None:
    address = f"{server}/query"
    cache = AnswerCache(None)
    store = RemoteStore(address, cache=cache)
    count = f"SELECT (COUNT(*) AS ?n) WHERE {{ <{EX}new> ?p ?o }}"
    assert store.size().value == 15
    assert [row["n"].value for row in store.select(count)] == ["0"]  # type: ignore[union-attr]
    change(server, f"INSERT DATA {{ <{EX}new> <{EX}p> 1 }}")
    assert [row["n"].value for row in store.select(count)] == ["0"], "it was kept"  # type: ignore[union-attr]
    file, record = copy_endpoint(store, MirrorPart(), tmp_path)
    assert (record.triples, record.check) == (16, MirrorCheck.EXACT)
    assert f"<{EX}new>" in file.read_text(encoding="utf-8")
    told = []

    def add_one(number: int, _: int | None) -> None:
        if not told:
            told.append(number)
            change(server, f"INSERT DATA {{ <{EX}newer> <{EX}p> 1 }}")

    (tmp_path / "again").mkdir()
    _, record = copy_endpoint(store, MirrorPart(), tmp_path / "again", progress=add_one)
    assert record.check is MirrorCheck.CHANGED
    store.close()


def test_too_many_are_refused_and_the_workspace_stays(server: str, tmp_path: Path) -> None:
    address = f"{server}/query"
    load_into(tmp_path / "w", [address])
    before = copied(tmp_path / "w", address)
    with pytest.raises(AnswerLimited, match="15 triples exceed the limit of 10"):
        load_into(tmp_path / "w", [address], at_most=10)
    with pytest.raises(AnswerLimited, match="exceed the limit of 10"):
        load_into(tmp_path / "w", [address], at_most=10, part=MirrorPart(query="CONSTRUCT WHERE { ?s ?p ?o }"))
    with pytest.raises(SourceNotFound, match="nothing to copy"):
        load_into(tmp_path / "w", [address], part=MirrorPart(cls=NamedNode(f"{EX}Nobody")))
    assert copied(tmp_path / "w", address) == before


def test_cancelled_it_leaves_nothing(server: str, tmp_path: Path) -> None:
    change(server, MANY)
    token = CancelToken()

    def cancel(progress: LoadProgress) -> None:
        if progress.step.startswith("copying"):
            token.cancel()

    with pytest.raises(Cancelled):
        load_into(tmp_path / "w", [f"{server}/query"], report=cancel, limits=Limits(cancel=token))
    assert not (tmp_path / "w").exists()


def test_by_the_command_line(server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    into = ["--into", str(tmp_path / "w")]
    assert run_command(["load", f"{server}/query", "--graph", f"{EX}h", *into]) == 0
    assert f"loaded 2 triples from {server}/query (graph {EX}h; copy: exact)" in capsys.readouterr().out
    assert run_command(["load", f"{server}/query", "--class", "prov:Entity", *into]) == 2
    assert "nothing to copy" in capsys.readouterr().err
    assert run_command(["load", "sample:npb", "--graph", f"{EX}h", *into]) == 2
    assert "a part is copied of one endpoint" in capsys.readouterr().err
    assert run_command(["load", f"{server}/query", "--graph", f"{EX}h", "--query", "CONSTRUCT WHERE {}", *into]) == 2
    assert "--query excludes --graph, --class and --resource" in capsys.readouterr().err
    with pytest.raises(UsageError):
        load_into(tmp_path / "w", [], part=MirrorPart())
