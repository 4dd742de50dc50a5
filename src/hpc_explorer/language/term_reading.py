"""Read the words of a graph, and name its classes and properties as people do.

A graph up to `_MOST_READ` triples is read once. Of a larger one, a sample of each predicate is read, and names and
values are looked up when a sentence has them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, islice
from pathlib import Path

from hpc_explorer.language.indirect import indirect_term, read_indirect
from hpc_explorer.language.lexicon import Lexicon
from hpc_explorer.language.meaning import Step, Steps
from hpc_explorer.language.tables import column_names
from hpc_explorer.language.terms import GraphTerms, TableColumn
from hpc_explorer.language.words import key_of, stem, stem_key, word_set
from hpc_explorer.ontology.labels import LABEL_PREDICATES, local_name, words
from hpc_explorer.ontology.schema import SchemaIndex, is_meta
from hpc_explorer.rdf.datatypes import NUMBERS
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, SKOS, XSD
from hpc_explorer.rdf.quantities import QUANTITY_PREDICATES, UNIT_PREDICATES, known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.remote.remote import RemoteStore

_MOST_READ = 300_000
_SAMPLE = 3_000
_SAMPLE_OF_CLASS = 200
_SAMPLE_THERE = 500
_MOST_LETTERS = 80
_MOST_UNTYPED = 200
_MOST_COMMENT_WORDS = 5
_MOST_LABEL_WORDS = 6
_NAME_PREDICATES = frozenset((*LABEL_PREDICATES, SKOS.altLabel, HPC.alternateName))
_TIME_TEXT = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?")
"""A time as plain text without an offset: texts of this form are in the order of time."""
_TIMES = frozenset((XSD.date, XSD.dateTime, XSD.gYear, XSD.gYearMonth))
_PARTICIPLES = frozenset(
    ("made", "run", "held", "led", "built", "drawn", "written", "taken", "sent", "given", "chosen", "kept", "done")
)
_VERBS = word_set(
    "uses contains includes cites feeds hosts owns controls measures serves powers supplies implements executes "
    "describes references produces creates reads writes trains monitors regulates"
)
"""Labels that are verbs, and no plurals."""
_NO_NOUNS = frozenset(
    map(
        stem,
        ["is", "was", "has", "had", "by", "of", "in", "on", "from", "for", "with", "at", "to", "as", "and", "dataset"],
    )
)


def read_terms(
    store: Store,
    schema: SchemaIndex,
    predicates: Mapping[NamedNode, int],
    lexicon: Lexicon,
    taught: Iterable[tuple[NamedNode, str]] = (),
    loose_files: Mapping[str, Path] | None = None,
    *,
    limits: Limits = NO_LIMITS,
) -> GraphTerms:
    """Read the words of a graph.

    Args:
        predicates: the predicates in use, with the number of their triples.
        taught: names that the user gave to classes and properties.
        loose_files: the files in the folders of the sources, by name.
    """
    total = sum(predicates.values())
    terms = GraphTerms(
        schema,
        lexicon,
        complete=total <= _MOST_READ and not store.capabilities.remote,
    )
    _read_statements(terms, store, predicates, limits)
    _read_units(terms, store, limits)
    _name_by_initials(terms)
    _read_columns(terms, store, limits)
    described = {name for one in terms.columns for name in (terms.files.get(one), terms.labels.get(one))}
    terms.loose_files = {
        name: () if name in described else column_names(path) for name, path in (loose_files or {}).items()
    }
    taught = tuple(taught)
    for key, phrases in lexicon.values.items():
        for phrase in phrases if key in terms.values else ():
            for property, several in terms.values[key].items():
                held = terms.values.setdefault(phrase, {}).setdefault(property, [])
                held += [one for one in several if one not in held]
    _name_classes(terms, store, taught, limits)
    _name_properties(terms, taught)
    _name_indirect(terms, store, predicates, limits)
    _name_adjectives(terms)
    return terms


# Statements
# ----------


def _read_statements(terms: GraphTerms, store: Store, predicates: Mapping[NamedNode, int], limits: Limits) -> None:
    types: dict[Resource, set[NamedNode]] = defaultdict(set)
    if terms.complete:
        for quad in store.match(None, RDF.type, limits=limits):
            if isinstance(quad.object, NamedNode) and not is_meta(quad.object):
                types[quad.subject].add(quad.object)  # type: ignore[index]  # subjects are resources
    of_classes = _of_each_class(terms, store, limits) if not terms.complete else {}
    for predicate in predicates:
        limits.check("reading the words of the graph")
        if predicate == RDF.type or (is_meta(predicate) and predicate not in _NAME_PREDICATES):
            continue
        found: Iterator[Quad] | list[Quad]
        if terms.complete:
            found = store.match(None, predicate, limits=limits)
        else:
            if isinstance(store, RemoteStore):
                some = store.first([(None, predicate, None)], _SAMPLE_THERE, limits=limits)
            else:
                some = islice(store.match(None, predicate, limits=limits), _SAMPLE)
            found = list(dict.fromkeys((*some, *of_classes.get(predicate, ()))))
            ends = {end for quad in found for end in (quad.subject, quad.object) if isinstance(end, NamedNode)} - set(
                types
            )
            for quad in store.match_many(subjects=ends, predicates=[RDF.type], limits=limits):
                if isinstance(quad.object, NamedNode):
                    types[quad.subject].add(quad.object)  # type: ignore[index]  # subjects are resources
        _read_property(terms, predicate, found, types)
    terms.types = {one: frozenset(classes) for one, classes in types.items() if isinstance(one, NamedNode)}
    if terms.complete:
        for one in terms.types:
            _add_name(terms, local_name(one.value), one, is_exact=False)


def _of_each_class(terms: GraphTerms, store: Store, limits: Limits) -> dict[NamedNode, list[Quad]]:
    """What is said of some things of each class: the first statements of a predicate may all be about one class."""
    found: dict[NamedNode, list[Quad]] = defaultdict(list)
    for cls in terms.schema.classes if not store.capabilities.remote else ():
        limits.check("reading the words of the graph")
        some = {quad.subject for quad in islice(store.match(None, RDF.type, cls, limits=limits), _SAMPLE_OF_CLASS)}
        for quad in store.match_many(subjects=some, limits=limits):  # type: ignore[arg-type]  # subjects are resources
            found[quad.predicate].append(quad)
    return found


def _read_property(
    terms: GraphTerms, predicate: NamedNode, quads: Iterable[Quad], types: Mapping[Resource, set[NamedNode]]
) -> None:
    subjects = terms.subjects[predicate] = Counter()
    objects = terms.objects[predicate] = Counter()
    untyped: set[NamedNode] = set()
    texts_of_times: bool | None = None
    for quad in quads:
        subject, value = quad.subject, quad.object
        subjects.update(types.get(subject, ()))  # type: ignore[arg-type]  # subjects are resources
        if not isinstance(value, Literal):
            its = types.get(value, ())  # type: ignore[arg-type]  # quoted triples have no types
            objects.update(its)
            if QUDT.QuantityValue in its:
                terms.quantities.add(predicate)
            if not its and isinstance(value, NamedNode) and terms.complete:
                untyped.add(value)
            continue
        objects[None] += 1
        datatype = value.datatype
        if datatype in NUMBERS:
            terms.numeric.add(predicate)
            if terms.complete:
                terms.largest[predicate] = max(terms.largest.get(predicate, 0.0), _as_number(value.value))
        elif datatype in _TIMES:
            terms.times[predicate].add(datatype)
            if terms.complete and value.value[:4].isdigit():
                terms.years.add(int(value.value[:4]))
        elif datatype == XSD.boolean:
            terms.booleans.add(predicate)
        elif len(value.value) <= _MOST_LETTERS:
            is_time = _TIME_TEXT.fullmatch(value.value) is not None
            texts_of_times = is_time and texts_of_times is not False
            if predicate in _NAME_PREDICATES and isinstance(subject, NamedNode):
                if subject not in terms.schema.classes and subject not in terms.schema.properties:
                    _add_name(terms, value.value, subject, is_exact=True)
                    terms.labels.setdefault(subject, value.value)
            else:
                held = terms.values.setdefault(key_of(value.value), {}).setdefault(predicate, [])
                if value not in held:
                    held.append(value)
    if texts_of_times:
        terms.times[predicate].add(XSD.string)
    if len(untyped) <= _MOST_UNTYPED:
        for one in sorted(untyped, key=str):
            _add_untyped(terms, predicate, one)


def _as_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _add_untyped(terms: GraphTerms, predicate: NamedNode, value: NamedNode) -> None:
    """A resource without a class, such as a status or a licence, is a value with the words of its IRI as its text."""
    if value in terms.schema.classes or value in terms.schema.properties:
        return
    text = words(local_name(value.value))
    label = terms.property_label(predicate).casefold()
    for key in {key_of(text), key_of(text).removesuffix(label).strip()}:
        if key and not key.isdigit():
            held = terms.values.setdefault(key, {}).setdefault(predicate, [])
            if value not in held:
                held.append(value)


def _add_name(terms: GraphTerms, name: str, resource: NamedNode, *, is_exact: bool) -> None:
    key = key_of(name)
    if not key:
        return
    held = terms.names.setdefault(key, [])
    if resource not in held:
        held.append(resource)
    if is_exact:
        terms.exact_names.add(name)
    stem_of_file, dot, ending = name.rpartition(".")
    if dot and ending.isalnum() and not ending.isdigit() and len(ending) <= 7 and " " not in name:
        held = terms.names.setdefault(key_of(stem_of_file), [])
        if resource not in held:
            held.append(resource)


def _read_columns(terms: GraphTerms, store: Store, limits: Limits) -> None:
    """Columns and files of datasets (`hpc:column`, `hpc:file`)."""
    if HPC.column not in terms.subjects and HPC.file not in terms.subjects:
        return
    named = {quad.subject: quad.object.value for quad in store.match(None, HPC.name, limits=limits)
             if isinstance(quad.object, Literal)}  # fmt: skip
    concepts: dict[NamedNode, frozenset[NamedNode]] = {}
    for info in terms.schema.properties.values():
        above = [cls for domain in (*info.domain_includes, *info.domains) for cls in terms.schema.superclasses(domain)]
        concepts[info.term] = frozenset(above)
    held: dict[object, set[NamedNode]] = defaultdict(set)
    for quad in store.match(None, HPC.hasProperty, limits=limits):
        if isinstance(quad.object, NamedNode):
            held[quad.subject] |= concepts.get(quad.object, frozenset())
    for quad in store.match(None, HPC.column, limits=limits):
        name = named.get(quad.object)  # type: ignore[arg-type]  # any term may be looked up
        if isinstance(quad.subject, NamedNode) and name is not None:
            column = TableColumn(name, frozenset(held.get(quad.object, ())))
            terms.columns.setdefault(quad.subject, []).append(column)
    for quad in store.match(None, HPC.file, limits=limits):
        name = named.get(quad.object)  # type: ignore[arg-type]  # any term may be looked up
        if isinstance(quad.subject, NamedNode) and name is not None:
            terms.files.setdefault(quad.subject, name)


def _read_units(terms: GraphTerms, store: Store, limits: Limits) -> None:
    """The kinds of the units in which each quantity is given."""
    if not terms.complete:
        return
    units = {
        quad.subject: quad.object
        for predicate in UNIT_PREDICATES
        for quad in store.match(None, predicate, limits=limits)
        if isinstance(quad.object, NamedNode)
    }
    for property in terms.quantities:
        its = {units.get(quad.object) for quad in store.match(None, property, limits=limits)}  # type: ignore[arg-type]  # any term may be looked up
        known = [known_units().get(one) if one is not None else None for one in its]
        if None not in known:
            terms.unit_kinds[property] = {one.kind for one in known if one is not None}


def _name_by_initials(terms: GraphTerms) -> None:
    """NSF, where "National Science Foundation" is a value and nothing is called so."""
    for held in list(terms.values.values()):
        for property, several in held.items():
            for one in several if property not in terms.numeric else ():
                capitals = re.findall(r"\b[A-Z](?=[a-z])", one.value) if isinstance(one, Literal) else []
                initials = "".join(capitals).casefold()
                if len(initials) > 2 and initials not in terms.names:
                    same = terms.values.setdefault(initials, {}).setdefault(property, [])
                    if one not in same:
                        same.append(one)


# Phrases
# -------


def _name_classes(terms: GraphTerms, store: Store, taught: tuple[tuple[NamedNode, str], ...], limits: Limits) -> None:
    alternative = [
        (quad.subject, quad.object.value)
        for quad in store.match(None, SKOS.altLabel, limits=limits)
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal)
    ] if SKOS.altLabel in terms.subjects or not terms.complete else []  # fmt: skip
    for cls, info in terms.schema.classes.items():
        if cls == QUDT.QuantityValue:
            continue
        own = {stem_key(info.label): 0.0, stem_key(words(local_name(cls.value))): 0.1}
        for key in tuple(own):
            for phrase in terms.lexicon.classes.get(key, ()):
                own.setdefault(phrase, 0.3)
        for term, text in (*alternative, *taught):
            if term == cls:
                own[stem_key(text)] = 0.0
        for phrase, price in own.items():
            if phrase:
                terms.classes[phrase].append((cls, price))
        if cls in terms.used_classes:
            last = stem_key(info.label).split()[-1:]
            if last and last[0] != stem_key(info.label):
                terms.heads[last[0]].append(cls)
    for cls in sorted(terms.used_classes & terms.schema.classes.keys(), key=str):
        for phrase in terms.lexicon.wider.get(stem_key(terms.schema.class_label(cls)), ()):
            if phrase not in terms.classes:
                terms.classes[phrase].append((cls, 0.3))


def _name_properties(terms: GraphTerms, taught: tuple[tuple[NamedNode, str], ...]) -> None:
    by_key: dict[str, list[NamedNode]] = defaultdict(list)
    for term, info in terms.schema.properties.items():
        if term in QUANTITY_PREDICATES or not terms.is_used(term) or term == HPC.illustrative:
            continue
        for key in dict.fromkeys((stem_key(info.label), stem_key(words(local_name(term.value))))):
            if key:
                by_key[key].append(term)
    for key, properties in by_key.items():
        steps = tuple(Step(term) for term in properties)
        _name_property(terms, key, steps)
        for phrase in terms.lexicon.properties.get(key, ()):
            terms.nouns[phrase].append((steps, 0.3))
        for phrase in terms.lexicon.relations.get(key, ()):
            price = 0.6 if " " not in phrase and len(phrase) <= 4 else 0.3
            terms.relations[phrase].append((steps, price))
    for term, info in terms.schema.properties.items():
        if terms.is_used(term):
            for gloss in _glosses(info.comment):
                terms.nouns[gloss].append(((Step(term),), 0.5))
            *first, last = stem_key(info.label).split() or [""]
            if first and first[0] not in _NO_NOUNS and last not in _NO_NOUNS:
                # "Score" for "anomaly score", unless something else is called so: "nodes" are no GPU nodes.
                is_taken = any(price <= 0.3 and Step(term) not in steps for steps, price in terms.nouns[last])
                terms.nouns[last].append(((Step(term),), 0.7 if is_taken else 0.45))
            head = re.match(r"(\w+) (?:in|of) ", key_of(info.label))
            if head:
                # "Memory" for "memory in the cluster".
                terms.nouns[stem_key(head[1])].append(((Step(term),), 0.9))
            for part in _shortened(stem_key(info.label)):
                terms.nouns[part].append(((Step(term),), 0.5))
    for term, text in taught:
        if term in terms.schema.properties:
            terms.nouns[stem_key(text)].append(((Step(term),), 0.0))
            terms.relations[stem_key(text)].append(((Step(term),), 0.0))
    for verb in terms.lexicon.verbs:
        steps = tuple(Step(term) for key in verb.from_doer for term in by_key.get(key, ()))
        steps += tuple(Step(term, False) for key in verb.to_doer for term in by_key.get(key, ()))
        if steps:
            for one in verb.stems:
                terms.verbs[one].append((tuple(dict.fromkeys(steps)), 0.3))


def _shortened(label: str) -> Iterable[str]:
    """Two or more of the words of a long label in order: "total memory" for "total cluster memory size"."""
    parts = [one for one in label.split() if one not in _NO_NOUNS]
    if 3 <= len(parts) <= _MOST_LABEL_WORDS:
        for length in range(2, len(parts)):
            yield from (" ".join(some) for some in combinations(parts, length))


def _glosses(comment: str) -> Iterable[str]:
    """The short phrases of a short comment: "maker or vendor" has two."""
    if 0 < len(comment.split()) <= _MOST_COMMENT_WORDS and not comment.endswith("."):
        yield from (stem_key(part) for part in comment.split(" or "))


def _name_property(terms: GraphTerms, key: str, steps: Steps) -> None:
    """Read a label as a noun, or as a verb with its doer before or after it."""
    label = terms.property_label(steps[0].predicate)
    parts = key_of(label).split() or key.split()
    terms.nouns[key].append((steps, 0.0))
    if parts[0] in ("has", "had", "is", "was", "supports") and len(parts) > 1:
        rest = stem_key(" ".join(parts[1:]))
        terms.relations[key].append((steps, 0.0))
        if parts[0] in ("has", "had", "supports") or not _is_participle(parts[1]):
            terms.nouns[rest].append((steps, 0.1))
        terms.relations[rest].append((steps, 0.1))
        parts = parts[1:]
    if _is_participle(parts[0]) and parts[-1] == "by":
        terms.verbs[stem(parts[0])].append((turned_steps(steps), 0.0))
        terms.relations[stem_key(" ".join(parts))].append((steps, 0.0))
    elif len(parts) == 1 and (_is_participle(parts[0]) or parts[0] in _VERBS):
        terms.verbs[stem(parts[0])].append((steps, 0.0))
    elif _is_participle(parts[0]) or parts[-1] in ("on", "of", "in", "to", "from", "for", "with", "at"):
        terms.relations[stem_key(" ".join(parts))].append((steps, 0.0))
        if parts[-1] == "of":
            # "member of": the noun stands for the property too, and leads the other way.
            terms.nouns[stem_key(" ".join(parts[:-1]))].append((turned_steps(steps), 0.2))
    if len(parts) == 1 and parts[0].endswith(("or", "er")) and len(parts[0]) > 5:
        root = parts[0][:-2]
        for form in {stem(root), stem(root + "e"), stem(root[:-1]) if root[-1:] == root[-2:-1] else stem(root)}:
            terms.verbs[form].append((turned_steps(steps), 0.1))


def _name_indirect(terms: GraphTerms, store: Store, predicates: Mapping[NamedNode, int], limits: Limits) -> None:
    """Name the properties that the graph states in more than one triple."""
    found = read_indirect(store, predicates, terms.objects, terms.times, terms.subjects, terms.types, limits)
    for number, one in enumerate(found):
        label = one.property.label
        term = indirect_term(label, number)
        terms.indirect[term] = one.property
        terms.subjects[term] = one.subjects
        terms.objects[term] = Counter({None: sum(one.subjects.values())})
        if one.is_numeric:
            terms.numeric.add(term)
        for text, literals in one.values.items():
            terms.values.setdefault(key_of(text), {}).setdefault(term, []).extend(literals)
        key = stem_key(label)
        for phrase, price in ((key, 0.05), *((each, 0.3) for each in terms.lexicon.properties.get(key, ()))):
            terms.nouns[phrase].append(((Step(term),), price))


def turned_steps(steps: Steps) -> Steps:
    """The steps in the other direction."""
    return tuple(step.turned for step in steps)


def _is_participle(word: str) -> bool:
    return (word.endswith("ed") and len(word) > 3) or word in _PARTICIPLES


def _name_adjectives(terms: GraphTerms) -> None:
    for adjective in terms.lexicon.adjectives:
        for key, is_greatest in adjective.properties:
            for steps, price in terms.nouns.get(key, ()):
                if price <= 0.1:
                    for one in adjective.stems:
                        terms.adjectives[one].append((steps, is_greatest))
