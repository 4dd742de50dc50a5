"""The shipped ontologies: sound as files, fit to be read, and complete against the HPC ontology paper.

`terms_of_seed000.csv` is what the paper prints: where, the property, its datatype (none in listings and running
text). `classes_of_seed000.csv` is what its text says of classes.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from hpc_explorer.rdf.namespaces import DCTERMS, HPC, OWL, PROV, QUDT, RDF, RDFS, SCHEMA, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.ontology_files import (
    ALL,
    BY_FILE,
    CLASSES,
    FILES,
    FOLDER,
    OUR_NAMESPACES,
    PROPERTIES,
    PROPERTY_TYPES,
    PROV_ML_CLASSES,
    PROV_ML_PROPERTIES,
    SHORT,
    file_of,
    name_of,
)

DOCUMENTS = "https://example.org/hpc-explorer/ontology/"
TERMS = [*CLASSES, *PROPERTIES, *PROV_ML_CLASSES, *PROV_ML_PROPERTIES]


def rows_of(name: str) -> list[dict[str, str]]:
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PRINTED_TERMS = rows_of("terms_of_seed000.csv")
PRINTED_CLASSES = rows_of("classes_of_seed000.csv")


# --- the files ------------------------------------------------------------------------------------------------------


def test_the_folder_holds_these_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.ttl")} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_header(name: str) -> None:
    statements = BY_FILE[name]
    ontology = NamedNode(DOCUMENTS + name)
    assert statements.subjects(RDF.type, OWL.Ontology) == {ontology}
    assert statements.texts(ontology, OWL.versionInfo) == ["0.1.0"]
    assert len(statements.texts(ontology, DCTERMS.term("title"))) == 1
    assert len(statements.texts(ontology, DCTERMS.description)) == 1
    assert statements.objects(ontology, DCTERMS.license) == {NamedNode("https://www.apache.org/licenses/LICENSE-2.0")}


@pytest.mark.parametrize("name", FILES)
def test_no_statement_twice(name: str) -> None:
    assert [triple for triple, times in Counter(BY_FILE[name].triples).items() if times > 1] == []


def test_each_term_is_defined_in_one_block_of_one_file() -> None:
    blocks = Counter(
        term
        for name in FILES
        for term in re.findall(r"^([a-z]+:\S+) a ", (FOLDER / f"{name}.ttl").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert [term for term, times in blocks.items() if times > 1] == []
    typed = {t.subject for t in ALL.triples if t.predicate == RDF.type and t.object != OWL.Ontology}
    assert set(blocks) == {name_of(term) for term in typed}, (
        "a type is stated in the opening line of a block, only there"
    )


def test_no_property_has_a_domain() -> None:
    assert [name_of(t.subject) for t in ALL.triples if t.predicate == RDFS.domain] == []


@pytest.mark.parametrize("name", [name for name in FILES if name != "alignments"])
def test_every_term_mentioned_is_defined(name: str) -> None:
    defined = {t.subject for t in ALL.triples if t.predicate == RDF.type}
    mentioned = {
        term
        for triple in BY_FILE[name].triples
        for term in (triple.subject, triple.predicate, triple.object)
        if isinstance(term, NamedNode) and term.value.startswith(OUR_NAMESPACES)
    }
    assert [name_of(term) for term in mentioned - defined] == []


@pytest.mark.parametrize("name", FILES)
def test_the_readme_counts_right(name: str) -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    sorts = {"classes": (OWL.Class,), "properties": PROPERTY_TYPES, "units": (QUDT.Unit,)}
    (row,) = re.findall(rf"^\| \[{name}\.ttl\].*$", readme, re.MULTILINE)
    for number, sort in re.findall(r"(\d+) (classes|properties|units)", row.rsplit("|", 2)[1]):
        assert int(number) == sum(len(BY_FILE[name].subjects(RDF.type, kind)) for kind in sorts[sort]), sort


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("term", TERMS, ids=name_of)
def test_label_and_comment_are_english_words(term: NamedNode) -> None:
    for predicate in (RDFS.label, RDFS.comment):
        (text,) = ALL.objects(term, predicate)
        assert isinstance(text, Literal)
        assert text.language == "en"
        assert text.value == " ".join(text.value.split()) != ""
    (label,) = ALL.texts(term, RDFS.label)
    assert not re.search(r"[a-z][A-Z]|_", label), "a label is made of words, not of a name in CamelCase"
    (comment,) = ALL.texts(term, RDFS.comment)
    assert comment[0].isupper()
    assert comment.endswith("."), "a comment is made of sentences"


@pytest.mark.parametrize("term", [*CLASSES, *PROV_ML_CLASSES], ids=name_of)
def test_class_labels_begin_with_a_capital(term: NamedNode) -> None:
    assert ALL.texts(term, RDFS.label)[0][0].isupper()


@pytest.mark.parametrize("term", TERMS, ids=name_of)
def test_every_term_says_where_it_comes_from(term: NamedNode) -> None:
    file = file_of(term)
    assert ALL.objects(term, RDFS.isDefinedBy) == {NamedNode(DOCUMENTS + file)}
    others = "Reconstruction" if file == "provml" else r"HPC ontology 1\.1\.0|HPC Explorer"
    place = rf"(Table|Figure|Listing|Section) [IVX0-9]+([.-][0-9A-F])?|{others}"
    sources = ALL.texts(term, DCTERMS.source)
    assert sources
    assert [source for source in sources if not re.fullmatch(place, source)] == []


# --- what the paper prints ------------------------------------------------------------------------------------------

LENGTHS = {"II": 8, "III": 12, "IV": 10, "V": 15, "VI": 8, "VII": 18, "VIII": 7, "IX": 9, "X": 17, "XI": 26}

# Where the paper contradicts itself: Table V types wasDFD as a string, section IV-D makes it a subproperty of a link,
# and Listing 4 prints IRIs.
LINKS_DESPITE_THE_TABLE = {"wasDFD"}

# Tables X and XI type these means as integers; the papers' own tables have fractions, and each integer is a decimal too.
FRACTIONS_DESPITE_THE_TABLE = {"activeCyclesOfStreamingMultiprocessor", "gpuWavesPerSM", "achievedActiveWarpsPerSM"}


def test_the_list_is_whole() -> None:
    """Tables II to XI have 127 different properties, with hadInput and hadOutput from Table III's remarks."""
    in_tables = [row for row in PRINTED_TERMS if row["where"].startswith("Table ")]
    assert Counter(row["where"].removeprefix("Table ") for row in in_tables) == LENGTHS
    assert len({row["term"] for row in in_tables}) == 127


@pytest.mark.parametrize("row", PRINTED_TERMS, ids=lambda row: f"{row['where']}-{row['term']}")
def test_printed_term(row: dict[str, str]) -> None:
    term = HPC.term(row["term"])
    assert term in PROPERTIES
    assert row["where"] in ALL.texts(term, DCTERMS.source)
    (kind,) = ALL.objects(term, RDF.type)
    (values,) = ALL.objects(term, RDFS.range)
    printed = "xsd:anyURI" if row["term"] in LINKS_DESPITE_THE_TABLE else row["datatype"]
    printed = "xsd:decimal" if row["term"] in FRACTIONS_DESPITE_THE_TABLE else printed
    match printed:
        case "":
            pass  # a listing shows values and types nothing
        case "qudt:QuantityValue":
            assert (kind, values) == (OWL.ObjectProperty, QUDT.QuantityValue)
        case "xsd:dict":
            assert (kind, values) == (OWL.ObjectProperty, HPC.KeyValue)
        case "xsd:anyURI" if kind == OWL.ObjectProperty:
            assert values in CLASSES
        case _:
            assert (kind, values) == (OWL.DatatypeProperty, SHORT.resolve(printed))


@pytest.mark.parametrize("term", PROPERTIES, ids=name_of)
def test_property_is_complete(term: NamedNode) -> None:
    domains = ALL.objects(term, SCHEMA.domainIncludes)
    assert domains
    assert domains <= set(CLASSES)
    (kind,) = ALL.objects(term, RDF.type)
    (values,) = ALL.objects(term, RDFS.range)
    assert isinstance(values, NamedNode)
    holds_literals = values.value.startswith(XSD) or values in (RDFS.Literal, RDF.JSON)
    assert kind == (OWL.DatatypeProperty if holds_literals else OWL.ObjectProperty)
    for wider in ALL.objects(term, RDFS.subPropertyOf) & set(PROPERTIES):
        assert ALL.objects(wider, RDF.type) == {kind}


@pytest.mark.parametrize("cls", CLASSES, ids=name_of)
def test_every_class_is_below_thing(cls: NamedNode) -> None:
    assert HPC.Thing in ALL.reachable(cls, RDFS.subClassOf)


@pytest.mark.parametrize("row", PRINTED_CLASSES, ids=lambda row: row["class"])
def test_printed_class(row: dict[str, str]) -> None:
    cls = HPC.term(row["class"])
    assert cls in CLASSES
    assert row["where"] in ALL.texts(cls, DCTERMS.source)
    if row["superclass"]:
        assert HPC.term(row["superclass"]) in ALL.reachable(cls, RDFS.subClassOf) - {cls}


def test_ai_model_is_machine_learning_model_with_its_eight_kinds() -> None:
    assert HPC.MachineLearningModel in ALL.objects(HPC.AIModel, OWL.equivalentClass)
    kinds = {name_of(cls) for cls in ALL.subjects(RDFS.subClassOf, HPC.MachineLearningModel)}
    assert kinds == {
        "hpc:ArtificialNeuralNetwork",
        "hpc:DecisionTree",
        "hpc:GeneralLinearModel",
        "hpc:GeneralizedLinearModel",
        "hpc:HiddenMarkovModel",
        "hpc:LinearRegressionModel",
        "hpc:RandomForest",
        "hpc:SupportVectorMachine",
    }


@pytest.mark.parametrize(
    "spellings",
    [
        ["coprocessor", "coprocessorModel", "coProcessor"],
        ["idType", "hasIDType"],
        ["used", "hadInput"],
        ["generated", "hadOutput"],
        ["wasAWS", "wasAssociatedWithSoftware"],
        ["wasAWH", "wasAssociatedWithHardware"],
        ["wasDFD", "wasDerivedFromDataset"],
        ["framework", "machineLearningFramework"],
        ["labeledCodeVariant", "bestCodeVariant"],
        ["beginMemoryAddress", "BeginMemoryAddress"],
        ["endMemoryAddress", "EndMemoryAddress"],
    ],
    ids=lambda spellings: spellings[0],
)
def test_spellings_are_equivalent(spellings: list[str]) -> None:
    first, *others = map(HPC.term, spellings)
    assert set(others) <= ALL.reachable(first, both_ways=[OWL.equivalentProperty])


def test_software_and_hardware_of_an_activity_stay_apart() -> None:
    """The paper's sentence that wasAWS is wasAssociatedWithHardware is read as a slip for wasAWH."""
    assert HPC.wasAWH not in ALL.reachable(HPC.wasAWS, both_ways=[OWL.equivalentProperty])


@pytest.mark.parametrize(
    ("forward", "backward"),
    [("used", "wasUsedBy"), ("generated", "wasGeneratedBy"), ("member", "memberOf"), ("conducted", "wasConductedBy")],
)
def test_inverses(forward: str, backward: str) -> None:
    one, other = HPC.term(forward), HPC.term(backward)
    assert other in ALL.objects(one, OWL.inverseOf) or one in ALL.objects(other, OWL.inverseOf)


def test_derivation_from_a_dataset_is_derivation() -> None:
    wider = ALL.reachable(HPC.wasDFD, RDFS.subPropertyOf, both_ways=[OWL.equivalentProperty])
    assert {HPC.wasDerivedFrom, PROV.wasDerivedFrom} <= wider
