"""The groups of a form, and which of its fields are in sight before anything is unfolded."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.annotate.forms.form import Field, FieldGroup, Form, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.arranging import (
    EMPTY_IN_SIGHT,
    EMPTY_OF_A_GROUP,
    NAMING,
    doubled_labels,
    groups_of,
    in_sight_at_first,
)
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode


def field(name: str, reason: Reason = Reason.DOMAIN) -> Field:
    return Field(NamedNode(f"http://example.org/{name}"), name, "", (ValueKind(Widget.TEXT),), reason)


LABEL = replace(field("label"), predicate=RDFS.label)


def filling(*groups: FieldGroup) -> Filling:
    return Filling(Form(NamedNode("http://example.org/one"), (), groups))


def test_names_stand_before_all_else_in_a_group_of_their_own() -> None:
    size = field("size")
    found = groups_of(filling(FieldGroup("Machine", (size, LABEL)), FieldGroup("Only names", ())))
    assert found == (FieldGroup(NAMING, (LABEL,)), FieldGroup("Machine", (size,)))


def test_a_short_form_is_in_sight_as_a_whole_and_what_is_read_only_by_its_values() -> None:
    valued = replace(field("valued"), values=(Literal("v"),))
    form = filling(FieldGroup("Machine", (valued, field("empty"))))
    assert in_sight_at_first(form, read_only=False) == {one.predicate for one in form.fields}
    assert in_sight_at_first(form, read_only=True) == {valued.predicate}


def test_of_a_long_form_values_required_fields_and_the_likeliest_are_in_sight() -> None:
    asked = [field(f"asked{number}", Reason.SHAPE) for number in range(3)]
    others = [field(f"other{number}") for number in range(2 * EMPTY_IN_SIGHT)]
    last, valued = replace(others[-1], minimum=1), replace(others[-2], values=(Literal("v"),))
    form = filling(FieldGroup("Machine", (LABEL, *others[:-2], valued, last, *asked)))
    found = in_sight_at_first(form, read_only=False)
    assert {last.predicate, valued.predicate, LABEL.predicate} <= found
    assert {one.predicate for one in asked} <= found
    assert len(found) == 3 + EMPTY_OF_A_GROUP


def test_names_of_several_properties_are_found() -> None:
    one, other = field("name"), replace(field("name"), predicate=NamedNode("http://example.org/other"))
    assert doubled_labels([one, other, field("size")]) == {"name"}
