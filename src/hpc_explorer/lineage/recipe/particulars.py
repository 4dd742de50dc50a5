"""All recorded details of a thing: version, checksums, locations, size, settings and others.

For at most a few hundred things; comparing reads fewer facts of hundreds of thousands (`facts.py`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hpc_explorer.lineage.facts.facts import CHECKSUMS, VALUES
from hpc_explorer.lineage.trace.vocabulary import NO_LINEAGE, WFRUN, LineageVocabulary
from hpc_explorer.ontology.labels import LABEL_PREDICATES, class_label, fallback_label, labels_of, term_label
from hpc_explorer.rdf.namespaces import (
    DCAT,
    DCTERMS,
    HPC,
    MLS,
    PROV,
    PROVLAKE,
    QUDT,
    RDF,
    RDFS,
    SCHEMA,
    SCHEMAS,
    Namespace,
)
from hpc_explorer.rdf.quantities import read_quantity
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.description import descriptions

SPDX = Namespace("http://spdx.org/rdf/terms#")


def _schema(*names: str) -> frozenset[NamedNode]:
    return frozenset(namespace.term(name) for namespace in (SCHEMA, SCHEMAS) for name in names)


_VERSIONS = frozenset({HPC.version, DCTERMS.hasVersion}) | _schema("version", "softwareVersion")
_LOCATIONS = frozenset({HPC.url, DCAT.downloadURL, DCAT.accessURL, PROV.atLocation}) | _schema(
    "url", "contentUrl", "codeRepository", "downloadUrl", "installUrl"
)
_SIZES = frozenset({HPC.size, DCAT.byteSize}) | _schema("contentSize")
_DESCRIPTIONS = frozenset({HPC.description, RDFS.comment, DCTERMS.description}) | _schema("description")
_COMMANDS = frozenset({HPC.commandLineOption}) | _schema("commandLine")
_FILES = frozenset({HPC.file, DCAT.distribution}) | _schema("distribution", "encoding", "hasPart")
_SETTINGS = frozenset({HPC.hyperParameter, HPC.params}) | _schema("additionalProperty")
_QUALITIES = frozenset({MLS.hasQuality})
_ENVIRONMENTS = frozenset({WFRUN.environment})
_KEYS = frozenset({HPC.key}) | _schema("name")
_KEY_VALUES = frozenset({HPC.term("value")}) | _schema("value")

# The identifier of a file in an RO-Crate is its location.
_FILE_CLASSES = _schema("MediaObject")
_ACTION_CLASSES = _schema("CreateAction", "ActivateAction", "UpdateAction")
_OPTION = re.compile(r"\s--?[A-Za-z]")

_NOT_TOLD = frozenset(
    {
        *(HPC.illustrative, HPC.illustrativeProperty, HPC.hasIDType, HPC.id, HPC.startDate, HPC.endDate),
        *(HPC.contributor, HPC.project, HPC.subject, HPC.memberOf, HPC.targetApplication, HPC.isPartOf),
        *(PROV.startedAtTime, PROV.endedAtTime, PROV.generatedAtTime, PROVLAKE.tag, DCTERMS.identifier),
        *(SPDX.checksum, RDF.type, DCTERMS.conformsTo, WFRUN.connection),
        *LABEL_PREDICATES,
        *_schema(
            "startTime", "endTime", "identifier", "dateModified", "datePublished", "sameAs", "thumbnail", "conformsTo"
        ),
    }
    | (NO_LINEAGE - _FILES - {PROVLAKE.isInStore, *_schema("programmingLanguage", "license", "encodingFormat")})
)

# More values of one property are a list, not a detail.
_MOST_VALUES = 12


@dataclass(frozen=True)
class Checksum:
    """A digest of a file's content.

    Args:
        algorithm: such as `md5` or `sha256`; empty if not recorded.
        digest: in hexadecimal digits, as recorded.
    """

    algorithm: str
    digest: str

    def __str__(self) -> str:
        return f"{self.algorithm} {self.digest}" if self.algorithm else self.digest


@dataclass(frozen=True)
class Setting:
    """A named value: a hyperparameter, a characteristic of a program, an environment variable.

    Args:
        term: the property of the statement; None if there is none.
    """

    name: str
    value: str
    term: NamedNode | None = None


@dataclass(frozen=True)
class Particulars:
    """The recorded details of a resource.

    Args:
        kind: the labels of its classes.
        value: the value, for a resource that is a value.
        facts: other statements about it, with quantities in their units.
        settings: its parameters.
        qualities: its characteristics, such as a commit or a host name.
        environment: its environment variables.
        files: the files that hold it.
        said: whether it has any statements.
    """

    resource: Resource
    name: str
    kind: str
    classes: tuple[NamedNode, ...]
    value: str | None = None
    version: str | None = None
    description: str | None = None
    size: str | None = None
    checksums: tuple[Checksum, ...] = ()
    locations: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    facts: tuple[Setting, ...] = ()
    settings: tuple[Setting, ...] = ()
    qualities: tuple[Setting, ...] = ()
    environment: tuple[Setting, ...] = ()
    files: tuple[Resource, ...] = ()
    properties: tuple[tuple[NamedNode, str], ...] = ()
    said: bool = True


_Statements = dict[Resource, dict[NamedNode, list[Quad]]]


def read_particulars(
    store: Store,
    resources: Iterable[Resource],
    vocabulary: LineageVocabulary,
    *,
    inferred_graphs: frozenset[NamedNode] = frozenset(),
    limits: Limits = NO_LIMITS,
) -> dict[Resource, Particulars]:
    """The statements about resources and the files that hold them.

    One query for each level of blank nodes, one for the values of settings, and one for names.

    Args:
        inferred_graphs: the graphs of inferred statements. Only classes are taken from them, for resources without a
            stated class.
    """
    wanted = list(dict.fromkeys(resources))
    stated = _statements(descriptions(store, wanted, limits=limits), inferred_graphs)
    more = _linked(stated, wanted, _FILES) + _linked(stated, wanted, _SETTINGS | _QUALITIES | _ENVIRONMENTS)
    more += _linked(stated, wanted, frozenset({SPDX.checksum}))
    more = [resource for resource in dict.fromkeys(more) if resource not in stated]
    if more:
        stated.update(_statements(descriptions(store, more, limits=limits), inferred_graphs))
    wanted += [file for file in _linked(stated, wanted, _FILES) if file not in wanted]
    named = {quad.object for facts in stated.values() for quads in facts.values() for quad in quads}
    names = labels_of(
        store, [*stated, *(term for term in named if isinstance(term, NamedNode) and term not in stated)], limits=limits
    )
    return {resource: _particulars(resource, stated, names, vocabulary) for resource in wanted}


def _statements(quads: Iterable[Quad], inferred_graphs: frozenset[NamedNode]) -> _Statements:
    stated: _Statements = defaultdict(lambda: defaultdict(list))
    inferred_types: list[Quad] = []
    for quad in quads:
        if not is_resource(quad.subject):
            continue
        if quad.graph_name not in inferred_graphs:
            stated[quad.subject][quad.predicate].append(quad)
        elif quad.predicate == RDF.type:
            inferred_types.append(quad)
    typed = {subject for subject, facts in stated.items() if RDF.type in facts}
    for quad in inferred_types:
        if is_resource(quad.subject) and quad.subject not in typed:
            stated[quad.subject][RDF.type].append(quad)
    return dict(stated)


def _linked(stated: _Statements, resources: Collection[Resource], predicates: frozenset[NamedNode]) -> list[Resource]:
    return [
        quad.object
        for resource in resources
        for predicate in predicates & stated.get(resource, {}).keys()
        for quad in stated[resource][predicate]
        if isinstance(quad.object, (NamedNode, BlankNode))
    ]


def _particulars(
    resource: Resource, stated: _Statements, names: Mapping[Resource, str], vocabulary: LineageVocabulary
) -> Particulars:
    own = stated.get(resource, {})
    classes = tuple(sorted((cls for cls in _objects(own, RDF.type) if isinstance(cls, NamedNode)), key=str))
    locations = _texts(own, _LOCATIONS, names)
    if not locations and not _FILE_CLASSES.isdisjoint(classes) and isinstance(resource, NamedNode):
        locations = (resource.value,)
    value = _texts(own, VALUES, names)
    return Particulars(
        resource=resource,
        name=names.get(resource) or _unnamed(resource, classes),
        kind=", ".join(class_label(cls) for cls in classes),
        classes=classes,
        value=", ".join(value) if value else None,
        version=", ".join(_texts(own, _VERSIONS, names)) or None,
        description=None
        if _commands_told(own, classes, names)
        else " ".join(_texts(own, _DESCRIPTIONS, names)) or None,
        size=", ".join(map(_size, _values(own, _SIZES, stated, names))) or None,
        checksums=_checksums(resource, own, stated),
        locations=locations,
        commands=_texts(own, _COMMANDS, names) or _commands_told(own, classes, names),
        facts=_facts(own, stated, names, vocabulary),
        settings=_settings(own, _SETTINGS, stated, names),
        qualities=_settings(own, _QUALITIES, stated, names),
        environment=_settings(own, _ENVIRONMENTS, stated, names),
        files=tuple(_linked(stated, (resource,), _FILES)),
        properties=tuple(
            (predicate, text)
            for predicate in sorted(own, key=str)
            for text in _values(own, frozenset({predicate}), stated, names)
        ),
        said=bool(own),
    )


def _size(text: str) -> str:
    """A size with its unit; a plain number is in bytes (contentSize in RO-Crate, byteSize in DCAT)."""
    return f"{int(text):,} bytes" if text.isdigit() else text


def _commands_told(
    own: Mapping[NamedNode, list[Quad]], classes: Iterable[NamedNode], names: Mapping[Resource, str]
) -> tuple[str, ...]:
    """The command line of an action, which Process Run Crate 0.5 puts into its description."""
    if _ACTION_CLASSES.isdisjoint(classes):
        return ()
    return tuple(text for text in _texts(own, _DESCRIPTIONS, names) if _OPTION.search(text))


def _unnamed(resource: Resource, classes: Sequence[NamedNode]) -> str:
    if isinstance(resource, BlankNode) and classes:
        return f"(unnamed {class_label(classes[0])})"
    return fallback_label(resource)


def _objects(own: Mapping[NamedNode, list[Quad]], predicate: NamedNode) -> list[object]:
    return [quad.object for quad in own.get(predicate, ())]


def _texts(
    own: Mapping[NamedNode, list[Quad]], predicates: frozenset[NamedNode], names: Mapping[Resource, str]
) -> tuple[str, ...]:
    """Literals as spelled, and the IRIs of resources."""
    found: dict[str, None] = {}
    for predicate in sorted(predicates & own.keys(), key=str):
        for quad in own[predicate]:
            if isinstance(quad.object, Literal):
                found[quad.object.value] = None
            elif isinstance(quad.object, NamedNode):
                found[quad.object.value if predicate in _LOCATIONS else _name(quad.object, names)] = None
    return tuple(sorted(found))


def _values(
    own: Mapping[NamedNode, list[Quad]],
    predicates: frozenset[NamedNode],
    stated: _Statements,
    names: Mapping[Resource, str],
) -> tuple[str, ...]:
    """Literals, quantities with their units, pairs of key and value, and the names of other linked resources."""
    found: dict[str, None] = {}
    for predicate in sorted(predicates & own.keys(), key=str):
        for quad in own[predicate]:
            text = _value(quad.object, stated, names)
            if text:
                found[text] = None
    return tuple(sorted(found))


def _value(term: object, stated: _Statements, names: Mapping[Resource, str]) -> str:
    if isinstance(term, Literal):
        return term.value
    if isinstance(term, NamedNode):
        return _name(term, names)
    if not isinstance(term, BlankNode):
        return ""
    inside = stated.get(term, {})
    quantity = read_quantity(
        (predicate, quad.object)
        for predicate, quads in inside.items()
        for quad in quads
        if isinstance(quad.object, (Literal, NamedNode))
    )
    if quantity is not None:
        return str(quantity)
    keys, values = _texts(inside, _KEYS, names), _texts(inside, _KEY_VALUES, names)
    return f"{keys[0]} = {', '.join(values)}" if keys and values else names.get(term, "")


def _name(term: NamedNode, names: Mapping[Resource, str]) -> str:
    return names.get(term) or fallback_label(term)


def _settings(
    own: Mapping[NamedNode, list[Quad]],
    predicates: frozenset[NamedNode],
    stated: _Statements,
    names: Mapping[Resource, str],
) -> tuple[Setting, ...]:
    found: dict[Setting, None] = {}
    for predicate in predicates & own.keys():
        for quad in own[predicate]:
            if isinstance(quad.object, Literal):
                found[Setting(term_label(predicate), quad.object.value, predicate)] = None
            elif isinstance(quad.object, (NamedNode, BlankNode)):
                inside = stated.get(quad.object, {})
                keys = _texts(inside, _KEYS, names) or (names.get(quad.object) or fallback_label(quad.object),)
                values = _texts(inside, _KEY_VALUES | VALUES, names)
                if values:
                    found[Setting(keys[0], ", ".join(values))] = None
    return tuple(sorted(found, key=lambda setting: (setting.name, setting.value)))


def _facts(
    own: Mapping[NamedNode, list[Quad]],
    stated: _Statements,
    names: Mapping[Resource, str],
    vocabulary: LineageVocabulary,
) -> tuple[Setting, ...]:
    told = (
        *(_VERSIONS, _LOCATIONS, _SIZES, _DESCRIPTIONS, _COMMANDS, _FILES, _SETTINGS, _QUALITIES, _ENVIRONMENTS),
        *(CHECKSUMS, VALUES, _NOT_TOLD, frozenset({QUDT.unit})),
    )
    found: list[Setting] = []
    for predicate in sorted(own, key=lambda term: term_label(term).casefold()):
        lineage = predicate in vocabulary.direct or predicate in vocabulary.outer or predicate in vocabulary.inner
        if lineage or any(predicate in group for group in told):
            continue
        values = _values(own, frozenset({predicate}), stated, names)
        if values:
            more = f" and {len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else ""
            found.append(Setting(term_label(predicate), ", ".join(values[:_MOST_VALUES]) + more, predicate))
    return tuple(found)


def _checksums(resource: Resource, own: Mapping[NamedNode, list[Quad]], stated: _Statements) -> tuple[Checksum, ...]:
    found: dict[Checksum, None] = {}
    for predicate in sorted(CHECKSUMS & own.keys(), key=str):
        for quad in own[predicate]:
            if isinstance(quad.object, Literal):
                found[Checksum(_algorithm(fallback_label(predicate)), quad.object.value)] = None
    for node in (quad.object for quad in own.get(SPDX.checksum, ())):
        inside = stated.get(node, {}) if isinstance(node, (NamedNode, BlankNode)) else {}
        algorithms = [fallback_label(term) for term in _objects(inside, SPDX.algorithm) if isinstance(term, NamedNode)]
        for value in _objects(inside, SPDX.checksumValue):
            if isinstance(value, Literal):
                found[Checksum(_algorithm(algorithms[0] if algorithms else ""), value.value)] = None
    # CWLProv names a file by its digest: urn:hash::sha1:5891b5b5…
    if isinstance(resource, NamedNode) and resource.value.startswith("urn:hash:"):
        algorithm, _, digest = resource.value.removeprefix("urn:hash:").lstrip(":").partition(":")
        if digest:
            found[Checksum(algorithm, digest)] = None
    return tuple(found)


def _algorithm(name: str) -> str:
    """`sha256` from `checksumAlgorithm_sha256`; empty for `checksumValue`."""
    short = name.rpartition("_")[2].casefold()
    return short if short.startswith(("md", "sha", "blake", "crc", "adler")) else ""
