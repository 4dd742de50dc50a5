"""Names for people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.ontology.labels import (
    class_label,
    comments_of,
    fallback_label,
    label_order,
    labels_of,
    local_name,
    words,
)
from hpc_explorer.rdf.terms import BlankNode, NamedNode
from tests.helpers.graphs import ex, store_of


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AIModel", "AI model"),
        ("wasDerivedFromDataset", "was derived from dataset"),
        ("GPUThreadBlock", "GPU thread block"),
        ("maxGPUThreadBlockSizeLimitedBySM", "max GPU thread block size limited by SM"),
        ("top500Rank", "top500 rank"),
        ("MO000001", "MO000001"),
        ("snake_case_name", "snake case name"),
        ("decisionTree.onnx", "decisionTree.onnx"),
        ("used", "used"),
        ("", ""),
        ("___", "___"),
    ],
)
def test_words(name: str, expected: str) -> None:
    assert words(name) == expected


@pytest.mark.parametrize(
    ("iri", "expected"),
    [
        ("http://example.org/a#b", "b"),
        ("http://example.org/a/b/", "b"),
        ("http://example.org/a#", "a"),
        ("urn:isbn:123", "123"),
        ("http://example.org/caf%C3%A9", "café"),
        ("http://example.org/", "example.org"),
    ],
)
def test_local_name(iri: str, expected: str) -> None:
    assert local_name(iri) == expected


def test_a_label_is_chosen_by_predicate_then_language() -> None:
    store = store_of(
        "ex:a hpc:name 'name' ; rdfs:label 'Modell'@de , 'model'@en-GB , 'plain' . ex:b hpc:name 'only a name' ; rdfs:label ' ' ."
    )
    assert labels_of(store, [ex("a"), ex("b"), ex("c")]) == {ex("a"): "model", ex("b"): "only a name"}


def test_comments() -> None:
    store = store_of("ex:a hpc:description 'what   it\\n is' .")
    assert comments_of(store, [ex("a")]) == {ex("a"): "what it is"}


def test_without_any_label() -> None:
    assert fallback_label(ex("DA000001")) == "DA000001"
    assert fallback_label(BlankNode("x")) == "(unnamed)"
    assert class_label(NamedNode("https://hpc-fair.github.io/ontology#dataset")) == "Dataset"


def test_labels_are_sorted_as_people_count() -> None:
    names = [
        "epoch 10",
        "Epoch 9",
        "epoch",
        "10 nodes",
        "9 nodes",
        "epoch 09b",
        "b" + "9" * 5_000,
        "b1" + "0" * 5_000,
        "b2",
    ]
    assert sorted(names, key=label_order) == [
        "9 nodes",
        "10 nodes",
        "b2",
        "b" + "9" * 5_000,
        "b1" + "0" * 5_000,
        "epoch",
        "Epoch 9",
        "epoch 09b",
        "epoch 10",
    ]


@given(st.text(max_size=20), st.integers(0), st.integers(0), st.text(max_size=20))
def test_of_two_names_that_differ_in_a_number_the_smaller_comes_first(
    before: str, one: int, other: int, after: str
) -> None:
    first, second = (label_order(f"{before}#{number}#{after}") for number in (one, other))
    assert (first < second) == (one < other)
