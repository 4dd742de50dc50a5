"""Name terms and count things in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hpc_explorer.fair.subject import Subject
from hpc_explorer.rdf.namespaces import RDF, SCHEMA, SCHEMAS, PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Quad

_PREFIXES = PrefixMap(
    {
        "adms": "http://www.w3.org/ns/adms#",
        "cc": "http://creativecommons.org/ns#",
        "codemeta": "https://w3id.org/codemeta/",
        "cr": "http://mlcommons.org/croissant/",
        "csvw": "http://www.w3.org/ns/csvw#",
        "dqv": "http://www.w3.org/ns/dqv#",
        "fair4ml": "https://w3id.org/fair4ml#",
        "pav": "http://purl.org/pav/",
        "spdx": "http://spdx.org/rdf/terms#",
    }
)


@dataclass(frozen=True)
class Spoken:
    """The grammar of a noun: "the data are there, and they are open", "the model is there"."""

    name: str
    is_one: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def first(self) -> str:
        """The name with an initial capital."""
        return self.name[0].upper() + self.name[1:]

    @property
    def are(self) -> str:
        """The verb: "are" or "is"."""
        return self.do("are", "is")

    def do(self, several: str, one: str) -> str:
        """The matching form: `do("have", "has")`, `do("them", "it")`."""
        return one if self.is_one else several


METADATA = Spoken("the metadata")
DATA = Spoken("the data")
MODEL = Spoken("the model", is_one=True)


def the_data(subject: Subject) -> Spoken:
    """The noun for the resource: a model is not called data."""
    return MODEL if subject.is_model else DATA


def term(iri: NamedNode) -> str:
    """A term with its prefix; both namespaces of schema.org become schema:."""
    return _PREFIXES.short(iri.value.replace(SCHEMAS, SCHEMA, 1))


def terms(quads: Iterable[Quad]) -> str:
    """The distinct predicates of some statements: "dcterms:title and hpc:name"; a lone rdf:type names its class."""
    predicates = [quad.predicate for quad in quads]
    return listed([term(each) for each in predicates if each != RDF.type] or [term(each) for each in predicates])


def some(quads: Iterable[Quad], most: int = 4) -> str:
    """The first predicates of some statements, and the number of others."""
    different = list(dict.fromkeys(term(quad.predicate) for quad in quads))
    more = len(different) - most
    return listed([*different[:most], f"{more} more"] if more > 0 else different)


def say(quads: Iterable[Quad], one: str = "says", many: str = "say") -> str:
    """The singular or plural verb for the predicates of some statements."""
    return one if len({quad.predicate for quad in quads}) == 1 else many


def listed(words: Sequence[str], joined: str = "and") -> str:
    """Join distinct words in a sentence: "a, b and c"."""
    different = list(dict.fromkeys(words))
    if len(different) < 2:
        return "".join(different)
    return f"{', '.join(different[:-1])} {joined} {different[-1]}"


def short(text: str, most: int = 80) -> str:
    """Truncate a long text."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
