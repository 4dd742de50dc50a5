"""What is known of a graph for the completion of queries: its classes, properties and values, and how they are used."""

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
        sought: its words in small letters, by which it is found.
        count: its instances or triples.
    """

    iri: str
    label: str
    sought: str
    count: Count


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A value of a property, as SPARQL writes it and as a person reads it."""

    term: NamedNode | Literal
    label: str
    count: Count


@dataclass(frozen=True)
class ValuesOf:
    """Names the values of a property, of all or of the instances of a class.

    Args:
        search: only values that contain this text, in small letters; empty: all.
    """

    predicate: str
    cls: str | None = None
    search: str = ""


@dataclass(frozen=True)
class ClassFacts:
    """How a class is used.

    Args:
        outgoing: the triples that its instances have, by predicate.
        incoming: the triples that lead to them, by predicate.
    """

    outgoing: Mapping[str, Count] = field(default_factory=dict)
    incoming: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True)
class KnownTerms:
    """What is known of a graph for completion.

    Args:
        classes, properties: those the graph uses, the most used first; by IRI.
        defined: the classes that are defined in it, used or not.
        facts: how classes are used, as far as it was counted.
        is_counted: whether that is all classes.
        below: the classes below a class, itself among them.
        values: values of properties that were asked for, and whether these are all.
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
        """How a class is used; None where that has yet to be counted."""
        return self.facts.get(cls, ClassFacts() if self.is_counted else None)
