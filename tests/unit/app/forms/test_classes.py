"""The classes of a resource in its form: what comes and goes with them, and that nothing is lost on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.forms.form import OTHER, Form, Reason
from hpc_explorer.app.checks.validating import check_resource
from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.forms.annotating import change_for, form_for, form_like
from hpc_explorer.app.forms.changes import LinkClass, summary_of
from hpc_explorer.app.forms.entry import Entry, blank_entry
from hpc_explorer.app.forms.filling import Filling, filled_like
from hpc_explorer.app.forms.filling_document import document_of, restored
from hpc_explorer.app.forms.saving import change_typed, save_form
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.namespaces import HPC, OWL, RDF
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad
from tests.helpers.examples import examples
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

DATA = """
@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
ex:d a hpc:Dataset , hpc:Artifact , owl:NamedIndividual , [ a owl:Restriction ] ; hpc:name "Times" ;
    hpc:project ex:p ; hpc:license "BSD" .
ex:c a hpc:Cluster ; hpc:name "Lassen" ; hpc:computeNodeCount "684" .
ex:p hpc:name "XPlacer" .
"""

D, C, P = ex("d"), ex("c"), ex("p")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """One that is only read."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("classes")
        patch.setenv("HPC_EXPLORER_CONFIG", str(folder / "settings"))
        session = opened(folder)
        yield session
        session.close()


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """One that is edited."""
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path / "settings"))
    session = opened(tmp_path)
    yield session
    session.close()


def opened(folder: Path) -> Session:
    (folder / "data.ttl").write_text(DATA, encoding="utf-8")
    load_into(folder / "w", [str(folder / "data.ttl")])
    return session_of(folder / "w", keep_workspace=True)


def label(cls: NamedNode) -> str:
    return cls.value.rsplit("#")[-1]


def types(session: Session, subject: NamedNode) -> set[NamedNode]:
    return {quad.object for quad in session.store.match(subject, RDF.type) if isinstance(quad.object, NamedNode)}


def test_a_form_tells_what_is_stated_from_what_it_is_for(session: Session) -> None:
    form = form_for(session, D).form
    assert form.classes[0] == HPC.Dataset
    assert form.stated == form.types
    assert set(form.stated) == {HPC.Dataset, HPC.Artifact, OWL.NamedIndividual}
    other = form_for(session, D, [HPC.Cluster], without=[HPC.Dataset]).form
    assert other.stated == form.stated
    assert set(other.types) == {HPC.Cluster, HPC.Artifact, OWL.NamedIndividual}
    assert HPC.Cluster in other.classes
    new = form_for(session, None, [HPC.Dataset]).form
    assert (new.types, new.stated) == ((HPC.Dataset,), ())


def test_the_fields_of_a_class_come_and_go_with_it_and_values_stay(session: Session) -> None:
    form = form_for(session, C).form
    assert form.field(HPC.license) is None
    both = form_for(session, C, [HPC.Dataset]).form
    assert both.field(HPC.license) is not None
    assert {field.predicate for field in form.fields} <= {field.predicate for field in both.fields}
    bare = form_for(session, C, without=[HPC.Cluster]).form
    assert bare.classes == ()
    assert {field.predicate: field.values for field in bare.fields} == {
        field.predicate: field.values for field in form.fields if field.values
    }
    (group,) = bare.groups
    assert group.label == OTHER
    assert {field.reason for field in group.fields} == {Reason.VALUE}


def test_exactly_the_class_that_goes_is_taken_out_and_what_has_no_name_stays(session: Session) -> None:
    form = form_for(session, D).form
    gone = change_for(session, form, {}, classes=[cls for cls in form.stated if cls != HPC.Dataset])
    assert [(quad.predicate, quad.object) for quad in gone.removed] == [(RDF.type, HPC.Dataset)]
    assert not gone.added
    bare = change_for(session, form, {}, classes=())
    assert {quad.object for quad in bare.removed} == set(form.stated)
    assert not any(isinstance(quad.object, BlankNode) for quad in bare.removed)
    assert bare.words == "Class of Times"


CLASSES = [HPC.Dataset, HPC.Artifact, OWL.NamedIndividual, HPC.Cluster, HPC.AIModel, HPC.File]


@examples(25)
@given(steps=st.lists(st.tuples(st.booleans(), st.sampled_from(CLASSES)), max_size=8))
def test_the_change_is_the_difference_whatever_came_and_went(
    session: Session, steps: list[tuple[bool, NamedNode]]
) -> None:
    view = form_for(session, D)
    filling, wanted = Filling(view.form), set(view.form.stated)
    for adds, cls in steps:
        filling = filling.with_class(cls) if adds else filling.without_class(cls)
        wanted = wanted | {cls} if adds else wanted - {cls}
    assert set(filling.classes) == wanted
    shown = form_for(session, D, filling.classes_added, without=filling.classes_removed)
    filling = filling.rebased(shown.form)
    assert set(shown.form.types) == wanted
    change = change_typed(session, shown, filling)
    assert {quad.object for quad in change.added} == wanted - set(view.form.stated)
    assert {quad.object for quad in change.removed} == set(view.form.stated) - wanted
    assert bool(change) == filling.is_changed() == bool(filling.class_changes(label))
    kept = restored(Filling(shown.form), json.loads(json.dumps(document_of(filling))))
    assert set(kept.classes) == wanted
    back = filling
    for cls in CLASSES:
        back = back.with_class(cls) if cls in view.form.stated else back.without_class(cls)
    assert not back.is_changed()
    assert not change_typed(session, shown, back)


def test_what_is_typed_for_a_class_that_goes_stays_among_the_other_properties(session: Session) -> None:
    form = form_for(session, C, [HPC.Dataset]).form
    field = form.field(HPC.license)
    assert field is not None
    filling = Filling(form).with_class(HPC.Dataset)
    filling = filling.with_entries(field.predicate, [blank_entry(field)])
    assert filling.rebased(form_for(session, C).form).field(field.predicate) is None, "nothing is typed into it"
    (blank,) = filling.entries_of(field)
    typed = filling.with_entries(field.predicate, [Entry("MIT", blank.kind)])
    view = form_for(session, C)
    left = typed.without_class(HPC.Dataset).rebased(view.form)
    moved = left.field(field.predicate)
    assert moved is not None
    assert (moved.reason, moved.required) == (Reason.ADDED, False)
    assert left.groups[-1].label == OTHER
    assert moved in left.groups[-1].fields
    assert summary_of((*left.class_changes(label), *left.changes())) == f"1 change: {field.label}: MIT"
    again = left.with_class(HPC.Dataset).rebased(form)
    assert again.entries == typed.entries
    assert not again.more
    assert {quad.predicate for quad in change_typed(session, view, left).added} == {field.predicate}


def test_classes_are_said_in_words_and_those_of_something_new_are_no_change(session: Session) -> None:
    filling = Filling(form_for(session, D).form).with_class(HPC.Cluster).without_class(HPC.Dataset)
    assert summary_of(filling.class_changes(label)) == "2 changes: class Cluster added · class Dataset removed"
    new = Filling(form_for(session, None, [HPC.Dataset]).form, is_new=True, classes_added=(HPC.Dataset,))
    assert new.class_changes(label) == ()
    like = filled_like(form_like(session, D).form)
    assert set(like.classes) == {HPC.Dataset, HPC.Artifact, OWL.NamedIndividual}
    with pytest.raises(UsageError, match="needs a class"):
        change_typed(session, form_for(session, None, [HPC.Dataset]), new.without_class(HPC.Dataset), subject=ex("n"))


def test_classes_are_saved_with_the_values_as_one_edit_that_is_taken_back_as_one(edited: Session) -> None:
    view = form_for(edited, C)
    before = set(edited.store.match())
    name = view.form.field(HPC.name)
    assert name is not None
    (entry,) = Filling(view.form).entries_of(name)
    filling = Filling(view.form).with_class(HPC.Dataset).without_class(HPC.Cluster)
    filling = filling.with_entries(name.predicate, [Entry("Sierra", entry.kind, entry.language, entry.before)])
    step = save_form(edited, view, filling)
    assert step is not None
    assert types(edited, C) == {HPC.Dataset}
    assert step.words == "2 properties of Sierra"
    step.undo()
    assert set(edited.store.match()) == before
    step.redo()
    assert types(edited, C) == {HPC.Dataset}


def test_what_others_made_of_the_classes_meanwhile_stays(edited: Session) -> None:
    view = form_for(edited, C)
    filling = Filling(view.form).with_class(HPC.Dataset)
    edited.edit(change_for(edited, view.form, {}, classes=[HPC.Cluster, HPC.Artifact]))
    save_form(edited, view, filling)
    assert types(edited, C) == {HPC.Cluster, HPC.Artifact, HPC.Dataset}
    now = form_for(edited, C).form
    assert not filling.rebased(now).is_changed(), "the class is stated by now"


def test_findings_are_those_of_the_classes_as_they_will_be(session: Session) -> None:
    view = form_for(session, C)
    before = check_resource(session, C)
    filling = Filling(view.form).without_class(HPC.Cluster)
    after = check_resource(session, C, change=change_typed(session, view, filling))
    assert {one.message for one in before} - {one.message for one in after}


def test_what_is_linked_to_gets_a_class_with_the_form_while_it_is_linked_to(session: Session) -> None:
    view = form_for(session, D)
    finding = next(one for one in check_resource(session, D) if one.field == HPC.project)
    (fix,) = finding.fixes
    (statement,) = fix.change.added
    assert (statement.subject, statement.object) == (P, HPC.Project)
    filling = Filling(view.form).with_link_class(LinkClass(statement, fix.words))
    filling = restored(Filling(view.form), json.loads(json.dumps(document_of(filling))))
    assert summary_of(filling.class_changes(label)) == "1 change: Say that p is a Project"
    change = change_typed(session, view, filling)
    assert (change.added, change.words) == ((statement,), fix.words)
    assert finding.message not in {one.message for one in check_resource(session, D, change=change)}
    project = view.form.field(HPC.project)
    assert project is not None
    unlinked = filling.with_entries(HPC.project, [blank_entry(project)])
    assert not change_typed(session, view, unlinked).added
    assert not filling.without_link_class(filling.link_classes[0]).is_changed()


def test_inferred_classes_are_told_apart_from_those_stated(edited: Session) -> None:
    infer(edited)
    view = form_for(edited, D)
    assert view.read_only is not None
    assert set(view.form.stated) == {HPC.Dataset, HPC.Artifact, OWL.NamedIndividual}
    assert view.inferred
    assert set(view.inferred).isdisjoint(view.form.stated)
    assert all(cls in view.refs for cls in view.inferred)


def test_a_blank_node_keeps_its_name_in_the_document() -> None:
    statement = Quad(BlankNode("b7"), RDF.type, HPC.Project, ex("g"))
    form = Filling(Form(ex("x"), (), ()))
    kept = form.with_link_class(LinkClass(statement, "Say so"))
    assert restored(form, json.loads(json.dumps(document_of(kept)))).link_classes == kept.link_classes
