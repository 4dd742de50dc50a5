"""The facts of models in ONNX."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from hpc_explorer.annotate.models.facts import ModelFacts, TreeNode
from hpc_explorer.annotate.models.onnx_file import read_onnx_model
from hpc_explorer.annotate.models.reading import read_model
from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from tests.unit.annotate.models.estimators import CASES, trained


def converted(name: str, **options: Any) -> bytes:
    """A trained model in ONNX."""
    from skl2onnx import to_onnx  # not at the top, as in estimators.py

    content: bytes = to_onnx(trained(name), CASES[:1].astype(np.float32), **options).SerializeToString()
    return content


def exported(name: str, folder: Path, **options: Any) -> ModelFacts:
    path = folder / "model.onnx"
    path.write_bytes(converted(name, **options))
    return read_model(path)


def shape_of(tree: tuple[TreeNode, ...]) -> list[tuple[object, ...]]:
    """What a tree asks and decides, with its thresholds as ONNX keeps them."""
    return [
        (
            node.number,
            node.level,
            node.feature,
            node.relation,
            None if node.threshold is None else np.float32(node.threshold),
            node.true_child,
            node.false_child,
            node.label,
        )
        for node in tree
    ]


def test_a_tree_in_onnx_is_the_tree_in_the_pickle(tmp_path: Path) -> None:
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(trained("tree")))
    facts = exported("tree", tmp_path)
    assert (facts.format, facts.framework) == ("ONNX", "scikit-learn")
    assert (facts.algorithm, facts.kind, facts.model_type) == ("Decision Tree", "DecisionTree", "Classification")
    assert facts.labels == ("host", "pin", "prefetch")
    assert [shape_of(tree) for tree in facts.trees] == [
        shape_of(tree) for tree in read_model(tmp_path / "model.pkl").trees
    ]
    assert [(one.name, one.datatype, one.shape_text) for one in facts.inputs] == [("X", "float32", "[N, 4]")]
    assert facts.operators["ai.onnx.ml.TreeEnsembleClassifier"] == 1


def test_many_trees_are_told_without_guessing_which_algorithm_made_them(tmp_path: Path) -> None:
    facts = exported("forest", tmp_path)
    assert (facts.algorithm, facts.kind, len(facts.trees)) == ("", "MachineLearningModel", 7)
    facts = exported("boosting", tmp_path)
    assert (facts.model_type, len(facts.trees)) == ("Regression", 3)
    leaves = [node for tree in facts.trees for node in tree if node.feature is None]
    assert leaves
    assert all(leaf.value is not None and leaf.label is None for leaf in leaves)


def test_a_linear_model_is_told_by_its_operator(tmp_path: Path) -> None:
    assert exported("linear", tmp_path).kind == "LinearRegressionModel"
    logistic = exported("logistic", tmp_path, options={"zipmap": False})
    assert (logistic.kind, logistic.labels) == ("GeneralizedLinearModel", ("host", "pin", "prefetch"))


def test_what_is_no_array_has_no_shape(tmp_path: Path) -> None:
    """A classifier gives its probabilities as a map for each row."""
    (labels, probabilities) = exported("logistic", tmp_path).outputs
    assert (labels.datatype, labels.shape_text) == ("string", "[N]")
    assert (probabilities.datatype, probabilities.shape_text) == ("sequence of maps", "")


def network(folder: Path, *, opset: int = 18, external: bool = False) -> Path:
    """A small network with a loop's worth of operators, 3 * 8 + 8 + 1 learned numbers, and a branch."""
    weights = numpy_helper.from_array(np.zeros((1, 3, 2, 2), np.float32), "w")
    bias = numpy_helper.from_array(np.zeros(8, np.float32), "b")
    branch = helper.make_graph(
        [helper.make_node("Relu", ["c"], ["r"])],
        "then",
        [],
        [helper.make_tensor_value_info("r", TensorProto.FLOAT, None)],
    )
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w"], ["c"]),
            helper.make_node("If", ["flag"], ["y"], then_branch=branch, else_branch=branch),
        ],
        "small network",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3, None, 32]),
            helper.make_tensor_value_info("flag", TensorProto.BOOL, []),
            helper.make_tensor_value_info("w", TensorProto.FLOAT, [1, 3, 2, 2]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.BFLOAT16, ["batch", 10])],
        [weights, bias],
    )
    model = helper.make_model(graph, producer_name="pytorch", producer_version="2.6.0", doc_string="For a test.")
    model.opset_import[0].version = opset
    helper.set_model_props(model, {"author": "A. Person"})
    path = folder / "network.onnx"
    onnx.save(model, str(path), save_as_external_data=external, size_threshold=0)
    return path


def test_a_network_is_told_by_its_operators_and_shapes(tmp_path: Path) -> None:
    facts = read_model(network(tmp_path))
    assert facts.kind == "ConvolutionalNeuralNetwork"
    assert facts.operators == {"Conv": 1, "If": 1, "Relu": 2}
    assert facts.parameters == 12 + 8
    assert (facts.framework, facts.framework_version, facts.name) == ("PyTorch", "2.6.0", "small network")
    assert facts.description == "For a test."
    assert [(one.name, one.datatype, one.shape_text) for one in facts.inputs] == [
        ("x", "float32", "[batch, 3, N, 32]"),
        ("flag", "bool", "[]"),
    ]
    assert facts.outputs[0].datatype == "bfloat16"
    assert facts.properties["operator set ai.onnx"] == 18
    assert facts.properties["metadata author"] == "A. Person"


def test_numbers_in_files_beside_it_are_counted_and_not_read(tmp_path: Path) -> None:
    path = network(tmp_path, external=True)
    beside = [file for file in tmp_path.iterdir() if file != path]
    assert beside
    for file in beside:
        file.unlink()
    facts = read_model(path)
    assert facts.parameters == 20
    assert any("external" in remark for remark in facts.remarks)


def test_a_name_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"x" * 100)
    model = onnx.load(str(network(tmp_path, external=True)), load_external_data=False)
    for initializer in model.graph.initializer:
        initializer.external_data[0].value = "../../../../etc/passwd"
    path = tmp_path / "hostile.onnx"
    path.write_bytes(model.SerializeToString())
    assert read_model(path).parameters == 20


@pytest.mark.parametrize("content", [b"\xff" * 100, b"<html></html>", b"\x08\x09"], ids=range(3))
def test_what_is_no_onnx_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(SourceSyntaxError, match="not a model in ONNX"):
        read_model(path)


def test_trees_in_a_circle_are_refused(tmp_path: Path) -> None:
    model = onnx.load_from_string(converted("tree"))
    (told,) = [one for one in model.graph.node[0].attribute if one.name == "nodes_truenodeids"]
    told.ints[2] = 2
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(SourceSyntaxError, match="contradicts itself"):
        read_model(path)


def test_what_protobuf_cannot_hold_is_refused(tmp_path: Path) -> None:
    path = network(tmp_path)
    with pytest.raises(SourceUnreadable, match="larger than"):
        read_onnx_model(path, largest=100)
