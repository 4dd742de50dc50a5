"""`facets` lists what can be said next of a query; an empty answer of `query` is told with what emptied it."""

from __future__ import annotations

import json

from tests.helpers.program import run

MODELS = "SELECT * { ?m a hpc:AIModel }"


def test_what_is_there_at_all_is_listed() -> None:
    done = run("facets", "sample:xplacer")
    assert (done.code, done.err) == (0, "")
    assert "3  AI model" in done.out
    assert "123  type" in done.out


def test_what_can_be_said_next_is_listed_with_counts() -> None:
    done = run("facets", "sample:xplacer", "--text", MODELS, "--json")
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    assert found["focus"] == "m"
    assert found["rows"] == {"value": 3, "kind": "exact"}
    properties = {one["curie"]: one["count"]["value"] for one in found["properties"]["options"]}
    assert properties["hpc:targetMachine"] == 3
    assert found["histogram"] is None
    assert len(found["values"]["options"]) == 3


def test_the_focus_can_be_another_variable() -> None:
    text = "SELECT * { ?m a hpc:AIModel ; hpc:targetMachine ?on }"
    done = run("facets", "sample:xplacer", "--text", text, "--focus", "?on")
    assert done.out.startswith("?on")
    wrong = run("facets", "sample:xplacer", "--text", text, "--focus", "machine")
    assert wrong.code == 2
    assert wrong.err == "hpc-explorer: the query has no such variable: machine: it has ?m, ?on\n"


def test_an_empty_answer_says_which_condition_emptied_it() -> None:
    done = run("query", "sample:xplacer", "--text", "SELECT * { ?m a hpc:AIModel ; hpc:colour ?colour }")
    assert done.code == 0
    assert done.err == "hpc-explorer: no rows: without `?m hpc:colour ?colour`: 3 rows\n"


def test_two_conditions_that_empty_it_together_are_told_so() -> None:
    text = "SELECT * { ?m a hpc:AIModel ; hpc:colour ?colour ; hpc:weight ?weight }"
    done = run("query", "sample:xplacer", "--text", text)
    assert done.err.splitlines() == [
        "hpc-explorer: no rows: without `?m hpc:colour ?colour` and `?m hpc:weight ?weight`: 3 rows",
        "hpc-explorer: no rows: no single condition empties the query",
    ]


def test_an_answer_with_rows_says_nothing_more() -> None:
    assert run("query", "sample:xplacer", "--text", MODELS).err == ""
