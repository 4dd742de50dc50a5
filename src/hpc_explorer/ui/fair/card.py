"""The chosen indicator: its question, the result with evidence, how to fix it, and a person's answer."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from hpc_explorer.app.journal.change_views import ChangedResource, ChangeView
from hpc_explorer.canvas.text import brief
from hpc_explorer.fair.indicators import SUBPRINCIPLES
from hpc_explorer.fair.scoring import Decided
from hpc_explorer.fair.values import Decider
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.explore.inspector import LABEL_WIDTH
from hpc_explorer.ui.fair.answer import AnswerForm
from hpc_explorer.ui.fair.list import sign
from hpc_explorer.ui.fair.signs import BASES, sign_colour, sign_icon
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, TITLE, current_theme, font, on_theme

MOST_STATEMENTS = 30
"""The most statements of evidence shown; the others are counted."""

LONGEST_NAME = 120

NOTHING_TO_WRITE = "No known change to the graph raises it."
FIX_TIP = "Review the change, fill in missing facts, and apply it"

DECIDERS = {
    Decider.GRAPH: "decided by what the graph says",
    Decider.LIST: "decided by the graph and a list that ships",
    Decider.FILE: "decided by the graph and a local file",
    Decider.CONFIRMED: "filled in from the graph, confirmed by a person",
    Decider.ASKED: "only a person can tell",
}
"""What decides an indicator."""


class IndicatorCard(QScrollArea):
    """The card.

    Attributes:
        answer: the form for the answer.
        fix, form: the buttons that fix it and open its field.

    Signals:
        opened(Resource): go to a resource of the evidence.
        fix_wanted(), form_wanted(): a button was pressed.
    """

    opened = Signal(object)
    fix_wanted = Signal()
    form_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._one: Decided | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("The chosen indicator")
        self._mark, self._word = Label(), Label()
        self._word.setFont(font(weight=600))
        self._how = Label()
        self._how.setProperty("role", "muted")
        verdict = QHBoxLayout()
        verdict.setSpacing(GRID // 2)
        for part in (self._mark, self._word, self._how):
            verdict.addWidget(part)
        verdict.addStretch(1)
        self.title = TextBlock("", size=TITLE, weight=600)
        self.about = TextBlock("", size=SMALL, muted=True)
        self.sentence = TextBlock("")
        self._evidence_caption = caption("What says so")
        self._evidence = QWidget()
        self._statements = column_in(self._evidence, spacing=2)
        self.online = TextBlock("", muted=True)
        self._fixing = QWidget()
        self.action = TextBlock("")
        self.fix, self.form = QPushButton("Fix…"), QPushButton("Open in the form")
        self.fix.setToolTip(FIX_TIP)
        self.form.setToolTip("Go to the field of the tab Edit that says it")
        self.fix.clicked.connect(self.fix_wanted)
        self.form.clicked.connect(self.form_wanted)
        bar = QWidget()
        flow = FlowLayout(bar, GRID)
        flow.addWidget(self.fix)
        flow.addWidget(self.form)
        fixing = column_in(self._fixing, spacing=GRID)
        add_parts(fixing, caption("How to fix it"), self.action, bar)
        self.answer = AnswerForm()
        content = QWidget()
        content.setObjectName("answered")
        self._column = column = QVBoxLayout(content)
        column.setContentsMargins(2 * GRID, GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addLayout(verdict)
        for widget in (self.title, self.about, self.sentence, self.online):
            column.addWidget(widget)
        column.addSpacing(GRID // 2)
        column.addWidget(self._evidence_caption)
        column.addWidget(self._evidence)
        column.addSpacing(GRID // 2)
        column.addWidget(self._fixing)
        column.addSpacing(GRID // 2)
        column.addWidget(self.answer)
        column.addStretch(1)
        self.setWidget(content)
        on_theme(self._dress)
        # The evidence above arrives later.
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._keep_answer_in_sight())

    def take_keyboard(self) -> None:
        """Focus the form for the answer, and scroll to the whole of it."""
        self.answer.take_keyboard()
        self._keep_answer_in_sight()

    def _keep_answer_in_sight(self) -> None:
        if self.answer.isAncestorOf(QApplication.focusWidget() or self):
            self.ensureWidgetVisible(self.answer)

    @property
    def links(self) -> tuple[LinkBlock, ...]:
        """A link to a resource of the evidence."""
        return tuple(self._evidence.findChildren(LinkBlock))

    def show_indicator(self, one: Decided, who: str, *, has_field: bool) -> None:
        """Show another indicator; `show_evidence` and `show_repair` add the rest.

        Args:
            who: the proposed name for an answer.
            has_field: whether the form has a field for it.
        """
        is_other = self._one is None or self._one.indicator.id != one.indicator.id
        self._one = one
        self._dress()
        indicator = one.indicator
        self._how.setText(f"· {BASES[one.basis]}")
        self.title.say(indicator.text)
        names = [indicator.rda_id, indicator.fuji_id]
        about = [" = ".join(filter(None, names))]
        about.append(f"{indicator.subprinciple} {SUBPRINCIPLES.get(indicator.subprinciple, '')}".rstrip())
        about += [indicator.priority.value.lower()] if indicator.priority.value else []
        about.append(DECIDERS[indicator.decider])
        self.about.say(" · ".join(about))
        said = one.sentence
        if one.is_override and one.finding.sentence not in said:
            said = f"{said}\nThe test: {one.finding.sentence}"
        self.sentence.say(said)
        seen = one.finding.online
        self.online.setVisible(seen is not None)
        if seen is not None:
            self.online.say(f"Seen online on {seen.date().isoformat()}")
        self.form.setVisible(has_field)
        self.answer.show_indicator(one, who)
        if is_other:
            self._clear()
            self.verticalScrollBar().setValue(0)
        self._evidence_caption.setVisible(bool(one.finding.evidence))
        self._evidence.setVisible(bool(one.finding.evidence))

    def show_repair(self, words: str, reason: str | None) -> None:
        """Show the fix.

        Args:
            words: the fix; empty if none is known.
            reason: why the graph cannot be changed; None if it can.
        """
        if self._one is None:
            return
        only_asked = not words and not self._one.indicator.decider.is_automatic
        self._fixing.setVisible(self._one.points.low == 0 and not only_asked)
        action = self._one.indicator.action.value
        self.action.say(f"{action}. {words or NOTHING_TO_WRITE}")
        self.fix.setVisible(bool(words))
        self.fix.setToolTip(plain_tip(reason or FIX_TIP))

    def show_evidence(self, view: ChangeView, assessed: Resource) -> None:
        """Show the statements that prove it, with links to their resources.

        Args:
            assessed: their subject if no other name is shown above them.
        """
        self._clear()
        left = MOST_STATEMENTS
        named = any(one.ref.resource != assessed for one in view.resources)
        for resource in view.resources:
            left = self._add_resource(resource, left, named=named)
        more = view.added - sum(len(one.quads) for one in view.resources) + max(0, -left)
        if left < 0 or more > 0:
            self._statements.addWidget(TextBlock(f"and {max(more, -left):,} more statements", muted=True))

    def _dress(self) -> None:
        """Take the colours of the theme."""
        if self._one is not None:
            shown = sign(self._one)
            self._mark.setPixmap(sign_icon(shown, current_theme()).pixmap(16, 16))
            self._word.setText(shown.value)
            self._word.setStyleSheet(f"color: {sign_colour(shown, current_theme())}")

    def _add_resource(self, resource: ChangedResource, left: int, *, named: bool) -> int:
        """Add the statements about one resource; returns how many more fit, negative if some were left out."""
        if left > 0 and named:
            heading = LinkBlock(brief(resource.ref.label, LONGEST_NAME), resource.ref.kind)
            heading.setToolTip(plain_tip(resource.ref.iri))
            heading.clicked.connect(lambda: self.opened.emit(resource.ref.resource))
            self._statements.addWidget(heading)
        for one in resource.properties:
            for position, value in enumerate(one.values):
                left -= 1
                if left < 0:
                    continue
                row = QHBoxLayout()
                row.setSpacing(GRID)
                row.setContentsMargins(GRID if named else 0, 0, 0, 0)
                label = TextBlock("" if position else one.label, muted=True)
                label.setToolTip(plain_tip("\n".join(term.value for term in one.path)))
                label.setFixedWidth(LABEL_WIDTH)
                row.addWidget(label)
                text = brief(" ".join(value.text.split()), 400)
                shown: TextBlock | LinkBlock
                if value.target is None:
                    shown = TextBlock(text, value.detail)
                else:
                    target = value.target.resource
                    # Something without statements is identified by its full address.
                    text = text if value.target.kind else brief(value.target.iri, 400)
                    shown = LinkBlock(text, value.detail)
                    shown.clicked.connect(lambda _=False, target=target: self.opened.emit(target))
                shown.setToolTip(plain_tip(value.datatype))
                row.addWidget(shown, 1)
                self._statements.addLayout(row)
        return left

    def _clear(self) -> None:
        fresh = QWidget()
        self._statements = column_in(fresh, spacing=2)
        self._column.replaceWidget(self._evidence, fresh)
        self._evidence.hide()
        self._evidence.deleteLater()
        fresh.setVisible(self._one is not None and bool(self._one.finding.evidence))
        self._evidence = fresh
