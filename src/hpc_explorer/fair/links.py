"""The links of a description to other data and descriptions.

A link is qualified if its predicate states the relation: dcterms:isVersionOf does, rdfs:seeAlso does not. Only the
classes of link targets are known. Sources: DCMI metadata terms, DCAT 3 (section 6.4 and 15), PROV-O, schema.org,
FAIR4ML 0.1.0, the HPC ontology.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hpc_explorer.fair.identity import IDENTIFIER_VALUES
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.terms import (
    ADMS,
    DATASET_CLASSES,
    ELEMENTS_INTO,
    MODEL_CLASSES,
    PAV,
    FairFact,
    Role,
    fair4ml,
    terms_of,
)
from hpc_explorer.fair.vocabularies import vocabulary_of
from hpc_explorer.ontology.common_terms import Fact, schema_org
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.identifiers import persistent_identifier
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, PROV, RDF, RDFS, SKOS
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, is_resource

UNQUALIFIED = frozenset({RDFS.seeAlso, DCTERMS.relation, SKOS.related, *schema_org("isRelatedTo", "mentions")})
"""Predicates for an unspecified relation."""

VERSIONS = (
    DCTERMS.isVersionOf, DCTERMS.hasVersion, DCTERMS.replaces, DCTERMS.isReplacedBy,
    DCAT.previousVersion, DCAT.prev, DCAT.hasVersion, DCAT.isVersionOf, DCAT.hasCurrentVersion,
    ADMS.prev, ADMS.next, ADMS.last, PROV.wasRevisionOf, PAV.previousVersion, PAV.hasVersion,
)  # fmt: skip
"""Predicates between versions of the same kind of thing: datasets, models."""

TO_DATASETS = frozenset(
    {
        HPC.wasDerivedFromDataset, HPC.wasDFD, HPC.dataset, HPC.aiModel, DCAT.inSeries, *VERSIONS,
        *fair4ml("trainedOn", "testedOn", "validatedOn", "evaluatedOn", "fineTunedFrom", "evaluationDataset"),
    }
)  # fmt: skip
"""Predicates whose objects are datasets or models by definition."""

TRAINING_DATA = (
    *fair4ml("trainedOn"), HPC.wasDerivedFromDataset, HPC.wasDFD,
    *fair4ml("testedOn", "validatedOn", "evaluatedOn", "fineTunedFrom"),
)  # fmt: skip
"""Predicates from a model to its training data and base model."""

QUALIFIED = TO_DATASETS | {
    DCTERMS.isPartOf, DCTERMS.hasPart, DCTERMS.references, DCTERMS.isReferencedBy, DCTERMS.source,
    DCTERMS.requires, DCTERMS.isRequiredBy, DCTERMS.isFormatOf, DCTERMS.hasFormat,
    *schema_org(
        "citation", "isBasedOn", "isBasedOnUrl", "isPartOf", "hasPart", "subjectOf", "exampleOfWork", "workExample",
        "translationOfWork", "isVariantOf", "supersededBy", "predecessorOf", "successorOf",
    ),
    PROV.wasDerivedFrom, PROV.hadPrimarySource, PROV.wasQuotedFrom, PROV.alternateOf,
    PROV.specializationOf, PROV.wasInfluencedBy,
    PAV.derivedFrom, PAV.importedFrom, PAV.retrievedFrom,
    HPC.wasDerivedFrom, HPC.wasDerivedFromSoftware, HPC.isPartOf, HPC.targetApplication,
    NamedNode("https://w3id.org/codemeta/referencePublication"),
    NamedNode("https://codemeta.github.io/terms/referencePublication"),
}  # fmt: skip
"""Predicates for a specific relation; those of CiTO are too."""

RUN_CLASSES = frozenset(schema_org("CreateAction", "ActivateAction", "UpdateAction"))
"""The runs of a Workflow Run RO-Crate (Process Run Crate, section "Requirements"): how it was made, not a relation."""

_CITO = "http://purl.org/spar/cito/"
_INPUTS = (PROV.used, HPC.used, HPC.hadInput, *schema_org("object"))
"""Predicates from an activity to its inputs."""

_RELATING_NODES = {
    DCAT.qualifiedRelation: (DCTERMS.relation,),
    PROV.qualifiedDerivation: (PROV.entity,),
    PROV.qualifiedPrimarySource: (PROV.entity,),
    PROV.qualifiedRevision: (PROV.entity,),
    PROV.qualifiedInfluence: (PROV.entity, PROV.influencer),
}
"""Relations that are nodes, with the predicates from the node to its target."""

_PARTS_OF_IT = (Role.DISTRIBUTION, Role.RECORD, Role.CATALOGUE, Role.ELEMENT)


@dataclass(frozen=True)
class Link:
    """A link to another thing.

    Args:
        is_qualified: whether it states the relation.
        to_dataset: whether its target is a dataset or a model.
    """

    target: Resource
    evidence: tuple[Quad, ...]
    is_qualified: bool
    to_dataset: bool


def is_relating(predicate: NamedNode) -> bool:
    """Whether a predicate links to other data or descriptions."""
    return predicate in QUALIFIED or predicate in UNQUALIFIED or predicate.value.startswith(_CITO)


def links_of(subject: Subject) -> tuple[Link, ...]:
    """The links of the resource, its qualified relations, its evaluations and its activities."""
    own = {node.resource for node in subject.of(*_PARTS_OF_IT)} | {subject.resource}
    return tuple(
        link
        for link in _found(subject)
        # Folders of a crate are datasets too; an address below the resource's own is part of it.
        if link.target not in own
        and not _is_inside(link.target, subject.resource)
        and RUN_CLASSES.isdisjoint(subject.targets.get(link.target, ()))
    )


def _found(subject: Subject) -> Iterator[Link]:
    for quad in subject.quads:
        if is_resource(quad.object) and is_relating(quad.predicate) and _leads_anywhere(subject, quad.object):
            yield _link(subject, (quad,), quad.object, qualified=quad.predicate not in UNQUALIFIED)
        elif quad.predicate in _RELATING_NODES and (node := subject.node(quad.object)) is not None:
            # A relation of DCAT is qualified by its role; those of PROV-O by their class.
            roles = tuple(inner for inner in node.quads if inner.predicate == DCAT.hadRole)
            for inner in node.quads:
                if inner.predicate in _RELATING_NODES[quad.predicate] and is_resource(inner.object):
                    qualified = bool(roles) or quad.predicate != DCAT.qualifiedRelation
                    yield _link(subject, (quad, inner, *roles), inner.object, qualified=qualified)
    for node in subject.of(Role.EVALUATION):
        for quad in node.quads:
            if quad.predicate in TO_DATASETS and is_resource(quad.object):
                yield _link(subject, (*_leading_to(subject, node), quad), quad.object, qualified=True)
    for node in subject.activities:
        for quad in node.quads:
            if quad.predicate in _INPUTS and is_resource(quad.object):
                yield _link(subject, (*_leading_to(subject, node), quad), quad.object, qualified=True)


def _link(subject: Subject, evidence: tuple[Quad, ...], target: Resource, *, qualified: bool) -> Link:
    classes = subject.targets.get(target, ())
    if isinstance(target, BlankNode) and (node := subject.node(target)) is not None:
        classes = node.classes
    means_dataset = any(quad.predicate in TO_DATASETS for quad in evidence)
    return Link(target, evidence, qualified, means_dataset or not dataset_classes().isdisjoint(classes))


def _leading_to(subject: Subject, node: Node) -> tuple[Quad, ...]:
    own = tuple(quad for quad in subject.quads if quad.object == node.resource)
    return own[:1] or tuple(quad for quad in subject.links_here if quad.subject == node.resource)[:1]


def _leads_anywhere(subject: Subject, target: Resource) -> bool:
    """Whether a target can be followed: an IRI, or a blank node with a location."""
    if isinstance(target, NamedNode):
        return True
    node = subject.node(target)
    return node is not None and any(
        isinstance(value, NamedNode) or "://" in value.value or persistent_identifier(value.value)
        for value in _places(subject, node)
    )


def _places(subject: Subject, node: Node) -> Iterator[NamedNode | Literal]:
    """The locations of a blank node; an identifier may be a node with its text as a value."""
    for quad in node.stated(Fact.IDENTIFIER, Fact.URL, Fact.SAME_AS):
        inner = subject.node(quad.object) if isinstance(quad.object, BlankNode) else None
        said = (quad,) if inner is None else tuple(each for each in inner.quads if each.predicate in IDENTIFIER_VALUES)
        yield from (each.object for each in said if isinstance(each.object, (NamedNode, Literal)))


def spelled_links(subject: Subject) -> tuple[Quad, ...]:
    """The statements that name something related as a text, which cannot be followed."""
    publications = terms_of(FairFact.PUBLICATION)
    return tuple(
        quad
        for quad in subject.quads
        if isinstance(quad.object, Literal)
        and quad.object.value.strip()
        and (is_relating(quad.predicate) or quad.predicate in publications)
    )


def data_links(subject: Subject) -> tuple[Quad, ...]:
    """The links from data elements to things outside of this dataset; units and terms are not data."""
    elements = {node.resource for node in subject.elements.nodes}
    values = {node.resource for node in subject.elements.values}
    belonging = {node.resource for nodes in subject.nodes.values() for node in nodes}
    inside = elements | values | belonging | {subject.resource}
    namespaces = {_namespace(each) for each in elements if isinstance(each, NamedNode)}
    return tuple(
        quad
        for quad in subject.elements.quads
        if isinstance(quad.object, NamedNode)
        and quad.predicate != RDF.type
        and quad.object not in inside
        and quad.predicate not in _NO_LINKS
        and _namespace(quad.object) not in namespaces
        and not _is_inside(quad.object, subject.resource)
        and not _is_term(quad.object)
    )


# Creator, licence and documentation of a data element are not other data.
_NO_LINKS = frozenset(ELEMENTS_INTO) | {
    term
    for fact in (
        Fact.CREATOR, Fact.CONTRIBUTOR, Fact.PUBLISHER, Fact.FUNDER, Fact.URL, Fact.SAME_AS, Fact.MEDIA_TYPE,
        Fact.LANGUAGE,
        FairFact.LICENCE, FairFact.LANDING_PAGE, FairFact.ACCESS_RIGHTS, FairFact.CONFORMS_TO, FairFact.CONTACT,
    )
    for term in terms_of(fact)
}  # fmt: skip

# Even if they are listed as vocabularies, their resources are data.
_DATA = frozenset({"dbpedia", "wd", "wdpage", "gns", "uniprot"})


def _is_term(iri: NamedNode) -> bool:
    vocabulary = vocabulary_of(iri.value)
    return vocabulary is not None and vocabulary.prefix not in _DATA


def _is_inside(iri: Resource, resource: Resource) -> bool:
    if not isinstance(iri, NamedNode) or not isinstance(resource, NamedNode):
        return False
    return iri.value.startswith(tuple(resource.value.rstrip("/#") + sign for sign in "/#"))


def _namespace(iri: NamedNode) -> str:
    return iri.value[: max(iri.value.rfind("#"), iri.value.rfind("/")) + 1]


@cache
def dataset_classes() -> frozenset[NamedNode]:
    """The classes of datasets and models, with their subclasses in the shipped ontologies."""
    # In the HPC ontology programs and workflows are hpc:Data too; things without a narrower class count as data.
    classes = {*DATASET_CLASSES, *MODEL_CLASSES}
    waiting = classes - {HPC.Data}
    while waiting:
        below = {
            quad.subject
            for quad in shipped_ontology().match_many(predicates=(RDFS.subClassOf,), objects=tuple(waiting))
            if isinstance(quad.subject, NamedNode)
        }
        waiting = below - classes
        classes |= waiting
    return frozenset(classes)
