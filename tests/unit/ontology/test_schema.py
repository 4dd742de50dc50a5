"""The schema index: what is defined, what is used, and who explains it."""

import pytest

from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.ontology.instances import count_usage
from hpc_explorer.ontology.schema import (
    DomainReason,
    PropertyKind,
    SchemaIndex,
    build_schema,
    predicates_of_instances,
    properties_of_class,
)
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of
from tests.helpers.sessions import session_of


def schema_of(store: LocalStore, background: LocalStore) -> SchemaIndex:
    usage = count_usage(store)
    return build_schema(store, background, used_classes=usage.classes(), used_properties=usage.predicates)


SHIPPED = store_of(
    "ex:Dataset a owl:Class ; rdfs:subClassOf ex:Data ; rdfs:label 'data set'@en ; rdfs:comment 'shipped words' ."
    "ex:Data a owl:Class ; rdfs:subClassOf ex:Thing ; owl:equivalentClass ex:OtherData . ex:OtherData rdfs:subClassOf ex:OtherThing ."
    "ex:Unused a owl:Class ; rdfs:subClassOf ex:Data ."
    "ex:size a owl:DatatypeProperty ; rdfs:label 'size in bytes' ; schema:domainIncludes ex:Data ; rdfs:range xsd:integer ."
)


def test_the_shipped_ontology_explains_what_is_used_and_adds_nothing_else() -> None:
    schema = schema_of(store_of("ex:d a ex:Dataset ; ex:size 3 ."), SHIPPED)
    assert set(schema.classes) == {ex("Dataset"), ex("Data"), ex("Thing")}
    assert schema.classes[ex("Dataset")].label == "data set"
    assert not schema.classes[ex("Dataset")].defined
    assert schema.properties[ex("size")].kind is PropertyKind.DATATYPE
    assert schema.property_label(ex("size")) == "size in bytes"


def test_what_the_graph_says_of_its_own_terms_stands() -> None:
    schema = schema_of(
        store_of("ex:Dataset a owl:Class ; rdfs:subClassOf ex:Mine ; rdfs:label 'mine' . ex:d a ex:Dataset ."), SHIPPED
    )
    info = schema.classes[ex("Dataset")]
    assert (info.label, info.parents, info.defined) == ("mine", (ex("Mine"),), True)
    assert ex("Data") not in schema.classes
    assert info.comment == "shipped words", "what the graph leaves unsaid is explained"


def test_superclasses_follow_equivalents_and_survive_cycles() -> None:
    store = store_of("ex:A rdfs:subClassOf ex:B . ex:B owl:equivalentClass ex:C . ex:C rdfs:subClassOf ex:A , ex:D .")
    schema = schema_of(store, LocalStore.in_memory())
    assert schema.superclasses(ex("A")) == {ex("A"), ex("B"), ex("C"), ex("D")}
    assert schema.superclasses(ex("Nowhere")) == {ex("Nowhere")}


def test_most_specific_types() -> None:
    store = store_of("ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:C . ex:D a owl:Class .")
    schema = schema_of(store, LocalStore.in_memory())
    assert schema.most_specific([ex("C"), ex("A"), ex("D")]) == (ex("A"), ex("D"))


def test_properties_of_a_class_by_domain_by_domain_includes_and_by_use() -> None:
    store = store_of(
        "ex:Model rdfs:subClassOf ex:Data . ex:m a ex:Model ; ex:used 1 ; ex:mayHave 2 ."
        "ex:has rdfs:domain ex:Data . ex:has a owl:ObjectProperty . ex:mayHave a rdf:Property ; schema:domainIncludes ex:Model ."
    )
    schema = schema_of(store, LocalStore.in_memory())
    assert properties_of_class(schema, ex("Model"), predicates_of_instances(store, ex("Model"))) == {
        ex("has"): DomainReason.DOMAIN,
        ex("mayHave"): DomainReason.DOMAIN_INCLUDES,
        ex("used"): DomainReason.USE,
    }


def test_blank_superclasses_and_schema_language_are_no_classes_of_the_graph() -> None:
    store = store_of("ex:A a owl:Class ; rdfs:subClassOf [ a owl:Restriction ] , owl:Thing .")
    assert set(schema_of(store, LocalStore.in_memory()).classes) == {ex("A")}


def test_a_shipped_root_that_only_repeats_the_tree_is_left_out() -> None:
    shipped = store_of(
        "ex:Model rdfs:subClassOf ex:Data , ex:Foreign . ex:Data rdfs:subClassOf ex:Thing . ex:Lonely rdfs:subClassOf ex:Foreign ."
    )
    schema = schema_of(store_of("ex:m a ex:Model ."), shipped)
    assert set(schema.classes) == {ex("Model"), ex("Data"), ex("Thing")}
    both = schema_of(store_of("ex:m a ex:Model . ex:n a ex:Lonely ."), shipped)
    assert ex("Foreign") in both.classes, "what a class needs for its place stays"


@pytest.mark.parametrize("sample", [name for name, _ in sample_names()])
def test_what_is_kept_of_the_shipped_ontology_is_what_a_copy_of_it_says(sample: str) -> None:
    copy = LocalStore.in_memory()
    copy.add_quads(shipped_ontology().match())
    session = session_of(f"sample:{sample}")
    kept, read = schema_of(session.store, shipped_ontology()), schema_of(session.store, copy)
    assert unordered(kept) == unordered(read)
    session.close()


def unordered(schema: SchemaIndex) -> list[dict[str, object]]:
    """What it tells of each term; stores give the parents of a term, and the like, in an order of their own."""
    return [
        {name: frozenset(value) if isinstance(value, tuple) else value for name, value in vars(info).items()}
        for info in (*schema.classes.values(), *schema.properties.values())
    ]
