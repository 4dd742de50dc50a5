"""The tests of A: access to data and metadata, protocols, access levels and preservation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hpc_explorer.fair.access import (
    Address,
    access_of,
    conditions_of,
    data_addresses,
    direct_links,
    downloads,
    landing_pages,
    metadata_addresses,
    services,
)
from hpc_explorer.fair.checks.finding import Check, found
from hpc_explorer.fair.checks.words import METADATA, Spoken, listed, short, terms, the_data
from hpc_explorer.fair.identity import identifiers_of, persistent_of, proof_of_use, registration
from hpc_explorer.fair.lists import AccessLevel
from hpc_explorer.fair.pages import page_kind
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import LocalFile, Surroundings
from hpc_explorer.fair.terms import DQV, FairFact, Role
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.ontology.common_terms import schema_org
from hpc_explorer.rdf.identifiers import IdentifierKind, is_unique_in_the_world
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS
from hpc_explorer.rdf.terms import NamedNode, Quad

_LANDING = (DCAT.landingPage, *schema_org("url")[:1])
_DOWNLOAD = (DCAT.downloadURL, *schema_org("contentUrl")[:1])


def metadata_says_how_to_get_data(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-01M: an access level, an address, a contact or a condition is stated."""
    test = "metadata_says_how_to_get_data"
    facts = (
        FairFact.ACCESS_URL, FairFact.DOWNLOAD_URL, FairFact.URL, FairFact.CONTACT, FairFact.ACCESS_CONDITIONS,
        FairFact.FREE_ACCESS, FairFact.ENDPOINT,
    )  # fmt: skip
    stated = (
        *subject.stated(*facts, of=(Role.DISTRIBUTION,)),
        *(quad for node in subject.of(Role.SERVICE) for quad in node.stated(FairFact.ENDPOINT)),
        *(quad for quad in subject.stated(FairFact.ACCESS_RIGHTS) if quad.predicate == DCTERMS.accessRights),
    )
    links = (each for each in downloads(subject) if each.protocol is not None)
    stated = stated or next((each.evidence for each in links), ())
    if stated:
        return found(test, Verdict.PASS, f"Access to {the_data(subject)} is described by {terms(stated)}.", stated)
    if service := _named_service(subject):
        sentence = f"A service is named, but without an address to get {the_data(subject)} from."
        return found(test, Verdict.FAIL, sentence, service, missing=(DCAT.endpointURL, DCTERMS.accessRights))
    sentence = f"Access to {the_data(subject)} is not described: no address, no access level, no contact."
    return found(test, Verdict.FAIL, sentence, missing=(DCTERMS.accessRights, *_DOWNLOAD, DCAT.contactPoint))


def _named_service(subject: Subject) -> tuple[Quad, ...]:
    """The statements that name a service, with or without an address."""
    serving = tuple(quad for quad in subject.links_here if quad.predicate == DCAT.servesDataset)
    return (*subject.stated(FairFact.SERVICE, of=(Role.DISTRIBUTION,)), *serving)


def person_can_reach_metadata(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-02M: there is a web page about the resource."""
    test = "person_can_reach_metadata"
    pages = [each for each in landing_pages(subject) if each.is_web]
    if pages:
        sentence = f"The page {short(pages[0].text)} is stated; please confirm that it opens."
        return found(test, Verdict.PASS, sentence, pages[0].evidence)
    sentence = f"No page on the web about {the_data(subject)} is stated."
    return found(test, Verdict.FAIL, sentence, missing=_LANDING)


def person_can_reach_data(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-02D: the data have an address or a local file."""
    test = "person_can_reach_data"
    addresses = data_addresses(subject)
    web = [each for each in addresses if each.is_reachable]
    if web:
        sentence = f"The address {short(web[0].text)} is stated; please confirm that it opens."
        return found(test, Verdict.PASS, sentence, web[0].evidence)
    for each, file in _local(subject, surroundings):
        sentence = f"The file {file.name} is on this machine."
        return found(test, Verdict.PASS, sentence, each.evidence, basis=Basis.VERIFIED)
    evidence = addresses[0].evidence if addresses else ()
    sentence = f"No address of {the_data(subject)} is stated" + (
        " that works from other machines." if addresses else "."
    )
    return found(test, Verdict.FAIL, sentence, evidence, missing=_DOWNLOAD)


def _local(subject: Subject, surroundings: Surroundings) -> list[tuple[Address, LocalFile]]:
    local = ((each, surroundings.local_file(each.text)) for each in data_addresses(subject))
    return [(each, file) for each, file in local if file is not None]


def record_id_resolves(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-03M: decided by a person; an online check suggests the answer."""
    return _resolves("record_id_resolves", METADATA, metadata_addresses(subject), surroundings)


def data_id_resolves(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-03D: decided by a person; an online check suggests the answer."""
    return _resolves("data_id_resolves", the_data(subject), _identifying(subject), surroundings)


def _identifying(subject: Subject) -> Sequence[Address]:
    persistent = persistent_of(subject, (subject.own,))
    if persistent is not None:
        return (Address(persistent[0].iri.value, persistent[1]),)
    if isinstance(subject.resource, NamedNode) and is_unique_in_the_world(subject.resource.value):
        return (Address(subject.resource.value, proof_of_use(subject, subject.own)),)
    spelled = (Address(each.text, each.evidence) for each in identifiers_of(subject, subject.own))
    return tuple(each for each in spelled if each.is_web)


def _resolves(test: str, what: Spoken, addresses: Sequence[Address], surroundings: Surroundings) -> Finding:
    web = [each for each in addresses if each.is_web]
    if not web:
        sentence = f"No identifier of {what} is a web address; you may know one."
        return found(test, Verdict.UNKNOWN, sentence, basis=Basis.UNKNOWN, missing=(DCTERMS.identifier, *_LANDING))
    for each in web:
        seen = surroundings.online(each.text)
        if seen is None:
            continue
        if 200 <= seen.status < 400:
            verdict, sentence = Verdict.PASS, f"{short(each.text)} led to {short(seen.final_url)}."
        elif seen.status in (401, 403):
            verdict, sentence = Verdict.PARTIAL, f"{short(each.text)} requires a login (HTTP {seen.status})."
        else:
            answer = f"answered HTTP {seen.status}" if seen.status else "did not answer"
            verdict, sentence = Verdict.FAIL, f"{short(each.text)} {answer}."
        return found(test, verdict, sentence, each.evidence, basis=Basis.VERIFIED, online=seen.when)
    sentence = f"Whether {short(web[0].text)} leads to {what} was not checked."
    return found(test, Verdict.UNKNOWN, sentence, web[0].evidence, basis=Basis.UNKNOWN)


def metadata_protocol_is_standard(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-04M: an address of the description uses a standard protocol."""
    return _by_standard("metadata_protocol_is_standard", METADATA, metadata_addresses(subject), _LANDING)


def data_protocol_is_standard(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-04D: an address of the data uses a standard protocol."""
    return _by_standard("data_protocol_is_standard", the_data(subject), data_addresses(subject), _DOWNLOAD)


def _by_standard(test: str, what: Spoken, addresses: Sequence[Address], offered: Sequence[NamedNode]) -> Finding:
    for each in addresses:
        if each.protocol is not None:
            sentence = f"{what.first} {what.do('come', 'comes')} over {each.protocol.name}: {short(each.text)}."
            return found(test, Verdict.PASS, sentence, each.evidence, basis=Basis.VERIFIED)
    return _without_protocol(test, what, addresses, offered)


def _without_protocol(test: str, what: Spoken, addresses: Sequence[Address], offered: Sequence[NamedNode]) -> Finding:
    if not addresses:
        return found(test, Verdict.FAIL, f"No address of {what} is stated.", missing=offered)
    schemes = listed([f"{each.scheme}:" if each.scheme else "a path without a scheme" for each in addresses])
    evidence = [quad for each in addresses for quad in each.evidence]
    sentence = f"{what.first} {what.do('have', 'has')} an address, but by no standard protocol: {schemes}."
    return found(test, Verdict.FAIL, sentence, evidence, basis=Basis.VERIFIED, missing=offered)


def program_can_fetch_data(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1-05D: there is a direct link to the data or a service; a web page is not enough."""
    test = "program_can_fetch_data"
    stated = [each for each in (*direct_links(subject), *services(subject)) if each.protocol is not None]
    links = [each for each in stated if each.is_reachable]
    if links:
        sentence = f"A program can fetch {the_data(subject)} from {short(links[0].text)}."
        return found(test, Verdict.PASS, sentence, links[0].evidence)
    if stated:
        sentence = f"{short(stated[0].text)} works on one machine or network only."
        return found(test, Verdict.FAIL, sentence, stated[0].evidence, missing=_DOWNLOAD)
    if service := _named_service(subject):
        sentence = "A service is named, but not its address."
        return found(test, Verdict.FAIL, sentence, service, missing=(DCAT.endpointURL,))
    what = the_data(subject)
    for each in downloads(subject):
        sentence = f"{short(each.text)} is {page_kind(each.text)} and no direct link to {what}."
        return found(test, Verdict.FAIL, sentence, each.evidence, missing=_DOWNLOAD)
    for_it = what.do("them", "it")
    sentence = f"There is no direct link to {what} and no service for {for_it}; a web page is not enough."
    return found(test, Verdict.FAIL, sentence, missing=(*_DOWNLOAD, DCAT.accessService))


def access_level_is_stated(subject: Subject, surroundings: Surroundings) -> Finding:
    """FsF-A1-01M: the access level is a term of a known vocabulary; if it is not public, there is a contact."""
    test = "access_level_is_stated"
    access = access_of(subject)
    if access is None:
        sentence = "The access level is not stated."
        return found(test, Verdict.FAIL, sentence, missing=(DCTERMS.accessRights,))
    if not access.source:
        said = (
            f"The access level is stated in words ({short(access.words)})"
            if access.words
            else ("Whether access is free is stated")
        )
        sentence = f"{said}, but by no term of a known vocabulary (COAR, EU, OpenAIRE, ePrints)."
        return found(test, Verdict.PARTIAL, sentence, access.evidence, missing=(DCTERMS.accessRights,))
    level = f"The access level is {access.words} ({access.source})"
    if access.level is AccessLevel.PUBLIC:
        return found(test, Verdict.PASS, f"{level}.", access.evidence, basis=Basis.VERIFIED)
    conditions = conditions_of(subject)
    if conditions:
        sentence = f"{level}; how to get {the_data(subject)} is stated by {terms(conditions)}."
        return found(test, Verdict.PASS, sentence, (*access.evidence, *conditions), basis=Basis.VERIFIED)
    sentence = f"{level}, but no conditions and no contact are stated."
    missing = (DCAT.contactPoint, *schema_org("conditionsOfAccess")[:1])
    return found(test, Verdict.PARTIAL, sentence, access.evidence, basis=Basis.VERIFIED, missing=missing)


def metadata_protocol_is_free(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1.1-01M: an address of the description uses an open and free protocol."""
    return _by_open("metadata_protocol_is_free", METADATA, metadata_addresses(subject), _LANDING)


def data_protocol_is_free(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1.1-01D: an address of the data uses an open and free protocol."""
    return _by_open("data_protocol_is_free", the_data(subject), data_addresses(subject), _DOWNLOAD)


def _by_open(test: str, what: Spoken, addresses: Sequence[Address], offered: Sequence[NamedNode]) -> Finding:
    for each in addresses:
        if each.protocol is not None and each.protocol.is_open:
            sentence = f"{each.protocol.name} is open and free to use."
            return found(test, Verdict.PASS, sentence, each.evidence, basis=Basis.VERIFIED)
    for each in addresses:
        if each.protocol is not None:
            sentence = f"{each.protocol.name} is not open and free to use."
            return found(test, Verdict.FAIL, sentence, each.evidence, basis=Basis.VERIFIED, missing=offered)
    return _without_protocol(test, what, addresses, offered)


def data_protocol_authenticates(subject: Subject, surroundings: Surroundings) -> Finding:
    """A1.2-01D: the protocol of the data supports authentication, or the data are public."""
    test = "data_protocol_authenticates"
    addresses = data_addresses(subject)
    for each in addresses:
        if each.protocol is not None and each.protocol.authenticates:
            sentence = f"{each.protocol.name} supports authentication for {the_data(subject)}."
            return found(test, Verdict.PASS, sentence, each.evidence, basis=Basis.VERIFIED)
    access = access_of(subject)
    standard = next((each for each in addresses if each.protocol is not None), None)
    if standard is not None and standard.protocol is not None:
        if access is not None and access.level is AccessLevel.PUBLIC:
            what = the_data(subject)
            public = what.do("these are", "this is")
            sentence = f"{standard.protocol.name} does not support authentication; {public} public, so none is needed."
            evidence = (*standard.evidence, *access.evidence)
            return found(test, Verdict.PASS, sentence, evidence, basis=Basis.VERIFIED)
        sentence = f"{standard.protocol.name} does not support authentication for {the_data(subject)}."
        return found(test, Verdict.FAIL, sentence, standard.evidence, basis=Basis.VERIFIED, missing=_DOWNLOAD)
    return _without_protocol(test, the_data(subject), addresses, _DOWNLOAD)


def metadata_outlives_data(subject: Subject, surroundings: Surroundings) -> Finding:
    """A2-01M: a DOI, whose agency preserves the metadata, or a preservation statement; else decided by a person.

    The registration of a DOI is checked online only; without that it counts as stated.
    """
    test = "metadata_outlives_data"
    known = persistent_of(subject, (subject.own, *subject.records), IdentifierKind.DOI)
    if known is not None:
        identifier, evidence = known
        what = the_data(subject)
        kept = f"DOI agencies keep the metadata when {what} {what.are} gone"
        is_registered, seen = registration(identifier, surroundings)
        if seen is not None and is_registered:
            sentence = f"The DOI {identifier.text} led to {short(seen.final_url)}; {kept}."
            return found(test, Verdict.PASS, sentence, evidence, basis=Basis.VERIFIED, online=seen.when)
        if seen is not None:
            sentence = f"The DOI {identifier.text} is not registered: {identifier.iri.value} answered HTTP 404."
            return found(test, Verdict.FAIL, sentence, evidence, basis=Basis.VERIFIED, online=seen.when)
        sentence = f"The DOI {identifier.text} is stated, and {kept}; its registration was not checked."
        return found(test, Verdict.PASS, sentence, evidence)
    policies = _preservation(subject)
    if policies:
        return found(
            test, Verdict.PASS, f"Preservation of the metadata is described by {terms(policies[:1])}.", policies
        )
    sentence = "There is no DOI and no preservation statement; you may know whether the metadata are preserved."
    missing = (DCTERMS.identifier, *schema_org("publishingPrinciples")[:1])
    return found(test, Verdict.UNKNOWN, sentence, basis=Basis.UNKNOWN, missing=missing)


def _preservation(subject: Subject) -> tuple[Quad, ...]:
    stated = subject.stated(FairFact.PRESERVATION, of=(Role.RECORD, Role.CATALOGUE))
    principles = tuple(quad for quad in stated if quad.predicate in schema_org("publishingPrinciples"))
    policies = {
        node.resource: quad
        for node in subject.of(Role.POLICY, Role.VALUE)
        for quad in node.quads
        if quad.object == DQV.QualityPolicy
    }
    return principles + tuple(
        each
        for quad in subject.quads
        if quad.object in policies
        for each in (quad, policies[quad.object])  # type: ignore[index]  # the keys are resources
    )


CHECKS: Mapping[str, Check] = {
    each.__name__: each
    for each in (
        metadata_says_how_to_get_data,
        person_can_reach_metadata,
        person_can_reach_data,
        record_id_resolves,
        data_id_resolves,
        metadata_protocol_is_standard,
        data_protocol_is_standard,
        program_can_fetch_data,
        access_level_is_stated,
        metadata_protocol_is_free,
        data_protocol_is_free,
        data_protocol_authenticates,
        metadata_outlives_data,
    )
}
