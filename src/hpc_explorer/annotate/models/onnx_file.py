"""Read the facts of an ONNX model: inputs, outputs, operators and trees.

Source: https://onnx.ai/onnx/repo-docs/IR.html, and the tree operators in `ai.onnx.ml`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.annotate.models.facts import ModelFacts, Setting, Tensor, TreeNode, with_levels
from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from hpc_explorer.rdf.syntax.files import input_error

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto

LARGEST = 2 << 30
"""The limit of protobuf; larger models store their tensors in other files."""

FRAMEWORKS_OF_PRODUCERS = {
    "pytorch": "PyTorch",
    "skl2onnx": "scikit-learn",
    "tf2onnx": "TensorFlow",
    "keras2onnx": "Keras",
    "OnnxMLTools": "",
    "xgboost": "XGBoost",
    "lightgbm": "LightGBM",
    "PaddlePaddle": "PaddlePaddle",
    "CNTK": "CNTK",
}
"""The framework of a model by the producer that its file names."""

_RELATIONS = {
    "BRANCH_LEQ": "<=",
    "BRANCH_LT": "<",
    "BRANCH_GTE": ">=",
    "BRANCH_GT": ">",
    "BRANCH_EQ": "=",
    "BRANCH_NEQ": "!=",
}

# The operators that identify the kind of a model, the most specific first.
_KINDS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("SVMClassifier", "SVMRegressor"), "Support Vector Machine", "SupportVectorMachine"),
    (("LinearClassifier",), "", "GeneralizedLinearModel"),
    (("LinearRegressor",), "", "LinearRegressionModel"),
    (("LSTM",), "", "LongShortTermMemory"),
    (("GRU", "RNN"), "", "RecurrentNeuralNetwork"),
    (("Attention", "MultiHeadAttention"), "", "Transformer"),
    (("Conv", "ConvTranspose"), "", "ConvolutionalNeuralNetwork"),
)


def read_onnx_model(path: Path, *, largest: int = LARGEST) -> ModelFacts:
    """Read the facts of an ONNX model; external tensors are not read.

    Raises:
        SourceUnreadable: it cannot be read, or exceeds protobuf's limit.
        SourceSyntaxError: it is not ONNX.
    """
    import onnx
    from google.protobuf.message import DecodeError

    try:
        if path.stat().st_size > largest:
            raise SourceUnreadable(
                f"larger than {largest >> 20:,} MiB, which no file of protobuf is", str(path), "describe it in a form"
            )
        model = onnx.load(str(path), load_external_data=False)
    except OSError as error:
        raise input_error(error, path, "model") from None
    except DecodeError as error:
        raise SourceSyntaxError(f"not a model in ONNX ({error})", str(path), "fetch it again") from None
    if not model.graph.node and not model.graph.output:
        raise SourceSyntaxError("not a model in ONNX: it has no graph", str(path), "fetch it again")
    try:
        return _facts(model)
    except (ValueError, IndexError, UnicodeDecodeError) as error:
        raise SourceSyntaxError(
            f"a model in ONNX that contradicts itself ({error})", str(path), "export it again"
        ) from None


def _facts(model: ModelProto) -> ModelFacts:
    graph = model.graph
    nodes = list(_nodes(graph))
    operators = Counter(f"{node.domain}.{node.op_type}" if node.domain else node.op_type for node in nodes)
    ensembles = [node for node in nodes if node.op_type in ("TreeEnsembleClassifier", "TreeEnsembleRegressor")]
    trees: tuple[tuple[TreeNode, ...], ...] = ()
    labels: tuple[str, ...] = ()
    remarks: list[str] = []
    for node in ensembles:
        attributes = _attributes(node)
        labels = _labels(attributes)
        trees += tuple(_trees(attributes, labels))
    if any(node.op_type == "TreeEnsemble" for node in nodes):
        remarks.append("the nodes of its TreeEnsemble operators are not read")
    for node in nodes:
        labels = labels or _labels(_attributes(node))
    if any(initializer.external_data for initializer in graph.initializer):
        remarks.append("numbers in external files were counted by their shapes, not read")
    algorithm, kind = _kind_of(operators, trees, {node.op_type for node in nodes})
    properties: dict[str, Setting] = {"ONNX IR version": int(model.ir_version)}
    for opset in model.opset_import:
        properties[f"operator set {opset.domain or 'ai.onnx'}"] = int(opset.version)
    if model.producer_name:
        properties["producer"] = " ".join((model.producer_name, model.producer_version)).strip()
    properties["operators"] = sum(operators.values())
    if trees:
        properties["trees"] = len(trees)
        properties["tree nodes"] = sum(map(len, trees))
        properties["tree depth"] = max(node.level for tree in trees for node in tree)
    for entry in model.metadata_props:
        properties[f"metadata {entry.key}"] = entry.value
    known = {initializer.name for initializer in graph.initializer}
    classifies = bool(labels) or any("Classifier" in node.op_type for node in nodes)
    regresses = any("Regressor" in node.op_type for node in nodes)
    framework = FRAMEWORKS_OF_PRODUCERS.get(model.producer_name, "")
    return ModelFacts(
        format="ONNX",
        framework=framework,
        framework_version=model.producer_version if model.producer_name == "pytorch" else "",
        algorithm=algorithm,
        kind=kind,
        learning_type="Supervised" if classifies or regresses else "",
        model_type="Classification" if classifies else "Regression" if regresses else "",
        name=graph.name,
        description=model.doc_string or graph.doc_string,
        inputs=tuple(_tensor(value) for value in graph.input if value.name not in known),
        outputs=tuple(_tensor(value) for value in graph.output),
        labels=labels,
        operators=dict(sorted(operators.items())),
        parameters=_learned(graph),
        properties=properties,
        trees=trees,
        remarks=tuple(remarks),
    )


def _nodes(graph: GraphProto) -> Iterator[NodeProto]:
    """The operators of a graph including its subgraphs."""
    waiting = [graph]
    while waiting:
        for node in waiting.pop().node:
            yield node
            for attribute in node.attribute:
                waiting.extend(attribute.graphs)
                if attribute.HasField("g"):
                    waiting.append(attribute.g)


def _attributes(node: NodeProto) -> dict[str, Any]:
    """The attributes of an operator by name."""
    return {one.name: list(one.ints or one.strings or one.floats or [one.s] * bool(one.s)) for one in node.attribute}


def _labels(attributes: dict[str, Any]) -> tuple[str, ...]:
    names = attributes.get("classlabels_strings") or attributes.get("classlabels_int64s") or ()
    return tuple(name.decode() if isinstance(name, bytes) else str(name) for name in names)


def _kind_of(operators: Counter[str], trees: tuple[tuple[TreeNode, ...], ...], names: Iterable[str]) -> tuple[str, str]:
    """The learning algorithm and the ontology class that the operators indicate."""
    if len(trees) == 1:
        return "Decision Tree", "DecisionTree"
    if trees:
        # Random forests and boosted trees use the same operators.
        return "", "MachineLearningModel"
    for known, algorithm, kind in _KINDS:
        if not set(known).isdisjoint(names):
            return algorithm, kind
    if operators["MatMul"] + operators["Gemm"] > 0:
        return "", "ArtificialNeuralNetwork"
    return "", "AIModel"


_OTHER_TYPES = {
    "sequence_type": "sequence",
    "map_type": "map",
    "optional_type": "optional value",
    "sparse_tensor_type": "sparse tensor",
}


def _tensor(value: ValueInfoProto) -> Tensor:
    from onnx import TensorProto, helper

    kind = value.type.WhichOneof("value")
    if kind != "tensor_type":
        inner = value.type.sequence_type.elem_type.WhichOneof("value") if kind == "sequence_type" else None
        told = f"{_OTHER_TYPES.get(kind or '', '')} of {_OTHER_TYPES[inner]}s" if inner in _OTHER_TYPES else ""
        return Tensor(value.name, told or _OTHER_TYPES.get(kind or "", ""), None)
    tensor = value.type.tensor_type
    datatype = ""
    if tensor.elem_type:
        datatype = "string" if tensor.elem_type == TensorProto.STRING else str(_name(helper, tensor.elem_type))
    if not tensor.HasField("shape"):
        return Tensor(value.name, datatype, None)
    shape = tuple(int(one.dim_value) if one.HasField("dim_value") else one.dim_param or "N" for one in tensor.shape.dim)
    return Tensor(value.name, datatype, shape)


def _name(helper: Any, element: int) -> object:
    try:
        return helper.tensor_dtype_to_np_dtype(element)
    except KeyError:
        return f"type {element}"


def _learned(graph: GraphProto) -> int | None:
    """The number of elements in all initializers; None without any."""
    if not graph.initializer and not graph.sparse_initializer:
        return None
    dense: int = sum(math.prod(one.dims) for one in graph.initializer)
    return dense + sum(math.prod(one.values.dims) for one in graph.sparse_initializer)


def _trees(told: dict[str, Any], labels: tuple[str, ...]) -> Iterator[tuple[TreeNode, ...]]:
    """The trees of a TreeEnsembleClassifier or TreeEnsembleRegressor from their parallel lists.

    A leaf has one weight per class or output. In a single tree, it decides for the class with the greatest weight.
    """
    weights = _weights(told)
    nodes: dict[int, dict[int, TreeNode]] = {}
    alone = len(set(told["nodes_treeids"])) == 1
    for place, (tree, number) in enumerate(zip(told["nodes_treeids"], told["nodes_nodeids"], strict=True)):
        mode = told["nodes_modes"][place].decode()
        if mode != "LEAF":
            node = TreeNode(
                number,
                0,
                told["nodes_featureids"][place],
                _RELATIONS.get(mode, mode),
                float(told["nodes_values"][place]),
                told["nodes_truenodeids"][place],
                told["nodes_falsenodeids"][place],
            )
        else:
            given = weights.get((tree, number), {})
            node = _leaf(number, given, labels if alone or len(given) == len(labels) > 1 else ())
        nodes.setdefault(tree, {})[number] = node
    for tree in sorted(nodes):
        below = {child for node in nodes[tree].values() for child in (node.true_child, node.false_child)}
        roots = [number for number in nodes[tree] if number not in below]
        yield with_levels(nodes[tree], roots[0] if roots else 0)


def _weights(told: dict[str, Any]) -> dict[tuple[int, int], dict[int, float]]:
    """The weights of each leaf by tree and number, one per class or output."""
    kind = "class" if "class_weights" in told else "target"
    weights: dict[tuple[int, int], dict[int, float]] = {}
    for tree, number, which, weight in zip(
        told.get(f"{kind}_treeids", ()),
        told.get(f"{kind}_nodeids", ()),
        told.get(f"{kind}_ids", ()),
        told.get(f"{kind}_weights", ()),
        strict=True,
    ):
        weights.setdefault((tree, number), {})[which] = float(weight)
    return weights


def _leaf(number: int, weights: dict[int, float], labels: tuple[str, ...]) -> TreeNode:
    if labels and weights:
        which = max(weights, key=lambda one: (weights[one], -one))
        # With two classes, a single weight may be given, for the second class.
        if len(labels) == 2 and len(weights) == 1:
            which = 1 if weights[which] > 0.5 else 0
        if which < len(labels):
            return TreeNode(number, 0, label=labels[which])
    return TreeNode(number, 0, value=next(iter(weights.values())) if len(weights) == 1 else None)
