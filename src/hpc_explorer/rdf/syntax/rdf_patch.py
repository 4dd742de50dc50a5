"""RDF Patch (https://afs.github.io/rdf-patch/, Apache Jena): changes of a dataset, one statement per line.

Unlike in Turtle, the label of a blank node identifies the node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph

# A blank node may also be written like an IRI.
_AS_IRI = re.compile(r"<_:([^<>\s]+)>")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True)
class Transaction:
    """Statements removed and added together.

    Args:
        note: a description, written as a comment.
    """

    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]
    note: str = ""


def patch_lines(
    transactions: Iterable[Transaction], *, identifier: str, prefixes: Mapping[str, str] | None = None
) -> Iterator[str]:
    """A patch, line by line; transactions are consumed lazily.

    Args:
        identifier: the IRI of the patch.
        prefixes: added to the dataset by the first transaction; rows do not use them.
    """
    yield f"H id {NamedNode(identifier)} ."
    for number, transaction in enumerate(transactions):
        if transaction.note:
            yield f"# {' '.join(transaction.note.split())}"
        yield "TX ."
        for prefix, namespace in (prefixes or {}).items() if number == 0 else ():
            yield f"PA {Literal(prefix)} {Literal(namespace)} ."
        for code, quads in (("D", transaction.removed), ("A", transaction.added)):
            for quad in quads:
                yield f"{code} {row_of(quad)} ."
        yield "TC ."


def row_of(quad: Quad) -> str:
    """The terms of a statement in N-Quads."""
    terms = [quad.subject, quad.predicate, quad.object]
    if not isinstance(quad.graph_name, DefaultGraph):
        terms.append(quad.graph_name)
    return " ".join(map(str, terms))


def read_patch(lines: Iterable[str], name: str) -> Iterator[Transaction]:
    """The transactions of a patch. Aborted ones are left out; rows outside transactions form one of their own.

    Args:
        name: name of the patch in messages.

    Raises:
        SourceSyntaxError: a line is not valid.
    """
    removed: list[Quad] = []
    added: list[Quad] = []
    note = ""
    inside = False
    number = 0
    for number, line in enumerate(lines, 1):
        row = line.strip()
        if row.startswith("#"):
            note = row[1:].strip()
        if not row or row.startswith("#"):
            continue
        code, _, rest = row.partition(" ")
        place = f"{name}:{number}"
        if not row.endswith("."):
            raise SourceSyntaxError("a row of a patch ends with a dot", place, "see https://afs.github.io/rdf-patch/")
        match code:
            case "TX":
                if inside:
                    raise SourceSyntaxError("a transaction begins within another", place, "end the first with TC .")
                inside = True
            case "TC" | "TA":
                if not inside:
                    raise SourceSyntaxError("no transaction was begun", place, "begin it with TX .")
                if code == "TC":
                    yield Transaction(tuple(removed), tuple(added), note)
                removed, added, note, inside = [], [], "", False
            case "A" | "D":
                quad = _quad(rest, place)
                (there, other) = (added, removed) if code == "A" else (removed, added)
                # Later rows take precedence.
                if quad in other:
                    other.remove(quad)
                there.append(quad)
            case "H" | "PA" | "PD":
                pass
            case _:
                raise SourceSyntaxError(f"unknown row {code!r}", place, "it is one of H, TX, TC, TA, PA, PD, A and D")
    if inside:
        raise SourceSyntaxError("the patch ends within a transaction", f"{name}:{number}", "it was cut off")
    if removed or added:
        yield Transaction(tuple(removed), tuple(added), note)


def _quad(rest: str, place: str) -> Quad:
    # Blank nodes inside strings do not count.
    texts = _LITERAL.findall(rest)
    bare = iter(texts)
    plain = _LITERAL.sub("\x00", rest)
    row = re.sub("\x00", lambda _: next(bare), _AS_IRI.sub(r"_:\1", plain))
    try:
        quads: list[Quad] = list(parse(row, RdfFormat.N_QUADS, lenient=True))
    except SyntaxError:
        quads = []
    if len(quads) != 1:
        raise SourceSyntaxError("this row is not a statement", place, "write its terms as in N-Quads")
    return quads[0]


def blank_nodes_of(quads: Iterable[Quad]) -> set[BlankNode]:
    """The blank nodes in statements."""
    return {term for quad in quads for term in (quad.subject, quad.object) if isinstance(term, BlankNode)}
