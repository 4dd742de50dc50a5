"""What is typed into a form outlives the program, and a damaged document of it gives what sense there is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.forms.form import Field, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.changes import LinkClass
from hpc_explorer.app.forms.entry import entries_of_values
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.app.forms.filling_document import document_of, restored
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import NamedNode, Quad
from tests.helpers.graphs import ex
from tests.helpers.small_form import FORM, LICENSE, SIZE, typed


def test_the_document_brings_back_all_that_was_typed() -> None:
    (before,) = entries_of_values(LICENSE)
    more = Field(HPC.seeAlso, "see also", "", (ValueKind(Widget.LINK),), Reason.ADDED)
    filling = typed(Filling(FORM), SIZE, "many").with_field(more)
    filling = typed(filling, more, "http://example.org/new").with_entries(
        LICENSE.predicate, [replace(before, text="B")]
    )
    filling = filling.with_link(NewLink(NamedNode("http://example.org/new"), HPC.Project, "New"))
    document = json.loads(json.dumps(document_of(filling)))
    assert restored(Filling(FORM), document, [more]) == filling
    without = restored(Filling(FORM), document)
    assert without.field(more.predicate) is None
    assert without.entries_of(LICENSE) == filling.entries_of(LICENSE)


def whole_document() -> dict[str, Any]:
    (before,) = entries_of_values(LICENSE)
    filling = typed(Filling(FORM), SIZE, "12", "many").with_entries(LICENSE.predicate, [replace(before, text="B")])
    filling = filling.with_link(NewLink(ex("new"), HPC.Project, "New")).with_class(HPC.Dataset)
    said = Quad(ex("linked"), RDF.type, HPC.Cluster, ex("graph"))
    found: dict[str, Any] = json.loads(json.dumps(document_of(filling.with_link_class(LinkClass(said, "a cluster")))))
    return found


JUNK = st.sampled_from([None, 7, "no IRI", [], {}, ["x"], {"iri": 3}, [{"text": "t", "kind": {"widget": "none"}}]])


def damaged(document: Any, steps: list[int], junk: Any) -> Any:
    """A document in which one part, found by steps into it, is something else."""
    if not steps or not isinstance(document, (dict, list)) or not document:
        return junk
    keys = list(document) if isinstance(document, dict) else range(len(document))
    copy, key = document.copy(), keys[steps[0] % len(keys)]
    copy[key] = damaged(copy[key], steps[1:], junk)
    return copy


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5), JUNK)
def test_one_damaged_part_takes_no_other_with_it(steps: list[int], junk: Any) -> None:
    whole = whole_document()
    document = damaged(whole, steps, junk)
    filling = restored(Filling(FORM), document)
    for part in ("links", "classes_added", "link_classes"):
        if document[part] == whole[part]:
            assert document_of(filling)[part] == whole[part]
    for predicate, entries in whole["fields"].items():
        if isinstance(document["fields"], dict) and document["fields"].get(predicate) == entries:
            assert document_of(filling)["fields"][predicate] == entries
