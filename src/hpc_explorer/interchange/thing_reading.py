"""Read things for export from a store, using the terms in `ontology/common_terms.py`.

All statements about a thing, its link targets and its table columns are fetched first; the rest uses only those.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from hpc_explorer.interchange.things import Column, DataFile, Detail, Link, LocalCopy, Thing, is_address
from hpc_explorer.ontology.common_terms import (
    CROISSANT,
    CSVW,
    MEDIA_TYPES,
    SPDX,
    TERMS,
    Fact,
    ThingKind,
    kind_of,
    known_terms,
)
from hpc_explorer.ontology.labels import fallback_label, term_label
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.namespaces import HPC, QUANTITYKIND, RDF, SCHEMA, SCHEMAS, XSD
from hpc_explorer.rdf.quantities import read_quantity
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.description import descriptions

_Statements = dict[Resource, dict[NamedNode, list[Term]]]

# Links whose targets are exported with their own name and kind.
_LINKS = (
    Fact.CREATOR, Fact.CONTRIBUTOR, Fact.PUBLISHER, Fact.FUNDER, Fact.PART_OF, Fact.PARTS, Fact.MADE_FROM,
)  # fmt: skip
_FILE_FACTS = frozenset(
    {Fact.FILES, Fact.CONTENT_URL, Fact.SIZE, Fact.MEDIA_TYPE, Fact.SHA256, Fact.MD5, Fact.REPOSITORY}
)
_NOT_TOLD = frozenset(
    {HPC.illustrative, HPC.illustrativeProperty, HPC.hasIDType, HPC.idType, HPC.project, RDF.type, CSVW.tableSchema}
)
_A_REPOSITORY = "git+https"
"""Croissant's media type for git repositories."""
# The context of Croissant 1.0 has no such name, so it resolves to schema.org's namespace; that of 1.1 has.
_CONTAINED_IN = (CROISSANT.containedIn, SCHEMAS.containedIn, SCHEMA.containedIn)
_HEX = re.compile("[0-9A-Fa-f]+")


def read_things(
    store: Store,
    schema: SchemaIndex,
    resources: Sequence[Resource],
    *,
    local: Callable[[DataFile], LocalCopy | None] = lambda _: None,
    columns: Sequence[Column] = (),
    limits: Limits = NO_LIMITS,
) -> tuple[Thing, ...]:
    """Read resources as things for export.

    Args:
        local: finds a local file.
        columns: the table's columns from a mapping; if empty, those of the graph (CSVW).
    """
    stated = _stated(descriptions(store, resources, limits=limits))
    near = {
        term
        for resource in resources
        for terms in stated.get(resource, {}).values()
        for term in terms
        if isinstance(term, NamedNode) and term not in stated
    }
    # A file's size and checksums, a creator's name, a table's columns.
    stated |= _stated(descriptions(store, sorted(near, key=str), limits=limits))
    asked = {*resources, *near}
    while far := _columns_to_read(stated, resources) - asked:
        stated |= _stated(descriptions(store, sorted(far, key=str), limits=limits))
        asked |= far
    reader = _Reader(stated, schema, local)
    return tuple(reader.thing(resource, tuple(columns)) for resource in resources)


def _columns_to_read(stated: _Statements, resources: Iterable[Resource]) -> set[Resource]:
    """Table schemas, columns and lists that are referenced and not fetched yet."""
    ahead, seen, missing = list(resources), set(resources), set()
    while ahead:
        own = stated.get(ahead.pop(), {})
        for predicate in (CSVW.tableSchema, CSVW.column, RDF.first, RDF.rest):
            for term in own.get(predicate, ()):
                if not is_resource(term) or term in seen or term == RDF.nil:
                    continue
                seen.add(term)
                if term in stated:
                    ahead.append(term)
                else:
                    missing.add(term)
    return missing


def _stated(quads: Iterable[Quad]) -> _Statements:
    stated: _Statements = defaultdict(lambda: defaultdict(list))
    for quad in quads:
        if is_resource(quad.subject) and not hasattr(quad.object, "predicate"):
            values = stated[quad.subject][quad.predicate]
            if quad.object not in values:
                values.append(quad.object)
    # Sorted, so that equal graphs give equal documents.
    for properties in stated.values():
        for values in properties.values():
            values.sort(key=str)
    return dict(stated)


class _Reader:
    """Builds things from the fetched statements."""

    def __init__(self, stated: _Statements, schema: SchemaIndex, local: Callable[[DataFile], LocalCopy | None]) -> None:
        self._stated = stated
        self._schema = schema
        self._local = local

    def thing(self, resource: Resource, columns: tuple[Column, ...]) -> Thing:
        own = self._stated.get(resource, {})
        classes = tuple(cls for cls in own.get(RDF.type, ()) if isinstance(cls, NamedNode))
        facts = {
            fact: texts
            for fact in Fact
            if fact not in _FILE_FACTS or fact is Fact.REPOSITORY
            if (texts := self._texts(own, fact, keep_iris=fact not in _LINKS))
        }
        files = [self._file(node) for node in self._nodes(own, Fact.FILES)]
        if not files and self._has_content(own):
            files.append(self._file(resource))
        names = facts.get(Fact.NAME, ())
        return Thing(
            resource=resource,
            kind=self._kind(resource),
            classes=classes,
            name=names[0] if names else fallback_label(resource),
            facts=facts,
            links={fact: found for fact in _LINKS if (found := tuple(map(self._link, self._nodes(own, fact))))},
            files=tuple(files),
            columns=columns or self._columns(own),
            details=self._details(own),
            is_named=bool(names),
            record_sets=len(own.get(CROISSANT.recordSet, ())),
        )

    def _values(self, own: Mapping[NamedNode, list[Term]], fact: Fact) -> list[Term]:
        return list(dict.fromkeys(value for term in TERMS[fact] for value in own.get(term, ())))

    def _nodes(self, own: Mapping[NamedNode, list[Term]], fact: Fact) -> list[Resource]:
        return [value for value in self._values(own, fact) if is_resource(value)]

    def _texts(self, own: Mapping[NamedNode, list[Term]], fact: Fact, *, keep_iris: bool = True) -> tuple[str, ...]:
        """Literals (English and untagged ones first) and IRIs."""
        values = self._values(own, fact)
        literals = [value for value in values if isinstance(value, Literal) and value.value.strip()]
        ours = [one for one in literals if one.language is None or one.language.lower().startswith("en")]
        texts = [one.value.strip() for one in (ours or literals)]
        if keep_iris:
            for value in values:
                if isinstance(value, NamedNode):
                    texts.append(self._name(value) if fact is Fact.KEYWORDS else value.value)
                elif isinstance(value, BlankNode) and (inside := self._inside(value)):
                    texts.append(inside)
        return tuple(dict.fromkeys(texts))

    def _inside(self, node: BlankNode) -> str:
        """The value of an identifier or quantity node."""
        own = self._stated.get(node, {})
        for terms in ((SCHEMAS.term("value"), SCHEMA.term("value")), TERMS[Fact.NAME]):
            for term in terms:
                for value in own.get(term, ()):
                    if isinstance(value, Literal):
                        return value.value
        return ""

    def _name(self, resource: Resource) -> str:
        names = self._texts(self._stated.get(resource, {}), Fact.NAME)
        return names[0] if names else fallback_label(resource)

    def _kind(self, resource: Resource) -> ThingKind:
        classes = [cls for cls in self._stated.get(resource, {}).get(RDF.type, ()) if isinstance(cls, NamedNode)]
        return kind_of(above for cls in classes for above in (cls, *self._schema.superclasses(cls)))

    def _link(self, resource: Resource) -> Link:
        return Link(resource, self._name(resource), self._kind(resource))

    # Files

    def _has_content(self, own: Mapping[NamedNode, list[Term]]) -> bool:
        return any(own.get(term) for fact in (Fact.CONTENT_URL, Fact.SHA256, Fact.MD5) for term in TERMS[fact])

    def _file(self, resource: Resource) -> DataFile:
        own = self._stated.get(resource, {})
        urls = [*self._texts(own, Fact.CONTENT_URL), *self._texts(own, Fact.URL)]
        if self._is_media_object(own) and isinstance(resource, NamedNode):
            urls.append(resource.value)  # A file of an RO-Crate is located at its identifier.
        name = PurePosixPath(unquote(self._name(resource)).replace("\\", "/")).name or "file"
        size, size_text = self._size(own)
        sha256, md5 = self._checksums(own)
        described = self._texts(own, Fact.DESCRIPTION)
        found = DataFile(
            resource=resource,
            name=name,
            urls=tuple(dict.fromkeys(urls)),
            size=size,
            size_text=size_text,
            media_type=self._media_type(own, name),
            sha256=sha256,
            md5=md5,
            description=described[0] if described else "",
            includes=_patterns(own, CROISSANT.includes),
            excludes=_patterns(own, CROISSANT.excludes),
            contained_in=tuple(one for term in _CONTAINED_IN for one in own.get(term, ()) if is_resource(one)),
        )
        local = self._local(found)
        return found if local is None else _with_local(found, local)

    @staticmethod
    def _is_media_object(own: Mapping[NamedNode, list[Term]]) -> bool:
        return any(cls in (SCHEMA.MediaObject, SCHEMAS.MediaObject) for cls in own.get(RDF.type, ()))

    def _size(self, own: Mapping[NamedNode, list[Term]]) -> tuple[int | None, str]:
        for value in self._values(own, Fact.SIZE):
            if isinstance(value, Literal):
                text = value.value.strip().removesuffix("bytes").removesuffix("B").strip()
                return (int(text), value.value) if text.isascii() and text.isdigit() else (None, value.value)
            if isinstance(value, BlankNode) or value in self._stated:
                quantity = read_quantity(
                    (predicate, term)
                    for predicate, terms in self._stated.get(value, {}).items()
                    for term in terms
                    if isinstance(term, (Literal, NamedNode))
                )
                if quantity is not None:
                    # "41.7 kB" is rounded: only whole bytes are an exact size.
                    in_bytes = quantity.unit is not None and quantity.unit.factor == 1
                    of_data = quantity.unit is not None and quantity.unit.kind == QUANTITYKIND.InformationEntropy
                    amount = quantity.value
                    whole = in_bytes and of_data and amount is not None and amount == amount.to_integral_value()
                    return (int(amount) if whole and amount is not None else None), str(quantity)
        return None, ""

    def _media_type(self, own: Mapping[NamedNode, list[Term]], name: str) -> str:
        for text in self._texts(own, Fact.MEDIA_TYPE):
            short = text.removeprefix("https://www.iana.org/assignments/media-types/").removeprefix(
                "http://www.iana.org/assignments/media-types/"
            )
            if short == _A_REPOSITORY or (short.count("/") == 1 and " " not in short and ":" not in short):
                return short
            if known := MEDIA_TYPES.get(short.casefold().lstrip(".")):
                return known
        return MEDIA_TYPES.get(PurePosixPath(name).suffix.lstrip(".").casefold(), "")

    def _checksums(self, own: Mapping[NamedNode, list[Term]]) -> tuple[str, str]:
        texts = {fact: self._texts(own, fact) for fact in (Fact.SHA256, Fact.MD5)}
        found = {fact: (values[0] if values else "") for fact, values in texts.items()}
        for node in own.get(SPDX.checksum, ()):
            inside = self._stated.get(node, {}) if is_resource(node) else {}
            algorithm = " ".join(fallback_label(one) for one in inside.get(SPDX.algorithm, ()) if is_resource(one))
            for value in inside.get(SPDX.checksumValue, ()):
                if isinstance(value, Literal):
                    short = algorithm.rpartition("_")[2].casefold()
                    if short in ("sha256", "md5"):
                        found[Fact.SHA256 if short == "sha256" else Fact.MD5] = value.value
        digits = {Fact.SHA256: 64, Fact.MD5: 32}
        checked = {
            fact: text.casefold() if len(text) == digits[fact] and _HEX.fullmatch(text) else ""
            for fact, text in found.items()
        }
        return checked[Fact.SHA256], checked[Fact.MD5]

    # Other values

    def _columns(self, own: Mapping[NamedNode, list[Term]]) -> tuple[Column, ...]:
        """The columns that the graph describes by CSVW (Metadata Vocabulary for Tabular Data, section 5.6)."""
        schemas = [node for node in own.get(CSVW.tableSchema, ()) if is_resource(node)]
        found = []
        for holder in (own, *(self._stated.get(node, {}) for node in schemas)):
            for node in holder.get(CSVW.column, ()):
                if is_resource(node):
                    found += [self._column(one) for one in self._listed(node)]
        return tuple(found)

    def _listed(self, node: Resource) -> list[Resource]:
        """The items of a list, or the node itself if it is not one."""
        if RDF.first not in self._stated.get(node, {}):
            return [node]
        items: list[Resource] = []
        seen: set[Term] = set()
        at: Term = node
        while is_resource(at) and at != RDF.nil and at not in seen:
            seen.add(at)
            cell = self._stated.get(at, {})
            items += [one for one in cell.get(RDF.first, ()) if is_resource(one)]
            at = next(iter(cell.get(RDF.rest, ())), RDF.nil)
        return items

    def _column(self, node: Resource) -> Column:
        own = self._stated.get(node, {})

        def text(*terms: NamedNode) -> str:
            return next((one.value for term in terms for one in own.get(term, ()) if isinstance(one, Literal)), "")

        datatype = next((one for one in own.get(CSVW.datatype, ()) if isinstance(one, NamedNode)), None)
        if datatype is None:
            named = text(CSVW.datatype)
            datatype = XSD.term(named) if named else XSD.string
        property = text(CSVW.propertyUrl)
        linked = next((one for one in own.get(CSVW.propertyUrl, ()) if isinstance(one, NamedNode)), None)
        if linked is None and is_address(property):
            linked = NamedNode(property)
        described = self._texts(own, Fact.DESCRIPTION)
        name = text(CSVW.term("name"), CSVW.term("title"), CSVW.titles) or self._name(node)
        return Column(name, datatype, linked, described[0] if described else "")

    def _details(self, own: Mapping[NamedNode, list[Term]]) -> tuple[Detail, ...]:
        known = known_terms() | _NOT_TOLD
        found: list[Detail] = []
        for predicate in sorted(own, key=str):
            if predicate in known:
                continue
            name = self._schema.property_label(predicate) or term_label(predicate)
            for value in own[predicate]:
                detail = self._detail(predicate, name, value)
                if detail is not None:
                    found.append(detail)
        return tuple(found)

    def _detail(self, predicate: NamedNode, name: str, value: Term) -> Detail | None:
        if isinstance(value, Literal):
            return Detail(predicate, name, _native(value))
        if isinstance(value, NamedNode):
            return Detail(predicate, name, self._name(value))
        inside = self._stated.get(value, {})
        quantity = read_quantity(
            (term, one) for term, ones in inside.items() for one in ones if isinstance(one, (Literal, NamedNode))
        )
        if quantity is not None:
            number = quantity.value
            unit = quantity.unit.symbol if quantity.unit is not None else ""
            return Detail(predicate, name, quantity.spelled if number is None else _number(quantity.spelled), unit)
        keys = [one.value for one in inside.get(HPC.key, ()) if isinstance(one, Literal)]
        values = [one for one in inside.get(HPC.term("value"), ()) if isinstance(one, Literal)]
        if keys and values:
            return Detail(predicate, f"{name}: {keys[0]}", _native(values[0]))
        return None


def _patterns(own: Mapping[NamedNode, list[Term]], term: NamedNode) -> tuple[str, ...]:
    return tuple(one.value for one in own.get(term, ()) if isinstance(one, Literal))


def _with_local(file: DataFile, local: LocalCopy) -> DataFile:
    return replace(file, local=local, size=local.size, sha256=local.sha256)


def _native(literal: Literal) -> str | int | float | bool:
    if literal.datatype == XSD.boolean and literal.value in ("true", "false"):
        return literal.value == "true"
    if literal.datatype in (XSD.integer, XSD.decimal, XSD.double, XSD.float, XSD.int, XSD.long):
        return _number(literal.value)
    return literal.value


def _number(text: str) -> str | int | float:
    """A number that JSON can represent exactly; else the text."""
    try:
        if text.lstrip("-").isdigit():
            return int(text) if abs(int(text)) < 2**53 else text
        number = float(text)
    except ValueError:
        return text
    return number if abs(number) < 1e300 else text
