"""Two records of one file, opened beside each other and joined by its checksum with a click."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import CONFIG_VARIABLE, Settings
from hpc_explorer.canvas.legend import legend_entries
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.walk import links, spoken_links
from hpc_explorer.ui.canvas.screen import route_tooltip
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User, open_window

JOIN = "Join what has the same content"

PREFIXES = """
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <https://schema.org/> .
@prefix ex: <http://example.org/> .
"""
SUM = "ab" * 32
PREPARED = f"""
ex:cleaned a prov:Entity ; rdfs:label "cleaned.csv" ; prov:wasGeneratedBy ex:cleaning ; schema:sha256 "{SUM}" .
ex:cleaning a prov:Activity ; rdfs:label "cleaning" ; prov:used ex:measured .
ex:measured a prov:Entity ; rdfs:label "measured.csv" .
"""
LEARNED = f"""
ex:model a prov:Entity ; rdfs:label "trained model" ; prov:wasGeneratedBy ex:training .
ex:training a prov:Activity ; rdfs:label "training" ; prov:used ex:input .
ex:input a prov:Entity ; rdfs:label "input.csv" ; schema:sha256 "{SUM.upper()}" .
"""


@pytest.fixture
def opened(window: MainWindow, user: User, tmp_path: Path) -> User:
    """Before the lineage of a model, with the record of its data beside it."""
    for name, content in (("prepared.ttl", PREPARED), ("learned.ttl", LEARNED)):
        (tmp_path / name).write_text(PREFIXES + content, encoding="utf-8")
    user.open_files([tmp_path / "prepared.ttl", tmp_path / "learned.ttl"])
    user.search("trained model")
    user.trace()
    user.rest()
    return user


def labels(window: MainWindow) -> set[str]:
    return {node.label for node in window.pictures.canvas.scene().nodes}


def spoken(scene: Scene, label: str) -> list[str]:
    key = next(node.key for node in scene.nodes if node.label == label)
    return spoken_links(scene, links(scene), key)


def origins(scene: Scene) -> list[str]:
    return [edge.origin for edge in scene.edges]


def test_a_click_joins_and_another_one_parts_again(window: MainWindow, opened: User) -> None:
    apart = {"trained model", "training", "input.csv"}
    assert labels(window) == apart
    button = opened.button(JOIN)
    assert button.isCheckable()
    assert not button.isChecked()
    opened.click(button)
    opened.rest()
    assert button.isChecked()
    canvas = window.pictures.canvas
    assert labels(window) == apart | {"cleaned.csv", "cleaning", "measured.csv"}
    assert origins(canvas.scene()).count("matched") == 1
    assert "matched by value" in [entry.label for entry in legend_entries(canvas.scene(), LIGHT)]
    ready = canvas.ready()
    assert ready is not None
    told = [route_tooltip(canvas.scene(), route) for route in ready.layout.routes if route.bundle.origin == "matched"]
    assert len(told) == 1
    assert "5 links, 1 of them matched by value" in window.pictures.summary
    assert "has the same content as cleaned.csv (matched by value: same sha256)" in spoken(canvas.scene(), "input.csv")
    assert "has the same content as" in told[0]
    assert "matched by value: same sha256" in told[0]
    opened.click(button)
    opened.rest()
    assert labels(window) == apart
    assert not button.isChecked()


def test_by_key_too_and_in_both_directions(window: MainWindow, opened: User) -> None:
    opened.window.run("view.match_content")
    opened.rest()
    assert opened.button(JOIN).isChecked()
    opened.search("measured.csv")
    opened.window.run("go.downstream")
    opened.rest()
    assert "trained model" in labels(window)


def test_it_is_remembered(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: MainWindow, opened: User
) -> None:
    opened.click(opened.button(JOIN))
    opened.rest()
    window.quit_now()
    assert Settings.load().match_content
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "config"))
    another = open_window(qapp, qtbot)
    user = User(qtbot, another)
    user.open_files([tmp_path / "prepared.ttl", tmp_path / "learned.ttl"])
    user.search("trained model")
    user.trace()
    user.rest()
    assert "measured.csv" in labels(another)
    another.close()
