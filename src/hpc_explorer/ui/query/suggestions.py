"""Keeps the suggestion lists up to date with the query, and turns clicks in them into steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from hpc_explorer.app.query.builder import NAMED_LENGTH, Builder
from hpc_explorer.app.query.facet_lists import Facet, Suggested, SuggestedValues, subclasses_to_ask, suggested
from hpc_explorer.app.query.ranges import Asked, asked_values, excludes_values, with_bounds
from hpc_explorer.app.views import ClassNode, FacetRow
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import Cancelled, ExplorerError, ServerNotAllowed
from hpc_explorer.query import building
from hpc_explorer.query.building import Direction, FocusedQuery, Mode
from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
from hpc_explorer.query.facets.value_search import ValueMatch
from hpc_explorer.query.model.patterns import INSTANCE_PATH, Statement
from hpc_explorer.query.model.places import Place
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable, is_resource
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.query.facet_panel import FacetPanel

CALM = 250
"""Milliseconds before an endpoint is asked, because another click may follow."""

_ANYTHING = building.new_query(None)
"""The focus while the query is empty."""


class Suggestions(QObject):
    """Requests the visible lists separately, so that a failure affects one list only.

    Signals:
        described(Resource): a value to show in the inspector.
    """

    described = Signal(object)

    def __init__(self, builder: Builder, panel: FacetPanel, bridge: SessionBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._builder = builder
        self._panel = panel
        self._bridge = bridge
        self._beside: tuple[int, Place, Statement] | None = None
        self._units: dict[Variable, NamedNode | None] = {}
        self._as_list: set[Variable] = set()
        self._values: SuggestedValues | None = None
        self._about: dict[Facet, Variable | None] = {}
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._ask_all)
        panel.searched.connect(lambda _: self._ask_all())
        panel.class_wanted.connect(self._while_about(Facet.CLASSES, self._add_class))
        panel.property_wanted.connect(self._while_about(Facet.PROPERTIES, self._add_property))
        panel.value_wanted.connect(self._while_about(Facet.VALUES, self._toggle_value))
        panel.only_wanted.connect(self._while_about(Facet.VALUES, self._ask_for_this_only))
        panel.excluded.connect(self._while_about(Facet.VALUES, self._exclude))
        panel.excludes_changed.connect(self._turn_values)
        panel.described.connect(self._describe)
        panel.subclasses_changed.connect(lambda: self._ask(Facet.CLASSES))
        panel.match_wanted.connect(self._while_about(Facet.MATCHES, self._add_match))
        panel.more_wanted.connect(self._ask)
        panel.again_wanted.connect(self._ask)
        panel.range.compared.connect(self._set_range)
        panel.range.unit_wanted.connect(self._set_unit)
        panel.range.list_wanted.connect(self._list_values)

    @property
    def is_waiting(self) -> bool:
        """Whether a request is about to start."""
        return self._pause.isActive() or self._panel.is_waiting_to_search

    # Requests

    def follow(self, *, calmly: bool) -> None:
        """Request the suggestions for the current query.

        Args:
            calmly: wait a little, because another click may follow.
        """
        self._panel.clear_search()
        self._drop()
        if self._builder.state.focus is None:
            self._panel.show_beginning(Facet.CLASSES)
        if calmly:
            self._pause.start(CALM)
        else:
            self._ask_all()

    def _ask_all(self) -> None:
        self._pause.stop()
        if self._builder.state.focus is None:
            self._drop()
            self._ask(self._panel.beginning or Facet.CLASSES)
            return
        self._panel.show_whole()
        for facet in (Facet.CLASSES, Facet.PROPERTIES, Facet.VALUES):
            self._ask(facet)
        if self._panel.words:
            self._ask(Facet.MATCHES)

    def _ask(self, facet: Facet, offset: int = 0) -> None:
        focused = self._builder.focused or _ANYTHING
        generation, words = self._builder.generation, self._panel.words
        if not offset:
            self._panel.lists[facet].show_waiting()

        def done(found: Suggested) -> None:
            if generation == self._builder.generation and words == self._panel.words:
                self._show(facet, found, begins=not offset)

        def failed(error: BaseException) -> None:
            if generation == self._builder.generation:
                if facet is Facet.VALUES:
                    self._panel.show_range(False)
                self._panel.lists[facet].show_error(_why(error))

        unit = self._units.get(focused.focus)
        self._bridge.run(
            suggested,
            facet,
            focused,
            words,
            offset,
            unit,
            self._panel.subclasses.value,
            title=f"Look for {facet.value.lower()}",
            on_result=done,
            on_error=failed,
            replaces=facet,
        )

    def _drop(self) -> None:
        self._bridge.drop(*Facet)

    def _show(self, facet: Facet, found: Suggested, *, begins: bool) -> None:
        if begins:
            if facet is Facet.VALUES:
                self._show_exclusion()
            self._about[facet] = self._builder.state.focus
        if isinstance(found, SuggestedValues) and begins:
            self._values = found
            focus = self._builder.state.focus
            as_range = found.choice is not None and focus not in self._as_list and not self._panel.words
            if as_range and found.choice is not None:
                self._panel.range.show_choice(found.choice)
            self._panel.show_range(as_range)
        self._panel.show_rows(facet, found.rows, found.total, has_more=found.has_more, begins=begins)
        if begins and not found.rows and not self._panel.words and self._panel.beginning is Facet.CLASSES:
            # Without any classes, properties are offered first.
            self._panel.show_beginning(Facet.PROPERTIES)
            self._ask(Facet.PROPERTIES)

    def _show_exclusion(self) -> None:
        """Show whether the ticked values are excluded; the choice stays while the list is about the same variable."""
        focused = self._builder.focused
        if focused is not None and asked_values(focused):
            self._panel.exclusion.set_value(excludes_values(focused))
        elif self._about.get(Facet.VALUES) != self._builder.state.focus:
            self._panel.exclusion.set_value(False)

    # Steps

    def _while_about(self, facet: Facet, step: Callable[..., None]) -> Callable[..., None]:
        """Ignore a click if the list is still about an earlier focus."""

        def take(*chosen: object) -> None:
            if self._about.get(facet) == self._builder.state.focus:
                step(*chosen)

        return take

    def _step(self, step: Callable[[FocusedQuery], FocusedQuery], words: str) -> None:
        focused = _ANYTHING if self._builder.state.is_empty else self._builder.focused
        if focused is None:
            return
        try:
            self._builder.change(step(focused), words)
        except ExplorerError as error:
            self._bridge.failed.emit(words, error)

    def begin_alternative(self, place: Place, statement: Statement) -> None:
        """Add the next chosen class or property as an alternative to the statement at a place."""
        self._beside = self._builder.generation, place, statement

    def _take_alternative(self, row: FacetRow, other: Statement) -> bool:
        """Add the chosen row as an alternative; return whether one was expected."""
        if self._beside is None or self._beside[0] != self._builder.generation:
            return False
        _, place, _ = self._beside
        self._beside = None
        self._step(
            lambda focused: FocusedQuery(building.with_alternative(focused.query, place, other), focused.focus),
            f"or “{_named(row)}”",
        )
        return True

    def _add_class(self, row: FacetRow) -> None:
        if isinstance(row.key, ClassNode):
            self._begin_with(row.key)
            return
        option: ClassOption = row.key  # type: ignore[assignment]  # the rows of this list
        if self._beside is not None:
            self._builder.learn(option.class_, row.label)
            subject = self._beside[2].subject
            path = INSTANCE_PATH if self._panel.subclasses.value else RDF.type
            if self._take_alternative(row, Statement(subject, path, option.class_)):
                return
        if self._builder.state.focus is None:
            self._builder.ask_about(option.class_, row.label, {})
            return
        self._builder.learn(option.class_, row.label)
        everything = self._panel.subclasses.value
        self._step(
            lambda focused: building.with_class(focused, option.class_, below=option.below, with_subclasses=everything),
            f"add “{_named(row)}”",
        )

    def _begin_with(self, node: ClassNode) -> None:
        """Begin a question about the instances of a class, as many as its row says."""
        class_, generation = node.ref.resource, self._builder.generation
        if not isinstance(class_, NamedNode):
            return
        if not self._panel.subclasses.value:
            same = {ref.resource: ref.label for ref in (node.ref, *node.equivalents) if node.equivalents}
            below = {one: label for one, label in same.items() if isinstance(one, NamedNode)}
            self._builder.ask_about(class_, node.ref.label, below, with_subclasses=False)
            return

        def done(below: Mapping[NamedNode, str]) -> None:
            if generation == self._builder.generation:
                self._builder.ask_about(class_, node.ref.label, below)

        self._bridge.run(
            subclasses_to_ask, node, title="Count the instances", on_result=done, replaces="query to begin with"
        )

    def _add_property(self, row: FacetRow, mode: Mode, repeated: bool) -> None:
        option: PropertyOption = row.key  # type: ignore[assignment]  # the rows of this list
        self._builder.learn(option.property, row.label)
        self._panel.modes.set_value(Mode.REQUIRED)
        if self._beside is not None:
            subject, other = self._beside[2].subject, self._beside[2].object
            ends = (subject, other) if option.direction is Direction.FORWARD else (other, subject)
            if self._take_alternative(row, Statement(ends[0], option.property, ends[1])):
                return
        name = row.label if option.direction is Direction.FORWARD else f"{row.label} of"
        how = {Mode.REQUIRED: "add", Mode.OPTIONAL: "add optional", Mode.ABSENT: "exclude"}[mode]
        self._step(
            lambda focused: building.with_property(
                focused, option.property, option.direction, mode=mode, name=name, repeated=repeated
            ),
            f"{how} “{_named(row)}”",
        )

    def _add_match(self, row: FacetRow) -> None:
        match: ValueMatch = row.key  # type: ignore[assignment]  # the rows of this list
        label, _, value = row.label.partition(": ")
        self._builder.learn(match.property, label)
        if isinstance(match.value, NamedNode):
            self._builder.learn(match.value, value)
        self._step(
            lambda focused: building.with_property_value(
                focused, match.property, match.direction, match.value, name=label
            ),
            f"add “{_named(row)}”",
        )

    def _toggle_value(self, row: FacetRow) -> None:
        option: ValueOption = row.key  # type: ignore[assignment]  # the rows of this list
        asked = self._asked_values()
        if option.value in asked:
            self._ask_for_values(tuple(one for one in asked if one != option.value), f"remove “{_named(row)}”")
        else:
            if isinstance(option.value, NamedNode):
                self._builder.learn(option.value, row.label)
            how = "exclude" if self._panel.exclusion.value else "add"
            self._ask_for_values((*asked, option.value), f"{how} “{_named(row)}”")

    def _asked_values(self) -> tuple[NamedNode | Literal, ...]:
        focused = self._builder.focused
        return asked_values(focused) if focused is not None else ()

    def _ask_for_values(self, values: tuple[NamedNode | Literal, ...], words: str) -> None:
        excluded = self._panel.exclusion.value
        self._step(lambda focused: building.with_values(focused, values, excluded=excluded), words)

    def _turn_values(self, excluded: bool) -> None:
        """Exclude the ticked values, or ask for them."""
        values = self._asked_values()
        if values:
            self._ask_for_values(values, "exclude the ticked values" if excluded else "ask for the ticked values")

    def _exclude(self, row: FacetRow) -> None:
        option: ValueOption = row.key  # type: ignore[assignment]  # the rows of this list
        focused = self._builder.focused
        before = asked_values(focused) if focused is not None and excludes_values(focused) else ()
        if isinstance(option.value, NamedNode):
            self._builder.learn(option.value, row.label)
        self._panel.exclusion.set_value(True)
        self._ask_for_values((*before, option.value), f"exclude “{_named(row)}”")

    def _ask_for_this_only(self, row: FacetRow) -> None:
        option: ValueOption = row.key  # type: ignore[assignment]  # the rows of this list
        self._panel.exclusion.set_value(False)
        self._ask_for_values((option.value,), f"only “{_named(row)}”")

    def _describe(self, row: FacetRow) -> None:
        option: ValueOption = row.key  # type: ignore[assignment]  # the rows of this list
        if is_resource(option.value):
            self.described.emit(option.value)

    # Ranges

    def _set_range(self, asked: Asked) -> None:
        values = self._values
        if values is None or values.choice is None or values.spread is None:
            return
        spread = values.spread
        if asked.least and asked.most:
            words = f"set the range {asked.least} to {asked.most} {values.choice.unit}"
        elif asked.least or asked.most:
            words = f"set {asked.how.value} {asked.least}{asked.most} {values.choice.unit}"
        else:
            words = "remove the comparison"
        self._step(lambda focused: with_bounds(focused, spread, asked), words.rstrip())

    def _set_unit(self, unit: str) -> None:
        focus, values = self._builder.state.focus, self._values
        if focus is not None and values is not None and values.spread is not None:
            self._units[focus] = next((one.iri for one in values.spread.units if one.symbol == unit), None)
            self._ask(Facet.VALUES)

    def _list_values(self) -> None:
        if self._builder.state.focus is not None:
            self._as_list.add(self._builder.state.focus)
            self._panel.show_range(False)


def _named(row: FacetRow) -> str:
    return brief(row.label, NAMED_LENGTH)


def _why(error: BaseException) -> str:
    if isinstance(error, Cancelled):
        return "Stopped."
    if isinstance(error, ServerNotAllowed):
        return f"The query asks {error.where}, which is not allowed."
    text = str(error) if isinstance(error, ExplorerError) else f"{type(error).__name__}: {error}"
    return f"The list could not be loaded: {text}"
