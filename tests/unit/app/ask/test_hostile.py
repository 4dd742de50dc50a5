"""Hostile questions, names, columns, values, files, commands and scripts: nothing is started, written elsewhere or changed."""

from __future__ import annotations

import ast
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.ask.planning import plan_workflow
from hpc_explorer.app.ask.running import preview_workflow, run_workflow
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.language.expressions import CSV, Call, ScriptOperation, leaf, strings
from hpc_explorer.language.script_running import RunLimits, landlock_version, run_script, script_command
from hpc_explorer.language.scripts import GraphScript
from hpc_explorer.rdf.terms import Literal
from tests.helpers.sessions import session_of
from tests.helpers.workflow_graph import workflow_graph

TEXTS = (
    "$(touch pwned)", "`touch pwned`", "; touch pwned", "| sh", "&& touch pwned", "> pwned", "\n touch pwned \n",
    "__import__('os').system('touch pwned')", "eval(open('/etc/passwd').read())", "{0.__class__.__mro__}",
    "'); import os; os.system('touch pwned'); ('", '"""\nimport os\n"""', "%(x)s %n %s", "${inputs.file0}", "$(inputs.file0)",
    "../../pwned", "/etc/passwd", "..\\..\\pwned", "~/pwned", "file:///etc/passwd", "http://127.0.0.1:9/x", "con.csv\0.csv",
    "' } ; DELETE WHERE { ?s ?p ?o } ; #", "INSERT DATA { <a:a> <a:b> <a:c> }", "} UNION { ?s ?p ?o", "> . <a:a> <a:b> <c",
    "'; DROP TABLE runs; --", "=cmd|'/C calc'!A0", "@query.eval", "seconds * __builtins__", "\u202egnp.exe", "\u200b\ufeff",
    "\x1b[2J", "\ud800", "A" * 5_000, "\u0000",
)  # fmt: skip
"""Each is tried in six places."""

COMMANDS = (
    "bash s.py {input} {output}", "python3 -c 'import os' {input} {output}", "python3 -m http.server {input} {output}",
    "python3 s.py {input} {output}; touch pwned", "python3 s.py {input} {output} | sh", "python3 s.py $(id) {input} {output}",
    "python3 ../s.py {input} {output}", "python3 /bin/ls {input} {output}", "env python3 s.py {input} {output}",
    "python3 s.py {input} {output} /etc/passwd", "python3 s.py {input} --out=../../x {output}", "perl s.py {input} {output}",
)  # fmt: skip

_STARTS = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.forkpty",
    "os.startfile",
    "pty.spawn",
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_watching: list[list[str]] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if not _watching:
        return
    if event in _STARTS:
        _watching[-1].append(f"{event} {arguments}")
    elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITES:
        _watching[-1].append(f"write {arguments[0]}")


@pytest.fixture(scope="module", autouse=True)
def hearing() -> None:
    sys.addaudithook(_hear)


@contextmanager
def watched(room: Path) -> Iterator[None]:
    """No process is started in this block, and no file is written but in the room and in temporary folders of a run."""
    heard: list[str] = []
    _watching.append(heard)
    try:
        yield
    finally:
        _watching.pop()
    own = (f"write {room}", f"write {tempfile.gettempdir()}{os.sep}hpc-explorer-", "write /dev/null")
    # The recording library asks git for the commit of the present folder, by three fixed commands.
    own += (f"subprocess.Popen ('git', ['git', '-C', {os.getcwd()!r}, ",)
    elsewhere = [one for one in heard if not one.startswith(own) and not re.match(r"write \d+$", one)]
    assert elsewhere == []
    assert not list(room.rglob("pwned*"))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def session(room: Path) -> Iterator[Session]:
    session = session_of(workflow_graph(room / "graph"))
    interpret(session, "datasets")
    yield session
    session.close()


def unchanged(session: Session, room: Path) -> tuple[object, ...]:
    files = sorted((str(path), path.read_bytes()) for path in (room / "graph").rglob("*") if path.is_file())
    return session.generation, session.store.size().value, files


def tried(session: Session, room: Path, expressions: list[Call]) -> None:
    """Plan, preview, write and run workflows, of which no script was approved."""
    out = room / "out"
    out.mkdir(exist_ok=True)
    for expression in expressions:
        try:
            plan = plan_workflow(session, expression, scripts_in=room / "graph")
            ast.parse(plan.program())
            plan.cwl()
            preview_workflow(plan)
            run_workflow(plan, out, lambda command: False, replace_files=True)
        except ExplorerError as error:
            assert str(error)
    assert all(path.parent in (out, *(out / "provenance").rglob("*"), out / "provenance") for path in out.rglob("*"))


def asked(session: Session, question: str) -> list[Call]:
    return [one.expression for one in interpret(session, question).readings if one.expression is not None]


RUNS = leaf("datasetName", "runs.csv")
PLACES = {
    "question": lambda session, text: asked(session, text),
    "words": lambda session, text: asked(session, f'Sort runs.csv by "{text}" and save it as "{text}"'),
    "file": lambda _, text: [Call("GetAllColumns", (leaf(name, text),)) for name in ("csvFile", "datasetName", "file")],
    "saved name": lambda _, text: [Call("SaveDataset", (RUNS, leaf("fileName", text)))],
    "column": lambda _, text: [
        Call("GetColumn", (leaf("columnName", text), RUNS)),
        Call("RenameColumn", (leaf("columnName", "state"), strings(text), RUNS)),
        Call("Aggregate", (strings(text), leaf("columnName", "seconds"), RUNS)),
    ],
    "value": lambda _, text: [
        Call("FilterRows", (Call("condition", (leaf("columnName", "state"), strings("="), strings(text))), RUNS)),
        Call("FilterRows", (Call("condition", (leaf("columnName", "state"), strings(text), strings("x"))), RUNS)),
        Call(text, (RUNS,)),
    ],
}


@pytest.mark.parametrize("place", PLACES)
def test_hostile_texts_start_write_and_change_nothing(session: Session, room: Path, place: str) -> None:
    before = unchanged(session, room)
    for text in TEXTS:
        with watched(room):
            tried(session, room, PLACES[place](session, text))
    assert unchanged(session, room) == before


def test_hostile_names_and_commands_in_a_graph_start_nothing(tmp_path: Path) -> None:
    file = workflow_graph(tmp_path / "graph")
    (tmp_path / "graph" / "s.py").write_text("open('pwned', 'w')")
    blocks = []
    for at, command in enumerate(COMMANDS):
        name = TEXTS[at].encode(errors="replace").decode()
        blocks.append(
            f"ex:h{at} a hpc:Script ; hpc:name {Literal(name)} , 'hostile {at}' ; hpc:scriptPath 's.py' ; hpc:input 'CsvFile' ; "
            f"hpc:output 'CsvFile' ; hpc:runCommand {Literal(command)} ."
        )
    file.write_text(file.read_text() + "\n".join(blocks))
    session = session_of(file)
    before = unchanged(session, tmp_path)
    with watched(tmp_path):
        names = sorted(one.name for at in range(len(COMMANDS)) for call in asked(session, f"Run hostile {at} on runs.csv")
                       for one in call.calls())  # fmt: skip
        for at in range(len(COMMANDS)):
            tried(session, tmp_path, asked(session, f"Run hostile {at} on runs.csv"))
    assert unchanged(session, tmp_path) == before
    session.close()
    assert any(name.startswith("hostile") for name in names)


ATTEMPTS = {
    "write": "open(victim, 'w').write('x')",
    "append": "open(victim, 'a').write('x')",
    "truncate": "os.truncate(victim, 0)",
    "remove": "os.remove(victim)",
    "rename": "os.rename(victim, 'mine')",
    "new file": "open(victim + '.pwned', 'w')",
    "new folder": "os.mkdir(victim + '.pwned')",
    "link": "os.symlink('/etc/passwd', victim + '.pwned')",
    "hard link": "os.link(victim, 'mine'); open('mine', 'w')",
    "home": "open(os.path.expanduser('~root/.pwned'), 'w')",
    "process": "import subprocess; subprocess.run(['/bin/true'], check=True)",
    "shell": "assert os.system('exit 0') == 0",
    "exec": "os.posix_spawn(sys.executable, [sys.executable, '-c', ''], {})",
    "network": "import socket; socket.create_connection(('127.0.0.1', port), 5)",
    "signal": "os.kill(os.getppid(), 0)",
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_approved_script_cannot_reach_outside_its_folder(tmp_path: Path, attempt: str) -> None:
    needed = {"network": 4, "truncate": 3, "signal": 6}.get(attempt, 1)
    if landlock_version() < needed:
        pytest.skip(f"this system has no Landlock of version {needed}")
    victim, folder = tmp_path / "victim.txt", tmp_path / "run"
    victim.write_text("kept")
    folder.mkdir()
    (tmp_path / "in.csv").write_text("a\n1\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        (tmp_path / "s.py").write_text(
            f"import os, sys\nvictim, port = {str(victim)!r}, {server.getsockname()[1]}\nsaid = 'did'\n"
            f"try:\n    {ATTEMPTS[attempt]}\nexcept (OSError, AssertionError) as error:\n    said = 'did not'\n"
            "open(sys.argv[2], 'w').write(said)\n"
        )
        operation = ScriptOperation("make", "http://example.org/s", CSV, CSV)
        script = GraphScript(operation, "make", "", "s.py", "python3 s.py {input} {output}", "")
        output = run_script(script_command(script, tmp_path), tmp_path / "in.csv", folder, RunLimits(10))
    assert output.read_text() == "did not"
    assert victim.read_text() == "kept"
    assert not list(tmp_path.glob("*.pwned"))
