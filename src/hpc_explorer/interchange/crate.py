"""Export resources as an RO-Crate, version 1.1 or 1.2 (https://w3id.org/ro/crate/): its metadata and preview page.

Copied files are identified by their path in the crate, others by their addresses. The crate includes the statements of
the graph as a file, because RO-Crate cannot express all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from html import escape
from typing import Any
from urllib.parse import quote

from hpc_explorer.interchange.things import DataFile, Lack, Link, Thing, in_words, is_address
from hpc_explorer.ontology.common_terms import Fact, ThingKind
from hpc_explorer.rdf.terms import Resource

Entity = dict[str, Any]

METADATA_NAME = "ro-crate-metadata.json"
PREVIEW_NAME = "ro-crate-preview.html"
GRAPH_NAME = "graph.ttl"
VERSIONS = ("1.1", "1.2")

RUN_TERMS = "https://w3id.org/ro/terms/workflow-run/context"
"""The context of the terms for runs (https://w3id.org/ro/wfrun)."""

NO_LICENCE = "No licence is recorded; ask the people who made it"
_TEXTS = (
    Fact.ALTERNATE_NAME, Fact.VERSION, Fact.IDENTIFIER, Fact.SAME_AS, Fact.KEYWORDS, Fact.LANGUAGE, Fact.PUBLISHED,
    Fact.CREATED, Fact.MODIFIED,
)  # fmt: skip
_LINKS = (Fact.CREATOR, Fact.CONTRIBUTOR, Fact.PUBLISHER, Fact.FUNDER, Fact.PART_OF, Fact.PARTS, Fact.MADE_FROM)
_TYPES = {ThingKind.FILE: "File", ThingKind.MODEL: "CreativeWork", ThingKind.OTHER: "Thing"}


def crate_metadata(
    things: Sequence[Thing],
    *,
    version: str,
    now: date,
    statements: int,
    copied: Mapping[Resource, str] | None = None,
) -> tuple[Entity, tuple[Lack, ...]]:
    """The content of `ro-crate-metadata.json`, and its missing properties.

    Args:
        version: of RO-Crate, one of `VERSIONS`.
        now: the date of publication.
        statements: the number of statements in the graph file.
        copied: the paths of copied files in the crate.
    """
    return _Crate(things, version, now, statements, copied or {}).document()


def crate_document(version: str, root: Entity, entities: Iterable[Entity], context: Sequence[object] = ()) -> Entity:
    """The metadata of a crate: its descriptor, its root and the other entities.

    Args:
        version: of RO-Crate.
        context: contexts besides that of RO-Crate.
    """
    profile = f"https://w3id.org/ro/crate/{version}"
    descriptor = {
        "@id": METADATA_NAME,
        "@type": "CreativeWork",
        "conformsTo": {"@id": profile},
        "about": {"@id": "./"},
    }
    return {"@context": one_or_all([f"{profile}/context", *context]), "@graph": [descriptor, root, *entities]}


def one_or_all(values: list[Any]) -> Any:
    """The value of a list that has one; else the list."""
    return values[0] if len(values) == 1 else values


def safe_place(name: str, taken: set[str]) -> str:
    """A unique and safe path for a file in the crate's folder `data`."""
    kept = "".join(sign if sign.isalnum() or sign in "-_.+ ()" else "-" for sign in name).strip(". ")[-120:] or "file"
    place, number = f"data/{kept}", 1
    while place.casefold() in taken:
        number += 1
        place = f"data/{number}-{kept}"
    taken.add(place.casefold())
    return place


class _Crate:
    def __init__(
        self,
        things: Sequence[Thing],
        version: str,
        now: date,
        statements: int,
        copied: Mapping[Resource, str],
    ) -> None:
        self._things = things
        self._version = version
        self._now = now
        self._statements = statements
        self._copied = copied
        self._entities: dict[str, Entity] = {}
        self._parts: dict[str, None] = {}
        self._lacks: list[Lack] = []

    def document(self) -> tuple[Entity, tuple[Lack, ...]]:
        mains = [self._thing(thing) for thing in self._things]
        root = self._root(mains)
        graph = {
            "@id": GRAPH_NAME,
            "@type": "File",
            "name": "The statements of the graph",
            "description": f"{self._statements:,} statements: the full descriptions, and linked resources",
            "encodingFormat": "text/turtle",
        }
        return crate_document(self._version, root, [graph, *self._entities.values()]), tuple(self._lacks)

    def _root(self, mains: list[str]) -> Entity:
        first = self._things[0]
        if len(self._things) == 1:
            name, described = first.name, first.first(Fact.DESCRIPTION) or f"The records of {first.name}"
        else:
            name = f"{first.name} and {len(self._things) - 1} more"
            described = f"The records of {', '.join(thing.name for thing in self._things[:10])}"
            if len(self._things) > 10:
                described += f" and {len(self._things) - 10} more"
        licences = list(dict.fromkeys(thing.licence for thing in self._things if thing.licence))
        root: Entity = {
            "@id": "./",
            "@type": "Dataset",
            "name": name,
            "description": described,
            "datePublished": self._now.isoformat(),
            "license": one_or_all([self._licence(text) for text in licences] or [NO_LICENCE]),
            "hasPart": [{"@id": GRAPH_NAME}, *({"@id": part} for part in self._parts)],
        }
        about = [main for main in mains if main not in self._parts]
        if about:
            root["mentions"] = one_or_all([{"@id": main} for main in about])
        if len(mains) == 1 and self._version != "1.1":
            root["mainEntity"] = {"@id": mains[0]}
        elif len(mains) == 1:
            root["about"] = {"@id": mains[0]}
        return root

    def _thing(self, thing: Thing) -> str:
        name = self._copied.get(thing.resource)
        own = quote(name) if name is not None else (thing.iri or f"#{thing.resource.value}")
        entity: Entity = {"@id": own, "@type": _TYPES.get(thing.kind, thing.kind.value), "name": thing.name}
        self._entities[own] = entity
        if thing.first(Fact.DESCRIPTION):
            entity["description"] = thing.first(Fact.DESCRIPTION)
        if address := next((text for text in thing.facts.get(Fact.URL, ()) if is_address(text)), ""):
            entity["url"] = address
        if thing.licence:
            entity["license"] = self._licence(thing.licence)
        for fact in _TEXTS:
            if texts := thing.facts.get(fact, ()):
                entity[fact.value] = one_or_all(list(texts))
        self._cite(entity, thing.facts.get(Fact.CITATION, ()))
        for fact in _LINKS:
            values: list[object] = [self._link(link) for link in thing.links.get(fact, ())]
            values += thing.facts.get(fact, ())
            if values:
                entity[fact.value] = one_or_all(values)
        if thing.classes:
            entity["additionalType"] = one_or_all([cls.value for cls in thing.classes])
        files = [self._file(file) for file in thing.files if file.resource != thing.resource]
        if files:
            word = "hasPart" if thing.kind is ThingKind.DATASET else "associatedMedia"
            entity[word] = one_or_all([*_listed(entity.get(word)), *({"@id": one} for one in files)])
        if thing.kind in (ThingKind.DATASET, ThingKind.FILE) and (is_address(own) or name is not None):
            self._parts[own] = None
        for number, detail in enumerate(thing.details, start=1):
            value = {
                "@id": f"#{quote(own.lstrip('#'), safe='')}-property-{number}",
                "@type": "PropertyValue",
                "name": detail.name,
                "propertyID": detail.property.value,
                "value": detail.value,
                **({"unitText": detail.unit} if detail.unit else {}),
            }
            self._entities[str(value["@id"])] = value
            entity["additionalProperty"] = [*entity.get("additionalProperty", []), {"@id": value["@id"]}]
        self._tell_lacks(thing)
        return own

    def _cite(self, entity: Entity, citations: Sequence[str]) -> None:
        """Publications with an address are cited; text goes to creditText (RO-Crate 1.2 cites addresses only)."""
        for word, texts in (
            ("citation", [text for text in citations if is_address(text)]),
            ("creditText", [text for text in citations if not is_address(text)]),
        ):
            if texts:
                entity[word] = one_or_all([{"@id": text} if word == "citation" else text for text in texts])
                for text in texts if word == "citation" else ():
                    self._entities.setdefault(text, {"@id": text, "@type": "ScholarlyArticle", "name": text})

    def _file(self, file: DataFile) -> str:
        """A file as an entity: in the crate, at an address, or known by name only."""
        place = self._copied.get(file.resource)
        address = next((url for url in file.urls if is_address(url)), "")
        own = quote(place) if place is not None else address
        if own:
            entity: Entity = {"@id": own, "@type": "File"}
            self._parts[own] = None
        else:
            # A file that is unavailable is not a data entity (RO-Crate 1.1, "Data Entities").
            iri = getattr(file.resource, "value", "")
            entity = {"@id": iri if ":" in iri else f"#{iri}", "@type": "CreativeWork"}
        entity["name"] = file.name
        if file.description:
            entity["description"] = file.description
        if place is not None and address:
            entity["url"] = address
        if file.media_type:
            entity["encodingFormat"] = file.media_type
        if file.size is not None or file.size_text:
            entity["contentSize"] = str(file.size) if file.size is not None else file.size_text
        if file.sha256:
            entity["sha256"] = file.sha256
        self._entities[entity["@id"]] = entity
        return str(entity["@id"])

    def _link(self, link: Link) -> Entity:
        own = link.iri or f"#{link.resource.value}"
        # A Dataset or File is a part of the crate (RO-Crate 1.1, "Data Entities"); others are creative works.
        kind = ThingKind.MODEL if link.kind in (ThingKind.DATASET, ThingKind.FILE) else link.kind
        self._entities.setdefault(own, {"@id": own, "@type": _TYPES.get(kind, kind.value), "name": link.name})
        return {"@id": own}

    def _licence(self, text: str) -> object:
        if not is_address(text):
            return text
        name = text.rsplit("/", 1)[-1].removesuffix(".html") or text
        self._entities.setdefault(text, {"@id": text, "@type": "CreativeWork", "name": name})
        return {"@id": text}

    def _tell_lacks(self, thing: Thing) -> None:
        of = "" if len(self._things) == 1 else f" of {thing.name}"
        if not thing.is_named:
            self._lacks.append(Lack("name", False, f"name{of} is missing: the end of its IRI is used instead"))
        if not thing.first(Fact.DESCRIPTION):
            self._lacks.append(Lack("description", False, f"description{of} is missing"))
        if not thing.licence:
            said = f"{in_words('license')}{of} is missing: the crate says that none is recorded"
            self._lacks.append(Lack("license", True, said))
        elif not is_address(thing.licence):
            self._lacks.append(Lack("license", False, f"{in_words('license')}{of} {thing.licence!r} is not an address"))
        for file in thing.files:
            if file.resource not in self._copied and not any(map(is_address, file.urls)):
                self._lacks.append(
                    Lack(
                        "contentUrl", False, f"{file.name} has no address and is not included: only its name is listed"
                    )
                )


def _listed(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


# --- the preview page


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem}th,td{text-align:left;vertical-align:top;"
    "padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8885;overflow-wrap:anywhere}th{width:14rem}"
)


def preview_page(metadata: Entity) -> str:
    """A crate's metadata as an HTML page without external resources."""
    entities = {entity["@id"]: entity for entity in metadata["@graph"]}
    root = entities["./"]
    shown = [root, *(one for name, one in entities.items() if name not in ("./", METADATA_NAME))]
    parts = [_entity_html(entity, entities) for entity in shown]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(root['name'])}</title>\n<style>{_STYLE}</style>\n"
        f'<link rel="describedby" type="application/ld+json" href="{METADATA_NAME}">\n</head>\n<body>\n'
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _entity_html(entity: Entity, entities: Mapping[str, Entity]) -> str:
    is_root = entity["@id"] == "./"
    level = "h1" if is_root else "h2"
    title = escape(str(entity.get("name", entity["@id"])))
    rows = ""
    for word, values in entity.items():
        if word not in ("@id", "name"):
            told = "<br>".join(_value_html(value, entities) for value in _listed(values))
            rows += f"<tr><th>{escape(word)}</th><td>{told}</td></tr>\n"
    own = "" if is_root else f"<p>{_address_html(entity['@id'], entity['@id'])}</p>\n"
    anchor = escape(quote(entity["@id"], safe=""))
    return f'<section id="{anchor}">\n<{level}>{title}</{level}>\n{own}<table>\n{rows}</table>\n</section>'


def _value_html(value: Any, entities: Mapping[str, Entity]) -> str:
    if isinstance(value, dict):
        name = value.get("@id", "")
        if name in entities:
            label = escape(str(entities[name].get("name", name)))
            return f'<a href="#{escape(quote(quote(name, safe=""), safe=""))}">{label}</a>'
        return _address_html(name, name)
    return _address_html(str(value), str(value)) if is_address(str(value)) else escape(str(value))


def _address_html(address: str, text: str) -> str:
    # Only web addresses and files of the crate become links: a graph may contain `javascript:` IRIs.
    if is_address(address) or (":" not in address and not address.startswith(("#", "/"))):
        return f'<a href="{escape(address)}">{escape(text)}</a>'
    return escape(text)
