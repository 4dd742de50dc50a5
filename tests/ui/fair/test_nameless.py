"""The tab FAIR over a dataset without an IRI, as the schema.org block of a page has it: by clicks, all through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit

from hpc_explorer.fair.values import Level
from hpc_explorer.rdf.terms import BlankNode
from hpc_explorer.ui.fair.repair_dialog import MendDialog
from hpc_explorer.ui.fair.tab import FairTab
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User
from tests.ui.fair.test_tab import choose, of

LICENCE = "RDA-R1.1-01M"
ASKED = "RDA-A1-02M"
"""One that a person confirms."""


@pytest.fixture
def tab(window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FairTab:
    """The tab with the dataset, which was chosen from the list, assessed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    file = tmp_path / "page.jsonld"
    told = {"@context": "https://schema.org/", "@type": "Dataset", "name": "Tides", "url": "https://lab.eu/tides"}
    file.write_text(json.dumps(told))
    user.open_files([file])
    user.press("Ctrl+8", window)
    user.rest()
    tab: FairTab = window.features.assessing.tab
    tab.start.list.setFocus()
    rows = tab.start.list.rows
    assert [rows.row_at(rows.index(n)).label for n in range(rows.rowCount())] == ["Tides"]  # type: ignore[union-attr]
    tab.start.list.setCurrentIndex(rows.index(0))
    user.press("Return", tab.start.list)
    user.rest()
    return tab


def test_it_is_assessed_fixed_and_its_answers_kindly_refused(window: MainWindow, user: User, tab: FairTab) -> None:
    assert tab.has_assessment
    view = window.features.fair.view
    assert view is not None
    assert isinstance(view.resource, BlankNode)
    before = view.score.low
    assert window.pictures.title.text.startswith("Tides")

    choose(user, tab, LICENCE)
    user.click(user.button("Fix…", tab))
    dialog = user.dialog(MendDialog)
    line = dialog.lines[0].edit
    typed = line.lineEdit() if isinstance(line, QComboBox) else line
    assert isinstance(typed, QLineEdit)
    user.type("CC-BY-4.0", typed)
    user.until(lambda: not dialog.is_waiting and dialog.tree.changes.resources)
    user.click(dialog.apply)
    user.rest()
    assert of(window, LICENCE).points.low == 1
    assert window.features.fair.view is not None
    assert window.features.fair.view.score.low > before
    user.press("Ctrl+Z", window)
    user.rest()
    assert window.features.fair.view is not None
    assert window.features.fair.view.score.low == before

    choose(user, tab, ASKED)
    answer = tab.page.card.answer
    user.click(answer.levels[Level.IMPLEMENTED])
    user.rest()
    assert window.banner.isVisible()
    assert "only of what has an IRI" in f"{window.banner.title} {window.banner.text}"
    assert of(window, ASKED).answer is None


def test_its_results_say_that_they_are_about_a_node_that_stands_for_it(
    window: MainWindow, user: User, tab: FairTab
) -> None:
    before = window.features.fair.view
    assert before is not None
    user.click(user.button("Open results beside the graph", tab.page))
    user.rest()
    assert window.browser.sources.topLevelItemCount() == 2
    assert "has no IRI" in window.banner.text
    after = window.features.fair.view
    assert after is not None
    assert (after.score, after.assessment.fingerprint) == (before.score, before.assessment.fingerprint)
    ready = {one.name: one for one in window.browser.questions.questions}
    window.features.ready_questions.open(ready["fair-ranking"])
    [row] = user.answer().tables[0].rows
    assert any("Tides" in str(cell) for cell in row)
