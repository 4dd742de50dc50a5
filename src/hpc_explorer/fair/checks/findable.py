"""The tests of F: identifiers, core and rich metadata, links to the data, and harvesting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hpc_explorer.fair.access import downloads
from hpc_explorer.fair.checks.finding import Check, found
from hpc_explorer.fair.checks.words import listed, short, terms, the_data
from hpc_explorer.fair.identity import persistent_of, proof_of_use, registration, stated_identifiers, unique_of
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.terms import FairFact
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.ontology.common_terms import Fact, schema_org
from hpc_explorer.rdf.identifiers import Identifier, IdentifierKind, persistent_identifier
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, RDF
from hpc_explorer.rdf.terms import NamedNode, Quad

_IDENTIFIER = (DCTERMS.identifier, *schema_org("identifier")[:1], HPC.id)
_KINDS = "a DOI, a Handle, an ARK, a PURL, a w3id.org address, a URN:NBN or a SWHID"


def data_has_persistent_id(subject: Subject, surroundings: Surroundings) -> Finding:
    """F1-01D: an identifier of the resource has the form of a persistent identifier."""
    test = "data_has_persistent_id"
    what = the_data(subject)
    known = persistent_of(subject, (subject.own,))
    if known is None:
        sentence = f"No identifier of {what} is {_KINDS}."
        return found(test, Verdict.FAIL, sentence, basis=Basis.VERIFIED, missing=_IDENTIFIER)
    identifier, evidence = known
    sentence = f"{what.first} {what.do('have', 'has')} the {identifier.kind.value} {identifier.text}"
    return _lasting(test, identifier, sentence, evidence, surroundings)


def record_has_persistent_id(subject: Subject, surroundings: Surroundings) -> Finding:
    """F1-01M: the record has a persistent identifier; else the resource's DOI or IRI counts."""
    test = "record_has_persistent_id"
    what = the_data(subject)
    if (known := persistent_of(subject, subject.records)) is not None:
        identifier, evidence = known
        sentence = f"The record has the {identifier.kind.value} {identifier.text}"
        return _lasting(test, identifier, sentence, evidence, surroundings)
    if (known := persistent_of(subject, (subject.own,), IdentifierKind.DOI)) is not None:
        identifier, evidence = known
        sentence = f"DOI agencies keep a record, and {what} {what.do('have', 'has')} the DOI {identifier.text}"
        return _lasting(test, identifier, sentence, evidence, surroundings)
    if isinstance(subject.resource, NamedNode):
        own = persistent_identifier(subject.resource.value)
        if own is not None:
            sentence = f"The IRI itself is persistent ({own.kind.value})"
            return _lasting(test, own, sentence, proof_of_use(subject, subject.own), surroundings)
    none = f"There is no record of {what} alone, and {what} {what.do('have', 'has')}"
    where = "The record has" if subject.records else none
    sentence = f"{where} no persistent identifier such as a DOI."
    return found(test, Verdict.FAIL, sentence, basis=Basis.VERIFIED, missing=_IDENTIFIER)


def _lasting(
    test: str, identifier: Identifier, sentence: str, evidence: Sequence[Quad], surroundings: Surroundings
) -> Finding:
    """The finding for a persistent identifier; its registration is checked online only."""
    is_registered, seen = registration(identifier, surroundings)
    if seen is None:
        return found(test, Verdict.PASS, f"{sentence}.", evidence)
    if is_registered:
        led = f"{sentence}, which led to {short(seen.final_url)}."
        return found(test, Verdict.PASS, led, evidence, basis=Basis.VERIFIED, online=seen.when)
    none = f"{identifier.text} is not registered: {identifier.iri.value} answered HTTP 404."
    return found(test, Verdict.FAIL, none, evidence, basis=Basis.VERIFIED, missing=_IDENTIFIER, online=seen.when)


def data_has_global_id(subject: Subject, surroundings: Surroundings) -> Finding:
    """F1-02D: the IRI or an identifier of the resource is globally unique."""
    test = "data_has_global_id"
    known = unique_of(subject, (subject.own,))
    if known is not None:
        sentence = f"{short(known.text)} is globally unique."
        return found(test, Verdict.PASS, sentence, known.evidence, basis=Basis.VERIFIED)
    sentence = f"{_what_it_is(subject)}, and no identifier is globally unique."
    return found(test, Verdict.FAIL, sentence, basis=Basis.VERIFIED, missing=_IDENTIFIER)


def record_has_global_id(subject: Subject, surroundings: Surroundings) -> Finding:
    """F1-02M: the same for the record, or without an own identifier, for the resource."""
    test = "record_has_global_id"
    if (known := unique_of(subject, subject.records)) is not None:
        sentence = f"The record {short(known.text)} is globally unique."
        return found(test, Verdict.PASS, sentence, known.evidence, basis=Basis.VERIFIED)
    if (known := unique_of(subject, (subject.own,))) is not None:
        sentence = f"The description is found by {short(known.text)}, which is globally unique."
        return found(test, Verdict.PASS, sentence, known.evidence, basis=Basis.VERIFIED)
    of = the_data(subject).do("them", "it")
    sentence = f"{_what_it_is(subject)}, and no record of {of} has an identifier that is globally unique."
    return found(test, Verdict.FAIL, sentence, basis=Basis.VERIFIED, missing=_IDENTIFIER)


def _what_it_is(subject: Subject) -> str:
    if not isinstance(subject.resource, NamedNode):
        what = the_data(subject)
        return f"{what.first} {what.do('have', 'has')} no IRI"
    iri = subject.resource.value
    if iri.startswith("file:"):
        return f"{short(iri)} is a file of one machine"
    if "example" in iri:
        return f"{short(iri)} is an address reserved for examples"
    return f"{short(iri)} is not globally unique"


_TYPE = (RDF.type, DCTERMS.type, *schema_org("additionalType"))

_CITED: tuple[tuple[str, FairFact | Fact, NamedNode], ...] = (
    ("creator", FairFact.CREATOR, DCTERMS.creator),
    ("title", Fact.NAME, DCTERMS.term("title")),
    ("publisher", FairFact.PUBLISHER, DCTERMS.publisher),
    ("date of issue", FairFact.PUBLISHED, DCTERMS.issued),
)
_DESCRIBED: tuple[tuple[str, FairFact | Fact, NamedNode], ...] = (
    ("description", Fact.DESCRIPTION, DCTERMS.description),
    ("keyword or subject", FairFact.KEYWORDS, DCAT.keyword),
)
_CITING = frozenset({"creator", "title", "publisher", "date of issue", "identifier", "type"})


def _core(subject: Subject) -> tuple[dict[str, tuple[Quad, ...]], dict[str, NamedNode]]:
    """The present core elements with their statements, and a term for each missing one."""
    there: dict[str, tuple[Quad, ...]] = {}
    lacking: dict[str, NamedNode] = {}
    for word, fact, offered in (*_CITED, *_DESCRIBED):
        stated = subject.stated(fact)
        if stated:
            there[word] = stated
        else:
            lacking[word] = offered
    identifiers = stated_identifiers(subject.own)
    if not identifiers and (own := persistent_of(subject, (subject.own,))) is not None:
        identifiers = own[1]
    types = tuple(quad for quad in subject.quads if quad.predicate in _TYPE)
    for word, quads, offered in (("identifier", identifiers, DCTERMS.identifier), ("type", types, RDF.type)):
        if quads:
            there[word] = quads
        else:
            lacking[word] = offered
    return there, lacking


def core_elements_are_present(subject: Subject, surroundings: Surroundings) -> Finding:
    """FsF-F2-01M: creator, title, publisher, date of issue, description, keyword or subject, identifier and type."""
    test = "core_elements_are_present"
    there, lacking = _core(subject)
    evidence = tuple(quad for quads in there.values() for quad in quads)
    if not lacking:
        sentence = f"All eight core elements are stated: {listed(list(there))}."
        return found(test, Verdict.PASS, sentence, evidence)
    sentence = f"{_of_eight(8 - len(lacking))}; {listed(list(lacking))} "
    sentence += "is missing." if len(lacking) == 1 else "are missing."
    # F-UJI gives partial points for the elements of a citation.
    verdict = Verdict.PARTIAL if there.keys() >= _CITING else Verdict.FAIL
    return found(test, verdict, sentence, evidence, missing=lacking.values())


_RICH: tuple[tuple[str, tuple[FairFact | Fact, ...], NamedNode], ...] = (
    ("language", (Fact.LANGUAGE,), DCTERMS.language),
    ("place", (FairFact.SPATIAL,), DCTERMS.spatial),
    ("time", (FairFact.TEMPORAL,), DCTERMS.temporal),
    ("contact", (FairFact.CONTACT,), DCAT.contactPoint),
    ("theme", (FairFact.THEME,), DCAT.theme),
    ("version", (FairFact.VERSION,), DCAT.version),
    ("project or funder", (FairFact.PROJECT,), HPC.project),
    ("publication", (FairFact.PUBLICATION,), DCTERMS.isReferencedBy),
)


def metadata_is_rich_for_discovery(subject: Subject, surroundings: Surroundings) -> Finding:
    """F2-01M: the core elements and at least four further search criteria."""
    test = "metadata_is_rich_for_discovery"
    there, lacking = _core(subject)
    more = {word: quads for word, facts, _ in _RICH if (quads := subject.stated(*facts))}
    evidence = tuple(quad for quads in (*there.values(), *more.values()) for quad in quads)
    extra = f"{listed(list(more))} beside them" if more else "nothing beside them"
    if not lacking and len(more) >= 4:
        return found(test, Verdict.PASS, f"All eight core elements are stated, and {extra}.", evidence)
    offered = (*lacking.values(), *(each for word, _, each in _RICH if word not in more and len(more) < 4))
    core = _of_eight(8 - len(lacking)) if lacking else "All eight core elements are stated"
    sentence = f"{core}, and {extra}; all eight and four more are wanted."
    verdict = Verdict.PARTIAL if not lacking or len(more) >= 4 else Verdict.FAIL
    return found(test, verdict, sentence, evidence, missing=offered)


def metadata_names_the_data(subject: Subject, surroundings: Surroundings) -> Finding:
    """F3-01M: a distribution with an address, and its name, size or type."""
    test = "metadata_names_the_data"
    partly: tuple[Quad, ...] = ()
    for node in subject.distributions:
        linking = tuple(
            quad for quad in (*subject.quads, *subject.links_here) if node.resource in (quad.object, quad.subject)
        )[:1]
        addresses = node.stated(FairFact.DOWNLOAD_URL, FairFact.ACCESS_URL, FairFact.URL)
        addresses = addresses or tuple(
            quad
            for each in downloads(subject)
            for quad in each.evidence
            if node.resource in (quad.subject, quad.object)
        )
        about = node.stated(FairFact.FILE_NAME, Fact.SIZE, Fact.MEDIA_TYPE)
        if addresses and about:
            sentence = f"A distribution says {_where_and_what(subject, addresses, about)}."
            return found(test, Verdict.PASS, sentence, (*linking, *addresses, *about))
        partly = partly or (*linking, *addresses, *about)
    dumps = tuple(quad for each in downloads(subject) for quad in each.evidence if quad.subject == subject.resource)
    about = subject.stated(Fact.SIZE, Fact.MEDIA_TYPE)
    if dumps and about:
        sentence = f"The description says {_where_and_what(subject, dumps, about)}."
        return found(test, Verdict.PASS, sentence, (*dumps, *about))
    if partly or dumps:
        lacking = (DCAT.downloadURL, DCAT.byteSize, DCAT.mediaType)
        what = the_data(subject)
        wanted = "both an address and a name, a size or a type of the file"
        sentence = f"{what.first} {what.are} named, but not with {wanted}."
        return found(test, Verdict.PARTIAL, sentence, partly or dumps, missing=lacking)
    sentence = f"The description names no file and no other way to get {the_data(subject)}."
    return found(test, Verdict.FAIL, sentence, missing=(DCAT.distribution, HPC.file, *schema_org("distribution")[:1]))


def _where_and_what(subject: Subject, addresses: Sequence[Quad], about: Sequence[Quad]) -> str:
    what = the_data(subject)
    is_what = what.do("they are", "it is")
    return f"where {what} {what.are} ({terms(addresses)}) and what {is_what} ({terms(about)})"


def metadata_can_be_harvested(subject: Subject, surroundings: Surroundings) -> Finding:
    """F4-01M: a catalogue lists the resource with a name and a description."""
    test = "metadata_can_be_harvested"
    listing = (
        *(quad for quad in subject.links_here if quad.predicate in _LISTS),
        *subject.stated(FairFact.CATALOGUE),
    )
    named, described = subject.stated(Fact.NAME), subject.stated(Fact.DESCRIPTION)
    evidence = (*listing, *named, *described)
    if listing and named and described:
        sentence = f"A catalogue lists it ({terms(listing)}), with a name and a description."
        return found(test, Verdict.PASS, sentence, evidence)
    if not listing:
        lacking = (DCAT.dataset, *schema_org("includedInDataCatalog")[:1])
        return found(test, Verdict.FAIL, "No catalogue in the graph lists it.", evidence, missing=lacking)
    offered = (*(() if named else (DCTERMS.term("title"),)), *(() if described else (DCTERMS.description,)))
    lacking_words = listed([word for word, quads in (("name", named), ("description", described)) if not quads], "or")
    sentence = f"A catalogue lists it, but without {lacking_words}."
    return found(test, Verdict.PARTIAL, sentence, evidence, missing=offered)


_LISTS = frozenset({DCAT.dataset, DCAT.resource, *schema_org("dataset")})

CHECKS: Mapping[str, Check] = {
    each.__name__: each
    for each in (
        record_has_persistent_id,
        data_has_persistent_id,
        record_has_global_id,
        data_has_global_id,
        metadata_is_rich_for_discovery,
        core_elements_are_present,
        metadata_names_the_data,
        metadata_can_be_harvested,
    )
}


def _of_eight(there: int) -> str:
    return f"{there} of the eight core elements {'is' if there == 1 else 'are'} stated"
