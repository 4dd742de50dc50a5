"""Export a dataset in MLCommons' Croissant format, version 1.0 (http://mlcommons.org/croissant/1.0).

Values are never invented: required properties that the graph lacks are reported, and the document is invalid then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hpc_explorer.interchange.things import Column, DataFile, Lack, Link, Thing, in_words, is_address
from hpc_explorer.ontology.common_terms import Fact, ThingKind
from hpc_explorer.rdf.datatypes import INTEGERS
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import NamedNode, Resource

Node = dict[str, Any]

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"

CONTEXT: Node = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context of the specification, section "Namespaces"."""

_DATA_TYPES = {
    XSD.boolean: "sc:Boolean",
    XSD.date: "sc:Date",
    XSD.dateTime: "sc:DateTime",
    XSD.dateTimeStamp: "sc:DateTime",
    XSD.time: "sc:Time",
    XSD.anyURI: "sc:URL",
    **dict.fromkeys((XSD.decimal, XSD.double, XSD.float, XSD.term("number")), "sc:Float"),
    **dict.fromkeys(INTEGERS, "sc:Integer"),
}  # fmt: skip
_TABLES = ("text/csv", "text/tab-separated-values", "application/vnd.apache.parquet")
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9_.\-]+")
_PATH = re.compile(r"[^\s:/\\?#][^\s:\\?#]*")
_PARTIES = (Fact.CREATOR, Fact.PUBLISHER)
_DATES = (Fact.PUBLISHED, Fact.CREATED, Fact.MODIFIED)


def croissant(thing: Thing) -> tuple[Node, tuple[Lack, ...]]:
    """The Croissant metadata of a dataset, and its missing properties."""
    node: Node = {"@context": CONTEXT, "@type": "sc:Dataset", "conformsTo": CONFORMS_TO, "name": thing.name}
    if thing.first(Fact.DESCRIPTION):
        node["description"] = thing.first(Fact.DESCRIPTION)
    if thing.licence:
        node["license"] = thing.licence
    if address := _address(thing):
        node["url"] = address
    if thing.first(Fact.VERSION):
        node["version"] = thing.first(Fact.VERSION)
    if thing.first(Fact.CITATION):
        node["citeAs"] = thing.first(Fact.CITATION)
    for fact in (Fact.KEYWORDS, Fact.LANGUAGE):
        if texts := thing.facts.get(fact, ()):
            node[fact.value] = list(texts)
    for fact in _DATES:
        if thing.first(fact):
            node[fact.value] = thing.first(fact)
    same = [text for text in (*thing.facts.get(Fact.SAME_AS, ()), thing.iri or "") if is_address(text)]
    if same := [text for text in dict.fromkeys(same) if text != address]:
        node["sameAs"] = same
    for fact in _PARTIES:
        values = [*map(_party, thing.links.get(fact, ()))]
        values += [{"@type": "sc:Person", "name": name} for name in thing.facts.get(fact, ())]
        if values:
            node[fact.value] = values
    ids = _file_ids(thing.files)
    if thing.files:
        by_resource = {file.resource: ids[at] for at, file in enumerate(thing.files)}
        node["distribution"] = [_file(file, ids[at], by_resource) for at, file in enumerate(thing.files)]
    table = next((at for at, file in enumerate(thing.files) if file.media_type in _TABLES and not file.is_set), None)
    if thing.columns and table is not None:
        node["recordSet"] = [_records(thing.columns, ids[table], ids)]
    return node, tuple(_lacks(thing, has_table=table is not None))


def _address(thing: Thing) -> str:
    """The page of a dataset, or its IRI if that is a web address."""
    return next((text for text in (*thing.facts.get(Fact.URL, ()), thing.iri or "") if is_address(text)), "")


def _party(link: Link) -> Node:
    node = {"@type": "sc:Organization" if link.kind is ThingKind.ORGANIZATION else "sc:Person", "name": link.name}
    if link.iri is not None and is_address(link.iri):
        node["url"] = link.iri
    return node


def _file_ids(files: tuple[DataFile, ...]) -> list[str]:
    """Unique identifiers of files: their names, numbered if necessary."""
    taken: set[str] = set()
    found = []
    for file in files:
        plain = _NOT_IN_IDS.sub("-", file.name).strip("-") or "file"
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{number}-{plain}"
        taken.add(name)
        found.append(name)
    return found


def _file(file: DataFile, name: str, ids: Mapping[Resource, str]) -> Node:
    node: Node = {"@type": "cr:FileSet" if file.is_set else "cr:FileObject", "@id": name, "name": file.name}
    archives = [{"@id": ids[one]} for one in file.contained_in if one in ids]
    for word, values in (("containedIn", archives), ("includes", file.includes), ("cr:excludes", file.excludes)):
        if values:
            node[word] = values[0] if len(values) == 1 else list(values)
    if file.description:
        node["description"] = file.description
    if url := _content_url(file):
        node["contentUrl"] = url
    if file.size is not None or file.size_text:
        node["contentSize"] = f"{file.size} B" if file.size is not None else file.size_text
    if file.media_type:
        node["encodingFormat"] = file.media_type
    # A single checksum: the reader of MLCommons rejects two.
    if file.sha256:
        node["sha256"] = file.sha256
    elif file.md5:
        node["md5"] = file.md5
    return node


def _content_url(file: DataFile) -> str:
    """The address of a file, or the name of a local file, which must be shared along with the document.

    Relative paths are resolved from the folder of the document (Croissant 1.0, section "FileObject").
    """
    found = next((url for url in file.urls if is_address(url)), "")
    path = next((url for url in file.urls if _PATH.fullmatch(url) and ".." not in url.split("/")), "")
    return found or (file.name if file.local is not None else path)


def _records(columns: tuple[Column, ...], file: str, taken: list[str]) -> Node:
    set_id = "records"
    while set_id in taken:
        set_id += "-of-table"
    names: dict[str, int] = {}
    fields = []
    for column in columns:
        plain = _NOT_IN_IDS.sub("-", column.name).strip("-") or "column"
        names[plain] = names.get(plain, 0) + 1
        name = plain if names[plain] == 1 else f"{plain}-{names[plain]}"
        described = ", ".join(part for part in (column.description, f"in {column.unit}" if column.unit else "") if part)
        field: Node = {"@type": "cr:Field", "@id": f"{set_id}/{name}", "name": column.name}
        if described:
            field["description"] = described
        field["dataType"] = _data_type(column.datatype)
        if column.property is not None:
            field["equivalentProperty"] = column.property.value
        field["source"] = {"fileObject": {"@id": file}, "extract": {"column": column.name}}
        fields.append(field)
    return {"@type": "cr:RecordSet", "@id": set_id, "name": set_id, "field": fields}


def _data_type(datatype: NamedNode) -> str:
    return _DATA_TYPES.get(datatype, "sc:Text")


def _lacks(thing: Thing, *, has_table: bool) -> Iterator[Lack]:
    if thing.kind is not ThingKind.DATASET:
        yield Lack("@type", True, "it is not a dataset: Croissant describes datasets")
    if not thing.is_named:
        yield Lack("name", True, "name is missing: the end of its IRI is used instead")
    for fact in (Fact.DESCRIPTION, Fact.LICENCE):
        if not thing.first(fact):
            yield Lack(fact.value, True, f"{in_words(fact.value)} is missing")
    if not _address(thing):
        yield Lack("url", True, f"{in_words('url')} is missing")
    for fact in (Fact.CREATOR, Fact.PUBLISHED):
        if not thing.facts.get(fact) and not thing.links.get(fact):
            yield Lack(fact.value, True, f"{in_words(fact.value)} is missing")
    if thing.licence and not is_address(thing.licence):
        said = f"{in_words('license')} {thing.licence!r} is not an address: SPDX has one for each known licence"
        yield Lack("license", False, said)
    if not thing.first(Fact.VERSION):
        yield Lack("version", False, "version is missing")
    if not thing.first(Fact.CITATION):
        yield Lack("citeAs", False, f"{in_words('citeAs')} is missing")
    if not thing.files:
        yield Lack("distribution", False, f"{in_words('distribution')} is missing: the graph names no file of it")
    for file in thing.files:
        is_inside = file.is_set or bool(file.contained_in)
        for word, value in (
            ("contentUrl", is_inside or _content_url(file)),
            ("encodingFormat", file.media_type),
            ("sha256", is_inside or file.sha256 or file.md5),
        ):
            if not value:
                yield Lack(word, True, f"{in_words(word)} of {file.name} is missing")
    columns = in_words("recordSet")
    if thing.record_sets and not thing.columns:
        are = "is left out: that" if thing.record_sets == 1 else f"is left out: the {thing.record_sets}"
        yield Lack("recordSet", False, f"{columns} {are} of the graph cannot be exported")
    elif not thing.columns:
        yield Lack("recordSet", False, f"{columns} is missing: neither the graph nor a mapping has them")
    elif not has_table:
        yield Lack("recordSet", False, f"{columns} is left out: none of its files is a table")
