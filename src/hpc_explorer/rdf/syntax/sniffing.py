"""Detecting the format of a file from its first bytes: `.owl` can be four syntaxes, `.txt` any.

The name decides only if the content fits several syntaxes; every N-Triples document, for example, is also Turtle.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping

from hpc_explorer.errors import SourceUnreadable, UnknownFormat, UnsupportedSyntax
from hpc_explorer.rdf.namespaces import OWL, PROV, RDF
from hpc_explorer.rdf.syntax.formats import JSON_LD, MAY_BE_EMPTY, N3, N_QUADS, N_TRIPLES, RDF_XML, TRIG, TURTLE, Format

HEAD_BYTES = 64 * 1024
"""Number of bytes that are inspected."""

_KNOWN_SYNTAXES = "give a file in " + ", ".join(
    format.name for format in (TURTLE, N_TRIPLES, N_QUADS, TRIG, RDF_XML, JSON_LD)
)
_SAVE_AS_RDF = "save it as Turtle or RDF/XML, in Protégé by File > Save as"
_CONVERT_PROV = "open it as a source, and export it as Turtle"


def sniff(head: bytes, where: str, promised: Format | None = None) -> Format:
    """The format of a document.

    Args:
        head: its first `HEAD_BYTES` bytes, uncompressed.
        where: its name in errors.
        promised: the format of its file name.

    Raises:
        SourceUnreadable: the encoding cannot be determined.
        UnknownFormat: the content is binary, a web page, a table, or text that is not RDF.
        UnsupportedSyntax: its syntax is known but not supported.
    """
    if not head.strip():  # an empty graph, whatever its name promises
        return promised if promised in MAY_BE_EMPTY else TURTLE
    _refuse_binary(head, where)
    text = head.decode(encoding_of(head), errors="replace").lstrip("\ufeff").lstrip()
    if len(head) >= HEAD_BYTES and "\n" in text:
        text = text[: text.rindex("\n") + 1]
    if text.startswith("<") and (found := _xml_family(text, where)):
        return found
    if _JSON_START.match(text):
        return JSON_LD
    _refuse_other_languages(_without_comments(text), where)
    found = _turtle_family(text, promised)
    if found is not None:
        return found
    if promised is not None and promised is not RDF_XML:
        return promised
    if _is_table(text):
        raise UnknownFormat("a table, not RDF", where, "convert its rows to RDF first")
    raise UnknownFormat("the content is not a known RDF syntax", where, _KNOWN_SYNTAXES)


# --- encoding and binary content


_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.\-]*)["']""")


def encoding_of(head: bytes) -> str:
    """The Python codec of a document: by byte-order mark, by XML declaration (XML 1.0, appendix F), else UTF-8."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return codec
    declared = _XML_ENCODING.match(head)
    if declared:
        try:
            return codecs.lookup(declared[1].decode("ascii")).name
        except LookupError:
            return "utf-8"
    return "utf-8"


_MAGIC_NUMBERS: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a ZIP archive", "unpack it and open what is inside"),
    (b"BZh", "a bzip2 file", "unpack it first; gzip is read as it is"),
    (b"\xfd7zXZ\x00", "an xz file", "unpack it first; gzip is read as it is"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it first; gzip is read as it is"),
    (b"\x1f\x8b", "gzip inside gzip", "unpack it once first"),
    (b"$HDT", "an HDT file", "convert it to N-Triples first, for example with hdt2rdf"),
    (b"%PDF-", "a PDF document", _KNOWN_SYNTAXES),
    (b"\x89PNG", "a PNG picture", _KNOWN_SYNTAXES),
    (b"\xff\xd8\xff", "a JPEG picture", _KNOWN_SYNTAXES),
    (b"GIF8", "a GIF picture", _KNOWN_SYNTAXES),
    (b"SQLite format 3\x00", "an SQLite database", _KNOWN_SYNTAXES),
    (b"\x89HDF\r\n", "an HDF5 file", _KNOWN_SYNTAXES),
    (b"PAR1", "a Parquet file", _KNOWN_SYNTAXES),
    (b"\x7fELF", "a program", _KNOWN_SYNTAXES),
)
_CONTROL_CHARACTERS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_STRINGS = re.compile(
    rb"""\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z)|"(?:[^"\\\n]|\\.)*(?:"|\Z)|'(?:[^'\\\n]|\\.)*(?:'|\Z)""", re.DOTALL
)
# Share of control codes allowed in text; content that is not UTF-8 either is binary.
_MOST_IN_TEXT = 0.3
_MOST_BEYOND_UTF8 = 0.02


def _refuse_binary(head: bytes, where: str) -> None:
    for magic, what, remedy in _MAGIC_NUMBERS:
        if head.startswith(magic):
            raise UnknownFormat(f"{what}, not RDF", where, remedy)
    if encoding_of(head) in ("utf-16", "utf-32"):
        return
    if _is_unmarked_utf16(head):
        raise SourceUnreadable(
            "text in UTF-16 without a byte-order mark", where, "save it in UTF-8, for example with iconv"
        )
    if _is_utf8(head):
        # A literal may hold any control code (Turtle, production STRING_LITERAL_QUOTE).
        is_binary = _share_of_controls(_STRINGS.sub(b"", head)) > _MOST_IN_TEXT
    else:
        is_binary = _share_of_controls(head) > _MOST_BEYOND_UTF8
    if is_binary:
        raise UnknownFormat("a binary file, not RDF", where, _KNOWN_SYNTAXES)


def _share_of_controls(text: bytes) -> float:
    return len(_CONTROL_CHARACTERS.findall(text)) / max(len(text), 1)


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=False)
    except UnicodeDecodeError:
        return False
    return True


def _is_unmarked_utf16(head: bytes) -> bool:
    """Whether nearly every second byte is zero and the others are not control codes, as in Latin text in UTF-16."""
    pairs = head[: len(head) // 2 * 2]
    for zeros, others in ((pairs[0::2], pairs[1::2]), (pairs[1::2], pairs[0::2])):
        is_text = others.count(0) == 0 and not _CONTROL_CHARACTERS.search(others)
        if len(zeros) >= 4 and zeros.count(0) > 0.4 * len(zeros) and is_text:
            return True
    return False


# --- XML and JSON


_JSON_START = re.compile(r'\{\s*(?:"|\}|\Z)|\[\s*(?:[{"\[]|\]\s*\Z|\Z|-?\d[\d.eE+\-]*\s*[,\]]\s*(?:["{\[\d\-]|\Z))')
_HTML = re.compile(r"(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)
_XML = re.compile(r"<(?:\?[A-Za-z]|!DOCTYPE\b|!--|[A-Za-z_][\w.\-]*(?::[A-Za-z_][\w.\-]*)?(?:\s+[\w:.\-]+\s*=|\s*/?>))")
_XML_PROLOGUE = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\])?\s*>)*", re.DOTALL
)
_ROOT = re.compile(r"<(?:([\w.\-]+):)?([\w.\-]+)([^>]*)")
_XML_NAMESPACE = re.compile(r"""xmlns(?::([\w.\-]+))?\s*=\s*["']([^"']*)["']""")


def _xml_family(text: str, where: str) -> Format | None:
    """RDF/XML, or None for text that starts with an IRI of the Turtle family."""
    if _HTML.match(text):
        raise UnknownFormat("a web page (HTML), not RDF", where, "download the data file itself: this is a web page")
    if not _XML.match(text):
        return None
    prologue = _XML_PROLOGUE.match(text)
    root = _ROOT.match(text, prologue.end() if prologue else 0)
    if root is None:
        return RDF_XML
    prefix, name, attributes = root.groups()
    tag = f"{prefix}:{name}" if prefix else name
    if text.startswith("<" + tag) and "=" not in attributes and f"</{tag}" not in text:
        # An IRI in brackets, relative or with a scheme: `<a> <b> <c> .`, `<urn:x> <urn:y> 1 .`
        return None
    namespaces = {declared[1]: declared[2] for declared in _XML_NAMESPACE.finditer(attributes)}
    namespace = namespaces.get(prefix, "")
    if name == "RDF" or RDF in text:
        return RDF_XML
    if name == "Ontology" and namespace.startswith(OWL.rstrip("#")):
        raise UnsupportedSyntax("OWL/XML is not read", where, _SAVE_AS_RDF)
    if name == "document" and namespace == PROV:
        raise UnsupportedSyntax("PROV-XML is not read", where, _CONVERT_PROV)
    raise UnknownFormat(f"XML, but not RDF/XML: its root element is <{name}>", where, _KNOWN_SYNTAXES)


# --- languages recognised by their first words


_COMMENTS = re.compile(r"(?:\s+|#[^\n]*(?:\n|\Z))*")
_SPARQL_PROLOGUE = re.compile(r"(?:(?:PREFIX\s+[^\s:]*:|BASE)\s*<[^>]*>\s*|#[^\n]*\n\s*)*", re.IGNORECASE)
_SPARQL = re.compile(
    r"(?:SELECT\s+(?:DISTINCT\s|REDUCED\s|\?|\$|\*|\()|CONSTRUCT\s*(?:\{|WHERE|FROM)|ASK\s*(?:\{|WHERE|FROM)"
    r"|DESCRIBE\s+[?$<*\w]|INSERT\s*(?:DATA\s*)?\{|DELETE\s*(?:(?:DATA|WHERE)\s*)?\{)",
    re.IGNORECASE,
)
_LANGUAGES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"(?:Prefix|Ontology)\s*\("), "OWL functional syntax", _SAVE_AS_RDF),
    (re.compile(r"(?:Prefix|Ontology|Namespace):\s"), "OWL Manchester syntax", _SAVE_AS_RDF),
    (re.compile(r"format-version:\s"), "OBO format", "convert it to RDF/XML first, for example with ROBOT"),
    (re.compile(r"document\s+(?:prefix|default|bundle|\w+\()"), "PROV-N", _CONVERT_PROV),
)


def _without_comments(text: str) -> str:
    comments = _COMMENTS.match(text)
    return text[comments.end() :] if comments else text


def _refuse_other_languages(text: str, where: str) -> None:
    for pattern, name, remedy in _LANGUAGES:
        if pattern.match(text):
            raise UnsupportedSyntax(f"{name} is not read", where, remedy)
    prologue = _SPARQL_PROLOGUE.match(text)
    if _SPARQL.match(text, prologue.end() if prologue else 0):
        raise UnsupportedSyntax("a SPARQL query, not data", where, "run it on a graph with query --file")


# --- the Turtle family


_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n]*)
    | (?P<iri><[^<>"{}|^`\x00-\x20]*>)
    | (?P<string>\"{3}(?:[^"\\]|\\.|\"(?!\"\"))*(?:\"{3}|\Z) | '{3}(?:[^'\\]|\\.|'(?!''))*(?:'{3}|\Z)
               | "(?:[^"\\\n]|\\.)*(?:"|\Z) | '(?:[^'\\\n]|\\.)*(?:'|\Z))
    | (?P<datatype>\^\^\s*(?:<[^<>\s]*>|[^\s<>"'{}\[\]();,\#.]+))
    | (?P<directive>@prefix\b|@base\b)
    | (?P<sparql_directive>(?i:\bPREFIX\s+[^\s:<]*:|\bBASE)\s*(?=<))
    | (?P<rule>=>|<=|@forAll\b|@forSome\b|\?[A-Za-z]\w*)
    | (?P<language>@[A-Za-z]+(?:-\w+)*)
    | (?P<graph>(?i:\bGRAPH\b))
    | (?P<open>\{)
    | (?P<end>\.(?=\s|\Z)|\})
    | (?P<abbreviation>[;,\[\](\)])
    | (?P<node>_:[^\s<>"'{}\[\]();,\#]*[^\s<>"'{}\[\]();,\#.])
    | (?P<word>(?:\\.|[^\s<>"'{}\[\]();,\#@^?\\])*(?:\\.|[^\s<>"'{}\[\]();,\#@^?.\\]))
    """,
    re.VERBOSE | re.DOTALL,
)

_READS_AS: Mapping[Format, frozenset[Format]] = {
    TURTLE: frozenset({TURTLE, N_TRIPLES}),
    TRIG: frozenset({TRIG, TURTLE, N_TRIPLES, N3}),
    N3: frozenset({N3, TURTLE, N_TRIPLES, TRIG}),
    N_QUADS: frozenset({N_QUADS, N_TRIPLES}),
    N_TRIPLES: frozenset({N_TRIPLES}),
}
"""The syntaxes that each reader accepts. Graphs in braces can be TriG or N3: the name decides."""


def _turtle_family(text: str, promised: Format | None) -> Format | None:
    found = _syntax_of_statements(text)
    if found is not None and promised is not None and found in _READS_AS.get(promised, ()):
        return promised
    return found


def _syntax_of_statements(text: str) -> Format | None:
    """The narrowest syntax of the family that fits the text; None if it has no statement."""
    terms = 0
    triples = quads = 0
    turtle = abbreviated = graphs = False
    first = True
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "comment":
            continue
        if first and not _may_begin(kind, text[token.start() : token.start() + 100]):
            return None
        first = False
        if kind == "rule":
            return N3
        if kind == "open":
            # In TriG a graph in braces follows its name, in N3 it is the subject or object of a statement.
            if terms >= 2:
                return N3
            graphs, terms = True, 0
        if kind in ("directive", "sparql_directive"):
            turtle = True
            # The IRI of a SPARQL-style directive follows, without a full stop.
            terms = -1 if kind == "sparql_directive" else 0
        elif kind == "end":
            if not abbreviated:
                triples += terms == 3
                quads += terms == 4
            terms, abbreviated = 0, False
        elif kind == "abbreviation":
            turtle = abbreviated = True
        elif kind == "word":
            turtle = True
            terms += 1
        elif kind in ("iri", "node", "string"):
            # Line-based syntaxes have absolute IRIs and one kind of quotes.
            turtle = turtle or (kind == "iri" and not _ABSOLUTE_IRI.match(token[0]))
            turtle = turtle or (kind == "string" and token[0].startswith(("'", '"""')))
            terms += 1
    if graphs:
        return TRIG
    if turtle:
        return TURTLE
    if quads:
        return N_QUADS
    if triples:
        return N_TRIPLES
    return TURTLE if not first else None


_ABSOLUTE_IRI = re.compile(r"<[A-Za-z][A-Za-z0-9+.\-]*:")
_NODE_IN_BRACKETS = re.compile(r"\[\s*(?:\]|<|a\s|(?:[^\W\d_][\w.\-]*)?:)|\(")


def _may_begin(kind: str | None, text: str) -> bool:
    """Whether a Turtle document can start like this; prefixed names need a declaration first."""
    if kind == "abbreviation":
        return _NODE_IN_BRACKETS.match(text) is not None
    return kind in ("iri", "node", "directive", "sparql_directive", "open", "graph")


def _is_table(text: str) -> bool:
    """Whether the first lines have the same number of cells."""
    lines = [line for line in text.split("\n")[:20] if line.strip()][:-1]
    for separator in (",", "\t", ";", "|"):
        numbers = {line.count(separator) for line in lines}
        if len(lines) >= 2 and len(numbers) == 1 and numbers != {0}:
            return True
    return False
