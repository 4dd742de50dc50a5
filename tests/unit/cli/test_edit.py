"""`edit` and `journal` with wrong words: one line, the right code, and nothing done by halves."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.cli.main import run_command
from tests.helpers.program import Finished

PREFIX = "@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models.ttl").write_text(PREFIX + "ex:a a ex:Model ; ex:size [ ex:value 5 ] .")
    (tmp_path / "new.ttl").write_text(PREFIX + 'ex:a rdfs:label "new" .')
    return tmp_path


def test_wrong_words_end_in_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> Finished:
        code = run_command(words)
        out, err = capsys.readouterr()
        return Finished(code, out, err)

    run("load", "models.ttl", "--into", "w")
    capsys.readouterr()
    (place / "two.ttl").write_text(PREFIX + 'ex:b rdfs:label "b" .')
    run("load", "models.ttl", "two.ttl", "--into", "both")
    (place / "blank.ttl").write_text(PREFIX + "ex:a ex:size [ ex:value 5 ] .")
    (place / "broken.rdfp").write_text("TX .\nA <urn:s> <urn:p> .\n")
    for words, code, what in (
        (("edit", "w"), 2, "nothing to edit"),
        (("edit", "none", "--add", "new.ttl"), 2, "no workspace"),
        (("edit", "models.ttl", "--add", "new.ttl"), 2, "no workspace"),
        (("edit", "both", "--add", "new.ttl"), 2, "name one with --graph"),
        (("edit", "w", "--remove", "blank.ttl"), 2, "blank node"),
        (("edit", "w", "--patch", "broken.rdfp"), 2, "broken.rdfp:2"),
        (("edit", "w", "--patch", "none.rdfp"), 2, "no such file"),
        (("edit", "w", "--add", "none.ttl"), 2, "none.ttl"),
        (("journal", "log"), 2, "no workspace is named"),
        (("journal", "log", "w", "x"), 2, "one workspace"),
        (("journal", "blame", "w", "ex:a"), 2, "three terms"),
        (("journal", "blame", "w", "ex:a", "rdfs:label", '"never"'), 2, "does not state"),
        (("journal", "take-back", "w"), 2, "which edit"),
        (("journal", "export", "w", "-o", "none/out"), 2, "no such folder"),
    ):
        done = run(*words)
        assert (done.code, len(done.err.splitlines()), what in done.err) == (code, 1, True), (words, done)
    assert run("journal", "log", "w").out == "nothing was edited\n", "nothing of it was done by halves"
    assert run("edit", "both", "--add", "new.ttl", "--graph", (place / "two.ttl").as_uri()).code == 0
