"""Ten things that people come for, done in the real window with mouse and keys, and counted.

None may take more than in the window of 24 November 2026, before it was designed again: docs/journeys.md has both numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from hpc_explorer.rdf.syntax.reading import read_source
from tests.helpers.real_window import Effort, RealWindow, Thing, real_window
from tests.helpers.virtual_screen import missing_programs, virtual_screen
from tests.helpers.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason=f"missing programs: {', '.join(missing_programs())}"),
]

RUNS = """Run ID,Machine,Kernel,Duration [ns],Started
r1,Lassen,Kernel1,442010,2020-10-31
r2,Lassen,Kernel2,8672,2020-11-01
r3,Summit,Kernel1,391774,2020-11-02
"""
FACTS = {
    "Say what it was made from": ("https://example.org/profiles", "Down"),
    "Say where the data are": ("https://example.org/data.csv", "text/csv", "2048"),
    "Link the data to what they were measured on": ("https://example.org/row/1", "https://example.org/bfs"),
    "Give it a DOI": ("10.5072/xplacer.ibm",),
    "Choose a licence": ("CC-BY-4.0",),
    "Say what made it": ("https://example.org/run/1",),
}
"""What a person answers in each step of the FAIR plan, field by field; "Down" chooses the first of a list."""


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    with virtual_screen(1440, 900) as display:
        yield display


def lineage_to_its_raw_logs(window: RealWindow, folder: Path) -> None:
    window.click("Open sample xplacer")
    window.type("decisionTree")
    window.press("Return", "ctrl+l")
    window.sees("62 things, 159 links")
    typing = 1
    assert window.effort.clicks + window.effort.keys + typing <= 4, "the first answer from a cold start"
    window.click("9 × Log file: list them")
    window.click("bfs.nsight-compute.log", "MenuItem")
    window.sees("Raw Nsight Compute output: the metrics of every kernel launch of BFS")


def models_whose_machine_has_a_v100(window: RealWindow, folder: Path) -> None:
    window.click("Open sample xplacer")
    window.click("Query", "CheckBox")
    window.click("AI model, 3")
    window.click("to, accuracy, 2")
    window.type("0.9")
    window.press("Return")
    window.click("AI models, variable")
    window.click("Search classes, properties and values")
    window.type("target")
    window.click("to, target machine, 2")
    window.click("to, coprocessor, hpc:coprocessorModel, 1")
    window.click("Nvidia V100, GPU, 2")
    window.click("Sort…")
    window.click("accuracy, descending")
    cells = window.until(lambda things: [one for one in things if one.name.startswith("accuracy: ")], "accuracies")
    assert [one.name for one in cells] == ["accuracy: 0.957", "accuracy: 0.934"]


def a_dataset_record_saved_as_a_file(window: RealWindow, folder: Path) -> None:
    window.press("ctrl+shift+n", "Return")
    window.type("Kernel timings")
    window.press("Return", "ctrl+f")
    window.type("licence")
    window.press("Return")
    window.type("CC-BY-4.0")
    window.press("Return", "ctrl+f")
    window.type("creator")
    window.press("Return")
    window.type("Ada Lovelace")
    window.find("Create “Ada Lovelace”, new Person", "ListItem")
    window.press("Return", "ctrl+f")
    window.type("file")
    window.press("Return")
    window.type("/data/timings.csv")
    window.press("ctrl+f")
    window.type("size")
    window.press("Return")
    window.type("1.9")
    window.press("Tab")
    window.type("MB")
    window.press("ctrl+s", "Return")
    until((folder / "graph.ttl").exists)
    text = (folder / "graph.ttl").read_text(encoding="utf-8")
    for part in ("Kernel timings", "CC-BY-4.0", "Ada Lovelace", "hpc:Person", "/data/timings.csv", "unit:MegaBYTE"):
        assert part in text


def json_ld_out_and_in(window: RealWindow, folder: Path) -> None:
    window.click("Open sample xplacer")
    window.press("ctrl+shift+e", "Return")
    window.sees("Exported ")
    window.press("ctrl+o")
    window.type("xplacer.jsonld")
    window.press("Return")
    window.click("Replace", "Button")
    window.sees("xplacer.jsonld")
    window.sees("1,058 triples")
    assert sum(1 for _ in read_source(folder / "xplacer.jsonld").quads()) == 1058


def fair_from_9_to_39(window: RealWindow, folder: Path) -> None:
    window.click("Open sample xplacer-before")
    window.type("XPlacer")
    window.press("Return", "ctrl+8")
    window.sees("9 of 47")
    window.click("Plan", "PageTab")
    window.click("Find the plan")
    points = 9
    while points < 39:
        step = window.until(partial(_next_step, points), f"a step from {points} points on")[0]
        window.click(step.name, "ListItem", times=2)
        if "Needs your answer" in step.name:
            window.click("Level 4: implemented")
            window.click("Plan", "PageTab")
        else:
            _tell_facts(window, step.name.removeprefix("Step 1: ").split(".")[0])
        told = window.until(partial(_points, points), f"more than {points} points")[0]
        points = int(told.name.split(" of 47")[0].split()[-1])


def _next_step(points: int, things: list[Thing]) -> list[Thing]:
    """The first step of a plan that begins at this score."""
    if not any(f": now {points}, afterwards 39" in one.name for one in things):
        return []
    return [one for one in things if one.role == "ListItem" and one.name.startswith("Step 1:")]


def _points(before: int, things: list[Thing]) -> list[Thing]:
    """The text with the score, once it is above the one before."""
    found = [(one, re.search(r"\b(\d+) of 47 \(", one.name)) for one in things]
    return [one for one, match in found if match is not None and int(match[1]) > before]


def _tell_facts(window: RealWindow, title: str) -> None:
    """Answer the questions of the dialog of a step."""
    window.find("Apply", disabled=True)
    for number, fact in enumerate(FACTS[title]):
        if number:
            window.press("Tab")
        if fact == "Down":
            window.press("Down")
        else:
            window.type(fact)
    window.find("Apply")
    window.press("Return")


def compare_two_models(window: RealWindow, folder: Path) -> None:
    window.click("Open sample xplacer")
    window.type("decisionTree")
    window.press("Return", "ctrl+d")
    window.click("randomForest.onnx, AI model", "ListItem", times=2)
    window.sees("differences: ")


def impact_of_a_dataset(window: RealWindow, folder: Path) -> None:
    window.click("Open sample xplacer")
    window.type("bfs-labelled")
    window.press("Return", "ctrl+i")
    window.sees("If this is retracted, 2 of 3 models are affected.")


def a_table_to_triples_to_a_question(window: RealWindow, folder: Path) -> None:
    (folder / "runs.csv").write_text(RUNS, encoding="utf-8")
    window.click("File", "MenuItem")
    window.click("Convert a table…", "MenuItem")
    window.type("runs.csv")
    window.press("Return")
    window.sees("The first 3 rows make 27 statements.")
    window.click("Convert", "Button")
    window.find("Open it")
    window.press("Escape")
    window.click("Open it")
    window.click("Query", "CheckBox")
    window.click("Table row, 3")
    window.click("to, execution time, 3")
    window.sees("442,010")


def quit_with_unsaved_work(window: RealWindow, folder: Path) -> None:
    window.type("Timings")
    window.press("Return", "ctrl+e", "space")
    window.click("Description", "EditableText")
    window.type("Measured on Lassen")
    window.press("ctrl+q", "Return")
    assert window.waits_for_end() == 0
    assert "Measured on Lassen" in (folder / "my.ttl").read_text(encoding="utf-8")


def a_graph_from_nothing(window: RealWindow, folder: Path) -> None:
    window.press("ctrl+shift+n", "Return")
    window.type("Timings")
    window.press("Return", "ctrl+s", "Return", "ctrl+shift+n")
    window.type("AI model")
    window.press("Return")
    window.type("tree.onnx")
    window.press("Return", "ctrl+f")
    window.type("derived")
    window.press("Return")
    window.type("Timings")
    window.find("Timings, Dataset", "ListItem", part=True)
    window.press("Return", "ctrl+s", "ctrl+l")
    window.find("Timings", "ListItem")
    window.find("tree.onnx", "ListItem")
    assert "wasDerivedFrom" in (folder / "graph.ttl").read_text(encoding="utf-8")


MY_GRAPH = """@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix ex: <http://example.org/> .
ex:timings a hpc:Dataset ; hpc:name "Timings" .
"""

JOURNEYS: tuple[tuple[Callable[[RealWindow, Path], None], Effort], ...] = (
    (lineage_to_its_raw_logs, Effort(2, 3, 12)),
    (models_whose_machine_has_a_v100, Effort(12, 1, 9)),
    (a_dataset_record_saved_as_a_file, Effort(0, 17, 79)),
    (json_ld_out_and_in, Effort(1, 5, 14)),
    (fair_from_9_to_39, Effort(62, 13, 176)),
    (a_table_to_triples_to_a_question, Effort(7, 2, 8)),
    (compare_two_models, Effort(3, 2, 12)),
    (impact_of_a_dataset, Effort(1, 2, 12)),
    (quit_with_unsaved_work, Effort(1, 8, 25)),
    (a_graph_from_nothing, Effort(0, 14, 38)),
)
"""Each journey, with what it took before the window was designed again: clicks, keys of commands, letters typed."""


@pytest.mark.parametrize(("journey", "before"), JOURNEYS, ids=[one.__name__ for one, _ in JOURNEYS])
def test_a_journey_takes_no_more_than_before(
    screen: str, tmp_path: Path, journey: Callable[[RealWindow, Path], None], before: Effort
) -> None:
    sources = []
    if journey is quit_with_unsaved_work:
        sources.append(str(tmp_path / "my.ttl"))
        (tmp_path / "my.ttl").write_text(MY_GRAPH, encoding="utf-8")
    with real_window(screen, tmp_path, *sources) as window:
        window.rest()
        window.begin()
        journey(window, tmp_path)
        done = window.effort
    assert done.clicks + done.keys <= before.clicks + before.keys, done
    assert done.letters <= before.letters
