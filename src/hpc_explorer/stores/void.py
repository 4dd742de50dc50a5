"""A profile in the words of VoID, the Vocabulary of Interlinked Datasets (W3C Interest Group Note, 3 March 2011).

Section 4 there gives the numbers: `void:triples`, `void:classes`, `void:properties`; a `void:classPartition` for each
class with its `void:entities`, and in it a `void:propertyPartition` for each predicate of its instances with its
`void:triples`; a `void:propertyPartition` of the whole for each predicate. Graphs are `void:subset`s with their own
numbers of triples. Sets of classes have no word in VoID and are left out, and so are numbers that a profile does not
have (`void:distinctSubjects`, `void:distinctObjects`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from hpc_explorer.rdf.namespaces import RDF, VOID, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Triple
from hpc_explorer.stores.profile import Profile


def void_of(profile: Profile, dataset: Resource | None = None) -> Iterator[Triple]:
    """A profile as a VoID description, the largest parts first.

    Args:
        dataset: what is described; None for a blank node.
    """
    whole = dataset or BlankNode("dataset")
    entities: Counter[NamedNode] = Counter()
    for classes, number in profile.type_sets.items():
        for cls in classes:
            entities[cls] += number
    yield Triple(whole, RDF.type, VOID.Dataset)
    yield _number(whole, VOID.triples, sum(profile.predicates.values()))
    yield _number(whole, VOID.classes, len(entities))
    yield _number(whole, VOID.properties, len(profile.predicates))
    for number, (predicate, triples) in enumerate(_largest_first(profile.predicates)):
        part = BlankNode(f"property{number}")
        yield Triple(whole, VOID.propertyPartition, part)
        yield Triple(part, VOID.property, predicate)
        yield _number(part, VOID.triples, triples)
    for number, (cls, instances) in enumerate(_largest_first(entities)):
        part = BlankNode(f"class{number}")
        yield Triple(whole, VOID.classPartition, part)
        yield Triple(part, VOID.term("class"), cls)
        yield _number(part, VOID.entities, instances)
        for inner, (predicate, triples) in enumerate(_largest_first(profile.class_predicates.get(cls, {}))):
            of_class = BlankNode(f"class{number}property{inner}")
            yield Triple(part, VOID.propertyPartition, of_class)
            yield Triple(of_class, VOID.property, predicate)
            yield _number(of_class, VOID.triples, triples)
    for graph, triples in sorted(profile.graphs.items(), key=lambda item: (-item[1], str(item[0]))):
        if isinstance(graph, NamedNode):
            yield Triple(whole, VOID.subset, graph)
            yield Triple(graph, RDF.type, VOID.Dataset)
            yield _number(graph, VOID.triples, triples)


def _number(subject: Resource, predicate: NamedNode, number: int) -> Triple:
    return Triple(subject, predicate, Literal(str(number), datatype=XSD.integer))


def _largest_first(counts: Mapping[NamedNode, int]) -> list[tuple[NamedNode, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0].value))
