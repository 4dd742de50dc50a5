"""Nothing that a graph says is shown as rich text, or makes a shortcut: looked for in every widget of the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QPointF, Qt
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QTabBar,
    QTextEdit,
    QWidget,
)

from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

MARKUP = "<img src='file:///etc/hostname'> <b>R&D</b>"
RAW = ("<img", "<b>R&")
MOST_ROWS = 200

GRAPH = f"""
@prefix : <http://example.org/?x&lt;b&gt;> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Kind a owl:Class ; rdfs:label "Kind {MARKUP}" ; rdfs:comment "Comment {MARKUP}" ; rdfs:subClassOf hpc:Dataset .
:says a owl:DatatypeProperty ; rdfs:label "says {MARKUP}" ; rdfs:comment "Comment {MARKUP}" ; rdfs:domain :Kind .
:near a owl:ObjectProperty ; rdfs:label "near {MARKUP}" ; rdfs:domain :Kind ; rdfs:range :Kind .
:one a :Kind ; rdfs:label "One {MARKUP}" ; hpc:name "One {MARKUP}" ; :says "Value {MARKUP}", "5{MARKUP}"^^xsd:integer ;
    :near :two ; hpc:license "{MARKUP}" ; hpc:wasGeneratedBy :run ; hpc:description "{MARKUP}" .
:two a :Kind ; rdfs:label "Two {MARKUP}" ; hpc:name "Two {MARKUP}" ; :says "Value {MARKUP}" ; :near :one .
:run a hpc:Experiment ; rdfs:label "Run {MARKUP}" ; hpc:used :two ; hpc:name "Run {MARKUP}" .
"""

VIEWS = (
    "go.neighbours",
    "go.upstream",
    "view.reproduce",
    "go.impact",
    "graph.add",
    "view.classes",
    "view.ask",
    "ask.class",
    "ask.pattern",
    "ask.rows",
    "ask.sparql",
    "check.all",
    "fair.assess",
    "fair.all",
    "edit.resource",
    "edit.start",
    "changes.show",
    "view.looks",
    "resource.export",
    "resource.history",
    "resource.where_from",
    "go.compare",
    "help.palette",
)


@pytest.fixture
def shown(user: User, tmp_path: Path) -> User:
    graph = tmp_path / "R&D.ttl"
    graph.write_text(GRAPH, encoding="utf-8")
    user.open_files([graph])
    user.search("One")
    return user


def looks_rich(text: str) -> bool:
    """Whether Qt would take what a graph says for rich text here."""
    return RichText.mightBeRichText(text) and any(raw in text for raw in RAW)


@pytest.mark.slow
def test_no_view_shows_markup_of_a_graph(window: MainWindow, shown: User) -> None:
    seen = 0
    for name in ("", *VIEWS):
        action = window.commands.by_id.get(name)
        if action is not None and not action.isEnabled():
            continue
        if name:
            window.run(name)
            shown.rest()
        wrong = [told for widget in widgets() for told in faults(widget)]
        assert wrong == [], name
        seen += sum(1 for widget in widgets() for text in texts(widget) if "<b>R&D" in text)
        for dialog in window.findChildren(QDialog):
            dialog.reject()
        shown.rest()
    assert seen > 100, "the graph's texts were there to be seen"


def widgets() -> list[QWidget]:
    return [widget for widget in QApplication.allWidgets() if widget.metaObject().className() != "QTipLabel"]


def texts(widget: QWidget) -> Iterator[str]:
    """What a widget says."""
    for name in ("text", "plainText", "title"):
        said = widget.property(name)
        if isinstance(said, str):
            yield said
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from (str(value) for value in values(widget.model(), Qt.ItemDataRole.DisplayRole))


def faults(widget: QWidget) -> Iterator[str]:
    """Where Qt would take a text of the graph for something else than its letters."""
    kind = type(widget).__name__
    if looks_rich(widget.toolTip()) or looks_rich(widget.whatsThis()):
        yield f"tooltip of {kind}: {widget.toolTip()}"
    if isinstance(widget, QLabel) and widget.textFormat() is not Qt.TextFormat.PlainText and looks_rich(widget.text()):
        yield f"{kind}: {widget.text()}"
    if isinstance(widget, QTextEdit) and "<img" in widget.toHtml():
        yield f"{kind}: {widget.toHtml()}"
    if isinstance(widget, QAbstractButton) and "R&D" in widget.text() and not widget.shortcut().isEmpty():
        yield f"shortcut of {kind}: {widget.text()}"
    if isinstance(widget, QGroupBox) and "R&D" in widget.title():
        yield f"title of {kind}: {widget.title()}"
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            if "R&D" in widget.tabText(at) or looks_rich(widget.tabToolTip(at)):
                yield f"tab of {kind}: {widget.tabText(at)}"
    for action in widget.actions():
        if "R&D" in action.text() or looks_rich(action.toolTip()):
            yield f"action of {kind}: {action.text()}, {action.toolTip()}"
    if isinstance(widget, (QAbstractItemView, QComboBox)) and widget.model() is not None:
        for tip in values(widget.model(), Qt.ItemDataRole.ToolTipRole):
            if looks_rich(str(tip)):
                yield f"item of {kind}: {tip}"
    if isinstance(widget, CanvasView):
        for at in range(0, widget.width(), 20):
            for y in range(0, widget.height(), 10):
                if looks_rich(widget.tooltip_at(QPointF(at, y))):
                    yield f"tooltip of {kind}: {widget.tooltip_at(QPointF(at, y))}"


def values(model: QAbstractItemModel, role: Qt.ItemDataRole) -> Iterator[object]:
    """What the first items of a model say, those below others too, and its headings."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    yield from (model.headerData(at, Qt.Orientation.Horizontal, role) or "" for at in range(columns))
    left = [QModelIndex()]
    while left:
        parent = left.pop()
        for row in range(min(model.rowCount(parent), MOST_ROWS)):
            for column in range(columns):
                at = model.index(row, column, parent)
                yield model.data(at, role) or ""
                if column == 0 and model.rowCount(at):
                    left.append(at)
