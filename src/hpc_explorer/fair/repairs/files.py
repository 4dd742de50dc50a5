"""Repair file metadata: locations, formats, and the meaning of columns (MT-auto-annotating)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from hpc_explorer.fair.content import MODEL_STRUCTURE
from hpc_explorer.fair.formats import format_of_file, media_type_of
from hpc_explorer.fair.repairs.asking import Ask, AskKind
from hpc_explorer.fair.repairs.case import Case, Given, Repair, Style
from hpc_explorer.fair.repairs.identity import address_term
from hpc_explorer.fair.subject import Node
from hpc_explorer.fair.surroundings import LocalFile
from hpc_explorer.fair.terms import FairFact, Role
from hpc_explorer.fair.values import Action
from hpc_explorer.ontology.common_terms import CSVW, Fact
from hpc_explorer.rdf.namespaces import DCAT, HPC, QUDT, RDF, UNIT, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, iri_text

_REACHED = (
    "RDA-F3-01M", "RDA-A1-01M", "RDA-A1-02D", "RDA-A1-04D", "RDA-A1-05D", "RDA-A1.1-01D", "RDA-A1.2-01D",
)  # fmt: skip
_DESCRIBED = ("RDA-I1-01D", "RDA-R1.3-01D", "FsF-R1-01MD")
_IANA = "https://www.iana.org/assignments/media-types/"


def file(case: Case) -> Repair | None:
    """Add the location, size and type of the file."""
    wanted = case.failing(*_REACHED, *_DESCRIBED)
    if not wanted:
        return None
    nodes = case.subject.distributions
    node = nodes[0] if nodes else Node(case.part("distribution"))
    local = _local(case, nodes[:1])
    asks = list(_file_asks(case, node, local))
    corrected = _corrected(case, node, local)

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        said = _file_facts(case, node, local, given)
        if not nodes and said:
            link = case.term(HPC.file, DCAT.distribution, "distribution")
            cls = case.term(HPC.File, DCAT.Distribution, "DataDownload")
            said = [case.quad(case.resource, link, node.resource), case.quad(node.resource, RDF.type, cls), *said]
        return corrected[0], [*said, *corrected[1]]

    repair = case.repair(
        "file", wanted, Action.COARSE_METADATA,
        "Describe the file" if nodes else f"Say where {case.data} {case.data.are}",
        f"The address from which a program can load {case.data}, with the size and the media type of what comes back.",
        build, asks=asks,
    )  # fmt: skip
    return repair if asks or repair.change else None


def _file_asks(case: Case, node: Node, local: LocalFile | None) -> Iterable[Ask]:
    if not any(_over_the_web(quad) for quad in _addresses(node)):
        yield Ask(
            "address", f"From which address can {case.data} be loaded?", AskKind.WEB_ADDRESS, _address(case),
            node.resource, ("https://zenodo.org/records/7019193/files/bfs-labelled.csv",),
        )  # fmt: skip
    if not node.stated(Fact.MEDIA_TYPE) and _media_type_known(node, local, ()) is None:
        yield Ask(
            "media-type", "Of which media type is the file?", AskKind.MEDIA_TYPE, _media_type(case), node.resource,
            ("text/csv", "application/x-hdf5", "application/vnd.apache.parquet"),
        )  # fmt: skip
    if not node.stated(Fact.SIZE) and local is None:
        yield Ask(
            "size", "How many bytes has the file?", AskKind.BYTES, case.term(HPC.size, DCAT.byteSize, "contentSize"),
            node.resource, ("48213",),
        )  # fmt: skip


def _file_facts(case: Case, node: Node, local: LocalFile | None, given: Given) -> list[Quad]:
    """The statements about a file from answers, its name and a local copy."""
    at = node.resource
    addresses = given.get("address", ())
    said = [case.quad(at, _address(case), address_term(case, address)) for address in addresses]
    if case.style is Style.HPC:
        # The HPC ontology has one term for pages and files; programs look for a download link.
        said += [case.quad(at, DCAT.downloadURL, address) for address in addresses]
    if not node.stated(Fact.MEDIA_TYPE):
        known = _media_type_known(node, local, addresses)
        types = [term.value for term in given.get("media-type", ())] or ([known] if known is not None else [])
        said += [case.quad(at, _media_type(case), _media_type_term(case, each)) for each in types]
    if not node.stated(Fact.SIZE):
        sizes = [term.value for term in given.get("size", ())] or ([str(local.size)] if local is not None else [])
        for size in sizes:
            said += _size(case, at, size)
    return said


def _corrected(case: Case, node: Node, local: LocalFile | None) -> tuple[list[Quad], list[Quad]]:
    """Replace a size and checksums that differ from the local file."""
    removed: list[Quad] = []
    added: list[Quad] = []
    if local is None:
        return removed, added
    for quad in node.stated(Fact.SIZE):
        if not isinstance(quad.object, Literal) or not quad.object.value.strip().isdigit():
            continue
        if int(quad.object.value) != local.size:
            removed.append(quad)
            size = Literal(str(local.size), datatype=quad.object.datatype)
            added.append(case.quad(node.resource, quad.predicate, size))
    for fact, algorithm in ((Fact.SHA256, "sha256"), (Fact.MD5, "md5")):
        digest = local.checksums.get(algorithm)
        for quad in node.stated(fact):
            if digest is not None and isinstance(quad.object, Literal) and quad.object.value.strip().lower() != digest:
                removed.append(quad)
                added.append(case.quad(node.resource, quad.predicate, Literal(digest)))
    return removed, added


def _local(case: Case, nodes: Sequence[Node]) -> LocalFile | None:
    """The local file of the first distribution."""
    for node in nodes:
        for quad in (*_addresses(node), *node.stated(FairFact.FILE_NAME)):
            if isinstance(quad.object, (NamedNode, Literal)):
                found = case.surroundings.local_file(quad.object.value)
                if found is not None:
                    return found
    return None


def _addresses(node: Node) -> tuple[Quad, ...]:
    return node.stated(Fact.CONTENT_URL, FairFact.DOWNLOAD_URL)


def _over_the_web(quad: Quad) -> bool:
    """Whether an address is reachable by others: not a local file or path."""
    text = quad.object.value if isinstance(quad.object, (NamedNode, Literal)) else ""
    scheme, sign, _ = text.partition("://")
    return bool(sign) and scheme.lower() != "file"


def _address(case: Case) -> NamedNode:
    return case.term(HPC.url, DCAT.downloadURL, "contentUrl")


def _media_type(case: Case) -> NamedNode:
    return case.term(HPC.term("format"), DCAT.mediaType, "encodingFormat")


def _media_type_known(node: Node, local: LocalFile | None, addresses: Iterable[Term]) -> str | None:
    """The media type by content, name or address of the file."""
    if local is not None and local.media_type is not None:
        return local.media_type
    names = [*(quad.object for quad in (*_addresses(node), *node.stated(FairFact.FILE_NAME))), *addresses]
    for name in names:
        if isinstance(name, (NamedNode, Literal)):
            found = format_of_file(name.value)
            if found is not None and found.media_types:
                return found.media_types[0]
    return None


def _media_type_term(case: Case, text: str) -> Term:
    """A media type in the vocabulary: DCAT links to IANA's page, others use a literal."""
    if case.style is Style.DCAT and media_type_of(text) is not None:
        return NamedNode(_IANA + text)
    return Literal(text)


def _size(case: Case, at: Resource, size: str) -> list[Quad]:
    if case.style is not Style.HPC:
        datatype = XSD.nonNegativeInteger if case.style is Style.DCAT else XSD.string
        return [case.quad(at, case.term(None, DCAT.byteSize, "contentSize"), Literal(size, datatype=datatype))]
    # The node's name is deterministic, so that the same case gives the same change.
    amount = BlankNode(f"size{hashlib.sha256(iri_text(at).encode()).hexdigest()[:16]}")
    return [
        case.quad(at, HPC.size, amount),
        case.quad(amount, RDF.type, QUDT.QuantityValue),
        case.quad(amount, QUDT.value, Literal(size, datatype=XSD.decimal)),
        case.quad(amount, QUDT.unit, UNIT.BYTE),
    ]


def archive(case: Case) -> Repair | None:
    """State the format of an archive's content, or recommend an open format."""
    wanted = case.failing("RDA-I1-01D", "RDA-R1.3-01D")
    stated = [quad for node in case.subject.distributions for quad in node.stated(Fact.MEDIA_TYPE)]
    if not wanted or not stated:
        return None
    packed = [quad for quad in stated if _is_archive(quad)]
    if not packed:
        return case.repair(
            "format", wanted, Action.AUTO_ANNOTATING, f"Offer {case.data} in an open format too",
            "CSV, Parquet, HDF5, NetCDF and JSON are formats that others read and archives keep; for models, ONNX.",
            lambda given: ((), ()),
        )  # fmt: skip
    old = packed[0]
    ask = Ask(
        "inside", "Of which media type are the files in the archive?", AskKind.MEDIA_TYPE, _media_type(case),
        old.subject, ("text/csv", "application/x-hdf5"),  # type: ignore[arg-type]  # no quoted triples
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        kinds = given.get("inside", ())
        added = [case.quad(ask.target, ask.predicate, _media_type_term(case, kind.value)) for kind in kinds]
        if not kinds or case.style is not Style.DCAT:
            return [], added
        # DCAT separates packaging and media type (DCAT 3, section 6.8.17).
        return [old], [*added, Quad(old.subject, DCAT.compressFormat, old.object, old.graph_name)]

    return case.repair(
        "archive", wanted, Action.AUTO_ANNOTATING, "Say what is in the archive",
        "An archive can hold anything; the media type of what is inside tells who can read it.", build, asks=[ask],
    )  # fmt: skip


_ARCHIVES = frozenset(
    {"gzip", "x-gzip", "zip", "x-tar", "x-bzip2", "zstd", "x-xz", "x-7z-compressed", "x-zip-compressed"}
)


def _is_archive(quad: Quad) -> bool:
    text = quad.object.value if isinstance(quad.object, (NamedNode, Literal)) else ""
    return text.lower().rpartition("/")[2] in _ARCHIVES


# Columns


def columns(case: Case) -> Repair | None:
    """Describe the columns of the table: CSV on the Web."""
    wanted = case.failing("RDA-I1-02D", "RDA-I2-01D", "RDA-R1.3-02D", "FsF-R1-01MD")
    if not wanted or case.subject.is_model or case.subject.stated(FairFact.TABLE_SCHEMA, of=[Role.DISTRIBUTION]):
        return None
    nodes = case.subject.distributions
    at = nodes[0].resource if nodes else case.resource
    schema = _beside(case, at, "table")
    local = _local(case, nodes[:1])
    names = (local.columns or ()) if local is not None else ()
    hint = f" It has {', '.join(names)}." if names else ""
    examples = ("kernel = hpc:kernelName, array = hpc:arrayName, benchmark = hpc:benchmark, time = hpc:gpuTime",)
    ask = Ask(
        "columns",
        f"Which columns has the table, and of which property are the values of each?{hint}",
        AskKind.COLUMNS, CSVW.column, schema, examples,
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        said = given.get("columns", ())
        if not said:
            return [], []
        cells = list(zip(said[::2], said[1::2], strict=True))
        added = [
            case.quad(at, CSVW.tableSchema, schema),
            case.quad(schema, RDF.type, CSVW.Schema),
        ]
        for number, (name, term) in enumerate(cells, 1):
            column = _beside(case, schema, f"column-{number}")
            added += [
                case.quad(schema, CSVW.column, column),
                case.quad(column, RDF.type, CSVW.Column),
                case.quad(column, CSVW.term("name"), name),
                case.quad(column, CSVW.term("title"), name),
                case.quad(column, CSVW.propertyUrl, term),
            ]
        return [], added

    return case.repair(
        "columns", wanted, Action.AUTO_ANNOTATING, "Say what its columns mean",
        "Give each column of the table the property that its cells are values of; or make statements of the whole table"
        " with Convert a Table, which links rows to benchmarks and machines too.",
        build, asks=[ask],
    )  # fmt: skip


def inputs(case: Case) -> Repair | None:
    """Describe the inputs of a model, in place of data columns."""
    wanted = case.failing("RDA-I1-02D", "RDA-I2-01D", "FsF-R1-01MD")
    told = any(quad.predicate in MODEL_STRUCTURE for quad in case.subject.quads)
    if not wanted or not case.subject.is_model or told:
        return None
    ask = Ask(
        "input-shape", "Which shape does its input have?", AskKind.TEXT, HPC.inputShape, case.resource, ("224,224,3",)
    )

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        return [], [case.quad(case.resource, HPC.inputShape, each) for each in given.get("input-shape", ())]

    return case.repair(
        "inputs", wanted, Action.FINE_METADATA, "Say what the model takes",
        "The shape of the input that the model expects: what a program has to know before it can use the model.",
        build, asks=[ask],
    )  # fmt: skip


def rows(case: Case) -> Repair | None:
    """Link a table row to the machine it was measured on."""
    wanted = case.failing("RDA-I3-01D", "RDA-I3-02D", "RDA-I1-02D")
    if not wanted or case.subject.is_model:
        return None
    asks = [
        Ask("row", "Which address has a row of the data?", AskKind.WEB_ADDRESS, HPC.isPartOf, case.resource,
            (_row_example(case),)),
        Ask("benchmark", "Which benchmark was measured in that row?", AskKind.IRI, HPC.benchmark, case.resource,
            ("https://github.com/yuhc/gpu-rodinia/tree/master/cuda/bfs",)),
    ]  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        added = []
        for row in given.get("row", ()):
            assert isinstance(row, NamedNode)
            added += [case.quad(row, RDF.type, HPC.TableRow), case.quad(row, HPC.isPartOf, case.resource)]
            added += [case.quad(row, HPC.benchmark, each) for each in given.get("benchmark", ())]
        return [], added

    return case.repair(
        "rows", wanted, Action.AUTO_ANNOTATING, "Link the data to what they were measured on",
        "Convert a Table makes a statement of each cell, and links each row to its benchmark, machine or kernel."
        " One row that is told here is a beginning.",
        build, asks=asks,
    )  # fmt: skip


def _row_example(case: Case) -> str:
    """The IRI of an example row, according to RFC 7111."""
    for node in case.subject.distributions:
        for quad in _addresses(node):
            address = quad.object.value if isinstance(quad.object, (NamedNode, Literal)) else ""
            if address.startswith(("http://", "https://")) and "#" not in address:
                return f"{address}#row=2"
    return "https://zenodo.org/records/7019193/files/bfs-labelled.csv#row=2"


def _beside(case: Case, node: Resource, name: str) -> Resource:
    if isinstance(node, BlankNode):
        return BlankNode(f"{node.value}-{name}")
    if node == case.resource:
        return case.part(name)
    return NamedNode(f"{node.value}{'-' if '#' in node.value else '#'}{name}")
