"""`edit` and `journal`: a script edits a workspace, sees what it did, takes it back, and hands it to other programs."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.helpers.program import Finished, run

PREFIX = "@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "models.ttl").write_text(PREFIX + 'ex:a a ex:Model ; rdfs:label "old" ; ex:size [ ex:value 5 ] .')
    (tmp_path / "old.ttl").write_text(PREFIX + 'ex:a rdfs:label "old" .')
    (tmp_path / "new.ttl").write_text(PREFIX + 'ex:a rdfs:label "new" ; ex:part [ ex:value 1 ] .')
    assert run("load", "models.ttl", "--into", "w", cwd=tmp_path).code == 0
    return tmp_path


def edited(place: Path) -> Finished:
    words = ("--add", "new.ttl", "--remove", "old.ttl", "--words", "Label of a", "--why", "it was misleading")
    return run("edit", "w", *words, cwd=place)


def labels(place: Path) -> str:
    return run("query", "w", "--text", "SELECT ?l { ?s rdfs:label ?l }", "--format", "csv", cwd=place).out


def test_a_script_edits_lists_takes_back_and_makes_again(place: Path) -> None:
    done = edited(place)
    assert (done.code, done.out, done.err) == (0, "edit 1: removed 1 and added 3 statements\n", "")
    assert edited(place).code == 2, "what is gone is not there to be removed"
    log = run("journal", "log", "w", cwd=place).out.splitlines()
    assert "edit 1" in log[0]
    assert log[0].endswith("Label of a")
    assert log[1:4] == ["  why: it was misleading", '  - ex:a rdfs:label "old"', '  + ex:a rdfs:label "new"']
    (source,) = json.loads(run("journal", "diff", "w", "--json", cwd=place).out)["sources"]
    assert (len(source["removed"]), len(source["added"])) == (1, 3)
    blamed = json.loads(run("journal", "blame", "w", "ex:a", "rdfs:label", '"new"', "--json", cwd=place).out)
    assert (blamed["entry"]["revision"], blamed["entry"]["why"]) == (1, "it was misleading")
    assert "models.ttl: version 1" in run("journal", "blame", "w", "ex:a", "a", "ex:Model", cwd=place).out
    assert run("journal", "undo", "w", cwd=place).out == "undone: Label of a\n"
    assert "old" in labels(place)
    assert run("journal", "diff", "w", cwd=place).out == "all edits are pushed\n"
    assert run("journal", "undo", "w", cwd=place).code == 1
    assert run("journal", "redo", "w", cwd=place).out == "redone: Label of a\n"
    assert "new" in labels(place)
    assert run("journal", "redo", "w", cwd=place).out == "nothing can be redone\n"
    entries = json.loads(run("journal", "log", "w", "--json", "--about", "ex:a", cwd=place).out)["entries"]
    assert [(entry["revision"], entry["takes_back"], entry["undone_by"]) for entry in entries] == [
        (3, [2], None),
        (2, [1], 3),
        (1, [], None),
    ]
    refused = run("journal", "take-back", "w", "99", cwd=place)
    assert (refused.code, "no such edit" in refused.err) == (2, True)
    assert run("journal", "take-back", "w", "3", cwd=place).code == 0
    assert "old" in labels(place)


def test_a_patch_carries_the_edits_to_another_workspace(place: Path) -> None:
    edited(place)
    out = run("journal", "export", "w", "-o", "edits.rdfp", cwd=place)
    assert (out.code, out.out) == (0, "wrote the journal to edits.rdfp\n")
    run("load", "models.ttl", "--into", "other", cwd=place)
    assert run("edit", "other", "--patch", "edits.rdfp", cwd=place).out == "edit 1: removed 1 and added 3 statements\n"
    assert "new" in labels(place)
    assert run("edit", "other", "--patch", "edits.rdfp", cwd=place).code == 1, "there is nothing left to do"
    text = run("journal", "export", "w", "--format", "sparql", cwd=place).out
    assert "DELETE DATA" in text
    assert "_:" in text
    prov = run("journal", "export", "w", "--format", "prov", cwd=place).out
    (place / "prov.ttl").write_text(prov)
    assert run("info", "prov.ttl", cwd=place).code == 0


def test_while_another_program_edits_it_is_said(place: Path) -> None:
    lock = sqlite3.connect(place / "w" / "lock", isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    done = edited(place)
    assert (done.code, "another program has this workspace open" in done.err) == (3, True)
    lock.close()
    assert edited(place).code == 0


def test_drafts_are_listed(place: Path) -> None:
    env = {"HPC_EXPLORER_CONFIG": str(place / "home")}
    assert run("journal", "drafts", env=env).out == "there are no drafts\n"
    (place / "home" / "drafts").mkdir(parents=True)
    run("load", "models.ttl", "--into", "home/drafts/models-1", cwd=place)
    run("edit", "home/drafts/models-1", "--add", "new.ttl", cwd=place)
    (draft,) = json.loads(run("journal", "drafts", "--json", env=env).out)["drafts"]
    assert (draft["statements"], draft["sources"], draft["in_use"]) == (3, ["models.ttl"], False)
    assert "3 not pushed" in run("journal", "drafts", env=env).out
