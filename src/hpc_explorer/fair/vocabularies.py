"""The vocabularies of science, machine learning, provenance, units and HPC: whose term an IRI is, and how FAIR it is.

The table beside this module is our own compilation: namespace, name, licence as its publisher states it (an SPDX
identifier; empty where we do not know of one, which does not mean that there is none), and whether it is general or of
one discipline.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from urllib.parse import urlsplit

from hpc_explorer.rdf.terms import NamedNode


@dataclass(frozen=True)
class Vocabulary:
    """A published vocabulary.

    Args:
        prefix: short for its namespace.
        namespace: what its terms begin with.
        name: what people call it.
        licence: an SPDX identifier; empty: not known to us.
        scope: "general", or its discipline.
    """

    prefix: str
    namespace: str
    name: str
    licence: str
    scope: str

    @property
    def is_persistent(self) -> bool:
        """Whether its publisher promised that its IRIs stay."""
        return is_persistent(self.namespace)


# Names that are given for good and only redirect to where a text lies today: w3id.org, purl.org and their kin; and the
# namespaces whose keepers say that they stay: the W3C's, the EU's, the Library of Congress's, schema.org, and FOAF's,
# for which the Dublin Core Metadata Initiative vouches since 2011.
_PERSISTENT_HOSTS = frozenset(
    {
        "w3id.org", "purl.org", "www.purl.org", "purl.obolibrary.org", "purl.uniprot.org", "purl.oclc.org",
        "purl.dataone.org", "purls.helmholtz-metadaten.de", "www.w3.org", "doi.org", "hdl.handle.net",
        "n2t.net", "identifiers.org", "data.europa.eu", "publications.europa.eu", "id.loc.gov",
        "persistence.uni-leipzig.org", "schema.org", "xmlns.com",
    }
)  # fmt: skip

DEFAULT_NAMESPACES = frozenset(
    {
        "http://ogp.me/ns",
        "http://purl.org/dc/elements/1.1",
        "http://purl.org/dc/terms",
        "http://schema.org",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns",
        "http://www.w3.org/1999/XSL/Transform",
        "http://www.w3.org/1999/xhtml/vocab",
        "http://www.w3.org/2000/01/rdf-schema",
        "http://www.w3.org/2000/xmlns",
        "http://www.w3.org/2001/XMLSchema",
        "http://www.w3.org/2001/XMLSchema-instance",
        "http://www.w3.org/2002/07/owl",
        "http://www.w3.org/2004/02/skos/core",
        "http://www.w3.org/2004/07/xpath-functions",
        "http://www.w3.org/2005/sparql-results",
        "http://www.w3.org/2005/xpath-functions",
        "http://www.w3.org/2005/xqt-errors",
        "http://www.w3.org/2006/vcard/ns",
        "http://www.w3.org/2007/05/powder-s",
        "http://www.w3.org/TR/WD-xsl",
        "http://www.w3.org/XML/1998/namespace",
        "http://www.w3.org/XSL/Transform/1.0",
        "http://www.w3.org/ns/dcat",
        "http://www.w3.org/ns/rdfa",
        "http://xmlns.com/foaf/0.1",
        "https://schema.org",
    }
)
"""The namespaces that do not count as semantic resources, without their last sign.

F-UJI leaves out these 26 (metric FsF-I1-02M, version 0.4), because every record of a catalogue has them, whatever its
data are: only what goes beyond them says that somebody described the data in the words of their field.
"""


@cache
def vocabularies() -> Mapping[str, Vocabulary]:
    """The table by namespace."""
    table = files("hpc_explorer.fair").joinpath("lists/vocabularies.csv").read_text(encoding="utf-8")
    return {row["namespace"]: Vocabulary(**row) for row in csv.DictReader(table.splitlines())}


@lru_cache(maxsize=4096)
def vocabulary_of(iri: str) -> Vocabulary | None:
    """The listed vocabulary that an IRI is a term of; the one with the longest namespace."""
    table = vocabularies()
    for place in range(len(iri), 0, -1):
        if iri[place - 1] in "#/_" and (found := table.get(iri[:place])) is not None:
            return found
    return None


def namespace_of(term: NamedNode) -> str:
    """The namespace of a term: that of its listed vocabulary, or its IRI up to the last # or /."""
    if (vocabulary := vocabulary_of(term.value)) is not None:
        return vocabulary.namespace
    return term.value[: max(term.value.rfind("#"), term.value.rfind("/")) + 1]


def is_persistent(iri: str) -> bool:
    """Whether an IRI stands under a name that is given for good."""
    return (urlsplit(iri).hostname or "") in _PERSISTENT_HOSTS
