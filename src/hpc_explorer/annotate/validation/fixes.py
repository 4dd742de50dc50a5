"""Fixes for findings, as changes of the graph.

Fixes do not guess: a text becomes a number only if it is one, and a unit only if its name is unambiguous.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from hpc_explorer.annotate.forms.entries import read_entry
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget, kind_of_datatype
from hpc_explorer.annotate.forms.values import Node
from hpc_explorer.annotate.validation.findings import Fix, Result
from hpc_explorer.annotate.validation.messages import Names, shown
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.rdf.datatypes import INTEGERS, NUMBERS
from hpc_explorer.rdf.lexical import is_well_formed
from hpc_explorer.rdf.namespaces import QUDT, RDF, SH, UNIT, XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, known_units
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, is_resource
from hpc_explorer.stores.changes.changes import ChangeSet

# Most surplus values for which keeping one is offered.
_FEW = 6

# Number of quantities inspected to find the usual unit of a property.
_OTHERS = 50


_LANGUAGES = (("en", "English"), ("de", "German"), ("fr", "French"))


def fixes_of(result: Result, view: GraphView, shapes: Shapes, names: Names) -> tuple[Fix, ...]:
    """The fixes for a finding, the likeliest first; empty for a literal target."""
    if not is_resource(result.focus):
        return ()
    maker = _Maker(result, result.focus, view, shapes, names)
    found: dict[str, Fix] = {}
    for fix in maker.fixes():
        found.setdefault(fix.kind + fix.words, fix)
    return tuple(found.values())


class _Maker:
    """Makes the fixes of one finding."""

    def __init__(self, result: Result, focus: Resource, view: GraphView, shapes: Shapes, names: Names) -> None:
        self._result = result
        self._focus = focus
        self._view = view
        self._shapes = shapes
        self._names = names

    def fixes(self) -> Iterator[Fix]:
        """All fixes, the likeliest first; may repeat."""
        value = self._result.value
        match self._result.component:
            case SH.DatatypeConstraintComponent | SH.OrConstraintComponent | SH.LanguageInConstraintComponent:
                if isinstance(value, Literal):
                    yield from self._other_literals(value)
                elif isinstance(value, NamedNode) and XSD.anyURI in self._datatypes():
                    yield from self._replaced(
                        value, Literal(value.value, datatype=XSD.anyURI), "Write it as an address", "address"
                    )
                if is_resource(value):
                    yield from self._typed(value)
            case SH.ClassConstraintComponent | SH.NodeConstraintComponent:
                if isinstance(value, Literal):
                    yield from self._node_for(value)
                elif is_resource(value):
                    yield from self._known_unit(value)
                    yield from self._typed(value)
            case SH.NodeKindConstraintComponent:
                if isinstance(value, Literal):
                    yield from self._node_for(value)
            case SH.InConstraintComponent:
                yield from self._as_listed(value)
            case SH.MaxCountConstraintComponent:
                yield from self._kept_one()
            case SH.MinCountConstraintComponent:
                yield from self._usual_unit()

    # Literals

    def _other_literals(self, value: Literal) -> Iterator[Fix]:
        is_number = False
        for datatype in self._datatypes():
            # The first fitting numeric datatype; the others would give the same fix.
            if datatype in NUMBERS and is_number:
                continue
            if datatype == RDF.langString and value.language is None:
                for tag, name in self._languages():
                    yield from self._replaced(
                        value, Literal(value.value, language=tag), f"Say that it is {name}", f"language {tag}"
                    )
                continue
            spelled = _spelled_as(value, datatype)
            if spelled is not None and spelled != value:
                is_number = is_number or datatype in NUMBERS
                words = f"Write it as {_DATATYPE_WORDS.get(datatype, local_name(datatype.value))}: {shown(spelled)}"
                yield from self._replaced(value, spelled, words, f"retype {datatype.value}")
        if self._result.component == SH.LanguageInConstraintComponent and value.language is None:
            for tag, name in self._languages():
                yield from self._replaced(
                    value, Literal(value.value, language=tag), f"Say that it is {name}", f"language {tag}"
                )

    def _languages(self) -> Iterator[tuple[str, str]]:
        named = dict(_LANGUAGES)
        allowed = [one.value for one in self._shapes.terms(self._result.source, SH.languageIn)]
        yield from ((tag, named.get(tag, tag)) for tag in allowed) if allowed else _LANGUAGES

    def _datatypes(self) -> list[NamedNode]:
        return [one for one in self._wanted(SH.datatype) if isinstance(one, NamedNode)]

    def _wanted(self, parameter: NamedNode) -> list[Term]:
        """The values of a parameter in a shape, its alternatives, or another shape of the property."""
        for shape in (self._result.source, *self._shapes.siblings(self._result.source)):
            found = self._shapes.terms(shape, parameter)
            for part in self._shapes.terms(shape, SH.term("or")):
                if is_resource(part):
                    found += self._shapes.terms(part, parameter)
            if found:
                return list(dict.fromkeys(found))
        return []

    def _as_listed(self, value: Term | None) -> Iterator[Fix]:
        if not isinstance(value, Literal):
            return
        same = " ".join(value.value.split()).casefold()
        for choice in self._shapes.terms(self._result.source, SH.term("in")):
            if " ".join(choice.value.split()).casefold() == same:
                yield from self._replaced(value, choice, f"Write {shown(choice)}", f"choice {choice}")

    # Nodes

    def _node_for(self, value: Literal) -> Iterator[Fix]:
        """Fixes that replace a text by a link or a quantity."""
        unit = _unit_named(value.value) if self._is_unit() else None
        if unit is not None:
            yield from self._replaced(
                value, unit, f"Link to the unit {known_units()[unit].label}", f"unit {unit.value}"
            )
            return
        if QUDT.QuantityValue in self._wanted(SH.term("class")):
            yield from self._quantity_for(value)
            return
        try:
            link = read_entry(value.value, ValueKind(Widget.LINK))
        except ExplorerError:
            return
        if isinstance(link, NamedNode):
            yield from self._replaced(value, link, f"Make it a link to {local_name(link.value)}", "link")

    def _quantity_for(self, value: Literal) -> Iterator[Fix]:
        try:
            node = read_entry(value.value, ValueKind(Widget.QUANTITY))
        except ExplorerError:
            unit = self._unit_of_others()
            if unit is None:
                return
            try:
                node = read_entry(f"{value.value} {known_units()[unit].symbol}", ValueKind(Widget.QUANTITY))
            except ExplorerError:
                return
        if not isinstance(node, Node) or node.quantity is None:
            return
        blank = BlankNode()
        for quad in self._quads(value):
            facts = tuple(Quad(blank, said, about, quad.graph_name) for said, about in sorted(node.facts, key=str))
            link = Quad(quad.subject, quad.predicate, blank, quad.graph_name)
            words = f"Make it a quantity: {node.quantity}"
            yield Fix(words, ChangeSet((quad,), (link, *facts), words), "quantity")

    def _typed(self, value: Resource) -> Iterator[Fix]:
        classes = [one for one in self._wanted(SH.term("class")) if isinstance(one, NamedNode)]
        if self._is_unit():
            return
        for cls in classes:
            for quad in islice(self._quads(value), 1):
                label = self._names.class_label(cls)
                words = f"Say that {shown(value)} is a {label}"
                added = Quad(value, RDF.type, cls, quad.graph_name)
                yield Fix(words, ChangeSet((), (added,), words), f"type {cls.value}")

    def _known_unit(self, value: Resource) -> Iterator[Fix]:
        if not isinstance(value, NamedNode) or not self._is_unit():
            return
        unit = _unit_named(local_name(value.value))
        if unit is not None and unit != value:
            yield from self._replaced(value, unit, f"Use the unit {known_units()[unit].label}", f"unit {unit.value}")

    def _usual_unit(self) -> Iterator[Fix]:
        """The fix for a missing unit: the unit of other quantities of the property."""
        if not self._is_unit():
            return
        unit = self._unit_of_others()
        if unit is None:
            return
        words = f"Use {known_units()[unit].label}, as others have it"
        for quad in islice(self._view.statements(self._focus, None, None), 1):
            added = Quad(self._focus, QUDT.unit, unit, quad.graph_name)
            yield Fix(words, ChangeSet((), (added,), words), f"unit {unit.value}")

    def _unit_of_others(self) -> NamedNode | None:
        """The usual unit of the property; None if there are several or none."""
        focus, path = self._focus, self._result.path
        if path is None or self._is_unit():
            path = next((predicate for _, predicate in self._view.linking(None, focus)), None)
        if path is None:
            return None
        others = islice(self._view.statements(None, path, None), _OTHERS)
        nodes = [quad.object for quad in others if is_resource(quad.object) and quad.object != focus]
        self._view.fetch(nodes)
        units = Counter(
            unit
            for node in nodes
            for predicate in UNIT_PREDICATES
            for unit in self._view.objects(node, predicate)
            if isinstance(unit, NamedNode) and unit in known_units()
        )
        return next(iter(units)) if len(units) == 1 else None

    def _is_unit(self) -> bool:
        """Whether the finding is about the unit of a quantity."""
        return not set(self._shapes.properties(self._result.source)).isdisjoint(UNIT_PREDICATES)

    # Statements

    def _kept_one(self) -> Iterator[Fix]:
        most = [one.value for one in self._shapes.literals(self._result.source, SH.maxCount)]
        path = self._result.path
        if most != ["1"] or path is None:
            return
        values = self._view.objects(self._focus, path)
        if len(values) > _FEW:
            return
        for kept in values:
            gone = [quad for value in values if value != kept for quad in self._quads(value)]
            gone += [quad for value in values if value != kept for quad in self._orphaned(value)]
            words = f"Keep only {self._told(kept)}"
            yield Fix(words, ChangeSet(tuple(dict.fromkeys(gone)), (), words), f"keep {kept}")

    def _told(self, value: Term) -> str:
        if isinstance(value, BlankNode):
            facts = frozenset((said, one) for said, values in self._view.said(value).items() for one in values)
            quantity = Node(facts).quantity
            if quantity is not None:
                return str(quantity)
        return shown(value)

    def _orphaned(self, value: Term) -> Iterator[Quad]:
        """The statements of a blank node value without other references."""
        if isinstance(value, BlankNode) and sum(1 for _ in islice(self._view.linking(None, value), 2)) == 1:
            yield from self._view.statements(value, None, None)

    def _replaced(self, old: Term, new: Term, words: str, kind: str) -> Iterator[Fix]:
        quads = tuple(self._quads(old))
        if quads:
            added = tuple(Quad(quad.subject, quad.predicate, new, quad.graph_name) for quad in quads)
            yield Fix(words, ChangeSet(quads, added, words), kind)

    def _quads(self, value: Term) -> Iterator[Quad]:
        """The statements that give the focus node this value."""
        path = self._result.path
        if path is not None:
            yield from self._view.statements(self._focus, path, value)
            return
        for quad in self._view.statements(self._focus, None, value):
            if quad.predicate != RDF.type:
                yield quad


_DATATYPE_WORDS = {
    XSD.string: "text",
    XSD.integer: "a whole number",
    XSD.decimal: "a number",
    XSD.double: "a number",
    XSD.float: "a number",
    XSD.boolean: "yes or no",
    XSD.date: "a date",
    XSD.dateTime: "a date with its time",
    XSD.anyURI: "an address",
}


_WITHOUT_DECIMALS = re.compile(r"([+-]?\d+)\.0*", re.ASCII)


def _spelled_as(value: Literal, datatype: NamedNode) -> Literal | None:
    """A text as a literal of another datatype, or None.

    Conversions that lose information are excluded: date and time to date, decimal to integer.
    """
    if datatype in (XSD.string, RDF.langString):
        return Literal(value.value) if datatype == XSD.string else None
    if is_well_formed(value.value, datatype):
        return Literal(value.value, datatype=datatype)
    whole = _WITHOUT_DECIMALS.fullmatch(value.value.strip())
    if whole is not None and datatype in INTEGERS and value.datatype in NUMBERS:
        return Literal(whole[1], datatype=datatype) if is_well_formed(whole[1], datatype) else None
    try:
        entry = read_entry(value.value, kind_of_datatype(datatype))
    except ExplorerError:
        return None
    return entry if isinstance(entry, Literal) and is_well_formed(entry.value, datatype) else None


def _unit_named(text: str) -> NamedNode | None:
    """The only unit with this symbol, label or local name, ignoring case."""
    wanted = _folded(text.rsplit("/", 1)[-1].removeprefix("unit:"))
    found = {
        iri
        for iri, unit in known_units().items()
        for name in (unit.symbol, unit.label, iri.value.removeprefix(UNIT))
        if _folded(name) == wanted
    }
    exact = {iri for iri, unit in known_units().items() if unit.symbol == text.strip()}
    return next(iter(exact)) if len(exact) == 1 else next(iter(found)) if len(found) == 1 else None


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum() or letter in "/%")


def reaches_beyond(change: ChangeSet, subjects: Collection[Resource]) -> bool:
    """Whether a change can affect findings at other resources.

    True if it changes another resource, or the types of these, which affects resources that link to them.
    """
    return any(
        isinstance(quad.subject, NamedNode) and (quad.subject not in subjects or quad.predicate == RDF.type)
        for quad in (*change.removed, *change.added)
    )


def first_of_kind(fixes: Iterable[Fix], kind: str) -> Fix | None:
    """The fix of a kind, if present."""
    return next((fix for fix in fixes if fix.kind == kind), None)
