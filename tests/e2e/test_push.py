"""`journal push`: from the command line, back to a file and to an endpoint."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.program import run

PREFIX = "@prefix ex: <http://example.org/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\n"
TEXT = PREFIX + 'ex:a a ex:Model ;\n    rdfs:label "old" ; # the name\n    ex:size 5 .\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "models.ttl").write_text(TEXT)
    (tmp_path / "old.ttl").write_text(PREFIX + 'ex:a rdfs:label "old" .')
    (tmp_path / "new.ttl").write_text(PREFIX + 'ex:a rdfs:label "new" .')
    return tmp_path


def edited(place: Path, workspace: str = "w") -> None:
    assert run("edit", workspace, "--add", "new.ttl", "--remove", "old.ttl", cwd=place).code == 0


def test_back_to_a_file(place: Path) -> None:
    assert run("load", "models.ttl", "--into", "w", cwd=place).code == 0
    edited(place)
    tried = run("journal", "push", "w", "--dry-run", cwd=place)
    told = [f"{place / 'models.ttl'}: 1 removed, 1 added", '  - ex:a rdfs:label "old"', '  + ex:a rdfs:label "new"']
    assert (tried.code, tried.out.splitlines(), tried.err) == (0, told, "")
    assert (place / "models.ttl").read_text() == TEXT
    done = run("journal", "push", "w", cwd=place)
    assert (done.code, done.out.splitlines()) == (0, [*told, "pushed: 1 statements removed, 1 added"])
    assert (place / "models.ttl").read_text() == TEXT.replace('"old"', '"new"')
    assert run("journal", "push", "w", cwd=place).out == "there is nothing to push\n"


def test_conflicts_are_listed_and_stop_it(place: Path) -> None:
    run("load", "models.ttl", "--into", "w", cwd=place)
    edited(place)
    theirs = TEXT.replace('"old"', '"theirs"').replace("ex:size 5", "ex:size 6")
    (place / "models.ttl").write_text(theirs)
    stopped = run("journal", "push", "w", cwd=place)
    assert stopped.code == 1
    assert "  conflict: ex:a rdfs:label (changed differently on both sides)" in stopped.out.splitlines()
    assert (place / "models.ttl").read_text() == theirs
    found = json.loads(run("journal", "push", "w", "--json", cwd=place).out)
    (conflict,) = found["targets"][0]["conflicts"]
    assert [conflict[side][0]["value"] for side in ("base", "mine", "theirs")] == ["old", "new", "theirs"]
    assert found["pushed"] is None
    done = json.loads(run("journal", "push", "w", "--prefer", "mine", "--json", cwd=place).out)
    assert [(one["removed"], one["added"], one["taken_added"]) for one in done["pushed"]["targets"]] == [(1, 1, 1)]
    assert (place / "models.ttl").read_text() == theirs.replace('"theirs"', '"new"')


def test_a_file_is_written_anew_only_when_that_is_said(place: Path) -> None:
    run("export", "models.ttl", "-o", "models.rdf", cwd=place)
    run("load", "models.rdf", "--into", "w", cwd=place)
    edited(place)
    before = (place / "models.rdf").read_bytes()
    refused = run("journal", "push", "w", cwd=place)
    assert (refused.code, refused.out) == (2, "")
    assert "--rewrite" in refused.err
    assert (place / "models.rdf").read_bytes() == before
    assert "was rewritten" in run("journal", "push", "w", "--rewrite", cwd=place).out


def test_what_cannot_be_pushed_stays(place: Path) -> None:
    run("load", "sample:fugaku", "--into", "w", cwd=place)
    run("edit", "w", "--add", "new.ttl", cwd=place)
    refused = run("journal", "push", "w", cwd=place)
    assert refused.code == 1
    assert "not pushed: a sample ships with the program" in refused.out


def test_taken_offline_and_pushed_back(place: Path) -> None:
    with oxigraph_server() as address:
        send = Request(f"{address}/store?default", (place / "models.ttl").read_bytes(), {"Content-Type": "text/turtle"})
        build_opener(ProxyHandler({})).open(send).close()
        loaded = run("load", f"{address}/query", "--resource", "http://example.org/a", "--into", "w", cwd=place)
        assert loaded.code == 0, loaded.err
        assert "the description of http://example.org/a" in loaded.out
        edited(place)
        done = run("journal", "push", "w", cwd=place)
        assert (done.code, done.out.splitlines()[-1]) == (0, "pushed: 1 statements removed, 1 added")
        labels = run(
            "query",
            f"{address}/query",
            "--refresh",
            "--text",
            "SELECT ?l { ?s ?p ?l FILTER(isLiteral(?l)) } ORDER BY ?l",
            cwd=place,
        )
        assert "new" in labels.out
        assert "old" not in labels.out
        missing = run("load", f"{address}/query", "--resource", "http://example.org/none", "--into", "x", cwd=place)
        assert (missing.code, (place / "x").exists()) == (2, False)
    edited_again = run("edit", "w", "--add", "old.ttl", cwd=place)
    assert edited_again.code == 0, "without the server"
    away = run("journal", "push", "w", cwd=place)
    assert away.code == 1
    assert "not pushed: no connection to the server" in away.out


def test_what_is_of_no_source_is_given_to_one(place: Path) -> None:
    assert run("load", "models.ttl", "--into", "w", cwd=place).code == 0
    (place / "table.nq").write_text('<http://example.org/b> <http://example.org/size> "7" <urn:table> .\n')
    assert run("edit", "w", "--add", "table.nq", cwd=place).code == 0
    left = run("journal", "push", "w", cwd=place)
    assert left.code == 1
    assert "1 statements were changed in graphs without a source" in left.out
    wrong = run("journal", "push", "w", "--left-to", "other.ttl", cwd=place)
    assert (wrong.code, wrong.out) == (2, "")
    assert "there are: models.ttl" in wrong.err
    tried = run("journal", "push", "w", "--left-to", "models.ttl", "--dry-run", cwd=place)
    assert tried.code == 1
    assert (place / "models.ttl").read_text() == TEXT
    done = run("journal", "push", "w", "--left-to", "models.ttl", cwd=place)
    assert (done.code, done.out.splitlines()[-1]) == (0, "pushed: 0 statements removed, 1 added")
    assert (place / "models.ttl").read_text().startswith(TEXT)
    assert (place / "models.ttl").read_text().endswith('ex:b ex:size "7" .\n')
