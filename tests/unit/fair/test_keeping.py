"""Documents, histories and differences of assessments."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import DamagedAssessment, OutputNotWritable
from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.difference import difference
from hpc_explorer.fair.document import answers_document, answers_of, assessment_of, document_of, json_of_text
from hpc_explorer.fair.history import Kept, keep, read_history
from hpc_explorer.fair.readings import LITERAL
from hpc_explorer.fair.scoring import Interval, decided
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad
from tests.helpers.assessments import MORNING, XPLACER, answers, assessment
from tests.helpers.examples import examples

LICENCE = "RDA-R1.1-01M"
CC_BY = NamedNode("https://creativecommons.org/licenses/by/4.0/")

NODES = st.sampled_from([XPLACER, BlankNode("b0"), BlankNode("b1")])
LITERALS = st.one_of(
    st.text(max_size=8).map(Literal),
    st.builds(lambda text: Literal(text, language="en-GB"), st.text(max_size=8)),
    st.sampled_from(["1.50", "x"]).map(lambda text: Literal(text, datatype=XSD.decimal)),
)
QUADS = st.builds(
    Quad,
    NODES,
    st.sampled_from([DCTERMS.license, HPC.name]),
    NODES | LITERALS,
    st.sampled_from([DefaultGraph(), NamedNode("file:///a.ttl"), BlankNode("g")]),
)


@examples(60)
@given(st.dictionaries(st.sampled_from([LICENCE, "RDA-F1-01M"]), st.lists(QUADS, max_size=4).map(tuple)))
def test_a_document_reads_back_as_it_was(evidence: dict[str, tuple[Quad, ...]]) -> None:
    before = assessment({LICENCE: "p"}, evidence=evidence)
    finding = before.findings[0]
    before = replace(
        before, findings=(replace(finding, missing=(DCTERMS.license,), online=MORNING), *before.findings[1:])
    )
    text = json.dumps(document_of(before))
    assert assessment_of(json_of_text(text, "x"), "x") == before
    assert json.dumps(document_of(assessment_of(json_of_text(text, "x"), "x"))) == text


def test_answers_read_back() -> None:
    said = answers({"RDA-A1-02M": 4, "RDA-A1-03M": 0}, "seen")
    assert answers_of(json.loads(json.dumps(answers_document(said))), XPLACER, "x") == said


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 2},
        {"subject": None},
        {"class": "poem"},
        {"when": "noon"},
        {"findings": [{"indicator": "RDA-F1-01M"}]},
        {"findings": 3},
        {"label": 3},
    ],
)
def test_a_damaged_document_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(DamagedAssessment):
        assessment_of({**document_of(assessment()), **change}, "x")
    with pytest.raises(DamagedAssessment, match="invalid JSON"):
        json_of_text('{"format"', "x")


# History


def kept(day: int, verdict: str = "f", said: Answers | None = None) -> Kept:
    graph = assessment({LICENCE: verdict}, evidence={LICENCE: (Quad(XPLACER, DCTERMS.license, CC_BY),)})
    return Kept(MORNING + timedelta(days=day), "Ada", graph, said or answers({}), LITERAL)


def test_a_history_grows_by_lines(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    keep(file, kept(0))
    first = file.read_bytes()
    keep(file, kept(1, "p", answers({"RDA-A1-02M": 4})))
    assert file.read_bytes().startswith(first)
    history = read_history(file)
    assert history.kept == (kept(0), kept(1, "p", answers({"RDA-A1-02M": 4})))
    assert [one.score.low for one in history.of(XPLACER)] == [0, 2]
    assert history.of(NamedNode("https://lab.example/other")) == ()
    assert history.problems == ()


def test_a_line_that_was_cut_off_takes_no_other_with_it(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    keep(file, kept(0))
    with open(file, "ab") as stream:
        stream.write(b'{"kept": "2026-')
    keep(file, kept(1))
    history = read_history(file)
    assert history.kept == (kept(0), kept(1))
    (problem,) = history.problems
    assert problem.where == f"{file}:2:10"


def test_no_history_and_no_place_for_one(tmp_path: Path) -> None:
    assert read_history(tmp_path / "none.jsonl").kept == ()
    with pytest.raises(OutputNotWritable):
        keep(tmp_path / "no folder" / "history.jsonl", kept(0))


# Difference


def test_a_difference_goes_down_to_the_statements() -> None:
    text, iri = Quad(XPLACER, HPC.license, Literal("CC")), Quad(XPLACER, DCTERMS.license, CC_BY)
    before = decided(assessment({LICENCE: "f"}, evidence={LICENCE: (text,)}))
    after = decided(assessment({LICENCE: "p"}, evidence={LICENCE: (iri,)}), answers({"RDA-A1-02M": 4}))
    changed = {one.indicator.id: one for one in difference(before, after)}
    assert list(changed) == ["RDA-A1-02M", LICENCE]
    assert changed[LICENCE].gain == Interval(1, 1)
    assert (changed[LICENCE].gone, changed[LICENCE].new) == ((text.triple,), (iri.triple,))
    assert changed["RDA-A1-02M"].gain == Interval(1, 0)
    assert changed["RDA-A1-02M"].answers == (None, answers({"RDA-A1-02M": 4}).answers[0])
    assert difference(after, after) == ()


def test_other_names_of_blank_nodes_and_other_graphs_are_no_difference() -> None:
    def told(name: str, graph: str) -> Any:
        node, place = BlankNode(name), NamedNode(graph)
        quads = (Quad(XPLACER, HPC.file, node, place), Quad(node, HPC.name, Literal("a.csv"), place))
        return decided(assessment(evidence={LICENCE: quads}))

    assert difference(told("a", "file:///a"), told("z", "file:///b")) == ()
