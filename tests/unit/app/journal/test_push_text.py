"""What a push will do with each of its targets, and what it did, in sentences."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.annotate.pushing.values import Pushed, Target, TargetKind
from hpc_explorer.app.journal.push_viewing import result_text, target_lines
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

GRAPH = NamedNode("http://example.org/graph")
ONE, TWO = (Quad(GRAPH, GRAPH, Literal(text), GRAPH) for text in ("one", "two"))
FILE = Target("runs.ttl", GRAPH, TargetKind.FILE, "/home/ana/runs.ttl", (ONE,), (TWO,))


def test_a_file_is_changed_in_places_or_written_anew_and_it_is_said_why() -> None:
    assert target_lines(FILE) == ["Changed here: +1 \u22121 statements. The rest of the file stays as it is."]
    (said,) = target_lines(replace(FILE, rewritten="it is compressed"))
    assert said.endswith("The file has to be rewritten as a whole: it is compressed.")


def test_an_endpoint_gets_all_or_nothing() -> None:
    (said,) = target_lines(replace(FILE, kind=TargetKind.ENDPOINT))
    assert said.endswith("Sent as one SPARQL Update: all of it or nothing.")


def test_what_others_changed_is_told_and_where_nothing_is_pushed_only_why() -> None:
    theirs = replace(FILE, theirs_added=(ONE, TWO))
    assert target_lines(theirs)[1:] == ["Changed there meanwhile, and taken over here: +2 statements."]
    assert target_lines(replace(theirs, refused="it is gone")) == ["Not written: it is gone"]


def test_what_was_done_says_what_came_from_there_too() -> None:
    assert result_text(Pushed(FILE, 1, 0)) == "\u22121 statement written."
    assert result_text(Pushed(FILE, 1, 1, 0, 2)).endswith(" Taken over from there: +2 statements.")
