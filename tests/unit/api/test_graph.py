"""The public interface as a scientist uses it: sources, answers, wrong arguments, edits, rdflib and back."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import networkx
import pytest
import rdflib

import hpc_explorer as hx
from hpc_explorer.app.workspace.loading import load_into

LITERALS = """
@prefix ex: <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:a ex:n "01"^^xsd:integer, 12345678901234567890123 ; ex:x 1.5e0 ; ex:d "2024-03-01"^^xsd:date ;
  ex:t "2024-03-01T10:00:00Z"^^xsd:dateTime ; ex:b true ; ex:p "PT90S"^^xsd:duration ; ex:l "hallo"@de ; ex:m "P1M"^^xsd:duration .
"""


@pytest.fixture(scope="module")
def g() -> Iterator[hx.Graph]:
    with hx.open("sample:xplacer") as graph:
        yield graph


def values(graph: hx.Graph, text: str) -> list[object]:
    return [row[0] for row in graph.query(text)]


def test_a_resource_is_its_iri_with_names(g: hx.Graph) -> None:
    model = g["decisionTree.onnx"]
    assert model == "http://example.org/AIModel/MO000001"
    assert (model.label, model.kind) == ("decisionTree.onnx", "AI model")
    assert g.lineage(model).start == g.lineage("aimodel:MO000001").start == model
    assert pickle.loads(pickle.dumps(model)) == copy.deepcopy(model) == model
    with pytest.raises(hx.errors.InvalidIri):
        hx.Resource("decision tree")


def test_numbers_times_and_texts_become_values_of_python(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(LITERALS)
    with hx.open(tmp_path / "a.ttl") as graph:
        found = {str(row[0]).rpartition("/")[2]: row[1] for row in graph.query("SELECT ?p ?v { ?s ?p ?v } ORDER BY ?v")}
        assert found["n"] in (1, 12345678901234567890123)
        assert found["d"] == date(2024, 3, 1)
        assert found["p"] == timedelta(seconds=90)
        assert (found["x"], found["b"], found["l"], found["m"]) == (1.5, True, "hallo", "P1M")
        assert sorted(values(graph, "SELECT ?v { ?s ex:n ?v }"), key=str) == [1, 12345678901234567890123]
        assert str(graph.query("SELECT ?v { ?s ex:x ?v }").terms[0][0]).endswith("#double>")


def test_frames_have_the_types_of_the_values(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(
        "@prefix ex: <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        'ex:a ex:n 9007199254740993 ; ex:t "2024-03-01T10:00:00+02:00"^^xsd:dateTime ; ex:m 1 .\n'
        'ex:b ex:t "2024-03-01T10:00:00Z"^^xsd:dateTime ; ex:m "x" ; ex:y "0001-01-01T00:00:00"^^xsd:dateTime .\n'
    )
    with hx.open(tmp_path / "a.ttl") as graph:
        frame = graph.query(
            "SELECT ?s ?n ?t ?m ?y { ?s ex:t ?t ; ex:m ?m OPTIONAL { ?s ex:n ?n } OPTIONAL { ?s ex:y ?y } } ORDER BY ?s"
        ).to_pandas()
    assert frame["n"].tolist()[0] == 9007199254740993
    assert str(frame["n"].dtype) == "Int64"
    assert str(frame["t"].dtype).startswith("datetime64[")
    assert frame["t"][0].hour == 8
    assert frame["m"].tolist() == ["1", "x"]
    assert frame["s"].tolist() == ["http://example.org/a", "http://example.org/b"]
    assert str(frame["y"][1]).startswith("0001-01-01")


def test_a_frame_without_rows_has_its_columns(g: hx.Graph) -> None:
    frame = g.query("SELECT ?a ?b { ?a hpc:noSuchProperty ?b }").to_pandas()
    assert list(frame.columns) == ["a", "b"]
    assert len(frame) == 0


def test_an_arrow_table_has_the_types_too(g: hx.Graph) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="the environment is older than its lock")
    table = g.query("SELECT ?m ?a { ?m hpc:accuracy ?a } ORDER BY ?a").to_arrow()
    assert table.schema.types == [pyarrow.string(), pyarrow.float64()]
    assert table["a"].to_pylist() == [0.934, 0.957]


def test_rows_by_number_slice_and_column(g: hx.Graph) -> None:
    rows = g.query("SELECT ?name ?a { ?m hpc:name ?name ; hpc:accuracy ?a } ORDER BY ?a")
    assert rows[-1] == rows[1:][0] == ("randomForest.onnx", 0.957)
    assert rows["a"] == [0.934, 0.957]
    assert g.classes()[0].class_ == g.classes()["class"][0] == "https://hpc-fair.github.io/ontology#AIModel"
    assert g.impact("hotspot.nvprof.log").tables["What is affected"][0].By_way_of
    with pytest.raises(hx.InputError, match="there are: name, a"):
        rows["b"]


def test_ready_questions_take_blanks(g: hx.Graph) -> None:
    assert "touched-if-wrong" in g.questions()["name"]
    rows = g.query("touched-if-wrong", thing=g["hotspot.nvprof.log"])
    assert len(rows) == len(g.query("touched-if-wrong", thing="hotspot.nvprof.log")) > 2
    with pytest.raises(hx.errors.WrongParameter, match="has no parameter of this name: thong"):
        g.query("touched-if-wrong", thong="hotspot.nvprof.log")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("SELECT * { ?s a", "QuerySyntaxError"),
        ("no-such-question", "UnknownQuestion"),
        ("DELETE WHERE { ?s ?p ?o }", "QuerySyntaxError"),
        (3, "UsageError"),
    ],
)
def test_wrong_queries_are_named_errors(g: hx.Graph, text: str, error: str) -> None:
    with pytest.raises(getattr(hx.errors, error)):
        g.query(text)


def test_wrong_arguments_are_told_in_one_line(g: hx.Graph) -> None:
    wrong = (
        lambda: hx.open(),
        lambda: hx.open(5),  # type: ignore[arg-type]
        lambda: hx.open("no/such/file.ttl"),
        lambda: hx.open("sample:xplacer", timeout=0),
        lambda: g.lineage(5),  # type: ignore[arg-type]
        lambda: g.lineage("nothing of this name"),
        lambda: g.lineage("decisionTree.onnx", as_of="yesterday"),
        lambda: g.lineage("decisionTree.onnx", depth=0),
        lambda: g.query("SELECT * { ?s a ?c }", blank=1),
        lambda: g.validate(only_these=True),
        lambda: g.ask("Which AI models are there?", choose=7),
        lambda: g.export("graph.docx"),
        lambda: g.export(5),  # type: ignore[arg-type]
        lambda: g.lineage("decisionTree.onnx", as_of=5),  # type: ignore[arg-type]
        lambda: g.lineage("decisionTree.onnx", depth="2"),  # type: ignore[arg-type]
        lambda: g.lineage("decisionTree.onnx", depth=1.5),  # type: ignore[arg-type]
        lambda: g.statements(depth=-1),
        lambda: g.find("model", limit=-1),
        lambda: g.find("model", limit="a"),  # type: ignore[arg-type]
        lambda: g.instances("hpc:AIModel", limit=0),
        lambda: g.changes(limit="a"),  # type: ignore[arg-type]
        lambda: g.infer("owl"),  # type: ignore[arg-type]
        lambda: g.impact("decisionTree.onnx", kinds=5),  # type: ignore[arg-type]
        lambda: g.validate(5),  # type: ignore[arg-type]
        lambda: g.ask("Which AI models are there?", choose="a"),  # type: ignore[arg-type]
        lambda: hx.open("sample:xplacer", timeout="a"),  # type: ignore[arg-type]
        lambda: hx.open("sample:xplacer", servers=5),  # type: ignore[arg-type]
        lambda: hx.read_table(5),  # type: ignore[arg-type]
        lambda: hx.describe_model(5),  # type: ignore[arg-type]
    )
    for call in wrong:
        with pytest.raises(hx.ExplorerError) as told:
            call()
        assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [
        ("decisonTree.onnx", "aimodel:MO000001"),
        ("aimodel:MO00001", "aimodel:MO000001"),
        ("http://example.org/AIModel/MO00000", "aimodel:MO000001"),
        ("hpc:AIModl", "hpc:AIModel"),
    ],
)
def test_a_mistyped_resource_is_told_what_is_called_nearly_so(g: hx.Graph, mistyped: str, meant: str) -> None:
    for ask in (g.lineage, g.describe, g.fair, g.impact, g.reproduce, g.instances, g.statements, g.to_jsonld):
        with pytest.raises(hx.errors.UnknownResource, match=rf"did you mean .*\({meant}\)") as told:
            ask(mistyped)  # type: ignore[operator]  # each takes a resource
        assert told.value.where == mistyped
    with pytest.raises(hx.errors.UnknownResource, match="search for it by its name"):
        g.lineage("qwertz")


def test_one_value_may_stand_for_several(g: hx.Graph, tmp_path: Path) -> None:
    assert len(g.impact("hotspot.nvprof.log", kinds="hpc:Experiment")) == len(
        g.impact("hotspot.nvprof.log", kinds=["hpc:Experiment"])
    )
    assert g.export(tmp_path / "a.ttl", classes="hpc:AIModel").triples > 10
    (tmp_path / "wrong.ttl").write_text("<http://x/a> <http://x/b> 1 .")
    with pytest.raises(hx.errors.DamagedShapes):
        g.validate(tmp_path / "wrong.ttl")


def test_another_server_is_asked_only_where_it_is_allowed(g: hx.Graph) -> None:
    with pytest.raises(hx.errors.ServerNotAllowed, match=r"servers='127\.0\.0\.1:1'"):
        g.query("SELECT * { SERVICE <http://127.0.0.1:1/sparql> { ?s ?p ?o } }")


def test_a_closed_graph_says_so(g: hx.Graph) -> None:
    closed = hx.open("sample:npb")
    resource = closed.find("model")[0]
    closed.close()
    closed.close()
    assert repr(closed) == "Graph, closed"
    assert resource.label
    with pytest.raises(hx.InputError, match="the graph is closed"):
        closed.classes()


def test_a_lineage_is_the_same_in_every_form(g: hx.Graph) -> None:
    lineage = g.lineage("decisionTree.onnx")
    graph = lineage.to_networkx()
    assert set(graph) == set(lineage)
    assert graph.number_of_edges() == len(lineage.steps) == len(lineage.to_pandas())
    assert lineage.start in lineage
    # Edges lead from cause to effect: everything leads to the model.
    assert networkx.ancestors(graph, lineage.start) == set(lineage) - {lineage.start}
    assert lineage._repr_svg_().startswith("<svg")
    assert {one["@id"] for one in lineage.to_jsonld()["@graph"] if not one["@id"].startswith("_:")}
    path = g.path("decisionTree.onnx", "hotspot.nvprof.log")
    assert path is not None
    assert path.steps[0].effect == lineage.start
    assert path.steps[-1].cause.label == "hotspot.nvprof.log"
    assert g.path("hotspot.nvprof.log", "decisionTree.onnx") is None


def test_results_show_themselves(g: hx.Graph, tmp_path: Path) -> None:
    shown = (
        g, g.classes(), g.find("decision"), g.describe("decisionTree.onnx"), g.impact("hotspot.nvprof.log"),
        g.compare("decisionTree.onnx", "randomForest.onnx"), g.reproduce("decisionTree.onnx"), g.validate(),
        g.fair("decisionTree.onnx"), g.ask("Which AI models are there?"), g.ask("What is the blargh?"),
        g.query("CONSTRUCT WHERE { ?s hpc:accuracy ?a }"), g.query("SELECT * { ?s hpc:accuracy ?a }"),
    )  # fmt: skip
    for one in shown:
        assert "object at 0x" not in repr(one)
        if hasattr(one, "_repr_html_"):
            assert one._repr_html_().startswith("<")
    assert g.find("xyzzy").total == "0"


def test_texts_are_escaped_in_html(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text('<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "<script>" .')
    with hx.open(tmp_path / "a.ttl") as graph:
        assert "<script>" not in graph.find("script")._repr_html_()
        assert "<script>" not in graph.describe("http://x/a")._repr_html_()
        assert "<script>" not in graph.query("SELECT * { ?s ?p ?o }")._repr_html_()


def test_findings_have_the_worst_first(g: hx.Graph) -> None:
    found = g.validate()
    assert not found.conforms
    severities = found["severity"]
    assert severities == sorted(severities, key=["violation", "warning", "info"].index)


def test_rdflib_in_and_out_keeps_literals(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(LITERALS)
    with hx.open(tmp_path / "a.ttl") as graph:
        out = graph.to_rdflib()
        assert len(out) == len(graph) == 9
        assert '"01"' in " ".join(value.n3() for _, _, value, _ in out.quads())
        with hx.open(out) as again:
            assert set(again.statements().quads) == set(graph.statements().quads)
    plain = rdflib.Graph()
    plain.bind("mine", "http://mine.org/")
    plain.add((rdflib.URIRef("http://mine.org/a"), rdflib.URIRef("http://mine.org/p"), rdflib.Literal("x", lang="de")))
    with hx.open(plain, "sample:npb") as both:
        assert values(both, "SELECT ?v { mine:a mine:p ?v }") == ["x"]
        assert len(both.sources) == 2


def test_decimals_stay_exact(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("@prefix ex: <http://example.org/> . ex:a ex:p 0.1, 2 ; ex:q 0.1, 2.5e0, 2 .")
    with hx.open(tmp_path / "a.ttl") as graph:
        rows = graph.query("SELECT ?v { ex:a ex:p ?v } ORDER BY ?v")
        assert rows["v"] == [Decimal("0.1"), 2]
        assert isinstance(rows["v"][0], Decimal)
        assert [type(one) for one in rows.to_pandas()["v"]] == [Decimal, Decimal]
        assert sum(rows.to_pandas()["v"]) == Decimal("2.1")
        mixed = graph.query("SELECT ?v { ex:a ex:q ?v } ORDER BY ?v").to_pandas()["v"]
        assert (mixed.dtype, list(mixed)) == ("float64", [0.1, 2.0, 2.5])


def test_an_edit_is_one_edit_of_the_journal(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text('@prefix ex: <http://example.org/> . ex:a ex:n 1, 2 ; ex:name "A" .')
    before = file.read_bytes()
    with hx.open(file) as graph:
        with graph.edit("More about A", why="for a test") as edit:
            edit.set("ex:a", "ex:n", 3)
            edit.add("ex:a", "ex:size", Decimal("1.50"))
            edit.add("ex:a", "ex:next", edit.resource("ex:b"))
            edit.add("ex:b", "a", edit.resource("ex:Thing"))
        assert edit.revision == 1
        assert sorted(values(graph, "SELECT ?n { ex:a ex:n ?n }")) == [3]
        assert "ex:size 1.50" in str(graph.statements("ex:a"))
        (change,) = graph.changes()
        assert change[3:7] == ("More about A", "for a test", 2, 4)
        assert graph.undo() == "More about A"
        assert sorted(values(graph, "SELECT ?n { ex:a ex:n ?n }")) == [1, 2]
        assert graph.undo() is None
        assert graph.redo() == "More about A"
        assert values(graph, "SELECT ?n { ex:a ex:n ?n }") == [3]
    assert file.read_bytes() == before


def test_an_edit_that_raises_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("@prefix ex: <http://example.org/> . ex:a ex:n 1 .")
    with hx.open(tmp_path / "a.ttl") as graph:
        begun = graph.edit("Wrong")
        begun.add("ex:a", "ex:n", 2)
        with pytest.raises(hx.InputError, match="not there to be removed"), begun as edit:
            edit.remove("ex:a", "ex:n", "1")
        with pytest.raises(hx.InputError, match="no statement about a value of this type"), graph.edit() as edit:
            edit.add("ex:a", "ex:n", [1])
        assert values(graph, "SELECT ?n { ex:a ex:n ?n }") == [1]
        assert len(graph.changes()) == 0


def test_what_has_no_file_is_not_edited() -> None:
    plain = rdflib.Graph().parse(data="<http://x/a> <http://x/p> 1 .")
    with hx.open(plain) as graph, pytest.raises(hx.StoreError, match="has no file: save it"):
        graph.edit()


def test_a_workspace_is_edited_in_place_if_it_was_opened_for_that(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("@prefix ex: <http://example.org/> . ex:a ex:n 1 .")
    load_into(tmp_path / "ws", [str(tmp_path / "a.ttl")])
    with hx.open(tmp_path / "ws") as graph, pytest.raises(hx.StoreError, match="write=True"):
        graph.edit()
    with hx.open(tmp_path / "ws", write=True) as graph:
        with graph.edit("Two") as edit:
            edit.add("ex:a", "ex:n", 2)
        with hx.open(tmp_path / "ws", write=True) as other, pytest.raises(hx.StoreError, match="another program"):
            other.edit()
    with hx.open(tmp_path / "ws") as again:
        assert sorted(values(again, "SELECT ?n { ex:a ex:n ?n }")) == [1, 2]
        assert again.changes()["words"] == ["Two"]


def test_a_table_and_a_model_become_statements(tmp_path: Path) -> None:
    table = tmp_path / "runs.csv"
    table.write_text("name,accuracy\nfirst,0.91\nsecond,0.87\n")
    made = hx.read_table(table)
    assert made.save(tmp_path / "runs.ttl").exists()
    with hx.open(made) as graph, hx.open(tmp_path / "runs.ttl") as again:
        assert len(graph) == len(again) == len(made)
    with pytest.raises(hx.InputError):
        hx.read_table(tmp_path / "nothing.csv")
    with pytest.raises(hx.InputError):
        hx.describe_model(table)


def test_a_missing_library_is_named(g: hx.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(hx.InputError, match=r"networkx is not installed: pip install 'hpc-explorer\[notebook\]'"):
        g.lineage("decisionTree.onnx").to_networkx()


SCRIPT = """
import sys, time
begun = time.process_time()
import hpc_explorer
assert time.process_time() - begun <= 0.06, "the import takes too long"
assert not any(name.startswith("hpc_explorer.") for name in sys.modules), "imported too early"
from hpc_explorer import capture
heavy = [name for name in ("pyoxigraph", "numpy", "pandas", "rdflib", "hpc_explorer.app", "hpc_explorer.rdf") if name in sys.modules]
assert not heavy, heavy
assert hpc_explorer.capture is capture
print("ran once")
g = hpc_explorer.open("sample:npb", timeout=300)
print(len(g.query("SELECT ?s { ?s a ?c } ORDER BY ?s LIMIT 3")))
g.close()
"""


def test_a_script_without_a_guard_runs_once_and_imports_late(tmp_path: Path) -> None:
    """With a timeout, another process answers the query; it must not run the script again."""
    (tmp_path / "script.py").write_text(SCRIPT)
    ended = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=240, check=False
    )
    assert (ended.stdout, ended.stderr) == ("ran once\n3\n", "")
