"""PROV-ML and PROVLake, against the PROV-ML paper.

`names_of_prov_ml_table2.txt` are the class names of the paper's Table 2, as they are spelled there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hpc_explorer.rdf.namespaces import DCTERMS, MLS, OWL, PROV, PROVLAKE, PROVML, RDF, RDFS
from hpc_explorer.rdf.terms import NamedNode, Term
from tests.helpers.ontology_files import ALL, BY_FILE, PROV_ML_CLASSES, joined, name_of, read

TABLE_2 = (Path(__file__).parent / "names_of_prov_ml_table2.txt").read_text(encoding="utf-8").split()
ALIASES = [cls for cls in PROV_ML_CLASSES if ALL.texts(cls, OWL.deprecated) == ["true"]]
OWN_CLASSES = [cls for cls in PROV_ML_CLASSES if cls not in ALIASES]


def kinds_of(cls: Term) -> list[str]:
    return ALL.texts(cls, PROVLAKE.provenanceKind)


def test_table_2_has_37_names() -> None:
    assert len(TABLE_2) == len(set(TABLE_2)) == 37


@pytest.mark.parametrize("name", TABLE_2)
def test_table_2_class(name: str) -> None:
    assert PROVML.term(name) in PROV_ML_CLASSES
    assert "Table 2" in ALL.texts(PROVML.term(name), DCTERMS.source)


PAIRS = (Path(__file__).parent / "rows_of_prov_ml_table2.csv").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("row", PAIRS)
def test_table_2_row(row: str) -> None:
    """Each row of Table 2: which class is planned, which is what came of it, and what each stands below."""
    prospective, above, retrospective, above_retrospective = row.split(",")
    for name, expected, kind in (
        (prospective, above, "prospective"),
        (retrospective, above_retrospective, "retrospective"),
    ):
        if name:
            cls = PROVML.term(name)
            assert {name_of(term) for term in ALL.objects(cls, RDFS.subClassOf)} >= set(expected.split())
            assert kinds_of(cls) == [kind]
    if prospective and retrospective:
        assert PROVML.term(prospective) in ALL.objects(PROVML.term(retrospective), PROVLAKE.retrospectiveOf)


def test_every_name_of_table_2_is_in_a_row() -> None:
    in_rows = {name for row in PAIRS for name in (row.split(",")[0], row.split(",")[2])}
    meant = {
        "LearningSectionExecution": "LearningStageSectionExecution",
        "DatasetCharacteristcValue": "DatasetCharacteristicValue",
    }
    assert {meant.get(name, name) for name in TABLE_2} - in_rows == {"Persona"}


def test_provlake_core() -> None:
    core = {cls.value.removeprefix(PROVLAKE): cls for cls in PROV_ML_CLASSES if cls.value.startswith(PROVLAKE)}
    above = {name: [name_of(wider) for wider in ALL.objects(cls, RDFS.subClassOf)] for name, cls in core.items()}
    assert above == {
        "Project": ["prov:Entity"],
        "Workflow": ["prov:Plan"],
        "DataTransformation": ["prov:Plan"],
        "DataSchema": ["prov:Collection"],
        "Attribute": ["prov:Entity"],
        "DataStore": ["prov:Entity"],
        "WorkflowExecution": ["prov:Activity"],
        "DataTransformationExecution": ["prov:Activity"],
        "AttributeValue": ["prov:Entity"],
        "DataReference": ["provlake:AttributeValue"],
        "DataStoreInstance": ["prov:Entity"],
    }


@pytest.mark.parametrize("cls", OWN_CLASSES, ids=name_of)
def test_class_stands_below_prov_or_ml_schema(cls: NamedNode) -> None:
    above = BY_FILE["provml"].reachable(cls, RDFS.subClassOf)
    assert [wider for wider in above if isinstance(wider, NamedNode) and wider.value.startswith((PROV, MLS))]


@pytest.mark.parametrize("cls", OWN_CLASSES, ids=name_of)
def test_class_is_planned_or_happened(cls: NamedNode) -> None:
    if cls == PROVML.Persona:
        assert kinds_of(cls) == [], "people are neither plans nor what came of them"
    else:
        assert kinds_of(cls) in (["prospective"], ["retrospective"])
    for plan in ALL.objects(cls, PROVLAKE.retrospectiveOf):
        assert (kinds_of(cls), kinds_of(plan)) == (["retrospective"], ["prospective"])


@pytest.mark.parametrize("cls", [cls for cls in OWN_CLASSES if cls.value.endswith(("Execution", "Value"))], ids=name_of)
def test_names_in_execution_or_value_are_retrospective(cls: NamedNode) -> None:
    """Section 4: classes named so are the retrospective side of data transformations and attributes."""
    assert kinds_of(cls) == ["retrospective"]
    assert len(ALL.objects(cls, PROVLAKE.retrospectiveOf)) == 1


def test_other_spellings_stand_for_what_the_paper_means() -> None:
    assert {name_of(cls): {name_of(term) for term in ALL.objects(cls, OWL.equivalentClass)} for cls in ALIASES} == {
        "provml:LearningSectionExecution": {"provml:LearningStageSectionExecution"},
        "provml:BaseLearningExecution": {"provml:BaseLearningStageExecution"},
        "provml:DatasetCharacteristcValue": {"provml:DatasetCharacteristicValue"},
        "provml:LearningDataSetReference": {"provml:LearningDatasetReference"},
        "provml:LearningHyperparameterSetting": {"provml:LearningHyperparameter"},
    }


def test_no_class_is_below_two_that_ml_schema_keeps_apart(shared_data: Callable[[str], Path]) -> None:
    schema = read(shared_data("ontologies/vocabularies/mls_MLSchema.ttl"))
    apart: list[set[Term]] = [{t.subject, t.object} for t in schema.triples if t.predicate == OWL.disjointWith]
    for axiom in schema.subjects(RDF.type, OWL.AllDisjointClasses):
        cells = [cell for start in schema.objects(axiom, OWL.members) for cell in schema.reachable(start, RDF.rest)]
        apart.append({member for cell in cells for member in schema.objects(cell, RDF.first)})
    assert max(map(len, apart)) > 10
    both = joined(ALL, schema)
    for cls in PROV_ML_CLASSES:
        above = both.reachable(cls, RDFS.subClassOf, both_ways=[OWL.equivalentClass])
        assert [members for members in apart if len(members & above) > 1] == [], name_of(cls)


def test_no_class_is_both_activity_and_entity() -> None:
    """PROV-O keeps the two apart."""
    for cls in PROV_ML_CLASSES:
        above = ALL.reachable(cls, RDFS.subClassOf, both_ways=[OWL.equivalentClass])
        assert len(above & {PROV.Activity, PROV.Entity}) <= 1, name_of(cls)
