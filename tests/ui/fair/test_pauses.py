"""Assessing does not hold up the window's thread: the first time, a plan, and all of a catalogue at once.

What is measured is the processor time of that thread alone, between two beats of a timer.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.ui.fair.tab import FairView
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.watchdog import Watchdog, longest_here, watched
from tests.helpers.windows import User

XPLACER = NamedNode("https://doi.org/10.5072/xplacer.ibm")
RECORDS = 60
RECORD = """<https://catalogue.example.org/d{n}> a dcat:Dataset ; dcterms:title "Runs of case {n}" ;
  dcterms:description "Timings of case {n}" ; dcterms:identifier "10.5072/runs.{n}" ; dcat:keyword "timing" ;
  dcterms:license <https://creativecommons.org/licenses/by/4.0/> ; dcterms:issued "2024-01-01"^^xsd:date .
"""
PREFIXES = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


@pytest.fixture
def reader(window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> User:
    """Somebody who has a record of 39 points open, and a catalogue."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    catalogue = tmp_path / "catalogue.ttl"
    catalogue.write_text(PREFIXES + "".join(RECORD.format(n=n) for n in range(RECORDS)), encoding="utf-8")
    user.open_files([shipped_folder("sample_graphs") / "xplacer-after.ttl", catalogue])
    window.navigator.open(XPLACER)
    user.rest()
    return user


def held_up(watchdog: Watchdog) -> float:
    """The longest but for one that the thread computed between two beats, in milliseconds."""
    return sorted(watchdog.work)[-2]


def test_the_first_assessment_and_a_plan(window: MainWindow, reader: User) -> None:
    with watched(window.bridge.jobs) as assessing:
        window.run("fair.assess")
        reader.until(lambda: window.features.fair.view is not None)
        reader.rest()
    assert held_up(assessing) < longest_here(), sorted(assessing.work)[-5:]
    with watched(window.bridge.jobs) as planning:
        window.run("fair.plan")
        window.features.assessing.tab.plan.wanted.emit(95.7)
        reader.until(lambda: window.features.assessing.tab.plan.plan is not None)
        reader.rest()
    assert held_up(planning) < longest_here(), sorted(planning.work)[-5:]


def test_all_at_once(window: MainWindow, reader: User) -> None:
    page = window.features.assessing.tab.many
    with watched(window.bridge.jobs) as watchdog:
        window.run("fair.all")
        reader.until(lambda: not window.features.assessing.many.is_running)
        reader.rest()
    assert window.features.assessing.tab.view is FairView.ALL
    assert len(page.table.many.rows) > RECORDS
    assert held_up(watchdog) < longest_here(), sorted(watchdog.work)[-5:]
