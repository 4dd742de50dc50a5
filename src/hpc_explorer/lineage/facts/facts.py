"""The facts that comparisons need: names, classes, values, checksums, times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hpc_explorer.lineage.time.as_of import read_times
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
from hpc_explorer.ontology.labels import LABEL_PREDICATES, fallback_label, labels_of
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, MLS, PROV, PROVLAKE, QUDT, RDF, RDFS, SCHEMA, SCHEMAS
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import Limits, Store

CHECKSUMS = frozenset(
    {HPC.md5}
    | {
        NamedNode(iri)
        for iri in (
            "https://w3id.org/ro/terms/workflow-run#sha1",
            "https://w3id.org/ro/terms/workflow-run#sha256",
            "https://w3id.org/ro/terms/workflow-run#sha512",
            "https://w3id.org/ro/terms/workflow-run#md5",
            "http://spdx.org/rdf/terms#checksumValue",
            "http://schema.org/sha256",
            "https://schema.org/sha256",
        )
    }
)
"""Predicates for the digest of a file's content."""

VALUES = frozenset({PROV.value, SCHEMA.value, SCHEMAS.value, QUDT.value})
"""Predicates for the value of a resource."""

_NOT_COMPARED = frozenset(
    {
        *LABEL_PREDICATES,
        RDF.type,
        RDFS.comment,
        HPC.description,
        HPC.illustrative,
        HPC.illustrativeProperty,
        HPC.hasIDType,
        HPC.id,
        HPC.url,
        HPC.startDate,
        HPC.endDate,
        HPC.submitDate,
        PROV.startedAtTime,
        PROV.endedAtTime,
        PROV.generatedAtTime,
        PROV.invalidatedAtTime,
        PROVLAKE.tag,
        DCTERMS.identifier,
        DCTERMS.description,
        DCTERMS.created,
        *(
            namespace.term(name)
            for namespace in (SCHEMA, SCHEMAS)
            for name in (
                "startTime",
                "endTime",
                "dateCreated",
                "dateModified",
                "datePublished",
                "description",
                "identifier",
            )
        ),
    }
)


@dataclass
class Facts:
    """The facts of resources, queried once for a whole level at a time."""

    store: Store
    vocabulary: LineageVocabulary
    limits: Limits
    names: dict[Resource, str] = field(default_factory=dict)
    classes: dict[Resource, tuple[NamedNode, ...]] = field(default_factory=dict)
    literals: dict[Resource, dict[NamedNode, tuple[str, ...]]] = field(default_factory=dict)
    qualities: dict[Resource, dict[str, str]] = field(default_factory=dict)
    settings: dict[Resource, dict[str, str]] = field(default_factory=dict)
    born: dict[Resource, datetime | None] = field(default_factory=dict)

    def learn(self, resources: Iterable[Resource]) -> None:
        """Query the facts of the resources that are not known yet."""
        new = [resource for resource in dict.fromkeys(resources) if resource not in self.names]
        if not new:
            return
        everything = list(self.store.match_many(subjects=new, limits=self.limits))
        labels = labels_of(self.store, new, limits=self.limits)
        times = read_times(self.store, new, limits=self.limits)
        for resource in new:
            self.names[resource] = labels.get(resource) or fallback_label(resource)
            self.born[resource] = times[resource].born if resource in times else None
        classes: dict[Resource, list[NamedNode]] = defaultdict(list)
        literals: dict[Resource, dict[NamedNode, list[str]]] = defaultdict(lambda: defaultdict(list))
        parts: dict[Resource, list[tuple[Resource, NamedNode]]] = defaultdict(list)
        qualities: dict[Resource, list[Resource]] = defaultdict(list)
        settings: dict[Resource, list[Resource]] = defaultdict(list)
        is_a, has_quality, has_setting = RDF.type, MLS.hasQuality, HPC.hyperParameter
        for quad in everything:
            subject, predicate, value = quad.subject, quad.predicate, quad.object
            if not isinstance(subject, (NamedNode, BlankNode)):
                continue
            if predicate == is_a and isinstance(value, NamedNode):
                classes[subject].append(value)
            elif isinstance(value, Literal) and predicate not in _NOT_COMPARED:
                literals[subject][predicate].append(value.value)
            elif predicate == has_quality and isinstance(value, (NamedNode, BlankNode)):
                qualities[value].append(subject)
            elif predicate == has_setting and isinstance(value, (NamedNode, BlankNode)):
                settings[value].append(subject)
            elif isinstance(value, BlankNode) and not self.vocabulary.knows(predicate):
                parts[value].append((subject, predicate))
        # Values with units are blank nodes.
        for quad in self.store.match_many(subjects=list(parts), limits=self.limits):
            if quad.predicate in VALUES or quad.predicate == QUDT.unit:
                text = quad.object.value if isinstance(quad.object, Literal) else fallback_label(quad.object)  # type: ignore[arg-type]  # no triple terms there
                for owner, predicate in parts[quad.subject]:  # type: ignore[index]  # only resources were asked for
                    literals[owner][predicate].append(text)
        self._learn_named(qualities, self.qualities)
        self._learn_named(settings, self.settings)
        for resource in new:
            self.classes[resource] = tuple(sorted(set(classes[resource]), key=str))
            self.literals[resource] = {
                predicate: tuple(sorted(set(values))) for predicate, values in literals[resource].items()
            }

    def _learn_named(self, owners: Mapping[Resource, list[Resource]], into: dict[Resource, dict[str, str]]) -> None:
        """Read named values: characteristics of programs (ML-Schema) and hyperparameters (key and value)."""
        names = labels_of(self.store, list(owners), limits=self.limits)
        values: dict[Resource, str] = {}
        wanted = {*VALUES, HPC.key, HPC.term("value")}
        for quad in self.store.match_many(subjects=list(owners), predicates=wanted, limits=self.limits):
            if isinstance(quad.object, Literal) and isinstance(quad.subject, (NamedNode, BlankNode)):
                (names if quad.predicate == HPC.key else values)[quad.subject] = quad.object.value
        for resource, value in values.items():
            for owner in owners[resource]:
                into.setdefault(owner, {})[names.get(resource) or fallback_label(resource)] = value

    def value(self, resource: Resource) -> str | None:
        """The value of a resource; None if it has none."""
        for predicate in VALUES:
            texts = self.literals[resource].get(predicate)
            if texts:
                return ", ".join(texts)
        return None

    def checksum(self, resource: Resource) -> tuple[str, ...]:
        """The checksums of a file."""
        own = self.literals[resource]
        return tuple(text for predicate in sorted(CHECKSUMS, key=str) for text in own.get(predicate, ()))

    def kind(self, resource: Resource) -> str:
        """The names of its classes, joined by commas."""
        return ", ".join(fallback_label(cls) for cls in self.classes[resource])
