"""What a form asks the session: the form itself, what can be linked to, units, properties, IRIs; each in a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hpc_explorer.annotate.file_facts import FileFacts
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import Kind
from hpc_explorer.annotate.minting import is_taken
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.forms import annotating
from hpc_explorer.app.forms.fields import PropertyChoice, fields_for, properties_to_add
from hpc_explorer.app.forms.filling import Filling, filled_like
from hpc_explorer.app.forms.saving import save_form
from hpc_explorer.app.forms.views import ClassChoice, FormView
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.journal import editing
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.describe_dialog import Proposal
from hpc_explorer.ui.widgets.suggest_line import Suggestion, Suggestions, as_suggestions

MOST_LINKS = 20
"""So many resources are offered for a link."""


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


@dataclass(frozen=True)
class NewMember:
    """The class and the name of something that a field may link to once it is made."""

    cls: NamedNode
    name: str


@dataclass(frozen=True)
class ChosenFile:
    """A file that was chosen for a field.

    Args:
        ref: the resource that stands for it.
        is_known: whether the graph has that resource already, with the same checksum.
    """

    facts: FileFacts
    ref: ResourceRef
    is_known: bool


@dataclass(frozen=True)
class LikeIt:
    """Something new that begins with what is said of another resource.

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


class FormQuestions:
    """Asks about forms; a later question of a kind takes the place of the one before.

    Args:
        bridge: runs the questions.
    """

    def __init__(self, bridge: SessionBridge) -> None:
        self._bridge = bridge
        self._form, self._links, self._units, self._properties, self._new, self._iri, self._file = (
            bridge.channel() for _ in range(7)
        )

    def ask_form(
        self,
        subject: Resource | None,
        classes: Sequence[NamedNode],
        without: Sequence[NamedNode],
        more: Sequence[NamedNode],
        done: Callable[[LoadedForm], None],
        failed: Failed,
    ) -> None:
        """The form of a resource, or of a new member of some classes.

        Args:
            classes: those of the new member, or those that the resource is to have besides its own.
            without: its own that it is to have no longer.
            more: properties that are to have a field in any case.
        """
        names = self._bridge.source_names

        def work(session: Session, context: JobContext) -> LoadedForm:
            view = annotating.form_for(session, subject, classes, without=without, limits=context.limits)
            missing = [one for one in more if view.form.field(one) is None]
            fields = fields_for(session, missing, limits=context.limits)
            closed = session.workspace is None
            can_start = view.read_only is not None and closed and editing.why_not_to_start(session) is None
            drafts = [one for one in editing.drafts_of(names) if not one.in_use] if can_start else []
            return LoadedForm(view, session.prefixes, fields, drafts[0] if drafts else None, can_start)

        self._bridge.ask(self._form, "Make the form", work, done, failed)

    def ask_like(self, resource: Resource, done: Callable[[LikeIt], None], failed: Failed) -> None:
        """Something new that is like a resource, with a free IRI and no name."""

        def work(session: Session, context: JobContext) -> LikeIt:
            like = annotating.form_like(session, resource, limits=context.limits)
            title = annotating.named_in_forms(session, [resource], limits=context.limits)[resource].label
            if not like.form.classes:
                raise UsageError("it has no class that something new could have", title, "give it a class first")
            iri = annotating.minted(session, like.form.classes[0], "", limits=context.limits)
            filling = filled_like(like.form, session.prefixes)
            return LikeIt(title, iri, like.form.classes, filling, like.refs)

        self._bridge.ask(self._new, "Read what is said of it", work, done, failed)

    def drop_form(self) -> None:
        """Wait for no form any more."""
        self._form.drop()

    def ask_links(self, kind: Kind, text: str, done: Callable[[Suggestions], None]) -> None:
        """What a text may mean where a resource is linked to; what is like it; and one that would be made."""

        def work(session: Session, context: JobContext) -> Suggestions:
            found = annotating.link_candidates(session, kind, text, MOST_LINKS, limits=context.limits)
            offered = list(as_suggestions(found))
            if kind.cls is None or not text:
                return Suggestions(tuple(offered), "" if offered else "Type a name, or an IRI")
            there = {ref.resource for ref in found}
            for one in annotating.like_it(session, kind.cls, text, limits=context.limits):
                if one.ref.resource not in there:
                    offered.append(Suggestion(one.ref.resource, one.ref.label, f"{one.ref.kind} · {one.why}", one.ref))
            cls = references(session, [kind.cls], limits=context.limits)[kind.cls]
            offered.append(Suggestion(NewMember(kind.cls, text), f"Create “{text}”", f"new {cls.label}"))
            return Suggestions(tuple(offered))

        self._bridge.ask(self._links, "Look up links", work, done, lambda error: None)

    def ask_units(self, of: Field, text: str, done: Callable[[Suggestions], None]) -> None:
        """The units that a text may mean, those that the field's other values have first."""

        def work(session: Session, context: JobContext) -> Suggestions:
            found = annotating.unit_candidates(session, text, predicate=of.predicate, limits=context.limits)
            rows = (Suggestion(unit.symbol, unit.symbol, unit.label) for unit in found)
            return Suggestions(tuple(rows), "" if found else f"No unit is called “{text}”")

        self._bridge.ask(self._units, "Look up units", work, done, lambda error: None)

    def ask_file(self, path: Path, cls: NamedNode, done: Callable[[ChosenFile], None], failed: Failed) -> None:
        """What is known of a file, with a free IRI for it; or the resource that has its checksum already."""

        def work(session: Session, context: JobContext) -> ChosenFile:
            def told(read: int, of: int) -> None:
                context.progress(f"reading {path.name}", read / of)

            facts = annotating.file_facts(path, progress=told, limits=context.limits)
            form = annotating.form_for(session, None, [cls], limits=context.limits).form
            values = annotating.facts_as_values(form, facts)
            alike = annotating.like_it(session, cls, facts.name, values, limits=context.limits)
            known = next((one.ref for one in alike if one.certain), None)
            iri = annotating.minted(session, cls, facts.name, limits=context.limits)
            refs = annotating.named_in_forms(session, [iri, cls], limits=context.limits)
            ref = replace(refs[iri], label=facts.name, kind=refs[cls].label, colour_key=refs[cls].colour_key)
            return ChosenFile(facts, known or ref, known is not None)

        self._bridge.ask(self._file, f"Read {path.name}", work, done, failed)

    def ask_properties(self, done: Callable[[tuple[PropertyChoice, ...]], None]) -> None:
        """All properties that a field can be added for."""
        self._bridge.ask(
            self._properties,
            "List the properties",
            lambda session, context: properties_to_add(session, limits=context.limits),
            done,
        )

    def ask_field(self, predicate: NamedNode, done: Callable[[Field], None]) -> None:
        """The field of a property, to be added."""
        self._bridge.ask(
            self._properties,
            "Make a field",
            lambda session, context: fields_for(session, [predicate], limits=context.limits)[0],
            done,
        )

    def ask_classes(self, done: Callable[[tuple[ClassChoice, ...]], None]) -> None:
        """What something new can be."""
        self._bridge.ask(
            self._new,
            "List the classes",
            lambda session, context: annotating.classes_to_describe(session, limits=context.limits),
            done,
        )

    def ask_proposal(self, cls: NamedNode, name: str, done: Callable[[Proposal], None]) -> None:
        """The IRI that a new member of a class would get, and what is like it already."""

        def work(session: Session, context: JobContext) -> Proposal:
            iri = annotating.minted(session, cls, name, limits=context.limits)
            return Proposal(iri, annotating.like_it(session, cls, name, limits=context.limits) if name else ())

        self._bridge.ask(self._iri, "Find a free IRI", work, done)

    def ask_is_taken(self, iri: NamedNode, done: Callable[[bool], None]) -> None:
        """Whether the graph speaks of an IRI."""
        self._bridge.ask(
            self._iri,
            "Look whether the IRI is taken",
            lambda session, context: is_taken(session.store, iri, limits=context.limits),
            done,
        )

    def ask_new_ref(self, member: NewMember, done: Callable[[ResourceRef], None]) -> None:
        """How something is named that is to be made for a link, with a free IRI."""

        def work(session: Session, context: JobContext) -> ResourceRef:
            iri = annotating.minted(session, member.cls, member.name, limits=context.limits)
            refs = annotating.named_in_forms(session, [iri, member.cls], limits=context.limits)
            cls = refs[member.cls]
            return replace(refs[iri], label=member.name, kind=cls.label, colour_key=cls.colour_key)

        self._bridge.ask(self._iri, "Find a free IRI", work, done)

    # What changes the session

    def save(
        self,
        view: FormView,
        filling: Filling,
        subject: NamedNode | None,
        why: str,
        done: Callable[[EditStep | None], None],
        failed: Failed,
    ) -> None:
        """Make what is typed the graph's, with the reason for it."""
        session = self._bridge.session
        self._bridge.jobs.submit(
            "Save the form",
            lambda context: save_form(session, view, filling, subject=subject, why=why, limits=context.limits),
            done,
            failed,
            writes=True,
        )

    def start(
        self,
        draft: editing.Draft | None,
        done: Callable[[tuple[editing.Draft, tuple[EditStep, ...], tuple[EditStep, ...]]], None],
        failed: Failed,
    ) -> None:
        """Make what is open editable, in a new draft or in one that is there."""
        session = self._bridge.session

        def work(context: JobContext) -> tuple[editing.Draft, tuple[EditStep, ...], tuple[EditStep, ...]]:
            if draft is None:
                begun = editing.start_editing(session, progress=context.progress, limits=context.limits)
            else:
                # A file that changed meanwhile is compared by the push, which asks where both sides changed the same.
                begun = editing.continue_draft(
                    session, draft.folder, bring_in=False, progress=context.progress, limits=context.limits
                )
            return (begun, *journal_steps(session))

        self._bridge.jobs.submit("Start editing", work, done, failed, writes=True)
