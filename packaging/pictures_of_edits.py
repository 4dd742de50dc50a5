"""Pictures of what is changed: forms, the journal with a push, and tables on their way to triples."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from picture_scenes import edited_by_two
from picture_studio import MODEL, ROOT, Studio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from hpc_explorer.annotate.pushing.values import Choice
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.changes.history_dialog import HistoryDialog
from hpc_explorer.ui.changes.push_dialog import PushDialog
from hpc_explorer.ui.forms.class_controller import AddClassDialog
from hpc_explorer.ui.imports.wizard import TableWizard


def forms(studio: Studio) -> None:
    """A machine as a form: what the shapes say with the step that fixes it, its classes, a quantity being typed."""
    file = Path(tempfile.mkdtemp()) / "summit.ttl"
    file.write_text(
        "@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix ex: <http://example.org/> .\n"
        "@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .\n"
        'ex:summit a hpc:Cluster ; hpc:name "Summit" ; hpc:computeNodeCount "4608" ; hpc:country "United States" ;\n'
        '    hpc:description "Cluster at Oak Ridge National Laboratory" ;\n'
        "    hpc:hasRpeak [ a qudt:QuantityValue ; qudt:value 200794.9 ; qudt:unit unit:TeraFLOPS ] .\n",
        encoding="utf-8",
    )
    studio.open(str(file))
    window = studio.window
    window.navigator.edit(NamedNode("http://example.org/summit"))
    studio.rest()
    window.run("edit.start")
    studio.until(lambda: bool(window.features.form.findings.found))
    studio.rest()
    window.features.form.page.fields.bring(HPC.computeNodeCount)
    for theme_name, suffix in (("dark", "-dark"), ("light", "")):
        window.run(f"theme.{theme_name}")
        studio.take(f"form-finding{suffix}")
    window.features.form.page.fields.verticalScrollBar().setValue(0)
    window.run("edit.add_class")
    studio.until(lambda: bool(window.findChildren(AddClassDialog)))
    dialog = window.findChildren(AddClassDialog)[-1]
    QTest.keyClicks(dialog.chooser.filter, "dataset")
    QTest.keyClick(dialog.chooser.filter, Qt.Key.Key_Return)
    studio.rest()
    window.features.form.page.head.classes.removed.emit(window.features.form.editor.tools.ref_of(HPC.Cluster))
    studio.rest()
    for theme_name, suffix in (("dark", "-dark"), ("light", "")):
        window.run(f"theme.{theme_name}")
        studio.take(f"form-classes{suffix}")
    window.features.form.editor.discard()
    studio.rest()
    fields = window.features.form.page.fields
    row = fields.bring(HPC.totalClusterMemorySize)
    if row is None:
        raise RuntimeError("a cluster has no field for its memory")
    window.activateWindow()
    row.take_keyboard()
    number, unit = row.entries_shown[0].lines
    QTest.keyClicks(number, "2801")
    unit.setFocus()
    QTest.keyClicks(unit, "GB")
    studio.until(lambda: unit.is_suggesting)
    studio.take("form")
    window.run("theme.dark")
    studio.take("form-dark")
    window.run("theme.light")
    window.features.form.editor.discard()
    studio.rest()


def changes(studio: Studio) -> None:
    """What was edited and is not pushed yet, the journal, where a value comes from, and a push with conflicts."""
    window = studio.window
    # The name of the folder is read in the pictures, so it is the same each time.
    folder = Path(tempfile.gettempdir()) / "hpc-explorer-pictures"
    folder.mkdir(exist_ok=True)
    try:
        file = folder / "xplacer.ttl"
        shutil.copy(ROOT / "sample_graphs" / "xplacer.ttl", file)
        studio.open(str(file))
        window.run("edit.start")
        studio.rest()
        edited_by_two(studio.session, file)
        window.navigator.explore(MODEL)
        studio.rest()
        for theme_name, suffix in (("light", ""), ("dark", "-dark")):
            window.run(f"theme.{theme_name}")
            window.run("changes.resource")
            studio.take(f"changes{suffix}")
            window.run("file.push")
            studio.rest()
            push = window.findChildren(PushDialog)[-1]
            push.cards[0].choose(Choice.MINE)
            studio.take(f"conflict{suffix}")
            push.reject()
        window.run("theme.light")
        window.run("changes.time")
        studio.rest()
        studio.take("journal")
        window.run("resource.where_from")
        studio.rest()
        studio.take("where-from")
        window.findChildren(HistoryDialog)[-1].reject()
        window.run("file.close_all")
        studio.rest()
    finally:
        shutil.rmtree(folder)


def tables(studio: Studio) -> None:
    """A table on its way to triples: its columns, and what the first rows say."""
    studio.open("sample:xplacer")
    window = studio.window
    with tempfile.TemporaryDirectory() as name:
        table = Path(name) / "bfs-on-lassen.csv"
        table.write_text(RUNS, encoding="utf-8")
        for colours in ("light", "dark"):
            window.run(f"theme.{colours}")
            window.features.from_files.convert_table(table)
            wizard = window.findChildren(TableWizard)[-1]
            wizard.resize(1184, 744)
            studio.until(lambda wizard=wizard: not wizard.is_waiting and wizard.mapping is not None)
            studio.rest()
            wizard.columns.setCurrentItem(wizard.columns.topLevelItem(5))
            wizard.preview.setCurrentIndex(1)
            wizard.file.setText("bfs-on-lassen.csv")
            wizard.conversion.output.setText("bfs-on-lassen.ttl")
            wizard.columns.setFocus()
            studio.take("table-wizard" if colours == "light" else "table-wizard-dark")
            wizard.reject()
            studio.rest()
    window.run("theme.light")


RUNS = """Run ID,Machine,Kernel,Array,Code Variant,Duration [ns],Data Size [MB],Registers Per Thread,Started,Page Faults
r1,Lassen,Kernel(Node*),h_graph_nodes,2,"442,010.00",8.00,16,31.10.2020,24
r2,Lassen,Kernel2(bool*),h_graph_edges,3,"8,672.00",24.00,16,01.11.2020,None
r3,Lassen,Kernel(Node*),h_graph_mask,1,"391,774.50",1.00,18,02.11.2020,5
r4,Lassen,Kernel2(bool*),h_cost,1,not measured,4.00,18,15.11.2020,12
"""
