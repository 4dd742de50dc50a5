"""Find all that follows from a graph: the rules of `ontology.rules`, run to a fixpoint.

Rules are specialised first: with `prov:used rdfs:range prov:Entity`, rdfs3 becomes "the object of prov:used is a
prov:Entity", which looks at the statements of one predicate only. What no specialised rule looks at is never read. Then
evaluation is semi-naive, a relation at a time: what is new in it is joined with all that is known.

Equal terms (`owl:sameAs`) are one term while the rules run. At the end each conclusion is given for every term that
equals one of its own, as eq-rep-s, eq-rep-p and eq-rep-o say.

Statements that RDF does not allow, with a literal as subject or a blank node as predicate, are premises of the whole
profile like others, but are never given out. Nothing is concluded to equal a literal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from hpc_explorer.ontology.reasoning.facts import Facts, Key
from hpc_explorer.ontology.reasoning.joining import Atom, Joiner, Special, Table
from hpc_explorer.ontology.reasoning.relations import (
    LITERALS,
    Relation,
    Rows,
    among,
    distinct,
    matches,
    objects_of,
    paired,
    subjects_of,
    without,
)
from hpc_explorer.ontology.rules import LIST, REFLEXIVE, Bindings, Pattern, Rule, RuleSet, is_number
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Term, Variable
from hpc_explorer.stores.base import Limits, Progress
from hpc_explorer.stores.local.local import LocalStore

_BY_EQUALITY = ("eq-sym", "eq-trans", "eq-rep-s", "eq-rep-p", "eq-rep-o", "eq-diff1")
"""The rules that are not evaluated one by one, as equal terms are one term."""


@dataclass(frozen=True)
class Clash:
    """Statements that contradict each other.

    Args:
        rule: the name of the rule that says so.
        premises: the statements; they may have a literal as subject or a blank node as predicate.
        bindings: the values of the rule's variables.
    """

    rule: str
    premises: tuple[Pattern, ...]
    bindings: Bindings


Numbers = tuple[int, int, int]
"""A pattern in numbers; variables are negative."""


class _Numbered:
    """A rule in numbers.

    Attributes:
        definitions: the premises by which it is specialised.
        premises: the others.
        names: the variable of -1, of -2 and so on.
        wanted: the numbers that variables must have.
    """

    def __init__(self, rule: Rule, definitions: tuple[Pattern, ...], facts: Facts) -> None:
        names: dict[Variable, int] = {}

        def slot(one: Term | Variable) -> int:
            return names.setdefault(one, -1 - len(names)) if isinstance(one, Variable) else facts.number(one)

        def numbers(pattern: Pattern) -> Numbers:
            return slot(pattern.subject), slot(pattern.predicate), slot(pattern.object)

        self.rule = rule
        self.definitions = tuple(map(numbers, definitions))
        self.premises = tuple(numbers(premise) for premise in rule.premises if premise not in definitions)
        self.conclusions = tuple(map(numbers, rule.conclusions))
        self.names = tuple(names)
        self.wanted = tuple((names[variable], number) for variable, number in rule.numbers.items() if variable in names)


def _bound(pattern: Numbers, values: dict[int, int]) -> Numbers:
    """A pattern with variables replaced by their values."""
    subject, predicate, value = pattern
    return values.get(subject, subject), values.get(predicate, predicate), values.get(value, value)


class Closure:
    """One run to the fixpoint.

    Attributes:
        clashes: the contradictions, `most_clashes` of each rule at most.
        more_clashes: the rules of which there are more.
        steps: how many times the new statements of a relation were looked at.
    """

    def __init__(
        self,
        stores: Sequence[LocalStore],
        rule_set: RuleSet,
        most_clashes: int,
        progress: Progress,
        limits: Limits,
    ) -> None:
        self.clashes: list[Clash] = []
        self.more_clashes: set[str] = set()
        self.steps = 0
        self._facts = Facts(stores, limits)
        self._joiner = Joiner(self._facts, limits)
        self._is_whole = rule_set is RuleSet.OWL_RL
        self._rules = [rule for rule in rule_set.rules if rule.name not in _BY_EQUALITY]
        self._most_clashes = most_clashes
        self._progress = progress
        self._limits = limits
        self._watching: dict[Key, list[tuple[Special, int]]] = defaultdict(list)
        self._defining: dict[Key, list[tuple[Rule, int]]] = defaultdict(list)
        self._fresh: list[Special] = []
        self._made: set[tuple[object, ...]] = set()
        self._about_things: list[Special] = []
        self._at_end: list[Special] = []
        self._equated: list[tuple[str, Rows]] = []
        self._clash_keys: dict[str, set[frozenset[Pattern]]] = defaultdict(set)
        self._concluded = 0
        self._numbered = {rule.name: _Numbered(rule, rule.definitions, self._facts) for rule in self._rules}
        number = self._facts.number
        self._thing: Key = (True, number(OWL.Thing))
        self._below, self._nothing = number(RDFS.subClassOf), number(OWL.Nothing)
        self._reflexive = {number(term) for term in REFLEXIVE}

    def run(self) -> None:
        """Run until nothing new follows.

        Raises:
            Cancelled, DeadlineExceeded: by `limits`.
        """
        for rule in self._rules:
            for place, premise in enumerate(self._numbered[rule.name].definitions):
                self._defining[self._key_of(premise)].append((rule, place))
        axioms = ((OWL.Thing, OWL.Class), (OWL.Nothing, OWL.Class)) if self._is_whole else ()
        self._facts.read_types(axioms)
        for key in list(self._defining):
            self._facts.relation(key)
        for rule in self._rules:
            if not rule.definitions:
                self._compile(self._numbered[rule.name], {})
        if self._is_whole:
            same = self._facts.relation((False, self._facts.same_as))
            self._equate("", same.given)
        self._to_fixpoint()
        if self._is_whole:
            self._facts.read_all_about_equals()
            self._to_fixpoint()
            self._find_equal_differents()
            for special in self._at_end:
                places = [place for place, atom in enumerate(special.atoms) if atom.key == (False, self._facts.same_as)]
                delta = places[0], self._equal_row(special.atoms[places[0]])
                for table in self._joiner.solutions(special, delta):
                    self._clash(special, table)

    def _to_fixpoint(self) -> None:
        changed = self._facts.changed
        while True:
            self._limits.check("inferring")
            if self._equated and self._merge():
                continue
            key = next((key for key in self._defining if key in changed), None)
            if key is None and self._fresh:
                special = self._fresh.pop()
                for table in self._joiner.solutions(special):
                    self._conclude(special, table)
                continue
            if key is None:
                key = next(iter(changed), None)
            if key is None:
                return
            del changed[key]
            self._advance(key)

    def _advance(self, key: Key) -> None:
        """Look at what is new in a relation."""
        relation = self._facts.relations[key]
        before = sum(rows.size for _, rows in relation.concluded)
        new = relation.take()
        self._concluded += sum(rows.size for _, rows in relation.concluded) - before
        if not new.size:
            return
        self.steps += 1
        for rule, place in self._defining.get(key, ()):
            self._specialise(rule, place, new)
        for special, place in tuple(self._watching.get(key, ())):
            for table in self._joiner.solutions(special, (place, new)):
                self._conclude(special, table)
        if key[0]:
            types = (False, self._facts.type)
            for special, place in tuple(self._watching.get(types, ())):
                statements = paired(new, np.full(new.size, key[1], dtype=np.int64))
                for table in self._joiner.solutions(special, (place, statements)):
                    self._conclude(special, table)
        self._progress(f"{self._concluded:,} statements inferred", None)

    # Specialising

    def _specialise(self, rule: Rule, place: int, new: Rows) -> None:
        """Specialise a rule by new definitions."""
        numbered = self._numbered[rule.name]
        premise = numbered.definitions[place]
        others = numbered.definitions[:place] + numbered.definitions[place + 1 :]
        for count, row in enumerate(new.tolist()):
            if count % 1024 == 0:
                self._limits.check("inferring")
            found = self._matching(premise, row)
            if found is None:
                continue
            for values in self._solutions(others, found) if others else (found,):
                self._add(numbered, values)

    def _matching(self, premise: Numbers, row: int) -> dict[int, int] | None:
        """The values of a definition's variables for a row of its relation; None if it does not match."""
        subject, predicate, value = premise
        if predicate == self._facts.type:
            return {subject: row} if subject < 0 or self._facts.canonical(subject) == row else None
        found: dict[int, int] = {}
        for slot, number in ((subject, row >> 32), (value, row & 0xFFFFFFFF)):
            if slot < 0:
                if found.setdefault(slot, number) != number:
                    return None
            elif self._facts.canonical(slot) != number:
                return None
        return found

    def _solutions(self, premises: tuple[Numbers, ...], values: dict[int, int]) -> Iterator[dict[int, int]]:
        """The values of variables with which definitions hold."""
        if not premises:
            yield values
            return
        pattern = _bound(premises[0], values)
        relation = self._facts.relation(self._key_of(pattern))
        if pattern[0] < 0 or pattern[1] == self._facts.type:
            rows = relation.rows
        else:
            subject = np.array([self._facts.canonical(pattern[0])], dtype=np.int64)
            _, ends = matches(relation.rows, subject)
            rows = paired(np.repeat(subject, ends.size), ends)
        for row in rows.tolist():
            found = self._matching(pattern, row)
            if found is not None:
                yield from self._solutions(premises[1:], {**values, **found})

    def _add(self, numbered: _Numbered, values: dict[int, int]) -> None:
        """Add a rule specialised by definitions, written out for the members of its list."""
        rule = numbered.rule
        for variable, wanted in numbered.wanted:
            if not is_number(self._facts.term(values[variable]), wanted):
                return
        if len(numbered.definitions) > 1 or rule.is_about_list:
            made = (rule.name, *(values[variable] for variable in sorted(values)))
            if made in self._made:
                return
            self._made.add(made)
        if not rule.is_about_list:
            self._compile(numbered, values)
            return
        terms = {
            variable: self._facts.term(values[-1 - place])
            for place, variable in enumerate(numbered.names)
            if -1 - place in values
        }
        definitions = tuple(definition.bound(terms) for definition in rule.definitions)
        for one in rule.bound(terms).with_members(self._list(terms[LIST])):
            self._compile(_Numbered(one, definitions, self._facts), {})

    def _list(self, head: Term) -> list[Term]:
        """The members of a list as it is stated; a broken list ends where it breaks."""
        first, rest = (self._facts.relation((False, self._facts.number(term))).given for term in (RDF.first, RDF.rest))
        members: list[Term] = []
        here, seen = self._facts.number(head), set[int]()
        while here not in seen:
            seen.add(here)
            at = np.array([here], dtype=np.int64)
            _, values = matches(first, at, first_only=True)
            members += [self._facts.term(value) for value in values.tolist()]
            _, following = matches(rest, at, first_only=True)
            if not following.size:
                break
            here = int(following[0])
        return members

    def _compile(self, numbered: _Numbered, values: dict[int, int]) -> None:
        """Make a specialised rule, and let it watch its relations."""
        premises = tuple(_bound(premise, values) for premise in numbered.premises)
        conclusions = tuple(_bound(conclusion, values) for conclusion in numbered.conclusions)
        if any(conclusion in premises for conclusion in conclusions):
            return
        atoms = tuple(Atom(self._key_of(premise), premise[0], premise[2]) for premise in premises)
        same = self._facts.same_as
        binds_equals = bool(conclusions) and conclusions[0][1] == same
        special = Special(numbered.rule, atoms, conclusions, numbered.names, values, binds_equals)
        if not conclusions and any(one.key == (False, same) for one in atoms):
            self._at_end.append(special)
        elif (
            conclusions and conclusions[0][1:] == (self._facts.type, self._thing[1]) and not self._watching[self._thing]
        ):
            # Everything is a thing, which is concluded only if a rule asks for it.
            self._about_things.append(special)
        else:
            self._watch(special)

    def _key_of(self, pattern: Numbers) -> Key:
        is_class = pattern[1] == self._facts.type and pattern[2] >= 0
        return is_class, self._facts.canonical(pattern[2] if is_class else pattern[1])

    def _watch(self, special: Special) -> None:
        is_empty = False
        for place, atom in enumerate(special.atoms):
            key = (atom.key[0], self._facts.canonical(atom.key[1]))
            self._watching[key].append((special, place))
            if key == self._thing:
                waking, self._about_things = self._about_things, []
                for one in waking:
                    self._watch(one)
            is_empty |= not self._facts.relation(key).rows.size and not self._facts.is_datatype(key)
        if not is_empty:
            self._fresh.append(special)

    # Concluding

    def _conclude(self, special: Special, table: Table) -> None:
        if not special.conclusions:
            self._clash(special, table)
        for subject, predicate, value in special.conclusions:
            subjects, objects = self._joiner.column(table, subject), self._joiner.column(table, value)
            if special.binds_equals and self._is_whole:
                both = (subjects >= LITERALS) & (objects >= LITERALS)
                self._clash_of_values(special, table, subjects, objects, both)
                self._equate(special.rule.name, paired(subjects, objects))
            else:
                self._emit(special.rule.name, subjects, self._facts.canonical(predicate), objects)

    def _emit(self, rule: str, subjects: Rows, predicate: int, objects: Rows) -> None:
        if not self._is_whole:
            # Reflexive statements matter only where terms are equal, or a rule of restrictions compares them.
            keep = subjects < LITERALS
            if predicate in self._reflexive:
                keep &= subjects != objects
            subjects, objects = subjects[keep], objects[keep]
        if not subjects.size:
            return
        if predicate == self._facts.same_as and self._is_whole:
            self._equate(rule, paired(subjects, objects))
        elif predicate != self._facts.type:
            self._append((False, predicate), rule, paired(subjects, objects))
        elif (objects == objects[0]).all():
            self._append((True, int(objects[0])), rule, subjects)
        else:
            for cls in np.unique(objects).tolist():
                self._append((True, cls), rule, subjects[objects == cls])

    def _append(self, key: Key, rule: str, rows: Rows) -> None:
        relation = self._facts.relation(key)
        rows = without(distinct(rows), relation.rows)
        if rows.size:
            self._facts.add((key[0], self._facts.canonical(key[1])), rule, rows)

    def _clash(self, special: Special, table: Table) -> None:
        """Note that the premises of a rule contradict each other."""
        name, keys = special.rule.name, self._clash_keys[special.rule.name]
        for row in range(table.size):
            numbers = {**special.values, **{slot: int(column[row]) for slot, column in table.columns.items()}}
            values = {
                variable: self._facts.term(numbers[-1 - place])
                for place, variable in enumerate(special.variables)
                if -1 - place in numbers
            }
            premises = tuple(premise.bound(values) for premise in special.rule.premises)
            if frozenset(premises) in keys:
                continue
            if len(keys) == self._most_clashes:
                self.more_clashes.add(name)
                return
            keys.add(frozenset(premises))
            self.clashes.append(Clash(name, premises, {**special.rule.values, **values}))

    def _clash_of_values(
        self, special: Special, table: Table, subjects: Rows, objects: Rows, both: np.typing.NDArray[np.bool_]
    ) -> None:
        """Note that different literals would have to be equal (dt-diff).

        Only literals of one datatype are compared: the engine keeps those of equal values once.
        """
        for place in np.flatnonzero(both & (subjects != objects)).tolist():
            one, other = self._facts.term(int(subjects[place])), self._facts.term(int(objects[place]))
            if isinstance(one, Literal) and isinstance(other, Literal) and one.datatype == other.datatype:
                self._clash(special, table.at(np.array([place], dtype=np.int64)))

    # Equality

    def _equate(self, rule: str, rows: Rows) -> None:
        """Note that terms are equal."""
        keep = (subjects_of(rows) < LITERALS) & (objects_of(rows) < LITERALS) & (subjects_of(rows) != objects_of(rows))
        if keep.any():
            self._equated.append((rule, rows[keep]))

    def _merge(self) -> bool:
        """Make equal terms one; returns whether any were not yet."""
        waiting = [(rule, rows) for rule, rows in self._equated]
        self._equated = []
        same = self._facts.relation((False, self._facts.same_as))
        same.take()
        pairs = [(row >> 32, row & 0xFFFFFFFF) for _, rows in waiting for row in rows.tolist()]
        pairs = [(a, b) for a, b in pairs if self._facts.canonical(a) != self._facts.canonical(b)]
        if not pairs:
            return False
        for rule, rows in waiting:
            if rule:
                same.concluded.append((rule, distinct(rows)))
        for old, new in self._facts.equate(pairs):
            self._watching[new] += self._watching.pop(old, [])
            self._fresh += [special for special, _ in self._watching[new]]
            self._defining[new] += [one for one in self._defining.pop(old, []) if one not in self._defining[new]]
        classes = np.array(sorted(self._facts.equals), dtype=np.int64)
        self._append((False, self._facts.same_as), "", paired(classes, classes))
        return True

    def _equal_row(self, atom: Atom) -> Rows:
        """The statement of a premise about equal terms, if they are equal."""
        ends = self._facts.canonical(atom.subject), self._facts.canonical(atom.object)
        return np.array([ends[0] << 32 | ends[1]] if ends[0] == ends[1] else [], dtype=np.int64)

    def _find_equal_differents(self) -> None:
        """eq-diff1: terms that are equal and different."""
        (rule,) = (rule for rule in RuleSet.OWL_RL.rules if rule.name == "eq-diff1")
        relation = self._facts.relation((False, self._facts.number(OWL.differentFrom)))
        relation.take()
        concluded = [rows for _, rows in relation.concluded]
        for row in distinct(np.concatenate((relation.given, *concluded))).tolist():
            one, other = row >> 32, row & 0xFFFFFFFF
            if self._facts.canonical(one) == self._facts.canonical(other):
                values = {Variable("x"): self._facts.term(one), Variable("y"): self._facts.term(other)}
                self.clashes.append(Clash(rule.name, rule.bound(values).premises, values))

    # The result

    def conclusions(self) -> Iterator[tuple[str, NamedNode, Rows]]:
        """The conclusions that say something and that RDF allows, each once, in pieces: rule, predicate, statements."""
        for key in sorted(self._facts.relations):
            for number in self._facts.equals.get(key[1], [key[1]]) if self._facts.equals else [key[1]]:
                predicate = RDF.type if key[0] else self._facts.term(number)
                if not isinstance(predicate, NamedNode) or key == (False, self._facts.type):
                    continue
                for rule, rows in self._of_relation(key, number):
                    if key[0]:
                        rows = paired(rows, np.full(rows.size, number, dtype=np.int64))
                    rows = rows[self._says_something(key, number, rows)]
                    if rows.size:
                        yield rule, predicate, rows

    def number(self, term: Term) -> int:
        """The number of a term; a new one if the rules did not meet it."""
        return self._facts.number(term)

    def term(self, number: int) -> Term:
        """The term of a number, as the graph spells it."""
        return self._facts.term(number)

    @property
    def resources(self) -> int:
        """How many resources have a number."""
        return self._facts.terms.resources

    def text(self, number: int) -> str:
        """The N-Triples text of a term as the graph spells it."""
        return self._facts.terms.spelled(number)

    def is_respelled(self, number: int) -> bool:
        """Whether the graph spells a literal in another way than the engine."""
        return self._facts.terms.is_respelled(number)

    def _says_something(self, key: Key, number: int, rows: Rows) -> np.typing.NDArray[np.bool_]:
        """As `rules.says_nothing`, and whether RDF allows it."""
        subjects, objects = subjects_of(rows), objects_of(rows)
        keep = subjects < LITERALS
        if key[0]:
            return keep & (number != self._thing[1])
        if number in self._reflexive:
            keep &= subjects != objects
        if number == self._below:
            keep &= (objects != self._thing[1]) & (subjects != self._nothing)
        return keep

    def _of_relation(self, key: Key, number: int) -> Iterator[tuple[str, Rows]]:
        """The conclusions of a relation by rule, for one of its equal predicates or classes."""
        relation = self._facts.relations[key]
        if not self._facts.equals:
            yield from relation.concluded
            return
        left = without(self._unfolded(key, relation.rows), self._given(key, number, relation))
        for rule, rows in relation.concluded:
            mine = distinct(rows)
            hit = mine[among(mine, left)]
            left = without(left, hit)
            yield rule, hit
        subjects, objects = (left, left) if key[0] else (subjects_of(left), objects_of(left))
        equal = np.array(sorted(one for members in self._facts.equals.values() for one in members), dtype=np.int64)
        if key == (False, self._facts.same_as):
            yield "eq-trans", left
            return
        of_subject = among(subjects, equal)
        of_object = among(objects, equal) & ~of_subject
        yield "eq-rep-s", left[of_subject]
        yield "eq-rep-o", left[of_object]
        yield "eq-rep-o" if key[0] else "eq-rep-p", left[~of_subject & ~of_object]

    def _given(self, key: Key, number: int, relation: Relation) -> Rows:
        """What is stated of one of equal predicates or classes."""
        if key[1] not in self._facts.equals:
            return relation.given
        return self._facts.given(key[0], number)

    def _unfolded(self, key: Key, rows: Rows) -> Rows:
        """The statements of a relation for all terms that equal theirs, sorted."""
        stands = np.array(sorted(self._facts.equals), dtype=np.int64)
        equals = self._facts.equals
        if key[0]:
            touched = among(rows, stands)
            more = [member for row in rows[touched].tolist() for member in equals[row]]
        else:
            touched = among(subjects_of(rows), stands) | among(objects_of(rows), stands)
            more = [
                one << 32 | other
                for row in rows[touched].tolist()
                for one, other in product(
                    equals.get(row >> 32, (row >> 32,)), equals.get(row & 0xFFFFFFFF, (row & 0xFFFFFFFF,))
                )
            ]
        return distinct(np.concatenate((rows[~touched], np.array(more, dtype=np.int64)))) if more else rows
