"""The commands of the README run as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.program import run

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.slow
def test_the_commands_of_the_readme_run_as_printed(tmp_path: Path) -> None:
    blocks = re.findall(r"```\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (commands,) = [block.splitlines()[1:] for block in blocks if "activate" in block]
    assert len(commands) > 10
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in commands:
        ended = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert ended.returncode in (0, 1), (command, ended.stderr)  # 1: done, and it found something
        assert "hpc-explorer:" not in ended.stderr, (command, ended.stderr)


def test_the_lines_of_the_readme_record_a_run(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (command,) = re.findall(r"```\n(hpc-explorer lineage provenance .*?)\n```", text)
    (tmp_path / "train.csv").write_text("1,2\n")
    (tmp_path / "model.joblib").write_text("weights")
    (tmp_path / "train.py").write_text(f"from hpc_explorer import capture\n{lines}")
    subprocess.run([sys.executable, "train.py"], cwd=tmp_path, check=True, timeout=240)
    ended = run(*command.split()[1:], cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "used: train.csv (Learning dataset)" in ended.out
