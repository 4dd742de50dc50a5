"""The shipped ontologies keep their promises: complete against the papers, true to other vocabularies, fit to be read.

`terms_of_seed000.csv` is what the HPC ontology paper prints: where, the property, its datatype (none in listings and
running text). `classes_of_seed000.csv` is what its text says of classes. `names_of_prov_ml_table2.txt` are the class names
of Table 2 of the PROV-ML paper, as they are spelled there.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path

import pytest
from pyoxigraph import parse

from hpc_explorer.rdf.namespaces import (
    DCTERMS,
    HPC,
    MLS,
    OWL,
    PROV,
    PROVLAKE,
    PROVML,
    QUDT,
    RDF,
    RDFS,
    SCHEMA,
    SKOS,
    UNIT,
    XSD,
    PrefixMap,
)
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, Triple
from hpc_explorer.shipped import shipped_folder

HERE = Path(__file__).parent
FOLDER = shipped_folder("ontology")
HPC_FILES = ("hpc-core", "hpc-gpu", "hpc-performance", "hpc-aimodel")
FILES = (*HPC_FILES, "provml", "alignments", "units")
DOCUMENTS = "https://example.org/hpc-explorer/ontology/"
SHORT = PrefixMap()

PUBLISHED = "HPC ontology 1.1.0"
OURS = "HPC Explorer"
TABLES = [f"Table {number}" for number in ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")]


def rows_of(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PRINTED_TERMS = rows_of("terms_of_seed000.csv")
PRINTED_CLASSES = rows_of("classes_of_seed000.csv")
TABLE_2 = (HERE / "names_of_prov_ml_table2.txt").read_text(encoding="utf-8").split()


class Statements:
    """Triples, found by subject and predicate."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._objects: dict[tuple[Resource, NamedNode], set[Term]] = defaultdict(set)
        self._subjects: dict[tuple[NamedNode, Term], set[Resource]] = defaultdict(set)
        self.triples = list(triples)
        for triple in self.triples:
            self._objects[triple.subject, triple.predicate].add(triple.object)
            self._subjects[triple.predicate, triple.object].add(triple.subject)

    def objects(self, subject: Term, predicate: NamedNode) -> set[Term]:
        return self._objects.get((subject, predicate), set())

    def subjects(self, predicate: NamedNode, value: Term) -> set[Resource]:
        return self._subjects.get((predicate, value), set())

    def texts(self, subject: Term, predicate: NamedNode) -> list[str]:
        return sorted(value.value for value in self.objects(subject, predicate) if isinstance(value, Literal))

    def reachable(self, start: Term, *predicates: NamedNode, both_ways: Iterable[NamedNode] = ()) -> set[Term]:
        """Everything that a chain of these predicates leads to, the start included."""
        found: set[Term] = set()
        waiting = [start]
        while waiting:
            here = waiting.pop()
            if here not in found:
                found.add(here)
                for predicate in (*predicates, *both_ways):
                    waiting += self.objects(here, predicate)
                for predicate in both_ways:
                    waiting += self.subjects(predicate, here)
        return found


def read(path: Path) -> Statements:
    return Statements(quad.triple for quad in parse(path=str(path)))


BY_FILE = {name: read(FOLDER / f"{name}.ttl") for name in FILES}
ALL = Statements(triple for statements in BY_FILE.values() for triple in statements.triples)
HPC_ONLY = Statements(triple for name in HPC_FILES for triple in BY_FILE[name].triples)

PROPERTY_TYPES = (OWL.ObjectProperty, OWL.DatatypeProperty)
CLASSES = sorted(HPC_ONLY.subjects(RDF.type, OWL.Class), key=str)
PROPERTIES = sorted({p for kind in PROPERTY_TYPES for p in HPC_ONLY.subjects(RDF.type, kind)}, key=str)
PROV_ML_CLASSES = sorted(BY_FILE["provml"].subjects(RDF.type, OWL.Class), key=str)
PROV_ML_PROPERTIES = sorted(
    {p for kind in (*PROPERTY_TYPES, OWL.AnnotationProperty) for p in BY_FILE["provml"].subjects(RDF.type, kind)},
    key=str,
)
UNITS = sorted(BY_FILE["units"].subjects(RDF.type, QUDT.Unit), key=str)


def name_of(term: object) -> str:
    return SHORT.short(term.value) if isinstance(term, NamedNode) else str(term)


def file_of(term: Resource) -> str:
    (file,) = [name for name, statements in BY_FILE.items() if statements.objects(term, RDF.type)]
    return file


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
    repeated = [triple for triple, times in Counter(BY_FILE[name].triples).items() if times > 1]
    assert repeated == []


def test_each_term_is_defined_in_one_block_of_one_file() -> None:
    blocks = Counter(
        term
        for name in FILES
        for term in re.findall(r"^([a-z]+:\S+) a ", (FOLDER / f"{name}.ttl").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert [term for term, times in blocks.items() if times > 1] == []
    typed = {s.subject for s in ALL.triples if s.predicate == RDF.type and s.object != OWL.Ontology}
    assert set(blocks) == {name_of(term) for term in typed}, "each type is stated in the opening line of a block"


def test_no_property_has_a_domain() -> None:
    assert [name_of(t.subject) for t in ALL.triples if t.predicate == RDFS.domain] == []


def test_every_term_mentioned_is_defined() -> None:
    """In the HPC files and PROV-ML, whatever of our namespaces stands anywhere in a statement has a definition."""
    defined = {t.subject for t in ALL.triples if t.predicate == RDF.type}
    undefined = {
        name_of(term)
        for name in (*HPC_FILES, "provml", "units")
        for triple in BY_FILE[name].triples
        for term in (triple.subject, triple.predicate, triple.object)
        if isinstance(term, NamedNode) and term.value.startswith((HPC, PROVML, PROVLAKE)) and term not in defined
    }
    assert undefined - {"<https://hpc-fair.github.io/ontology#>"} == set()


def test_the_readme_counts_right() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in FILES:
        statements = BY_FILE[name]
        counts = {
            "classes": len(statements.subjects(RDF.type, OWL.Class)),
            "properties": sum(
                len(statements.subjects(RDF.type, kind)) for kind in (*PROPERTY_TYPES, OWL.AnnotationProperty)
            ),
            "units": len(statements.subjects(RDF.type, QUDT.Unit)),
        }
        (row,) = re.findall(rf"^\| \[{name}\.ttl\].*$", readme, re.MULTILINE)
        for number, what in re.findall(r"(\d+) (classes|properties|units)", row.rsplit("|", 2)[1]):
            assert int(number) == counts[what], f"{name}: {what}"


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("term", [*CLASSES, *PROPERTIES, *PROV_ML_CLASSES, *PROV_ML_PROPERTIES], ids=name_of)
def test_label_and_comment_are_english_words(term: NamedNode) -> None:
    for predicate in (RDFS.label, RDFS.comment):
        (text,) = ALL.objects(term, predicate)
        assert isinstance(text, Literal)
        assert text.language == "en"
        assert text.value == text.value.strip() != ""
    (label,) = ALL.texts(term, RDFS.label)
    assert not re.search(r"[a-z][A-Z]|_", label), "a label is made of words, not of a name in CamelCase"
    (comment,) = ALL.texts(term, RDFS.comment)
    assert comment.endswith("."), "a comment is made of sentences"
    assert comment[0].isupper() or comment.startswith("k-")


@pytest.mark.parametrize("term", CLASSES, ids=name_of)
def test_class_labels_begin_with_a_capital(term: NamedNode) -> None:
    assert ALL.texts(term, RDFS.label)[0][0].isupper()


@pytest.mark.parametrize("term", [*CLASSES, *PROPERTIES, *PROV_ML_CLASSES, *PROV_ML_PROPERTIES], ids=name_of)
def test_every_term_says_where_it_comes_from(term: NamedNode) -> None:
    file = file_of(term)
    assert ALL.objects(term, RDFS.isDefinedBy) == {NamedNode(DOCUMENTS + file)}
    sources = ALL.texts(term, DCTERMS.source)
    assert sources
    places = r"(Table|Figure|Listing|Section) [IVX0-9][IVX0-9.\-A-F]*"
    others = "Reconstruction" if file == "provml" else f"{re.escape(PUBLISHED)}|{OURS}"
    assert [source for source in sources if not re.fullmatch(f"{places}|{others}", source)] == []


# --- the HPC ontology paper -----------------------------------------------------------------------------------------


def test_the_list_is_the_paper_s() -> None:
    """127 different properties in Tables II to XI, hadInput and hadOutput of Table III's remarks among them."""
    in_tables = [row for row in PRINTED_TERMS if row["where"] in TABLES]
    per_table = Counter(row["where"] for row in in_tables)
    assert [per_table[table] for table in TABLES] == [8, 12, 10, 15, 8, 18, 7, 9, 17, 26]
    assert len({row["term"] for row in in_tables}) == 127


# Where the paper contradicts itself, and which of its statements stands here.
OVERRULED = {"wasDFD": "Table V prints xsd:string; section IV-D makes it a subproperty of a link, Listing 4 prints IRIs"}


@pytest.mark.parametrize("row", PRINTED_TERMS, ids=lambda row: f"{row['where']}-{row['term']}")
def test_printed_term(row: dict[str, str]) -> None:
    term = HPC.term(row["term"])
    assert row["where"] in ALL.texts(term, DCTERMS.source)
    assert ALL.objects(term, SCHEMA.domainIncludes) <= set(CLASSES)
    assert ALL.objects(term, SCHEMA.domainIncludes)
    (kind,) = ALL.objects(term, RDF.type)
    (values,) = ALL.objects(term, RDFS.range)
    printed = "xsd:anyURI" if row["term"] in OVERRULED else row["datatype"]
    if printed == "":
        assert kind in PROPERTY_TYPES
    elif printed == "qudt:QuantityValue":
        assert (kind, values) == (OWL.ObjectProperty, QUDT.QuantityValue)
    elif printed == "xsd:dict":
        assert (kind, values) == (OWL.ObjectProperty, HPC.KeyValue)
    elif printed == "xsd:anyURI" and kind == OWL.ObjectProperty:
        assert values in CLASSES
    else:
        assert (kind, values) == (OWL.DatatypeProperty, SHORT.resolve(printed))


@pytest.mark.parametrize("term", PROPERTIES, ids=name_of)
def test_property_is_complete(term: NamedNode) -> None:
    (kind,) = ALL.objects(term, RDF.type)
    domains = ALL.objects(term, SCHEMA.domainIncludes)
    assert domains
    assert domains <= set(CLASSES)
    (values,) = ALL.objects(term, RDFS.range)
    is_datatype = values.value.startswith(XSD) or values == RDFS.Literal
    assert kind == (OWL.DatatypeProperty if is_datatype else OWL.ObjectProperty)
    for wider in ALL.objects(term, RDFS.subPropertyOf) & set(PROPERTIES):
        assert ALL.objects(wider, RDF.type) == {kind}


@pytest.mark.parametrize("cls", CLASSES, ids=name_of)
def test_every_class_is_below_thing(cls: NamedNode) -> None:
    assert HPC.Thing in HPC_ONLY.reachable(cls, RDFS.subClassOf)


@pytest.mark.parametrize("row", PRINTED_CLASSES, ids=lambda row: row["class"])
def test_printed_class(row: dict[str, str]) -> None:
    cls = HPC.term(row["class"])
    assert cls in CLASSES
    assert row["where"] in ALL.texts(cls, DCTERMS.source)
    if row["superclass"]:
        assert HPC.term(row["superclass"]) in HPC_ONLY.reachable(cls, RDFS.subClassOf) - {cls}


def test_ai_model_is_machine_learning_model_with_its_eight_kinds() -> None:
    assert HPC.MachineLearningModel in ALL.objects(HPC.AIModel, OWL.equivalentClass)
    kinds = {name_of(cls) for cls in ALL.subjects(RDFS.subClassOf, HPC.MachineLearningModel)}
    assert kinds == {
        "hpc:ArtificialNeuralNetwork", "hpc:DecisionTree", "hpc:GeneralLinearModel", "hpc:GeneralizedLinearModel",
        "hpc:HiddenMarkovModel", "hpc:LinearRegressionModel", "hpc:RandomForest", "hpc:SupportVectorMachine",
    }  # fmt: skip


@pytest.mark.parametrize(
    "spellings",
    [
        ["hpc:coprocessor", "hpc:coprocessorModel", "hpc:coProcessor"],
        ["hpc:idType", "hpc:hasIDType"],
        ["hpc:used", "hpc:hadInput", "prov:used"],
        ["hpc:generated", "hpc:hadOutput", "prov:generated"],
        ["hpc:wasAWS", "hpc:wasAssociatedWithSoftware"],
        ["hpc:wasAWH", "hpc:wasAssociatedWithHardware"],
        ["hpc:wasDFD", "hpc:wasDerivedFromDataset"],
        ["hpc:framework", "hpc:machineLearningFramework"],
        ["hpc:labeledCodeVariant", "hpc:bestCodeVariant"],
        ["hpc:beginMemoryAddress", "hpc:BeginMemoryAddress"],
        ["hpc:endMemoryAddress", "hpc:EndMemoryAddress"],
    ],
    ids=lambda spellings: spellings[0],
)
def test_spellings_are_equivalent(spellings: list[str]) -> None:
    first, *others = map(SHORT.resolve, spellings)
    assert set(others) <= ALL.reachable(first, both_ways=[OWL.equivalentProperty])


def test_software_and_hardware_of_an_activity_stay_apart() -> None:
    """The paper's sentence that wasAWS is also wasAssociatedWithHardware is read as a slip for wasAWH."""
    assert HPC.wasAWH not in ALL.reachable(HPC.wasAWS, both_ways=[OWL.equivalentProperty])


@pytest.mark.parametrize(
    ("forward", "backward"),
    [
        ("used", "wasUsedBy"),
        ("generated", "wasGeneratedBy"),
        ("member", "memberOf"),
        ("conducted", "wasConductedBy"),
    ],
)
def test_inverses(forward: str, backward: str) -> None:
    one, other = HPC.term(forward), HPC.term(backward)
    assert other in ALL.objects(one, OWL.inverseOf) or one in ALL.objects(other, OWL.inverseOf)


def test_derivation_from_a_dataset_is_derivation() -> None:
    steps = ALL.reachable(HPC.wasDFD, RDFS.subPropertyOf, both_ways=[OWL.equivalentProperty])
    assert {HPC.wasDerivedFrom, PROV.wasDerivedFrom} <= steps


# --- the published HPC ontology and the other vocabularies -----------------------------------------------------------


@pytest.fixture(scope="module")
def published(shared_data: Callable[[str], Path]) -> set[str]:
    """The local names that the published ontology describes, also those that strayed into other namespaces."""
    folder = shared_data("ontologies/hpc-public")
    subjects = {quad.subject for file in folder.glob("*.ttl") for quad in parse(path=str(file))}
    return {s.value.rpartition("#")[2] for s in subjects if isinstance(s, NamedNode) and "#" in s.value}


def test_what_is_taken_from_the_published_ontology_is_there(published: set[str]) -> None:
    terms = {name.removeprefix(HPC) for name in (t.value for t in (*CLASSES, *PROPERTIES))}
    taken = {name for name in terms if PUBLISHED in ALL.texts(HPC.term(name), DCTERMS.source)}
    ours = {name for name in terms if ALL.texts(HPC.term(name), DCTERMS.source) == [OURS]}
    assert taken - published == set()
    assert ours & published == set()


RENAMED = {
    "usedWorkflow": "usesWorkflow",
    "wasPrecededBy": "wasPreceededBy",
    "framework": "machineLearningFramework",
    "cpuCoresPerNode": "cpuCorePerNode",
    "threadsPerNode": "threadCountPerNode",
    "coprocessorCoresPerNode": "coprocessorCores",
    "totalPeakPerformance": "totalPeakPerformancePerNode",
    "processorCorePerSocket": "cpuCorePerSocket",
    "input": "hasInput",
    "output": "hasOutput",
    "l1CacheUtilizationRate": "l1CacheUitlizationRate",
}


@pytest.mark.parametrize("name", RENAMED)
def test_renamed_terms_are_linked(name: str, published: set[str]) -> None:
    assert RENAMED[name] in published
    assert name not in published
    assert HPC.term(RENAMED[name]) in ALL.reachable(HPC.term(name), both_ways=[OWL.equivalentProperty])


def test_every_printed_term_has_its_published_name(published: set[str]) -> None:
    """Of the paper's terms, the published ontology lacks only these ten."""
    absent = {
        name
        for name in {row["term"] for row in PRINTED_TERMS if row["where"] in TABLES}
        if not published & {t.value.removeprefix(HPC) for t in ALL.reachable(HPC.term(name), both_ways=[OWL.equivalentProperty])}
    }
    assert absent == {
        "modelFormat", "modelType", "learningType", "learningAlgorithm", "hyperParameter", "modelProperty", "inputShape",
        "inputDatasetFormat",
    }  # fmt: skip


def aligned_terms(*namespaces: str) -> set[str]:
    return {
        term.value
        for triple in BY_FILE["alignments"].triples
        for term in (triple.subject, triple.object)
        if isinstance(term, NamedNode) and term.value.startswith(namespaces)
    }


def test_hpc_terms_of_the_alignments_exist(published: set[str]) -> None:
    defined = {t.subject.value for t in ALL.triples if t.predicate == RDF.type}
    missing = aligned_terms(HPC) - defined - {HPC + name for name in published}
    assert missing == set()


def test_prov_ml_terms_of_the_alignments_exist() -> None:
    defined = {term.value for term in (*PROV_ML_CLASSES, *PROV_ML_PROPERTIES)}
    assert aligned_terms(PROVML, PROVLAKE) - defined == set()


@pytest.mark.parametrize(
    ("namespace", "file"),
    [
        ("http://www.w3.org/ns/prov#", "prov.nq"),
        ("http://purl.org/dc/terms/", "dcterms.nq"),
        ("http://xmlns.com/foaf/0.1/", "foaf.nq"),
        ("http://www.w3.org/ns/dcat#", "dcat.nq"),
        ("http://schema.org/", "schema.nq"),
        ("http://www.w3.org/ns/mls#", "mls_MLSchema.ttl"),
    ],
)
def test_aligned_terms_of_others_exist(namespace: str, file: str, shared_data: Callable[[str], Path]) -> None:
    """The copies at hand write schema.org's terms with https, as schema.org now does."""
    described = {
        quad.subject.value.replace("https://schema.org/", "http://schema.org/")
        for quad in parse(path=str(shared_data(f"ontologies/vocabularies/{file}")))
        if isinstance(quad.subject, NamedNode)
    }
    terms = aligned_terms(namespace)
    assert terms
    assert terms - described == set()


def test_alignments_relate_terms_of_the_same_sort() -> None:
    """A class is set against a class, a property against a property, as far as the terms are ours."""
    classes = {*CLASSES, *PROV_ML_CLASSES}
    properties = {*PROPERTIES, *PROV_ML_PROPERTIES}
    loose = (SKOS.closeMatch, SKOS.relatedMatch, SKOS.broadMatch)
    for triple in BY_FILE["alignments"].triples:
        if triple.predicate in (OWL.equivalentClass, RDFS.subClassOf):
            assert not {triple.subject, triple.object} & properties, str(triple)
        elif triple.predicate in (OWL.equivalentProperty, RDFS.subPropertyOf, OWL.inverseOf):
            assert not {triple.subject, triple.object} & classes, str(triple)
        elif triple.predicate in loose:
            assert not ({triple.subject, triple.object} & classes and {triple.subject, triple.object} & properties), (
                str(triple)
            )


# --- PROV-ML --------------------------------------------------------------------------------------------------------


def test_table_2_has_37_names() -> None:
    assert len(TABLE_2) == len(set(TABLE_2)) == 37


@pytest.mark.parametrize("name", TABLE_2)
def test_table_2_class(name: str) -> None:
    assert PROVML.term(name) in PROV_ML_CLASSES
    assert "Table 2" in ALL.texts(PROVML.term(name), DCTERMS.source)


CORE = {
    "Project": PROV.Entity,
    "Workflow": PROV.Plan,
    "DataTransformation": PROV.Plan,
    "DataSchema": PROV.Collection,
    "Attribute": PROV.Entity,
    "DataStore": PROV.Entity,
    "WorkflowExecution": PROV.Activity,
    "DataTransformationExecution": PROV.Activity,
    "AttributeValue": PROV.Entity,
    "DataReference": PROVLAKE.AttributeValue,
    "DataStoreInstance": PROV.Entity,
}


def test_provlake_core() -> None:
    core = {name_of(cls) for cls in PROV_ML_CLASSES if cls.value.startswith(PROVLAKE)}
    assert core == {f"provlake:{name}" for name in CORE}
    assert {name: ALL.objects(PROVLAKE.term(name), RDFS.subClassOf) for name in CORE} == {
        name: {superclass} for name, superclass in CORE.items()
    }


def is_alias(cls: NamedNode) -> bool:
    return ALL.texts(cls, OWL.deprecated) == ["true"]


@pytest.mark.parametrize("cls", [cls for cls in PROV_ML_CLASSES if not is_alias(cls)], ids=name_of)
def test_prov_ml_class_has_a_place_and_a_kind(cls: NamedNode) -> None:
    superclasses = BY_FILE["provml"].reachable(cls, RDFS.subClassOf)
    assert [term for term in superclasses if term.value.startswith((PROV, MLS))]
    kinds = ALL.texts(cls, PROVLAKE.provenanceKind)
    if PROV.Agent in superclasses:
        assert kinds == []
    else:
        assert kinds in (["prospective"], ["retrospective"])
    planned = ALL.objects(cls, PROVLAKE.retrospectiveOf)
    assert len(planned) <= 1
    for plan in planned:
        assert kinds == ["retrospective"]
        assert ALL.texts(plan, PROVLAKE.provenanceKind) == ["prospective"]


@pytest.mark.parametrize("cls", [cls for cls in PROV_ML_CLASSES if cls.value.endswith(("Execution", "Value"))], ids=name_of)
def test_names_in_execution_or_value_are_retrospective(cls: NamedNode) -> None:
    """Section 4: the classes ending so are the retrospective side of transformations and attributes."""
    if is_alias(cls):
        (cls,) = ALL.objects(cls, OWL.equivalentClass)
    assert ALL.texts(cls, PROVLAKE.provenanceKind) == ["retrospective"]
    assert ALL.objects(cls, PROVLAKE.retrospectiveOf)


def test_aliases_stand_for_the_terms_the_paper_means() -> None:
    aliases = {name_of(cls): {name_of(t) for t in ALL.objects(cls, OWL.equivalentClass)} for cls in PROV_ML_CLASSES if is_alias(cls)}
    assert aliases == {
        "provml:LearningSectionExecution": {"provml:LearningStageSectionExecution"},
        "provml:BaseLearningExecution": {"provml:BaseLearningStageExecution"},
        "provml:DatasetCharacteristcValue": {"provml:DatasetCharacteristicValue"},
        "provml:LearningDataSetReference": {"provml:LearningDatasetReference"},
        "provml:LearningHyperparameterSetting": {"provml:LearningHyperparameter"},
    }


def test_no_class_is_below_two_that_ml_schema_keeps_apart(shared_data: Callable[[str], Path]) -> None:
    schema = read(shared_data("ontologies/vocabularies/mls_MLSchema.ttl"))
    apart: list[set[Term]] = [
        {triple.subject, triple.object} for triple in schema.triples if triple.predicate == OWL.disjointWith
    ]
    for axiom in schema.subjects(RDF.type, OWL.AllDisjointClasses):
        lists = [cell for start in schema.objects(axiom, OWL.members) for cell in schema.reachable(start, RDF.rest)]
        apart.append({member for cell in lists for member in schema.objects(cell, RDF.first)})
    assert len(apart) > 3
    both = Statements([*ALL.triples, *schema.triples])
    for cls in PROV_ML_CLASSES:
        above = both.reachable(cls, RDFS.subClassOf, both_ways=[OWL.equivalentClass])
        assert [members for members in apart if len(members & above) > 1] == [], name_of(cls)


# --- units ----------------------------------------------------------------------------------------------------------

FACTORS = {
    "unit:BYTE": "1", "unit:KiloBYTE": "1e3", "unit:GigaBYTE": "1e9", "unit:ExaBYTE": "1e18",
    "unit:KibiBYTE": "1024", "unit:MebiBYTE": "1048576", "unit:GibiBYTE": "1073741824", "unit:TebiBYTE": "1099511627776",
    "unit:PebiBYTE": "1125899906842624", "unit:ExbiBYTE": "1152921504606846976",
    "unit:HZ": "1", "unit:MegaHZ": "1e6", "unit:GigaHZ": "1e9",
    "unit:FLOPS": "1", "hpc:KiloFLOPS": "1e3", "unit:TeraFLOPS": "1e12", "unit:PetaFLOPS": "1e15", "hpc:ExaFLOPS": "1e18",
    "unit:W": "1", "unit:KiloW": "1e3", "unit:MegaW": "1e6",
    "unit:SEC": "1", "unit:MilliSEC": "1e-3", "unit:MicroSEC": "1e-6", "unit:NanoSEC": "1e-9", "unit:MIN": "60",
    "unit:HR": "3600", "unit:DAY": "86400",
    "unit:FRACTION": "1", "unit:PERCENT": "1e-2",
    "unit:BYTE-PER-SEC": "1", "unit:GigaBYTE-PER-SEC": "1e9", "hpc:TeraBYTE-PER-SEC": "1e12",
    "hpc:FLOPS-PER-W": "1", "hpc:GigaFLOPS-PER-W": "1e9",
}  # fmt: skip


def factor(unit: NamedNode) -> Decimal:
    (value,) = BY_FILE["units"].objects(unit, QUDT.conversionMultiplier)
    assert isinstance(value, Literal)
    assert value.datatype == XSD.decimal
    return Decimal(value.value)


@pytest.mark.parametrize("unit", FACTORS)
def test_factor(unit: str) -> None:
    assert factor(SHORT.resolve(unit)) == Decimal(FACTORS[unit])


@pytest.mark.parametrize("unit", UNITS, ids=name_of)
def test_unit_is_complete(unit: NamedNode) -> None:
    units = BY_FILE["units"]
    assert len(units.texts(unit, RDFS.label)) == 1
    assert len(units.texts(unit, QUDT.symbol)) == 1
    (kind,) = units.objects(unit, QUDT.hasQuantityKind)
    bases = {other for other in units.subjects(QUDT.hasQuantityKind, kind) if not units.objects(other, QUDT.scalingOf)}
    assert len(bases) == 1, "one base for each kind of quantity"
    if unit in bases:
        assert factor(unit) == 1
    else:
        assert units.objects(unit, QUDT.scalingOf) == bases
        assert factor(unit) not in (0, 1)
    if unit.value.startswith(HPC):
        assert units.texts(unit, SKOS.note), "a unit that QUDT lacks says so"
    else:
        assert unit.value.startswith(UNIT)


def test_symbols_and_names_tell_units_apart() -> None:
    units = BY_FILE["units"]
    for predicate in (QUDT.symbol, RDFS.label):
        texts = Counter(text for unit in UNITS for text in units.texts(unit, predicate))
        assert [text for text, times in texts.items() if times > 1] == []


def test_fugaku_s_efficiency() -> None:
    """Listing 2's 442010 Tflop/s and 29899.23 kW are the 14.78 Gflop/s/W of the Green500 list of June 2021."""
    performance = Decimal("442010.00") * factor(UNIT.TeraFLOPS)
    power = Decimal("29899.23") * factor(UNIT.KiloW)
    efficiency = performance / power / factor(HPC.term("GigaFLOPS-PER-W"))
    assert round(efficiency, 2) == Decimal("14.78")


# QUDT 2.1 has these units from its later releases only; KiloFLOPS and others that it never had are in hpc:.
LATER_THAN_QUDT_2_1 = {
    "FLOPS", "MegaFLOPS", "GigaFLOPS", "TeraFLOPS", "PetaFLOPS", "BYTE-PER-SEC", "MegaBYTE-PER-SEC", "GigaBYTE-PER-SEC",
}  # fmt: skip
# QUDT 2.1 gave these a binary factor, or none.
BINARY_IN_QUDT_2_1 = {"KiloBYTE", "MegaBYTE", "GigaBYTE"}
BASES_OF_QUDT = {"KiloBYTE-PER-SEC": "BYTE"}


def test_factors_agree_with_qudt(shared_data: Callable[[str], Path]) -> None:
    """Within a kind of quantity, our factors stand in the same ratio as QUDT's, whose base for bytes is the nat."""
    qudt = read(shared_data("ontologies/vocabularies/unit.nq"))
    units = BY_FILE["units"]
    seen = {t.subject for t in qudt.triples}
    unknown = {u.value.removeprefix(UNIT) for u in UNITS if u.value.startswith(UNIT) and u not in seen}
    assert unknown == LATER_THAN_QUDT_2_1
    disagreeing, compared = set(), set()
    for unit in UNITS:
        bases = units.objects(unit, QUDT.scalingOf)
        name = unit.value.removeprefix(UNIT)
        base = UNIT.term(BASES_OF_QUDT[name]) if name in BASES_OF_QUDT else next(iter(bases), None)
        theirs = qudt.texts(unit, QUDT.conversionMultiplier)
        theirs_of_base = qudt.texts(base, QUDT.conversionMultiplier) if base is not None else []
        if theirs and theirs_of_base:
            compared.add(name)
            ratio = Decimal(theirs[0]) / Decimal(theirs_of_base[0])
            if abs(ratio / factor(unit) - 1) > Decimal("1e-15"):
                disagreeing.add(name)
    assert len(compared) > 20
    assert disagreeing == BINARY_IN_QUDT_2_1 | {"KiloBYTE-PER-SEC"}
