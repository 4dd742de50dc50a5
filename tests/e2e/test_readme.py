"""The commands of the README run as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


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
