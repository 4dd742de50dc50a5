"""The tests of R1 and R1.3: information for reuse, its accuracy, and community standards."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from hpc_explorer.fair.checks.finding import Check, found
from hpc_explorer.fair.checks.words import listed, short, term, the_data
from hpc_explorer.fair.content import (
    FRAMEWORK,
    METRICS,
    MODEL_STRUCTURE,
    differences,
    files_of,
    files_on_hand,
    formats_of,
    sizes_of,
    units_of,
    variables_of,
    with_values,
)
from hpc_explorer.fair.known_terms import is_no_term
from hpc_explorer.fair.links import TRAINING_DATA
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.terms import FairFact, Role, fair4ml
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.ontology.common_terms import CROISSANT, CSVW, Fact, schema_org
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, RDF, Namespace
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.wording import counted

_MANY = 10
_SOME = 5

_GROUPS: Mapping[str, tuple[Fact | FairFact, ...]] = {
    "content": (
        Fact.DESCRIPTION, FairFact.KEYWORDS, FairFact.THEME, Fact.LANGUAGE, FairFact.SPATIAL, FairFact.TEMPORAL,
        FairFact.VARIABLES, FairFact.TABLE_SCHEMA,
    ),
    "method": (Fact.TECHNIQUE, Fact.MADE_FROM, FairFact.GENERATED_BY, FairFact.QUALIFIED),
    "agents": (FairFact.CREATOR, Fact.CONTRIBUTOR, FairFact.PUBLISHER, Fact.FUNDER, FairFact.CONTACT),
    "context": (
        FairFact.PROJECT, FairFact.PUBLICATION, FairFact.PUBLISHED, Fact.CREATED, Fact.MODIFIED, FairFact.VERSION,
        Fact.PART_OF, FairFact.LICENCE,
    ),
    "technical": (
        Fact.MEDIA_TYPE, Fact.SIZE, FairFact.CHECKSUM, FairFact.DOWNLOAD_URL, FairFact.CONFORMS_TO,
        Fact.LANGUAGE_OF_PROGRAM,
    ),
}  # fmt: skip
"""Properties for reuse, in five groups."""

_RAI = Namespace(f"{CROISSANT}RAI/")
_RAI_METHOD = tuple(
    _RAI.term(name)
    for name in (
        "dataCollection", "dataCollectionType", "dataPreprocessingProtocol", "dataManipulationProtocol",
        "dataImputationProtocol", "dataAnnotationProtocol",
    )
)  # fmt: skip
"""How data were made, in Croissant's vocabulary for responsible AI (RAI 1.0)."""

_GROUP_TERMS: Mapping[str, tuple[NamedNode, ...]] = {
    "content": (HPC.modelType, *fair4ml("mlTask", "intendedUse", "modelCategory"), *METRICS),
    "method": (
        DCTERMS.provenance, *_RAI_METHOD, *TRAINING_DATA, *FRAMEWORK,
        HPC.learningAlgorithm, HPC.learningType, HPC.hyperParameter,
        HPC.targetApplication, HPC.usedWorkflow,
    ),
    "agents": (),
    "context": (*fair4ml("usageInstructions", "modelRisksBiasLimitations"),),
    "technical": (HPC.targetMachine, *MODEL_STRUCTURE, HPC.inputDatasetFormat, *schema_org("memoryRequirements")),
}  # fmt: skip
"""Further such properties without a fact, mostly of models."""

_OF_FILES = (Role.DISTRIBUTION,)
_ALSO_OF_FILES = (FairFact.VARIABLES, FairFact.TABLE_SCHEMA, FairFact.LICENCE)


def reuse_attributes_are_many(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1-01M: ten attributes of five groups including the content; a person decides whether they are accurate."""
    test = "reuse_attributes_are_many"
    attributes: dict[str, list[Quad]] = {}
    groups: dict[str, int] = {}
    for group, facts in _GROUPS.items():
        for fact in facts:
            of = _OF_FILES if group == "technical" or fact in _ALSO_OF_FILES else ()
            if stated := subject.stated(fact, of=of):
                attributes.setdefault(fact.name, []).extend(stated[:1])
                groups[group] = groups.get(group, 0) + 1
        for each in _GROUP_TERMS[group]:
            if own := [quad for quad in subject.quads if quad.predicate == each]:
                attributes.setdefault(each.value, []).extend(own[:1])
                groups[group] = groups.get(group, 0) + 1
    if units := units_of(subject):
        attributes["unit"] = list(units[:1])
        groups["content"] = groups.get("content", 0) + 1
    evidence = [quad for stated in attributes.values() for quad in stated]
    lacking = [group for group in _GROUPS if group not in groups]
    inside = _inside(subject)
    many = len(attributes) or "No"
    count = f"{many} attribute{'s for reuse are' if len(attributes) > 1 else ' for reuse is'} stated"
    if len(attributes) >= _MANY and not lacking and inside:
        sentence = f"{count}, of all five groups, with {term(inside[0].predicate)}; please confirm that they are true."
        return found(test, Verdict.PASS, sentence, evidence)
    wanting = [f"none of {listed(lacking, 'or')}"] if lacking else []
    if not inside:
        wanting.append("no metrics or training data" if subject.is_model else "no variables")
    verdict = Verdict.PARTIAL if len(attributes) >= _SOME else Verdict.FAIL
    sentence = f"{count}{': ' if wanting else ', '}{listed(wanting) or f'fewer than {_MANY}'}."
    missing = () if inside else _INSIDE_MODEL if subject.is_model else _INSIDE_DATA
    return found(test, verdict, sentence, evidence, missing=missing)


_INSIDE_DATA = (*schema_org("variableMeasured")[:1], CSVW.tableSchema)
_INSIDE_MODEL = (*fair4ml("hasEvaluation")[:1], HPC.accuracy, *fair4ml("trainedOn")[:1], HPC.wasDerivedFromDataset)


def _inside(subject: Subject) -> tuple[Quad, ...]:
    """The description of the content: variables of data; quality, training data or inputs of a model."""
    variables = variables_of(subject)
    if variables or not subject.is_model:
        return variables or tuple(subject.elements.quads[:1])
    terms = {*METRICS, *TRAINING_DATA, *MODEL_STRUCTURE}
    return tuple(quad for quad in subject.quads if quad.predicate in terms)


def content_is_described_and_matches(subject: Subject, surroundings: Surroundings) -> Finding:
    """FsF-R1-01MD: class, size, format and variables are stated and match a local file.

    Without a local file a complete description is unverified: unknown, not failed.
    """
    test = "content_is_described_and_matches"
    on_hand = files_on_hand(subject, surroundings)
    for each in on_hand:
        if wrong := differences(subject, each):
            faults = listed([fault for fault, _ in wrong])
            sentence = f"The file {each.file.name} differs from its description: {faults}."
            evidence = [quad for _, quads in wrong for quad in quads]
            return found(test, Verdict.FAIL, sentence, evidence, basis=Basis.VERIFIED)
    described = _described(subject)
    evidence = [quad for quads in described.values() for quad in quads[:1]]
    lacking = {what: missing for what, missing in _content_terms(subject).items() if what not in described}
    if lacking:
        verdict = Verdict.FAIL if set(described) <= {"its class"} else Verdict.PARTIAL
        sentence = f"The description of the content lacks {listed(list(lacking))}."
        return found(test, verdict, sentence, evidence, missing=[each for terms in lacking.values() for each in terms])
    all_of_it = listed(list(described))
    if on_hand:
        names = listed([each.file.name for each in on_hand][:3])
        sentence = f"{all_of_it.capitalize()} are stated, and {names} on this machine matches its description."
        return found(test, Verdict.PASS, sentence, evidence, basis=Basis.VERIFIED)
    sentence = f"{all_of_it.capitalize()} are stated; there is no local file to compare with."
    return found(test, Verdict.UNKNOWN, sentence, evidence, basis=Basis.UNKNOWN)


def _content_terms(subject: Subject) -> Mapping[str, tuple[NamedNode, ...]]:
    general = {"its class": (RDF.type,), "the size of a file": (DCAT.byteSize,)}
    if subject.is_model:
        of_format = (HPC.modelFormat, *schema_org("encodingFormat")[:1])
        return {**general, "its format": of_format, "its training data or its quality": _INSIDE_MODEL}
    return {**general, "its format": (DCAT.mediaType,), "the variables": _INSIDE_DATA}


def _described(subject: Subject) -> dict[str, tuple[Quad, ...]]:
    typed = tuple(quad for quad in subject.quads if quad.predicate == RDF.type)
    names = list(_content_terms(subject))
    sizes = tuple(quad for node in files_of(subject) for size in sizes_of(subject, node) for quad in size.evidence)
    formats = tuple(quad for node in files_of(subject) for each in formats_of(subject, node) for quad in each.evidence)
    stated = dict(zip(names, (typed, sizes, formats, _stated_inside(subject)), strict=True))
    return {what: quads for what, quads in stated.items() if quads}


def _stated_inside(subject: Subject) -> tuple[Quad, ...]:
    return _inside(subject) if subject.is_model else variables_of(subject)


def metadata_follows_community_standard(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.3-01M: a listed standard is named by dcterms:conformsTo or used, or the chosen profile is met."""
    test = "metadata_follows_community_standard"
    named = [
        (standard, quad)
        for quad in subject.stated(FairFact.CONFORMS_TO, of=(Role.RECORD,))
        if isinstance(quad.object, (NamedNode, Literal)) and (standard := standard_of(quad.object.value)) is not None
    ]
    if named:
        sentence = f"It states that it conforms to {_names(named)}."
        return found(test, Verdict.PASS, sentence, [quad for _, quad in named], basis=Basis.VERIFIED)
    used = _standards_used(subject, surroundings)
    if used:
        own = [(standard, quad) for standard, quad in used if standard.discipline]
        sentence = f"It uses the terms of {_names(own or used)}{'' if own else ', which are not of one discipline'}."
        return found(test, Verdict.PASS, sentence, [quad for _, quad in own or used], basis=Basis.VERIFIED)
    missing = (DCTERMS.conformsTo,)
    other = subject.stated(FairFact.CONFORMS_TO, of=(Role.RECORD,))
    if (profile := surroundings.conforms(subject)) is not None and profile.conforms:
        sentence = f"It meets the profile {profile.profile}."
        return found(test, Verdict.PASS, sentence, subject.quads[:1], basis=Basis.VERIFIED)
    if other:
        names = listed([short(str(getattr(quad.object, "value", "a node"))) for quad in other[:3]])
        sentence = f"It names {names}, which is not a listed metadata standard."
        return found(test, Verdict.PARTIAL, sentence, other, basis=Basis.VERIFIED, missing=missing)
    sentence = "It names no metadata standard and uses no terms of one."
    return found(test, Verdict.FAIL, sentence, basis=Basis.VERIFIED, missing=missing)


def _standards_used(subject: Subject, surroundings: Surroundings) -> list[tuple[MetadataStandard, Quad]]:
    """The listed standards in use by the resource, its files and records."""
    nodes: tuple[Node, ...] = (
        *with_values(subject),
        *subject.distributions,
        *subject.records,
    )
    used: dict[str, tuple[MetadataStandard, Quad]] = {}
    for node in nodes:
        for quad in node.quads:
            classes = [quad.object] if quad.predicate == RDF.type and isinstance(quad.object, NamedNode) else []
            for each in (quad.predicate, *classes):
                if (standard := standard_of(each.value)) is not None and not is_no_term(each, surroundings):
                    used.setdefault(standard.id, (standard, quad))
    return sorted(used.values(), key=lambda pair: pair[0].id)


def _names(used: list[tuple[MetadataStandard, Quad]]) -> str:
    return listed([f"{each.name} ({each.discipline})" if each.discipline else each.name for each, _ in used])


def metadata_conforms(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.3-02M: the description conforms to the shapes of a profile."""
    test = "metadata_conforms"
    conformance = surroundings.conforms(subject)
    if conformance is None:
        sentence = "There are no shapes for this kind of resource; you may know the answer."
        return found(test, Verdict.UNKNOWN, sentence, basis=Basis.UNKNOWN)
    if conformance.conforms:
        sentence = f"The shapes of {conformance.profile} find no faults."
        return found(test, Verdict.PASS, sentence, subject.quads[:1], basis=Basis.VERIFIED)
    faults = [short(message) for message, _ in conformance.violations]
    count = counted(len(faults), "fault")
    first = f": {'; '.join(faults[:3])}{' …' if len(faults) > 3 else ''}" if faults else ""
    sentence = f"The shapes of {conformance.profile} find {count}{first}".rstrip(".") + "."
    evidence = [quad for _, quad in conformance.violations if quad is not None]
    return found(test, Verdict.FAIL, sentence, evidence, basis=Basis.VERIFIED)


def data_conforms(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.3-02D: a local table matches its csvw:tableSchema, or data elements conform to shapes."""
    test = "data_conforms"
    schemas = subject.stated(FairFact.TABLE_SCHEMA, FairFact.VARIABLES, of=_OF_FILES)
    if (check := surroundings.table_faults(subject)) is not None:
        if not check.faults:
            sentence = f"The table {check.file} matches its schema."
            return found(test, Verdict.PASS, sentence, schemas, basis=Basis.VERIFIED)
        first = "; ".join(short(fault) for fault in check.faults[:3]) + (" …" if len(check.faults) > 3 else "")
        sentence = f"The table {check.file} does not match its schema: {first}."
        return found(test, Verdict.FAIL, sentence, schemas, basis=Basis.VERIFIED)
    checked = [
        conformance
        for node in subject.elements.nodes[:_ELEMENTS_CHECKED]
        if (conformance := surroundings.conforms(Subject(node.resource, node.quads))) is not None
    ]
    if checked:
        names = listed([each.profile for each in checked])
        wrong = [violation for each in checked for violation in each.violations]
        looked_at = f"{len(checked)} of {subject.elements.count.value:,} data elements"
        if all(each.conforms for each in checked):
            sentence = f"The shapes of {names} find no faults in the {looked_at} that were checked."
            evidence = [node.quads[0] for node in subject.elements.nodes[: len(checked)]]
            return found(test, Verdict.PASS, sentence, evidence, basis=Basis.VERIFIED)
        first = "; ".join(short(message) for message, _ in wrong[:3]).rstrip(".")
        sentence = f"The shapes of {names} find faults in {looked_at}: {first}."
        evidence = [quad for _, quad in wrong if quad is not None]
        return found(test, Verdict.FAIL, sentence, evidence, basis=Basis.VERIFIED)
    what = the_data(subject)
    them = what.do("them", "it")
    lacks = "there is no local table to check" if schemas else f"no table schema is stated to check {them} by"
    sentence = f"Whether {what} {what.are} in a standard form is unknown: {lacks}."
    missing = () if schemas else (CSVW.tableSchema,)
    return found(test, Verdict.UNKNOWN, sentence, schemas, basis=Basis.UNKNOWN, missing=missing)


_ELEMENTS_CHECKED = 5
"""The most data elements validated by shapes, which is slower than all other tests together."""


CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        reuse_attributes_are_many,
        content_is_described_and_matches,
        metadata_follows_community_standard,
        metadata_conforms,
        data_conforms,
    )
}
"""By their names in the indicators' table."""


@dataclass(frozen=True)
class MetadataStandard:
    """A metadata standard.

    Args:
        iris: IRI prefixes of its terms, profiles and versions.
        discipline: empty if generic.
    """

    id: str
    name: str
    iris: tuple[str, ...]
    discipline: str


@cache
def standards() -> tuple[MetadataStandard, ...]:
    """All standards of the list.

    The list is our own compilation from the RDA Metadata Standards Catalog and communities of science, machine learning
    and HPC; a standard without a discipline is generic.
    """
    text = files("hpc_explorer.fair").joinpath("lists/standards.csv").read_text(encoding="utf-8")
    return tuple(
        MetadataStandard(row["id"], row["name"], tuple(row["iris"].split()), row["discipline"])
        for row in csv.DictReader(text.splitlines())
    )


@lru_cache(maxsize=4096)
def standard_of(iri: str) -> MetadataStandard | None:
    """The listed standard of a term, profile or version; the longest prefix wins."""
    best: tuple[int, MetadataStandard] | None = None
    for standard in standards():
        for beginning in standard.iris:
            if _begins(iri, beginning) and (best is None or len(beginning) > best[0]):
                best = (len(beginning), standard)
    return best[1] if best else None


def _begins(iri: str, beginning: str) -> bool:
    if not iri.startswith(beginning):
        return iri == beginning.rstrip("/#")
    # "http://hl7.org/fhir" is a prefix of "http://hl7.org/fhir/Patient", but not of "http://hl7.org/fhirpath".
    rest = iri[len(beginning) :]
    return not rest or not beginning[-1].isalnum() or not rest[0].isalpha()
