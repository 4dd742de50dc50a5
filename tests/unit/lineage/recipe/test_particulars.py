"""What the record says of a thing, by the terms of each vocabulary; nothing of it is told twice."""

from __future__ import annotations

import pytest

from hpc_explorer.lineage.recipe.particulars import Particulars, read_particulars
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.graphs import GRAPH, ex, store_of

PREFIXES = "@prefix s: <http://schema.org/> . @prefix spdx: <http://spdx.org/rdf/terms#> . "
PREFIXES += "@prefix wfrun: <https://w3id.org/ro/terms/workflow-run#> . @prefix dcat: <http://www.w3.org/ns/dcat#> ."
MORE = " , ".join(f"'{number:02}'" for number in range(14))


def told(turtle: str) -> Particulars:
    return read_particulars(store_of(PREFIXES + turtle), [ex("x")], LINEAGE_VOCABULARY)[ex("x")]


def shown(value: object) -> object:
    """Checksums and settings as texts, resources by their last name."""
    if isinstance(value, tuple):
        return tuple(shown(one) for one in value)
    if isinstance(value, NamedNode):
        return value.value.rpartition("/")[2]
    name = getattr(value, "name", None)
    return (
        value
        if value is None or isinstance(value, (str, bool))
        else str(value)
        if name is None
        else f"{name}={getattr(value, 'value', '')}"
    )


@pytest.mark.parametrize(
    ("turtle", "field", "expected"),
    [
        ("ex:x rdfs:label 'A  name' .", "name", "A name"),
        ("ex:x ex:p 1 .", "name", "x"),
        ("ex:x a hpc:Software , hpc:Dataset .", "kind", "Dataset, Software"),
        ("ex:x a hpc:Software , 'no class' .", "kind", "Software"),
        ("ex:x prov:value 2 , 1 .", "value", "1, 2"),
        ("ex:x ex:p 1 .", "value", None),
        ("ex:x hpc:version '2.1' ; s:softwareVersion '2' .", "version", "2, 2.1"),
        ("ex:x hpc:description 'What' ; rdfs:comment 'and why' .", "description", "What and why"),
        ("ex:x s:contentSize '1234567' .", "size", "1,234,567 bytes"),
        ("ex:x s:contentSize '12 MB' .", "size", "12 MB"),
        ("ex:x hpc:size [ qudt:value 1.9 ; qudt:unit unit:MegaBYTE ] .", "size", "1.9 MB"),
        ("ex:x hpc:url 'b' ; s:contentUrl <http://a/> .", "locations", ("b", "http://a/")),
        ("ex:x a s:MediaObject .", "locations", ("http://example.org/x",)),
        ("ex:x a s:MediaObject ; s:url <http://a/> .", "locations", ("http://a/",)),
        ("ex:x a s:Dataset .", "locations", ()),
        ("ex:x hpc:commandLineOption 'run -n 1' .", "commands", ("run -n 1",)),
        ("ex:x a s:CreateAction ; s:description 'cp -r a b' .", "commands", ("cp -r a b",)),
        ("ex:x a s:CreateAction ; s:description 'cp -r a b' .", "description", None),
        ("ex:x a s:CreateAction ; s:description 'a copy' .", "commands", ()),
        ("ex:x a s:CreateAction ; s:description 'a copy' .", "description", "a copy"),
        ("ex:x a s:Dataset ; s:description 'cp -r a b' .", "commands", ()),
        ("ex:x hpc:md5 'aa' ; wfrun:sha256 'bb' .", "checksums", ("md5 aa", "sha256 bb")),
        (
            "ex:x spdx:checksum [ spdx:algorithm spdx:checksumAlgorithm_sha1 ; spdx:checksumValue 'cc' ] .",
            *("checksums", ("sha1 cc",)),
        ),
        ("ex:x spdx:checksum ex:sum . ex:sum spdx:checksumValue 'dd' .", "checksums", ("dd",)),
        ("ex:x hpc:file ex:f ; hpc:name 'x' .", "files", ("f",)),
        ("ex:x hpc:hyperParameter [ hpc:key 'depth' ; hpc:value 12 ] .", "settings", ("depth=12",)),
        ("ex:x hpc:hyperParameter ex:h . ex:h rdfs:label 'rate' ; prov:value 0.1 .", "settings", ("rate=0.1",)),
        ("ex:x hpc:hyperParameter ex:h . ex:h prov:value 0.1 , 0.2 .", "settings", ("h=0.1, 0.2",)),
        ("ex:x hpc:hyperParameter ex:h . ex:h rdfs:label 'rate' .", "settings", ()),
        ("ex:x hpc:params 'b' , 'a' .", "settings", ("params=a", "params=b")),
        ("ex:x mls:hasQuality ex:q . ex:q rdfs:label 'commit' ; prov:value '9f3' .", "qualities", ("commit=9f3",)),
        ("ex:x wfrun:environment [ s:name 'N' ; s:value '8' ] .", "environment", ("N=8",)),
        # All else: in the order of its names, linked things by theirs, and neither lineage nor what stands elsewhere.
        ("ex:x ex:zeta 1 ; ex:alpha ex:o . ex:o rdfs:label 'That' .", "facts", ("alpha=That", "zeta=1")),
        ("ex:x ex:p ex:o , 'b' .", "facts", ("p=b, o",)),
        ("ex:x ex:p [ qudt:value 256 ; qudt:unit unit:GigaBYTE ] .", "facts", ("p=256 GB",)),
        ("ex:x ex:p [ s:name 'k' ; s:value 'v' , 'w' ] .", "facts", ("p=k = v, w",)),
        ("ex:x ex:p [ rdfs:label 'the inner one' ] .", "facts", ("p=the inner one",)),
        ("ex:x ex:p [ ex:q 1 ] .", "facts", ()),
        (f"ex:x ex:p {MORE} .", "facts", ("p=" + ", ".join(f"{number:02}" for number in range(12)) + " and 2 more",)),
        (f"ex:x ex:p {MORE[7:-7]} .", "facts", ("p=" + ", ".join(f"{number:02}" for number in range(1, 13)),)),
        (
            "ex:x prov:used ex:o ; hpc:version '1' ; hpc:md5 'a' ; prov:value 1 ; rdfs:label 'x' ; hpc:startDate '2024' ; "
            "prov:qualifiedUsage [ prov:entity ex:o ] ; mls:hasQuality ex:q ; a ex:C .",
            *("facts", ()),
        ),
        ("ex:x ex:b 1 ; ex:a 2 , 3 .", "properties", (("a", "2"), ("a", "3"), ("b", "1"))),
        ("ex:x ex:p 1 .", "said", True),
        ("ex:y ex:p ex:x .", "said", False),
    ],
)
def test_each_is_told_in_its_place(turtle: str, field: str, expected: object) -> None:
    assert shown(getattr(told(turtle), field)) == expected


def test_a_name_of_a_digest_tells_it() -> None:
    named = NamedNode("urn:hash::sha1:5891b5")
    about = read_particulars(store_of("ex:a prov:used <urn:hash::sha1:5891b5> ."), [named], LINEAGE_VOCABULARY)
    assert [str(one) for one in about[named].checksums] == ["sha1 5891b5"]


def test_files_are_told_too_and_what_has_no_name_is_called_by_its_class() -> None:
    store = store_of("ex:x hpc:file ex:f , ex:x , [ a hpc:File ; hpc:md5 'a' ] . ex:f hpc:version '3' .")
    about = read_particulars(store, [ex("x")], LINEAGE_VOCABULARY)
    assert len(about) == 3
    assert about[ex("f")].version == "3"
    assert {one.name for one in about.values()} == {"x", "f", "(unnamed File)"}


def test_what_is_inferred_is_no_record_but_for_the_class_of_what_has_none() -> None:
    inferred = NamedNode(f"{GRAPH.value}:1")
    store = store_of("ex:x a ex:C ; ex:p 1 . ex:y ex:p 1 .", "ex:x a ex:D ; ex:q 2 . ex:y a ex:D ; ex:q 2 .")
    about = read_particulars(store, [ex("x"), ex("y")], LINEAGE_VOCABULARY, inferred_graphs=frozenset({inferred}))
    assert [(one.classes, shown(one.facts)) for one in about.values()] == [
        ((ex("C"),), ("p=1",)),
        ((ex("D"),), ("p=1",)),
    ]
