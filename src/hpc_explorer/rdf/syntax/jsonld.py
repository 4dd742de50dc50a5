"""Reading JSON-LD 1.1: PyLD expands the document and the engine reads the expanded form.

The engine's own reader departs from the specification: it makes statements from nodes under unknown keys, and does not
load contexts. The expanded form (JSON-LD 1.1, section 9.17) avoids both and keeps the spelling of numbers. Plain
documents are read by the engine directly, which is faster.
"""

from __future__ import annotations

import json
import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urljoin

from hpc_explorer.errors import InputError, SourceSyntaxError, UnknownFormat, UnsupportedSyntax
from hpc_explorer.rdf.syntax.json_text import parse_json
from hpc_explorer.rdf.syntax.jsonld_contexts import MOST_CONTEXTS, ContextPolicy, Contexts
from hpc_explorer.rdf.syntax.jsonld_plain import is_plain
from hpc_explorer.rdf.syntax.known_contexts import Context

# Nodes per batch: the expanded form takes much more memory than the text.
_NODES_AT_ONCE = 2_000

# PyLD recurses two to three times per level of nesting, and `DEEPEST` limits the levels.
_CALLS_IN_ONE_ANOTHER = 2_500

# Longer than any real number; Python's limit is 4,300 digits.
_MOST_DIGITS = 1_000

_ENDS_OF_NAMESPACES = tuple(":/?#[]@")
_PREFIX = re.compile(r"[^\W\d_](?:[\w.\-]*[\w\-])?\Z")

_JSON_LD_KEY = re.compile(
    r'"(?:@(?:context|id|type|graph|value|list|set|included|reverse)|[a-z][a-z0-9+.\-]*://[^"\s]*)"\s*:'
)


@dataclass(frozen=True)
class EngineText:
    """A JSON-LD document prepared for the engine.

    Args:
        data: JSON-LD in UTF-8.
        base: the base IRI, or None.
        prefixes: the declared prefixes.
        notes: remarks for the user, one sentence each.
    """

    data: bytes
    base: str | None
    prefixes: dict[str, str]
    notes: tuple[str, ...]


def engine_text(text: str, policy: ContextPolicy) -> EngineText:
    """Prepare a JSON-LD document for the engine: unchanged if it is plain, otherwise expanded.

    Args:
        text: the document.
        policy: where contexts may come from.

    Raises:
        UnknownFormat: the text is JSON but not JSON-LD.
        UnsupportedSyntax: the text is another known kind of JSON that is not supported.
        RemoteContextRefused: a context is neither available offline nor allowed.
        SourceUnreadable: a context cannot be fetched or read, or the document is nested too deeply.
        SourceSyntaxError: the text is not JSON or not valid JSON-LD.
    """
    numbers = _Numbers()
    document = parse_json(text, policy.where, parse_int=numbers.integer, parse_float=numbers.fraction)
    if not _JSON_LD_KEY.search(text):
        _refuse_plain_json(document, policy.where)
    contexts = Contexts(policy)
    notes: tuple[str, ...] = ()
    try:
        if is_plain(document, policy.base):
            return EngineText(text.encode(), policy.base, _prefixes(document, contexts), notes)
        try:
            items = list(_expanded_parts(document, contexts, numbers))
        except _NullId:
            taken_out = _take_out_null_ids(document, _names_of_id(document, contexts))
            items = list(_expanded_parts(document, contexts, numbers))
            notes = (f"{taken_out:,} identifiers are null; their nodes were read as blank nodes",)
        return EngineText(f"[{','.join(items)}]".encode(), None, _prefixes(document, contexts), notes)
    except UnicodeEncodeError:
        raise SourceSyntaxError(
            "a text has half of a character in it", policy.where, r"correct its \u escapes"
        ) from None


class _NullId(Exception):
    """An identifier is null."""


def _expanded_parts(document: Any, contexts: Contexts, numbers: _Numbers) -> Iterator[str]:
    """The expanded document in parts, each a text with members of a JSON array.

    Raises:
        _NullId: an identifier is null.
        RemoteContextRefused, SourceUnreadable, SourceSyntaxError: as `expanded`.
    """
    from pyld import jsonld
    from pyld.context_resolver import ContextResolver

    from hpc_explorer.rdf.syntax.jsonld_processor import Processor

    # PyLD's warnings about terms that look like keywords do not help readers.
    warnings.filterwarnings("ignore", category=SyntaxWarning, module=r"pyld\.")
    where = contexts.policy.where
    options = {
        "base": contexts.policy.base,
        "documentLoader": contexts.document,
        # PyLD's own resolver would share cached contexts with documents that may not load them.
        "contextResolver": ContextResolver({}, contexts.document, MOST_CONTEXTS),
    }
    for part in _parts(document):
        try:
            try:
                found = Processor().expand(part, options)
            except RecursionError:
                sys.setrecursionlimit(max(sys.getrecursionlimit(), _CALLS_IN_ONE_ANOTHER))
                found = Processor().expand(part, options)
        except jsonld.JsonLdError as error:
            if error.code == "invalid @id value" and error.details["value"] is None:
                raise _NullId from None
            cause = pyld_cause(error)
            if isinstance(cause, InputError):
                raise cause from None
            raise SourceSyntaxError(
                f"not valid JSON-LD ({pyld_reason(cause)})", where, "see the W3C's JSON-LD 1.1"
            ) from None
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            # PyLD does not check all input before using it.
            raise SourceSyntaxError(
                "not valid JSON-LD (a value is in a wrong place)", where, "see the W3C's JSON-LD 1.1"
            ) from None
        if found:
            yield numbers.written(found)[1:-1]


def _parts(document: Any) -> Iterator[Any]:
    """A document split into batches of nodes that together mean the same (JSON-LD 1.1, section 9.1)."""
    context, nodes = {}, document
    if isinstance(document, dict) and document.keys() <= {"@context", "@graph"}:
        context, nodes = {key: value for key, value in document.items() if key == "@context"}, document.get("@graph")
    if not isinstance(nodes, list) or len(nodes) <= _NODES_AT_ONCE:
        yield document
        return
    for start in range(0, len(nodes), _NODES_AT_ONCE):
        piece = nodes[start : start + _NODES_AT_ONCE]
        yield piece if nodes is document else {**context, "@graph": piece}


def pyld_cause(error: Exception) -> BaseException:
    """The cause of a PyLD error: a named error if there is one, otherwise its innermost error."""
    from pyld import jsonld

    cause: BaseException = error
    while isinstance(cause, jsonld.JsonLdError) and cause.__cause__ is not None:
        cause = cause.__cause__
    return cause


def pyld_reason(cause: BaseException) -> str:
    """A short description of a PyLD error."""
    return str(cause.args[0] if cause.args else cause).splitlines()[0].rstrip(".; ")


# --- numbers, which become literals with the same spelling


class _Exact(float):
    """A number that Python would write differently."""

    def __new__(cls, text: str) -> _Exact:
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str

    def __deepcopy__(self, memo: object) -> _Exact:
        return self


class _Numbers:
    """The numbers of a document, parsed so that their spelling can be restored."""

    def __init__(self) -> None:
        self._any_exact = False
        self._mark = f"number-{os.urandom(16).hex()}-"

    def integer(self, text: str) -> float:
        """An integer with any number of digits."""
        if text == "-0" or len(text) > _MOST_DIGITS:
            return self._exact(text)
        return int(text)

    def fraction(self, text: str) -> float:
        """A number with a fraction or an exponent."""
        number = float(text)
        if repr(number) == text or Decimal(repr(number)) == Decimal(text):
            return number
        return self._exact(text)

    def _exact(self, text: str) -> _Exact:
        self._any_exact = True
        return _Exact(text)

    def written(self, nodes: list[Any]) -> str:
        """Expanded nodes as JSON."""
        text = json.dumps(nodes, ensure_ascii=False)
        if not self._any_exact and '"@id": null' not in text:
            return text
        text = json.dumps(self._marked(nodes), ensure_ascii=False)
        return re.sub(f'"{self._mark}([^"]*)"', r"\1", text)

    def _marked(self, value: Any, *, in_value: bool = False) -> Any:
        """A value with marked texts for exact numbers, without the null that PyLD produces for `"@id": "@other"`."""
        if isinstance(value, _Exact):
            return f"{self._mark}{value.text}"
        if isinstance(value, list):
            kept = (item for item in value if in_value or item != {"@id": None})
            return [self._marked(item, in_value=in_value) for item in kept]
        if isinstance(value, dict):
            return {
                key: self._marked(member, in_value=in_value or key == "@value")
                for key, member in value.items()
                if in_value or key != "@id" or member is not None
            }
        return value


# --- contexts


def _definitions(value: Context, base: str, contexts: Contexts, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The definitions of a context and of the contexts it refers to, in order; an empty one where null resets them."""
    if isinstance(value, str) and depth < MOST_CONTEXTS:
        url = urljoin(base, value)
        yield from _definitions(contexts.load(url), url, contexts, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _definitions(item, base, contexts, depth + 1)
    elif isinstance(value, dict):
        yield from _definitions(value.get("@import", []), base, contexts, depth + 1)
        yield value
    elif value is None:
        yield {}


def _prefixes(document: Any, contexts: Contexts) -> dict[str, str]:
    """The prefixes that the context of a document declares (JSON-LD 1.1, section 4.1.5)."""
    if not isinstance(document, dict):
        return {}
    terms: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    with suppress(InputError):
        for definitions in _definitions(document.get("@context", []), contexts.policy.base, contexts):
            if not definitions:
                terms, prefixes = {}, {}
            simple = {term: value for term, value in definitions.items() if isinstance(value, str)}
            terms |= simple
            for term in definitions:
                prefixes.pop(term, None)
            for term in simple:
                namespace = _namespace(term, terms)
                if namespace.endswith(_ENDS_OF_NAMESPACES) and "://" in namespace and _PREFIX.match(term):
                    prefixes[term] = namespace
    return prefixes


def _namespace(term: str, terms: Mapping[str, str], depth: int = 0) -> str:
    prefix, _, name = terms[term].partition(":")
    if prefix in terms and not name.startswith("//") and depth < MOST_CONTEXTS:
        return _namespace(prefix, terms, depth + 1) + name
    return terms[term]


def _names_of_id(document: Any, contexts: Contexts) -> set[str]:
    """`@id` and its aliases in any context of the document."""
    names: dict[str, bool] = {"@id": True}

    def learn(value: Any) -> None:
        if isinstance(value, dict):
            for definitions in _definitions(value.get("@context", []), contexts.policy.base, contexts):
                for term, definition in definitions.items():
                    iri = definition.get("@id") if isinstance(definition, dict) else definition
                    if iri == "@id" or term in names:
                        names[term] = iri == "@id" and names.get(term, True)
        for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            learn(member)

    with suppress(InputError):
        learn(document)
    return {name for name, is_one in names.items() if is_one}


def _take_out_null_ids(value: Any, names: Set[str]) -> int:
    """Remove null identifiers, which CWLProv manifests contain and JSON-LD rejects."""
    if isinstance(value, list):
        return sum(_take_out_null_ids(item, names) for item in value)
    if not isinstance(value, dict):
        return 0
    null = [name for name in names if name in value and value[name] is None]
    for name in null:
        del value[name]
    return len(null) + sum(
        _take_out_null_ids(member, names) for key, member in value.items() if key not in ("@context", "@value")
    )


# --- JSON that is not JSON-LD


_PROV_RECORDS = frozenset({
    "entity", "activity", "agent", "bundle", "wasGeneratedBy", "used", "wasInformedBy", "wasStartedBy", "wasEndedBy",
    "wasInvalidatedBy", "wasDerivedFrom", "wasAttributedTo", "wasAssociatedWith", "actedOnBehalfOf",
    "wasInfluencedBy", "specializationOf", "alternateOf", "hadMember", "mentionOf",
})  # fmt: skip


def _refuse_plain_json(content: Any, where: str) -> None:
    """Refuse a document without any JSON-LD key."""
    if content == []:
        return
    first = content[0] if isinstance(content, list) and content else content
    keys = set(first) if isinstance(first, dict) else set()
    other = ""
    if keys & _PROV_RECORDS and keys <= _PROV_RECORDS | {"prefix"}:
        other = "PROV-JSON"
    elif {"eventTime", "producer"} <= keys and keys & {"run", "job", "dataset"}:
        other = "OpenLineage"
    if other:
        raise UnsupportedSyntax(f"{other} is not an RDF syntax", where, "open it as a source, and export it as Turtle")
    raise UnknownFormat(
        "JSON, but not JSON-LD: it has no @context, @id or @graph", where, "add a @context that says what its keys mean"
    )
