"""Things as schema.org: what is written of each fact, and what is said to be missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpc_explorer.interchange.schema_org import html_snippet, schema_org
from hpc_explorer.interchange.things import DataFile, Link, Thing
from hpc_explorer.ontology.common_terms import Fact, ThingKind
from tests.helpers.graphs import ex

THING = Thing(ex("d"), ThingKind.DATASET, (), "data")


def with_facts(**texts: str | tuple[str, ...]) -> Thing:
    facts = {Fact[name]: (text,) if isinstance(text, str) else text for name, text in texts.items()}
    return replace(THING, facts=facts)


def lacking(thing: Thing, what: str) -> list[tuple[bool, str]]:
    return [(one.is_required, one.sentence) for one in schema_org(thing)[1] if one.what == what]


@pytest.mark.parametrize(("length", "is_short", "is_long"), [(49, True, False), (50, False, False), (5000, False, False), (5001, False, True)])  # fmt: skip
def test_a_description_has_fifty_to_five_thousand_characters(length: int, is_short: bool, is_long: bool) -> None:
    lacks = [words for _, words in lacking(with_facts(DESCRIPTION="x" * length), "description")]
    assert [("or more" in one, "take 5,000" in one) for one in lacks] == ([(is_short, is_long)] if is_short or is_long else [])  # fmt: skip


def test_who_is_only_named_is_a_person_and_a_funder_an_organization() -> None:
    node, _ = schema_org(with_facts(CREATOR="Ada", FUNDER="DOE"))
    assert node["creator"] == {"@type": "Person", "name": "Ada"}
    assert node["funder"] == {"@type": "Organization", "name": "DOE"}


def test_a_linked_party_comes_before_those_that_are_named() -> None:
    thing = replace(with_facts(CREATOR="Ada"), links={Fact.CREATOR: (Link(ex("g"), "Grace", ThingKind.PERSON),)})
    assert schema_org(thing)[0]["creator"] == [
        {"@type": "Person", "@id": ex("g").value, "name": "Grace"},
        {"@type": "Person", "name": "Ada"},
    ]
    other = replace(THING, links={Fact.MADE_FROM: (Link(ex("raw"), "raw"),)})
    assert schema_org(other)[0][Fact.MADE_FROM.value] == {"@id": ex("raw").value, "name": "raw"}


@pytest.mark.parametrize(("text", "free"), [("true", True), ("false", False), ("perhaps", None)])
def test_free_is_yes_or_no_or_not_said(text: str, free: bool | None) -> None:
    assert schema_org(with_facts(FREE=text))[0].get("isAccessibleForFree") is free


def test_a_version_is_one_and_keywords_are_many() -> None:
    node, _ = schema_org(with_facts(VERSION=("2", "1"), KEYWORDS=("a", "b"), URL=("no address", "https://e.org/")))
    assert (node["version"], node["keywords"], node["url"]) == ("2", ["a", "b"], "https://e.org/")


def test_a_licence_by_its_identifier_gets_its_address_and_words_are_told() -> None:
    assert schema_org(with_facts(LICENCE="MIT"))[0]["license"] == "https://spdx.org/licenses/MIT.html"
    assert lacking(with_facts(LICENCE="MIT"), "license") == []
    assert "is not an address" in lacking(with_facts(LICENCE="ask us"), "license")[0][1]
    assert lacking(THING, "license") == [(False, "licence (license) is missing")]


def test_files_of_a_dataset_are_downloads_and_of_others_media_objects() -> None:
    file = DataFile(ex("f"), "f.csv", ("ftp://no", "https://e.org/f.csv"), 3, "3 B", "text/csv")
    whole = {"name": "f.csv", "contentUrl": "https://e.org/f.csv", "encodingFormat": "text/csv", "contentSize": "3 B"}
    assert schema_org(replace(THING, files=(file,)))[0]["distribution"] == {"@type": "DataDownload", **whole}
    model = replace(THING, kind=ThingKind.MODEL, files=(file, replace(file, size=None, size_text="3 kB")))
    first, second = schema_org(model)[0]["encoding"]
    assert first == {"@type": "MediaObject", **whole}
    assert second["contentSize"] == "3 kB"


def test_a_file_without_an_address_lacks_what_is_required() -> None:
    thing = replace(THING, files=(DataFile(ex("f"), "f.csv"),))
    assert lacking(thing, "contentUrl") == [(True, "address (contentUrl) of f.csv is missing")]
    assert [required for required, _ in lacking(thing, "encodingFormat")] == [False]
    assert lacking(thing, "distribution") == []
    assert [required for required, _ in lacking(THING, "distribution")] == [False]


def test_what_is_within_an_archive_is_no_download_of_its_own() -> None:
    archive = DataFile(ex("zip"), "all.zip", ("https://lab.eu/all.zip",), media_type="application/zip")
    images = DataFile(ex("images"), "images", includes=("*.jpg",), contained_in=(ex("zip"),), media_type="image/jpeg")
    table = DataFile(ex("table"), "t.csv", contained_in=(ex("zip"),), media_type="text/csv")
    elsewhere = DataFile(ex("own"), "own.csv", ("https://lab.eu/own.csv",), contained_in=(ex("zip"),))

    thing = replace(THING, files=(archive, images, table, elsewhere))
    node, _ = schema_org(thing)
    assert [one["name"] for one in node["distribution"]] == ["all.zip", "own.csv"]
    assert lacking(thing, "contentUrl") == []
    told = "list of files (distribution) leaves out files without their own address: images, t.csv"
    assert lacking(thing, "distribution") == [(False, told)]

    alone = replace(THING, files=(images,))
    assert "distribution" not in schema_org(alone)[0]
    assert [words.split()[4] for _, words in lacking(alone, "distribution")] == ["is", "leaves"]


def test_of_what_is_no_dataset_only_name_and_description_are_wanted() -> None:
    model = Thing(ex("m"), ThingKind.MODEL, (), "m", is_named=False)
    assert [(one.what, one.is_required) for one in schema_org(model)[1]] == [("name", True), ("description", True)]


def test_nothing_ends_the_script_element() -> None:
    snippet = html_snippet({"name": "</script><!--"})
    assert snippet.count("<") == 2
    assert snippet.endswith("</script>\n")
