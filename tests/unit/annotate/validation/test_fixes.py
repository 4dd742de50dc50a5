"""Each way to fix a finding is there where it should be, and what it changes fixes the finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hpc_explorer.annotate.forms.form import schema_for_forms
from hpc_explorer.annotate.validation.checking import check_node
from hpc_explorer.annotate.validation.findings import Finding, Severity
from hpc_explorer.annotate.validation.fixes import first_of_kind, reaches_beyond
from hpc_explorer.annotate.validation.shapes import Shapes, shipped_shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.ontology.instances import count_usage
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, SH, UNIT, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Term
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of


@cache
def schema() -> SchemaIndex:
    """The shipped ontologies."""
    store = LocalStore.in_memory()
    return schema_for_forms(store, shipped_ontology(), count_usage(store))


def found(
    store: LocalStore, change: ChangeSet | None = None, shapes: Shapes | None = None, of: NamedNode = ex("it")
) -> tuple[Finding, ...]:
    """What is wrong with `ex:it`, or another resource."""
    view = GraphView(store, background=shipped_ontology(), superclasses=schema().superclasses, change=change)
    return check_node(view, shapes or shipped_shapes(), schema(), of)


def at(findings: Sequence[Finding], name: str) -> list[Finding]:
    """The findings in the field of a property of the HPC ontology."""
    return [one for one in findings if one.field == HPC.term(name)]


@pytest.mark.parametrize(
    ("turtle", "name", "words"),
    [
        ('ex:it a hpc:Cluster ; hpc:computeNodeCount "9,408" .', "computeNodeCount", "Write it as a whole number: “9408”"),
        ("ex:it a hpc:Cluster ; hpc:computeNodeCount 9408.00 .", "computeNodeCount", "Write it as a whole number: “9408”"),
        ('ex:it a hpc:Cluster ; hpc:computeNodeCount "12.0"^^xsd:integer .', "computeNodeCount", "Write it as a whole number: “12”"),
        ('ex:it a hpc:AIModel ; hpc:accuracy "0.9" .', "accuracy", "Write it as a number: “0.9”"),
        ("ex:it a hpc:AIModel ; hpc:accuracy 0.9 .", "accuracy", "Write it as a number: “0.9”"),
        ('ex:it a hpc:AIModel ; hpc:isTunable "no" .', "isTunable", "Write it as yes or no: “false”"),
        ('ex:it a hpc:AIModel ; hpc:modelFormat "ONNX"@en .', "modelFormat", "Write it as text: “ONNX”"),
        ('ex:it a hpc:Cluster ; hpc:dateCommissioned "2021-06-30" .', "dateCommissioned", "Write it as a date: “2021-06-30”"),
        ("ex:it a hpc:Dataset ; hpc:url <http://x.org/y> .", "url", "Write it as an address"),
        ('ex:it a hpc:Dataset ; hpc:project "http://x.org/p" .', "project", "Make it a link to p"),
        ("ex:it a hpc:Dataset ; hpc:project ex:p .", "project", "Say that p is a Project"),
        ("ex:it a hpc:Dataset ; hpc:project ex:p . ex:p a hpc:Person .", "project", "Say that p is a Project"),
        ('ex:it a hpc:Cluster ; hpc:power "29,899.23 kW" .', "power", "Make it a quantity: 29,899.23 kW"),
        (
            'ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value 2 ; qudt:unit "kW" ] .',
            "power",
            "Link to the unit kilowatt",
        ),
        (
            "ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value 2 ; qudt:unit unit:kilow ] .",
            "power",
            "Use the unit kilowatt",
        ),
        (
            'ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value "2" ; qudt:unit unit:KiloW ] .',
            "power",
            "Write it as a number: “2”",
        ),
        (
            "ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value 2 ] . "
            "ex:other hpc:power [ a qudt:QuantityValue ; qudt:value 3 ; qudt:unit unit:KiloW ] .",
            "power",
            "Use kilowatt, as others have it",
        ),
        (
            'ex:it a hpc:Cluster ; hpc:power "2" . '
            "ex:other hpc:power [ a qudt:QuantityValue ; qudt:value 3 ; qudt:unit unit:KiloW ] .",
            "power",
            "Make it a quantity: 2 kW",
        ),
        ("ex:it a hpc:Cluster ; hpc:power [ qudt:value 2 ; qudt:unit unit:KiloW ] .", "power", "Say that this value is a Quantity"),
        ("ex:it a hpc:Cluster ; hpc:top500Rank 1 , 2 .", "top500Rank", "Keep only “1”"),
    ],
    ids=lambda value: value if len(value) < 40 else "",
)  # fmt: skip
def test_a_fix_removes_the_finding(turtle: str, name: str, words: str) -> None:
    store = store_of(turtle)
    wrong = [one for one in at(found(store), name) if one.fixes]
    fix = next(fix for one in wrong for fix in one.fixes if fix.words == words)
    fixed = next(one for one in wrong if fix in one.fixes)
    after = at(found(store, fix.change), name)
    assert not [one for one in after if one.constraint == fixed.constraint and one.severity is fixed.severity]


@pytest.mark.parametrize(
    ("turtle", "kind", "value"),
    [
        ("ex:it a hpc:Dataset ; hpc:url <http://x.org/y> .", "address", Literal("http://x.org/y", datatype=XSD.anyURI)),
        ('ex:it a hpc:Dataset ; hpc:project "http://x.org/p" .', "link", NamedNode("http://x.org/p")),
        ('ex:it a hpc:Cluster ; hpc:computeNodeCount "9,408" .', f"retype {XSD.integer.value}", Literal("9408", datatype=XSD.integer)),
        ('ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value 2 ; qudt:unit "kW" ] .', f"unit {UNIT}KiloW", NamedNode(f"{UNIT}KiloW")),
    ],
)  # fmt: skip
def test_what_a_fix_writes(turtle: str, kind: str, value: Term) -> None:
    fixes = [first_of_kind(one.fixes, kind) for one in found(store_of(turtle))]
    (change,) = {fix.change for fix in fixes if fix is not None}
    (old,), (new,) = change.removed, change.added
    assert new == Quad(old.subject, old.predicate, value, old.graph_name)


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ("[ qudt:unit unit:KiloW ] , [ qudt:unit unit:KiloW ]", {"Use kilowatt, as others have it"}),
        ("[ qudt:unit unit:KiloW ] , [ qudt:unit unit:W ]", set()),
        ("[ qudt:unit unit:furlong ]", set()),
        ("[ qudt:value 3 ]", set()),
    ],
)
def test_a_missing_unit_is_that_of_all_others(others: str, words: set[str]) -> None:
    store = store_of(
        f"ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value 2 ] . ex:other hpc:power {others} ."
    )
    assert {fix.words for one in at(found(store), "power") for fix in one.fixes} == words


NODES = ("it", "two", "other")
FACTS = st.sampled_from(
    [
        "a hpc:Cluster", "a hpc:Dataset", "a hpc:Project", "a hpc:Person", "hpc:name 'x'", "hpc:project ex:it",
        "hpc:project ex:two", "hpc:project 'http://example.org/other'", "hpc:computeNodeCount '9,408'", "hpc:url ex:two",
        "hpc:power [ a qudt:QuantityValue ; qudt:value '2' ; qudt:unit 'kW' ]", "hpc:power '3 kW' , '4 kW'",
    ]
)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(NODES), FACTS), min_size=2, max_size=8))
@example(
    [("it", "a hpc:Dataset"), ("two", "a hpc:Dataset"), ("it", "hpc:project ex:other"), ("two", "hpc:project ex:other")]
)
def test_a_fix_alters_nothing_else_or_is_known_to(facts: list[tuple[str, str]]) -> None:
    store = store_of("\n".join(f"ex:{node} {fact} ." for node, fact in facts))
    before = {node: found(store, of=ex(node)) for node in NODES}
    for node, findings in before.items():
        for fix in {fix.words: fix for one in findings for fix in one.fixes}.values():
            after = {other: found(store, fix.change, of=ex(other)) for other in NODES if other != node}
            altered = [
                other for other in after if Counter(map(same, after[other])) != Counter(map(same, before[other]))
            ]
            assert reaches_beyond(fix.change, {ex(node)}) or not altered
            assert not reaches_beyond(fix.change, {ex(node)}) or fix.kind.startswith("type ")


def same(one: Finding) -> tuple[object, ...]:
    return one.field, one.message, one.severity


def test_what_is_no_number_becomes_none() -> None:
    (one,) = at(found(store_of('ex:it a hpc:Cluster ; hpc:computeNodeCount "many" .')), "computeNodeCount")
    assert one.message == "Compute nodes: “many” is not a whole number"
    assert one.fixes == ()
    (one,) = at(found(store_of("ex:it a hpc:Cluster ; hpc:computeNodeCount 1.5 .")), "computeNodeCount")
    assert one.fixes == ()


def test_a_surplus_quantity_goes_with_all_that_is_said_of_it() -> None:
    store = store_of(
        "ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value 2 ; qudt:unit unit:KiloW ] ,"
        " [ a qudt:QuantityValue ; qudt:value 3 ; qudt:unit unit:KiloW ] ."
    )
    (one,) = at(found(store), "power")
    fix = next(fix for fix in one.fixes if fix.words == "Keep only 2 kW")
    assert len(fix.change.removed) == 4
    assert fix.change.added == ()


def test_messages_say_what_is_missing_and_where() -> None:
    told = found(store_of("ex:it a hpc:Dataset ; hpc:name 'x' . "))
    assert [(one.message, one.severity) for one in told] == [
        (
            "Description: missing: one or two sentences help others to find it and to judge whether it suits them (FAIR F2)",
            Severity.WARNING,
        ),
        ("License: missing: without a license nobody knows whether the data may be used (FAIR R1.1)", Severity.WARNING),
    ]
    (one,) = at(found(store_of("ex:it a hpc:Cluster ; hpc:power [ a qudt:QuantityValue ; qudt:value 2 ] .")), "power")
    assert one.message == "Power, unit: missing: add at least one"
    assert one.subject == ex("it")
    assert one.focus != ex("it")


def test_a_missing_language_and_a_choice_in_other_letters() -> None:
    shapes = Shapes(
        store_of(
            "ex:s a sh:NodeShape ; sh:targetClass ex:C ; sh:property [ sh:path ex:p ; sh:datatype rdf:langString ] ,"
            ' [ sh:path ex:q ; sh:in ( "ONNX" "HDF5" ) ] , [ sh:path ex:r ; sh:languageIn ( "de" ) ] .'
        )
    )
    told = found(store_of('ex:it a ex:C ; ex:p "Hallo" ; ex:q " onnx" ; ex:r "Welt" .'), shapes=shapes)
    assert [next(fix.words for fix in one.fixes) for one in told] == [
        "Say that it is English",
        "Write “ONNX”",
        "Say that it is German",
    ]
    assert told[1].message == "Q: “onnx” is not one of “ONNX”, “HDF5”"


@pytest.mark.parametrize(
    ("datatype", "value", "words"),
    [
        ("gYear", '"2021"', "Write it as gYear: “2021”"),
        ("nonNegativeInteger", '"12"', "Write it as nonNegativeInteger: “12”"),
        ("double", '"1.5"', "Write it as a number: “1.5”"),
        ("dateTime", '"2021-06-30T08:00:00Z"', "Write it as a date with its time: “2021-06-30T08:00:00Z”"),
    ],
)
def test_a_datatype_without_words_of_its_own_is_named(datatype: str, value: str, words: str) -> None:
    shapes = Shapes(
        store_of(
            f"ex:s a sh:NodeShape ; sh:targetClass ex:C ; sh:property [ sh:path ex:p ; sh:datatype xsd:{datatype} ] ."
        )
    )
    (one,) = found(store_of(f"ex:it a ex:C ; ex:p {value} ."), shapes=shapes)
    assert [fix.words for fix in one.fixes] == [words]


def test_a_change_counts_as_made() -> None:
    store = store_of("ex:it a hpc:Cluster ; hpc:name 'x' ; hpc:top500Rank 1 .")
    (quad,) = store.match(ex("it"), HPC.top500Rank)
    text = quad.__class__(quad.subject, quad.predicate, ex("text"), quad.graph_name)
    assert found(store) == ()
    (one,) = found(store, ChangeSet((quad,), (text,)))
    assert one.constraint == SH.DatatypeConstraintComponent
    assert one.value == ex("text")
