"""The facts of a model as values: inputs, outputs, operators, parameters and decision trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Setting = str | int | float | bool
"""The value of a hyperparameter or another property of a model."""


@dataclass(frozen=True)
class Tensor:
    """An input or output of a model."""

    name: str  # its name in the file; may be empty
    datatype: str  # NumPy's name of the element type; empty if unknown
    # its dimensions; a variable dimension is a name. None if unknown or not an array.
    shape: tuple[int | str, ...] | None

    @property
    def shape_text(self) -> str:
        """The shape in the HPC ontology's notation: `[N, 58]`; may be empty."""
        return "" if self.shape is None else f"[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class TreeNode:
    """A node of a decision tree."""

    number: int  # its number in its tree; the root has the lowest
    level: int  # its distance from the root
    feature: int | None = None  # the number of the compared feature; None at a leaf
    relation: str = ""  # the comparison, such as `<=`; empty at a leaf
    threshold: float | None = None  # None at a leaf
    true_child: int | None = None  # the next node if the comparison is true; None at a leaf
    false_child: int | None = None  # the next node otherwise
    label: str | None = None  # the decision of a leaf; None if several trees decide together
    value: float | None = None  # the number of a leaf; None if it has a label


@dataclass(frozen=True)
class ModelFacts:
    """The content of a model file. Unknown texts are empty."""

    format: str
    framework: str = ""  # the software that built the model
    framework_version: str = ""
    algorithm: str = ""  # such as `Decision Tree`
    kind: str = "AIModel"  # the local name of its class in the HPC ontology; `AIModel` by default
    learning_type: str = ""  # `Supervised` or `Unsupervised`
    model_type: str = ""  # `Classification`, `Regression` or `Clustering`
    name: str = ""
    description: str = ""
    inputs: tuple[Tensor, ...] = ()
    outputs: tuple[Tensor, ...] = ()
    features: tuple[str, ...] = ()  # the names of the features, by number
    labels: tuple[str, ...] = ()
    operators: dict[str, int] = field(default_factory=dict)  # the number of uses of each operator, by name
    parameters: int | None = None  # the number of learned parameters, if known
    hyperparameters: dict[str, Setting] = field(default_factory=dict)
    properties: dict[str, Setting] = field(default_factory=dict)  # further build properties
    trees: tuple[tuple[TreeNode, ...], ...] = ()
    remarks: tuple[str, ...] = ()  # messages about content that was not read


def feature_name(facts: ModelFacts, number: int) -> str:
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
