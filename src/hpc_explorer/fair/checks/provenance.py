"""The tests of R1.2: provenance in community terms and in common terms."""

from __future__ import annotations

from collections.abc import Mapping

from hpc_explorer.fair.checks.finding import Check, found
from hpc_explorer.fair.checks.words import listed, say, some, term, terms
from hpc_explorer.fair.links import RUN_CLASSES, TRAINING_DATA
from hpc_explorer.fair.provenance import community_of, community_of_class, entailed_terms, is_common, says_how
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.terms import FairFact, fair4ml, terms_of
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.ontology.common_terms import Fact, schema_org
from hpc_explorer.rdf.namespaces import HPC, PROV, RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, is_resource

_EVIDENCE_AT_MOST = 25
_RESULTS = frozenset(schema_org("result"))
_MENTIONS = frozenset(schema_org("mentions"))


def provenance_follows_community(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.2-01M: a term of a community's standard says how the resource, its files or its data were made."""
    test = "provenance_follows_community"
    nodes = (subject.own, *subject.distributions, *subject.elements.nodes)
    stated = [quad for quad in (*(q for node in nodes for q in node.quads), *subject.links_here) if _community(quad)]
    stated = [quad for quad in stated if quad.object != quad.subject]
    told = [quad for quad in stated if not isinstance(quad.object, Literal)]
    evidence = [*_runs(subject), *told]
    if evidence:
        standards = listed(sorted({_community(quad) or "Workflow Run RO-Crate" for quad in evidence}))
        where = _where(subject, evidence[0])
        how = f"{terms(evidence)} {where}{say(evidence)} how it was made" if told else "It names the run that made it"
        sentence = f"{how}, as in {standards}."
        return found(test, Verdict.PASS, sentence, evidence[:_EVIDENCE_AT_MOST])
    missing: tuple[NamedNode, ...] = (HPC.wasGeneratedBy, HPC.wasDerivedFrom)
    if subject.is_model:
        missing = (HPC.wasDerivedFromDataset, HPC.wasGeneratedBy, *fair4ml("trainedOn")[:1])
    common = _common(subject)
    extended = _of_extended_prov(subject)
    if common and extended:
        standards = listed(sorted({standard for standard, _ in extended}))
        sentence = f"{some(common)} {say(common)} how it was made, between the classes of {standards}."
        evidence = [*(quad for _, quad in extended), *common]
        return found(test, Verdict.PASS, sentence, evidence[:_EVIDENCE_AT_MOST])
    if stated:
        sentence = f"{terms(stated)} {say(stated, 'names', 'name')} the origin as text, which programs cannot follow."
        return found(test, Verdict.PARTIAL, sentence, stated[:_EVIDENCE_AT_MOST], missing=missing)
    if common:
        sentence = f"Its origin is described in general terms only: {some(common)}."
        return found(test, Verdict.PARTIAL, sentence, common, missing=missing)
    return found(test, Verdict.FAIL, "Its origin is not described by a community standard.", missing=missing)


def _community(quad: Quad) -> str | None:
    return community_of(quad.predicate)


def _of_extended_prov(subject: Subject) -> list[tuple[str, Quad]]:
    return [
        (standard, quad)
        for node in (subject.own, *subject.activities)
        for quad in node.quads
        if quad.predicate == RDF.type and isinstance(quad.object, NamedNode)
        if (standard := community_of_class(quad.object)) is not None
    ]


def _runs(subject: Subject) -> list[Quad]:
    """The runs of a Workflow Run RO-Crate that produced the resource or are mentioned by the crate."""
    actions = {node.resource for node in subject.activities if not RUN_CLASSES.isdisjoint(node.classes)}
    results = [quad for quad in subject.links_here if quad.predicate in _RESULTS and quad.subject in actions]
    mentioned = [
        quad
        for quad in subject.quads
        if quad.predicate in _MENTIONS and is_resource(quad.object)
        if not RUN_CLASSES.isdisjoint(subject.targets.get(quad.object, ()))
    ]
    return [*results, *mentioned]


def _where(subject: Subject, quad: Quad) -> str:
    if quad.subject == subject.resource or quad.object == subject.resource:
        return ""
    return "on its files " if subject.node(quad.subject) is not None else "on its data "


def provenance_is_in_common_language(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.2-02M: PROV-O or PAV statements about the resource or its activities, stated or entailed by the alignment."""
    test = "provenance_is_in_common_language"
    common = _common(subject)
    if common:
        sentence = f"{some(common)} {say(common, 'tells', 'tell')} where it comes from, in the words of PROV-O or PAV."
        return found(test, Verdict.PASS, sentence, common)
    entailed = _entailed(subject)
    if entailed:
        pairs = list(dict.fromkeys(f"{term(quad.predicate)} entails {term(above)}" for quad, above in entailed))
        more = f" (and {len(pairs) - 2} more do)" if len(pairs) > 2 else ""
        sentence = f"By the alignment that ships, {listed(pairs[:2])}{more}."
        return found(test, Verdict.PASS, sentence, [quad for quad, _ in entailed], basis=Basis.VERIFIED)
    missing = (PROV.wasGeneratedBy, PROV.wasDerivedFrom, PROV.wasAttributedTo)
    elsewhere = _elsewhere(subject)
    if elsewhere:
        on_them = f"{terms(elsewhere)} {say(elsewhere, 'stands', 'stand')} on its files or data"
        sentence = f"{on_them}, and none of PROV-O or PAV on it itself."
        return found(test, Verdict.FAIL, sentence, elsewhere[:_EVIDENCE_AT_MOST], missing=missing)
    return found(test, Verdict.FAIL, "There are no PROV-O or PAV statements about it or its origin.", missing=missing)


def _anchored(subject: Subject) -> tuple[Quad, ...]:
    of_activities = tuple(quad for node in subject.activities for quad in node.quads)
    return (*subject.quads, *subject.links_here, *of_activities)


def _common(subject: Subject) -> tuple[Quad, ...]:
    return tuple(quad for quad in _anchored(subject) if is_common(quad))


def _entailed(subject: Subject) -> list[tuple[Quad, NamedNode]]:
    above = entailed_terms()
    pairs = [
        (quad, common)
        for quad in _anchored(subject)
        for common in above.get(quad.predicate, ())[:1]
        if says_how(quad, common)
    ]
    # Sources and creators come first, other participants last.
    return sorted(pairs, key=lambda pair: pair[1] not in _MAKING)


_MAKING = frozenset({PROV.wasGeneratedBy, PROV.generated, PROV.wasDerivedFrom})


def _elsewhere(subject: Subject) -> list[Quad]:
    nodes = (*subject.distributions, *subject.elements.nodes)
    above = entailed_terms()
    return [quad for node in nodes for quad in node.quads if is_common(quad) or quad.predicate in above]


# F-UJI counts the publisher as an attribution and the date of issue as a creation date.
_OF_CREATION = (
    FairFact.CREATOR, Fact.CREATED, Fact.MODIFIED, FairFact.VERSION, Fact.MADE_FROM,
    FairFact.PUBLISHER, FairFact.PUBLISHED,
)  # fmt: skip


def creation_is_told(subject: Subject, surroundings: Surroundings) -> Finding:
    """FsF-R1.2-01M: provenance elements (who, when, from what), and a property of PROV-O or PAV.

    Publisher and date of issue count, with a remark that they say less.
    """
    test = "creation_is_told"
    elements = subject.stated(*_OF_CREATION)
    if subject.is_model:
        elements += tuple(quad for quad in subject.quads if quad.predicate in TRAINING_DATA and quad not in elements)
    common = tuple(quad for quad in (*subject.quads, *subject.links_here) if is_common(quad))
    publishing = {*terms_of(FairFact.PUBLISHER), *terms_of(FairFact.PUBLISHED)} - {*terms_of(FairFact.CREATOR)}
    how = "who published it or when" if all(quad.predicate in publishing for quad in elements) else "how it was made"
    told = f"{some(elements)} {say(elements, 'tells', 'tell')} {how}"
    if elements and common:
        other = [quad for quad in common if quad not in elements]
        sentence = (
            f"{told}, and {some(other)} {say(other)} so in PROV-O or PAV." if other else f"{told}, in PROV-O or PAV."
        )
        return found(test, Verdict.PASS, sentence, (*elements, *common))
    if elements:
        sentence = f"{told}, but not in PROV-O or PAV."
        missing = (PROV.wasGeneratedBy, PROV.wasAttributedTo, PROV.generatedAtTime, PROV.wasDerivedFrom)
        return found(test, Verdict.PARTIAL, sentence, elements, missing=missing)
    wanted = (*terms_of(FairFact.CREATOR)[:1], *terms_of(Fact.CREATED)[:1], *terms_of(Fact.MODIFIED)[:1])
    if common:
        sentence = f"{some(common)} {say(common, 'is', 'are')} stated, but not who made it, when, or in which version."
        return found(test, Verdict.PARTIAL, sentence, common, missing=wanted)
    if subject.activities:
        sentence = "Its origin is described, but it has no statements about who made it, when, or from what."
        made_by = {node.resource for node in subject.activities}
        links = [quad for quad in (*subject.quads, *subject.links_here) if {quad.subject, quad.object} & made_by]
        return found(test, Verdict.FAIL, sentence, links, missing=wanted)
    return found(test, Verdict.FAIL, "Who made it, when, and from what is not stated.", missing=wanted)


CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (provenance_follows_community, provenance_is_in_common_language, creation_is_told)
}
"""By their names in the indicators' table."""
