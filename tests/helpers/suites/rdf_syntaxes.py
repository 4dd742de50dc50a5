"""The W3C's suites of RDF 1.1 syntaxes: each document is read, and what was read is written and read again.

A document that has to be read is opened as a file is, its syntax told by its content. One that has to be refused is
read as the syntax that its suite is about.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from pyoxigraph import parse

from hpc_explorer.errors import InputError
from hpc_explorer.rdf.namespaces import RDF, Namespace
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.formats import JSON_LD, N_QUADS, N_TRIPLES, RDF_XML, TRIG, TURTLE, Format, format_of_name
from hpc_explorer.rdf.syntax.reading import SourceContent, read_as_written, read_source
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import DefaultGraph, Literal, Quad
from tests.helpers.datasets import same
from tests.helpers.suites.manifests import MF, Manifest
from tests.helpers.suites.outcomes import Outcome, Suite, Verdict

RDFT = Namespace("http://www.w3.org/ns/rdftest#")

_FOLDERS = {
    "Turtle": (TURTLE, "rdf11/rdf-turtle"),
    "TriG": (TRIG, "rdf11/rdf-trig"),
    "N-Triples": (N_TRIPLES, "rdf11/rdf-n-triples"),
    "N-Quads": (N_QUADS, "rdf11/rdf-n-quads"),
    "RDF/XML": (RDF_XML, "rdf11/rdf-xml"),
}

WRITTEN: tuple[Format, ...] = (TURTLE, TRIG, N_TRIPLES, N_QUADS, RDF_XML, JSON_LD)
"""The syntaxes that a graph is written in."""


def judged(test: str, check: Callable[[], str]) -> Outcome:
    """The outcome of a test that says what is wrong, or raises what a person is told."""
    try:
        seen = check()
    except InputError as error:
        seen = f"refused: {error}"
    return Outcome(test, Verdict.FAILED, one_line(seen)) if seen else Outcome(test)


def one_line(text: str) -> str:
    """A text on one line, shortened."""
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:300]} …"


def _syntax_outcomes(format: Format, folder: Path, made: Path) -> Iterator[Outcome]:
    manifest = Manifest(folder / "manifest.ttl")
    for test in manifest.tests():
        action = manifest.value(test, MF.action)
        result = manifest.value(test, MF.result)
        assert action is not None
        file = manifest.path(action)
        (kind,) = manifest.values(test, RDF.type)
        name = test.value.partition("#")[2]
        base = manifest.address(file)
        if "Negative" in str(kind):
            yield judged(name, partial(_refused, file, format, base))
        elif result is None:
            yield judged(name, partial(_read, file, base))
        else:
            yield judged(name, partial(_compared, file, base, manifest.path(result)))


def _refused(file: Path, format: Format, base: str) -> str:
    try:
        quads = list(SourceContent(Document.of_file(file), format, base).quads())
    except InputError:
        return ""
    return f"read, as {len(quads)} statements"


def _read(file: Path, base: str) -> str:
    list(read_source(file, base=base).quads())
    return ""


def _compared(file: Path, base: str, expected: Path) -> str:
    return difference(list(read_source(file, base=base).quads()), engine_quads(expected))


def engine_quads(file: Path) -> list[Quad]:
    """What the N-Triples or N-Quads that a suite expects say, as the engine reads them."""
    format = format_of_name(file)
    assert format in (N_TRIPLES, N_QUADS)
    return list(parse(file.read_bytes(), format=format.engine))


def difference(read: Sequence[Quad], expected: Sequence[Quad]) -> str:
    """Where two datasets differ; empty where they are isomorphic."""
    if same(read, expected):
        return ""
    more = sorted(str(quad) for quad in set(read) - set(expected))
    less = sorted(str(quad) for quad in set(expected) - set(read))
    return f"{len(set(read))} statements instead of {len(set(expected))}; read {more[:2]}, expected {less[:2]}"


# Written and read again


def _round_trips(folder: Path, made: Path) -> Iterator[Outcome]:
    """Each document of the suites that can be read, written in each syntax that can say it and read again."""
    for suite, (_, name) in _FOLDERS.items():
        manifest = Manifest(folder / Path(name).relative_to("rdf11") / "manifest.ttl")
        for test in manifest.tests():
            (kind,) = manifest.values(test, RDF.type)
            action = manifest.value(test, MF.action)
            if "Negative" in str(kind) or action is None:
                continue
            file = manifest.path(action)
            try:
                quads = list(read_source(file, base=manifest.address(file)).quads())
            except InputError:
                continue  # the suite of its syntax says so
            for format in WRITTEN:
                if _holds(format, quads):
                    label = f"{suite}: {test.value.partition('#')[2]} as {format}"
                    yield judged(label, partial(_written_and_read, quads, format))


_XML_NAME = re.compile(r"[^\W\d][\w.\-·]*\Z")
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _holds(format: Format, quads: Sequence[Quad]) -> bool:
    """Whether a syntax can say these quads (RDF 1.1 XML Syntax, section 8; XML 1.0, section 2.2)."""
    if not format.has_named_graphs and any(quad.graph_name != DefaultGraph() for quad in quads):
        return False
    return format is not RDF_XML or all(
        _XML_NAME.search(quad.predicate.value)
        and not (isinstance(quad.object, Literal) and _NOT_IN_XML.search(quad.object.value))
        for quad in quads
    )


def _written_and_read(quads: Sequence[Quad], format: Format) -> str:
    written = io.BytesIO()
    write_quads(quads, written, format)
    return difference(list(read_as_written(written.getvalue(), format)), quads)


SYNTAX_SUITES: tuple[Suite, ...] = (
    *(
        Suite(
            f"RDF 1.1 {name}",
            folder,
            partial(_syntax_outcomes, format),
            f"https://w3c.github.io/rdf-tests/rdf/{folder}/",
        )
        for name, (format, folder) in _FOLDERS.items()
    ),
    Suite("RDF 1.1 documents, written and read again", "rdf11", _round_trips, "https://w3c.github.io/rdf-tests/rdf/"),
)
