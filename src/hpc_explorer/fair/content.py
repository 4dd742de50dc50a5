"""Extract files, formats, sizes, checksums and variables, and compare them with local files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from hpc_explorer.fair.formats import StandardFormat, format_of, format_of_file
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.surroundings import LocalFile, Surroundings
from hpc_explorer.fair.terms import FORMAT_TERMS, FairFact, Role, fair4ml
from hpc_explorer.ontology.common_terms import CROISSANT, CSVW, SPDX, Fact, schema_org
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import HPC, MLS, QUDT, RDF, VOID
from hpc_explorer.rdf.quantities import read_quantity
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad

_FORMATS = "http://www.w3.org/ns/formats/"

METRICS = (
    *fair4ml("hasEvaluation", "evaluationMetrics", "evaluationResults", "modelPerformance"), HPC.accuracy, HPC.overhead,
    MLS.hasQuality,
)  # fmt: skip
"""Properties for the quality of a model."""

FRAMEWORK = (HPC.framework, HPC.machineLearningFramework, *schema_org("softwareRequirements"))
"""Properties for the framework of a model."""

MODEL_STRUCTURE = (HPC.rootNode, HPC.graphLink, HPC.inputShape, HPC.modelProperty)
"""Properties for the structure and inputs of a model."""


@dataclass(frozen=True)
class Spelled:
    """A stated value of a file, with its evidence."""

    text: str
    evidence: tuple[Quad, ...]


def files_of(subject: Subject) -> tuple[Node, ...]:
    """The nodes that represent the data as files: the distributions, and possibly the resource itself."""
    return (subject.own, *subject.distributions)


def with_values(subject: Subject) -> tuple[Node, ...]:
    """The resource and its blank-node values, without those of its files."""
    return _reached((subject.own,), subject.of(Role.VALUE))


def elements_with_values(subject: Subject) -> tuple[Node, ...]:
    """The sampled data elements and their blank-node values, in order."""
    return _reached(subject.elements.nodes, subject.elements.values)


def structure_with_values(subject: Subject) -> tuple[Node, ...]:
    """The described columns, fields and variables, and their blank-node values."""
    return _reached(subject.of(Role.STRUCTURE), subject.of(Role.VALUE))


def _reached(beginning: Iterable[Node], others: Iterable[Node]) -> tuple[Node, ...]:
    waiting: dict[object, Node] = {node.resource: node for node in others if isinstance(node.resource, BlankNode)}
    reached = list(beginning)
    for node in reached:
        reached.extend(found for quad in node.quads if (found := waiting.pop(quad.object, None)) is not None)
    return tuple(reached)


def formats_of(subject: Subject, node: Node) -> Iterator[Spelled]:
    """The stated formats of a file: media types, names, or format IRIs."""
    for quad in (*node.stated(Fact.MEDIA_TYPE), *(each for each in node.quads if _is_of_format(each))):
        yield from _spelled(subject, quad)


def _is_of_format(quad: Quad) -> bool:
    # Of the features of a VoID dataset, those of the W3C's list are formats (VoID, section 3.2).
    value = quad.object
    is_listed = isinstance(value, NamedNode) and value.value.startswith(_FORMATS)
    return quad.predicate in FORMAT_TERMS or (quad.predicate == VOID.feature and is_listed)


def _spelled(subject: Subject, quad: Quad) -> Iterator[Spelled]:
    if isinstance(quad.object, (Literal, NamedNode)):
        yield Spelled(quad.object.value, (quad,))
    # A format may be a node: dcterms:IMT of older DCAT, RO-Crate's PRONOM entries.
    if (inner := subject.node(quad.object)) is not None and inner != subject.own:
        for each in inner.quads:
            if isinstance(each.object, Literal) and each.predicate in (RDF.value, *LABEL_PREDICATES):
                yield Spelled(each.object.value, (quad, each))


def listed_format(subject: Subject) -> tuple[StandardFormat, Spelled] | None:
    """The first stated format that is listed; scientific formats come before document formats."""
    stated = [each for node in files_of(subject) for each in formats_of(subject, node)]
    known = [(format, each) for each in stated if (format := format_of(each.text)) is not None]
    return min(known, key=lambda pair: "scientific" not in pair[0].kinds, default=None)


def format_by_name(subject: Subject) -> tuple[StandardFormat, Spelled] | None:
    """The first listed format by the extension of a file name or address."""
    for node in files_of(subject):
        for each in _names(node):
            if (known := format_of_file(each.text)) is not None:
                return known, each
    return None


def _names(node: Node) -> Iterator[Spelled]:
    for quad in (*node.stated(FairFact.DOWNLOAD_URL, Fact.CONTENT_URL), *node.stated(FairFact.FILE_NAME)):
        if isinstance(quad.object, (Literal, NamedNode)):
            yield Spelled(quad.object.value, (quad,))
    if isinstance(node.resource, NamedNode) and node.quads:
        yield Spelled(node.resource.value, node.quads[:1])


def variables_of(subject: Subject) -> tuple[Quad, ...]:
    """The statements that name the variables of the data."""
    stated = subject.stated(FairFact.VARIABLES, FairFact.TABLE_SCHEMA, of=(Role.DISTRIBUTION, Role.STRUCTURE))
    # A record set without a field names no variable.
    empty = {node.resource for node in subject.of(Role.STRUCTURE) if not node.stated(FairFact.VARIABLES)}
    return tuple(quad for quad in stated if quad.predicate != CROISSANT.recordSet or quad.object not in empty)


def units_of(subject: Subject) -> tuple[Quad, ...]:
    """The statements that give a value or a variable a unit."""
    nodes = (subject.own, *subject.of(Role.STRUCTURE, Role.VALUE), *elements_with_values(subject))
    return tuple(quad for node in nodes for quad in node.quads if quad.predicate in _UNITS)


_UNITS = frozenset({QUDT.unit, QUDT.hasUnit, *schema_org("unitCode", "unitText")})


def column_names(subject: Subject) -> tuple[Spelled, ...]:
    """The column names in a description: CSVW, Croissant, schema.org."""
    linked = {quad.object for quad in _columns(subject)}
    names = []
    for node in subject.of(Role.STRUCTURE, Role.VALUE):
        if node.resource in linked:
            own = tuple(
                quad for quad in _with_source(subject, node) if quad.predicate in _COLUMN_NAMES and _is_text(quad)
            )
            if own:
                best = min(own, key=lambda quad: (_COLUMN_NAMES.index(quad.predicate), str(quad.object)))
                names.append(Spelled(_text(best), (best,)))
    texts = tuple(quad for quad in variables_of(subject) if _is_text(quad))
    return (*names, *(Spelled(_text(quad), (quad,)) for quad in texts))


def _columns(subject: Subject) -> tuple[Quad, ...]:
    nodes = (subject.own, *subject.distributions, *subject.of(Role.STRUCTURE))
    wanted = {CSVW.column, CROISSANT.field, *schema_org("variableMeasured"), RDF.first}
    return tuple(quad for node in nodes for quad in node.quads if quad.predicate in wanted)


def _with_source(subject: Subject, node: Node) -> Iterator[Quad]:
    """The statements about a column, and in Croissant about its source: cr:source, cr:extract, cr:column."""
    yield from node.quads
    for quad in node.quads:
        if quad.predicate in (CROISSANT.source, CROISSANT.extract) and (inner := subject.node(quad.object)) is not None:
            yield from _with_source(subject, inner)


_COLUMN_NAMES = (CROISSANT.column, CSVW.name, CSVW.title, CSVW.titles, *schema_org("name"), *LABEL_PREDICATES)


def _is_text(quad: Quad) -> bool:
    return isinstance(quad.object, Literal) and bool(quad.object.value.strip())


def _text(quad: Quad) -> str:
    return quad.object.value if isinstance(quad.object, Literal) else ""


@dataclass(frozen=True)
class FileOnHand:
    """A local file that a node of the description represents.

    Args:
        node: its description.
        evidence: the statement that leads to it.
    """

    node: Node
    file: LocalFile
    evidence: tuple[Quad, ...]


def files_on_hand(subject: Subject, surroundings: Surroundings) -> tuple[FileOnHand, ...]:
    """The distinct local files of the description."""
    found: dict[str, FileOnHand] = {}
    for node in files_of(subject):
        for each in _addresses(subject, node):
            file = surroundings.local_file(each.text)
            if file is not None:
                found.setdefault(str(file.path), FileOnHand(node, file, each.evidence))
                break
    return tuple(found.values())


def _addresses(subject: Subject, node: Node) -> Iterator[Spelled]:
    for quad in node.stated(FairFact.DOWNLOAD_URL, Fact.CONTENT_URL, FairFact.URL, FairFact.FILE_NAME):
        if isinstance(quad.object, (Literal, NamedNode)):
            yield Spelled(quad.object.value, (quad,))
    if isinstance(node.resource, NamedNode) and node.resource != subject.resource:
        yield Spelled(node.resource.value, tuple(quad for quad in subject.quads if quad.object == node.resource)[:1])


def differences(subject: Subject, on_hand: FileOnHand) -> tuple[tuple[str, tuple[Quad, ...]], ...]:
    """Compare a local file with its description; each difference in words, with its evidence."""
    return tuple(_differences(subject, on_hand))


def _differences(subject: Subject, on_hand: FileOnHand) -> Iterator[tuple[str, tuple[Quad, ...]]]:
    node, file = on_hand.node, on_hand.file
    for size in sizes_of(subject, node):
        if not size.fits(file.size):
            yield f"it has {file.size:,} bytes and not {size.text}", size.evidence
    if file.media_type is not None and (actual := format_of(file.media_type)) is not None:
        stated = [(each, known) for each in formats_of(subject, node) if (known := format_of(each.text)) is not None]
        # A CSV declared as text/plain, or the other way round, is imprecise but not wrong.
        if stated and all(known != actual and not _both_text(known, actual) for _, known in stated):
            yield f"it is {actual.name} and not {stated[0][0].text}", stated[0][0].evidence
    for algorithm, digest, evidence in checksums_of(subject, node):
        actual_digest = file.checksums.get(algorithm)
        if actual_digest is not None and actual_digest.lower() != digest:
            yield f"its {algorithm.upper()} is another", evidence
    if file.columns is not None and node != subject.own:
        header = {name.strip().lower() for name in file.columns}
        absent = [each for each in column_names(subject) if each.text.strip().lower() not in header]
        if absent and len(subject.distributions) == 1:
            names = ", ".join(each.text for each in absent[:3]) + ("…" if len(absent) > 3 else "")
            yield f"its header lacks {names}", tuple(quad for each in absent[:3] for quad in each.evidence)


def _both_text(one: StandardFormat, other: StandardFormat) -> bool:
    return all(not each.media_types or each.media_types[0].startswith("text/") for each in (one, other))


@dataclass(frozen=True)
class Size:
    """A stated size.

    Args:
        least, most: the range in bytes, given rounding and kilobytes of 1000 or 1024.
    """

    text: str
    least: Decimal
    most: Decimal
    evidence: tuple[Quad, ...]

    def fits(self, size: int) -> bool:
        """Whether a size in bytes is in the range."""
        return self.least <= size <= self.most


def sizes_of(subject: Subject, node: Node) -> tuple[Size, ...]:
    """The stated sizes of a file that can be parsed."""
    return tuple(size for quad in node.stated(Fact.SIZE) if (size := _size(subject, quad)) is not None)


_SIZE = re.compile(r"\s*([\d,]+(?:\.\d+)?)\s*([kmgtp]?)(i?)(b|bytes?|byte)?\s*", re.IGNORECASE)


def _size(subject: Subject, quad: Quad) -> Size | None:
    if isinstance(quad.object, Literal):
        return _size_of_text(quad.object.value, quad)
    inner = subject.node(quad.object)
    if inner is None:
        return None
    quantity = read_quantity(
        (each.predicate, each.object) for each in inner.quads if isinstance(each.object, (Literal, NamedNode))
    )
    if quantity is None or quantity.value is None:
        return None
    factor = quantity.unit.factor if quantity.unit is not None else Decimal(1)
    if factor is None:
        return None
    return Size(str(quantity), *_rounded(quantity.value, quantity.spelled, factor, factor), (quad, *inner.quads))


def _size_of_text(text: str, quad: Quad) -> Size | None:
    found = _SIZE.fullmatch(text)
    if found is None:
        return None
    spelled = found[1].replace(",", "")
    try:
        number = Decimal(spelled)
    except InvalidOperation:
        return None
    power = " kmgtp".index(found[2].lower()) if found[2] else 0
    small = Decimal(1024 if found[3] else 1000) ** power
    least, most = _rounded(number, spelled, small, Decimal(1024) ** power)
    return Size(text.strip() if power else f"{text.strip()} bytes", least, most, (quad,))


def _rounded(number: Decimal, spelled: str, small: Decimal, large: Decimal) -> tuple[Decimal, Decimal]:
    """The range of a rounded number: half of the last digit either way, unless it counts single bytes."""
    slack = Decimal(0) if large == 1 else Decimal(5).scaleb(-1 - len(spelled.partition(".")[2]))
    return (number - slack) * small, (number + slack) * large


def checksums_of(subject: Subject, node: Node) -> Iterator[tuple[str, str, tuple[Quad, ...]]]:
    """The stated checksums of a file: algorithm and digest in lower case, and the evidence."""
    for algorithm, fact in (("sha256", Fact.SHA256), ("md5", Fact.MD5)):
        for quad in node.stated(fact):
            if isinstance(quad.object, Literal):
                yield algorithm, quad.object.value.strip().lower(), (quad,)
    for quad in node.quads:
        if quad.predicate == SPDX.checksum and (inner := subject.node(quad.object)) is not None:
            said = {each.predicate: each for each in inner.quads}
            value, kind = said.get(SPDX.checksumValue), said.get(SPDX.algorithm)
            if value is not None and kind is not None and isinstance(value.object, Literal):
                algorithm = str(getattr(kind.object, "value", "")).lower().rpartition("_")[2].rpartition("#")[2]
                yield algorithm.replace("-", ""), value.object.value.strip().lower(), (quad, kind, value)
