"""Loading the contexts of a JSON-LD document.

A context comes from the offline list, from a file beside the document, or, if allowed, from the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from hpc_explorer.errors import RemoteContextRefused, SourceSyntaxError, SourceUnreadable
from hpc_explorer.rdf.syntax.json_text import parse_json
from hpc_explorer.rdf.syntax.known_contexts import Context, known_context

MOST_CONTEXTS = 32
"""Limit of nested contexts."""

_LARGEST_CONTEXT = 10_000_000
_SECONDS_TO_FETCH = 20


@dataclass(frozen=True)
class ContextPolicy:
    """Where the contexts of one document may come from.

    Args:
        where: name of the document in errors.
        base: base IRI for relative addresses of contexts.
        allow_remote: whether contexts may be fetched from the network.
    """

    where: str
    base: str
    allow_remote: bool = False


class Contexts:
    """The contexts of one document, each loaded once.

    Args:
        policy: where they may come from.
    """

    def __init__(self, policy: ContextPolicy) -> None:
        self.policy = policy
        self._loaded: dict[str, Context] = {}

    def load(self, url: str) -> Context:
        """The context at an address.

        Raises:
            RemoteContextRefused: it is neither available offline nor allowed.
            SourceUnreadable: it cannot be fetched or read.
            SourceSyntaxError: it is not a context.
        """
        if url not in self._loaded:
            known = known_context(url)
            self._loaded[url] = known or _context_of_document(_context_document(url, self.policy), url, self.policy)
        return self._loaded[url]

    def document(self, url: str, options: object = None) -> dict[str, Any]:
        """The context at an address in the form of PyLD's document loaders; raises as `load`."""
        return _loaded(url, _without_base(self.load(url)))

    def resolved(self, value: Context) -> Context:
        """A context with references resolved; raises as `load`."""
        return self._resolved(value, self.policy.base, ())

    def _resolved(self, value: Context, base: str, active: tuple[str, ...]) -> Context:
        """A context with references to other contexts resolved.

        Args:
            base: base address of its references.
            active: addresses of the enclosing contexts, outermost first.
        """
        if isinstance(value, str):
            return self._named(urljoin(base, value), active)
        if isinstance(value, list):
            found: list[Any] = []
            for item in value:
                part = self._resolved(item, base, active)
                found += part if isinstance(part, list) else [part]
            return found
        if isinstance(value, dict):
            return self._resolved_definitions(value, base, active)
        return value

    def _resolved_definitions(self, value: dict[str, Any], base: str, active: tuple[str, ...]) -> dict[str, Any]:
        definitions = dict(value)
        imported = definitions.pop("@import", None)
        if isinstance(imported, str):
            context = self._named(urljoin(base, imported), active)
            if not isinstance(context, dict):
                raise SourceSyntaxError(f"@import of {imported}, which is not one context", self.policy.where)
            definitions = {**context, **definitions}
        for term, definition in definitions.items():
            if isinstance(definition, dict) and "@context" in definition:
                definitions[term] = {**definition, "@context": self._resolved(definition["@context"], base, active)}
        return definitions

    def _named(self, url: str, active: tuple[str, ...]) -> Context:
        if url in active or len(active) > MOST_CONTEXTS:
            raise SourceSyntaxError(f"the JSON-LD context {url} includes itself", self.policy.where, "remove the cycle")
        return _without_base(self._resolved(self.load(url), url, (*active, url)))


def load_document(url: str, options: object = None) -> dict[str, Any]:
    """PyLD's document loader for offline contexts, used for framing.

    Raises:
        RemoteContextRefused: the context is not available offline.
    """
    context = known_context(url)
    if context is None:
        raise RemoteContextRefused(f"the JSON-LD context {url} is not available offline", "", "write the context out")
    return _loaded(url, context)


def _loaded(url: str, context: Context) -> dict[str, Any]:
    return {
        "contentType": "application/ld+json",
        "contextUrl": None,
        "documentUrl": url,
        "document": {"@context": context},
    }


def _without_base(context: Context) -> Context:
    """A loaded context without @base, which applies to local contexts only (JSON-LD 1.1 API, section 4.1.2)."""
    if isinstance(context, list):
        return [_without_base(item) for item in context]
    if isinstance(context, dict) and "@base" in context:
        return {term: definition for term, definition in context.items() if term != "@base"}
    return context


def _context_of_document(document: str, url: str, policy: ContextPolicy) -> Context:
    try:
        content = parse_json(document, url)
    except SourceSyntaxError as error:
        raise SourceSyntaxError(f"the JSON-LD context {url} is not JSON ({error.what})", policy.where) from None
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
            f"the JSON-LD context {url} is not available offline",
            policy.where,
            "allow remote contexts, or write the context into the file",
        )
    return _fetched(url, policy)


def _path_beside(url: str, policy: ContextPolicy) -> Path:
    """The file at a `file:` address. It must be in the document's folder, so that a document cannot read other files.

    Raises:
        RemoteContextRefused: the file is elsewhere.
    """
    from urllib.request import url2pathname

    try:
        path, document = (Path(url2pathname(urlsplit(one).path)).resolve() for one in (url, policy.base))
    except (OSError, ValueError, RuntimeError):
        raise SourceUnreadable(f"the JSON-LD context {url} cannot be read", policy.where) from None
    if urlsplit(url).netloc not in ("", "localhost") or document.parent not in path.parents:
        raise RemoteContextRefused(
            f"the JSON-LD context {url} is outside the folder of the document",
            policy.where,
            "put it beside the document, or write it into the file",
        )
    return path


_LINK_TO_JSON_LD = re.compile(r"<([^>]*)>(?=[^,]*rel=\"?alternate)(?=[^,]*type=\"?application/ld\+json)")


def _fetched(url: str, policy: ContextPolicy, redirects: int = 1) -> str:
    """The context document at an address; one link from a page to its JSON-LD is followed."""
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
