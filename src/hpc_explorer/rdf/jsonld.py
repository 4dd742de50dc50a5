"""Reading JSON-LD 1.1: contexts put in place, then the engine's own reader.

The engine reads all of JSON-LD 1.1 but loads no contexts. Each context that a document names is therefore
put into its text where the name stood; all else in the text stays as it is, so numbers and strings
reach the engine as they are spelled. A context comes from the list known offline, from a file beside
the document, or, if the user allows it, from the network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from hpc_explorer.errors import (
    RemoteContextRefused,
    SourceSyntaxError,
    SourceUnreadable,
    UnknownFormat,
    UnsupportedSyntax,
)
from hpc_explorer.rdf.known_contexts import Context, known_context

_CONTEXT_KEY = re.compile(r'"@context"\s*:\s*')
_JSON_LD_KEY = re.compile(
    r'"(?:@(?:context|id|type|graph|value|list|set|included|reverse)|[a-z][a-z0-9+.\-]*://[^"\s]*)"\s*:'
)
_MOST_CONTEXTS = 32
_LARGEST_CONTEXT = 10_000_000
_SECONDS_TO_FETCH = 20


@dataclass(frozen=True)
class ContextPolicy:
    """Where the contexts of one document may come from.

    Args:
        where: what the document is called in errors.
        base: its base IRI, which relative addresses of contexts are resolved against.
        allow_remote: whether contexts may be fetched over the network.
    """

    where: str
    base: str
    allow_remote: bool = False


def with_contexts(text: str, policy: ContextPolicy, notes: list[str]) -> str:
    """A JSON-LD document with each named context in its place; line numbers stay.

    Args:
        text: the document.
        policy: where contexts may come from.
        notes: what a person should know about the reading is appended here.

    Raises:
        UnknownFormat: it is JSON, but no JSON-LD.
        UnsupportedSyntax: it is JSON of a kind that is known, and known not to be read.
        RemoteContextRefused: it names a context that is neither known offline nor allowed.
        SourceUnreadable: a context cannot be fetched or read.
        SourceSyntaxError: a context is no context.
    """
    if not _JSON_LD_KEY.search(text):
        _refuse_plain_json(text, policy.where)
    decoder = json.JSONDecoder()
    names_of_id: dict[str, bool] = {"@id": True}
    parts: list[str] = []
    end = 0
    for key in _CONTEXT_KEY.finditer(text):
        if key.start() < end:
            continue
        try:
            value, after = decoder.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            # The engine reads on to the same fault and says where it is.
            break
        resolved = _resolved(value, policy.base, (), policy)
        _learn_names_of_id(resolved, names_of_id)
        if resolved != value:
            lines = text.count("\n", key.end(), after)
            parts += (text[end : key.end()], json.dumps(resolved), "\n" * lines)
            end = after
    if parts:
        text = "".join((*parts, text[end:]))
    return _without_null_ids(text, [name for name, is_one in names_of_id.items() if is_one], notes)


def _learn_names_of_id(context: Context, names: dict[str, bool]) -> None:
    """Learn which terms a context makes names of `@id`; one that it makes something else anywhere is none."""
    for definitions in context if isinstance(context, list) else [context]:
        if isinstance(definitions, dict):
            for term, value in definitions.items():
                is_name = value == "@id" or (isinstance(value, dict) and value.get("@id") == "@id")
                if is_name or term in names:
                    names[term] = is_name and names.get(term, True)


def _without_null_ids(text: str, names: Sequence[str], notes: list[str]) -> str:
    """Take out identifiers that are null, as CWLProv's manifests have them; JSON-LD refuses a document with one."""
    if "null" not in text:
        return text
    member = rf'"(?:{"|".join(map(re.escape, names))})"\s*:\s*null\b'
    text, inner = re.subn(rf"{member}(\s*),", r"\1", text)
    text, last = re.subn(rf",(\s*){member}(?=\s*\}})", r"\1", text)
    text, only = re.subn(rf"(?<=\{{)(\s*){member}(?=\s*\}})", r"\1", text)
    if number := inner + last + only:
        notes.append(f"{number:,} identifiers are null; what has them was read as having none")
    return text


def resolved_context(value: Context, policy: ContextPolicy) -> Context:
    """A context without names of other contexts in it.

    Raises:
        RemoteContextRefused, SourceUnreadable, SourceSyntaxError: as `with_contexts`.
    """
    return _resolved(value, policy.base, (), policy)


def load_document(url: str, options: object = None) -> dict[str, Any]:
    """PyLD's document loader over the contexts known offline; for framing, which is done with no document's policy.

    Raises:
        RemoteContextRefused: the address is none of those.
    """
    context = known_context(url)
    if context is None:
        raise RemoteContextRefused(f"the JSON-LD context {url} is not known offline", "", "write the context out")
    return {
        "contentType": "application/ld+json",
        "contextUrl": None,
        "documentUrl": url,
        "document": {"@context": context},
    }


# --- contexts


def _resolved(value: Context, base: str, active: tuple[str, ...], policy: ContextPolicy) -> Context:
    """A context without names of other contexts in it.

    Args:
        base: the address that names in it are relative to.
        active: the addresses of the contexts it stands in, outermost first.
    """
    if isinstance(value, str):
        return _named_context(urljoin(base, value), active, policy)
    if isinstance(value, list):
        found: list[Any] = []
        for item in value:
            part = _resolved(item, base, active, policy)
            found += part if isinstance(part, list) else [part]
        return found
    if isinstance(value, dict):
        return _resolved_definitions(value, base, active, policy)
    return value


def _resolved_definitions(
    value: dict[str, Any], base: str, active: tuple[str, ...], policy: ContextPolicy
) -> dict[str, Any]:
    definitions = dict(value)
    imported = definitions.pop("@import", None)
    if isinstance(imported, str):
        context = _named_context(urljoin(base, imported), active, policy)
        if not isinstance(context, dict):
            raise SourceSyntaxError(f"@import of {imported}, which is not one context", policy.where)
        definitions = {**context, **definitions}
    for term, definition in definitions.items():
        if isinstance(definition, dict) and "@context" in definition:
            scoped = _resolved(definition["@context"], base, active, policy)
            definitions[term] = {**definition, "@context": scoped}
    return definitions


def _named_context(url: str, active: tuple[str, ...], policy: ContextPolicy) -> Context:
    if url in active or len(active) > _MOST_CONTEXTS:
        raise SourceSyntaxError(f"the JSON-LD context {url} names itself", policy.where, "remove the circle")
    context = known_context(url)
    if context is None:
        context = _context_of_document(_context_document(url, policy), url, policy)
    resolved = _resolved(context, url, (*active, url), policy)
    # JSON-LD 1.1 API, 5.1.2: a context that is not the document's own cannot set its base IRI.
    if isinstance(resolved, list):
        return [_without_base(item) for item in resolved]
    return _without_base(resolved)


def _without_base(context: Context) -> Context:
    if isinstance(context, dict) and "@base" in context:
        return {term: definition for term, definition in context.items() if term != "@base"}
    return context


def _context_of_document(document: str, url: str, policy: ContextPolicy) -> Context:
    try:
        content = json.loads(document)
    except (ValueError, RecursionError) as error:
        raise SourceSyntaxError(f"the JSON-LD context {url} is no JSON ({error})", policy.where) from None
    if not isinstance(content, dict) or "@context" not in content:
        raise SourceSyntaxError(f"there is no @context in the JSON-LD context {url}", policy.where)
    context: Context = content["@context"]
    return context


def _context_document(url: str, policy: ContextPolicy) -> str:
    address = urlsplit(url)
    if address.scheme == "file" and urlsplit(policy.base).scheme == "file":
        try:
            return _path_beside(url, policy).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise SourceUnreadable(f"the JSON-LD context {url} cannot be read ({reason})", policy.where) from None
    if not policy.allow_remote or address.scheme not in ("http", "https"):
        raise RemoteContextRefused(
            f"the JSON-LD context {url} is not known offline",
            policy.where,
            "allow remote contexts, or write the context into the file",
        )
    return _fetched(url, policy)


def _path_beside(url: str, policy: ContextPolicy) -> Path:
    """The file at a `file:` address, which must lie in the document's folder: a document does not choose what is read.

    Raises:
        RemoteContextRefused: it lies elsewhere.
    """
    from urllib.request import url2pathname

    try:
        path, document = (Path(url2pathname(urlsplit(one).path)).resolve() for one in (url, policy.base))
    except (OSError, ValueError, RuntimeError):
        raise SourceUnreadable(f"the JSON-LD context {url} cannot be read", policy.where) from None
    if urlsplit(url).netloc not in ("", "localhost") or document.parent not in path.parents:
        raise RemoteContextRefused(
            f"the JSON-LD context {url} lies outside the folder of the document",
            policy.where,
            "put it beside the document, or write it into the file",
        )
    return path


_LINK_TO_JSON_LD = re.compile(r"<([^>]*)>(?=[^,]*rel=\"?alternate)(?=[^,]*type=\"?application/ld\+json)")


def _fetched(url: str, policy: ContextPolicy, redirects: int = 1) -> str:
    """The context document at an address; a page that links to its JSON-LD is followed to it once."""
    from urllib.error import URLError
    from urllib.request import Request, urlopen

    accept = "application/ld+json, application/json;q=0.9, */*;q=0.1"
    try:
        with urlopen(Request(url, headers={"Accept": accept}), timeout=_SECONDS_TO_FETCH) as answer:
            link = _LINK_TO_JSON_LD.search(", ".join(answer.headers.get_all("Link", [])))
            if "json" not in answer.headers.get_content_type() and link and redirects:
                return _fetched(urljoin(answer.url, link[1]), policy, redirects - 1)
            data = answer.read(_LARGEST_CONTEXT + 1)
    except (OSError, URLError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise SourceUnreadable(
            f"the JSON-LD context {url} cannot be fetched ({reason})", policy.where, "check the address and the network"
        ) from None
    if len(data) > _LARGEST_CONTEXT:
        raise SourceUnreadable(f"the JSON-LD context {url} is too large", policy.where)
    return str(data, "utf-8", "replace")


# --- JSON that is no JSON-LD


_PROV_RECORDS = frozenset({
    "entity", "activity", "agent", "bundle", "wasGeneratedBy", "used", "wasInformedBy", "wasStartedBy", "wasEndedBy",
    "wasInvalidatedBy", "wasDerivedFrom", "wasAttributedTo", "wasAssociatedWith", "actedOnBehalfOf",
    "wasInfluencedBy", "specializationOf", "alternateOf", "hadMember", "mentionOf",
})  # fmt: skip


def _refuse_plain_json(text: str, where: str) -> None:
    """Refuse a document without a single key of JSON-LD; one that is no JSON at all is left to the reader."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return
    if content == []:
        return
    first = content[0] if isinstance(content, list) and content else content
    keys = set(first) if isinstance(first, dict) else set()
    if keys & _PROV_RECORDS and keys <= _PROV_RECORDS | {"prefix"}:
        raise UnsupportedSyntax(
            "PROV-JSON is not read",
            where,
            "convert it to PROV-O in Turtle first, for example with the Python package prov",
        )
    if {"eventTime", "producer"} <= keys and keys & {"run", "job", "dataset"}:
        raise UnsupportedSyntax("OpenLineage events are not read", where, "convert them to PROV-O first")
    raise UnknownFormat(
        "JSON, but not JSON-LD: it has no @context, @id or @graph", where, "add a @context that says what its keys mean"
    )
