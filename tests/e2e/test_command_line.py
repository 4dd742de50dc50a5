"""The commands as a user types them, on the sample graphs and on published data."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import CanonicalizationAlgorithm, Dataset, RdfFormat, parse

from hpc_explorer import __version__
from tests.helpers.program import run, run_installed

MODEL = "http://example.org/AIModel/MO000001"


def triples(text: str, format: RdfFormat) -> Dataset:
    """The triples of a document, in canonical form, so that blank nodes do not matter."""
    dataset = Dataset(parse(text.encode(), format))
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def without_blank_nodes(text: str) -> object:
    """A JSON text as a value, the names of blank nodes left out: they differ from run to run."""
    return json.loads(text, object_hook=lambda item: {**item, "value": ""} if item.get("type") == "bnode" else item)


def test_help_names_every_command() -> None:
    done = run("--help")
    assert done.code == 0
    for command in (
        "info",
        "classes",
        "show",
        "lineage",
        "path",
        "impact",
        "compare",
        "why",
        "query",
        "export",
        "render",
        "login",
        "logout",
        "tour",
    ):
        assert f"\n  {command} " in done.out
        one = run(command, "--help")
        assert (one.code, one.err) == (0, "")
        assert one.out.startswith(f"usage: hpc-explorer {command}")
    assert run_installed("--version").out.strip() == f"hpc-explorer {__version__}"


def test_info_counts_what_is_there() -> None:
    text = run("info", "sample:xplacer")
    assert text.code == 0
    assert "AI model" in text.out
    described = json.loads(run("info", "sample:xplacer", "--json").out)
    counts = {item["curie"]: item["count"] for item in described["classes"]}
    assert counts["hpc:AIModel"] == {"value": 3, "kind": "exact"}
    assert sum(item["count"]["value"] for item in described["predicates"]) == described["triples"]["value"]


def test_classes_as_text_and_json() -> None:
    text = run("classes", "sample:xplacer", "--root", "hpc:Data")
    assert text.code == 0
    assert "Dataset" in text.out
    listed = json.loads(run("classes", "sample:xplacer", "--json").out)["classes"]
    by_curie = {item["curie"]: item for item in listed}
    assert by_curie["hpc:Dataset"]["instances"]["value"] <= by_curie["hpc:Data"]["instances"]["value"]
    assert by_curie["hpc:Dataset"]["parents"]


def test_show_finds_a_resource_by_name_prefixed_name_and_iri() -> None:
    by_name = run("show", "sample:xplacer", "decisionTree.onnx", "--json")
    by_iri = run("show", "sample:xplacer", f"<{MODEL}>", "--json")
    assert by_name.code == by_iri.code == 0
    assert without_blank_nodes(by_name.out) == without_blank_nodes(by_iri.out)
    text = run("show", "sample:xplacer", MODEL).out
    assert "Decision Tree" in text
    assert "Linked from" in text
    machine = run("show", "sample:fugaku", "https://www.top500.org/system/179807").out
    assert "442,010.00 Tflop/s" in machine


def test_lineage_reaches_raw_logs_in_every_form(tmp_path: Path) -> None:
    tree = run("lineage", "sample:xplacer", MODEL, "--format", "tree")
    assert tree.code == 0
    assert "nothing recorded before" in tree.out
    assert "Log file" in tree.out or "log file" in tree.out.lower()
    described = json.loads(run("lineage", "sample:xplacer", MODEL, "--format", "json").out)
    assert described["complete"] is True
    assert all(edge["origin"] == "asserted" and edge["evidence"] for edge in described["edges"])
    raw = [node["iri"] for node in described["nodes"] if node["class"] and "log" in node["class"].lower()]
    assert raw
    assert described["ends"]
    assert run("lineage", "sample:xplacer", MODEL, "--format", "dot").out.startswith("digraph")

    document = run("lineage", "sample:xplacer", MODEL, "--format", "jsonld").out
    (tmp_path / "lineage.jsonld").write_text(document, encoding="utf-8")
    again = run("lineage", tmp_path / "lineage.jsonld", MODEL, "--format", "jsonld").out
    assert triples(again, RdfFormat.JSON_LD) == triples(document, RdfFormat.JSON_LD)

    steps = json.loads(run("path", "sample:xplacer", MODEL, raw[0], "--json").out)["steps"]
    assert steps[0]["effect"] == MODEL
    assert steps[-1]["cause"] == raw[0]
    forward = json.loads(run("lineage", "sample:xplacer", raw[0], "--downstream", "--format", "json").out)
    assert MODEL in {node["iri"] for node in forward["nodes"]}


def test_no_path_is_an_answer_with_a_code_of_its_own() -> None:
    done = run("path", "sample:xplacer", "http://example.org/dataset/DA000001", MODEL)
    assert done.code == 1
    assert "does not derive from" in done.out
    assert done.err == ""


def test_a_depth_says_that_there_is_more() -> None:
    done = run("lineage", "sample:xplacer", MODEL, "--depth", "1")
    assert "there is more beyond" in done.out


def test_query_in_three_forms_from_text_file_and_standard_input(tmp_path: Path) -> None:
    query = "SELECT ?name WHERE { ?model a hpc:AIModel ; hpc:name ?name } ORDER BY ?name"
    table = run("query", "sample:xplacer", "--text", query)
    assert "3 rows" in table.out
    (tmp_path / "q.rq").write_text(query, encoding="utf-8")
    rows = list(
        csv.reader(io.StringIO(run("query", "sample:xplacer", "--file", tmp_path / "q.rq", "--format", "csv").out))
    )
    assert rows[0] == ["name"]
    assert ["decisionTree.onnx"] in rows
    answer = json.loads(run("query", "sample:xplacer", "--file", "-", "--format", "json", stdin=query).out)
    assert answer["head"] == {"vars": ["name"]}
    assert len(answer["results"]["bindings"]) == 3
    assert run("query", "sample:xplacer", "--text", "ASK { ?s a hpc:AIModel }").out.strip() == "yes"
    built = run("query", "sample:xplacer", "--text", f"DESCRIBE <{MODEL}>", "--format", "json").out
    assert "decisionTree.onnx" in built


def test_query_writes_tsv_and_parquet_into_files(tmp_path: Path) -> None:
    import duckdb

    query = "SELECT ?model ?name WHERE { ?model a hpc:AIModel ; hpc:name ?name } ORDER BY ?name"
    words = ("query", "sample:xplacer", "--text", query, "--format")
    printed = run(*words, "tsv").out.splitlines()
    assert printed[0] == "?model\t?name"
    assert f'<{MODEL}>\t"decisionTree.onnx"' in printed
    assert run(*words, "tsv", "-o", tmp_path / "q.tsv").out == ""
    assert (tmp_path / "q.tsv").read_text(encoding="utf-8").splitlines() == printed
    done = run(*words, "parquet", "-o", tmp_path / "q.parquet")
    assert (done.code, done.out, done.err) == (0, "", "")
    rows = duckdb.sql("SELECT * FROM read_parquet($1)", params=[str(tmp_path / "q.parquet")])
    assert rows.columns == ["model", "name"]
    assert (MODEL, "decisionTree.onnx") in rows.fetchall()
    refused = run(*words, "parquet")
    assert (refused.code, refused.err.strip()) == (2, "hpc-explorer: Parquet is a binary format: name a file with -o")


@pytest.mark.parametrize("name", ["all.jsonld", "all.ttl", "all.nt", "all.nq", "all.trig", "all.rdf", "all.ttl.gz"])
def test_export_reads_back_as_the_same_graph(tmp_path: Path, name: str) -> None:
    done = run("export", "sample:seismic", "-o", tmp_path / name)
    assert (done.code, done.err) == (0, "")
    first = run("export", "sample:seismic").out
    again = run("export", tmp_path / name).out
    assert triples(again, RdfFormat.JSON_LD) == triples(first, RdfFormat.JSON_LD)


def test_export_in_forms_with_what_it_needs_says_what_was_taken_and_read_back(tmp_path: Path) -> None:
    chosen = ("export", "sample:xplacer", "--resource", MODEL, "--with-what-it-needs")
    done = run(*chosen, "--form", "framed", "-o", tmp_path / "framed.jsonld")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1] == (
        "with what it needs: 1 resource in full; 10 more by name and class; 8 that the graph says neither of"
    )
    assert re.fullmatch(r"read back: the same \d+ statements", done.out.splitlines()[2])
    framed = json.loads((tmp_path / "framed.jsonld").read_text(encoding="utf-8"))
    assert framed["hpc:contributor"]["hpc:name"] == "Mira Solberg"
    expected = triples(run(*chosen).out, RdfFormat.JSON_LD)
    for words in (("--form", "expanded"), ("--form", "flattened"), ("--as", "nt"), ("--as", "ttl")):
        syntax = {"nt": RdfFormat.N_TRIPLES, "ttl": RdfFormat.TURTLE}.get(words[1], RdfFormat.JSON_LD)
        assert triples(run(*chosen, *words).out, syntax) == expected
    context = tmp_path / "context.json"
    context.write_text('{"@context": {"name": "https://hpc-fair.github.io/ontology#name"}}', encoding="utf-8")
    named = run(*chosen, "--form", "framed", "--context", context)
    assert json.loads(named.out)["name"] == "decisionTree.onnx"
    models = json.loads(run("export", "sample:xplacer", "--class", "hpc:AIModel", "--form", "framed").out)
    assert {one["@type"] for one in models["@graph"]} == {"hpc:AIModel"}


def test_a_dataset_is_handed_over_and_what_is_missing_is_said(tmp_path: Path) -> None:
    dataset = ("export", "sample:xplacer", "--resource", "http://example.org/dataset/DA000001")
    done = run(*dataset, "--as", "croissant", "--mapping", "mapping:xplacer", "-o", tmp_path / "croissant.json")
    assert done.code == 1, "done, and something required is missing"
    assert done.err.splitlines()[:2] == ["required: licence (license) is missing", "required: creator is missing"]
    assert done.out.splitlines()[0] == f"wrote Croissant to {tmp_path / 'croissant.json'}"
    croissant = json.loads((tmp_path / "croissant.json").read_text(encoding="utf-8"))
    assert croissant["recordSet"][0]["field"]
    page = run(*dataset, "--as", "schema-org")
    assert json.loads(page.out)["@context"] == "https://schema.org/"
    crate = run(*dataset, "--as", "ro-crate", "--crate-version", "1.2", "-o", tmp_path / "crate")
    assert "graph.ttl: read back: the same 32 statements" in crate.out
    assert {path.name for path in (tmp_path / "crate").iterdir()} == {
        "ro-crate-metadata.json", "ro-crate-preview.html", "graph.ttl",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as", "croissant"), "Croissant describes chosen resources"),
        (("--as", "ro-crate", "--resource", MODEL), "is a folder or a .zip file"),
        (("--as", "croissant", "--class", "hpc:Dataset"), "describes one dataset"),
        (("--as", "schema-org", "--resource", MODEL, "--form", "framed"), "shape JSON-LD"),
        (("--copy-files",), "requires --as ro-crate"),
        (("--mapping", "mapping:xplacer"), "requires --as croissant or schema-org"),
        (("--form", "framed"), "a frame is made for resources or a class"),
        (("--form", "expanded", "--as", "ttl"), "shape JSON-LD, not Turtle"),
        (("--depth", "1"), "require --resource or --class"),
        (("--class", "hpc:Nothing"), "this class has no instances"),
        (("--context", "https://example.com/unknown"), "not available offline"),
        (("--context", "missing.json"), "no such context"),
    ],
)
def test_exports_that_cannot_be(words: tuple[str, ...], said: str) -> None:
    done = run("export", "sample:xplacer", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_export_of_one_resource_has_its_description_only(tmp_path: Path) -> None:
    run("export", "sample:xplacer", "--resource", "decisionTree.onnx", "-o", tmp_path / "model.jsonld")
    document = json.loads((tmp_path / "model.jsonld").read_text(encoding="utf-8"))
    assert document["@id"] == MODEL
    assert document["hpc:isTunable"] is False
    assert document["hpc:name"] == "decisionTree.onnx"


@pytest.mark.parametrize(
    ("view", "focus"),
    [
        ("classes", None),
        ("lineage", "decisionTree.onnx"),
        pytest.param("neighbours", "decisionTree.onnx", marks=pytest.mark.slow),
    ],
)
def test_render_draws_each_view(tmp_path: Path, view: str, focus: str | None) -> None:
    words = ["--focus", focus] if focus else []
    for name in ("picture.svg", "picture.png"):
        done = run("render", "sample:xplacer", "--view", view, *words, "-o", tmp_path / name)
        assert (done.code, done.err) == (0, "")
    root = ElementTree.fromstring((tmp_path / "picture.svg").read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_render_writes_pdf_and_graphml_in_the_colours_of_paper_and_images_of_any_width(tmp_path: Path) -> None:
    begin = ("render", "sample:xplacer", "--view", "neighbours", "--focus", "decisionTree.onnx", "--theme", "print")
    for name in ("picture.pdf", "picture.graphml", "picture.svg"):
        done = run(*begin, "-o", tmp_path / name)
        assert (done.code, done.err) == (0, "")
    assert (tmp_path / "picture.pdf").read_bytes().startswith(b"%PDF-1.7")
    root = ElementTree.fromstring((tmp_path / "picture.graphml").read_text(encoding="utf-8"))
    assert len(list(root.iter("{http://graphml.graphdrawing.org/xmlns}node"))) == 11
    assert 'fill="#ffffff"' in (tmp_path / "picture.svg").read_text(encoding="utf-8")
    done = run(*begin, "--width", "640", "-o", tmp_path / "picture.png")
    assert (done.code, done.err) == (0, "")
    assert int.from_bytes((tmp_path / "picture.png").read_bytes()[16:20], "big") == 640
    refused = run(*begin, "--width", "640", "--scale", "2", "-o", tmp_path / "both.png")
    assert refused.code == 2


@pytest.mark.slow
def test_the_tour_tells_the_story_without_a_screen(tmp_path: Path) -> None:
    done = run_installed("tour", "-o", tmp_path / "tour", env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    assert (done.code, done.err) == (0, "")
    assert re.search(r"read back: the same [\d,]+ statements", done.out)
    assert {path.name for path in (tmp_path / "tour").iterdir()} == {
        "classes.svg",
        "neighbours.png",
        "lineage.png",
        "lineage.svg",
        "lineage.jsonld",
    }


def test_several_sources_and_options_anywhere() -> None:
    done = run("info", "sample:nsf", "--json", "sample:npb")
    assert [source["name"] for source in json.loads(done.out)["sources"]] == ["sample:nsf", "sample:npb"]


def test_the_published_ontology(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("ontologies/hpc-public")
    listed = json.loads(run("classes", folder, "--json").out)["classes"]
    names = {iri for item in listed for iri in [item["iri"], *item["equivalents"]]}
    assert len({iri for iri in names if iri.startswith("https://hpc-fair.github.io/ontology#")}) == 373
    by_iri = {item["iri"]: item for item in listed}
    assert all(item["label"] and item["label"] != item["iri"] for item in listed)
    under = json.loads(run("classes", folder, "--root", "hpc:AIModel", "--json").out)["classes"]
    top = under[0]
    assert len([item for item in under if top["iri"] in item["parents"]]) == 8
    assert by_iri
    assert run("info", folder).code == 0


def test_lineage_walks_a_workflow_run_crate_and_a_prov_o_file(shared_data: Callable[[str], Path]) -> None:
    crate = shared_data("provenance/ro-crate/draft/ml-predict-pipeline-streamflow/ro-crate-metadata.json")
    query = (
        "SELECT ?result WHERE { ?action a <http://schema.org/CreateAction> ; <http://schema.org/result> ?result ;"
        " <http://schema.org/object> ?input } LIMIT 1"
    )
    result = list(csv.reader(io.StringIO(run("query", crate, "--text", query, "--format", "csv").out)))[1][0]
    described = json.loads(run("lineage", crate, result, "--format", "json").out)
    relations = {edge["relation"] for edge in described["edges"]}
    assert {"was generated by", "used"} <= relations

    prov = shared_data(
        "provenance/ro-crate/cwlprov/ml-predict-pipeline-cwltool/metadata/provenance/primary.cwlprov.ttl"
    )
    query = "SELECT ?e WHERE { ?e prov:wasGeneratedBy ?a . ?a prov:qualifiedUsage ?u } LIMIT 1"
    answer = run("query", prov, "--text", query, "--format", "csv").out
    if len(answer.splitlines()) < 2:
        query = "SELECT ?e WHERE { ?e prov:qualifiedGeneration/prov:activity ?a . ?a prov:qualifiedUsage ?u } LIMIT 1"
        answer = run("query", prov, "--text", query, "--format", "csv").out
    entity = list(csv.reader(io.StringIO(answer)))[1][0]
    described = json.loads(run("lineage", prov, entity, "--format", "json").out)
    assert len(described["edges"]) >= 2


# What follows by rules


def test_info_counts_inferred_triples_apart() -> None:
    plain = json.loads(run("info", "sample:xplacer", "--json").out)
    assert "inferred" not in plain
    done = run("info", "sample:xplacer", "--infer", "--json")
    assert (done.code, done.err) == (0, "")
    described = json.loads(done.out)
    assert described["triples"] == plain["triples"]
    assert described["sources"] == plain["sources"]
    inferred = described["inferred"]
    assert inferred["triples"]["value"] == sum(number["value"] for number in inferred["by_rule"].values()) > 0
    assert f"{inferred['triples']['value']:,} more triples inferred" in run("info", "sample:xplacer", "--infer").out
    own = json.loads(run("info", "sample:xplacer", "--infer", "--own-schema", "--json").out)
    assert own["inferred"]["triples"]["value"] == 0, "the sample defines no classes and properties of its own"


def test_all_of_owl_2_rl_lists_contradictions_and_explains_conclusions(tmp_path: Path) -> None:
    graph = tmp_path / "g.ttl"
    graph.write_text(
        """@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        ex:p a owl:AsymmetricProperty . ex:x ex:p ex:y . ex:z ex:p ex:x . ex:z owl:sameAs ex:y .""",
        encoding="utf-8",
    )
    told = run("info", str(graph), "--infer", "--rules", "owl-rl").out
    assert "1 contradiction" in told
    assert "p leads one way only, but " in told
    described = json.loads(run("info", str(graph), "--infer", "--rules", "owl-rl", "--json").out)
    assert (described["inferred"]["rules"], described["inferred"]["contradictions"]["value"]) == ("owl-rl", 1)
    assert [one["rule"] for one in described["contradictions"]] == ["prp-asyp"]
    assert len(described["contradictions"][0]["statements"]) == 3
    assert "contradiction" not in run("info", str(graph), "--infer").out
    why = run("why", str(graph), "ex:y", "ex:p", "ex:x", "--rules", "owl-rl").out
    assert "[inferred by eq-rep-s]" in why
    refused = run("info", str(graph), "--rules", "owl-rl")
    assert refused.code == 2
    assert "--infer" in refused.err


def test_own_schema_without_inference_is_refused() -> None:
    done = run("info", "sample:xplacer", "--own-schema")
    assert (done.code, done.out) == (2, "")
    assert "--infer" in done.err


def test_show_classes_query_and_export_take_inferred_triples_in() -> None:
    shown = json.loads(run("show", "sample:xplacer", MODEL, "--infer", "--json").out)
    assert {one["curie"]: one["origin"] for one in shown["types"]}["prov:Entity"] == "inferred"
    assert {one["curie"]: one["origin"] for one in shown["types"]}["hpc:AIModel"] == "asserted"
    assert "inferred: " in run("show", "sample:xplacer", MODEL, "--infer").out
    plain = json.loads(run("classes", "sample:xplacer", "--json").out)["classes"]
    more = json.loads(run("classes", "sample:xplacer", "--infer", "--json").out)["classes"]
    places = [{one["iri"]: one["parents"] for one in listed} for listed in (plain, more)]
    log_file = "https://hpc-fair.github.io/ontology#LogFile"
    assert places[0][log_file] == places[1][log_file], "no ancestor became a parent"
    assert {one["iri"] for one in plain} <= {iri for one in more for iri in (one["iri"], *one["equivalents"])}

    ask = f"ASK {{ <{MODEL}> a prov:Entity }}"
    assert run("query", "sample:xplacer", "--text", ask).out.strip() == "no"
    assert run("query", "sample:xplacer", "--text", ask, "--infer").out.strip() == "yes"

    stated = run("export", "sample:xplacer", "--resource", MODEL).out
    everything = run("export", "sample:xplacer", "--resource", MODEL, "--infer").out
    assert "urn:hpc-explorer:inferred" not in stated
    assert len(triples(everything, RdfFormat.JSON_LD)) > len(triples(stated, RdfFormat.JSON_LD))


def test_lineage_and_path_mark_inferred_links(tmp_path: Path) -> None:
    (tmp_path / "g.ttl").write_text(
        """@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix prov: <http://www.w3.org/ns/prov#> .
        ex:gave owl:inverseOf prov:wasDerivedFrom . ex:raw ex:gave ex:clean . ex:model prov:wasDerivedFrom ex:clean .""",
        encoding="utf-8",
    )
    plain = run("path", tmp_path / "g.ttl", "ex:model", "ex:raw")
    assert plain.code == 1
    done = run("path", tmp_path / "g.ttl", "ex:model", "ex:raw", "--infer", "--json")
    assert [step["origin"] for step in json.loads(done.out)["steps"]] == ["asserted", "inferred"]
    tree = run("lineage", tmp_path / "g.ttl", "ex:model", "--infer").out
    assert "[inferred]" in tree
    assert "[asserted in" in tree


def test_why_prints_the_proof_down_to_what_is_stated() -> None:
    done = run("why", "sample:xplacer", "decisionTree.onnx", "a", "prov:Entity")
    assert (done.code, done.err) == (0, "")
    first, *rest = done.out.splitlines()
    assert first.startswith("aimodel:MO000001 rdf:type prov:Entity  [inferred by ")
    assert any("asserted in sample:xplacer" in line for line in rest)
    assert any("shipped ontology" in line for line in rest)
    statements = json.loads(run("why", "sample:xplacer", MODEL, "a", "prov:Entity", "--json").out)["statements"]
    for number, statement in enumerate(statements):
        assert (statement["rule"] is None) == (statement["premises"] == [])
        assert bool(statement["graphs"]) == (statement["rule"] is None)
        assert all(premise != number and premise < len(statements) for premise in statement["premises"])
    stated = run("why", "sample:xplacer", MODEL, "a", "hpc:AIModel")
    assert "[asserted in sample:xplacer]" in stated.out


def test_why_of_what_does_not_hold_answers_that() -> None:
    done = run("why", "sample:xplacer", MODEL, "a", "hpc:Dataset")
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith("aimodel:MO000001 rdf:type hpc:Dataset is not in the graph: ")
    done = run("why", "sample:xplacer", MODEL, "a", "hpc:Dataset", "--json")
    assert (done.code, json.loads(done.out)) == (1, {"statements": None})


def test_why_of_what_is_no_triple_is_one_line() -> None:
    for words in (
        (MODEL, "a", '"open'),
        (MODEL, "nope:p", MODEL),
        ("nobody", "a", "hpc:Dataset"),
    ):
        done = run("why", "sample:xplacer", *words)
        assert done.code == 2
        assert done.out == ""
        assert done.err.startswith("hpc-explorer: ")
        assert done.err.count("\n") == 1


@pytest.mark.parametrize("more", [(), ("--resource", "http://example.org/a")], ids=["everything", "a resource"])
def test_the_names_of_graphs_are_not_dropped_without_a_word(tmp_path: Path, more: tuple[str, ...]) -> None:
    graph = tmp_path / "graph.nq"
    a, p = "<http://example.org/a>", "<http://example.org/p>"
    graph.write_text(
        f"{a} {p} 'x' <urn:g1> .\n{a} {p} 'x' <urn:g2> .\n{a} {p} 'y' .\n".replace("'", '"'), encoding="utf-8"
    )
    for ending in ("ttl", "nt", "rdf"):
        done = run("export", graph, *more, "-o", tmp_path / f"out.{ending}")
        assert "has no named graphs: the names of 2 graphs will be left out; TriG and N-Quads keep them\n" in done.err
        assert "the same 2 statements, without the names of 2 graphs; 1 fewer, as several graphs" in done.out
    for ending in ("nq", "trig", "jsonld"):
        done = run("export", graph, *more, "-o", tmp_path / f"out.{ending}")
        assert (done.err, "read back: the same 3 statements\n" in done.out) == ("", True)
    assert run("export", "sample:xplacer", "-o", tmp_path / "sample.ttl").err == "", "a source's own graph has no name"
