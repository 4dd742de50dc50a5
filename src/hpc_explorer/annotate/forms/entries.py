"""Convert typed text to a value, and a value to the text that gives it back."""

from __future__ import annotations

import re
from pathlib import PurePath, PurePosixPath, PureWindowsPath

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget, kind_of_term
from hpc_explorer.annotate.forms.moments import read_date, read_date_time, read_duration, read_time
from hpc_explorer.annotate.forms.values import Items, Node, Value, entry_node, quantity_node
from hpc_explorer.annotate.units import unit_called
from hpc_explorer.errors import InvalidIri, UnknownPrefix, WrongEntry
from hpc_explorer.rdf.datatypes import INTEGERS
from hpc_explorer.rdf.identifiers import recognise
from hpc_explorer.rdf.literals import grouped
from hpc_explorer.rdf.namespaces import XSD, PrefixMap
from hpc_explorer.rdf.quantities import Unit
from hpc_explorer.rdf.regular_expressions import PatternFault, pattern_of
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term, iri_text

_NUMBER = re.compile(r"(?a)[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][+-]?\d+)?|[+-]?\.\d+(?:[eE][+-]?\d+)?")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_QUANTITY = re.compile(r"(?a)(?P<number>[+-]?[\d.,]+(?:[eE][+-]?\d+(?![\w]))?)\s*(?P<unit>.*)", re.DOTALL)

_SIZES_OF_INTEGERS = {
    XSD.byte: (-(2**7), 2**7 - 1),
    XSD.short: (-(2**15), 2**15 - 1),
    XSD.int: (-(2**31), 2**31 - 1),
    XSD.long: (-(2**63), 2**63 - 1),
    XSD.unsignedByte: (0, 2**8 - 1),
    XSD.unsignedShort: (0, 2**16 - 1),
    XSD.unsignedInt: (0, 2**32 - 1),
    XSD.unsignedLong: (0, 2**64 - 1),
    XSD.nonNegativeInteger: (0, None),
    XSD.positiveInteger: (1, None),
    XSD.nonPositiveInteger: (None, 0),
    XSD.negativeInteger: (None, -1),
}

_NO_HOST = re.compile(r"<?https?:(?!//[^/?#\s])", re.IGNORECASE)

_MOST_DIGITS = 1_000

_BOOLEANS = {"true": "true", "yes": "true", "1": "true", "false": "false", "no": "false", "0": "false"}


def read_entry(
    text: str,
    kind: ValueKind,
    *,
    language: str = "",
    prefixes: PrefixMap | None = None,
    before: Value | None = None,
) -> Value:
    """Convert typed text to a value.

    Args:
        text: the text; surrounding spaces count only in strings.
        kind: the kind of value.
        language: the chosen language, or empty.
        prefixes: the available prefixes.
        before: the replaced value. Unchanged text keeps a node; a quantity keeps its node and predicates, a list its
            unchanged items.

    Raises:
        WrongEntry: the text is not valid; the error says what is wrong and what to write.
    """
    if before is not None and not isinstance(before, Literal) and text == entry_text(before):
        return before
    trimmed = text.strip()
    match kind.widget:
        case Widget.TEXT | Widget.MULTI_LINE:
            return Literal(text, datatype=kind.datatype or XSD.string)
        case Widget.LANGUAGE_TEXT:
            return read_language_text(text, language)
        case Widget.QUANTITY:
            return read_quantity_entry(trimmed, before if isinstance(before, Node) else None)
        case Widget.KEY_VALUE:
            return _read_key_value(trimmed, before if isinstance(before, Node) else None)
        case Widget.LIST:
            return _read_items(text, before if isinstance(before, Items) else Items(()), prefixes)
        case Widget.CHOICE:
            return _read_choice(trimmed, kind, prefixes)
        case Widget.IRI if isinstance(before, Literal) and kind.datatype is not None and text == before.value:
            # A file may have a relative reference there, which is kept.
            return Literal(text, datatype=kind.datatype)
        case Widget.IRI if kind.datatype is not None:
            return Literal(_read_iri(trimmed, prefixes).value, datatype=kind.datatype)
        case Widget.FILE if (path := _absolute_path(trimmed)) is not None:
            return NamedNode(path.as_uri())
        case Widget.IRI | Widget.LINK | Widget.FILE:
            return _read_iri(trimmed, prefixes)
        case _:
            return Literal(_spelling(trimmed, kind), datatype=kind.datatype)


def check_value(field: Field, value: Value) -> None:
    """Check a value against the pattern and the languages of its field.

    Raises:
        WrongEntry: the value is not allowed.
    """
    if not isinstance(value, (Literal, NamedNode)):
        return
    if field.pattern and not _is_found(field.pattern, value.value):
        raise WrongEntry(f"not a valid {field.label}", value.value, f"it must match {field.pattern}")
    if isinstance(value, Literal) and field.languages and not _in_languages(value.language, field.languages):
        raise WrongEntry(f"not in a language of {field.label}", value.value, f"use {', '.join(field.languages)}")


def _is_found(pattern: str, text: str) -> bool:
    """Whether a regular expression matches; also true if it is invalid, which validation reports."""
    try:
        return pattern_of(pattern).is_found_in(text)
    except PatternFault:
        return True


def _in_languages(language: str | None, allowed: tuple[str, ...]) -> bool:
    """Whether a language is in a list, or a region of one in it (RFC 4647, section 3.3.1)."""
    tag = (language or "").lower()
    return any(tag == one.lower() or tag.startswith(f"{one.lower()}-") for one in allowed)


def read_language_text(text: str, language: str) -> Literal:
    """A string literal, with a language if given.

    Raises:
        WrongEntry: the language tag is not valid.
    """
    if not language:
        return Literal(text)
    if not _LANGUAGE.fullmatch(language):
        raise WrongEntry("not a language tag", language, "write a tag such as en, de or pt-BR")
    return Literal(text, language=language)


def read_number(text: str, datatype: NamedNode) -> str:
    """A number without thousands separators: "442,010.00" becomes "442010.00".

    Raises:
        WrongEntry: it is not a number of the datatype.
    """
    if datatype in (XSD.double, XSD.float) and text in ("INF", "-INF", "NaN"):
        return text
    if not _NUMBER.fullmatch(text):
        raise WrongEntry("not a number", text, "write digits with a point before decimals: 442,010.25")
    plain = text.replace(",", "")
    if datatype not in INTEGERS:
        if datatype == XSD.decimal and "e" in plain.lower():
            raise WrongEntry("a decimal has no exponent", text, "write all its digits")
        return plain
    if not plain.lstrip("+-").isdigit():
        raise WrongEntry("not a whole number", text, "leave the decimals out, or write all digits")
    if len(plain) > _MOST_DIGITS:
        raise WrongEntry("a number too long", f"{len(plain):,} digits", f"write at most {_MOST_DIGITS:,}")
    least, most = _SIZES_OF_INTEGERS.get(datatype, (None, None))
    if (least is not None and int(plain) < least) or (most is not None and int(plain) > most):
        limits = " and ".join(
            part
            for part in (least is not None and f"at least {least:,}", most is not None and f"at most {most:,}")
            if part
        )
        raise WrongEntry("a number outside its range", text, f"it must be {limits}")
    return plain


def _spelling(text: str, kind: ValueKind) -> str:
    """The lexical form of typed text for datatypes with their own syntax."""
    match kind.widget:
        case Widget.INTEGER | Widget.NUMBER:
            return read_number(text, kind.datatype or XSD.decimal)
        case Widget.BOOLEAN:
            answer = _BOOLEANS.get(text.lower())
            if answer is None:
                raise WrongEntry("neither yes nor no", text, "write yes or no")
            return answer
        case Widget.DATE:
            return read_date(text)
        case Widget.TIME:
            return read_time(text)
        case Widget.DATE_TIME:
            moment = read_date_time(text)
            if kind.datatype == XSD.dateTimeStamp and moment[-1] != "Z" and moment[-6] not in "+-":
                raise WrongEntry("a date and time without a time zone", text, "add one: 2021-06-30 14:30 UTC")
            return moment
        case _:
            span = read_duration(text)
            if kind.datatype == XSD.dayTimeDuration and re.match(r"-?P\d+[YM]", span):
                raise WrongEntry("years and months have no fixed length", text, "write days, hours, minutes, seconds")
            if kind.datatype == XSD.yearMonthDuration and not re.fullmatch(r"-?P(?:\d+Y)?(?:\d+M)?", span):
                raise WrongEntry("not years and months alone", text, "write it as P1Y6M")
            return span


# --- quantities, and keys with their values


def quantity_parts(text: str) -> tuple[str, str] | None:
    """Number and unit of a quantity as written, the unit possibly empty; None if there is no number."""
    parts = _QUANTITY.fullmatch(text.strip())
    return None if parts is None else (parts["number"], parts["unit"].strip())


def read_quantity_entry(text: str, before: Node | None = None, *, unit: NamedNode | None = None) -> Node:
    """The quantity of a text such as "16 GB", "442,010.00 TFLOP/s" or "40 %".

    Args:
        before: the replaced quantity; other statements of its node are kept.
        unit: the chosen unit; a unit in the text takes precedence.

    Raises:
        WrongEntry: no number, no unit, or an unknown unit.
    """
    parts = quantity_parts(text)
    if parts is None:
        raise WrongEntry("not a number with a unit", text, "write both: 16 GB")
    number, named = parts
    datatype = XSD.double if "e" in number.lower() else XSD.decimal
    old_number, old_unit = _number_and_unit(before)
    if old_number is not None and old_number.datatype not in (XSD.decimal, XSD.double):
        datatype = _datatype_kept(number, old_number.datatype, datatype)
    elif old_number is not None and old_number.datatype == XSD.double:
        datatype = XSD.double
    chosen = unit if unit is not None and not named else _unit_of_text(named, old_unit)
    return quantity_node(Literal(read_number(number, datatype), datatype=datatype), chosen, before)


def _datatype_kept(number: str, old: NamedNode, otherwise: NamedNode) -> NamedNode:
    """The datatype of the old number, if the new number fits it."""
    if old == XSD.string:
        return otherwise
    try:
        read_number(number, old)
    except WrongEntry:
        return otherwise
    return old


def _number_and_unit(node: Node | None) -> tuple[Literal | None, Unit | None]:
    quantity = None if node is None else node.quantity
    if node is None or quantity is None:
        return None, None
    spelled = (value for _, value in node.facts if isinstance(value, Literal) and value.value == quantity.spelled)
    return next(spelled, None), quantity.unit


def _unit_of_text(text: str, old: Unit | None) -> NamedNode | None:
    """The unit for a text; the symbol of the old unit keeps it."""
    if old is not None and old.iri is not None and text == old.symbol:
        return old.iri
    if not text:
        raise WrongEntry("a quantity needs a unit", "", "write the unit after the number: 16 GB")
    found = unit_called(text)
    if found is None:
        raise WrongEntry("unknown unit", text, "choose one from the menu, such as GB, GHz, Tflop/s, W or s")
    return found


def _read_key_value(text: str, before: Node | None) -> Node:
    key, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not key or not value:
        raise WrongEntry("not a key with its value", text, "write both: batch size = 32")
    old = None if before is None else before.entry
    if old is not None and entry_text(old[1]) == value:
        return entry_node(key, old[1], before)
    return entry_node(key, _plain_literal(value), before)


def _plain_literal(text: str) -> Literal:
    """The literal that a text looks like: integer, decimal, double, boolean or string."""
    if text in ("true", "false"):
        return Literal(text, datatype=XSD.boolean)
    for datatype in (XSD.integer, XSD.decimal, XSD.double):
        try:
            return Literal(read_number(text, datatype), datatype=datatype)
        except WrongEntry:
            continue
    return Literal(text)


# --- nodes


def _read_iri(text: str, prefixes: PrefixMap | None) -> NamedNode:
    """The node for an IRI, a prefixed name or a persistent identifier in canonical form.

    Raises:
        WrongEntry: the text is none of these, or an identifier with a wrong check digit.
    """
    identifier = recognise(text)
    if identifier is not None:
        return identifier.iri
    if _NO_HOST.match(text):
        raise WrongEntry("an address without a host", text, "write a whole address such as https://example.org/thing")
    try:
        return (prefixes or PrefixMap()).resolve(text)
    except (InvalidIri, UnknownPrefix) as error:
        raise WrongEntry(error.what, error.where, error.remedy) from None
    except ValueError:
        raise WrongEntry("not an IRI", text, "write a whole address such as https://example.org/thing") from None


def _absolute_path(text: str) -> PurePath | None:
    """The absolute path in a text, of this system or of Windows, or None."""
    paths = (PurePosixPath(text), PureWindowsPath(text))
    return next((path for path in paths if "\0" not in text and path.is_absolute()), None)


def _read_items(text: str, before: Items, prefixes: PrefixMap | None) -> Items:
    """A list with an item on each line; unchanged lines keep their items."""
    old = {_item_text(item): item for item in before.items}
    if any(len(shown.splitlines()) > 1 or shown != shown.strip() or not shown for shown in old):
        raise WrongEntry("a list with an item that cannot be edited as text", text, "change its items one by one")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return Items(tuple(old.get(line) or _read_item(line, prefixes) for line in lines), before.cells)


def _read_item(text: str, prefixes: PrefixMap | None) -> Term:
    return _read_iri(text, prefixes) if text.startswith("<") else _plain_literal(text)


def _read_choice(text: str, kind: ValueKind, prefixes: PrefixMap | None) -> Term:
    for choice in kind.choices:
        if entry_text(choice) == text or (isinstance(choice, NamedNode) and f"<{choice.value}>" == text):
            return choice
    if any(isinstance(choice, NamedNode) for choice in kind.choices):
        node = _read_iri(text, prefixes)
        if node in kind.choices:
            return node
    raise WrongEntry("not one of the choices", text, "choose one of the list")


def _item_text(item: Term) -> str:
    return f"<{item.value}>" if isinstance(item, NamedNode) else entry_text(item)


def entry_text(value: Value) -> str:
    """The text of a value in its widget; entering it gives the same value."""
    if isinstance(value, Node):
        entry = value.entry
        if entry is not None:
            return f"{entry[0]} = {entry_text(entry[1])}"
        quantity = value.quantity
        return "" if quantity is None else str(quantity)
    if isinstance(value, Items):
        return "\n".join(_item_text(one) for one in value.items)
    if isinstance(value, (NamedNode, BlankNode)):
        return iri_text(value)
    widget = kind_of_term(value).widget
    if widget in (Widget.INTEGER, Widget.NUMBER):
        return grouped(value.value)
    if widget is Widget.BOOLEAN:
        return {"true": "yes", "1": "yes", "false": "no", "0": "no"}.get(value.value, value.value)
    return value.value
