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
