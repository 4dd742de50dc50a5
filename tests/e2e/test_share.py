"""`share` as a user types it, and its page in a real browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.program import run

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

# A reader who searches, presses Enter, clicks a card, and zooms; what the page shows then is written down in it.
VISIT = """
<script>
{
const seen = {};
const find = document.getElementById("find");
document.getElementById("fit").click();
const before = document.getElementById("picture").getAttribute("viewBox");
find.value = "nvprof";
find.dispatchEvent(new Event("input"));
seen.found = document.getElementById("found").textContent;
seen.matches = document.querySelectorAll(".node.match").length;
find.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
seen.moved = document.getElementById("picture").getAttribute("viewBox") !== before;
document.getElementById("fit").click();
seen.fitted = document.getElementById("picture").getAttribute("viewBox") === before;
const model = [...document.querySelectorAll(".node")].find((card) => card.getAttribute("aria-label") === "decisionTree.onnx");
model.dispatchEvent(new MouseEvent("click", { bubbles: true }));
seen.title = document.querySelector("#details h3").textContent;
seen.evidence = document.querySelector("#details pre").textContent;
seen.chosen = document.querySelectorAll(".edge.chosen").length;
document.getElementById("picture").dispatchEvent(new WheelEvent("wheel", { deltaY: -100, clientX: 400, clientY: 300 }));
seen.zoomed = document.getElementById("picture").viewBox.baseVal.width < Number(before.split(" ")[2]);
const result = document.createElement("pre");
result.id = "seen";
result.textContent = JSON.stringify(seen);
document.body.append(result);
}
</script>
"""


def test_the_command(tmp_path: Path) -> None:
    page = tmp_path / "model.html"
    done = run("share", "sample:xplacer", "decisionTree.onnx", "-o", page)
    assert (done.code, done.err) == (0, "")
    assert "63 resources" in done.out
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    before = page.read_bytes()
    wrong = run("share", "sample:xplacer", "no such thing", "-o", page)
    assert (wrong.code, wrong.err.count("\n"), page.read_bytes()) == (2, 1, before)


@pytest.mark.skipif(BROWSER is None, reason="chromium is missing: apt-get install chromium")
def test_a_reader_searches_and_clicks_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "model.html"
    run("share", "sample:xplacer", "decisionTree.onnx", "-o", page)
    page.write_text(page.read_text("utf-8").replace("</body>", VISIT + "</body>"), "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    shown = subprocess.run(
        [str(BROWSER), *options, "--virtual-time-budget=5000", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    written = re.search(r'<pre id="seen">(.*?)</pre>', shown.stdout, re.DOTALL)
    assert written is not None, shown.stdout[-2_000:]
    seen = json.loads(written[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    assert seen.pop("evidence").startswith("asserted: ")
    assert re.fullmatch(r"\d+ of 46", seen["found"])
    assert int(seen.pop("found").split()[0]) == seen.pop("matches") > 0
    assert seen == {"moved": True, "fitted": True, "title": "decisionTree.onnx", "chosen": 1, "zoomed": True}
