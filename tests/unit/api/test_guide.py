"""The scripts of the guide and the notebook run as they are printed."""

from __future__ import annotations

import ast
import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pandas
import pytest

DOCS = Path(__file__).parents[3] / "docs"
BLOCKS = re.findall(r"```python\n(.*?)```", (DOCS / "guide" / "python.md").read_text(encoding="utf-8"), re.DOTALL)


def ran(code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Run the code of a cell; returns what it printed, and the value of a last expression."""
    body = ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), value


def words(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_script_of_the_guide(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(BLOCKS[number].splitlines()) <= 10
    printed, _ = ran(BLOCKS[number], {})
    assert printed.strip()


def test_the_guide_has_five_scripts_after_the_first_steps() -> None:
    assert len(BLOCKS) == 6


def test_the_notebook_gives_what_is_kept_in_it() -> None:
    """The cells run one after the other in this process; a kernel would need packages that nothing else needs."""
    notebook = json.loads((DOCS / "five-stories.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        printed, value = ran("".join(cell["source"]), names)
        kept = {output["output_type"]: output for output in cell["outputs"]}
        assert printed == "".join(kept.pop("stream", {"text": ""})["text"])
        if value is None:
            assert not kept
            continue
        data = kept.pop("execute_result")["data"]
        if isinstance(value, pandas.DataFrame):  # whose text depends on the width of the terminal
            assert words("".join(data["text/html"])) == words(value.to_html(notebook=True)), cell["id"]
        else:
            assert words("".join(data["text/plain"])) == words(repr(value)), cell["id"]
        for kind, method in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
            assert (kind in data) == bool(getattr(value, method, lambda: None)()), (cell["id"], kind)
