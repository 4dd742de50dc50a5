"""Loads a form with what is needed to fill it in, and the form of a resource like another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.app.forms import annotating
from hpc_explorer.app.forms.fields import fields_for
from hpc_explorer.app.forms.filling import Filling, filled_like
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.app.journal import editing
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class LoadedForm:
    """A form with what is needed to fill it in.

    Args:
        prefixes: those that a prefixed name may use.
        more: the fields of properties that the form has none for.
        draft: one of the same files with edits that were not pushed; None where there is none, or none is needed.
        can_start: whether one step makes what is open editable.
    """

    view: FormView
    prefixes: PrefixMap
    more: tuple[Field, ...] = ()
    draft: editing.Draft | None = None
    can_start: bool = False


def loaded_form(
    session: Session,
    subject: Resource | None,
    classes: Sequence[NamedNode],
    without: Sequence[NamedNode],
    more: Sequence[NamedNode],
    names: Sequence[str],
    *,
    limits: Limits = NO_LIMITS,
) -> LoadedForm:
    """The form of a resource, or of a new member of some classes.

    Args:
        subject: the resource; None: a new one.
        classes: those of the new member, or those that the resource is to have besides its own.
        without: its own that it is to have no longer.
        more: properties that are to have a field in any case.
        names: what is open, by the names it was opened by; drafts are looked for by them.

    Raises:
        UnknownResource: the graph says nothing of the subject.
    """
    view = annotating.form_for(session, subject, classes, without=without, limits=limits)
    missing = [one for one in more if view.form.field(one) is None]
    fields = fields_for(session, missing, limits=limits)
    closed = session.workspace is None
    can_start = view.read_only is not None and closed and editing.why_not_to_start(session) is None
    drafts = [one for one in editing.drafts_of(names) if not one.in_use] if can_start else []
    return LoadedForm(view, session.prefixes, fields, drafts[0] if drafts else None, can_start)


@dataclass(frozen=True)
class LikeIt:
    """A new resource that begins with the values of another.

    Args:
        title: what the other is called.
        iri: the one that the new one gets.
        classes: its classes.
        filling: its form, with the values of the other typed into it.
        refs: how the resources that it links to are named.
    """

    title: str
    iri: NamedNode
    classes: tuple[NamedNode, ...]
    filling: Filling
    refs: Mapping[Resource, ResourceRef]


def one_like(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> LikeIt:
    """A new resource like another, with a free IRI and no name.

    Raises:
        UnknownResource: the graph says nothing of the resource.
        UsageError: it has no class.
    """
    like = annotating.form_like(session, resource, limits=limits)
    title = annotating.named_in_forms(session, [resource], limits=limits)[resource].label
    if not like.form.classes:
        raise UsageError("it has no class that something new could have", title, "give it a class first")
    iri = annotating.minted(session, like.form.classes[0], "", limits=limits)
    return LikeIt(title, iri, like.form.classes, filled_like(like.form, session.prefixes), like.refs)
