"""A form with a field of each of a few kinds, and texts typed into it."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.annotate.forms.form import Field, FieldGroup, Form, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.entry import blank_entry
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.rdf.namespaces import HPC, RDF, XSD
from hpc_explorer.rdf.terms import Literal
from tests.helpers.graphs import ex

YES = Literal("1", datatype=XSD.boolean)
TEXT, WHOLE = ValueKind(Widget.TEXT, XSD.string), ValueKind(Widget.INTEGER, XSD.integer)

LICENSE = Field(HPC.license, "license", "", (TEXT,), Reason.SHAPE, values=(Literal("MIT"),))
SIZE = Field(HPC.fileSize, "size", "", (WHOLE,), Reason.SHAPE)
TUNABLE = Field(HPC.isTunable, "tunable", "", (ValueKind(Widget.BOOLEAN, XSD.boolean),), Reason.SHAPE, values=(YES,))
TITLE = Field(
    HPC.name, "name", "", (ValueKind(Widget.LANGUAGE_TEXT, RDF.langString),), Reason.SHAPE,
    values=(Literal("Modell", language="de"),),
)  # fmt: skip
FORM = Form(ex("one"), (HPC.AIModel,), (FieldGroup("Model", (LICENSE, SIZE, TUNABLE, TITLE)),))


def typed(filling: Filling, field: Field, *texts: str) -> Filling:
    """A form with these texts in one of its fields."""
    return filling.with_entries(field.predicate, [replace(blank_entry(field), text=text) for text in texts])
