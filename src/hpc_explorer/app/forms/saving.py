"""Saves a form as one edit, which can be undone in one step; and tells what is removed with a resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hpc_explorer.annotate.forms.values import Value
from hpc_explorer.annotate.validation.findings import Finding
from hpc_explorer.app.checks.validating import check_resource
from hpc_explorer.app.forms.annotating import change_for, file_described, form_for, named_in_forms, removal_of
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.app.forms.views import FormView, Removal
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet


def save_form(
    session: Session,
    view: FormView,
    filling: Filling,
    *,
    subject: NamedNode | None = None,
    why: str = "",
    limits: Limits = NO_LIMITS,
) -> EditStep | None:
    """Save the entries of a form and the resources it creates; None if there is nothing to save.

    Args:
        view: the form as it was asked for.
        filling: what is typed; nothing of it is wrong.
        subject: the IRI of something new.
        why: the user's reason, for the journal.

    Raises:
        WrongEntry, UsageError: as `change_for`.
        Unsupported, OutputNotWritable, StoreError: as `Session.edit`.
    """
    return EditStep.made(session, change_typed(session, view, filling, subject=subject, why=why, limits=limits))


def change_typed(
    session: Session,
    view: FormView,
    filling: Filling,
    *,
    subject: NamedNode | None = None,
    why: str = "",
    limits: Limits = NO_LIMITS,
) -> ChangeSet:
    """The change that `save_form` would make, without entries that cannot be read.

    Raises:
        WrongEntry, UsageError: as `change_for`.
    """
    values: dict[NamedNode, Sequence[Value]] = dict(filling.values(session.prefixes))
    form = replace(filling.form, groups=filling.groups)
    change = change_for(
        session,
        form,
        values,
        classes=filling.classes,
        subject=subject,
        graph=view.graph,
        why=why,
        limits=limits,
    )
    with_classes = filling.classes_of_links(session.prefixes)
    made = [quad for link in filling.linked() for quad in _quads_of(session, link, view.graph, limits)]
    words = change.words if change or not with_classes else with_classes[0].words
    added = (*change.added, *(one.statement for one in with_classes), *made)
    return replace(change, added=tuple(dict.fromkeys(added)), words=words)


def check_typed(
    session: Session, subject: Resource, view: FormView, filling: Filling | None, *, limits: Limits = NO_LIMITS
) -> tuple[Finding, ...]:
    """The findings for a resource as it would be after saving its form.

    Args:
        filling: what is typed; None: nothing is, and the resource is checked as it is.
    """
    change = None
    if filling is not None:
        iri = subject if filling.is_new and isinstance(subject, NamedNode) else None
        change = change_typed(session, view, filling, subject=iri, limits=limits)
    return check_resource(session, subject, change=change, limits=limits)


def _quads_of(session: Session, link: NewLink, graph: NamedNode, limits: Limits) -> tuple[Quad, ...]:
    """The statements of a new resource: its class, its name, and the facts of its file."""
    if link.file is not None:
        return file_described(session, link.file, link.cls, iri=link.iri, graph=graph, limits=limits)[1].added
    form = form_for(session, None, [link.cls], limits=limits).form
    names = [one.predicate for one in form.fields if one.predicate in LABEL_PREDICATES]
    name = min(names, key=LABEL_PREDICATES.index, default=RDFS.label)
    return (
        Quad(link.iri, RDF.type, link.cls, graph),
        Quad(link.iri, name, Literal(link.name), graph),
    )


@dataclass(frozen=True)
class AskedRemoval:
    """What is removed with a resource, with the names to describe it.

    Args:
        ref: how the resource is named.
        removal: what goes.
        properties: the names of the properties that link to it.
        is_typed: whether something is typed into its form that is not saved.
    """

    ref: ResourceRef
    removal: Removal
    properties: Mapping[NamedNode, str]
    is_typed: bool = False


def asked_removal(
    session: Session, resource: Resource, is_typed: bool = False, *, limits: Limits = NO_LIMITS
) -> AskedRemoval:
    """What is removed with a resource.

    Args:
        is_typed: whether something is typed into its form that is not saved.

    Raises:
        UnknownResource: the graph says nothing of it.
    """
    removal = removal_of(session, resource, limits=limits)
    predicates = dict.fromkeys(quad.predicate for quad in removal.links)
    refs = named_in_forms(session, [resource, *predicates], limits=limits)
    return AskedRemoval(refs[resource], removal, {one: refs[one].label for one in predicates}, is_typed)
