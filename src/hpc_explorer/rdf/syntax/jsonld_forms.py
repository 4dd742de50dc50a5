"""The forms of a JSON-LD document (JSON-LD 1.1 API and Framing): compacted, framed, expanded, flattened.

Contexts and frames are never fetched here: a context is available offline, is read from a file, or is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from hpc_explorer.errors import InputError, SourceSyntaxError, SourceUnreadable
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.syntax.json_text import parse_json
from hpc_explorer.rdf.syntax.jsonld import pyld_cause, pyld_reason
from hpc_explorer.rdf.syntax.jsonld_contexts import ContextPolicy, Contexts, load_document
from hpc_explorer.rdf.syntax.known_contexts import Context, known_context
from hpc_explorer.rdf.terms import NamedNode

_OPTIONS = {"documentLoader": load_document, "processingMode": "json-ld-1.1"}


class Form(Enum):
    """The forms of a JSON-LD document."""

    COMPACTED = "compacted"
    FRAMED = "framed"
    EXPANDED = "expanded"
    FLATTENED = "flattened"


@dataclass(frozen=True)
class Arrangement:
    """The layout of a JSON-LD document.

    Args:
        form: its form.
        frame: the frame of the framed form.
        context: the context for compaction; None for the prefixes in use.
    """

    form: Form = Form.COMPACTED
    frame: Mapping[str, Any] | None = None
    context: Context = None


def arranged(document: Mapping[str, Any], arrangement: Arrangement) -> Any:
    """A compacted document in another form.

    Raises:
        InputError: the frame or the context is not valid.
        RemoteContextRefused: a context is not available offline.
    """
    from pyld import jsonld

    context = arrangement.context if arrangement.context is not None else document.get("@context", {})
    match arrangement.form:
        case Form.EXPANDED:
            return _processed(lambda: jsonld.expand(document, _OPTIONS), "the document")
        case Form.FLATTENED:
            return _processed(lambda: jsonld.flatten(document, {"@context": context}, _OPTIONS), "the context")
        case Form.FRAMED:
            frame = dict(arrangement.frame or {})
            frame.setdefault("@context", context)
            return _processed(lambda: jsonld.frame(document, frame, _OPTIONS), "the frame")
        case Form.COMPACTED if arrangement.context is not None:
            return _processed(lambda: jsonld.compact(document, {"@context": context}, _OPTIONS), "the context")
    return document


def _processed(work: Callable[[], Any], what: str) -> Any:
    from pyld import jsonld

    try:
        return work()
    except RecursionError:
        raise InputError("the document is nested too deeply for this form", "", "choose another one") from None
    except jsonld.JsonLdError as error:
        cause = pyld_cause(error)
        if isinstance(cause, InputError):
            raise cause from None
        remedy = "see the W3C's JSON-LD 1.1 Framing" if what == "the frame" else "see the W3C's JSON-LD 1.1"
        raise InputError(f"{what} is not valid ({pyld_reason(cause)})", "", remedy) from None


def frame_of(*, resources: Iterable[NamedNode] = (), classes: Iterable[NamedNode] = ()) -> dict[str, Any]:
    """A frame with these resources, or the instances of these classes, at the top and linked nodes embedded."""
    frame: dict[str, Any] = {}
    if names := [one.value for one in resources]:
        frame["@id"] = names
    elif kinds := [one.value for one in classes]:
        frame["@type"] = kinds
    # A node with several links is embedded at the first one and referenced at the others.
    return {**frame, "@embed": "@once"}


def read_frame(path: Path) -> Mapping[str, Any]:
    """The frame in a JSON file.

    Raises:
        SourceNotFound: the file does not exist.
        SourceUnreadable: permission is denied, or the file is not UTF-8.
        SourceSyntaxError: it is not a JSON object.
    """
    return _read_object(path, "frame")


def read_context(name: str, *, allow_remote: bool = False) -> Context:
    """The context at an address or in a file, ready to be written into a document.

    A context that is available offline stays an address; others are written out.

    Args:
        name: an http(s) address, or a path.
        allow_remote: whether contexts may be fetched.

    Raises:
        SourceNotFound, SourceUnreadable, SourceSyntaxError: the file does not exist or is not a context.
        RemoteContextRefused: the context is not available offline and may not be fetched.
    """
    if name.startswith(("http://", "https://")):
        if known_context(name) is not None:
            return name
        return Contexts(ContextPolicy(name, name, allow_remote)).resolved(name)
    path = Path(name)
    content = _read_object(path, "context")
    policy = ContextPolicy(str(path), path.absolute().as_uri(), allow_remote)
    return Contexts(policy).resolved(content.get("@context", content))


def _read_object(path: Path, what: str) -> dict[str, Any]:
    try:
        content = parse_json(path.read_text(encoding="utf-8-sig"), str(path))
    except OSError as error:
        raise input_error(error, path, what) from None
    except UnicodeDecodeError as error:
        raise SourceUnreadable(f"not UTF-8 at byte {error.start + 1:,}", str(path), "save it in UTF-8") from None
    if not isinstance(content, dict):
        raise SourceSyntaxError(f"a {what} must be a JSON object", f"{path}:1:1", "begin it with {")
    return content
