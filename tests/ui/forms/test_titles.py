"""What is said above a form: its title, why nothing can be typed into it, and what the button does about that."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hpc_explorer.annotate.forms.form import Field, FieldGroup, Form, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.loading import LoadedForm
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.namespaces import HPC, RDFS, PrefixMap
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.forms.subject import FormSubject
from hpc_explorer.ui.forms.titles import READ_ONLY, form_title, notice, starting

TEXT = ValueKind(Widget.TEXT)
LABEL = Field(RDFS.label, "label", "", (TEXT,), Reason.DOMAIN)
ONE = NamedNode("http://example.org/one")
FORM = Form(None, (HPC.Cluster,), (FieldGroup("Names", (LABEL,)),))
CLUSTER = ResourceRef(HPC.Cluster, "Cluster", HPC.Cluster.value, "hpc:Cluster", "", "")
VIEW = FormView(FORM, "Lassen", {HPC.Cluster: CLUSTER}, ONE, {})
FILLING = Filling(FORM, is_new=True)
DRAFT = Draft(Path("draft"), ("a.ttl",), 1, None)


def test_something_new_is_called_as_it_is_typed_and_till_then_by_its_class() -> None:
    new = FormSubject(ONE, (HPC.Cluster,))
    assert form_title(new, VIEW, FILLING) == "New Cluster"
    assert form_title(new, replace(VIEW, refs={}), None) == "New resource"
    typed = FILLING.with_entries(RDFS.label, [Entry("  ", TEXT, ""), Entry("Sierra", TEXT, "")])
    assert form_title(new, VIEW, typed) == "Sierra"
    assert form_title(FormSubject(ONE), VIEW, typed) == "Lassen"


def test_it_is_said_why_nothing_can_be_typed_and_what_begins_it() -> None:
    assert notice(LoadedForm(VIEW, PrefixMap({}))) == ""
    closed = LoadedForm(replace(VIEW, read_only="another program has it open"), PrefixMap({}))
    assert notice(closed) == "Another program has it open."
    opened = replace(closed, can_start=True)
    assert (notice(opened), starting(opened)) == (READ_ONLY, "Start editing")
    drafted = replace(opened, draft=DRAFT)
    assert notice(drafted) == "There is a draft of these files in which 1 statement was edited and not pushed."
    assert starting(drafted) == "Go on with the draft"
    later = replace(DRAFT, statements=1200, edited=datetime(2022, 11, 30, 12, tzinfo=UTC))
    assert "in which 1,200 statements were edited and not pushed, last on " in notice(replace(opened, draft=later))
