"""Messages of findings in plain English: the shape's own, or one made from its constraints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from hpc_explorer.annotate.validation.findings import Result
from hpc_explorer.annotate.validation.literals import compares
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.ontology.labels import local_name, preferred_text
from hpc_explorer.query.sentence.wording import with_article
from hpc_explorer.rdf.lexical import is_well_formed
from hpc_explorer.rdf.namespaces import RDF, SH, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term

_DATATYPES = {
    XSD.string: "a text",
    RDF.langString: "a text with its language",
    XSD.integer: "a whole number",
    XSD.decimal: "a number",
    XSD.double: "a number (xsd:double)",
    XSD.float: "a number (xsd:float)",
    XSD.boolean: "yes or no (true, false)",
    XSD.date: "a date, such as 2021-06-30",
    XSD.dateTime: "a date with its time, such as 2021-06-30T09:30:00Z",
    XSD.time: "a time, such as 09:30:00",
    XSD.duration: "a duration, such as PT2H30M",
    XSD.anyURI: "an address (xsd:anyURI)",
}

_NODE_KINDS = {
    SH.IRI: "a link",
    SH.BlankNode: "a value of its own",
    SH.Literal: "a text, number or date",
    SH.BlankNodeOrIRI: "a link",
    SH.BlankNodeOrLiteral: "a value, not a link",
    SH.IRIOrLiteral: "a link, text, number or date",
}

# Longest text shown in a message.
_LONGEST = 60


class Names(Protocol):
    """Labels of classes and properties."""

    def class_label(self, cls: NamedNode) -> str:
        """The label of a class."""
        ...

    def property_label(self, predicate: NamedNode) -> str:
        """The label of a property."""
        ...


def message_of(
    result: Result, shapes: Shapes, names: Names, within: NamedNode | None = None, details: Sequence[str] = ()
) -> str:
    """The message of a result, starting with its subject.

    Args:
        within: the property whose value is the focus node, such as a power without a unit.
        details: the messages of a nested shape.
    """
    about = _about(result, shapes, names)
    if within is not None:
        label = names.property_label(within)
        about = f"{label[:1].upper()}{label[1:]}" + (f", {about[:1].lower()}{about[1:]}" if about else "")
    own = preferred_text(shapes.literals(result.source, SH.message))
    words = own or _words(result, shapes, names, details)
    return f"{about}: {words}" if about else words[:1].upper() + words[1:]


def _about(result: Result, shapes: Shapes, names: Names) -> str:
    """The label of the property by its shape or the ontology."""
    for shape in (result.source, *shapes.siblings(result.source)):
        name = preferred_text(shapes.literals(shape, SH.name))
        if name:
            return name
    label = _path_label(result, shapes, names) if result.path is None else names.property_label(result.path)
    return label[:1].upper() + label[1:]


def _path_label(result: Result, shapes: Shapes, names: Names) -> str:
    """The label of an alternative or inverse path; empty for other paths."""
    steps: list[str] = []
    for step in shapes.terms(result.source, SH.path):
        back = shapes.terms(step, SH.inversePath) if isinstance(step, BlankNode) else []
        for one in back or [step]:
            if not isinstance(one, NamedNode):
                return ""
            steps.append(f"{names.property_label(one)} (of others)" if back else names.property_label(one))
    return " › ".join(steps)


def _words(result: Result, shapes: Shapes, names: Names, details: Sequence[str]) -> str:
    shape, value = result.source, "" if result.value is None else shown(result.value)

    def number(predicate: NamedNode) -> int:
        return next((int(one.value) for one in shapes.literals(shape, predicate) if one.value.lstrip("+").isdigit()), 1)

    def given(parameter: str) -> str:
        return _listed([shown(one) for one in shapes.terms(shape, SH.term(parameter))])

    def bounded(parameter: NamedNode, beyond: str) -> str:
        bounds, found = shapes.terms(shape, parameter), result.value
        orders = [(found, one) if beyond == "less" else (one, found) for one in bounds if found is not None]
        said = (
            f"is {beyond} than"
            if any(compares(one, "<", other) for one, other in orders)
            else "cannot be compared with"
        )
        return f"{value} {said} {_listed([shown(one) for one in bounds])}"

    def others(parameter: str) -> str:
        terms = shapes.terms(shape, SH.term(parameter))
        return _listed([names.property_label(one) for one in terms if isinstance(one, NamedNode)])

    def counted(bound: str, parameter: NamedNode, verb: str) -> str:
        kind = _any(_alternatives(shapes.terms(shape, SH.qualifiedValueShape), shapes, names))
        return f"{bound} {number(parameter)} of the values {verb} be {kind}"

    match result.component:
        case SH.MinCountConstraintComponent:
            least = number(SH.minCount)
            return "missing: add at least one" if least == 1 else f"fewer than {least}: add more"
        case SH.MaxCountConstraintComponent:
            most = number(SH.maxCount)
            return "there is more than one: keep one" if most == 1 else f"more than {most}: remove some"
        case SH.DatatypeConstraintComponent:
            wanted = list(shapes.terms(shape, SH.datatype))
            if isinstance(result.value, Literal) and result.value.language is not None and wanted == [XSD.string]:
                return f"{value} is in {result.value.language}: it should be a text without a language"
            words = _any(map(_datatype, wanted))
            # “4608” looks like an integer, so the message says that it is a text.
            as_text = any(_is_only_spelled_so(result.value, one) for one in wanted)
            return f"{value} is written as a text, not as {words}" if as_text else f"{value} is not {words}"
        case SH.ClassConstraintComponent:
            return f"{value} is not {_any(_class(one, names) for one in shapes.terms(shape, SH.term('class')))}"
        case SH.NodeKindConstraintComponent:
            kinds = (_NODE_KINDS.get(one, "as wanted") for one in shapes.terms(shape, SH.nodeKind))  # type: ignore[arg-type]  # any term
            return f"{value} is not {_any(kinds)}"
        case SH.InConstraintComponent:
            allowed = [shown(one) for one in shapes.terms(shape, SH.term("in"))]
            return f"{value} is not one of {_listed(allowed)}"
        case SH.PatternConstraintComponent:
            patterns = [one.value for one in shapes.literals(shape, SH.pattern)]
            return f"{value} does not match the pattern ({_listed(patterns)})"
        case SH.MinInclusiveConstraintComponent:
            return bounded(SH.minInclusive, "less")
        case SH.MaxInclusiveConstraintComponent:
            return bounded(SH.maxInclusive, "more")
        case SH.MinExclusiveConstraintComponent:
            return f"{value} is not more than {given('minExclusive')}"
        case SH.MaxExclusiveConstraintComponent:
            return f"{value} is not less than {given('maxExclusive')}"
        case SH.MinLengthConstraintComponent:
            return f"{value} has fewer than {number(SH.minLength)} characters"
        case SH.MaxLengthConstraintComponent:
            return f"{value} has more than {number(SH.maxLength)} characters"
        case SH.LanguageInConstraintComponent:
            tags = [one.value for one in shapes.terms(shape, SH.languageIn)]
            tagged = isinstance(result.value, Literal) and result.value.language is not None
            is_so = f"is in {result.value.language}" if tagged else "has no language"  # type: ignore[union-attr]  # a text
            return f"{value} {is_so}: it should be in {_any(tags)}"
        case SH.UniqueLangConstraintComponent:
            return "two texts are in the same language: keep one of each"
        case SH.LessThanConstraintComponent:
            return f"{value} is not less than {others('lessThan')}"
        case SH.LessThanOrEqualsConstraintComponent:
            return f"{value} is more than {others('lessThanOrEquals')}"
        case SH.EqualsConstraintComponent:
            return f"it should have the same values as {others('equals')}"
        case SH.DisjointConstraintComponent:
            return f"{value} is a value of {others('disjoint')} too"
        case SH.HasValueConstraintComponent:
            return f"{given('hasValue')} is missing"
        case SH.ClosedConstraintComponent:
            return f"{value} is present, but the shape does not allow this property"
        case SH.NodeConstraintComponent if details:
            return f"{value}: {'; '.join(details)}"
        case SH.QualifiedMinCountConstraintComponent:
            return counted("at least", SH.qualifiedMinCount, "should")
        case SH.QualifiedMaxCountConstraintComponent:
            return counted("at most", SH.qualifiedMaxCount, "may")
        case SH.NotConstraintComponent if _parts(result, "not", shapes, names):
            return f"{value} must not be {_any(_parts(result, 'not', shapes, names))}"
        case SH.XoneConstraintComponent if _parts(result, "xone", shapes, names):
            return f"{value} must be just one of these: {_any(_parts(result, 'xone', shapes, names))}"
        case SH.AndConstraintComponent if _parts(result, "and", shapes, names):
            return f"{value} is not all of these: {', '.join(_parts(result, 'and', shapes, names))}"
        case SH.OrConstraintComponent:
            alternatives = _parts(result, "or", shapes, names)
            if alternatives:
                return f"{value} is not {_any(alternatives)}"
    said = "; ".join(result.messages)
    return said or f"{value} does not conform ({local_name(result.component.value)})".strip()


def _is_only_spelled_so(value: Term | None, datatype: Term) -> bool:
    """Whether a text is in the lexical space of a known datatype."""
    return (
        isinstance(value, Literal)
        and value.datatype == XSD.string
        and isinstance(datatype, NamedNode)
        and datatype in _DATATYPES
        and datatype not in (XSD.string, RDF.langString)
        and is_well_formed(value.value, datatype)
    )


def _parts(result: Result, parameter: str, shapes: Shapes, names: Names) -> list[str]:
    """Descriptions of the member shapes; empty if one cannot be described."""
    said = [list(_alternatives([part], shapes, names)) for part in shapes.terms(result.source, SH.term(parameter))]
    return list(dict.fromkeys(words for part in said for words in part)) if all(said) else []


def _alternatives(parts: Iterable[Term], shapes: Shapes, names: Names) -> Iterable[str]:
    for part in parts:
        if isinstance(part, (NamedNode, BlankNode)):
            yield from (_datatype(one) for one in shapes.terms(part, SH.datatype))
            yield from (_class(one, names) for one in shapes.terms(part, SH.term("class")))
            yield from (_NODE_KINDS[one] for one in shapes.terms(part, SH.nodeKind) if one in _NODE_KINDS)  # type: ignore[index]  # a kind
            for inner in shapes.terms(part, SH.property):
                if isinstance(inner, (NamedNode, BlankNode)):
                    yield from (f"something with {names.property_label(one)}" for one in shapes.properties(inner)[:1])


def _datatype(term: Term) -> str:
    known = _DATATYPES.get(term)  # type: ignore[arg-type]  # any term may be asked for
    return known or f"of the datatype {local_name(term.value)}"


def _class(term: Term, names: Names) -> str:
    label = names.class_label(term) if isinstance(term, NamedNode) else shown(term)
    return with_article(label)


def _any(wanted: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(wanted)) or "as wanted"


def _listed(texts: list[str]) -> str:
    return ", ".join(texts[:8]) + (f" and {len(texts) - 8} more" if len(texts) > 8 else "")


def shown(term: Term) -> str:
    """A term for a sentence."""
    if isinstance(term, Literal):
        text = " ".join(term.value.split())
        return f"“{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}”"
    return local_name(term.value) if isinstance(term, NamedNode) else "this value"
