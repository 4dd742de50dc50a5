"""The terms that an assessment uses besides those of `ontology.common_terms`, and the roles of their objects.

Sources: DCAT 3, Dublin Core terms, schema.org, VoID, ADMS, CSVW, PROV-O, Croissant 1.0, FAIR4ML 0.1.0, HPC ontology.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from hpc_explorer.ontology.common_terms import CROISSANT, CSVW, SPDX, TERMS, Fact, schema_org
from hpc_explorer.rdf.namespaces import DC, DCAT, DCTERMS, FOAF, HPC, MLS, OWL, PROV, PROVML, VOID, Namespace
from hpc_explorer.rdf.terms import NamedNode

ADMS = Namespace("http://www.w3.org/ns/adms#")
CC = Namespace("http://creativecommons.org/ns#")
DQV = Namespace("http://www.w3.org/ns/dqv#")
FAIR4ML = Namespace("https://w3id.org/fair4ml#")
PAV = Namespace("http://purl.org/pav/")
QB = Namespace("http://purl.org/linked-data/cube#")
VCARD = Namespace("http://www.w3.org/2006/vcard/ns#")
FAIR4ML_SPELLINGS = (FAIR4ML, Namespace("https://w3id.org/fair4ml/"))
"""FAIR4ML's own examples use both."""


def fair4ml(*names: str) -> tuple[NamedNode, ...]:
    """Terms of FAIR4ML in both spellings of its namespace."""
    return tuple(namespace.term(name) for name in names for namespace in FAIR4ML_SPELLINGS)


class FairFact(Enum):
    """A fact that assessments use besides `Fact`; the value is its name in a sentence."""

    LICENCE = "licence"
    IDENTIFIER = "identifier"
    KEYWORDS = "keywords or a subject"
    PUBLISHED = "date of issue"
    CREATOR = "creator"
    PUBLISHER = "publisher"
    VERSION = "version"
    ACCESS_RIGHTS = "level of access"
    FREE_ACCESS = "whether access is free"
    ACCESS_CONDITIONS = "conditions of access"
    LANDING_PAGE = "landing page"
    ACCESS_URL = "address of access"
    DOWNLOAD_URL = "address to download from"
    URL = "address"
    FILES = "distribution"
    FILE_NAME = "file name"
    SERVICE = "data service"
    ENDPOINT = "address of a service"
    CONTACT = "contact"
    THEME = "theme"
    SPATIAL = "place"
    TEMPORAL = "time covered"
    PROJECT = "project or funder"
    PUBLICATION = "publication"
    CONFORMS_TO = "standard it conforms to"
    VARIABLES = "variables"
    TABLE_SCHEMA = "schema of a table"
    CHECKSUM = "checksum"
    PRESERVATION = "statement of preservation"
    CATALOGUE = "catalogue"
    GENERATED_BY = "what made it"
    QUALIFIED = "qualified relation"
    RELATED = "relation"


FAIR_TERMS: Mapping[FairFact, tuple[NamedNode, ...]] = {
    FairFact.LICENCE: (
        DCTERMS.license, *schema_org("license"), HPC.license, DCTERMS.rights, CC.license, DC.rights,
        NamedNode("http://www.w3.org/1999/xhtml/vocab#license"),
    ),
    FairFact.IDENTIFIER: (*TERMS[Fact.IDENTIFIER], ADMS.identifier, OWL.sameAs, *schema_org("sameAs")),
    FairFact.KEYWORDS: (*TERMS[Fact.KEYWORDS], HPC.keyword, *schema_org("about")),
    FairFact.PUBLISHED: (*TERMS[Fact.PUBLISHED], HPC.submitDate, DCTERMS.date, DC.date, DCTERMS.available),
    FairFact.CREATOR: (*TERMS[Fact.CREATOR], HPC.contributor, PAV.createdBy, PAV.authoredBy),
    FairFact.PUBLISHER: (*TERMS[Fact.PUBLISHER], *schema_org("provider", "sdPublisher"), *fair4ml("sharedBy")),
    FairFact.VERSION: (*TERMS[Fact.VERSION], PAV.version, ADMS.version, OWL.versionIRI),
    FairFact.ACCESS_RIGHTS: (DCTERMS.accessRights, DCTERMS.rights, DC.rights),
    FairFact.FREE_ACCESS: (*schema_org("isAccessibleForFree"), HPC.isPubliclyAccessible),
    FairFact.ACCESS_CONDITIONS: schema_org("conditionsOfAccess"),
    FairFact.LANDING_PAGE: (
        DCAT.landingPage, *schema_org("url", "mainEntityOfPage"), HPC.url, HPC.website, FOAF.page, FOAF.homepage,
        FOAF.isPrimaryTopicOf,
    ),
    FairFact.ACCESS_URL: (DCAT.accessURL,),
    FairFact.DOWNLOAD_URL: (DCAT.downloadURL, *schema_org("contentUrl", "downloadUrl"), VOID.dataDump),
    FairFact.URL: (HPC.url,),
    FairFact.FILES: TERMS[Fact.FILES],
    FairFact.FILE_NAME: (*TERMS[Fact.NAME], HPC.fileName, *schema_org("alternateName")),
    FairFact.SERVICE: (DCAT.accessService,),
    FairFact.ENDPOINT: (DCAT.endpointURL, VOID.sparqlEndpoint),
    FairFact.CONTACT: (DCAT.contactPoint, *schema_org("contactPoint", "maintainer"), ADMS.contactPoint),
    FairFact.THEME: (DCAT.theme, HPC.discipline),
    FairFact.SPATIAL: (DCTERMS.spatial, *schema_org("spatialCoverage")),
    FairFact.TEMPORAL: (DCTERMS.temporal, *schema_org("temporalCoverage")),
    FairFact.PROJECT: (HPC.project, HPC.fundedBy, *schema_org("funder", "funding"), FOAF.fundedBy),
    FairFact.PUBLICATION: (
        DCTERMS.isReferencedBy, DCTERMS.bibliographicCitation, *schema_org("citation", "subjectOf"), HPC.publication,
        CROISSANT.citeAs,
        NamedNode("http://purl.org/spar/cito/isCitedBy"), NamedNode("https://w3id.org/codemeta/referencePublication"),
    ),
    FairFact.CONFORMS_TO: (DCTERMS.conformsTo,),
    FairFact.VARIABLES: (*schema_org("variableMeasured"), CROISSANT.recordSet, CROISSANT.field, CSVW.column),
    FairFact.TABLE_SCHEMA: (CSVW.tableSchema,),
    FairFact.CHECKSUM: (SPDX.checksum, *TERMS[Fact.SHA256], *TERMS[Fact.MD5]),
    FairFact.PRESERVATION: (*schema_org("publishingPrinciples"), DQV.hasQualityAnnotation, NamedNode("http://www.w3.org/ns/odrl/2/hasPolicy")),
    FairFact.CATALOGUE: schema_org("includedInDataCatalog"),
    FairFact.GENERATED_BY: (HPC.wasGeneratedBy, PROV.wasGeneratedBy, PROVML.wasGeneratedBy),
    FairFact.QUALIFIED: (
        DCAT.qualifiedRelation, PROV.qualifiedDerivation, PROV.qualifiedGeneration, PROV.qualifiedAttribution,
        PROV.qualifiedPrimarySource, PROV.qualifiedRevision, PROV.qualifiedInfluence,
    ),
    FairFact.RELATED: (DCTERMS.relation,),
}  # fmt: skip
"""The terms of each fact; the first is the one that repairs offer."""


FORMAT_TERMS = (*schema_org("fileFormat"), DCTERMS.term("format"))
"""Format terms besides those of `Fact.MEDIA_TYPE`."""


class Role(Enum):
    """The role of a node with respect to its resource."""

    DISTRIBUTION = "distribution"
    RECORD = "record"
    CATALOGUE = "catalogue"
    AGENT = "agent"
    CONTACT = "contact"
    ACTIVITY = "activity"
    SERVICE = "service"
    LICENCE = "licence"
    IDENTIFIER = "identifier"
    STRUCTURE = "structure"
    QUALIFIED = "qualified relation"
    POLICY = "policy"
    FORMAT = "format"
    ANOTHER = "another dataset"
    """A blank node that it links to; only its class and location are known."""
    EVALUATION = "evaluation"
    ELEMENT = "data element"
    ELEMENT_VALUE = "value of a data element"
    VALUE = "value"
    """A structured value, such as an amount with its unit."""


FORWARD_ROLES: tuple[tuple[Role, tuple[NamedNode, ...]], ...] = (
    (Role.DISTRIBUTION, FAIR_TERMS[FairFact.FILES]),
    (Role.RECORD, (FOAF.isPrimaryTopicOf,)),
    (Role.CATALOGUE, FAIR_TERMS[FairFact.CATALOGUE]),
    (Role.CONTACT, FAIR_TERMS[FairFact.CONTACT]),
    (
        Role.AGENT,
        (
            *TERMS[Fact.CREATOR], *TERMS[Fact.CONTRIBUTOR], *TERMS[Fact.PUBLISHER], *TERMS[Fact.FUNDER],
            HPC.submitter, PAV.createdBy, PAV.authoredBy, *schema_org("provider", "sponsor", "copyrightHolder"),
            *fair4ml("sharedBy"), PROV.agent,
        ),
    ),
    (Role.ACTIVITY, FAIR_TERMS[FairFact.GENERATED_BY]),
    (Role.SERVICE, FAIR_TERMS[FairFact.SERVICE]),
    (Role.LICENCE, FAIR_TERMS[FairFact.LICENCE]),
    (Role.IDENTIFIER, (*TERMS[Fact.IDENTIFIER], ADMS.identifier)),
    (
        Role.STRUCTURE,
        (
            *FAIR_TERMS[FairFact.VARIABLES], *FAIR_TERMS[FairFact.TABLE_SCHEMA], CROISSANT.dataType,
            CROISSANT.source, QB.structure, QB.component,
        ),
    ),
    (Role.QUALIFIED, FAIR_TERMS[FairFact.QUALIFIED]),
    (Role.POLICY, (*FAIR_TERMS[FairFact.PRESERVATION], *FAIR_TERMS[FairFact.ACCESS_RIGHTS])),
    (Role.FORMAT, (*TERMS[Fact.MEDIA_TYPE], *FORMAT_TERMS)),
    (Role.EVALUATION, fair4ml("hasEvaluation")),
)  # fmt: skip
"""The role of a statement's object, by predicate."""

BACKWARD_ROLES: tuple[tuple[Role, tuple[NamedNode, ...]], ...] = (
    (Role.RECORD, (FOAF.primaryTopic, *schema_org("about", "mainEntity"))),
    (Role.CATALOGUE, (DCAT.dataset, DCAT.resource, *schema_org("dataset"))),
    (Role.ACTIVITY, (PROV.generated, HPC.generated, HPC.hadOutput, *schema_org("result"))),
    (Role.SERVICE, (DCAT.servesDataset,)),
    (Role.EVALUATION, fair4ml("evaluatedMLModel")),
)
"""The role of a statement's subject, by predicate."""

ELEMENTS_INTO: tuple[NamedNode, ...] = (
    VOID.inDataset,
    QB.dataSet,
    HPC.isPartOf,
    DCTERMS.isPartOf,
    *schema_org("isPartOf"),
)
"""Predicates from a data element to its dataset."""

ELEMENTS_OF: tuple[NamedNode, ...] = (
    DCTERMS.hasPart, *schema_org("hasPart"), PROV.hadMember, QB.slice, QB.observation, VOID.exampleResource,
)  # fmt: skip
"""Predicates from a dataset to its elements."""

RECORD_CLASSES = frozenset({DCAT.CatalogRecord, VOID.DatasetDescription})
"""Classes of records. Other subjects of schema:about may be records (RO-Crate's descriptor is a schema:CreativeWork) if
they name the standard they conform to.
"""

MODEL_CLASSES = frozenset({HPC.AIModel, HPC.MachineLearningModel, MLS.Model, PROVML.Model, *fair4ml("MLModel")})
"""Classes that are assessed as a model."""

DATASET_CLASSES = frozenset(
    {
        HPC.Data, HPC.Dataset, HPC.CSVDataset, DCAT.Dataset,
        MLS.Dataset, PROVML.LearningDataset, VOID.Dataset, QB.DataSet,
        *schema_org("Dataset"), NamedNode("http://purl.org/dc/dcmitype/Dataset"),
    }
)  # fmt: skip
"""Classes of datasets."""


def terms_of(fact: Fact | FairFact) -> tuple[NamedNode, ...]:
    """The terms that state a fact."""
    return TERMS[fact] if isinstance(fact, Fact) else FAIR_TERMS[fact]
