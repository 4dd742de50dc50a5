"""Shows the findings of the shapes at the fields, with their fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QWidget

from hpc_explorer.annotate.forms.entries import entry_text
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.values import Value
from hpc_explorer.annotate.validation.findings import Finding, Fix, Severity
from hpc_explorer.app.forms.changes import LinkClass
from hpc_explorer.app.forms.entry import Entry, language_of
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.saving import check_typed
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.rdf.namespaces import RDF, PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Resource, Triple
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.fields import FormFields
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL

MOST_AT_A_FIELD = 3
"""The maximum number of findings at a field."""

_SEVERITIES = {Severity.VIOLATION: "error", Severity.WARNING: "warning", Severity.INFO: "info"}


class FormFindings:
    """Validates a form and shows the findings at its fields.

    Args:
        apply: takes a form with a fix typed into it.
        make: makes a fix that cannot be typed, such as one inside a quantity, as an edit.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        fields: FormFields,
        apply: Callable[[Filling], None],
        make: Callable[[Fix], None],
    ) -> None:
        self._bridge, self._fields, self._fix, self._make = bridge, fields, apply, make
        self.found: tuple[Finding, ...] = ()

    def drop(self) -> None:
        """Cancel the validation, and show no findings."""
        self._bridge.drop("form findings")
        self.found = ()
        self._fields.say_below({})

    def ask(self, view: FormView, filling: Filling, subject: Resource, prefixes: PrefixMap) -> None:
        """Validate the resource as it would be after saving."""
        is_typed = filling.is_new or filling.is_changed(prefixes)

        def show(found: tuple[Finding, ...]) -> None:
            self.found = found
            self._show(filling, subject, prefixes, is_typed=is_typed)

        self._bridge.run(
            check_typed,
            subject,
            view,
            filling if is_typed else None,
            title="Check the form",
            on_result=show,
            replaces="form findings",
        )

    def _show(self, filling: Filling, subject: Resource, prefixes: PrefixMap, *, is_typed: bool) -> None:
        said: dict[NamedNode, list[QWidget]] = {}
        for link in filling.link_classes:
            place = filling.linking_to(link.statement.subject, prefixes)
            if place is not None:
                leave = _with(self._fix, filling.without_link_class(link))
                words = f"{link.words}: saved with this form"
                said.setdefault(place.predicate, []).append(_line(words, "info", [("Leave it as it is", leave)]))
        beyond: Counter[NamedNode] = Counter()
        # What is about the resource as a whole stands at the first field, behind the field's own.
        for finding in sorted(self.found, key=lambda one: one.field is None or filling.field(one.field) is None):
            field = None if finding.field is None else filling.field(finding.field)
            predicate = finding.field if field is not None else self._fields.first
            if predicate is None:
                continue
            if len(said.get(predicate, ())) >= MOST_AT_A_FIELD:
                beyond[predicate] += 1
                continue
            fixes = []
            for fix in finding.fixes:
                fixed = filled_with(fix, filling, subject, prefixes)
                if fixed is not None:
                    fixes.append((fix.words, _with(self._fix, fixed)))
                elif not is_typed:
                    fixes.append((fix.words, _made(self._make, fix)))
            said.setdefault(predicate, []).append(_line(finding.message, _SEVERITIES[finding.severity], fixes))
        for predicate, number in beyond.items():
            said[predicate].append(_line(f"{number} more, which come into sight as these are fixed", "info", []))
        self._fields.say_below(said)


def filled_with(fix: Fix, filling: Filling, subject: Resource, prefixes: PrefixMap) -> Filling | None:
    """The form with a fix typed into it; None if the fix changes more than its fields and classes."""
    if fix.change.added and all(quad.predicate == RDF.type for quad in (*fix.change.removed, *fix.change.added)):
        return _with_classes(fix, filling, subject)
    touched: dict[NamedNode, list[Value]] = {}
    for quad in (*fix.change.removed, *fix.change.added):
        if quad.subject != subject or isinstance(quad.object, Triple) or quad.predicate == RDF.type:
            return None
        field = filling.field(quad.predicate)
        if field is None:
            return None
        if quad.predicate not in touched:
            touched[quad.predicate] = list(_values(field, filling, prefixes))
    for quad in fix.change.removed:
        if quad.object in touched[quad.predicate]:
            touched[quad.predicate].remove(quad.object)  # type: ignore[arg-type]  # no quoted triples, as seen above
    for quad in fix.change.added:
        touched[quad.predicate].append(quad.object)  # type: ignore[arg-type]  # likewise
    for predicate, values in touched.items():
        field = filling.field(predicate)
        if field is not None:
            filling = filling.with_entries(predicate, [_entry(field, value) for value in values])
    return filling


def _with_classes(fix: Fix, filling: Filling, subject: Resource) -> Filling | None:
    """The form with the classes that a fix adds to its resource or to linked ones."""
    if fix.change.removed:
        return None
    for quad in fix.change.added:
        if quad.subject != subject:
            filling = filling.with_link_class(LinkClass(quad, fix.words))
        elif isinstance(quad.object, NamedNode):
            filling = filling.with_class(quad.object)
    return filling


def _values(field: Field, filling: Filling, prefixes: PrefixMap) -> Sequence[Value]:
    read = replace(filling, entries={field.predicate: filling.entries_of(field)}).values(prefixes)
    return read.get(field.predicate, ())


def _entry(field: Field, value: Value) -> Entry:
    before = value if value in field.values else None
    return Entry(entry_text(value), field.kind_of(value), language_of(value), before)


def _with(apply: Callable[[Filling], None], filling: Filling) -> Callable[[], None]:
    # The line with the button that was pressed goes with the fields that are made anew: not before it is through.
    return lambda: QTimer.singleShot(0, lambda: apply(filling))


def _made(make: Callable[[Fix], None], fix: Fix) -> Callable[[], None]:
    return lambda: make(fix)


def _line(text: str, severity: str, fixes: Sequence[tuple[str, Callable[[], None]]]) -> QWidget:
    """A finding below a field, with a button for each fix.

    Args:
        severity: "error", "warning" or "info".
    """
    made = QFrame()
    made.setObjectName("finding")
    made.setProperty("severity", severity)
    column = column_in(made, GRID, 0, 0, 0, spacing=2)
    column.addWidget(TextBlock(text, size=SMALL))
    for words, apply in fixes:
        link = LinkBlock(words, size=SMALL)
        link.clicked.connect(apply)
        column.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
    return made
