"""Describing a resource: its form with names, the graph of an edit, and what a filled form, a removal or a copy changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.annotate.file_facts import file_facts
from hpc_explorer.annotate.forms.entries import entry_text
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.annotate.forms.values import Node
from hpc_explorer.annotate.minting import IriTemplate
from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.forms.annotating import (
    EDITS,
    change_for,
    classes_to_describe,
    file_described,
    form_for,
    form_like,
    like_it,
    link_candidates,
    minted,
    removal_of,
    unit_candidates,
)
from hpc_explorer.app.forms.linking import kept_templates, template_for, templates_file
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DamagedSettings, InvalidIri, UsageError, WrongEntry
from hpc_explorer.rdf.namespaces import HPC, PROV, QUDT, RDF, RDFS, UNIT, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from tests.helpers.forms import value_typed
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

PREFIXES = """
@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
"""

DATA = """
ex:d1 a hpc:Dataset ; hpc:name "Kernel times" ; hpc:id "10.5281/zenodo.77"^^xsd:anyURI ; hpc:project ex:p ; hpc:license "BSD" .
ex:d2 a hpc:Dataset ; hpc:name "Kernel-times (2)" ; hpc:wasDerivedFromDataset ex:d1 ; ex:parts ( ex:d1 "x" ) .
ex:p a hpc:Project ; hpc:name "XPlacer" .
ex:f a hpc:File ; hpc:name "kernels.csv" ; hpc:md5 "d41d8cd98f00b204e9800998ecf8427e" .
"""

MACHINES = """
ex:lassen a hpc:Cluster ; hpc:name "Lassen" ; hpc:memorySize [ a qudt:QuantityValue ; qudt:value 256 ; qudt:unit unit:GibiBYTE ] ;
    hpc:site "Livermore" .
ex:sierra a hpc:Cluster ; hpc:name "Sierra" .
"""


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path / "settings"))
    for name, content in (("data", DATA), ("machines", MACHINES)):
        (tmp_path / f"{name}.ttl").write_text(PREFIXES + content, encoding="utf-8")
    load_into(tmp_path / "w", [str(tmp_path / "data.ttl"), str(tmp_path / "machines.ttl")])
    session = session_of(tmp_path / "w", keep_workspace=True)
    yield session
    session.close()


def graph(session: Session, name: str) -> NamedNode:
    return next(source.graph for source in session.sources if source.name.endswith(f"{name}.ttl"))


def stated(session: Session, subject: NamedNode, predicate: NamedNode) -> list[str]:
    return [str(quad.object) for quad in session.store.match(subject, predicate)]


# --- the form


def test_a_form_names_all_that_it_shows(session: Session) -> None:
    view = form_for(session, ex("d1"))
    assert view.title == "Kernel times"
    assert view.read_only is None
    assert not view.is_new
    assert view.refs[ex("p")].label == "XPlacer"
    assert view.refs[HPC.Dataset].label == "Dataset"
    assert view.refs[HPC.Computer].label == "Computer", "a class that only the ontology knows"
    for field in view.form.fields:
        assert view.refs[field.predicate].label
        for kind in field.kinds:
            assert kind.cls is None or view.refs[kind.cls].label


def test_an_edit_goes_to_the_graph_that_states_the_resource(session: Session) -> None:
    assert form_for(session, ex("d1")).graph == graph(session, "data")
    assert form_for(session, ex("lassen")).graph == graph(session, "machines")
    assert form_for(session, None, [HPC.Cluster]).graph == graph(session, "machines"), "where others of its class are"
    assert form_for(session, None, [HPC.Person]).graph == graph(session, "data"), "the first source"
    assert set(form_for(session).graphs) == {graph(session, "data"), graph(session, "machines")}


def test_without_a_source_an_edit_has_a_graph_of_its_own() -> None:
    session = Session.new()
    view = form_for(session, None, [HPC.Dataset])
    assert view.graph == EDITS
    assert view.read_only == "edits are kept in a workspace: load the sources into one"
    session.close()


def test_where_statements_were_inferred_a_form_is_only_read(session: Session) -> None:
    infer(session)
    assert (
        form_for(session, ex("d1")).read_only
        == "statements that were inferred are shown: take them out before you edit"
    )


def test_a_shape_of_the_graph_makes_fields(tmp_path: Path) -> None:
    (tmp_path / "s.ttl").write_text(
        PREFIXES + "ex:Shape a sh:NodeShape ; sh:targetClass ex:Thing ; sh:property "
        '[ sh:path ex:colour ; sh:in ( "red" "green" ) ; sh:minCount 1 ; sh:name "colour" ] . ex:t a ex:Thing .',
        encoding="utf-8",
    )
    session = session_of(tmp_path / "s.ttl")
    field = form_for(session, ex("t")).form.field(ex("colour"))
    assert field is not None
    assert field.required
    assert field.kinds == (ValueKind(Widget.CHOICE, choices=(Literal("red"), Literal("green"))),)
    session.close()


def test_classes_in_use_come_before_the_usual_ones_and_values_are_no_choice(session: Session) -> None:
    choices = classes_to_describe(session)
    assert [(one.ref.label, str(one.instances), one.in_use) for one in choices[:5]] == [
        ("Dataset", "2", True),
        ("Cluster", "2", True),
        ("Project", "1", True),
        ("File", "1", True),
        ("AI model", "0", False),
    ]
    classes = {one.ref.resource for one in choices}
    assert HPC.GPU in classes
    assert classes.isdisjoint({QUDT.QuantityValue, HPC.KeyValue, RDFS.Class})
    assert next(one for one in choices if one.ref.resource == HPC.Dataset).description
    assert PROV.Entity not in classes or next(one for one in choices if one.ref.resource == PROV.Entity).ref.label


# --- changes


def test_a_changed_field_is_one_statement_out_and_one_in(session: Session) -> None:
    view = form_for(session, ex("d1"))
    change = change_for(session, view.form, {HPC.license: [Literal("MIT")]}, why="asked by the owner")
    data = graph(session, "data")
    assert change.removed == (Quad(ex("d1"), HPC.license, Literal("BSD"), data),)
    assert change.added == (Quad(ex("d1"), HPC.license, Literal("MIT"), data),)
    assert (change.words, change.why) == ("License of Kernel times", "asked by the owner")
    session.edit(change)
    assert stated(session, ex("d1"), HPC.license) == ['"MIT"']


def test_a_new_number_in_a_quantity_is_the_property_s_change(session: Session) -> None:
    form = form_for(session, ex("lassen")).form
    field = form.field(HPC.memorySize)
    assert field is not None
    (before,) = field.values
    change = change_for(session, form, {HPC.memorySize: [value_typed(field.kinds[0], "512 GiBy", before=before)]})
    assert [len(quads) for quads in (change.removed, change.added)] == [1, 1]
    assert change.words == "Memory size of Lassen"


def test_several_fields_and_nothing(session: Session) -> None:
    form = form_for(session, ex("d1")).form
    several = {HPC.license: [Literal("MIT")], HPC.version: [Literal("2")], HPC.name: [Literal("Times")]}
    assert change_for(session, form, several).words == "3 properties of Times"
    assert not change_for(session, form, {HPC.license: [Literal("BSD")]})


def test_something_new_gets_its_class_its_iri_and_its_words(session: Session) -> None:
    form = form_for(session, None, [HPC.Dataset]).form
    change = change_for(session, form, {HPC.name: [Literal("New one")]})
    subject = ex("d3")
    assert set(change.added) == {
        Quad(subject, RDF.type, HPC.Dataset, graph(session, "data")),
        Quad(subject, HPC.name, Literal("New one"), graph(session, "data")),
    }
    assert change.words == "Described New one"
    with pytest.raises(UsageError, match="needs a class"):
        change_for(session, form, {}, classes=())


def test_another_class_takes_those_above_the_old_one_with_it(session: Session) -> None:
    data = graph(session, "data")
    session.edit(change_for(session, form_for(session, ex("d1")).form, {}, classes=[HPC.CSVDataset]))
    assert stated(session, ex("d1"), RDF.type) == [str(HPC.CSVDataset)]
    form = form_for(session, ex("d1"), [HPC.AIModel]).form
    assert set(form.classes) == {HPC.CSVDataset, HPC.AIModel}
    assert [quad.object for quad in change_for(session, form, {}).added] == [HPC.AIModel]
    change = change_for(session, form, {}, classes=[HPC.CSVDataset])
    assert not change, "a class that was only tried is not stated"
    change = change_for(session, form_for(session, ex("d1")).form, {}, classes=[HPC.Benchmark])
    assert change.words == "Class of Kernel times"
    assert change.removed == (Quad(ex("d1"), RDF.type, HPC.CSVDataset, data),)


def test_a_value_that_its_field_does_not_allow_is_refused_and_one_that_was_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "s.ttl").write_text(
        PREFIXES
        + 'ex:Shape a sh:NodeShape ; sh:targetClass ex:Thing ; sh:property [ sh:path ex:code ; sh:pattern "^[A-Z]+$" ] .'
        'ex:t a ex:Thing ; ex:code "old" .',
        encoding="utf-8",
    )
    session = session_of(tmp_path / "s.ttl")
    form = form_for(session, ex("t")).form
    assert len(change_for(session, form, {ex("code"): [Literal("old"), Literal("NEW")]}).added) == 1
    with pytest.raises(WrongEntry, match="not a valid code"):
        change_for(session, form, {ex("code"): [Literal("old"), Literal("new")]})
    session.close()


def test_a_removal_tells_its_own_statements_from_the_links_to_it(session: Session) -> None:
    removal = removal_of(session, ex("d1"), why="twice")
    assert {quad.subject for quad in removal.own.removed} == {ex("d1")}
    assert len(removal.own.removed) == 5
    assert [quad.predicate for quad in removal.links] == [HPC.wasDerivedFromDataset]
    assert [ref.label for ref in removal.linking] == ["Kernel-times (2)"]
    assert removal.in_lists == 1
    assert removal.own.words == "Removed Kernel times"
    assert len(removal.with_links.removed) == 6
    session.edit(removal.with_links)
    assert not list(session.store.match(ex("d1")))
    assert stated(session, ex("d2"), HPC.wasDerivedFromDataset) == []


def test_a_removal_takes_the_nodes_of_values_along(session: Session) -> None:
    removal = removal_of(session, ex("lassen"))
    assert len(removal.own.removed) == 7
    assert sum(isinstance(quad.subject, BlankNode) for quad in removal.own.removed) == 3


def test_one_like_another_begins_with_its_values_but_not_with_its_identifiers(session: Session) -> None:
    view = form_like(session, ex("d1"))
    assert view.is_new
    assert view.form.classes == (HPC.Dataset,)
    begun = {field.predicate: field.values for field in view.form.fields if field.values}
    assert begun == {
        HPC.name: (Literal("Kernel times"),),
        HPC.project: (ex("p"),),
        HPC.license: (Literal("BSD"),),
    }
    change = change_for(session, view.form, {**begun, HPC.name: [Literal("Other times")]})
    assert {quad.subject for quad in change.added} == {ex("d3")}
    assert not change.removed


def test_a_quantity_is_copied_into_a_node_of_its_own(session: Session) -> None:
    view = form_like(session, ex("lassen"))
    field = view.form.field(HPC.memorySize)
    assert field is not None
    (value,) = field.values
    assert isinstance(value, Node)
    assert value.at is None
    session.edit(change_for(session, view.form, {HPC.memorySize: field.values}, subject=ex("other")))
    nodes = {quad.object for quad in session.store.match(None, HPC.memorySize)}
    assert len(nodes) == 2


# --- links, alike, IRIs, units


def labels(session: Session, cls: NamedNode, text: str) -> list[str]:
    return [ref.label for ref in link_candidates(session, ValueKind(Widget.LINK, cls=cls), text)]


def test_linked_resources_are_of_the_class_or_one_below_it(session: Session) -> None:
    assert labels(session, HPC.Computer, "la") == ["Lassen"]
    assert labels(session, HPC.Computer, "") == ["Lassen", "Sierra"]
    assert labels(session, HPC.Dataset, "kernel") == ["Kernel times", "Kernel-times (2)"]
    assert labels(session, HPC.Dataset, "lassen") == []
    assert labels(session, HPC.Dataset, "http://example.org/d1") == ["Kernel times"]
    assert [ref.label for ref in link_candidates(session, ValueKind(Widget.LINK), "sierra")] == ["Sierra"]


def test_the_members_of_a_large_class_are_found_by_the_index(tmp_path: Path) -> None:
    lines = "\n".join(
        f'ex:r{at} a ex:Run ; rdfs:label "run {at} of {"night" if at % 2 else "day"}" .' for at in range(1200)
    )
    (tmp_path / "runs.ttl").write_text(f"{PREFIXES}{lines}", encoding="utf-8")
    session = session_of(tmp_path / "runs.ttl")
    assert labels(session, ex("Run"), "run 1101") == ["run 1101 of night"]
    assert len(labels(session, ex("Run"), "night")) == 20
    assert len(labels(session, ex("Run"), "")) == 20
    session.close()


def test_there_is_one_like_it(session: Session) -> None:
    same, *_ = like_it(session, HPC.Dataset, "kernel  Times")
    assert (same.ref.label, same.why, same.certain) == ("Kernel times", "the same name", False)
    near = like_it(session, HPC.CSVDataset, "Kernel time")
    assert ("Kernel times", "nearly the same name") in [(one.ref.label, one.why) for one in near]
    assert like_it(session, HPC.Person, "Kernel times") == ()
    assert like_it(session, HPC.Dataset, "") == ()


@pytest.mark.parametrize("typed", ["10.5281/zenodo.77", "https://doi.org/10.5281/ZENODO.77", "doi:10.5281/zenodo.77"])
def test_the_same_identifier_is_the_same_thing_however_it_is_spelled(session: Session, typed: str) -> None:
    value = value_typed(ValueKind(Widget.IRI, XSD.anyURI), typed)
    (found,) = like_it(session, HPC.Dataset, "Quite another name", {HPC.id: [value]})
    assert (found.ref.label, found.why, found.certain) == ("Kernel times", "the same identifier", True)


def test_the_same_checksum_is_the_same_file(session: Session, tmp_path: Path) -> None:
    (tmp_path / "renamed.csv").write_bytes(b"")
    facts = file_facts(tmp_path / "renamed.csv")
    (found,) = like_it(session, HPC.File, facts.name, {HPC.md5: [Literal(facts.md5.upper())]})
    assert (found.ref.label, found.why) == ("kernels.csv", "the same MD5 checksum")


def test_a_file_is_described_as_a_resource_of_its_own(session: Session, tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_bytes(b"a,b\n1,2\n")
    iri, change = file_described(session, file_facts(tmp_path / "times.csv"))
    session.edit(change)
    form = form_for(session, iri).form
    shown = {field.predicate: entry_text(value) for field in form.fields for value in field.values}
    assert form.classes == (HPC.File,)
    assert (shown[HPC.name], shown[HPC.size], shown[HPC.term("format")]) == ("times.csv", "8 B", "CSV")


def _write_template(session: Session | None, cls: NamedNode, template: str) -> None:
    file = templates_file(session)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({cls.value: template}), encoding="utf-8")


def test_templates_of_the_workspace_stand_before_those_of_the_settings(session: Session) -> None:
    _write_template(None, HPC.Thing, "http://example.org/all/{name}")
    assert minted(session, HPC.GPU, "V100") == ex("all/v100")
    _write_template(session, HPC.Hardware, "http://example.org/hw/{number:3}")
    assert minted(session, HPC.GPU, "V100") == ex("hw/001")
    assert minted(session, HPC.Person, "Ada Lovelace") == ex("all/ada-lovelace")
    assert templates_file(session) != templates_file(None)
    templates_file(session).unlink()
    assert kept_templates(templates_file(session)) == {}
    assert minted(session, HPC.GPU, "V100") == ex("all/v100")


def test_an_iri_that_is_spoken_of_is_not_given_again(session: Session) -> None:
    _write_template(session, HPC.Dataset, "http://example.org/{name}")
    assert minted(session, HPC.Dataset, "D1") == ex("d1-2")


def test_nobody_s_identifier_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path / "settings"))
    (tmp_path / "p.ttl").write_text(
        f"{PREFIXES}<https://orcid.org/0000-0002-1825-0097> a hpc:Person .", encoding="utf-8"
    )
    session = session_of(tmp_path / "p.ttl")
    assert template_for(session, HPC.Person) == IriTemplate("urn:uuid:{uuid}")
    session.close()


@pytest.mark.parametrize("content", ["[]", '{"": 1}', "{", "\xff"])
def test_a_damaged_file_of_templates_is_said_to_be_damaged(session: Session, content: str) -> None:
    file = templates_file(None)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(DamagedSettings):
        minted(session, HPC.Dataset, "x")
    file.write_text('{"": "no template"}')
    with pytest.raises(InvalidIri):
        minted(session, HPC.Person, "x")


def test_units_that_a_property_has_come_first(session: Session) -> None:
    first, second, *_ = unit_candidates(session, predicate=HPC.memorySize)
    assert (first.symbol, first.ucum, first.iri) == ("GiB", "GiBy", UNIT.GibiBYTE)
    assert second.symbol == "B"
    assert unit_candidates(session, "TFLOP/s")[0].symbol == "Tflop/s"
