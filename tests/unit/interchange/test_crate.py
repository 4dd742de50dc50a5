"""Things as an RO-Crate: the root, its parts, files in it and elsewhere, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import quote

import pytest

from hpc_explorer.interchange.crate import VERSIONS, crate_metadata, preview_page
from hpc_explorer.interchange.things import DataFile, Detail, Link, Thing
from hpc_explorer.ontology.common_terms import Fact, ThingKind
from hpc_explorer.rdf.terms import BlankNode, Resource
from tests.helpers.graphs import ex

TODAY = date(2026, 11, 22)
FILE = DataFile(ex("f"), "f.csv", ("https://e.org/f.csv",), 3, "3 B", "text/csv", "a" * 64)
THING = Thing(ex("d"), ThingKind.DATASET, (ex("Dataset"),), "data", {Fact.LICENCE: ("MIT",)}, files=(FILE,))
MODEL = Thing(BlankNode("m"), ThingKind.MODEL, (), "model")


def entities(
    *things: Thing, version: str = "1.2", copied: dict[Resource, str] | None = None
) -> dict[str, dict[str, Any]]:
    document, _ = crate_metadata(things, version=version, now=TODAY, statements=1234, copied=copied)
    assert document["@context"] == f"https://w3id.org/ro/crate/{version}/context"
    return {one["@id"]: one for one in document["@graph"]}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_one_thing_is_the_main_entity_since_version_1_2(version: str) -> None:
    found = entities(THING, version=version)
    assert found["ro-crate-metadata.json"]["conformsTo"] == {"@id": f"https://w3id.org/ro/crate/{version}"}
    word, other = ("about", "mainEntity") if version == "1.1" else ("mainEntity", "about")
    assert found["./"][word] == {"@id": ex("d").value}
    assert other not in found["./"]


def test_several_things_are_told_in_the_root() -> None:
    things = [replace(THING, resource=ex(f"d{n}"), name=f"d{n}", files=()) for n in range(12)]
    root = entities(*things)["./"]
    assert root["name"] == "d0 and 11 more"
    assert root["description"].endswith(", d9 and 2 more")
    assert entities(*things[:10])["./"]["description"].endswith(", d9")
    assert not {"mainEntity", "about"} & root.keys()
    assert root["license"] == {"@id": "https://spdx.org/licenses/MIT.html"}


def test_what_is_no_data_is_mentioned_and_data_are_parts() -> None:
    root = entities(THING, MODEL)["./"]
    assert root["mentions"] == {"@id": "#m"}
    parts = [one["@id"] for one in root["hasPart"]]
    assert parts == ["graph.ttl", FILE.urls[0], ex("d").value]


def test_a_file_in_the_crate_is_named_by_its_place_and_keeps_its_address() -> None:
    found = entities(THING, copied={FILE.resource: "data/f 1.csv"})
    assert found["data/f%201.csv"] == {
        "@id": "data/f%201.csv",
        "@type": "File",
        "name": "f.csv",
        "url": "https://e.org/f.csv",
        "encodingFormat": "text/csv",
        "contentSize": "3",
        "sha256": "a" * 64,
    }
    assert "url" not in entities(THING)[FILE.urls[0]]


def test_a_file_that_cannot_be_had_is_named_and_no_part() -> None:
    thing = replace(THING, files=(replace(FILE, urls=()),))
    found = entities(thing)
    assert found[ex("f").value]["@type"] == "CreativeWork"
    assert [one["@id"] for one in found["./"]["hasPart"]] == ["graph.ttl", ex("d").value]
    _, lacks = crate_metadata([thing], version="1.2", now=TODAY, statements=1)
    assert "f.csv has no address and is not included: only its name is listed" in [one.sentence for one in lacks]


def test_a_linked_dataset_is_a_work_because_it_is_no_part() -> None:
    thing = replace(
        THING,
        links={Fact.MADE_FROM: (Link(ex("raw"), "raw", ThingKind.DATASET), Link(ex("p"), "Ada", ThingKind.PERSON))},
    )
    found = entities(thing)
    assert (found[ex("raw").value]["@type"], found[ex("p").value]["@type"]) == ("CreativeWork", "Person")
    assert found[ex("d").value][Fact.MADE_FROM.value] == [{"@id": ex("raw").value}, {"@id": ex("p").value}]


def test_publications_are_cited_by_address_and_credited_by_words() -> None:
    thing = replace(THING, facts={Fact.CITATION: ("https://doi.org/10.1/x", "Lin et al. 2022")})
    found = entities(thing)
    assert found[ex("d").value]["citation"] == {"@id": "https://doi.org/10.1/x"}
    assert found[ex("d").value]["creditText"] == "Lin et al. 2022"
    assert found["https://doi.org/10.1/x"]["@type"] == "ScholarlyArticle"


def test_details_are_entities_of_their_own() -> None:
    details = (Detail(ex("size"), "size", 16, "GB"), Detail(ex("note"), "note", "x"))
    found = entities(replace(THING, details=details))
    values = [found[one["@id"]] for one in found[ex("d").value]["additionalProperty"]]
    assert [(one["name"], one["value"], one.get("unitText")) for one in values] == [
        ("size", 16, "GB"),
        ("note", "x", None),
    ]


def test_a_crate_without_a_licence_says_so_and_is_not_valid() -> None:
    thing = replace(THING, facts={})
    assert entities(thing)["./"]["license"] == "No licence is recorded; ask the people who made it"
    _, lacks = crate_metadata([thing], version="1.2", now=TODAY, statements=1)
    assert [(one.what, one.is_required) for one in lacks] == [("description", False), ("license", True)]
    _, lacks = crate_metadata([thing, MODEL], version="1.2", now=TODAY, statements=1)
    assert "description of model is missing" in [one.sentence for one in lacks]


def test_the_page_tells_every_entity_and_links_within_itself() -> None:
    document, _ = crate_metadata([THING], version="1.2", now=TODAY, statements=1234)
    page = preview_page(document)
    assert page.count("<h1>") == 1
    assert page.count("<h2>") == len(document["@graph"]) - 2
    assert "1,234 statements" in page
    for entity in document["@graph"][1:]:
        assert page.count(f'<section id="{quote(entity["@id"], safe="")}">') == 1
