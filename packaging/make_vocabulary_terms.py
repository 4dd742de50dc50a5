"""Make the list of the terms of vocabularies that are known whole, src/hpc_explorer/fair/lists/vocabulary_terms.txt.

    python packaging/make_vocabulary_terms.py --vocabularies FOLDER --schema-org schemaorg-all-https.ttl \
        --brick Brick.ttl --hpc-ontology FOLDER

FOLDER of the vocabularies has their own files: dcat.nq, dcterms.nq, foaf.nq, ... To these the names are added that
rdflib knows (BSD-3-Clause), which also stand alone where no file is at hand. Only names are listed, no texts.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyoxigraph import NamedNode, RdfFormat, parse

OUTPUT = Path(__file__).resolve().parents[1] / "src/hpc_explorer/fair/lists/vocabulary_terms.txt"
HEAD = """\
# The terms of the vocabularies that are known whole, without their namespace.
# Made by packaging/make_vocabulary_terms.py from the vocabularies' own files and from rdflib; names only. NOTICE has
# whose they are.
"""

SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")
HPC = "https://hpc-fair.github.io/ontology#"

# By rdflib's name; the second is the vocabulary's own file, where there is one.
OF_RDFLIB = {
    "RDF": "rdf.nq", "RDFS": "rdfs.nq", "OWL": "owl.nq", "XSD": "", "SKOS": "skos.nq", "DC": "",
    "DCTERMS": "dcterms.nq", "DCMITYPE": "", "DCAM": "", "FOAF": "foaf.nq", "ORG": "", "DCAT": "dcat.nq",
    "VOID": "void.nq", "PROF": "", "SH": "sh.nq", "CSVW": "", "QB": "", "ODRL2": "", "TIME": "time.nq", "DOAP": "",
    "PROV": "prov.nq", "SOSA": "sosa.nq", "SSN": "ssn.nq", "GEO": "", "VANN": "",
}  # fmt: skip
OF_FILES = {"http://www.w3.org/ns/oa#": "oa.nq", "http://www.w3.org/ns/mls#": "mls_MLSchema.ttl"}

DCAT_3 = (
    "DatasetSeries", "first", "hasCurrentVersion", "hasVersion", "inCatalog", "inSeries", "isDistributionOf",
    "isVersionOf", "last", "next", "nextVersion", "prev", "previousVersion", "resource", "seriesMember", "version",
)  # fmt: skip
"""What DCAT 3 (W3C Recommendation, 22 August 2024) adds to DCAT 2, which file and rdflib have."""

_FORMATS = {".nq": RdfFormat.N_QUADS, ".ttl": RdfFormat.TURTLE}
_NAME = re.compile(r"[\w.-]+\Z")


def described(files: Iterable[Path], namespace: str) -> Iterator[str]:
    """The names of a namespace that some files say anything of."""
    for file in files:
        for quad in parse(path=str(file), format=_FORMATS[file.suffix], base_iri=namespace):
            if isinstance(quad.subject, NamedNode) and quad.subject.value.startswith(namespace):
                yield quad.subject.value.removeprefix(namespace)


def of_rdflib(name: str) -> tuple[str, set[str]]:
    """The namespace and the names that rdflib knows of a vocabulary."""
    import rdflib.namespace

    known = getattr(rdflib.namespace, name)
    names = {each for each in known.__annotations__ if not each.startswith("_")}
    return str(known._NS), names | set(getattr(known, "_extras", ()))


def vocabularies(arguments: argparse.Namespace) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """Each vocabulary's namespaces, and its names."""
    folder: Path = arguments.vocabularies
    for name, file in OF_RDFLIB.items():
        namespace, names = of_rdflib(name)
        yield (namespace,), names | set(described([folder / file] if file else [], namespace))
    yield (HPC,), set(described(sorted(arguments.hpc_ontology.glob("*.ttl")), HPC))
    yield SCHEMA_ORG, set(described([arguments.schema_org], SCHEMA_ORG[1]))
    brick, names = of_rdflib("BRICK")
    yield (brick,), names | set(described([arguments.brick], brick))
    for namespace, file in OF_FILES.items():
        yield (namespace,), set(described([folder / file], namespace))


def main() -> None:
    """Write the list anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("vocabularies", "schema-org", "brick", "hpc-ontology"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    blocks = []
    for namespaces, names in vocabularies(parser.parse_args()):
        if "http://www.w3.org/ns/dcat#" in namespaces:
            names |= set(DCAT_3)
        listed = " ".join(sorted(name for name in names if _NAME.match(name)))
        body = textwrap.fill(listed, 120, break_long_words=False, break_on_hyphens=False)
        blocks.append(f"> {' '.join(namespaces)}\n{body}\n")
    OUTPUT.write_text(HEAD + "\n" + "\n".join(sorted(blocks)), encoding="utf-8")


if __name__ == "__main__":
    main()
