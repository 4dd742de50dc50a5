"""Describe a model as an `hpc:AIModel`.

Source: Table V of the HPC ontology's paper (seed 000) for the model, Section VI of "Making machine learning datasets
and models FAIR for HPC" (seed 001) for the nodes of its trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from hpc_explorer.annotate.forms.values import entry_node
from hpc_explorer.annotate.models.facts import ModelFacts, Setting, TreeNode, feature_name
from hpc_explorer.rdf.namespaces import HPC, RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term, Triple

FRAMEWORKS: Mapping[str, str] = {
    "CNTK": "https://github.com/microsoft/CNTK",
    "Keras": "https://keras.io/",
    "LightGBM": "https://lightgbm.readthedocs.io/",
    "PaddlePaddle": "https://www.paddlepaddle.org.cn/",
    "PyTorch": "https://pytorch.org/",
    "TensorFlow": "https://www.tensorflow.org/",
    "XGBoost": "https://xgboost.readthedocs.io/",
    "scikit-learn": "https://scikit-learn.org/",
}
"""The homepages of frameworks, which identify them."""


def statements_of(facts: ModelFacts, model: NamedNode, name: str, *, with_trees: bool) -> Iterator[Triple]:
    """The statements about a model.

    Args:
        model: the model's IRI, which tree nodes extend by a fragment.
        with_trees: whether to describe tree nodes.
    """
    yield Triple(model, RDF.type, HPC.AIModel)
    if facts.kind != "AIModel":
        yield Triple(model, RDF.type, HPC.term(facts.kind))
    for term, text in (
        (HPC.name, name),
        (HPC.description, facts.description),
        (HPC.modelFormat, facts.format),
        (HPC.modelType, facts.model_type),
        (HPC.learningType, facts.learning_type),
        (HPC.learningAlgorithm, facts.algorithm),
    ):
        if text:
            yield Triple(model, term, Literal(text))
    for tensor in facts.inputs:
        if tensor.shape_text:
            yield Triple(model, HPC.inputShape, Literal(tensor.shape_text))
    if facts.framework:
        software = NamedNode(FRAMEWORKS[facts.framework])
        yield Triple(model, HPC.framework, software)
        yield Triple(software, RDF.type, HPC.Software)
        yield Triple(software, HPC.name, Literal(facts.framework))
    for key, value in facts.hyperparameters.items():
        yield from _entry(model, HPC.hyperParameter, key, value)
    for key, value in _properties(facts).items():
        yield from _entry(model, HPC.modelProperty, key, value)
    if with_trees:
        yield from _trees(facts, model)


def _properties(facts: ModelFacts) -> dict[str, Setting]:
    """The build properties of a model by their labels."""
    found: dict[str, Setting] = {}
    if facts.framework_version:
        found["framework version"] = facts.framework_version
    if facts.name:
        found["name in the file"] = facts.name
    for way, tensors in (("input", facts.inputs), ("output", facts.outputs)):
        for place, tensor in enumerate(tensors, 1):
            of = " ".join(part for part in (tensor.datatype, tensor.shape_text) if part)
            found[f"{way} {tensor.name or place}"] = of
    if facts.labels:
        found["labels"] = ", ".join(facts.labels)
    if facts.parameters is not None:
        found["parameters"] = facts.parameters
    found.update(facts.properties)
    found.update({f"operator {operator}": count for operator, count in facts.operators.items()})
    return found


def _entry(model: NamedNode, property: NamedNode, key: str, value: Setting) -> Iterator[Triple]:
    place = BlankNode()
    yield Triple(model, property, place)
    for predicate, term in sorted(entry_node(key, _literal(value)).facts, key=str):
        yield Triple(place, predicate, term)


def _literal(value: Setting) -> Literal:
    # A boolean is an integer in Python, and the ontology has doubles.
    return Literal(value) if not isinstance(value, float) else _double(value)


def _double(value: float) -> Literal:
    text = {"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(repr(value), repr(value))
    return Literal(text, datatype=XSD.double)


def _trees(facts: ModelFacts, model: NamedNode) -> Iterator[Triple]:
    for feature in sorted({node.feature for tree in facts.trees for node in tree if node.feature is not None}):
        yield from _named(_part(model, f"feature-{feature}"), feature_name(facts, feature))
    for label in sorted({node.label for tree in facts.trees for node in tree if node.label is not None}):
        yield from _named(_part(model, f"label-{label}"), label)
    for number, tree in enumerate(facts.trees):
        for node in tree:
            yield from _node(facts, model, number, node)


def _named(artifact: NamedNode, name: str) -> Iterator[Triple]:
    yield Triple(artifact, RDF.type, HPC.Artifact)
    yield Triple(artifact, HPC.name, Literal(name))


def _node(facts: ModelFacts, model: NamedNode, tree: int, node: TreeNode) -> Iterator[Triple]:
    def place(number: int) -> NamedNode:
        return _part(model, f"tree-{tree}-node-{number}")

    here = place(node.number)
    said: list[tuple[NamedNode, Term]] = [(RDF.type, HPC.DecisionTreeNode)]
    if node.level == 0:
        yield Triple(model, HPC.rootNode, here)
    said.append((HPC.treeNodeLevel, Literal(node.level)))
    said.append((HPC.hasChildNode, Literal(node.feature is not None)))
    if node.feature is not None and node.threshold is not None:
        name = f"{feature_name(facts, node.feature)} {node.relation} {node.threshold:.6g}"
        said.append((HPC.decisionFeature, _part(model, f"feature-{node.feature}")))
        said.append((HPC.relation, Literal(node.relation)))
        said.append((HPC.relationValue, _double(node.threshold)))
    else:
        name = node.label if node.label is not None else "" if node.value is None else f"{node.value:.6g}"
    if name:
        said.append((HPC.name, Literal(name)))
    if node.true_child is not None:
        said.append((HPC.trueNode, place(node.true_child)))
    if node.false_child is not None:
        said.append((HPC.falseNode, place(node.false_child)))
    if node.label is not None:
        said.append((HPC.decisionLabel, _part(model, f"label-{node.label}")))
    if node.value is not None:
        said.append((HPC.decisionValue, _double(node.value)))
    for predicate, term in said:
        yield Triple(here, predicate, term)


def _part(model: NamedNode, name: str) -> NamedNode:
    """The IRI of a part of a model, always within the model's IRI."""
    return NamedNode(f"{model.value.partition('#')[0]}#{quote(name, safe='')}")
