"""Pictures of questions and answers: ready ones, those that are built, and those that are written."""

from __future__ import annotations

import tempfile
from pathlib import Path

from picture_studio import MODEL, Studio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.ask.dialog import AskDialog
from hpc_explorer.ui.ask.workflow_dialog import WorkflowDialog
from hpc_explorer.ui.query.facet_panel import Facet
from hpc_explorer.ui.questions.dialog import QuestionDialog
from hpc_explorer.ui.questions.save_dialog import ASKED, STANDS, SaveQuestionDialog


def answers(studio: Studio) -> None:
    """What a machine reached, two runs compared, and a lineage as of a moment."""
    studio.open("sample:xplacer", "sample:seismic")
    window = studio.window

    def resource(text: str) -> Resource:
        return resolve(studio.session, text)

    window.navigator.explore(resource("cluster:lassen"))
    studio.rest()
    window.run("go.impact")
    studio.take("impact")
    window.navigator.select(resource("seis:run1"))
    window.features.questions.compare(resource("seis:run1"), resource("seis:run2"))
    studio.take("compare")
    window.navigator.select(MODEL)
    window.features.questions.compare(MODEL, resource("randomForest.onnx"))
    studio.rest()
    page = window.pictures.answer.verticalScrollBar()
    page.setValue(page.maximum())
    window.pictures.canvas.fit()
    studio.take("compare-picture")
    window.navigator.trace(MODEL, downstream=False)
    studio.rest()
    window.navigator.draw_phases(False)
    studio.rest()
    window.run("view.as_of")
    studio.rest()
    slider = window.features.time.bar.slider
    slider.setValue(slider.maximum() // 2)
    studio.rest()
    window.pictures.canvas.fit()
    studio.take("as-of")
    window.run("view.as_of")


def questions(studio: Studio) -> None:
    """A ready question: the form of its blanks, and its answer."""
    studio.open("sample:seismic")
    window = studio.window
    listed = window.browser.questions
    studio.until(lambda: listed.count() > 0)

    def form(title: str) -> QuestionDialog:
        row = next(at for at in range(listed.count()) if listed.item(at).text() == title)
        listed.setCurrentRow(row)
        QTest.keyClick(listed, Qt.Key.Key_Return)
        studio.rest()
        return next(one for one in window.findChildren(QuestionDialog) if one.isVisible())

    dialog = form("The seismic behind a model")
    QTest.keyClicks(dialog.fields[0].line, "epo 2")
    studio.take("question-form")
    dialog.reject()
    dialog = form("Batch times of a training, epoch by epoch")
    dialog.fields[0].line.setFocus()
    QTest.keyClick(dialog.fields[0].line, Qt.Key.Key_Down)
    QTest.keyClick(dialog.fields[0].list, Qt.Key.Key_Return)
    studio.until(lambda: window.pictures.answer.answer is not None)
    window.pictures.setFocus()
    studio.take("question-answer")
    studio.open("sample:xplacer")
    query = """SELECT ?model ?accuracy WHERE {
      ?model a hpc:AIModel ; hpc:targetMachine <http://example.org/cluster/lassen> ; hpc:accuracy ?accuracy ;
             hpc:project/hpc:name "Xplacer" .
      FILTER(?accuracy > 0.9)
    }"""
    saving = SaveQuestionDialog(window._bridge, query, window)
    saving.open()
    studio.rest()
    saving.title.setText("Accurate models of a machine")
    saving.words.setText("Which models for a given machine are more accurate than a given number?")
    for row in (1, 3):
        saving.blanks.topLevelItem(row).setCheckState(STANDS, Qt.CheckState.Checked)
    saving.blanks.topLevelItem(3).setText(ASKED, "least accuracy")
    studio.take("question-save")
    saving.reject()


def english(studio: Studio) -> None:
    """A question in English with several readings."""
    studio.open("sample:campaign")
    window = studio.window
    window.run("ask.english")
    studio.rest()
    dialog = next(one for one in window.findChildren(AskDialog) if one.isVisible())
    QTest.keyClicks(dialog.line, "What was finer-rain-2.0.pt derived from?")
    studio.until(lambda: dialog.readings.count() > 1)
    dialog.words.linkActivated.emit("word:3")
    studio.take("ask-in-english")
    dialog.reject()
    with tempfile.TemporaryDirectory() as folder:
        show_workflow(studio, Path(folder))


_TABLES = {
    "runs.csv": "node,state,seconds,peak\n1,DONE,30,5\n2,FAILED,5,7\n1,DONE,60,9\n",
    "nodes.csv": "node,cores\n1,44\n2,64\n",
}


def show_workflow(studio: Studio, folder: Path) -> None:
    """A workflow over two tables, before it runs."""
    lines = ["@prefix hpc: <https://hpc-fair.github.io/ontology#> ."]
    for name, rows in _TABLES.items():
        (folder / name).write_text(rows, "utf-8")
        columns = " , ".join(f'[ a hpc:Column ; hpc:name "{one}" ]' for one in rows.splitlines()[0].split(","))
        lines.append(f'<http://example.org/{name}> a hpc:Dataset ; hpc:name "{name}" ; hpc:column {columns} ; '
                     f'hpc:file [ a hpc:File ; hpc:name "{name}" ] .')  # fmt: skip
    (folder / "tables.ttl").write_text("\n".join(lines), "utf-8")
    studio.open(str(folder / "tables.ttl"))
    window = studio.window
    window.run("ask.english")
    studio.rest()
    asking = next(one for one in window.findChildren(AskDialog) if one.isVisible())
    asking.line.setText("Merge runs.csv with nodes.csv, sort them by seconds and save it as all.csv")
    studio.until(lambda: asking.readings.count() > 0)
    asking.show_button.click()
    studio.rest()
    workflow = next(one for one in window.findChildren(WorkflowDialog) if one.isVisible())
    studio.take("ask-workflow")
    workflow.reject()
    window.run("file.close_all")
    studio.rest()


def recipe(studio: Studio) -> None:
    """How to make a model again."""
    studio.open("sample:xplacer")
    studio.window.navigator.select(MODEL)
    studio.rest()
    studio.window.run("view.reproduce")
    studio.rest()
    studio.window.activateWindow()
    studio.take("recipe")


def sparql(studio: Studio) -> None:
    """The SPARQL editor, completing what exists."""
    studio.open("sample:xplacer")
    window = studio.window
    window.run("view.ask")
    studio.rest()
    window.features.ask.tab.write.click()
    editor = window.features.ask.tab.editor
    studio.rest()
    window.run("view.inspector")
    for line in ("SELECT ?model ?machine WHERE {", "?model a hpc:AIModel ;", "  hpc:name ?name ;"):
        QTest.keyClicks(editor.edit, line)
        QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    QTest.keyClicks(editor.edit, "mode")
    studio.until(lambda: editor.edit.popup is not None and editor.edit.popup.isVisible())
    studio.take("sparql-editor")


def ask(studio: Studio) -> None:
    """A question built step by step, an amount with its unit, and a question that finds nothing."""
    studio.open("sample:xplacer")
    window = studio.window
    window.run("view.inspector")
    window.run("view.ask")
    studio.rest()
    facets = window.features.ask.tab.facets

    def choose(facet: Facet, label: str, detail: str = "") -> None:
        rows = facets.lists[facet].rows
        found = (at for at, row in enumerate(rows.rows.rows) if row.label == label and detail in row.detail)
        rows.setCurrentIndex(rows.rows.index(next(found)))
        QTest.keyClick(rows, Qt.Key.Key_Return)
        studio.rest()

    def bound(text: str) -> None:
        facets.range.least.clear()
        QTest.keyClicks(facets.range.least, text)
        QTest.keyClick(facets.range.least, Qt.Key.Key_Return)
        studio.rest()

    choose(Facet.CLASSES, "AI model")
    studio.take("ask-1")
    choose(Facet.PROPERTIES, "target machine")
    studio.take("ask-2")
    choose(Facet.PROPERTIES, "coprocessor", "coprocessorModel")
    choose(Facet.PROPERTIES, "name")
    choose(Facet.VALUES, "Nvidia V100")
    studio.take("ask-3")
    window.run("theme.dark")
    window.run("ask.pattern")
    studio.take("ask-dark")
    window.run("theme.light")
    window.run("ask.rows")
    window.run("ask.new")
    studio.rest()
    choose(Facet.CLASSES, "Experiment")
    choose(Facet.PROPERTIES, "start date")
    bars = facets.range.bars
    for _ in range(len(facets.range.choice.counts) // 3):
        QTest.keyClick(bars, Qt.Key.Key_Right)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    studio.take("ask-range")
    window.run("ask.new")
    studio.rest()
    choose(Facet.CLASSES, "Cluster")
    choose(Facet.PROPERTIES, "memory in the cluster")
    bound("900000")
    studio.take("ask-relax")
    window.run("view.inspector")
