"""The words of a graph: the phrases for its classes and properties, its values and names, and what fits what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hpc_explorer.language.indirect import IN_BYTES, Duration, Indirect, Keyed
from hpc_explorer.language.lexicon import Lexicon
from hpc_explorer.language.meaning import Step, Steps
from hpc_explorer.language.periods import WORDS
from hpc_explorer.language.words import IRREGULAR, inflected, key_of, stem
from hpc_explorer.ontology.labels import local_name, search_words
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode

_MOST_WITH_WORD = 50
_MOST_WORDS_OF_VALUE = 6
_SECOND = NamedNode("http://qudt.org/vocab/unit/SEC")
_BYTE = NamedNode("http://qudt.org/vocab/unit/BYTE")


Named = Callable[[str], Iterable[NamedNode]]
"""Finds the resources whose name is a text, in graphs that were only sampled."""


@dataclass(frozen=True)
class TableColumn:
    """A column of a dataset that the graph describes: its name, and the concepts of the property it holds."""

    name: str
    concepts: frozenset[NamedNode]


@dataclass
class GraphTerms:
    """The words of one graph.

    Args:
        classes, nouns, relations, verbs: meanings by phrase (stems), each with a price.
        heads: the classes in use whose label ends with a word, by its stem.
        adjectives: property and whether the greatest comes first, by stem.
        values: literals by key and property.
        names: resources by key; `exact_names` have the capitals of the graph.
        largest: the greatest number of a property, if the whole graph was read.
        unit_kinds: the kinds of the units of quantities, if the whole graph was read.
        subjects, objects: the classes at both ends of a property; None among the objects is a literal.
        times: the datatypes of properties that hold dates or times.
        years: those of the times, if the whole graph was read.
        indirect: properties that the graph states in more than one triple, by the IRI that stands for them here.
        loose_files: files in the folders of the sources by name, with the columns of those that the graph does not
            describe.
        complete: whether the whole graph was read, so that what was not seen is not there.
    """

    schema: SchemaIndex
    lexicon: Lexicon
    classes: dict[str, list[tuple[NamedNode, float]]] = field(default_factory=lambda: defaultdict(list))
    heads: dict[str, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    nouns: dict[str, list[tuple[Steps, float]]] = field(default_factory=lambda: defaultdict(list))
    relations: dict[str, list[tuple[Steps, float]]] = field(default_factory=lambda: defaultdict(list))
    verbs: dict[str, list[tuple[Steps, float]]] = field(default_factory=lambda: defaultdict(list))
    adjectives: dict[str, list[tuple[Steps, bool]]] = field(default_factory=lambda: defaultdict(list))
    values: dict[str, dict[NamedNode, list[Literal | NamedNode]]] = field(default_factory=dict)
    names: dict[str, list[NamedNode]] = field(default_factory=dict)
    exact_names: set[str] = field(default_factory=set)
    types: dict[NamedNode, frozenset[NamedNode]] = field(default_factory=dict)
    labels: dict[NamedNode, str] = field(default_factory=dict)
    subjects: dict[NamedNode, Counter[NamedNode]] = field(default_factory=dict)
    objects: dict[NamedNode, Counter[NamedNode | None]] = field(default_factory=dict)
    numeric: set[NamedNode] = field(default_factory=set)
    largest: dict[NamedNode, float] = field(default_factory=dict)
    times: dict[NamedNode, set[NamedNode]] = field(default_factory=lambda: defaultdict(set))
    years: set[int] = field(default_factory=set)
    booleans: set[NamedNode] = field(default_factory=set)
    quantities: set[NamedNode] = field(default_factory=set)
    unit_kinds: dict[NamedNode, set[NamedNode | None]] = field(default_factory=dict)
    indirect: dict[NamedNode, Indirect] = field(default_factory=dict)
    columns: dict[NamedNode, list[TableColumn]] = field(default_factory=dict)
    files: dict[NamedNode, str] = field(default_factory=dict)
    loose_files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    complete: bool = True
    _spelled: frozenset[str] | None = None
    _below: dict[tuple[NamedNode, ...], frozenset[NamedNode]] = field(default_factory=dict)
    _within: dict[tuple[tuple[NamedNode, ...], NamedNode, bool], bool] = field(default_factory=dict)

    # What fits
    # ---------

    def at_or_below(self, classes: Iterable[NamedNode]) -> frozenset[NamedNode]:
        """Classes with all their subclasses."""
        key = tuple(classes)
        found = self._below.get(key)
        if found is None:
            found = frozenset(below for cls in key for below in self.schema.at_or_below(cls))
            self._below[key] = found
        return found

    def classes_of(self, resources: Iterable[NamedNode]) -> frozenset[NamedNode]:
        """The classes of some resources."""
        return frozenset(cls for one in resources for cls in self.types.get(one, ()))

    def step_fits(self, classes: Iterable[NamedNode], step: Step) -> bool:
        """Whether things of some classes have a property in this direction; without classes, always."""
        key = (tuple(classes), step.predicate, step.forward)
        if not key[0]:
            return True
        if key not in self._within:
            seen: Mapping[NamedNode | None, int] = (self.subjects if step.forward else self.objects).get(  # type: ignore[assignment]  # both count classes
                step.predicate, Counter()
            )
            self._within[key] = any(cls in seen for cls in self.at_or_below(key[0]))
        return self._within[key]

    def may_have_several(self, classes: Iterable[NamedNode], step: Step) -> bool:
        """Whether a thing of some classes may have several values of a property."""
        if not self.complete or not step.forward or step.predicate in self.indirect:
            return True
        seen = self.subjects.get(step.predicate, Counter())
        return any(seen[cls] > self.instances.get(cls, 0) for cls in (self.at_or_below(classes) or seen))

    @cached_property
    def instances(self) -> Mapping[NamedNode, int]:
        """How many things of each class there are, as far as they were seen."""
        return Counter(cls for classes in self.types.values() for cls in classes)

    def leads_to_literal(self, step: Step) -> bool:
        """Whether a step ends at literals."""
        return step.forward and None in self.objects.get(step.predicate, ())

    def leads_to(self, step: Step) -> frozenset[NamedNode]:
        """The classes at the end of a step."""
        seen = self.objects if step.forward else self.subjects
        return frozenset(cls for cls in seen.get(step.predicate, ()) if cls is not None)

    @cached_property
    def used_classes(self) -> frozenset[NamedNode]:
        """The classes with instances, as far as they were seen."""
        stated = {cls for classes in self.types.values() for cls in classes}
        return frozenset(stated | {cls for seen in self.subjects.values() for cls in seen})

    def property_label(self, property: NamedNode) -> str:
        """The label of a property."""
        indirect = self.indirect.get(property)
        return self.schema.property_label(property) if indirect is None else indirect.label

    def takes_unit(self, property: NamedNode, unit: NamedNode) -> bool:
        """Whether the values of a property are compared with an amount of this unit."""
        known = known_units().get(unit)
        if property in self.quantities:
            kinds = self.unit_kinds.get(property)
            return kinds is None or known is None or known.kind in kinds
        if known is None:
            return False
        indirect = self.indirect.get(property)
        if isinstance(indirect, Duration):
            return known.kind == known_units()[_SECOND].kind
        if isinstance(indirect, Keyed):
            return indirect.unit is not None and known.kind == known_units()[indirect.unit].kind
        return property in IN_BYTES and property in self.numeric and known.kind == known_units()[_BYTE].kind

    @cached_property
    def people(self) -> frozenset[NamedNode]:
        """The classes in use of those that "who" asks for."""
        named = [cls for word in ("who", "organization", "agent") for cls, _ in self.classes.get(stem(word), ())]
        return self.at_or_below(named) & self.used_classes

    @cached_property
    def activities(self) -> frozenset[NamedNode]:
        """The classes of what uses or makes things: those at the doer's end of "use" and "generate"."""
        steps = {
            step for verb in ("use", "generate") for several, _ in self.verbs.get(stem(verb), ()) for step in several
        }
        return frozenset(
            cls
            for step in steps
            for cls in self.leads_to(step.turned)
            if any(cls in self.subjects.get(term, ()) or cls in self.objects.get(term, ()) for term in self.times)
        )

    @cached_property
    def durations(self) -> frozenset[NamedNode]:
        """The properties that are the time between a start and an end."""
        return frozenset(term for term, one in self.indirect.items() if isinstance(one, Duration))

    def is_sortable(self, property: NamedNode) -> bool:
        """Whether the values of a property have an order."""
        return (
            property in self.numeric
            or property in self.times
            or property in self.quantities
            or property in self.durations
        )

    def adds_up(self, property: NamedNode) -> bool:
        """Whether amounts of a property are added up without being told to: those with a unit."""
        indirect = self.indirect.get(property)
        has_unit = isinstance(indirect, Keyed) and indirect.unit is not None
        return has_unit or property in self.quantities or property in self.durations

    def is_used(self, property: NamedNode) -> bool:
        """Whether the graph uses a property."""
        return property in self.subjects

    # Spelling
    # --------

    @cached_property
    def parts_of_names(self) -> Mapping[str, tuple[NamedNode, ...]]:
        """The resources with a word in their names; words of many resources are left out."""
        found: dict[str, set[NamedNode]] = defaultdict(set)
        for key, resources in self.names.items():
            for word in key.split():
                if len(word) > 2 and not word.isdigit():
                    found[word].update(resources)
        return {word: tuple(sorted(some, key=str)) for word, some in found.items() if len(some) <= _MOST_WITH_WORD}

    @cached_property
    def parts_of_values(self) -> Mapping[str, Mapping[NamedNode, Sequence[Literal | NamedNode]]]:
        """The values of a few words with a word in them, by property; words of many values are left out."""
        found: dict[str, dict[NamedNode, list[Literal | NamedNode]]] = defaultdict(lambda: defaultdict(list))
        for key, held in self.values.items():
            words = key.split()
            for word in words if 1 < len(words) <= _MOST_WORDS_OF_VALUE else ():
                if len(word) > 2 and not word.isdigit():
                    for term, several in held.items():
                        found[word][term] += [one for one in several if one not in found[word][term]]
        return {
            word: by_property
            for word, by_property in found.items()
            if sum(map(len, by_property.values())) <= _MOST_WITH_WORD
        }

    @cached_property
    def uses(self) -> Mapping[str, int]:
        """How often the words of names, values, classes and properties are used in the graph, as far as it was read."""
        found: Counter[str] = Counter()
        for cls, info in self.schema.classes.items():
            found.update(dict.fromkeys(key_of(info.label).split(), self.instances.get(cls, 0)))
        for term, about in self.schema.properties.items():
            number = sum(self.subjects.get(term, Counter()).values())
            found.update(dict.fromkeys(key_of(about.label).split(), number))
        for key, resources in self.names.items():
            found.update(dict.fromkeys(key.split(), len(resources)))
        for key, held in self.values.items():
            found.update(dict.fromkeys(key.split(), len(held)))
        found.update({f"{word}s": number for word, number in found.items() if word[-1:] != "s"})
        return found

    @property
    def spelled(self) -> frozenset[str]:
        """Every word that a sentence about this graph may have, in small letters."""
        if self._spelled is None:
            found = set(self.lexicon.words) | IRREGULAR | WORDS
            labels = {one.term: one.label for one in self.schema.classes.values()}
            labels |= {one.term: one.label for one in self.schema.properties.values()}
            for term, label in labels.items():
                found.update(key_of(label).split(), key_of(search_words(local_name(term.value))).split())
            for key in (*self.values, *self.names):
                found.update(key.split())
            for columns in self.columns.values():
                found.update(part for column in columns for part in key_of(column.name).split())
            found.update(word for unit in known_units().values() for word in key_of(unit.label).split())
            # People write the plural and the third person, and other forms of verbs.
            found |= {f"{word}s" for word in found if word.isalpha() and len(word) > 2 and word[-1] != "s"}
            found |= {form for word in self.lexicon.verb_words for form in inflected(word)}
            self._spelled = frozenset(found)
        return self._spelled
