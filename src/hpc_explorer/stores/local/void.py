"""A profile in the words of VoID, the Vocabulary of Interlinked Datasets (W3C Interest Group Note, 3 March 2011).

Section 4 there gives the numbers: `void:triples`, `void:classes`, `void:properties`; a `void:classPartition` for each
class with its `void:entities`, and in it a `void:propertyPartition` for each predicate of its instances with its
`void:triples`; a `void:propertyPartition` of the whole for each predicate. Graphs are `void:subset`s with their own
numbers of triples. Datatypes are partitions of a predicate's by Mäkelä's extension (void-ext, 2014). Sets of classes
have no word in either: they come in words of our own, beside the others, so that a description is the whole profile
and can be read back. Numbers that a profile does not have (`void:distinctSubjects` and the like) are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.errors import StoreError
from hpc_explorer.rdf.namespaces import RDF, VOID, XSD, Namespace
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Resource, Term, Triple
from hpc_explorer.stores.local.profile import Profile

VOID_EXT = Namespace("http://ldf.fi/void-ext#")

OWN = Namespace("urn:hpc-explorer:void#")
"""`typeSet` leads to a set of classes (`type`, with `void:entities` that name just these); `blankNode` is a graph's."""

_PREFIXES = {"xsd": str(XSD), "void": str(VOID), "void-ext": str(VOID_EXT), "own": str(OWN)}


def void_of(profile: Profile, dataset: Resource | None = None) -> Iterator[Triple]:
    """A profile as a VoID description, the largest parts first.

    Args:
        dataset: the described dataset; None for a blank node.
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
        for inner, (datatype, literals) in enumerate(_largest_first(profile.datatypes.get(predicate, {}))):
            of_type = BlankNode(f"property{number}datatype{inner}")
            yield Triple(part, VOID_EXT.datatypePartition, of_type)
            yield Triple(of_type, VOID_EXT.datatype, datatype)
            yield _number(of_type, VOID.triples, literals)
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
    by_size = sorted(profile.type_sets.items(), key=lambda item: (-item[1], sorted(map(str, item[0]))))
    for number, (classes, resources) in enumerate(by_size):
        one = BlankNode(f"types{number}")
        yield Triple(whole, OWN.typeSet, one)
        for cls in sorted(classes, key=lambda cls: cls.value):
            yield Triple(one, OWN.type, cls)
        yield _number(one, VOID.entities, resources)
    graphs = sorted(profile.graphs.items(), key=lambda item: (-item[1], str(item[0])))
    for number, (graph, triples) in enumerate(graphs):
        subset = graph if isinstance(graph, NamedNode) else BlankNode(f"graph{number}")
        yield Triple(whole, VOID.subset, subset)
        yield Triple(subset, RDF.type, VOID.Dataset)
        yield _number(subset, VOID.triples, triples)
        if isinstance(graph, BlankNode):
            yield Triple(subset, OWN.blankNode, Literal(graph.value))


def _number(subject: Resource, predicate: NamedNode, number: int) -> Triple:
    return Triple(subject, predicate, Literal(str(number), datatype=XSD.integer))


def _largest_first(counts: Mapping[NamedNode, int]) -> list[tuple[NamedNode, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0].value))


def profile_from(description: Iterable[Triple]) -> Profile:
    """Convert a description made by `void_of` back to a profile.

    Raises:
        ValueError: a number is missing, or there is not exactly one dataset.
    """
    told = _Description(description)
    whole = told.whole()
    properties = told.parts(whole, VOID.propertyPartition, VOID.property)
    classes = told.parts(whole, VOID.classPartition, VOID.term("class"))
    datatypes = {
        predicate: told.numbers(part, VOID_EXT.datatypePartition, VOID_EXT.datatype)
        for predicate, part in properties.items()
    }
    return Profile(
        {told.terms(one, OWN.type): told.number(one, VOID.entities) for one in told.values(whole, OWN.typeSet)},
        {predicate: told.number(part, VOID.triples) for predicate, part in properties.items()},
        {cls: told.numbers(part, VOID.propertyPartition, VOID.property) for cls, part in classes.items()},
        {predicate: numbers for predicate, numbers in datatypes.items() if numbers},
        {told.graph(subset): told.number(subset, VOID.triples) for subset in told.values(whole, VOID.subset)},
    )


class _Description:
    """Statements by subject and predicate."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._values: dict[tuple[Term | Triple, NamedNode], list[Term | Triple]] = defaultdict(list)
        for triple in triples:
            self._values[triple.subject, triple.predicate].append(triple.object)

    def whole(self) -> Term | Triple:
        """The dataset that is not part of another."""
        parts = {
            value for (_, predicate), values in self._values.items() if predicate == VOID.subset for value in values
        }
        datasets = {subject for subject, predicate in self._values if predicate == VOID.properties} - parts
        if len(datasets) != 1:
            raise ValueError(f"it describes {len(datasets)} datasets")
        return datasets.pop()

    def values(self, subject: Term | Triple, predicate: NamedNode) -> list[Term | Triple]:
        return self._values.get((subject, predicate), [])

    def terms(self, subject: Term | Triple, predicate: NamedNode) -> frozenset[NamedNode]:
        return frozenset(value for value in self.values(subject, predicate) if isinstance(value, NamedNode))

    def number(self, subject: Term | Triple, predicate: NamedNode) -> int:
        values = self.values(subject, predicate)
        if len(values) != 1 or not isinstance(values[0], Literal):
            raise ValueError(f"{subject} has no number {predicate}")
        return int(values[0].value)

    def parts(self, subject: Term | Triple, link: NamedNode, name: NamedNode) -> dict[NamedNode, Term | Triple]:
        """The partitions of a dataset by their term."""
        return {term: part for part in self.values(subject, link) for term in self.terms(part, name)}

    def numbers(self, subject: Term | Triple, link: NamedNode, name: NamedNode) -> dict[NamedNode, int]:
        return {term: self.number(part, VOID.triples) for term, part in self.parts(subject, link, name).items()}

    def graph(self, subset: Term | Triple) -> GraphName:
        for label in self.values(subset, OWN.blankNode):
            if isinstance(label, Literal):
                return BlankNode(label.value)
        if not isinstance(subset, NamedNode):
            raise ValueError(f"{subset} is no graph")
        return subset


def write_profile(profile: Profile, file: Path) -> None:
    """Write a profile to a file, as a VoID description in Turtle."""
    with open(file, "wb") as stream:
        serialize(void_of(profile), stream, RdfFormat.TURTLE, prefixes=_PREFIXES)


def read_profile(file: Path) -> Profile:
    """Read a profile written by `write_profile`.

    Raises:
        StoreError: the file is missing or damaged.
    """
    try:
        return profile_from(quad.triple for quad in parse(path=str(file), format=RdfFormat.TURTLE, lenient=True))
    except (OSError, ValueError, SyntaxError) as error:
        raise StoreError(
            "the workspace's counts cannot be read", f"{file} ({error})", "load its sources anew"
        ) from None
