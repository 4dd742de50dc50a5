"""Fields for properties of the graph or the shipped ontologies that a form does not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.annotate.forms.form import Field, field_of
from hpc_explorer.app.forms.annotating import named_in_forms
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.ontology.schema import is_meta
from hpc_explorer.rdf.namespaces import OWL, RDFS
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits

# What any resource can have of the properties that schemas are written in.
_META_FOR_ALL = (RDFS.label, RDFS.comment, RDFS.seeAlso, OWL.sameAs, OWL.versionInfo)


@dataclass(frozen=True)
class PropertyChoice:
    """A property for which a field can be added.

    Args:
        description: what its ontology says it is; may be empty.
    """

    ref: ResourceRef
    description: str


def properties_to_add(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[PropertyChoice, ...]:
    """All properties that a resource can have, by name, without those of schemas."""
    schema = session.form_schema(limits=limits)
    known = [one for one in schema.properties if not is_meta(one)] + list(_META_FOR_ALL)
    refs = named_in_forms(session, known, limits=limits)
    known.sort(key=lambda one: (label_order(refs[one].label), one.value))
    return tuple(
        PropertyChoice(refs[one], schema.properties[one].comment if one in schema.properties else "") for one in known
    )


def fields_for(session: Session, predicates: Sequence[NamedNode], *, limits: Limits = NO_LIMITS) -> tuple[Field, ...]:
    """The fields of properties."""
    schema = session.form_schema(limits=limits)
    return tuple(field_of(session.store, schema, predicate, limits=limits) for predicate in predicates)
