"""`share` as a user types it, and its page in a real browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

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


def seen_in_browser(page: Path, script: str) -> dict[str, Any]:
    """What a script at the end of a page writes down as JSON in `#seen`, in a browser without network."""
    page.write_text(page.read_text("utf-8").replace("</body>", script + "</body>"), "utf-8")
    profile = page.parent / "profile"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
    shown = subprocess.run(
        [
            str(BROWSER),
            *options,
            f"--user-data-dir={profile}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    written = re.search(r'<pre id="seen">(.*?)</pre>', shown.stdout, re.DOTALL)
    assert written is not None, shown.stdout[-2_000:]
    found: dict[str, Any] = json.loads(written[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    return found


COUNT = """
<script>
{
const result = document.createElement("pre");
result.id = "seen";
result.textContent = JSON.stringify({
    cards: document.querySelectorAll(".node").length,
    edges: document.querySelectorAll(".edge").length,
    marked: document.querySelectorAll("b.hostile").length,
    read: [...document.querySelectorAll(".node")].filter((card) => card.getAttribute("aria-label").includes("<b class")).length,
    embedded: JSON.parse(document.querySelector('script[type="application/ld+json"]').textContent) !== null,
});
document.body.append(result);
}
</script>
"""


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="chromium is missing: apt-get install chromium")
def test_a_page_of_five_hundred_cards_is_small_and_opens_in_a_browser_with_labels_as_text(tmp_path: Path) -> None:
    graph, page = tmp_path / "graph.ttl", tmp_path / "page.html"
    lines = ["@prefix prov: <http://www.w3.org/ns/prov#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    hostile = "<b class='hostile'>x</b></script>"
    lines += [
        f'<urn:x:f{n}> a prov:Entity ; rdfs:label "{hostile} {n}" . <urn:x:f{n // 3}> prov:wasDerivedFrom <urn:x:f{n}> .'
        for n in range(1, 500)
    ]
    lines.append('<urn:x:f0> a prov:Entity ; rdfs:label "the model" .')
    graph.write_text("\n".join(lines), "utf-8")
    done = run("share", graph, "urn:x:f0", "-o", page)
    assert done.code == 0, done.err
    assert page.stat().st_size < 2_000_000
    seen = seen_in_browser(page, COUNT)
    assert seen == {"cards": 500, "edges": 499, "marked": 0, "read": 499, "embedded": True}


@pytest.mark.skipif(BROWSER is None, reason="chromium is missing: apt-get install chromium")
def test_a_reader_searches_and_clicks_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "model.html"
    run("share", "sample:xplacer", "decisionTree.onnx", "-o", page)
    seen = seen_in_browser(page, VISIT)
    assert seen.pop("evidence").startswith("asserted: ")
    assert re.fullmatch(r"\d+ of 46", seen["found"])
    assert int(seen.pop("found").split()[0]) == seen.pop("matches") > 0
    assert seen == {"moved": True, "fitted": True, "title": "decisionTree.onnx", "chosen": 1, "zoomed": True}
