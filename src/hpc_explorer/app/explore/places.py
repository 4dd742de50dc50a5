"""Where a resource is: a file on this machine, or an address on the web."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.common_terms import TERMS, Fact
from hpc_explorer.rdf.namespaces import DCAT, HPC
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

_PLACES = (*TERMS[Fact.CONTENT_URL], HPC.url, DCAT.accessURL, *TERMS[Fact.REPOSITORY])
_FILES = TERMS[Fact.FILES]


def place_of(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> Path | str | None:
    """The file of a resource if it exists on this machine, otherwise its address on the web; None without either.

    What the graph states as its location comes first, then the locations of its files, then its IRI. A relative path
    starts at the folder of an open source.
    """
    stated = [quad for quad in session.store.match(resource, limits=limits) if quad.predicate in (*_PLACES, *_FILES)]
    own = [quad.object for quad in stated if quad.predicate in _PLACES]
    files = [quad.object for quad in stated if quad.predicate in _FILES]
    parts = [one for one in files if is_resource(one)]
    below = session.store.match_many(subjects=parts, predicates=_PLACES, limits=limits) if parts else ()
    terms = (*own, *(quad.object for quad in below), *files, resource)
    texts = [term.value for term in terms if isinstance(term, (Literal, NamedNode))]
    folders = {source.path.parent for source in session.opened if source.path is not None}
    for text in texts:
        found = next(_files_of(text, folders), None)
        if found is not None:
            return found
    return next((text for text in texts if urlsplit(text).scheme in ("http", "https")), None)


def _files_of(text: str, folders: Iterable[Path]) -> Iterator[Path]:
    """The existing files that a text may name."""
    scheme = urlsplit(text).scheme
    if scheme == "file":
        paths = [Path(unquote(urlsplit(text).path))]
    elif scheme or not text or "\n" in text or len(text) > 1_000:
        return
    else:
        paths = [folder / text for folder in folders]
    for path in paths:
        try:
            if path.is_file():
                yield path
        except (OSError, ValueError):
            continue
