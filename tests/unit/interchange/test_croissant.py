"""Datasets as Croissant: files with one checksum, fields with identifiers of their own, and what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpc_explorer.interchange.croissant import croissant
from hpc_explorer.interchange.things import Column, DataFile, Link, LocalCopy, Thing
from hpc_explorer.ontology.common_terms import Fact, ThingKind
from hpc_explorer.rdf.datatypes import INTEGERS
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.graphs import ex

FILE = DataFile(ex("f"), "f.csv", ("https://e.org/f.csv",), 3, "3 B", "text/csv", "a" * 64, "b" * 32)
THING = Thing(ex("d"), ThingKind.DATASET, (), "data", files=(FILE,))


def lacking(thing: Thing) -> dict[str, bool]:
    return {one.what: one.is_required for one in croissant(thing)[1]}


def test_a_file_has_one_checksum_and_the_longer_one_first() -> None:
    (node,) = croissant(THING)[0]["distribution"]
    assert ("sha256" in node, "md5" in node) == (True, False)
    (node,) = croissant(replace(THING, files=(replace(FILE, sha256=""),)))[0]["distribution"]
    assert ("sha256" in node, node["md5"]) == (False, "b" * 32)
    assert lacking(replace(THING, files=(replace(FILE, sha256="", md5=""),)))["sha256"] is True


def test_identifiers_are_told_apart_and_keep_to_plain_signs() -> None:
    files = tuple(replace(FILE, name=name) for name in ("a b.csv", "a?b.csv", "???", "records"))
    columns = (Column("loss (%)"), Column("loss [%]"), Column("§"))
    node, _ = croissant(replace(THING, files=files, columns=columns))
    assert [one["@id"] for one in node["distribution"]] == ["a-b.csv", "2-a-b.csv", "file", "records"]
    (records,) = node["recordSet"]
    assert records["@id"] == "records-of-table", "a file is called records"
    assert [field["@id"].partition("/")[2] for field in records["field"]] == ["loss", "loss-2", "column"]
    assert {field["source"]["fileObject"]["@id"] for field in records["field"]} == {"a-b.csv"}


def test_a_field_has_its_type_its_unit_and_what_it_says() -> None:
    column = Column("loss", XSD.double, ex("loss"), "per epoch", "s")
    ((field, plain),) = (
        one["field"] for one in croissant(replace(THING, columns=(column, Column("x"))))[0]["recordSet"]
    )
    assert field == {
        "@type": "cr:Field",
        "@id": "records/loss",
        "name": "loss",
        "description": "per epoch, in s",
        "dataType": "sc:Float",
        "equivalentProperty": ex("loss").value,
        "source": {"fileObject": {"@id": "f.csv"}, "extract": {"column": "loss"}},
    }
    assert (plain["dataType"], "description" in plain) == ("sc:Text", False)


@pytest.mark.parametrize("datatype", sorted(INTEGERS, key=str))
def test_every_whole_number_is_one(datatype: NamedNode) -> None:
    (records,) = croissant(replace(THING, columns=(Column("n", datatype),)))[0]["recordSet"]
    assert [field["dataType"] for field in records["field"]] == ["sc:Integer"]


def test_columns_without_a_table_are_left_out_and_told() -> None:
    packed = replace(THING, files=(replace(FILE, media_type="application/zip"),), columns=(Column("x"),))
    node, lacks = croissant(packed)
    assert "recordSet" not in node
    assert [one.sentence for one in lacks if one.what == "recordSet"] == [
        "description of the columns (recordSet) is left out: none of its files is a table"
    ]


def test_its_page_is_not_said_to_be_the_same_as_itself() -> None:
    facts = {Fact.URL: ("https://e.org/",), Fact.SAME_AS: ("https://e.org/", "https://f.org/", "10.1/x")}
    node, _ = croissant(replace(THING, facts=facts))
    assert (node["url"], node["sameAs"]) == ("https://e.org/", ["https://f.org/", ex("d").value])
    node, _ = croissant(THING)
    assert (node["url"], "sameAs" in node) == (ex("d").value, False)


def test_a_file_of_this_machine_is_named_where_it_has_no_address() -> None:
    here = replace(FILE, urls=("file:///f.csv",), local=LocalCopy(3, "a" * 64))
    assert croissant(replace(THING, files=(here,)))[0]["distribution"][0]["contentUrl"] == "f.csv"
    gone = replace(THING, files=(replace(here, local=None),))
    assert "contentUrl" not in croissant(gone)[0]["distribution"][0]
    assert lacking(gone)["contentUrl"] is True


def test_who_made_it_is_a_person_unless_an_organization() -> None:
    parties = (Link(ex("u"), "University", ThingKind.ORGANIZATION), Link(ex("a"), "Ada", ThingKind.OTHER))
    node, _ = croissant(replace(THING, links={Fact.CREATOR: parties}, facts={Fact.CREATOR: ("Grace",)}))
    assert node["creator"] == [
        {"@type": "sc:Organization", "name": "University", "url": ex("u").value},
        {"@type": "sc:Person", "name": "Ada", "url": ex("a").value},
        {"@type": "sc:Person", "name": "Grace"},
    ]


@pytest.mark.parametrize("kind", [ThingKind.MODEL, ThingKind.FILE, ThingKind.OTHER])
def test_what_is_no_dataset_is_told(kind: ThingKind) -> None:
    assert lacking(replace(THING, kind=kind))["@type"] is True


def test_what_must_be_there_and_what_may_be_missing() -> None:
    bare = Thing(ex("d"), ThingKind.DATASET, (), "d", is_named=False)
    assert lacking(replace(bare, resource=ex("d"))) == {
        "name": True, "description": True, "license": True, "creator": True, "datePublished": True,
        "version": False, "citeAs": False, "distribution": False, "recordSet": False,
    }  # fmt: skip
