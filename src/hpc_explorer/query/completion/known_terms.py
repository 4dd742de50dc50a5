"""The classes, properties and values of a graph and their usage, for completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Count


@dataclass(frozen=True, slots=True)
class KnownTerm:
    """A class or property of the graph.

    Args:
        sought: its words in lower case, for searching.
        count: its instances or triples.
    """

    iri: str
    label: str
    sought: str
    count: Count


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A value of a property, as SPARQL and as text for people."""

    term: NamedNode | Literal
    label: str
    count: Count


@dataclass(frozen=True)
class ValuesOf:
    """Identifies the values of a property, of anything or of the instances of a class.

    Args:
        search: only values that contain this text in lower case; empty: all.
    """

    predicate: str
    cls: str | None = None
    search: str = ""


@dataclass(frozen=True)
class ClassFacts:
    """The usage of a class.

    Args:
        outgoing: the number of triples of its instances by predicate.
        incoming: the number of triples that link to them by predicate.
    """

    outgoing: Mapping[str, Count] = field(default_factory=dict)
    incoming: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True)
class KnownTerms:
    """The known terms of a graph.

    Args:
        classes, properties: those in use by IRI, most used first.
        defined: the classes that are defined in it, used or not.
        facts: the usage of classes, as far as it was counted.
        is_counted: whether `facts` has all classes.
        below: the subclasses of a class, including itself.
        values: requested values of properties, and whether these are all.
        graphs: the IRIs of its named graphs.
    """

    prefixes: PrefixMap = field(default_factory=PrefixMap)
    classes: Mapping[str, KnownTerm] = field(default_factory=dict)
    properties: Mapping[str, KnownTerm] = field(default_factory=dict)
    defined: Mapping[str, KnownTerm] = field(default_factory=dict)
    facts: Mapping[str, ClassFacts] = field(default_factory=dict)
    is_counted: bool = False
    below: Mapping[str, frozenset[str]] = field(default_factory=dict)
    values: Mapping[ValuesOf, tuple[tuple[KnownValue, ...], bool]] = field(default_factory=dict)
    graphs: tuple[str, ...] = ()

    def facts_of(self, cls: str) -> ClassFacts | None:
        """The usage of a class; None if it was not counted."""
        return self.facts.get(cls, ClassFacts() if self.is_counted else None)
