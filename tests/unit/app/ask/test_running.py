"""Workflows run over tables and approved scripts; nothing else runs, and nothing is written elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.ask.planning import Approvals, WorkflowPlan, on_other_data, plan_workflow
from hpc_explorer.app.ask.running import open_record, preview_workflow, run_workflow
from hpc_explorer.app.ask.workflows import (
    SavedWorkflow,
    delete_workflow,
    other_tables,
    save_workflow,
    saved_workflows,
    tables_of,
)
from hpc_explorer.app.capture.collecting import Collector
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, OutputNotWritable, WrongParameter
from hpc_explorer.language.expressions import Call, leaf, strings
from hpc_explorer.lineage.phases.phases import Phase, phases_of
from hpc_explorer.lineage.trace.trace import trace
from hpc_explorer.ontology.labels import labels_of
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import CancelToken, Limits
from tests.helpers.sessions import session_of
from tests.helpers.workflow_graph import workflow_graph


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = session_of(workflow_graph(tmp_path / "graph"))
    yield session
    session.close()


def planned(session: Session, text: str, scripts_in: Path | None = None) -> WorkflowPlan:
    expression = interpret(session, text).readings[0].expression
    assert expression is not None
    return plan_workflow(session, expression, scripts_in=scripts_in)


RESULTS = [
    ("Average seconds per state in runs.csv", " state  seconds\n  DONE     45.0\nFAILED      5.0"),
    ("Keep the rows of runs.csv where seconds is more than 10, then count node in them", "2"),
    ("Merge runs.csv with nodes.csv and take the columns node and cores", " node  cores\n    1     44\n    2     64\n    1     44"),
    ("Sort runs.csv by seconds in descending order and keep the first 1 rows", " node state  seconds  peak\n    1  DONE       60     9"),
    ("the memory columns of runs.csv", " peak\n    5\n    7\n    9"),
    ("Multiply seconds by peak in runs.csv", "725.0"),
    ("List the column names of nodes.csv", "cores\nnode"),
]  # fmt: skip
"""Workflows, and what they result in."""

ONE_AFTER_ANOTHER = """
import runpy, sys
for program in sys.argv[1:]:
    runpy.run_path(program, run_name="__main__")
    print("\\f")
"""
"""Runs programs in one process, which imports the libraries of tables once."""


@pytest.mark.parametrize(("text", "answer"), RESULTS)
def test_a_workflow_has_the_result(session: Session, tmp_path: Path, text: str, answer: str) -> None:
    assert run_workflow(planned(session, text), tmp_path, lambda command: False).text == answer


def test_the_programs_of_workflows_have_their_results(session: Session, tmp_path: Path) -> None:
    programs = [tmp_path / f"program{number}.py" for number in range(len(RESULTS))]
    for program, (text, _) in zip(programs, RESULTS, strict=True):
        program.write_text(planned(session, text).program())
    command = [sys.executable, "-c", ONE_AFTER_ANOTHER, *map(str, programs)]
    *printed, rest = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\f\n")
    assert rest == ""
    for (text, answer), said in zip(RESULTS, printed, strict=True):
        assert answer.split()[-1].rstrip("0").rstrip(".") in said, text


def test_a_script_runs_when_it_was_approved_and_not_after_a_change(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    plan = planned(session, "Run double_up of Tidal on runs.csv", folder)
    approvals = Approvals(tmp_path / "approved.json")
    with pytest.raises(WrongParameter, match="not approved"):
        run_workflow(plan, tmp_path, approvals.is_approved)
    for command in plan.commands.values():
        approvals.approve(command)
    assert "… and 1 more rows" in run_workflow(plan, tmp_path, approvals.is_approved).text
    (folder / "scripts" / "double_up.py").write_text("raise SystemExit")
    with pytest.raises(WrongParameter, match="has changed"):
        run_workflow(plan, tmp_path, approvals.is_approved)
    changed = planned(session, "Run double_up of Tidal on runs.csv", folder)
    assert not any(map(approvals.is_approved, changed.commands.values()))


def test_a_saved_table_is_recorded_with_its_inputs(session: Session, tmp_path: Path) -> None:
    plan = planned(session, "Remove the state column from runs.csv and save it as short.csv")
    result = run_workflow(plan, tmp_path, lambda command: False)
    assert (tmp_path / "short.csv").read_text() == "node,seconds,peak\n1,30,5\n2,5,7\n1,60,9\n"
    assert result.written == (tmp_path / "short.csv",)
    with pytest.raises(OutputNotWritable):
        run_workflow(plan, tmp_path, lambda command: False)
    with Collector(tmp_path / "workspace", [tmp_path / "provenance"]) as collector:
        collector.gather()
        collector.load()
    recorded = session_of(tmp_path / "workspace")
    found = recorded.store.ask(
        "PREFIX prov: <http://www.w3.org/ns/prov#> ASK { ?out prov:wasGeneratedBy ?run . ?run prov:used ?in . "
        "?in ?p ?path FILTER(CONTAINS(STR(?path), 'runs.csv')) ?out ?q ?saved FILTER(CONTAINS(STR(?saved), 'short.csv')) }"
    )
    recorded.close()
    assert found


def test_each_step_is_recorded_with_what_it_read_and_made(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Some other repository, which has nothing to do with the run.
    subprocess.run(["git", "init", "-q", tmp_path / "elsewhere"], check=True)
    monkeypatch.chdir(tmp_path / "elsewhere")
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    plan = planned(
        session,
        "Merge runs.csv with nodes.csv, keep the rows where seconds is more than 10, then sort them by cores and save "
        "the result as sorted.csv",
    )
    run_workflow(plan, tmp_path, lambda command: False)
    written = open_record(session, tmp_path / "sorted.csv")
    assert written is not None
    rows = session.store.select(
        "PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
        "SELECT ?step ?in ?out { ?a prov:used/rdfs:label ?in ; rdfs:label ?step . ?o prov:wasGeneratedBy ?a ; rdfs:label ?out }"
    )
    found = {(row["step"].value, row["in"].value, row["out"].value) for row in rows}  # type: ignore[union-attr]  # literals
    steps = [step.text for step in plan.flow if not step.is_read]
    assert len(steps) == 4
    chain = {(steps[0], "runs.csv", steps[0]), (steps[0], "nodes.csv", steps[0]), (steps[3], steps[2], "sorted.csv")}
    assert found == chain | {(steps[1], steps[0], steps[1]), (steps[2], steps[1], steps[2])}
    lineage = trace(session.store, written, session.lineage_vocabulary())
    assert set(labels_of(session.store, list(lineage.nodes)).values()) >= {"runs.csv", "nodes.csv", *steps}
    assert not session.store.ask('ASK { ?x ?p ?o FILTER(CONTAINS(LCASE(STR(?o)), "git commit")) }')


def test_a_workflow_runs_again_on_other_data(session: Session, tmp_path: Path) -> None:
    plan = planned(session, "Sort runs.csv by node in ascending order")
    again = plan_workflow(session, on_other_data(plan.expression, "runs.csv", "nodes.csv"))
    assert run_workflow(again, tmp_path, lambda command: False).text == " node  cores\n    1     44\n    2     64"


@pytest.mark.parametrize(
    "name",
    ["../secret.csv", "/etc/passwd", "scripts/../../x.csv", "..", "", "a\0b", "link.csv", "C:\\x.csv", "nothing.csv"],
)
def test_files_outside_the_folder_are_not_read(session: Session, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (tmp_path / "graph" / "link.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(WrongParameter):
        plan_workflow(session, Call("GetAllColumns", (leaf("csvFile", name),)))


@pytest.mark.parametrize(
    "name", ["../x.csv", "/tmp/x.csv", "a/b.csv", ".hidden", "..", "a\0.csv", "b\\c.csv", "x" * 300]
)
def test_files_are_saved_under_plain_names_only(session: Session, tmp_path: Path, name: str) -> None:
    call = Call("SaveDataset", (leaf("datasetName", "runs.csv"), leaf("fileName", name)))
    with pytest.raises(WrongParameter):
        plan_workflow(session, call)


HOSTILE = [
    "__import__('os').system('touch pwned')",
    "`touch pwned`",
    "$(touch pwned)",
    "seconds; DROP",
    "' or 1=1",
    "@pwned",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_names_of_columns_are_never_run(session: Session, tmp_path: Path, text: str) -> None:
    table = leaf("datasetName", "runs.csv")
    condition = Call("condition", (leaf("columnName", text), strings("="), strings(text)))
    for call in (Call("GetColumn", (leaf("columnName", text), table)), Call("FilterRows", (condition, table))):
        with pytest.raises(WrongParameter):
            run_workflow(plan_workflow(session, call), tmp_path, lambda command: False)
    assert not list(tmp_path.rglob("pwned"))


CWLTOOL = shutil.which("cwltool") or os.environ.get("CWLTOOL", "")


@pytest.mark.slow
@pytest.mark.skipif(not CWLTOOL, reason="cwltool is missing: pip install cwltool, or name it in CWLTOOL")
@pytest.mark.parametrize(
    "text",
    [
        "Merge runs.csv with nodes.csv, take the columns node and cores and save it as a new.csv",
        "Run double_up of Tidal on runs.csv and save it as out.json",
        "Keep the rows of runs.csv where state is DONE and save it as done.csv",
    ],
)
def test_the_cwl_tool_saves_the_same_file(session: Session, tmp_path: Path, text: str) -> None:
    """cwltool runs the exported tool where its files lie beside it."""
    graph = tmp_path / "graph"
    plan = planned(session, text, graph)
    (saved,) = run_workflow(plan, tmp_path, lambda command: True).written
    shutil.copy(graph / "scripts" / "double_up.py", graph)
    tool = graph / "tool.cwl"
    tool.write_text(plan.cwl())
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    subprocess.run(
        [CWLTOOL, "--outdir", str(tmp_path / "cwl"), "--preserve-environment", "PATH", str(tool)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        check=True,
        timeout=300,
    )
    assert (tmp_path / "cwl" / saved.name).read_bytes() == saved.read_bytes()


def test_a_preview_stops_before_the_first_script_and_saves_nothing(session: Session, tmp_path: Path) -> None:
    plan = planned(session, "Run double_up of Tidal on runs.csv and save it as out.csv")
    assert [step.text for step in plan.flow] == [
        "runs.csv", "Run doubleUp of Tidal on dataset “runs.csv”", "Save it as “out.csv”"
    ]  # fmt: skip
    previews = preview_workflow(plan)
    assert [previews[step.call].size if step.call in previews else None for step in plan.flow] == [
        "3 rows, 4 columns", None, None
    ]  # fmt: skip
    with pytest.raises(WrongParameter, match="runs a script"):
        run_workflow(plan, tmp_path, lambda command: True)
    with pytest.raises(WrongParameter, match="runs a script"):
        plan.program()
    assert not (tmp_path / "out.csv").exists()


def test_a_cancelled_script_is_ended_and_nothing_is_saved(session: Session, tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    (graph / "scripts" / "double_up.py").write_text("while True: pass")
    plan = planned(session, "Run double_up of Tidal on runs.csv and save it as out.csv", graph)
    token = CancelToken()
    with pytest.raises(Cancelled):
        run_workflow(
            plan, tmp_path, lambda command: True, limits=Limits(cancel=token),
            progress=lambda text, fraction: token.cancel() if text.startswith("python3") else None,
        )  # fmt: skip
    assert not (tmp_path / "out.csv").exists()


def test_the_saved_file_is_found_in_the_record_of_its_run(session: Session, tmp_path: Path) -> None:
    plan = planned(session, "Sort runs.csv by seconds in descending order and save it as out.csv")
    (saved,) = run_workflow(plan, tmp_path, lambda command: False).written
    found = open_record(session, saved)
    assert found is not None
    lineage = trace(session.store, found, session.lineage_vocabulary())
    labels = {node.value.rpartition("/")[2] for node in lineage.nodes if isinstance(node, NamedNode)}
    assert {"out.csv", "runs.csv"} <= labels
    phases = phases_of(session.store, lineage, session.schema().superclasses)
    assert {one.phase for one in phases.values()} == {Phase.OTHER}  # nothing was learned
    saved.write_text("other")
    assert open_record(session, saved) is None


def test_a_saved_workflow_is_read_back_and_a_damaged_one_is_left_out(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    plan = planned(session, "Sort runs.csv by node in ascending order")
    kept = SavedWorkflow("Sorted ✓ / runs", "Sort runs.csv by node", plan.expression)
    file = save_workflow(kept)
    for number, text in enumerate(
        ("", "[]", '{"name": 1}', '{"name": "x", "sentence": "", "expression": [1]}', "[" * 9_999)
    ):
        file.with_name(f"damaged-{number}.json").write_text(text)
    assert saved_workflows() == (kept,)
    assert tables_of(kept.expression) == ("runs.csv",)
    assert other_tables(session) == ("nodes.csv", "runs.csv")
    with pytest.raises(WrongParameter, match="of this name"):
        save_workflow(kept)
    for name in ("", "///", "..", "x" * 100):
        with pytest.raises(WrongParameter, match="not a name"):
            save_workflow(SavedWorkflow(name, "", plan.expression))
    delete_workflow(kept.name)
    assert saved_workflows() == ()
