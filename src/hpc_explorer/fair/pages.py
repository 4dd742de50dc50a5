"""Recognise addresses of pages about data, such as repository pages, homepages and DOIs.

Common services use separate paths for pages and files, as their manuals document. No request is made.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from hpc_explorer.fair.formats import format_of_file

_RESOLVERS = frozenset({"doi.org", "dx.doi.org", "www.doi.org", "hdl.handle.net", "n2t.net", "identifiers.org"})

_FILES: tuple[tuple[str, str], ...] = (
    (r"github\.com", r"/[^/]+/[^/]+/(raw|archive|releases/download|releases/latest/download|zipball|tarball)/"),
    (r"gitlab\..+|.+\.gitlab\.io", r"/(raw|archive|uploads|package_files|artifacts)/|/download"),
    (r"bitbucket\.org", r"/[^/]+/[^/]+/(raw|get|downloads)/."),
    (r"codeberg\.org", r"/[^/]+/[^/]+/(raw|archive|media|releases/download)/"),
    (r"(sandbox\.)?zenodo\.org", r"/files/.|/files-archive|/api/"),
    (r"(.+\.)?figshare\.com", r"/ndownloader/|/files/\d|/download"),
    (r"huggingface\.co", r"/resolve/|/raw/|/api/"),
    (r"(www\.)?kaggle\.com", r"/download|/api/"),
    (r"(files\.)?osf\.io", r"/download|/providers/"),
    (r"datadryad\.org", r"/downloads?/|/api/"),
    (r"(www\.)?openml\.org", r"/data/|/api/"),
)
"""Hosts with the paths of their files; all other paths are pages."""

# Dataverse and PANGAEA run on many hosts and are recognised by path.
_PAGE_PATHS = re.compile(r"/(dataset|citation)(\.xhtml)?\Z|/10\.1594/PANGAEA\.\d+\Z", re.IGNORECASE)


def page_kind(address: str) -> str:
    """The kind of page that an address has by its form; empty if none is recognised."""
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").removesuffix(".")
    except ValueError:
        return ""
    if parts.scheme.lower() not in ("http", "https"):
        return ""
    if host in _RESOLVERS:
        return "an identifier, which leads to a page"
    if not parts.path.strip("/") and not parts.query:
        return "a homepage"
    for hosts, files in _FILES:
        if re.fullmatch(hosts, host, re.IGNORECASE):
            # A two-part path with a file extension is a file: GitHub has no such page.
            is_file = re.search(files, parts.path) or (parts.path.count("/") == 2 and format_of_file(parts.path))
            return "" if is_file else "the page of a repository"
    return "the page of a repository" if _PAGE_PATHS.search(parts.path) and "format=" not in parts.query else ""
