"""Export the journal as RDF Patch, SPARQL 1.1 Update or PROV-O."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal as OneOf
from typing import TextIO

from hpc_explorer.app.journal.journal import JournalEntry, entries_in_order
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.rdf_patch import Transaction, blank_nodes_of, patch_lines, row_of
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Quad, Resource, Term
from hpc_explorer.stores.base import NO_LIMITS, Limits

JournalFormat = OneOf["rdf-patch", "sparql", "prov"]

LeadingTo = Callable[[BlankNode], Iterable[Quad]]

_PREFIXES = {
    "prov": "http://www.w3.org/ns/prov#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": XSD.string.value.removesuffix("string"),
    "dcterms": "http://purl.org/dc/terms/",
}


@dataclass(frozen=True)
class JournalExport:
    """The result of an export: the number of edits, and of statements that SPARQL Update cannot express."""

    edits: int
    unsaid: int


def export_journal(
    session: Session,
    output: Path | TextIO,
    format: JournalFormat,
    *,
    entry: JournalEntry | None = None,
    about: Resource | None = None,
    limits: Limits = NO_LIMITS,
) -> JournalExport:
    """Write one edit, or all edits in order.

    Args:
        output: a file, which is written completely or not at all, or a stream.
        entry: the edit; None for all.
        about: only edits of this resource.

    Raises:
        StoreError: the journal cannot be read.
        OutputNotWritable: the file cannot be written.
    """
    unsaid: list[Quad] = []
    edits = 0

    def counted() -> Iterator[JournalEntry]:
        nonlocal edits
        for one in [entry] if entry is not None else entries_in_order(session, about=about, limits=limits):
            edits += 1
            yield one

    lines = journal_lines(
        counted(),
        format,
        prefixes={prefix: space for source in session.opened for prefix, space in source.prefixes.items()},
        leading_to=lambda node: session.store.match(None, None, node, limits=limits),
        unsaid=unsaid,
    )
    if isinstance(output, Path):
        with atomic_output(output) as stream:
            stream.writelines(f"{line}\n".encode() for line in lines)
    else:
        output.writelines(f"{line}\n" for line in lines)
    return JournalExport(edits, len(unsaid))


def journal_lines(
    entries: Iterable[JournalEntry],
    format: JournalFormat,
    *,
    prefixes: Mapping[str, str] | None = None,
    leading_to: LeadingTo = lambda node: (),
    unsaid: list[Quad] | None = None,
) -> Iterator[str]:
    """The lines of an export, made while they are read.

    Args:
        entries: oldest first.
        prefixes: those of the dataset, for RDF Patch.
        leading_to: returns the dataset's statements with a blank node as object, to find it in SPARQL.
        unsaid: receives the statements about blank nodes that SPARQL Update cannot express.
    """
    match format:
        case "rdf-patch":
            yield from _patch(entries, prefixes or {})
        case "sparql":
            yield from _sparql(entries, leading_to, [] if unsaid is None else unsaid)
        case "prov":
            yield from _prov(entries)


def _note(entry: JournalEntry) -> str:
    said = (f"edit {entry.revision}", entry.when.isoformat(), entry.who, entry.words, entry.why)
    return " · ".join(" ".join(part.split()) for part in said if part)


def identifier_of(entry: JournalEntry) -> str:
    """An IRI for a journal, always the same for the same first edit."""
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{entry.revision} {entry.when.isoformat()} {entry.who}')}"


# RDF Patch


def _patch(entries: Iterable[JournalEntry], prefixes: Mapping[str, str]) -> Iterator[str]:
    waiting = iter(entries)
    first = next(waiting, None)
    if first is None:
        return

    def transactions() -> Iterator[Transaction]:
        yield Transaction(first.removed, first.added, _note(first))
        for entry in waiting:
            yield Transaction(entry.removed, entry.added, _note(entry))

    yield from patch_lines(transactions(), identifier=identifier_of(first), prefixes=prefixes)


# SPARQL 1.1 Update: DELETE DATA cannot have blank nodes, and INSERT DATA creates new ones.


def _sparql(entries: Iterable[JournalEntry], leading_to: LeadingTo, unsaid: list[Quad]) -> Iterator[str]:
    for entry in entries:
        yield f"# {_note(entry)}"
        removed, added, where, left_out = _sayable(entry, leading_to)
        if blank_nodes_of(removed):
            yield "# Blank nodes are matched by their statements; any other node with the same statements matches too."
            known = blank_nodes_of(removed)
            yield f"DELETE {{ {_graphs(removed, known, entry.revision)} }}"
            yield f"INSERT {{ {_graphs(added, known, entry.revision)} }}"
            yield f"WHERE {{ {_graphs(where, known | blank_nodes_of(where), entry.revision)} }} ;"
        else:
            if removed:
                yield f"DELETE DATA {{ {_graphs(removed, set(), entry.revision)} }} ;"
            if added:
                yield f"INSERT DATA {{ {_graphs(added, set(), entry.revision)} }} ;"
        for code, quads in (("removed", entry.removed), ("added", entry.added)):
            for quad in (quad for quad in quads if quad in left_out):
                yield f"# {code}, but SPARQL has no name for the blank node: {row_of(quad)}"
        unsaid += left_out


def _sayable(entry: JournalEntry, leading_to: LeadingTo) -> tuple[list[Quad], list[Quad], list[Quad], list[Quad]]:
    """The statements to remove and to add, the WHERE pattern, and the statements that SPARQL cannot express.

    A removed blank node must be reachable from an IRI. An added one must be the object of a statement in the same edit,
    else it may be a node of the dataset.
    """
    where = list(entry.removed)
    waiting = [quad.subject for quad in where if isinstance(quad.subject, BlankNode)]
    found = _reached(where)
    seen: set[BlankNode] = set()
    while waiting:
        node = waiting.pop()
        if node not in found and node not in seen:
            seen.add(node)
            above = [quad for quad in leading_to(node) if quad not in where]
            where += above
            waiting += [quad.subject for quad in above if isinstance(quad.subject, BlankNode)]
    found = _reached(where)
    new = {quad.object for quad in entry.added if isinstance(quad.object, BlankNode)}
    removed = [quad for quad in entry.removed if blank_nodes_of([quad]) <= found]
    known = blank_nodes_of(removed)
    added = [quad for quad in entry.added if blank_nodes_of([quad]) <= known | new]
    where = [quad for quad in where if blank_nodes_of([quad]) <= found]
    said = {*removed, *added}
    return removed, added, where, [quad for quad in (*entry.removed, *entry.added) if quad not in said]


def _reached(quads: Iterable[Quad]) -> set[Term]:
    """The blank nodes reachable from IRIs through these statements."""
    waiting = [quad for quad in quads if isinstance(quad.object, BlankNode)]
    found: set[Term] = set()
    more = True
    while more:
        below = {
            quad.object for quad in waiting if isinstance(quad.subject, NamedNode) or quad.subject in found
        } - found
        found |= below  # type: ignore[arg-type]  # blank nodes, as `waiting` has no others
        more = bool(below)
    return found


def _graphs(quads: Iterable[Quad], known: set[BlankNode], revision: int) -> str:
    """A SPARQL pattern of the statements; known blank nodes become variables, others get a label of the edit."""

    def said(term: Resource | Term) -> str:
        if not isinstance(term, BlankNode):
            return str(term)
        return f"?{_plain(term)}" if term in known else f"_:{_plain(term)}_{revision}"

    graphs: defaultdict[GraphName, list[Quad]] = defaultdict(list)
    for quad in quads:
        graphs[quad.graph_name].append(quad)
    return " ".join(
        f"GRAPH {graph} {{ "
        + " ".join(f"{said(quad.subject)} {quad.predicate} {said(quad.object)} ." for quad in some)  # type: ignore[arg-type]  # no quoted triples
        + " }"
        for graph, some in graphs.items()
    )


def _plain(node: BlankNode) -> str:
    """A unique label that is valid in SPARQL."""
    if node.value.isascii() and node.value.isalnum():
        return f"b{node.value}"
    return f"x{node.value.encode().hex()}"


# PROV-O


def _prov(entries: Iterable[JournalEntry]) -> Iterator[str]:
    waiting = iter(entries)
    first = next(waiting, None)
    if first is None:
        return
    journal = identifier_of(first)
    for prefix, namespace in _PREFIXES.items():
        yield f"@prefix {prefix}: <{namespace}> ."
    people: dict[str, str] = {}
    latest: dict[Term, str] = {}
    entry: JournalEntry | None = first
    while entry is not None:
        activity = f"<{journal}#edit-{entry.revision}>"
        if entry.who and entry.who not in people:
            people[entry.who] = f"<{journal}#person-{len(people) + 1}>"
            yield _block(people[entry.who], ("a", "prov:Person"), ("rdfs:label", str(Literal(entry.who))))
        patch = "".join(
            f"{code} {row_of(quad)} .\n" for code, some in (("D", entry.removed), ("A", entry.added)) for quad in some
        )
        yield _block(
            activity,
            ("a", "prov:Activity"),
            ("rdfs:label", str(Literal(entry.words or f"edit {entry.revision}"))),
            *((("rdfs:comment", str(Literal(entry.why))),) if entry.why else ()),
            ("prov:endedAtTime", f'"{entry.when.isoformat()}"^^xsd:dateTime'),
            *((("prov:wasAssociatedWith", people[entry.who]),) if entry.who else ()),
            *(("prov:wasInformedBy", f"<{journal}#edit-{revision}>") for revision in entry.takes_back),
            ("prov:generated", f"<{journal}#change-{entry.revision}>"),
        )
        yield _block(
            f"<{journal}#change-{entry.revision}>",
            ("a", "prov:Entity"),
            ("dcterms:format", '"application/rdf-patch"'),
            ("prov:value", str(Literal(patch))),
        )
        for number, thing in enumerate(_things(entry), 1):
            revision_of_it = f"<{journal}#edit-{entry.revision}-{number}>"
            earlier = latest.get(thing)
            yield _block(
                revision_of_it,
                ("a", "prov:Entity"),
                ("prov:specializationOf", str(thing)),
                ("prov:wasGeneratedBy", activity),
                *((("prov:wasRevisionOf", earlier),) if earlier else ()),
            )
            if earlier:
                yield _block(earlier, ("prov:wasInvalidatedBy", activity))
            latest[thing] = revision_of_it
        entry = next(waiting, None)


def _things(entry: JournalEntry) -> list[Term]:
    """The IRIs that an edit changed; the graph if only an unlinked blank node was changed."""
    found: dict[Term, None] = {}
    for quad in (*entry.removed, *entry.added):
        if isinstance(quad.subject, NamedNode):
            found[quad.subject] = None
        elif isinstance(quad.graph_name, NamedNode) and not _is_linked(entry, quad.subject):
            found[quad.graph_name] = None
    return list(found)


def _is_linked(entry: JournalEntry, node: object) -> bool:
    """Whether the edit has a statement with this node as object."""
    return any(quad.object == node for quad in (*entry.removed, *entry.added))


def _block(subject: str, *pairs: tuple[str, str]) -> str:
    return f"{subject} " + " ;\n    ".join(f"{predicate} {value}" for predicate, value in pairs) + " ."
