"""Only commands of the allowed form run, as a copy, within limits."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hpc_explorer.errors import DeadlineExceeded, ExplorerError, WrongParameter
from hpc_explorer.language.expressions import CSV, ScriptOperation
from hpc_explorer.language.script_running import RunLimits, run_script, script_command
from hpc_explorer.language.scripts import GraphScript
from hpc_explorer.stores.base import Limits

OPERATION = ScriptOperation("make", "http://example.org/s", CSV, CSV)


def script(folder: Path, content: str, command: str = "", path: str = "s.py") -> GraphScript:
    (folder / "s.py").write_text(content)
    return GraphScript(OPERATION, "make", "", path, command or f"python3 {path} {{input}} {{output}}", "")


@pytest.mark.parametrize(
    "command",
    [
        "bash s.py {input} {output}",
        "sh -c 'touch pwned' {input} {output}",
        "/bin/sh s.py {input} {output}",
        "python3 -c 'import os' {input} {output}",
        "python3 -m http.server {input} {output}",
        "python3 s.py {input} {output}; touch pwned",
        "python3 s.py {input} {output} && touch pwned",
        "python3 s.py {input} {output} | sh",
        "python3 s.py {input} > {output}",
        "python3 s.py {input} {output} `touch pwned`",
        "python3 s.py {input} {output} $(touch pwned)",
        "python3 s.py {input} {output} /etc/passwd",
        "python3 s.py {input} {output} ../../x",
        "python3 s.py {input}",
        "python3 s.py {output}",
        "python3 s.py {input} {input} {output}",
        "python3 other.py {input} {output}",
        "env python3 s.py {input} {output}",
        "sudo python3 s.py {input} {output}",
        "python3",
        "",
        "python3 'unclosed {input} {output}",
        "python3 s.py {input} {output} " + "a " * 50,
        "perl s.py {input} {output}",
        "./s.py {input} {output}",
    ],
)
def test_other_commands_are_refused(tmp_path: Path, command: str) -> None:
    with pytest.raises(WrongParameter):
        script_command(replace(script(tmp_path, ""), command=command), tmp_path)
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize(
    "path", ["../s.py", "/bin/ls", "link.py", "folder", "nothing.py", "a/../../s.py", "s.py\0x", "~/s.py"]
)
def test_scripts_outside_the_folder_are_refused(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "scripts"
    folder.mkdir()
    (tmp_path / "s.py").write_text("")
    (folder / "folder").mkdir()
    (folder / "link.py").symlink_to(tmp_path / "s.py")
    with pytest.raises(WrongParameter):
        script_command(script(tmp_path, "", path=path), folder)


def run(tmp_path: Path, content: str, limits: RunLimits | None = None) -> Path:
    command = script_command(script(tmp_path, content), tmp_path)
    given, room = tmp_path / "in.csv", tmp_path / "room"
    given.write_text("a\n1\n")
    room.mkdir()
    return run_script(command, given, room, limits)


def test_a_script_gets_copies_and_an_empty_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    content = "import os, sys\nopen(sys.argv[1], 'w').write('gone')\nopen(sys.argv[2], 'w').write(','.join(sorted(os.environ)))"
    output = run(tmp_path, content)
    assert "SECRET" not in output.read_text()
    assert (tmp_path / "in.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize(
    "content",
    [
        "while True: pass",
        "x = bytearray(10**11)",
        "import sys; f = open(sys.argv[2], 'wb')\nwhile True: f.write(b'x' * 1_000_000)",
        "raise SystemExit(3)",
        "",
        "import os, sys; os.symlink('/etc/passwd', sys.argv[2])",
        "open('/proc/self/mem', 'wb').write(b'x')",
    ],
)
def test_a_script_ends_at_its_limits(tmp_path: Path, content: str) -> None:
    with pytest.raises(ExplorerError):
        run(tmp_path, content, RunLimits(1, 1 << 30, 10_000_000))


_LEAVES_A_PROCESS = """
import os, sys, time
child = os.fork()
if not child:
    os.setsid()
    os.close(1); os.close(2)
    while True: time.sleep(0.05)
open(sys.argv[2], 'w').write(str(child))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process what its descendants are")
@pytest.mark.parametrize("ending", ["", "time.sleep(60)"])
def test_what_a_script_started_ends_with_it(tmp_path: Path, ending: str) -> None:
    command = script_command(script(tmp_path, _LEAVES_A_PROCESS + ending), tmp_path)
    (tmp_path / "in.csv").write_text("a\n1\n")
    (tmp_path / "room").mkdir()
    if ending:
        with pytest.raises(DeadlineExceeded):
            run_script(command, tmp_path / "in.csv", tmp_path / "room", limits=Limits.seconds(1.5))
    else:
        run_script(command, tmp_path / "in.csv", tmp_path / "room")
    left = int((tmp_path / "room" / "output.csv").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(left, 0)
