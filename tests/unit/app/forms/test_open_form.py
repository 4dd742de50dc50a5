"""An open form without Qt: its title, the classes that it is loaded with, and the filling that it starts with."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.annotate.forms.form import Field, FieldGroup, Form, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.loading import LoadedForm
from hpc_explorer.app.forms.open_form import (
    FormSubject,
    OpenForm,
    classes_to_load,
    filling_for,
    form_title,
    subject_of,
    typed_document,
)
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.namespaces import HPC, RDFS, PrefixMap
from hpc_explorer.rdf.terms import NamedNode

TEXT = ValueKind(Widget.TEXT)
LABEL = Field(RDFS.label, "label", "", (TEXT,), Reason.DOMAIN)
ONE = NamedNode("http://example.org/one")
FORM = Form(None, (HPC.Cluster,), (FieldGroup("Names", (LABEL,)),))
CLUSTER = ResourceRef(HPC.Cluster, "Cluster", HPC.Cluster.value, "hpc:Cluster", "", "")
VIEW = FormView(FORM, "Lassen", {HPC.Cluster: CLUSTER}, ONE, {})
FILLING = Filling(FORM, is_new=True)
LOADED = LoadedForm(VIEW, PrefixMap({}))
NEW = FormSubject(ONE, (HPC.Cluster,), "Sierra")


def test_a_new_resource_has_the_title_that_is_typed_or_that_of_its_class() -> None:
    new = FormSubject(ONE, (HPC.Cluster,))
    assert form_title(new, VIEW, FILLING) == "New Cluster"
    assert form_title(new, replace(VIEW, refs={}), None) == "New resource"
    typed = FILLING.with_entries(RDFS.label, [Entry("  ", TEXT, ""), Entry("Sierra", TEXT, "")])
    assert form_title(new, VIEW, typed) == "Sierra"
    assert form_title(FormSubject(ONE), VIEW, typed) == "Lassen"


def test_a_new_form_starts_with_its_name_and_classes() -> None:
    filling = filling_for(NEW, LOADED, None, None)
    assert [entry.text for entry in filling.entries[RDFS.label]] == ["Sierra"]
    assert (filling.is_new, filling.classes_added) == (True, (HPC.Cluster,))
    assert filling_for(FormSubject(ONE), LOADED, None, None).entries == {}


def test_stored_entries_and_those_of_a_reload_are_kept() -> None:
    typed = filling_for(NEW, LOADED, None, None).with_entries(RDFS.label, [Entry("Summit", TEXT, "")])
    document = typed_document(NEW, "Summit", typed, "")
    assert subject_of(document) == NEW
    for filling in (filling_for(NEW, LOADED, typed, None), filling_for(NEW, LOADED, None, document)):
        assert [entry.text for entry in filling.entries[RDFS.label]] == ["Summit"]


def test_a_form_is_loaded_with_the_classes_that_were_typed() -> None:
    subject = FormSubject(ONE)
    assert classes_to_load(subject, None, None) == ((), ())
    assert classes_to_load(NEW, None, None) == ((HPC.Cluster,), ())
    stored = {"classes_added": [HPC.Dataset.value], "classes_removed": [HPC.File.value]}
    assert classes_to_load(subject, None, stored) == ((HPC.Dataset,), (HPC.File,))
    filling = replace(FILLING, classes_added=(HPC.GPU,))
    assert classes_to_load(subject, filling, stored) == ((HPC.GPU,), ())


def opened(subject: FormSubject, loaded: LoadedForm = LOADED) -> OpenForm:
    form = OpenForm(lambda cls: cls.value)
    assert form.turn_to(subject)
    assert form.take(loaded, None), "shown for the first time"
    return form


def named(form: OpenForm, name: str) -> None:
    assert form.filling is not None
    form.filling = form.filling.with_entries(RDFS.label, [Entry(name, TEXT, "")])


def test_a_form_that_is_loaded_again_keeps_what_is_typed() -> None:
    form = opened(FormSubject(ONE))
    assert (form.is_typed, form.document("why"), form.summary()) == (False, None, "No changes")
    named(form, "Sierra")
    assert not form.turn_to(FormSubject(ONE))
    assert not form.take(LOADED, None), "the fields are as they were"
    assert form.take(replace(LOADED, view=replace(VIEW, title="Other")), None)
    document = form.document("a reason")
    assert form.is_typed
    assert document is not None
    assert (document["title"], document["why"]) == ("Other", "a reason")
    assert form.summary() == "1 change: label: Sierra"
    assert form.turn_to(NEW)
    assert (form.filling, form.can_type, form.title) == (None, False, "")


def test_a_form_that_cannot_be_edited_has_no_summary() -> None:
    form = opened(FormSubject(ONE), replace(LOADED, view=replace(VIEW, read_only="a reason")))
    assert (form.can_type, form.summary()) == (False, "")


def test_a_new_resource_is_typed_from_the_start_and_closed_when_it_is_saved() -> None:
    form = opened(NEW)
    assert form.is_typed
    form.change_classes(replace(FILLING, classes_added=(HPC.GPU,)))
    assert form.subject == replace(NEW, classes=(HPC.GPU,))
    form.is_saving = True
    assert not form.is_typed, "it cannot be saved twice"
    assert not form.saved(FormSubject(HPC.other)), "another form was opened meanwhile"
    assert form.saved(form.subject)
    assert (form.subject, form.filling, form.is_saving) == (None, None, False)


def test_a_saved_form_stays_open_without_entries() -> None:
    form = opened(FormSubject(ONE))
    named(form, "Sierra")
    assert form.saved(FormSubject(ONE))
    assert form.filling is not None
    assert (form.subject, form.filling.entries) == (FormSubject(ONE), {})
