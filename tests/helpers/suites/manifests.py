"""The manifests of the W3C's test suites: RDF documents that list tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pyoxigraph import RdfFormat, parse

from hpc_explorer.rdf.namespaces import RDF, Namespace
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")


class Manifest:
    """One manifest, or another document about one thing. It is read with the base of its file, so that the files that
    it names are found.

    Args:
        kind: the class of what it is about.

    Attributes:
        subject: what it is about.
        base: what the documents of its tests are relative to, as published; its folder where it says nothing.
    """

    def __init__(self, file: Path, kind: NamedNode = MF.Manifest) -> None:
        self.folder = file.parent
        self._facts: dict[Term, dict[NamedNode, list[Term]]] = {}
        here = file.absolute().as_uri()
        for quad in parse(file.read_bytes(), format=RdfFormat.TURTLE, base_iri=here):
            self._facts.setdefault(quad.subject, {}).setdefault(quad.predicate, []).append(quad.object)  # type: ignore[arg-type]
        self.subject = next(subject for subject, facts in self._facts.items() if kind in facts.get(RDF.type, ()))
        base = self.value(self.subject, MF.term("assumedTestBase"))
        self.base = base.value if isinstance(base, NamedNode) else f"{self.folder.absolute().as_uri()}/"

    def tests(self) -> Iterator[NamedNode]:
        """The tests it lists, each once, in its order."""
        seen: set[Term] = set()
        for head in self.values(self.subject, MF.term("entries")):
            for test in self.items(head):
                if isinstance(test, NamedNode) and test not in seen:
                    seen.add(test)
                    yield test

    def included(self) -> Iterator[Path]:
        """The manifests it includes, each or all in a list."""
        for head in self.values(self.subject, MF.term("include")):
            for file in self.items(head) if isinstance(head, BlankNode) else (head,):
                yield self.path(file)

    def values(self, subject: Term, predicate: NamedNode) -> list[Term]:
        """What is said of a subject."""
        return self._facts.get(subject, {}).get(predicate, [])

    def value(self, subject: Term, predicate: NamedNode) -> Term | None:
        """The one thing said of a subject; None where there is none."""
        return next(iter(self.values(subject, predicate)), None)

    def text(self, subject: Term, predicate: NamedNode) -> str:
        """The text that is said of a subject; empty where there is none."""
        value = self.value(subject, predicate)
        return value.value if isinstance(value, (Literal, NamedNode)) else ""

    def items(self, head: Term) -> Iterator[Term]:
        """The items of a list."""
        while isinstance(head, BlankNode):
            (item,), (rest,) = self.values(head, RDF.first), self.values(head, RDF.rest)
            yield item
            head = rest

    def path(self, file: Term) -> Path:
        """The file that an address of the manifest names."""
        from urllib.parse import unquote, urlsplit

        assert isinstance(file, NamedNode)
        return Path(unquote(urlsplit(file.value).path))

    def address(self, file: Path) -> str:
        """The address of a file as it is published."""
        return self.base + file.relative_to(self.folder.absolute()).as_posix()
