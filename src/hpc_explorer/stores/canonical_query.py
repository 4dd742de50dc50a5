"""One spelling for queries that differ only in white space, comments, and the names of their prefixes.

Two queries with one canonical text have the same answer; the converse is not tried. What the tokens of SPARQL 1.1 Query
(section 19.8) do not explain, such as escapes of code points or a relative IRI behind a prefix, leaves a text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PN_CHARS = r"\w·‿⁀\-"
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+|\#[^\r\n]*)
  | (?P<iri><[^<>"{{}}|^`\\\x00-\x20]*>)
  | (?P<string>'''(?:(?:'|'')?(?:[^'\\]|\\.))*''' | \"\"\"(?:(?:"|"")?(?:[^"\\]|\\.))*\"\"\"
        | '(?:[^'\\\r\n]|\\.)*' | "(?:[^"\\\r\n]|\\.)*")
  | (?P<variable>[?$]\w+)
  | (?P<blank>_:[\w](?:[{_PN_CHARS}.]*[{_PN_CHARS}])?)
  | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>(?P<prefix>(?:[^\W\d_](?:[{_PN_CHARS}.]*[{_PN_CHARS}])?)?):
        (?P<local>(?:(?:[\w:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%])
          (?:(?:[{_PN_CHARS}.:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%])*
             (?:[{_PN_CHARS}:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%]))?)?))
  | (?P<word>[^\W\d]\w*)
  | (?P<sign>\^\^|&&|\|\||!=|<=|>=|[{{}}()\[\].,;*/+\-|^?!=<>])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)")
_ABSOLUTE = re.compile(r"<[A-Za-z][A-Za-z0-9+.\-]*:[^<>]*>")
_CODE_POINT = re.compile(r"\\[uU]")

# Functions whose value is another at each call (SPARQL 1.1 Query, sections 17.4.2 to 17.4.5).
_CHANGING = frozenset(("NOW", "RAND", "UUID", "STRUUID"))

_Token = tuple[str, str]


def canonical_query(text: str) -> str:
    """The text by which the answer of a query or ASK may be kept; the same for some of its other spellings."""
    tokens = _tokens(text)
    if tokens is None:
        return text
    return _without_prefixes(tokens) or " ".join(token for _, token in tokens)


def always_the_same(text: str) -> bool:
    """Whether the answer depends on the data alone: the query calls no function such as NOW or RAND."""
    tokens = _tokens(text)
    if tokens is None:
        return not any(name in text.upper() for name in _CHANGING)
    return not any(kind == "word" and token.upper() in _CHANGING for kind, token in tokens)


def _tokens(text: str) -> list[_Token] | None:
    """The tokens with their kinds, white space and comments left out; None where the text is not understood."""
    if _CODE_POINT.search(text):
        return None
    tokens: list[_Token] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            return None
        kind = found.lastgroup or ""
        # The groups inside a name are not kinds of their own.
        kind = "name" if found["name"] is not None else kind
        if kind != "space":
            tokens.append((kind, found[0]))
        place = found.end()
    return tokens


def _without_prefixes(tokens: list[_Token]) -> str | None:
    """The tokens as one line, prefixed names written as IRIs; None where that could change what they mean."""
    prefixes: dict[str, str] = {}
    rest = iter(tokens)
    body: list[_Token] = []
    for kind, token in rest:
        if kind != "word" or token.upper() != "PREFIX":
            body = [(kind, token), *rest]
            break
        name_kind, name = next(rest, ("", ""))
        iri_kind, iri = next(rest, ("", ""))
        if name_kind != "name" or not name.endswith(":") or iri_kind != "iri" or not _ABSOLUTE.fullmatch(iri):
            return None
        if name in prefixes:
            return None
        prefixes[name] = iri[1:-1]
    if any(kind == "word" and token.upper() in ("BASE", "PREFIX") for kind, token in body):
        return None
    words: list[str] = []
    for word in _expanded(body, prefixes):
        if word is None:
            return None
        words.append(word)
    return " ".join(words)


def _expanded(tokens: list[_Token], prefixes: dict[str, str]) -> Iterator[str | None]:
    for kind, token in tokens:
        if kind != "name":
            yield token
            continue
        prefix, colon, local = token.partition(":")
        start = prefixes.get(prefix + colon)
        yield None if start is None else "<" + start + _ESCAPED.sub(r"\1", local) + ">"
