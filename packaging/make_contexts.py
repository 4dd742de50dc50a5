"""Make the lists of schema.org terms that the shipped JSON-LD contexts are built from.

    python packaging/make_contexts.py --schema-org schemaorg-all-https.ttl \
        --ro-crate 1.1=ro-crate-1.1.jsonld --ro-crate 1.2=ro-crate-1.2.jsonld --ro-crate 1.3=ro-crate-1.3.jsonld

An RO-Crate context lists the terms of one release of schema.org and a few more. The releases overlap
almost wholly, so `schema-org-terms.json` holds the terms of the first, and what each later one added and dropped.
`schema-org.json` names those properties whose values schema.org's own context reads as IRIs or dates; all
else follows from its @vocab. src/hpc_explorer/rdf/contexts/README.md says where the inputs come from.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pyoxigraph import NamedNode, RdfFormat, parse

CONTEXTS = Path(__file__).resolve().parents[1] / "src" / "hpc_explorer" / "rdf" / "contexts"
SCHEMA = "http://schema.org/"
SCHEMA_HTTPS = "https://schema.org/"


def terms_of_releases(ro_crate_contexts: list[tuple[str, Path]]) -> list[dict[str, object]]:
    """For each RO-Crate version in order: the schema.org terms its context adds to, and drops from, the one before."""
    releases: list[dict[str, object]] = []
    before: set[str] = set()
    for version, path in ro_crate_contexts:
        context = json.loads(path.read_text(encoding="utf-8"))["@context"]
        terms = {term for term, iri in context.items() if iri == SCHEMA + term}
        releases.append({"ro-crate": version, "added": sorted(terms - before), "dropped": sorted(before - terms)})
        before = terms
    return releases


def coerced_properties(vocabulary: Path) -> tuple[list[str], list[str]]:
    """The properties whose values schema.org's context reads as IRIs, and those it reads as dates.

    Its rule: a property that may hold a text is never coerced; else URL before Date.
    """
    ranges: dict[str, set[str]] = {}
    for quad in parse(path=str(vocabulary), format=RdfFormat.TURTLE):
        if quad.predicate.value == SCHEMA_HTTPS + "rangeIncludes" and isinstance(quad.subject, NamedNode):
            name = quad.subject.value.removeprefix(SCHEMA_HTTPS)
            ranges.setdefault(name, set()).add(quad.object.value.removeprefix(SCHEMA_HTTPS))
    free_of_text = {name: kinds for name, kinds in ranges.items() if "Text" not in kinds}
    iris = sorted(name for name, kinds in free_of_text.items() if "URL" in kinds)
    dates = sorted(name for name, kinds in free_of_text.items() if "URL" not in kinds and "Date" in kinds)
    return iris, dates


def main() -> None:
    """Write both files anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schema-org", type=Path, required=True, help="schema.org's vocabulary as Turtle")
    parser.add_argument("--ro-crate", action="append", required=True, metavar="VERSION=FILE", help="oldest first")
    arguments = parser.parse_args()
    versions = [(version, Path(file)) for version, _, file in (text.partition("=") for text in arguments.ro_crate)]
    write("schema-org-terms.json", terms_of_releases(versions))
    iris, dates = coerced_properties(arguments.schema_org)
    document = json.loads((CONTEXTS / "schema-org.json").read_text(encoding="utf-8"))
    prefixes = {term: value for term, value in document["@context"].items() if not _is_coercion(value)}
    coercions = {name: {"@id": f"schema:{name}", "@type": "@id"} for name in iris}
    coercions |= {name: {"@id": f"schema:{name}", "@type": "Date"} for name in dates}
    write("schema-org.json", {**document, "@context": {**prefixes, **dict(sorted(coercions.items()))}})


def _is_coercion(value: object) -> bool:
    return isinstance(value, dict) and "@type" in value


def write(name: str, value: object) -> None:
    """Write a file of the contexts folder, one term a line so that a change can be read."""
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    (CONTEXTS / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(text):,} bytes")


if __name__ == "__main__":
    main()
