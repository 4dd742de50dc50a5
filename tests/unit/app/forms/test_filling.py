"""A form as somebody fills it in: text in, values and changes out, nothing lost on the way."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.annotate.forms.form import Field, FieldGroup, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.changes import summary_of
from hpc_explorer.app.forms.entry import Entry, entries_of_values
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.rdf.namespaces import HPC, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.small_form import FORM, LICENSE, SIZE, TEXT, TITLE, TUNABLE, YES, typed


def test_what_was_not_touched_is_no_change_whatever_its_spelling() -> None:
    filling = Filling(FORM)
    for field in FORM.fields:
        filling = filling.with_entries(field.predicate, entries_of_values(field))
    assert filling.changes() == ()
    assert filling.values()[TUNABLE.predicate] == (YES,)
    assert summary_of(filling.changes()) == "No changes"


def test_changes_are_said_in_words() -> None:
    (before,) = entries_of_values(LICENSE)
    filling = Filling(FORM).with_entries(LICENSE.predicate, [replace(before, text="BSD")])
    filling = typed(filling, SIZE, "1,024")
    assert summary_of(filling.changes()) == "2 changes: license: MIT → BSD · size: 1,024"
    assert filling.values() == {
        LICENSE.predicate: (Literal("BSD"),),
        SIZE.predicate: (Literal("1024", datatype=XSD.integer),),
    }
    assert summary_of(typed(Filling(FORM), LICENSE, "").changes()) == "1 change: license: without MIT"


def test_another_language_is_another_value() -> None:
    (before,) = entries_of_values(TITLE)
    filling = Filling(FORM).with_entries(TITLE.predicate, [replace(before, language="nl")])
    assert filling.values()[TITLE.predicate] == (Literal("Modell", language="nl"),)
    assert len(filling.changes()) == 1


def test_what_is_wrong_is_kept_as_it_is_typed() -> None:
    filling = typed(Filling(FORM), SIZE, "12", "many", "")
    (wrong,) = filling.wrongs()
    assert (wrong.field, wrong.number) == (SIZE, 1)
    assert filling.values()[SIZE.predicate] == (Literal("12", datatype=XSD.integer),)
    assert [change.words for change in filling.changes()] == ["size: 12, many"]


def test_only_what_is_linked_to_is_made() -> None:
    more = Field(HPC.project, "project", "", (ValueKind(Widget.LINK),), Reason.SHAPE)
    link = NewLink(NamedNode("http://example.org/new"), HPC.Project, "New")
    filling = Filling(FORM, more=(more,)).with_link(link)
    assert filling.linked() == ()
    assert typed(filling, more, "http://example.org/new").linked() == (link,)


def test_a_form_that_changed_meanwhile_keeps_what_is_typed() -> None:
    (before,) = entries_of_values(LICENSE)
    filling = Filling(FORM).with_entries(LICENSE.predicate, [replace(before, text="BSD"), Entry("GPL", TEXT)])
    elsewhere = replace(LICENSE, values=(Literal("Apache-2.0"),))
    form = replace(FORM, groups=(FieldGroup("Model", (elsewhere, SIZE)),))
    rebased = filling.rebased(form)
    assert {entry.text for entry in rebased.entries_of(elsewhere)} == {"BSD", "GPL"}
    assert rebased.values()[LICENSE.predicate] == (Literal("GPL"), Literal("BSD"))
