"""A lineage in phases as a value: what is in sight, in words, as a scene and as a plot; by the command line, too."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from hpc_explorer.app.lineage.phase_drawing import SUMMING_UP, phase_scene, rough_duration
from hpc_explorer.app.lineage.phase_viewing import phase_view
from hpc_explorer.app.lineage.phase_views import PhaseView
from hpc_explorer.app.lineage.phasing import fold_lineage, phases_serve
from hpc_explorer.app.lineage.section_plot import section_answer
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.cli.main import run_command
from hpc_explorer.lineage.time.as_of import read_times
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.wording import plural
from tests.helpers.sessions import session_of

MODEL = NamedNode("http://example.org/seismic/run1-training-epoch2-model")


@pytest.fixture
def session() -> Session:
    return session_of("sample:seismic")


def opened(session: Session, *titles: str) -> PhaseView:
    view = phase_view(session, fold_lineage(session, trace_lineage(session, MODEL)))
    for title in titles:
        (row,) = (row for row in view.rows if row.title == title and row.opens and not row.is_open)
        view = phase_view(session, view.folded, view.is_open | {row.key})
    return view


def test_the_first_picture_asks_nothing_of_sections_and_the_next_one_tells_them(session: Session) -> None:
    lineage = trace_lineage(session, MODEL)
    assert phases_serve(session, lineage)
    folded = fold_lineage(session, lineage)
    quick = phase_scene(phase_view(session, folded, with_facts=False))
    assert [node.stop for node in quick.nodes if node.label == "Learning"] == [SUMMING_UP]
    whole = phase_scene(phase_view(session, folded))
    assert [node.key for node in quick.nodes] == [node.key for node in whole.nodes]
    assert len(whole.nodes) <= 60
    (learning,) = (node for node in whole.nodes if node.label == "Learning")
    assert (learning.caption, learning.stop) == ("3 epochs · 9 batches", "batch_loss 0.913 → 0.352 · 10 min")


def test_a_stage_opens_into_its_epochs_and_a_workflow_into_its_stages(session: Session) -> None:
    view = opened(session, "Learning", "Learning run 1", "Training, run 1", "3 epochs")
    titles = [(row.indent, row.title) for row in view.columns[-1]]
    assert (2, "Training, run 1") in titles
    assert (3, "3 epochs") in titles
    assert [title for indent, title in titles if indent == 4 and "epoch" in title.casefold()][1:] == [
        "Training epoch 1, run 1",
        "Training epoch 2, run 1",
        "Training epoch 3, run 1",
    ]
    assert (2, "1 validation") in titles
    keys = [row.key for row in view.rows]
    assert len(keys) == len(set(keys))


def test_the_numbers_of_sections_are_an_answer_with_a_plot(session: Session) -> None:
    view = opened(session, "Learning", "Learning run 1", "Training, run 1")
    (batches,) = (row for row in view.rows if row.title == "9 batches")
    answer = section_answer(session, view, batches.key)
    assert answer.title == "batch_loss over 9 batches of Training, run 1"
    assert len(answer.plots[0].series[0].ys) == 9
    (row,) = answer.tables[0].rows
    assert row[:2] == ("batch_loss", 9)
    (epochs,) = (row for row in view.rows if row.title == "3 epochs")
    assert len(section_answer(session, view, epochs.key).plots) == 3
    assert section_answer(session, view, "phase learning").plots == ()


def test_the_command_line_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["lineage", "sample:seismic", MODEL.value, "--phases"]
    assert run_command([*command, "--open", "learning", "--open", "Learning run 1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("+ Data curation  4 activities")
    assert any(line.startswith("    + Training, run 1  3 epochs · 9 batches") for line in told)
    assert run_command([*command, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["phase"] for one in found["phases"]] == ["Data curation", "Learning data preparation", "Learning"]
    assert len(found["placed"]) == found["resources"]
    assert run_command([*command, "--open", "Nothing"]) == 2
    assert "these can: Data curation, Learning data preparation, Learning" in capsys.readouterr().err
    assert run_command([*command, "--format", "json", "--as-of", "2030-01-01"]) == 0
    assert json.loads(capsys.readouterr().out) == found
    assert run_command([*command, "--format", "dot"]) == 2
    assert "use --format tree or json" in capsys.readouterr().err


def test_as_of_a_moment_sections_are_those_that_were_there(session: Session) -> None:
    """Of a training that has begun its second epoch just now."""
    stage = NamedNode("http://example.org/seismic/run1-training")
    now = trace_lineage(session, stage, downstream=True)
    starts = {one: known.born for one, known in read_times(session.store, now.nodes).items() if known.born is not None}
    epochs = sorted({born for one, born in starts.items() if re.search("epoch[0-9]+$", one.value)})
    at = epochs[1]
    then = fold_lineage(session, trace_lineage(session, stage, downstream=True, as_of=at), as_of=at)
    assert then.as_of == at
    (sections,) = then.facts.sections([stage])[stage]
    assert sections.count == 2
    assert sections.started == epochs[0]
    assert all(known.ended is None or known.ended <= at for known in then.times.values())
    end = datetime(2030, 1, 1, tzinfo=UTC)
    late = fold_lineage(session, trace_lineage(session, stage, downstream=True, as_of=end), as_of=end)
    assert late.facts.sections([stage], 2) == fold_lineage(session, now).facts.sections([stage], 2)
    assert [row.counts for row in phase_view(session, late).rows] == [
        row.counts for row in phase_view(session, fold_lineage(session, now)).rows
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.25, "0.25 s"), (59, "59 s"), (210, "3 min 30 s"), (8_040, "2 h 14 min"), (198_000, "2 d 7 h"), (7_200, "2 h")],
)
def test_times_in_their_two_largest_units(seconds: float, text: str) -> None:
    assert rough_duration(timedelta(seconds=seconds)) == text


def test_plurals() -> None:
    assert list(map(plural, ("epoch", "batch", "activity", "class", "day"))) == [
        *("epochs", "batches", "activities", "classes", "days")
    ]
