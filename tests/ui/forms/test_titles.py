"""The notice above a form that cannot be edited, and the label of its start button."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hpc_explorer.annotate.forms.form import Field, FieldGroup, Form, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.loading import LoadedForm
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.namespaces import HPC, RDFS, PrefixMap
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.forms.editor import READ_ONLY, notice, starting

TEXT = ValueKind(Widget.TEXT)
LABEL = Field(RDFS.label, "label", "", (TEXT,), Reason.DOMAIN)
ONE = NamedNode("http://example.org/one")
FORM = Form(None, (HPC.Cluster,), (FieldGroup("Names", (LABEL,)),))
CLUSTER = ResourceRef(HPC.Cluster, "Cluster", HPC.Cluster.value, "hpc:Cluster", "", "")
VIEW = FormView(FORM, "Lassen", {HPC.Cluster: CLUSTER}, ONE, {})
DRAFT = Draft(Path("draft"), ("a.ttl",), 1, None)


def test_it_is_said_why_nothing_can_be_typed_and_what_begins_it() -> None:
    assert notice(LoadedForm(VIEW, PrefixMap({}))) == ""
    closed = LoadedForm(replace(VIEW, read_only="another program has it open"), PrefixMap({}))
    assert notice(closed) == "Another program has it open."
    opened = replace(closed, can_start=True)
    assert (notice(opened), starting(opened)) == (READ_ONLY, "Start editing")
    drafted = replace(opened, draft=DRAFT)
    assert notice(drafted) == "There is a draft of these files in which 1 statement was edited and not saved."
    assert starting(drafted) == "Go on with the draft"
    later = replace(DRAFT, statements=1200, edited=datetime(2022, 11, 30, 12, tzinfo=UTC))
    assert "in which 1,200 statements were edited and not saved, last on " in notice(replace(opened, draft=later))
