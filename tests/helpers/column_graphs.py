"""Random graphs with every mix of datatypes, and edits of them, for comparing the columns with the triples.

Everything is drawn from a `random.Random`, so that a seed says all of a graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.local.spellings import stored_form

EX = "http://ex.org/"
PREFIXES = f"PREFIX : <{EX}> PREFIX xsd: <{XSD.integer.value[:-7]}> PREFIX rdfs: <{RDFS.label.value[:-5]}>\n"

GRAPHS = tuple(NamedNode(f"{EX}graph{number}") for number in range(2))
THINGS: tuple[Resource, ...] = (
    *(NamedNode(f"{EX}t{number}") for number in range(7)),
    NamedNode(f"{EX}t10"),
    NamedNode(f"{EX}T1"),
    NamedNode(f"{EX}it's"),
    BlankNode("b1"),
    BlankNode("b2"),
)
CLASSES = tuple(NamedNode(f"{EX}C{number}") for number in range(4))
LINKS = ("made", "used", "part", "near")
"""Predicates that lead to resources; the first has one value at most."""
VALUES = tuple(f"v{number}" for number in range(6))
"""Predicates that lead to values, of a kind that each graph chooses."""

_TEXTS: dict[str, tuple[str, ...]] = {
    "integer": ("0", "1", "2", "3", "-1", "5", "7", "10", "40", "+1", "01", "-0", "900000001", "800000003"),
    "big": (
        "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "999999999999999",
        "1000000000000001", "123456789012345678", "9223372036854775807", "-9223372036854775808", "4611686018427387904",
        "9223372036854775808", "100000000000000000000", "3037000500",
    ),
    "int": ("5", "1", "-3", "02"),
    "nonNegativeInteger": ("2", "1", "0", "-5"),
    "byte": ("7", "300"),
    "decimal": ("0.1", "0.10", "0.2", "0.3", "1.0", "1.50", "2.5", "-0.5", "0.0", "-0.0", "100.00", "0.01", "37.42", "3", "1"),
    "fine": (
        "0.1234567890123456789", "12345678901234567890.123", "1.000000000000000001", "0.000000000000000001", ".5", "5.",
        "170141183460469231731.687303715884105727", "99999999999999.99", "1234567.123456789", "0.333333333333333333",
        "-170141183460469231731.687303715884105728", "170141183460469231732",
    ),
    "double": ("1.0e0", "1e0", "1", "2.5E0", "0.1", "0.0e0", "1.5E3", "-3e0", "+1.0", "0.2e0", "3"),
    "odd double": ("-0.0e0", "NaN", "INF", "-INF", "+INF", "1e308", "1.7e308", "1e-320", "9007199254740993", "1e19", "1e400", "inf"),
    "float": ("1.5", "0.1", "1", "2.5e0", "16777217", "0.25"),
    "odd float": ("-0.0", "NaN", "INF", "3.4e39", "3.4e38"),
    "boolean": ("true", "false", "1", "0"),
    "utc": (
        "2021-03-01T08:00:00Z", "2021-03-01T08:00:00.000Z", "2021-03-01T08:00:00.25Z", "1969-12-31T23:59:59.5Z",
        "2021-03-02T00:00:00Z", "2021-12-31T23:59:59Z", "2020-02-29T12:30:15.123456Z", "1900-01-01T00:00:00Z",
    ),
    "odd utc": (
        "2021-03-01T24:00:00Z", "2020-02-29T12:30:15.1234567Z", "0001-01-01T00:00:00Z", "-0044-03-15T12:00:00Z",
        "12021-01-01T00:00:00Z", "2021-02-30T00:00:00Z", "2021-03-01T23:59:60Z",
    ),
    "local": (
        "2021-03-01T08:00:00", "2021-03-01T08:00:00.000", "2021-03-01T09:00:00", "1969-12-31T23:00:00", "2021-03-01T07:59:59.9",
    ),
    "zoned": (
        "2021-03-01T09:00:00+01:00", "2021-03-01T08:00:00+00:00", "2021-03-01T00:00:00-08:00", "2021-03-01T23:30:00-05:30",
        "2021-03-01T24:00:00+02:00", "2021-03-01T08:00:00+14:00", "2021-03-01T08:00:00-00:00",
    ),
    "stamp": ("2021-03-01T08:00:00Z", "2021-03-01T09:00:00+01:00"),
    "date": ("2021-03-01", "2020-02-29", "1969-12-31", "2021-03-02"),
    "odd date": ("2021-03-01Z", "2021-03-01+01:00", "2021-02-30", "2021-03-01-14:00"),
    "time": ("08:00:00", "08:00:00Z", "09:00:00+01:00", "23:59:59.5", "24:00:00", "00:00:00"),
    "dayTimeDuration": ("P1D", "PT24H", "PT0S", "-PT5S", "PT3600S", "PT1H", "PT0.5S", "PT86400S"),
    "yearMonthDuration": ("P1M", "P12M", "P1Y", "-P1Y", "P0M"),
    "duration": ("P1D", "P30D", "P1M", "P1Y", "P12M", "PT1S", "P1Y2M3DT4H5M6.7S", "PT0S"),
    "gYear": ("2021", "2020", "2021Z"), "gYearMonth": ("2021-03", "2021-03Z"), "gMonth": ("--03",),
    "gDay": ("---01",), "gMonthDay": ("--03-01",), "hexBinary": ("0a", "0A"), "anyURI": ("http://ex.org/t1", "a"),
    "string": ("a", "b", "B", "ab", "", "é", "e\u0301", "1", "true", "2021-03-01", "tab\tand\nline", 'q"uo\\te', "it's", "\U0001f600", "\uffee", "a b", "?x", "aé_%"),
}  # fmt: skip

_DATATYPES = {
    "big": "integer", "fine": "decimal", "odd double": "double", "odd float": "float", "utc": "dateTime", "odd utc": "dateTime",
    "local": "dateTime", "zoned": "dateTime", "stamp": "dateTimeStamp", "odd date": "date",
}  # fmt: skip


def typed(text: str, name: str) -> Literal:
    """A literal of a datatype of XML Schema."""
    return Literal(text, datatype=NamedNode(f"{XSD.integer.value[:-7]}{name}"))


POOLS: Mapping[str, tuple[Term, ...]] = {
    **{name: tuple(typed(text, _DATATYPES.get(name, name)) for text in texts) for name, texts in _TEXTS.items()},
    "language": tuple(
        Literal(text, language=tag)
        for text, tag in (("a", "en"), ("a", "EN"), ("a", "en-GB"), ("b", "de"), ("", "en"), ("a", "de"), ("B", "en"))
    ),
    "ill": (
        typed("abc", "integer"), typed("1.5", "integer"), typed("", "decimal"), typed("x", "dateTime"), typed("yes", "boolean"),
        typed(" 1 ", "integer"), typed("1e0", "decimal"), typed("P", "duration"), typed("1,5", "double"), typed("", "integer"),
    ),
    "unknown": tuple(Literal(text, datatype=NamedNode(f"{EX}unit")) for text in ("1", "a", "01", "2021-03-01")),
    "iri": (*THINGS[:3], NamedNode("mailto:someone"), CLASSES[0]),
    "blank": (BlankNode("b1"), BlankNode("b3")),
}  # fmt: skip
"""Values by kind."""

_MOMENTS = ("utc", "local", "zoned")
_NUMBERS = ("integer", "decimal", "double")
KINDS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (14, ("integer",)), (10, ("decimal",)), (8, ("double",)), (2, ("float",)), (3, ("integer", "big")), (2, ("int", "nonNegativeInteger")),
    (2, ("decimal", "fine")), (2, ("double", "odd double")), (1, ("float", "odd float")), (1, ("boolean",)),
    (5, ("utc",)), (3, ("local",)), (2, ("zoned",)), (3, _MOMENTS), (1, ("utc", "odd utc")), (1, ("stamp",)),
    (2, ("date",)), (1, ("date", "odd date")), (1, ("time",)), (2, ("dayTimeDuration",)), (1, ("yearMonthDuration",)),
    (1, ("duration", "dayTimeDuration", "yearMonthDuration")), (1, ("gYear", "gYearMonth", "gMonth", "gDay", "gMonthDay")),
    (6, ("string",)), (2, ("language",)), (2, ("string", "language")),
    (3, ("integer", "decimal")), (3, _NUMBERS), (2, (*_NUMBERS, "float", "big", "fine", "odd double")), (3, ("integer", "string")),
    (2, ("integer", "date")), (2, ("integer", "ill")), (2, ("utc", "string")), (1, ("double", "ill", "unknown")), (1, ("date", "utc")),
    (2, ("integer", "iri")), (2, ("string", "iri", "blank")), (1, ("hexBinary", "anyURI", "unknown", "string")),
    (2, tuple(POOLS)),
)  # fmt: skip
"""Which kinds of values stand under one predicate, each with its weight: many with one clean kind, some with several."""


@dataclass(frozen=True)
class Schema:
    """What a graph has under its predicates, for queries to ask of.

    Args:
        kinds: the kinds of values of each predicate.
        values: some of these values, for each predicate.
    """

    kinds: Mapping[str, tuple[str, ...]]
    values: Mapping[str, tuple[Term, ...]]


@dataclass(frozen=True)
class Edit:
    """Quads that go and quads that come."""

    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]


def chance(rng: Random, percent: int) -> bool:
    """Whether something of this probability comes to pass."""
    return rng.randrange(100) < percent


def _schema(rng: Random) -> Schema:
    kinds = {name: rng.choices([kind for _, kind in KINDS], [weight for weight, _ in KINDS])[0] for name in VALUES}
    values = {}
    for name, mix in kinds.items():
        pool = [value for kind in mix for value in rng.sample(POOLS[kind], min(len(POOLS[kind]), rng.randint(2, 6)))]
        values[name] = tuple(rng.sample(pool, min(len(pool), rng.randint(3, 8))))
    return Schema(kinds, values)


def _quad(rng: Random, subject: Term, predicate: NamedNode, value: Term | Triple) -> list[Quad]:
    """A statement, now and then in both graphs."""
    graphs = GRAPHS if chance(rng, 8) else (rng.choice(GRAPHS),)
    return [Quad(subject, predicate, value, graph) for graph in graphs]  # type: ignore[arg-type]


def _statement(rng: Random, schema: Schema) -> list[Quad]:
    """A statement of any form that graphs here have."""
    subject = rng.choice(THINGS)
    if chance(rng, 70):
        name = rng.choice(VALUES)
        value = rng.choice(schema.values[name]) if chance(rng, 80) else rng.choice(POOLS[rng.choice(tuple(POOLS))])
        return _quad(rng, subject, NamedNode(EX + name), value)
    if chance(rng, 30):
        return _quad(rng, subject, RDF.type, rng.choice(CLASSES))
    return _quad(rng, subject, NamedNode(EX + rng.choice(LINKS)), rng.choice(THINGS))


def plain_lines(quads: Sequence[Quad]) -> bytes | None:
    """Statements as a file from which columns are built without asking the store; None if the store says more.

    They are, where one graph states each value once, without blank nodes.
    """
    stated = {(quad.subject, quad.predicate, _stored(quad.object)) for quad in quads}
    terms = {part for quad in quads for part in (quad.subject, quad.object)}
    if len({quad.graph_name for quad in quads}) != 1 or len(stated) < len(quads):
        return None
    if any(isinstance(term, (BlankNode, Triple)) for term in terms):
        return None
    return "".join(f"{quad.triple} .\n" for quad in quads).encode()


def _stored(term: Term | Triple) -> Term | Triple:
    return stored_form(term) if isinstance(term, Literal) else term


def _in_lines(quads: Sequence[Quad]) -> list[Quad]:
    """The statements that can stand in such a file."""
    found: dict[tuple[object, ...], Quad] = {}
    for quad in quads:
        if not {type(quad.subject), type(quad.object)} & {BlankNode, Triple}:
            key = quad.subject, quad.predicate, _stored(quad.object)
            found.setdefault(key, Quad(quad.subject, quad.predicate, quad.object, GRAPHS[0]))
    return list(found.values())


def random_graph(rng: Random) -> tuple[Schema, list[Quad]]:
    """A graph of some dozens of statements; each third could be a file of plain lines."""
    schema, quads = _schema(rng), []
    things = rng.sample(THINGS, rng.randint(4, len(THINGS)))
    for thing in things:
        for cls in rng.sample(CLASSES, rng.choice((0, 1, 1, 1, 1, 2))):
            quads += _quad(rng, thing, RDF.type, cls)
    for cls in CLASSES[1:]:
        if chance(rng, 60):
            quads += _quad(rng, cls, RDFS.subClassOf, rng.choice(CLASSES))
    for number, name in enumerate(LINKS):
        most = 1 if number == 0 else rng.choice((1, 2, 3))
        for thing in things:
            for value in rng.sample(things, rng.randint(1, most)) if chance(rng, 85) else ():
                quads += _quad(rng, thing, NamedNode(EX + name), value)
    for name in VALUES:
        share, most = rng.choice((100, 100, 80, 50)), rng.choice((1, 1, 1, 2, 3))
        known = schema.values[name]
        for thing in things:
            if chance(rng, share):
                for value in rng.sample(known, min(len(known), rng.randint(1, most))):
                    quads += _quad(rng, thing, NamedNode(EX + name), value)
    if chance(rng, 2):
        quoted = Triple(THINGS[0], NamedNode(EX + LINKS[0]), THINGS[1])
        quads += _quad(rng, things[0], NamedNode(EX + rng.choice((*LINKS, *VALUES))), quoted)
    return schema, _in_lines(quads) if chance(rng, 33) else quads


def random_edit(rng: Random, schema: Schema, quads: Sequence[Quad]) -> Edit:
    """A few statements taken out of a graph, and others put in."""
    removed = rng.sample(quads, min(len(quads), rng.randint(0, 4)))
    added = [quad for _ in range(rng.randint(0, 4)) for quad in _statement(rng, schema)]
    if removed and chance(rng, 30):  # one value for another, as people edit
        gone = rng.choice(removed)
        name = gone.predicate.value.removeprefix(EX)
        if name in schema.values:
            added += [Quad(gone.subject, gone.predicate, rng.choice(schema.values[name]), gone.graph_name)]
    return Edit(tuple(removed), tuple(added))
