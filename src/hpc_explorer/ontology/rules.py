"""The inference rules as values.

They are the entailment rules of RDF Schema (RDF 1.1 Semantics, section 9.2.1: rdfs2 to rdfs11) and those of OWL 2
RL/RDF (OWL 2 Profiles, section 4.3) for equivalent classes and properties and for inverse, symmetric and transitive
properties, with their standard names. Rules in both have the RDFS name: rdfs2 is prp-dom, rdfs3 prp-rng, rdfs5 scm-spo,
rdfs7 prp-spo1, rdfs9 cax-sco and rdfs11 scm-sco.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term, Triple, Variable
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

INFERRED = NamedNode("urn:hpc-explorer:inferred")
"""The graph of inferred triples, one per store."""

Slot: TypeAlias = Term | Variable
"""A position of a pattern: a term or a variable."""

Bindings: TypeAlias = Mapping[Variable, Term]
"""The values of variables."""


@dataclass(frozen=True)
class Pattern:
    """A triple pattern."""

    subject: Slot
    predicate: Slot
    object: Slot

    def bound(self, bindings: Bindings) -> Pattern:
        """The pattern with variables replaced by their values."""
        return Pattern(
            bindings.get(self.subject, self.subject) if isinstance(self.subject, Variable) else self.subject,
            bindings.get(self.predicate, self.predicate) if isinstance(self.predicate, Variable) else self.predicate,
            bindings.get(self.object, self.object) if isinstance(self.object, Variable) else self.object,
        )

    def bindings(self, triple: Triple) -> dict[Variable, Term] | None:
        """The values of the variables if the pattern matches the triple; else None."""
        found: dict[Variable, Term] = {}
        terms = (triple.subject, triple.predicate, triple.object)
        for slot, term in zip((self.subject, self.predicate, self.object), terms, strict=True):
            if isinstance(term, Triple):
                return None
            if isinstance(slot, Variable):
                if found.setdefault(slot, term) != term:
                    return None
            elif slot != term:
                return None
        return found

    def triple(self) -> Triple | None:
        """The pattern as a triple; None if it has variables, a literal subject or a predicate that is not an IRI."""
        subject, predicate, value = self.subject, self.predicate, self.object
        if (
            isinstance(subject, (NamedNode, BlankNode))
            and isinstance(predicate, NamedNode)
            and not isinstance(value, Variable)
        ):
            return Triple(subject, predicate, value)
        return None

    @property
    def freedom(self) -> int:
        """The number of variables."""
        return sum(isinstance(slot, Variable) for slot in (self.subject, self.predicate, self.object))

    @property
    def is_schema(self) -> bool:
        """Whether it matches schema statements: its predicate, and the class of a type, are given."""
        if self.predicate == RDF.type:
            return not isinstance(self.object, Variable)
        return not isinstance(self.predicate, Variable)


@dataclass(frozen=True)
class Rule:
    """An inference rule.

    Args:
        name: its name in the specification.
        premises: patterns that must match stated or inferred triples.
        conclusions: the inferred patterns.
        transitive: whether its last two premises are steps of one predicate that its conclusion joins.
    """

    name: str
    premises: tuple[Pattern, ...]
    conclusions: tuple[Pattern, ...]
    transitive: bool = False

    @property
    def schema(self) -> tuple[Pattern, ...]:
        """The schema premises."""
        return tuple(premise for premise in self.premises if premise.is_schema)

    @property
    def data(self) -> tuple[Pattern, ...]:
        """The other premises."""
        return tuple(premise for premise in self.premises if not premise.is_schema)


_C, _D, _E, _P, _Q, _R, _X, _Y, _Z = (Variable(name) for name in "cdepqrxyz")
_TYPE, _SUBCLASS, _SUBPROPERTY = RDF.type, RDFS.subClassOf, RDFS.subPropertyOf
_SAME_CLASS, _SAME_PROPERTY = OWL.equivalentClass, OWL.equivalentProperty


def _rule(name: str, *patterns: tuple[Slot, Slot, Slot], conclusions: int = 1, transitive: bool = False) -> Rule:
    made = tuple(Pattern(*pattern) for pattern in patterns)
    return Rule(name, made[:-conclusions], made[-conclusions:], transitive)


RULES: tuple[Rule, ...] = (
    _rule("rdfs2", (_X, _P, _Y), (_P, RDFS.domain, _C), (_X, _TYPE, _C)),
    _rule("rdfs3", (_X, _P, _Y), (_P, RDFS.range, _C), (_Y, _TYPE, _C)),
    _rule("rdfs7", (_X, _P, _Y), (_P, _SUBPROPERTY, _Q), (_X, _Q, _Y)),
    _rule("rdfs9", (_X, _TYPE, _C), (_C, _SUBCLASS, _D), (_X, _TYPE, _D)),
    _rule("cax-eqc1", (_X, _TYPE, _C), (_C, _SAME_CLASS, _D), (_X, _TYPE, _D)),
    _rule("cax-eqc2", (_X, _TYPE, _D), (_C, _SAME_CLASS, _D), (_X, _TYPE, _C)),
    _rule("prp-eqp1", (_X, _P, _Y), (_P, _SAME_PROPERTY, _Q), (_X, _Q, _Y)),
    _rule("prp-eqp2", (_X, _Q, _Y), (_P, _SAME_PROPERTY, _Q), (_X, _P, _Y)),
    _rule("prp-inv1", (_X, _P, _Y), (_P, OWL.inverseOf, _Q), (_Y, _Q, _X)),
    _rule("prp-inv2", (_X, _Q, _Y), (_P, OWL.inverseOf, _Q), (_Y, _P, _X)),
    _rule("prp-symp", (_X, _P, _Y), (_P, _TYPE, OWL.SymmetricProperty), (_Y, _P, _X)),
    _rule("prp-trp", (_P, _TYPE, OWL.TransitiveProperty), (_X, _P, _Y), (_Y, _P, _Z), (_X, _P, _Z), transitive=True),
    _rule("rdfs11", (_C, _SUBCLASS, _D), (_D, _SUBCLASS, _E), (_C, _SUBCLASS, _E), transitive=True),
    _rule("rdfs5", (_P, _SUBPROPERTY, _Q), (_Q, _SUBPROPERTY, _R), (_P, _SUBPROPERTY, _R), transitive=True),
    _rule("scm-eqc1", (_C, _SAME_CLASS, _D), (_C, _SUBCLASS, _D), (_D, _SUBCLASS, _C), conclusions=2),
    _rule("scm-eqc2", (_C, _SUBCLASS, _D), (_D, _SUBCLASS, _C), (_C, _SAME_CLASS, _D)),
    _rule("scm-eqp1", (_P, _SAME_PROPERTY, _Q), (_P, _SUBPROPERTY, _Q), (_Q, _SUBPROPERTY, _P), conclusions=2),
    _rule("scm-eqp2", (_P, _SUBPROPERTY, _Q), (_Q, _SUBPROPERTY, _P), (_P, _SAME_PROPERTY, _Q)),
    _rule("scm-dom1", (_P, RDFS.domain, _C), (_C, _SUBCLASS, _D), (_P, RDFS.domain, _D)),
    _rule("scm-dom2", (_P, _SUBPROPERTY, _Q), (_Q, RDFS.domain, _C), (_P, RDFS.domain, _C)),
    _rule("scm-rng1", (_P, RDFS.range, _C), (_C, _SUBCLASS, _D), (_P, RDFS.range, _D)),
    _rule("scm-rng2", (_P, _SUBPROPERTY, _Q), (_Q, RDFS.range, _C), (_P, RDFS.range, _C)),
)
"""The rules by precedence in explanations: those about instances before those about the schema."""

MUTUAL_PREDICATES = frozenset({_SAME_CLASS, _SAME_PROPERTY, OWL.inverseOf})
"""The symmetric schema predicates."""

SCHEMA_PATTERNS: tuple[Pattern, ...] = tuple(
    dict.fromkeys(
        Pattern(Variable("s"), premise.predicate, Variable("o") if premise.predicate != _TYPE else premise.object)
        for rule in RULES
        for premise in rule.schema
    )
)
"""Patterns of all schema statements that rules use."""

_REFLEXIVE = frozenset({_SUBCLASS, _SUBPROPERTY, _SAME_CLASS, _SAME_PROPERTY})


def says_nothing(triple: Triple) -> bool:
    """Whether a conclusion is trivial: a class or property below or equivalent to itself."""
    return triple.subject == triple.object and triple.predicate in _REFLEXIVE


_SCHEMA_PREDICATES = frozenset(pattern.predicate for pattern in SCHEMA_PATTERNS) - {_TYPE}
_SCHEMA_TYPES = frozenset(pattern.object for pattern in SCHEMA_PATTERNS if pattern.predicate == _TYPE)


def is_schema_statement(triple: Triple) -> bool:
    """Whether a triple is a schema statement for the rules."""
    if triple.predicate == _TYPE:
        return triple.object in _SCHEMA_TYPES
    return triple.predicate in _SCHEMA_PREDICATES


Facts: TypeAlias = Callable[[Pattern], Iterable[Triple]]
"""Returns the known triples that match a pattern."""


def solutions(facts: Facts, premises: tuple[Pattern, ...], bindings: Bindings) -> Iterator[dict[Variable, Term]]:
    """All solutions of the premises, as values of the variables.

    The premise with the fewest variables is matched first.
    """
    if not premises:
        yield dict(bindings)
        return
    pattern, first = min(((premise.bound(bindings), premise) for premise in premises), key=lambda pair: pair[0].freedom)
    rest = tuple(premise for premise in premises if premise is not first)
    for triple in facts(pattern):
        found = pattern.bindings(triple)
        if found is not None:
            yield from solutions(facts, rest, {**bindings, **found})


def matching(store: Store, pattern: Pattern, limits: Limits = NO_LIMITS) -> Iterator[Quad]:
    """The quads of a store that match a pattern with distinct variables."""
    subject, predicate, value = (
        None if isinstance(slot, Variable) else slot for slot in (pattern.subject, pattern.predicate, pattern.object)
    )
    if isinstance(subject, Literal) or isinstance(predicate, (Literal, BlankNode)):
        return iter(())
    return store.match(subject, predicate, value, limits=limits)
