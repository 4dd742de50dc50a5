"""Describe a resource: its form, and the change that a filled form, a removal or another class means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from hpc_explorer.annotate.changing import change_of
from hpc_explorer.annotate.file_facts import FileFacts, facts_as_values, file_facts
from hpc_explorer.annotate.forms.entries import check_value
from hpc_explorer.annotate.forms.form import Form, form_of
from hpc_explorer.annotate.forms.kinds import VALUE_NODES, kind_of_class
from hpc_explorer.annotate.forms.shapes import NodeShape, read_shapes
from hpc_explorer.annotate.forms.values import Items, Node, Value, values_of
from hpc_explorer.app.checks.shapes import readable_shapes
from hpc_explorer.app.explore.finding import colour_key, references
from hpc_explorer.app.forms.linking import like_it, link_candidates, minted, unit_candidates
from hpc_explorer.app.forms.views import ClassChoice, FormView, Removal
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError
from hpc_explorer.ontology.labels import LABEL_PREDICATES, label_order, preferred_text
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import SchemaIndex, is_meta
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import DC, DCTERMS, HPC, OWL, RDF, SCHEMA, SCHEMAS, SH
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet

__all__ = [
    "change_for",
    "classes_to_describe",
    "facts_as_values",
    "file_described",
    "file_facts",
    "form_for",
    "form_like",
    "like_it",
    "link_candidates",
    "minted",
    "removal_of",
    "unit_candidates",
]

EDITS = NamedNode("urn:hpc-explorer:edits")
"""The graph of what is described where no source is open that it could belong to."""

# What tells one thing from all others, and is not taken over to one like it.
_IDENTIFYING = frozenset(
    {
        HPC.id, HPC.md5, DCTERMS.identifier, DC.identifier, SCHEMA.identifier, SCHEMAS.identifier, SCHEMA.sha256,
        SCHEMAS.sha256, OWL.sameAs,
    }
)  # fmt: skip

# So many members of a class are looked at to tell in which graph they are described.
_MEMBERS_LOOKED_AT = 50

# Classes that people describe most, the first ones offered in an empty graph.
_USUAL = tuple(
    HPC.term(name)
    for name in (
        "Dataset", "AIModel", "Experiment", "Workflow", "Software", "Benchmark", "Project", "Person", "Organization",
        "Cluster", "GPU", "CPU", "File",
    )
)  # fmt: skip


def form_for(
    session: Session,
    subject: Resource | None = None,
    classes: Sequence[NamedNode] = (),
    *,
    without: Collection[NamedNode] = (),
    limits: Limits = NO_LIMITS,
) -> FormView:
    """The form of a resource as it is, or of something new.

    Args:
        subject: the resource; None for something new.
        classes: the classes of something new, or those that the resource is to have besides its own.
        without: its own classes that it is to have no longer; what it has by their properties stays in the form.
    """
    return _view(session, subject, classes, without, {}, limits)


def form_like(session: Session, subject: Resource, *, limits: Limits = NO_LIMITS) -> FormView:
    """The form of something new that begins with the classes and values of another.

    Left out is what tells one thing from all others: identifiers and checksums, and nodes without a name that are no
    values, of which the other would then have a part.
    """
    stated = values_of(session.store, subject, limits=limits)
    classes = [value for value in stated.pop(RDF.type, ()) if isinstance(value, NamedNode)]
    values = {
        predicate: tuple(copy for value in values if (copy := _copied(value)) is not None)
        for predicate, values in stated.items()
        if predicate not in _IDENTIFYING
    }
    return _view(session, None, classes, (), {predicate: its for predicate, its in values.items() if its}, limits)


def _copied(value: Value) -> Value | None:
    """A value for another resource: nodes are made anew."""
    match value:
        case Node():
            return None if any(isinstance(about, BlankNode) for _, about in value.facts) else replace(value, at=None)
        case Items():
            return None if any(isinstance(item, BlankNode) for item in value.items) else replace(value, cells=())
        case BlankNode():
            return None
        case _:
            return value


def _view(
    session: Session,
    subject: Resource | None,
    classes: Sequence[NamedNode],
    without: Collection[NamedNode],
    values: Mapping[NamedNode, tuple[Value, ...]],
    limits: Limits,
) -> FormView:
    schema = session.form_schema(limits=limits)
    form = form_of(
        session.store,
        schema,
        _shapes(session, limits),
        subject=subject,
        classes=classes,
        without=without,
        values=values,
        used=lambda cls: session.predicates_used_by(cls, limits=limits),
        limits=limits,
    )
    inferred = () if subject is None else _inferred_classes(session, form, limits)
    refs = named_in_forms(session, dict.fromkeys((*_resources(form), *inferred)), limits=limits)
    return FormView(
        form,
        refs[subject].label if subject is not None else "",
        refs,
        _graph_of_edits(session, form, limits),
        {source.summary.graph: source.summary.name for source in session.opened},
        session.read_only_reason
        or ("statements that were inferred are shown: take them out before you edit" if session.inference else None),
        inferred,
    )


def _inferred_classes(session: Session, form: Form, limits: Limits) -> tuple[NamedNode, ...]:
    if not session.inference:
        return ()
    found = (quad.object for quad in session.store.match(form.subject, RDF.type, None, INFERRED, limits=limits))
    return tuple(sorted({cls for cls in found if isinstance(cls, NamedNode)} - set(form.stated), key=str))


def _shapes(session: Session, limits: Limits) -> tuple[NodeShape, ...]:
    """The shapes that ship, the user's as far as they can be used, and those of the graph itself."""
    own: tuple[NodeShape, ...] = ()
    if not session.store.capabilities.remote and SH.path in session.usage(limits=limits).predicates:
        own = read_shapes(session.store)
    return (*readable_shapes(session)[0].for_forms, *own)


def _resources(form: Form) -> Iterator[Resource]:
    """Every resource that a form shows by its name."""
    if form.subject is not None:
        yield form.subject
    yield from form.types
    yield from form.stated
    for field in form.fields:
        yield field.predicate
        for kind in field.kinds:
            if kind.cls is not None:
                yield kind.cls
            yield from filter(is_resource, kind.choices)
        for value in field.values:
            yield from filter(is_resource, _terms(value))


def _terms(value: Value) -> Iterable[Term]:
    if isinstance(value, Node):
        return (about for _, about in value.facts)
    return value.items if isinstance(value, Items) else (value,)


def named_in_forms(
    session: Session, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS
) -> dict[Resource, ResourceRef]:
    """How resources are named to a person, those among them that only the shipped ontologies know."""
    schema = session.form_schema(limits=limits)
    named = references(session, list(resources), limits=limits)
    return {resource: _by_schema(session, schema, ref) for resource, ref in named.items()}


def _by_schema(session: Session, schema: SchemaIndex, ref: ResourceRef) -> ResourceRef:
    term = ref.resource
    if not isinstance(term, NamedNode):
        return ref
    if term in schema.classes:
        look = colour_key(schema, term, session.styled)
        return replace(ref, label=schema.class_label(term), colour_key=look)
    return replace(ref, label=schema.property_label(term)) if term in schema.properties else ref


# --- where an edit goes


def _graph_of_edits(session: Session, form: Form, limits: Limits) -> NamedNode:
    """The graph that states most of a resource; of something new, that of the source that has most of its class.

    Where there is no telling, that of the first source; without any source a graph of its own.
    """
    if form.subject is not None:
        return graph_for(session, form.subject, limits=limits)
    stated: Counter[GraphName] = Counter()
    if len(session.opened) > 1:
        members = (session.store.match(None, RDF.type, cls, limits=limits) for cls in form.classes)
        stated.update(quad.graph_name for some in members for quad in islice(some, _MEMBERS_LOOKED_AT))
    return _most_named(session, stated)


def graph_for(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> NamedNode:
    """The graph in which a resource is edited: the one that states most of it; else that of the first source."""
    stated = Counter(quad.graph_name for quad in session.store.match(resource, limits=limits))
    return _most_named(session, stated)


def _most_named(session: Session, stated: Counter[GraphName]) -> NamedNode:
    named = (graph for graph, _ in stated.most_common() if isinstance(graph, NamedNode) and graph != INFERRED)
    own = [source.summary.graph for source in session.opened]
    return next(named, own[0] if own else EDITS)


# --- what can be described


def classes_to_describe(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[ClassChoice, ...]:
    """The classes that something new can be described as: those in use by their number, the usual ones, all others.

    Left out are the classes of values (a quantity is no thing) and of schema languages.
    """
    schema = session.form_schema(limits=limits)
    usage = session.usage(limits=limits)
    counts = usage.stated_classes()
    classes = [cls for cls in schema.classes if _describable(schema, cls)]
    refs = named_in_forms(session, classes, limits=limits)
    rank = {cls: place for place, cls in enumerate(_USUAL)}
    classes.sort(
        key=lambda cls: (-counts[cls], rank.get(cls, len(rank)), label_order(refs[cls].label), cls.value),
    )
    return tuple(
        ClassChoice(refs[cls], schema.classes[cls].comment, usage.class_count(cls, counts[cls])) for cls in classes
    )


def _describable(schema: SchemaIndex, cls: NamedNode) -> bool:
    if is_meta(cls) or cls.value.startswith(str(SH)):
        return False
    if kind_of_class(cls, schema.superclasses(cls)).widget in VALUE_NODES:
        return False
    return not any(
        quad.object.value == "true"
        for quad in shipped_ontology().match(cls, OWL.deprecated)
        if isinstance(quad.object, Literal)
    )


# --- changes


def change_for(
    session: Session,
    form: Form,
    values: Mapping[NamedNode, Sequence[Value]],
    *,
    classes: Sequence[NamedNode] | None = None,
    subject: NamedNode | None = None,
    graph: NamedNode | None = None,
    why: str = "",
    limits: Limits = NO_LIMITS,
) -> ChangeSet:
    """The change that a filled form means: exactly what differs from the graph as it is.

    Args:
        values: the values of each property that was shown; what is said by other properties stays.
        classes: the classes that the resource is to be stated to be of, of which the form's others go; None: those
            that the form is for.
        subject: the IRI of something new; None: one is minted from its name.
        graph: where new statements go; None: where the form says.
        why: the user's reason.

    Raises:
        WrongEntry: a value that was not there before is none that its field allows.
        UsageError: something new is given no class.
    """
    classes = form.types if classes is None else tuple(dict.fromkeys(classes))
    for predicate, given in values.items():
        field = form.field(predicate)
        if field is not None:
            for value in given:
                if value not in field.values:
                    check_value(field, value)
    filled: dict[NamedNode, Sequence[Value]] = dict(values)
    name = _name_in(filled)
    about: Resource
    if form.subject is None:
        if not classes:
            raise UsageError("what is described needs a class", name, "choose one")
        about = subject or minted(session, classes[0], name, limits=limits)
        filled[RDF.type] = classes
    else:
        about = form.subject
        filled[RDF.type] = _types_with(session, form, classes, limits)
    change = change_of(
        session.store, about, filled, graph=graph or _graph_of_edits(session, form, limits), limits=limits
    )
    return replace(change, words=_words(session, form, change, name, about, limits), why=why)


def file_described(
    session: Session,
    facts: FileFacts,
    cls: NamedNode = HPC.File,
    *,
    iri: NamedNode | None = None,
    graph: NamedNode | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[NamedNode, ChangeSet]:
    """A file as a resource of its own, for a field that links to files: its IRI, and the change that describes it.

    Args:
        cls: its class.
        iri: its IRI, if that was minted before.
        graph, limits: as for `change_for`.
    """
    form = form_for(session, None, (cls,), limits=limits).form
    iri = iri or minted(session, cls, facts.name, limits=limits)
    return iri, change_for(session, form, facts_as_values(form, facts), subject=iri, graph=graph, limits=limits)


def _types_with(session: Session, form: Form, classes: Sequence[NamedNode], limits: Limits) -> list[Value]:
    """The types of a resource as the graph has them by now, with what is different from those of its form."""
    assert form.subject is not None
    stated = values_of(session.store, form.subject, limits=limits).get(RDF.type, ())
    dropped, added = set(form.stated) - set(classes), [cls for cls in classes if cls not in form.stated]
    return [*(cls for cls in stated if cls not in dropped), *added]


def _name_in(filled: Mapping[NamedNode, Sequence[Value]]) -> str:
    """What something is called by the values of a form."""
    for predicate in LABEL_PREDICATES:
        name = preferred_text([value for value in filled.get(predicate, ()) if isinstance(value, Literal)])
        if name:
            return " ".join(name.split())
    return ""


def _words(session: Session, form: Form, change: ChangeSet, name: str, about: Resource, limits: Limits) -> str:
    """What a change is, for a person: "Described Fugaku", "Label of model 7", "3 fields of model 7"."""
    title = name or references(session, [about], limits=limits)[about].label
    if form.subject is None:
        return f"Described {title}"
    said = {quad.predicate for quad in (*change.removed, *change.added) if quad.subject == about}
    # A new number in a quantity changes the node's statement and none of the resource's own.
    inside = {quad.subject for quad in (*change.removed, *change.added)} - {about}
    for field in form.fields:
        for value in field.values:
            at = {value.at} if isinstance(value, Node) else set(value.cells) if isinstance(value, Items) else set()
            if at & inside:
                said.add(field.predicate)
    if said == {RDF.type}:
        return f"Class of {title}"
    if len(said) == 1:
        (predicate,) = said
        label = session.form_schema(limits=limits).property_label(predicate)
        return f"{label[:1].upper()}{label[1:]} of {title}"
    return f"{len(said)} properties of {title}"


def removal_of(session: Session, subject: Resource, *, why: str = "", limits: Limits = NO_LIMITS) -> Removal:
    """What goes if a resource is removed: its own statements, and, told apart, the links to it."""
    store = session.store
    stated = values_of(store, subject, limits=limits)
    own = change_of(store, subject, dict.fromkeys(stated, ()), graph=EDITS, limits=limits)
    quads = (quad for quad in store.match(None, None, subject, limits=limits) if quad.graph_name != INFERRED)
    incoming = [quad for quad in quads if quad.subject != subject]
    links = tuple(quad for quad in incoming if quad.predicate != RDF.first)
    linking = dict.fromkeys(quad.subject for quad in links if is_resource(quad.subject))
    refs = references(session, [subject, *linking], limits=limits)
    return Removal(
        replace(own, words=f"Removed {refs[subject].label}", why=why),
        links,
        tuple(refs[one] for one in linking),
        len(incoming) - len(links),
    )
