"""Read the facts of a scikit-learn model from a pickle or joblib file."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from hpc_explorer.annotate.models.facts import ModelFacts, Setting, Tensor, TreeNode, with_levels
from hpc_explorer.annotate.models.inert_pickle import DamagedPickle, Made, read_inert, value_of_scalar
from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable, UnsupportedSyntax
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.syntax.unpacking import most_unpacked, too_large_unpacked

LARGEST = 2 << 30
"""The most decompressed bytes of a pickle that are read into memory."""

_COMPRESSED: tuple[tuple[bytes, Callable[[], Any]], ...] = (
    (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    (b"x", zlib.decompressobj),
    (b"BZ", bz2.BZ2Decompressor),
    (b"\xfd7zXZ", lzma.LZMADecompressor),
    (b"]\x00", lambda: lzma.LZMADecompressor(format=lzma.FORMAT_ALONE)),
)

# Estimators of scikit-learn by a prefix of their name: the algorithm, and the class of the HPC ontology.
_ALGORITHMS: tuple[tuple[str, str, str], ...] = (
    ("DecisionTree", "Decision Tree", "DecisionTree"),
    ("ExtraTreeC", "Decision Tree", "DecisionTree"),
    ("ExtraTreeR", "Decision Tree", "DecisionTree"),
    ("RandomForest", "Random Forest", "RandomForest"),
    ("ExtraTrees", "Extremely Randomized Trees", "MachineLearningModel"),
    ("GradientBoosting", "Gradient Boosting", "MachineLearningModel"),
    ("HistGradientBoosting", "Histogram-based Gradient Boosting", "MachineLearningModel"),
    ("AdaBoost", "AdaBoost", "MachineLearningModel"),
    ("Bagging", "Bagging", "MachineLearningModel"),
    ("LinearRegression", "Linear Regression", "LinearRegressionModel"),
    ("LogisticRegression", "Logistic Regression", "LogisticRegressionModel"),
    ("Ridge", "Ridge Regression", "LinearRegressionModel"),
    ("Lasso", "Lasso", "LinearRegressionModel"),
    ("ElasticNet", "Elastic Net", "LinearRegressionModel"),
    ("SGD", "Stochastic Gradient Descent", "MachineLearningModel"),
    ("LinearSV", "Support Vector Machine", "SupportVectorMachine"),
    ("SVC", "Support Vector Machine", "SupportVectorMachine"),
    ("SVR", "Support Vector Machine", "SupportVectorMachine"),
    ("NuSV", "Support Vector Machine", "SupportVectorMachine"),
    ("OneClassSVM", "Support Vector Machine", "SupportVectorMachine"),
    ("MLP", "Multilayer Perceptron", "MultilayerPerceptron"),
    ("KNeighbors", "k-Nearest Neighbours", "MachineLearningModel"),
    ("KMeans", "k-Means", "MachineLearningModel"),
    ("MiniBatchKMeans", "k-Means", "MachineLearningModel"),
    ("DBSCAN", "DBSCAN", "MachineLearningModel"),
    ("GaussianNB", "Naive Bayes", "MachineLearningModel"),
    ("MultinomialNB", "Naive Bayes", "MachineLearningModel"),
    ("BernoulliNB", "Naive Bayes", "MachineLearningModel"),
    ("GaussianProcess", "Gaussian Process", "MachineLearningModel"),
    ("IsolationForest", "Isolation Forest", "MachineLearningModel"),
)

_UNSUPERVISED = ("KMeans", "DBSCAN", "Mixture", "PCA", "NMF", "Clustering", "OPTICS", "IsolationForest", "OneClassSVM")

# Forests whose leaves decide independently; in boosting each tree corrects the previous ones.
_VOTING = ("RandomForest", "ExtraTrees", "Bagging", "DecisionTree", "ExtraTree")


def read_pickled_model(path: Path, *, largest: int = LARGEST) -> ModelFacts:
    """Read the facts of a model in a pickle without executing it.

    Args:
        path: a pickle or joblib file, also compressed by zlib, gzip, bz2, xz or lzma.
        largest: the most decompressed bytes; `rdf.unpacking` has a further limit for compressed files.

    Raises:
        SourceUnreadable: the file cannot be read or is too large.
        SourceSyntaxError: the file is damaged.
        UnsupportedSyntax: not a scikit-learn model.
    """
    content = _unpacked(path, largest)
    try:
        read = read_inert(content)
    except DamagedPickle as error:
        raise SourceSyntaxError(
            f"not a pickle that can be read without running it ({error})", str(path), "save the model as ONNX"
        ) from None
    if not isinstance(read, Made) or read.module.split(".")[0] != "sklearn":
        what = f"{read.module}.{read.name}" if isinstance(read, Made) else type(read).__name__
        raise UnsupportedSyntax(
            f"a pickle of {what}, which is not a scikit-learn model; nothing was executed",
            str(path),
            "describe it in a form, or save the model as ONNX",
        )
    joined = b"NumpyArrayWrapper" in content
    try:
        return _facts(read, "joblib" if joined else "pickle")
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise SourceSyntaxError(
            f"a model that does not look as scikit-learn writes it ({error})", str(path), "save the model as ONNX"
        ) from None


def _unpacked(path: Path, largest: int) -> bytes:
    try:
        with open(path, "rb") as stream:
            begin = stream.read(8)
            stream.seek(0)
            compressed = next((kind for magic, kind in _COMPRESSED if begin.startswith(magic)), None)
            if compressed is None:
                content = stream.read(largest + 1)
            else:
                packed = path.stat().st_size
                content = _inflated(path, stream, compressed(), min(largest, most_unpacked(packed)))
                if most_unpacked(packed) < min(largest + 1, len(content)):
                    raise too_large_unpacked(packed, str(path))
    except OSError as error:
        raise input_error(error, path, "model") from None
    except (zlib.error, lzma.LZMAError, EOFError, gzip.BadGzipFile) as error:
        raise SourceSyntaxError(f"damaged ({error})", str(path), "fetch it again") from None
    if len(content) > largest:
        raise SourceUnreadable(
            f"larger than {largest >> 20:,} MiB when it is unpacked", str(path), "describe it in a form"
        )
    return content


def _inflated(path: Path, stream: BinaryIO, reader: Any, largest: int) -> bytes:
    """The decompressed content of a file, at most one byte more than `largest`."""
    content = BytesIO()
    while content.tell() <= largest and not reader.eof:
        part = stream.read(1 << 16)
        if not part and getattr(reader, "needs_input", True):
            raise SourceSyntaxError("it ends within what is compressed", str(path), "fetch it again")
        content.write(_inflated_part(reader, part, largest + 1 - content.tell()))
    return content.getvalue()


def _inflated_part(reader: Any, part: bytes, room: int) -> bytes:
    """The decompressed content of a part, up to the remaining limit."""
    if hasattr(reader, "unconsumed_tail"):
        return bytes(reader.decompress(reader.unconsumed_tail + part, room))
    return bytes(reader.decompress(part if reader.needs_input else b"", room))


def _facts(model: Made, format: str) -> ModelFacts:
    found = model.attributes.get("best_estimator_")
    if isinstance(found, Made):
        # A hyperparameter search predicts with its best estimator.
        facts = _facts(found, format)
        return replace(facts, properties={**facts.properties, "found by": f"{model.module}.{model.name}"})
    steps, estimator = _steps(model)
    told = estimator.attributes
    algorithm, kind = next(
        ((algorithm, kind) for name, algorithm, kind in _ALGORITHMS if estimator.name.startswith(name)),
        (estimator.name, "MachineLearningModel"),
    )
    unsupervised = any(part in estimator.name for part in _UNSUPERVISED)
    labels = tuple(_text(label) for label in _items(told.get("classes_")))
    model_type = (
        "Classification"
        if labels or estimator.name.endswith(("Classifier", "SVC", "NB"))
        else "Regression"
        if estimator.name.endswith(("Regressor", "Regression", "SVR"))
        else "Clustering"
        if unsupervised and "labels_" in told
        else ""
    )
    trees = tuple(_tree(one, labels, voting=estimator.name.startswith(_VOTING)) for one in _trees(estimator))
    first = steps[0][1].attributes if steps else told
    features = tuple(_text(one) for one in _items(first.get("feature_names_in_", told.get("feature_names_in_"))))
    count = first.get("n_features_in_", told.get("n_features_in_"))
    properties: dict[str, Setting] = {"estimator": f"{estimator.module}.{estimator.name}"}
    if isinstance(count, int):
        properties["features"] = count
    if steps:
        properties["steps"] = ", ".join(f"{name}: {step.name}" for name, step in steps)
    if trees:
        properties["trees"] = len(trees)
        properties["tree nodes"] = sum(map(len, trees))
        properties["tree depth"] = max(node.level for tree in trees for node in tree)
    remarks: tuple[str, ...] = ()
    if not trees and algorithm == "Histogram-based Gradient Boosting":
        remarks = ("the nodes of its trees are kept in another way, and are not read",)
    return ModelFacts(
        format=format,
        framework="scikit-learn",
        framework_version=str(model.attributes.get("_sklearn_version", told.get("_sklearn_version", ""))),
        algorithm=algorithm,
        kind=kind,
        learning_type="Unsupervised" if unsupervised else "Supervised" if model_type else "",
        model_type=model_type,
        inputs=(Tensor("", "", ("N", count)),) if isinstance(count, int) else (),
        features=features,
        labels=labels,
        parameters=_learned(told),
        hyperparameters=dict(_hyperparameters(told)),
        properties=properties,
        trees=trees,
        remarks=remarks,
    )


def _steps(model: Made) -> tuple[list[tuple[str, Made]], Made]:
    """The steps of a pipeline and its final estimator; other models are their own estimator."""
    steps = [(str(name), step) for name, step in model.attributes.get("steps") or () if isinstance(step, Made)]
    if not steps:
        return [], model
    return steps, steps[-1][1]


def _trees(estimator: Made) -> Iterator[Made]:
    own = estimator.attributes.get("tree_")
    if isinstance(own, Made):
        yield own
        return
    for one in _items(estimator.attributes.get("estimators_")):
        if isinstance(one, Made) and isinstance(one.attributes.get("tree_"), Made):
            yield one.attributes["tree_"]


def _tree(tree: Made, labels: tuple[str, ...], *, voting: bool) -> tuple[TreeNode, ...]:
    """The nodes of a `sklearn.tree._tree.Tree`: left if the feature is at most the threshold."""
    nodes, values = tree.attributes["nodes"], tree.attributes["values"]
    made: dict[int, TreeNode] = {}
    for number, node in enumerate(nodes):
        if int(node["left_child"]) >= 0:
            made[number] = TreeNode(
                number,
                0,
                int(node["feature"]),
                "<=",
                float(node["threshold"]),
                int(node["left_child"]),
                int(node["right_child"]),
            )
            continue
        value = values[number].ravel()
        if labels and voting and len(value) == len(labels):
            made[number] = TreeNode(number, 0, label=labels[int(value.argmax())])
        else:
            made[number] = TreeNode(number, 0, value=float(value[0]) if len(value) == 1 else None)
    return with_levels(made)


def _hyperparameters(told: dict[str, Any]) -> Iterator[tuple[str, Setting]]:
    """The hyperparameters of an estimator: attributes without underscores at either end; learned ones end in one."""
    for name, value in told.items():
        if not name.startswith("_") and not name.endswith("_"):
            setting = _setting(value)
            # A forest stores the names of the parameters of its trees.
            if setting is not None and name != "estimator_params":
                yield name, setting


def _setting(value: Any) -> Setting | None:
    """The value of a parameter; None if it is unset or not a plain value."""
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Made) and value.name == "scalar" and len(value.arguments) == 2:
        return _scalar(value)
    if isinstance(value, tuple | list) and all(isinstance(one, str | bool | int | float) for one in value):
        return f"[{', '.join(map(str, value))}]"
    return None


def _scalar(made: Made) -> Setting | None:
    """The number from `numpy.generic.__reduce__`."""
    found = value_of_scalar(made)
    return found if isinstance(found, str | bool | int | float) else None


_COEFFICIENTS = ("coef_", "intercept_", "coefs_", "intercepts_")


def _learned(told: dict[str, Any]) -> int | None:
    """The number of coefficients, if the model has attributes of the usual names."""
    counts = [_count(told[name]) for name in _COEFFICIENTS if name in told]
    return sum(counts) if counts else None


def _count(value: Any) -> int:
    """The number of elements in an array, a list of arrays, or a number."""
    if isinstance(value, list):
        return sum(map(_count, value))
    return int(value.size) if hasattr(value, "size") else 1


def _items(value: Any) -> list[Any]:
    """The elements of an array or a list."""
    if value is None:
        return []
    return list(value.ravel()) if hasattr(value, "ravel") else list(value) if isinstance(value, list | tuple) else []


def _text(value: Any) -> str:
    return str(value.item() if hasattr(value, "item") else value)
