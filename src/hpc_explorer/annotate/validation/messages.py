"""What a finding says, in plain words: the shape's own message, else one made of what the shape asks for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from hpc_explorer.annotate.validation.findings import Result
from hpc_explorer.annotate.validation.plain import is_well_formed
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.ontology.labels import local_name, preferred_text
from hpc_explorer.query.wording import with_article
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

# A text is shown up to so many characters.
_LONGEST = 60


class Names(Protocol):
    """What classes and properties are called."""

    def class_label(self, cls: NamedNode) -> str:
        """What a class is called."""
        ...

    def property_label(self, predicate: NamedNode) -> str:
        """What a property is called."""
        ...


def message_of(result: Result, shapes: Shapes, names: Names, within: NamedNode | None = None) -> str:
    """What is wrong, as a sentence that begins with what it is about.

    Args:
        within: the property of the resource whose value the focus is, such as the power whose unit is missing.
    """
    about = _about(result, shapes, names)
    if within is not None:
        label = names.property_label(within)
        about = f"{label[:1].upper()}{label[1:]}" + (f", {about[:1].lower()}{about[1:]}" if about else "")
    own = preferred_text(shapes.literals(result.source, SH.message))
    words = own or _words(result, shapes, names)
    return f"{about}: {words}" if about else words[:1].upper() + words[1:]


def _about(result: Result, shapes: Shapes, names: Names) -> str:
    """What the property is called: by a shape of it, else by the ontology."""
    for shape in (result.source, *shapes.siblings(result.source)):
        name = preferred_text(shapes.literals(shape, SH.name))
        if name:
            return name
    if result.path is None:
        return ""
    label = names.property_label(result.path)
    return label[:1].upper() + label[1:]


def _words(result: Result, shapes: Shapes, names: Names) -> str:
    shape, value = result.source, "" if result.value is None else shown(result.value)

    def number(predicate: NamedNode) -> int:
        return next((int(one.value) for one in shapes.literals(shape, predicate) if one.value.lstrip("+").isdigit()), 1)

    match result.component:
        case SH.MinCountConstraintComponent:
            least = number(SH.minCount)
            return "missing: add at least one" if least == 1 else f"fewer than {least}: add more"
        case SH.MaxCountConstraintComponent:
            most = number(SH.maxCount)
            return "there is more than one: keep one" if most == 1 else f"more than {most}: take some away"
        case SH.DatatypeConstraintComponent:
            wanted = list(shapes.terms(shape, SH.datatype))
            words = _any(map(_datatype, wanted))
            # Who reads “4608” has a whole number before his eyes.
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
            return f"{value} is not written as wanted ({_listed(patterns)})"
        case SH.MinInclusiveConstraintComponent:
            return f"{value} is less than {_listed([shown(one) for one in shapes.terms(shape, SH.minInclusive)])}"
        case SH.MaxInclusiveConstraintComponent:
            return f"{value} is more than {_listed([shown(one) for one in shapes.terms(shape, SH.maxInclusive)])}"
        case SH.OrConstraintComponent:
            alternatives = list(dict.fromkeys(_alternatives(result, shapes, names)))
            if alternatives:
                return f"{value} is not {_any(alternatives)}"
    said = "; ".join(result.messages)
    return said or f"{value} does not conform ({local_name(result.component.value)})".strip()


def _is_only_spelled_so(value: Term | None, datatype: Term) -> bool:
    """Whether a text is spelled as a value of a datatype that is known is."""
    return (
        isinstance(value, Literal)
        and value.datatype == XSD.string
        and isinstance(datatype, NamedNode)
        and datatype in _DATATYPES
        and datatype not in (XSD.string, RDF.langString)
        and is_well_formed(value.value, datatype)
    )


def _alternatives(result: Result, shapes: Shapes, names: Names) -> Iterable[str]:
    for part in shapes.terms(result.source, SH.term("or")):
        if isinstance(part, (NamedNode, BlankNode)):
            yield from (_datatype(one) for one in shapes.terms(part, SH.datatype))
            yield from (_class(one, names) for one in shapes.terms(part, SH.term("class")))
            yield from (_NODE_KINDS[one] for one in shapes.terms(part, SH.nodeKind) if one in _NODE_KINDS)  # type: ignore[index]  # a kind


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
    """A term as it stands in a sentence."""
    if isinstance(term, Literal):
        text = " ".join(term.value.split())
        return f"“{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}”"
    return local_name(term.value) if isinstance(term, NamedNode) else "this value"
