"""Whether an address is by its form a page about data, and not the data: a repository's page, a homepage, a DOI.

Each service keeps its pages and its files under paths of their own, as its manual says; those of the services where
research data and code lie most often are known. Nothing is asked of the network.
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
"""Hosts all of whose other paths are pages, each with the paths under which it gives files."""

# Dataverse and PANGAEA run under many names: told by their paths.
_PAGE_PATHS = re.compile(r"/(dataset|citation)(\.xhtml)?\Z|/10\.1594/PANGAEA\.\d+\Z", re.IGNORECASE)


def page_kind(address: str) -> str:
    """What kind of page an address is by its form, in a few words; empty where nothing shows that it is one."""
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
            # A folder of one person with a file in it is no page that GitHub has; a paper's listing has one.
            is_file = re.search(files, parts.path) or (parts.path.count("/") == 2 and format_of_file(parts.path))
            return "" if is_file else "the page of a repository"
    return "the page of a repository" if _PAGE_PATHS.search(parts.path) and "format=" not in parts.query else ""
