"""Equivalent terms of common vocabularies, in one table for all readers and exporters.

The columns: the fact, schema.org's property, and the terms for it in a graph by precedence. Croissant 1.0 and RO-Crate
use schema.org's property unless their specification differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from hpc_explorer.ontology.labels import COMMENT_PREDICATES, LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import (
    DC,
    DCAT,
    DCTERMS,
    FOAF,
    HPC,
    MLS,
    OWL,
    PROV,
    PROVML,
    RDFS,
    SCHEMA,
    SCHEMAS,
    SKOS,
    Namespace,
)
from hpc_explorer.rdf.terms import NamedNode

SPDX = Namespace("http://spdx.org/rdf/terms#")
CROISSANT = Namespace("http://mlcommons.org/croissant/")
CSVW = Namespace("http://www.w3.org/ns/csvw#")


class Fact(Enum):
    """A fact about a thing, with schema.org's property."""

    NAME = "name"
    DESCRIPTION = "description"
    ALTERNATE_NAME = "alternateName"
    VERSION = "version"
    LICENCE = "license"
    URL = "url"
    IDENTIFIER = "identifier"
    SAME_AS = "sameAs"
    KEYWORDS = "keywords"
    LANGUAGE = "inLanguage"
    PUBLISHED = "datePublished"
    CREATED = "dateCreated"
    MODIFIED = "dateModified"
    CITATION = "citation"
    CREATOR = "creator"
    CONTRIBUTOR = "contributor"
    PUBLISHER = "publisher"
    FUNDER = "funder"
    PART_OF = "isPartOf"
    PARTS = "hasPart"
    MADE_FROM = "isBasedOn"
    FREE = "isAccessibleForFree"
    TECHNIQUE = "measurementTechnique"
    FILES = "distribution"
    CONTENT_URL = "contentUrl"
    SIZE = "contentSize"
    MEDIA_TYPE = "encodingFormat"
    SHA256 = "sha256"
    MD5 = "md5"
    LANGUAGE_OF_PROGRAM = "programmingLanguage"
    REPOSITORY = "codeRepository"


def schema_org(*names: str) -> tuple[NamedNode, ...]:
    """Terms of schema.org in both spellings of its namespace."""
    return tuple(namespace.term(name) for name in names for namespace in (SCHEMAS, SCHEMA))


TERMS: Mapping[Fact, tuple[NamedNode, ...]] = {
    Fact.NAME: LABEL_PREDICATES,
    Fact.DESCRIPTION: COMMENT_PREDICATES,
    Fact.ALTERNATE_NAME: (HPC.alternateName, SKOS.altLabel, DCTERMS.alternative, *schema_org("alternateName")),
    Fact.VERSION: (
        HPC.version, DCAT.version, OWL.versionInfo, DCTERMS.hasVersion, *schema_org("version", "softwareVersion"),
    ),
    Fact.LICENCE: (HPC.license, DCTERMS.license, DCTERMS.rights, *schema_org("license")),
    Fact.URL: (HPC.url, HPC.website, DCAT.landingPage, FOAF.page, FOAF.homepage, *schema_org("url")),
    Fact.IDENTIFIER: (DCTERMS.identifier, DC.identifier, HPC.id, HPC.hasID, *schema_org("identifier")),
    Fact.SAME_AS: (OWL.sameAs, *schema_org("sameAs")),
    Fact.KEYWORDS: (HPC.subject, DCAT.keyword, DCTERMS.subject, DC.subject, *schema_org("keywords")),
    Fact.LANGUAGE: (DCTERMS.language, DC.language, *schema_org("inLanguage")),
    Fact.PUBLISHED: (DCTERMS.issued, *schema_org("datePublished")),
    Fact.CREATED: (DCTERMS.created, PROV.generatedAtTime, *schema_org("dateCreated")),
    Fact.MODIFIED: (DCTERMS.modified, *schema_org("dateModified")),
    Fact.CITATION: (DCTERMS.bibliographicCitation, CROISSANT.citeAs, *schema_org("citation")),
    Fact.CREATOR: (
        DCTERMS.creator, DC.creator, HPC.creator, PROV.wasAttributedTo, FOAF.maker, *schema_org("creator", "author"),
    ),
    Fact.CONTRIBUTOR: (HPC.contributor, DCTERMS.contributor, DC.contributor, *schema_org("contributor")),
    Fact.PUBLISHER: (HPC.publisher, DCTERMS.publisher, DC.publisher, *schema_org("publisher")),
    Fact.FUNDER: (HPC.fundedBy, *schema_org("funder")),
    Fact.PART_OF: (HPC.isPartOf, DCTERMS.isPartOf, *schema_org("isPartOf")),
    Fact.PARTS: (DCTERMS.hasPart, *schema_org("hasPart")),
    Fact.MADE_FROM: (
        HPC.wasDerivedFromDataset, HPC.wasDFD, HPC.wasDerivedFrom, PROV.wasDerivedFrom, DCTERMS.source,
        *schema_org("isBasedOn"),
    ),
    Fact.FREE: schema_org("isAccessibleForFree"),
    Fact.TECHNIQUE: schema_org("measurementTechnique"),
    Fact.FILES: (HPC.file, DCAT.distribution, *schema_org("distribution", "encoding", "associatedMedia")),
    Fact.CONTENT_URL: (DCAT.downloadURL, *schema_org("contentUrl", "downloadUrl"), PROV.atLocation),
    Fact.SIZE: (HPC.size, HPC.fileSize, DCAT.byteSize, *schema_org("contentSize")),
    Fact.MEDIA_TYPE: (
        DCAT.mediaType, *schema_org("encodingFormat"), DCTERMS.term("format"), HPC.term("format"), HPC.fileFormat,
        HPC.modelFormat,
    ),
    Fact.SHA256: (
        HPC.sha256, *schema_org("sha256"), NamedNode("https://w3id.org/ro/terms/workflow-run#sha256"),
    ),
    Fact.MD5: (
        HPC.md5, CROISSANT.md5,
        NamedNode("https://w3id.org/ro/terms/workflow-run#md5"),
    ),
    Fact.LANGUAGE_OF_PROGRAM: (HPC.programLanguage, HPC.programmingLanguage, *schema_org("programmingLanguage")),
    Fact.REPOSITORY: schema_org("codeRepository"),
}  # fmt: skip
"""The terms of each fact."""


class ThingKind(Enum):
    """The kind of a thing, with schema.org's class."""

    DATASET = "Dataset"
    MODEL = "CreativeWork"
    SOURCE_CODE = "SoftwareSourceCode"
    SOFTWARE = "SoftwareApplication"
    FILE = "MediaObject"
    PERSON = "Person"
    ORGANIZATION = "Organization"
    PROJECT = "Project"
    OTHER = "Thing"


KINDS: tuple[tuple[ThingKind, frozenset[NamedNode]], ...] = (
    (ThingKind.MODEL, frozenset({HPC.AIModel, HPC.MachineLearningModel, MLS.Model, PROVML.Model})),
    (ThingKind.SOURCE_CODE, frozenset({HPC.Script, *schema_org("SoftwareSourceCode")})),
    (ThingKind.SOFTWARE, frozenset({HPC.Software, *schema_org("SoftwareApplication"), PROV.SoftwareAgent})),
    (ThingKind.FILE, frozenset({HPC.File, DCAT.Distribution, *schema_org("MediaObject", "DataDownload")})),
    (
        ThingKind.DATASET,
        frozenset({HPC.Data, DCAT.Dataset, MLS.Dataset, PROVML.LearningDataset, *schema_org("Dataset")}),
    ),
    (
        ThingKind.ORGANIZATION,
        frozenset({HPC.Organization, FOAF.Organization, PROV.Organization, *schema_org("Organization")}),
    ),
    (ThingKind.PERSON, frozenset({HPC.Person, FOAF.Person, PROV.Person, *schema_org("Person")})),
    (ThingKind.PROJECT, frozenset({HPC.Project, FOAF.Project, *schema_org("Project")})),
)
"""The kind of instances of these classes and their subclasses; the first match wins."""


MEDIA_TYPES: Mapping[str, str] = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
    "text": "text/plain",
    "log": "text/plain",
    "md": "text/markdown",
    "markdown": "text/markdown",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "jsonld": "application/ld+json",
    "json-ld": "application/ld+json",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "ttl": "text/turtle",
    "turtle": "text/turtle",
    "nt": "application/n-triples",
    "nq": "application/n-quads",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "gz": "application/gzip",
    "gzip": "application/gzip",
    "tar": "application/x-tar",
    "h5": "application/x-hdf5",
    "hdf5": "application/x-hdf5",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "svg": "image/svg+xml",
    "onnx": "application/onnx",
}
"""Media types by file extension or format name."""


def kind_of(classes: Iterable[NamedNode]) -> ThingKind:
    """The kind for some classes including their superclasses."""
    known = frozenset(classes)
    return next((kind for kind, members in KINDS if members & known), ThingKind.OTHER)


def known_terms() -> frozenset[NamedNode]:
    """All terms of the table."""
    return frozenset(term for terms in TERMS.values() for term in terms) | {SPDX.checksum, RDFS.label}
