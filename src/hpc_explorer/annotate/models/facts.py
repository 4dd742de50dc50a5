"""The facts of a model as values: what it takes and gives, what it is made of, and its decision trees."""

from __future__ import annotations

from dataclasses import dataclass, field

Setting = str | int | float | bool
"""The value of a hyperparameter or of another property of a model."""


@dataclass(frozen=True)
class Tensor:
    """What a model takes or gives.

    Args:
        name: its name in the file; empty: it has none.
        datatype: what its elements are, as NumPy names it; empty: the file does not say.
        shape: its lengths; a text is a length that is open, under the name that the file gives it. None: it is no
            array, or the file does not say.
    """

    name: str
    datatype: str
    shape: tuple[int | str, ...] | None

    @property
    def shape_text(self) -> str:
        """The shape as the HPC ontology writes it: `[N, 58]`; empty where there is none."""
        return "" if self.shape is None else f"[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class TreeNode:
    """One node of a decision tree.

    Args:
        number: its number in its tree; the root has the first.
        level: how many steps it is away from the root.
        feature: the number of the feature that is compared; None at a leaf.
        relation: how the feature is compared with the threshold, such as `<=`; empty at a leaf.
        threshold: what the feature is compared with; None at a leaf.
        true_child: the node to go on at where the comparison holds; None at a leaf.
        false_child: the node to go on at where it does not.
        label: what is decided at a leaf; None: several trees decide together, and a leaf only gives them a number.
        value: the number that a leaf gives; None: it is a label.
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
    """What the file of a model says.

    Args:
        format: the format of the file, such as `ONNX`.
        framework: the software that the model was built in; empty: the file does not say.
        framework_version: the version of it; may be empty.
        algorithm: the learning algorithm, such as `Decision Tree`; empty: not known.
        kind: the class of the HPC ontology that the model is of, by its local name; `AIModel` where nothing finer is
            known.
        learning_type: `Supervised` or `Unsupervised`; empty: not known.
        model_type: the kind of problem: `Classification`, `Regression`, `Clustering`; empty: not known.
        name: what the file calls the model; may be empty.
        description: what the file says of the model in words; may be empty.
        inputs, outputs: what it takes and gives.
        features: the names of the features, by number; empty: they have none.
        labels: what it can decide; empty: it does not decide among labels, or the file does not say.
        operators: how often each operator occurs, in the order of their names.
        parameters: how many numbers were learned; None: they were not counted.
        hyperparameters: the settings that were chosen before learning.
        properties: further properties of the model's own build.
        trees: the nodes of each of its decision trees.
        remarks: what of the file was not understood, or not read.
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
    """What a feature is called: its own name, else its number."""
    return facts.features[number] if number < len(facts.features) else f"feature {number}"
