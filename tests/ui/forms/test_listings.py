"""The paper's Listings 3 and 4, typed into forms by keyboard alone, from an empty window to the exported JSON-LD."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit, QWidget

from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.syntax.reading import read_bytes, read_source
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, Quad
from hpc_explorer.ui.export.dialog import ExportDialog
from hpc_explorer.ui.forms.describe_dialog import DescribeDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.listings import EX, LISTING_3, LISTING_4
from tests.helpers.windows import User

CLASSES = {"hpc:Dataset": "dataset", "hpc:AIModel": "AI model"}


def canonical(quads: list[Quad]) -> set[str]:
    """The triples, canonically labelled."""
    dataset = Dataset(Quad(quad.subject, quad.predicate, quad.object) for quad in quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}


def of_listing(listing: dict[str, object]) -> list[Quad]:
    document = json.dumps({"@context": {"hpc": HPC}, **listing}).encode()
    return list(read_bytes(document, name="listing.jsonld", base=EX).quads())


class Typist:
    """Somebody without a mouse: all they do is press keys, wherever the keyboard is."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.window = user.window

    @property
    def at(self) -> QWidget:
        widget = QApplication.focusWidget()
        assert widget is not None, "the keyboard is nowhere"
        return widget

    @property
    def name(self) -> str:
        """What a screen reader says the keyboard is at."""
        return self.at.accessibleName()

    def tab_to(self, name: str) -> None:
        """Press Tab until the keyboard is at the widget that a screen reader calls so."""
        passed = []
        while not self.name.startswith(name):
            passed.append(self.name)
            assert len(passed) < 80, f"{name} is not reached by Tab: {passed}"
            self.user.press("Tab")

    def begin(self, cls: str, name: str, iri: str) -> None:
        """Describe something new."""
        self.user.window.run("edit.describe")
        self.user.dialog(DescribeDialog)
        self.user.until(lambda: self.name.startswith("Type a class"))
        self.user.type(cls)
        self.user.press("Return")
        assert self.name == "Name"
        self.user.type(name)
        self.user.press("Tab")
        assert self.name == "IRI"
        self.user.press("Ctrl+A")
        self.user.type(iri)
        self.user.rest()
        self.user.press("Return")
        self.user.until(lambda: self.window.features.form.filling is not None)
        self.user.rest()

    def fill(self, name: str, label: str, values: list[str]) -> None:
        """Find a field by the name of its property, and type its values, each followed by Enter."""
        self.user.press("Ctrl+F")
        assert self.name == "Find or add a field"
        self.user.type(name)
        self.user.press("Return")
        self.user.until(lambda: self.name.startswith(label))
        self.user.rest()
        for number, value in enumerate(values):
            if number:
                self.user.press("Return")
                assert self.name == f"{label}, value {number + 1} of {number + 1}"
            self.user.type(value)

    def take_address_as_text(self) -> None:
        """The listings print addresses as strings: choose that beside the value."""
        self.user.press("Tab")
        assert self.name == "Kind of the value: IRI"
        QTimer.singleShot(0, self._choose_second)  # the menu runs an event loop of its own
        self.user.press("Space")
        assert QApplication.activePopupWidget() is None

    def _choose_second(self) -> None:
        menu = QApplication.activePopupWidget()
        for key in ("Down", "Down", "Return"):
            self.user.qtbot.keySequence(menu, key)

    def export(self, file: Path) -> None:
        self.user.window.run("file.export")
        dialog = self.user.dialog(ExportDialog)
        self.user.until(lambda: dialog.isActiveWindow())
        self.tab_to(dialog.file.accessibleName())
        self.user.press("Ctrl+A")
        self.user.type(str(file))
        self.user.press("Return")
        self.user.until(lambda: file.exists())
        self.user.rest()


def labels(window: MainWindow) -> dict[str, str]:
    """The names of the fields, by the local names of their properties."""
    filling = window.features.form.filling
    assert filling is not None
    return {one.predicate.value.rpartition("#")[2]: one.label for one in filling.fields}


@pytest.mark.slow
@pytest.mark.parametrize("listing", [LISTING_3, LISTING_4], ids=["Listing 3", "Listing 4"])
def test_a_listing_typed_by_keyboard_alone_is_exported_as_the_listing(
    window: MainWindow, user: User, tmp_path: Path, listing: dict[str, object]
) -> None:
    typist = Typist(user)
    typist.begin(CLASSES[str(listing["@type"])], str(listing["hpc:name"]), str(listing["@id"]))
    called = labels(window)
    for property_name, stated in listing.items():
        name = property_name.removeprefix("hpc:")
        if name.startswith("@") or name == "name":
            continue
        values = stated if isinstance(stated, list) else [stated]
        texts = [value["@id"] if isinstance(value, dict) else value for value in values]
        typist.fill(
            name, called[name], ["y" if text is True else "no" if text is False else str(text) for text in texts]
        )
        expected = QPlainTextEdit if name == "description" else QComboBox if isinstance(stated, bool) else QWidget
        assert isinstance(typist.at, expected)
        if name == "url":
            typist.take_address_as_text()
    user.rest()
    assert window.features.form.filling is not None
    assert window.features.form.filling.wrongs() == ()
    user.window.run("edit.save")
    user.until(lambda: window.features.form.filling is not None and not window.features.form.filling.is_new)
    user.rest()
    assert user.reads == listing["hpc:name"]
    assert not window.features.form.is_typed

    file = tmp_path / "record.jsonld"
    typist.export(file)
    written = list(read_source(file).quads())
    assert len(written) == len(of_listing(listing))
    assert canonical(written) == canonical(of_listing(listing))
