"""Finding by words, by their beginnings, inside names, and in an order a person expects."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import Cancelled, StoreError
from hpc_explorer.stores.base import CancelToken, Count, CountKind, Limits
from hpc_explorer.stores.names import label_index
from hpc_explorer.stores.names.label_index import LabelEntry, LabelIndex, MatchQuality


def index(*names: str) -> LabelIndex:
    return LabelIndex(LabelEntry(f"urn:{number}", name, name, 0) for number, name in enumerate(names))


def found(labels: LabelIndex, text: str, limit: int = 10) -> list[str]:
    return [match.text for match in labels.search(text, limit)[0]]


def test_every_word_by_its_beginning_in_any_order() -> None:
    labels = index("Train the decision tree", "Decision tree", "Random forest", "Árbol de decisión")
    assert found(labels, "tree dec") == ["Decision tree", "Train the decision tree"]
    assert found(labels, "decision tree") == ["Decision tree", "Train the decision tree"]
    assert found(labels, "arbol") == ["Árbol de decisión"]
    assert found(labels, "forest tree") == []


def test_instances_before_classes_and_the_exact_name_first() -> None:
    labels = LabelIndex(
        [
            LabelEntry("urn:c", "Dataset", "", 1),
            LabelEntry("urn:d", "Dataset of logs", "", 0),
            LabelEntry("urn:e", "dataset", "", 0),
        ]
    )
    assert found(labels, "dataset") == ["dataset", "Dataset", "Dataset of logs"]


def test_exact_names() -> None:
    labels = index("Train the decision tree", "Decision tree", "decision  tree", "tree", "C++")
    assert labels.named("decision tree", 10) == ("urn:1",)
    assert labels.named("DECISION TREE", 10) == ("urn:1",)
    assert labels.named("decision", 10) == labels.named("shrub", 10) == labels.named("", 10) == ()
    assert len(index("run", "run", "Run").named("run", 2)) == 2


def test_a_text_inside_a_word() -> None:
    labels = index("hotspot.nvprof.log", "100 % sure", "100x")
    assert found(labels, "vpro") == ["hotspot.nvprof.log"]
    assert found(labels, "00 % s") == ["100 % sure"]


def test_counts_say_when_they_stop() -> None:
    labels = index(*(f"prefix{number}x" for number in range(600)))
    hits, total = labels.search("prefix", 10)
    assert (len(hits), total) == (10, Count(600))
    hits, total = labels.search("refix", 10)
    assert (len(hits), total) == (10, Count(500, CountKind.AT_LEAST))
    assert {match.fit for match in hits} == {MatchQuality.INSIDE}


def test_a_resource_with_several_names_is_found_once() -> None:
    labels = LabelIndex([LabelEntry("urn:a", "tree", "", 0), LabelEntry("urn:a", "tree of decisions", "", 0)])
    assert found(labels, "tree") == ["tree"]


def test_resources_of_one_name_are_all_found_and_leave_it_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "labels.db"
    entries = [LabelEntry(f"urn:{number}", f"batch {number % 2}", "", number % 2) for number in range(6)]
    LabelIndex(entries, file).close()
    labels = LabelIndex.editable(file)
    for gone in ("urn:2", "urn:0", "urn:4"):
        assert gone in {match.iri for match in labels.search("batch 0", 10)[0]}
        labels.replace([gone], [])
        assert gone not in {match.iri for match in labels.search("batch", 10)[0]}
    assert {match.iri for match in labels.search("batch 1", 10)[0]} == {"urn:1", "urn:3", "urn:5"}
    labels.replace(["urn:3"], [LabelEntry("urn:3", "batch 0", "", 0)])
    assert [match.iri for match in labels.search("batch 0", 10)[0]] == ["urn:3"]
    labels.close()
    again = LabelIndex.opened(file)
    assert again.search("batch", 10)[1] == Count(3)
    again.close()


def test_an_index_of_an_older_version_is_known(tmp_path: Path) -> None:
    file = tmp_path / "labels.db"
    LabelIndex([LabelEntry("urn:a", "seismic", "", 0)], file).close()
    assert LabelIndex.is_current(file)
    with closing(sqlite3.connect(tmp_path / "older.db")) as older:
        older.execute("CREATE VIRTUAL TABLE label USING fts5(text, words, iri UNINDEXED, rank_of_kind UNINDEXED)")
    assert not LabelIndex.is_current(tmp_path / "older.db")


def test_building_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        LabelIndex((LabelEntry(f"urn:{number}", "x", "", 0) for number in range(10_000)), limits=Limits(cancel=token))


@given(st.lists(st.text(max_size=10), max_size=5), st.text(max_size=10))
def test_any_text_can_be_sought_among_any_names(names: list[str], text: str) -> None:
    labels = index(*names)
    hits, total = labels.search(text, 3)
    assert len(hits) <= 3
    assert total.value >= len(hits)
    labels.close()


def test_of_very_many_matches_those_in_front_are_ranked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(label_index, "MOST_RANKED", 4)
    monkeypatch.setattr(label_index, "MOST_LOOKED_INTO", 20)
    names = [*(f"batch{number}" for number in range(30)), "b"]
    entries = [LabelEntry(f"urn:{name}", name, "", 0) for name in names]
    file = tmp_path / "labels.db"
    LabelIndex(entries, file).close()
    kept = LabelIndex.opened(file)
    for index in (LabelIndex(entries), kept):
        matches, count = index.search("b", 3)
        assert [match.text for match in matches] == ["b", "batch0", "batch1"], "what is just the word, then the first"
        assert count == Count(5, CountKind.AT_LEAST)
        matches, count = index.search("h1", 50)
        assert [match.text for match in matches][:2] == ["batch1", "batch10"]
        assert count.kind is CountKind.AT_LEAST, "not all names were looked into"
        index.close()
    with pytest.raises(StoreError, match="label index cannot be read"):
        LabelIndex.opened(tmp_path / "nothing.db")


def test_what_was_typed_comes_before_what_begins_so_has_the_words_or_has_it_inside() -> None:
    labels = index("a tree", "tree house", "subtree", "tree", "free")
    matches, count = labels.search("tree", 10)
    assert [(match.text, match.fit) for match in matches] == [
        ("tree", MatchQuality.EXACT),
        ("tree house", MatchQuality.BEGINNING),
        ("a tree", MatchQuality.WORDS),
    ], "what is called so is enough"
    assert count == Count(3)
    matches, _ = labels.search("subtre", 10)
    assert [(match.text, match.fit) for match in matches] == [("subtree", MatchQuality.BEGINNING)]


def test_mistyped_names_are_found_and_marked() -> None:
    labels = index(
        "decisionTree.onnx", "seismic training set", "hyperparameter tuning", "MO000001", "run 4711", "Übung"
    )
    for typed, name in {
        "desicion": "decisionTree.onnx",
        "decisoin": "decisionTree.onnx",
        "decisionTre.onx": "decisionTree.onnx",
        "siesmic": "seismic training set",
        "seismic trianing": "seismic training set",
        "seizmic": "seismic training set",
        "hyprparametr": "hyperparameter tuning",
        "MO00001": "MO000001",
        "ubugn": "Übung",
    }.items():
        matches, _ = labels.search(typed, 10)
        assert [(match.text, match.fit) for match in matches] == [(name, MatchQuality.SIMILAR)], typed
    assert found(labels, "4712") == [], "a number is no misspelling of another"
    assert found(labels, "xy") == [], "two letters may mean anything"


def test_similar_names_follow_where_little_is_called_so() -> None:
    labels = index("trainer", *(f"train {number}" for number in range(5)), "brain")
    assert found(labels, "trainer") == ["trainer"]
    assert "brain" not in found(labels, "train")
    matches, _ = labels.search("trainers", 10)
    assert [(match.text, match.fit) for match in matches] == [("trainer", MatchQuality.SIMILAR)]
    matches, _ = labels.search("brain", 10)
    assert [match.text for match in matches] == ["brain"]


def test_an_index_made_before_there_was_a_vocabulary_finds_typos_too(tmp_path: Path) -> None:
    file = tmp_path / "labels.db"
    LabelIndex([LabelEntry("urn:a", "seismic", "", 0)], file).close()
    database = sqlite3.connect(file)
    for table in ("word_letters", "word_part", "word"):
        database.execute(f"DROP TABLE {table}")
    database.commit()
    database.close()
    kept = LabelIndex.opened(file)
    assert found(kept, "siesmic") == ["seismic"]
    kept.close()


def test_of_names_that_have_the_words_those_of_few_words_come_first() -> None:
    assert found(index("HPL on all of Fugaku", "Supercomputer Fugaku"), "fugaku") == [
        "Supercomputer Fugaku",
        "HPL on all of Fugaku",
    ]


def test_a_name_given_in_an_edit_is_found_in_spite_of_a_typo_and_the_one_it_replaced_is_not(tmp_path: Path) -> None:
    file = tmp_path / "labels.db"
    LabelIndex([LabelEntry("urn:a", "seismic", "", 0), LabelEntry("urn:b", "porosity", "", 0)], file).close()
    labels = LabelIndex.editable(file)
    labels.replace(["urn:a"], [LabelEntry("urn:a", "amplitude", "", 0)])
    assert found(labels, "ampiltude") == ["amplitude"]
    assert found(labels, "seismic") == []
    assert found(labels, "porosity") == ["porosity"]
    labels.close()


def test_half_characters_are_no_letters() -> None:
    assert found(index("a tree"), "tree \udcff") == ["a tree"]
    assert found(index("a tree"), "\udcff") == []


def test_a_long_text_is_an_ordinary_search() -> None:
    assert found(index("a tree"), "tree " * 2_000) == ["a tree"]
