"""Bad input of every kind: one line on standard error, an exit code, never a traceback, nothing half-written."""

from __future__ import annotations

import gzip
import os
import subprocess
from pathlib import Path

import pytest

from tests.helpers.program import Finished, installed_command, run, run_installed

GOOD = "@prefix ex: <http://example.org/> .\nex:a ex:p ex:b .\n"


def refused(done: Finished, *says: str, code: int = 2) -> None:
    """The command ended as it should: with this code and one line that says these things."""
    assert "Traceback" not in done.err
    assert done.code == code, done
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("hpc-explorer: ")
    assert len(line) < 600
    for text in says:
        assert text.lower() in line.lower(), line


def file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


BAD_FILES: dict[str, tuple[str, str | bytes, tuple[str, ...]]] = {
    "truncated Turtle": ("t.ttl", GOOD + 'ex:a ex:p "never clo', ("t.ttl:3",)),
    "undeclared prefix": ("p.ttl", "nope:a nope:b nope:c .", ("p.ttl:1", "prefix")),
    "truncated N-Triples": ("t.nt", "<http://a.example/x> <http://a.example/y> .\n", ("t.nt:1",)),
    "not UTF-8": ("latin.ttl", (GOOD + 'ex:a ex:p "caf\xe9" .').encode("latin-1"), ("latin.ttl", "utf-8")),
    "binary": ("image.ttl", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), ("image.ttl",)),
    "web page": ("page.rdf", "<!DOCTYPE html>\n<html><body>404</body></html>", ("page.rdf",)),
    "table": ("rows.csv", "name,size\na,1\nb,2\n", ("rows.csv",)),
    "prose": ("notes.txt", "Dear diary, today I trained a model.\n", ("notes.txt",)),
    "broken JSON": ("broken.jsonld", '{"@context": {},\n "@id": "http://a.example/x",,}', ("broken.jsonld:2",)),
    "JSON that is no JSON-LD": ("plain.json", '{"loss": [0.1, 0.2]}', ("plain.json",)),
    "remote context": (
        "remote.jsonld",
        '{"@context": "https://contexts.example/unknown.jsonld", "name": "x"}',
        ("https://contexts.example/unknown.jsonld",),
    ),
    "malformed RDF/XML": (
        "bad.rdf",
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n<a>',
        ("bad.rdf",),
    ),
    "OWL functional syntax": (
        "f.owl",
        "Prefix(:=<http://a.example/>)\nOntology(<http://a.example/o>\n)",
        ("functional",),
    ),
    "OWL Manchester syntax": (
        "m.owl",
        "Prefix: : <http://a.example/>\nOntology: <http://a.example/o>\nClass: A\n",
        ("manchester",),
    ),
    "damaged gzip": ("x.ttl.gz", gzip.compress(GOOD.encode())[:-12], ("x.ttl.gz",)),
    "deeply nested JSON": (
        "deep.jsonld",
        '{"@context": {}, "@graph": ' + "[" * 100_000 + "]" * 100_000 + "}",
        ("deep.jsonld",),
    ),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_refused_by_name(tmp_path: Path, kind: str) -> None:
    name, content, says = BAD_FILES[kind]
    refused(run("info", file(tmp_path, name, content)), *says)


def test_a_bad_file_among_good_ones(tmp_path: Path) -> None:
    good, bad = file(tmp_path, "good.ttl", GOOD), file(tmp_path, "bad.ttl", GOOD + "oops")
    refused(run("info", good, bad), "bad.ttl:3")


def test_missing_things(tmp_path: Path) -> None:
    refused(run("info", tmp_path / "missing.ttl"), "missing.ttl")
    refused(run("info", "sample:nowhere"), "sample:nowhere", "xplacer")
    (tmp_path / "folder").mkdir()
    file(tmp_path / "folder", "notes.md", "# notes")
    refused(run("info", tmp_path / "folder"), "folder")
    refused(run("info", "http://127.0.0.1:9/graph.ttl"), "no connection", "http://127.0.0.1:9/graph.ttl", code=3)
    refused(run("query", "sample:nsf", "--file", tmp_path / "missing.rq"), "missing.rq")


def test_unknown_resources_and_names() -> None:
    refused(run("show", "sample:xplacer", "http://example.org/AIModel/MO999999"), "MO999999")
    refused(run("lineage", "sample:xplacer", "nope:thing"), "nope")
    refused(run("show", "sample:xplacer", "a sentence nobody wrote"), "a sentence nobody wrote")
    refused(run("show", "sample:xplacer", "http://exa mple.org/<x>"), "exa mple")
    refused(run("classes", "sample:xplacer", "--root", "hpc:NoSuchClass"), "NoSuchClass")
    refused(run("show", "sample:xplacer", "dicisionTree.onxx"), "dicisionTree")


def test_wrong_words() -> None:
    refused(run("info"), "SOURCE")
    refused(run_installed("lineages", "sample:xplacer"), "lineages")
    refused(run_installed("--nonsense"), "--nonsense")
    refused(run("info", "sample:nsf", "--nonsense"), "--nonsense")
    refused(run("lineage", "sample:xplacer", "decisionTree.onnx", "--depth", "minus one"), "minus one")
    refused(run("render", "sample:xplacer", "--view", "lineage", "-o", "x.png"), "--focus")


def test_wrong_queries() -> None:
    refused(run("query", "sample:nsf", "--text", "SELECT * WHERE {\n ?s ?p"), "line 2")
    refused(run("query", "sample:nsf", "--text", "DELETE WHERE { ?s ?p ?o }"), "SELECT")
    refused(run("query", "sample:nsf", "--text", ""), "not a query")
    refused(run("query", "sample:nsf", "--text", "SELECT * { ?s nope:p ?o }"), "prefix")


def test_a_result_that_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    refused(run("export", "sample:nsf", "-o", tmp_path / "no" / "such" / "folder.ttl"), "folder")
    kept = file(tmp_path, "kept.ttl", "precious")
    refused(run("export", "sample:nsf", "--frame", tmp_path / "missing.json", "-o", kept), "missing.json")
    refused(run("export", "sample:nsf", "-o", tmp_path / "out.docx"), "out.docx")
    refused(run("render", "sample:nsf", "--view", "classes", "-o", tmp_path / "out.jpg"), "out.jpg")
    assert kept.read_text(encoding="utf-8") == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {"kept.ttl"}


@pytest.mark.slow
@pytest.mark.parametrize("words", ["info sample:nsf", "export sample:nsf", "export sample:nsf -o {}/out.ttl"])
@pytest.mark.parametrize(("place", "said"), [(">/dev/full", "the disk is full"), (">&-", "(Bad file descriptor)"), (">&- 2>&-", None)])  # fmt: skip
def test_output_that_takes_nothing(words: str, place: str, said: str | None, tmp_path: Path) -> None:
    if "/dev/full" in place and not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system: a full disk cannot be shown")
    command = f"{installed_command()} {words.format(tmp_path)} {place}"
    process = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=240, check=False)
    assert process.returncode == 2
    if said is not None:
        assert process.stderr.count("\n") == 1
        assert said in process.stderr
        assert "standard output" in process.stderr


def test_an_unreadable_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hpc_explorer.cli.main import run_command

    path = file(tmp_path, "secret.ttl", GOOD)
    words = ["info", str(path)]
    assert run_command(words) == 0, "it can be read before it is locked away, and everything is imported"
    capsys.readouterr()
    path.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:
        # Root reads everything; nobody does not, and must be let through to the file.
        for folder in (tmp_path, *tmp_path.parents):
            if not folder.stat().st_mode & 0o001:
                folder.chmod(folder.stat().st_mode | 0o011)
        os.seteuid(65534)
    try:
        code = run_command(words)
    finally:
        if is_root:
            os.seteuid(0)
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert "secret.ttl" in captured.err
    assert "permission" in captured.err.lower()


def test_what_looks_bad_and_is_not(tmp_path: Path) -> None:
    lying = file(tmp_path, "turtle.rdf", GOOD)
    assert run("info", lying).code == 0
    packed = file(tmp_path, "packed.ttl", gzip.compress(GOOD.encode()))
    assert run("info", packed).code == 0
    wide = file(tmp_path, "wide.ttl", GOOD.encode("utf-16"))
    assert run("info", wide).code == 0
    cycle = file(
        tmp_path,
        "cycle.ttl",
        "<urn:a> <http://www.w3.org/ns/prov#wasDerivedFrom> <urn:a>, <urn:b> . <urn:b> <http://www.w3.org/ns/prov#wasDerivedFrom> <urn:a> .",
    )
    done = run("lineage", cycle, "urn:a")
    assert (done.code, done.err) == (0, "")
    long = file(tmp_path, "long.ttl", GOOD + 'ex:a ex:text "' + "x" * 50_000_000 + '" .')
    done = run("show", long, "http://example.org/a")
    assert (done.code, done.err) == (0, "")
    assert len(done.out) < 5_000


def test_output_that_nobody_reads_to_its_end() -> None:
    from subprocess import PIPE, Popen

    from tests.helpers.program import installed_command

    process = Popen([installed_command(), "export", "sample:seismic"], stdout=PIPE, stderr=PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(240) == 0
    assert errors == b""


def test_the_window_is_not_opened_on_what_is_not_there() -> None:
    refused(run_installed("nothing.ttl"), "nothing.ttl")
