"""The tab FAIR: assess, explain, answer, fix, undo, plan, keep, compare, all at once, report; by clicks and by keys."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QLineEdit

from hpc_explorer.app.fair.reporting import ReportForm
from hpc_explorer.fair.scoring import Decided
from hpc_explorer.fair.values import Level, Verdict
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.fair import many_controller
from hpc_explorer.ui.fair.list import Narrowed, sign
from hpc_explorer.ui.fair.repair_dialog import MendDialog
from hpc_explorer.ui.fair.report import ReportDialog
from hpc_explorer.ui.fair.signs import Sign
from hpc_explorer.ui.fair.tab import FairTab, FairView
from hpc_explorer.ui.widgets.edit_tab import EditView
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.windows import User

TURTLE = """@prefix : <http://example.org/> . @prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dcterms: <http://purl.org/dc/terms/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
:runs a dcat:Dataset ; dcterms:title "Runs of a kernel" ; dcterms:description "Times of a kernel on a GPU." ;
  dcterms:creator :ana ; dcterms:issued "2024-05-01"^^<http://www.w3.org/2001/XMLSchema#date> .
:model a hpc:AIModel ; hpc:name "A model" ; hpc:license <https://creativecommons.org/licenses/by/4.0/> .
:ana a <http://xmlns.com/foaf/0.1/Person> ; <http://xmlns.com/foaf/0.1/name> "Ana" .
"""
LICENCE = "RDA-R1.1-01M"
ASKED = "RDA-A1-02M"
"""One that only a person can decide."""


@pytest.fixture
def tab(window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FairTab:
    """The tab over a file; nothing is chosen."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    file = tmp_path / "runs.ttl"
    file.write_text(TURTLE)
    user.open_files([file])
    return window.features.assessing.tab


@pytest.fixture
def assessed(window: MainWindow, user: User, tab: FairTab) -> FairTab:
    """The tab with the dataset assessed."""
    window.navigator.open(ex("runs"))
    user.press("Ctrl+8", window)
    user.rest()
    return tab


def of(window: MainWindow, name: str) -> Decided:
    """What an indicator comes to now."""
    view = window.features.fair.view
    assert view is not None
    return next(one for one in view.decided if one.indicator.id == name)


def choose(user: User, tab: FairTab, name: str) -> None:
    """Click on an indicator."""
    listed = tab.page.list
    item = listed.item_of(name)
    assert item is not None, f"{name} is not listed"
    listed.scrollToItem(item)
    place = listed.visualItemRect(item).center() + QPoint(10, 0)
    user.qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert listed.key == name
    user.rest()


def fix_licence(window: MainWindow, user: User, tab: FairTab) -> None:
    """State a licence by the button on the card."""
    choose(user, tab, LICENCE)
    user.click(user.button("Fix…", tab))
    dialog = user.dialog(MendDialog)
    line = dialog.lines[0].edit
    assert isinstance(line, QComboBox | QLineEdit)
    typed = line.lineEdit() if isinstance(line, QComboBox) else line
    assert typed is not None
    assert not dialog.apply.isEnabled()
    user.type("CC-BY-4.0", typed)
    user.until(lambda: not dialog.is_waiting and dialog.tree.changes.resources)
    user.rest()
    assert "licen" in dialog.tree.changes.resources[0].properties[0].label.casefold()
    user.click(dialog.apply)
    user.rest()


def test_an_answer_is_in_sight_with_all_its_levels(window: MainWindow, user: User, assessed: FairTab) -> None:
    window.resize(1280, 560)  # the statements of the dataset leave the levels no room
    card = assessed.page.card
    choose(user, assessed, "RDA-I1-01M")
    user.press("F2", assessed.page.list)
    user.rest()
    for button in card.answer.levels.values():
        assert card.viewport().rect().contains(button.mapTo(card.viewport(), button.rect().center()))


def test_what_can_be_assessed_is_offered(window: MainWindow, user: User, tab: FairTab) -> None:
    user.press("Ctrl+8", window)
    user.rest()
    assert window.navigator.place.view is View.FAIR
    assert not tab.has_assessment
    rows = tab.start.list.rows
    assert [rows.row_at(rows.index(n)).label for n in range(rows.rowCount())] == ["A model", "Runs of a kernel"]  # type: ignore[union-attr]
    tab.start.list.setFocus()
    user.press("Down", tab.start.list)
    tab.start.list.setCurrentIndex(rows.index(1))
    user.press("Return", tab.start.list)
    user.rest()
    assert tab.has_assessment
    assert window.pictures.title.text.startswith("Runs of a kernel")
    shown = [label.text() for label in tab.page.findChildren(QLabel) if label.isVisible()]
    assert not [text for text in shown if "Runs of a kernel" in text], "the name is above, once"


def test_another_resource_is_assessed_only_if_wanted(window: MainWindow, user: User, tab: FairTab) -> None:
    window.navigator.open(ex("ana"))
    user.press("Ctrl+8", window)
    user.rest()
    assert not tab.has_assessment
    assert "Ana is a Person" in tab.start.said.text()
    user.click(tab.start.anyway)
    user.rest()
    assert tab.has_assessment
    assert window.features.fair.view is not None
    assert window.features.fair.view.resource == ex("ana")


def test_the_score_is_told_in_words_and_pictures(window: MainWindow, user: User, assessed: FairTab) -> None:
    view = window.features.fair.view
    assert view is not None
    score, page = view.score, assessed.page
    assert page.score.text() == f"{score}  {score.percent}"
    assert page.summary.text().startswith(f"{len(score.open)} open")
    for chart in (page.overview.radar, page.overview.bars):
        told = chart.accessibleDescription()
        for part in score.by_principle:
            assert f"{part.points} of {part.of}" in told
    page.overview.axes.setCurrentIndex(1)
    assert f"R1.1 {score.by_subprinciple[-3].points} of 3" in page.overview.radar.accessibleDescription()
    assert "level" in page.overview.ladder.accessibleDescription()
    assert not page.online.isChecked(), "nothing is asked online unless it is wanted"
    window.run("fair.reading:literal")
    assert window.features.fair.view is not None
    assert window.features.fair.view.reading.name == "literal"
    assert "As the paper says" in assessed.page.remark.text()
    assert window.commands.by_id["fair.reading:literal"].isChecked()
    assert assessed.page.overview.note.text() == window.features.fair.view.reading.note


def test_the_card_proves_what_passed(window: MainWindow, user: User, assessed: FairTab) -> None:
    card = assessed.page.card
    choose(user, assessed, LICENCE)
    assert card.title.text() == "The licence is stated"
    assert card.sentence.text() == of(window, LICENCE).sentence
    assert card.fix.isVisible()
    assert not card.links
    window.navigator.open(ex("model"))
    user.rest()
    choose(user, assessed, LICENCE)
    assert of(window, LICENCE).points.low == 1
    assert not card.fix.isVisible()
    assert len(card.links) == 1, "what the statement says, and not its subject again"
    user.click(card.links[0])
    user.rest()
    assert window.navigator.place.view is View.EXPLORE


def test_the_list_is_narrowed(window: MainWindow, user: User, assessed: FairTab) -> None:
    page = assessed.page
    view = window.features.fair.view
    assert view is not None
    page.narrowing.setCurrentIndex(list(Narrowed).index(Narrowed.OPEN))
    assert page.list.shown == view.score.open
    page.narrowing.setCurrentIndex(list(Narrowed).index(Narrowed.PASSED))
    assert len(page.list.shown) == view.score.low
    page.narrowing.setCurrentIndex(list(Narrowed).index(Narrowed.OVERRIDDEN))
    assert page.list.shown == ()
    page.narrowing.setCurrentIndex(0)
    user.click(page.overview.questions)
    assert page.list.current is not None
    assert sign(page.list.current) is Sign.OPEN


def test_an_answer_counts_and_is_taken_back(window: MainWindow, user: User, assessed: FairTab, tmp_path: Path) -> None:
    choose(user, assessed, ASKED)
    before = window.features.fair.view.score  # type: ignore[union-attr]
    assert of(window, ASKED).points.is_open
    form = assessed.page.card.answer
    assert not form.save.isVisible()
    user.click(form.levels[Level.IMPLEMENTED])
    user.rest()
    assert window.features.fair.view.score.low == before.low + 1  # type: ignore[union-attr]
    assert of(window, ASKED).points.low == 1
    user.press("Ctrl+Z", assessed.page.list)
    user.rest()
    assert window.features.fair.view.score == before  # type: ignore[union-attr]
    user.press("Ctrl+Shift+Z", assessed.page.list)
    user.rest()
    assert of(window, ASKED).points.low == 1
    user.type("looked at it", form.note)
    user.click(form.save)
    user.rest()
    assert "looked at it" in (tmp_path / "runs.fair.toml").read_text()
    user.click(form.withdraw)
    user.rest()
    assert window.features.fair.view.score == before  # type: ignore[union-attr]


def test_an_override_needs_a_reason(window: MainWindow, user: User, assessed: FairTab) -> None:
    choose(user, assessed, LICENCE)
    assert of(window, LICENCE).finding.verdict is Verdict.FAIL
    form = assessed.page.card.answer
    user.click(form.levels[Level.IMPLEMENTED])
    assert form.against.isVisible()
    assert not form.save.isEnabled()
    user.type("The licence is in the readme", form.note)
    user.press("Return", form.note)
    user.rest()
    assert sign(of(window, LICENCE)) is Sign.OVERRIDDEN
    assert "1 override with a reason" in assessed.page.summary.text()
    user.click(form.levels[Level.NOT_CONSIDERED])
    user.rest()
    assert not form.against.isVisible()
    assert of(window, LICENCE).answer.level is Level.NOT_CONSIDERED  # type: ignore[union-attr]


def test_a_repair_is_seen_made_and_undone(window: MainWindow, user: User, assessed: FairTab) -> None:
    before = window.features.fair.view.score  # type: ignore[union-attr]
    fix_licence(window, user, assessed)
    assert of(window, LICENCE).points.low == 1
    assert window.features.fair.view.score.low >= before.low + 3  # type: ignore[union-attr]
    assert assessed.page.list.key == LICENCE
    user.press("Ctrl+Z", assessed.page.list)
    user.rest()
    assert window.features.fair.view.score == before  # type: ignore[union-attr]
    user.press("Ctrl+Shift+Z", assessed.page.list)
    user.rest()
    assert of(window, LICENCE).points.low == 1


def test_a_wrong_answer_is_said_and_the_field_of_the_form_opened(
    window: MainWindow, user: User, assessed: FairTab
) -> None:
    choose(user, assessed, "RDA-F1-01D")
    user.window.run("fair.fix")
    dialog = user.dialog(MendDialog)
    at = next(n for n in range(dialog.ways.count()) if "DOI" in dialog.ways.itemText(n))
    dialog.ways.setCurrentIndex(at)
    line = dialog.lines[0]
    user.type("not a DOI", line.edit)
    user.until(lambda: line.wrong.isVisible())
    assert not dialog.apply.isEnabled()
    user.close(dialog)
    choose(user, assessed, LICENCE)
    user.click(user.button("Open in the form", assessed))
    user.rest()
    assert window.navigator.place.view is View.EDIT
    assert window.pictures.edit.view is EditView.FORM
    assert window.navigator.place.focus == ex("runs")


def test_a_plan_lists_what_to_do(window: MainWindow, user: User, assessed: FairTab) -> None:
    user.window.run("fair.plan")
    assert assessed.view is FairView.PLAN
    page = assessed.plan
    page.target.selectAll()
    user.type("40", page.target)
    user.press("Return", page.target)
    user.until(lambda: page.plan is not None)
    user.rest()
    plan = page.plan
    assert plan is not None
    view = window.features.fair.view
    assert view is not None
    name = view.ref.label
    shown = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert shown
    assert not [text for text in shown if name in text], "the name is above, once"
    assert plan.is_reached
    assert plan.steps
    assert page.steps.count() == len(plan.steps)
    told = [page.steps.item(n).data(Qt.ItemDataRole.AccessibleTextRole) for n in range(page.steps.count())]
    gained = [int(found) for one in told for found in re.findall(r"gains (\d+) point", one)]
    assert plan.start.low + sum(gained) == plan.reaches.low, "what the steps gain adds up"
    assert str(plan.target) in page.summary.text()
    fixed = next(n for n, step in enumerate(plan.steps) if step.repair is not None)
    page.steps.setCurrentRow(fixed)
    user.press("Return", page.steps)
    dialog = user.dialog(MendDialog)
    assert all(not line.text for line in dialog.lines), "examples are not answers"
    user.close(dialog)
    confirmed = next((n for n, step in enumerate(plan.steps) if step.confirms), None)
    if confirmed is not None:
        page.steps.setCurrentRow(confirmed)
        user.press("Return", page.steps)
        assert assessed.view is FairView.ASSESSMENT
        assert assessed.page.list.key == plan.steps[confirmed].confirms
        user.rest()


def test_the_keyboard_stays_in_the_list_of_a_plan_that_is_made_anew(
    window: MainWindow, user: User, assessed: FairTab
) -> None:
    fix_licence(window, user, assessed)
    user.window.run("fair.plan")
    page = assessed.plan
    page.target.selectAll()
    user.type("90", page.target)
    user.press("Return", page.target)
    user.until(lambda: page.plan is not None)
    before = page.plan
    window.activateWindow()
    page.steps.setFocus()
    user.until(page.steps.hasFocus)
    window.run("edit.undo")
    user.until(lambda: page.plan is not None and page.plan is not before)
    assert window.focusWidget() is page.steps


def test_what_changed_since_it_was_kept(window: MainWindow, user: User, assessed: FairTab) -> None:
    user.click(user.button("Keep this assessment", assessed))
    user.rest()
    fix_licence(window, user, assessed)
    user.window.run("fair.history")
    user.rest()
    page = assessed.history
    assert len(page.moments) == 2
    assert page.moments[0].score.low < page.moments[1].score.low
    assert LICENCE in [one.indicator.id for one in page.changed]
    at = [one.indicator.id for one in page.changed].index(LICENCE)
    page.changes.setCurrentItem(page.changes.topLevelItem(at))
    user.rest()
    added = [value for one in page.statements.changes.resources for each in one.properties for value in each.added]
    assert added
    assert f"{page.moments[1].score}" in page.line.accessibleDescription()


def test_all_are_ranked_and_opened(window: MainWindow, user: User, tab: FairTab) -> None:
    user.window.run("fair.all")
    assert tab.view is FairView.ALL
    user.until(lambda: not window.features.assessing.many.is_running)
    user.rest()
    page = tab.many
    assert sorted(page.table.names) == ["A model", "Runs of a kernel"]
    lows = {row.ref.label: row.score.low for row in page.table.many.rows}
    assert [lows[name] for name in page.table.names] == sorted(lows.values(), reverse=True)
    assert page.fixes.topLevelItemCount() > 10
    assert page.summary.text().startswith("2 datasets and models")
    user.type("kernel", page.words)
    assert page.table.names == ["Runs of a kernel"]
    page.table.setCurrentIndex(page.table.model().index(0, 0))
    user.press("Return", page.table)
    user.rest()
    assert tab.view is FairView.ASSESSMENT
    assert window.features.fair.view is not None
    assert window.features.fair.view.resource == ex("runs")


def test_what_to_fix_first_is_told_while_more_are_assessed(
    window: MainWindow, user: User, tab: FairTab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many_controller, "TOLD_AFTER", -1.0)  # each as it comes
    tab.many.table.many.rowsInserted.connect(window.features.assessing.many.stop)
    window.run("fair.all")
    user.until(lambda: not window.features.assessing.many.is_running)
    user.rest()
    page = tab.many
    assert page.summary.text().startswith("Stopped: 1 of 2 datasets and models")
    assert page.first.endswith(" · of 1 of 2 assessed")
    assert page.fixes.topLevelItemCount() > 10
    assert page.fixes.topLevelItem(0).text(1) == "1"  # type: ignore[union-attr]


def test_evidence_of_another_resource_names_it(window: MainWindow, user: User, assessed: FairTab) -> None:
    after = NamedNode("https://doi.org/10.5072/xplacer.ibm")
    window.open_sources(["sample:xplacer-after"])
    user.until(lambda: len(window.bridge.sources) == 2)
    window.navigator.open(after)
    user.rest()
    choose(user, assessed, "RDA-R1.2-01M")
    names = [link.text().partition("  ")[0] for link in assessed.page.card.links]
    assert names == ["Profile and label on the IBM machine", "XPlacer training data, IBM machine"]


def test_a_step_that_failed_leaves_no_word_of_the_one_before(
    window: MainWindow, user: User, assessed: FairTab, tmp_path: Path
) -> None:
    (tmp_path / "none.json").write_text("{}")
    user.click(user.button("Keep this assessment", assessed))
    user.rest()
    window.features.assessing.reporter.read_fuji(tmp_path / "none.json")
    user.rest()
    assert window.banner.title == "No report of F-UJI: it has no results."
    assert window.statusBar().currentMessage() == ""


def test_reports_in_every_form(window: MainWindow, user: User, assessed: FairTab, tmp_path: Path) -> None:
    for number, form in enumerate(ReportForm):
        user.click(user.button("Save a FAIR report…", assessed))
        dialog = user.dialog(ReportDialog)
        dialog.file.setText(str(tmp_path / "report.html"))
        user.click(dialog.forms.button(number))
        assert dialog.path.suffix == form.value
        user.click(dialog.save)
        written = tmp_path / f"report{form.value}"
        user.until(written.exists)
        user.rest()
        assert written.stat().st_size > 100
    assert json.loads((tmp_path / "report.json").read_text())
    view = window.features.fair.view
    assert view is not None
    window.features.assessing.reporter.write(view, tmp_path / "results.nq", ReportForm.N_QUADS)
    user.rest()
    user.click(user.button("Open beside the graph", window.banner))
    user.rest()
    assert len(window.bridge.sources) == 2
    store = window.bridge.session.store
    assert any("ftr" in quad.object.value for quad in store.match(None, None, None) if hasattr(quad.object, "value"))


def test_a_report_of_fuji_decides(
    window: MainWindow, user: User, assessed: FairTab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert of(window, "RDA-R1.1-03M").points.high == 0
    result = {"metric_identifier": "FsF-R1.1-01M", "score": {"earned": 1, "total": 1}}
    told = {"request": {"object_identifier": "http://example.org/runs"}, "results": [result]}
    (tmp_path / "fuji.json").write_text(json.dumps(told))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "fuji.json"), ""))
    window.run("fair.import_fuji")
    user.rest()
    assert of(window, "RDA-R1.1-03M").points.low == 1
    assert assessed.page.remark.text().endswith("by a report of F-UJI about http://example.org/runs")
    assert not window.banner.isVisible()
    window.navigator.open(ex("model"))
    user.rest()
    assert "F-UJI" not in assessed.page.remark.text()
    window.run("fair.import_fuji")
    user.rest()
    assert assessed.page.remark.text().endswith("about http://example.org/runs · which may be another thing")
    assert window.banner.isVisible()
    assert "neither the IRI nor an identifier nor a page of this" in window.banner.text


def test_by_keys_alone(window: MainWindow, user: User, tab: FairTab) -> None:
    user.search("Runs of a kernel")
    user.press("Ctrl+8", window)
    user.rest()
    user.press("F12", window)
    user.rest()
    focused = QApplication.focusWidget()
    assert focused is tab.page.list
    for _ in range(60):
        if tab.page.list.key == ASKED:
            break
        user.press("Down", tab.page.list)
    assert tab.page.list.key == ASKED
    user.rest()
    user.press("F2", tab.page.list)
    form = tab.page.card.answer
    assert QApplication.focusWidget() is form.levels[Level.NOT_APPLICABLE]
    user.press("Space", form.levels[Level.NOT_APPLICABLE])
    assert form.level is Level.NOT_APPLICABLE
    form.note.setFocus()
    user.press("Return", form.note)
    user.rest()
    answered = of(window, ASKED).answer
    assert answered is not None
    assert answered.level is Level.NOT_APPLICABLE


def test_nothing_open_nothing_assessed(window: MainWindow, user: User, assessed: FairTab) -> None:
    user.window.run("file.close_all")
    user.rest()
    assert not assessed.has_assessment
    assert not assessed.many.is_assessed
    for name in ("fair.assess", "fair.all", "fair.keep", "fair.plan", "fair.report", "fair.fix"):
        assert not window.commands.by_id[name].isEnabled()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_very_long_name_and_a_small_window(
    window: MainWindow, user: User, tmp_path: Path, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    label = "Runs_of_a_kernel_" * 18
    (tmp_path / "long.ttl").write_text(TURTLE.replace("Runs of a kernel", label))
    user.open_files([tmp_path / "long.ttl"])
    window.run(f"theme.{theme}")
    window.resize(960, 540)
    window.navigator.open(ex("runs"))
    user.press("Ctrl+8", window)
    user.rest()
    tab = window.features.assessing.tab
    for view in FairView:
        tab.show_view(view)
        user.rest()
        assert (window.width(), window.height()) == (960, 540), "it fits a screen of 1920 by 1080 at 200 %"
        image = tab.grab().toImage()
        assert image.width() == tab.width()
        assert _shades(image) > 10
    window.run("view.browser")
    user.rest()
    tabs = window.pictures.tabs
    assert tabs.tabRect(0).left() >= 0, "without the list at the left no tab is out of sight"
    assert tabs.tabRect(tabs.count() - 1).right() < tabs.width()


def _shades(image: QImage) -> int:
    """How many colours are in a picture, looked at here and there."""
    return len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)})


def test_results_are_opened_beside_the_graph(window: MainWindow, user: User, assessed: FairTab) -> None:
    before = window.features.fair.view
    assert before is not None
    user.click(user.button("Open results beside the graph", assessed.page))
    user.rest()
    sources = window.browser.sources
    titles = [sources.topLevelItem(n).text(0) for n in range(sources.topLevelItemCount())]  # type: ignore[union-attr]
    assert titles[0] == "runs.ttl"
    assert titles[1].startswith("FAIR results of Runs of a kernel, ")
    assert window.banner.title == f"{titles[1]} are open beside the graph"
    after = window.features.fair.view
    assert after is not None
    assert (after.score, after.assessment.fingerprint) == (before.score, before.assessment.fingerprint)
    user.window.run("fair.results")
    user.rest()
    assert sources.topLevelItemCount() == 2
    user.click(user.button("Ask about them", window.banner))
    user.rest()
    questions = window.browser.questions
    assert QApplication.focusWidget() is questions
    assert questions.chosen is not None
    assert questions.chosen.name.startswith("fair-")
    user.press("Down", questions)
    sources.setCurrentItem(sources.topLevelItem(1))
    sources.setFocus()
    user.press("Del", sources)
    user.rest()
    assert sources.topLevelItemCount() == 1
    assert not any(one.name.startswith("fair-") for one in questions.questions)


def test_the_results_of_all_are_asked_about(window: MainWindow, user: User, tab: FairTab) -> None:
    user.window.run("fair.all")
    user.until(lambda: not window.features.assessing.many.is_running)
    user.rest()
    said = tab.many.summary.text()
    user.click(user.button("Open all results beside the graph", tab.many))
    user.rest()
    assert window.browser.sources.topLevelItemCount() == 2
    assert tab.many.summary.text() == said
    ready = {one.name: one for one in window.browser.questions.questions}
    window.features.ready_questions.open(ready["fair-ranking"])
    answer = user.answer()
    assert len(answer.tables[0].rows) == 2
