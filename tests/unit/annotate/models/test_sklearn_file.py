"""The facts of scikit-learn models, out of files that nobody runs."""

from __future__ import annotations

import pickle
import zipfile
import zlib
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

from hpc_explorer.annotate.models.facts import ModelFacts, TreeNode
from hpc_explorer.annotate.models.reading import read_model
from hpc_explorer.annotate.models.sklearn_file import read_pickled_model
from hpc_explorer.errors import SourceNotFound, SourceSyntaxError, SourceUnreadable, UnsupportedSyntax
from tests.unit.annotate.models.estimators import ADVICE, CASES, trained


def facts_of(model: Any, folder: Path, protocol: int = 4) -> ModelFacts:
    path = folder / "model.pkl"
    path.write_bytes(pickle.dumps(model, protocol))
    return read_model(path)


def decided(tree: tuple[TreeNode, ...], case: Any) -> TreeNode:
    """The leaf that a case comes to by the facts alone."""
    by_number = {node.number: node for node in tree}
    node = by_number[0]
    while node.feature is not None:
        assert node.threshold is not None
        assert node.relation == "<="
        below = node.true_child if np.float32(case[node.feature]) <= node.threshold else node.false_child
        assert below is not None
        node = by_number[below]
    return node


@pytest.mark.parametrize("name", ["model.pkl", "model.onnx"])
def test_an_empty_file_is_told_to_be_empty(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(SourceSyntaxError, match="the file is empty"):
        read_model(tmp_path / name)


@pytest.mark.parametrize("protocol", range(6))
def test_a_tree_decides_as_the_model_does(tmp_path: Path, protocol: int) -> None:
    model = trained("tree")
    facts = facts_of(model, tmp_path, protocol)
    assert (facts.algorithm, facts.kind, facts.model_type) == ("Decision Tree", "DecisionTree", "Classification")
    assert facts.labels == ("host", "pin", "prefetch")
    (tree,) = facts.trees
    assert len(tree) == model.tree_.node_count == facts.properties["tree nodes"]
    assert max(node.level for node in tree) == model.get_depth()
    assert [decided(tree, case).label for case in CASES] == list(model.predict(CASES))


def test_a_regression_tree_gives_numbers(tmp_path: Path) -> None:
    model = trained("regression tree")
    facts = facts_of(model, tmp_path)
    assert (facts.model_type, facts.labels) == ("Regression", ())
    np.testing.assert_array_equal([decided(facts.trees[0], case).value for case in CASES], model.predict(CASES))


def test_a_forest_has_all_its_trees(tmp_path: Path) -> None:
    model = trained("forest")
    facts = facts_of(model, tmp_path)
    assert (facts.kind, len(facts.trees)) == ("RandomForest", 7)
    for tree, estimator in zip(facts.trees, model.estimators_, strict=True):
        expected = [model.classes_[int(which)] for which in estimator.predict(CASES)]
        assert [decided(tree, case).label for case in CASES] == expected


def test_the_leaves_of_boosted_trees_are_numbers(tmp_path: Path) -> None:
    model = trained("boosting")
    facts = facts_of(model, tmp_path)
    assert (facts.algorithm, facts.kind, len(facts.trees)) == ("Gradient Boosting", "MachineLearningModel", 3)
    leaves = [decided(facts.trees[0], case) for case in CASES]
    assert all(leaf.label is None for leaf in leaves)
    np.testing.assert_array_equal([leaf.value for leaf in leaves], model.estimators_[0, 0].predict(CASES))


def test_hyperparameters_are_those_that_were_set(tmp_path: Path) -> None:
    model = trained("forest")
    facts = facts_of(model, tmp_path)
    chosen = {name: value for name, value in model.get_params().items() if value is not None}
    assert facts.hyperparameters == chosen


def test_settings_of_numpy_and_lists_are_plain_values(tmp_path: Path) -> None:
    from sklearn.neural_network import MLPClassifier

    model = MLPClassifier(hidden_layer_sizes=(8, 4), alpha=np.float64(0.01))
    facts = facts_of(model, tmp_path)
    assert facts.hyperparameters["hidden_layer_sizes"] == "[8, 4]"
    assert facts.hyperparameters["alpha"] == 0.01
    assert facts.kind == "MultilayerPerceptron"


def test_a_pipeline_is_what_stands_at_its_end(tmp_path: Path) -> None:
    facts = facts_of(trained("pipeline"), tmp_path)
    assert facts.kind == "DecisionTree"
    assert facts.properties["steps"] == (
        "standardscaler: StandardScaler, decisiontreeclassifier: DecisionTreeClassifier"
    )
    assert facts.inputs[0].shape_text == "[N, 4]"


@pytest.mark.parametrize(
    ("name", "kind", "learned"), [("linear", "LinearRegressionModel", 5), ("logistic", "LogisticRegressionModel", 15)]
)
def test_coefficients_are_counted(tmp_path: Path, name: str, kind: str, learned: int) -> None:
    facts = facts_of(trained(name), tmp_path)
    assert facts.kind == kind
    # The intercept of a linear regression is one number of NumPy, no array.
    assert facts.parameters == learned


def test_a_search_is_the_best_that_it_found(tmp_path: Path) -> None:
    from sklearn.model_selection import GridSearchCV

    model = GridSearchCV(trained("pipeline"), {"decisiontreeclassifier__max_depth": [1, 3]}, cv=2).fit(CASES, ADVICE)
    facts = facts_of(model, tmp_path)
    assert facts.properties["found by"] == "sklearn.model_selection._search.GridSearchCV"
    assert replace(facts, properties={}) == replace(facts_of(model.best_estimator_, tmp_path), properties={})
    assert facts.hyperparameters["max_depth"] == model.best_params_["decisiontreeclassifier__max_depth"]


def test_a_clustering_learned_without_labels(tmp_path: Path) -> None:
    from sklearn.cluster import KMeans

    facts = facts_of(KMeans(n_clusters=2, n_init=1, random_state=0).fit(CASES), tmp_path)
    assert (facts.learning_type, facts.model_type, facts.labels) == ("Unsupervised", "Clustering", ())


def test_the_version_and_the_names_of_features_are_told(tmp_path: Path) -> None:
    model = trained("tree")
    model.feature_names_in_ = np.array(["page faults", "size", "reads", "writes"], dtype=object)
    facts = facts_of(model, tmp_path)
    assert (facts.framework, facts.framework_version) == ("scikit-learn", version("scikit-learn"))
    assert facts.features == ("page faults", "size", "reads", "writes")


@pytest.mark.parametrize("compress", [0, 3, ("gzip", 3), ("bz2", 3), ("xz", 3), ("lzma", 3)], ids=str)
def test_joblib_files_say_the_same(tmp_path: Path, compress: Any) -> None:
    model = trained("forest")
    path = tmp_path / "model.joblib"
    joblib.dump(model, path, compress=compress)
    facts = read_model(path)
    assert facts.format == "joblib"
    assert facts.trees == facts_of(model, tmp_path).trees


def test_what_unpacks_to_too_much_is_refused_with_little_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.pkl"
    packer = zlib.compressobj()
    with open(bomb, "wb") as stream:
        for _ in range(64):
            stream.write(packer.compress(bytes(1 << 20)))
        stream.write(packer.flush())
    assert bomb.stat().st_size < 100_000
    with pytest.raises(SourceUnreadable, match="larger than 4 MiB"):
        read_pickled_model(bomb, largest=4 << 20)


def test_what_breaks_off_is_refused(tmp_path: Path) -> None:
    whole = tmp_path / "model.joblib"
    joblib.dump(trained("forest"), whole, compress=3)
    part = tmp_path / "part.joblib"
    part.write_bytes(whole.read_bytes()[:-200])
    with pytest.raises(SourceSyntaxError):
        read_model(part)


class Payload:
    def __reduce__(self) -> tuple[Any, tuple[str, ...]]:
        return eval, ("open('ran', 'w')",)


def test_a_pickle_with_a_payload_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnsupportedSyntax, match=r"a pickle of builtins\.eval.*nothing was executed"):
        facts_of(Payload(), tmp_path)
    model = trained("tree")
    model.extra = Payload()
    assert facts_of(model, tmp_path).kind == "DecisionTree"
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    "content", [b"\x80\x04K\x01.", b"\x80\x04csklearn.tree\nDecisionTreeClassifier\n."], ids=range(2)
)
def test_a_pickle_without_a_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.pkl"
    path.write_bytes(content)
    with pytest.raises(UnsupportedSyntax):
        read_model(path)


def test_a_model_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    content = pickle.dumps(trained("tree"))
    path = tmp_path / "model.pkl"
    path.write_bytes(content.replace(b"\x8c\x05nodes", b"\x8c\x05n0des"))
    with pytest.raises(SourceSyntaxError, match="does not look as scikit-learn writes it"):
        read_model(path)


def test_archives_folders_and_missing_files_are_told_apart(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "model.pt", "w") as archive:
        archive.writestr("data.pkl", b"")
    with pytest.raises(UnsupportedSyntax, match="archive"):
        read_model(tmp_path / "model.pt")
    with pytest.raises(UnsupportedSyntax, match="folder"):
        read_model(tmp_path)
    with pytest.raises(SourceNotFound):
        read_model(tmp_path / "nothing.pkl")
    (tmp_path / "model.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(UnsupportedSyntax, match="HDF5"):
        read_model(tmp_path / "model.h5")
