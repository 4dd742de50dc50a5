"""Croissant that came from Croissant: what the graph has is in it, and what cannot be taken over is told."""

from __future__ import annotations

from typing import Any

import pytest

from hpc_explorer.interchange.croissant import croissant
from hpc_explorer.interchange.thing_reading import read_things
from hpc_explorer.interchange.things import licence_address
from hpc_explorer.ontology.schema import SchemaIndex
from tests.helpers.graphs import ex, store_of

DATASET = """@prefix cr: <http://mlcommons.org/croissant/> .
ex:d a schemas:Dataset ; schemas:name "Pictures" ; schemas:description "Pictures of hands" ;
  schemas:license "cc-by-4.0" ; schemas:url <https://lab.eu/d> ; schemas:datePublished "2024-05-01" ;
  schemas:creator [ a schemas:Person ; schemas:name "Ann" ] ; schemas:version "1" ;
  cr:citeAs "Ann (2024): Pictures" ; schemas:distribution ex:archive , ex:labels , ex:pictures ;
  cr:recordSet [ cr:field [ schemas:name "label" ] ] .
ex:archive a cr:FileObject ; schemas:name "hands" ; schemas:contentUrl "https://lab.eu/d.git" ;
  schemas:encodingFormat "git+https" ; schemas:sha256 "%s" .
ex:labels a cr:FileObject ; schemas:name "labels.csv" ; schemas:contentUrl "tables/labels.csv" ;
  schemas:encodingFormat "text/csv" ; schemas:sha256 "%s" .
ex:pictures a cr:FileSet ; schemas:name "pictures" ; cr:containedIn ex:archive ; schemas:encodingFormat "image/png" ;
  cr:includes "*.png" ; cr:excludes "draft-*.png" .
""" % ("ab" * 32, "cd" * 32)  # noqa: UP031  # braces are Turtle's


def handed_over(turtle: str) -> tuple[dict[str, Any], dict[str, str]]:
    store = store_of(turtle)
    (thing,) = read_things(store, SchemaIndex({}, {}), [ex("d")])
    document, lacks = croissant(thing)
    return document, {lack.what: lack.sentence for lack in lacks}


def test_what_came_from_croissant_goes_there() -> None:
    document, lacks = handed_over(DATASET)
    assert document["citeAs"] == "Ann (2024): Pictures"
    assert document["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    files = {node["name"]: node for node in document["distribution"]}
    assert files["hands"]["encodingFormat"] == "git+https"
    assert files["labels.csv"]["contentUrl"] == "tables/labels.csv"
    assert files["pictures"] == {
        "@type": "cr:FileSet", "@id": "pictures", "name": "pictures", "containedIn": {"@id": "hands"},
        "includes": "*.png", "cr:excludes": "draft-*.png", "encodingFormat": "image/png",
    }  # fmt: skip
    assert lacks == {
        "recordSet": "description of the columns (recordSet) is left out: that of the graph cannot be exported"
    }


@pytest.mark.parametrize("path", ["/etc/passwd", "../up.csv", "C:\\\\d.csv", "with space.csv"])
def test_a_path_that_leads_elsewhere_is_no_address(path: str) -> None:
    document, lacks = handed_over(DATASET.replace("tables/labels.csv", path))
    assert "contentUrl" not in next(node for node in document["distribution"] if node["name"] == "labels.csv")
    assert lacks["contentUrl"] == "address (contentUrl) of labels.csv is missing"


def test_licences_as_hubs_write_them() -> None:
    assert licence_address("apache-2.0") == "https://spdx.org/licenses/Apache-2.0.html"
    assert licence_address(" our own words ") == "our own words"
    assert licence_address("https://lab.eu/terms") == "https://lab.eu/terms"
