"""What can be chosen for an export."""

from __future__ import annotations

import pytest

from hpc_explorer.app.export_choices import SYNTAXES, file_stem


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
        assert all(ending.startswith(".") for ending in one.endings)
