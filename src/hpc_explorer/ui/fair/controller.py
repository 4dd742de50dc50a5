"""The controller of the tab "FAIR": assesses the chosen resource, keeps answers, and follows changes of the graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice

from PySide6.QtCore import QObject, Qt, Signal

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.fair.assessing import AssessmentView, answer, assess_resource, is_assessable, now, withdraw_answer
from hpc_explorer.app.fair.assessing_many import resources_to_assess
from hpc_explorer.app.journal.change_viewing import view_change
from hpc_explorer.app.journal.change_views import ChangeView
from hpc_explorer.app.journal.editing import why_not_to_start
from hpc_explorer.app.settings import user_name
from hpc_explorer.app.undo import StateStep, UndoStack
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, UnknownResource
from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.fuji_report import FujiReport
from hpc_explorer.fair.readings import HYBRID, Reading, reading
from hpc_explorer.fair.scoring import Decided
from hpc_explorer.fair.values import Answer
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.query.sentence.wording import with_article
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.bridge.commands import Command, Need, chosen_resource, open_graph
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.fair.answer import Given
from hpc_explorer.ui.fair.page import FairPage
from hpc_explorer.ui.fair.tab import FairTab, FairView
from hpc_explorer.ui.widgets.resource_list import row_of
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.wording import counted

MOST_OFFERED = 200
"""The most datasets and models offered if nothing is chosen."""

ASSESS = "Assess how FAIR it is"


@dataclass(frozen=True)
class _Offer:
    """The resources that can be assessed.

    Args:
        refs: the offered datasets and models.
        total: how many there are.
    """

    refs: tuple[ResourceRef, ...]
    total: int


class FairController(QObject):
    """Shows the assessment of the chosen resource while the tab is visible.

    Attributes:
        tab: the tab.
        view: the assessment that is shown; None while there is none.
        reading: how the paper is read.

    Signals:
        assessed(object): the shown AssessmentView, or None.
        field_wanted(Resource, object): show the form's field of one of these properties, the likeliest first.
        explore_wanted(Resource): go to this resource.
    """

    assessed = Signal(object)
    field_wanted = Signal(object, object)
    explore_wanted = Signal(object)

    def __init__(
        self, bridge: SessionBridge, navigator: Navigator, tab: FairTab, undo: UndoStack, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self._undo = bridge, navigator, undo
        self.tab = tab
        self.view: AssessmentView | None = None
        self.reading: Reading = HYBRID
        self._resource: Resource | None = None
        self._anyway: Resource | None = None
        self._fuji: FujiReport | None = None
        self._is_stale = False
        self._is_running = False
        self._who: str | None = None
        self._shown_evidence: Decided | None = None
        navigator.moved.connect(lambda place, before: self.look())
        bridge.graph_changed.connect(self._graph_changed)
        tab.view_wanted.connect(lambda view: self._bridge.updated.emit())
        tab.start.list.opened.connect(lambda ref: navigator.open(ref.resource))
        tab.start.anyway.clicked.connect(self._assess_anyway)
        page = self.page
        page.chosen.connect(self._show_chosen)
        page.online.toggled.connect(lambda _: self._assess_again())
        page.overview.reading_wanted.connect(self.read_as)
        page.card.opened.connect(self.explore_wanted)
        self.explore_wanted.connect(navigator.explore)
        page.card.form_wanted.connect(self.open_in_form)
        page.card.answer.given.connect(self._keep_answer)
        page.card.answer.withdrawn.connect(self._withdraw_answer)

    @property
    def page(self) -> FairPage:
        """The page of the assessment."""
        return self.tab.page

    @property
    def is_in_sight(self) -> bool:
        """Whether the tab can be seen."""
        return self._navigator.place.view is View.FAIR

    @property
    def is_on_page(self) -> bool:
        """Whether an assessment can be seen."""
        return self.is_in_sight and self.tab.view is FairView.ASSESSMENT and self.view is not None

    @property
    def current(self) -> Decided | None:
        """The indicator that is chosen."""
        return self.page.list.current if self.tab.has_assessment else None

    @staticmethod
    def commands(controller: Late[FairController], bridge: SessionBridge, navigator: Navigator) -> tuple[Command, ...]:
        """The commands for the chosen resource and its assessment."""

        def need(what: str, is_met: Callable[[FairController], bool]) -> Need:
            return Need(what, controller.has(lambda one: not bridge.is_empty and one.is_on_page and is_met(one)))

        indicator = need("a chosen indicator of an assessment", lambda one: one.current is not None)
        field = need("a chosen indicator that a field of the form says", lambda one: bool(one._fields()))
        return (
            Command("fair.assess", "Assess this resource", "FAIR", 0, "F12", "refresh", short="Assess again")
            .runs(controller.does(FairController.assess), chosen_resource(bridge, navigator))
            .about("Run the 47 tests on the chosen dataset or model, with the graph as it is now."),
            Command("fair.answer", "Answer this indicator", "FAIR", 1, "F2")
            .runs(controller.does(FairController.go_to_answer), indicator)
            .about("Say how far the chosen indicator is, as a level from 0 to 4."),
            Command("fair.form", "Open the indicator's field", "FAIR", 1)
            .runs(controller.does(FairController.open_in_form), field)
            .about("Go to the field of the form for the chosen indicator."),
        )

    @staticmethod
    def assessment(controller: Late[FairController], bridge: SessionBridge) -> Need:
        """The need of an assessment that is in sight."""
        return Need(
            "an assessment in sight",
            controller.has(lambda one: not bridge.is_empty and one.is_in_sight and one.view is not None),
        )

    @staticmethod
    def choices(controller: Late[FairController], bridge: SessionBridge) -> tuple[Command, ...]:
        """The options: online requests, and the reading of the paper."""
        assessment = FairController.assessment(controller, bridge)
        return (
            Command("fair.online", "Check online too", "FAIR")
            .runs(controller.does(lambda one: one.page.online.toggle()), open_graph(bridge))
            .marked(controller.has(lambda one: one.page.online.isChecked()))
            .about("Ask addresses that the resource names, once; off, nothing leaves this computer."),
            *(
                Command(f"fair.reading:{name}", f"Read the paper: {title}", "FAIR/Reading", short=title)
                .runs(controller.does(partial(FairController.read_as, reading=reading(name))), assessment)
                .marked(
                    controller.has(
                        partial(FairController.reads_as, reading=reading(name)), before=reading(name) is HYBRID
                    ),
                    choice=True,
                )
                .about(f"Where the paper contradicts itself: {note}")
                for name, title, note in (
                    ("hybrid", "as it counts", "a person's reasoned answer wins over the test."),
                    ("literal", "as it says", "the test alone decides whether known vocabularies are used."),
                    (
                        "automatic-stars",
                        "tests decide what both lists have",
                        "tests decide what the RDA and F-UJI share.",
                    ),
                )
            ),
        )

    def reads_as(self, reading: Reading) -> bool:
        """Whether the paper is read so."""
        return self.reading is reading

    # What commands do

    def assess(self) -> None:
        """Show the tab and assess the chosen resource, even if nothing changed."""
        self._is_stale = True
        if self.is_in_sight:
            self.look()
        self.show(FairView.ASSESSMENT)

    def show(self, view: FairView) -> None:
        """Show a page of the tab."""
        self.tab.show_view(view)
        self._navigator.show_view(View.FAIR)
        self.tab.front.setFocus(Qt.FocusReason.OtherFocusReason)

    def read_as(self, reading: Reading) -> None:
        """Change the reading of the paper: the findings and answers stay, the score changes."""
        self.reading = reading
        if self.view is not None:
            self._take(self.view.read_as(reading))

    def go_to_answer(self) -> None:
        """Focus the form for the answer."""
        self.page.card.take_keyboard()

    def open_in_form(self) -> None:
        """Go to the field of the form for the chosen indicator."""
        if self.view is not None and self._fields():
            self.field_wanted.emit(self.view.resource, self._fields())

    def take_fuji(self, report: FujiReport) -> None:
        """Use the results of an F-UJI report until another resource is assessed."""
        self._fuji = report
        self._assess_again()

    # The chosen resource

    def go_on_with(self, resource: Resource) -> None:
        """Continue with the same resource under another name."""
        self._navigator.open(resource)

    def look(self) -> None:
        """Assess the chosen resource if the tab is visible and shows another one."""
        if not self.is_in_sight:
            return
        resource = self._navigator.place.focus
        if resource is None or self._bridge.is_empty:
            self._show_none(None)
        elif resource != self._resource or self._is_stale:
            self._assess(resource)

    def _graph_changed(self) -> None:
        self._is_stale = True
        if self._bridge.is_empty:
            self._show_none(None)
        self.look()

    def _assess_anyway(self) -> None:
        self._anyway = self._navigator.place.focus
        self._is_stale = True
        self.look()

    def _assess_again(self) -> None:
        self._is_stale = True
        self.look()
        self._bridge.updated.emit()

    def _assess(self, resource: Resource) -> None:
        is_other = resource != self._resource
        if is_other:
            self.view = None
            self._shown_evidence = None
            self._fuji = None
            self.assessed.emit(None)
        self._resource, self._is_stale = resource, False
        self._is_running = True
        anyway, reading, online = resource == self._anyway, self.reading, self.page.online.isChecked()
        fuji = self._fuji

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> AssessmentView | ResourceRef:
            if not anyway and not is_assessable(session, resource, limits=limits):
                return references(session, [resource], limits=limits)[resource]
            view = assess_resource(session, resource, reading=reading, online=online, limits=limits)
            return view if fuji is None else view.with_fuji(fuji)

        def done(found: AssessmentView | ResourceRef) -> None:
            self._is_running = False
            if isinstance(found, AssessmentView):
                self._take(found)
            else:
                self._show_none(found)

        def failed(error: BaseException) -> None:
            self._is_running = False
            self._show_none(None)
            if isinstance(error, Cancelled):
                self._bridge.said.emit("The assessment was stopped")
            elif not isinstance(error, UnknownResource):
                self._bridge.failed.emit(ASSESS, error)

        if is_other and self.tab.has_assessment:
            self.page.show_progress("Assessing…")
        self._bridge.run(work, title=ASSESS, on_result=done, on_error=failed, replaces="assessment")

    def _take(self, view: AssessmentView) -> None:
        self.view = view
        ref = view.ref
        self.tab.show_assessment(True)
        self.page.show_subject(ref.iri)
        self.page.show_score(view.decided, view.score, view.ladder, view.reading, _remark(view, self._fuji))
        self.assessed.emit(view)
        self._bridge.updated.emit()

    def _show_none(self, chosen: ResourceRef | None) -> None:
        """Explain the tab and list what can be assessed."""
        if chosen is None:
            self._resource = None
        self._bridge.drop("assessment", "evidence")
        self.view, self._shown_evidence, self._is_running = None, None, False
        self.tab.show_assessment(False)
        said = ""
        if chosen is not None:
            said = f"{chosen.label} is {_article(chosen.kind)} – not a dataset, not a model."
        self.tab.start.say(said, can_assess=chosen is not None)
        self.assessed.emit(None)
        self._bridge.updated.emit()
        if self._bridge.is_empty:
            self._bridge.drop("what can be assessed")
            self.tab.start.show_rows((), "")
        elif self.is_in_sight:
            self._bridge.run(
                _offered, title="Find datasets and models", on_result=self._offer, replaces="what can be assessed"
            )

    def _offer(self, offer: _Offer) -> None:
        title = "No dataset or model is open. You can choose and assess anything else."
        if offer.total:
            title = "Choose it to assess it" if offer.total == 1 else f"Choose one of {offer.total:,} to assess it"
        if offer.total > len(offer.refs):
            title = f"The first {len(offer.refs)} of {offer.total:,} datasets and models; the search finds every one"
        self.tab.start.show_rows(tuple(row_of(ref, ref.kind) for ref in offer.refs), title)

    # The chosen indicator

    def _show_chosen(self) -> None:
        one = self.current
        if one is not None:
            who = user_name() if self._who is None else self._who
            self.page.card.show_indicator(one, who, has_field=bool(self._fields()))
            if one is not self._shown_evidence and self.view is not None:
                self._ask_evidence(one, self.view.resource)
        self._bridge.updated.emit()

    def _ask_evidence(self, one: Decided, assessed: Resource) -> None:
        self._shown_evidence = one
        self._bridge.drop("evidence")
        if not one.finding.evidence:
            return
        change = ChangeSet(added=one.finding.evidence)

        def done(found: ChangeView) -> None:
            self.page.card.show_evidence(found, assessed)

        self._bridge.run(
            partial(view_change, now=False), change, title="Name the evidence", on_result=done, replaces="evidence"
        )

    def _fields(self) -> tuple[NamedNode, ...]:
        """The properties whose field answers the chosen indicator, the likeliest first."""
        one = self.current
        if one is None or self.view is None:
            return ()
        own = (quad.predicate for quad in one.finding.evidence if quad.subject == self.view.resource)
        return tuple(dict.fromkeys((*one.finding.missing, *own)))

    @property
    def reason(self) -> str | None:
        """Why the graph cannot be changed; None if it can, possibly in a new draft."""
        return None if self._bridge.read_only_reason is None else why_not_to_start(self._bridge.session)

    # Answers

    def _keep_answer(self, given: Given) -> None:
        view, one = self.view, self.current
        if view is None or one is None:
            return
        made = Answer(one.indicator.id, given.level, given.note, given.who, now())
        self._who = given.who
        self._change_answer(view, one, made)

    def _withdraw_answer(self) -> None:
        view, one = self.view, self.current
        if view is not None and one is not None:
            self._change_answer(view, one, None)

    def _change_answer(self, view: AssessmentView, one: Decided, after: Answer | None) -> None:
        """Keep another answer, or none, as a step that can be undone."""
        indicator = one.indicator.id

        def show(kept: Answer | None, then: Callable[[], None] = lambda: None) -> None:
            def work(session: Session, *, limits: Limits = NO_LIMITS) -> Answers:
                if kept is None:
                    return withdraw_answer(session, view.resource, indicator, limits=limits)
                return answer(session, view.resource, kept, view=view, limits=limits)

            def done(answers: Answers) -> None:
                if self.view is not None and self.view.resource == answers.resource:
                    self._take(self.view.answered(answers))
                    if not any(button.hasFocus() for button in self.page.card.answer.levels.values()):
                        self.page.list.setFocus(Qt.FocusReason.OtherFocusReason)
                self._bridge.said.emit(f"{'Took back' if kept is None else 'Kept'} the answer to {indicator}")
                then()

            title = "Take the answer back" if kept is None else "Keep the answer"
            self._bridge.run(work, title=title, on_result=done, writes=True)

        words = f"{'take back' if after is None else 'keep'} the answer to {indicator}"
        step = StateStep(words, one.answer, after, show)
        show(after, lambda: self._undo.push(step))


def _offered(session: Session, *, limits: Limits = NO_LIMITS) -> _Offer:
    found = resources_to_assess(session, limits=limits)
    refs = references(session, list(islice(found, MOST_OFFERED)), limits=limits)
    return _Offer(tuple(sorted(refs.values(), key=lambda ref: (label_order(ref.label), ref.iri))), len(found))


def _remark(view: AssessmentView, fuji: FujiReport | None) -> str:
    """Remarks on an assessment."""
    parts = [_online_words(view.tally) if view.online else "Decided offline"]
    if view.reading is not HYBRID:
        parts.append(f"Reading: {view.reading.title}")
    if fuji is not None:
        about = shortened(fuji.target or fuji.resolved, 120)
        parts.append(f"{len(fuji.results)} decided by a report of F-UJI" + (f" about {about}" if about else ""))
    if view.doubt:
        parts.append("which may be another thing")
    return " · ".join(parts)


def _online_words(tally: tuple[int, int] | None) -> str:
    """A remark on the online requests; if none was answered, this computer may be offline."""
    asked, answered = tally or (0, 0)
    if not asked:
        return "There was no address to ask online"
    if not answered:
        return f"Nothing answered at {counted(asked, 'address')}: is this computer online?"
    return f"Asked online: {answered:,} of {counted(asked, 'address')} answered"


def _article(kind: str) -> str:
    return with_article(kind) if kind else "in no class"
