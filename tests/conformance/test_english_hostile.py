"""Hostile questions: none changes the graph, starts a process, or writes a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.ask.planning import plan_workflow
from hpc_explorer.app.ask.running import run_workflow
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from tests.helpers.sessions import session_of
from tests.helpers.workflow_graph import workflow_graph

PIECES = (
    'MIT"} ; DELETE WHERE { ?s ?p ?o } #', "MIT' } DROP ALL #", "<> <> <> . INSERT DATA { <a> <b> <c> }", "MIT\\",
    "${PATH}", "`touch pwned`", "$(touch pwned)", "; rm -rf /", "| sh", "&& touch pwned", "../../etc/passwd",
    "__import__('os').system('touch pwned')", "{{7*7}}", "%s%n", "\u202egnp.exe", "a" * 3000, "\ud83d\ude00", "'; --",
    "SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }", "LOAD <file:///etc/passwd>", "CLEAR GRAPH ?g", "@import", "<script>",
    "file:///etc/passwd", "http://127.0.0.1:9/x",
)  # fmt: skip
FRAMES = (
    'datasets licensed under "{}"',
    "datasets named {}",
    'Remove the column "{}" from runs.csv',
    'Keep the rows of runs.csv where state is "{}"',
    'Rename the column state of runs.csv to "{}"',
    'Sort runs.csv by seconds and save it as "{}"',
    "Run {} on runs.csv",
    "{}",
)
_CHANGING = ("INSERT", "DELETE", "DROP", "CLEAR", "LOAD", "CREATE", "ADD", "MOVE", "COPY", "SERVICE")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    session = session_of(workflow_graph(tmp_path_factory.mktemp("hostile") / "graph"))
    yield session
    session.close()


started: list[str] = []
sys.addaudithook(lambda event, arguments: started.append(event) if event in ("subprocess.Popen", "os.system") else None)


@pytest.mark.parametrize("frame", FRAMES)
def test_hostile_questions_do_nothing(session: Session, tmp_path: Path, frame: str) -> None:
    size = session.store.size().value
    started.clear()
    folder = tmp_path / "out"
    folder.mkdir()
    for piece in PIECES:
        for reading in interpret(session, frame.format(piece) if "{}" in frame else frame).readings:
            if reading.query is not None:
                words = [one for one in sparql_tokens(sparql_text(reading.query)) if one.kind is TokenKind.WORD]
                assert not any(one.is_word(*_CHANGING) for one in words), piece
            if reading.expression is not None and reading.query is None:
                try:
                    plan = plan_workflow(session, reading.expression, scripts_in=tmp_path)
                    # Recording a saved table asks git for the version of the code, which is a process of ours.
                    assert all(Path(name).name == name and name.isprintable() for name in plan.saved)
                    if not plan.saved:
                        run_workflow(plan, folder, lambda command: False)
                except ExplorerError:
                    pass
    assert session.store.size().value == size
    assert not started
    assert not list(tmp_path.rglob("pwned"))
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
