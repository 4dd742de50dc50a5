"""Read and write mappings as YAML (docs/guide/tables.md); errors name the line.

Scalars are always texts, so a column `No`, a boolean in YAML, needs no quotes.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.annotate.tables.cells import DATATYPES, NUMBERS
from hpc_explorer.annotate.tables.mapping import ColumnRule, Constant, NumberFormat, TableFormat, TableMapping
from hpc_explorer.annotate.tables.template import Template, parse_template
from hpc_explorer.errors import DamagedMapping, InputError, SourceNotFound
from hpc_explorer.rdf.namespaces import XSD, PrefixMap
from hpc_explorer.rdf.syntax.files import atomic_output, input_error
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.shipped import shipped_folder

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node

SHIPPED = "mapping:"
"""The prefix of shipped mappings: `mapping:top500`."""

_TOP = (
    "prefixes",
    "table",
    "subject",
    "shared subjects",
    "class",
    "absent",
    "numbers",
    "skip",
    "constants",
    "columns",
    "headings",
    "needed",
    "ignore",
)
_RULE = (
    "property",
    "datatype",
    "unit",
    "language",
    "link",
    "link class",
    "iri",
    "lookup",
    "separator",
    "absent",
    "required",
    "date format",
)


def shipped_mappings() -> dict[str, Path]:
    """The files of the shipped mappings by name."""
    return {path.stem: path for path in sorted((shipped_folder("ontology") / "mappings").glob("*.yaml"))}


def find_mapping(name: str) -> TableMapping:
    """Read a mapping from a file, or a shipped one, such as `mapping:top500`.

    Raises:
        SourceNotFound, SourceUnreadable: missing or unreadable.
        DamagedMapping: invalid.
    """
    if name.startswith(SHIPPED):
        shipped = shipped_mappings()
        if name.removeprefix(SHIPPED) not in shipped:
            raise SourceNotFound("no such mapping ships", name, f"there are {', '.join(shipped)}")
        return read_mapping(shipped[name.removeprefix(SHIPPED)])
    return read_mapping(Path(name))


def read_mapping(path: Path) -> TableMapping:
    """Read a mapping file.

    Raises:
        SourceNotFound, SourceUnreadable: missing or unreadable.
        DamagedMapping: invalid; names the line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DamagedMapping("the mapping is not UTF-8", str(path), "save it as UTF-8") from None
    except OSError as error:
        raise input_error(error, path, "mapping") from None
    return parse_mapping(text, str(path))


def parse_mapping(text: str, where: str = "mapping") -> TableMapping:
    """Parse a mapping.

    Raises:
        DamagedMapping: invalid; names the line.
    """
    import yaml

    try:
        # Aliases could expand a short text without bound, and mappings do not need them.
        for token in yaml.scan(text, Loader=yaml.BaseLoader):
            if isinstance(token, (yaml.AliasToken, yaml.AnchorToken)):
                raise DamagedMapping(
                    "a mapping has no anchors and aliases", f"{where}:{token.start_mark.line + 1}", "write it out"
                )
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error)
        line = f":{mark.line + 1}" if mark is not None else ""
        raise DamagedMapping(f"not valid YAML ({reason})", where + line, "check the indentation there") from None
    except RecursionError:
        raise DamagedMapping(
            "the mapping is nested too deeply", where, "write it with fewer brackets in one another"
        ) from None
    return _Reader(where).mapping(root)


class _Reader:
    """Reads the nodes of one file."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._prefixes = PrefixMap()

    def mapping(self, root: Node | None) -> TableMapping:
        if root is None:
            raise DamagedMapping("the mapping is empty", self._where, "it needs a subject and columns")
        top = self._named(root, _TOP)
        for needed in ("subject", "columns"):
            if needed not in top:
                raise self._fault(root, f"the mapping lacks {needed!r}")
        prefixes = self._texts_by_name(top["prefixes"]) if "prefixes" in top else {}
        self._prefixes = PrefixMap(prefixes)
        return TableMapping(
            subject=self._template(top["subject"]),
            classes=tuple(self._iri(node) for node in self._list(top["class"])) if "class" in top else (),
            columns={name: self._rules(node) for name, node in self._pairs(top["columns"])},
            ignored=tuple(self._text(node) for node in self._list(top["ignore"])) if "ignore" in top else (),
            constants=tuple(map(self._constant, self._list(top["constants"]))) if "constants" in top else (),
            absent=self._absent(top["absent"]) if "absent" in top else frozenset({""}),
            numbers=self._numbers(top["numbers"]) if "numbers" in top else NumberFormat(),
            skip={name: self._texts(node) for name, node in self._pairs(top["skip"])} if "skip" in top else {},
            prefixes=prefixes,
            table=self._table(top["table"]) if "table" in top else TableFormat(),
            shared_subjects=self._truth(top["shared subjects"]) if "shared subjects" in top else False,
            headings=self._texts_by_name(top["headings"]) if "headings" in top else {},
            needed=tuple(self._text(node) for node in self._list(top["needed"])) if "needed" in top else None,
        )

    def _table(self, node: Node) -> TableFormat:
        named = self._named(node, ("sheet", "delimiter", "encoding", "heading", "units"))
        texts = {name: self._text(value) for name, value in named.items()}
        delimiter, encoding = texts.get("delimiter", ""), texts.get("encoding", "")
        if len(delimiter) > 1 or delimiter in ("\n", "\r", '"'):
            raise self._fault(named["delimiter"], "a delimiter is one sign, and neither a quote nor the end of a line")
        if encoding and not is_text_encoding(encoding):
            raise self._fault(named["encoding"], f"no encoding is called {encoding!r}")
        heading = texts.get("heading", "1")
        if not re.fullmatch("[0-9]{1,6}", heading):
            raise self._fault(named["heading"], "here should be the number of the row that names the columns")
        units = self._truth(named["units"]) if "units" in named else False
        return TableFormat(texts.get("sheet", ""), delimiter, encoding, int(heading), units)

    def _rules(self, node: Node) -> tuple[ColumnRule, ...]:
        return tuple(self._rule(one) for one in self._list(node))

    def _rule(self, node: Node) -> ColumnRule:
        from yaml.nodes import ScalarNode

        if isinstance(node, ScalarNode):
            return ColumnRule(self._iri(node))
        named = self._named(node, _RULE)
        if "property" not in named:
            raise self._fault(node, "the column lacks 'property'")
        kinds = [kind for kind in ("link", "iri", "lookup", "language", "unit") if kind in named]
        if len(kinds) > 1:
            raise self._fault(named[kinds[1]], f"a column cannot have both {kinds[0]!r} and {kinds[1]!r}")
        if "datatype" in named and kinds and kinds != ["unit"]:
            raise self._fault(named["datatype"], f"a column cannot have both 'datatype' and {kinds[0]!r}")
        if "link class" in named and "link" not in named:
            raise self._fault(named["link class"], "only a column with a 'link' has a 'link class'")
        datatype = XSD.decimal if "unit" in named else XSD.string
        if "datatype" in named:
            datatype = self._iri(named["datatype"])
            allowed = NUMBERS if "unit" in named else DATATYPES
            if datatype not in allowed:
                known = ", ".join(sorted(self._prefixes.short(one.value) for one in allowed))
                raise self._fault(named["datatype"], f"this datatype is not known here; there are {known}")
        return ColumnRule(
            property=self._iri(named["property"]),
            datatype=datatype,
            unit=self._iri(named["unit"]) if "unit" in named else None,
            language=self._language(named["language"]) if "language" in named else "",
            link=self._template(named["link"]) if "link" in named else None,
            link_class=self._iri(named["link class"]) if "link class" in named else None,
            iri=self._truth(named["iri"]) if "iri" in named else False,
            lookup={text: self._iri(one) for text, one in self._pairs(named["lookup"])} if "lookup" in named else None,
            separator=self._text(named["separator"]) if "separator" in named else "",
            absent=self._absent(named["absent"]) if "absent" in named else None,
            required=self._truth(named["required"]) if "required" in named else False,
            date_format=self._text(named["date format"]) if "date format" in named else "",
        )

    def _constant(self, node: Node) -> Constant:
        named = self._named(node, ("property", "link", "value", "datatype", "language"))
        if "property" not in named or ("link" in named) == ("value" in named):
            raise self._fault(node, "a constant has a 'property', and a 'link' or a 'value'")
        if "link" in named:
            return Constant(self._iri(named["property"]), self._iri(named["link"]))
        value, language = self._text(named["value"]), named.get("language")
        if language is not None:
            return Constant(self._iri(named["property"]), Literal(value, language=self._language(language)))
        datatype = self._iri(named["datatype"]) if "datatype" in named else XSD.string
        return Constant(self._iri(named["property"]), Literal(value, datatype=datatype))

    def _numbers(self, node: Node) -> NumberFormat:
        named = self._named(node, ("thousands", "decimal"))
        plain = NumberFormat()
        thousands = self._text(named["thousands"]) if "thousands" in named else plain.thousands
        decimal = self._text(named["decimal"]) if "decimal" in named else plain.decimal
        if thousands == decimal or not decimal or any(len(sign) > 1 or sign.isalnum() for sign in (thousands, decimal)):
            raise self._fault(node, "'thousands' and 'decimal' are two different signs")
        return NumberFormat(thousands, decimal)

    def _absent(self, node: Node) -> frozenset[str]:
        return self._texts(node) | {""}

    def _texts(self, node: Node) -> frozenset[str]:
        return frozenset(self._text(one).strip() for one in self._list(node))

    # --- nodes ------------------------------------------------------------------------------------------------------

    def _pairs(self, node: Node) -> Iterator[tuple[str, Node]]:
        from yaml.nodes import MappingNode

        if not isinstance(node, MappingNode):
            raise self._fault(node, "expected a mapping of names, as `name: …`")
        seen: set[str] = set()
        for key, value in _items(node):
            name = self._text(key)
            if name in seen:
                raise self._fault(key, f"{name!r} is there twice")
            seen.add(name)
            yield name, value

    def _named(self, node: Node, allowed: tuple[str, ...]) -> dict[str, Node]:
        found = dict(self._pairs(node))
        for name, value in found.items():
            if name not in allowed:
                raise self._fault(value, f"{name!r} is not known here; there are {', '.join(allowed)}")
        return found

    def _texts_by_name(self, node: Node) -> dict[str, str]:
        return {name: self._text(value) for name, value in self._pairs(node)}

    def _list(self, node: Node) -> list[Node]:
        from yaml.nodes import SequenceNode

        return list(node.value) if isinstance(node, SequenceNode) else [node]

    def _text(self, node: Node) -> str:
        from yaml.nodes import ScalarNode

        if not isinstance(node, ScalarNode):
            raise self._fault(node, "expected a text")
        return str(node.value)

    def _truth(self, node: Node) -> bool:
        text = self._text(node)
        if text not in ("true", "false"):
            raise self._fault(node, "here should be true or false")
        return text == "true"

    def _language(self, node: Node) -> str:
        text = self._text(node)
        try:
            return Literal("", language=text).language or ""
        except ValueError:
            raise self._fault(node, f"{text!r} is not a language tag") from None

    def _iri(self, node: Node) -> NamedNode:
        text = self._text(node)
        try:
            return self._prefixes.resolve(text)
        except InputError as error:
            raise self._fault(node, f"{error.what}: {text}") from None

    def _template(self, node: Node) -> Template:
        """Parse a template; a prefix before its first placeholder is expanded."""
        text = self._text(node)
        prefix, colon, rest = text.partition(":")
        if colon and not rest.startswith("//") and prefix in self._prefixes:
            text = self._prefixes[prefix] + rest
        try:
            return parse_template(text)
        except InputError as error:
            raise self._fault(node, f"{error.what}: {text}") from None

    def _fault(self, node: Node, what: str) -> DamagedMapping:
        return DamagedMapping(what, f"{self._where}:{node.start_mark.line + 1}", "see docs/guide/tables.md")


def is_text_encoding(name: str) -> bool:
    """Whether Python has a text encoding of this name."""
    try:
        codecs.lookup(name)
        return isinstance("".encode(name), bytes)
    except (LookupError, TypeError, ValueError):
        return False


def _items(node: MappingNode) -> list[tuple[Node, Node]]:
    return list(node.value)


# --- writing --------------------------------------------------------------------------------------------------------


def write_mapping(mapping: TableMapping, path: Path) -> None:
    """Write a mapping file atomically.

    Raises:
        OutputNotWritable: the file cannot be written.
    """
    with atomic_output(path) as stream:
        stream.write(mapping_text(mapping).encode("utf-8"))


def mapping_text(mapping: TableMapping) -> str:
    """Encode a mapping as YAML that `parse_mapping` reads back."""
    import yaml

    prefixes = PrefixMap(mapping.prefixes)
    document: dict[str, object] = {}
    if mapping.prefixes:
        document["prefixes"] = dict(mapping.prefixes)
    if mapping.table != TableFormat():
        plain = TableFormat()
        document["table"] = {
            name: value for name, value in vars(mapping.table).items() if value != getattr(plain, name)
        }
    document["subject"] = mapping.subject.text
    if mapping.shared_subjects:
        document["shared subjects"] = True
    if mapping.classes:
        document["class"] = [_short(prefixes, cls) for cls in mapping.classes]
    if mapping.absent != frozenset({""}):
        document["absent"] = sorted(mapping.absent - {""})
    if mapping.numbers != NumberFormat():
        document["numbers"] = {"thousands": mapping.numbers.thousands, "decimal": mapping.numbers.decimal}
    if mapping.skip:
        document["skip"] = {name: sorted(texts) for name, texts in mapping.skip.items()}
    if mapping.constants:
        document["constants"] = [_constant_document(prefixes, constant) for constant in mapping.constants]
    document["columns"] = {
        name: documents[0] if len(documents) == 1 else documents
        for name, rules in mapping.columns.items()
        for documents in [[_rule_document(prefixes, rule) for rule in rules]]
    }
    if mapping.headings:
        document["headings"] = dict(mapping.headings)
    if mapping.needed is not None:
        document["needed"] = list(mapping.needed)
    if mapping.ignored:
        document["ignore"] = list(mapping.ignored)
    written: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)
    return written


def _rule_document(prefixes: PrefixMap, rule: ColumnRule) -> dict[str, object]:
    document: dict[str, object] = {"property": _short(prefixes, rule.property)}
    if rule.datatype != (XSD.string if rule.unit is None else XSD.decimal):
        document["datatype"] = _short(prefixes, rule.datatype)
    if rule.unit is not None:
        document["unit"] = _short(prefixes, rule.unit)
    if rule.language:
        document["language"] = rule.language
    if rule.link is not None:
        document["link"] = rule.link.text
    if rule.link_class is not None:
        document["link class"] = _short(prefixes, rule.link_class)
    if rule.iri:
        document["iri"] = True
    if rule.lookup is not None:
        document["lookup"] = {text: _short(prefixes, iri) for text, iri in rule.lookup.items()}
    if rule.separator:
        document["separator"] = rule.separator
    if rule.absent is not None:
        document["absent"] = sorted(rule.absent - {""})
    if rule.required:
        document["required"] = True
    if rule.date_format:
        document["date format"] = rule.date_format
    return document


def _constant_document(prefixes: PrefixMap, constant: Constant) -> Mapping[str, str]:
    document = {"property": _short(prefixes, constant.property)}
    if isinstance(constant.value, NamedNode):
        return {**document, "link": _short(prefixes, constant.value)}
    if constant.value.language:
        return {**document, "value": constant.value.value, "language": constant.value.language}
    return {**document, "value": constant.value.value, "datatype": _short(prefixes, constant.value.datatype)}


def _short(prefixes: PrefixMap, iri: NamedNode) -> str:
    return prefixes.short(iri.value)
