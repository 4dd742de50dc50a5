"""The paper's Listings 3 and 4, filled in by hand as a window does it: the record that is exported is the listing.

Typed are only texts; the kinds, the link to what is there, the IRI and the graph come from the operations.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.annotate.forms.values import Value
from hpc_explorer.app.export.exporting import Extent, export_graph
from hpc_explorer.app.forms.annotating import (
    change_for,
    classes_to_describe,
    form_for,
    link_candidates,
    minted,
)
from hpc_explorer.app.forms.linking import templates_file
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import HPC, XSD
from hpc_explorer.rdf.syntax.reading import read_bytes, read_source
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, Literal, NamedNode, Quad
from tests.helpers.forms import value_typed
from tests.helpers.listings import EX, LISTING_3, LISTING_4
from tests.helpers.sessions import session_of

# What the graph knows before: some of what the listings link to.
KNOWN = """
@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix ex: <http://example.org/> .
<http://example.org/project/PR000002> a hpc:Project ; hpc:name "DataRaceBench" .
<http://example.org/project/PR000001> a hpc:Project ; hpc:name "XPlacer" .
<http://example.org/cluster/lassen> a hpc:Cluster ; hpc:name "Lassen" .
<http://example.org/person/PI000013> a hpc:Person ; hpc:name "The contributor" .
"""


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path / "settings"))
    (tmp_path / "known.ttl").write_text(KNOWN, encoding="utf-8")
    load_into(tmp_path / "w", [str(tmp_path / "known.ttl")])
    return session_of(tmp_path / "w", keep_workspace=True)


def texts(stated: object) -> list[str]:
    """What a person types for a value of a listing."""
    values = stated if isinstance(stated, list) else [stated]
    return [
        value["@id"] if isinstance(value, dict) else {True: "yes", False: "no"}.get(value, value) for value in values
    ]


def typed(session: Session, field: Field, text: str, *, address_as_text: bool) -> Value:
    kind = field.kinds[0]
    if kind.widget is Widget.LINK:
        # Known things are chosen by their name, others are typed by their IRI.
        known = {ref.iri: ref for ref in link_candidates(session, kind, "")}
        if text in known:
            (found, *_) = link_candidates(session, kind, known[text].label[:4].lower())
            assert isinstance(found.resource, NamedNode)
            return found.resource
    if address_as_text:
        kind = next((kind for kind in field.kinds if kind.words == "IRI as text"), kind)
    return value_typed(kind, text, field=field)


def describe(session: Session, listing: dict[str, object], *, address_as_text: bool = True) -> NamedNode:
    choice = next(one for one in classes_to_describe(session) if one.ref.curie == listing["@type"])
    cls = choice.ref.resource
    assert isinstance(cls, NamedNode)
    view = form_for(session, None, [cls])
    assert view.read_only is None
    values = {}
    for name, stated in listing.items():
        if name.startswith("hpc:"):
            field = view.form.field(HPC.term(name.removeprefix("hpc:")))
            assert field is not None, name
            values[field.predicate] = tuple(
                typed(session, field, text, address_as_text=address_as_text) for text in texts(stated)
            )
    iri = NamedNode(str(listing["@id"]))
    change = change_for(session, view.form, values, subject=iri, why="as the paper has it")
    assert change.words == f"Described {listing['hpc:name']}"
    assert change.why == "as the paper has it"
    session.edit(change)
    return iri


def canonical(quads: object) -> Dataset:
    dataset = Dataset(quads)  # type: ignore[arg-type]
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def of_listing(listing: dict[str, object]) -> list[Quad]:
    document = json.dumps({"@context": {"hpc": HPC}, **listing}).encode()
    return list(read_bytes(document, name="listing.jsonld", base=EX).quads())


@pytest.mark.parametrize(("listing", "triples"), [(LISTING_3, 11), (LISTING_4, 24)], ids=["Listing 3", "Listing 4"])
def test_a_listing_filled_in_and_exported_is_the_listing(
    session: Session, tmp_path: Path, listing: dict[str, object], triples: int
) -> None:
    subject = describe(session, listing)
    export_graph(session, tmp_path / "record.jsonld", extent=Extent(resources=(subject,)))
    written = list(read_source(tmp_path / "record.jsonld").quads())
    assert len(written) == triples
    assert canonical(written) == canonical(of_listing(listing))
    session.close()


def test_without_a_choice_an_address_is_what_table_2_says(session: Session) -> None:
    subject = describe(session, LISTING_3, address_as_text=False)
    (address,) = session.store.match(subject, HPC.url)
    assert address.object == Literal(str(LISTING_3["hpc:url"]), datatype=XSD.anyURI)
    session.close()


def test_a_graph_that_writes_addresses_as_texts_goes_on_so(session: Session) -> None:
    describe(session, LISTING_3)
    field = form_for(session, None, [HPC.AIModel]).form.field(HPC.url)
    assert field is not None
    assert field.kinds == (ValueKind(Widget.IRI, XSD.string), ValueKind(Widget.IRI, XSD.anyURI))
    session.close()


def test_the_next_iri_follows_those_of_the_class_or_the_template_chosen(session: Session) -> None:
    describe(session, LISTING_3)
    assert minted(session, HPC.Dataset, "Whatever") == NamedNode(f"{EX}dataset/DA000006")
    file = templates_file(session)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({HPC.Data.value: f"{EX}data/{{name}}"}), encoding="utf-8")
    assert minted(session, HPC.Dataset, "The Other One") == NamedNode(f"{EX}data/the-other-one")
    file.write_text(json.dumps({"": f"{EX}{{class}}/{{name}}"}), encoding="utf-8")
    assert minted(session, HPC.GPU, "V100") == NamedNode(f"{EX}GPU/v100")
    assert minted(session, HPC.Project, "New") == NamedNode(f"{EX}project/PR000003")
    session.close()
