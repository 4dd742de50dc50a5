"""Lists with a limit say what they leave out, as docs/lists.md promises."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.annotate.pushing.values import Choice, Conflict
from hpc_explorer.annotate.validation.findings import Finding, Fix, Severity
from hpc_explorer.app.checks.finding_views import FindingGroup, Located
from hpc_explorer.app.journal.change_views import Unpushed, UnpushedSource
from hpc_explorer.app.journal.history import ResourceHistory
from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.app.journal.push_viewing import ConflictView
from hpc_explorer.app.query.facet_lists import range_choice
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.query.building.focus import new_query
from hpc_explorer.query.facets.bins import Bin, Histogram, ScaleKind
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.changes.conflict_card import ConflictCard
from hpc_explorer.ui.changes.history_dialog import HistoryDialog
from hpc_explorer.ui.changes.page import ChangesPage
from hpc_explorer.ui.checks.page import ChecksPage
from hpc_explorer.ui.query.range_facet import RangeFacet
from hpc_explorer.ui.widgets.suggest_line import SuggestLine
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import User

REF = ResourceRef(ex("one"), "one", ex("one").value, "ex:one", "", "")


def words_in(widget: QWidget) -> list[str]:
    return [block.text() for block in widget.findChildren(TextBlock) if not block.isHidden()]


def test_the_values_of_a_conflict(qtbot: QtBot) -> None:
    values = tuple(f"value {number:02}" for number in range(15))
    conflict = Conflict(ex("one"), ex("note"), ex("graph"), (), (), ())
    card = ConflictCard(ConflictView(conflict, REF, "note", values[:3], values, values[:12], values), None)
    qtbot.addWidget(card)
    sides = [words_in(card.sides[choice]) for choice in (Choice.MINE, Choice.THEIRS, Choice.BOTH)]
    assert [side[-1] for side in sides] == ["and 3 more", "value 11", "and 3 more"]
    assert all(len([word for word in side if word.startswith("value")]) == 12 for side in sides)


def test_the_fixes_of_a_finding(qtbot: QtBot) -> None:
    fixes = tuple(Fix(f"Write {number}", ChangeSet(), f"write {number}") for number in range(9))
    finding = Finding(
        ex("one"), ex("size"), None, "too many", Severity.VIOLATION, ex("Max"), ex("Shape"), ex("one"), ex("size"),
        fixes, (),
    )  # fmt: skip
    located = Located(finding, REF, "size")
    page = ChecksPage((), ())
    qtbot.addWidget(page)
    page.show_findings((FindingGroup("too many", Severity.VIOLATION, None, (located,)),), "")
    model = page.tree.findings
    page.tree.setCurrentIndex(model.index(0, 0, model.index(0, 0)))
    assert words_in(page.details)[-1] == "and 3 more: edit the resource to choose among them"


def test_the_sources_with_changes(qtbot: QtBot) -> None:
    page = ChangesPage((), ())
    qtbot.addWidget(page)
    page.show_unpushed(Unpushed(tuple(UnpushedSource(f"/data/{number}.ttl", 1, 0, 2) for number in range(7))))
    lines = page.sources.text().splitlines()
    assert (len(lines), lines[-1]) == (6, "and 2 more sources")


def test_the_edits_of_a_resource(qtbot: QtBot) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    edits = tuple(JournalEntry(number, moment, "Ana", f"Edit {number}", "", (), ()) for number in (3, 2))
    parent = QWidget()
    qtbot.addWidget(parent)
    said = []
    for more in (True, False):
        dialog = HistoryDialog(ResourceHistory(REF, edits, more, ()), lambda *_: None, lambda *_: None, parent)
        said.append("The last 2 edits are shown." in words_in(dialog))
        said.append(dialog.views.tabText(0) == "Edits (2 or more)")
    assert said == [True, True, False, False]


def test_the_values_of_a_histogram(qtbot: QtBot) -> None:
    bins = (Bin(0.0, 1.0, 5), Bin(1.0, 2.0, 7))
    spread = Histogram(ScaleKind.NUMBERS, bins, Count(12), Count(0), looked_at=20_000)
    facet = RangeFacet()
    qtbot.addWidget(facet)
    facet.show_choice(range_choice(spread, new_query(ex("Model"))))
    assert "Only 20,000 different values were counted." in words_in(facet)


def test_the_findings_at_a_field_and_the_links_to_choose_from(window: MainWindow, user: User, tmp_path: Path) -> None:
    file = tmp_path / "model.ttl"
    datasets = "\n".join(f'ex:d{number} a hpc:Dataset ; hpc:name "sample {number}" .' for number in range(25))
    file.write_text(
        "@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix ex: <http://example.org/> .\n"
        'ex:rack a hpc:Cluster ; hpc:name "rack" ; hpc:computeNodeCount "1", "2", "3", "4", "5" .\n'
        f'ex:one a hpc:AIModel ; hpc:name "one" ; hpc:wasDerivedFromDataset ex:d1 .\n{datasets}',
        encoding="utf-8",
    )
    user.open_files([file])
    window.navigator.edit(ex("rack"))
    user.rest()
    window.run("edit.start")
    user.until(lambda: window.features.form.findings.found)
    user.rest()
    fields = window.features.form.page.fields
    row = fields.bring(HPC.computeNodeCount)
    assert row is not None
    here = [one for one in window.features.form.findings.found if one.field == HPC.computeNodeCount]
    number = len(here) - 3
    assert number > 0
    wanted = f"{number} more, which come into sight as these are fixed"
    user.until(lambda: wanted in words_in(row))
    window.navigator.edit(ex("one"))
    user.rest()
    row = fields.bring(HPC.wasDerivedFromDataset)
    assert row is not None
    line = row.entries_shown[0].lines[0]
    assert isinstance(line, SuggestLine)
    line.setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Ctrl+A")
    user.type("sample")
    user.until(lambda: line.is_suggesting)
    assert line.popup.remark.text() == "The first 20: type more of the name"


def test_an_owl_restriction_is_one_line(window: MainWindow, user: User, tmp_path: Path) -> None:
    file = tmp_path / "cars.ttl"
    file.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "@prefix ex: <http://example.org/> . ex:hasPart a owl:ObjectProperty . ex:Wheel a owl:Class . ex:Car a owl:Class ;"
        " rdfs:subClassOf [ a owl:Restriction ; owl:onProperty ex:hasPart ; owl:someValuesFrom ex:Wheel ] .",
        encoding="utf-8",
    )
    user.open_files([file])
    window.navigator.open(ex("Car"))
    user.rest()
    links = [link.text() for link in window.inspector.findChildren(LinkBlock) if not link.isHidden()]
    assert "has part some Wheel" in links
