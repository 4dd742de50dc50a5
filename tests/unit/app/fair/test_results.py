"""Results of assessments beside the graph: a source of its own that changes no score, replaced and kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.app.fair.assessing import assess_resource, keep_assessment, repairs_for
from hpc_explorer.app.fair.assessing_many import assess_many, resources_to_assess
from hpc_explorer.app.fair.results import assessed_sources, is_results, open_results, write_all_results, write_results
from hpc_explorer.app.journal.unpushed import unpushed
from hpc_explorer.app.query.questions import ask_question, filled_in, questions_for
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import close_source, open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import SourceFile
from hpc_explorer.errors import SourceSyntaxError, Unsupported
from hpc_explorer.fair.reports.graph import DQV, FTR
from hpc_explorer.query.questions.library import named_question, shipped_questions
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Term
from tests.helpers.repairs import apply_repair
from tests.helpers.sample_places import opened, sample_at
from tests.helpers.sessions import session_of

A = NamedNode("https://lab.example.org/a")
B = NamedNode("https://lab.example.org/b")
CATALOGUE = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix : <https://lab.example.org/> .
:catalogue a dcat:Catalog ; dcterms:title "All" ; dcat:dataset :a , :b .
:a a dcat:Dataset ; dcterms:title "Runs 1/2" ; dcterms:license <https://creativecommons.org/licenses/by/4.0/> .
:b a dcat:Dataset ; dcterms:title "B" .
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.ttl"
    path.write_text(CATALOGUE)
    return path


@pytest.fixture(params=["file", "workspace"])
def session(request: pytest.FixtureRequest, file: Path, tmp_path: Path) -> Iterator[Session]:
    """The catalogue as a file, and in a workspace that can be edited."""
    name = str(file)
    if request.param == "workspace":
        name = str(tmp_path / "workspace")
        load_into(Path(name), [str(file)])
    with editable(name) as one:
        yield one


@contextmanager
def editable(name: str) -> Iterator[Session]:
    """A session that other programs are kept from changing."""
    session = session_of(name, keep_workspace=True)
    try:
        yield session
    finally:
        session.close()


def number(session: Session, kind: NamedNode) -> int:
    return len({quad.subject for quad in session.store.match(predicate=RDF.type, object=kind)})


def rows(session: Session, name: str, **texts: str) -> list[tuple[Term | None, ...]]:
    question = named_question(shipped_questions(), name)
    table = ask_question(session, question, filled_in(session, question, texts)).table
    return [tuple(row) for row in table.rows]


def test_results_are_a_source_of_their_own_and_change_no_score(session: Session) -> None:
    before = assess_resource(session, A)
    stated = session.store.size().value
    file = write_results(session, before)
    source = open_results(session, file)
    assert source in session.sources
    assert is_results(source.graph)
    day = before.assessment.when.astimezone()
    assert source.name == f"FAIR results of Runs 1∕2, {day:%Y-%m-%d}"
    assert number(session, FTR.TestResult) == 47
    assert number(session, FTR.TestResultSet) == 1
    # All of it is in its own graph, and nothing has the resource as its subject.
    assert session.store.size().value == stated + source.triples.value
    assert not list(session.store.match(A, graph=source.graph))
    after = assess_resource(session, A)
    assert (after.assessment.fingerprint, after.score) == (before.assessment.fingerprint, before.score)
    assert resources_to_assess(session) == (A, B)
    assert [one.summary.name for one in assessed_sources(session)] == [session.sources[0].name]


def test_opened_again_they_are_replaced(session: Session) -> None:
    for _ in range(2):
        open_results(session, write_results(session, assess_resource(session, A)))
        open_results(session, write_all_results(session, resources_to_assess(session)))
    assert len(session.sources) == 3
    open_results(session, write_results(session, assess_resource(session, B)))
    assert len(session.sources) == 4
    graphs = [source.graph for source in session.sources if is_results(source.graph)]
    assert len(set(graphs)) == 3


def test_a_workspace_keeps_them_and_has_nothing_to_push(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    load_into(folder, [str(file)])
    with editable(str(folder)) as session:
        source = open_results(session, write_results(session, assess_resource(session, A)))
        assert session.workspace is not None
        assert unpushed(folder, session.workspace.sources, session.workspace.forgotten) == {}
        assert session.read_only_reason is None
    with opened(str(folder)) as session:
        assert [one.name for one in session.sources] == [str(file), source.name]
        assert number(session, FTR.TestResult) == 47
        with pytest.raises(Unsupported, match="reading only"):
            write_results(session, assess_resource(session, A))


def test_an_edit_before_can_be_taken_back_after(session: Session) -> None:
    view = assess_resource(session, B)
    repair = next(one for one in repairs_for(session, view) if any("licence" in ask.question for ask in one.asks))
    ask = repair.asks[0]
    step = apply_repair(session, repair, {ask: "CC-BY-4.0"})
    assert step is not None
    fixed = assess_resource(session, B)
    assert fixed.score.low > view.score.low
    open_results(session, write_results(session, fixed))
    step.undo()
    assert assess_resource(session, B).score == view.score
    assert number(session, FTR.TestResult) == 47


def test_what_was_kept_is_in_them(session: Session) -> None:
    first = assess_resource(session, A)
    keep_assessment(session, first)
    # Kept and shown at the same moment they are one.
    open_results(session, write_results(session, first))
    assert number(session, FTR.TestResultSet) == 1
    assert "fair-changes" not in [
        one.question.name for one in questions_for(session, shipped_questions()) if one.variants
    ]


def test_they_can_be_asked_about(file: Path) -> None:
    with opened(str(file)) as session:
        earlier = assess_resource(session, B)
        long_ago = replace(earlier.assessment, when=datetime(2024, 5, 1, tzinfo=UTC))
        keep_assessment(session, replace(earlier, assessment=long_ago))
        file.write_text(CATALOGUE + ":b dcterms:license <https://creativecommons.org/licenses/by/4.0/> .")
        open_sources(session, [str(file)])
        open_results(session, write_all_results(session, resources_to_assess(session)))
        assert number(session, FTR.TestResultSet) == 3
        assert number(session, FTR.Test) == 47
        assert number(session, DQV.Dimension) == len({one.indicator.subprinciple for one in earlier.decided})
        ranking = rows(session, "fair-ranking")
        views = {one.resource: one for one in assess_many(session, [A, B])}
        assert {row[0]: row[2].value for row in ranking} == {  # type: ignore[union-attr]
            one: str(sum(decided.points.low for decided in view.decided)) for one, view in views.items()
        }
        assert rows(session, "fair-failing") == []
        changed = rows(session, "fair-changes")
        assert {row[0] for row in changed} == {B}
        assert {(row[2].value, row[3].value) for row in changed} == {("fail", "pass")}  # type: ignore[union-attr]


def test_they_are_closed_like_any_source(file: Path) -> None:
    with opened(str(file)) as session:
        before = session.store.size()
        source = open_results(session, write_results(session, assess_resource(session, A)))
        close_source(session, source.graph)
        assert session.store.size() == before


def test_a_workspace_is_as_it_was_where_they_cannot_be_read(file: Path, tmp_path: Path) -> None:
    load_into(tmp_path / "workspace", [str(file)])
    with editable(str(tmp_path / "workspace")) as session:
        results = write_results(session, assess_resource(session, A))
        results.on_disk.write_text("this is no triple")
        told: list[int] = []
        session.subscribe(lambda change: told.append(change.generation))
        with pytest.raises(SourceSyntaxError):
            open_results(session, results)
        assert told
        assert len(session.sources) == 1
        assert assess_resource(session, A).score.low > 0
        assert session.read_only_reason is None


def test_beside_an_endpoint_there_is_no_place(file: Path) -> None:
    with opened(str(file)) as session:
        view = assess_resource(session, A)
    with sample_at("oxigraph server", str(file)) as session:
        with pytest.raises(Unsupported, match="endpoint"):
            write_results(session, view)
        with pytest.raises(Unsupported, match="endpoint"):
            open_results(session, SourceFile("x", file, A))
