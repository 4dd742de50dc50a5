"""The shipped ontologies as statements that tests look up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import parse

from hpc_explorer.rdf.namespaces import HPC, OWL, PROVLAKE, PROVML, RDF, PrefixMap
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, Triple
from hpc_explorer.shipped import shipped_folder

FOLDER = shipped_folder("ontology")
HPC_FILES = ("hpc-core", "hpc-gpu", "hpc-performance", "hpc-monitoring", "hpc-aimodel")
FILES = (*HPC_FILES, "provml", "alignments", "units")
SHORT = PrefixMap()


class Statements:
    """Triples, found by subject and predicate."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._objects: dict[tuple[Term, NamedNode], set[Term]] = defaultdict(set)
        self._subjects: dict[tuple[NamedNode, Term], set[Resource]] = defaultdict(set)
        self.triples = list(triples)
        for triple in self.triples:
            subject, value = triple.subject, triple.object
            assert not isinstance(subject, Triple)
            assert not isinstance(value, Triple)
            self._objects[subject, triple.predicate].add(value)
            self._subjects[triple.predicate, value].add(subject)

    def objects(self, subject: Term, predicate: NamedNode) -> set[Term]:
        return self._objects.get((subject, predicate), set())

    def subjects(self, predicate: NamedNode, value: Term) -> set[Resource]:
        return self._subjects.get((predicate, value), set())

    def texts(self, subject: Term, predicate: NamedNode) -> list[str]:
        """The literal values, without language and datatype, in order."""
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
    """The statements of a file, repeated ones as often as they stand there."""
    return Statements(quad.triple for quad in parse(path=str(path)))


def joined(*parts: Statements) -> Statements:
    return Statements(triple for part in parts for triple in part.triples)


BY_FILE = {name: read(FOLDER / f"{name}.ttl") for name in FILES}
ALL = joined(*BY_FILE.values())

_HPC = joined(*(BY_FILE[name] for name in HPC_FILES))
PROPERTY_TYPES = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)


def _typed(statements: Statements, *types: NamedNode) -> list[NamedNode]:
    terms = {term for kind in types for term in statements.subjects(RDF.type, kind)}
    return sorted((term for term in terms if isinstance(term, NamedNode)), key=str)


CLASSES = _typed(_HPC, OWL.Class)
"""The classes of the HPC ontology and its components."""

PROPERTIES = _typed(_HPC, *PROPERTY_TYPES)
"""The properties of the HPC ontology and its components."""

PROV_ML_CLASSES = _typed(BY_FILE["provml"], OWL.Class)
PROV_ML_PROPERTIES = _typed(BY_FILE["provml"], *PROPERTY_TYPES)
OUR_NAMESPACES = (HPC, PROVML, PROVLAKE)


def name_of(term: object) -> str:
    """A term as a person writes it; the name of its test."""
    return SHORT.short(term.value) if isinstance(term, NamedNode) else str(term)


def file_of(term: Resource) -> str:
    """The one file that defines the term."""
    (file,) = [name for name, statements in BY_FILE.items() if statements.objects(term, RDF.type)]
    return file
