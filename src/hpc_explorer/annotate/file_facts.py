"""Facts about a file (size, format, checksums), and the form fields for them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hpc_explorer.annotate.file_formats import BYTES, FileFormat, format_of_content
from hpc_explorer.annotate.forms.form import Field, Form
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.annotate.forms.values import Value, quantity_node
from hpc_explorer.annotate.minting import label_of_name
from hpc_explorer.errors import SourceUnreadable
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, SCHEMA, SCHEMAS, UNIT, XSD
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits

_BLOCK = 2**20

MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
"""Prefix of media type IRIs, as DCAT 2 recommends."""


@dataclass(frozen=True)
class FileFacts:
    """Facts about a file.

    Args:
        name: the name without folders.
        size: in bytes.
        format: the format of its content.
        sha256, md5: checksums in hexadecimal.
        modified: time of the last modification.
    """

    name: str
    size: int
    format: FileFormat
    sha256: str
    md5: str
    modified: datetime

    def document(self) -> dict[str, str | int]:
        """The facts as a JSON document."""
        texts = {
            "format": self.format.name,
            "media type": self.format.media_type,
            "modified": self.modified.isoformat(),
        }
        return {"name": self.name, "size": self.size, "sha256": self.sha256, "md5": self.md5, **texts}

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> FileFacts:
        """The facts in a document written by `document`.

        Raises:
            KeyError, ValueError: the document is not valid.
        """
        return cls(
            document["name"],
            int(document["size"]),
            FileFormat(document["format"], document["media type"]),
            document["sha256"],
            document["md5"],
            datetime.fromisoformat(document["modified"]),
        )


def _untold(done: int, of: int) -> None:
    """A progress callback that does nothing."""


def file_facts(path: Path, *, progress: Callable[[int, int], None] = _untold, limits: Limits = NO_LIMITS) -> FileFacts:
    """Read a file once, in blocks, and collect its facts.

    Args:
        progress: receives the numbers of bytes read and in total.

    Raises:
        SourceNotFound: the file does not exist.
        SourceUnreadable: it cannot be read, is not a file, or changed while it was read.
        Cancelled, DeadlineExceeded: by `limits`.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise SourceUnreadable("not a file", str(path), "choose a file")
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            format = format_of_content(file, path.name)
            file.seek(0)
            sha256, md5 = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
            done = 0
            # A log may grow faster than it is read.
            while done <= before.st_size and (block := file.read(_BLOCK)):
                limits.check("reading the file")
                sha256.update(block)
                md5.update(block)
                done += len(block)
                progress(done, max(done, before.st_size))
            after = os.fstat(file.fileno())
    except OSError as error:
        raise input_error(error, path) from None
    if done != before.st_size or after.st_mtime_ns != before.st_mtime_ns:
        raise SourceUnreadable("the file changed while it was read", str(path), "try again when it is complete")
    modified = datetime.fromtimestamp(before.st_mtime_ns // 10**9, UTC)
    return FileFacts(path.name, done, format, sha256.hexdigest(), md5.hexdigest(), modified)


def facts_as_values(form: Form, facts: FileFacts) -> dict[NamedNode, tuple[Value, ...]]:
    """The facts as values of a form: in its own fields, otherwise in fields of schema.org and Dublin Core.

    HPC terms take precedence over DCAT and schema.org. An existing name is kept.
    """
    found: dict[NamedNode, tuple[Value, ...]] = {}
    naming = next((field for term in LABEL_PREDICATES if (field := form.field(term)) is not None), None)
    if naming is not None and not naming.values:
        # Files and models get the file name (Listing 4); other resources get its words.
        is_file = any(form.field(term) is not None for term in (HPC.term("format"), HPC.modelFormat, DCAT.byteSize))
        found[naming.predicate] = (Literal(facts.name if is_file else label_of_name(facts.name)),)
    for predicates, fallback, value in _PLACES:
        field = next((field for term in predicates if (field := form.field(term)) is not None), None)
        predicate = fallback if field is None else field.predicate
        if predicate is not None:
            made = value(facts, _kind(field, predicate))
            if made is not None:
                found[predicate] = (made,)
    return found


def _kind(field: Field | None, predicate: NamedNode) -> ValueKind:
    """The kind of a value: by the field, otherwise the usual kind of the property."""
    if field is not None:
        return field.kinds[0]
    return (
        ValueKind(Widget.DATE_TIME, XSD.dateTime)
        if predicate == DCTERMS.modified
        else ValueKind(Widget.TEXT, XSD.string)
    )


def _size(facts: FileFacts, kind: ValueKind) -> Value | None:
    if kind.widget is Widget.QUANTITY:
        return quantity_node(Literal(str(facts.size), datatype=XSD.decimal), UNIT.BYTE)
    if kind.widget in (Widget.INTEGER, Widget.NUMBER):
        return Literal(str(facts.size), datatype=kind.datatype or XSD.integer)
    return _text(f"{facts.size} B", kind)


def _text(text: str, kind: ValueKind) -> Value | None:
    """A text, if the field accepts texts."""
    if kind.widget not in (Widget.TEXT, Widget.MULTI_LINE, Widget.LANGUAGE_TEXT):
        return None
    plain = kind.datatype is None or kind.widget is Widget.LANGUAGE_TEXT
    return Literal(text) if plain else Literal(text, datatype=kind.datatype)


def _media_type(facts: FileFacts, kind: ValueKind) -> Value | None:
    if facts.format.media_type == BYTES:
        return None  # generic bytes say nothing
    if kind.widget in (Widget.LINK, Widget.IRI, Widget.CHOICE):
        iri = f"{MEDIA_TYPES}{facts.format.media_type}"
        return NamedNode(iri) if kind.datatype is None else Literal(iri, datatype=kind.datatype)
    return _text(facts.format.media_type, kind)


def _modified(facts: FileFacts, kind: ValueKind) -> Value | None:
    if kind.widget is Widget.DATE:
        return Literal(facts.modified.date().isoformat(), datatype=XSD.date)
    if kind.widget is Widget.DATE_TIME:
        return Literal(facts.modified.strftime("%Y-%m-%dT%H:%M:%SZ"), datatype=kind.datatype or XSD.dateTime)
    return _text(facts.modified.strftime("%Y-%m-%dT%H:%M:%SZ"), kind)


# The properties for each fact in order of precedence, and the property without a matching field. DCAT terms need a
# field: by their domain, a resource with dcat:byteSize is a distribution.
_PLACES: tuple[
    tuple[tuple[NamedNode, ...], NamedNode | None, Callable[[FileFacts, ValueKind], Value | None]],
    ...,
] = (
    ((HPC.size, DCAT.byteSize, SCHEMAS.contentSize, SCHEMA.contentSize), SCHEMA.contentSize, _size),
    ((DCAT.mediaType, SCHEMAS.encodingFormat, SCHEMA.encodingFormat), SCHEMA.encodingFormat, _media_type),
    (
        (HPC.term("format"), HPC.modelFormat, DCTERMS.term("format")),
        None,
        lambda facts, kind: _text(facts.format.name, kind),
    ),
    ((SCHEMAS.sha256, SCHEMA.sha256), SCHEMA.sha256, lambda facts, kind: _text(facts.sha256, kind)),
    ((HPC.md5,), None, lambda facts, kind: _text(facts.md5, kind)),
    ((DCTERMS.modified, SCHEMAS.dateModified, SCHEMA.dateModified), DCTERMS.modified, _modified),
)
