"""What can be chosen for an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.export.choices import SYNTAXES, file_stem
from hpc_explorer.app.export.packages import Target
from hpc_explorer.app.export.requests import ExportOrder, preview_export
from hpc_explorer.rdf.syntax.formats import TRIG, TURTLE
from tests.helpers.sessions import session_of


@pytest.mark.parametrize(
    ("label", "stem"),
    [
        ("decisionTree.onnx", "decisionTree.onnx"),
        ("a/b\\c: d?", "a-b-c-d"),
        ("größe", "größe"),
        ("../..", "graph"),
        ("", "graph"),
        ("x" * 300, "x" * 60),
    ],
)
def test_labels_become_names_of_files(label: str, stem: str) -> None:
    assert file_stem(label) == stem


def test_each_syntax_is_that_of_rdf_or_another_form_and_has_endings() -> None:
    for one in SYNTAXES:
        assert (one.format is None) != (one.target is None)
        assert one.endings
        is_folder = one.target is Target.MLFLOW
        assert all(ending == "" if is_folder else ending.startswith(".") for ending in one.endings)


def test_the_preview_says_which_forms_drop_the_names_of_graphs(tmp_path: Path) -> None:
    graph = tmp_path / "graph.nq"
    graph.write_text('<http://example.org/a> <http://example.org/p> "x" <urn:g> .\n', encoding="utf-8")
    session = session_of(graph)
    told = {form: preview_export(session, ExportOrder(format=form)).told for form in (TURTLE, TRIG)}
    assert told == {
        TURTLE: ("Turtle has no named graphs: the name of a graph will be left out; TriG and N-Quads keep them",),
        TRIG: (),
    }
    session.close()
