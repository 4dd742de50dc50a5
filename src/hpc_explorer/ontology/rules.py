"""The inference rules as values, with their standard names.

`RuleSet.COMMON` has the entailment rules of RDF Schema (RDF 1.1 Semantics, section 9.2.1: rdfs2 to rdfs11) and those of
OWL 2 RL/RDF for equivalent classes and properties and for inverse, symmetric and transitive properties.
`RuleSet.OWL_RL` has all of OWL 2 RL/RDF (OWL 2 Profiles, section 4.3, tables 4 to 9) except what is axiomatic:
eq-ref, prp-ap, cls-thing, cls-nothing1 and dt-type1. dt-type2 and dt-diff are in `reasoning`, and dt-not-type in
`inference`, as they are about literals. Rules in both specifications have the RDFS name: rdfs2 is prp-dom, rdfs3
prp-rng, rdfs5 scm-spo, rdfs7 prp-spo1, rdfs9 cax-sco and rdfs11 scm-sco.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from itertools import combinations
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

    def bindings(self, triple: Triple | Pattern) -> dict[Variable, Term] | None:
        """The values of the variables if the pattern matches the triple; else None."""
        found: dict[Variable, Term] = {}
        terms = (triple.subject, triple.predicate, triple.object)
        for slot, term in zip((self.subject, self.predicate, self.object), terms, strict=True):
            if isinstance(term, (Triple, Variable)):
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

    A rule about a list has the variable `list`. `with_members` replaces the variables for its members: `each` by every
    member in turn, `one` and `other` by every pair, and `every` by all of them at once, which repeats the premise.

    Args:
        name: its name in the specification.
        premises: patterns that must match stated or inferred triples.
        conclusions: the inferred patterns; none if the premises contradict each other.
        transitive: whether its last two premises are steps of one predicate that its conclusion joins.
        numbers: the values that variables must have.
        values: the variables that were replaced by their values.
    """

    name: str
    premises: tuple[Pattern, ...]
    conclusions: tuple[Pattern, ...]
    transitive: bool = False
    numbers: Mapping[Variable, int] = field(default_factory=dict)
    values: Bindings = field(default_factory=dict)

    @property
    def variables(self) -> frozenset[Variable]:
        """All variables."""
        return frozenset(
            slot
            for pattern in (*self.premises, *self.conclusions)
            for slot in (pattern.subject, pattern.predicate, pattern.object)
            if isinstance(slot, Variable)
        )

    @cached_property
    def is_about_list(self) -> bool:
        """Whether a premise names a list, for whose members the rule is written out."""
        return LIST in self.variables

    @cached_property
    def definitions(self) -> tuple[Pattern, ...]:
        """The premises that say which predicates, classes and lists the rule is about: with them it is specialised."""
        patterns = (*self.premises, *self.conclusions)
        used = [pattern.predicate for pattern in patterns]
        used += [pattern.object for pattern in patterns if pattern.predicate == _TYPE]
        meant = {slot for slot in used if isinstance(slot, Variable)} | {LIST}
        return tuple(
            premise for premise in self.premises if premise.is_schema and {premise.subject, premise.object} & meant
        )

    def with_members(self, members: Sequence[Term]) -> Iterator[Rule]:
        """The rule written out for the members of its list."""
        names = self.variables
        if _EACH in names:
            for member in members:
                yield self.bound({_EACH: member})
        elif _ONE in names:
            for one, other in combinations(members, 2):
                yield self.bound({_ONE: one, _OTHER: other})
        elif members:
            yield self._repeated(members)

    def bound(self, bindings: Bindings) -> Rule:
        """The rule with variables replaced by their values."""
        return Rule(
            self.name,
            tuple(pattern.bound(bindings) for pattern in self.premises),
            tuple(pattern.bound(bindings) for pattern in self.conclusions),
            self.transitive,
            self.numbers,
            {**self.values, **bindings},
        )

    def _repeated(self, members: Sequence[Term]) -> Rule:
        def numbered(pattern: Pattern, number: int) -> Pattern:
            def of(slot: Slot) -> Slot:
                if not isinstance(slot, Variable) or slot.value[-2:] not in ("_i", "_j"):
                    return slot
                return Variable(f"{slot.value[:-1]}{number + slot.value.endswith('_j')}")

            return Pattern(of(pattern.subject), of(pattern.predicate), of(pattern.object)).bound(
                {_EVERY: members[number]}
            )

        premises: list[Pattern] = []
        for premise in self.premises:
            if _EVERY in (premise.subject, premise.predicate, premise.object):
                premises += [numbered(premise, number) for number in range(len(members))]
            else:
                premises.append(premise)
        last = {Variable("u_n"): Variable(f"u_{len(members)}")}
        conclusions = tuple(pattern.bound(last) for pattern in self.conclusions)  # type: ignore[arg-type]  # renamed
        return Rule(self.name, tuple(premises), conclusions, values=self.values)


def is_number(term: object, number: int) -> bool:
    """Whether a term is a literal of an integer with this value."""
    try:
        return isinstance(term, Literal) and int(term.value) == number
    except ValueError:
        return False


LIST, _EACH, _ONE, _OTHER, _EVERY = (Variable(name) for name in ("list", "each", "one", "other", "every"))
_TYPE, _SUBCLASS, _SUBPROPERTY = RDF.type, RDFS.subClassOf, RDFS.subPropertyOf
_SAME_CLASS, _SAME_PROPERTY = OWL.equivalentClass, OWL.equivalentProperty


class RuleSet(Enum):
    """Which rules are used."""

    COMMON = "common"
    OWL_RL = "owl-rl"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules by precedence in explanations: those about instances before those about the schema."""
        return _read(_COMMON) if self is RuleSet.COMMON else _read(_OWL_RL_INSTANCES + _COMMON + _OWL_RL_SCHEMA)


_COMMON = """
rdfs2     ?x ?p ?y . ?p rdfs:domain ?c -> ?x a ?c
rdfs3     ?x ?p ?y . ?p rdfs:range ?c -> ?y a ?c
rdfs7     ?x ?p ?y . ?p rdfs:subPropertyOf ?q -> ?x ?q ?y
rdfs9     ?x a ?c . ?c rdfs:subClassOf ?d -> ?x a ?d
cax-eqc1  ?x a ?c . ?c owl:equivalentClass ?d -> ?x a ?d
cax-eqc2  ?x a ?d . ?c owl:equivalentClass ?d -> ?x a ?c
prp-eqp1  ?x ?p ?y . ?p owl:equivalentProperty ?q -> ?x ?q ?y
prp-eqp2  ?x ?q ?y . ?p owl:equivalentProperty ?q -> ?x ?p ?y
prp-inv1  ?x ?p ?y . ?p owl:inverseOf ?q -> ?y ?q ?x
prp-inv2  ?x ?q ?y . ?p owl:inverseOf ?q -> ?y ?p ?x
prp-symp  ?x ?p ?y . ?p a owl:SymmetricProperty -> ?y ?p ?x
prp-trp   ?p a owl:TransitiveProperty . ?x ?p ?y . ?y ?p ?z -> ?x ?p ?z
rdfs11    ?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?e -> ?c rdfs:subClassOf ?e
rdfs5     ?p rdfs:subPropertyOf ?q . ?q rdfs:subPropertyOf ?r -> ?p rdfs:subPropertyOf ?r
scm-eqc1  ?c owl:equivalentClass ?d -> ?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?c
scm-eqc2  ?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?c -> ?c owl:equivalentClass ?d
scm-eqp1  ?p owl:equivalentProperty ?q -> ?p rdfs:subPropertyOf ?q . ?q rdfs:subPropertyOf ?p
scm-eqp2  ?p rdfs:subPropertyOf ?q . ?q rdfs:subPropertyOf ?p -> ?p owl:equivalentProperty ?q
scm-dom1  ?p rdfs:domain ?c . ?c rdfs:subClassOf ?d -> ?p rdfs:domain ?d
scm-dom2  ?p rdfs:subPropertyOf ?q . ?q rdfs:domain ?c -> ?p rdfs:domain ?c
scm-rng1  ?p rdfs:range ?c . ?c rdfs:subClassOf ?d -> ?p rdfs:range ?d
scm-rng2  ?p rdfs:subPropertyOf ?q . ?q rdfs:range ?c -> ?p rdfs:range ?c
"""

_OWL_RL_INSTANCES = """
prp-spo2    ?p owl:propertyChainAxiom ?list . ?u_i ?every ?u_j -> ?u_0 ?p ?u_n
prp-key     ?c owl:hasKey ?list . ?x a ?c . ?x ?every ?z_i . ?y ?every ?z_i . ?y a ?c -> ?x owl:sameAs ?y
prp-fp      ?p a owl:FunctionalProperty . ?x ?p ?y . ?x ?p ?z -> ?y owl:sameAs ?z
prp-ifp     ?p a owl:InverseFunctionalProperty . ?x ?p ?y . ?z ?p ?y -> ?x owl:sameAs ?z
cls-int1    ?c owl:intersectionOf ?list . ?y a ?every -> ?y a ?c
cls-int2    ?c owl:intersectionOf ?list . ?y a ?c -> ?y a ?each
cls-uni     ?c owl:unionOf ?list . ?y a ?each -> ?y a ?c
cls-oo      ?c owl:oneOf ?list -> ?each a ?c
cls-svf1    ?c owl:someValuesFrom ?d . ?c owl:onProperty ?p . ?x ?p ?y . ?y a ?d -> ?x a ?c
cls-svf2    ?c owl:someValuesFrom owl:Thing . ?c owl:onProperty ?p . ?x ?p ?y -> ?x a ?c
cls-avf     ?c owl:allValuesFrom ?d . ?c owl:onProperty ?p . ?x a ?c . ?x ?p ?y -> ?y a ?d
cls-hv1     ?c owl:hasValue ?y . ?c owl:onProperty ?p . ?x a ?c -> ?x ?p ?y
cls-hv2     ?c owl:hasValue ?y . ?c owl:onProperty ?p . ?x ?p ?y -> ?x a ?c
cls-maxc2   ?c owl:maxCardinality 1 . ?c owl:onProperty ?p . ?x a ?c . ?x ?p ?y . ?x ?p ?z -> ?y owl:sameAs ?z
cls-maxqc3  ?c owl:maxQualifiedCardinality 1 . ?c owl:onProperty ?p . ?c owl:onClass ?d . ?x a ?c . ?x ?p ?y .
            ?y a ?d . ?x ?p ?z . ?z a ?d -> ?y owl:sameAs ?z
cls-maxqc4  ?c owl:maxQualifiedCardinality 1 . ?c owl:onProperty ?p . ?c owl:onClass owl:Thing . ?x a ?c . ?x ?p ?y .
            ?x ?p ?z -> ?y owl:sameAs ?z
eq-sym      ?x owl:sameAs ?y -> ?y owl:sameAs ?x
eq-trans    ?x owl:sameAs ?y . ?y owl:sameAs ?z -> ?x owl:sameAs ?z
eq-rep-s    ?x owl:sameAs ?y . ?x ?p ?z -> ?y ?p ?z
eq-rep-p    ?p owl:sameAs ?q . ?x ?p ?y -> ?x ?q ?y
eq-rep-o    ?y owl:sameAs ?z . ?x ?p ?y -> ?x ?p ?z
eq-diff1    ?x owl:sameAs ?y . ?x owl:differentFrom ?y -> false
eq-diff2    ?d a owl:AllDifferent . ?d owl:members ?list . ?one owl:sameAs ?other -> false
eq-diff3    ?d a owl:AllDifferent . ?d owl:distinctMembers ?list . ?one owl:sameAs ?other -> false
prp-irp     ?p a owl:IrreflexiveProperty . ?x ?p ?x -> false
prp-asyp    ?p a owl:AsymmetricProperty . ?x ?p ?y . ?y ?p ?x -> false
prp-pdw     ?p owl:propertyDisjointWith ?q . ?x ?p ?y . ?x ?q ?y -> false
prp-adp     ?d a owl:AllDisjointProperties . ?d owl:members ?list . ?x ?one ?y . ?x ?other ?y -> false
prp-npa1    ?n owl:sourceIndividual ?x . ?n owl:assertionProperty ?p . ?n owl:targetIndividual ?y . ?x ?p ?y -> false
prp-npa2    ?n owl:sourceIndividual ?x . ?n owl:assertionProperty ?p . ?n owl:targetValue ?y . ?x ?p ?y -> false
cls-nothing2 ?x a owl:Nothing -> false
cls-com     ?c owl:complementOf ?d . ?x a ?c . ?x a ?d -> false
cls-maxc1   ?c owl:maxCardinality 0 . ?c owl:onProperty ?p . ?x a ?c . ?x ?p ?y -> false
cls-maxqc1  ?c owl:maxQualifiedCardinality 0 . ?c owl:onProperty ?p . ?c owl:onClass ?d . ?x a ?c . ?x ?p ?y .
            ?y a ?d -> false
cls-maxqc2  ?c owl:maxQualifiedCardinality 0 . ?c owl:onProperty ?p . ?c owl:onClass owl:Thing . ?x a ?c .
            ?x ?p ?y -> false
cax-dw      ?c owl:disjointWith ?d . ?x a ?c . ?x a ?d -> false
cax-adc     ?a a owl:AllDisjointClasses . ?a owl:members ?list . ?x a ?one . ?x a ?other -> false
"""

_OWL_RL_SCHEMA = """
scm-int     ?c owl:intersectionOf ?list -> ?c rdfs:subClassOf ?each
scm-uni     ?c owl:unionOf ?list -> ?each rdfs:subClassOf ?c
scm-hv      ?c owl:hasValue ?y . ?c owl:onProperty ?p . ?d owl:hasValue ?y . ?d owl:onProperty ?q .
            ?p rdfs:subPropertyOf ?q -> ?c rdfs:subClassOf ?d
scm-svf1    ?c owl:someValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:someValuesFrom ?z . ?d owl:onProperty ?p .
            ?y rdfs:subClassOf ?z -> ?c rdfs:subClassOf ?d
scm-svf2    ?c owl:someValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:someValuesFrom ?y . ?d owl:onProperty ?q .
            ?p rdfs:subPropertyOf ?q -> ?c rdfs:subClassOf ?d
scm-avf1    ?c owl:allValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:allValuesFrom ?z . ?d owl:onProperty ?p .
            ?y rdfs:subClassOf ?z -> ?c rdfs:subClassOf ?d
scm-avf2    ?c owl:allValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:allValuesFrom ?y . ?d owl:onProperty ?q .
            ?p rdfs:subPropertyOf ?q -> ?d rdfs:subClassOf ?c
scm-cls     ?c a owl:Class -> ?c rdfs:subClassOf ?c . ?c owl:equivalentClass ?c . ?c rdfs:subClassOf owl:Thing .
            owl:Nothing rdfs:subClassOf ?c
scm-op      ?p a owl:ObjectProperty -> ?p rdfs:subPropertyOf ?p . ?p owl:equivalentProperty ?p
scm-dp      ?p a owl:DatatypeProperty -> ?p rdfs:subPropertyOf ?p . ?p owl:equivalentProperty ?p
"""

_TRANSITIVE = frozenset({"prp-trp", "rdfs11", "rdfs5", "eq-trans"})

_NAMESPACES = {"rdf": RDF, "rdfs": RDFS, "owl": OWL}


@cache
def _read(table: str) -> tuple[Rule, ...]:
    """The rules of a table: a name, then premises and conclusions as in Turtle, or `false`. Indented lines go on."""
    rules = []
    for line in filter(None, table.replace("\n            ", " ").splitlines()):
        name, _, text = line.partition(" ")
        before, _, after = text.partition("->")
        numbers: dict[Variable, int] = {}

        def slot(word: str, numbers: dict[Variable, int] = numbers) -> Slot:
            if word.startswith("?"):
                return Variable(word[1:])
            if word.isdigit():
                variable = Variable(f"number{word}")
                numbers[variable] = int(word)
                return variable
            prefix, _, local = word.partition(":")
            return RDF.type if word == "a" else _NAMESPACES[prefix].term(local)

        premises, conclusions = (
            () if part.strip() == "false" else tuple(Pattern(*map(slot, one.split())) for one in part.split(" . "))
            for part in (before, after)
        )
        rules.append(Rule(name, premises, conclusions, name in _TRANSITIVE, numbers))
    return tuple(rules)


MUTUAL_PREDICATES = frozenset({_SAME_CLASS, _SAME_PROPERTY, OWL.inverseOf})
"""The symmetric schema predicates."""


@cache
def schema_patterns(rule_set: RuleSet) -> tuple[Pattern, ...]:
    """Patterns of all statements about classes, properties and lists that the rules use."""
    premises = [premise for rule in rule_set.rules for premise in rule.premises if premise.is_schema]
    patterns = [
        Pattern(Variable("s"), premise.predicate, premise.object if premise.predicate == _TYPE else Variable("o"))
        for premise in premises
    ]
    if rule_set is RuleSet.OWL_RL:
        patterns += [Pattern(Variable("s"), predicate, Variable("o")) for predicate in (RDF.first, RDF.rest)]
    return tuple(dict.fromkeys(patterns))


REFLEXIVE = frozenset({_SUBCLASS, _SUBPROPERTY, _SAME_CLASS, _SAME_PROPERTY, OWL.sameAs})
"""The predicates that everything has to itself."""


def says_nothing(triple: Triple | Pattern) -> bool:
    """Whether a conclusion is trivial: equal to, below or equivalent to itself; a thing; nothing below, a class."""
    if triple.subject == triple.object and triple.predicate in REFLEXIVE:
        return True
    if triple.object == OWL.Thing:
        return triple.predicate in (_TYPE, _SUBCLASS)
    return triple.subject == OWL.Nothing and triple.predicate == _SUBCLASS


Facts: TypeAlias = Callable[[Pattern], Iterable[Triple | Pattern]]
"""Returns the known statements that match a pattern."""


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
