"""Pictures of how FAIR data are."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from picture_studio import ROOT, Studio
from PySide6.QtWidgets import QComboBox

from hpc_explorer.app.settings import Settings
from hpc_explorer.fair.values import Level
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.fair.repair_dialog import MendDialog
from hpc_explorer.ui.fair.report import ReportDialog
from hpc_explorer.ui.fair.tab import FairView


def fair(studio: Studio) -> None:
    """A dataset on its way to FAIR: the score, what says so, what fixes it, the plan, the history, and all at once."""
    replace(Settings.load(), user_name="Ana").save()
    before = "https://github.com/xyz/XPlacer/tree/master/data/ibm"
    after = NamedNode("https://doi.org/10.5072/xplacer.ibm")
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "xplacer.ttl"
        text = (ROOT / "sample_graphs" / "xplacer-before.ttl").read_text(encoding="utf-8")
        file.write_text(text, encoding="utf-8")
        studio.open(str(file))
        window = studio.window
        tab = window.features.assessing.tab
        window.navigator.open(NamedNode(before))
        window.run("view.fair")
        studio.rest()
        window.run("fair.keep")
        studio.rest()
        tab.page.choose("RDA-R1.1-01M")
        studio.take("fair-failed")
        window.run("fair.fix")
        dialog = window.findChildren(MendDialog)[-1]
        line = dialog.lines[0].edit
        assert isinstance(line, QComboBox)
        line.setCurrentText("CC-BY-4.0")
        studio.until(lambda: bool(dialog.tree.changes.resources))
        studio.take("fair-fix")
        dialog.apply.click()
        studio.rest()
        tab.page.choose("RDA-A1-02M")
        tab.page.card.answer.levels[Level.IMPLEMENTED].click()
        tab.page.card.answer.note.setText("opened the page in a browser")
        tab.page.card.answer.who.setText("Ana")
        studio.take("fair-answer")
        tab.page.card.answer.save.click()
        studio.rest()
        window.run("fair.plan")
        tab.plan.begin.click()
        studio.until(lambda: tab.plan.plan is not None)
        studio.take("fair-plan")
        window.run("fair.history")
        studio.rest()
        studio.take("fair-history")
        tab.show_view(FairView.ASSESSMENT)
    studio.open("sample:xplacer-after")
    window.navigator.open(after)
    window.run("view.fair")
    studio.rest()
    studio.take("fair-score")
    window.run("fair.report")
    report = window.findChildren(ReportDialog)[-1]
    report.file.setText("/home/ana/xplacer-fair.html")
    studio.take("fair-report")
    report.reject()
    tab.page.overview.axes.setCurrentIndex(1)
    window.run("theme.dark")
    studio.take("fair-score-dark")
    window.run("theme.light")
    studio.open("sample:xplacer-after", "sample:xplacer", "sample:npb", "sample:fugaku", "sample:seismic")
    window.run("fair.all")
    studio.until(lambda: not window.features.assessing.many.is_running)
    studio.take("fair-all")
    window.run("fair.all_results")
    studio.rest()
    window.banner.hide()
    [ranking] = [one for one in shipped_questions() if one.name == "fair-ranking"]
    window.features.ready_questions.open(ranking)
    studio.take("fair-results")
