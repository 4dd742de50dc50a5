"""Every name of a resource is one to search for, in all languages; the unlabelled have the last part of the IRI."""

from __future__ import annotations

import pytest

from hpc_explorer.ontology.naming import label_entries
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

NAMES = """ex:a rdfs:label "one"@en, "eins"@de ; ex:p ex:b . ex:b ex:p 1 . ex:c ex:p 1 ; rdfs:label "three" ."""


@pytest.mark.parametrize("known", [False, True])
def test_each_name_in_each_language(known: bool) -> None:
    store = store_of(NAMES)
    schema = build_schema(store, LocalStore.in_memory(), used_classes=[], used_properties=[])
    subjects = [ex(name).value for name in "abc"] if known else None
    found = {(entry.iri, entry.text) for entry in label_entries(store, schema, subjects=subjects)}
    assert found == {
        (ex("a").value, "one"),
        (ex("a").value, "eins"),
        (ex("b").value, "b"),
        (ex("c").value, "three"),
    }
