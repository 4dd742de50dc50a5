"""The page Check: everything checked at a click, findings narrowed and followed, fixed in one step, shapes added."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog

from hpc_explorer.annotate.validation.findings import Severity
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.rdf.namespaces import HPC, SH
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.checks.controller import ChecksController
from hpc_explorer.ui.checks.page import Page
from hpc_explorer.ui.widgets.edit_tab import EditView
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import User

TURTLE = """@prefix : <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
:a a hpc:Cluster ; hpc:name "Astra" ; hpc:computeNodeCount "1,000" ; hpc:top500Rank 1 , 2 .
:b a hpc:Cluster ; hpc:name "Borel" ; hpc:computeNodeCount "2,000" .
:c a hpc:Dataset ; hpc:name "Counts" ; hpc:description "All of them." .
"""
SHAPES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix hpc: <https://hpc-fair.github.io/ontology#> .
:S a sh:NodeShape ; sh:targetClass hpc:Cluster ; sh:property [ sh:path hpc:country ; sh:minCount 1 ; sh:severity sh:Info ] .
"""
NODES = "Compute nodes: not the right kind of value"
LICENSE = "License: missing"


@pytest.fixture
def checks(window: MainWindow, user: User, tmp_path: Path) -> ChecksController:
    """The page over a workspace, where edits are kept."""
    (tmp_path / "machines.ttl").write_text(TURTLE)
    load_into(tmp_path / "space", [str(tmp_path / "machines.ttl")])
    window.open_sources([str(tmp_path / "space")])
    user.until(lambda: window.bridge.jobs is not None and window.bridge.sources)
    user.rest()
    return window.features.checks


def titles(checks: ChecksController) -> list[str]:
    return [group.title for group in checks.page.tree.findings.groups]


def check(user: User, checks: ChecksController) -> None:
    user.press("F7")
    user.click(user.button("Check everything", checks.page))
    user.until(lambda: not checks.is_waiting)
    user.rest()


def choose(user: User, checks: ChecksController, title: str) -> None:
    """Click on a group."""
    tree = checks.page.tree
    at = tree.findings.index(titles(checks).index(title), 0)
    tree.scrollTo(at)
    user.qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(at).center() + QPoint(10, 0))


def shown_buttons(checks: ChecksController) -> set[str]:
    """What the buttons in sight are called; those of a finding come a moment after it."""
    return {one.accessibleName() for one in checks.page.findChildren(QAbstractButton) if one.isVisible()}


def values(window: MainWindow, subject: NamedNode, name: str) -> set[str]:
    return {quad.object.value for quad in window.bridge.session.store.match(subject, HPC.term(name))}  # type: ignore[union-attr]


def test_one_resource_is_told_as_one(window: MainWindow, user: User, tmp_path: Path) -> None:
    file = tmp_path / "one.ttl"
    file.write_text("<http://example.org/a> a <https://hpc-fair.github.io/ontology#Cluster> .")
    user.open_files([file])
    check(user, window.features.checks)
    assert window.features.checks.page.summary.text().startswith("Checked: 1 resource · ")


def test_everything_is_checked_by_a_click(window: MainWindow, user: User, checks: ChecksController) -> None:
    user.press("F7")
    assert window.navigator.place.view is View.EDIT
    assert window.pictures.edit.view is EditView.CHECK
    assert checks.page.page is Page.NOT_CHECKED
    check(user, checks)
    assert checks.page.summary.text() == "Checked: 3 resources · 3 violations, 1 warning"
    assert titles(checks) == [NODES, "Top500 rank: too many values", LICENSE]
    assert window.pictures.edit.views.tabText(2) == "Check (4)"


def test_a_row_says_what_its_group_does_not(user: User, checks: ChecksController) -> None:
    check(user, checks)
    model = checks.page.tree.findings
    above = model.index(titles(checks).index(NODES), 0)
    rows = [str(model.index(number, 0, above).data()) for number in range(2)]
    assert [row.partition("  ·  ")[0] for row in rows] == ["Astra", "Borel"]
    assert "1,000" in rows[0]
    assert not any("Compute nodes" in row for row in rows)
    assert (model.headerData(1, Qt.Orientation.Horizontal), model.index(0, 1, above).data()) == ("Kind", "Cluster")
    checks.page.views.setCurrentIndex(1)
    user.until(lambda: len(titles(checks)) == 3)
    below = model.index(0, 0, model.index(titles(checks).index("Borel"), 0))
    assert str(below.data()).startswith("Compute nodes: ")
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Shape"


def test_findings_are_narrowed_by_severity_words_and_resource(user: User, checks: ChecksController) -> None:
    check(user, checks)
    user.click(checks.page.severities[Severity.VIOLATION])
    user.until(lambda: titles(checks) == [LICENSE])
    user.click(checks.page.severities[Severity.VIOLATION])
    checks.page.words.setFocus()
    user.type("borel")
    user.until(lambda: titles(checks) == [NODES])
    assert checks.page.remark.text() == "1 of 4 findings fit."
    user.type("nothing of the kind")
    user.until(lambda: checks.page.page is Page.NOTHING_FITS)
    checks.page.words.clear()
    checks.page.views.setCurrentIndex(1)
    user.until(lambda: titles(checks) == ["Astra", "Borel", "Counts"])


def test_a_finding_leads_to_its_field_or_its_resource(window: MainWindow, user: User, checks: ChecksController) -> None:
    check(user, checks)
    checks.page.views.setCurrentIndex(1)
    user.until(lambda: len(titles(checks)) == 3)
    choose(user, checks, "Borel")
    checks.page.tree.menu().actions()[1].trigger()
    assert window.navigator.place.view is View.EXPLORE
    assert window.navigator.place.focus == ex("b")
    user.rest()
    user.press("F7")
    choose(user, checks, "Borel")
    index = checks.page.tree.currentIndex()
    field = checks.page.tree.findings.finding(checks.page.tree.findings.index(0, 0, index)).finding.field
    checks.page.tree.setCurrentIndex(checks.page.tree.findings.index(0, 0, index))
    user.press("Return", checks.page.tree)
    assert window.navigator.place.view is View.EDIT
    assert window.pictures.edit.view is EditView.FORM
    user.until(lambda: window.features.form.filling is not None)
    user.rest()
    row = window.features.form.page.fields.rows[field]
    user.until(lambda: row.isAncestorOf(QApplication.focusWidget()))
    assert window.navigator.place.focus == ex("b")
    user.rest()


def test_all_alike_are_fixed_as_one_step_that_can_be_undone(
    window: MainWindow, user: User, checks: ChecksController
) -> None:
    check(user, checks)
    choose(user, checks, NODES)
    name = "Write it as a whole number, for all findings like it"
    user.until(lambda: name in shown_buttons(checks))
    user.click(user.button(name, checks.page))
    user.until(lambda: NODES not in titles(checks))
    user.rest()
    assert values(window, ex("a"), "computeNodeCount") == {"1000"}
    assert values(window, ex("b"), "computeNodeCount") == {"2000"}
    assert checks.page.summary.text() == "Checked: 3 resources · 1 violation, 1 warning"
    window.run("edit.undo")
    user.until(lambda: values(window, ex("b"), "computeNodeCount") == {"2,000"})
    user.rest()
    assert values(window, ex("a"), "computeNodeCount") == {"1,000"}
    assert "The graph has changed since: check again." in checks.page.note.text()


def test_a_fix_that_others_hang_on_says_that_the_counts_are_of_before(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    (tmp_path / "data.ttl").write_text(
        """@prefix : <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
        :a a hpc:Dataset ; hpc:project :p . :b a hpc:Dataset ; hpc:project :p ."""
    )
    load_into(tmp_path / "space", [str(tmp_path / "data.ttl")])
    window.open_sources([str(tmp_path / "space")])
    user.until(lambda: window.bridge.sources)
    user.rest()
    checks = window.features.checks
    check(user, checks)
    checks.page.views.setCurrentIndex(1)
    user.until(lambda: len(titles(checks)) == 2)
    model = checks.page.tree.findings
    rows = [model.index(number, 0, model.index(0, 0)) for number in range(4)]
    checks.page.tree.setCurrentIndex(next(row for row in rows if "Project" in str(row.data())))
    user.until(lambda: "check.fix" in window.commands.usable)
    user.window.run("check.fix")
    user.until(lambda: any(True for _ in window.bridge.session.store.match(ex("p"))))
    user.rest()
    assert "check again" in checks.page.note.text()
    assert [one.finding.subject for one in checks.findings if "describe it as a project" in one.finding.message] == [
        ex("b")
    ]


def test_one_finding_is_fixed_by_its_key(window: MainWindow, user: User, checks: ChecksController) -> None:
    check(user, checks)
    choose(user, checks, "Top500 rank: too many values")
    user.until(lambda: "check.fix" in window.commands.usable)
    user.window.run("check.fix")
    user.until(lambda: len(values(window, ex("a"), "top500Rank")) == 1)
    user.rest()
    assert "Top500 rank: too many values" not in titles(checks)


def test_shapes_of_a_file_are_added_and_count_at_once(
    window: MainWindow, user: User, checks: ChecksController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.ttl").write_text(SHAPES)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "mine.ttl"), ""))
    user.press("F7")
    user.click(user.button("Add shapes…", checks.page))
    user.until(lambda: "2 infos" in checks.page.summary.text() and not checks.is_waiting)
    user.rest()
    (tmp_path / "bad.ttl").write_text(SHAPES.replace("minCount 1", "minCount 'one'"))
    checks.take_shapes(tmp_path / "bad.ttl")
    user.until(lambda: window.banner.isVisible())
    user.rest()


def test_the_findings_are_copied_and_saved(user: User, checks: ChecksController, tmp_path: Path) -> None:
    check(user, checks)
    checks.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 5
    assert lines[1].split("\t")[0] in ("violation", "warning")
    checks.save_report(tmp_path / "report.ttl")
    user.rest()
    quads = list(read_source(tmp_path / "report.ttl").quads())
    assert {quad.object for quad in quads if quad.predicate == SH.focusNode} == {ex("a"), ex("b"), ex("c")}
    checks.page.words.setFocus()
    user.type("nothing of the kind")
    user.until(lambda: checks.page.page is Page.NOTHING_FITS)
    checks.save_report(tmp_path / "none.ttl")
    user.rest()
    assert not (tmp_path / "none.ttl").exists(), "it would say that the graph conforms"


OF_VALUES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:T a sh:NodeShape ; sh:targetNode "lost" ; sh:targetObjectsOf hpc:top500Rank ; sh:maxExclusive 2 .
"""


def test_findings_at_values_lead_to_who_has_them_if_anybody(
    window: MainWindow, user: User, checks: ChecksController, tmp_path: Path
) -> None:
    (tmp_path / "mine.ttl").write_text(OF_VALUES)
    user.press("F7")
    checks.take_shapes(tmp_path / "mine.ttl")
    user.until(lambda: "5 violations" in checks.page.summary.text() and not checks.is_waiting)
    assert checks.page.summary.text() == "Checked: 3 resources and 3 values · 5 violations, 1 warning"
    checks.page.views.setCurrentIndex(1)
    user.until(lambda: "“lost”" in titles(checks))
    choose(user, checks, "“lost”")
    user.until(lambda: checks.page.details.isVisible())
    assert "no known fix" in checks.page.details.about.text()
    assert "edit the resource" not in checks.page.details.about.text()
    assert "check.fix" not in window.commands.usable
    assert [action.isEnabled() for action in checks.page.tree.menu().actions()] == [False, False, True]
    user.press("Return", checks.page.tree)
    assert window.navigator.place.view is View.EDIT
    checks.save_report(tmp_path / "report.ttl")
    user.rest()
    focus = {quad.object for quad in read_source(tmp_path / "report.ttl").quads() if quad.predicate == SH.focusNode}
    assert {Literal("lost"), Literal(2)} <= focus
    # At a value that somebody has, it is gone to them.
    checks.page.views.setCurrentIndex(0)
    checks.page.words.setFocus()
    user.type("rank less")
    user.until(lambda: titles(checks) == ["Top500 rank: too large"])
    choose(user, checks, "Top500 rank: too large")
    assert [action.isEnabled() for action in checks.page.tree.menu().actions()] == [True, True, True]
    checks.page.tree.menu().actions()[0].trigger()
    assert window.navigator.place.focus == ex("a")
    user.rest()


def test_files_that_are_only_looked_at_say_what_to_do_first(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    check(user, window.features.checks)
    assert window.features.checks.page.details.reason is not None
    assert "start editing first" in window.features.checks.page.details.reason
    assert "check.fix" not in window.commands.usable
