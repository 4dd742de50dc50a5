"""Questions for facts that only a person knows, and the parsing of their answers into terms."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import Enum

from hpc_explorer.errors import InputError, WrongEntry
from hpc_explorer.rdf.identifiers import IdentifierKind, recognise
from hpc_explorer.rdf.namespaces import XSD, PrefixMap
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term


class AskKind(Enum):
    """The type of an answer."""

    TEXT = "text"
    LONG_TEXT = "long text"
    TEXTS = "texts, with commas between them"
    DATE = "date"
    BYTES = "number of bytes"
    LANGUAGE = "language tag"
    CHOICE = "choice"
    WEB_ADDRESS = "web address"
    IRI = "IRI"
    DOI = "DOI"
    AGENT = "name, ORCID or ROR"
    LICENCE = "licence"
    MEDIA_TYPE = "media type"
    COLUMNS = "columns, each with its property"


@dataclass(frozen=True)
class Choice:
    """One possible answer."""

    term: NamedNode
    label: str


@dataclass(frozen=True)
class Ask:
    """A question to a person.

    Args:
        name: its name within the repair and on the command line: "doi".
        predicate: the property of the new statement.
        target: the subject of the new statement.
        examples: valid answers; the first is the default.
        choices: common answers; `CHOICE` accepts only these.
    """

    name: str
    question: str
    kind: AskKind
    predicate: NamedNode
    target: Resource
    examples: tuple[str, ...]
    choices: tuple[Choice, ...] = field(default=())

    @property
    def example(self) -> str:
        """A valid answer."""
        return self.examples[0]


def terms_for(ask: Ask, text: str) -> tuple[Term, ...]:
    """Parse an answer; the result has several terms where the question allows several.

    Raises:
        WrongEntry: invalid; the message describes a valid answer.
    """
    text = text.strip()
    if not text:
        raise _wrong(ask, text, "nothing is given")
    try:
        return _READ[ask.kind](ask, text)
    except WrongEntry:
        raise
    except InputError as error:
        raise _wrong(ask, text, error.what) from None


def _text(ask: Ask, text: str) -> tuple[Term, ...]:
    return (Literal(text),)


def _texts(ask: Ask, text: str) -> tuple[Term, ...]:
    return tuple(Literal(part) for part in dict.fromkeys(part.strip() for part in text.split(",")) if part)


def _date(ask: Ask, text: str) -> tuple[Term, ...]:
    try:
        return (Literal(date.fromisoformat(text).isoformat(), datatype=XSD.date),)
    except ValueError:
        raise _wrong(ask, text, "no date") from None


def _bytes(ask: Ask, text: str) -> tuple[Term, ...]:
    if not text.isascii() or not text.isdigit():
        raise _wrong(ask, text, "not a whole number of bytes")
    return (Literal(str(int(text)), datatype=XSD.integer),)


def _language(ask: Ask, text: str) -> tuple[Term, ...]:
    try:
        Literal("", language=text)
    except ValueError:
        raise _wrong(ask, text, "no language tag") from None
    return (Literal(text),)


def _choice(ask: Ask, text: str) -> tuple[Term, ...]:
    for choice in ask.choices:
        if text in (choice.term.value, choice.label) or text.lower() == choice.label.lower():
            return (choice.term,)
    raise _wrong(ask, text, "none of the choices")


def _iri(ask: Ask, text: str) -> tuple[Term, ...]:
    found = recognise(text)
    return (found.iri if found is not None else PrefixMap().resolve(text),)


def _web_address(ask: Ask, text: str) -> tuple[Term, ...]:
    node = PrefixMap().resolve(text)
    scheme, _, rest = node.value.partition("://")
    if scheme.lower() not in ("http", "https", "ftp", "ftps", "sftp") or not rest:
        raise _wrong(ask, text, "not a web address")
    return (node,)


def _doi(ask: Ask, text: str) -> tuple[Term, ...]:
    found = recognise(text)
    if found is None or found.kind is not IdentifierKind.DOI:
        raise _wrong(ask, text, "no DOI")
    return (found.iri,)


def _agent(ask: Ask, text: str) -> tuple[Term, ...]:
    found = recognise(text)
    if found is not None:
        return (found.iri,)
    return (PrefixMap().resolve(text) if "://" in text else Literal(text),)


def _licence(ask: Ask, text: str) -> tuple[Term, ...]:
    from hpc_explorer.ontology.licences import licence_node

    node = licence_node(text)
    if node is None:
        raise _wrong(ask, text, "not a licence of the SPDX License List")
    return (node,)


def _media_type(ask: Ask, text: str) -> tuple[Term, ...]:
    from hpc_explorer.ontology.common_terms import MEDIA_TYPES

    known = MEDIA_TYPES.get(text.lower().lstrip("."), text.lower())
    kind, slash, name = known.partition("/")
    if not slash or not kind.isalpha() or not name or any(sign.isspace() for sign in name):
        raise _wrong(ask, text, "no media type")
    return (Literal(known),)


def _columns(ask: Ask, text: str) -> tuple[Term, ...]:
    """Parse alternating column names and properties of their cells."""
    found: list[Term] = []
    for part in filter(None, (part.strip() for part in text.replace("\n", ",").split(","))):
        name, sign, term = (piece.strip() for piece in part.partition("="))
        if not sign or not name:
            raise _wrong(ask, part, "not a column with its property")
        found += (Literal(name), PrefixMap().resolve(term))
    return tuple(found)


_READ = {
    AskKind.TEXT: _text,
    AskKind.LONG_TEXT: _text,
    AskKind.TEXTS: _texts,
    AskKind.DATE: _date,
    AskKind.BYTES: _bytes,
    AskKind.LANGUAGE: _language,
    AskKind.CHOICE: _choice,
    AskKind.WEB_ADDRESS: _web_address,
    AskKind.IRI: _iri,
    AskKind.DOI: _doi,
    AskKind.AGENT: _agent,
    AskKind.LICENCE: _licence,
    AskKind.MEDIA_TYPE: _media_type,
    AskKind.COLUMNS: _columns,
}


def _wrong(ask: Ask, text: str, what: str) -> WrongEntry:
    choices = ", ".join(choice.label for choice in ask.choices)
    return WrongEntry(
        f"{what}: {ask.question}",
        text or ask.name,
        f"choose one of {choices}" if ask.kind is AskKind.CHOICE else f"write it as in: {ask.example}",
    )
