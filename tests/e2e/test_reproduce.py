"""`reproduce` as a user types it."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.helpers.program import run

MODEL = "http://example.org/AIModel/MO000001"
WORDS = ("reproduce", "sample:xplacer", "decisionTree.onnx")


def test_the_page() -> None:
    told = run(*WORDS)
    assert (told.code, told.err) == (1, "")
    assert told.out.startswith("# How to make decisionTree.onnx again\n")
    assert "17. Train the decision tree (Experiment)  experiment:EX000002" in told.out


def test_machine_readable() -> None:
    told = json.loads(run(*WORDS, "--json").out)
    assert (told["complete"], told["start"]["label"]) == (False, "decisionTree.onnx")
    assert [step["number"] for step in told["steps"]] == list(range(1, 18))
    assert {gap["what"] for gap in told["missing"] if gap["needed"]} == {"where it is"}
    assert all(gap["sentence"] and gap["resources"] for gap in told["missing"])
    named = {use["iri"] for step in told["steps"] for use in step["inputs"] + step["outputs"]}
    assert named <= told["resources"].keys()
    assert {link["origin"] for link in told["links"]} == {"asserted"}
    assert told["resources"]["http://example.org/log/LO000001"]["size"] == "1.9 MB"


def test_json_ld_on_the_terminal_and_in_a_file(tmp_path: Path) -> None:
    shown = run(*WORDS, "--format", "jsonld")
    assert (shown.code, json.loads(shown.out)["@graph"][0]["@id"]) == (1, MODEL)
    written = run(*WORDS, "--format", "jsonld", "-o", tmp_path / "recipe.jsonld")
    assert "798 triples written to" in written.out
    back = run("reproduce", tmp_path / "recipe.jsonld", MODEL, "--json")
    assert len(json.loads(back.out)["steps"]) == 17


def test_a_crate_tells_the_same_recipe_again(tmp_path: Path) -> None:
    crate = tmp_path / "crate"
    written = run(*WORDS, "--format", "crate", "-o", crate)
    assert (written.code, written.err) == (1, "")
    assert f"entities written to {crate}" in written.out
    back = json.loads(run("reproduce", crate / "ro-crate-metadata.json", "decisionTree.onnx", "--json").out)
    first = json.loads(run(*WORDS, "--json").out)
    for key in ("activity", "number", "started", "ended"):
        assert [step[key] for step in back["steps"]] == [step[key] for step in first["steps"]]
    for key in ("inputs", "outputs", "software", "people"):
        pairs = zip(back["steps"], first["steps"], strict=True)
        assert all([use["iri"] for use in one[key]] == [use["iri"] for use in other[key]] for one, other in pairs)
    again = run(*WORDS, "--format", "crate", "-o", crate)
    assert (again.code, "the target exists" in again.err) == (2, True)


def test_a_packed_crate(tmp_path: Path) -> None:
    run(*WORDS, "--format", "crate", "-o", tmp_path / "crate.zip")
    with zipfile.ZipFile(tmp_path / "crate.zip") as packed:
        assert sorted(packed.namelist()) == ["how-to-make-it-again.md", "ro-crate-metadata.json"]
        assert packed.testzip() is None


def test_a_page_in_a_file(tmp_path: Path) -> None:
    told = run(*WORDS, "-o", tmp_path / "page.md")
    assert told.out == f"written to {tmp_path / 'page.md'}\n"
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "\\[N, 58]" in page  # what a graph says is no link
    assert re.sub(r"\\([\\<\[])", r"\1", page) == run(*WORDS).out


def test_a_complete_record_is_done(tmp_path: Path) -> None:
    data = tmp_path / "raw.csv"
    data.write_text("one,two\n", encoding="utf-8")
    record = tmp_path / "record.ttl"
    record.write_text(
        f"""
@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
ex:result hpc:wasGeneratedBy ex:run . ex:run a hpc:Experiment ; hpc:used ex:raw ;
    hpc:wasAssociatedWithSoftware ex:program . ex:program a hpc:Software ; hpc:version "1.0" .
ex:raw a hpc:File ; hpc:url "{data.as_uri()}" ; hpc:md5 "9f3d9d3b0a7c0e5d7ad1a8a2b36a9f9a" .
""",
        encoding="utf-8",
    )
    assert run("reproduce", record, "ex:result").code == 0
    checked = run("reproduce", record, "ex:result", "--check-files")
    assert (
        checked.code,
        "differs from the recorded file: the checksums do not match" in " ".join(checked.out.split()),
    ) == (
        1,
        True,
    )
    crate = tmp_path / "crate"
    listed = run("reproduce", record, "ex:result", "--format", "crate", "-o", crate, "--list-files")
    assert (listed.code, listed.out, crate.exists()) == (0, f"{data} as data/raw.csv\n", False)
    written = run("reproduce", record, "ex:result", "--format", "crate", "-o", crate, "--copy-files")
    assert (written.code, written.err) == (0, f"{data} as data/raw.csv\n")
    assert (crate / "data" / "raw.csv").read_bytes() == data.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("reproduce", "{graph}", "ex:result", "--format", "crate"),
        ("export", "{graph}", "--as", "ro-crate", "--resource", "ex:raw"),
    ],
)
def test_a_file_elsewhere_is_copied_where_its_folder_is_named(tmp_path: Path, words: tuple[str, ...]) -> None:
    data, folder = tmp_path / "raw.csv", tmp_path / "graphs"
    data.write_text("one,two\n", encoding="utf-8")
    folder.mkdir()
    (folder / "record.ttl").write_text(
        "@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> ."
        "ex:result hpc:wasGeneratedBy ex:run . ex:run a hpc:Experiment ; hpc:used ex:raw ."
        f"ex:raw a hpc:File ; hpc:file <{data.as_uri()}> ; hpc:url '{data}' .",
        encoding="utf-8",
    )
    words = tuple(word.format(graph=folder / "record.ttl") for word in words)
    without = run(*words, "-o", tmp_path / "without", "--copy-files")
    assert "raw.csv: outside the folders of the sources" in without.err
    assert not (tmp_path / "without" / "data").exists()
    run(*words, "-o", tmp_path / "crate", "--copy-files", "--files-in", tmp_path)
    assert (tmp_path / "crate" / "data" / "raw.csv").read_bytes() == data.read_bytes()
    assert run(*words, "-o", tmp_path / "no", "--copy-files", "--files-in", tmp_path / "no").code == 2


def test_what_does_not_go_together(tmp_path: Path) -> None:
    for more, told in (
        (("--format", "crate"), "a crate needs a target"),
        (("--copy-files",), "only a crate contains files"),
        (("--format", "jsonld", "--json"), "--json excludes another format"),
        (("--format", "jsonld", "-o", tmp_path / "recipe.doc"), "the file name has no known extension"),
        (("-o", tmp_path / "nowhere" / "page.md"), "there is no such folder"),
    ):
        found = run(*WORDS, *more)
        assert (found.code, told in found.err, found.err.count("\n")) == (2, True, 1)
    unknown = run("reproduce", "sample:xplacer", "nothing of that name")
    assert (unknown.code, unknown.out) == (2, "")
