"""The facts of a model as values: inputs, outputs, operators, parameters and decision trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Setting = str | int | float | bool
"""The value of a hyperparameter or another property of a model."""


@dataclass(frozen=True)
class Tensor:
    """An input or output of a model.

    Args:
        name: its name in the file; may be empty.
        datatype: NumPy's name of the element type; empty if unknown.
        shape: its dimensions; a variable dimension is a name. None if unknown or not an array.
    """

    name: str
    datatype: str
    shape: tuple[int | str, ...] | None

    @property
    def shape_text(self) -> str:
        """The shape in the HPC ontology's notation: `[N, 58]`; may be empty."""
        return "" if self.shape is None else f"[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class TreeNode:
    """A node of a decision tree.

    Args:
        number: its number in its tree; the root has the lowest.
        level: its distance from the root.
        feature: the number of the compared feature; None at a leaf.
        relation: the comparison, such as `<=`; empty at a leaf.
        threshold: None at a leaf.
        true_child: the next node if the comparison is true; None at a leaf.
        false_child: the next node otherwise.
        label: the decision of a leaf; None if several trees decide together.
        value: the number of a leaf; None if it has a label.
    """

    number: int
    level: int
    feature: int | None = None
    relation: str = ""
    threshold: float | None = None
    true_child: int | None = None
    false_child: int | None = None
    label: str | None = None
    value: float | None = None


@dataclass(frozen=True)
class ModelFacts:
    """The content of a model file. Unknown texts are empty.

    Args:
        framework: the software that built the model.
        framework_version: its version.
        algorithm: such as `Decision Tree`.
        kind: the local name of its class in the HPC ontology; `AIModel` by default.
        learning_type: `Supervised` or `Unsupervised`.
        model_type: `Classification`, `Regression` or `Clustering`.
        features: the names of the features, by number.
        labels: the labels of a classifier.
        operators: the number of uses of each operator, by name.
        parameters: the number of learned parameters, if known.
        properties: further build properties.
        trees: the nodes of each decision tree.
        remarks: messages about content that was not read.
    """

    format: str
    framework: str = ""
    framework_version: str = ""
    algorithm: str = ""
    kind: str = "AIModel"
    learning_type: str = ""
    model_type: str = ""
    name: str = ""
    description: str = ""
    inputs: tuple[Tensor, ...] = ()
    outputs: tuple[Tensor, ...] = ()
    features: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    operators: dict[str, int] = field(default_factory=dict)
    parameters: int | None = None
    hyperparameters: dict[str, Setting] = field(default_factory=dict)
    properties: dict[str, Setting] = field(default_factory=dict)
    trees: tuple[tuple[TreeNode, ...], ...] = ()
    remarks: tuple[str, ...] = ()


def feature_name(facts: ModelFacts, number: int) -> str:
    """The name of a feature, else its number."""
    return facts.features[number] if number < len(facts.features) else f"feature {number}"


def with_levels(nodes: Mapping[int, TreeNode], root: int = 0) -> tuple[TreeNode, ...]:
    """The nodes reachable from the root with their levels, by number.

    Raises:
        ValueError: a child does not exist or has two parents.
    """
    found: dict[int, TreeNode] = {}
    numbers = [root]
    level = 0
    while numbers:
        below: list[int] = []
        for number in numbers:
            if number not in nodes or number in found:
                raise ValueError(f"node {number} of a tree is missing, or has two above it")
            node = replace(nodes[number], level=level)
            found[number] = node
            below.extend(child for child in (node.true_child, node.false_child) if child is not None)
        numbers, level = below, level + 1
    return tuple(found[number] for number in sorted(found))
