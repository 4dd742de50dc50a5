"""Export a resource as schema.org JSON-LD: a Dataset, CreativeWork, SoftwareSourceCode or SoftwareApplication.

Required and recommended properties of datasets follow Google Search Central, "Dataset (Dataset, DataCatalog,
DataDownload) structured data"; other classes need name and description.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hpc_explorer.interchange.things import DataFile, Lack, Link, Thing, in_words, is_address
from hpc_explorer.ontology.common_terms import Fact, ThingKind

Node = dict[str, Any]

_TEXTS = (
    Fact.ALTERNATE_NAME, Fact.VERSION, Fact.IDENTIFIER, Fact.SAME_AS, Fact.KEYWORDS, Fact.LANGUAGE, Fact.PUBLISHED,
    Fact.CREATED, Fact.MODIFIED, Fact.CITATION, Fact.TECHNIQUE,
)  # fmt: skip
_LINKS = (Fact.CREATOR, Fact.CONTRIBUTOR, Fact.PUBLISHER, Fact.FUNDER, Fact.PART_OF, Fact.PARTS, Fact.MADE_FROM)
_ONE_ONLY = frozenset({Fact.VERSION, Fact.PUBLISHED, Fact.CREATED, Fact.MODIFIED})
_PARTIES = frozenset({Fact.CREATOR, Fact.CONTRIBUTOR, Fact.PUBLISHER, Fact.FUNDER})
_RECOMMENDED = (
    (Fact.CREATOR, ": who made it"),
    (Fact.KEYWORDS, ": what it is about"),
    (Fact.IDENTIFIER, ": a persistent one, such as a DOI"),
    (Fact.URL, ""),
    (Fact.VERSION, ""),
    (Fact.CITATION, ""),
    (Fact.FREE, ""),
)
_SHORTEST, _LONGEST = 50, 5000


def schema_org(thing: Thing) -> tuple[Node, tuple[Lack, ...]]:
    """The JSON-LD of a thing, and its missing properties."""
    node: Node = {"@context": "https://schema.org/", "@type": thing.kind.value}
    if thing.iri is not None:
        node["@id"] = thing.iri
    node["name"] = thing.name
    if thing.first(Fact.DESCRIPTION):
        node["description"] = thing.first(Fact.DESCRIPTION)
    if address := next((text for text in thing.facts.get(Fact.URL, ()) if is_address(text)), ""):
        node["url"] = address
    if thing.licence:
        node["license"] = thing.licence
    for fact in _TEXTS:
        if texts := thing.facts.get(fact, ()):
            node[fact.value] = texts[0] if fact in _ONE_ONLY or len(texts) == 1 else list(texts)
    if (free := thing.first(Fact.FREE)) in ("true", "false"):
        node["isAccessibleForFree"] = free == "true"
    if thing.kind is ThingKind.SOURCE_CODE:
        for fact in (Fact.LANGUAGE_OF_PROGRAM, Fact.REPOSITORY):
            if thing.first(fact):
                node[fact.value] = thing.first(fact)
    for fact in _LINKS:
        named = thing.facts.get(fact, ())
        values: list[Any] = [*map(_link, thing.links.get(fact, ()))]
        if fact in _PARTIES:
            # An agent with only a name may be a person or an organization: schema.org has no type for both.
            values += [{"@type": "Organization" if fact is Fact.FUNDER else "Person", "name": text} for text in named]
        else:
            values += named
        if values:
            node[fact.value] = values[0] if len(values) == 1 else values
    if downloads := _downloads(thing):
        word = "distribution" if thing.kind is ThingKind.DATASET else "encoding"
        files = [_file(file, thing.kind) for file in downloads]
        node[word] = files[0] if len(files) == 1 else files
    if thing.columns:
        node["variableMeasured"] = [
            {
                "@type": "PropertyValue",
                "name": column.name,
                **({"propertyID": column.property.value} if column.property is not None else {}),
                **({"description": column.description} if column.description else {}),
                **({"unitText": column.unit} if column.unit else {}),
            }
            for column in thing.columns
        ]
    if thing.details:
        node["additionalProperty"] = [
            {
                "@type": "PropertyValue",
                "name": detail.name,
                "propertyID": detail.property.value,
                "value": detail.value,
                **({"unitText": detail.unit} if detail.unit else {}),
            }
            for detail in thing.details
        ]
    return node, tuple(_lacks(thing))


def _link(link: Link) -> Node:
    node: Node = {} if link.kind is ThingKind.OTHER else {"@type": link.kind.value}
    if link.iri is not None:
        node["@id"] = link.iri
    return {**node, "name": link.name}


def _downloads(thing: Thing) -> list[DataFile]:
    """The files that can be downloaded individually, without file sets and members of archives."""
    return [file for file in thing.files if not _is_inside(file)]


def _is_inside(file: DataFile) -> bool:
    return (file.is_set or bool(file.contained_in)) and not any(map(is_address, file.urls))


def _file(file: DataFile, kind: ThingKind) -> Node:
    node: Node = {"@type": "DataDownload" if kind is ThingKind.DATASET else "MediaObject", "name": file.name}
    if address := next((url for url in file.urls if is_address(url)), ""):
        node["contentUrl"] = address
    if file.media_type:
        node["encodingFormat"] = file.media_type
    if file.size is not None or file.size_text:
        node["contentSize"] = f"{file.size} B" if file.size is not None else file.size_text
    if file.sha256:
        node["sha256"] = file.sha256
    if file.description:
        node["description"] = file.description
    return node


def _lacks(thing: Thing) -> Iterator[Lack]:
    described = thing.first(Fact.DESCRIPTION)
    if not thing.is_named:
        yield Lack("name", True, "name is missing: the end of its IRI is used instead")
    if not described:
        yield Lack("description", True, "description is missing")
    if thing.kind is not ThingKind.DATASET:
        return
    if described and len(described) < _SHORTEST:
        yield Lack(
            "description",
            True,
            f"description has {len(described)} characters: search engines require {_SHORTEST} or more",
        )
    if len(described) > _LONGEST:
        yield Lack(
            "description", True, f"description has {len(described):,} characters: search engines take {_LONGEST:,}"
        )
    if not thing.licence:
        yield Lack("license", False, f"{in_words('license')} is missing")
    elif not is_address(thing.licence):
        yield Lack(
            "license", False, f"{in_words('license')} {thing.licence!r} is not an address: give the one of its text"
        )
    for fact, words in _RECOMMENDED:
        if not thing.facts.get(fact) and not thing.links.get(fact):
            yield Lack(fact.value, False, f"{in_words(fact.value)} is missing{words}")
    downloads = _downloads(thing)
    if not downloads:
        yield Lack("distribution", False, f"{in_words('distribution')} is missing: the formats it is available in")
    if inside := [file.name for file in thing.files if _is_inside(file)]:
        sentence = f"{in_words('distribution')} leaves out files without their own address: {', '.join(inside)}"
        yield Lack("distribution", False, sentence)
    for file in downloads:
        if not any(map(is_address, file.urls)):
            yield Lack("contentUrl", True, f"{in_words('contentUrl')} of {file.name} is missing")
        if not file.media_type:
            yield Lack("encodingFormat", False, f"{in_words('encodingFormat')} of {file.name} is missing")


def html_snippet(node: Node) -> str:
    """The JSON-LD as a script element for the head of a web page."""
    # A script element ends only at "</" and has no entities (HTML, section 4.12.1.3).
    text = json.dumps(node, indent=2, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">\n{text}\n</script>\n'
