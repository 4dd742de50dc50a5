"""Assessing in a session: answers beside the graph, history, fixing and taking it back, many at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.fair.assessing import (
    answer,
    answers_of,
    assess_resource,
    history,
    keep_assessment,
    repairs_for,
    withdraw_answer,
)
from hpc_explorer.app.fair.assessing_many import FixTally, assess_many, first_to_fix, ranked, resources_to_assess
from hpc_explorer.app.fair.places import fair_places
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, UnknownResource, UsageError, WrongAnswers
from hpc_explorer.fair.difference import difference
from hpc_explorer.fair.repairing import example_answers
from hpc_explorer.fair.values import Answer, Level, Verdict
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC
from hpc_explorer.rdf.terms import BlankNode, NamedNode
from hpc_explorer.stores.base import CancelToken, Limits
from tests.helpers.bad_server import Exchange, bad_server
from tests.helpers.repairs import apply_repair
from tests.helpers.sample_places import opened

A = NamedNode("https://lab.example.org/a")
B = NamedNode("https://lab.example.org/b")
CATALOGUE = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix : <https://lab.example.org/> .
:catalogue a dcat:Catalog ; dcterms:title "All" ; dcat:dataset :a , :b .
:a a dcat:Dataset ; dcterms:title "A" ; dcterms:license <https://creativecommons.org/licenses/by/4.0/> .
:b a dcat:Dataset ; dcterms:title "B" .
:m a hpc:AIModel ; hpc:name "M" .
:row a hpc:TableRow ; hpc:name "row" .
"""
WHEN = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "a.ttl").write_text(CATALOGUE)
    with opened(str(tmp_path / "a.ttl")) as one:
        yield one


def given(indicator: str, level: Level, note: str = "") -> Answer:
    return Answer(indicator, level, note, "Ada", WHEN)


def test_what_is_assessed(session: Session) -> None:
    view = assess_resource(session, A)
    assert view.assessment.label == view.ref.label == "A"
    assert view.assessment.finding("RDA-R1.1-01M").verdict is Verdict.PASS
    assert assess_resource(session, B).assessment.finding("RDA-R1.1-01M").verdict is Verdict.FAIL
    with pytest.raises(UnknownResource):
        assess_resource(session, NamedNode("https://lab.example.org/nothing"))


ANONYMOUS = """{"@context": "https://schema.org", "@type": "Dataset", "name": "Runs", "license": "MIT",
  "isBasedOn": {"@type": "Dataset", "name": "Raw runs"}}"""


def test_a_dataset_without_an_iri_is_assessed_and_fixed_but_nothing_is_kept_of_it(tmp_path: Path) -> None:
    (tmp_path / "runs.jsonld").write_text(ANONYMOUS)
    with opened(str(tmp_path / "runs.jsonld")) as session:
        # What it was made from is a part of its description, and no dataset to be assessed by itself.
        (resource,) = resources_to_assess(session)
        assert isinstance(resource, BlankNode)
        view = assess_resource(session, resource)
        assert view.ref.label == "Runs"
        assert view.assessment.finding("RDA-R1.1-03M").verdict is Verdict.PASS
        assert view.assessment.finding("RDA-F1-02D").verdict is Verdict.FAIL
        (row,) = assess_many(session, [resource])
        assert row.assessment.findings == view.assessment.findings
        repair = next(each for each in repairs_for(session, view) if "FsF-A1-01M" in each.indicators)
        step = apply_repair(session, repair, example_answers(repair))
        assert step is not None
        (fixed,) = resources_to_assess(session)
        assert assess_resource(session, fixed).assessment.finding("FsF-A1-01M").verdict is Verdict.PASS
        assert history(session, fixed) == ()
        for keep in (
            lambda: keep_assessment(session, view),
            lambda: answer(session, resource, given("RDA-A1-03M", Level.IMPLEMENTED)),
            lambda: withdraw_answer(session, resource, "RDA-A1-03M"),
        ):
            with pytest.raises(UsageError, match="only of what has an IRI"):
                keep()


def test_a_dataset_without_an_iri_that_a_catalogue_lists_is_one_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "all.ttl").write_text(
        f'{CATALOGUE} :catalogue dcat:dataset [ a dcat:Dataset ; dcterms:title "C" ] .'
        ' :a dcterms:source [ a dcat:Dataset ; dcterms:title "D" ] .'
    )
    with opened(str(tmp_path / "all.ttl")) as session:
        found = resources_to_assess(session)
        assert [view.ref.label for view in assess_many(session, found)] == ["A", "B", "M", "C"]


def test_what_a_catalogue_says_of_another_dataset_plays_no_part(session: Session, tmp_path: Path) -> None:
    alone = tmp_path / "alone.ttl"
    alone.write_text(CATALOGUE.replace(":a , :b", ":a").replace(':b a dcat:Dataset ; dcterms:title "B" .', ""))
    with opened(str(alone)) as other:
        fingerprint = assess_resource(other, A).assessment.fingerprint
    assert assess_resource(session, A).assessment.fingerprint == fingerprint


def test_an_answer_is_kept_and_taken_back(session: Session, tmp_path: Path) -> None:
    before = assess_resource(session, A)
    answers = answer(session, A, given("RDA-A1-02M", Level.IMPLEMENTED), view=before)
    assert fair_places(session).answers == tmp_path / "a.fair.toml"
    assert answers_of(session, A) == answers
    after = assess_resource(session, A)
    assert (after.score.low, after.score.high) == (before.score.low + 1, before.score.high)
    assert before.answered(answers).score == after.score
    assert withdraw_answer(session, A, "RDA-A1-02M").answers == ()
    assert assess_resource(session, A).score == before.score
    assert session.generation == before.generation


def test_an_answer_against_a_test_needs_a_reason(session: Session) -> None:
    view = assess_resource(session, B)
    with pytest.raises(WrongAnswers):
        answer(session, B, given("RDA-R1.1-01M", Level.IMPLEMENTED), view=view)
    assert answers_of(session, B).answers == ()
    told = answer(session, B, given("RDA-R1.1-01M", Level.IMPLEMENTED, "it is on the page"), view=view)
    assert view.answered(told).score.overrides == ("RDA-R1.1-01M",)


def test_what_ships_with_a_sample_holds_until_somebody_answers() -> None:
    resource = NamedNode("https://doi.org/10.5072/xplacer.ibm")
    with opened("sample:xplacer-after") as session:
        shipped = answers_of(session, resource)
        assert len(shipped.answers) == 20
        withdraw_answer(session, resource, "RDA-A1-03M")
        assert len(answers_of(session, resource).answers) == 19
        assert fair_places(session).answers.is_file()


def test_a_file_of_answers_in_place_of_those_beside(session: Session, tmp_path: Path) -> None:
    answer(session, A, given("RDA-A1-02M", Level.IMPLEMENTED))
    other = tmp_path / "other.toml"
    other.write_text("")
    assert assess_resource(session, A, answers=other).answers.answers == ()
    with pytest.raises(UsageError):
        assess_resource(session, A, answers=tmp_path / "none.toml")
    other.write_text("[[answer]]\nlevel = 7\n")
    with pytest.raises(WrongAnswers):
        assess_resource(session, A, answers=other)


def test_a_history(session: Session) -> None:
    assert history(session, A) == ()
    view = assess_resource(session, A)
    kept = keep_assessment(session, view)
    keep_assessment(session, assess_resource(session, B))
    assert history(session, A) == (kept,)
    assert kept.score == view.score
    later = view.answered(answer(session, A, given("RDA-A1-02M", Level.IMPLEMENTED)))
    (changed,) = difference(kept.decided, later.decided)
    assert (changed.indicator.id, changed.gain.low) == ("RDA-A1-02M", 1)


def test_a_repair_goes_through_the_journal_and_back(session: Session) -> None:
    view = assess_resource(session, B)
    quads = {str(quad.triple) for quad in session.store.match()}
    repair = next(one for one in repairs_for(session, view) if "RDA-R1.1-01M" in one.indicators)
    assert repair.change is None  # nothing can be written without an answer
    undo = UndoStack()
    step = apply_repair(session, repair, example_answers(repair))
    assert step is not None
    undo.push(step)
    fixed = assess_resource(session, B)
    assert fixed.assessment.finding("RDA-R1.1-01M").verdict is Verdict.PASS
    assert fixed.score.low > view.score.low
    assert apply_repair(session, repair, example_answers(repair)) is None
    undo.undo()
    assert {str(quad.triple) for quad in session.store.match()} == quads
    again = assess_resource(session, B)
    assert (again.score, again.assessment.findings) == (view.score, view.assessment.findings)
    assert again.assessment.fingerprint == view.assessment.fingerprint
    undo.redo()
    assert assess_resource(session, B).score == fixed.score


def test_many_at_once(session: Session) -> None:
    model = NamedNode("https://lab.example.org/m")
    resources = resources_to_assess(session)
    assert resources == (A, B, model)
    assert resources_to_assess(session, DCAT.Dataset) == (A, B)
    with pytest.raises(UnknownResource):
        resources_to_assess(session, HPC.Cluster)
    told: list[tuple[int, int]] = []
    views = list(assess_many(session, resources, progress=lambda done, of: told.append((done, of))))
    assert told == [(1, 3), (2, 3), (3, 3)]
    for view in views:
        alone = assess_resource(session, view.resource)
        assert (view.score, view.assessment.findings, view.ref) == (alone.score, alone.assessment.findings, alone.ref)
    assert ranked(views)[0].resource == A
    fixes = {one.indicator.id: one for one in first_to_fix(views)}
    assert fixes["RDA-R1.1-01M"].missing == (B, model)
    lacking = [len(one.missing) for one in first_to_fix(views)]
    assert lacking == sorted(lacking, reverse=True)
    tally = FixTally()
    for number, view in enumerate(views, 1):
        tally.add(view)
        assert tally.fixes() == first_to_fix(views[:number])


def test_many_are_cancelled(session: Session) -> None:
    token = CancelToken()
    some = assess_many(session, (A, B), limits=Limits(cancel=token))
    next(some)
    token.cancel()
    with pytest.raises(Cancelled):
        next(some)


def test_what_is_inferred_plays_no_part() -> None:
    model = NamedNode("http://example.org/AIModel/MO000001")
    with opened("sample:xplacer") as session:
        before = assess_resource(session, model)
        resources = resources_to_assess(session)
        infer(session)
        after = assess_resource(session, model)
        assert (after.assessment.findings, after.score) == (before.assessment.findings, before.score)
        assert after.assessment.fingerprint == before.assessment.fingerprint
        assert resources_to_assess(session) == resources
        (again,) = assess_many(session, [model])
        assert again.assessment.findings == before.assessment.findings


def test_addresses_are_asked_only_if_that_is_allowed(tmp_path: Path) -> None:
    def turtle(exchange: Exchange) -> None:
        exchange.answer("200 OK", b"", "text/turtle")

    with bad_server() as server:
        server.behaviours |= {"/there": turtle}
        there = f"http://127.0.0.1:{server.server_address[1]}/there"
        (tmp_path / "b.ttl").write_text(f'<{there}> a <http://www.w3.org/ns/dcat#Dataset> ; <{DCTERMS}title> "There" .')
        with opened(str(tmp_path / "b.ttl")) as session:
            alone = assess_resource(session, NamedNode(there))
            assert server.requests == []
            assert all(one.online is None for one in alone.assessment.findings)
            asked = assess_resource(session, NamedNode(there), online=True)
            number = len(server.requests)
            assert number > 0
            assert asked.assessment.finding("FsF-I1-01M").online is not None
            again = assess_resource(session, NamedNode(there), online=True)
            assert len(server.requests) == number
            assert again.assessment.findings == asked.assessment.findings
