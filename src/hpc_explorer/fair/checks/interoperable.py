"""The tests of I1 and I2: the formats and vocabularies of metadata and data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hpc_explorer.fair.checks.finding import Check, found
from hpc_explorer.fair.checks.words import listed, say, short, term, terms, the_data
from hpc_explorer.fair.content import (
    METRICS,
    MODEL_STRUCTURE,
    elements_with_values,
    files_of,
    files_on_hand,
    format_by_name,
    formats_of,
    listed_format,
    structure_with_values,
    units_of,
    with_values,
)
from hpc_explorer.fair.formats import format_of
from hpc_explorer.fair.known_terms import TermStatus, is_no_term, meant_by, standing, vocabulary_name
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.terms import ELEMENTS_INTO, FairFact, Role, terms_of
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.fair.vocabularies import DEFAULT_NAMESPACES, is_persistent, namespace_of, vocabulary_of
from hpc_explorer.ontology.common_terms import CROISSANT, CSVW, Fact, schema_org
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import DCAT, HPC, OWL, QUDT, RDF, RDFS, XSD
from hpc_explorer.rdf.syntax.formats import format_of_media_type
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from hpc_explorer.stores.base import CountKind

_KNOWN_ENOUGH = 0.9
_NAMED_AT_MOST = 3
_EVIDENCE_AT_MOST = 25
"""The most statements of evidence where all statements would count."""


def metadata_format_is_standard(subject: Subject, surroundings: Surroundings) -> Finding:
    """I1-01M: the resource is described in RDF; every syntax of it is standard."""
    test = "metadata_format_is_standard"
    if not subject.quads:
        return found(test, Verdict.FAIL, "Nothing is stated about it.", missing=(RDF.type,))
    sentence = f"{_statements(subject)} of it, in RDF 1.1, a standard of the W3C."
    return found(test, Verdict.PASS, sentence, subject.quads[:_EVIDENCE_AT_MOST], basis=Basis.VERIFIED)


def metadata_is_in_formal_language(subject: Subject, surroundings: Surroundings) -> Finding:
    """FsF-I1-01M: the metadata are RDF; whether the web serves RDF is checked online."""
    test = "metadata_is_in_formal_language"
    if not subject.quads:
        return found(test, Verdict.FAIL, "It has no statements in a formal language.", missing=(RDF.type,))
    evidence = subject.quads[:_EVIDENCE_AT_MOST]
    if isinstance(subject.resource, NamedNode) and subject.resource.value.startswith(("http://", "https://")):
        seen = surroundings.online(subject.resource.value)
        if seen is not None and seen.media_type is not None and format_of_media_type(seen.media_type) is not None:
            sentence = f"{_statements(subject)} of it in RDF, and its address answers with {seen.media_type}."
            return found(test, Verdict.PASS, sentence, evidence, basis=Basis.VERIFIED, online=seen.when)
    sentence = f"{_statements(subject)} of it in RDF, a formal language."
    return found(test, Verdict.PASS, sentence, evidence)


def _statements(subject: Subject) -> str:
    return "One statement tells" if len(subject.quads) == 1 else f"{len(subject.quads):,} statements tell"


def data_format_is_standard(subject: Subject, surroundings: Surroundings) -> Finding:
    """I1-01D: the format of a file is listed, or it is a described table."""
    return _listed_format(subject, surroundings, "data_format_is_standard", tables=True)


def data_follows_community_standard(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.3-01D: the format of a file is open, archival, or used by a science."""
    return _listed_format(subject, surroundings, "data_follows_community_standard", tables=False)


def _listed_format(subject: Subject, surroundings: Surroundings, test: str, *, tables: bool) -> Finding:
    what = "model" if subject.is_model else "data"
    missing = (HPC.modelFormat, *schema_org("encodingFormat")[:1]) if subject.is_model else (DCAT.mediaType,)
    if (listed_as := listed_format(subject)) is not None:
        known, spelled = listed_as
        kinds = {"open": "open", "longterm": "kept for long", "scientific": "used in science"}
        how = listed([words for kind, words in kinds.items() if kind in known.kinds])
        sentence = f"The format {short(spelled.text)} is listed: {known.name}, {how}."
        return found(test, Verdict.PASS, sentence, spelled.evidence, basis=Basis.VERIFIED)
    for on_hand in files_on_hand(subject, surroundings):
        if on_hand.file.media_type is not None and (known_file := format_of(on_hand.file.media_type)) is not None:
            sentence = f"The file {on_hand.file.name} on this machine is {known_file.name}, which is listed."
            return found(test, Verdict.PASS, sentence, on_hand.evidence, basis=Basis.VERIFIED)
    if tables and (described := _tables(subject)):
        sentence = "The data are a table whose columns are described by CSVW."
        return found(test, Verdict.PASS, sentence, described, basis=Basis.VERIFIED)
    stated = [each for node in files_of(subject) for each in formats_of(subject, node)]
    if stated:
        names = listed([short(each.text) for each in stated])
        several = len({each.text for each in stated}) > 1
        formats = f"The formats {names} are" if several else f"The format {names} is"
        sentence = f"{formats} in no list of open, lasting or scientific formats."
        evidence = [quad for each in stated for quad in each.evidence]
        return found(test, Verdict.FAIL, sentence, evidence, basis=Basis.VERIFIED, missing=missing)
    if (by_name := format_by_name(subject)) is not None:
        known, spelled = by_name
        sentence = f"No format of the {what} is stated; {short(spelled.text)} ends as {known.name} does."
        return found(test, Verdict.PARTIAL, sentence, spelled.evidence, missing=missing)
    return found(test, Verdict.FAIL, f"No format of the {what} is stated.", missing=missing)


def _tables(subject: Subject) -> tuple[Quad, ...]:
    nodes = files_of(subject)
    typed = (quad for node in nodes for quad in node.quads if quad.predicate == RDF.type and quad.object == CSVW.Table)
    return (*typed, *(quad for node in nodes for quad in node.stated(FairFact.TABLE_SCHEMA)))


def metadata_is_machine_understandable(subject: Subject, surroundings: Surroundings) -> Finding:
    """I1-02M: 90 % of the terms in the description are defined in a loaded or listed ontology."""
    test = "metadata_is_machine_understandable"
    used = _terms(with_values(subject))
    if not used:
        return found(test, Verdict.FAIL, "Nothing is stated about it.", missing=(RDF.type,))
    standings = {each: standing(each, surroundings) for each in used}
    lacking = [each for each in used if not standings[each].counts]
    known = len(used) - len(lacking)
    clauses = [
        f"{known} of {_properties(len(used))} {'is' if known == 1 else 'are'} defined in ontologies that are loaded or"
        " listed",
        *_no_terms([each for each in lacking if standings[each] is TermStatus.NO_TERM], used),
        *_unknown([each for each in lacking if standings[each] is TermStatus.UNKNOWN]),
        *_unchecked([each for each in used if standings[each] is TermStatus.UNCHECKED]),
    ]
    enough = known >= _KNOWN_ENOUGH * len(used)
    verdict = Verdict.PASS if enough else Verdict.PARTIAL if 2 * known >= len(used) else Verdict.FAIL
    evidence = [used[each] for each in (used if enough else lacking)]
    return found(test, verdict, f"{'; '.join(clauses)}.", evidence, basis=Basis.VERIFIED)


def _properties(count: int) -> str:
    return "one property or class" if count == 1 else f"{count} properties and classes"


def _no_terms(slips: Sequence[NamedNode], used: Mapping[NamedNode, Quad]) -> Iterator[str]:
    """The terms that their vocabulary lacks, with suggestions."""
    for each in slips[:_NAMED_AT_MOST]:
        near = [term(other) for other in meant_by(each, is_class=used[each].predicate != each)]
        question = f" (did you mean {listed(near, 'or')}?)" if near else ""
        yield f"{term(each)} is not a term of {vocabulary_name(each)}{question}"
    if (more := len(slips) - _NAMED_AT_MOST) > 0:
        yield f"{more} more {'is' if more == 1 else 'are'} unknown too"


def _unknown(unknown: Sequence[NamedNode]) -> Iterator[str]:
    if unknown:
        names = ", ".join(term(each) for each in unknown[:5]) + (" …" if len(unknown) > 5 else "")
        yield f"unknown {'is' if len(unknown) == 1 else 'are'} {names}"


def _unchecked(unchecked: Sequence[NamedNode]) -> Iterator[str]:
    """The vocabularies whose terms are not checked because only the namespace is listed."""
    if names := sorted({vocabulary_name(each) for each in unchecked}, key=str.lower):
        some = names if len(names) <= _NAMED_AT_MOST else [*names[: _NAMED_AT_MOST - 1], "others"]
        yield f"of {listed(some)} only the namespace is known, not each term"


def _terms(nodes: Iterable[Node]) -> dict[NamedNode, Quad]:
    """The properties and classes of some nodes, sorted, each with a statement that uses it."""
    used: dict[NamedNode, Quad] = {}
    for node in nodes:
        for quad in node.quads:
            used.setdefault(quad.predicate, quad)
            if quad.predicate == RDF.type and isinstance(quad.object, NamedNode):
                used.setdefault(quad.object, quad)
    return dict(sorted(used.items(), key=lambda pair: pair[0].value))


def data_is_machine_understandable(subject: Subject, surroundings: Surroundings) -> Finding:
    """I1-02D: data elements use known terms, columns have meanings, or values have units."""
    test = "data_is_machine_understandable"
    missing = (CSVW.propertyUrl, QUDT.unit)
    told = [quad for node in elements_with_values(subject) for quad in node.quads if _tells(quad)]
    known = [quad for quad in told if standing(quad.predicate, surroundings).counts]
    if known:
        count = subject.elements.count
        amount = f"{'at least ' if count.kind is CountKind.AT_LEAST else ''}{count.value:,}"
        used = ", ".join(term(each) for each in list(dict.fromkeys(quad.predicate for quad in known))[:3])
        things = "data element is" if count.value == 1 else "data elements are"
        sentence = f"{amount} {things} in the graph, in defined terms: {used}."
        return found(test, Verdict.PASS, sentence, known[:_EVIDENCE_AT_MOST])
    meanings = _meanings(subject, surroundings)
    if meanings:
        sentence = f"{term(meanings[0].predicate)} says what {_columns(len({quad.subject for quad in meanings}))}."
        return found(test, Verdict.PASS, sentence, meanings)
    units = [quad for quad in units_of(subject) if _is_of_data(subject, quad)]
    if units:
        return found(test, Verdict.PASS, f"The values of {the_data(subject)} have units.", units)
    inside = [quad for quad in subject.quads if subject.is_model and quad.predicate in MODEL_STRUCTURE]
    if inside:
        sentence = f"{terms(inside)} {say(inside, 'tells', 'tell')} what the model is inside."
        return found(test, Verdict.PASS, sentence, inside)
    if told:
        sentence = "Data elements are in the graph, but no ontology that is loaded or listed defines their properties"
        slips = [each for each in dict.fromkeys(quad.predicate for quad in told) if is_no_term(each, surroundings)]
        sentence = "; ".join([sentence, *_no_terms(slips, {quad.predicate: quad for quad in told})]) + "."
        return found(test, Verdict.PARTIAL, sentence, told[:_EVIDENCE_AT_MOST], missing=missing)
    named = subject.stated(FairFact.VARIABLES, FairFact.TABLE_SCHEMA, of=(Role.DISTRIBUTION,))
    if named:
        sentence = "Variables are named, but without meanings: no property of an ontology, no unit."
        return found(test, Verdict.PARTIAL, sentence, named, missing=missing)
    if subject.is_model:
        sentence = "Neither the structure of the model nor the meaning of its inputs is described."
        return found(test, Verdict.FAIL, sentence, missing=MODEL_STRUCTURE)
    sentence = "No data are in the graph, and no column has a meaning."
    return found(test, Verdict.FAIL, sentence, missing=missing)


_MEANINGS = frozenset({CSVW.propertyUrl, CROISSANT.equivalentProperty, *schema_org("propertyID"), CROISSANT.dataType})
_ABOUT_DATA = (Fact.DESCRIPTION, Fact.URL, Fact.CREATOR, Fact.VERSION, Fact.CITATION, FairFact.LICENCE)
_NO_DATA = frozenset(
    {RDF.type, *LABEL_PREDICATES, *ELEMENTS_INTO, *(t for fact in _ABOUT_DATA for t in terms_of(fact))}
)


def _tells(quad: Quad) -> bool:
    return quad.predicate not in _NO_DATA


def _meanings(subject: Subject, surroundings: Surroundings) -> list[Quad]:
    """The statements that give the meaning of a column or a value."""
    structure = (*subject.of(Role.STRUCTURE, Role.VALUE), *subject.elements.values)
    return [
        quad
        for node in structure
        for quad in node.quads
        if quad.predicate in _MEANINGS
        and not _is_basic(quad)
        and _is_of_a_column(subject, quad, surroundings)
        and not _is_of_an_identifier(subject, quad)
    ]


def _is_of_an_identifier(subject: Subject, quad: Quad) -> bool:
    """Whether schema:propertyID gives the type of an identifier of a record, a paper or a person."""
    if quad.predicate not in schema_org("propertyID"):
        return False
    columns = (*structure_with_values(subject), *subject.elements.values)
    naming = (*columns, *subject.elements.nodes)
    identifiers = {each.object for node in naming for each in node.stated(Fact.IDENTIFIER, FairFact.IDENTIFIER)}
    return quad.subject in identifiers or not any(quad.subject == node.resource for node in columns)


def _is_basic(quad: Quad) -> bool:
    """Whether a datatype is only text or number, which is not a meaning."""
    value = quad.object
    if quad.predicate in schema_org("propertyID"):
        return not isinstance(value, NamedNode) and not (isinstance(value, Literal) and "://" in value.value)
    return quad.predicate == CROISSANT.dataType and (
        not isinstance(value, NamedNode) or value.value.startswith(XSD) or value in _BASIC_TYPES
    )


def _is_of_a_column(subject: Subject, quad: Quad, surroundings: Surroundings) -> bool:
    """Whether a known data type of Croissant applies to a field; that of a record set gives its role."""
    if quad.predicate != CROISSANT.dataType:
        return True
    node = subject.node(quad.subject)
    is_set = node is not None and any(each.predicate == CROISSANT.field for each in node.quads)
    return not is_set and isinstance(quad.object, NamedNode) and standing(quad.object, surroundings).counts


_BASIC_TYPES = frozenset(
    schema_org("Text", "Integer", "Float", "Number", "Boolean", "Date", "DateTime", "Time", "URL", "ImageObject")
)


def _is_of_data(subject: Subject, quad: Quad) -> bool:
    """Whether a unit applies to data; file sizes have units too."""
    nodes = (*subject.of(Role.STRUCTURE), *subject.elements.nodes, *subject.elements.values)
    return any(quad.subject == node.resource for node in nodes)


def _columns(count: int) -> str:
    return "a column means" if count == 1 else f"{count} columns mean"


def metadata_uses_semantic_resources(subject: Subject, surroundings: Surroundings) -> Finding:
    """FsF-I1-02M: a listed vocabulary beyond those of every catalogue record is used."""
    test = "metadata_uses_semantic_resources"
    used = {each: quad for each, quad in _terms(with_values(subject)).items() if not _is_default(each)}
    slips = [each for each in used if is_no_term(each, surroundings)]
    listed_ones = {
        each: found_as for each in used if each not in slips and (found_as := vocabulary_of(each.value)) is not None
    }
    if listed_ones:
        used_names = listed(sorted({each.name for each in listed_ones.values()}, key=str.lower))
        sentence = f"The description uses terms of {used_names}."
        return found(test, Verdict.PASS, sentence, [used[each] for each in listed_ones], basis=Basis.VERIFIED)
    if used:
        unlisted = sorted({namespace_of(each) for each in used if each not in slips})
        what, are = ("namespace", "is") if len(unlisted) == 1 else ("namespaces", "are")
        names = listed(unlisted[:_NAMED_AT_MOST])
        of_none = f"The {what} beyond those of every record {are} not listed as vocabularies: {names}"
        sentence = f"{'; '.join([*([of_none] if unlisted else []), *_no_terms(slips, used)])}."
        return found(test, Verdict.FAIL, sentence, used.values(), basis=Basis.VERIFIED)
    sentence = f"Only general namespaces are used, of the {len(DEFAULT_NAMESPACES)} that do not count."
    evidence = [] if not subject.quads else list(_terms((subject.own,)).values())
    return found(test, Verdict.FAIL, sentence, evidence, basis=Basis.VERIFIED)


def _is_default(term: NamedNode) -> bool:
    return namespace_of(term).rstrip("#/") in DEFAULT_NAMESPACES


def metadata_vocabularies_are_fair(subject: Subject, surroundings: Surroundings) -> Finding:
    """I2-01M: the vocabularies of the description have persistent IRIs, a licence, and an available definition.

    If only a licence is unknown to us, the verdict is unknown.
    """
    used = _terms(with_values(subject))
    return _fair_vocabularies("metadata_vocabularies_are_fair", "description", used, surroundings)


def data_vocabularies_are_fair(subject: Subject, surroundings: Surroundings) -> Finding:
    """I2-01D: the same for data elements and columns, or for the structure of a model."""
    used = _terms(elements_with_values(subject))
    for quad in _meanings(subject, surroundings):
        used |= {meaning: quad for meaning in _as_term(quad.object) if meaning not in used}
    if subject.is_model:
        inside = (quad for quad in subject.quads if quad.predicate in (*MODEL_STRUCTURE, *METRICS))
        used |= {quad.predicate: quad for quad in inside}
    return _fair_vocabularies("data_vocabularies_are_fair", "model" if subject.is_model else "data", used, surroundings)


def _as_term(value: Term | Triple) -> tuple[NamedNode, ...]:
    """The term that gives a column's meaning: schema:propertyID and csvw:propertyUrl may have it as text."""
    if isinstance(value, Literal):
        try:
            return (NamedNode(value.value.strip()),) if "://" in value.value else ()
        except ValueError:
            return ()
    return (value,) if isinstance(value, NamedNode) else ()


def _fair_vocabularies(test: str, what: str, used: Mapping[NamedNode, Quad], surroundings: Surroundings) -> Finding:
    # An unknown term does not show that its vocabulary is used.
    terms_of_any = {each: quad for each, quad in used.items() if not is_no_term(each, surroundings)}
    counted = {each: quad for each, quad in terms_of_any.items() if not _is_default(each)}
    # A description with only general terms is judged by these; RDF's own terms do not count.
    counted = counted or {
        each: quad for each, quad in terms_of_any.items() if not each.value.startswith((RDF, RDFS, OWL, XSD))
    }
    if not counted:
        sentence = f"No vocabulary is used in the {what}."
        return found(test, Verdict.FAIL, sentence)
    by_namespace: dict[str, NamedNode] = {}
    for each in counted:
        by_namespace.setdefault(namespace_of(each), each)
    evidence = [counted[each] for each in by_namespace.values()]
    lacks = {name: _lacks(name, each, surroundings) for name, each in by_namespace.items()}
    unsure = sorted(name for name in by_namespace if not lacks[name] and not _has_known_licence(name))
    wanting = sorted(name for name in by_namespace if lacks[name])
    good = len(by_namespace) - len(wanting) - len(unsure)
    doubt = f"whether {listed([_name(each) for each in unsure], 'or')} has a licence is unknown"
    if not wanting and not unsure:
        names = listed(sorted(_name(each) for each in by_namespace))
        sentence = f"{names}: persistent IRIs, a licence, and an available definition."
        return found(test, Verdict.PASS, sentence, evidence, basis=Basis.VERIFIED)
    count = f"{good} of {len(by_namespace)} vocabularies of the {what} {'is' if good == 1 else 'are'} FAIR"
    clauses = [count] if len(by_namespace) > 1 else []
    if not wanting:
        sentence = "; ".join([*clauses, doubt])
        return found(test, Verdict.UNKNOWN, f"{sentence[0].upper()}{sentence[1:]}.", evidence, basis=Basis.UNKNOWN)
    clauses += [f"{_name(name)} lacks {lacks[name]}" for name in wanting[:_NAMED_AT_MOST]]
    clauses += [doubt] if unsure else []
    verdict = Verdict.PARTIAL if good or unsure else Verdict.FAIL
    return found(test, verdict, f"{'; '.join(clauses)}.", evidence, basis=Basis.VERIFIED)


def _lacks(namespace: str, term: NamedNode, surroundings: Surroundings) -> str:
    """What a vocabulary is known to lack: persistent IRIs, a definition; a licence needs a definition."""
    wanting = []
    if not is_persistent(namespace):
        wanting.append("persistent IRIs")
    if vocabulary_of(term.value) is None and surroundings.knows(term) is None:
        wanting += ["a known licence", "a definition at hand"]
    return listed(wanting)


def _has_known_licence(namespace: str) -> bool:
    vocabulary = vocabulary_of(namespace)
    return vocabulary is not None and bool(vocabulary.licence)


def _name(namespace: str) -> str:
    vocabulary = vocabulary_of(namespace)
    return vocabulary.name if vocabulary is not None else namespace


CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        metadata_format_is_standard,
        data_format_is_standard,
        metadata_is_machine_understandable,
        data_is_machine_understandable,
        metadata_is_in_formal_language,
        metadata_uses_semantic_resources,
        metadata_vocabularies_are_fair,
        data_vocabularies_are_fair,
        data_follows_community_standard,
    )
}
"""By their names in the indicators' table; R1.3-01D is here because it shares its code with I1-01D."""
