"""The facts of a model as statements."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.models.description import FRAMEWORKS, statements_of
from hpc_explorer.annotate.models.facts import ModelFacts, Tensor, TreeNode
from hpc_explorer.annotate.models.onnx_file import FRAMEWORKS_OF_PRODUCERS
from hpc_explorer.app.imports.models import described_model, write_model
from hpc_explorer.rdf.namespaces import HPC, RDF, XSD
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Triple
from tests.unit.annotate.models.estimators import trained

MODEL = NamedNode("https://example.org/models/tree#this")

STUMP = ModelFacts(
    "ONNX",
    framework="scikit-learn",
    framework_version="1.8",
    algorithm="Decision Tree",
    kind="DecisionTree",
    inputs=(Tensor("X", "float32", ("N", 2)),),
    features=("page faults",),
    labels=("pin", "../../a b>"),
    hyperparameters={"max_depth": 1, "presort": False, "ccp_alpha": 0.0},
    trees=(
        (
            TreeNode(0, 0, 0, "<=", 12.5, 1, 2),
            TreeNode(1, 1, label="pin"),
            TreeNode(2, 1, label="../../a b>"),
        ),
    ),
)


def stated(facts: ModelFacts, *, with_trees: bool = True) -> set[Triple]:
    return set(statements_of(facts, MODEL, "tree.onnx", with_trees=with_trees))


def value(triples: set[Triple], subject: object, predicate: NamedNode) -> list[object]:
    return [one.object for one in triples if one.subject == subject and one.predicate == predicate]


def test_the_model_has_the_properties_of_table_v() -> None:
    triples = stated(STUMP)
    assert set(value(triples, MODEL, RDF.type)) == {HPC.AIModel, HPC.DecisionTree}
    assert value(triples, MODEL, HPC.name) == [Literal("tree.onnx")]
    assert value(triples, MODEL, HPC.modelFormat) == [Literal("ONNX")]
    assert value(triples, MODEL, HPC.learningAlgorithm) == [Literal("Decision Tree")]
    assert value(triples, MODEL, HPC.inputShape) == [Literal("[N, 2]")]
    (framework,) = value(triples, MODEL, HPC.framework)
    assert value(triples, framework, HPC.name) == [Literal("scikit-learn")]


def test_hyperparameters_keep_their_datatypes() -> None:
    triples = stated(STUMP)
    entries = {}
    for node in value(triples, MODEL, HPC.hyperParameter):
        (key,) = value(triples, node, HPC.key)
        (entries[str(key)],) = value(triples, node, HPC.value)
    assert entries == {
        str(Literal("max_depth")): Literal(1),
        str(Literal("presort")): Literal(False),
        str(Literal("ccp_alpha")): Literal("0.0", datatype=XSD.double),
    }


def test_nodes_have_feature_and_threshold_and_leaves_their_label() -> None:
    triples = stated(STUMP)
    (root,) = value(triples, MODEL, HPC.rootNode)
    assert value(triples, root, HPC.relationValue) == [Literal(12.5)]
    assert value(triples, root, HPC.relation) == [Literal("<=")]
    assert value(triples, root, HPC.name) == [Literal("page faults <= 12.5")]
    (feature,) = value(triples, root, HPC.decisionFeature)
    assert value(triples, feature, HPC.name) == [Literal("page faults")]
    (leaf,) = value(triples, root, HPC.trueNode)
    assert value(triples, leaf, HPC.hasChildNode) == [Literal(False)]
    (label,) = value(triples, leaf, HPC.decisionLabel)
    assert value(triples, label, HPC.name) == [Literal("pin")]


def test_trees_can_be_left_out() -> None:
    assert not [one for one in stated(STUMP, with_trees=False) if one.predicate == HPC.rootNode]


@given(st.text(max_size=30))
def test_whatever_a_label_holds_its_iri_stays_within_the_model(label: str) -> None:
    facts = ModelFacts("ONNX", trees=((TreeNode(0, 0, label=label),),))
    (leaf,) = [one.object for one in stated(facts) if one.predicate == HPC.decisionLabel]
    assert isinstance(leaf, NamedNode)
    assert leaf.value.startswith("https://example.org/models/tree#label-")


@given(st.floats())
def test_thresholds_are_doubles_of_xml_schema(number: float) -> None:
    facts = ModelFacts("ONNX", trees=((TreeNode(0, 0, value=number),),))
    (given_number,) = [one.object for one in stated(facts) if one.predicate == HPC.decisionValue]
    assert isinstance(given_number, Literal)
    read = float(given_number.value.replace("INF", "inf"))
    assert read == number or (math.isnan(read) and math.isnan(number))


def test_every_framework_that_is_told_has_a_home() -> None:
    assert {name for name in FRAMEWORKS_OF_PRODUCERS.values() if name} <= set(FRAMEWORKS)


def test_what_is_written_reads_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "tree.pkl"
    path.write_bytes(pickle.dumps(trained("tree")))
    report = described_model(path)
    assert report.model.value.startswith("urn:sha256:")
    written = write_model(report, tmp_path / "tree.ttl")
    assert written == len(report.statements) == len(set(report.statements))
    read = {quad.triple for quad in read_source(tmp_path / "tree.ttl").quads()}
    assert len(read) == written


def test_a_great_many_nodes_are_told_and_not_described(tmp_path: Path) -> None:
    path = tmp_path / "forest.pkl"
    path.write_bytes(pickle.dumps(trained("forest")))
    whole = described_model(path, trees=True)
    few = described_model(path, trees=False)
    assert any("nodes of its trees are not described" in remark for remark in few.remarks)
    assert not whole.remarks
    assert len(few.statements) < len(whole.statements)
