"""Every property of the HPC ontology paper's Tables II to XI is a field of its class's form, with a widget by rule.

The tables are those in `terms_of_seed000.csv`, property and datatype as printed.
"""

import csv
from functools import cache
from pathlib import Path

import pytest

from hpc_explorer.annotate.changing import change_of
from hpc_explorer.annotate.forms.entries import entry_text, read_entry
from hpc_explorer.annotate.forms.form import Form, Reason, form_of, schema_for_forms
from hpc_explorer.annotate.forms.kinds import Widget
from hpc_explorer.annotate.forms.shapes import NodeShape, read_shapes
from hpc_explorer.annotate.forms.values import Node, Value
from hpc_explorer.ontology.instances import count_usage
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.changes.changes import apply_effect, effect_of
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import GRAPH, ex, store_of

TABLES = Path(__file__).parents[1] / "unit" / "ontology_files" / "terms_of_seed000.csv"

CLASS_OF_TABLE = {
    "Table II": "Thing",
    "Table III": "Experiment",
    "Table IV": "Data",
    "Table V": "AIModel",
    "Table VI": "Software",
    "Table VII": "Computer",
    "Table VIII": "CPU",
    "Table IX": "Cluster",
    "Table X": "GPU",
    "Table XI": "TableRow",
}

WIDGETS_OF_DATATYPE = {
    "xsd:string": {Widget.TEXT, Widget.MULTI_LINE},
    "xsd:integer": {Widget.INTEGER},
    "xsd:double": {Widget.NUMBER},
    "xsd:boolean": {Widget.BOOLEAN},
    "xsd:date": {Widget.DATE},
    "xsd:dateTime": {Widget.DATE_TIME},
    "xsd:anyURI": {Widget.IRI, Widget.LINK, Widget.FILE},
    "xsd:dict": {Widget.KEY_VALUE},
    "qudt:QuantityValue": {Widget.QUANTITY},
}

# Where the shipped ontology departs from the table, as ontology/README.md says: the text makes it a link; the papers'
# own tables have fractions.
DEPARTURES = {
    "wasDFD": {Widget.LINK},
    "activeCyclesOfStreamingMultiprocessor": {Widget.NUMBER},
    "gpuWavesPerSM": {Widget.NUMBER},
    "achievedActiveWarpsPerSM": {Widget.NUMBER},
}

with TABLES.open(encoding="utf-8") as file:
    PROPERTIES = [row for row in csv.DictReader(file) if row["where"].startswith("Table")]


@cache
def form_of_class(name: str) -> Form:
    """The form of a new member of a class of the HPC ontology, in an empty graph."""
    store = LocalStore.in_memory()
    schema = schema_for_forms(store, shipped_ontology(), count_usage(store))
    return form_of(store, schema, (), classes=(HPC.term(name),))


def test_all_ten_tables_are_there() -> None:
    assert {row["where"] for row in PROPERTIES} == set(CLASS_OF_TABLE)
    assert len(PROPERTIES) == 130


@pytest.mark.parametrize("row", PROPERTIES, ids=lambda row: f"{row['where']} {row['term']}")
def test_each_property_has_a_field_with_the_widget_of_its_datatype(row: dict[str, str]) -> None:
    field = form_of_class(CLASS_OF_TABLE[row["where"]]).field(HPC.term(row["term"]))
    assert field is not None
    assert field.reason is Reason.DOMAIN_INCLUDES
    assert field.widget in DEPARTURES.get(row["term"], WIDGETS_OF_DATATYPE[row["datatype"]])
    assert field.label
    assert field.description


# What a person types into the form for the paper's Listings 3 and 4, and the listing as Turtle.
LISTING_3 = {
    "description": ["microbenchmark kernels in C/C++ and Fortran"],
    "hasIDType": ["System Generated"],
    "license": ["BSD"],
    "name": ["DataRaceBench micro-benchmarks"],
    "project": ["http://example.org/project/PR000002"],
    "subject": ["OpenMP", "Data Race Detection", "Computer Science"],
    "url": ["https://github.com/LLNL/dataracebench/tree/master/micro-benchmarks"],
    "version": ["1.3.2"],
}
LISTING_3_TURTLE = """
<http://example.org/dataset/DA000005> a hpc:Dataset ; hpc:description "microbenchmark kernels in C/C++ and Fortran" ;
    hpc:hasIDType "System Generated" ; hpc:license "BSD" ; hpc:name "DataRaceBench micro-benchmarks" ;
    hpc:project <http://example.org/project/PR000002> ; hpc:subject "OpenMP", "Data Race Detection", "Computer Science" ;
    hpc:url "https://github.com/LLNL/dataracebench/tree/master/micro-benchmarks"^^xsd:anyURI ; hpc:version "1.3.2" .
"""
LISTING_4 = {
    "contributor": ["http://example.org/person/PI000013"],
    "description": ["Onnx version of the decision tree model for XPlacer"],
    "wasGeneratedBy": ["http://example.org/experiment/EX000002"],
    "hasIDType": ["System Generated"],
    "wasDerivedFromDataset": [f"http://example.org/dataset/DA00000{number}" for number in (1, 2, 3, 4)],
    "isTunable": ["no"],
    "learningType": ["Supervised "],
    "modelFormat": ["ONNX"],
    "modelType": ["Prediction"],
    "learningAlgorithm": ["Decision Tree"],
    "name": ["decisionTree.onnx"],
    "project": ["http://example.org/project/PR000001"],
    "subject": ["GGPU", "Heterogeneous Systems", "Data Placement", "Decision Tree"],
    "supportsAccelerator": ["yes"],
    "targetMachine": ["http://example.org/cluster/lassen"],
    "url": ["https://github.com/xyz/decisionTree.onnx"],
    "version": ["1.2.1"],
}
LISTING_4_TURTLE = """
<http://example.org/AIModel/MO000001> a hpc:AIModel ; hpc:contributor <http://example.org/person/PI000013> ;
    hpc:description "Onnx version of the decision tree model for XPlacer" ;
    hpc:wasGeneratedBy <http://example.org/experiment/EX000002> ; hpc:hasIDType "System Generated" ;
    hpc:wasDerivedFromDataset <http://example.org/dataset/DA000001> , <http://example.org/dataset/DA000002> ,
        <http://example.org/dataset/DA000003> , <http://example.org/dataset/DA000004> ;
    hpc:isTunable false ; hpc:learningType "Supervised " ; hpc:modelFormat "ONNX" ; hpc:modelType "Prediction" ;
    hpc:learningAlgorithm "Decision Tree" ; hpc:name "decisionTree.onnx" ; hpc:project <http://example.org/project/PR000001> ;
    hpc:subject "GGPU", "Heterogeneous Systems", "Data Placement", "Decision Tree" ; hpc:supportsAccelerator true ;
    hpc:targetMachine <http://example.org/cluster/lassen> ;
    hpc:url "https://github.com/xyz/decisionTree.onnx"^^xsd:anyURI ; hpc:version "1.2.1" .
"""


@pytest.mark.parametrize(
    ("subject", "cls", "typed", "turtle"),
    [
        ("dataset/DA000005", "Dataset", LISTING_3, LISTING_3_TURTLE),
        ("AIModel/MO000001", "AIModel", LISTING_4, LISTING_4_TURTLE),
    ],
    ids=["Listing 3", "Listing 4"],
)
def test_a_listing_typed_into_its_form_is_the_listing(
    subject: str, cls: str, typed: dict[str, list[str]], turtle: str
) -> None:
    """The one difference is that an address gets the datatype of Table II, xsd:anyURI, where the listings print a string."""
    filled: dict[NamedNode, list[Value]] = {RDF.type: [HPC.term(cls)]}
    for name, texts in typed.items():
        field = form_of_class(cls).field(HPC.term(name))
        assert field is not None
        filled[field.predicate] = [read_entry(text, field.kinds[0]) for text in texts]
    store = LocalStore.in_memory()
    change = change_of(store, ex(subject), filled, graph=GRAPH)
    apply_effect(store, effect_of(store, change))
    assert set(store.match()) == set(store_of(turtle).match())


@cache
def shapes_for_prov_ml() -> tuple[NodeShape, ...]:
    """The shapes that ship."""
    store = LocalStore.in_memory()
    load_content(store, read_source(shipped_folder("ontology") / "shapes" / "provml.ttl"), GRAPH)
    return read_shapes(store)


def test_the_shapes_that_ship_are_read() -> None:
    assert len(shapes_for_prov_ml()) == 24
    assert sum(len(shape.properties) for shape in shapes_for_prov_ml()) == 52


@pytest.mark.parametrize("sample", sorted(shipped_folder("sample_graphs").glob("*.ttl")), ids=lambda path: path.stem)
def test_a_form_that_is_only_looked_at_changes_nothing(sample: Path) -> None:
    """Each resource of each sample: all its statements are in its form, each value's text reads back as it."""
    store = LocalStore.in_memory()
    load_content(store, read_source(sample), GRAPH)
    schema = schema_for_forms(store, shipped_ontology(), count_usage(store))
    for subject in sorted({quad.subject for quad in store.match()}, key=str):
        assert isinstance(subject, (NamedNode, BlankNode))
        form = form_of(store, schema, shapes_for_prov_ml(), subject=subject)
        shown = {field.predicate for field in form.fields}
        assert {quad.predicate for quad in store.match(subject)} <= shown | {RDF.type}
        filled: dict[NamedNode, list[Value]] = {}
        for field in form.fields:
            for value in field.values:
                language = (value.language or "") if isinstance(value, Literal) else ""
                again = read_entry(entry_text(value), field.kind_of(value), language=language, before=value)
                filled.setdefault(field.predicate, []).append(again)
        assert not change_of(store, subject, filled, graph=GRAPH)


def test_a_quantity_of_listing_2_typed_anew() -> None:
    power = form_of_class("Cluster").field(HPC.power)
    assert power is not None
    value = read_entry("29,899.23 kW", power.kinds[0])
    assert isinstance(value, Node)
    assert entry_text(value) == "29,899.23 kW"
    assert Literal("29899.23", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#decimal")) in {
        said for _, said in value.facts
    }
